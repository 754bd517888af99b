"""Registers the pool of threads with threadpoolctl, if that is installed."""

from __future__ import annotations

import sys


def announce() -> None:
    """Register a controller for the pool, if threadpoolctl is installed and supports it (3.2)."""
    try:
        from threadpoolctl import LibController, register
    except ImportError:
        return

    class CorepyController(LibController):  # type: ignore[misc]
        """The pool of Corepy's core, a library that is identified by its symbols."""

        user_api = "corepy"
        internal_api = "corepy"
        filename_prefixes = ("core.",)
        check_symbols = ("corepy_get_num_threads", "corepy_set_num_threads")

        def get_num_threads(self) -> int:
            return int(self.dynlib.corepy_get_num_threads())

        def set_num_threads(self, num_threads: int) -> None:
            self.dynlib.corepy_set_num_threads(num_threads)

        def get_version(self) -> str | None:
            return getattr(sys.modules.get("corepy"), "__version__", None)

        def set_additional_attributes(self) -> None:
            self.threading_layer = "corepy"

    register(CorepyController)
