"""`fuse`: where operations are deferred."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from corepy._config import within
from corepy._cython.lazy.recorder import FuseBlock

F = TypeVar("F", bound=Callable[..., Any])


class fuse(FuseBlock):
    """Defer operations, in a ``with`` block or in a function.

    ``with corepy.fuse():`` defers elementwise operations, selections, casts and reductions of large
    tensors until the results are read, on GPUs too, and where ``fusion=False`` is set outside; at
    the end of the outermost block those that are still referred to are computed. If an exception
    leaves the block, nothing is computed: pending results are computed when they are read.
    ``@corepy.fuse`` or ``@corepy.fuse()`` runs each call of a function in such a block, or each
    resumption of a generator or coroutine.

    Results, errors and their order are the same as without it. Operations on memory that other
    objects can write to (by NumPy, DLPack or the buffer protocol) are not deferred.

    Parameters
    ----------
    function : callable, optional
        The function to decorate.

    See Also
    --------
    config : ``fusion`` is the setting for a whole program, ``fusion_threshold`` the number of
        elements from which on operations are deferred.

    Examples
    --------
    >>> import corepy as np
    >>> x = np.linspace(0, 1, 1_000_001)
    >>> with np.fuse():
    ...     y = 2 * x**3 - x + 1
    >>> float(y[-1])
    2.0
    """

    def __new__(cls, function: Callable[..., Any] | None = None) -> Any:
        return FuseBlock.__new__(cls) if function is None else cls()(function)

    def __call__(self, function: F) -> F:
        """Return a function whose calls, or resumptions, are in this block."""
        return within(self, function, "fuse")
