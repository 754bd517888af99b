"""Lines as numerical programs write them: powers by numbers, in-place operators, shifted views,
numbers on either side, mixed dtypes, methods, iteration.

The other modules time one operation each; here a line is what a program has, temporaries included.
Lines that write to ``x`` leave its values where they are, however often they run: what grows or
vanishes would be timed at infinity, or with subnormal numbers.
"""

import re
from collections.abc import Iterable

from .case import Case, row
from .data import Shape, matrix, root, square

SIZES = (100, 10_000, 1_000_000)
ONCE = (10_000,)  # where the time does not depend on the size
FLOATS = "float64 float32"


def lines(
    family: str,
    codes: str,
    dtypes: str = "float64",
    sizes: Iterable[int] = SIZES,
    **data: str | tuple[str, Shape],
) -> list[Case]:
    """Return the cases of lines of a family, separated by semicolons; a line is its own name.

    Variables have the data of `DATA` where `data` does not say otherwise. Other dtypes than the
    first are timed at the middle size alone.
    """
    first, *others = dtypes.split()
    middle = [size for size in sizes if size == 10_000]
    cases = []
    for code in codes.split("; "):
        named = set(re.findall(r"\b[a-z]\b", code))
        data_of = {name: kind for name, kind in (DATA | data).items() if name in named}
        cases += row(family, code, variant=code, dtypes=first, sizes=sizes, **data_of)
        cases += row(family, code, variant=code, dtypes=" ".join(others), sizes=middle, **data_of)
    return cases


_NORMAL = ("normal", matrix)
_MASK = ("mask", matrix)
_ROW = ("normal", lambda n: matrix(n)[1:])
_COLUMN = ("normal", lambda n: (matrix(n)[0], 1))
_SIDE = ("normal", root)
_SQUARE = ("normal", square)
# Places in a vector of `root` or a row of `square`.
_PLACES = ("positions", root)
DATA = {
    "x": "normal", "y": "normal", "r": _SIDE, "s": "singles", "m": "mask", "k": "integers",
    "z": "complex numbers",
}  # fmt: skip

