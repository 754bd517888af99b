"""Methods and attributes of ndarrays that a Tensor does not have of its own.

Each is a function of the tensor; `METHODS` and `ATTRIBUTES` have them by name. What a method does
not take is left to NumPy's method, over the same memory.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from functools import wraps
from importlib import import_module
from typing import Any, Literal

import numpy as np

from corepy import array_api as xp
from corepy._cython.conversion import interface_of, owns_memory, set_writeable
from corepy._cython.core import Tensor, reshape
from corepy.numpy import _joining, _logic, _shapes, _sorting
from corepy.numpy._arguments import Array, RealArray, Shape, takes
from corepy.numpy.dispatch import Function

__all__ = ["ATTRIBUTES", "BY_NUMPY", "METHODS", "SETTERS"]

METHODS: dict[str, Callable[..., Any]] = {}
ATTRIBUTES: dict[str, Callable[[Tensor], Any]] = {}
#: What assigns to an attribute.
SETTERS: dict[str, Callable[[Tensor, Any], None]] = {}

_Function = Callable[..., Any]
_HOST = xp.empty(0).device


def _add(name: str, function: _Function) -> None:
    """Add a method that calls a function with the array first."""

    @wraps(getattr(np.ndarray, name))
    def method(self: Tensor, /, *args: Any, **kwargs: Any) -> Any:
        return function(self, *args, **kwargs)

    METHODS[name] = method


def _method(implementation: _Function) -> _Function:
    """Add an implementation to the methods; NumPy's method takes the calls that it does not."""
    name = implementation.__name__
    native = getattr(np.ndarray, name)
    _add(name, Function(f"corepy.ndarray.{name}", None, native, implementation))
    return implementation


def _attribute(function: Callable[[Tensor], Any]) -> Callable[[Tensor], Any]:
    ATTRIBUTES[function.__name__] = function
    return function


# ---- the functions of the same name

_DROP_IN = import_module("corepy")


for _name in (
    "argpartition", "argsort", "choose", "cumprod", "cumsum", "diagonal", "dot", "nonzero", "put",
    "repeat", "round", "searchsorted", "swapaxes", "take", "trace",
):  # fmt: skip
    _add(_name, getattr(_DROP_IN, _name))


def compress(self: Tensor, condition: Any, /, axis: Any = None, out: Any = None) -> Tensor:
    """Return the slices where a condition is true. See `numpy.ndarray.compress`."""
    return _DROP_IN.compress(condition, self, axis, out)


METHODS["compress"] = compress


# ---- order


@_method
@takes(lambda kind, stable: kind is None or stable is None)
def sort(
    self: RealArray,
    /,
    axis: int = -1,
    kind: _sorting.Kind = None,
    order: None = None,
    *,
    stable: bool | None = None,
) -> None:
    """Sort in place. See `numpy.ndarray.sort`."""
    self[...] = xp.sort(self, axis=axis, stable=_sorting.is_stable(kind, stable))


@_method
@takes(lambda self: self.device != _HOST)
def partition(
    self: RealArray,
    kth: Shape,
    /,
    axis: int = -1,
    kind: Literal["introselect"] = "introselect",
    order: None = None,
) -> None:
    """Sort in place as far as some elements are in their places. See `numpy.ndarray.partition`."""
    self[...] = _sorting.partition(self, kth, axis, kind, order)


# ---- arithmetic


@_method
@takes(lambda min, max: min is not None or max is not None)
def clip(
    self: RealArray, /, min: _logic.Limit = None, max: _logic.Limit = None, out: Any = None
) -> Tensor:
    """Return elements limited to an interval. See `numpy.ndarray.clip`."""
    return _logic.clip(self, min, max, out)


@_method
def conjugate(self: Array, /) -> Tensor:
    """Return complex conjugates. See `numpy.ndarray.conjugate`."""
    return xp.conj(self) if self.dtype.kind == "c" else self


#: What NumPy does over the same memory.
BY_NUMPY = ("byteswap", "getfield", "setfield")

for _name in BY_NUMPY:
    _add(_name, Function(f"corepy.ndarray.{_name}", None, getattr(np.ndarray, _name)))


# ---- bytes


def tobytes(self: Tensor, /, order: Any = "C") -> bytes:
    """Return the elements' bytes. See `numpy.ndarray.tobytes`."""
    if order == "C" and self.device == _HOST:
        return memoryview(self).tobytes()  # type: ignore[arg-type]
    return self.to_numpy().tobytes(order)


