"""Products with weights, embeddings, positions and attention."""

from __future__ import annotations

import math
from typing import Any

from corepy._cython.core import Tensor
from corepy._cython.cpu.networks import attend, rotate
from corepy.nn._activations import softmax
from corepy.nn._checks import floats, rounded_once
from corepy.nn._native import native
from corepy.nn._quantized import QuantizedMatrix


def linear(x: Any, weight: Any, bias: Any = None) -> Any:
    """Return ``x @ weight.T + bias``.

    Parameters
    ----------
    x : array
        Floating-point numbers of shape (..., K).
    weight : array or QuantizedMatrix
        Of shape (N, K).
    bias : array, optional
        Of shape (N,).

    Returns
    -------
    array
        Of shape (..., N).
    """
    arrays = {} if isinstance(weight, QuantizedMatrix) else {"weight": weight}
    xp = floats("linear", x=x, **arrays)
    if weight.ndim != 2 or x.ndim == 0 or x.shape[-1] != weight.shape[1]:
        raise ValueError(
            f"linear: expected x of shape (..., K) and weight of shape (N, K), "
            f"got {x.shape} and {weight.shape}"
        )
    # One product of all rows, whatever axes they have.
    rows = x if x.ndim < 3 else xp.reshape(x, (math.prod(x.shape[:-1]), x.shape[-1]))
    y = rows @ weight.T if arrays else weight.rows_times(rows)
    if x.ndim > 2:
        y = xp.reshape(y, (*x.shape[:-1], weight.shape[0]))
    if bias is None:
        return y
    floats("linear", bias=bias)
    if bias.shape != weight.shape[:1]:
        raise ValueError(f"linear: expected bias of shape {weight.shape[:1]}, got {bias.shape}")
    return y + bias


def embedding(indices: Any, weight: Any) -> Any:
    """Return rows of a matrix.

    Parameters
    ----------
    indices : array
        Integers in [0, N), of any shape.
    weight : array
        Of shape (N, E).

    Returns
    -------
    array
        Of shape ``(*indices.shape, E)`` and the dtype of ``weight``.
    """
    xp = floats("embedding", weight=weight)
    if not xp.isdtype(indices.dtype, "integral"):
        raise TypeError(f"embedding: expected integers as indices, got {indices.dtype}")
    if weight.ndim != 2:
        raise ValueError(f"embedding: expected weight of shape (N, E), got {weight.shape}")
    rows = xp.take(weight, xp.reshape(indices, (-1,)), axis=0)
    return xp.reshape(rows, (*indices.shape, weight.shape[1]))


@rounded_once
def rope(x: Any, cos: Any, sin: Any, interleaved: bool = False) -> Any:
    """Rotate pairs of the last axis by the angles of positions (Su et al. 2021, arXiv:2104.09864).

    Parameters
    ----------
    x : array
        Floating-point numbers of shape (..., E), E even.
    cos, sin : array
        Cosines and sines of the angles, of shapes that broadcast to (..., E / 2).
    interleaved : bool
        Whether pairs are neighbours, ``x[..., 2 * k]`` and ``x[..., 2 * k + 1]``; otherwise they
        are ``x[..., k]`` and ``x[..., k + E / 2]``.

    Returns
    -------
    array
        Of the shape of ``x``.
    """
    xp = floats("rope", x=x, cos=cos, sin=sin)
    half = x.shape[-1] // 2 if x.ndim else 0
    for name, angle in (("cos", cos), ("sin", sin)):
        if x.ndim == 0 or x.shape[-1] % 2 or angle.shape[-1:] not in ((half,), (1,)):
            raise ValueError(
                f"rope: expected x of shape (..., E) with E even, and {name} of shape "
                f"(..., E / 2), got {x.shape} and {angle.shape}"
            )
    if all(isinstance(each, Tensor) for each in (x, cos, sin)):
        y = rotate(x, cos, sin, interleaved)
        if y is not None:
            return y
    if interleaved:
        first, second = x[..., ::2], x[..., 1::2]
    else:
        first, second = x[..., :half], x[..., half:]
    turned = [first * cos - second * sin, second * cos + first * sin]
    if interleaved:
        return xp.reshape(xp.stack(turned, axis=-1), x.shape)
    return xp.concat(turned, axis=-1)


