# distutils: language = c++
"""Operations beyond the standard's: elementwise ones, bits, sums of products, accumulations.

Functions return None for operands that are not on the CPU, or of a dtype without a kernel.
"""

from libc.stdint cimport int8_t, uint8_t
from libc.string cimport memcpy, memset
from libcpp cimport bool as cppbool

from corepy._cython.core cimport (
    broadcast_into, contiguous, core_runtime, CPU, cpu_binary, Dtype, DTYPE_bool, DTYPE_COUNT,
    DTYPE_float64, dtype_itemsize, DTYPE_uint8, empty, entry, flip, in_host_memory, is_complex,
    is_floating, is_integer, is_tensor, kernel, MAX_NDIM, OP_bitwise_and, OP_bitwise_or,
    OP_bitwise_xor, OP_maximum, OP_minimum, Operand, Operation, RELEASE_GIL, run,
    set_binary_operands_on, set_operand_on, settle, take_order, Tensor,
)
from corepy._cython.cpu.runtime cimport use_runtime

use_runtime(core_runtime())

cdef extern from "further.hpp" namespace "corepy" nogil:
    ctypedef enum Further:
        FURTHER_fmax
        FURTHER_fmin
        FURTHER_gcd
        FURTHER_lcm
        FURTHER_heaviside
        FURTHER_bitwise_count
        FURTHER_round_up
        FURTHER_round_down
        FURTHER_COUNT
    cdef struct FurtherLoops:
        kernel loops[FURTHER_COUNT][DTYPE_COUNT]
    void pack_bits(Py_ssize_t, const uint8_t*, cppbool, uint8_t*)
    void unpack_bits(Py_ssize_t, const uint8_t*, cppbool, uint8_t*)
    void fold(kernel, Py_ssize_t, Py_ssize_t, const char*, char*)
    cppbool has_convolution(Dtype)
    void convolve_elements "corepy::convolve"(
        Dtype, Py_ssize_t, const char*, Py_ssize_t, const char*, Py_ssize_t, Py_ssize_t, char*,
        char*,
    )

cdef extern from "kernels.hpp" namespace "corepy" nogil:
    cdef struct Kernels:
        FurtherLoops further
    const Kernels& kernels()


cdef inline bint is_here(object x) except -1:
    """Whether an operand is a tensor on the CPU, with its elements computed."""
    if not is_tensor(x):
        return False
    settle(<Tensor>x)
    return in_host_memory(<Tensor>x)


# ---- elementwise operations

cdef Tensor binary(Further operation, object x1, object x2):
    """An operation on two operands, of which one may be a Python scalar; None without a kernel."""
    cdef Operand operands[2]
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef Py_ssize_t ndim
    cdef int8_t computed[2]
    cdef kernel loop
    cdef Tensor out
    cdef int code
    if is_tensor(x1):
        if not is_here(x1) or (is_tensor(x2) and not is_here(x2)):
            return None
    elif not is_here(x2):
        return None
    code = set_binary_operands_on(CPU, OP_maximum, x1, x2, operands)
    if code < 0:
        return None
    if operation == FURTHER_heaviside:
        if is_short(x1) or is_short(x2):
            return None
        if is_integer(code):
            code = DTYPE_float64
    loop = kernels().further.loops[<int>operation][code]
    if loop == NULL:
        return None
    broadcast_into("broadcast", operands, 2, &ndim, shape)
    out = empty(code, ndim, shape)
    take_order(out, operands, 2)
    computed[0] = computed[1] = code
    run(loop, 2, operands, computed, code, out)
    return out


cdef inline bint is_short(object x) noexcept:
    """Whether an operand is a tensor of bools or of integers that float16 or float32 holds."""
    return is_tensor(x) and not is_floating((<Tensor>x).code) \
        and dtype_itemsize[(<Tensor>x).code] < 4


cdef object extreme(Further operation, Operation plain, object x1, object x2):
    """fmax or fmin: for dtypes without NaN the standard's operation."""
    out = binary(operation, x1, x2)
    if out is not None or not (is_tensor(x1) and is_tensor(x2)):
        return out
    if not is_here(x1) or not is_here(x2) or (<Tensor>x1).code != (<Tensor>x2).code \
            or is_complex((<Tensor>x1).code):
        return None
    return cpu_binary(plain, x1, x2)


