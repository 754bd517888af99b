# Named operations: the arguments of `execute` and `create`, and their checks before a call of a
# backend. The table is generated from schema/operations.def.
#
# An operation is entered with the arguments of the standard's function. Each argument has a check,
# which returns it in the form that backends expect (arrays as tensors of an accepted dtype, axes
# counted from 0, ...). For an operation with a function in the core, the row names that function,
# which checks its arguments and calls the backend; most of the arguments have no check here.
#
# Needs arguments, checks, classes, convert, dispatch, dtypes, operands, tensor, cpu/backend.

@cython.final
cdef class Parameter:
    """A parameter of a named operation."""


@cython.final
cdef class NamedOperation:
    """A row of the table."""

    cdef str name
    cdef list parameters
    cdef Py_ssize_t positional    # how many of them a call may give by position
    cdef bint variadic            # whether the first argument is a tuple of all positional ones
    cdef bint narrow              # whether some argument may not have every dtype
    cdef object function          # computes the operation; None: the backend does
    cdef object on_cpu            # the CPU's function, where there is one


# Name -> NamedOperation.
cdef dict OPERATIONS = {}
cdef bint entered = False   # whether all are in it


def complete_operations():
    """Note that all operations have been entered."""
    global entered
    entered = True


cdef dict all_operations():
    """OPERATIONS; what enters them imports all families, and is imported at the first use."""
    if not entered:
        importlib.import_module("corepy._cython.operations")
    return OPERATIONS


cdef Parameter required(str name, parameter_check check, int accepts):
    cdef Parameter parameter = Parameter.__new__(Parameter)
    parameter.name = PyUnicode_InternFromString(name.encode())
    parameter.check = check
    parameter.accepts = <Category>accepts
    parameter.required = True
    return parameter


cdef Parameter optional(
    str name, parameter_check check, int accepts, object default, tuple allowed
):
    cdef Parameter parameter = required(name, check, accepts)
    parameter.required = False
    parameter.default = default
    parameter.allowed = allowed
    return parameter


cdef int enter(
    str name, object function, list positional, list keywords, bint variadic
) except -1:
    cdef NamedOperation row = NamedOperation.__new__(NamedOperation)
    cdef Parameter parameter
    row.name = PyUnicode_InternFromString(name.encode())
    row.function = function
    row.parameters = positional + keywords
    row.positional = len(positional)
    for parameter in row.parameters:
        row.narrow |= parameter.accepts != CATEGORY_all
    row.variadic = variadic
    row.on_cpu = CPU_IMPLEMENTATIONS.get(name) if function is None else None
    OPERATIONS[row.name] = row
    return 0


