"""Casts and copies, creation, movement of data."""

from .case import ALL, ENDS, FOUR, LARGE, MILLION, THREE, row
from .data import matrix, root, square

# What casts make of other dtypes.
TARGETS = ("float32", "float64", "int32", "int64", "complex128", "bool")

CASTS = [
    *row("astype", "xp.astype(x, xp.float32)", variant="to float32", sizes=ALL, x="normal"),
    *(
        case
        for source, target in (
            ("float32", "float64"),
            ("int64", "float64"),
            ("float64", "int64"),
            ("int64", "int32"),
            ("int32", "int64"),
            ("uint8", "float32"),
            ("bool", "float64"),
            ("float64", "complex128"),
            ("float64", "bool"),
        )
        for case in row(
            "astype",
            f"xp.astype(x, xp.{target})",
            variant=f"to {target}",
            dtypes=source,
            sizes=MILLION,
            x="normal",
        )
    ),
    *row("asarray", "xp.asarray(x, copy=True)", variant="copied", sizes=ALL, x="normal"),
    *row(
        "asarray",
        "xp.asarray(x, copy=True)",
        variant="copied",
        dtypes="float32 uint8",
        sizes=MILLION,
        x="normal",
    ),
    *row(
        "asarray",
        "xp.asarray(x, copy=True)",
        variant="copied",
        layouts=["strided", "transposed"],
        sizes=MILLION,
        x="normal",
    ),
    *row("setitem", "x[...] = y", variant="of everything", sizes=ENDS, x="normal", y="normal"),
    *row("setitem", "x[...] = 2.0", variant="of one value", sizes=MILLION, x="normal"),
]

CREATION = [
    *row("zeros", "xp.zeros(shape, dtype=dtype)", sizes=THREE),
    *row("ones", "xp.ones(shape, dtype=dtype)", sizes=ENDS),
    *row("empty", "xp.empty(shape, dtype=dtype)", check="shape", sizes=ENDS),
    *row("full", "xp.full(shape, 7, dtype=dtype)", dtypes="float64", sizes=ENDS),
    *row("full", "xp.full(shape, 7, dtype=dtype)", dtypes="int64 float32 uint8", sizes=MILLION),
    *row("zeros_like", sizes=ENDS, x="normal"),
    *row("arange", "xp.arange(n, dtype=dtype)", dtypes="float64 int64", sizes=ENDS),
    *row("linspace", "xp.linspace(0.0, 1.0, n, dtype=dtype)", sizes=ENDS),
    *row("eye", "xp.eye(side, dtype=dtype)", sizes=ENDS),
    *row("tril", x=("normal", square), sizes=ENDS),
    *row("triu", x=("normal", square), sizes=MILLION),
    *row(
        "meshgrid",
        "xp.meshgrid(x, y, indexing='ij')",
        sizes=ENDS,
        x=("normal", root),
        y=("normal", root),
    ),
]

MOVEMENT = [
    *row("concat", "xp.concat((x, y))", x="normal", y="normal"),
    *row(
        "concat",
        "xp.concat((x, y), axis=1)",
        variant="of columns",
        sizes=LARGE,
        x=("normal", matrix),
        y=("normal", matrix),
    ),
    *row("stack", "xp.stack((x, y))", sizes=ENDS, x="normal", y="normal"),
    *row(
        "stack",
        "xp.stack((x, y), axis=1)",
        variant="in pairs",
        sizes=MILLION,
        x="normal",
        y="normal",
    ),
    *row("roll", "xp.roll(x, 3)", sizes=ENDS, x="normal"),
    *row(
        "roll", "xp.roll(x, 3, axis=1)", variant="of columns", sizes=MILLION, x=("normal", matrix)
    ),
    *row("flip", "xp.asarray(xp.flip(x), copy=True)", variant="copied", sizes=ENDS, x="normal"),
    *row("repeat", "xp.repeat(x, 3)", sizes=ENDS, x="normal"),
    *row("tile", "xp.tile(x, (3,))", sizes=ENDS, x="normal"),
    *row(
        "permute_dims",
        "xp.reshape(xp.permute_dims(x, (1, 0)), (-1,))",
        variant="copied",
        sizes=FOUR,
        x=("normal", matrix),
    ),
    *row(
        "permute_dims",
        "xp.reshape(xp.permute_dims(x, (1, 0)), (-1,))",
        variant="copied",
        dtypes="float32 uint8",
        sizes=MILLION,
        x=("normal", matrix),
    ),
    *row(
        "broadcast_to",
        "xp.asarray(xp.broadcast_to(x, (1000, n // 1000)), copy=True)",
        variant="copied",
        sizes=MILLION,
        x=("normal", lambda n: (n // 1000,)),
    ),
    *row("unstack", sizes=(100, 10_000), x=("normal", square)),
]

GROUPS = {"casts and copies": CASTS, "creation": CREATION, "movement": MOVEMENT}
