# Operators of NumPy's scalars that leave tensors to the tensor's operators.
#
# ``scalar * x`` calls the scalar's operator first. A class can have it return NotImplemented by
# ``__array_ufunc__ = None`` only, which forbids NumPy's functions of `x`, too. Otherwise it makes
# an array of the scalar and calls the ufunc, which finds ``__array_ufunc__``: five times what the
# product of two elements takes. `leave_tensors` puts a function before the operators of the types,
# which returns NotImplemented for a tensor and calls NumPy's function for anything else.

cdef extern from *:
    """
    #include <cstddef>
    #include <utility>

    namespace scalar_operators {

    constexpr size_t MAX_TYPES = 16;
    PyTypeObject* tensor;  // final: subclasses would not be recognised

    // Puts a function into a slot and keeps the former one; does nothing if it is there.
    template <class Function>
    void precede(Function* slot, Function call, Function* numpys) {
      if (*slot == nullptr || *slot == call) return;
      *numpys = *slot;
      *slot = call;
    }

    // Slots are C functions without data, so each operator of each type has a function of its own.
    template <binaryfunc PyNumberMethods::*slot, size_t type>
    struct Binary {
      static inline binaryfunc numpys;
      static PyObject* call(PyObject* a, PyObject* b) {
        if (Py_TYPE(b) == tensor) Py_RETURN_NOTIMPLEMENTED;
        return numpys(a, b);
      }
      static void precede_in(PyTypeObject* of) {
        precede(&(of->tp_as_number->*slot), &call, &numpys);
      }
    };

    template <size_t type>
    struct Power {
      static inline ternaryfunc numpys;
      static PyObject* call(PyObject* a, PyObject* b, PyObject* modulus) {
        if (Py_TYPE(b) == tensor) Py_RETURN_NOTIMPLEMENTED;
        return numpys(a, b, modulus);
      }
      static void precede_in(PyTypeObject* of) {
        precede(&of->tp_as_number->nb_power, &call, &numpys);
      }
    };

    template <size_t type>
    struct Comparison {
      static inline richcmpfunc numpys;
      static PyObject* call(PyObject* a, PyObject* b, int comparison) {
        if (Py_TYPE(b) == tensor) Py_RETURN_NOTIMPLEMENTED;
        return numpys(a, b, comparison);
      }
      static void precede_in(PyTypeObject* of) {
        precede(&of->tp_richcompare, &call, &numpys);
      }
    };

    template <size_t type>
    void precede_operators(PyTypeObject* of) {
      using Numbers = PyNumberMethods;
      Binary<&Numbers::nb_add, type>::precede_in(of);
      Binary<&Numbers::nb_subtract, type>::precede_in(of);
      Binary<&Numbers::nb_multiply, type>::precede_in(of);
      Binary<&Numbers::nb_true_divide, type>::precede_in(of);
      Binary<&Numbers::nb_floor_divide, type>::precede_in(of);
      Binary<&Numbers::nb_remainder, type>::precede_in(of);
      Binary<&Numbers::nb_divmod, type>::precede_in(of);
      Binary<&Numbers::nb_and, type>::precede_in(of);
      Binary<&Numbers::nb_or, type>::precede_in(of);
      Binary<&Numbers::nb_xor, type>::precede_in(of);
      Binary<&Numbers::nb_lshift, type>::precede_in(of);
      Binary<&Numbers::nb_rshift, type>::precede_in(of);
      Power<type>::precede_in(of);
      Comparison<type>::precede_in(of);
    }

    template <size_t... type>
    int precede_operators(PyObject* types, std::index_sequence<type...>) {
      const size_t count = size_t(PyTuple_GET_SIZE(types));
      if (count > MAX_TYPES) {
        PyErr_SetString(PyExc_SystemError, "leave_tensors: MAX_TYPES is too small");
        return -1;
      }
      const auto at = [&](size_t i) {
        return reinterpret_cast<PyTypeObject*>(PyTuple_GET_ITEM(types, Py_ssize_t(i)));
      };
      ((type < count ? precede_operators<type>(at(type)) : void()), ...);
      return 0;
    }

    }  // namespace scalar_operators

    static int leave_tensors(PyObject* types, PyObject* tensor) {
      scalar_operators::tensor = reinterpret_cast<PyTypeObject*>(tensor);
      return scalar_operators::precede_operators(
          types, std::make_index_sequence<scalar_operators::MAX_TYPES>{});
    }
    """
    int leave_tensors(tuple types, object tensor) except -1
