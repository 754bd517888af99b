# DLPack's flag of read-only memory, which CuPy neither reads nor sets.

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
    """An exporter, and whether the memory that it exported is read-only."""

    cdef object exporter
    cdef readonly bint read_only

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
        return capsule


cdef object marked_read_only(object capsule):
    """A capsule of memory that consumers must not write to; None if it has no flags."""
    cdef CorepyVersioned* struct = versioned(capsule)
    if struct is NULL:
        return None
    if not struct.flags & FLAG_COPIED:
        struct.flags |= FLAG_READ_ONLY
    return capsule
