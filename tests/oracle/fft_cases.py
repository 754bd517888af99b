"""Rows for the fft extension."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from . import inputs
from .case import Case
from .compare import Check, close, exact
from .inputs import COMPLEX, FLOAT, REAL_FLOAT, Call, Draw, arrays, call, moderate

CASES: list[Case] = []
NORMS = st.sampled_from(["backward", "ortho", "forward"])


def check(actual: Any, expected: Any, made: Call) -> None:
    # A transform may be padded to more elements than its argument has.
    close(factor=64.0)(actual, expected, made)


def row(name: str, dtypes: tuple[str, ...], arguments: Any, checked: Check = check) -> None:
    CASES.append(Case(f"fft.{name}", dtypes, arguments, checked))


def along_axis(least: int) -> Any:
    """One axis, `least` elements of it or more, possibly cut or padded to n."""

    def arguments(draw: Draw, dtype: str) -> Call:
        shape = draw(inputs.shapes(min_dims=1, min_side=least, max_side=6))
        made = call(arrays(draw, dtype, shape, moderate(100.0)), norm=draw(NORMS))
        if draw(st.booleans()):
            made.kwargs["axis"] = draw(st.integers(-len(shape), len(shape) - 1))
        if draw(st.booleans()):
            made.kwargs["n"] = draw(st.integers(1, 8))
        return made

    return arguments


def along_axes(draw: Draw, dtype: str) -> Call:
    """Several axes, possibly cut or padded to s."""
    shape = draw(inputs.shapes(min_dims=1, min_side=2, max_side=5))
    made = call(arrays(draw, dtype, shape, moderate(100.0)), norm=draw(NORMS))
    if draw(st.booleans()):
        axes = draw(inputs.xps.valid_tuple_axes(len(shape), min_size=1))
        made.kwargs["axes"] = axes
        if draw(st.booleans()):
            made.kwargs["s"] = tuple(draw(st.integers(2, 7)) for _ in axes)
    return made


def shift(draw: Draw, dtype: str) -> Call:
    x = arrays(draw, dtype, draw(inputs.shapes(min_dims=1)))
    axes = draw(st.none() | st.integers(-x.ndim, x.ndim - 1) | inputs.xps.valid_tuple_axes(x.ndim))
    return call(x, axes=axes)


def frequencies(draw: Draw, dtype: str) -> Call:
    kwargs: dict[str, Any] = {"d": draw(st.sampled_from([1.0, 0.5, 3.0, -0.25, 0.1]))}
    if dtype == "float32" or draw(st.booleans()):
        kwargs["dtype"] = np.dtype(dtype)
    return Call((draw(st.integers(1, 9)),), kwargs)


row("fft", COMPLEX, along_axis(1))
row("ifft", COMPLEX, along_axis(1))
row("rfft", REAL_FLOAT, along_axis(1))
row("irfft", COMPLEX, along_axis(2))
row("hfft", COMPLEX, along_axis(2))
row("ihfft", REAL_FLOAT, along_axis(1))
row("fftn", COMPLEX, along_axes)
row("ifftn", COMPLEX, along_axes)
row("rfftn", REAL_FLOAT, along_axes)
row("irfftn", COMPLEX, along_axes)
row("fftshift", FLOAT, shift, exact)
row("ifftshift", FLOAT, shift, exact)
row("fftfreq", REAL_FLOAT, frequencies)
row("rfftfreq", REAL_FLOAT, frequencies)
