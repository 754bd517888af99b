"""Interleaved timing: libraries take turns, so that other load affects all of them.

A turn begins with some calls that are not timed. They wake the library's threads, load its data
into the caches, restore a steady state of memory after other libraries, and return the processor to
its full speed (after 30 idle ms a sum of 80 MB takes twice its time, and 20 ms of work until it is
as fast as before). All turns have about the same length; the order of libraries changes from round
to round. After a turn the process waits for its threads: PyTorch's spin for milliseconds after a
parallel operation, and OpenBLAS's for a tenth of a second, which would slow the next library. A
time is the least of all rounds; a ratio of two libraries is the median of the rounds' ratios, which
a disturbance of some rounds does not change.
"""

from __future__ import annotations

import statistics
import time
import timeit
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

# Calls before those that are timed. Beside a library that returns 80 MB to the system after each
# operation, and faults them in again at the next, it takes three until times are steady.
UNTIMED = 3
# Seconds of such calls where the process has come to rest before.
WARM = 0.02
# From so many seconds on an operation is large: it may start threads, which must come to rest.
PARALLEL = 20e-6

# Seconds between looks at whether threads are still spinning: systems bring the processor time of
# other threads up to date every 4 or 10 ms. After PATIENCE the wait ends.
LOOK = 0.012
PATIENCE = 0.3


def wait_for_threads() -> None:
    """Wait until no thread of the process computes any more."""
    for _ in range(round(PATIENCE / LOOK)):
        before = time.process_time()
        time.sleep(LOOK)
        if time.process_time() - before < LOOK / 4:
            return


@dataclass
class Runner:
    """One library's statement, ready to be timed."""

    statement: str
    names: dict
    setup: str = "pass"
    synchronize: Callable[[], None] | None = None
    timer: timeit.Timer = field(init=False)
    number: int = 1
    once: float = 0.0

    def __post_init__(self) -> None:
        self.timer = timeit.Timer(self.statement, self.setup, globals=self.names)

    def seconds(self, number: int) -> float:
        """Time `number` calls, all that they started included."""
        if self.synchronize is None:
            return self.timer.timeit(number)
        start = time.perf_counter()
        self.timer.timeit(number)
        self.synchronize()
        return time.perf_counter() - start

    def calibrate(self, turn: float) -> None:
        """Find how many calls fill a turn."""
        number, taken = 1, self.seconds(1)  # the first call may compile, or start threads
        taken = self.seconds(1)
        while taken < turn / 4 and number < 1_000_000:
            number = min(max(2 * number, int(number * turn / 2 / max(taken, 1e-9))), 16 * number)
            taken = self.seconds(number)
        self.once = taken / number
        self.number = max(1, round(turn / self.once))

    def turn(self) -> float:
        """Return the seconds of one call, from one turn."""
        # A device's work is over when it has been waited for.
        parallel = self.once > PARALLEL and self.synchronize is None
        untimed = UNTIMED if self.once < WARM else 1
        self.seconds(max(untimed, round(WARM / self.once)) if parallel else untimed)
        taken = self.seconds(self.number) / self.number
        if parallel:
            wait_for_threads()
        return taken


@dataclass(frozen=True)
class Effort:
    """How much time a case may take: seconds, seconds of a turn, and bounds on the rounds."""

    budget: float = 1.2
    turn: float = 0.004
    least: int = 5
    most: int = 61


FULL = Effort()
QUICK = Effort(budget=0.2, turn=0.001, least=3, most=15)


def take_turns(runners: list[Runner], effort: Effort) -> list[list[float]]:
    """Return each runner's seconds for one call, round by round."""
    for runner in runners:
        runner.calibrate(effort.turn)
    start = time.perf_counter()
    for runner in runners:
        runner.turn()
    a_round = time.perf_counter() - start
    rounds = min(max(int(effort.budget / a_round), effort.least), effort.most)
    return in_turns([runner.turn for runner in runners], rounds)


def in_turns(measures: Sequence[Callable[[], float]], rounds: int) -> list[list[float]]:
    """Return what each measures, round by round; who goes first changes."""
    found: list[list[float]] = [[] for _ in measures]
    order = list(range(len(measures)))
    for each in range(rounds):
        shift = each % max(1, len(order))
        for which in order[shift:] + order[:shift]:
            found[which].append(measures[which]())
    return found


def median_ratio(ours: Iterable[float], theirs: Iterable[float]) -> float:
    """Return how many times as long theirs took, as the median over rounds."""
    return statistics.median(b / a for a, b in zip(ours, theirs, strict=True))
