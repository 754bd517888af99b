"""Corrections of native array namespaces, which make them conform to the standard.

Array libraries depart from the array API standard in a few operations each. A correction computes
one of these operations by array API calls on the native namespace alone, so that every backend over
a namespace can share it. Corrections take the native namespace, then native arrays, then the
parameters of the standard's function::

    from corepy.backend.corrections import corrections_for

    floor_divide = corrections_for("numpy")["floor_divide"]
    floor_divide(xp, x1, x2)

They are those of revision 2025.12 of the standard. A docstring says how libraries depart from it;
operations without a departing library have no correction.
"""

from corepy.backend.corrections import (  # noqa: F401  (registration)
    complex_functions,
    elementwise,
    functions,
    linalg,
    nn_functions,
    numpy_functions,
    sets,
    statistical,
    wider_dtypes,
)
from corepy.backend.corrections.registry import DEPARTURES, STANDARD, corrections_for

__all__ = ["DEPARTURES", "STANDARD", "corrections_for"]
