"""The imports of the package: no module needs itself, by way of others.

Imports in functions count: they hide a circle, and do not remove it. Imports for type checkers do
not.
"""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

CYTHON = re.compile(r"^\s*(?:from\s+([\w.]+)\s+)?c?import\s+\(?([\w., ]*)", re.M)


def module_of(path):
    """Return the name of a file's module; the core consists of the files that it includes."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    if path.suffix == ".pxi":
        return ".".join(parts[:3]) if parts[1:3] == ("_cython", "core") else None
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def files():
    """Return the files of each module."""
    found = {}
    for path in sorted((ROOT / "corepy").rglob("*.p*")):
        if path.suffix in (".py", ".pyx", ".pxi", ".pxd") and module_of(path):
            found.setdefault(module_of(path), []).append(path)
    return found


def is_for_type_checkers(node):
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def in_python(node, package):
    """Yield the modules, or the names in modules, that Python source imports."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            yield from (alias.name for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            above = package.rsplit(".", child.level - 1)[0] if child.level else ""
            base = ".".join(filter(None, (above, child.module)))
            yield from (f"{base}.{alias.name}" for alias in child.names)
        for part in child.orelse if is_for_type_checkers(child) else [child]:
            yield from in_python(part, package)


def in_cython(text):
    """Yield the same of Cython source, whose imports are absolute."""
    for base, names in CYTHON.findall(text):
        for name in names.split(","):
            yield ".".join(filter(None, (base, *name.split()[:1])))


def imports():
    """Return the modules of the package that each of them imports."""
    known = files()
    found = {name: set() for name in known}
    for module, paths in known.items():
        for path in paths:
            package = module if path.stem == "__init__" else module.rpartition(".")[0]
            text = path.read_text()
            given = in_python(ast.parse(text), package) if path.suffix == ".py" else in_cython(text)
            for name in given:
                found[module].add(name if name in known else name.rpartition(".")[0])
    return {module: (names & known.keys()) - {module} for module, names in found.items()}


def reached(start, edges):
    found, waiting = set(), [start]
    while waiting:
        new = edges[waiting.pop()] - found
        found |= new
        waiting += new
    return found


def circles(edges):
    """Return the sets of modules that need each other."""
    needs = {module: reached(module, edges) for module in edges}
    return {
        frozenset(other for other in needs[module] if module in needs[other])
        for module in edges
        if module in needs[module]
    }


def test_circles_are_found():
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}}) == {frozenset("bc")}


@pytest.mark.skipif(not (ROOT / "corepy").exists(), reason="reads the source tree")
def test_no_module_needs_itself():
    found = imports()
    assert "corepy.backend.registry" in found["corepy.backend.costs"]
    assert "corepy._cython.inference" in found["corepy.backend.automatic"]
    assert [sorted(circle) for circle in circles(found)] == []


# ---- files that are included in one module

PARTS = sorted((ROOT / "corepy").rglob("*.pxi"))
DEFINED = re.compile(r"^(?:cdef class|cdef|cpdef|def|class) (?:[\w* ]* )?(\w+)(?:\(|:)", re.M)
USED = re.compile(r"(?<![\w.])([A-Z]\w*|\w+(?=\())")  # classes, and functions that are called
NEEDS = re.compile(r"^# Needs (.*?)\.$", re.M | re.S)


def without_texts(source):
    """Return source without docstrings, texts and comments, whose words are no names."""
    return re.sub(r'"""[\s\S]*?"""|"[^"\n]*"|#.*', "", source)


def needs():
    """Return the other files of its module whose functions and classes each file uses."""
    sources = {path: without_texts(path.read_text()) for path in PARTS}
    found = {}
    for path, source in sources.items():
        together = [other for other in PARTS if other.parts[-3] == path.parts[-3]]
        names = {*USED.findall(source)} - {*DEFINED.findall(source)}
        found[path] = [
            f"{other.parent.name}/{other.stem}" if other.parent != path.parent else other.stem
            for other in together
            if other != path and names & {*DEFINED.findall(sources[other])}
        ]
    return found


def test_files_begin_with_what_they_need():
    for path, expected in needs().items():
        stated = NEEDS.search(path.read_text())
        names = stated[1].replace("\n#", "").split(", ") if stated else []
        assert [name.strip() for name in names] == expected, path
