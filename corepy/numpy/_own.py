"""Corepy's own implementations of NumPy's functions, by name."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

#: The modules that have functions of NumPy's namespaces, by namespace.
MODULES: dict[str, list[str]] = {
    "corepy": [
        "_bits",
        "_calculus",
        "_creation",
        "_einsum",
        "_elementwise",
        "_errors",
        "_files",
        "_grids",
        "_histograms",
        "_joining",
        "_logic",
        "_nan",
        "_padding",
        "_products",
        "_quantiles",
        "_shapes",
        "_sorting",
        "_statistics",
        "_windows",
        "frequent",
    ],
    "corepy.fft": ["_fft"],
    "corepy.linalg": ["_linalg"],
    "corepy.polynomial.chebyshev": ["_series"],
    "corepy.polynomial.polynomial": ["_series"],
}


@cache
def _functions(where: str) -> dict[str, Callable[..., Any]]:
    found: dict[str, Callable[..., Any]] = {}
    for name in MODULES.get(where, []):
        module = import_module(f"corepy.numpy.{name}")
        found |= {function: getattr(module, function) for function in module.__all__}
    return found


def find(path: str) -> Callable[..., Any] | None:
    """Return the implementation of the function at a path such as ``"corepy.median"``, or None."""
    where, _, name = path.rpartition(".")
    return _functions(where).get(name)
