"""Elementwise operations: every operation, dtype and layout against NumPy."""

import numpy as np
import pytest
from elementwise import (
    BINARY,
    COMPARISONS,
    UNARY,
    accepts,
    comparison_of,
    expected_binary,
    expected_unary,
    samples,
)
from hypothesis import given
from hypothesis import strategies as st
from strategies import (
    DTYPE_NAMES,
    DTYPES,
    LAYOUTS,
    arrays,
    assert_same,
    special_values,
    with_layout,
)

import corepy
import corepy.array_api as xp
from corepy import Tensor


@pytest.mark.parametrize("dtype", DTYPE_NAMES)
@pytest.mark.parametrize("operation", UNARY)
def test_unary_special_values_in_every_layout(operation, dtype):
    if not accepts(operation, dtype):
        with pytest.raises(TypeError, match=rf"^{operation}: .*{dtype}"):
            getattr(xp, operation)(xp.ones(3, dtype=dtype))
        return
    values = samples(operation, dtype)
    matrix = np.resize(values, (3, len(values) + 1))
    for layout in LAYOUTS:
        for array in (values, matrix, matrix[:, :0], matrix[0, 0, ...]):
            array = with_layout(array, layout)
            result = getattr(xp, operation)(xp.asarray(array))
            assert_same(result, expected_unary(operation, array), **comparison_of(operation))


@pytest.mark.parametrize("dtype", DTYPE_NAMES)
@pytest.mark.parametrize("operation", BINARY)
def test_binary_special_values_in_every_layout(operation, dtype):
    if not accepts(operation, dtype):
        with pytest.raises(TypeError, match=rf"^{operation}: .*{dtype}"):
            getattr(xp, operation)(xp.ones(3, dtype=dtype), xp.ones(3, dtype=dtype))
        return
    values = samples(operation, dtype)
    exponents = values
    if operation == "pow" and values.dtype.kind in "iu":
        exponents = values[values >= 0]  # NumPy refuses negative ones
    a, b = (np.ascontiguousarray(grid) for grid in np.meshgrid(values, exponents))
    function = getattr(xp, operation)
    for layout in LAYOUTS:
        x1, x2 = with_layout(a, layout), b
        result = function(xp.asarray(x1), xp.asarray(x2))
        assert_same(result, expected_binary(operation, x1, x2), **comparison_of(operation))
        x1, x2 = with_layout(a, "negative"), with_layout(b, layout)
        result = function(xp.asarray(x1), xp.asarray(x2))
        assert_same(result, expected_binary(operation, x1, x2), **comparison_of(operation))
    # Every row against every column; against one element; nothing at all.
    for x1, x2 in (
        (values, exponents[:, np.newaxis]),
        (values, exponents[-1]),
        (values[:0], exponents[-1]),
        (values[:0, np.newaxis], exponents),
    ):
        x2 = np.asarray(x2)
        result = function(xp.asarray(x1), xp.asarray(x2))
        assert_same(result, expected_binary(operation, x1, x2), **comparison_of(operation))


# Cheap and exact, one of each rule and kernel file.
EXACT_BINARY = [
    "add",
    "subtract",
    "multiply",
    "divide",
    "maximum",
    "equal",
    "less",
    "logical_xor",
    "floor_divide",
    "remainder",
    "bitwise_or",
    "copysign",
]


@given(data=st.data())
def test_binary_mixed_dtypes_and_layouts(data):
    operation = data.draw(st.sampled_from(EXACT_BINARY))
    a = data.draw(arrays())
    b = data.draw(arrays(shape=a.shape))
    # Broadcast one of them, or both.
    if a.ndim and data.draw(st.booleans()):
        axis = data.draw(st.integers(0, a.ndim - 1))
        a = a[(slice(None),) * axis + (slice(0, 1),)]
    if b.ndim and data.draw(st.booleans()):
        b = b[0] if b.shape[0] else b
    promoted = np.result_type(a, b)
    if not accepts(operation, promoted):
        with pytest.raises(TypeError, match=f"^{operation}: "):
            getattr(xp, operation)(xp.asarray(a), xp.asarray(b))
        return
    if promoted.kind == "c" and operation in ("multiply", "divide"):
        a, b = (np.where(abs(array.astype(promoted)) < 1e3, array, 1) for array in (a, b))
    if operation in COMPARISONS and {a.dtype.kind, b.dtype.kind} == {"i", "u"}:
        a, b = a.astype(promoted), b.astype(promoted)
    result = getattr(xp, operation)(xp.asarray(a), xp.asarray(b))
    expected = expected_binary(operation, a, b)
    finite_complex = promoted.kind == "c" and operation in ("multiply", "divide")
    if finite_complex:
        assert result.dtype == expected.dtype
        np.testing.assert_allclose(np.asarray(result), expected, rtol=1e-5, atol=1e-5)
    else:
        assert_same(result, expected, **comparison_of(operation))


