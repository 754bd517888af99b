// The passes of Fourier transforms (transforms.hpp), and what comes before and after.
#include "../kernels.hpp"
#include "butterflies.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

namespace {

template <class T>
struct Planes {
  T *real, *imag;

  explicit Planes(void* const* planes)
      : real(static_cast<T*>(planes[0])), imag(static_cast<T*>(planes[1])) {}
  Planes(T* real, T* imag) : real(real), imag(imag) {}

  VecComplex<T> load(ptrdiff_t i) const {
    return {Vec<T>::load(real + i), Vec<T>::load(imag + i)};
  }
  void store(ptrdiff_t i, VecComplex<T> a) const {
    a.real.store(real + i);
    a.imag.store(imag + i);
  }
};

// Where the last pass of a row writes. What is passed to functions here has no vectors in it: where
// it does, compilers do not clear the upper halves of registers at the end (see simd/lanes.hpp).
template <class T>
struct RowEnd {
  Complex<T>* out;
  T scale;
  bool inverse;

  void store(ptrdiff_t i, VecComplex<T> a) const {
    const Vec<T> factor(scale), real = a.real * factor, imag = a.imag * factor;
    (inverse ? VecComplex<T>(imag, real) : VecComplex<T>(real, imag)).store(out + i);
  }
};

// ---- passes

// For R = 0 the radix is known at run time.
template <int R>
constexpr int ROOM = R ? R : MOST_RADIX;

// Vectors along q. The last one overlaps the one before; where there is only one, it runs over the
// end, into rows that are written after it.
template <int R, class T, class Out>
void pass_over(const TransformPass& pass, ptrdiff_t lanes, Planes<T> in, Out out) {
  constexpr ptrdiff_t size = Vec<T>::size;
  const int r = R ? R : pass.radix;
  const ptrdiff_t m = pass.rest, s = pass.done * lanes, apart = s * m;
  const ptrdiff_t last = s < size ? 0 : s - size, row = m + TWIDDLE_PAD;
  const T* const roots = static_cast<const T*>(pass.roots);
  const auto rows = [&](ptrdiff_t p, auto turns) {
    const T* const twiddles = static_cast<const T*>(pass.twiddles) + p;
    for (ptrdiff_t next = 0; next < s; next += size) {
      const ptrdiff_t q = next < last ? next : last;
      VecComplex<T> a[ROOM<R>];
      for (int k = 0; k < r; k++) a[k] = in.load(q + s * p + apart * k);
      butterfly<R>(a, r, roots);
      out.store(q + s * r * p, a[0]);
      for (int j = 1; j < r; j++) {
        if constexpr (turns) {
          const T* const w = twiddles + 2 * (j - 1) * row;
          a[j] = turned(a[j], Vec<T>(w[0]), Vec<T>(w[row]));
        }
        out.store(q + s * (r * p + j), a[j]);
      }
    }
  };
  rows(0, std::false_type{});
  if constexpr (std::is_same_v<Out, Planes<T>>) {  // the last pass has no other rows
    for (ptrdiff_t p = 1; p < m; p++) rows(p, std::true_type{});
  }
}

// Where element i of R interleaved vectors comes from.
template <int R, class T>
struct Interleaved {
  Signed_of<T> index[R * Vec<T>::size];

