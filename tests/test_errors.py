"""Bad input: the type of the error, its message, and that nothing has been written."""

import inspect
import math
import operator
import re

import numpy as np
import pytest
from standard import computing_functions
from strategies import assert_same

import corepy
import corepy.array_api as xp
from corepy import Tensor

OTHERS = [str(device) for device in corepy.available_devices() if device != "cpu"]
elsewhere = pytest.mark.parametrize("other", OTHERS)


def devices_error(function, first, second):
    return pytest.raises(
        ValueError, match=rf"^{function}: .*{first} and {second}.*to_device\('{first}'\).*convert"
    )


# ---- devices


@elsewhere
@pytest.mark.parametrize(
    ("function", "call"),
    [
        ("add", operator.add), ("equal", operator.eq), ("multiply", xp.multiply),
        ("matmul", lambda a, b: xp.matmul(xp.ones((2, 2)), b)),
        ("where", lambda a, b: xp.where(a > 0, b, 1.0)), ("concat", lambda a, b: xp.concat((a, b))),
        ("clip", lambda a, b: xp.clip(a, b, 5.0)),
        ("searchsorted", lambda a, b: xp.searchsorted(a, b)),
        ("take", lambda a, b: xp.take(a, xp.astype(b, xp.int64))),
    ],
)  # fmt: skip
def test_operands_on_different_devices(function, call, other):
    a, b = Tensor([1.0, 2.0]), Tensor([1.0, 2.0], device=other)
    with devices_error(function, "cpu", other):
        call(a, b)


@elsewhere
def test_inplace_and_assignment_across_devices_write_nothing(other):
    a, b = Tensor([1.0, 2.0]), Tensor([5.0, 6.0], device=other)
    with devices_error("add", "cpu", other):
        a += b
    with pytest.raises(ValueError, match=f"^setitem: .*cpu and {other}"):
        a[:] = b
    for x, key, devices in ((a, b > 0, f"cpu and {other}"), (b, a > 0, f"{other} and cpu")):
        with pytest.raises(ValueError, match=rf"^getitem: operands .*{devices}.*to_device"):
            x[key]
        with pytest.raises(ValueError, match=rf"^setitem: operands .*{devices}.*to_device"):
            x[key] = 1.0
    assert_same(a, np.asarray([1.0, 2.0]))
    with devices_error("add", other, "cpu"):
        b += a
    assert_same(b, np.asarray([5.0, 6.0]))


@elsewhere
def test_operands_are_moved_if_that_is_wanted(other):
    a, b = Tensor([1.0, 2.0]), Tensor([10.0, 20.0], device=other)
    with corepy.config(cross_device="convert"):
        assert (a + b).device == "cpu"
        assert (b + a).device == other
        assert_same(b + a, np.asarray([11.0, 22.0]))
        assert xp.concat((b, a)).device == other
        assert xp.where(a > 0, b, b).device == "cpu"
        assert_same(a[b > 15], np.asarray([2.0]))
        assert_same(b[a > 1], np.asarray([20.0]))
        a += b
    assert_same(a, np.asarray([11.0, 22.0]))
    with devices_error("add", "cpu", other):
        a + b


@pytest.mark.parametrize("name", ["gpus", "", "cpu:7", "CPU", "cuda:0:0", "reference:1", "ü"])
def test_unknown_device_lists_those_there_are(name):
    known = ".*".join(f"'{device}'" for device in corepy.available_devices())
    for function, call in (
        ("Tensor", lambda: Tensor([1], device=name)),
        ("to_device", lambda: Tensor([1]).to_device(name)),
        ("zeros", lambda: xp.zeros(3, device=name)),
        ("astype", lambda: xp.astype(Tensor([1]), xp.int8, device=name)),
        ("namespace", lambda: corepy.namespace(name)),
        ("from_dlpack", lambda: xp.from_dlpack(np.ones(1), device=name)),
        ("fft.fftfreq", lambda: xp.fft.fftfreq(3, device=name)),
        ("dtypes", lambda: xp.__array_namespace_info__().dtypes(device=name)),
    ):
        with pytest.raises(ValueError, match=f"^{function}: there is no device {name!r}.*{known}"):
            call()


