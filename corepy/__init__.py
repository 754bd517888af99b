"""Corepy: one array type, one namespace, every device.

    import corepy.array_api as xp    the array API standard
    import corepy as np              its functions, which also take NumPy's arguments, with NumPy's
                                     other names

See `corepy.array_api` for the functions, `corepy.Tensor` for the array, `corepy.namespace` for
the functions on another device.
"""

# ruff: noqa: E402
from importlib import import_module as _import_module
from typing import Any

import numpy as _numpy

from corepy import _finder

_finder.enter()

from corepy import _environment, _watch, array_api, numpy
from corepy._cython.core import Device
from corepy.array_api import __array_api_version__, __array_namespace_info__  # noqa: F401

__version__ = "0.2.0rc1"

_environment.set_limits()
_watch.watch()

#: What is imported when it is first used: the names of modules, and modules themselves.
_LATER = {
    "_config": ("config", "get_config", "set_config", "use_device"),
    "_information": ("show_config",),
    "array_api._namespace": ("namespace",),
    "backend": (
        "available_devices",
        "device",
        "set_backend",
        "set_backend_priority",
        "tensor",
    ),
    "lazy": ("compute", "explain", "fuse", "persist"),
    "threads": ("get_num_threads", "set_num_threads"),
}
_MODULES = ("backend", "integrations", "lazy", "memory", "nn", "threads")

__all__ = [
    *numpy.NAMES,
    "Device",
    "array_api",
    "available_devices",
    "backend",
    "compute",
    "config",
    "device",
    "explain",
    "fuse",
    "get_config",
    "get_num_threads",
    "integrations",
    "lazy",
    "memory",
    "namespace",
    "nn",
    "persist",
    "set_backend",
    "set_backend_priority",
    "set_config",
    "set_num_threads",
    "tensor",
    "threads",
    "use_device",
]


def __getattr__(name: str) -> Any:
    module = next((module for module, names in _LATER.items() if name in names), None)
    if module is not None:
        value = getattr(_import_module(f"corepy.{module}"), name)
    elif name.startswith("__") and name != "__config__":
        raise AttributeError(f"module 'corepy' has no attribute {name!r}")
    elif name in _MODULES:
        value = _import_module(f"corepy.{name}")
    else:
        value = numpy.find(name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    modules = (name for name in _finder.OF_NUMPY if "." not in name)
    names = (name for name in dir(_numpy) if not name.startswith("__"))
    return sorted({*globals(), *__all__, *modules, *names})
