"""Products: of chunks, then sums of these."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import dask.array as da
import numpy as np

from corepy._cython.core import Tensor
from corepy.backend.dask import graphs, reductions, shapes
from corepy.backend.dask.operations import Result
from corepy.backend.dask.tasks import Operation, Part, Slot, one

Indexed = tuple[da.Array, tuple[int, ...]]


def _product(a: Tensor, b: Tensor, name: str, params: tuple[Any, ...], added: int) -> Tensor:
    """Return a product of chunks with axes of size 1 for those that are summed."""
    found = one(name, a, b, **dict(params))
    return found[(Ellipsis, *(None,) * added)] if added else found


def _sum(partial: Sequence[Tensor], name: str) -> Tensor:
    return reductions._folded(partial, name)


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
        Arrays of one dtype with numbers of their axes.
    out, summed : tuple of int
        The numbers of the axes of the result, and of those that are summed.
    params : dict
        Keyword arguments of the operation.
    result : tuple
        dtype and shape.
    """
    chunks, arrays = graphs.aligned(pairs)
    pairs = [(x, index) for x, (_, index) in zip(arrays, pairs, strict=True)]
    rows = tuple(chunks.get(axis, (1,)) for axis in out)
    dtype = result[0]
    several = tuple(axis for axis in summed if len(chunks[axis]) > 1)
    constants = tuple(sorted(params.items()))
    if not several:
        function = Operation(name, (Slot(0), Slot(1)), params)
        return graphs.mapped(function, pairs, out, rows, dtype)
    partial = graphs.mapped(
        Part(_product, name, constants, len(several)),
        pairs,
        (*out, *several),
        (*rows, *((1,) * len(chunks[axis]) for axis in several)),
        dtype,
        f"{name}-chunk",
    )
    axes = tuple(range(len(out), partial.ndim))
    combine = Part(_sum, "logical_or" if dtype == np.bool else "add")
    return reductions.tree(
        partial,
        axes,
        False,
        lambda ends: reductions.Fold(combine, Part(reductions._squeezed, axes) if ends else None),
        result,
        name,
    )


def matmul(results: list[Result], x1: da.Array, x2: da.Array) -> da.Array:
    """Return the matrix product."""
    (result,) = results
    x1, x2 = (_cast(x, result[0]) for x in (x1, x2))
    if math.prod(result[1]) == 0 or x1.size == 0:
        from corepy.backend.dask import creation

        return creation.full(result[1], 0, result[0])
    a = shapes.expand_dims([], x1, 0) if x1.ndim == 1 else x1
    b = shapes.expand_dims([], x2, 1) if x2.ndim == 1 else x2
    batch = max(a.ndim, b.ndim) - 2
    index = tuple(range(batch))
    m, k, n = batch, batch + 1, batch + 2
    pairs = [(a, (*index[batch + 2 - a.ndim :], m, k)), (b, (*index[batch + 2 - b.ndim :], k, n))]
    shape = (*result[1][:batch], a.shape[-2], b.shape[-1])
    found = contracted("matmul", pairs, (*index, m, n), (k,), {}, (result[0], shape))
    gone = tuple([found.ndim - 2] * (x1.ndim == 1) + [found.ndim - 1] * (x2.ndim == 1))
    return shapes.squeeze([], found, gone) if gone else found


def vecdot(results: list[Result], x1: da.Array, x2: da.Array, *, axis: int = -1) -> da.Array:
    """Return the dot product of vectors along an axis."""
    (result,) = results
    x1, x2 = (_cast(x, result[0]) for x in (x1, x2))
    if axis >= 0:  # counted from 0, of the operand with more axes
        axis -= max(x1.ndim, x2.ndim)
    ndim = max(x1.ndim, x2.ndim)
    pairs = [(x, tuple(range(ndim - x.ndim, ndim))) for x in (x1, x2)]
    along = ndim + axis
    out = tuple(k for k in range(ndim) if k != along)
    return contracted("vecdot", pairs, out, (along,), {"axis": axis}, result)


def tensordot(results: list[Result], x1: da.Array, x2: da.Array, *, axes: Any = 2) -> da.Array:
    """Return a product of tensors that is summed over axes."""
    (result,) = results
    x1, x2 = (_cast(x, result[0]) for x in (x1, x2))
    if isinstance(axes, int):
        first, second = list(range(x1.ndim - axes, x1.ndim)), list(range(axes))
    else:
        first, second = (
            [k % x.ndim for k in (row if isinstance(row, (tuple, list)) else (row,))]
            for row, x in zip(axes, (x1, x2), strict=True)
        )
    if 0 in (x1.size, x2.size):
        from corepy.backend.dask import creation

        return creation.full(result[1], 0, result[0])
    left = tuple(range(x1.ndim))
    right = [x1.ndim + k for k in range(x2.ndim)]
    for k, other in zip(first, second, strict=True):
        right[other] = k
    out = (*(k for k in left if k not in first), *(k for k in right if k >= x1.ndim))
    params = {"axes": (tuple(first), tuple(second))}
    return contracted(
        "tensordot", [(x1, left), (x2, tuple(right))], out, tuple(first), params, result
    )


def outer(results: list[Result], x1: da.Array, x2: da.Array) -> da.Array:
    """Return the outer product of vectors."""
    (result,) = results
    x1, x2 = (_cast(x, result[0]) for x in (x1, x2))
    function = Operation("linalg.outer", (Slot(0), Slot(1)), {})
    chunks = (x1.chunks[0], x2.chunks[0])
    limit = graphs.automatic_chunks(result[1], result[0])
    if max(chunks[0]) * max(chunks[1]) > max(limit[0]) * max(limit[1]):
        x1, x2 = x1.rechunk((limit[0],)), x2.rechunk((limit[1],))
        chunks = (x1.chunks[0], x2.chunks[0])
    return graphs.mapped(function, [(x1, (0,)), (x2, (1,))], (0, 1), chunks, result[0])


def _cast(x: Any, dtype: np.dtype) -> da.Array:
    return shapes._cast(x, dtype)
