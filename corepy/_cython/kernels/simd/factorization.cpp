// Factorizations of stacks of small matrices: det, inv, solve, cholesky. LAPACK computes large
// ones; its calls cost more than all the arithmetic of a 3 x 3 matrix.
#include <algorithm>
#include <cmath>

#include "elements.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

namespace {

// Arithmetic with one notation for real and complex numbers.
template <class T>
inline T conjugate(T a) {
  return a;
}
template <class T>
inline Complex<T> conjugate(Complex<T> a) {
  return {a.real, -a.imag};
}
template <class T>
inline T over(T a, T b) {
  return a / b;
}
// Smith's algorithm, as in division.cpp.
template <class T>
inline Complex<T> over(Complex<T> a, Complex<T> b) {
  if (std::fabs(b.real) >= std::fabs(b.imag)) {
    const T ratio = b.imag / b.real, denominator = b.real + b.imag * ratio;
    return {(a.real + a.imag * ratio) / denominator, (a.imag - a.real * ratio) / denominator};
  }
  const T ratio = b.real / b.imag, denominator = b.real * ratio + b.imag;
  return {(a.real * ratio + a.imag) / denominator, (a.imag * ratio - a.real) / denominator};
}
// The criterion for pivots: |a|, or for complex numbers |real| + |imag|, as in LAPACK.
template <class T>
inline T size_of(T a) {
  return std::fabs(a);
}
template <class T>
inline T size_of(Complex<T> a) {
  return std::fabs(a.real) + std::fabs(a.imag);
}
template <class T>
inline T real_of(T a) {
  return a;
}
template <class T>
inline T real_of(Complex<T> a) {
  return a.real;
}
template <class E>
inline E number(double value) {
  if constexpr (is_complex<E>) {
    return {decltype(E::real)(value), 0};
  } else {
    return E(value);
  }
}

// A matrix of at most SMALL_MATRIX rows, close together.
template <class E>
struct Small {
  ptrdiff_t rows, columns;
  E elements[SMALL_MATRIX][SMALL_MATRIX];