@pytest.mark.parametrize("first", DTYPE_NAMES)
@pytest.mark.parametrize("second", DTYPE_NAMES)
def test_promotion(first, second):
    expected = np.result_type(first, second)
    a, b = xp.ones((2, 2), dtype=first), xp.ones(2, dtype=second)
    assert xp.result_type(a, b) == xp.result_type(a.dtype, b.dtype) == expected
    assert (a + b).dtype == (a * b).dtype == (b + a).dtype == expected
    assert xp.where(xp.asarray([True, False]), a, b).dtype == expected
    assert (a == b).dtype == np.dtype(bool)


@pytest.mark.parametrize("scalar", [True, 3, 2.5, 1.5j], ids=["bool", "int", "float", "complex"])
@pytest.mark.parametrize("dtype", DTYPE_NAMES)
def test_promotion_with_python_scalars(dtype, scalar):
    x = np.ones(3, dtype=dtype)
    t = Tensor(x)
    expected = np.result_type(x, scalar)
    if np.dtype(dtype).itemsize < 4 and isinstance(scalar, (float, complex)):
        # NumPy 2 would take float16 or float32 with the smallest integers.
        expected = np.dtype("float64" if isinstance(scalar, float) else "complex128")
    if np.dtype(dtype).kind in "biu" and isinstance(scalar, (float, complex)):
        expected = np.dtype("float64" if isinstance(scalar, float) else "complex128")
    for result in (t + scalar, scalar + t, xp.add(t, scalar), xp.add(scalar, t)):
        assert_same(result, (x + scalar).astype(expected))
    assert xp.where(xp.asarray(True), t, scalar).dtype == expected
    assert xp.result_type(t, scalar) == xp.result_type(scalar, t.dtype) == expected


@pytest.mark.parametrize("dtype", [name for name in DTYPE_NAMES if "int" in name])
def test_python_integers_out_of_range(dtype):
    info = np.iinfo(dtype)
    values = special_values(dtype)
    t = Tensor(values)
    for scalar in (info.max + 1, info.min - 1, 10**30, -(10**30)):
        for function in (xp.add, xp.multiply, xp.bitwise_or, xp.maximum):
            with pytest.raises(OverflowError, match=dtype):
                function(t, scalar)
            with pytest.raises(OverflowError, match=dtype):
                function(scalar, t)
        for name in COMPARISONS:
            function, reference = getattr(xp, name), getattr(np, name)
            assert_same(function(t, scalar), reference(values.astype(object), scalar).astype(bool))
            assert_same(function(scalar, t), reference(scalar, values.astype(object)).astype(bool))
    for scalar in (info.max, info.min):
        assert_same(t == scalar, values == scalar)
        assert_same(t <= scalar, values <= scalar)


def test_integers_beyond_float64_are_compared_exactly():
    big = 2**63
    ends = [0, 1, 5, big // 2, big - 2, big - 1, big, big + 1, 2 * big - 1]
    unsigned = np.array(ends * 3, dtype="uint64")
    for signed in (np.array([-big, -1, *ends[:6], 7] * 3), np.array([-128, -1, 0, 1, 5] * 3, "i1")):
        x, y = Tensor(signed)[:, None], Tensor(unsigned)[::-1]
        exact = signed.astype(object)[:, None], unsigned.astype(object)[::-1]
        for name in COMPARISONS:
            function, reference = getattr(xp, name), getattr(np, name)
            assert_same(function(x, y), reference(*exact).astype(bool))
            assert_same(function(y, x), reference(*exact[::-1]).astype(bool))
    signed = np.array([big - 1, -1])
    assert_same(Tensor(signed) == big - 1, signed == big - 1)


def test_integers_beyond_all_floats_are_refused_by_floats():
    # One answer for all elements, as integers give it, would be wrong for NaN and infinity.
    for dtype in ("float32", "float64", "complex128"):
        with pytest.raises(OverflowError):
            Tensor([np.nan, np.inf, 1.0], dtype=dtype) == 10**400
        with pytest.raises(OverflowError):
            Tensor([np.nan, np.inf, 1.0], dtype=dtype) + 10**400


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -0.0, 1e300])
def test_python_floats_keep_the_dtype_of_the_array(value):
    x = np.array([0.0, -1.0, np.inf, np.nan], dtype="float32")
    with np.errstate(all="ignore"):
        expected = x + value
        expected_product = value * x
    assert_same(Tensor(x) + value, expected, signs=True)
    assert_same(value * Tensor(x), expected_product, signs=True)


