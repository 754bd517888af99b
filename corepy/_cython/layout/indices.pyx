# distutils: language = c++
"""Plans of indices with integer arrays and masks: the indexed axes, the view that they belong to,
and the shape of the result, by NumPy's rules for advanced indexing.
"""

cimport cython
from cpython.long cimport PyLong_CheckExact
from cpython.slice cimport PySlice_Check
from libc.string cimport memcpy

import numpy as np

from corepy._cython.core cimport (
    as_code, as_tensor, asarray, basic_view, broadcast_into, CPU, DTYPE_bool, DTYPE_int64, DTYPES,
    from_ndarray, index_error, is_array_like, shares_backend, is_inexact, is_tensor, MAX_NDIM,
    nested_numbers, Operand, plain_key, plain_view, reshape, Tensor, to_device, transposed,
)
from corepy._cython.layout.broadcasting cimport broadcast_shape, broadcast_strides


@cython.final
@cython.no_gc
@cython.freelist(8)
cdef class IndexPlan:
    """A plan of an index with integer arrays; see indices.pxd."""


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
