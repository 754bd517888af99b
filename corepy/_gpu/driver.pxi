# The driver's functions, as addresses.

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
    """Return the address of a launch function that sets the context of what it launches.

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
