"""Settings of the process and of the current context."""

from __future__ import annotations

import os
import sys
import threading
import time
import weakref
from types import TracebackType
from typing import Any

from corepy._cython.core import Device, as_device, count_choosing, cpu, provide
from corepy._cython.lazy import recorder  # noqa: F401  (the device that defers)
from corepy._cython.lazy import settings as lazy_settings
from corepy._cython.lazy.settings import ConfigBlock

#: Settings that are one of some words, with the words; the first is the default.
_CHOICES = {
    "cross_device": ("raise", "convert", "smaller"),
    "fallback": ("warn", "silent", "error"),
    "check_indices": ("later", "now"),
}

#: Seconds after which an object that was not entered is a plain call for other threads, too.
_PLAIN_AFTER = 1.0


class config:
    """Change settings, of the process or for the length of a ``with`` block.

    A plain call, ``corepy.config(...)``, sets the default of the process. ``with
    corepy.config(...):`` changes the current context alone (see `contextvars`): other threads and
    asyncio tasks that run meanwhile do not see it, and neither does a thread that is started in
    the block. Tasks that are created in the block do, as they copy the context.

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
        `corepy.fuse`. By default they are not, unless the environment has ``COREPY_FUSION=1``.
    fusion_threshold : int, optional
        The number of elements from which on an operation is deferred; 0: all are. By default 32768,
        or ``COREPY_FUSION_THRESHOLD``.
    fusion_codegen : bool, optional
        Whether chains of arithmetic are computed in registers, by machine code that is made for
        them in some microseconds. By default they are, where the processor has AVX2 or AVX-512,
        unless the environment has ``COREPY_FUSION_CODEGEN=0``. Results are the same.

    Raises
    ------
    ValueError
        `cross_device`, `fallback` or `check_indices` is none of these, or `fusion_threshold` is
        negative.
    TypeError
        `fusion`, `fusion_codegen` or `check_results` is not a bool, or `fusion_threshold` not an
        int.

    Notes
    -----
    Blocks can be nested, and an object can be entered more than once, also by several threads. In
    a block its setting overrides the default. A generator that is suspended in a block leaves the
    setting active in its caller, as `decimal.localcontext` does.

    A call is plain if its object is never entered. The calling thread sees the new default
    immediately. Other threads see it when the object was deleted without being entered, usually at
    the end of the statement; if a reference to it is kept, after a second. An object that is
    entered was never a default for other threads, and is not one for the calling thread any more.

    Examples
    --------
    >>> import corepy
    >>> with corepy.config(cross_device="convert"):
    ...     pass
    """

    def __init__(
        self,
        *,
        cross_device: str | None = None,
        fallback: str | None = None,
        check_indices: str | None = None,
        check_results: bool | None = None,
        fusion: bool | None = None,
        fusion_threshold: int | None = None,
        fusion_codegen: bool | None = None,
    ) -> None:
        for name, word in (
            ("cross_device", cross_device),
            ("fallback", fallback),
            ("check_indices", check_indices),
        ):
            if word is not None and word not in _CHOICES[name]:
                allowed = ", ".join(map(repr, _CHOICES[name]))
                raise ValueError(f"config: {name} must be one of {allowed}, got {word!r}")
        for name, flag in (
            ("fusion", fusion),
            ("fusion_codegen", fusion_codegen),
            ("check_results", check_results),
        ):
            if flag is not None and not isinstance(flag, bool):
                raise TypeError(f"config: {name} must be a bool, got {type(flag).__name__}")
        if fusion_threshold is not None:
            if isinstance(fusion_threshold, bool) or not isinstance(fusion_threshold, int):
                kind = type(fusion_threshold).__name__
                raise TypeError(f"config: fusion_threshold must be an int, got {kind}")
            if not 0 <= fusion_threshold <= sys.maxsize:
                raise ValueError(
                    f"config: fusion_threshold must not be negative, got {fusion_threshold}"
                )
        given = {
            "cross_device": cross_device,
            "fallback": fallback,
            "check_indices": check_indices,
            "check_results": check_results,
            "fusion": fusion,
            "fusion_threshold": fusion_threshold,
            "fusion_codegen": fusion_codegen,
        }
        self._settings = {name: value for name, value in given.items() if value is not None}
        self._entered: list[ConfigBlock] = []
        self._call = _Call(self, self._settings) if self._settings else None
        if self._call is not None:
            _add(self._call)

    def __enter__(self) -> config:
        if self._call is not None:
            _remove(self._call)
        self._entered.append(enter(self._settings))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        leave(self._entered)


def enter(settings: dict[str, Any]) -> ConfigBlock:
    """Begin a block of the current context."""
    block = ConfigBlock(settings)
    known = lazy_settings.blocks()
    _set_blocks((*(other for other in known if not other.left), block))
    lazy_settings.count(block.defers)
    if "device" in settings:
        count_choosing(1)
    return block


