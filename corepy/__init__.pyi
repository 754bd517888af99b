# What type checkers see of ``import corepy as np``. Documentation is in the sources.
# mypy: disable-error-code="overload-overlap"

import builtins
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from types import ModuleType
from typing import Any, Literal, SupportsIndex, TypedDict, Unpack, overload

import numpy as np
from numpy.typing import DTypeLike

from corepy import array_api as array_api
from corepy import backend as backend
from corepy import integrations as integrations
from corepy import lazy as lazy
from corepy import memory as memory
from corepy import nn as nn
from corepy import numpy as numpy
from corepy import threads as threads
from corepy._config import config as config
from corepy._config import get_config as get_config
from corepy._config import set_config as set_config
from corepy._cython.core import Device as Device
from corepy._cython.core import (
    _ArrayLike,
    _ArrayOf,
    _Axis,
    _DTypeOf,
    _DTypeT,
    _FloatingT,
    _Has,
    _InexactT,
    _IntegerT,
    _Integral,
    _NewShapeT,
    _NumberT,
    _Out,
    _RealT,
    _SameInexactT,
    _SameNumberT,
    _SameT,
    _ScalarT,
    _Shape,
    _ShapeT,
    _TypedArray,
)
from corepy._information import show_config as show_config
from corepy.array_api import __array_api_version__ as __array_api_version__
from corepy.array_api import __array_namespace_info__ as __array_namespace_info__
from corepy.array_api._namespace import namespace as namespace
from corepy.array_api.set_functions import (
    UniqueAllResult,
    UniqueCountsResult,
    UniqueInverseResult,
)
from corepy.backend import available_devices as available_devices
from corepy.backend import device as device
from corepy.backend import set_backend as set_backend
from corepy.backend import set_backend_priority as set_backend_priority
from corepy.backend import tensor as tensor
from corepy.backend import use_device as use_device
from corepy.lazy import compute as compute
from corepy.lazy import explain as explain
from corepy.lazy import persist as persist
from corepy.lazy._fuse import F
from corepy.lazy._fuse import fuse as _Fuse
from corepy.numpy._errors import Treatment
from corepy.numpy._errors import errstate as errstate
from corepy.numpy._names import Indexed
from corepy.numpy.ndarray import ndarray as ndarray
from corepy.threads import get_num_threads as get_num_threads
from corepy.threads import set_num_threads as set_num_threads

__version__: str

# A class, whose call with a function returns a function.
@overload
def fuse() -> _Fuse: ...
@overload
def fuse(function: F) -> F: ...

c_: Indexed
mgrid: Indexed
ogrid: Indexed
r_: Indexed

class ufunc:
    @property
    def __name__(self) -> str: ...
    @property
    def identity(self) -> Any: ...
    @property
    def nargs(self) -> int: ...
    @property
    def nin(self) -> int: ...
    @property
    def nout(self) -> int: ...
    @property
    def ntypes(self) -> int: ...
    @property
    def signature(self) -> str | None: ...
    @property
    def types(self) -> list[str]: ...
    def __call__(self, /, *args: Any, **kwargs: Any) -> Any: ...
    def reduce(
        self,
        array: _ArrayLike,
        axis: _Axis = 0,
        dtype: DTypeLike | None = None,
        out: _Out = None,
        keepdims: builtins.bool = False,
        initial: _ArrayLike | None = ...,
        where: _ArrayLike = True,
    ) -> ndarray: ...
    def accumulate(
        self,
        array: _ArrayLike,
        axis: SupportsIndex = 0,
        dtype: DTypeLike | None = None,
        out: _Out = None,
    ) -> ndarray: ...
    def reduceat(
        self,
        array: _ArrayLike,
        indices: _ArrayLike,
        axis: SupportsIndex = 0,
        dtype: DTypeLike | None = None,
        out: _Out = None,
    ) -> ndarray: ...
    def outer(self, A: _ArrayLike, B: _ArrayLike, /, **kwargs: Any) -> ndarray: ...
    def at(self, a: _ArrayLike, indices: Any, b: _ArrayLike = ..., /) -> None: ...
    def resolve_dtypes(self, dtypes: Any, **kwargs: Any) -> tuple[np.dtype[Any], ...]: ...

# What calls take beside operands, `out` and `dtype`.
class _Options(TypedDict, total=False):
    where: _ArrayLike
    casting: str
    order: str
    subok: builtins.bool
    signature: Any

# The classes of ufuncs by operands and results; at run time there is one.
class _UnaryPair(ufunc):
    def __call__(
        self,
        x: _ArrayLike,
        out1: _Out = None,
        out2: _Out = None,
        /,
        *,
        out: tuple[_Out, _Out] = ...,
        dtype: DTypeLike | None = None,
        **options: Unpack[_Options],
    ) -> tuple[ndarray, ndarray]: ...

class _BinaryPair(ufunc):
    def __call__(
        self,
        x1: _ArrayLike,
        x2: _ArrayLike,
        out1: _Out = None,
        out2: _Out = None,
        /,
        *,
        out: tuple[_Out, _Out] = ...,
        dtype: DTypeLike | None = None,
        **options: Unpack[_Options],
    ) -> tuple[ndarray, ndarray]: ...

class _Generalized(ufunc):
    def __call__(
        self,
        x1: _ArrayLike,
        x2: _ArrayLike,
        /,
        out: _Out | tuple[_Out] = None,
        *,
        axes: Any = ...,
        axis: SupportsIndex = ...,
        keepdims: builtins.bool = False,
        dtype: DTypeLike | None = None,
        **options: Unpack[_Options],
    ) -> Any: ...

# generated: ufuncs (tools/stubs.py)
class _Binary(ufunc):
    def __call__(
        self,
        x1: _ArrayLike,
        x2: _ArrayLike,
        /,
        out: _Out | tuple[_Out] = None,
        *,
        dtype: DTypeLike | None = None,
        **options: Unpack[_Options],
    ) -> ndarray: ...

class _BinaryArithmetic(ufunc):
    @overload
    def __call__(
        self,
        x1: _Has[_SameNumberT],
        x2: _Has[_SameNumberT],
        /,
        out: _Out | tuple[_Out] = None,
        *,
        dtype: None = None,
        **options: Unpack[_Options],
    ) -> _ArrayOf[_SameNumberT]: ...
    @overload
    def __call__(
        self,
        x1: _ArrayLike,
        x2: _ArrayLike,
        /,
        out: _Out | tuple[_Out] = None,
        *,
        dtype: _DTypeOf[_ScalarT],
        **options: Unpack[_Options],
    ) -> _ArrayOf[_ScalarT]: ...
    @overload
    def __call__(
        self,
        x1: _ArrayLike,
        x2: _ArrayLike,
        /,
        out: _Out | tuple[_Out] = None,
        *,
        dtype: DTypeLike | None = None,
        **options: Unpack[_Options],
    ) -> ndarray: ...

class _BinaryBoolean(ufunc):
    def __call__(
        self,
        x1: _ArrayLike,
        x2: _ArrayLike,
        /,
        out: _Out | tuple[_Out] = None,
        *,
        dtype: DTypeLike | None = None,
        **options: Unpack[_Options],
    ) -> _ArrayOf[np.bool]: ...

class _BinaryFloating(ufunc):
    @overload
    def __call__(
        self,
        x1: _Has[_SameInexactT],
        x2: _Has[_SameInexactT],
        /,
        out: _Out | tuple[_Out] = None,
        *,
        dtype: None = None,
        **options: Unpack[_Options],
    ) -> _ArrayOf[_SameInexactT]: ...
    @overload
    def __call__(
        self,
        x1: _ArrayLike,
        x2: _ArrayLike,
        /,
        out: _Out | tuple[_Out] = None,
        *,
        dtype: _DTypeOf[_ScalarT],
        **options: Unpack[_Options],
    ) -> _ArrayOf[_ScalarT]: ...
    @overload
    def __call__(
        self,
        x1: _ArrayLike,
        x2: _ArrayLike,
        /,
        out: _Out | tuple[_Out] = None,
        *,
        dtype: DTypeLike | None = None,
        **options: Unpack[_Options],
    ) -> ndarray: ...

class _BinarySame(ufunc):
    @overload
    def __call__(
        self,
        x1: _Has[_SameT],
        x2: _Has[_SameT],
        /,
        out: _Out | tuple[_Out] = None,
        *,
        dtype: None = None,
        **options: Unpack[_Options],
    ) -> _ArrayOf[_SameT]: ...
    @overload
    def __call__(
        self,
        x1: _ArrayLike,
        x2: _ArrayLike,
        /,
        out: _Out | tuple[_Out] = None,
        *,
        dtype: _DTypeOf[_ScalarT],
        **options: Unpack[_Options],
    ) -> _ArrayOf[_ScalarT]: ...
    @overload
    def __call__(
        self,
        x1: _ArrayLike,
        x2: _ArrayLike,
        /,
        out: _Out | tuple[_Out] = None,
        *,
        dtype: DTypeLike | None = None,
        **options: Unpack[_Options],
    ) -> ndarray: ...

class _Unary(ufunc):
    def __call__(
        self,
        x: _ArrayLike,
        /,
        out: _Out | tuple[_Out] = None,
        *,
        dtype: DTypeLike | None = None,
        **options: Unpack[_Options],
    ) -> ndarray: ...

class _UnaryArithmetic(ufunc):
    @overload
    def __call__(
        self,
        x: _TypedArray[_ShapeT, np.dtype[_NumberT]],
        /,
        out: _Out | tuple[_Out] = None,
        *,
        dtype: None = None,
        **options: Unpack[_Options],
    ) -> ndarray[_ShapeT, np.dtype[_NumberT]]: ...
    @overload
    def __call__(
        self,
        x: _TypedArray[_ShapeT, np.dtype[Any]],
        /,
        out: _Out | tuple[_Out] = None,
        *,
        dtype: _DTypeOf[_ScalarT],
        **options: Unpack[_Options],
    ) -> ndarray[_ShapeT, np.dtype[_ScalarT]]: ...
    @overload
    def __call__(
        self,
        x: _ArrayLike,
        /,
        out: _Out | tuple[_Out] = None,
        *,
        dtype: DTypeLike | None = None,
        **options: Unpack[_Options],
    ) -> ndarray: ...

class _UnaryBoolean(ufunc):
    @overload
    def __call__(
        self,
        x: _TypedArray[_ShapeT, np.dtype[Any]],
        /,
        out: _Out | tuple[_Out] = None,
        *,
        dtype: None = None,
        **options: Unpack[_Options],
    ) -> ndarray[_ShapeT, np.dtype[np.bool]]: ...
    @overload
    def __call__(
        self,
        x: _TypedArray[_ShapeT, np.dtype[Any]],
        /,
        out: _Out | tuple[_Out] = None,
        *,
        dtype: _DTypeOf[_ScalarT],
        **options: Unpack[_Options],
    ) -> ndarray[_ShapeT, np.dtype[_ScalarT]]: ...
    @overload
    def __call__(
        self,
        x: _ArrayLike,
        /,
        out: _Out | tuple[_Out] = None,
        *,
        dtype: DTypeLike | None = None,
        **options: Unpack[_Options],
    ) -> ndarray: ...

class _UnaryFloating(ufunc):
    @overload
    def __call__(
        self,
        x: _TypedArray[_ShapeT, np.dtype[_InexactT]],
        /,
        out: _Out | tuple[_Out] = None,
        *,
        dtype: None = None,
        **options: Unpack[_Options],
    ) -> ndarray[_ShapeT, np.dtype[_InexactT]]: ...
    @overload
    def __call__(
        self,
        x: _TypedArray[_ShapeT, np.dtype[_Integral]],
        /,
        out: _Out | tuple[_Out] = None,
        *,
        dtype: None = None,
        **options: Unpack[_Options],
    ) -> ndarray[_ShapeT, np.dtype[np.float64]]: ...
    @overload
    def __call__(
        self,
        x: _TypedArray[_ShapeT, np.dtype[Any]],
        /,
        out: _Out | tuple[_Out] = None,
        *,
        dtype: _DTypeOf[_ScalarT],
        **options: Unpack[_Options],
    ) -> ndarray[_ShapeT, np.dtype[_ScalarT]]: ...
    @overload
    def __call__(
        self,
        x: _ArrayLike,
        /,
        out: _Out | tuple[_Out] = None,
        *,
        dtype: DTypeLike | None = None,
        **options: Unpack[_Options],
    ) -> ndarray: ...

class _UnaryRealOfComplex(ufunc):
    @overload
    def __call__(
        self,
        x: _TypedArray[_ShapeT, np.dtype[_RealT]],
        /,
        out: _Out | tuple[_Out] = None,
        *,
        dtype: None = None,
        **options: Unpack[_Options],
    ) -> ndarray[_ShapeT, np.dtype[_RealT]]: ...
    @overload
    def __call__(
        self,
        x: _TypedArray[_ShapeT, np.dtype[np.complex64]],
        /,
        out: _Out | tuple[_Out] = None,
        *,
        dtype: None = None,
        **options: Unpack[_Options],
    ) -> ndarray[_ShapeT, np.dtype[np.float32]]: ...
    @overload
    def __call__(
        self,
        x: _TypedArray[_ShapeT, np.dtype[np.complex128]],
        /,
        out: _Out | tuple[_Out] = None,
        *,
        dtype: None = None,
        **options: Unpack[_Options],
    ) -> ndarray[_ShapeT, np.dtype[np.float64]]: ...
    @overload
    def __call__(
        self,
        x: _TypedArray[_ShapeT, np.dtype[Any]],
        /,
        out: _Out | tuple[_Out] = None,
        *,
        dtype: _DTypeOf[_ScalarT],
        **options: Unpack[_Options],
    ) -> ndarray[_ShapeT, np.dtype[_ScalarT]]: ...
    @overload
    def __call__(
        self,
        x: _ArrayLike,
        /,
        out: _Out | tuple[_Out] = None,
        *,
        dtype: DTypeLike | None = None,
        **options: Unpack[_Options],
    ) -> ndarray: ...

class _UnarySame(ufunc):
    @overload
    def __call__(
        self,
        x: _TypedArray[_ShapeT, _DTypeT],
        /,
        out: _Out | tuple[_Out] = None,
        *,
        dtype: None = None,
        **options: Unpack[_Options],
    ) -> ndarray[_ShapeT, _DTypeT]: ...
    @overload
    def __call__(
        self,
        x: _ArrayLike,
        /,
        out: _Out | tuple[_Out] = None,
        *,
        dtype: DTypeLike | None = None,
        **options: Unpack[_Options],
    ) -> ndarray: ...

class _UnaryUint8(ufunc):
    @overload
    def __call__(
        self,
        x: _TypedArray[_ShapeT, np.dtype[Any]],
        /,
        out: _Out | tuple[_Out] = None,
        *,
        dtype: None = None,
        **options: Unpack[_Options],
    ) -> ndarray[_ShapeT, np.dtype[np.uint8]]: ...
    @overload
    def __call__(
        self,
        x: _TypedArray[_ShapeT, np.dtype[Any]],
        /,
        out: _Out | tuple[_Out] = None,
        *,
        dtype: _DTypeOf[_ScalarT],
        **options: Unpack[_Options],
    ) -> ndarray[_ShapeT, np.dtype[_ScalarT]]: ...
    @overload
    def __call__(
        self,
        x: _ArrayLike,
        /,
        out: _Out | tuple[_Out] = None,
        *,
        dtype: DTypeLike | None = None,
        **options: Unpack[_Options],
    ) -> ndarray: ...

# end of generated: ufuncs

# generated: names (tools/stubs.py)
from numpy import False_ as False_
from numpy import ScalarType as ScalarType
from numpy import True_ as True_
from numpy import bool as bool
from numpy import bool_ as bool_
from numpy import broadcast as broadcast
from numpy import busdaycalendar as busdaycalendar
from numpy import byte as byte
from numpy import bytes_ as bytes_
from numpy import cdouble as cdouble
from numpy import character as character
from numpy import clongdouble as clongdouble
from numpy import complex64 as complex64
from numpy import complex128 as complex128
from numpy import complex256 as complex256
from numpy import complexfloating as complexfloating
from numpy import csingle as csingle
from numpy import datetime64 as datetime64
from numpy import double as double
from numpy import dtype as dtype
from numpy import euler_gamma as euler_gamma
from numpy import finfo as finfo
from numpy import flatiter as flatiter
from numpy import flexible as flexible
from numpy import float16 as float16
from numpy import float32 as float32
from numpy import float64 as float64
from numpy import float128 as float128
from numpy import floating as floating
from numpy import generic as generic
from numpy import half as half
from numpy import iinfo as iinfo
from numpy import index_exp as index_exp
from numpy import inexact as inexact
from numpy import int8 as int8
from numpy import int16 as int16
from numpy import int32 as int32
from numpy import int64 as int64
from numpy import int_ as int_
from numpy import intc as intc
from numpy import integer as integer
from numpy import intp as intp
from numpy import little_endian as little_endian
from numpy import long as long
from numpy import longdouble as longdouble
from numpy import longlong as longlong
from numpy import matrix as matrix
from numpy import memmap as memmap
from numpy import ndenumerate as ndenumerate
from numpy import ndindex as ndindex
from numpy import nditer as nditer
from numpy import newaxis as newaxis
from numpy import number as number
from numpy import object_ as object_
from numpy import poly1d as poly1d
from numpy import recarray as recarray
from numpy import record as record
from numpy import s_ as s_
from numpy import sctypeDict as sctypeDict
from numpy import short as short
from numpy import signedinteger as signedinteger
from numpy import single as single
from numpy import str_ as str_
from numpy import timedelta64 as timedelta64
from numpy import typecodes as typecodes
from numpy import ubyte as ubyte
from numpy import uint as uint
from numpy import uint8 as uint8
from numpy import uint16 as uint16
from numpy import uint32 as uint32
from numpy import uint64 as uint64
from numpy import uintc as uintc
from numpy import uintp as uintp
from numpy import ulong as ulong
from numpy import ulonglong as ulonglong
from numpy import unsignedinteger as unsignedinteger
from numpy import ushort as ushort
from numpy import vectorize as vectorize
from numpy import void as void

from corepy import char as char
from corepy import ctypeslib as ctypeslib
from corepy import dtypes as dtypes
from corepy import exceptions as exceptions
from corepy import fft as fft
from corepy import lib as lib
from corepy import linalg as linalg
from corepy import ma as ma
from corepy import matlib as matlib
from corepy import polynomial as polynomial
from corepy import random as random
from corepy import rec as rec
from corepy import strings as strings
from corepy import testing as testing
from corepy import typing as typing
from corepy import version as version
from corepy.array_api import Tensor as Tensor
from corepy.array_api import e as e
from corepy.array_api import inf as inf
from corepy.array_api import nan as nan
from corepy.array_api import pi as pi
from corepy.lib import scimath as emath

abs: _UnaryRealOfComplex
absolute: _UnaryRealOfComplex
acos: _UnaryFloating
acosh: _UnaryFloating
add: _BinarySame