@pytest.mark.parametrize(
    "value", [3, 1.5, b"cpu", ["cpu"], object()], ids=lambda x: type(x).__name__
)
def test_devices_of_another_type(value):
    with pytest.raises(TypeError, match=f"^zeros: device must be .*got {type(value).__name__}"):
        xp.zeros(3, device=value)
    with pytest.raises(TypeError, match=r"^to_device: device must be "):
        Tensor([1]).to_device(value)


def test_no_device():
    with pytest.raises(TypeError, match=r"^to_device: .*None"):
        Tensor([1]).to_device(None)


def test_streams(device):
    with pytest.raises(ValueError, match=f"^to_device: .*{device}.*stream=5"):
        Tensor([1], device=device).to_device(device, stream=5)


# ---- dtypes


@pytest.mark.parametrize(
    ("function", "args", "allowed"),
    [
        ("bitwise_and", ([1.5], [2.5]), "bool and integer dtypes"),
        ("bitwise_invert", ([1.5],), "bool and integer dtypes"),
        ("bitwise_left_shift", ([1.0], [True]), "bool and integer dtypes"),
        ("less", ([1j], [2j]), "bool and real-valued dtypes"),
        ("floor", ([1j],), "real-valued dtypes"),
        ("negative", ([True],), "numeric dtypes"),
        ("subtract", ([True], [True]), "numeric dtypes"),
        ("floor_divide", ([1j], [1j]), "bool and real-valued dtypes"),
        ("max", ([1j],), "bool and real-valued dtypes"),
        ("argmin", ([1j],), "bool and real-valued dtypes"),
        ("atan2", ([1j], [1j]), "bool and real-valued dtypes"),
    ],
)
def test_dtypes_that_an_operation_does_not_have(function, args, allowed, device):
    tensors = [Tensor(arg, device=device) for arg in args]
    message = rf"^{function}: dtype {tensors[0].dtype} is not supported; allowed: {allowed}"
    with pytest.raises(TypeError, match=message):
        getattr(xp, function)(*tensors)


@pytest.mark.parametrize("dtype", ["U5", object, "M8[s]", "no such", 3, [1], "longdouble"])
def test_unknown_dtypes(dtype):
    for function, call in (
        ("zeros", lambda: xp.zeros(3, dtype=dtype)),
        ("asarray", lambda: xp.asarray([1], dtype=dtype)),
        ("astype", lambda: xp.astype(xp.asarray([1]), dtype)),
        ("sum", lambda: xp.sum(xp.asarray([1]), dtype=dtype)),
        ("arange", lambda: xp.arange(3, dtype=dtype)),
    ):
        with pytest.raises(TypeError, match=f"^{function}: dtype .* allowed: bool, int8"):
            call()


@pytest.mark.parametrize(
    "value", [None, "text", object(), {1}, {"a": 1}], ids=lambda x: type(x).__name__
)
def test_objects_that_are_not_arrays(value):
    for name in ("sin", "sum", "reshape", "sort", "nonzero", "matmul"):
        function = getattr(xp, name)
        args = {"reshape": (value, (1,)), "matmul": (value, xp.ones(1))}.get(name, (value,))
        with pytest.raises(TypeError, match=f"^{name}: .*{type(value).__name__}"):
            function(*args)
    with pytest.raises(TypeError):
        Tensor(value)


def called(function, value):
    """Call a function with one value for all of its required arguments."""
    parameters = inspect.signature(function).parameters.values()
    required = [item for item in parameters if item.default is item.empty]
    inputs = [value for item in required if item.kind is not item.KEYWORD_ONLY]
    params = {item.name: 0 for item in required if item.kind is item.KEYWORD_ONLY}
    return function(*(inputs or [value]), **params)


FUNCTIONS = [
    pytest.param(function, f"(fft.|linalg.)?{name.rpartition('.')[2]}", id=name)
    for name, function in computing_functions().items()
]


@pytest.mark.parametrize(("function", "name"), FUNCTIONS)
def test_every_function_names_itself(function, name, device):
    for value in (object(), None, "text"):
        with pytest.raises((TypeError, AttributeError), match=f"^{name}: "):
            called(function, value)
    if function in (xp.zeros, xp.ones, xp.empty, xp.full, xp.eye, xp.arange, xp.linspace):
        return
    for dtype in ("bool", "int8", "uint64", "float32", "complex128"):
        for shape in ((), (0,), (3,), (2, 2), (2, 3), (0, 0), (2, 0, 2)):
            try:
                called(function, xp.ones(shape, dtype=dtype, device=device))
            except (TypeError, ValueError, IndexError) as error:
                assert re.match(f"{name}: ", str(error))


