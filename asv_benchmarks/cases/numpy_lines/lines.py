"""From text to cases: each line is one, with the variables that it names.

A line is an expression, or statements that leave their result in ``x``; those that write to ``x``
where it is leave its values in a range in which any number of runs does not change the time. What
the variables are is in `DATA`.
"""

import re
from collections.abc import Iterable
from dataclasses import replace
from textwrap import dedent

from ..case import Case, row
from ..data import Shape, matrix, root, square

SIZES = (100, 10_000, 1_000_000)

#: By variable. Vectors of n elements: x, y, w (positive), u (0 to 1), t (sorted), h (a tenth is
#: NaN), f (float32), z (complex128), k, j (labels), c (counts), i (a permutation), m (a mask).
#: Matrices of n elements: a, b, g (integers), o (a mask); a table of pairs: p. Square matrices: s,
#: d (dominant), q (bytes), and vectors of their side: v, r (positive), l (labels), i2 (permuted).
DATA: dict[str, str | tuple[str, Shape]] = {
    "x": "normal", "y": "normal", "w": "positive", "u": "unit", "t": "sorted", "h": "holes",
    "f": "singles", "z": "complex numbers", "k": "integers", "j": "labels", "c": "counts",
    "i": "positions", "m": "mask",
    "a": ("normal", matrix), "b": ("normal", matrix),
    "g": ("integers", matrix), "o": ("mask", matrix), "p": ("normal", lambda n: (n // 2, 2)),
    "s": ("normal", square), "d": ("dominant", square), "q": ("bytes", square),
    "v": ("normal", root), "r": ("positive", root), "l": ("labels", root),
    "i2": ("positions", root),
}  # fmt: skip


def lines(kind: str, text: str, sizes: Iterable[int] = SIZES, check: str = "equal") -> list[Case]:
    """Return the cases of a kind's lines, one idiom each."""
    cases = []
    for code in dedent(text).strip().splitlines():
        made = {*re.findall(r"\bfor (\w+)", code), *re.findall(r"^(x) = ", code)}
        words = {*re.findall(r"\w+", code)} - made
        data = {name: values for name, values in DATA.items() if name in words}
        cases += row("", code, sizes=sizes, check=check, **data)
    return [replace(case, group=kind, operation=case.code) for case in cases]
