"""What type checkers see of `conversion`."""

from collections.abc import Callable
from typing import Any

from corepy._cython.core import Tensor

def call_numpy(
    name: str,
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    scalars: bool = True,
) -> Any: ...
def ascontiguousarray(a: Any, dtype: Any = None, *, like: Any = None) -> Tensor: ...
def dot(a: Any, b: Any, out: Any = None) -> Tensor: ...
def owns_memory(x: Any) -> bool: ...
def set_writeable(x: Any, on: bool) -> None: ...
