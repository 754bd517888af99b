"""Makes what follows from operations.def and dtypes.def.

`setup.py` calls `write_build` for the Cython files that the core includes, which go to ``build/``.
``python corepy/_cython/schema/generate.py`` rewrites the parts of committed files that follow from
the schema: the namespace's imports and exports, the ``__all__`` of its pages, the stubs of the
core's functions and the table of operations in the documentation. With ``--check`` it only reports
files that are not up to date, as ``make lint`` does.
"""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path
from typing import Any, NamedTuple

SCHEMA = Path(__file__).resolve().parent
CORE = SCHEMA.parent
ROOT = CORE.parent.parent

#: Arguments that are one of some words or numbers, by the names of their checks in the schema.
CHOICES: dict[str, str] = {
    "indexing": '("xy", "ij")',
    "matrix_order": '("fro", "nuc", 1, -1, 2, -2, INFINITY, -INFINITY, None)',
    "normalization": '("backward", "ortho", "forward")',
    "qr_mode": '("reduced", "complete")',
}
#: Rules of shapes that come with a check of all arguments together (core/validation.pxi).
CHECKED_TOGETHER = {
    "half_transform": "half_transform_size",
    "half_transforms": "half_transform_sizes",
    "of_one_dtype": "of_one_dtype",
    "real_transform": "transform_size",
    "real_transforms": "real_transform_sizes",
    "transform": "transform_size",
    "transforms": "transform_sizes",
    "vectors_of_three": "vectors_of_three",
}
#: Operations whose function in the core is called with arguments of its own.
CALLS = {
    **{
        name + like: f'functools.partial(full{like}, "{name}{like}", value={value})'
        for name, value in (("empty", None), ("zeros", 0), ("ones", 1))
        for like in ("", "_like")
    },
    "full": "full_with",
    "full_like": "full_like_with",
    **{name: f'functools.partial(triangle, "{name}")' for name in ("tril", "triu")},
    **{
        name: f'functools.partial(frequencies, "{name}")'
        for name in ("fft.fftfreq", "fft.rfftfreq")
    },
    **{name: f'functools.partial(shifted, "{name}")' for name in ("fft.fftshift", "fft.ifftshift")},
}
#: Parameters that are arrays, and those of them that may be Python scalars, which then take the
#: dtype of another operand.
ARRAYS = {"x", "x1", "x2", "condition", "arrays", "indices", "sorter"}
ARRAYS_OR_SCALARS = {"append", "max", "min", "prepend", "repeats", "rtol"}
#: Functions, beside those of two operands, in which that holds for all arrays.
OF_SCALARS_TOO = {
    *("isin", "linalg.cross", "linalg.outer", "linalg.tensordot"),
    *("searchsorted", "tensordot", "where"),
}
#: Types of parameters of the core's functions in stubs, by name; of all others ``_Operand``.
TYPES = {
    "arrays": "Sequence[_Operand]",
    "axes": "Any",
    "axis": "_Axis",
    "copy": "bool | None",
    "correction": "float",
    "descending": "bool",
    "destination": "int | tuple[int, ...]",
    "device": "Device | str | None",
    "dtype": "DTypeLike | None",
    "endpoint": "bool",
    "indexing": "str",
    "k": "SupportsIndex",
    "keepdims": "bool",
    "n": "SupportsIndex",
    "n_cols": "SupportsIndex | None",
    "n_rows": "SupportsIndex",
    "num": "SupportsIndex",
    "offset": "SupportsIndex",
    "ord": "float",
    "repetitions": "int | tuple[int, ...]",
    "shape": "_Shape",
    "shift": "int | tuple[int, ...]",
    "side": "str",
    "source": "int | tuple[int, ...]",
    "stable": "bool",
    "start": "_Scalar",
    "step": "_Scalar",
    "stop": "_Scalar | None",
}
#: What the core's functions of these names return, if it is not a Tensor.
RETURNS = dict.fromkeys(
    ("broadcast_arrays", "meshgrid", "nonzero", "unstack"), "tuple[Tensor, ...]"
)


class Parameter(NamedTuple):
    """A parameter of an operation; `default` is source text, or None where there is none."""

    name: str
    check: str | None
    default: str | None
    positional: bool
    variadic: bool


