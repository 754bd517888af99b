"""The drop-in's functions and methods have complete docstrings of their own, whose examples run."""

import doctest
import inspect
import re
from functools import cache
from importlib import import_module

import numpy as np
import pytest

import corepy
from corepy._cython.drawing import Draw
from corepy.numpy import _documentation
from corepy.numpy.dispatch import Function
from corepy.numpy.ndarray import Method

#: The modules whose functions have entries; those of others are NumPy's, with NumPy's docstrings.
MODULES = """
    fft lib.array_utils lib.scimath lib.stride_tricks linalg polynomial polynomial.chebyshev
    polynomial.hermite polynomial.hermite_e polynomial.laguerre polynomial.legendre
    polynomial.polynomial polynomial.polyutils random rec strings char
""".split()


def public(path):
    """The names and functions of a module of the drop-in."""
    module = import_module(f"corepy.{path}") if path else corepy
    for name in sorted(set(getattr(module, "__all__", ()) or dir(module))):
        value = getattr(module, name, None) if not name.startswith("_") else None
        if isinstance(value, (Function, Draw)):
            yield f"{path}.{name}".lstrip("."), value


FUNCTIONS = dict(item for path in ["", *MODULES] for item in public(path))
FUNCTIONS |= {
    f"random.{cls.__name__}.{name}": method
    for cls in (corepy.random.Generator, corepy.random.RandomState)
    for name, method in vars(cls).items()
    if isinstance(method, Draw)
}
FUNCTIONS |= {
    f"ndarray.{name}": method
    for name, method in vars(corepy.ndarray).items()
    if isinstance(method, Method)
}
FUNCTIONS |= {f"add.{name}": getattr(corepy.add, name) for name in _documentation.UFUNC_METHODS}
EACH = pytest.mark.parametrize("path", sorted(FUNCTIONS))


@cache
def native(path):
    found = np
    for name in path.split("."):
        found = getattr(found, name, None)
    return found


def sentences(text):
    """Sentences of at least ten words."""
    found = re.split(r"(?<=[.:])\s+|\n\s*\n", re.sub(r"[`*]", "", text))
    found = [" ".join(each.split()) for each in found]
    return {each for each in found if len(each.split()) >= 10}


@EACH
def test_the_text_is_corepys(path):
    text = FUNCTIONS[path].__doc__
    summary = text.split("\n\n")[0]
    assert summary.endswith("."), summary
    assert "\n" not in summary
    assert "See `numpy" not in summary
    native_text = getattr(native(path), "__doc__", None) or ""
    assert not sentences(text.split("Examples\n---")[0]) & sentences(native_text)


@EACH
def test_parameters_are_described(path):
    try:
        signature = inspect.signature(FUNCTIONS[path])
    except ValueError:
        assert path in ("fromstring", "lib.array_utils.normalize_axis_index"), "no signature"
        return
    text = FUNCTIONS[path].__doc__
    parameters = text.partition("Parameters\n----------\n")[2].partition("\n\n")[0]
    for parameter in signature.parameters.values():
        if parameter.name != "self":
            star = {parameter.VAR_POSITIONAL: r"\*", parameter.VAR_KEYWORD: r"\*\*"}
            name = star.get(parameter.kind, "") + parameter.name
            heads = rf"^(?:\S+, )*{name}(?:, \S+)*(?: : .+)?\n +\S"
            assert re.search(heads, parameters, re.MULTILINE), name
    entry = _documentation.find(path)
    if entry:
        unknown = set(entry.fields) - {*signature.parameters, *_documentation.SECTIONS, "Differs"}
        assert unknown == set()
    assert "\nReturns\n-------\n" in text or "\nYields\n------\n" in text


@EACH
def test_examples(path):
    """As a reader copies them: what they use, they import."""
    text = FUNCTIONS[path].__doc__
    test = doctest.DocTestParser().get_doctest(text, {}, path, path, 0)
    assert test.examples, "there is no example"
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)
    report = []
    state = np.random.get_state()  # noqa: NPY002
    with np.printoptions(), np.errstate():
        runner.run(test, out=report.append)
    np.random.set_state(state)  # noqa: NPY002
    assert not runner.failures, "".join(report)


def test_every_entry_is_used():
    used = {path.rpartition(".")[2] for path in FUNCTIONS}
    found = {path for path in _documentation.entries() if path.rpartition(".")[2] not in used}
    series = {path for path in found if path.startswith("polynomial.*.")}
    assert found - series - {"row_stack"} == {"*", "ufunc"}  # NumPy 2.5 has no row_stack
    for path in series:
        assert _documentation.find(f"polynomial.chebyshev.cheb{path[13:]}"), path
