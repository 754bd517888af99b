"""Places to compute: which there are, which to choose, and how to add one."""

from importlib import import_module
from typing import Any

from corepy._config import use_device
from corepy._cython.core import Backend, Device, NamespaceBackend
from corepy._cython.inference import infer, infer_layout
from corepy.backend import execution  # noqa: F401  (the core calls it)
from corepy.backend.registry import available_devices, get_backend, register_backend
from corepy.backend.selection import device, set_backend, set_backend_priority, tensor

#: Names of modules that are imported when one of them is first used.
_LATER = {
    "CPUBackend": "places",
    "CPUDevice": "places",
    "GPUBackend": "places",
    "GPUDevice": "places",
    "OperationProperties": "costs",
    "Rates": "costs",
    "ReferenceBackend": "places",
    "calibrate": "costs",
    "choose_backend": "costs",
    "select_backend": "costs",
}

__all__ = [
    "Backend",
    "CPUBackend",
    "CPUDevice",
    "Device",
    "GPUBackend",
    "GPUDevice",
    "NamespaceBackend",
    "OperationProperties",
    "Rates",
    "ReferenceBackend",
    "available_devices",
    "calibrate",
    "choose_backend",
    "device",
    "get_backend",
    "infer",
    "infer_layout",
    "register_backend",
    "select_backend",
    "set_backend",
    "set_backend_priority",
    "tensor",
    "use_device",
]


def __getattr__(name: str) -> Any:
    module = _LATER.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{module}"), name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
