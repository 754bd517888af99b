"""Lines as numerical programs write them: powers by numbers, in-place operators, shifted views,
numbers on either side, mixed dtypes, methods, iteration.

The other modules time one operation each; here a line is what a program has, temporaries included.
Lines that write to ``x`` leave its values where they are, however often they run: what grows or
vanishes would be timed at infinity, or with subnormal numbers.
"""

from collections.abc import Iterable

from .case import Case, row
from .data import Shape, matrix, root, square

SIZES = (100, 10_000, 1_000_000)
ONCE = (10_000,)  # where the time does not depend on the size
FLOATS = "float64 float32"


def line(
    family: str,
    code: str,
    dtypes: str = "float64",
    sizes: Iterable[int] = SIZES,
    **data: str | tuple[str, Shape],
) -> list[Case]:
    """Return the cases of a line, which is its own name within a family of them.

    Other dtypes than the first are timed at the middle size alone.
    """
    first, *others = dtypes.split()
    middle = [size for size in sizes if size == 10_000]
    return [
        *row(family, code, variant=code, dtypes=first, sizes=sizes, **data),
        *row(family, code, variant=code, dtypes=" ".join(others), sizes=middle, **data),
    ]


_NORMAL = ("normal", matrix)
_MASK = ("mask", matrix)
_ROW = ("normal", lambda n: matrix(n)[1:])
_COLUMN = ("normal", lambda n: (matrix(n)[0], 1))
_SIDE = ("normal", root)
_SQUARE = ("normal", square)
_NEAR_ONE = ("near one", square)
_PICTURE = ("positive", square)
# Places in a vector of `root` or a row of `square`.
_PLACES = ("positions", root)


POWERS = [
    *line("powers", "x ** 2", f"{FLOATS} int64 complex128", x="normal"),
    *line("powers", "x ** 2.0", FLOATS, x="normal"),
    *line("powers", "x ** 3", f"{FLOATS} int64", x="digit"),
    *line("powers", "x ** 4", x="normal"),
    *line("powers", "x ** -1", FLOATS, x="positive"),
    *line("powers", "x ** 0.5", FLOATS, x="positive"),
    *line("powers", "x ** 1.5", x="positive"),
    *line("powers", "x ** -2", x="positive"),
    *line("powers", "x ** y", x="positive", y="fraction"),
    *line("powers", "2 ** x", f"{FLOATS} int64", x="digit"),
    *line("powers", "x * x * x", x="normal"),
    *line("powers", "(x - y) ** 2", x="normal", y="normal"),
    *line("powers", "(x ** 2).mean() ** 0.5", x="normal"),
    *line("powers", "xp.sqrt(x ** 2 + y ** 2)", x="normal", y="normal"),
    *line("powers", "1 / (1 + x ** 2)", x="normal"),
    *line("powers", "xp.sum((x - y) ** 2, axis=1) ** 0.5", x=_NORMAL, y=_NORMAL),
    *line("powers", "3 * x ** 2 - 2 * x + 1", x="normal"),
]

