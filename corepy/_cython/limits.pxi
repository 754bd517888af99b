# What the machine can do at best, for benchmarks.

cdef extern from "limits.hpp" namespace "corepy" nogil:
    cdef enum class Movement:
        read
        fill
        copy
        add

    cdef cppclass CppMemoryLoop "corepy::MemoryLoop":
        CppMemoryLoop(Movement, Py_ssize_t)
        double seconds(int, int)

    bint measure_arithmetic(int, double*, double*)


cdef int check_threads(str function, int threads) except -1:
    if not 1 <= threads <= 1024:
        raise ValueError(f"{function}: expected 1 to 1024 threads, got {threads}")
    return 0


cdef class MemoryLoop:
    """A loop that does little else than move memory: what a large operation is held against.

    Parameters
    ----------
    movement : str
        ``"read"`` (one array read), ``"fill"`` (one written), ``"copy"`` (one read, one written) or
        ``"add"`` (two read, one written).
    elements : int
        Size of the arrays, of float64; three are allocated.
    threads : int
        How many threads share the work.

    Raises
    ------
    ValueError
        There is no such movement, the number of threads is not from 1 to 1024, or that of elements
        not from 1 to 2**36.
    """

    cdef CppMemoryLoop* loop
    cdef int threads
    cdef Py_ssize_t elements

    def __cinit__(self, str movement not None, Py_ssize_t elements, int threads):
        cdef dict movements = {
            "read": <int>Movement.read,
            "fill": <int>Movement.fill,
            "copy": <int>Movement.copy,
            "add": <int>Movement.add,
        }
        cdef int which
        check_threads("MemoryLoop", threads)
        if movement not in movements:
            raise ValueError(
                f"MemoryLoop: expected a movement of {', '.join(movements)}, got {movement!r}"
            )
        if not 1 <= elements <= <Py_ssize_t>1 << 36:
            raise ValueError(f"MemoryLoop: expected 1 to 2**36 elements, got {elements}")
        self.threads = threads
        self.elements = elements
        which = movements[movement]
        with nogil:
            self.loop = new CppMemoryLoop(<Movement>which, elements)

    def __dealloc__(self):
        del self.loop

    def seconds(self, int passes):
        """Return the seconds that so many passes take, by whichever kind of store is faster.

        Raises
        ------
        ValueError
            There is not even one pass.
        MemoryError
            There is no memory for the arrays, or for so many threads.
        """
        cdef double taken
        if passes < 1:
            raise ValueError(f"MemoryLoop.seconds: passes must be at least 1, got {passes}")
        with nogil:
            taken = self.loop.seconds(self.threads, passes)
        if taken < 0:
            raise MemoryError(
                f"MemoryLoop: no memory for 3 arrays of {self.elements} float64 and "
                f"{self.threads} threads"
            )
        return taken


def multiply_add_rates(int threads):
    """Measure how many multiplications with an addition the machine does per second.

    Parameters
    ----------
    threads : int
        How many threads share the work, 1 to 1024.

    Returns
    -------
    tuple of float
        For float64, and for float32.

    Raises
    ------
    ValueError
        The number of threads is not from 1 to 1024.
    MemoryError
        There is no memory for so many threads.
    """
    cdef double float64, float32
    cdef bint enough
    check_threads("multiply_add_rates", threads)
    with nogil:
        enough = measure_arithmetic(threads, &float64, &float32)
    if not enough:
        raise MemoryError(f"multiply_add_rates: no memory for {threads} threads")
    return float64, float32
