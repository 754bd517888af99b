"""NumPy's `numpy.testing.overrides`: which of NumPy's functions other types can override."""

from numpy.testing.overrides import *  # noqa: F403
