"""The standard's namespace with another default device: ``corepy.namespace("cuda:0")``."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING, NoReturn, cast

import numpy as np

from corepy import array_api
from corepy._cython.core import Device, Tensor, as_device, creating_on, provide
from corepy.array_api.info import Info

if TYPE_CHECKING:
    from corepy.array_api._types import Namespace

#: Revisions of the standard that ``__array_namespace__(api_version=)`` accepts. Each contains the
#: ones before it, so the namespace is the same for all.
API_VERSIONS = ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12")

#: Functions that take their device from nothing but ``device=``, by the module that has them.
#: The others with a device (``zeros_like``, ``astype``, ``from_dlpack``, ...) follow their array.
_CREATE = {
    "corepy.array_api": (
        "arange",
        "asarray",
        "empty",
        "eye",
        "full",
        "linspace",
        "ones",
        "zeros",
    ),
    "corepy.array_api.fft": ("fftfreq", "rfftfreq"),
}

_namespaces: dict[Device, ModuleType] = {}


class DeviceNamespace(ModuleType):
    """A namespace of the standard that creates arrays on a device of its own.

    It has all that `corepy.array_api` has, which creates on the default device. Functions that
    create arrays from nothing have ``device=None`` stand for its device; all others run where their
    operands are.

    Parameters
    ----------
    module : module
        `corepy.array_api`, or the extension of it that the namespace is made from.
    device : Device
        The device.
    """

    fft: ModuleType
    __array_namespace_info__: Callable[[], Info]

    def __init__(self, module: ModuleType, device: Device):
        # The name is unique: array-api-compat takes namespaces of one name for the same one. It has
        # no brackets: tests of libraries use it in regular expressions.
        super().__init__(f"{module.__name__}.{device}", module.__doc__)
        self.__package__ = module.__package__
        self._module = module
        self._device = device
        create = _CREATE[module.__name__]
        for name in module.__all__:
            value = getattr(module, name)
            setattr(self, name, _on_device(value, device) if name in create else value)
        self.__all__ = list(module.__all__)
        for name in ("float16", "bfloat16", *array_api._BEYOND):
            if hasattr(module, name):
                setattr(self, name, getattr(module, name))
        # Called for names that are not there alone, as a module's `__getattr__` is.
        vars(self)["__getattr__"] = functools.partial(_find, self.__name__)

    def __repr__(self) -> str:
        return f"<namespace {self._module.__name__} on {str(self._device)!r}>"

    def __dir__(self) -> list[str]:
        return sorted(self.__all__)

    def __reduce__(self) -> tuple[Callable[..., ModuleType], tuple[str, str]]:
        return _load, (self._module.__name__, str(self._device))


def _find(module: str, name: str) -> NoReturn:
    """Raise AttributeError, which says where NumPy's function of the name is."""
    text = f"module {module!r} has no attribute {name!r}"
    original = None if name.startswith("_") else getattr(np, name, None)
    if original is None:
        raise AttributeError(text)
    same = "asarray" if name == "array" else None
    same = same or next(
        (own for own in array_api.__all__ if getattr(np, own, None) is original), None
    )
    if same is not None:
        raise AttributeError(f"{text}; the standard's name is {same!r}")
    raise AttributeError(f"{text}; `import corepy as np` has NumPy's names, as np.{name}")


def namespace(device: Device | str | None = None) -> Namespace:
    """Return the standard's namespace for a device.

    Parameters
    ----------
    device : Device or str, optional
        The device on which the namespace creates arrays; None is the default device, which can be
        changed (`corepy.use_device`, `corepy.set_backend`).

    Returns
    -------
    module
        `corepy.array_api` for None; for a device a namespace with the same contents, whose creation
        functions have that device as their default. There is one namespace for each device: asking
        again returns the same object.

    Raises
    ------
    ValueError
        If there is no such device; the message lists those that there are.

    Examples
    --------
    >>> import corepy
    >>> xp = corepy.namespace("reference")
    >>> xp.zeros(3).device
    Device('reference')
    """
    if device is None:
        return cast("Namespace", array_api)
    device = as_device(device, "namespace")
    found = _namespaces.get(device)
    if found is None:
        made = _make(array_api, device)
        # Of two threads that come here at once both get the namespace of the first.
        found = _namespaces.setdefault(device, made)
    return cast("Namespace", found)


def _make(api: ModuleType, device: Device) -> DeviceNamespace:
    """Make the namespace of a device out of `corepy.array_api`."""
    made = DeviceNamespace(api, device)
    made.fft = DeviceNamespace(api.fft, device)

    @functools.wraps(api.__array_namespace_info__)
    def __array_namespace_info__() -> Info:
        return Info(device)

    made.__array_namespace_info__ = __array_namespace_info__
    return made


def _load(module: str, device: str) -> ModuleType:
    """Unpickle a namespace, or an extension of one."""
    found = namespace(device)
    return found if module == "corepy.array_api" else getattr(found, module.rpartition(".")[2])


def _on_device(function: Callable[..., Tensor], default: Device) -> Callable[..., Tensor]:
    """Make `default` the device that a creation function uses when none is given.

    An array that is converted stays where it is, as the standard says.
    """
    made = creating_on(function, default, function.__name__ == "asarray")
    return functools.wraps(function)(made)


def of_tensor(device: Device, api_version: str | None) -> ModuleType:
    """Return the namespace of a tensor on a device, if the standard has that revision."""
    if api_version is not None and api_version not in API_VERSIONS:
        raise ValueError(
            f"__array_namespace__: api_version must be one of {', '.join(API_VERSIONS)}, "
            f"got {api_version!r}"
        )
    return namespace(device)


provide(namespace=of_tensor)
