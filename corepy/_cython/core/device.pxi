# Device, and the device that operands share.
#
# Needs backend, convert, storage, tensor, upcalls, validation.


@cython.binding(False)
@cython.final
cdef class Device:
    """The device of a tensor's elements: a backend and one of its devices.

    ``Device(name)`` returns the device of that name. Backends create one object for each of their
    devices, by ``Device(backend, index, text)``. A device compares equal to its name:
    ``x.device == "cpu"``. Functions accept the name as a device.

    Parameters
    ----------
    backend : Backend or str
        The backend whose device it is; or the name of a device, alone.
    index : int, optional
        Its number among the backend's devices.
    text : str, optional
        Its name; by default that of the backend.

    Raises
    ------
    ValueError
        There is no device of that name here; the message lists those that there are.
    """

    def __cinit__(self, Backend backend not None, int index=0, text=None):
        self.backend = backend
        self.index = index
        self.text = backend.name if text is None else text

    def __repr__(self):
        return f"Device({self.text!r})"

    def __str__(self):
        return self.text

    def __format__(self, spec):
        return format(self.text, spec)

    def __hash__(self):
        return hash(self.text)

    def __eq__(self, other):
        if isinstance(other, Device):
            return self is other or self.text == (<Device>other).text
        return self.text == other if isinstance(other, str) else NotImplemented

    def __reduce__(self):
        return as_device, (self.text,)


cdef extern from *:
    """
    static newfunc allocate_device;

    typedef PyObject* (*find_by_name)(PyObject*);
    static find_by_name find_device_by_name;

    // Device("cuda:0") returns an object that there is, as no constructor written in Cython can.
    static PyObject* new_device(PyTypeObject* type, PyObject* args, PyObject* keywords) {
      if (PyTuple_GET_SIZE(args) == 1 && PyUnicode_Check(PyTuple_GET_ITEM(args, 0)) &&
          (keywords == NULL || PyDict_GET_SIZE(keywords) == 0)) {
        return find_device_by_name(PyTuple_GET_ITEM(args, 0));
      }
      return allocate_device(type, args, keywords);
    }

    static void construct_devices_by_name(PyObject* type, find_by_name find) {
      find_device_by_name = find;
      allocate_device = ((PyTypeObject*)type)->tp_new;
      ((PyTypeObject*)type)->tp_new = new_device;
      ((PyTypeObject*)type)->tp_vectorcall = NULL;  // would not call it
    }
    """
    ctypedef object (*find_by_name)(object)
    void construct_devices_by_name(object, find_by_name)


cdef object named_device(object name):
    return as_device(name, "Device")


construct_devices_by_name(Device, named_device)

cdef Device CPU = None          # set by cpu/backend.pxi
cdef Backend HOST = None        # likewise
cdef Backend DEFERRING = None   # set by lazy/recorder.pyx; no tensor has None


cdef Backend deferring_backend():
    """The backend of deferred tensors, which is imported with the first of them."""
    if provided.materialize == NULL:
        importlib.import_module("corepy._cython.lazy.recorder")
    return DEFERRING
cdef enum:
    HOST_MEMORY = 1  # DLPack's kDLCPU
    CUDA_MEMORY = 2  # DLPack's kDLCUDA
# The devices that read other memory, by DLPack's numbers: CUDA's, ROCm's, and CUDA's managed one.
cdef dict READERS = {CUDA_MEMORY: "cuda:0", 10: "rocm:0", 13: "cuda:0"}


cpdef Device as_device(object device, str function="Device"):
    """Return the `Device` that `device` names.

    Parameters
    ----------
    device : Device, str or None
        A device, its name, or None for the default device.
    function : str, optional
        The function whose argument it is, for errors.

    Raises
    ------
    ValueError
        No such device; the message lists those that there are.
    TypeError
        `device` is none of these.
    """
    if device is None:
        return default_device()
    if isinstance(device, Device):
        return device
    if isinstance(device, str):
        return upcall("find_device")(device, function)
    raise TypeError(
        f"{function}: device must be a Device, its name or None, got {type(device).__name__}"
    )


cdef Device default_device():
    """The device that None stands for."""
    return setting("device") if choosing else CPU


cdef object find_reader(int kind, str function):
    """The Device that reads memory of a kind, DLPack's number; None: the host reads it."""
    name = READERS.get(kind)
    return None if name is None else as_device(name, function)


cdef bint operands_may_move() except -1:
    """Whether operands on different devices are moved to one; called only if there are any."""
    return setting("cross_device") != "raise"


