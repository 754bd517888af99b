# Reading and writing through an index: integers, slices, ellipsis and newaxis are views made
# here; gathering.pyx has masks and integer arrays.
#
# Needs checks, convert, device, dtypes, freelist, nested, operands, protocols, storage, tensor,
# cpu/copies.


cdef extern from *:
    """
    namespace {

    // One end of a slice, as a position on an axis; false for what PySlice_Unpack is to read.
    inline bool read_bound(PyObject* object, Py_ssize_t size, Py_ssize_t* position) {
      if (object == Py_None) return true;
      if (!small_integer(object, position)) return false;
      if (*position < 0) {
        *position += size;
        if (*position < 0) *position = 0;
      } else if (*position > size) {
        *position = size;
      }
      return true;
    }

    // Where a slice without a step begins on an axis, and how many elements it has.
    inline bool read_slice(PyObject* object, Py_ssize_t size, Py_ssize_t* start,
                           Py_ssize_t* count) {
      const PySliceObject* const slice = reinterpret_cast<const PySliceObject*>(object);
      Py_ssize_t stop = size;
      *start = 0;
      if (slice->step != Py_None || !read_bound(slice->start, size, start) ||
          !read_bound(slice->stop, size, &stop)) {
        return false;
      }
      *count = stop > *start ? stop - *start : 0;
      return true;
    }

    inline bool is_plain_end(PyObject* object) {
      return object == Py_None || PyLong_CheckExact(object);
    }

    inline bool is_plain_slice(PyObject* object) {
      const PySliceObject* const slice = reinterpret_cast<const PySliceObject*>(object);
      return is_plain_end(slice->start) && is_plain_end(slice->stop) &&
             is_plain_end(slice->step);
    }

    }  // namespace
    """
    bint read_slice(object, Py_ssize_t, Py_ssize_t*, Py_ssize_t*)
    bint is_plain_slice(object) noexcept


cdef object index_error(str function, str text):
    return IndexError(f"{function}: {text}")


# ---- indices without code of their own
#
# Converting an integer or an end of a slice may run code, which may change the tensor. So an index
# is made plain first: then its integers are ints, and its slices have ints and None. All functions
# below that look at the layout of a tensor take plain indices, and run no code.

cdef inline bint is_plain_item(object item) noexcept:
    """Whether an item of an index is plain, or an array."""
    if PyLong_CheckExact(item) or item is None or item is Ellipsis or is_tensor(item):
        return True
    return PySlice_Check(item) and is_plain_slice(item)


cdef object plain_item(str function, object item):
    cdef Py_ssize_t start, stop, step
    if is_plain_item(item) or PyBool_Check(item):
        return item
    if PySlice_Check(item):
        try:
            PySlice_Unpack(item, &start, &stop, &step)
        except (TypeError, ValueError) as error:
            raise named_error(function, error) from None
        return slice(start, stop, step)
    if not PyIndex_Check(item) or (
        isinstance(item, np.ndarray) and (item.ndim or item.dtype.kind not in "iu")
    ):
        return item
    return operator.index(item)


cdef object plain_key(str function, object key):
    """An index with plain items."""
    if not isinstance(key, tuple):
        return plain_item(function, key)
    if type(key) is not tuple:
        key = tuple(key)
    for item in <tuple>key:
        if not is_plain_item(item):
            return tuple([plain_item(function, item) for item in <tuple>key])
    return key


cdef inline bint is_integer_item(object item) noexcept:
    """Whether an item of a plain index is an integer, or a 0-d tensor of integers."""
    if is_tensor(item):
        return (<Tensor>item).ndim == 0 and is_integer((<Tensor>item).code)
    return PyLong_CheckExact(item)


@cython.nonecheck(False)
cdef inline int take_slice(
    str function, Tensor x, int axis, object item, Tensor view, int new
) except -1:
    """Make axis `new` of a view from a slice of an axis of `x`."""
    cdef Py_ssize_t start
    if not read_slice(item, x.dims[axis], &start, &view.dims[new]):
        return take_any_slice(function, x, axis, item, view, new)
    view.steps[new] = x.steps[axis]
    if view.dims[new] > 0:
        view.data += start * x.steps[axis]
    return 0


