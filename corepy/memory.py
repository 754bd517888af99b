"""Memory of the devices: bytes in use and in the cache, and its limit.

Tensors of a device take their memory from a pool, which keeps released memory for the next
tensors, because fresh memory costs more than most operations do. On the CPU the cache holds at
most a quarter of the memory that the process may use (the machine's, or its control group's).
The environment variable ``COREPY_CACHE_LIMIT`` sets another share, from 0 (keep nothing) to 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corepy._cython.core import as_device

if TYPE_CHECKING:
    from corepy._cython.core import Device

__all__ = ["empty_cache", "stats"]


def __dir__() -> list[str]:
    return sorted(__all__)


def stats(device: Device | str | None = None) -> dict[str, int]:
    """Return statistics of the pool of a device.

    Parameters
    ----------
    device : Device or str, optional
        By default the CPU.

    Returns
    -------
    dict
        ``in_use``, ``cached``, ``peak`` (the most in use at once) and ``limit`` (the most that is
        cached), all in bytes; ``allocations`` (blocks taken from the system) and ``reuses``
        (blocks taken from the cache). Tensors of up to 64 bytes take no block.
        Of a GPU, whose pool is CuPy's: ``in_use``, ``cached``, ``limit`` (the most that the pool
        takes from the device; 0: no limit), ``free`` and ``total`` (memory of the device).

    Raises
    ------
    ValueError
        The device has no pool of Corepy's, or there is no such device.

    Examples
    --------
    >>> import corepy
    >>> before = corepy.memory.stats()["in_use"]
    >>> x = corepy.array_api.zeros(1024)
    >>> corepy.memory.stats()["in_use"] - before
    8192
    """
    device = as_device(device, "memory.stats")
    return device.backend.memory_stats(device)


def empty_cache(device: Device | str | None = None) -> None:
    """Return the cached memory of a device to the system.

    Parameters
    ----------
    device : Device or str, optional
        By default the CPU.

    Raises
    ------
    ValueError
        The device has no pool of Corepy's, or there is no such device.
    """
    device = as_device(device, "memory.empty_cache")
    device.backend.empty_cache(device)
