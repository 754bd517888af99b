"""Settings of the process and of the current context."""

from __future__ import annotations

import functools
import inspect
import os
import sys
import warnings
from collections.abc import Callable
from typing import Any, Literal, TypeVar, get_args

from corepy._cython.core import Device, as_device
from corepy._cython.settings import Block, is_default, set_defaults, setting
from corepy._environment import DEFAULTS, VARIABLES

F = TypeVar("F", bound=Callable[..., Any])

CrossDevice = Literal["raise", "convert", "smaller"]
Fallback = Literal["warn", "silent", "error"]
CheckIndices = Literal["later", "now"]
SharedMemory = Literal["variable", "constant"]

#: Settings that are one of some words, with the words.
_CHOICES: dict[str, tuple[str, ...]] = {
    "cross_device": get_args(CrossDevice),
    "fallback": get_args(Fallback),
    "check_indices": get_args(CheckIndices),
    "shared_memory": get_args(SharedMemory),
}

#: The settings that `set_config` has set.
_set: set[str] = set()


class config(Block):
    """Change settings in a ``with`` block or a function.

    ``with corepy.config(...):`` changes the current context alone (see `contextvars`): other
    threads and asyncio tasks that run meanwhile do not see it, and neither does a thread that is
    started in the block. Tasks that are created in the block do, as they copy the context.
    ``@corepy.config(...)`` runs each call of a function in such a block, or each resumption of a
    generator or coroutine.

    Parameters
    ----------
    cross_device : {"raise", "convert", "smaller"}, optional
        What happens when operands are on different devices: an error that names both (the
        default), a move to the device of the first operand, or a move of the smaller operands to
        the device of the largest. None leaves the setting as it is.
    fallback : {"warn", "silent", "error"}, optional
        What happens when a backend does not have an operation, or not for the dtype of its
        operands: the next backend that has it computes it, and the result is moved back, with one
        warning for each operation (the default) or without; or an error. See
        `corepy.set_backend_priority`.
    check_indices : {"later", "now"}, optional
        When an index of an array of indices that is out of range is an error on a GPU, in `take`,
        `take_along_axis` and ``x[i]``: at the next operation that waits for the device (the
        default), or at the call, which then waits. On the CPU it is always at the call.
    check_results : bool, optional
        Whether dtype and shape of each result of a backend that is written in Python are compared
        with `corepy.backend.infer`; a difference is an error that names the backend. By default
        they are not.
    fusion : bool, optional
        Whether operations on tensors in host memory are deferred and computed in chains; see
        `corepy.fuse`. By default they are, unless the environment has ``COREPY_FUSION=0``.
    fusion_threshold : int or "automatic", optional
        The number of elements from which on an operation is deferred; 0: all are. "automatic", the
        default: from 2,048 on, unless it is expected to be computed alone, as it was before. The
        environment may have a number, ``COREPY_FUSION_THRESHOLD``.
    fusion_codegen : bool, optional
        Whether chains of arithmetic are computed in registers, by machine code that is made for
        them in some microseconds. By default they are, where the processor has AVX2 or AVX-512,
        unless the environment has ``COREPY_FUSION_CODEGEN=0``. Results are the same.
    shared_memory : {"variable", "constant"}, optional
        What is promised of memory that code outside of Corepy may write to, as that of an ndarray
        or an array of CuPy which the program still has. "variable", the default: anything, so an
        operation reads it when it is called. "constant": nobody writes to it while deferred
        operations that read it are pending, so they may be deferred; a write before they are
        computed changes their results. See `corepy.compute`.
    integrations : bool, optional
        Whether functions of other libraries that `corepy.integrations` has replaced do what they do
        for arrays of Corepy (the default), or what they did before.

    Raises
    ------
    ValueError
        `cross_device`, `fallback`, `check_indices` or `shared_memory` is none of these, or
        `fusion_threshold` is negative.
    TypeError
        `fusion`, `fusion_codegen`, `check_results` or `integrations` is not a bool, or
        `fusion_threshold` not an int.

    See Also
    --------
    set_config : sets the default of the process.
    get_config : returns the settings.

    Notes
    -----
    Blocks can be nested, and an object can be entered more than once, also by several threads. In
    a block its setting overrides the default. A generator that is suspended in a block leaves the
    setting active in its caller, as `decimal.localcontext` does. A block that is left in another
    context than it was entered in, as by a generator that a task closes, is left in all.

    An object that is never entered changes nothing, and warns when it is deleted. `get_config`
    returns the settings; ``corepy.config()`` has none.

    Examples
    --------
    >>> import corepy
    >>> with corepy.config(cross_device="convert"):
    ...     pass
    """

    def __init__(
        self,
        *,
        cross_device: CrossDevice | None = None,
        fallback: Fallback | None = None,
        check_indices: CheckIndices | None = None,
        check_results: bool | None = None,
        fusion: bool | None = None,
        fusion_threshold: int | Literal["automatic"] | None = None,
        fusion_codegen: bool | None = None,
        shared_memory: SharedMemory | None = None,
        integrations: bool | None = None,
    ) -> None:
        super().__init__(
            _checked(
                "config",
                cross_device=cross_device,
                fallback=fallback,
                check_indices=check_indices,
                check_results=check_results,
                fusion=fusion,
                fusion_threshold=fusion_threshold,
                fusion_codegen=fusion_codegen,
                shared_memory=shared_memory,
                integrations=integrations,
            )
        )

    def __call__(self, function: F) -> F:
        """Return a function whose calls, or resumptions, are in this block."""
        return within(self, function, "config")

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self.settings.items())
        return f"config({given})"

    def never_entered(self) -> None:
        """Warn of a plain call, which changes nothing."""
        given = ", ".join(f"{name}={value!r}" for name, value in self.settings.items())
        warnings.warn(
            f"config: the object was never entered and changed nothing; write "
            f"corepy.set_config({given}) for the process, or with corepy.config({given}):",
            RuntimeWarning,
            stacklevel=2,
        )


