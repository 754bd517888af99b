"""The row of the table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import Any

from hypothesis import strategies as st

import corepy

from .compare import Check
from .inputs import Call, Draw

Arguments = Callable[[Draw, str], Call]


@dataclass(frozen=True, repr=False)
class Case:
    """How a function of the standard is called and its results are compared.

    Parameters
    ----------
    name : str
        The standard's name, ``"linalg.svd"`` for a function of an extension.
    dtypes : tuple of str
        The dtypes of its first array that the standard defines it for.
    arguments : callable
        ``arguments(draw, dtype)`` draws a `Call`.
    check : callable
        Compares two results, see `compare`.
    """

    name: str
    dtypes: tuple[str, ...]
    arguments: Arguments
    check: Check

    def __repr__(self) -> str:
        return f"Case({self.name!r})"

    def calls(self, dtype: str) -> st.SearchStrategy[Call]:
        @st.composite
        def calls(draw: Draw) -> Call:
            return self.arguments(draw, dtype)

        return calls()

    def run(self, call: Call, device: str) -> Any:
        return function(self.name, device)(*call.args, **call.kwargs)


def function(name: str, device: str) -> Any:
    """The function of that name in the namespace of a device."""
    return reduce(getattr, name.split("."), corepy.namespace(device))
