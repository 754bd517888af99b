"""pandas: columns in and out, and tensors as keys and operands."""

import operator

import numpy
import pytest

import corepy as np
from libraries.beside_numpy import GAPS, INTEGERS, NUMBERS, assert_like

pd = pytest.importorskip("pandas")


@pytest.fixture
def frame():
    return pd.DataFrame(NUMBERS, columns=list("abcdef"))


def same(actual, expected):
    """Check objects of pandas, or scalars."""
    if isinstance(expected, pd.DataFrame):
        pd.testing.assert_frame_equal(actual, expected)
    elif isinstance(expected, pd.Series):
        pd.testing.assert_series_equal(actual, expected)
    else:
        assert actual == expected


@pytest.mark.parametrize("values", [NUMBERS, GAPS, INTEGERS, NUMBERS > 0, NUMBERS[::-1].T])
def test_columns_in_and_out(values):
    t = np.asarray(values)
    same(pd.DataFrame(t), pd.DataFrame(values))
    same(pd.Series(t[0]), pd.Series(values[0]))
    same(pd.DataFrame({"a": t[0], "b": t[1]}), pd.DataFrame({"a": values[0], "b": values[1]}))
    assert_like(np.asarray(pd.DataFrame(values)), values)
    assert_like(np.asarray(pd.Series(values[0])), values[0])
    assert type(np.asarray(pd.Series(values[0]))) is np.ndarray
    assert_like(np.asarray(pd.Series([1, 2], dtype="Int64").to_numpy()), numpy.asarray([1, 2]))


def test_a_column_shares_its_memory(frame):
    column = np.asarray(frame["a"])
    assert numpy.shares_memory(column.to_numpy(), frame["a"].to_numpy())
    with pytest.raises(ValueError, match="read-only"):  # pandas copies on write
        column[0] = 1.0


def test_objects_of_pandas_have_memory_of_their_own():
    t = np.asarray([1.0, 2.0, 3.0])
    column, index, frame = pd.Series(t), pd.Index(t), pd.DataFrame({"a": t})
    column[column > 1] = 0.0
    frame.loc[0, "a"] = 7.0
    assert t.tolist() == [1.0, 2.0, 3.0]
    t[:] = 9.0
    assert index.tolist() == [1.0, 2.0, 3.0]
    assert column.tolist() == [1.0, 0.0, 0.0]


def test_methods_of_columns_come_first():
    """Where NumPy's function calls the object's method: of pandas without NaN, with the index."""
    frame = pd.DataFrame(GAPS, columns=list("abcdef"))
    for name in "sum mean std var min max prod cumsum cumprod".split():
        for x in (frame, frame["b"]):
            same(getattr(np, name)(x, axis=0), getattr(numpy, name)(x, axis=0))
    for call in (
        lambda np: np.round(frame, 1), lambda np: np.clip(frame["b"], 0, 1),
        lambda np: np.argmax(frame["b"]), lambda np: np.rint(frame), lambda np: np.degrees(frame),
        lambda np: np.add.reduce(frame), lambda np: np.fmax(frame["a"], 0.0),
        lambda np: frame.apply(np.mean), lambda np: frame["a"].apply(np.sin),
        lambda np: frame.groupby(frame["f"] > 0).agg(np.sum), lambda np: frame.agg([np.max]),
    ):  # fmt: skip
        same(call(np), call(numpy))


@pytest.mark.parametrize("dtype", ["uint8", "int32", "float32", "bool"])
def test_dtypes_are_those_of_the_array(dtype):
    values = numpy.asarray([1, 0], dtype=dtype)
    empty = numpy.zeros((0, 3), dtype=dtype)
    same(
        pd.DataFrame(np.asarray(empty), columns=list("abc")),
        pd.DataFrame(empty, columns=list("abc")),
    )
    pd.testing.assert_extension_array_equal(pd.array(np.asarray(values)), pd.array(values))


