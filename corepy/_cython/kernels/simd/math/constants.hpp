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

template <>
struct ExpConstants<float> {
  // 2^(j / 16), and what rounding took from it, relative to it.
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
  // 2^(j / 16), and what rounding took from it, relative to it.
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
  // c by the last four bits of the integer closest to m times step: m c is close to 1.
  static constexpr float step = 0x1.0e00000000000p+4f;
  alignas(64) static constexpr float inverse[16] = {
      0x1.1000000000000p+0f, 0x1.0000000000000p+0f, 0x1.e000000000000p-1f, 0x1.c800000000000p-1f,
      0x1.b000000000000p-1f, 0x1.a000000000000p-1f, 0x1.8800000000000p-1f, 0x1.7800000000000p-1f,
      0x1.6800000000000p-1f, 0x1.5800000000000p-1f, 0x0.0p+0f, 0x0.0p+0f, 0x0.0p+0f,
      0x1.5000000000000p+0f, 0x1.3000000000000p+0f, 0x1.2000000000000p+0f};
  // (log1p(r) - r + r^2 / 2) / r^3; log1p(r) is accurate, relative to r, to 2^-33.3.
  static constexpr float series[4] = {
      0x1.55553c0000000p-2f, -0x1.ffffb20000000p-3f, 0x1.9a9e2c0000000p-3f, -0x1.5672360000000p-3f};};
