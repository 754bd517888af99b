"""Type checkers know the drop-in: its names, the idioms of NumPy's users, and what is wrong."""

import ast
import builtins
import json
import os
import re
import runpy
import shutil
import subprocess
import sys
import sysconfig
import typing
from importlib import import_module
from pathlib import Path

import numpy
import pytest

import corepy
from corepy._finder import OF_NUMPY

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = Path(corepy.__file__).parent
PROGRAMS = ROOT / "tests" / "typing"
ACCEPTED = ("idioms.py", "inferred.py", "star.py")
#: The stubs of NumPy's modules, by the module's path in the drop-in.
STUBS = {
    ".".join(("corepy", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")
    for path in PACKAGE.rglob("*.pyi")
    if path.relative_to(PACKAGE).parts[0] not in ("_cython", "array_api", "nn", "numpy")
}
#: What a module of the package imports for itself.
INTERNAL = {"Any"}

same_numpy = pytest.mark.skipif(
    f"with NumPy {'.'.join(numpy.__version__.split('.')[:2])}."
    not in (PACKAGE / "linalg.pyi").read_text(),
    reason="the stubs have the names of another version of NumPy",
)


def stub_of(module):
    """Return the path of a module's stub."""
    path = PACKAGE.parent / module.replace(".", "/")
    return path / "__init__.pyi" if path.is_dir() else path.with_suffix(".pyi")


def names_in(path):
    """Return the public names that a stub exports."""
    found = set()
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.AnnAssign):
            found.add(node.target.id)
        elif isinstance(node, ast.Assign):
            found |= {target.id for target in node.targets}
        elif isinstance(node, ast.ImportFrom):
            found |= {alias.asname for alias in node.names if alias.asname}
    return {name for name in found if not name.startswith("_")} - INTERNAL


def exports_in(path):
    """Return ``__all__`` of a stub."""
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.Assign) and node.targets[0].id == "__all__":
            return set(ast.literal_eval(node.value))
    raise AssertionError(f"{path} has no __all__")


@same_numpy
def test_names_of_the_drop_in():
    runtime = {name for name in dir(corepy) if not name.startswith("_")} - INTERNAL
    runtime.discard("expm1x")  # numexpr adds it to NumPy
    assert names_in(PACKAGE / "__init__.pyi") == runtime
    assert exports_in(PACKAGE / "__init__.pyi") == set(corepy.__all__)


@same_numpy
@pytest.mark.parametrize("module", sorted(STUBS - {"corepy"}))
def test_names_of_a_module(module):
    stub = names_in(stub_of(module))
    native = import_module(module.replace("corepy", "numpy", 1))
    public = {name for name in getattr(native, "__all__", []) if not name.startswith("_")}
    assert public <= stub
    assert [name for name in stub if not hasattr(import_module(module), name)] == []


def test_each_module_of_numpy_has_a_stub():
    assert {
        "corepy",
        "corepy.random",
        *(f"corepy.{m}" for m in OF_NUMPY),
    } == STUBS


ShapeT, DTypeT = typing.TypeVar("ShapeT"), typing.TypeVar("DTypeT")


class OfTensor(typing.Generic[ShapeT, DTypeT]):
    """Tensor with type arguments, which it has for type checkers alone."""


#: The classes of type checkers at run time, where `NDArray` is NumPy's.
AT_RUN_TIME = {OfTensor: corepy.Tensor, numpy.ndarray: corepy.ndarray}


def agrees(value, kind):
    """Return whether a value is of a type that ``assert_type`` names."""
    if isinstance(kind, str):
        kind = eval(kind, {"Tensor": OfTensor, "np": corepy, "Any": typing.Any})
    if kind is typing.Any:
        return True
    origin, kinds = typing.get_origin(kind) or kind, typing.get_args(kind)
    if hasattr(origin, "__value__"):  # a name of a type, as `NDArray` is since NumPy 2.5
        return agrees(value, origin.__value__[kinds] if kinds else origin.__value__)
    if origin is tuple:
        if kinds[-1:] == (Ellipsis,):
            kinds = kinds[:1] * len(value)
        are_same = isinstance(value, tuple) and len(value) == len(kinds)
        return are_same and all(map(agrees, value, kinds))
    if origin is list:
        return isinstance(value, list) and all(agrees(item, kinds[0]) for item in value)
    if origin is numpy.dtype:
        return isinstance(value, numpy.dtype) and (
            kinds[0] is typing.Any or issubclass(value.type, kinds[0])
        )
    origin = AT_RUN_TIME.get(origin, origin)
    if origin is corepy.ndarray and not kinds and isinstance(value, numpy.generic):
        return True  # of results without axes, where most have some
    members = (value.shape, value.dtype) if kinds else ()
    return isinstance(value, origin) and all(map(agrees, members, kinds))


