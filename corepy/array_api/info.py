"""Inspection of the namespace (array API standard 2025.12, "Inspection")."""

from typing import Any

import numpy as np

from corepy._cython.core import Backend, Device, as_device
from corepy.array_api.data_types import DTYPES, KINDS

__all__ = ["__array_namespace_info__"]


#: The standard's keys of `capabilities`.
_CAPABILITIES = ("boolean indexing", "data-dependent shapes", "max dimensions")


class Info:
    """What a namespace can do, and on which devices.

    Parameters
    ----------
    device : Device or str, optional
        The default device of the namespace; None is Corepy's own.

    References
    ----------
    array API 2025.12, info
    """

    __slots__ = ("_device",)

    def __init__(self, device: Device | str | None = None):
        self._device = as_device(device, "__array_namespace_info__")

    def __repr__(self) -> str:
        return f"Info(device={str(self._device)!r})"

    def capabilities(self) -> dict[str, Any]:
        """Return the optional features of the standard that the default device supports.

        Returns
        -------
        dict
            ``"boolean indexing"`` and ``"data-dependent shapes"``: whether there are indexing by a
            mask and functions such as `nonzero`, whose shapes depend on values. ``"max
            dimensions"``: the largest number of axes.

        References
        ----------
        array API 2025.12, info.capabilities
        """
        backend = self._device.backend
        # A backend written in Python may return only those that differ from the defaults.
        found = {**Backend.get_capabilities(backend), **backend.get_capabilities()}
        return {name: found[name] for name in _CAPABILITIES}

    def default_device(self) -> Device:
        """Return the device on which the namespace creates arrays.

        Returns
        -------
        Device
            The device.

        References
        ----------
        array API 2025.12, info.default_device
        """
        return self._device

    def default_dtypes(self, *, device: Device | str | None = None) -> dict[str, np.dtype]:
        """Return the dtypes that arrays get when none is named.

        Parameters
        ----------
        device : Device or str, optional
            The device in question; None is the default device. All devices have the same answer.

        Returns
        -------
        dict
            The dtypes for ``"real floating"``, ``"complex floating"``, ``"integral"`` and
            ``"indexing"``.

        Raises
        ------
        ValueError
            If there is no such device.

        References
        ----------
        array API 2025.12, info.default_dtypes
        """
        self._check("default_dtypes", device)
        return {
            "real floating": DTYPES["float64"],
            "complex floating": DTYPES["complex128"],
            "integral": DTYPES["int64"],
            "indexing": DTYPES["int64"],
        }

    def dtypes(
        self,
        *,
        device: Device | str | None = None,
        kind: str | tuple[str, ...] | None = None,
    ) -> dict[str, np.dtype]:
        """Return the dtypes that a device supports.

        Parameters
        ----------
        device : Device or str, optional
            The device in question; None is the default device. All devices have the same answer.
        kind : str or tuple of str, optional
            One or several of the kinds that `isdtype` knows; None is all of them.

        Returns
        -------
        dict
            The dtypes by name.

        Raises
        ------
        ValueError
            If there is no such device or kind.

        References
        ----------
        array API 2025.12, info.dtypes
        """
        self._check("dtypes", device)
        if kind is None:
            return dict(DTYPES)
        characters = ""
        for one in (kind,) if isinstance(kind, str) else kind:
            if one not in KINDS:
                allowed = ", ".join(map(repr, KINDS))
                raise ValueError(f"dtypes: {one!r} is not a kind; allowed: {allowed}")
            characters += KINDS[one]
        return {name: dtype for name, dtype in DTYPES.items() if dtype.kind in characters}

    def devices(self) -> tuple[Device, ...]:
        """Return the devices that there are on this machine.

        Returns
        -------
        tuple of Device
            The devices.

        References
        ----------
        array API 2025.12, info.devices
        """
        # Looking for devices may import their libraries, so it is deferred until needed.
        from corepy.backend.registry import available_devices

        return tuple(available_devices())

    def _check(self, function: str, device: Device | str | None) -> None:
        """Raise ValueError unless there is such a device."""
        if device is not None:
            as_device(device, function)


def __array_namespace_info__() -> Info:
    """Return the namespace of inspection functions.

    Returns
    -------
    Info
        An object with the methods `~Info.capabilities`, `~Info.default_device`,
        `~Info.default_dtypes`, `~Info.devices` and `~Info.dtypes`.

    References
    ----------
    array API 2025.12, info.__array_namespace_info__

    Examples
    --------
    >>> import corepy.array_api as xp
    >>> xp.__array_namespace_info__().default_device()
    Device('cpu')
    """
    return Info()
