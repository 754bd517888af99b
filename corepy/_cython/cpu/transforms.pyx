# distutils: language = c++
"""Fourier transforms, computed along one axis at a time."""

from libc.math cimport sqrt
from libc.string cimport memcpy

from corepy._cython.core cimport (
    ACCEPTS_fft_fftfreq_dtype, allocate, as_code, as_device, as_dtype, as_integer, as_integers,
    as_tensor, assign, Axes, Block, call_kernel, cast_to, check_size, choice, clamped, CODES,
    common_order, complex_operand, CONTIGUOUS, CPU, cpu_binary, cpu_unary, Device, DTYPE_complex128,
    DTYPE_complex64, DTYPE_float32, DTYPE_float64, dtype_itemsize, dtype_part, DTYPES, empty,
    finish_part, floating_operand, implements, in_host_memory, is_contiguous, is_full_float,
    is_half, keep_axes, MAX_NDIM, normalize_axes, normalize_axis, OP_conj, OP_multiply, Parameter,
    place_in, PROMOTED, PY_SSIZE_T_MAX, read_axes, read_axis, real_number, reordered, require_dtype,
    small_integer, Tensor, transposed, view_of, zeroed,
)
from corepy._cython.cpu.creation cimport write_integers
from corepy._cython.cpu.movement cimport roll

cdef extern from "threads.hpp" namespace "corepy" nogil:
    int num_threads()

cdef extern from "transforms.hpp" namespace "corepy" nogil:
    cdef enum TransformKind:
        TRANSFORM_FORWARD, TRANSFORM_INVERSE, TRANSFORM_REAL_FORWARD, TRANSFORM_REAL_INVERSE
    cdef cppclass Transform:
        pass
    cdef struct TransformWork:
        TransformKind kind
        bint single
        Py_ssize_t outer, inner
        const char* source "in"
        Py_ssize_t source_outer "in_outer"
        char* out
        Py_ssize_t out_outer
        double scale
        int slots
    Py_ssize_t transform_memory(const Transform*, const TransformWork&) noexcept
    void run_transform "corepy::transform"(
        const Transform*, const TransformWork&, char*
    ) noexcept
    void mirror_transform(bint, Py_ssize_t, Py_ssize_t, Py_ssize_t, char*) noexcept

cdef extern from "transforms.hpp" namespace "corepy":
    const Transform* acquire_transform(Py_ssize_t, bint) noexcept
    void release_transform(const Transform*) noexcept

cdef enum:
    SHARE_TRANSFORM = 4096   # least elements for several threads


cdef double transform_scale(object norm, Py_ssize_t n, bint inverse) noexcept:
    """The factor of a transform of n elements."""
    if norm == "ortho":
        return 1.0 / sqrt(<double>n)
    return 1.0 / n if inverse == (norm == "backward") else 1.0


cdef Tensor resized(Tensor x, int axis, Py_ssize_t size):
    """A copy of `x` with `size` elements along `axis`: truncated, or padded with zeros."""
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef Py_ssize_t have = x.dims[axis]
    cdef Tensor out, part
    memcpy(shape, x.dims, x.ndim * sizeof(Py_ssize_t))
    shape[axis] = size
    if have < size:
        out = zeroed(x.code, x.ndim, shape)
        part = slice_view(out, axis, have)
        assign("fft", part, x)
        return out
    return cast_to(slice_view(x, axis, size), x.code)


cdef Tensor slice_view(Tensor x, int axis, Py_ssize_t size):
    """The first `size` elements of `x` along `axis`."""
    cdef Tensor view = view_of(x, x.ndim)
    keep_axes(x, 0, x.ndim, view, 0)
    view.dims[axis] = size
    finish_part(view)
    return view


