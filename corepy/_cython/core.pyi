# Types of the core's Python interface. Documentation is in the sources; `help` and editors read it
# at run time. tests/test_stubs.py compares this file with the module. tools/stubs.py writes the
# marked parts.
# mypy: disable-error-code="misc, overload-overlap, override"

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import EllipsisType
from typing import (
    Any,
    ClassVar,
    Generic,
    Never,
    Protocol,
    Self,
    SupportsIndex,
    TypeAlias,
    final,
    overload,
)

import numpy as np
from numpy.typing import DTypeLike
from typing_extensions import Buffer, TypeVar

from corepy.array_api._types import Namespace
from corepy.numpy.ndarray import ndarray

_Array: TypeAlias = np.ndarray[Any, Any]
_DType: TypeAlias = np.dtype[Any]
_Scalar: TypeAlias = bool | int | float | complex
# An operand of an operator; operands that are not tensors are moved to the Tensor's device.
_Operand: TypeAlias = Tensor | _Scalar | np.generic | _Array | list[Any] | tuple[Any, ...]
_Item: TypeAlias = SupportsIndex | slice | EllipsisType | Tensor | _Array | list[Any] | range | None
_Key: TypeAlias = _Item | tuple[_Item | tuple[int, ...], ...]
_Axis: TypeAlias = SupportsIndex | tuple[SupportsIndex, ...] | None
_Shape: TypeAlias = SupportsIndex | Sequence[SupportsIndex]

class _SupportsArray(Protocol):
    def __array__(self) -> _Array: ...

# Sequences, but not text, which contains nothing else than text.
class _Sequence(Protocol):
    def __len__(self, /) -> int: ...
    def __contains__(self, value: object, /) -> bool: ...
    def __getitem__(self, index: int, /) -> Any: ...
    def __iter__(self, /) -> Iterator[Any]: ...
    def __reversed__(self, /) -> Iterator[Any]: ...

# What functions of the drop-in take for an array.
_ArrayLike: TypeAlias = Tensor | _Scalar | _SupportsArray | _Sequence | Buffer
_Out: TypeAlias = Tensor | _Array | None

# As of `numpy.ndarray`.
_ShapeT_co = TypeVar("_ShapeT_co", bound=tuple[Any, ...], default=tuple[Any, ...], covariant=True)
_DTypeT_co = TypeVar("_DTypeT_co", bound=np.dtype[Any], default=np.dtype[Any], covariant=True)

# Of functions: shapes, and a shape that is an argument, of one axis if that is an int.
_ShapeT = TypeVar("_ShapeT", bound=tuple[Any, ...])
_NewShapeT = TypeVar(
    "_NewShapeT",
    tuple[()],
    tuple[int],
    tuple[int, int],
    tuple[int, int, int],
    tuple[int, int, int, int],
    tuple[int, ...],
    default=tuple[int],
)
# dtypes and scalar types; of _SameT and _SameInexactT it is one type, not a base of two.
_DTypeT = TypeVar("_DTypeT", bound=np.dtype[Any])
_ScalarT = TypeVar("_ScalarT", bound=np.generic)
_NumberT = TypeVar("_NumberT", bound=np.number)
_IntegerT = TypeVar("_IntegerT", bound=np.integer)
_InexactT = TypeVar("_InexactT", bound=np.inexact)
_FloatingT = TypeVar("_FloatingT", bound=np.floating)
_ComplexT = TypeVar("_ComplexT", bound=np.complexfloating)
_RealT = TypeVar("_RealT", bound=np.floating | np.integer | np.bool)
_SameInexactT = TypeVar(
    "_SameInexactT", np.float16, np.float32, np.float64, np.complex64, np.complex128
)
_SameT = TypeVar(
    "_SameT",
    np.bool,
    np.int8,
    np.int16,
    np.int32,
    np.int64,
    np.uint8,
    np.uint16,
    np.uint32,
    np.uint64,
    np.float16,
    np.float32,
    np.float64,
    np.complex64,
    np.complex128,
)
_SameNumberT = TypeVar(
    "_SameNumberT",
    np.int8,
    np.int16,
    np.int32,
    np.int64,
    np.uint8,
    np.uint16,
    np.uint32,
    np.uint64,
    np.float16,
    np.float32,
    np.float64,
    np.complex64,
    np.complex128,
)
_T = TypeVar("_T")
_T_co = TypeVar("_T_co", covariant=True)
_U_co = TypeVar("_U_co", covariant=True)
_Integral: TypeAlias = np.integer | np.bool
_Real: TypeAlias = np.floating | np.integer | np.bool

class _HasDType(Protocol[_T_co]):
    @property
    def dtype(self) -> _T_co: ...

# A dtype by the types of the components `real` and `imag` of its scalars.
class _Components(Protocol[_T_co, _U_co]):
    @property
    def real(self) -> _T_co: ...
    @property
    def imag(self) -> _U_co: ...

class _OfComponents(Protocol[_T_co, _U_co]):
    @property
    def type(self) -> type[_Components[_T_co, _U_co]]: ...

# The real or the imaginary components, of the real dtype that belongs to the dtype of an array.
class _Component:
    @overload
    def __get__(self, instance: None, owner: Any = None, /) -> Self: ...
    @overload
    def __get__(
        self, instance: ndarray[_ShapeT, np.dtype[_RealT]], owner: Any = None, /
    ) -> ndarray[_ShapeT, np.dtype[_RealT]]: ...
    @overload
    def __get__(
        self, instance: ndarray[_ShapeT, np.dtype[np.complex64]], owner: Any = None, /
    ) -> ndarray[_ShapeT, np.dtype[np.float32]]: ...
    @overload
    def __get__(
        self, instance: ndarray[_ShapeT, np.dtype[np.complex128]], owner: Any = None, /
    ) -> ndarray[_ShapeT, np.dtype[np.float64]]: ...
    @overload
    def __get__(self, instance: ndarray[_ShapeT], owner: Any = None, /) -> ndarray[_ShapeT]: ...
    @overload
    def __get__(
        self, instance: Tensor[_ShapeT, np.dtype[_RealT]], owner: Any = None, /
    ) -> Tensor[_ShapeT, np.dtype[_RealT]]: ...
    @overload
    def __get__(
        self, instance: Tensor[_ShapeT, np.dtype[np.complex64]], owner: Any = None, /
    ) -> Tensor[_ShapeT, np.dtype[np.float32]]: ...
    @overload
    def __get__(
        self, instance: Tensor[_ShapeT, np.dtype[np.complex128]], owner: Any = None, /
    ) -> Tensor[_ShapeT, np.dtype[np.float64]]: ...
    @overload
    def __get__(self, instance: Tensor[_ShapeT], owner: Any = None, /) -> Tensor[_ShapeT]: ...
    def __set__(self, instance: Tensor, value: _Operand, /) -> None: ...

_Has: TypeAlias = _HasDType[np.dtype[_ScalarT]]
_DTypeOf: TypeAlias = type[_ScalarT] | np.dtype[_ScalarT] | _Has[_ScalarT]
_TensorOf: TypeAlias = Tensor[tuple[Any, ...], np.dtype[_ScalarT]]
_ArrayOf: TypeAlias = ndarray[tuple[Any, ...], np.dtype[_ScalarT]]
_TypedArray: TypeAlias = Tensor[_ShapeT, _DTypeT] | np.ndarray[_ShapeT, _DTypeT]

# An operation of schema/operations.def, by its number.
_Operation: TypeAlias = int

