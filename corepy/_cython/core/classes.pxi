# The class of a result follows the operands: a Tensor, or corepy.ndarray and what derives from it.
#
# Both are one struct. What computes makes Tensors; the class of a result, to which nothing else
# refers yet, is set before it is returned.
#
# Needs backend, convert, device, storage, tensor.

cdef extern from *:
    """
    static void set_class(PyObject* x, PyObject* cls) {
      Py_SET_TYPE(x, reinterpret_cast<PyTypeObject*>(cls));
    }
    static void make_final(PyObject* cls) {
      reinterpret_cast<PyTypeObject*>(cls)->tp_flags &= ~Py_TPFLAGS_BASETYPE;
      PyType_Modified(reinterpret_cast<PyTypeObject*>(cls));
    }
    static PyObject* new_of_class(PyObject* base, PyObject* cls, PyObject* no_arguments) {
      return reinterpret_cast<PyTypeObject*>(base)->tp_new(
          reinterpret_cast<PyTypeObject*>(cls), no_arguments, nullptr);
    }

    // A scalar with a value, which follows the object's header.
    template <size_t size>
    PyObject* new_scalar(PyTypeObject* type, const char* value) {
      PyObject* const scalar = type->tp_alloc(type, 0);
      if (scalar) memcpy(scalar + 1, value, size);
      return scalar;
    }
    static PyObject* new_scalar(PyObject* dtype, int code, const char* value) {
      PyTypeObject* const type = reinterpret_cast<PyArray_Descr*>(dtype)->typeobj;
      switch (corepy::dtype_itemsize[code]) {
        case 1: return new_scalar<1>(type, value);
        case 2: return new_scalar<2>(type, value);
        case 4: return new_scalar<4>(type, value);
        case 8: return new_scalar<8>(type, value);
        default: return new_scalar<16>(type, value);
      }
    }
    """
    void set_class(object, object)
    void make_final(object)
    object new_of_class(object, object, tuple)
    object new_scalar(PyObject*, int, const char*)


cdef object NDARRAY = type(None)  # until it is entered


def enter_ndarray(cls):
    """Enter the class of the drop-in, a subclass of Tensor without fields of its own."""
    global NDARRAY
    if NDARRAY is not type(None):
        raise RuntimeError(f"enter_ndarray: the class has been entered, got {cls!r}")
    if not issubclass(cls, Tensor) or cls.__basicsize__ != Tensor.__basicsize__:
        raise TypeError(f"enter_ndarray: expected a subclass of Tensor without fields, got {cls}")
    NDARRAY = cls
    keep_free_tensors_of(cls)
    make_final(Tensor)  # programs derive from the class of the drop-in


cdef inline object scalar_at(const char* address, int code):
    """A scalar of NumPy's with the element at an address."""
    if code == DTYPE_bool:
        return np.True_ if address[0] else np.False_
    return new_scalar(DTYPE_OBJECTS[code], code, address)


cdef object class_among(object operands):
    """The class of a result: of the operands, or the items of those that are sequences, the one
    with the greatest ``__array_priority__`` if Python made it, else corepy.ndarray if one has it,
    else Tensor.
    """
    cdef object found = Tensor
    for x in operands:
        if type(x) is tuple or type(x) is list:
            for item in x:
                found = class_beside(found, item)
        else:
            found = class_beside(found, x)
    return found


cdef inline object class_beside(object found, object x):
    """The class of a result of an operand and others, whose class is `found`."""
    if HAS_PYTHON_CLASS(x) and isinstance(x, Tensor):
        if found is Tensor or found is NDARRAY \
                or x.__array_priority__ > found.__array_priority__:
            return type(x)
    elif type(x) is NDARRAY and found is Tensor:
        return NDARRAY
    return found


cdef int take_tensor(Tensor self, Tensor x) except -1:
    """Make a tensor that has just been created a view of another."""
    cdef int axis
    set_ndim(self, x.ndim)
    for axis in range(x.ndim):
        self.dims[axis] = x.dims[axis]
        self.steps[axis] = x.steps[axis]
    self.code = x.code
    self.count = x.count
    self.flags = x.flags
    self.backend, self.device = x.backend, x.device
    self.storage = x if x.storage is None else x.storage
    self.data = x.data
    return 0


cdef Tensor as_class(Tensor x, object cls, object source, Py_ssize_t references):
    """A result in a class: itself if it is new, with no more than `references`, else a view.

    ``__array_finalize__`` of a class that Python made is given `source`, the operand. An object of
    such a class, which has a dict, stays in it: it is one of the drop-in's class, too.
    """
    cdef Tensor out
    if type(x) is cls or (cls is NDARRAY and HAS_PYTHON_CLASS(x)):
        return x
    if cls is not NDARRAY and cls is not Tensor:
        out = new_of_class(Tensor, cls, ())
        take_tensor(out, x)
        if cls.__array_finalize__ is not None:
            cls.__array_finalize__(out, source if is_tensor(source) else None)
        return out
    if reference_count(<PyObject*>x) <= references and not HAS_PYTHON_CLASS(x):
        set_class(x, cls)
        return x
    materialize(x)
    out = view_all(x)
    set_class(out, cls)
    return out


cdef object result_in(
    object cls, object result, object source, bint scalars, Py_ssize_t references=1
):
    """What an operation returns in a class. If `scalars` are NumPy's, a result of an ndarray on the
    CPU is one where NumPy has no array without axes.
    """
    cdef Tensor x
    if is_tensor(result):
        x = <Tensor>result
        if scalars and x.flags & VALUE and cls is NDARRAY and x.device is CPU:
            materialize(x)
            return scalar_at(x.data, x.code)
        return as_class(x, cls, source, references + 1)
    if type(result) is tuple or type(result) is list \
            or (isinstance(result, tuple) and hasattr(result, "_fields")):
        items = [result_in(cls, item, source, scalars, 2) for item in result]
        if type(result) is list:
            return items
        return tuple(items) if type(result) is tuple else type(result)(*items)
    return result


cdef object in_ndarray(object result, bint scalars):
    """The same for the class of the drop-in, in fewer steps where one new tensor is returned."""
    cdef Tensor x
    if type(result) is Tensor and reference_count(<PyObject*>result) == 1:
        x = <Tensor>result
        if not scalars or not x.flags & VALUE:
            set_class(x, NDARRAY)
            return result
        if in_host_memory(x):
            return scalar_at(x.data, x.code)
    return result_in(NDARRAY, result, None, scalars)


cpdef object in_drop_in(Tensor x):
    """Return a tensor as an array of the drop-in, over the same memory."""
    refuse_none("in_drop_in", x)
    return x if type(x) is NDARRAY else as_class(x, NDARRAY, None, 1)


cdef object result_of(object result, tuple operands):
    """What a function of the standard returns for operands, tensors or sequences of them."""
    cdef object cls = class_among(operands)
    if cls is NDARRAY:
        return in_ndarray(result, False)
    return result if cls is Tensor else result_in(cls, result, operands[0], False)
