"""Lines of numerical programs, against NumPy: numbers on either side, in place, overlapping views,
transposed copies, masks, lists as indices, iteration."""

import operator

import hypothesis.extra.numpy as hnp
import numpy as np
import pytest
from elementwise import ARITHMETIC_OPERATORS, COMPARISON_OPERATORS, IN_PLACE_OPERATORS
from hypothesis import given
from hypothesis import strategies as st
from strategies import DTYPE_NAMES, assert_as_numpy, assert_same, random_array

import corepy
import corepy.array_api as xp
from corepy import Tensor

pytestmark = pytest.mark.usefixtures("level")

SIZES = {1: "uint8", 2: "int16", 4: "float32", 8: "float64", 16: "complex128"}
COMPARISONS = list(COMPARISON_OPERATORS.values())
OPERATORS = [f for f in ARITHMETIC_OPERATORS.values() if f is not operator.pow] + COMPARISONS
IN_PLACE = [f for f in IN_PLACE_OPERATORS.values() if f is not operator.ipow]
SCALARS = [0, 1, 2, 7, -1, -3, 200, 2**31, -(2**31) - 1, 2**40, 0.0, -0.0, 0.5, -2.5, 1e300,
           float("inf"), float("nan"), True, False]  # fmt: skip


def outcome(function, *operands):
    """A result, or the kind of error; NumPy's warnings are not errors."""
    with np.errstate(all="ignore"):
        try:
            return function(*operands)
        except (TypeError, ValueError, OverflowError) as error:
            return type(error)


def same(found, expected):
    if isinstance(expected, type):
        # Which error it is differs where NumPy asks for a cast.
        return isinstance(found, type)
    return not isinstance(found, type) and assert_same(found, np.asarray(expected)) is None


@pytest.mark.parametrize("function", OPERATORS, ids=lambda function: function.__name__)
@pytest.mark.parametrize("dtype", "bool int8 uint8 int32 int64 uint64 float32 float64".split())
@pytest.mark.parametrize("shape", [(3, 5), (5003,)])
def test_numbers_on_either_side(function, dtype, shape):
    array = random_array(dtype, shape)
    if function in (operator.lshift, operator.rshift):
        scalars = [0, 1, 3, 7]
        array = np.abs(array) % 8 if dtype != "bool" and array.dtype.kind in "iu" else array
        array = array.astype(dtype)
    elif function in (operator.floordiv, operator.mod) and array.dtype.kind in "iub":
        scalars = [1, 2, 7, 0.5, -2.5] + [-3] * (array.dtype.kind == "i")
        array = np.where(array == 0, 1, array).astype(dtype)  # division by 0 is the machine's
    else:
        scalars = SCALARS
    for scalar in scalars:
        for layout in ("contiguous", "strided", "transposed"):
            x = array
            if layout == "strided":
                x = np.repeat(array, 2, axis=-1)[..., ::2]
            elif layout == "transposed":
                x = np.ascontiguousarray(array.T).T
            if function in (operator.floordiv, operator.mod) and (
                x.dtype.kind == "f" or isinstance(scalar, float)
            ):
                continue  # ours are exact where NumPy's round: test_division.py
            for pair in ((x, scalar), (scalar, x)):
                ours = [Tensor(each) if each is x else each for each in pair]
                expected = outcome(function, *pair)
                found = outcome(function, *ours)
                assert same(found, expected), (pair, found, expected)


@pytest.mark.parametrize("function", IN_PLACE, ids=lambda function: function.__name__)
@pytest.mark.parametrize("dtype", "bool int8 uint8 int32 int64 uint64 float32 float64".split())
@pytest.mark.parametrize("shape", [(), (13,), (3, 5), (5003,)])
def test_numbers_in_place(function, dtype, shape):
    array = np.asarray(random_array(dtype, shape))
    scalars = SCALARS
    if function in (operator.ilshift, operator.irshift):
        scalars = [0, 1, 3, 7]
    elif function in (operator.ifloordiv, operator.imod):
        scalars = [1, 2, 7] if array.dtype.kind in "iub" else []
    for scalar in scalars:
        for strided in (False, True):
            owner = np.repeat(array[..., None], 2, axis=-1) if strided else array.copy()
            ours = Tensor(owner, copy=True)
            before, x, mine = owner.copy(), owner, ours
            if strided:
                x, mine = owner[..., 0], ours[..., 0]
            if x.ndim == 0 and not isinstance(x, np.ndarray):
                continue
            expected = outcome(function, x, scalar)
            found = outcome(function, mine, scalar)
            if isinstance(expected, type):
                assert isinstance(found, type), (scalar, found)
                assert_same(ours, before)
            else:
                assert found is mine
                assert_same(ours, owner)


