"""Selection (where, clip, masks, positions), sorting and searching."""

from .case import ALL, FIVE, LARGE, SPREAD, TWO, row
from .data import few, rows_of_10

# fmt: off
SELECTION = [
    *row("where", sizes=ALL, c="mask", x="normal", y="normal"),
    *row("where", dtypes="float32 int64", sizes=TWO, c="mask", x="normal", y="normal"),
    *row("where", "xp.where(c, x, 0.0)", layouts=["scalar"], sizes=(10_000,), c="mask", x="normal"),
    *row("where", layouts=["transposed", "row", "column", "strided"], sizes=TWO, c="mask",
         x="normal", y="normal"),
    *row("clip", "xp.clip(x, -0.5, 0.5)", x="normal"),
    *row("clip", "xp.clip(x, 2, 5)", dtypes="int64", sizes=TWO, x="digit"),
    *row("maximum", sizes=FIVE, x="normal", y="normal"),
    *row("maximum", dtypes="float32 int64", sizes=TWO, x="normal", y="normal"),
    *row("maximum", layouts=["row", "column"], sizes=LARGE, x="normal", y="normal"),
    *row("minimum", x="normal", y="normal"),
    *row("getitem", "x[m]", variant="of a mask", sizes=SPREAD, x="normal", m="mask"),
    *row("getitem", "x[m]", variant="of a mask", dtypes="float32 uint8", sizes=TWO, x="digit",
         m="mask"),
    *row("getitem", "x[m]", variant="of a mask", layouts=["strided"], sizes=TWO, x="normal",
         m="mask"),
    *row("setitem", "x[m] = 0.0", variant="of a mask", x="normal", m="mask"),
    *row("getitem", "x[i]", variant="of positions", x="normal", i="positions"),
    *row("setitem", "x[i] = y", variant="of positions", sizes=LARGE, x="normal", i="positions",
         y="normal"),
    *row("take", "xp.take(x, i, axis=0)", x="normal", i="positions"),
    *row("take", "xp.take(x, i, axis=0)", dtypes="float32", sizes=TWO, x="normal", i="positions"),
    *row("take", "xp.take(x, i, axis=0)", variant="of rows", sizes=TWO, x=("normal", rows_of_10),
         i=("positions", lambda n: (max(n // 10, 1),))),
    *row("take_along_axis", "xp.take_along_axis(x, i, axis=1)", x=("normal", rows_of_10),
         i=("places in rows", rows_of_10)),
]

SORTING = [
    *row("sort", sizes=SPREAD, x="normal"),
    *row("sort", dtypes="float32 int64", sizes=TWO, x="normal"),
    *row("sort", dtypes="uint8", sizes=TWO, x="normal"),
    *row("sort", "xp.sort(x, descending=True)", variant="descending", sizes=LARGE, x="normal"),
    *row("sort", "xp.sort(x, axis=1)", variant="of rows of 10", sizes=TWO,
         x=("normal", rows_of_10)),
    *row("argsort", check="order", x="normal"),
    *row("argsort", dtypes="int64", check="order", sizes=TWO, x="permutation"),
    *row("argsort", "xp.argsort(x, stable=False)", variant="unstable", check="order", sizes=LARGE,
         x="normal"),
    *row("searchsorted", x="sorted", y="normal"),
    *row("searchsorted", variant="in 1000", sizes=TWO, x=("sorted", few), y="normal"),
    *row("unique_values", dtypes="float64", check="set", x="normal"),
    *row("unique_values", dtypes="int64", check="set", sizes=TWO, x="thousand"),
    *row("unique_counts", "xp.unique_counts(x)", dtypes="int64", sizes=LARGE, x="thousand"),
    *row("nonzero", dtypes="bool", sizes=FIVE, x="mask"),
    *row("nonzero", sizes=TWO, x="normal"),
    *row("isin", dtypes="int64", x="permutation", y=("positive", few)),
    *row("isin", sizes=(10_000,), x="normal", y="normal"),
]
# fmt: on

GROUPS = {"selection": SELECTION, "sorting": SORTING}
