# distutils: language = c++
"""dtypes and shapes of results without computing: the rules that the schema names, and the device
``meta``, whose tensors have no elements (as in PyTorch).

Operations on tensors of that device use the common dispatch: arguments are validated and
normalised, views are made, and backend operations call `execute_checked`, where a rule gives dtype
and shape. So arguments are validated in one place, and errors are the same.
"""

cimport cython
from libc.string cimport memcpy
from libcpp cimport bool as cppbool

from corepy._cython.core cimport (
    as_device, as_tensor, Axes, basic_view, broadcast_shapes, CheckedBackend, CODES, common_order,
    Device, DTYPE_bool, DTYPE_complex64, DTYPE_float64, dtype_part, DTYPES,
    execute as execute_operation, expand_dims, floating_code, infer_elementwise, infer_reduction,
    is_complex, is_tensor, mark_axes, MAX_NDIM, Operand, Operation, operation_shape, promoted_all,
    read_axes, reduced_shape, reordered, result_code, set_operand_on, set_tensor, SHAPE_reduce,
    SHAPE_scan, shape_tuple, take_order, Tensor, tensor_at,
)
from corepy._cython.layout.plans cimport count_numbers, grid_axis
from corepy._cython.core import named_operations


# Annotations of parameters that are arrays in schema/operations.def.
cdef enum:
    ARRAY, OPERAND, ARRAYS


class _UnknownSize(Exception):
    """The size of a result depends on elements; the argument is what `infer` returns, by codes."""


cdef class Rules:
    """The rules for the results of an operation."""

    cdef list dtypes       # one for each result, or one for all of them; see `dtype_by_rule`
    cdef list shapes
    cdef int operation     # its number; -1: it has none
    cdef bint several      # whether there are several results
    cdef bint variadic     # whether all positional arguments are arrays
    cdef dict arrays       # parameter that is an array -> ARRAY, OPERAND or ARRAYS

    cdef list results(self, tuple inputs, dict params):
        """The (code, shape) of each result; arguments have been checked."""
        cdef list codes = [dtype_by_rule(rule, inputs, params) for rule in self.dtypes]
        cdef list shapes = [rule(inputs, params) for rule in self.shapes]
        if type(codes[0]) is list:
            codes = codes[0]
        if type(shapes[0]) is list:
            shapes = shapes[0]
        if len(codes) < len(shapes):
            codes = codes * len(shapes)
        return list(zip(codes, shapes))


# Name -> Rules.
cdef dict RULES = {}


cdef int enter_rules(
    str name, int operation, bint several, list dtypes, list shapes, bint variadic, dict arrays
) except -1:
    cdef Rules rules = Rules.__new__(Rules)
    rules.operation = operation
    rules.several = several
    rules.dtypes = dtypes
    rules.shapes = shapes
    rules.variadic = variadic
    rules.arrays = arrays
    RULES[name] = rules
    return 0


@cython.binding(False)
cdef class MetaBackend(CheckedBackend):
    """The backend of tensors without elements."""

    def devices(self):
        return [META]

    cpdef object from_numpy(self, object array, Device device):
        return as_meta(as_tensor("infer", array))

    cpdef object to_numpy(self, Tensor x):
        raise TypeError(
            "infer: the dtype or shape of the result depends on the elements of an argument"
        )

    cpdef object getitem(self, Tensor x, object key):
        cdef bint element
        cdef Tensor view = basic_view("x[index]", x, key, &element)
        if view is None:
            self.to_numpy(x)
        return view

    cpdef object setitem(self, Tensor x, object key, object value):
        raise TypeError("infer: a tensor without elements cannot be written to")

    cpdef object astype(self, Tensor x, object dtype, bint copy):
        cdef Operand operand
        cdef Tensor out
        if not copy and DTYPES[x.code] is dtype:
            return x
        out = meta_tensor(CODES[dtype], x.ndim, x.dims)
        set_operand_on(META, &operand, x)
        take_order(out, &operand, 1)
        return out

    cdef object execute_checked(self, str operation, tuple inputs, dict params):
        cdef Rules rules = RULES[operation]
        cdef list results, made
        cdef Operand operand
        if rules.operation >= 0:
            shape = operation_shape(rules.operation)
            if shape == SHAPE_reduce:
                return reduction(<Operation>rules.operation, inputs[0], params)
            if shape != SHAPE_scan:
                return elementwise(<Operation>rules.operation, inputs)
        results = rules.results(inputs, params)
        made = []
        for code, shape in results:
            if None in shape:
                raise _UnknownSize(results if rules.several else results[0])
            made.append(meta_of(operation, code, shape))
        if rules.operation >= 0:  # a scan
            set_tensor(&operand, <Tensor>inputs[0])
            take_order(<Tensor>made[0], &operand, 1)
        elif operation in KEEPING and params.get("axis", 0) is not None:
            made[0] = in_common_order(made[0], operation, inputs[0], params)
        return tuple(made) if rules.several else made[0]