IN_PLACE = [
    *line("in place", "x **= 2", f"{FLOATS} int64", x="sign"),
    *line("in place", "x **= 0.5", x="positive"),
    *line("in place", "x **= -1", x="positive"),
    *line("in place", "x += y", f"{FLOATS} int64", x="normal", y="fraction"),
    *line("in place", "x *= y", FLOATS, x="normal", y="sign"),
    *line("in place", "x /= y", FLOATS, x="normal", y="sign"),
    *line("in place", "x += 1", f"{FLOATS} int64", x="normal"),
    *line("in place", "x -= 0.5", x="normal"),
    *line("in place", "x *= -1.0", FLOATS, x="normal"),
    *line("in place", "x *= -1", "int64 float64", x="normal"),
    *line("in place", "x /= -1.0", FLOATS, x="normal"),
    *line("in place", "x %= 7", "int64 float64", x="normal"),
    *line("in place", "x &= y", "int64 bool", x="normal", y="normal"),
    *line("in place", "x <<= 1", "int64", x="normal"),
    *line("in place", "x += k", x="normal", k="integers"),
    *line("in place", "x -= s", x="normal", s="singles"),
    *line("in place", "x *= m", x="normal", m="true mask"),
    *line("in place", "x += m", "int64 float64", x="normal", m="mask"),
    *line("in place", "x += 0.1 * y", x="normal", y="fraction"),
    *line("in place", "x -= 0.01 * (x - y)", x="normal", y="normal"),
    *line("in place", "x -= x.mean()", x="normal"),
    *line("in place", "x -= x.mean(axis=0)", x=_NORMAL),
    *line("in place", "x /= x.std(axis=0)", x=_NORMAL),
    *line("in place", "x += r", x=_NORMAL, r=_ROW),
    *line("in place", "x -= c", x=_NORMAL, c=_COLUMN),
    *line("in place", "x[:] = y", x="normal", y="normal"),
    *line("in place", "x[1:] += y[:-1]", x="normal", y="fraction"),
    *line("in place", "x[::2] += 1.0", x="normal"),
    *line("in place", "x[::2] = y[::2]", x="normal", y="normal"),
    *line("in place", "x[:, 0] += 1.0", x=_NORMAL),
    *line("in place", "x[1:-1, 1:-1] += 1.0", x=_SQUARE),
    *line("in place", "x[1:-1, 1:-1] = y[1:-1, 1:-1]", x=_SQUARE, y=_SQUARE),
    *line("in place", "x[m] = 0.0", x="normal", m="mask"),
    *line("in place", "x[m] = y[m]", x="normal", y="normal", m="mask"),
    *line("in place", "x[m] += 1.0", x="normal", m="mask"),
    *line("in place", "x[x > 0.5] = 0.5", x="normal"),
    *line("in place", "x[i] = y", x="normal", y="normal", i="positions"),
    *line("in place", "x[i] += 1.0", x="normal", i="positions"),
    *line("in place", "x[3] += 1.0", sizes=ONCE, x="normal"),
    *line("in place", "x[2, 3] = 1.0", sizes=ONCE, x=_SQUARE),
    *line("in place", "x @= y", sizes=(100, 10_000), x=_SQUARE, y=("identity", square)),
]

OVERLAPPING = [
    *line("overlapping", "x[1:] = x[:-1]", f"{FLOATS} uint8", x="normal"),
    *line("overlapping", "x[:-1] = x[1:]", x="normal"),
    *line("overlapping", "x[:] = x[::-1]", x="normal"),
    *line("overlapping", "x[:, 1:] = x[:, :-1]", x=_NORMAL),
    *line("overlapping", "x[1:, 1:] = x[:-1, :-1]", x=_NORMAL),
    *line("overlapping", "x[...] = x.T", x=_SQUARE),
    *line("overlapping", "x[2::2] = x[:-2:2]", x="normal"),
    *line("overlapping", "x[1:] -= x[:-1]", "int64", x="normal"),
    *line("overlapping", "x[1:-1] = 0.5 * (x[:-2] + x[2:])", x="normal"),
    *line(
        "overlapping",
        "x[1:-1, 1:-1] = 0.25 * (x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:])",
        x=_SQUARE,
    ),
]

SCALARS = [
    *line("scalars", "x + 1", f"{FLOATS} int64 int32 uint8", x="digit"),
    *line("scalars", "1 + x", x="normal"),
    *line("scalars", "1 - x", "float64 int64", x="normal"),
    *line("scalars", "2 * x", f"{FLOATS} int64", x="normal"),
    *line("scalars", "x / 2", "float64 int64", x="normal"),
    *line("scalars", "1 / x", FLOATS, x="positive"),
    *line("scalars", "1.0 / x", "float64 int64", x="positive"),
    *line("scalars", "x // 2", "float64 int64", x="normal"),
    *line("scalars", "x % 7", "float64 int64", x="normal"),
    *line("scalars", "x % 1.0", x="normal"),
    *line("scalars", "-x", f"{FLOATS} int64", x="normal"),
    *line("scalars", "abs(x)", f"{FLOATS} int64", x="normal"),
    *line("scalars", "x > 0", f"{FLOATS} int64", x="normal"),
    *line("scalars", "x == 0", "float64 int64 uint8", x="digit"),
    *line("scalars", "(x > -0.5) & (x < 0.5)", x="normal"),
    *line("scalars", "(x < -1) | (x > 1)", FLOATS, x="normal"),
    *line("scalars", "x * 2 + 1", FLOATS, x="normal"),
    *line("scalars", "0.5 * (x + y)", x="normal", y="normal"),
    *line("scalars", "x * 0.5", "int64", x="normal"),
    *line("scalars", "x & 7", "int64 uint8", x="positive"),
    *line("scalars", "x >> 3", "int64", x="positive"),
    *line("scalars", "1 << x", "int64", x="digit"),
    *line("scalars", "~x", "int64 bool", x="normal"),
    *line("scalars", "255 - x", "uint8", x="positive"),
    *line("scalars", "x / 255", "uint8", x="positive"),
    *line("scalars", "x * 1j", x="normal"),
    *line("scalars", "x.T * 2.0 + 1.0", x=_NORMAL),
    *line("scalars", "x[::2] * 2.0", x="normal"),
    *line("scalars", "x + y[0]", x="normal", y="normal"),
]

