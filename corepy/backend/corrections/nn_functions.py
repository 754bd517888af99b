"""Activations of neural networks, for namespaces without them: for all but Corepy's kernels."""

from __future__ import annotations

import math
from typing import Any

from corepy.backend.corrections.registry import standard

_ALL = ("numpy", "array_api_strict", "torch")


@standard("sigmoid", *_ALL)
def sigmoid(xp: Any, x: Any, /) -> Any:
    """Return ``1 / (1 + exp(-x))``."""
    power = xp.exp(-xp.abs(x))  # at most 1
    return xp.where(x < 0, power, 1.0) / (1.0 + power)


@standard("silu", *_ALL)
def silu(xp: Any, x: Any, /) -> Any:
    """Return ``x * sigmoid(x)``."""
    return xp.where(x == -math.inf, -0.0, x * sigmoid(xp, x))


@standard("gelu_tanh", *_ALL)
def gelu_tanh(xp: Any, x: Any, /) -> Any:
    """Return ``x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x**3)))``."""
    # 1 + tanh(u) is twice the sigmoid of 2 u, which loses nothing where it is small.
    share = sigmoid(xp, math.sqrt(8 / math.pi) * (x + 0.044715 * x * x * x))
    return xp.where(x == -math.inf, -0.0, x * share)


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


@standard("gelu", *_ALL)
def gelu(xp: Any, x: Any, /) -> Any:
    """Return ``x`` times the distribution function of the normal distribution."""
    return xp.where(x == -math.inf, -0.0, x * normal_cdf(xp, x))
