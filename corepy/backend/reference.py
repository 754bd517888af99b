"""The reference backend: array-api-strict, slow and always right.

It shares no kernel with the CPU backend, so that each can be checked against the other.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from corepy._cython.core import NamespaceBackend
from corepy.backend import registry
from corepy.backend._nested import mapped


class ReferenceBackend(NamespaceBackend):
    """array-api-strict with NumPy's indexing, a superset of the standard's."""

    def missing(self) -> str:
        """Return that array-api-strict is not installed; empty if it is."""
        return registry.missing("reference")

    def native_getitem(self, native: Any, key: Any) -> Any:
        return self.namespace.asarray(super().native_getitem(np.asarray(native), _plain(key)))

    def native_setitem(self, native: Any, key: Any, value: Any) -> None:
        super().native_setitem(np.asarray(native), _plain(key), np.asarray(value))


def _plain(key: Any) -> Any:
    """Return an index with its native arrays as ndarrays over the same memory."""
    return mapped(lambda x: np.asarray(x) if hasattr(x, "__array_namespace__") else x, key)


def _load() -> Any:
    import array_api_strict

    array_api_strict.set_array_api_strict_flags(api_version="2025.12")
    return array_api_strict


backend = ReferenceBackend(
    "reference", _load, "array_api_strict", partial(registry.corrections_for, "array_api_strict")
)