@given(data=st.data())
def test_where(data):
    condition = data.draw(arrays(dtype="bool"))
    a = data.draw(arrays(shape=condition.shape))
    b = data.draw(arrays(shape=condition.shape[1:]))
    assert_same(xp.where(*map(xp.asarray, (condition, a, b))), np.where(condition, a, b))
    assert_same(
        xp.where(xp.asarray(condition), xp.asarray(a), True),
        np.where(condition, a, np.asarray(True)),
    )


@given(data=st.data())
def test_clip(data):
    real = [name for name in DTYPE_NAMES if np.dtype(name).kind in "iuf"]
    x = data.draw(arrays(dtype=data.draw(st.sampled_from(real))))
    limits = []
    for _ in range(2):
        kind = data.draw(st.sampled_from(["none", "scalar", "same", "other"]))
        scalar = data.draw(st.integers(0, 100))
        dtype = x.dtype if kind == "same" else data.draw(st.sampled_from(real))
        shape = x.shape[data.draw(st.integers(0, x.ndim)) :]
        array = data.draw(arrays(dtype=dtype, shape=shape))
        limits.append({"none": None, "scalar": scalar}.get(kind, array))
    expected = x if all(limit is None for limit in limits) else np.clip(x, *limits)
    tensors = [Tensor(limit) if isinstance(limit, np.ndarray) else limit for limit in limits]
    assert_same(xp.clip(Tensor(x), *tensors), expected)


@pytest.mark.parametrize("limits", [(-1, None), (None, 300), (-1, 300), (5, 300), (-1, 5)])
def test_clip_with_limits_beyond_the_dtype(limits, device):
    array = np.array([0, 3, 9, 255], dtype="uint8")
    assert_same(xp.clip(Tensor(array, device=device), *limits), np.clip(array, *limits))


@pytest.mark.parametrize("dtype", DTYPE_NAMES)
@given(data=st.data())
def test_casts_between_all_dtypes(dtype, data):
    target = data.draw(st.sampled_from(DTYPES))
    source = data.draw(arrays(dtype=dtype))
    if source.dtype.kind == "c" and target.kind in "iuf":
        with pytest.raises(TypeError, match=r"^astype: complex"):
            xp.astype(xp.asarray(source), target)
        return
    if source.dtype.kind == "f" and target.kind in "iu":
        # Beyond the range of the target anything goes, but for crashes.
        xp.astype(xp.asarray(source), target)
        source = np.where(np.abs(source) < 100, np.abs(source), 0).astype(source.dtype)
    with np.errstate(all="ignore"):
        expected = source.astype(target)
    assert_same(xp.astype(xp.asarray(source), target), expected, signs=True)


INPLACE = [
    ("__iadd__", np.add), ("__isub__", np.subtract), ("__imul__", np.multiply),
    ("__itruediv__", np.divide), ("__ifloordiv__", np.floor_divide), ("__imod__", np.remainder),
    ("__ipow__", np.power),
]  # fmt: skip


@pytest.mark.parametrize(("method", "ufunc"), INPLACE, ids=[name for name, _ in INPLACE])
@given(data=st.data())
def test_inplace_operators_on_views(method, ufunc, data):
    dtype = data.draw(st.sampled_from(["float32", "float64"]))
    base = np.arange(1, 61, dtype=dtype).reshape(3, 4, 5)
    layout = data.draw(st.sampled_from(LAYOUTS[:-1]))
    array = with_layout(base, layout).copy(order="K")
    tensor = Tensor(array.copy(order="K"))
    key = data.draw(
        st.sampled_from([..., 0, slice(None, None, -1), (slice(None), 1), (..., slice(1, 4, 2))])
    )
    other = data.draw(st.sampled_from([2, 0.5, np.full(1, 3, dtype=dtype)]))
    view, tensor_view = array[key], tensor[key]
    ufunc(view, other, out=view)
    result = getattr(tensor_view, method)(Tensor(other) if hasattr(other, "shape") else other)
    assert result is tensor_view
    assert_same(tensor, array, ulp=4)


