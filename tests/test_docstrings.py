"""The documentation of the public functions is complete and in numpydoc's form."""

import inspect

import pytest
from standard import public_functions

import corepy

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
def test_there_is_an_example(name):
    """`test_documentation.py` runs them."""
    examples = sections(FUNCTIONS[name])["Examples"]
    assert examples.startswith(">>> import corepy.array_api as xp\n")
    assert examples.count(">>> ") > 1


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_standard_is_referred_to(name):
    assert "2025.12" in inspect.getdoc(FUNCTIONS[name])


@pytest.mark.parametrize("name", FUNCTIONS)
def test_annotations_are_complete(name):
    signature = inspect.signature(FUNCTIONS[name])
    assert signature.return_annotation is not signature.empty
    for parameter in signature.parameters.values():
        assert parameter.annotation is not parameter.empty, parameter.name


def test_methods_of_tensor_are_documented():
    for name, member in vars(corepy.Tensor).items():
        if not name.startswith("_"):
            assert inspect.getdoc(member), name
