// The passes of Fourier transforms (transforms.hpp), and the steps before and after.
#include "../kernels.hpp"
#include "butterflies.hpp"
#include "planes.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

namespace {

// The output of the last pass of a row. Arguments of functions here contain no vectors: otherwise
// compilers do not clear the upper halves of registers at the end (see leave_vectors).
template <class T>
struct RowEnd {
  Complex<T>* out;
  double scale;
  bool inverse;

  void store(ptrdiff_t i, Numbers a) const {
    const Reals factor(scale), real = a.real * factor, imag = a.imag * factor;
    COREPY_TARGET::store(inverse ? Numbers(imag, real) : Numbers(real, imag), out + i);
  }
};

// ---- passes

// For R = 0 the radix is known at run time.
template <int R>
constexpr int CAPACITY = R ? R : MAX_RADIX;

// Vectors along q. The last one overlaps the one before; a single one writes beyond the end, into
// rows that are written after it.
template <int R, class Out>
void pass_over(const TransformPass& pass, ptrdiff_t lanes, Planes in, Out out) {
  constexpr ptrdiff_t size = SIZE;
  const int r = R ? R : pass.radix;
  const ptrdiff_t m = pass.rest, s = pass.done * lanes, apart = s * m;
  const ptrdiff_t last = s < size ? 0 : s - size, row = m + TWIDDLE_PAD;
  const double* const roots = static_cast<const double*>(pass.roots);
  const auto rows = [&](ptrdiff_t p, auto turns) {
    const double* const twiddles = static_cast<const double*>(pass.twiddles) + p;
    for (ptrdiff_t next = 0; next < s; next += size) {
      const ptrdiff_t q = next < last ? next : last;
      Numbers a[CAPACITY<R>];
      for (int k = 0; k < r; k++) a[k] = in.load(q + s * p + apart * k);
      butterfly<R>(a, r, roots);
      out.store(q + s * r * p, a[0]);
      for (int j = 1; j < r; j++) {
        if constexpr (turns) {
          const double* const w = twiddles + 2 * (j - 1) * row;
          a[j] = fused_product(a[j], Numbers(Reals(w[0]), Reals(w[row])));
        }
        out.store(q + s * (r * p + j), a[j]);
      }
    }
  };
  rows(0, std::false_type{});
  if constexpr (std::is_same_v<Out, Planes>) {  // the last pass has no other rows
    for (ptrdiff_t p = 1; p < m; p++) rows(p, std::true_type{});
  }
}

// The source of element i of R interleaved vectors.
template <int R>
struct Interleaved {
  int64_t index[R * SIZE];

  constexpr Interleaved() : index() {
    for (int i = 0; i < R * int(SIZE); i++) index[i] = i % R * int(SIZE) + i / R;
  }
};

// Stores the elements of r vectors interleaved.
template <int R>
COREPY_INLINE void store_interleaved(Reals* a, int r, double* out) {
  constexpr int size = SIZE;
  if constexpr (R == 2 || R == 4 || R == 8) {
    interleave<R>(a);
    for (int j = 0; j < R; j++) a[j].store(out + j * size);
  } else {
    double rows[CAPACITY<R> * size];
    for (int j = 0; j < r; j++) a[j].store(rows + j * size);
#if defined(COREPY_AVX512) || defined(COREPY_AVX2)
    if constexpr (R > 0) {
      static constexpr Interleaved<R> order;
      for (int j = 0; j < R; j++) {
        gather(rows, Vec<int64_t>::load(order.index + j * size)).store(out + j * size);
      }
      return;
    }
#endif
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < r; j++) out[i * r + j] = rows[j * size + i];
    }
  }
}

