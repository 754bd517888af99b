"""The registry: from names to backends and devices.

A built-in backend is listed here by module and name, and imported when one of its devices is first
used. A failure in one backend does not affect the others: its devices are then not available, and
the error message gives the reason.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from threading import RLock
from typing import TYPE_CHECKING, Any

from corepy._cython.core import Backend, Device, cpu, provide

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Name of a backend -> its module, and its name there.
_MODULES: dict[str, tuple[str, str]] = {
    "reference": ("corepy.backend.reference", "backend"),
    "cuda": ("corepy._gpu.platforms", "cuda"),
    "rocm": ("corepy._gpu.platforms", "rocm"),
}

#: DLPack's kinds of memory (kDLCUDA, kDLROCM, kDLCUDAManaged) -> the backend that reads it.
_READERS = {2: "cuda", 10: "rocm", 13: "cuda"}

_loaded: dict[str, Backend] = {"cpu": cpu}

#: Held while a backend is imported or registered, so that there is one of each name.
_lock = RLock()


def backend_names() -> list[str]:
    """Return the names of all backends, available here or not."""
    # One that another thread loads meanwhile is in the second dict, at least.
    return list(dict.fromkeys([*_loaded, *_MODULES]))


def register(backend: Backend) -> None:
    """Add a backend under its name.

    Parameters
    ----------
    backend : Backend
        From now on its devices are found by name. They are listed once, if the backend is
        available, so that a backend that cannot list them fails here.

    Raises
    ------
    TypeError
        `backend` is not a `Backend`, or its name is not a string, or ``backend.devices()`` does
        not return devices of its own.
    ValueError
        The name is empty, has whitespace or a colon in it, or is taken; or a device is not called
        ``name`` or ``name:...``, so that it would not be found.
    """
    if not isinstance(backend, Backend):
        raise TypeError(f"register: expected a Backend, got {type(backend).__name__}")
    name = backend.name
    if not isinstance(name, str):
        raise TypeError(
            f"register: the name of a backend must be a string, got {name!r}; "
            "pass it to Backend.__init__"
        )
    if not name or ":" in name or any(map(str.isspace, name)):
        raise ValueError(
            "register: the name of a backend must not be empty, and have no colon and no "
            f"whitespace, got {name!r}"
        )
    devices = _devices_of(backend, "register") if backend.is_available() else []
    with _lock:
        if name in backend_names():
            raise ValueError(f"register: there is a backend named {name!r} already")
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
        if name not in _MODULES:
            raise ValueError(
                f"get_backend: there is no backend {name!r}; "
                f"available: {', '.join(map(repr, backend_names()))}"
            )
        with _lock:
            if name not in _loaded:
                module, attribute = _MODULES[name]
                _loaded[name] = getattr(import_module(module), attribute)
    return _loaded[name]


def available_devices() -> list[Device]:
    """Return the devices that can be used on this machine, the default one first.

    A backend that fails to list its devices has none.
    """
    return [device for _, devices, _ in _probes() for device in devices]


_devices: dict[str, Device] = {str(device): device for device in cpu.devices()}


def find_device(name: str, function: str = "find_device") -> Device:
    """Return the device of that name.

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
    if name in _devices:
        return _devices[name]
    family = name.partition(":")[0]
    missing, cause = "", None
    if family in backend_names():
        devices, missing, cause = _probe(family)
        _devices.update((str(device), device) for device in devices)
        if name in _devices:
            return _devices[name]
    known, failed = [], []
    for backend, devices, error in _probes():
        known += [repr(str(device)) for device in devices]
        if error is not None and backend != family:
            failed.append(f"; backend {backend!r} failed: {_described(error)}")
    reason = f" ({missing})" if missing else ""
    raise ValueError(
        f"{function}: there is no device {name!r} here{reason}; "
        f"available: {', '.join(known)}{''.join(failed)}"
    ) from cause


def find_reader(kind: int, function: str) -> Device | None:
    """Return a device that reads memory of a kind (DLPack's number); None: host memory.

    Raises
    ------
    ValueError
        There is no such device here.
    """
    name = _READERS.get(kind)
    return None if name is None else find_device(f"{name}:0", function)


def _probes() -> Iterator[tuple[str, list[Device], Exception | None]]:
    """Yield each backend's name, its usable devices, and an error."""
    for name in backend_names():
        devices, _, error = _probe(name)
        yield name, devices, error


def _probe(name: str) -> tuple[list[Device], str, Exception | None]:
    """Return a backend's usable devices, or the reason why there are none, and an error."""
    try:
        backend = get_backend(name)
        if backend.is_available():
            return _devices_of(backend, "devices"), "", None
        return [], backend.missing(), None
    except Exception as error:  # any: other backends work without this one
        return [], f"backend {name!r} failed: {_described(error)}", error


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


def _described(error: Exception) -> str:
    """Return an error in one line."""
    return f"{type(error).__name__}: {error}".partition("\n")[0]


def _cpu_corrections() -> dict[str, Callable[..., Any]]:
    from corepy.backend.corrections import corrections_for

    return corrections_for("numpy")


provide(find_device=find_device, find_reader=find_reader, cpu_corrections=_cpu_corrections)
