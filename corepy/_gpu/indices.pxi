# What an index with integer arrays asks for.

@cython.final
cdef class Gathering:
    """An index with integer arrays, taken apart: the arrays index axes of `base` from `axis` on,
    one each.
    """

    cdef Tensor base
    cdef int axis
    cdef list arrays
    cdef object named            # the axes that the arrays index, for errors
    cdef bint trusted            # the indices are those of masks: in range, each there once
    cdef Py_ssize_t n            # of the arrays' common shape
    cdef Py_ssize_t index_rank
    cdef int inner               # how many axes of `base` are behind the indexed ones
    cdef Py_ssize_t rank         # of the result
    cdef Py_ssize_t dims[MAX_RANK]


cdef object index_error(str function, str text):
    return IndexError(f"{function}: {text}")


cdef Tensor array_in_key(str function, GpuBackend backend, Device device, object item):
    """An item of an index as a tensor of integers or a mask, on the device; None for others."""
    cdef Tensor x
    if type(item) is Tensor:
        x = item
    elif isinstance(item, (np.ndarray, list)):
        array = np.asarray(item)
        if array.size == 0 and array.dtype.kind == "f":  # an empty list
            array = array.astype(np.int64)
        if array.dtype.kind not in "biu":
            raise index_error(
                function,
                f"arrays that index must have an integer or bool dtype, got {array.dtype}",
            )
        x = backend.from_numpy(array, device)
    else:
        return None
    if is_inexact(x.code):
        raise index_error(
            function,
            f"arrays that index must have an integer or bool dtype, got {DTYPES[x.code]}",
        )
    return x


cdef Gathering gathering_of(
    str function, GpuBackend backend, Tensor base, int axis, list arrays, bint trusted
):
    """The index of `base` by integer arrays from `axis` on."""
    cdef Gathering g = Gathering.__new__(Gathering)
    cdef Operand operands[MAX_RANK]
    cdef Py_ssize_t shape[MAX_RANK]
    cdef Py_ssize_t rank
    cdef int count = <int>len(arrays)
    cdef int k
    for k in range(count):
        set_tensor(&operands[k], arrays[k])
    try:
        broadcast_into(function, operands, count, &rank, shape)
    except ValueError as error:
        raise IndexError(str(error)) from None
    g.inner = base.rank - axis - count
    g.rank = axis + rank + g.inner
    if g.rank > MAX_RANK:
        raise index_error(
            function, f"the result would have {g.rank} dimensions, of at most {MAX_RANK}"
        )
    g.base, g.axis, g.trusted = base, axis, trusted
    g.index_rank = rank
    g.n = 1
    for k in range(rank):
        g.n *= shape[k]
    memcpy(g.dims, base.dims, axis * sizeof(Py_ssize_t))
    memcpy(g.dims + axis, shape, rank * sizeof(Py_ssize_t))
    memcpy(g.dims + axis + rank, base.dims + axis + count, g.inner * sizeof(Py_ssize_t))
    g.arrays = arrays
    return g


cdef Gathering find_gathering(str function, GpuBackend backend, Tensor x, tuple items):
    """What an index with integer arrays or masks asks for; None for one with bools without axes."""
    cdef list plain = []         # the index with slices for arrays
    cdef list arrays = []
    cdef list places = []        # axes of the view that arrays index
    cdef list named = []         # the same axes of `x`
    cdef Gathering g
    cdef int consumed = 0, new = 0, axis, k
    cdef int state = 0           # 0: before the arrays, 1: among them, 2: behind, 3: among again
    cdef bint trusted = True, element
    cdef Tensor array, view
    cdef list found = []
    for item in items:
        array = array_in_key(function, backend, x.device_, item)
        if array is None and isinstance(item, (bool, np.bool_)):
            return None
        if array is not None and array.rank == 0 and array.code == DTYPE_bool:
            return None
        found.append(array)
        if array is not None:
            consumed += array.rank if array.code == DTYPE_bool else 1
        elif item is not None and item is not Ellipsis:
            consumed += 1
    if consumed > x.rank:
        raise index_error(
            function,
            f"too many indices: the tensor has {x.rank} dimensions, but {consumed} were indexed",
        )
    axis = 0
    for item, array in zip(items, found):
        if array is None and (item is None or item is Ellipsis or isinstance(item, slice)):
            if state == 1:
                state = 2
            plain.append(item)
            if item is Ellipsis:
                new += x.rank - consumed
                axis += x.rank - consumed
            else:
                new += 1
                axis += item is not None
            continue
        # With arrays beside it an integer is one, too.
        state = 1 if state < 2 else 3
        if array is None:
            plain.append(item)
            axis += 1
            continue
        if array.code == DTYPE_bool:
            for k in range(array.rank):
                # As the standard has it, a mask's axis may also have no elements.
                if array.dims[k] != x.dims[axis + k] and array.dims[k] != 0:
                    raise index_error(
                        function,
                        f"a mask of shape {array.shape} does not fit the axes from {axis} on of "
                        f"a tensor of shape {x.shape}",
                    )
            arrays.extend(nonzero_positions(backend, array))
            k = array.rank
        else:
            trusted = False
            arrays.append(array)
            k = 1
        places.extend(range(new, new + k))
        named.extend(range(axis, axis + k))
        plain.extend([slice(None)] * k)
        axis += k
        new += k
    view = basic_view(function, x, tuple(plain), &element)
    axis = places[0]
    if state == 3:
        # Arrays apart from each other: their axes come first.
        places.extend([k for k in range(view.rank) if k not in places])
        view = permute_dims(view, tuple(places))
        axis = 0
    g = gathering_of(function, backend, view, axis, arrays, trusted)
    g.named = named
    return g
