"""The list of operations, checked against everything that is made from it."""

import inspect

import numpy as np
import pytest
from strategies import CATEGORIES, DTYPES, read_operations

import corepy.array_api as xp
from corepy._cython.schema.records import SCHEMA

OPERATIONS = read_operations()
RESULTS = {
    "same": lambda dtype: dtype,
    "boolean": lambda dtype: "bool",
    "index": lambda dtype: "int64",
    "uint8": lambda dtype: "uint8",
    "arithmetic": lambda dtype: "int8" if dtype == "bool" else dtype,
    "real_of_complex": lambda dtype: {"complex64": "float32", "complex128": "float64"}.get(
        str(dtype), dtype
    ),
    "floating": lambda dtype: "float64" if dtype.kind in "biu" else dtype,
    "real_floating": lambda dtype: {"complex64": "float32", "float32": "float32"}.get(
        str(dtype), "float64"
    ),
    "accumulate": lambda dtype: {"b": "int64", "i": "int64", "u": "uint64"}.get(dtype.kind, dtype),
}
OPERANDS = {"unary": 1, "binary": 2, "ternary": 3, "reduce": 1, "scan": 1}


def test_there_is_a_list():
    assert len(OPERATIONS) > 80
    rows = [*OPERATIONS, *read_operations(standard=False)]
    assert len(rows) == len({row[0] for row in rows})
    texts = [path.read_text() for path in SCHEMA.rglob("*.def")]
    assert sum(text.count("\nOPERATION(") for text in texts) == len(rows)
    for _, shape, category, result in rows:
        assert shape in OPERANDS
        assert category in CATEGORIES
        assert result in RESULTS


@pytest.mark.parametrize("row", OPERATIONS, ids=lambda row: row[0])
def test_every_operation_is_a_function_of_the_standard(row):
    name, shape, _, _ = row
    function = getattr(xp, name)
    assert name in xp.__all__
    parameters = inspect.signature(function).parameters.values()
    positional = [item.name for item in parameters if item.kind is item.POSITIONAL_ONLY]
    keywords = {item.name for item in parameters} - set(positional)
    if shape == "unary":
        assert positional == ["x"]
        assert not keywords
    elif shape == "binary":
        assert positional == ["x1", "x2"]
        assert not keywords
    elif shape == "reduce":
        assert positional == ["x"]
        assert {"axis", "keepdims"} <= keywords
    elif shape == "scan":
        assert {"axis", "dtype", "include_initial"} <= keywords


def test_every_function_with_that_signature_is_an_operation():
    listed = {row[0] for row in OPERATIONS}
    for name in xp.__all__:
        function = getattr(xp, name)
        if inspect.isroutine(function) or callable(function):
            try:
                parameters = list(inspect.signature(function).parameters)
            except (TypeError, ValueError):
                continue
            if parameters == ["x1", "x2"] and name != "matmul":
                assert name in listed
            if (
                parameters == ["x"]
                and name not in ("nonzero", "matrix_transpose")
                and (not name.startswith("unique_"))
            ):
                assert name in listed


@pytest.mark.parametrize("row", OPERATIONS, ids=lambda row: row[0])
def test_dtypes_in_and_out(row):
    name, shape, category, result = row
    function = getattr(xp, name)
    for dtype in DTYPES:
        operands = [xp.ones(3, dtype=dtype) for _ in range(OPERANDS[shape])]
        if name == "where":
            operands[0] = xp.ones(3, dtype=xp.bool)
        if dtype.kind not in CATEGORIES[category]:
            with pytest.raises(TypeError, match=f"^{name}: "):
                function(*operands)
        else:
            assert function(*operands).dtype == np.dtype(RESULTS[result](dtype)), dtype
