"""Which backends there are, and the way from a name to a device.

A backend is named here and loaded when one of its devices is first asked for: where it is made
is written as module and name.
"""

from __future__ import annotations

from importlib import import_module
from threading import RLock
from typing import TYPE_CHECKING

from corepy._cython.core import cpu, install_registry

if TYPE_CHECKING:
    from corepy._cython.core import Backend, Device

#: Name of a backend -> the module that makes it, and what it is called there.
_MODULES: dict[str, tuple[str, str]] = {
    "reference": ("corepy.backend.reference", "backend"),
    "cuda": ("corepy._gpu.backend", "cuda"),
    "rocm": ("corepy._gpu.backend", "rocm"),
}

_loaded: dict[str, Backend] = {"cpu": cpu}

#: Held while a backend is loaded, so that each is made once.
_loading = RLock()


def backend_names() -> list[str]:
    """Return the names of all backends, available here or not."""
    return [*_loaded, *(name for name in _MODULES if name not in _loaded)]


def register(backend: Backend) -> None:
    """Add a backend under its own name.

    Parameters
    ----------
    backend : Backend
        From now on its devices are found by name.

    Raises
    ------
    ValueError
        There is a backend of that name.
    """
    if backend.name in backend_names():
        raise ValueError(f"register: there is a backend named {backend.name!r} already")
    _loaded[backend.name] = backend


def get_backend(name: str) -> Backend:
    """Return the backend of that name, loading it at first use.

    Raises
    ------
    ValueError
        There is no such backend; the message lists those there are.
    """
    if name not in _loaded:
        if name not in _MODULES:
            raise ValueError(
                f"backend: there is no {name!r}; there are {', '.join(backend_names())}"
            )
        with _loading:
            if name not in _loaded:
                module, attribute = _MODULES[name]
                _loaded[name] = getattr(import_module(module), attribute)
    return _loaded[name]


def available_devices() -> list[Device]:
    """Return the devices that can be used on this machine, the default one first."""
    backends = (get_backend(name) for name in backend_names())
    return [
        device for backend in backends if backend.is_available() for device in backend.devices()
    ]


_devices: dict[str, Device] = {str(device): device for device in cpu.devices()}


def find_device(name: str) -> Device:
    """Return the device of that name.

    Raises
    ------
    ValueError
        There is no such device here; the message lists those there are.
    """
    if name in _devices:
        return _devices[name]
    family = name.partition(":")[0]
    missing = ""
    if family in backend_names():
        backend = get_backend(family)
        lack = backend.missing()
        if lack:
            missing = f" ({lack})"
        elif backend.is_available():
            _devices.update((str(device), device) for device in backend.devices())
    if name not in _devices:
        known = ", ".join(repr(str(device)) for device in available_devices())
        raise ValueError(f"device: there is no {name!r} here{missing}; available: {known}")
    return _devices[name]


install_registry(find_device)