@pytest.mark.parametrize("first", [True, False])
def test_large_scalar_operands_are_the_same_for_any_number_of_threads(first, numbers_of_threads):
    x = random_array("float64", 300_001)
    expected = x - 0.5 if first else 0.5 - x
    for _ in numbers_of_threads():
        assert_same(Tensor(x) - 0.5 if first else 0.5 - Tensor(x), expected)
        y = Tensor(x, copy=True)
        y -= 0.5
        assert_same(y, x - 0.5)
        mask = x > 0
        assert_same(xp.where(Tensor(mask), Tensor(x), 0), np.where(mask, x, 0))
        assert_same(xp.where(Tensor(mask), -1, Tensor(x)), np.where(mask, -1, x))


# ---- overlapping copies


@st.composite
def slices_of(draw, size, length):
    """A slice of an axis that has `length` elements, either way round."""
    if length == 0:
        return slice(0, 0)
    step = draw(st.integers(1, max(1, (size - 1) // max(length - 1, 1))))
    step = min(step, 3)
    start = draw(st.integers(0, size - 1 - step * (length - 1)))
    if draw(st.booleans()):
        return slice(start, start + step * (length - 1) + 1, step)
    stop = start - 1
    return slice(start + step * (length - 1), None if stop < 0 else stop, -step)


@given(st.data())
def test_overlapping_copies(data):
    ndim = data.draw(st.integers(1, 3))
    shape = [data.draw(st.integers(1, 9)) for _ in range(ndim)]
    length = [data.draw(st.integers(1, size)) for size in shape]
    pairs = [
        (data.draw(slices_of(size, n)), data.draw(slices_of(size, n)))
        for size, n in zip(shape, length, strict=True)
    ]
    if data.draw(st.booleans()):  # most often they differ by where they begin alone
        pairs = [(a, slice(*_moved(a, b, n))) for (a, b), n in zip(pairs, length, strict=True)]
    target, source = (tuple(pair[k] for pair in pairs) for k in range(2))
    axes = data.draw(st.permutations(range(ndim)))
    dtype = SIZES[data.draw(st.sampled_from(sorted(SIZES)))]
    base = random_array(dtype, shape).transpose(axes)
    target, source = (tuple(key[axis] for axis in axes) for key in (target, source))
    expected = base.copy(order="K")
    x = Tensor(base, copy=True)
    expected[target] = base[source]
    x[target] = x[source]
    assert_same(x, expected)


def _moved(a, b, n):
    """The slice `b` with the step of `a`, if it fits."""
    step = a.step or 1
    first = b.start if (b.step or 1) * step > 0 else b.start + (n - 1) * (b.step or 1)
    last = first + step * (n - 1)
    if last < 0 or (step > 0 and last >= (a.stop if b.stop is None else max(a.stop, b.stop))):
        return b.start, b.stop, b.step
    stop = last + (1 if step > 0 else -1)
    return first, None if stop < 0 else stop, step


@pytest.mark.parametrize("dtype", SIZES.values())
@pytest.mark.parametrize("shift", [1, 3, -1, -2, 700, -700])
@pytest.mark.parametrize("shape", [(20_011,), (150, 151), (151, 40, 3)])
def test_large_overlapping_copies(dtype, shift, shape):
    base = random_array(dtype, shape)
    forward = slice(max(shift, 0), shape[0] + min(shift, 0))
    backward = slice(max(-shift, 0), shape[0] + min(-shift, 0))
    for axis in range(len(shape)):
        if abs(shift) >= shape[axis]:
            continue
        forward = slice(max(shift, 0), shape[axis] + min(shift, 0))
        backward = slice(max(-shift, 0), shape[axis] + min(-shift, 0))
        lead = (slice(None),) * axis
        for step in (None, 2):
            target = (*lead, slice(forward.start, forward.stop, step))
            source = (*lead, slice(backward.start, backward.stop, step))
            expected = base.copy()
            expected[target] = base[source]
            x = Tensor(base, copy=True)
            x[target] = x[source]
            assert_same(x, expected)


def test_copies_between_parts_of_bytes():
    """Elements that begin within others."""
    for shift in (1, 2, 3, 5, 8, 9):
        for first, second in ((0, shift), (shift, 0)):
            memory = np.arange(900, dtype=np.uint8)
            views = [np.frombuffer(memory.data, "uint32", 100, at) for at in (first, second)]
            if not all(view.flags.aligned for view in views):
                continue
            expected = views[1].copy()
            target, source = map(Tensor, views)
            target[...] = source
            assert_same(target, expected)


def test_a_view_written_to_itself_stays_as_it_is():
    x = Tensor(np.arange(10_000.0).reshape(100, 100))
    expected = np.asarray(x).copy()
    x[1:, ::2] = x[1:, ::2]
    x[:, 0] = x[:, 0]
    x[...] = x
    assert_same(x, expected)
    x[1:] += x[:-1]
    expected[1:] += expected[:-1].copy()
    assert_same(x, expected)


def test_copies_where_elements_are_in_several_places():
    memory = np.arange(8.0)
    overlapping = np.lib.stride_tricks.as_strided(memory, (5, 3), (8, 8))
    x = Tensor(overlapping)
    expected = overlapping[:-1].copy()
    x[1:] = x[:-1]
    last = expected[-1]
    assert_same(x[-1], last)


# ---- transposed and reversed copies


@given(
    st.sampled_from(sorted(SIZES)),
    st.integers(0, 40),
    st.integers(0, 40),
    st.integers(1, 3),
    st.booleans(),
)
def test_transposed_copies(size, rows, columns, step, out_of_order):
    array = random_array(SIZES[size], (rows, columns * step))[:, ::step]
    x = Tensor(array)
    assert_same(xp.asarray(x.T, copy=True), array.T)
    assert_same(xp.asarray(x[:, ::-1], copy=True), array[:, ::-1])
    assert_same(xp.asarray(x[::-1].T, copy=True), array[::-1].T)
    out = xp.zeros((columns, rows), dtype=array.dtype)
    target = out[::-1] if out_of_order else out
    target[...] = x.T
    assert_same(target, array.T)


@pytest.mark.parametrize("dtype", SIZES.values())
@pytest.mark.parametrize("shape", [(100, 100), (97, 131), (1000, 33), (7, 3, 50), (257, 64)])
def test_large_transposed_copies(dtype, shape):
    array = random_array(dtype, shape)
    x, y = Tensor(array), corepy.asarray(array)
    assert_as_numpy(y.T.copy(), array.T)
    assert y.T.copy().strides == np.ascontiguousarray(array.T).strides
    assert_same(xp.reshape(x.T, (-1,)), array.T.reshape(-1))
    assert_as_numpy(y[..., ::-1].copy(), array[..., ::-1])
    assert_as_numpy(y[..., ::2].copy(), array[..., ::2])
    assert_same(x == x[..., ::-1], array == array[..., ::-1])


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 7, 8, 9, 31, 5001])
def test_complex_components(dtype, n):
    array = random_array(dtype, n)
    x = Tensor(array)
    assert_same(xp.conj(x), np.conj(array))
    assert_same(xp.conj(x[::-1]), np.conj(array[::-1]))
    special = np.array([complex(0.0, -0.0), complex(-0.0, np.inf), complex(np.nan, 1)] * 3, dtype)
    found = np.asarray(xp.conj(Tensor(special)))
    expected = np.conj(special)
    for part in ("real", "imag"):
        np.testing.assert_array_equal(getattr(found, part), getattr(expected, part))
        np.testing.assert_array_equal(
            np.signbit(getattr(found, part)[:2]), np.signbit(getattr(expected, part)[:2])
        )


# ---- masks, lists, iteration


@pytest.mark.parametrize(
    "key",
    [
        [0, 2], [-1], [], [[0, 1], [2, 3]], [True, False, True, False, False],
        (slice(None), [0, 2]), (slice(1, 3), [1, 1, -1]), ([0, 1], [2, 3]), ([0, 1], slice(None)),
        (..., [0, 3]), ([0, 1], 2), (None, [0, 1]),
    ],
    ids=str,
)  # fmt: skip
def test_lists_as_indices(key):
    array = random_array("float64", (5, 6))
    x = Tensor(array)
    assert_same(x[key], array[key])
    expected = array.copy()
    expected[key] = 7.0
    y = Tensor(array, copy=True)
    y[key] = 7.0
    assert_same(y, expected)


@pytest.mark.parametrize(
    "key", [[5], [-6], [0.5], ["a"], [[0], [1, 2]], [True, False], [None, 0.5]]
)
def test_lists_that_are_no_indices(key):
    x = Tensor(random_array("float64", (5, 6)))
    before = np.asarray(x).copy()
    with pytest.raises((IndexError, ValueError, TypeError)):
        x[key]
    with pytest.raises((IndexError, ValueError, TypeError)):
        x[key] = 1.0
    assert_same(x, before)


@pytest.mark.parametrize("dtype", DTYPE_NAMES)
def test_iteration(dtype):
    array = random_array(dtype, (4, 3))
    x = Tensor(array)
    rows = list(x)
    assert len(rows) == 4
    for row, expected in zip(rows, array, strict=True):
        assert_same(row, expected)
        for element, value in zip(row, expected, strict=True):
            assert element.shape == ()
            assert_same(element, np.asarray(value))
    rows[1][0] = 1  # rows are views, elements are values
    assert x[1, 0] == 1
    for element in x[2]:
        element[...] = 0
    assert_same(x[2], array[2])
    assert_same(xp.stack(list(reversed(x))), np.asarray(x)[::-1])


def test_iterators(device):
    x = xp.asarray([1.0, 2.0, 3.0], device=device)
    rows = iter(x)
    assert iter(rows) is rows
    assert operator.length_hint(rows) == 3
    assert float(next(rows)) == 1.0
    assert operator.length_hint(rows) == 2
    assert [float(each) for each in rows] == [2.0, 3.0]
    assert list(rows) == []
    assert list(iter(xp.zeros((0, 3), device=device))) == []
    first, *rest = xp.zeros((3, 2), device=device)
    assert first.shape == (2,) and len(rest) == 2
    with pytest.raises(TypeError, match="0-d"):
        iter(xp.asarray(1.0, device=device))


@pytest.mark.parametrize("dtype", DTYPE_NAMES)
def test_one_element_as_a_scalar(dtype, device):
    array = random_array(dtype, (3, 4))
    x = Tensor(array, device=device)
    for key in ((1, 2), (-1, 0)):
        found = x.item(*key)
        assert found == array.item(*key) or found != found
        assert type(found) is type(array.item(*key))
    flat = Tensor(array.ravel(), device=device)
    for index in (0, 5, -1):
        assert flat.item(index) == array.item(index) or array.item(index) != array.item(index)
    for index in (12, -13):
        with pytest.raises(IndexError):
            flat.item(index)
    one = Tensor(array[:1, :1], device=device)
    assert one.item() == array[0, 0]
    assert bool(one) == bool(array[0, 0])
    with pytest.raises(ValueError, match="item"):
        flat.item()
    with pytest.raises(ValueError, match="ambiguous"):
        bool(flat)


@pytest.mark.parametrize("dtype", DTYPE_NAMES)
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 3), (2, 0, 3), (4, 1, 2)])
def test_lists_of_elements(dtype, shape):
    array = np.asarray(random_array(dtype, shape))
    for x in (array, array.T, array[..., ::-1] if shape else array):
        found, expected = Tensor(x).tolist(), x.tolist()
        assert found == expected
        assert repr(found) == repr(expected)  # of the same types


