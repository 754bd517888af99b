"""SciPy: arrays of Corepy as outputs of images, results of functions to minimize, dense matrices.

SciPy has no entry point for these. Functions of `scipy.ndimage` take what is not an array of
NumPy's for the dtype of the output; they are called with arrays of NumPy's over the same memory.
The solvers are C code, which takes what functions return: ``ScalarFunction`` and ``VectorFunction``
of `scipy.optimize._differentiable_functions` are made of functions whose results are NumPy's.
`scipy.sparse._sputils.isdense` accepts arrays of Corepy, and ``aslinearoperator`` is called with
NumPy's. What f2py makes of Fortran's functions copies arguments that are written to only if they
are NumPy's (``array_from_pyobj`` in NumPy's fortranobject.c); the functions of `scipy.linalg.blas`
and ``lapack`` are called with arrays of NumPy's. ``find_peaks`` takes other arrays than NumPy's for
pairs of limits; what reads its conditions is called with NumPy's. Tested with SciPy 1.17.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from types import ModuleType
from typing import Any

from corepy._cython.core import Tensor
from corepy._cython.settings import setting
from corepy.integrations import as_numpy, prepare, preparing, replace

#: Parameters of `scipy.ndimage` that functions write to.
_OUTPUTS = ("output", "distances", "indices")


def _add_to_images(ndimage: ModuleType) -> None:
    def change(function: Callable[..., Any]) -> Callable[..., Any]:
        signature = inspect.signature(function)

        def call(*args: Any, **kwargs: Any) -> Any:
            given = signature.bind(*args, **kwargs)
            for name in _OUTPUTS:
                if name in given.arguments:
                    given.arguments[name] = as_numpy(given.arguments[name])
            return function(*given.args, **given.kwargs)

        return call

    from scipy._lib._array_api import SCIPY_ARRAY_API

    # Where SciPy computes with arrays of the standard, it writes to them itself.
    for name in () if SCIPY_ARRAY_API else ndimage.__all__:
        function = getattr(ndimage, name)
        if callable(function) and {*_OUTPUTS} & {*inspect.signature(function).parameters}:
            replace(ndimage, name, change)


def _returning_numpy(function: Any) -> Any:
    """Return a function of the user's that has NumPy's results for NumPy's arrays."""
    if not callable(function):
        return function

    @wraps(function, updated=())
    def returning_numpy(x: Any, *args: Any, **kwargs: Any) -> Any:
        return as_numpy(function(x, *args, **kwargs))

    return returning_numpy


def _add_to_derivatives(functions: ModuleType) -> None:
    def change(init: Callable[..., None]) -> Callable[..., None]:
        def prepared(self: Any, *args: Any, **kwargs: Any) -> None:
            named = {name: _returning_numpy(value) for name, value in kwargs.items()}
            init(self, *map(_returning_numpy, args), **named)

        return prepared

    for name in ("ScalarFunction", "VectorFunction"):
        replace(getattr(functions, name), "__init__", change)


def _add_to_sparse(sputils: ModuleType) -> None:
    def change(is_dense: Callable[..., bool]) -> Callable[..., bool]:
        return lambda x: isinstance(x, Tensor) or is_dense(x)

    replace(sputils, "isdense", change)


def _add_to_peaks(peaks: ModuleType) -> None:
    def in_numpy(interval: Any) -> Any:
        return tuple(map(as_numpy, interval)) if isinstance(interval, tuple) else as_numpy(interval)

    prepare(peaks, "_unpack_condition_args", in_numpy)


class FortranFunction:
    """A function that f2py made, called with NumPy's arrays over the memory of Corepy's.

    Parameters
    ----------
    function : fortran object
    """

    def __init__(self, function: Any) -> None:
        self._function = function
        self.__doc__ = function.__doc__

    def __getattr__(self, name: str) -> Any:
        return getattr(self._function, name)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if setting("integrations"):
            args = tuple(map(_in_host_memory, args))
            kwargs = {name: _in_host_memory(value) for name, value in kwargs.items()}
        return self._function(*args, **kwargs)


def _in_host_memory(value: Any) -> Any:
    return value.to_numpy() if isinstance(value, Tensor) and value.device == "cpu" else value


def add_to_fortran(module: ModuleType) -> None:
    """Replace the functions of a module that f2py made."""
    for name, function in list(vars(module).items()):
        if type(function).__name__ == "fortran" and callable(function):
            setattr(module, name, FortranFunction(function))


COMPLETE = {
    "scipy.linalg.blas": add_to_fortran,
    "scipy.linalg.lapack": add_to_fortran,
    "scipy.ndimage": _add_to_images,
    "scipy.optimize._differentiable_functions": _add_to_derivatives,
    "scipy.signal._peak_finding": _add_to_peaks,
    "scipy.sparse._sputils": _add_to_sparse,
    "scipy.sparse.linalg._interface": preparing(("aslinearoperator",)),
}
