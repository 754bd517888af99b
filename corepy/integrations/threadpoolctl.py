"""threadpoolctl: the pool of threads, which it then lists and limits.

Controllers of other libraries are known from version 3.2 on. Tested with threadpoolctl 3.6.
"""

from __future__ import annotations

import sys
from types import ModuleType


def _register(threadpoolctl: ModuleType) -> None:
    class CorepyController(threadpoolctl.LibController):  # type: ignore[misc,name-defined]
        """The pool of Corepy's library, which is identified by its symbols."""

        user_api = "corepy"
        internal_api = "corepy"
        filename_prefixes = ("_native.",)
        check_symbols = ("corepy_get_num_threads", "corepy_set_num_threads")

        def get_num_threads(self) -> int:
            return int(self.dynlib.corepy_get_num_threads())

        def set_num_threads(self, num_threads: int) -> None:
            self.dynlib.corepy_set_num_threads(num_threads)

        def get_version(self) -> str | None:
            return getattr(sys.modules.get("corepy"), "__version__", None)

        def set_additional_attributes(self) -> None:
            self.threading_layer = "corepy"

    threadpoolctl.register(CorepyController)


COMPLETE = {"threadpoolctl": _register}
