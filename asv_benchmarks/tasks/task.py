"""The class of a task, and the list of all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy


@dataclass(frozen=True)
class Task:
    """A program or a call: `run(np, *data)`, where `data` are ndarrays or tensors.

    Results agree with NumPy's to a relative `tolerance`; None is what is usual for their precision.
    """

    kind: str
    name: str
    run: Callable[..., Any]
    data: Callable[[], dict[str, Any]]
    tolerance: float | None


TASKS: list[Task] = []


def task(
    kind: str, data: Callable[[], dict[str, Any]], tolerance: float = 1e-9
) -> Callable[[Callable], Callable]:
    """Add a function to `TASKS`."""

    def add(run: Callable) -> Callable:
        TASKS.append(Task(kind, run.__name__.replace("_", " "), run, data, tolerance))
        return run

    return add


def numbers(*shape: int, seed: int = 0, positive: bool = False) -> numpy.ndarray:
    """Return normal numbers, or their magnitudes and a little more."""
    found = numpy.random.default_rng(seed).standard_normal(shape)
    return abs(found) + 0.1 if positive else found
