"""Which tensors are deferred, what computes them, and what programs see of it."""

import contextlib
import contextvars
import copy
import datetime
import decimal
import fractions
import itertools
import operator
import pickle
import threading

import numpy as np
import pytest

import corepy
import corepy.array_api as xp
from corepy import Tensor
from corepy.lazy import is_deferred, last_plan

from .programs import assert_same, new

LARGE = 100_000  # more elements than the default threshold


# ---- what is deferred, and how it looks

DEFERRED = {
    "unary": lambda x: xp.exp(x),
    "operator": lambda x: -x,
    "binary": lambda x: x + x,
    "scalar": lambda x: 2.0 - x,
    "mixed dtypes": lambda x: x * xp.ones(100, dtype=xp.int8),
    "comparison": lambda x: x > 3,
    "broadcast": lambda x: x[:, None] * x,
    "where": lambda x: xp.where(x > 3, x, 0.0),
    "clip": lambda x: xp.clip(x, 2, 50),
    "astype": lambda x: xp.astype(x, xp.int32),
    "sum": lambda x: xp.sum(x),
    "max": lambda x: xp.max(x, axis=-1, keepdims=True),
    "mean": lambda x: xp.mean(x),
    "any": lambda x: xp.any(x > 99),
    "norm": lambda x: xp.linalg.vector_norm(x, axis=-1),
    "norm of another kind": lambda x: xp.linalg.vector_norm(x, ord=1),
    "softmax": lambda x: xp.exp(x - xp.max(x)) / xp.sum(xp.exp(x - xp.max(x))),
}


@pytest.mark.parametrize("name", DEFERRED)
def test_operations_are_deferred(name):
    x, function = new(), DEFERRED[name]
    expected = function(x)
    assert not is_deferred(expected)
    with corepy.fuse():
        y = function(x)
        assert is_deferred(y)
        assert not is_deferred(x)
        assert_same(y, expected)
        assert not is_deferred(y)


@pytest.mark.parametrize("view", ["x", "x.T", "x[::-1, ::2]", "x[:, None]", "x[0, 0]", "x[:0]"])
def test_deferred_tensors_look_like_others(view):
    x = eval(view, {"x": xp.reshape(xp.arange(24.0), (4, 6))})
    expected = xp.exp(x)
    with corepy.fuse():
        y = xp.exp(x)
        for name in "dtype shape strides size ndim itemsize nbytes device".split():
            assert getattr(y, name) == getattr(expected, name)
        assert type(y) is Tensor
        assert y.device == "cpu"
        assert str(y.device) == "cpu"
        assert y.device.backend is x.device.backend
        assert is_deferred(y)
        assert_same(y, expected)


def test_small_tensors_are_deferred_only_with_a_threshold_of_zero():
    with corepy.config(fusion_threshold=10), corepy.fuse():
        assert not is_deferred(new(9) + 1)
        assert is_deferred(new(10) + 1)
    context = contextvars.Context()  # without the threshold of these tests
    with_default = corepy.fuse(lambda n: is_deferred(new(n) + 1))
    assert context.run(with_default, LARGE)
    assert not context.run(with_default, 10)


def test_fusion_as_a_setting():
    x = new(LARGE)
    with corepy.config(fusion=True):
        assert is_deferred(x + 1)
        with corepy.config(fusion=False):
            assert not is_deferred(x + 1)
    assert not is_deferred(x + 1)
    found = []
    thread = threading.Thread(target=lambda: found.append(is_deferred(x + 1)))
    try:
        corepy.set_config(fusion=True)
        assert is_deferred(x + 1)
        thread.start()
        thread.join()
    finally:
        corepy.set_config(fusion=False)
    assert found == [True]
    assert not is_deferred(x + 1)


def test_other_devices_are_as_before():
    x, other = new(), xp.ones(100, device="reference")
    with corepy.fuse():
        assert not is_deferred(other + 1)
        y = (x + 1).to_device("reference")
        assert y.device == "reference"
        assert float(xp.sum(y + other)) == 5250.0