class Tensor(Generic[_ShapeT_co, _DTypeT_co]):
    """An array of numbers on a device."""

    __array_priority__: ClassVar[int]
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __init__(
        self,
        obj: Any,
        dtype: DTypeLike | None = None,
        device: Device | str | None = None,
        copy: bool | None = None,
    ) -> None: ...

    # ---- attributes
    @property
    def shape(self) -> _ShapeT_co:
        """Sizes of the axes, a tuple of ints."""
    @shape.setter
    def shape(self, shape: _Shape) -> None: ...
    @property
    def dtype(self) -> _DTypeT_co:
        """Data type of the elements, a NumPy dtype."""
    @property
    def device(self) -> Device:
        """The `Device` that holds the elements."""
    @property
    def ndim(self) -> int:
        """Number of axes."""
    @property
    def size(self) -> int:
        """Number of elements."""
    @property
    def itemsize(self) -> int:
        """Bytes of one element."""
    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
    @property
    def strides(self) -> tuple[int, ...]:
        """Bytes from one element to the next along each axis."""
    @property
    def T(self) -> Self:
        """The transpose of a matrix; of another shape, with NumPy, all axes reversed."""
    @property
    def mT(self) -> Self:
        """The transposes of a stack of matrices: the last two axes exchanged."""
    real: _Component
    imag: _Component

    # ---- operators
    def __pos__(self) -> Self: ...
    def __neg__(self) -> Self: ...
    def __invert__(self) -> Self: ...
    def __iadd__(self, other: _Operand, /) -> Self: ...
    def __isub__(self, other: _Operand, /) -> Self: ...
    def __imul__(self, other: _Operand, /) -> Self: ...
    def __itruediv__(self, other: _Operand, /) -> Self: ...
    def __ifloordiv__(self, other: _Operand, /) -> Self: ...
    def __imod__(self, other: _Operand, /) -> Self: ...
    def __imatmul__(self, other: _Operand, /) -> Self: ...
    def __iand__(self, other: _Operand, /) -> Self: ...
    def __ior__(self, other: _Operand, /) -> Self: ...
    def __ixor__(self, other: _Operand, /) -> Self: ...
    def __ilshift__(self, other: _Operand, /) -> Self: ...
    def __irshift__(self, other: _Operand, /) -> Self: ...
    def __ipow__(self, other: _Operand, /) -> Self: ...  # type: ignore[misc]  # has no modulo
    # generated: operators (tools/stubs.py)
    @overload
    def __add__(
        self: _TensorOf[_NumberT], other: int, /
    ) -> Tensor[_ShapeT_co, np.dtype[_NumberT]]: ...
    @overload
    def __add__(self: _TensorOf[_ScalarT], other: _Has[_ScalarT], /) -> _TensorOf[_ScalarT]: ...
    @overload
    def __add__(self: _TensorOf[_Real], other: _Has[np.float64], /) -> _TensorOf[np.float64]: ...
    @overload
    def __add__(
        self: _TensorOf[np.float64], other: _Has[_Real] | Sequence[float], /
    ) -> _TensorOf[np.float64]: ...
    @overload
    def __add__(
        self: _TensorOf[np.number | np.bool], other: _Has[np.complex128], /
    ) -> _TensorOf[np.complex128]: ...
    @overload
    def __add__(
        self: _TensorOf[np.complex128], other: _Has[np.number | np.bool] | Sequence[complex], /
    ) -> _TensorOf[np.complex128]: ...
    @overload
    def __add__(
        self: _TensorOf[_InexactT], other: float, /
    ) -> Tensor[_ShapeT_co, np.dtype[_InexactT]]: ...
    @overload
    def __add__(
        self: _TensorOf[_ComplexT], other: complex, /
    ) -> Tensor[_ShapeT_co, np.dtype[_ComplexT]]: ...
    @overload
    def __add__(
        self: _TensorOf[_Integral], other: float, /
    ) -> Tensor[_ShapeT_co, np.dtype[np.float64]]: ...
    @overload
    def __add__(self, other: _Operand, /) -> Tensor: ...
    @overload
    def __radd__(
        self: _TensorOf[_NumberT], other: int, /
    ) -> Tensor[_ShapeT_co, np.dtype[_NumberT]]: ...
    @overload
    def __radd__(self: _TensorOf[_ScalarT], other: _Has[_ScalarT], /) -> _TensorOf[_ScalarT]: ...
    @overload
    def __radd__(self: _TensorOf[_Real], other: _Has[np.float64], /) -> _TensorOf[np.float64]: ...
    @overload
    def __radd__(
        self: _TensorOf[np.float64], other: _Has[_Real] | Sequence[float], /
    ) -> _TensorOf[np.float64]: ...
    @overload
    def __radd__(
        self: _TensorOf[np.number | np.bool], other: _Has[np.complex128], /
    ) -> _TensorOf[np.complex128]: ...
    @overload
    def __radd__(
        self: _TensorOf[np.complex128], other: _Has[np.number | np.bool] | Sequence[complex], /
    ) -> _TensorOf[np.complex128]: ...
    @overload
    def __radd__(
        self: _TensorOf[_InexactT], other: float, /
    ) -> Tensor[_ShapeT_co, np.dtype[_InexactT]]: ...
    @overload
    def __radd__(
        self: _TensorOf[_ComplexT], other: complex, /
    ) -> Tensor[_ShapeT_co, np.dtype[_ComplexT]]: ...
    @overload
    def __radd__(
        self: _TensorOf[_Integral], other: float, /
    ) -> Tensor[_ShapeT_co, np.dtype[np.float64]]: ...
    @overload
    def __radd__(self, other: _Operand, /) -> Tensor: ...
    @overload
    def __sub__(
        self: _TensorOf[_NumberT], other: int, /
    ) -> Tensor[_ShapeT_co, np.dtype[_NumberT]]: ...
    @overload
    def __sub__(self: _TensorOf[_ScalarT], other: _Has[_ScalarT], /) -> _TensorOf[_ScalarT]: ...
    @overload
    def __sub__(self: _TensorOf[_Real], other: _Has[np.float64], /) -> _TensorOf[np.float64]: ...
    @overload
    def __sub__(
        self: _TensorOf[np.float64], other: _Has[_Real] | Sequence[float], /
    ) -> _TensorOf[np.float64]: ...
    @overload
    def __sub__(
        self: _TensorOf[np.number | np.bool], other: _Has[np.complex128], /
    ) -> _TensorOf[np.complex128]: ...
    @overload
    def __sub__(
        self: _TensorOf[np.complex128], other: _Has[np.number | np.bool] | Sequence[complex], /
    ) -> _TensorOf[np.complex128]: ...
    @overload
    def __sub__(
        self: _TensorOf[_InexactT], other: float, /
    ) -> Tensor[_ShapeT_co, np.dtype[_InexactT]]: ...
    @overload
    def __sub__(
        self: _TensorOf[_ComplexT], other: complex, /
    ) -> Tensor[_ShapeT_co, np.dtype[_ComplexT]]: ...
    @overload
    def __sub__(
        self: _TensorOf[_Integral], other: float, /
    ) -> Tensor[_ShapeT_co, np.dtype[np.float64]]: ...
    @overload
    def __sub__(self, other: _Operand, /) -> Tensor: ...
    @overload
    def __rsub__(
        self: _TensorOf[_NumberT], other: int, /
    ) -> Tensor[_ShapeT_co, np.dtype[_NumberT]]: ...
    @overload
    def __rsub__(self: _TensorOf[_ScalarT], other: _Has[_ScalarT], /) -> _TensorOf[_ScalarT]: ...
    @overload
    def __rsub__(self: _TensorOf[_Real], other: _Has[np.float64], /) -> _TensorOf[np.float64]: ...
    @overload
    def __rsub__(
        self: _TensorOf[np.float64], other: _Has[_Real] | Sequence[float], /
    ) -> _TensorOf[np.float64]: ...
    @overload
    def __rsub__(
        self: _TensorOf[np.number | np.bool], other: _Has[np.complex128], /
    ) -> _TensorOf[np.complex128]: ...
    @overload
    def __rsub__(
        self: _TensorOf[np.complex128], other: _Has[np.number | np.bool] | Sequence[complex], /
    ) -> _TensorOf[np.complex128]: ...
    @overload
    def __rsub__(
        self: _TensorOf[_InexactT], other: float, /
    ) -> Tensor[_ShapeT_co, np.dtype[_InexactT]]: ...
    @overload
    def __rsub__(
        self: _TensorOf[_ComplexT], other: complex, /
    ) -> Tensor[_ShapeT_co, np.dtype[_ComplexT]]: ...
    @overload
    def __rsub__(
        self: _TensorOf[_Integral], other: float, /
    ) -> Tensor[_ShapeT_co, np.dtype[np.float64]]: ...
    @overload
    def __rsub__(self, other: _Operand, /) -> Tensor: ...
    @overload
    def __mul__(
        self: _TensorOf[_NumberT], other: int, /
    ) -> Tensor[_ShapeT_co, np.dtype[_NumberT]]: ...
    @overload
    def __mul__(self: _TensorOf[_ScalarT], other: _Has[_ScalarT], /) -> _TensorOf[_ScalarT]: ...
    @overload
    def __mul__(self: _TensorOf[_Real], other: _Has[np.float64], /) -> _TensorOf[np.float64]: ...
    @overload
    def __mul__(
        self: _TensorOf[np.float64], other: _Has[_Real] | Sequence[float], /
    ) -> _TensorOf[np.float64]: ...
    @overload
    def __mul__(
        self: _TensorOf[np.number | np.bool], other: _Has[np.complex128], /
    ) -> _TensorOf[np.complex128]: ...
    @overload
    def __mul__(
        self: _TensorOf[np.complex128], other: _Has[np.number | np.bool] | Sequence[complex], /
    ) -> _TensorOf[np.complex128]: ...
    @overload
    def __mul__(
        self: _TensorOf[_InexactT], other: float, /
    ) -> Tensor[_ShapeT_co, np.dtype[_InexactT]]: ...
    @overload
    def __mul__(
        self: _TensorOf[_ComplexT], other: complex, /
    ) -> Tensor[_ShapeT_co, np.dtype[_ComplexT]]: ...
    @overload
    def __mul__(
        self: _TensorOf[_Integral], other: float, /
    ) -> Tensor[_ShapeT_co, np.dtype[np.float64]]: ...
    @overload
    def __mul__(self, other: _Operand, /) -> Tensor: ...
    @overload
    def __rmul__(
        self: _TensorOf[_NumberT], other: int, /
    ) -> Tensor[_ShapeT_co, np.dtype[_NumberT]]: ...
    @overload
    def __rmul__(self: _TensorOf[_ScalarT], other: _Has[_ScalarT], /) -> _TensorOf[_ScalarT]: ...
    @overload
    def __rmul__(self: _TensorOf[_Real], other: _Has[np.float64], /) -> _TensorOf[np.float64]: ...
    @overload
    def __rmul__(
        self: _TensorOf[np.float64], other: _Has[_Real] | Sequence[float], /
    ) -> _TensorOf[np.float64]: ...
    @overload
    def __rmul__(
        self: _TensorOf[np.number | np.bool], other: _Has[np.complex128], /
    ) -> _TensorOf[np.complex128]: ...
    @overload
    def __rmul__(
        self: _TensorOf[np.complex128], other: _Has[np.number | np.bool] | Sequence[complex], /
    ) -> _TensorOf[np.complex128]: ...
    @overload
    def __rmul__(
        self: _TensorOf[_InexactT], other: float, /
    ) -> Tensor[_ShapeT_co, np.dtype[_InexactT]]: ...
    @overload
    def __rmul__(
        self: _TensorOf[_ComplexT], other: complex, /
    ) -> Tensor[_ShapeT_co, np.dtype[_ComplexT]]: ...
    @overload
    def __rmul__(
        self: _TensorOf[_Integral], other: float, /
    ) -> Tensor[_ShapeT_co, np.dtype[np.float64]]: ...
    @overload
    def __rmul__(self, other: _Operand, /) -> Tensor: ...
    @overload
    def __floordiv__(
        self: _TensorOf[_NumberT], other: int, /
    ) -> Tensor[_ShapeT_co, np.dtype[_NumberT]]: ...
    @overload
    def __floordiv__(
        self: _TensorOf[_NumberT], other: _Has[_NumberT], /
    ) -> _TensorOf[_NumberT]: ...
    @overload
    def __floordiv__(
        self: _TensorOf[_Real], other: _Has[np.float64], /
    ) -> _TensorOf[np.float64]: ...
    @overload
    def __floordiv__(
        self: _TensorOf[np.float64], other: _Has[_Real] | Sequence[float], /
    ) -> _TensorOf[np.float64]: ...
    @overload
    def __floordiv__(
        self: _TensorOf[np.number | np.bool], other: _Has[np.complex128], /
    ) -> _TensorOf[np.complex128]: ...
    @overload
    def __floordiv__(
        self: _TensorOf[np.complex128], other: _Has[np.number | np.bool] | Sequence[complex], /
    ) -> _TensorOf[np.complex128]: ...
    @overload
    def __floordiv__(
        self: _TensorOf[_InexactT], other: float, /
    ) -> Tensor[_ShapeT_co, np.dtype[_InexactT]]: ...
    @overload
    def __floordiv__(
        self: _TensorOf[_ComplexT], other: complex, /
    ) -> Tensor[_ShapeT_co, np.dtype[_ComplexT]]: ...
    @overload
    def __floordiv__(
        self: _TensorOf[_Integral], other: float, /
    ) -> Tensor[_ShapeT_co, np.dtype[np.float64]]: ...
    @overload
    def __floordiv__(self, other: _Operand, /) -> Tensor: ...
    @overload
    def __rfloordiv__(
        self: _TensorOf[_NumberT], other: int, /
    ) -> Tensor[_ShapeT_co, np.dtype[_NumberT]]: ...
    @overload
    def __rfloordiv__(
        self: _TensorOf[_NumberT], other: _Has[_NumberT], /
    ) -> _TensorOf[_NumberT]: ...
    @overload
    def __rfloordiv__(
        self: _TensorOf[_Real], other: _Has[np.float64], /
    ) -> _TensorOf[np.float64]: ...
    @overload
    def __rfloordiv__(
        self: _TensorOf[np.float64], other: _Has[_Real] | Sequence[float], /
    ) -> _TensorOf[np.float64]: ...
    @overload
    def __rfloordiv__(
        self: _TensorOf[np.number | np.bool], other: _Has[np.complex128], /
    ) -> _TensorOf[np.complex128]: ...
    @overload
    def __rfloordiv__(
        self: _TensorOf[np.complex128], other: _Has[np.number | np.bool] | Sequence[complex], /
    ) -> _TensorOf[np.complex128]: ...
    @overload
    def __rfloordiv__(
        self: _TensorOf[_InexactT], other: float, /
    ) -> Tensor[_ShapeT_co, np.dtype[_InexactT]]: ...
    @overload
    def __rfloordiv__(
        self: _TensorOf[_ComplexT], other: complex, /
    ) -> Tensor[_ShapeT_co, np.dtype[_ComplexT]]: ...
    @overload
    def __rfloordiv__(
        self: _TensorOf[_Integral], other: float, /
    ) -> Tensor[_ShapeT_co, np.dtype[np.float64]]: ...
    @overload
    def __rfloordiv__(self, other: _Operand, /) -> Tensor: ...
    @overload
    def __mod__(
        self: _TensorOf[_NumberT], other: int, /
    ) -> Tensor[_ShapeT_co, np.dtype[_NumberT]]: ...
    @overload
    def __mod__(self: _TensorOf[_NumberT], other: _Has[_NumberT], /) -> _TensorOf[_NumberT]: ...
    @overload
    def __mod__(self: _TensorOf[_Real], other: _Has[np.float64], /) -> _TensorOf[np.float64]: ...
    @overload
    def __mod__(
        self: _TensorOf[np.float64], other: _Has[_Real] | Sequence[float], /
    ) -> _TensorOf[np.float64]: ...
    @overload
    def __mod__(
        self: _TensorOf[np.number | np.bool], other: _Has[np.complex128], /
    ) -> _TensorOf[np.complex128]: ...
    @overload
    def __mod__(
        self: _TensorOf[np.complex128], other: _Has[np.number | np.bool] | Sequence[complex], /
    ) -> _TensorOf[np.complex128]: ...
    @overload
    def __mod__(
        self: _TensorOf[_InexactT], other: float, /
    ) -> Tensor[_ShapeT_co, np.dtype[_InexactT]]: ...
    @overload
    def __mod__(
        self: _TensorOf[_ComplexT], other: complex, /
    ) -> Tensor[_ShapeT_co, np.dtype[_ComplexT]]: ...
    @overload
    def __mod__(
        self: _TensorOf[_Integral], other: float, /
    ) -> Tensor[_ShapeT_co, np.dtype[np.float64]]: ...
    @overload
    def __mod__(self, other: _Operand, /) -> Tensor: ...
    @overload
    def __rmod__(
        self: _TensorOf[_NumberT], other: int, /
    ) -> Tensor[_ShapeT_co, np.dtype[_NumberT]]: ...
    @overload
    def __rmod__(self: _TensorOf[_NumberT], other: _Has[_NumberT], /) -> _TensorOf[_NumberT]: ...
    @overload
    def __rmod__(self: _TensorOf[_Real], other: _Has[np.float64], /) -> _TensorOf[np.float64]: ...
    @overload
    def __rmod__(
        self: _TensorOf[np.float64], other: _Has[_Real] | Sequence[float], /
    ) -> _TensorOf[np.float64]: ...
    @overload
    def __rmod__(
        self: _TensorOf[np.number | np.bool], other: _Has[np.complex128], /
    ) -> _TensorOf[np.complex128]: ...
    @overload
    def __rmod__(
        self: _TensorOf[np.complex128], other: _Has[np.number | np.bool] | Sequence[complex], /
    ) -> _TensorOf[np.complex128]: ...
    @overload
    def __rmod__(
        self: _TensorOf[_InexactT], other: float, /
    ) -> Tensor[_ShapeT_co, np.dtype[_InexactT]]: ...
    @overload
    def __rmod__(
        self: _TensorOf[_ComplexT], other: complex, /
    ) -> Tensor[_ShapeT_co, np.dtype[_ComplexT]]: ...
    @overload
    def __rmod__(
        self: _TensorOf[_Integral], other: float, /
    ) -> Tensor[_ShapeT_co, np.dtype[np.float64]]: ...
    @overload
    def __rmod__(self, other: _Operand, /) -> Tensor: ...
    @overload
    def __divmod__(
        self: _TensorOf[_NumberT], other: int, /
    ) -> tuple[Tensor[_ShapeT_co, np.dtype[_NumberT]], Tensor[_ShapeT_co, np.dtype[_NumberT]]]: ...
    @overload
    def __divmod__(
        self: _TensorOf[_NumberT], other: _Has[_NumberT], /
    ) -> tuple[_TensorOf[_NumberT], _TensorOf[_NumberT]]: ...
    @overload
    def __divmod__(
        self: _TensorOf[_Real], other: _Has[np.float64], /
    ) -> tuple[_TensorOf[np.float64], _TensorOf[np.float64]]: ...
    @overload
    def __divmod__(
        self: _TensorOf[np.float64], other: _Has[_Real] | Sequence[float], /
    ) -> tuple[_TensorOf[np.float64], _TensorOf[np.float64]]: ...
    @overload
    def __divmod__(
        self: _TensorOf[np.number | np.bool], other: _Has[np.complex128], /
    ) -> tuple[_TensorOf[np.complex128], _TensorOf[np.complex128]]: ...
    @overload
    def __divmod__(
        self: _TensorOf[np.complex128], other: _Has[np.number | np.bool] | Sequence[complex], /
    ) -> tuple[_TensorOf[np.complex128], _TensorOf[np.complex128]]: ...
    @overload
    def __divmod__(
        self: _TensorOf[_InexactT], other: float, /
    ) -> tuple[
        Tensor[_ShapeT_co, np.dtype[_InexactT]], Tensor[_ShapeT_co, np.dtype[_InexactT]]
    ]: ...
    @overload
    def __divmod__(
        self: _TensorOf[_ComplexT], other: complex, /
    ) -> tuple[
        Tensor[_ShapeT_co, np.dtype[_ComplexT]], Tensor[_ShapeT_co, np.dtype[_ComplexT]]
    ]: ...
    @overload
    def __divmod__(
        self: _TensorOf[_Integral], other: float, /
    ) -> tuple[
        Tensor[_ShapeT_co, np.dtype[np.float64]], Tensor[_ShapeT_co, np.dtype[np.float64]]
    ]: ...
    @overload
    def __divmod__(self, other: _Operand, /) -> tuple[Tensor, Tensor]: ...
    @overload
    def __rdivmod__(
        self: _TensorOf[_NumberT], other: int, /
    ) -> tuple[Tensor[_ShapeT_co, np.dtype[_NumberT]], Tensor[_ShapeT_co, np.dtype[_NumberT]]]: ...
    @overload
    def __rdivmod__(
        self: _TensorOf[_NumberT], other: _Has[_NumberT], /
    ) -> tuple[_TensorOf[_NumberT], _TensorOf[_NumberT]]: ...
    @overload
    def __rdivmod__(
        self: _TensorOf[_Real], other: _Has[np.float64], /
    ) -> tuple[_TensorOf[np.float64], _TensorOf[np.float64]]: ...
    @overload
    def __rdivmod__(
        self: _TensorOf[np.float64], other: _Has[_Real] | Sequence[float], /
    ) -> tuple[_TensorOf[np.float64], _TensorOf[np.float64]]: ...
    @overload
    def __rdivmod__(
        self: _TensorOf[np.number | np.bool], other: _Has[np.complex128], /
    ) -> tuple[_TensorOf[np.complex128], _TensorOf[np.complex128]]: ...
    @overload
    def __rdivmod__(
        self: _TensorOf[np.complex128], other: _Has[np.number | np.bool] | Sequence[complex], /
    ) -> tuple[_TensorOf[np.complex128], _TensorOf[np.complex128]]: ...
    @overload
    def __rdivmod__(
        self: _TensorOf[_InexactT], other: float, /
    ) -> tuple[
        Tensor[_ShapeT_co, np.dtype[_InexactT]], Tensor[_ShapeT_co, np.dtype[_InexactT]]
    ]: ...
    @overload
    def __rdivmod__(
        self: _TensorOf[_ComplexT], other: complex, /
    ) -> tuple[
        Tensor[_ShapeT_co, np.dtype[_ComplexT]], Tensor[_ShapeT_co, np.dtype[_ComplexT]]
    ]: ...
    @overload
    def __rdivmod__(
        self: _TensorOf[_Integral], other: float, /
    ) -> tuple[
        Tensor[_ShapeT_co, np.dtype[np.float64]], Tensor[_ShapeT_co, np.dtype[np.float64]]
    ]: ...
    @overload
    def __rdivmod__(self, other: _Operand, /) -> tuple[Tensor, Tensor]: ...
    @overload
    def __pow__(
        self: _TensorOf[_NumberT], other: int, modulo: None = None, /
    ) -> Tensor[_ShapeT_co, np.dtype[_NumberT]]: ...
    @overload
    def __pow__(
        self: _TensorOf[_NumberT], other: _Has[_NumberT], modulo: None = None, /
    ) -> _TensorOf[_NumberT]: ...
    @overload
    def __pow__(
        self: _TensorOf[_Real], other: _Has[np.float64], modulo: None = None, /
    ) -> _TensorOf[np.float64]: ...
    @overload
    def __pow__(
        self: _TensorOf[np.float64], other: _Has[_Real] | Sequence[float], modulo: None = None, /
    ) -> _TensorOf[np.float64]: ...
    @overload
    def __pow__(
        self: _TensorOf[np.number | np.bool], other: _Has[np.complex128], modulo: None = None, /
    ) -> _TensorOf[np.complex128]: ...
    @overload
    def __pow__(
        self: _TensorOf[np.complex128],
        other: _Has[np.number | np.bool] | Sequence[complex],
        modulo: None = None,
        /,
    ) -> _TensorOf[np.complex128]: ...
    @overload
    def __pow__(
        self: _TensorOf[_InexactT], other: float, modulo: None = None, /
    ) -> Tensor[_ShapeT_co, np.dtype[_InexactT]]: ...
    @overload
    def __pow__(
        self: _TensorOf[_ComplexT], other: complex, modulo: None = None, /
    ) -> Tensor[_ShapeT_co, np.dtype[_ComplexT]]: ...
    @overload
    def __pow__(
        self: _TensorOf[_Integral], other: float, modulo: None = None, /
    ) -> Tensor[_ShapeT_co, np.dtype[np.float64]]: ...
    @overload
    def __pow__(self, other: _Operand, modulo: None = None, /) -> Tensor: ...
    @overload
    def __rpow__(
        self: _TensorOf[_NumberT], other: int, modulo: None = None, /
    ) -> Tensor[_ShapeT_co, np.dtype[_NumberT]]: ...
    @overload
    def __rpow__(
        self: _TensorOf[_NumberT], other: _Has[_NumberT], modulo: None = None, /
    ) -> _TensorOf[_NumberT]: ...
    @overload
    def __rpow__(
        self: _TensorOf[_Real], other: _Has[np.float64], modulo: None = None, /
    ) -> _TensorOf[np.float64]: ...
    @overload
    def __rpow__(
        self: _TensorOf[np.float64], other: _Has[_Real] | Sequence[float], modulo: None = None, /
    ) -> _TensorOf[np.float64]: ...
    @overload
    def __rpow__(
        self: _TensorOf[np.number | np.bool], other: _Has[np.complex128], modulo: None = None, /
    ) -> _TensorOf[np.complex128]: ...
    @overload
    def __rpow__(
        self: _TensorOf[np.complex128],
        other: _Has[np.number | np.bool] | Sequence[complex],
        modulo: None = None,
        /,
    ) -> _TensorOf[np.complex128]: ...
    @overload
    def __rpow__(
        self: _TensorOf[_InexactT], other: float, modulo: None = None, /
    ) -> Tensor[_ShapeT_co, np.dtype[_InexactT]]: ...
    @overload
    def __rpow__(
        self: _TensorOf[_ComplexT], other: complex, modulo: None = None, /
    ) -> Tensor[_ShapeT_co, np.dtype[_ComplexT]]: ...
    @overload
    def __rpow__(
        self: _TensorOf[_Integral], other: float, modulo: None = None, /
    ) -> Tensor[_ShapeT_co, np.dtype[np.float64]]: ...
    @overload
    def __rpow__(self, other: _Operand, modulo: None = None, /) -> Tensor: ...
    @overload
    def __truediv__(
        self: _TensorOf[_InexactT], other: _Has[_InexactT], /
    ) -> _TensorOf[_InexactT]: ...
    @overload
    def __truediv__(
        self: _TensorOf[_Real], other: _Has[np.float64], /
    ) -> _TensorOf[np.float64]: ...
    @overload
    def __truediv__(
        self: _TensorOf[np.float64], other: _Has[_Real] | Sequence[float], /
    ) -> _TensorOf[np.float64]: ...
    @overload
    def __truediv__(
        self: _TensorOf[np.number | np.bool], other: _Has[np.complex128], /
    ) -> _TensorOf[np.complex128]: ...
    @overload
    def __truediv__(
        self: _TensorOf[np.complex128], other: _Has[np.number | np.bool] | Sequence[complex], /
    ) -> _TensorOf[np.complex128]: ...
    @overload
    def __truediv__(
        self: _TensorOf[_InexactT], other: float, /
    ) -> Tensor[_ShapeT_co, np.dtype[_InexactT]]: ...
    @overload
    def __truediv__(
        self: _TensorOf[_ComplexT], other: complex, /
    ) -> Tensor[_ShapeT_co, np.dtype[_ComplexT]]: ...
    @overload
    def __truediv__(
        self: _TensorOf[_Integral], other: _Has[_Integral], /
    ) -> _TensorOf[np.float64]: ...
    @overload
    def __truediv__(
        self: _TensorOf[_Integral], other: float, /
    ) -> Tensor[_ShapeT_co, np.dtype[np.float64]]: ...
    @overload
    def __truediv__(self, other: _Operand, /) -> Tensor: ...
    @overload
    def __rtruediv__(
        self: _TensorOf[_InexactT], other: _Has[_InexactT], /
    ) -> _TensorOf[_InexactT]: ...
    @overload
    def __rtruediv__(
        self: _TensorOf[_Real], other: _Has[np.float64], /
    ) -> _TensorOf[np.float64]: ...
    @overload
    def __rtruediv__(
        self: _TensorOf[np.float64], other: _Has[_Real] | Sequence[float], /
    ) -> _TensorOf[np.float64]: ...
    @overload
    def __rtruediv__(
        self: _TensorOf[np.number | np.bool], other: _Has[np.complex128], /
    ) -> _TensorOf[np.complex128]: ...
    @overload
    def __rtruediv__(
        self: _TensorOf[np.complex128], other: _Has[np.number | np.bool] | Sequence[complex], /
    ) -> _TensorOf[np.complex128]: ...
    @overload
    def __rtruediv__(
        self: _TensorOf[_InexactT], other: float, /
    ) -> Tensor[_ShapeT_co, np.dtype[_InexactT]]: ...
    @overload
    def __rtruediv__(
        self: _TensorOf[_ComplexT], other: complex, /
    ) -> Tensor[_ShapeT_co, np.dtype[_ComplexT]]: ...
    @overload
    def __rtruediv__(
        self: _TensorOf[_Integral], other: _Has[_Integral], /
    ) -> _TensorOf[np.float64]: ...
    @overload
    def __rtruediv__(
        self: _TensorOf[_Integral], other: float, /
    ) -> Tensor[_ShapeT_co, np.dtype[np.float64]]: ...
    @overload
    def __rtruediv__(self, other: _Operand, /) -> Tensor: ...
    @overload
    def __matmul__(self: _TensorOf[_ScalarT], other: _Has[_ScalarT], /) -> _TensorOf[_ScalarT]: ...
    @overload
    def __matmul__(self: _TensorOf[_Real], other: _Has[np.float64], /) -> _TensorOf[np.float64]: ...
    @overload
    def __matmul__(
        self: _TensorOf[np.float64], other: _Has[_Real] | Sequence[float], /
    ) -> _TensorOf[np.float64]: ...
    @overload
    def __matmul__(
        self: _TensorOf[np.number | np.bool], other: _Has[np.complex128], /
    ) -> _TensorOf[np.complex128]: ...
    @overload
    def __matmul__(
        self: _TensorOf[np.complex128], other: _Has[np.number | np.bool] | Sequence[complex], /
    ) -> _TensorOf[np.complex128]: ...
    @overload
    def __matmul__(self, other: _Operand, /) -> Tensor: ...
    @overload
    def __rmatmul__(self: _TensorOf[_ScalarT], other: _Has[_ScalarT], /) -> _TensorOf[_ScalarT]: ...
    @overload
    def __rmatmul__(
        self: _TensorOf[_Real], other: _Has[np.float64], /
    ) -> _TensorOf[np.float64]: ...
    @overload
    def __rmatmul__(
        self: _TensorOf[np.float64], other: _Has[_Real] | Sequence[float], /
    ) -> _TensorOf[np.float64]: ...
    @overload
    def __rmatmul__(
        self: _TensorOf[np.number | np.bool], other: _Has[np.complex128], /
    ) -> _TensorOf[np.complex128]: ...
    @overload
    def __rmatmul__(
        self: _TensorOf[np.complex128], other: _Has[np.number | np.bool] | Sequence[complex], /
    ) -> _TensorOf[np.complex128]: ...
    @overload
    def __rmatmul__(self, other: _Operand, /) -> Tensor: ...
    @overload
    def __and__(
        self: _TensorOf[np.bool], other: bool, /
    ) -> Tensor[_ShapeT_co, np.dtype[np.bool]]: ...
    @overload
    def __and__(
        self: _TensorOf[_IntegerT], other: int, /
    ) -> Tensor[_ShapeT_co, np.dtype[_IntegerT]]: ...
    @overload
    def __and__(self: _TensorOf[_ScalarT], other: _Has[_ScalarT], /) -> _TensorOf[_ScalarT]: ...
    @overload
    def __and__(self, other: _Operand, /) -> Tensor: ...
    @overload
    def __rand__(
        self: _TensorOf[np.bool], other: bool, /
    ) -> Tensor[_ShapeT_co, np.dtype[np.bool]]: ...
    @overload
    def __rand__(
        self: _TensorOf[_IntegerT], other: int, /
    ) -> Tensor[_ShapeT_co, np.dtype[_IntegerT]]: ...
    @overload
    def __rand__(self: _TensorOf[_ScalarT], other: _Has[_ScalarT], /) -> _TensorOf[_ScalarT]: ...
    @overload
    def __rand__(self, other: _Operand, /) -> Tensor: ...
    @overload
    def __or__(
        self: _TensorOf[np.bool], other: bool, /
    ) -> Tensor[_ShapeT_co, np.dtype[np.bool]]: ...
    @overload
    def __or__(
        self: _TensorOf[_IntegerT], other: int, /
    ) -> Tensor[_ShapeT_co, np.dtype[_IntegerT]]: ...
    @overload
    def __or__(self: _TensorOf[_ScalarT], other: _Has[_ScalarT], /) -> _TensorOf[_ScalarT]: ...
    @overload
    def __or__(self, other: _Operand, /) -> Tensor: ...
    @overload
    def __ror__(
        self: _TensorOf[np.bool], other: bool, /
    ) -> Tensor[_ShapeT_co, np.dtype[np.bool]]: ...
    @overload
    def __ror__(
        self: _TensorOf[_IntegerT], other: int, /
    ) -> Tensor[_ShapeT_co, np.dtype[_IntegerT]]: ...
    @overload
    def __ror__(self: _TensorOf[_ScalarT], other: _Has[_ScalarT], /) -> _TensorOf[_ScalarT]: ...
    @overload
    def __ror__(self, other: _Operand, /) -> Tensor: ...
    @overload
    def __xor__(
        self: _TensorOf[np.bool], other: bool, /
    ) -> Tensor[_ShapeT_co, np.dtype[np.bool]]: ...
    @overload
    def __xor__(
        self: _TensorOf[_IntegerT], other: int, /
    ) -> Tensor[_ShapeT_co, np.dtype[_IntegerT]]: ...
    @overload
    def __xor__(self: _TensorOf[_ScalarT], other: _Has[_ScalarT], /) -> _TensorOf[_ScalarT]: ...
    @overload
    def __xor__(self, other: _Operand, /) -> Tensor: ...
    @overload
    def __rxor__(
        self: _TensorOf[np.bool], other: bool, /
    ) -> Tensor[_ShapeT_co, np.dtype[np.bool]]: ...
    @overload
    def __rxor__(
        self: _TensorOf[_IntegerT], other: int, /
    ) -> Tensor[_ShapeT_co, np.dtype[_IntegerT]]: ...
    @overload
    def __rxor__(self: _TensorOf[_ScalarT], other: _Has[_ScalarT], /) -> _TensorOf[_ScalarT]: ...
    @overload
    def __rxor__(self, other: _Operand, /) -> Tensor: ...
    @overload
    def __lshift__(
        self: _TensorOf[_IntegerT], other: int, /
    ) -> Tensor[_ShapeT_co, np.dtype[_IntegerT]]: ...
    @overload
    def __lshift__(
        self: _TensorOf[_IntegerT], other: _Has[_IntegerT], /
    ) -> _TensorOf[_IntegerT]: ...
    @overload
    def __lshift__(self, other: _Operand, /) -> Tensor: ...
    @overload
    def __rlshift__(
        self: _TensorOf[_IntegerT], other: int, /
    ) -> Tensor[_ShapeT_co, np.dtype[_IntegerT]]: ...
    @overload
    def __rlshift__(
        self: _TensorOf[_IntegerT], other: _Has[_IntegerT], /
    ) -> _TensorOf[_IntegerT]: ...
    @overload
    def __rlshift__(self, other: _Operand, /) -> Tensor: ...
    @overload
    def __rshift__(
        self: _TensorOf[_IntegerT], other: int, /
    ) -> Tensor[_ShapeT_co, np.dtype[_IntegerT]]: ...
    @overload
    def __rshift__(
        self: _TensorOf[_IntegerT], other: _Has[_IntegerT], /
    ) -> _TensorOf[_IntegerT]: ...
    @overload
    def __rshift__(self, other: _Operand, /) -> Tensor: ...
    @overload
    def __rrshift__(
        self: _TensorOf[_IntegerT], other: int, /
    ) -> Tensor[_ShapeT_co, np.dtype[_IntegerT]]: ...
    @overload
    def __rrshift__(
        self: _TensorOf[_IntegerT], other: _Has[_IntegerT], /
    ) -> _TensorOf[_IntegerT]: ...
    @overload
    def __rrshift__(self, other: _Operand, /) -> Tensor: ...
    @overload
    def __abs__(
        self: _HasDType[_OfComponents[_ScalarT, Any]],
    ) -> Tensor[_ShapeT_co, np.dtype[_ScalarT]]: ...
    @overload
    def __abs__(self) -> Tensor[_ShapeT_co]: ...
    @overload
    def __eq__(self, other: _Scalar, /) -> Tensor[_ShapeT_co, np.dtype[np.bool]]: ...
    @overload
    def __eq__(self, other: _Operand, /) -> _TensorOf[np.bool]: ...
    @overload
    def __ne__(self, other: _Scalar, /) -> Tensor[_ShapeT_co, np.dtype[np.bool]]: ...
    @overload
    def __ne__(self, other: _Operand, /) -> _TensorOf[np.bool]: ...
    @overload
    def __lt__(self, other: _Scalar, /) -> Tensor[_ShapeT_co, np.dtype[np.bool]]: ...
    @overload
    def __lt__(self, other: _Operand, /) -> _TensorOf[np.bool]: ...
    @overload
    def __le__(self, other: _Scalar, /) -> Tensor[_ShapeT_co, np.dtype[np.bool]]: ...
    @overload
    def __le__(self, other: _Operand, /) -> _TensorOf[np.bool]: ...
    @overload
    def __gt__(self, other: _Scalar, /) -> Tensor[_ShapeT_co, np.dtype[np.bool]]: ...
    @overload
    def __gt__(self, other: _Operand, /) -> _TensorOf[np.bool]: ...
    @overload
    def __ge__(self, other: _Scalar, /) -> Tensor[_ShapeT_co, np.dtype[np.bool]]: ...
    @overload
    def __ge__(self, other: _Operand, /) -> _TensorOf[np.bool]: ...
    # end of generated: operators
    # ---- indexing and iteration
    def __getitem__(self, key: _Key, /) -> Tensor[tuple[Any, ...], _DTypeT_co]: ...
    def __setitem__(self, key: _Key, value: _Operand, /) -> None: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Tensor[tuple[Any, ...], _DTypeT_co]]: ...
    def __contains__(self, value: object, /) -> bool: ...

    # ---- one element as a Python scalar, all as Python scalars
    def __bool__(self) -> bool: ...
    def __int__(self) -> int: ...
    def __float__(self) -> float: ...
    def __complex__(self) -> complex: ...
    def __index__(self) -> int: ...
    def __format__(self, spec: str) -> str: ...
    def item(self: Tensor[Any, np.dtype[np.generic[_T]]], *index: Any) -> _T:
        """Return the one element, or the element at `index`, as a Python scalar."""
    # The first is that of any number of axes, as no axis has a size of type Never.
    @overload
    def tolist(self: Tensor[tuple[Never], np.dtype[np.generic[_T]]]) -> Any: ...
    @overload
    def tolist(self: Tensor[tuple[()], np.dtype[np.generic[_T]]]) -> _T: ...
    @overload
    def tolist(self: Tensor[tuple[int], np.dtype[np.generic[_T]]]) -> list[_T]: ...
    @overload
    def tolist(self: Tensor[tuple[int, int], np.dtype[np.generic[_T]]]) -> list[list[_T]]: ...
    @overload
    def tolist(self) -> Any:
        """Return the elements as a nested list of Python scalars (a scalar when 0-d)."""

    # ---- protocols
    def __array_namespace__(self, /, *, api_version: str | None = None) -> Namespace:
        """Return the namespace of the array API standard that this tensor belongs to."""
    def __dlpack__(
        self,
        /,
        *,
        stream: Any = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any: ...
    def __dlpack_device__(self, /) -> tuple[int, int]: ...
    __dlpack_c_exchange_api__: ClassVar[Any]
    def __jax_array__(self) -> Any: ...
    @property
    def __cuda_array_interface__(self) -> dict[str, Any]: ...
    @overload
    def __array__(
        self, /, dtype: None = None, copy: bool | None = None
    ) -> np.ndarray[_ShapeT_co, _DTypeT_co]: ...
    @overload
    def __array__(
        self, /, dtype: _DTypeT, copy: bool | None = None
    ) -> np.ndarray[_ShapeT_co, _DTypeT]: ...
    @overload
    def __array__(
        self, /, dtype: DTypeLike | None = None, copy: bool | None = None
    ) -> np.ndarray[_ShapeT_co, np.dtype[Any]]: ...
    @property
    def __array_interface__(self) -> dict[str, Any]: ...
    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, memo: Any) -> Self: ...
    def __dask_tokenize__(self) -> Any: ...
    def __reduce_ex__(self, protocol: SupportsIndex) -> tuple[Any, ...]: ...

    # ---- methods
    def to_device(self, device: Device | str, /, *, stream: Any = None) -> Self:
        """Return this tensor on `device`: itself if it is there, else a copy."""
    def to(self, device: Device | str, /, *, stream: Any = None) -> Self:
        """Return this tensor on `device`; short for `to_device`."""
    def to_numpy(self) -> np.ndarray[_ShapeT_co, _DTypeT_co]:
        """Return an ndarray over the same memory; of another device's elements, a copy."""
    def ravel(self) -> Tensor[tuple[int], _DTypeT_co]:
        """Return the elements in one dimension, without a copy if possible."""
    def copy(self) -> Self:
        """Return a copy."""
    # generated: methods (tools/stubs.py)
    @overload
    def astype(
        self: Tensor[_ShapeT, Any],
        /,
        dtype: _DTypeOf[_ScalarT],
        *,
        copy: bool | None = True,
        device: Device | str | None = None,
    ) -> Tensor[_ShapeT, np.dtype[_ScalarT]]: ...
    @overload
    def astype(
        self: Tensor[_ShapeT, Any],
        /,
        dtype: type[bool],
        *,
        copy: bool | None = True,
        device: Device | str | None = None,
    ) -> Tensor[_ShapeT, np.dtype[np.bool]]: ...
    @overload
    def astype(
        self: Tensor[_ShapeT, Any],
        /,
        dtype: type[int],
        *,
        copy: bool | None = True,
        device: Device | str | None = None,
    ) -> Tensor[_ShapeT, np.dtype[np.int64]]: ...
    @overload
    def astype(
        self: Tensor[_ShapeT, Any],
        /,
        dtype: type[float],
        *,
        copy: bool | None = True,
        device: Device | str | None = None,
    ) -> Tensor[_ShapeT, np.dtype[np.float64]]: ...
    @overload
    def astype(
        self: Tensor[_ShapeT, Any],
        /,
        dtype: type[complex],
        *,
        copy: bool | None = True,
        device: Device | str | None = None,
    ) -> Tensor[_ShapeT, np.dtype[np.complex128]]: ...
    @overload
    def astype(
        self,
        /,
        dtype: DTypeLike | None,
        *,
        copy: bool | None = True,
        device: Device | str | None = None,
    ) -> Tensor:
        """Return the elements as another dtype."""
    @overload
    def reshape(
        self, shape: SupportsIndex | _NewShapeT, /, *, copy: bool | None = None
    ) -> Tensor[_NewShapeT, _DTypeT_co]: ...
    @overload
    def reshape(
        self, n1: SupportsIndex, n2: SupportsIndex, /, *, copy: bool | None = None
    ) -> Tensor[tuple[int, int], _DTypeT_co]: ...
    @overload
    def reshape(
        self,
        n1: SupportsIndex,
        n2: SupportsIndex,
        n3: SupportsIndex,
        /,
        *,
        copy: bool | None = None,
    ) -> Tensor[tuple[int, int, int], _DTypeT_co]: ...
    @overload
    def reshape(
        self, /, *shape: _Shape, copy: bool | None = None
    ) -> Tensor[tuple[Any, ...], _DTypeT_co]:
        """Return the elements in another shape, in C order."""
    def argmax(
        self: Tensor, /, axis: SupportsIndex | None = None, *, keepdims: bool = False
    ) -> _TensorOf[np.int64]:
        """Return the index of the first maximum."""
    def argmin(
        self: Tensor, /, axis: SupportsIndex | None = None, *, keepdims: bool = False
    ) -> _TensorOf[np.int64]:
        """Return the index of the first minimum."""
    def max(
        self: Tensor[Any, _DTypeT], /, axis: _Axis = None, *, keepdims: bool = False
    ) -> Tensor[tuple[Any, ...], _DTypeT]:
        """Return the maximum."""
    @overload
    def mean(
        self: _TensorOf[_InexactT], /, axis: _Axis = None, *, keepdims: bool = False
    ) -> _TensorOf[_InexactT]: ...
    @overload
    def mean(
        self: _TensorOf[_Integral], /, axis: _Axis = None, *, keepdims: bool = False
    ) -> _TensorOf[np.float64]: ...
    @overload
    def mean(self, /, axis: _Axis = None, *, keepdims: bool = False) -> Tensor:
        """Return the arithmetic mean."""
    def min(
        self: Tensor[Any, _DTypeT], /, axis: _Axis = None, *, keepdims: bool = False
    ) -> Tensor[tuple[Any, ...], _DTypeT]:
        """Return the minimum."""
    @overload
    def prod(
        self: _TensorOf[_InexactT],
        /,
        axis: _Axis = None,
        *,
        dtype: None = None,
        keepdims: bool = False,
    ) -> _TensorOf[_InexactT]: ...
    @overload
    def prod(
        self: _TensorOf[np.signedinteger | np.bool],
        /,
        axis: _Axis = None,
        *,
        dtype: None = None,
        keepdims: bool = False,
    ) -> _TensorOf[np.int64]: ...
    @overload
    def prod(
        self: _TensorOf[np.unsignedinteger],
        /,
        axis: _Axis = None,
        *,
        dtype: None = None,
        keepdims: bool = False,
    ) -> _TensorOf[np.uint64]: ...
    @overload
    def prod(
        self: Tensor, /, axis: _Axis = None, *, dtype: _DTypeOf[_ScalarT], keepdims: bool = False
    ) -> _TensorOf[_ScalarT]: ...
    @overload
    def prod(
        self, /, axis: _Axis = None, *, dtype: DTypeLike | None = None, keepdims: bool = False
    ) -> Tensor:
        """Return the product."""
    @overload
    def std(
        self: _TensorOf[_FloatingT],
        /,
        axis: _Axis = None,
        *,
        correction: float = 0.0,
        keepdims: bool = False,
    ) -> _TensorOf[_FloatingT]: ...
    @overload
    def std(
        self: _TensorOf[np.complex64],
        /,
        axis: _Axis = None,
        *,
        correction: float = 0.0,
        keepdims: bool = False,
    ) -> _TensorOf[np.float32]: ...
    @overload
    def std(
        self: _TensorOf[np.complex128 | _Integral],
        /,
        axis: _Axis = None,
        *,
        correction: float = 0.0,
        keepdims: bool = False,
    ) -> _TensorOf[np.float64]: ...
    @overload
    def std(
        self, /, axis: _Axis = None, *, correction: float = 0.0, keepdims: bool = False
    ) -> Tensor:
        """Return the standard deviation."""
    @overload
    def sum(
        self: _TensorOf[_InexactT],
        /,
        axis: _Axis = None,
        *,
        dtype: None = None,
        keepdims: bool = False,
    ) -> _TensorOf[_InexactT]: ...
    @overload
    def sum(
        self: _TensorOf[np.signedinteger | np.bool],
        /,
        axis: _Axis = None,
        *,
        dtype: None = None,
        keepdims: bool = False,
    ) -> _TensorOf[np.int64]: ...
    @overload
    def sum(
        self: _TensorOf[np.unsignedinteger],
        /,
        axis: _Axis = None,
        *,
        dtype: None = None,
        keepdims: bool = False,
    ) -> _TensorOf[np.uint64]: ...
    @overload
    def sum(
        self: Tensor, /, axis: _Axis = None, *, dtype: _DTypeOf[_ScalarT], keepdims: bool = False
    ) -> _TensorOf[_ScalarT]: ...
    @overload
    def sum(
        self, /, axis: _Axis = None, *, dtype: DTypeLike | None = None, keepdims: bool = False
    ) -> Tensor:
        """Return the sum."""
    @overload
    def var(
        self: _TensorOf[_FloatingT],
        /,
        axis: _Axis = None,
        *,
        correction: float = 0.0,
        keepdims: bool = False,
    ) -> _TensorOf[_FloatingT]: ...
    @overload
    def var(
        self: _TensorOf[np.complex64],
        /,
        axis: _Axis = None,
        *,
        correction: float = 0.0,
        keepdims: bool = False,
    ) -> _TensorOf[np.float32]: ...
    @overload
    def var(
        self: _TensorOf[np.complex128 | _Integral],
        /,
        axis: _Axis = None,
        *,
        correction: float = 0.0,
        keepdims: bool = False,
    ) -> _TensorOf[np.float64]: ...
    @overload
    def var(
        self, /, axis: _Axis = None, *, correction: float = 0.0, keepdims: bool = False
    ) -> Tensor:
        """Return the variance."""
    def all(self: Tensor, /, axis: _Axis = None, *, keepdims: bool = False) -> _TensorOf[np.bool]:
        """Return whether all elements are true."""
    def any(self: Tensor, /, axis: _Axis = None, *, keepdims: bool = False) -> _TensorOf[np.bool]:
        """Return whether any element is true."""
    # end of generated: methods

