// logical_and, logical_or, logical_xor, logical_not, and of bool the operations equal to these: the
// bitwise ones, add and multiply.
#include "loops.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

namespace {

// Whether lanes are not zero; a NaN is not.
template <class T>
inline Mask<T> truth(Mask<T> a) {
  return a;
}
template <class T>
inline Mask<T> truth(Vec<T> a) {
  return a != T(0);
}
template <class T>
inline Mask<T> truth(VecComplex<T> a) {
  return truth(a.real) | truth(a.imag);
}

COREPY_COMMUTATIVE(And, truth(a) & truth(b))
COREPY_COMMUTATIVE(Or, truth(a) | truth(b))
COREPY_COMMUTATIVE(Xor, truth(a) ^ truth(b))
COREPY_UNARY(Not, ~truth(a))

template <class T, class Set>
void fill(Set set) {
  set(OP_logical_and, binary_loop<And, Bool, T>);
  set(OP_logical_or, binary_loop<Or, Bool, T>);
  set(OP_logical_xor, binary_loop<Xor, Bool, T>);
  set(OP_logical_not, unary_loop<Not, Bool, T>);
}

}  // namespace

void fill_logical(Kernels& kernels) {
  fill<Bool>([&](Operation operation, kernel loop) { set<Bool>(kernels, operation, loop); });
  for_each(Unsigned{}, [&](auto zero) {
    using T = decltype(zero);
    fill<T>([&](Operation operation, kernel loop) { set_both<T>(kernels, operation, loop); });
  });
  for_each(Floats{}, [&](auto zero) {
    using T = decltype(zero);
    fill<T>([&](Operation operation, kernel loop) { set<T>(kernels, operation, loop); });
    fill<Complex<T>>(
        [&](Operation operation, kernel loop) { set<Complex<T>>(kernels, operation, loop); });
  });
  for (Operation operation : {OP_bitwise_and, OP_multiply}) {
    set<Bool>(kernels, operation, binary_loop<And, Bool, Bool>);
  }
  for (Operation operation : {OP_bitwise_or, OP_add}) {
    set<Bool>(kernels, operation, binary_loop<Or, Bool, Bool>);
  }
  set<Bool>(kernels, OP_bitwise_xor, binary_loop<Xor, Bool, Bool>);
  set<Bool>(kernels, OP_bitwise_invert, unary_loop<Not, Bool, Bool>);
}

}  // namespace COREPY_TARGET
}  // namespace corepy