@pytest.mark.parametrize(
    "value", [[[1, 2], [3]], [1, [2]], ["a"], [None], [object()]], ids=range(5)
)
def test_ragged_and_foreign_sequences(value):
    for function in (Tensor, xp.asarray):
        with pytest.raises((ValueError, TypeError), match=f"^{function.__name__}: "):
            function(value)


def test_complex_numbers_do_not_become_real_ones(device):
    t = Tensor([1 + 1j], device=device)
    with pytest.raises(TypeError, match=r"^astype: complex.*real"):
        xp.astype(t, xp.float64)
    for value in (t, np.asarray([1j]), [1j], 1j):
        with pytest.raises(TypeError, match=r"^asarray: .*complex"):
            xp.asarray(value, dtype=xp.float64)
    real = xp.zeros(2, device=device)
    with pytest.raises(TypeError, match=r"^setitem: .*complex"):
        real[0] = 1j
    with pytest.warns(np.exceptions.ComplexWarning, match=r"^setitem: "):
        real[0] = t[0] * 0
    with pytest.raises(TypeError, match=r"^add: in-place.*complex128.*float64"):
        real += t
    assert_same(real, np.zeros(2))


@pytest.mark.parametrize(
    ("value", "dtype", "error"),
    [(1j, "float64", TypeError), (-1, "uint8", OverflowError), (300, "int8", OverflowError),
     (float("nan"), "int8", ValueError), (float("inf"), "int64", OverflowError),
     (2**63, None, OverflowError), (2**64, "uint64", OverflowError)],
)  # fmt: skip
def test_scalars_that_a_dtype_cannot_hold(value, dtype, error):
    with pytest.raises(error, match=r"^Tensor: "):
        Tensor(value, dtype=dtype)
    if dtype is not None:
        with pytest.raises(error, match=r"^asarray: "):
            xp.asarray([value], dtype=dtype)


# ---- shapes and axes


@pytest.mark.parametrize(
    ("function", "call"),
    [
        ("add", lambda x: x + x[0, ...][:2]),
        ("where", lambda x: xp.where(x > 0, x[:, :2], x)),
        ("matmul", lambda x: x @ x),
        ("concat", lambda x: xp.concat((x, x[:, :2]))),
        ("stack", lambda x: xp.stack((x, x[:, :2]))),
        ("reshape", lambda x: xp.reshape(x, (4,))),
        ("broadcast_to", lambda x: xp.broadcast_to(x, (3, 2))),
        ("squeeze", lambda x: xp.squeeze(x, axis=0)),
        ("matrix_transpose", lambda x: x[0, ...].mT),
        ("tensordot", lambda x: xp.tensordot(x, x, axes=1)),
        ("vecdot", lambda x: xp.vecdot(x, x[:, :2])),
        ("permute_dims", lambda x: xp.permute_dims(x, (0,))),
    ],
)
def test_shapes_that_do_not_fit(function, call, device):
    t = Tensor(np.arange(6.0).reshape(2, 3), device=device)
    with pytest.raises(ValueError, match=f"^{function}: "):
        call(t)


@pytest.mark.parametrize(
    ("function", "params"),
    [("sum", {}), ("sort", {}), ("argsort", {}), ("flip", {}), ("cumulative_sum", {}), ("diff", {}),
     ("all", {}), ("std", {}), ("squeeze", {}), ("count_nonzero", {}), ("argmax", {}),
     ("unstack", {})],
)  # fmt: skip
def test_axes_out_of_range(function, params, device):
    t = Tensor(np.ones((2, 3)), device=device)
    for axis in (2, -3):
        with pytest.raises(IndexError, match=f"^{function}: "):
            getattr(xp, function)(t, axis=axis, **params)


# ---- nothing is written when it raises

