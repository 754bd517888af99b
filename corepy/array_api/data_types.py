"""Data types (array API standard 2025.12, "Data Types").

``x.dtype`` is a NumPy dtype instance on every device, so it compares, prints and pickles as NumPy
users expect; backends map it to their own. The namespace's names are NumPy's scalar types, as in
NumPy's own namespace: they equal the instances, are accepted wherever a dtype is expected, and
make a number of their dtype when called. (Instances would not do:
``numpy.dtype("float64") == None`` is true, as None stands for the default dtype there.)

Two are beyond the standard: float16, and bfloat16, whose dtype is that of the package ml_dtypes,
which is imported at its first use. They are computed in float32; each result is rounded once.
"""

import sys
from typing import Any

import numpy as np

from corepy._cython.core import load_bfloat16

__all__ = [
    "bool",
    "complex64",
    "complex128",
    "float32",
    "float64",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
]

# generated: dtypes
bool = np.bool_
int8 = np.int8
int16 = np.int16
int32 = np.int32
int64 = np.int64
uint8 = np.uint8
uint16 = np.uint16
uint32 = np.uint32
uint64 = np.uint64
float32 = np.float32
float64 = np.float64
complex64 = np.complex64
complex128 = np.complex128

#: The standard's dtypes, as instances, by name.
DTYPES = {
    np.dtype(scalar).name: np.dtype(scalar)
    for scalar in (
        bool,
        int8,
        int16,
        int32,
        int64,
        uint8,
        uint16,
        uint32,
        uint64,
        float32,
        float64,
        complex64,
        complex128,
    )
}
# end of generated: dtypes

float16 = np.float16


class _BFloat16(type):
    """The class of `bfloat16`. NumPy takes it for a dtype, because it has one."""

    @property
    def dtype(cls) -> np.dtype:
        """The dtype of the package ml_dtypes, whose import takes 9 ms."""
        return load_bfloat16()

    def __call__(cls, *args: Any) -> Any:
        return cls.dtype.type(*args)

    def __eq__(cls, other: object) -> Any:
        return cls is other or cls.dtype.type == other

    def __hash__(cls) -> int:
        return hash(cls.dtype.type)

    def __instancecheck__(cls, instance: object) -> Any:
        return isinstance(instance, cls.dtype.type)

    def __subclasscheck__(cls, subclass: type) -> Any:
        return cls is subclass or issubclass(subclass, cls.dtype.type)


def _is_installed(name: str) -> Any:
    """Return whether a module can be imported, without doing so."""
    if name in sys.modules:
        return sys.modules[name] is not None
    return any(finder.find_spec(name, None) for finder in sys.meta_path)


if _is_installed("ml_dtypes"):

    class bfloat16(metaclass=_BFloat16):
        """The dtype bfloat16, which stands for the scalar type of the package ml_dtypes."""

        __module__ = "corepy.array_api"


#: The standard's kinds of dtypes, as the characters that NumPy has for them (``dtype.kind``).
KINDS = {
    "bool": "b",
    "signed integer": "i",
    "unsigned integer": "u",
    "integral": "iu",
    "real floating": "f",
    "complex floating": "c",
    "numeric": "iufc",
}
