# The table of named operations: what `execute` and `create` accept, and the checks of arguments
# that they make before a backend sees an operation.
#
# An operation is entered with the arguments of the standard's function. Each argument has a check,
# which returns it as backends expect it (arrays as tensors of a dtype that the operation takes,
# axes counted from 0, ...). Operations that have a function of their own in the core, which checks
# all of its arguments and calls the backend, name that function; most of their arguments have no
# check here.

ctypedef object (*parameter_check)(str function, Parameter parameter, object value, list values)
ctypedef object (*arguments_check)(str function, list values)


@cython.final
cdef class Parameter:
    """A parameter of a named operation."""

    cdef str name
    cdef parameter_check check     # NULL: passed on as it is
    cdef bint required
    cdef object default
    cdef tuple allowed            # the choices, where there are some


@cython.final
cdef class NamedOperation:
    """A row of the table."""

    cdef str name
    cdef list parameters
    cdef Py_ssize_t positional    # how many of them a call may give by position
    cdef bint variadic            # whether the first argument is a tuple of all positional ones
    cdef arguments_check check    # checks arguments against each other; may know the result
    cdef object function          # computes the operation; None: the backend does
    cdef object own               # the CPU's own function, where there is one


# Name -> NamedOperation.
cdef dict OPERATIONS = {}


cdef Parameter required(str name, parameter_check check):
    cdef Parameter parameter = Parameter.__new__(Parameter)
    parameter.name = PyUnicode_InternFromString(name.encode())
    parameter.check = check
    parameter.required = True
    return parameter


cdef Parameter optional(str name, parameter_check check, object default, tuple allowed=None):
    cdef Parameter parameter = required(name, check)
    parameter.required = False
    parameter.default = default
    parameter.allowed = allowed
    return parameter


cdef NamedOperation enter(
    str name, object function, list positional, list keywords, arguments_check check=NULL,
):
    cdef NamedOperation row = NamedOperation.__new__(NamedOperation)
    row.name = PyUnicode_InternFromString(name.encode())
    row.function = function
    row.parameters = positional + keywords
    row.positional = len(positional)
    row.check = check
    row.own = OWN.get(name) if function is None else None
    OPERATIONS[row.name] = row
    return row


cdef NamedOperation find_operation(object name):
    """The row of an operation; ValueError when the standard has no such operation."""
    row = OPERATIONS.get(name) if type(name) is str else None
    if row is None:
        raise ValueError(
            f"execute: there is no operation {name!r}; allowed: the names of the array API "
            "standard's functions, those of extensions as 'linalg.svd'"
        )
    return row


def named_operations():
    """Return the operations of `execute`: name -> (names of the parameters that may be given by
    position, names of those that may not).
    """
    cdef NamedOperation row
    cdef Parameter parameter
    found = {}
    for name, row in OPERATIONS.items():
        names = tuple([parameter.name for parameter in row.parameters])
        found[name] = names[:row.positional], names[row.positional:]
    return found


cdef list bound_arguments(NamedOperation row, tuple inputs, dict params):
    """The arguments of a call in the order of the row, with defaults for those not given."""
    cdef Py_ssize_t given = len(inputs)
    cdef Py_ssize_t named = 0 if params is None else len(params)
    cdef Py_ssize_t k
    cdef list values = list(inputs)
    cdef Parameter parameter
    if given > row.positional:
        raise TypeError(
            f"{row.name}: expected at most {row.positional} positional "
            f"argument{'' if row.positional == 1 else 's'}, got {given}"
        )
    for k in range(given, len(row.parameters)):
        parameter = <Parameter>row.parameters[k]
        if named and parameter.name in params:
            values.append(params[parameter.name])
            named -= 1
        elif parameter.required:
            raise TypeError(f"{row.name}: argument {parameter.name} is missing")
        else:
            values.append(parameter.default)
    if named:
        names = [(<Parameter>parameter).name for parameter in row.parameters]
        raise TypeError(
            f"{row.name}: got unexpected or repeated arguments "
            f"{', '.join([str(name) for name in params if name not in names[given:]])}; "
            f"allowed: {', '.join(names)}"
        )
    return values


