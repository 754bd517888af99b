"""The operations of an inference engine for one sequence, on float32."""

from __future__ import annotations

from typing import Any

from corepy._cython.core import Tensor
from corepy.backend import BackendPreference, init_backend
from corepy.nn._activations import silu, softmax
from corepy.nn._normalization import rms_norm
from corepy.nn._quantized import QuantizedMatrix
from corepy.nn._sequences import rope


class KernelBackend:
    """Operations under the names that inference engines use, which write where they are told to.

    Operands are float32 tensors on the device of the backend, matrices of weights may be quantized;
    shapes must match exactly.

    Parameters
    ----------
    preference : BackendPreference or str, optional
        As for `corepy.backend.init_backend`.

    Attributes
    ----------
    backend : Backend
    device : Device
        Its first.

    Examples
    --------
    >>> import corepy.array_api as xp
    >>> from corepy import nn
    >>> engine = nn.KernelBackend("cpu")
    >>> engine.matmul_vec(xp.ones((2, 3), dtype=xp.float32), xp.ones(3, dtype=xp.float32))
    Tensor([3., 3.], dtype=float32)
    """

    def __init__(self, preference: BackendPreference | str = "auto") -> None:
        self.backend = init_backend(preference)
        self.device = self.backend.devices()[0]

    def __repr__(self) -> str:
        return f"KernelBackend({self.backend.name!r})"

    def matmul_vec(self, w: Any, x: Tensor) -> Tensor:
        """Return ``w @ x`` of a matrix (N, K) and a vector (K,)."""
        k = self._matrix("matmul_vec", "w", w)[1]
        self._check("matmul_vec", "x", x, (k,))
        return w @ x

    def matmul_vec_into(self, w: Any, x: Tensor, out: Tensor) -> None:
        """Write ``w @ x`` of a matrix (N, K) and a vector (K,) to `out` (N,)."""
        n, k = self._matrix("matmul_vec_into", "w", w)
        self._check("matmul_vec_into", "x", x, (k,))
        self._check("matmul_vec_into", "out", out, (n,))
        out[...] = w @ x

    def matmul(self, a: Tensor, b: Any) -> Tensor:
        """Return ``a @ b`` of matrices (M, K) and (K, N)."""
        _, k = self._matrix("matmul", "a", a)
        inner, n = self._matrix("matmul", "b", b)
        if inner != k:
            raise ValueError(f"matmul: expected b of shape ({k}, N), got {(inner, n)}")
        return a @ b

    def rmsnorm(self, x: Tensor, weight: Tensor, eps: float = 1e-6) -> None:
        """Replace a vector by `rms_norm` of it."""
        self._vector("rmsnorm", "x", x)
        self._check("rmsnorm", "weight", weight, x.shape)
        x[...] = rms_norm(x, weight, eps)

    def softmax(self, x: Tensor) -> None:
        """Replace a vector by `softmax` of it."""
        self._vector("softmax", "x", x)
        x[...] = softmax(x)

    def softmax_view(self, x: Tensor) -> None:
        """Replace a vector, a part of another one for example, by `softmax` of it."""
        self._vector("softmax_view", "x", x)
        x[...] = softmax(x)

    def silu(self, x: Tensor) -> Tensor:
        """Return `silu` of each element, as a new array."""
        self._check("silu", "x", x, None)
        return silu(x)

    def apply_rope(self, x: Tensor, cos: Tensor, sin: Tensor) -> None:
        """Replace heads (..., E) by `rope` of them, for angles (E / 2,)."""
        self._check("apply_rope", "x", x, None)
        for name, angles in (("cos", cos), ("sin", sin)):
            self._check("apply_rope", name, angles, (x.shape[-1] // 2 if x.ndim else 0,))
        x[...] = rope(x, cos, sin)

    def compute_attention_scores(
        self, query: Tensor, keys: Tensor, scores: Tensor, scale: float
    ) -> None:
        """Write the products of a query (E,) with keys (S, E), times `scale`, to `scores` (S,)."""
        rows, width = self._matrix("compute_attention_scores", "keys", keys)
        self._check("compute_attention_scores", "query", query, (width,))
        self._check("compute_attention_scores", "scores", scores, (rows,))
        scores[...] = (keys @ query) * scale

    def weighted_sum_rows(self, weights: Tensor, matrix: Tensor, out: Tensor) -> None:
        """Write the sum of the rows of a matrix (S, E), times weights (S,), to `out` (E,)."""
        rows, width = self._matrix("weighted_sum_rows", "matrix", matrix)
        self._check("weighted_sum_rows", "weights", weights, (rows,))
        self._check("weighted_sum_rows", "out", out, (width,))
        out[...] = weights @ matrix

    def _check(self, function: str, name: str, x: Any, shape: tuple[int, ...] | None) -> None:
        """Raise unless `x` is a float32 tensor of this device, and of a shape."""
        if not isinstance(x, Tensor) or str(x.dtype) != "float32" or x.device != self.device:
            given = f"{x.dtype} on {x.device}" if isinstance(x, Tensor) else type(x).__name__
            raise TypeError(
                f"{function}: expected {name} to be a float32 tensor on {self.device}, got {given}"
            )
        if shape is not None and x.shape != shape:
            raise ValueError(f"{function}: expected {name} of shape {shape}, got {x.shape}")

    def _vector(self, function: str, name: str, x: Any) -> None:
        self._check(function, name, x, None)
        if x.ndim != 1:
            raise ValueError(f"{function}: expected {name} of shape (N,), got {x.shape}")

    def _matrix(self, function: str, name: str, x: Any) -> tuple[int, int]:
        """Return the shape of a matrix, which may be quantized."""
        if not isinstance(x, QuantizedMatrix):
            self._check(function, name, x, None)
        if x.ndim != 2:
            raise ValueError(f"{function}: expected {name} of shape (N, K), got {x.shape}")
        return x.shape
