"""What each of NumPy's tests concerns, by rules about its text: pytest's plugin of `numpy_tests`.

A test does not count if it concerns a dtype that a Tensor does not have, NumPy's C API or NumPy's
own internals. The rules read the source of a test and the values of its parameters. They do not
know how a test ends, and are the same whether NumPy or Corepy runs it:

- The text is that of the test function, of the fixtures that it takes, of the module's own
  functions, classes and constants that it names, of the methods and attributes of its class that
  it names, and of what ``setup_method`` assigns to these. Decorators are not read: the
  parameters of each test are, as values.
- A name of `NAMES` anywhere in it, or a dtype where a dtype is meant (`_Reader`), is of a kind.
  What dtypes are compared with is not read.
- An import from a private module of NumPy, or an attribute such as ``np._core``, is internal,
  unless NumPy's public namespace has the same object of the name: that is replaced by Corepy's.
- Files of `FILES` are of a kind as a whole.
"""

from __future__ import annotations

import ast
import functools
import json
import os
import re
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

#: The kinds that do not count, with the reason.
KINDS = {
    "object": "object dtype, which a Tensor does not have",
    "text": "text: str, bytes and StringDType",
    "date": "dates: datetime64 and timedelta64",
    "structured": "structured dtypes, void, records, and dtypes of subarrays",
    "longdouble": "long double, real and complex",
    "C API": "NumPy's C API, extensions in C, and the C functions of NumPy's test modules",
    "internals": "NumPy's private modules, and reference counts of its objects",
}

#: Files that are of a kind as a whole: the kind, and what they test.
FILES = {
    "test__exceptions": ("internals", "private exceptions of ufuncs"),
    "test__iotools": ("internals", "private helpers of genfromtxt"),
    "test__datasource": ("internals", "private class for files and addresses"),
    "test_abc": ("internals", "registration of scalar types as numbers"),
    "test_argparse": ("C API", "NumPy's parser of arguments in C"),
    "test_arraymethod": ("internals", "private objects of casts"),
    "test_casting_unittests": ("internals", "private objects of casts"),
    "test_cpu_dispatcher": ("internals", "how NumPy is built"),
    "test_cpu_features": ("internals", "how NumPy is built"),
    "test_custom_dtypes": ("C API", "a dtype of a test module in C"),
    "test_cython": ("C API", "compiles an extension"),
    "test_datetime": ("date", "dates"),
    "test_defchararray": ("text", "chararray"),
    "test_direct": ("internals", "bit generators and their C interface"),
    "test_extending": ("C API", "compiles an extension"),
    "test_extint128": ("internals", "128-bit integers of a test module in C"),
    "test_hashtable": ("internals", "hash table of a test module in C"),
    "test_limited_api": ("C API", "compiles an extension"),
    "test_longdouble": ("longdouble", "long double"),
    "test_mem_policy": ("C API", "allocators set through the C API"),
    "test_records": ("structured", "records"),
    "test_recfunctions": ("structured", "records"),
    "test_simd": ("internals", "NumPy's SIMD vectors, of a test module in C"),
    "test_simd_module": ("internals", "NumPy's SIMD vectors, of a test module in C"),
    "test_stringdtype": ("text", "StringDType"),
    "test_strings": ("text", "text"),
    "test_umath_accuracy": ("internals", "accuracy of NumPy's own loops"),
    "test_unicode": ("text", "text"),
}  # fmt: skip

#: Files that are not run: they compile, or test nothing but NumPy's own build.
NOT_RUN = """
    test__exceptions test_abc test_argparse test_cpu_dispatcher test_cpu_features test_custom_dtypes
    test_cython test_extending test_extint128 test_hashtable test_limited_api test_mem_policy
    test_stringdtype test_umath_accuracy
""".split()