# Operations whose result keeps the order in memory of an array, or of several.
cdef frozenset KEEPING = frozenset((
    "concat", "fft.fft", "fft.fftn", "fft.hfft", "fft.ifft",
    "fft.ifftn", "fft.ihfft", "fft.irfft", "fft.irfftn", "fft.rfft", "fft.rfftn", "roll", "sort",
    "stack",
))


cdef Tensor in_common_order(Tensor x, str operation, object arrays, dict params):
    cdef Py_ssize_t order[MAX_NDIM]
    cdef Py_ssize_t dims[MAX_NDIM]
    cdef int k
    if type(arrays) is not tuple:
        arrays = (arrays,)
    if operation == "stack":
        arrays = tuple([expand_dims(x, params["axis"]) for x in arrays])
    if not common_order(arrays, order):
        return x
    for k in range(x.ndim):
        dims[k] = x.dims[order[k]]
    return reordered(meta_tensor(x.code, x.ndim, dims), order)


cdef MetaBackend meta = MetaBackend("meta", None, "")
cdef Device META = Device(meta)


cdef Tensor meta_tensor(int code, Py_ssize_t ndim, const Py_ssize_t* shape):
    """A tensor without elements, in C order. Its address, which nothing reads, is not NULL: views
    of such tensors are made like those of others."""
    return tensor_at(META, None, <char*>64, code, ndim, shape)


cdef Tensor meta_of(str operation, int code, tuple shape):
    cdef Py_ssize_t dims[MAX_NDIM]
    cdef Py_ssize_t axis
    if len(shape) > MAX_NDIM:
        raise ValueError(
            f"{operation}: arrays have at most {MAX_NDIM} dimensions, got {len(shape)}"
        )
    if max(shape, default=0) >= 1 << 63:
        raise ValueError(f"{operation}: an array of shape {shape} is too big for memory to address")
    for axis in range(len(shape)):
        dims[axis] = shape[axis]
    return meta_tensor(code, len(shape), dims)


cdef Tensor as_meta(Tensor x):
    """A tensor of the dtype, shape and strides of `x`, without its elements."""
    cdef Tensor out = meta_tensor(x.code, x.ndim, x.dims)
    if x.data != NULL:
        memcpy(out.steps, x.steps, x.ndim * sizeof(Py_ssize_t))
        out.flags = x.flags
    return out


cdef Tensor components(Operation op, Tensor x):
    """The real or imaginary components of `x`: a view, but for zeros."""
    cdef Tensor out = meta_tensor(dtype_part[x.code], x.ndim, x.dims)
    if op == OP_real or is_complex(x.code):
        memcpy(out.steps, x.steps, x.ndim * sizeof(Py_ssize_t))
        out.flags = 0 if is_complex(x.code) else x.flags
    return out


cdef Tensor elementwise(Operation op, tuple inputs):
    """The result of an elementwise operation, in the order in memory that its operands share."""
    cdef Operand operands[3]
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef Py_ssize_t ndim
    cdef Tensor out
    cdef int n = 0
    if op == OP_real or op == OP_imag:
        return components(op, inputs[0])
    for value in inputs:
        if is_tensor(value):  # scalars, limits of clip, do not affect dtype and shape
            set_operand_on(META, &operands[n], value)
            n += 1
    out = meta_tensor(infer_elementwise(op, operands, n, &ndim, shape).result, ndim, shape)
    take_order(out, operands, n)
    return out


cdef Tensor reduction(Operation op, Tensor x, dict params):
    cdef Axes axes
    cdef cppbool marked[MAX_NDIM]
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef Py_ssize_t ndim
    cdef int code
    read_axes("infer", params["axis"], &axes)
    mark_axes("infer", &axes, x.ndim, marked)
    code = infer_reduction(
        op, x.code, x.ndim, x.dims, marked, params["keepdims"], &ndim, shape
    ).result
    dtype = params.get("dtype")
    return meta_tensor(code if dtype is None else CODES[dtype], ndim, shape)


