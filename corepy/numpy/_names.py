"""What each name of ``import corepy as np`` is.

A function is the standard's first, Corepy's own where only NumPy's signature allows the call, and
NumPy's for the rest (`corepy._cython.forward`). Where the standard's and NumPy's differ silently,
`HABITS` has NumPy's. Dtypes, scalar types and constants are NumPy's.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from types import ModuleType
from typing import Any, get_origin

import numpy as np

from corepy import array_api
from corepy._cython.core import Tensor, asarray, in_drop_in
from corepy._cython.forward import Forward, Function, UFunc
from corepy.numpy import _own
from corepy.numpy._classes import CLASSES

#: NumPy's public modules, each of which is imported when one of its names is first used.
MODULES = """
    char ctypeslib dtypes exceptions fft lib lib.array_utils lib.format lib.introspect lib.mixins
    lib.npyio lib.recfunctions lib.scimath lib.stride_tricks linalg ma ma.extras ma.mrecords
    ma.testutils matlib
    polynomial polynomial.chebyshev polynomial.hermite polynomial.hermite_e polynomial.laguerre
    polynomial.legendre polynomial.polynomial polynomial.polyutils rec strings typing version
""".split()


class DropIn(ModuleType):
    """A namespace of NumPy's in which functions of the standard take precedence."""

    def __init__(self, name: str, native: str, standard: ModuleType | None = None) -> None:
        super().__init__(name)
        self.__path__: list[str] = []  # modules within it are importable
        self._native = native
        self._standard = standard

    def __getattr__(self, name: str) -> Any:
        if name == "__all__":
            return import_module(self._native).__all__
        if name.startswith("__"):
            raise AttributeError(name)
        value = find(self.__name__, name, import_module(self._native), self._standard)
        setattr(self, name, value)
        return value

    def __dir__(self) -> list[str]:
        return sorted({*dir(import_module(self._native)), *dir(self._standard)})


def add_modules() -> dict[str, DropIn]:
    """Make NumPy's modules importable as Corepy's, and return those of the top level."""
    found = {}
    for name in MODULES:
        module = DropIn(f"corepy.{name}", f"numpy.{name}", getattr(array_api, name, None))
        found[name] = sys.modules[module.__name__] = module
        parent, _, last = name.rpartition(".")
        if parent:
            setattr(found[parent], last, module)
    return {name: module for name, module in found.items() if "." not in name}


def array(obj: Any, /, *, dtype: Any = None, copy: bool | None = True) -> Tensor:
    """Make a tensor of an object; NumPy handles other arguments of its `array`."""
    return asarray(obj, dtype, None, copy)


