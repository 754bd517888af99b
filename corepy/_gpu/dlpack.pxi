# What the standard asks of DLPack and CuPy lacks: the flag of read-only memory, copies within a
# device, and errors.

cdef extern from *:
    """
    /* The beginning of DLManagedTensorVersioned, of DLPack 1. */
    typedef struct {
      uint32_t major, minor;
      void* manager;
      void (*deleter)(void*);
      uint64_t flags;
    } CorepyVersioned;
    """
    ctypedef struct CorepyVersioned:
        uint64_t flags

cdef const char* VERSIONED = "dltensor_versioned"

cdef enum:
    FLAG_READ_ONLY = 1
    FLAG_COPIED = 2


cdef CorepyVersioned* versioned(object capsule) except? NULL:
    """The struct in a capsule; NULL in one of an earlier version of DLPack, which has no flags."""
    if not PyCapsule_IsValid(capsule, VERSIONED):
        return NULL
    return <CorepyVersioned*>PyCapsule_GetPointer(capsule, VERSIONED)


cdef class Importing:
    """An exporter, and whether the memory that it exported is read-only, and of bfloat16, which is
    exported as integers.
    """

    cdef object exporter
    cdef readonly bint read_only, is_bfloat16

    def __init__(self, exporter):
        self.exporter = exporter

    def __getattr__(self, name):
        return getattr(self.exporter, name)

    def __dlpack_device__(self):
        return self.exporter.__dlpack_device__()

    def __dlpack__(self, **params):
        cdef CorepyVersioned* struct
        capsule = self.exporter.__dlpack__(**params)
        struct = versioned(capsule)
        self.read_only = struct is not NULL and struct.flags & FLAG_READ_ONLY
        self.is_bfloat16 = bfloats_to_words(capsule)
        return capsule


cdef object marked_read_only(object capsule):
    """A capsule of memory that consumers must not write to; None if it has no flags."""
    cdef CorepyVersioned* struct = versioned(capsule)
    if struct is NULL:
        return None
    if not struct.flags & FLAG_COPIED:
        struct.flags |= FLAG_READ_ONLY
    return capsule


cdef object marked_copied(object capsule):
    """The capsule, marked as one of a copy if it has flags."""
    cdef CorepyVersioned* struct = versioned(capsule)
    if struct is not NULL:
        struct.flags |= FLAG_COPIED
    return capsule


# DLPack's types of devices.
cdef enum:
    DLPACK_CPU = 1
    DLPACK_CUDA = 2
    DLPACK_ROCM = 10


cdef bint stays_here(tuple own, object target, object copy) except -1:
    """Whether memory of DLPack's device `own` is exported there, or else to the host.

    BufferError for other targets, and for the host where `copy` is False; memory that a device
    shares with the host goes there without a copy.
    """
    if target is None:
        return True
    try:
        kind, index = target
        kind, index = int(kind), int(index)
    except (TypeError, ValueError):
        raise TypeError(
            f"__dlpack__: dl_device must be DLPack's device type and an index, got {target!r}"
        ) from None
    if (kind, index) == own:
        return True
    if kind != DLPACK_CPU:
        raise BufferError(
            f"__dlpack__: cannot export to DLPack device {kind, index}; allowed: {own}, and "
            f"{DLPACK_CPU, 0} for a copy in memory of the host"
        )
    if copy is False and own[0] in (DLPACK_CUDA, DLPACK_ROCM):
        raise BufferError(
            f"__dlpack__: memory of DLPack device {own} cannot be exported to the host without a "
            "copy, and copy=False was given"
        )
    return False


cdef bint runs_backwards(Tensor x, object copy) except -1:
    """Whether an axis has a negative stride; BufferError if `copy` is False.

    PyTorch aborts the process at one.
    """
    cdef int axis
    for axis in range(x.ndim):
        if x.steps[axis] < 0 and x.dims[axis] > 1:
            if copy is False:
                raise BufferError(
                    f"__dlpack__: strides {x.strides} cannot be exported without a copy, and "
                    "copy=False was given; allowed: strides that are not negative"
                )
            return True
    return False
