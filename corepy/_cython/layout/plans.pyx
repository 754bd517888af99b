# distutils: language = c++
"""Plans of arange, linspace, meshgrid and roll, for the CPU and GPUs."""

from cpython.float cimport PyFloat_AS_DOUBLE, PyFloat_Check
from libc.math cimport ceil
from libc.stdint cimport uint64_t
from libc.string cimport memcpy, memset

import math

import numpy as np

from corepy._cython.core cimport (
    DTYPE_complex128, DTYPE_int64, dtype_itemsize, DTYPE_uint64, DTYPES, is_complex, is_floating,
    is_integer, load_real, MAX_NDIM, PY_SSIZE_T_MAX, PyLong_AsLongLongAndOverflow, store_named,
    store_real, Tensor,
)


cdef long long FAR = 0x1000000000000000   # differences of integers below it do not overflow
cdef long long EXACT = 0x20000000000000   # integers up to it are float64 numbers


cdef Py_ssize_t count_numbers(object start, object stop, object step, int code) except -1:
    """How many numbers `arange` gives; ValueError when no memory or dtype can hold them."""
    cdef long long a, b, c
    cdef double x, y, z
    cdef int overflow[3]
    if not (PyFloat_Check(start) or PyFloat_Check(stop) or PyFloat_Check(step)):
        a = PyLong_AsLongLongAndOverflow(start, &overflow[0])
        b = PyLong_AsLongLongAndOverflow(stop, &overflow[1])
        c = PyLong_AsLongLongAndOverflow(step, &overflow[2])
        if not (overflow[0] or overflow[1] or overflow[2]) and code != DTYPE_uint64 \
                and -FAR < a < FAR and -FAR < b < FAR:
            if (b <= a) if c > 0 else (b >= a):
                return 0
            a = (b - a - 1) // c + 1 if c > 0 else (b - a + 1) // c + 1
            return a if a < EXACT else count_any(start, stop, step, code)
    elif is_floating(code) and as_exact(start, &x) and as_exact(stop, &y) and as_exact(step, &z):
        x = (y - x) / z
        if x >= 1e-300 and x < 1e15:
            return <Py_ssize_t>ceil(x)
    return count_any(start, stop, step, code)


cdef inline bint as_exact(object value, double* number) noexcept:
    """Write a Python float, or an int that is exactly one; false for other ints."""
    cdef int overflow = 0
    cdef long long whole
    if PyFloat_Check(value):
        number[0] = PyFloat_AS_DOUBLE(value)
        return True
    whole = PyLong_AsLongLongAndOverflow(value, &overflow)
    number[0] = <double>whole
    return not overflow and -EXACT <= whole <= EXACT


cdef Py_ssize_t count_any(object start, object stop, object step, int code) except -1:
    """`count_numbers` for numbers of any kind and size."""
    try:
        if PyFloat_Check(start) or PyFloat_Check(stop) or PyFloat_Check(step):
            distance = stop - start
            steps = distance / step
            if steps == 0 and distance != 0:  # too small a share for a float, but some
                return (step > 0) == (distance > 0)
            count = math.ceil(steps)
        else:
            count = -((start - stop) // step)
    except (OverflowError, ValueError):
        count = PY_SSIZE_T_MAX
    if count <= 0:
        return 0
    if count * dtype_itemsize[code] > PY_SSIZE_T_MAX:
        raise ValueError(
            f"arange: memory cannot address the numbers from {start} to {stop} in steps of {step}"
        )
    # Narrower integers wrap around, as they do everywhere.
    if code == DTYPE_int64 or code == DTYPE_uint64:
        limits = np.iinfo(DTYPES[code])
        for value in (start, start + (count - 1) * step):
            if not limits.min <= value <= limits.max:
                raise ValueError(f"arange: dtype {DTYPES[code]} cannot hold {value}")
    return count


cdef Py_ssize_t grid_axis(Py_ssize_t position, Py_ssize_t ndim, str indexing):
    """The axis of a grid along which the coordinates of one of its vectors change."""
    return 1 - position if ndim > 1 and position < 2 and indexing == "xy" else position


cdef int plan_arange(
    Sequence* plan, int code, Py_ssize_t count, object start, object step
) except -1:
    """Plan start, start + step, ... in a dtype that is not complex; integers truncate floats."""
    cdef int size = dtype_itemsize[code]
    cdef int k
    cdef char step_in_dtype[16]
    memset(plan, 0, sizeof(Sequence))
    plan.given = <int>min(count, 2)
    for k in range(plan.given):
        value = start + step if k else start
        if is_integer(code) and PyFloat_Check(value):
            value = int(value)
        store_named("arange", plan.starts + k * size, code, value)
    # The step is the difference of the first two elements in the dtype, as in NumPy.
    if is_floating(code):
        plan.terms.first[0] = load_real(plan.starts, code)
        store_real(step_in_dtype, code, load_real(plan.starts + size, code) - plan.terms.first[0])
        plan.terms.step[0] = load_real(step_in_dtype, code)
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
