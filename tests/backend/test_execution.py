"""Backends of a few lines: what they return, and what is computed by another one."""

import os
import subprocess
import sys
import textwrap
import warnings

import numpy as np
import pytest
from strategies import assert_same

import corepy
import corepy.array_api as xp
from corepy import Tensor
from corepy.backend import (
    Backend,
    execution,
    get_backend,
    register_backend,
    registry,
    selection,
)

CPU = get_backend("cpu")


@pytest.fixture(autouse=True)
def unchanged(monkeypatch):
    """Undo what a test registers, sets and measures."""
    for name in ("_loaded", "_devices"):
        monkeypatch.setattr(registry, name, dict(getattr(registry, name)))
    monkeypatch.setattr(selection, "_priority", None)
    monkeypatch.setattr(execution, "_warned", set())
    yield
    corepy.set_backend("cpu")


class Lists(Backend):
    """Two operations of lists, in plain Python."""

    def execute(self, operation, inputs):
        if operation == "add":
            return [a + b for a, b in zip(*inputs, strict=True)]
        if operation == "flip":
            return inputs[0][::-1]
        raise NotImplementedError


class Half(Backend):
    """An operation with parameters, one that is wrong, and no others."""

    wrong = False

    def supports(self, operation, dtype=None):
        return operation in ("sum", "negative", "astype", "empty") and dtype != "float32"

    def execute(self, operation, inputs, params=None):
        (x,) = inputs
        array = self.to_numpy(x) if isinstance(x, Tensor) else np.empty(x)
        result = -array if operation == "negative" else np.sum(array, params["axis"])
        if self.wrong:
            result = np.stack([result, result])
        return self.from_numpy(np.asarray(result), self.devices()[0])


def test_a_backend_of_lists():
    register_backend("lists", Lists())
    x = corepy.tensor([1, 2, 3], device="lists", dtype="int16")
    assert x.device == "lists"
    result = x + x
    assert_same(result, np.asarray([2, 4, 6], dtype="int16"))
    assert result.device == "lists"
    assert_same(x[1:], np.asarray([2, 3], dtype="int16"))
    view = x[::2]
    x[0] = 7
    assert_same(view, np.asarray([7, 3], dtype="int16"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert_same(xp.flip(x), np.asarray([3, 2, 7], dtype="int16"))


def test_what_a_backend_lacks_is_computed_by_the_next():
    register_backend("lists", Lists())
    x = corepy.tensor([3.0, 1.0, 2.0], device="lists")
    with pytest.warns(RuntimeWarning, match=r"^sort: .*computed by backend 'cpu'") as caught:
        result = xp.sort(x)
        again = xp.sort(x)
    assert len(caught) == 1
    assert result.device == again.device == "lists"
    assert_same(result, np.asarray([1.0, 2.0, 3.0]))
    with corepy.config(fallback="silent"), warnings.catch_warnings():
        warnings.simplefilter("error")
        assert_same(xp.flip(xp.reshape(x, (3, 1)), axis=0), np.asarray([[2.0], [1.0], [3.0]]))
        assert xp.zeros(2, device="lists").device == "lists"
        q, r = xp.linalg.qr(xp.eye(2, device="lists"))
        assert q.device == r.device == "lists"
    with corepy.config(fallback="error"), pytest.raises(NotImplementedError, match=r"^sort: "):
        xp.sort(x)


def test_the_next_backend_follows_the_priority():
    register_backend("half", Half())
    x = xp.asarray([1.0, 4.0], device="half")
    corepy.set_backend_priority(["cpu", "reference"])
    with pytest.warns(RuntimeWarning, match="computed by backend 'cpu'"):
        xp.sqrt(x)
    corepy.set_backend_priority(["reference", "cpu"])
    with pytest.warns(RuntimeWarning, match="computed by backend 'reference'"):
        assert xp.exp(x).device == "half"


def test_data_leave_the_process_only_by_name():
    class Remote(Half):
        remote = True

        def supports(self, operation, dtype=None):
            return True

        def execute(self, operation, inputs, params=None):
            raise AssertionError("asked")

    register_backend("remote", Remote())
    register_backend("half", Half())
    x = xp.asarray([1.0, 4.0], device="half")
    with corepy.config(fallback="silent"):
        assert_same(xp.sqrt(x), np.asarray([1.0, 2.0]))
        corepy.set_backend_priority(["remote", "cpu"])
        with pytest.raises(AssertionError, match="asked"):
            xp.sqrt(x)


def test_dtypes_that_a_backend_lacks():
    register_backend("half", Half())
    with corepy.config(fallback="silent"):
        x = xp.asarray([1.0, 2.0], dtype=xp.float32, device="half")
        assert_same(-x, np.asarray([-1.0, -2.0], dtype="float32"))


def test_results_are_checked_if_wanted():
    backend = Half()
    register_backend("half", backend)
    x = xp.asarray([[1.0, 2.0], [3.0, 4.0]], device="half")
    backend.wrong = True
    assert xp.sum(x, axis=0).shape == (2, 2)
    with corepy.config(check_results=True):
        with pytest.raises(RuntimeError, match=r"^sum: backend 'half' .* shape \(2,\), got shape"):
            xp.sum(x, axis=0)
        backend.wrong = False
        assert_same(xp.sum(x, axis=0), np.asarray([4.0, 6.0]))


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (np.zeros(3), "a Tensor, got ndarray"),
        (None, "a Tensor, got NoneType"),
        ((np.zeros(3),), "a sequence of tensors, got ndarray"),
    ],
)
def test_results_are_tensors(result, words):
    class Wrong(Backend):
        def execute(self, operation, inputs, params=None):
            return result

    register_backend("wrong", Wrong())
    x = corepy.Tensor([1.0, 2.0, 3.0], device="wrong")
    for call in (xp.sqrt, xp.sum, xp.linalg.vector_norm):
        with pytest.raises(RuntimeError, match=f"backend 'wrong' breaks its contract.*{words}"):
            call(x)