@overload
def all(
    a: _Has[Any],
    axis: None = None,
    out: None = None,
    keepdims: Literal[False] = ...,
    *,
    where: _ArrayLike = ...,
) -> np.bool: ...
@overload
def all(
    a: _Has[Any],
    axis: _Axis = None,
    out: _Out = None,
    keepdims: builtins.bool = ...,
    *,
    where: _ArrayLike = ...,
) -> _ArrayOf[np.bool]: ...
@overload
def all(
    a: _ArrayLike,
    axis: _Axis = None,
    out: _Out = None,
    keepdims: builtins.bool = ...,
    *,
    where: _ArrayLike = ...,
) -> ndarray: ...
def allclose(
    a: _ArrayLike,
    b: _ArrayLike,
    rtol: _ArrayLike = 1e-05,
    atol: _ArrayLike = 1e-08,
    equal_nan: builtins.bool = False,
) -> builtins.bool: ...
@overload
def amax(
    a: _Has[_ScalarT],
    axis: None = None,
    out: None = None,
    keepdims: Literal[False] = ...,
    initial: _ArrayLike = ...,
    where: _ArrayLike = ...,
) -> _ScalarT: ...
@overload
def amax(
    a: _Has[_ScalarT],
    axis: _Axis = None,
    out: _Out = None,
    keepdims: builtins.bool = ...,
    initial: _ArrayLike = ...,
    where: _ArrayLike = ...,
) -> _ArrayOf[_ScalarT]: ...
@overload
def amax(
    a: _ArrayLike,
    axis: _Axis = None,
    out: _Out = None,
    keepdims: builtins.bool = ...,
    initial: _ArrayLike = ...,
    where: _ArrayLike = ...,
) -> ndarray: ...
@overload
def amin(
    a: _Has[_ScalarT],
    axis: None = None,
    out: None = None,
    keepdims: Literal[False] = ...,
    initial: _ArrayLike = ...,
    where: _ArrayLike = ...,
) -> _ScalarT: ...
@overload
def amin(
    a: _Has[_ScalarT],
    axis: _Axis = None,
    out: _Out = None,
    keepdims: builtins.bool = ...,
    initial: _ArrayLike = ...,
    where: _ArrayLike = ...,
) -> _ArrayOf[_ScalarT]: ...
@overload
def amin(
    a: _ArrayLike,
    axis: _Axis = None,
    out: _Out = None,
    keepdims: builtins.bool = ...,
    initial: _ArrayLike = ...,
    where: _ArrayLike = ...,
) -> ndarray: ...
@overload
def angle(
    z: _TypedArray[_ShapeT, np.dtype[_FloatingT]], deg: SupportsIndex = False
) -> ndarray[_ShapeT, np.dtype[_FloatingT]]: ...
@overload
def angle(
    z: _TypedArray[_ShapeT, np.dtype[np.complex64]], deg: SupportsIndex = False
) -> ndarray[_ShapeT, np.dtype[np.float32]]: ...
@overload
def angle(
    z: _TypedArray[_ShapeT, np.dtype[np.complex128 | _Integral]], deg: SupportsIndex = False
) -> ndarray[_ShapeT, np.dtype[np.float64]]: ...
@overload
def angle(z: _ArrayLike, deg: SupportsIndex = False) -> ndarray: ...
@overload
def any(
    a: _Has[Any],
    axis: None = None,
    out: None = None,
    keepdims: Literal[False] = ...,
    *,
    where: _ArrayLike = ...,
) -> np.bool: ...
@overload
def any(
    a: _Has[Any],
    axis: _Axis = None,
    out: _Out = None,
    keepdims: builtins.bool = ...,
    *,
    where: _ArrayLike = ...,
) -> _ArrayOf[np.bool]: ...
@overload
def any(
    a: _ArrayLike,
    axis: _Axis = None,
    out: _Out = None,
    keepdims: builtins.bool = ...,
    *,
    where: _ArrayLike = ...,
) -> ndarray: ...
@overload
def append(arr: _Has[_SameT], values: _Has[_SameT], axis: _Axis = None) -> _ArrayOf[_SameT]: ...
@overload
def append(arr: _ArrayLike, values: _ArrayLike, axis: _Axis = None) -> ndarray: ...
def apply_along_axis(
    func1d: Callable[..., Any], axis: _Axis, arr: _ArrayLike, *args: Any, **kwargs: Any
) -> ndarray: ...
def apply_over_axes(func: Callable[..., Any], a: _ArrayLike, axes: Any) -> ndarray: ...
@overload
def arange(
    start_or_stop: int,
    /,
    stop: int | None = None,
    step: int = 1,
    *,
    dtype: None = None,
    device: Device | str | None = None,
    like: Any = None,
) -> ndarray[tuple[int], np.dtype[np.int_]]: ...
@overload
def arange(
    start_or_stop: float,
    /,
    stop: float | None = None,
    step: float = 1,
    *,
    dtype: None = None,
    device: Device | str | None = None,
    like: Any = None,
) -> ndarray[tuple[int], np.dtype[np.float64]]: ...
@overload
def arange(
    start_or_stop: _ArrayLike,
    /,
    stop: _ArrayLike | None = None,
    step: _ArrayLike = 1,
    *,
    dtype: _DTypeOf[_ScalarT],
    device: Device | str | None = None,
    like: Any = None,
) -> ndarray[tuple[int], np.dtype[_ScalarT]]: ...
@overload
def arange(
    start_or_stop: _ArrayLike,
    /,
    stop: _ArrayLike | None = None,
    step: _ArrayLike = 1,
    *,
    dtype: type[builtins.bool],
    device: Device | str | None = None,
    like: Any = None,
) -> ndarray[tuple[int], np.dtype[np.bool]]: ...
@overload
def arange(
    start_or_stop: _ArrayLike,
    /,
    stop: _ArrayLike | None = None,
    step: _ArrayLike = 1,
    *,
    dtype: type[int],
    device: Device | str | None = None,
    like: Any = None,
) -> ndarray[tuple[int], np.dtype[np.int_]]: ...
@overload
def arange(
    start_or_stop: _ArrayLike,
    /,
    stop: _ArrayLike | None = None,
    step: _ArrayLike = 1,
    *,
    dtype: type[float],
    device: Device | str | None = None,
    like: Any = None,
) -> ndarray[tuple[int], np.dtype[np.float64]]: ...
@overload
def arange(
    start_or_stop: _ArrayLike,
    /,
    stop: _ArrayLike | None = None,
    step: _ArrayLike = 1,
    *,
    dtype: type[complex],
    device: Device | str | None = None,
    like: Any = None,
) -> ndarray[tuple[int], np.dtype[np.complex128]]: ...
@overload
def arange(
    start_or_stop: _ArrayLike,
    /,
    stop: _ArrayLike | None = None,
    step: _ArrayLike = 1,
    *,
    dtype: DTypeLike | None = None,
    device: Device | str | None = None,
    like: Any = None,
) -> ndarray: ...

arccos: _UnaryFloating
arccosh: _UnaryFloating
arcsin: _UnaryFloating
arcsinh: _UnaryFloating
arctan: _UnaryFloating
arctan2: _BinaryFloating
arctanh: _UnaryFloating

@overload
def argmax(
    a: _Has[Any], axis: None = None, out: None = None, *, keepdims: Literal[False] = ...
) -> np.int_: ...
@overload
def argmax(
    a: _Has[Any],
    axis: SupportsIndex | None = None,
    out: _Out = None,
    *,
    keepdims: builtins.bool = ...,
) -> _ArrayOf[np.int_]: ...
@overload
def argmax(
    a: _ArrayLike,
    axis: SupportsIndex | None = None,
    out: _Out = None,
    *,
    keepdims: builtins.bool = ...,
) -> ndarray: ...
@overload
def argmin(
    a: _Has[Any], axis: None = None, out: None = None, *, keepdims: Literal[False] = ...
) -> np.int_: ...
@overload
def argmin(
    a: _Has[Any],
    axis: SupportsIndex | None = None,
    out: _Out = None,
    *,
    keepdims: builtins.bool = ...,
) -> _ArrayOf[np.int_]: ...
@overload
def argmin(
    a: _ArrayLike,
    axis: SupportsIndex | None = None,
    out: _Out = None,
    *,
    keepdims: builtins.bool = ...,
) -> ndarray: ...
@overload
def argpartition(
    a: _TypedArray[_ShapeT, np.dtype[Any]],
    kth: Any,
    axis: _Axis = -1,
    kind: str = "introselect",
    order: Any = None,
) -> ndarray[_ShapeT, np.dtype[np.int_]]: ...
@overload
def argpartition(
    a: _ArrayLike, kth: Any, axis: _Axis = -1, kind: str = "introselect", order: Any = None
) -> ndarray: ...
@overload
def argsort(
    a: _TypedArray[_ShapeT, np.dtype[Any]],
    axis: _Axis = -1,
    kind: str | None = None,
    order: Any = None,
    *,
    stable: builtins.bool | None = None,
    descending: builtins.bool = False,
) -> ndarray[_ShapeT, np.dtype[np.int_]]: ...
@overload
def argsort(
    a: _ArrayLike,
    axis: _Axis = -1,
    kind: str | None = None,
    order: Any = None,
    *,
    stable: builtins.bool | None = None,
    descending: builtins.bool = False,
) -> ndarray: ...
@overload
def argwhere(a: _Has[Any]) -> _ArrayOf[np.int_]: ...
@overload
def argwhere(a: _ArrayLike) -> ndarray: ...
@overload
def around(
    a: _TypedArray[_ShapeT, _DTypeT], decimals: SupportsIndex = 0, out: _Out = None
) -> ndarray[_ShapeT, _DTypeT]: ...
@overload
def around(a: _ArrayLike, decimals: SupportsIndex = 0, out: _Out = None) -> ndarray: ...
@overload
def array(
    object: _TypedArray[_ShapeT, _DTypeT],
    dtype: None = None,
    *,
    copy: builtins.bool | None = True,
    order: str = "K",
    subok: builtins.bool = False,
    ndmin: Literal[0] = 0,
    ndmax: SupportsIndex = 0,
    like: Any = None,
) -> ndarray[_ShapeT, _DTypeT]: ...
@overload
def array(
    object: Any,
    dtype: _DTypeOf[_ScalarT],
    *,
    copy: builtins.bool | None = True,
    order: str = "K",
    subok: builtins.bool = False,
    ndmin: SupportsIndex = 0,
    ndmax: SupportsIndex = 0,
    like: Any = None,
) -> _ArrayOf[_ScalarT]: ...
@overload
def array(
    object: Any,
    dtype: type[builtins.bool],
    *,
    copy: builtins.bool | None = True,
    order: str = "K",
    subok: builtins.bool = False,
    ndmin: SupportsIndex = 0,
    ndmax: SupportsIndex = 0,
    like: Any = None,
) -> _ArrayOf[np.bool]: ...
@overload
def array(
    object: Any,
    dtype: type[int],
    *,
    copy: builtins.bool | None = True,
    order: str = "K",
    subok: builtins.bool = False,
    ndmin: SupportsIndex = 0,
    ndmax: SupportsIndex = 0,
    like: Any = None,
) -> _ArrayOf[np.int_]: ...
@overload
def array(
    object: Any,
    dtype: type[float],
    *,
    copy: builtins.bool | None = True,
    order: str = "K",
    subok: builtins.bool = False,
    ndmin: SupportsIndex = 0,
    ndmax: SupportsIndex = 0,
    like: Any = None,
) -> _ArrayOf[np.float64]: ...
@overload
def array(
    object: Any,
    dtype: type[complex],
    *,
    copy: builtins.bool | None = True,
    order: str = "K",
    subok: builtins.bool = False,
    ndmin: SupportsIndex = 0,
    ndmax: SupportsIndex = 0,
    like: Any = None,
) -> _ArrayOf[np.complex128]: ...
@overload
def array(
    object: Any,
    dtype: DTypeLike | None = None,
    *,
    copy: builtins.bool | None = True,
    order: str = "K",
    subok: builtins.bool = False,
    ndmin: SupportsIndex = 0,
    ndmax: SupportsIndex = 0,
    like: Any = None,
) -> ndarray: ...
def array2string(
    a: _ArrayLike,
    max_line_width: Any = None,
    precision: Any = None,
    suppress_small: Any = None,
    separator: Any = " ",
    prefix: Any = "",
    *,
    formatter: Any = None,
    threshold: Any = None,
    edgeitems: Any = None,
    sign: Any = None,
    floatmode: Any = None,
    suffix: Any = "",
    legacy: Any = None,
) -> str: ...
def array_equal(
    a1: _ArrayLike, a2: _ArrayLike, equal_nan: builtins.bool = False
) -> builtins.bool: ...
def array_equiv(a1: _ArrayLike, a2: _ArrayLike) -> builtins.bool: ...
def array_repr(
    arr: _ArrayLike, max_line_width: Any = None, precision: Any = None, suppress_small: Any = None
) -> str: ...
@overload
def array_split(
    ary: _TypedArray[Any, _DTypeT], indices_or_sections: _ArrayLike, axis: _Axis = 0
) -> list[ndarray[tuple[Any, ...], _DTypeT]]: ...
@overload
def array_split(
    ary: _ArrayLike, indices_or_sections: _ArrayLike, axis: _Axis = 0
) -> list[ndarray]: ...
def array_str(
    a: _ArrayLike, max_line_width: Any = None, precision: Any = None, suppress_small: Any = None
) -> str: ...
@overload
def asanyarray(
    a: _TypedArray[_ShapeT, _DTypeT],
    dtype: None = None,
    order: str | None = None,
    *,
    device: Device | str | None = None,
    copy: builtins.bool | None = None,
    like: Any = None,
) -> ndarray[_ShapeT, _DTypeT]: ...
@overload
def asanyarray(
    a: Any,
    dtype: _DTypeOf[_ScalarT],
    order: str | None = None,
    *,
    device: Device | str | None = None,
    copy: builtins.bool | None = None,
    like: Any = None,
) -> _ArrayOf[_ScalarT]: ...
@overload
def asanyarray(
    a: Any,
    dtype: type[builtins.bool],
    order: str | None = None,
    *,
    device: Device | str | None = None,
    copy: builtins.bool | None = None,
    like: Any = None,
) -> _ArrayOf[np.bool]: ...
@overload
def asanyarray(
    a: Any,
    dtype: type[int],
    order: str | None = None,
    *,
    device: Device | str | None = None,
    copy: builtins.bool | None = None,
    like: Any = None,
) -> _ArrayOf[np.int_]: ...
@overload
def asanyarray(
    a: Any,
    dtype: type[float],
    order: str | None = None,
    *,
    device: Device | str | None = None,
    copy: builtins.bool | None = None,
    like: Any = None,
) -> _ArrayOf[np.float64]: ...
@overload
def asanyarray(
    a: Any,
    dtype: type[complex],
    order: str | None = None,
    *,
    device: Device | str | None = None,
    copy: builtins.bool | None = None,
    like: Any = None,
) -> _ArrayOf[np.complex128]: ...
@overload
def asanyarray(
    a: Any,
    dtype: DTypeLike | None = None,
    order: str | None = None,
    *,
    device: Device | str | None = None,
    copy: builtins.bool | None = None,
    like: Any = None,
) -> ndarray: ...
@overload
def asarray(
    a: _TypedArray[_ShapeT, _DTypeT],
    dtype: None = None,
    order: str | None = None,
    *,
    device: Device | str | None = None,
    copy: builtins.bool | None = None,
    like: Any = None,
) -> ndarray[_ShapeT, _DTypeT]: ...
@overload
def asarray(
    a: Any,
    dtype: _DTypeOf[_ScalarT],
    order: str | None = None,
    *,
    device: Device | str | None = None,
    copy: builtins.bool | None = None,
    like: Any = None,
) -> _ArrayOf[_ScalarT]: ...
@overload
def asarray(
    a: Any,
    dtype: type[builtins.bool],
    order: str | None = None,
    *,
    device: Device | str | None = None,
    copy: builtins.bool | None = None,
    like: Any = None,
) -> _ArrayOf[np.bool]: ...
@overload
def asarray(
    a: Any,
    dtype: type[int],
    order: str | None = None,
    *,
    device: Device | str | None = None,
    copy: builtins.bool | None = None,
    like: Any = None,
) -> _ArrayOf[np.int_]: ...
@overload
def asarray(
    a: Any,
    dtype: type[float],
    order: str | None = None,
    *,
    device: Device | str | None = None,
    copy: builtins.bool | None = None,
    like: Any = None,
) -> _ArrayOf[np.float64]: ...
@overload
def asarray(
    a: Any,
    dtype: type[complex],
    order: str | None = None,
    *,
    device: Device | str | None = None,
    copy: builtins.bool | None = None,
    like: Any = None,
) -> _ArrayOf[np.complex128]: ...
@overload
def asarray(
    a: Any,
    dtype: DTypeLike | None = None,
    order: str | None = None,
    *,
    device: Device | str | None = None,
    copy: builtins.bool | None = None,
    like: Any = None,
) -> ndarray: ...
@overload
def asarray_chkfinite(
    a: _TypedArray[_ShapeT, _DTypeT], dtype: None = None, order: str | None = None
) -> ndarray[_ShapeT, _DTypeT]: ...
@overload
def asarray_chkfinite(
    a: Any, dtype: _DTypeOf[_ScalarT], order: str | None = None
) -> _ArrayOf[_ScalarT]: ...
@overload
def asarray_chkfinite(
    a: Any, dtype: type[builtins.bool], order: str | None = None
) -> _ArrayOf[np.bool]: ...
@overload
def asarray_chkfinite(a: Any, dtype: type[int], order: str | None = None) -> _ArrayOf[np.int_]: ...
@overload
def asarray_chkfinite(
    a: Any, dtype: type[float], order: str | None = None
) -> _ArrayOf[np.float64]: ...
@overload
def asarray_chkfinite(
    a: Any, dtype: type[complex], order: str | None = None
) -> _ArrayOf[np.complex128]: ...
@overload
def asarray_chkfinite(
    a: Any, dtype: DTypeLike | None = None, order: str | None = None
) -> ndarray: ...
@overload
def ascontiguousarray(
    a: _TypedArray[_ShapeT, _DTypeT], dtype: None = None, *, like: Any = None
) -> ndarray[_ShapeT, _DTypeT]: ...
@overload
def ascontiguousarray(
    a: _TypedArray[_ShapeT, Any], dtype: _DTypeOf[_ScalarT], *, like: Any = None
) -> ndarray[_ShapeT, np.dtype[_ScalarT]]: ...
@overload
def ascontiguousarray(
    a: _TypedArray[_ShapeT, Any], dtype: type[builtins.bool], *, like: Any = None
) -> ndarray[_ShapeT, np.dtype[np.bool]]: ...
@overload
def ascontiguousarray(
    a: _TypedArray[_ShapeT, Any], dtype: type[int], *, like: Any = None
) -> ndarray[_ShapeT, np.dtype[np.int_]]: ...
@overload
def ascontiguousarray(
    a: _TypedArray[_ShapeT, Any], dtype: type[float], *, like: Any = None
) -> ndarray[_ShapeT, np.dtype[np.float64]]: ...
@overload
def ascontiguousarray(
    a: _TypedArray[_ShapeT, Any], dtype: type[complex], *, like: Any = None
) -> ndarray[_ShapeT, np.dtype[np.complex128]]: ...
@overload
def ascontiguousarray(
    a: _ArrayLike, dtype: DTypeLike | None = None, *, like: Any = None
) -> ndarray: ...
@overload
def asfortranarray(
    a: _TypedArray[_ShapeT, _DTypeT], dtype: None = None, *, like: Any = None
) -> ndarray[_ShapeT, _DTypeT]: ...
@overload
def asfortranarray(
    a: _TypedArray[_ShapeT, Any], dtype: _DTypeOf[_ScalarT], *, like: Any = None
) -> ndarray[_ShapeT, np.dtype[_ScalarT]]: ...
@overload
def asfortranarray(
    a: _TypedArray[_ShapeT, Any], dtype: type[builtins.bool], *, like: Any = None
) -> ndarray[_ShapeT, np.dtype[np.bool]]: ...
@overload
def asfortranarray(
    a: _TypedArray[_ShapeT, Any], dtype: type[int], *, like: Any = None
) -> ndarray[_ShapeT, np.dtype[np.int_]]: ...
@overload
def asfortranarray(
    a: _TypedArray[_ShapeT, Any], dtype: type[float], *, like: Any = None
) -> ndarray[_ShapeT, np.dtype[np.float64]]: ...
@overload
def asfortranarray(
    a: _TypedArray[_ShapeT, Any], dtype: type[complex], *, like: Any = None
) -> ndarray[_ShapeT, np.dtype[np.complex128]]: ...
@overload
def asfortranarray(
    a: _ArrayLike, dtype: DTypeLike | None = None, *, like: Any = None
) -> ndarray: ...

asin: _UnaryFloating
asinh: _UnaryFloating

def asmatrix(data: Any, dtype: DTypeLike | None = None) -> np.matrix[Any, Any]: ...
@overload
def astype(
    x: _TypedArray[_ShapeT, Any],
    dtype: _DTypeOf[_ScalarT],
    /,
    *,
    copy: builtins.bool | None = True,
    device: Device | str | None = None,
) -> ndarray[_ShapeT, np.dtype[_ScalarT]]: ...
@overload
def astype(
    x: _TypedArray[_ShapeT, Any],
    dtype: type[builtins.bool],
    /,
    *,
    copy: builtins.bool | None = True,
    device: Device | str | None = None,
) -> ndarray[_ShapeT, np.dtype[np.bool]]: ...
@overload
def astype(
    x: _TypedArray[_ShapeT, Any],
    dtype: type[int],
    /,
    *,
    copy: builtins.bool | None = True,
    device: Device | str | None = None,
) -> ndarray[_ShapeT, np.dtype[np.int_]]: ...
@overload
def astype(
    x: _TypedArray[_ShapeT, Any],
    dtype: type[float],
    /,
    *,
    copy: builtins.bool | None = True,
    device: Device | str | None = None,
) -> ndarray[_ShapeT, np.dtype[np.float64]]: ...
@overload
def astype(
    x: _TypedArray[_ShapeT, Any],
    dtype: type[complex],
    /,
    *,
    copy: builtins.bool | None = True,
    device: Device | str | None = None,
) -> ndarray[_ShapeT, np.dtype[np.complex128]]: ...
@overload
def astype(
    x: _ArrayLike,
    dtype: DTypeLike | None,
    /,
    *,
    copy: builtins.bool | None = True,
    device: Device | str | None = None,
) -> ndarray: ...

atan: _UnaryFloating
atan2: _BinaryFloating
atanh: _UnaryFloating

@overload
def atleast_1d(ary: _Has[_ScalarT], /) -> _ArrayOf[_ScalarT]: ...
@overload
def atleast_1d(ary: _ArrayLike, /) -> ndarray: ...
@overload
def atleast_1d(ary1: _ArrayLike, ary2: _ArrayLike, /, *arys: _ArrayLike) -> tuple[ndarray, ...]: ...
@overload
def atleast_2d(ary: _Has[_ScalarT], /) -> _ArrayOf[_ScalarT]: ...
@overload
def atleast_2d(ary: _ArrayLike, /) -> ndarray: ...
@overload
def atleast_2d(ary1: _ArrayLike, ary2: _ArrayLike, /, *arys: _ArrayLike) -> tuple[ndarray, ...]: ...
@overload
def atleast_3d(ary: _Has[_ScalarT], /) -> _ArrayOf[_ScalarT]: ...
@overload
def atleast_3d(ary: _ArrayLike, /) -> ndarray: ...
@overload
def atleast_3d(ary1: _ArrayLike, ary2: _ArrayLike, /, *arys: _ArrayLike) -> tuple[ndarray, ...]: ...
@overload
def average(
    a: _ArrayLike,
    axis: _Axis = None,
    weights: _ArrayLike | None = None,
    returned: Literal[False] = False,
    *,
    keepdims: builtins.bool = ...,
) -> ndarray: ...
@overload
def average(
    a: _ArrayLike,
    axis: _Axis = None,
    weights: _ArrayLike | None = None,
    *,
    returned: Literal[True],
    keepdims: builtins.bool = ...,
) -> tuple[ndarray, ndarray]: ...
@overload
def average(
    a: _ArrayLike,
    axis: _Axis = None,
    weights: _ArrayLike | None = None,
    returned: builtins.bool = False,
    *,
    keepdims: builtins.bool = ...,
) -> Any: ...
def bartlett(M: SupportsIndex) -> ndarray: ...
def base_repr(number: Any, base: _ArrayLike = 2, padding: Any = 0) -> str: ...
def binary_repr(num: SupportsIndex, width: Any = None) -> str: ...
def bincount(
    x: _ArrayLike, /, weights: _ArrayLike | None = None, minlength: SupportsIndex = 0
) -> ndarray: ...