SHIFTED_VIEWS = [
    *line("shifted views", "x[1:] - x[:-1]", f"{FLOATS} int64", x="normal"),
    *line("shifted views", "x[2:] - 2 * x[1:-1] + x[:-2]", x="normal"),
    *line("shifted views", "(x[2:] - x[:-2]) / 2.0", x="normal"),
    *line("shifted views", "x[1:] > x[:-1]", "float64 int64", x="normal"),
    *line("shifted views", "x[::2] + x[1::2]", x="normal"),
    *line("shifted views", "x[::-1].copy()", FLOATS, x="normal"),
    *line("shifted views", "x[::2].sum()", x="normal"),
    *line("shifted views", "x[1:, :] - x[:-1, :]", x=_NORMAL),
    *line("shifted views", "x[:, 1:] - x[:, :-1]", x=_NORMAL),
    *line("shifted views", "x[1:-1, 1:-1].copy()", x=_SQUARE),
    *line("shifted views", "x[::2, ::2].copy()", x=_NORMAL),
    *line("shifted views", "x[:, ::-1].copy()", x=_NORMAL),
    *line(
        "shifted views",
        "x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:] - 4 * x[1:-1, 1:-1]",
        FLOATS,
        x=_SQUARE,
    ),
    *line("shifted views", "x[:, 0] * x[:, 1]", x=_NORMAL),
    *line("shifted views", "xp.concat((x[1:], x[:1]))", x="normal"),
    *line("shifted views", "x[:10] + x[-10:]", sizes=ONCE, x="normal"),
    *line("shifted views", "xp.diff(x) / xp.diff(y)", x="normal", y="sorted"),
    *line(
        "shifted views", "xp.sum((x[1:] - x[:-1]) * (y[1:] + y[:-1])) / 2", x="normal", y="normal"
    ),
]

BROADCASTS = [
    *line("broadcasts", "x - x.mean(axis=0)", FLOATS, x=_NORMAL),
    *line("broadcasts", "(x - x.mean(axis=0)) / x.std(axis=0)", x=_NORMAL),
    *line("broadcasts", "x / x.sum(axis=1, keepdims=True)", x=_NORMAL),
    *line("broadcasts", "(x - x.min()) / (x.max() - x.min())", x="normal"),
    *line("broadcasts", "x * r", FLOATS, x=_NORMAL, r=_ROW),
    *line("broadcasts", "x + c", x=_NORMAL, c=_COLUMN),
    *line("broadcasts", "r[:, None] * r", FLOATS, r=_SIDE),
    *line("broadcasts", "(r[:, None] - r) ** 2", r=_SIDE),
    *line("broadcasts", "r[:, None] < r", r=_SIDE),
    *line("broadcasts", "x + x.T", FLOATS, x=_SQUARE),
    *line("broadcasts", "0.5 * (x + x.T)", x=_SQUARE),
    *line("broadcasts", "x.T.copy()", f"{FLOATS} uint8", x=_SQUARE),
    *line("broadcasts", "x.T.reshape(-1)", x=_NORMAL),
    *line("broadcasts", "x.T + r", x=_SQUARE, r=_SIDE),
    *line("broadcasts", "x / xp.sqrt(xp.sum(x * x, axis=1))[:, None]", x=_NORMAL),
    *line(
        "broadcasts",
        "xp.exp(x - x.max(axis=1, keepdims=True))",
        x=_NORMAL,
    ),
]

