"""Matrices of 8 and 4 bits, of a quarter and an eighth of the memory of float32."""

from __future__ import annotations

from typing import Any

import numpy as np

from corepy._cython.core import Tensor
from corepy._cython.cpu import networks
from corepy.nn._checks import check_ndim, floats, namespace_of
from corepy.nn._native import native

# A block of the matrix as the kernels read it (kernels/quantized.hpp): so many rows and columns.
ROWS, COLUMNS = 16, 32


def repeated(xp: Any, factors: Any, times: int, count: int) -> Any:
    """Return each column several times in a row, and of all of them the first ones."""
    return xp.repeat(factors, times, axis=1)[:, :count]


def dequantized(xp: Any, group_size: int, q: Any, scales: Any, minimums: Any = None) -> Any:
    """Return the numbers that integers and the factors of their groups stand for."""
    w = xp.astype(q, xp.float32) * repeated(xp, scales, group_size, q.shape[1])
    return w if minimums is None else w + repeated(xp, minimums, group_size, q.shape[1])


def block_dtype(bits: int, half: bool) -> np.dtype[Any]:
    """Return NumPy's description of a block."""
    factors = ["scales"] if bits == 8 else ["scales", "minimums"]
    kind = np.float16 if half else np.float32
    q = ("q", np.uint8, (COLUMNS * bits // 8 // 4, ROWS, 4))
    return np.dtype([q, *((name, kind, (ROWS,)) for name in factors)])


def pack(q: Any, factors: list[Any], bits: int, half: bool) -> Any:
    """Return the blocks of a matrix, of its integers and of factors for groups of 32 columns."""
    rows, columns = q.shape
    shape = -(-rows // ROWS), -(-columns // COLUMNS)
    blocks = np.zeros(shape, block_dtype(bits, half))
    padded = np.zeros((shape[0] * ROWS, shape[1] * COLUMNS), np.uint8)
    padded[:rows, :columns] = q.view(np.uint8)
    # The last axis has 4 columns of one row.
    fours = padded.reshape(shape[0], ROWS, shape[1], COLUMNS // 4, 4).transpose(0, 2, 3, 1, 4)
    blocks["q"] = fours if bits == 8 else fours[:, :, :4] | fours[:, :, 4:] << 4
    for name, values in zip(blocks.dtype.names[1:], factors, strict=True):
        lines = np.zeros((shape[0] * ROWS, shape[1]), np.float32)
        lines[:rows] = values
        blocks[name] = lines.reshape(shape[0], ROWS, shape[1]).transpose(0, 2, 1)
    return blocks


def unpack(blocks: Any, bits: int, rows: int, columns: int) -> tuple[Any, list[Any]]:
    """Return the integers and the factors that `pack` was given."""
    fours = blocks["q"]
    if bits == 4:
        fours = np.concatenate([fours & 15, fours >> 4], axis=2)
    q = fours.transpose(0, 3, 1, 2, 4).reshape(blocks.shape[0] * ROWS, blocks.shape[1] * COLUMNS)
    lines = blocks.shape[0] * ROWS, blocks.shape[1]
    factors = [
        blocks[name].transpose(0, 2, 1).reshape(lines)[:rows].astype(np.float32)
        for name in blocks.dtype.names[1:]
    ]
    return q.view(np.int8 if bits == 8 else np.uint8)[:rows, :columns], factors


class QuantizedMatrix:
    """A matrix of integers of 8 or 4 bits, with factors for groups of elements of each row.

    An element is ``scale * q``, and with 4 bits ``scale * q + minimum``. `quantize` makes one of
    the numbers of a matrix, and `from_groups` of integers and factors.

    Products ``x @ matrix.T``, ``matrix @ x`` and ``nn.linear(x, matrix)`` of float32 on the device
    cpu are sums of integers: elements of ``x``, too, are rounded to 8 bits, with a scale for each
    32 of a row. A row that has a NaN or an infinity gives NaN. On GPUs, products of one row of
    float32 are computed of the integers in float32. Other products, and those on other devices,
    are of ``dequantize()``.

    Attributes
    ----------
    shape : (int, int)
        The number of rows and columns.
    ndim : int
        2.
    bits, group_size : int
        Of an element, and the number of elements in a group.
    error : float or None
        The root mean square of what quantization changed, over that of the elements.
    """

    __slots__ = ("_arrays", "_half", "_shape", "_transposed", "bits", "error", "group_size")
    __array_ufunc__ = None  # NumPy's arrays and matmul leave products to __rmatmul__
    ndim = 2
    bits: int
    group_size: int
    error: float | None
    _shape: tuple[int, int]  # as stored, not transposed
    _transposed: bool
    _arrays: tuple[Any, ...]  # the bytes of blocks on cpu; otherwise the integers and factors
    _half: bool  # whether factors in blocks are float16

    def __init__(self) -> None:
        raise TypeError("QuantizedMatrix: call nn.quantize or QuantizedMatrix.from_groups")

    @classmethod
    def from_groups(
        cls, q: Any, scales: Any, minimums: Any = None, bits: int = 8, group_size: int = 32
    ) -> QuantizedMatrix:
        """Return the matrix of elements ``scales * q + minimums``, unchanged.

        Parameters
        ----------
        q : array
            Integers of shape (N, K): int8 with 8 bits, uint8 or int8 in [0, 15] with 4 bits.
        scales : array
            float32 of shape (N, G), finite: for groups of ``group_size`` elements of a row, of
            which the last may have fewer.
        minimums : array
            The same, with 4 bits alone.
        bits, group_size : int
            8 or 4; a multiple of 32.
        """
        check_sizes("from_groups", bits, group_size)
        xp = namespace_of("from_groups", "q", q)
        check_ndim("from_groups", "q", q, 2, "(N, K)")
        allowed = ["int8"] if bits == 8 else ["uint8", "int8"]
        if all(q.dtype != getattr(xp, name) for name in allowed):
            raise TypeError(
                f"from_groups: expected q of {' or '.join(allowed)} with {bits} bits, got {q.dtype}"
            )
        if (minimums is None) != (bits == 8):
            given = "none" if minimums is None else "some"
            raise ValueError(
                f"from_groups: expected minimums with 4 bits alone, got {given} with {bits}"
            )
        if bits == 4 and not bool(xp.all((q >= 0) & (q <= 15))):
            raise ValueError("from_groups: expected q in [0, 15] with 4 bits, got others")
        groups = q.shape[0], -(-q.shape[1] // group_size)
        factors = (
            {"scales": scales} if minimums is None else {"scales": scales, "minimums": minimums}
        )
        floats("from_groups", **factors)
        for name, values in factors.items():
            if values.shape != groups or values.dtype != xp.float32:
                raise ValueError(
                    f"from_groups: expected {name} of float32 and shape {groups}, "
                    f"got {values.dtype} and {values.shape}"
                )
            if not bool(xp.all(xp.isfinite(values))):
                raise ValueError(f"from_groups: expected finite {name}, got others")
        self = cls.__new__(cls)
        self._shape, self._transposed = q.shape, False
        self.bits, self.group_size, self.error = bits, group_size, None
        self._arrays, self._half = (q, *factors.values()), False
        if isinstance(q, Tensor) and q.device == "cpu":
            count = -(-q.shape[1] // COLUMNS)
            narrow = [np.asarray(values) for values in factors.values()]
            # Factors of 4 bits are a third of a block in float32, and a fifth in float16.
            with np.errstate(over="ignore"):
                self._half = all((each.astype(np.float16) == each).all() for each in narrow)
            lines = [repeated(np, each, group_size // COLUMNS, count) for each in narrow]
            blocks = pack(np.ascontiguousarray(q), lines, bits, self._half)
            self._arrays = (xp.asarray(blocks.reshape(-1).view(np.uint8), copy=True),)
        return self

    @property
    def shape(self) -> tuple[int, int]:
        rows, columns = self._shape
        return (columns, rows) if self._transposed else (rows, columns)

    @property
    def T(self) -> QuantizedMatrix:
        """The transposed matrix, of the same memory."""
        turned = QuantizedMatrix.__new__(QuantizedMatrix)
        for name in self.__slots__:
            setattr(turned, name, getattr(self, name))
        turned._transposed = not self._transposed
        return turned

    @property
    def dtype(self) -> Any:
        """The dtype of `dequantize` and of products with float32."""
        return self._arrays[0].__array_namespace__().float32

    @property
    def device(self) -> Any:
        """The device of the elements."""
        return self._arrays[0].device

    @property
    def nbytes(self) -> int:
        """The bytes of the integers and factors."""
        q, *factors = self._arrays
        return int(q.size + 4 * sum(each.size for each in factors))

    def dequantize(self) -> Any:
        """Return the elements, an array of float32."""
        first = self._arrays[0]
        xp = first.__array_namespace__()
        if len(self._arrays) > 1:
            w = dequantized(xp, self.group_size, *self._arrays)
        else:
            rows, columns = self._shape
            blocks = np.asarray(first).view(block_dtype(self.bits, self._half))
            blocks = blocks.reshape(-(-rows // ROWS), -(-columns // COLUMNS))
            q, factors = unpack(blocks, self.bits, rows, columns)
            w = xp.asarray(dequantized(np, COLUMNS, q, *factors), copy=True)
        return w.T if self._transposed else w

    def rows_times(self, x: Any) -> Any:
        """Return ``x @ self.T``, without an object of the transposed matrix."""
        return x @ self.T if self._transposed else self.times_rows(x)

    def times_rows(self, x: Any) -> Any:
        """Return ``x @ w.T`` of an array (..., K) and the matrix w as it is stored, (N, K)."""
        rows, columns = self._shape
        if x.ndim == 0 or x.shape[-1] != columns:
            raise ValueError(
                f"matmul: the sizes to sum over must be the same, got an array of shape {x.shape} "
                f"and a matrix of shape {self.shape}"
            )
        y = None
        if len(self._arrays) == 1:
            y = networks.quantized_product(self._arrays[0], self.bits, self._half, rows, x)
        else:
            y = native("multiply_quantized", x, *self._arrays, group_size=self.group_size)
        if y is None:
            stored = self.T if self._transposed else self
            y = x @ stored.dequantize().T
        return y

    def __matmul__(self, x: Any) -> Any:
        if not hasattr(x, "__array_namespace__"):
            return NotImplemented
        if self._transposed:
            return self.dequantize() @ x
        if x.ndim < 2:
            return self.times_rows(x)
        xp = x.__array_namespace__()
        return xp.matrix_transpose(self.times_rows(xp.matrix_transpose(x)))

    def __rmatmul__(self, x: Any) -> Any:
        if not hasattr(x, "__array_namespace__"):
            return NotImplemented
        return self.times_rows(x) if self._transposed else x @ self.dequantize()

    def __repr__(self) -> str:
        return (
            f"QuantizedMatrix(shape={self.shape}, bits={self.bits}, "
            f"group_size={self.group_size}, device={str(self.device)!r})"
        )


def check_sizes(function: str, bits: int, group_size: int) -> None:
    """Raise unless there are matrices of such elements and groups."""
    if not isinstance(bits, int) or bits not in (8, 4):
        raise ValueError(f"{function}: expected bits of 8 or 4, got {bits!r}")
    if not isinstance(group_size, int) or group_size < 1 or group_size % COLUMNS:
        raise ValueError(
            f"{function}: expected group_size to be a multiple of {COLUMNS}, got {group_size!r}"
        )


def half_above(xp: Any, x: Any) -> Any:
    """Return numbers of float16, as float32, that are not below those of an array, and near."""

    def nearest(x: Any) -> Any:
        # The first 11 bits (Dekker 1971), and multiples of the least subnormal number.
        shifted = x * 8193.0
        rounded = shifted - (shifted - x)
        return xp.where(xp.abs(x) < 2.0**-14, xp.round(x * 2.0**24) * 2.0**-24, rounded)

    near = nearest(x)
    return xp.where(near >= x, near, nearest(x + xp.maximum(xp.abs(x) * 0.001, 2.0**-24)))


def quantize(w: Any, bits: int = 8, group_size: int | None = None) -> QuantizedMatrix:
    """Round a matrix to integers of 8 or 4 bits, with factors for groups of elements of each row.

    Parameters
    ----------
    w : array
        Floating-point numbers of shape (N, K), finite and of less than 2**126.
    bits : int
        8: ``q`` is in [-127, 127], and the scale of a group its largest magnitude over 127.
        4: ``q`` is in [0, 15]; the scale and the minimum of a group cover its elements.
    group_size : int, optional
        A multiple of 32, which is the default.

    Returns
    -------
    QuantizedMatrix
        Its elements differ by at most half the scale of their group.
    """
    xp = floats("quantize", w=w)
    group_size = COLUMNS if group_size is None else group_size
    check_sizes("quantize", bits, group_size)
    check_ndim("quantize", "w", w, 2, "(N, K)")
    w = xp.astype(w, xp.float32)
    if not bool(xp.all(xp.abs(w) < 2.0**126)):
        raise ValueError("quantize: expected finite elements of less than 2**126 in w, got others")
    rows, columns = w.shape
    groups = -(-columns // group_size)
    # The last group is filled with its last element, which changes neither extreme.
    more = xp.repeat(w[:, columns - 1 :], groups * group_size - columns, axis=1)
    lines = xp.reshape(xp.concat([w, more], axis=1), (rows, groups, group_size))
    largest = xp.max(xp.abs(lines), axis=-1)
    top = float(xp.max(largest)) if rows and columns else 0.0
    # What float16 holds takes less memory. Not if all factors were near its least number.
    narrow = 2.0**-7 <= top <= 2.0**15
    minimums = None
    if bits == 8:
        scales, least, most = largest / 127.0, -127.0, 127.0
    else:
        low, high = xp.min(lines, axis=-1), xp.max(lines, axis=-1)
        minimums = -half_above(xp, -low) if narrow else low
        scales, least, most = (high - minimums) / 15.0, 0.0, 15.0
        lines = lines - minimums[..., None]
    if narrow:
        scales = half_above(xp, scales)
    steps = xp.where(scales == 0, 1.0, scales)
    numbers = xp.clip(xp.round(lines / steps[..., None]), least, most)
    q = xp.astype(
        xp.reshape(numbers, (rows, groups * group_size))[:, :columns],
        xp.int8 if bits == 8 else xp.uint8,
    )
    matrix = QuantizedMatrix.from_groups(q, scales, minimums, bits, group_size)
    matrix.error = 0.0
    if top > 0:
        change = (w - matrix.dequantize()) / top
        matrix.error = float(xp.sqrt(xp.sum(change * change) / xp.sum((w / top) ** 2)))
    return matrix
