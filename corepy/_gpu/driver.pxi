# Addresses of functions of the driver and of CuPy.

from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_IsValid

cdef extern from "driver.hpp" namespace "corepy" nogil:
    ctypedef int (*GetContext)(void**)
    ctypedef int (*SetContext)(void*)
    cdef struct Driver:
        LaunchFunction launch
        GetContext get_context
        SetContext set_context
    Driver driver
    int launch_in_context(
        void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*,
        void**, void**,
    )


def launcher(uintptr_t launch, uintptr_t get_context, uintptr_t set_context):
    """Return the address of a launch function that sets the context of the kernel.

    Parameters
    ----------
    launch, get_context, set_context : int
        Addresses of ``cuLaunchKernel``, ``cuCtxGetCurrent`` and ``cuCtxSetCurrent``, or HIP's.

    Returns
    -------
    int
        Takes ``cuLaunchKernel``'s arguments, with the address of an ``EntryPoint`` (driver.hpp)
        for the function.
    """
    driver.launch = <LaunchFunction><void*>launch
    driver.get_context = <GetContext><void*>get_context
    driver.set_context = <SetContext><void*>set_context
    return <uintptr_t><void*>&launch_in_context


def address_in(capsule, str signature not None):
    """Return the address of a function that an extension module exports in a capsule.

    Parameters
    ----------
    capsule : object
        An entry of the module's ``__pyx_capi__``, or anything else.
    signature : str
        The function's type in C, which is the capsule's name.

    Returns
    -------
    int
        0 if it is not a capsule of that name.
    """
    cdef bytes name = signature.encode()
    if not PyCapsule_IsValid(capsule, name):
        return 0
    return <uintptr_t>PyCapsule_GetPointer(capsule, name)
