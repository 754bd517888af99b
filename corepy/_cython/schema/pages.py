"""Writes modules of the standard's pages, and their stubs, from the documented rows of the schema.

The comment above a row documents the function; the head of operations.def describes its form. What
follows from the row itself (the dtypes that an operand may have, the dtype and shape of the result,
the errors for others) and what PARAMETER rows say is added here, so that a comment has only what is
particular to its function. A page begins with its module in ``corepy/array_api/``, which has the
docstring, the imports, and functions that are more than a call of the core.
"""

from __future__ import annotations

import ast
import re
import textwrap
from typing import Any, NamedTuple

from inferred import Known, Style, signatures
from records import PAGES, ROOT, ROWS, SHARED, Parameter, Row, declared, split

STANDARD = "array API 2025.12"
SECTIONS = ("Returns", "Raises", "See Also", "Notes", "Examples")
#: What examples begin with.
IMPORT = ">>> import corepy.array_api as xp"
#: The columns of a docstring's line.
WIDTH = 100

#: What an operand may be, in documentation, by the category of dtypes that is accepted.
ACCEPTED = {
    "all": "any dtype",
    "numeric": "numeric dtype",
    "real": "real dtype",
    "bool_or_real": "bool or real dtype",
    "bool_or_integer": "bool or integer dtype",
    "integer": "integer dtype",
    "real_floating": "real floating-point dtype",
}
#: The dtypes that are an error, by the category that is accepted.
REFUSED = {
    "numeric": "has dtype bool",
    "real": "has dtype bool or a complex dtype",
    "bool_or_real": "has a complex dtype",
    "bool_or_integer": "has a floating-point or complex dtype",
    "integer": "does not have an integer dtype",
}
#: Annotations of two operands, by the category of dtypes that is accepted.
OPERANDS = {
    "all": "Tensor | int | float | complex",
    "numeric": "Tensor | int | float | complex",
    "bool_or_real": "Tensor | int | float",
    "bool_or_integer": "Tensor | int | bool",
}
#: The dtype of the result of an OPERATION, by its rule: of one operand, and of several.
RESULTS = {
    "same": ("the dtype of ``x``", "the promoted dtype"),
    "arithmetic": (
        "the dtype of ``x`` (int8 for bool)",
        "the promoted dtype (int8 for two bool arrays)",
    ),
    "floating": (
        "the floating-point dtype of ``x`` (float64 for bool and integers)",
        "the promoted floating-point dtype",
    ),
    "real_floating": ("the real floating-point dtype of ``x`` (float64 for bool and integers)", ""),
    "real_of_complex": (
        "the dtype of ``x``, or the real dtype of its components if that is complex",
        "",
    ),
    "boolean": ("dtype bool", "dtype bool"),
    "index": ("dtype int64", ""),
    "accumulate": ("``dtype``", ""),
}
#: Words for annotations in documentation; of others, the annotation itself.
WORDS = {
    "DTypeLike": "dtype",
    "tuple[int, ...]": "tuple of int",
    "tuple[Tensor, ...]": "tuple of Tensor",
    "list[Tensor]": "list of Tensor",
    "Sequence[int]": "sequence of int",
    "tuple[Sequence[int], Sequence[int]]": "tuple of two sequences of int",
}
#: Modules with the core's functions, by the function's name.
MODULES = declared("cpdef")


# ---- documentation


class Field(NamedTuple):
    """A part of a comment: a section of the docstring or the description of parameters."""

    head: str
    type: str  # an annotation, the type of a result or an exception; empty if it is not given
    text: str

    @property
    def element(self) -> tuple[str, str]:
        """The class and the name if this is an element of a named tuple; else two empty strings."""
        found = re.fullmatch(r"(\w+Result)\.(\w+)", self.type)
        return (found[1], found[2]) if found else ("", "")


