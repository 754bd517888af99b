"""Operations that the library of a device computes itself."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from corepy._cython.core import Tensor


def native(operation: str, *arrays: Any, **options: Any) -> Any:
    """Return the result of a library's own function, as `torch.nn.functional` has them; None if the
    arrays are not tensors of one device whose library has it.
    """
    given = [x for x in arrays if x is not None]
    if not all(isinstance(x, Tensor) and x.device == given[0].device for x in given):
        return None
    network = getattr(given[0].device.backend, "network", None)
    return None if network is None else network(operation, *arrays, **options)


def overridden(function: Callable[..., Any]) -> Callable[..., Any]:
    """Have a function of an array computed by a kernel where the array's device has one for the
    arguments.
    """
    name = function.__name__

    @wraps(function)
    def call(x: Any, *args: Any, **options: Any) -> Any:
        network = getattr(x.device.backend, "network", None) if isinstance(x, Tensor) else None
        y = None if network is None else network(name, x, *args, **options)
        return function(x, *args, **options) if y is None else y

    return call
