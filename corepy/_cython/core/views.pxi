# Changes of shape without copies: strided views if tensors have an address, `execute` otherwise.
#
# Needs arguments, checks, convert, dispatch, operands, storage, tensor, cpu/copies,
# cpu/reductions.


cdef inline bint has_layout(Tensor x) noexcept:
    """Whether the tensor has the address and strides of its elements, in any memory."""
    return x.data != NULL


cpdef tuple broadcast_shapes(object shapes):
    """Return the broadcast shape of a sequence of shapes."""
    cdef Py_ssize_t dims[MAX_NDIM]
    cdef Py_ssize_t result[MAX_NDIM]
    cdef Py_ssize_t ndim = 0
    shapes = [as_shape("broadcast_shapes", shape) for shape in shapes]
    for shape in shapes:
        if not broadcast_shape(
            &ndim, result, read_shape("broadcast_shapes", shape, dims, 0), dims
        ):
            raise broadcast_error("broadcast_shapes", shapes)
    return shape_tuple(ndim, result)


cdef tuple as_shape(str function, object shape, Py_ssize_t least=0):
    """A shape, given as an int or a sequence of ints, as a tuple; sizes are at least `least`."""
    if is_integral(shape):
        shape = (as_integer(function, "shape", shape),)
    elif PySequence_Check(shape) and not isinstance(shape, (str, bytes)):
        shape = tuple([
            as_integer(function, "each size", size)
            for size in as_items(function, "shape", shape, MAX_NDIM)
        ])
    else:
        raise TypeError(f"{function}: a shape is an int or a tuple of ints, got {shape!r}")
    for size in shape:
        if size < least:
            raise ValueError(f"{function}: sizes must not be negative, got shape {shape}")
        if size > 0x7FFFFFFFFFFFFFFF:
            raise ValueError(
                f"{function}: an array of shape {shape} is too big for memory to address"
            )
    return shape


cpdef Tensor reshape(object x, object shape, object copy=None):
    """Return `x` with another shape; one size may be -1, to be computed from the others."""
    cdef Tensor source = x if is_tensor(x) else as_tensor("reshape", x)
    cdef Tensor found = reshaped(source, shape, copy)
    if found is None:
        raise ValueError(f"reshape: {needs_copy(source, shape)}, and copy=False was given")
    return in_class_of(found, x)


cdef str needs_copy(Tensor x, object shape):
    return (
        f"shape {x.shape} with strides {x.strides} cannot become "
        f"{as_shape('reshape', shape, -1)} without a copy"
    )


cdef Tensor reshaped(Tensor source, object shape, object copy):
    """`reshape`; None where it needs a copy, and `copy` is False."""
    cdef Tensor view
    cdef Py_ssize_t count = 1
    cdef Py_ssize_t axis
    cdef Py_ssize_t unknown = -1
    cdef Py_ssize_t dims[MAX_NDIM]
    cdef Py_ssize_t steps[MAX_NDIM]
    cdef Py_ssize_t ndim = read_shape("reshape", shape, dims, -1)
    cdef bint straight
    for axis in range(ndim):
        if dims[axis] == -1:
            if unknown >= 0:
                raise ValueError(f"reshape: only one size may be -1, got {shape}")
            unknown = axis
            dims[axis] = 1
    fits = count_elements(ndim, dims, &count)
    if unknown >= 0:
        fits = fits and count != 0 and source.count % count == 0
        if fits:
            dims[unknown] = source.count // count
    elif count != source.count:
        fits = False
    if not fits:
        raise ValueError(
            f"reshape: shape {source.shape} with {source.count} elements cannot become "
            f"{as_shape('reshape', shape, -1)}"
        )
    if not has_layout(source):
        try:
            return dispatched("reshape", (source, shape_tuple(ndim, dims)), {"copy": copy})
        except AttributeError:  # NumPy's, where it does not copy
            if copy is not False:
                raise
            return None
    if copy is True:
        source = copied(source)
    straight = source.flags & CONTIGUOUS or source.count == 0
    if not (straight or reshaped_steps(source, ndim, dims, steps)):
        if copy is False:
            return None
        source = copied(source)
        straight = True
    if straight:
        view = view_of(source, 0)
        set_shape(view, ndim, dims)
        view.flags = (source.flags & WRITEABLE) | CONTIGUOUS | READY
        return view
    view = view_of(source, ndim)
    for axis in range(view.ndim):
        view.dims[axis] = dims[axis]
        view.steps[axis] = steps[axis]
    finish_view(view)
    return view


@cython.nonecheck(False)
cdef inline Tensor raveled(Tensor x):
    """The elements in one dimension: a view if they are in C order, else a copy."""
    cdef Tensor view
    if not (x.flags & CONTIGUOUS and has_layout(x)):
        return reshape(x, (-1,))
    view = view_of(x, 1)
    view.dims[0] = view.count = x.count
    view.steps[0] = dtype_itemsize[x.code]
    view.flags = (x.flags & WRITEABLE) | READY | CONTIGUOUS
    return view


