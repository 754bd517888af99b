"""Floating-point errors: `errstate`, `seterr` and `geterr`.

They are ignored from the start, where NumPy warns. Operations of Corepy's kernels are computed
twice where they are not ignored: by NumPy first, which warns or raises.
"""

from __future__ import annotations

from contextlib import ContextDecorator
from typing import Any, Literal

import numpy as np

from corepy._cython.lazy.errors import errors, set_errors

__all__ = ["errstate", "geterr", "seterr"]

Treatment = Literal["ignore", "warn", "raise", "call", "print", "log"]

IGNORED: dict[str, Treatment] = dict.fromkeys(("divide", "over", "under", "invalid"), "ignore")


def geterr() -> dict[str, Treatment]:
    """Return how floating-point errors are treated. See `numpy.geterr`."""
    return dict(errors() or IGNORED)


def seterr(
    all: Treatment | None = None,
    divide: Treatment | None = None,
    over: Treatment | None = None,
    under: Treatment | None = None,
    invalid: Treatment | None = None,
) -> dict[str, Treatment]:
    """Set how floating-point errors are treated, and return the former. See `numpy.seterr`."""
    given = {"divide": divide, "over": over, "under": under, "invalid": invalid}
    old = geterr()
    np.seterr(all=all, **given)  # for what NumPy computes
    settings = {name: value or all or old[name] for name, value in given.items()}
    set_errors(None if settings == IGNORED else settings)
    return old


class errstate(ContextDecorator):
    """Treat floating-point errors otherwise in a block or a function. See `numpy.errstate`."""

    def __init__(self, **settings: Any) -> None:
        self._settings = settings
        self._numpys = np.errstate(**settings)  # for what NumPy computes, and its checks

    def _recreate_cm(self) -> errstate:
        return errstate(**self._settings)

    def __enter__(self) -> None:
        self._numpys.__enter__()
        self._before = errors()
        seterr(**{name: value for name, value in self._settings.items() if name != "call"})

    def __exit__(self, *raised: Any) -> None:
        set_errors(self._before)
        self._numpys.__exit__(*raised)
