// Every operation of Vec<T> and Mask<T> against the same in plain C++, lane by lane. Compiled once
// for each instruction set.
#include "check.hpp"
#include "simd/complex.hpp"
#include "simd/integer_division.hpp"

using namespace corepy;
using test::expect;
using test::number;

namespace {

template <class T>
using Wrap = typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>,
                                         std::common_type<T>>::type;

template <class T>
struct Test {
  static constexpr int size = int(Vec<T>::size);
  using U = Unsigned_of<T>;
  using S = Signed_of<T>;
  const char* const type = test::name<T>();
  T a[size], b[size], c[size];

  template <class V, class F>
  void lanes(const char* what, V actual, F expected) {
    using E = typename V::element;
    E out[V::size];
    actual.store(out);
    for (int i = 0; i < int(V::size); i++) expect(out[i], E(expected(i)), what, type, i);
  }
  template <class F>
  void lanes_of_mask(const char* what, Mask<T> actual, F expected) {
    uint8_t bytes[size];
    store_bools(actual, bytes);
    bool some = false, every = true;
    for (int i = 0; i < size; i++) {
      const bool answer = expected(i);
      expect(bytes[i], uint8_t(answer), what, type, i);
      expect(uint8_t(bits(actual) >> i & 1), uint8_t(answer), what, type, i);
      some |= answer;
      every &= answer;
    }
    expect(uint8_t(any(actual)), uint8_t(some), "any", type, 0);
    expect(uint8_t(all(actual)), uint8_t(every), "all", type, 0);
    expect(uint8_t(none(actual)), uint8_t(!some), "none", type, 0);
  }

  static U as_bits(T x) {
    U bits;
    std::memcpy(&bits, &x, sizeof(T));
    return bits;
  }
  static T from_bits(U bits) {
    T x;
    std::memcpy(&x, &bits, sizeof(T));
    return x;
  }

  void memory() {
    T padded[size + 2];
    for (int n = 0; n <= size; n++) {
      lanes("load_first", Vec<T>::load_first(a, n), [&](int i) { return i < n ? a[i] : T(0); });
      for (T& x : padded) x = T(77);
      Vec<T>::load(a).store_first(padded + 1, n);
      for (int i = 0; i < size + 2; i++) {
        expect(padded[i], i >= 1 && i <= n ? a[i - 1] : T(77), "store_first", type, i);
      }
      lanes_of_mask("first", Mask<T>::first(n), [&](int i) { return i < n; });
    }
    lanes("broadcast", Vec<T>(a[0]), [&](int) { return a[0]; });
    for (int i = 0; i < size; i++) expect(Vec<T>::load(a).get(i), a[i], "get", type, i);
    uint8_t bools[size];
    for (int i = 0; i < size; i++) bools[i] = uint8_t(as_bits(b[i]) % 3);
    lanes_of_mask("from_bools", Mask<T>::from_bools(bools), [&](int i) { return bools[i] != 0; });
    for (int n = 0; n <= size; n++) {
      const Mask<T> mask = Mask<T>::from_bools_first(bools, n);
      lanes_of_mask("from_bools_first", mask, [&](int i) { return i < n && bools[i] != 0; });
      uint8_t out[size + 1];
      std::memset(out, 9, sizeof(out));
      store_bools_first(Mask<T>::from_bools(bools), out, n);
      for (int i = 0; i <= size; i++) {
        expect(out[i], uint8_t(i < n ? bools[i] != 0 : 9), "store_bools_first", type, i);
      }
    }
    const Mask<T> x = Vec<T>::load(a) < Vec<T>::load(b), y = Vec<T>::load(a) == Vec<T>::load(b);
    const Mask<T> four[4] = {x, y, ~x, Mask<T>::first(size / 2)};
    uint8_t in_a_row[4 * size], one_by_one[4 * size];
    store_bools(four, in_a_row);
    for (int k = 0; k < 4; k++) store_bools(four[k], one_by_one + k * size);
    for (int i = 0; i < 4 * size; i++) expect(in_a_row[i], one_by_one[i], "store_bools", type, i);
  }