cpdef object execute(str operation, tuple inputs, dict params=None):
    """Compute any operation of the standard, by its name, on the device of its inputs.

    Parameters
    ----------
    operation : str
        The standard's name; functions of an extension as ``"linalg.svd"``.
    inputs : tuple
        The function's positional arguments.
    params : dict, optional
        Its keyword arguments.
    """
    cdef NamedOperation row = find_operation(operation)
    if inputs is None:
        raise TypeError(f"{operation}: inputs must be a tuple, got None")
    return computed(row, bound_arguments(row, (inputs,) if row.variadic else inputs, params))


cdef object compute(str operation, tuple arguments):
    """`execute` with all arguments of the operation in the order of the table."""
    return computed(find_operation(operation), list(arguments))


cdef object computed(NamedOperation row, list values):
    """Check the arguments of an operation, and have its function or the backend compute it."""
    cdef Parameter parameter
    cdef dict rest
    cdef Py_ssize_t k
    for k in range(len(values)):
        parameter = <Parameter>row.parameters[k]
        if parameter.check != NULL:
            values[k] = parameter.check(row.name, parameter, values[k], values)
    if row.check != NULL:
        result = row.check(row.name, values)
        if result is not None:
            return result
    if row.own is not None and are_on_cpu(values):
        result = call_with(row.own, tuple(values), None)
        if result is not NotImplemented:
            return result
    rest = {}
    for k in range(row.positional, len(values)):
        rest[(<Parameter>row.parameters[k]).name] = values[k]
    if row.function is None:
        return dispatched(row.name, tuple(values[:row.positional]), rest)
    return call_with(row.function, tuple(values[:row.positional]), rest)


cdef bint are_on_cpu(list values) noexcept:
    for value in values:
        if type(value) is Tensor and (<Tensor>value).device_ is not CPU:
            return False
    return True


cpdef object create(str operation, object device, tuple inputs, dict params=None):
    """Compute a creation operation of the standard on `device` (None: the default device)."""
    return execute(operation, inputs, {**({} if params is None else params), "device": device})


cdef object execute_on(Backend backend, str operation, tuple inputs, dict params):
    """`execute` as the method of a backend that computes only on its own tensors."""
    cdef Tensor x
    find_operation(operation)
    for x in tensors_in(() if inputs is None else inputs, params):
        if x.device_.backend is not backend:
            raise TypeError(f"{operation}: expected tensors of {backend!r}, got one on {x.device_}")
    return execute(operation, inputs, params)


cdef object create_on(
    Backend backend, str operation, tuple inputs, dict params, Device device
):
    """`create` as the method of a backend."""
    if device is None or device.backend is not backend:
        raise TypeError(f"{operation}: expected a device of {backend!r}, got {device!r}")
    return create(operation, device, inputs, params)


# ---- checks of one argument

cdef object an_array(str function, Parameter parameter, object value, list values):
    """A tensor of any dtype."""
    return value if type(value) is Tensor else as_tensor(function, value)


cdef object floating(str function, Parameter parameter, object value, list values):
    """A tensor of floating-point numbers."""
    return floating_operand(function, value)


cdef object matrices(str function, Parameter parameter, object value, list values):
    """A stack of matrices of floating-point numbers."""
    cdef Tensor x = floating_operand(function, value)
    require_least_rank(function, parameter.name, x, 2)
    return x


cdef object matrices_of_any_dtype(str function, Parameter parameter, object value, list values):
    """A stack of matrices."""
    cdef Tensor x = as_tensor(function, value)
    require_least_rank(function, parameter.name, x, 2)
    return x


cdef object square(str function, Parameter parameter, object value, list values):
    """A stack of square matrices of floating-point numbers."""
    cdef Tensor x = floating_operand(function, value)
    if x.rank < 2 or x.dims[x.rank - 1] != x.dims[x.rank - 2]:
        raise ValueError(f"{function}: x must have shape (..., M, M), got shape {x.shape}")
    return x


cdef object integer(str function, Parameter parameter, object value, list values):
    return as_integer(function, parameter.name, value)


cdef object diagonal_offset(str function, Parameter parameter, object value, list values):
    """The number of a diagonal; all beyond the matrices `values[0]` are the same one."""
    cdef Tensor x = values[0]
    return clamped(
        as_integer(function, parameter.name, value), -x.dims[x.rank - 2], x.dims[x.rank - 1]
    )


