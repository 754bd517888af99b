# Types of what Python code uses of the module. Documentation is in the source.

from typing import Any

def infer(operation: str, inputs: tuple[Any, ...], params: dict[str, Any] | None = None) -> Any: ...
def infer_layout(
    operation: str, inputs: tuple[Any, ...], params: dict[str, Any] | None = None
) -> Any: ...