cdef object meta_argument(Rules rules, str name, object value, bint one=False):
    """An argument, if it is an array, as a tensor without elements; the arrays of a sequence, too.

    What is no array is left for the operation to refuse.
    """
    if name not in rules.arrays or value is None:
        return value
    if rules.arrays[name] == ARRAYS and not one:
        if type(value) is not tuple and type(value) is not list:
            return value
        return type(value)([meta_argument(rules, name, item, True) for item in value])
    if rules.arrays[name] == OPERAND and isinstance(value, (bool, int, float, complex)):
        return value
    try:
        return as_meta(as_tensor("infer", value))
    except (TypeError, ValueError, OverflowError):
        return value


cdef object described(object result, bint strides):
    cdef Tensor x
    if is_tensor(result):
        x = result
        description = (DTYPES[x.code], x.shape)
        return (*description, x.strides) if strides else description
    return tuple([described(item, strides) for item in result])


cdef bint is_device(object device) except -1:
    """Whether a function that takes a device takes this one; if not, it is left to refuse it."""
    try:
        as_device(device, "infer")
    except (TypeError, ValueError):
        return False
    return True


cdef object infer_result(str operation, tuple inputs, object params, bint strides):
    cdef Rules rules = RULES.get(operation)
    if inputs is None:
        raise TypeError("infer: inputs must be a tuple, got None")
    params = {} if params is None else dict(params)
    if rules is not None:
        positional, keywords = named_operations()[operation]
        if rules.variadic:
            inputs = tuple([meta_argument(rules, "arrays", value, True) for value in inputs])
        else:
            moved = [
                meta_argument(rules, name, value) for name, value in zip(positional, inputs)
            ]
            inputs = tuple(moved) + inputs[len(positional):]
        params = {key: meta_argument(rules, key, value) for key, value in params.items()}
        if "device" in keywords and is_device(params.get("device")):
            params["device"] = META
    try:
        return described(execute_operation(operation, inputs, params), strides)
    except _UnknownSize as unknown:
        results = unknown.args[0]
        several = type(results) is list
        found = [(DTYPES[code], shape) for code, shape in (results if several else [results])]
        if strides:
            found = [(*each, None) for each in found]
        return tuple(found) if several else found[0]


cpdef object infer(str operation, tuple inputs, dict params=None):
    """Return the dtype and shape of an operation's result without computing it.

    Parameters
    ----------
    operation : str
        The name in the standard; for extensions as ``"linalg.svd"``.
    inputs : tuple
        The function's positional arguments. Only dtype, shape and strides of tensors, on any
        device, and of arrays are used.
    params : dict, optional
        Its keyword arguments.

    Returns
    -------
    tuple
        ``(dtype, shape)``, or a tuple of those for an operation of several results. A size that
        depends on the elements of an argument (`nonzero`, `unique_values`, `repeat`) is None.

    Raises
    ------
    TypeError, ValueError, IndexError
        What the operation itself raises, but for errors that depend on the elements of arguments.

    Examples
    --------
    >>> import corepy
    >>> import corepy.array_api as xp
    >>> corepy.backend.infer("matmul", (xp.ones((2, 3)), xp.ones((3, 4), dtype=xp.float32)))
    (dtype('float64'), (2, 4))
    """
    return infer_result(operation, inputs, params, False)


def infer_layout(str operation, tuple inputs, dict params=None):
    """Return the dtype, shape and strides that `infer` finds on the device ``"cpu"``.

    A result keeps the order in memory that its operands share; strides are in bytes, and None for
    a result of unknown size.
    """
    return infer_result(operation, inputs, params, True)


# ---- rules for dtypes. Inputs are tensors of dtypes that the operation takes, and Python scalars.

cdef object dtype_by_rule(object rule, tuple inputs, dict params):
    """The code by a rule: one of the functions below, or one of C++, a number."""
    cdef int code = DTYPE_bool
    if type(rule) is not int:
        return rule(inputs, params)
    if rule == RESULT_accumulate and params.get("dtype") is not None:
        return CODES[params["dtype"]]
    if is_tensor(inputs[0]):
        code = (<Tensor>inputs[0]).code
    return result_code(rule, code)


def dtype_each(tuple inputs, dict params):
    return [(<Tensor>x).code for x in inputs]


def dtype_given(tuple inputs, dict params):
    dtype = params.get("dtype")
    return <int>DTYPE_float64 if dtype is None else CODES[dtype]


def dtype_promoted(tuple inputs, dict params):
    cdef unsigned int codes = 0
    for value in inputs[0] if type(inputs[0]) is tuple else inputs:
        if is_tensor(value):
            codes |= 1 << (<Tensor>value).code
    return promoted_all(codes)


