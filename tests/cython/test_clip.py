"""Intervals of every kind and dtype, against NumPy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import arrays, assert_same

import corepy.array_api as xp
from corepy import Tensor

REAL = "int8 int32 int64 uint8 uint16 uint64 float32 float64".split()
ENDS = (
    st.none()
    | st.integers(0, 126)  # of every integer dtype, and less than its end, which NumPy leaves out
    | st.floats(-1e3, 1e3)
    | st.sampled_from(REAL).flatmap(lambda dtype: arrays(dtype, shape=(3,)))
    | st.sampled_from(REAL).map(lambda dtype: np.asarray(5, dtype=dtype))
)


@given(array=st.sampled_from(REAL).flatmap(lambda d: arrays(d, shape=(2, 3))), low=ENDS, high=ENDS)
def test_intervals_promote_as_in_numpy(array, low, high):
    ends = [Tensor(end) if isinstance(end, np.ndarray) else end for end in (low, high)]
    with np.errstate(all="ignore"):
        expected = array if low is None and high is None else np.clip(array, low, high)
    assert_same(xp.clip(Tensor(array), *ends), expected)


@given(
    array=st.sampled_from(REAL[:6]).flatmap(lambda d: arrays(d, shape=(7,))),
    ends=st.tuples(*[st.none() | st.integers(-(2**70), 2**70)] * 2),
)
def test_integers_beyond_a_dtype_are_its_ends(array, ends):
    limits = np.iinfo(array.dtype)
    low, high = (
        default if end is None else max(limits.min, min(end, limits.max))
        for end, default in zip(ends, (limits.min, limits.max), strict=True)
    )
    expected = [min(max(v, low), high) for v in array.tolist()]
    assert_same(xp.clip(Tensor(array), *ends), np.array(expected, array.dtype))


def test_complex_intervals_have_no_order():
    for arguments in ((1j,), (0, 1j), (Tensor([1j]), 2), (None, Tensor(1j))):
        with pytest.raises(TypeError, match=r"^clip: dtype complex128 .*: bool and real-valued"):
            xp.clip(xp.zeros(3), *arguments)
    with pytest.raises(TypeError, match=r"^clip: .*got str"):
        xp.clip(xp.zeros(3), "a")
