"""Write the stubs of the drop-in from its functions.

usage: python tools/stubs.py [--check]

Parameters and defaults are those of the functions of NumPy that are replaced, results those of
Corepy's functions. Rewrites the marked parts of ``corepy/__init__.pyi`` and ``ndarray.pyi``, and
the stubs of the submodules. ``--check`` reports files that are not up to date, as ``make lint``
does.

NumPy's names differ by version: the stubs have those of `VERSION`, and nothing is written or
reported with another one.
"""

from __future__ import annotations

import ast
import inspect
import os
import re
import subprocess
import sys
import sysconfig
import textwrap
from collections.abc import Callable, Iterable
from importlib import import_module
from inspect import Parameter
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

import corepy
from corepy import array_api
from corepy._cython.core import Tensor
from corepy._finder import OF_NUMPY
from corepy.numpy import _own
from corepy.numpy.dispatch import Function, UFunc
from corepy.numpy.ndarray import ndarray

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "corepy"
sys.path.insert(0, str(PACKAGE / "_cython" / "schema"))
import generate  # noqa: E402
from inferred import SEQUENCES, Known, Style, arguments, operators, signatures  # noqa: E402
from pages import known  # noqa: E402
from records import ROWS, split  # noqa: E402

#: The version of NumPy whose names the stubs have.
VERSION = "2.4"

