"""Chains: arithmetic that is computed in registers gives the bits of the loops, at every length."""

import itertools

import numpy as np
import pytest
from levels import level_parameters

import corepy
import corepy.array_api as xp
from corepy._cython.core import simd_in_use, use_simd
from corepy.lazy import last_plan

from .programs import assert_same

HAVE_CHAINS = ("avx2", "avx512")
FLOATS = ["float32", "float64"]
INTEGERS = ["int32", "int64", "uint32", "uint64"]

UNARY = {
    "abs": xp.abs, "ceil": xp.ceil, "floor": xp.floor, "isfinite": xp.isfinite, "isinf": xp.isinf,
    "isnan": xp.isnan, "negative": xp.negative, "positive": xp.positive, "round": xp.round,
    "reciprocal": xp.reciprocal, "sign": xp.sign, "sqrt": xp.sqrt, "square": xp.square,
    "trunc": xp.trunc, "cube": lambda x: x**3, "fourth power": lambda x: x**4,
    "half power": lambda x: x**0.5, "inverse": lambda x: x**-1.0,
    "logical_not": lambda x: xp.logical_not(x != 0),
    "as bool": lambda x: xp.astype(x, xp.bool),
    "bool as number": lambda x: xp.astype(x > 1, x.dtype),
}  # fmt: skip
BINARY = {
    "add": xp.add, "copysign": xp.copysign, "divide": xp.divide, "equal": xp.equal,
    "greater": xp.greater, "greater_equal": xp.greater_equal, "less": xp.less,
    "less_equal": xp.less_equal, "maximum": xp.maximum, "minimum": xp.minimum,
    "multiply": xp.multiply, "not_equal": xp.not_equal, "subtract": xp.subtract,
    "bitwise_and": xp.bitwise_and, "bitwise_or": xp.bitwise_or, "bitwise_xor": xp.bitwise_xor,
    "logical_and": lambda x, y: xp.logical_and(x > y, x != 0),
    "logical_or": lambda x, y: xp.logical_or(x > y, x != 0),
    "logical_xor": lambda x, y: xp.logical_xor(x > y, x != 0),
    "equal bools": lambda x, y: (x > y) == (x != 0),
    "clip": lambda x, y: xp.clip(x, y, 3), "where": lambda x, y: xp.where(x > y, x, y),
}  # fmt: skip
FOR_INTEGERS = (
    "abs negative positive square add multiply subtract maximum minimum equal not_equal less "
    "less_equal greater greater_equal clip where bitwise_and bitwise_or bitwise_xor"
).split()
FOR_FLOATS = [name for name in (*UNARY, *BINARY) if not name.startswith("bitwise")]


@pytest.fixture(params=level_parameters())
def level(request):
    """Each instruction set; code is made for those in HAVE_CHAINS."""
    before = simd_in_use()
    use_simd(request.param)
    yield request.param
    use_simd(before)


