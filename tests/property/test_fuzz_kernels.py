"""Every kernel on random dtypes, shapes, strides, offsets and overlapping memory, against NumPy.

``COREPY_FUZZ_ROUNDS`` (default 1) multiplies the number of calls; the seed of a failure is in its
test's name, and ``COREPY_FUZZ_SEED`` moves all of them.
"""

import math
import os
import random

import numpy as np
import pytest
from elementwise import IN_PLACE_OPERATORS
from levels import level_parameters
from strategies import BEYOND, CATEGORIES, DTYPES, read_operations, special_values

import corepy.array_api as xp
from corepy._cython import core

OPERATIONS = {
    row[0]: row
    for row in (*read_operations(), *read_operations(standard=False))
    if hasattr(np, row[0]) and row[0] != "ldexp"  # whose exponents are integers in NumPy
}
ROUNDS = int(os.environ.get("COREPY_FUZZ_ROUNDS", "1"))
SEED = int(os.environ.get("COREPY_FUZZ_SEED", "0"))
CALLS = 120 * ROUNDS

# NumPy itself is right to the last place but one or two; of sums the error depends on the order.
ROUNDED = set(
    "acos acosh asin asinh atan atan2 atanh cos cosh exp expm1 hypot log log10 log1p log2 "
    "logaddexp sin sinh tan tanh sqrt pow reciprocal divide abs sign square multiply".split()
)
SUMMED = {"sum", "mean", "std", "var", "prod", "cumulative_sum", "cumulative_prod"}
INPLACE = ("add", "subtract", "multiply", "bitwise_and", "bitwise_or", "bitwise_xor")


