"""NumPy's functions called with tensors: ``numpy.sin(x)`` is ``corepy.sin(x)``.

NumPy, and what is written for NumPy's arrays, calls the drop-in's functions by these protocols (NEP
13 and NEP 18), so that results are tensors on the device of the arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, reduce
from typing import Any

import numpy as np

from corepy._cython.conversion import call_numpy, interface_of, standards
from corepy._cython.core import Tensor, asarray
from corepy.numpy.dispatch import array_ufunc

# Classes that these protocols take; another class with one of the protocols comes first.
_OWN = (Tensor, np.ndarray)


@cache
def drop_in(function: Callable[..., Any]) -> Any:
    """Return the function of the drop-in for one of NumPy's, or None."""
    import corepy

    module = "numpy" if isinstance(function, np.ufunc) else function.__module__ or ""
    first, *path = [*module.split("."), function.__name__]
    try:
        if first != "numpy" or reduce(getattr, path, np) is not function:
            return None
        return reduce(getattr, path, corepy)
    except AttributeError:
        return None


def array_function(
    self: Tensor,
    function: Any,
    types: Iterable[type],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> Any:
    """Compute a function of NumPy's. See NEP 18."""
    if not all(issubclass(other, _OWN) for other in types):
        return NotImplemented
    result = _computed(function, args, kwargs)
    follows = any(issubclass(other, Tensor) and other is not Tensor for other in types)
    return result if follows else standards(result)


def _computed(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    computing = getattr(function, "_implementation", None)  # None: called for an argument `like`
    if computing is not None and not _holds_tensors((*args, *kwargs.values())):
        # They are in another container, as an array of objects. NumPy's code makes ndarrays of
        # them; NumPy's function would call this one again.
        return call_numpy(function.__name__, computing, args, kwargs)
    own = drop_in(function)
    if own is None:
        return call_numpy(function.__name__, function, args, kwargs)
    return own(*args, **kwargs)


def _holds_tensors(values: Iterable[Any], depth: int = 64) -> bool:
    """Return whether a tensor is among values, or in lists, tuples and dicts among them."""
    for value in values:
        if isinstance(value, Tensor):
            return True
        if type(value) is dict:
            value = value.values()
        elif type(value) is not list and type(value) is not tuple:
            continue
        if depth and _holds_tensors(value, depth - 1):
            return True
    return False


def array_interface(self: Tensor) -> dict[str, Any]:
    """Describe the memory, for libraries that read NumPy's array interface."""
    if self.device != _HOST:
        raise AttributeError(
            f"__array_interface__: this Tensor is on {self.device}; move it with x.to_device('cpu')"
        )
    return interface_of(self, "__array_interface__")


def to_jax(self: Tensor) -> Any:
    """Return JAX's array of the elements, for operations of JAX."""
    from jax import numpy

    return numpy.asarray(self.to_numpy())


_HOST = asarray(0, device="cpu").device

PROTOCOLS: dict[str, Any] = {
    "__array_function__": array_function,
    "__array_interface__": property(array_interface),
    "__array_ufunc__": array_ufunc,
    "__jax_array__": to_jax,
}
