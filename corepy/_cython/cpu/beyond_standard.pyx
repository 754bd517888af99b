# distutils: language = c++
"""Functions of NumPy's beyond the standard: counts, indices of several axes, elements combined by
an operation, convolutions, bits in bytes.

They return None for operands that are not on the CPU, or of a dtype without a kernel.
"""

from libc.stdint cimport int64_t, uint64_t, uint8_t
from libc.string cimport memcpy, memset
from libcpp cimport bool as cppbool

from corepy._cython.core cimport (
    as_code, ask_kernel, before_write, call_kernel, cast_to, contiguous, CONTIGUOUS, Dtype,
    DTYPE_bool, DTYPE_float32, DTYPE_float64, DTYPE_int64, dtype_itemsize, DTYPE_uint64,
    DTYPE_uint8, empty, entry, flip, is_complex, is_full_float, is_half, is_here, is_integer,
    kernel, MAX_NDIM, OP_bitwise_and, OP_bitwise_or, OP_bitwise_xor, OP_fmax, OP_fmin, Operation,
    overlaps, same_shape, Tensor, WRITEABLE, zeroed,
)

cdef extern from "search.hpp" namespace "corepy" nogil:
    void range_of_integers(Dtype, Py_ssize_t, const char*, int64_t*, uint64_t*)

cdef extern from "counting.hpp" namespace "corepy" nogil:
    void count_integers(Dtype, Py_ssize_t, const char*, Py_ssize_t, int64_t*)
    void sum_weights(Dtype, Py_ssize_t, const char*, const double*, Py_ssize_t, double*)
    void count_in_bins(
        Dtype, Py_ssize_t, const char*, Py_ssize_t, const char*, cppbool, int64_t*
    )
    void sum_in_bins(
        Dtype, Py_ssize_t, const char*, const double*, Py_ssize_t, const char*, cppbool, double*
    )
    cppbool unravel_indices "corepy::unravel"(
        Py_ssize_t, const int64_t*, int, const int64_t*, int64_t**
    )
    cppbool ravel_indices "corepy::ravel"(
        Py_ssize_t, int, const int64_t*, const int64_t**, int64_t*
    )
    cppbool sum_segments(
        Dtype, Py_ssize_t, const char*, Py_ssize_t, const int64_t*, char*
    )
    cppbool add_elements_at "corepy::add_at"(
        Dtype, char*, Py_ssize_t, Py_ssize_t, const int64_t*, const char*, Py_ssize_t
    )


def bincount(Tensor x not None, Tensor weights, Py_ssize_t minlength):
    """Count the integers of a tensor of one axis from 0 on, or add up the weights of each, float64.

    None also where there are none, and for weights of another shape.
    """
    cdef int64_t least = 0
    cdef uint64_t distance = 0
    cdef Py_ssize_t size
    cdef Tensor out
    cdef Dtype dtype
    if not is_here(x) or x.ndim != 1 or not x.count or x.code == DTYPE_uint64 \
            or not is_integer(x.code):
        return None
    x = contiguous(x)
    dtype = <Dtype>x.code
    if weights is not None:
        if not is_here(weights) or not same_shape(x, weights) or is_complex(weights.code):
            return None
        weights = cast_to(weights, DTYPE_float64) if weights.code != DTYPE_float64 \
            else contiguous(weights)
    call_kernel(x.count, range_of_integers, dtype, x.count, x.data, &least, &distance)
    if least < 0:
        raise ValueError(f"bincount: x must not have negative elements, got {least}")
    size = <Py_ssize_t>(<uint64_t>least + distance) + 1
    if size <= 0:  # NumPy would write beyond its result
        raise MemoryError(f"bincount: no memory for counts up to {<uint64_t>least + distance}")
    size = max(minlength, size)
    out = zeroed(DTYPE_int64 if weights is None else DTYPE_float64, 1, &size)
    if weights is None:
        call_kernel(x.count, count_integers, dtype, x.count, x.data, size, <int64_t*>out.data)
    else:
        call_kernel(
            x.count, sum_weights, dtype, x.count, x.data, <double*>weights.data, size,
            <double*>out.data,
        )
    return out


