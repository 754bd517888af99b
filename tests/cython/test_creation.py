"""Creation functions: every size, bits of NumPy's progressions, errors; see also tests/oracle."""

import sys

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import DTYPE_NAMES, DTYPES, arrays, assert_same

import corepy.array_api as xp
from corepy import Tensor

REAL = [name for name in DTYPE_NAMES if not name.startswith(("bool", "complex"))]
# Around the sizes at which fills and progressions pass from vectors to tails, from one thread to
# several, and past the caches.
SIZES = [0, 1, 2, 3, 7, 8, 9, 63, 64, 65, 1000, 4095, 4096, 4097, 40_001]
LARGE = 3_300_000  # 25 MiB of float64, stored past the caches


# ---- of one value


@pytest.mark.parametrize("size", [*SIZES, 300_000, LARGE])
@pytest.mark.parametrize("dtype", ["int8", "float32", "float64", "complex128"])
def test_fills_of_every_size(size, dtype, level):
    assert_same(xp.full(size, 3.0, dtype=dtype), np.full(size, 3.0, dtype=dtype))
    assert_same(xp.zeros(size, dtype=dtype), np.zeros(size, dtype=dtype))


def test_large_zeros_are_zeros_in_memory_that_was_used():
    size = 5_000_000  # 38 MiB: cleared by the system, page by page
    for _ in range(3):
        x = xp.full(size, 7.5)
        assert float(x[-1]) == 7.5
        del x
        zeros = xp.zeros(size)
        assert not np.asarray(zeros).any()
        zeros += 1.0
        assert float(xp.sum(zeros)) == size
        del zeros


@pytest.mark.parametrize("shape", [0, 3, (), (2, 3), [2, 3], np.int64(2), (np.int8(2), 3)], ids=str)
def test_shapes_may_be_integers_or_sequences(shape):
    assert xp.zeros(shape).shape == np.zeros(shape).shape


@pytest.mark.parametrize(
    ("shape", "error"),
    [(-1, ValueError), ((2, -1), ValueError), (2**63, ValueError), ((2**62, 2**62), ValueError),
     (2**61, ValueError), ((1,) * 65, ValueError), (2**50, MemoryError), (2.5, TypeError),
     ((2**32, 2**32, 2), ValueError), ((2.5,), TypeError), ("ab", TypeError),
     ("3", TypeError), (None, TypeError), ((2, None), TypeError)],
    ids=str,
)  # fmt: skip
@pytest.mark.parametrize(("function", "args"), [("zeros", ()), ("ones", ()), ("empty", ()),
                                                ("full", (1.0,))])  # fmt: skip
def test_shapes_that_cannot_be(function, args, shape, error, device):
    # Other backends make arrays of one value by `full`, whose message it is if they are too big.
    named = f"^{function}: " if device == "cpu" else f"^({function}|full): "
    with pytest.raises(error, match=None if error is MemoryError else named):
        getattr(xp, function)(shape, *args, device=device)
    assert_same(xp.zeros(3), np.zeros(3))  # and all goes on


def test_values_that_a_dtype_cannot_hold():
    for value, dtype in ((300, "int8"), (-1, "uint8"), (2**64, "uint64"), (np.inf, "int32")):
        with pytest.raises(ValueError, match=rf"^full: dtype {dtype} cannot hold"):
            xp.full(3, value, dtype=dtype)
        with pytest.raises(ValueError, match=rf"^full_like: dtype {dtype} cannot hold"):
            xp.full_like(xp.zeros(3, dtype=dtype), value)
    with pytest.raises(TypeError, match=r"^full: .*complex"):
        xp.full(3, 1j, dtype="float64")


# ---- progressions


