"""Arguments of the drop-in's own functions.

Annotations of parameters say what an implementation takes, and `takes` says what holds between
them; `dispatch` reads both. What is no tensor becomes one where a parameter takes arrays.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

import numpy as np

from corepy import array_api as xp
from corepy._cython.core import Tensor, write_where

if TYPE_CHECKING:
    from corepy.numpy.ndarray import ndarray
else:
    ndarray = Tensor  # whose methods are above the functions

__all__ = [
    "Array", "Arrays", "Axes", "BoolArray", "DType", "Elements", "FloatArray", "InexactArray",
    "IntegerArray", "Mask", "NumericArray", "Operand", "RealArray", "RealArrays", "RealOperand",
    "Shape", "array_of", "in_fortran_order", "is_contiguous", "named", "ndarray", "stored", "takes",
]  # fmt: skip


class Elements(NamedTuple):
    """The array-likes that a parameter takes: annotates ``Annotated[ndarray, Elements("iuf")]``.

    Parameters
    ----------
    kinds : str
        The kinds of dtypes, as `numpy.dtype.kind`.
    many : bool
        Whether the parameter takes a sequence of arrays.
    least : int
        The number of axes that an array must have.
    """

    kinds: str = "biufc"
    many: bool = False
    least: int = 0


def takes(condition: Callable[..., bool]) -> Callable[[Any], Any]:
    """Decorate an implementation with a condition about its arguments.

    Parameters
    ----------
    condition : callable
        Called with the arguments of some parameters, by their names, after they were found to be
        what the annotations say. Where it is false, NumPy's function is called.
    """

    def decorate(function: Any) -> Any:
        function.condition = condition
        return function

    return decorate


#: Array-likes, of any dtype or of those of some kinds.
Array = Annotated[Tensor, Elements()]
RealArray = Annotated[Tensor, Elements("biuf")]
NumericArray = Annotated[Tensor, Elements("iufc")]
InexactArray = Annotated[Tensor, Elements("fc")]
FloatArray = Annotated[Tensor, Elements("f")]
IntegerArray = Annotated[Tensor, Elements("iu")]
BoolArray = Annotated[Tensor, Elements("b")]
#: A list or tuple of array-likes, or an array as the sequence of its parts; becomes a tuple.
Arrays = Annotated[tuple[Tensor, ...], Elements(many=True)]
RealArrays = Annotated[tuple[Tensor, ...], Elements("biuf", many=True)]
if TYPE_CHECKING:  # an operand, at least, is a tensor, and the standard's functions take lists
    Operand = Any
    RealOperand = Any
    Shape = Any
else:
    #: An array-like, or a Python scalar, whose dtype the other operand decides.
    Operand = Array | bool | int | float | complex
    RealOperand = RealArray | bool | int | float
    Shape = int | tuple[int, ...] | list[int]
#: Where something is done: everywhere, or by a mask.
Mask = BoolArray | Literal[True]
Axes = int | tuple[int, ...] | None
DType = np.dtype[Any]


def named(function: Any, name: str) -> Any:
    """Return a function with the name and docstring of one of NumPy's."""
    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"See `numpy.{name}`."
    return function


def array_of(result: Tensor) -> Tensor:
    """Return a result of the standard's, which is an array in NumPy if it has no axes."""
    return result if result.ndim else result[...]


def stored(result: Tensor, out: Any, where: Any = True, casting: Any = "same_kind") -> Tensor:
    """Return a result, written to `out` if that is not None.

    Raises
    ------
    TypeError
        The elements cannot be cast to the dtype of `out` by the rule `casting`.
    ValueError
        `out` has another shape than the result.
    """
    if out is None:
        return result
    if result.dtype != out.dtype:
        if not np.can_cast(result.dtype, out.dtype, casting):
            raise TypeError(
                f"out cannot have dtype {out.dtype}: {result.dtype} is not cast to it "
                f"with casting={casting!r}"
            )
        result = xp.astype(result, out.dtype)
    if result.shape != out.shape:
        raise ValueError(f"out must have the shape of the result, {result.shape}, got {out.shape}")
    if where is True:
        out[...] = result
    elif not write_where(out, where, result):
        out[...] = xp.where(where, result, out)
    return out


def is_contiguous(x: Tensor | np.ndarray) -> bool:
    """Return whether the elements are in C order without gaps."""
    shape, strides, step = x.shape, x.strides, x.itemsize
    for axis in range(len(shape) - 1, -1, -1):
        if strides[axis] != step and shape[axis] != 1:
            return x.size == 0
        step *= shape[axis]
    return True


def in_fortran_order(x: Tensor) -> bool:
    """Return whether the elements are in Fortran order without gaps, and not in C order."""
    return x.ndim > 1 and not is_contiguous(x) and is_contiguous(x.T)
