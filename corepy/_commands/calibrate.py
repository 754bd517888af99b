"""``python -m corepy calibrate``: the rates by which a device is chosen."""

from __future__ import annotations

import dataclasses
import json
from typing import Any


def calibrate() -> int:
    """Measure, keep the rates in the user's cache directory, and print them."""
    from corepy.backend import costs

    print(json.dumps(plain(costs.calibrate()), indent=2))
    return 0


def plain(value: Any) -> Any:
    """Return dataclasses and mappings as what JSON has."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        value = dataclasses.asdict(value)
    if isinstance(value, dict):
        return {str(name): plain(item) for name, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    return value