@final
class Device:
    """The location of a tensor's elements: a backend and one of its devices."""

    @overload
    def __new__(cls, backend: str) -> Self: ...
    @overload
    def __new__(cls, backend: Backend, index: int = 0, text: str | None = None) -> Self: ...
    @property
    def backend(self) -> Backend: ...
    @property
    def index(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __format__(self, spec: str) -> str: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

class Backend:
    """The computations on tensors of one kind of storage."""

    remote: bool

    def __init__(self, name: str | None = None) -> None: ...
    @property
    def name(self) -> str: ...
    def missing(self) -> str: ...
    def is_available(self) -> bool: ...
    def devices(self) -> list[Device]: ...
    def chosen_automatically(self, device: Device) -> bool: ...
    def get_capabilities(self) -> dict[str, Any]: ...
    def supports(self, operation: str, dtype: DTypeLike | None = None) -> bool: ...
    def token(self, x: Tensor) -> Any: ...
    def memory_stats(self, device: Device | None = None) -> dict[str, int]: ...
    def empty_cache(self, device: Device | None = None) -> None: ...
    def synchronize(self) -> None: ...
    def tensor(
        self, storage: Any, dtype: DTypeLike, shape: tuple[int, ...], device: Device
    ) -> Tensor: ...
    def unwrap(self, x: Tensor) -> Any: ...
    def replace(self, x: Tensor, storage: Any) -> None: ...
    def from_numpy(self, array: _Array, device: Device) -> Tensor: ...
    def to_numpy(self, x: Tensor) -> _Array: ...
    def split(self, x: Tensor, chunks: Any) -> Tensor: ...
    def represent(self, x: Tensor) -> str | None: ...
    def compute(self, tensors: tuple[Tensor, ...]) -> None: ...
    def persist(self, tensors: tuple[Tensor, ...]) -> None: ...
    def move(self, x: Tensor, device: Device, stream: Any = None) -> Tensor: ...
    def share(self, x: Tensor, device: Device) -> Tensor | None: ...
    def from_dlpack(self, exporter: Any) -> Tensor: ...
    def dlpack(self, x: Tensor, params: dict[str, Any]) -> Any: ...
    def dlpack_device(self, x: Tensor) -> tuple[int, int]: ...
    def cuda_array_interface(self, x: Tensor) -> dict[str, Any]: ...
    def from_cuda_array(self, exporter: Any) -> Tensor: ...
    def place(self, device: Device, nbytes: int) -> Device: ...
    # A Tensor, or a tuple or list of them: the operation decides.
    def execute(self, operation: str, inputs: Any, params: dict[str, Any] | None = None) -> Any: ...
    def create(
        self,
        operation: str,
        inputs: tuple[Any, ...],
        params: dict[str, Any] | None,
        device: Device,
    ) -> Tensor: ...
    def astype(self, x: Tensor, dtype: _DType, copy: bool) -> Tensor: ...
    def full(
        self, shape: tuple[int, ...], value: _Scalar | None, dtype: _DType, device: Device
    ) -> Tensor: ...
    def unary(self, op: _Operation, x: Tensor) -> Tensor: ...
    def binary(self, op: _Operation, x1: Tensor | _Scalar, x2: Tensor | _Scalar) -> Tensor: ...
    def where(self, condition: Tensor, x1: Tensor | _Scalar, x2: Tensor | _Scalar) -> Tensor: ...
    def clip(
        self, x: Tensor, low: Tensor | _Scalar | None, high: Tensor | _Scalar | None
    ) -> Tensor: ...
    def reduce(
        self,
        op: _Operation,
        x: Tensor,
        axis: _Axis,
        keepdims: bool,
        dtype: _DType | None,
        correction: float,
    ) -> Tensor: ...
    def scan(
        self, op: _Operation, x: Tensor, axis: int, dtype: _DType | None, include_initial: bool
    ) -> Tensor: ...
    def inplace(self, op: _Operation, x: Tensor, other: Tensor | _Scalar) -> Tensor: ...
    def getitem(self, x: Tensor, key: Any) -> Tensor: ...
    def setitem(self, x: Tensor, key: Any, value: Any) -> None: ...
    def native_getitem(self, native: Any, key: Any) -> Any: ...
    def native_setitem(self, native: Any, key: Any, value: Any) -> None: ...

class NamespaceBackend(Backend):
    """A backend over an array API namespace."""

    def __init__(
        self,
        name: str,
        load: Callable[[], Any],
        requires: str,
        corrections: Callable[[], Mapping[str, Callable[..., Any]]] | None = None,
    ) -> None: ...
    @property
    def requires(self) -> str: ...
    # Any: a module, or what stands for one.
    @property
    def namespace(self) -> Any: ...
    def native_dtype(self, dtype: _DType) -> Any: ...
    def native_dtypes_of(self, namespace: Any) -> Mapping[str, Any]: ...
    def native_device(self, device: Device) -> Any: ...
    def device_of(self, native: Any) -> Device: ...
    def native_shape(self, native: Any) -> tuple[int, ...]: ...
    def native_to_numpy(self, native: Any) -> _Array: ...
    def native_from_numpy(self, array: _Array, device: Device) -> Any: ...
    def wrap(self, native: Any) -> Tensor: ...

class CheckedBackend(NamespaceBackend):
    """A backend with functions that trust their arguments."""

@final
class CpuBackend(CheckedBackend):
    """The backend of host memory."""

    def wrap(self, native: _Array) -> Tensor: ...
    def unwrap(self, x: Tensor) -> _Array: ...
    def limit_cache(self, nbytes: int) -> None: ...
    @property
    def simd_level(self) -> str: ...
    @property
    def thread_count(self) -> int: ...

cpu: CpuBackend
LinAlgError: type[ValueError]
NOT_FINITE: str

# ---- dispatch, one function for each kind of operation
def unary(op: _Operation, x: _Operand) -> Tensor: ...
def binary(op: _Operation, x1: _Operand, x2: _Operand) -> Tensor: ...
def where(condition: _Operand, x1: _Operand, x2: _Operand) -> Tensor: ...
def clip(x: _Operand, low: _Operand | None, high: _Operand | None) -> Tensor: ...
def reduce(
    op: _Operation,
    x: _Operand,
    axis: _Axis = None,
    keepdims: bool = False,
    dtype: DTypeLike | None = None,
    correction: float | None = None,
) -> Tensor: ...
def scan(
    op: _Operation,
    x: _Operand,
    axis: int | None = None,
    dtype: DTypeLike | None = None,
    include_initial: bool = False,
) -> Tensor: ...

ACCUMULATIONS: dict[str, int]

def accumulate(name: str, x: Tensor, axis: int = 0) -> Tensor: ...
def can_accumulate(name: str, x: Tensor) -> bool: ...
def accepted_dtypes(operation: str) -> dict[str, int]: ...
def lend(values: list[Any]) -> bool: ...
def function_of(operation: str) -> Callable[..., Any]: ...
def held(obj: Any, device: Device | None = None) -> Tensor | None: ...
def held_dtype(dtype: Any) -> np.dtype[Any] | None: ...

KINDS: tuple[str, ...]

def kind_of(x: Any) -> str: ...
def load_bfloat16() -> np.dtype[Any]: ...
def clip_into(out: Tensor, x: Tensor, low: Any, high: Any) -> bool: ...
def write_where(out: Tensor, condition: Tensor, values: Any) -> bool: ...
def execute(
    operation: str, inputs: tuple[Any, ...], params: dict[str, Any] | None = None
) -> Any: ...
def create(
    operation: str,
    device: Device | str | None,
    inputs: tuple[Any, ...],
    params: dict[str, Any] | None = None,
) -> Any: ...
def named_operations() -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]: ...
def default_parameters(operation: str) -> dict[str, Any]: ...
def assigned_to(x: Tensor, value: Any) -> Tensor: ...
def index_beside(function: str, x: Tensor, key: Any) -> Any: ...
def operation_name(op: _Operation) -> str: ...
def name_backend(backend: Backend, name: str) -> None: ...
def renew_after_fork(lock: Any) -> None: ...
def creating_on(
    function: Callable[..., Tensor], device: Device, converts: bool
) -> Callable[..., Tensor]: ...

