"""What type checkers see of `forward`."""

from collections.abc import Callable
from typing import Any

class Function:
    def __init__(
        self, path: str, standard: Callable[..., Any] | None, native: Callable[..., Any]
    ) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    def __getattr__(self, name: str) -> Any: ...

def call_numpy(
    name: str,
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    scalars: bool = True,
) -> Any: ...
