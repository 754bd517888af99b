"""Comparison of a result with the reference's: values, and what factorisations are defined by."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from corepy import Tensor
from corepy.backend.execution import fits
from corepy.testing._checks.drawing import Call

#: How many units of rounding a value may be off, relative to what it was computed from.
UNITS = 64.0


class Difference(Exception):
    """A result is not what it should be."""


def described(result: Any) -> Any:
    """Return the dtype and shape of a result, or those of several."""
    if isinstance(result, Tensor):
        return result.dtype, result.shape
    return tuple(map(described, result))


def agree(found: Any, expected: Any) -> bool:
    """Tell whether what was inferred is a description, None being any size of an axis."""
    if found and isinstance(found[0], np.dtype):
        return found[0] == expected[0] and fits(expected[1], found[1])
    return len(found) == len(expected) and all(map(agree, found, expected))


def to_host(result: Any) -> Any:
    """Return a result with ndarrays instead of tensors."""
    if isinstance(result, Tensor):
        return np.asarray(result.device.backend.to_numpy(result))
    return tuple(map(to_host, result))


def compare(actual: Any, expected: Any, call: Call, elementwise: bool) -> None:
    """Raise `Difference` unless ndarrays agree, or meet the definition of a factorisation."""
    name = call.name.rpartition(".")[2]
    if name in ("empty", "empty_like"):
        return
    if name in DEFINITIONS:
        DEFINITIONS[name](actual, call)
        return
    if isinstance(expected, tuple):
        for place, (one, other) in enumerate(zip(actual, expected, strict=True)):
            try:
                compare(one, other, call, elementwise)
            except Difference as error:
                raise Difference(f"result {place}: {error}") from None
        return
    if name == "eigvals":
        actual, expected = np.sort_complex(actual), np.sort_complex(expected)
    _compare_values(actual, expected, 0.0 if elementwise else scale(call))


def scale(call: Call) -> float:
    """Return a bound of what is added to a result: products of the largest arguments."""
    largest = 1.0
    longest = 1
    for array in call.arrays:
        values = np.abs(array.astype(np.complex128))
        values = values[np.isfinite(values)]
        largest = max(largest, float(values.max(initial=0.0)))
        longest = max(longest, *array.shape, 1)
    return largest**2 * longest


def _compare_values(actual: np.ndarray, expected: np.ndarray, added: float) -> None:
    if expected.dtype.kind not in "fc":
        wrong = np.asarray(actual != expected)
    else:
        eps = float(np.finfo(expected.dtype).eps)
        with np.errstate(all="ignore"):
            size = np.abs(expected)
            largest = float(np.max(size[np.isfinite(size)], initial=0.0)) if added else 0.0
            size = np.where(np.isfinite(size), size, 0.0)
            tolerance = UNITS * eps * np.maximum(size, max(added, largest))
            near = np.abs(actual - expected) <= tolerance
            same = near | (actual == expected) | (np.isnan(actual) & np.isnan(expected))
        wrong = ~np.asarray(same)
    if wrong.any():
        place = tuple(int(i) for i in np.argwhere(np.atleast_1d(wrong))[0])
        one, other = np.atleast_1d(actual)[place], np.atleast_1d(expected)[place]
        raise Difference(
            f"element {list(place)} is {one}, not {other} "
            f"({int(wrong.sum())} of {wrong.size} are wrong)"
        )


# ---- factorisations, which are unique up to signs and order


def _wide(x: Any) -> np.ndarray:
    return np.asarray(x).astype(np.complex128)


def _adjoint(x: np.ndarray) -> np.ndarray:
    return np.conj(np.swapaxes(x, -1, -2))


def _require(one: np.ndarray, other: np.ndarray, dtype: np.dtype, call: Call, what: str) -> None:
    tolerance = UNITS * float(np.finfo(dtype).eps) * scale(call)
    difference = float(np.abs(one - other).max(initial=0.0))
    if not difference <= tolerance:
        raise Difference(f"{what}: off by {difference:.2g}")


def _eigen(result: Any, call: Call) -> None:
    values, vectors = map(_wide, result)
    x, dtype = _wide(call.inputs[0]), result[1].dtype
    _require(x @ vectors, vectors * values[..., None, :], dtype, call, "x v - v w")
    lengths = np.linalg.norm(vectors, axis=-2)
    _require(lengths, np.ones_like(lengths), dtype, call, "lengths of eigenvectors")


def _qr(result: Any, call: Call) -> None:
    q, r = map(_wide, result)
    dtype = result[0].dtype
    _require(q @ r, _wide(call.inputs[0]), dtype, call, "Q R - x")
    _require(_adjoint(q) @ q, np.eye(q.shape[-1]), dtype, call, "Q* Q - 1")
    if not np.array_equal(r, np.triu(r)):
        raise Difference("R is not triangular")


def _svd(result: Any, call: Call) -> None:
    u, s, vh = map(_wide, result)
    count, dtype = s.shape[-1], result[0].dtype
    product = (u[..., :count] * s[..., None, :]) @ vh[..., :count, :]
    _require(product, _wide(call.inputs[0]), dtype, call, "U S Vh - x")
    _require(_adjoint(u) @ u, np.eye(u.shape[-1]), dtype, call, "U* U - 1")
    _require(vh @ _adjoint(vh), np.eye(vh.shape[-2]), dtype, call, "Vh Vh* - 1")
    if np.any(np.diff(s.real, axis=-1) > 0) or np.any(s.real < 0):
        raise Difference("singular values are not sorted, or negative")


DEFINITIONS: dict[str, Callable[[Any, Call], None]] = {
    "eig": _eigen,
    "eigh": _eigen,
    "qr": _qr,
    "svd": _svd,
}
