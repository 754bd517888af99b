"""The registry: from names to backends and devices.

A built-in backend is listed here by module and name, and imported when one of its devices is first
used; so are those of installed packages with an entry point in the group ``corepy.backends``. A
failure in one backend does not affect the others: its devices are then not available, and the error
message gives the reason.
"""

from __future__ import annotations

import functools
import importlib.util
import sys
from collections.abc import Callable, Iterable
from importlib import import_module
from threading import RLock
from typing import Any, NamedTuple

from corepy._cython.core import Backend, Device, cpu, name_backend, provide

#: Name of a backend -> its module, and its name there.
_MODULES: dict[str, tuple[str, str]] = {
    "reference": ("corepy.backend.reference", "backend"),
    "cuda": ("corepy._gpu.platforms", "cuda"),
    "rocm": ("corepy._gpu.platforms", "rocm"),
    "torch": ("corepy.backend.torch", "backend"),
    "dask": ("corepy.backend.dask", "backend"),
    "opencl": ("corepy.backend.kernels.backend", "opencl"),
    "webgpu": ("corepy.backend.kernels.backend", "webgpu"),
}

#: Other names of devices. "gpu" is the first of `GPUS` that is available.
_ALIASES = {
    "cuda": "cuda:0",
    "rocm": "rocm:0",
    "metal": "torch:mps",
    "opencl": "opencl:0",
    "webgpu": "webgpu:0",
}

#: The libraries of backends, which the extra of the same name installs.
_LIBRARIES = {
    "reference": "array_api_strict",
    "torch": "torch",
    "dask": "dask",
    "opencl": "pyopencl",
    "webgpu": "wgpu",
}

#: The backends of GPUs in the order in which they are tried.
GPUS = ("cuda", "rocm", "metal", "opencl", "webgpu")

#: The group of entry points by which installed packages offer backends.
ENTRY_POINTS = "corepy.backends"

_loaded: dict[str, Backend] = {"cpu": cpu}

#: Held while a backend is imported or registered, so that there is one of each name.
_lock = RLock()


def backend_names() -> list[str]:
    """Return the names of all backends, available here or not."""
    # One that another thread loads meanwhile is in the second dict, at least.
    return list(dict.fromkeys([*_loaded, *_MODULES, *_installed()]))


@functools.cache
def _installed() -> dict[str, Any]:
    """Return the entry points of installed packages, by the names of their backends."""
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=ENTRY_POINTS)}


def register_backend(name: str, backend: Backend) -> None:
    """Add a backend under a name.

    Parameters
    ----------
    name : str
        The name of the backend, and of its devices: ``name`` or ``name:...``.
    backend : Backend
        From now on its devices are found by name. They are listed once, if the backend is
        available, so that a backend that cannot list them fails here.

    Raises
    ------
    TypeError
        `name` is not a string, or `backend` is not a `Backend`, or ``backend.devices()`` does not
        return devices of its own.
    ValueError
        The name is empty, has whitespace or a colon in it, or is taken, or is not the one that the
        backend has already; or a device is not called ``name`` or ``name:...``, so that it would
        not be found.
    """
    if not isinstance(name, str):
        raise TypeError(
            f"register_backend: the name of a backend must be a string, got {type(name).__name__}"
        )
    if not isinstance(backend, Backend):
        kind = backend.__name__ + ", a class" if isinstance(backend, type) else repr(backend)
        raise TypeError(f"register_backend: expected a Backend, got {kind}")
    if not name or ":" in name or any(map(str.isspace, name)):
        raise ValueError(
            "register_backend: the name of a backend must not be empty, and have no colon and no "
            f"whitespace, got {name!r}"
        )
    with _lock:
        if name in backend_names() or name in _ALIASES or name in ("gpu", "auto"):
            raise ValueError(f"register_backend: there is a backend named {name!r} already")
        name_backend(backend, name)
        if backend.name != name:
            raise ValueError(
                f"register_backend: the backend is named {backend.name!r} already, got {name!r}"
            )
        devices = _devices_of(backend, "register_backend") if backend.is_available() else []
        _loaded[name] = backend
        _devices.update((str(device), device) for device in devices)


def get_backend(name: str) -> Backend:
    """Return the backend of that name, importing it at first use.

    Raises
    ------
    ValueError
        There is no such backend; the message lists those there are.
    """
    if name not in _loaded:
        if name not in _MODULES and name not in _installed():
            raise ValueError(
                f"get_backend: there is no backend {name!r}{nearest(name, backend_names())}; "
                f"available: {', '.join(map(repr, backend_names()))}"
            )
        with _lock:
            if name not in _loaded:
                _loaded[name] = _load(name)
    return _loaded[name]


def _load(name: str) -> Backend:
    """Import a backend of Corepy's or of an installed package."""
    if name in _MODULES:
        module, attribute = _MODULES[name]
        return getattr(import_module(module), attribute)
    found = _installed()[name].load()
    backend = found if isinstance(found, Backend) else found()
    if not isinstance(backend, Backend):
        raise TypeError(f"entry point {name!r} must give a Backend, got {type(backend).__name__}")
    name_backend(backend, name)
    return backend


def nearest(name: str, known: Iterable[str]) -> str:
    """Return the part of an error that names the known name nearest to a wrong one, or nothing."""
    import difflib  # only for an error

    found = difflib.get_close_matches(name, list(known), 1)
    return f", did you mean {found[0]!r}?" if found else ""


