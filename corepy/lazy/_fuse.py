"""`fuse`: where operations are deferred."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from types import TracebackType
from typing import Any, TypeVar

from corepy._config import leave
from corepy._cython.lazy import recorder, settings

F = TypeVar("F", bound=Callable[..., Any])


class fuse:
    """Defer operations, in a ``with`` block or in a function.

    ``with corepy.fuse():`` defers elementwise operations, selections, casts and reductions of large
    tensors until the results are read; at the end of the outermost block those that are still
    referred to are computed. If an exception leaves the block, nothing is computed: pending results
    are computed when they are read. ``@corepy.fuse`` runs each call of a function in such a block,
    or each resumption of a generator or coroutine.

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
        return super().__new__(cls) if function is None else _fused(function)

    def __init__(self) -> None:
        self._entered: list[Any] = []

    def __enter__(self) -> fuse:
        settings.enter_fuse(self._entered)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        scope = settings.current_scope()
        if not settings.leave_fuse(self._entered):
            leave(self._entered)
        if kind is None and scope and settings.current_scope() != scope:
            recorder.compute_scope(scope)


def _fused(function: F) -> F:
    """Return a function whose calls, or resumptions, are in a block of `fuse`."""
    if not callable(function):
        raise TypeError(f"fuse: expected a function, got {type(function).__name__}")
    if inspect.isgeneratorfunction(function):

        @functools.wraps(function)
        def generator(*args: Any, **kwargs: Any) -> Any:
            return (yield from _resumed(function(*args, **kwargs)))

        return generator  # type: ignore[return-value]
    if inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def coroutine(*args: Any, **kwargs: Any) -> Any:
            return await _Awaited(function(*args, **kwargs))

        return coroutine  # type: ignore[return-value]
    if inspect.isasyncgenfunction(function):
        raise TypeError("fuse: asynchronous generators are not supported; use a with block")

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        with fuse():
            return function(*args, **kwargs)

    return call  # type: ignore[return-value]


class _Awaited:
    """An awaitable that resumes a coroutine in blocks of `fuse`."""

    def __init__(self, coroutine: Any) -> None:
        self.coroutine = coroutine

    def __await__(self) -> Any:
        return (yield from _resumed(self.coroutine))


def _resumed(inner: Any) -> Any:
    """Run a generator or coroutine, each resumption in a block of `fuse`."""
    resume, value = inner.send, None
    while True:
        with fuse():
            try:
                result = resume(value)
            except StopIteration as stop:
                return stop.value
        try:
            value = yield result
            resume = inner.send
        except GeneratorExit:
            with fuse():
                inner.close()
            raise
        except BaseException as error:
            resume, value = inner.throw, error