// The first pass of a row, from complex numbers in memory: s is 1, vectors are along p.
template <int R, class T>
void first_pass(const TransformPass& pass, const Complex<T>* in, bool inverse, Planes out) {
  constexpr ptrdiff_t size = SIZE;
  const int r = R ? R : pass.radix;
  const ptrdiff_t m = pass.rest, row = m + TWIDDLE_PAD;
  const double* const roots = static_cast<const double*>(pass.roots);
  const auto vectors = [&](ptrdiff_t p, auto whole) {
    const double* const twiddles = static_cast<const double*>(pass.twiddles) + p;
    Numbers a[CAPACITY<R>];
    for (int k = 0; k < r; k++) {
      const Complex<T>* const from = in + p + m * k;
      a[k] = whole ? load_as<Numbers>(from) : load_first_as<Numbers>(from, m - p);
      if (inverse) a[k] = {a[k].imag, a[k].real};
    }
    butterfly<R>(a, r, roots);
    Reals real[CAPACITY<R>], imag[CAPACITY<R>];
    real[0] = a[0].real;
    imag[0] = a[0].imag;
    for (int j = 1; j < r; j++) {
      const double* const w = twiddles + 2 * (j - 1) * row;
      a[j] = fused_product(a[j], Numbers(Reals::load(w), Reals::load(w + row)));
      real[j] = a[j].real;
      imag[j] = a[j].imag;
    }
    store_interleaved<R>(real, r, out.real + r * p);
    store_interleaved<R>(imag, r, out.imag + r * p);
  };
  ptrdiff_t p = 0;
  for (; p + size <= m; p += size) vectors(p, std::true_type{});
  if (p < m) vectors(p, std::false_type{});
}

// Calls body with the radix as a constant, or 0 for radices without specialised code.
template <class Body, int... R>
void with_radix(int radix, Body body, std::integer_sequence<int, R...>) {
  const bool found = ((radix == R && (body(std::integral_constant<int, R>{}), true)) || ...);
  if (!found) body(std::integral_constant<int, 0>{});
}
template <class Body>
void with_radix(int radix, Body body) {
  with_radix(radix, body, std::integer_sequence<int, 2, 3, 4, 5, 7, 8, 11, 13>{});
}

template <class Out>
void run_pass(const TransformPass& pass, ptrdiff_t lanes, Planes in, Out out) {
  with_radix(pass.radix, [&](auto radix) { pass_over<radix>(pass, lanes, in, out); });
}

void transform_planes(const TransformPasses& passes, ptrdiff_t lanes, void* const* a,
                      void* const* b) {
  Planes from(a), to(b);
  for (int i = 0; i < passes.count; i++) {
    run_pass(passes.pass[i], lanes, from, to);
    std::swap(from, to);
  }
}

template <class T>
void end_row(const TransformPasses& passes, Planes from, Planes aside, RowEnd<T> end) {
  const TransformPass& pass = passes.pass[passes.count - 1];
  if (pass.done >= SIZE) return run_pass(pass, 1, from, end);
  run_pass(pass, 1, from, aside);
  ptrdiff_t i = 0;
  for (; i + SIZE <= passes.n; i += SIZE) end.store(i, aside.load(i));
  if (i < passes.n) {
    Complex<T> rest[SIZE];
    RowEnd<T>{rest, end.scale, end.inverse}.store(0, aside.load(i));
    std::memcpy(static_cast<void*>(end.out + i), rest, size_t(passes.n - i) * sizeof(Complex<T>));
  }
}

void transform_row(const TransformPasses& passes, const void* in, bool in_single, void* out,
                   bool out_single, void* scratch, double scale, bool inverse) {
  const ptrdiff_t plane = passes.row_plane();
  double* const planes = static_cast<double*>(scratch);
  Planes from(planes, planes + plane), to(planes + 2 * plane, planes + 3 * plane);
  with_precision(in_single, [&](auto zero) {
    const auto* const numbers = static_cast<const Complex<decltype(zero)>*>(in);
    with_radix(passes.pass[0].radix,
               [&](auto radix) { first_pass<radix>(passes.pass[0], numbers, inverse, from); });
  });
  for (int i = 1; i < passes.count - 1; i++) {
    run_pass(passes.pass[i], 1, from, to);
    std::swap(from, to);
  }
  with_precision(out_single, [&](auto zero) {
    using T = decltype(zero);
    end_row(passes, from, to, RowEnd<T>{static_cast<Complex<T>*>(out), scale, inverse});
  });
}

// ---- rows in memory and planes

// Whether `count` numbers are next to each other.
inline bool adjacent(const ptrdiff_t* offsets, ptrdiff_t count, ptrdiff_t itemsize) {
  for (ptrdiff_t k = 1; k < count; k++) {
    if (offsets[k] != offsets[0] + k * itemsize) return false;
  }
  return true;
}

// Transposes a square: SIZE rows of SIZE elements.
COREPY_INLINE void transpose(Reals* a) { interleave<SIZE>(a); }
COREPY_INLINE void transpose(Numbers* a) {
  Reals real[SIZE], imag[SIZE];
  for (int k = 0; k < SIZE; k++) {
    real[k] = a[k].real;
    imag[k] = a[k].imag;
  }
  transpose(real);
  transpose(imag);
  for (int k = 0; k < SIZE; k++) a[k] = {real[k], imag[k]};
}

