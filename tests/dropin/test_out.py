"""Ufuncs that write to `out`, which may be or overlap an operand, against NumPy's."""

import itertools

import numpy as np
import pytest

import corepy

BINARY = ["add", "subtract", "multiply", "divide", "power", "floor_divide", "remainder", "maximum",
          "less", "equal", "bitwise_and", "left_shift", "hypot"]  # fmt: skip
# Not isnan and signbit: NumPy 2.4 does not write all elements of strided outputs.
UNARY = ["negative", "sqrt", "exp", "absolute", "sign", "logical_not", "invert", "floor"]
DTYPES = ["bool", "int8", "int64", "uint64", "float32", "float64", "complex128"]


def memory(dtype):
    """Elements of which no operation here is undefined, in one block of memory."""
    array = np.arange(1, 61) % 7
    return (array > 3 if dtype == "bool" else array).astype(dtype)


def views(block):
    """Operands in a block of memory, most of which overlap each other."""
    yield block[:24].reshape(4, 6)
    yield block[6:30].reshape(4, 6)
    yield block[:24].reshape(6, 4).T
    yield block[:48].reshape(4, 12)[:, ::2]
    yield block[36:].reshape(4, 6)[::-1]
    yield block[3:9]
    yield block[30:34].reshape(4, 1)
    yield block[0]


def compare(name, dtype, out_dtype, pick, masked=False):
    """Compare a call on operands that `pick` takes from a block and from another block."""
    results, memories = [], []
    for library in (np, corepy):
        block, other = memory(dtype), memory(out_dtype)
        if library is corepy:
            block, other = corepy.asarray(block), corepy.asarray(other)
        *operands, out = pick(list(views(block)), list(views(other)))
        mask = library.asarray(np.arange(out.size).reshape(out.shape) % 3 == 1)
        try:
            if name == "copyto":
                library.copyto(out, *operands, where=mask)
            else:
                named = {"where": mask} if masked else {}
                found = getattr(library, name)(*operands, out=out, **named)
                assert found is out
            results.append(None)
        except (TypeError, ValueError) as error:
            results.append(type(error) if library is np else error)
        memories.append((np.asarray(block), np.asarray(other)))
    if results[0] is None:
        assert results[1] is None, (name, results)
    else:
        assert isinstance(results[1], (TypeError, ValueError)), (name, results)
    for theirs, ours in zip(*memories, strict=True):
        # NumPy computes functions of small integers in float16.
        close = 1e-3 if dtype in ("bool", "int8") else 1e-6
        np.testing.assert_allclose(ours, theirs, rtol=close, err_msg=name)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", BINARY)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_binary(name, dtype):
    for i, j, k in itertools.product(range(8), range(8), range(5)):
        compare(name, dtype, dtype, lambda a, b, i=i, j=j, k=k: (a[i], a[j], a[k]))
    for out_dtype, k in itertools.product(DTYPES, range(5)):
        compare(name, dtype, out_dtype, lambda a, b, k=k: (a[0], a[6], b[k]))
        compare(name, dtype, out_dtype, lambda a, b, k=k: (a[1], 2, b[k]))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", UNARY)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_unary(name, dtype):
    for i, k in itertools.product(range(8), range(6)):
        compare(name, dtype, dtype, lambda a, b, i=i, k=k: (a[i], a[k]))
    for out_dtype, k in itertools.product(DTYPES, range(5)):
        compare(name, dtype, out_dtype, lambda a, b, k=k: (a[0], b[k]))


@pytest.mark.parametrize("dtype", DTYPES)
def test_clip(dtype):
    for i, j, k in itertools.product(range(8), range(8), range(5)):
        compare("clip", dtype, dtype, lambda a, b, i=i, j=j, k=k: (a[i], a[j], 5, a[k]))
    for (low, high), k in itertools.product([(1, 4), (None, 4), (2, None), (1.5, 3)], range(5)):
        for i in range(8):
            compare(
                "clip",
                dtype,
                dtype,
                lambda a, b, at=(low, high, i, k): (a[at[2]], *at[:2], a[at[3]]),
            )
        for out_dtype in DTYPES:
            compare(
                "clip", dtype, out_dtype, lambda a, b, at=(low, high, k): (a[0], *at[:2], b[at[2]])
            )


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ["copyto", "add", "maximum"])
def test_where(name, dtype):
    others = 1 if name == "copyto" else 2
    for i, j, k in itertools.product(range(8), range(8), range(5)):
        compare(
            name,
            dtype,
            dtype,
            lambda a, b, at=(i, j), k=k: (*[a[i] for i in at[:others]], a[k]),
            True,
        )
    for out_dtype, k in itertools.product(DTYPES, range(5)):
        compare(name, dtype, out_dtype, lambda a, b, k=k: (*[a[0], a[6]][:others], b[k]), True)


