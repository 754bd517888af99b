"""The table: one row for each function of the standard."""

from __future__ import annotations

from . import array_cases, elementwise_cases, fft_cases, linalg_cases, reduction_cases
from .case import Case

MODULES = (elementwise_cases, reduction_cases, array_cases, linalg_cases, fft_cases)

TABLE: dict[str, Case] = {case.name: case for module in MODULES for case in module.CASES}
