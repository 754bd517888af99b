# The instruction set that the kernels run on.

import os

cdef extern from "kernels.hpp" namespace "corepy":
    const char* c_simd_level "corepy::simd_level"(int)
    const char* c_simd_in_use "corepy::simd_in_use"()
    bint c_use_simd "corepy::use_simd"(const char*)


def simd_levels():
    """Return the names of the instruction sets that this processor has, the lowest first."""
    cdef int index = 0
    levels = []
    while c_simd_level(index) != NULL:
        levels.append(c_simd_level(index).decode())
        index += 1
    return tuple(levels)


def simd_in_use():
    """Return the name of the instruction set that the kernels run on."""
    return c_simd_in_use().decode()


def use_simd(str name not None):
    """Run the kernels on the instruction set `name`, one of `simd_levels()`.

    For tests, which visit every level in one process; users set ``COREPY_SIMD``.

    Raises
    ------
    ValueError
        If this processor does not have it.
    """
    if not c_use_simd(name.encode()):
        raise ValueError(
            f"use_simd: instruction set {name!r} is not one of this processor's: "
            f"{', '.join(simd_levels())}"
        )


def _use_simd_of_environment():
    name = os.environ.get("COREPY_SIMD", "").strip().lower()
    if name and not c_use_simd(name.encode()):
        raise ImportError(
            f"COREPY_SIMD={name}: this processor has {', '.join(simd_levels())}"
        )


_use_simd_of_environment()
