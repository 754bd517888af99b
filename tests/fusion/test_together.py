"""What is computed once: expressions that are written twice, and arrays that several reductions
read.
"""

import numpy as np
import pytest

import corepy
import corepy.array_api as xp

SHAPES = [((100_000,), None), ((3000, 40), 0), ((40, 3000), 1), ((3000, 40), None),
          ((20, 30, 50), (0, 2)), ((20, 30, 50), 1), ((7,), 0), ((1, 1), None)]  # fmt: skip


def arrays(shape, dtype):
    rng = np.random.default_rng(len(shape))
    for _ in range(2):
        values = rng.integers(-50, 50, shape)
        yield xp.asarray(values.astype(dtype) / 7 if dtype.startswith("float") else
                         values.astype(dtype))  # fmt: skip


def same(found, expected):
    assert len(found) == len(expected)
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_array_equal(np.asarray(a), np.asarray(b), strict=True)
        assert a.strides == b.strides


def both_ways(function, *tensors, threshold=0):
    """Return what a function returns, deferred and at once, and the plan."""
    expected = function(*tensors)
    with corepy.config(fusion_threshold=threshold), corepy.fuse():
        found = function(*tensors)
        plan = corepy.explain(*found)
    return found, expected, plan


@pytest.mark.parametrize(("shape", "axis"), SHAPES)
@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "uint8"])
def test_reductions_of_one_pass(shape, axis, dtype):
    def function(x, y):
        product = x * y
        return [
            xp.sum(x, axis=axis), xp.max(x, axis=axis), xp.min(product, axis=axis),
            xp.sum(product, axis=axis), xp.sum(y, axis=axis, keepdims=True),
            xp.any(x == y, axis=axis), xp.all(x, axis=axis), xp.prod(x, axis=axis),
            xp.argmax(product, axis=axis if axis != (0, 2) else 2), xp.count_nonzero(y, axis=axis),
        ]  # fmt: skip

    found, expected, _ = both_ways(function, *arrays(shape, dtype))
    same(found, expected)


@pytest.mark.parametrize(("shape", "axis"), SHAPES)
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_moments_of_one_pass(shape, axis, dtype):
    def function(x, y):
        return [
            xp.mean(x, axis=axis), xp.var(x, axis=axis), xp.std(x * y, axis=axis, correction=0.5),
            xp.mean(x * y, axis=axis), xp.max(y, axis=axis), xp.var(y + 1, axis=axis),
        ]  # fmt: skip

    found, expected, plan = both_ways(function, *arrays(shape, dtype))
    same(found, expected)
    if shape == (3000, 40) and axis == 0:
        assert [len(group.operations) for group in plan.groups] == [8]


def test_layouts_that_differ_take_passes_of_their_own():
    def function(x, y):
        return [xp.sum(x, axis=0), xp.sum(y.T, axis=0), xp.sum(x[:, ::-1], axis=0),
                xp.sum(xp.broadcast_to(x[:1], x.shape), axis=0), xp.sum(x, axis=1)]  # fmt: skip

    found, expected, plan = both_ways(function, *arrays((200, 200), "float64"))
    same(found, expected)
    assert len(plan.groups) == 5


def test_many_reductions():
    def function(x, y):
        return [xp.sum(x * k, axis=0) for k in range(20)] + [xp.sum(y, axis=0)]

    found, expected, plan = both_ways(function, *arrays((3000, 40), "float64"))
    same(found, expected)
    assert len(plan.groups) == 3  # of at most 8


def test_an_expression_that_is_written_twice():
    def function(x, y):
        return [(x + 1.5) * (x + 1.5), xp.mean(x * y), xp.mean(x * y), x + 2.5, x + 1.5]

    found, expected, plan = both_ways(function, *arrays((50_000,), "float64"))
    same(found, expected)
    names = [operation.name for group in plan.groups for operation in group.operations]
    assert sorted(names) == ["add", "add", "mean", "multiply", "multiply"]


def test_tensors_of_one_expression_have_memory_of_their_own():
    (x, _) = arrays((50_000,), "float64")
    expected = x + 1
    with corepy.fuse():
        first, second, third = x + 1, x + 1, x + 1
        product = (x + 1) * 2
        total, again = xp.sum(x), xp.sum(x)
    first += 1
    second[0] = 0.0
    total += 1
    same([third, first, second[1:], product], [expected, expected + 1, expected[1:], expected * 2])
    assert float(second[0]) == 0
    assert float(again) == float(xp.sum(x)) == float(total) - 1


def test_what_looks_alike_is_not_the_same():
    def function(x, y):
        column = y[:, None]
        return [x + 0.0, x + -0.0, x - y, y - x, xp.sum(x, axis=0), xp.sum(x, axis=1),
                xp.var(x, axis=0), xp.var(x, axis=0, correction=1), x[::-1] + y, x + y[::-1],
                x + y, x[:, None] + column if x.ndim == 1 else x.T + y, x < y, x > y,
                xp.astype(x, xp.float32), xp.astype(x, xp.int64)]  # fmt: skip

    found, expected, _ = both_ways(function, *arrays((60, 60), "float64"))
    same(found, expected)


def test_duplicates_across_groups():
    def function(x, y):
        centred = x - xp.mean(x, axis=0)
        again = x - xp.mean(x, axis=0)
        return [centred / xp.std(again, axis=0), xp.sum(again * again), xp.sum(centred * again)]

    found, expected, plan = both_ways(function, *arrays((500, 60), "float64"))
    same(found, expected)
    names = [operation.name for group in plan.groups for operation in group.operations]
    assert (names.count("mean"), names.count("std"), names.count("sum")) == (1, 1, 1)
