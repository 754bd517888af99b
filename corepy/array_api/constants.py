"""Constants (array API standard 2025.12, "Constants")."""

import math

__all__ = ["e", "inf", "nan", "newaxis", "pi"]

e: float = math.e
"""Euler's number, the base of natural logarithms."""

inf: float = math.inf
"""Positive infinity (IEEE 754)."""

nan: float = math.nan
"""Not a number (IEEE 754)."""

newaxis: None = None
"""In an index, inserts an axis of length 1: ``x[newaxis, :]``."""

pi: float = math.pi
"""Circumference of a circle over its diameter."""
