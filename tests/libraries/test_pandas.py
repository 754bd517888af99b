"""pandas: columns in and out, and tensors as keys and operands."""

import operator

import numpy
import pytest

import corepy as np
from corepy import Tensor
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
    assert type(np.asarray(pd.Series(values[0]))) is Tensor
    assert_like(np.asarray(pd.Series([1, 2], dtype="Int64").to_numpy()), numpy.asarray([1, 2]))


def test_a_column_shares_its_memory(frame):
    column = np.asarray(frame["a"])
    assert numpy.shares_memory(column.to_numpy(), frame["a"].to_numpy())
    with pytest.raises(ValueError, match="read-only"):  # pandas copies on write
        column[0] = 1.0


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
    for i in (np.asarray(2), np.argmax(column), np.asarray([1, 2])[1]):
        assert type(i) is Tensor
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