cdef int take_any_slice(
    str function, Tensor x, int axis, object item, Tensor view, int new
) except -1:
    cdef Py_ssize_t start, stop, step
    try:
        PySlice_Unpack(item, &start, &stop, &step)
    except ValueError as error:
        raise ValueError(f"{function}: {error}") from None
    view.dims[new] = PySlice_AdjustIndices(x.dims[axis], &start, &stop, step)
    view.steps[new] = x.steps[axis] * step if view.dims[new] > 1 else x.steps[axis]
    if view.dims[new] > 0:
        view.data += start * x.steps[axis]
    return 0


@cython.nonecheck(False)
cdef inline void keep_axes(Tensor x, int axis, Py_ssize_t count, Tensor view, int new) noexcept:
    """Set `count` axes of a view, from `new` on, to the axes of `x` from `axis` on."""
    cdef Py_ssize_t k
    for k in range(count):
        view.dims[new + k] = x.dims[axis + k]
        view.steps[new + k] = x.steps[axis + k]


@cython.nonecheck(False)
cdef inline bint is_number(object x) noexcept:
    """Whether `x` is a 0-d tensor in host memory."""
    return is_tensor(x) and (<Tensor>x).ndim == 0 and in_host_memory(<Tensor>x)


@cython.nonecheck(False)
cdef inline Py_ssize_t position_on(
    str function, Tensor x, int axis, object item
) except -1:
    """An exact int, an integer of NumPy's, or a 0-d tensor of integers, as an index from 0 on."""
    cdef Py_ssize_t index
    cdef int overflow = 0
    cdef int code
    if not small_integer(item, &index):
        code = code_of_element(item)
        if code < 0:  # an int, or a tensor in the memory of another device
            index = PyLong_AsLongLongAndOverflow(item, &overflow)
        else:
            index = load_whole(memory_of_element(item), code)
            overflow = index < 0 and is_unsigned(code)
    if index < 0:
        index += x.dims[axis]
    if overflow or not 0 <= index < x.dims[axis]:
        raise index_error(
            function,
            f"index {shown(operator.index(item))} is out of bounds for axis {axis} with size "
            f"{x.dims[axis]}",
        )
    return index


@cython.nonecheck(False)
cdef inline bint is_position(object item) noexcept:
    """Whether `position_on` takes an item of an index."""
    cdef int code
    if PyLong_CheckExact(item):
        return True
    if PySlice_Check(item):  # the most frequent of the others
        return False
    code = code_of_element(item)
    return code >= 0 and is_integer(code)


cdef inline Tensor view_at(
    str function, Tensor x, tuple items, Py_ssize_t ndim, Py_ssize_t skipped
):
    """The view, of `ndim` axes, of a plain index whose items have been checked. An Ellipsis stands
    for `skipped` axes.
    """
    cdef Tensor view = view_of(x, ndim)
    cdef int axis = 0, new = 0
    for item in items:
        if PySlice_Check(item):
            take_slice(function, x, axis, item, view, new)
            axis += 1
            new += 1
        elif item is None:
            view.dims[new] = 1
            view.steps[new] = dtype_itemsize[x.code]
            new += 1
        elif item is Ellipsis:
            keep_axes(x, axis, skipped, view, new)
            axis += skipped
            new += skipped
        else:
            view.data += position_on(function, x, axis, item) * x.steps[axis]
            axis += 1
    keep_axes(x, axis, x.ndim - axis, view, new)
    finish_part(view)
    return view


cdef Tensor plain_view(str function, Tensor x, tuple items):
    """The view of a plain index of integers, slices, None and one Ellipsis; None for any other
    index, for integers alone, and for what is an error.
    """
    cdef int integers = 0, slices = 0, added = 0, ellipses = 0
    cdef Py_ssize_t skipped
    for item in items:
        if PySlice_Check(item) and is_plain_slice(item):
            slices += 1
        elif item is None:
            added += 1
        elif item is Ellipsis:
            ellipses += 1
        elif is_position(item):
            integers += 1
        else:
            return None
    skipped = x.ndim - integers - slices
    if skipped < 0 or ellipses > 1 or integers == len(items) == x.ndim:
        return None
    if added + slices + skipped > MAX_NDIM:
        return None
    return view_at(function, x, items, added + slices + skipped, skipped)