def histogram(Tensor x not None, Tensor edges not None, Tensor weights, bint uniform):
    """Count numbers in bins, or sum up their float64 weights.

    `edges` ascend, have no NaN and the dtype of `x`, float32 or float64. With `uniform` bins are of
    one width up to rounding.
    """
    cdef Py_ssize_t bins
    cdef Tensor out
    cdef Dtype dtype
    if not is_here(x) or not is_here(edges) or x.code != edges.code or not is_full_float(x.code) \
            or edges.ndim != 1 or edges.count < 2:
        return None
    bins = edges.count - 1
    dtype = <Dtype>x.code
    x, edges = contiguous(x), contiguous(edges)
    if weights is not None:
        if not is_here(weights) or not same_shape(x, weights) or weights.code != DTYPE_float64:
            return None
        weights = contiguous(weights)
        out = zeroed(DTYPE_float64, 1, &bins)
        call_kernel(
            x.count, sum_in_bins, dtype, x.count, x.data, <double*>weights.data, bins, edges.data,
            uniform, <double*>out.data,
        )
        return out
    out = zeroed(DTYPE_int64, 1, &bins)
    call_kernel(
        x.count, count_in_bins, dtype, x.count, x.data, bins, edges.data, uniform,
        <int64_t*>out.data,
    )
    return out


# ---- indices of several axes

cdef Py_ssize_t read_shape(tuple shape, int64_t* sizes) except -1:
    """Write the sizes of axes; their product, or 0 where it is none or beyond 2^62."""
    cdef Py_ssize_t axis
    cdef int64_t size
    cdef double total = 1
    if not 0 < len(shape) <= MAX_NDIM:
        return 0
    for axis in range(len(shape)):
        if type(shape[axis]) is not int or not 0 < shape[axis] < 1 << 62:
            return 0
        size = shape[axis]
        sizes[axis] = size
        total *= <double>size
    return 1 if total < 4e18 else 0


def unravel(Tensor indices not None, tuple shape not None):
    """Return, for each axis of a shape, the indices that indices in C order have along it.

    None also where an index is outside of the shape.
    """
    cdef int64_t sizes[MAX_NDIM]
    cdef int64_t* addresses[MAX_NDIM]
    cdef int axis, ndim = <int>len(shape)
    cdef Tensor out
    cdef list results = []
    cdef cppbool within
    if not is_here(indices) or indices.code != DTYPE_int64 or not indices.ndim \
            or not read_shape(shape, sizes):
        return None
    indices = contiguous(indices)
    for axis in range(ndim):
        out = empty(DTYPE_int64, indices.ndim, indices.dims)
        addresses[axis] = <int64_t*>out.data
        results.append(out)
    within = ask_kernel(
        indices.count, unravel_indices, indices.count, <int64_t*>indices.data, ndim, sizes,
        addresses,
    )
    return tuple(results) if within else None


def ravel(tuple indices not None, tuple shape not None):
    """Return the indices in C order of indices along each axis, tensors of one shape.

    None also where an index is outside of the shape.
    """
    cdef int64_t sizes[MAX_NDIM]
    cdef const int64_t* addresses[MAX_NDIM]
    cdef int axis, ndim = <int>len(shape)
    cdef Tensor out, first = None, x
    cdef list kept = []
    cdef cppbool within
    if len(indices) != ndim or not read_shape(shape, sizes):
        return None
    for axis in range(ndim):
        if not is_here(indices[axis]):
            return None
        x = indices[axis]
        if x.code != DTYPE_int64 or not x.ndim:
            return None
        if first is None:
            first = x
        elif not same_shape(x, first):
            return None
        x = contiguous(x)
        kept.append(x)
        addresses[axis] = <const int64_t*>x.data
    out = empty(DTYPE_int64, first.ndim, first.dims)
    within = ask_kernel(
        out.count, ravel_indices, out.count, ndim, sizes, addresses, <int64_t*>out.data
    )
    return out if within else None


