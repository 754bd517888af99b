from typing import Any

class PlanRecord:
    def as_list(self) -> list[tuple[Any, ...]]: ...
