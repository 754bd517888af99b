"""Measurements: the shortest of several runs, those of what is compared taking turns."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from corepy._config import config
from corepy.backend import Backend

_REPEATS = 7


def shortest(
    functions: Sequence[Callable[[], object]], seconds: float, repeats: int = _REPEATS
) -> list[float]:
    """Return the seconds that one call of each function takes.

    Parameters
    ----------
    functions : sequence of callables
        What is measured; the functions take turns, so that other work on the machine meets all.
    seconds : float
        How long all runs of a function may take together, about.
    repeats : int, optional
        How many runs of several calls there are of each.
    """
    best = [float("inf")] * len(functions)
    with config(fusion=False):  # or operations whose results nobody reads would not be computed
        counts = [_calls(function, seconds / repeats) for function in functions]
        for _ in range(repeats):
            for place, (function, count) in enumerate(zip(functions, counts, strict=True)):
                best[place] = min(best[place], _run(function, count) / count)
    return best


def waited(function: Callable[[], object], backend: Backend) -> Callable[[], object]:
    """Return a function that also waits for the devices of a backend."""

    def call() -> None:
        function()
        backend.synchronize()

    return call


def _calls(function: Callable[[], object], seconds: float) -> int:
    """Return how many calls take that long."""
    count, taken = 1, _run(function, 1)
    taken = min(taken, _run(function, 1))  # the first call has to load or to compile something
    while taken < seconds / 8 and count < 10**6:
        count *= 4
        taken = _run(function, count)
    return max(1, int(count * seconds / max(taken, 1e-9)))


def _run(function: Callable[[], object], count: int) -> float:
    begin = time.perf_counter()
    for _ in range(count):
        function()
    return time.perf_counter() - begin
