"""What type checkers see of `dispatch`."""

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from corepy._cython.core import Tensor

_Implementation = TypeVar("_Implementation", bound=Callable[..., Any])

class Elements:
    def __init__(self, kinds: str = "biufc", many: bool = False, least: int = 0) -> None: ...

class Implementation:
    function: Callable[..., Any]
    def __init__(
        self,
        function: Callable[..., Any],
        numpys: tuple[Any, ...] | None = None,
        dtypes: dict[str, int] | None = None,
        condition: Callable[..., bool] | None = None,
    ) -> None: ...
    def arguments(
        self, *args: Any, **kwargs: Any
    ) -> tuple[tuple[Any, ...], dict[str, Any]] | None: ...

def takes(condition: Callable[..., Any]) -> Callable[[_Implementation], _Implementation]: ...

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

def finished(value: Any) -> Any: ...
def array_ufunc(self: Tensor, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any: ...