// V: Reals or Numbers; E: their type in memory. put(i, v) takes a vector for position i of the
// planes.
template <class V, class E, class Put>
void load_rows(const TransformRows& rows, ptrdiff_t lanes, Put put) {
  constexpr ptrdiff_t size = SIZE, itemsize = sizeof(E);
  const ptrdiff_t n = rows.rows;
  for (ptrdiff_t k = 0; k < lanes; k += size) {
    const ptrdiff_t count = rows.width - k < size ? rows.width - k : size;
    if (count <= 0) {
      for (ptrdiff_t i = 0; i < n; i++) put(i * lanes + k, V(typename V::element{}));
      continue;
    }
    const ptrdiff_t* const offsets = rows.offsets + k;
    const auto at = [&](ptrdiff_t i, ptrdiff_t lane) {
      return reinterpret_cast<const E*>(rows.data + offsets[lane] + i * rows.step);
    };
    if (count > 1 && adjacent(offsets, count, itemsize)) {
      if (count == size) {
        for (ptrdiff_t i = 0; i < n; i++) put(i * lanes + k, load_as<V>(at(i, 0)));
      } else {
        for (ptrdiff_t i = 0; i < n; i++) put(i * lanes + k, load_first_as<V>(at(i, 0), count));
      }
      continue;
    }
    ptrdiff_t i = 0;
    if (rows.step == itemsize && count > 1) {
      for (; i + size <= n; i += size) {
        V a[size];
        for (int lane = 0; lane < size; lane++)
          a[lane] = load_as<V>(at(i, lane < count ? lane : 0));
        transpose(a);
        for (int j = 0; j < size; j++) put((i + j) * lanes + k, a[j]);
      }
    }
    for (; i < n; i++) {
      E row[size] = {};
      for (ptrdiff_t lane = 0; lane < count; lane++) std::memcpy(&row[lane], at(i, lane), itemsize);
      put(i * lanes + k, load_as<V>(row));
    }
  }
}

template <class V, class E, class Get>
void store_rows(const TransformRows& rows, ptrdiff_t lanes, Get get) {
  constexpr ptrdiff_t size = SIZE, itemsize = sizeof(E);
  const ptrdiff_t n = rows.rows;
  for (ptrdiff_t k = 0; k < rows.width; k += size) {
    const ptrdiff_t count = rows.width - k < size ? rows.width - k : size;
    const ptrdiff_t* const offsets = rows.offsets + k;
    const auto at = [&](ptrdiff_t i, ptrdiff_t lane) {
      return reinterpret_cast<E*>(rows.data + offsets[lane] + i * rows.step);
    };
    if (count > 1 && adjacent(offsets, count, itemsize)) {
      if (count == size) {
        for (ptrdiff_t i = 0; i < n; i++) store(get(i * lanes + k), at(i, 0));
      } else {
        for (ptrdiff_t i = 0; i < n; i++) store_first(get(i * lanes + k), at(i, 0), count);
      }
      continue;
    }
    ptrdiff_t i = 0;
    if (rows.step == itemsize && count > 1) {
      for (; i + size <= n; i += size) {
        V a[size];
        for (int j = 0; j < size; j++) a[j] = get((i + j) * lanes + k);
        transpose(a);
        for (int lane = 0; lane < count; lane++) store(a[lane], at(i, lane));
      }
    }
    for (; i < n; i++) {
      E row[size];
      store(get(i * lanes + k), row);
      for (ptrdiff_t lane = 0; lane < count; lane++) std::memcpy(at(i, lane), &row[lane], itemsize);
    }
  }
}

void load_complex(const TransformRows& rows, ptrdiff_t lanes, void* real, void* imag) {
  const Planes planes(static_cast<double*>(real), static_cast<double*>(imag));
  with_precision(rows.single, [&](auto zero) {
    load_rows<Numbers, Complex<decltype(zero)>>(
        rows, lanes, [=](ptrdiff_t i, Numbers a) { planes.store(i, a); });
  });
}
void store_complex(const TransformRows& rows, ptrdiff_t lanes, const void* real, const void* imag,
                   double scale) {
  const double *const x = static_cast<const double*>(real), *const y =
                                                                static_cast<const double*>(imag);
  with_precision(rows.single, [&](auto zero) {
    store_rows<Numbers, Complex<decltype(zero)>>(rows, lanes, [=](ptrdiff_t i) {
      return Numbers(Reals::load(x + i) * scale, Reals::load(y + i) * scale);
    });
  });
}
void load_real(const TransformRows& rows, ptrdiff_t lanes, void* plane) {
  double* const to = static_cast<double*>(plane);
  with_precision(rows.single, [&](auto zero) {
    load_rows<Reals, decltype(zero)>(rows, lanes, [=](ptrdiff_t i, Reals a) { a.store(to + i); });
  });
}
void store_real(const TransformRows& rows, ptrdiff_t lanes, const void* plane, double scale) {
  const double* const from = static_cast<const double*>(plane);
  with_precision(rows.single, [&](auto zero) {
    store_rows<Reals, decltype(zero)>(rows, lanes,
                                      [=](ptrdiff_t i) { return Reals::load(from + i) * scale; });
  });
}