class Row(NamedTuple):
    """A row of operations.def; `work` is empty for an operation without a number."""

    page: str
    name: str
    work: str
    signature: str
    accepts: str
    dtype: tuple[str, ...]
    shape: tuple[str, ...]

    @property
    def parameters(self) -> list[Parameter]:
        """The parameters, in the order of the signature."""
        function = ast.parse(f"def f{self.signature}: pass").body[0]
        assert isinstance(function, ast.FunctionDef)
        arguments = function.args

        def parameter(node: ast.arg, default: Any, positional: bool, variadic: bool = False) -> Any:
            check = ast.unparse(node.annotation) if node.annotation else None
            text = None if default is None else ast.unparse(default).replace("'", '"')
            return Parameter(node.arg, check, text, positional, variadic)

        before = [*arguments.posonlyargs, *arguments.args]
        defaults = [None] * (len(before) - len(arguments.defaults)) + arguments.defaults
        found = [parameter(*pair, True) for pair in zip(before, defaults, strict=True)]
        if arguments.vararg:
            found.append(parameter(arguments.vararg, None, True, True))
        pairs = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        return [*found, *(parameter(*pair, False) for pair in pairs)]


def split(text: str) -> list[str]:
    """Split the arguments of a macro at commas that are in no parentheses."""
    parts, depth = [""], 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [" ".join(part.split()) for part in parts]


def read(path: Path) -> list[tuple[str, list[str]]]:
    """Return the macro calls of a .def file: the macro, and its arguments."""
    lines = [line for line in path.read_text().splitlines() if not line.startswith(("//", "#"))]
    calls, text = [], ""
    for line in lines:
        text += line + "\n"
        if text.strip() and text.count("(") == text.count(")"):
            macro, arguments = text.strip().split("(", 1)
            calls.append((macro, split(arguments.removesuffix(")"))))
            text = ""
    return calls


def rules(text: str) -> tuple[str, ...]:
    """The rules of a column: one, or those of several results in parentheses."""
    return tuple(split(text.strip("()")))


def read_operations() -> tuple[list[Row], dict[str, list[str]]]:
    """Return the operations, and for each page the names that it exports."""
    rows, pages, page = [], dict[str, list[str]](), ""
    for macro, fields in read(SCHEMA / "operations.def"):
        if macro == "PAGE":
            page = fields[0]
            pages[page] = []
            continue
        pages[page].append(fields[0].removeprefix(page + "."))
        if macro == "OPERATION":
            name, work, signature, accepts, dtype, shape = fields
            rows.append(Row(page, name, work, signature, accepts, rules(dtype), rules(shape)))
        elif macro == "FUNCTION":
            name, signature, dtype, shape = fields
            rows.append(Row(page, name, "", signature, "", rules(dtype), rules(shape)))
    return rows, pages


ROWS, PAGES = read_operations()
DTYPES = [fields for _, fields in read(SCHEMA / "dtypes.def")]
PAGES["data_types"] = [fields[0] for fields in DTYPES]


def is_number(name: str) -> tuple[Any, ...]:
    """Sort names as ruff does: digits in them as numbers."""
    parts = re.split(r"(\d+)", name)
    return tuple(int(part) if part.isdigit() else part for part in parts)


# ---- what the build includes


def enumerators(prefix: str, names: list[str]) -> str:
    """Return the enumerators of a Cython enumeration."""
    return "".join(f"        {prefix}_{name}\n" for name in [*names, "COUNT"])


def declarations() -> str:
    """Return the enumerations that core.pxd declares."""
    return (
        "# Generated by schema/generate.py.\n"
        'cdef extern from "operations.hpp" namespace "corepy" nogil:\n'
        "    cdef enum Operation:\n"
        + enumerators("OP", [row.name for row in ROWS if row.work])
        + "    cdef enum Dtype:\n"
        + enumerators("DTYPE", [fields[0] for fields in DTYPES])
    )


def declared(kind: str) -> dict[str, str]:
    """Return functions that the core and the families of operations declare, with their modules."""
    paths = [CORE / "core.pxd", *sorted((CORE / "cpu").glob("*.pxd"))]
    return {
        name: ".".join(("corepy", *path.relative_to(ROOT / "corepy").with_suffix("").parts))
        for path in paths
        for name in re.findall(rf"^{kind} [\w ]+? (\w+)\(", path.read_text(), re.MULTILINE)
    }


def imports(word: str, names: set[str], modules: dict[str, str]) -> list[str]:
    """Return the lines that import or cimport names from the modules that declare them."""
    return [
        f"from {module} {word} (" + "".join(f"\n    {n}," for n in sorted(found)) + "\n)"
        for module in sorted({modules[name] for name in names})
        if (found := {name for name in names if modules[name] == module})
    ]


