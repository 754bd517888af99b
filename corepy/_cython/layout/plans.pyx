# distutils: language = c++
"""Plans of arange, linspace, meshgrid, roll and advanced indexing, for the CPU and GPUs."""

cimport cython
from cpython.float cimport PyFloat_AS_DOUBLE, PyFloat_Check
from cpython.long cimport PyLong_CheckExact
from cpython.slice cimport PySlice_Check
from libc.math cimport ceil
from libc.stdint cimport uint64_t
from libc.string cimport memcpy, memset

import math

import numpy as np

from corepy._cython.core cimport (
    as_code, as_tensor, asarray, basic_view, broadcast_into, CPU, DTYPE_bool, DTYPE_complex128,
    DTYPE_int64, dtype_itemsize, DTYPE_uint64, DTYPES, from_ndarray, index_error, is_array_like,
    is_complex, is_floating, is_inexact, is_integer, is_tensor, load_real, MAX_NDIM, nested_numbers,
    Operand, plain_key, plain_view, PY_SSIZE_T_MAX, PyLong_AsLongLongAndOverflow, reshape,
    shares_backend, store_named, store_real, Tensor, to_device, transposed,
)
from corepy._cython.layout.broadcasting cimport broadcast_shape, broadcast_strides

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


# ---- indices with integer arrays and masks, by NumPy's rules for advanced indexing: the indexed
# axes, the view that they belong to, and the shape of the result


@cython.final
@cython.no_gc
@cython.freelist(8)
cdef class IndexPlan:
    """A plan of an index with integer arrays; see plans.pxd."""


cdef object WHOLE = slice(None)


cdef IndexPlan plan_arrays(
    str function, Tensor base, int axis, list arrays, bint trusted, const int* named
):
    """The plan of an index of `base` by integer arrays from `axis` on."""
    cdef IndexPlan plan = IndexPlan.__new__(IndexPlan)
    cdef Operand operands[MAX_NDIM]
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef Py_ssize_t ndim
    cdef int count = <int>len(arrays)
    cdef int k
    for k in range(count):
        operands[k].ndim = (<Tensor>arrays[k]).ndim
        operands[k].dims = (<Tensor>arrays[k]).dims
    try:
        broadcast_into(function, operands, count, &ndim, shape)
    except ValueError as error:
        raise IndexError(str(error)) from None
    plan.inner = base.ndim - axis - count
    plan.ndim = axis + ndim + plan.inner
    if plan.ndim > MAX_NDIM:
        raise index_error(
            function, f"the result would have {plan.ndim} dimensions, of at most {MAX_NDIM}"
        )
    plan.base, plan.axis, plan.arrays = base, axis, arrays
    plan.trusted = trusted
    memcpy(plan.named, named, count * sizeof(int))
    plan.index_ndim = ndim
    plan.n = 1
    for k in range(ndim):
        plan.n *= shape[k]
    memcpy(plan.dims, base.dims, axis * sizeof(Py_ssize_t))
    memcpy(plan.dims + axis, shape, ndim * sizeof(Py_ssize_t))
    memcpy(plan.dims + axis + ndim, base.dims + axis + count, plan.inner * sizeof(Py_ssize_t))
    return plan


cdef void plan_steps(
    IndexPlan plan, Tensor indices, Py_ssize_t* base_steps, Py_ssize_t* index_steps
) noexcept:
    cdef Tensor base = plan.base
    cdef int axis, within
    for axis in range(plan.ndim):
        base_steps[axis] = index_steps[axis] = 0
        within = axis - plan.axis
        if within < 0:
            base_steps[axis] = base.steps[axis]
        elif within < plan.index_ndim:
            index_steps[axis] = indices.steps[within]
        else:
            base_steps[axis] = base.steps[base.ndim - plan.ndim + axis]


cdef void plan_along_axis(
    Tensor x, Tensor indices, Py_ssize_t axis, Py_ssize_t* dims, Py_ssize_t* base_steps,
    Py_ssize_t* index_steps,
) noexcept:
    cdef Py_ssize_t base_dims[MAX_NDIM]
    cdef Py_ssize_t ndim = 0
    memcpy(base_dims, x.dims, x.ndim * sizeof(Py_ssize_t))
    base_dims[axis] = 1
    broadcast_shape(&ndim, dims, x.ndim, base_dims)
    broadcast_shape(&ndim, dims, indices.ndim, indices.dims)
    broadcast_strides(x.ndim, base_dims, x.steps, ndim, dims, base_steps)
    broadcast_strides(indices.ndim, indices.dims, indices.steps, ndim, dims, index_steps)


