"""Elementwise work on the GPU backend in every layout: what brings elements to functors."""

import itertools
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import DTYPES, assert_same, special_values

import corepy
from corepy._gpu.launch import GpuBackend

# One of each size of elements, and what is not one word.
SIZES = ["bool", "int8", "uint16", "float32", "float64", "complex128"]


def numbers(shape, dtype, seed=0):
    values = np.random.default_rng(seed).integers(0, 100, shape)
    return (values % 2 if dtype == "bool" else values).astype(dtype)


# Views of a matrix, by name. Rows of 64 elements are whole packs of every dtype, those of 37 none.
VIEWS = {
    "whole": lambda x: x,
    "transposed": lambda x: x.T,
    "rows": lambda x: x[::2],
    "columns": lambda x: x[:, ::3],
    "one column": lambda x: x[:, 5],
    "one row": lambda x: x[7],
    "backwards": lambda x: x[::-1, ::-1],
    "columns backwards": lambda x: x[:, ::-1],
    "aligned block": lambda x: x[3:, 16:48],
    "misaligned block": lambda x: x[3:, 1:34],
    "narrow": lambda x: x[:, 2:5],
    "misaligned run": lambda x: x.reshape(-1)[3:] if isinstance(x, np.ndarray) else flat(x)[3:],
    "empty": lambda x: x[:, :0],
    "one": lambda x: x[3:4, 4:5],
    "no axes": lambda x: x[3, 4, ...],
}


def flat(x):
    return corepy.reshape(x, (-1,))


@pytest.mark.parametrize("dtype", SIZES)
@pytest.mark.parametrize("shape", [(64, 64), (41, 37), (300, 256)])
def test_copies_of_every_view(shape, dtype, gpu, together):
    x = numbers(shape, dtype)
    t = gpu.asarray(x)
    views = list(VIEWS.values())
    results = together([lambda view=view: +view(t) if dtype != "bool" else view(t) | False
                        for view in views])  # fmt: skip
    for view, result in zip(views, results, strict=True):
        assert_same(result, view(x))


@pytest.mark.parametrize("dtype", SIZES)
def test_operands_of_different_layouts(dtype, gpu, together):
    """Every view with every other, with one row or column of it, and with one element."""
    x, y = numbers((64, 64), dtype), numbers((64, 64), dtype, 1)
    t, u = gpu.asarray(x), gpu.asarray(y)
    makers = [
        lambda x: x, lambda x: x.T, lambda x: x[::-1], lambda x: x[:1], lambda x: x[:, :1],
        lambda x: x[5], lambda x: x[2, 3, ...], lambda x: x[:, :, None], lambda x: x[:, None],
    ]  # fmt: skip
    pairs = list(itertools.product(makers, repeat=2))
    results = together([lambda f=f, g=g: f(t) + g(u) for f, g in pairs])
    for (f, g), result in zip(pairs, results, strict=True):
        assert_same(result, f(x) + g(y))


@pytest.mark.parametrize("rank", [1, 2, 3, 5, 9, 17, 40])
def test_ranks(rank, gpu, together):
    """Axes of one, two and three elements, none of which follow each other."""
    shape = (3, 2, 2, 2, 3, 2, 2, 2, 2)[:rank] + (1,) * max(rank - 9, 0)
    wide = numbers(tuple(2 * n for n in shape[:9]), "float32").reshape(
        *(2 * n for n in shape[:9]), *shape[9:]
    )
    key = (slice(None, None, 2),) * rank
    x, t = wide[key], gpu.asarray(wide)[key]
    axes = tuple(reversed(range(rank)))
    turned = t if rank == 1 else gpu.permute_dims(t, axes)
    a, b, c = together([lambda: t + t, lambda: turned + 1, lambda: turned[..., :1] * turned])
    assert_same(a, x + x)
    assert_same(b, x.transpose(axes) + np.float32(1))
    assert_same(c, x.transpose(axes)[..., :1] * x.transpose(axes))