bitwise_and: _BinarySame
bitwise_count: _UnaryUint8
bitwise_invert: _UnarySame
bitwise_left_shift: _BinaryArithmetic
bitwise_not: _UnarySame
bitwise_or: _BinarySame
bitwise_right_shift: _BinaryArithmetic
bitwise_xor: _BinarySame

def blackman(M: SupportsIndex) -> ndarray: ...
def block(arrays: _ArrayLike) -> ndarray: ...
def bmat(obj: Any, ldict: Any = None, gdict: Any = None) -> np.matrix[Any, Any]: ...
@overload
def broadcast_arrays(
    *args: _TypedArray[Any, _DTypeT], subok: builtins.bool = False
) -> tuple[ndarray[tuple[Any, ...], _DTypeT], ...]: ...
@overload
def broadcast_arrays(*args: Any, subok: builtins.bool = False) -> tuple[ndarray, ...]: ...
def broadcast_shapes(*args: Any) -> tuple[int, ...]: ...
@overload
def broadcast_to(
    array: _TypedArray[Any, _DTypeT],
    shape: SupportsIndex | _NewShapeT,
    subok: builtins.bool = False,
) -> ndarray[_NewShapeT, _DTypeT]: ...
@overload
def broadcast_to(array: _ArrayLike, shape: _Shape, subok: builtins.bool = False) -> ndarray: ...
def busday_count(
    begindates: Any,
    enddates: Any,
    weekmask: Any = "1111100",
    holidays: Any = (),
    busdaycal: Any = None,
    out: _Out = None,
) -> Any: ...
def busday_offset(
    dates: Any,
    offsets: Any,
    roll: Any = "raise",
    weekmask: Any = "1111100",
    holidays: Any = None,
    busdaycal: Any = None,
    out: _Out = None,
) -> Any: ...
def can_cast(from_: Any, to: Any, casting: str = "safe") -> builtins.bool: ...

cbrt: _Unary
ceil: _UnarySame

def choose(a: _ArrayLike, choices: Any, out: _Out = None, mode: Any = "raise") -> ndarray: ...
@overload
def clip(
    a: _TypedArray[_ShapeT, np.dtype[_InexactT]],
    a_min: float | None = ...,
    a_max: float | None = ...,
    out: _Out = None,
    *,
    min: float | None = ...,
    max: float | None = ...,
    **kwargs: Any,
) -> ndarray[_ShapeT, np.dtype[_InexactT]]: ...
@overload
def clip(
    a: _TypedArray[_ShapeT, np.dtype[_IntegerT]],
    a_min: int | None = ...,
    a_max: int | None = ...,
    out: _Out = None,
    *,
    min: int | None = ...,
    max: int | None = ...,
    **kwargs: Any,
) -> ndarray[_ShapeT, np.dtype[_IntegerT]]: ...
@overload
def clip(
    a: _ArrayLike,
    a_min: _ArrayLike | None = ...,
    a_max: _ArrayLike | None = ...,
    out: _Out = None,
    *,
    min: _ArrayLike | None = ...,
    max: _ArrayLike | None = ...,
    **kwargs: Any,
) -> ndarray: ...
@overload
def column_stack(tup: Sequence[_Has[_SameT]]) -> _ArrayOf[_SameT]: ...
@overload
def column_stack(tup: _ArrayLike) -> ndarray: ...
def common_type(*arrays: _ArrayLike) -> Any: ...
@overload
def compress(
    condition: _ArrayLike, a: _TypedArray[Any, _DTypeT], axis: _Axis = None, out: _Out = None
) -> ndarray[tuple[Any, ...], _DTypeT]: ...
@overload
def compress(
    condition: _ArrayLike, a: _ArrayLike, axis: _Axis = None, out: _Out = None
) -> ndarray: ...
@overload
def concat(
    arrays: Sequence[_Has[_SameT]],
    /,
    axis: _Axis = 0,
    out: _Out = None,
    *,
    dtype: None = None,
    casting: str = "same_kind",
) -> _ArrayOf[_SameT]: ...
@overload
def concat(
    arrays: _ArrayLike,
    /,
    axis: _Axis = 0,
    out: _Out = None,
    *,
    dtype: _DTypeOf[_ScalarT],
    casting: str = "same_kind",
) -> _ArrayOf[_ScalarT]: ...
@overload
def concat(
    arrays: _ArrayLike,
    /,
    axis: _Axis = 0,
    out: _Out = None,
    *,
    dtype: DTypeLike | None = None,
    casting: str = "same_kind",
) -> ndarray: ...
@overload
def concatenate(
    arrays: Sequence[_Has[_SameT]],
    /,
    axis: _Axis = 0,
    out: _Out = None,
    *,
    dtype: None = None,
    casting: str = "same_kind",
) -> _ArrayOf[_SameT]: ...
@overload
def concatenate(
    arrays: _ArrayLike,
    /,
    axis: _Axis = 0,
    out: _Out = None,
    *,
    dtype: _DTypeOf[_ScalarT],
    casting: str = "same_kind",
) -> _ArrayOf[_ScalarT]: ...
@overload
def concatenate(
    arrays: _ArrayLike,
    /,
    axis: _Axis = 0,
    out: _Out = None,
    *,
    dtype: DTypeLike | None = None,
    casting: str = "same_kind",
) -> ndarray: ...

conj: _UnarySame
conjugate: _UnarySame

@overload
def convolve(a: _Has[_SameT], v: _Has[_SameT], mode: Any = "full") -> _ArrayOf[_SameT]: ...
@overload
def convolve(a: _ArrayLike, v: _ArrayLike, mode: Any = "full") -> ndarray: ...
@overload
def copy(
    a: _TypedArray[_ShapeT, _DTypeT], order: str = "K", subok: builtins.bool = False
) -> ndarray[_ShapeT, _DTypeT]: ...
@overload
def copy(a: _ArrayLike, order: str = "K", subok: builtins.bool = False) -> ndarray: ...

copysign: _BinaryFloating

def copyto(
    dst: Any, src: _ArrayLike, casting: str = "same_kind", where: _ArrayLike = True
) -> None: ...

core: ModuleType

def corrcoef(
    x: _ArrayLike,
    y: _ArrayLike | None = None,
    rowvar: builtins.bool = True,
    *,
    dtype: DTypeLike | None = None,
) -> ndarray: ...
@overload
def correlate(a: _Has[_SameT], v: _Has[_SameT], mode: Any = "valid") -> _ArrayOf[_SameT]: ...
@overload
def correlate(a: _ArrayLike, v: _ArrayLike, mode: Any = "valid") -> ndarray: ...

cos: _UnaryFloating
cosh: _UnaryFloating

@overload
def count_nonzero(
    a: _Has[Any], axis: None = None, *, keepdims: Literal[False] = False
) -> np.int_: ...
@overload
def count_nonzero(
    a: _Has[Any], axis: _Axis = None, *, keepdims: builtins.bool = False
) -> _ArrayOf[np.int_]: ...
@overload
def count_nonzero(
    a: _ArrayLike, axis: _Axis = None, *, keepdims: builtins.bool = False
) -> ndarray: ...
def cov(
    m: _ArrayLike,
    y: _ArrayLike | None = None,
    rowvar: builtins.bool = True,
    bias: builtins.bool = False,
    ddof: float | None = None,
    fweights: _ArrayLike | None = None,
    aweights: _ArrayLike | None = None,
    *,
    dtype: DTypeLike | None = None,
) -> ndarray: ...
def cross(
    a: _ArrayLike,
    b: _ArrayLike,
    axisa: SupportsIndex = -1,
    axisb: SupportsIndex = -1,
    axisc: SupportsIndex = -1,
    axis: _Axis = None,
) -> ndarray: ...
@overload
def cumprod(
    a: _Has[_InexactT], axis: _Axis = None, dtype: None = None, out: _Out = None
) -> _ArrayOf[_InexactT]: ...
@overload
def cumprod(
    a: _Has[np.signedinteger | np.bool], axis: _Axis = None, dtype: None = None, out: _Out = None
) -> _ArrayOf[np.int_]: ...
@overload
def cumprod(
    a: _Has[np.unsignedinteger], axis: _Axis = None, dtype: None = None, out: _Out = None
) -> _ArrayOf[np.uint64]: ...
@overload
def cumprod(
    a: _Has[Any], axis: _Axis = None, *, dtype: _DTypeOf[_ScalarT], out: _Out = None
) -> _ArrayOf[_ScalarT]: ...
@overload
def cumprod(
    a: _ArrayLike, axis: _Axis = None, dtype: DTypeLike | None = None, out: _Out = None
) -> ndarray: ...
@overload
def cumsum(
    a: _Has[_InexactT], axis: _Axis = None, dtype: None = None, out: _Out = None
) -> _ArrayOf[_InexactT]: ...
@overload
def cumsum(
    a: _Has[np.signedinteger | np.bool], axis: _Axis = None, dtype: None = None, out: _Out = None
) -> _ArrayOf[np.int_]: ...
@overload
def cumsum(
    a: _Has[np.unsignedinteger], axis: _Axis = None, dtype: None = None, out: _Out = None
) -> _ArrayOf[np.uint64]: ...
@overload
def cumsum(
    a: _Has[Any], axis: _Axis = None, *, dtype: _DTypeOf[_ScalarT], out: _Out = None
) -> _ArrayOf[_ScalarT]: ...
@overload
def cumsum(
    a: _ArrayLike, axis: _Axis = None, dtype: DTypeLike | None = None, out: _Out = None
) -> ndarray: ...
@overload
def cumulative_prod(
    x: _Has[_InexactT],
    /,
    *,
    axis: _Axis = None,
    dtype: None = None,
    out: _Out = None,
    include_initial: builtins.bool = False,
) -> _ArrayOf[_InexactT]: ...
@overload
def cumulative_prod(
    x: _Has[np.signedinteger | np.bool],
    /,
    *,
    axis: _Axis = None,
    dtype: None = None,
    out: _Out = None,
    include_initial: builtins.bool = False,
) -> _ArrayOf[np.int_]: ...
@overload
def cumulative_prod(
    x: _Has[np.unsignedinteger],
    /,
    *,
    axis: _Axis = None,
    dtype: None = None,
    out: _Out = None,
    include_initial: builtins.bool = False,
) -> _ArrayOf[np.uint64]: ...
@overload
def cumulative_prod(
    x: _Has[Any],
    /,
    *,
    axis: _Axis = None,
    dtype: _DTypeOf[_ScalarT],
    out: _Out = None,
    include_initial: builtins.bool = False,
) -> _ArrayOf[_ScalarT]: ...
@overload
def cumulative_prod(
    x: _ArrayLike,
    /,
    *,
    axis: _Axis = None,
    dtype: DTypeLike | None = None,
    out: _Out = None,
    include_initial: builtins.bool = False,
) -> ndarray: ...
@overload
def cumulative_sum(
    x: _Has[_InexactT],
    /,
    *,
    axis: _Axis = None,
    dtype: None = None,
    out: _Out = None,
    include_initial: builtins.bool = False,
) -> _ArrayOf[_InexactT]: ...
@overload
def cumulative_sum(
    x: _Has[np.signedinteger | np.bool],
    /,
    *,
    axis: _Axis = None,
    dtype: None = None,
    out: _Out = None,
    include_initial: builtins.bool = False,
) -> _ArrayOf[np.int_]: ...
@overload
def cumulative_sum(
    x: _Has[np.unsignedinteger],
    /,
    *,
    axis: _Axis = None,
    dtype: None = None,
    out: _Out = None,
    include_initial: builtins.bool = False,
) -> _ArrayOf[np.uint64]: ...
@overload
def cumulative_sum(
    x: _Has[Any],
    /,
    *,
    axis: _Axis = None,
    dtype: _DTypeOf[_ScalarT],
    out: _Out = None,
    include_initial: builtins.bool = False,
) -> _ArrayOf[_ScalarT]: ...
@overload
def cumulative_sum(
    x: _ArrayLike,
    /,
    *,
    axis: _Axis = None,
    dtype: DTypeLike | None = None,
    out: _Out = None,
    include_initial: builtins.bool = False,
) -> ndarray: ...
def datetime_as_string(
    arr: _ArrayLike, unit: Any = None, timezone: Any = "naive", casting: str = "same_kind"
) -> Any: ...
def datetime_data(dtype: DTypeLike | None, /) -> tuple[str, int]: ...

deg2rad: _Unary
degrees: _Unary

@overload
def delete(
    arr: _TypedArray[Any, _DTypeT], obj: Any, axis: _Axis = None
) -> ndarray[tuple[Any, ...], _DTypeT]: ...
@overload
def delete(arr: _ArrayLike, obj: Any, axis: _Axis = None) -> ndarray: ...
@overload
def diag(
    v: _TypedArray[Any, _DTypeT], k: SupportsIndex = 0
) -> ndarray[tuple[Any, ...], _DTypeT]: ...
@overload
def diag(v: _ArrayLike, k: SupportsIndex = 0) -> ndarray: ...
def diag_indices(n: SupportsIndex, ndim: SupportsIndex = 2) -> tuple[ndarray, ...]: ...
def diag_indices_from(arr: _ArrayLike) -> tuple[ndarray, ...]: ...
@overload
def diagflat(
    v: _TypedArray[Any, _DTypeT], k: SupportsIndex = 0
) -> ndarray[tuple[Any, ...], _DTypeT]: ...
@overload
def diagflat(v: _ArrayLike, k: SupportsIndex = 0) -> ndarray: ...
@overload
def diagonal(
    a: _TypedArray[Any, _DTypeT],
    offset: SupportsIndex = 0,
    axis1: SupportsIndex = 0,
    axis2: SupportsIndex = 1,
) -> ndarray[tuple[Any, ...], _DTypeT]: ...
@overload
def diagonal(
    a: _ArrayLike, offset: SupportsIndex = 0, axis1: SupportsIndex = 0, axis2: SupportsIndex = 1
) -> ndarray: ...
@overload
def diff(
    a: _TypedArray[Any, _DTypeT],
    n: SupportsIndex = 1,
    axis: _Axis = -1,
    prepend: _ArrayLike = ...,
    append: _ArrayLike = ...,
) -> ndarray[tuple[Any, ...], _DTypeT]: ...
@overload
def diff(
    a: _ArrayLike,
    n: SupportsIndex = 1,
    axis: _Axis = -1,
    prepend: _ArrayLike = ...,
    append: _ArrayLike = ...,
) -> ndarray: ...
@overload
def digitize(x: _Has[Any], bins: Any, right: _ArrayLike = False) -> _ArrayOf[np.int_]: ...
@overload
def digitize(x: _ArrayLike, bins: Any, right: _ArrayLike = False) -> ndarray: ...

divide: _BinaryFloating
divmod: _BinaryPair

def dot(a: _ArrayLike, b: _ArrayLike, out: _Out = None) -> ndarray: ...
@overload
def dsplit(
    ary: _TypedArray[Any, _DTypeT], indices_or_sections: _ArrayLike
) -> list[ndarray[tuple[Any, ...], _DTypeT]]: ...
@overload
def dsplit(ary: _ArrayLike, indices_or_sections: _ArrayLike) -> list[ndarray]: ...
@overload
def dstack(tup: Sequence[_Has[_SameT]]) -> _ArrayOf[_SameT]: ...
@overload
def dstack(tup: _ArrayLike) -> ndarray: ...
def ediff1d(
    ary: _ArrayLike, to_end: _ArrayLike | None = None, to_begin: _ArrayLike | None = None
) -> ndarray: ...
def einsum(*operands: Any, out: _Out = None, optimize: Any = False, **kwargs: Any) -> ndarray: ...
def einsum_path(
    *operands: Any, optimize: Any = "greedy", einsum_call: Any = False
) -> tuple[list[Any], str]: ...
@overload
def empty(
    shape: SupportsIndex | _NewShapeT,
    dtype: None = None,
    order: str = "C",
    *,
    device: Device | str | None = None,
    like: Any = None,
) -> ndarray[_NewShapeT, np.dtype[np.float64]]: ...
@overload
def empty(
    shape: SupportsIndex | _NewShapeT,
    dtype: _DTypeOf[_ScalarT],
    order: str = "C",
    *,
    device: Device | str | None = None,
    like: Any = None,
) -> ndarray[_NewShapeT, np.dtype[_ScalarT]]: ...
@overload
def empty(
    shape: SupportsIndex | _NewShapeT,
    dtype: type[builtins.bool],
    order: str = "C",
    *,
    device: Device | str | None = None,
    like: Any = None,
) -> ndarray[_NewShapeT, np.dtype[np.bool]]: ...
@overload
def empty(
    shape: SupportsIndex | _NewShapeT,
    dtype: type[int],
    order: str = "C",
    *,
    device: Device | str | None = None,
    like: Any = None,
) -> ndarray[_NewShapeT, np.dtype[np.int_]]: ...
@overload
def empty(
    shape: SupportsIndex | _NewShapeT,
    dtype: type[float],
    order: str = "C",
    *,
    device: Device | str | None = None,
    like: Any = None,
) -> ndarray[_NewShapeT, np.dtype[np.float64]]: ...
@overload
def empty(
    shape: SupportsIndex | _NewShapeT,
    dtype: type[complex],
    order: str = "C",
    *,
    device: Device | str | None = None,
    like: Any = None,
) -> ndarray[_NewShapeT, np.dtype[np.complex128]]: ...
@overload
def empty(
    shape: _Shape,
    dtype: None = None,
    order: str = "C",
    *,
    device: Device | str | None = None,
    like: Any = None,
) -> _ArrayOf[np.float64]: ...
@overload
def empty(
    shape: _Shape,
    dtype: _DTypeOf[_ScalarT],
    order: str = "C",
    *,
    device: Device | str | None = None,
    like: Any = None,
) -> _ArrayOf[_ScalarT]: ...
@overload
def empty(
    shape: _Shape,
    dtype: DTypeLike | None = None,
    order: str = "C",
    *,
    device: Device | str | None = None,
    like: Any = None,
) -> ndarray: ...
@overload
def empty_like(
    prototype: _TypedArray[_ShapeT, _DTypeT],
    /,
    dtype: None = None,
    order: str = "K",
    subok: builtins.bool = True,
    shape: None = None,
    *,
    device: Device | str | None = None,
) -> ndarray[_ShapeT, _DTypeT]: ...
@overload
def empty_like(
    prototype: _TypedArray[_ShapeT, Any],
    /,
    dtype: _DTypeOf[_ScalarT],
    order: str = "K",
    subok: builtins.bool = True,
    shape: None = None,
    *,
    device: Device | str | None = None,
) -> ndarray[_ShapeT, np.dtype[_ScalarT]]: ...
@overload
def empty_like(
    prototype: _TypedArray[_ShapeT, Any],
    /,
    dtype: type[builtins.bool],
    order: str = "K",
    subok: builtins.bool = True,
    shape: None = None,
    *,
    device: Device | str | None = None,
) -> ndarray[_ShapeT, np.dtype[np.bool]]: ...
@overload
def empty_like(
    prototype: _TypedArray[_ShapeT, Any],
    /,
    dtype: type[int],
    order: str = "K",
    subok: builtins.bool = True,
    shape: None = None,
    *,
    device: Device | str | None = None,
) -> ndarray[_ShapeT, np.dtype[np.int_]]: ...
@overload
def empty_like(
    prototype: _TypedArray[_ShapeT, Any],
    /,
    dtype: type[float],
    order: str = "K",
    subok: builtins.bool = True,
    shape: None = None,
    *,
    device: Device | str | None = None,
) -> ndarray[_ShapeT, np.dtype[np.float64]]: ...
@overload
def empty_like(
    prototype: _TypedArray[_ShapeT, Any],
    /,
    dtype: type[complex],
    order: str = "K",
    subok: builtins.bool = True,
    shape: None = None,
    *,
    device: Device | str | None = None,
) -> ndarray[_ShapeT, np.dtype[np.complex128]]: ...
@overload
def empty_like(
    prototype: _ArrayLike,
    /,
    dtype: DTypeLike | None = None,
    order: str = "K",
    subok: builtins.bool = True,
    shape: _Shape | None = None,
    *,
    device: Device | str | None = None,
) -> ndarray: ...

equal: _BinaryBoolean
exp: _UnaryFloating
exp2: _Unary

@overload
def expand_dims(a: _TypedArray[Any, _DTypeT], axis: _Axis) -> ndarray[tuple[Any, ...], _DTypeT]: ...
@overload
def expand_dims(a: _ArrayLike, axis: _Axis) -> ndarray: ...

expm1: _UnaryFloating