# ---- functions of operations
def astype(
    x: _Operand,
    dtype: DTypeLike | None,
    copy: bool | None = True,
    device: Device | str | None = None,
) -> Tensor: ...
def matrix_transpose(x: _Operand) -> Tensor: ...
def broadcast_to(x: _Operand, shape: _Shape) -> Tensor: ...
def expand_dims(x: _Operand, axis: _Axis) -> Tensor: ...
def flip(x: _Operand, axis: _Axis = None) -> Tensor: ...
def moveaxis(
    x: _Operand, source: int | tuple[int, ...], destination: int | tuple[int, ...]
) -> Tensor: ...
def permute_dims(x: _Operand, axes: Any) -> Tensor: ...
def reshape(x: _Operand, shape: _Shape, copy: bool | None = None) -> Tensor: ...
def squeeze(x: _Operand, axis: _Axis) -> Tensor: ...

# ---- operands, dtypes and devices
def as_tensor(function: str, x: _Operand) -> Tensor: ...
def as_dtype(function: str, dtype: DTypeLike) -> _DType: ...
def as_device(device: Device | str | None, function: str = "Device") -> Device: ...
def result_type(operands: Iterable[_Operand | DTypeLike]) -> _DType: ...
def dtype_of(function: str, operand: _Operand | DTypeLike) -> _DType: ...
def can_cast(source: _Operand | DTypeLike, target: DTypeLike) -> bool: ...
def asarray(
    obj: Any,
    dtype: DTypeLike | None = None,
    device: Device | str | None = None,
    copy: bool | None = None,
    function: str = "asarray",
) -> Tensor: ...
def to_device(x: _Operand, device: Device | str, stream: Any = None) -> Tensor: ...
def from_dlpack(
    x: Any,
    device: Device | str | None = None,
    copy: bool | None = None,
    function: str = "from_dlpack",
) -> Tensor: ...
def from_pickle(array: _Array, device: str) -> Tensor: ...

