// The kernels of the table, at every instruction set of this processor, against plain C++: for each
// layout that a loop tells apart, and sizes around those of vectors.
#include <algorithm>
#include <complex>
#include <vector>

#include "check.hpp"
#include "kernels.hpp"
#include "movement.hpp"
#include "products.hpp"
#include "search.hpp"
#include "types.hpp"

using namespace corepy;
using test::expect;
using test::number;

namespace {

constexpr long sizes[] = {0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 129, 1000};
constexpr long most = 1000;

// n elements with a step between them; -1 is backwards, 0 the same for all.
template <class T>
struct Operand {
  std::vector<T> memory;
  long step;

  Operand(long n, long step) : memory(size_t(n * (step < 0 ? -step : step) + 8)), step(step) {
    for (long i = 0; i < n; i++) at(i, n) = number<T>(i + 3 * step);
  }
  T& at(long i, long n) { return memory[size_t(step < 0 ? (i - n + 1) * step : i * step)]; }
  char* data(long n) { return reinterpret_cast<char*>(&at(0, n)); }
  ptrdiff_t bytes() const { return step * ptrdiff_t(sizeof(T)); }
};

template <class Out, class T, class F>
void binary(Operation operation, F expected) {
  const kernel loop = kernels().table[operation][dtype_of<T>].loop;
  const char* what = operations[operation].name;
  const long layouts[][3] = {{1, 1, 1}, {1, 1, 0},  {1, 0, 1}, {1, 2, 1}, {1, 1, 2},
                             {2, 1, 1}, {1, -1, 3}, {3, 2, 0}, {1, 0, 0}};
  for (const auto& steps : layouts) {
    for (long n : sizes) {
      Operand<T> x(n, steps[1]), y(n, steps[2]);
      if constexpr (std::is_integral_v<T>) {
        for (T& exponent : y.memory) exponent = operation == OP_pow ? T(exponent & 7) : exponent;
      }
      using Stored = std::conditional_t<is_bool<Out>, uint8_t, Out>;
      Operand<Stored> out(n, steps[0]);
      char* const data[] = {out.data(n), x.data(n), y.data(n)};
      const ptrdiff_t byte_steps[] = {out.bytes(), x.bytes(), y.bytes()};
      loop(n, data, byte_steps);
      for (long i = 0; i < n; i++) {
        expect(out.at(i, n), Stored(expected(x.at(i, n), y.at(i, n))), what, test::name<T>(), i);
      }
    }
  }
}

template <class Out, class T, class F>
void unary(kernel loop, const char* what, F expected) {
  for (long out_step : {1, 2}) {
    for (long step : {1, 2, 3, -1, -2, 0}) {
      for (long n : sizes) {
        Operand<T> x(n, step);
        using Stored = std::conditional_t<is_bool<Out>, uint8_t, Out>;
        Operand<Stored> out(n, out_step);
        char* const data[] = {out.data(n), x.data(n)};
        const ptrdiff_t byte_steps[] = {out.bytes(), x.bytes()};
        loop(n, data, byte_steps);
        for (long i = 0; i < n; i++) {
          expect(out.at(i, n), Stored(expected(x.at(i, n))), what, test::name<T>(), i);
        }
      }
    }
  }
}
template <class Out, class T, class F>
void unary(Operation operation, F expected) {
  unary<Out, T>(kernels().table[operation][dtype_of<T>].loop, operations[operation].name, expected);
}

template <class T>
void where() {
  const kernel loop = kernels().table[OP_where][dtype_of<T>].loop;
  for (long step1 : {0, 1, 2}) {
    for (long step2 : {0, 1, -1}) {
      for (long condition_step : {1, 3}) {
        for (long n : sizes) {
          Operand<uint8_t> condition(n, condition_step);
          for (uint8_t& byte : condition.memory) byte = uint8_t(byte % 3);
          Operand<T> x(n, step1), y(n, step2), out(n, 1);
          char* const data[] = {out.data(n), condition.data(n), x.data(n), y.data(n)};
          const ptrdiff_t steps[] = {out.bytes(), condition.bytes(), x.bytes(), y.bytes()};
          loop(n, data, steps);
          for (long i = 0; i < n; i++) {
            const T expected = condition.at(i, n) ? x.at(i, n) : y.at(i, n);
            expect(out.at(i, n), expected, "where", test::name<T>(), i);
          }
        }
      }
    }
  }
}

// What x86-64 makes of a float, as casts do on every machine.
template <class To, class From>
To cast_of(From value) {
  if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    if constexpr (std::is_same_v<To, uint64_t>) {
      if (value >= From(0x1p63))
        return uint64_t(cast_of<int64_t>(value - From(0x1p63))) ^ 1ull << 63;
    }
    using Through =
        std::conditional_t<(sizeof(To) < 4) || std::is_same_v<To, int32_t>, int32_t, int64_t>;
    const From limit = -From(std::numeric_limits<Through>::min());
    const bool in_range = std::trunc(value) >= -limit && value < limit;
    return To(in_range ? Through(value) : std::numeric_limits<Through>::min());
  } else {
    return To(value);
  }
}

