"""Functions of NumPy's whose small calls are frequent: arrays from objects, and `dot`.

What is no frequent call is computed by the modules that these functions belong to.
"""

cimport numpy as cnp

from corepy._cython.core cimport asarray as converted
from corepy._cython.core cimport (
    code_of_ndarray, contiguous, DTYPES, find_code, in_host_memory, is_complex, is_tensor,
    materialize, nested_numbers, provided, Tensor,
)
from corepy._cython.settings cimport choosing

from corepy.numpy import _creation, _products, _shapes
from corepy.numpy._arguments import Array, DType

__all__ = ["array", "asarray", "ascontiguousarray", "dot"]


# What is no dtype of tensors.
cdef enum:
    OTHER = -2


cdef inline int code_of(object dtype) except? -3:
    """The code of a dtype, -1 of None, OTHER of what is not one of tensors."""
    cdef int code
    if dtype is None:
        return -1
    code = find_code(dtype) if isinstance(dtype, (type, cnp.dtype, str)) else -1
    return OTHER if code < 0 else code


cdef inline Tensor numbers_in(object obj, int code):
    """A new tensor of a list of numbers or arrays; None: something else decides about it."""
    if type(obj) is not list or choosing or code == OTHER:
        return None
    return nested_numbers(obj, code)


cdef inline bint is_plain(object obj, int code) noexcept:
    """Whether an object is an array of which a tensor of a dtype is made without warnings."""
    if code == OTHER:
        return False
    if is_tensor(obj):
        return code < 0 or not is_complex((<Tensor>obj).code) or is_complex(code)
    return is_held(obj) and (code < 0 or not cnp.PyArray_ISCOMPLEX(obj) or is_complex(code))


cdef inline bint is_held(object array) noexcept:
    """Whether a Tensor represents an array of NumPy's completely."""
    return type(array) is cnp.ndarray and cnp.PyArray_ISBEHAVED_RO(array) \
        and code_of_ndarray(array) >= 0


def array(
    object, dtype=None, *, copy=True, order="K", subok=False, ndmin=0, ndmax=0, like=None
):
    """Make an array of an object. See `numpy.array`."""
    cdef Tensor x
    cdef int code
    if copy is True and order == "K" and ndmin == 0 and ndmax == 0 and like is None:
        code = code_of(dtype)
        x = numbers_in(object, code)
        if x is not None:
            return x
        if is_plain(object, code):
            return converted(object, None if code < 0 else DTYPES[code], None, True)
    return _creation.any_array(object, dtype, copy, order, subok, ndmin, ndmax, like)


def asarray(a, dtype=None, order=None, *, device=None, copy=None, like=None, chunks=None):
    """Return an object as an array, without a copy if possible. See `numpy.asarray`."""
    cdef Tensor x
    cdef int code
    if order is None and device is None and copy is None and like is None and chunks is None:
        code = code_of(dtype)
        x = numbers_in(a, code)
        if x is not None:
            return x
        if code == -1 and is_tensor(a):
            return a
        if is_plain(a, code):
            return converted(a, None if code < 0 else DTYPES[code])
    return _creation.any_asarray(a, dtype, order, device, copy, like, chunks)


def ascontiguousarray(a: Array, dtype: DType | None = None, *, like: None = None):
    """Return an array in C order, with at least one axis. See `numpy.ascontiguousarray`."""
    cdef Tensor x
    if is_tensor(a) and dtype is None and like is None and (<Tensor>a).ndim:
        x = <Tensor>a
        materialize(x)
        if in_host_memory(x):
            return contiguous(x)
    return _shapes.made_contiguous(a, dtype, like)


def dot(a: Array, b: Array, out=None):
    """Sum products over the last axis of `a` and the second last of `b`. See `numpy.dot`."""
    if is_tensor(a) and is_tensor(b) and out is None \
            and (<Tensor>a).ndim and 0 < (<Tensor>b).ndim <= 2:
        return provided.matmul(a, b)
    return _products.any_dot(a, b, out)


dot.__annotations__["out"] = Tensor | None
for _function in (array, asarray, ascontiguousarray, dot):
    _function.__annotations__["return"] = "Tensor"  # compiled, it would be checked