def parse(comment: tuple[str, ...], names: list[str]) -> tuple[str, list[Field]]:
    """Return the summary of a comment, and its fields; `names` are those of the parameters."""
    summary, fields = list[str](), list[tuple[str, str, list[str]]]()
    for line in comment:
        found = re.fullmatch(r"([\w*, ]+?)(?: \((.+?)\))?:(?: (.*))?", line)
        if found and (found[1] in SECTIONS or {*found[1].split(", ")} <= {*names}):
            fields.append((found[1], found[2] or "", [found[3] or ""]))
        elif not fields:
            summary.append(line)
        elif line and not line.startswith("    "):
            raise SystemExit(f"pages: {line!r} is in no field; allowed: {SECTIONS} and {names}")
        else:
            fields[-1][2].append(line[4:])
    return " ".join(summary), [
        Field(head, kind, "\n".join(text).strip()) for head, kind, text in fields
    ]


class Function:
    """A documented row of the schema, as a function of its page."""

    def __init__(self, row: Row):
        self.row = row
        self.name = row.name.rpartition(".")[2]
        self.parameters = row.parameters
        self.operands = [each for each in self.parameters if each.kind]
        self.summary, fields = parse(row.comment, [each.name for each in self.parameters])
        self.described = {
            name: field
            for field in fields
            if field.head not in SECTIONS
            for name in field.head.split(", ")
        }
        self.sections = {field.head: field for field in fields if field.head in SECTIONS}
        self.results = [field for field in fields if field.head == "Returns"]
        if not self.results:
            raise SystemExit(f"pages: the comment of {row.name} does not say what it returns")
        self.raised = {field.type: field.text for field in fields if field.head == "Raises"}

    def shared(self, parameter: Parameter) -> tuple[str, str, list[Field]]:
        """Return annotation, text and fields that a PARAMETER row has for a parameter."""
        for page in (self.row.page, ""):
            for name in (parameter.check, parameter.name):
                if found := SHARED.get((page, name)):
                    return (found.annotation, *parse(found.comment, []))
        return "", "", []

    # ---- parameters and results

    def own(self, name: str) -> Field:
        """Return what the comment says about a parameter."""
        return self.described.get(name, Field(name, "", ""))

    def annotation(self, parameter: Parameter) -> str:
        """Return the annotation of a parameter."""
        found = self.own(parameter.name).type or self.shared(parameter)[0]
        if found:
            return found
        if parameter.choices:
            return f"Literal[{parameter.choices[1:-1]}]"
        if parameter.kind == "arrays":
            return "tuple[Tensor, ...] | list[Tensor]"
        if not parameter.kind:
            raise SystemExit(f"pages: {self.row.name}: {parameter.name} has no annotation")
        return OPERANDS[self.row.accepts[0]] if self.row.work == "binary" else "Tensor"

    def accepted(self, parameter: Parameter) -> str:
        """Return what the row says about an operand."""
        if not self.row.work:
            return ACCEPTED[parameter.accepts]
        text = ACCEPTED[self.row.accepts[0]]
        if self.row.dtype[0] in ("floating", "real_floating"):
            text += " (bool and integers are computed as float64)"
        if len(self.operands) == 1:
            return text
        first = self.operands[0].name
        if not self.own(first).text:
            return f"{text}; shapes that broadcast together"
        likewise = f"likewise, of a shape that broadcasts with that of ``{first}``"
        return text if parameter.name == first else likewise

    def description(self, parameter: Parameter) -> str:
        """Return the text for a parameter."""
        text = self.own(parameter.name).text or self.shared(parameter)[1]
        if text.endswith(".") or "\n" in text:
            return text
        if not parameter.kind:
            raise SystemExit(f"pages: {self.row.name}: {parameter.name} is not described")
        accepted = self.accepted(parameter)
        return f"{text}; {accepted}." if text else f"{accepted[0].upper()}{accepted[1:]}."

    def result(self, field: Field) -> str:
        """Return the text for a result; one without a full stop goes on with the row's rules."""
        text = field.text if field.text.endswith(".") else field.text + ", {rules}."
        return text.replace("{rules}", self.rules()) if "{rules}" in text else text

    def rules(self) -> str:
        """Return the dtype and the shape of the result, as the row says."""
        dtype = f"of {RESULTS[self.row.dtype[0]][len(self.operands) > 1]}"
        shape = "of the shape of ``x``"
        if self.row.shape[0] == "reduced":
            axes = "this axis" if self.parameters[1].check == "one_axis" else "these axes"
            return f"{dtype}: 0-d if ``axis`` is None, else {shape} without {axes}"
        if self.row.work == "scan":
            return f"{dtype} and {shape}, larger by one along ``axis`` with ``include_initial``"
        return dtype

    def errors(self) -> dict[str, str]:
        """Return the exceptions, with the reasons for them."""
        found: dict[str, list[str]] = {}
        for reason in self.refused():
            found.setdefault("TypeError", []).append(reason)
        for parameter in self.parameters:
            for field in self.shared(parameter)[2]:
                if field.text not in found.setdefault(field.type, []):
                    found[field.type].append(field.text)
        return {name: " ".join(reasons) for name, reasons in found.items()} | self.raised

    def refused(self) -> list[str]:
        """Return the reasons for a TypeError that follow from the accepted dtypes."""
        row = self.row
        order = ""
        if row.work != "unary" and row.dtype[0] in ("same", "boolean", "index"):
            order = ": complex numbers have no order"
        if len(row.accepts) == 1:
            who = "an operand" if len(self.operands) > 1 else "``x``"
            accepted = {who: row.accepts[0]}
        else:
            accepted = {f"``{each.name}``": each.accepts for each in self.operands}
        return [
            f"If {who} {REFUSED[accepts]}{order if accepts == 'bool_or_real' else ''}."
            for who, accepts in accepted.items()
            if accepts in REFUSED
        ]

    # ---- source

    def arguments(self) -> list[str]:
        """Return the parameters as they are in a definition, with annotations."""
        arguments = self.row.function.args
        annotations = {each.name: self.annotation(each) for each in self.parameters}
        for node in ast.walk(arguments):
            if isinstance(node, ast.arg):
                node.annotation = ast.parse(annotations[node.arg], mode="eval").body
        return items(arguments)

    def returns(self) -> str:
        """Return the annotation of the result."""
        return self.results[0].element[0] or self.results[0].type or "Tensor"

    def fields(self) -> list[str]:
        """Return the names of the fields of a named tuple, the result; else nothing."""
        return [field.element[1] for field in self.results if field.element[1]]

    def section(self, title: str) -> str:
        """Return the text of a section of the comment, empty if there is none."""
        return prose(self.sections[title].text) if title in self.sections else ""

    def examples(self) -> str:
        """Return the examples, with the import that they need."""
        text = self.section("Examples")
        return text if not text or text.startswith(IMPORT) else f"{IMPORT}\n{text}"

    def docstring(self) -> str:
        """Return the docstring, in numpydoc's form, without quotes."""
        described: list[tuple[list[str], str, str]] = []
        for each in self.parameters:
            name = "*" * each.variadic + each.name
            optional = ", optional" if each.default else ""
            entry = (in_words(self.annotation(each)) + optional, self.description(each))
            if described and described[-1][1:] == entry:
                described[-1][0].append(name)
            else:
                described.append(([name], *entry))
        results = [(result_head(field), self.result(field)) for field in self.results]
        parts = {
            "Parameters": entries(
                (f"{', '.join(n)} : {kind}", text) for n, kind, text in described
            ),
            "Returns": entries(results),
            "Raises": entries(self.errors().items()),
            "See Also": self.section("See Also"),
            "Notes": self.section("Notes"),
            "References": f"{STANDARD}, {reference(self.row)}",
            "Examples": self.examples(),
        }
        text = self.summary + "".join(
            f"\n\n{title}\n{'-' * len(title)}\n{part}" for title, part in parts.items() if part
        )
        return textwrap.indent(text, "    ").strip()

    def call(self) -> str:
        """Return the expression that computes the function."""
        names = [each.name for each in self.parameters]
        if self.row.work == "reduce":
            return self.core_call(["x", "axis", "keepdims", *self.options(names)])
        if self.row.work and self.row.work != "ternary":
            return self.core_call(names)
        function, *given = computed_by(self.row)
        if function not in MODULES:
            return f'core.compute("{self.row.name}", ({", ".join(names)}{"," * (len(names) == 1)}))'
        if len(given) > 1:  # a value of the row: what follows is given by name, too
            first, *others = names
            names = [first, *given[1:], *(f"{name}={name}" for name in others)]
        module = MODULES[function].rpartition(".")[2]
        call = f"{module}.{function}({', '.join([*given[:1], *names])})"
        return call if module == "core" else self.in_class(call)

    def core_call(self, arguments: list[str]) -> str:
        """Return the call of the core's function for the row's kind of operation."""
        return f"core.{self.row.work}({', '.join([f'core.OP_{self.row.name}', *arguments])})"

    def options(self, names: list[str]) -> list[str]:
        """Return the arguments of a reduction behind the first ones, those that are there."""
        if "correction" in names:
            return ["None", "correction"]  # instead of a dtype
        return ["dtype"] if "dtype" in names else []

    def in_class(self, call: str) -> str:
        """Return the expression that gives what a call returns the class of the operands."""
        first = self.operands[0].name if self.operands else ""
        match first:
            case "x":
                return f"core.in_class_of({call}, x)"
            case "x1":
                return f"core.in_class_of_two({call}, x1, x2)"
            case "arrays":
                return f"core.in_class_of_all({call}, arrays)"
        return call

    def source(self) -> str:
        """Return the definition of the function."""
        lines = [f'"""{self.docstring()}', '    """']
        for each in self.parameters:
            if each.check == "one_axis":
                lines += [
                    "    if axis is not None:",
                    f'        axis = core.as_integer("{self.name}", "axis", axis)',
                ]
        if fields := ", ".join(self.fields()):
            lines += [f"    {fields} = {self.call()}", f"    return {self.returns()}({fields})"]
        else:
            lines.append(f"    return {self.call()}")
        body = "\n    " + "\n".join(lines)
        return definition(self.name, self.arguments(), self.returns(), body)

    def stub(self) -> str:
        """Return the stub of the function."""
        return overloaded(self.name, self.arguments(), self.returns(), self.row)

    def result_class(self, stub: bool) -> str:
        """Return the class of a result that is a named tuple; else nothing."""
        name, fields = self.returns(), self.fields()
        if not fields:
            return ""
        text = f"Result of `{self.name}`."
        if not stub:  # `typing.NamedTuple` takes twice the time, at each import
            made = f'namedtuple("{name}", "{" ".join(fields)}", module=__name__)'
            return f'{name} = {made}\n{name}.__doc__ = "{text}"\n'
        lines = "".join(f"    {each}: Tensor\n" for each in fields)
        return f'class {name}(NamedTuple):\n    """{text}"""\n\n{lines}'


