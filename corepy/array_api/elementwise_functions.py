"""Elementwise functions (array API standard 2025.12, "Elementwise functions").

These rules apply to all of them; the documentation of a function describes only the rest:

- An operand may be a Tensor or an object that `asarray` converts (a list, a NumPy array). One of
  two operands may be a Python scalar, which takes the dtype of the other if its kind allows.
  The result is on the device of the operands.
- Two operands are broadcast together and promoted by the standard's rules; if it leaves promotion
  open (integers with floating-point numbers, Python scalars of a higher kind), by NumPy 2's.
- No operation warns or raises because of a value: overflow, division by zero and invalid arguments
  give infinities and NaN.
- Operands of a dtype that the operation does not have raise ``TypeError``, shapes that do not
  broadcast ``ValueError``; operands on different devices raise an error that names both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cython.cimports.corepy._cython import core

if TYPE_CHECKING:
    from corepy._cython.core import Tensor

# schema/pages.py writes the functions, from schema/operations/elementwise_functions.def.
