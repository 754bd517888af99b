"""What type checkers see of `drawing`."""

from collections.abc import Callable
from typing import Any

class Draw:
    __module__: str
    __qualname__: str
    def __init__(
        self,
        path: str,
        native: Any,
        generator: Any,
        takes: str | None,
        document: Callable[[Any], str | None],
    ) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