def reference(row: Row) -> str:
    """Return the name of the standard's section on a function."""
    return row.name if row.name.startswith(f"{row.page}.") else f"{row.page}.{row.name}"


def computed_by(row: Row) -> list[str]:
    """Return the core's function of a row, and the arguments that the row gives it."""
    found = row.function.returns
    if isinstance(found, ast.Call):
        values = [f"{each.arg}={ast.unparse(each.value)}" for each in found.keywords]
        return [ast.unparse(found.func), f'"{row.name}"', *values]
    return [ast.unparse(found) if found else row.name.rpartition(".")[2]]


def in_words(annotation: str) -> str:
    """Return an annotation as documentation has it."""
    parts = []
    for part in re.split(r" \| (?![^\[]*\])", annotation):
        choices = re.fullmatch(r"Literal\[(.+)\]", part)
        text = "{" + choices[1].replace('"', "'") + "}" if choices else WORDS.get(part, part)
        parts.append(text)
    for kind, members in (
        ("Python scalar", {"bool", "int", "float", "complex"}),
        ("Python number", {"int", "float", "complex"}),
    ):
        if members <= {*parts}:
            parts = [part for part in parts if part not in members] + [kind]
    *first, last = parts
    return f"{', '.join(first)} or {last}" if first else last


def result_head(field: Field) -> str:
    """Return the line of a docstring that begins a result."""
    _, name = field.element
    return f"{name} : Tensor" if name else in_words(field.type or "Tensor")