#: The modules whose functions take arrays of numbers. Parameters of all others are ``Any``.
TYPED = {"corepy", "corepy.fft", "corepy.lib.stride_tricks", "corepy.linalg", "corepy.random"}
#: The modules whose functions take text, even if they are functions of other modules, too.
TEXT = ("corepy.char", "corepy.strings")
#: The parameters of each type; all others are ``Any``.
TYPES = {
    "_ArrayLike": """
        A a a1 a2 alpha ar ar1 ar2 arr array arrays ary arys atol aweights b base beta colors
        condition d df dfden dfnum element f fill_value filt fp fweights high indices
        indices_or_sections initial kappa keys lam left loc low m mask mean mu multi_index nbad
        ngood nonc nsample p posinf neginf nan period prepend append prototype pvals q repeats right
        rtol sample scale seq_of_zeros shape_ sigma sorter src start start_or_stop step stop
        test_elements to_begin to_end tol tup u v val vals values weights where x x1 x2 xi xp y z
    """,
    "_ArrayLike | None": "a_max a_min max min",
    "_Axis": "axis",
    "_Out": "out",
    "_Shape": "dimensions dims new_shape reps shape size window_shape",
    "Callable[..., Any]": "func func1d function mask_func",
    "DTypeLike | None": "dtype",
    "Device | str | None": "device",
    "SupportsIndex": """
        M N axis1 axis2 axisa axisb axisc decimals deg edge_order k length minlength n n_children
        ndim ndmax ndmin num offset
    """,
    "SupportsIndex | Sequence[SupportsIndex]": "destination shift source",
    "bool": """
        assume_unique bias compute_uv density descending endpoint equal_nan full_matrices hermitian
        include_initial increasing invert keepdims overwrite_input replace retstep return_counts
        return_index return_indices return_inverse returned rowvar shuffle sparse stable subok upper
        wrap writeable
    """,
    "bool | None": "copy",
    "float": "correction ddof discont dx",
    "str": "UPLO bitorder casting indexing kind method norm order side",
}
TYPE_OF = {name: type_ for type_, names in TYPES.items() for name in names.split()}
#: Types of single parameters.
PARAMETERS = {
    "array.object": "Any",
    "argmax.axis": "SupportsIndex | None",
    "argmin.axis": "SupportsIndex | None",
    "argpartition.order": "Any",
    "argsort.order": "Any",
    "asanyarray.a": "Any",
    "asarray.a": "Any",
    "asarray_chkfinite.a": "Any",
    "binomial.n": "_ArrayLike",
    "choice.axis": "SupportsIndex",
    "choose.choices": "Any",
    "cond.p": "Any",
    "gamma.shape": "_ArrayLike",
    "isdtype.kind": "Any",
    "isscalar.element": "Any",
    "iterable.y": "Any",
    "multinomial.n": "_ArrayLike",
    "multivariate_hypergeometric.method": 'Literal["marginals", "count"]',
    "multivariate_hypergeometric.nsample": "SupportsIndex",
    "multivariate_normal.check_valid": 'Literal["warn", "raise", "ignore"]',
    "multivariate_normal.cov": "_ArrayLike",
    "multivariate_normal.method": 'Literal["svd", "eigh", "cholesky"]',
    "negative_binomial.n": "_ArrayLike",
    "partition.order": "Any",
    "permutation.axis": "SupportsIndex",
    "permuted.axis": "SupportsIndex | None",
    "pinv.rtol": "_ArrayLike | None",
    "polyint.k": "Any",
    "require.a": "Any",
    "setbufsize.size": "int",
    "shuffle.axis": "SupportsIndex",
    "sort.order": "Any",
    "standard_exponential.method": 'Literal["zig", "inv"]',
    "standard_gamma.shape": "_ArrayLike",
    "triangular.mode": "_ArrayLike",
}
#: Results that neither Corepy's nor the standard's functions say, or not for all arguments.
RESULTS = {
    function: result
    for result, functions in {
        "None": "info save savetxt savez savez_compressed set_printoptions show_runtime",
        "Any": "linalg.matrix_rank trim_zeros",
        "EigResult": "linalg.eig",
        "ndarray": """
            asarray_chkfinite frombuffer fromfile fromiter fromstring i0 kaiser lib.stride_tricks.*
            fft.* linalg.eigvals linalg.tensorinv linalg.tensorsolve loadtxt packbits poly polyint
            ravel_multi_index require roots row_stack sort_complex unpackbits
        """,
        "bool": "isfortran issubdtype may_share_memory shares_memory",
        "int": "getbufsize setbufsize",
        "np.matrix[Any, Any]": "asmatrix bmat",
        "np.dtype[Any]": "min_scalar_type promote_types result_type",
        "str": """
            array2string array_repr array_str base_repr binary_repr format_float_positional
            format_float_scientific get_include mintypecode typename
        """,
        "tuple[ndarray, Any]": "histogramdd",
        "tuple[ndarray, ndarray]": "polydiv",
        "tuple[ndarray, ...]": "meshgrid",
        "tuple[ndarray, ndarray, ndarray, ndarray]": "linalg.lstsq",
        "tuple[int, ...]": "broadcast_shapes",
        "ufunc": "frompyfunc",
    }.items()
    for function in functions.split()
} | {
    "datetime_data": "tuple[str, int]",
    "einsum_path": "tuple[list[Any], str]",
    "get_printoptions": "dict[str, Any]",
    "printoptions": "AbstractContextManager[dict[str, Any]]",
}
#: Results that depend on flags: with the defaults, and with one of the flags switched.
FLAGS = {
    "average": ("ndarray", "tuple[ndarray, ndarray]", "returned"),
    "indices": ("ndarray", "tuple[ndarray, ...]", "sparse"),
    "intersect1d": ("ndarray", "tuple[ndarray, ndarray, ndarray]", "return_indices"),
    "linalg.svd": ("SVDResult", "ndarray", "compute_uv"),
    "linspace": ("ndarray", "tuple[ndarray, Any]", "retstep"),
    "polyfit": ("ndarray", "tuple[Any, ...]", "full cov"),
    "unique": ("ndarray", "tuple[ndarray, ...]", "return_index return_inverse return_counts"),
}
#: Signatures of functions whose results depend on their arguments otherwise.
OVERLOADS = {
    "linalg.qr": [
        '(a: _ArrayLike, mode: Literal["reduced", "complete"] = "reduced") -> QRResult',
        '(a: _ArrayLike, mode: Literal["r"]) -> ndarray',
        '(a: _ArrayLike, mode: Literal["raw"]) -> tuple[ndarray, ndarray]',
        "(a: _ArrayLike, mode: str) -> Any",
    ],
    "where": [
        "(condition: _ArrayLike, /) -> tuple[ndarray, ...]",
        "(condition: _ArrayLike, x: _Has[_SameT], y: _Has[_SameT], /) -> _ArrayOf[_SameT]",
        "(condition: _ArrayLike, x: _ArrayLike, y: _ArrayLike, /) -> ndarray",
    ],
} | {
    f"atleast_{ndim}d": [
        "(ary: _Has[_ScalarT], /) -> _ArrayOf[_ScalarT]",
        "(ary: _ArrayLike, /) -> ndarray",
        "(ary1: _ArrayLike, ary2: _ArrayLike, /, *arys: _ArrayLike) -> tuple[ndarray, ...]",
    ]
    for ndim in (1, 2, 3)
}
#: What signatures are given in NumPy's documentation alone.
UNKNOWN = {
    "fromstring": "(string: str, dtype: DTypeLike | None = ..., count: int = -1, *, sep: str, "
    "like: Any = None) -> ndarray",
}
#: What methods of NumPy's return.
METHODS = dict.fromkeys("choose dot getfield trace".split(), "ndarray") | dict.fromkeys(
    ("partition", "put", "resize", "setfield", "sort"), "None"
)
METHODS["nonzero"] = "tuple[ndarray, ...]"