template <class From, class... To>
void casts_from(Types<To...>) {
  (unary<To, From>(cast_kernel(dtype_of<From>, dtype_of<To>), "cast",
                   [](From x) { return cast_of<To>(x); }),
   ...);
  unary<Bool, From>(cast_kernel(dtype_of<From>, DTYPE_bool), "cast to bool",
                    [](From x) { return x != 0; });
}

template <class T>
void common() {
  const auto wrapped = [](auto f) {
    return [f](T a, T b) {
      if constexpr (std::is_integral_v<T>)
        return T(f(uint64_t(a), uint64_t(b)));
      else
        return f(a, b);
    };
  };
  binary<T, T>(OP_add, wrapped([](auto a, auto b) { return a + b; }));
  binary<T, T>(OP_subtract, wrapped([](auto a, auto b) { return a - b; }));
  binary<T, T>(OP_multiply, wrapped([](auto a, auto b) { return a * b; }));
  unary<T, T>(OP_square, [](T a) {
    if constexpr (std::is_integral_v<T>)
      return T(uint64_t(a) * uint64_t(a));
    else
      return a * a;
  });
  binary<Bool, T>(OP_equal, [](T a, T b) { return a == b; });
  binary<Bool, T>(OP_not_equal, [](T a, T b) { return a != b; });
  binary<Bool, T>(OP_less, [](T a, T b) { return a < b; });
  binary<Bool, T>(OP_less_equal, [](T a, T b) { return a <= b; });
  binary<Bool, T>(OP_greater, [](T a, T b) { return a > b; });
  binary<Bool, T>(OP_greater_equal, [](T a, T b) { return a >= b; });
  binary<Bool, T>(OP_logical_and, [](T a, T b) { return a != 0 && b != 0; });
  binary<Bool, T>(OP_logical_xor, [](T a, T b) { return (a != 0) != (b != 0); });
  unary<Bool, T>(OP_logical_not, [](T a) { return a == 0; });
  where<T>();
  casts_from<T>(Signed{});
  casts_from<T>(Unsigned{});
  casts_from<T>(Floats{});
}

template <class T>
T floor_quotient(T x, T y) {
  if (y == 0) return 0;
  if (std::is_signed_v<T> && y == T(-1)) return T(0 - uint64_t(x));
  const T quotient = T(x / y);
  return x % y != 0 && (x < 0) != (y < 0) ? T(quotient - 1) : quotient;
}

