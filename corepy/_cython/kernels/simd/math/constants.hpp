// Constants of the exponential and logarithmic kernels. Written by
// tools/coefficients.py, which derives them; do not edit.
#pragma once

#include "../vec.hpp"

// clang-format off
namespace corepy {
inline namespace COREPY_TARGET {

template <class T> struct ExpConstants;
template <class T> struct LogConstants;
template <class T> struct PowConstants;
template <class T> struct NaturalLogConstants;
template <class T> struct Log2Constants;
template <class T> struct Log10Constants;
template <class T> struct AtanhConstants;
template <class T> struct AtanConstants;
template <class T> struct Expm1Constants;
template <class T> struct DirectExpConstants;
template <class T> struct DirectSinhConstants;
template <class T> struct DirectLogConstants;

template <>
struct ExpConstants<float> {
  // 2^(j / 16), and its relative rounding error.
  alignas(64) static constexpr float power[16] = {
      0x1.0000000000000p+0f, 0x1.0b55860000000p+0f, 0x1.172b840000000p+0f, 0x1.2387a60000000p+0f,
      0x1.306fe00000000p+0f, 0x1.3dea640000000p+0f, 0x1.4bfdae0000000p+0f, 0x1.5ab07e0000000p+0f,
      0x1.6a09e60000000p+0f, 0x1.7a11480000000p+0f, 0x1.8ace540000000p+0f, 0x1.9c49180000000p+0f,
      0x1.ae89fa0000000p+0f, 0x1.c199be0000000p+0f, 0x1.d5818e0000000p+0f, 0x1.ea4afa0000000p+0f};
  alignas(64) static constexpr float residue[16] = {
      0x0.0p+0f, 0x1.8d96d40000000p-25f, -0x1.9c0c220000000p-27f, 0x1.9649040000000p-25f,
      0x1.1250020000000p-25f, 0x1.370be40000000p-25f, -0x1.0a35500000000p-25f,
      -0x1.00d8ac0000000p-27f, 0x1.26055c0000000p-26f, -0x1.05cb440000000p-25f,
      0x1.67a1ca0000000p-28f, 0x1.a3b5e40000000p-28f, -0x1.f9c3040000000p-27f,
      -0x1.6961b40000000p-28f, -0x1.a5217c0000000p-28f, 0x1.61428e0000000p-28f};
  // (e^r - 1 - r - r^2 / 2) / r^3; e^r - 1 is accurate, relative to r, to 2^-31.6.
  static constexpr float series[2] = {
      0x1.5557080000000p-3f, 0x1.5556b40000000p-5f};
  // ln2_high times a number of sixteenths is exact.
  static constexpr float log2_e = 0x1.7154760000000p+0f;
  static constexpr float ln2_high = 0x1.6300000000000p-1f, ln2_low = -0x1.bd01060000000p-13f;
};
template <>
struct ExpConstants<double> {
  // 2^(j / 16), and its relative rounding error.
  alignas(64) static constexpr double power[16] = {
      0x1.0000000000000p+0, 0x1.0b5586cf9890fp+0, 0x1.172b83c7d517bp+0, 0x1.2387a6e756238p+0,
      0x1.306fe0a31b715p+0, 0x1.3dea64c123422p+0, 0x1.4bfdad5362a27p+0, 0x1.5ab07dd485429p+0,
      0x1.6a09e667f3bcdp+0, 0x1.7a11473eb0187p+0, 0x1.8ace5422aa0dbp+0, 0x1.9c49182a3f090p+0,
      0x1.ae89f995ad3adp+0, 0x1.c199bdd85529cp+0, 0x1.d5818dcfba487p+0, 0x1.ea4afa2a490dap+0};
  alignas(64) static constexpr double residue[16] = {
      0x0.0p+0, 0x1.79aa65d837b6dp-54, -0x1.01b15eaa59348p-55, 0x1.68efde3a8a894p-54,
      0x1.34d754db0abb6p-55, 0x1.59f48a72a4c6dp-55, 0x1.690cebb7aafb0p-56, 0x1.063e1e21c5409p-54,
      -0x1.3b3efbf5e2228p-54, -0x1.b32dcb94da51dp-56, 0x1.db72fc1f0eab4p-55, 0x1.1affc2b91ce27p-56,
      0x1.c1a7792cb3387p-55, 0x1.36eae30af0cb3p-56, 0x1.4a385a63d07a7p-56, -0x1.ff7128fd391f0p-55};
  // (e^r - 1 - r - r^2 / 2) / r^3; e^r - 1 is accurate, relative to r, to 2^-59.3.
  static constexpr double series[5] = {
      0x1.5555555555558p-3, 0x1.55555554f2605p-5, 0x1.11111110936a5p-7, 0x1.6c17eb206745cp-10,
      0x1.a01b8fcf67186p-13};
  // ln2_high times a number of sixteenths is exact.
  static constexpr double log2_e = 0x1.71547652b82fep+0;
  static constexpr double ln2_high = 0x1.62e42fefa0000p-1, ln2_low = 0x1.cf79abc9e3b3ap-40;
};
template <>
struct LogConstants<float> {
  // c by the first bits of m, 1 <= m < 2: m c is close to 1, and m c - 1 exact.
  static constexpr int bits = 5;
  alignas(64) static constexpr float inverse[32] = {
      0x1.0000000000000p+0f, 0x1.e800000000000p-1f, 0x1.d800000000000p-1f, 0x1.d000000000000p-1f,
      0x1.c000000000000p-1f, 0x1.b400000000000p-1f, 0x1.a800000000000p-1f, 0x1.a000000000000p-1f,
      0x1.9400000000000p-1f, 0x1.8c00000000000p-1f, 0x1.8000000000000p-1f, 0x1.7800000000000p-1f,
      0x1.7000000000000p-1f, 0x1.6800000000000p-1f, 0x1.6000000000000p-1f, 0x1.5800000000000p-1f,
      0x1.5000000000000p-1f, 0x1.4c00000000000p-1f, 0x1.4400000000000p-1f, 0x1.4000000000000p-1f,
      0x1.3800000000000p-1f, 0x1.3400000000000p-1f, 0x1.2c00000000000p-1f, 0x1.2800000000000p-1f,
      0x1.2000000000000p-1f, 0x1.1c00000000000p-1f, 0x1.1800000000000p-1f, 0x1.1400000000000p-1f,
      0x1.1000000000000p-1f, 0x1.0c00000000000p-1f, 0x1.0800000000000p-1f, 0x1.0000000000000p-1f};
  // (log1p(r) - r + r^2 / 2) / r^3; log1p(r) is accurate, relative to r, to 2^-32.2.
  static constexpr float series[3] = {
      0x1.5555b20000000p-2f, -0x1.00118a0000000p-2f, 0x1.9121300000000p-3f};};
template <>
struct NaturalLogConstants<float> {
  // -log(c): a multiple of 2^-17, and the remainder.
  alignas(64) static constexpr float high[32] = {
      0x0.0p+0f, 0x1.8950000000000p-5f, 0x1.4d30000000000p-4f, 0x1.9338000000000p-4f,
      0x1.1178000000000p-3f, 0x1.4914000000000p-3f, 0x1.823c000000000p-3f, 0x1.a940000000000p-3f,
      0x1.e530000000000p-3f, 0x1.0714000000000p-2f, 0x1.2696000000000p-2f, 0x1.3c26000000000p-2f,
      0x1.522a000000000p-2f, 0x1.68ac000000000p-2f, 0x1.7fb0000000000p-2f, 0x1.973a000000000p-2f,
      0x1.af52000000000p-2f, 0x1.bb96000000000p-2f, 0x1.d490000000000p-2f, 0x1.e148000000000p-2f,
      0x1.fb36000000000p-2f, 0x1.0436000000000p-1f, 0x1.11b0000000000p-1f, 0x1.188f000000000p-1f,
      0x1.2696000000000p-1f, 0x1.2dbf000000000p-1f, 0x1.3503000000000p-1f, 0x1.3c61000000000p-1f,
      0x1.43da000000000p-1f, 0x1.4b70000000000p-1f, 0x1.5323000000000p-1f, 0x1.62e4000000000p-1f};
  alignas(64) static constexpr float low[32] = {
      0x0.0p+0f, -0x1.57ad820000000p-19f, 0x1.15d2080000000p-20f, -0x1.0d15360000000p-19f,
      0x1.d044fc0000000p-20f, -0x1.3e66260000000p-22f, 0x1.6551a40000000p-23f,
      -0x1.2c37520000000p-19f, 0x1.dffce20000000p-20f, -0x1.e7ecaa0000000p-20f,
      0x1.089a6e0000000p-21f, -0x1.b1199a0000000p-19f, 0x1.c0e7140000000p-19f,
      0x1.07d38e0000000p-19f, -0x1.7109fa0000000p-20f, 0x1.a189ac0000000p-21f,
      0x1.2a491a0000000p-19f, 0x1.1b80e20000000p-22f, 0x1.236f7e0000000p-21f,
      0x1.4344e40000000p-19f, -0x1.d4216e0000000p-20f, 0x1.7cec080000000p-22f,
      -0x1.f70e2a0000000p-19f, -0x1.bf0dc40000000p-21f, 0x1.089a6e0000000p-20f,
      0x1.55ec380000000p-19f, -0x1.d4989c0000000p-19f, -0x1.fcf2500000000p-19f,
      -0x1.a0db880000000p-26f, -0x1.48347a0000000p-20f, -0x1.d979880000000p-21f,
      0x1.7f7d1c0000000p-20f};
  // log(2), split in the same way, and log(e).
  static constexpr float of_2_high = 0x1.62e4000000000p-1f;
  static constexpr float of_2_low = 0x1.7f7d1c0000000p-20f;
  static constexpr float of_e_high = 0x1.0000000000000p+0f;
  static constexpr float of_e_low = 0x0.0p+0f;

};
template <>
struct Log2Constants<float> {
  // -log(c): a multiple of 2^-16, and the remainder.
  alignas(64) static constexpr float high[32] = {
      0x0.0p+0f, 0x1.1bb0000000000p-4f, 0x1.e0b0000000000p-4f, 0x1.22d8000000000p-3f,
      0x1.8a88000000000p-3f, 0x1.dac0000000000p-3f, 0x1.169c000000000p-2f, 0x1.32c0000000000p-2f,
      0x1.5dfc000000000p-2f, 0x1.7b88000000000p-2f, 0x1.a900000000000p-2f, 0x1.c818000000000p-2f,
      0x1.e7e0000000000p-2f, 0x1.042c000000000p-1f, 0x1.14c6000000000p-1f, 0x1.25c0000000000p-1f,
      0x1.3722000000000p-1f, 0x1.3ffa000000000p-1f, 0x1.5200000000000p-1f, 0x1.5b2c000000000p-1f,
      0x1.6de0000000000p-1f, 0x1.7768000000000p-1f, 0x1.8ad8000000000p-1f, 0x1.94c2000000000p-1f,
      0x1.a900000000000p-1f, 0x1.b354000000000p-1f, 0x1.bdce000000000p-1f, 0x1.c870000000000p-1f,
      0x1.d338000000000p-1f, 0x1.de2a000000000p-1f, 0x1.e946000000000p-1f, 0x1.0000000000000p+0f};
  alignas(64) static constexpr float low[32] = {
      0x0.0p+0f, 0x1.9530020000000p-19f, 0x1.ae8f300000000p-20f, 0x1.6e155a0000000p-18f,
      0x1.80abfc0000000p-19f, 0x1.169f220000000p-18f, 0x1.4d8fc60000000p-24f,
      -0x1.1c8f120000000p-22f, 0x1.cf1eea0000000p-18f, 0x1.f02cf20000000p-18f,
      -0x1.a39fbe0000000p-20f, 0x1.dc2d460000000p-18f, -0x1.40358e0000000p-19f,
      -0x1.5a32c20000000p-20f, -0x1.3e032e0000000p-18f, 0x1.408c780000000p-18f,
      0x1.5db83a0000000p-20f, 0x1.a9ce9e0000000p-18f, -0x1.a39fbe0000000p-18f,
      0x1.ed0cba0000000p-20f, -0x1.eac3820000000p-20f, -0x1.f6b4c20000000p-20f,
      0x1.1b3cda0000000p-19f, 0x1.0e92580000000p-18f, -0x1.a39fbe0000000p-19f,
      0x1.61d8760000000p-19f, 0x1.3b992c0000000p-18f, -0x1.0902b60000000p-18f,
      0x1.20a6de0000000p-21f, -0x1.c4fd140000000p-19f, -0x1.a6eb1e0000000p-18f, 0x0.0p+0f};
  // log(2), split in the same way, and log(e).
  static constexpr float of_2_high = 0x1.0000000000000p+0f;
  static constexpr float of_2_low = 0x0.0p+0f;
  static constexpr float of_e_high = 0x1.7154760000000p+0f;
  static constexpr float of_e_low = 0x1.4ae0c00000000p-26f;
  // (log(1 + r) - r log(e)) / r^2; log(1 + r) is accurate, relative to r log(e), to 2^-32.0.
  static constexpr float series[4] = {
      -0x1.7154760000000p-1f, 0x1.ec717c0000000p-2f, -0x1.716db20000000p-2f, 0x1.1f34380000000p-2f};
};
template <>
struct Log10Constants<float> {
  // -log(c): a multiple of 2^-17, and the remainder.
  alignas(64) static constexpr float high[32] = {
      0x0.0p+0f, 0x1.55a0000000000p-6f, 0x1.2170000000000p-5f, 0x1.5e40000000000p-5f,
      0x1.db10000000000p-5f, 0x1.1dd8000000000p-4f, 0x1.4f78000000000p-4f, 0x1.7160000000000p-4f,
      0x1.a570000000000p-4f, 0x1.c900000000000p-4f, 0x1.ffc0000000000p-4f, 0x1.1298000000000p-3f,
      0x1.25bc000000000p-3f, 0x1.3948000000000p-3f, 0x1.4d44000000000p-3f, 0x1.61b8000000000p-3f,
      0x1.76a4000000000p-3f, 0x1.814c000000000p-3f, 0x1.96fc000000000p-3f, 0x1.a208000000000p-3f,
      0x1.b890000000000p-3f, 0x1.c408000000000p-3f, 0x1.db70000000000p-3f, 0x1.e760000000000p-3f,
      0x1.ffc0000000000p-3f, 0x1.0618000000000p-2f, 0x1.0c68000000000p-2f, 0x1.12ce000000000p-2f,
      0x1.194c000000000p-2f, 0x1.1fe2000000000p-2f, 0x1.2692000000000p-2f, 0x1.3442000000000p-2f};
  alignas(64) static constexpr float low[32] = {
      0x0.0p+0f, -0x1.0b6fe40000000p-20f, -0x1.f928dc0000000p-19f, -0x1.a652060000000p-19f,
      0x1.ed766a0000000p-21f, -0x1.5cf9ba0000000p-19f, 0x1.56cdde0000000p-19f,
      -0x1.798e4c0000000p-19f, -0x1.7cda0a0000000p-20f, 0x1.50cf320000000p-19f,
      -0x1.ea21c40000000p-23f, 0x1.a4fb3e0000000p-19f, -0x1.7dea500000000p-19f,
      -0x1.fe10d60000000p-20f, -0x1.f6296e0000000p-25f, -0x1.6c667c0000000p-19f,
      0x1.72edfa0000000p-21f, -0x1.6dbc860000000p-20f, 0x1.1b63a00000000p-19f,
      0x1.a84fbc0000000p-19f, -0x1.9830680000000p-19f, 0x1.ce13d40000000p-21f,
      0x1.8fd2dc0000000p-20f, 0x1.24046c0000000p-19f, -0x1.ea21c40000000p-22f,
      0x1.7427ea0000000p-21f, -0x1.dc52a80000000p-19f, -0x1.9c8c6c0000000p-19f,
      -0x1.8842120000000p-19f, -0x1.a50d3e0000000p-22f, -0x1.33d6100000000p-22f,
      -0x1.95ec100000000p-19f};
  // log(2), split in the same way, and log(e).
  static constexpr float of_2_high = 0x1.3442000000000p-2f;
  static constexpr float of_2_low = -0x1.95ec100000000p-19f;
  static constexpr float of_e_high = 0x1.bcb7b20000000p-2f;
  static constexpr float of_e_low = -0x1.5b235e0000000p-27f;
  // (log(1 + r) - r log(e)) / r^2; log(1 + r) is accurate, relative to r log(e), to 2^-32.2.
  static constexpr float series[4] = {
      -0x1.bcb7b00000000p-3f, 0x1.287aba0000000p-3f, -0x1.bcf5dc0000000p-4f, 0x1.5f71920000000p-4f};
};
template <>
struct LogConstants<double> {
  // c by the first bits of m, 1 <= m < 2: m c is close to 1, and m c - 1 exact.
  static constexpr int bits = 4;
  alignas(64) static constexpr double inverse[16] = {
      0x1.0000000000000p+0, 0x1.d000000000000p-1, 0x1.c000000000000p-1, 0x1.a000000000000p-1,
      0x1.9000000000000p-1, 0x1.8000000000000p-1, 0x1.7000000000000p-1, 0x1.6000000000000p-1,
      0x1.5000000000000p-1, 0x1.4000000000000p-1, 0x1.3800000000000p-1, 0x1.2800000000000p-1,
      0x1.2000000000000p-1, 0x1.1800000000000p-1, 0x1.1000000000000p-1, 0x1.0000000000000p-1};
  // (log1p(r) - r + r^2 / 2) / r^3; log1p(r) is accurate, relative to r, to 2^-58.5.
  static constexpr double series[9] = {
      0x1.5555555555536p-2, -0x1.0000000001534p-2, 0x1.9999999a0b1d5p-3, -0x1.55555534be0c4p-3,
      0x1.249244e3f7cc2p-3, -0x1.00006d2d6905fp-3, 0x1.c73cb8511ea82p-4, -0x1.993329e91d121p-4,
      0x1.4b0ec2222dc7cp-4};
  // (log1p(r) - r + r^2 / 2 - r^3 / 3) / r^4; log1p(r) is accurate, relative to r, to 2^-71.2.
  static constexpr double accurate_series[10] = {
      -0x1.ffffffffffff7p-3, 0x1.9999999999974p-3, -0x1.555555556088fp-3, 0x1.249249250bb18p-3,
      -0x1.ffffff6c7bdb7p-4, 0x1.c71c6824e2316p-4, -0x1.999b0ebed364ep-4, 0x1.747fbb4159787p-4,
      -0x1.548526bf39529p-4, 0x1.12484a58615d9p-4};
  static constexpr double third_high = 0x1.5555555555555p-2;
  static constexpr double third_low = 0x1.5555555555555p-56;
};
template <>
struct NaturalLogConstants<double> {
  // -log(c): a multiple of 2^-42, and the remainder.
  alignas(64) static constexpr double high[16] = {
      0x0.0p+0, 0x1.9335e5d594000p-4, 0x1.1178e8227e000p-3, 0x1.a93ed3c8ae000p-3,
      0x1.f991c6cb3c000p-3, 0x1.269621134e000p-2, 0x1.522ae0738a000p-2, 0x1.7fafa3bd81000p-2,
      0x1.af5295248d000p-2, 0x1.e148a1a272000p-2, 0x1.fb358af7a5000p-2, 0x1.188ee40f24000p-1,
      0x1.269621134d800p-1, 0x1.35028ad9d9000p-1, 0x1.43d9ff2f92000p-1, 0x1.62e42fefa3800p-1};
  alignas(64) static constexpr double low[16] = {
      0x0.0p+0, 0x1.3115c3abd47dap-45, 0x1.1ef78ce2d07f2p-45, -0x1.8724350562169p-45,
      -0x1.90d04cd7cc834p-44, -0x1.1b61f10522625p-44, 0x1.ebe708164c759p-45, 0x1.46fb79bf6d4cbp-44,
      -0x1.17cc552774458p-45, 0x1.b36537e3375b2p-44, -0x1.def40b87d36d9p-44, -0x1.accec41d52e6cp-44,
      0x1.c93c1df5bb3b6p-44, -0x1.bd1f01ab60655p-44, 0x1.e267b0b7efae1p-44, 0x1.ef35793c76730p-45};
  // log(2), split in the same way, and log(e).
  static constexpr double of_2_high = 0x1.62e42fefa3800p-1;
  static constexpr double of_2_low = 0x1.ef35793c76730p-45;
  static constexpr double of_e_high = 0x1.0000000000000p+0;
  static constexpr double of_e_low = 0x0.0p+0;

};
template <>
struct Log2Constants<double> {
  // -log(c): a multiple of 2^-41, and the remainder.
  alignas(64) static constexpr double high[16] = {
      0x0.0p+0, 0x1.22dadc2ab4000p-3, 0x1.8a8980abfc000p-3, 0x1.32bfee370e000p-2,
      0x1.6cb0f6865c000p-2, 0x1.a8ff971810000p-2, 0x1.e7df5fe538000p-2, 0x1.14c560fe69000p-1,
      0x1.37222bb707000p-1, 0x1.5b2c3da197000p-1, 0x1.6ddfc2a790000p-1, 0x1.94c287492c000p-1,
      0x1.a8ff971811000p-1, 0x1.bdce9dcc96000p-1, 0x1.d338120a6e000p-1, 0x1.0000000000000p+0};
  alignas(64) static constexpr double low[16] = {
      0x0.0p+0, -0x1.6d25a5b8a19b2p-44, -0x1.66cccab240e90p-46, 0x1.cd0cb4492f1bcp-43,
      0x1.1d406db502403p-43, 0x1.4bc302ffa76fbp-43, 0x1.5669df6a2b592p-43, -0x1.41dfc7d7c3321p-43,
      0x1.1ee969a95f529p-43, 0x1.1d406db502403p-44, -0x1.ce60916e52e91p-44, 0x1.36c101ee13440p-43,
      -0x1.6879fa00b120ap-43, 0x1.871a7610e40bdp-45, -0x1.3167ccc538261p-44, 0x0.0p+0};
  // log(2), split in the same way, and log(e).
  static constexpr double of_2_high = 0x1.0000000000000p+0;
  static constexpr double of_2_low = 0x0.0p+0;
  static constexpr double of_e_high = 0x1.71547652b82fep+0;
  static constexpr double of_e_low = 0x1.777d0ffda0d24p-56;
  // (log(1 + r) - r log(e)) / r^2; log(1 + r) is accurate, relative to r log(e), to 2^-59.9.
  static constexpr double series[10] = {
      -0x1.71547652b82fdp-1, 0x1.ec709dc3a03cfp-2, -0x1.71547652bcc9fp-2, 0x1.2776c50f4fee0p-2,
      -0x1.ec709d737a680p-3, 0x1.a6175bf153db1p-3, -0x1.715566ef81fdbp-3, 0x1.4864e1fa1aebep-3,
      -0x1.26e58256790bep-3, 0x1.d7a3f79ea2976p-4};
};
template <>
struct Log10Constants<double> {
  // -log(c): a multiple of 2^-42, and the remainder.
  alignas(64) static constexpr double high[16] = {
      0x0.0p+0, 0x1.5e3966b7e8000p-5, 0x1.db11ed7668000p-5, 0x1.715d0ce368000p-4,
      0x1.b721cd1714000p-4, 0x1.ffbfc2bbc8000p-4, 0x1.25ba8215b0000p-3, 0x1.4d43f8275a000p-3,
      0x1.76a45cbb7e000p-3, 0x1.a209a84fbc000p-3, 0x1.b88e67cf98000p-3, 0x1.e76124046c000p-3,
      0x1.ffbfc2bbc8000p-3, 0x1.0c6711d6ac000p-2, 0x1.194b3bdef7000p-2, 0x1.34413509f8000p-2};
  alignas(64) static constexpr double low[16] = {
      0x0.0p+0, 0x1.2951bb9cd2fb7p-45, 0x1.5fa196e1e0ddap-44, -0x1.41149840eaa65p-46,
      0x1.7e295f660b9dap-44, -0x1.ff229f20ed3d2p-46, -0x1.007bf2d8bf07ap-44, 0x1.20ca9a2bcc728p-45,
      0x1.bfb1de334b1cbp-45, 0x1.fef311f12b358p-44, -0x1.a01b9bb0ebf1bp-45, -0x1.81a1e23fe0fb6p-44,
      -0x1.ff229f20ed3d2p-45, -0x1.42d6ae59e7d9cp-45, -0x1.1881d6fbdee94p-44, -0x1.80433b83b532ap-44};
  // log(2), split in the same way, and log(e).
  static constexpr double of_2_high = 0x1.34413509f8000p-2;
  static constexpr double of_2_low = -0x1.80433b83b532ap-44;
  static constexpr double of_e_high = 0x1.bcb7b1526e50ep-2;
  static constexpr double of_e_low = 0x1.95355baaafad3p-57;
  // (log(1 + r) - r log(e)) / r^2; log(1 + r) is accurate, relative to r log(e), to 2^-61.1.
  static constexpr double series[10] = {
      -0x1.bcb7b1526e50dp-3, 0x1.287a7636f433fp-3, -0x1.bcb7b1527372bp-4, 0x1.63c6277593710p-4,
      -0x1.287a760a1468dp-4, 0x1.fc3f9de061a12p-5, -0x1.bcb8bce1b7055p-5, 0x1.8b6caefadb3bbp-5,
      -0x1.6330d52db96dfp-5, 0x1.1cf4cd32fcb81p-5};
};
template <>
struct PowConstants<float> {
  // c by the first bits of m, 1 <= m < 2: m c is close to 1, and m c - 1 exact.
  alignas(64) static constexpr float inverse[32] = {
      0x1.0000000000000p+0f, 0x1.e800000000000p-1f, 0x1.d800000000000p-1f, 0x1.d000000000000p-1f,
      0x1.c000000000000p-1f, 0x1.b800000000000p-1f, 0x1.a800000000000p-1f, 0x1.a000000000000p-1f,
      0x1.9800000000000p-1f, 0x1.8800000000000p-1f, 0x1.8000000000000p-1f, 0x1.7800000000000p-1f,
      0x1.7000000000000p-1f, 0x1.6800000000000p-1f, 0x1.6000000000000p-1f, 0x1.5800000000000p-1f,
      0x1.5000000000000p-1f, 0x1.4800000000000p-1f, 0x1.4800000000000p-1f, 0x1.4000000000000p-1f,
      0x1.3800000000000p-1f, 0x1.3000000000000p-1f, 0x1.3000000000000p-1f, 0x1.2800000000000p-1f,
      0x1.2000000000000p-1f, 0x1.2000000000000p-1f, 0x1.1800000000000p-1f, 0x1.1000000000000p-1f,
      0x1.1000000000000p-1f, 0x1.0800000000000p-1f, 0x1.0800000000000p-1f, 0x1.0000000000000p-1f};
  // -log(c): a multiple of 2^-17, and the remainder.
  alignas(64) static constexpr float high[32] = {
      0x0.0p+0f, 0x1.8950000000000p-5f, 0x1.4d30000000000p-4f, 0x1.9338000000000p-4f,
      0x1.1178000000000p-3f, 0x1.3660000000000p-3f, 0x1.823c000000000p-3f, 0x1.a940000000000p-3f,
      0x1.d104000000000p-3f, 0x1.1178000000000p-2f, 0x1.2696000000000p-2f, 0x1.3c26000000000p-2f,
      0x1.522a000000000p-2f, 0x1.68ac000000000p-2f, 0x1.7fb0000000000p-2f, 0x1.973a000000000p-2f,
      0x1.af52000000000p-2f, 0x1.c800000000000p-2f, 0x1.c800000000000p-2f, 0x1.e148000000000p-2f,
      0x1.fb36000000000p-2f, 0x1.0ae7000000000p-1f, 0x1.0ae7000000000p-1f, 0x1.188f000000000p-1f,
      0x1.2696000000000p-1f, 0x1.2696000000000p-1f, 0x1.3503000000000p-1f, 0x1.43da000000000p-1f,
      0x1.43da000000000p-1f, 0x1.5323000000000p-1f, 0x1.5323000000000p-1f, 0x1.62e4000000000p-1f};
  alignas(64) static constexpr float low[32] = {
      0x0.0p+0f, -0x1.57ad820000000p-19f, 0x1.15d2080000000p-20f, -0x1.0d15360000000p-19f,
      0x1.d044fc0000000p-20f, -0x1.a7f5380000000p-22f, 0x1.6551a40000000p-23f,
      -0x1.2c37520000000p-19f, -0x1.01b3540000000p-20f, 0x1.d044fc0000000p-19f,
      0x1.089a6e0000000p-21f, -0x1.b1199a0000000p-19f, 0x1.c0e7140000000p-19f,
      0x1.07d38e0000000p-19f, -0x1.7109fa0000000p-20f, 0x1.a189ac0000000p-21f,
      0x1.2a491a0000000p-19f, -0x1.8e2eaa0000000p-20f, -0x1.8e2eaa0000000p-20f,
      0x1.4344e40000000p-19f, -0x1.d4216e0000000p-20f, 0x1.b8b4160000000p-19f,
      0x1.b8b4160000000p-19f, -0x1.bf0dc40000000p-21f, 0x1.089a6e0000000p-20f,
      0x1.089a6e0000000p-20f, -0x1.d4989c0000000p-19f, -0x1.a0db880000000p-26f,
      -0x1.a0db880000000p-26f, -0x1.d979880000000p-21f, -0x1.d979880000000p-21f,
      0x1.7f7d1c0000000p-20f};
  // (log1p(r) - r + r^2 / 2) / r^3; log1p(r) is accurate, relative to r, to 2^-36.3.
  static constexpr float series[4] = {
      0x1.5555520000000p-2f, -0x1.fffff40000000p-3f, 0x1.99ff3a0000000p-3f, -0x1.55c4280000000p-3f};
  // log(2), split in the same way.
  static constexpr float of_2_high = 0x1.62e4000000000p-1f;
  static constexpr float of_2_low = 0x1.7f7d1c0000000p-20f;
};
template <>
struct Expm1Constants<float> {
  // n is the integer nearest to x / log(2) less this number.
  static constexpr float offset = 0x1.5c00000000000p-4f;
  // (e^r - 1 - r - r^2 / 2) / r^3; e^r - 1 is accurate, relative to r, to 2^-31.3.
  static constexpr float series[5] = {
      0x1.55555a0000000p-3f, 0x1.5555240000000p-5f, 0x1.1105cc0000000p-7f, 0x1.6ce1c20000000p-10f,
      0x1.b7c8fc0000000p-13f};
};
template <>
struct Expm1Constants<double> {
  // n is the integer nearest to x / log(2) less this number.
  static constexpr double offset = 0x1.5c01a39fbd000p-4;
  // (e^r - 1 - r - r^2 / 2) / r^3; e^r - 1 is accurate, relative to r, to 2^-61.1.
  static constexpr double series[10] = {
      0x1.5555555555554p-3, 0x1.55555555555d9p-5, 0x1.1111111111b24p-7, 0x1.6c16c16bbfda8p-10,
      0x1.a01a019bc164cp-13, 0x1.a01a0413d6fcap-16, 0x1.71de3d0062c30p-19, 0x1.27dd8ee62733cp-22,
      0x1.aebf099d0d46dp-26, 0x1.2f350227f6818p-29};
};
template <>
struct AtanConstants<float> {
  // c by the exponent and the first bit of the mantissa, and its arc tangent in double-double. c is
  // infinity from `last` on, and 0 below `first`.
  static constexpr float first = 0.125, last = 16;
  alignas(64) static constexpr float tangent[16] = {
      0x1.3500000000000p+1f, 0x1.b780000000000p+1f, 0x1.3380000000000p+2f, 0x1.b700000000000p+2f,
      0x1.3380000000000p+3f, 0x1.b700000000000p+3f, 0x1.0000000000000p+0f, 0x0.0p+0f,
      0x1.2a80000000000p-3f, 0x1.bf80000000000p-3f, 0x1.2980000000000p-2f, 0x1.be80000000000p-2f,
      0x1.2780000000000p-1f, 0x1.bc00000000000p-1f, 0x1.3880000000000p+0f, 0x1.a500000000000p+0f};
  alignas(64) static constexpr float high[16] = {
      0x1.2d96540000000p+0f, 0x1.4992c00000000p+0f, 0x1.5d97ae0000000p+0f, 0x1.6d10520000000p+0f,
      0x1.77942a0000000p+0f, 0x1.7f7f080000000p+0f, 0x1.921fb60000000p+0f, 0x0.0p+0f,
      0x1.2869ae0000000p-3f, 0x1.b8934c0000000p-3f, 0x1.2187960000000p-2f, 0x1.a50c700000000p-2f,
      0x1.0c014c0000000p-1f, 0x1.6dc4460000000p-1f, 0x1.c4d7940000000p-1f, 0x1.0642fe0000000p+0f};
  alignas(64) static constexpr float low[16] = {
      0x1.8ccace0000000p-25f, -0x1.5c88380000000p-25f, 0x1.7dbe720000000p-25f,
      0x1.4226240000000p-26f, -0x1.0fd5d20000000p-25f, -0x1.a10fd00000000p-27f,
      -0x1.777a5c0000000p-25f, 0x0.0p+0f, -0x1.aa37080000000p-28f, -0x1.32b9b00000000p-32f,
      0x1.a525e40000000p-28f, 0x1.f255e40000000p-27f, -0x1.8c77c80000000p-28f,
      -0x1.5d558a0000000p-26f, -0x1.87ab500000000p-27f, 0x1.15a2220000000p-26f};
  // (atan(w) - w) / w^3 in w^2; the former is accurate to 2^-33.9.
  static constexpr float series[3] = {
      -0x1.5555500000000p-2f, 0x1.9989a00000000p-3f, -0x1.1dc0700000000p-3f};
};
template <>
struct AtanConstants<double> {
  // c by the exponent and the first bit of the mantissa, and its arc tangent in double-double. c is
  // infinity from `last` on, and 0 below `first`.
  static constexpr double first = 0.125, last = 16;
  alignas(64) static constexpr double tangent[16] = {
      0x1.3500000000000p+1, 0x1.b780000000000p+1, 0x1.3380000000000p+2, 0x1.b700000000000p+2,
      0x1.3380000000000p+3, 0x1.b700000000000p+3, 0x1.0000000000000p+0, 0x0.0p+0,
      0x1.2a80000000000p-3, 0x1.bf80000000000p-3, 0x1.2980000000000p-2, 0x1.be80000000000p-2,
      0x1.2780000000000p-1, 0x1.bc00000000000p-1, 0x1.3880000000000p+0, 0x1.a500000000000p+0};
  alignas(64) static constexpr double high[16] = {
      0x1.2d9654c66566fp+0, 0x1.4992bf51bbe3dp+0, 0x1.5d97aebedf38ep+0, 0x1.6d10525089892p+0,
      0x1.7794297815172p+0, 0x1.7f7f07cbde05ep+0, 0x1.921fb54442d18p+0, 0x0.0p+0,
      0x1.2869ad2ae47bdp-3, 0x1.b8934bf66a328p-3, 0x1.2187966949791p-2, 0x1.a50c70f92af19p-2,
      0x1.0c014bce71071p-1, 0x1.6dc44551553afp-1, 0x1.c4d7939e152bdp-1, 0x1.0642fe456888ap+0};
  alignas(64) static constexpr double low[16] = {
      0x1.7bebc063c8655p-54, -0x1.cad8e8dfdd05fp-54, 0x1.e7acb454a8fa9p-54, 0x1.ec3f8b283d806p-54,
      -0x1.38be440ad68e9p-56, 0x1.ed9ab8df62255p-55, 0x1.1a62633145c07p-54, 0x0.0p+0,
      -0x1.b2e9330398275p-58, -0x1.79624b79f3860p-58, -0x1.94fd170712a61p-58, 0x1.10466b3dcb0c4p-57,
      0x1.35b9ccc0d22dcp-56, -0x1.bf8863573828ep-58, 0x1.b3b4942c855b0p-55, -0x1.1a5f05abca483p-54};
  // (atan(w) - w) / w^3 in w^2; the former is accurate to 2^-58.9.
  static constexpr double series[6] = {
      -0x1.55555555554ccp-2, 0x1.9999999945f8dp-3, -0x1.2492489ce1d63p-3, 0x1.c71ba72d0bcfap-4,
      -0x1.74107ae447199p-4, 0x1.2cc21b83695b3p-4};
};
template <>
struct AtanhConstants<float> {
  // c by the first bits of m, 1 <= m < 2.
  alignas(64) static constexpr float inverse[16] = {
      0x1.0000000000000p+0f, 0x1.0000000000000p+0f, 0x1.0000000000000p+0f, 0x1.0000000000000p+0f,
      0x1.9000000000000p-1f, 0x1.8000000000000p-1f, 0x1.6800000000000p-1f, 0x1.6000000000000p-1f,
      0x1.5000000000000p-1f, 0x1.4000000000000p-1f, 0x1.3800000000000p-1f, 0x1.2800000000000p-1f,
      0x1.2000000000000p-1f, 0x1.1800000000000p-1f, 0x1.1000000000000p-1f, 0x1.0000000000000p-1f};
  // -log(c): a multiple of 2^-17, and the remainder.
  alignas(64) static constexpr float high[16] = {
      0x0.0p+0f, 0x0.0p+0f, 0x0.0p+0f, 0x0.0p+0f, 0x1.f990000000000p-3f, 0x1.2696000000000p-2f,
      0x1.68ac000000000p-2f, 0x1.7fb0000000000p-2f, 0x1.af52000000000p-2f, 0x1.e148000000000p-2f,
      0x1.fb36000000000p-2f, 0x1.188f000000000p-1f, 0x1.2696000000000p-1f, 0x1.3503000000000p-1f,
      0x1.43da000000000p-1f, 0x1.62e4000000000p-1f};
  alignas(64) static constexpr float low[16] = {
      0x0.0p+0f, 0x0.0p+0f, 0x0.0p+0f, 0x0.0p+0f, 0x1.c6cb3c0000000p-19f, 0x1.089a6e0000000p-21f,
      0x1.07d38e0000000p-19f, -0x1.7109fa0000000p-20f, 0x1.2a491a0000000p-19f,
      0x1.4344e40000000p-19f, -0x1.d4216e0000000p-20f, -0x1.bf0dc40000000p-21f,
      0x1.089a6e0000000p-20f, -0x1.d4989c0000000p-19f, -0x1.a0db880000000p-26f,
      0x1.7f7d1c0000000p-20f};
  // (2 atanh(w / 2) - w) / w^3 in w^2; the former is accurate to 2^-35.2.
  static constexpr float series[3] = {
      0x1.5555580000000p-4f, 0x1.998f6e0000000p-7f, 0x1.2a12100000000p-9f};
};
template <>
struct AtanhConstants<double> {
  // c by the first bits of m, 1 <= m < 2.
  alignas(64) static constexpr double inverse[16] = {
      0x1.0000000000000p+0, 0x1.0000000000000p+0, 0x1.0000000000000p+0, 0x1.0000000000000p+0,
      0x1.9000000000000p-1, 0x1.8000000000000p-1, 0x1.6800000000000p-1, 0x1.6000000000000p-1,
      0x1.5000000000000p-1, 0x1.4000000000000p-1, 0x1.3800000000000p-1, 0x1.2800000000000p-1,
      0x1.2000000000000p-1, 0x1.1800000000000p-1, 0x1.1000000000000p-1, 0x1.0000000000000p-1};
  // -log(c): a multiple of 2^-42, and the remainder.
  alignas(64) static constexpr double high[16] = {
      0x0.0p+0, 0x0.0p+0, 0x0.0p+0, 0x0.0p+0, 0x1.f991c6cb3c000p-3, 0x1.269621134e000p-2,
      0x1.68ac83e9c7000p-2, 0x1.7fafa3bd81000p-2, 0x1.af5295248d000p-2, 0x1.e148a1a272000p-2,
      0x1.fb358af7a5000p-2, 0x1.188ee40f24000p-1, 0x1.269621134d800p-1, 0x1.35028ad9d9000p-1,
      0x1.43d9ff2f92000p-1, 0x1.62e42fefa3800p-1};
  alignas(64) static constexpr double low[16] = {
      0x0.0p+0, 0x0.0p+0, 0x0.0p+0, 0x0.0p+0, -0x1.90d04cd7cc834p-44, -0x1.1b61f10522625p-44,
      -0x1.7af966c548a30p-44, 0x1.46fb79bf6d4cbp-44, -0x1.17cc552774458p-45, 0x1.b36537e3375b2p-44,
      -0x1.def40b87d36d9p-44, -0x1.accec41d52e6cp-44, 0x1.c93c1df5bb3b6p-44, -0x1.bd1f01ab60655p-44,
      0x1.e267b0b7efae1p-44, 0x1.ef35793c76730p-45};
  // (2 atanh(w / 2) - w) / w^3 in w^2; the former is accurate to 2^-61.1.
  static constexpr double series[6] = {
      0x1.5555555555530p-4, 0x1.99999999b62f3p-7, 0x1.249248ea4bc3ap-9, 0x1.c71cdef172a5cp-12,
      0x1.742979a104b1ap-14, 0x1.47093eec1cb3ep-16};
};
template <>
struct DirectExpConstants<float> {
  // (e^r - 1 - r - r^2 / 2) / r^3; e^r is accurate, to 2^-28.1.
  static constexpr float series[4] = {
      0x1.5554920000000p-3f, 0x1.5554c00000000p-5f, 0x1.1239fe0000000p-7f, 0x1.6d7b160000000p-10f};
};
template <>
struct DirectExpConstants<double> {
  // (e^r - 1 - r - r^2 / 2) / r^3; e^r is accurate, to 2^-60.6.
  static constexpr double series[10] = {
      0x1.555555555555bp-3, 0x1.555555555555ap-5, 0x1.111111110ebf8p-7, 0x1.6c16c16c14155p-10,
      0x1.a01a01b3a5917p-13, 0x1.a01a01b1fe751p-16, 0x1.71ddefc1097e7p-19, 0x1.27e4c2bf9988bp-22,
      0x1.af6c88b5187aap-26, 0x1.1f99c0a632863p-29};
};
template <>
struct DirectSinhConstants<float> {
  // (sinh(r) - r) / r^3 in r^2; sinh(r) is accurate, relative to r, to 2^-30.9.
  static constexpr float odd[3] = {
      0x1.5555560000000p-3f, 0x1.1110b20000000p-7f, 0x1.a16ff20000000p-13f};
  // (cosh(r) - 1) / r^2 in r^2; cosh(r) is accurate, to 2^-33.2.
  static constexpr float even[3] = {
      0x1.0000000000000p-1f, 0x1.5554e60000000p-5f, 0x1.6d4f100000000p-10f};
};
template <>
struct DirectSinhConstants<double> {
  // (sinh(r) - r) / r^3 in r^2; sinh(r) is accurate, relative to r, to 2^-61.7.
  static constexpr double odd[5] = {
      0x1.5555555555559p-3, 0x1.111111110f62ap-7, 0x1.a01a01b0206a5p-13, 0x1.71ddf7af12c8bp-19,
      0x1.af5ff6375c80dp-26};
  // (cosh(r) - 1) / r^2 in r^2; cosh(r) is accurate, to 2^-58.0.
  static constexpr double even[5] = {
      0x1.000000000000cp-1, 0x1.555555554fd67p-5, 0x1.6c16c1863e131p-10, 0x1.a01994ffe8991p-16,
      0x1.28b1bd885e6bap-22};
};
template <>
struct DirectLogConstants<float> {
  // Where sqrt(1 / 2) <= m <= sqrt(2).
  // (2 atanh(s) - 2 s) / s^3 in s^2; atanh(s) is accurate, relative to s, to 2^-30.2.
  static constexpr float series[3] = {
      0x1.55557a0000000p-1f, 0x1.995ed40000000p-2f, 0x1.31e0d80000000p-2f};
  // A wider range: log2(m) may exceed 1/2 by twice the error of approximating log2(m) by
  // m - 1.
  // (2 atanh(s) - 2 s) / s^3 in s^2; atanh(s) is accurate, relative to s, to 2^-35.2.
  static constexpr float wide_series[4] = {
      0x1.5555540000000p-1f, 0x1.999c0c0000000p-2f, 0x1.23e0420000000p-2f, 0x1.ee9fe60000000p-3f};
};
template <>
struct DirectLogConstants<double> {
  // Where sqrt(1 / 2) <= m <= sqrt(2).
  // (2 atanh(s) - 2 s) / s^3 in s^2; atanh(s) is accurate, relative to s, to 2^-59.5.
  static constexpr double series[7] = {
      0x1.5555555555592p-1, 0x1.999999997feedp-2, 0x1.24924941e544ep-2, 0x1.c71c521038e23p-3,
      0x1.74663dea85df3p-3, 0x1.39a1cbfecb346p-3, 0x1.2f04f99468d4cp-3};
  // A wider range: log2(m) may exceed 1/2 by twice the error of approximating log2(m) by
  // m - 1.
  // (2 atanh(s) - 2 s) / s^3 in s^2; atanh(s) is accurate, relative to s, to 2^-62.6.
  static constexpr double wide_series[8] = {
      0x1.555555555554fp-1, 0x1.999999999c1abp-2, 0x1.24924921e0091p-2, 0x1.c71c74942623dp-3,
      0x1.745c49bd333cdp-3, 0x1.3b35e73baa7a9p-3, 0x1.0dc8f96df163dp-3, 0x1.1b93ac0d0aa3cp-3};
};
struct Log1pConstants {
  // (log1p(f) - f + f^2 / 2) / f^3; log1p(f) is accurate, relative to f, to 2^-27.9.
  static constexpr float series[9] = {
      0x1.5555580000000p-2f, -0x1.0000700000000p-2f, 0x1.9998ac0000000p-3f, -0x1.551a320000000p-3f,
      0x1.2444b80000000p-3f, -0x1.048ca60000000p-3f, 0x1.e0c1040000000p-4f, -0x1.7827160000000p-4f,
      0x1.36192a0000000p-5f};
};

}  // namespace COREPY_TARGET
}  // namespace corepy
