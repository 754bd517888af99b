"""What type checkers see of `dispatch`."""

from collections.abc import Callable
from typing import Any

import numpy as np

class Implementation:
    function: Callable[..., Any]
    def __init__(
        self,
        function: Callable[..., Any],
        signature: tuple[Any, ...] | None = None,
        dtypes: dict[str, int] | None = None,
        condition: Callable[..., bool] | None = None,
    ) -> None: ...
    def arguments(
        self, *args: Any, **kwargs: Any
    ) -> tuple[tuple[Any, ...], dict[str, Any]] | None: ...
    def compute(self, *arguments: Any) -> Any: ...

class Function:
    standard: Callable[..., Any] | None
    native: Callable[..., Any]
    path: str
    implementations: list[Callable[..., Any]]
    __name__: str
    __qualname__: str
    def __init__(
        self,
        path: str,
        standard: Callable[..., Any] | None,
        native: Callable[..., Any],
        own: Callable[..., Any] | None = None,
    ) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    def __getattr__(self, name: str) -> Any: ...
    def route(self, *args: Any, **kwargs: Any) -> Callable[..., Any] | None: ...

class UFunc(Function):
    native: np.ufunc

def function_at(path: str) -> Function: ...
