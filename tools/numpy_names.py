"""Write the table of NumPy's names to docs/numpy.md, or check it (``--check``).

What each name of the drop-in is, is looked up at run time: who computes it, and which of NumPy's
parameters Corepy's own implementation takes.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import corepy  # noqa: E402
from corepy._cython.core import named_operations  # noqa: E402
from corepy._cython.schema.records import ROWS, SCHEMA  # noqa: E402
from corepy.numpy import _classes, _names  # noqa: E402
from corepy.numpy.dispatch import Function, UFunc  # noqa: E402

PACKAGE = ROOT / "corepy"
DOCUMENT = ROOT / "docs" / "numpy.md"
VERSION = "2.4"  # of NumPy, whose names the table has

KINDS = {
    "own": "Corepy's kernels and backends compute it, on every device.",
    "agnostic": "Corepy's own implementation over the standard's functions, on every device.",
    "forwarded": "NumPy computes it over the tensors' memory, on `cpu` alone.",
    "NumPy's": "The object is NumPy's: dtypes, constants, classes and what only they need.",
    "not offered": "The reason is beside it.",
}

#: The files of the pages that have rows of operations, and of the rows, by name.
FILES = {
    page: str(path.relative_to(PACKAGE))
    for path in (SCHEMA / "operations.def", *SCHEMA.glob("operations/*.def"))
    for page in re.findall(r"^PAGE\((\w+)\)", path.read_text("utf-8"), re.MULTILINE)
    if page in {row.page for row in ROWS}
}
OPERATIONS = {row.name: FILES[row.page] for row in ROWS}

#: Implementations that are made for each operation.
GENERATED = ("unary", "binary", "call")

#: Why names of NumPy's are not there.
REASONS: dict[str, str] = {}

#: Numbers of functions that CuPy and dpnp publish, from the comparison table of dpnp's
#: documentation: of NumPy's, dpnp's and CuPy's.
PUBLISHED = {
    "top level": (389, 325, 328),
    "ndarray": (53, 45, 47),
}


def groups() -> dict[str, list[str]]:
    """Return the paths of NumPy's names below ``numpy``, by group."""
    polynomials = [f"polynomial.{n}" for n in dir(np.polynomial) if _is_public_module(n)]
    lib = [f"lib.{name}" for name in np.lib.__all__ if _is_module(f"lib.{name}")]
    return {
        "top level": _names_of(""),
        "ndarray": [f"ndarray.{name}" for name in dir(np.ndarray) if not name.startswith("_")],
        "linalg": _names_of("linalg"),
        "fft": _names_of("fft"),
        "random": _names_of("random"),
        "lib": [path for module in ["lib", *lib] for path in _names_of(module)],
        "ma": _names_of("ma"),
        "polynomial": [p for module in ["polynomial", *polynomials] for p in _names_of(module)],
        "char": _names_of("char"),
        "strings": _names_of("strings"),
    }


def _is_public_module(name: str) -> bool:
    return not name.startswith("_") and _is_module(f"polynomial.{name}")


def _is_module(path: str) -> bool:
    return isinstance(original(path), ModuleType)


def _names_of(module: str) -> list[str]:
    """Return the paths of a module's public names without its modules."""
    native = import_module("numpy." + module if module else "numpy")
    names = getattr(native, "__all__", None) or [n for n in dir(native) if not n.startswith("_")]
    paths = [f"{module}.{name}" if module else name for name in names]
    return sorted(path for path in set(paths) if not _is_module(path) and "__" not in path)


def original(path: str) -> Any:
    """Return NumPy's object at a path below ``numpy``."""
    return _at(np, path)


def _at(module: Any, path: str) -> Any:
    for name in path.split("."):
        module = getattr(module, name)
    return module


# ---- what a name is


def kind_of(path: str) -> str:
    """Return the kind of a name, one of `KINDS`."""
    if path.startswith("ndarray."):
        return _kind_of_attribute(path.partition(".")[2])
    try:
        value = _at(corepy, path)
    except AttributeError:
        return "not offered"
    native = original(path)
    if isinstance(value, Function):
        return _kind_of_function(value)
    if path in _classes.CLASSES:
        return "agnostic"
    if isinstance(value, _names.Indexed):
        return "agnostic"
    if value is native or not callable(native):
        return "NumPy's"
    module = getattr(value, "__module__", "")
    if module.startswith("numpy."):
        return "NumPy's"  # its bit generators, of which its instances are instances
    if module == "corepy.random":
        return "forwarded"  # classes and functions over NumPy's generators
    return "own"


def _kind_of_function(function: Any) -> str:
    name = function.path.partition(".")[2]
    if function.standard is not None or (
        isinstance(function, UFunc) and name in named_operations()
    ):
        return "own"
    return "agnostic" if function.implementations else "forwarded"


def _kind_of_attribute(name: str) -> str:
    if not hasattr(corepy.ndarray, name):
        return "not offered"
    if name in ("byteswap", "getfield", "setfield"):
        return "forwarded"
    if getattr(getattr(corepy.ndarray, name), "native", None) is None:
        return "own"
    function = getattr(corepy, name, None)  # which such methods call
    return _kind_of_function(function) if isinstance(function, Function) else "agnostic"