  void arithmetic() {
    const Vec<T> x = Vec<T>::load(a), y = Vec<T>::load(b), z = Vec<T>::load(c);
    lanes("+", x + y, [&](int i) { return T(Wrap<T>(a[i]) + Wrap<T>(b[i])); });
    lanes("-", x - y, [&](int i) { return T(Wrap<T>(a[i]) - Wrap<T>(b[i])); });
    lanes("*", x * y, [&](int i) {
      if constexpr (std::is_integral_v<T>)
        return T(uint64_t(a[i]) * uint64_t(b[i]));
      else
        return a[i] * b[i];
    });
    lanes("negative", -x, [&](int i) {
      if constexpr (std::is_integral_v<T>)
        return T(0 - uint64_t(a[i]));
      else
        return -a[i];
    });
    lanes("&", x & y, [&](int i) { return from_bits(as_bits(a[i]) & as_bits(b[i])); });
    lanes("|", x | y, [&](int i) { return from_bits(as_bits(a[i]) | as_bits(b[i])); });
    lanes("^", x ^ y, [&](int i) { return from_bits(as_bits(a[i]) ^ as_bits(b[i])); });
    lanes("~", ~x, [&](int i) { return from_bits(U(~as_bits(a[i]))); });
    lanes_of_mask("==", x == y, [&](int i) { return a[i] == b[i]; });
    lanes_of_mask("!=", x != y, [&](int i) { return a[i] != b[i]; });
    lanes_of_mask("<", x < y, [&](int i) { return a[i] < b[i]; });
    lanes_of_mask("<=", x <= y, [&](int i) { return a[i] <= b[i]; });
    lanes_of_mask(">", x > y, [&](int i) { return a[i] > b[i]; });
    lanes_of_mask(">=", x >= y, [&](int i) { return a[i] >= b[i]; });
    const Mask<T> p = x < y, q = y < z;
    lanes_of_mask("mask &", p & q, [&](int i) { return (a[i] < b[i]) & (b[i] < c[i]); });
    lanes_of_mask("mask |", p | q, [&](int i) { return (a[i] < b[i]) | (b[i] < c[i]); });
    lanes_of_mask("mask ^", p ^ q, [&](int i) { return (a[i] < b[i]) != (b[i] < c[i]); });
    lanes_of_mask("mask ~", ~p, [&](int i) { return !(a[i] < b[i]); });
    lanes_of_mask("and_not", and_not(p, q), [&](int i) { return a[i] < b[i] && !(b[i] < c[i]); });
    lanes("select", select(p, y, z), [&](int i) { return a[i] < b[i] ? b[i] : c[i]; });
    lanes("min", min_of_numbers(x, y), [&](int i) { return a[i] < b[i] ? a[i] : b[i]; });
    lanes("max", max_of_numbers(x, y), [&](int i) { return a[i] > b[i] ? a[i] : b[i]; });
    lanes("abs", abs(x), [&](int i) {
      if constexpr (std::is_floating_point_v<T>)
        return std::fabs(a[i]);
      else
        return a[i] < 0 ? T(0 - uint64_t(a[i])) : a[i];
    });
  }

  void order() {
    const Vec<T> x = Vec<T>::load(a), y = Vec<T>::load(b);
    const auto both = [&](int i) { return i < size ? a[i] : b[i - size]; };
    lanes("even", even(x, y), [&](int i) { return both(2 * i); });
    lanes("odd", odd(x, y), [&](int i) { return both(2 * i + 1); });
    lanes("zip", zip(x, y).first, [&](int i) { return i % 2 ? b[i / 2] : a[i / 2]; });
    lanes("zip", zip(x, y).second,
          [&](int i) { return i % 2 ? b[(size + i) / 2] : a[(size + i) / 2]; });
    lanes("reverse", reverse(x), [&](int i) { return a[size - 1 - i]; });
    lanes("lanes exchanged", ordered<LanesExchanged<1>>(x, x), [&](int i) { return a[i ^ 1]; });
    lanes("halves exchanged", ordered<LanesExchanged<size / 2>>(x, x),
          [&](int i) { return a[i ^ (size / 2)]; });
    lanes("last_lane", last_lane(x), [&](int) { return a[size - 1]; });
    lanes("lanes moved up", ordered<MovedUp<1>>(x, y), [&](int i) { return i ? a[i - 1] : b[0]; });
    if constexpr (std::is_integral_v<T>) {
      lanes("running_sums", running_sums(x), [&](int i) {
        uint64_t sum = 0;
        for (int k = 0; k <= i; k++) sum += uint64_t(a[k]);
        return T(sum);
      });
    }
  }