template <class T>
void integers() {
  constexpr uint64_t width = 8 * sizeof(T);
  common<T>();
  binary<T, T>(OP_bitwise_and, [](T a, T b) { return T(a & b); });
  binary<T, T>(OP_bitwise_xor, [](T a, T b) { return T(a ^ b); });
  unary<T, T>(OP_bitwise_invert, [](T a) { return T(~a); });
  binary<T, T>(OP_bitwise_left_shift,
               [](T a, T b) { return uint64_t(b) < width ? T(uint64_t(a) << b) : T(0); });
  binary<T, T>(OP_bitwise_right_shift, [](T a, T b) {
    return uint64_t(b) < width ? T(a >> b) : a < 0 ? T(-1) : T(0);
  });
  binary<T, T>(OP_maximum, [](T a, T b) { return a > b ? a : b; });
  binary<T, T>(OP_minimum, [](T a, T b) { return a < b ? a : b; });
  binary<T, T>(OP_floor_divide, floor_quotient<T>);
  binary<T, T>(OP_remainder, [](T a, T b) {
    return b == 0 ? T(0) : T(uint64_t(a) - uint64_t(floor_quotient(a, b)) * uint64_t(b));
  });
  binary<T, T>(OP_pow, [](T a, T b) {
    uint64_t power = 1;
    for (T i = 0; i < b; i++) power *= uint64_t(a);
    return T(power);
  });
  unary<T, T>(OP_sign, [](T a) { return T((a > 0) - (a < 0)); });
  unary<T, T>(OP_abs, [](T a) { return a < 0 ? T(0 - uint64_t(a)) : a; });
}

template <class T>
void floats() {
  common<T>();
  binary<T, T>(OP_divide, [](T a, T b) { return a / b; });
  binary<T, T>(OP_copysign, [](T a, T b) { return std::copysign(a, b); });
  binary<T, T>(OP_remainder, [](T a, T b) {
    const T rest = std::fmod(a, b);
    if (rest == 0) return std::copysign(rest, b);
    return (rest < 0) != (b < 0) ? rest + b : rest;
  });
  unary<T, T>(OP_floor, [](T a) { return std::floor(a); });
  unary<T, T>(OP_ceil, [](T a) { return std::ceil(a); });
  unary<T, T>(OP_trunc, [](T a) { return std::trunc(a); });
  unary<T, T>(OP_round, [](T a) { return std::nearbyint(a); });
  unary<T, T>(OP_sqrt, [](T a) { return std::sqrt(a); });
  unary<T, T>(OP_abs, [](T a) { return std::fabs(a); });
  unary<T, T>(OP_negative, [](T a) { return -a; });
  unary<Bool, T>(OP_isnan, [](T a) { return std::isnan(a); });
  unary<Bool, T>(OP_isinf, [](T a) { return std::isinf(a); });
  unary<Bool, T>(OP_isfinite, [](T a) { return std::isfinite(a); });
  unary<Bool, T>(OP_signbit, [](T a) { return std::signbit(a); });
}

// Against the C++ library's function, and the same bits in each layout.
template <class T>
void complex(Operation operation, std::complex<double> (*function)(const std::complex<double>&)) {
  const kernel loop = kernels().table[operation][dtype_of<Complex<T>>].loop;
  const char* what = operations[operation].name;
  for (long out_step : {1, 2}) {
    for (long step : {1, 3, -1, 0}) {
      for (long n : sizes) {
        std::vector<T> parts(size_t(2 * n + 8));
        for (T& v : parts) v = T(double(test::random_bits() >> 11) / 0x1p51 - 2);
        std::vector<Complex<T>> in(size_t(4 * n + 4)), out(size_t(2 * n + 2));
        for (size_t i = 0; i < in.size(); i++) {
          in[i] = {parts[i % parts.size()], parts[(7 * i + 3) % parts.size()]};
        }
        Complex<T>* const first = in.data() + (step < 0 ? n : 0);
        const ptrdiff_t itemsize = sizeof(Complex<T>);
        char* const data[] = {reinterpret_cast<char*>(out.data()), reinterpret_cast<char*>(first)};
        const ptrdiff_t byte_steps[] = {out_step * itemsize, step * itemsize};
        loop(n, data, byte_steps);
        for (long i = 0; i < n; i++) {
          Complex<T> alone, z = first[i * step], w = out[size_t(i * out_step)];
          char* const one[] = {reinterpret_cast<char*>(&alone), reinterpret_cast<char*>(&z)};
          loop(1, one, byte_steps);
          expect(w.real, alone.real, what, test::name<T>(), i);
          expect(w.imag, alone.imag, what, test::name<T>(), i);
          const std::complex<double> exact = function({z.real, z.imag});
          const double error = std::abs(exact - std::complex<double>(w.real, w.imag));
          const double most = 16 * double(std::numeric_limits<T>::epsilon());
          expect(error <= most * std::abs(exact), true, what, test::name<T>(), i);
        }
      }
    }
  }
}

