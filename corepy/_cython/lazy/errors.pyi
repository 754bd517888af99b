from types import TracebackType
from typing import Any, Literal

IGNORED: dict[str, Literal["ignore", "warn", "raise", "call", "print", "log"]]

class ErrorBlock:
    def __init__(self, settings: dict[str, Any], manager: Any) -> None: ...
    def __enter__(self) -> None: ...
    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None: ...

def errors() -> dict[str, Any] | None: ...
def set_errors(given: dict[str, Any]) -> None: ...
