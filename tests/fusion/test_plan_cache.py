"""Plans are found again for operations of the same structure, and compute the right elements."""

import numpy as np
import pytest
from running import in_threads

import corepy
import corepy.array_api as xp
from corepy import lazy

from .programs import assert_same, fuse_all, new


def computed(function, *args):
    """The results of a function, computed at once and deferred, and the plan of the latter."""
    with corepy.config(fusion=False):
        expected = function(*args)
    with fuse_all():
        found = function(*args)
    for one, other in zip(several(expected), several(found), strict=True):
        assert_same(xp.asarray(other), xp.asarray(one))
    return lazy.last_plan()


def several(result):
    return result if isinstance(result, tuple) else (result,)


def matrix(first=1.0, rows=30, columns=20):
    return xp.reshape(xp.arange(first, first + rows * columns), (rows, columns))


FUNCTIONS = {
    "a chain": lambda x, c: xp.sqrt(x * c + 1) - c,
    "loops without a chain": lambda x, c: xp.exp(xp.sin(x * c)),
    "two results": lambda x, c: (lambda y: (y, y + c))(x * 2),
    "twins": lambda x, c: (x * c) + (x * c) * (x * 7),
    "a sum": lambda x, c: xp.sum(x * c),
    "sums together": lambda x, c: (lambda y: (xp.sum(y), xp.max(y), xp.std(y)))(x * c + 1),
    "along an axis": lambda x, c: xp.mean(x + c, axis=0) * c,
    "rows": lambda x, c: (x - xp.max(x, axis=1, keepdims=True)) * c,
    "softmax": lambda x, c: (lambda e: e / xp.sum(e, axis=-1, keepdims=True))(
        xp.exp(x / (800 * c))
    ),
    "several groups": lambda x, c: xp.sum((x - xp.mean(x)) ** 2) / c,
    "a column": lambda x, c: x[:, :1] * c + x,
    "transposed": lambda x, c: x.T * c + xp.ones((20, 30)),
    "casts": lambda x, c: xp.astype(x * c, xp.float32) + x,
    "comparisons": lambda x, c: xp.where(x > 100 * c, x, -x),
    "a sum in two layouts": lambda x, c: xp.sum(x.T + c, axis=0) + xp.sum(x + c, axis=1),
    "no runs": lambda x, c: xp.sum((x + c)[::2, ::3], axis=1),
    "one operation": lambda x, c: x / c,
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_other_elements_and_constants(name):
    plans = [
        computed(FUNCTIONS[name], matrix(first), constant)
        for first, constant in ((1.0, 2.0), (-5.0, 3.0), (0.5, 2.0), (7.0, 2.5))
    ]
    times = [plan.times for plan in plans]
    assert times == list(range(times[0], times[0] + 4))
    assert "computed 4 times" in str(plans[-1]) or times[0] > 1


def test_a_plan_has_its_own_constants():
    x = new()
    for constant in (2.0, 3.0):
        plan = computed(lambda x, c: x * c + 1, x, constant)
        assert plan.groups[0].operations[0].operands == ("x1", constant)


# Two functions each, of different structure, though their operations are the same.
PAIRS = {
    "constants of twins": (lambda x, y: (x * 2) + (x * 2), lambda x, y: (x * 2) + (x * 3)),
    "operands": (lambda x, y: (x * y) + x, lambda x, y: (x * x) + x),
    "results": (lambda x, y: (x + y) * (x + y), lambda x, y: (lambda a: (a, a * (x + y)))(x + y)),
    "dtypes": (lambda x, y: (x + y) * x, lambda x, y: (xp.astype(x, xp.float32) + 1) * 2),
    "sizes": (lambda x, y: (x + y) * x, lambda x, y: (x[:-1] + y[:-1]) * x[:-1]),
    "strides": (lambda x, y: (x + y) * x, lambda x, y: (x[::-1] + y) * x),
    "parts": (lambda x, y: (x[1:] + x[:-1]) * 2, lambda x, y: (x[1:] + y[1:]) * 2),
    "broadcast": (lambda x, y: (x + y) * 2, lambda x, y: (x + y[:1]) * 2),
    "axes": (lambda x, y: xp.sum(x * y, axis=0), lambda x, y: xp.sum(x * y, axis=1)),
    "corrections": (lambda x, y: xp.var(x * 2), lambda x, y: xp.var(x * 2, correction=1)),
}


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("order", [(0, 1, 0, 1), (1, 0, 1, 1, 0)])
def test_other_structures(name, order):
    for number, k in enumerate(order):
        x, y = matrix(number), matrix(3.0 * number)
        computed(PAIRS[name][k], x, y)


@pytest.mark.parametrize("offset", range(9))
def test_results_in_other_tensors(offset):
    """Where a result is assigned matters for its alignment."""
    x = new(2000)
    expected = np.asarray(x)[:1900] * 2 + 1
    for at in (0, offset, 8, offset + 1):
        target = xp.zeros(2000)
        with fuse_all():
            target[at : at + 1900] = x[:1900] * 2 + 1
        assert np.array_equal(np.asarray(target)[at : at + 1900], expected)
        assert not np.asarray(target)[:at].any()
        with fuse_all():
            target[at : at + 1900] += x[:1900] * 2 + 1
        assert np.array_equal(np.asarray(target)[at : at + 1900], 2 * expected)


def test_results_that_a_tensor_holds_or_not():
    x = new()
    for hold in (True, False, True):
        with fuse_all():
            y = x * 2
            z = y + 1
            if not hold:
                del y
        assert_same(z, np.arange(3.0, 203.0, 2))
        if hold:
            assert_same(y, np.arange(2.0, 202.0, 2))


def test_threads_use_a_plan_at_the_same_time():
    def run(number):
        x = new(50_000) + number
        for constant in range(1, 40):
            with fuse_all():
                y = (x * constant + 1) / x
                total = xp.sum(y - constant)
            assert np.array_equal(np.asarray(y), (np.asarray(x) * constant + 1) / np.asarray(x))
            assert float(total) == pytest.approx(np.sum(1 / np.asarray(x)))

    in_threads(run, 4)


def test_memory_of_numpy():
    times = []
    for first in (1.0, 2.0, 3.0):
        x = xp.asarray(np.arange(first, first + 2000.0) * 1.0)  # nothing else refers to the array
        times.append(computed(lambda x: (x + 1) * 3 - x, x).times)
    assert times == [1, 2, 3]


def test_many_structures():
    """More than are kept: all are dropped now and then."""
    x = new(3000)
    for size in range(600, 1400):
        with fuse_all():
            y = x[:size]
            for constant in range(30):
                y = y * 2 - constant
        if size % 100 == 0:
            assert computed(lambda x: (x + 1) * 2, x[:size]).times >= 1


def test_without_memory_a_plan_can_be_used_again():
    x = xp.ones((1, 1))
    for _ in range(2):
        with pytest.raises(MemoryError, match="bytes"), fuse_all():
            y = xp.broadcast_to(x, (2**24, 2**24)) + 1  # 2 PiB
        del y
        for shape in ((2**24, 2**24), (30, 20)):
            with corepy.config(fusion=True):
                z = xp.sum((xp.broadcast_to(x * 2, shape) + 1)[:3, :3])
            assert float(z) == 27.0


def stored(plan):
    return sum(bool(each.stored) for group in plan.groups for each in group.operations)


def test_the_operand_of_a_reduction_to_a_number_is_not_stored():
    x = corepy.asarray(new(3000))
    expected = np.mean((np.asarray(x) - 1) ** 2)
    with fuse_all():
        found = corepy.mean((x - 1) ** 2)  # NumPy's number: computed while Python has the operand
    np.testing.assert_allclose(found, expected, rtol=1e-15)
    assert len(lazy.last_plan().groups) == stored(lazy.last_plan()) == 1


def test_the_operand_of_a_second_reduction_is_stored():
    x = new(3000)
    with fuse_all():
        y = x * 2 + 1
        total = float(xp.sum(y))
        assert lazy.is_deferred(y)
        assert float(xp.max(y)) == float(np.max(np.asarray(x) * 2 + 1))
        assert not lazy.is_deferred(y)
    assert total == float(xp.sum(x * 2 + 1))
    assert_same(y, x * 2 + 1)


@pytest.mark.parametrize(("function", "learns"), [(xp.exp, True), (xp.negative, False)])
def test_operands_that_are_read_again_are_stored_from_then_on(function, learns):
    """Unless to compute them again takes less time than to write them and read them."""
    x = new(3000) / 3000
    expected = function(x) + 1
    total = float(xp.sum(expected))
    deferred = []
    for _ in range(3):
        with fuse_all():
            y = function(x) + 1
            assert float(xp.sum(y)) == total
            deferred.append(lazy.is_deferred(y))
            assert_same(y, expected)
    assert deferred == [True, not learns, not learns]
