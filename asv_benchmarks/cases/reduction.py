"""Reductions over everything and over axes, and scans."""

from .case import ALL, FIVE, FOUR, LARGE, SPREAD, TWO, row

AXES = ("first axis", "last axis")


def _reduction(operation, layouts=("contiguous",), sizes=FOUR, *, dtypes="float64", x="normal"):
    return row(
        operation, f"xp.{operation}(x{{axis}})", layouts=layouts, sizes=sizes, dtypes=dtypes, x=x
    )


REDUCTION = [
    *_reduction("sum", sizes=ALL),
    *_reduction("sum", dtypes="float32 int64", sizes=TWO),
    *_reduction("sum", dtypes="bool", sizes=TWO, x="mask"),
    *_reduction("sum", AXES, TWO),
    *_reduction("sum", AXES, TWO, dtypes="float32 int64"),
    *_reduction("sum", ("both axes", "transposed", "strided"), TWO),
    *_reduction("prod", x="near one"),
    *_reduction("prod", dtypes="int64", sizes=TWO),
    *_reduction("prod", AXES, (10_000,), x="near one"),
    *_reduction("max", sizes=SPREAD),
    *_reduction("max", dtypes="float32 int64", sizes=TWO),
    *_reduction("max", AXES, LARGE),
    *_reduction("min", sizes=FIVE),
    *_reduction("min", dtypes="uint8", sizes=TWO),
    *_reduction("min", ("first axis", "both axes", "transposed"), TWO),
    *_reduction("mean"),
    *_reduction("mean", dtypes="float32", sizes=TWO),
    *_reduction("mean", AXES, LARGE),
    *_reduction("var"),
    *_reduction("var", ("first axis",), (10_000,)),
    *_reduction("std"),
    *_reduction("std", dtypes="float32", sizes=TWO),
    *_reduction("std", AXES, LARGE),
    *_reduction("any", dtypes="bool", sizes=FIVE, x="zero"),
    *_reduction("any", AXES, TWO, dtypes="bool", x="zero"),
    *_reduction("all", dtypes="bool", sizes=FIVE, x="true"),
    *_reduction("all", sizes=TWO, x="true"),
    *_reduction("argmax"),
    *_reduction("argmax", AXES, LARGE),
    *_reduction("argmax", dtypes="float32 int64", sizes=TWO, x="permutation"),
    *_reduction("argmin"),
    *_reduction("argmin", dtypes="int64", sizes=TWO, x="permutation"),
    *_reduction("count_nonzero", dtypes="bool", sizes=FIVE, x="mask"),
    *_reduction("count_nonzero", sizes=(10_000,)),
    *_reduction("count_nonzero", ("last axis",), TWO, dtypes="bool", x="mask"),
]

SCAN = [
    *row("cumulative_sum", sizes=SPREAD, x="normal"),
    *row("cumulative_sum", dtypes="float32 int64", sizes=TWO, x="normal"),
    *row("cumulative_sum", "xp.cumulative_sum(x{axis})", layouts=AXES, sizes=TWO, x="normal"),
    *row("cumulative_prod", sizes=FIVE, x="near one"),
    *row("cumulative_prod", "xp.cumulative_prod(x{axis})", layouts=AXES, sizes=TWO, x="near one"),
    *row("diff", sizes=FIVE, x="normal"),
    *row("diff", dtypes="int64", sizes=TWO, x="normal"),
    *row("diff", "xp.diff(x{axis})", layouts=AXES, sizes=TWO, x="normal"),
]

GROUPS = {"reduction": REDUCTION, "scan": SCAN}
