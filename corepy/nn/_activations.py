"""Functions of each element, and of each line along an axis."""

from __future__ import annotations

import math
from typing import Any, Literal

from corepy.nn._checks import check_axis, floats


def relu(x: Any) -> Any:
    """Return the larger of each element and 0; NaN stays NaN.

    Parameters
    ----------
    x : array
        Floating-point numbers.

    Returns
    -------
    array
        Of the shape and dtype of ``x``.
    """
    xp = floats("relu", x=x)
    return xp.maximum(x, 0.0)


def sigmoid(x: Any) -> Any:
    """Return ``1 / (1 + exp(-x))`` of each element.

    Parameters
    ----------
    x : array
        Floating-point numbers.

    Returns
    -------
    array
        Of the shape and dtype of ``x``, in [0, 1].
    """
    xp = floats("sigmoid", x=x)
    power = xp.exp(-xp.abs(x))  # at most 1
    return xp.where(x < 0, power, 1.0) / (1.0 + power)


def silu(x: Any) -> Any:
    """Return ``x * sigmoid(x)`` of each element (Elfwing et al. 2017, arXiv:1702.03118).

    Parameters
    ----------
    x : array
        Floating-point numbers.

    Returns
    -------
    array
        Of the shape and dtype of ``x``; -0.0 for -inf.
    """
    xp = floats("silu", x=x)
    return xp.where(x == -math.inf, -0.0, x * sigmoid(x))


def softplus(x: Any, beta: float = 1.0, threshold: float = 20.0) -> Any:
    """Return ``log(1 + exp(beta * x)) / beta`` of each element.

    Parameters
    ----------
    x : array
        Floating-point numbers.
    beta : float
        A factor above 0.
    threshold : float
        Where ``beta * x`` is larger, the result is ``x``.

    Returns
    -------
    array
        Of the shape and dtype of ``x``.
    """
    xp = floats("softplus", x=x)
    if not beta > 0:
        raise ValueError(f"softplus: expected beta above 0, got {beta}")
    scaled = x * beta
    smooth = xp.log1p(xp.exp(-xp.abs(scaled))) + xp.maximum(scaled, 0.0)
    return xp.where(scaled > threshold, x, smooth / beta)


# erf(x) / x for |x| <= 1/2, and exp(x * x) * erfc(x) up to 4 and above: numerators and
# denominators, the highest power first (Cody 1969, Rational Chebyshev Approximations for the Error
# Function; as in his function CALERF).
NEAR = (
    (1.85777706184603153e-1, 3.16112374387056560e0, 1.13864154151050156e2,
     3.77485237685302021e2, 3.20937758913846947e3),
    (1.0, 2.36012909523441209e1, 2.44024637934444173e2, 1.28261652607737228e3,
     2.84423683343917062e3),
)  # fmt: skip
MIDDLE = (
    (2.15311535474403846e-8, 5.64188496988670089e-1, 8.88314979438837594e0,
     6.61191906371416295e1, 2.98635138197400131e2, 8.81952221241769090e2,
     1.71204761263407058e3, 2.05107837782607147e3, 1.23033935479799725e3),
    (1.0, 1.57449261107098347e1, 1.17693950891312499e2, 5.37181101862009858e2,
     1.62138957456669019e3, 3.29079923573345963e3, 4.36261909014324716e3,
     3.43936767414372164e3, 1.23033935480374942e3),
)  # fmt: skip
FAR = (
    (1.63153871373020978e-2, 3.05326634961232344e-1, 3.60344899949804439e-1,
     1.25781726111229246e-1, 1.60837851487422766e-2, 6.58749161529837803e-4),
    (1.0, 2.56852019228982242e0, 1.87295284992346725e0, 5.27905102951428412e-1,
     6.05183413124413191e-2, 2.33520497626869185e-3),
)  # fmt: skip


def ratio(x: Any, polynomials: tuple[tuple[float, ...], tuple[float, ...]]) -> Any:
    """Return the ratio of two polynomials."""
    top, bottom = (0.0 * x + polynomial[0] for polynomial in polynomials)
    for a, b in zip(*(polynomial[1:] for polynomial in polynomials), strict=True):
        top, bottom = top * x + a, bottom * x + b
    return top / bottom


def normal_cdf(xp: Any, x: Any) -> Any:
    """Return the distribution function of the normal distribution, by the error function."""
    scaled = x * math.sqrt(0.5)
    size = xp.minimum(xp.abs(scaled), 40.0)  # NaN stays NaN
    square = size * size
    near = 0.5 * scaled * ratio(xp.minimum(square, 0.25), NEAR)
    middle = ratio(xp.clip(size, 0.46875, 4.0), MIDDLE)
    large = xp.maximum(size, 4.0)
    inverse = 1.0 / (large * large)
    far = (1.0 / math.sqrt(math.pi) - inverse * ratio(inverse, FAR)) / large
    tail = 0.5 * xp.exp(-square) * xp.where(size <= 4.0, middle, far)
    outside = xp.where(scaled < 0, tail, 1.0 - tail)
    return xp.where(size <= 0.46875, 0.5 + near, outside)


def gelu(x: Any, approximate: Literal["none", "tanh"] = "none") -> Any:
    """Return ``x`` times the normal distribution function (Hendrycks and Gimpel, arXiv:1606.08415).

    Parameters
    ----------
    x : array
        Floating-point numbers.
    approximate : {"none", "tanh"}
        "tanh": by ``x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x**3)))``.

    Returns
    -------
    array
        Of the shape and dtype of ``x``; -0.0 for -inf.
    """
    xp = floats("gelu", x=x)
    if approximate == "tanh":
        share = 0.5 * (1.0 + xp.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x * x * x)))
    elif approximate == "none":
        share = normal_cdf(xp, x)
    else:
        raise ValueError(f"gelu: expected approximate to be 'none' or 'tanh', got {approximate!r}")
    return xp.where(x == -math.inf, -0.0, x * share)


def below_largest(function: str, x: Any, axis: int) -> tuple[Any, Any]:
    """Return the namespace, and elements less the largest of their line, a new array."""
    xp = floats(function, x=x)
    check_axis(function, x, axis)
    largest = xp.max(x, axis=axis, keepdims=True) if x.shape[axis] else 0.0
    return xp, x - largest


def softmax(x: Any, axis: int = -1) -> Any:
    """Return ``exp(x)`` divided by its sum along an axis.

    Parameters
    ----------
    x : array
        Floating-point numbers.
    axis : int
        Along which the results have the sum 1.

    Returns
    -------
    array
        Of the shape and dtype of ``x``. A line of nothing but -inf, or with inf or NaN, is NaN.
    """
    xp, shifted = below_largest("softmax", x, axis)
    powers = xp.exp(shifted)
    return powers / xp.sum(powers, axis=axis, keepdims=True)


def log_softmax(x: Any, axis: int = -1) -> Any:
    """Return the logarithm of `softmax`, without its loss of small numbers.

    Parameters
    ----------
    x : array
        Floating-point numbers.
    axis : int
        Along which the powers of the results have the sum 1.

    Returns
    -------
    array
        Of the shape and dtype of ``x``. A line of nothing but -inf, or with inf or NaN, is NaN.
    """
    xp, shifted = below_largest("log_softmax", x, axis)
    return shifted - xp.log(xp.sum(xp.exp(shifted), axis=axis, keepdims=True))
