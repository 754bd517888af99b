# A free list of tensors: new tensors usually reuse released ones.
#
# Views and small results are usually released within an expression. Initialising and clearing a
# Tensor dominates its cost. So released tensors keep their device, backend and pointers, and are
# reused.
#
# Needs backend, tensor.

cdef extern from *:
    """
    namespace {

    constexpr int MAX_FREE = 256;
    PyObject* free_tensors[MAX_FREE];
    int free_count = 0;
    PyObject* free_device;        // the device of all of them
    PyObject* free_backend;       // its backend
    PyObject* deferring_backend;  // of deferred tensors, which are also kept
    destructor destroy_tensor;  // the type's deallocator
    PyTypeObject* tensor_type;
    PyTypeObject* ndarray_type;  // a subclass that is the same struct

    // Replaces the type's deallocator.
    template <class T>
    void retire_tensor(PyObject* object) {
      T* const x = reinterpret_cast<T*>(object);
      PyObject* const storage = x->storage;
      if (Py_TYPE(object) != tensor_type) {
        if (Py_TYPE(object) != ndarray_type) return destroy_tensor(object);
        Py_SET_TYPE(object, tensor_type);
      }
      if (reinterpret_cast<PyObject*>(x->backend) == deferring_backend &&
          reinterpret_cast<PyObject*>(x->device) == free_device) {
        Py_INCREF(free_backend);
        x->backend = reinterpret_cast<decltype(x->backend)>(free_backend);
        Py_DECREF(deferring_backend);
      }
      if (reinterpret_cast<PyObject*>(x->backend) != free_backend || x->long_layout != Py_None ||
          x->__weakref__ || free_count == MAX_FREE) {
        return destroy_tensor(object);
      }
      if (storage == Py_None) {
        free_tensors[free_count++] = object;
        return;
      }
      Py_INCREF(Py_None);
      x->storage = Py_None;
      free_tensors[free_count++] = object;
      Py_DECREF(storage);  // last: it may run code that makes tensors
    }

    // Keeps tensors on the device of `x` from now on, except in builds that detect use after free.
    template <class T>
    void keep_free_tensors(T* x) {
    #if !defined(Py_TRACE_REFS) && !defined(Py_GIL_DISABLED) && !defined(__SANITIZE_ADDRESS__)
      PyTypeObject* const type = Py_TYPE(reinterpret_cast<PyObject*>(x));
      free_device = reinterpret_cast<PyObject*>(x->device);
      free_backend = reinterpret_cast<PyObject*>(x->backend);
      destroy_tensor = type->tp_dealloc;
      tensor_type = type;
      type->tp_dealloc = retire_tensor<T>;
    #endif
    }

    // Keeps those of a subclass without fields, too.
    inline void keep_free_tensors_of(PyObject* cls) {
      ndarray_type = reinterpret_cast<PyTypeObject*>(cls);
    }

    // Keeps the deferred tensors of this backend, too.
    inline void keep_deferred_tensors(PyObject* backend) {
      if (free_device) deferring_backend = backend;
    }

    // A tensor without any reference, or NULL.
    inline PyObject* take_free_tensor() {
      return free_count ? free_tensors[--free_count] : nullptr;
    }

    }  // namespace
    """
    void keep_free_tensors(Tensor)
    void keep_free_tensors_of(object)
    void keep_deferred_tensors(PyObject*)
    PyObject* take_free_tensor()


cdef int set_deferring(Backend backend) except -1:
    """Enter the backend of deferred tensors."""
    global DEFERRING
    DEFERRING = backend
    keep_deferred_tensors(<PyObject*>backend)
    return 0


@cython.nonecheck(False)
cdef inline Tensor new_tensor():
    """A 0-d tensor on the CPU; the caller sets dtype, flags and the element."""
    cdef PyObject* found = take_free_tensor()
    cdef Tensor x
    if found == NULL:
        return Tensor.__new__(Tensor)
    x = <Tensor>found  # its first reference
    x.data = x.small
    x.count = 1
    x.ndim = 0
    x.flags = 0
    return x
