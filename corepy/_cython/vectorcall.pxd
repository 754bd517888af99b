"""Classes whose instances are called by vectorcall, which Cython cannot declare.

The first field of such a class is ``cdef vectorcallfunc vectorcall``, which is set when an instance
is made; `call_by_vector` is called once for the class, with the field's offset.
"""

from cpython.object cimport PyObject

cdef extern from *:
    """
    static void call_by_vector(PyObject* of, Py_ssize_t offset) {
      PyTypeObject* const type = reinterpret_cast<PyTypeObject*>(of);
      type->tp_vectorcall_offset = offset;
      type->tp_flags |= Py_TPFLAGS_HAVE_VECTORCALL;
      type->tp_call = PyVectorcall_Call;
      PyType_Modified(type);
    }

    // The interpreter calls methods of such a class without making a bound method.
    static void call_as_method(PyObject* of) {
      PyTypeObject* const type = reinterpret_cast<PyTypeObject*>(of);
      type->tp_flags |= Py_TPFLAGS_METHOD_DESCRIPTOR;
      PyType_Modified(type);
    }

    static PyObject** tuple_items(PyObject* tuple) {
      return reinterpret_cast<PyTupleObject*>(tuple)->ob_item;
    }
    """
    ctypedef PyObject* (*vectorcallfunc)(PyObject*, PyObject**, size_t, PyObject*) noexcept
    void call_by_vector(object, Py_ssize_t)
    void call_as_method(object)
    PyObject** tuple_items(object)
    PyObject* PyTuple_GET_ITEM(object, Py_ssize_t)
    Py_ssize_t PyTuple_GET_SIZE(object)
    vectorcallfunc PyVectorcall_Function(object)
    PyObject* PyObject_Vectorcall(object, PyObject**, size_t, PyObject*)
    Py_ssize_t PyVectorcall_NARGS(size_t)