def fmax(x1, x2):
    """Return the greater of two elements, or the number where one is NaN."""
    return extreme(FURTHER_fmax, OP_maximum, x1, x2)


def fmin(x1, x2):
    """Return the lesser of two elements, or the number where one is NaN."""
    return extreme(FURTHER_fmin, OP_minimum, x1, x2)


def gcd(x1, x2):
    """Return greatest common divisors."""
    return binary(FURTHER_gcd, x1, x2)


def lcm(x1, x2):
    """Return least common multiples."""
    return binary(FURTHER_lcm, x1, x2)


def heaviside(x1, x2):
    """Return 0 for negative numbers, 1 for positive ones, and `x2` for 0."""
    return binary(FURTHER_heaviside, x1, x2)


def bitwise_count(Tensor x not None):
    """Return how many bits of the absolute values are set, as uint8."""
    cdef Operand operand
    cdef Tensor out
    cdef kernel loop
    cdef int8_t computed
    if not is_here(x):
        return None
    computed = x.code
    loop = kernels().further.loops[<int>FURTHER_bitwise_count][<int>computed]
    if loop == NULL:
        return None
    set_operand_on(CPU, &operand, x)
    out = empty(DTYPE_uint8, x.ndim, x.dims)
    take_order(out, &operand, 1)
    run(loop, 1, &operand, &computed, DTYPE_uint8, out)
    return out


def round_to(Tensor x not None, double factor, bint up):
    """Round floating-point numbers to multiples of 1 / `factor` (`up`), or of `factor`."""
    if not is_here(x) or not is_floating(x.code):
        return None
    return binary(FURTHER_round_up if up else FURTHER_round_down, x, factor)


# ---- elements of an array combined

cdef dict BITWISE = {
    "bitwise_and": OP_bitwise_and, "bitwise_or": OP_bitwise_or, "bitwise_xor": OP_bitwise_xor,
}
cdef dict EXTREMES = {"fmax": FURTHER_fmax, "fmin": FURTHER_fmin}


def reduce_all(str name not None, Tensor x not None):
    """Combine all elements by fmax or fmin, of floating-point numbers, or by a bitwise operation,
    of integers; None for no elements, too.
    """
    cdef Tensor out
    cdef kernel loop
    cdef Py_ssize_t itemsize
    if not is_here(x) or not x.count:
        return None
    loop = NULL
    if name in EXTREMES:
        loop = kernels().further.loops[<int>EXTREMES[name]][<int>x.code]
    elif name in BITWISE and is_integer(x.code):
        loop = entry(<Operation><int>BITWISE[name], <Dtype>x.code).loop
    if loop == NULL:
        return None
    x = contiguous(x)
    itemsize = dtype_itemsize[x.code]
    out = empty(x.code, 0, NULL)
    if x.count >= RELEASE_GIL:
        with nogil:
            fold(loop, itemsize, x.count, x.data, out.data)
    else:
        fold(loop, itemsize, x.count, x.data, out.data)
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
    if count * v.count >= RELEASE_GIL:
        with nogil:
            convolve_elements(
                <Dtype>a.code, a.count, a.data, v.count, v.data, begin, end, scratch.data, out.data
            )
    else:
        convolve_elements(
            <Dtype>a.code, a.count, a.data, v.count, v.data, begin, end, scratch.data, out.data
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
    if x.count >= RELEASE_GIL:
        with nogil:
            pack_bits(whole, <uint8_t*>x.data, big, <uint8_t*>out.data)
    else:
        pack_bits(whole, <uint8_t*>x.data, big, <uint8_t*>out.data)
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
    if x.count >= RELEASE_GIL:
        with nogil:
            unpack_bits(x.count, <uint8_t*>x.data, big, <uint8_t*>out.data)
    else:
        unpack_bits(x.count, <uint8_t*>x.data, big, <uint8_t*>out.data)
    return out
