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
  COREPY_TABLE float power[16] = {
      0x1p0f, 0x1.0b5586p0f, 0x1.172b84p0f, 0x1.2387a6p0f, 0x1.306fep0f, 0x1.3dea64p0f,
      0x1.4bfdaep0f, 0x1.5ab07ep0f, 0x1.6a09e6p0f, 0x1.7a1148p0f, 0x1.8ace54p0f, 0x1.9c4918p0f,
      0x1.ae89fap0f, 0x1.c199bep0f, 0x1.d5818ep0f, 0x1.ea4afap0f};
  COREPY_TABLE float residue[16] = {
      0, 0x1.8d96d4p-25f, -0x1.9c0c22p-27f, 0x1.964904p-25f, 0x1.125002p-25f, 0x1.370be4p-25f,
      -0x1.0a355p-25f, -0x1.00d8acp-27f, 0x1.26055cp-26f, -0x1.05cb44p-25f, 0x1.67a1cap-28f,
      0x1.a3b5e4p-28f, -0x1.f9c304p-27f, -0x1.6961b4p-28f, -0x1.a5217cp-28f, 0x1.61428ep-28f};
  // (e^r - 1 - r - r^2 / 2) / r^3; e^r - 1 is accurate, relative to r, to 2^-31.6.
  static constexpr float series[2] = {
      0x1.555708p-3f, 0x1.5556b4p-5f};
  // ln2_high times a number of sixteenths is exact.
  static constexpr float log2_e = 0x1.715476p0f;
  static constexpr float ln2_high = 0x1.63p-1f, ln2_low = -0x1.bd0106p-13f;
};
template <>
struct ExpConstants<double> {
  // 2^(j / 16), and its relative rounding error.
  COREPY_TABLE double power[16] = {
      0x1p0, 0x1.0b5586cf9890fp0, 0x1.172b83c7d517bp0, 0x1.2387a6e756238p0, 0x1.306fe0a31b715p0,
      0x1.3dea64c123422p0, 0x1.4bfdad5362a27p0, 0x1.5ab07dd485429p0, 0x1.6a09e667f3bcdp0,
      0x1.7a11473eb0187p0, 0x1.8ace5422aa0dbp0, 0x1.9c49182a3f09p0, 0x1.ae89f995ad3adp0,
      0x1.c199bdd85529cp0, 0x1.d5818dcfba487p0, 0x1.ea4afa2a490dap0};
  COREPY_TABLE double residue[16] = {
      0, 0x1.79aa65d837b6dp-54, -0x1.01b15eaa59348p-55, 0x1.68efde3a8a894p-54,
      0x1.34d754db0abb6p-55, 0x1.59f48a72a4c6dp-55, 0x1.690cebb7aafbp-56, 0x1.063e1e21c5409p-54,
      -0x1.3b3efbf5e2228p-54, -0x1.b32dcb94da51dp-56, 0x1.db72fc1f0eab4p-55,
      0x1.1affc2b91ce27p-56, 0x1.c1a7792cb3387p-55, 0x1.36eae30af0cb3p-56, 0x1.4a385a63d07a7p-56,
      -0x1.ff7128fd391fp-55};
  // (e^r - 1 - r - r^2 / 2) / r^3; e^r - 1 is accurate, relative to r, to 2^-59.3.
  static constexpr double series[5] = {
      0x1.5555555555558p-3, 0x1.55555554f2605p-5, 0x1.11111110936a5p-7, 0x1.6c17eb206745cp-10,
      0x1.a01b8fcf67186p-13};
  // ln2_high times a number of sixteenths is exact.
  static constexpr double log2_e = 0x1.71547652b82fep0;
  static constexpr double ln2_high = 0x1.62e42fefap-1, ln2_low = 0x1.cf79abc9e3b3ap-40;
};
template <>
struct LogConstants<float> {
  // c by the first bits of m, 1 <= m < 2: m c is close to 1, and m c - 1 exact.
  static constexpr int bits = 5;
  COREPY_TABLE float inverse[32] = {
      0x1p0f, 0x1.e8p-1f, 0x1.d8p-1f, 0x1.dp-1f, 0x1.cp-1f, 0x1.b4p-1f, 0x1.a8p-1f, 0x1.ap-1f,
      0x1.94p-1f, 0x1.8cp-1f, 0x1.8p-1f, 0x1.78p-1f, 0x1.7p-1f, 0x1.68p-1f, 0x1.6p-1f, 0x1.58p-1f,
      0x1.5p-1f, 0x1.4cp-1f, 0x1.44p-1f, 0x1.4p-1f, 0x1.38p-1f, 0x1.34p-1f, 0x1.2cp-1f,
      0x1.28p-1f, 0x1.2p-1f, 0x1.1cp-1f, 0x1.18p-1f, 0x1.14p-1f, 0x1.1p-1f, 0x1.0cp-1f,
      0x1.08p-1f, 0x1p-1f};
  // (log1p(r) - r + r^2 / 2) / r^3; log1p(r) is accurate, relative to r, to 2^-32.2.
  static constexpr float series[3] = {
      0x1.5555b2p-2f, -0x1.00118ap-2f, 0x1.91213p-3f};};