  void read(ptrdiff_t rows, ptrdiff_t columns, const char* from, ptrdiff_t row, ptrdiff_t column) {
    this->rows = rows;
    this->columns = columns;
    for (ptrdiff_t i = 0; i < rows; i++) {
      for (ptrdiff_t j = 0; j < columns; j++) elements[i][j] = load<E>(from + i * row + j * column);
    }
  }
  void write(char* to) const {
    for (ptrdiff_t i = 0; i < rows; i++) {
      for (ptrdiff_t j = 0; j < columns; j++, to += sizeof(E)) store<E>(to, elements[i][j]);
    }
  }
  void swap_rows(ptrdiff_t a, ptrdiff_t b) {
    std::swap_ranges(elements[a], elements[a] + columns, elements[b]);
  }
};

// Gaussian elimination with partial pivoting, in place, of a square matrix `a` and the right-hand
// sides, if there are any. Returns the number of exchanged rows, or -1 if a pivot is 0.
template <class E>
int eliminate(Small<E>& a, Small<E>* sides) {
  int exchanges = 0;
  for (ptrdiff_t k = 0; k < a.rows; k++) {
    ptrdiff_t pivot = k;
    for (ptrdiff_t i = k + 1; i < a.rows; i++) {
      if (size_of(a.elements[i][k]) > size_of(a.elements[pivot][k])) pivot = i;
    }
    if (size_of(a.elements[pivot][k]) == 0) return -1;
    if (pivot != k) {
      a.swap_rows(pivot, k);
      if (sides) sides->swap_rows(pivot, k);
      exchanges++;
    }
    for (ptrdiff_t i = k + 1; i < a.rows; i++) {
      const E factor = over(a.elements[i][k], a.elements[k][k]);
      for (ptrdiff_t j = k + 1; j < a.columns; j++) {
        a.elements[i][j] = a.elements[i][j] - factor * a.elements[k][j];
      }
      for (ptrdiff_t j = 0; sides && j < sides->columns; j++) {
        sides->elements[i][j] = sides->elements[i][j] - factor * sides->elements[k][j];
      }
    }
  }
  return exchanges;
}

template <class E>
bool determinant(const SmallMatrix& m) {
  Small<E> a;
  a.read(m.rows, m.rows, m.a, m.a_row, m.a_column);
  const int exchanges = eliminate<E>(a, nullptr);
  E product = number<E>(exchanges < 0 ? 0 : exchanges % 2 ? -1 : 1);
  for (ptrdiff_t k = 0; exchanges >= 0 && k < m.rows; k++) {
    product = product * a.elements[k][k];
  }
  store<E>(m.out, product);
  return true;
}

// The logarithm is summed, since the determinant itself may overflow.
template <class E>
bool log_determinant(const SmallMatrix& m) {
  Small<E> a;
  a.read(m.rows, m.rows, m.a, m.a_row, m.a_column);
  const int exchanges = eliminate<E>(a, nullptr);
  if (exchanges < 0) return false;
  bool negative = exchanges % 2;
  double sum = 0;
  for (ptrdiff_t k = 0; k < m.rows; k++) {
    const double pivot = static_cast<double>(a.elements[k][k]);
    negative ^= pivot < 0;
    sum += std::log(std::abs(pivot));
  }
  if (!std::isfinite(sum)) return false;
  store<E>(m.out, static_cast<E>(negative ? -1 : 1));
  store<E>(m.out + sizeof(E), static_cast<E>(sum));
  return true;
}

// Solves a x = b; without a `b`, for the identity.
template <class E>
bool solution(const SmallMatrix& m) {
  Small<E> a, b;
  a.read(m.rows, m.rows, m.a, m.a_row, m.a_column);
  if (m.b) {
    b.read(m.rows, m.columns, m.b, m.b_row, m.b_column);
  } else {
    b.rows = b.columns = m.rows;
    for (ptrdiff_t i = 0; i < m.rows; i++) {
      for (ptrdiff_t j = 0; j < m.rows; j++) b.elements[i][j] = number<E>(i == j);
    }
  }
  if (eliminate(a, &b) < 0) return false;
  for (ptrdiff_t i = m.rows - 1; i >= 0; i--) {
    for (ptrdiff_t j = 0; j < b.columns; j++) {
      E rest = b.elements[i][j];
      for (ptrdiff_t k = i + 1; k < m.rows; k++) {
        rest = rest - a.elements[i][k] * b.elements[k][j];
      }
      b.elements[i][j] = over(rest, a.elements[i][i]);
    }
  }
  b.write(m.out);
  return true;
}

// The lower factor; read from the lower triangle of `a`.
template <class E>
bool cholesky(const SmallMatrix& m) {
  Small<E> a;
  a.read(m.rows, m.rows, m.a, m.a_row, m.a_column);
  for (ptrdiff_t j = 0; j < m.rows; j++) {
    auto square = real_of(a.elements[j][j]);
    for (ptrdiff_t k = 0; k < j; k++) {
      square -= real_of(a.elements[j][k] * conjugate(a.elements[j][k]));
    }
    if (!(square > 0)) return false;
    const auto diagonal = std::sqrt(square);
    a.elements[j][j] = number<E>(diagonal);
    for (ptrdiff_t i = j + 1; i < m.rows; i++) {
      E rest = a.elements[i][j];
      for (ptrdiff_t k = 0; k < j; k++) {
        rest = rest - a.elements[i][k] * conjugate(a.elements[j][k]);
      }
      a.elements[i][j] = over(rest, a.elements[j][j]);
      a.elements[j][i] = number<E>(0);
    }
  }
  a.write(m.out);
  return true;
}

}  // namespace

void fill_factorizations(Kernels& kernels) {
  const auto fill = [&](auto zero) {
    using E = decltype(zero);
    kernels.determinant[dtype_of<E>] = determinant<E>;
    kernels.solution[dtype_of<E>] = solution<E>;
    kernels.cholesky[dtype_of<E>] = cholesky<E>;
  };
  for_each(Floats{}, fill);
  for_each(Complexes{}, fill);
  for_each(Floats{}, [&](auto zero) {
    using E = decltype(zero);
    kernels.log_determinant[dtype_of<E>] = log_determinant<E>;
  });
}

}  // namespace COREPY_TARGET
}  // namespace corepy