template <>
struct NaturalLogConstants<float> {
  // -log(c): multiples of 2^-17, and what is left.
  alignas(64) static constexpr float high[16] = {
      -0x1.f0a0000000000p-5f, 0x0.0p+0f, 0x1.0858000000000p-4f, 0x1.da70000000000p-4f,
      0x1.5bf4000000000p-3f, 0x1.a940000000000p-3f, 0x1.1178000000000p-2f, 0x1.3c26000000000p-2f,
      0x1.68ac000000000p-2f, 0x1.973a000000000p-2f, 0x0.0p+0f, 0x0.0p+0f, 0x0.0p+0f,
      -0x1.1676000000000p-2f, -0x1.5ff4000000000p-3f, -0x1.e270000000000p-4f};
  alignas(64) static constexpr float low[16] = {
      -0x1.86008c0000000p-20f, 0x0.0p+0f, 0x1.8b59e40000000p-20f, 0x1.3b1c220000000p-19f,
      0x1.ad50f60000000p-25f, -0x1.2c37520000000p-19f, 0x1.d044fc0000000p-19f,
      -0x1.b1199a0000000p-19f, 0x1.07d38e0000000p-19f, 0x1.a189ac0000000p-21f, 0x0.0p+0f, 0x0.0p+0f,
      0x0.0p+0f, 0x1.aa2a2c0000000p-21f, 0x1.f1eb0e0000000p-20f, -0x1.db8abc0000000p-22f};
  // The logarithm of 2, the first part a multiple of the same, and that of e.
  static constexpr float of_2_high = 0x1.62e4000000000p-1f;
  static constexpr float of_2_low = 0x1.7f7d1c0000000p-20f;
  static constexpr float of_e_high = 0x1.0000000000000p+0f;
  static constexpr float of_e_low = 0x0.0p+0f;
};
template <>
struct Log2Constants<float> {
  // -log(c): multiples of 2^-16, and what is left.
  alignas(64) static constexpr float high[16] = {
      -0x1.6640000000000p-4f, 0x0.0p+0f, 0x1.7d60000000000p-4f, 0x1.5640000000000p-3f,
      0x1.f600000000000p-3f, 0x1.32c0000000000p-2f, 0x1.8a88000000000p-2f, 0x1.c818000000000p-2f,
      0x1.042c000000000p-1f, 0x1.25c0000000000p-1f, 0x0.0p+0f, 0x0.0p+0f, 0x0.0p+0f,
      -0x1.91bc000000000p-2f, -0x1.fbc0000000000p-3f, -0x1.5c00000000000p-3f};
  alignas(64) static constexpr float low[16] = {
      0x1.20a6de0000000p-21f, 0x0.0p+0f, 0x1.25b3ee0000000p-22f, -0x1.1eb0020000000p-18f,
      -0x1.3ab7ce0000000p-18f, -0x1.1c8f120000000p-22f, 0x1.80abfc0000000p-18f,
      0x1.dc2d460000000p-18f, -0x1.5a32c20000000p-20f, 0x1.408c780000000p-18f, 0x0.0p+0f, 0x0.0p+0f,
      0x0.0p+0f, 0x1.5db83a0000000p-20f, -0x1.6b90260000000p-19f, -0x1.a39fbe0000000p-19f};
  // The logarithm of 2, the first part a multiple of the same, and that of e.
  static constexpr float of_2_high = 0x1.0000000000000p+0f;
  static constexpr float of_2_low = 0x0.0p+0f;
  static constexpr float of_e_high = 0x1.7154760000000p+0f;
  static constexpr float of_e_low = 0x1.4ae0c00000000p-26f;
};
template <>
struct Log10Constants<float> {
  // -log(c): multiples of 2^-17, and what is left.
  alignas(64) static constexpr float high[16] = {
      -0x1.af60000000000p-6f, 0x0.0p+0f, 0x1.cb40000000000p-6f, 0x1.9c20000000000p-5f,
      0x1.2e38000000000p-4f, 0x1.7160000000000p-4f, 0x1.db10000000000p-4f, 0x1.1298000000000p-3f,
      0x1.3948000000000p-3f, 0x1.61b8000000000p-3f, 0x0.0p+0f, 0x0.0p+0f, 0x0.0p+0f,
      -0x1.e3c0000000000p-4f, -0x1.31b0000000000p-4f, -0x1.a310000000000p-5f};
  alignas(64) static constexpr float low[16] = {
      0x1.b53fc60000000p-24f, 0x0.0p+0f, -0x1.c0cc9e0000000p-20f, -0x1.a150400000000p-19f,
      0x1.3a05bc0000000p-19f, -0x1.798e4c0000000p-19f, 0x1.ed766a0000000p-20f,
      0x1.a4fb3e0000000p-19f, -0x1.fe10d60000000p-20f, -0x1.6c667c0000000p-19f, 0x0.0p+0f,
      0x0.0p+0f, 0x0.0p+0f, 0x1.f2a7900000000p-19f, -0x1.82ae240000000p-19f, 0x1.58a7d80000000p-19f};
  // The logarithm of 2, the first part a multiple of the same, and that of e.
  static constexpr float of_2_high = 0x1.3442000000000p-2f;
  static constexpr float of_2_low = -0x1.95ec100000000p-19f;
  static constexpr float of_e_high = 0x1.bcb7b20000000p-2f;
  static constexpr float of_e_low = -0x1.5b235e0000000p-27f;
};
template <>
struct LogConstants<double> {
  // c by the last four bits of the integer closest to m times step: m c is close to 1.
  static constexpr double step = 0x1.0e00000000000p+4;
  alignas(64) static constexpr double inverse[16] = {
      0x1.1000000000000p+0, 0x1.0000000000000p+0, 0x1.e000000000000p-1, 0x1.c800000000000p-1,
      0x1.b000000000000p-1, 0x1.a000000000000p-1, 0x1.8800000000000p-1, 0x1.7800000000000p-1,
      0x1.6800000000000p-1, 0x1.5800000000000p-1, 0x0.0p+0, 0x0.0p+0, 0x0.0p+0,
      0x1.5000000000000p+0, 0x1.3000000000000p+0, 0x1.2000000000000p+0};
  // (log1p(r) - r + r^2 / 2) / r^3; log1p(r) is accurate, relative to r, to 2^-60.0.
  static constexpr double series[9] = {
      0x1.5555555555559p-2, -0x1.fffffffffcdc2p-3, 0x1.999999998f247p-3, -0x1.5555557d0ca3bp-3,
      0x1.2492496df9cd7p-3, -0x1.fffeb30c3d996p-4, 0x1.c71ab4f841c71p-4, -0x1.9bd26e903fd07p-4,
      0x1.76c3f70c3175ap-4};
  // (log1p(r) - r + r^2 / 2 - r^3 / 3) / r^4; log1p(r) is accurate, relative to r, to 2^-68.4.
  static constexpr double accurate_series[10] = {
      -0x1.0000000000005p-2, 0x1.99999999999b5p-3, -0x1.555555554929ap-3, 0x1.249249247b45ep-3,
      -0x1.0000004d0c6d3p-3, 0x1.c71c72ae1950cp-4, -0x1.9997e07d26470p-4, 0x1.745af28446d27p-4,
      -0x1.579edf3497b84p-4, 0x1.3d838c06c3788p-4};
  static constexpr double third_high = 0x1.5555555555555p-2;
  static constexpr double third_low = 0x1.5555555555555p-56;
};
template <>
struct NaturalLogConstants<double> {
  // -log(c): multiples of 2^-42, and what is left.
  alignas(64) static constexpr double high[16] = {
      -0x1.f0a30c0118000p-5, 0x0.0p+0, 0x1.08598b59e4000p-4, 0x1.da72763844000p-4,
      0x1.5bf406b544000p-3, 0x1.a93ed3c8ae000p-3, 0x1.1178e8227e000p-2, 0x1.3c25277333000p-2,
      0x1.68ac83e9c7000p-2, 0x1.973a343135000p-2, 0x0.0p+0, 0x0.0p+0, 0x0.0p+0,
      -0x1.1675cababa000p-2, -0x1.5ff3070a7a000p-3, -0x1.e27076e2b0000p-4};
  alignas(64) static constexpr double low[16] = {
      0x1.d599e83368e91p-45, 0x0.0p+0, -0x1.7e5dd7009902cp-46, 0x1.a89401fa71733p-46,
      -0x1.27023eb68981cp-46, -0x1.8724350562169p-45, 0x1.1ef78ce2d07f2p-44, 0x1.83b54b606bd5cp-46,
      -0x1.7af966c548a30p-44, 0x1.ab73b16bf4984p-44, 0x0.0p+0, 0x0.0p+0, 0x0.0p+0,
      -0x1.8380e731f55c4p-44, 0x1.8586f183bebf2p-44, 0x1.a342c2af0003cp-45};
  // The logarithm of 2, the first part a multiple of the same, and that of e.
  static constexpr double of_2_high = 0x1.62e42fefa3800p-1;
  static constexpr double of_2_low = 0x1.ef35793c76730p-45;
  static constexpr double of_e_high = 0x1.0000000000000p+0;
  static constexpr double of_e_low = 0x0.0p+0;
};
template <>
struct Log2Constants<double> {
  // -log(c): multiples of 2^-41, and what is left.
  alignas(64) static constexpr double high[16] = {
      -0x1.663f6fac90000p-4, 0x0.0p+0, 0x1.7d60496cf8000p-4, 0x1.563dc29ffc000p-3,
      0x1.f5fd8a9064000p-3, 0x1.32bfee370e000p-2, 0x1.8a8980abfc000p-2, 0x1.c819dc2d46000p-2,
      0x1.042bd4b9a8000p-1, 0x1.25c0a0463c000p-1, 0x0.0p+0, 0x0.0p+0, 0x0.0p+0,
      -0x1.91bba891f2000p-2, -0x1.fbc16b9028000p-3, -0x1.5c01a39fbc000p-3};
  alignas(64) static constexpr double low[16] = {
      -0x1.3167ccc538261p-44, 0x0.0p+0, 0x1.da6339da288fcp-43, -0x1.34df378df21adp-43,
      -0x1.cb6f70109b0f1p-47, 0x1.cd0cb4492f1bcp-43, -0x1.66cccab240e90p-45, -0x1.bc76a2753b99bp-50,
      -0x1.b3b3864c60011p-44, -0x1.50520a377c7ecp-45, 0x0.0p+0, 0x0.0p+0, 0x0.0p+0,
      0x1.1ee969a95f529p-43, 0x1.7f5dc57266758p-43, -0x1.6879fa00b120ap-43};
  // The logarithm of 2, the first part a multiple of the same, and that of e.
  static constexpr double of_2_high = 0x1.0000000000000p+0;
  static constexpr double of_2_low = 0x0.0p+0;
  static constexpr double of_e_high = 0x1.71547652b82fep+0;
  static constexpr double of_e_low = 0x1.777d0ffda0d24p-56;
};
template <>
struct Log10Constants<double> {
  // -log(c): multiples of 2^-42, and what is left.
  alignas(64) static constexpr double high[16] = {
      -0x1.af5f92b010000p-6, 0x0.0p+0, 0x1.cb38fccd90000p-6, 0x1.9c197abf00000p-5,
      0x1.2e3a740b78000p-4, 0x1.715d0ce368000p-4, 0x1.db11ed766c000p-4, 0x1.1299a4fb3e000p-3,
      0x1.394700f796000p-3, 0x1.61b6939984000p-3, 0x0.0p+0, 0x0.0p+0, 0x0.0p+0,
      -0x1.e3bc1ab0e0000p-4, -0x1.31b3055c48000p-4, -0x1.a30a9d60a0000p-5};
  alignas(64) static constexpr double low[16] = {
      0x1.9f05921f59258p-46, 0x0.0p+0, -0x1.00925a535ae72p-44, 0x1.badcf3d6e4566p-46,
      0x1.d288560689912p-53, -0x1.41149840eaa65p-46, -0x1.40bcd23c3e44cp-44, 0x1.82c6326f70b35p-46,
      -0x1.805b021b96367p-44, -0x1.f70dc69c572dap-44, 0x0.0p+0, 0x0.0p+0, 0x0.0p+0,
      -0x1.9fe3d562a53f0p-44, 0x1.dcffc97be8c9cp-45, 0x1.0163d7e67d282p-45};
  // The logarithm of 2, the first part a multiple of the same, and that of e.
  static constexpr double of_2_high = 0x1.34413509f8000p-2;
  static constexpr double of_2_low = -0x1.80433b83b532ap-44;
  static constexpr double of_e_high = 0x1.bcb7b1526e50ep-2;
  static constexpr double of_e_low = 0x1.95355baaafad3p-57;
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
  // -log(c): multiples of 2^-17, and what is left.
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
  // The logarithm of 2, likewise.
  static constexpr float of_2_high = 0x1.62e4000000000p-1f;
  static constexpr float of_2_low = 0x1.7f7d1c0000000p-20f;
};

}  // namespace COREPY_TARGET
}  // namespace corepy