#: The rules of operations.def for the dtype and the shape of results, of functions that are not
#: there or are there with other parameters. Arrays are the first parameters, two of them where the
#: rule is "promoted".
RULES = {
    name: (dtype, shape)
    for (dtype, shape), names in {
        ("accumulate", "reduced"): "nanprod nansum",
        ("accumulate", ""): "cumprod cumsum nancumprod nancumsum",
        ("boolean", "same"): "iscomplex isneginf isposinf isreal",
        ("boolean", ""): "isclose",
        ("floating", "reduced"): "mean nanmean nanmedian median",
        ("floating", "same"): "fix i0 sinc unwrap",
        ("floating", ""): "pinv tensorinv",
        ("real_floating", "same"): "angle",
        ("given", "given"): "full",
        ("given", "matrix"): "identity tri",
        ("given", "same"): """
            array asanyarray asarray asarray_chkfinite ascontiguousarray asfortranarray
        """,
        ("index", "reduced"): "nanargmax nanargmin",
        ("index", "same"): "argpartition argsort",
        ("index", ""): "argwhere digitize lexsort searchsorted",
        ("index", "count"): "flatnonzero",
        ("promoted", ""): """
            append column_stack concatenate convolve correlate dstack hstack kron outer union1d
            setdiff1d setxor1d vstack
        """,
        ("real_floating", "reduced"): "nanstd nanvar",
        ("same", "reduced"): "amax amin nanmax nanmin ptp",
        ("same", "same"): """
            around byteswap clip conjugate copy fliplr flipud nan_to_num partition round sort
        """,
        ("same", "count"): "ravel",
        ("same", ""): """
            array_split compress delete diag diagflat diagonal dsplit extract hsplit insert pad
            repeat resize rollaxis rot90 split swapaxes take unique vsplit
        """,
    }.items()
    for name in names.split()
}
#: The rules of the functions of the standard, by their names.
ROWS_BY_NAME = {row.name: row for row in ROWS}
#: The reductions among the methods, whose docstrings stubs have.
REDUCTIONS = "argmax argmin max mean min prod std sum var all any".split()
DROP_IN = Style("ndarray", "_TypedArray", "np.int_", scalars=True)

#: Functions of random numbers that are integers; others are float64. Single ones are Python's, but
#: not those of `INTEGER_SCALARS`.
INTEGERS = """
    binomial geometric hypergeometric integers logseries multinomial multivariate_hypergeometric
    negative_binomial poisson randint random_integers tomaxint zipf
""".split()
INTEGER_SCALARS = {"integers": "np.int64", "random_integers": "np.int_"}
#: dtype of random integers -> types of a single one, and of elements of arrays.
DTYPES = {
    "_DTypeOf[_ScalarT]": ("_ScalarT", "_ScalarT"),
    "type[bool]": ("bool", "np.bool"),
    "type[int]": ("int", "np.int_"),
}
#: Parameters that are integers; in functions of such names all are.
COUNTS = "n ngood nbad nsample integers randint random_integers".split()
ALWAYS_ARRAYS = "dirichlet multinomial multivariate_hypergeometric multivariate_normal".split()
#: Signatures of other functions of random numbers.
STATE = "dict[str, Any] | tuple[str, np.ndarray[Any, np.dtype[np.uint32]], int, int, float]"
OTHERS = {
    "bytes": ["(self, length: SupportsIndex) -> builtins.bytes"],
    "get_state": [
        "(self, legacy: Literal[False]) -> dict[str, Any]",
        f"(self, legacy: bool = True) -> {STATE}",
    ],
    "rand": ["(self) -> float", "(self, *sizes: SupportsIndex) -> _ArrayOf[np.float64]"],
    "randn": ["(self) -> float", "(self, *sizes: SupportsIndex) -> _ArrayOf[np.float64]"],
    "seed": ["(self, seed: _ArrayLike | None = None) -> None"],
    "set_state": [f"(self, state: {STATE}) -> None"],
    "spawn": ["(self, n_children: int) -> list[Generator]"],
}

#: Modules have any attribute for type checkers, but not these.
NO_GETATTR = "__getattr__: None  # type: ignore[assignment]\n"
#: What a namespace has beside functions, constants and dtypes.
NAMESPACE = """
Tensor: type[Tensor]
__array_api_version__: str
fft: FFT
float16: type[np.float16]
linalg: Linalg
newaxis: None
@staticmethod
def __array_namespace_info__() -> Info: ...
"""

#: Where the names in stubs are from.
IMPORTS = {
    "collections.abc": "Callable Sequence",
    "contextlib": "AbstractContextManager",
    "corepy": "ufunc",
    "corepy._cython.core": """
        Device Tensor _ArrayLike _ArrayOf _Axis _ComplexT _DTypeOf _DTypeT _FloatingT _Has
        _InexactT _IntegerT _Integral _NewShapeT _NumberT _Out _Real _RealT _SameInexactT
        _SameNumberT _SameT _ScalarT _Shape _ShapeT _TypedArray
    """,
    "corepy.numpy.ndarray": "ndarray",
    "corepy.array_api.linalg": "EigResult EighResult QRResult SVDResult SlogdetResult",
    "corepy.array_api.set_functions": "UniqueAllResult UniqueCountsResult UniqueInverseResult",
    "corepy.numpy._errors": "Treatment",
    "numpy.typing": "DTypeLike",
    "typing": "Any Literal SupportsIndex overload",
}


# ---- signatures


def literal(value: Any) -> str:
    """Return a default as a stub has it."""
    plain = value is None or type(value) in (bool, int, float, str)
    return repr(value) if plain or (type(value) is tuple and not value) else "..."


