"""polars: columns in, through `to_numpy`, and out."""

import numpy
import pytest

import corepy as np
from libraries.beside_numpy import GAPS, INTEGERS, assert_like

pl = pytest.importorskip("polars")


@pytest.mark.parametrize("values", [GAPS, INTEGERS, GAPS > 0], ids=["float", "int", "bool"])
def test_columns_in_and_out(values):
    t = np.asarray(values)
    frame = pl.DataFrame({"a": t[0].to_numpy(), "b": t[1].to_numpy()})
    assert_like(np.asarray(frame["a"]), values[0])
    assert_like(np.asarray(frame), numpy.stack([values[0], values[1]], axis=1))
    assert_like(np.asarray(pl.DataFrame(t.to_numpy())), values)


def test_a_column_of_numbers_is_read_without_a_copy():
    column = pl.Series(INTEGERS[0].copy())
    assert numpy.shares_memory(np.asarray(column).to_numpy(), column.to_numpy())


def test_functions_and_masks():
    column, t = pl.Series("a", GAPS[0]), np.asarray(GAPS[0])
    assert_like(np.nanmean(column), numpy.nanmean(GAPS[0]))
    assert np.sin(column).equals(numpy.sin(column))
    assert_like(column.filter((t > 0).to_numpy()).to_numpy(), GAPS[0][GAPS[0] > 0])
    assert (column * t.max()).equals(column * GAPS[0].max(), null_equal=True)
