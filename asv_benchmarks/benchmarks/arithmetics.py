"""Arithmetic and comparison, elementwise, and the simplest reductions."""

from .common import DTYPES, LIBRARIES, SIZES, array, namespace, synchronize


class Arithmetic:
    """Time of one operation on contiguous arrays of `size` elements."""

    param_names = ("library", "size", "dtype")
    params = (LIBRARIES, SIZES, DTYPES)
    timeout = 60

    def setup(self, library, size, dtype):
        self.xp = namespace(library)
        self.x1 = array(library, size, dtype, seed=1)
        self.x2 = array(library, size, dtype, seed=2)


class Add(Arithmetic):
    def time_add(self, library, size, dtype):
        self.xp.add(self.x1, self.x2)
        synchronize(library)

    def time_operator(self, library, size, dtype):
        self.x1 + self.x2
        synchronize(library)

    def time_scalar(self, library, size, dtype):
        self.x1 + 2
        synchronize(library)


class Multiply(Arithmetic):
    def time_multiply(self, library, size, dtype):
        self.xp.multiply(self.x1, self.x2)
        synchronize(library)


class Divide(Arithmetic):
    params = (LIBRARIES, SIZES, ("float64", "float32"))

    def time_divide(self, library, size, dtype):
        self.xp.divide(self.x1, self.x2)
        synchronize(library)


class Less(Arithmetic):
    def time_less(self, library, size, dtype):
        self.xp.less(self.x1, self.x2)
        synchronize(library)


class Where(Arithmetic):
    def setup(self, library, size, dtype):
        super().setup(library, size, dtype)
        self.condition = self.x1 < self.x2

    def time_where(self, library, size, dtype):
        self.xp.where(self.condition, self.x1, self.x2)
        synchronize(library)


class Sum(Arithmetic):
    def time_sum(self, library, size, dtype):
        self.xp.sum(self.x1)
        synchronize(library)