def typed(path: str, parameter: Parameter) -> str:
    """Return the type of a parameter."""
    where, _, function = path.rpartition(".")
    name = parameter.name
    if where not in TYPED:
        return "Any"
    type_ = PARAMETERS.get(f"{function}.{name}", TYPE_OF.get(name, "Any"))
    if parameter.default is None and type_ not in ("Any", "_Axis", "_Out") and "None" not in type_:
        type_ += " | None"
    return type_


def listed(
    path: str, parameters: Iterable[Parameter], types: dict[str, str] | None = None, given: str = ""
) -> str:
    """Return parameters as source text.

    Parameters
    ----------
    path : str
        The function's.
    parameters : iterable of Parameter
    types : dict, optional
        Types of parameters where they are not those of the tables.
    given : str, optional
        A parameter that has no default here; it and those behind it are keywords if necessary.
    """
    found: list[str] = []
    before: Any = None
    has_default = False
    for parameter in parameters:
        kind, name = parameter.kind, parameter.name
        if before is Parameter.POSITIONAL_ONLY and kind is not before:
            found.append("/")
        default = "" if parameter.default is Parameter.empty else f" = {literal(parameter.default)}"
        if name == given:
            default = ""
        if kind is Parameter.KEYWORD_ONLY or (name == given and has_default):
            if before not in (Parameter.KEYWORD_ONLY, Parameter.VAR_POSITIONAL):
                found.append("*")
            kind = Parameter.KEYWORD_ONLY
        elif before is Parameter.KEYWORD_ONLY and kind is Parameter.POSITIONAL_OR_KEYWORD:
            kind = Parameter.KEYWORD_ONLY  # behind `given`
        stars = "*" * (kind is Parameter.VAR_POSITIONAL) + "**" * (kind is Parameter.VAR_KEYWORD)
        type_ = (types or {}).get(name) or typed(path, parameter)
        if name == "self":
            found.append("self")
        else:
            found.append(f"{stars}{name}: {type_}{default}")
            has_default |= bool(default)
        before = kind
    if before is Parameter.POSITIONAL_ONLY:
        found.append("/")
    return ", ".join(found)


def overloaded(name: str, signatures: list[str]) -> str:
    """Return the stub of a function with one or more signatures."""
    mark = "@overload\n" if len(signatures) > 1 else ""
    return "".join(f"{mark}def {name}{signature}: ...\n" for signature in signatures)


def inferred(path: str, items: list[str], row: Any, returns: str, style: Style) -> list[str]:
    """Return the signatures of a function or method, as far as rules say more of its result.

    Parameters
    ----------
    path : str
        The function's.
    items : list of str
        The parameters.
    row : Row or None
        The function of the standard.
    returns : str
        The type of the result.
    style : Style
        How types are written.
    """
    where, _, name = path.rpartition(".")
    first = [item.partition(":")[0].lstrip("*") for item in items if item not in ("/", "*")]
    if where in ("corepy", "corepy.linalg") and name in RULES:
        rules = RULES[name]
        is_pair = rules[0] == "promoted" and first[0] not in SEQUENCES
        arrays = first[: 1 + is_pair]
        if rules[0] == "given" and rules[1] != "same":
            arrays = []
        if name in ("compress", "extract"):
            arrays = ["a"] if "a" in first else ["arr"]
        what = Known(name, *rules, arrays, returns)
    elif row is not None:
        what = known(row, returns)
        what = what._replace(name=name, arrays=first[: len(what.arrays)])
    else:
        what = Known(name, "", "", [], returns)
    return signatures(items, what, style)


def flagged(
    path: str, parameters: list[Parameter], usual: str, other: str, flags: str
) -> list[str]:
    """Return the signatures of a function whose result depends on flags."""
    default = {each.name: each.default for each in parameters if each.name in flags.split()}
    usually = {name: f"Literal[{value}]" for name, value in default.items()}
    row = ROWS_BY_NAME.get(path.removeprefix("corepy."))
    items = split(listed(path, parameters, usually))
    signatures = inferred(path, items, row, usual, DROP_IN)
    for name, value in default.items():
        switched = {name: f"Literal[{not value}]"}
        signatures.append(f"({listed(path, parameters, switched, given=name)}) -> {other}")
    return [*signatures, f"({listed(path, parameters)}) -> Any"]


def parameters_of(function: Function) -> list[Parameter] | None:
    """Return NumPy's parameters and the standard's that NumPy does not have, None if unknown."""
    try:
        found = list(inspect.signature(function.native).parameters.values())
    except (TypeError, ValueError):
        return None
    names = {each.name for each in found}
    standard = inspect.signature(function.standard).parameters.values() if function.standard else ()
    more = [p for p in standard if p.kind is Parameter.KEYWORD_ONLY and p.name not in names]
    last = [found.pop()] if found and found[-1].kind is Parameter.VAR_KEYWORD else []
    return [*found, *more, *last]


