"""What `corepy.backend.infer` should return for a result."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import ModuleType
from typing import Any

from strategies import BEYOND

from corepy._cython import core
from corepy.backend import infer
from corepy.testing._checks.comparison import agree, described


class Compared(ModuleType):
    """The functions of an extension's namespace, which may be that of other devices, too."""

    def __init__(self, extension: ModuleType) -> None:
        super().__init__(extension.__name__)
        vars(self).update({name: getattr(extension, name) for name in extension.__all__})


def with_inference(xp: ModuleType) -> ModuleType:
    """Have the functions of a namespace compare each result with what was inferred of it."""

    def compared(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def call(*inputs: Any, **params: Any) -> Any:
            result = function(*inputs, **params)
            found = infer(name, inputs, params)
            assert agree(found, described(result)), f"{name}: {found}, not {described(result)}"
            return result

        return call

    for name in sorted({*core.named_operations()} - {*vars(BEYOND)}):
        page, _, function = name.rpartition(".")
        if page:
            extension = getattr(xp, page)
            if not isinstance(extension, Compared):
                extension = Compared(extension)
                setattr(xp, page, extension)
            setattr(extension, function, compared(name, getattr(extension, function)))
        else:
            setattr(xp, name, compared(name, getattr(xp, name)))
    return xp