FAILURES = [
    (lambda t: operator.iadd(t, Tensor([1.0, 2.0])), ValueError),
    (lambda t: operator.iadd(t, xp.ones((2, 3))), ValueError),
    (lambda t: operator.imul(t, 2j), TypeError),
    (lambda t: operator.iand(t, 1), TypeError),
    (lambda t: operator.iadd(t, 10**400), OverflowError),
    (lambda t: operator.iadd(t, "text"), TypeError),
    (lambda t: operator.iadd(t, np.array(["a"] * 3)), TypeError),
    (lambda t: operator.setitem(t, slice(None), [1.0, 2.0]), ValueError),
    (lambda t: operator.setitem(t, 0, 1j), TypeError),
    (lambda t: operator.setitem(t, ..., object()), TypeError),
    (lambda t: operator.setitem(t, ..., "text"), ValueError),
    (lambda t: operator.setitem(t, 3, 1.0), IndexError),
    (lambda t: operator.setitem(t, Tensor([0, 1, 3]), 9.0), IndexError),
    (lambda t: operator.setitem(t, Tensor([True, True]), 9.0), IndexError),
    (lambda t: operator.setitem(t, Tensor([True, False, True]), [1.0, 2.0, 3.0]), ValueError),
    (lambda t: operator.setitem(t, ..., [[1.0], [2.0, 3.0]]), ValueError),
]
OF_INTEGERS = [
    (lambda t: operator.itruediv(t, 2), TypeError),
    (lambda t: operator.iadd(t, 1.5), TypeError),
    (lambda t: operator.iadd(t, 1000), OverflowError),
    (lambda t: operator.ipow(t, -1), ValueError),
    (lambda t: operator.iadd(t, Tensor([1.5] * 3)), TypeError),
    (lambda t: operator.setitem(t, slice(None), 1000), OverflowError),
    (lambda t: operator.setitem(t, Tensor([0, 1]), 1000), OverflowError),
]


@pytest.mark.parametrize(
    ("dtype", "call", "error"),
    [("float64", *row) for row in FAILURES] + [("int8", *row) for row in OF_INTEGERS],
)
def test_nothing_is_written_when_it_raises(dtype, call, error):
    t = Tensor([1, 2, 3], dtype=dtype)
    with pytest.raises(error):
        call(t)
    assert_same(t, np.asarray([1, 2, 3], dtype))


# ---- copies that were ruled out


def test_copies_that_were_ruled_out():
    t = Tensor([1.0, 2.0])
    strided = xp.reshape(xp.arange(6), (2, 3)).T
    for function, call in (
        ("asarray", lambda: xp.asarray([1, 2], copy=False)),
        ("asarray", lambda: xp.asarray(1.5, copy=False)),
        ("asarray", lambda: xp.asarray(t, dtype=xp.float32, copy=False)),
        ("reshape", lambda: xp.reshape(strided, (6,), copy=False)),
    ):
        with pytest.raises(ValueError, match=f"^{function}: .*copy=False"):
            call()


@pytest.mark.parametrize("other", [name for name in OTHERS if name != "torch:cpu"])
def test_moves_without_a_copy(other):
    for call in (
        lambda: xp.asarray(Tensor([1.0]), device=other, copy=False),
        lambda: xp.from_dlpack(np.ones(2), device=other, copy=False),
    ):
        with pytest.raises(ValueError, match="copy=False"):
            call()


# ---- every message begins with the name of the function that was called

MATRIX = np.array([[4.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 2.0]])
INTEGERS = np.arange(9).reshape(3, 3)

