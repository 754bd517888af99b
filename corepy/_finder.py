"""Finds modules of the package that have no file of their own.

All compiled modules are one library. Loading it takes a fraction of the time that a file for each
would, and the kernels' threads, memory pool and tables exist once. NumPy's modules are made for
``import corepy as np`` when they are first imported (`corepy.numpy`).
"""

import sys
from importlib import import_module
from importlib.machinery import (
    EXTENSION_SUFFIXES,
    ExtensionFileLoader,
    ModuleSpec,
    SourceFileLoader,
)
from types import ModuleType

_FOLDER = __file__.removesuffix("_finder.py")
#: The library, which is also where the import system asks the finder.
LIBRARY = f"{_FOLDER}_native{EXTENSION_SUFFIXES[0]}"

#: Its modules, by package. The last parts are all different: they name what it exports.
COMPILED = {
    "corepy._cython": "core drawing inference operations settings",
    "corepy._cython.cpu": """
        beyond_standard creation exchange gathering linear_algebra movement networks sorting
        transforms
    """,
    "corepy._cython.layout": "plans",
    "corepy._cython.lazy": """
        buffers errors execution groups nodes passes recorder records
    """,
    "corepy._gpu": "backend",
    "corepy.array_api": """
        creation_functions data_type_functions elementwise_functions fft indexing_functions linalg
        linear_algebra_functions manipulation_functions searching_functions set_functions
        sorting_functions statistical_functions utility_functions
    """,
    "corepy.numpy": "conversion dispatch frequent ndarray",
}
NAMES = {f"{package}.{name}" for package, names in COMPILED.items() for name in names.split()}

#: NumPy's public modules.
OF_NUMPY = """
    char ctypeslib dtypes exceptions fft lib lib.array_utils lib.format lib.introspect lib.mixins
    lib.npyio lib.recfunctions lib.scimath lib.stride_tricks linalg ma ma.extras ma.mrecords
    ma.testutils matlib
    polynomial polynomial.chebyshev polynomial.hermite polynomial.hermite_e polynomial.laguerre
    polynomial.legendre polynomial.polynomial polynomial.polyutils rec strings typing version
""".split()


class _Maker:
    """A loader that makes one of NumPy's modules."""

    @staticmethod
    def create_module(spec: ModuleSpec) -> ModuleType:
        return import_module("corepy.numpy._names").module(spec.name.partition(".")[2])

    @staticmethod
    def exec_module(module: ModuleType) -> None:
        pass


class Finder:
    """Finds the modules, and packages of compiled ones, which look in the library themselves."""

    @staticmethod
    def find_spec(name: str, target: object = None) -> ModuleSpec | None:
        # Not by importlib.util, whose import takes a thirtieth of Corepy's.
        if name in NAMES:
            spec = ModuleSpec(name, ExtensionFileLoader(name, LIBRARY), origin=LIBRARY)
            spec.has_location = True
            return spec
        path = name.partition(".")[2]
        if name in COMPILED:
            folder = _FOLDER + path.replace(".", "/")
            file = f"{folder}/__init__.py"
            spec = ModuleSpec(name, SourceFileLoader(name, file), origin=file, is_package=True)
            spec.submodule_search_locations = [LIBRARY, folder]
            spec.has_location = True
            return spec
        if path in OF_NUMPY:
            spec = ModuleSpec(name, _Maker, origin=f"numpy.{path}", is_package=True)  # type: ignore[arg-type]
            spec.submodule_search_locations = [LIBRARY]
            return spec
        return None

    @staticmethod
    def iter_modules(prefix: str = "") -> list[tuple[str, bool]]:
        """Return what `pkgutil` lists of a package, and whether it is a package itself."""
        return [(prefix + name, False) for name in COMPILED.get(prefix[:-1], "").split()]


def find(path: str) -> type[Finder]:
    """Return the finder for the path of the library (a hook of `sys.path_hooks`)."""
    if path != LIBRARY:
        raise ImportError(f"not the path of Corepy's library: {path}")
    return Finder


def enter() -> None:
    """Have the import system ask the finder for what the package contains."""
    path = sys.modules["corepy"].__path__
    if LIBRARY not in path:
        path.insert(0, LIBRARY)
    if find not in sys.path_hooks:
        sys.path_hooks.append(find)
    # Other hooks would read the file first.
    sys.path_importer_cache[LIBRARY] = Finder  # type: ignore[assignment]
