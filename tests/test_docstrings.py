"""The documentation of the public functions: complete, in numpydoc's form, with true examples."""

import doctest
import inspect

import numpy as np
import pytest

import corepy
import corepy.array_api as xp

PAGES = [
    "creation_functions", "data_type_functions", "elementwise_functions", "indexing_functions",
    "info", "linear_algebra_functions", "manipulation_functions", "searching_functions",
    "set_functions", "sorting_functions", "statistical_functions", "utility_functions", "linalg",
    "fft", "_namespace",
]  # fmt: skip
OTHERS = ["corepy", "corepy._config", "corepy.testing", "corepy._cython.core",
          "corepy.backend.registry"]  # fmt: skip


def public_functions():
    found = {}
    for prefix, module in (("", xp), ("linalg.", xp.linalg), ("fft.", xp.fft)):
        for name in module.__all__:
            value = getattr(module, name)
            if callable(value) and not isinstance(value, (type, np.dtype)):
                found[prefix + name] = value
    return found


FUNCTIONS = public_functions()


def sections(function):
    """Title -> text of the sections of a numpydoc docstring; the summary under ``""``."""
    lines = inspect.getdoc(function).splitlines()
    found, title = {"": []}, ""
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        if line and below and set(below) == {"-"} and len(below) == len(line):
            title = line
            found[title] = []
        elif not (line and set(line) == {"-"}):
            found[title].append(line)
    return {title: "\n".join(text).strip() for title, text in found.items()}


def test_there_are_functions():
    assert len(FUNCTIONS) > 160


@pytest.mark.parametrize("name", FUNCTIONS)
def test_sections(name):
    function = FUNCTIONS[name]
    found = sections(function)
    summary = found[""].splitlines()[0]
    assert summary.endswith("."), summary
    assert "Returns" in found
    assert found["Returns"]
    parameters = list(inspect.signature(function).parameters.values())
    if parameters:
        described = found["Parameters"]
        for parameter in parameters:
            star = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}
            shown = star.get(parameter.kind, "") + parameter.name
            heads = [line for line in described.splitlines() if line and not line[0].isspace()]
            names = [part.strip() for head in heads for part in head.split(" : ")[0].split(",")]
            assert shown in names, f"{shown} is not described"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_standard_is_referred_to(name):
    assert "2025.12" in inspect.getdoc(FUNCTIONS[name])


@pytest.mark.parametrize("name", FUNCTIONS)
def test_annotations_are_complete(name):
    signature = inspect.signature(FUNCTIONS[name])
    assert signature.return_annotation is not signature.empty
    for parameter in signature.parameters.values():
        assert parameter.annotation is not parameter.empty, parameter.name


def run_doctests(docstrings, names):
    """Run the examples of docstrings; return how many there were."""
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    finder = doctest.DocTestParser()
    report = []
    for where, text in docstrings.items():
        test = finder.get_doctest(text, dict(names), where, None, 0)
        runner.run(test, out=report.append)
    assert not runner.failures, "".join(report)
    return runner.tries


def docstrings_of(module):
    """The docstrings of a module and of what is defined in it, compiled or not."""
    found = {module.__name__: module.__doc__ or ""}
    for name, value in vars(module).items():
        if getattr(value, "__module__", None) != module.__name__ or name.startswith("__"):
            continue
        found[f"{module.__name__}.{name}"] = getattr(value, "__doc__", None) or ""
        if isinstance(value, type):
            for attribute, member in vars(value).items():
                text = getattr(member, "__doc__", None)
                if isinstance(text, str) and not attribute.startswith("__"):
                    found[f"{module.__name__}.{name}.{attribute}"] = text
    return found


@pytest.mark.parametrize("name", PAGES + OTHERS)
def test_examples(name):
    path = name if name.startswith("corepy") else f"corepy.array_api.{name}"
    module = __import__(path, fromlist=["_"])
    own = {key: value for key, value in vars(module).items() if not key.startswith("__")}
    run_doctests(docstrings_of(module), own | {"xp": xp, "np": np, "corepy": corepy})


def test_examples_are_found():
    docstrings = {}
    for name in PAGES:
        module = __import__(f"corepy.array_api.{name}", fromlist=["_"])
        docstrings.update(docstrings_of(module))
    assert sum(">>>" in text for text in docstrings.values()) > 20


def test_methods_of_tensor_are_documented():
    for name, member in vars(corepy.Tensor).items():
        if not name.startswith("_"):
            assert inspect.getdoc(member), name