METHODS = [
    *line("methods", "x.sum()", f"{FLOATS} int64", x="normal"),
    *line("methods", "x.sum(axis=0)", FLOATS, x=_NORMAL),
    *line("methods", "x.sum(axis=1)", FLOATS, x=_NORMAL),
    *line("methods", "x.mean()", FLOATS, x="normal"),
    *line("methods", "x.mean(axis=0)", x=_NORMAL),
    *line("methods", "x.std()", x="normal"),
    *line("methods", "x.min()", f"{FLOATS} int64", x="normal"),
    *line("methods", "x.max(axis=1)", x=_NORMAL),
    *line("methods", "x.argmax()", x="normal"),
    *line("methods", "x.argmin(axis=1)", x=_NORMAL),
    *line("methods", "x.prod()", x="near one"),
    *line("methods", "m.sum()", m="mask"),
    *line("methods", "m.any()", m="mask"),
    *line("methods", "(x > 0).sum()", x="normal"),
    *line("methods", "(x > 0).mean()", x="normal"),
    *line("methods", "abs(x - y).max()", x="normal", y="normal"),
    *line("methods", "((x - y) ** 2).mean()", FLOATS, x="normal", y="normal"),
    *line("methods", "x.astype(xp.float32)", "float64 int64 uint8", x="normal"),
    *line("methods", "x.astype(xp.float64)", "int64 float32 bool uint8", x="normal"),
    *line("methods", "x.astype(xp.int64)", "float64 int32", x="normal"),
    *line("methods", "(x * 255).astype(xp.uint8)", x="unit"),
    *line("methods", "x.copy()", f"{FLOATS} uint8", x="normal"),
    *line("methods", "x.ravel()", sizes=ONCE, x=_NORMAL),
    *line("methods", "x.reshape(-1)", sizes=ONCE, x=_NORMAL),
    *line("methods", "x.reshape((-1, 2)).sum(axis=1)", x="normal"),
    *line("methods", "x.T", sizes=ONCE, x=_NORMAL),
    *line("methods", "x.squeeze()", sizes=ONCE, x=_NORMAL),
    *line("methods", "x.item(2)", sizes=ONCE, x="normal"),
    *line("methods", "float(x[0])", sizes=ONCE, x="normal"),
    *line("methods", "int(x[2])", "int64", sizes=ONCE, x="digit"),
    *line("methods", "x[0] + x[1]", sizes=ONCE, x="normal"),
    *line("methods", "x[2] > 0.5", sizes=ONCE, x="normal"),
    *line("methods", "x.tolist()", sizes=(100, 10_000), x="normal"),
    *line("methods", "x.conj()", "complex128", x="normal"),
]

ITERATION = [
    *line("iteration", "max(r)", r=_SIDE),
    *line("iteration", "sum(r)", r=_SIDE),
    *line("iteration", "[v * 2.0 for v in r]", r=_SIDE),
    *line("iteration", "[row.sum() for row in x]", sizes=(100, 10_000), x=_SQUARE),
    *line("iteration", "for row in x: pass", x=_SQUARE),
    *line("iteration", "for i in range(side): x[i] = 0.5", x=_SIDE),
    *line("iteration", "for i in range(side): x[i] = x[i] + 0.5", x=_SIDE),
    *line("iteration", "for i in range(side): x[i, i] = 0.5", x=_SQUARE),
    *line("iteration", "for v, w in zip(x, y): pass", x=_SIDE, y=_SIDE),
    *line("iteration", "a, b, *c = x", x=_SIDE),
    *line("iteration", "0.5 in x", x="normal"),
]