def set_config(
    *,
    cross_device: CrossDevice | None = None,
    fallback: Fallback | None = None,
    check_indices: CheckIndices | None = None,
    check_results: bool | None = None,
    fusion: bool | None = None,
    fusion_threshold: int | Literal["automatic"] | None = None,
    fusion_codegen: bool | None = None,
    shared_memory: SharedMemory | None = None,
    integrations: bool | None = None,
) -> None:
    """Set settings of the process.

    They hold in all threads, outside of blocks of `corepy.config` that say otherwise.

    Parameters
    ----------
    cross_device, fallback, check_indices, shared_memory : str, optional
        See `config`. None leaves the setting as it is.
    check_results, fusion, fusion_codegen, integrations : bool, optional
    fusion_threshold : int, optional

    Raises
    ------
    ValueError, TypeError
        As `config` does; no setting is changed then.

    See Also
    --------
    get_config : returns the settings.
    config : sets them for a block of code.

    Examples
    --------
    >>> import corepy
    >>> corepy.set_config(cross_device="raise")
    """
    given = _checked("set_config", **locals())
    set_defaults(given)
    _set.update(given)


def get_config() -> dict[str, Any]:
    """Return the settings that are in effect.

    Returns
    -------
    dict
        The value of each parameter of `config` in the current context. It is a copy: changes of it
        change no setting. ``corepy.set_config(**settings)`` sets all of them for the process.

    See Also
    --------
    show_config : also shows where each setting comes from.

    Examples
    --------
    >>> import corepy
    >>> corepy.get_config()["fallback"]
    'warn'
    >>> with corepy.config(fallback="error"):
    ...     corepy.get_config()["fallback"]
    'error'
    """
    return {name: setting(name) for name in DEFAULTS if name != "device"}


def source(name: str) -> str:
    """Return where the value of a setting in the current context comes from.

    Returns
    -------
    str
        "config" (a ``with`` block), "set_config", a variable of the environment, or "default".
    """
    if not is_default(name):
        return "config"
    if name in _set:
        return "set_config"
    variable = VARIABLES.get(name, "")
    return variable if os.environ.get(variable, "").strip() else "default"