void twiddle(ptrdiff_t rows, ptrdiff_t lanes, void* real, void* imag, const void* coarse,
             const void* fine) {
  const Planes planes(static_cast<double*>(real), static_cast<double*>(imag));
  const Complex<double>* const by_row = static_cast<const Complex<double>*>(coarse);
  const double* const by_lane = static_cast<const double*>(fine);
  for (ptrdiff_t i = 0; i < rows; i++) {
    const Reals x(by_row[i].real), y(by_row[i].imag);
    for (ptrdiff_t k = 0; k < lanes; k += SIZE) {
      const ptrdiff_t at = i * lanes + k;
      const Numbers w(Reals::load(by_lane + at), Reals::load(by_lane + rows * lanes + at));
      const Numbers root = fused_product(w, Numbers(x, y));
      planes.store(at, fused_product(planes.load(at), root));
    }
  }
}

// ---- real numbers

// With E and O the transforms of the even and odd elements, z = E + i O, and the kept half is
// x[k] = E[k] + w^k O[k]. Both come from z[k] and z[half - k], and give x[k] and x[half - k].
COREPY_INLINE void join_pair(Numbers a, Numbers b, Reals w_real, Reals w_imag, Numbers* low,
                             Numbers* high) {
  constexpr double half = 0.5;
  const Reals e_real = (a.real + b.real) * half, e_imag = (a.imag - b.imag) * half;
  const Reals o_real = (a.imag + b.imag) * half, o_imag = (b.real - a.real) * half;
  const Numbers o = fused_product(Numbers(o_real, o_imag), Numbers(w_real, w_imag));
  *low = Numbers(e_real + o.real, e_imag + o.imag);
  *high = Numbers(e_real - o.real, o.imag - e_imag);
}
COREPY_INLINE void split_pair(Numbers a, Numbers b, Reals w_real, Reals w_imag, Numbers* low,
                              Numbers* high) {
  const Reals e_real = a.real + b.real, e_imag = a.imag - b.imag;
  const Numbers o =
      fused_product(Numbers(a.real - b.real, a.imag + b.imag), Numbers(w_real, -w_imag));
  *low = Numbers(e_real - o.imag, e_imag + o.real);
  *high = Numbers(e_real + o.imag, o.real - e_imag);
}

// The same of rows from both ends of planes.
template <class Pair>
COREPY_INLINE void pair_planes(ptrdiff_t half, ptrdiff_t lanes, Planes in, Planes out,
                               const void* roots, Pair pair) {
  const double* const w = static_cast<const double*>(roots);
  for (ptrdiff_t i = 1; i <= half / 2; i++) {
    const Reals real(w[i]), imag(w[half + TWIDDLE_PAD + i]);
    for (ptrdiff_t k = 0; k < lanes; k += SIZE) {
      const ptrdiff_t low = i * lanes + k, high = (half - i) * lanes + k;
      Numbers x, y;
      pair(in.load(low), in.load(high), real, imag, &x, &y);
      out.store(high, y);
      out.store(low, x);
    }
  }
}
void join_planes(ptrdiff_t half, ptrdiff_t lanes, void* const* from, void* const* to,
                 const void* roots) {
  const Planes in(from), out(to);
  for (ptrdiff_t k = 0; k < lanes; k += SIZE) {
    const Numbers a = in.load(k);
    out.store(k, {a.real + a.imag, Reals(0.0)});
    out.store(half * lanes + k, {a.real - a.imag, Reals(0.0)});
  }
  pair_planes(half, lanes, in, out, roots, join_pair);
}
void split_planes(ptrdiff_t half, ptrdiff_t lanes, void* const* from, void* const* to,
                  const void* roots) {
  const Planes in(from), out(to);
  for (ptrdiff_t k = 0; k < lanes; k += SIZE) {
    const Reals a = Reals::load(in.real + k), b = Reals::load(in.real + half * lanes + k);
    out.store(k, {a + b, a - b});
  }
  pair_planes(half, lanes, in, out, roots, split_pair);
}