cdef object flag(str function, Parameter parameter, object value, list values):
    return truth(function, parameter.name, value)


cdef object word(str function, Parameter parameter, object value, list values):
    """One of the choices of the argument; None stands for the default."""
    value = choice(function, parameter.name, value, parameter.allowed)
    return parameter.default if value is None else value


cdef object one_axis(str function, Parameter parameter, object value, list values):
    """An axis of `values[0]`, or None."""
    cdef Tensor x
    if value is None:
        return None
    x = as_tensor(function, values[0])
    return normalize_axis(function, value, x.rank)


cdef object tolerance(str function, Parameter parameter, object value, list values):
    """None, a number, or a tensor with one for each of the matrices `values[0]`."""
    cdef Tensor x = values[0]
    cdef Tensor rtol
    if value is None or is_scalar(value):
        return None if value is None else real_number(function, parameter.name, value)
    rtol = as_tensor(function, value)
    if not is_floating(rtol.code):
        raise TypeError(
            f"{function}: rtol must have a real floating-point dtype, got {DTYPES[rtol.code]}"
        )
    check_stacks(function, x.rank - 2, x.dims, rtol.rank, rtol.dims)
    return rtol


cdef int check_stacks(
    str function, Py_ssize_t rank1, const Py_ssize_t* dims1, Py_ssize_t rank2,
    const Py_ssize_t* dims2,
) except -1:
    """Raise unless two shapes broadcast together."""
    cdef Operand operands[2]
    cdef Py_ssize_t shape[MAX_RANK]
    cdef Py_ssize_t rank
    operands[0].rank, operands[0].dims = rank1, dims1
    operands[1].rank, operands[1].dims = rank2, dims2
    return broadcast_into(function, operands, 2, &rank, shape)


# ---- checks of arguments against each other

cdef object of_one_dtype(str function, list values):
    """Two operands in the dtype that they promote to."""
    values[0], values[1] = pair(function, values[0], values[1])


cdef object vectors_of_three(str function, list values):
    """The operands and the axis of a cross product."""
    cdef Tensor a, b
    cdef Py_ssize_t axis
    a, b = pair(function, values[0], values[1])
    if a.code == DTYPE_bool:
        raise TypeError(f"{function}: dtype bool is not supported; allowed: numeric dtypes")
    require_least_rank(function, "x1", a, 1)
    require_least_rank(function, "x2", b, 1)
    axis = common_axis(function, values[2], a, b)
    if a.dims[a.rank + axis] != 3 or b.dims[b.rank + axis] != 3:
        raise ValueError(
            f"{function}: x1 and x2 must have size 3 along axis {axis}, "
            f"got shapes {a.shape} and {b.shape}"
        )
    check_stacks(function, a.rank, a.dims, b.rank, b.dims)
    values[0], values[1], values[2] = a, b, axis


# ---- the table

cdef int _enter_shapes_of_work() except -1:
    """Enter the operations of kernels/operations.def, whose dtypes are checked with the kernels."""
    cdef Parameter x = required("x", NULL)
    cdef Parameter axis = optional("axis", NULL, None)
    cdef Parameter one = optional("axis", one_axis, None)
    cdef Parameter keepdims = optional("keepdims", flag, False)
    cdef Parameter dtype = optional("dtype", NULL, None)
    cdef Parameter correction = optional("correction", NULL, 0.0)
    cdef Parameter include_initial = optional("include_initial", flag, False)
    cdef list operands = [required("x1", NULL), required("x2", NULL)]
    cdef list keywords
    cdef Shape shape
    cdef int op
    for op in range(OP_COUNT):
        shape = operations[op].shape
        if shape == SHAPE_unary:
            enter(NAMES[op], functools.partial(unary, op), [x], [])
        elif shape == SHAPE_binary:
            enter(NAMES[op], functools.partial(binary, op), operands, [])
        elif shape == SHAPE_scan:
            enter(NAMES[op], functools.partial(scan, op), [x], [axis, dtype, include_initial])
        elif shape == SHAPE_reduce:
            keywords = [axis, keepdims]
            if op == OP_argmax or op == OP_argmin:
                keywords[0] = one
            if op == OP_sum or op == OP_prod:
                keywords.append(dtype)
            elif op == OP_std or op == OP_var:
                keywords.append(correction)
            enter(NAMES[op], functools.partial(reduce, op), [x], keywords)
    enter("where", where, [required("condition", NULL), *operands], [])
    enter("clip", clip, [x, optional("min", NULL, None), optional("max", NULL, None)], [])
    return 0