def available_devices() -> list[Device]:
    """Return the devices that can be used on this machine, the default one first.

    A backend that fails to list its devices has none.
    """
    return [device for name in backend_names() for device in probe(name).devices]


_devices: dict[str, Device] = {str(device): device for device in cpu.devices()}


def find_device(name: str, function: str = "find_device") -> Device:
    """Return the device of that name.

    A remote backend is asked each time whether it can be reached, so that nothing is sent to one
    that cannot.

    Parameters
    ----------
    name : str
        The device's name.
    function : str, optional
        The function that was given the name, for the error.

    Raises
    ------
    ValueError
        There is no such device here; the message lists the existing ones, missing requirements of
        the backend of that name, and backends that failed.
    """
    found = _devices.get(name)
    if found is not None and not found.backend.remote:
        return found
    if name == "auto":
        return _devices.setdefault(name, import_module("corepy.backend.automatic").AUTOMATIC)
    if name == "gpu":
        gpu, reasons = find_gpu()
        if gpu is None:
            raise ValueError(f"{function}: there is no GPU here ({'; '.join(reasons)})")
        return gpu
    if name in _ALIASES:
        return find_device(_ALIASES[name], function)
    family = name.partition(":")[0]
    missing, cause = "", None
    if family in backend_names():
        devices, missing, cause = probe(family)
        _devices.update((str(device), device) for device in devices)
        for device in devices:
            if str(device) == name:
                return device
    if name == _ALIASES["metal"]:
        missing = probe("metal").missing
    known, failed = [], []
    for backend in backend_names():
        devices, _, error = probe(backend)
        known += [str(device) for device in devices]
        if error is not None and backend != family:
            failed.append(f"; backend {backend!r} failed: {described(error)}")
    reason = f" ({missing})" if missing else nearest(name, known)
    raise ValueError(
        f"{function}: there is no device {name!r} here{reason}; "
        f"available: {', '.join(map(repr, known))}{''.join(failed)}"
    ) from cause


def find_gpu() -> tuple[Device | None, list[str]]:
    """Return the first GPU that is available, or what the backends of GPUs lack."""
    reasons = []
    for name in GPUS:
        known = _devices.get(_ALIASES[name])
        if known is not None and known.backend.chosen_automatically(known):
            return known, []
        found, missing = automatic_devices(name)
        if found:
            return find_device(str(found[0])), []
        reasons.append(f"{name}: {missing}")
    return None, reasons


def automatic_devices(name: str) -> tuple[list[Device], str]:
    """Return the devices of a backend that may be chosen unnamed, or why there are none."""
    devices, missing, _ = probe(name)
    found = [device for device in devices if device.backend.chosen_automatically(device)]
    return found, missing or ("its devices compute on the processor" if devices else "no devices")


class Probe(NamedTuple):
    """The usable devices of a backend, or the reason why there are none, and its error."""

    devices: list[Device]
    missing: str = ""
    error: Exception | None = None


def probe(name: str) -> Probe:
    """Return what a backend says of itself; Metal is a device of PyTorch's."""
    if name == "metal":
        found = probe("torch")
        devices = [device for device in found.devices if str(device) == _ALIASES["metal"]]
        absent = "" if devices else "PyTorch does not find a device for Metal"
        return Probe(devices, missing("metal") or found.missing or absent, found.error)
    try:
        backend = get_backend(name)
        if backend.is_available():
            return Probe(_devices_of(backend, "devices"))
        return Probe([], backend.missing() or "the backend says that it is not available")
    except Exception as error:  # any: other backends work without this one
        return Probe([], f"backend {name!r} failed: {described(error)}", error)


def missing(name: str) -> str:
    """Return what the library of a backend needs; empty if it is installed."""
    if name == "metal":
        if sys.platform != "darwin":
            return "Metal is a part of macOS, and this is another system"
        name = "torch"
    if name not in _LIBRARIES:
        return (
            f"Corepy has no backend {name!r}; a package can add one "
            f"(entry point group {ENTRY_POINTS!r})"
        )
    library = _LIBRARIES[name]
    if importlib.util.find_spec(library) is not None:
        return ""
    return f"{library.replace('_', '-')} is not installed: pip install 'corepy[{name}]'"


def _devices_of(backend: Backend, function: str) -> list[Device]:
    """Return the devices that a backend lists, all of which can be found by name."""
    devices = list(backend.devices())
    for device in devices:
        if not isinstance(device, Device) or device.backend is not backend:
            raise TypeError(
                f"{function}: {backend!r}.devices() must return its own Device objects, "
                f"got {device!r}"
            )
        if str(device).partition(":")[0] != backend.name:
            raise ValueError(
                f"{function}: devices of {backend!r} must be called {backend.name!r} or "
                f"'{backend.name}:...', got {str(device)!r}"
            )
    return devices


def described(error: Exception) -> str:
    """Return an error in one line."""
    return f"{type(error).__name__}: {error}".partition("\n")[0]


def corrections_for(library: str) -> dict[str, Callable[..., Any]]:
    """Return the corrections of a library; see `corepy.backend.corrections`."""
    from corepy.backend import corrections

    return corrections.corrections_for(library)


provide(find_device=find_device, corrections_for=corrections_for)
