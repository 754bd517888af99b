"""Tensor: construction, attributes, text, Python's protocols, operators."""

import copy
import math
import operator
import sys

import numpy as np
import pytest
from hypothesis import given
from strategies import DTYPE_NAMES, arrays, assert_as_numpy, assert_same, special_values

import corepy
import corepy.array_api as xp
from corepy import Tensor

# ---- construction


@pytest.mark.parametrize(
    ("value", "dtype"),
    [(True, "bool"), (3, "int64"), (2.5, "float64"), (1j, "complex128"), ([1, 2.5], "float64"),
     ([[True], [False]], "bool"), ((1, 2j), "complex128"), ([], "float64"), (range(3), "int64"),
     (np.float32(3), "float32"), (np.int8([1]), "int8")],
)  # fmt: skip
def test_dtype_of_what_a_tensor_is_made_of(value, dtype):
    t = Tensor(value)
    assert_same(t, np.asarray(value, dtype=dtype))


@pytest.mark.parametrize("dtype", DTYPE_NAMES)
def test_constructor_dtype_and_device(dtype, device):
    t = Tensor([[1, 0, 1]], dtype=dtype, device=device)
    assert t.device == device
    assert str(t.device) == device
    assert_same(t, np.asarray([[1, 0, 1]], dtype=dtype))
    assert_same(Tensor(1, dtype=dtype, device=device), np.asarray(1, dtype=dtype))


def test_constructor_copy():
    array = np.arange(5.0)
    assert np.shares_memory(np.asarray(Tensor(array)), array)
    assert np.shares_memory(np.asarray(Tensor(array, copy=False)), array)
    assert not np.shares_memory(np.asarray(Tensor(array, copy=True)), array)
    t = Tensor(array)
    assert np.shares_memory(np.asarray(Tensor(t)), array)
    assert not np.shares_memory(np.asarray(Tensor(t, copy=True)), array)


def test_constructor_takes_buffers_and_nested_tensors():
    assert_same(Tensor(bytearray(b"ab")), np.asarray([97, 98], dtype="uint8"))
    assert_same(Tensor(memoryview(np.arange(3))), np.arange(3))
    parts = [Tensor([1, 2]), Tensor([3, 4])]
    assert_same(Tensor(parts), np.asarray([[1, 2], [3, 4]]))
    assert_same(Tensor([Tensor(1.5), 2]), np.asarray([1.5, 2]))


def test_constructor_stacks_tensors_where_they_are(device):
    t = Tensor([Tensor([1, 2], device=device), Tensor([3, 4], device=device)])
    assert t.device == device
    assert_same(t, np.asarray([[1, 2], [3, 4]]))


def test_initialised_once():
    t = Tensor([1, 2])
    with pytest.raises(TypeError, match="again"):
        t.__init__([1.0])
    assert_same(t, np.asarray([1, 2]))


def test_final():
    with pytest.raises(TypeError):
        type("Mine", (Tensor,), {})


# ---- attributes


@given(array=arrays())
def test_attributes(array):
    t = Tensor(array)
    assert t.shape == array.shape
    assert type(t.shape) is tuple
    assert t.dtype == array.dtype
    assert isinstance(t.dtype, np.dtype)
    assert t.ndim == array.ndim
    assert t.size == array.size
    assert t.itemsize == array.itemsize
    assert t.nbytes == array.nbytes
    assert t.device == "cpu"
    assert_same(t.T, array.T)
    assert_same(t.real, array.real)
    if array.ndim >= 2:
        assert_same(t.mT, np.matrix_transpose(array))
    if array.dtype != bool:
        assert_same(t.imag, array.imag)
    if array.size:
        assert t.strides == array.strides


@pytest.mark.parametrize("name", ["dtype", "device", "ndim", "size", "T", "mT", "strides"])
def test_attributes_cannot_be_set(name):
    with pytest.raises(AttributeError):
        setattr(Tensor([[1.0]]), name, None)


