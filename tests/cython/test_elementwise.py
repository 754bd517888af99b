"""Elementwise operations: Python integers, operands in place that overlap, limits, powers.

Every operation, dtype and layout: test_levels.py, property/test_fuzz_kernels.py and tests/oracle.
"""

import numpy as np
import pytest
from elementwise import (
    COMPARISONS,
)
from strategies import (
    DTYPE_NAMES,
    assert_same,
    special_values,
)

import corepy.array_api as xp
from corepy import Tensor


@pytest.mark.parametrize("dtype", [name for name in DTYPE_NAMES if "int" in name])
def test_python_integers_out_of_range(dtype, device):
    info = np.iinfo(dtype)
    values = special_values(dtype)
    t = Tensor(values, device=device)
    named = dtype if device == "cpu" else None  # other backends' messages are their libraries'
    for scalar in (info.max + 1, info.min - 1, 10**30, -(10**30)):
        for function in (xp.add, xp.multiply, xp.bitwise_or, xp.maximum):
            with pytest.raises(OverflowError, match=named):
                function(t, scalar)
            with pytest.raises(OverflowError, match=named):
                function(scalar, t)
        for name in COMPARISONS:
            function, reference = getattr(xp, name), getattr(np, name)
            assert_same(function(t, scalar), reference(values.astype(object), scalar).astype(bool))
            assert_same(function(scalar, t), reference(scalar, values.astype(object)).astype(bool))
    for scalar in (info.max, info.min):
        assert_same(t == scalar, values == scalar)
        assert_same(t <= scalar, values <= scalar)


def test_integers_beyond_float64_are_compared_exactly():
    big = 2**63
    ends = [0, 1, 5, big // 2, big - 2, big - 1, big, big + 1, 2 * big - 1]
    unsigned = np.array(ends * 3, dtype="uint64")
    for signed in (np.array([-big, -1, *ends[:6], 7] * 3), np.array([-128, -1, 0, 1, 5] * 3, "i1")):
        x, y = Tensor(signed)[:, None], Tensor(unsigned)[::-1]
        exact = signed.astype(object)[:, None], unsigned.astype(object)[::-1]
        for name in COMPARISONS:
            function, reference = getattr(xp, name), getattr(np, name)
            assert_same(function(x, y), reference(*exact).astype(bool))
            assert_same(function(y, x), reference(*exact[::-1]).astype(bool))
    signed = np.array([big - 1, -1])
    assert_same(Tensor(signed) == big - 1, signed == big - 1)


def test_integers_beyond_floating_range_raise():
    # One answer for all elements, as integers give it, would be wrong for NaN and infinity.
    for dtype in ("float32", "float64", "complex128"):
        with pytest.raises(OverflowError):
            Tensor([np.nan, np.inf, 1.0], dtype=dtype) == 10**400
        with pytest.raises(OverflowError):
            Tensor([np.nan, np.inf, 1.0], dtype=dtype) + 10**400


@pytest.mark.parametrize("limits", [(-1, None), (None, 300), (-1, 300), (5, 300), (-1, 5)])
def test_clip_with_limits_beyond_the_dtype(limits, device):
    array = np.array([0, 3, 9, 255], dtype="uint8")
    assert_same(xp.clip(Tensor(array, device=device), *limits), np.clip(array, *limits))


@pytest.mark.parametrize("dtype", ["int8", "int64", "float32", "complex128"])
@pytest.mark.parametrize("n", [5, 17, 5000])
def test_inplace_with_overlapping_memory(dtype, n):
    def fresh():
        return (np.arange(n) % 50).astype(dtype)

    for target, source in [
        (slice(1, None), slice(None, -1)),
        (slice(None, -1), slice(1, None)),
        (slice(None), slice(None, None, -1)),
        (slice(None, n // 2), slice(None, 2 * (n // 2), 2)),
    ]:
        array, tensor = fresh(), Tensor(fresh())
        array[target] += array[source].copy()
        view = tensor[target]
        view += tensor[source]
        assert_same(tensor, array)
        array, tensor = fresh(), Tensor(fresh())
        array[target] *= array[source].copy()
        tensor[target] *= tensor[source]
        assert_same(tensor, array)


@pytest.mark.parametrize(
    ("shape", "strides"),
    [((5,), (0,)), ((8, 3), (8, 8)), ((3, 8), (8, 8)), ((4, 2), (0, 16)), ((4, 4), (-8, 8)),
     ((5, 5), (16, 8)), ((1, 4), (0, 8))],
)  # fmt: skip
def test_inplace_where_elements_are_in_several_places(shape, strides):
    def windows(base):
        return np.lib.stride_tricks.as_strided(base[8:], shape, strides)

    ours, theirs = np.arange(24.0), np.arange(24.0)
    view, tensor = windows(theirs), Tensor(windows(ours))
    view += 1.0
    tensor += 1.0
    np.testing.assert_array_equal(ours, theirs)
    view[...] = 7.0
    tensor[...] = 7.0
    np.testing.assert_array_equal(ours, theirs)


def test_inplace_on_itself():
    t = Tensor(np.arange(10.0))
    t += t
    t *= t
    assert_same(t, (2 * np.arange(10.0)) ** 2)


@pytest.mark.parametrize("dtype", ["int8", "int64"])
def test_no_power_is_written_if_one_exponent_is_negative(dtype):
    base = np.arange(185).astype(dtype).reshape(37, 5)
    exponent = np.ones_like(base)
    exponent[36, 4] = -1
    x = Tensor(base.copy())
    with pytest.raises(ValueError, match=r"^pow: .*negative integer powers"):
        xp.pow(x, Tensor(exponent))
    with pytest.raises(ValueError, match=r"^pow: .*negative integer powers"):
        x **= Tensor(exponent)
    assert_same(x, base)