cdef Tensor basic_view(str function, Tensor x, object key, bint* element):
    """The view of a basic index, or None for an advanced index.

    `element` tells whether the index is made of integers alone, one for each axis. Errors name
    `function`, getitem or setitem.
    """
    cdef object plain = plain_key(function, key)
    cdef tuple items = plain if type(plain) is tuple else (plain,)
    cdef Py_ssize_t consumed = 0, added = 0, ndim, skipped
    cdef bint ellipsis = False
    element[0] = True
    for item in items:
        if item is Ellipsis:
            if ellipsis:
                raise index_error(function, "only one ellipsis ('...') is allowed")
            ellipsis = True
            element[0] = False
        elif item is None:
            added += 1
            element[0] = False
        elif isinstance(item, slice):
            consumed += 1
            added += 1
            element[0] = False
        elif is_integer_item(item):
            consumed += 1
        elif is_tensor(item) or isinstance(item, (bool, np.bool_, np.ndarray, list, tuple)) \
                or is_array_like(item):
            return None
        else:
            raise index_error(
                function,
                "only integers, slices (':'), ellipsis ('...'), newaxis (None), and integer or "
                f"boolean arrays are valid, got {type(item).__name__}",
            )
    if consumed > x.ndim:
        raise index_error(
            function,
            f"too many indices: the tensor has {x.ndim} dimensions, but {consumed} were indexed",
        )
    skipped = x.ndim - consumed
    ndim = added + skipped
    if ndim > MAX_NDIM:
        raise index_error(
            function, f"the result would have {ndim} dimensions, of at most {MAX_NDIM}"
        )
    if ndim:
        element[0] = False
    return view_at(function, x, items, ndim, skipped)


cdef object key_beside(str function, Tensor x, object key):
    """An index whose tensors are on the device of `x`; moves them if that is allowed."""
    cdef tuple tensors = tensors_in((key,), None)
    if tensors and shared_backend(function, (x, *tensors)) is not x.backend:
        return moved(key, x.device)
    return key


cdef char* find_element_of_many(str function, Tensor x, tuple key) except? NULL:
    """The same for a tuple of integers, one for each axis."""
    cdef int axis
    cdef char* address = x.data
    if len(key) != x.ndim:
        return NULL
    for axis in range(x.ndim):
        if not is_position(key[axis]):
            return NULL
        address += position_on(function, x, axis, key[axis]) * x.steps[axis]
    return address


@cython.nonecheck(False)
cdef inline Tensor row_of(Tensor x, Py_ssize_t index):
    """The view at a position on the first of several axes."""
    cdef Tensor view = view_of(x, x.ndim - 1)
    keep_axes(x, 1, view.ndim, view, 0)
    view.data += index * x.steps[0]
    finish_part(view)
    return view


@cython.nonecheck(False)
cdef inline Tensor part_of_vector(Tensor x, Py_ssize_t start, Py_ssize_t count):
    """The `count` elements from `start` on of a tensor of one dimension: `view_of` and
    `finish_part` at once, for the view that is made most often.
    """
    cdef Tensor view = new_tensor()
    cdef Py_ssize_t step = x.steps[0]
    view.code = x.code
    if not in_host_memory(x):
        view.backend, view.device = x.backend, x.device
    view.storage = x if x.storage is None else x.storage
    view.data = x.data + start * step if count else x.data
    view.ndim = 1
    if type(x) is NDARRAY:
        set_class(view, NDARRAY)
    view.layout[0] = view.count = count
    view.layout[8] = step
    view.flags = (x.flags & WRITEABLE) | READY | (
        CONTIGUOUS if step == dtype_itemsize[x.code] or count <= 1 else 0
    )
    return view


@cython.nonecheck(False)
cdef Tensor first_part(str function, Tensor x, object key):
    """``x[key]`` for a slice and at least one dimension."""
    cdef Py_ssize_t start, count
    cdef Tensor view
    if x.ndim == 1 and read_slice(key, x.dims[0], &start, &count):
        return part_of_vector(x, start, count)
    if not is_plain_slice(key):
        key = plain_item(function, key)
        if not x.ndim:
            raise index_error(function, "too many indices: the tensor has 0 dimensions")
    view = view_of(x, x.ndim)
    take_slice(function, x, 0, key, view, 0)
    keep_axes(x, 1, x.ndim - 1, view, 1)
    finish_part(view)
    return view