@given(
    start=st.floats(-1e6, 1e6),
    step=st.floats(1e-3, 1e3),
    count=st.floats(0, 300),
    sign=st.sampled_from([1.0, -1.0]),
    dtype=st.sampled_from(DTYPES),
)
def test_arange_of_floats_has_the_bits_of_numpy(start, step, count, sign, dtype):
    stop = start + sign * step * count
    try:
        expected = np.arange(start, stop, sign * step, dtype=dtype)
    except (OverflowError, TypeError) as error:
        with pytest.raises((type(error), ValueError), match=r"^arange: "):
            xp.arange(start, stop, sign * step, dtype=dtype)
    else:
        try:
            assert_same(xp.arange(start, stop, sign * step, dtype=dtype), expected, signs=True)
        except ValueError:  # beyond the ends of int64 or uint64, where NumPy wraps around
            assert dtype == "uint64" and min(start, stop) < 0


@pytest.mark.parametrize("size", [*SIZES, LARGE])
@pytest.mark.parametrize("dtype", REAL)
def test_arange_of_every_size(size, dtype, level):
    # Wrapped around, or rounded one by one, where the dtype ends.
    expected = np.arange(size).astype(dtype)
    assert_same(xp.arange(0, size, dtype=dtype), expected)
    if dtype.startswith("float"):
        assert_same(
            xp.arange(0.1, size / 7, 1 / 7, dtype=dtype),
            np.arange(0.1, size / 7, 1 / 7, dtype=dtype),
        )


@pytest.mark.parametrize(
    ("arguments", "dtype", "expected"),
    [
        ((2**62, 2**62 + 3), None, [2**62, 2**62 + 1, 2**62 + 2]),
        ((-(2**63), -(2**63) + 2), None, [-(2**63), -(2**63) + 1]),
        ((2**63 - 1, 2**63), "int64", [2**63 - 1]),
        ((2**64 - 2, 2**64), "uint64", [2**64 - 2, 2**64 - 1]),
        ((2**63 - 1, -(2**63), -(2**63)), None, [2**63 - 1, -1]),
        ((0, 2**70, 2**69), "float64", [0.0, 2.0**69]),
        ((2**53, 2**53 + 4), "float64", [2.0**53, 2.0**53, 2.0**53, 2.0**53]),
        ((0, 1e-310, 1e-310), None, [0.0]),
        ((0.0, 5e-324, 1e300), None, [0.0]),
        ((5,), "float32", [0, 1, 2, 3, 4]),
        ((0, 2), "bool", [False, True]),
        ((3,), "complex64", [0, 1, 2]),
        ((0, 1, 0.25), "int64", [0, 0, 0, 0]),
        ((True, 4), None, [1, 2, 3]),
        ((5, 0, -2), None, [5, 3, 1]),
        ((0, 5, -1), None, []),
    ],
    ids=str,
)
def test_arange_at_the_ends(arguments, dtype, expected):
    kwargs = {} if dtype is None else {"dtype": dtype}
    kind = dtype or ("float64" if any(isinstance(v, float) for v in arguments) else "int64")
    assert_same(xp.arange(*arguments, **kwargs), np.asarray(expected, dtype=kind))


@pytest.mark.parametrize(
    ("arguments", "dtype", "error"),
    [((0, 5, 0), None, ZeroDivisionError), ((0.0, np.inf), None, ValueError),
     ((np.nan,), None, ValueError), ((0, 2**63 + 1), "int64", ValueError),
     ((-1, 3), "uint64", ValueError), ((0, 1e300), None, ValueError),
     ((0, 2**62), None, ValueError),
     ((0.0, 1.0, 1e-310), None, ValueError), ((1j,), None, TypeError), (("a",), None, TypeError),
     ((10**400, 10**400 + 1), "float64", OverflowError), ((300, 302), "int8", OverflowError)],
    ids=lambda value: str(value)[:40],
)  # fmt: skip
def test_aranges_that_cannot_be(arguments, dtype, error):
    with pytest.raises(error, match=r"^arange: "):
        xp.arange(*arguments, dtype=dtype)


FINITE = st.floats(-1e300, 1e300)


@given(start=FINITE, stop=FINITE, num=st.integers(0, 70), endpoint=st.booleans())
@example(start=0.0, stop=5e-324, num=5, endpoint=True)
@example(start=-0.0, stop=-0.0, num=3, endpoint=True)
def test_linspace_has_the_bits_of_numpy(start, stop, num, endpoint):
    expected = np.linspace(start, stop, num, endpoint=endpoint)
    assert_same(xp.linspace(start, stop, num, endpoint=endpoint), expected)
    with np.errstate(over="ignore"):
        narrow = expected.astype("float32")
    assert_same(xp.linspace(start, stop, num, endpoint=endpoint, dtype="float32"), narrow)


