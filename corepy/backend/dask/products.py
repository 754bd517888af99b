"""Products: of chunks, then sums of these."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import dask.array as da
import numpy as np

from corepy._cython.core import Tensor
from corepy.backend.dask import creation, graphs, reductions, shapes
from corepy.backend.dask.graphs import Indexed, Result
from corepy.backend.dask.operations import implements
from corepy.backend.dask.tasks import Operation, Part, one


def _product(a: Tensor, b: Tensor, name: str, params: tuple[Any, ...], added: int) -> Tensor:
    """Return a product of chunks with axes of size 1 for those that are summed."""
    found = one(name, a, b, **dict(params))
    return found[(Ellipsis, *(None,) * added)] if added else found


def contracted(
    name: str,
    pairs: Sequence[Indexed],
    out: tuple[int, ...],
    summed: tuple[int, ...],
    params: dict[str, Any],
    result: Result,
) -> da.Array:
    """Return an operation that multiplies arrays and sums over axes, by chunks.

    Parameters
    ----------
    name : str
        The operation, whose result of chunks has the axes `out`.
    pairs : sequence of (array, tuple of int)
        Arrays with numbers of their axes.
    out, summed : tuple of int
        The numbers of the axes of the result, and of those that are summed.
    params : dict
        Keyword arguments of the operation.
    result : tuple
        dtype and shape.
    """
    dtype = result[0]
    pairs = [(graphs.cast(x, dtype), index) for x, index in pairs]
    several = tuple(
        axis for axis in summed if any(x.numblocks[index.index(axis)] > 1 for x, index in pairs)
    )
    if not several:
        return graphs.mapped(Operation(name, params), dtype, *pairs, out=out)
    partial = graphs.mapped(
        Part(_product, name, tuple(sorted(params.items())), len(several)),
        dtype,
        *pairs,
        out=(*out, *several),
        sizes=dict.fromkeys(several, 1),
        prefix=f"{name}-chunk",
    )
    axes = tuple(range(len(out), partial.ndim))
    combine = Part(reductions.folded, "logical_or" if dtype == np.bool else "add")
    last = Part(reductions.squeezed, axes)
    return reductions.tree(partial, axes, False, combine, last, result, name)


@implements("matmul", "linalg.matmul")
def matmul(result: Result, x1: da.Array, x2: da.Array) -> da.Array:
    """Return the matrix product."""
    dtype, shape = result
    if math.prod(shape) == 0 or x1.size == 0:
        return creation.full(shape, 0, dtype)
    a = shapes.expand_dims(x1, 0) if x1.ndim == 1 else x1
    b = shapes.expand_dims(x2, 1) if x2.ndim == 1 else x2
    batch = max(a.ndim, b.ndim) - 2
    index = tuple(range(batch))
    m, k, n = batch, batch + 1, batch + 2
    pairs = [(a, (*index[batch + 2 - a.ndim :], m, k)), (b, (*index[batch + 2 - b.ndim :], k, n))]
    shape = (*shape[:batch], a.shape[-2], b.shape[-1])
    found = contracted("matmul", pairs, (*index, m, n), (k,), {}, (dtype, shape))
    gone = tuple([found.ndim - 2] * (x1.ndim == 1) + [found.ndim - 1] * (x2.ndim == 1))
    return shapes.squeeze(found, gone) if gone else found


@implements("vecdot", "linalg.vecdot")
def vecdot(result: Result, x1: da.Array, x2: da.Array, *, axis: int = -1) -> da.Array:
    """Return the dot product of vectors along an axis."""
    ndim = max(x1.ndim, x2.ndim)
    if axis >= 0:  # counted from 0, of the operand with more axes
        axis -= ndim
    pairs = [(x, tuple(range(ndim - x.ndim, ndim))) for x in (x1, x2)]
    out = tuple(k for k in range(ndim) if k != ndim + axis)
    return contracted("vecdot", pairs, out, (ndim + axis,), {"axis": axis}, result)


@implements("tensordot", "linalg.tensordot")
def tensordot(result: Result, x1: da.Array, x2: da.Array, *, axes: Any = 2) -> da.Array:
    """Return a product of tensors that is summed over axes."""
    if isinstance(axes, int):
        first, second = tuple(range(x1.ndim - axes, x1.ndim)), tuple(range(axes))
    else:
        first, second = (graphs.axes_of(row, x.ndim) for row, x in zip(axes, (x1, x2), strict=True))
    if 0 in (x1.size, x2.size):
        return creation.full(result[1], 0, result[0])
    left = tuple(range(x1.ndim))
    right = [x1.ndim + k for k in range(x2.ndim)]
    for k, other in zip(first, second, strict=True):
        right[other] = k
    out = (*(k for k in left if k not in first), *(k for k in right if k >= x1.ndim))
    pairs = [(x1, left), (x2, tuple(right))]
    return contracted("tensordot", pairs, out, first, {"axes": (first, second)}, result)


@implements("linalg.outer")
def outer(result: Result, x1: da.Array, x2: da.Array) -> da.Array:
    """Return the outer product of vectors."""
    dtype, shape = result
    x1, x2 = (graphs.cast(x, dtype) for x in (x1, x2))
    limit = graphs.automatic_chunks(shape, dtype)
    if max(x1.chunks[0]) * max(x2.chunks[0]) > max(limit[0]) * max(limit[1]):
        x1, x2 = x1.rechunk((limit[0],)), x2.rechunk((limit[1],))
    return graphs.mapped(Operation("linalg.outer", {}), dtype, (x1, (0,)), (x2, (1,)), out=(0, 1))
