"""The registry: from names to backends and devices."""

import numpy as np
import pytest
from running import output_of

import corepy
from corepy.backend import (
    Backend,
    Device,
    NamespaceBackend,
    available_devices,
    get_backend,
    register_backend,
    registry,
)
from corepy.backend.corrections import corrections_for


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
    with pytest.raises(ValueError, match=r"^get_backend: there is no backend 'nothing'.*'cpu'"):
        get_backend("nothing")


class Listed(NamespaceBackend):
    """A backend that lists the devices that it is given, or raises."""

    def __init__(self, name, listed=None, available=True):
        super().__init__(name, lambda: np, "numpy")
        self.listed = listed
        self.available = available

    def is_available(self):
        if isinstance(self.available, Exception):
            raise self.available
        return self.available

    def devices(self):
        if isinstance(self.listed, BaseException):
            raise self.listed
        return super().devices() if self.listed is None else self.listed


@pytest.fixture
def registered(monkeypatch):
    """Register backends for the length of a test."""
    monkeypatch.setattr(registry, "_loaded", dict(registry._loaded))
    monkeypatch.setattr(registry, "_devices", dict(registry._devices))

    def register_all(*backends):
        for backend in backends:
            register_backend(backend.name, backend)
        return backends

    return register_all


def test_names_are_taken_once(registered):
    for name in registry.backend_names():
        with pytest.raises(
            ValueError, match=f"^register_backend: there is a backend named {name!r}"
        ):
            register_backend(name, Listed(name))
    registered(Listed("once"))
    with pytest.raises(ValueError, match=r"^register_backend: there is a backend named 'once'"):
        register_backend("once", Listed("once"))


@pytest.mark.parametrize("name", ["", " ", "a b", "a:0", ":", "a\n", "a\tb", "a\u00a0b"])
def test_names_that_could_not_be_found(name):
    before = registry.backend_names()
    with pytest.raises(ValueError, match=r"^register_backend: the name of a backend must not be"):
        register_backend(name, Listed(name))
    assert registry.backend_names() == before


@pytest.mark.parametrize("name", [None, 3, b"bytes", get_backend("cpu")])
def test_names_are_strings(name):
    with pytest.raises(TypeError, match=r"^register_backend: the name .* must be a string, got "):
        register_backend(name, Listed("named"))


def test_a_backend_has_one_name(registered):
    with pytest.raises(ValueError, match=r"^register_backend: the backend is named 'one' already"):
        register_backend("other", Listed("one"))
    with pytest.raises(TypeError, match="register_backend"):
        register_backend(Listed("one"))


@pytest.mark.parametrize("value", [None, "cpu", 3, object(), Backend, Listed])
def test_only_backends_are_registered(value):
    with pytest.raises(TypeError, match=r"^register_backend: expected a Backend, got "):
        register_backend("name", value)


def test_backends_define_execute():
    made = []

    def init(self):
        made.append(self)

    for body in ({}, {"__init__": init}):  # the error does not depend on the constructor
        with pytest.raises(TypeError, match=r"^Partial: a backend must define execute"):
            type("Partial", (Backend,), body)()
    assert not made
    with pytest.raises(TypeError, match=r"^Backend: a backend must define execute"):
        Backend("abstract")


def test_devices_are_checked_when_a_backend_is_registered():
    before = registry.backend_names(), available_devices()
    cpu = get_backend("cpu")
    for listed, error, message in (
        (RuntimeError("no driver"), RuntimeError, "no driver"),
        (
            ["broken:0"],
            TypeError,
            r"^register_backend: .*devices\(\) must return its own .*'broken:0'",
        ),
        ([None], TypeError, r"^register_backend: .* its own Device objects, got None"),
        (
            cpu.devices(),
            TypeError,
            r"^register_backend: .* its own Device objects, got Device\('cpu'\)",
        ),
        (3, TypeError, "int"),
    ):
        with pytest.raises(error, match=message):
            register_backend("broken", Listed("broken", listed))
    backend = Listed("broken")
    for text in ("cpu", "other:0", "brokenness", ""):
        backend.listed = [Device(backend, 0, text)]
        with pytest.raises(
            ValueError, match=r"^register_backend: devices of .* must be called 'broken'"
        ):
            register_backend("broken", backend)
    for error in (OSError("no permission"), ImportError("no library")):
        with pytest.raises(type(error)):
            register_backend("broken", Listed("broken", available=error))
    assert (registry.backend_names(), available_devices()) == before