def extremes(dtype):
    """Numbers of which any pair may be special."""
    if dtype in INTEGERS:
        facts = np.iinfo(dtype)
        numbers = {facts.min, facts.min + 1, 0, 1, 2, 3, facts.max // 2, facts.max - 1, facts.max}
        return np.array(sorted({*numbers, *(-1, -2) * (facts.min < 0)}), dtype=dtype)
    facts = np.finfo(dtype)
    some = [0, facts.smallest_subnormal, facts.tiny, 0.3, 0.5, 1, 1.5, 2.5, 3, 1e30, facts.max]
    return np.array([*some, *(-x for x in some), np.inf, -np.inf, np.nan, -0.0], dtype=dtype)


def pairs(dtype, n=None):
    """Tensors that together have each pair of them, or the first n pairs in another order."""
    x = extremes(dtype)
    x, y = (np.ravel(each) for each in np.meshgrid(x, x))
    if n is not None:
        order = np.random.default_rng(n).permutation(x.size)
        x, y = (np.resize(each[order], n) for each in (x, y))
    return xp.asarray(x, copy=True), xp.asarray(y, copy=True)


def fused(function, *operands, chained=True):
    """What a function returns in a block; some of it is computed in registers."""
    with corepy.fuse():
        found = function(*operands)
    if chained:
        made = any(group.in_registers > 0 for group in last_plan().groups)
        assert made == (simd_in_use() in HAVE_CHAINS)
    return found


def assert_fused(function, *operands, chained=True):
    """Check that a function returns in a block what it does outside."""
    with np.errstate(all="ignore"):
        expected = function(*operands)
        found = fused(function, *operands, chained=chained)
    if isinstance(expected, tuple):
        for one, other in zip(found, expected, strict=True):
            assert_same(one, np.asarray(other))
    else:
        assert_same(found, np.asarray(expected))


CASES = [
    *((name, dtype) for dtype in FLOATS for name in FOR_FLOATS),
    *((name, dtype) for dtype in INTEGERS for name in FOR_INTEGERS),
]


@pytest.mark.parametrize(("name", "dtype"), CASES)
def test_operations(name, dtype, level):
    # An addition before makes it a chain, and has the operand in a register.
    def chain(x, y):
        x = x + xp.zeros((), dtype=x.dtype)
        return UNARY[name](x) if name in UNARY else BINARY[name](x, y)

    product = name in ("multiply", "square") and level == "avx2"
    assert_fused(chain, *pairs(dtype), chained=not (product and dtype in ("int64", "uint64")))


@pytest.mark.parametrize("dtype", [*FLOATS, *INTEGERS])
@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 63, 65, 1000])
def test_lengths(n, dtype, level):
    def chain(x, y):
        z = x + y
        return z, xp.where(z > x, y, z - 1), (z < y) & (x != y)

    x, y = pairs(dtype, n)
    assert_fused(chain, x, y, chained=n > 0)
    assert_fused(chain, x[::2], y[-(-n // 2) - 1 :: -1][: -(-n // 2)], chained=n > 0)


@pytest.mark.parametrize(
    ("source", "target"),
    [("int32", "float32"), ("float32", "int32"), ("int64", "float64"), ("float64", "int64")],
)
def test_conversions(source, target, level):
    def chain(x, y):
        return xp.astype(x + y, getattr(xp, target)) + 1

    convertible = source.endswith("32") or level == "avx512"
    assert_fused(chain, *pairs(source), chained=convertible)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("count", [3, 12, 20, 39, 60, 120])
def test_more_values_than_registers(count, dtype, level):
    def chain(x, y):
        values = [x * k + y for k in range(count)]
        total = values[0]
        for k, value in enumerate(values[1:]):
            total = total - value if k % 2 else xp.where(total > value, total, -value)
        return total

    assert_fused(chain, *pairs(dtype))


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("count", [10, 14, 18, 40])
def test_comparisons_between_more_values_than_registers(count, dtype, level):
    def chain(x, y):
        values = [x]
        for k in range(count):
            values.append(values[-1] + y if k % 2 else values[-1] ^ y)
        masks = values[-1] <= values[0], values[-1] != values[1], values[2] >= values[-2]
        total = values[0]
        for value in (*values, *reversed(values)):
            total = total + value if count % 4 else total ^ value
        return [xp.where(mask, total, value) for mask, value in zip(masks, values, strict=False)]

    assert_fused(lambda x, y: tuple(chain(x, y)), *pairs(dtype))


@pytest.mark.parametrize("dtype", FLOATS)
def test_more_masks_than_registers(dtype, level):
    def chain(x, y):
        masks = [x * k > y for k in range(20)]
        both = masks[0]
        for mask in masks[1:]:
            both = both ^ mask
        return both, xp.where(both, x, y), *(mask | both for mask in masks)

    assert_fused(chain, *pairs(dtype))


@pytest.mark.parametrize("count", [2, 30, 45, 100])
def test_many_operands(count, level):
    rng = np.random.default_rng(count)
    arrays = [xp.asarray(rng.standard_normal(203)) for _ in range(count)]

    def chain(*arrays):
        results = [x * 0.5 + y for x, y in itertools.pairwise(arrays)]
        total = results[0]
        for result in results[1:]:
            total = total + result
        return total, *results

    assert_fused(chain, *arrays)


def test_chains_before_and_after_loops(level):
    def chain(x, y):
        z = x * 2 + y
        s = xp.sin(z) - z * xp.cos(x - y)
        return s / (1 + xp.exp(-s * s)), z, s > 0

    assert_fused(chain, *(x[:500] for x in pairs("float64")))


def test_float32_and_float64_together(level):
    def chain(x, y):
        z = xp.astype(x * x + 1, xp.float64)
        return z * y - z, (x > 0) & (y * 2 < z)

    x, y = pairs("float32", 333)[0], pairs("float64", 333)[1]
    assert_fused(chain, x, y)


@pytest.mark.parametrize("shape", [(7, 1), (1, 37), (7, 37), (3, 1, 37), ()])
def test_broadcast(shape, level):
    rng = np.random.default_rng(len(shape))
    x = xp.asarray(rng.standard_normal((7, 37)))
    y = xp.asarray(rng.standard_normal(shape))
    assert_fused(lambda x, y: (x - y) * y + 1, x, y)
    if len(shape) <= 2:
        assert_fused(lambda x, y: (x - y) * y + 1, x.T, y.T)
    assert_fused(lambda x, y: xp.where(x > y, x, y) + (y < 1), x, y)


@pytest.mark.parametrize("boolean", [False, True])
def test_bool_elements_other_than_0_and_1(boolean, level):
    raw = np.arange(256, dtype=np.uint8).repeat(2)
    condition = xp.asarray(raw.view(np.bool), copy=True)
    x = xp.asarray(np.arange(512.0))
    other = xp.asarray(raw[::-1].view(np.bool), copy=True) if boolean else x > 100

    def chain(condition, x, other):
        return xp.where(condition & other, x + 1, -x), ~condition ^ (x > 3)

    assert_fused(chain, condition, x, other)


def test_softmax_and_rows_of_one_block(level):
    x = xp.asarray(np.random.default_rng(0).standard_normal((5, 700)))
    y = xp.asarray(np.random.default_rng(1).standard_normal((300, 7)))
    for each in (x, y):
        assert_fused(
            lambda x: (x - xp.mean(x, axis=1, keepdims=True)) / xp.std(x, axis=1, keepdims=True),
            each,
        )


@pytest.mark.parametrize("offset", [0, 1, 3])
@pytest.mark.parametrize("boolean", [False, True])
def test_results_past_the_caches(boolean, offset, level):
    """Results of more than 24 MiB are streamed, to addresses that may not suit vectors."""
    n = 3_300_001
    x = xp.asarray(np.random.default_rng(0).standard_normal(n + offset))[offset:]

    def chain(x):
        y = 2 * x - 1
        return (y * y, y > x) if boolean else y * y

    assert_fused(chain, x)
    with corepy.fuse():
        z = xp.zeros(n + 5)
        z[offset : offset + n] = 2 * x - 1 + x * x
    assert_same(z[offset : offset + n], np.asarray(2 * x - 1 + x * x))
    assert float(xp.sum(xp.abs(z[:offset]))) == 0.0
    assert float(xp.sum(xp.abs(z[offset + n :]))) == 0.0


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32"])
def test_single_operations_past_the_caches(dtype, level):
    """A large result of one operation is stored by a chain of that operation."""
    x = xp.astype(xp.asarray(np.random.default_rng(0).standard_normal(6_300_002)) * 9, dtype)
    rows = xp.reshape(x[:6_300_000], (2100, 3000))
    for function, *operands in (
        (xp.negative, x),
        (xp.square, x[1:]),
        (xp.subtract, x[1:], x[:-1]),
        (lambda x: x * 3, x),
        (xp.maximum, rows, rows[0, :]),
        (xp.maximum, rows, rows[:, :1]),
    ):
        assert_fused(function, *operands)
    for function, *operands in ((xp.less, x, x[0]), (xp.add, x, x[::-1]), (xp.negative, rows.T)):
        assert_fused(function, *operands, chained=False)


@pytest.mark.parametrize("width", [1000, 1024, 1040])
def test_rows_past_the_caches(width, level):
    """Rows are stored from registers where each is aligned."""
    x = xp.astype(xp.asarray(np.random.default_rng(0).standard_normal((6400, width))), xp.float32)
    assert_fused(lambda x: x - xp.max(x, axis=-1, keepdims=True), x)
    assert_fused(lambda x: x * xp.mean(x, axis=-1, keepdims=True) + x[0, :], x)
    with corepy.fuse():
        z = xp.zeros((6402, width), dtype=xp.float32)
        z[1:-1, :] = x - xp.max(x, axis=-1, keepdims=True)
    assert_same(z[1:-1, :], np.asarray(x - xp.max(x, axis=-1, keepdims=True)))
    assert float(xp.sum(xp.abs(z[0, :]))) == float(xp.sum(xp.abs(z[-1, :]))) == 0.0


def test_reductions_of_chains(level):
    x, y = (xp.asarray(np.random.default_rng(k).standard_normal(300_001)) for k in range(2))
    assert_fused(lambda x, y: xp.mean((x - y) ** 2), x, y)
    assert_fused(lambda x, y: xp.sum(x * x + y * y < 1.0), x, y)
    x, y = (xp.reshape(each[:300_000], (300, 1000)) for each in (x, y))
    assert_fused(lambda x, y: xp.max((x + y) * 2 - x, axis=0), x, y)


def test_written_in_place(level):
    expected = np.arange(1000.0)
    x = xp.asarray(expected.copy())
    with corepy.fuse():
        x[1:-1] = (x[:-2] + x[2:]) * 0.5 - x[1:-1]
        x[...] = x * 2 + 1
        x[::3] = x[::3] * x[1::3][:334] - 1 if x[1::3].shape == x[::3].shape else x[::3] * 3 - 1
    expected[1:-1] = (expected[:-2] + expected[2:]) * 0.5 - expected[1:-1]
    expected[...] = expected * 2 + 1
    expected[::3] = expected[::3] * 3 - 1
    assert_same(x, expected)


def test_code_is_not_made_where_it_is_not_wanted():
    x = xp.ones(1000)
    with corepy.config(fusion_codegen=False):
        y = fused(lambda x: x * 2 + 1, x, chained=False)
        assert last_plan().groups[0].in_registers == 0
    with pytest.raises(TypeError, match="fusion_codegen must be a bool, got int"):
        corepy.config(fusion_codegen=1)
    assert_same(y, np.full(1000, 3.0))


def test_code_is_found_again():
    """More structures than are kept, and the same one for other constants and sizes."""
    x = xp.asarray(np.arange(100.0))
    for k in range(1100):
        names = f"{k:011b}"

        def chain(x, names=names):
            for name in names:
                x = x * 1.5 if name == "1" else x + 1.5
            return x

        with corepy.fuse():
            found = chain(x)
        assert_same(found, np.asarray(chain(x)))


def test_results_that_are_stored_apart_are_read_by_chains():
    rng = np.random.default_rng(0)
    x = xp.asarray(rng.normal(size=(5, 600)))
    y = xp.asarray(rng.integers(-3, 3, (600, 5)).astype(np.int16).T, copy=True)

    def function():
        first = x + 1  # in C order, which is that of the group
        mask = y > 0  # in the other order
        number = xp.astype(mask, xp.uint32)
        return [first, mask, number, number ^ 1]

    expected = function()
    with corepy.fuse():
        found = function()
    for one, other in zip(found, expected, strict=True):
        assert_same(one, other)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64"])
@pytest.mark.parametrize(
    "shape",
    [(3, 2), (40, 23), (1000, 1), (3, 700), (7, 5, 3), (30, 40, 5), (200, 3, 4), (5, 6, 7, 4)],
    ids=str,
)
def test_rows_are_read_and_written_where_they_are(level, shape, dtype):
    """Shifted slices, coefficients along each axis, bools, loops between, and slices as results."""
    rng = np.random.default_rng(len(shape) * sum(shape))

    def numbers(shape):
        return xp.asarray(rng.integers(-9, 9, shape).astype(dtype))

    x, y = numbers([n + 4 for n in shape]), numbers([n + 1 for n in shape])
    mask = xp.asarray(rng.random(x.shape) > 0.5)
    along = [numbers(n)[(slice(None), *[None] * (len(shape) - k - 1))] for k, n in enumerate(shape)]
    first, middle = (tuple(slice(k, k + n) for n in shape) for k in (0, 2))

    def compute():
        out = xp.asarray(y, copy=True)
        value = x[middle] * 2 - x[first]
        for coefficient in along:
            value = value * coefficient + 1
        chosen = xp.where(mask[middle], value, x[first])
        inside = (chosen > x[middle]) & mask[first]
        after = xp.astype(xp.cos(xp.astype(chosen, xp.float64)), chosen.dtype) * x[first] - 3
        out[tuple(slice(1, None) for _ in shape)] = chosen + value * x[middle]
        return [value, chosen, inside, after, xp.sum(value * x[middle]), out]

    with corepy.config(fusion=False):
        expected = compute()
    with corepy.config(fusion_threshold=0), corepy.fuse():
        found = corepy.compute(*compute())
    for one, other in zip(found, expected, strict=True):
        assert_same(one, other)


def test_rows_are_not_copied():
    x = xp.reshape(xp.arange(1000.0), (40, 25))
    with corepy.config(fusion_threshold=0), corepy.fuse():
        y = (x[2:, 1:-1] - x[:-2, 1:-1]) * x[1:-1, :1] + x[:1, 2:]
        plan = corepy.explain(y)
    assert [(group.in_registers, group.block_bytes) for group in plan.groups] == [(3, 0)]
    assert plan.groups[0].block_elements == y.size