  constexpr Interleaved() : index() {
    for (int i = 0; i < R * int(Vec<T>::size); i++) {
      index[i] = Signed_of<T>(i % R * int(Vec<T>::size) + i / R);
    }
  }
};

// Stores the elements of r vectors by turns.
template <int R, class T>
COREPY_INLINE void store_interleaved(Vec<T>* a, int r, T* out) {
  constexpr int size = Vec<T>::size;
  if constexpr (R == 2 || R == 4 || R == 8) {
    interleave<R>(a);
    for (int j = 0; j < R; j++) a[j].store(out + j * size);
  } else {
    T rows[ROOM<R> * size];
    for (int j = 0; j < r; j++) a[j].store(rows + j * size);
#if defined(COREPY_AVX512) || defined(COREPY_AVX2)
    if constexpr (R > 0) {
      static constexpr Interleaved<R, T> order;
      for (int j = 0; j < R; j++) {
        gather(rows, Vec<Signed_of<T>>::load(order.index + j * size)).store(out + j * size);
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
void first_pass(const TransformPass& pass, const Complex<T>* in, bool inverse, Planes<T> out) {
  constexpr ptrdiff_t size = Vec<T>::size;
  const int r = R ? R : pass.radix;
  const ptrdiff_t m = pass.rest, row = m + TWIDDLE_PAD;
  const T* const roots = static_cast<const T*>(pass.roots);
  const auto vectors = [&](ptrdiff_t p, auto whole) {
    const T* const twiddles = static_cast<const T*>(pass.twiddles) + p;
    VecComplex<T> a[ROOM<R>];
    for (int k = 0; k < r; k++) {
      const Complex<T>* const from = in + p + m * k;
      a[k] = whole ? VecComplex<T>::load(from) : VecComplex<T>::load_first(from, m - p);
      if (inverse) a[k] = {a[k].imag, a[k].real};
    }
    butterfly<R>(a, r, roots);
    Vec<T> real[ROOM<R>], imag[ROOM<R>];
    real[0] = a[0].real;
    imag[0] = a[0].imag;
    for (int j = 1; j < r; j++) {
      const T* const w = twiddles + 2 * (j - 1) * row;
      a[j] = turned(a[j], Vec<T>::load(w), Vec<T>::load(w + row));
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

// Calls body with the radix as a constant, 0 where it is not one of those that have their own.
template <class Body>
void with_radix(int radix, Body body) {
  switch (radix) {
    case 2: return body(std::integral_constant<int, 2>{});
    case 3: return body(std::integral_constant<int, 3>{});
    case 4: return body(std::integral_constant<int, 4>{});
    case 5: return body(std::integral_constant<int, 5>{});
    case 7: return body(std::integral_constant<int, 7>{});
    case 8: return body(std::integral_constant<int, 8>{});
    case 11: return body(std::integral_constant<int, 11>{});
    case 13: return body(std::integral_constant<int, 13>{});
    default: return body(std::integral_constant<int, 0>{});
  }
}

template <class T, class Out>
void run_pass(const TransformPass& pass, ptrdiff_t lanes, Planes<T> in, Out out) {
  with_radix(pass.radix, [&](auto radix) { pass_over<radix>(pass, lanes, in, out); });
}

template <class T>
void transform_planes(const TransformPasses& passes, ptrdiff_t lanes, void* const* a,
                      void* const* b) {
  Planes<T> from(a), to(b);
  for (int i = 0; i < passes.count; i++) {
    run_pass(passes.pass[i], lanes, from, to);
    const Planes<T> other = from;
    from = to;
    to = other;
  }
}

template <class T>
void transform_row(const TransformPasses& passes, const void* in, void* out, void* scratch,
                   double scale, bool inverse) {
  const ptrdiff_t plane = passes.row_plane();
  T* const planes = static_cast<T*>(scratch);
  Planes<T> from(planes, planes + plane), to(planes + 2 * plane, planes + 3 * plane);
  with_radix(passes.pass[0].radix, [&](auto radix) {
    first_pass<radix>(passes.pass[0], static_cast<const Complex<T>*>(in), inverse, from);
  });
  const int last = passes.count - 1;
  const auto next = [&](int i) {
    run_pass(passes.pass[i], 1, from, to);
    const Planes<T> other = from;
    from = to;
    to = other;
  };
  for (int i = 1; i < last; i++) next(i);
  const RowEnd<T> end{static_cast<Complex<T>*>(out), T(scale), inverse};
  constexpr ptrdiff_t size = Vec<T>::size;
  if (passes.pass[last].done >= size) return run_pass(passes.pass[last], 1, from, end);
  next(last);
  ptrdiff_t i = 0;
  for (; i + size <= passes.n; i += size) end.store(i, from.load(i));
  if (i < passes.n) {
    Complex<T> rest[size];
    const RowEnd<T> aside{rest - i, end.scale, inverse};
    aside.store(i, from.load(i));
    std::memcpy(static_cast<void*>(end.out + i), rest, size_t(passes.n - i) * sizeof(Complex<T>));
  }
}

// ---- rows in memory and planes

// Whether `count` numbers are next to each other.
inline bool adjacent(const ptrdiff_t* offsets, ptrdiff_t count, ptrdiff_t itemsize) {
  for (ptrdiff_t k = 1; k < count; k++) {
    if (offsets[k] != offsets[0] + k * itemsize) return false;
  }
  return true;
}

// Loads or stores a square of V elements of `count` transforms, turned: V::size rows of V.
template <class V>
COREPY_INLINE void transpose(V* a) {
  interleave<V::size>(a);
}
template <class T>
COREPY_INLINE void transpose(VecComplex<T>* a) {
  Vec<T> real[Vec<T>::size], imag[Vec<T>::size];
  for (int k = 0; k < Vec<T>::size; k++) {
    real[k] = a[k].real;
    imag[k] = a[k].imag;
  }
  interleave<Vec<T>::size>(real);
  interleave<Vec<T>::size>(imag);
  for (int k = 0; k < Vec<T>::size; k++) a[k] = {real[k], imag[k]};
}

// V: Vec<T> or VecComplex<T>. put(i, v) takes a vector at position i of the planes.
template <class V, class Put>
void load_rows(const TransformRows& rows, ptrdiff_t lanes, Put put) {
  using E = typename V::element;
  constexpr ptrdiff_t size = V::size, itemsize = sizeof(E);
  const ptrdiff_t n = rows.rows;
  for (ptrdiff_t k = 0; k < lanes; k += size) {
    const ptrdiff_t count = rows.width - k < size ? rows.width - k : size;
    if (count <= 0) {
      for (ptrdiff_t i = 0; i < n; i++) put(i * lanes + k, V(E{}));
      continue;
    }
    const ptrdiff_t* const offsets = rows.offsets + k;
    const auto at = [&](ptrdiff_t i, ptrdiff_t lane) {
      return reinterpret_cast<const E*>(rows.data + offsets[lane] + i * rows.step);
    };
    if (count > 1 && adjacent(offsets, count, itemsize)) {
      if (count == size) {
        for (ptrdiff_t i = 0; i < n; i++) put(i * lanes + k, V::load(at(i, 0)));
      } else {
        for (ptrdiff_t i = 0; i < n; i++) put(i * lanes + k, V::load_first(at(i, 0), count));
      }
      continue;
    }
    ptrdiff_t i = 0;
    if (rows.step == itemsize && count > 1) {
      for (; i + size <= n; i += size) {
        V a[size];
        for (int lane = 0; lane < size; lane++) a[lane] = V::load(at(i, lane < count ? lane : 0));
        transpose(a);
        for (int j = 0; j < size; j++) put((i + j) * lanes + k, a[j]);
      }
    }
    for (; i < n; i++) {
      E row[size] = {};
      for (ptrdiff_t lane = 0; lane < count; lane++) std::memcpy(&row[lane], at(i, lane), itemsize);
      put(i * lanes + k, V::load(row));
    }
  }
}

template <class V, class Get>
void store_rows(const TransformRows& rows, ptrdiff_t lanes, Get get) {
  using E = typename V::element;
  constexpr ptrdiff_t size = V::size, itemsize = sizeof(E);
  const ptrdiff_t n = rows.rows;
  for (ptrdiff_t k = 0; k < rows.width; k += size) {
    const ptrdiff_t count = rows.width - k < size ? rows.width - k : size;
    const ptrdiff_t* const offsets = rows.offsets + k;
    const auto at = [&](ptrdiff_t i, ptrdiff_t lane) {
      return reinterpret_cast<E*>(rows.data + offsets[lane] + i * rows.step);
    };
    if (count > 1 && adjacent(offsets, count, itemsize)) {
      if (count == size) {
        for (ptrdiff_t i = 0; i < n; i++) get(i * lanes + k).store(at(i, 0));
      } else {
        for (ptrdiff_t i = 0; i < n; i++) get(i * lanes + k).store_first(at(i, 0), count);
      }
      continue;
    }
    ptrdiff_t i = 0;
    if (rows.step == itemsize && count > 1) {
      for (; i + size <= n; i += size) {
        V a[size];
        for (int j = 0; j < size; j++) a[j] = get((i + j) * lanes + k);
        transpose(a);
        for (int lane = 0; lane < count; lane++) a[lane].store(at(i, lane));
      }
    }
    for (; i < n; i++) {
      E row[size];
      get(i * lanes + k).store(row);
      for (ptrdiff_t lane = 0; lane < count; lane++) std::memcpy(at(i, lane), &row[lane], itemsize);
    }
  }
}

template <class T>
void load_complex(const TransformRows& rows, ptrdiff_t lanes, void* real, void* imag) {
  const Planes<T> planes(static_cast<T*>(real), static_cast<T*>(imag));
  load_rows<VecComplex<T>>(rows, lanes,
                           [=](ptrdiff_t i, VecComplex<T> a) { planes.store(i, a); });
}
template <class T>
void store_complex(const TransformRows& rows, ptrdiff_t lanes, const void* real, const void* imag,
                   double scale) {
  const T *const x = static_cast<const T*>(real), *const y = static_cast<const T*>(imag);
  const T factor = T(scale);
  store_rows<VecComplex<T>>(rows, lanes, [=](ptrdiff_t i) {
    return VecComplex<T>(Vec<T>::load(x + i) * factor, Vec<T>::load(y + i) * factor);
  });
}
template <class T>
void load_real(const TransformRows& rows, ptrdiff_t lanes, void* plane) {
  T* const to = static_cast<T*>(plane);
  load_rows<Vec<T>>(rows, lanes, [=](ptrdiff_t i, Vec<T> a) { a.store(to + i); });
}
template <class T>
void store_real(const TransformRows& rows, ptrdiff_t lanes, const void* plane, double scale) {
  const T* const from = static_cast<const T*>(plane);
  const T factor = T(scale);
  store_rows<Vec<T>>(rows, lanes, [=](ptrdiff_t i) { return Vec<T>::load(from + i) * factor; });
}

template <class T>
void turn(ptrdiff_t rows, ptrdiff_t lanes, void* real, void* imag, const void* coarse,
          const void* fine) {
  const Planes<T> planes(static_cast<T*>(real), static_cast<T*>(imag));
  const Complex<T>* const by_row = static_cast<const Complex<T>*>(coarse);
  const T* const by_lane = static_cast<const T*>(fine);
  for (ptrdiff_t i = 0; i < rows; i++) {
    const Vec<T> x(by_row[i].real), y(by_row[i].imag);
    for (ptrdiff_t k = 0; k < lanes; k += Vec<T>::size) {
      const ptrdiff_t at = i * lanes + k;
      const VecComplex<T> w(Vec<T>::load(by_lane + at), Vec<T>::load(by_lane + rows * lanes + at));
      const VecComplex<T> root = turned(w, x, y);
      planes.store(at, turned(planes.load(at), root.real, root.imag));
    }
  }
}

// ---- real numbers

// With E and O the transforms of the even and odd elements, z = E + i O, and the kept half is
// x[k] = E[k] + w^k O[k]. Both come from z[k] and z[half - k], and give x[k] and x[half - k].
template <class V, class W>
COREPY_INLINE void join_pair(V a, V b, W w_real, W w_imag, V* low, V* high) {
  const auto half = typename W::element(0.5);
  const W e_real = (a.real + b.real) * half, e_imag = (a.imag - b.imag) * half;
  const W o_real = (a.imag + b.imag) * half, o_imag = (b.real - a.real) * half;
  const V o = turned(V(o_real, o_imag), w_real, w_imag);
  *low = V(e_real + o.real, e_imag + o.imag);
  *high = V(e_real - o.real, o.imag - e_imag);
}
template <class V, class W>
COREPY_INLINE void split_pair(V a, V b, W w_real, W w_imag, V* low, V* high) {
  const W e_real = a.real + b.real, e_imag = a.imag - b.imag;
  const V o = turned(V(a.real - b.real, a.imag + b.imag), w_real, -w_imag);
  *low = V(e_real - o.imag, e_imag + o.real);
  *high = V(e_real + o.imag, o.real - e_imag);
}

template <class T>
void join_planes(ptrdiff_t half, ptrdiff_t lanes, void* const* from, void* const* to,
                 const void* roots) {
  const Planes<T> in(from), out(to);
  const T* const w = static_cast<const T*>(roots);
  for (ptrdiff_t k = 0; k < lanes; k += Vec<T>::size) {
    const VecComplex<T> a = in.load(k);
    out.store(k, {a.real + a.imag, Vec<T>(T(0))});
    out.store(half * lanes + k, {a.real - a.imag, Vec<T>(T(0))});
  }
  for (ptrdiff_t i = 1; i <= half / 2; i++) {
    const Vec<T> real(w[i]), imag(w[half + TWIDDLE_PAD + i]);
    for (ptrdiff_t k = 0; k < lanes; k += Vec<T>::size) {
      const ptrdiff_t low = i * lanes + k, high = (half - i) * lanes + k;
      VecComplex<T> x, y;
      join_pair(in.load(low), in.load(high), real, imag, &x, &y);
      out.store(high, y);
      out.store(low, x);
    }
  }
}
template <class T>
void split_planes(ptrdiff_t half, ptrdiff_t lanes, void* const* from, void* const* to,
                  const void* roots) {
  const Planes<T> in(from), out(to);
  const T* const w = static_cast<const T*>(roots);
  for (ptrdiff_t k = 0; k < lanes; k += Vec<T>::size) {
    const Vec<T> a = Vec<T>::load(in.real + k), b = Vec<T>::load(in.real + half * lanes + k);
    out.store(k, {a + b, a - b});
  }
  for (ptrdiff_t i = 1; i <= half / 2; i++) {
    const Vec<T> real(w[i]), imag(w[half + TWIDDLE_PAD + i]);
    for (ptrdiff_t k = 0; k < lanes; k += Vec<T>::size) {
      const ptrdiff_t low = i * lanes + k, high = (half - i) * lanes + k;
      VecComplex<T> x, y;
      split_pair(in.load(low), in.load(high), real, imag, &x, &y);
      out.store(high, y);
      out.store(low, x);
    }
  }
}

template <class T>
COREPY_INLINE VecComplex<T> reverse(VecComplex<T> a) {
  return {reverse(a.real), reverse(a.imag)};
}

// Vectors of pairs from both ends; the last ones overlap those before, or are partly beside the
// point: what is missing in a vector comes and goes through an array.
template <class T, class Pair>
COREPY_INLINE void over_pairs(ptrdiff_t half, const Complex<T>* in, Complex<T>* out, const T* w,
                              Pair pair) {
  constexpr ptrdiff_t size = Vec<T>::size;
  const ptrdiff_t pairs = half / 2;  // 1 ... half / 2
  const T* const w_imag = w + half + TWIDDLE_PAD;
  for (ptrdiff_t i = 1; i <= pairs; i += size) {
    const ptrdiff_t count = pairs - i + 1;
    VecComplex<T> x, y;
    if (count >= size) {
      const ptrdiff_t high = half - i - size + 1;
      pair(VecComplex<T>::load(in + i), reverse(VecComplex<T>::load(in + high)), Vec<T>::load(w + i),
           Vec<T>::load(w_imag + i), &x, &y);
      reverse(y).store(out + high);
      x.store(out + i);
    } else {
      Complex<T> low[size] = {}, high[size] = {};
      for (ptrdiff_t k = 0; k < count; k++) {
        low[k] = in[i + k];
        high[k] = in[half - i - k];
      }
      pair(VecComplex<T>::load(low), VecComplex<T>::load(high), Vec<T>::load(w + i),
           Vec<T>::load(w_imag + i), &x, &y);
      x.store(low);
      y.store(high);
      for (ptrdiff_t k = 0; k < count; k++) {
        out[half - i - k] = high[k];
        out[i + k] = low[k];
      }
    }
  }
}

template <class T>
void join_row(ptrdiff_t half, const void* from, void* to, const void* roots) {
  const Complex<T>* const in = static_cast<const Complex<T>*>(from);
  Complex<T>* const out = static_cast<Complex<T>*>(to);
  over_pairs(half, in, out, static_cast<const T*>(roots),
             [](auto a, auto b, auto c, auto s, auto* x, auto* y) { join_pair(a, b, c, s, x, y); });
  const Complex<T> first = in[0];
  out[0] = {first.real + first.imag, T(0)};
  out[half] = {first.real - first.imag, T(0)};
}
template <class T>
void split_row(ptrdiff_t half, const void* from, void* to, const void* roots) {
  const Complex<T>* const in = static_cast<const Complex<T>*>(from);
  Complex<T>* const out = static_cast<Complex<T>*>(to);
  over_pairs(
      half, in, out, static_cast<const T*>(roots),
      [](auto a, auto b, auto c, auto s, auto* x, auto* y) { split_pair(a, b, c, s, x, y); });
  out[0] = {in[0].real + in[half].real, in[0].real - in[half].real};
}

template <class T>
void multiply(ptrdiff_t n, const void* a, const void* b, void* out, double scale, bool conjugate) {
  constexpr ptrdiff_t size = Vec<T>::size;
  const Complex<T>*const x = static_cast<const Complex<T>*>(a),
            *const y = static_cast<const Complex<T>*>(b);
  Complex<T>* const z = static_cast<Complex<T>*>(out);
  const Vec<T> factor{T(scale)}, sign{T(conjugate ? -1 : 1)};
  const auto product = [&](VecComplex<T> u, VecComplex<T> v) {
    const VecComplex<T> w = turned(u, v.real, v.imag * sign);
    return VecComplex<T>(w.real * factor, w.imag * factor);
  };
  ptrdiff_t i = 0;
  for (; i + size <= n; i += size) {
    product(VecComplex<T>::load(x + i), VecComplex<T>::load(y + i)).store(z + i);
  }
  if (i < n) {
    product(VecComplex<T>::load_first(x + i, n - i), VecComplex<T>::load_first(y + i, n - i))
        .store_first(z + i, n - i);
  }
}

template <class T>
TransformLoops loops() {
  return {Vec<T>::size,    transform_row<T>, transform_planes<T>, load_complex<T>,
          store_complex<T>, load_real<T>,     store_real<T>,       turn<T>,
          join_planes<T>,   split_planes<T>,  join_row<T>,         split_row<T>,
          multiply<T>};
}

}  // namespace

void fill_transforms(Kernels& kernels) {
  kernels.transforms[0] = loops<float>();
  kernels.transforms[1] = loops<double>();
}

}  // namespace COREPY_TARGET
}  // namespace corepy
