"""``python -m corepy calibrate``: the rates by which a device is chosen."""

from __future__ import annotations

import dataclasses
import json


def calibrate() -> int:
    """Measure, keep the rates in the user's cache directory, and print them."""
    from corepy.backend import costs

    print(json.dumps(costs.calibrate(), indent=2, default=dataclasses.asdict))
    return 0
