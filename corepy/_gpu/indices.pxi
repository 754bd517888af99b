# Items of an index as tensors on the device; layout/indices.pyx plans indices.

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


cdef list positions_in_mask(object backend, Tensor mask):
    return nonzero_positions(backend, mask)


cdef IndexPlan find_plan(str function, GpuBackend backend, Tensor x, tuple items):
    """The plan of an index with integer arrays or masks; None if it has a 0-d bool."""
    cdef list found = []
    cdef Tensor array
    for item in items:
        array = array_in_key(function, backend, x.device_, item)
        if array is None and isinstance(item, (bool, np.bool_)):
            return None
        if array is not None and array.ndim == 0 and array.code == DTYPE_bool:
            return None
        found.append(array)
    return plan_index(function, x, items, found, positions_in_mask, backend)