def _checked(function: str, **settings: Any) -> dict[str, Any]:
    """Return the settings that are given, in the name of a function."""
    given = {name: value for name, value in settings.items() if value is not None}
    for name, value in given.items():
        if name in _CHOICES:
            if value not in _CHOICES[name]:
                allowed = ", ".join(map(repr, _CHOICES[name]))
                raise ValueError(f"{function}: {name} must be one of {allowed}, got {value!r}")
        elif name != "fusion_threshold":
            if not isinstance(value, bool):
                raise TypeError(f"{function}: {name} must be a bool, got {type(value).__name__}")
        elif value == "automatic":
            continue
        elif isinstance(value, bool) or not isinstance(value, int):
            raise TypeError(
                f"{function}: {name} must be an int or 'automatic', got {type(value).__name__}"
            )
        elif not 0 <= value <= sys.maxsize:
            raise ValueError(f"{function}: {name} must not be negative, got {value}")
    return given


class use_device(Block):
    """Create new arrays on a device, in a ``with`` block or a function.

    The setting is that of the current context (see `contextvars`): other threads and asyncio tasks
    do not see it, but for tasks that are created in the block. Arrays that exist stay where they
    are; a namespace that comes from a tensor (``x.__array_namespace__()``) creates on the device of
    that tensor; operands that are not tensors (lists, ndarrays) are read on the CPU or on the
    device of the tensor beside them.

    Parameters
    ----------
    device : Device or str
        The device. ``"auto"`` chooses one for each array, by its size; see
        `corepy.backend.select_backend`.

    Raises
    ------
    ValueError
        There is no such device; the message lists those that there are.

    Examples
    --------
    >>> import corepy
    >>> with corepy.use_device("reference"):
    ...     x = corepy.array_api.zeros(3)
    >>> x.device
    Device('reference')
    """

    def __init__(self, device: Device | str) -> None:
        if device is None:
            raise TypeError("use_device: expected a Device or its name, got None")
        super().__init__({"device": as_device(device, "use_device")})

    def __call__(self, function: F) -> F:
        """Return a function whose calls, or resumptions, are in this block."""
        return within(self, function, "use_device")


def set_default_device(device: Device) -> None:
    """Set the device of new arrays outside of `use_device` blocks."""
    set_defaults({"device": device})


def within(block: Block, function: F, name: str) -> F:
    """Return a function whose calls, or resumptions, are in a block; `name`: for errors."""
    if not callable(function):
        raise TypeError(f"{name}: expected a function, got {type(function).__name__}")
    if inspect.isasyncgenfunction(function):
        raise TypeError(f"{name}: asynchronous generators are not supported; use a with block")
    block.used = True
    if inspect.isgeneratorfunction(function):

        @functools.wraps(function)
        def generator(*args: Any, **kwargs: Any) -> Any:
            return (yield from _resumed(block, function(*args, **kwargs)))

        return generator  # type: ignore[return-value]
    if inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def coroutine(*args: Any, **kwargs: Any) -> Any:
            return await _Awaited(block, function(*args, **kwargs))

        return coroutine  # type: ignore[return-value]

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        with block:
            return function(*args, **kwargs)

    return call  # type: ignore[return-value]


class _Awaited:
    """An awaitable that resumes a coroutine in a block."""

    def __init__(self, block: Block, coroutine: Any) -> None:
        self.block, self.coroutine = block, coroutine

    def __await__(self) -> Any:
        return (yield from _resumed(self.block, self.coroutine))


def _resumed(block: Block, inner: Any) -> Any:
    """Run a generator or coroutine, each resumption in a block."""
    resume, value = inner.send, None
    while True:
        with block:
            try:
                result = resume(value)
            except StopIteration as stop:
                return stop.value
        try:
            value = yield result
            resume = inner.send
        except GeneratorExit:
            with block:
                inner.close()
            raise
        except BaseException as error:
            resume, value = inner.throw, error