@given(
    ends=st.tuples(FINITE, FINITE, FINITE, FINITE),
    num=st.integers(0, 40),
    endpoint=st.booleans(),
    dtype=st.sampled_from(["complex128", "complex64"]),
)
def test_complex_linspace_is_one_of_each_component(ends, num, endpoint, dtype):
    result = xp.linspace(
        complex(*ends[:2]), complex(*ends[2:]), num, endpoint=endpoint, dtype=dtype
    )
    real = xp.real(result).dtype
    for component, k in ((xp.real(result), 0), (xp.imag(result), 1)):
        expected = xp.linspace(ends[k], ends[k + 2], num, endpoint=endpoint, dtype=real)
        assert_same(component, np.asarray(expected))


@pytest.mark.parametrize("size", [*SIZES, LARGE])
@pytest.mark.parametrize("dtype", ["float64", "float32", "complex64", "complex128"])
def test_linspace_of_every_size(size, dtype, level):
    for endpoint in (True, False):
        result = xp.linspace(-3, 8.5, size, dtype=dtype, endpoint=endpoint)
        assert_same(result, np.linspace(-3, 8.5, size, dtype=dtype, endpoint=endpoint))


@given(
    ends=st.tuples(*[st.floats(-128, 127.9) | st.integers(-128, 127)] * 2),
    num=st.integers(0, 40),
    endpoint=st.booleans(),
    dtype=st.sampled_from(["int8", "int32", "int64", "bool"]),
)
def test_linspace_of_other_dtypes(ends, num, endpoint, dtype):
    expected = np.linspace(*ends, num, endpoint=endpoint, dtype=dtype)
    assert_same(xp.linspace(*ends, num, endpoint=endpoint, dtype=dtype), expected)
    ends = np.abs(ends).tolist()
    expected = np.linspace(*ends, num, endpoint=endpoint, dtype="uint64")
    assert_same(xp.linspace(*ends, num, endpoint=endpoint, dtype="uint64"), expected)


def test_linspaces_that_cannot_be():
    for num, error in (
        (-1, ValueError),
        (2.5, TypeError),
        (2**61, ValueError),
        (2**70, ValueError),
    ):
        with pytest.raises(error, match=r"^linspace: "):
            xp.linspace(0, 1, num)
    for dtype in ("int8", "float64", "complex64"):
        with pytest.raises(OverflowError, match=r"^linspace: "):
            xp.linspace(0, 10**400, 5, dtype=dtype)
    with pytest.raises(TypeError, match=r"^linspace: .*complex"):
        xp.linspace(0, 1j, 5, dtype="float64")


def test_results_do_not_depend_on_the_number_of_threads(numbers_of_threads):
    made = [
        [xp.arange(0.0, LARGE * 0.1, 0.1), xp.linspace(0, 1, LARGE, dtype="complex64"),
         xp.arange(0, LARGE, dtype="int16"), xp.full(LARGE, 2.5)]
        for _n in numbers_of_threads()
    ]  # fmt: skip
    for others in made[1:]:
        for one, other in zip(made[0], others, strict=True):
            assert_same(other, np.asarray(one))


# ---- matrices


def test_eyes_that_cannot_be():
    assert_same(xp.eye(3, k=2**70), np.zeros((3, 3)))
    assert_same(xp.eye(3, 4, k=-(2**70)), np.zeros((3, 4)))
    for arguments in ((-1,), (3, -1), (2**40, 2**40), (2**64,), (0, 2**63)):
        with pytest.raises(ValueError, match=r"^eye: "):
            xp.eye(*arguments)
    with pytest.raises(TypeError, match=r"^eye: "):
        xp.eye(2.5)


