"""Backends: the contract, the registry, and the backends written in Python."""

from corepy._cython.core import Backend, Device, NamespaceBackend
from corepy._cython.inference import infer, infer_layout
from corepy.backend.registry import available_devices, get_backend, register

__all__ = [
    "Backend",
    "Device",
    "NamespaceBackend",
    "available_devices",
    "get_backend",
    "infer",
    "infer_layout",
    "register",
]


def __dir__() -> list[str]:
    return sorted(__all__)
