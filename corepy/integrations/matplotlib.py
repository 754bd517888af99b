"""matplotlib: arrays of colours and widths of stream lines.

``Axes.streamplot`` asks whether ``color`` and ``linewidth`` are instances of `numpy.ndarray`, takes
others for one colour, and has no entry point for this. It is called with arrays of NumPy's.
Tested with matplotlib 3.11.
"""

from __future__ import annotations

from types import ModuleType

from corepy.integrations import as_numpy, prepare


def _add_stream_lines(axes: ModuleType) -> None:
    prepare(axes.Axes, "streamplot", as_numpy, 6, "linewidth")
    prepare(axes.Axes, "streamplot", as_numpy, 7, "color")


COMPLETE = {"matplotlib.axes._axes": _add_stream_lines}