@overload
def extract(
    condition: _ArrayLike, arr: _TypedArray[Any, _DTypeT]
) -> ndarray[tuple[Any, ...], _DTypeT]: ...
@overload
def extract(condition: _ArrayLike, arr: _ArrayLike) -> ndarray: ...
@overload
def eye(
    N: SupportsIndex,
    M: SupportsIndex | None = None,
    k: SupportsIndex = 0,
    dtype: None = ...,
    order: str = "C",
    *,
    device: Device | str | None = None,
    like: Any = None,
) -> ndarray[tuple[int, int], np.dtype[np.float64]]: ...
@overload
def eye(
    N: SupportsIndex,
    M: SupportsIndex | None = None,
    k: SupportsIndex = 0,
    *,
    dtype: _DTypeOf[_ScalarT],
    order: str = "C",
    device: Device | str | None = None,
    like: Any = None,
) -> ndarray[tuple[int, int], np.dtype[_ScalarT]]: ...
@overload
def eye(
    N: SupportsIndex,
    M: SupportsIndex | None = None,
    k: SupportsIndex = 0,
    *,
    dtype: type[builtins.bool],
    order: str = "C",
    device: Device | str | None = None,
    like: Any = None,
) -> ndarray[tuple[int, int], np.dtype[np.bool]]: ...
@overload
def eye(
    N: SupportsIndex,
    M: SupportsIndex | None = None,
    k: SupportsIndex = 0,
    *,
    dtype: type[int],
    order: str = "C",
    device: Device | str | None = None,
    like: Any = None,
) -> ndarray[tuple[int, int], np.dtype[np.int_]]: ...
@overload
def eye(
    N: SupportsIndex,
    M: SupportsIndex | None = None,
    k: SupportsIndex = 0,
    *,
    dtype: type[float],
    order: str = "C",
    device: Device | str | None = None,
    like: Any = None,
) -> ndarray[tuple[int, int], np.dtype[np.float64]]: ...
@overload
def eye(
    N: SupportsIndex,
    M: SupportsIndex | None = None,
    k: SupportsIndex = 0,
    *,
    dtype: type[complex],
    order: str = "C",
    device: Device | str | None = None,
    like: Any = None,
) -> ndarray[tuple[int, int], np.dtype[np.complex128]]: ...
@overload
def eye(
    N: SupportsIndex,
    M: SupportsIndex | None = None,
    k: SupportsIndex = 0,
    dtype: DTypeLike | None = ...,
    order: str = "C",
    *,
    device: Device | str | None = None,
    like: Any = None,
) -> ndarray: ...

f2py: ModuleType
fabs: _Unary

def fill_diagonal(a: _ArrayLike, val: _ArrayLike, wrap: builtins.bool = False) -> None: ...
@overload
def fix(
    x: _TypedArray[_ShapeT, np.dtype[_InexactT]], out: _Out = None
) -> ndarray[_ShapeT, np.dtype[_InexactT]]: ...
@overload
def fix(
    x: _TypedArray[_ShapeT, np.dtype[_Integral]], out: _Out = None
) -> ndarray[_ShapeT, np.dtype[np.float64]]: ...
@overload
def fix(x: _ArrayLike, out: _Out = None) -> ndarray: ...
@overload
def flatnonzero(a: _Has[Any]) -> _ArrayOf[np.int_]: ...
@overload
def flatnonzero(a: _ArrayLike) -> ndarray: ...
@overload
def flip(m: _TypedArray[_ShapeT, _DTypeT], axis: _Axis = None) -> ndarray[_ShapeT, _DTypeT]: ...
@overload
def flip(m: _ArrayLike, axis: _Axis = None) -> ndarray: ...
@overload
def fliplr(m: _TypedArray[_ShapeT, _DTypeT]) -> ndarray[_ShapeT, _DTypeT]: ...
@overload
def fliplr(m: _ArrayLike) -> ndarray: ...
@overload
def flipud(m: _TypedArray[_ShapeT, _DTypeT]) -> ndarray[_ShapeT, _DTypeT]: ...
@overload
def flipud(m: _ArrayLike) -> ndarray: ...

float_power: _Binary
floor: _UnarySame
floor_divide: _BinaryArithmetic
fmax: _BinarySame
fmin: _BinarySame
fmod: _Binary

def format_float_positional(
    x: _ArrayLike,
    precision: Any = None,
    unique: Any = True,
    fractional: Any = True,
    trim: Any = "k",
    sign: Any = False,
    pad_left: Any = None,
    pad_right: Any = None,
    min_digits: Any = None,
) -> str: ...
def format_float_scientific(
    x: _ArrayLike,
    precision: Any = None,
    unique: Any = True,
    trim: Any = "k",
    sign: Any = False,
    pad_left: Any = None,
    exp_digits: Any = None,
    min_digits: Any = None,
) -> str: ...

frexp: _UnaryPair

def from_dlpack(
    x: _ArrayLike, /, *, device: Device | str | None = None, copy: builtins.bool | None = None
) -> ndarray: ...
def frombuffer(
    buffer: Any,
    dtype: DTypeLike | None = None,
    count: Any = -1,
    offset: SupportsIndex = 0,
    *,
    like: Any = None,
) -> ndarray: ...
def fromfile(
    file: Any,
    dtype: DTypeLike | None = None,
    count: Any = -1,
    sep: Any = "",
    offset: SupportsIndex = 0,
    *,
    like: Any = None,
) -> ndarray: ...
def fromfunction(
    function: Callable[..., Any],
    shape: _Shape,
    *,
    dtype: DTypeLike | None = ...,
    like: Any = None,
    **kwargs: Any,
) -> Any: ...
def fromiter(
    iter: Any, dtype: DTypeLike | None, count: Any = -1, *, like: Any = None
) -> ndarray: ...
def frompyfunc(func: Callable[..., Any], /, nin: Any, nout: Any, **kwargs: Any) -> ufunc: ...
def fromregex(file: Any, regexp: Any, dtype: DTypeLike | None, encoding: Any = None) -> Any: ...
def fromstring(
    string: str, dtype: DTypeLike | None = ..., count: int = -1, *, sep: str, like: Any = None
) -> ndarray: ...
@overload
def full(
    shape: SupportsIndex | _NewShapeT,
    fill_value: builtins.bool,
    dtype: None = None,
    order: str = "C",
    *,
    device: Device | str | None = None,
    like: Any = None,
) -> ndarray[_NewShapeT, np.dtype[np.bool]]: ...
@overload
def full(
    shape: SupportsIndex | _NewShapeT,
    fill_value: int,
    dtype: None = None,
    order: str = "C",
    *,
    device: Device | str | None = None,
    like: Any = None,
) -> ndarray[_NewShapeT, np.dtype[np.int_]]: ...
@overload
def full(
    shape: SupportsIndex | _NewShapeT,
    fill_value: float,
    dtype: None = None,
    order: str = "C",
    *,
    device: Device | str | None = None,
    like: Any = None,
) -> ndarray[_NewShapeT, np.dtype[np.float64]]: ...
@overload
def full(
    shape: SupportsIndex | _NewShapeT,
    fill_value: complex,
    dtype: None = None,
    order: str = "C",
    *,
    device: Device | str | None = None,
    like: Any = None,
) -> ndarray[_NewShapeT, np.dtype[np.complex128]]: ...
@overload
def full(
    shape: SupportsIndex | _NewShapeT,
    fill_value: _ArrayLike,
    dtype: _DTypeOf[_ScalarT],
    order: str = "C",
    *,
    device: Device | str | None = None,
    like: Any = None,
) -> ndarray[_NewShapeT, np.dtype[_ScalarT]]: ...
@overload
def full(
    shape: SupportsIndex | _NewShapeT,
    fill_value: _ArrayLike,
    dtype: type[builtins.bool],
    order: str = "C",
    *,
    device: Device | str | None = None,
    like: Any = None,
) -> ndarray[_NewShapeT, np.dtype[np.bool]]: ...
@overload
def full(
    shape: SupportsIndex | _NewShapeT,
    fill_value: _ArrayLike,
    dtype: type[int],
    order: str = "C",
    *,
    device: Device | str | None = None,
    like: Any = None,
) -> ndarray[_NewShapeT, np.dtype[np.int_]]: ...
@overload
def full(
    shape: SupportsIndex | _NewShapeT,
    fill_value: _ArrayLike,
    dtype: type[float],
    order: str = "C",
    *,
    device: Device | str | None = None,
    like: Any = None,
) -> ndarray[_NewShapeT, np.dtype[np.float64]]: ...
@overload
def full(
    shape: SupportsIndex | _NewShapeT,
    fill_value: _ArrayLike,
    dtype: type[complex],
    order: str = "C",
    *,
    device: Device | str | None = None,
    like: Any = None,
) -> ndarray[_NewShapeT, np.dtype[np.complex128]]: ...
@overload
def full(
    shape: _Shape,
    fill_value: _ArrayLike,
    dtype: _DTypeOf[_ScalarT],
    order: str = "C",
    *,
    device: Device | str | None = None,
    like: Any = None,
) -> _ArrayOf[_ScalarT]: ...
@overload
def full(
    shape: _Shape,
    fill_value: _ArrayLike,
    dtype: DTypeLike | None = None,
    order: str = "C",
    *,
    device: Device | str | None = None,
    like: Any = None,
) -> ndarray: ...
@overload
def full_like(
    a: _TypedArray[_ShapeT, _DTypeT],
    fill_value: _ArrayLike,
    dtype: None = None,
    order: str = "K",
    subok: builtins.bool = True,
    shape: None = None,
    *,
    device: Device | str | None = None,
) -> ndarray[_ShapeT, _DTypeT]: ...
@overload
def full_like(
    a: _TypedArray[_ShapeT, Any],
    fill_value: _ArrayLike,
    dtype: _DTypeOf[_ScalarT],
    order: str = "K",
    subok: builtins.bool = True,
    shape: None = None,
    *,
    device: Device | str | None = None,
) -> ndarray[_ShapeT, np.dtype[_ScalarT]]: ...
@overload
def full_like(
    a: _TypedArray[_ShapeT, Any],
    fill_value: _ArrayLike,
    dtype: type[builtins.bool],
    order: str = "K",
    subok: builtins.bool = True,
    shape: None = None,
    *,
    device: Device | str | None = None,
) -> ndarray[_ShapeT, np.dtype[np.bool]]: ...
@overload
def full_like(
    a: _TypedArray[_ShapeT, Any],
    fill_value: _ArrayLike,
    dtype: type[int],
    order: str = "K",
    subok: builtins.bool = True,
    shape: None = None,
    *,
    device: Device | str | None = None,
) -> ndarray[_ShapeT, np.dtype[np.int_]]: ...
@overload
def full_like(
    a: _TypedArray[_ShapeT, Any],
    fill_value: _ArrayLike,
    dtype: type[float],
    order: str = "K",
    subok: builtins.bool = True,
    shape: None = None,
    *,
    device: Device | str | None = None,
) -> ndarray[_ShapeT, np.dtype[np.float64]]: ...
@overload
def full_like(
    a: _TypedArray[_ShapeT, Any],
    fill_value: _ArrayLike,
    dtype: type[complex],
    order: str = "K",
    subok: builtins.bool = True,
    shape: None = None,
    *,
    device: Device | str | None = None,
) -> ndarray[_ShapeT, np.dtype[np.complex128]]: ...
@overload
def full_like(
    a: _ArrayLike,
    fill_value: _ArrayLike,
    dtype: DTypeLike | None = None,
    order: str = "K",
    subok: builtins.bool = True,
    shape: _Shape | None = None,
    *,
    device: Device | str | None = None,
) -> ndarray: ...

gcd: _BinarySame

def genfromtxt(
    fname: Any,
    dtype: DTypeLike | None = ...,
    comments: Any = "#",
    delimiter: Any = None,
    skip_header: Any = 0,
    skip_footer: Any = 0,
    converters: Any = None,
    missing_values: Any = None,
    filling_values: Any = None,
    usecols: Any = None,
    names: Any = None,
    excludelist: Any = None,
    deletechars: Any = " !#$%&'()*+, -./:;<=>?@[\\]^{|}~",
    replace_space: Any = "_",
    autostrip: Any = False,
    case_sensitive: Any = True,
    defaultfmt: Any = "f%i",
    unpack: Any = None,
    usemask: Any = False,
    loose: Any = True,
    invalid_raise: Any = True,
    max_rows: Any = None,
    encoding: Any = None,
    *,
    ndmin: SupportsIndex = 0,
    like: Any = None,
) -> Any: ...
def geomspace(
    start: _ArrayLike,
    stop: _ArrayLike,
    num: SupportsIndex = 50,
    endpoint: builtins.bool = True,
    dtype: DTypeLike | None = None,
    axis: _Axis = 0,
) -> ndarray: ...
def get_include() -> str: ...
def get_printoptions() -> dict[str, Any]: ...
def getbufsize() -> int: ...
def geterr() -> dict[str, Treatment]: ...
def geterrcall() -> Any: ...
def gradient(
    f: _ArrayLike, *varargs: Any, axis: _Axis = None, edge_order: SupportsIndex = 1
) -> Any: ...

greater: _BinaryBoolean
greater_equal: _BinaryBoolean

def hamming(M: SupportsIndex) -> ndarray: ...
def hanning(M: SupportsIndex) -> ndarray: ...

heaviside: _BinaryFloating

def histogram(
    a: _ArrayLike,
    bins: Any = 10,
    range: Any = None,
    density: builtins.bool | None = None,
    weights: _ArrayLike | None = None,
) -> tuple[ndarray, ndarray]: ...
def histogram2d(
    x: _ArrayLike,
    y: _ArrayLike,
    bins: Any = 10,
    range: Any = None,
    density: builtins.bool | None = None,
    weights: _ArrayLike | None = None,
) -> tuple[ndarray, ndarray, ndarray]: ...
def histogram_bin_edges(
    a: _ArrayLike, bins: Any = 10, range: Any = None, weights: _ArrayLike | None = None
) -> ndarray: ...
def histogramdd(
    sample: _ArrayLike,
    bins: Any = 10,
    range: Any = None,
    density: builtins.bool | None = None,
    weights: _ArrayLike | None = None,
) -> tuple[ndarray, Any]: ...
@overload
def hsplit(
    ary: _TypedArray[Any, _DTypeT], indices_or_sections: _ArrayLike
) -> list[ndarray[tuple[Any, ...], _DTypeT]]: ...
@overload
def hsplit(ary: _ArrayLike, indices_or_sections: _ArrayLike) -> list[ndarray]: ...
@overload
def hstack(
    tup: Sequence[_Has[_SameT]], *, dtype: None = None, casting: str = "same_kind"
) -> _ArrayOf[_SameT]: ...
@overload
def hstack(
    tup: _ArrayLike, *, dtype: _DTypeOf[_ScalarT], casting: str = "same_kind"
) -> _ArrayOf[_ScalarT]: ...
@overload
def hstack(
    tup: _ArrayLike, *, dtype: DTypeLike | None = None, casting: str = "same_kind"
) -> ndarray: ...

hypot: _BinaryFloating

@overload
def i0(x: _TypedArray[_ShapeT, np.dtype[_InexactT]]) -> ndarray[_ShapeT, np.dtype[_InexactT]]: ...
@overload
def i0(x: _TypedArray[_ShapeT, np.dtype[_Integral]]) -> ndarray[_ShapeT, np.dtype[np.float64]]: ...
@overload
def i0(x: _ArrayLike) -> ndarray: ...
@overload
def identity(
    n: SupportsIndex, dtype: None = None, *, like: Any = None
) -> ndarray[tuple[int, int], np.dtype[np.float64]]: ...
@overload
def identity(
    n: SupportsIndex, dtype: _DTypeOf[_ScalarT], *, like: Any = None
) -> ndarray[tuple[int, int], np.dtype[_ScalarT]]: ...
@overload
def identity(
    n: SupportsIndex, dtype: type[builtins.bool], *, like: Any = None
) -> ndarray[tuple[int, int], np.dtype[np.bool]]: ...
@overload
def identity(
    n: SupportsIndex, dtype: type[int], *, like: Any = None
) -> ndarray[tuple[int, int], np.dtype[np.int_]]: ...
@overload
def identity(
    n: SupportsIndex, dtype: type[float], *, like: Any = None
) -> ndarray[tuple[int, int], np.dtype[np.float64]]: ...
@overload
def identity(
    n: SupportsIndex, dtype: type[complex], *, like: Any = None
) -> ndarray[tuple[int, int], np.dtype[np.complex128]]: ...
@overload
def identity(n: SupportsIndex, dtype: DTypeLike | None = None, *, like: Any = None) -> ndarray: ...
@overload
def imag(val: _TypedArray[_ShapeT, np.dtype[_RealT]]) -> ndarray[_ShapeT, np.dtype[_RealT]]: ...
@overload
def imag(
    val: _TypedArray[_ShapeT, np.dtype[np.complex64]],
) -> ndarray[_ShapeT, np.dtype[np.float32]]: ...
@overload
def imag(
    val: _TypedArray[_ShapeT, np.dtype[np.complex128]],
) -> ndarray[_ShapeT, np.dtype[np.float64]]: ...
@overload
def imag(val: _ArrayLike) -> ndarray: ...
@overload
def indices(
    dimensions: _Shape, dtype: DTypeLike | None = ..., sparse: Literal[False] = False
) -> ndarray: ...
@overload
def indices(
    dimensions: _Shape, dtype: DTypeLike | None = ..., *, sparse: Literal[True]
) -> tuple[ndarray, ...]: ...
@overload
def indices(
    dimensions: _Shape, dtype: DTypeLike | None = ..., sparse: builtins.bool = False
) -> Any: ...
def info(
    object: Any = None, maxwidth: Any = 76, output: Any = None, toplevel: Any = "numpy"
) -> None: ...
def inner(a: _ArrayLike, b: _ArrayLike, /) -> ndarray: ...
@overload
def insert(
    arr: _TypedArray[Any, _DTypeT], obj: Any, values: _ArrayLike, axis: _Axis = None
) -> ndarray[tuple[Any, ...], _DTypeT]: ...
@overload
def insert(arr: _ArrayLike, obj: Any, values: _ArrayLike, axis: _Axis = None) -> ndarray: ...
def interp(
    x: _ArrayLike,
    xp: _ArrayLike,
    fp: _ArrayLike,
    left: _ArrayLike | None = None,
    right: _ArrayLike | None = None,
    period: _ArrayLike | None = None,
) -> ndarray: ...
@overload
def intersect1d(
    ar1: _ArrayLike,
    ar2: _ArrayLike,
    assume_unique: builtins.bool = False,
    return_indices: Literal[False] = False,
) -> ndarray: ...
@overload
def intersect1d(
    ar1: _ArrayLike,
    ar2: _ArrayLike,
    assume_unique: builtins.bool = False,
    *,
    return_indices: Literal[True],
) -> tuple[ndarray, ndarray, ndarray]: ...
@overload
def intersect1d(
    ar1: _ArrayLike,
    ar2: _ArrayLike,
    assume_unique: builtins.bool = False,
    return_indices: builtins.bool = False,
) -> Any: ...

invert: _UnarySame

def is_busday(
    dates: Any,
    weekmask: Any = "1111100",
    holidays: Any = None,
    busdaycal: Any = None,
    out: _Out = None,
) -> Any: ...
@overload
def isclose(
    a: _Has[Any],
    b: _ArrayLike,
    rtol: _ArrayLike = 1e-05,
    atol: _ArrayLike = 1e-08,
    equal_nan: builtins.bool = False,
) -> _ArrayOf[np.bool]: ...
@overload
def isclose(
    a: _ArrayLike,
    b: _ArrayLike,
    rtol: _ArrayLike = 1e-05,
    atol: _ArrayLike = 1e-08,
    equal_nan: builtins.bool = False,
) -> ndarray: ...
@overload
def iscomplex(x: _TypedArray[_ShapeT, np.dtype[Any]]) -> ndarray[_ShapeT, np.dtype[np.bool]]: ...
@overload
def iscomplex(x: _ArrayLike) -> ndarray: ...
def iscomplexobj(x: _ArrayLike) -> builtins.bool: ...
def isdtype(dtype: DTypeLike | None, kind: Any) -> builtins.bool: ...

isfinite: _UnaryBoolean

def isfortran(a: _ArrayLike) -> builtins.bool: ...
@overload
def isin(
    element: _TypedArray[_ShapeT, np.dtype[Any]],
    test_elements: _ArrayLike,
    assume_unique: builtins.bool = False,
    invert: builtins.bool = False,
    *,
    kind: str | None = None,
) -> ndarray[_ShapeT, np.dtype[np.bool]]: ...
@overload
def isin(
    element: _ArrayLike,
    test_elements: _ArrayLike,
    assume_unique: builtins.bool = False,
    invert: builtins.bool = False,
    *,
    kind: str | None = None,
) -> ndarray: ...

isinf: _UnaryBoolean
isnan: _UnaryBoolean
isnat: _Unary

@overload
def isneginf(
    x: _TypedArray[_ShapeT, np.dtype[Any]], out: _Out = None
) -> ndarray[_ShapeT, np.dtype[np.bool]]: ...
@overload
def isneginf(x: _ArrayLike, out: _Out = None) -> ndarray: ...
@overload
def isposinf(
    x: _TypedArray[_ShapeT, np.dtype[Any]], out: _Out = None
) -> ndarray[_ShapeT, np.dtype[np.bool]]: ...
@overload
def isposinf(x: _ArrayLike, out: _Out = None) -> ndarray: ...
@overload
def isreal(x: _TypedArray[_ShapeT, np.dtype[Any]]) -> ndarray[_ShapeT, np.dtype[np.bool]]: ...
@overload
def isreal(x: _ArrayLike) -> ndarray: ...
def isrealobj(x: _ArrayLike) -> builtins.bool: ...
def isscalar(element: Any) -> Any: ...
def issubdtype(arg1: Any, arg2: Any) -> builtins.bool: ...
def iterable(y: Any) -> builtins.bool: ...
def ix_(*args: Any) -> tuple[ndarray, ...]: ...
def kaiser(M: SupportsIndex, beta: _ArrayLike) -> ndarray: ...
@overload
def kron(a: _Has[_SameT], b: _Has[_SameT]) -> _ArrayOf[_SameT]: ...
@overload
def kron(a: _ArrayLike, b: _ArrayLike) -> ndarray: ...

lcm: _BinarySame
ldexp: _BinarySame
left_shift: _BinaryArithmetic
less: _BinaryBoolean
less_equal: _BinaryBoolean

