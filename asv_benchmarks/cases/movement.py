"""Casts and copies, creation, movement of data."""

from .case import ALL, FIVE, LARGE, TWO, row
from .data import matrix, root, square

# What casts make of other dtypes.
TARGETS = ("float32", "float64", "int32", "int64", "complex128", "bool")

# fmt: off
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
            sizes=TWO,
            x="normal",
        )
    ),
    *row("asarray", "xp.asarray(x, copy=True)", variant="copied", sizes=ALL, x="normal"),
    *row("asarray", "xp.asarray(x, copy=True)", variant="copied", dtypes="float32 uint8", sizes=TWO,
         x="normal"),
    *row("asarray", "xp.asarray(x, copy=True)", variant="copied", layouts=["strided", "transposed"],
         sizes=TWO, x="normal"),
    *row("setitem", "x[...] = y", variant="of everything", x="normal", y="normal"),
    *row("setitem", "x[...] = 2.0", variant="of one value", sizes=TWO, x="normal"),
]

CREATION = [
    *row("zeros", "xp.zeros(shape, dtype=dtype)", sizes=FIVE),
    *row("ones", "xp.ones(shape, dtype=dtype)", ),
    *row("empty", "xp.empty(shape, dtype=dtype)", check="shape"),
    *row("full", "xp.full(shape, 7, dtype=dtype)", dtypes="float64"),
    *row("full", "xp.full(shape, 7, dtype=dtype)", dtypes="int64 float32 uint8", sizes=TWO),
    *row("zeros_like", x="normal"),
    *row("arange", "xp.arange(n, dtype=dtype)", dtypes="float64 int64"),
    *row("linspace", "xp.linspace(0.0, 1.0, n, dtype=dtype)", ),
    *row("eye", "xp.eye(side, dtype=dtype)", ),
    *row("tril", x=("normal", square)),
    *row("triu", x=("normal", square), sizes=TWO),
    *row("meshgrid", "xp.meshgrid(x, y, indexing='ij')", x=("normal", root), y=("normal", root)),
]

MOVEMENT = [
    *row("concat", "xp.concat((x, y))", x="normal", y="normal"),
    *row("concat", "xp.concat((x, y), axis=1)", variant="of columns", sizes=LARGE,
         x=("normal", matrix), y=("normal", matrix)),
    *row("stack", "xp.stack((x, y))", x="normal", y="normal"),
    *row("stack", "xp.stack((x, y), axis=1)", variant="in pairs", sizes=TWO, x="normal",
         y="normal"),
    *row("roll", "xp.roll(x, 3)", x="normal"),
    *row("roll", "xp.roll(x, 3, axis=1)", variant="of columns", sizes=TWO, x=("normal", matrix)),
    *row("flip", "xp.asarray(xp.flip(x), copy=True)", variant="copied", x="normal"),
    *row("repeat", "xp.repeat(x, 3)", x="normal"),
    *row("tile", "xp.tile(x, (3,))", x="normal"),
    *row("permute_dims", "xp.reshape(xp.permute_dims(x, (1, 0)), (-1,))", variant="copied",
         x=("normal", matrix)),
    *row("permute_dims", "xp.reshape(xp.permute_dims(x, (1, 0)), (-1,))", variant="copied",
         dtypes="float32 uint8", sizes=TWO, x=("normal", matrix)),
    *row("broadcast_to", "xp.asarray(xp.broadcast_to(x, (1000, n // 1000)), copy=True)",
         variant="copied", sizes=TWO, x=("normal", lambda n: (n // 1000,))),
    *row("unstack", sizes=(100, 10_000), x=("normal", square)),
]
# fmt: on

GROUPS = {"casts and copies": CASTS, "creation": CREATION, "movement": MOVEMENT}