@pytest.mark.parametrize("n", [1, 2, 3, 7, 31, 32, 33, 100, 129, 255, 256, 257, 1000, 1025])
def test_lengths_of_the_innermost_axis(n, gpu):
    x = numbers((5, 2 * n + 1), "int16")
    t = gpu.asarray(x)
    assert_same(t[:, ::2] + t[:, ::2], x[:, ::2] + x[:, ::2])
    assert_same(t[:, :n] + t[:1, :n], x[:, :n] + x[:1, :n])
    assert_same(t[0, :n] + t[1, :n], x[0, :n] + x[1, :n])


@pytest.mark.parametrize("dtype", SIZES)
@pytest.mark.parametrize("shape", [(16, 16), (33, 100), (5, 41, 64), (40, 3, 37), (17, 2, 3, 65)])
def test_inputs_that_lie_along_other_axes(shape, dtype, gpu, together):
    """Every order of the axes, one axis backwards, with a whole row or column for all."""
    x, y = numbers(shape, dtype), numbers(shape, dtype, 1)
    orders = list(itertools.permutations(range(len(shape))))[:8]
    cases = []
    for order in orders:
        stored = np.argsort(order)
        a = np.ascontiguousarray(y.transpose(order))
        t, u = gpu.asarray(x), gpu.permute_dims(gpu.asarray(a), tuple(map(int, stored)))
        cases += [
            (lambda t=t, u=u: t + u, x + y),
            (lambda t=t, u=u: u[..., ::-1] + t, y[..., ::-1] + x),
            (lambda t=t, u=u: t[..., :1] + u, x[..., :1] + y),
            (lambda t=t, u=u: t[:1] + u, x[:1] + y),
        ]
    results = together([call for call, _ in cases])
    for result, (_, expected) in zip(results, cases, strict=True):
        assert_same(result, expected)


@pytest.mark.parametrize("dtype", [str(dtype) for dtype in DTYPES])
def test_mixed_dtypes(dtype, gpu, together):
    """Both orders; one of them broadcast, misaligned, or of one element."""
    cases = []
    for other in ("int8", "uint64", "float32"):
        a, b = special_values(dtype), special_values(other)
        a = np.where(np.isfinite(a), a, 0).astype(dtype)
        a, b = (grid for grid in np.meshgrid(a, b))
        x, y = gpu.asarray(a), gpu.asarray(b)
        cases += [
            (lambda x=x, y=y: x + y, (a, b)),
            (lambda x=x, y=y: y[1:] + x[:1], (b[1:], a[:1])),
            (lambda x=x, y=y: x + y[0, 0], (a, b[:1, :1])),
        ]
    results = together([call for call, _ in cases])
    with np.errstate(all="ignore"):
        for result, (_, (a, b)) in zip(results, cases, strict=True):
            assert_same(result, np.add(a, b))


@pytest.mark.parametrize("dtype", SIZES[1:])
def test_python_scalars(dtype, gpu, together):
    x = numbers((64, 64), dtype)
    t = gpu.asarray(x)
    calls = [
        lambda x: x + 3, lambda x: 3 - x, lambda x: x[:, ::2] * 2, lambda x: 2 * x[3:, 1:],
        lambda x: x[0, 0, ...] + 1, lambda x: x == 7, lambda x: x[:, 16:32] != 7,
    ]  # fmt: skip
    for call, result in zip(calls, together([lambda f=f: f(t) for f in calls]), strict=True):
        assert_same(result, call(x))


def test_where_of_every_mixture(gpu, together):
    condition = np.arange(64 * 64).reshape(64, 64) % 3 == 0
    x, y = numbers((64, 64), "float32"), numbers((64, 64), "int16", 1)
    c, t, u = gpu.asarray(condition), gpu.asarray(x), gpu.asarray(y)
    calls = [
        lambda xp, c, x, y: xp.where(c, x, y),
        lambda xp, c, x, y: xp.where(c, x, 2.0),
        lambda xp, c, x, y: xp.where(c, 1, y),
        lambda xp, c, x, y: xp.where(c[:, :1], x.T, y[0]),
        lambda xp, c, x, y: xp.where(c[0, 0], x, x[::-1]),
        lambda xp, c, x, y: xp.where(c.T, x[3, 4], y),
        lambda xp, c, x, y: xp.where(c[:, ::2], y[:, 1::2], y[:, ::2]),
    ]
    results = together([lambda f=f: f(gpu, c, t, u) for f in calls])
    for call, result in zip(calls, results, strict=True):
        assert_same(result, call(np, condition, x, y))


