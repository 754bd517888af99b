"""Which backends there are, which of them work here, and what the others need."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TextIO

from corepy._cython.core import Device
from corepy._cython.lazy.buffers import BufferBackend
from corepy.backend import registry
from corepy.backend.machine import DeviceProperties, cpu_properties, probe_gpus
from corepy.backend.selection import in_host_memory


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
    return [_info(name, gpus, errors) for name in [*registry.backend_names(), "metal"]]


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


def _info(name: str, gpus: list[DeviceProperties], errors: dict[str, str]) -> BackendInfo:
    """Return what a backend says of itself."""
    devices, missing, error = registry.probe(name)
    if error is not None:
        missing = f"the backend failed: {registry.described(error)}"
    elif missing and name in errors:
        missing += f" (its devices cannot be listed: {errors[name]})"
    if missing:
        return BackendInfo(name, False, (), missing)
    if name == "metal":  # the hardware; PyTorch has another name for it
        return BackendInfo(name, True, tuple(gpu for gpu in gpus if gpu.backend == name), None)
    return BackendInfo(name, True, tuple(_properties(device, gpus) for device in devices), None)


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
    if isinstance(device.backend, BufferBackend):
        return device.backend.properties(device)
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