def result_of(path: str, function: Function) -> str:
    """Return the type of a function's result."""
    where, _, name = path.partition(".")[2].rpartition(".")
    said = RESULTS.get(f"{where}.{name}" if where else name)
    if said is not None:
        return said
    for each in (_own.find(path), function.standard):
        annotation = getattr(each, "__annotations__", {}).get("return", "Any")
        if annotation != "Any":
            return re.sub(r"\bTensor\b", "ndarray", str(annotation))
    return RESULTS.get(f"{where}.*", "Any")


def function_stub(path: str, function: Function) -> str:
    """Return the stub of a function of the drop-in."""
    name = path.rpartition(".")[2]
    key = path.partition(".")[2]
    if key in OVERLOADS:
        return overloaded(name, OVERLOADS[key])
    if key in UNKNOWN:
        return overloaded(name, [UNKNOWN[key]])
    parameters = parameters_of(function)
    if parameters is None:
        return overloaded(name, ["(*args: Any, **kwargs: Any) -> Any"])
    if key in FLAGS:
        return overloaded(name, flagged(path, parameters, *FLAGS[key]))
    row = standard_row(function.standard)
    items = split(listed(path, parameters))
    return overloaded(name, inferred(path, items, row, result_of(path, function), DROP_IN))


def standard_row(function: Any) -> Any:
    """Return the row of operations.def of a function of the standard, None if there is none."""
    if function is None:
        return None
    page = function.__module__.rpartition(".")[2]
    name = function.__name__
    return ROWS_BY_NAME.get(f"{page}.{name}") or ROWS_BY_NAME.get(name)


def ufunc_type(ufunc: UFunc) -> str:
    """Return the class of a ufunc in the stub, which says what a call takes and returns."""
    native = ufunc.native
    if native.signature is not None:
        return "_Generalized"
    kind = {(1, 1): "_Unary", (2, 1): "_Binary", (1, 2): "_UnaryPair", (2, 2): "_BinaryPair"}[
        native.nin, native.nout
    ]
    row = standard_row(ufunc.standard) or ROWS_BY_NAME.get(native.__name__)
    return kind + "".join(word.title() for word in row.dtype[0].split("_")) if row else kind


def ufunc_classes() -> str:
    """Return the classes of ufuncs whose results have a dtype that follows from the operands."""
    rows = {
        ufunc_type(each): standard_row(each.standard) or ROWS_BY_NAME.get(each.native.__name__)
        for each in (getattr(corepy, name) for name in dir(corepy))
        if isinstance(each, UFunc) and each.native.signature is None and each.native.nout == 1
    } | {"_Unary": None, "_Binary": None}
    text = ""
    for name, row in sorted(rows.items()):
        operands = ["x"] if name.startswith("_Unary") else ["x1", "x2"]
        items = [
            "self",
            *(f"{operand}: _ArrayLike" for operand in operands),
            "/",
            "out: _Out | tuple[_Out] = None",
            "*",
            "dtype: DTypeLike | None = None",
            "**options: Unpack[_Options]",
        ]
        what = Known("", row.dtype[0] if row else "", "same", operands)
        call = overloaded("__call__", signatures(items, what, DROP_IN))
        text += f"class {name}(ufunc):\n{textwrap.indent(call, '    ')}\n"
    return with_builtins(text)


def with_builtins(text: str) -> str:
    """Return a part of a stub in which `bool` is NumPy's, with Python's in annotations."""
    return re.sub(r"((?<=[:>|] )|(?<=\[))bool\b", "builtins.bool", text)


# ---- modules


def module_part(path: str, names: Iterable[str], native: ModuleType) -> str:
    """Return the stubs of names of a module of the drop-in."""
    module = import_module(path)
    imports: dict[str, list[str]] = {}
    part = ""
    for name in names:
        value = getattr(module, name)
        original = getattr(native, name, None)
        is_shared = path not in ("corepy", *TEXT) and name in vars(np)
        if is_shared and original is vars(np)[name]:
            imports.setdefault("corepy", []).append(name)
        elif isinstance(value, UFunc):
            part += f"{name}: {ufunc_type(value) if path == 'corepy' else 'ufunc'}\n"
        elif isinstance(value, Function):
            part += function_stub(f"{path}.{name}", value)
        elif isinstance(value, ModuleType):
            inner = getattr(original, "__name__", "").replace("numpy.", "corepy.", 1)
            if inner.removeprefix("corepy.") in [*OF_NUMPY, "random", "testing"]:
                imports.setdefault(inner.rpartition(".")[0], []).append(
                    f"{inner.rpartition('.')[2]} as {name}"
                )
            else:
                part += f"{name}: ModuleType\n"
        elif value is original:
            imports.setdefault(native.__name__, []).append(name)
        else:
            imports.setdefault("corepy.array_api", []).append(name)
    lines = "".join(
        f"from {origin} import ({', '.join(n if ' as ' in n else f'{n} as {n}' for n in found)})\n"
        for origin, found in imports.items()
    )
    return lines + part


