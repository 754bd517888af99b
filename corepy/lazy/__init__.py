"""Deferred expressions: chains of operations that are computed in one pass over memory.

In a ``with fuse():`` block, or after ``set_config(fusion=True)``, elementwise operations,
selections, casts and reductions of large tensors in host memory are recorded. Elements are computed
when they are read, together with other pending operations: block by block in the first-level cache,
by the kernels of single operations, and with the same results bit for bit.
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING, Any

from corepy.lazy._compute import compute, explain, is_deferred, last_plan, persist
from corepy.lazy._fuse import fuse

if TYPE_CHECKING:
    from corepy.lazy._graph import ComputeGraph, TaskScheduler
    from corepy.lazy._plan import Plan

__all__ = [
    "ComputeGraph",
    "Plan",
    "TaskScheduler",
    "compute",
    "explain",
    "fuse",
    "is_deferred",
    "last_plan",
    "persist",
]

#: Modules that are imported when one of their names is first used.
_LATER = {"ComputeGraph": "_graph", "TaskScheduler": "_graph", "Plan": "_plan"}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(_import_module(f"{__name__}.{_LATER[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
