# Types of the drop-in's array. Documentation is in the source; tests/test_stubs.py compares this
# file with the module. Results are arrays here, where without axes they are scalars of NumPy's.

from collections.abc import Iterator, Sequence
from typing import Any, Self, SupportsIndex

from numpy.typing import DTypeLike

from corepy._cython.core import (
    Device,
    Tensor,
    _ArrayLike,
    _Axis,
    _DTypeT_co,
    _Key,
    _Operand,
    _Out,
    _Scalar,
    _Shape,
    _ShapeT_co,
)
from corepy.numpy._attributes import Flags, Flat

class ndarray(Tensor[_ShapeT_co, _DTypeT_co]):
    """An array of numbers on a device, which behaves as NumPy's arrays do."""

    def __init__(
        self,
        shape: _Shape,
        dtype: DTypeLike = float,
        buffer: Any = None,
        offset: SupportsIndex = 0,
        strides: _Shape | None = None,
        order: str | None = None,
    ) -> None: ...
    def __array_finalize__(self, obj: Any, /) -> None: ...
    # Elements are NumPy's scalars.
    def __getitem__(self, key: _Key, /) -> Any: ...
    def __iter__(self) -> Iterator[Any]: ...
    def copy(self, order: str = "C") -> Self:
        """Return a copy."""
    def astype(
        self,
        dtype: DTypeLike,
        order: str = "K",
        casting: str = "unsafe",
        subok: bool = True,
        copy: bool = True,
        *,
        device: Device | str | None = None,
    ) -> Self:
        """Return the elements as another dtype; see `corepy.array_api.astype`."""
    def reshape(self, *shape: _Shape, order: str = "C", copy: bool | None = None) -> Self:
        """Return the elements in another shape; see `corepy.array_api.reshape`."""
    def ravel(self, order: str = "C") -> Self:
        """Return the elements in one dimension, contiguous, without a copy if possible."""
    def flatten(self, order: str = "C") -> Self:
        """Return a copy of the elements in one dimension."""
    def squeeze(self, axis: _Axis = None) -> Self:
        """Return the tensor without its axes of size 1, or without those of `axis`."""
    def transpose(self, *axes: SupportsIndex | Sequence[SupportsIndex] | None) -> Self:
        """Return the tensor with its axes in another order, by default reversed."""
    def resize(self, *new_shape: _Shape | None, refcheck: bool = True) -> None:
        """Change shape and size in place."""
    def fill(self, value: Any) -> None:
        """Write one value to all elements."""
    def view(self, *args: Any, **kwargs: Any) -> Any:
        """Return a view, of another dtype if one is given."""
    def conj(self) -> Self:
        """Return the complex conjugates."""
    def compress(
        self, condition: _ArrayLike, /, axis: _Axis = None, out: _Out = None
    ) -> ndarray: ...
    def tobytes(self, /, order: str = "C") -> bytes: ...
    def tofile(self, /, fid: Any, sep: Any = "", format: Any = "%s") -> None: ...
    def dumps(self, /) -> bytes: ...
    def dump(self, /, file: Any) -> None: ...
    def setflags(self, /, *, write: Any = None, align: Any = None, uic: Any = None) -> None: ...
    @property
    def flags(self) -> Flags: ...
    @property
    def flat(self) -> Flat: ...
    @flat.setter
    def flat(self, value: _Operand) -> None: ...
    @property
    def base(self) -> ndarray | None: ...
    @property
    def data(self) -> memoryview: ...
    @property
    def ctypes(self) -> Any: ...
    def argmax(
        self, axis: int | None = None, out: Tensor | None = None, *, keepdims: bool = False
    ) -> ndarray:
        """Return the index of the first maximum. See `numpy.ndarray.argmax`."""
    def argmin(
        self, axis: int | None = None, out: Tensor | None = None, *, keepdims: bool = False
    ) -> ndarray:
        """Return the index of the first minimum. See `numpy.ndarray.argmin`."""
    def max(
        self,
        axis: _Axis = None,
        out: Tensor | None = None,
        keepdims: bool = False,
        initial: _Scalar = ...,
        where: _Operand = True,
    ) -> ndarray:
        """Return the maximum over `axis`. See `numpy.ndarray.max`."""
    def mean(
        self,
        axis: _Axis = None,
        dtype: DTypeLike | None = None,
        out: Tensor | None = None,
        keepdims: bool = False,
        *,
        where: _Operand = True,
    ) -> ndarray:
        """Return the mean over `axis`. See `numpy.ndarray.mean`."""
    def min(
        self,
        axis: _Axis = None,
        out: Tensor | None = None,
        keepdims: bool = False,
        initial: _Scalar = ...,
        where: _Operand = True,
    ) -> ndarray:
        """Return the minimum over `axis`. See `numpy.ndarray.min`."""
    def prod(
        self,
        axis: _Axis = None,
        dtype: DTypeLike | None = None,
        out: Tensor | None = None,
        keepdims: bool = False,
        initial: _Scalar = ...,
        where: _Operand = True,
    ) -> ndarray:
        """Return the product over `axis`. See `numpy.ndarray.prod`."""
    def std(
        self,
        axis: _Axis = None,
        dtype: DTypeLike | None = None,
        out: Tensor | None = None,
        ddof: float = 0.0,
        keepdims: bool = False,
        *,
        where: _Operand = True,
        mean: _Operand = ...,
        correction: float | None = None,
    ) -> ndarray:
        """Return the standard deviation over `axis`. See `numpy.ndarray.std`."""
    def sum(
        self,
        axis: _Axis = None,
        dtype: DTypeLike | None = None,
        out: Tensor | None = None,
        keepdims: bool = False,
        initial: _Scalar = ...,
        where: _Operand = True,
    ) -> ndarray:
        """Return the sum over `axis`. See `numpy.ndarray.sum`."""
    def var(
        self,
        axis: _Axis = None,
        dtype: DTypeLike | None = None,
        out: Tensor | None = None,
        ddof: float = 0.0,
        keepdims: bool = False,
        *,
        where: _Operand = True,
        mean: _Operand = ...,
        correction: float | None = None,
    ) -> ndarray:
        """Return the variance over `axis`. See `numpy.ndarray.var`."""
    def all(
        self,
        axis: _Axis = None,
        out: Tensor | None = None,
        keepdims: bool = False,
        *,
        where: _Operand = True,
    ) -> ndarray:
        """Return whether all elements over `axis` are true. See `numpy.ndarray.all`."""
    def any(
        self,
        axis: _Axis = None,
        out: Tensor | None = None,
        keepdims: bool = False,
        *,
        where: _Operand = True,
    ) -> ndarray:
        """Return whether any element over `axis` is true. See `numpy.ndarray.any`."""
    # ---- of corepy.numpy
    # generated: methods (tools/stubs.py)
    def argpartition(
        self, kth: Any, /, axis: _Axis = -1, kind: str = "introselect", order: Any = None
    ) -> ndarray: ...
    def argsort(
        self,
        /,
        axis: _Axis = -1,
        kind: str | None = None,
        order: Any = None,
        *,
        stable: bool | None = None,
    ) -> ndarray: ...
    def choose(self, /, choices: Any, out: _Out = None, mode: Any = "raise") -> ndarray: ...
    def cumprod(
        self, /, axis: _Axis = None, dtype: DTypeLike | None = None, out: _Out = None
    ) -> ndarray: ...
    def cumsum(
        self, /, axis: _Axis = None, dtype: DTypeLike | None = None, out: _Out = None
    ) -> ndarray: ...
    def diagonal(
        self, /, offset: SupportsIndex = 0, axis1: SupportsIndex = 0, axis2: SupportsIndex = 1
    ) -> ndarray: ...
    def dot(self, other: Any, /, out: _Out = None) -> ndarray: ...
    def nonzero(self, /) -> tuple[ndarray, ...]: ...
    def put(self, indices: _ArrayLike, values: _ArrayLike, /, mode: Any = "raise") -> None: ...
    def repeat(self, repeats: _ArrayLike, /, axis: _Axis = None) -> ndarray: ...
    def round(self, /, decimals: SupportsIndex = 0, out: _Out = None) -> ndarray: ...
    def searchsorted(
        self, v: _ArrayLike, /, side: str = "left", sorter: _ArrayLike | None = None
    ) -> ndarray: ...
    def swapaxes(self, axis1: SupportsIndex, axis2: SupportsIndex, /) -> ndarray: ...
    def take(
        self, indices: _ArrayLike, /, axis: _Axis = None, out: _Out = None, mode: Any = "raise"
    ) -> ndarray: ...
    def trace(
        self,
        /,
        offset: SupportsIndex = 0,
        axis1: SupportsIndex = 0,
        axis2: SupportsIndex = 1,
        dtype: DTypeLike | None = None,
        out: _Out = None,
    ) -> ndarray: ...
    def clip(
        self,
        /,
        min: _ArrayLike | None = None,
        max: _ArrayLike | None = None,
        out: _Out = None,
        **kwargs: Any,
    ) -> ndarray: ...
    def conjugate(self, /) -> ndarray: ...
    def partition(
        self, kth: Any, /, axis: _Axis = -1, kind: str = "introselect", order: Any = None
    ) -> None: ...
    def sort(
        self,
        /,
        axis: _Axis = -1,
        kind: str | None = None,
        order: Any = None,
        *,
        stable: bool | None = None,
    ) -> None: ...
    def byteswap(self, /, inplace: Any = False) -> ndarray: ...
    def getfield(self, /, dtype: DTypeLike | None, offset: SupportsIndex = 0) -> ndarray: ...
    def setfield(
        self, val: _ArrayLike, /, dtype: DTypeLike | None, offset: SupportsIndex = 0
    ) -> None: ...
    # end of generated: methods
