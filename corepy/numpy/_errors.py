"""Floating-point errors: `errstate`, `seterr` and `geterr`.

They are ignored from the start, where NumPy warns. Operations of Corepy's kernels are computed
twice where they are not ignored: by NumPy first, which warns or raises.
"""

from __future__ import annotations

from contextlib import ContextDecorator
from typing import Any, Literal, cast

import numpy as np

from corepy._cython.lazy.errors import IGNORED, ErrorBlock, errors, set_errors

__all__ = ["errstate", "geterr", "seterr"]

Treatment = Literal["ignore", "warn", "raise", "call", "print", "log"]


class _Ignored(str):
    """An error that Corepy's kernels ignore, and NumPy does not, so that ``seterr(**geterr())``
    changes neither.
    """

    native: Treatment


def _treatment(ours: Treatment, native: Treatment) -> Treatment:
    if ours != "ignore" or native == "ignore":
        return ours
    treatment = _Ignored(ours)
    treatment.native = native
    return cast("Treatment", treatment)


def geterr() -> dict[str, Treatment]:
    """Return how floating-point errors are treated. See `numpy.geterr`."""
    ours, native = errors() or IGNORED, cast("dict[str, Treatment]", np.geterr())
    return {name: _treatment(ours[name], native[name]) for name in IGNORED}


def seterr(
    all: Any = None, divide: Any = None, over: Any = None, under: Any = None, invalid: Any = None
) -> dict[str, Treatment]:
    """Set how floating-point errors are treated, and return the former. See `numpy.seterr`."""
    given = {"divide": divide, "over": over, "under": under, "invalid": invalid}
    old = geterr()
    np.seterr(all=all, **_for_numpy(given))  # for what NumPy computes
    set_errors({"all": all, **given})
    return old


def _for_numpy(settings: dict[str, Any]) -> dict[str, Any]:
    return {name: getattr(value, "native", value) for name, value in settings.items()}


class errstate(ErrorBlock, ContextDecorator):
    """Treat floating-point errors otherwise in a block or a function. See `numpy.errstate`."""

    def __init__(self, **settings: Any) -> None:
        self._settings = settings
        super().__init__(settings, np.errstate(**_for_numpy(settings)))

    def _recreate_cm(self) -> errstate:
        return errstate(**self._settings)
