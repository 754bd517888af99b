"""Linear algebra: matrices of a stack each in one task; tall matrices by their chunks of rows."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

import dask.array as da
import numpy as np

from corepy._cython import core
from corepy._cython.core import Tensor
from corepy.backend.dask import creation, graphs, products, reductions, shapes
from corepy.backend.dask.operations import Result, warn_gathered
from corepy.backend.dask.tasks import Operation, Part, Slot, one

# ---- stacks of matrices


def along(
    name: str,
    results: list[Result],
    inputs: tuple[Any, ...],
    params: dict[str, Any],
    core_axes: tuple[int, ...],
    new_axes: list[tuple[int, ...]],
) -> list[da.Array]:
    """Compute an operation of axes that are in one chunk, chunk by chunk along the others.

    Parameters
    ----------
    name, results, inputs, params
        The operation; array inputs broadcast along the other axes.
    core_axes : tuple of int
        How many axes at the end of each array input the operation needs as a whole.
    new_axes : list of tuple of int
        For each result, the sizes of its axes in their place.
    """
    arrays = [x for x in inputs if isinstance(x, da.Array)]
    whole = [
        graphs.whole_axes(x, range(x.ndim - count, x.ndim))
        for x, count in zip(arrays, core_axes, strict=True)
    ]
    if all(x.npartitions == 1 for x in whole):
        warn_gathered(name, arrays)
    batch = max(x.ndim - count for x, count in zip(whole, core_axes, strict=True))
    pairs = []
    for n, (x, count) in enumerate(zip(whole, core_axes, strict=True)):
        own = x.ndim - count
        last = tuple(-1 - 8 * n - k for k in range(count))
        pairs.append((x, (*range(batch - own, batch), *last)))
    chunks, whole = graphs.aligned(pairs)
    pairs = [(x, index) for x, (_, index) in zip(whole, pairs, strict=True)]
    slots = iter(range(len(whole)))
    arguments = tuple(Slot(next(slots)) if isinstance(x, da.Array) else x for x in inputs)
    function: Any = Operation(name, arguments, params)
    rows = tuple(chunks[axis] for axis in range(batch))
    made = []
    for k, ((dtype, _), new) in enumerate(zip(results, new_axes, strict=True)):
        part = function if len(results) == 1 else Part(_result, name, arguments, params, k)
        out = (*range(batch), *(batch + n for n in range(len(new))))
        made.append(graphs.mapped(part, pairs, out, (*rows, *((n,) for n in new)), dtype, name))
    return made


def _result(*blocks: Any) -> Tensor:
    """Return one of the results of an operation; its description follows the blocks."""
    *arrays, name, arguments, params, k = blocks
    return Operation(name, arguments, params)(*arrays)[k]


def matrices(name: str, results: list[Result], *inputs: Any, **params: Any) -> list[da.Array]:
    """Compute an operation of square or other matrices, or of one stack."""
    arrays = [x for x in inputs if isinstance(x, da.Array)]
    batch = max(arrays[0].ndim - 2, 0)
    new = [shape[batch:] for _, shape in results]
    return along(name, results, inputs, params, (2,) * len(arrays), new)


def solve(results: list[Result], x1: da.Array, x2: da.Array) -> da.Array:
    """Solve systems of linear equations."""
    count = 1 if x2.ndim == 1 else 2
    ((_, shape),) = results
    new = [shape[len(shape) - count :]]
    return along("linalg.solve", results, (x1, x2), {}, (2, count), new)[0]


def with_tolerance(name: str, results: list[Result], x: da.Array, *, rtol: Any = None) -> da.Array:
    """Compute `pinv` or `matrix_rank`; the tolerance may be an array."""
    ((_, shape),) = results
    count = 2 if name == "linalg.pinv" else 0
    new = [shape[len(shape) - count :]]
    if not isinstance(rtol, da.Array):
        return along(name, results, (x,), {"rtol": rtol}, (2,), new)[0]
    warn_gathered(name, [x, rtol])
    whole = {"rtol": graphs.gathered(rtol)}
    return graphs.called(name, (graphs.gathered(x),), whole, results)[0]


# ---- tall matrices


def is_tall(x: da.Array) -> bool:
    """Return whether a matrix has several chunks of rows, each at least as tall as it is wide."""
    return x.ndim == 2 and x.numblocks[0] > 1 and 0 < x.shape[1] <= max(x.chunks[0])


def _q_r(block: Tensor) -> tuple[Tensor, Tensor]:
    return tuple(one("linalg.qr", block))  # type: ignore[return-value]


def _stacked_q_r(*parts: tuple[Tensor, Tensor]) -> tuple[Tensor, Tensor]:
    """Return the factors of the triangles of chunks, one below the other."""
    return _q_r(one("concat", [r for _, r in parts], axis=0))


def _times(part: tuple[Tensor, Tensor], joined: tuple[Tensor, Tensor], first: int) -> Tensor:
    q = part[0]
    return one("matmul", q, joined[0][first : first + q.shape[1]])


def _r(block: Tensor) -> Tensor:
    """Return the triangular factor alone; the standard has no function for it."""
    return core.asarray(np.linalg.qr(np.asarray(block), mode="r"), None, "cpu")


def _stacked_r(parts: Sequence[Tensor]) -> Tensor:
    return _r(one("concat", tuple(parts), axis=0))


def _triangle(parts: tuple[Tensor, Tensor]) -> Tensor:
    return parts[1]


def tall_qr(x: da.Array) -> tuple[da.Array, da.Array]:
    """Return the factors of a tall matrix (Demmel, Grigori, Hoemmen and Langou 2012).

    Each chunk of rows has factors; so has the matrix of their triangles, one below the other.
    """
    x = graphs.whole_axes(x, (1,))
    columns = x.shape[1]
    dtype = x.dtype
    name = f"qr-{graphs.tokenize(x.name)}"
    count = x.numblocks[0]
    layer: dict[Any, Any] = {}
    for k in range(count):
        key = (f"{name}-chunk", k)
        layer[key] = graphs.Task(key, _q_r, graphs.block(x, (k, 0)))
    refs = [graphs.TaskRef((f"{name}-chunk", k)) for k in range(count)]
    joined = f"{name}-joined"
    layer[joined] = graphs.Task(joined, _stacked_q_r, *refs)
    starts = [0, *itertools.accumulate(min(rows, columns) for rows in x.chunks[0])]
    q_layer = dict(layer)
    for k in range(count):
        q_key = (name, k, 0)
        q_layer[q_key] = graphs.Task(q_key, _times, refs[k], graphs.TaskRef(joined), starts[k])
    q = graphs.array(q_layer, name, (x.chunks[0], (columns,)), dtype, [x])
    r_key = (f"{name}-r", 0, 0)
    r_layer = {**layer, r_key: graphs.Task(r_key, _triangle, graphs.TaskRef(joined))}
    r = graphs.array(r_layer, r_key[0], ((columns,), (columns,)), dtype, [x])
    return q, r


def tall_r(x: da.Array) -> da.Array:
    """Return the triangular factor of a tall matrix, without the other one."""
    x = graphs.whole_axes(x, (1,))
    columns = x.shape[1]
    index = (0, 1)
    rows = tuple(min(n, columns) for n in x.chunks[0])
    parts = graphs.mapped(Part(_r), [(x, index)], index, (rows, (columns,)), x.dtype, "qr-chunk")
    fold = reductions.Fold(Part(_stacked_r), None)
    result = (x.dtype, (columns, columns))
    found = reductions.tree(parts, (0,), True, lambda ends: fold, result, "qr-r")
    return graphs.renamed_chunks(found, graphs.single(result[1]))


def qr(results: list[Result], x: da.Array, *, mode: str = "reduced") -> list[da.Array]:
    """Return an orthogonal and a triangular factor."""
    if is_tall(x) and mode == "reduced":
        return list(tall_qr(_floating(x, results[0][0])))
    return matrices("linalg.qr", results, x, mode=mode)


def svd(results: list[Result], x: da.Array, *, full_matrices: bool = True) -> list[da.Array]:
    """Return the singular value decomposition."""
    if is_tall(x) and not full_matrices:
        q, r = tall_qr(_floating(x, results[0][0]))
        n = x.shape[1]
        small = [(results[0][0], (n, n)), results[1], results[2]]
        u, s, vh = graphs.called("linalg.svd", (r,), {"full_matrices": False}, small)
        return [products.matmul([results[0]], q, u), s, vh]
    return matrices("linalg.svd", results, x, full_matrices=full_matrices)


def svdvals(results: list[Result], x: da.Array) -> da.Array:
    """Return the singular values."""
    if is_tall(x):
        r = tall_r(x)
        return graphs.called("linalg.svdvals", (r,), {}, results)[0]
    return matrices("linalg.svdvals", results, x)[0]


def pinv(results: list[Result], x: da.Array, *, rtol: Any = None) -> da.Array:
    """Return the pseudo-inverse: of a tall matrix that of its triangle, times the other factor."""
    if is_tall(x) and not isinstance(rtol, da.Array):
        (result,) = results
        q, r = tall_qr(_floating(x, result[0]))
        if rtol is None:  # the default depends on the number of rows
            rtol = max(x.shape) * float(np.finfo(result[0]).eps)
        n = x.shape[1]
        inverse = graphs.called("linalg.pinv", (r,), {"rtol": rtol}, [(result[0], (n, n))])[0]
        adjoint = shapes.matrix_transpose([], graphs.elementwise("conj", (q,), {}, q.dtype))
        return products.matmul(results, inverse, adjoint)
    return with_tolerance("linalg.pinv", results, x, rtol=rtol)


def matrix_rank(results: list[Result], x: da.Array, *, rtol: Any = None) -> da.Array:
    """Return the ranks."""
    if is_tall(x) and not isinstance(rtol, da.Array):
        r = tall_r(x)
        if rtol is None:
            rtol = max(x.shape) * float(np.finfo(r.dtype).eps)
        return graphs.called("linalg.matrix_rank", (r,), {"rtol": rtol}, results)[0]
    return with_tolerance("linalg.matrix_rank", results, x, rtol=rtol)


def _floating(x: da.Array, dtype: np.dtype) -> da.Array:
    return shapes._cast(x, dtype)


def matrix_norm(
    results: list[Result], x: da.Array, *, keepdims: bool = False, ord: Any = "fro"
) -> da.Array:
    """Return norms of matrices."""
    (result,) = results
    rows, columns = x.ndim - 2, x.ndim - 1
    if ord in (None, "fro"):
        return reductions.reduce(
            "linalg.vector_norm", results, x, axis=(rows, columns), keepdims=keepdims
        )
    if ord in (1, -1, math.inf, -math.inf):
        summed, kept = (rows, columns) if abs(ord) == 1 else (columns, rows)
        sizes = graphs.elementwise("abs", (x,), {}, result[0])
        shape = tuple(1 if k == summed else n for k, n in enumerate(x.shape))
        sums = reductions.reduce("sum", [(result[0], shape)], sizes, axis=(summed,), keepdims=True)
        name = "max" if ord > 0 else "min"
        final = tuple(n for k, n in enumerate(x.shape) if k < rows)
        kept_shape = (*final, 1, 1)
        found = reductions.reduce(
            name, [(result[0], kept_shape)], sums, axis=(kept,), keepdims=True
        )
        return found if keepdims else shapes.squeeze([], found, (rows, columns))
    if is_tall(x):
        r = tall_r(x)
        return graphs.called(
            "linalg.matrix_norm", (r,), {"ord": ord, "keepdims": keepdims}, results
        )[0]
    return matrices("linalg.matrix_norm", results, x, ord=ord, keepdims=keepdims)[0]


def matrix_power(results: list[Result], x: da.Array, n: int) -> da.Array:
    """Return a power of square matrices: products of chunks; of their inverse for n < 0."""
    (result,) = results
    x = shapes._cast(x, result[0])
    if n < 0:
        x = matrices("linalg.inv", results, x)[0]
        n = -n
    if n == 0:
        eye = creation.eye([(result[0], x.shape[-2:])], x.shape[-1], dtype=result[0])
        return shapes.broadcast(eye, x.shape)
    found = None
    while True:
        if n & 1:
            found = x if found is None else products.matmul(results, found, x)
        n >>= 1
        if not n:
            break
        x = products.matmul(results, x, x)
    return found  # type: ignore[return-value]


def cross(results: list[Result], x1: da.Array, x2: da.Array, *, axis: int = -1) -> da.Array:
    """Return cross products."""
    (result,) = results
    ndim = max(x1.ndim, x2.ndim)
    arrays = [graphs.whole_axes(x, (x.ndim + axis,)) for x in (x1, x2)]
    pairs = [(x, tuple(range(ndim - x.ndim, ndim))) for x in arrays]
    chunks, arrays = graphs.aligned(pairs)
    pairs = [(x, index) for x, (_, index) in zip(arrays, pairs, strict=True)]
    function = Operation("linalg.cross", (Slot(0), Slot(1)), {"axis": axis})
    out = tuple(range(ndim))
    return graphs.mapped(function, pairs, out, tuple(chunks[k] for k in out), result[0])