cdef Tensor index_array(str function, Tensor x, object item):
    """An item of an index of `x` as integers or a mask on its device; None if it is no array.

    Integers without axes are no arrays unless they are in another device's memory, where reading
    them would wait; bools without axes are masks.
    """
    cdef Tensor array
    if is_tensor(item):
        array = item
    elif item is None or item is Ellipsis or PySlice_Check(item) or PyLong_CheckExact(item):
        return None
    elif isinstance(item, (list, tuple, np.ndarray, bool, np.bool_)):
        try:
            array = nested_numbers(item, -1) if isinstance(item, (list, tuple)) else None
            if array is None and isinstance(item, np.ndarray):  # of any class
                array = from_ndarray(function, np.asarray(item))
            elif array is None:
                array = as_tensor(function, item)
        except (TypeError, ValueError) as error:
            raise IndexError(str(error)) from None
        if not array.count and isinstance(item, (list, tuple)):
            array = as_code(array, DTYPE_int64)
    elif is_array_like(item):
        array = asarray(item, None, None, None, function)
    else:
        return None
    if is_inexact(array.code):
        raise index_error(
            function,
            f"arrays that index must have an integer or boolean dtype, got {DTYPES[array.code]}",
        )
    if array.ndim == 0 and array.code != DTYPE_bool and array.device is CPU:
        return None
    return array if shares_backend(x, array) else to_device(array, x.device)


cdef IndexPlan plan_index(
    str function, Tensor x, object key, positions_of positions, object backend
):
    """The plan of ``x[key]``, in which there are arrays."""
    cdef object plain_items = plain_key(function, key)
    cdef tuple items = plain_items if type(plain_items) is tuple else (plain_items,)
    cdef list found = [index_array(function, x, item) for item in items]
    cdef list plain = []         # the index with slices for arrays
    cdef list arrays = []
    cdef int indexed[MAX_NDIM]   # axes of the view that arrays index
    cdef int named[MAX_NDIM]     # the same axes of `x`
    cdef Py_ssize_t order[MAX_NDIM]
    cdef Py_ssize_t position, count = len(items)
    cdef int consumed = 0, added = 0, new = 0, axis = 0, number = 0, k
    cdef int state = 0           # 0: before the arrays, 1: among them, 2: after, 3: among again
    cdef bint trusted = True, element
    cdef Tensor array, view
    for position in range(count):
        array = <Tensor>found[position]
        if array is not None:
            consumed += array.ndim if array.code == DTYPE_bool else 1
            added += array.ndim == 0
        elif items[position] is not None and items[position] is not Ellipsis:
            consumed += 1
    if consumed > x.ndim:
        raise index_error(
            function,
            f"too many indices: the tensor has {x.ndim} dimensions, but {consumed} were indexed",
        )
    if consumed + added > MAX_NDIM:
        raise index_error(function, f"more than {MAX_NDIM} axes would be indexed")
    for position in range(count):
        array = <Tensor>found[position]
        if array is None:
            item = items[position]
            plain.append(item)
            if item is None or item is Ellipsis or isinstance(item, slice):
                if state == 1:
                    state = 2
                if item is Ellipsis:
                    new += x.ndim - consumed
                    axis += x.ndim - consumed
                else:
                    new += 1
                    axis += item is not None
            else:
                # An integer next to arrays is an array of one element.
                state = 1 if state < 2 else 3
                axis += 1
            continue
        state = 1 if state < 2 else 3
        if array.code == DTYPE_bool:
            for k in range(array.ndim):
                # By the standard, a mask's axis may also have size 0.
                if array.dims[k] != x.dims[axis + k] and array.dims[k] != 0:
                    raise index_error(
                        function,
                        f"a mask of shape {array.shape} does not fit the axes from {axis} on of "
                        f"a tensor of shape {x.shape}",
                    )
            if array.ndim == 0:
                # It adds an axis of one element, which is there or not.
                arrays.extend(positions(backend, reshape(array, (1,))))
                indexed[number] = new
                named[number] = axis
                plain.append(None)
                number += 1
                new += 1
                continue
            arrays.extend(positions(backend, array))
            k = array.ndim
        else:
            trusted = False
            arrays.append(array)
            k = 1
        for _ in range(k):
            indexed[number] = new
            named[number] = axis
            plain.append(WHOLE)
            number += 1
            axis += 1
            new += 1
    if number == 0:
        raise index_error(function, "expected an integer array or a mask")
    view = x
    if added or len(plain) != number:
        view = plain_view(function, x, tuple(plain))
        if view is None:
            view = basic_view(function, x, tuple(plain), &element)
    axis = indexed[0]
    if state == 3:
        # The indexed axes are not adjacent: they come first.
        new = 0
        for k in range(view.ndim):
            if new < number and indexed[new] == k:
                order[new] = k
                new += 1
            else:
                order[number + k - new] = k
        view = transposed(view, order)
        axis = 0
    return plan_arrays(function, view, axis, arrays, trusted, named)


cdef object find_bad_index(str function, IndexPlan plan, list arrays):
    """The error for the first index that is out of range, of ndarrays with the plan's indices."""
    cdef int k
    for k, indices in enumerate(arrays):
        size = plan.base.dims[plan.axis + k]
        bad = indices[(indices < -size) | (indices >= size)]
        if bad.size:
            return index_error(
                function,
                f"index {bad[0]} is out of bounds for axis {plan.named[k]} with size {size}",
            )
    return index_error(function, "an array of indices was modified during the operation")
