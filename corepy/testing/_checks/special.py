"""Arguments of operations that do not follow from their shape of work alone, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from corepy.testing._checks.drawing import Drawing

Draw = Callable[["Drawing", np.dtype], Any]

#: Operation -> function of a drawing and a dtype, which returns inputs and parameters. A name
#: without its extension stands for all of that name.
CALLS: dict[str, Draw] = {}


def calls_of(*names: str) -> Callable[[Draw], Draw]:
    """Enter a function under names of operations."""

    def enter(draw: Draw) -> Draw:
        CALLS.update(dict.fromkeys(names, draw))
        return draw

    return enter


# ---- elementwise


@calls_of("pow")
def power(draw: Drawing, dtype: np.dtype) -> Any:
    shape = draw.shape()
    base, exponent = draw.numbers(dtype, shape, 12), draw.numbers(dtype, shape, 12)
    if dtype.kind == "f":  # roots of negative numbers are NaN
        base = np.abs(base)
    elif dtype.kind in "iu":
        exponent = np.abs(exponent)
    return (base, exponent), {}


@calls_of("bitwise_left_shift", "bitwise_right_shift")
def shift(draw: Drawing, dtype: np.dtype) -> Any:
    shape = draw.shape()
    return (draw.numbers(dtype, shape), np.abs(draw.numbers(dtype, shape, 28))), {}


@calls_of("floor_divide", "remainder")
def division(draw: Drawing, dtype: np.dtype) -> Any:
    shape = draw.shape()
    divisor = draw.numbers(dtype, shape)
    return (draw.numbers(dtype, shape), np.where(divisor == 0, np.ones_like(divisor), divisor)), {}


@calls_of("clip")
def clip(draw: Drawing, dtype: np.dtype) -> Any:
    x = draw.with_specials(dtype, draw.shape())
    low, high = np.sort(draw.numbers(dtype, (2,)))
    return (x, np.asarray(low), np.asarray(high)), {}


@calls_of("where")
def where(draw: Drawing, dtype: np.dtype) -> Any:
    shape = draw.shape()
    other = tuple(1 if draw.flag(3) else size for size in shape)
    condition = draw.numbers("bool", shape)
    return (condition, draw.with_specials(dtype, shape), draw.with_specials(dtype, other)), {}


@calls_of("astype")
def astype(draw: Drawing, dtype: np.dtype) -> Any:
    from corepy.testing._checks.rows import dtypes

    to = draw.choice([each for each in dtypes() if each.kind in "fc" or dtype.kind not in "fc"])
    if dtype.kind == "c" and to.kind != "c":
        to = dtype
    return (draw.numbers(dtype, draw.shape()), to), {}


# ---- creation


@calls_of("arange")
def arange(draw: Drawing, dtype: np.dtype) -> Any:
    if dtype.kind not in "iuf":
        return None
    start, step = int(draw.rng.integers(0, 4)), int(draw.rng.integers(1, 4))
    return (start, start + int(draw.rng.integers(0, 20)), step), {"dtype": dtype}


@calls_of("eye")
def eye(draw: Drawing, dtype: np.dtype) -> Any:
    sizes = int(draw.rng.integers(0, 5)), int(draw.rng.integers(0, 5))
    return sizes, {"k": int(draw.rng.integers(-3, 4)), "dtype": dtype}


@calls_of("linspace")
def linspace(draw: Drawing, dtype: np.dtype) -> Any:
    if dtype.kind not in "fc":
        return None
    ends = float(draw.rng.integers(-9, 9)), float(draw.rng.integers(-9, 9))
    return (*ends, int(draw.rng.integers(0, 9))), {"dtype": dtype, "endpoint": draw.flag()}


@calls_of("empty", "ones", "zeros")
def created(draw: Drawing, dtype: np.dtype) -> Any:
    return (draw.shape(),), {"dtype": dtype}


@calls_of("empty_like", "ones_like", "zeros_like")
def created_like(draw: Drawing, dtype: np.dtype) -> Any:
    return (draw.numbers(dtype, draw.shape()),), {}


@calls_of("full")
def full(draw: Drawing, dtype: np.dtype) -> Any:
    return (draw.shape(), draw.numbers(dtype, ()).item()), {"dtype": dtype}


@calls_of("full_like")
def full_like(draw: Drawing, dtype: np.dtype) -> Any:
    return (draw.numbers(dtype, draw.shape()), draw.numbers(dtype, ()).item()), {}


@calls_of("meshgrid")
def meshgrid(draw: Drawing, dtype: np.dtype) -> Any:
    vectors = tuple(draw.numbers(dtype, (int(draw.rng.integers(1, 5)),)) for _ in range(2))
    return vectors, {"indexing": draw.choice(["xy", "ij"])}


@calls_of("tril", "triu")
def triangle(draw: Drawing, dtype: np.dtype) -> Any:
    return (draw.numbers(dtype, (2, 3, 4)),), {"k": int(draw.rng.integers(-3, 4))}


@calls_of("fftfreq", "rfftfreq")
def frequencies(draw: Drawing, dtype: np.dtype) -> Any:
    return (int(draw.rng.integers(1, 9)),), {"d": 0.5, "dtype": dtype}


# ---- indices, searching, sets, sorting


@calls_of("take")
def take(draw: Drawing, dtype: np.dtype) -> Any:
    x = draw.numbers(dtype, draw.shape(least=2))
    axis = int(draw.rng.integers(-x.ndim, x.ndim))
    indices = draw.rng.integers(-x.shape[axis], x.shape[axis], 3)
    return (x, indices), {"axis": axis}


@calls_of("take_along_axis")
def take_along_axis(draw: Drawing, dtype: np.dtype) -> Any:
    x = draw.numbers(dtype, draw.shape(least=2))
    axis = int(draw.rng.integers(-x.ndim, x.ndim))
    shape = list(x.shape)
    shape[axis] = 2
    return (x, draw.rng.integers(0, x.shape[axis], shape)), {"axis": axis}


@calls_of("searchsorted")
def searchsorted(draw: Drawing, dtype: np.dtype) -> Any:
    x = np.sort(draw.numbers(dtype, (7,)))
    return (x, draw.numbers(dtype, (4,))), {"side": draw.choice(["left", "right"])}


@calls_of("nonzero")
def nonzero(draw: Drawing, dtype: np.dtype) -> Any:
    return (draw.numbers(dtype, draw.shape(least=1), 8),), {}


@calls_of("unique_all", "unique_counts", "unique_inverse", "unique_values")
def unique(draw: Drawing, dtype: np.dtype) -> Any:
    return (draw.numbers(dtype, draw.shape(), 8),), {}


@calls_of("isin")
def isin(draw: Drawing, dtype: np.dtype) -> Any:
    inputs = draw.numbers(dtype, draw.shape(), 12), draw.numbers(dtype, (3,), 12)
    return inputs, {"invert": draw.flag()}


@calls_of("argsort", "sort")
def sort(draw: Drawing, dtype: np.dtype) -> Any:
    x = draw.numbers(dtype, draw.shape(least=1))
    axis = int(draw.rng.integers(-x.ndim, x.ndim))
    return (x,), {"axis": axis, "descending": draw.flag(), "stable": True}


@calls_of("diff")
def diff(draw: Drawing, dtype: np.dtype) -> Any:
    if dtype.kind == "b":
        return None
    return (draw.numbers(dtype, (3, 5)),), {"axis": int(draw.rng.integers(-2, 2)), "n": 1}


# ---- manipulation


@calls_of("broadcast_arrays")
def broadcast_arrays(draw: Drawing, dtype: np.dtype) -> Any:
    return (draw.numbers(dtype, (3, 1)), draw.numbers(dtype, (4,))), {}


@calls_of("broadcast_to")
def broadcast_to(draw: Drawing, dtype: np.dtype) -> Any:
    return (draw.numbers(dtype, (3, 1)), (2, 3, 4)), {}


@calls_of("concat")
def concat(draw: Drawing, dtype: np.dtype) -> Any:
    parts = draw.numbers(dtype, (2, 3)), draw.numbers(dtype, (4, 3)), draw.numbers(dtype, (0, 3))
    return (parts,), {"axis": draw.choice([0, -2])}


@calls_of("stack")
def stack(draw: Drawing, dtype: np.dtype) -> Any:
    shape = draw.shape()
    parts = [draw.numbers(dtype, shape) for _ in range(3)]
    return (parts,), {"axis": int(draw.rng.integers(-len(shape) - 1, len(shape) + 1))}


@calls_of("unstack")
def unstack(draw: Drawing, dtype: np.dtype) -> Any:
    return (draw.numbers(dtype, (2, 3)),), {"axis": int(draw.rng.integers(-2, 2))}


@calls_of("expand_dims")
def expand_dims(draw: Drawing, dtype: np.dtype) -> Any:
    shape = draw.shape()
    return (draw.numbers(dtype, shape), int(draw.rng.integers(-len(shape) - 1, len(shape) + 1))), {}


@calls_of("squeeze")
def squeeze(draw: Drawing, dtype: np.dtype) -> Any:
    return (draw.numbers(dtype, (1, 3, 1)), draw.choice([0, -1, (0, 2)])), {}


@calls_of("flip")
def flip(draw: Drawing, dtype: np.dtype) -> Any:
    x = draw.numbers(dtype, draw.shape(least=1))
    return (x,), {"axis": draw.axes(x.ndim)}


@calls_of("moveaxis")
def moveaxis(draw: Drawing, dtype: np.dtype) -> Any:
    return (draw.numbers(dtype, (2, 3, 4)), draw.choice([0, -1]), draw.choice([1, 2])), {}


@calls_of("permute_dims")
def permute_dims(draw: Drawing, dtype: np.dtype) -> Any:
    return (draw.numbers(dtype, (2, 3, 4)), tuple(int(i) for i in draw.rng.permutation(3))), {}


@calls_of("matrix_transpose")
def matrix_transpose(draw: Drawing, dtype: np.dtype) -> Any:
    return (draw.numbers(dtype, (2, 3, 4)),), {}


@calls_of("repeat")
def repeat(draw: Drawing, dtype: np.dtype) -> Any:
    x = draw.numbers(dtype, (3, 4))
    return (x, 2 if draw.flag() else draw.rng.integers(0, 3, 4)), {"axis": 1}


@calls_of("reshape")
def reshape(draw: Drawing, dtype: np.dtype) -> Any:
    return (draw.numbers(dtype, (3, 4)), draw.choice([(2, 6), (-1,), (12, 1), (2, -1, 3)])), {}


@calls_of("roll")
def roll(draw: Drawing, dtype: np.dtype) -> Any:
    axis = draw.choice([None, 0, 1])
    return (draw.numbers(dtype, (3, 4)), int(draw.rng.integers(-5, 6))), {"axis": axis}


@calls_of("tile")
def tile(draw: Drawing, dtype: np.dtype) -> Any:
    return (draw.numbers(dtype, (2, 3)), draw.choice([(2,), (2, 1), (1, 2, 2), (0, 1)])), {}


@calls_of("fftshift", "ifftshift")
def shifted(draw: Drawing, dtype: np.dtype) -> Any:
    return (draw.numbers(dtype, (3, 4)),), {"axes": draw.choice([None, 0, (0, 1)])}


# ---- products


@calls_of("matmul")
def matmul(draw: Drawing, dtype: np.dtype) -> Any:
    shapes = draw.choice([((3, 4), (4, 2)), ((4,), (4, 2)), ((2, 3, 4), (4, 5)), ((4,), (4,)),
                          ((0, 4), (4, 2)), ((3, 0), (0, 2)), ((33, 40), (40, 17))])  # fmt: skip
    return tuple(draw.numbers(dtype, shape, 12) for shape in shapes), {}


@calls_of("tensordot")
def tensordot(draw: Drawing, dtype: np.dtype) -> Any:
    inputs = draw.numbers(dtype, (2, 3, 4), 12), draw.numbers(dtype, (3, 4, 2), 12)
    return inputs, {"axes": draw.choice([2, ((1, 2), (0, 1))])}


@calls_of("vecdot")
def vecdot(draw: Drawing, dtype: np.dtype) -> Any:
    return (draw.numbers(dtype, (3, 4), 12), draw.numbers(dtype, (4,), 12)), {"axis": -1}


@calls_of("outer")
def outer(draw: Drawing, dtype: np.dtype) -> Any:
    return (draw.numbers(dtype, (3,)), draw.numbers(dtype, (4,))), {}


@calls_of("cross")
def cross(draw: Drawing, dtype: np.dtype) -> Any:
    return (draw.numbers(dtype, (2, 3)), draw.numbers(dtype, (2, 3))), {"axis": -1}


# ---- matrices


def regular(draw: Drawing, dtype: np.dtype, shape: tuple[int, ...] = (2, 3, 3)) -> np.ndarray:
    """Matrices whose diagonal outweighs the rest, so that they are far from singular."""
    diagonal = np.eye(shape[-2], shape[-1])
    if dtype.kind == "b":
        return np.broadcast_to(diagonal != 0, shape).copy()
    return (draw.numbers(dtype, shape, 8) + 24 * diagonal).astype(dtype)


def hermitian(draw: Drawing, dtype: np.dtype) -> np.ndarray:
    """Matrices equal to their adjoint, with eigenvalues that are not close."""
    x = draw.numbers(dtype, (2, 3, 3), 8)
    if dtype.kind == "b":
        return x | np.swapaxes(x, -1, -2)
    x = x + np.conj(np.swapaxes(x, -1, -2))
    return (x + np.diag([0, 30, 60])).astype(dtype)


@calls_of("det", "slogdet", "inv", "eig", "eigvals")
def square_matrix(draw: Drawing, dtype: np.dtype) -> Any:
    return (regular(draw, dtype),), {}


@calls_of("matrix_power")
def matrix_power(draw: Drawing, dtype: np.dtype) -> Any:
    return (regular(draw, dtype), int(draw.rng.integers(-2, 4))), {}


@calls_of("solve")
def solve(draw: Drawing, dtype: np.dtype) -> Any:
    right = draw.choice([(3,), (3, 2), (2, 3, 1)])
    return (regular(draw, dtype), draw.numbers(dtype, right)), {}


@calls_of("cholesky")
def cholesky(draw: Drawing, dtype: np.dtype) -> Any:
    x = hermitian(draw, dtype)
    x = np.eye(3, dtype=bool) if dtype.kind == "b" else (x + 40 * np.eye(3)).astype(dtype)
    return (x,), {"upper": draw.flag()}


@calls_of("eigh", "eigvalsh")
def symmetric(draw: Drawing, dtype: np.dtype) -> Any:
    return (hermitian(draw, dtype),), {}


@calls_of("qr")
def qr(draw: Drawing, dtype: np.dtype) -> Any:
    x = regular(draw, dtype, draw.choice([(4, 3), (3, 3), (2, 3, 4)]))
    return (x,), {"mode": draw.choice(["reduced", "complete"])}


@calls_of("svd")
def svd(draw: Drawing, dtype: np.dtype) -> Any:
    x = regular(draw, dtype, draw.choice([(4, 3), (3, 3), (2, 3, 4)]))
    return (x,), {"full_matrices": draw.flag()}


@calls_of("svdvals", "matrix_rank", "pinv")
def rectangular(draw: Drawing, dtype: np.dtype) -> Any:
    return (regular(draw, dtype, draw.choice([(4, 3), (3, 3), (2, 3, 4)])),), {}


@calls_of("matrix_norm")
def matrix_norm(draw: Drawing, dtype: np.dtype) -> Any:
    ord = draw.choice(["fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf])
    return (regular(draw, dtype),), {"ord": ord, "keepdims": draw.flag()}


@calls_of("vector_norm")
def vector_norm(draw: Drawing, dtype: np.dtype) -> Any:
    x = draw.numbers(dtype, draw.shape(least=1))
    ord = draw.choice([0, 1, 2, 3, np.inf, -np.inf])
    return (x,), {"ord": ord, "axis": draw.axis(x.ndim), "keepdims": draw.flag()}


@calls_of("diagonal", "trace")
def diagonal(draw: Drawing, dtype: np.dtype) -> Any:
    return (draw.numbers(dtype, (2, 3, 4)),), {"offset": int(draw.rng.integers(-4, 5))}


# ---- Fourier transforms


@calls_of("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")
def transform(draw: Drawing, dtype: np.dtype) -> Any:
    x = draw.numbers(dtype, draw.choice([(8,), (3, 5), (2, 12)]), 8)
    params = {"n": draw.choice([None, 6, 9]), "norm": draw.choice(["backward", "ortho", "forward"])}
    return (x,), params


@calls_of("fftn", "ifftn", "rfftn", "irfftn")
def transform_of_axes(draw: Drawing, dtype: np.dtype) -> Any:
    x = draw.numbers(dtype, draw.choice([(4, 6), (3, 5), (2, 3, 4)]), 8)
    return (x,), {"norm": draw.choice(["backward", "ortho", "forward"])}