def needed(text: str) -> str:
    """Return the imports that a stub needs."""
    lines = "".join(
        f"from {module} import {', '.join(found)}\n"
        for module, names in IMPORTS.items()
        if (
            found := [
                name for name in names.split() if re.search(rf"(?<!as )\b{name}\b(?! as )", text)
            ]
        )
    )
    if re.search(r"\bnp\.", text):
        lines += "import numpy as np\n"
    if "builtins." in text:
        lines += "import builtins\n"
    if "ModuleType" in text:
        lines += "from types import ModuleType\n"
    return lines


def public_names(module: ModuleType) -> list[str]:
    """Return the names that a module of NumPy's is for."""
    names = getattr(module, "__all__", [])
    if not names:
        names = [name for name, value in vars(module).items() if not isinstance(value, ModuleType)]
    return sorted({name for name in names if not name.startswith("_")})


def submodule(name: str) -> str:
    """Return the stub of a submodule that has no file of its own."""
    native = import_module(f"numpy.{name}")
    part = module_part(f"corepy.{name}", public_names(native), native)
    codes = '# mypy: disable-error-code="overload-overlap"\n' * ("@overload" in part)
    return codes + needed(part) + part


# ---- corepy and ndarray


def first_level() -> str:
    """Return the part of ``corepy/__init__.pyi`` that is generated."""
    by_hand = {
        *corepy.__all__[len(corepy.numpy.NAMES) :],
        "errstate",
        "ndarray",
        "show_config",
        "ufunc",
    }
    modules = {name for name in OF_NUMPY if "." not in name}
    names = {*dir(np), *array_api.__all__, *modules} - by_hand - {"c_", "mgrid", "ogrid", "r_"}
    public = sorted(name for name in names if not name.startswith("_"))
    exported = ", ".join(f'"{name}"' for name in {*corepy.__all__})
    part = module_part("corepy", public, np)
    part = with_builtins(part)
    return f"{part}\n__all__ = [{exported}]\n"


def method_stub(name: str, function: Any, cls: str, returns: str) -> str:
    """Return the stub of a method of a class."""
    path = f"corepy.{name}"
    items = split(listed(path, inspect.signature(function).parameters.values()))
    style = Style(cls, cls, "np.int_" if cls == "ndarray" else "np.int64", cls == "ndarray")
    if name == "reshape":
        options = ", ".join(items[items.index("*shape: _Shape") + 1 :])
        found = [
            f"(self, {parameters}, /, *, {options}) -> {cls}[{shape}, _DTypeT_co]"
            for parameters, shape in (
                ("shape: SupportsIndex | _NewShapeT", "_NewShapeT"),
                ("n1: SupportsIndex, n2: SupportsIndex", "tuple[int, int]"),
                ("n1: SupportsIndex, n2: SupportsIndex, n3: SupportsIndex", "tuple[int, int, int]"),
            )
        ] + [f"({', '.join(items)}) -> {cls}[tuple[Any, ...], _DTypeT_co]"]
    else:
        row = ROWS_BY_NAME.get(name) if name in (*REDUCTIONS, "astype") else None
        found = inferred(path, items, row, returns, style)
    text = overloaded(name, found)
    if name in (*REDUCTIONS, "astype", "reshape"):
        summary = function.__doc__.partition("\n")[0]
        text = text.removesuffix(" ...\n") + f'\n    """{summary}"""\n'
    return text


def methods(cls: type) -> str:
    """Return the stubs of methods of Tensor or ndarray.

    Of Tensor and ndarray those whose results have a type that follows from the arguments, of
    ndarray those with NumPy's signatures.
    """
    part = ""
    for name in ("astype", "reshape", *REDUCTIONS):
        part += method_stub(name, getattr(cls, name), cls.__name__, cls.__name__)
    for name, function in vars(cls).items():
        if name.startswith("_") or name in REDUCTIONS:
            continue
        if getattr(function, "native", None) is None:
            continue
        result = METHODS.get(name, "ndarray" if name in RULES else None)
        result = result or inspect.signature(function).return_annotation
        if result is Parameter.empty:
            raise SystemExit(f"stubs: the result of ndarray.{name} is not known")
        part += method_stub(name, function, cls.__name__, result)
    return textwrap.indent(part, "    ")


# ---- random numbers


