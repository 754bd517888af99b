"""Attributes of ndarrays that are objects of their own: `flags` and `flat`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from corepy import array_api as xp
from corepy._cython import core
from corepy._cython.core import Tensor, reshape
from corepy.numpy._arguments import is_contiguous
from corepy.numpy.conversion import is_writeable, owns_memory, set_writeable

if TYPE_CHECKING:
    from corepy.numpy.ndarray import ndarray


class Flags:
    """The layout of a tensor in memory, as `numpy.ndarray.flags`; `writeable` can be set.

    Parameters
    ----------
    x : Tensor
    """

    aligned = True
    writebackifcopy = False

    def __init__(self, x: ndarray) -> None:
        self._x = x

    @property
    def c_contiguous(self) -> bool:
        return is_contiguous(self._x)

    @property
    def f_contiguous(self) -> bool:
        return is_contiguous(self._x.T)

    @property
    def owndata(self) -> bool:
        """Whether no other tensor shares the memory; NumPy's bases have views and own it, too."""
        return owns_memory(self._x)

    @property
    def writeable(self) -> bool:
        return is_writeable(self._x)

    @writeable.setter
    def writeable(self, on: bool) -> None:
        set_writeable(self._x, bool(on))

    @property
    def num(self) -> int:
        """The flags as the bits that NumPy's C API defines."""
        bits = {"C": 0x1, "F": 0x2, "O": 0x4, "A": 0x100, "W": 0x400, "X": 0x2000}
        return sum(bit for name, bit in bits.items() if self[name])

    contiguous, fortran = c_contiguous, f_contiguous

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
        self._x.setflags(**{names[name]: value})

    def __eq__(self, other: object) -> bool:
        return type(other) in (Flags, type(np.empty(0).flags)) and all(
            self[name] == other[name]  # type: ignore[index]
            for name in ("C", "F", "W", "A", "X")
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        names = "C_CONTIGUOUS", "F_CONTIGUOUS", "OWNDATA", "WRITEABLE", "ALIGNED", "WRITEBACKIFCOPY"
        return "".join(f"  {name} : {self[name]}\n" for name in names)


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
        raise core.named_error("flat", error) from None
    return xp.asarray(array, device=x.device)


class Flat:
    """The elements of a tensor in C order, as `numpy.ndarray.flat`.

    Parameters
    ----------
    x : Tensor
    """

    __slots__ = ("base", "index")

    def __init__(self, x: ndarray) -> None:
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
        copied = x.ndim != 1 and not is_contiguous(x)
        places = x.ravel() if copied else reshape(x, -1, False)
        if isinstance(values, Tensor) and values.ndim:
            count = places[key].size
            if isinstance(key, int):
                raise ValueError("flat: one element takes one value")
            # Values are repeated as often as needed, or as many taken.
            if values.size == 0:
                raise ValueError("flat: there are no values to write")
            from corepy.numpy._joining import resize

            values = resize(values, (count,))
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