#: Tests that are not run: the kind, and why.
TESTS_NOT_RUN = {
    "test_multiarray.py::TestTemporaryElide::test_extension_incref_elide": (
        "C API",
        "a C function of a test module reads any object as an ndarray, and crashes",
    ),
    "test_multiarray.py::TestTemporaryElide::test_extension_incref_elide_stack": (
        "C API",
        "a C function of a test module reads any object as an ndarray, and crashes",
    ),
    "test_nditer.py::test_arbitrary_number_of_ops_error": (
        "memory",
        "a list of 2^31 arrays, 17 GB, which is copied with ndarrays for tensors",
    ),
}

#: Names that are of a kind wherever they stand.
NAMES = {
    name: kind
    for kind, names in {
        "object": "object object_ ObjectDType Decimal Fraction",
        "text": """
            BytesDType StrDType StringDType StringDtype bytes_ chararray defchararray str_
        """,
        "date": """
            DateTime64DType TimeDelta64DType busday_count busday_offset busdaycalendar
            datetime_as_string datetime_data datetime64 is_busday isnat timedelta64
        """,
        "structured": """
            VoidDType fromarrays fromrecords mrecords recarray recfunctions
            structured_to_unstructured unstructured_to_structured void
        """,
        "longdouble": """
            CLongDoubleDType LongDoubleDType clongdouble complex256 float128 longdouble
        """,
        "internals": "HAS_REFCOUNT getrefcount",
    }.items()
    for name in names.split()
}

#: Names that are of a kind as attributes of NumPy.
ATTRIBUTES = {"char": "text", "strings": "text", "rec": "structured", "record": "structured"}

#: Private names that are not internals: values that public functions take.
PRIVATE_VALUES = {"_NoValue", "_CopyMode"}
#: Functions all of whose arguments may be dtypes, and those whose first argument is not one.
_TAKE_DTYPES = {
    "astype", "can_cast", "common_type", "dtype", "finfo", "iinfo", "isdtype", "issubdtype",
    "promote_types", "result_type", "view",
}  # fmt: skip
_CREATE = {
    "arange", "array", "asanyarray", "asarray", "ascontiguousarray", "asfortranarray", "empty",
    "empty_like", "eye", "frombuffer", "fromfunction", "fromiter", "fromstring", "full",
    "full_like", "identity", "matrix", "ndarray", "ones", "ones_like", "require", "zeros",
    "zeros_like",
}  # fmt: skip
_OF_ELEMENTS = {"array", "asanyarray", "asarray", "ascontiguousarray", "full", "matrix"}
_DTYPE_NAME = re.compile(
    r"^_?(d|dt\d?|dtypes?\d?|\w*dtypes?|t\d?|tp|types?|\w*types?|code|char|c)$"
)


def kinds_of_dtype(dtype: np.dtype[Any]) -> Iterator[str]:
    """Yield the kinds of a dtype that do not count."""
    if dtype.fields is not None or dtype.subdtype is not None or dtype.kind == "V":
        yield "structured"
    elif dtype.kind in "SUT":
        yield "text"
    elif dtype.kind in "mM":
        yield "date"
    elif dtype.kind == "O":
        yield "object"
    elif dtype.char in "gG":
        yield "longdouble"


def kinds_of_code(text: str | bytes) -> set[str]:
    """Return the kinds of a dtype's code, or of each letter of several, such as ``"fdg"``."""
    if isinstance(text, bytes):
        text = text.decode("latin-1")
    try:
        return set(kinds_of_dtype(np.dtype(text)))
    except (TypeError, ValueError, SyntaxError):
        pass
    found = set()
    if set(text) <= set(np.typecodes["All"]):
        for letter in text:
            found |= set(kinds_of_dtype(np.dtype(letter)))
    return found