def can_add_at(Tensor x not None, Tensor indices not None, Tensor values not None):
    """Whether `add_at` takes such tensors: of one axis and one dtype, sharing no memory."""
    return is_here(x) and is_here(indices) and is_here(values) and x.ndim == 1 \
        and indices.ndim == 1 and indices.code == DTYPE_int64 and x.code == values.code \
        and (is_integer(x.code) or is_full_float(x.code)) and x.flags & CONTIGUOUS \
        and x.flags & WRITEABLE and not overlaps(x, indices) and not overlaps(x, values) \
        and (values.ndim == 0 or (values.ndim == 1 and values.count == indices.count))


def add_at(Tensor x not None, Tensor indices not None, Tensor values not None):
    """Add a value to the element at each index, one after the other.

    Raises
    ------
    IndexError
        An index is out of range. Nothing is written.
    """
    cdef cppbool done
    cdef Py_ssize_t step = 0
    if not can_add_at(x, indices, values):
        raise ValueError("add.at: expected tensors of one axis that share no memory")
    if values.ndim == 1:
        values = contiguous(values)
        step = dtype_itemsize[values.code]
    indices = contiguous(indices)
    before_write(x)
    done = ask_kernel(
        indices.count, add_elements_at, <Dtype>x.code, x.data, x.count, indices.count,
        <int64_t*>indices.data, values.data, step,
    )
    if not done:
        raise IndexError(f"add.at: an index is out of range for an axis of size {x.count}")


def can_add_reduceat(Tensor x not None, Tensor indices not None):
    """Whether `add_reduceat` takes such tensors: of one axis, float32, float64 or int64."""
    return is_here(x) and is_here(indices) and x.ndim == 1 and indices.ndim == 1 \
        and indices.code == DTYPE_int64 and x.code in (DTYPE_float32, DTYPE_float64, DTYPE_int64)


def add_reduceat(Tensor x not None, Tensor indices not None):
    """Return the sums of the elements from each index to the next one, as numpy.add.reduceat.

    Raises
    ------
    IndexError
        An index is out of range.
    """
    cdef Tensor out
    cdef cppbool within
    if not can_add_reduceat(x, indices):
        raise ValueError("add.reduceat: expected tensors of one axis")
    x, indices = contiguous(x), contiguous(indices)
    out = empty(x.code, 1, indices.dims)
    within = ask_kernel(
        x.count, sum_segments, <Dtype>x.code, x.count, x.data, indices.count,
        <int64_t*>indices.data, out.data,
    )
    if not within:
        raise IndexError(f"add.reduceat: an index is out of range for an axis of size {x.count}")
    return out


cdef extern from "convolution.hpp" namespace "corepy" nogil:
    void pack_bits(Py_ssize_t, const uint8_t*, cppbool, uint8_t*)
    void unpack_bits(Py_ssize_t, const uint8_t*, cppbool, uint8_t*)
    void fold(kernel, Py_ssize_t, Py_ssize_t, const char*, char*)
    cppbool has_convolution(Dtype)
    void convolve_elements "corepy::convolve"(
        Dtype, Py_ssize_t, const char*, Py_ssize_t, const char*, Py_ssize_t, Py_ssize_t, char*,
        char*,
    )


# ---- elements of an array combined

cdef dict FOLDS = {
    "bitwise_and": OP_bitwise_and, "bitwise_or": OP_bitwise_or, "bitwise_xor": OP_bitwise_xor,
    "fmax": OP_fmax, "fmin": OP_fmin,
}