template <class T>
void complex_functions() {
  using Number = const std::complex<double>&;
  complex<T>(OP_acos, [](Number z) { return std::acos(z); });
  complex<T>(OP_acosh, [](Number z) { return std::acosh(z); });
  complex<T>(OP_asin, [](Number z) { return std::asin(z); });
  complex<T>(OP_asinh, [](Number z) { return std::asinh(z); });
  complex<T>(OP_atan, [](Number z) { return std::atan(z); });
  complex<T>(OP_atanh, [](Number z) { return std::atanh(z); });
  complex<T>(OP_cos, [](Number z) { return std::cos(z); });
  complex<T>(OP_cosh, [](Number z) { return std::cosh(z); });
  complex<T>(OP_exp, [](Number z) { return std::exp(z); });
  complex<T>(OP_log, [](Number z) { return std::log(z); });
  complex<T>(OP_log10, [](Number z) { return std::log10(z); });
  complex<T>(OP_sin, [](Number z) { return std::sin(z); });
  complex<T>(OP_sinh, [](Number z) { return std::sinh(z); });
  complex<T>(OP_sqrt, [](Number z) { return std::sqrt(z); });
  complex<T>(OP_tan, [](Number z) { return std::tan(z); });
  complex<T>(OP_tanh, [](Number z) { return std::tanh(z); });
}

// ---- inputs that another thread changes between two looks at them

// Marks of numbers that are not in the range that was measured before.
template <class T>
void marks_of_changed() {
  constexpr long length = 7, around = 300;
  for (long n : sizes) {
    std::vector<T> x(size_t(n + 1));
    for (long i = 0; i < n; i++) x[size_t(i)] = number<T>(i);
    const T least = number<T>(5);
    std::vector<uint8_t> table(size_t(length + 2 * around), uint8_t(0)), expected = table;
    for (long i = 0; i < n; i++) {
      const uint64_t at = uint64_t(x[size_t(i)]) - uint64_t(least);
      if (at < uint64_t(length)) expected[size_t(around) + at] = 1;
    }
    mark_in_range(dtype_of<T>, n, reinterpret_cast<const char*>(x.data()), int64_t(least),
                  uint64_t(length - 1), table.data() + around);
    for (size_t i = 0; i < table.size(); i++) {
      expect(table[i], expected[i], "mark_in_range", test::name<T>(), long(i) - around);
    }
  }
}

// Copies of numbers that are others than those that were added up.
void repeat_of_changed() {
  constexpr long around = 64;
  for (ptrdiff_t itemsize : {1, 2, 3, 4, 8, 16}) {
    for (long n : sizes) {
      for (int64_t other : {int64_t(-1), int64_t(0), int64_t(5), int64_t(1) << 40, -most << 40}) {
        std::vector<int64_t> numbers(size_t(n), 3);
        Counts counts;
        expect(add_counts(n, numbers.data(), &counts), true, "add_counts", "int64", n);
        const std::vector<char> in(size_t(n * itemsize + 1), 'i');
        std::vector<char> out(size_t(3 * n * itemsize + 2 * around), 'o');
        for (long i = 0; i < n; i++) numbers[size_t(i)] = i % 3 == 0 ? other : 1;
        repeat_each(1, itemsize, counts, in.data(), out.data() + around);
        for (long i = 0; i < around; i++) {
          expect(out[size_t(i)], 'o', "repeat_each", "before", i);
          expect(out[out.size() - 1 - size_t(i)], 'o', "repeat_each", "behind", i);
        }
      }
    }
  }
}

// ---- products of matrices