def kinds_of_value(name: str, value: Any) -> set[str]:
    """Return the kinds of a test's parameter."""
    if isinstance(value, (str, bytes)):
        return kinds_of_code(value) if _DTYPE_NAME.match(name) else set()
    if isinstance(value, (list, tuple, set, frozenset)):
        return {kind for item in value for kind in kinds_of_value(name, item)}
    if isinstance(value, type):
        if value in (object, str, bytes) or issubclass(value, np.generic):
            try:
                return set(kinds_of_dtype(np.dtype(value)))
            except TypeError:
                return set()
        return {NAMES[value.__name__]} if value.__name__ in NAMES else set()
    dtype = value if isinstance(value, np.dtype) else getattr(value, "dtype", None)
    return set(kinds_of_dtype(dtype)) if isinstance(dtype, np.dtype) else set()


# ---- NumPy's private modules


@functools.cache
def _public(name: str) -> Any:
    for module in (np, np.lib.stride_tricks, np.lib.array_utils, np.lib.scimath):
        if not name.startswith("_") and hasattr(module, name):
            return getattr(module, name)
    return None


def is_public(module: str, name: str) -> bool:
    """Return whether NumPy's public namespace has the object that a private module has."""
    try:
        found = getattr(import_module(module), name, None)
    except ImportError:
        return False
    return found is not None and _public(name) is found and hasattr(np, name)


def is_private(module: str) -> bool:
    """Return whether the path of a module of NumPy's has a private part."""
    parts = module.split(".")
    return (
        parts[0] == "numpy"
        and any(part.startswith("_") for part in parts)
        and "_private" not in parts  # of numpy.testing: tools of tests
        and "tests" not in parts
    ) or module == "_testbuffer"


def namespace(module: str) -> SimpleNamespace:
    """Return a private module of NumPy's, with Corepy's functions where it has public ones."""
    import corepy

    names = vars(import_module(module))
    return SimpleNamespace(
        **{k: getattr(corepy, k) if is_public(module, k) else v for k, v in names.items()}
    )


def _private_names(tree: ast.Module) -> tuple[dict[str, str], dict[str, str]]:
    """Return the names that a file imports from private modules with their kinds, and modules."""
    names, modules = {}, {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and is_private(node.module or ""):
            for alias in node.names:
                path = f"{node.module}.{alias.name}"
                if not is_public(node.module or "", alias.name):
                    names[alias.asname or alias.name] = _kind_of_module(path)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if is_private(alias.name) and alias.asname:
                    modules[alias.asname] = alias.name
    return names, modules


def _kind_of_module(path: str) -> str:
    return "C API" if re.search(r"\._\w+_tests\b|_testbuffer|\._simd\b", path) else "internals"


# ---- the text of tests


class _File:
    """The definitions of one file of tests."""

    def __init__(self, tree: ast.Module) -> None:
        self.private, self.modules = _private_names(tree)
        self.names: dict[str, ast.AST] = {}
        self.classes: dict[str, ast.ClassDef] = {}
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                self.classes[node.name] = node
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                self.names[node.name] = node
            elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.For, ast.If, ast.Try)):
                for name in _assigned(node):
                    self.names[name] = node

    def members(self, name: str) -> dict[str, ast.AST]:
        """Return what a class and its bases in this file define."""
        found: dict[str, ast.AST] = {}
        node = self.classes.get(name)
        if node is None:
            return found
        for base in node.bases:
            if isinstance(base, ast.Name):
                found |= self.members(base.id)
        for item in node.body:
            if isinstance(item, (ast.FunctionDef, ast.ClassDef)):
                found[item.name] = item
            else:
                found |= dict.fromkeys(_assigned(item), item)
        for setup in ("setup_method", "setup_class"):
            for statement in ast.walk(found.get(setup, ast.Pass())):
                for name in _assigned(statement):
                    found.setdefault(name, statement)
        return found

    def kinds(self, test: str, within: str | None, fixtures: Iterable[str]) -> set[str]:
        """Return the kinds of a test, by its text."""
        members = self.members(within) if within else {}
        waiting: list[tuple[bool, str]] = [(bool(within), test)]
        waiting += [(name in members, name) for name in fixtures]
        seen, found = set(), set()
        while waiting:
            entry = waiting.pop()
            own, name = entry
            node = (members if own else self.names).get(name)
            if node is None or entry in seen:
                continue
            seen.add(entry)
            if name != test and isinstance(node, ast.ClassDef) and name.startswith("Test"):
                continue
            reader = _Reader(self)
            reader.read(node)
            found |= reader.kinds
            waiting += [(False, other) for other in reader.names]
            waiting += [(True, other) for other in reader.members]
        return found