# fmt: off
IDIOMS = [
    *lines("powers", "x ** 2", f"{FLOATS} int64 complex128"),
    *lines("powers", "x ** 2.0", FLOATS),
    *lines("powers", "x ** 3; 2 ** x", f"{FLOATS} int64", x="digit"),
    *lines("powers",
           "x ** 4; x * x * x; (x - y) ** 2; (x ** 2).mean() ** 0.5; xp.sqrt(x ** 2 + y ** 2); "
           "1 / (1 + x ** 2); 3 * x ** 2 - 2 * x + 1"),
    *lines("powers", "x ** -1; x ** 0.5", FLOATS, x="positive"),
    *lines("powers", "x ** 1.5; x ** -2", x="positive"),
    *lines("powers", "x ** y", x="positive", y="fraction"),
    *lines("powers", "xp.sum((x - y) ** 2, axis=1) ** 0.5", x=_NORMAL, y=_NORMAL),
    *lines("in place", "x **= 2", f"{FLOATS} int64", x="sign"),
    *lines("in place", "x **= 0.5; x **= -1", x="positive"),
    *lines("in place", "x += y", f"{FLOATS} int64", y="fraction"),
    *lines("in place", "x *= y; x /= y", FLOATS, y="sign"),
    *lines("in place", "x += 1", f"{FLOATS} int64"),
    *lines("in place",
           "x -= 0.5; x += k; x -= s; x -= 0.01 * (x - y); x -= x.mean(); x[:] = y; "
           "x[::2] += 1.0; x[::2] = y[::2]; x[m] = 0.0; x[m] = y[m]; x[m] += 1.0; x[x > 0.5] = 0.5",
           ),
    *lines("in place", "x *= -1.0; x /= -1.0", FLOATS),
    *lines("in place", "x *= -1; x %= 7; x += m", "int64 float64"),
    *lines("in place", "x &= y", "int64 bool"),
    *lines("in place", "x <<= 1", "int64"),
    *lines("in place", "x *= m", m="true mask"),
    *lines("in place", "x += 0.1 * y; x[1:] += y[:-1]", y="fraction"),
    *lines("in place", "x -= x.mean(axis=0); x /= x.std(axis=0); x[:, 0] += 1.0", x=_NORMAL),
    *lines("in place", "x += r", x=_NORMAL, r=_ROW),
    *lines("in place", "x -= c", x=_NORMAL, c=_COLUMN),
    *lines("in place", "x[1:-1, 1:-1] += 1.0", x=_SQUARE),
    *lines("in place", "x[1:-1, 1:-1] = y[1:-1, 1:-1]", x=_SQUARE, y=_SQUARE),
    *lines("in place", "x[i] = y; x[i] += 1.0", i="positions"),
    *lines("in place", "x[3] += 1.0", sizes=ONCE),
    *lines("in place", "x[2, 3] = 1.0", sizes=ONCE, x=_SQUARE),
    *lines("in place", "x @= y", sizes=(100, 10_000), x=_SQUARE, y=("identity", square)),
    *lines("overlapping", "x[1:] = x[:-1]", f"{FLOATS} uint8"),
    *lines("overlapping",
           "x[:-1] = x[1:]; x[:] = x[::-1]; x[2::2] = x[:-2:2]; x[1:-1] = 0.5 * (x[:-2] + x[2:])"),
    *lines("overlapping", "x[:, 1:] = x[:, :-1]; x[1:, 1:] = x[:-1, :-1]", x=_NORMAL),
    *lines("overlapping",
           "x[...] = x.T; "
           "x[1:-1, 1:-1] = 0.25 * (x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:])",
           x=_SQUARE),
    *lines("overlapping", "x[1:] -= x[:-1]", "int64"),
    *lines("scalars", "x + 1", f"{FLOATS} int64 int32 uint8", x="digit"),
    *lines("scalars",
           "1 + x; x % 1.0; (x > -0.5) & (x < 0.5); 0.5 * (x + y); x * 1j; x[::2] * 2.0; x + y[0]"),
    *lines("scalars", "1 - x; x / 2; x // 2; x % 7", "float64 int64"),
    *lines("scalars", "2 * x; -x; abs(x); x > 0", f"{FLOATS} int64"),
    *lines("scalars", "1 / x", FLOATS, x="positive"),
    *lines("scalars", "1.0 / x", "float64 int64", x="positive"),
    *lines("scalars", "x == 0", "float64 int64 uint8", x="digit"),
    *lines("scalars", "(x < -1) | (x > 1); x * 2 + 1", FLOATS),
    *lines("scalars", "x * 0.5", "int64"),
    *lines("scalars", "x & 7", "int64 uint8", x="positive"),
    *lines("scalars", "x >> 3", "int64", x="positive"),
    *lines("scalars", "1 << x", "int64", x="digit"),
    *lines("scalars", "~x", "int64 bool"),
    *lines("scalars", "255 - x; x / 255", "uint8", x="positive"),
    *lines("scalars", "x.T * 2.0 + 1.0", x=_NORMAL),
    *lines("shifted views", "x[1:] - x[:-1]", f"{FLOATS} int64"),
    *lines("shifted views",
           "x[2:] - 2 * x[1:-1] + x[:-2]; (x[2:] - x[:-2]) / 2.0; x[::2] + x[1::2]; x[::2].sum(); "
           "xp.concat((x[1:], x[:1])); xp.sum((x[1:] - x[:-1]) * (y[1:] + y[:-1])) / 2"),
    *lines("shifted views", "x[1:] > x[:-1]", "float64 int64"),
    *lines("shifted views", "x[::-1].copy()", FLOATS),
    *lines("shifted views",
           "x[1:, :] - x[:-1, :]; x[:, 1:] - x[:, :-1]; x[::2, ::2].copy(); x[:, ::-1].copy(); "
           "x[:, 0] * x[:, 1]", x=_NORMAL),
    *lines("shifted views", "x[1:-1, 1:-1].copy()", x=_SQUARE),
    *lines("shifted views",
           "x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:] - 4 * x[1:-1, 1:-1]",
           FLOATS, x=_SQUARE),
    *lines("shifted views", "x[:10] + x[-10:]", sizes=ONCE),
    *lines("shifted views", "xp.diff(x) / xp.diff(y)", y="sorted"),
    *lines("broadcasts", "x - x.mean(axis=0)", FLOATS, x=_NORMAL),
    *lines("broadcasts",
           "(x - x.mean(axis=0)) / x.std(axis=0); x / x.sum(axis=1, keepdims=True); "
           "x.T.reshape(-1); x / xp.sqrt(xp.sum(x * x, axis=1))[:, None]; "
           "xp.exp(x - x.max(axis=1, keepdims=True))", x=_NORMAL),
    *lines("broadcasts",
           "(x - x.min()) / (x.max() - x.min()); (r[:, None] - r) ** 2; r[:, None] < r"),
    *lines("broadcasts", "x * r", FLOATS, x=_NORMAL, r=_ROW),
    *lines("broadcasts", "x + c", x=_NORMAL, c=_COLUMN),
    *lines("broadcasts", "r[:, None] * r", FLOATS),
    *lines("broadcasts", "x + x.T", FLOATS, x=_SQUARE),
    *lines("broadcasts", "0.5 * (x + x.T); x.T + r", x=_SQUARE),
    *lines("broadcasts", "x.T.copy()", f"{FLOATS} uint8", x=_SQUARE),
    *lines("methods", "x.sum(); x.min()", f"{FLOATS} int64"),
    *lines("methods", "x.sum(axis=0); x.sum(axis=1)", FLOATS, x=_NORMAL),
    *lines("methods", "x.mean(); ((x - y) ** 2).mean()", FLOATS),
    *lines("methods", "x.mean(axis=0); x.max(axis=1); x.argmin(axis=1)", x=_NORMAL),
    *lines("methods",
           "x.std(); x.argmax(); m.sum(); m.any(); (x > 0).sum(); (x > 0).mean(); "
           "abs(x - y).max(); x.reshape((-1, 2)).sum(axis=1)"),
    *lines("methods", "x.prod()", x="near one"),
    *lines("methods", "x.astype(xp.float32)", "float64 int64 uint8"),
    *lines("methods", "x.astype(xp.float64)", "int64 float32 bool uint8"),
    *lines("methods", "x.astype(xp.int64)", "float64 int32"),
    *lines("methods", "(x * 255).astype(xp.uint8)", x="unit"),
    *lines("methods", "x.copy()", f"{FLOATS} uint8"),
    *lines("methods", "x.ravel(); x.reshape(-1); x.T", sizes=ONCE, x=_NORMAL),
    *lines("methods", "x.item(2); float(x[0]); x[0] + x[1]; x[2] > 0.5", sizes=ONCE),
    *lines("methods", "int(x[2])", "int64", sizes=ONCE, x="digit"),
    *lines("methods", "x.tolist()", sizes=(100, 10_000)),
    *lines("methods", "xp.conj(x)", "complex128"),
    *lines("iteration", "max(r); sum(r); [v * 2.0 for v in r]; 0.5 in x"),
    *lines("iteration", "[row.sum() for row in x]", sizes=(100, 10_000), x=_SQUARE),
    *lines("iteration", "for row in x: pass; for i in range(side): x[i, i] = 0.5", x=_SQUARE),
    *lines("iteration",
           "for i in range(side): x[i] = 0.5; for i in range(side): x[i] = x[i] + 0.5; "
           "a, b, *c = x", x=_SIDE),
    *lines("iteration", "for v, w in zip(x, y): pass", x=_SIDE, y=_SIDE),
    *lines("mixed dtypes",
           "x + k; x * m; xp.where(m, x, 0); xp.clip(x, 0, 1); x * (x > 0)", FLOATS),
    *lines("mixed dtypes",
           "k / 2; x + s; x > k; 1 - m.astype(xp.int64); m & (x > 0); xp.where(m, 1, 0); "
           "xp.where(x > 0, x, -x); xp.where(x > y, x, y); xp.where(m, x, k); z * x; x + 1j * y; "
           "xp.exp(1j * x); abs(z) ** 2; z.real ** 2 + z.imag ** 2; (z * xp.conj(z)).real"),
    *lines("mixed dtypes", "k / j", j="counts"),
    *lines("mixed dtypes", "b + k; b * 0.5; b.astype(xp.float32) / 255", b="bytes"),
    *lines("mixed dtypes", "m + m", "int64"),
    *lines("mixed dtypes", "xp.maximum(x, 0)", f"{FLOATS} int64"),
    *lines("formulas",
           "xp.exp(-x); xp.sin(x) ** 2 + xp.cos(x) ** 2; xp.exp(x) / xp.sum(xp.exp(x)); "
           "x - xp.floor(x); xp.round(x * 100) / 100; xp.any(xp.isnan(x)); x * y + y * x; "
           "xp.sign(x) * xp.sqrt(xp.abs(x)); xp.atan2(y, x); "
           "xp.cumulative_sum(x) / xp.arange(1, n + 1)"),
    *lines("formulas", "xp.exp(-x ** 2 / 2); 1 / (1 + xp.exp(-x)); xp.sqrt(x * x + y * y)", FLOATS),
    *lines("formulas", "xp.log(1 + x)", x="positive"),
    *lines("formulas", "x * xp.log(x) + y * xp.log(y)", x="positive", y="positive"),
    *lines("creation",
           "xp.zeros(n); xp.zeros((side, side)); xp.full(n, 3.0); xp.arange(n) * 0.1; "
           "xp.arange(0.0, 1.0, 1.0 / n)[:10]; xp.linspace(0, 1, n); xp.eye(side); "
           "xp.meshgrid(r, r); xp.concat((x, y)); xp.stack((x, y), axis=1); xp.stack((x, y)); "
           "xp.repeat(x, 2); xp.roll(x, 1); xp.broadcast_to(r, (side, side)) + 0.0"),
    *lines("creation", "xp.arange(n)", "int64"),
    *lines("creation", "xp.asarray([1.0, 2.0, 3.0])", sizes=ONCE),
    *lines("creation", "xp.meshgrid(r, r, indexing='ij')", FLOATS),
    *lines("creation", "xp.tril(x); xp.roll(x, -1, axis=0) + xp.roll(x, 1, axis=0)", x=_SQUARE),
    *lines("indexing", "x[3]; x[1:3]; x[:, None]; x[::-1]", sizes=ONCE),
    *lines("indexing", "x[2, 3]; x[1]; x[:, 1]; x[2:5, 1:-1]", sizes=ONCE, x=_SQUARE),
    *lines("indexing", "x[i]", FLOATS, i="positions"),
    *lines("indexing", "x[p]; x[:, p]; xp.take(x, p, axis=1)", x=_SQUARE, p=_PLACES),
    *lines("indexing", "x[p, q]; x[p[:, None], q]", x=_SQUARE, p=_PLACES, q=_PLACES),
    *lines("indexing", "x[[0, 2]]; x[:, [0, 2]]; x[x[:, 0] > 0]", x=_SQUARE),
    *lines("indexing",
           "x[m]; x[(x > -1) & (x < 1)]; x[m].mean(); x[x > x.mean()].sum(); xp.nonzero(m)[0]; "
           "x[xp.nonzero(m)[0]]; x[xp.argsort(x)]; xp.sort(x)[::-1]; xp.count_nonzero(m)"),
    *lines("indexing", "x[x > 0]", f"{FLOATS} int64"),
    *lines("indexing", "xp.nonzero(c)", c=_MASK),
    *lines("products", "x @ y", FLOATS),
    *lines("products", "x @ r", FLOATS, x=_SQUARE),
    *lines("products", "r @ x; x.T @ r; xp.linalg.trace(x)", x=_SQUARE),
    *lines("products", "x @ r + s", x=_SQUARE, s=_SIDE),
    *lines("products", "x @ x", sizes=(100, 10_000), x=_SQUARE),
    *lines("products", "xp.sum(x * y, axis=1)", x=_NORMAL, y=_NORMAL),
    *lines("products", "xp.linalg.outer(r, r); xp.linalg.vector_norm(x)"),
    *lines("products", "x @ x", "int64", sizes=(100, 10_000), x=_SQUARE),
]
# fmt: on

GROUPS = {"idioms": IDIOMS}