def prose(text: str, indent: int = 0) -> str:
    """Fill the paragraphs of a text, but for lists and examples."""
    paragraphs = [
        paragraph
        if paragraph.startswith(("- ", ">>> "))
        else textwrap.fill(paragraph, WIDTH - 4 - indent, break_on_hyphens=False)
        for paragraph in text.split("\n\n")
    ]
    return textwrap.indent("\n\n".join(paragraphs), " " * indent)


def entries(found: Any) -> str:
    """Return the entries of a section: heads, and texts below them."""
    return "\n".join(f"{head}\n{prose(text, 4)}" for head, text in found)


# ---- Python source


def items(arguments: ast.arguments) -> list[str]:
    """Return the parameters of a definition, which have annotations, and its "/" and "*"."""
    found = split(ast.unparse(arguments).replace("'", '"'))
    return [item.replace("=", " = ", 1) for item in found]


def definition(name: str, found: list[str], result: str, body: str) -> str:
    """Return the definition of a function, formatted as ruff does."""
    head, end = f"def {name}(", f") -> {result}:{body}\n"
    line = ", ".join(found)
    if len(f"{head}{line}{end}".splitlines()[0]) <= 100:
        return head + line + end
    if len(line) <= 96:
        return f"{head}\n    {line}{',' * (len(found) == 1)}\n{end}"
    return head + "\n" + "".join(f"    {item},\n" for item in found) + end