def _assigned(node: ast.AST) -> list[str]:
    """Return the names, and attributes of ``self``, that a statement assigns to."""
    if isinstance(node, ast.Assign):
        targets: list[ast.expr] = node.targets
    elif isinstance(node, (ast.AnnAssign, ast.For)):
        targets = [node.target]
    else:
        inner = getattr(node, "body", []) if isinstance(node, (ast.If, ast.Try)) else []
        return [name for item in inner for name in _assigned(item)]
    found = []
    for target in targets:
        items = target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]
        for item in items:
            if isinstance(item, ast.Name):
                found.append(item.id)
            elif isinstance(item, ast.Attribute):
                found.append(item.attr)
    return found


class _Reader(ast.NodeVisitor):
    """Collects the kinds in a definition, and the names that it uses."""

    def __init__(self, file: _File) -> None:
        self.file = file
        self.kinds: set[str] = set()
        self.names: set[str] = set()
        self.members: set[str] = set()

    def read(self, node: ast.AST) -> None:
        """Read a definition without its decorators and annotations."""
        if isinstance(node, ast.FunctionDef):
            for statement in [*node.args.defaults, *node.body]:
                self.visit(statement)
        elif isinstance(node, ast.ClassDef):
            for statement in [*node.bases, *node.body]:
                self.visit(statement)
        else:
            self.visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self.read(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.read(node)

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load):
            self.names.add(node.id)
            self._note(node.id)
            if node.id in self.file.private:
                self.kinds.add(self.file.private[node.id])

    def visit_Attribute(self, node: ast.Attribute) -> None:
        base = node.value
        self._note(node.attr)
        if isinstance(base, ast.Name):
            if base.id == "self":
                self.members.add(node.attr)
            module = self.file.modules.get(base.id)
            if module is not None and not is_public(module, node.attr):
                self.kinds.add(_kind_of_module(module))
        root = base
        while isinstance(root, ast.Attribute):
            root = root.value
        if isinstance(base, ast.Name) and base.id in ("np", "numpy") and node.attr in ATTRIBUTES:
            self.kinds.add(ATTRIBUTES[node.attr])
        if isinstance(root, ast.Name) and root.id in ("np", "numpy", "linalg"):
            private = node.attr.startswith("_") and not node.attr.startswith("__")
            if private and node.attr not in PRIVATE_VALUES:
                self.kinds.add("internals")
        self.generic_visit(node)

    def _note(self, name: str) -> None:
        if name in NAMES:
            self.kinds.add(NAMES[name])

    def visit_Import(self, node: ast.Import) -> None:
        if any(alias.name in ("ctypes.util", "cffi", "numba") for alias in node.names):
            self.kinds.add("C API")

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        for alias in node.names:
            kind = self.file.private.get(alias.asname or alias.name)
            if kind:
                self.kinds.add(kind)

    def visit_Call(self, node: ast.Call) -> None:
        name = _last_name(node.func)
        for keyword in node.keywords:
            if keyword.arg and _DTYPE_NAME.match(keyword.arg) and len(keyword.arg) > 1:
                self._dtype(keyword.value)
        if name in _TAKE_DTYPES:
            for argument in node.args:
                self._dtype(argument)
        elif name in _CREATE:
            for argument in node.args[1:]:
                self._dtype(argument)
        if name in _OF_ELEMENTS and node.args:
            self._elements(node.args[1 if name == "full" and len(node.args) > 1 else 0])
        self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        if _last_name(node.value) == "typecodes" and isinstance(node.slice, ast.Constant):
            self.kinds |= kinds_of_code(vars(np)["typecodes"].get(node.slice.value, ""))
        self.generic_visit(node)

    def visit_For(self, node: ast.For) -> None:
        self._loop(node.target, node.iter)
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        self._loop(node.target, node.iter)
        self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        for target in node.targets:
            self._loop(target, node.value)
        self.generic_visit(node)

    def _loop(self, target: ast.expr, values: ast.expr) -> None:
        if any(_DTYPE_NAME.match(name) for name in _names(target)):
            self._dtype(values)

    def _dtype(self, node: ast.expr) -> None:
        """Note an expression where a dtype is meant."""
        if isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes)):
            self.kinds |= kinds_of_code(node.value)
        elif isinstance(node, ast.Name) and node.id in ("str", "bytes"):
            self.kinds.add("text")
        elif isinstance(node, ast.Dict):
            self.kinds.add("structured")
        elif isinstance(node, (ast.List, ast.Tuple, ast.Set)):
            for item in node.elts:
                fields = item.elts if isinstance(item, ast.Tuple) else []
                if isinstance(node, ast.List) and len(fields) > 1 and _is_text(fields[0]):
                    self.kinds.add("structured")
                else:
                    self._dtype(item)
        elif isinstance(node, ast.BinOp):
            self._dtype(node.left)
            self._dtype(node.right)
        elif isinstance(node, ast.IfExp):
            self._dtype(node.body)
            self._dtype(node.orelse)

    def _elements(self, node: ast.expr) -> None:
        """Note the elements of an array that are text or objects."""
        if isinstance(node, (ast.List, ast.Tuple)):
            for item in node.elts:
                self._elements(item)
                if isinstance(item, ast.Constant) and item.value is None:
                    self.kinds.add("object")
        elif _is_text(node):
            self.kinds.add("text")


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes))