def test_the_shape_can_be_set(device):
    x = Tensor(np.arange(12), device=device)
    view = x[2:4]
    x.shape = (3, 4)
    assert (x.shape, x.ndim, x.tolist()) == ((3, 4), 2, np.arange(12).reshape(3, 4).tolist())
    x.shape = (2, -1)
    x.shape = (*(1,) * 20, 12)
    assert x.shape == (1,) * 20 + (12,)
    x.shape = 12
    assert (x + 1).tolist() == list(range(1, 13))
    assert view.tolist() == [2, 3]
    for shape in (11, (5, -1), "a", None):
        with pytest.raises((ValueError, TypeError), match=r"^reshape: "):
            x.shape = shape
    assert x.shape == (12,)
    with corepy.config(fusion_threshold=0), corepy.fuse():
        y = x * 2
        y.shape = (4, 3)
        assert (y + 0).tolist() == (np.arange(12) * 2).reshape(4, 3).tolist()


def test_no_new_attributes():
    with pytest.raises(AttributeError):
        Tensor([1]).anything = 1


def test_many_axes():
    array = np.arange(2.0**12).reshape((2,) * 12)
    t = Tensor(array)
    assert_same(t.T + t, array.T + array)
    assert_same(t[:, 1, ..., 0], array[:, 1, ..., 0])
    deep = np.ones((1,) * 64)
    assert_same(Tensor(deep) + 1, deep + 1)
    assert Tensor(deep).T.shape == (1,) * 64


# ---- text


@pytest.mark.parametrize(
    ("tensor", "text"),
    [
        (Tensor([1, 2, 3]), "Tensor([1, 2, 3])"),
        (Tensor([1.5, 2.0]), "Tensor([1.5, 2. ])"),
        (Tensor(2.5), "Tensor(2.5)"),
        (Tensor(True), "Tensor(True)"),
        (Tensor([1j]), "Tensor([0.+1.j])"),
        (Tensor([1, 2], dtype="float32"), "Tensor([1., 2.], dtype=float32)"),
        (Tensor([]), "Tensor([], dtype=float64)"),
        (xp.zeros((0, 3), dtype="int8"), "Tensor([], shape=(0, 3), dtype=int8)"),
        (Tensor([[1, 2], [3, 4]]), "Tensor([[1, 2],\n        [3, 4]])"),
    ],
)
def test_repr(tensor, text):
    assert repr(tensor) == text


def test_repr_names_other_devices(device):
    t = Tensor([1, 2], device=device)
    assert repr(t) == (
        "Tensor([1, 2])" if device == "cpu" else f"Tensor([1, 2], device='{device}')"
    )
    assert str(t) == "[1 2]"


@pytest.mark.parametrize("dtype", DTYPE_NAMES)
def test_text_is_that_of_numpy(dtype):
    for array in (special_values(dtype), special_values(dtype)[:6].reshape(2, -1)[:, ::-1],
                  np.resize(special_values(dtype), 2000)):  # fmt: skip
        t = Tensor(array)
        assert str(t) == str(array)
        prefixed = np.array2string(array, separator=", ", prefix="Tensor(")
        assert repr(t).startswith(f"Tensor({prefixed}")
    element = special_values(dtype)[1]
    assert str(Tensor(element)) == f"{Tensor(element)}" == str(element)


def test_repr_follows_print_options():
    with np.printoptions(precision=2):
        assert repr(Tensor([math.pi])) == "Tensor([3.14])"


@pytest.mark.parametrize(
    ("value", "spec"),
    [(math.pi, ".3f"), (math.pi, "10.2e"), (7, "04d"), (255, "x"), (1 + 2j, ".1f"), (0.5, "%")],
)
def test_format(value, spec, device):
    assert format(Tensor(value, device=device), spec) == format(value, spec)


def test_format_of_several_elements():
    t = Tensor([1.0, 2.0])
    assert f"{t}" == str(t)
    with pytest.raises(TypeError, match=r"0-d"):
        format(t, ".3f")
    with pytest.raises(TypeError):
        Tensor(2).__format__(3)


# ---- Python's protocols