# Calls that are right, of the functions that one matrix for each required argument is wrong for.
CALLS = {
    "arange": ((3,), {}),
    "astype": ((MATRIX, "float32"), {}),
    "bitwise_invert": ((INTEGERS,), {}),
    "broadcast_shapes": (((3,), (2, 3)), {}),
    "broadcast_to": ((MATRIX, (2, 3, 3)), {}),
    "can_cast": (("int8", "int16"), {}),
    "concat": (((MATRIX, MATRIX),), {}),
    "cumulative_prod": ((MATRIX,), {"axis": 0}),
    "cumulative_sum": ((MATRIX,), {"axis": 0}),
    "empty": (((2, 3),), {}),
    "expand_dims": ((MATRIX, 0), {}),
    "eye": ((3,), {}),
    "fftfreq": ((4,), {}),
    "finfo": (("float64",), {}),
    "full": (((2,), 1.0), {}),
    "full_like": ((MATRIX, 1.0), {}),
    "iinfo": (("int8",), {}),
    "isdtype": (("int8", "integral"), {}),
    "linspace": ((0.0, 1.0, 3), {}),
    "matrix_power": ((MATRIX, 2), {}),
    "meshgrid": ((MATRIX[0], MATRIX[0]), {}),
    "moveaxis": ((MATRIX, 0, 1), {}),
    "ones": (((2, 3),), {}),
    "outer": ((MATRIX[0], MATRIX[0]), {}),
    "permute_dims": ((MATRIX, (1, 0)), {}),
    "repeat": ((MATRIX, 2), {}),
    "reshape": ((MATRIX, (9,)), {}),
    "rfftfreq": ((4,), {}),
    "roll": ((MATRIX, 1), {}),
    "searchsorted": ((MATRIX[2], MATRIX[0]), {"sorter": np.array([0, 1, 2])}),
    "squeeze": ((MATRIX[None], 0), {}),
    "stack": (((MATRIX, MATRIX),), {}),
    "take": ((MATRIX, np.array([0, 1])), {"axis": 0}),
    "take_along_axis": ((MATRIX, np.zeros((3, 1), int)), {}),
    "tensordot": ((MATRIX, MATRIX), {"axes": 1}),
    "tile": ((MATRIX, (2, 2)), {}),
    "zeros": (((2, 3),), {}),
    **{
        f"bitwise_{name}": ((INTEGERS, INTEGERS), {})
        for name in ("and", "or", "xor", "left_shift", "right_shift")
    },
}

BAD_SCALARS = [
    object(), None, "text", b"\1\2", 99, -99, 2**70, -(2**70), 1.5, math.nan, math.inf, 1j, True,
    [], (), [[1], [2, 3]], [object()], ["a"], [2**70], (0, 0), (0, 99), (1.5,), {}, {1}, "float16",
    slice(None), ..., len, (2**40, 2**40), (1,) * 70,
]  # fmt: skip
BAD_ARRAYS = [
    np.ones((2, 5)), np.ones(0), np.ones(()), np.full((3, 3), np.nan), np.zeros((3, 3)),
    np.ones((3, 3), complex), np.ones((3, 3), bool), np.array([7, -9, 0]),
    np.array(["a"]), np.array([object()]), np.ones((3, 3), "longdouble"),
]  # fmt: skip


def on_device(value, device):
    if isinstance(value, tuple):
        return tuple([on_device(item, device) for item in value])
    if (
        isinstance(value, np.ndarray)
        and value.dtype.kind in "biufc"
        and value.dtype != np.longdouble
    ):
        return xp.asarray(value, device=device, copy=True)
    return value


def right_call(name, function, device):
    """Arguments that a function takes, positional ones and others."""
    name = name.rpartition(".")[2]
    if name not in CALLS:
        required = [
            item for item in inspect.signature(function).parameters.values()
            if item.default is item.empty and item.kind is not item.KEYWORD_ONLY
        ]  # fmt: skip
        CALLS[name] = tuple([MATRIX] * len(required)), {}
    args, kwargs = CALLS[name]
    return on_device(args, device), {key: on_device(kwargs[key], device) for key in kwargs}


def wrong_calls(name, function, device):
    """Calls in which one argument is another than it should be."""
    args, kwargs = right_call(name, function, device)
    other = "cpu" if device != "cpu" else OTHERS[0] if OTHERS else "cpu"
    scalars = BAD_SCALARS
    arrays = [on_device(value, device) for value in BAD_ARRAYS]
    arrays.append(xp.ones((3, 3), device=other))
    for position in range(len(args)):
        for value in scalars + arrays:
            yield (*args[:position], value, *args[position + 1 :]), kwargs
    parameters = inspect.signature(function).parameters.values()
    for position, item in enumerate(parameters):
        if item.kind is item.KEYWORD_ONLY or (
            item.kind is item.POSITIONAL_OR_KEYWORD and position >= len(args)
        ):
            # A flag may be anything that has a truth value.
            values = scalars if isinstance(item.default, bool) else scalars + arrays
            for value in values:
                yield args, {**kwargs, item.name: value}


