// bitwise_and, bitwise_or, bitwise_xor, bitwise_invert, bitwise_left_shift, bitwise_right_shift.
// On bool they are the logical operations, which fill_logical has.
#include "loops.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

namespace {

COREPY_COMMUTATIVE(And, (a & b))
COREPY_COMMUTATIVE(Or, a | b)
COREPY_COMMUTATIVE(Xor, a ^ b)
COREPY_UNARY(Invert, ~a)

// Whether there is an instruction for shifts with a count for each lane, by the size of elements.
template <class T>
constexpr bool has_variable_shift =
#if defined(COREPY_NEON)
    true;
#elif defined(COREPY_AVX512)
    sizeof(T) >= 2;
#elif defined(COREPY_AVX2)
    sizeof(T) >= 4;
#else
    false;
#endif

struct Left {
  template <class V, class Count>
  static V shift(V a, Count by) {
    return a << by;
  }
};
struct Right {
  template <class V, class Count>
  static V shift(V a, Count by) {
    return a >> by;
  }
};

// Each lane by the count in the same lane, less than the width.
template <class Direction, class T>
inline Vec<T> shift_lanes(Vec<T> a, Vec<T> by) {
  if constexpr (has_variable_shift<T>) {
    return Direction::shift(a, by);
  } else if constexpr (HAS_FMA && sizeof(T) < 4) {
    // Elements of twice the width have an instruction: even lanes and odd ones.
    constexpr int half = 8 * sizeof(T);
    using Wider = std::conditional_t<std::is_signed_v<T>,
                                     std::conditional_t<sizeof(T) == 1, int16_t, int32_t>,
                                     std::conditional_t<sizeof(T) == 1, uint16_t, uint32_t>>;
    using W = Vec<Wider>;
    const W wide = typename W::native(a.v), counts = typename W::native(by.v);
    const W even = shift_lanes<Direction>((wide << half) >> half, counts & Wider(half - 1));
    const W odd = shift_lanes<Direction>(wide >> half, (counts >> half) & Wider(half - 1));
    return (typename Vec<T>::native)((even & Wider((1u << half) - 1)) | (odd << half)).v;
  } else if constexpr (Vec<T>::size == 2) {
    for (int i = 0; i < 2; i++) a.v[i] = Direction::shift(a.get(i), by.get(i));
    return a;
  } else {
    // By one bit of the counts at a time.
    for (int bit = 1; bit < int(8 * sizeof(T)); bit *= 2) {
      a = select((by & T(bit)) != T(0), Direction::shift(a, bit), a);
    }
    return a;
  }
}

// Counts that are negative or not less than the width shift every bit out (the right shift of a
// signed number gives copies of the sign). Processors take counts modulo the width, and the
// language leaves them undefined. As unsigned, a negative count is a large one. A scalar count is
// prepared: whether bits remain, and the shift.
template <class Direction>
struct Shift {
  struct Count {
    int by;
    bool some_left;
  };

  template <class T>
  static Count prepare(T count) {
    constexpr int width = 8 * sizeof(T);
    const bool within = std::make_unsigned_t<T>(count) < width;
    if (keeps_sign<T>) return {within ? int(count) : width - 1, true};
    return {within ? int(count) : 0, within};
  }
  template <class T>
  static Vec<T> call(Vec<T> a, Count count) {
    return count.some_left ? Direction::shift(a, count.by) : Vec<T>(T(0));
  }

  template <class T>
  static Vec<T> call(Vec<T> a, Vec<T> counts) {
    using U = std::make_unsigned_t<T>;
    constexpr U last = 8 * sizeof(T) - 1;
    const Mask<T> within = mask_cast<T>(bitcast<U>(counts) <= last);
    if constexpr (keeps_sign<T>) {
      return shift_lanes<Direction>(a, select(within, counts, Vec<T>(T(last))));
    } else {
      return select(within, shift_lanes<Direction>(a, counts & T(last)), Vec<T>(T(0)));
    }
  }

 private:
  template <class T>
  static constexpr bool keeps_sign = std::is_same_v<Direction, Right> && std::is_signed_v<T>;
};

}  // namespace

void fill_bitwise(Kernels& kernels) {
  for_each(Unsigned{}, [&](auto zero) {
    using T = decltype(zero);
    using S = std::make_signed_t<T>;
    set_both<T>(kernels, OP_bitwise_and, binary_loop<And, T, T>);
    set_both<T>(kernels, OP_bitwise_or, binary_loop<Or, T, T>);
    set_both<T>(kernels, OP_bitwise_xor, binary_loop<Xor, T, T>);
    set_both<T>(kernels, OP_bitwise_invert, unary_loop<Invert, T, T>);
    set_both<T>(kernels, OP_bitwise_left_shift, binary_loop<Shift<Left>, T, T>);
    set<T>(kernels, OP_bitwise_right_shift, binary_loop<Shift<Right>, T, T>);
    set<S>(kernels, OP_bitwise_right_shift, binary_loop<Shift<Right>, S, S>);
  });
}

}  // namespace COREPY_TARGET
}  // namespace corepy