  // What a mask selects.
  void selection() {
    const Vec<T> x = Vec<T>::load(a), y = Vec<T>::load(b);
    lanes("lane_numbers", lane_numbers<T>(), [&](int i) { return T(i); });
    lanes_of_mask("unordered", unordered(x, y),
                  [&](int i) { return a[i] != a[i] || b[i] != b[i]; });
    const Mask<T> mask = x < y;
    const uint64_t word = bits(mask), beyond = size < 64 ? ~uint64_t(0) << (size % 64) : 0;
    lanes_of_mask("from_bits", Mask<T>::from_bits(word | beyond),
                  [&](int i) { return a[i] < b[i]; });
    T packed[size], spread[size];
    int count = 0;
    for (int i = 0; i < size; i++) {
      spread[i] = a[i] < b[i] ? a[count] : T(0);
      if (a[i] < b[i]) packed[count++] = a[i];
    }
    T by_lanes[size], by_mask[size], in_memory[size];
    compress(x, word).store(by_lanes);
    compress(x, mask).store(by_mask);
    compress(a, word, in_memory);
    for (int i = 0; i < count; i++) {
      expect(by_lanes[i], packed[i], "compress", type, i);
      expect(by_mask[i], packed[i], "compress by a mask", type, i);
      expect(in_memory[i], packed[i], "compress in memory", type, i);
    }
#if defined(COREPY_AVX2) || defined(COREPY_AVX512)
    constexpr int words = Vec<uint32_t>::size;
    uint32_t from[words], order[words], ordered[words];
    std::memcpy(from, a, sizeof(from));
    for (int i = 0; i < words; i++) order[i] = uint32_t(5 * i + 3) % words;
    permute_words(Vec<uint32_t>::load(from), Vec<uint32_t>::load(order)).store(ordered);
    for (int i = 0; i < words; i++) expect(ordered[i], from[order[i]], "permute_words", type, i);
#endif
    lanes("expand", expand(x, word), [&](int i) { return spread[i]; });
    lanes("expand by a mask", expand(x, mask), [&](int i) { return spread[i]; });
    T stored[size];
    std::memcpy(stored, c, sizeof(c));
    store_masked(x, mask, stored);
    for (int i = 0; i < size; i++) {
      expect(stored[i], a[i] < b[i] ? a[i] : c[i], "store_masked", type, i);
    }
    if constexpr (sizeof(T) >= 4) gathers();
    if constexpr (std::is_same_v<T, uint16_t> || std::is_same_v<T, uint32_t>) {
      lanes("high_product", high_product(x, y),
            [&](int i) { return T(uint64_t(a[i]) * b[i] >> 8 * sizeof(T)); });
    }
    if constexpr (std::is_same_v<T, uint64_t>) {
      lanes("product_of_halves", product_of_halves(x, y),
            [&](int i) { return uint64_t(uint32_t(a[i])) * uint32_t(b[i]); });
    }
  }

  void gathers() {
    T table[64];
    for (int i = 0; i < 64; i++) table[i] = number<T>(i);
    const auto at = [&](int i) { return int(as_bits(b[i]) % 32) - 16; };  // from the middle
    S index[size], offsets[size];
    int64_t long_index[size];
    for (int i = 0; i < size; i++) {
      index[i] = S(at(i));
      offsets[i] = S(at(i) * int(sizeof(T)));
      long_index[i] = at(i);
    }
    const auto expected = [&](int i) { return table[32 + at(i)]; };
    lanes("gather", gather(table + 32, Vec<S>::load(index)), expected);
    const Vec<T> by_bytes = gather_scaled<1, T>(table + 32, Vec<S>::load(offsets));
    lanes("gather_scaled", by_bytes, expected);
    T few[8];
    for (int i = 0; i < 8; i++) few[i] = table[i];
    lanes("lookup", lookup(few, Vec<S>::load(index)), [&](int i) { return few[at(i) & 7]; });
    if constexpr (sizeof(T) == 4) {
      const Vec<T> first = gather_first(table + 32, Vec<int64_t>::load(long_index));
      for (int i = 0; i < int(Vec<int64_t>::size); i++) {
        expect(first.get(i), expected(i), "gather_first", type, i);
      }
    }
  }