def tofile(self: Tensor, /, fid: Any, sep: str = "", format: str = "%s") -> None:
    """Write the elements to a file. See `numpy.ndarray.tofile`."""
    self.to_numpy().tofile(fid, sep, format)


def dumps(self: Tensor, /) -> bytes:
    """Return a pickle of the tensor. See `numpy.ndarray.dumps`."""
    return pickle.dumps(self, protocol=2)


def dump(self: Tensor, /, file: Any) -> None:
    """Write a pickle of the tensor to a file. See `numpy.ndarray.dump`."""
    if hasattr(file, "write"):
        pickle.dump(self, file, protocol=2)
        return
    with open(file, "wb") as opened:
        pickle.dump(self, opened, protocol=2)


def setflags(self: Tensor, /, *, write: Any = None, align: Any = None, uic: Any = None) -> None:
    """Set whether the tensor can be written to. See `numpy.ndarray.setflags`.

    Raises
    ------
    ValueError
        The memory cannot be written to, or another flag would change.
    """
    if write is not None:
        set_writeable(self, bool(write))
    if align is not None and not align:
        raise ValueError("setflags: a Tensor is always aligned")
    if uic:
        raise ValueError("setflags: a Tensor has no flag WRITEBACKIFCOPY to set")


for _function in (tobytes, tofile, dumps, dump, setflags):
    METHODS[_function.__name__] = _function


# ---- attributes


