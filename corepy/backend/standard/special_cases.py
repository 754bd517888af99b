"""The standard's special cases of complex functions, as tables, and what applies them.

A row reads like a line of the standard: "if ``a`` is ... and ``b`` is ..., the result is ...",
where ``a`` is the real and ``b`` the imaginary component of the argument. Each table says which
symmetries the standard demands, so that a row stands for its mirror images too. Rows for finite
arguments that every formula meets by itself (``exp(0)`` is 1) are left out: the tables are
consulted only where a component is infinite or NaN. Where rows of the standard contradict each
other, the first one holds.

Where the standard leaves a sign open, it is positive here.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf, nan, pi
from typing import Any, NamedTuple

from corepy.backend.standard.parts import complex_from_parts

#: What the standard says about one component of the argument -> a mask over an array of that
#: component.
CONDITIONS: dict[str, Callable[[Any, Any], Any]] = {
    "any": lambda xp, v: (v == v) | xp.isnan(v),
    "+0": lambda xp, v: (v == 0) & ~xp.signbit(v),
    "zero": lambda xp, v: v == 0,
    "finite": lambda xp, v: xp.isfinite(v),
    "nonzero finite": lambda xp, v: xp.isfinite(v) & (v != 0),
    "positive finite": lambda xp, v: xp.isfinite(v) & (v > 0),
    "nonzero": lambda xp, v: v != 0,
    "+inf": lambda xp, v: v == inf,
    "-inf": lambda xp, v: v == -inf,
    "inf": lambda xp, v: xp.isinf(v),
    "nan": lambda xp, v: xp.isnan(v),
}

#: Results that depend on the argument: ``scale * cis(b)`` in the standard's words, component by
#: component.
CIS: dict[str, Callable[[Any, Any], Any]] = {
    "inf*cos": lambda xp, b: inf * xp.cos(b),
    "inf*sin": lambda xp, b: inf * xp.sin(b),
    "0*cos": lambda xp, b: 0.0 * xp.cos(b),
    "0*sin": lambda xp, b: 0.0 * xp.sin(b),
}


class Case(NamedTuple):
    """If ``a`` is `a` and ``b`` is `b`, the result is ``real + imag * 1j``."""

    a: str
    b: str
    real: float | str
    imag: float | str


class Table(NamedTuple):
    """The special cases of a function and what the standard says about its symmetry.

    For every function here ``f(conj(x))`` equals ``conj(f(x))``, so rows speak about ``b >=
    +0`` alone. ``parity`` is ``"odd"`` (``f(-x) = -f(x)``) or ``"even"`` (``f(-x) = f(x)``):
    then rows speak about ``a >= +0`` alone; otherwise it is empty.
    """

    parity: str
    cases: tuple[Case, ...]


# array API 2025.12, elementwise_functions, "Special cases" of each function.
TABLES: dict[str, Table] = {
    "acos": Table(
        "",
        (
            Case("zero", "nan", pi / 2, nan),
            Case("finite", "+inf", pi / 2, -inf),
            Case("nonzero finite", "nan", nan, nan),
            Case("-inf", "finite", pi, -inf),
            Case("+inf", "finite", 0.0, -inf),
            Case("-inf", "+inf", 3 * pi / 4, -inf),
            Case("+inf", "+inf", pi / 4, -inf),
            Case("inf", "nan", nan, inf),
            Case("nan", "finite", nan, nan),
            Case("nan", "+inf", nan, -inf),
            Case("nan", "nan", nan, nan),
        ),
    ),
    "acosh": Table(
        "",
        (
            Case("finite", "+inf", inf, pi / 2),
            Case("nonzero finite", "nan", nan, nan),
            Case("zero", "nan", nan, pi / 2),
            Case("-inf", "finite", inf, pi),
            Case("+inf", "finite", inf, 0.0),
            Case("-inf", "+inf", inf, 3 * pi / 4),
            Case("+inf", "+inf", inf, pi / 4),
            Case("inf", "nan", inf, nan),
            Case("nan", "finite", nan, nan),
            Case("nan", "+inf", inf, nan),
            Case("nan", "nan", nan, nan),
        ),
    ),
    "asinh": Table(
        "odd",
        (
            Case("finite", "+inf", inf, pi / 2),
            Case("finite", "nan", nan, nan),
            Case("+inf", "finite", inf, 0.0),
            Case("+inf", "+inf", inf, pi / 4),
            Case("+inf", "nan", inf, nan),
            Case("nan", "+0", nan, 0.0),
            Case("nan", "nonzero finite", nan, nan),
            Case("nan", "+inf", inf, nan),
            Case("nan", "nan", nan, nan),
        ),
    ),
    "atanh": Table(
        "odd",
        (
            Case("+0", "nan", 0.0, nan),
            Case("finite", "+inf", 0.0, pi / 2),
            Case("nonzero finite", "nan", nan, nan),
            Case("+inf", "finite", 0.0, pi / 2),
            Case("+inf", "+inf", 0.0, pi / 2),
            Case("+inf", "nan", 0.0, nan),
            Case("nan", "finite", nan, nan),
            Case("nan", "+inf", 0.0, pi / 2),
            Case("nan", "nan", nan, nan),
        ),
    ),
    "cosh": Table(
        "even",
        (
            Case("+0", "+inf", nan, 0.0),
            Case("+0", "nan", nan, 0.0),
            Case("nonzero finite", "+inf", nan, nan),
            Case("nonzero finite", "nan", nan, nan),
            Case("+inf", "+0", inf, 0.0),
            Case("+inf", "nonzero finite", "inf*cos", "inf*sin"),
            Case("+inf", "+inf", inf, nan),
            Case("+inf", "nan", inf, nan),
            Case("nan", "zero", nan, 0.0),
            Case("nan", "nonzero finite", nan, nan),
            Case("nan", "+inf", nan, nan),
            Case("nan", "nan", nan, nan),
        ),
    ),
    "exp": Table(
        "",
        (
            Case("finite", "+inf", nan, nan),
            Case("finite", "nan", nan, nan),
            Case("+inf", "+0", inf, 0.0),
            Case("-inf", "finite", "0*cos", "0*sin"),
            Case("+inf", "nonzero finite", "inf*cos", "inf*sin"),
            Case("-inf", "+inf", 0.0, 0.0),
            Case("+inf", "+inf", inf, nan),
            Case("-inf", "nan", 0.0, 0.0),
            Case("+inf", "nan", inf, nan),
            Case("nan", "+0", nan, 0.0),
            Case("nan", "nonzero", nan, nan),
        ),
    ),
    "expm1": Table(
        "",
        (
            Case("finite", "+inf", nan, nan),
            Case("finite", "nan", nan, nan),
            Case("+inf", "+0", inf, 0.0),
            Case("-inf", "finite", -1.0, "0*sin"),
            Case("+inf", "nonzero finite", "inf*cos", "inf*sin"),
            Case("-inf", "+inf", -1.0, 0.0),
            Case("+inf", "+inf", inf, nan),
            Case("-inf", "nan", -1.0, 0.0),
            Case("+inf", "nan", inf, nan),
            Case("nan", "+0", nan, 0.0),
            Case("nan", "nonzero", nan, nan),
        ),
    ),
    "log": Table(
        "",
        (
            Case("finite", "+inf", inf, pi / 2),
            Case("finite", "nan", nan, nan),
            Case("-inf", "finite", inf, pi),
            Case("+inf", "finite", inf, 0.0),
            Case("-inf", "+inf", inf, 3 * pi / 4),
            Case("+inf", "+inf", inf, pi / 4),
            Case("inf", "nan", inf, nan),
            Case("nan", "finite", nan, nan),
            Case("nan", "+inf", inf, nan),
            Case("nan", "nan", nan, nan),
        ),
    ),
    "sinh": Table(
        "odd",
        (
            Case("+0", "+inf", 0.0, nan),
            Case("+0", "nan", 0.0, nan),
            Case("positive finite", "+inf", nan, nan),
            Case("positive finite", "nan", nan, nan),
            Case("+inf", "+0", inf, 0.0),
            Case("+inf", "positive finite", "inf*cos", "inf*sin"),
            Case("+inf", "+inf", inf, nan),
            Case("+inf", "nan", inf, nan),
            Case("nan", "+0", nan, 0.0),
            Case("nan", "nonzero finite", nan, nan),
            Case("nan", "+inf", nan, nan),
            Case("nan", "nan", nan, nan),
        ),
    ),
    "sqrt": Table(
        "",
        (
            Case("any", "+inf", inf, inf),
            Case("finite", "nan", nan, nan),
            Case("-inf", "finite", 0.0, inf),
            Case("+inf", "finite", inf, 0.0),
            Case("-inf", "nan", nan, inf),
            Case("+inf", "nan", inf, nan),
            Case("nan", "any", nan, nan),
        ),
    ),
    "tanh": Table(
        "odd",
        (
            Case("nonzero finite", "+inf", nan, nan),
            Case("+0", "+inf", 0.0, nan),
            Case("nonzero finite", "nan", nan, nan),
            Case("+0", "nan", 0.0, nan),
            Case("+inf", "finite", 1.0, 0.0),
            Case("+inf", "+inf", 1.0, 0.0),
            Case("+inf", "nan", 1.0, 0.0),
            Case("nan", "+0", nan, 0.0),
            Case("nan", "nonzero", nan, nan),
        ),
    ),
}
# log1p(x) is log(1 + x): the rows that do not speak about one point are the same.
TABLES["log1p"] = TABLES["log"]

#: "As if implemented as ``-1j * g(x * 1j)``" (``cos``: ``cosh(x * 1j)``).
ROTATED = {"asin": "asinh", "atan": "atanh", "cos": "cosh", "sin": "sinh", "tan": "tanh"}


def _apply(xp: Any, table: Table, a: Any, b: Any, real: Any, imag: Any) -> tuple[Any, Any]:
    """Replace the components of a result where the argument ``a + bj`` has a row in `table`."""
    one = xp.ones_like(a)
    sign_of_a, sign_of_b = xp.copysign(one, a), xp.copysign(one, b)
    sign_of_real, sign_of_imag = one, sign_of_b
    if table.parity:
        # f(-a + bj) is -conj(f(a + bj)) for an odd and conj(f(a + bj)) for an even function.
        a = xp.abs(a)
        sign_of_real, sign_of_imag = {
            "odd": (sign_of_a, sign_of_b),
            "even": (one, sign_of_a * sign_of_b),
        }[table.parity]
    b = xp.abs(b)
    masks_of_a = {name: CONDITIONS[name](xp, a) for name in {case.a for case in table.cases}}
    masks_of_b = {name: CONDITIONS[name](xp, b) for name in {case.b for case in table.cases}}
    for case in reversed(table.cases):  # the first row that fits is written last, and so holds
        mask = masks_of_a[case.a] & masks_of_b[case.b]
        value = CIS[case.real](xp, b) if isinstance(case.real, str) else case.real
        real = xp.where(mask, sign_of_real * value, real)
        value = CIS[case.imag](xp, b) if isinstance(case.imag, str) else case.imag
        imag = xp.where(mask, sign_of_imag * value, imag)
    return real, imag


def apply_special_cases(xp: Any, operation: str, x: Any, out: Any) -> Any:
    """Return `out` with the standard's special cases of a complex function put in.

    Parameters
    ----------
    xp : namespace
        The native namespace.
    operation : str
        A name in `TABLES` or `ROTATED`.
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
    elif operation == "cos":
        real, imag = _apply(xp, TABLES["cosh"], -b, a, real, imag)
    else:
        # out = -1j * (u + vj) = v - uj, where u + vj = g(-b + aj)
        u, v = _apply(xp, TABLES[ROTATED[operation]], -b, a, -imag, real)
        real, imag = v, -u
    return complex_from_parts(xp, real, imag)
