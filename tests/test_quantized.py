"""`nn.quantize`: its rounding, products against integers in NumPy, and bounds on every device."""

import copy
import pickle
import re

import numpy as np
import pytest
from levels import level_parameters
from running import output_of

import corepy
import corepy.array_api as cpu
from corepy import nn
from corepy._cython import core
from corepy._cython.cpu import networks

EPS = 2.0**-24  # the largest relative error of one operation in float32
SHAPES = [(1, 1), (15, 31), (16, 32), (17, 33), (33, 100), (3, 4096), (0, 5), (5, 0)]


@pytest.fixture(params=level_parameters())
def level(request):
    """The name of an instruction set in use; the test runs on each of this processor."""
    before = core.simd_in_use()
    core.use_simd(request.param)
    yield request.param
    core.use_simd(before)


def normal(*shape, seed=0):
    return np.random.default_rng(seed).normal(size=shape).astype("float32")


def on(xp, x):
    return xp.asarray(x, copy=True)


def lines_of(x, size=32):
    """Rows in groups, the last one of them filled with zeros."""
    groups = -(-x.shape[1] // size)
    padded = np.zeros((len(x), groups * size), x.dtype)
    padded[:, : x.shape[1]] = x
    return padded.reshape(len(x), groups, size)


def elements(q, scales, minimums, size):
    w = q.astype("float32") * np.repeat(scales, size, axis=1)[:, : q.shape[1]]
    return w if minimums is None else w + np.repeat(minimums, size, axis=1)[:, : q.shape[1]]


def parts(shape, bits, size=32, half=True, seed=0):
    """Integers, among them the extremes, and factors for `from_groups`."""
    generator = np.random.default_rng(seed)
    low, high, dtype = (-128, 128, "int8") if bits == 8 else (0, 16, "uint8")
    q = generator.integers(low, high, shape, dtype)
    q[generator.random(shape) < 0.2] = low
    q[generator.random(shape) < 0.2] = high - 1
    factors = [normal(shape[0], -(-shape[1] // size), seed=seed + k) for k in (1, 2)]
    if half:
        factors = [each.astype("float16").astype("float32") for each in factors]
    return q, factors[0], None if bits == 8 else factors[1]


def matrix_of(xp, q, scales, minimums, bits, size=32):
    minimums = None if minimums is None else on(xp, minimums)
    return nn.QuantizedMatrix.from_groups(on(xp, q), on(xp, scales), minimums, bits, size)


def rounded(x):
    """Groups of x as integers and scales, as the kernels round them."""
    lines = lines_of(x)
    top = np.abs(lines).max(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        inverse = np.where(top >= 2.0**-100, np.float32(127) / top, np.float32(0))
        q = np.rint(np.where(np.isfinite(top)[..., None], lines * inverse[..., None], 0))
    return q.astype("int64"), np.where(np.isfinite(top), top / np.float32(127), np.float32("nan"))


def by_integers(q, scales, minimums, size, x):
    """``x @ w.T`` of rows of x, with sums of integers, and the same operations in float32."""
    rows, factors = rounded(x)
    lines = lines_of(q.astype("int64"))
    total = np.zeros((len(x), len(q)), "float32")
    for group in range(lines.shape[1]):
        sums = (rows[:, group] @ lines[:, group].T).astype("float32")
        place, factor = group * 32 // size, factors[:, group, None]
        total = total + sums * (scales[:, place] * factor)
        if minimums is not None:
            counts = rows[:, group].sum(axis=-1, keepdims=True).astype("float32")
            total = total + minimums[:, place] * (factor * counts)
    return total


def assert_bounded(found, w, x):
    """``x @ w.T`` of float32 differs from that of float64 by what rounding x and sums can change.

    An element of x is rounded by half the scale of its group, and by the errors of the inverse, the
    scale and a product, of which each changes at most 127 steps by EPS. A sum has at most K terms
    and 4 more operations, each with a relative error of EPS of the sum of magnitudes; magnitudes of
    ``scale * q`` and the minimum are below three times the largest element of a row.
    """
    found, (w, x) = np.asarray(found), (np.asarray(each, "float64") for each in (w, x))
    steps = np.abs(lines_of(x)).max(axis=-1) / 127
    steps = np.repeat(steps, 32, axis=1)[:, : x.shape[1]] * (0.5 + 127 * 4 * EPS)
    magnitude = 3 * np.abs(w).max(axis=1, initial=0)[:, None] * np.ones_like(w)
    bound = steps @ np.abs(w).T + (w.shape[1] + 4) * EPS * (np.abs(x) + steps) @ magnitude.T
    assert found.dtype == "float32"
    assert found.shape == bound.shape
    assert (np.abs(found - x @ w.T) <= bound).all()


# ---- rounding


@pytest.mark.parametrize("size", [32, 64, 128])
@pytest.mark.parametrize("bits", [8, 4])
@pytest.mark.parametrize("shape", SHAPES)
def test_elements_are_within_half_a_step(xp, shape, bits, size):
    for factor in (1.0, 1e-6, 1e20):
        w = normal(*shape) * np.float32(factor)
        w[::3] += np.float32(5 * factor)
        w[1:2] = np.float32(0.1 * factor)
        matrix = nn.quantize(on(xp, w), bits, size)
        found = np.asarray(matrix.dequantize())
        assert (matrix.shape, matrix.ndim, matrix.bits) == (shape, 2, bits)
        assert (matrix.group_size, matrix.dtype, found.dtype) == (size, xp.float32, "float32")
        assert matrix.device == on(xp, w).device
        # A factor of float16 is at most two of its 2**10 steps in an octave from the exact one.
        for start in range(0, shape[1], size):
            group = w[:, start : start + size].astype("float64")
            if bits == 8:
                step = np.abs(group).max(axis=1) / 127
            else:
                low = group.min(axis=1)
                step = (group.max(axis=1) - low + 2.0**-9 * np.abs(low) + 2.0**-23) / 15
            step = step * (1 + 2.0**-9) + 2.0**-23 * (factor == 1)
            change = np.abs(found[:, start : start + size] - group)
            near = step[:, None] * (0.5 + 127 * 4 * EPS) + 4 * EPS * np.abs(group)
            assert (change <= near).all()
        change, total = np.sum((found - w.astype("float64")) ** 2), np.sum(w.astype("float64") ** 2)
        assert matrix.error == pytest.approx(np.sqrt(change / total) if total else 0, rel=1e-3)


@pytest.mark.parametrize("half", [True, False])
@pytest.mark.parametrize("size", [32, 96])
@pytest.mark.parametrize("bits", [8, 4])
@pytest.mark.parametrize("shape", SHAPES)
def test_groups_are_kept(xp, shape, bits, size, half):
    given = parts(shape, bits, size, half)
    matrix = matrix_of(xp, *given, bits, size)
    found = np.asarray(matrix.dequantize())
    assert np.array_equal(found, elements(*given, size))
    assert matrix.error is None
    if bits == 4:
        again = matrix_of(xp, given[0].astype("int8"), *given[1:], bits, size)
        assert np.array_equal(np.asarray(again.dequantize()), found)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_zeros_and_layouts(xp, dtype):
    w = np.repeat(normal(40, 33), 2, axis=1).astype(dtype)
    plain = nn.quantize(on(xp, w[:, ::2].copy()))
    for other in (on(xp, w)[:, ::2], on(xp, np.asfortranarray(w[:, ::2]).T.copy()).T):
        assert np.array_equal(np.asarray(nn.quantize(other).dequantize()), plain.dequantize())
    zeros = nn.quantize(on(xp, np.zeros((3, 40), dtype)), bits=4)
    assert not np.asarray(zeros.dequantize()).any()
    assert zeros.error == 0


def test_bytes():
    """A block has 16 rows of 32 columns, and its factors float16 where these are exact."""
    w = cpu.asarray(normal(32, 64), copy=True)
    assert nn.quantize(w).nbytes == 4 * 16 * (32 + 2)
    assert nn.quantize(w, bits=4).nbytes == 4 * 16 * (16 + 4)
    assert nn.quantize(w * 1e9).nbytes == 4 * 16 * (32 + 4)
    assert nn.quantize(w * 1e9, bits=4).nbytes == 4 * 16 * (16 + 8)


# ---- products


@pytest.mark.parametrize("half", [True, False])
@pytest.mark.parametrize("size", [32, 64])
@pytest.mark.parametrize("bits", [8, 4])
@pytest.mark.parametrize("shape", SHAPES)
def test_products_are_of_integers(level, shape, bits, size, half):
    given = parts(shape, bits, size, half)
    matrix = matrix_of(cpu, *given, bits, size)
    for rows in (1, 2, 4, 9):
        x = normal(rows, shape[1], seed=rows)
        x[rows - 1, : shape[1] // 2] = 0
        x[0, : shape[1] // 3] *= np.float32(1e-36)
        found = np.asarray(nn.linear(cpu.asarray(x, copy=True), matrix))
        assert np.array_equal(found, by_integers(*given, size, x))


@pytest.mark.parametrize("bits", [8, 4])
@pytest.mark.parametrize("shape", SHAPES)
def test_linear(xp, shape, bits):
    matrix = nn.quantize(on(xp, normal(*shape)), bits)
    w, bias = np.asarray(matrix.dequantize()), normal(shape[0], seed=5)
    x = normal(6, shape[1], seed=1)
    y = nn.linear(on(xp, x), matrix)
    assert_bounded(y, w, x)
    assert_bounded(nn.linear(on(xp, x[0]), matrix)[None, :], w, x[:1])
    found = np.asarray(nn.linear(on(xp, x.reshape(2, 3, -1)), matrix, on(xp, bias)))
    assert np.array_equal(found, (np.asarray(y) + bias).reshape(2, 3, -1))
    assert nn.linear(on(xp, x[:0]), matrix).shape == (0, shape[0])
    wide = np.asarray(nn.linear(on(xp, x.astype("float64")), matrix))
    assert wide.dtype == "float64"
    np.testing.assert_allclose(wide, x.astype("float64") @ w.T.astype("float64"), atol=1e-10)


@pytest.mark.parametrize("bits", [8, 4])
def test_orientations(xp, bits):
    matrix = nn.quantize(on(xp, normal(17, 40)), bits)
    w, x, short = np.asarray(matrix.dequantize()), normal(3, 40, seed=1), normal(3, 17, seed=2)
    assert (matrix.T.shape, matrix.T.T.shape) == ((40, 17), (17, 40))
    assert np.array_equal(np.asarray(matrix.T.dequantize()), w.T)
    assert_bounded(on(xp, x) @ matrix.T, w, x)
    assert_bounded((matrix @ on(xp, x.T.copy())).T, w, x)
    assert_bounded((matrix @ on(xp, x[0]))[None, :], w, x[:1])
    assert_bounded(on(xp, short) @ matrix, w.T, short)
    assert_bounded((on(xp, short[0]) @ matrix)[None, :], w.T, short[:1])
    assert_bounded((matrix.T @ on(xp, short.T.copy())).T, w.T, short)
    assert_bounded(xp.matmul(on(xp, x), matrix.T), w, x)
    assert_bounded(xp.matmul(matrix, on(xp, x.T.copy())).T, w, x)
    assert_bounded(nn.linear(on(xp, short), matrix.T), w.T, short)
    stack = on(xp, np.stack([x, x + 1]))
    assert (stack @ matrix.T).shape == (2, 3, 17)
    assert (matrix @ xp.matrix_transpose(stack)).shape == (2, 17, 3)
    # Rows that are not contiguous.
    assert np.array_equal(
        np.asarray(on(xp, np.repeat(x, 2, axis=1))[::-1, ::2] @ matrix.T),
        np.asarray(on(xp, x[::-1].copy()) @ matrix.T),
    )


def test_numpy_arrays():
    w, x = normal(17, 40), normal(3, 40, seed=1)
    matrix = nn.quantize(w, bits=4)
    assert isinstance(matrix.dequantize(), np.ndarray)
    assert_bounded(x @ matrix.T, matrix.dequantize(), x)
    other = nn.quantize(cpu.asarray(w), bits=4)
    assert np.array_equal(matrix.dequantize(), other.dequantize())
    for found in (x @ other.T, (other @ x.T).T, cpu.asarray(x) @ matrix.T):
        assert_bounded(found, matrix.dequantize(), x)
    assert type(corepy.asarray(x) @ other.T) is corepy.ndarray


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("bits", [8, 4])
def test_rows_that_are_not_finite(level, bits, value):
    matrix = nn.quantize(cpu.asarray(normal(20, 70), copy=True), bits)
    x = normal(6, 70)
    plain = np.asarray(cpu.asarray(x, copy=True) @ matrix.T)
    x[1, 69] = x[4, 3] = value
    found = np.asarray(cpu.asarray(x, copy=True) @ matrix.T)
    assert np.isnan(found[[1, 4]]).all()
    assert np.array_equal(found[[0, 2, 3, 5]], plain[[0, 2, 3, 5]])


def test_instructions_beyond_the_level_give_the_same(level):
    """An instruction for dot products of bytes is used unless COREPY_DOT_PRODUCTS is 0."""
    code = """
import numpy as np, corepy.array_api as xp
from corepy import nn
for bits in (8, 4):
    rng = np.random.default_rng(0)
    for rows in (1, 3, 4, 6, 8, 9, 23):
        w, x = rng.standard_normal((70, 200)), rng.standard_normal((rows, 200))
        w, x = (xp.asarray(each.astype("f")) for each in (w, x))
        print(np.asarray(x @ nn.quantize(w, bits).T).tobytes().hex())
"""
    plain = output_of(code, COREPY_SIMD=level, COREPY_DOT_PRODUCTS="0")
    assert plain == output_of(code, COREPY_SIMD=level)
    assert len(plain.split()) == 14


@pytest.mark.parametrize("bits", [8, 4])
def test_threads_give_the_same(bits):
    matrix = nn.quantize(cpu.asarray(normal(1000, 700), copy=True), bits)
    x = cpu.asarray(normal(40, 700, seed=1), copy=True)
    before = corepy.get_num_threads()
    found = []
    for threads in (1, 2, 5):
        corepy.set_num_threads(threads)
        found.append(np.asarray(x @ matrix.T))
    corepy.set_num_threads(before)
    assert np.array_equal(found[0], found[1])
    assert np.array_equal(found[0], found[2])
    assert np.array_equal(np.asarray(x[7] @ matrix.T), found[0][7])  # as a row alone


# ---- the object


def test_copies(device, xp):
    matrix = nn.quantize(on(xp, normal(5, 40)), bits=4).T
    assert repr(matrix) == (
        f"QuantizedMatrix(shape=(40, 5), bits=4, group_size=32, device='{matrix.device}')"
    )
    others = [copy.copy(matrix)]
    if device in ("cpu", "reference"):
        others += [pickle.loads(pickle.dumps(matrix)), copy.deepcopy(matrix)]
    for other in others:
        assert np.array_equal(np.asarray(other.dequantize()), np.asarray(matrix.dequantize()))
        assert repr(other) == repr(matrix)
        assert (other.error, other.nbytes) == (matrix.error, matrix.nbytes)


def groups(**changes):
    q, scales, minimums = parts((3, 40), changes.get("bits", 8))
    arrays = {"q": q, "scales": scales, "minimums": minimums} | changes
    return nn.QuantizedMatrix.from_groups(**arrays)


ONES = np.ones((3, 40), "float32")
ERRORS = [
    (TypeError, "quantize: expected an array", lambda: nn.quantize([[1.0]])),
    (TypeError, "quantize: expected floating-point", lambda: nn.quantize(np.ones((2, 2), int))),
    (ValueError, "quantize: expected w of shape (N, K), got (3,)", lambda: nn.quantize(ONES[:, 0])),
    (ValueError, "quantize: expected bits of 8 or 4, got 5", lambda: nn.quantize(ONES, 5)),
    (ValueError, "quantize: expected bits of 8 or 4, got 8.0", lambda: nn.quantize(ONES, 8.0)),
    *(
        (ValueError, "quantize: expected group_size to be a multiple of 32", each)
        for each in [
            lambda size=size: nn.quantize(ONES, group_size=size) for size in (0, -32, 40, 32.0)
        ]
    ),
    *(
        (ValueError, "quantize: expected finite elements", each)
        for each in [
            lambda value=value: nn.quantize(np.full((2, 2), value))
            for value in (np.nan, np.inf, -1e38)
        ]
    ),
    (TypeError, "QuantizedMatrix: call nn.quantize", nn.QuantizedMatrix),
    (TypeError, "from_groups: expected an array", lambda: groups(q=3)),
    (TypeError, "from_groups: expected an array", lambda: groups(scales=3)),
    (TypeError, "from_groups: expected q of int8 with 8", lambda: groups(q=ONES)),
    (TypeError, "from_groups: expected q of uint8 or int8", lambda: groups(q=ONES, bits=4)),
    (ValueError, "from_groups: expected q of shape", lambda: groups(q=np.ones(3, "int8"))),
    (ValueError, "from_groups: expected minimums", lambda: groups(minimums=ONES)),
    (ValueError, "from_groups: expected minimums", lambda: groups(bits=4, minimums=None)),
    (ValueError, "from_groups: expected q in [0, 15]",
     lambda: groups(bits=4, q=np.full((3, 40), 16, "int8"))),
    (ValueError, "from_groups: expected scales of float32 and shape (3, 2)",
     lambda: groups(scales=ONES)),
    (ValueError, "from_groups: expected scales of float32 and shape (3, 2)",
     lambda: groups(scales=np.ones((3, 2)))),
    (ValueError, "from_groups: expected finite scales",
     lambda: groups(scales=np.full((3, 2), np.inf, "float32"))),
    (TypeError, "unsupported operand", lambda: nn.quantize(ONES) @ 3),
    (TypeError, "unsupported operand", lambda: 3 @ nn.quantize(ONES)),
    (ValueError, "matmul: the sizes", lambda: nn.quantize(ONES) @ cpu.ones(39)),
    (ValueError, "matmul: the sizes", lambda: cpu.ones(3) @ nn.quantize(ONES).T),
    (ValueError, "matmul: the sizes", lambda: nn.quantize(ONES) @ cpu.asarray(1.0)),
    (ValueError, "linear: expected x", lambda: nn.linear(cpu.ones(39), nn.quantize(ONES))),
    (ValueError, "matmul: the sizes", lambda: cpu.matmul(cpu.ones(3), nn.quantize(ONES).T)),
    (TypeError, "unsupported operand", lambda: cpu.matmul(3, nn.quantize(ONES))),
]  # fmt: skip


@pytest.mark.parametrize("case", range(len(ERRORS)))
def test_errors(case):
    error, message, call = ERRORS[case]
    with pytest.raises(error, match=re.escape(message)):
        call()


@pytest.mark.parametrize("count", [0, 1, 543, 545, 2 * 544])
def test_kernels_check_the_blocks(count):
    """Sizes that do not belong together are errors, and nothing is read."""
    x = cpu.ones((2, 32), dtype=cpu.float32)
    blocks = cpu.zeros(count, dtype=cpu.uint8)
    for columns in (1, 16, 10**6, 2**62, -1):
        with pytest.raises(ValueError, match="quantize: expected the blocks of a matrix"):
            networks.quantized_product(blocks, 8, True, columns, x)
    assert networks.quantized_product(cpu.zeros(544, dtype=cpu.uint8), 8, True, 9, x).shape == (
        2,
        9,
    )