template <>
struct NaturalLogConstants<float> {
  // -log(c): a multiple of 2^-17, and the remainder.
  COREPY_TABLE float high[32] = {
      0, 0x1.895p-5f, 0x1.4d3p-4f, 0x1.9338p-4f, 0x1.1178p-3f, 0x1.4914p-3f, 0x1.823cp-3f,
      0x1.a94p-3f, 0x1.e53p-3f, 0x1.0714p-2f, 0x1.2696p-2f, 0x1.3c26p-2f, 0x1.522ap-2f,
      0x1.68acp-2f, 0x1.7fbp-2f, 0x1.973ap-2f, 0x1.af52p-2f, 0x1.bb96p-2f, 0x1.d49p-2f,
      0x1.e148p-2f, 0x1.fb36p-2f, 0x1.0436p-1f, 0x1.11bp-1f, 0x1.188fp-1f, 0x1.2696p-1f,
      0x1.2dbfp-1f, 0x1.3503p-1f, 0x1.3c61p-1f, 0x1.43dap-1f, 0x1.4b7p-1f, 0x1.5323p-1f,
      0x1.62e4p-1f};
  COREPY_TABLE float low[32] = {
      0, -0x1.57ad82p-19f, 0x1.15d208p-20f, -0x1.0d1536p-19f, 0x1.d044fcp-20f, -0x1.3e6626p-22f,
      0x1.6551a4p-23f, -0x1.2c3752p-19f, 0x1.dffce2p-20f, -0x1.e7ecaap-20f, 0x1.089a6ep-21f,
      -0x1.b1199ap-19f, 0x1.c0e714p-19f, 0x1.07d38ep-19f, -0x1.7109fap-20f, 0x1.a189acp-21f,
      0x1.2a491ap-19f, 0x1.1b80e2p-22f, 0x1.236f7ep-21f, 0x1.4344e4p-19f, -0x1.d4216ep-20f,
      0x1.7cec08p-22f, -0x1.f70e2ap-19f, -0x1.bf0dc4p-21f, 0x1.089a6ep-20f, 0x1.55ec38p-19f,
      -0x1.d4989cp-19f, -0x1.fcf25p-19f, -0x1.a0db88p-26f, -0x1.48347ap-20f, -0x1.d97988p-21f,
      0x1.7f7d1cp-20f};
  // log(2), split in the same way, and log(e).
  static constexpr float of_2_high = 0x1.62e4p-1f;
  static constexpr float of_2_low = 0x1.7f7d1cp-20f;
  static constexpr float of_e_high = 0x1p0f;
  static constexpr float of_e_low = 0;

};
template <>
struct Log2Constants<float> {
  // -log(c): a multiple of 2^-16, and the remainder.
  COREPY_TABLE float high[32] = {
      0, 0x1.1bbp-4f, 0x1.e0bp-4f, 0x1.22d8p-3f, 0x1.8a88p-3f, 0x1.dacp-3f, 0x1.169cp-2f,
      0x1.32cp-2f, 0x1.5dfcp-2f, 0x1.7b88p-2f, 0x1.a9p-2f, 0x1.c818p-2f, 0x1.e7ep-2f,
      0x1.042cp-1f, 0x1.14c6p-1f, 0x1.25cp-1f, 0x1.3722p-1f, 0x1.3ffap-1f, 0x1.52p-1f,
      0x1.5b2cp-1f, 0x1.6dep-1f, 0x1.7768p-1f, 0x1.8ad8p-1f, 0x1.94c2p-1f, 0x1.a9p-1f,
      0x1.b354p-1f, 0x1.bdcep-1f, 0x1.c87p-1f, 0x1.d338p-1f, 0x1.de2ap-1f, 0x1.e946p-1f, 0x1p0f};
  COREPY_TABLE float low[32] = {
      0, 0x1.953002p-19f, 0x1.ae8f3p-20f, 0x1.6e155ap-18f, 0x1.80abfcp-19f, 0x1.169f22p-18f,
      0x1.4d8fc6p-24f, -0x1.1c8f12p-22f, 0x1.cf1eeap-18f, 0x1.f02cf2p-18f, -0x1.a39fbep-20f,
      0x1.dc2d46p-18f, -0x1.40358ep-19f, -0x1.5a32c2p-20f, -0x1.3e032ep-18f, 0x1.408c78p-18f,
      0x1.5db83ap-20f, 0x1.a9ce9ep-18f, -0x1.a39fbep-18f, 0x1.ed0cbap-20f, -0x1.eac382p-20f,
      -0x1.f6b4c2p-20f, 0x1.1b3cdap-19f, 0x1.0e9258p-18f, -0x1.a39fbep-19f, 0x1.61d876p-19f,
      0x1.3b992cp-18f, -0x1.0902b6p-18f, 0x1.20a6dep-21f, -0x1.c4fd14p-19f, -0x1.a6eb1ep-18f, 0};
  // log(2), split in the same way, and log(e).
  static constexpr float of_2_high = 0x1p0f;
  static constexpr float of_2_low = 0;
  static constexpr float of_e_high = 0x1.715476p0f;
  static constexpr float of_e_low = 0x1.4ae0cp-26f;
  // (log(1 + r) - r log(e)) / r^2; log(1 + r) is accurate, relative to r log(e), to 2^-32.0.
  static constexpr float series[4] = {
      -0x1.715476p-1f, 0x1.ec717cp-2f, -0x1.716db2p-2f, 0x1.1f3438p-2f};
};
template <>
struct Log10Constants<float> {
  // -log(c): a multiple of 2^-17, and the remainder.
  COREPY_TABLE float high[32] = {
      0, 0x1.55ap-6f, 0x1.217p-5f, 0x1.5e4p-5f, 0x1.db1p-5f, 0x1.1dd8p-4f, 0x1.4f78p-4f,
      0x1.716p-4f, 0x1.a57p-4f, 0x1.c9p-4f, 0x1.ffcp-4f, 0x1.1298p-3f, 0x1.25bcp-3f, 0x1.3948p-3f,
      0x1.4d44p-3f, 0x1.61b8p-3f, 0x1.76a4p-3f, 0x1.814cp-3f, 0x1.96fcp-3f, 0x1.a208p-3f,
      0x1.b89p-3f, 0x1.c408p-3f, 0x1.db7p-3f, 0x1.e76p-3f, 0x1.ffcp-3f, 0x1.0618p-2f,
      0x1.0c68p-2f, 0x1.12cep-2f, 0x1.194cp-2f, 0x1.1fe2p-2f, 0x1.2692p-2f, 0x1.3442p-2f};
  COREPY_TABLE float low[32] = {
      0, -0x1.0b6fe4p-20f, -0x1.f928dcp-19f, -0x1.a65206p-19f, 0x1.ed766ap-21f, -0x1.5cf9bap-19f,
      0x1.56cddep-19f, -0x1.798e4cp-19f, -0x1.7cda0ap-20f, 0x1.50cf32p-19f, -0x1.ea21c4p-23f,
      0x1.a4fb3ep-19f, -0x1.7dea5p-19f, -0x1.fe10d6p-20f, -0x1.f6296ep-25f, -0x1.6c667cp-19f,
      0x1.72edfap-21f, -0x1.6dbc86p-20f, 0x1.1b63ap-19f, 0x1.a84fbcp-19f, -0x1.983068p-19f,
      0x1.ce13d4p-21f, 0x1.8fd2dcp-20f, 0x1.24046cp-19f, -0x1.ea21c4p-22f, 0x1.7427eap-21f,
      -0x1.dc52a8p-19f, -0x1.9c8c6cp-19f, -0x1.884212p-19f, -0x1.a50d3ep-22f, -0x1.33d61p-22f,
      -0x1.95ec1p-19f};
  // log(2), split in the same way, and log(e).
  static constexpr float of_2_high = 0x1.3442p-2f;
  static constexpr float of_2_low = -0x1.95ec1p-19f;
  static constexpr float of_e_high = 0x1.bcb7b2p-2f;
  static constexpr float of_e_low = -0x1.5b235ep-27f;
  // (log(1 + r) - r log(e)) / r^2; log(1 + r) is accurate, relative to r log(e), to 2^-32.2.
  static constexpr float series[4] = {
      -0x1.bcb7bp-3f, 0x1.287abap-3f, -0x1.bcf5dcp-4f, 0x1.5f7192p-4f};
};
template <>
struct LogConstants<double> {
  // c by the first bits of m, 1 <= m < 2: m c is close to 1, and m c - 1 exact.
  static constexpr int bits = 4;
  COREPY_TABLE double inverse[16] = {
      0x1p0, 0x1.dp-1, 0x1.cp-1, 0x1.ap-1, 0x1.9p-1, 0x1.8p-1, 0x1.7p-1, 0x1.6p-1, 0x1.5p-1,
      0x1.4p-1, 0x1.38p-1, 0x1.28p-1, 0x1.2p-1, 0x1.18p-1, 0x1.1p-1, 0x1p-1};
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
  COREPY_TABLE double high[16] = {
      0, 0x1.9335e5d594p-4, 0x1.1178e8227ep-3, 0x1.a93ed3c8aep-3, 0x1.f991c6cb3cp-3,
      0x1.269621134ep-2, 0x1.522ae0738ap-2, 0x1.7fafa3bd81p-2, 0x1.af5295248dp-2,
      0x1.e148a1a272p-2, 0x1.fb358af7a5p-2, 0x1.188ee40f24p-1, 0x1.269621134d8p-1,
      0x1.35028ad9d9p-1, 0x1.43d9ff2f92p-1, 0x1.62e42fefa38p-1};
  COREPY_TABLE double low[16] = {
      0, 0x1.3115c3abd47dap-45, 0x1.1ef78ce2d07f2p-45, -0x1.8724350562169p-45,
      -0x1.90d04cd7cc834p-44, -0x1.1b61f10522625p-44, 0x1.ebe708164c759p-45,
      0x1.46fb79bf6d4cbp-44, -0x1.17cc552774458p-45, 0x1.b36537e3375b2p-44,
      -0x1.def40b87d36d9p-44, -0x1.accec41d52e6cp-44, 0x1.c93c1df5bb3b6p-44,
      -0x1.bd1f01ab60655p-44, 0x1.e267b0b7efae1p-44, 0x1.ef35793c7673p-45};
  // log(2), split in the same way, and log(e).
  static constexpr double of_2_high = 0x1.62e42fefa38p-1;
  static constexpr double of_2_low = 0x1.ef35793c7673p-45;
  static constexpr double of_e_high = 0x1p0;
  static constexpr double of_e_low = 0;

};
template <>
struct Log2Constants<double> {
  // -log(c): a multiple of 2^-41, and the remainder.
  COREPY_TABLE double high[16] = {
      0, 0x1.22dadc2ab4p-3, 0x1.8a8980abfcp-3, 0x1.32bfee370ep-2, 0x1.6cb0f6865cp-2,
      0x1.a8ff97181p-2, 0x1.e7df5fe538p-2, 0x1.14c560fe69p-1, 0x1.37222bb707p-1,
      0x1.5b2c3da197p-1, 0x1.6ddfc2a79p-1, 0x1.94c287492cp-1, 0x1.a8ff971811p-1,
      0x1.bdce9dcc96p-1, 0x1.d338120a6ep-1, 0x1p0};
  COREPY_TABLE double low[16] = {
      0, -0x1.6d25a5b8a19b2p-44, -0x1.66cccab240e9p-46, 0x1.cd0cb4492f1bcp-43,
      0x1.1d406db502403p-43, 0x1.4bc302ffa76fbp-43, 0x1.5669df6a2b592p-43, -0x1.41dfc7d7c3321p-43,
      0x1.1ee969a95f529p-43, 0x1.1d406db502403p-44, -0x1.ce60916e52e91p-44, 0x1.36c101ee1344p-43,
      -0x1.6879fa00b120ap-43, 0x1.871a7610e40bdp-45, -0x1.3167ccc538261p-44, 0};
  // log(2), split in the same way, and log(e).
  static constexpr double of_2_high = 0x1p0;
  static constexpr double of_2_low = 0;
  static constexpr double of_e_high = 0x1.71547652b82fep0;
  static constexpr double of_e_low = 0x1.777d0ffda0d24p-56;
  // (log(1 + r) - r log(e)) / r^2; log(1 + r) is accurate, relative to r log(e), to 2^-59.9.
  static constexpr double series[10] = {
      -0x1.71547652b82fdp-1, 0x1.ec709dc3a03cfp-2, -0x1.71547652bcc9fp-2, 0x1.2776c50f4feep-2,
      -0x1.ec709d737a68p-3, 0x1.a6175bf153db1p-3, -0x1.715566ef81fdbp-3, 0x1.4864e1fa1aebep-3,
      -0x1.26e58256790bep-3, 0x1.d7a3f79ea2976p-4};
};
template <>
struct Log10Constants<double> {
  // -log(c): a multiple of 2^-42, and the remainder.
  COREPY_TABLE double high[16] = {
      0, 0x1.5e3966b7e8p-5, 0x1.db11ed7668p-5, 0x1.715d0ce368p-4, 0x1.b721cd1714p-4,
      0x1.ffbfc2bbc8p-4, 0x1.25ba8215bp-3, 0x1.4d43f8275ap-3, 0x1.76a45cbb7ep-3,
      0x1.a209a84fbcp-3, 0x1.b88e67cf98p-3, 0x1.e76124046cp-3, 0x1.ffbfc2bbc8p-3,
      0x1.0c6711d6acp-2, 0x1.194b3bdef7p-2, 0x1.34413509f8p-2};
  COREPY_TABLE double low[16] = {
      0, 0x1.2951bb9cd2fb7p-45, 0x1.5fa196e1e0ddap-44, -0x1.41149840eaa65p-46,
      0x1.7e295f660b9dap-44, -0x1.ff229f20ed3d2p-46, -0x1.007bf2d8bf07ap-44,
      0x1.20ca9a2bcc728p-45, 0x1.bfb1de334b1cbp-45, 0x1.fef311f12b358p-44, -0x1.a01b9bb0ebf1bp-45,
      -0x1.81a1e23fe0fb6p-44, -0x1.ff229f20ed3d2p-45, -0x1.42d6ae59e7d9cp-45,
      -0x1.1881d6fbdee94p-44, -0x1.80433b83b532ap-44};
  // log(2), split in the same way, and log(e).
  static constexpr double of_2_high = 0x1.34413509f8p-2;
  static constexpr double of_2_low = -0x1.80433b83b532ap-44;
  static constexpr double of_e_high = 0x1.bcb7b1526e50ep-2;
  static constexpr double of_e_low = 0x1.95355baaafad3p-57;
  // (log(1 + r) - r log(e)) / r^2; log(1 + r) is accurate, relative to r log(e), to 2^-61.1.
  static constexpr double series[10] = {
      -0x1.bcb7b1526e50dp-3, 0x1.287a7636f433fp-3, -0x1.bcb7b1527372bp-4, 0x1.63c627759371p-4,
      -0x1.287a760a1468dp-4, 0x1.fc3f9de061a12p-5, -0x1.bcb8bce1b7055p-5, 0x1.8b6caefadb3bbp-5,
      -0x1.6330d52db96dfp-5, 0x1.1cf4cd32fcb81p-5};
};
template <>
struct PowConstants<float> {
  // c by the first bits of m, 1 <= m < 2: m c is close to 1, and m c - 1 exact.
  COREPY_TABLE float inverse[32] = {
      0x1p0f, 0x1.e8p-1f, 0x1.d8p-1f, 0x1.dp-1f, 0x1.cp-1f, 0x1.b8p-1f, 0x1.a8p-1f, 0x1.ap-1f,
      0x1.98p-1f, 0x1.88p-1f, 0x1.8p-1f, 0x1.78p-1f, 0x1.7p-1f, 0x1.68p-1f, 0x1.6p-1f, 0x1.58p-1f,
      0x1.5p-1f, 0x1.48p-1f, 0x1.48p-1f, 0x1.4p-1f, 0x1.38p-1f, 0x1.3p-1f, 0x1.3p-1f, 0x1.28p-1f,
      0x1.2p-1f, 0x1.2p-1f, 0x1.18p-1f, 0x1.1p-1f, 0x1.1p-1f, 0x1.08p-1f, 0x1.08p-1f, 0x1p-1f};
  // -log(c): a multiple of 2^-17, and the remainder.
  COREPY_TABLE float high[32] = {
      0, 0x1.895p-5f, 0x1.4d3p-4f, 0x1.9338p-4f, 0x1.1178p-3f, 0x1.366p-3f, 0x1.823cp-3f,
      0x1.a94p-3f, 0x1.d104p-3f, 0x1.1178p-2f, 0x1.2696p-2f, 0x1.3c26p-2f, 0x1.522ap-2f,
      0x1.68acp-2f, 0x1.7fbp-2f, 0x1.973ap-2f, 0x1.af52p-2f, 0x1.c8p-2f, 0x1.c8p-2f, 0x1.e148p-2f,
      0x1.fb36p-2f, 0x1.0ae7p-1f, 0x1.0ae7p-1f, 0x1.188fp-1f, 0x1.2696p-1f, 0x1.2696p-1f,
      0x1.3503p-1f, 0x1.43dap-1f, 0x1.43dap-1f, 0x1.5323p-1f, 0x1.5323p-1f, 0x1.62e4p-1f};
  COREPY_TABLE float low[32] = {
      0, -0x1.57ad82p-19f, 0x1.15d208p-20f, -0x1.0d1536p-19f, 0x1.d044fcp-20f, -0x1.a7f538p-22f,
      0x1.6551a4p-23f, -0x1.2c3752p-19f, -0x1.01b354p-20f, 0x1.d044fcp-19f, 0x1.089a6ep-21f,
      -0x1.b1199ap-19f, 0x1.c0e714p-19f, 0x1.07d38ep-19f, -0x1.7109fap-20f, 0x1.a189acp-21f,
      0x1.2a491ap-19f, -0x1.8e2eaap-20f, -0x1.8e2eaap-20f, 0x1.4344e4p-19f, -0x1.d4216ep-20f,
      0x1.b8b416p-19f, 0x1.b8b416p-19f, -0x1.bf0dc4p-21f, 0x1.089a6ep-20f, 0x1.089a6ep-20f,
      -0x1.d4989cp-19f, -0x1.a0db88p-26f, -0x1.a0db88p-26f, -0x1.d97988p-21f, -0x1.d97988p-21f,
      0x1.7f7d1cp-20f};
  // (log1p(r) - r + r^2 / 2) / r^3; log1p(r) is accurate, relative to r, to 2^-36.3.
  static constexpr float series[4] = {
      0x1.555552p-2f, -0x1.fffff4p-3f, 0x1.99ff3ap-3f, -0x1.55c428p-3f};
  // log(2), split in the same way.
  static constexpr float of_2_high = 0x1.62e4p-1f;
  static constexpr float of_2_low = 0x1.7f7d1cp-20f;
};
template <>
struct Expm1Constants<float> {
  // n is the integer nearest to x / log(2) less this number.
  static constexpr float offset = 0x1.5cp-4f;
  // (e^r - 1 - r - r^2 / 2) / r^3; e^r - 1 is accurate, relative to r, to 2^-31.3.
  static constexpr float series[5] = {
      0x1.55555ap-3f, 0x1.555524p-5f, 0x1.1105ccp-7f, 0x1.6ce1c2p-10f, 0x1.b7c8fcp-13f};
};
template <>
struct Expm1Constants<double> {
  // n is the integer nearest to x / log(2) less this number.
  static constexpr double offset = 0x1.5c01a39fbdp-4;
  // (e^r - 1 - r - r^2 / 2) / r^3; e^r - 1 is accurate, relative to r, to 2^-61.1.
  static constexpr double series[10] = {
      0x1.5555555555554p-3, 0x1.55555555555d9p-5, 0x1.1111111111b24p-7, 0x1.6c16c16bbfda8p-10,
      0x1.a01a019bc164cp-13, 0x1.a01a0413d6fcap-16, 0x1.71de3d0062c3p-19, 0x1.27dd8ee62733cp-22,
      0x1.aebf099d0d46dp-26, 0x1.2f350227f6818p-29};
};
template <>
struct AtanConstants<float> {
  // c by the exponent and the first bit of the mantissa, and its arc tangent in double-double. c is
  // infinity from `last` on, and 0 below `first`.
  static constexpr float first = 0.125, last = 16;
  COREPY_TABLE float tangent[16] = {
      0x1.35p1f, 0x1.b78p1f, 0x1.338p2f, 0x1.b7p2f, 0x1.338p3f, 0x1.b7p3f, 0x1p0f, 0, 0x1.2a8p-3f,
      0x1.bf8p-3f, 0x1.298p-2f, 0x1.be8p-2f, 0x1.278p-1f, 0x1.bcp-1f, 0x1.388p0f, 0x1.a5p0f};
  COREPY_TABLE float high[16] = {
      0x1.2d9654p0f, 0x1.4992cp0f, 0x1.5d97aep0f, 0x1.6d1052p0f, 0x1.77942ap0f, 0x1.7f7f08p0f,
      0x1.921fb6p0f, 0, 0x1.2869aep-3f, 0x1.b8934cp-3f, 0x1.218796p-2f, 0x1.a50c7p-2f,
      0x1.0c014cp-1f, 0x1.6dc446p-1f, 0x1.c4d794p-1f, 0x1.0642fep0f};
  COREPY_TABLE float low[16] = {
      0x1.8ccacep-25f, -0x1.5c8838p-25f, 0x1.7dbe72p-25f, 0x1.422624p-26f, -0x1.0fd5d2p-25f,
      -0x1.a10fdp-27f, -0x1.777a5cp-25f, 0, -0x1.aa3708p-28f, -0x1.32b9bp-32f, 0x1.a525e4p-28f,
      0x1.f255e4p-27f, -0x1.8c77c8p-28f, -0x1.5d558ap-26f, -0x1.87ab5p-27f, 0x1.15a222p-26f};
  // (atan(w) - w) / w^3 in w^2; the former is accurate to 2^-33.9.
  static constexpr float series[3] = {
      -0x1.55555p-2f, 0x1.9989ap-3f, -0x1.1dc07p-3f};
};
template <>
struct AtanConstants<double> {
  // c by the exponent and the first bit of the mantissa, and its arc tangent in double-double. c is
  // infinity from `last` on, and 0 below `first`.
  static constexpr double first = 0.125, last = 16;
  COREPY_TABLE double tangent[16] = {
      0x1.35p1, 0x1.b78p1, 0x1.338p2, 0x1.b7p2, 0x1.338p3, 0x1.b7p3, 0x1p0, 0, 0x1.2a8p-3,
      0x1.bf8p-3, 0x1.298p-2, 0x1.be8p-2, 0x1.278p-1, 0x1.bcp-1, 0x1.388p0, 0x1.a5p0};
  COREPY_TABLE double high[16] = {
      0x1.2d9654c66566fp0, 0x1.4992bf51bbe3dp0, 0x1.5d97aebedf38ep0, 0x1.6d10525089892p0,
      0x1.7794297815172p0, 0x1.7f7f07cbde05ep0, 0x1.921fb54442d18p0, 0, 0x1.2869ad2ae47bdp-3,
      0x1.b8934bf66a328p-3, 0x1.2187966949791p-2, 0x1.a50c70f92af19p-2, 0x1.0c014bce71071p-1,
      0x1.6dc44551553afp-1, 0x1.c4d7939e152bdp-1, 0x1.0642fe456888ap0};
  COREPY_TABLE double low[16] = {
      0x1.7bebc063c8655p-54, -0x1.cad8e8dfdd05fp-54, 0x1.e7acb454a8fa9p-54, 0x1.ec3f8b283d806p-54,
      -0x1.38be440ad68e9p-56, 0x1.ed9ab8df62255p-55, 0x1.1a62633145c07p-54, 0,
      -0x1.b2e9330398275p-58, -0x1.79624b79f386p-58, -0x1.94fd170712a61p-58,
      0x1.10466b3dcb0c4p-57, 0x1.35b9ccc0d22dcp-56, -0x1.bf8863573828ep-58, 0x1.b3b4942c855bp-55,
      -0x1.1a5f05abca483p-54};
  // (atan(w) - w) / w^3 in w^2; the former is accurate to 2^-58.9.
  static constexpr double series[6] = {
      -0x1.55555555554ccp-2, 0x1.9999999945f8dp-3, -0x1.2492489ce1d63p-3, 0x1.c71ba72d0bcfap-4,
      -0x1.74107ae447199p-4, 0x1.2cc21b83695b3p-4};
};
template <>
struct AtanhConstants<float> {
  // c by the first bits of m, 1 <= m < 2.
  COREPY_TABLE float inverse[16] = {
      0x1p0f, 0x1p0f, 0x1p0f, 0x1p0f, 0x1.9p-1f, 0x1.8p-1f, 0x1.68p-1f, 0x1.6p-1f, 0x1.5p-1f,
      0x1.4p-1f, 0x1.38p-1f, 0x1.28p-1f, 0x1.2p-1f, 0x1.18p-1f, 0x1.1p-1f, 0x1p-1f};
  // -log(c): a multiple of 2^-17, and the remainder.
  COREPY_TABLE float high[16] = {
      0, 0, 0, 0, 0x1.f99p-3f, 0x1.2696p-2f, 0x1.68acp-2f, 0x1.7fbp-2f, 0x1.af52p-2f,
      0x1.e148p-2f, 0x1.fb36p-2f, 0x1.188fp-1f, 0x1.2696p-1f, 0x1.3503p-1f, 0x1.43dap-1f,
      0x1.62e4p-1f};
  COREPY_TABLE float low[16] = {
      0, 0, 0, 0, 0x1.c6cb3cp-19f, 0x1.089a6ep-21f, 0x1.07d38ep-19f, -0x1.7109fap-20f,
      0x1.2a491ap-19f, 0x1.4344e4p-19f, -0x1.d4216ep-20f, -0x1.bf0dc4p-21f, 0x1.089a6ep-20f,
      -0x1.d4989cp-19f, -0x1.a0db88p-26f, 0x1.7f7d1cp-20f};
  // (2 atanh(w / 2) - w) / w^3 in w^2; the former is accurate to 2^-35.2.
  static constexpr float series[3] = {
      0x1.555558p-4f, 0x1.998f6ep-7f, 0x1.2a121p-9f};
};
template <>
struct AtanhConstants<double> {
  // c by the first bits of m, 1 <= m < 2.
  COREPY_TABLE double inverse[16] = {
      0x1p0, 0x1p0, 0x1p0, 0x1p0, 0x1.9p-1, 0x1.8p-1, 0x1.68p-1, 0x1.6p-1, 0x1.5p-1, 0x1.4p-1,
      0x1.38p-1, 0x1.28p-1, 0x1.2p-1, 0x1.18p-1, 0x1.1p-1, 0x1p-1};
  // -log(c): a multiple of 2^-42, and the remainder.
  COREPY_TABLE double high[16] = {
      0, 0, 0, 0, 0x1.f991c6cb3cp-3, 0x1.269621134ep-2, 0x1.68ac83e9c7p-2, 0x1.7fafa3bd81p-2,
      0x1.af5295248dp-2, 0x1.e148a1a272p-2, 0x1.fb358af7a5p-2, 0x1.188ee40f24p-1,
      0x1.269621134d8p-1, 0x1.35028ad9d9p-1, 0x1.43d9ff2f92p-1, 0x1.62e42fefa38p-1};
  COREPY_TABLE double low[16] = {
      0, 0, 0, 0, -0x1.90d04cd7cc834p-44, -0x1.1b61f10522625p-44, -0x1.7af966c548a3p-44,
      0x1.46fb79bf6d4cbp-44, -0x1.17cc552774458p-45, 0x1.b36537e3375b2p-44,
      -0x1.def40b87d36d9p-44, -0x1.accec41d52e6cp-44, 0x1.c93c1df5bb3b6p-44,
      -0x1.bd1f01ab60655p-44, 0x1.e267b0b7efae1p-44, 0x1.ef35793c7673p-45};
  // (2 atanh(w / 2) - w) / w^3 in w^2; the former is accurate to 2^-61.1.
  static constexpr double series[6] = {
      0x1.555555555553p-4, 0x1.99999999b62f3p-7, 0x1.249248ea4bc3ap-9, 0x1.c71cdef172a5cp-12,
      0x1.742979a104b1ap-14, 0x1.47093eec1cb3ep-16};
};
template <>
struct DirectExpConstants<float> {
  // (e^r - 1 - r - r^2 / 2) / r^3; e^r is accurate, to 2^-28.1.
  static constexpr float series[4] = {
      0x1.555492p-3f, 0x1.5554cp-5f, 0x1.1239fep-7f, 0x1.6d7b16p-10f};
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
      0x1.555556p-3f, 0x1.1110b2p-7f, 0x1.a16ff2p-13f};
  // (cosh(r) - 1) / r^2 in r^2; cosh(r) is accurate, to 2^-33.2.
  static constexpr float even[3] = {
      0x1p-1f, 0x1.5554e6p-5f, 0x1.6d4f1p-10f};
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
      0x1.55557ap-1f, 0x1.995ed4p-2f, 0x1.31e0d8p-2f};
  // A wider range: log2(m) may exceed 1/2 by twice the error of approximating log2(m) by
  // m - 1.
  // (2 atanh(s) - 2 s) / s^3 in s^2; atanh(s) is accurate, relative to s, to 2^-35.2.
  static constexpr float wide_series[4] = {
      0x1.555554p-1f, 0x1.999c0cp-2f, 0x1.23e042p-2f, 0x1.ee9fe6p-3f};
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
      0x1.555558p-2f, -0x1.00007p-2f, 0x1.9998acp-3f, -0x1.551a32p-3f, 0x1.2444b8p-3f,
      -0x1.048ca6p-3f, 0x1.e0c104p-4f, -0x1.782716p-4f, 0x1.36192ap-5f};
};

}  // namespace COREPY_TARGET
}  // namespace corepy
