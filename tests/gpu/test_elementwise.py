"""Elementwise operations on the GPU backend against the CPU's: operations, dtypes, layouts."""

import itertools
import operator

import numpy as np
import pytest
from agreement import Agree, numbers, to_numpy
from elementwise import BINARY, COMPARISONS, OPERATIONS, ROUNDED, UNARY, accepts
from strategies import BEYOND, DTYPE_NAMES, assert_same, read_operations, special_values

import corepy

INTEGERS = [name for name in DTYPE_NAMES if "int" in name]
TERNARY = [name for name, shape, _, _ in OPERATIONS if shape == "ternary"]
UNARY_BEYOND = [name for name, shape, _, _ in read_operations(standard=False) if shape == "unary"]
# Of complex numbers those that are written beside those of real ones; test_complex.py has the rest.
OF_COMPLEX = (
    "add subtract multiply square negative positive conj real imag equal not_equal logical_not "
    "logical_and logical_or logical_xor isnan isinf isfinite round"
).split()
# Elements that are some turns of blocks, and some that are not enough for one.
LENGTH = 3 * 8192 + 37

# How operands lie in memory. Each operation has each dtype in runs, and one other layout in turn.
RUNS = [
    lambda x: x[1:], lambda x: x[::3], lambda x: x[::-1],
    lambda x: corepy.reshape(x[: x.size // 64 * 64], (-1, 64))[:, 16:48],
    lambda x: corepy.reshape(x[: x.size // 37 * 37], (37, -1)).T[::2, :9],
]  # fmt: skip


def combined(*values):
    """Return every combination of elements, repeated: an array for each of the operands."""
    grids = [grid.ravel() for grid in np.meshgrid(*values)]
    return [np.resize(grid, LENGTH + grid.size - LENGTH % grid.size) for grid in grids]


def samples(dtype):
    values = special_values(dtype)
    if values.dtype.kind == "f":  # for functions with other special cases
        values = np.concatenate([values, [-np.nan, 1 / 3, -1 / 3, 5, 6, 1e-40]]).astype(dtype)
    return values


@pytest.mark.parametrize("name", [*UNARY, *BINARY, *TERNARY])
def test_operations(agree, name):
    # A logaddexp of float32 is computed as one of float64 only where most digits cancel.
    exactness = {"ulp": 16 if name == "logaddexp" else 4} if name in ROUNDED else {}
    # Either zero will do.
    exactness["signs"] = name not in ("maximum", "minimum", "remainder", "clip")
    for turn, dtype in enumerate(DTYPE_NAMES):
        complex_too = name in OF_COMPLEX or name == "where" or not accepts(name, dtype)
        if dtype.startswith("complex") and not complex_too:
            continue
        if name == "pow" and dtype in INTEGERS:
            continue  # exponents are read first: test_integer_powers
        values = samples(dtype)
        operands = [values] * (1 if name in UNARY else 2)
        if name in TERNARY:
            operands = [np.array([False, True]) if name == "where" else values, values, values]
        operands = combined(*operands)
        for view in (None, RUNS[(len(name) + turn) % len(RUNS)]):
            agree(name, *operands, view=view, **exactness)


@pytest.mark.parametrize("name", sorted(vars(BEYOND)))
def test_operations_that_the_standard_does_not_have(agree, name):
    compute = getattr(BEYOND, name)
    count = 1 if name in UNARY_BEYOND else 2
    for turn, dtype in enumerate(DTYPE_NAMES):
        operands = combined(*[samples(dtype)] * count)
        for view in (None, RUNS[turn % len(RUNS)]):
            signs = name not in ("fmax", "fmin")  # either zero will do
            agree(lambda _, *x: compute(*x), *operands, view=view, signs=signs)


def test_every_shape_of_work_is_tested():
    assert sorted(TERNARY) == ["clip", "where"]


def test_logaddexp_of_float32_next_to_its_zeros(gpu):
    x = -np.random.default_rng(0).uniform(0.05, 1, 1000).astype("float32")
    y = np.log1p(-np.exp(x.astype("float64"))).astype("float32")
    exact = np.logaddexp(x.astype("longdouble"), y.astype("longdouble")).astype("float32")
    result = np.asarray(gpu.logaddexp(gpu.asarray(x), gpu.asarray(y)).to_device("cpu"))
    # The sum of float64 that it is computed as is rounded once.
    np.testing.assert_allclose(result, exact, rtol=2.0**-22, atol=2.0**-52)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_quotients_rounded_down_are_exact(dtype, agree):
    """Operands of all magnitudes, and those whose quotient rounds up."""
    rng = np.random.default_rng(0)
    x = np.ldexp(rng.integers(-1000, 1000, 3000), rng.integers(-40, 40, 3000)).astype(dtype)
    y = np.ldexp(rng.integers(1, 1000, 3000), rng.integers(-40, 40, 3000)).astype(dtype)
    y[:1000] = rng.integers(1, 2 ** np.finfo(dtype).nmant, 1000)
    x[:1000] = y[:1000] * rng.integers(1, 50, 1000).astype(dtype)
    x[:500] = np.nextafter(x[:500], x.dtype.type(0))
    y *= rng.choice([-1, 1], 3000).astype(dtype)
    agree("remainder", x, y, signs=False)
    agree("floor_divide", x, y)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_powers_that_a_dtype_holds_are_exact(gpu, dtype):
    """CUDA's own functions err in the last digit: 3.0 to the power of 1 is 2.9999999999999996."""
    base, exponent = np.meshgrid(np.arange(-40.0, 41), np.arange(13.0))
    exact = base**exponent
    fits = np.abs(exact) < 2.0 ** (np.finfo(dtype).nmant + 1)
    cases = [(base[fits], exponent[fits], exact[fits])]
    powers = np.arange(-16.0, 17)
    cases.append((np.full(33, 2.0), powers, 2.0**powers))
    x = np.arange(1.0, 100)
    if dtype == "float32":
        cases.append((x, np.full(99, -1.0), 1 / x.astype(dtype)))
    else:
        for root in (0.5, 1.5, 2.5):
            cases.append((x**2, np.full(99, root), x ** (2 * root)))
    for x, y, want in cases:
        got = to_numpy(gpu.pow(*(gpu.asarray(each.astype(dtype)) for each in (x, y))))
        np.testing.assert_array_equal(got, want.astype(dtype))


def test_hypot_is_that_of_the_cpu(gpu):
    """To a unit in the last place, for operands of any bits."""
    rng = np.random.default_rng(0)
    x, y = (np.frombuffer(rng.bytes(80_000)).copy() for _ in range(2))
    x[:1000], y[:1000] = np.finfo("f8").max, rng.normal(size=1000)
    with np.errstate(all="ignore"):
        y[1000:5000] = x[1000:5000] * rng.normal(size=4000)
    got, want = (to_numpy(xp.hypot(xp.asarray(x), xp.asarray(y))) for xp in (gpu, corepy.array_api))
    np.testing.assert_array_max_ulp(got, want, maxulp=1)
    assert np.isfinite(got[:1000]).all()


# ---- integers


@pytest.mark.parametrize("dtype", INTEGERS)
def test_integer_powers(agree_at_once, dtype):
    """Exponents are read first: negative ones are errors before anything is written."""
    agree, power = agree_at_once, lambda xp, *operands: operator.pow(*operands)
    values = special_values(dtype)
    x, y = combined(values, values[values >= 0])
    for view in (None, RUNS[INTEGERS.index(dtype) % len(RUNS)]):
        agree("pow", x, y, view=view)
    agree(lambda xp, x, y: operator.ipow(x, y), x, y)
    x = np.array([[2, 1, 5], [0, 3, 5]], dtype)
    negative = [np.array([3, 0, -1]).astype(dtype), np.array([-1]).astype(dtype)]
    for y in (*negative, -1 if dtype.startswith("int") else 1, 0, 2, np.array(3, dtype)):
        for call in (power, lambda xp, x, y: operator.ipow(x, y)):
            agree(call, x, y)
            agree(call, x.astype("float64"), y)
        agree(power, 2, y if isinstance(y, np.ndarray) else np.array(y, dtype))
        if isinstance(y, np.ndarray):  # a negative number is an error there on GPUs alone
            agree(power, x[:0], y)
    agree(power, x, np.array([1, 2], dtype))  # shapes that do not fit
    agree(power, x, np.empty((0, 1, 1), dtype))
    agree(power, x, np.array([True, False, True]))


def test_integers_beyond_float64_are_compared_exactly(agree):
    signed = np.array([2**63 - 1, -1, 2**53 + 1, -(2**63), 0])
    unsigned = np.array([2**63, 2**64 - 1, 2**53, 2**63, 0], dtype="uint64")
    narrow = np.array([-1, 1, 2, -128, 0], dtype="int8")
    for name in COMPARISONS:
        for a, b in itertools.permutations((signed, unsigned, narrow), 2):
            agree(name, a, b)
        agree(name, unsigned, -1)
        agree(name, narrow, 300)


# ---- layouts: what brings elements to functors

# One of each size of elements, and what is not one word.
SIZES = ["bool", "int8", "uint16", "float32", "float64", "complex128"]

# Views of a matrix. Rows of 64 elements are whole packs of every dtype, those of 37 none.
VIEWS = [
    lambda x: x, lambda x: x.T, lambda x: x[::2], lambda x: x[:, ::3], lambda x: x[:, 5],
    lambda x: x[7], lambda x: x[::-1, ::-1], lambda x: x[:, ::-1], lambda x: x[3:, 16:48],
    lambda x: x[3:, 1:34], lambda x: x[:, 2:5], lambda x: corepy.reshape(x, (-1,))[3:],
    lambda x: x[:, :0], lambda x: x[3:4, 4:5], lambda x: x[3, 4, ...],
]  # fmt: skip
# What they have in common with others: whole matrices, rows, columns, elements, more axes.
OPERANDS = [
    lambda x: x, lambda x: x.T, lambda x: x[::-1], lambda x: x[:1], lambda x: x[:, :1],
    lambda x: x[5], lambda x: x[2, 3, ...], lambda x: x[:, :, None], lambda x: x[:, None],
]  # fmt: skip


@pytest.mark.parametrize("dtype", SIZES)
def test_copies_and_casts_of_every_view(dtype, agree):
    copy = lambda xp, x: xp.asarray(x, copy=True) if dtype == "bool" else +x
    for shape, view in itertools.product([(64, 64), (41, 37), (300, 256)], VIEWS):
        agree(copy, numbers(dtype, *shape), view=view)
        agree("astype", numbers(dtype, *shape), np.dtype("complex64"), view=view)


@pytest.mark.parametrize("dtype", SIZES)
def test_operands_of_different_layouts(dtype, agree):
    """Every view with every other; scalars before and after."""
    x, y = numbers(dtype, 64, 64), numbers(dtype, 64, 64, seed=1)
    for f, g in itertools.product(OPERANDS, repeat=2):
        agree(lambda xp, x, y, f=f, g=g: f(x) + g(y), x, y)
    if dtype != "bool":
        for call in (
            lambda xp, x: x + 3, lambda xp, x: 3 - x, lambda xp, x: x == 7,
        ):  # fmt: skip
            for view in VIEWS:
                agree(call, x, view=view)


@pytest.mark.parametrize("ndim", [1, 2, 3, 5, 9, 17, 40])
def test_numbers_of_axes(ndim, agree):
    """Axes of one, two and three elements, none of which follow each other."""
    shape = (3, 2, 2, 2, 3, 2, 2, 2, 2)[:ndim] + (1,) * max(ndim - 9, 0)
    x = numbers("float32", *(2 * n for n in shape[:9]), *shape[9:])
    for axes in (tuple(range(ndim)), tuple(reversed(range(ndim)))):
        view = lambda x, axes=axes: corepy.permute_dims(x[(slice(None, None, 2),) * ndim], axes)
        agree(lambda xp, x: x + x, x, view=view)
        agree(lambda xp, x: x + 1, x, view=view)
        agree(lambda xp, x: x[..., :1] * x, x, view=view)


def test_lengths_of_the_innermost_axis(agree):
    for n in (1, 2, 3, 7, 31, 32, 33, 100, 129, 255, 256, 257, 641, 1000, 1025, 2049, 4095):
        x = numbers("int16", 5, 2 * n + 1)
        agree(lambda xp, x: x[:, ::2] + x[:, ::2], x)
        agree(lambda xp, x, n=n: x[:, :n] + x[:1, :n], x)
        agree(lambda xp, x, n=n: x[0, :n] + x[1, :n], x)


@pytest.mark.parametrize("dtype", SIZES)
@pytest.mark.parametrize("shape", [(16, 16), (33, 100), (5, 41, 64), (40, 3, 37), (17, 2, 3, 65)])
def test_inputs_that_lie_along_other_axes(shape, dtype, agree):
    """Every order of the axes, one axis backwards, with a whole row or column for all."""
    x, y = numbers(dtype, *shape), numbers(dtype, *shape, seed=1)
    for order in list(itertools.permutations(range(len(shape))))[:8]:
        stored = tuple(map(int, np.argsort(order)))
        a = np.ascontiguousarray(y.transpose(order))
        for f in (
            lambda t, u: t + u, lambda t, u: u[..., ::-1] + t, lambda t, u: t[..., :1] + u,
            lambda t, u: t[:1] + u,
        ):  # fmt: skip
            agree(lambda xp, x, a, f=f, s=stored: f(x, xp.permute_dims(a, s)), x, a)


@pytest.mark.parametrize("dtype", DTYPE_NAMES)
def test_mixed_dtypes(dtype, agree):
    """Both orders; one of them broadcast, misaligned, or of one element."""
    for other in ("int8", "uint64", "float32"):
        values = special_values(dtype)
        values = np.where(np.isfinite(values), values, 0).astype(dtype)
        a, b = np.meshgrid(values, special_values(other))
        agree(lambda xp, x, y: x + y, a, b)
        agree(lambda xp, x, y: y[1:] + x[:1], a, b)
        agree(lambda xp, x, y: x + y[0, 0], a, b)


def test_where_and_clip_of_every_mixture(agree):
    condition = np.arange(64 * 64).reshape(64, 64) % 3 == 0
    x, y = numbers("float32", 64, 64), numbers("int16", 64, 64, seed=1)
    for call in (
        lambda xp, c, x, y: xp.where(c, x, y),
        lambda xp, c, x, y: xp.where(c, x, 2.0),
        lambda xp, c, x, y: xp.where(c, 1, y),
        lambda xp, c, x, y: xp.where(c[:, :1], x.T, y[0]),
        lambda xp, c, x, y: xp.where(c[0, 0], x, x[::-1]),
        lambda xp, c, x, y: xp.where(c.T, x[3, 4], y),
        lambda xp, c, x, y: xp.where(c[:, ::2], y[:, 1::2], y[:, ::2]),
    ):
        agree(call, condition, x, y)
    x = numbers("int32", 64, 64)
    low, high = numbers("int32", 64, 1, seed=1) // 2, numbers("int32", 64, seed=2) // 2 + 50
    for call in (
        lambda xp, x, a, b: xp.clip(x, a, b), lambda xp, x, a, b: xp.clip(x, 10, b),
        lambda xp, x, a, b: xp.clip(x[:, ::2], 10, 50), lambda xp, x, a, b: xp.clip(x.T, a, None),
        lambda xp, x, a, b: xp.clip(x, None, 20), lambda xp, x, a, b: xp.clip(x, 60, 20),
    ):  # fmt: skip
        agree(call, x, low, high)


@pytest.mark.parametrize("source", DTYPE_NAMES)
def test_casts(source, agree):
    """Also out of range. The CPU's casts are tested against NumPy's."""
    values = special_values(source)
    if values.dtype.kind == "f":
        edges = [s * (2.0**b + d) for b in (7, 8, 15, 16, 31, 32, 63, 64) for d in (-1.5, -1, 0, 1)
                 for s in (1, -1)]  # fmt: skip
        with np.errstate(all="ignore"):
            values = np.concatenate([values, np.array(edges).astype(source)])
    for turn, target in enumerate(DTYPE_NAMES):
        agree("astype", np.resize(values, 3000), np.dtype(target))
        if turn % 3 == len(source) % 3:
            agree("astype", np.resize(values, 3000), np.dtype(target), view=lambda x: x[::7])


# ---- writes


def test_assignments(agree):
    """Into views: tensors of other dtypes, scalars."""

    def assign(xp, x, key, value):
        x[key] = value

    row = numbers("int16", 64, seed=1)
    for key in (..., 3, (slice(None), 5), (slice(None, None, -2), slice(1, None, 3)), (0, 0)):
        size = np.empty((64, 64))[key].shape[-1:]
        for value in (2.5, 7, row[: size[0]] if size else row[0, ...]):
            agree(assign, numbers("float32", 64, 64), key, value)


OVERLAPS = [
    (slice(1, None), slice(None, -1)), (slice(None, -1), slice(1, None)),
    (slice(None), slice(None, None, -1)), (slice(None, None, -1), slice(None)),
    (slice(None, 2048), slice(None, 4096, 2)),
]  # fmt: skip


@pytest.mark.parametrize("dtype", ["int8", "float32", "complex128"])
def test_writing_in_place_over_what_is_read(dtype, agree):
    def change(xp, x, target, source):
        view = x[target]
        view += x[source]
        x[target] = x[source]

    def change_matrix(xp, x):
        x += x.T
        view = x[:, ::2]
        view *= 3
        x *= x[:1]
        copied = +x
        x -= x
        return copied

    for target, source in OVERLAPS:
        agree(change, numbers(dtype, 4100), target, source)
    agree(change_matrix, numbers(dtype, 64, 64, limit=10))


# ---- what a GPU cannot load, and what is computed of layouts


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
    x = gpu.asarray(numbers("float32", 64, 37)).T
    assert (x + x).strides == x.strides
    assert (x + 1).strides == x.strides
    assert (x + gpu.ones((37, 64), dtype=x.dtype)).strides == (64 * 4, 4)


# ---- kernels for arrays of more elements than 32 bits can number, on small arrays

SHAPES = [(3, 50), (5, 4, 33), (2, 3, 4, 5, 7), (2, 3, 2, 3, 2, 3, 2, 3, 2)]


@pytest.mark.parametrize("shape", SHAPES)
def test_boxes_and_masks_of_many_elements(many, shape):
    agree, places = Agree(many), np.asarray([1, 0, -1])
    x = numbers("float32", *(2 * n for n in shape))

    def write(xp, x, places):
        x[x > 50] = 1
        x[x < 20] = x[x < 20] + 1
        x[places] = 5

    view = lambda x: x[(slice(None, None, 2),) * x.ndim] if x.ndim > 1 else x
    agree(lambda xp, x: [x + x[..., ::-1], x + x[:, :1], x[..., 1:] + 1], x, view=view)
    agree(lambda xp, x: [x[x > 50], *xp.nonzero(x > 50)], x, view=view)
    agree("take", x, places, axis=1, view=view)
    agree(write, x, places, view=view)


def test_packs_and_tiles_of_many_elements(many):
    agree, x = Agree(many), numbers("float32", 70, 132)
    agree(lambda xp, x: [x[:, :64] + x[0, :64], x[:66, :66] + x[:66, :66].T], x)
    agree(lambda xp, x: xp.asarray(x.T, copy=True), x)