  void integers() {
    const Vec<T> x = Vec<T>::load(a), y = Vec<T>::load(b);
    for (int by = 0; by < int(8 * sizeof(T)); by++) {
      lanes("<<", x << by, [&](int i) { return T(uint64_t(a[i]) << by); });
      lanes(">>", x >> by, [&](int i) { return T(a[i] >> by); });
    }
    const Vec<T> counts = y & T(8 * sizeof(T) - 1);
    lanes("<< lanes", x << counts, [&](int i) { return T(uint64_t(a[i]) << counts.get(i)); });
    lanes(">> lanes", x >> counts, [&](int i) { return T(a[i] >> counts.get(i)); });
    if constexpr (sizeof(T) > 1) {
      using H = std::conditional_t<sizeof(T) == 2, uint8_t,
                                   std::conditional_t<sizeof(T) == 4, uint16_t, uint32_t>>;
      lanes("narrow", narrow<H>(x, y), [&](int i) { return H(i < size ? a[i] : b[i - size]); });
    }
    if constexpr (sizeof(T) < 8) {
      using D = std::conditional_t<
          sizeof(T) == 1, std::conditional_t<std::is_signed_v<T>, int16_t, uint16_t>,
          std::conditional_t<sizeof(T) == 2,
                             std::conditional_t<std::is_signed_v<T>, int32_t, uint32_t>,
                             std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>>;
      lanes("widen", widen<D>(x).first, [&](int i) { return D(a[i]); });
      lanes("widen", widen<D>(x).second, [&](int i) { return D(a[size / 2 + i]); });
    }
    const Division<T> each = divide_lanes(x, y);
    lanes("quotient", each.quotient, [&](int i) { return floor_quotient(a[i], b[i]); });
    lanes("rest", each.remainder, [&](int i) { return floor_rest(a[i], b[i]); });
    const Division<T> all = Divisor<T>(b[0]).divide(x);
    lanes("quotient by one", all.quotient, [&](int i) { return floor_quotient(a[i], b[0]); });
    lanes("rest by one", all.remainder, [&](int i) { return floor_rest(a[i], b[0]); });
  }

  static T floor_quotient(T x, T y) {
    if (y == 0) return 0;
    if (std::is_signed_v<T> && y == T(-1)) return T(0 - uint64_t(x));
    const T quotient = T(x / y);
    return x % y != 0 && (x < 0) != (y < 0) ? T(quotient - 1) : quotient;
  }
  static T floor_rest(T x, T y) {
    return y == 0 ? T(0) : T(x - uint64_t(floor_quotient(x, y)) * y);
  }

  void floats() {
    const Vec<T> x = Vec<T>::load(a), y = Vec<T>::load(b), z = Vec<T>::load(c);
    lanes("/", x / y, [&](int i) { return a[i] / b[i]; });
    lanes("sqrt", sqrt(x), [&](int i) { return std::sqrt(a[i]); });
    lanes("floor", floor(x), [&](int i) { return std::floor(a[i]); });
    lanes("ceil", ceil(x), [&](int i) { return std::ceil(a[i]); });
    lanes("trunc", trunc(x), [&](int i) { return std::trunc(a[i]); });
    lanes("nearest", nearest(x), [&](int i) { return std::nearbyint(a[i]); });
    lanes("copysign", copysign(x, y), [&](int i) { return std::copysign(a[i], b[i]); });
    lanes("multiply_add", multiply_add(x, y, z),
          [&](int i) { return HAS_FMA ? std::fma(a[i], b[i], c[i]) : a[i] * b[i] + c[i]; });
    const auto sums = sum(x, y), products = product(x, y);
    T high[size], low[size];
    products.first.store(high);
    products.second.store(low);
    for (int i = 0; i < size; i++) {
      expect(high[i], a[i] * b[i], "product", type, i);
      const double bound = sizeof(T) == 8 ? 1e130 : 1e15, least = sizeof(T) == 8 ? 1e-130 : 1e-15;
      const bool exact = std::fabs(a[i]) < bound && std::fabs(b[i]) < bound &&
                         std::fabs(a[i]) > least && std::fabs(b[i]) > least;
      if (exact) expect(low[i], std::fma(a[i], b[i], -high[i]), "product, low", type, i);
      if (exact) {
        const T whole = a[i] + b[i], of_b = whole - a[i];
        expect(sums.first.get(i), whole, "sum", type, i);
        expect(sums.second.get(i), (a[i] - (whole - of_b)) + (b[i] - of_b), "sum, low", type, i);
      }
    }
    lanes("convert", convert<T>(Vec<S>::load(ints())), [&](int i) { return T(ints()[i]); });
    lanes("truncate", truncate<S>(x), [&](int i) {
      const T limit = -T(std::numeric_limits<S>::min());
      return a[i] >= -limit && a[i] < limit ? S(a[i]) : std::numeric_limits<S>::min();
    });
    for (int i = 0; i < size; i++) {
      expect(truncate_one<S>(a[i]), truncate<S>(x).get(i), "truncate_one", type, i);
    }
    complex();
  }

