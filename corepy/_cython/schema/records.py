"""Reads the schema: the rows of operations.def, dtypes.def and categories.def."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any, NamedTuple

SCHEMA = Path(__file__).resolve().parent
CORE = SCHEMA.parent
ROOT = CORE.parent.parent

#: Annotations of parameters that are arrays; inference.pyx has constants of these names.
ARRAYS = ("array", "operand", "arrays")


class Parameter(NamedTuple):
    """A parameter of an operation; `default` is source text, or None where there is none."""

    name: str
    kind: str  # one of ARRAYS, or empty
    check: str  # NULL where there is none
    choices: str  # source text of a tuple, or empty
    accepts: str
    default: str | None
    positional: bool
    variadic: bool


class Row(NamedTuple):
    """A row of operations.def; `work` is empty for an operation without a number.

    `comment` has the lines of the comment above the row, the function's documentation.
    """

    page: str
    name: str
    work: str
    signature: str
    accepts: tuple[str, ...]
    dtype: tuple[str, ...]
    shape: tuple[str, ...]
    comment: tuple[str, ...]

    @property
    def function(self) -> ast.FunctionDef:
        """A function with the operation's parameters."""
        function = ast.parse(f"def f{self.signature}: pass").body[0]
        assert isinstance(function, ast.FunctionDef)
        return function

    @property
    def parameters(self) -> list[Parameter]:
        """The parameters, in the order of the signature."""
        arguments = self.function.args
        accepts = list(self.accepts)

        def parameter(node: ast.arg, default: Any, positional: bool, variadic: bool = False) -> Any:
            annotation = ast.unparse(node.annotation) if node.annotation else ""
            if positional and self.work and not annotation:
                annotation = "operand" if self.work == "binary" else "array"
            word, _, inner = annotation.replace("'", '"').partition("(")
            inner = inner.removesuffix(")")
            kind, check, choices = "", word or "NULL", ""
            if word in ARRAYS:
                kind, check = word, inner or "NULL"
            elif word == "one_of":
                check, choices = "word", f"({inner})"
            accepted = "all"
            if not self.work and (kind or (node.arg == "dtype" and not self.has_arrays)):
                accepted = accepts.pop(0) if len(accepts) > 1 else accepts[0]
            text = None if default is None else ast.unparse(default).replace("'", '"')
            return Parameter(node.arg, kind, check, choices, accepted, text, positional, variadic)

        before = [*arguments.posonlyargs, *arguments.args]
        defaults = [None] * (len(before) - len(arguments.defaults)) + arguments.defaults
        found = [parameter(*pair, True) for pair in zip(before, defaults, strict=True)]
        if arguments.vararg:
            found.append(parameter(arguments.vararg, None, True, True))
        pairs = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        return [*found, *(parameter(*pair, False) for pair in pairs)]

    @property
    def has_arrays(self) -> bool:
        """Whether a parameter is an array."""
        return any(f": {kind}" in self.signature for kind in ARRAYS)

    @property
    def plain_signature(self) -> str:
        """The signature without annotations."""
        arguments = self.function.args
        for node in ast.walk(arguments):
            if isinstance(node, ast.arg):
                node.annotation = None
        return f"({ast.unparse(arguments)})"


def split(text: str) -> list[str]:
    """Split arguments at commas that are in no parentheses or brackets."""
    parts, depth = [""], 0
    for character in text:
        depth += (character in "([") - (character in ")]")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [" ".join(part.split()) for part in parts]


class Call(NamedTuple):
    """A macro call of a .def file, and the lines of the comment directly above it."""

    macro: str
    arguments: list[str]
    comment: tuple[str, ...]


def lines_of(path: Path) -> list[str]:
    """Return the lines of a .def file, with those of the files that it includes."""
    found = list[str]()
    for line in path.read_text().splitlines():
        included = re.fullmatch(r'#include "(.+)"', line)
        found += lines_of(path.parent / included[1]) if included else [line]
    return found


def read(path: Path) -> list[Call]:
    """Return the macro calls of a .def file."""
    calls, comment, text = list[Call](), list[str](), ""
    for line in lines_of(path):
        if line.startswith("//"):
            comment.append(line[2:].removeprefix(" "))
        elif line.startswith("#") or not (text or line):
            comment = []
        else:
            text += line + "\n"
            if text.count("(") == text.count(")"):
                macro, arguments = text.strip().split("(", 1)
                calls.append(Call(macro, split(arguments.removesuffix(")")), tuple(comment)))
                comment, text = [], ""
    return calls


def rules(text: str) -> tuple[str, ...]:
    """The rules of a column: one, or those of several results in parentheses."""
    return tuple(split(text.strip("()")))


class Shared(NamedTuple):
    """A PARAMETER row: the documentation of a parameter of several functions."""

    annotation: str
    comment: tuple[str, ...]


class Operations(NamedTuple):
    """What operations.def contains."""

    rows: list[Row]
    pages: dict[str, list[str]]  # the names that each page exports
    shared: dict[tuple[str, str], Shared]  # by page, empty for all pages, and name


def read_operations() -> Operations:
    """Read operations.def."""
    rows, pages, shared, page = list[Row](), dict[str, list[str]](), dict[Any, Shared](), ""
    for macro, fields, comment in read(SCHEMA / "operations.def"):
        if macro == "PARAMETER":
            name, annotation = fields
            shared[page, name] = Shared(annotation, comment)
            continue
        if macro == "PAGE":
            page = fields[0]
            pages[page] = []
            continue
        pages[page].append(fields[0].removeprefix(page + "."))
        if macro == "OPERATION":
            name, work, signature, accepts, dtype, shape = fields
        elif macro == "FUNCTION":
            name, signature, accepts, dtype, shape = fields
            work = ""
        else:
            continue
        row = Row(page, name, work, signature, rules(accepts), rules(dtype), rules(shape), comment)
        rows.append(row)
    return Operations(rows, pages, shared)


def declared(kind: str) -> dict[str, str]:
    """Return functions that the core and the families of operations declare, with their modules."""
    paths = [CORE / "core.pxd", *sorted((CORE / "cpu").glob("*.pxd"))]
    return {
        name: ".".join(("corepy", *path.relative_to(ROOT / "corepy").with_suffix("").parts))
        for path in paths
        for name in re.findall(rf"^{kind} [\w ]+? (\w+)\(", path.read_text(), re.MULTILINE)
    }


ROWS, PAGES, SHARED = read_operations()
#: The pages of functions that the standard does not have.
BEYOND = ("numpy", "nn")
DTYPES = [call.arguments for call in read(SCHEMA / "dtypes.def")]
#: The dtypes that the standard does not have.
HALVES = ("float16", "bfloat16")
CATEGORIES = [call.arguments for call in read(SCHEMA / "categories.def")]