cdef int _enter_creation() except -1:
    cdef Parameter x = required("x", NULL)
    cdef Parameter shape = required("shape", NULL)
    cdef Parameter value = required("fill_value", NULL)
    cdef Parameter k = optional("k", NULL, 0)
    cdef list where_ = [optional("dtype", NULL, None), optional("device", NULL, None)]
    for name, initial in (("empty", None), ("zeros", 0), ("ones", 1)):
        enter(name, functools.partial(full, name, value=initial), [shape], where_)
        name += "_like"
        enter(name, functools.partial(full_like, name, value=initial), [x], where_)
    enter("full", full_with, [shape, value], where_)
    enter("full_like", full_like_with, [x, value], where_)
    enter("arange", arange, [
        required("start", NULL), optional("stop", NULL, None), optional("step", NULL, 1),
    ], where_)
    enter("linspace", linspace, [
        required("start", NULL), required("stop", NULL), required("num", NULL),
    ], [*where_, optional("endpoint", flag, True)])
    enter("eye", eye, [required("n_rows", NULL), optional("n_cols", NULL, None)], [k, *where_])
    enter("tril", functools.partial(triangle, "tril"), [x], [k])
    enter("triu", functools.partial(triangle, "triu"), [x], [k])
    enter("meshgrid", meshgrid, [required("arrays", NULL)], [
        optional("indexing", word, "xy", ("xy", "ij")),
    ]).variadic = True
    for name in ("fft.fftfreq", "fft.rfftfreq"):
        enter(name, functools.partial(frequencies, name), [required("n", NULL)], [
            optional("d", NULL, 1.0), *where_,
        ])
    return 0


cdef int _enter_movement() except -1:
    cdef Parameter x = required("x", NULL)
    cdef Parameter arrays = required("arrays", NULL)
    cdef Parameter shape = required("shape", NULL)
    cdef Parameter axis = required("axis", NULL)
    cdef Parameter first = optional("axis", NULL, 0)
    cdef Parameter last = optional("axis", NULL, -1)
    cdef Parameter any_axis = optional("axis", NULL, None)
    cdef Parameter copy = optional("copy", NULL, None)
    cdef list order = [
        last, optional("descending", flag, False), optional("stable", flag, True),
    ]
    enter("astype", astype, [x, required("dtype", NULL)], [
        optional("copy", flag, True), optional("device", NULL, None),
    ])
    enter("broadcast_arrays", broadcast_arrays, [arrays], []).variadic = True
    enter("broadcast_to", broadcast_to, [x, shape], [])
    enter("concat", concat, [arrays], [first])
    enter("expand_dims", expand_dims, [x, axis], [])
    enter("flip", flip, [x], [any_axis])
    enter("matrix_transpose", matrix_transpose, [x], [])
    enter("moveaxis", moveaxis, [x, required("source", NULL), required("destination", NULL)], [])
    enter("permute_dims", permute_dims, [x, required("axes", NULL)], [])
    enter("repeat", repeat, [x, required("repeats", NULL)], [any_axis])
    enter("reshape", reshape, [x, shape], [copy])
    enter("roll", roll, [x, required("shift", NULL)], [any_axis])
    enter("squeeze", squeeze, [x, axis], [])
    enter("stack", stack, [arrays], [first])
    enter("tile", tile, [x, required("repetitions", NULL)], [])
    enter("unstack", unstack, [x], [first])
    enter("take", take, [x, required("indices", NULL)], [any_axis])
    enter("take_along_axis", take_along_axis, [x, required("indices", NULL)], [last])
    enter("argsort", argsort, [x], order)
    enter("sort", sort, [x], order)
    enter("diff", diff, [x], [
        last, optional("n", NULL, 1), optional("prepend", NULL, None),
        optional("append", NULL, None),
    ])
    enter("nonzero", nonzero, [x], [])
    enter("searchsorted", searchsorted, [required("x1", NULL), required("x2", NULL)], [
        optional("side", NULL, "left"), optional("sorter", NULL, None),
    ])
    enter("isin", None, [required("x1", NULL), required("x2", NULL)], [
        optional("invert", flag, False),
    ], of_one_dtype)
    for name in ("unique_all", "unique_counts", "unique_inverse", "unique_values"):
        enter(name, None, [required("x", an_array)], [])
    return 0