// Of small integers, whose sums are exact in any order, and of transposed matrices.
template <class T>
void matrices(ptrdiff_t rows, ptrdiff_t terms, ptrdiff_t columns, bool transposed) {
  constexpr ptrdiff_t size = sizeof(T);
  std::vector<T> a(size_t(rows * terms)), b(size_t(terms * columns)), out(size_t(rows * columns));
  for (auto* each : {&a, &b}) {
    for (T& element : *each) element = T(test::random_bits() % 17) - 8;
  }
  const ptrdiff_t a_row = transposed ? 1 : terms, a_step = transposed ? rows : 1;
  const ptrdiff_t b_row = transposed ? 1 : columns, b_column = transposed ? terms : 1;
  MatrixProduct p = {rows, terms, columns};
  p.a = reinterpret_cast<char*>(a.data()), p.a_row = a_row * size, p.a_step = a_step * size;
  p.b = reinterpret_cast<char*>(b.data()), p.b_row = b_row * size, p.b_column = b_column * size;
  p.out = reinterpret_cast<char*>(out.data()), p.out_row = columns * size;
  const auto check = [&](const char* what) {
    for (ptrdiff_t i = 0; i < rows * columns; i++) {
      T sum = 0;
      for (ptrdiff_t k = 0; k < terms; k++) {
        sum += a[size_t(i / columns * a_row + k * a_step)] *
               b[size_t(k * b_row + i % columns * b_column)];
      }
      expect(out[size_t(i)], sum, what, test::name<T>(), i);
      out[size_t(i)] = -1;
    }
  };
  multiply_matrix(dtype_of<T>, p);
  check("product of matrices");
  if (has_tiles(dtype_of<T>)) {
    expect(multiply_tiles(dtype_of<T>, p), true, "multiply_tiles", test::name<T>(), 0);
    check("product in tiles");
  }
}
template <class T>
void matrices() {
  for (ptrdiff_t rows : {1, 2, 7, 8, 13, 24, 101}) {
    for (ptrdiff_t terms : {1, 2, 255, 515}) {
      for (ptrdiff_t columns : {1, 3, 8, 9, 16, 33}) {
        matrices<T>(rows, terms, columns, false);
        matrices<T>(rows, terms, columns, true);
      }
    }
  }
}

// ---- products of matrices of 8 and 4 bits

// Rows with a group that is not finite, and one of numbers so small that they count as 0.
void rounded() {
  for (long n : {1, 31, 32, 33, 70}) {
    std::vector<float> x;
    for (long i = 0; i < n; i++) x.push_back(number<float>(3 * i + 1));
    if (n == 33) x[32] = INFINITY;
    for (size_t i = 32; n == 70 && i < 64; i++) x[i] = 0x1p-110f;
    std::vector<RoundedGroup> groups(size_t((n + GROUP - 1) / GROUP));
    kernels().quantized.round(n, x.data(), groups.data());
    for (size_t g = 0; g < groups.size(); g++) {
      const size_t begin = g * GROUP, end = std::min(begin + GROUP, size_t(n));
      float largest = 0;
      bool finite = true;
      for (size_t i = begin; i < end; i++) {
        largest = std::fmax(largest, std::fabs(x[i]));
        finite = finite && std::isfinite(x[i]);
      }
      expect(groups[g].scale, finite ? largest / 127 : NAN, "scale", "float32", long(g));
      int32_t sum = 0;
      for (size_t i = begin; i < begin + GROUP; i++) {
        const float multiple =
            i < end && finite && largest >= 0x1p-100f ? x[i] * (127 / largest) : 0;
        const int8_t q = int8_t(std::nearbyint(multiple));
        expect(groups[g].q[i - begin], q, "rounded", "float32", long(i));
        sum += q;
      }
      expect(groups[g].sum, sum, "sum of a group", "float32", long(g));
    }
  }
}