def test_the_number_of_results_is_checked_if_wanted():
    class Two(Backend):
        def execute(self, operation, inputs, params=None):
            return (inputs[0], inputs[0])

    register_backend("two", Two())
    x = corepy.Tensor([[1.0, 2.0], [3.0, 4.0]], device="two")
    wrong = pytest.raises(RuntimeError, match="must be 3 tensors, got 2")
    with corepy.config(check_results=True), wrong:
        xp.linalg.svd(x)


def test_results_of_lists_are_always_checked():
    class Wrong(Lists):
        def execute(self, operation, inputs):
            return [[1.0]] if operation == "add" else "text"

    register_backend("lists", Wrong())
    x = corepy.tensor([1.0, 2.0], device="lists")
    with pytest.raises(RuntimeError, match=r"^add: backend 'lists' .*shape \(2,\), got shape"):
        x + x
    with pytest.raises(RuntimeError, match=r"^flip: backend 'lists' .*numbers of dtype float64"):
        xp.flip(x)


def test_a_backend_with_other_storage_says_what_it_lacks():
    class Other(Lists):
        def from_numpy(self, array, device):
            return self.tensor(array.tolist(), array.dtype, array.shape, device)

    register_backend("other", Other())
    x = xp.asarray([1.0], device="other")
    with pytest.raises(NotImplementedError, match=r"^getitem: Other stores list .*define getitem"):
        x[0]


def test_installed_packages_offer_backends(tmp_path):
    (tmp_path / "sums.py").write_text(
        textwrap.dedent("""
            from corepy.backend import Backend

            class Sums(Backend):
                def execute(self, operation, inputs):
                    if operation != "add":
                        raise NotImplementedError
                    return [a + b for a, b in zip(*inputs)]
        """)
    )
    info = tmp_path / "sums-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: sums\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[corepy.backends]\nsums = sums:Sums\nbroken = no_such_module:backend\n"
    )
    code = """
import corepy, sys
assert "sums" not in sys.modules
x = corepy.tensor([1, 2], device="sums")
print((x + x).device, x + x)
assert "sums" in corepy.available_devices()
try:
    corepy.device("broken")
except ValueError as error:
    print(error)
"""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    printed = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    ).stdout
    assert printed.startswith("sums [2 4]\n")
    assert "no_such_module" in printed


@pytest.mark.parametrize("name", ["cpu", "reference", "torch", "dask"])
def test_only_ndarrays_come_from_numpy(name):
    if name in ("torch", "dask"):
        pytest.importorskip(name)
    backend = get_backend(name)
    device = backend.devices()[0]
    assert backend.from_numpy(np.arange(3.0), device).shape == (3,)
    assert backend.from_numpy(np.float32(2), device).shape == ()
    with pytest.raises(TypeError, match=r"^from_numpy: expected an ndarray, got list$"):
        backend.from_numpy([1.0], device)
    if name == "cpu":
        with pytest.raises(TypeError, match=r"^wrap: expected an ndarray, got list$"):
            backend.wrap([1.0])