cdef int _enter_linear_algebra() except -1:
    cdef list operands = [required("x1", NULL), required("x2", NULL)]
    cdef Parameter axis = optional("axis", NULL, -1)
    cdef Parameter keepdims = optional("keepdims", flag, False)
    cdef Parameter rtol = optional("rtol", tolerance, None)
    cdef Parameter stack = required("x", matrices)
    for prefix in ("", "linalg."):
        enter(prefix + "matmul", matmul, operands, [])
        enter(prefix + "matrix_transpose", matrix_transpose, [required("x", NULL)], [])
        enter(prefix + "tensordot", tensordot, operands, [optional("axes", NULL, 2)])
        enter(prefix + "vecdot", vecdot, operands, [axis])
    for name in ("det", "eig", "eigh", "eigvals", "eigvalsh", "inv", "slogdet"):
        enter("linalg." + name, None, [required("x", square)], [])
    enter("linalg.cholesky", None, [required("x", square)], [optional("upper", flag, False)])
    enter("linalg.cross", None, operands, [axis], vectors_of_three)
    enter("linalg.diagonal", None, [required("x", matrices_of_any_dtype)], [
        optional("offset", diagonal_offset, 0),
    ])
    enter("linalg.matrix_norm", None, [stack], [
        keepdims,
        optional("ord", word, "fro", ("fro", "nuc", 1, -1, 2, -2, INFINITY, -INFINITY, None)),
    ])
    enter("linalg.matrix_power", None, [required("x", square), required("n", integer)], [])
    enter("linalg.matrix_rank", None, [stack], [rtol])
    enter("linalg.outer", outer, operands, [])
    enter("linalg.pinv", None, [stack], [rtol])
    enter("linalg.qr", None, [stack], [
        optional("mode", word, "reduced", ("reduced", "complete")),
    ])
    enter("linalg.solve", solve, operands, [])
    enter("linalg.svd", None, [stack], [optional("full_matrices", flag, True)])
    enter("linalg.svdvals", None, [stack], [])
    enter("linalg.trace", trace, [required("x", NULL)], [
        optional("offset", NULL, 0), optional("dtype", NULL, None),
    ])
    enter("linalg.vector_norm", vector_norm, [required("x", NULL)], [
        optional("axis", NULL, None), keepdims, optional("ord", NULL, 2),
    ])
    return 0


cdef int _enter_transforms() except -1:
    cdef Parameter norm = optional("norm", word, "backward", ("backward", "ortho", "forward"))
    cdef list along = [optional("n", NULL, None), optional("axis", NULL, -1), norm]
    cdef list over = [optional("s", NULL, None), optional("axes", NULL, None), norm]
    cdef Parameter x = required("x", transform_operand)
    cdef Parameter complex_ = required("x", complex_transform_operand)
    cdef Parameter real = required("x", real_transform_operand)
    enter("fft.fft", None, [x], along, transform_size)
    enter("fft.ifft", None, [complex_], along, transform_size)
    enter("fft.rfft", None, [real], along, transform_size)
    enter("fft.irfft", None, [complex_], along, half_transform_size)
    enter("fft.hfft", None, [complex_], along, half_transform_size)
    enter("fft.ihfft", None, [real], along, transform_size)
    enter("fft.fftn", None, [x], over, transform_sizes)
    enter("fft.ifftn", None, [complex_], over, transform_sizes)
    enter("fft.rfftn", None, [real], over, real_transform_sizes)
    enter("fft.irfftn", None, [complex_], over, half_transform_sizes)
    for name in ("fft.fftshift", "fft.ifftshift"):
        enter(name, functools.partial(shifted, name), [required("x", NULL)], [
            optional("axes", NULL, None),
        ])
    return 0


_enter_shapes_of_work()
_enter_creation()
_enter_movement()
_enter_linear_algebra()
_enter_transforms()
