"""NumPy's `numpy.testing.overrides`: which of NumPy's functions other types can override."""

from numpy.testing.overrides import (
    allows_array_function_override,
    allows_array_ufunc_override,
    get_overridable_numpy_array_functions,
    get_overridable_numpy_ufuncs,
)

__all__ = [
    "allows_array_function_override",
    "allows_array_ufunc_override",
    "get_overridable_numpy_array_functions",
    "get_overridable_numpy_ufuncs",
]
