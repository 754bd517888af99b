"""Expected results of elementwise operations: NumPy's, where the standard agrees."""

import operator

import numpy as np
from strategies import CATEGORIES, read_operations, special_values

OPERATIONS = read_operations()
CATEGORY = {name: category for name, _, category, _ in OPERATIONS}
RULE = {name: rule for name, _, _, rule in OPERATIONS}
UNARY = [name for name, shape, _, _ in OPERATIONS if shape == "unary"]
BINARY = [name for name, shape, _, _ in OPERATIONS if shape == "binary"]
COMPARISONS = ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal")
# Python's operators, in place as well, by the functions that they are.
_OPERATORS = {
    "add": "add", "subtract": "sub", "multiply": "mul", "divide": "truediv",
    "floor_divide": "floordiv", "remainder": "mod", "pow": "pow", "bitwise_and": "and_",
    "bitwise_or": "or_", "bitwise_xor": "xor", "bitwise_left_shift": "lshift",
    "bitwise_right_shift": "rshift",
}  # fmt: skip
ARITHMETIC_OPERATORS = {name: getattr(operator, short) for name, short in _OPERATORS.items()}
IN_PLACE_OPERATORS = {
    name: getattr(operator, f"i{short.rstrip('_')}") for name, short in _OPERATORS.items()
}
COMPARISON_OPERATORS = {
    "equal": operator.eq, "not_equal": operator.ne, "less": operator.lt,
    "less_equal": operator.le, "greater": operator.gt, "greater_equal": operator.ge,
}  # fmt: skip
# Functions whose last digits are the mathematical library's matter.
ELEMENTARY = (
    "acos acosh asin asinh atan atan2 atanh cos cosh exp expm1 hypot log log1p log2 log10 "
    "logaddexp pow sin sinh sqrt tan tanh"
).split()
ROUNDED = [*ELEMENTARY, "abs", "divide", "multiply", "reciprocal", "square"]


def accepts(operation, dtype):
    return np.dtype(dtype).kind in CATEGORIES[CATEGORY[operation]]


def compute_dtype(operation, dtype):
    """The dtype in which an operation is defined for operands of `dtype`."""
    if RULE[operation] == "floating" and dtype.kind in "biu":
        return np.dtype("float64")  # the default, where NumPy would take the smallest
    if RULE[operation] == "arithmetic" and dtype.kind == "b":
        return np.dtype("int8")
    return dtype


def in_numpy(operation, dtype, *arrays):
    """NumPy's result, of complex numbers in the next wider dtype: it may be off by 100 ULP."""
    wider = {"complex64": "complex128", "complex128": "clongdouble"}.get(dtype.name)
    widened = wider is not None and operation in ELEMENTARY
    with np.errstate(all="ignore"):
        result = getattr(np, operation)(*(a.astype(wider if widened else dtype) for a in arrays))
        return np.asarray(result, dtype=dtype if widened else None)


def expected_unary(operation, array):
    return in_numpy(operation, compute_dtype(operation, array.dtype), array)


def expected_binary(operation, a, b):
    dtype = compute_dtype(operation, np.result_type(a, b))
    result = in_numpy(operation, dtype, a, b)
    with np.errstate(all="ignore"):
        if operation == "floor_divide" and dtype.kind == "f":
            # With infinities the standard follows floor(a / b), NumPy follows Python.
            result = np.where(np.isinf(a) ^ np.isinf(b), a / b, result)
    return result.astype(bool if RULE[operation] == "boolean" else dtype)


def samples(operation, dtype):
    values = special_values(dtype)
    if np.dtype(dtype).kind == "c" and operation in ROUNDED + ["sign"]:
        # What infinite complex numbers give is the standard's matter, tested with the backend.
        values = values[np.isfinite(values)]
    return values


def comparison_of(operation):
    if operation in ("maximum", "minimum", "remainder"):  # either zero will do
        return {}
    return {"ulp": 8} if operation in ROUNDED else {"signs": True}
