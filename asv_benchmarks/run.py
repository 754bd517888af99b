"""Runs a case with every library: makes the inputs, checks the results, takes the times."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Self

import numpy as np

from . import limits
from .cases import Case
from .cases.case import Operand
from .libraries import Library, Program, Unsupported
from .timing import Effort, Runner, median_ratio, take_turns

# Relative to the largest number of a result, by the size of a real number.
TOLERANCE = {4: 2e-4, 8: 1e-9}


@dataclass
class Result:
    """The times of a case, and what it takes at least."""

    name: str
    group: str
    operation: str
    label: str
    dtype: str
    layout: str
    size: int
    read: int = 0
    written: int = 0
    multiply_adds: float = 0.0
    #: Seconds that moving the bytes of a large case takes, measured in turns with the libraries.
    memory: float = 0.0
    #: Least seconds of one call, by library.
    seconds: dict[str, float] = field(default_factory=dict)
    #: Seconds of the first call, in which some libraries compile.
    first: dict[str, float] = field(default_factory=dict)
    #: Median over rounds of a library's time divided by Corepy's: how often Corepy is faster.
    speedups: dict[str, float] = field(default_factory=dict)
    #: Libraries that could not do it, and why; Corepy's is an error of the run.
    missing: dict[str, str] = field(default_factory=dict)
    #: Libraries whose result was not the first peer's, and how it differed.
    wrong: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, case: Case) -> Self:
        """Return an empty result of a case."""
        return cls(
            case.name, case.group, case.operation, case.label, case.dtype, case.layout, case.size,
            multiply_adds=case.multiply_adds,
        )  # fmt: skip

    def set_times(
        self, times: dict[str, list[float]], typical: Callable[[list[float]], float]
    ) -> None:
        """Enter the times of all rounds, by library."""
        self.seconds = {name: typical(each) for name, each in times.items()}
        if "corepy" in times:
            self.speedups = {
                name: median_ratio(times["corepy"], each)
                for name, each in times.items()
                if name != "corepy"
            }

    def as_dict(self) -> dict:
        """Return everything as JSON can hold it."""
        return asdict(self)

    @property
    def errors(self) -> list[str]:
        """What makes the run a failure."""
        found = [f"{self.name}: {library}: {text}" for library, text in self.wrong.items()]
        if "corepy" in self.missing:
            found.append(f"{self.name}: corepy: {self.missing['corepy']}")
        return found


def run_case(case: Case, libraries: list[Library], effort: Effort, threads: int) -> Result:
    """Time a case with Corepy and its peers; those that compute something else get no time.

    Large cases are also compared with the memory bandwidth of so many threads, unless these are 0.
    """
    result = Result.of(case)
    runners = prepared(case, libraries, result)
    large = case.size >= limits.LARGE and result.read + result.written > 0
    held = threads > 0 and "corepy" in runners and large
    if held:
        runners["memory"] = limits.MemoryRunner(result, threads)
    times = dict(zip(runners, take_turns(list(runners.values()), effort), strict=True))
    if held:
        memory = times.pop("memory")
        result.memory = min(times["corepy"]) * median_ratio(times["corepy"], memory)
    result.set_times(times, min)
    return result


def prepared(
    case: Case, libraries: list[Library], result: Result, checked: bool = True
) -> dict[str, Runner]:
    """Run a case once with each library; return what times those that are right, Corepy first.

    What is found out is written to `result`. Unless they are `checked`, results are not compared.
    """
    operands = case.operands()
    programs: dict[str, Program] = {}
    expected: list[np.ndarray] = []
    # The first peer's result is what the others' are compared with.
    for library in [*libraries[1:], libraries[0]]:
        try:
            program = library.program(case, operands)
            start = time.perf_counter()
            value = program.result()
            result.first[library.name] = time.perf_counter() - start
            values = arrays_of(value, library) if checked else several(value)
            del value
        except Unsupported:
            continue
        except Exception as error:
            result.missing[library.name] = f"{type(error).__name__}: {error}"[:200]
            continue
        if not expected:
            result.read, result.written = traffic(case, operands, values)
        if not checked:
            del values  # its memory may be most of the device's
        elif not expected:
            expected = values
        elif difference := compare(
            case, operands, values, expected, exact_dtypes=library.name == "corepy"
        ):
            result.wrong[library.name] = difference
            continue
        programs[library.name] = program
    # Corepy goes first; the order rotates from round to round.
    return {
        library.name: Runner(
            programs[library.name].statement,
            programs[library.name].names,
            programs[library.name].setup,
            None if library.device == "cpu" else library.synchronize,
        )
        for library in libraries
        if library.name in programs
    }


def several(value: Any) -> Sequence[Any]:
    """Return the results in what a case returned: one, or those of a tuple."""
    return value if isinstance(value, (tuple, list)) else [value]


def arrays_of(value: object, library: Library) -> list[np.ndarray]:
    """Return a result as ndarrays: one, or those of a tuple."""
    return [library.to_numpy(each) for each in several(value)]


def traffic(case: Case, operands: dict[str, Operand], results: Iterable[Any]) -> tuple[int, int]:
    """Return how many bytes are read and written at least: each input and each result once."""
    inputs = {name: operand.values.nbytes for name, operand in operands.items()}
    if case.writes and "x" in inputs:
        written = inputs["x"]
        if "x[...]" in case.code:  # overwritten whole, whatever there was
            inputs["x"] = 0
        return sum(inputs.values()), written
    return sum(inputs.values()), sum(result.nbytes for result in results)


def compare(
    case: Case,
    operands: dict[str, Operand],
    found: list[np.ndarray],
    expected: list[np.ndarray],
    exact_dtypes: bool = False,
) -> str:
    """Say how a result differs from the expected one; nothing if it does not."""
    if len(found) != len(expected):
        return f"{len(found)} arrays instead of {len(expected)}"
    if case.check == "order":
        values = eval(operands["x"].view.format("x"), {"x": operands["x"].values})
        found, expected = [values[found[0]]], [values[expected[0]]]
    elif case.check == "set":
        found, expected = [np.sort(found[0])], [np.sort(expected[0])]
    for actual, wanted in zip(found, expected, strict=True):
        if exact_dtypes and case.check != "shape" and actual.dtype != wanted.dtype:
            return f"dtype {actual.dtype} instead of {wanted.dtype}"
        if text := difference(actual, wanted, elements=case.check != "shape"):
            return text
    return ""


def difference(
    actual: np.ndarray, wanted: np.ndarray, tolerance: float | None = None, elements: bool = True
) -> str:
    """Say how an array differs from the one wanted, in shape or by more than the tolerance.

    That is relative to the largest element; None takes what is usual for the precision.
    """
    if actual.shape != wanted.shape:
        return f"shape {actual.shape} instead of {wanted.shape}"
    if not elements:
        return ""
    if wanted.dtype.kind in "fc" and actual.dtype.kind in "fc":
        size = min(np.finfo(each.dtype).dtype.itemsize for each in (actual, wanted))
        finite = wanted[np.isfinite(wanted)]
        scale = float(np.max(np.abs(finite))) if finite.size else 1.0
        tolerance = TOLERANCE[size] if tolerance is None else tolerance
        same = np.isclose(actual, wanted, tolerance, tolerance * scale, equal_nan=True)
    else:
        same = actual == wanted
    if np.all(same):
        return ""
    place = tuple(int(index[0]) for index in np.nonzero(np.atleast_1d(~same)))
    count = int(np.count_nonzero(~same))
    return (
        f"{count} of {wanted.size} elements are wrong, the first at {place}: "
        f"{np.atleast_1d(actual)[place]} instead of {np.atleast_1d(wanted)[place]}"
    )
