"""Settings of the process and of the current context."""

from __future__ import annotations

import threading
import time
import weakref
from contextvars import ContextVar
from types import TracebackType

from corepy._cython.core import provide

_CHOICES = ("raise", "convert")

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
    cross_device : {"raise", "convert"}, optional
        What happens when operands are on different devices: an error that names both (the
        default), or a move to the device of the first operand. None leaves the setting as it is.

    Raises
    ------
    ValueError
        `cross_device` is none of these.

    Notes
    -----
    Blocks can be nested, and an object can be entered more than once, also by several threads. In
    a block its setting is in force, whatever the default is. A generator that is suspended in a
    block leaves the setting to its caller, as `decimal.localcontext` does.

    Whether a call is plain shows only afterwards. The calling thread sees the new default at once;
    other threads see it when the object has gone without having been entered, which is at the end
    of the statement, or if a reference to it is kept, after a second. An object that is entered
    never was a default for other threads, and is none from then on.

    Examples
    --------
    >>> import corepy
    >>> with corepy.config(cross_device="convert"):
    ...     pass
    """

    def __init__(self, *, cross_device: str | None = None) -> None:
        if cross_device is not None and cross_device not in _CHOICES:
            raise ValueError(
                f"config: cross_device must be 'raise' or 'convert', got {cross_device!r}"
            )
        self._cross_device = cross_device
        self._entered: list[_Block] = []
        self._call = None if cross_device is None else _Call(self, cross_device)
        if self._call is not None:
            _add(self._call)

    def __enter__(self) -> config:
        if self._call is not None:
            _remove(self._call)
        block = _Block(self._cross_device)
        self._entered.append(block)
        _blocks.set((*(known for known in _blocks.get() if not known.left), block))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        blocks = _blocks.get()
        here = [block for block in blocks if block in self._entered]
        if here:  # not always the innermost: generators leave their blocks in any order
            _blocks.set(tuple(block for block in blocks if block is not here[-1]))
        else:  # a generator that is closed in another context than it began in
            self._entered[-1].left = True
        self._entered.remove(here[-1] if here else self._entered[-1])


def cross_device() -> str:
    """Return what happens here when operands are on different devices."""
    for block in reversed(_blocks.get()):
        if block.cross_device is not None and not block.left:
            return block.cross_device
    for call in reversed(_calls):
        if call.is_plain():
            return call.cross_device
    return "raise"


class _Block:
    """A ``with`` block, in each of the contexts that are in it."""

    __slots__ = ("cross_device", "left")

    def __init__(self, cross_device: str | None) -> None:
        self.cross_device = cross_device
        self.left = False  # in a context that was not in it


#: The blocks that the current context is in, the innermost last.
_blocks: ContextVar[tuple[_Block, ...]] = ContextVar("corepy.config", default=())


class _Call:
    """A call of `config`, which is a plain one unless its object is entered."""

    __slots__ = ("cross_device", "entered", "made", "moment", "thread")

    def __init__(self, made: config, cross_device: str) -> None:
        self.made = weakref.ref(made)
        self.cross_device = cross_device
        self.thread = threading.get_ident()
        self.moment = time.monotonic()
        self.entered = False

    def is_plain(self) -> bool:
        """Return whether the current thread may take it for a plain call."""
        # Between a call and its `with` block the object is new, and alive. `entered` is read last:
        # an object may be entered, left and gone since this call was found.
        settled = (
            self.made() is None
            or self.thread == threading.get_ident()
            or time.monotonic() - self.moment > _PLAIN_AFTER
        )
        return settled and not self.entered


#: The calls that may be plain, the latest last. Readers take the tuple, which never changes.
_calls: tuple[_Call, ...] = ()
_lock = threading.Lock()


def _add(call: _Call) -> None:
    global _calls
    with _lock:
        known = _calls
        gone = [position for position, other in enumerate(known) if other.made() is None]
        # What came before the latest call that is plain for good has no effect any more.
        _calls = (*known[gone[-1] if gone else 0 :], call)


def _remove(call: _Call) -> None:
    global _calls
    call.entered = True
    with _lock:
        _calls = tuple(other for other in _calls if other is not call)


provide(cross_device=cross_device)
