// A row reads like a line of the standard: "if a is ... and b is ..., the result is ...", where a
// is the real and b the imaginary component. Where rows of the standard contradict each other, the
// first one holds; where it leaves a sign open, that is what C libraries make of it.
// corepy/backend/standard has the same tables for other backends.
#include "complex_cases.hpp"

#include <cmath>
#include <limits>

namespace corepy {
namespace {

enum Condition {
  any,
  positive_zero,
  zero,
  finite,
  nonzero_finite,
  positive_finite,
  nonzero,
  positive_infinity,
  negative_infinity,
  infinite,
  is_nan,
};

bool holds(Condition condition, double v) {
  switch (condition) {
    case any:
      return true;
    case positive_zero:
      return v == 0 && !std::signbit(v);
    case zero:
      return v == 0;
    case finite:
      return std::isfinite(v);
    case nonzero_finite:
      return std::isfinite(v) && v != 0;
    case positive_finite:
      return std::isfinite(v) && v > 0;
    case nonzero:
      return v != 0;
    case positive_infinity:
      return std::isinf(v) && v > 0;
    case negative_infinity:
      return std::isinf(v) && v < 0;
    case infinite:
      return std::isinf(v);
    case is_nan:
      return std::isnan(v);
  }
  return false;
}

// A number, or that times the sine or cosine of b; or one without regard to symmetry.
struct Value {
  enum Kind { NUMBER, TIMES_SIN, TIMES_COS, WITHOUT_SIGN };
  double number;
  Kind kind = NUMBER;

  constexpr Value(double number, Kind kind = NUMBER) : number(number), kind(kind) {}
  double at(double b, double sign) const {
    switch (kind) {
      case TIMES_SIN:
        return sign * (number * std::sin(b));
      case TIMES_COS:
        return sign * (number * std::cos(b));
      case WITHOUT_SIGN:
        return number;
      default:
        return sign * number;
    }
  }
};

struct Case {
  Condition a, b;
  Value real, imag;
};

// f(conj(x)) = conj(f(x)) for all of these, so rows speak about b >= +0 alone. f(-x) = -f(x) where
// f is odd and f(-x) = f(x) where it is even: then about a >= +0 alone, too.
enum Parity { NEITHER, ODD, EVEN };

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double pi = 3.141592653589793;
constexpr Value inf_cos(inf, Value::TIMES_COS), inf_sin(inf, Value::TIMES_SIN);
constexpr Value zero_cos(0, Value::TIMES_COS), zero_sin(0, Value::TIMES_SIN);
constexpr Value just_zero(0, Value::WITHOUT_SIGN), just_inf(inf, Value::WITHOUT_SIGN);

constexpr Case ACOS[] = {
    {zero, is_nan, pi / 2, nan},
    {finite, positive_infinity, pi / 2, -inf},
    {nonzero_finite, is_nan, nan, nan},
    {negative_infinity, finite, pi, -inf},
    {positive_infinity, finite, 0, -inf},
    {negative_infinity, positive_infinity, 3 * pi / 4, -inf},
    {positive_infinity, positive_infinity, pi / 4, -inf},
    {infinite, is_nan, nan, -inf},
    {is_nan, finite, nan, nan},
    {is_nan, positive_infinity, nan, -inf},
    {is_nan, is_nan, nan, nan},
};
constexpr Case ASINH[] = {
    {finite, positive_infinity, inf, pi / 2},
    {finite, is_nan, nan, nan},
    {positive_infinity, finite, inf, 0},
    {positive_infinity, positive_infinity, inf, pi / 4},
    {positive_infinity, is_nan, inf, nan},
    {is_nan, positive_zero, nan, 0},
    {is_nan, nonzero_finite, nan, nan},
    {is_nan, positive_infinity, inf, nan},
    {is_nan, is_nan, nan, nan},
};
constexpr Case ATANH[] = {
    {positive_zero, is_nan, 0, nan},
    {finite, positive_infinity, 0, pi / 2},
    {nonzero_finite, is_nan, nan, nan},
    {positive_infinity, finite, 0, pi / 2},
    {positive_infinity, positive_infinity, 0, pi / 2},
    {positive_infinity, is_nan, 0, nan},
    {is_nan, finite, nan, nan},
    {is_nan, positive_infinity, 0, pi / 2},
    {is_nan, is_nan, nan, nan},
};
constexpr Case COSH[] = {
    {positive_zero, positive_infinity, nan, just_zero},
    {positive_zero, is_nan, nan, just_zero},
    {nonzero_finite, positive_infinity, nan, nan},
    {nonzero_finite, is_nan, nan, nan},
    {positive_infinity, positive_zero, inf, 0},
    {positive_infinity, nonzero_finite, inf_cos, inf_sin},
    {positive_infinity, positive_infinity, inf, nan},
    {positive_infinity, is_nan, inf, nan},
    {is_nan, zero, nan, 0},
    {is_nan, nonzero_finite, nan, nan},
    {is_nan, positive_infinity, nan, nan},
    {is_nan, is_nan, nan, nan},
};
constexpr Case EXP[] = {
    {finite, positive_infinity, nan, nan},
    {finite, is_nan, nan, nan},
    {positive_infinity, positive_zero, inf, 0},
    {negative_infinity, finite, zero_cos, zero_sin},
    {positive_infinity, nonzero_finite, inf_cos, inf_sin},
    {negative_infinity, positive_infinity, 0, 0},
    {positive_infinity, positive_infinity, inf, nan},
    {negative_infinity, is_nan, 0, 0},
    {positive_infinity, is_nan, inf, nan},
    {is_nan, positive_zero, nan, 0},
    {is_nan, nonzero, nan, nan},
};
constexpr Case EXPM1[] = {
    {finite, positive_infinity, nan, nan},
    {finite, is_nan, nan, nan},
    {positive_infinity, positive_zero, inf, 0},
    {negative_infinity, finite, -1, zero_sin},
    {positive_infinity, nonzero_finite, inf_cos, inf_sin},
    {negative_infinity, positive_infinity, -1, 0},
    {positive_infinity, positive_infinity, inf, nan},
    {negative_infinity, is_nan, -1, 0},
    {positive_infinity, is_nan, inf, nan},
    {is_nan, positive_zero, nan, 0},
    {is_nan, nonzero, nan, nan},
};
constexpr Case LOG[] = {
    {finite, positive_infinity, inf, pi / 2},
    {finite, is_nan, nan, nan},
    {negative_infinity, finite, inf, pi},
    {positive_infinity, finite, inf, 0},
    {negative_infinity, positive_infinity, inf, 3 * pi / 4},
    {positive_infinity, positive_infinity, inf, pi / 4},
    {infinite, is_nan, inf, nan},
    {is_nan, finite, nan, nan},
    {is_nan, positive_infinity, inf, nan},
    {is_nan, is_nan, nan, nan},
};
constexpr Case SINH[] = {
    {positive_zero, positive_infinity, 0, nan},
    {positive_zero, is_nan, 0, nan},
    {positive_finite, positive_infinity, nan, nan},
    {positive_finite, is_nan, nan, nan},
    {positive_infinity, positive_zero, inf, 0},
    {positive_infinity, positive_finite, inf_cos, inf_sin},
    {positive_infinity, positive_infinity, just_inf, nan},
    {positive_infinity, is_nan, just_inf, nan},
    {is_nan, positive_zero, nan, 0},
    {is_nan, nonzero_finite, nan, nan},
    {is_nan, positive_infinity, nan, nan},
    {is_nan, is_nan, nan, nan},
};
constexpr Case SQRT[] = {
    {any, positive_infinity, inf, inf},
    {finite, is_nan, nan, nan},
    {negative_infinity, finite, 0, inf},
    {positive_infinity, finite, inf, 0},
    {negative_infinity, is_nan, nan, inf},
    {positive_infinity, is_nan, inf, nan},
    {is_nan, any, nan, nan},
};
constexpr Case TANH[] = {
    {nonzero_finite, positive_infinity, nan, nan},
    {positive_zero, positive_infinity, 0, nan},
    {nonzero_finite, is_nan, nan, nan},
    {positive_zero, is_nan, 0, nan},
    {positive_infinity, finite, 1, 0},
    {positive_infinity, positive_infinity, 1, 0},
    {positive_infinity, is_nan, 1, 0},
    {is_nan, positive_zero, nan, 0},
    {is_nan, nonzero, nan, nan},
};

struct Table {
  const Case* first = nullptr;
  const Case* end = nullptr;
  Parity parity = NEITHER;
  double scale = 1;  // of the results

