"""Tensors as text: ``repr`` and ``str``, in NumPy's format."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from corepy._cython.core import asarray, provide

if TYPE_CHECKING:
    from corepy._cython.core import Tensor

# The dtypes that are evident from the digits.
_DEFAULT_DTYPES = tuple(np.dtype(name) for name in ("bool", "int64", "float64", "complex128"))


def render(x: Tensor) -> str:
    """Return ``str(x)``: the elements, in NumPy's format."""
    array = np.asarray(x.to_device("cpu"))
    return str(array[()] if array.ndim == 0 else array)


def represent(x: Tensor) -> str:
    """Return ``repr(x)``, as in ``Tensor([1., 2.], dtype=float32, device='reference')``."""
    array = np.asarray(x.to_device("cpu"))
    facts = []
    summarised = array.size > np.get_printoptions()["threshold"]
    if summarised or (array.size == 0 and array.shape != (0,)):
        facts.append(f"shape={array.shape}")
    if array.dtype not in _DEFAULT_DTYPES or array.size == 0:
        facts.append(f"dtype={array.dtype}")
    if x.device != asarray(0).device:
        facts.append(f"device={str(x.device)!r}")
    digits = "[]" if array.size == 0 else np.array2string(array, separator=", ", prefix="Tensor(")
    text = f"Tensor({digits}"
    tail = ", ".join(facts)
    if not tail:
        return text + ")"
    # A long last line keeps its tail below it, as NumPy does.
    last = len(text) - (text.rfind("\n") + 1)
    width = np.get_printoptions()["linewidth"]
    joint = ",\n" + " " * len("Tensor(") if last + len(tail) + 3 > width else ", "
    return text + joint + tail + ")"


provide(render=render, represent=represent)