cdef Tensor without_ones(Tensor x):
    """A view without the axes of size 1; without any, `x` itself, as in NumPy."""
    cdef Tensor view
    cdef int8_t ndim = 0
    cdef int axis
    for axis in range(x.ndim):
        if x.dims[axis] == 1:
            break
    else:
        return x
    view = view_of(x, x.ndim)
    for axis in range(x.ndim):
        if x.dims[axis] != 1:
            view.dims[ndim] = x.dims[axis]
            view.steps[ndim] = x.steps[axis]
            ndim += 1
    view.ndim = ndim
    view.count = x.count
    return view


cdef inline Tensor copied(Tensor x):
    """A copy in C order."""
    if in_host_memory(x):
        return cast_to(x, x.code)
    return x.backend.astype(x, DTYPES[x.code], True)


cdef bint reshaped_steps(
    Tensor x, Py_ssize_t ndim, const Py_ssize_t* dims, Py_ssize_t* steps
) noexcept:
    """Write the strides of `x`, which is not contiguous, in another shape; false if it needs a
    copy.
    """
    cdef Py_ssize_t old_dims[MAX_NDIM]
    cdef Py_ssize_t old_steps[MAX_NDIM]
    cdef Py_ssize_t old_ndim = 0
    cdef Py_ssize_t old_start = 0, old_end = 0, new_start = 0, new_end = 0
    cdef Py_ssize_t old_count, new_count, axis, step
    for axis in range(x.ndim):
        if x.dims[axis] != 1:
            old_dims[old_ndim] = x.dims[axis]
            old_steps[old_ndim] = x.steps[axis]
            old_ndim += 1
    # Match groups of axes with equally many elements in both shapes; the old axes of a group must
    # be contiguous with each other.
    while old_start < old_ndim and new_start < ndim:
        old_end, new_end = old_start + 1, new_start + 1
        old_count, new_count = old_dims[old_start], dims[new_start]
        while old_count != new_count:
            if new_count < old_count:
                new_count *= dims[new_end]
                new_end += 1
            else:
                old_count *= old_dims[old_end]
                old_end += 1
        for axis in range(old_start, old_end - 1):
            if old_steps[axis] != old_dims[axis + 1] * old_steps[axis + 1]:
                return False
        step = old_steps[old_end - 1]
        for axis in range(new_end - 1, new_start - 1, -1):
            steps[axis] = step
            step *= dims[axis]
        old_start, new_start = old_end, new_end
    for axis in range(new_start, ndim):  # trailing axes of size 1
        steps[axis] = dtype_itemsize[x.code]
    return True


cdef Tensor transposed(Tensor x, const Py_ssize_t* order):
    """`x` with its axes in another order: a view if it has a layout."""
    cdef Tensor view
    cdef int axis
    if not has_layout(x):
        return dispatched("permute_dims", (x, shape_tuple(x.ndim, order)), {})
    view = view_of(x, x.ndim)
    for axis in range(x.ndim):
        view.dims[axis] = x.dims[order[axis]]
        view.steps[axis] = x.steps[order[axis]]
    finish_part(view)
    return view


cpdef Tensor permute_dims(object x, object axes):
    """Return `x` with its axes in another order."""
    return permuted("permute_dims", x, axes)


cdef Tensor permuted(str function, object x, object axes):
    """`permute_dims`; errors name `function`."""
    cdef Axes order
    cdef Tensor source
    cdef cppbool seen[MAX_NDIM]
    cdef Py_ssize_t axis
    if isinstance(axes, (tuple, list)):
        read_axes(function, axes, &order)
    source = as_tensor(function, x)
    if not isinstance(axes, (tuple, list)) or order.count != source.ndim:
        raise ValueError(
            f"{function}: axes must name each of the {source.ndim} axes once, got {axes}"
        )
    mark_axes(function, &order, source.ndim, seen)
    for axis in range(source.ndim):
        order.numbers[axis] = normalize_axis(function, order.numbers[axis], source.ndim)
    return transposed(source, order.numbers)


cpdef Tensor matrix_transpose(object x):
    """Return `x` with its last two axes exchanged."""
    cdef Tensor source = x if is_tensor(x) else as_tensor("matrix_transpose", x)
    cdef Py_ssize_t order[MAX_NDIM]
    cdef Py_ssize_t axis
    if source.ndim < 2:
        raise ValueError(
            f"matrix_transpose: at least 2 dimensions are needed, got shape {source.shape}"
        )
    for axis in range(source.ndim):
        order[axis] = axis
    order[source.ndim - 1] = source.ndim - 2
    order[source.ndim - 2] = source.ndim - 1
    return transposed(source, order)