@cython.nonecheck(False)
cdef inline char* find_element(str function, Tensor x, object key) except? NULL:
    """Address of ``x[key]`` for an integer key and one dimension, NULL for any other index."""
    if x.ndim != 1 or not is_position(key):
        return find_element_of_many(function, x, <tuple>key) if type(key) is tuple else NULL
    return x.data + position_on(function, x, 0, key) * x.steps[0]


@cython.nonecheck(False)
cdef inline Tensor element_at(Tensor x, const char* address):
    """One element as a new tensor: a value, not a view."""
    cdef Tensor out = new_tensor()
    cdef int itemsize = dtype_itemsize[x.code]
    out.code = x.code
    out.flags = WRITEABLE | CONTIGUOUS | READY | VALUE
    if itemsize == 8:
        memcpy(out.small, address, 8)
    elif itemsize == 4:
        memcpy(out.small, address, 4)
    else:
        memcpy(out.small, address, itemsize)
    return out


cdef bint compute_within(object key) except -1:
    """Compute the deferred tensors of an index, or a value; whether there were any."""
    cdef bint found = False
    if is_tensor(key):
        found = is_deferred(<Tensor>key)
        materialize(<Tensor>key)
    elif type(key) is tuple:
        for item in <tuple>key:
            if is_tensor(item) and is_deferred(<Tensor>item):
                found = True
                materialize(<Tensor>item)
    return found


# `Tensor.__getitem__` handles a slice and a single element before it calls this.
cdef object cpu_getitem(Tensor x, object key):
    cdef Tensor view
    cdef bint element
    if not in_host_memory(x):
        raise TypeError("getitem: expected a Tensor in host memory")
    if compute_within(key):
        return x[key]
    if x.ndim:
        if is_tensor(key) and (<Tensor>key).ndim and shares_backend(x, <Tensor>key):
            return provided.read_at(x, key)
        if x.ndim > 1 and is_position(key):
            return row_of(x, position_on("getitem", x, 0, key))
    if type(key) is tuple or key is None or key is Ellipsis:
        view = plain_view("getitem", x, key if type(key) is tuple else (key,))
        if view is not None:
            return view
    view = basic_view("getitem", x, key, &element)
    if view is not None:
        return element_at(x, view.data) if element else view
    return provided.read_at(x, key_beside("getitem", x, key))


cdef int check_assignable(Tensor x, int code) except -1:
    if is_complex(code) and not is_complex(x.code):
        raise TypeError(
            f"setitem: a complex value cannot be written into a tensor of dtype {DTYPES[x.code]}"
        )
    return 0


cdef object written_number(Tensor x, object value):
    """A scalar as it is written into a tensor: of a float into integers the integer part, which may
    be out of range. An error for NaN and infinity. NumPy's scalars are cast to unsigned integers.
    """
    if not PyFloat_Check(value) or not is_integer(x.code) or (
        not PyFloat_CheckExact(value) and dtype_kind[x.code] != KIND_signed
    ):
        return value
    try:
        return int(value)
    except (ValueError, OverflowError) as error:
        raise named_error("setitem", error) from None


cdef Tensor as_assigned(Tensor x, Tensor value):
    """The elements to write into `x`: of complex ones the real components if `x` has real numbers,
    with a warning, as NumPy.
    """
    if not is_complex(value.code) or is_complex(x.code) or x.code == DTYPE_bool:
        return value
    warnings.warn(
        "setitem: imaginary components are discarded, because the tensor is of dtype "
        f"{DTYPES[x.code]}", np.exceptions.ComplexWarning,
    )
    return value.backend.unary(OP_real, value)


cdef object as_written_to_signed(Tensor x, object value):
    """An element, a 0-d result or a scalar of NumPy's as Python's number if its dtype is not that
    of `x`: signed integers take no others, so that NaN and numbers out of range are errors.
    """
    cdef Tensor number
    if is_tensor(value):
        number = <Tensor>value
        if number.flags & VALUE and number.device is CPU and number.code != x.code \
                and not is_complex(number.code):
            return element("setitem", number)
    elif PyDict_GetItem(SCALAR_CODES, <object>type(value)) != NULL and value.dtype.kind != "c":
        return value.item()
    return value


