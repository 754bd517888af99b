"""Generates code and tables from operations.def and dtypes.def.

`setup.py` calls `write_build` for the Cython files that the core includes, in ``build/``. ``python
corepy/_cython/schema/generate.py`` rewrites the generated parts of committed files: the namespace's
imports and exports, the ``__all__`` of its pages, the stubs of the core's functions and the table
of operations in the documentation. With ``--check`` it only reports files that are not up to date,
as ``make lint`` does.
"""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path
from typing import Any, NamedTuple

SCHEMA = Path(__file__).resolve().parent
CORE = SCHEMA.parent
ARRAY = CORE.parent / "numpy"
ROOT = CORE.parent.parent

#: Annotations of parameters that are arrays; inference.pyx has constants of these names.
ARRAYS = ("array", "operand", "arrays")
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
    "ddof": "float",
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
    "out": "Tensor | None",
    "repetitions": "int | tuple[int, ...]",
    "shape": "_Shape",
    "shift": "int | tuple[int, ...]",
    "side": "str",
    "source": "int | tuple[int, ...]",
    "stable": "bool",
    "initial": "_Scalar",
    "where": "_Operand",
    "start": "_Scalar",
    "step": "_Scalar",
    "stop": "_Scalar | None",
}
#: Operators that are an operation each, but for pow, which takes a modulo.
OPERATORS = dict(
    pair.split("=")
    for pair in (
        "pos=positive neg=negative abs=abs invert=bitwise_invert add=add sub=subtract mul=multiply "
        "truediv=divide floordiv=floor_divide mod=remainder matmul=matmul and=bitwise_and "
        "or=bitwise_or xor=bitwise_xor lshift=bitwise_left_shift rshift=bitwise_right_shift "
        "eq=equal ne=not_equal lt=less le=less_equal gt=greater ge=greater_equal"
    ).split()
)
#: What the core's functions of these names return, if it is not a Tensor.
RETURNS = dict.fromkeys(
    ("broadcast_arrays", "meshgrid", "nonzero", "unstack"), "tuple[Tensor, ...]"
)


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
    """A row of operations.def; `work` is empty for an operation without a number."""

    page: str
    name: str
    work: str
    signature: str
    accepts: tuple[str, ...]
    dtype: tuple[str, ...]
    shape: tuple[str, ...]

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
        elif macro == "FUNCTION":
            name, signature, accepts, dtype, shape = fields
            work = ""
        else:
            continue
        columns = map(rules, (accepts, dtype, shape))
        rows.append(Row(page, name, work, signature, *columns))
    return rows, pages


ROWS, PAGES = read_operations()
#: The page of functions that the standard does not have.
BEYOND = "numpy"
DTYPES = [fields for _, fields in read(SCHEMA / "dtypes.def")]
CATEGORIES = [fields for _, fields in read(SCHEMA / "categories.def")]
#: Enumerations of kernels/operations.hpp that Cython sees, with their names.
ENUMERATIONS = {
    name: re.findall(rf"\b{name.upper()}_\w+", body)
    for name, body in re.findall(
        r"^enum (Kind|Shape|Result) \{(.*?)\};",
        (CORE / "kernels" / "operations.hpp").read_text(),
        re.MULTILINE | re.DOTALL,
    )
}
PAGES["data_types"] = [fields[0] for fields in DTYPES]


def is_number(name: str) -> tuple[Any, ...]:
    """Sort names as ruff does: digits in them as numbers."""
    parts = re.split(r"(\d+)", name)
    return tuple(int(part) if part.isdigit() else part for part in parts)


# ---- generated by the build


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
        + "    cdef enum Category:\n"
        + "".join(f"        CATEGORY_{fields[0]}\n" for fields in CATEGORIES)
        + "".join(
            f"    cdef enum {name}:\n" + "".join(f"        {each}\n" for each in found)
            for name, found in ENUMERATIONS.items()
        )
        + "    cdef enum:\n"
        + "".join(
            f'        {accepted_name(row, each)} "corepy::CATEGORY_{each.accepts}"\n'
            for row in ROWS
            for each in row.parameters
            if each.accepts != "all"
        )
    )


def accepted_name(row: Row, parameter: Parameter) -> str:
    """Return the name of the constant that says which dtypes an argument may have."""
    return f"ACCEPTS_{row.name.replace('.', '_')}_{parameter.name}"


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
    if row.work in ("unary", "binary", "reduce", "scan"):
        return f"functools.partial({row.work}, OP_{row.name})"
    computed_by = row.function.returns
    if computed_by is not None:
        name, call, keywords = ast.unparse(computed_by).partition("(")
        return f'functools.partial({name}, "{row.name}", {keywords}' if call else name
    name = row.name.rpartition(".")[2]
    return name if name in functions else "None"