def test_clip_of_every_mixture(gpu, together):
    x = numbers((64, 64), "int32")
    low, high = numbers((64, 1), "int32", 1) // 2, numbers(64, "int32", 2) // 2 + 50
    t, a, b = gpu.asarray(x), gpu.asarray(low), gpu.asarray(high)
    calls = [
        lambda xp, x, a, b: xp.clip(x, a, b),
        lambda xp, x, a, b: xp.clip(x, 10, b),
        lambda xp, x, a, b: xp.clip(x[:, ::2], 10, 50),
        lambda xp, x, a, b: xp.clip(x.T, a, None),
        lambda xp, x, a, b: xp.clip(x, None, 20),
        lambda xp, x, a, b: xp.clip(x, 60, 20),
    ]
    results = together([lambda f=f: f(gpu, t, a, b) for f in calls])
    for call, result in zip(calls, results, strict=True):
        assert_same(result, call(np, x, low, high))


@pytest.mark.parametrize("layout", ["contiguous", "strided"])
@pytest.mark.parametrize("source", [str(dtype) for dtype in DTYPES])
def test_casts(source, layout, gpu, together):
    """As on the CPU, whose casts are tested against NumPy's; out of range, too."""
    values = special_values(source)
    if np.dtype(source).kind == "f":
        edges = [s * (2.0**b + d) for b in (7, 8, 15, 16, 31, 32, 63, 64) for d in (-1.5, -1, 0, 1)
                 for s in (1, -1)]  # fmt: skip
        with np.errstate(all="ignore"):
            values = np.concatenate([values, np.array(edges).astype(source)])
    values = np.resize(values, 3000)
    if layout == "strided":
        values = values[::7]
    x, t = corepy.asarray(values), gpu.asarray(np.resize(values, 3000))[: values.size]
    if layout == "strided":
        wide = gpu.zeros(7 * values.size, dtype=source)
        wide[::7] = t
        t = wide[::7]
    # The standard forbids casts from complex numbers to real ones.
    allowed = [d for d in DTYPES if np.dtype(source).kind != "c" or d.kind in "bc"]
    allowed = allowed if layout == "contiguous" else allowed[len(source) % 3 :: 3]
    results = together([lambda d=d: gpu.astype(t, d) for d in allowed])
    for dtype, result in zip(allowed, results, strict=True):
        assert_same(result, np.asarray(corepy.astype(x, dtype)), signs=True)


def test_assignments(gpu, together):
    """Writes into views: of tensors of other dtypes, of scalars, and of what overlaps."""
    x = numbers((64, 64), "float32")
    row = numbers(64, "int16", 1)
    u = gpu.asarray(row)
    keys = [..., 3, (slice(None), 5), (slice(None, None, -2), slice(1, None, 3)), (0, 0)]

    def assign(xp, base, key, value):
        view = xp.asarray(base, copy=True)
        target = view[key] if key is not Ellipsis else view
        if isinstance(value, (int, float)):
            view[key] = value
        else:
            view[key] = value[: target.shape[-1]] if len(target.shape) else value[0]
        return view

    t = gpu.asarray(x)
    values = [(2.5, 2.5), (7, 7), (row, u)]
    calls = [(key, ours, theirs) for key in keys for ours, theirs in values]
    results = together([lambda k=k, v=v: assign(gpu, t, k, v) for k, _, v in calls])
    for (key, value, _), result in zip(calls, results, strict=True):
        assert_same(result, assign(np, x, key, value))


