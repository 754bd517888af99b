"""Places to compute: which there are, which to choose, and how to add one."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from corepy._config import use_device
from corepy._cython.core import Backend, Device, NamespaceBackend
from corepy.backend.registry import available_devices, get_backend, register_backend
from corepy.backend.selection import device, set_backend, set_backend_priority, tensor

if TYPE_CHECKING:
    from corepy._cython.inference import infer, infer_layout
    from corepy.backend.choosing import (
        BackendPreference,
        CPUBackend,
        CPUDevice,
        GPUBackend,
        GPUDevice,
        MemoryEstimate,
        ReferenceBackend,
        best_available_backend,
        choose_backend,
        estimate_inference_memory,
        init_backend,
        select_backend,
    )
    from corepy.backend.costs import OperationProperties, Rates, calibrate
    from corepy.backend.discovery import BackendInfo, discover_backends, print_backend_summary
    from corepy.backend.machine import DeviceInfo, DeviceProperties, detect_devices

__all__ = [
    "Backend",
    "BackendInfo",
    "BackendPreference",
    "CPUBackend",
    "CPUDevice",
    "Device",
    "DeviceInfo",
    "DeviceProperties",
    "GPUBackend",
    "GPUDevice",
    "MemoryEstimate",
    "NamespaceBackend",
    "OperationProperties",
    "Rates",
    "ReferenceBackend",
    "available_devices",
    "best_available_backend",
    "calibrate",
    "choose_backend",
    "detect_devices",
    "device",
    "discover_backends",
    "estimate_inference_memory",
    "get_backend",
    "infer",
    "infer_layout",
    "init_backend",
    "print_backend_summary",
    "register_backend",
    "select_backend",
    "set_backend",
    "set_backend_priority",
    "tensor",
    "use_device",
]

#: The modules of the other names, which are imported when one of these is first used, so that
#: `import corepy` is not slower for them.
_LATER = (
    "corepy.backend.machine",
    "corepy.backend.discovery",
    "corepy.backend.costs",
    "corepy.backend.choosing",
    "corepy._cython.inference",
)


def __getattr__(name: str) -> Any:
    if name in __all__:
        for module in _LATER:
            found = vars(import_module(module))
            if name in found:
                return globals().setdefault(name, found[name])
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
