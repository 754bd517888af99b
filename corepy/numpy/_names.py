"""What each name of ``import corepy as np`` is.

A function is the standard's first, Corepy's own where only NumPy's signature allows the call, and
NumPy's for the rest (`dispatch`). `CONDITIONS` says where the standard's and NumPy's differ.
Dtypes, scalar types and constants are NumPy's.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Annotated, Any, get_origin

import numpy as np

from corepy import array_api
from corepy._cython.core import Tensor
from corepy.numpy import _own
from corepy.numpy._arguments import InexactArray
from corepy.numpy._classes import CLASSES
from corepy.numpy.dispatch import Elements, Function, UFunc

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


def _are_vectors(*arrays: Any) -> bool:
    """Return whether arrays have one axis and one dtype; the last argument may be the indexing."""
    for x in arrays:
        if type(x) is not str and (x.ndim != 1 or x.dtype is not arrays[0].dtype):
            return False
    return len(arrays) > 0


def _has_axes_to_transform(x: Tensor, s: Any, axes: Any) -> bool:
    """Return whether a transform is of some axes, and sizes are those of named axes."""
    return bool(axes) or (axes is None and s is None and x.ndim > 0)


def _are_wide(*operands: Any) -> bool:
    """Return whether NumPy computes in the dtype of floating-point operands, or in float64."""
    return all(
        x.dtype.kind == "f" or x.dtype.itemsize > 2 for x in operands if isinstance(x, Tensor)
    )


_REAL = int | float
_WITH_AXES = Annotated[Tensor, Elements(least=1)]
_MATRICES = Annotated[Tensor, Elements(least=2)]
_SCALARS = (bool, int, float, complex)

#: When the standard's function computes what NumPy's of the name does: a condition about some of
#: its arguments, or narrower annotations of them; None: never.
CONDITIONS: dict[str, Callable[..., bool] | dict[str, Any] | None] = {
    "corepy.array": None,
    # In NumPy, imaginary parts are dropped with a warning.
    "corepy.astype": lambda x, dtype: x.dtype.kind != "c" or dtype.kind in "cb",
    # Text, objects and large integers are NumPy's.
    "corepy.asarray": None,
    "corepy.clip": None,
    "corepy.finfo": None,
    "corepy.iinfo": None,
    "corepy.squeeze": {"axis": int | tuple[int, ...]},
    # In NumPy, Python scalars have the default dtype here, for any other operand, and the zeroth
    # difference is the argument itself.
    "corepy.diff": lambda n, prepend, append: (
        n > 0 and not (type(prepend) in _SCALARS or type(append) in _SCALARS)
    ),
    # In NumPy, the value decides the dtype, of integers beyond int64 too.
    "corepy.full": None,
    "corepy.full_like": {"x": InexactArray, "fill_value": _REAL, "dtype": None},
    "corepy.mean": {"dtype": None},
    "corepy.meshgrid": _are_vectors,
    "corepy.tensordot": None,
    "corepy.linalg.tensordot": None,
    "corepy.linalg.matrix_rank": None,
    "corepy.isdtype": {"dtype": Any, "kind": Any},
    # In NumPy, results for narrow integers are float16 or float32.
    "corepy.heaviside": _are_wide,
    "corepy.spacing": _are_wide,
    # In NumPy, results for integers may be integers.
    "corepy.reciprocal": {"x": InexactArray},
    # The first power is the argument itself.
    "corepy.linalg.matrix_power": lambda x, n: x.dtype.kind in "fc" and n != 1,
    # NumPy's message is that of its own function.
    "corepy.linalg.outer": lambda x1, x2: np.ndim(x1) == 1 == np.ndim(x2),
    # In NumPy, the dtype is that of bounds that are arrays or its scalars.
    "corepy.linspace": {"start": _REAL, "stop": _REAL},
    # In NumPy, the tolerance without arguments is another one.
    "corepy.linalg.pinv": None,
    # In NumPy, results are real if all eigenvalues are.
    "corepy.linalg.eig": None,
    "corepy.linalg.eigvals": None,
    # In NumPy, components of scalars are scalars.
    "corepy.imag": {"x": _WITH_AXES},
    "corepy.real": {"x": _WITH_AXES},
    # In NumPy, single elements are scalars, not views.
    "corepy.flip": {"x": _WITH_AXES},
    "corepy.unstack": {"x": _MATRICES},
    # In NumPy, arrays without axes have one element to sort.
    "corepy.argsort": {"x": _WITH_AXES},
    # In NumPy, arrays are flat without an axis, and empty ones take some indices out of range.
    "corepy.take": lambda x, axis: (axis is not None or x.ndim == 1) and x.size > 0,
    # In NumPy, a transform without axes keeps the dtype, and sizes without axes are deprecated.
    "corepy.fft.fftn": _has_axes_to_transform,
    "corepy.fft.ifftn": _has_axes_to_transform,
    "corepy.fft.irfftn": _has_axes_to_transform,
    "corepy.fft.rfftn": _has_axes_to_transform,
    "corepy.fft.fftfreq": lambda n: n > 0,
    "corepy.fft.rfftfreq": lambda n: n > 0,
    # In NumPy, a vector is the rows of a matrix.
    "corepy.tril": {"x": _MATRICES},
    "corepy.triu": {"x": _MATRICES},
    # In NumPy, one number is a tuple of one.
    "corepy.tile": {"repetitions": int | tuple[int, ...]},
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
    if CONDITIONS.get(path, path) is None:
        function = None
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