@overload
def lexsort(keys: _Has[Any], axis: _Axis = -1) -> _ArrayOf[np.int_]: ...
@overload
def lexsort(keys: _ArrayLike, axis: _Axis = -1) -> ndarray: ...
@overload
def linspace(
    start: float,
    stop: float,
    num: SupportsIndex = 50,
    endpoint: builtins.bool = True,
    retstep: Literal[False] = False,
    dtype: None = None,
    axis: _Axis = 0,
    *,
    device: Device | str | None = None,
) -> ndarray[tuple[int], np.dtype[np.float64]]: ...
@overload
def linspace(
    start: complex,
    stop: complex,
    num: SupportsIndex = 50,
    endpoint: builtins.bool = True,
    retstep: Literal[False] = False,
    dtype: None = None,
    axis: _Axis = 0,
    *,
    device: Device | str | None = None,
) -> ndarray[tuple[int], np.dtype[np.complex128]]: ...
@overload
def linspace(
    start: complex,
    stop: complex,
    num: SupportsIndex = 50,
    endpoint: builtins.bool = True,
    retstep: Literal[False] = False,
    *,
    dtype: _DTypeOf[_ScalarT],
    axis: _Axis = 0,
    device: Device | str | None = None,
) -> ndarray[tuple[int], np.dtype[_ScalarT]]: ...
@overload
def linspace(
    start: complex,
    stop: complex,
    num: SupportsIndex = 50,
    endpoint: builtins.bool = True,
    retstep: Literal[False] = False,
    *,
    dtype: type[builtins.bool],
    axis: _Axis = 0,
    device: Device | str | None = None,
) -> ndarray[tuple[int], np.dtype[np.bool]]: ...
@overload
def linspace(
    start: complex,
    stop: complex,
    num: SupportsIndex = 50,
    endpoint: builtins.bool = True,
    retstep: Literal[False] = False,
    *,
    dtype: type[int],
    axis: _Axis = 0,
    device: Device | str | None = None,
) -> ndarray[tuple[int], np.dtype[np.int_]]: ...
@overload
def linspace(
    start: complex,
    stop: complex,
    num: SupportsIndex = 50,
    endpoint: builtins.bool = True,
    retstep: Literal[False] = False,
    *,
    dtype: type[float],
    axis: _Axis = 0,
    device: Device | str | None = None,
) -> ndarray[tuple[int], np.dtype[np.float64]]: ...
@overload
def linspace(
    start: complex,
    stop: complex,
    num: SupportsIndex = 50,
    endpoint: builtins.bool = True,
    retstep: Literal[False] = False,
    *,
    dtype: type[complex],
    axis: _Axis = 0,
    device: Device | str | None = None,
) -> ndarray[tuple[int], np.dtype[np.complex128]]: ...
@overload
def linspace(
    start: _ArrayLike,
    stop: _ArrayLike,
    num: SupportsIndex = 50,
    endpoint: builtins.bool = True,
    retstep: Literal[False] = False,
    dtype: DTypeLike | None = None,
    axis: _Axis = 0,
    *,
    device: Device | str | None = None,
) -> ndarray: ...
@overload
def linspace(
    start: _ArrayLike,
    stop: _ArrayLike,
    num: SupportsIndex = 50,
    endpoint: builtins.bool = True,
    *,
    retstep: Literal[True],
    dtype: DTypeLike | None = None,
    axis: _Axis = 0,
    device: Device | str | None = None,
) -> tuple[ndarray, Any]: ...
@overload
def linspace(
    start: _ArrayLike,
    stop: _ArrayLike,
    num: SupportsIndex = 50,
    endpoint: builtins.bool = True,
    retstep: builtins.bool = False,
    dtype: DTypeLike | None = None,
    axis: _Axis = 0,
    *,
    device: Device | str | None = None,
) -> Any: ...
def load(
    file: Any,
    mmap_mode: Any = None,
    allow_pickle: Any = False,
    fix_imports: Any = True,
    encoding: Any = "ASCII",
    *,
    max_header_size: Any = 10000,
) -> Any: ...
def loadtxt(
    fname: Any,
    dtype: DTypeLike | None = ...,
    comments: Any = "#",
    delimiter: Any = None,
    converters: Any = None,
    skiprows: Any = 0,
    usecols: Any = None,
    unpack: Any = False,
    ndmin: SupportsIndex = 0,
    encoding: Any = None,
    max_rows: Any = None,
    *,
    quotechar: Any = None,
    like: Any = None,
) -> ndarray: ...

log: _UnaryFloating
log10: _UnaryFloating
log1p: _UnaryFloating
log2: _UnaryFloating
logaddexp: _BinaryFloating
logaddexp2: _Binary
logical_and: _BinaryBoolean
logical_not: _UnaryBoolean
logical_or: _BinaryBoolean
logical_xor: _BinaryBoolean

def logspace(
    start: _ArrayLike,
    stop: _ArrayLike,
    num: SupportsIndex = 50,
    endpoint: builtins.bool = True,
    base: _ArrayLike = 10.0,
    dtype: DTypeLike | None = None,
    axis: _Axis = 0,
) -> ndarray: ...
def mask_indices(
    n: SupportsIndex, mask_func: Callable[..., Any], k: SupportsIndex = 0
) -> tuple[ndarray, ...]: ...

matmul: _Generalized

@overload
def matrix_transpose(x: _TypedArray[Any, _DTypeT], /) -> ndarray[tuple[Any, ...], _DTypeT]: ...
@overload
def matrix_transpose(x: _ArrayLike, /) -> ndarray: ...

matvec: _Generalized

@overload
def max(
    a: _Has[_ScalarT],
    axis: None = None,
    out: None = None,
    keepdims: Literal[False] = ...,
    initial: _ArrayLike = ...,
    where: _ArrayLike = ...,
) -> _ScalarT: ...
@overload
def max(
    a: _Has[_ScalarT],
    axis: _Axis = None,
    out: _Out = None,
    keepdims: builtins.bool = ...,
    initial: _ArrayLike = ...,
    where: _ArrayLike = ...,
) -> _ArrayOf[_ScalarT]: ...
@overload
def max(
    a: _ArrayLike,
    axis: _Axis = None,
    out: _Out = None,
    keepdims: builtins.bool = ...,
    initial: _ArrayLike = ...,
    where: _ArrayLike = ...,
) -> ndarray: ...

maximum: _BinarySame

def may_share_memory(a: _ArrayLike, b: _ArrayLike, /, max_work: Any = 0) -> builtins.bool: ...
@overload
def mean(
    a: _Has[_InexactT],
    axis: None = None,
    dtype: None = None,
    out: None = None,
    keepdims: Literal[False] = ...,
    *,
    where: _ArrayLike = ...,
) -> _InexactT: ...
@overload
def mean(
    a: _Has[_Integral],
    axis: None = None,
    dtype: None = None,
    out: None = None,
    keepdims: Literal[False] = ...,
    *,
    where: _ArrayLike = ...,
) -> np.float64: ...
@overload
def mean(
    a: _Has[Any],
    axis: None = None,
    *,
    dtype: _DTypeOf[_ScalarT],
    out: None = None,
    keepdims: Literal[False] = ...,
    where: _ArrayLike = ...,
) -> _ScalarT: ...
@overload
def mean(
    a: _Has[_InexactT],
    axis: _Axis = None,
    dtype: None = None,
    out: _Out = None,
    keepdims: builtins.bool = ...,
    *,
    where: _ArrayLike = ...,
) -> _ArrayOf[_InexactT]: ...
@overload
def mean(
    a: _Has[_Integral],
    axis: _Axis = None,
    dtype: None = None,
    out: _Out = None,
    keepdims: builtins.bool = ...,
    *,
    where: _ArrayLike = ...,
) -> _ArrayOf[np.float64]: ...
@overload
def mean(
    a: _Has[Any],
    axis: _Axis = None,
    *,
    dtype: _DTypeOf[_ScalarT],
    out: _Out = None,
    keepdims: builtins.bool = ...,
    where: _ArrayLike = ...,
) -> _ArrayOf[_ScalarT]: ...
@overload
def mean(
    a: _ArrayLike,
    axis: _Axis = None,
    dtype: DTypeLike | None = None,
    out: _Out = None,
    keepdims: builtins.bool = ...,
    *,
    where: _ArrayLike = ...,
) -> ndarray: ...
@overload
def median(
    a: _Has[_InexactT],
    axis: None = None,
    out: None = None,
    overwrite_input: builtins.bool = False,
    keepdims: Literal[False] = False,
) -> _InexactT: ...
@overload
def median(
    a: _Has[_Integral],
    axis: None = None,
    out: None = None,
    overwrite_input: builtins.bool = False,
    keepdims: Literal[False] = False,
) -> np.float64: ...
@overload
def median(
    a: _Has[_InexactT],
    axis: _Axis = None,
    out: _Out = None,
    overwrite_input: builtins.bool = False,
    keepdims: builtins.bool = False,
) -> _ArrayOf[_InexactT]: ...
@overload
def median(
    a: _Has[_Integral],
    axis: _Axis = None,
    out: _Out = None,
    overwrite_input: builtins.bool = False,
    keepdims: builtins.bool = False,
) -> _ArrayOf[np.float64]: ...
@overload
def median(
    a: _ArrayLike,
    axis: _Axis = None,
    out: _Out = None,
    overwrite_input: builtins.bool = False,
    keepdims: builtins.bool = False,
) -> ndarray: ...
@overload
def meshgrid(
    *xi: _TypedArray[Any, _DTypeT],
    copy: builtins.bool | None = True,
    sparse: builtins.bool = False,
    indexing: str = "xy",
) -> tuple[ndarray[tuple[Any, ...], _DTypeT], ...]: ...
@overload
def meshgrid(
    *xi: _ArrayLike,
    copy: builtins.bool | None = True,
    sparse: builtins.bool = False,
    indexing: str = "xy",
) -> tuple[ndarray, ...]: ...
@overload
def min(
    a: _Has[_ScalarT],
    axis: None = None,
    out: None = None,
    keepdims: Literal[False] = ...,
    initial: _ArrayLike = ...,
    where: _ArrayLike = ...,
) -> _ScalarT: ...
@overload
def min(
    a: _Has[_ScalarT],
    axis: _Axis = None,
    out: _Out = None,
    keepdims: builtins.bool = ...,
    initial: _ArrayLike = ...,
    where: _ArrayLike = ...,
) -> _ArrayOf[_ScalarT]: ...
@overload
def min(
    a: _ArrayLike,
    axis: _Axis = None,
    out: _Out = None,
    keepdims: builtins.bool = ...,
    initial: _ArrayLike = ...,
    where: _ArrayLike = ...,
) -> ndarray: ...
def min_scalar_type(a: _ArrayLike, /) -> np.dtype[Any]: ...

minimum: _BinarySame

def mintypecode(typechars: Any, typeset: Any = "GDFgdf", default: Any = "d") -> str: ...

mod: _BinaryArithmetic
modf: _UnaryPair

@overload
def moveaxis(
    a: _TypedArray[Any, _DTypeT],
    source: SupportsIndex | Sequence[SupportsIndex],
    destination: SupportsIndex | Sequence[SupportsIndex],
) -> ndarray[tuple[Any, ...], _DTypeT]: ...
@overload
def moveaxis(
    a: _ArrayLike,
    source: SupportsIndex | Sequence[SupportsIndex],
    destination: SupportsIndex | Sequence[SupportsIndex],
) -> ndarray: ...

multiply: _BinarySame

@overload
def nan_to_num(
    x: _TypedArray[_ShapeT, _DTypeT],
    copy: builtins.bool | None = True,
    nan: _ArrayLike = 0.0,
    posinf: _ArrayLike | None = None,
    neginf: _ArrayLike | None = None,
) -> ndarray[_ShapeT, _DTypeT]: ...
@overload
def nan_to_num(
    x: _ArrayLike,
    copy: builtins.bool | None = True,
    nan: _ArrayLike = 0.0,
    posinf: _ArrayLike | None = None,
    neginf: _ArrayLike | None = None,
) -> ndarray: ...
@overload
def nanargmax(
    a: _Has[Any], axis: None = None, out: None = None, *, keepdims: Literal[False] = ...
) -> np.int_: ...
@overload
def nanargmax(
    a: _Has[Any], axis: _Axis = None, out: _Out = None, *, keepdims: builtins.bool = ...
) -> _ArrayOf[np.int_]: ...
@overload
def nanargmax(
    a: _ArrayLike, axis: _Axis = None, out: _Out = None, *, keepdims: builtins.bool = ...
) -> ndarray: ...
@overload
def nanargmin(
    a: _Has[Any], axis: None = None, out: None = None, *, keepdims: Literal[False] = ...
) -> np.int_: ...
@overload
def nanargmin(
    a: _Has[Any], axis: _Axis = None, out: _Out = None, *, keepdims: builtins.bool = ...
) -> _ArrayOf[np.int_]: ...
@overload
def nanargmin(
    a: _ArrayLike, axis: _Axis = None, out: _Out = None, *, keepdims: builtins.bool = ...
) -> ndarray: ...
@overload
def nancumprod(
    a: _Has[_InexactT], axis: _Axis = None, dtype: None = None, out: _Out = None
) -> _ArrayOf[_InexactT]: ...
@overload
def nancumprod(
    a: _Has[np.signedinteger | np.bool], axis: _Axis = None, dtype: None = None, out: _Out = None
) -> _ArrayOf[np.int_]: ...
@overload
def nancumprod(
    a: _Has[np.unsignedinteger], axis: _Axis = None, dtype: None = None, out: _Out = None
) -> _ArrayOf[np.uint64]: ...
@overload
def nancumprod(
    a: _Has[Any], axis: _Axis = None, *, dtype: _DTypeOf[_ScalarT], out: _Out = None
) -> _ArrayOf[_ScalarT]: ...
@overload
def nancumprod(
    a: _ArrayLike, axis: _Axis = None, dtype: DTypeLike | None = None, out: _Out = None
) -> ndarray: ...
@overload
def nancumsum(
    a: _Has[_InexactT], axis: _Axis = None, dtype: None = None, out: _Out = None
) -> _ArrayOf[_InexactT]: ...
@overload
def nancumsum(
    a: _Has[np.signedinteger | np.bool], axis: _Axis = None, dtype: None = None, out: _Out = None
) -> _ArrayOf[np.int_]: ...
@overload
def nancumsum(
    a: _Has[np.unsignedinteger], axis: _Axis = None, dtype: None = None, out: _Out = None
) -> _ArrayOf[np.uint64]: ...
@overload
def nancumsum(
    a: _Has[Any], axis: _Axis = None, *, dtype: _DTypeOf[_ScalarT], out: _Out = None
) -> _ArrayOf[_ScalarT]: ...
@overload
def nancumsum(
    a: _ArrayLike, axis: _Axis = None, dtype: DTypeLike | None = None, out: _Out = None
) -> ndarray: ...
@overload
def nanmax(
    a: _Has[_ScalarT],
    axis: None = None,
    out: None = None,
    keepdims: Literal[False] = ...,
    initial: _ArrayLike = ...,
    where: _ArrayLike = ...,
) -> _ScalarT: ...
@overload
def nanmax(
    a: _Has[_ScalarT],
    axis: _Axis = None,
    out: _Out = None,
    keepdims: builtins.bool = ...,
    initial: _ArrayLike = ...,
    where: _ArrayLike = ...,
) -> _ArrayOf[_ScalarT]: ...
@overload
def nanmax(
    a: _ArrayLike,
    axis: _Axis = None,
    out: _Out = None,
    keepdims: builtins.bool = ...,
    initial: _ArrayLike = ...,
    where: _ArrayLike = ...,
) -> ndarray: ...
@overload
def nanmean(
    a: _Has[_InexactT],
    axis: None = None,
    dtype: None = None,
    out: None = None,
    keepdims: Literal[False] = ...,
    *,
    where: _ArrayLike = ...,
) -> _InexactT: ...
@overload
def nanmean(
    a: _Has[_Integral],
    axis: None = None,
    dtype: None = None,
    out: None = None,
    keepdims: Literal[False] = ...,
    *,
    where: _ArrayLike = ...,
) -> np.float64: ...
@overload
def nanmean(
    a: _Has[Any],
    axis: None = None,
    *,
    dtype: _DTypeOf[_ScalarT],
    out: None = None,
    keepdims: Literal[False] = ...,
    where: _ArrayLike = ...,
) -> _ScalarT: ...
@overload
def nanmean(
    a: _Has[_InexactT],
    axis: _Axis = None,
    dtype: None = None,
    out: _Out = None,
    keepdims: builtins.bool = ...,
    *,
    where: _ArrayLike = ...,
) -> _ArrayOf[_InexactT]: ...
@overload
def nanmean(
    a: _Has[_Integral],
    axis: _Axis = None,
    dtype: None = None,
    out: _Out = None,
    keepdims: builtins.bool = ...,
    *,
    where: _ArrayLike = ...,
) -> _ArrayOf[np.float64]: ...
@overload
def nanmean(
    a: _Has[Any],
    axis: _Axis = None,
    *,
    dtype: _DTypeOf[_ScalarT],
    out: _Out = None,
    keepdims: builtins.bool = ...,
    where: _ArrayLike = ...,
) -> _ArrayOf[_ScalarT]: ...
@overload
def nanmean(
    a: _ArrayLike,
    axis: _Axis = None,
    dtype: DTypeLike | None = None,
    out: _Out = None,
    keepdims: builtins.bool = ...,
    *,
    where: _ArrayLike = ...,
) -> ndarray: ...
@overload
def nanmedian(
    a: _Has[_InexactT],
    axis: None = None,
    out: None = None,
    overwrite_input: builtins.bool = False,
    keepdims: Literal[False] = ...,
) -> _InexactT: ...
@overload
def nanmedian(
    a: _Has[_Integral],
    axis: None = None,
    out: None = None,
    overwrite_input: builtins.bool = False,
    keepdims: Literal[False] = ...,
) -> np.float64: ...
@overload
def nanmedian(
    a: _Has[_InexactT],
    axis: _Axis = None,
    out: _Out = None,
    overwrite_input: builtins.bool = False,
    keepdims: builtins.bool = ...,
) -> _ArrayOf[_InexactT]: ...
@overload
def nanmedian(
    a: _Has[_Integral],
    axis: _Axis = None,
    out: _Out = None,
    overwrite_input: builtins.bool = False,
    keepdims: builtins.bool = ...,
) -> _ArrayOf[np.float64]: ...
@overload
def nanmedian(
    a: _ArrayLike,
    axis: _Axis = None,
    out: _Out = None,
    overwrite_input: builtins.bool = False,
    keepdims: builtins.bool = ...,
) -> ndarray: ...
@overload
def nanmin(
    a: _Has[_ScalarT],
    axis: None = None,
    out: None = None,
    keepdims: Literal[False] = ...,
    initial: _ArrayLike = ...,
    where: _ArrayLike = ...,
) -> _ScalarT: ...
@overload
def nanmin(
    a: _Has[_ScalarT],
    axis: _Axis = None,
    out: _Out = None,
    keepdims: builtins.bool = ...,
    initial: _ArrayLike = ...,
    where: _ArrayLike = ...,
) -> _ArrayOf[_ScalarT]: ...
@overload
def nanmin(
    a: _ArrayLike,
    axis: _Axis = None,
    out: _Out = None,
    keepdims: builtins.bool = ...,
    initial: _ArrayLike = ...,
    where: _ArrayLike = ...,
) -> ndarray: ...
def nanpercentile(
    a: _ArrayLike,
    q: _ArrayLike,
    axis: _Axis = None,
    out: _Out = None,
    overwrite_input: builtins.bool = False,
    method: str = "linear",
    keepdims: builtins.bool = ...,
    *,
    weights: _ArrayLike | None = None,
) -> ndarray: ...
@overload
def nanprod(
    a: _Has[_InexactT],
    axis: None = None,
    dtype: None = None,
    out: None = None,
    keepdims: Literal[False] = ...,
    initial: _ArrayLike = ...,
    where: _ArrayLike = ...,
) -> _InexactT: ...
@overload
def nanprod(
    a: _Has[np.signedinteger | np.bool],
    axis: None = None,
    dtype: None = None,
    out: None = None,
    keepdims: Literal[False] = ...,
    initial: _ArrayLike = ...,
    where: _ArrayLike = ...,
) -> np.int_: ...
@overload
def nanprod(
    a: _Has[np.unsignedinteger],
    axis: None = None,
    dtype: None = None,
    out: None = None,
    keepdims: Literal[False] = ...,
    initial: _ArrayLike = ...,
    where: _ArrayLike = ...,
) -> np.uint64: ...
@overload
def nanprod(
    a: _Has[Any],
    axis: None = None,
    *,
    dtype: _DTypeOf[_ScalarT],
    out: None = None,
    keepdims: Literal[False] = ...,
    initial: _ArrayLike = ...,
    where: _ArrayLike = ...,
) -> _ScalarT: ...
@overload
def nanprod(
    a: _Has[_InexactT],
    axis: _Axis = None,
    dtype: None = None,
    out: _Out = None,
    keepdims: builtins.bool = ...,
    initial: _ArrayLike = ...,
    where: _ArrayLike = ...,
) -> _ArrayOf[_InexactT]: ...
@overload
def nanprod(
    a: _Has[np.signedinteger | np.bool],
    axis: _Axis = None,
    dtype: None = None,
    out: _Out = None,
    keepdims: builtins.bool = ...,
    initial: _ArrayLike = ...,
    where: _ArrayLike = ...,
) -> _ArrayOf[np.int_]: ...
@overload
def nanprod(
    a: _Has[np.unsignedinteger],
    axis: _Axis = None,
    dtype: None = None,
    out: _Out = None,
    keepdims: builtins.bool = ...,
    initial: _ArrayLike = ...,
    where: _ArrayLike = ...,
) -> _ArrayOf[np.uint64]: ...
@overload
def nanprod(
    a: _Has[Any],
    axis: _Axis = None,
    *,
    dtype: _DTypeOf[_ScalarT],
    out: _Out = None,
    keepdims: builtins.bool = ...,
    initial: _ArrayLike = ...,
    where: _ArrayLike = ...,
) -> _ArrayOf[_ScalarT]: ...
@overload
def nanprod(
    a: _ArrayLike,
    axis: _Axis = None,
    dtype: DTypeLike | None = None,
    out: _Out = None,
    keepdims: builtins.bool = ...,
    initial: _ArrayLike = ...,
    where: _ArrayLike = ...,
) -> ndarray: ...
def nanquantile(
    a: _ArrayLike,
    q: _ArrayLike,
    axis: _Axis = None,
    out: _Out = None,
    overwrite_input: builtins.bool = False,
    method: str = "linear",
    keepdims: builtins.bool = ...,
    *,
    weights: _ArrayLike | None = None,
) -> ndarray: ...
@overload
def nanstd(
    a: _Has[_FloatingT],
    axis: None = None,
    dtype: None = None,
    out: None = None,
    ddof: float = 0,
    keepdims: Literal[False] = ...,
    *,
    where: _ArrayLike = ...,
    mean: _ArrayLike = ...,
    correction: float = ...,
) -> _FloatingT: ...
@overload
def nanstd(
    a: _Has[np.complex64],
    axis: None = None,
    dtype: None = None,
    out: None = None,
    ddof: float = 0,
    keepdims: Literal[False] = ...,
    *,
    where: _ArrayLike = ...,
    mean: _ArrayLike = ...,
    correction: float = ...,
) -> np.float32: ...
@overload
def nanstd(
    a: _Has[np.complex128 | _Integral],
    axis: None = None,
    dtype: None = None,
    out: None = None,
    ddof: float = 0,
    keepdims: Literal[False] = ...,
    *,
    where: _ArrayLike = ...,
    mean: _ArrayLike = ...,
    correction: float = ...,
) -> np.float64: ...
@overload
def nanstd(
    a: _Has[Any],
    axis: None = None,
    *,
    dtype: _DTypeOf[_ScalarT],
    out: None = None,
    ddof: float = 0,
    keepdims: Literal[False] = ...,
    where: _ArrayLike = ...,
    mean: _ArrayLike = ...,
    correction: float = ...,
) -> _ScalarT: ...
@overload
def nanstd(
    a: _Has[_FloatingT],
    axis: _Axis = None,
    dtype: None = None,
    out: _Out = None,
    ddof: float = 0,
    keepdims: builtins.bool = ...,
    *,
    where: _ArrayLike = ...,
    mean: _ArrayLike = ...,
    correction: float = ...,
) -> _ArrayOf[_FloatingT]: ...
@overload
def nanstd(
    a: _Has[np.complex64],
    axis: _Axis = None,
    dtype: None = None,
    out: _Out = None,
    ddof: float = 0,
    keepdims: builtins.bool = ...,
    *,
    where: _ArrayLike = ...,
    mean: _ArrayLike = ...,
    correction: float = ...,
) -> _ArrayOf[np.float32]: ...
@overload
def nanstd(
    a: _Has[np.complex128 | _Integral],
    axis: _Axis = None,
    dtype: None = None,
    out: _Out = None,
    ddof: float = 0,
    keepdims: builtins.bool = ...,
    *,
    where: _ArrayLike = ...,
    mean: _ArrayLike = ...,
    correction: float = ...,
) -> _ArrayOf[np.float64]: ...
@overload
def nanstd(
    a: _Has[Any],
    axis: _Axis = None,
    *,
    dtype: _DTypeOf[_ScalarT],
    out: _Out = None,
    ddof: float = 0,
    keepdims: builtins.bool = ...,
    where: _ArrayLike = ...,
    mean: _ArrayLike = ...,
    correction: float = ...,
) -> _ArrayOf[_ScalarT]: ...
@overload
def nanstd(
    a: _ArrayLike,
    axis: _Axis = None,
    dtype: DTypeLike | None = None,
    out: _Out = None,
    ddof: float = 0,
    keepdims: builtins.bool = ...,
    *,
    where: _ArrayLike = ...,
    mean: _ArrayLike = ...,
    correction: float = ...,
) -> ndarray: ...
@overload
def nansum(
    a: _Has[_InexactT],
    axis: None = None,
    dtype: None = None,
    out: None = None,
    keepdims: Literal[False] = ...,
    initial: _ArrayLike = ...,
    where: _ArrayLike = ...,
) -> _InexactT: ...
@overload
def nansum(
    a: _Has[np.signedinteger | np.bool],
    axis: None = None,
    dtype: None = None,
    out: None = None,
    keepdims: Literal[False] = ...,
    initial: _ArrayLike = ...,
    where: _ArrayLike = ...,
) -> np.int_: ...
@overload
def nansum(
    a: _Has[np.unsignedinteger],
    axis: None = None,
    dtype: None = None,
    out: None = None,
    keepdims: Literal[False] = ...,
    initial: _ArrayLike = ...,
    where: _ArrayLike = ...,
) -> np.uint64: ...
@overload
def nansum(
    a: _Has[Any],
    axis: None = None,
    *,
    dtype: _DTypeOf[_ScalarT],
    out: None = None,
    keepdims: Literal[False] = ...,
    initial: _ArrayLike = ...,
    where: _ArrayLike = ...,
) -> _ScalarT: ...
@overload
def nansum(
    a: _Has[_InexactT],
    axis: _Axis = None,
    dtype: None = None,
    out: _Out = None,
    keepdims: builtins.bool = ...,
    initial: _ArrayLike = ...,
    where: _ArrayLike = ...,
) -> _ArrayOf[_InexactT]: ...
@overload
def nansum(
    a: _Has[np.signedinteger | np.bool],
    axis: _Axis = None,
    dtype: None = None,
    out: _Out = None,
    keepdims: builtins.bool = ...,
    initial: _ArrayLike = ...,
    where: _ArrayLike = ...,
) -> _ArrayOf[np.int_]: ...
@overload
def nansum(
    a: _Has[np.unsignedinteger],
    axis: _Axis = None,
    dtype: None = None,
    out: _Out = None,
    keepdims: builtins.bool = ...,
    initial: _ArrayLike = ...,
    where: _ArrayLike = ...,
) -> _ArrayOf[np.uint64]: ...
@overload
def nansum(
    a: _Has[Any],
    axis: _Axis = None,
    *,
    dtype: _DTypeOf[_ScalarT],
    out: _Out = None,
    keepdims: builtins.bool = ...,
    initial: _ArrayLike = ...,
    where: _ArrayLike = ...,
) -> _ArrayOf[_ScalarT]: ...
@overload
def nansum(
    a: _ArrayLike,
    axis: _Axis = None,
    dtype: DTypeLike | None = None,
    out: _Out = None,
    keepdims: builtins.bool = ...,
    initial: _ArrayLike = ...,
    where: _ArrayLike = ...,
) -> ndarray: ...
@overload
def nanvar(
    a: _Has[_FloatingT],
    axis: None = None,
    dtype: None = None,
    out: None = None,
    ddof: float = 0,
    keepdims: Literal[False] = ...,
    *,
    where: _ArrayLike = ...,
    mean: _ArrayLike = ...,
    correction: float = ...,
) -> _FloatingT: ...
@overload
def nanvar(
    a: _Has[np.complex64],
    axis: None = None,
    dtype: None = None,
    out: None = None,
    ddof: float = 0,
    keepdims: Literal[False] = ...,
    *,
    where: _ArrayLike = ...,
    mean: _ArrayLike = ...,
    correction: float = ...,
) -> np.float32: ...
@overload
def nanvar(
    a: _Has[np.complex128 | _Integral],
    axis: None = None,
    dtype: None = None,
    out: None = None,
    ddof: float = 0,
    keepdims: Literal[False] = ...,
    *,
    where: _ArrayLike = ...,
    mean: _ArrayLike = ...,
    correction: float = ...,
) -> np.float64: ...
@overload
def nanvar(
    a: _Has[Any],
    axis: None = None,
    *,
    dtype: _DTypeOf[_ScalarT],
    out: None = None,
    ddof: float = 0,
    keepdims: Literal[False] = ...,
    where: _ArrayLike = ...,
    mean: _ArrayLike = ...,
    correction: float = ...,
) -> _ScalarT: ...
@overload
def nanvar(
    a: _Has[_FloatingT],
    axis: _Axis = None,
    dtype: None = None,
    out: _Out = None,
    ddof: float = 0,
    keepdims: builtins.bool = ...,
    *,
    where: _ArrayLike = ...,
    mean: _ArrayLike = ...,
    correction: float = ...,
) -> _ArrayOf[_FloatingT]: ...
@overload
def nanvar(
    a: _Has[np.complex64],
    axis: _Axis = None,
    dtype: None = None,
    out: _Out = None,
    ddof: float = 0,
    keepdims: builtins.bool = ...,
    *,
    where: _ArrayLike = ...,
    mean: _ArrayLike = ...,
    correction: float = ...,
) -> _ArrayOf[np.float32]: ...
@overload
def nanvar(
    a: _Has[np.complex128 | _Integral],
    axis: _Axis = None,
    dtype: None = None,
    out: _Out = None,
    ddof: float = 0,
    keepdims: builtins.bool = ...,
    *,
    where: _ArrayLike = ...,
    mean: _ArrayLike = ...,
    correction: float = ...,
) -> _ArrayOf[np.float64]: ...
@overload
def nanvar(
    a: _Has[Any],
    axis: _Axis = None,
    *,
    dtype: _DTypeOf[_ScalarT],
    out: _Out = None,
    ddof: float = 0,
    keepdims: builtins.bool = ...,
    where: _ArrayLike = ...,
    mean: _ArrayLike = ...,
    correction: float = ...,
) -> _ArrayOf[_ScalarT]: ...
@overload
def nanvar(
    a: _ArrayLike,
    axis: _Axis = None,
    dtype: DTypeLike | None = None,
    out: _Out = None,
    ddof: float = 0,
    keepdims: builtins.bool = ...,
    *,
    where: _ArrayLike = ...,
    mean: _ArrayLike = ...,
    correction: float = ...,
) -> ndarray: ...
def ndim(a: _ArrayLike) -> int: ...

