"""The reference backend: array-api-strict, slow and always right.

It shares no kernel with the CPU backend, so that each can be checked against the other.
"""

from __future__ import annotations

from typing import Any

from corepy._cython.core import NamespaceBackend


def _load() -> Any:
    import array_api_strict

    array_api_strict.set_array_api_strict_flags(api_version="2025.12")
    return array_api_strict


def _corrections() -> dict[str, Any]:
    from corepy.backend.standard import corrections_for

    return corrections_for("array_api_strict")


backend = NamespaceBackend("reference", _load, "array_api_strict", _corrections)