cdef Device meeting_device(tuple tensors):
    """The device that operands on different ones are moved to: that of the first or, where the
    smaller ones are to move, that of the largest.
    """
    cdef Tensor x, largest = tensors[0]
    if setting("cross_device") == "smaller":
        for x in tensors:
            if x.count * dtype_itemsize[x.code] > largest.count * dtype_itemsize[largest.code]:
                largest = x
    return largest.device


cdef object device_error(str function, Device first, Device second):
    return ValueError(
        f"{function}: operands are on different devices, {first} and {second}; "
        f"move one with x.to_device({str(first)!r}), "
        "or let Corepy do it with corepy.set_config(cross_device='convert')"
    )


cdef inline bint may_defer(Tensor x) noexcept:
    """Whether an operation on so many elements may be one to defer, here or in another context."""
    return deferring and x.count >= least_deferred


cdef inline bint may_defer_any(object x1, object x2) noexcept:
    """The same for operands, tensors or scalars, that are broadcast."""
    cdef Tensor a, b
    if not deferring:
        return False
    if not is_tensor(x1) or not is_tensor(x2):
        return (is_tensor(x1) and (<Tensor>x1).count >= least_deferred) \
            or (is_tensor(x2) and (<Tensor>x2).count >= least_deferred)
    a, b = <Tensor>x1, <Tensor>x2
    if a.count >= least_deferred or b.count >= least_deferred:
        return True
    return not same_shape(a, b) and (a.count == 0 or b.count >= least_deferred // a.count)


cdef inline bint is_worth_deferring(int op, Tensor x, bint binary) noexcept:
    """Whether an operation on computed tensors of the CPU, of about the size of `x`, is deferred as
    far as is known here.
    """
    if not predicting or provided.check_errors != NULL or x.count >= LARGE:
        return True
    if is_expected_alone(op, x.code, x.count, binary):
        return False
    predictions.worth = predictions.last
    return True


cdef inline int materialize(Tensor x) except -1:
    """Compute a deferred tensor, in place; others are left as they are."""
    return provided.materialize(x) if is_deferred(x) else 0


cdef inline int before_write(Tensor x) except -1:
    """Compute what has been deferred and reads the memory that is about to be written."""
    if type(x.storage) is Block and (<Block>x.storage).readers:
        return provided.compute_readers(<Block>x.storage)
    return 0


cdef tuple tensors_in(tuple inputs, dict params):
    """Every Tensor among the arguments of an operation, also one level down in a sequence."""
    cdef list found = []
    for value in inputs:
        if is_tensor(value):
            found.append(value)
        elif isinstance(value, (tuple, list)):
            found.extend([item for item in value if is_tensor(item)])
    if params:
        found.extend([value for value in params.values() if is_tensor(value)])
    return tuple(found)


cdef Device shared_device(str function, tuple tensors):
    """The device that all of `tensors` are on, or None when they differ and may be moved."""
    cdef Device device = (<Tensor>tensors[0]).device
    cdef Tensor x
    for x in tensors:
        if x.device is not device:
            if not operands_may_move():
                raise device_error(function, device, x.device)
            return None
    return device


cdef Backend shared_backend(str function, tuple tensors):
    """The backend that computes with all of `tensors`, which are on one device: that of deferred
    tensors if some are deferred. None when they are on several and may be moved.
    """
    cdef Device device = shared_device(function, tensors)
    cdef Tensor x
    for x in tensors:
        if is_deferred(x):
            return None if device is None else x.backend
    return None if device is None else device.backend


cdef tuple on_one_device(str function, Tensor a, Tensor b):
    """Operands on different devices, moved to one if that is allowed."""
    cdef Device device
    shared_device(function, (a, b))  # raises unless it is
    device = meeting_device((a, b))
    return to_device(a, device), to_device(b, device)


cdef object moved(object value, Device device):
    """`value` with the tensors in it on `device`."""
    if is_tensor(value):
        return to_device(value, device)
    if type(value) is tuple or type(value) is list:
        items = [to_device(item, device) if is_tensor(item) else item for item in value]
        return items if type(value) is list else tuple(items)
    return value


def creating_on(function, Device device not None, bint converts):
    """Return a creation function that creates on `device` if it is given none.

    If it `converts` arrays, those that are on a device stay there.
    """
    def create(*inputs, **options):
        if options.get("device") is None \
                and not (converts and inputs and is_tensor(inputs[0])):
            options["device"] = device
        return function(*inputs, **options)
    return create