class Memory:
    """One stretch of elements that all operands of a call are views of."""

    def __init__(self, rng, dtype, count, small, factors=False):
        self.rng = rng
        self.dtype = np.dtype(dtype)
        seeded = np.random.default_rng(rng.getrandbits(32))
        if self.dtype.kind == "b":
            values = seeded.integers(0, 2, count)
        elif self.dtype.kind in "iu":
            low, high = (1, 7) if small else (np.iinfo(dtype).min, np.iinfo(dtype).max)
            values = seeded.integers(low, high, count, dtype=dtype, endpoint=True)
        else:
            low, high = (0.99, 1.01) if factors else (0.1, 3.0)
            values = seeded.uniform(low, high, count)
            values *= 1 if small else seeded.choice([-1, 1], count)
            if self.dtype.kind == "c":
                values = values + 1j * seeded.uniform(-high, high, count) * (0.01 if factors else 1)
        self.array = values.astype(dtype)
        if not small and self.dtype.kind != "c":
            specials = special_values(dtype)
            places = seeded.integers(0, count, max(1, count // 10))
            self.array[places] = seeded.choice(specials, places.size)

    def view(self, shape):
        """A view of that shape: some order of axes, steps of either sign, any offset."""
        rng, ndim = self.rng, len(shape)
        order = list(range(ndim))
        if rng.random() < 0.4:
            rng.shuffle(order)
        steps, reach = [0] * ndim, 1
        left = self.array.size // (math.prod(shape) or 1)
        for axis in reversed(order):
            gap = rng.choice([1, 1, 1, *(g for g in (2, 3) if g <= left)])
            left //= gap
            steps[axis] = reach * gap
            reach *= max(shape[axis], 1) * gap
        assert reach <= self.array.size
        view = np.lib.stride_tricks.as_strided(
            self.array[rng.randrange(0, max(1, self.array.size - reach)) :],
            shape,
            [step * self.dtype.itemsize for step in steps],
        )
        for axis in range(ndim):
            if rng.random() < 0.2:
                view = np.flip(view, axis)
        return view

    def operand(self, shape):
        """A view that broadcasts to `shape`."""
        sizes = [1 if self.rng.random() < 0.15 else size for size in shape]
        if self.rng.random() < 0.15:
            sizes = sizes[self.rng.randrange(len(sizes) + 1) :]
        return self.view(tuple(sizes))


def random_shape(rng):
    ndim = rng.choice([0, 1, 1, 1, 2, 2, 3, 4])
    most = {0: 1, 1: 3000, 2: 60, 3: 16, 4: 8}[ndim]
    return tuple(
        0 if rng.random() < 0.03 else rng.choice([1, 2, 3, rng.randint(1, most), most])
        for _ in range(ndim)
    )


def computed_dtype(name, dtype):
    """The dtype that NumPy has to be given to compute in the one that Corepy does."""
    if OPERATIONS[name][3] in ("floating", "real_floating") and dtype.kind in "biu":
        return np.dtype("float64")
    if OPERATIONS[name][3] == "arithmetic" and dtype.kind == "b":
        return np.dtype("int8")
    return dtype


def compare(name, actual, expected):
    actual, expected = np.asarray(actual), np.asarray(expected)
    assert actual.shape == expected.shape
    if actual.dtype.kind not in "fc" or name not in ROUNDED | SUMMED:
        np.testing.assert_array_equal(actual, expected.astype(actual.dtype))
        return
    eps = np.finfo(actual.dtype).eps
    tiny = np.finfo(actual.dtype).smallest_normal
    scale = 200 if name in SUMMED else 20 if actual.dtype.kind == "c" else 6
    np.testing.assert_allclose(actual, expected, rtol=scale * eps, atol=tiny)


def call(name, rng):
    """Call one operation on random operands, both ways, and compare."""
    _, shape_of_work, category, _ = OPERATIONS[name]
    dtype = rng.choice([dtype for dtype in DTYPES if dtype.kind in CATEGORIES[category]])
    # For overflow or cancellation NumPy's rounding is no oracle.
    small = (
        name in SUMMED
        or name in ("pow", "bitwise_left_shift", "bitwise_right_shift", "floor_divide", "remainder")
        or dtype.kind == "c"
    )
    shape = random_shape(rng)
    # Products of thousands stay in range; and NumPy's logaddexp is wrong next to its zeros.
    small |= name == "logaddexp"
    memory = Memory(rng, dtype, 4 * 9**4 + 4096 * 4, small, "prod" in name)
    computed = computed_dtype(name, dtype)
    with np.errstate(all="ignore"):
        if shape_of_work in ("reduce", "scan"):
            x = memory.view(shape)
            reduce(name, rng, x, computed)
            return
        count = {"unary": 1, "binary": 2, "ternary": 3}[shape_of_work]
        operands = [memory.operand(shape) for _ in range(count)]
        if name == "where":
            operands[0] = Memory(rng, "bool", 1 << 15, small).operand(shape)
        if name == "clip":
            shape = np.broadcast_shapes(*(x.shape for x in operands))
            x, low, high = operands
            low, high = np.minimum(low, high), np.maximum(low, high)
            operands = [np.broadcast_to(x, shape), np.asarray(low), np.asarray(high)]
        actual = getattr(xp, name, getattr(BEYOND, name, None))(
            *(xp.asarray(x, copy=False) for x in operands)
        )
        inputs = [x if name == "where" else x.astype(computed) for x in operands]
        compare(name, actual, getattr(np, name)(*inputs))
        if name in INPLACE and computed == dtype and (name != "subtract" or dtype.kind != "b"):
            overlapping(name, rng, memory, shape)


def reduce(name, rng, x, computed):
    axes = rng.sample(range(x.ndim), rng.randint(0, x.ndim))
    if name.startswith(("arg", "cumulative")):
        if x.ndim == 0:
            return
        axis = rng.randrange(x.ndim)
    else:
        axis = rng.choice([None, tuple(axes), tuple(axes)])
    if name in ("max", "min", "argmax", "argmin") and x.size == 0:
        return
    if name in ("std", "var", "mean") and math.prod(
        x.shape[i] for i in (range(x.ndim) if axis is None else axis)
    ) == 0:  # fmt: skip
        return
    actual = getattr(xp, name)(xp.asarray(x, copy=False), axis=axis)
    expected = getattr(np, name)(x.astype(computed), axis=axis)
    if name in ("sum", "mean") and computed.kind == "f":  # exactly rounded
        expected = getattr(np, name)(x.astype("longdouble"), axis=axis).astype(computed)
    compare(name, actual, expected)


def overlapping(name, rng, memory, shape):
    """In place, with the output and the input anywhere in the same memory."""
    if memory.dtype.kind == "b" and name in ("add", "multiply"):
        return
    before = memory.array.copy()
    out = memory.view(shape)
    other = memory.operand(shape)
    expected = getattr(np, name)(out.copy(), other.copy())
    written = xp.asarray(out, copy=False)
    IN_PLACE_OPERATORS[name](written, xp.asarray(other, copy=False))
    compare(name, np.asarray(written), expected)
    memory.array[...] = before


@pytest.mark.parametrize("level", level_parameters())
@pytest.mark.parametrize("name", sorted(OPERATIONS))
def test_kernels_agree_with_numpy(name, level):
    used = core.simd_in_use()
    core.use_simd(level)
    try:
        for seed in range(SEED, SEED + CALLS):
            rng = random.Random(f"{name} {seed}")
            try:
                call(name, rng)
            except Exception as error:
                error.add_note(f"{name}, seed {seed}, {level}")
                raise
    finally:
        core.use_simd(used)
