"""The Fourier transform extension, ``xp.fft`` (array API 2025.12, "Fourier Transform Functions").

Where complex numbers are wanted, real ones get an imaginary part of zero; where floating-point
numbers are wanted, bools and integers become float64 first. The precision stays: float32 and
complex64 give complex64 or float32.

``norm`` says which direction is divided: "backward" the inverse transforms by the number of
elements ``n``, "forward" the forward ones by ``n``, "ortho" both by ``sqrt(n)``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cython.cimports.corepy._cython import core
from cython.cimports.corepy._cython.cpu import transforms

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Literal

    from numpy.typing import DTypeLike

    from corepy._cython.core import Device, Tensor

# schema/pages.py writes the functions, from schema/operations/fft.def.
