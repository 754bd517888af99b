"""Whole programs and calls of libraries that NumPy's users write: see `programs`."""

from . import library_calls, numpy_programs  # noqa: F401  (they add their tasks)
from .task import TASKS, Task

__all__ = ["TASKS", "Task"]
