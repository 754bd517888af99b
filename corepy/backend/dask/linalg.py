"""Linear algebra: matrices of a stack each in one task; tall matrices by their chunks of rows."""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Sequence
from typing import Any

import dask.array as da
import numpy as np

from corepy._cython import core
from corepy._cython.core import Tensor
from corepy.backend.dask import creation, graphs, products, reductions, shapes
from corepy.backend.dask.graphs import Result
from corepy.backend.dask.operations import implements, warn_gathered
from corepy.backend.dask.tasks import Operation, Part, Slot, one

# ---- stacks of matrices


def along(
    name: str,
    results: list[Result],
    inputs: tuple[Any, ...],
    params: dict[str, Any],
    core_axes: tuple[int, ...],
) -> list[da.Array]:
    """Compute an operation of axes that are in one chunk, chunk by chunk along the others.

    Parameters
    ----------
    name, results, inputs, params
        The operation; array inputs broadcast along the other axes.
    core_axes : tuple of int
        How many axes at the end of each array input the operation needs as a whole.
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
    slots = iter(range(len(whole)))
    arguments = tuple(Slot(next(slots)) if isinstance(x, da.Array) else x for x in inputs)
    function = Operation(name, params, arguments)
    made = []
    for k, (dtype, shape) in enumerate(results):
        part = function if len(results) == 1 else Part(_result, name, arguments, params, k)
        sizes = {axis: shape[axis] for axis in range(batch, len(shape))}
        out = range(len(shape))
        made.append(graphs.mapped(part, dtype, *pairs, out=out, sizes=sizes, prefix=name))
    return made


def _result(*blocks: Any) -> Tensor:
    """Return one of the results of an operation; its description follows the blocks."""
    *arrays, name, arguments, params, k = blocks
    return Operation(name, params, arguments)(*arrays)[k]


_OF_MATRICES = "cholesky det eig eigh eigvals eigvalsh inv slogdet".split()


@implements(*(f"linalg.{name}" for name in _OF_MATRICES), named=True)
def matrices(name: str, result: Any, *inputs: Any, **params: Any) -> list[da.Array]:
    """Compute an operation of square or other matrices, or of one stack."""
    results = result if isinstance(result, list) else [result]
    return along(name, results, inputs, params, (2,) * len(graphs.arrays_in(inputs)))


@implements("linalg.solve")
def solve(result: Result, x1: da.Array, x2: da.Array) -> list[da.Array]:
    """Solve systems of linear equations."""
    return along("linalg.solve", [result], (x1, x2), {}, (2, 1 if x2.ndim == 1 else 2))


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


def tall_qr(x: da.Array) -> tuple[da.Array, da.Array]:
    """Return the factors of a tall matrix (Demmel, Grigori, Hoemmen and Langou 2012).

    Each chunk of rows has factors; so has the matrix of their triangles, one below the other.
    """
    x = graphs.whole_axes(x, (1,))
    columns = x.shape[1]
    name = f"qr-{graphs.tokenize(x.name)}"
    layer = graphs.TaskLayer()
    factors = [
        layer.task((f"{name}-chunk", k), _q_r, graphs.block(x, (k, 0)))
        for k in range(x.numblocks[0])
    ]
    joined = layer.task(f"{name}-joined", _stacked_q_r, *factors)
    q_layer, r_layer = graphs.TaskLayer(layer), graphs.TaskLayer(layer)
    starts = itertools.accumulate((min(rows, columns) for rows in x.chunks[0]), initial=0)
    for k, (pair, start) in enumerate(zip(factors, starts, strict=False)):
        q_layer.task((name, k, 0), _times, pair, joined, start)
    r_layer.task((f"{name}-r", 0, 0), operator.getitem, joined, 1)
    q = graphs.array(q_layer, name, (x.chunks[0], (columns,)), x.dtype, [x])
    return q, graphs.array(r_layer, f"{name}-r", ((columns,), (columns,)), x.dtype, [x])


def tall_r(x: da.Array) -> da.Array:
    """Return the triangular factor of a tall matrix, without the other one."""
    x = graphs.whole_axes(x, (1,))
    columns = x.shape[1]
    sizes = {0: tuple(min(n, columns) for n in x.chunks[0])}
    parts = graphs.mapped(Part(_r), x.dtype, x, sizes=sizes, prefix="qr-chunk")
    result = (x.dtype, (columns, columns))
    found = reductions.tree(parts, (0,), True, Part(_stacked_r), None, result, "qr-r")
    # The block has other sizes than partial results of a reduction.
    return da.Array(found.dask, found.name, graphs.single(result[1]), meta=found._meta)


def of_tall_r(name: str, result: Result, x: da.Array, **params: Any) -> list[da.Array]:
    """Compute an operation of a tall matrix that is that of its triangular factor."""
    return graphs.called(name, (tall_r(x),), params, [result])


@implements("linalg.qr")
def qr(results: list[Result], x: da.Array, *, mode: str = "reduced") -> Sequence[da.Array]:
    """Return an orthogonal and a triangular factor."""
    if is_tall(x) and mode == "reduced":
        return tall_qr(graphs.cast(x, results[0][0]))
    return matrices("linalg.qr", results, x, mode=mode)


@implements("linalg.svd")
def svd(results: list[Result], x: da.Array, *, full_matrices: bool = True) -> list[da.Array]:
    """Return the singular value decomposition."""
    if is_tall(x) and not full_matrices:
        q, r = tall_qr(graphs.cast(x, results[0][0]))
        n = x.shape[1]
        small = [(results[0][0], (n, n)), results[1], results[2]]
        u, s, vh = graphs.called("linalg.svd", (r,), {"full_matrices": False}, small)
        return [products.matmul(results[0], q, u), s, vh]
    return matrices("linalg.svd", results, x, full_matrices=full_matrices)


@implements("linalg.svdvals")
def svdvals(result: Result, x: da.Array) -> list[da.Array]:
    """Return the singular values."""
    if is_tall(x):
        return of_tall_r("linalg.svdvals", result, x)
    return matrices("linalg.svdvals", result, x)


@implements("linalg.matrix_rank", "linalg.pinv", named=True)
def with_tolerance(name: str, result: Result, x: da.Array, *, rtol: Any = None) -> Any:
    """Return ranks or pseudo-inverses; the tolerance may be an array.

    The pseudo-inverse of a tall matrix is that of its triangle, times the other factor.
    """
    dtype, _ = result
    if isinstance(rtol, da.Array):
        warn_gathered(name, [x, rtol])
        return graphs.called(name, (graphs.gathered(x),), {"rtol": graphs.gathered(rtol)}, [result])
    if not is_tall(x):
        return along(name, [result], (x,), {"rtol": rtol}, (2,))
    if name == "linalg.pinv":
        x = graphs.cast(x, dtype)
    if rtol is None:  # the default depends on the number of rows
        rtol = max(x.shape) * float(np.finfo(x.dtype).eps)
    if name == "linalg.matrix_rank":
        return of_tall_r(name, result, x, rtol=rtol)
    q, r = tall_qr(x)
    (inverse,) = graphs.called(name, (r,), {"rtol": rtol}, [(dtype, r.shape)])
    adjoint = shapes.matrix_transpose(graphs.elementwise("conj", (q,), {}, q.dtype))
    return products.matmul(result, inverse, adjoint)


@implements("linalg.matrix_norm")
def matrix_norm(result: Result, x: da.Array, *, keepdims: bool = False, ord: Any = "fro") -> Any:
    """Return norms of matrices."""
    dtype, _ = result
    rows, columns = x.ndim - 2, x.ndim - 1
    if ord in (None, "fro"):
        both = (rows, columns)
        return reductions.reduce("linalg.vector_norm", result, x, axis=both, keepdims=keepdims)
    if ord in (1, -1, math.inf, -math.inf):
        summed, kept = (rows, columns) if abs(ord) == 1 else (columns, rows)
        found = graphs.elementwise("abs", (x,), {}, dtype)
        for name, axis in (("sum", summed), ("max" if ord > 0 else "min", kept)):
            shape = (*found.shape[:axis], 1, *found.shape[axis + 1 :])
            found = reductions.reduce(name, (dtype, shape), found, axis=axis, keepdims=True)
        return found if keepdims else shapes.squeeze(found, (rows, columns))
    if is_tall(x):
        return of_tall_r("linalg.matrix_norm", result, x, ord=ord, keepdims=keepdims)
    return matrices("linalg.matrix_norm", result, x, ord=ord, keepdims=keepdims)


@implements("linalg.matrix_power")
def matrix_power(result: Result, x: da.Array, n: int) -> da.Array:
    """Return a power of square matrices: products of chunks; of their inverse for n < 0."""
    dtype, _ = result
    x = graphs.cast(x, dtype)
    if n < 0:
        (x,) = matrices("linalg.inv", result, x)
        n = -n
    if n == 0:
        return shapes.broadcast(creation.eye((dtype, x.shape[-2:]), x.shape[-1]), x.shape)
    found = None
    while True:
        if n & 1:
            found = x if found is None else products.matmul(result, found, x)
        n >>= 1
        if not n:
            return found  # type: ignore[return-value]
        x = products.matmul(result, x, x)


@implements("linalg.cross")
def cross(result: Result, x1: da.Array, x2: da.Array, *, axis: int = -1) -> da.Array:
    """Return cross products."""
    arrays = [graphs.whole_axes(x, (x.ndim + axis,)) for x in (x1, x2)]
    return graphs.mapped(Operation("linalg.cross", {"axis": axis}), result[0], *arrays)
