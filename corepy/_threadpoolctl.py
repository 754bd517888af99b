"""Makes the pool of threads known to threadpoolctl, without importing it.

threadpoolctl looks for libraries by name and symbol, with controllers that are registered with it.
Ours is registered at once if threadpoolctl is there already, and otherwise right after somebody
imports it.
"""

from __future__ import annotations

import importlib.util
import sys
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

_NAME = "threadpoolctl"


def announce() -> None:
    """Register the pool with threadpoolctl, now or when it is imported."""
    module = sys.modules.get(_NAME)
    if module is not None:
        _register(module)
    elif not any(isinstance(finder, _Watch) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Watch())


def _register(module: ModuleType) -> None:
    """Register a controller for the pool, if this threadpoolctl takes any (3.2 and later do)."""
    base: Any = getattr(module, "LibController", None)
    if base is None or not hasattr(module, "register"):
        return

    class CorepyController(base):  # type: ignore[misc]
        """The pool of Corepy's core, a library that its symbols tell from others of that name."""

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

    module.register(CorepyController)


class _Watch:
    """A finder that finds nothing itself, but sees threadpoolctl being imported."""

    def find_spec(
        self, name: str, path: object = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != _NAME:
            return None
        sys.meta_path.remove(self)  # type: ignore[arg-type]
        spec = importlib.util.find_spec(name)
        if spec is None or spec.loader is None:
            sys.meta_path.insert(0, self)  # type: ignore[arg-type]
            return None
        loader: Any = spec.loader
        execute = loader.exec_module

        def exec_module(module: ModuleType) -> None:
            loader.exec_module = execute
            execute(module)
            _register(module)

        loader.exec_module = exec_module
        return spec
