"""``from corepy import *``, as `idioms` otherwise."""

from typing import Any, assert_type

from corepy import *

x = linspace(0, pi, 5)
assert_type(x, ndarray[tuple[int], dtype[float64]])
assert_type(sin(x) + sqrt(abs(x)), ndarray[tuple[Any, ...], dtype[float64]])
assert_type(sum(x), float64)
assert_type(linalg.norm(x), ndarray)
assert_type(x.shape, tuple[int])
array([1, 2], dtype=float64)[newaxis, :]
max(x), min(x), all(x >= 0), round(x, 2), random.rand(3), fft.fft(x), ndarray, Tensor
