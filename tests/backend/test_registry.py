"""The registry: from names to backends and devices."""

import subprocess
import sys

import pytest

import corepy
from corepy.backend import available_devices, get_backend, register, registry
from corepy.backend.standard import corrections_for


def test_the_cpu_is_the_default():
    devices = available_devices()
    assert str(devices[0]) == "cpu"
    assert corepy.zeros(1).device is devices[0]
    assert len(set(devices)) == len(devices)


def test_devices_and_their_names_are_one(device):
    found = corepy.zeros(1, device=device).device
    assert found == device
    assert hash(found) == hash(device)
    assert found != "other"
    assert found != 3
    assert {device: 1}[found] == 1
    assert str(found) == f"{found}" == f"{found:>{len(device)}}" == device
    assert repr(found) == f"Device({device!r})"
    assert corepy.zeros(1, device=found).device is found
    assert found.backend is get_backend(device.partition(":")[0])
    assert found in found.backend.devices()
    assert found.index == 0


def test_backends_are_made_once(device):
    family = device.partition(":")[0]
    backend = get_backend(family)
    assert backend is get_backend(family)
    assert backend.name == family
    assert backend.is_available()
    assert family in repr(backend)
    backend.synchronize()
    capabilities = backend.get_capabilities()
    assert set(capabilities) >= {"boolean indexing", "data-dependent shapes", "max dimensions"}


def test_unknown_backend():
    with pytest.raises(ValueError, match=r"there is no 'nothing'.*cpu"):
        get_backend("nothing")


def test_names_are_taken_once():
    for name in registry.backend_names():
        with pytest.raises(ValueError, match=f"^register: .*{name!r}"):
            register(corepy.backend.Backend(name))


def test_abstract_backend():
    backend = corepy.backend.Backend("abstract")
    t = corepy.zeros(1)
    for call in (
        lambda: backend.execute("add", (t, t), {}),
        lambda: backend.devices(),
        lambda: backend.to_numpy(t),
        lambda: backend.getitem(t, 0),
        lambda: backend.setitem(t, 0, 1),
    ):
        with pytest.raises(NotImplementedError, match="Backend"):
            call()


def test_unavailable_backends_are_named_in_the_error():
    # In a process of its own: there is no way to take a backend out of the registry again.
    code = """
import corepy
from corepy.backend import NamespaceBackend, available_devices, register

def load():
    raise ImportError("must not be loaded")

register(NamespaceBackend("missing", load, "no_such_package"))
assert "missing" not in available_devices()
try:
    corepy.zeros(1, device="missing")
except ValueError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "'missing'" in done.stdout
    assert "no_such_package is not installed" in done.stdout
    assert "'cpu'" in done.stdout


def test_corrections_are_functions():
    for name in ("numpy", "array_api_strict"):
        corrections = corrections_for(name)
        assert corrections
        assert all(callable(function) for function in corrections.values())
