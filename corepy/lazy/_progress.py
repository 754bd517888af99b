"""A display of the progress of computations, on the standard error."""

from __future__ import annotations

import sys
import time
from contextlib import AbstractContextManager

from corepy._cython.core import set_reporter

_WIDTH = 30

#: Seconds before anything is shown, and between two lines where there is no terminal.
_QUIET, _BETWEEN_LINES = 0.5, 5.0


class Progress(AbstractContextManager[None]):
    """Shows the passes and blocks that are done: a bar on a terminal, otherwise lines.

    It is a context manager. In its block the core calls `passes`, and some times in a second
    `blocks`, for what the calling thread computes.
    """

    def __init__(self) -> None:
        self._shown_next = time.monotonic() + _QUIET
        self._index, self._count = 0, 1
        self._bar = False

    def passes(self, index: int, count: int) -> None:
        """Note that a pass of some begins."""
        self._index, self._count = index, count
        self.blocks(0.0)

    def blocks(self, done: float) -> None:
        """Show which part of the blocks of the pass is done."""
        now = time.monotonic()
        if now < self._shown_next:
            return
        text = f"pass {self._index + 1} of {self._count}, {done:4.0%} of its blocks"
        if sys.stderr.isatty():
            filled = int(_WIDTH * (self._index + done) / self._count)
            bar = "#" * filled + "." * (_WIDTH - filled)
            print(f"\r\033[K[{bar}] {text}", end="", file=sys.stderr, flush=True)
            self._bar = True
        else:
            print(f"compute: {text}", file=sys.stderr, flush=True)
            self._shown_next = now + _BETWEEN_LINES

    def __enter__(self) -> None:
        self._before = set_reporter(self)

    def __exit__(self, *error: object) -> None:
        set_reporter(self._before)
        if self._bar:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