cdef NamedOperation find_operation(object name):
    """The row of an operation; ValueError if the standard has no such operation."""
    row = all_operations().get(name) if type(name) is str else None
    if row is None:
        near = ""
        if type(name) is str:
            import difflib
            near = "".join(
                [f"; did you mean {found!r}?" for found in
                 difflib.get_close_matches(name, all_operations(), 1)]
            )
        raise ValueError(
            f"execute: there is no operation {name!r}{near}; allowed: the names of the array API "
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
    for name, row in all_operations().items():
        names = tuple([parameter.name for parameter in row.parameters])
        found[name] = names[:row.positional], names[row.positional:]
    return found


def function_of(str operation not None):
    """Return the core's function that computes an operation from its arguments."""
    return find_operation(operation).function


def default_parameters(str operation not None):
    """Return the keyword arguments of an operation of `execute` that have a default, with it."""
    cdef NamedOperation row = find_operation(operation)
    cdef Parameter parameter
    return {
        parameter.name: parameter.default
        for parameter in row.parameters[row.positional:] if not parameter.required
    }


# Name -> number, of the operations that have one.
cdef dict NUMBERS = {NAMES[k]: k for k in range(<int>OP_COUNT)}


def accepted_dtypes(str operation not None):
    """Return the dtypes that arrays of an operation may have: names of parameters -> a number with
    a bit for each code; empty if there is no such operation.

    Where an operation takes two arrays of numbers, one of them may be of bools.
    """
    cdef NamedOperation row = all_operations().get(operation)
    cdef Parameter parameter
    cdef Category category
    cdef int code
    cdef dict found = {}
    if row is None:
        return found
    number = NUMBERS.get(operation)
    for parameter in row.parameters:
        category = parameter.accepts if number is None else operations[<int>number].category
        bits = sum([1 << code for code in range(<int>DTYPE_COUNT)
                    if accepts(category, <Dtype>code)])
        if number is not None and row.positional > 1:
            bits |= 1 << <int>DTYPE_bool
        found[parameter.name] = bits
    return found


cdef bint is_accepted(NamedOperation row, int code) except -1:
    """Whether the first array of an operation may have a dtype."""
    number = NUMBERS.get(row.name)
    if number is not None:
        return accepts(operations[<int>number].category, <Dtype>code)
    return not row.parameters or accepts((<Parameter>row.parameters[0]).accepts, <Dtype>code)


cdef list bound_arguments(NamedOperation row, tuple inputs, dict params):
    """The arguments of a call in the order of the row, with defaults for missing ones."""
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
    """Check the arguments of an operation, and call its function or the backend."""
    return result_of(checked_and_computed(row, values), tuple(values))


cdef object checked_and_computed(NamedOperation row, list given):
    cdef Parameter parameter
    cdef dict rest
    cdef Py_ssize_t k
    cdef list values = list(given)
    cdef bint plain = are_plain(values)
    check_arguments(row, values)
    if not plain:
        # Code of one argument may have changed the shape of another after its check. What the
        # checks return is plain, so that these run no code of arguments.
        check_arguments(row, values)
    if row.narrow:
        for k in range(len(values)):
            parameter = <Parameter>row.parameters[k]
            if is_tensor(values[k]):
                require_dtype(
                    row.name, parameter.name, (<Tensor>values[k]).code, parameter.accepts
                )
    if row.on_cpu is not None and are_on_cpu(values):
        result = call_on_cpu(row.on_cpu, tuple(values), None)
        if result is not NotImplemented:
            return result
    rest = {}
    for k in range(row.positional, len(values)):
        rest[(<Parameter>row.parameters[k]).name] = values[k]
    if row.function is None:
        return dispatched(row.name, tuple(values[:row.positional]), rest)
    return call_with(row.function, tuple(values[:row.positional]), rest)


cdef int check_arguments(NamedOperation row, list values) except -1:
    """Replace the arguments by what their checks return."""
    cdef Parameter parameter
    cdef Py_ssize_t k
    for k in range(len(values)):
        parameter = <Parameter>row.parameters[k]
        if parameter.check != NULL:
            values[k] = parameter.check(row.name, parameter, values[k], values)
    return 0


cdef bint are_plain(list values) noexcept:
    """Whether conversions of all arguments run no code but Corepy's."""
    for value in values:
        if not is_tensor(value) and value is not None and not PyLong_CheckExact(value) \
                and not PyBool_Check(value) and not PyFloat_CheckExact(value) \
                and type(value) is not str:
            return False
    return True


cdef bint are_on_cpu(list values) noexcept:
    for value in values:
        if is_tensor(value) and not in_host_memory(<Tensor>value):
            return False
    return True


cpdef object create(str operation, object device, tuple inputs, dict params=None):
    """Compute a creation operation of the standard on `device` (None: the default device)."""
    return execute(operation, inputs, {**({} if params is None else params), "device": device})


# ---- checks of one argument

cdef object an_array(str function, Parameter parameter, object value, list values):
    """A tensor of any dtype, or None if the argument is optional."""
    if is_tensor(value) or (value is None and not parameter.required):
        return value
    return as_tensor(function, value)


cdef object an_operand(str function, Parameter parameter, object value, list values):
    """The same, or a Python scalar."""
    return value if is_scalar(value) else an_array(function, parameter, value, values)


cdef object floating(str function, Parameter parameter, object value, list values):
    """A tensor of floating-point numbers."""
    return floating_operand(function, value)


cdef object matrices(str function, Parameter parameter, object value, list values):
    """A stack of matrices of floating-point numbers."""
    cdef Tensor x = floating_operand(function, value)
    require_least_ndim(function, parameter.name, x, 2)
    return x


cdef object matrices_of_any_dtype(str function, Parameter parameter, object value, list values):
    """A stack of matrices."""
    cdef Tensor x = as_tensor(function, value)
    require_least_ndim(function, parameter.name, x, 2)
    return x


cdef object square(str function, Parameter parameter, object value, list values):
    """A stack of square matrices of floating-point numbers."""
    cdef Tensor x = floating_operand(function, value)
    if x.ndim < 2 or x.dims[x.ndim - 1] != x.dims[x.ndim - 2]:
        raise np.linalg.LinAlgError(
            f"{function}: x must be square, of shape (..., M, M), got shape {x.shape}"
        )
    return x


cdef object integer(str function, Parameter parameter, object value, list values):
    return as_integer(function, parameter.name, value)


cdef object diagonal_offset(str function, Parameter parameter, object value, list values):
    """The number of a diagonal, clamped to the matrices `values[0]`: beyond them all are empty."""
    cdef Py_ssize_t number = read_integer(function, parameter.name, value)
    cdef Tensor x = values[0]
    require_least_ndim(function, "x", x, 2)
    return min(max(number, -x.dims[x.ndim - 2]), x.dims[x.ndim - 1])


cdef object flag(str function, Parameter parameter, object value, list values):
    return truth(function, parameter.name, value)


cdef object word(str function, Parameter parameter, object value, list values):
    """One of the choices of the argument; None is the default."""
    value = choice(function, parameter.name, value, parameter.allowed)
    return parameter.default if value is None else value


cdef object one_axis(str function, Parameter parameter, object value, list values):
    """An axis of `values[0]`, or None."""
    cdef Tensor x
    cdef Py_ssize_t axis
    if value is None:
        return None
    axis = read_axis(function, value)
    x = as_tensor(function, values[0])
    return normalize_axis(function, axis, x.ndim)


cdef object tolerance(str function, Parameter parameter, object value, list values):
    """None, a number, or a tensor with one for each of the matrices `values[0]`."""
    cdef Tensor x = values[0]
    cdef Tensor rtol
    if value is None or is_scalar(value):
        return None if value is None else real_number(function, parameter.name, value)
    rtol = as_tensor(function, value)
    require_least_ndim(function, "x", x, 2)
    check_stacks(function, x.ndim - 2, x.dims, rtol.ndim, rtol.dims)
    return rtol


cdef int check_stacks(
    str function, Py_ssize_t ndim1, const Py_ssize_t* dims1, Py_ssize_t ndim2,
    const Py_ssize_t* dims2,
) except -1:
    """Raise unless two shapes broadcast together."""
    cdef Operand operands[2]
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef Py_ssize_t ndim
    operands[0].ndim, operands[0].dims = ndim1, dims1
    operands[1].ndim, operands[1].dims = ndim2, dims2
    return broadcast_into(function, operands, 2, &ndim, shape)


# ---- checks of an argument and the arguments before it, which they may replace in `values`

cdef object axis_of_three(str function, Parameter parameter, object value, list values):
    """The axis of a cross product of two operands, both in their promoted dtype."""
    cdef Tensor a, b
    cdef Py_ssize_t axis = read_axis(function, value)
    a, b = pair(function, values[0], values[1])
    require_least_ndim(function, "x1", a, 1)
    require_least_ndim(function, "x2", b, 1)
    axis = common_axis(function, axis, a, b)
    if a.dims[a.ndim + axis] != 3 or b.dims[b.ndim + axis] != 3:
        raise ValueError(
            f"{function}: x1 and x2 must have size 3 along axis {axis}, "
            f"got shapes {a.shape} and {b.shape}"
        )
    check_stacks(function, a.ndim, a.dims, b.ndim, b.dims)
    values[0], values[1] = a, b
    return axis
