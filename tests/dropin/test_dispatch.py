"""Which implementation computes a call is decided before it, and its errors are the caller's."""

import ast
import functools
import inspect
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import corepy
import corepy.array_api as xp
from corepy.numpy import _own
from corepy.numpy._arguments import takes
from corepy.numpy.dispatch import Function, UFunc

from . import calls

PACKAGE = Path(corepy.__file__).parent


class Broken(TypeError):
    """The error of an implementation."""


def broken(function):
    """A function with the signature, annotations and condition of another, that raises."""

    @functools.wraps(function)
    def call(*args, **kwargs):
        raise Broken(function.__name__)

    return call


def functions():
    """The functions of the drop-in that Corepy has implementations of."""
    for path in calls.public_functions():
        function = calls.at(corepy, path)
        if isinstance(function, Function) and function.implementations and "." not in path:
            yield path


def taken_calls(path):
    """Arguments of calls that one of Corepy's implementations takes, and that implementation."""
    function = calls.at(corepy, path)
    for trial in range(200):
        call = calls.Call(path, f"{path}-{trial}", "tensors")
        if call.accepted():
            args, kwargs = call.make()
            args, kwargs = (calls.with_tensors(x, corepy.asarray) for x in (args, kwargs))
            found = function.route(*args, **kwargs)
            if found is not None:
                yield found, args, kwargs


@pytest.mark.parametrize("path", functions())
def test_an_error_of_an_implementation_is_the_error_of_the_call(path):
    function, tried = calls.at(corepy, path), set()
    for found, args, kwargs in taken_calls(path):
        if found in tried:
            continue
        tried.add(found)
        if type(function) is UFunc:
            if found is not function.standard:
                continue
            changed = UFunc(function.path, broken(found), function.native)
        elif found is function.standard:
            changed = Function(function.path, broken(found), function.native)
        else:
            changed = Function(function.path, None, function.native, broken(found))
        with pytest.raises(Broken):
            changed(*args, **kwargs)
        if len(tried) == len(function.implementations):
            break


def test_nothing_catches_errors_to_choose_another_way():
    """No handler of errors about arguments ends without raising."""
    names = {"TypeError", "ValueError", "IndexError", "OverflowError", "Exception"}
    for path in sorted((PACKAGE / "numpy").glob("*.py")):
        for function in ast.walk(ast.parse(path.read_text())):
            if not isinstance(function, ast.FunctionDef):
                continue
            for handler in (h for h in ast.walk(function) if isinstance(h, ast.ExceptHandler)):
                caught = {node.id for node in ast.walk(handler.type) if isinstance(node, ast.Name)}
                raises = any(isinstance(node, ast.Raise) for node in ast.walk(handler))
                assert raises or not caught & names, f"{path.name}: {function.name}"


def test_annotations_say_what_is_taken():
    x = corepy.asarray([3.0, 1.0, 2.0])
    assert corepy.sort.route(x) is corepy.sort.standard
    assert corepy.sort.route([3.0, 1.0]) is corepy.sort.standard
    assert corepy.sort.route(x, None, "stable") is _own.find("corepy.sort")
    for args in (([1j],), (["text"],), (x, 0, "unknown"), (x, 0, None, "field"), (x, 0.5)):
        assert corepy.sort.route(*args) is None, args
    assert corepy.concatenate.route([x, [1, 2]]) is corepy.concatenate.standard
    assert corepy.concatenate.route((x, 2.0), None) is not corepy.concatenate.standard
    assert corepy.add.route(1, 2) is None  # numbers alone are NumPy's
    assert corepy.less.route(x, 1j) is None  # NumPy has an order of complex numbers
    with pytest.raises(TypeError, match=r"^bitwise_and: dtype float64 is not supported"):
        corepy.bitwise_and(x, x)


def test_functions_without_a_signature():
    """Those that NumPy has in C say nothing of it before NumPy 2.4; `max` is one of Python's."""

    @functools.wraps(max)
    def native(*args):
        return np.abs(*args)

    function = Function("corepy.abs", xp.abs, native)
    assert inspect.signature(function) == inspect.signature(xp.abs)
    assert function(corepy.asarray([-2.0])).tolist() == [2.0]
    assert "\nx : array_like\n" in function.__doc__
    assert "\na, b : array_like\n" in Function("corepy.dot", None, native).__doc__


def test_arguments_are_converted_once():
    class Counted:
        count = 0

        def __array__(self, dtype=None, copy=None):
            Counted.count += 1
            return np.arange(3.0)

    assert corepy.sum(Counted()) == 3.0
    assert Counted.count == 1


def test_conditions_are_about_converted_arguments():
    seen = []

    @takes(lambda a, b, rest: seen.append((a, b, rest)) or b > 0)
    def own(a, b: int = 1, *rest: int):
        return "own"

    def native(a, b=1, *rest):
        return "native"

    function = Function("corepy.an_example", None, native, own)
    assert function(None) == function(None, np.int8(2), 3, np.int64(4)) == "own"
    assert function(None, 0) == "native"
    assert function(None, 1.5) == "native"
    assert seen == [(None, 1, ()), (None, 2, (3, 4)), (None, 0, ())]
    assert all(type(number) is int for _, b, rest in seen for number in (b, *rest))


def test_the_names_of_own_functions_are_those_of_their_modules():
    for modules in _own.FUNCTIONS.values():
        for module, names in modules.items():
            assert names.split() == sorted(import_module(f"corepy.numpy.{module}").__all__)