def known(row: Row, returns: str) -> Known:
    """Return what a row says about the dtype and shape of a result."""
    arrays = [each.name for each in row.parameters if each.kind]
    if row.name == "where":
        arrays = arrays[1:]
    elif row.dtype[0] != "promoted" and row.work != "binary":
        arrays = arrays[:1]
    dtype = "" if len(row.dtype) > 1 else row.dtype[0]
    shape = "given" if row.name in ("reshape", "broadcast_to") else row.shape[0]
    return Known(row.name, dtype, shape, arrays, returns)


def overloaded(name: str, found: list[str], result: str, row: Row | None) -> str:
    """Return the stub of a function, with all of its signatures."""
    if row:
        what = known(row, result)
    elif name == "asarray":
        what = Known(name, "given", "same", ["obj"], result)
    else:
        return definition(name, found, result, " ...")
    text = ""
    variants = signatures(found, what, Style())
    for variant in variants:
        parameters, _, returned = variant.rpartition(") -> ")
        text += "@overload\n" * (len(variants) > 1)
        text += definition(name, split(parameters[1:]), returned, " ...")
    return text


def is_number(name: str) -> tuple[Any, ...]:
    """Sort names as ruff does: digits in them as numbers."""
    parts = re.split(r"(\d+)", name)
    return tuple(int(part) if part.isdigit() else part for part in parts)


