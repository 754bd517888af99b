"""Linear algebra, and Fourier transforms."""

import math

from .case import LARGE, TWO, row
from .data import columns, matrix, root, square, stack


def _cube(n: int) -> float:
    """The multiplications of two square matrices of `n` elements."""
    return math.isqrt(n) ** 3


def _transform(n: int) -> float:
    """Half the 5 n log2(n) additions and multiplications of a complex transform."""
    return 2.5 * n * math.log2(n or 1)


def _four_rows(n: int) -> tuple[int, int]:
    return 4, math.isqrt(n)


# fmt: off
LINEAR_ALGEBRA = [
    *row("matmul", sizes=(1, 100, *LARGE), work=_cube, x=("normal", square), y=("normal", square)),
    *row("matmul", dtypes="float32", sizes=LARGE, work=_cube, x=("normal", square),
         y=("normal", square)),
    *row("matmul", dtypes="int64 int32", sizes=(100, 10_000, 90_000), work=_cube,
         x=("digit", square), y=("digit", square)),
    *row("matmul", dtypes="complex128", sizes=(10_000, 250_000), work=lambda n: 4 * _cube(n),
         x=("normal", square), y=("normal", square)),
    *row("matmul", "xp.matmul(x.T, y)", variant="transposed", sizes=LARGE, work=_cube,
         x=("normal", square), y=("normal", square)),
    *row("matmul", variant="with a vector", sizes=(100, *LARGE), x=("normal", square),
         y=("normal", root)),
    *row("matmul", variant="of 4 rows", sizes=(10_000, 1_000_000), work=lambda n: 4 * n,
         x=("normal", _four_rows), y=("normal", square)),
    *row("matmul", variant="of 4 x 4", sizes=LARGE, work=4, x=("normal", stack),
         y=("normal", stack)),
    *row("vecdot", x="normal", y="normal"),
    *row("vecdot", variant="of rows", sizes=TWO, x=("normal", matrix), y=("normal", matrix)),
    *row("vecdot", dtypes="int64", sizes=TWO, x="digit", y="digit"),
    *row("tensordot", "xp.tensordot(x, y, axes=1)", sizes=(100, 10_000), work=_cube,
         x=("normal", square), y=("normal", square)),
    *row("outer", "xp.linalg.outer(x, y)", x=("normal", root), y=("normal", root)),
    *row("solve", "xp.linalg.solve(x, y)", variant="of 4 x 4", sizes=(16, 1_000_000), work=40 / 16,
         x=("dominant", stack), y=("normal", columns)),
    *row("inv", "xp.linalg.inv(x)", variant="of 4 x 4", sizes=(16, 1_000_000), work=64 / 16,
         x=("dominant", stack)),
    *row("det", "xp.linalg.det(x)", variant="of 4 x 4", sizes=(16, 1_000_000), work=24 / 16,
         x=("dominant", stack)),
    *row("solve", "xp.linalg.solve(x, y)", sizes=(10_000, 250_000), work=lambda n: _cube(n) / 3,
         x=("dominant", square), y=("normal", root)),
    *row("inv", "xp.linalg.inv(x)", sizes=(10_000, 250_000), work=_cube, x=("dominant", square)),
    *row("vector_norm", "xp.linalg.vector_norm(x)", x="normal"),
    *row("trace", "xp.linalg.trace(x)", x=("normal", square)),
]

FOURIER = [
    *row("fft", "xp.fft.fft(x)", dtypes="complex128", work=_transform, x="normal"),
    *row("fft", "xp.fft.fft(x)", dtypes="complex64", sizes=LARGE, work=_transform, x="normal"),
    *row("fft", "xp.fft.fft(x, axis=-1)", variant="of rows", dtypes="complex128", sizes=TWO,
         x=("normal", matrix)),
    *row("rfft", "xp.fft.rfft(x)", work=lambda n: _transform(n) / 2, x="normal"),
    *row("ifft", "xp.fft.ifft(x)", dtypes="complex128", sizes=LARGE, work=_transform, x="normal"),
]
# fmt: on

GROUPS = {"linear algebra": LINEAR_ALGEBRA, "fourier": FOURIER}
