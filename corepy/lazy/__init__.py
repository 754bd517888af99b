"""Deferred expressions: chains of operations that are computed in one pass over memory.

Where operations are deferred, in a ``with fuse():`` block or by ``corepy.config(fusion=True)``,
elementwise operations, selections, casts and reductions of large tensors in host memory only
record what is to be computed. Elements are computed when somebody looks at them, together with
what else waits: block by block in the nearest cache, by the kernels that compute single operations,
and with the same results bit for bit.
"""

from corepy.lazy._compute import compute, explain, is_deferred, last_plan
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
]
