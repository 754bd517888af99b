"""The standard's special cases of complex functions, over any array namespace.

They are listed in ``_cython/schema/special_cases.def``, which C++ kernels also include. The list
applies only if a component of the argument is infinite or NaN.
"""

from __future__ import annotations

import re
from math import inf, nan, pi
from pathlib import Path
from typing import Any, NamedTuple

from corepy.backend.corrections.parts import complex_from_parts, constant

LIST = Path(__file__).resolve().parents[2] / "_cython" / "schema" / "special_cases.def"

VALUES = {
    "zero": 0.0, "one": 1.0, "minus_one": -1.0, "nan": nan, "infinity": inf, "minus_infinity": -inf,
    "pi": pi, "half_pi": pi / 2, "quarter_pi": pi / 4, "three_quarter_pi": 3 * pi / 4,
}  # fmt: skip


class Case(NamedTuple):
    """A row of the list: the kinds of numbers that ``a`` and ``b`` may be, and the result."""

    a: int
    b: int
    real: float
    imag: float
    manner: str


class Table(NamedTuple):
    """The special cases of a function."""

    parity: str
    cases: list[Case]
    factor: float = 1.0


def _read_tables() -> dict[str, Table]:
    """Return the table of each function in the list."""
    conditions: dict[str, int] = {}
    cases: dict[str, list[Case]] = {}
    tables: dict[str, Table] = {}
    rows = r"^(?:#define |  )(\w+)\((.*?)\)"
    for macro, arguments in re.findall(rows, LIST.read_text(encoding="utf-8"), re.MULTILINE):
        match [macro, *re.split(", *", arguments)]:
            case ["CONDITION", name, kinds]:
                conditions[name] = sum(map(int, kinds.split("+")))
            case [_, "CASE"]:
                rows_of_function = cases[macro.removeprefix("SPECIAL_CASES_")] = []
            case ["CASE", a, b, real, imag, manner]:
                rows_of_function.append(
                    Case(conditions[a], conditions[b], VALUES[real], VALUES[imag], manner)
                )
            case ["FUNCTION", name, parity]:
                tables[name] = Table(parity, cases[name])
            case ["MULTIPLE", name, of, factor]:
                tables[name] = tables[of]._replace(factor=float(factor))
    return tables


TABLES = _read_tables()

#: "As if implemented as ``-1j * g(x * 1j)``" (``cos``: ``cosh(x * 1j)``).
ROTATED = {"asin": "asinh", "atan": "atanh", "cos": "cosh", "sin": "sinh", "tan": "tanh"}


def _kinds(xp: Any, v: Any) -> Any:
    """Return the kind of each element of `v`, as a bit."""

    def bit(number: int) -> Any:
        return constant(xp, number, like=v, dtype=xp.int8)

    kinds = xp.where(v == 0, bit(1), xp.where(xp.isfinite(v), bit(4), bit(16)))
    return xp.where(xp.isnan(v), bit(64), xp.where(xp.signbit(v), 2 * kinds, kinds))


def _apply(xp: Any, table: Table, a: Any, b: Any, real: Any, imag: Any) -> tuple[Any, Any]:
    """Replace the components of a result where the argument ``a + bj`` has a row in `table`."""
    one = xp.ones_like(a)
    sign_of_a, sign_of_b = xp.copysign(one, a), xp.copysign(one, b)
    # f(-a + bj) is -conj(f(a + bj)) for an odd and conj(f(a + bj)) for an even function.
    sign_of_real = sign_of_a if table.parity == "odd" else one
    sign_of_imag = sign_of_b
    if table.parity == "even":  # a product ignores the sign of a NaN
        sign_of_imag = sign_of_b * xp.where(xp.isnan(a), one, sign_of_a)
    if table.parity != "neither":
        a = xp.abs(a)
    b = xp.abs(b)
    kinds_of_a, kinds_of_b = _kinds(xp, a), _kinds(xp, b)
    for case in reversed(table.cases):  # the first row that applies is written last
        fits = (kinds_of_a & case.a != 0) & (kinds_of_b & case.b != 0)
        of_real = one if case.manner == "real_unsigned" else sign_of_real
        of_imag = one if case.manner == "imag_unsigned" else sign_of_imag
        if case.manner == "polar":
            of_real = of_real * xp.cos(b)
        if case.manner in ("polar", "sine"):
            of_imag = of_imag * xp.sin(b)
        real = xp.where(fits, table.factor * case.real * of_real, real)
        imag = xp.where(fits, table.factor * case.imag * of_imag, imag)
    return real, imag


def apply_special_cases(xp: Any, operation: str, x: Any, out: Any) -> Any:
    """Return `out` with the standard's special cases of a complex function put in.

    Parameters
    ----------
    xp : namespace
        The native namespace.
    operation : str
        A name in `TABLES` or `ROTATED`, or "acosh".
    x : array
        The complex argument.
    out : array
        The function's result as computed without regard to infinities and NaN. It is not
        written to.

    Returns
    -------
    array
        `out` itself if all of `x` is finite.
    """
    if bool(xp.all(xp.isfinite(x))):
        return out
    a, b = xp.real(x), xp.imag(x)
    real, imag = xp.real(out), xp.imag(out)
    if operation in TABLES:
        real, imag = _apply(xp, TABLES[operation], a, b, real, imag)
    elif operation == "acosh":
        # out = abs(v) + copysign(abs(u), b) j, where u + vj = acos(a + bj)
        u, v = _apply(xp, TABLES["acos"], a, b, imag, real)
        real, imag = xp.abs(v), xp.copysign(u, b)
    elif operation == "cos":
        real, imag = _apply(xp, TABLES["cosh"], -b, a, real, imag)
    else:
        # -1j * g(-b + aj) = v + uj, where u + vj = g(b + aj), for g is odd
        imag, real = _apply(xp, TABLES[ROTATED[operation]], b, a, imag, real)
    return complex_from_parts(xp, real, imag)
