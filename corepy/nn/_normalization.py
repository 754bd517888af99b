"""Normalisations over the last axis."""

from __future__ import annotations

from typing import Any

from corepy.nn._checks import floats, in_one_pass, rounded_once
from corepy.nn._native import overridden


def check_factors(function: str, x: Any, **factors: Any) -> None:
    """Raise unless what multiplies or is added has one element for each of the last axis."""
    if x.ndim == 0:
        raise ValueError(f"{function}: expected x of at least one axis, got shape ()")
    for name, factor in factors.items():
        if factor is None:
            continue
        floats(function, **{name: factor})
        if factor.shape != x.shape[-1:]:
            raise ValueError(
                f"{function}: expected {name} of shape {x.shape[-1:]}, the last axis of x, "
                f"got {factor.shape}"
            )


@overridden
@rounded_once
@in_one_pass
def rms_norm(x: Any, weight: Any = None, eps: float = 1e-6) -> Any:
    """Return ``x / sqrt(mean(x**2) + eps) * weight`` (Zhang and Sennrich 2019, arXiv:1910.07467).

    Parameters
    ----------
    x : array
        Floating-point numbers of shape (..., E).
    weight : array, optional
        Of shape (E,).
    eps : float
        Added to the mean of squares.

    Returns
    -------
    array
        Of the shape of ``x``; means are over the last axis.
    """
    xp = floats("rms_norm", x=x)
    check_factors("rms_norm", x, weight=weight)
    if x.shape[-1] == 0:
        return xp.asarray(x, copy=True)
    y = x * (1.0 / xp.sqrt(xp.mean(x * x, axis=-1, keepdims=True) + eps))
    return y if weight is None else y * weight


@overridden
@rounded_once
@in_one_pass
def layer_norm(x: Any, weight: Any = None, bias: Any = None, eps: float = 1e-5) -> Any:
    """Return ``(x - mean(x)) / sqrt(var(x) + eps) * weight + bias`` (Ba et al., arXiv:1607.06450).

    Parameters
    ----------
    x : array
        Floating-point numbers of shape (..., E).
    weight, bias : array, optional
        Of shape (E,).
    eps : float
        Added to the variance.

    Returns
    -------
    array
        Of the shape of ``x``; mean and variance are over the last axis.
    """
    xp = floats("layer_norm", x=x)
    check_factors("layer_norm", x, weight=weight, bias=bias)
    if x.shape[-1] == 0:
        return xp.asarray(x, copy=True)
    centred = x - xp.mean(x, axis=-1, keepdims=True)
    y = centred * (1.0 / xp.sqrt(xp.mean(centred * centred, axis=-1, keepdims=True) + eps))
    y = y if weight is None else y * weight
    return y if bias is None else y + bias
