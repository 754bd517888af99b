"""Functions of each element, and of each line along an axis."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from corepy._cython.core import Tensor, function_of
from corepy.backend.corrections import STANDARD
from corepy.nn._checks import check_axis, floats, in_one_pass, rounded_once
from corepy.nn._native import overridden


def stored(function: str, x: Any, out: Any, compute: Callable[[], Any]) -> Any:
    """Return what `compute` returns, of the shape and dtype of x, or have `out` store it."""
    if out is None:
        return compute()
    if not isinstance(out, Tensor if isinstance(x, Tensor) else type(x)):
        raise TypeError(f"{function}: expected out of the class of x, got {type(out).__name__}")
    if out.shape != x.shape or out.dtype != x.dtype:
        raise ValueError(
            f"{function}: expected out of shape {x.shape} and dtype {x.dtype}, "
            f"got {out.shape} and {out.dtype}"
        )
    out[...] = compute()  # nothing else refers to the result: it is computed in this memory
    return out


def activation(function: str, operation: str, x: Any, out: Any) -> Any:
    """Compute an operation of the schema, which tensors of all devices have, or by its parts."""
    xp = floats(function, x=x)
    if isinstance(x, Tensor):
        return stored(function, x, out, lambda: function_of(operation)(x))
    return stored(function, x, out, lambda: STANDARD[operation](xp, x))


def relu(x: Any, *, out: Any = None) -> Any:
    """Return the larger of each element and 0; NaN stays NaN.

    Parameters
    ----------
    x : array
        Floating-point numbers.
    out : array, optional
        Of the shape and dtype of ``x``; it has the result then, and is returned.

    Returns
    -------
    array
        Of the shape and dtype of ``x``.
    """
    xp = floats("relu", x=x)
    return stored("relu", x, out, lambda: xp.maximum(x, 0.0))


def sigmoid(x: Any, *, out: Any = None) -> Any:
    """Return ``1 / (1 + exp(-x))`` of each element.

    Parameters
    ----------
    x : array
        Floating-point numbers.
    out : array, optional
        Of the shape and dtype of ``x``; it has the result then, and is returned.

    Returns
    -------
    array
        Of the shape and dtype of ``x``, in [0, 1].
    """
    return activation("sigmoid", "sigmoid", x, out)


def silu(x: Any, *, out: Any = None) -> Any:
    """Return ``x * sigmoid(x)`` of each element (Elfwing et al. 2017, arXiv:1702.03118).

    Parameters
    ----------
    x : array
        Floating-point numbers.
    out : array, optional
        Of the shape and dtype of ``x``; it has the result then, and is returned.

    Returns
    -------
    array
        Of the shape and dtype of ``x``; -0.0 for -inf.
    """
    return activation("silu", "silu", x, out)


def softplus(x: Any, beta: float = 1.0, threshold: float = 20.0, *, out: Any = None) -> Any:
    """Return ``log(1 + exp(beta * x)) / beta`` of each element.

    Parameters
    ----------
    x : array
        Floating-point numbers.
    beta : float
        A factor above 0.
    threshold : float
        Where ``beta * x`` is larger, the result is ``x``.
    out : array, optional
        Of the shape and dtype of ``x``; it has the result then, and is returned.

    Returns
    -------
    array
        Of the shape and dtype of ``x``.
    """
    xp = floats("softplus", x=x)
    if not beta > 0:
        raise ValueError(f"softplus: expected beta above 0, got {beta}")

    def compute() -> Any:
        scaled = x * beta
        return xp.where(scaled > threshold, x, xp.logaddexp(scaled, 0.0) / beta)

    return stored("softplus", x, out, compute)


def gelu(x: Any, approximate: Literal["none", "tanh"] = "none", *, out: Any = None) -> Any:
    """Return ``x`` times the normal distribution function (Hendrycks and Gimpel, arXiv:1606.08415).

    Parameters
    ----------
    x : array
        Floating-point numbers.
    approximate : {"none", "tanh"}
        "tanh": by ``x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x**3)))``.
    out : array, optional
        Of the shape and dtype of ``x``; it has the result then, and is returned.

    Returns
    -------
    array
        Of the shape and dtype of ``x``; -0.0 for -inf.
    """
    if approximate not in ("none", "tanh"):
        raise ValueError(f"gelu: expected approximate to be 'none' or 'tanh', got {approximate!r}")
    return activation("gelu", "gelu_tanh" if approximate == "tanh" else "gelu", x, out)


def below_largest(function: str, x: Any, axis: int) -> tuple[Any, Any]:
    """Return the namespace, and elements less the largest of their line, a new array."""
    xp = floats(function, x=x)
    check_axis(function, x, axis)
    largest = xp.max(x, axis=axis, keepdims=True) if x.shape[axis] else 0.0
    return xp, x - largest


@overridden
@rounded_once
@in_one_pass
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
    return powers * (1.0 / xp.sum(powers, axis=axis, keepdims=True))


@overridden
@rounded_once
@in_one_pass
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
