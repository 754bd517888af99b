"""The functions of `corepy.testing`."""

import inspect

import numpy as np
import pytest
from running import in_threads

import corepy
from corepy import Tensor
from corepy.testing import assert_close, assert_identical, available_namespaces, forwarded


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


# ---- forwarded


def eig():
    corepy.linalg.eig(corepy.asarray([[2.0, 0.0], [0.0, 3.0]]))


def test_forwarded():
    options = list(inspect.signature(np.genfromtxt).parameters.values())[1:20]
    text_options = {each.name: each.default for each in options}
    x = corepy.asarray([[2.0, 0.0], [0.0, 3.0]])
    with forwarded() as calls:
        eig()
        corepy.add(x, x)
        corepy.linalg.solve(x, x)
        with forwarded() as inner:
            np.linalg.eig(x)  # of NumPy, by its protocol
        corepy.add(1, 2)
        corepy.random.standard_normal(3)
        # More arguments than are passed without a tuple.
        corepy.genfromtxt(["1 2"], **text_options)
        corepy.concatenate([[1, 2], ["a"]])
    eig()
    assert inner == {"linalg.eig": 1}
    assert calls == {
        "linalg.eig": 2,
        "add": 1,
        "random.standard_normal": 1,
        "genfromtxt": 1,
        "concatenate": 1,
    }


def test_forwarded_agrees_with_route():
    x = corepy.asarray([3.0, 1.0, 2.0])
    for name in ("sort", "median", "trim_zeros", "piecewise", "sinc", "unwrap"):
        function = getattr(corepy, name)
        more = ([True, False, True], [1, 2]) if name == "piecewise" else ()
        with forwarded() as calls:
            function(x, *more)
        assert (calls.get(name, 0) == 1) == (function.route(x, *more) is None), name


def test_forwarded_ends_with_an_error():
    with pytest.raises(TypeError), forwarded() as calls:
        corepy.linalg.eig()
    eig()
    assert calls == {"linalg.eig": 1}


def test_forwarded_in_threads():
    with forwarded() as calls:
        in_threads(lambda number: [eig() for _ in range(200)], count=4)
    assert calls == {"linalg.eig": 800}


def test_forwarded_is_logged(caplog):
    caplog.set_level("DEBUG", "corepy")
    with forwarded():
        eig()
    eig()
    assert [record.getMessage() for record in caplog.records] == ["forwarded to NumPy: linalg.eig"]
