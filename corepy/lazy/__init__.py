"""Deferred expressions: chains of operations that are computed in one pass over memory.

In a ``with fuse():`` block, or after ``set_config(fusion=True)``, elementwise operations,
selections, casts and reductions of large tensors in host memory are recorded. Elements are computed
when they are read, together with other pending operations: block by block in the first-level cache,
by the kernels of single operations, and with the same results bit for bit.
"""

from corepy.lazy._compute import compute, explain, is_deferred, last_plan, persist
from corepy.lazy._fuse import fuse
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
