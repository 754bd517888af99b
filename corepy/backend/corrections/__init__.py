"""Corrections: what makes a native array namespace conform to the standard exactly.

Array libraries depart from the array API standard in a few operations each. A standard function
says what one of these operations has to compute, in array API calls on the native namespace alone,
so that every backend made from a namespace can share it. Functions take the native namespace, then
native arrays, then the parameters of the standard's function::

    from corepy.backend.corrections import corrections_for

    floor_divide = corrections_for("numpy")["floor_divide"]
    floor_divide(xp, x1, x2)

A function's docstring names the libraries that depart and the section of the standard that they
depart from. Operations that no library gets wrong are not here.
"""

from corepy.backend.corrections import (  # noqa: F401  (registration)
    complex_functions,
    data_types,
    elementwise,
    indexing,
    linalg,
    manipulation,
    searching,
    sets,
    sorting,
    statistical,
    wider_dtypes,
)
from corepy.backend.corrections.registry import DEPARTURES, STANDARD, corrections_for

__all__ = ["DEPARTURES", "STANDARD", "corrections_for"]
