# distutils: language = c++
"""Plans of arange, linspace and roll, for the CPU and GPUs."""

from cpython.float cimport PyFloat_Check
from libc.stdint cimport uint64_t
from libc.string cimport memcpy, memset

from corepy._cython.core cimport (
    DTYPE_complex128, DTYPE_float32, DTYPE_float64, dtype_itemsize, is_complex, is_integer,
    MAX_NDIM, store_named, Tensor,
)


cdef int plan_arange(
    Sequence* plan, int code, Py_ssize_t count, object start, object step
) except -1:
    """Plan start, start + step, ... in a dtype that is not complex; integers truncate floats."""
    cdef int size = dtype_itemsize[code]
    cdef int k
    memset(plan, 0, sizeof(Sequence))
    plan.given = <int>min(count, 2)
    for k in range(plan.given):
        value = start + step if k else start
        if is_integer(code) and PyFloat_Check(value):
            value = int(value)
        store_named("arange", plan.starts + k * size, code, value)
    # The step is the difference of the first two elements in the dtype, as in NumPy.
    if code == DTYPE_float64:
        plan.terms.first[0] = (<double*>plan.starts)[0]
        plan.terms.step[0] = (<double*>plan.starts)[1] - (<double*>plan.starts)[0]
    elif code == DTYPE_float32:
        plan.terms.first[0] = (<float*>plan.starts)[0]
        plan.terms.step[0] = (<float*>plan.starts)[1] - (<float*>plan.starts)[0]
    else:
        memcpy(&plan.terms.whole_first, plan.starts, size)
        memcpy(&plan.terms.whole_step, plan.starts + size, size)
        plan.terms.whole_step -= plan.terms.whole_first
    return 0


cdef bint plan_linspace(
    Sequence* plan, int code, Py_ssize_t count, object start, object stop, bint endpoint
) except -1:
    """Plan evenly spaced numbers of a floating-point dtype, to be computed in float64; false where
    a step is smaller than the smallest float.
    """
    cdef double ends[2][2]
    cdef double distance
    cdef Py_ssize_t steps = count - 1 if endpoint else count
    cdef int k
    store_named("linspace", <char*>ends[0], DTYPE_complex128, start)
    store_named("linspace", <char*>ends[1], DTYPE_complex128, stop)
    memset(plan, 0, sizeof(Sequence))
    for k in range(2 if is_complex(code) else 1):
        distance = ends[1][k] - ends[0][k]
        plan.terms.first[k] = ends[0][k]
        plan.terms.step[k] = distance / steps if steps > 0 else distance
        if plan.terms.step[k] == 0 and distance != 0:
            return False
    plan.ends = endpoint and count > 1
    if plan.ends:
        store_named("linspace", plan.last, code, stop)
    return True


cdef int copy_rolled(
    Tensor out, Tensor x, tuple shifts, tuple axes, copy_box copy, object backend
) except -1:
    """Copy the elements of `x` to `out`, of its shape, shifted along axes and around the end."""
    cdef int rolled[MAX_NDIM]
    cdef Py_ssize_t moved[MAX_NDIM]
    cdef Py_ssize_t dims[MAX_NDIM]
    cdef int n = 0
    cdef int k, axis
    cdef uint64_t part    # bit k: the elements that wrap around along the k-th rolled axis
    cdef char* source
    cdef char* target
    if x.count == 0:
        return 0
    for axis in range(x.ndim):
        moved[axis] = 0
        dims[axis] = x.dims[axis]
    for k in range(len(axes)):
        axis = axes[k]
        moved[axis] = (moved[axis] + shifts[k]) % x.dims[axis]
    for axis in range(x.ndim):
        if moved[axis]:
            rolled[n] = axis
            n += 1
    # Rolled axes have two elements at least, so there are no more parts than elements.
    for part in range(<uint64_t>1 << n):
        source, target = x.data, out.data
        for k in range(n):
            axis = rolled[k]
            if part >> k & 1:
                dims[axis] = moved[axis]
                source += (x.dims[axis] - moved[axis]) * x.steps[axis]
            else:
                dims[axis] = x.dims[axis] - moved[axis]
                target += moved[axis] * out.steps[axis]
        copy(backend, out, target, x, source, dims)
    return 0