def test_where_out_is_the_mask():
    for library in (np, corepy):
        x = library.asarray(np.arange(6) % 2 == 0)
        library.copyto(x, library.asarray(np.arange(6) < 3), where=x)
        assert x.tolist() == [True, False, True, False, False, False]


def test_what_cannot_be_written():
    x = corepy.arange(6.0)
    x.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        corepy.add(x, x, out=x)
    value = corepy.sum(corepy.arange(3.0))
    with pytest.raises(TypeError):
        corepy.negative(value, out=value)
    assert float(value) == 3.0


def test_integers_have_numpy_reciprocals():
    out = corepy.ones(3)
    corepy.reciprocal(corepy.asarray([1, 2, 4]), out=out)
    assert out.tolist() == [1.0, 0.0, 0.0]


def test_results_are_written_where_numpy_arrays_see_them():
    array = np.zeros(1000)
    x = corepy.asarray(array)
    corepy.add(x, 1.0, out=x)
    assert array[999] == 1.0
    corepy.exp(np.zeros(1000), out=x)
    assert array[0] == 1.0


def test_deferred_operations():
    with corepy.config(fusion_threshold=0), corepy.fuse():
        x = corepy.arange(100.0)
        y = x + 1.0
        z = y * 2.0
        corepy.multiply(y, 3.0, out=y)
        corepy.subtract(z, y, out=x)
    np.testing.assert_array_equal(np.asarray(y), (np.arange(100.0) + 1) * 3)
    np.testing.assert_array_equal(np.asarray(x), -(np.arange(100.0) + 1))


# ---- elements of tensors


def test_lists_of_elements():
    for dtype in DTYPES:
        x = corepy.asarray(memory(dtype))
        array = np.asarray(x)
        for make in (
            lambda a: [a[0], a[5]],
            lambda a: [[a[1], a[2], a[3]], [a[4], a[5], a[6]]],
            lambda a: (a[0],),
            lambda a: [a[0], 2.5],
            lambda a: [2, a[0]],
            lambda a: [[a[0]], [a[1]]],
        ):
            ours, theirs = corepy.array(make(x)), np.array(make(array))
            assert ours.dtype == theirs.dtype and ours.shape == theirs.shape
            np.testing.assert_array_equal(np.asarray(ours), theirs)
    a, b = corepy.arange(3.0), corepy.arange(3)
    assert corepy.array([a[0], b[1]]).dtype == np.float64
    assert corepy.array([a[0], a[1]], dtype=np.float32).dtype == np.float32


def test_items_by_number():
    x = corepy.arange(12).reshape(3, 4)[:, ::-1]
    array = np.asarray(x)
    for k in range(-12, 12):
        assert x.item(k) == array.item(k)
    assert x.item(1, 2) == x.item((1, 2)) == array.item(1, 2)
    assert corepy.array(5.0).item(0) == 5.0
    for k in (12, -13):
        with pytest.raises(IndexError, match=r"item: index .* is out of bounds for 12 elements"):
            x.item(k)


def test_who_owns_the_memory():
    x = corepy.arange(100.0)
    assert x.flags.owndata and corepy.arange(3).flags.owndata and x.copy().flags.owndata
    assert not x[1:].flags.owndata and not x.reshape(10, 10).flags.owndata
    assert not corepy.asarray(np.arange(100.0)).flags.owndata


def test_other_byte_orders_are_as_in_numpy():
    x = corepy.arange(4.0)
    for made in (x.astype(">f4"), corepy.empty(4, ">f8"), corepy.arange(4, dtype=">i4")):
        assert type(made) is np.ndarray and not made.dtype.isnative
    with pytest.raises(TypeError, match="dtype '>f8' is not supported"):
        corepy.array_api.zeros(3, dtype=">f8")
    swapped = np.arange(4, dtype=">f8")
    assert type(x + swapped) is corepy.ndarray and (x + swapped).tolist() == [0.0, 2.0, 4.0, 6.0]
