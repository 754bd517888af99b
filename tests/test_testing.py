"""The functions of `corepy.testing`."""

import numpy as np
import pytest

import corepy
from corepy import Tensor
from corepy.testing import assert_close, assert_identical, available_namespaces


def test_available_namespaces():
    found = available_namespaces()
    assert found[0] is corepy.namespace("cpu")
    devices = {str(namespace.zeros(1).device) for namespace in found}
    assert devices == {str(device) for device in corepy.available_devices()}
    assert len(found) == len(devices)


@pytest.mark.parametrize("check", [assert_identical, assert_close])
def test_the_same_passes(check, device):
    for value in ([1.0, np.nan, np.inf], [], 3, [[True]], [1j], [-0.0]):
        check(Tensor(value, device=device), Tensor(value, device=device))
    check(Tensor([0.0]), Tensor([-0.0]))


@pytest.mark.parametrize("check", [assert_identical, assert_close])
@pytest.mark.parametrize(
    ("actual", "expected", "message"),
    [
        ([1.0, 2.0], [1.0, 3.0], "Mismatched elements: 1 / 2"),
        ([1.0], [np.nan], "nan"),
        ([1.0, 2.0], [1.0], "shape"),
        ([1.0], 1.0, "shape"),
        ([1], [1.0], "dtype differs: actual int64, expected float64"),
        ([1.0], [1.0 + 0j], "dtype"),
    ],
)
def test_differences_are_message(check, actual, expected, message):
    with pytest.raises(AssertionError, match=message):
        check(Tensor(actual), Tensor(expected))


@pytest.mark.parametrize("check", [assert_identical, assert_close])
def test_only_tensors_are_compared(check):
    with pytest.raises(AssertionError, match="expected is not a Tensor but ndarray"):
        check(Tensor([1.0]), np.ones(1))
    with pytest.raises(AssertionError, match="actual is not a Tensor but list"):
        check([1.0], Tensor([1.0]))


@pytest.mark.parametrize("check", [assert_identical, assert_close])
def test_devices_are_compared(check):
    for device in corepy.available_devices()[1:]:
        with pytest.raises(AssertionError, match=f"device differs: actual cpu, expected {device}"):
            check(Tensor([1.0]), Tensor([1.0], device=device))


def test_tolerances(device):
    a, b = (Tensor([x], device=device) for x in (1.0, 1.0 + 1e-10))
    assert_close(a, b)
    with pytest.raises(AssertionError):
        assert_identical(a, b)
    with pytest.raises(AssertionError):
        assert_close(a, b, rtol=1e-12)
    assert_close(a, b, rtol=0, atol=1e-9)
    single = [Tensor([x], dtype="float32", device=device) for x in (1.0, 1.0001)]
    assert_close(*single)
    with pytest.raises(AssertionError):
        assert_close(*single, rtol=1e-5)
    with pytest.raises(AssertionError):
        assert_close(Tensor([100], device=device), Tensor([101], device=device))