def listed(names: list[str]) -> str:
    """Return names as the items of a list, sorted."""
    constants = sorted((name for name in names if name.isupper()), key=is_number)
    classes = sorted((n for n in names if n[0].isupper() and n not in constants), key=is_number)
    others = sorted((n for n in names if not n[0].isupper()), key=is_number)
    return "".join(f'    "{name}",\n' for name in [*constants, *classes, *others])


def exports(names: list[str]) -> str:
    """Return the line or lines that set ``__all__``."""
    items = listed(names)
    short = f"__all__ = [{', '.join(line.strip().rstrip(',') for line in items.splitlines())}]"
    return short if len(short) <= 100 else f"__all__ = [\n{items}]"


# ---- pages


#: The documented rows of each page that has some.
WRITTEN = {
    page: found
    for page in PAGES
    if (found := [row for row in ROWS if row.page == page and row.comment])
}


def base(page: str) -> str:
    """Return the source that a page begins with."""
    return (ROOT / "corepy" / "array_api" / f"{page}.py").read_text()


def module(page: str) -> str:
    """Return the source of a page."""
    functions = [Function(row) for row in WRITTEN[page]]
    parts = [base(page).rstrip(), exports(PAGES[page])]
    if any(row.name.startswith(f"{page}.") for row in WRITTEN[page]):  # an extension
        parts.append("\ndef __dir__() -> list[str]:\n    return sorted(__all__)\n")
    parts += [f"\n{each.result_class(stub=False)}" for each in functions if each.fields()]
    parts += [f"\n{each.source()}" for each in functions]
    return "\n\n".join(part.rstrip() for part in parts) + "\n"


def stub(page: str) -> str:
    """Return the stub of a page."""
    functions = [Function(row) for row in WRITTEN.get(page, [])]
    by_name = {row.name.rpartition(".")[2]: row for row in ROWS if row.page == page}
    classes = [each.result_class(stub=True) for each in functions if each.fields()]
    definitions = {each.name: each.stub() for each in functions}
    imported = ""
    for node in ast.parse(base(page)).body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            assert node.returns is not None
            result = ast.unparse(node.returns)
            row = by_name.get(node.name)
            definitions[node.name] = overloaded(node.name, items(node.args), result, row)
        elif isinstance(node, ast.ImportFrom) and {n.name for n in node.names} <= {*PAGES[page]}:
            names = "".join(f"    {each.name},\n" for each in node.names)
            imported = f"from {node.module} import (\n{names})\n"
    body = "\n".join(classes) + "\n" * bool(classes)
    body += "".join(text for _, text in sorted(definitions.items()))
    imports = ""
    for group in IMPORTS:
        lines = ""
        for origin, exported in group.items():
            used = [name for name in exported.split() if re.search(rf"\b{name}\b", body)]
            line = f"from {origin} import {', '.join(used)}\n"
            if used == ["np"]:
                line = "import numpy as np\n"
            elif len(line) > 101:
                names = "".join(f"    {name},\n" for name in used)
                line = f"from {origin} import (\n{names})\n"
            lines += line if used else ""
        imports += lines + "\n" * bool(lines)
    imports = imports.rstrip() + "\n" + imported
    head = "# Generated by schema/generate.py.\n"
    if "@overload" in body:
        head += '# mypy: disable-error-code="overload-overlap"\n'
    return f"{head}{imports}\n{exports(PAGES[page])}\n\n{body}"


#: Where the names in stubs are from, by groups of imports.
IMPORTS = (
    {"collections.abc": "Sequence", "typing": "Any Literal NamedTuple SupportsIndex overload"},
    {"numpy": "np", "numpy.typing": "DTypeLike"},
    {
        "corepy._cython.core": """
            Device Tensor _ComplexT _DTypeOf _DTypeT _FloatingT _InexactT _IntegerT _Integral
            _NewShapeT _NumberT _RealT _SameInexactT _SameNumberT _SameT _ScalarT _ShapeT
            _TensorOf _TypedArray
        """,
        "corepy.array_api._limits": "FloatLimits IntegerLimits",
    },
)