def test_triangles_of_large_matrices():
    array = np.arange(1.0, 1_000_001.0).reshape(1000, 1000)
    for k in (-(2**70), -300, 0, 5, 2**70):
        inside = max(-1001, min(k, 1001))
        for matrix in (array, array.T, array[::2, ::-3]):
            assert_same(xp.tril(Tensor(matrix), k=k), np.tril(matrix, inside))
            assert_same(xp.triu(Tensor(matrix), k=k), np.triu(matrix, inside))


def test_meshgrids_that_cannot_be():
    with pytest.raises(ValueError, match=r"^meshgrid: .*indexing"):
        xp.meshgrid(xp.zeros(2), indexing="yx")
    with pytest.raises(ValueError, match=r"^meshgrid: .*argument 1 has shape \(2, 2\)"):
        xp.meshgrid(xp.zeros(2), xp.zeros((2, 2)))


# ---- of nested sequences


NUMBERS = st.one_of(
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(),
    st.complex_numbers(),
    st.integers(-9, 9),
)


def assert_as_numpy(obj, dtype=None):
    """Check that a sequence gives NumPy's result, or an error of the same kind."""
    try:
        expected = np.asarray(obj, dtype=dtype)
        refused = None if expected.dtype.kind in "biufc" else TypeError
        if expected.dtype == object and all(
            isinstance(x, (int, float, complex)) for x in expected.flat
        ):
            refused = OverflowError  # integers that no dtype can hold
    except (TypeError, ValueError, OverflowError) as error:
        refused = type(error)
    if refused is None:
        assert_same(xp.asarray(obj, dtype=dtype), expected, signs=True)
    else:
        with pytest.raises(refused, match=r"^asarray: "):
            xp.asarray(obj, dtype=dtype)


@given(data=st.data(), kind=st.sampled_from([list, tuple]))
def test_flat_sequences(data, kind):
    numbers = data.draw(st.lists(NUMBERS, max_size=8))
    assert_as_numpy(kind(numbers))


@given(array=arrays(), kind=st.sampled_from([list, tuple]), dtype=st.sampled_from([*DTYPES, None]))
def test_nested_sequences(array, kind, dtype):
    def nested(x):
        return kind(map(nested, x)) if x.ndim else x.item()

    obj = nested(array)
    if dtype is not None and not np.can_cast(array.dtype, dtype):
        dtype = None
    if isinstance(obj, kind):
        assert_as_numpy(obj, dtype)


@pytest.mark.parametrize(
    "obj",
    [[], [[]], [[], []], [[1, 2], [3]], [[1], 2], [1, [2]], [[1, 2], (3, 4)], [[[1]], [[2, 3]]],
     [2**63], [-(2**63) - 1], [2**63, -1], [2**200], [2**63, 1.5], ["a"], [None], [1, None],
     [True, 2], [True, 2.5], [1, 2j], [np.float32(1.5), 2], [np.int8(1), True],
     [np.ones(2), [3, 4]],
     [[1, 2], [3, "a"]], [float("nan"), 1], [[1] * 3] * 4, ((1.5, 2), [True, 3])],
    ids=lambda obj: repr(obj)[:30],
)  # fmt: skip
@pytest.mark.parametrize("dtype", [None, "bool", "int8", "uint64", "float32", "complex64"])
def test_sequences_that_numpy_judges(obj, dtype):
    with np.errstate(all="ignore"):
        assert_as_numpy(obj, dtype)


def test_sequences_that_contain_themselves():
    obj = [1.0]
    obj.append(obj)
    with pytest.raises(ValueError, match=r"^asarray: "):
        xp.asarray(obj)


def test_no_memory_is_allocated_for_ragged_sequences():
    # Ragged, though its first row says a million columns.
    ragged = [[0.0] * 1_000_000] + [[0.0]] * 1_000_000
    with pytest.raises(ValueError, match=r"^asarray: "):
        xp.asarray(ragged)


def test_sequences_keep_no_reference_to_their_numbers():
    number = 1234567.5
    numbers = [number] * 100
    before = sys.getrefcount(number)
    xp.asarray(numbers)
    xp.asarray([numbers, numbers])
    xp.asarray([numbers, tuple(numbers)], dtype="float32")
    assert sys.getrefcount(number) == before