cpdef Tensor moveaxis(object x, object source, object destination):
    """Return `x` with the axes `source` moved to `destination`; the others keep their order."""
    cdef Axes old, new
    cdef Tensor array
    cdef tuple taken, places
    read_named_axes("moveaxis", source, &old)
    read_named_axes("moveaxis", destination, &new)
    array = as_tensor("moveaxis", x)
    if old.count != new.count:
        raise ValueError(
            f"moveaxis: source and destination must have the same length, "
            f"got {old.count} and {new.count}"
        )
    taken = normalize_axes("moveaxis", &old, array.ndim, True)
    places = normalize_axes("moveaxis", &new, array.ndim, True)
    order = [axis for axis in range(array.ndim) if axis not in taken]
    for place, axis in sorted(zip(places, taken)):
        order.insert(place, axis)
    return permute_dims(array, tuple(order))


cpdef Tensor broadcast_to(object x, object shape):
    """Return `x` broadcast to `shape`, read-only on the CPU."""
    cdef Py_ssize_t dims[MAX_NDIM]
    cdef Py_ssize_t steps[MAX_NDIM]
    cdef Py_ssize_t ndim = read_shape("broadcast_to", shape, dims, 0)
    cdef Tensor source = as_tensor("broadcast_to", x)
    cdef Tensor view
    if not broadcast_strides(source.ndim, source.dims, source.steps, ndim, dims, steps):
        raise ValueError(
            f"broadcast_to: shape {source.shape} cannot be broadcast to {shape_tuple(ndim, dims)}"
        )
    if not has_layout(source):
        sizes = shape_tuple(ndim, dims)
        if sizes == source.shape:
            return in_class_of(view_all(source), source)  # writeable if `source` is
        return dispatched("broadcast_to", (source, sizes), {})
    view = view_of(source, ndim)
    memcpy(view.dims, dims, ndim * sizeof(Py_ssize_t))
    memcpy(view.steps, steps, ndim * sizeof(Py_ssize_t))
    check_size("broadcast_to", view.code, view.ndim, view.dims)
    finish_view(view)
    if view.count != source.count:
        view.flags &= ~WRITEABLE  # writing to one element would change several
    return view


cpdef Tensor expand_dims(object x, object axis):
    """Return `x` with new axes of size 1 at the positions `axis` of the result."""
    cdef Axes axes
    cdef Tensor source, view
    cdef cppbool marked[MAX_NDIM]
    cdef Py_ssize_t ndim, k, old
    read_named_axes("expand_dims", axis, &axes)
    source = as_tensor("expand_dims", x)
    ndim = source.ndim + axes.count
    if ndim > MAX_NDIM:
        raise ValueError(f"expand_dims: arrays have at most {MAX_NDIM} dimensions, got {ndim}")
    mark_axes("expand_dims", &axes, ndim, marked)
    if not has_layout(source):
        sizes = iter(source.shape)
        return reshape(source, tuple([1 if marked[k] else next(sizes) for k in range(ndim)]))
    view = view_of(source, ndim)
    old = 0
    for k in range(ndim):
        if marked[k]:
            view.dims[k] = 1
            view.steps[k] = dtype_itemsize[view.code]
        else:
            view.dims[k] = source.dims[old]
            view.steps[k] = source.steps[old]
            old += 1
    finish_view(view)
    return view


cpdef Tensor squeeze(object x, object axis):
    """Return `x` without the axes `axis`, which must have size 1."""
    cdef Axes axes
    cdef Tensor source, view
    cdef cppbool marked[MAX_NDIM]
    cdef Py_ssize_t ndim = 0
    cdef Py_ssize_t k
    read_axes("squeeze", axis, &axes)
    source = as_tensor("squeeze", x)
    mark_axes("squeeze", &axes, source.ndim, marked)
    for k in range(source.ndim):
        if not marked[k]:
            ndim += 1
        elif source.dims[k] != 1:
            raise ValueError(
                f"squeeze: axis {k} has size {source.dims[k]}; only axes of size 1 can go"
            )
    if not has_layout(source):
        return reshape(source, tuple([source.dims[k] for k in range(source.ndim) if not marked[k]]))
    view = view_of(source, ndim)
    ndim = 0
    for k in range(source.ndim):
        if not marked[k]:
            view.dims[ndim] = source.dims[k]
            view.steps[ndim] = source.steps[k]
            ndim += 1
    finish_view(view)
    return view


cpdef Tensor flip(object x, object axis=None):
    """Return `x` with the order of elements along `axis` reversed; None: along every axis."""
    cdef Axes axes
    cdef Tensor source, view
    cdef cppbool marked[MAX_NDIM]
    cdef int k
    read_axes("flip", axis, &axes)
    source = as_tensor("flip", x)
    mark_axes("flip", &axes, source.ndim, marked)
    if not has_layout(source):
        return dispatched("flip", (source,), {"axis": plain_axes(&axes)})
    view = view_of(source, source.ndim)
    for k in range(source.ndim):
        view.dims[k] = source.dims[k]
        view.steps[k] = source.steps[k]
        if marked[k] and source.count:
            view.data += (source.dims[k] - 1) * source.steps[k]
            view.steps[k] = -source.steps[k]
    finish_view(view)
    return view