def test_len_and_iteration(device):
    array = np.arange(6.0).reshape(3, 2)
    t = Tensor(array, device=device)
    assert len(t) == 3
    rows = list(t)
    assert len(rows) == 3
    for row, expected in zip(rows, array, strict=True):
        assert row.device == device
        assert_same(row, expected)
    assert [float(element) for element in t[0]] == [0.0, 1.0]
    assert len(Tensor(array[:, :0], device=device)) == 3
    assert list(Tensor(array[:0], device=device)) == []
    first, *_rest = t
    assert_same(first, array[0])


def test_scalars_have_no_length(device):
    t = Tensor(1.0, device=device)
    with pytest.raises(TypeError, match=r"^len: .*0-d"):
        len(t)
    with pytest.raises(TypeError, match=r"^iter: .*0-d"):
        iter(t)


def test_contains(device):
    t = Tensor([[1, 2], [3, 4]], device=device)
    assert 3 in t
    assert 5 not in t
    assert 3.5 not in t
    assert "text" not in t
    assert np.nan not in Tensor([np.nan], device=device)


def test_unhashable():
    with pytest.raises(TypeError, match="unhashable"):
        hash(Tensor([1]))
    with pytest.raises(TypeError, match="unhashable"):
        hash(Tensor(1))


@pytest.mark.parametrize("value", [True, False, 0, 3, -2, 2.5, -0.0, math.inf, 2j, 0j])
def test_one_element_as_a_python_scalar(value, device):
    t = Tensor(value, device=device)
    assert bool(t) is bool(value)
    assert complex(t) == complex(value)
    assert type(complex(t)) is complex
    if isinstance(value, complex):
        for kind in (int, float):
            with pytest.raises(TypeError, match="complex"):
                kind(t)
    else:
        assert float(t) == float(value)
        assert type(float(t)) is float
        if math.isfinite(value):
            assert int(t) == int(value)
            assert type(int(t)) is int
        else:
            with pytest.raises(OverflowError):
                int(t)
    item = t.item()
    assert item == value
    assert type(item) is type(value)


def test_nan_is_no_integer():
    with pytest.raises(ValueError, match="NaN"):
        int(Tensor(math.nan))


@pytest.mark.parametrize("dtype", [name for name in DTYPE_NAMES if "int" in name])
def test_index(dtype, device):
    t = Tensor(2, dtype=dtype, device=device)
    assert operator.index(t) == 2
    assert ["a", "b", "c"][t] == "c"
    assert list(range(t)) == [0, 1]
    assert np.arange(5)[t] == 2


@pytest.mark.parametrize("value", [True, 1.0, 1j, [1], [[2]]])
def test_no_index(value):
    with pytest.raises(TypeError, match=r"^index: expected a 0-d Tensor of integer dtype"):
        operator.index(Tensor(value))


def test_one_element_of_more_axes(device):
    t = Tensor([[2.5]], device=device)
    assert t.item() == 2.5
    assert bool(t) is True


@pytest.mark.parametrize("shape", [(2,), (0,), (2, 1), (0, 3), (1,), (1, 1)])
def test_only_0d_tensors_become_scalars(shape, device):
    t = xp.zeros(shape, device=device)
    for kind in (int, float, complex):
        with pytest.raises(TypeError, match=rf"^{kind.__name__}: expected a 0-d Tensor, got shape"):
            kind(t)
    if t.size != 1:
        with pytest.raises(ValueError, match=r"^bool: .*ambiguous"):
            bool(t)
        with pytest.raises(ValueError, match=r"^item: expected a Tensor of one element"):
            t.item()


def test_tolist_on_every_device(device):
    assert Tensor([[1, 2]], device=device).tolist() == [[1, 2]]
    assert Tensor(1.5, device=device).tolist() == 1.5


# ---- copies and moves