@rounded_once
def scaled_dot_product_attention(
    query: Any,
    key: Any,
    value: Any,
    mask: Any = None,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Any:
    """Return ``softmax(query @ key.T * scale) @ value`` (Vaswani et al. 2017, arXiv:1706.03762).

    Parameters
    ----------
    query : array
        Floating-point numbers of shape (..., heads, L, E).
    key : array
        Of shape (..., heads, S, E).
    value : array
        Of shape (..., heads, S, V).
    mask : array, optional
        Of a shape that broadcasts to (..., heads, L, S): bool, True where a query attends to a key,
        or numbers that are added to the products.
    is_causal : bool
        Whether a query attends to the keys up to its own position alone. Not with ``mask``.
    scale : float, optional
        ``1 / sqrt(E)`` without it.
    enable_gqa : bool
        Whether ``key`` and ``value`` may have fewer heads, a divisor of those of ``query``; each
        then serves as many queries in a row (Ainslie et al. 2023, arXiv:2305.13245).

    Returns
    -------
    array
        Of shape (..., heads, L, V). A query that attends to nothing has zeros.
    """
    xp = floats("scaled_dot_product_attention", query=query, key=key, value=value)
    shapes = f"got query {query.shape}, key {key.shape}, value {value.shape}"
    if min(query.ndim, key.ndim, value.ndim) < 2 or query.shape[-1] != key.shape[-1] \
            or key.shape[-2] != value.shape[-2]:  # fmt: skip
        raise ValueError(
            "scaled_dot_product_attention: expected query of shape (..., L, E), key (..., S, E) "
            f"and value (..., S, V), {shapes}"
        )
    if mask is not None and is_causal:
        raise ValueError("scaled_dot_product_attention: expected mask or is_causal, got both")
    if enable_gqa:
        if min(query.ndim, key.ndim, value.ndim) < 3 or not key.shape[-3] \
                or key.shape[-3] != value.shape[-3] or query.shape[-3] % key.shape[-3]:  # fmt: skip
            raise ValueError(
                "scaled_dot_product_attention: expected a number of heads of query that those of "
                f"key and value divide, {shapes}"
            )
        groups = key.shape[-3]
        query = in_groups(xp, query, groups)
        key, value = xp.expand_dims(key, axis=-3), xp.expand_dims(value, axis=-3)
        if mask is not None and mask.ndim > 2:
            mask = in_groups(xp, mask, groups if mask.shape[-3] > 1 else 1)
    scale = max(query.shape[-1], 1) ** -0.5 if scale is None else scale
    y = attention(xp, query, key, value, mask, is_causal, scale)
    if not enable_gqa:
        return y
    *lead, groups, times, length, width = y.shape
    return xp.reshape(y, (*lead, groups * times, length, width))


def in_groups(xp: Any, x: Any, groups: int) -> Any:
    """Divide the heads, the third axis from the end, into groups, which are an axis before it."""
    return xp.reshape(x, (*x.shape[:-3], groups, x.shape[-3] // groups, *x.shape[-2:]))


def attention(
    xp: Any, query: Any, key: Any, value: Any, mask: Any, is_causal: bool, scale: float
) -> Any:
    """Compute attention, by a kernel where there is one."""
    is_bool = mask is not None and xp.isdtype(mask.dtype, "bool")
    if mask is not None and not is_bool:
        floats("scaled_dot_product_attention", mask=mask)
    tensors = all(x is None or isinstance(x, Tensor) for x in (query, key, value, mask))
    if tensors and key.shape[-2]:
        added = mask
        if mask is not None:
            zero = xp.asarray(0.0, dtype=query.dtype, device=query.device)
            added = xp.where(mask, zero, -math.inf) if is_bool else xp.astype(mask, query.dtype)
            added = xp.reshape(added, (1,) * (2 - mask.ndim) + mask.shape)
        y = attend(query, key, value, added, is_causal, scale)
        if y is None and all(x.dtype == query.dtype for x in (key, value)):
            y = native("scaled_dot_product_attention", query, key, value, added,
                       is_causal=is_causal, scale=scale)  # fmt: skip
        if y is not None:
            return y
    scores = xp.matmul(query, xp.matrix_transpose(key)) * scale
    if is_causal:
        positions = xp.arange(max(scores.shape[-2:]), device=query.device)
        mask = positions[: scores.shape[-1]] <= positions[: scores.shape[-2], None]
    if is_causal or is_bool:
        scores = xp.where(mask, scores, -math.inf)
    elif mask is not None:
        scores = scores + mask
    if scores.shape[-1] == 0:
        return xp.matmul(scores, value)
    is_nothing = xp.max(scores, axis=-1, keepdims=True) == -math.inf
    return xp.matmul(xp.where(is_nothing, 0.0, softmax(scores)), value)
