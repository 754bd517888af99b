#include "transform_plans.hpp"

#include <algorithm>
#include <cmath>
#include <new>
#include <vector>

#include "kernels.hpp"
#include "types.hpp"

namespace corepy {

namespace {

constexpr ptrdiff_t MAX_IN_PASSES = 32768;  // numbers; longer transforms are taken in steps
constexpr int MAX_PLANS = 64;
constexpr size_t MAX_BYTES = size_t(64) << 20;  // of all unused plans

using Number = Complex<long double>;

// exp(-2 pi i k / n) for 0 <= k < n. The angle is reduced to an eighth of a turn in integers, so
// that its only error is one rounding.
Number root_of_unity(ptrdiff_t k, ptrdiff_t n) {
  constexpr long double turn = 6.283185307179586476925286766559005768394L;
  const bool lower = 2 * k > n;  // exp(-i x) is conjugate to exp(i x)
  if (lower) k = n - k;
  const bool left = 4 * k > n;
  ptrdiff_t twice = 2 * k;  // in units of half a step
  if (left) twice = n - twice;
  const bool steep = 4 * twice > n;
  const ptrdiff_t fourfold = steep ? n - 2 * twice : 2 * twice;  // in units of a quarter
  const long double angle =
      turn * static_cast<long double>(fourfold) / (4 * static_cast<long double>(n));
  long double c = std::cos(angle), s = std::sin(angle);
  if (steep) std::swap(c, s);
  return {left ? -c : c, lower ? s : -s};
}

// Many roots of unity: products of two that are known, in long double.
class Roots {
 public:
  explicit Roots(ptrdiff_t n) : n(n) {
    while ((ptrdiff_t(1) << (2 * shift)) < n) shift++;
    const ptrdiff_t size = ptrdiff_t(1) << shift;
    for (ptrdiff_t k = 0; k < size && k < n; k++) fine.push_back(root_of_unity(k, n));
    for (ptrdiff_t k = 0; k < n; k += size) coarse.push_back(root_of_unity(k, n));
  }
  // 0 <= k < n
  Number operator()(ptrdiff_t k) const {
    const Number low = fine[size_t(k & ((ptrdiff_t(1) << shift) - 1))],
                 high = coarse[size_t(k >> shift)];
    return low * high;
  }