def parameters_of(path: str) -> tuple[list[str], list[str]]:
    """Compare the signatures of NumPy's and Corepy's implementation.

    Returns
    -------
    tuple of lists of str
        NumPy's parameters that Corepy's implementation does not take: NumPy computes calls with
        them. And Corepy's that NumPy's does not take.
    """
    native = _parameters(original(path))
    given = [known for known in map(_parameters, _implementations(path)) if known is not None]
    if native is None or not given:
        return [], []
    taken, names = set(), set()
    for ours in given:
        for position, parameter in enumerate(ours):
            name = {"correction": "ddof"}.get(parameter.name, parameter.name)
            if parameter.kind is parameter.POSITIONAL_ONLY and position < len(native):
                taken.add(native[position].name)
            elif parameter.kind is parameter.VAR_POSITIONAL:
                taken |= {p.name for p in native if p.kind is not p.KEYWORD_ONLY}
            else:
                taken.add(name)
                names.add(name)
    known = {parameter.name for parameter in native}
    variadic = any(p.kind is p.VAR_KEYWORD for p in native)
    missing = [p.name for p in native if p.name not in taken and p.kind is not p.VAR_KEYWORD]
    return missing, [] if variadic else sorted(names - known - {"kwargs"})


def _implementations(path: str) -> list[Any]:
    """Return Corepy's implementations of a name."""
    if path.startswith("ndarray."):
        return [getattr(corepy.ndarray, path.partition(".")[2], None)]
    value = _at(corepy, path)
    if isinstance(value, UFunc) or not callable(value) or isinstance(value, type):
        return []  # all ufuncs take the same
    if isinstance(value, Function):
        return value.implementations
    return [value]


def _parameters(function: Any) -> list[inspect.Parameter] | None:
    try:
        return list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return None


# ---- where it is defined


def places_of(path: str) -> list[str]:
    """Return the files below ``corepy`` that define a name."""
    if path.startswith("ndarray."):
        name = path.partition(".")[2]
        if name in vars(corepy.ndarray):
            return ["numpy/ndarray.pyx"]
        files = [f"_cython/core/{part}.pxi" for part in ("tensor", "methods")]
        defines = [file for file in files if f" {name}(" in (PACKAGE / file).read_text("utf-8")]
        return defines or ["_cython/core.pxd"]  # a field of the struct
    value = _at(corepy, path)
    if not isinstance(value, Function):
        return [_file(value.__module__)]
    name = path.rpartition(".")[2]
    own = [_file(f.__module__) for f in value.implementations if f.__name__ not in GENERATED]
    row = [OPERATIONS[name]] if isinstance(value, UFunc) and name in OPERATIONS else []
    return list(dict.fromkeys(row + own)) or ["numpy/_ufuncs.py"]


def _file(module: str) -> str:
    page = module.removeprefix("corepy.array_api.")
    if page in FILES:
        return FILES[page]
    path = PACKAGE.joinpath(*module.split(".")[1:])
    sources = [path.with_suffix(suffix) for suffix in (".py", ".pyx")]
    return str(next(source for source in sources if source.exists()).relative_to(PACKAGE))


# ---- the table


def _line(path: str, kind: str) -> str:
    if kind == "not offered":
        return f"| `{path}` | {kind} | | {REASONS[path]} |"
    missing, more = parameters_of(path) if kind in ("own", "agnostic") else ([], [])
    notes = []
    if missing:
        notes.append("NumPy computes with " + ", ".join(f"`{name}`" for name in missing))
    if more:
        notes.append("also " + ", ".join(f"`{name}`" for name in more))
    places = places_of(path) if kind in ("own", "agnostic") else []
    links = ", ".join(f"[{Path(place).name}](../corepy/{place})" for place in places)
    return f"| `{path}` | {kind} | {links} | {'; '.join(notes)} |"


def _count(paths: list[str]) -> Counter[str]:
    return Counter(kind_of(path) for path in paths)


def text() -> Iterator[str]:
    """Yield the lines of the table, the counts first."""
    found = groups()
    yield "| group | names | " + " | ".join(KINDS) + " |"
    yield "| --- | " + " | ".join(["---:"] * (len(KINDS) + 1)) + " |"
    for group, paths in found.items():
        count = _count(paths)
        numbers = " | ".join(f"{count[kind]:,}" for kind in KINDS)
        yield f"| [{group}](#{group.replace(' ', '-')}) | {len(paths):,} | {numbers} |"
    yield ""
    yield from (f"- **{kind}**: {what}" for kind, what in KINDS.items())
    yield ""
    yield "Functions beside those that dpnp's documentation counts for dpnp and CuPy:"
    yield ""
    yield "| functions | of NumPy | dpnp | CuPy | of NumPy here | Corepy | on every device |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    for group, published in PUBLISHED.items():
        paths = [path for path in found[group] if _is_function(path)]
        count = _count(paths)
        there = len(paths) - count["not offered"]
        yield (
            f"| {group} | {' | '.join(map(str, published))} | {len(paths)} | {there} "
            f"| {count['own'] + count['agnostic']} |"
        )
    for group, paths in found.items():
        head = "| name | | defined in | signature |"
        yield from ("", f"### {group}", "", head, "| --- | --- | --- | --- |")
        yield from (_line(path, kind_of(path)) for path in paths)


def _is_function(path: str) -> bool:
    value = original(path)
    return callable(value) and not isinstance(value, type)


def main() -> int:
    """Write or check the table."""
    if not np.__version__.startswith(f"{VERSION}."):
        print(f"numpy-names: the table is of NumPy {VERSION}, and this is {np.__version__}")
        return 0
    before = DOCUMENT.read_text(encoding="utf-8")
    import_module("asv_benchmarks.documents").replace_between(DOCUMENT, "names", "\n".join(text()))
    after = DOCUMENT.read_text(encoding="utf-8")
    if "--check" not in sys.argv or before == after:
        return 0
    DOCUMENT.write_text(before, encoding="utf-8")
    print("numpy-names: docs/numpy.md is not current; run tools/numpy_names.py", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