@pytest.mark.parametrize("dtype", ["float64", "int64", "float32", "uint64", "bool"])
def test_comparisons_of_two_numbers(dtype):
    special = {"float64": [0.0, -0.0, np.nan, np.inf, -1.5], "float32": [0.0, -0.0, np.nan, 2.5]}
    numbers = special.get(dtype, [0, 1, np.iinfo("int64").max - (dtype == "int64")])
    for a in np.array(numbers, dtype):
        for b in np.array(numbers, dtype):
            for function in COMPARISONS:
                found = function(Tensor(a), Tensor(b))
                assert_same(found, np.asarray(function(a, b)))
    mixed = Tensor(np.int64(3)) < Tensor(np.float64(3.5))
    assert_same(mixed, np.asarray(True))


@pytest.mark.parametrize("dtype", DTYPE_NAMES)
@pytest.mark.parametrize("shape", [(2, 2), (2, 9), (31, 4), (33, 4), (128, 3), (129, 3), (5, 90)])
def test_small_matrices_are_reduced_like_large_ones(dtype, shape):
    array = random_array(dtype, shape)
    x = Tensor(array)
    # A third axis takes the general way.
    general = Tensor(np.stack([array, array], axis=2))
    for name in ("sum", "prod", "mean", "min", "max", "argmin", "argmax", "any", "all", "std"):
        if array.dtype.kind == "c" and name in ("min", "max", "argmin", "argmax"):
            continue
        for axis in (0, 1):
            found = getattr(xp, name)(x, axis=axis)
            expected = np.asarray(getattr(xp, name)(general, axis=axis))[..., 0]
            if name in ("sum", "mean", "std", "prod") and expected.dtype.kind in "fc":
                assert_same(found, expected, ulp=64)
            else:
                assert_same(found, expected)
            kept = getattr(xp, name)(x, axis=axis, keepdims=True)
            assert kept.ndim == 2
            np.testing.assert_array_equal(np.asarray(kept).ravel(), np.asarray(found))