def _last_name(node: ast.AST) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _names(node: ast.expr) -> list[str]:
    if isinstance(node, (ast.Tuple, ast.List)):
        return [name for item in node.elts for name in _names(item)]
    return [_last_name(node)]


def kinds_of_source(tree: ast.Module) -> set[str]:
    """Return the kinds of an example of a docstring."""
    reader = _Reader(_File(tree))
    reader.visit(tree)
    return reader.kinds


# ---- pytest

_files: dict[str, _File] = {}


@functools.cache
def _text_kinds(path: str, test: str, within: str | None, fixtures: tuple[str, ...]) -> set[str]:
    # The text is that of the installed file: the copy has other imports.
    if path not in _files:
        _files[path] = _File(ast.parse(Path(path).read_text(encoding="utf-8")))
    return _files[path].kinds(test, within, fixtures)


def kinds_of(item: Any) -> list[str]:
    """Return the kinds of a collected test that do not count; none if it counts."""
    stem = Path(item.path).stem
    if stem in FILES:
        return [FILES[stem][0]]
    package = Path(item.path).parent.name
    source = Path(np.__file__).parent / {"core": "_core"}.get(package, package) / "tests"
    function = getattr(item, "originalname", None) or item.name
    within = item.cls.__name__ if item.cls is not None else None
    found = set(
        _text_kinds(
            str(source / Path(item.path).name), function, within,
            tuple(getattr(item, "fixturenames", ())),
        )
    )  # fmt: skip
    for name, value in getattr(getattr(item, "callspec", None), "params", {}).items():
        found |= kinds_of_value(name, value)
    return sorted(found)


def pytest_collection_modifyitems(config: Any, items: list[Any]) -> None:
    """Leave out the tests that are not run, and write the kinds of all tests."""
    kinds = {item.nodeid: kinds_of(item) for item in items}
    path = Path(os.environ["NUMPY_TESTS_KINDS"])
    if os.environ.get("PYTEST_XDIST_WORKER", "gw0") == "gw0":
        path.write_text(json.dumps(kinds))
    items[:] = [item for item in items if not item.nodeid.endswith(tuple(TESTS_NOT_RUN))]
