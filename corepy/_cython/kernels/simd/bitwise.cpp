// bitwise_and, bitwise_or, bitwise_xor, bitwise_invert, bitwise_left_shift, bitwise_right_shift.
// On bool they are the logical operations, which fill_logical has.
#include "elements.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

namespace {

struct And {
  template <class T>
  static T call(T a, T b) {
    return T(a & b);
  }
};

struct Or {
  template <class T>
  static T call(T a, T b) {
    return T(a | b);
  }
};

struct Xor {
  template <class T>
  static T call(T a, T b) {
    return T(a ^ b);
  }
};

struct Invert {
  template <class T>
  static T call(T a) {
    return T(~a);
  }
};

// Counts that are negative or not less than the width shift every bit out; for the processor they
// are taken modulo the width, and for the language undefined. Seen as unsigned, a negative count is
// a large one. No branches, which mixed counts would mispredict.
template <class T>
constexpr std::make_unsigned_t<T> last_bit = 8 * sizeof(T) - 1;

template <class T>
inline std::make_unsigned_t<T> if_in_width(T count, Wrapping<T> shifted) {
  using U = std::make_unsigned_t<T>;
  return U(shifted & -Wrapping<T>(U(count) <= last_bit<T>));
}

struct LeftShift {
  template <class T>
  static T call(T a, T count) {
    return T(if_in_width(count, Wrapping<T>(a) << (count & last_bit<T>)));
  }
};

struct RightShift {
  template <class T>
  static T call(T a, T count) {
    using U = std::make_unsigned_t<T>;
    if constexpr (std::is_signed_v<T>) {
      // Copies of the sign move in from the left, as far as one likes.
      return T(a >> (U(count) < last_bit<T> ? U(count) : last_bit<T>));
    } else {
      return T(if_in_width(count, Wrapping<T>(a >> (count & last_bit<T>))));
    }
  }
};

}  // namespace

void fill_bitwise(Kernels& kernels) {
  for_each(Unsigned{}, [&](auto zero) {
    using T = decltype(zero);
    using S = std::make_signed_t<T>;
    set_both<T>(kernels, OP_bitwise_and, binary_elements<And, T, T>);
    set_both<T>(kernels, OP_bitwise_or, binary_elements<Or, T, T>);
    set_both<T>(kernels, OP_bitwise_xor, binary_elements<Xor, T, T>);
    set_both<T>(kernels, OP_bitwise_invert, unary_elements<Invert, T, T>);
    set_both<T>(kernels, OP_bitwise_left_shift, binary_elements<LeftShift, T, T>);
    set<T>(kernels, OP_bitwise_right_shift, binary_elements<RightShift, T, T>);
    set<S>(kernels, OP_bitwise_right_shift, binary_elements<RightShift, S, S>);
  });
}

}  // namespace COREPY_TARGET
}  // namespace corepy
