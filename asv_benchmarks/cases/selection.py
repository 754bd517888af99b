"""Selection (where, clip, masks, positions), sorting and searching."""

from .case import ALL, ENDS, FOUR, LARGE, MILLION, SPREAD, THREE, row
from .data import few, rows_of_10

SELECTION = [
    *row("where", sizes=ALL, c="mask", x="normal", y="normal"),
    *row("where", dtypes="float32 int64", sizes=MILLION, c="mask", x="normal", y="normal"),
    *row("where", "xp.where(c, x, 0.0)", layouts=["scalar"], sizes=(10_000,), c="mask", x="normal"),
    *row(
        "where",
        layouts=["transposed", "row", "column", "strided"],
        sizes=MILLION,
        c="mask",
        x="normal",
        y="normal",
    ),
    *row("clip", "xp.clip(x, -0.5, 0.5)", sizes=FOUR, x="normal"),
    *row("clip", "xp.clip(x, 2, 5)", dtypes="int64", sizes=MILLION, x="digit"),
    *row("maximum", sizes=THREE, x="normal", y="normal"),
    *row("maximum", dtypes="float32 int64", sizes=MILLION, x="normal", y="normal"),
    *row("maximum", layouts=["row", "column"], sizes=LARGE, x="normal", y="normal"),
    *row("minimum", sizes=ENDS, x="normal", y="normal"),
    *row("getitem", "x[m]", variant="of a mask", sizes=SPREAD, x="normal", m="mask"),
    *row(
        "getitem",
        "x[m]",
        variant="of a mask",
        dtypes="float32 uint8",
        sizes=MILLION,
        x="digit",
        m="mask",
    ),
    *row(
        "getitem",
        "x[m]",
        variant="of a mask",
        layouts=["strided"],
        sizes=MILLION,
        x="normal",
        m="mask",
    ),
    *row("setitem", "x[m] = 0.0", variant="of a mask", sizes=FOUR, x="normal", m="mask"),
    *row("getitem", "x[i]", variant="of positions", sizes=FOUR, x="normal", i="positions"),
    *row(
        "setitem",
        "x[i] = y",
        variant="of positions",
        sizes=LARGE,
        x="normal",
        i="positions",
        y="normal",
    ),
    *row("take", "xp.take(x, i, axis=0)", sizes=FOUR, x="normal", i="positions"),
    *row(
        "take", "xp.take(x, i, axis=0)", dtypes="float32", sizes=MILLION, x="normal", i="positions"
    ),
    *row(
        "take",
        "xp.take(x, i, axis=0)",
        variant="of rows",
        sizes=(1_000, 1_000_000),
        x=("normal", rows_of_10),
        i=("positions", lambda n: (max(n // 10, 1),)),
    ),
    *row(
        "take_along_axis",
        "xp.take_along_axis(x, i, axis=1)",
        sizes=ENDS,
        x=("normal", rows_of_10),
        i=("places in rows", rows_of_10),
    ),
]

SORTING = [
    *row("sort", sizes=SPREAD, x="normal"),
    *row("sort", dtypes="float32 int64", sizes=MILLION, x="normal"),
    *row("sort", dtypes="uint8", sizes=MILLION, x="normal"),
    *row("sort", "xp.sort(x, descending=True)", variant="descending", sizes=LARGE, x="normal"),
    *row(
        "sort",
        "xp.sort(x, axis=1)",
        variant="of rows of 10",
        sizes=MILLION,
        x=("normal", rows_of_10),
    ),
    *row("argsort", check="order", x="normal"),
    *row("argsort", dtypes="int64", check="order", sizes=MILLION, x="permutation"),
    *row(
        "argsort",
        "xp.argsort(x, stable=False)",
        variant="unstable",
        check="order",
        sizes=LARGE,
        x="normal",
    ),
    *row("searchsorted", x="sorted", y="normal"),
    *row("searchsorted", variant="in 1000", sizes=MILLION, x=("sorted", few), y="normal"),
    *row("unique_values", dtypes="float64", check="set", sizes=ENDS, x="normal"),
    *row("unique_values", dtypes="int64", check="set", sizes=MILLION, x="thousand"),
    *row(
        "unique_counts",
        "xp.unique_counts(x)",
        dtypes="int64",
        sizes=LARGE,
        x="thousand",
    ),
    *row("nonzero", dtypes="bool", sizes=THREE, x="mask"),
    *row("nonzero", sizes=MILLION, x="normal"),
    *row("isin", dtypes="int64", sizes=ENDS, x="permutation", y=("positive", few)),
    *row("isin", sizes=(10_000,), x="normal", y="normal"),
]

GROUPS = {"selection": SELECTION, "sorting": SORTING}