negative: _UnarySame

def nested_iters(
    op: Any,
    axes: Any,
    flags: Any = None,
    op_flags: Any = None,
    op_dtypes: Any = None,
    order: str = "K",
    casting: str = "safe",
    buffersize: Any = 0,
) -> Any: ...

nextafter: _BinaryFloating

@overload
def nonzero(a: _Has[Any]) -> tuple[_ArrayOf[np.int_], ...]: ...
@overload
def nonzero(a: _ArrayLike) -> tuple[ndarray, ...]: ...

not_equal: _BinaryBoolean

@overload
def ones(
    shape: SupportsIndex | _NewShapeT,
    dtype: None = None,
    order: str = "C",
    *,
    device: Device | str | None = None,
    like: Any = None,
) -> ndarray[_NewShapeT, np.dtype[np.float64]]: ...
@overload
def ones(
    shape: SupportsIndex | _NewShapeT,
    dtype: _DTypeOf[_ScalarT],
    order: str = "C",
    *,
    device: Device | str | None = None,
    like: Any = None,
) -> ndarray[_NewShapeT, np.dtype[_ScalarT]]: ...
@overload
def ones(
    shape: SupportsIndex | _NewShapeT,
    dtype: type[builtins.bool],
    order: str = "C",
    *,
    device: Device | str | None = None,
    like: Any = None,
) -> ndarray[_NewShapeT, np.dtype[np.bool]]: ...
@overload
def ones(
    shape: SupportsIndex | _NewShapeT,
    dtype: type[int],
    order: str = "C",
    *,
    device: Device | str | None = None,
    like: Any = None,
) -> ndarray[_NewShapeT, np.dtype[np.int_]]: ...
@overload
def ones(
    shape: SupportsIndex | _NewShapeT,
    dtype: type[float],
    order: str = "C",
    *,
    device: Device | str | None = None,
    like: Any = None,
) -> ndarray[_NewShapeT, np.dtype[np.float64]]: ...
@overload
def ones(
    shape: SupportsIndex | _NewShapeT,
    dtype: type[complex],
    order: str = "C",
    *,
    device: Device | str | None = None,
    like: Any = None,
) -> ndarray[_NewShapeT, np.dtype[np.complex128]]: ...
@overload
def ones(
    shape: _Shape,
    dtype: None = None,
    order: str = "C",
    *,
    device: Device | str | None = None,
    like: Any = None,
) -> _ArrayOf[np.float64]: ...
@overload
def ones(
    shape: _Shape,
    dtype: _DTypeOf[_ScalarT],
    order: str = "C",
    *,
    device: Device | str | None = None,
    like: Any = None,
) -> _ArrayOf[_ScalarT]: ...
@overload
def ones(
    shape: _Shape,
    dtype: DTypeLike | None = None,
    order: str = "C",
    *,
    device: Device | str | None = None,
    like: Any = None,
) -> ndarray: ...
@overload
def ones_like(
    a: _TypedArray[_ShapeT, _DTypeT],
    dtype: None = None,
    order: str = "K",
    subok: builtins.bool = True,
    shape: None = None,
    *,
    device: Device | str | None = None,
) -> ndarray[_ShapeT, _DTypeT]: ...
@overload
def ones_like(
    a: _TypedArray[_ShapeT, Any],
    dtype: _DTypeOf[_ScalarT],
    order: str = "K",
    subok: builtins.bool = True,
    shape: None = None,
    *,
    device: Device | str | None = None,
) -> ndarray[_ShapeT, np.dtype[_ScalarT]]: ...
@overload
def ones_like(
    a: _TypedArray[_ShapeT, Any],
    dtype: type[builtins.bool],
    order: str = "K",
    subok: builtins.bool = True,
    shape: None = None,
    *,
    device: Device | str | None = None,
) -> ndarray[_ShapeT, np.dtype[np.bool]]: ...
@overload
def ones_like(
    a: _TypedArray[_ShapeT, Any],
    dtype: type[int],
    order: str = "K",
    subok: builtins.bool = True,
    shape: None = None,
    *,
    device: Device | str | None = None,
) -> ndarray[_ShapeT, np.dtype[np.int_]]: ...
@overload
def ones_like(
    a: _TypedArray[_ShapeT, Any],
    dtype: type[float],
    order: str = "K",
    subok: builtins.bool = True,
    shape: None = None,
    *,
    device: Device | str | None = None,
) -> ndarray[_ShapeT, np.dtype[np.float64]]: ...
@overload
def ones_like(
    a: _TypedArray[_ShapeT, Any],
    dtype: type[complex],
    order: str = "K",
    subok: builtins.bool = True,
    shape: None = None,
    *,
    device: Device | str | None = None,
) -> ndarray[_ShapeT, np.dtype[np.complex128]]: ...
@overload
def ones_like(
    a: _ArrayLike,
    dtype: DTypeLike | None = None,
    order: str = "K",
    subok: builtins.bool = True,
    shape: _Shape | None = None,
    *,
    device: Device | str | None = None,
) -> ndarray: ...
@overload
def outer(a: _Has[_SameT], b: _Has[_SameT], out: _Out = None) -> _ArrayOf[_SameT]: ...
@overload
def outer(a: _ArrayLike, b: _ArrayLike, out: _Out = None) -> ndarray: ...
def packbits(a: _ArrayLike, /, axis: _Axis = None, bitorder: str = "big") -> ndarray: ...
@overload
def pad(
    array: _TypedArray[Any, _DTypeT], pad_width: Any, mode: Any = "constant", **kwargs: Any
) -> ndarray[tuple[Any, ...], _DTypeT]: ...
@overload
def pad(array: _ArrayLike, pad_width: Any, mode: Any = "constant", **kwargs: Any) -> ndarray: ...
@overload
def partition(
    a: _TypedArray[_ShapeT, _DTypeT],
    kth: Any,
    axis: _Axis = -1,
    kind: str = "introselect",
    order: Any = None,
) -> ndarray[_ShapeT, _DTypeT]: ...
@overload
def partition(
    a: _ArrayLike, kth: Any, axis: _Axis = -1, kind: str = "introselect", order: Any = None
) -> ndarray: ...
def percentile(
    a: _ArrayLike,
    q: _ArrayLike,
    axis: _Axis = None,
    out: _Out = None,
    overwrite_input: builtins.bool = False,
    method: str = "linear",
    keepdims: builtins.bool = False,
    *,
    weights: _ArrayLike | None = None,
) -> ndarray: ...
@overload
def permute_dims(
    a: _TypedArray[Any, _DTypeT], axes: Any = None
) -> ndarray[tuple[Any, ...], _DTypeT]: ...
@overload
def permute_dims(a: _ArrayLike, axes: Any = None) -> ndarray: ...
def piecewise(x: _ArrayLike, condlist: Any, funclist: Any, *args: Any, **kw: Any) -> ndarray: ...
def place(arr: _ArrayLike, mask: _ArrayLike, vals: _ArrayLike) -> None: ...
def poly(seq_of_zeros: _ArrayLike) -> ndarray: ...
def polyadd(a1: _ArrayLike, a2: _ArrayLike) -> ndarray: ...
def polyder(p: _ArrayLike, m: _ArrayLike = 1) -> ndarray: ...
def polydiv(u: _ArrayLike, v: _ArrayLike) -> tuple[ndarray, ndarray]: ...
@overload
def polyfit(
    x: _ArrayLike,
    y: _ArrayLike,
    deg: SupportsIndex,
    rcond: Any = None,
    full: Literal[False] = False,
    w: Any = None,
    cov: Literal[False] = False,
) -> ndarray: ...
@overload
def polyfit(
    x: _ArrayLike,
    y: _ArrayLike,
    deg: SupportsIndex,
    rcond: Any = None,
    *,
    full: Literal[True],
    w: Any = None,
    cov: Any = False,
) -> tuple[Any, ...]: ...
@overload
def polyfit(
    x: _ArrayLike,
    y: _ArrayLike,
    deg: SupportsIndex,
    rcond: Any = None,
    full: Any = False,
    w: Any = None,
    *,
    cov: Literal[True],
) -> tuple[Any, ...]: ...
@overload
def polyfit(
    x: _ArrayLike,
    y: _ArrayLike,
    deg: SupportsIndex,
    rcond: Any = None,
    full: Any = False,
    w: Any = None,
    cov: Any = False,
) -> Any: ...
def polyint(p: _ArrayLike, m: _ArrayLike = 1, k: Any = None) -> ndarray: ...
def polymul(a1: _ArrayLike, a2: _ArrayLike) -> ndarray: ...
def polysub(a1: _ArrayLike, a2: _ArrayLike) -> ndarray: ...
def polyval(p: _ArrayLike, x: _ArrayLike) -> ndarray: ...

positive: _UnarySame
pow: _BinaryArithmetic
power: _BinaryArithmetic

def printoptions(*args: Any, **kwargs: Any) -> AbstractContextManager[dict[str, Any]]: ...
@overload
def prod(
    a: _Has[_InexactT],
    axis: None = None,
    dtype: None = None,
    out: None = None,
    keepdims: Literal[False] = ...,
    initial: _ArrayLike = ...,
    where: _ArrayLike = ...,
) -> _InexactT: ...
@overload
def prod(
    a: _Has[np.signedinteger | np.bool],
    axis: None = None,
    dtype: None = None,
    out: None = None,
    keepdims: Literal[False] = ...,
    initial: _ArrayLike = ...,
    where: _ArrayLike = ...,
) -> np.int_: ...
@overload
def prod(
    a: _Has[np.unsignedinteger],
    axis: None = None,
    dtype: None = None,
    out: None = None,
    keepdims: Literal[False] = ...,
    initial: _ArrayLike = ...,
    where: _ArrayLike = ...,
) -> np.uint64: ...
@overload
def prod(
    a: _Has[Any],
    axis: None = None,
    *,
    dtype: _DTypeOf[_ScalarT],
    out: None = None,
    keepdims: Literal[False] = ...,
    initial: _ArrayLike = ...,
    where: _ArrayLike = ...,
) -> _ScalarT: ...
@overload
def prod(
    a: _Has[_InexactT],
    axis: _Axis = None,
    dtype: None = None,
    out: _Out = None,
    keepdims: builtins.bool = ...,
    initial: _ArrayLike = ...,
    where: _ArrayLike = ...,
) -> _ArrayOf[_InexactT]: ...
@overload
def prod(
    a: _Has[np.signedinteger | np.bool],
    axis: _Axis = None,
    dtype: None = None,
    out: _Out = None,
    keepdims: builtins.bool = ...,
    initial: _ArrayLike = ...,
    where: _ArrayLike = ...,
) -> _ArrayOf[np.int_]: ...
@overload
def prod(
    a: _Has[np.unsignedinteger],
    axis: _Axis = None,
    dtype: None = None,
    out: _Out = None,
    keepdims: builtins.bool = ...,
    initial: _ArrayLike = ...,
    where: _ArrayLike = ...,
) -> _ArrayOf[np.uint64]: ...
@overload
def prod(
    a: _Has[Any],
    axis: _Axis = None,
    *,
    dtype: _DTypeOf[_ScalarT],
    out: _Out = None,
    keepdims: builtins.bool = ...,
    initial: _ArrayLike = ...,
    where: _ArrayLike = ...,
) -> _ArrayOf[_ScalarT]: ...
@overload
def prod(
    a: _ArrayLike,
    axis: _Axis = None,
    dtype: DTypeLike | None = None,
    out: _Out = None,
    keepdims: builtins.bool = ...,
    initial: _ArrayLike = ...,
    where: _ArrayLike = ...,
) -> ndarray: ...
def promote_types(type1: Any, type2: Any, /) -> np.dtype[Any]: ...
@overload
def ptp(
    a: _Has[_ScalarT], axis: None = None, out: None = None, keepdims: Literal[False] = ...
) -> _ScalarT: ...
@overload
def ptp(
    a: _Has[_ScalarT], axis: _Axis = None, out: _Out = None, keepdims: builtins.bool = ...
) -> _ArrayOf[_ScalarT]: ...
@overload
def ptp(
    a: _ArrayLike, axis: _Axis = None, out: _Out = None, keepdims: builtins.bool = ...
) -> ndarray: ...
def put(a: _ArrayLike, ind: Any, v: _ArrayLike, mode: Any = "raise") -> None: ...
def put_along_axis(
    arr: _ArrayLike, indices: _ArrayLike, values: _ArrayLike, axis: _Axis
) -> None: ...
def putmask(a: _ArrayLike, /, mask: _ArrayLike, values: _ArrayLike) -> None: ...
def quantile(
    a: _ArrayLike,
    q: _ArrayLike,
    axis: _Axis = None,
    out: _Out = None,
    overwrite_input: builtins.bool = False,
    method: str = "linear",
    keepdims: builtins.bool = False,
    *,
    weights: _ArrayLike | None = None,
) -> ndarray: ...