OVERLAPS = [
    (slice(1, None), slice(None, -1)),
    (slice(None, -1), slice(1, None)),
    (slice(None), slice(None, None, -1)),
    (slice(None, None, -1), slice(None)),
    (slice(None, 2048), slice(None, 4096, 2)),
]


@pytest.mark.parametrize("dtype", ["int8", "float32", "complex128"])
def test_writing_in_place_over_what_is_read(dtype, gpu):
    for target, source in OVERLAPS:
        x = numbers(4100, dtype)
        t = gpu.asarray(x)
        x[target] += x[source].copy()
        view = t[target]
        view += t[source]
        assert_same(t, x)
        x[target] = x[source].copy()
        t[target] = t[source]
        assert_same(t, x)
    x = numbers((64, 64), dtype)
    t = gpu.asarray(x)
    x += x.T.copy()
    t += t.T
    assert_same(t, x)
    x[:, ::2] *= 3
    view = t[:, ::2]
    view *= 3
    assert_same(t, x)
    x *= x[:1].copy()
    t *= t[:1]
    assert_same(t, x)
    t -= t
    assert_same(t, x - x)


@pytest.mark.parametrize("dtype", ["int16", "float64", "complex128"])
def test_elements_that_are_not_at_multiples_of_their_size(dtype, backend):
    """A GPU cannot load them: native arrays that have such are copied."""
    itemsize = np.dtype(dtype).itemsize
    memory = np.zeros(12 * itemsize, dtype="uint8")
    start = -memory.ctypes.data % itemsize + itemsize // 2
    x = memory[start : start + 10 * itemsize].view(dtype)
    x[...] = np.arange(10)
    backend.devices()
    for view in (x, x[::-2], x.reshape(2, 5).T):
        t = backend.wrap(view)
        assert_same(t, view)
        assert_same(t + t, view + view)


def test_results_keep_the_order_of_their_operands(gpu):
    x = gpu.asarray(numbers((64, 37), "float32")).T
    assert (x + x).strides == x.strides
    assert (x + 1).strides == x.strides
    assert (x + gpu.ones((37, 64), dtype=x.dtype)).strides == (64 * 4, 4)


@given(data=st.data())
def test_divisions_of_indices(data):
    """The multiplier and shift of launch.hpp, for numbers below 2^31."""
    size = data.draw(st.integers(1, 2**31 - 1) | st.sampled_from([2**k for k in range(31)]))
    number = data.draw(
        st.integers(0, 2**31 - 1)
        | st.builds(lambda n, d: min(n * size + d, 2**31 - 1), st.integers(0, 2**31 // size),
                    st.sampled_from([0, size - 1]))
    )  # fmt: skip
    shift = (size - 1).bit_length()
    multiplier = (2**32 * (2**shift - size)) // size + 1
    assert multiplier < 2**32
    assert ((number * multiplier >> 32) + number) % 2**32 >> shift == number // size


def test_indices_beyond_32_bits(backend):
    """With the kernels for 2^31 elements or more, of which no test has the memory."""

    class WideRuntime(type(backend.runtime)):
        def kernel(self, expression, device):
            wide = re.sub(r"(Box<.*?>, \d+, \w+), false", r"\1, true", expression)
            assert ("Box" in expression) == (wide != expression)
            return super().kernel(wide, device)

    device = GpuBackend("wide", WideRuntime, "numpy").devices()[0]
    x = numbers((6, 10, 64), "float32")
    t = device.backend.from_numpy(x, device)
    views = [lambda x: x[:, ::2], lambda x: x[..., ::3], lambda x: x[..., 1:], lambda x: x[::-1]]
    for view in views:
        assert_same(view(t) + view(t), view(x) + view(x))
        assert_same(view(t) + view(t)[:, :1], view(x) + view(x)[:, :1])
    x, t = x.reshape(60, 64)[:, :60], corepy.reshape(t, (60, 64))[:, :60]
    assert_same(t + t.T, x + x.T)
