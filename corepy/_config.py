"""Settings of the whole process."""

from __future__ import annotations

from types import TracebackType

from corepy._cython import core


class config:
    """Change settings, for good or for the length of a ``with`` block.

    Parameters
    ----------
    cross_device : {"raise", "convert"}, optional
        What operands on different devices lead to: an error that names both (the default), or
        a move to the device of the first.

    Raises
    ------
    ValueError
        No such choice.

    Examples
    --------
    >>> import corepy
    >>> with corepy.config(cross_device="convert"):
    ...     pass
    """

    def __init__(self, *, cross_device: str | None = None) -> None:
        self._before = core.get_cross_device()
        if cross_device is not None:
            core.set_cross_device(cross_device)

    def __enter__(self) -> config:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        core.set_cross_device(self._before)