rad2deg: _Unary
radians: _Unary

@overload
def ravel(a: _TypedArray[Any, _DTypeT], order: str = "C") -> ndarray[tuple[int], _DTypeT]: ...
@overload
def ravel(a: _ArrayLike, order: str = "C") -> ndarray: ...
def ravel_multi_index(
    multi_index: _ArrayLike, dims: _Shape, mode: Any = "raise", order: str = "C"
) -> ndarray: ...
@overload
def real(val: _TypedArray[_ShapeT, np.dtype[_RealT]]) -> ndarray[_ShapeT, np.dtype[_RealT]]: ...
@overload
def real(
    val: _TypedArray[_ShapeT, np.dtype[np.complex64]],
) -> ndarray[_ShapeT, np.dtype[np.float32]]: ...
@overload
def real(
    val: _TypedArray[_ShapeT, np.dtype[np.complex128]],
) -> ndarray[_ShapeT, np.dtype[np.float64]]: ...
@overload
def real(val: _ArrayLike) -> ndarray: ...
def real_if_close(a: _ArrayLike, tol: _ArrayLike = 100) -> ndarray: ...

reciprocal: _UnaryFloating
remainder: _BinaryArithmetic

@overload
def repeat(
    a: _TypedArray[Any, _DTypeT], repeats: _ArrayLike, axis: _Axis = None
) -> ndarray[tuple[Any, ...], _DTypeT]: ...
@overload
def repeat(a: _ArrayLike, repeats: _ArrayLike, axis: _Axis = None) -> ndarray: ...
def require(
    a: Any, dtype: DTypeLike | None = None, requirements: Any = None, *, like: Any = None
) -> ndarray: ...
@overload
def reshape(
    a: _TypedArray[Any, _DTypeT],
    /,
    shape: SupportsIndex | _NewShapeT,
    order: str = "C",
    *,
    copy: builtins.bool | None = None,
) -> ndarray[_NewShapeT, _DTypeT]: ...
@overload
def reshape(
    a: _ArrayLike, /, shape: _Shape, order: str = "C", *, copy: builtins.bool | None = None
) -> ndarray: ...
@overload
def resize(
    a: _TypedArray[Any, _DTypeT], new_shape: _Shape
) -> ndarray[tuple[Any, ...], _DTypeT]: ...
@overload
def resize(a: _ArrayLike, new_shape: _Shape) -> ndarray: ...
def result_type(*arrays_and_dtypes: Any) -> np.dtype[Any]: ...

right_shift: _BinaryArithmetic
rint: _Unary

@overload
def roll(
    a: _TypedArray[_ShapeT, _DTypeT],
    shift: SupportsIndex | Sequence[SupportsIndex],
    axis: _Axis = None,
) -> ndarray[_ShapeT, _DTypeT]: ...
@overload
def roll(
    a: _ArrayLike, shift: SupportsIndex | Sequence[SupportsIndex], axis: _Axis = None
) -> ndarray: ...
@overload
def rollaxis(
    a: _TypedArray[Any, _DTypeT], axis: _Axis, start: _ArrayLike = 0
) -> ndarray[tuple[Any, ...], _DTypeT]: ...
@overload
def rollaxis(a: _ArrayLike, axis: _Axis, start: _ArrayLike = 0) -> ndarray: ...
def roots(p: _ArrayLike) -> ndarray: ...
@overload
def rot90(
    m: _TypedArray[Any, _DTypeT], k: SupportsIndex = 1, axes: Any = ...
) -> ndarray[tuple[Any, ...], _DTypeT]: ...
@overload
def rot90(m: _ArrayLike, k: SupportsIndex = 1, axes: Any = ...) -> ndarray: ...
@overload
def round(
    a: _TypedArray[_ShapeT, _DTypeT], decimals: SupportsIndex = 0, out: _Out = None
) -> ndarray[_ShapeT, _DTypeT]: ...
@overload
def round(a: _ArrayLike, decimals: SupportsIndex = 0, out: _Out = None) -> ndarray: ...
def row_stack(
    tup: _ArrayLike, *, dtype: DTypeLike | None = None, casting: str = "same_kind"
) -> ndarray: ...
def save(file: Any, arr: _ArrayLike, allow_pickle: Any = True) -> None: ...
def savetxt(
    fname: Any,
    X: Any,
    fmt: Any = "%.18e",
    delimiter: Any = " ",
    newline: Any = "\n",
    header: Any = "",
    footer: Any = "",
    comments: Any = "# ",
    encoding: Any = None,
) -> None: ...
def savez(file: Any, *args: Any, allow_pickle: Any = True, **kwds: Any) -> None: ...
def savez_compressed(file: Any, *args: Any, allow_pickle: Any = True, **kwds: Any) -> None: ...
@overload
def searchsorted(
    a: _Has[Any], v: _ArrayLike, side: str = "left", sorter: _ArrayLike | None = None
) -> _ArrayOf[np.int_]: ...
@overload
def searchsorted(
    a: _ArrayLike, v: _ArrayLike, side: str = "left", sorter: _ArrayLike | None = None
) -> ndarray: ...
def select(condlist: Any, choicelist: Any, default: Any = 0) -> ndarray: ...
def set_printoptions(
    precision: Any = None,
    threshold: Any = None,
    edgeitems: Any = None,
    linewidth: Any = None,
    suppress: Any = None,
    nanstr: Any = None,
    infstr: Any = None,
    formatter: Any = None,
    sign: Any = None,
    floatmode: Any = None,
    *,
    legacy: Any = None,
    override_repr: Any = None,
) -> None: ...
def setbufsize(size: int) -> int: ...
@overload
def setdiff1d(
    ar1: _Has[_SameT], ar2: _Has[_SameT], assume_unique: builtins.bool = False
) -> _ArrayOf[_SameT]: ...
@overload
def setdiff1d(
    ar1: _ArrayLike, ar2: _ArrayLike, assume_unique: builtins.bool = False
) -> ndarray: ...
def seterr(
    all: Any = None, divide: Any = None, over: Any = None, under: Any = None, invalid: Any = None
) -> dict[str, Treatment]: ...
def seterrcall(func: Callable[..., Any]) -> Any: ...
@overload
def setxor1d(
    ar1: _Has[_SameT], ar2: _Has[_SameT], assume_unique: builtins.bool = False
) -> _ArrayOf[_SameT]: ...
@overload
def setxor1d(ar1: _ArrayLike, ar2: _ArrayLike, assume_unique: builtins.bool = False) -> ndarray: ...
def shape(a: _ArrayLike) -> tuple[int, ...]: ...
def shares_memory(a: _ArrayLike, b: _ArrayLike, /, max_work: Any = -1) -> builtins.bool: ...
def show_runtime() -> None: ...

sign: _UnarySame
signbit: _UnaryBoolean
sin: _UnaryFloating

@overload
def sinc(x: _TypedArray[_ShapeT, np.dtype[_InexactT]]) -> ndarray[_ShapeT, np.dtype[_InexactT]]: ...
@overload
def sinc(
    x: _TypedArray[_ShapeT, np.dtype[_Integral]],
) -> ndarray[_ShapeT, np.dtype[np.float64]]: ...
@overload
def sinc(x: _ArrayLike) -> ndarray: ...

sinh: _UnaryFloating

def size(a: _ArrayLike, axis: _Axis = None) -> int: ...
@overload
def sort(
    a: _TypedArray[_ShapeT, _DTypeT],
    axis: _Axis = -1,
    kind: str | None = None,
    order: Any = None,
    *,
    stable: builtins.bool | None = None,
    descending: builtins.bool = False,
) -> ndarray[_ShapeT, _DTypeT]: ...
@overload
def sort(
    a: _ArrayLike,
    axis: _Axis = -1,
    kind: str | None = None,
    order: Any = None,
    *,
    stable: builtins.bool | None = None,
    descending: builtins.bool = False,
) -> ndarray: ...
def sort_complex(a: _ArrayLike) -> ndarray: ...

spacing: _UnaryFloating

@overload
def split(
    ary: _TypedArray[Any, _DTypeT], indices_or_sections: _ArrayLike, axis: _Axis = 0
) -> list[ndarray[tuple[Any, ...], _DTypeT]]: ...
@overload
def split(ary: _ArrayLike, indices_or_sections: _ArrayLike, axis: _Axis = 0) -> list[ndarray]: ...

sqrt: _UnaryFloating
square: _UnaryArithmetic

@overload
def squeeze(
    a: _TypedArray[Any, _DTypeT], axis: _Axis = None
) -> ndarray[tuple[Any, ...], _DTypeT]: ...
@overload
def squeeze(a: _ArrayLike, axis: _Axis = None) -> ndarray: ...
@overload
def stack(
    arrays: Sequence[_Has[_SameT]],
    axis: _Axis = 0,
    out: _Out = None,
    *,
    dtype: None = None,
    casting: str = "same_kind",
) -> _ArrayOf[_SameT]: ...
@overload
def stack(
    arrays: _ArrayLike,
    axis: _Axis = 0,
    out: _Out = None,
    *,
    dtype: _DTypeOf[_ScalarT],
    casting: str = "same_kind",
) -> _ArrayOf[_ScalarT]: ...
@overload
def stack(
    arrays: _ArrayLike,
    axis: _Axis = 0,
    out: _Out = None,
    *,
    dtype: DTypeLike | None = None,
    casting: str = "same_kind",
) -> ndarray: ...
@overload
def std(
    a: _Has[_FloatingT],
    axis: None = None,
    dtype: None = None,
    out: None = None,
    ddof: float = 0,
    keepdims: Literal[False] = ...,
    *,
    where: _ArrayLike = ...,
    mean: _ArrayLike = ...,
    correction: float = ...,
) -> _FloatingT: ...
@overload
def std(
    a: _Has[np.complex64],
    axis: None = None,
    dtype: None = None,
    out: None = None,
    ddof: float = 0,
    keepdims: Literal[False] = ...,
    *,
    where: _ArrayLike = ...,
    mean: _ArrayLike = ...,
    correction: float = ...,
) -> np.float32: ...
@overload
def std(
    a: _Has[np.complex128 | _Integral],
    axis: None = None,
    dtype: None = None,
    out: None = None,
    ddof: float = 0,
    keepdims: Literal[False] = ...,
    *,
    where: _ArrayLike = ...,
    mean: _ArrayLike = ...,
    correction: float = ...,
) -> np.float64: ...
@overload
def std(
    a: _Has[Any],
    axis: None = None,
    *,
    dtype: _DTypeOf[_ScalarT],
    out: None = None,
    ddof: float = 0,
    keepdims: Literal[False] = ...,
    where: _ArrayLike = ...,
    mean: _ArrayLike = ...,
    correction: float = ...,
) -> _ScalarT: ...
@overload
def std(
    a: _Has[_FloatingT],
    axis: _Axis = None,
    dtype: None = None,
    out: _Out = None,
    ddof: float = 0,
    keepdims: builtins.bool = ...,
    *,
    where: _ArrayLike = ...,
    mean: _ArrayLike = ...,
    correction: float = ...,
) -> _ArrayOf[_FloatingT]: ...
@overload
def std(
    a: _Has[np.complex64],
    axis: _Axis = None,
    dtype: None = None,
    out: _Out = None,
    ddof: float = 0,
    keepdims: builtins.bool = ...,
    *,
    where: _ArrayLike = ...,
    mean: _ArrayLike = ...,
    correction: float = ...,
) -> _ArrayOf[np.float32]: ...
@overload
def std(
    a: _Has[np.complex128 | _Integral],
    axis: _Axis = None,
    dtype: None = None,
    out: _Out = None,
    ddof: float = 0,
    keepdims: builtins.bool = ...,
    *,
    where: _ArrayLike = ...,
    mean: _ArrayLike = ...,
    correction: float = ...,
) -> _ArrayOf[np.float64]: ...
@overload
def std(
    a: _Has[Any],
    axis: _Axis = None,
    *,
    dtype: _DTypeOf[_ScalarT],
    out: _Out = None,
    ddof: float = 0,
    keepdims: builtins.bool = ...,
    where: _ArrayLike = ...,
    mean: _ArrayLike = ...,
    correction: float = ...,
) -> _ArrayOf[_ScalarT]: ...
@overload
def std(
    a: _ArrayLike,
    axis: _Axis = None,
    dtype: DTypeLike | None = None,
    out: _Out = None,
    ddof: float = 0,
    keepdims: builtins.bool = ...,
    *,
    where: _ArrayLike = ...,
    mean: _ArrayLike = ...,
    correction: float = ...,
) -> ndarray: ...

subtract: _BinarySame

@overload
def sum(
    a: _Has[_InexactT],
    axis: None = None,
    dtype: None = None,
    out: None = None,
    keepdims: Literal[False] = ...,
    initial: _ArrayLike = ...,
    where: _ArrayLike = ...,
) -> _InexactT: ...
@overload
def sum(
    a: _Has[np.signedinteger | np.bool],
    axis: None = None,
    dtype: None = None,
    out: None = None,
    keepdims: Literal[False] = ...,
    initial: _ArrayLike = ...,
    where: _ArrayLike = ...,
) -> np.int_: ...
@overload
def sum(
    a: _Has[np.unsignedinteger],
    axis: None = None,
    dtype: None = None,
    out: None = None,
    keepdims: Literal[False] = ...,
    initial: _ArrayLike = ...,
    where: _ArrayLike = ...,
) -> np.uint64: ...
@overload
def sum(
    a: _Has[Any],
    axis: None = None,
    *,
    dtype: _DTypeOf[_ScalarT],
    out: None = None,
    keepdims: Literal[False] = ...,
    initial: _ArrayLike = ...,
    where: _ArrayLike = ...,
) -> _ScalarT: ...
@overload
def sum(
    a: _Has[_InexactT],
    axis: _Axis = None,
    dtype: None = None,
    out: _Out = None,
    keepdims: builtins.bool = ...,
    initial: _ArrayLike = ...,
    where: _ArrayLike = ...,
) -> _ArrayOf[_InexactT]: ...
@overload
def sum(
    a: _Has[np.signedinteger | np.bool],
    axis: _Axis = None,
    dtype: None = None,
    out: _Out = None,
    keepdims: builtins.bool = ...,
    initial: _ArrayLike = ...,
    where: _ArrayLike = ...,
) -> _ArrayOf[np.int_]: ...
@overload
def sum(
    a: _Has[np.unsignedinteger],
    axis: _Axis = None,
    dtype: None = None,
    out: _Out = None,
    keepdims: builtins.bool = ...,
    initial: _ArrayLike = ...,
    where: _ArrayLike = ...,
) -> _ArrayOf[np.uint64]: ...
@overload
def sum(
    a: _Has[Any],
    axis: _Axis = None,
    *,
    dtype: _DTypeOf[_ScalarT],
    out: _Out = None,
    keepdims: builtins.bool = ...,
    initial: _ArrayLike = ...,
    where: _ArrayLike = ...,
) -> _ArrayOf[_ScalarT]: ...
@overload
def sum(
    a: _ArrayLike,
    axis: _Axis = None,
    dtype: DTypeLike | None = None,
    out: _Out = None,
    keepdims: builtins.bool = ...,
    initial: _ArrayLike = ...,
    where: _ArrayLike = ...,
) -> ndarray: ...
@overload
def swapaxes(
    a: _TypedArray[Any, _DTypeT], axis1: SupportsIndex, axis2: SupportsIndex
) -> ndarray[tuple[Any, ...], _DTypeT]: ...
@overload
def swapaxes(a: _ArrayLike, axis1: SupportsIndex, axis2: SupportsIndex) -> ndarray: ...
@overload
def take(
    a: _TypedArray[Any, _DTypeT],
    indices: _ArrayLike,
    axis: _Axis = None,
    out: _Out = None,
    mode: Any = "raise",
) -> ndarray[tuple[Any, ...], _DTypeT]: ...
@overload
def take(
    a: _ArrayLike, indices: _ArrayLike, axis: _Axis = None, out: _Out = None, mode: Any = "raise"
) -> ndarray: ...
@overload
def take_along_axis(
    arr: _TypedArray[Any, _DTypeT], indices: _ArrayLike, axis: _Axis = -1
) -> ndarray[tuple[Any, ...], _DTypeT]: ...
@overload
def take_along_axis(arr: _ArrayLike, indices: _ArrayLike, axis: _Axis = -1) -> ndarray: ...

tan: _UnaryFloating
tanh: _UnaryFloating

def tensordot(a: _ArrayLike, b: _ArrayLike, axes: Any = 2) -> ndarray: ...
def test(
    label: Any = "fast",
    verbose: Any = 1,
    extra_argv: Any = None,
    doctests: Any = False,
    coverage: Any = False,
    durations: Any = -1,
    tests: Any = None,
) -> Any: ...
@overload
def tile(A: _TypedArray[Any, _DTypeT], reps: _Shape) -> ndarray[tuple[Any, ...], _DTypeT]: ...
@overload
def tile(A: _ArrayLike, reps: _Shape) -> ndarray: ...
def trace(
    a: _ArrayLike,
    offset: SupportsIndex = 0,
    axis1: SupportsIndex = 0,
    axis2: SupportsIndex = 1,
    dtype: DTypeLike | None = None,
    out: _Out = None,
) -> ndarray: ...
@overload
def transpose(
    a: _TypedArray[Any, _DTypeT], axes: Any = None
) -> ndarray[tuple[Any, ...], _DTypeT]: ...
@overload
def transpose(a: _ArrayLike, axes: Any = None) -> ndarray: ...
def trapezoid(
    y: _ArrayLike, x: _ArrayLike | None = None, dx: float = 1.0, axis: _Axis = -1
) -> ndarray: ...
@overload
def tri(
    N: SupportsIndex,
    M: SupportsIndex | None = None,
    k: SupportsIndex = 0,
    dtype: None = ...,
    *,
    like: Any = None,
) -> ndarray[tuple[int, int], np.dtype[np.float64]]: ...
@overload
def tri(
    N: SupportsIndex,
    M: SupportsIndex | None = None,
    k: SupportsIndex = 0,
    *,
    dtype: _DTypeOf[_ScalarT],
    like: Any = None,
) -> ndarray[tuple[int, int], np.dtype[_ScalarT]]: ...
@overload
def tri(
    N: SupportsIndex,
    M: SupportsIndex | None = None,
    k: SupportsIndex = 0,
    *,
    dtype: type[builtins.bool],
    like: Any = None,
) -> ndarray[tuple[int, int], np.dtype[np.bool]]: ...
@overload
def tri(
    N: SupportsIndex,
    M: SupportsIndex | None = None,
    k: SupportsIndex = 0,
    *,
    dtype: type[int],
    like: Any = None,
) -> ndarray[tuple[int, int], np.dtype[np.int_]]: ...
@overload
def tri(
    N: SupportsIndex,
    M: SupportsIndex | None = None,
    k: SupportsIndex = 0,
    *,
    dtype: type[float],
    like: Any = None,
) -> ndarray[tuple[int, int], np.dtype[np.float64]]: ...
@overload
def tri(
    N: SupportsIndex,
    M: SupportsIndex | None = None,
    k: SupportsIndex = 0,
    *,
    dtype: type[complex],
    like: Any = None,
) -> ndarray[tuple[int, int], np.dtype[np.complex128]]: ...
@overload
def tri(
    N: SupportsIndex,
    M: SupportsIndex | None = None,
    k: SupportsIndex = 0,
    dtype: DTypeLike | None = ...,
    *,
    like: Any = None,
) -> ndarray: ...
@overload
def tril(m: _TypedArray[_ShapeT, _DTypeT], k: SupportsIndex = 0) -> ndarray[_ShapeT, _DTypeT]: ...
@overload
def tril(m: _ArrayLike, k: SupportsIndex = 0) -> ndarray: ...
def tril_indices(
    n: SupportsIndex, k: SupportsIndex = 0, m: _ArrayLike | None = None
) -> tuple[ndarray, ...]: ...
def tril_indices_from(arr: _ArrayLike, k: SupportsIndex = 0) -> tuple[ndarray, ...]: ...
def trim_zeros(filt: _ArrayLike, trim: Any = "fb", axis: _Axis = None) -> Any: ...
@overload
def triu(m: _TypedArray[_ShapeT, _DTypeT], k: SupportsIndex = 0) -> ndarray[_ShapeT, _DTypeT]: ...
@overload
def triu(m: _ArrayLike, k: SupportsIndex = 0) -> ndarray: ...
def triu_indices(
    n: SupportsIndex, k: SupportsIndex = 0, m: _ArrayLike | None = None
) -> tuple[ndarray, ...]: ...
def triu_indices_from(arr: _ArrayLike, k: SupportsIndex = 0) -> tuple[ndarray, ...]: ...

true_divide: _BinaryFloating
trunc: _UnarySame

