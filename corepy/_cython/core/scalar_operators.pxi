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

    // A slot that takes two operands, and perhaps more. It is a C function without data, so each
    // operator of each type has one of its own.
    template <size_t type, auto slot>
    struct Operator;
    template <size_t type, class Slots, class... More,
              PyObject* (*Slots::*slot)(PyObject*, PyObject*, More...)>
    struct Operator<type, slot> {
      static inline PyObject* (*numpys)(PyObject*, PyObject*, More...);

      static PyObject* call(PyObject* a, PyObject* b, More... more) {
        if (Py_TYPE(b) == tensor) Py_RETURN_NOTIMPLEMENTED;
        return numpys(a, b, more...);
      }
      // Puts `call` into the slot and keeps the former function; does nothing if it is there.
      static void precede(Slots* slots) {
        if (slots->*slot == nullptr || slots->*slot == call) return;
        numpys = slots->*slot;
        slots->*slot = call;
      }
    };

    template <size_t type, auto... slots>
    void precede_all(PyNumberMethods* numbers) {
      (Operator<type, slots>::precede(numbers), ...);
    }

    template <size_t type>
    void precede_operators(PyTypeObject* of) {
      using Numbers = PyNumberMethods;
      precede_all<type, &Numbers::nb_add, &Numbers::nb_subtract, &Numbers::nb_multiply,
                  &Numbers::nb_true_divide, &Numbers::nb_floor_divide, &Numbers::nb_remainder,
                  &Numbers::nb_divmod, &Numbers::nb_power, &Numbers::nb_and, &Numbers::nb_or,
                  &Numbers::nb_xor, &Numbers::nb_lshift, &Numbers::nb_rshift>(of->tp_as_number);
      Operator<type, &PyTypeObject::tp_richcompare>::precede(of);
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