ERRORS = (
    TypeError, ValueError, IndexError, OverflowError, AttributeError, BufferError, MemoryError
)  # fmt: skip


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(("function", "name"), FUNCTIONS)
def test_every_message_begins_with_the_name_of_the_function(function, name, device):
    spelled = name.rpartition("?")[2]
    args, kwargs = right_call(spelled, function, device)
    function(*args, **kwargs)
    refused = 0
    for args, kwargs in wrong_calls(spelled, function, device):
        try:
            function(*args, **kwargs)
        except ERRORS as error:
            refused += 1
            without_name = isinstance(error, MemoryError) and "cannot allocate" in str(error)
            assert without_name or re.match(f"{name}: .", str(error)), (args, kwargs)
    assert refused > 5


def test_messages_of_operators_and_methods():
    x, small = Tensor([1.0, 2.0]), Tensor([1, 2], dtype="int8")
    square = xp.ones((2, 2))
    for name, error, call in (
        ("add", OverflowError, lambda: small + 300),
        ("add", OverflowError, lambda: 300 + small),
        ("add", OverflowError, lambda: operator.iadd(small, 300)),
        ("multiply", OverflowError, lambda: x * 10**400),
        ("pow", OverflowError, lambda: (10**400) ** x),
        ("where", OverflowError, lambda: xp.where(small > 1, small, 300)),
        ("bitwise_and", TypeError, lambda: x & x),
        ("add", ValueError, lambda: x + xp.ones(3)),
        ("matmul", ValueError, lambda: square @ xp.ones(3)),
        ("getitem", IndexError, lambda: x[2]),
        ("getitem", IndexError, lambda: x[10**5000]),
        ("getitem", IndexError, lambda: x[0, 0]),
        ("getitem", IndexError, lambda: x["a"]),
        ("getitem", IndexError, lambda: x[..., ...]),
        ("getitem", IndexError, lambda: x[Tensor([5])]),
        ("getitem", IndexError, lambda: x[[0, 1], [0, 1]]),
        ("getitem", IndexError, lambda: x[Tensor([True])]),
        ("getitem", TypeError, lambda: x["a":]),
        ("getitem", ValueError, lambda: x[::0]),
        ("getitem", ValueError, lambda: square[0, ::0]),
        ("setitem", IndexError, lambda: operator.setitem(x, 2, 0.0)),
        ("setitem", IndexError, lambda: operator.setitem(x, (0, 0), 0.0)),
        ("setitem", IndexError, lambda: operator.setitem(x, "a", 0.0)),
        ("setitem", IndexError, lambda: operator.setitem(x, Tensor([5]), 0.0)),
        ("setitem", IndexError, lambda: operator.setitem(x, Tensor([True]), 0.0)),
        ("setitem", ValueError, lambda: operator.setitem(x, slice(None, None, 0), 0.0)),
        ("setitem", ValueError, lambda: operator.setitem(x, ..., xp.ones(3))),
        ("setitem", OverflowError, lambda: operator.setitem(small, 0, 300)),
        ("setitem", OverflowError, lambda: operator.setitem(small, ..., 300)),
        ("setitem", OverflowError, lambda: operator.setitem(x, 0, 10**400)),
        ("setitem", TypeError, lambda: operator.setitem(x, 0, object())),
        ("setitem", ValueError, lambda: operator.setitem(x, 0, "text")),
        ("setitem", TypeError, lambda: operator.setitem(x, 0, 1j)),
        ("setitem", ValueError, lambda: operator.setitem(small, 0, math.nan)),
        ("delitem", TypeError, lambda: operator.delitem(x, 0)),
        ("bool", ValueError, lambda: bool(x)),
        ("int", TypeError, lambda: int(x)),
        ("int", TypeError, lambda: int(Tensor(1j))),
        ("float", TypeError, lambda: float(x)),
        ("complex", TypeError, lambda: complex(x)),
        ("index", TypeError, lambda: operator.index(x)),
        ("len", TypeError, lambda: len(Tensor(1))),
        ("iter", TypeError, lambda: iter(Tensor(1))),
        ("format", TypeError, lambda: format(x, ".3f")),
        ("item", ValueError, lambda: x.item()),
        ("to_device", ValueError, lambda: x.to_device("nowhere")),
        ("sum", IndexError, lambda: xp.sum(x, axis=3)),
        ("reshape", ValueError, lambda: xp.reshape(x, 5)),
        ("astype", TypeError, lambda: xp.astype(x, "text")),
        ("Tensor", TypeError, lambda: Tensor(object())),
        ("Tensor", OverflowError, lambda: Tensor([2**64])),
        ("Tensor", TypeError, lambda: Tensor(x, dtype="text")),
        ("Tensor", ValueError, lambda: Tensor([1], copy=False)),
        ("config", ValueError, lambda: corepy.config(cross_device="no")),
        ("memory.stats", ValueError, lambda: corepy.memory.stats("nowhere")),
        ("set_num_threads", ValueError, lambda: corepy.set_num_threads(0)),
        ("namespace", ValueError, lambda: corepy.namespace("nowhere")),
    ):
        with pytest.raises(error, match=f"^{name}: .") as raised:
            call()
        assert str(raised.value).count(f"{name}:") == 1
    assert_same(x, np.array([1.0, 2.0]))
    assert_same(small, np.array([1, 2], "int8"))