ERRORS = {
    "shapes": lambda y: y + xp.ones(7),
    "dtype": lambda y: y & 1,
    "range": lambda y: xp.astype(y, xp.int8) + 1000,
    "device": lambda y: y + xp.ones(100, device="reference"),
    "device of the first": lambda y: xp.ones(100, device="reference") + y,
    "axis": lambda y: xp.sum(y, axis=1),
    "nothing to choose from": lambda y: xp.max(y[:0]),
    "condition": lambda y: xp.where(y > 1, y, xp.ones(7)),
    "cast": lambda y: xp.astype(y + 1j, xp.float64),
    "clip": lambda y: xp.clip(y, "a", 3),
    "reshape": lambda y: xp.reshape(y, (7, -1)),
    "index": lambda y: y[200],
    "item": lambda y: y.item(100),
    "write": lambda y: y.__setitem__(slice(3), xp.ones(7)),
    "read-only": lambda y: xp.broadcast_to(y, (2, 100)).__setitem__(0, 1.0),
    "in place": lambda y: y.__iadd__(1j),
    "float": float,
    "bool": bool,
    "negative powers": lambda y: xp.astype(y, xp.int64) ** (xp.astype(y, xp.int64) - 50),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors_come_at_once_and_are_the_same(name):
    x = new()
    with pytest.raises(Exception) as expected:
        ERRORS[name](x + 1)
    with corepy.fuse():
        y = x + 1
        with pytest.raises(expected.type) as found:
            ERRORS[name](y)
        assert str(found.value) == str(expected.value)
        assert_same(y, np.arange(2.0, 102.0))


# ---- what computes

LOOKS = {
    "float": (float, ()),
    "int": (int, ()),
    "bool": (bool, ()),
    "complex": (complex, ()),
    "format": (lambda y: f"{y:.3f}", ()),
    "item": (lambda y: y.item(), (1,)),
    "item of many": (lambda y: y.item(7), (100,)),
    "element": (lambda y: float(y[7]), (100,)),
    "tolist": (lambda y: y.tolist(), (100,)),
    "iteration": (lambda y: [float(item) for item in y], (100,)),
    "contains": (lambda y: 3.0 in y, (100,)),
    "repr": (repr, (100,)),
    "str": (str, (2, 3)),
    "asarray": (np.asarray, (100,)),
    "array": (lambda y: np.array(y, dtype="int8"), (3, 4)),
    "numpy function": (np.median, (100,)),
    "drop-in function": (corepy.median, (100,)),
    "dlpack": (np.from_dlpack, (100,)),
    "memoryview": (lambda y: memoryview(y).tolist(), (100,)),
    "bytes": (bytes, (100,)),
    "pickle": (lambda y: pickle.loads(pickle.dumps(y)), (100,)),
    "copy": (copy.copy, (100,)),
    "deepcopy": (copy.deepcopy, (3, 4)),
    "sort": (xp.sort, (100,)),
    "cumulative_sum": (xp.cumulative_sum, (100,)),
    "matmul": (lambda y: y @ y, (4, 4)),
    "mask": (lambda y: y[y > 3], (100,)),
    "device": (lambda y: y.to_device("reference").to_device("cpu"), (100,)),
}


@pytest.mark.parametrize("name", LOOKS)
def test_looking_computes(name):
    function, shape = LOOKS[name]
    x = xp.reshape(new(int(np.prod(shape))), shape)
    eager = x * 3.0
    expected = function(eager)
    with corepy.fuse():
        y = x * 3.0
        assert is_deferred(y)
        found = function(y)
        assert not is_deferred(y)
        assert type(found) is type(expected)
        assert_same(y, eager)
        if isinstance(found, (Tensor, np.ndarray)):
            assert_same(found, expected)
        else:
            assert found == expected


def test_compute():
    x = new()
    with corepy.fuse():
        y, z = x + 1, xp.sum(x)
        one, other, third = corepy.compute(y, z, x)
        assert not is_deferred(y)
        assert not is_deferred(z)
        assert (one is y, other is z, third is x) == (True, True, True)
    assert float(z) == 5050.0


def test_explain_names_the_operations():
    x = new()
    with corepy.fuse():
        y = xp.exp(x + 1)
        text = str(corepy.explain(y))
        assert "add" in text
        assert "exp" in text


@pytest.mark.parametrize("function", [copy.copy, copy.deepcopy])
def test_copies_are_independent(function):
    with corepy.fuse():
        y = new() + 1
        z = function(y)
        z[0] = 50.0
        assert float(y[0]) == 2.0
        assert float(z[0]) == 50.0


@pytest.mark.parametrize("rows", [1, 2, 39, 40, 129, 3060])
@pytest.mark.parametrize("n", [2, 13, 16, 17, 100])
def test_each_row_is_reduced_as_beside_others(rows, n):
    """A block may have a single row where an array has many; kernels take one in another order."""
    x = xp.asarray(np.random.default_rng(rows + n).standard_normal((rows, n)))

    def centred():
        return x - xp.mean(x, axis=-1, keepdims=True)

    expected = centred()
    with corepy.fuse():
        found = centred()
    assert_same(found, np.asarray(expected))


# ---- in place

# Lines, and how many operations are computed together.
IN_PLACE = {
    "add": ("x += a * b - 1", 3),
    "subtract": ("x -= xp.exp(a) * 2", 3),
    "multiply": ("x *= xp.where(a > b, a, b)", 3),
    "divide": ("x /= a + 2.0", 2),
    "other dtype": ("x += (a > b) & (b > 0)", 4),
    "part": ("x[2:, ::3] += a[2:, ::3] * b[2:, ::3]", 2),
    "row": ("x += a[0] * 2 + b[1]", 3),
    "transposed": ("x.T[...] += (a * 2 - b).T", 3),
    "view": ("y[1:] -= a[1:] * 3 + 1", 3),
    "reduction": ("x += xp.sum(a * b, axis=1, keepdims=True) * a", 4),
    "reads it": ("x += x * 2 + a", 3),
    "reads a part of it": ("x[1:] += x[:-1] * 2", 1),
}


@pytest.mark.parametrize("name", IN_PLACE)
@pytest.mark.parametrize("shape", [(40, 30), (300, 70)])
def test_operations_in_place_take_the_memory_that_there_is(name, shape):
    line, _ = IN_PLACE[name]

    def run(scope):
        a, b, x = (
            xp.asarray(np.random.default_rng(k).standard_normal(shape)) * 1.0 for k in range(3)
        )
        names = {"xp": xp, "a": a, "b": b, "x": x, "y": x[:]}
        with scope:
            exec(line, names)
            assert names["x"] is x or "x." in line
            assert not is_deferred(names["x"])
        return x

    assert_same(run(corepy.fuse()), np.asarray(run(contextlib.nullcontext())))


@pytest.mark.parametrize("name", IN_PLACE)
def test_operations_in_place_are_computed_with_their_operand(name):
    line, together = IN_PLACE[name]
    names = {"xp": xp} | {name: xp.ones((70, 90)) for name in "abx"}
    names["y"] = names["x"]
    with corepy.fuse():
        exec(line, names)
        operations = [each for group in last_plan().groups for each in group.operations]
    assert len(operations) == together
    # An operand of another shape or layout is stored, too, and one that would change afterwards.
    stored = 2 if name in ("row", "transposed", "reads it") else 1
    assert sum(each.stored for each in operations) == stored


def test_what_waits_to_read_a_tensor_is_computed_before_it_changes():
    x, a = new(), new() + 1
    with corepy.fuse():
        y = x * 2
        x += a * 3
        assert_same(y, 2 * np.asarray(new()))
    assert_same(x, np.asarray(new() + a * 3))


def test_errors_in_place_leave_operands_as_they_were():
    x, a = xp.ones(100, dtype=xp.int64), xp.ones(100)
    with corepy.fuse():
        y = a * 2
        with pytest.raises(TypeError, match="in-place result of dtype float64"):
            x += y * 3
        with pytest.raises(ValueError, match="shape"):
            a += xp.ones((3, 100)) * 2
        assert_same(y, np.full(100, 2.0))
    assert_same(a, np.ones(100))
    assert_same(x, np.ones(100, dtype=np.int64))


def test_a_held_operand_is_kept():
    x, a = new(), new()
    with corepy.fuse():
        y = a * 2 + 1
        x += y
        assert_same(y, np.asarray(new() * 2 + 1))
    assert_same(x, np.asarray(new() * 3 + 1))


CALLERS = {
    "setitem": (operator.setitem, lambda x, t: (x, slice(None), t)),
    "iadd": (operator.iadd, lambda x, t: (x, t)),
    "method": (Tensor.__iadd__, lambda x, t: (x, t)),
    "starmap": (
        lambda *pair: list(itertools.starmap(operator.iadd, [pair])), lambda x, t: (x, t)
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLERS)
@pytest.mark.parametrize("looked_at_first", [False, True])
def test_operands_that_somebody_still_has(name, looked_at_first):
    """C code passes references that it does not count: the operand of one is not a temporary."""
    function, arguments = CALLERS[name]
    x, y, z = (xp.asarray(np.full(1000, value)) + 0.0 for value in (1.0, 2.0, 3.0))
    expected = np.full(1000, 6.0) if name == "setitem" else np.full(1000, 7.0)
    with corepy.fuse():
        pair = arguments(x, y * z)
        function(*pair)
        if looked_at_first:
            assert_same(pair[-1], np.full(1000, 6.0))
        x[:3] = 0.0
        y[...] = 5.0
        assert_same(pair[-1], np.full(1000, 6.0))
        pair[-1][0] = 8.0
        assert float(x[0]) == 0.0
    expected[:3] = 0.0
    assert_same(x, expected)


def test_numbers_of_deferred_arrays_are_as_in_numpy_scalars():
    x = corepy.ones(10**6)
    with corepy.fuse():
        y = x * 2
        assert is_deferred(y)
        assert type(y) is corepy.ndarray
        for number, cls in (
            (y.sum(), np.float64),
            (corepy.argmax(y), np.int64),
            (y[0], np.float64),
        ):
            assert type(number) is cls


# ---- a deferred tensor is on its device, and is taken for nothing else


def outcome(function, x):
    """The result of a call as an ndarray with its type, or the error."""
    try:
        result = function(x)
    except Exception as error:
        return type(error), str(error)
    return type(result), np.asarray(result).dtype, repr(np.asarray(result).tolist())


OUT_OF_RANGE = {
    "NaN into int64": ("int64", lambda: xp.sum(xp.full(500, xp.nan))),
    "300 into int8": ("int8", lambda: xp.max(xp.full(500, 300))),
    "-1 into uint8": ("uint8", lambda: xp.min(xp.full(500, -1))),
    "infinity into int32": ("int32", lambda: xp.sum(xp.full(500, xp.inf))),
}


@pytest.mark.parametrize("name", OUT_OF_RANGE)
@pytest.mark.parametrize("key", [0, slice(None), ..., (slice(0, 1),), [1]], ids=str)
def test_deferred_values_out_of_range_are_assigned_as_computed_ones(name, key):
    dtype, make = OUT_OF_RANGE[name]
    outcomes = []
    for fuse in (contextlib.nullcontext, corepy.fuse):
        x = xp.zeros(3, dtype=getattr(xp, dtype))
        with fuse():
            value = make()
            outcomes.append((outcome(lambda v, x=x: x.__setitem__(key, v), value), x.tolist()))
    assert outcomes[0] == outcomes[1]


UNUSUAL = [
    np.float16(1), np.longdouble(1), np.ma.array([1.0] * 4), np.ones(4, ">f8"), np.ones(4, object),
    decimal.Decimal("1.5"), fractions.Fraction(1, 3), datetime.timedelta(seconds=2),
]  # fmt: skip
ON_THE_DEVICE = {
    "fft": xp.fft.fft,
    "fftn": xp.fft.fftn,
    "fft2": np.fft.fft2,
    "rfft": xp.fft.rfft,
    "astype(None)": lambda x: corepy.asarray(x).astype(None),
    "astype(object)": lambda x: corepy.asarray(x).astype(object),
    "astype(float16)": lambda x: corepy.asarray(x).astype("e"),
    "index": lambda x: xp.arange(4)[xp.astype(xp.sum(x > 0), xp.int64)],
    **{f"x + {value!r}": lambda x, value=value: x + value for value in UNUSUAL},
    **{f"{value!r} * x": lambda x, value=value: value * x for value in UNUSUAL},
    **{f"sum * {value!r}": lambda x, value=value: xp.sum(x) * value for value in UNUSUAL},
}


@pytest.mark.parametrize("name", ON_THE_DEVICE)
def test_deferred_operands_are_taken_as_computed_ones(name):
    function = ON_THE_DEVICE[name]
    computed = outcome(function, xp.linspace(-1.0, 2.0, 4) * 1.0)
    with corepy.fuse():
        x = xp.linspace(-1.0, 2.0, 4) * 1.0
        assert is_deferred(x)
        assert x.device == "cpu"
        assert x.device is xp.ones(1).device
        assert outcome(function, x) == computed


def test_components_of_deferred_tensors_are_assigned():
    with corepy.fuse():
        z = xp.ones(5, dtype=xp.complex128) * 2
        assert is_deferred(z)
        z.imag = 5
        w = z * 2
        assert is_deferred(w)
        z.real = xp.arange(5.0)
    np.testing.assert_array_equal(z, np.arange(5) + 5j)
    np.testing.assert_array_equal(w, np.full(5, 4 + 10j))


class Reading:
    """An array whose conversion defers an operation on the tensor that it is assigned to."""

    def __init__(self, z):
        self.z = z

    def __array__(self, dtype=None, copy=None):
        self.kept = self.z + 1
        return np.zeros(self.z.shape)

    def __index__(self):
        self.kept = self.z + 1
        return 0


@pytest.mark.parametrize("key", [..., slice(None), (slice(None),), [0, 1, 2]], ids=str)
def test_what_converting_a_value_defers_sees_the_old_elements(key):
    z = xp.ones(3)
    value = Reading(z)
    with corepy.fuse():
        z[key] = value
    np.testing.assert_array_equal(value.kept, [2, 2, 2])
    np.testing.assert_array_equal(z, [0, 0, 0])


def test_what_converting_an_index_defers_sees_the_old_elements():
    z = xp.ones(3)
    index = Reading(z)
    with corepy.fuse():
        z[index] = 5
    np.testing.assert_array_equal(index.kept, [2, 2, 2])
    np.testing.assert_array_equal(z, [5, 1, 1])


@pytest.mark.parametrize("function", [xp.where, xp.clip])
def test_operands_that_were_computed_with_others(function):
    """The third operand is deferred, and has its elements, where an operation is computed alone."""
    x = xp.asarray(np.arange(6000.0), copy=True)
    first = x > 5 if function is xp.where else x
    with corepy.config(fusion=True, fusion_threshold="automatic"):
        for _ in range(12):  # from here on it is expected to be computed alone
            np.asarray(function(first, x, x))
        third = xp.sum(xp.ones((6000, 8)) * 2, axis=1)
        np.asarray(third + 1)
        np.asarray(function(first, x, x))
        np.asarray(function(first, x, x))
        found = function(first, x, third)
    assert_same(found, np.asarray(function(first, x, xp.asarray(np.full(6000, 16.0), copy=True))))


@pytest.mark.parametrize("shape", [(70, 5, 8), (3, 40, 2, 3), (17, 1, 6), (2, 3, 300)])
@pytest.mark.parametrize("codegen", [True, False])
def test_reductions_of_short_rows_of_several_axes(shape, codegen):
    """Rows of more than one axis are in one block."""
    rng = np.random.default_rng(0)
    for sides in ((0, 1), (1, 0), (1,), (0,), ()):
        sizes = [1 if axis in sides else size for axis, size in enumerate(shape)]
        x, y = xp.asarray(rng.normal(size=shape)), xp.asarray(rng.normal(size=sizes))

        def centred(x, y):
            z = (x - y) ** 2
            spread = xp.sum(z, axis=-1, keepdims=True)
            return z / spread, spread, xp.argmax(z, axis=-1), xp.max(x.T - y.T, axis=-1)

        expected = centred(x, y)
        with corepy.config(fusion_codegen=codegen), corepy.fuse():
            found = centred(x, y)
        for one, other in zip(found, expected, strict=True):
            assert_same(one, other)
            assert one.strides == other.strides
