"""matplotlib: arrays of colours and widths of stream lines.

``Axes.streamplot`` asks whether ``color`` and ``linewidth`` are instances of `numpy.ndarray`, takes
others for one colour, and has no entry point for this. It is called with arrays of NumPy's.
Tested with matplotlib 3.11.
"""

from __future__ import annotations

from corepy.integrations import preparing

COMPLETE = {
    "matplotlib.axes._axes": preparing(
        ("Axes.streamplot", 6, "linewidth"), ("Axes.streamplot", 7, "color")
    ),
}
