"""Where new arrays land, and the order in which backends are asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from corepy._config import set_default_device
from corepy._cython.core import Backend, Device, Tensor, as_device, asarray
from corepy.backend.registry import backend_names, find_device, nearest, probe

#: The backends that are asked for operations that another lacks, if no order has been set. GPUs
#: are not among them: the memory of a process that fell back to one could not be foreseen.
_DEFAULT_PRIORITY = ("cpu", "reference")

#: Names that stand for one of several backends, or for a device of another one.
_SHORT = ("gpu", "metal", "auto")

#: DLPack's number of host memory.
_HOST = 1

_priority: tuple[str, ...] | None = None


def device(name: Device | str | None = None) -> Device:
    """Return the device of that name.

    Parameters
    ----------
    name : str or Device, optional
        The name, as ``"cpu"``, ``"cuda:0"``, or ``"gpu"`` for the first GPU there is; None is the
        device on which new arrays are created.

    Raises
    ------
    ValueError
        There is no such device here; the message lists those that there are, and says what is
        missing.

    Examples
    --------
    >>> import corepy
    >>> corepy.device("cpu")
    Device('cpu')
    """
    return as_device(name, "device")


def tensor(data: Any, *, dtype: Any = None, device: Device | str | None = None) -> Tensor:
    """Return a new tensor with the elements of `data`; see `corepy.array_api.asarray`.

    Parameters
    ----------
    data : array_like
        Anything that `asarray` takes. Its elements are copied.
    dtype : dtype, optional
        The dtype of the result.
    device : Device or str, optional
        Where the result is; None is the device of `data` if that is a tensor, else the device on
        which new arrays are created.

    Examples
    --------
    >>> import corepy
    >>> corepy.tensor([1, 2, 3], dtype="float32")
    Tensor([1., 2., 3.], dtype=float32)
    """
    return asarray(data, dtype, device, True, "tensor")


def set_backend(name: str) -> Backend:
    """Set the backend, or the device, on which the process creates new arrays.

    Parameters
    ----------
    name : str
        The name of a backend, whose first device is meant, or of a device. ``"auto"`` chooses one
        for each array by its size.

    Returns
    -------
    Backend
        The backend.

    Raises
    ------
    ValueError
        There is no such backend, or it has no device here. Nothing is changed then.

    See Also
    --------
    corepy.use_device : The same for the length of a ``with`` block, in one context.

    Examples
    --------
    >>> import corepy
    >>> corepy.set_backend("cpu")
    <CpuBackend 'cpu'>
    """
    found = device_named("set_backend", name)
    set_default_device(found)
    return found.backend


def set_backend_priority(names: Sequence[str]) -> Backend:
    """Set the order in which backends are chosen.

    The first one that is available becomes the default (`set_backend`). An operation that a backend
    lacks is computed by the first of the others in the list that has it.

    Parameters
    ----------
    names : sequence of str
        Names of backends or devices, ``"gpu"`` for the first GPU there is.

    Returns
    -------
    Backend
        The first one of them that is available here.

    Raises
    ------
    ValueError
        There is no backend of one of these names, or none of them is available.

    Examples
    --------
    >>> import corepy
    >>> corepy.set_backend_priority(["gpu", "cpu", "reference"])
    <CpuBackend 'cpu'>
    """
    global _priority
    if isinstance(names, str):
        raise TypeError(f"set_backend_priority: expected a list of names, got {names!r}")
    names = tuple(names)
    reasons = []
    chosen = None
    if not names:
        raise ValueError("set_backend_priority: expected at least one name, got none")
    known = [*backend_names(), *_SHORT]
    for name in names:
        if not isinstance(name, str):
            raise TypeError(
                "set_backend_priority: expected names of backends, "
                f"got {type(name).__name__} among them"
            )
        if name.partition(":")[0] not in known:
            raise ValueError(
                f"set_backend_priority: there is no backend {name!r}{nearest(name, known)}; "
                f"available: {', '.join(map(repr, known))}"
            )
        try:
            chosen = chosen or device_named("set_backend_priority", name)
        except ValueError as error:
            reasons.append(str(error).partition("; available")[0])
    if chosen is None:
        raise ValueError(
            "set_backend_priority: none of these backends is available: "
            f"{', '.join(map(repr, names))} ({'; '.join(reasons)})"
        )
    _priority = names
    set_default_device(chosen)
    return chosen.backend


def device_named(function: str, name: Any) -> Device:
    """Return the device of a name, or the first device of the backend of that name."""
    if not isinstance(name, str):
        raise TypeError(f"{function}: expected the name of a backend, got {type(name).__name__}")
    if name in backend_names():
        devices = probe(name).devices
        if devices:
            name = str(devices[0])
    return find_device(name, function)


def in_host_memory(device: Device) -> bool:
    """Return whether the tensors of a device are known to be in host memory."""
    try:
        kind, _ = device.backend.from_numpy(np.empty(0, np.float32), device).__dlpack_device__()
    except (TypeError, BufferError, NotImplementedError, RuntimeError):
        return False  # unknown: the backend does not take part in DLPack
    return kind == _HOST


def backends_after(backend: Backend) -> Iterator[Backend]:
    """Yield the available backends that compute what `backend` lacks, in their order.

    A backend that is not on this machine is among them only if the user named it.
    """
    for name in _DEFAULT_PRIORITY if _priority is None else (*_priority, *_DEFAULT_PRIORITY):
        try:
            other = device_named("set_backend_priority", name).backend
        except ValueError:
            continue
        if other is not backend:
            yield other