def leave(entered: list[ConfigBlock]) -> None:
    """End the last of these blocks in the current context, and remove it from the list."""
    blocks = lazy_settings.blocks()
    here = [block for block in blocks if block in entered]
    if here:  # not always the innermost: generators end their blocks in any order
        left = here[-1]
        _set_blocks(tuple(block for block in blocks if block is not left))
    else:  # a generator that is closed in another context than it began in
        left = entered[-1]
        left.left = True
    entered.remove(left)
    lazy_settings.count(-left.defers)
    if "device" in left.settings:
        count_choosing(-1)


def _set_blocks(blocks: tuple[ConfigBlock, ...]) -> None:
    """Set the blocks of the current context, and their settings of deferred operations."""
    lazy_settings.set_current(*_fusion(blocks), blocks)


def _fusion(blocks: tuple[ConfigBlock, ...]) -> tuple[bool, int, int, bool]:
    """Return whether blocks defer operations, the threshold in elements, the number of the block
    that began it, and whether code may be generated.
    """
    on, threshold = _default("fusion", _FUSION), _default("fusion_threshold", _THRESHOLD)
    codegen = _default("fusion_codegen", _CODEGEN)
    scope = 0
    for block in blocks:
        if block.left:
            continue
        wanted = block.settings.get("fusion", on)
        if wanted and "fusion" in block.settings and not scope:
            scope = block.number
        elif not wanted:
            scope = 0
        on, threshold = wanted, block.settings.get("fusion_threshold", threshold)
        codegen = block.settings.get("fusion_codegen", codegen)
    return on, threshold, scope, codegen


def setting(name: str, otherwise: Any = None) -> Any:
    """Return the current value of a setting that has nothing to do with fusion."""
    for block in reversed(lazy_settings.blocks()):
        if name in block.settings and not block.left:
            return block.settings[name]
    return _default(name, otherwise)


def cross_device() -> str:
    """Return the current setting for operands on different devices."""
    return setting("cross_device", "raise")


class use_device:
    """Create new arrays on a device, for the length of a ``with`` block.

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
        self._device = as_device(device, "use_device")
        self._entered: list[ConfigBlock] = []

    def __enter__(self) -> Device:
        self._entered.append(enter({"device": self._device}))
        return self._device

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        leave(self._entered)


#: The default device of the process.
_process_device = cpu.devices()[0]


def set_default_device(device: Device) -> None:
    """Set the device of new arrays outside of `use_device` blocks."""
    global _process_device
    with _lock:
        cpus = cpu.devices()[0]
        count_choosing((device is not cpus) - (_process_device is not cpus))
        _process_device = device


def default_device() -> Device:
    """Return the device on which new arrays are created."""
    for block in reversed(lazy_settings.blocks()):
        if "device" in block.settings and not block.left:
            return block.settings["device"]
    return _process_device


class _Call:
    """A call of `config`; it is plain if its object is never entered."""

    __slots__ = ("entered", "made", "moment", "settings", "thread")

    def __init__(self, made: config, settings: dict[str, Any]) -> None:
        self.made = weakref.ref(made)
        self.settings = settings
        self.thread = threading.get_ident()
        self.moment = time.monotonic()
        self.entered = False

    def is_plain(self) -> bool:
        """Return whether the current thread may treat it as a plain call."""
        # Between a call and its `with` block the object is new and alive. `entered` is read last:
        # the object may be entered, left and deleted meanwhile.
        settled = (
            self.made() is None
            or self.thread == threading.get_ident()
            or time.monotonic() - self.moment > _PLAIN_AFTER
        )
        return settled and not self.entered


#: The calls that may be plain, the latest last. The tuple itself never changes.
_calls: tuple[_Call, ...] = ()
#: The settings of earlier calls.
_settled: dict[str, Any] = {}
_lock = threading.Lock()


def _default(name: str, otherwise: Any) -> Any:
    """Return the default of the process for a setting."""
    for call in reversed(_calls):
        if name in call.settings and call.is_plain():
            return call.settings[name]
    return _settled.get(name, otherwise)


def _add(call: _Call) -> None:
    global _calls, _settled
    with _lock:
        known = [*_calls, call]
        # Calls at the front whose objects are deleted stay plain.
        while known[0].made() is None:
            _settled = {**_settled, **known.pop(0).settings}
        _calls = tuple(known)
    _set_fusion()


def _remove(call: _Call) -> None:
    global _calls
    call.entered = True
    with _lock:
        _calls = tuple(other for other in _calls if other is not call)
    _set_fusion()


def _set_fusion() -> None:
    """Set the default of the process, and the current settings of this context."""
    on, threshold, _, codegen = _fusion(())
    lazy_settings.set_default(on, threshold, codegen)
    if lazy_settings.blocks():
        _set_blocks(lazy_settings.blocks())


def _from_environment(name: str, otherwise: int) -> int:
    """Return the number in an environment variable."""
    text = os.environ.get(name, "").strip()
    if not text:
        return otherwise
    if not text.isdecimal():
        raise ValueError(f"{name} must be a number that is not negative, got {text!r}")
    return int(text)


_THRESHOLD = _from_environment("COREPY_FUSION_THRESHOLD", 32768)
_FUSION = bool(_from_environment("COREPY_FUSION", 0))
_CODEGEN = bool(_from_environment("COREPY_FUSION_CODEGEN", 1))

provide(cross_device=cross_device, default_device=default_device)
_set_fusion()