@pytest.mark.parametrize("make", [copy.copy, copy.deepcopy])
def test_copies_are_independent(make, device):
    t = Tensor([1.0, 2.0, 3.0] * 30, device=device)
    other = make(t)
    other[0] = 100
    assert float(t[0]) == 1.0
    assert other.device == device
    assert other.dtype == t.dtype
    view = make(t[::-2])
    assert_same(view, np.asarray([3.0, 1.0, 2.0] * 15))


def test_to(device):
    t = Tensor([1, 2, 3], dtype="int16")
    there = t.to(device)
    assert there.device == device
    assert_same(there, np.asarray([1, 2, 3], dtype="int16"))
    assert there.to(device) is there
    assert there.to(there.device) is there
    assert t.to_device(device).device == device
    back = there.to("cpu")
    assert back.device == "cpu"
    back[0] = 9
    if device != "cpu":
        assert int(there[0]) == 1


def test_namespace_of_a_tensor(device):
    t = Tensor([1], device=device)
    assert t.__array_namespace__() is corepy.namespace(device)
    for version in ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12"):
        assert t.__array_namespace__(api_version=version) is corepy.namespace(device)
    with pytest.raises(ValueError, match=r"2019\.12"):
        t.__array_namespace__(api_version="2019.12")


def test_methods_beyond_the_standard_are_of_ndarrays():
    assert not {"flatten", "view", "sort", "take", "flat", "base"} & set(dir(Tensor))
    array = np.arange(12.0).reshape(3, 4)
    x = corepy.asarray(array)
    for name in ("sum", "prod", "mean", "min", "max", "std", "var", "argmin", "argmax"):
        assert_as_numpy(getattr(x, name)(axis=1), getattr(array, name)(axis=1))
        assert_as_numpy(getattr(x, name)(), getattr(array, name)())
    assert_as_numpy((x > 5).any(axis=0), (array > 5).any(axis=0))
    assert (x > 5).all() is np.False_
    assert_as_numpy(x.reshape(4, -1), array.reshape(4, -1))
    assert_as_numpy(x.reshape((2, 6)), array.reshape(2, 6))
    assert_as_numpy(x.ravel(), array.ravel())
    assert_as_numpy(x.transpose(), array.T)
    assert_as_numpy(x[None].squeeze(), array)
    assert_as_numpy(x.astype("int8"), array.astype("int8"))
    flat = x.flatten()
    flat[0] = 50
    assert x[0, 0] == 0


# ---- memory, as Python counts it


@pytest.mark.parametrize("n", [9, 1000, 10**6])
def test_getsizeof_counts_the_elements(n):
    few, many = sys.getsizeof(xp.zeros(1)), sys.getsizeof(xp.zeros(n))
    assert many == few + 8 * n
    t = xp.zeros(n)
    assert sys.getsizeof(t[1:]) == few  # the memory is another tensor's
    assert sys.getsizeof(t[:2]) <= few + 16
    assert sys.getsizeof(xp.asarray(np.zeros(n))) == few  # and here NumPy's
    assert sys.getsizeof(xp.broadcast_to(t, (1000, n))) < few + 16 * n + 512
    assert sys.getsizeof(xp.reshape(xp.zeros(1), (1,) * 20)) > few


def test_methods_that_most_libraries_have():
    array = np.arange(12.0).reshape(3, 4)
    x = Tensor(array)
    for name in ("sum", "prod", "mean", "min", "max", "std", "var", "argmin", "argmax"):
        assert_same(getattr(x, name)(1), getattr(array, name)(axis=1))
        assert_same(getattr(x, name)(), np.asarray(getattr(array, name)()))
        with pytest.raises(TypeError):
            getattr(x, name)(out=x)
    assert_same((x > 5).any(axis=0, keepdims=True), (array > 5).any(axis=0, keepdims=True))
    assert_same((x > 5).all(), np.asarray(False))
    assert_same(x.reshape(4, -1), array.reshape(4, -1))
    assert_same(x.reshape((2, 6)), array.reshape(2, 6))
    assert_same(x.T.ravel(), array.T.ravel())
    assert_same(x.astype("int8"), array.astype("int8"))
    y = x.copy()
    y[0, 0] = 7
    assert x[0, 0] == 0
