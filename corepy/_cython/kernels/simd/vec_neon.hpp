// NEON of aarch64. Included by vec.hpp.
#pragma once

#include <arm_neon.h>

namespace corepy {
inline namespace COREPY_TARGET {

inline Vec<float> multiply_add(Vec<float> a, Vec<float> b, Vec<float> c) {
  return Vec<float>::native(vfmaq_f32(float32x4_t(c.v), float32x4_t(a.v), float32x4_t(b.v)));
}
inline Vec<double> multiply_add(Vec<double> a, Vec<double> b, Vec<double> c) {
  return Vec<double>::native(vfmaq_f64(float64x2_t(c.v), float64x2_t(a.v), float64x2_t(b.v)));
}

inline Vec<uint64_t> product_of_halves(Vec<uint64_t> a, Vec<uint64_t> b) {
  return Vec<uint64_t>::native(vmull_u32(vmovn_u64(uint64x2_t(a.v)), vmovn_u64(uint64x2_t(b.v))));
}

#define COREPY_INTRINSICS(name, of_float, of_double)                                              \
  inline Vec<float> name(Vec<float> a) { return Vec<float>::native(of_float(float32x4_t(a.v))); } \
  inline Vec<double> name(Vec<double> a) {                                                        \
    return Vec<double>::native(of_double(float64x2_t(a.v)));                                      \
  }
COREPY_INTRINSICS(sqrt, vsqrtq_f32, vsqrtq_f64)
COREPY_INTRINSICS(nearest, vrndnq_f32, vrndnq_f64)
COREPY_INTRINSICS(floor, vrndmq_f32, vrndmq_f64)
COREPY_INTRINSICS(ceil, vrndpq_f32, vrndpq_f64)
COREPY_INTRINSICS(trunc, vrndq_f32, vrndq_f64)
#undef COREPY_INTRINSICS

}  // namespace COREPY_TARGET
}  // namespace corepy