def dtype_complex(tuple inputs, dict params):
    return promoted_all(1 << floating_code((<Tensor>inputs[0]).code) | 1 << DTYPE_complex64)


# ---- rules for shapes, of arguments as backends are given them: axes are counted from 0

cdef tuple stack_shape(Tensor x):
    return x.shape[:-2]


cdef tuple along_axis(Tensor x, Py_ssize_t axis, object size):
    """The shape of `x` with another size of an axis."""
    return x.shape[:axis] + (size,) + x.shape[axis + 1:]


def shape_same(tuple inputs, dict params):
    return (<Tensor>inputs[0]).shape


def shape_broadcast(tuple inputs, dict params):
    return broadcast_shapes([(<Tensor>x).shape for x in inputs])


def shape_reduced(tuple inputs, dict params):
    cdef Tensor x = inputs[0]
    cdef Axes axes
    cdef cppbool marked[MAX_NDIM]
    cdef Py_ssize_t shape[MAX_NDIM]
    read_axes("infer", params["axis"], &axes)
    mark_axes("infer", &axes, x.ndim, marked)
    return shape_tuple(reduced_shape(x.ndim, x.dims, marked, params["keepdims"], shape), shape)


def shape_scanned(tuple inputs, dict params):
    cdef Tensor x = inputs[0]
    cdef Py_ssize_t axis = params["axis"]
    return along_axis(x, axis, x.dims[axis] + params["include_initial"])


def shape_given(tuple inputs, dict params):
    return inputs[0]


def shape_view(tuple inputs, dict params):
    return inputs[1]


def shape_progression(tuple inputs, dict params):
    return (count_numbers(inputs[0], inputs[1], inputs[2], CODES[params["dtype"]]),)


def shape_matrix(tuple inputs, dict params):
    return inputs[0], inputs[1]


def shape_count(tuple inputs, dict params):
    return (inputs[-1],)


