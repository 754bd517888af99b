"""What type checkers see of `forward`."""

from collections.abc import Callable
from typing import Any

import numpy as np

class Forward(Exception): ...

class Function:
    standard: Callable[..., Any] | None
    native: Callable[..., Any]
    path: str
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

class UFunc(Function):
    native: np.ufunc