def random_stub(name: str, function: Callable[..., Any], integer: str) -> str:
    """Return the stub of a method of random numbers; `integer` is the scalar type of integers."""
    path = f"corepy.random.{name}"
    parameters = list(inspect.signature(function).parameters.values())
    names = [each.name for each in parameters]

    def signature(result: str, among: list[Parameter] = parameters, /, **types: str) -> str:
        return f"({listed(path, among, types)}) -> {result}"

    if name in OTHERS:
        return overloaded(name, OTHERS[name])
    if name == "shuffle":
        return overloaded(name, [signature("None")])
    if name in ("choice", "permutation", "permuted"):
        (first,) = {"a", "x"} & {*names}
        single = [signature("int", a="int", size="None")] * (name == "choice")
        found = [signature("_ArrayOf[_ScalarT]", **{first: "_Has[_ScalarT]"}), signature("ndarray")]
        if name == "choice":
            found.insert(0, signature("Any", size="None"))
        if name != "permuted":
            found.insert(0, signature(f"_ArrayOf[{integer}]", **{first: "int"}))
        return overloaded(name, [*single, *found])
    is_integer = name in INTEGERS
    array = f"_ArrayOf[{integer if is_integer else 'np.float64'}]"
    if name in ALWAYS_ARRAYS:
        return overloaded(name, [signature(array)])

    one = {"size": "None", "out": "None"}
    for each in parameters:
        type_ = typed(path, each)
        if type_.startswith("_ArrayLike"):
            number = "int | _Integral" if {each.name, name} & {*COUNTS} else "float | _Real"
            one[each.name] = type_.replace("_ArrayLike", number)
    scalar = INTEGER_SCALARS.get(name, "int") if is_integer else "float"
    if "dtype" not in names:
        return overloaded(name, [signature(scalar, **one), signature(array)])
    place = names.index("dtype")
    behind = [each.replace(kind=Parameter.KEYWORD_ONLY) for each in parameters[place + 1 :]]
    usual = [*parameters[:place], *behind]
    if not is_integer:
        given = signature("_ArrayOf[_ScalarT]", dtype="_DTypeOf[_ScalarT]")
        found = [signature(array, usual), given, signature(array, dtype="type[float]")]
        return overloaded(name, [signature("float", **one), *found, signature("ndarray")])
    found = [signature(scalar, usual, **one)]
    found += [signature(each, **one, dtype=dtype) for dtype, (each, _) in DTYPES.items()]
    found += [signature("Any", **one), signature(array, usual)]
    found += [signature(f"_ArrayOf[{each}]", dtype=dtype) for dtype, (_, each) in DTYPES.items()]
    return overloaded(name, [*found, signature("ndarray")])


def random() -> str:
    """Return the stub of `corepy.random`."""
    native = np.random
    part = ""
    for kind, parameter, integer in (
        (native.Generator, "bit_generator: BitGenerator", "np.int64"),
        (native.RandomState, "seed: _ArrayLike | BitGenerator | None = None", "np.int_"),
    ):
        part += f"class {kind.__name__}(np.random.{kind.__name__}):\n"
        part += f"    def __init__(self, {parameter}) -> None: ...\n"
        for method, function in vars(kind).items():
            if not method.startswith("_") and callable(function):
                part += textwrap.indent(random_stub(method, function, integer), "    ")
    seed = "_ArrayLike | SeedSequence | BitGenerator | np.random.Generator | np.random.RandomState"
    part += f"def default_rng(seed: {seed} | None = None) -> Generator: ...\n_state: RandomState\n"
    names = public_names(native)
    classes = [name for name in names if isinstance(getattr(native, name), type)]
    kept = ", ".join(f"{n} as {n}" for n in classes if n not in ("Generator", "RandomState"))
    for name in names:
        if name not in (*classes, "default_rng"):
            method = "random_sample" if name in ("ranf", "sample") else name
            part += f"{name} = _state.{method}\n"
    exported = ", ".join(f'"{name}"' for name in names)
    return (
        '# mypy: disable-error-code="overload-overlap, override"\n\n'
        f"from numpy.random import {kept}\n{needed(part)}\n__all__ = [{exported}]\n\n{part}"
    )


# ---- the namespace of the standard


def namespace_class(name: str, module: ModuleType, pages: Iterable[str], extra: str) -> str:
    """Return the source of a class with what a namespace has, from the stubs of its pages."""
    body = protocols = ""
    same: dict[str, str] = {}
    for page in pages:
        functions: dict[str, list[ast.FunctionDef]] = {}
        for node in ast.parse((PACKAGE / "array_api" / f"{page}.pyi").read_text()).body:
            if isinstance(node, ast.FunctionDef) and node.name in module.__all__:
                functions.setdefault(node.name, []).append(node)
        for function, overloads in functions.items():
            if len(overloads) == 1:
                body += f"{function} = staticmethod(_{page}.{function})\n"
                continue
            # Functions with the same signatures share a class of objects that are called.
            for node in overloads:
                node.name = "__call__"
                first = ast.arg("self")
                arguments = node.args.posonlyargs or node.args.args
                arguments.insert(0, first)
            text = "".join(f"{ast.unparse(node)}\n" for node in overloads)
            if text not in same:
                same[text] = f"_{name}_{function}"
                protocols += f"class {same[text]}(Protocol):\n" + textwrap.indent(text, "    ")
            body += f"{function}: {same[text]}\n"
    for constant in sorted(module.__all__):
        value = getattr(module, constant)
        if isinstance(value, type) and issubclass(value, np.generic):
            body += f"{constant}: type[np.{constant}]\n"
        elif isinstance(value, float):
            body += f"{constant}: float\n"
    body = textwrap.indent(f"{NO_GETATTR}{body}{extra}", "    ")
    return f"{protocols}class {name}(ModuleType):\n{body}"