@pytest.mark.parametrize("program", ACCEPTED)
def test_idioms_run_and_return_what_types_say(program, monkeypatch):
    checked = []

    def assert_type(value, kind):
        assert agrees(value, kind), f"{value!r} is not of type {kind}"
        checked.append(value)

    monkeypatch.setattr(typing, "assert_type", assert_type)
    runpy.run_path(str(PROGRAMS / program))
    assert checked


def simple_results(module):
    """Return the types of results that a stub gives without conditions, by function."""
    functions = [
        n for n in ast.parse(stub_of(module).read_text()).body if isinstance(n, ast.FunctionDef)
    ]
    types = {"Any": typing.Any, "ndarray": corepy.ndarray, "builtins": builtins, "np": numpy}
    found = {}
    for function in functions:
        names = {node.id for node in ast.walk(function.returns) if isinstance(node, ast.Name)}
        if not function.decorator_list and names <= {*types, "bool", "int", "list", "str", "tuple"}:
            found[function.name] = eval(ast.unparse(function.returns), dict(types))
    return {name: kind for name, kind in found.items() if kind not in (None, typing.Any)}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("module", ["corepy", "corepy.linalg", "corepy.fft"])
def test_results_are_of_the_types_in_the_stub(module):
    x, n = corepy.asarray([1.0, 2.0, 3.0]), corepy.asarray([0, 2, 1])
    m = corepy.asarray([[4.0, 1.0, 0.5], [1.0, 3.0, 0.0], [0.0, 1.0, 2.0]])
    # What each function takes differs; most take one of these.
    calls = [(x,), (n,), (m,), (x, x), (n, n), (m, m), (m, x), (x, 1), (n, 2), (m, 0, 1), ((2, 3),)]
    called = set()
    for name, kind in simple_results(module).items():
        for arguments in calls:
            try:
                result = getattr(import_module(module), name)(*arguments)
            except Exception:
                continue
            assert agrees(result, kind), f"{name}{arguments} is {result!r}, not {kind}"
            called.add(name)
    assert len(called) > len(simple_results(module)) / 2


CHECKERS = {
    "mypy": "--strict --follow-imports=silent --no-error-summary --python-executable".split(),
    "pyright": ["--outputjson", "--pythonpath"],
}


@pytest.fixture(scope="module", params=CHECKERS)
def reported(request):
    """The lines with errors that a type checker reports, by program."""
    places = os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]])
    checker = shutil.which(request.param, path=places)
    if checker is None:
        pytest.skip(f"{request.param} is not installed")
    # Pyright is a Python package that fetches the program when it is first used.
    if subprocess.run([checker, "--version"], capture_output=True).returncode:
        pytest.skip(f"{request.param} does not run")
    output = subprocess.run(
        [checker, *CHECKERS[request.param], sys.executable, PROGRAMS],
        capture_output=True,
        text=True,
        cwd=ROOT,
    ).stdout
    if request.param == "pyright":
        found = [
            (Path(each["file"]).name, each["range"]["start"]["line"] + 1)
            for each in json.loads(output)["generalDiagnostics"]
            if each["severity"] == "error"
        ]
    else:
        found = [
            (Path(name).name, int(line)) for name, line in re.findall(r"(\S+):(\d+): error", output)
        ]
    assert "refused.py" in dict(found), output
    return {name: {line for other, line in found if other == name} for name, _ in found}


def test_idioms_are_accepted(reported):
    for program in ACCEPTED:
        assert reported.get(program, set()) == set()


def test_wrong_uses_are_refused(reported):
    tree = ast.parse((PROGRAMS / "refused.py").read_text())
    function = next(node for node in tree.body if isinstance(node, ast.FunctionDef))
    assert reported["refused.py"] == {statement.lineno for statement in function.body}
