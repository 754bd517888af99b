# Fourier transforms: along one axis after the other.

from libc.math cimport sqrt

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
    SHARE_TRANSFORM = 4096   # elements, below which one thread is enough


cdef double transform_scale(object norm, Py_ssize_t n, bint inverse) noexcept:
    """What a transform of n elements is multiplied by."""
    if norm == "ortho":
        return 1.0 / sqrt(<double>n)
    return 1.0 / n if inverse == (norm == "backward") else 1.0


cdef Tensor resized(Tensor x, int axis, Py_ssize_t size):
    """A copy of `x` with `size` elements along `axis`: cut off, or filled up with zeros."""
    cdef Py_ssize_t shape[MAX_RANK]
    cdef Py_ssize_t have = x.dims[axis]
    cdef Tensor out, part
    memcpy(shape, x.dims, x.rank * sizeof(Py_ssize_t))
    shape[axis] = size
    if have < size:
        out = zeroed(x.code, x.rank, shape)
        part = slice_view(out, axis, have)
        assign("fft", part, x)
        return out
    return cast_to(slice_view(x, axis, size), x.code)


cdef Tensor slice_view(Tensor x, int axis, Py_ssize_t size):
    """The first `size` elements of `x` along `axis`."""
    cdef Tensor view = view_of(x, x.rank)
    memcpy(view.dims, x.dims, x.rank * sizeof(Py_ssize_t))
    memcpy(view.steps, x.steps, x.rank * sizeof(Py_ssize_t))
    view.dims[axis] = size
    finish_part(view)
    return view


cdef Tensor transform_axis(
    TransformKind kind, Tensor x, int axis, object size, object norm, bint reuse=False
):
    """Transform `x` along an axis; into its own memory if `reuse`, where it has room.

    Of the kinds without "real", forward takes real arrays, too.
    """
    cdef bint real_input = x.code == DTYPE_float32 or x.code == DTYPE_float64
    cdef bint wide = x.code == DTYPE_float64 or x.code == DTYPE_complex128
    cdef bint mirrored = real_input and kind == TRANSFORM_FORWARD
    cdef bint inverse = kind == TRANSFORM_INVERSE or kind == TRANSFORM_REAL_INVERSE
    cdef Py_ssize_t shape[MAX_RANK]
    cdef Py_ssize_t n, needed, given, result
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
        code = DTYPE_float64 if wide else DTYPE_float32
    else:
        code = DTYPE_complex128 if wide else DTYPE_complex64
    if reuse:
        out = x
    else:
        memcpy(shape, x.dims, x.rank * sizeof(Py_ssize_t))
        shape[axis] = result
        out = empty(code, x.rank, shape)
    if out.count == 0:
        return out
    work.single = not wide
    work.outer = work.inner = 1
    for i in range(axis):
        work.outer *= x.dims[i]
    for i in range(axis + 1, x.rank):
        work.inner *= x.dims[i]
    work.source = x.data
    work.source_outer = x.dims[axis] * work.inner * dtype_itemsize[x.code]
    work.out = out.data
    work.out_outer = result * work.inner * dtype_itemsize[code]
    work.scale = transform_scale(norm, n, inverse)
    work.slots = num_threads() if out.count >= SHARE_TRANSFORM else 1
    plan = acquire_transform(n, work.kind >= TRANSFORM_REAL_FORWARD)
    if plan == NULL:
        raise MemoryError(f"cannot allocate the plan of a transform of {n} elements")
    try:
        scratch = allocate(transform_memory(plan, work))
        if out.count < RELEASE_GIL:
            run_transform(plan, work, <char*>scratch.memory)
        else:
            with nogil:
                run_transform(plan, work, <char*>scratch.memory)
        if mirrored:
            mirror_transform(work.single, work.outer, n, work.inner, out.data)
    finally:
        release_transform(plan)
    return out


cdef str swapped(object norm):
    """The `norm` of the other direction that divides by as much."""
    return {"backward": "forward", "forward": "backward"}.get(norm, norm)


@own("fft.fft")
def _own_fft(Tensor x not None, *, n=None, int axis=-1, norm="backward"):
    return transform_axis(TRANSFORM_FORWARD, x, axis, n, norm)


@own("fft.ifft")
def _own_ifft(Tensor x not None, *, n=None, int axis=-1, norm="backward"):
    return transform_axis(TRANSFORM_INVERSE, x, axis, n, norm)


@own("fft.rfft")
def _own_rfft(Tensor x not None, *, n=None, int axis=-1, norm="backward"):
    return transform_axis(TRANSFORM_REAL_FORWARD, x, axis, n, norm)


@own("fft.irfft")
def _own_irfft(Tensor x not None, *, n=None, int axis=-1, norm="backward"):
    return transform_axis(TRANSFORM_REAL_INVERSE, x, axis, n, norm)


@own("fft.hfft")
def _own_hfft(Tensor x not None, *, n=None, int axis=-1, norm="backward"):
    return transform_axis(
        TRANSFORM_REAL_INVERSE, cpu_unary(cpu, OP_conj, x), axis, n, swapped(norm)
    )


@own("fft.ihfft")
def _own_ihfft(Tensor x not None, *, n=None, int axis=-1, norm="backward"):
    cdef Tensor out = transform_axis(TRANSFORM_REAL_FORWARD, x, axis, n, swapped(norm))
    return cpu_unary(cpu, OP_conj, out)


def _enter_transforms_of_axes():
    def transform(TransformKind kind, TransformKind last):
        # `last`: along the last axis, where a real transform begins, and its inverse ends.
        def call(Tensor x not None, *, s, tuple axes, norm):
            cdef Tensor result = x
            cdef bint fresh = False
            order = range(len(axes))
            if last != TRANSFORM_REAL_INVERSE:
                order = reversed(order)
            for number in order:
                result = transform_axis(
                    last if number == len(axes) - 1 else kind, result, axes[number],
                    None if s is None else s[number], norm, fresh,
                )
                fresh = True
            return result
        return call

    OWN["fft.fftn"] = transform(TRANSFORM_FORWARD, TRANSFORM_FORWARD)
    OWN["fft.ifftn"] = transform(TRANSFORM_INVERSE, TRANSFORM_INVERSE)
    OWN["fft.rfftn"] = transform(TRANSFORM_FORWARD, TRANSFORM_REAL_FORWARD)
    OWN["fft.irfftn"] = transform(TRANSFORM_INVERSE, TRANSFORM_REAL_INVERSE)


_enter_transforms_of_axes()


@own("fft.fftshift")
def _own_fftshift(Tensor x not None, *, tuple axes):
    return execute("roll", (x, tuple([x.dims[<int>axis] // 2 for axis in axes])), {"axis": axes})


@own("fft.ifftshift")
def _own_ifftshift(Tensor x not None, *, tuple axes):
    return execute("roll", (x, tuple([-(x.dims[<int>axis] // 2) for axis in axes])), {"axis": axes})
