"""Signatures of functions whose results have a dtype or shape that follows from the arguments.

Type checkers take the first signature that fits, so the last one is the most general. The rules for
dtypes and shapes are those of operations.def. Parameters are source text, as `records.split`
returns it: ``x: Tensor``, ``/``, ``axis: int = -1``. TypeVars and aliases are those of core.pyi.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

ANY_SHAPE = "tuple[Any, ...]"
#: Scalar types of one operand and of the result, by the rule for the dtype of the result.
CASES = {
    "boolean": [("Any", "np.bool")],
    "index": [("Any", "INTEGER")],
    "uint8": [("Any", "np.uint8")],
    "arithmetic": [("_NumberT", "_NumberT")],
    "floating": [("_InexactT", "_InexactT"), ("_Integral", "np.float64")],
    "real_floating": [
        ("_FloatingT", "_FloatingT"),
        ("np.complex64", "np.float32"),
        ("np.complex128 | _Integral", "np.float64"),
    ],
    "real_of_complex": [
        ("_RealT", "_RealT"),
        ("np.complex64", "np.float32"),
        ("np.complex128", "np.float64"),
    ],
    "accumulate": [
        ("_InexactT", "_InexactT"),
        ("np.signedinteger | np.bool", "INTEGER"),
        ("np.unsignedinteger", "np.uint64"),
    ],
    "complex": [
        ("_ComplexT", "_ComplexT"),
        ("np.float32", "np.complex64"),
        ("np.float64 | _Integral", "np.complex128"),
    ],
}
#: Scalar types of several operands, and of an operand beside a Python float. Constraints of the
#: first are all dtypes, so it stands for one dtype and never for a common base of two.
PROMOTED = {
    "promoted": "_SameT",
    "same": "_SameT",
    "arithmetic": "_SameNumberT",
    "floating": "_SameInexactT",
}
#: Shapes of results that do not depend on those of operands.
SHAPES = {
    "progression": "tuple[int]",
    "count": "tuple[int]",
    "half_count": "tuple[int]",
    "matrix": "tuple[int, int]",
}
#: What NumPy makes of Python's types.
PYTHON = {
    "bool": "np.bool",
    "int": "INTEGER",
    "float": "np.float64",
    "complex": "np.complex128",
}
#: Functions without an operand whose dtype is that of a number, with the parameters that are one.
OF_NUMBERS = {
    "full": (["fill_value"], ["bool", "int", "float", "complex"]),
    "linspace": (["start", "stop"], ["float", "complex"]),
    "arange": (["start", "stop", "step", "start_or_stop"], ["int", "float"]),
}


#: Parameters that are sequences of arrays in NumPy's functions.
SEQUENCES = ("tup", "arrays")
#: Types of parameters with which a result has the shape of the operand.
AS_IT_IS = {"shape": "None", "ndmin": "Literal[0]"}
#: Parameters that are the limits of `clip`.
LIMITS = ("min", "max", "a_min", "a_max")

#: Operators: the operand, the result (scalar types or Python's, the class's dtype where the first
#: is empty), and whether the result has the shape of the tensor. Arrays of the same dtype come
#: first, then arrays with one of double precision, then Python's numbers.
DOUBLE = [
    ("_Real", "np.float64", "np.float64"),
    ("np.float64", "_Real", "np.float64"),
    ("np.number | np.bool", "np.complex128", "np.complex128"),
    ("np.complex128", "np.number | np.bool", "np.complex128"),
]
LISTS = {
    ("np.float64", "np.float64"): " | Sequence[float]",
    ("np.complex128", "np.complex128"): " | Sequence[complex]",
}
INEXACT = [("_InexactT", "float", "_InexactT"), ("_ComplexT", "complex", "_ComplexT")]
OPERATORS = {
    "add sub mul": [
        ("_NumberT", "int", "_NumberT"),
        ("_ScalarT", "_ScalarT", "_ScalarT"),
        *DOUBLE,
        *INEXACT,
        ("_Integral", "float", "np.float64"),
    ],
    "floordiv mod divmod pow": [
        ("_NumberT", "int", "_NumberT"),
        ("_NumberT", "_NumberT", "_NumberT"),
        *DOUBLE,
        *INEXACT,
        ("_Integral", "float", "np.float64"),
    ],
    "truediv": [
        ("_InexactT", "_InexactT", "_InexactT"),
        *DOUBLE,
        *INEXACT,
        ("_Integral", "_Integral", "np.float64"),
        ("_Integral", "float", "np.float64"),
    ],
    "matmul": [("_ScalarT", "_ScalarT", "_ScalarT"), *DOUBLE],
    "and or xor": [
        ("np.bool", "bool", "np.bool"),
        ("_IntegerT", "int", "_IntegerT"),
        ("_ScalarT", "_ScalarT", "_ScalarT"),
    ],
    "lshift rshift": [
        ("_IntegerT", "int", "_IntegerT"),
        ("_IntegerT", "_IntegerT", "_IntegerT"),
    ],
}
COMPARISONS = "eq ne lt le gt ge"


#: Short names, for which there are aliases: a class, of any shape, by the scalar type.
OF = {"Tensor": "_TensorOf", "ndarray": "_ArrayOf", "_TypedArray": "_Has"}


def typed(cls: str, shape: str, scalar: str) -> str:
    """Return the type of arrays of a class with a shape and a scalar type."""
    if shape in ("Any", ANY_SHAPE):
        return cls if scalar == "Any" and cls != "_TypedArray" else f"{OF[cls]}[{scalar}]"
    return f"{cls}[{shape}, np.dtype[{scalar}]]"


def operators(cls: str) -> str:
    """Return the stubs of the operators of a class."""
    lines = ""
    for names, variants in OPERATORS.items():
        for name in [f"{side}{name}" for name in names.split() for side in ("", "r")]:
            modulo = ", modulo: None = None" * ("pow" in name)
            pair = "tuple[{0}, {0}]" if "divmod" in name else "{0}"
            for own, other, result in variants:
                is_number = other in PYTHON
                shape = "_ShapeT_co" if is_number else ANY_SHAPE
                # Lists of numbers have double precision.
                others = f"_Has[{other}]{LISTS.get((own, result), '')}"
                other = other if is_number else others
                returned = pair.format(typed(cls, shape, result))
                lines += (
                    f"@overload\ndef __{name}__(self: {typed(cls, 'Any', own)}, "
                    f"other: {other}{modulo}, /) -> {returned}: ...\n"
                )
            returned = pair.format(cls)
            lines += (
                f"@overload\ndef __{name}__(self, other: _Operand{modulo}, /) -> {returned}: ...\n"
            )
    lines += (
        f"@overload\ndef __abs__(self: _HasDType[_OfComponents[_ScalarT, Any]])"
        f" -> {cls}[_ShapeT_co, np.dtype[_ScalarT]]: ...\n"
        f"@overload\ndef __abs__(self) -> {cls}[_ShapeT_co]: ...\n"
    )
    for name in COMPARISONS.split():
        for other, shape in (("_Scalar", "_ShapeT_co"), ("_Operand", ANY_SHAPE)):
            returned = typed(cls, shape, "np.bool")
            lines += f"@overload\ndef __{name}__(self, other: {other}, /) -> {returned}: ...\n"
    return lines


class Style(NamedTuple):
    """How a namespace writes types."""

    result: str = "Tensor"  # the class of results
    operand: str = "Tensor"  # what has a dtype and a shape
    integer: str = "np.int64"  # the scalar type that stands for Python's int
    scalars: bool = False  # whether reductions over all axes are scalars


class Known(NamedTuple):
    """What is known of a function's result."""

    name: str
    dtype: str  # a rule of operations.def
    shape: str  # likewise
    arrays: list[str]  # the parameters that decide on the dtype
    returns: str = ""  # the annotation of the result if it is not the class


