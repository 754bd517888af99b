"""Corepy: one array type, one namespace, every device.

    import corepy.array_api as xp    the array API standard
    import corepy as np              its functions, which also take NumPy's arguments, with NumPy's
                                     other names

See `corepy.array_api` for the functions, `corepy.Tensor` for the array, `corepy.namespace` for
the functions on another device.
"""

from importlib import import_module as _import_module
from typing import Any

import numpy as _numpy

from corepy import _format, array_api, backend, integrations, lazy, memory, numpy, threads  # noqa: F401
from corepy._config import config, get_config, set_config
from corepy._cython.core import Device
from corepy.array_api import *  # noqa: F403
from corepy.array_api._namespace import namespace
from corepy.backend import (
    available_devices,
    device,
    set_backend,
    set_backend_priority,
    tensor,
    use_device,
)
from corepy.lazy import compute, explain, fuse, persist
from corepy.threads import get_num_threads, set_num_threads

__version__ = "0.2.0rc1"

globals().update(numpy.first_names())
vars(array_api).update(array_api._extras.extras(numpy.find_for_tensors))
integrations.watch()

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
    "nn",  # noqa: F405
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
    if name.startswith("__") and name != "__config__":
        raise AttributeError(f"module 'corepy' has no attribute {name!r}")
    if name == "nn":  # imported when it is first used
        return _import_module("corepy.nn")
    if name == "show_config":
        return _import_module("corepy._information").show_config
    if name == "bfloat16":
        return array_api.bfloat16
    value = numpy.find(name)
    if "." not in name:  # paths as "linalg.svd" are found, but are no names
        globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(
        {*globals(), *__all__, *(name for name in dir(_numpy) if not name.startswith("__"))}
    )
