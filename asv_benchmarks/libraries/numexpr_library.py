"""numexpr, for elementwise expressions."""

from __future__ import annotations

import os
from typing import ClassVar

from ..machine import processors

# As many threads as the process may use; numexpr's default is at most 8, with a message.
os.environ.setdefault("NUMEXPR_MAX_THREADS", str(processors()))

import numexpr
import numpy as np

from ..cases.case import Case, Operand
from .library import Library, Program, Unsupported

_BINARY = {
    "add": "+", "subtract": "-", "multiply": "*", "divide": "/", "pow": "**",
    "less": "<", "less_equal": "<=", "greater": ">", "greater_equal": ">=", "equal": "==",
    "not_equal": "!=", "bitwise_and": "&", "bitwise_or": "|", "bitwise_xor": "^",
    "bitwise_left_shift": "<<", "bitwise_right_shift": ">>", "logical_and": "&",
    "logical_or": "|",
}  # fmt: skip
_FUNCTIONS = {
    "sin cos tan sinh cosh tanh exp expm1 log log1p log10 sqrt abs floor ceil conj": "{}(x)",
    "asin acos atan asinh acosh atanh": "arc{}(x)",
}


class Numexpr(Library):
    """Strings are numexpr's idiom: what it has no expression for is unsupported."""

    name = "numexpr"
    title = "numexpr"
    xp = np
    version = numexpr.__version__
    spellings: ClassVar[dict[str, str | None]] = {
        "negative": "-x",
        "atan2": "arctan2(x, y)",
        "where": "where(c, x, y)",
        "sum": "sum(x{axis})",
        "bitwise_invert": "~x",
        **{name: f"x {sign} y" for name, sign in _BINARY.items()},
        **{
            name: pattern.format(name[1:] if pattern.startswith("arc") else name)
            for names, pattern in _FUNCTIONS.items()
            for name in names.split()
        },
    }

    def program(self, case: Case, operands: dict[str, Operand]) -> Program:
        supported = ("float64", "float32", "int64", "int32", "bool", "complex128")
        if case.dtype not in supported or case.writes or case.operation not in self.spellings:
            raise Unsupported(case.name)
        expression = self.code(case)
        if case.layout == "scalar":
            expression = expression.replace("y", case.code.rstrip(")").rpartition(", ")[2])
        arrays = {name: self.operand(operand) for name, operand in operands.items()}
        names = {"evaluate": numexpr.evaluate, "arrays": arrays}
        statement = f"evaluate({expression!r}, arrays)"
        return Program(statement, names, lambda: eval(statement, names))
