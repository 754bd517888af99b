"""Indices that are out of range: errors at the call, or at the next operation that waits."""

import numpy as np
import pytest
from agreement import to_numpy

import corepy

X = np.arange(12.0).reshape(3, 4)
#: A call, and what its error says.
CALLS = {
    "take": (
        lambda xp, x, i: xp.take(x, i, axis=0), [0, 7],
        "take: index 7 is out of bounds for axis 0 with size 3",
    ),
    "take of another axis": (
        lambda xp, x, i: xp.take(x, i, axis=-1), [-5, 1],
        "take: index -5 is out of bounds for axis 1 with size 4",
    ),
    "getitem": (
        lambda xp, x, i: x[i], [2, 3],
        "getitem: index 3 is out of bounds for axis 0 with size 3",
    ),
    "getitem of another axis": (
        lambda xp, x, i: x[1:, i], [4, 0],
        "getitem: index 4 is out of bounds for axis 1 with size 4",
    ),
    "take_along_axis": (
        lambda xp, x, i: xp.take_along_axis(x, xp.reshape(i, (1, 2)), axis=1), [0, 9],
        "take_along_axis: index 9 is out of bounds for axis 1 with size 4",
    ),
}  # fmt: skip


@pytest.fixture(autouse=True)
def later():
    with corepy.config(check_indices="later"):
        yield


def backend_of(xp):
    return xp.__array_namespace_info__().default_device().backend


@pytest.mark.parametrize("name", CALLS)
def test_errors_at_the_next_wait(gpu, name):
    call, indices, message = CALLS[name]
    x, i = gpu.asarray(X), gpu.asarray(indices)
    found = call(gpu, x, i)  # does not wait
    assert isinstance(found, corepy.Tensor)
    other = gpu.sum(x)
    with pytest.raises(IndexError) as raised:
        float(other)
    assert str(raised.value) == message
    assert float(other) == X.sum()  # it is raised once
    places = to_numpy(found)
    good = (np.asarray(indices) >= -3) & (np.asarray(indices) < 3)
    assert np.all(places[..., ~good] == 0) if "axis" in name else np.all(places[~good] == 0)


@pytest.mark.parametrize("name", CALLS)
def test_errors_at_the_call(gpu, name):
    call, indices, message = CALLS[name]
    x, i = gpu.asarray(X), gpu.asarray(indices)
    with corepy.config(check_indices="now"), pytest.raises(IndexError) as raised:
        call(gpu, x, i)
    assert str(raised.value) == message
    assert float(gpu.sum(x)) == X.sum()


def test_synchronize_reports(gpu):
    x = gpu.asarray(X)
    x[gpu.asarray([5])]
    with pytest.raises(IndexError, match="index 5 is out of bounds"):
        backend_of(gpu).synchronize()
    backend_of(gpu).synchronize()


def test_the_first_of_several_errors_is_reported(gpu):
    x = gpu.asarray(X)
    for index in (0, 8, 1, 9):
        gpu.take(x, gpu.asarray([index]), axis=0)
    with pytest.raises(IndexError, match="index 8 is"):
        to_numpy(x)
    assert np.array_equal(to_numpy(x), X)


def test_a_copy_without_elements_does_not_wait(gpu):
    x = gpu.asarray(X)
    gpu.take(x, gpu.asarray([3]), axis=0)
    assert to_numpy(x[:0]).shape == (0, 4)
    with pytest.raises(IndexError, match="index 3 is"):
        to_numpy(x)


def test_many_calls_without_a_wait(gpu):
    x, i = gpu.asarray(X), gpu.asarray([0, 2])
    for _ in range(5000):
        gpu.take(x, i, axis=0)
    gpu.take(x, gpu.asarray([3]), axis=0)
    with pytest.raises(IndexError, match="index 3 is"):
        backend_of(gpu).synchronize()
    assert backend_of(gpu).reports_open == 0


def test_writes_are_checked_at_once(gpu):
    x = gpu.asarray(X)
    with pytest.raises(IndexError, match="setitem: index 3 is out of bounds"):
        x[gpu.asarray([3])] = 1.0
    assert np.array_equal(to_numpy(x), X)


def test_nothing_changes_on_the_cpu():
    with pytest.raises(IndexError, match="index 7"):
        corepy.take(corepy.asarray(X), corepy.asarray([7]), axis=0)


def test_the_setting():
    with pytest.raises(ValueError, match=r"^config: check_indices must be one of 'later', 'now'"):
        corepy.config(check_indices="never")