def function_of(row: Row, functions: dict[str, str]) -> str:
    """Return the expression of the core's function of an operation, None where it has none."""
    if row.name in CALLS:
        return CALLS[row.name]
    if row.work in ("unary", "binary", "reduce", "scan"):
        return f"functools.partial({row.work}, OP_{row.name})"
    name = row.name.rpartition(".")[2]
    return name if name in functions else "None"


def parameter_source(parameter: Parameter) -> str:
    """Return the call that makes a parameter of the table."""
    check, choices = parameter.check or "NULL", ""
    if check in CHOICES:
        check, choices = "word", f", {CHOICES[check]}"
    if parameter.default is None:
        return f'required("{parameter.name}", {check})'
    return f'optional("{parameter.name}", {check}, {parameter.default}{choices})'


def table() -> str:
    """Return the function that enters all operations into the core's table."""
    functions, checks = declared("cpdef"), declared("cdef")
    lines = ["", "cdef int enter_operations() except -1:"]
    for row in ROWS:
        positional = [parameter_source(each) for each in row.parameters if each.positional]
        keywords = [parameter_source(each) for each in row.parameters if not each.positional]
        together = CHECKED_TOGETHER.get(row.shape[0], "NULL")
        variadic = any(each.variadic for each in row.parameters)
        lines.append(
            f'    enter("{row.name}", {function_of(row, functions)}, [{", ".join(positional)}], '
            f"[{', '.join(keywords)}], {together}, {variadic})"
        )
    words = set(re.findall(r"(?<![\w.\"])[a-z_]\w*(?=[,)\]( ])", "\n".join(lines)))
    numbers = {f"OP_{row.name}": "corepy._cython.core" for row in ROWS if row.work}
    return "\n".join(
        [
            "# Generated by schema/generate.py.",
            *imports("cimport", set(numbers), numbers),
            *imports("cimport", words & set(checks), checks),
            *imports("import", words & set(functions), functions),
            *lines,
            "    return 0",
            "",
        ]
    )


def inference_table() -> str:
    """Return the function that enters the rules of all operations."""
    lines = [
        "# Generated by schema/generate.py.",
        "from corepy._cython.core cimport (",
        *(f"    OP_{row.name}," for row in ROWS if row.work),
        ")",
        "cdef int enter_all_rules() except -1:",
    ]
    for row in ROWS:
        number = f"OP_{row.name}" if row.work else "-1"
        elementwise = row.work in ("unary", "binary", "ternary")
        several = len(row.dtype) > 1 or row.dtype == ("each",) or row.shape == ("positions",)
        dtypes = ["dtype_of_operation"] if row.work else [f"dtype_{rule}" for rule in row.dtype]
        shapes = [f"shape_{rule}" for rule in row.shape]
        scalars_too = row.work == "binary" or row.name in OF_SCALARS_TOO
        arrays = {
            each.name: scalars_too or each.name in ARRAYS_OR_SCALARS
            for each in row.parameters
            if each.name in ARRAYS | ARRAYS_OR_SCALARS
        }
        lines.append(
            f'    enter_rules("{row.name}", {number}, {elementwise}, {several}, '
            f"({', '.join(dtypes)},), ({', '.join(shapes)},), "
            f"{any(each.variadic for each in row.parameters)}, {arrays})"
        )
    return "\n".join([*lines, "    return 0", ""])


def write_build(folder: Path) -> None:
    """Write the files that the build includes, those that have changed."""
    folder.mkdir(parents=True, exist_ok=True)
    made = {
        "declarations.pxi": declarations(),
        "rules.pxi": inference_table(),
        "table.pxi": table(),
    }
    for name, text in made.items():
        path = folder / name
        if not path.exists() or path.read_text() != text:
            path.write_text(text)


# ---- what is committed


def listed(names: list[str]) -> str:
    """Return names as the items of a list, sorted."""
    constants = sorted((name for name in names if name.isupper()), key=is_number)
    classes = sorted((n for n in names if n[0].isupper() and n not in constants), key=is_number)
    others = sorted((n for n in names if not n[0].isupper()), key=is_number)
    return "".join(f'    "{name}",\n' for name in [*constants, *classes, *others])


def with_exports(text: str, names: list[str]) -> str:
    """Return the source of a module with another ``__all__``."""
    items = listed(names)
    short = "[" + ", ".join(line.strip().rstrip(",") for line in items.splitlines()) + "]"
    new = short if len(f"__all__ = {short}") <= 100 else f"[\n{items}]"
    return re.sub(r"^__all__ = \[.*?\]$", f"__all__ = {new}", text, count=1, flags=re.M | re.S)