@pytest.mark.parametrize("value", [2**64, 2**70, -(2**63) - 1, 10**5000], ids=range(4))
@pytest.mark.parametrize("nest", [lambda x: [x], lambda x: [1, x], lambda x: ((1, 2), (3, x))])
def test_integers_that_no_dtype_can_hold(value, nest):
    with pytest.raises(OverflowError, match=r"^asarray: Python integer .* is out of range for"):
        xp.asarray(nest(value))
    with pytest.raises(TypeError, match=r"^asarray: .* is not a number"):
        xp.asarray([None, 2**64])


def test_bytes_are_printed_with_separators():
    kept = xp.zeros(10**6)
    with pytest.raises(MemoryError) as raised:
        xp.empty(2**50)
    text = r"cannot allocate 9,007,199,254,740,992 bytes for shape .* of dtype float64 "
    text += r"\(([\d,]+) bytes already in use\)"
    in_use = re.fullmatch(text, str(raised.value)).group(1)
    assert int(in_use.replace(",", "")) >= kept.nbytes


def test_arrays_that_memory_cannot_address():
    x = xp.ones(3)
    for name, call in (
        ("zeros", lambda: xp.zeros((2**40, 2**40))),
        ("empty", lambda: xp.empty((2**62, 0, 4))),
        ("full", lambda: xp.full((2**62,), 1.0)),
        ("eye", lambda: xp.eye(2**40)),
        ("linspace", lambda: xp.linspace(0, 1, 2**62)),
        ("tile", lambda: xp.tile(x, (2**40, 2**30))),
        ("broadcast_to", lambda: xp.broadcast_to(x, (2**40, 2**40, 3))),
        ("fft.fft", lambda: xp.fft.fft(x, n=2**62)),
        ("fft.fft", lambda: xp.fft.fft(x, n=2**70)),
        ("fft.fftn", lambda: xp.fft.fftn(xp.ones((2, 2)), s=(2**31, 2**31))),
    ):
        with pytest.raises(ValueError, match=f"^{name}: an array of shape .* is too big"):
            call()


def test_repetitions_that_memory_cannot_address(device):
    x = xp.ones((2, 4), device=device)
    many = xp.asarray([2**61, 2**61], device=device)
    for name, call in (
        ("tile", lambda: xp.tile(x, (8, 2**62))), ("tile", lambda: xp.tile(x, (2**62, 8, 0))),
        ("repeat", lambda: xp.repeat(x, 2**62)), ("repeat", lambda: xp.repeat(x, 2**62, axis=0)),
        ("repeat", lambda: xp.repeat(x, many, axis=0)),
        ("repeat", lambda: xp.repeat(x, xp.asarray([2**62], device=device))),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=f"^{name}: .* too "):
            call()


def test_what_does_not_converge_is_named(device):
    if device == "dask":
        pytest.skip("what depends on elements is raised when they are computed")
    x = xp.asarray(np.full((3, 3), np.nan), device=device)
    for name in ("svd", "svdvals", "pinv", "matrix_rank", "eigh"):
        reason = "Eigenvalues did not" if name == "eigh" else ""
        with pytest.raises(np.linalg.LinAlgError, match=f"^linalg.{name}: {reason}"):
            getattr(xp.linalg, name)(x)


def test_errors_of_other_code_whose_class_takes_other_arguments():
    class Undecodable:
        def __array__(self, dtype=None, copy=None):
            raise UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte")

    with pytest.raises(ValueError, match=r"^asarray: .*invalid start byte"):
        xp.asarray(Undecodable())
