// nextafter.
#include "loops.hpp"
#include "math/polynomial.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

namespace {

// As integers, the numbers of one sign are in the order of their magnitudes.
struct NextAfter {
  template <class T>
  static Vec<T> call(Vec<T> x1, Vec<T> x2) {
    using S = Signed_of<T>;
    const Mask<T> away_from_zero = (x2 > x1) ^ is_negative(x1);
    const Vec<S> step = select(mask_cast<S>(away_from_zero), Vec<S>(S(1)), S(-1));
    const Vec<T> next = bitcast<T>(bitcast<S>(x1) + step);
    const Vec<T> smallest = sign_bit_of(x2) | std::numeric_limits<T>::denorm_min();
    const Vec<T> other = select(x1 == T(0), smallest, next);
    const Mask<T> ordered = (x1 == x1) & (x2 == x2);
    return select(ordered, select(x1 == x2, x2, other), x1 + x2);
  }
};

}  // namespace

void fill_nextafter(Kernels& kernels) {
  set<float>(kernels, OP_nextafter, binary_loop<NextAfter, float, float>);
  set<double>(kernels, OP_nextafter, binary_loop<NextAfter, double, double>);
}

}  // namespace COREPY_TARGET
}  // namespace corepy