 private:
  ptrdiff_t n;
  int shift = 0;
  std::vector<Number> fine, coarse;
};

double* new_table(Transform& plan, TransformTable& table, ptrdiff_t count) {
  const size_t nbytes = size_t(count) * sizeof(double);
  void* const memory = allocate_aligned(64, nbytes + 64);
  if (!memory) throw std::bad_alloc();
  plan.nbytes += nbytes;
  table.reset(static_cast<double*>(memory));
  return table.get();
}

// The prime factors of n, ascending.
std::vector<ptrdiff_t> prime_factors(ptrdiff_t n) {
  std::vector<ptrdiff_t> factors;
  for (ptrdiff_t p = 2; p <= n / p; p += p == 2 ? 1 : 2) {
    for (; n % p == 0; n /= p) factors.push_back(p);
  }
  if (n > 1) factors.push_back(n);
  return factors;
}

// The radices of n, in the order of the passes. Those that are powers of two come first: the first
// pass writes them by shuffles, and after it rows fill a vector.
std::vector<int> radices_of(ptrdiff_t n) {
  std::vector<int> radices, odd;
  int twos = 0;
  for (const ptrdiff_t p : prime_factors(n)) {
    if (p == 2) {
      twos++;
    } else {
      odd.push_back(int(p));
    }
  }
  // Radix 8; a single factor 2 is merged into radix 4 passes.
  for (; twos > 4 || twos == 3; twos -= 3) radices.push_back(8);
  for (; twos >= 2; twos -= 2) radices.push_back(4);
  std::sort(odd.rbegin(), odd.rend());
  radices.insert(radices.end(), odd.begin(), odd.end());
  if (twos == 1) radices.push_back(2);
  return radices;
}

void plan_passes(Transform& plan) {
  const std::vector<int> radices = radices_of(plan.n);
  const Roots roots(plan.n);
  ptrdiff_t count = 0, done = 1;
  for (const int radix : radices) {
    done *= radix;
    count += 2 * (radix - 1) * (plan.n / done + TWIDDLE_PAD) + 2 * radix;
  }
  double* table = new_table(plan, plan.roots, count);
  plan.passes.n = plan.n;
  plan.passes.count = 0;
  done = 1;
  for (const int radix : radices) {
    TransformPass& pass = plan.passes.pass[plan.passes.count++];
    pass.radix = radix;
    pass.done = done;
    pass.rest = plan.n / done / radix;
    pass.twiddles = table;
    for (int j = 1; j < radix; j++) {
      double* const real = table;
      double* const imag = table + pass.rest + TWIDDLE_PAD;
      for (ptrdiff_t p = 0; p < pass.rest; p++) {
        const Number w = roots(p * j * done);
        real[p] = double(w.real);
        imag[p] = double(w.imag);
      }
      std::fill(real + pass.rest, imag, 0.0);
      table = imag + pass.rest;
      std::fill(table, table + TWIDDLE_PAD, 0.0);
      table += TWIDDLE_PAD;
    }
    pass.roots = table;
    for (int k = 0; k < radix; k++) {
      const Number w = root_of_unity(k, radix);
      table[k] = double(w.real);
      table[radix + k] = double(-w.imag);
    }
    table += 2 * radix;
    done *= radix;
  }
}

std::unique_ptr<Transform> make_plan(ptrdiff_t n, bool real);

std::unique_ptr<Transform> plan_in_passes(ptrdiff_t n) {
  std::unique_ptr<Transform> plan(new Transform);
  plan->n = n;
  plan_passes(*plan);
  return plan;
}

// Factors n into n1 and n2 of similar size: each prime factor, from the largest, goes to the
// smaller of the two.
void plan_steps(Transform& plan) {
  ptrdiff_t n1 = 1, n2 = 1;
  std::vector<ptrdiff_t> factors = prime_factors(plan.n);
  for (size_t i = factors.size(); i-- > 0;) (n1 <= n2 ? n1 : n2) *= factors[i];
  plan.first = plan_in_passes(n1);
  plan.second = plan_in_passes(n2);
  plan.nbytes += plan.first->nbytes + plan.second->nbytes;
  // Two pairs of planes should fit a second-level cache; a block fills vectors and cache lines.
  plan.block =
      std::max(n1, n2) * 16 * ptrdiff_t(sizeof(double)) * 4 > (ptrdiff_t(1) << 20) ? 8 : 16;
  const ptrdiff_t block = plan.block, blocks = (n2 + block - 1) / block;
  const Roots roots(plan.n);
  double* const coarse = new_table(plan, plan.roots, 2 * blocks * n1);
  for (ptrdiff_t i = 0; i < blocks; i++) {
    for (ptrdiff_t k = 0; k < n1; k++) {
      const Number w = roots(i * block * k);  // less than n1 n2
      coarse[2 * (i * n1 + k)] = double(w.real);
      coarse[2 * (i * n1 + k) + 1] = double(w.imag);
    }
  }
  double* const fine = new_table(plan, plan.others, 2 * block * n1);
  for (ptrdiff_t k = 0; k < n1; k++) {
    for (ptrdiff_t i = 0; i < block; i++) {
      const Number w = roots(i * k % plan.n);
      fine[k * block + i] = double(w.real);
      fine[(n1 + k) * block + i] = double(w.imag);
    }
  }
}

// The least multiple of 8 from n on with no prime factors but 2, 3 and 5.
ptrdiff_t smooth_from(ptrdiff_t n) {
  ptrdiff_t best = 8;
  while (best < n) best *= 2;
  for (ptrdiff_t fives = 8; fives < best; fives *= 5) {
    for (ptrdiff_t threes = fives; threes < best; threes *= 3) {
      ptrdiff_t number = threes;
      while (number < n) number *= 2;
      best = std::min(best, number);
    }
  }
  return best;
}

// Bluestein's algorithm: with b(k) = exp(-i pi k^2 / n) the transform of x is b times the
// convolution of x b with the conjugate of b.
void plan_chirp(Transform& plan) {
  const ptrdiff_t n = plan.n, size = smooth_from(2 * n - 1);
  plan.first = make_plan(size, false);
  plan.nbytes += plan.first->nbytes;
  double* const chirp = new_table(plan, plan.roots, 2 * n);
  double* const other = new_table(plan, plan.others, 2 * size);
  std::fill(other, other + 2 * size, 0.0);
  const Roots roots(2 * n);
  ptrdiff_t square = 0;  // k^2 modulo 2 n
  for (ptrdiff_t k = 0; k < n; k++) {
    const Number w = roots(square);
    chirp[2 * k] = double(w.real);
    chirp[2 * k + 1] = double(w.imag);
    const ptrdiff_t mirrored = k ? size - k : 0;
    other[2 * k] = other[2 * mirrored] = double(w.real);
    other[2 * k + 1] = other[2 * mirrored + 1] = double(-w.imag);
    square += 2 * k + 1;
    while (square >= 2 * n) square -= 2 * n;
  }
  void* const memory = allocate_aligned(64, size_t(row_memory(*plan.first, 1)));
  if (!memory) throw std::bad_alloc();
  const TransformTable scratch(static_cast<double*>(memory), free_aligned);
  transform_row(*plan.first, other, false, other, false, 1.0 / double(size), false, 1,
                static_cast<char*>(memory));
}

void plan_real(Transform& plan) {
  plan.first = make_plan(plan.n % 2 ? plan.n : plan.n / 2, false);
  plan.nbytes += plan.first->nbytes;
  if (plan.n % 2) return;
  const ptrdiff_t half = plan.n / 2, row = half + TWIDDLE_PAD;
  double* const table = new_table(plan, plan.roots, 2 * row);
  std::fill(table, table + 2 * row, 0.0);
  const Roots roots(plan.n);
  for (ptrdiff_t k = 0; k < half; k++) {
    const Number w = roots(k);
    table[k] = double(w.real);
    table[row + k] = double(w.imag);
  }
}

void plan_any(Transform& plan) {
  if (plan.real) return plan_real(plan);
  const std::vector<ptrdiff_t> factors = prime_factors(plan.n);
  if (!factors.empty() && factors.back() > MAX_RADIX) {
    plan.method = TransformMethod::chirp;
    plan_chirp(plan);
  } else if (plan.n > MAX_IN_PASSES) {
    plan.method = TransformMethod::steps;
    plan_steps(plan);
  } else {
    plan_passes(plan);
  }
}

std::unique_ptr<Transform> make_plan(ptrdiff_t n, bool real) {
  std::unique_ptr<Transform> plan(new Transform);
  plan->n = n;
  plan->real = real;
  plan_any(*plan);
  return plan;
}

// Plans in use and unused ones, unordered.
std::vector<std::unique_ptr<Transform>> plans;
size_t uses = 0;

// Deletes unused plans, the least recently used first, while there are too many.
void trim() {
  for (;;) {
    size_t nbytes = 0, oldest = plans.size();
    for (size_t i = 0; i < plans.size(); i++) {
      if (plans[i]->users > 0) continue;
      nbytes += plans[i]->nbytes;
      if (oldest == plans.size() || plans[i]->last_use < plans[oldest]->last_use) oldest = i;
    }
    if (oldest == plans.size() || (nbytes <= MAX_BYTES && plans.size() <= MAX_PLANS)) return;
    std::swap(plans[oldest], plans.back());
    plans.pop_back();
  }
}

}  // namespace

const Transform* acquire_transform(ptrdiff_t n, bool real) {
  for (size_t i = 0; i < plans.size(); i++) {
    Transform& plan = *plans[i];
    if (plan.n == n && plan.real == real) {
      plan.users++;
      plan.last_use = ++uses;
      if (i > 0) std::swap(plans[i], plans[i - 1]);  // so that those used often are found early
      return &plan;
    }
  }
  try {
    std::unique_ptr<Transform> plan = make_plan(n, real);
    plan->users = 1;
    plan->last_use = ++uses;
    const Transform* const made = plan.get();
    plans.push_back(std::move(plan));
    trim();
    return made;
  } catch (const std::exception&) {  // no memory, or more than a container can have
    return nullptr;
  }
}

void release_transform(const Transform* plan) {
  // The others are counted when the next plan is made.
  if (--plan->users == 0 && plan->nbytes > MAX_BYTES / 4) trim();
}

}  // namespace corepy
