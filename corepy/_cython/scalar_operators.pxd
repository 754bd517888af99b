"""Operators of NumPy's scalars that leave tensors to the tensor's operators.

``scalar * x`` calls the scalar's operator first. A class can have it return NotImplemented by
``__array_ufunc__ = None`` only, which forbids NumPy's functions of `x`, too; otherwise it makes an
array of the scalar, calls the ufunc, and that finds ``__array_ufunc__``: five times what the
product of two elements takes. `leave_tensors` puts a function before the operators of the types,
which returns NotImplemented for a tensor and calls NumPy's function for anything else.
"""

cdef extern from *:
    """
    #include <cstddef>
    #include <utility>

    namespace scalar_operators {

    constexpr size_t MAX_TYPES = 16;  // NumPy's numbers have 15; others would keep their operators
    PyTypeObject* tensor;

    // Slots are C functions without data, so each operator of each type has a function of its own.
    template <binaryfunc PyNumberMethods::*slot, size_t type>
    struct Binary {
      static inline binaryfunc numpys;
      static PyObject* call(PyObject* a, PyObject* b) {
        if (Py_TYPE(b) == tensor) Py_RETURN_NOTIMPLEMENTED;
        return numpys(a, b);
      }
      static void replace(PyTypeObject* of) {
        binaryfunc& place = of->tp_as_number->*slot;
        if (place != nullptr) numpys = std::exchange(place, call);
      }
    };

    template <size_t type>
    struct Power {
      static inline ternaryfunc numpys;
      static PyObject* call(PyObject* a, PyObject* b, PyObject* modulus) {
        if (Py_TYPE(b) == tensor) Py_RETURN_NOTIMPLEMENTED;
        return numpys(a, b, modulus);
      }
      static void replace(PyTypeObject* of) {
        ternaryfunc& place = of->tp_as_number->nb_power;
        if (place != nullptr) numpys = std::exchange(place, call);
      }
    };

    template <size_t type>
    struct Comparison {
      static inline richcmpfunc numpys;
      static PyObject* call(PyObject* a, PyObject* b, int comparison) {
        if (Py_TYPE(b) == tensor) Py_RETURN_NOTIMPLEMENTED;
        return numpys(a, b, comparison);
      }
      static void replace(PyTypeObject* of) {
        if (of->tp_richcompare != nullptr) numpys = std::exchange(of->tp_richcompare, call);
      }
    };

    template <size_t type>
    void replace_operators(PyTypeObject* of) {
      using Numbers = PyNumberMethods;
      Binary<&Numbers::nb_add, type>::replace(of);
      Binary<&Numbers::nb_subtract, type>::replace(of);
      Binary<&Numbers::nb_multiply, type>::replace(of);
      Binary<&Numbers::nb_true_divide, type>::replace(of);
      Binary<&Numbers::nb_floor_divide, type>::replace(of);
      Binary<&Numbers::nb_remainder, type>::replace(of);
      Binary<&Numbers::nb_divmod, type>::replace(of);
      Binary<&Numbers::nb_and, type>::replace(of);
      Binary<&Numbers::nb_or, type>::replace(of);
      Binary<&Numbers::nb_xor, type>::replace(of);
      Binary<&Numbers::nb_lshift, type>::replace(of);
      Binary<&Numbers::nb_rshift, type>::replace(of);
      Power<type>::replace(of);
      Comparison<type>::replace(of);
    }

    template <size_t... type>
    void replace_operators(PyObject* types, std::index_sequence<type...>) {
      const size_t count = size_t(PyTuple_GET_SIZE(types));
      const auto at = [&](size_t i) {
        return reinterpret_cast<PyTypeObject*>(PyTuple_GET_ITEM(types, Py_ssize_t(i)));
      };
      ((type < count ? replace_operators<type>(at(type)) : void()), ...);
    }

    }  // namespace scalar_operators

    static void leave_tensors(PyObject* types, PyObject* tensor) {
      scalar_operators::tensor = reinterpret_cast<PyTypeObject*>(tensor);
      scalar_operators::replace_operators(
          types, std::make_index_sequence<scalar_operators::MAX_TYPES>{});
    }
    """
    void leave_tensors(tuple types, object tensor)