def shape_half_count(tuple inputs, dict params):
    return (inputs[0] // 2 + 1,)


def shape_grid(tuple inputs, dict params):
    sizes = [(<Tensor>x).dims[0] for x in inputs]
    shape = [sizes[grid_axis(k, len(sizes), params["indexing"])] for k in range(len(sizes))]
    return [tuple(shape)] * len(sizes)


def shape_joined(tuple inputs, dict params):
    arrays = inputs[0]
    if params["axis"] is None:
        return (sum([(<Tensor>x).count for x in arrays]),)
    axis = params["axis"]
    return along_axis(arrays[0], axis, sum([x.shape[axis] for x in arrays]))


def shape_stacked(tuple inputs, dict params):
    shape = (<Tensor>inputs[0][0]).shape
    return shape[:params["axis"]] + (len(inputs[0]),) + shape[params["axis"]:]


def shape_repeated(tuple inputs, dict params):
    cdef Tensor x = inputs[0]
    axis = params["axis"]
    size = x.count if axis is None else x.dims[<int>axis]
    total = None if is_tensor(inputs[1]) else size * inputs[1]
    return (total,) if axis is None else along_axis(x, axis, total)


def shape_tiled(tuple inputs, dict params):
    shape, times = (<Tensor>inputs[0]).shape, inputs[1]
    ndim = max(len(shape), len(times))
    shape = (1,) * (ndim - len(shape)) + shape
    times = (1,) * (ndim - len(times)) + times
    return tuple([size * count for size, count in zip(shape, times)])


def shape_taken(tuple inputs, dict params):
    return along_axis(inputs[0], params["axis"], (<Tensor>inputs[1]).count)


def shape_taken_along(tuple inputs, dict params):
    cdef Py_ssize_t axis = params["axis"]
    indices = (<Tensor>inputs[1]).shape
    return broadcast_shapes([along_axis(inputs[0], axis, 1), indices])


def shape_positions(tuple inputs, dict params):
    return [(None,)] * (<Tensor>inputs[0]).ndim


def shape_of_second(tuple inputs, dict params):
    return (<Tensor>inputs[1]).shape


def shape_unknown(inputs, dict params):
    return (None,)


def shape_product(tuple inputs, dict params):
    cdef Tensor a = inputs[0]
    cdef Tensor b = inputs[1]
    stacks = broadcast_shapes([a.shape[:-2], b.shape[:-2]])
    return stacks + a.shape[-2:-1] + (b.shape[-1:] if b.ndim > 1 else ())


def shape_contracted(tuple inputs, dict params):
    kept = [
        x.shape[axis] for x, axes in zip(inputs, params["axes"]) for axis in range(x.ndim)
        if axis not in axes
    ]
    return tuple(kept)


def shape_dotted(tuple inputs, dict params):
    shape = broadcast_shapes([(<Tensor>x).shape for x in inputs])
    axis = len(shape) + params["axis"]
    return shape[:axis] + shape[axis + 1:]


def shape_stack(tuple inputs, dict params):
    return stack_shape(inputs[0])


def shape_ranks(tuple inputs, dict params):
    cdef Tensor x = inputs[0]
    rtol = params["rtol"]
    if not is_tensor(rtol) or 0 in x.shape[-2:]:
        return stack_shape(x)
    return broadcast_shapes([stack_shape(x), (<Tensor>rtol).shape])


def shape_diagonal(tuple inputs, dict params):
    cdef Tensor x = inputs[0]
    rows, columns = x.shape[-2:]
    offset = params["offset"]
    return stack_shape(x) + (max(min(rows + min(offset, 0), columns - max(offset, 0)), 0),)


def shape_vectors(tuple inputs, dict params):
    return (<Tensor>inputs[0]).shape[:-1]


def shape_norm_of_matrices(tuple inputs, dict params):
    return stack_shape(inputs[0]) + ((1, 1) if params["keepdims"] else ())


def shape_outer(tuple inputs, dict params):
    return (<Tensor>inputs[0]).count, (<Tensor>inputs[1]).count


def shape_transposed(tuple inputs, dict params):
    shape = (<Tensor>inputs[0]).shape
    return shape[:-2] + (shape[-1], shape[-2])


def shape_solution(tuple inputs, dict params):
    cdef Tensor a = inputs[0]
    cdef Tensor b = inputs[1]
    if b.ndim == 1:
        return a.shape[:-1]
    return broadcast_shapes([a.shape[:-2], b.shape[:-2]]) + b.shape[-2:]


def shape_singular_values(tuple inputs, dict params):
    cdef Tensor x = inputs[0]
    return stack_shape(x) + (min(x.shape[-2:]),)


def shape_qr_q(tuple inputs, dict params):
    rows, columns = (<Tensor>inputs[0]).shape[-2:]
    inner = rows if params["mode"] == "complete" else min(rows, columns)
    return stack_shape(inputs[0]) + (rows, inner)


def shape_qr_r(tuple inputs, dict params):
    rows, columns = (<Tensor>inputs[0]).shape[-2:]
    inner = rows if params["mode"] == "complete" else min(rows, columns)
    return stack_shape(inputs[0]) + (inner, columns)


def shape_svd_u(tuple inputs, dict params):
    rows, columns = (<Tensor>inputs[0]).shape[-2:]
    return stack_shape(inputs[0]) + (rows, rows if params["full_matrices"] else min(rows, columns))


def shape_svd_vh(tuple inputs, dict params):
    rows, columns = (<Tensor>inputs[0]).shape[-2:]
    inner = columns if params["full_matrices"] else min(rows, columns)
    return stack_shape(inputs[0]) + (inner, columns)


cdef tuple transformed(Tensor x, tuple axes, tuple sizes, bint half):
    """The shape after transforms along axes, one of which may be given twice: the last axis is
    transformed first, but to real numbers it is transformed last.
    """
    cdef list shape = list(x.shape)
    cdef list order = list(zip(axes, sizes))[::-1]
    for axis, size in order[half:] + order[:half]:
        shape[axis] = size
    return tuple(shape)


cdef tuple transform_lengths(tuple inputs, dict params, bint half):
    """Axes and sizes of a transform; `half` says that the last axis has half a spectrum."""
    cdef Tensor x = inputs[0]
    if "axis" in params:
        axes = (params["axis"],)
        sizes = None if params["n"] is None else (params["n"],)
    else:
        axes, sizes = params["axes"], params["s"]
    if sizes is None:
        sizes = tuple([x.dims[<int>axis] for axis in axes])
        if half:
            sizes = sizes[:-1] + (2 * (sizes[-1] - 1),)
    return axes, sizes


def shape_transform(tuple inputs, dict params):
    axes, sizes = transform_lengths(inputs, params, False)
    return transformed(inputs[0], axes, sizes, False)


def shape_real_transform(tuple inputs, dict params):
    axes, sizes = transform_lengths(inputs, params, False)
    return transformed(inputs[0], axes, sizes[:-1] + (sizes[-1] // 2 + 1,), False)


def shape_half_transform(tuple inputs, dict params):
    axes, sizes = transform_lengths(inputs, params, True)
    return transformed(inputs[0], axes, sizes, True)


include "rules.pxi"

enter_all_rules()
