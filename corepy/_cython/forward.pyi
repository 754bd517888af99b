"""What type checkers see of `forward`."""

from collections.abc import Callable
from typing import Any

import numpy as np

from corepy._cython.core import Tensor

class Forward(Exception): ...
class Refused(ValueError): ...

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

def finished(value: Any) -> Any: ...
def array_ufunc(self: Tensor, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any: ...
