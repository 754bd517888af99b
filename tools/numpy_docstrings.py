"""Run the examples of NumPy's docstrings with Corepy in NumPy's place; see `numpy_tests`.

usage: python tools/numpy_docstrings.py LIBRARY FILE

LIBRARY is ``numpy`` or ``corepy``; the outcome of each example is written to FILE. An example
counts if NumPy itself prints what its docstring shows, and if neither it nor what made one of its
variables is of a kind in `numpy_kinds.KINDS`.

What is printed differently by design is compared without the difference (`normalised`).
"""

from __future__ import annotations

import ast
import contextlib
import doctest
import io
import json
import os
import re
import sys
import tempfile
import warnings
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy_kinds import kinds_of_code, kinds_of_source
from numpy_names import groups, original
from numpy_tests import replaced

_NUMBER = r"[-+]?(?:nan|inf|\d+\.?\d*(?:e[-+]?\d+)?)"
_COMPLEX = rf"\(?(?:{_NUMBER})?[-+]?(?:nan|inf|\d+\.?\d*(?:e[-+]?\d+)?)j\)?"
_VALUE = rf"(True|False|{_COMPLEX}|{_NUMBER})"
_SCALAR = rf"np\.(?:bool|u?int\d+|float\d+|complex\d+)\({_VALUE}\)"


def _as_printed(match: re.Match[str]) -> str:
    """Return a scalar as an array prints it: with 8 digits."""
    text = match[1].strip("()")
    value = np.asarray(complex(text) if text.endswith("j") else float(text))
    return text if re.fullmatch(r"[-+]?\d+", text) else np.array2string(value[None])[1:-1].strip()


def normalised(text: str) -> str:
    """Return printed text without what differs by design.

    - Tensors are named Tensor, arrays array; continuation lines are indented by that.
    - Where NumPy has a scalar there is a 0-d tensor: both are compared as the number, with the 8
      digits of an array.
    - The class is `corepy.Tensor`.
    """
    text = text.replace("<class 'corepy.Tensor'>", "<class 'numpy.ndarray'>")
    text = text.replace("<BLANKLINE>", "")
    text = re.sub(r"np\.(True|False)_|np\.bool\((True|False)\)", r"\1\2", text)
    text = re.sub(_SCALAR, _as_printed, text)
    text = re.sub(rf"(?:Tensor|array)\({_VALUE}(?:, dtype=\w+)?\)", r"\1", text)
    text = re.sub(r"\bTensor\(", "array(", text)
    text = re.sub(r"(\d)\.(?!\d)", r"\1.0", text)
    return " ".join(re.sub(r"\s*([\[\](),])\s*", r"\1 ", text).split())


class _Checker(doctest.OutputChecker):
    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        return super().check_output(want, got, optionflags) or super().check_output(
            normalised(want) + "\n", normalised(got) + "\n", optionflags
        )


class _Runner(doctest.DocTestRunner):
    """Notes which examples of a docstring print what they show."""

    def __init__(self) -> None:
        super().__init__(
            _Checker(), verbose=False, optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
        )
        self.outcomes: dict[int, str] = {}

    def report_start(self, out: Any, test: Any, example: Any) -> None:
        pass

    def report_success(self, out: Any, test: Any, example: Any, got: str) -> None:
        self.outcomes[example.lineno] = ""

    def report_failure(self, out: Any, test: Any, example: Any, got: str) -> None:
        self.outcomes[example.lineno] = f"expected {example.want!r}, got {got!r}"

    def report_unexpected_exception(self, out: Any, test: Any, example: Any, info: Any) -> None:
        self.outcomes[example.lineno] = f"{info[0].__name__}: {info[1]}"


def docstrings() -> Iterator[tuple[str, str]]:
    """Yield the paths below ``numpy`` and the docstrings of NumPy's names and their methods."""
    seen = set()
    for paths in groups().values():
        for path in paths:
            value = original(path)
            found = [(path, value)]
            if isinstance(value, type):
                found += [(f"{path}.{n}", m) for n, m in vars(value).items() if n[0] != "_"]
            for name, item in found:
                text = getattr(item, "__doc__", None)
                if isinstance(text, str) and ">>>" in text and text not in seen:
                    seen.add(text)
                    yield name, text


def kinds_of_examples(examples: list[doctest.Example]) -> list[list[str]]:
    """Return the kinds of each example of a docstring, with those of the variables that it uses."""
    found = []
    kinds_of_variable: dict[str, set[str]] = {}
    for example in examples:
        try:
            tree = ast.parse(example.source)
        except SyntaxError:
            found.append(["internals"])
            continue
        names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        kinds = kinds_of_source(tree) | kinds_of_shown(example.want)
        for name in names:
            kinds |= kinds_of_variable.get(name, set())
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                kinds_of_variable[node.id] = kinds
        found.append(sorted(kinds))
    return found


def kinds_of_shown(text: str) -> set[str]:
    """Return the kinds of dtypes in printed text."""
    found: set[str] = set()
    for code in re.findall(r"dtype=(?:'([^']*)'|(\w+))", text):
        found |= kinds_of_code(code[0] or code[1])
    if re.search(r"dtype=\[\(|dtype\(\[|rec\.array", text):
        found.add("structured")
    return found


def run(library: str) -> dict[str, dict[str, Any]]:
    """Run all examples and return their outcomes."""
    module = import_module(library)
    parser = doctest.DocTestParser()
    found: dict[str, dict[str, Any]] = {}
    for path, text in docstrings():
        try:
            examples = parser.get_examples(text)
        except ValueError:
            continue  # not written as doctest wants it
        kinds = kinds_of_examples(examples)
        for example in examples:
            if library == "corepy":
                with contextlib.suppress(SyntaxError):
                    example.source = replaced(example.source)
        test = doctest.DocTest(examples, {"np": module}, path, None, 0, text)
        runner = _Runner()
        quiet = contextlib.redirect_stderr(io.StringIO())
        with quiet, np.printoptions(), np.errstate(), warnings.catch_warnings():
            runner.run(test, out=lambda _: None)
        for example, kind in zip(examples, kinds, strict=True):
            found[f"{path}:{example.lineno}"] = {
                "outcome": "failed" if runner.outcomes.get(example.lineno) else "passed",
                "message": runner.outcomes.get(example.lineno, ""),
                "source": example.source,
                "kinds": kind,
            }
    return found


def main() -> int:
    """Run the examples in an empty folder."""
    library, file = sys.argv[1], Path(sys.argv[2]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        outcomes = run(library)
        os.chdir("/")
    file.write_text(json.dumps({"numpy": np.__version__, "tests": outcomes}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