COREPY_INLINE Numbers reverse(Numbers a) { return {reverse(a.real), reverse(a.imag)}; }

// Vectors of pairs from both ends; incomplete last ones are copied from and to arrays.
template <class From, class To, class Pair>
COREPY_INLINE void over_pairs(ptrdiff_t half, const Complex<From>* in, Complex<To>* out,
                              const double* w, Pair pair) {
  const ptrdiff_t pairs = half / 2;  // 1 ... half / 2
  const double* const w_imag = w + half + TWIDDLE_PAD;
  for (ptrdiff_t i = 1; i <= pairs; i += SIZE) {
    const ptrdiff_t count = pairs - i + 1;
    const Reals real = Reals::load(w + i), imag = Reals::load(w_imag + i);
    Numbers x, y;
    if (count >= SIZE) {
      const ptrdiff_t high = half - i - SIZE + 1;
      pair(load_as<Numbers>(in + i), reverse(load_as<Numbers>(in + high)), real, imag, &x, &y);
      store(reverse(y), out + high);
      store(x, out + i);
    } else {
      Complex<double> low[SIZE] = {}, high[SIZE] = {};
      for (ptrdiff_t k = 0; k < count; k++) {
        low[k] = {in[i + k].real, in[i + k].imag};
        high[k] = {in[half - i - k].real, in[half - i - k].imag};
      }
      pair(Numbers::load(low), Numbers::load(high), real, imag, &x, &y);
      x.store(low);
      y.store(high);
      for (ptrdiff_t k = 0; k < count; k++) {
        out[half - i - k] = {To(high[k].real), To(high[k].imag)};
        out[i + k] = {To(low[k].real), To(low[k].imag)};
      }
    }
  }
}

void join_row(ptrdiff_t half, const void* from, void* to, bool single, const void* roots) {
  const Complex<double>* const in = static_cast<const Complex<double>*>(from);
  with_precision(single, [&](auto zero) {
    using T = decltype(zero);
    Complex<T>* const out = static_cast<Complex<T>*>(to);
    over_pairs(half, in, out, static_cast<const double*>(roots), join_pair);
    out[0] = {T(in[0].real + in[0].imag), T(0)};
    out[half] = {T(in[0].real - in[0].imag), T(0)};
  });
}
void split_row(ptrdiff_t half, const void* from, bool single, void* to, const void* roots) {
  Complex<double>* const out = static_cast<Complex<double>*>(to);
  with_precision(single, [&](auto zero) {
    const auto* const in = static_cast<const Complex<decltype(zero)>*>(from);
    over_pairs(half, in, out, static_cast<const double*>(roots), split_pair);
    const double first = in[0].real, last = in[half].real;
    out[0] = {first + last, first - last};
  });
}

void multiply(ptrdiff_t n, const void* a, bool a_single, const void* b, void* out, bool out_single,
              double scale, bool conjugate) {
  const Complex<double>* const y = static_cast<const Complex<double>*>(b);
  const double sign = conjugate ? -1 : 1;
  with_precision(a_single, [&](auto in_zero) {
    with_precision(out_single, [&](auto out_zero) {
      const auto* const x = static_cast<const Complex<decltype(in_zero)>*>(a);
      auto* const z = static_cast<Complex<decltype(out_zero)>*>(out);
      const auto product = [&](Numbers u, Numbers v) {
        const Numbers w = fused_product(u, Numbers(v.real, v.imag * sign));
        return Numbers(w.real * scale, w.imag * scale);
      };
      ptrdiff_t i = 0;
      for (; i + SIZE <= n; i += SIZE) {
        store(product(load_as<Numbers>(x + i), Numbers::load(y + i)), z + i);
      }
      if (i < n) {
        const ptrdiff_t rest = n - i;
        store_first(product(load_first_as<Numbers>(x + i, rest), Numbers::load_first(y + i, rest)),
                    z + i, rest);
      }
    });
  });
}

}  // namespace

void fill_transforms(Kernels& kernels) {
  kernels.transforms = {SIZE,      transform_row, transform_planes, load_complex, store_complex,
                        load_real, store_real,    twiddle,          join_planes,  split_planes,
                        join_row,  split_row,     multiply};
}

}  // namespace COREPY_TARGET
}  // namespace corepy
