"""The class of a case, and how a row of a table becomes cases of dtypes, layouts and sizes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import product

import numpy as np

from .data import Shape, generate, matrix, vector

# Every decade for common operations; for the rest enough of them to cover each range: calls
# at the small end, caches in the middle, memory and threads at the large one.
ALL = tuple(10**exponent for exponent in range(8))
SPREAD = ALL[:7]
FIVE = (1, 10, 1_000, 100_000, 1_000_000)
FOUR = (1, 100, 10_000, 1_000_000)
TWO = (1_000, 1_000_000)
LARGE = (10_000, 1_000_000)

# What a layout means for `row`'s code: the arguments that replace "{axis}".
AXES = {"first axis": ", axis=0", "last axis": ", axis=1", "both axes": ", axis=(0, 1)"}
LAYOUTS = ("contiguous", "scalar", "transposed", "row", "column", "strided", *AXES)


@dataclass(frozen=True)
class Operand:
    """An input: the values as they lie in memory, and the view of them that is passed."""

    values: np.ndarray
    view: str = "{}"


@dataclass(frozen=True)
class Case:
    """One measurement: an expression over arrays of a dtype, a layout and a size.

    `code` is written in the standard's words: ``xp`` is the namespace, ``dtype`` the dtype, ``n``
    the number of elements, ``shape`` a matrix of as many. It is an expression, or a statement that
    writes to ``x``.
    """

    group: str
    operation: str
    variant: str
    dtype: str
    layout: str
    size: int
    code: str
    data: tuple[tuple[str, tuple[str, Shape]], ...]
    check: str
    multiply_adds: float

    @property
    def label(self) -> str:
        """The operation, and the variant of it that is measured."""
        return f"{self.operation} {self.variant}".rstrip()

    @property
    def name(self) -> str:
        """The unique name."""
        return f"{self.group}/{self.label}/{self.dtype}/{self.layout}/{self.size}"

    @property
    def writes(self) -> bool:
        """Whether the code is a statement that writes to ``x``, not an expression."""
        try:
            compile(self.code, "<case>", "eval")
        except SyntaxError:
            return True
        return False

    @property
    def constants(self) -> dict:
        """What the code may use beside the namespace, the dtype and the arrays."""
        return {"n": self.size, "shape": matrix(self.size), "side": math.isqrt(self.size)}

    def operands(self) -> dict[str, Operand]:
        """Make the inputs; the same case always gets the same values."""
        return {
            variable: self._operand(position, kind, shape)
            for position, (variable, (kind, shape)) in enumerate(self.data)
        }

    def _operand(self, position: int, kind: str, shape: Shape) -> Operand:
        last = position == len(self.data) - 1
        size, view = shape(self.size), "{}"
        if self.layout not in ("contiguous", "scalar", "strided") and shape is vector:
            size = matrix(self.size)
        if self.layout == "transposed" and position == 0:
            size, view = size[::-1], "{}.T"
        elif self.layout == "row" and last:
            size = (1, *size[1:])
        elif self.layout == "column" and last:
            size = (*size[:-1], 1)
        elif self.layout == "strided":
            size, view = (2 * size[0], *size[1:]), "{}[::2]"
        return Operand(generate(kind, self.dtype, size, position), view)


def row(
    operations: str,
    code: str = "",
    /,
    *,
    dtypes: str = "float64",
    layouts: Iterable[str] = ("contiguous",),
    sizes: Iterable[int] = FOUR,
    variant: str = "",
    check: str = "equal",
    work: Callable[[int], float] | float = 0,
    **data: str | tuple[str, Shape],
) -> list[Case]:
    """Return the cases of operations: all dtypes x layouts x sizes. The group comes later.

    Parameters
    ----------
    operations : str
        Names in the standard, separated by commas.
    code : str
        What is timed; by default the function of that name on all the data. ``{axis}`` becomes
        what the layout says.
    dtypes : str
        Names, separated by blanks.
    layouts, sizes : iterable
        Names in `LAYOUTS`, numbers of elements.
    variant : str
        Tells rows of one operation apart.
    check : str
        How a result is compared with NumPy's: "equal", "set" (in any order), "order" (positions
        that put ``x`` in order), "shape" (values are anything).
    work : callable or float
        Multiplications with an addition that the arithmetic takes: in all, by size, or for each
        element. 0 where memory alone is the limit.
    **data : str or tuple
        Kind of data of each variable, as in `data.KINDS`, and its shape if it is not a vector.
    """
    pairs = tuple(
        (variable, (kind, vector) if isinstance(kind, str) else kind)
        for variable, kind in data.items()
    )
    cases = []
    for each in product(operations.split(", "), dtypes.split(), layouts, sizes):
        operation, dtype, layout, size = each
        text = code or f"xp.{operation}({', '.join(data)})"
        text = text.replace("{axis}", AXES.get(layout, ""))
        total = float(work(size) if callable(work) else work * size)
        cases.append(Case("", operation, variant, dtype, layout, size, text, pairs, check, total))
    return cases
