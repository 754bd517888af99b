# What the machine can do at best, for benchmarks.

def machine_limits(int threads, Py_ssize_t elements=10_000_000):
    """Measure the machine's limits, in about a second and a half.

    Parameters
    ----------
    threads : int
        How many threads share the work.
    elements : int
        Size of the arrays of float64 that are read and written; three are allocated.

    Returns
    -------
    dict
        ``read``, ``fill``, ``copy`` and ``add`` (two arrays read, one written): bytes per second,
        read and written ones alike, by whichever kind of store is faster;
        ``multiply_add_float64`` and ``multiply_add_float32``: multiplications with an addition,
        per second.

    Raises
    ------
    ValueError
        The number of threads is not from 1 to 1024, or that of elements not from 1 to 2**36.
    MemoryError
        There is no memory for the arrays, or for so many threads.
    """
    cdef Limits limits
    cdef bint enough
    if not 1 <= threads <= 1024 or not 1 <= elements <= <Py_ssize_t>1 << 36:
        raise ValueError(
            "machine_limits: expected 1 to 1024 threads and 1 to 2**36 elements, "
            f"got {threads} and {elements}"
        )
    with nogil:
        enough = measure_limits(threads, elements, &limits)
    if not enough:
        raise MemoryError(
            f"machine_limits: no memory for 3 arrays of {elements} float64 and {threads} threads"
        )
    return {
        "read": limits.read,
        "fill": limits.fill,
        "copy": limits.copy,
        "add": limits.add,
        "multiply_add_float64": limits.multiply_add_float64,
        "multiply_add_float32": limits.multiply_add_float32,
    }