def arguments(items: Iterable[str], types: Mapping[str, str], given: str = "") -> str:
    """Return parameters with other annotations; `given` has no default then."""
    found: list[str] = []
    has_default = is_keyword = False
    for item in items:
        head, _, default = item.partition(" = ")
        name = head.partition(":")[0].lstrip("*")
        if item.startswith("*"):
            if item == "*" and is_keyword:
                continue
            is_keyword = True
        if name == given:
            if has_default and not is_keyword:
                found.append("*")
                is_keyword = True
            default = ""
        if name in types:
            stars = "*" * (len(item) - len(item.lstrip("*")))
            head = f"{stars}{name}: {types[name]}"
        has_default |= bool(default)
        found.append(f"{head} = {default}" if default else head)
    return ", ".join(found)


def names_of(items: Iterable[str]) -> list[str]:
    """Return the names of parameters."""
    return [item.partition(":")[0].partition(" = ")[0].lstrip("*") for item in items]


class Signatures:
    """The signatures of a function, from the most particular one to the given one."""

    def __init__(self, items: list[str], known: Known, style: Style):
        self.items, self.known, self.style = items, known, style
        self.annotations = {
            item.partition(":")[0].lstrip("*"): item.partition(": ")[2].partition(" = ")[0]
            for item in items
        }
        self.found: list[str] = []
        self.is_complete = False  # whether the given signature is covered by the others

    def array(self, shape: str, scalar: str) -> str:
        """Return the type of a result."""
        return typed(self.style.result, shape, self.scalar(scalar))

    def scalar(self, name: str) -> str:
        """Return a scalar type as the namespace writes it."""
        return name.replace("INTEGER", self.style.integer)

    def add(self, types: Mapping[str, str], result: str, given: str = "") -> None:
        """Add a signature, unless there is one of these parameters."""
        returns = self.known.returns or self.style.result
        result = re.sub(rf"\b{self.style.result}\b", lambda _: result, returns, count=1)
        signature = f"({arguments(self.items, types, given)}) -> {result}"
        if signature not in self.found:
            self.found.append(signature)

    def operands(self, shape: str, scalar: str) -> dict[str, str]:
        """Return the types of the operands that are arrays of a dtype."""
        kind = typed(self.style.operand, shape, scalar)
        types = {}
        for name in self.known.arrays:
            annotation = self.annotations.get(name, "")
            if "tuple[Tensor, ...]" in annotation:
                types[name] = re.sub(r"\bTensor\b", kind, annotation)
            elif name in SEQUENCES and f"*{name}" not in "".join(self.items):
                types[name] = f"Sequence[{kind}]"
            else:
                types[name] = kind
        return types

    def without_dtype(self) -> dict[str, str]:
        """Return the type of ``dtype`` where it is not given."""
        return {"dtype": "None"} if "dtype" in self.annotations else {}

    def of_cases(self, cases: list[tuple[str, str]]) -> None:
        """Add signatures by the dtype of the operands."""
        keeps = self.known.shape == "same"
        shape = "_ShapeT" if keeps else ANY_SHAPE
        dtype = self.without_dtype()
        if self.style.scalars and self.known.shape == "reduced":
            whole = {"axis": "None", "keepdims": "Literal[False]", "out": "None"}
            whole = {name: kind for name, kind in whole.items() if name in self.annotations}
            for operand, result in cases:
                self.add(self.operands("Any", operand) | whole | dtype, self.scalar(result))
            if dtype:
                given = {"dtype": "_DTypeOf[_ScalarT]"}
                self.add(self.operands("Any", "Any") | whole | given, "_ScalarT", given="dtype")
        for operand, result in cases:
            types = self.operands("_ShapeT" if keeps else "Any", operand) | dtype
            self.add(types, self.array(shape, result))
        if dtype:
            types = self.operands("_ShapeT" if keeps else "Any", "Any")
            types["dtype"] = "_DTypeOf[_ScalarT]"
            self.add(types, self.array(shape, "_ScalarT"), given="dtype")

    def of_same(self) -> None:
        """Add signatures of a result that has the dtype of the first operand."""
        operand, result = self.style.operand, self.style.result
        shapes = SHAPES | {"same": "_ShapeT", "given": "_NewShapeT"}
        shape = shapes.get(self.known.shape, ANY_SHAPE)
        dtype = "_DTypeT"
        if self.style.scalars and self.known.shape == "reduced":
            self.of_cases([("_ScalarT", "_ScalarT")])
            return
        first = self.known.arrays[0]
        of_first = "_ShapeT" if self.known.shape == "same" else "Any"
        types = {first: f"{operand}[{of_first}, {dtype}]"}
        if self.known.shape == "given":
            is_tuple = self.annotations["shape"].startswith("tuple")
            types["shape"] = "_NewShapeT" if is_tuple else "SupportsIndex | _NewShapeT"
        if self.known.name == "clip":  # limits are promoted
            for scalar, kind in (("_InexactT", "float"), ("_IntegerT", "int")):
                limits = {n: f"{kind} | None" for n in self.annotations if n in LIMITS}
                self.add(self.operands("_ShapeT", scalar) | limits, self.array("_ShapeT", scalar))
            return
        self.add(types | self.without_dtype(), f"{result}[{shape}, {dtype}]")
        self.is_complete = operand == result and self.known.shape != "given"

    def of_promoted(self, scalar: str) -> None:
        """Add signatures of a result of several operands."""
        dtype = self.without_dtype()
        self.add(self.operands("Any", scalar) | dtype, self.array(ANY_SHAPE, scalar))
        names = self.known.arrays
        if len(names) == 2 and "float" in self.annotations.get(names[1], ""):
            array = typed(self.style.operand, "_ShapeT", "_InexactT")
            for pair in ((array, "float"), ("float", array)):
                types = dict(zip(names, pair, strict=True)) | dtype
                self.add(types, self.array("_ShapeT", "_InexactT"))
        if dtype:
            types = {"dtype": "_DTypeOf[_ScalarT]"}
            self.add(types, self.array(ANY_SHAPE, "_ScalarT"), given="dtype")

    def of_given(self) -> None:
        """Add signatures of a result whose dtype is an argument."""
        shape = SHAPES.get(self.known.shape, ANY_SHAPE)
        types: dict[str, str] = {}
        operand, result = self.style.operand, self.style.result
        if self.known.shape == "given":
            shape = "_NewShapeT"
            types["shape"] = "SupportsIndex | _NewShapeT"
        takes_anything = "Any" in [self.annotations[name] for name in self.known.arrays]
        if takes_anything:
            operand = "_TypedArray"
        for name in self.known.arrays:
            shape = "_ShapeT"
            types[name] = f"{operand}[_ShapeT, _DTypeT]"
            types |= {each: kind for each, kind in AS_IT_IS.items() if each in self.annotations}
        if self.known.name in OF_NUMBERS:
            names, kinds = OF_NUMBERS[self.known.name]
            for kind in kinds:
                of_kind = {
                    name: kind + " | None" * ("None" in self.annotations[name])
                    for name in names
                    if name in self.annotations
                }
                self.add(types | of_kind | {"dtype": "None"}, self.array(shape, PYTHON[kind]))
            types |= of_kind if self.known.name == "linspace" else {}
        elif types and self.known.arrays:
            if self.known.name != "astype":
                self.add(types | {"dtype": "None"}, f"{result}[{shape}, _DTypeT]")
            types |= dict.fromkeys(self.known.arrays, f"{operand}[_ShapeT, Any]")
            if takes_anything:
                types, shape = {}, ANY_SHAPE
        else:
            self.add(types | {"dtype": "None"}, self.array(shape, "np.float64"))
        given = {"_DTypeOf[_ScalarT]": "_ScalarT"} | {
            f"type[{kind}]": scalar for kind, scalar in PYTHON.items()
        }
        for kind, scalar in given.items():
            self.add(types | {"dtype": kind}, self.array(shape, scalar), given="dtype")
        if "shape" in types and self.annotations["shape"] == "_Shape":  # a list
            del types["shape"]
            if self.known.name not in OF_NUMBERS:
                self.add(types | {"dtype": "None"}, self.array(ANY_SHAPE, "np.float64"))
            dtype = {"dtype": "_DTypeOf[_ScalarT]"}
            self.add(types | dtype, self.array(ANY_SHAPE, "_ScalarT"), given="dtype")

    def all(self) -> list[str]:
        """Return the signatures; the last one is that of the function."""
        rule = self.known.dtype
        several = len(self.known.arrays) > 1 or rule == "promoted"
        if rule == "given":
            self.of_given()
        elif several and rule in PROMOTED:
            self.of_promoted(PROMOTED[rule])
        elif rule in ("same", "each") and self.known.arrays:
            self.of_same()
        elif rule in CASES and several:
            result = self.array(ANY_SHAPE, CASES[rule][0][1])
            self.add({}, result)
            self.is_complete = len(CASES[rule]) == 1
        elif rule in CASES and self.known.arrays:
            self.of_cases(CASES[rule])
            first = self.annotations[self.known.arrays[0]]
            takes_arrays = first in ("", "Tensor") and self.style.operand == self.style.result
            self.is_complete = len(self.found) == 1 and takes_arrays
        last = f"({', '.join(self.items)}) -> {self.known.returns or self.style.result}"
        return self.found if self.is_complete else [*self.found, last]


def signatures(items: list[str], known: Known, style: Style) -> list[str]:
    """Return the signatures of a function.

    Parameters
    ----------
    items : list of str
        Its parameters.
    known : Known
        What is known of its result.
    style : Style
        How the namespace writes types.
    """
    return Signatures(items, known, style).all()
