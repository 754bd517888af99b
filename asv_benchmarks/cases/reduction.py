"""Reductions over everything and over axes, and scans."""

from .case import ALL, ENDS, FOUR, LARGE, MILLION, SPREAD, THREE, row

AXES = ("first axis", "last axis")


def _reduction(operation, layouts=("contiguous",), sizes=FOUR, *, dtypes="float64", x="normal"):
    return row(
        operation, f"xp.{operation}(x{{axis}})", layouts=layouts, sizes=sizes, dtypes=dtypes, x=x
    )


REDUCTION = [
    *_reduction("sum", sizes=ALL),
    *_reduction("sum", dtypes="float32 int64", sizes=MILLION),
    *_reduction("sum", dtypes="bool", sizes=MILLION, x="mask"),
    *_reduction("sum", AXES, (1_000, 1_000_000)),
    *_reduction("sum", AXES, MILLION, dtypes="float32 int64"),
    *_reduction("sum", ("both axes", "transposed", "strided"), MILLION),
    *_reduction("prod", sizes=ENDS, x="near one"),
    *_reduction("prod", dtypes="int64", sizes=MILLION),
    *_reduction("prod", AXES, (10_000,), x="near one"),
    *_reduction("max", sizes=SPREAD),
    *_reduction("max", dtypes="float32 int64", sizes=MILLION),
    *_reduction("max", AXES, LARGE),
    *_reduction("min", sizes=THREE),
    *_reduction("min", dtypes="uint8", sizes=MILLION),
    *_reduction("min", ("first axis", "both axes", "transposed"), MILLION),
    *_reduction("mean"),
    *_reduction("mean", dtypes="float32", sizes=MILLION),
    *_reduction("mean", AXES, LARGE),
    *_reduction("var", sizes=ENDS),
    *_reduction("var", ("first axis",), (10_000,)),
    *_reduction("std"),
    *_reduction("std", dtypes="float32", sizes=MILLION),
    *_reduction("std", AXES, LARGE),
    *_reduction("any", dtypes="bool", sizes=THREE, x="zero"),
    *_reduction("any", AXES, MILLION, dtypes="bool", x="zero"),
    *_reduction("all", dtypes="bool", sizes=THREE, x="true"),
    *_reduction("all", sizes=MILLION, x="true"),
    *_reduction("argmax"),
    *_reduction("argmax", AXES, LARGE),
    *_reduction("argmax", dtypes="float32 int64", sizes=MILLION, x="permutation"),
    *_reduction("argmin", sizes=ENDS),
    *_reduction("argmin", dtypes="int64", sizes=MILLION, x="permutation"),
    *_reduction("count_nonzero", dtypes="bool", sizes=THREE, x="mask"),
    *_reduction("count_nonzero", sizes=(10_000,)),
    *_reduction("count_nonzero", ("last axis",), MILLION, dtypes="bool", x="mask"),
]

SCAN = [
    *row("cumulative_sum", sizes=SPREAD, x="normal"),
    *row("cumulative_sum", dtypes="float32 int64", sizes=MILLION, x="normal"),
    *row("cumulative_sum", "xp.cumulative_sum(x{axis})", layouts=AXES, sizes=MILLION, x="normal"),
    *row("cumulative_prod", sizes=THREE, x="near one"),
    *row(
        "cumulative_prod", "xp.cumulative_prod(x{axis})", layouts=AXES, sizes=MILLION, x="near one"
    ),
    *row("diff", sizes=THREE, x="normal"),
    *row("diff", dtypes="int64", sizes=MILLION, x="normal"),
    *row("diff", "xp.diff(x{axis})", layouts=AXES, sizes=MILLION, x="normal"),
]

GROUPS = {"reduction": REDUCTION, "scan": SCAN}