# ---- views
def broadcast_shapes(shapes: Iterable[_Shape]) -> tuple[int, ...]: ...

# ---- settings
def simd_levels() -> tuple[str, ...]: ...
def simd_missing() -> dict[str, str]: ...
def simd_supported(name: str) -> bool: ...
def simd_in_use() -> str: ...
def compiled_with() -> dict[str, str]: ...
def use_simd(name: str) -> None: ...
def get_num_threads() -> int: ...
def set_num_threads(threads: int) -> None: ...
def limit_num_threads(threads: int) -> None: ...
def limit_threads_of_caller(threads: int) -> int: ...
def set_reporter(reporter: Any) -> Any: ...
def handle_signals_in_this_thread() -> None: ...
def provide(**functions: Callable[..., Any]) -> None: ...
def upcall(name: str) -> Callable[..., Any]: ...
def complete_operations() -> None: ...
def extend(attributes: dict[str, Any]) -> None: ...
def enter_ndarray(cls: type[Tensor]) -> None: ...
def in_drop_in(x: Tensor) -> ndarray: ...
def checked_ndarray(function: str, array: Any) -> Any: ...

# ---- arguments
def named_error(function: str, error: Exception) -> Exception: ...
def as_integer(function: str, name: str, value: Any, minimum: int | None = None) -> int: ...
def as_integers(
    function: str, name: str, values: Any, minimum: int | None = None
) -> tuple[int, ...]: ...

# ---- creation
def full(
    function: str,
    shape: _Shape,
    value: _Scalar | None,
    dtype: DTypeLike | None,
    device: Device | str | None,
) -> Tensor: ...
def full_like(
    function: str,
    x: _Operand,
    value: _Scalar | None,
    dtype: DTypeLike | None,
    device: Device | str | None,
) -> Tensor: ...
def full_with(
    shape: _Shape,
    fill_value: _Operand,
    dtype: DTypeLike | None = None,
    device: Device | str | None = None,
) -> Tensor: ...
def full_like_with(
    x: _Operand,
    fill_value: _Operand,
    dtype: DTypeLike | None = None,
    device: Device | str | None = None,
) -> Tensor: ...
def wait_for_imports() -> None: ...
