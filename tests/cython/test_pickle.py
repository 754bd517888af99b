"""Pickles, in every protocol, with the elements in band or out of band."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from strategies import arrays, assert_same

import corepy
import corepy.array_api as xp
from corepy import Tensor
from corepy._cython import core

PROTOCOLS = range(pickle.HIGHEST_PROTOCOL + 1)


@pytest.mark.parametrize("protocol", PROTOCOLS)
@given(array=arrays())
def test_round_trip(protocol, array):
    t = pickle.loads(pickle.dumps(Tensor(array), protocol))
    assert t.device == "cpu"
    assert_same(t, array, signs=True)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_device_is_found_again(protocol, device):
    array = np.arange(6, dtype="int16").reshape(2, 3)
    t = pickle.loads(pickle.dumps(Tensor(array, device=device), protocol))
    assert t.device == device
    assert_same(t, array)
    assert_same(t + 1, array + 1)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_loaded_tensors_are_independent_and_writeable(protocol, device):
    t = Tensor([1.0, 2.0], device=device)
    loaded = pickle.loads(pickle.dumps(t, protocol))
    loaded[0] = 9
    loaded += 1
    assert t.tolist() == [1.0, 2.0]
    assert loaded.tolist() == [10.0, 3.0]


def test_elements_travel_out_of_band():
    t = xp.arange(100_000, dtype=xp.float64)
    buffers = []
    data = pickle.dumps(t, protocol=5, buffer_callback=buffers.append)
    assert len(data) < 1000
    assert len(buffers) == 1
    assert buffers[0].raw().nbytes == t.nbytes
    loaded = pickle.loads(data, buffers=buffers)
    assert_same(loaded, np.asarray(t))
    # Neither end has made a copy.
    assert np.shares_memory(np.asarray(buffers[0].raw()), np.asarray(t).view("uint8"))
    assert np.shares_memory(np.asarray(loaded), np.asarray(t))


def test_out_of_band_buffers_may_be_read_only():
    buffers = []
    data = pickle.dumps(xp.arange(100), protocol=5, buffer_callback=buffers.append)
    loaded = pickle.loads(data, buffers=[bytes(buffer.raw()) for buffer in buffers])
    assert_same(loaded, np.arange(100))
    with pytest.raises(ValueError, match="read-only"):
        loaded[0] = 1


def test_shared_objects_stay_shared():
    t = Tensor([1, 2])
    first, second = pickle.loads(pickle.dumps([t, t]))
    assert first is second
    first, second = copy.deepcopy([t, t])
    assert first is second


def test_unknown_device():
    function, (array, _device) = Tensor([1, 2]).__reduce_ex__(5)
    with pytest.raises(ValueError, match=r"^pickle.loads: .*'nowhere:3'.*'cpu'"):
        function(array, "nowhere:3")


def test_pickle_from_a_machine_with_another_device():
    data = pickle.dumps(Tensor([1, 2], device="cpu"), 0)
    assert data.count(b"Vcpu\n") == 1
    with pytest.raises(ValueError, match=r"'gpx'.*available: 'cpu'"):
        pickle.loads(data.replace(b"Vcpu\n", b"Vgpx\n"))


def test_devices(device):
    found = corepy.available_devices()[0]
    assert pickle.loads(pickle.dumps(found)) is found
    assert copy.deepcopy(Tensor([1], device=device).device) == device


def test_namespaces(device):
    namespace = corepy.namespace(device)
    if device != "cpu":  # the default one is a module, which Python does not pickle
        assert pickle.loads(pickle.dumps(namespace)) is namespace
        assert pickle.loads(pickle.dumps(namespace.fft)) is namespace.fft


def test_functions():
    for function in (xp.add, xp.sum, xp.linalg.svd, xp.asarray, core.from_pickle):
        assert pickle.loads(pickle.dumps(function)) is function


def test_deepcopy_of_a_structure(device):
    original = {"a": Tensor([1.0, 2.0], device=device), "b": [Tensor(3, device=device)]}
    other = copy.deepcopy(original)
    other["a"][0] = 50
    assert original["a"].tolist() == [1.0, 2.0]
    assert other["b"][0].device == device
