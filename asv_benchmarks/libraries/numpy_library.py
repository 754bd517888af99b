"""NumPy, to which speeds on the CPU are relative."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ..cases.movement import TARGETS
from .library import Library


class NumPy(Library):
    """The main namespace has the standard's names; some older ones are the shorter way."""

    name = "numpy"
    title = "NumPy"
    idioms = True
    xp = np
    spellings: ClassVar[dict[str, str | None]] = {
        "argsort": "xp.argsort(x, stable=True)",  # the standard's default
        "argsort unstable": "xp.argsort(x)",
        "asarray copied": "xp.array(x)",
        "cumulative_prod": "xp.cumprod(x{axis})",
        "cumulative_sum": "xp.cumsum(x{axis})",
        "flip copied": "xp.flip(x).copy()",
        "sort descending": "xp.sort(x)[::-1]",
        **{f"astype to {name}": f"x.astype(xp.{name})" for name in TARGETS},
    }
