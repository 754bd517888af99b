"""CuPy, on the GPU whose memory and streams Corepy shares."""

from __future__ import annotations

from typing import ClassVar

import cupy
import numpy as np

from ..cases.movement import TARGETS
from .library import Library


class CuPy(Library):
    """NumPy's names, of which most are the standard's."""

    name = "cupy"
    title = "CuPy"
    xp = cupy
    spellings: ClassVar[dict[str, str | None]] = {
        "cumulative_prod": "xp.cumprod(x{axis})",
        "cumulative_sum": "xp.cumsum(x{axis})",
        "pow": "xp.power(x, y)",
        **{f"astype to {name}": f"x.astype(xp.{name})" for name in TARGETS},
    }

    def serves(self, device: str) -> bool:
        return device.startswith(("cuda:", "rocm:"))

    def array(self, values: np.ndarray) -> cupy.ndarray:
        return cupy.array(values)

    def to_numpy(self, x) -> np.ndarray:
        return cupy.asnumpy(x)

    def synchronize(self) -> None:
        cupy.cuda.get_current_stream().synchronize()
