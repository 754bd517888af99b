# What the operators of the Tensor do.


cdef inline bint is_operand(object x):
    """What an operator works with; for anything else it leaves the word to the other operand."""
    return (
        type(x) is Tensor or is_scalar(x) or isinstance(x, (np.ndarray, np.generic, list, tuple))
    )


cdef inline object operate(Operation op, object x1, object x2):
    if is_operand(x2) and is_operand(x1):
        return binary(op, x1, x2)
    return NotImplemented


cdef object operate_inplace(Operation op, Tensor x, object other):
    if not is_operand(other):
        return NotImplemented
    if not is_scalar(other):
        other = operand_like(NAMES[<int>op], other, x.device_)
        if (<Tensor>other).device_ is not x.device_:
            shared_device(NAMES[<int>op], (x, other))
            other = to_device(other, x.device_)
    return x.device_.backend.inplace(op, x, other)


cdef object matmul_inplace(Tensor x, object other):
    result = matmul(x, other)
    if (<Tensor>result).code != x.code or not same_shape(result, x):
        raise ValueError(
            f"matmul: in-place result of shape {result.shape} and dtype {result.dtype} cannot "
            f"be written into a tensor of shape {x.shape} and dtype {x.dtype}"
        )
    x[...] = result
    return x


# Operations by the number that Python gives a comparison: <, <=, ==, !=, >, >=.
cdef Operation[6] COMPARISONS
COMPARISONS[:] = [OP_less, OP_less_equal, OP_equal, OP_not_equal, OP_greater, OP_greater_equal]
