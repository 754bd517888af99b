// Functors: sums, products, signs and the parts of complex numbers. Integers wrap around; of bool,
// a sum is "or", and a product "and".
#pragma once

#include "floating.cuh"

namespace corepy {
namespace op {

// A copy, or a cast to another dtype of the output.
template <class T>
struct copy {
  using type = T;
  COREPY_DEVICE T operator()(T x) const { return x; }
};

// A copy of numbers to sort: radix sorts put NaNs with a sign first.
template <class T>
struct positive_nan {
  using type = T;
  COREPY_DEVICE T operator()(T x) const { return x == x ? x : nan<T>(); }
};

template <class T>
struct add {
  using type = T;
  COREPY_DEVICE T operator()(T x, T y) const {
    if constexpr (is_complex<T>) {
      return {x.real + y.real, x.imag + y.imag};
    } else if constexpr (is_bool<T>) {
      return x || y;
    } else if constexpr (is_integer<T>) {
      return T(wrapping<T>(x) + wrapping<T>(y));
    } else {
      return x + y;
    }
  }
};

template <class T>
struct subtract {
  using type = T;
  COREPY_DEVICE T operator()(T x, T y) const {
    if constexpr (is_complex<T>) {
      return {x.real - y.real, x.imag - y.imag};
    } else if constexpr (is_integer<T>) {
      return T(wrapping<T>(x) - wrapping<T>(y));
    } else {
      return x - y;
    }
  }
};

template <class T>
struct multiply {
  using type = T;
  COREPY_DEVICE T operator()(T x, T y) const {
    if constexpr (is_complex<T>) {
      return {fused(x.real, y.real, -(x.imag * y.imag)), fused(x.real, y.imag, x.imag * y.real)};
    } else if constexpr (is_bool<T>) {
      return x && y;
    } else if constexpr (is_integer<T>) {
      return T(wrapping<T>(x) * wrapping<T>(y));
    } else {
      return x * y;
    }
  }
};

template <class T>
struct square {
  using type = T;
  COREPY_DEVICE T operator()(T x) const { return multiply<T>()(x, x); }
};

template <class T>
struct negative {
  using type = T;
  COREPY_DEVICE T operator()(T x) const {
    if constexpr (is_complex<T>) {
      return {-x.real, -x.imag};
    } else if constexpr (is_integer<T>) {
      return T(wrapping<T>(0) - wrapping<T>(x));
    } else {
      return -x;
    }
  }
};

template <class T>
struct positive : copy<T> {};

// The lowest integer is returned unchanged.
template <class T>
struct abs {
  using type = T;
  COREPY_DEVICE T operator()(T x) const {
    if constexpr (is_floating<T>) {
      return magnitude(x);
    } else if constexpr (is_signed<T>) {
      return x < 0 ? negative<T>()(x) : x;
    } else {
      return x;
    }
  }
};

// 0 for either zero, NaN for NaN.
template <class T>
struct sign {
  using type = T;
  COREPY_DEVICE T operator()(T x) const {
    if constexpr (is_floating<T>) {
      if (is_nan(x)) return x;
    }
    if constexpr (is_signed<T>) {
      return T(int(x > T(0)) - int(x < T(0)));
    } else {
      return T(x != T(0));
    }
  }
};

template <class T>
struct conj {
  using type = T;
  COREPY_DEVICE T operator()(T x) const {
    if constexpr (is_complex<T>) {
      return {x.real, -x.imag};
    } else {
      return x;
    }
  }
};

template <class T>
struct real {
  using type = T;
  COREPY_DEVICE component<T> operator()(T x) const {
    if constexpr (is_complex<T>) {
      return x.real;
    } else {
      return x;
    }
  }
};

template <class T>
struct imag {
  using type = T;
  COREPY_DEVICE component<T> operator()(T x) const {
    if constexpr (is_complex<T>) {
      return x.imag;
    } else {
      return T(0);
    }
  }
};

}  // namespace op
}  // namespace corepy
