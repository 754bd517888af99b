# Types of the drop-in's array. Documentation is in the source; tests/test_stubs.py compares this
# file with the module. Results are arrays here, where without axes they are scalars of NumPy's.
# mypy: disable-error-code="misc, overload-overlap, override"

from collections.abc import Iterator, Sequence
from typing import Any, Literal, Self, SupportsIndex, overload

import numpy as np
from numpy.typing import DTypeLike

from corepy._cython.core import (
    Device,
    Tensor,
    _Array,
    _ArrayLike,
    _ArrayOf,
    _Axis,
    _ComplexT,
    _DTypeOf,
    _DTypeT,
    _DTypeT_co,
    _FloatingT,
    _Has,
    _HasDType,
    _InexactT,
    _IntegerT,
    _Integral,
    _Key,
    _NewShapeT,
    _NumberT,
    _OfComponents,
    _Operand,
    _Out,
    _Real,
    _Scalar,
    _ScalarT,
    _Shape,
    _ShapeT,
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
    # Elements are NumPy's scalars: integers are their indices if there is one for each axis.
    @overload
    def __getitem__(self, key: _Array | Tensor, /) -> ndarray[tuple[Any, ...], _DTypeT_co]: ...
    @overload
    def __getitem__(self, key: SupportsIndex | tuple[SupportsIndex, ...], /) -> Any: ...
    @overload
    def __getitem__(self, key: _Key, /) -> ndarray[tuple[Any, ...], _DTypeT_co]: ...
    def __iter__(self) -> Iterator[Any]: ...
    def copy(self, order: str = "C") -> Self:
        """Return a copy."""
    def ravel(self, order: str = "C") -> ndarray[tuple[int], _DTypeT_co]:
        """Return the elements in one dimension, contiguous, without a copy if possible."""
    def flatten(self, order: str = "C") -> ndarray[tuple[int], _DTypeT_co]:
        """Return a copy of the elements in one dimension."""
    def squeeze(self, axis: _Axis = None) -> ndarray[tuple[Any, ...], _DTypeT_co]:
        """Return the tensor without its axes of size 1, or without those of `axis`."""
    def transpose(self, *axes: SupportsIndex | Sequence[SupportsIndex] | None) -> Self:
        """Return the tensor with its axes in another order, by default reversed."""
    def resize(self, *new_shape: _Shape | None, refcheck: bool = True) -> None:
        """Change shape and size in place."""
    def fill(self, value: Any) -> None:
        """Write one value to all elements."""
    @overload
    def view(self) -> Self: ...
    @overload
    def view(self, dtype: _DTypeOf[_ScalarT], /) -> _ArrayOf[_ScalarT]: ...
    @overload
    def view(self, *args: Any, **kwargs: Any) -> Any:
        """Return a view, of another dtype if one is given."""
    def conj(self) -> Self:
        """Return the complex conjugates."""
    def compress(
        self, /, condition: _ArrayLike, axis: _Axis = None, out: _Out = None
    ) -> ndarray[tuple[Any, ...], _DTypeT_co]: ...
    def put(self, /, indices: _ArrayLike, values: _ArrayLike, mode: Any = "raise") -> None: ...
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
    # generated: operators (tools/stubs.py)
    @overload
    def __add__(
        self: _ArrayOf[_NumberT], other: int, /
    ) -> ndarray[_ShapeT_co, np.dtype[_NumberT]]: ...
    @overload
    def __add__(self: _ArrayOf[_ScalarT], other: _Has[_ScalarT], /) -> _ArrayOf[_ScalarT]: ...
    @overload
    def __add__(self: _ArrayOf[_Real], other: _Has[np.float64], /) -> _ArrayOf[np.float64]: ...
    @overload
    def __add__(
        self: _ArrayOf[np.float64], other: _Has[_Real] | Sequence[float], /
    ) -> _ArrayOf[np.float64]: ...
    @overload
    def __add__(
        self: _ArrayOf[np.number | np.bool], other: _Has[np.complex128], /
    ) -> _ArrayOf[np.complex128]: ...
    @overload
    def __add__(
        self: _ArrayOf[np.complex128], other: _Has[np.number | np.bool] | Sequence[complex], /
    ) -> _ArrayOf[np.complex128]: ...
    @overload
    def __add__(
        self: _ArrayOf[_InexactT], other: float, /
    ) -> ndarray[_ShapeT_co, np.dtype[_InexactT]]: ...
    @overload
    def __add__(
        self: _ArrayOf[_ComplexT], other: complex, /
    ) -> ndarray[_ShapeT_co, np.dtype[_ComplexT]]: ...
    @overload
    def __add__(
        self: _ArrayOf[_Integral], other: float, /
    ) -> ndarray[_ShapeT_co, np.dtype[np.float64]]: ...
    @overload
    def __add__(self, other: _Operand, /) -> ndarray: ...
    @overload
    def __radd__(
        self: _ArrayOf[_NumberT], other: int, /
    ) -> ndarray[_ShapeT_co, np.dtype[_NumberT]]: ...
    @overload
    def __radd__(self: _ArrayOf[_ScalarT], other: _Has[_ScalarT], /) -> _ArrayOf[_ScalarT]: ...
    @overload
    def __radd__(self: _ArrayOf[_Real], other: _Has[np.float64], /) -> _ArrayOf[np.float64]: ...
    @overload
    def __radd__(
        self: _ArrayOf[np.float64], other: _Has[_Real] | Sequence[float], /
    ) -> _ArrayOf[np.float64]: ...
    @overload
    def __radd__(
        self: _ArrayOf[np.number | np.bool], other: _Has[np.complex128], /
    ) -> _ArrayOf[np.complex128]: ...
    @overload
    def __radd__(
        self: _ArrayOf[np.complex128], other: _Has[np.number | np.bool] | Sequence[complex], /
    ) -> _ArrayOf[np.complex128]: ...
    @overload
    def __radd__(
        self: _ArrayOf[_InexactT], other: float, /
    ) -> ndarray[_ShapeT_co, np.dtype[_InexactT]]: ...
    @overload
    def __radd__(
        self: _ArrayOf[_ComplexT], other: complex, /
    ) -> ndarray[_ShapeT_co, np.dtype[_ComplexT]]: ...
    @overload
    def __radd__(
        self: _ArrayOf[_Integral], other: float, /
    ) -> ndarray[_ShapeT_co, np.dtype[np.float64]]: ...
    @overload
    def __radd__(self, other: _Operand, /) -> ndarray: ...
    @overload
    def __sub__(
        self: _ArrayOf[_NumberT], other: int, /
    ) -> ndarray[_ShapeT_co, np.dtype[_NumberT]]: ...
    @overload
    def __sub__(self: _ArrayOf[_ScalarT], other: _Has[_ScalarT], /) -> _ArrayOf[_ScalarT]: ...
    @overload
    def __sub__(self: _ArrayOf[_Real], other: _Has[np.float64], /) -> _ArrayOf[np.float64]: ...
    @overload
    def __sub__(
        self: _ArrayOf[np.float64], other: _Has[_Real] | Sequence[float], /
    ) -> _ArrayOf[np.float64]: ...
    @overload
    def __sub__(
        self: _ArrayOf[np.number | np.bool], other: _Has[np.complex128], /
    ) -> _ArrayOf[np.complex128]: ...
    @overload
    def __sub__(
        self: _ArrayOf[np.complex128], other: _Has[np.number | np.bool] | Sequence[complex], /
    ) -> _ArrayOf[np.complex128]: ...
    @overload
    def __sub__(
        self: _ArrayOf[_InexactT], other: float, /
    ) -> ndarray[_ShapeT_co, np.dtype[_InexactT]]: ...
    @overload
    def __sub__(
        self: _ArrayOf[_ComplexT], other: complex, /
    ) -> ndarray[_ShapeT_co, np.dtype[_ComplexT]]: ...
    @overload
    def __sub__(
        self: _ArrayOf[_Integral], other: float, /
    ) -> ndarray[_ShapeT_co, np.dtype[np.float64]]: ...
    @overload
    def __sub__(self, other: _Operand, /) -> ndarray: ...
    @overload
    def __rsub__(
        self: _ArrayOf[_NumberT], other: int, /
    ) -> ndarray[_ShapeT_co, np.dtype[_NumberT]]: ...
    @overload
    def __rsub__(self: _ArrayOf[_ScalarT], other: _Has[_ScalarT], /) -> _ArrayOf[_ScalarT]: ...
    @overload
    def __rsub__(self: _ArrayOf[_Real], other: _Has[np.float64], /) -> _ArrayOf[np.float64]: ...
    @overload
    def __rsub__(
        self: _ArrayOf[np.float64], other: _Has[_Real] | Sequence[float], /
    ) -> _ArrayOf[np.float64]: ...
    @overload
    def __rsub__(
        self: _ArrayOf[np.number | np.bool], other: _Has[np.complex128], /
    ) -> _ArrayOf[np.complex128]: ...
    @overload
    def __rsub__(
        self: _ArrayOf[np.complex128], other: _Has[np.number | np.bool] | Sequence[complex], /
    ) -> _ArrayOf[np.complex128]: ...
    @overload
    def __rsub__(
        self: _ArrayOf[_InexactT], other: float, /
    ) -> ndarray[_ShapeT_co, np.dtype[_InexactT]]: ...
    @overload
    def __rsub__(
        self: _ArrayOf[_ComplexT], other: complex, /
    ) -> ndarray[_ShapeT_co, np.dtype[_ComplexT]]: ...
    @overload
    def __rsub__(
        self: _ArrayOf[_Integral], other: float, /
    ) -> ndarray[_ShapeT_co, np.dtype[np.float64]]: ...
    @overload
    def __rsub__(self, other: _Operand, /) -> ndarray: ...
    @overload
    def __mul__(
        self: _ArrayOf[_NumberT], other: int, /
    ) -> ndarray[_ShapeT_co, np.dtype[_NumberT]]: ...
    @overload
    def __mul__(self: _ArrayOf[_ScalarT], other: _Has[_ScalarT], /) -> _ArrayOf[_ScalarT]: ...
    @overload
    def __mul__(self: _ArrayOf[_Real], other: _Has[np.float64], /) -> _ArrayOf[np.float64]: ...
    @overload
    def __mul__(
        self: _ArrayOf[np.float64], other: _Has[_Real] | Sequence[float], /
    ) -> _ArrayOf[np.float64]: ...
    @overload
    def __mul__(
        self: _ArrayOf[np.number | np.bool], other: _Has[np.complex128], /
    ) -> _ArrayOf[np.complex128]: ...
    @overload
    def __mul__(
        self: _ArrayOf[np.complex128], other: _Has[np.number | np.bool] | Sequence[complex], /
    ) -> _ArrayOf[np.complex128]: ...
    @overload
    def __mul__(
        self: _ArrayOf[_InexactT], other: float, /
    ) -> ndarray[_ShapeT_co, np.dtype[_InexactT]]: ...
    @overload
    def __mul__(
        self: _ArrayOf[_ComplexT], other: complex, /
    ) -> ndarray[_ShapeT_co, np.dtype[_ComplexT]]: ...
    @overload
    def __mul__(
        self: _ArrayOf[_Integral], other: float, /
    ) -> ndarray[_ShapeT_co, np.dtype[np.float64]]: ...
    @overload
    def __mul__(self, other: _Operand, /) -> ndarray: ...
    @overload
    def __rmul__(
        self: _ArrayOf[_NumberT], other: int, /
    ) -> ndarray[_ShapeT_co, np.dtype[_NumberT]]: ...
    @overload
    def __rmul__(self: _ArrayOf[_ScalarT], other: _Has[_ScalarT], /) -> _ArrayOf[_ScalarT]: ...
    @overload
    def __rmul__(self: _ArrayOf[_Real], other: _Has[np.float64], /) -> _ArrayOf[np.float64]: ...
    @overload
    def __rmul__(
        self: _ArrayOf[np.float64], other: _Has[_Real] | Sequence[float], /
    ) -> _ArrayOf[np.float64]: ...
    @overload
    def __rmul__(
        self: _ArrayOf[np.number | np.bool], other: _Has[np.complex128], /
    ) -> _ArrayOf[np.complex128]: ...
    @overload
    def __rmul__(
        self: _ArrayOf[np.complex128], other: _Has[np.number | np.bool] | Sequence[complex], /
    ) -> _ArrayOf[np.complex128]: ...
    @overload
    def __rmul__(
        self: _ArrayOf[_InexactT], other: float, /
    ) -> ndarray[_ShapeT_co, np.dtype[_InexactT]]: ...
    @overload
    def __rmul__(
        self: _ArrayOf[_ComplexT], other: complex, /
    ) -> ndarray[_ShapeT_co, np.dtype[_ComplexT]]: ...
    @overload
    def __rmul__(
        self: _ArrayOf[_Integral], other: float, /
    ) -> ndarray[_ShapeT_co, np.dtype[np.float64]]: ...
    @overload
    def __rmul__(self, other: _Operand, /) -> ndarray: ...
    @overload
    def __floordiv__(
        self: _ArrayOf[_NumberT], other: int, /
    ) -> ndarray[_ShapeT_co, np.dtype[_NumberT]]: ...
    @overload
    def __floordiv__(self: _ArrayOf[_NumberT], other: _Has[_NumberT], /) -> _ArrayOf[_NumberT]: ...
    @overload
    def __floordiv__(self: _ArrayOf[_Real], other: _Has[np.float64], /) -> _ArrayOf[np.float64]: ...
    @overload
    def __floordiv__(
        self: _ArrayOf[np.float64], other: _Has[_Real] | Sequence[float], /
    ) -> _ArrayOf[np.float64]: ...
    @overload
    def __floordiv__(
        self: _ArrayOf[np.number | np.bool], other: _Has[np.complex128], /
    ) -> _ArrayOf[np.complex128]: ...
    @overload
    def __floordiv__(
        self: _ArrayOf[np.complex128], other: _Has[np.number | np.bool] | Sequence[complex], /
    ) -> _ArrayOf[np.complex128]: ...
    @overload
    def __floordiv__(
        self: _ArrayOf[_InexactT], other: float, /
    ) -> ndarray[_ShapeT_co, np.dtype[_InexactT]]: ...
    @overload
    def __floordiv__(
        self: _ArrayOf[_ComplexT], other: complex, /
    ) -> ndarray[_ShapeT_co, np.dtype[_ComplexT]]: ...
    @overload
    def __floordiv__(
        self: _ArrayOf[_Integral], other: float, /
    ) -> ndarray[_ShapeT_co, np.dtype[np.float64]]: ...
    @overload
    def __floordiv__(self, other: _Operand, /) -> ndarray: ...
    @overload
    def __rfloordiv__(
        self: _ArrayOf[_NumberT], other: int, /
    ) -> ndarray[_ShapeT_co, np.dtype[_NumberT]]: ...
    @overload
    def __rfloordiv__(self: _ArrayOf[_NumberT], other: _Has[_NumberT], /) -> _ArrayOf[_NumberT]: ...
    @overload
    def __rfloordiv__(
        self: _ArrayOf[_Real], other: _Has[np.float64], /
    ) -> _ArrayOf[np.float64]: ...
    @overload
    def __rfloordiv__(
        self: _ArrayOf[np.float64], other: _Has[_Real] | Sequence[float], /
    ) -> _ArrayOf[np.float64]: ...
    @overload
    def __rfloordiv__(
        self: _ArrayOf[np.number | np.bool], other: _Has[np.complex128], /
    ) -> _ArrayOf[np.complex128]: ...
    @overload
    def __rfloordiv__(
        self: _ArrayOf[np.complex128], other: _Has[np.number | np.bool] | Sequence[complex], /
    ) -> _ArrayOf[np.complex128]: ...
    @overload
    def __rfloordiv__(
        self: _ArrayOf[_InexactT], other: float, /
    ) -> ndarray[_ShapeT_co, np.dtype[_InexactT]]: ...
    @overload
    def __rfloordiv__(
        self: _ArrayOf[_ComplexT], other: complex, /
    ) -> ndarray[_ShapeT_co, np.dtype[_ComplexT]]: ...
    @overload
    def __rfloordiv__(
        self: _ArrayOf[_Integral], other: float, /
    ) -> ndarray[_ShapeT_co, np.dtype[np.float64]]: ...
    @overload
    def __rfloordiv__(self, other: _Operand, /) -> ndarray: ...
    @overload
    def __mod__(
        self: _ArrayOf[_NumberT], other: int, /
    ) -> ndarray[_ShapeT_co, np.dtype[_NumberT]]: ...
    @overload
    def __mod__(self: _ArrayOf[_NumberT], other: _Has[_NumberT], /) -> _ArrayOf[_NumberT]: ...
    @overload
    def __mod__(self: _ArrayOf[_Real], other: _Has[np.float64], /) -> _ArrayOf[np.float64]: ...
    @overload
    def __mod__(
        self: _ArrayOf[np.float64], other: _Has[_Real] | Sequence[float], /
    ) -> _ArrayOf[np.float64]: ...
    @overload
    def __mod__(
        self: _ArrayOf[np.number | np.bool], other: _Has[np.complex128], /
    ) -> _ArrayOf[np.complex128]: ...
    @overload
    def __mod__(
        self: _ArrayOf[np.complex128], other: _Has[np.number | np.bool] | Sequence[complex], /
    ) -> _ArrayOf[np.complex128]: ...
    @overload
    def __mod__(
        self: _ArrayOf[_InexactT], other: float, /
    ) -> ndarray[_ShapeT_co, np.dtype[_InexactT]]: ...
    @overload
    def __mod__(
        self: _ArrayOf[_ComplexT], other: complex, /
    ) -> ndarray[_ShapeT_co, np.dtype[_ComplexT]]: ...
    @overload
    def __mod__(
        self: _ArrayOf[_Integral], other: float, /
    ) -> ndarray[_ShapeT_co, np.dtype[np.float64]]: ...
    @overload
    def __mod__(self, other: _Operand, /) -> ndarray: ...
    @overload
    def __rmod__(
        self: _ArrayOf[_NumberT], other: int, /
    ) -> ndarray[_ShapeT_co, np.dtype[_NumberT]]: ...
    @overload
    def __rmod__(self: _ArrayOf[_NumberT], other: _Has[_NumberT], /) -> _ArrayOf[_NumberT]: ...
    @overload
    def __rmod__(self: _ArrayOf[_Real], other: _Has[np.float64], /) -> _ArrayOf[np.float64]: ...
    @overload
    def __rmod__(
        self: _ArrayOf[np.float64], other: _Has[_Real] | Sequence[float], /
    ) -> _ArrayOf[np.float64]: ...
    @overload
    def __rmod__(
        self: _ArrayOf[np.number | np.bool], other: _Has[np.complex128], /
    ) -> _ArrayOf[np.complex128]: ...
    @overload
    def __rmod__(
        self: _ArrayOf[np.complex128], other: _Has[np.number | np.bool] | Sequence[complex], /
    ) -> _ArrayOf[np.complex128]: ...
    @overload
    def __rmod__(
        self: _ArrayOf[_InexactT], other: float, /
    ) -> ndarray[_ShapeT_co, np.dtype[_InexactT]]: ...
    @overload
    def __rmod__(
        self: _ArrayOf[_ComplexT], other: complex, /
    ) -> ndarray[_ShapeT_co, np.dtype[_ComplexT]]: ...
    @overload
    def __rmod__(
        self: _ArrayOf[_Integral], other: float, /
    ) -> ndarray[_ShapeT_co, np.dtype[np.float64]]: ...
    @overload
    def __rmod__(self, other: _Operand, /) -> ndarray: ...
    @overload
    def __divmod__(
        self: _ArrayOf[_NumberT], other: int, /
    ) -> tuple[
        ndarray[_ShapeT_co, np.dtype[_NumberT]], ndarray[_ShapeT_co, np.dtype[_NumberT]]
    ]: ...
    @overload
    def __divmod__(
        self: _ArrayOf[_NumberT], other: _Has[_NumberT], /
    ) -> tuple[_ArrayOf[_NumberT], _ArrayOf[_NumberT]]: ...
    @overload
    def __divmod__(
        self: _ArrayOf[_Real], other: _Has[np.float64], /
    ) -> tuple[_ArrayOf[np.float64], _ArrayOf[np.float64]]: ...
    @overload
    def __divmod__(
        self: _ArrayOf[np.float64], other: _Has[_Real] | Sequence[float], /
    ) -> tuple[_ArrayOf[np.float64], _ArrayOf[np.float64]]: ...
    @overload
    def __divmod__(
        self: _ArrayOf[np.number | np.bool], other: _Has[np.complex128], /
    ) -> tuple[_ArrayOf[np.complex128], _ArrayOf[np.complex128]]: ...
    @overload
    def __divmod__(
        self: _ArrayOf[np.complex128], other: _Has[np.number | np.bool] | Sequence[complex], /
    ) -> tuple[_ArrayOf[np.complex128], _ArrayOf[np.complex128]]: ...
    @overload
    def __divmod__(
        self: _ArrayOf[_InexactT], other: float, /
    ) -> tuple[
        ndarray[_ShapeT_co, np.dtype[_InexactT]], ndarray[_ShapeT_co, np.dtype[_InexactT]]
    ]: ...
    @overload
    def __divmod__(
        self: _ArrayOf[_ComplexT], other: complex, /
    ) -> tuple[
        ndarray[_ShapeT_co, np.dtype[_ComplexT]], ndarray[_ShapeT_co, np.dtype[_ComplexT]]
    ]: ...
    @overload
    def __divmod__(
        self: _ArrayOf[_Integral], other: float, /
    ) -> tuple[
        ndarray[_ShapeT_co, np.dtype[np.float64]], ndarray[_ShapeT_co, np.dtype[np.float64]]
    ]: ...
    @overload
    def __divmod__(self, other: _Operand, /) -> tuple[ndarray, ndarray]: ...
    @overload
    def __rdivmod__(
        self: _ArrayOf[_NumberT], other: int, /
    ) -> tuple[
        ndarray[_ShapeT_co, np.dtype[_NumberT]], ndarray[_ShapeT_co, np.dtype[_NumberT]]
    ]: ...
    @overload
    def __rdivmod__(
        self: _ArrayOf[_NumberT], other: _Has[_NumberT], /
    ) -> tuple[_ArrayOf[_NumberT], _ArrayOf[_NumberT]]: ...
    @overload
    def __rdivmod__(
        self: _ArrayOf[_Real], other: _Has[np.float64], /
    ) -> tuple[_ArrayOf[np.float64], _ArrayOf[np.float64]]: ...
    @overload
    def __rdivmod__(
        self: _ArrayOf[np.float64], other: _Has[_Real] | Sequence[float], /
    ) -> tuple[_ArrayOf[np.float64], _ArrayOf[np.float64]]: ...
    @overload
    def __rdivmod__(
        self: _ArrayOf[np.number | np.bool], other: _Has[np.complex128], /
    ) -> tuple[_ArrayOf[np.complex128], _ArrayOf[np.complex128]]: ...
    @overload
    def __rdivmod__(
        self: _ArrayOf[np.complex128], other: _Has[np.number | np.bool] | Sequence[complex], /
    ) -> tuple[_ArrayOf[np.complex128], _ArrayOf[np.complex128]]: ...
    @overload
    def __rdivmod__(
        self: _ArrayOf[_InexactT], other: float, /
    ) -> tuple[
        ndarray[_ShapeT_co, np.dtype[_InexactT]], ndarray[_ShapeT_co, np.dtype[_InexactT]]
    ]: ...
    @overload
    def __rdivmod__(
        self: _ArrayOf[_ComplexT], other: complex, /
    ) -> tuple[
        ndarray[_ShapeT_co, np.dtype[_ComplexT]], ndarray[_ShapeT_co, np.dtype[_ComplexT]]
    ]: ...
    @overload
    def __rdivmod__(
        self: _ArrayOf[_Integral], other: float, /
    ) -> tuple[
        ndarray[_ShapeT_co, np.dtype[np.float64]], ndarray[_ShapeT_co, np.dtype[np.float64]]
    ]: ...
    @overload
    def __rdivmod__(self, other: _Operand, /) -> tuple[ndarray, ndarray]: ...
    @overload
    def __pow__(
        self: _ArrayOf[_NumberT], other: int, modulo: None = None, /
    ) -> ndarray[_ShapeT_co, np.dtype[_NumberT]]: ...
    @overload
    def __pow__(
        self: _ArrayOf[_NumberT], other: _Has[_NumberT], modulo: None = None, /
    ) -> _ArrayOf[_NumberT]: ...
    @overload
    def __pow__(
        self: _ArrayOf[_Real], other: _Has[np.float64], modulo: None = None, /
    ) -> _ArrayOf[np.float64]: ...
    @overload
    def __pow__(
        self: _ArrayOf[np.float64], other: _Has[_Real] | Sequence[float], modulo: None = None, /
    ) -> _ArrayOf[np.float64]: ...
    @overload
    def __pow__(
        self: _ArrayOf[np.number | np.bool], other: _Has[np.complex128], modulo: None = None, /
    ) -> _ArrayOf[np.complex128]: ...
    @overload
    def __pow__(
        self: _ArrayOf[np.complex128],
        other: _Has[np.number | np.bool] | Sequence[complex],
        modulo: None = None,
        /,
    ) -> _ArrayOf[np.complex128]: ...
    @overload
    def __pow__(
        self: _ArrayOf[_InexactT], other: float, modulo: None = None, /
    ) -> ndarray[_ShapeT_co, np.dtype[_InexactT]]: ...
    @overload
    def __pow__(
        self: _ArrayOf[_ComplexT], other: complex, modulo: None = None, /
    ) -> ndarray[_ShapeT_co, np.dtype[_ComplexT]]: ...
    @overload
    def __pow__(
        self: _ArrayOf[_Integral], other: float, modulo: None = None, /
    ) -> ndarray[_ShapeT_co, np.dtype[np.float64]]: ...
    @overload
    def __pow__(self, other: _Operand, modulo: None = None, /) -> ndarray: ...
    @overload
    def __rpow__(
        self: _ArrayOf[_NumberT], other: int, modulo: None = None, /
    ) -> ndarray[_ShapeT_co, np.dtype[_NumberT]]: ...
    @overload
    def __rpow__(
        self: _ArrayOf[_NumberT], other: _Has[_NumberT], modulo: None = None, /
    ) -> _ArrayOf[_NumberT]: ...
    @overload
    def __rpow__(
        self: _ArrayOf[_Real], other: _Has[np.float64], modulo: None = None, /
    ) -> _ArrayOf[np.float64]: ...
    @overload
    def __rpow__(
        self: _ArrayOf[np.float64], other: _Has[_Real] | Sequence[float], modulo: None = None, /
    ) -> _ArrayOf[np.float64]: ...
    @overload
    def __rpow__(
        self: _ArrayOf[np.number | np.bool], other: _Has[np.complex128], modulo: None = None, /
    ) -> _ArrayOf[np.complex128]: ...
    @overload
    def __rpow__(
        self: _ArrayOf[np.complex128],
        other: _Has[np.number | np.bool] | Sequence[complex],
        modulo: None = None,
        /,
    ) -> _ArrayOf[np.complex128]: ...
    @overload
    def __rpow__(
        self: _ArrayOf[_InexactT], other: float, modulo: None = None, /
    ) -> ndarray[_ShapeT_co, np.dtype[_InexactT]]: ...
    @overload
    def __rpow__(
        self: _ArrayOf[_ComplexT], other: complex, modulo: None = None, /
    ) -> ndarray[_ShapeT_co, np.dtype[_ComplexT]]: ...
    @overload
    def __rpow__(
        self: _ArrayOf[_Integral], other: float, modulo: None = None, /
    ) -> ndarray[_ShapeT_co, np.dtype[np.float64]]: ...
    @overload
    def __rpow__(self, other: _Operand, modulo: None = None, /) -> ndarray: ...
    @overload
    def __truediv__(
        self: _ArrayOf[_InexactT], other: _Has[_InexactT], /
    ) -> _ArrayOf[_InexactT]: ...
    @overload
    def __truediv__(self: _ArrayOf[_Real], other: _Has[np.float64], /) -> _ArrayOf[np.float64]: ...
    @overload
    def __truediv__(
        self: _ArrayOf[np.float64], other: _Has[_Real] | Sequence[float], /
    ) -> _ArrayOf[np.float64]: ...
    @overload
    def __truediv__(
        self: _ArrayOf[np.number | np.bool], other: _Has[np.complex128], /
    ) -> _ArrayOf[np.complex128]: ...
    @overload
    def __truediv__(
        self: _ArrayOf[np.complex128], other: _Has[np.number | np.bool] | Sequence[complex], /
    ) -> _ArrayOf[np.complex128]: ...
    @overload
    def __truediv__(
        self: _ArrayOf[_InexactT], other: float, /
    ) -> ndarray[_ShapeT_co, np.dtype[_InexactT]]: ...
    @overload
    def __truediv__(
        self: _ArrayOf[_ComplexT], other: complex, /
    ) -> ndarray[_ShapeT_co, np.dtype[_ComplexT]]: ...
    @overload
    def __truediv__(
        self: _ArrayOf[_Integral], other: _Has[_Integral], /
    ) -> _ArrayOf[np.float64]: ...
    @overload
    def __truediv__(
        self: _ArrayOf[_Integral], other: float, /
    ) -> ndarray[_ShapeT_co, np.dtype[np.float64]]: ...
    @overload
    def __truediv__(self, other: _Operand, /) -> ndarray: ...
    @overload
    def __rtruediv__(
        self: _ArrayOf[_InexactT], other: _Has[_InexactT], /
    ) -> _ArrayOf[_InexactT]: ...
    @overload
    def __rtruediv__(self: _ArrayOf[_Real], other: _Has[np.float64], /) -> _ArrayOf[np.float64]: ...
    @overload
    def __rtruediv__(
        self: _ArrayOf[np.float64], other: _Has[_Real] | Sequence[float], /
    ) -> _ArrayOf[np.float64]: ...
    @overload
    def __rtruediv__(
        self: _ArrayOf[np.number | np.bool], other: _Has[np.complex128], /
    ) -> _ArrayOf[np.complex128]: ...
    @overload
    def __rtruediv__(
        self: _ArrayOf[np.complex128], other: _Has[np.number | np.bool] | Sequence[complex], /
    ) -> _ArrayOf[np.complex128]: ...
    @overload
    def __rtruediv__(
        self: _ArrayOf[_InexactT], other: float, /
    ) -> ndarray[_ShapeT_co, np.dtype[_InexactT]]: ...
    @overload
    def __rtruediv__(
        self: _ArrayOf[_ComplexT], other: complex, /
    ) -> ndarray[_ShapeT_co, np.dtype[_ComplexT]]: ...
    @overload
    def __rtruediv__(
        self: _ArrayOf[_Integral], other: _Has[_Integral], /
    ) -> _ArrayOf[np.float64]: ...
    @overload
    def __rtruediv__(
        self: _ArrayOf[_Integral], other: float, /
    ) -> ndarray[_ShapeT_co, np.dtype[np.float64]]: ...
    @overload
    def __rtruediv__(self, other: _Operand, /) -> ndarray: ...
    @overload
    def __matmul__(self: _ArrayOf[_ScalarT], other: _Has[_ScalarT], /) -> _ArrayOf[_ScalarT]: ...
    @overload
    def __matmul__(self: _ArrayOf[_Real], other: _Has[np.float64], /) -> _ArrayOf[np.float64]: ...
    @overload
    def __matmul__(
        self: _ArrayOf[np.float64], other: _Has[_Real] | Sequence[float], /
    ) -> _ArrayOf[np.float64]: ...
    @overload
    def __matmul__(
        self: _ArrayOf[np.number | np.bool], other: _Has[np.complex128], /
    ) -> _ArrayOf[np.complex128]: ...
    @overload
    def __matmul__(
        self: _ArrayOf[np.complex128], other: _Has[np.number | np.bool] | Sequence[complex], /
    ) -> _ArrayOf[np.complex128]: ...
    @overload
    def __matmul__(self, other: _Operand, /) -> ndarray: ...
    @overload
    def __rmatmul__(self: _ArrayOf[_ScalarT], other: _Has[_ScalarT], /) -> _ArrayOf[_ScalarT]: ...
    @overload
    def __rmatmul__(self: _ArrayOf[_Real], other: _Has[np.float64], /) -> _ArrayOf[np.float64]: ...
    @overload
    def __rmatmul__(
        self: _ArrayOf[np.float64], other: _Has[_Real] | Sequence[float], /
    ) -> _ArrayOf[np.float64]: ...
    @overload
    def __rmatmul__(
        self: _ArrayOf[np.number | np.bool], other: _Has[np.complex128], /
    ) -> _ArrayOf[np.complex128]: ...
    @overload
    def __rmatmul__(
        self: _ArrayOf[np.complex128], other: _Has[np.number | np.bool] | Sequence[complex], /
    ) -> _ArrayOf[np.complex128]: ...
    @overload
    def __rmatmul__(self, other: _Operand, /) -> ndarray: ...
    @overload
    def __and__(
        self: _ArrayOf[np.bool], other: bool, /
    ) -> ndarray[_ShapeT_co, np.dtype[np.bool]]: ...
    @overload
    def __and__(
        self: _ArrayOf[_IntegerT], other: int, /
    ) -> ndarray[_ShapeT_co, np.dtype[_IntegerT]]: ...
    @overload
    def __and__(self: _ArrayOf[_ScalarT], other: _Has[_ScalarT], /) -> _ArrayOf[_ScalarT]: ...
    @overload
    def __and__(self, other: _Operand, /) -> ndarray: ...
    @overload
    def __rand__(
        self: _ArrayOf[np.bool], other: bool, /
    ) -> ndarray[_ShapeT_co, np.dtype[np.bool]]: ...
    @overload
    def __rand__(
        self: _ArrayOf[_IntegerT], other: int, /
    ) -> ndarray[_ShapeT_co, np.dtype[_IntegerT]]: ...
    @overload
    def __rand__(self: _ArrayOf[_ScalarT], other: _Has[_ScalarT], /) -> _ArrayOf[_ScalarT]: ...
    @overload
    def __rand__(self, other: _Operand, /) -> ndarray: ...
    @overload
    def __or__(
        self: _ArrayOf[np.bool], other: bool, /
    ) -> ndarray[_ShapeT_co, np.dtype[np.bool]]: ...
    @overload
    def __or__(
        self: _ArrayOf[_IntegerT], other: int, /
    ) -> ndarray[_ShapeT_co, np.dtype[_IntegerT]]: ...
    @overload
    def __or__(self: _ArrayOf[_ScalarT], other: _Has[_ScalarT], /) -> _ArrayOf[_ScalarT]: ...
    @overload
    def __or__(self, other: _Operand, /) -> ndarray: ...
    @overload
    def __ror__(
        self: _ArrayOf[np.bool], other: bool, /
    ) -> ndarray[_ShapeT_co, np.dtype[np.bool]]: ...
    @overload
    def __ror__(
        self: _ArrayOf[_IntegerT], other: int, /
    ) -> ndarray[_ShapeT_co, np.dtype[_IntegerT]]: ...
    @overload
    def __ror__(self: _ArrayOf[_ScalarT], other: _Has[_ScalarT], /) -> _ArrayOf[_ScalarT]: ...
    @overload
    def __ror__(self, other: _Operand, /) -> ndarray: ...
    @overload
    def __xor__(
        self: _ArrayOf[np.bool], other: bool, /
    ) -> ndarray[_ShapeT_co, np.dtype[np.bool]]: ...
    @overload
    def __xor__(
        self: _ArrayOf[_IntegerT], other: int, /
    ) -> ndarray[_ShapeT_co, np.dtype[_IntegerT]]: ...
    @overload
    def __xor__(self: _ArrayOf[_ScalarT], other: _Has[_ScalarT], /) -> _ArrayOf[_ScalarT]: ...
    @overload
    def __xor__(self, other: _Operand, /) -> ndarray: ...
    @overload
    def __rxor__(
        self: _ArrayOf[np.bool], other: bool, /
    ) -> ndarray[_ShapeT_co, np.dtype[np.bool]]: ...
    @overload
    def __rxor__(
        self: _ArrayOf[_IntegerT], other: int, /
    ) -> ndarray[_ShapeT_co, np.dtype[_IntegerT]]: ...
    @overload
    def __rxor__(self: _ArrayOf[_ScalarT], other: _Has[_ScalarT], /) -> _ArrayOf[_ScalarT]: ...
    @overload
    def __rxor__(self, other: _Operand, /) -> ndarray: ...
    @overload
    def __lshift__(
        self: _ArrayOf[_IntegerT], other: int, /
    ) -> ndarray[_ShapeT_co, np.dtype[_IntegerT]]: ...
    @overload
    def __lshift__(self: _ArrayOf[_IntegerT], other: _Has[_IntegerT], /) -> _ArrayOf[_IntegerT]: ...
    @overload
    def __lshift__(self, other: _Operand, /) -> ndarray: ...
    @overload
    def __rlshift__(
        self: _ArrayOf[_IntegerT], other: int, /
    ) -> ndarray[_ShapeT_co, np.dtype[_IntegerT]]: ...
    @overload
    def __rlshift__(
        self: _ArrayOf[_IntegerT], other: _Has[_IntegerT], /
    ) -> _ArrayOf[_IntegerT]: ...
    @overload
    def __rlshift__(self, other: _Operand, /) -> ndarray: ...
    @overload
    def __rshift__(
        self: _ArrayOf[_IntegerT], other: int, /
    ) -> ndarray[_ShapeT_co, np.dtype[_IntegerT]]: ...
    @overload
    def __rshift__(self: _ArrayOf[_IntegerT], other: _Has[_IntegerT], /) -> _ArrayOf[_IntegerT]: ...
    @overload
    def __rshift__(self, other: _Operand, /) -> ndarray: ...
    @overload
    def __rrshift__(
        self: _ArrayOf[_IntegerT], other: int, /
    ) -> ndarray[_ShapeT_co, np.dtype[_IntegerT]]: ...
    @overload
    def __rrshift__(
        self: _ArrayOf[_IntegerT], other: _Has[_IntegerT], /
    ) -> _ArrayOf[_IntegerT]: ...
    @overload
    def __rrshift__(self, other: _Operand, /) -> ndarray: ...
    @overload
    def __abs__(
        self: _HasDType[_OfComponents[_ScalarT, Any]],
    ) -> ndarray[_ShapeT_co, np.dtype[_ScalarT]]: ...
    @overload
    def __abs__(self) -> ndarray[_ShapeT_co]: ...
    @overload
    def __eq__(self, other: _Scalar, /) -> ndarray[_ShapeT_co, np.dtype[np.bool]]: ...
    @overload
    def __eq__(self, other: _Operand, /) -> _ArrayOf[np.bool]: ...
    @overload
    def __ne__(self, other: _Scalar, /) -> ndarray[_ShapeT_co, np.dtype[np.bool]]: ...
    @overload
    def __ne__(self, other: _Operand, /) -> _ArrayOf[np.bool]: ...
    @overload
    def __lt__(self, other: _Scalar, /) -> ndarray[_ShapeT_co, np.dtype[np.bool]]: ...
    @overload
    def __lt__(self, other: _Operand, /) -> _ArrayOf[np.bool]: ...
    @overload
    def __le__(self, other: _Scalar, /) -> ndarray[_ShapeT_co, np.dtype[np.bool]]: ...
    @overload
    def __le__(self, other: _Operand, /) -> _ArrayOf[np.bool]: ...
    @overload
    def __gt__(self, other: _Scalar, /) -> ndarray[_ShapeT_co, np.dtype[np.bool]]: ...
    @overload
    def __gt__(self, other: _Operand, /) -> _ArrayOf[np.bool]: ...
    @overload
    def __ge__(self, other: _Scalar, /) -> ndarray[_ShapeT_co, np.dtype[np.bool]]: ...
    @overload
    def __ge__(self, other: _Operand, /) -> _ArrayOf[np.bool]: ...
    # end of generated: operators
    # ---- of corepy.numpy
    # generated: methods (tools/stubs.py)
    @overload
    def astype(
        self: ndarray[_ShapeT, Any],
        /,
        dtype: _DTypeOf[_ScalarT],
        order: str = "K",
        casting: str = "unsafe",
        subok: bool = True,
        copy: bool | None = True,
        *,
        device: Device | str | None = None,
    ) -> ndarray[_ShapeT, np.dtype[_ScalarT]]: ...
    @overload
    def astype(
        self: ndarray[_ShapeT, Any],
        /,
        dtype: type[bool],
        order: str = "K",
        casting: str = "unsafe",
        subok: bool = True,
        copy: bool | None = True,
        *,
        device: Device | str | None = None,
    ) -> ndarray[_ShapeT, np.dtype[np.bool]]: ...
    @overload
    def astype(
        self: ndarray[_ShapeT, Any],
        /,
        dtype: type[int],
        order: str = "K",
        casting: str = "unsafe",
        subok: bool = True,
        copy: bool | None = True,
        *,
        device: Device | str | None = None,
    ) -> ndarray[_ShapeT, np.dtype[np.int_]]: ...
    @overload
    def astype(
        self: ndarray[_ShapeT, Any],
        /,
        dtype: type[float],
        order: str = "K",
        casting: str = "unsafe",
        subok: bool = True,
        copy: bool | None = True,
        *,
        device: Device | str | None = None,
    ) -> ndarray[_ShapeT, np.dtype[np.float64]]: ...
    @overload
    def astype(
        self: ndarray[_ShapeT, Any],
        /,
        dtype: type[complex],
        order: str = "K",
        casting: str = "unsafe",
        subok: bool = True,
        copy: bool | None = True,
        *,
        device: Device | str | None = None,
    ) -> ndarray[_ShapeT, np.dtype[np.complex128]]: ...
    @overload
    def astype(
        self,
        /,
        dtype: DTypeLike | None,
        order: str = "K",
        casting: str = "unsafe",
        subok: bool = True,
        copy: bool | None = True,
        *,
        device: Device | str | None = None,
    ) -> ndarray:
        """Convert an array to a dtype, independent of the promotion rules."""
    @overload
    def reshape(
        self, shape: SupportsIndex | _NewShapeT, /, *, order: str = "C", copy: bool | None = None
    ) -> ndarray[_NewShapeT, _DTypeT_co]: ...
    @overload
    def reshape(
        self, n1: SupportsIndex, n2: SupportsIndex, /, *, order: str = "C", copy: bool | None = None
    ) -> ndarray[tuple[int, int], _DTypeT_co]: ...
    @overload
    def reshape(
        self,
        n1: SupportsIndex,
        n2: SupportsIndex,
        n3: SupportsIndex,
        /,
        *,
        order: str = "C",
        copy: bool | None = None,
    ) -> ndarray[tuple[int, int, int], _DTypeT_co]: ...
    @overload
    def reshape(
        self, /, *shape: _Shape, order: str = "C", copy: bool | None = None
    ) -> ndarray[tuple[Any, ...], _DTypeT_co]:
        """Give the elements of an array another shape."""
    @overload
    def argmax(
        self: ndarray, /, axis: None = None, out: None = None, *, keepdims: Literal[False] = False
    ) -> np.int_: ...
    @overload
    def argmax(
        self: ndarray,
        /,
        axis: SupportsIndex | None = None,
        out: _Out = None,
        *,
        keepdims: bool = False,
    ) -> _ArrayOf[np.int_]: ...
    @overload
    def argmax(
        self, /, axis: SupportsIndex | None = None, out: _Out = None, *, keepdims: bool = False
    ) -> ndarray:
        """Find the index of the largest element."""
    @overload
    def argmin(
        self: ndarray, /, axis: None = None, out: None = None, *, keepdims: Literal[False] = False
    ) -> np.int_: ...
    @overload
    def argmin(
        self: ndarray,
        /,
        axis: SupportsIndex | None = None,
        out: _Out = None,
        *,
        keepdims: bool = False,
    ) -> _ArrayOf[np.int_]: ...
    @overload
    def argmin(
        self, /, axis: SupportsIndex | None = None, out: _Out = None, *, keepdims: bool = False
    ) -> ndarray:
        """Find the index of the smallest element."""
    @overload
    def max(
        self: _ArrayOf[_ScalarT],
        /,
        axis: None = None,
        out: None = None,
        keepdims: Literal[False] = False,
        initial: _ArrayLike = ...,
        where: _ArrayLike = True,
    ) -> _ScalarT: ...
    @overload
    def max(
        self: _ArrayOf[_ScalarT],
        /,
        axis: _Axis = None,
        out: _Out = None,
        keepdims: bool = False,
        initial: _ArrayLike = ...,
        where: _ArrayLike = True,
    ) -> _ArrayOf[_ScalarT]: ...
    @overload
    def max(
        self,
        /,
        axis: _Axis = None,
        out: _Out = None,
        keepdims: bool = False,
        initial: _ArrayLike = ...,
        where: _ArrayLike = True,
    ) -> ndarray:
        """Find the largest element, or the largest along axes."""
    @overload
    def mean(
        self: _ArrayOf[_InexactT],
        /,
        axis: None = None,
        dtype: None = None,
        out: None = None,
        keepdims: Literal[False] = False,
        *,
        where: _ArrayLike = True,
    ) -> _InexactT: ...
    @overload
    def mean(
        self: _ArrayOf[_Integral],
        /,
        axis: None = None,
        dtype: None = None,
        out: None = None,
        keepdims: Literal[False] = False,
        *,
        where: _ArrayLike = True,
    ) -> np.float64: ...
    @overload
    def mean(
        self: ndarray,
        /,
        axis: None = None,
        *,
        dtype: _DTypeOf[_ScalarT],
        out: None = None,
        keepdims: Literal[False] = False,
        where: _ArrayLike = True,
    ) -> _ScalarT: ...
    @overload
    def mean(
        self: _ArrayOf[_InexactT],
        /,
        axis: _Axis = None,
        dtype: None = None,
        out: _Out = None,
        keepdims: bool = False,
        *,
        where: _ArrayLike = True,
    ) -> _ArrayOf[_InexactT]: ...
    @overload
    def mean(
        self: _ArrayOf[_Integral],
        /,
        axis: _Axis = None,
        dtype: None = None,
        out: _Out = None,
        keepdims: bool = False,
        *,
        where: _ArrayLike = True,
    ) -> _ArrayOf[np.float64]: ...
    @overload
    def mean(
        self: ndarray,
        /,
        axis: _Axis = None,
        *,
        dtype: _DTypeOf[_ScalarT],
        out: _Out = None,
        keepdims: bool = False,
        where: _ArrayLike = True,
    ) -> _ArrayOf[_ScalarT]: ...
    @overload
    def mean(
        self,
        /,
        axis: _Axis = None,
        dtype: DTypeLike | None = None,
        out: _Out = None,
        keepdims: bool = False,
        *,
        where: _ArrayLike = True,
    ) -> ndarray:
        """Compute the arithmetic mean."""
    @overload
    def min(
        self: _ArrayOf[_ScalarT],
        /,
        axis: None = None,
        out: None = None,
        keepdims: Literal[False] = False,
        initial: _ArrayLike = ...,
        where: _ArrayLike = True,
    ) -> _ScalarT: ...
    @overload
    def min(
        self: _ArrayOf[_ScalarT],
        /,
        axis: _Axis = None,
        out: _Out = None,
        keepdims: bool = False,
        initial: _ArrayLike = ...,
        where: _ArrayLike = True,
    ) -> _ArrayOf[_ScalarT]: ...
    @overload
    def min(
        self,
        /,
        axis: _Axis = None,
        out: _Out = None,
        keepdims: bool = False,
        initial: _ArrayLike = ...,
        where: _ArrayLike = True,
    ) -> ndarray:
        """Find the smallest element, or the smallest along axes."""
    @overload
    def prod(
        self: _ArrayOf[_InexactT],
        /,
        axis: None = None,
        dtype: None = None,
        out: None = None,
        keepdims: Literal[False] = False,
        initial: _ArrayLike = ...,
        where: _ArrayLike = True,
    ) -> _InexactT: ...
    @overload
    def prod(
        self: _ArrayOf[np.signedinteger | np.bool],
        /,
        axis: None = None,
        dtype: None = None,
        out: None = None,
        keepdims: Literal[False] = False,
        initial: _ArrayLike = ...,
        where: _ArrayLike = True,
    ) -> np.int_: ...
    @overload
    def prod(
        self: _ArrayOf[np.unsignedinteger],
        /,
        axis: None = None,
        dtype: None = None,
        out: None = None,
        keepdims: Literal[False] = False,
        initial: _ArrayLike = ...,
        where: _ArrayLike = True,
    ) -> np.uint64: ...
    @overload
    def prod(
        self: ndarray,
        /,
        axis: None = None,
        *,
        dtype: _DTypeOf[_ScalarT],
        out: None = None,
        keepdims: Literal[False] = False,
        initial: _ArrayLike = ...,
        where: _ArrayLike = True,
    ) -> _ScalarT: ...
    @overload
    def prod(
        self: _ArrayOf[_InexactT],
        /,
        axis: _Axis = None,
        dtype: None = None,
        out: _Out = None,
        keepdims: bool = False,
        initial: _ArrayLike = ...,
        where: _ArrayLike = True,
    ) -> _ArrayOf[_InexactT]: ...
    @overload
    def prod(
        self: _ArrayOf[np.signedinteger | np.bool],
        /,
        axis: _Axis = None,
        dtype: None = None,
        out: _Out = None,
        keepdims: bool = False,
        initial: _ArrayLike = ...,
        where: _ArrayLike = True,
    ) -> _ArrayOf[np.int_]: ...
    @overload
    def prod(
        self: _ArrayOf[np.unsignedinteger],
        /,
        axis: _Axis = None,
        dtype: None = None,
        out: _Out = None,
        keepdims: bool = False,
        initial: _ArrayLike = ...,
        where: _ArrayLike = True,
    ) -> _ArrayOf[np.uint64]: ...
    @overload
    def prod(
        self: ndarray,
        /,
        axis: _Axis = None,
        *,
        dtype: _DTypeOf[_ScalarT],
        out: _Out = None,
        keepdims: bool = False,
        initial: _ArrayLike = ...,
        where: _ArrayLike = True,
    ) -> _ArrayOf[_ScalarT]: ...
    @overload
    def prod(
        self,
        /,
        axis: _Axis = None,
        dtype: DTypeLike | None = None,
        out: _Out = None,
        keepdims: bool = False,
        initial: _ArrayLike = ...,
        where: _ArrayLike = True,
    ) -> ndarray:
        """Multiply elements."""
    @overload
    def std(
        self: _ArrayOf[_FloatingT],
        /,
        axis: None = None,
        dtype: None = None,
        out: None = None,
        ddof: float = 0.0,
        keepdims: Literal[False] = False,
        *,
        where: _ArrayLike = True,
        mean: _ArrayLike = ...,
        correction: float | None = None,
    ) -> _FloatingT: ...
    @overload
    def std(
        self: _ArrayOf[np.complex64],
        /,
        axis: None = None,
        dtype: None = None,
        out: None = None,
        ddof: float = 0.0,
        keepdims: Literal[False] = False,
        *,
        where: _ArrayLike = True,
        mean: _ArrayLike = ...,
        correction: float | None = None,
    ) -> np.float32: ...
    @overload
    def std(
        self: _ArrayOf[np.complex128 | _Integral],
        /,
        axis: None = None,
        dtype: None = None,
        out: None = None,
        ddof: float = 0.0,
        keepdims: Literal[False] = False,
        *,
        where: _ArrayLike = True,
        mean: _ArrayLike = ...,
        correction: float | None = None,
    ) -> np.float64: ...
    @overload
    def std(
        self: ndarray,
        /,
        axis: None = None,
        *,
        dtype: _DTypeOf[_ScalarT],
        out: None = None,
        ddof: float = 0.0,
        keepdims: Literal[False] = False,
        where: _ArrayLike = True,
        mean: _ArrayLike = ...,
        correction: float | None = None,
    ) -> _ScalarT: ...
    @overload
    def std(
        self: _ArrayOf[_FloatingT],
        /,
        axis: _Axis = None,
        dtype: None = None,
        out: _Out = None,
        ddof: float = 0.0,
        keepdims: bool = False,
        *,
        where: _ArrayLike = True,
        mean: _ArrayLike = ...,
        correction: float | None = None,
    ) -> _ArrayOf[_FloatingT]: ...
    @overload
    def std(
        self: _ArrayOf[np.complex64],
        /,
        axis: _Axis = None,
        dtype: None = None,
        out: _Out = None,
        ddof: float = 0.0,
        keepdims: bool = False,
        *,
        where: _ArrayLike = True,
        mean: _ArrayLike = ...,
        correction: float | None = None,
    ) -> _ArrayOf[np.float32]: ...
    @overload
    def std(
        self: _ArrayOf[np.complex128 | _Integral],
        /,
        axis: _Axis = None,
        dtype: None = None,
        out: _Out = None,
        ddof: float = 0.0,
        keepdims: bool = False,
        *,
        where: _ArrayLike = True,
        mean: _ArrayLike = ...,
        correction: float | None = None,
    ) -> _ArrayOf[np.float64]: ...
    @overload
    def std(
        self: ndarray,
        /,
        axis: _Axis = None,
        *,
        dtype: _DTypeOf[_ScalarT],
        out: _Out = None,
        ddof: float = 0.0,
        keepdims: bool = False,
        where: _ArrayLike = True,
        mean: _ArrayLike = ...,
        correction: float | None = None,
    ) -> _ArrayOf[_ScalarT]: ...
    @overload
    def std(
        self,
        /,
        axis: _Axis = None,
        dtype: DTypeLike | None = None,
        out: _Out = None,
        ddof: float = 0.0,
        keepdims: bool = False,
        *,
        where: _ArrayLike = True,
        mean: _ArrayLike = ...,
        correction: float | None = None,
    ) -> ndarray:
        """Compute the standard deviation."""
    @overload
    def sum(
        self: _ArrayOf[_InexactT],
        /,
        axis: None = None,
        dtype: None = None,
        out: None = None,
        keepdims: Literal[False] = False,
        initial: _ArrayLike = ...,
        where: _ArrayLike = True,
    ) -> _InexactT: ...
    @overload
    def sum(
        self: _ArrayOf[np.signedinteger | np.bool],
        /,
        axis: None = None,
        dtype: None = None,
        out: None = None,
        keepdims: Literal[False] = False,
        initial: _ArrayLike = ...,
        where: _ArrayLike = True,
    ) -> np.int_: ...
    @overload
    def sum(
        self: _ArrayOf[np.unsignedinteger],
        /,
        axis: None = None,
        dtype: None = None,
        out: None = None,
        keepdims: Literal[False] = False,
        initial: _ArrayLike = ...,
        where: _ArrayLike = True,
    ) -> np.uint64: ...
    @overload
    def sum(
        self: ndarray,
        /,
        axis: None = None,
        *,
        dtype: _DTypeOf[_ScalarT],
        out: None = None,
        keepdims: Literal[False] = False,
        initial: _ArrayLike = ...,
        where: _ArrayLike = True,
    ) -> _ScalarT: ...
    @overload
    def sum(
        self: _ArrayOf[_InexactT],
        /,
        axis: _Axis = None,
        dtype: None = None,
        out: _Out = None,
        keepdims: bool = False,
        initial: _ArrayLike = ...,
        where: _ArrayLike = True,
    ) -> _ArrayOf[_InexactT]: ...
    @overload
    def sum(
        self: _ArrayOf[np.signedinteger | np.bool],
        /,
        axis: _Axis = None,
        dtype: None = None,
        out: _Out = None,
        keepdims: bool = False,
        initial: _ArrayLike = ...,
        where: _ArrayLike = True,
    ) -> _ArrayOf[np.int_]: ...
    @overload
    def sum(
        self: _ArrayOf[np.unsignedinteger],
        /,
        axis: _Axis = None,
        dtype: None = None,
        out: _Out = None,
        keepdims: bool = False,
        initial: _ArrayLike = ...,
        where: _ArrayLike = True,
    ) -> _ArrayOf[np.uint64]: ...
    @overload
    def sum(
        self: ndarray,
        /,
        axis: _Axis = None,
        *,
        dtype: _DTypeOf[_ScalarT],
        out: _Out = None,
        keepdims: bool = False,
        initial: _ArrayLike = ...,
        where: _ArrayLike = True,
    ) -> _ArrayOf[_ScalarT]: ...
    @overload
    def sum(
        self,
        /,
        axis: _Axis = None,
        dtype: DTypeLike | None = None,
        out: _Out = None,
        keepdims: bool = False,
        initial: _ArrayLike = ...,
        where: _ArrayLike = True,
    ) -> ndarray:
        """Add elements."""
    @overload
    def var(
        self: _ArrayOf[_FloatingT],
        /,
        axis: None = None,
        dtype: None = None,
        out: None = None,
        ddof: float = 0.0,
        keepdims: Literal[False] = False,
        *,
        where: _ArrayLike = True,
        mean: _ArrayLike = ...,
        correction: float | None = None,
    ) -> _FloatingT: ...
    @overload
    def var(
        self: _ArrayOf[np.complex64],
        /,
        axis: None = None,
        dtype: None = None,
        out: None = None,
        ddof: float = 0.0,
        keepdims: Literal[False] = False,
        *,
        where: _ArrayLike = True,
        mean: _ArrayLike = ...,
        correction: float | None = None,
    ) -> np.float32: ...
    @overload
    def var(
        self: _ArrayOf[np.complex128 | _Integral],
        /,
        axis: None = None,
        dtype: None = None,
        out: None = None,
        ddof: float = 0.0,
        keepdims: Literal[False] = False,
        *,
        where: _ArrayLike = True,
        mean: _ArrayLike = ...,
        correction: float | None = None,
    ) -> np.float64: ...
    @overload
    def var(
        self: ndarray,
        /,
        axis: None = None,
        *,
        dtype: _DTypeOf[_ScalarT],
        out: None = None,
        ddof: float = 0.0,
        keepdims: Literal[False] = False,
        where: _ArrayLike = True,
        mean: _ArrayLike = ...,
        correction: float | None = None,
    ) -> _ScalarT: ...
    @overload
    def var(
        self: _ArrayOf[_FloatingT],
        /,
        axis: _Axis = None,
        dtype: None = None,
        out: _Out = None,
        ddof: float = 0.0,
        keepdims: bool = False,
        *,
        where: _ArrayLike = True,
        mean: _ArrayLike = ...,
        correction: float | None = None,
    ) -> _ArrayOf[_FloatingT]: ...
    @overload
    def var(
        self: _ArrayOf[np.complex64],
        /,
        axis: _Axis = None,
        dtype: None = None,
        out: _Out = None,
        ddof: float = 0.0,
        keepdims: bool = False,
        *,
        where: _ArrayLike = True,
        mean: _ArrayLike = ...,
        correction: float | None = None,
    ) -> _ArrayOf[np.float32]: ...
    @overload
    def var(
        self: _ArrayOf[np.complex128 | _Integral],
        /,
        axis: _Axis = None,
        dtype: None = None,
        out: _Out = None,
        ddof: float = 0.0,
        keepdims: bool = False,
        *,
        where: _ArrayLike = True,
        mean: _ArrayLike = ...,
        correction: float | None = None,
    ) -> _ArrayOf[np.float64]: ...
    @overload
    def var(
        self: ndarray,
        /,
        axis: _Axis = None,
        *,
        dtype: _DTypeOf[_ScalarT],
        out: _Out = None,
        ddof: float = 0.0,
        keepdims: bool = False,
        where: _ArrayLike = True,
        mean: _ArrayLike = ...,
        correction: float | None = None,
    ) -> _ArrayOf[_ScalarT]: ...
    @overload
    def var(
        self,
        /,
        axis: _Axis = None,
        dtype: DTypeLike | None = None,
        out: _Out = None,
        ddof: float = 0.0,
        keepdims: bool = False,
        *,
        where: _ArrayLike = True,
        mean: _ArrayLike = ...,
        correction: float | None = None,
    ) -> ndarray:
        """Compute the variance: the mean of the squared deviations from the mean."""
    @overload
    def all(
        self: ndarray,
        /,
        axis: None = None,
        out: None = None,
        keepdims: Literal[False] = False,
        *,
        where: _ArrayLike = True,
    ) -> np.bool: ...
    @overload
    def all(
        self: ndarray,
        /,
        axis: _Axis = None,
        out: _Out = None,
        keepdims: bool = False,
        *,
        where: _ArrayLike = True,
    ) -> _ArrayOf[np.bool]: ...
    @overload
    def all(
        self,
        /,
        axis: _Axis = None,
        out: _Out = None,
        keepdims: bool = False,
        *,
        where: _ArrayLike = True,
    ) -> ndarray:
        """Test whether all elements are True (not zero)."""
    @overload
    def any(
        self: ndarray,
        /,
        axis: None = None,
        out: None = None,
        keepdims: Literal[False] = False,
        *,
        where: _ArrayLike = True,
    ) -> np.bool: ...
    @overload
    def any(
        self: ndarray,
        /,
        axis: _Axis = None,
        out: _Out = None,
        keepdims: bool = False,
        *,
        where: _ArrayLike = True,
    ) -> _ArrayOf[np.bool]: ...
    @overload
    def any(
        self,
        /,
        axis: _Axis = None,
        out: _Out = None,
        keepdims: bool = False,
        *,
        where: _ArrayLike = True,
    ) -> ndarray:
        """Test whether at least one element is True (not zero)."""
    def argpartition(
        self: ndarray[_ShapeT, np.dtype[Any]],
        kth: Any,
        /,
        axis: _Axis = -1,
        kind: str = "introselect",
        order: Any = None,
    ) -> ndarray[_ShapeT, np.dtype[np.int_]]: ...
    def argsort(
        self: ndarray[_ShapeT, np.dtype[Any]],
        /,
        axis: _Axis = -1,
        kind: str | None = None,
        order: Any = None,
        *,
        stable: bool | None = None,
    ) -> ndarray[_ShapeT, np.dtype[np.int_]]: ...
    def choose(self, /, choices: Any, out: _Out = None, mode: Any = "raise") -> ndarray: ...
    @overload
    def cumprod(
        self: _ArrayOf[_InexactT], /, axis: _Axis = None, dtype: None = None, out: _Out = None
    ) -> _ArrayOf[_InexactT]: ...
    @overload
    def cumprod(
        self: _ArrayOf[np.signedinteger | np.bool],
        /,
        axis: _Axis = None,
        dtype: None = None,
        out: _Out = None,
    ) -> _ArrayOf[np.int_]: ...
    @overload
    def cumprod(
        self: _ArrayOf[np.unsignedinteger],
        /,
        axis: _Axis = None,
        dtype: None = None,
        out: _Out = None,
    ) -> _ArrayOf[np.uint64]: ...
    @overload
    def cumprod(
        self: ndarray, /, axis: _Axis = None, *, dtype: _DTypeOf[_ScalarT], out: _Out = None
    ) -> _ArrayOf[_ScalarT]: ...
    @overload
    def cumprod(
        self, /, axis: _Axis = None, dtype: DTypeLike | None = None, out: _Out = None
    ) -> ndarray: ...
    @overload
    def cumsum(
        self: _ArrayOf[_InexactT], /, axis: _Axis = None, dtype: None = None, out: _Out = None
    ) -> _ArrayOf[_InexactT]: ...
    @overload
    def cumsum(
        self: _ArrayOf[np.signedinteger | np.bool],
        /,
        axis: _Axis = None,
        dtype: None = None,
        out: _Out = None,
    ) -> _ArrayOf[np.int_]: ...
    @overload
    def cumsum(
        self: _ArrayOf[np.unsignedinteger],
        /,
        axis: _Axis = None,
        dtype: None = None,
        out: _Out = None,
    ) -> _ArrayOf[np.uint64]: ...
    @overload
    def cumsum(
        self: ndarray, /, axis: _Axis = None, *, dtype: _DTypeOf[_ScalarT], out: _Out = None
    ) -> _ArrayOf[_ScalarT]: ...
    @overload
    def cumsum(
        self, /, axis: _Axis = None, dtype: DTypeLike | None = None, out: _Out = None
    ) -> ndarray: ...
    def diagonal(
        self: ndarray[Any, _DTypeT],
        /,
        offset: SupportsIndex = 0,
        axis1: SupportsIndex = 0,
        axis2: SupportsIndex = 1,
    ) -> ndarray[tuple[Any, ...], _DTypeT]: ...
    def dot(self, other: Any, /, out: _Out = None) -> ndarray: ...
    def nonzero(self, /) -> tuple[ndarray, ...]: ...
    def repeat(
        self: ndarray[Any, _DTypeT], repeats: _ArrayLike, /, axis: _Axis = None
    ) -> ndarray[tuple[Any, ...], _DTypeT]: ...
    def round(
        self: ndarray[_ShapeT, _DTypeT], /, decimals: SupportsIndex = 0, out: _Out = None
    ) -> ndarray[_ShapeT, _DTypeT]: ...
    def searchsorted(
        self: ndarray, v: _ArrayLike, /, side: str = "left", sorter: _ArrayLike | None = None
    ) -> _ArrayOf[np.int_]: ...
    def swapaxes(
        self: ndarray[Any, _DTypeT], axis1: SupportsIndex, axis2: SupportsIndex, /
    ) -> ndarray[tuple[Any, ...], _DTypeT]: ...
    def take(
        self: ndarray[Any, _DTypeT],
        indices: _ArrayLike,
        /,
        axis: _Axis = None,
        out: _Out = None,
        mode: Any = "raise",
    ) -> ndarray[tuple[Any, ...], _DTypeT]: ...
    def trace(
        self,
        /,
        offset: SupportsIndex = 0,
        axis1: SupportsIndex = 0,
        axis2: SupportsIndex = 1,
        dtype: DTypeLike | None = None,
        out: _Out = None,
    ) -> ndarray: ...
    @overload
    def clip(
        self: ndarray[_ShapeT, np.dtype[_InexactT]],
        /,
        min: float | None = None,
        max: float | None = None,
        out: _Out = None,
        **kwargs: Any,
    ) -> ndarray[_ShapeT, np.dtype[_InexactT]]: ...
    @overload
    def clip(
        self: ndarray[_ShapeT, np.dtype[_IntegerT]],
        /,
        min: int | None = None,
        max: int | None = None,
        out: _Out = None,
        **kwargs: Any,
    ) -> ndarray[_ShapeT, np.dtype[_IntegerT]]: ...
    @overload
    def clip(
        self,
        /,
        min: _ArrayLike | None = None,
        max: _ArrayLike | None = None,
        out: _Out = None,
        **kwargs: Any,
    ) -> ndarray: ...
    def conjugate(self: ndarray[_ShapeT, _DTypeT], /) -> ndarray[_ShapeT, _DTypeT]: ...
    def partition(
        self: ndarray[_ShapeT, _DTypeT],
        kth: Any,
        /,
        axis: _Axis = -1,
        kind: str = "introselect",
        order: Any = None,
    ) -> None: ...
    def sort(
        self: ndarray[_ShapeT, _DTypeT],
        /,
        axis: _Axis = -1,
        kind: str | None = None,
        order: Any = None,
        *,
        stable: bool | None = None,
    ) -> None: ...
    def byteswap(
        self: ndarray[_ShapeT, _DTypeT], /, inplace: Any = False
    ) -> ndarray[_ShapeT, _DTypeT]: ...
    def getfield(self, /, dtype: DTypeLike | None, offset: SupportsIndex = 0) -> ndarray: ...
    def setfield(
        self, val: _ArrayLike, /, dtype: DTypeLike | None, offset: SupportsIndex = 0
    ) -> None: ...
    # end of generated: methods
