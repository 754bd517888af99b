"""Which backends there are, which of them work here, and what the others need."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import TextIO

from corepy._cython.core import Device
from corepy.backend import registry
from corepy.backend.machine import DeviceProperties, cpu_properties, probe_gpus
from corepy.backend.selection import in_host_memory

#: Backends of libraries, registered or not: the module that they need, and how to install it.
LIBRARIES = {
    "reference": ("array_api_strict", "pip install 'corepy[reference]'"),
    "metal": ("torch", "pip install 'corepy[torch]'"),
    "torch": ("torch", "pip install 'corepy[torch]'"),
    "dask": ("dask.array", "pip install 'dask[array]'"),
}

#: The best backends first; others follow in the order of the registry.
ORDER = ("cuda", "rocm", "metal", "opencl", "webgpu", "cpu")


@dataclass(frozen=True)
class BackendInfo:
    """A backend, and whether it works on this machine.

    Attributes
    ----------
    name : str
        Its name.
    available : bool
        Whether it can be used here.
    devices : tuple of DeviceProperties
        Its devices, if it is available.
    error : str or None
        What is missing and how to install it, or how the backend failed; None if it is available.
    """

    name: str
    available: bool
    devices: tuple[DeviceProperties, ...]
    error: str | None


def discover_backends() -> list[BackendInfo]:
    """Return all backends: those that are registered, and those whose libraries are missing.

    Each backend is asked whether it can be used, which imports its library if that is installed
    (CuPy or PyTorch, for example) and may start the driver. See `detect_devices` for the hardware
    alone.

    Returns
    -------
    list of BackendInfo
        In the order of the registry. A backend that raises an error is listed with it.

    Examples
    --------
    >>> from corepy.backend import discover_backends
    >>> [info.name for info in discover_backends() if info.available][0]
    'cpu'
    """
    gpus, errors = probe_gpus()
    names = dict.fromkeys([*registry.backend_names(), *LIBRARIES])
    return [_probe(name, gpus, errors) for name in names]


def best_available_backend() -> str:
    """Return the name of the best backend of this machine.

    Returns
    -------
    str
        The first that is available of CUDA, ROCm, Metal, OpenCL, WebGPU and the CPU.

    Examples
    --------
    >>> from corepy.backend import best_available_backend, discover_backends
    >>> best_available_backend() in [info.name for info in discover_backends() if info.available]
    True
    """
    available = {info.name for info in discover_backends() if info.available}
    return next(name for name in ORDER if name in available)


def print_backend_summary(file: TextIO | None = None) -> None:
    """Print the backends with a check or a cross, their devices, and what is missing.

    Parameters
    ----------
    file : text file, optional
        By default the standard output.
    """
    file = sys.stdout if file is None else file
    for line in summary(getattr(file, "encoding", None) or "utf-8"):
        print(line, file=file)


def summary(encoding: str) -> Iterator[str]:
    """Yield the lines of `print_backend_summary` for an encoding."""
    yes, no = "✓", "✗"
    try:
        (yes + no).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        yes, no = "+", "-"
    backends = discover_backends()
    width = max(len(info.name) for info in backends)
    for info in sorted(backends, key=lambda info: not info.available):
        mark = yes if info.available else no
        lines = [described(device) for device in info.devices] if info.available else [info.error]
        for number, line in enumerate(lines or ["no devices"]):
            lead = f"{mark} {info.name:{width}}" if number == 0 else " " * (width + 2)
            text = f"{lead}  {line}"
            yield text.encode(encoding, "replace").decode(encoding) if encoding else text


def described(device: DeviceProperties) -> str:
    """Return a device's name and memory in one line."""
    words = [device.name]
    if device.total_memory is not None:
        memory = f"{device.total_memory / 1e9:.1f} GB"
        if device.free_memory is not None:
            memory += f", {device.free_memory / 1e9:.1f} GB free"
        if device.unified_memory and device.backend != "cpu":
            memory += ", shared with the CPU"
        words.append(f"({memory})")
    if device.compute_capability is not None:
        words.append("compute capability " + ".".join(map(str, device.compute_capability)))
    return " ".join(words)


def missing(name: str) -> str:
    """Return what the library of a backend needs; empty if it is installed."""
    if name not in LIBRARIES:
        return (
            f"Corepy has no backend {name!r}; a package can add one "
            "(entry point group 'corepy.backends')"
        )
    module, install = LIBRARIES[name]
    if name == "metal" and sys.platform != "darwin":
        return "Metal is a part of macOS, and this is another system"
    package = module.partition(".")[0].replace("_", "-")
    try:
        found = find_spec(module) is not None
    except ImportError:  # the package that the module is in
        found = False
    return "" if found else f"{package} is not installed: {install}"


def _probe(name: str, gpus: list[DeviceProperties], errors: dict[str, str]) -> BackendInfo:
    """Return what a backend says of itself."""
    if name not in registry.backend_names():
        return _alias(name, gpus) if name == "metal" else _unregistered(name)
    try:
        backend = registry.get_backend(name)
        if not backend.is_available():
            library = missing(name) if name in LIBRARIES else ""
            reason = library or backend.missing() or "it says that it is not available"
            if name in errors:
                reason += f" (its devices cannot be listed: {errors[name]})"
            return BackendInfo(name, False, (), reason)
        devices = [_properties(device, gpus) for device in backend.devices()]
    except Exception as error:  # any: it is reported, and other backends work without this one
        reason = f"{type(error).__name__}: {error}".partition("\n")[0]
        return BackendInfo(name, False, (), f"the backend failed: {reason}")
    return BackendInfo(name, True, tuple(devices), None)


def _unregistered(name: str) -> BackendInfo:
    reason = missing(name) or f"its library is installed, but no backend {name!r} is registered"
    return BackendInfo(name, False, (), reason)


def _alias(name: str, gpus: list[DeviceProperties]) -> BackendInfo:
    """Return Metal's devices, which PyTorch's backend computes on."""
    if reason := missing(name):
        return BackendInfo(name, False, (), reason)
    if "torch" not in registry.backend_names():
        return _unregistered(name)
    probed = _probe("torch", [], {})
    devices = tuple(gpu for gpu in gpus if gpu.backend == "metal")
    if not probed.available:
        return BackendInfo(name, False, (), probed.error)
    if not any(device.name == "torch:mps" for device in probed.devices):
        return BackendInfo(name, False, (), "PyTorch does not find a device for Metal")
    return BackendInfo(name, True, devices, None)


def _properties(device: Device, gpus: list[DeviceProperties]) -> DeviceProperties:
    """Return the properties of a device: those of the hardware whose memory it has, if known."""
    name = str(device)
    if name == "cpu":
        return cpu_properties()
    family, _, rest = name.partition(":")
    for gpu in gpus:
        if name == f"{gpu.backend}:{gpu.index}":
            return gpu
        # Another library's name of the same GPU, as torch:cuda:0 and torch:mps.
        if rest == f"{gpu.backend}:{gpu.index}" or (rest, gpu.backend) == ("mps", "metal"):
            return replace(gpu, name=name, backend=family)
    if in_host_memory(device):
        return replace(cpu_properties(), name=name, backend=family)
    index = rest.rpartition(":")[2]
    return DeviceProperties(
        index=int(index) if index.isdigit() else 0,
        name=name,
        total_memory=None,
        free_memory=None,
        compute_capability=None,
        unified_memory=False,
        backend=family,
    )
