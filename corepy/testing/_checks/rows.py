"""The rows of the schema: the files that the core is generated from are part of the package."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from corepy._cython import core

SCHEMA = Path(core.__file__).parent / "schema"

#: Kinds of dtypes in the schema's words, in the order of a category's columns.
_KINDS = ("b", "iu", "f", "c")


@dataclass(frozen=True)
class Row:
    """An operation.

    Attributes
    ----------
    name : str
        The standard's name, "linalg.det" for example.
    work : str
        The kind of operation: "unary", "binary", "ternary", "reduce", "scan", or "named".
    parameters : tuple of str
        Its parameters: those of the position, and those that are keywords.
    keywords : tuple of str
        The latter alone.
    accepts : str
        The kinds of dtypes that its first array may have, as NumPy's letters.
    """

    name: str
    work: str
    parameters: tuple[str, ...]
    keywords: tuple[str, ...]
    accepts: str


@functools.cache
def categories() -> dict[str, str]:
    """Return the kinds of dtypes of each category that operations accept."""
    text = (SCHEMA / "categories.def").read_text()
    found = re.findall(r"^CATEGORY\((\w+), (\d), (\d), (\d), (\d),", text, re.M)
    return {
        name: "".join(kind for kind, bit in zip(_KINDS, bits, strict=True) if bit == "1")
        for name, *bits in found
    }


@functools.cache
def dtypes() -> tuple[np.dtype, ...]:
    """Return the dtypes that NumPy has, too."""
    names = re.findall(r"^DTYPE\((\w+),", (SCHEMA / "dtypes.def").read_text(), re.M)
    return tuple(np.dtype(name) for name in names if hasattr(np, name))


def operations_text() -> str:
    """Return operations.def, with the files that it includes."""
    return re.sub(
        r'^#include "(.+)"$',
        lambda found: (SCHEMA / found[1]).read_text(),
        (SCHEMA / "operations.def").read_text(),
        flags=re.M,
    )


def operations(standard: bool = True) -> list[tuple[str, str, str, str]]:
    """Return name, kind of operation, category and rule of the result of each numbered operation.

    Parameters
    ----------
    standard : bool, optional
        Those of the standard, or those that it does not have: NumPy's and of neural networks.
    """
    return [
        (fields[0], fields[1], fields[3], fields[4])
        for kind, fields in _fields(standard)
        if kind == "OPERATION"
    ]


@functools.cache
def rows() -> tuple[Row, ...]:
    """Return all operations that a backend computes, in the order of the schema."""
    named = core.named_operations()
    result = []
    for kind, fields in (*_fields(True), *_fields(False)):
        name = fields[0]
        if name not in named:
            continue
        positional, keywords = named[name]
        work, accepts = (fields[1], fields[3]) if kind == "OPERATION" else ("named", fields[2])
        first = accepts.strip("()").split(",")[0].strip()
        result.append(
            Row(name, work, (*positional, *keywords), tuple(keywords), categories()[first])
        )
    return tuple(result)


@functools.cache
def _fields(standard: bool) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the kind of each row, and the text of its fields: the standard's, or the others."""
    lines = operations_text().splitlines()
    text = " ".join(line for line in lines if not line.startswith(("//", "#")))
    text = text.split("PAGE(numpy)")[not standard]  # the pages after it are not the standard's
    found = []
    for match in re.finditer(r"\b(OPERATION|FUNCTION)\(", text):
        fields, depth, begin = [], 0, match.end()
        for place in range(match.end(), len(text)):
            letter = text[place]
            if letter == "(":
                depth += 1
            elif letter == ")":
                depth -= 1
            if depth < 0 or (letter == "," and depth == 0):
                fields.append(" ".join(text[begin:place].split()))
                begin = place + 1
            if depth < 0:
                break
        found.append((match.group(1), tuple(fields)))
    return tuple(found)