MIXED_DTYPES = [
    *line("mixed dtypes", "x + k", FLOATS, x="normal", k="integers"),
    *line("mixed dtypes", "k / 2", k="integers"),
    *line("mixed dtypes", "k / j", k="integers", j="counts"),
    *line("mixed dtypes", "x * m", FLOATS, x="normal", m="mask"),
    *line("mixed dtypes", "x + s", x="normal", s="singles"),
    *line("mixed dtypes", "x > k", x="normal", k="integers"),
    *line("mixed dtypes", "b + k", b="bytes", k="integers"),
    *line("mixed dtypes", "b * 0.5", b="bytes"),
    *line("mixed dtypes", "b.astype(xp.float32) / 255", b="bytes"),
    *line("mixed dtypes", "m + m", "int64", m="mask"),
    *line("mixed dtypes", "1 - m.astype(xp.int64)", m="mask"),
    *line("mixed dtypes", "m & (x > 0)", x="normal", m="mask"),
    *line("mixed dtypes", "xp.where(m, x, 0)", FLOATS, x="normal", m="mask"),
    *line("mixed dtypes", "xp.where(m, 1, 0)", m="mask"),
    *line("mixed dtypes", "xp.where(x > 0, x, -x)", x="normal"),
    *line("mixed dtypes", "xp.where(x > y, x, y)", x="normal", y="normal"),
    *line("mixed dtypes", "xp.where(m, x, k)", x="normal", m="mask", k="integers"),
    *line("mixed dtypes", "xp.maximum(x, 0)", f"{FLOATS} int64", x="normal"),
    *line("mixed dtypes", "xp.clip(x, 0, 1)", FLOATS, x="normal"),
    *line("mixed dtypes", "z * x", x="normal", z="complex numbers"),
    *line("mixed dtypes", "x + 1j * y", x="normal", y="normal"),
    *line("mixed dtypes", "xp.exp(1j * x)", x="normal"),
    *line("mixed dtypes", "abs(z) ** 2", z="complex numbers"),
    *line("mixed dtypes", "z.real ** 2 + z.imag ** 2", z="complex numbers"),
    *line("mixed dtypes", "(z * z.conj()).real", z="complex numbers"),
    *line("mixed dtypes", "x * (x > 0)", FLOATS, x="normal"),
]

FORMULAS = [
    *line("formulas", "xp.exp(-x)", x="normal"),
    *line("formulas", "xp.exp(-x ** 2 / 2)", FLOATS, x="normal"),
    *line("formulas", "xp.log(1 + x)", x="positive"),
    *line("formulas", "1 / (1 + xp.exp(-x))", FLOATS, x="normal"),
    *line("formulas", "xp.sin(x) ** 2 + xp.cos(x) ** 2", x="normal"),
    *line("formulas", "xp.sqrt(x * x + y * y)", FLOATS, x="normal", y="normal"),
    *line("formulas", "xp.exp(x) / xp.sum(xp.exp(x))", x="normal"),
    *line("formulas", "x - xp.floor(x)", x="normal"),
    *line("formulas", "xp.round(x * 100) / 100", x="normal"),
    *line("formulas", "xp.any(xp.isnan(x))", x="normal"),
    *line("formulas", "x * xp.log(x) + y * xp.log(y)", x="positive", y="positive"),
    *line("formulas", "x * y + y * x", x="normal", y="normal"),
    *line("formulas", "xp.sign(x) * xp.sqrt(xp.abs(x))", x="normal"),
    *line("formulas", "xp.atan2(y, x)", x="normal", y="normal"),
    *line("formulas", "xp.cumulative_sum(x) / xp.arange(1, n + 1)", x="normal"),
]

CREATION = [
    *line("creation", "xp.zeros(n)"),
    *line("creation", "xp.zeros((side, side))"),
    *line("creation", "xp.full(n, 3.0)"),
    *line("creation", "xp.arange(n)", "int64"),
    *line("creation", "xp.arange(n) * 0.1"),
    *line("creation", "xp.arange(0.0, 1.0, 1.0 / n)[:10]"),
    *line("creation", "xp.linspace(0, 1, n)"),
    *line("creation", "xp.eye(side)"),
    *line("creation", "xp.asarray([1.0, 2.0, 3.0])", sizes=ONCE),
    *line("creation", "xp.meshgrid(r, r)", r=_SIDE),
    *line("creation", "xp.meshgrid(r, r, indexing='ij')", FLOATS, r=_SIDE),
    *line("creation", "xp.concat((x, y))", x="normal", y="normal"),
    *line("creation", "xp.stack((x, y), axis=1)", x="normal", y="normal"),
    *line("creation", "xp.stack((x, y))", x="normal", y="normal"),
    *line("creation", "xp.tril(x)", x=_SQUARE),
    *line("creation", "xp.repeat(x, 2)", x="normal"),
    *line("creation", "xp.roll(x, 1)", x="normal"),
    *line("creation", "xp.roll(x, -1, axis=0) + xp.roll(x, 1, axis=0)", x=_SQUARE),
    *line("creation", "xp.broadcast_to(r, (side, side)) + 0.0", r=_SIDE),
]

