# What the core calls in the layers above it, all of it. It is entered when they are imported: with
# the standard's namespace, or when it is first called.
#
#   lazy       `provided.materialize`, `compute_readers`, `compute_into`, `compute_inplace`: what is
#              deferred is computed before the core reads or writes its memory, or in that memory.
#              `compute_pending`: it keeps operands alive, and is computed if there is no memory.
#              `check_errors`: NumPy computes first where a context asks for errors.
#   families   `provided.matmul`, `read_at`, `write_at`: operators and indices of Tensor that are
#              computed by modules of their own.
#   backend    find_device(name, function): devices have names. compute(backend, operation, inputs,
#              params, device): operations of a backend in Python; where it lacks one, another's.
#              corrections_for(library): what NumPy's functions need to be the standard's.
#   array_api  namespace(device, api_version): `Tensor.__array_namespace__`.

# Functions of Python by name, and the modules that provide them.
cdef dict upcalls = {}
cdef dict PROVIDERS = {
    "compute": "corepy.backend.execution",
    "corrections_for": "corepy.backend.registry",
    "find_device": "corepy.backend.registry",
    "namespace": "corepy.array_api._namespace",
}


def provide(**functions):
    """Set functions that the core calls."""
    upcalls.update(functions)


def upcall(str name not None):
    """Return a function that the core calls."""
    if name not in upcalls:
        importlib.import_module(PROVIDERS[name])
    return upcalls[name]


cdef int check_errors(str operation, tuple operands, dict params) except -1:
    """Have NumPy compute an operation of the CPU first, where a context asks for floating-point
    errors (`errstate`). Callers test `provided.check_errors` first, which costs less.
    """
    return provided.check_errors(operation, operands, params) if provided.check_errors else 0