// Of rows whose integers are the extreme ones or any. The sums of groups are added in their order.
template <int bits, class Factor>
void quantized(long rows, long columns, long groups) {
  constexpr bool half = sizeof(Factor) == 2;
  std::vector<RoundedGroup> x(size_t(rows * groups));
  for (RoundedGroup& group : x) {
    const uint64_t kind = test::random_bits() % 4;
    group.sum = 0;
    group.scale = float(test::random_bits() % 1000) / 7;
    for (int8_t& q : group.q) {
      q = int8_t(kind == 0 ? 127 : kind == 1 ? -127 : long(test::random_bits() % 255) - 127);
      group.sum += q;
    }
  }
  const long blocks = (columns + BLOCK_ROWS - 1) / BLOCK_ROWS;
  constexpr long bytes = block_bytes(bits, half), q_bytes = BLOCK_ROWS * GROUP * bits / 8;
  std::vector<char> matrix(size_t(blocks * groups * bytes));
  for (long block = 0; block < blocks * groups; block++) {
    char* const start = matrix.data() + block * bytes;
    const uint64_t kind = test::random_bits() % 4;
    for (long i = 0; i < q_bytes; i++) {
      start[i] = char(kind == 0 ? 0x80 : kind == 1 ? 0xff : test::random_bits());
    }
    for (long i = q_bytes; i < bytes; i += sizeof(Factor)) {
      const Factor factor = Factor(number<float>(3 * (i % 7) + 1) * 0x1p-10f);
      std::memcpy(start + i, &factor, sizeof(factor));
    }
  }
  std::vector<float> out(size_t(rows * columns), -1.0f);
  const QuantizedProduct p = {bits,   half,     rows,          columns,
                              groups, x.data(), matrix.data(), out.data()};
  kernels().quantized.multiply[bits == 8][half](p, 0, blocks);
  for (long i = 0; i < rows * columns; i++) {
    const long column = i % columns, lane = column % BLOCK_ROWS;
    float total = 0;
    for (long g = 0; g < groups; g++) {
      const RoundedGroup& group = x[size_t(i / columns * groups + g)];
      const char* const block = matrix.data() + (column / BLOCK_ROWS * groups + g) * bytes;
      const auto factor = [&](long which) {
        Factor value;
        std::memcpy(&value, block + q_bytes + (which * BLOCK_ROWS + lane) * sizeof(Factor),
                    sizeof(value));
        return float(value);
      };
      int32_t sum = 0;
      for (long k = 0; k < GROUP; k++) {
        const long at = bits == 8 ? k : k % (GROUP / 2);
        const char byte = block[at / 4 * 4 * BLOCK_ROWS + lane * 4 + at % 4];
        const int q = bits == 8 ? int8_t(byte) : uint8_t(byte) >> (k < GROUP / 2 ? 0 : 4) & 15;
        sum += q * group.q[k];
      }
      total = total + float(sum) * (factor(0) * group.scale);
      if (bits == 4) total = total + factor(1) * (group.scale * float(group.sum));
    }
    expect(out[size_t(i)], total, bits == 8 ? "product of 8 bits" : "product of 4 bits",
           half ? "float16" : "float32", i);
  }
}
void quantized() {
  rounded();
  for (long rows : {1, 2, 3, 4, 5, 6, 8, 9, 12, 13, 23}) {
    for (long columns : {1, 15, 16, 17, 33, 64, 100}) {
      for (long groups : {1, 2, 7, 40}) {
        quantized<8, float>(rows, columns, groups);
        quantized<8, Float16>(rows, columns, groups);
        quantized<4, float>(rows, columns, groups);
        quantized<4, Float16>(rows, columns, groups);
      }
    }
  }
}

}  // namespace

int main() {
  for (int level = 0; simd_level(level); level++) {
    use_simd(simd_level(level));
    for_each(Signed{}, [](auto zero) { marks_of_changed<decltype(zero)>(); });
    for_each(Unsigned{}, [](auto zero) { marks_of_changed<decltype(zero)>(); });
    repeat_of_changed();
    for_each(Signed{}, [](auto zero) { integers<decltype(zero)>(); });
    for_each(Unsigned{}, [](auto zero) { integers<decltype(zero)>(); });
    for_each(Floats{}, [](auto zero) { floats<decltype(zero)>(); });
    for_each(Floats{}, [](auto zero) { complex_functions<decltype(zero)>(); });
    for_each(Floats{}, [](auto zero) { matrices<decltype(zero)>(); });
    quantized();
    std::printf("%s: ", simd_level(level));
    if (test::report("kernels") != 0) return 1;
  }
  return 0;
}