def typename(char: Any) -> str: ...
@overload
def union1d(ar1: _Has[_SameT], ar2: _Has[_SameT]) -> _ArrayOf[_SameT]: ...
@overload
def union1d(ar1: _ArrayLike, ar2: _ArrayLike) -> ndarray: ...
@overload
def unique(
    ar: _TypedArray[Any, _DTypeT],
    return_index: Literal[False] = False,
    return_inverse: Literal[False] = False,
    return_counts: Literal[False] = False,
    axis: _Axis = None,
    *,
    equal_nan: builtins.bool = True,
    sorted: Any = True,
) -> ndarray[tuple[Any, ...], _DTypeT]: ...
@overload
def unique(
    ar: _ArrayLike,
    return_index: Literal[False] = False,
    return_inverse: Literal[False] = False,
    return_counts: Literal[False] = False,
    axis: _Axis = None,
    *,
    equal_nan: builtins.bool = True,
    sorted: Any = True,
) -> ndarray: ...
@overload
def unique(
    ar: _ArrayLike,
    return_index: Literal[True],
    return_inverse: builtins.bool = False,
    return_counts: builtins.bool = False,
    axis: _Axis = None,
    *,
    equal_nan: builtins.bool = True,
    sorted: Any = True,
) -> tuple[ndarray, ...]: ...
@overload
def unique(
    ar: _ArrayLike,
    return_index: builtins.bool = False,
    *,
    return_inverse: Literal[True],
    return_counts: builtins.bool = False,
    axis: _Axis = None,
    equal_nan: builtins.bool = True,
    sorted: Any = True,
) -> tuple[ndarray, ...]: ...
@overload
def unique(
    ar: _ArrayLike,
    return_index: builtins.bool = False,
    return_inverse: builtins.bool = False,
    *,
    return_counts: Literal[True],
    axis: _Axis = None,
    equal_nan: builtins.bool = True,
    sorted: Any = True,
) -> tuple[ndarray, ...]: ...
@overload
def unique(
    ar: _ArrayLike,
    return_index: builtins.bool = False,
    return_inverse: builtins.bool = False,
    return_counts: builtins.bool = False,
    axis: _Axis = None,
    *,
    equal_nan: builtins.bool = True,
    sorted: Any = True,
) -> Any: ...
def unique_all(x: _ArrayLike) -> UniqueAllResult: ...
def unique_counts(x: _ArrayLike) -> UniqueCountsResult: ...
def unique_inverse(x: _ArrayLike) -> UniqueInverseResult: ...
@overload
def unique_values(x: _TypedArray[Any, _DTypeT]) -> ndarray[tuple[Any, ...], _DTypeT]: ...
@overload
def unique_values(x: _ArrayLike) -> ndarray: ...
def unpackbits(
    a: _ArrayLike, /, axis: _Axis = None, count: Any = None, bitorder: str = "big"
) -> ndarray: ...
def unravel_index(indices: _ArrayLike, shape: _Shape, order: str = "C") -> tuple[Any, ...]: ...
@overload
def unstack(
    x: _TypedArray[Any, _DTypeT], /, *, axis: _Axis = 0
) -> tuple[ndarray[tuple[Any, ...], _DTypeT], ...]: ...
@overload
def unstack(x: _ArrayLike, /, *, axis: _Axis = 0) -> tuple[ndarray, ...]: ...
@overload
def unwrap(
    p: _TypedArray[_ShapeT, np.dtype[_InexactT]],
    discont: float | None = None,
    axis: _Axis = -1,
    *,
    period: _ArrayLike = 6.283185307179586,
) -> ndarray[_ShapeT, np.dtype[_InexactT]]: ...
@overload
def unwrap(
    p: _TypedArray[_ShapeT, np.dtype[_Integral]],
    discont: float | None = None,
    axis: _Axis = -1,
    *,
    period: _ArrayLike = 6.283185307179586,
) -> ndarray[_ShapeT, np.dtype[np.float64]]: ...
@overload
def unwrap(
    p: _ArrayLike,
    discont: float | None = None,
    axis: _Axis = -1,
    *,
    period: _ArrayLike = 6.283185307179586,
) -> ndarray: ...
def vander(
    x: _ArrayLike, N: SupportsIndex | None = None, increasing: builtins.bool = False
) -> ndarray: ...
@overload
def var(
    a: _Has[_FloatingT],
    axis: None = None,
    dtype: None = None,
    out: None = None,
    ddof: float = 0,
    keepdims: Literal[False] = ...,
    *,
    where: _ArrayLike = ...,
    mean: _ArrayLike = ...,
    correction: float = ...,
) -> _FloatingT: ...
@overload
def var(
    a: _Has[np.complex64],
    axis: None = None,
    dtype: None = None,
    out: None = None,
    ddof: float = 0,
    keepdims: Literal[False] = ...,
    *,
    where: _ArrayLike = ...,
    mean: _ArrayLike = ...,
    correction: float = ...,
) -> np.float32: ...
@overload
def var(
    a: _Has[np.complex128 | _Integral],
    axis: None = None,
    dtype: None = None,
    out: None = None,
    ddof: float = 0,
    keepdims: Literal[False] = ...,
    *,
    where: _ArrayLike = ...,
    mean: _ArrayLike = ...,
    correction: float = ...,
) -> np.float64: ...
@overload
def var(
    a: _Has[Any],
    axis: None = None,
    *,
    dtype: _DTypeOf[_ScalarT],
    out: None = None,
    ddof: float = 0,
    keepdims: Literal[False] = ...,
    where: _ArrayLike = ...,
    mean: _ArrayLike = ...,
    correction: float = ...,
) -> _ScalarT: ...
@overload
def var(
    a: _Has[_FloatingT],
    axis: _Axis = None,
    dtype: None = None,
    out: _Out = None,
    ddof: float = 0,
    keepdims: builtins.bool = ...,
    *,
    where: _ArrayLike = ...,
    mean: _ArrayLike = ...,
    correction: float = ...,
) -> _ArrayOf[_FloatingT]: ...
@overload
def var(
    a: _Has[np.complex64],
    axis: _Axis = None,
    dtype: None = None,
    out: _Out = None,
    ddof: float = 0,
    keepdims: builtins.bool = ...,
    *,
    where: _ArrayLike = ...,
    mean: _ArrayLike = ...,
    correction: float = ...,
) -> _ArrayOf[np.float32]: ...
@overload
def var(
    a: _Has[np.complex128 | _Integral],
    axis: _Axis = None,
    dtype: None = None,
    out: _Out = None,
    ddof: float = 0,
    keepdims: builtins.bool = ...,
    *,
    where: _ArrayLike = ...,
    mean: _ArrayLike = ...,
    correction: float = ...,
) -> _ArrayOf[np.float64]: ...
@overload
def var(
    a: _Has[Any],
    axis: _Axis = None,
    *,
    dtype: _DTypeOf[_ScalarT],
    out: _Out = None,
    ddof: float = 0,
    keepdims: builtins.bool = ...,
    where: _ArrayLike = ...,
    mean: _ArrayLike = ...,
    correction: float = ...,
) -> _ArrayOf[_ScalarT]: ...
@overload
def var(
    a: _ArrayLike,
    axis: _Axis = None,
    dtype: DTypeLike | None = None,
    out: _Out = None,
    ddof: float = 0,
    keepdims: builtins.bool = ...,
    *,
    where: _ArrayLike = ...,
    mean: _ArrayLike = ...,
    correction: float = ...,
) -> ndarray: ...
def vdot(a: _ArrayLike, b: _ArrayLike, /) -> ndarray: ...

vecdot: _Generalized
vecmat: _Generalized

@overload
def vsplit(
    ary: _TypedArray[Any, _DTypeT], indices_or_sections: _ArrayLike
) -> list[ndarray[tuple[Any, ...], _DTypeT]]: ...
@overload
def vsplit(ary: _ArrayLike, indices_or_sections: _ArrayLike) -> list[ndarray]: ...
@overload
def vstack(
    tup: Sequence[_Has[_SameT]], *, dtype: None = None, casting: str = "same_kind"
) -> _ArrayOf[_SameT]: ...
@overload
def vstack(
    tup: _ArrayLike, *, dtype: _DTypeOf[_ScalarT], casting: str = "same_kind"
) -> _ArrayOf[_ScalarT]: ...
@overload
def vstack(
    tup: _ArrayLike, *, dtype: DTypeLike | None = None, casting: str = "same_kind"
) -> ndarray: ...
@overload
def where(condition: _ArrayLike, /) -> tuple[ndarray, ...]: ...
@overload
def where(condition: _ArrayLike, x: _Has[_SameT], y: _Has[_SameT], /) -> _ArrayOf[_SameT]: ...
@overload
def where(condition: _ArrayLike, x: _ArrayLike, y: _ArrayLike, /) -> ndarray: ...
@overload
def zeros(
    shape: SupportsIndex | _NewShapeT,
    dtype: None = None,
    order: str = "C",
    *,
    device: Device | str | None = None,
    like: Any = None,
) -> ndarray[_NewShapeT, np.dtype[np.float64]]: ...
@overload
def zeros(
    shape: SupportsIndex | _NewShapeT,
    dtype: _DTypeOf[_ScalarT],
    order: str = "C",
    *,
    device: Device | str | None = None,
    like: Any = None,
) -> ndarray[_NewShapeT, np.dtype[_ScalarT]]: ...
@overload
def zeros(
    shape: SupportsIndex | _NewShapeT,
    dtype: type[builtins.bool],
    order: str = "C",
    *,
    device: Device | str | None = None,
    like: Any = None,
) -> ndarray[_NewShapeT, np.dtype[np.bool]]: ...
@overload
def zeros(
    shape: SupportsIndex | _NewShapeT,
    dtype: type[int],
    order: str = "C",
    *,
    device: Device | str | None = None,
    like: Any = None,
) -> ndarray[_NewShapeT, np.dtype[np.int_]]: ...
@overload
def zeros(
    shape: SupportsIndex | _NewShapeT,
    dtype: type[float],
    order: str = "C",
    *,
    device: Device | str | None = None,
    like: Any = None,
) -> ndarray[_NewShapeT, np.dtype[np.float64]]: ...
@overload
def zeros(
    shape: SupportsIndex | _NewShapeT,
    dtype: type[complex],
    order: str = "C",
    *,
    device: Device | str | None = None,
    like: Any = None,
) -> ndarray[_NewShapeT, np.dtype[np.complex128]]: ...
@overload
def zeros(
    shape: _Shape,
    dtype: None = None,
    order: str = "C",
    *,
    device: Device | str | None = None,
    like: Any = None,
) -> _ArrayOf[np.float64]: ...
@overload
def zeros(
    shape: _Shape,
    dtype: _DTypeOf[_ScalarT],
    order: str = "C",
    *,
    device: Device | str | None = None,
    like: Any = None,
) -> _ArrayOf[_ScalarT]: ...
@overload
def zeros(
    shape: _Shape,
    dtype: DTypeLike | None = None,
    order: str = "C",
    *,
    device: Device | str | None = None,
    like: Any = None,
) -> ndarray: ...
@overload
def zeros_like(
    a: _TypedArray[_ShapeT, _DTypeT],
    dtype: None = None,
    order: str = "K",
    subok: builtins.bool = True,
    shape: None = None,
    *,
    device: Device | str | None = None,
) -> ndarray[_ShapeT, _DTypeT]: ...
@overload
def zeros_like(
    a: _TypedArray[_ShapeT, Any],
    dtype: _DTypeOf[_ScalarT],
    order: str = "K",
    subok: builtins.bool = True,
    shape: None = None,
    *,
    device: Device | str | None = None,
) -> ndarray[_ShapeT, np.dtype[_ScalarT]]: ...
@overload
def zeros_like(
    a: _TypedArray[_ShapeT, Any],
    dtype: type[builtins.bool],
    order: str = "K",
    subok: builtins.bool = True,
    shape: None = None,
    *,
    device: Device | str | None = None,
) -> ndarray[_ShapeT, np.dtype[np.bool]]: ...
@overload
def zeros_like(
    a: _TypedArray[_ShapeT, Any],
    dtype: type[int],
    order: str = "K",
    subok: builtins.bool = True,
    shape: None = None,
    *,
    device: Device | str | None = None,
) -> ndarray[_ShapeT, np.dtype[np.int_]]: ...
@overload
def zeros_like(
    a: _TypedArray[_ShapeT, Any],
    dtype: type[float],
    order: str = "K",
    subok: builtins.bool = True,
    shape: None = None,
    *,
    device: Device | str | None = None,
) -> ndarray[_ShapeT, np.dtype[np.float64]]: ...
@overload
def zeros_like(
    a: _TypedArray[_ShapeT, Any],
    dtype: type[complex],
    order: str = "K",
    subok: builtins.bool = True,
    shape: None = None,
    *,
    device: Device | str | None = None,
) -> ndarray[_ShapeT, np.dtype[np.complex128]]: ...
@overload
def zeros_like(
    a: _ArrayLike,
    dtype: DTypeLike | None = None,
    order: str = "K",
    subok: builtins.bool = True,
    shape: _Shape | None = None,
    *,
    device: Device | str | None = None,
) -> ndarray: ...

__all__ = [
    "Device",
    "False_",
    "ScalarType",
    "Tensor",
    "True_",
    "__array_api_version__",
    "__array_namespace_info__",
    "__version__",
    "abs",
    "absolute",
    "acos",
    "acosh",
    "add",
    "all",
    "allclose",
    "amax",
    "amin",
    "angle",
    "any",
    "append",
    "apply_along_axis",
    "apply_over_axes",
    "arange",
    "arccos",
    "arccosh",
    "arcsin",
    "arcsinh",
    "arctan",
    "arctan2",
    "arctanh",
    "argmax",
    "argmin",
    "argpartition",
    "argsort",
    "argwhere",
    "around",
    "array",
    "array2string",
    "array_api",
    "array_equal",
    "array_equiv",
    "array_repr",
    "array_split",
    "array_str",
    "asanyarray",
    "asarray",
    "asarray_chkfinite",
    "ascontiguousarray",
    "asfortranarray",
    "asin",
    "asinh",
    "asmatrix",
    "astype",
    "atan",
    "atan2",
    "atanh",
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "available_devices",
    "average",
    "backend",
    "bartlett",
    "base_repr",
    "binary_repr",
    "bincount",
    "bitwise_and",
    "bitwise_count",
    "bitwise_invert",
    "bitwise_left_shift",
    "bitwise_not",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "blackman",
    "block",
    "bmat",
    "bool",
    "bool_",
    "broadcast",
    "broadcast_arrays",
    "broadcast_shapes",
    "broadcast_to",
    "busday_count",
    "busday_offset",
    "busdaycalendar",
    "byte",
    "bytes_",
    "c_",
    "can_cast",
    "cbrt",
    "cdouble",
    "ceil",
    "char",
    "character",
    "choose",
    "clip",
    "clongdouble",
    "column_stack",
    "common_type",
    "complex64",
    "complex128",
    "complex256",
    "complexfloating",
    "compress",
    "compute",
    "concat",
    "concatenate",
    "config",
    "conj",
    "conjugate",
    "convolve",
    "copy",
    "copysign",
    "copyto",
    "core",
    "corrcoef",
    "correlate",
    "cos",
    "cosh",
    "count_nonzero",
    "cov",
    "cross",
    "csingle",
    "ctypeslib",
    "cumprod",
    "cumsum",
    "cumulative_prod",
    "cumulative_sum",
    "datetime64",
    "datetime_as_string",
    "datetime_data",
    "deg2rad",
    "degrees",
    "delete",
    "device",
    "diag",
    "diag_indices",
    "diag_indices_from",
    "diagflat",
    "diagonal",
    "diff",
    "digitize",
    "divide",
    "divmod",
    "dot",
    "double",
    "dsplit",
    "dstack",
    "dtype",
    "dtypes",
    "e",
    "ediff1d",
    "einsum",
    "einsum_path",
    "emath",
    "empty",
    "empty_like",
    "equal",
    "errstate",
    "euler_gamma",
    "exceptions",
    "exp",
    "exp2",
    "expand_dims",
    "explain",
    "expm1",
    "extract",
    "eye",
    "f2py",
    "fabs",
    "fft",
    "fill_diagonal",
    "finfo",
    "fix",
    "flatiter",
    "flatnonzero",
    "flexible",
    "flip",
    "fliplr",
    "flipud",
    "float16",
    "float32",
    "float64",
    "float128",
    "float_power",
    "floating",
    "floor",
    "floor_divide",
    "fmax",
    "fmin",
    "fmod",
    "format_float_positional",
    "format_float_scientific",
    "frexp",
    "from_dlpack",
    "frombuffer",
    "fromfile",
    "fromfunction",
    "fromiter",
    "frompyfunc",
    "fromregex",
    "fromstring",
    "full",
    "full_like",
    "fuse",
    "gcd",
    "generic",
    "genfromtxt",
    "geomspace",
    "get_config",
    "get_include",
    "get_num_threads",
    "get_printoptions",
    "getbufsize",
    "geterr",
    "geterrcall",
    "gradient",
    "greater",
    "greater_equal",
    "half",
    "hamming",
    "hanning",
    "heaviside",
    "histogram",
    "histogram2d",
    "histogram_bin_edges",
    "histogramdd",
    "hsplit",
    "hstack",
    "hypot",
    "i0",
    "identity",
    "iinfo",
    "imag",
    "index_exp",
    "indices",
    "inexact",
    "inf",
    "info",
    "inner",
    "insert",
    "int8",
    "int16",
    "int32",
    "int64",
    "int_",
    "intc",
    "integer",
    "integrations",
    "interp",
    "intersect1d",
    "intp",
    "invert",
    "is_busday",
    "isclose",
    "iscomplex",
    "iscomplexobj",
    "isdtype",
    "isfinite",
    "isfortran",
    "isin",
    "isinf",
    "isnan",
    "isnat",
    "isneginf",
    "isposinf",
    "isreal",
    "isrealobj",
    "isscalar",
    "issubdtype",
    "iterable",
    "ix_",
    "kaiser",
    "kron",
    "lazy",
    "lcm",
    "ldexp",
    "left_shift",
    "less",
    "less_equal",
    "lexsort",
    "lib",
    "linalg",
    "linspace",
    "little_endian",
    "load",
    "loadtxt",
    "log",
    "log1p",
    "log2",
    "log10",
    "logaddexp",
    "logaddexp2",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "logspace",
    "long",
    "longdouble",
    "longlong",
    "ma",
    "mask_indices",
    "matmul",
    "matrix",
    "matrix_transpose",
    "matvec",
    "max",
    "maximum",
    "may_share_memory",
    "mean",
    "median",
    "memmap",
    "memory",
    "meshgrid",
    "mgrid",
    "min",
    "min_scalar_type",
    "minimum",
    "mintypecode",
    "mod",
    "modf",
    "moveaxis",
    "multiply",
    "namespace",
    "nan",
    "nan_to_num",
    "nanargmax",
    "nanargmin",
    "nancumprod",
    "nancumsum",
    "nanmax",
    "nanmean",
    "nanmedian",
    "nanmin",
    "nanpercentile",
    "nanprod",
    "nanquantile",
    "nanstd",
    "nansum",
    "nanvar",
    "ndarray",
    "ndenumerate",
    "ndim",
    "ndindex",
    "nditer",
    "negative",
    "nested_iters",
    "newaxis",
    "nextafter",
    "nn",
    "nonzero",
    "not_equal",
    "number",
    "object_",
    "ogrid",
    "ones",
    "ones_like",
    "outer",
    "packbits",
    "pad",
    "partition",
    "percentile",
    "permute_dims",
    "persist",
    "pi",
    "piecewise",
    "place",
    "poly",
    "poly1d",
    "polyadd",
    "polyder",
    "polydiv",
    "polyfit",
    "polyint",
    "polymul",
    "polynomial",
    "polysub",
    "polyval",
    "positive",
    "pow",
    "power",
    "printoptions",
    "prod",
    "promote_types",
    "ptp",
    "put",
    "put_along_axis",
    "putmask",
    "quantile",
    "r_",
    "rad2deg",
    "radians",
    "random",
    "ravel",
    "ravel_multi_index",
    "real",
    "real_if_close",
    "rec",
    "recarray",
    "reciprocal",
    "record",
    "remainder",
    "repeat",
    "require",
    "reshape",
    "resize",
    "result_type",
    "right_shift",
    "rint",
    "roll",
    "rollaxis",
    "roots",
    "rot90",
    "round",
    "row_stack",
    "s_",
    "save",
    "savetxt",
    "savez",
    "savez_compressed",
    "sctypeDict",
    "searchsorted",
    "select",
    "set_backend",
    "set_backend_priority",
    "set_config",
    "set_num_threads",
    "set_printoptions",
    "setbufsize",
    "setdiff1d",
    "seterr",
    "seterrcall",
    "setxor1d",
    "shape",
    "shares_memory",
    "short",
    "show_config",
    "show_runtime",
    "sign",
    "signbit",
    "signedinteger",
    "sin",
    "sinc",
    "single",
    "sinh",
    "size",
    "sort",
    "sort_complex",
    "spacing",
    "split",
    "sqrt",
    "square",
    "squeeze",
    "stack",
    "std",
    "str_",
    "strings",
    "subtract",
    "sum",
    "swapaxes",
    "take",
    "take_along_axis",
    "tan",
    "tanh",
    "tensor",
    "tensordot",
    "test",
    "testing",
    "threads",
    "tile",
    "timedelta64",
    "trace",
    "transpose",
    "trapezoid",
    "tri",
    "tril",
    "tril_indices",
    "tril_indices_from",
    "trim_zeros",
    "triu",
    "triu_indices",
    "triu_indices_from",
    "true_divide",
    "trunc",
    "typecodes",
    "typename",
    "typing",
    "ubyte",
    "ufunc",
    "uint",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "uintc",
    "uintp",
    "ulong",
    "ulonglong",
    "union1d",
    "unique",
    "unique_all",
    "unique_counts",
    "unique_inverse",
    "unique_values",
    "unpackbits",
    "unravel_index",
    "unsignedinteger",
    "unstack",
    "unwrap",
    "use_device",
    "ushort",
    "vander",
    "var",
    "vdot",
    "vecdot",
    "vecmat",
    "vectorize",
    "void",
    "vsplit",
    "vstack",
    "where",
    "zeros",
    "zeros_like",
]
# end of generated: names
