"""einops: a backend for arrays of Corepy.

einops finds backends among the subclasses of its base class; nothing is replaced. Tested with
einops 0.8.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

from corepy._cython.core import Tensor


def _add_backend(backends: ModuleType) -> None:
    import corepy

    class CorepyBackend(backends.NumpyBackend):  # type: ignore[name-defined, misc]
        framework_name = "corepy"

        def __init__(self) -> None:
            self.np = corepy

        def is_appropriate_type(self, tensor: Any) -> bool:
            return isinstance(tensor, Tensor)

        def from_numpy(self, x: Any) -> Tensor:
            return corepy.asarray(x)

        def to_numpy(self, x: Tensor) -> Any:
            return x.to_numpy()

        def is_float_type(self, x: Tensor) -> bool:
            return x.dtype.kind in "fc"

    vars(backends)["_corepy_backend"] = CorepyBackend  # einops has only a weak reference


COMPLETE = {"einops._backends": _add_backend}
