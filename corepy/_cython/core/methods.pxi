# Methods of Tensor that are attached to the type as functions. A call takes some 5 ns more than
# that of a method in the class.

cdef extern from *:
    """
    static PyObject* type_dict(PyObject* of) {
      return reinterpret_cast<PyTypeObject*>(of)->tp_dict;
    }
    static void forget_lookups(PyObject* of) {
      PyType_Modified(reinterpret_cast<PyTypeObject*>(of));
    }
    """
    PyObject* type_dict(object)
    void forget_lookups(object)


def extend(dict attributes):
    """Give the Tensor further methods and attributes."""
    (<dict>type_dict(Tensor)).update(attributes)
    forget_lookups(Tensor)


cdef Tensor seen_as(Tensor x, object dtype):
    """A view with elements of a dtype of as many bytes, aligned as those of `x`; None if there is
    none. Bytes that are not 0 or 1 are no bools.
    """
    cdef Tensor view
    cdef int code = -1
    if isinstance(dtype, type) or (isinstance(dtype, np.dtype) and dtype.isnative):
        code = find_code(dtype)
    if code < 0 or code == DTYPE_bool or dtype_itemsize[code] != dtype_itemsize[x.code] \
            or dtype_itemsize[dtype_part[code]] > dtype_itemsize[dtype_part[x.code]]:
        return None
    view = view_all(x)
    view.code = <int8_t>code
    return view


cdef int resize_in_place(Tensor x, object shape, bint check) except -1:
    """Give a tensor another shape and memory for it, with its elements in C order, then zeros.

    ValueError where views or exports refer to its memory, or, as in NumPy, other variables to it.
    """
    cdef Py_ssize_t dims[MAX_NDIM]
    cdef Py_ssize_t ndim = read_shape("resize", shape, dims)
    cdef Tensor out
    settle(x)
    if not in_host_memory(x):
        raise ValueError(f"resize: only tensors on the CPU are resized, got one on {x.device}")
    if not x.flags & WRITEABLE:
        raise read_only_error("resize")
    before_write(x)
    if not x.flags & CONTIGUOUS or (x.storage is not None and not has_own_memory(x)):
        raise ValueError(
            "resize: the tensor does not own its memory, or others refer to it; "
            "corepy.resize returns a new tensor"
        )
    # Of the variable, the interpreter's call and Cython's. Views of elements within a tensor refer
    # to it, too.
    forget_answer(<PyObject*>x)
    if check and reference_count(<PyObject*>x) > 3:
        raise ValueError(
            "resize: there are other references to the tensor, which refcheck=False ignores; "
            "corepy.resize returns a new tensor"
        )
    out = zeroed(x.code, ndim, dims)
    memcpy(out.data, x.data, min(x.count, out.count) * dtype_itemsize[x.code])
    out = as_variable(out)
    # Other threads may be reading the memory without the GIL: it stays.
    old = x.storage
    take_shape(x, out)
    x.storage, x.count = out.storage, out.count
    if out.storage is None:
        x.data = x.small
        memcpy(x.data, out.data, out.count * dtype_itemsize[x.code])
    else:
        x.data = out.data
    if not check:
        x.long_layout = (x.long_layout, old)
    return 0


class _Methods:
    """The functions, under the methods' names."""

    def tolist(Tensor self not None):
        """Return the elements as a nested list of Python scalars (a scalar when 0-d)."""
        cdef Tensor x = self if in_host_memory(self) else to_device(self, CPU)
        return nested_list(x, 0, x.data)

    def to_device(Tensor self not None, device, /, *, stream=None):
        """Return this tensor on `device`: itself if it is there, else a copy.

        Parameters
        ----------
        device : Device or str
        stream : optional
            A stream of the device to do the copy on; ValueError on devices without streams.
        """
        return to_device(self, device, stream)

    def to(Tensor self not None, device, /, *, stream=None):
        """Return this tensor on `device`; short for `to_device`."""
        return to_device(self, device, stream)

    def copy(Tensor self not None, order="C"):
        """Return a copy, in C order as NumPy's method does."""
        if order != "C":
            return as_numpys("copy", self, (order,), {})
        return copied(self)

    def ravel(Tensor self not None, order="C"):
        """Return the elements in one dimension, contiguous, without a copy if possible."""
        if order != "C":
            return as_numpys("ravel", self, (order,), {})
        view = raveled(self)
        return view if (<Tensor>view).flags & CONTIGUOUS else copied(view)

    def flatten(Tensor self not None, order="C"):
        """Return a copy of the elements in one dimension."""
        if order != "C":
            return as_numpys("flatten", self, (order,), {})
        return raveled(copied(self))

    def resize(Tensor self not None, *new_shape, refcheck=True):
        """Change shape and size in place. See `numpy.ndarray.resize`.

        Raises
        ------
        ValueError
            Where other tensors or arrays refer to the memory, the tensor is not in C order, or,
            unless `refcheck` is false, there are other references to it.
        """
        if new_shape and new_shape != (None,):
            resize_in_place(self, new_shape[0] if len(new_shape) == 1 else new_shape, refcheck)

    def fill(Tensor self not None, value):
        """Write one value to all elements. See `numpy.ndarray.fill`."""
        cdef Py_ssize_t whole
        if PyFloat_CheckExact(value) or small_integer(value, &whole) or self.device is not CPU:
            self[...] = value
        else:
            as_numpys("fill", self, (value,), {})

    def view(Tensor self not None, *args, **kwargs):
        """Return a view, of another dtype if one is given. See `numpy.ndarray.view`."""
        if not kwargs and (not args or (isinstance(args[0], type) and isinstance(self, args[0]))):
            return view_all(self)
        if len(args) == 1 and not kwargs and in_host_memory(self):
            view = seen_as(self, args[0])
            if view is not None:
                return view
        return as_numpys("view", self, args, kwargs)

    def conj(Tensor self not None):
        """Return the complex conjugates."""
        if self.code == DTYPE_bool:
            return self  # as in NumPy, where it is no number for the function conj
        return unary(OP_conj, self)

    def std(
        Tensor self not None, axis=None, dtype=None, out=None, ddof=0.0, keepdims=False, *,
        where=True, mean=NOTHING, correction=None,
    ):
        """Return the standard deviation over `axis`; see `corepy.array_api.std`.

        `ddof` is NumPy's name of `correction`.
        """
        correction = ddof if correction is None else correction
        if out is not None or where is not True or mean is not NOTHING \
                or lacks_elements(self, axis, correction):
            return HOOKS["own_function"]("std")(
                self, axis, dtype, out, correction, keepdims, where=where, mean=mean
            )
        return spread(OP_std, self, axis, dtype, correction, keepdims)

    def var(
        Tensor self not None, axis=None, dtype=None, out=None, ddof=0.0, keepdims=False, *,
        where=True, mean=NOTHING, correction=None,
    ):
        """Return the variance over `axis`; see `corepy.array_api.var`.

        `ddof` is NumPy's name of `correction`.
        """
        correction = ddof if correction is None else correction
        if out is not None or where is not True or mean is not NOTHING \
                or lacks_elements(self, axis, correction):
            return HOOKS["own_function"]("var")(
                self, axis, dtype, out, correction, keepdims, where=where, mean=mean
            )
        return spread(OP_var, self, axis, dtype, correction, keepdims)


for _name, _function in vars(_Methods).items():
    if not _name.startswith("_"):
        _function.__qualname__ = f"Tensor.{_name}"
        extend({_name: _function})