def test_a_backend_that_is_not_available_is_not_asked_for_devices(registered):
    (backend,) = registered(Listed("later", RuntimeError("asked"), available=False))
    assert "later" not in available_devices()
    backend.listed, backend.available = None, True
    assert "later" in available_devices()
    assert corepy.zeros(1, device="later").device.backend is backend


@pytest.mark.parametrize("where", ["listed", "available"])
@pytest.mark.parametrize(
    "error", [RuntimeError("lost\nits driver"), ImportError("lost"), OSError()]
)
def test_a_backend_that_fails_later_harms_no_other(registered, where, error):
    broken, sound = registered(Listed("broken"), Listed("sound"))
    known = corepy.zeros(1, device="broken").device
    setattr(broken, where, error)
    assert "sound" in available_devices()
    assert "cpu" in available_devices()
    assert known not in available_devices()
    assert corepy.zeros(1, device="sound").device.backend is sound
    assert corepy.zeros(1, device="broken").device is known  # it was found before
    text = str(error).partition("\n")[0]
    failed = f"backend 'broken' failed: {type(error).__name__}: {text}"
    with pytest.raises(ValueError, match=r"^zeros: there is no device 'nowhere' here; ") as raised:
        corepy.zeros(1, device="nowhere")
    assert "'cpu'" in str(raised.value)
    assert "'sound'" in str(raised.value)
    assert failed in str(raised.value)
    with pytest.raises(ValueError, match=r"^zeros: there is no device 'broken:1' here ") as raised:
        corepy.array_api.zeros(1, device="broken:1")
    assert str(raised.value).count(failed) == 1
    assert raised.value.__cause__ is error


def test_devices_that_are_none_are_reported_later_too(registered):
    (backend,) = registered(Listed("odd"))
    backend.listed = ["odd:0", None]
    assert "cpu" in available_devices()
    with pytest.raises(ValueError, match=r"backend 'odd' failed: TypeError: .*'odd:0'"):
        corepy.zeros(1, device="odd:1")


def test_a_built_in_backend_that_cannot_be_imported_harms_no_other(monkeypatch):
    modules = {**registry._MODULES, "gone": ("corepy.backend.no_such_module", "backend")}
    monkeypatch.setattr(registry, "_MODULES", modules)
    assert "cpu" in available_devices()
    with pytest.raises(ValueError, match=r"'cpu'.*; backend 'gone' failed: ModuleNotFoundError"):
        corepy.zeros(1, device="nowhere")
    with pytest.raises(ValueError, match=r"no device 'gone' here \(backend 'gone' failed"):
        corepy.zeros(1, device="gone")


def test_unavailable_backends_are_named_in_the_error():
    # In a process of its own: there is no way to take a backend out of the registry again.
    code = """
import corepy
from corepy.backend import NamespaceBackend, available_devices, register_backend

def load():
    raise ImportError("must not be loaded")

register_backend("missing", NamespaceBackend("missing", load, "no_such_package"))
assert "missing" not in available_devices()
try:
    corepy.zeros(1, device="missing")
except ValueError as error:
    print(error)
"""
    printed = output_of(code)
    for words in ("'missing'", "no_such_package is not installed", "'cpu'"):
        assert words in printed


def test_corrections_are_functions():
    for name in ("numpy", "array_api_strict"):
        corrections = corrections_for(name)
        assert corrections
        assert all(callable(function) for function in corrections.values())