  const S* ints() {
    static S numbers[size];
    for (int i = 0; i < size; i++) numbers[i] = S(as_bits(b[i]));
    return numbers;
  }

  void complex() {
    Complex<T> numbers[size], out[size + 1];
    for (int i = 0; i < size; i++) numbers[i] = {a[i], b[i]};
    const VecComplex<T> x = VecComplex<T>::load(numbers);
    lanes("real", x.real, [&](int i) { return a[i]; });
    lanes("imag", x.imag, [&](int i) { return b[i]; });
    for (int n = 0; n <= size; n++) {
      for (auto& z : out) z = {7, 7};
      VecComplex<T>::load_first(numbers, n).store_first(out, n);
      for (int i = 0; i <= size; i++) {
        expect(out[i].real, i < n ? a[i] : T(7), "first of complex", type, i);
        expect(out[i].imag, i < n ? b[i] : T(7), "first of complex", type, i);
      }
    }
    for (int i = 0; i < size; i++) {
      const T exact = std::hypot(a[i], b[i]), actual = abs(x).get(i);
      const bool close = test::same(actual, exact) || actual == std::nextafter(exact, actual);
      if (!close) expect(actual, exact, "abs of complex", type, i);
    }
  }

  void run() {
    for (int round = 0; round < 400; round++) {
      for (int i = 0; i < size; i++) {
        a[i] = number<T>(round * size + i);
        b[i] = number<T>(round * size + 7 * i + round / 5);
        c[i] = number<T>(round * size + 5 * i + 1);
      }
      arithmetic();
      order();
      selection();
      if (round < 20) memory();
      if constexpr (std::is_integral_v<T>)
        integers();
      else
        floats();
    }
  }
};

void floats_of_two_sizes() {
  constexpr int size = int(Vec<float>::size);
  float narrow_in[size];
  double wide_in[size];
  for (int round = 0; round < 200; round++) {
    for (int i = 0; i < size; i++) {
      narrow_in[i] = number<float>(round * size + i);
      wide_in[i] = number<double>(round * size + i);
    }
    const Vec<double> lower = Vec<double>::load(wide_in),
                      upper = Vec<double>::load(wide_in + size / 2);
    const auto wide = widen(Vec<float>::load(narrow_in));
    const Vec<float> narrowed = narrow(lower, upper);
    const Vec<int32_t> whole = truncate(lower, upper);
    for (int i = 0; i < size; i++) {
      const double widened = i < size / 2 ? wide.first.get(i) : wide.second.get(i - size / 2);
      expect(widened, double(narrow_in[i]), "widen", "float32", i);
      expect(narrowed.get(i), float(wide_in[i]), "narrow", "float64", i);
      const bool in_range = wide_in[i] > -2147483649.0 && wide_in[i] < 2147483648.0;
      expect(whole.get(i), in_range ? int32_t(wide_in[i]) : std::numeric_limits<int32_t>::min(),
             "truncate", "float64", i);
    }
  }
}

template <class... T>
void run_all(Types<T...>) {
  (Test<T>{}.run(), ...);
}

}  // namespace

int main() {
  run_all(Signed{});
  run_all(Unsigned{});
  run_all(Floats{});
  floats_of_two_sizes();
#define NAME_OF(x) #x
#define TARGET_NAME(x) NAME_OF(x)
  return test::report("Vec, " TARGET_NAME(COREPY_TARGET));
}