def parameter_source(row: Row, parameter: Parameter, function: str) -> str:
    """Return the call that makes a parameter of the table."""
    check = parameter.check
    unchecked = function == "None" and parameter.kind == "array"
    if check == "NULL" and (unchecked or (parameter.kind and parameter.accepts != "all")):
        check = f"an_{parameter.kind}"
    accepts = "CATEGORY_all" if parameter.accepts == "all" else accepted_name(row, parameter)
    if parameter.default is None:
        return f'required("{parameter.name}", {check}, {accepts})'
    choices = parameter.choices or "None"
    return f'optional("{parameter.name}", {check}, {accepts}, {parameter.default}, {choices})'


def table() -> str:
    """Return the function that enters all operations into the core's table."""
    functions, checks = declared("cpdef"), declared("cdef")
    lines = ["", "cdef int enter_operations() except -1:"]
    numbers = ["CATEGORY_all", *(f"OP_{row.name}" for row in ROWS if row.work)]
    for row in ROWS:
        function = function_of(row, functions)
        positional, keywords = (
            ", ".join(
                parameter_source(row, each, function)
                for each in row.parameters
                if each.positional == wanted
            )
            for wanted in (True, False)
        )
        variadic = any(each.variadic for each in row.parameters)
        lines.append(
            f'    enter("{row.name}", {function}, [{positional}], [{keywords}], {variadic})'
        )
        numbers += [accepted_name(row, each) for each in row.parameters if each.accepts != "all"]
    words = set(re.findall(r"(?<![\w.\"])[a-z_]\w*(?=[,)\]( ])", "\n".join(lines)))
    return "\n".join(
        [
            "# Generated by schema/generate.py.",
            *imports("cimport", set(numbers), dict.fromkeys(numbers, "corepy._cython.core")),
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
        *(f"    {name}," for name in ENUMERATIONS["Result"]),
        ")",
        "cdef int enter_all_rules() except -1:",
    ]
    for row in ROWS:
        number = f"OP_{row.name}" if row.work else "-1"
        several = len(row.dtype) > 1 or row.dtype == ("each",) or row.shape == ("positions",)
        # The others have rules of their own in C, or are computed by other operations. Rules of C++
        # are given by number.
        ruled = row.work in ("", "scan") and row.shape != ("derived",)
        dtypes = [
            f"<int>RESULT_{rule}" if f"RESULT_{rule}" in ENUMERATIONS["Result"] else f"dtype_{rule}"
            for rule in row.dtype
            if ruled
        ]
        shapes = [f"shape_{rule}" for rule in row.shape if ruled]
        arrays = {each.name: each.kind.upper() for each in row.parameters if each.kind}
        lines.append(
            f'    enter_rules("{row.name}", {number}, {several}, [{", ".join(dtypes)}], '
            f"[{', '.join(shapes)}], {any(each.variadic for each in row.parameters)}, "
            + "{" + ", ".join(f'"{name}": {kind}' for name, kind in arrays.items()) + "})"
        )  # fmt: skip
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


# ---- generated parts of committed files


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
        if page not in extensions and page != BEYOND:
            ordered = sorted(names)
            imports += f"from corepy.array_api.{page} import (\n"
            imports += "".join(f"    {name},\n" for name in ordered) + ")\n"
    text = with_part(text, "imports", imports)
    exported = {
        name
        for page, names in PAGES.items()
        if page not in extensions and page != BEYOND
        for name in names
    }
    return with_exports(text, [*exported, *extensions, "Tensor", "__array_api_version__"])


def data_types(text: str) -> str:
    """Return ``array_api/data_types.py``."""
    names = [fields[0] for fields in DTYPES]
    # NumPy's `bool_` is the name of its scalar type in all versions.
    part = "".join(f"{name} = np.{name}{'_' * (name == 'bool')}\n" for name in names)
    part += (
        "\n#: The standard's dtypes, as instances, by name.\nDTYPES = {\n"
        "    np.dtype(scalar).name: np.dtype(scalar)\n    for scalar in (\n"
        + "".join(f"        {name},\n" for name in names)
        + "    )\n}\n"
    )
    return with_exports(with_part(text, "dtypes", part), names)


def typed(name: str, default: str | None) -> str:
    """Return a parameter of a stub."""
    kind = TYPES.get(name, "_Operand")
    if default == "None" and "None" not in kind and kind != "Any" and kind != "_Axis":
        kind += " | None"
    return f"{name}: {kind}" + (f" = {default}" if default else "")


def definition(name: str, found: list[str], result: str, indent: str, body: str) -> str:
    """Return the stub of a function, formatted as ruff does."""
    head, end = f"{indent}def {name}(", f") -> {result}:{body}\n"
    line = ", ".join(found)
    if len(f"{head}{line}{end}".splitlines()[0]) <= 100:
        return head + line + end
    inner = f"{indent}    "
    if len(inner + line) <= 100:
        return f"{head}\n{inner}{line}\n{indent}{end}"
    return head + "\n" + "".join(f"{inner}{item},\n" for item in found) + indent + end


def stub_of(row: Row) -> str:
    """Return the stub of the core's function of an operation."""
    found = [
        f"{each.name}: tuple[_Operand, ...]" if each.variadic else typed(each.name, each.default)
        for each in row.parameters
    ]
    result = RETURNS.get(row.name, "Tensor")
    return definition(row.name.rpartition(".")[2], found, result, "", " ...")


def operators() -> str:
    """Return the stubs of the operators that are an operation each."""
    part = ""
    for operator, operation in OPERATORS.items():
        row = next(row for row in ROWS if row.name == operation)
        if row.work == "unary":
            part += f"    def __{operator}__(self) -> Self: ...\n"
            continue
        part += f"    def __{operator}__(self, other: _Operand, /) -> Self: ..."
        if row.dtype == ("boolean",):
            part += "  # type: ignore[override]\n" if operator in ("eq", "ne") else "\n"
            continue
        part += f"\n    def __r{operator}__(self, other: _Operand, /) -> Self: ...\n"
        part += f"    def __i{operator}__(self, other: _Operand, /) -> Self: ...\n"
    return part


def reductions() -> str:
    """Return the stubs of the methods that are a reduction each; parameters and first lines of
    docstrings are those of ndarray.pyx.
    """
    part, source = "", (ARRAY / "ndarray.pyx").read_text()
    for row in ROWS:
        arguments = r"\(\s*(?:Tensor )?self(?: not None)?, (?:/, )?([^)]*?),?\s*\)"
        pattern = rf'    def {row.name}{arguments}:\n        """(.*?)(?:"""|\n)'
        method = re.search(pattern, source) if row.work == "reduce" else None
        if method is None:
            continue
        found = ["self"]
        for item in re.split(r",\s+", method[1]):
            name, _, default = item.replace("NOTHING", "...").partition("=")
            found.append(item if name == "*" else typed(name, default))
            if name == "axis" and row.parameters[1].check == "one_axis":
                found[-1] = "axis: int | None = None"
        body = f'\n        """{method[2]}"""'
        part += definition(row.name, found, "ndarray", "    ", body)
    return part


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
    text = with_part(text, "operations", part + "\n")
    return with_part(text, "operators", operators())


def array_stub(text: str) -> str:
    """Return ndarray.pyi."""
    return with_part(text, "reductions", reductions())


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
            columns = (row.accepts, row.dtype, row.shape)
            words = " | ".join(", ".join(column).replace("_", " ") for column in columns)
            part += f"| `{row.name}{row.plain_signature}` | {words} |\n"
        part += "\n"
    kinds = ("bool", "integers", "real floating-point", "complex")
    accepted = "".join(
        f"- *{name.replace('_', ' ')}* ({words}): "
        + ", ".join(kind for kind, bit in zip(kinds, bits, strict=True) if bit == "1")
        + "\n"
        for name, *bits, words in CATEGORIES
    )
    return with_part(with_part(text, "operations", part), "categories", "\n" + accepted + "\n")


def committed() -> dict[Path, str]:
    """The committed files that follow from the schema, and what should be in them."""
    api = ROOT / "corepy" / "array_api"
    files = {
        api / "__init__.py": namespace,
        CORE / "core.pyi": stubs,
        ARRAY / "ndarray.pyi": array_stub,
        ROOT / "docs" / "operations.md": documentation,
        api / "data_types.py": data_types,
    }
    wanted = {path: make(path.read_text()) for path, make in files.items()}
    for page, names in PAGES.items():
        path = api / f"{page}.py"
        if path not in wanted and page != BEYOND:
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
