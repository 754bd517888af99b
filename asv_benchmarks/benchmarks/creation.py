"""Creation functions."""

from .common import DTYPES, LIBRARIES, SIZES, namespace, synchronize


class Creation:
    """Time to make an array of `size` elements."""

    param_names = ("library", "size", "dtype")
    params = (LIBRARIES, SIZES, DTYPES)
    timeout = 60

    def setup(self, library, size, dtype):
        self.xp = namespace(library)
        self.dtype = getattr(self.xp, dtype)


class Zeros(Creation):
    def time_zeros(self, library, size, dtype):
        self.xp.zeros(size, dtype=self.dtype)
        synchronize(library)


class Empty(Creation):
    def time_empty(self, library, size, dtype):
        self.xp.empty(size, dtype=self.dtype)
        synchronize(library)


class Full(Creation):
    def time_full(self, library, size, dtype):
        self.xp.full(size, 7, dtype=self.dtype)
        synchronize(library)


class Arange(Creation):
    def time_arange(self, library, size, dtype):
        self.xp.arange(size, dtype=self.dtype)
        synchronize(library)


class Linspace(Creation):
    params = (LIBRARIES, SIZES, ("float64", "float32"))

    def time_linspace(self, library, size, dtype):
        self.xp.linspace(0.0, 1.0, size, dtype=self.dtype)
        synchronize(library)
