"""The same program with NumPy and with Corepy: results, times, and a figure with both times."""

from __future__ import annotations

import base64
import statistics
import time
from collections.abc import Callable
from typing import Any

import matplotlib.pyplot as plt
import numpy

import corepy

MOST_RUNS, FEWEST_RUNS, SECONDS = 15, 3, 1.5
NUMPY, COREPY = "#9aa5b1", "#1f6fb2"
STYLE = {
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 10,
    "figure.dpi": 130,
    "font.size": 9,
    "image.cmap": "magma",
    "legend.frameon": False,
}


class Times(dict[str, float]):
    """The median time of each program, in seconds; the first is what others are compared with."""

    def __str__(self) -> str:
        first, width = next(iter(self.values())), max(map(len, self))
        lines = [f"{name:<{width}} {text_of(seconds):>9}" for name, seconds in self.items()]
        speeds = [f", {first / seconds:.2g} times the speed" for seconds in self.values()]
        return "\n".join([lines[0], *map(str.__add__, lines[1:], speeds[1:])])


class Drawing(str):
    """An SVG document that a notebook or the gallery shows."""

    def _repr_html_(self) -> str:
        data = base64.b64encode(self.encode()).decode()
        return f'<img alt="plan" src="data:image/svg+xml;base64,{data}">'


def text_of(seconds: float) -> str:
    """Return a time with three digits and its unit."""
    for unit, factor in (("s", 1), ("ms", 1e3)):
        if seconds * factor >= 1:
            return f"{seconds * factor:#.3g}".rstrip(".") + f" {unit}"
    return f"{seconds * 1e6:#.3g}".rstrip(".") + " µs"


def finished(results: Any) -> tuple[Any, ...]:
    """Return the results of a program as a tuple, after all deferred operations in it."""
    found = results if isinstance(results, tuple) else (results,)
    corepy.compute(*(each for each in found if isinstance(each, corepy.Tensor)))
    return found


def in_turn(programs: dict[str, Callable[[], Any]]) -> Times:
    """Run programs in turn, several times, and return the median time of each."""
    seconds: dict[str, list[float]] = {name: [] for name in programs}
    begin = time.perf_counter()
    for number in range(MOST_RUNS):
        if number >= FEWEST_RUNS and time.perf_counter() - begin > SECONDS:
            break
        for name, program in programs.items():
            start = time.perf_counter()
            finished(program())
            seconds[name].append(time.perf_counter() - start)
    return Times((name, statistics.median(each)) for name, each in seconds.items())


def compare(
    program: Callable[..., Any], inputs: Callable[[Any], tuple[Any, ...]], tolerance: float = 1e-9
) -> tuple[Any, Times]:
    """Run ``program(np, *inputs(np))`` with NumPy and with Corepy as `np`, compare and measure.

    Returns the results of Corepy as arrays of NumPy, and the times; prints the times and the
    largest difference. A result that differs by more than `tolerance`, relative to the largest
    element, is an AssertionError.
    """
    theirs, mine = inputs(numpy), inputs(corepy)
    expected, found = finished(program(numpy, *theirs)), finished(program(corepy, *mine))
    difference = check(found, expected, tolerance)
    times = in_turn(
        {
            "NumPy": lambda: program(numpy, *theirs),
            "Corepy": lambda: program(corepy, *mine),
        }
    )
    print(times)
    print(f"The results agree with NumPy's: the largest relative difference is {difference:.1e}.")
    arrays = [*map(numpy.asarray, found)]
    return arrays[0] if len(arrays) == 1 else arrays, times


def check(found: tuple[Any, ...], expected: tuple[Any, ...], tolerance: float) -> float:
    """Return the largest difference, relative to the largest element of each result.

    It is an AssertionError if that is above the tolerance.
    """
    largest = 0.0
    for mine, theirs in zip(found, expected, strict=True):
        mine, theirs = numpy.asarray(mine, dtype=float), numpy.asarray(theirs, dtype=float)
        scale = numpy.max(numpy.abs(theirs)) or 1.0
        numpy.testing.assert_allclose(mine / scale, theirs / scale, rtol=0, atol=tolerance)
        largest = max(largest, float(numpy.max(numpy.abs(mine - theirs))) / scale)
    return largest


def figure(times: Times, columns: int = 1, height: float = 3.4, **options: Any) -> Any:
    """Return axes in a row, of a figure that shows the times below them.

    `options` are those of `matplotlib.figure.Figure.subplots`.
    """
    plt.rcParams.update(STYLE)
    strip = 0.3 + 0.25 * len(times)
    whole = plt.figure(figsize=(8, height + strip), layout="constrained")
    whole.get_layout_engine().set(h_pad=0.08, w_pad=0.08)
    above, below = whole.subfigures(2, 1, height_ratios=(height, strip))
    axes = above.subplots(1, columns, **options)
    bars = below.subplots()
    shown = bars.barh(
        [*times], [*times.values()], color=[NUMPY, *[COREPY] * len(times)], height=0.7
    )
    bars.bar_label(shown, [text_of(each) for each in times.values()], padding=4)
    bars.invert_yaxis()
    bars.margins(x=0.12)
    bars.spines[:].set_visible(False)
    bars.tick_params(bottom=False, left=False, labelbottom=False)
    return axes


def show(axes: Any, image: Any, title: str, **options: Any) -> Any:
    """Show an image without scales; `options` are those of `imshow`, whose result is returned."""
    axes.set(title=title, xticks=[], yticks=[])
    axes.spines[:].set_visible(False)
    return axes.imshow(image, **options)