def namespaces() -> str:
    """Return the stub of the types of namespaces."""
    imports: dict[str, None] = {"from typing import Any, Protocol": None}
    pages = sorted(path.stem for path in (PACKAGE / "array_api").glob("*_functions.pyi"))
    for page in [*pages, "fft", "linalg"]:
        imports[f"import corepy.array_api.{page} as _{page}"] = None
        path = PACKAGE / "array_api" / f"{page}.pyi"
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.Import | ast.ImportFrom):
                imports[ast.unparse(node)] = None
            elif isinstance(node, ast.ClassDef):
                imports[f"from corepy.array_api.{page} import {node.name}"] = None
    beyond = "".join(f"{name}: Any\n" for name in (*corepy.array_api._BEYOND, "bfloat16"))
    body = (
        namespace_class("FFT", array_api.fft, ["fft"], "")
        + namespace_class("Linalg", array_api.linalg, ["linalg", "linear_algebra_functions"], "")
        + namespace_class("Namespace", array_api, pages, NAMESPACE + beyond)
    )
    return (
        '# mypy: disable-error-code="misc, overload-overlap"\n'
        '"""The types of namespaces of the standard."""\n\n'
        "from types import ModuleType\n"
        "from corepy.array_api.info import Info\n" + "\n".join(imports) + "\n\n" + body
    )


# ---- neural networks


def neural_networks() -> str:
    """Return the stub of `corepy.nn`, with what docstrings say of shapes and dtypes of results."""
    imports = part = ""
    for name in corepy.nn.__all__:
        function = getattr(corepy.nn, name)
        signature = None if isinstance(function, type) else inspect.signature(function)
        if signature is None or signature.return_annotation != "Any":
            imports += f"from {function.__module__} import {name} as {name}\n"
            continue
        items = []
        for parameter in signature.parameters.values():
            if parameter.kind is Parameter.KEYWORD_ONLY and "*" not in items:
                items.append("*")
            has_default = parameter.default is not Parameter.empty
            default = f" = {parameter.default!r}" if has_default else ""
            items.append(f"{parameter.name}: {parameter.annotation}{default}")
        returned = function.__doc__.partition("Returns\n")[2]
        shape = "_ShapeT" if "Of the shape" in returned else "Any"
        dtype = "_DTypeT" if "Of the shape and dtype of ``x``" in returned else "Any"
        result = f"Tensor[{shape}, {dtype}]".replace("Tensor[Any, Any]", "Tensor")
        first = items[0].partition(":")[0]
        part += overloaded(
            name,
            [
                f"({arguments(items, {first: result})}) -> {result}",
                f"({', '.join(items)}) -> Any",
            ],
        )
    exported = ", ".join(f'"{name}"' for name in corepy.nn.__all__)
    return f"{needed(part)}{imports}{part}\n__all__ = [{exported}]\n"


# ---- files


def formatted(path: Path, text: str) -> str:
    """Return the source of a stub as `make lint` wants it."""
    for options in (["check", "--fix-only", "--select", "F401,I,RUF022"], ["format"]):
        command = ["ruff", *options, "--quiet", "--stdin-filename", str(path), "-"]
        text = subprocess.run(
            command, input=text, capture_output=True, text=True, check=True, cwd=ROOT
        ).stdout
    return text


def wanted() -> dict[Path, str]:
    """Return the files that follow from the functions, and what should be in them."""
    main, array = PACKAGE / "__init__.pyi", PACKAGE / "numpy" / "ndarray.pyi"
    head = f"# Generated by tools/stubs.py with NumPy {VERSION}.\n"
    text = generate.with_part(main.read_text(), "ufuncs", ufunc_classes())
    files = {main: generate.with_part(text, "names", first_level())}
    for path, cls in ((PACKAGE / "_cython" / "core.pyi", Tensor), (array, ndarray)):
        part = textwrap.indent(operators(cls.__name__), "    ")
        text = generate.with_part(path.read_text(), "operators", part)
        files[path] = generate.with_part(text, "methods", methods(cls))
    files |= {
        PACKAGE / "random.pyi": head + random(),
        PACKAGE / "array_api" / "_types.pyi": head + namespaces(),
        PACKAGE / "nn" / "__init__.pyi": head + neural_networks(),
    }
    for name in OF_NUMPY:
        if name == "typing":  # written by hand
            continue
        is_package = any(other.startswith(f"{name}.") for other in OF_NUMPY)
        path = PACKAGE / name.replace(".", "/")
        path = path / "__init__.pyi" if is_package else path.with_suffix(".pyi")
        files[path] = head + submodule(name)
    return {path: formatted(path, text) for path, text in files.items()}


def main(arguments: list[str]) -> int:
    """Rewrite the stubs, or report those that are not up to date."""
    os.environ["PATH"] = os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]])
    if not np.__version__.startswith(f"{VERSION}."):
        print(f"stubs: not checked, as they are made with NumPy {VERSION}")
        return 0
    stale = {
        path: text
        for path, text in wanted().items()
        if not path.exists() or path.read_text() != text
    }
    for path, text in stale.items():
        if "--check" in arguments:
            print(f"{path.relative_to(ROOT)} is not up to date: run tools/stubs.py")
        else:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
    return int(bool(stale) and "--check" in arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