@given(hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4), st.booleans())
def test_raveled_flattened_and_squeezed(shape, transposed):
    array = random_array("float64", shape)
    if transposed:
        array = array.T
    x = corepy.asarray(array)
    for method in ("ravel", "flatten", "squeeze"):
        found, expected = getattr(x, method)(), getattr(array, method)()
        assert_as_numpy(found, expected)
        if array.size:
            ours = np.shares_memory(np.asarray(found), array)
            assert ours == np.shares_memory(expected, array)
    assert_as_numpy(x.reshape(-1), array.reshape(-1))


def test_read_only_stays_read_only():
    x = corepy.broadcast_to(corepy.array([[1.0], [2.0]]), (2, 3))[:, :1]
    for view in (x.ravel(), x.squeeze()):
        if np.shares_memory(np.asarray(view), np.asarray(x)):
            with pytest.raises(ValueError, match="read-only"):
                view[...] = 0.0


# ---- products with a vector


@pytest.mark.parametrize(
    "dtype", ["int8", "int16", "int32", "int64", "uint8", "float32", "float64", "complex128"]
)
def test_matrices_times_vectors(dtype):
    rng = np.random.default_rng(0)
    for rows in (1, 3, 4, 5, 8, 11):
        for terms in (0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 33, 63, 65, 100):
            a = rng.integers(0, 5, (rows, terms)).astype(dtype)
            b = rng.integers(0, 5, terms).astype(dtype)
            expected = a @ b
            assert_same(Tensor(a) @ Tensor(b), expected)
            assert_same(Tensor(np.asfortranarray(a)) @ Tensor(b), expected)
            assert_same(Tensor(a) @ Tensor(np.repeat(b, 2))[::2], expected)
            assert_same(Tensor(a) @ Tensor(b)[:, None], expected[:, None])
            wide = np.concatenate([a, a], axis=1)
            assert_same(Tensor(wide)[:, :terms] @ Tensor(b), expected)
            assert_same(Tensor(b) @ Tensor(np.ascontiguousarray(a.T)), expected)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("terms", [4, 5, 9, 13, 17, 30])
def test_infinities_in_a_product_count_once(dtype, terms):
    for place in range(terms):
        a = np.ones((4, terms), dtype)
        a[1, place] = np.inf
        b = np.ones(terms, dtype)
        assert (Tensor(a) @ Tensor(b)).tolist() == [terms, np.inf, terms, terms]
        b[place] = -np.inf
        assert (Tensor(a) @ Tensor(b)).tolist() == [-np.inf] * 4
        a[2, place] = np.nan
        assert np.isnan(np.asarray(Tensor(a) @ Tensor(b))).tolist() == [False, False, True, False]