@pytest.mark.parametrize("dtype", ["int8", "int64", "float32", "complex128"])
@pytest.mark.parametrize("n", [5, 17, 5000])
def test_inplace_with_overlapping_memory(dtype, n):
    def fresh():
        return (np.arange(n) % 50).astype(dtype)

    for target, source in [
        (slice(1, None), slice(None, -1)),
        (slice(None, -1), slice(1, None)),
        (slice(None), slice(None, None, -1)),
        (slice(None, n // 2), slice(None, 2 * (n // 2), 2)),
    ]:
        array, tensor = fresh(), Tensor(fresh())
        array[target] += array[source].copy()
        view = tensor[target]
        view += tensor[source]
        assert_same(tensor, array)
        array, tensor = fresh(), Tensor(fresh())
        array[target] *= array[source].copy()
        tensor[target] *= tensor[source]
        assert_same(tensor, array)


@pytest.mark.parametrize(
    ("shape", "strides"),
    [((5,), (0,)), ((8, 3), (8, 8)), ((3, 8), (8, 8)), ((4, 2), (0, 16)), ((4, 4), (-8, 8)),
     ((5, 5), (16, 8)), ((1, 4), (0, 8))],
)  # fmt: skip
def test_inplace_where_elements_are_in_several_places(shape, strides):
    def windows(base):
        return np.lib.stride_tricks.as_strided(base[8:], shape, strides)

    ours, theirs = np.arange(24.0), np.arange(24.0)
    view, tensor = windows(theirs), Tensor(windows(ours))
    view += 1.0
    tensor += 1.0
    np.testing.assert_array_equal(ours, theirs)
    view[...] = 7.0
    tensor[...] = 7.0
    np.testing.assert_array_equal(ours, theirs)


def test_inplace_on_itself():
    t = Tensor(np.arange(10.0))
    t += t
    t *= t
    assert_same(t, (2 * np.arange(10.0)) ** 2)


@pytest.mark.parametrize("operation", ["add", "negative", "isnan", "where"])
def test_large_arrays_take_the_same_values(operation):
    # Long enough to let go of the GIL and to leave the blocks of a cast behind.
    x = np.linspace(-5, 5, 30011).astype("float32")
    y = (np.arange(30011) % 7 - 3).astype("int16")
    if operation == "add":
        assert_same(xp.add(Tensor(x)[::-1], Tensor(y)), x[::-1] + y)
    elif operation == "where":
        assert_same(xp.where(Tensor(y) > 0, Tensor(x), Tensor(y)), np.where(y > 0, x, y))
    else:
        expected = expected_unary(operation, x)
        assert_same(getattr(xp, operation)(Tensor(x)), expected)
        assert_same(getattr(xp, operation)(Tensor(x)[::-3]), expected[::-3])


def test_no_numerical_warnings(recwarn):
    zero, big = Tensor([0.0, 1e308]), Tensor([1, 0])
    for result in (zero / 0, xp.log(zero), xp.sqrt(-zero), zero * 10, big // 0, xp.exp(zero)):
        assert isinstance(result, Tensor)
    xp.pow(Tensor([-1.0]), 0.5)
    xp.asarray([np.inf]) - xp.asarray([np.inf])
    for function in (xp.mean, xp.var, xp.std):
        function(xp.asarray([], dtype=xp.float64))
    xp.var(xp.asarray([1.0]), correction=2)
    xp.astype(xp.asarray([np.nan, 1e300]), xp.int8)
    xp.astype(xp.asarray([1e300]), xp.float32)
    zero[1:] *= 10
    assert not [str(warning.message) for warning in recwarn]


def test_same_results_on_every_device(device):
    x = np.array([-2.5, -0.0, 0.0, 1.5, np.inf, np.nan])
    t = Tensor(x, device=device)
    for name in ("abs", "floor", "negative", "sign", "isnan", "square"):
        result = getattr(corepy, name)(t)
        assert result.device == device
        assert_same(result, getattr(np, name)(x), signs=True)
    assert_same(t + 1, x + 1)
    assert_same(2 * t, 2 * x)
    assert_same(t < t[0], x < x[0])


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64"])
def test_integers_to_the_power_of_integers(dtype):
    rng = np.random.default_rng(0)
    base = rng.integers(-9, 10, (37, 5)).astype(dtype)
    exponent = rng.integers(0, 100, (37, 5)).astype(dtype)
    for x, y in (
        (base, exponent),
        (base.T, exponent.T),
        (base[:, ::-1], exponent[:1]),
        (base[:0], exponent[:0]),
        (base[3, 3], exponent[2, 2]),
    ):
        assert_same(xp.pow(corepy.asarray(x), corepy.asarray(y)), np.power(x, y))
    exponent[36, 4] = -1
    before = Tensor(base.copy())
    with pytest.raises(ValueError, match="negative integer powers"):
        xp.pow(before, Tensor(exponent))
    with pytest.raises(ValueError, match="negative integer powers"):
        before **= Tensor(exponent)
    assert_same(before, base)
