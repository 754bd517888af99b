"""Devices and backends by constructors: `CPUDevice`, `GPUBackend` and the like."""

from __future__ import annotations

from typing import Any

from corepy._cython.core import (
    Backend,
    Tensor,
    asarray,
    create,
    execute,
    named_operations,
)
from corepy.backend._nested import mapped
from corepy.backend.registry import find_device, get_backend, nearest


class _Registered(type):
    """The type of classes that stand for registered objects: their calls return those."""

    #: The names of the backends that a class stands for.
    names: tuple[str, ...]

    def __instancecheck__(cls, instance: Any) -> bool:
        backend = getattr(instance, "backend", None) if cls.of_devices else instance
        return isinstance(backend, Backend) and backend.name in cls.names

    @property
    def of_devices(cls) -> bool:
        return issubclass(cls, _DeviceOf)

    def __getattr__(cls, name: str) -> Any:
        """Return an operation of the standard, which takes lists and returns them; or an extension,
        which has such operations.
        """
        if name.startswith("_") or cls.of_devices:
            raise AttributeError(f"{cls.__name__} has no attribute {name!r}")
        if name in _EXTENSIONS:
            return _Extension(cls, name)
        return _operation(cls, name)


#: The standard's extensions, whose operations are called as ``ReferenceBackend.linalg.det``.
_EXTENSIONS = ("linalg", "fft")
#: Parameters that are lists of numbers, not arrays.
_NUMBERS = frozenset({"axes", "axis", "destination", "repetitions", "shape", "shift", "source"})
#: Operations on a sequence of arrays.
_JOINS = ("concat", "stack")


class _Extension:
    """The operations of an extension, on the backend of a class."""

    def __init__(self, cls: _Registered, name: str) -> None:
        self._cls, self._name = cls, name

    def __getattr__(self, name: str) -> Any:
        return _operation(self._cls, f"{self._name}.{name}")


def _operation(cls: _Registered, name: str) -> Any:
    """Return an operation of the standard on the backend of a class, over nested lists."""
    known = named_operations()
    if name not in known:
        raise AttributeError(
            f"{cls.__name__} has no attribute and no operation {name!r}{nearest(name, known)}"
        )
    names, keywords = known[name]

    def call(*inputs: Any, **params: Any) -> Any:
        device = cls().devices()[0]

        def argument(parameter: str, value: Any) -> Any:
            if name in _JOINS and parameter == "arrays" and isinstance(value, (tuple, list)):
                return [asarray(each, device=device) for each in value]
            is_array = isinstance(value, list) and parameter not in _NUMBERS
            return asarray(value, device=device) if is_array else value

        # The last parameter may stand for any number of arrays, as in `meshgrid`.
        given = [argument(names[min(i, len(names) - 1)], x) for i, x in enumerate(inputs)]
        named = {parameter: argument(parameter, x) for parameter, x in params.items()}
        if "device" in keywords:
            return _listed(create(name, device, tuple(given), named))
        if name not in _JOINS and not any(isinstance(x, (Tensor, list)) for x in given):
            given[:1] = [asarray(x, device=device) for x in given[:1]]
        return _listed(execute(name, tuple(given), named))

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"Compute `corepy.array_api.{name}` of nested lists, and return such lists."
    return call


def _listed(result: Any) -> Any:
    return mapped(lambda x: x.tolist(), result)


class _BackendOf(metaclass=_Registered):
    names: tuple[str, ...] = ()

    def __new__(cls) -> Any:
        if len(cls.names) == 1:
            return get_backend(cls.names[0])
        return find_device("gpu", cls.__name__).backend


class _DeviceOf(metaclass=_Registered):
    names: tuple[str, ...] = ()

    def __new__(cls, device_id: int = 0) -> Any:
        if isinstance(device_id, bool) or not isinstance(device_id, int):
            raise TypeError(
                f"{cls.__name__}: device_id must be an int, got {type(device_id).__name__}"
            )
        devices = [find_device("cpu")]
        if cls.names != ("cpu",):
            devices = find_device("gpu", cls.__name__).backend.devices()
        if not 0 <= device_id < len(devices):
            raise ValueError(
                f"{cls.__name__}: there is no device {device_id}; "
                f"available: {', '.join(str(device.index) for device in devices)}"
            )
        return devices[device_id]


_GPU_NAMES = ("cuda", "rocm", "torch", "opencl", "webgpu")


class CPUBackend(_BackendOf):
    """The backend of host memory: ``CPUBackend()`` returns it.

    Operations can be called on the class with nested lists: ``CPUBackend.add([1, 2], [3, 4])``.
    """

    names = ("cpu",)


class ReferenceBackend(_BackendOf):
    """The reference backend, array-api-strict: ``ReferenceBackend()`` returns it.

    Operations can be called on the class with nested lists.

    Examples
    --------
    >>> from corepy.backend import ReferenceBackend
    >>> ReferenceBackend.add([1, 2, 3], [4, 5, 6])
    [5, 7, 9]
    """

    names = ("reference",)


class GPUBackend(_BackendOf):
    """The backend of the first GPU there is; ValueError says what is missing where there is none.

    Operations can be called on the class with nested lists.
    """

    names = _GPU_NAMES


class CPUDevice(_DeviceOf):
    """The CPU: ``CPUDevice()`` returns its device.

    Parameters
    ----------
    device_id : int, optional
        0, as there is one.

    Raises
    ------
    ValueError
        Another number.
    """

    names = ("cpu",)


class GPUDevice(_DeviceOf):
    """A GPU: ``GPUDevice(1)`` returns the device of the second one.

    Parameters
    ----------
    device_id : int, optional
        The number of the GPU among those of its backend.

    Raises
    ------
    ValueError
        There is no such GPU, or none at all; the message says what is missing.
    """

    names = _GPU_NAMES
