"""The acceptance test of backends: every operation of the schema against the reference backend."""

from corepy.testing._checks.checking import check_backend
from corepy.testing._checks.report import Failure, Report

__all__ = ["Failure", "Report", "check_backend"]
