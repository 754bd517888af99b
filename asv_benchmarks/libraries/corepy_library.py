"""Corepy, on one of its devices."""

from __future__ import annotations

import numpy as np

import corepy
from corepy.backend.registry import find_device

from .library import Library


class Corepy(Library):
    """The standard's words are Corepy's own."""

    name = "corepy"
    title = "Corepy"
    idioms = True
    version = corepy.__version__

    def __init__(self, device: str = "cpu") -> None:
        super().__init__(device)
        # on cpu the module that programs import, whose attributes are faster to find
        self.xp = corepy.namespace(None if device == "cpu" else device)

    def serves(self, device: str) -> bool:
        return True

    def to_numpy(self, x) -> np.ndarray:
        return np.asarray(x.to_device("cpu") if isinstance(x, corepy.Tensor) else x)

    def synchronize(self) -> None:
        find_device(self.device).backend.synchronize()
