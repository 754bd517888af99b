"""Values in nested tuples, lists and dicts, as arguments and results of operations are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any


def mapped(function: Callable[[Any], Any], value: Any) -> Any:
    """Return a value with a function applied to what its tuples, lists and dicts hold."""
    if isinstance(value, (tuple, list)):
        return type(value)([mapped(function, item) for item in value])
    if isinstance(value, dict):
        return {name: mapped(function, item) for name, item in value.items()}
    return function(value)


def leaves(value: Any) -> Iterator[Any]:
    """Yield what the tuples, lists and dicts of a value hold; the value itself if it is none."""
    if isinstance(value, dict):
        value = tuple(value.values())
    if isinstance(value, (tuple, list)):
        for item in value:
            yield from leaves(item)
    else:
        yield value