cdef Tensor transform_axis(
    TransformKind kind, Tensor x, int axis, object size, object norm, bint reuse=False
):
    """Transform `x` along an axis; in place if `reuse` and its memory is large enough.

    Of the kinds without "real", forward takes real arrays, too.
    """
    cdef Py_ssize_t order[MAX_NDIM]
    if not x.flags & CONTIGUOUS and common_order((x,), order):
        x = transposed(x, order)
        x = transform_axis(kind, x, <int>place_in(order, axis), size, norm, reuse)
        return reordered(x, order)
    cdef bint real_input = is_full_float(x.code)
    cdef bint mirrored = real_input and kind == TRANSFORM_FORWARD
    cdef bint inverse = kind == TRANSFORM_INVERSE or kind == TRANSFORM_REAL_INVERSE
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef Py_ssize_t n, needed, result
    cdef int code, i
    cdef const Transform* plan
    cdef TransformWork work
    cdef Tensor out
    cdef Block scratch
    if size is not None:
        n = size
    elif kind == TRANSFORM_REAL_INVERSE:
        n = 2 * (x.dims[axis] - 1)
    else:
        n = x.dims[axis]
    work.kind = TRANSFORM_REAL_FORWARD if mirrored else kind
    needed = n // 2 + 1 if kind == TRANSFORM_REAL_INVERSE else n
    result = n // 2 + 1 if kind == TRANSFORM_REAL_FORWARD else n
    if x.dims[axis] < needed or not is_contiguous(x):
        x = resized(x, axis, needed)
        reuse = not real_input
    reuse = reuse and kind != TRANSFORM_REAL_INVERSE and x.dims[axis] == n
    if kind == TRANSFORM_REAL_INVERSE:
        code = dtype_part[x.code]
    else:
        code = PROMOTED[x.code][<int>DTYPE_complex64]
    if reuse:
        out = x
    else:
        memcpy(shape, x.dims, x.ndim * sizeof(Py_ssize_t))
        shape[axis] = result
        out = empty(code, x.ndim, shape)
    if out.count == 0:
        return out
    work.single = dtype_itemsize[dtype_part[x.code]] == sizeof(float)
    work.outer = work.inner = 1
    for i in range(axis):
        work.outer *= x.dims[i]
    for i in range(axis + 1, x.ndim):
        work.inner *= x.dims[i]
    work.source = x.data
    work.source_outer = x.dims[axis] * work.inner * dtype_itemsize[x.code]
    work.out = out.data
    work.out_outer = result * work.inner * dtype_itemsize[code]
    work.scale = transform_scale(norm, n, inverse)
    work.slots = num_threads() if out.count >= SHARE_TRANSFORM else 1
    plan = acquire_transform(n, work.kind >= TRANSFORM_REAL_FORWARD)
    if plan == NULL:
        raise MemoryError(f"fft: cannot allocate the plan of a transform of {n:,} elements")
    try:
        scratch = allocate(transform_memory(plan, work))
        call_kernel(out.count, run_transform, plan, work, <char*>scratch.memory)
        if mirrored:
            mirror_transform(work.single, work.outer, n, work.inner, out.data)
    finally:
        release_transform(plan)
    return out


cdef str swapped(object norm):
    """The `norm` of the other direction with the same divisor."""
    return {"backward": "forward", "forward": "backward"}.get(norm, norm)


cdef int enter_transform(str operation, TransformKind kind) except -1:
    """Enter a transform along one axis."""
    @implements(operation)
    def transform(Tensor x not None, n, int axis, norm):
        return transform_axis(kind, x, axis, n, norm)
    return 0


enter_transform("fft.fft", TRANSFORM_FORWARD)
enter_transform("fft.ifft", TRANSFORM_INVERSE)
enter_transform("fft.rfft", TRANSFORM_REAL_FORWARD)
enter_transform("fft.irfft", TRANSFORM_REAL_INVERSE)


@implements("fft.hfft")
def _cpu_hfft(Tensor x not None, n, int axis, norm):
    return transform_axis(
        TRANSFORM_REAL_INVERSE, cpu_unary(OP_conj, x), axis, n, swapped(norm)
    )


@implements("fft.ihfft")
def _cpu_ihfft(Tensor x not None, n, int axis, norm):
    cdef Tensor out = transform_axis(TRANSFORM_REAL_FORWARD, x, axis, n, swapped(norm))
    return cpu_unary(OP_conj, out)