cdef Tensor as_value(Tensor x, object value):
    """The value of an assignment through an index, as a tensor on the CPU."""
    cdef Tensor number
    if dtype_kind[x.code] == KIND_signed:
        value = as_written_to_signed(x, value)
    if is_tensor(value):
        shared_device("setitem", (x, value))  # raises unless moving is allowed
        return to_device(value, CPU)
    if is_scalar(value):
        value = written_number(x, value)
        number = new_tensor()
        number.code = <int8_t>scalar_code(value, x.code)
        if PyComplex_CheckExact(value):
            check_assignable(x, number.code)
        number.flags = CONTIGUOUS | READY
        store_named("setitem", number.small, number.code, value)
        return number
    number = assignable(x, value)
    return number if in_host_memory(number) else as_value(x, number)


cdef Tensor assignable(Tensor x, object value):
    """A value to assign to elements of `x` as a Tensor; unlike an operand, of an array-like of any
    kind, and of text and objects that NumPy converts to the dtype. Numbers in a list must be in
    the range of the dtype.
    """
    if isinstance(value, (list, tuple)):
        return from_sequence("setitem", value, x.code)
    try:
        if isinstance(value, np.ndarray) or is_array_like(value):
            return asarray(value, None, None, None, "setitem")
        return as_tensor("setitem", value)
    except TypeError:
        try:
            array = np.asarray(value).astype(DTYPES[x.code])
        except TypeError:
            array = None
        except ValueError as error:
            raise ValueError(f"setitem: {error}") from None
        if array is None:
            raise
        return asarray(array, None, None, None, "setitem")


cdef int setitem_elsewhere(Tensor x, object key, object value) except -1:
    """``x[key] = value`` on another device than the CPU."""
    if not is_scalar(value):
        value = assignable(x, value)
        if (<Tensor>value).device is not CPU:
            shared_device("setitem", (x, value))
        value = to_device(value, x.device)
    x.backend.setitem(x, key, value)
    return 0


cdef int cpu_setitem(Tensor x, object key, object value) except -1:
    cdef Tensor view, source
    cdef bint element, of_numpy
    cdef char* address
    if not in_host_memory(x):
        raise TypeError("setitem: expected a Tensor in host memory")
    if not x.flags & WRITEABLE:
        raise read_only_error("setitem")
    # What is deferred and reads `x` is computed last before the write: converting the value and the
    # index may run code of the program, which may defer more.
    of_numpy = not PyFloat_CheckExact(value) and not PyLong_CheckExact(value) \
        and not is_tensor(value) and PyDict_GetItem(SCALAR_CODES, <object>type(value)) != NULL
    if of_numpy or is_number(value) or is_scalar(value):
        before_write(x)
        address = find_element("setitem", x, key)
        if address != NULL:
            if of_numpy:
                if store_as_numpy(address, x, value):
                    return 0
                if dtype_kind[x.code] == KIND_signed:
                    value = as_written_to_signed(x, value)
            if is_tensor(value):
                if (<Tensor>value).code == x.code:
                    memcpy(address, (<Tensor>value).data, dtype_itemsize[x.code])
                    return 0
            elif is_scalar(value) and scalar_code(value, x.code) == x.code:
                return store_named("setitem", address, x.code, value)
    if not is_plain_item(key):
        key = plain_key("setitem", key)
    if compute_within(key) | compute_within(value):
        return cpu_setitem(x, key, value)
    source = as_assigned(x, as_value(x, value))
    if source.code != x.code and may_defer(source):  # as `errstate` asks for errors of casts
        source = astype(source, DTYPES[x.code])
        materialize(source)
    if not x.flags & WRITEABLE:
        raise read_only_error("setitem")
    if is_tensor(key) and (<Tensor>key).ndim and shares_backend(x, <Tensor>key):
        if source.code != x.code:
            source = cast_to(source, x.code)
        return provided.write_at(x, key, source)
    if key is Ellipsis:
        view = x
    elif x.ndim and PySlice_Check(key):
        view = first_part("setitem", x, key)
    else:
        view = plain_view("setitem", x, <tuple>key) if type(key) is tuple else None
        if view is None:
            view = basic_view("setitem", x, key, &element)
    if view is not None:
        before_write(x)
        return assign("setitem", view, source)
    if source.code != x.code:
        source = cast_to(source, x.code)
    return provided.write_at(x, key_beside("setitem", x, key), source)
