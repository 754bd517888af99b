# Methods of Tensor that are attached to the type as functions. A call takes some 5 ns more than
# that of a method in the class.
#
# Needs arguments, convert, device, dtypes, filling, operands, protocols, storage, tensor.

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
    """Give Tensor further methods and attributes, which need what is not in the core."""
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


cdef bint has_own_memory(Tensor x) noexcept:
    """Whether a tensor on the CPU, laid out as a new one is, is the only one over its memory, and
    fills it.
    """
    cdef Block block
    cdef Py_ssize_t step = dtype_itemsize[x.code]
    cdef int axis
    if not in_host_memory(x) or not x.flags & CONTIGUOUS or not x.flags & WRITEABLE \
            or type(x.storage) is not Block:
        return False
    for axis in range(x.ndim - 1, -1, -1):  # strides of axes of one element may differ
        if x.steps[axis] != step:
            return False
        step *= x.dims[axis]
    block = <Block>x.storage
    # `x` and `block` refer to it.
    return reference_count(<PyObject*>block) == 2 and block.owner is None \
        and not block.exports and not block.readers and x.data == block.memory \
        and block.capacity <= 2 * <size_t>(x.count * dtype_itemsize[x.code])


cdef int resize_in_place(Tensor x, object shape, bint check) except -1:
    """Give a tensor another shape and memory for it, with its elements in C order, then zeros.

    ValueError where views or exports refer to its memory, or, as in NumPy, other variables to it.
    """
    cdef Py_ssize_t dims[MAX_NDIM]
    cdef Py_ssize_t ndim = read_shape("resize", shape, dims)
    cdef Tensor out
    materialize(x)
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
        """Return the elements as a nested list.

        Returns
        -------
        list, or a scalar without axes
            Python's bool, int, float and complex.

        Examples
        --------
        >>> import corepy
        >>> x = corepy.Tensor([[1.0, 2.0], [3.0, 5.0]])
        >>> x.tolist()
        [[1.0, 2.0], [3.0, 5.0]]
        """
        cdef Tensor x = self if in_host_memory(self) else to_device(self, CPU)
        return nested_list(x, 0, x.data)

    def to_numpy(Tensor self not None):
        """Return an ndarray of NumPy.

        Returns
        -------
        numpy.ndarray
            Over the same memory if the array is on the CPU, so that writing to one changes the
            other; of another device's elements a copy.

        Examples
        --------
        >>> import corepy
        >>> x = corepy.Tensor([[1.0, 2.0], [3.0, 5.0]])
        >>> type(x.to_numpy())
        <class 'numpy.ndarray'>
        """
        return np.asarray(to_device(self, CPU))

    def to_device(Tensor self not None, device, /, *, stream=None):
        """Return the array on a device.

        Parameters
        ----------
        device : Device or str
            The device, as ``"cpu"`` or ``"cuda:0"``.
        stream : optional
            A stream of the device to do the copy on.

        Returns
        -------
        Tensor
            The array itself if it is there, else a copy of the same shape and dtype.

        Raises
        ------
        ValueError
            If there is no such device, or it has no streams and one is given.

        Examples
        --------
        >>> import corepy
        >>> x = corepy.Tensor([[1.0, 2.0], [3.0, 5.0]])
        >>> x.to_device("reference").device
        Device('reference')
        """
        return to_device(self, device, stream)

    def to(Tensor self not None, device, /, *, stream=None):
        """Return the array on a device; a short name of `to_device`.

        Parameters
        ----------
        device : Device or str
            The device.
        stream : optional
            A stream of the device to do the copy on.

        Returns
        -------
        Tensor
            The array itself if it is there, else a copy.

        Raises
        ------
        ValueError
            If there is no such device.

        Examples
        --------
        >>> import corepy
        >>> x = corepy.Tensor([[1.0, 2.0], [3.0, 5.0]])
        >>> x.to("cpu") is x
        True
        """
        return to_device(self, device, stream)


for _name, _function in vars(_Methods).items():
    if not _name.startswith("_"):
        _function.__qualname__ = f"Tensor.{_name}"
        extend({_name: _function})


class _Missing:
    """An attribute that other libraries' arrays have; its error says what a Tensor has instead."""

    def __init__(self, name, instead):
        self.text = f"'Tensor' object has no attribute {name!r}; use {instead}"

    def __get__(self, x, cls):
        raise AttributeError(self.text)


for _name, _instead in (
    ("cpu", "x.to_device('cpu')"), ("cuda", "x.to_device('cuda')"), ("numpy", "x.to_numpy()"),
):
    extend({_name: _Missing(_name, _instead)})
