"""PyArrow: tensors as arrays, columns, masks and arguments of functions."""

import numpy
import pytest

import corepy as np
from libraries.beside_numpy import GAPS, INTEGERS, NUMBERS

pa = pytest.importorskip("pyarrow")
pc = pytest.importorskip("pyarrow.compute")

COLUMNS = {
    "float64": NUMBERS[0], "float32": NUMBERS[1].astype("float32"), "int64": INTEGERS[0],
    "int8": INTEGERS[1].astype("int8"), "uint16": abs(INTEGERS[0]).astype("uint16"),
    "bool": NUMBERS[0] > 0, "NaN": GAPS[0], "view": NUMBERS[::-1, 1], "empty": NUMBERS[0, :0],
    "no integers": INTEGERS[0, :0], "no booleans": NUMBERS[0, :0] > 0,
}  # fmt: skip


def assert_same_arrow(actual, expected):
    assert type(actual) is type(expected)
    assert str(getattr(actual, "schema", None)) == str(getattr(expected, "schema", None))
    if isinstance(expected, pa.Table | pa.RecordBatch):
        actual, expected = actual.column(0), expected.column(0)
    assert actual.type == expected.type
    assert str(actual) == str(expected)  # NaN too


@pytest.mark.parametrize("values", COLUMNS.values(), ids=COLUMNS)
def test_arrays_and_tables(values):
    mask = numpy.arange(values.size) % 2 == 0
    for make in (
        lambda t, k: pa.array(t), lambda t, k: pa.array(obj=t),
        lambda t, k: pa.array(t, mask=k),
        lambda t, k: pa.array(t, from_pandas=True), lambda t, k: pa.array(list(t), mask=k),
        lambda t, k: pa.array(t, type=pa.float64(), safe=False),
        lambda t, k: pa.scalar(t[:1].sum()),
        lambda t, k: pa.table({"a": t}), lambda t, k: pa.Table.from_arrays([t], names=["a"]),
        lambda t, k: pa.record_batch({"a": t}), lambda t, k: pa.chunked_array([t, t]),
    ):  # fmt: skip
        assert_same_arrow(make(np.asarray(values), np.asarray(mask)), make(values, mask))


def test_memory_is_shared_where_numpy_is():
    t = np.asarray([1.0, 2.0])
    array = pa.array(t)
    t[0] = 5.0
    assert array.to_pylist() == [5.0, 2.0]


def test_fractions_are_not_cut_off():
    for call in (
        lambda t: pa.array(t, type=pa.int64()),
        lambda t: pa.table({"a": t}, schema=pa.schema([("a", pa.int32())])),
        lambda t: pa.array(t.astype("int64") + 300, type=pa.int8()),
    ):
        with pytest.raises(pa.ArrowInvalid):
            call(np.asarray([1.5, 2.5]))


def test_arguments_of_functions():
    values, mask, index = NUMBERS[0], NUMBERS[0] > 0, numpy.asarray([2, 0])
    table = pa.table({"a": values})
    for call in (
        lambda t, k, i: pc.add(t, t), lambda t, k, i: pc.sum(t), lambda t, k, i: pc.sort_indices(t),
        lambda t, k, i: pc.multiply(table["a"], t), lambda t, k, i: pc.if_else(k, t, -t),
        lambda t, k, i: pc.filter(t, k), lambda t, k, i: pc.take(t, i),
        lambda t, k, i: pc.replace_with_mask(t, k, t[k]), lambda t, k, i: pc.max(t[:0]),
        lambda t, k, i: table.filter(k), lambda t, k, i: table.take(i),
        lambda t, k, i: pa.array(values).filter(k), lambda t, k, i: pa.array(values).take(i),
    ):  # fmt: skip
        actual = call(*map(np.asarray, (values, mask, index)))
        assert_same_arrow(actual, call(values, mask, index))


def test_tensors_of_arrays():
    assert np.asarray(pa.array([1.0, 2.0])).tolist() == [1.0, 2.0]
    assert np.asarray(pa.table({"a": [1, 2]})["a"]).tolist() == [1, 2]


def test_many_axes_are_refused():
    with pytest.raises(pa.ArrowInvalid, match="1-dimensional"):
        pa.array(np.ones((2, 2)))
