# The instruction set of the kernels, and what compiled them.

import os

cdef extern from "kernels.hpp" namespace "corepy":
    const char* c_simd_level "corepy::simd_level"(int)
    const char* c_simd_known "corepy::simd_known"(int)
    bint c_simd_supported "corepy::simd_supported"(const char*)
    bint c_simd_compiled "corepy::simd_compiled"(const char*)
    const char* c_simd_in_use "corepy::simd_in_use"()
    bint c_use_simd "corepy::use_simd"(const char*)

cdef extern from *:
    """
    #if defined(__clang__)
    #define COREPY_COMPILER "Clang " __clang_version__
    #elif defined(__GNUC__)
    #define COREPY_COMPILER "GCC " __VERSION__
    #else
    #define COREPY_COMPILER "unknown"
    #endif
    """
    const char* COREPY_COMPILER
    const unsigned long CYTHON_HEX_VERSION

ctypedef const char* (*level_name)(int)


cdef list level_names(level_name name):
    cdef int index = 0
    names = []
    while name(index) != NULL:
        names.append(name(index).decode())
        index += 1
    return names


def simd_levels():
    """Return the names of the instruction sets that can be used, the lowest first.

    Those are the ones that this processor has and this build has kernels for.
    """
    return tuple(level_names(c_simd_level))


def simd_missing():
    """Return why instruction sets of this architecture cannot be used, by their names."""
    usable = simd_levels()
    return {
        name: "this processor does not have it" if c_simd_compiled(name.encode())
        else "this build has no kernels for it (COREPY_TARGETS=all make build compiles all)"
        for name in level_names(c_simd_known)
        if name not in usable
    }


def simd_supported(str name not None):
    """Return whether this processor has the instruction set `name`, built for or not."""
    return c_simd_supported(name.encode())


def simd_in_use():
    """Return the name of the instruction set of the kernels."""
    return c_simd_in_use().decode()


def compiled_with():
    """Return the names and versions of the compilers of this module: Cython and that of C++."""
    numbers = [CYTHON_HEX_VERSION >> shift & 0xFF for shift in (24, 16, 8)]
    return {"cython": ".".join(map(str, numbers)), "compiler": COREPY_COMPILER.decode().strip()}


def use_simd(str name not None):
    """Run the kernels on the instruction set `name`, one of `simd_levels()`.

    For tests, which visit every level in one process; users set ``COREPY_SIMD``.

    Raises
    ------
    ValueError
        If it cannot be used.
    """
    if not c_use_simd(name.encode()):
        raise ValueError(f"use_simd: {no_level(name)}")


cdef str no_level(str name):
    reason = simd_missing().get(name, "it is not known")
    return f"instruction set {name!r}: {reason}; usable: {', '.join(simd_levels())}"


def _use_simd_of_environment():
    if not simd_levels():
        raise ImportError(
            "this build of Corepy has no kernels for this processor: "
            + "; ".join(f"{name}: {reason}" for name, reason in simd_missing().items())
        )
    name = os.environ.get("COREPY_SIMD", "").strip().lower()
    if name and not c_use_simd(name.encode()):
        raise ImportError(f"COREPY_SIMD={name}: {no_level(name)}")


_use_simd_of_environment()