  Table() = default;
  template <size_t n>
  Table(const Case (&cases)[n], Parity parity = NEITHER, double scale = 1)
      : first(cases), end(cases + n), parity(parity), scale(scale) {}
};

Table table_of(Operation operation) {
  switch (operation) {
    case OP_acos:
      return ACOS;
    case OP_asinh:
      return {ASINH, ODD};
    case OP_atanh:
      return {ATANH, ODD};
    case OP_cosh:
      return {COSH, EVEN};
    case OP_exp:
      return EXP;
    case OP_expm1:
      return EXPM1;
    case OP_log:
    case OP_log1p:  // the rows of log(1 + x) that do not speak about one point are the same
      return LOG;
    case OP_log2:
      return {LOG, NEITHER, 1.4426950408889634};
    case OP_log10:
      return {LOG, NEITHER, 0.4342944819032518};
    case OP_sinh:
      return {SINH, ODD};
    case OP_sqrt:
      return SQRT;
    case OP_tanh:
      return {TANH, ODD};
    default:
      return {};
  }
}

}  // namespace

void apply_complex_case(Operation operation, double a, double b, double* components) {
  const Table table = table_of(operation);
  // The sign of a NaN is left out of a product.
  const double sign_of_a = table.parity == EVEN && std::isnan(a) ? 1 : std::copysign(1.0, a);
  const double sign_of_b = std::copysign(1.0, b);
  // f(-a + bi) is -conj(f(a + bi)) for an odd and conj(f(a + bi)) for an even function.
  const double sign_of_real = table.parity == ODD ? sign_of_a : 1;
  const double sign_of_imag = table.parity == EVEN ? sign_of_a * sign_of_b : sign_of_b;
  if (table.parity != NEITHER) a = std::fabs(a);
  b = std::fabs(b);
  for (const Case* row = table.first; row != table.end; row++) {
    if (holds(row->a, a) && holds(row->b, b)) {
      components[0] = table.scale * row->real.at(b, sign_of_real);
      components[1] = table.scale * row->imag.at(b, sign_of_imag);
      return;
    }
  }
}

}  // namespace corepy
