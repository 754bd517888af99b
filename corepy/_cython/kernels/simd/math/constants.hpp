// Constants of the exponential and logarithmic kernels. Written by
// tools/coefficients.py, which derives them; do not edit.
#pragma once

#include "../vec.hpp"

// clang-format off
namespace corepy {
inline namespace COREPY_TARGET {

template <class T> struct ExpConstants;
template <class T> struct LogConstants;
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
      0x1.5555555555558p-3, 0x1.55555554f2643p-5, 0x1.11111110a3871p-7, 0x1.6c17eb19922a4p-10,
      0x1.a01b704c2501ap-13};
  // ln2_high times a number of sixteenths is exact.
  static constexpr double log2_e = 0x1.71547652b82fep+0;
  static constexpr double ln2_high = 0x1.62e42fefa0000p-1, ln2_low = 0x1.cf79abc9e3b3ap-40;
};
template <>
struct LogConstants<float> {
  // c, for m close to j / 15: m c is close to 1.
  alignas(64) static constexpr float inverse[16] = {
      0x1.e11ba20000000p-1f, 0x1.c2e6d80000000p-1f, 0x1.aa01020000000p-1f, 0x1.937edc0000000p-1f,
      0x1.8034900000000p-1f, 0x1.6deb140000000p-1f, 0x1.5c432e0000000p-1f, 0x1.5544c00000000p-1f,
      0x0.0p+0f, 0x0.0p+0f, 0x0.0p+0f, 0x1.513c4e0000000p+0f, 0x1.402ef80000000p+0f,
      0x1.2726c40000000p+0f, 0x1.10ba9e0000000p+0f, 0x1.0000000000000p+0f};
  // (log1p(r) - r + r^2 / 2) / r^3; log1p(r) is accurate, relative to r, to 2^-28.3.
  static constexpr float series[3] = {
      0x1.5555460000000p-2f, -0x1.00440c0000000p-2f, 0x1.9a65f60000000p-3f};
  // (log1p(r) - r + r^2 / 2) / r^3; log1p(r) is accurate, relative to r, to 2^-35.7.
  static constexpr float accurate_series[5] = {
      0x1.5555560000000p-2f, -0x1.ffffe40000000p-3f, 0x1.99995c0000000p-3f, -0x1.5604400000000p-3f,
      0x1.2569e80000000p-3f};
};
template <>
struct NaturalLogConstants<float> {
  // -log(c): multiples of 2^-17, and what is left, at most 2^-31.6.
  alignas(64) static constexpr float high[16] = {
      0x1.fdd0000000000p-5f, 0x1.0440000000000p-3f, 0x1.7894000000000p-3f, 0x1.e7c0000000000p-3f,
      0x1.260a000000000p-2f, 0x1.57fa000000000p-2f, 0x1.8a9e000000000p-2f, 0x1.9f64000000000p-2f,
      0x0.0p+0f, 0x0.0p+0f, 0x0.0p+0f, -0x1.1a38000000000p-2f, -0x1.ca2c000000000p-3f,
      -0x1.2374000000000p-3f, -0x1.0348000000000p-4f, 0x0.0p+0f};
  alignas(64) static constexpr float low[16] = {
      0x1.21d57c0000000p-35f, -0x1.377fce0000000p-41f, -0x1.9949300000000p-36f,
      -0x1.366ba00000000p-40f, -0x1.9af2d00000000p-36f, 0x1.65085c0000000p-35f,
      -0x1.20a98a0000000p-34f, 0x1.658a6a0000000p-34f, 0x0.0p+0f, 0x0.0p+0f, 0x0.0p+0f,
      -0x1.07d7380000000p-33f, -0x1.7976b20000000p-33f, 0x1.a1a0fa0000000p-36f,
      0x1.59bcc00000000p-32f, 0x0.0p+0f};
  // The logarithm of 2, the first part a multiple of the same, and that of e.
  static constexpr float of_2_high = 0x1.62e4000000000p-1f;
  static constexpr float of_2_low = 0x1.7f7d1c0000000p-20f;
  static constexpr float of_e_high = 0x1.0000000000000p+0f;
  static constexpr float of_e_low = 0x0.0p+0f;
};
template <>
struct Log2Constants<float> {
  // -log(c): multiples of 2^-16, and what is left, at most 2^-17.3.
  alignas(64) static constexpr float high[16] = {
      0x1.6fc0000000000p-4f, 0x1.7778000000000p-3f, 0x1.0fa4000000000p-2f, 0x1.5fd8000000000p-2f,
      0x1.a834000000000p-2f, 0x1.f040000000000p-2f, 0x1.1ca8000000000p-1f, 0x1.2ba4000000000p-1f,
      0x0.0p+0f, 0x0.0p+0f, 0x0.0p+0f, -0x1.9728000000000p-2f, -0x1.4a80000000000p-2f,
      -0x1.a478000000000p-3f, -0x1.7610000000000p-4f, 0x0.0p+0f};
  alignas(64) static constexpr float low[16] = {
      0x1.03e9240000000p-21f, -0x1.e2b6700000000p-19f, 0x1.929cc00000000p-19f,
      -0x1.a9c7fa0000000p-18f, 0x1.6d2f0a0000000p-18f, 0x1.ae0ac60000000p-19f,
      -0x1.f8a93e0000000p-23f, 0x1.8682a60000000p-21f, 0x0.0p+0f, 0x0.0p+0f, 0x0.0p+0f,
      0x1.59602e0000000p-21f, -0x1.2c79ac0000000p-20f, -0x1.2e623c0000000p-18f,
      -0x1.4d5f2c0000000p-22f, 0x0.0p+0f};
  // The logarithm of 2, the first part a multiple of the same, and that of e.
  static constexpr float of_2_high = 0x1.0000000000000p+0f;
  static constexpr float of_2_low = 0x0.0p+0f;
  static constexpr float of_e_high = 0x1.7154760000000p+0f;
  static constexpr float of_e_low = 0x1.4ae0c00000000p-26f;
};
template <>
struct Log10Constants<float> {
  // -log(c): multiples of 2^-17, and what is left, at most 2^-18.1.
  alignas(64) static constexpr float high[16] = {
      0x1.bae0000000000p-6f, 0x1.c420000000000p-5f, 0x1.4718000000000p-4f, 0x1.a7a8000000000p-4f,
      0x1.fed0000000000p-4f, 0x1.2ac8000000000p-3f, 0x1.56c4000000000p-3f, 0x1.68cc000000000p-3f,
      0x0.0p+0f, 0x0.0p+0f, 0x0.0p+0f, -0x1.ea40000000000p-4f, -0x1.8df8000000000p-4f,
      -0x1.fa50000000000p-5f, -0x1.c260000000000p-6f, 0x0.0p+0f};
  alignas(64) static constexpr float low[16] = {
      -0x1.d6f2720000000p-19f, -0x1.907efe0000000p-19f, -0x1.195dce0000000p-21f,
      -0x1.03e7440000000p-21f, -0x1.d5978e0000000p-19f, -0x1.cb03160000000p-19f,
      -0x1.67dcd40000000p-19f, 0x1.c01c2a0000000p-19f, 0x0.0p+0f, 0x0.0p+0f, 0x0.0p+0f,
      -0x1.d0c3960000000p-19f, 0x1.7692e60000000p-20f, 0x1.ae345e0000000p-21f,
      -0x1.5d7d580000000p-19f, 0x0.0p+0f};
  // The logarithm of 2, the first part a multiple of the same, and that of e.
  static constexpr float of_2_high = 0x1.3442000000000p-2f;
  static constexpr float of_2_low = -0x1.95ec100000000p-19f;
  static constexpr float of_e_high = 0x1.bcb7b20000000p-2f;
  static constexpr float of_e_low = -0x1.5b235e0000000p-27f;
};
template <>
struct LogConstants<double> {
  // c, for m close to j / 15: m c is close to 1.
  alignas(64) static constexpr double inverse[16] = {
      0x1.e0201861fb602p-1, 0x1.c3c4b67b43c3cp-1, 0x1.aaa7e4cb2aaabp-1, 0x1.9435f8adf9436p-1,
      0x1.7ffece3e60000p-1, 0x1.6db86ad8f6db7p-1, 0x1.5d1a0b3af45d1p-1, 0x1.55554ade75555p-1,
      0x0.0p+0, 0x0.0p+0, 0x0.0p+0, 0x1.5195af8895195p+0, 0x1.4000d36290000p+0,
      0x1.27608181e2762p+0, 0x1.11092f4c1a322p+0, 0x1.0000000000000p+0};
  // (log1p(r) - r + r^2 / 2) / r^3; log1p(r) is accurate, relative to r, to 2^-58.1.
  static constexpr double series[8] = {
      0x1.555555555514bp-2, -0x1.fffffffffeb6bp-3, 0x1.999999a4b4ad1p-3, -0x1.55555568b630ep-3,
      0x1.2491fd8eefde8p-3, -0x1.ffff368aa93aap-4, 0x1.c8b10a840becep-4, -0x1.9b4feb0504f8ep-4};
  // (log1p(r) - r + r^2 / 2) / r^3; log1p(r) is accurate, relative to r, to 2^-65.9.
  static constexpr double accurate_series[10] = {
      0x1.5555555555556p-2, -0x1.0000000000002p-2, 0x1.9999999997713p-3, -0x1.5555555550d2dp-3,
      0x1.2492493af5b84p-3, -0x1.0000002370f7bp-3, 0x1.c71ba7702d589p-4, -0x1.9998971fd202ap-4,
      0x1.75fb908df5599p-4, -0x1.571269b4baeccp-4};
};
template <>
struct NaturalLogConstants<double> {
  // -log(c): multiples of 2^-42, and what is left, at most 2^-62.9.
  alignas(64) static constexpr double high[16] = {
      0x1.0747b35f90000p-4, 0x1.00513c5d70000p-3, 0x1.7572508d5c000p-3, 0x1.e41f6945f6000p-3,
      0x1.2699506e3d000p-2, 0x1.5887cf3416000p-2, 0x1.8826fe0f4e000p-2, 0x1.9f325e309a000p-2,
      0x0.0p+0, 0x0.0p+0, 0x0.0p+0, -0x1.1b4742c58d000p-2, -0x1.c904c5551e000p-3,
      -0x1.25047eea1c000p-3, -0x1.07e34f1a94000p-4, 0x0.0p+0};
  alignas(64) static constexpr double low[16] = {
      0x1.7eaacc78dc84bp-66, -0x1.479b9fefb2cb3p-66, -0x1.23ed4b9434706p-67, 0x1.b6fff59a357aep-66,
      0x1.3e45512eae775p-67, -0x1.70859957d70e4p-68, -0x1.3eefa9cc6f966p-65, -0x1.0cb39c7095239p-63,
      0x0.0p+0, 0x0.0p+0, 0x0.0p+0, -0x1.cafb6d85632dap-66, 0x1.fbb12b63790acp-67,
      0x1.1c77df1ba978ap-67, -0x1.e34c82ce55336p-69, 0x0.0p+0};
  // The logarithm of 2, the first part a multiple of the same, and that of e.
  static constexpr double of_2_high = 0x1.62e42fefa3800p-1;
  static constexpr double of_2_low = 0x1.ef35793c76730p-45;
  static constexpr double of_e_high = 0x1.0000000000000p+0;
  static constexpr double of_e_low = 0x0.0p+0;
};
template <>
struct Log2Constants<double> {
  // -log(c): multiples of 2^-41, and what is left, at most 2^-42.6.
  alignas(64) static constexpr double high[16] = {
      0x1.7bd536c3b8000p-4, 0x1.71c9a922c0000p-3, 0x1.0d627e1cc6000p-2, 0x1.5d388067a6000p-2,
      0x1.a9042f6726000p-2, 0x1.f10d6d77fe000p-2, 0x1.1ae0cb200e000p-1, 0x1.2b804b192b000p-1,
      0x0.0p+0, 0x0.0p+0, 0x0.0p+0, -0x1.98af2d8f0a000p-2, -0x1.49ab549e28000p-2,
      -0x1.a6bc27d7d8000p-3, -0x1.7cb5b59350000p-4, 0x0.0p+0};
  alignas(64) static constexpr double low[16] = {
      0x1.fb0ff88bde145p-45, 0x1.5b7b9675699c0p-43, 0x1.b4a1dff929777p-45, -0x1.1c60bc240c8b2p-44,
      0x1.e716cd8459975p-45, -0x1.39678347f2482p-44, 0x1.8b2fe2bce85f6p-45, 0x1.97b104033f821p-45,
      0x0.0p+0, 0x0.0p+0, 0x0.0p+0, -0x1.e7a76367ef8acp-44, 0x1.0d9d66acabe7fp-44,
      0x1.036ff59833e6fp-47, 0x1.a23a854e07b55p-45, 0x0.0p+0};
  // The logarithm of 2, the first part a multiple of the same, and that of e.
  static constexpr double of_2_high = 0x1.0000000000000p+0;
  static constexpr double of_2_low = 0x0.0p+0;
  static constexpr double of_e_high = 0x1.71547652b82fep+0;
  static constexpr double of_e_low = 0x1.777d0ffda0d24p-56;
};
template <>
struct Log10Constants<double> {
  // -log(c): multiples of 2^-42, and what is left, at most 2^-43.2.
  alignas(64) static constexpr double high[16] = {
      0x1.c95d45b850000p-6, 0x1.bd44d04ee8000p-5, 0x1.445f1d8c84000p-4, 0x1.a480ee2f98000p-4,
      0x1.ffc54b268c000p-4, 0x1.2b41618c26000p-3, 0x1.549e8211b2000p-3, 0x1.68a2a3fa92000p-3,
      0x0.0p+0, 0x0.0p+0, 0x0.0p+0, -0x1.ec1adbf6d8000p-4, -0x1.8cf61a9c14000p-4,
      -0x1.fd060d4b38000p-5, -0x1.ca6b9778c0000p-6, 0x0.0p+0};
  alignas(64) static constexpr double low[16] = {
      0x1.00eca3a8b34bbp-47, 0x1.03947bc733ec4p-47, 0x1.d96b99a46f0e7p-45, 0x1.113414e40f611p-44,
      0x1.448c60e162c3cp-44, -0x1.61ace8efaf036p-44, -0x1.493db3a54cd9ep-45, 0x1.5850c1fb28246p-51,
      0x0.0p+0, 0x0.0p+0, 0x0.0p+0, 0x1.60d71ec2e02f3p-47, 0x1.9c059752180a4p-44,
      0x1.41e76a571e4ffp-46, -0x1.b9e4025e08292p-44, 0x0.0p+0};
  // The logarithm of 2, the first part a multiple of the same, and that of e.
  static constexpr double of_2_high = 0x1.34413509f8000p-2;
  static constexpr double of_2_low = -0x1.80433b83b532ap-44;
  static constexpr double of_e_high = 0x1.bcb7b1526e50ep-2;
  static constexpr double of_e_low = 0x1.95355baaafad3p-57;
};

}  // namespace COREPY_TARGET
}  // namespace corepy