def reduce_all(str name not None, Tensor x not None):
    """Combine all elements by an operation of `FOLDS`, fmax and fmin of floating-point numbers,
    the others of integers; None for no elements, too.
    """
    cdef Tensor out
    cdef kernel loop
    cdef Py_ssize_t itemsize
    if is_half(x.code):
        out = reduce_all(name, as_code(x, DTYPE_float32))
        return None if out is None else as_code(out, x.code)
    if not is_here(x) or not x.count or not (is_integer(x.code) or is_full_float(x.code)):
        return None
    loop = entry(<Operation><int>FOLDS[name], <Dtype>x.code).loop
    if loop == NULL:
        return None
    x = contiguous(x)
    itemsize = dtype_itemsize[x.code]
    out = empty(x.code, 0, NULL)
    call_kernel(x.count, fold, loop, itemsize, x.count, x.data, out.data)
    return out


def convolution_part(object mode, Py_ssize_t n, Py_ssize_t m):
    """Return where the part of a full convolution begins and ends that a mode of NumPy's asks for;
    None for other modes. `n` elements are not fewer than `m`.
    """
    if type(mode) is not str and type(mode) is not int:
        return None
    if mode == "full" or mode == 2:
        return 0, n + m - 1
    if mode == "same" or mode == 1:
        return (m - 1) // 2, (m - 1) // 2 + n
    if mode == "valid" or mode == 0:
        return m - 1, n
    return None


def convolve(object a, object v, object mode, bint reverse=False):
    """Convolve two tensors of one axis; with the second reversed for a correlation of real numbers.

    `mode` is NumPy's. None for what is empty, has other modes or different dtypes, too.
    """
    cdef Tensor x, y, out
    cdef bint swapped
    if not is_here(a) or not is_here(v):
        return None
    x, y = <Tensor>a, <Tensor>v
    if x.code != y.code or x.ndim != 1 or y.ndim != 1 or not has_convolution(<Dtype>x.code) \
            or (reverse and is_complex(x.code)):
        return None
    swapped = x.count < y.count
    if swapped:
        x, y = y, x
    part = convolution_part(mode, x.count, y.count)
    if y.count == 0 or part is None:
        return None
    out = convolve_part(x, flip(y) if reverse else y, part[0], part[1])
    return flip(out) if reverse and swapped else out


cdef Tensor convolve_part(Tensor a, Tensor v, Py_ssize_t begin, Py_ssize_t end):
    """Elements `begin` to `end` of the full convolution; `a` is not shorter than `v`."""
    cdef Py_ssize_t count = end - begin, size = 4 * v.count
    cdef Tensor scratch, out
    a, v = contiguous(a), contiguous(v)
    out = empty(a.code, 1, &count)
    scratch = empty(a.code, 1, &size)
    call_kernel(
        count * v.count, convolve_elements, <Dtype>a.code, a.count, a.data, v.count, v.data, begin,
        end, scratch.data, out.data,
    )
    return out


# ---- bits

def packbits(Tensor x not None, bint big):
    """Return the elements, zero or not, as bits of bytes (uint8)."""
    cdef Py_ssize_t whole, count
    cdef uint8_t last[8]
    cdef Tensor out
    if not is_here(x) or not (x.code == DTYPE_bool or x.code == DTYPE_uint8):
        return None
    x = contiguous(x)
    whole = x.count // 8
    count = (x.count + 7) // 8
    out = empty(DTYPE_uint8, 1, &count)
    call_kernel(x.count, pack_bits, whole, <uint8_t*>x.data, big, <uint8_t*>out.data)
    if count > whole:
        memset(last, 0, 8)
        memcpy(last, x.data + 8 * whole, x.count - 8 * whole)
        pack_bits(1, last, big, <uint8_t*>out.data + whole)
    return out


def unpackbits(Tensor x not None, bint big):
    """Return the bits of bytes as uint8, in one axis."""
    cdef Py_ssize_t count = 8 * x.count
    cdef Tensor out
    if not is_here(x) or x.code != DTYPE_uint8:
        return None
    x = contiguous(x)
    out = empty(DTYPE_uint8, 1, &count)
    call_kernel(x.count, unpack_bits, x.count, <uint8_t*>x.data, big, <uint8_t*>out.data)
    return out