class Flags:
    """The layout of a tensor in memory, as `numpy.ndarray.flags`; `writeable` can be set.

    Parameters
    ----------
    x : Tensor
    """

    aligned = True
    writebackifcopy = False

    def __init__(self, x: Tensor) -> None:
        self.c_contiguous = _shapes.is_contiguous(x)
        self.f_contiguous = _shapes.is_contiguous(x.T)
        self._x = x

    @property
    def owndata(self) -> bool:
        """Whether no other tensor shares the memory; NumPy's bases have views and own it, too."""
        return owns_memory(self._x)

    @property
    def writeable(self) -> bool:
        return self._x.device != _HOST or bool(np.asarray(self._x).flags.writeable)

    @writeable.setter
    def writeable(self, on: bool) -> None:
        set_writeable(self._x, bool(on))

    @property
    def num(self) -> int:
        """The flags as the bits that NumPy's C API defines."""
        bits = {"C": 0x1, "F": 0x2, "O": 0x4, "A": 0x100, "W": 0x400, "X": 0x2000}
        return sum(bit for name, bit in bits.items() if self[name])

    @property
    def contiguous(self) -> bool:
        return self.c_contiguous

    @property
    def fortran(self) -> bool:
        return self.f_contiguous

    @property
    def fnc(self) -> bool:
        return self.f_contiguous and not self.c_contiguous

    @property
    def forc(self) -> bool:
        return self.f_contiguous or self.c_contiguous

    @property
    def behaved(self) -> bool:
        return self.writeable

    @property
    def carray(self) -> bool:
        return self.writeable and self.c_contiguous

    @property
    def farray(self) -> bool:
        # In NumPy, of all arrays that are not in C order.
        return not self.c_contiguous

    def __getitem__(self, name: str) -> bool:
        names = {"C": "c_contiguous", "F": "f_contiguous", "W": "writeable", "A": "aligned"}
        names |= {"O": "owndata", "X": "writebackifcopy", "CA": "carray", "FA": "farray"}
        try:
            value = getattr(self, names.get(name, name.lower()))
        except AttributeError:
            raise KeyError("Unknown flag") from None
        return bool(value)

    def __setitem__(self, name: str, value: Any) -> None:
        names = {"W": "write", "WRITEABLE": "write", "A": "align", "ALIGNED": "align"}
        names |= {"X": "uic", "WRITEBACKIFCOPY": "uic"}
        if name not in names:
            raise KeyError("Unknown flag")
        setflags(self._x, **{names[name]: value})

    def __eq__(self, other: object) -> bool:
        return type(other) in (Flags, type(np.empty(0).flags)) and all(
            self[name] == other[name]  # type: ignore[index]
            for name in ("C", "F", "W", "A", "X")
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        names = "C_CONTIGUOUS", "F_CONTIGUOUS", "OWNDATA", "WRITEABLE", "ALIGNED", "WRITEBACKIFCOPY"
        return "".join(f"  {name} : {self[name]}\n" for name in names)


@_attribute
def flags(self: Tensor) -> Flags:
    """Return the layout in memory. See `numpy.ndarray.flags`."""
    return Flags(self)


#: The dtypes of tensors.
_DTYPES = frozenset(xp.__array_namespace_info__().dtypes().values())


def _values(value: Any, x: Tensor) -> Tensor:
    """Return what is written to `x` through `flat`: NumPy converts text, objects and None."""
    if isinstance(value, Tensor):
        return value
    try:
        array = np.asarray(value)
        if array.dtype not in _DTYPES:
            array = array.astype(x.dtype)
    except (TypeError, ValueError, OverflowError) as error:
        raise type(error)(f"flat: {error}") from None
    return xp.asarray(array, device=x.device)


class Flat:
    """The elements of a tensor in C order, as `numpy.ndarray.flat`.

    Parameters
    ----------
    x : Tensor
    """

    __slots__ = ("base", "index")

    def __init__(self, x: Tensor) -> None:
        self.base = x
        self.index = 0

    def _flat(self) -> Tensor:
        """Return the elements along one axis, over the same memory if possible."""
        return self.base.ravel()

    @property
    def coords(self) -> tuple[int, ...]:
        """The position of the iteration."""
        position = self.index
        places = []
        for size in self.base.shape[::-1]:
            position, place = divmod(position, size)
            places.append(place)
        return tuple(places[::-1])

    def __len__(self) -> int:
        return self.base.size

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        if self.index >= self.base.size:
            raise StopIteration
        # One element at a time: it may be written to during the iteration.
        value = self.base[self.coords].copy()
        self.index += 1
        return value

    def __getitem__(self, key: Any) -> Tensor:
        return self._flat()[key].copy()  # NumPy's is a copy, too

    def __setitem__(self, key: Any, value: Any) -> None:
        x = self.base
        values = value if isinstance(value, (int, float, complex)) else _values(value, x)
        copied = x.ndim != 1 and not _shapes.is_contiguous(x)
        places = x.ravel() if copied else reshape(x, -1, False)
        if isinstance(values, Tensor) and values.ndim:
            count = places[key].size
            if isinstance(key, int):
                raise ValueError("flat: one element takes one value")
            # Values are repeated as often as needed, or as many taken.
            if values.size == 0:
                raise ValueError("flat: there are no values to write")
            values = _joining.resize(values, (count,))
            if not isinstance(key, slice) and places[key].ndim != 1:
                values = values.reshape(places[key].shape)
        places[key] = values
        if copied:
            x[...] = places.reshape(x.shape)

    def __eq__(self, other: object) -> Any:
        return self._flat() == other

    def __ne__(self, other: object) -> Any:
        return self._flat() != other

    __hash__ = None  # type: ignore[assignment]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self._flat().to_numpy(), dtype=dtype, copy=copy)

    def copy(self) -> Tensor:
        """Return a copy of the elements along one axis."""
        return self._flat().copy()


@_attribute
def flat(self: Tensor) -> Flat:
    """Return the elements in C order; they can be assigned. See `numpy.ndarray.flat`."""
    return Flat(self)


def set_flat(self: Tensor, value: Any) -> None:
    """Write to all elements in C order, as ``x.flat = value`` does."""
    Flat(self)[:] = value


SETTERS["flat"] = set_flat


@_attribute
def base(self: Tensor) -> Tensor | None:
    """Return None if no other tensor shares the memory, else a flat tensor of the part in use.

    A tensor refers to memory, not to the tensor that it was made from: the flat tensor has the
    elements between the first and the last one. See `numpy.ndarray.base`.
    """
    if owns_memory(self):
        return None
    array = self.to_numpy()
    array = array[tuple(slice(None, None, -1 if step < 0 else 1) for step in array.strides)]
    span = sum((size - 1) * step for size, step in zip(array.shape, array.strides, strict=True))
    count = span // array.itemsize + 1 if array.size else 0
    return xp.asarray(
        np.lib.stride_tricks.as_strided(array, (count,), (array.itemsize,)), device="cpu"
    )


@_attribute
def data(self: Tensor) -> memoryview:
    """Return the memory. See `numpy.ndarray.data`."""
    return memoryview(self)  # type: ignore[arg-type]


@_attribute
def ctypes(self: Tensor) -> Any:
    """Return the memory for `ctypes`. See `numpy.ndarray.ctypes`."""
    return interface_of(self, "ctypes")