@pytest.mark.parametrize("make", [pd.DatetimeIndex, pd.TimedeltaIndex, pd.Index])
def test_indexes_have_memory_of_their_own(make):
    x = np.asarray([1, 2, 3])
    index, expected = make(x), make(numpy.asarray([1, 2, 3]))
    x[0] = 99
    assert index.equals(expected)


def test_results_of_functions_are_numbers():
    column = pd.Series([1.0, -1.0])
    for name in ("map", "apply"):
        same(getattr(column, name)(lambda x: np.where(x > 0, 1, 0)), pd.Series([1, 0]))
    same(column.map({1.0: 2.0}), pd.Series([2.0, numpy.nan]))
    same(column.map(float), column)
    rows = column.map(lambda x: np.asarray([x, 2 * x]))
    assert [type(row) for row in rows] == [np.ndarray] * 2


def test_arrays_of_nullable_numbers_are_operands():
    x = np.asarray([1, 2])
    for dtype in ("Int64", "Float64", "boolean"):
        other = pd.array([1, None], dtype=dtype)
        for function in (operator.add, operator.mul, operator.eq, operator.gt):
            found, expected = function(x, other), function(numpy.asarray(x), other)
            pd.testing.assert_extension_array_equal(found, expected)
    sparse = pd.arrays.SparseArray([1.0, 0.0])
    pd.testing.assert_extension_array_equal(x * sparse, numpy.asarray(x) * sparse)


def test_arrays_are_keys_of_groups(frame):
    for keys in (numpy.asarray([1, 0, 1, 0]), numpy.asarray([True, False, True, True])):
        same(frame.groupby(np.asarray(keys)).sum(), frame.groupby(keys).sum())
        for column in (frame["b"], frame):
            found = column.groupby([np.asarray(keys), frame["a"]]).mean()
            same(found, column.groupby([keys, frame["a"]]).mean())


def test_reversed_columns_are_columns(frame):
    same(np.flip(frame["a"]), numpy.flip(frame["a"]))


def test_keys_of_indexes():
    for index in (
        pd.RangeIndex(4), pd.Index(list("abcd")), pd.date_range("2020", periods=4),
        pd.MultiIndex.from_product([[1, 2], [3, 4]]),
    ):  # fmt: skip
        for key in (numpy.asarray([True, False, True, True]), numpy.asarray([2, 0])):
            assert index[np.asarray(key)].equals(index[key])
        assert index[np.asarray([1, 3])[0]] == index[1]
        assert index[: np.asarray([2])[0]].equals(index[:2])


def test_numbers_become_columns():
    t = np.asarray([1.0, 2.0])
    frame = pd.DataFrame({"a": t})
    frame["mean"] = np.mean(t)
    same(frame, pd.DataFrame({"a": [1.0, 2.0], "mean": [1.5, 1.5]}))
    same(pd.Series([t[1], t[0]]), pd.Series([2.0, 1.0]))
    same(pd.Series({"a": np.max(t)}), pd.Series({"a": 2.0}))
    same(frame.iloc[: np.argmax(t)], frame.iloc[:1])


def test_functions_of_columns_keep_the_index(frame):
    same(np.sqrt(abs(frame["a"])), numpy.sqrt(abs(frame["a"])))
    same(np.exp(frame), numpy.exp(frame))
    assert_like(np.median(frame["a"]), numpy.median(frame["a"]))
    assert_like(np.concatenate([frame["a"], np.ones(1)]), numpy.append(frame["a"], 1.0))


def test_boolean_keys(frame):
    mask = NUMBERS[:, 0] > 0
    t = np.asarray(mask)
    same(frame[t], frame[mask])
    same(frame["a"][t], frame["a"][mask])
    same(frame.loc[t, "b"], frame.loc[mask, "b"])
    same(frame.iloc[t], frame.iloc[mask])
    same(frame.where(np.asarray(NUMBERS > 0)), frame.where(NUMBERS > 0))
    same(frame["a"].mask(t, 0.0), frame["a"].mask(mask, 0.0))
    same(frame[np.asarray(frame["a"]) > 9], frame[frame["a"] > 9])