def with_part(text: str, name: str, part: str) -> str:
    """Return a file's text with another part between the lines that mark its begin and end."""
    begin, end = f"generated: {name}", f"end of generated: {name}"
    pattern = rf"(?<=\n)([^\n]*\b{begin}[^\n]*\n).*?([^\n]*\b{end}\b)"
    if not re.search(pattern, text, re.S):
        raise SystemExit(f"generate: there is no part {name!r}")
    return re.sub(pattern, lambda found: found[1] + part + found[2], text, count=1, flags=re.S)


def namespace(text: str) -> str:
    """Return ``array_api/__init__.py``."""
    imports = ""
    extensions = [
        page for page in PAGES if f"{page}." in {row.name[: len(page) + 1] for row in ROWS}
    ]
    for page, names in sorted(PAGES.items()):
        if page not in extensions:
            ordered = sorted(names)
            imports += f"from corepy.array_api.{page} import (\n"
            imports += "".join(f"    {name},\n" for name in ordered) + ")\n"
    text = with_part(text, "imports", imports)
    exported = {name for page, names in PAGES.items() if page not in extensions for name in names}
    return with_exports(text, [*exported, *extensions, "Tensor", "__array_api_version__"])


def stub_of(row: Row) -> str:
    """Return the stub of the core's function of an operation."""
    found = []
    for parameter in row.parameters:
        kind = TYPES.get(parameter.name, "_Operand")
        if parameter.variadic:
            kind = "tuple[_Operand, ...]"
        default = parameter.default
        if default == "None" and "None" not in kind and kind != "Any" and kind != "_Axis":
            kind += " | None"
        found.append(f"{parameter.name}: {kind}" + (f" = {default}" if default else ""))
    result = RETURNS.get(row.name, "Tensor")
    head = f"def {row.name.rpartition('.')[2]}("
    line = f"{head}{', '.join(found)}) -> {result}: ..."
    if len(line) <= 100:
        return line + "\n"
    if len(", ".join(found)) <= 96:
        return f"{head}\n    {', '.join(found)}\n) -> {result}: ...\n"
    return head + "\n" + "".join(f"    {item},\n" for item in found) + f") -> {result}: ...\n"


def stubs(text: str) -> str:
    """Return core.pyi."""
    functions, part, seen = declared("cpdef"), "", set[str]()
    for row in ROWS:
        name = row.name.rpartition(".")[2]
        if (
            not row.work
            and function_of(row, functions) == name
            and functions[name] == "corepy._cython.core"
            and name not in seen
        ):
            seen.add(name)
            part += stub_of(row)
    return with_part(text, "operations", part + "\n")


def documentation(text: str) -> str:
    """Return docs/operations.md."""
    part = "\n"
    for page in PAGES:
        rows = [row for row in ROWS if row.page == page]
        if not rows:
            continue
        part += (
            f"### {page}\n\n| operation | accepts | dtype of the result | shape of the result |\n"
        )
        part += "| --- | --- | --- | --- |\n"
        for row in rows:
            signature = re.sub(
                r": \w+( = |(?=[,)]))", lambda m: "=" if "=" in m[1] else "", row.signature
            )
            words = [", ".join(rule).replace("_", " ") for rule in (row.dtype, row.shape)]
            accepts = row.accepts.replace("_", " ")
            part += f"| `{row.name}{signature}` | {accepts} | {words[0]} | {words[1]} |\n"
        part += "\n"
    return with_part(text, "operations", part)


def committed() -> dict[Path, str]:
    """The committed files that follow from the schema, and what should be in them."""
    api = ROOT / "corepy" / "array_api"
    files = {
        api / "__init__.py": namespace,
        CORE / "core.pyi": stubs,
        ROOT / "docs" / "operations.md": documentation,
    }
    wanted = {path: make(path.read_text()) for path, make in files.items()}
    for page, names in PAGES.items():
        path = api / f"{page}.py"
        wanted[path] = with_exports(path.read_text(), names)
    return wanted


def main(arguments: list[str]) -> int:
    """Rewrite the committed files, or report those that are not up to date."""
    stale = {path: text for path, text in committed().items() if path.read_text() != text}
    for path, text in stale.items():
        if "--check" in arguments:
            print(
                f"{path.relative_to(ROOT)} is not up to date: run corepy/_cython/schema/generate.py"
            )
        else:
            path.write_text(text)
    return int(bool(stale) and "--check" in arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