INDEXING = [
    *line("indexing", "x[3]", sizes=ONCE, x="normal"),
    *line("indexing", "x[2, 3]", sizes=ONCE, x=_SQUARE),
    *line("indexing", "x[1]", sizes=ONCE, x=_SQUARE),
    *line("indexing", "x[:, 1]", sizes=ONCE, x=_SQUARE),
    *line("indexing", "x[1:3]", sizes=ONCE, x="normal"),
    *line("indexing", "x[:, None]", sizes=ONCE, x="normal"),
    *line("indexing", "x[::-1]", sizes=ONCE, x="normal"),
    *line("indexing", "x[2:5, 1:-1]", sizes=ONCE, x=_SQUARE),
    *line("indexing", "x[i]", FLOATS, x="normal", i="positions"),
    *line("indexing", "x[p]", x=_SQUARE, p=_PLACES),
    *line("indexing", "x[:, p]", x=_SQUARE, p=_PLACES),
    *line("indexing", "x[p, q]", x=_SQUARE, p=_PLACES, q=_PLACES),
    *line("indexing", "x[p[:, None], q]", x=_SQUARE, p=_PLACES, q=_PLACES),
    *line("indexing", "x[[0, 2]]", x=_SQUARE),
    *line("indexing", "x[:, [0, 2]]", x=_SQUARE),
    *line("indexing", "x[m]", x="normal", m="mask"),
    *line("indexing", "x[x > 0]", f"{FLOATS} int64", x="normal"),
    *line("indexing", "x[(x > -1) & (x < 1)]", x="normal"),
    *line("indexing", "x[m].mean()", x="normal", m="mask"),
    *line("indexing", "x[x > x.mean()].sum()", x="normal"),
    *line("indexing", "x[x[:, 0] > 0]", x=_SQUARE),
    *line("indexing", "xp.nonzero(m)[0]", m="mask"),
    *line("indexing", "xp.nonzero(c)", c=_MASK),
    *line("indexing", "x[xp.nonzero(m)[0]]", x="normal", m="mask"),
    *line("indexing", "x[xp.argsort(x)]", x="normal"),
    *line("indexing", "xp.sort(x)[::-1]", x="normal"),
    *line("indexing", "xp.take(x, p, axis=1)", x=_SQUARE, p=_PLACES),
    *line("indexing", "xp.count_nonzero(m)", m="mask"),
]

PRODUCTS = [
    *line("products", "x @ y", FLOATS, x="normal", y="normal"),
    *line("products", "x @ r", FLOATS, x=_SQUARE, r=_SIDE),
    *line("products", "r @ x", x=_SQUARE, r=_SIDE),
    *line("products", "x.T @ r", x=_SQUARE, r=_SIDE),
    *line("products", "x @ r + s", x=_SQUARE, r=_SIDE, s=_SIDE),
    *line("products", "x @ x", sizes=(100, 10_000), x=_SQUARE),
    *line("products", "xp.sum(x * y, axis=1)", x=_NORMAL, y=_NORMAL),
    *line("products", "xp.linalg.outer(r, r)", r=_SIDE),
    *line("products", "xp.linalg.vector_norm(x)", x="normal"),
    *line("products", "xp.linalg.trace(x)", x=_SQUARE),
    *line("products", "x @ x", "int64", sizes=(100, 10_000), x=_SQUARE),
]

GROUPS = {
    "idioms": [
        *POWERS,
        *IN_PLACE,
        *OVERLAPPING,
        *SCALARS,
        *SHIFTED_VIEWS,
        *BROADCASTS,
        *METHODS,
        *ITERATION,
        *MIXED_DTYPES,
        *FORMULAS,
        *CREATION,
        *INDEXING,
        *PRODUCTS,
    ]
}
