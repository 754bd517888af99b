"""Looking at deferred tensors: computing them, and what their computation would be."""

from __future__ import annotations

from typing import Any

from corepy._cython.core import Tensor
from corepy._cython.lazy import recorder


def compute(*tensors: Tensor) -> Any:
    """Compute deferred tensors together.

    Parameters
    ----------
    *tensors : Tensor
        Tensors of any device; those that are not deferred are left as they are.

    Returns
    -------
    Tensor or tuple of Tensor
        The same objects: one, or a tuple of them.

    Raises
    ------
    MemoryError
        There is no memory for the results; the tensors stay deferred.
    """
    for x in tensors:
        if not isinstance(x, Tensor):
            raise TypeError(f"compute: expected Tensors, got {type(x).__name__}")
    recorder.compute(*tensors)
    return tensors[0] if len(tensors) == 1 else tensors


def is_deferred(x: Any) -> bool:
    """Return whether `x` is a tensor whose elements are not computed yet."""
    return recorder.is_deferred(x)


def explain(*tensors: Tensor) -> str:
    """Describe how deferred tensors would be computed, as text.

    Parameters
    ----------
    *tensors : Tensor

    Returns
    -------
    str
        The groups of operations that one pass over memory each computes, in their order: shape,
        operations, what is stored, and how many bytes are never stored.
    """
    return recorder.explain(*tensors)


def last_plan() -> str:
    """Return what `explain` would have said of what was computed last, or "" if nothing was."""
    return recorder.last_plan()