def unless(numpys: Callable[..., bool], function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of the standard that passes calls to NumPy if `numpys` accepts them.

    It is called with the same arguments. NumPy also handles the arguments that it does not take.
    """

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if numpys(*args, **kwargs):
            raise Forward
        return function(*args, **kwargs)

    # Not the name of the operation, whose loop would be called for `out`.
    call.__name__ = f"unless {function.__name__}"
    return call


def _is_scalar(*values: Any) -> bool:
    return any(isinstance(value, (int, float, complex)) for value in values)


def _is_number(x: Any, /, *args: Any, **kwargs: Any) -> bool:
    """Return whether an argument has no axes."""
    return np.ndim(x) == 0


_SINGLE = {np.float32, np.complex64}


def _is_single(start: Any, stop: Any, /, *args: Any, **kwargs: Any) -> bool:
    """Return whether a bound is a scalar of single precision, which the result has, too."""
    return type(start) in _SINGLE or type(stop) in _SINGLE


def _is_no_tensor(x: Any, /) -> bool:
    return not isinstance(x, Tensor)


def _is_exact(x: Any, /, *args: Any, **kwargs: Any) -> bool:
    """Return whether an operand is not floating or has no dtype."""
    return not isinstance(x, Tensor) or x.dtype.kind not in "fc"


def _has_no_axes(x: Any, /, *, s: Any = None, axes: Any = None, **kwargs: Any) -> bool:
    return np.ndim(x) == 0 or (s is not None and axes is None)


def squeeze(x: Tensor, /, axis: Any = None) -> Tensor:
    """Return a view without axes of size 1, of all or of those that are named."""
    if not isinstance(x, Tensor):
        raise Forward
    return in_drop_in(x).squeeze() if axis is None else array_api.squeeze(x, axis)


# The drop-in's functions that replace the standard's; None: NumPy's function alone.
HABITS: dict[str, Callable[..., Any] | None] = {
    "corepy.array": array,
    "corepy.finfo": None,
    "corepy.iinfo": None,
    "corepy.squeeze": squeeze,
    # In NumPy, Python scalars have the default dtype here, for any other operand.
    "corepy.diff": unless(
        # The zeroth difference is the argument itself.
        lambda x, /, *, axis=-1, n=1, prepend=None, append=None: (
            n == 0 or _is_scalar(prepend, append)
        ),
        array_api.diff,
    ),
    "corepy.tensordot": unless(
        lambda x1, x2, /, *, axes=2: _is_scalar(x1, x2), array_api.tensordot
    ),
    "corepy.linalg.tensordot": unless(
        lambda x1, x2, /, *, axes=2: _is_scalar(x1, x2), array_api.linalg.tensordot
    ),
    # In NumPy, results for integers may be integers.
    "corepy.reciprocal": unless(_is_exact, array_api.reciprocal),
    "corepy.linalg.matrix_power": unless(
        # The first power is the argument itself.
        lambda a, n: _is_exact(a) or n == 1,
        array_api.linalg.matrix_power,
    ),
    # NumPy's message is that of its own function.
    "corepy.linalg.outer": unless(
        lambda x1, x2, /: np.ndim(x1) != 1 or np.ndim(x2) != 1, array_api.linalg.outer
    ),
    # In NumPy, the dtype is that of bounds that are scalars.
    "corepy.linspace": unless(_is_single, array_api.linspace),
    # In NumPy, the tolerance without arguments is another one.
    "corepy.linalg.pinv": None,
    # In NumPy, results are real if all eigenvalues are.
    "corepy.linalg.eig": None,
    "corepy.linalg.eigvals": None,
    # In NumPy, components of scalars are scalars.
    "corepy.imag": unless(_is_no_tensor, array_api.imag),
    "corepy.real": unless(_is_no_tensor, array_api.real),
    # In NumPy, single elements are scalars, not views.
    "corepy.flip": unless(_is_number, array_api.flip),
    "corepy.unstack": unless(lambda x, /, *, axis=0: np.ndim(x) == 1, array_api.unstack),
    # In NumPy, a transform without axes keeps the dtype, and sizes without axes are deprecated.
    "corepy.fft.fftn": unless(_has_no_axes, array_api.fft.fftn),
    "corepy.fft.ifftn": unless(_has_no_axes, array_api.fft.ifftn),
    "corepy.fft.irfftn": unless(_has_no_axes, array_api.fft.irfftn),
    "corepy.fft.rfftn": unless(_has_no_axes, array_api.fft.rfftn),
}


# NumPy's function would read the memory of another device as host memory.
STANDARD_ALONE = {"corepy.from_dlpack"}


#: The functions by path, so that several names have the same one.
_found: dict[str, Function] = {}


def find(where: str, name: str, native: ModuleType, standard: ModuleType | None) -> Any:
    """Return the attribute `name` of the drop-in's module `where`.

    Parameters
    ----------
    where : str
        Path of the drop-in's module.
    name : str
    native : module
        NumPy's module of that place.
    standard : module or None
        The standard's.

    Raises
    ------
    AttributeError
        Neither the standard nor NumPy has such a name.
    """
    numpys, missing = None, ""
    try:
        numpys = getattr(native, name)
    except AttributeError as error:  # which says what took the place of names that were removed
        missing = str(error).replace(f"module '{native.__name__}'", f"module {where!r}", 1)
    first = getattr(numpys, "__name__", name)
    if isinstance(numpys, ModuleType) or (
        first != name and getattr(native, first, None) is not numpys
    ):
        first = name
    # One of NumPy's names for an object: `concat` is `concatenate`.
    path = f"{where}.{first}"
    if path in CLASSES:
        return CLASSES[path]
    if path in _found:
        return _found[path]
    function = vars(standard).get(name) if standard else None
    if isinstance(function, ModuleType) and not isinstance(numpys, ModuleType):
        function = None  # a module that makes the standard's namespace
    if function is None and numpys is not None and standard is not None:
        # Another name of NumPy's for one of the standard's functions, such as `concatenate`.
        # Not `getattr`, with which NumPy imports `fft`.
        names = (other for other in standard.__all__ if vars(native).get(other) is numpys)
        function = getattr(standard, next(names, ""), None)
    function = HABITS.get(path, function)
    alone = numpys is None or not callable(function)
    if path in STANDARD_ALONE and callable(function):
        return _found.setdefault(path, Function(path, function, function))
    if function is not None and alone:
        return function
    if isinstance(numpys, ModuleType):
        return DropIn(path, numpys.__name__)
    if callable(numpys) and not isinstance(numpys, type) and get_origin(numpys) is None:
        made = (UFunc if isinstance(numpys, np.ufunc) else Function)(path, function, numpys)
        made.__name__ = made.__qualname__ = first
        return _found.setdefault(path, made)
    if missing:
        raise AttributeError(missing)
    if isinstance(numpys, type) or not hasattr(numpys, "__getitem__"):
        return numpys
    own = _own.find(path)  # such as `mgrid`
    return numpys if own is None else own