def test_scalar_keys(frame):
    column = frame["a"]
    for i in (np.argmax(np.asarray(column)), np.asarray([1, 2])[1]):
        same(column[i], column[int(i)])
        same(column.loc[i], column.loc[int(i)])
        same(column.iloc[i], column.iloc[int(i)])
        same(frame.iloc[i], frame.iloc[int(i)])
        same(frame.iloc[i, i], frame.iloc[int(i), int(i)])
        same(frame.loc[i, "b"], frame.loc[int(i), "b"])


def test_keys_of_many_integers(frame):
    same(frame.iloc[np.asarray([2, 0])], frame.iloc[[2, 0]])
    same(frame.loc[np.asarray([2, 0])], frame.loc[[2, 0]])
    same(frame["a"].take(np.asarray([1])), frame["a"].take([1]))


def test_assignment(frame):
    expected = frame.copy()
    for table, xp in ((frame, np), (expected, numpy)):
        values = xp.asarray(NUMBERS)
        table["new"] = values[:, 0]
        table.loc[values[:, 0] > 0, "a"] = values[values[:, 0] > 0, 1]
        table.iloc[xp.argmax(values[:, 0]), 0] = values[0, 0]
        table[xp.asarray(table) > 1] = 0.0
    same(frame, expected)


@pytest.mark.parametrize("operation", [operator.add, operator.truediv, operator.pow, operator.eq])
def test_operators(frame, operation):
    for pandas, values in (
        (frame, NUMBERS),
        (frame["a"], NUMBERS[:, 1]),
        (frame, numpy.float64(2.0)),
        (frame["a"], numpy.float64(2.0)),
    ):
        same(operation(pandas, np.asarray(values)), operation(pandas, values))
        same(operation(np.asarray(values), pandas), operation(values, pandas))


def test_empty_columns_have_their_dtype():
    for dtype in ("float64", "int8", "bool"):
        values = numpy.zeros(0, dtype)
        same(pd.Series(np.asarray(values)), pd.Series(values))
        same(pd.Series(data=np.asarray(values), name="a"), pd.Series(data=values, name="a"))
        same(pd.Series(np.asarray(values), index=[]), pd.Series(values, index=[]))
        same(pd.DataFrame({"a": np.asarray(values)}), pd.DataFrame({"a": values}))
        assert pd.Index(np.asarray(values)).dtype == pd.Index(values).dtype


@pytest.mark.parametrize("options", [{}, {"copy": False}, {"copy": True}], ids=str)
def test_memory_is_shared_where_numpy_is(options):
    for make in (
        lambda t: pd.Series(t, **options), lambda t: pd.Series(data=t, **options),
        lambda t: pd.Series(t, dtype="float64", **options), lambda t: pd.Index(t, **options),
        lambda t: pd.Index(data=t, **options), lambda t: pd.DataFrame({"a": t}, **options)["a"],
        lambda t: pd.DataFrame(data=t, **options)[0], lambda t: pd.Series({"a": t}, **options)["a"],
    ):  # fmt: skip
        values = [xp.asarray([1.0, 2.0, 3.0]) for xp in (np, numpy)]
        columns = [make(x) for x in values]
        for x in values:
            x[0] = 9.0
        assert list(columns[0]) == list(columns[1])


def test_assignment_to_new_columns_and_rows(frame):
    expected = frame.copy()
    for table, xp in ((frame, np), (expected, numpy)):
        values = xp.asarray(NUMBERS)
        mask = values[:, 0] > 0
        table.loc[mask, "new"] = values[mask, 1]
        table.loc[:, "i"] = xp.arange(4)
        table.loc[mask, ["a", "i"]] = xp.zeros((int(mask.sum()), 2))
        table.loc[9] = xp.arange(8.0)
        table.iloc[:2, 1:3] = values[:2, :2]
        table["zero"] = xp.asarray(0.5)
    same(frame, expected)
