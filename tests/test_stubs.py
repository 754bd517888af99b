"""The stub of the core agrees with the core, and type checkers find it."""

import ast
import inspect
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import corepy
from corepy._cython import core

PACKAGE = Path(corepy.__file__).parent
STUB = ast.parse((PACKAGE / "_cython" / "core.pyi").read_text())
REDUCTIONS = "all any argmax argmin max mean min prod std sum var".split()

# Classes and functions that Python code does not use.
INTERNAL = {
    "Block", "Export", "ExporterOfWords", "NamedOperation", "Parameter",
}  # fmt: skip
# What every object has, or Cython gives every class.
EVERYWHERE = {
    *dir(object),
    "__pyx_vtable__",
    "__reduce_cython__",
    "__setstate__",
    "__setstate_cython__",
}
# Refuses with a message of its own; that it is missing is what type checkers should know.
REFUSED = {"__delitem__", "cpu", "cuda", "numpy"}
# The buffer protocol has a name in Python since 3.12.
IF_NEW = {"__buffer__"} if sys.version_info < (3, 12) else set()

Definition = ast.FunctionDef | ast.ClassDef


def definitions(body):
    """Return the functions, classes and variables of a module's or class's body, by name.

    Of properties that can be set, what gets them; of functions with several signatures, the last
    one, which is the most general.
    """
    found = {}
    for statement in body:
        if isinstance(statement, Definition) and not is_setter(statement):
            found[statement.name] = statement
        elif isinstance(statement, ast.AnnAssign):
            found[statement.target.id] = statement
    return {name: value for name, value in found.items() if is_public(name)}


def is_setter(statement):
    """Tell whether a function sets a property."""
    return any(ast.unparse(item).endswith(".setter") for item in statement.decorator_list)


def is_public(name):
    """Tell whether a name is public or one of Python's protocols."""
    return not name.startswith("_") or name.startswith("__")


def members(kind):
    """Return the public names that a class of the core defines itself."""
    public = {name: value for name, value in vars(kind).items() if is_public(name)}
    return {name for name, value in public.items() if not is_added(value)} - EVERYWHERE


def is_added(value):
    """Return whether an attribute is one of NumPy's, which `corepy.numpy` adds to Tensor."""
    function = getattr(value, "fget", value)
    return (getattr(function, "__module__", None) or "").startswith("corepy.numpy")


NAMES = definitions(STUB.body)
CLASSES = {name: node for name, node in NAMES.items() if isinstance(node, ast.ClassDef)}
FUNCTIONS = [(name, node, core) for name, node in NAMES.items() if isinstance(node, Definition)]
METHODS = [
    (name, node, getattr(core, owner))
    for owner, body in CLASSES.items()
    for name, node in definitions(body.body).items()
    if isinstance(node, ast.FunctionDef)
]
CALLABLES = [
    pytest.param(node, getattr(owner, name), id=f"{owner.__name__.rpartition('.')[2]}.{name}")
    for name, node, owner in [*FUNCTIONS, *METHODS]
    if isinstance(node, ast.FunctionDef) and hasattr(owner, name)
]


def test_type_checkers_are_told_that_there_are_types():
    assert (PACKAGE / "py.typed").is_file()


def test_names_of_the_module():
    runtime = {
        name
        for name, value in vars(core).items()
        if not name.startswith("_") and not isinstance(value, ModuleType)
    }
    assert set(NAMES) == runtime - INTERNAL


@pytest.mark.parametrize("name", CLASSES)
def test_names_of_a_class(name):
    kind = getattr(core, name)
    own = set(definitions(CLASSES[name].body))
    inherited = {member for base in kind.__mro__[1:-1] for member in members(base)}
    # A class may do better what its base promises; that needs no line in the stub.
    assert members(kind) - own <= inherited | REFUSED
    assert own - {*dir(kind)} <= IF_NEW


@pytest.mark.parametrize("name", CLASSES)
def test_bases_and_finality_of_a_class(name):
    kind = getattr(core, name)
    # Tensor has type parameters for annotations alone.
    found = [base.id for base in CLASSES[name].bases if isinstance(base, ast.Name)]
    bases = found or ["object"]
    assert bases == [base.__name__ for base in kind.__bases__]
    # Programs derive from corepy.ndarray, which derives from Tensor.
    if name == "Tensor" or any(
        ast.unparse(item) == "final" for item in CLASSES[name].decorator_list
    ):
        with pytest.raises(TypeError, match="not an acceptable base type"):
            type("Derived", (kind,), {})
    else:
        type("Derived", (kind,), {})


@pytest.mark.parametrize(("node", "function"), CALLABLES)
def test_parameters(node, function):
    is_property = any(ast.unparse(item) == "property" for item in node.decorator_list)
    assert is_property == inspect.isdatadescriptor(function)
    if type(function).__name__ not in ("cython_function_or_method", "function"):
        return  # a property, or an operator, whose parameters are the language's
    assert stub_parameters(node) == [
        (parameter.name, parameter.kind, stub_default(parameter))
        for parameter in inspect.signature(function).parameters.values()
    ]


@pytest.mark.parametrize("name", REDUCTIONS)
def test_parameters_of_reductions_of_ndarray(name):
    stub = ast.parse((PACKAGE / "numpy" / "ndarray.pyi").read_text())
    function = getattr(corepy.ndarray, name)
    *_, node = (n for n in ast.walk(stub) if isinstance(n, ast.FunctionDef) and n.name == name)
    assert stub_parameters(node)[1:] == [
        (parameter.name, parameter.kind, stub_default(parameter))
        for parameter in list(inspect.signature(function).parameters.values())[1:]
    ]
    assert ast.get_docstring(node) == function.__doc__.partition("\n")[0]


def stub_default(parameter):
    """Return the default of a parameter as the stub writes it, None if it has none."""
    if parameter.default is np._NoValue:  # NumPy's for "not given"
        return "..."
    return None if parameter.default is parameter.empty else repr(parameter.default)


def stub_parameters(node):
    """Return (name, kind, default) of each parameter of a function in the stub."""
    kinds = inspect.Parameter
    arguments = node.args
    positional = [(argument, kinds.POSITIONAL_ONLY) for argument in arguments.posonlyargs]
    positional += [(argument, kinds.POSITIONAL_OR_KEYWORD) for argument in arguments.args]
    missing = [None] * (len(positional) - len(arguments.defaults))
    defaults = [*missing, *arguments.defaults]
    found = [(*pair, default) for pair, default in zip(positional, defaults, strict=True)]
    if arguments.vararg:
        found.append((arguments.vararg, kinds.VAR_POSITIONAL, None))
    if arguments.kwarg:
        found.append((arguments.kwarg, kinds.VAR_KEYWORD, None))
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        found.append((argument, kinds.KEYWORD_ONLY, default))
    return [
        (argument.arg, kind, None if default is None else ast.unparse(default))
        for argument, kind, default in found
    ]
