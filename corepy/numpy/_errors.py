"""Floating-point errors: `errstate`, `seterr` and `geterr`.

They are ignored from the start, where NumPy warns. Operations of Corepy's kernels are computed
twice where they are not ignored: by NumPy first, which warns or raises.
"""

from __future__ import annotations

from contextlib import ContextDecorator
from contextvars import ContextVar
from typing import Any, Literal

import numpy as np

from corepy._cython.lazy.errors import errors, set_errors

__all__ = ["errstate", "geterr", "seterr"]

Treatment = Literal["ignore", "warn", "raise", "call", "print", "log"]

IGNORED: dict[str, Treatment] = dict.fromkeys(("divide", "over", "under", "invalid"), "ignore")

#: NumPy's settings, which are others than Corepy's from the start, before `seterr` changed them.
_NUMPYS: ContextVar[Any] = ContextVar("_NUMPYS", default=None)


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
    before = _NUMPYS.get()
    if all is None and given == IGNORED and before is not None:  # ``seterr(**old)``
        np.seterr(**before)
        _NUMPYS.set(None)
    else:
        if errors() is None and before is None:
            _NUMPYS.set(np.geterr())
        np.seterr(all=all, **given)  # for what NumPy computes
    _set(all=all, **given)
    return old


def _set(all: Treatment | None = None, **given: Treatment | None) -> None:
    """Set how errors of Corepy's kernels are treated."""
    settings = {name: given.get(name) or all or value for name, value in geterr().items()}
    set_errors(None if settings == IGNORED else settings)


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
        _set(**{name: value for name, value in self._settings.items() if name != "call"})

    def __exit__(self, *raised: Any) -> None:
        set_errors(self._before)
        self._numpys.__exit__(*raised)