cdef Tensor transform_axes(
    TransformKind kind, TransformKind last, Tensor x, object s, tuple axes, object norm
):
    """Transform along several axes. `last` is the kind along the last of them, where a real
    transform begins and its inverse ends.
    """
    cdef bint fresh = False
    order = range(len(axes))
    if last != TRANSFORM_REAL_INVERSE:
        order = reversed(order)
    for number in order:
        x = transform_axis(
            last if number == len(axes) - 1 else kind, x, axes[number],
            None if s is None else s[number], norm, fresh,
        )
        fresh = True
    return x


@implements("fft.rfftn")
def _cpu_rfftn(Tensor x not None, s, tuple axes, norm):
    return transform_axes(TRANSFORM_FORWARD, TRANSFORM_REAL_FORWARD, x, s, axes, norm)


@implements("fft.irfftn")
def _cpu_irfftn(Tensor x not None, s, tuple axes, norm):
    return transform_axes(TRANSFORM_INVERSE, TRANSFORM_REAL_INVERSE, x, s, axes, norm)


cdef tuple NORMALIZATIONS = ("backward", "ortho", "forward")


cpdef Tensor shifted(str function, object x, object axes=None):
    """Roll the zero frequency to the middle (``fft.fftshift``), or back (``fft.ifftshift``)."""
    cdef Axes named
    cdef Tensor source
    cdef Py_ssize_t sign = -1 if function == "fft.ifftshift" else 1
    read_axes(function, axes, &named)
    source = as_tensor(function, x)
    numbers = normalize_axes(function, &named, source.ndim, False)
    return roll(source, tuple([sign * (source.dims[<int>k] // 2) for k in numbers]), numbers)


cpdef Tensor frequencies(str function, object n, object d=1.0, object dtype=None,
                         object device=None):
    """Return the frequencies of a transform, of a real one for ``fft.rfftfreq``."""
    cdef Device target = as_device(device, function)
    cdef double spacing
    cdef Py_ssize_t size
    n = as_integer(function, "n", n, 1)
    spacing = real_number(function, "d", d)
    if spacing == 0:
        raise ValueError(f"{function}: d must not be 0")
    if dtype is not None:
        dtype = as_dtype(function, dtype)
        require_dtype(function, None, CODES[dtype], ACCEPTS_fft_fftfreq_dtype)
    if target is CPU and small_integer(n, &size):
        code = DTYPE_float64 if dtype is None else CODES[dtype]
        return cpu_frequencies(function == "fft.rfftfreq", size, spacing, code)
    return target.backend.create_checked(function, (n,), {"d": spacing, "dtype": dtype}, target)


cdef Tensor cpu_frequencies(bint real, Py_ssize_t n, double spacing, int code):
    """Whole numbers times the smallest frequency."""
    cdef Py_ssize_t count = n // 2 + 1 if real else n
    cdef Py_ssize_t positive = count if real else (n + 1) // 2
    cdef Tensor out = empty(DTYPE_float64, 1, &count)
    cdef char* negative = out.data + positive * sizeof(double)
    write_integers(DTYPE_float64, positive, out.data, 0, 1)
    write_integers(DTYPE_float64, count - positive, negative, positive - count, 1)
    out = cpu_binary(OP_multiply, out, 1 / (n * spacing))
    return out if code == DTYPE_float64 else cast_to(out, code)


cpdef Tensor transformed(str function, object x, object s=None, object axes=None,
                         object norm="backward"):
    """Transform along several axes (``fft.fftn``), or back (``fft.ifftn``); a copy without axes."""
    cdef bint forward = function == "fft.fftn"
    cdef TransformKind kind
    cdef Tensor source = (
        transform_operand(function, None, x, None) if forward else complex_operand(function, x)
    )
    cdef list values = [source, s]
    norm = choice(function, "norm", norm, NORMALIZATIONS)
    axes = check_sizes(function, values, axes, False)
    if not axes:
        source = complex_operand(function, source)
        return source.backend.astype(source, DTYPES[source.code], True)
    if in_host_memory(source):
        kind = TRANSFORM_FORWARD if forward else TRANSFORM_INVERSE
        return transform_axes(kind, kind, source, values[1], axes, norm)
    return source.backend.execute_checked(
        "fft.fftn" if forward else "fft.ifftn", (source,),
        {"s": values[1], "axes": axes, "norm": norm},
    )


# ---- arguments

cdef object transform_operand(str function, Parameter parameter, object value, list values):
    """The operand of a forward transform: complex, or on the CPU real."""
    cdef Tensor x = floating_operand(function, value)
    if is_half(x.code):
        x = as_code(x, DTYPE_float32)
    return x if x.device is CPU else complex_operand(function, x)


cdef object complex_numbers(str function, Parameter parameter, object value, list values):
    return complex_operand(function, value)


cdef object normalization(str function, Parameter parameter, object value, list values):
    return choice(function, "norm", value, NORMALIZATIONS)


cdef object axis_of_transform(str function, Parameter parameter, object value, list values):
    """The axis of a transform, and before it n."""
    return check_length(function, values, value, False)


cdef object axis_of_half_transform(str function, Parameter parameter, object value, list values):
    """The same for a transform of half a spectrum, with at least 2 elements."""
    return check_length(function, values, value, True)


cdef object check_length(str function, list values, object wanted, bint half):
    cdef Tensor x = values[0]
    cdef Py_ssize_t axis = read_axis(function, wanted)
    cdef Py_ssize_t dims[MAX_NDIM]
    if values[1] is not None:
        values[1] = as_integer(function, "n", values[1], 1)
    axis = normalize_axis(function, axis, x.ndim)
    if values[1] is None:
        require_elements(function, x, axis, half)
        return axis
    memcpy(dims, x.dims, x.ndim * sizeof(Py_ssize_t))
    dims[axis] = clamped(values[1], 1, PY_SSIZE_T_MAX)
    check_size(function, DTYPE_complex128, x.ndim, dims)
    return axis


cdef int require_elements(str function, Tensor x, Py_ssize_t axis, bint half) except -1:
    """Raise if there is nothing to transform along an axis; `half` is of a half spectrum."""
    if x.dims[axis] < (2 if half else 1):
        raise ValueError(
            f"{function}: without a size given, axis {axis} must have at least "
            f"{'2 elements' if half else '1 element'}, got shape {x.shape}"
        )
    return 0


cdef object axes_of_real_transform(str function, Parameter parameter, object value, list values):
    """The axes of a transform that begins with a real one, and before them s."""
    return require_axes(function, check_sizes(function, values, value, False))


cdef object axes_of_half_transform(str function, Parameter parameter, object value, list values):
    """The same for a transform that ends with the inverse of a real one."""
    return require_axes(function, check_sizes(function, values, value, True))


cdef tuple require_axes(str function, tuple axes):
    if not axes:
        raise ValueError(f"{function}: at least one axis is required, got none")
    return axes


cdef tuple check_sizes(str function, list values, object wanted, bint half):
    """Return axes as a tuple, and make one of s unless it is None. `half`: the last axis has half a
    spectrum.
    """
    cdef Tensor x = values[0]
    cdef tuple sizes = None if values[1] is None else as_integers(function, "s", values[1])
    cdef Axes named
    cdef tuple axes
    cdef list full = []
    cdef Py_ssize_t dims[MAX_NDIM]
    cdef Py_ssize_t k, axis
    cdef bint last
    read_axes(
        function, range(-len(sizes), 0) if wanted is None and sizes is not None else wanted, &named
    )
    axes = normalize_axes(function, &named, x.ndim, False)
    memcpy(dims, x.dims, x.ndim * sizeof(Py_ssize_t))
    if sizes is not None and len(sizes) != len(axes):
        raise ValueError(
            f"{function}: s and axes must have the same length, got {len(sizes)} and {len(axes)}"
        )
    for k in range(len(axes)):
        axis = axes[k]
        last = half and k == len(axes) - 1
        size = -1 if sizes is None else sizes[k]
        if size < -1 or size == 0:
            raise ValueError(
                f"{function}: each entry of s must be at least 1, or -1, got {size}"
            )
        if size == -1:
            require_elements(function, x, axis, last)
            size = 2 * (x.dims[axis] - 1) if last else x.dims[axis]
        full.append(size)
        dims[axis] = clamped(size, 1, PY_SSIZE_T_MAX)
    if sizes is not None:
        check_size(function, DTYPE_complex128, x.ndim, dims)
        values[1] = tuple(full)
    return axes
