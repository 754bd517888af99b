"""Imports what operations of the CPU and functions of the drop-in import when they are first used.

Python imports it before it forks a process with threads: one of them may be importing such a
module, and the child would wait for its lock for good.
"""

from importlib import import_module

import corepy._cython.lazy.recorder
import corepy._cython.operations
import corepy.array_api._namespace
import corepy.backend.execution
import corepy.lazy
import corepy.numpy._classes  # noqa: F401
from corepy.numpy import _own

for _modules in _own.FUNCTIONS.values():
    for _name in _modules:
        import_module(f"corepy.numpy.{_name}")
