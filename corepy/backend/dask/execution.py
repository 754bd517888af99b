"""What the backend does with tensors: to and from NumPy, operations, computation.

Imports all modules with operations, which enter them in the table.
"""

from __future__ import annotations

import math
import sys
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import dask
import dask.array as da
import numpy as np
from dask.base import get_scheduler
from dask.diagnostics import ProgressBar

from corepy._cython import core
from corepy._cython.core import Backend, Tensor
from corepy._cython.inference import infer
from corepy.backend._nested import leaves, mapped
from corepy.backend.dask import (  # noqa: F401  (the backend uses them, and they enter operations)
    creation,
    graphs,
    indexing,
    linalg,
    shapes,
    tasks,
    transforms,
)
from corepy.backend.dask.operations import FUNCTIONS, implements

# ---- conversions


def _as_block(block: Any) -> Any:
    return tasks.as_block(core.asarray(block, None, "cpu"))


def adopted(x: da.Array) -> da.Array:
    """Return an array whose chunks are ndarrays and whose shape is known."""
    if not isinstance(x._meta, Tensor) or type(x._meta) is Tensor:
        dtype = core.as_dtype("wrap", np.dtype(x.dtype))
        x = da.map_blocks(_as_block, x, dtype=dtype, meta=graphs.meta(dtype, x.ndim))
    if any(math.isnan(size) for size in x.shape):
        (x,) = dask.persist(x)
        x = x.compute_chunk_sizes()
    return shapes.without_empty(x)


def split(x: da.Array, chunks: Any) -> da.Array:
    """Return an array in chunks of other sizes."""
    try:
        chunks = graphs.normalize_chunks(chunks, x.shape, dtype=x.dtype)
    except (TypeError, ValueError, ArithmeticError, NotImplementedError) as error:
        raise ValueError(f"asarray: chunks: {error}") from None
    if any(size < 0 for row in chunks for size in row):
        raise ValueError(f"asarray: chunks: sizes must not be negative, got {chunks}")
    if chunks == x.chunks:
        return x
    value = graphs.known(x)
    return x.rechunk(chunks) if value is None else graphs.of_tensor(value, chunks)


# ---- operations


def _natives(backend: Any, value: Any) -> Any:
    """Return arguments with arrays of Dask in the place of tensors."""
    return mapped(lambda x: backend.unwrap(x) if isinstance(x, Tensor) else x, value)


def elementwise(backend: Any, name: str, inputs: tuple[Any, ...]) -> Tensor:
    """Compute an elementwise operation of tensors and scalars."""
    dtype, _ = infer(name, inputs)
    natives = _natives(backend, inputs)
    return backend._made(graphs.elementwise(name, natives, {}, dtype))


def execute(backend: Any, operation: str, inputs: tuple[Any, ...], params: dict[str, Any]) -> Any:
    """Make the tasks of an operation; its arguments have been checked."""
    if operation not in FUNCTIONS:  # it has a method of the backend
        if any(isinstance(x, Tensor) for x in leaves(inputs)):
            return core.execute(operation, inputs, params)
        return core.create(operation, backend.device, inputs, params)
    found = infer(operation, inputs, params)
    several = not found or not isinstance(found[0], np.dtype)
    natives, params = _natives(backend, (inputs, params))
    made = _computed(operation, natives, params, list(found) if several else found)
    tensors = [backend._made(x) for x in made]
    return tuple(tensors) if several else tensors[0]


@implements("astype", "clip", "where", named=True)
def _elementwise(name: str, result: graphs.Result, *inputs: Any, **params: Any) -> da.Array:
    return graphs.elementwise(name, inputs, params, result[0])


def _computed(
    operation: str, inputs: tuple[Any, ...], params: dict[str, Any], result: Any
) -> list[da.Array]:
    """Return the results of an operation of arrays of Dask; `result` describes it, or them."""
    results = result if isinstance(result, list) else [result]
    arrays = graphs.arrays_in((inputs, params))
    unknown = any(None in shape for _, shape in results)
    if arrays and not unknown and all(x.npartitions == 1 for x in arrays):
        nbytes = max(dtype.itemsize * math.prod(shape) for dtype, shape in results)
        if nbytes <= graphs.limit():
            return graphs.called(operation, inputs, params, results)
    function, described = FUNCTIONS[operation]
    made = function(*[result] * described, *inputs, **params)
    return list(made) if isinstance(made, (tuple, list)) else [made]


# ---- computation


def copy_of_elements(backend: Backend, x: Tensor) -> Tensor:
    """Return the elements of `x` in memory of their own."""
    native = backend.unwrap(x)
    found = graphs.elements(native)
    if native.npartitions == 1 or graphs.known(native) is not None:
        found = core.astype(found, found.dtype, True)
    return Tensor(found)


def compute(backend: Backend, tensors: tuple[Tensor, ...]) -> None:
    """Compute tensors together, and keep their blocks in this process."""
    pending = [x for x in tensors if graphs.known(backend.unwrap(x)) is None]
    if not pending:
        return
    natives = [backend.unwrap(x) for x in pending]
    for x, native, blocks in zip(pending, natives, graphs.compute(natives), strict=True):
        backend.replace(x, graphs.of_blocks(blocks, native.chunks, native.dtype, native.name))


#: Seconds before the progress is shown.
_QUIET = 0.5


def progress(backend: Backend, tensors: tuple[Tensor, ...]) -> AbstractContextManager[Any]:
    """Return a context in which computations show their progress by Dask's bars.

    On a cluster the tensors are computed there before it is returned.
    """
    natives = [backend.unwrap(x) for x in tensors]
    client = getattr(get_scheduler(collections=natives), "__self__", None)
    if client is None:
        return ProgressBar(minimum=_QUIET, out=sys.stderr)
    import distributed

    persist(backend, tensors)
    futures = distributed.futures_of([backend.unwrap(x) for x in tensors], client=client)
    if futures:
        try:
            distributed.wait(futures, timeout=_QUIET)
        except TimeoutError:
            distributed.progress(futures, notebook=False)
    return nullcontext()


def persist(backend: Backend, tensors: tuple[Tensor, ...]) -> None:
    """Compute tensors together, and keep their blocks where they were computed."""
    natives = [backend.unwrap(x) for x in tensors]
    for x, native in zip(tensors, graphs.persist(natives), strict=True):
        backend.replace(x, native)


def description(backend: Backend, x: Tensor) -> str | None:
    """Return ``repr(x)`` of a tensor that is not computed; None of one that is, and is small."""
    native = backend.unwrap(x)
    if x.nbytes <= graphs.KEPT and graphs.known(native) is not None:
        return None
    dtype = "" if x.dtype == np.float64 else f", dtype={x.dtype}"
    sizes = tuple(max(row, default=0) for row in native.chunks)
    name = "Tensor" if type(x) is Tensor else "array"
    return f"{name}(<not computed>, shape={x.shape}, chunks of {sizes}{dtype}, device='dask')"
