"""The table of operations that are computed chunk by chunk, and warnings of those that gather."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

import dask.array as da

from corepy.backend.dask import graphs

F = TypeVar("F", bound=Callable[..., Any])


#: The operations that are computed chunk by chunk; all others have a method of the backend. For
#: each a function of arrays of Dask, and whether it is given the dtype and shape of the result.
FUNCTIONS: dict[str, tuple[Callable[..., Any], bool]] = {}


def implements(*operations: str, named: bool = False, result: bool = True) -> Callable[[F], F]:
    """Enter a function in `FUNCTIONS`.

    Parameters
    ----------
    *operations : str
        The operations that it computes.
    named : bool, optional
        Whether the name of the operation is its first argument.
    result : bool, optional
        Whether dtype and shape of the result come before the operation's arguments; a list of them
        if it has several results.
    """

    def enter(function: F) -> F:
        for name in operations:
            FUNCTIONS[name] = partial(function, name) if named else function, result
        return function

    return enter


_MATRIX = "a matrix in several chunks; stacks of matrices are computed in chunks of whole ones"
_WIDE = "a matrix in several chunks that is not tall; tall ones are computed by chunks of rows"
_AXIS = "an axis in several chunks, if there is no other axis to divide"

#: Operations that may need a whole operand in one task -> which operands.
GATHERED = {
    "setitem": "integer arrays as indices",
    "take_along_axis": _AXIS,
    "unique_all": "several chunks",
    "unique_counts": "several chunks of complex numbers",
    "unique_inverse": "several chunks",
    "unique_values": "several chunks of complex numbers",
    "argsort": "an axis in several chunks of an array with other axes, all of size 1",
    "sort": "an axis in several chunks of an array with other axes, all of size 1",
    **{f"fft.{name}": _AXIS for name in "fft hfft ifft ihfft irfft rfft".split()},
    **{
        f"linalg.{name}": _MATRIX
        for name in "cholesky det eig eigh eigvals eigvalsh inv slogdet solve".split()
    },
    "linalg.matrix_norm": f"{_WIDE}; orders 2, -2 and 'nuc' only",
    "linalg.matrix_rank": _WIDE,
    "linalg.pinv": _WIDE,
    "linalg.qr": f"{_WIDE}; also with mode='complete'",
    "linalg.svd": f"{_WIDE}, with full_matrices=False",
    "linalg.svdvals": _WIDE,
}

#: (operation, reason) of the warnings that were given.
_warned: set[tuple[str, str]] = set()


def warn(operation: str, what: str, nbytes: int, text: str) -> None:
    """Warn once of an operation that gathers or computes."""
    if (operation, what) in _warned:
        return
    _warned.add((operation, what))
    warnings.warn(f"{operation}: {nbytes:,} bytes {text}", RuntimeWarning, stacklevel=3)


def warn_gathered(operation: str, arrays: Sequence[da.Array]) -> None:
    """Warn that arrays of several chunks become one."""
    nbytes = sum(int(x.nbytes) for x in arrays if x.npartitions > 1)
    if nbytes:
        assert operation in GATHERED, operation
        warn(operation, "gather", nbytes, "are gathered in one task of Dask")


def warn_computed(operation: str, arrays: Sequence[da.Array]) -> None:
    """Warn that arrays are computed at the call."""
    nbytes = sum(int(x.nbytes) for x in arrays if graphs.known(x) is None)
    if nbytes:
        warn(
            operation,
            "compute",
            nbytes,
            "are computed now, because the size of the result depends on them",
        )
