"""When tensors of Dask are computed, and what is kept of it."""

from __future__ import annotations

import numpy as np

from corepy._cython import core
from corepy._cython.core import Backend, Tensor
from corepy.backend.dask import graphs


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
    return f"Tensor(<not computed>, shape={x.shape}, chunks of {sizes}{dtype}, device='dask')"
