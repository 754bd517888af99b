"""Elementwise functions: arithmetic, comparison and bitwise, elementary, complex."""

from .case import ALL, FIVE, LARGE, SPREAD, TWO, row

# Multiplications and additions for one element of an elementary function, about: a polynomial that
# is good to the last bit, and the reduction of the argument to where it is.
ELEMENTARY = 20

# fmt: off
ARITHMETIC = [
    *row("add, multiply", sizes=ALL, x="normal", y="normal"),
    *row("add", dtypes="float32 int64", sizes=FIVE, x="normal", y="normal"),
    *row("add", dtypes="int8 uint16", sizes=TWO, x="normal", y="normal"),
    *row("add", "xp.add(x, 2.5)", layouts=["scalar"], sizes=FIVE, x="normal"),
    *row("add", layouts=["transposed", "row", "column", "strided"], sizes=TWO, x="normal",
         y="normal"),
    *row("add", "x += y", variant="in place", sizes=FIVE, x="normal", y="zero"),
    *row("multiply", dtypes="float32 int64", sizes=TWO, x="normal", y="normal"),
    *row("multiply", dtypes="float32", layouts=["row", "column"], sizes=TWO, x="normal",
         y="normal"),
    *row("subtract", sizes=FIVE, x="normal", y="normal"),
    *row("subtract", layouts=["transposed", "column"], sizes=LARGE, x="normal", y="normal"),
    *row("divide", x="normal", y="positive"),
    *row("divide", dtypes="float32", sizes=TWO, x="normal", y="positive"),
    *row("divide", layouts=["row", "strided"], sizes=LARGE, x="normal", y="positive"),
    *row("floor_divide, remainder", dtypes="float64 int64", x="normal", y="positive"),
    *row("remainder", "xp.remainder(x, 3)", dtypes="int64", layouts=["scalar"], sizes=TWO,
         x="normal"),
    *row("negative", sizes=FIVE, x="normal"),
    *row("abs", dtypes="float64 float32", x="normal"),
    *row("positive, square, sign, floor, ceil, round", x="normal"),
    *row("reciprocal", x="positive"),
    *row("trunc", dtypes="float32", x="normal"),
    *row("copysign, nextafter", x="normal", y="normal"),
]

COMPARISON = [
    *row("less", sizes=SPREAD, x="normal", y="normal"),
    *row("less", dtypes="float32 int64", sizes=TWO, x="normal", y="normal"),
    *row("less", "xp.less(x, 0.5)", layouts=["scalar"], x="normal"),
    *row("less", layouts=["transposed", "row", "column", "strided"], sizes=TWO, x="normal",
         y="normal"),
    *row("equal", dtypes="int64", sizes=FIVE, x="digit", y="digit"),
    *row("equal", dtypes="uint8", sizes=TWO, x="digit", y="digit"),
    *row("not_equal, greater", x="normal", y="normal"),
    *row("greater_equal", dtypes="float32", x="normal", y="normal"),
    *row("less_equal, bitwise_xor", dtypes="int32", x="normal", y="normal"),
    *row("isfinite, isinf, signbit", x="normal"),
    *row("isnan", dtypes="float64 float32", x="normal"),
    *row("logical_and, logical_or, logical_xor, bitwise_or", dtypes="bool", x="mask", y="mask"),
    *row("logical_not", dtypes="bool", x="mask"),
    *row("bitwise_and", dtypes="int64 uint8", x="normal", y="normal"),
    *row("bitwise_invert", dtypes="int64", x="normal"),
    *row("bitwise_left_shift, bitwise_right_shift", dtypes="int64", x="normal", y="digit"),
]

# Those of the bars at all sizes, the rest where calls and where arithmetic count.
_PROMINENT = {"sin": "normal", "cos": "normal", "exp": "moderate", "log": "positive"}
_OTHERS = {
    "tan": "normal", "asin": "fraction", "acos": "fraction", "atan": "normal", "sinh": "moderate",
    "cosh": "moderate", "asinh": "normal", "acosh": "positive", "atanh": "fraction",
    "expm1": "fraction", "log1p": "fraction", "log2": "positive", "log10": "positive",
}

ELEMENTARY_FUNCTIONS = [
    *(
        case
        for operation, kind in _PROMINENT.items()
        for case in (
            *row(operation, sizes=SPREAD, work=ELEMENTARY, x=kind),
            *row(operation, dtypes="float32", sizes=LARGE, work=ELEMENTARY / 2, x=kind),
        )
    ),
    *row("tanh", work=ELEMENTARY, x="normal"),
    *row("tanh", dtypes="float32", sizes=LARGE, work=ELEMENTARY / 2, x="normal"),
    *row("exp", layouts=["transposed", "strided"], sizes=LARGE, work=ELEMENTARY, x="moderate"),
    *row("sin", "xp.sin(x)", variant="of int64", dtypes="int64", work=ELEMENTARY, x="normal"),
    *row("sin", variant="of 10^5", sizes=TWO, work=ELEMENTARY, x="huge"),
    *(
        case
        for operation, kind in _OTHERS.items()
        for case in (
            *row(operation, work=ELEMENTARY, x=kind),
            *row(operation, dtypes="float32", sizes=TWO, work=ELEMENTARY / 2, x=kind),
        )
    ),
    *row("sqrt", sizes=FIVE, x="positive"),
    *row("sqrt", dtypes="float32", sizes=TWO, x="positive"),
    *row("pow", work=2 * ELEMENTARY, x="positive", y="fraction"),
    *row("pow", dtypes="float32", sizes=LARGE, work=ELEMENTARY, x="positive", y="fraction"),
    *row("pow", "xp.pow(x, 3.0)", layouts=["scalar"], sizes=LARGE, x="positive"),
    *row("pow", dtypes="int64", sizes=TWO, x="digit", y="digit"),
    *row("hypot", x="normal", y="normal"),
    *row("hypot", dtypes="float32", sizes=TWO, x="normal", y="normal"),
    *row("atan2", work=ELEMENTARY, x="normal", y="normal"),
    *row("atan2", layouts=["column"], sizes=(10_000,), work=ELEMENTARY, x="normal", y="normal"),
    *row("logaddexp", work=2 * ELEMENTARY, x="normal", y="normal"),
]

COMPLEX = [
    *row("add", dtypes="complex128", sizes=FIVE, x="normal", y="normal"),
    *row("multiply", dtypes="complex128", sizes=FIVE, work=2, x="normal", y="normal"),
    *row("multiply", dtypes="complex64", sizes=TWO, work=2, x="normal", y="normal"),
    *row("divide", dtypes="complex128", x="normal", y="positive"),
    *row("abs, conj, sqrt, sum", dtypes="complex128", x="normal"),
    *row("real", "xp.real(x) + 1.0", dtypes="complex128", x="normal"),
    *row("imag", "xp.imag(x) + 1.0", dtypes="complex128", x="normal"),
    *row("exp, log", dtypes="complex128", work=3 * ELEMENTARY, x="normal"),
    *row("sin", dtypes="complex128", work=4 * ELEMENTARY, x="normal"),
]
# fmt: on

GROUPS = {
    "arithmetic": ARITHMETIC,
    "comparison": COMPARISON,
    "elementary": ELEMENTARY_FUNCTIONS,
    "complex": COMPLEX,
}
