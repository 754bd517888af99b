"""The base class of the libraries that are compared."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..cases.case import Case, Operand


class Unsupported(Exception):
    """The library cannot do a case at all; its column stays empty."""


@dataclass
class Program:
    """A case in a library's words, ready to run: a statement and the names that it uses."""

    statement: str
    names: dict[str, Any]
    result: Callable[[], Any]
    setup: str = "pass"


class Library:
    """How to run cases with a library; derived classes say what differs from the standard.

    Attributes
    ----------
    name, title : str
        On the command line, and in tables.
    spellings : dict
        Code by operation, or by operation and variant (``"getitem of a mask"``), where the
        library's best way is not the standard's. None: the library has nothing of the kind.
    idioms : bool
        Whether lines of NumPy programs run with the library as they are.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    spellings: ClassVar[dict[str, str | None]] = {}
    idioms: ClassVar[bool] = False
    version: str
    xp: Any

    def __init__(self, device: str = "cpu") -> None:
        self.device = device

    def __init_subclass__(cls) -> None:
        cls.version = cls.__dict__.get("version") or cls.xp.__version__

    def serves(self, device: str) -> bool:
        """Tell whether the library computes on a device; only CPUs by default."""
        return device == "cpu"

    def array(self, values: np.ndarray) -> Any:
        """Return the library's own copy of an ndarray."""
        return self.xp.asarray(values, copy=True)

    def to_numpy(self, x: Any) -> np.ndarray:
        """Return a result as an ndarray."""
        return np.asarray(x)

    def synchronize(self) -> None:
        """Wait until the device has finished."""

    def code(self, case: Case) -> str:
        """Return a case's code in the library's words."""
        if case.group == "idioms" and not self.idioms:
            raise Unsupported(case.name)
        code = self.spellings.get(case.label, self.spellings.get(case.operation, case.code))
        if code is None:
            raise Unsupported(case.name)
        if "{axis}" in code:
            # A spelling serves all layouts: the case's own code says which axis is meant.
            _, found, axis = case.code.partition(", axis=")
            code = code.replace("{axis}", f", axis={axis.removesuffix(')')}" if found else "")
        return code

    def operand(self, operand: Operand) -> Any:
        """Return an input as the library has it, the layout included."""
        return eval(operand.view.format("array"), {"array": self.array(operand.values)})

    def program(self, case: Case, operands: dict[str, Operand]) -> Program:
        """Return a case as a statement for `timeit`, and a function that computes its result."""
        code = self.code(case)
        names = {
            "xp": self.xp,
            "dtype": getattr(self.xp, case.dtype),
            **case.constants,
            **{variable: self.operand(operand) for variable, operand in operands.items()},
        }
        compiled = compile(code, case.name, "exec" if case.writes else "eval")

        def result():
            value = eval(compiled, names)
            return names["x"] if case.writes else value

        # `x += y` binds a name, which inside of a function is another one unless it says so.
        return Program(code, names, result, "global x" if case.writes else "pass")
