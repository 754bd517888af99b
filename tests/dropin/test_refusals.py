"""Calls that NumPy's functions end the process for, or take hours, and `flat` in a new process."""

import operator

import numpy
import pytest
from running import output_of

import corepy as np
from corepy.numpy import _refusals

OUT = "out must have the shape of the result"


class Changing:
    """An integer that is another one each time."""

    def __init__(self, *values):
        self.values = list(values)

    def __index__(self):
        return self.values.pop(0) if len(self.values) > 1 else self.values[0]

    __int__ = __index__


@pytest.mark.parametrize(
    "call",
    [
        lambda x: x.repeat(2**62),
        lambda x: np.repeat(x, 2**62),
        lambda x: np.repeat(x, [2**62, 1, 1, 2**62]),
        lambda x: np.repeat(numpy.ones((4, 4)), 2**60, axis=1),
        lambda x: np.repeat(x, axis=0, repeats=numpy.uint64(2**62)),
    ],
)
def test_repeated_too_often(call):
    with pytest.raises((ValueError, OverflowError, TypeError), match=r"repeat|Cannot cast"):
        call(np.ones(4))


def test_repeats_are_converted_once():
    assert np.repeat(np.ones(4), Changing(2, 2**62)).shape == (8,)
    assert np.ones(4).repeat(Changing(2, 2**62)).shape == (8,)


@pytest.mark.parametrize(
    "call",
    [
        lambda x, out: np.cumsum(x, out=out),
        lambda x, out: np.cumsum(x, None, None, out),
        lambda x, out: x.cumsum(out=out),
        lambda x, out: x.cumprod(out=out),
        lambda x, out: np.nancumsum(x, out=out),
        lambda x, out: np.cumulative_sum(x, out=out),
        lambda x, out: np.add.accumulate(x, out=out),
        lambda x, out: np.add.accumulate(x, out=(out,)),
        lambda x, out: np.maximum.accumulate(x, 0, None, out),
        lambda x, out: numpy.subtract.accumulate(x, out=out),
        lambda x, out: np.subtract.accumulate(x, out=out),
    ],
)
def test_scans_into_no_axes(call):
    with pytest.raises(ValueError, match=OUT):
        call(np.ones(4), np.asarray(0.0))
    out = np.zeros(4)
    call(np.ones(4), out)  # what is right is computed


@pytest.mark.parametrize("ufunc", ["add", "subtract", "negative"])
def test_indices_of_many_axes(ufunc):
    at = getattr(np, ufunc).at
    more = () if ufunc == "negative" else (1,)
    for x, key in [
        (np.ones(4), (None,) * 63 + (0,)),
        (np.ones((1,) * 64), (slice(None),) * 64),
        (np.ones((1,) * 33), 0),
        (np.ones((2, 2)), (np.zeros((1,) * 63, dtype=int),)),
        (np.ones(2), numpy.zeros((1,) * 33, int)),
        # A bool takes no axis, and adds one.
        (np.ones((1,) * 32), True),
        (np.ones(4), (None,) * 31 + (True,)),
        (np.ones(4), (numpy.True_,) + (None,) * 32),
        (np.ones((1,) * 31), (True, None)),
    ]:
        with pytest.raises(ValueError, match="at most 32 axes"):
            at(x, key, *more)
    x = np.ones((1,) * 32)
    at(x, (slice(None),) * 32, *more)
    assert x.ravel()[0] == {"add": 2, "subtract": 0, "negative": -1}[ufunc]
    x = np.ones((3, 2))
    for key in (Changing(1), (Changing(1), True), (Changing(1), numpy.int8(1))):
        expected = numpy.asarray(x.copy())
        getattr(numpy, ufunc).at(expected, key, *more)
        at(x, key, *more)
        assert x.tolist() == expected.tolist()


@pytest.mark.parametrize("name", ["take", "choose", "ravel_multi_index"])
@pytest.mark.parametrize("mode", [3, -1, 99, numpy.int64(5)])
def test_modes_of_functions_that_read(name, mode):
    places = np.asarray([0])
    args = {
        "take": (np.ones(3), places, None, np.zeros(1)),
        "choose": (places, [np.ones(1)], np.zeros(1)),
        "ravel_multi_index": ((places,), (3,)),
    }[name]
    message = rf"^{name}: mode must be 'raise', 'wrap' or 'clip'"
    with pytest.raises(ValueError, match=message):
        getattr(np, name)(*args, mode)
    with pytest.raises(ValueError, match=message):
        getattr(np, name)(*args, mode=mode)
    if name != "ravel_multi_index":
        with pytest.raises(ValueError, match=message):
            getattr(args[0], name)(*args[1:], mode=mode)
        assert args[-1].tolist() == [0.0]  # nothing was written


def test_the_protocol_called_by_name_refuses_too():
    x = np.ones(4)
    with pytest.raises(ValueError, match="too many for an array"):
        x.__array_function__(numpy.repeat, (type(x),), (numpy.ones(4), 2**62), {})


@pytest.mark.parametrize("name", ["equal", "not_equal", "less", "less_equal", "greater"])
@pytest.mark.parametrize("number", [-(2**63), -1, 1, 256, 2**70])
def test_a_mask_that_is_no_array_of_bools_beside_a_number(name, number):
    """NumPy ends the process if the number is beyond the dtype."""
    x, own = np.array([1, 2], dtype="uint8"), getattr(np, name)
    for operands in ((x, number), (number, x), ([1, 2], number)):
        expected = numpy.asarray(own(*operands))
        for function in (own, getattr(numpy, name)):  # NumPy's calls the protocol of `out`
            out = np.zeros(2, dtype=bool)
            assert function(*operands, where=..., out=out) is out
            numpy.testing.assert_array_equal(numpy.asarray(out), expected)


def test_operands_whose_wrap_raises():
    output_of("""
import numpy, corepy as np

class Wrapped:
    def __array__(self, dtype=None, copy=None):
        return numpy.ones(3)

    def __array_wrap__(self, *args, **kwargs):
        raise KeyError("wrap")

for call in (np.add, np.fmod, np.hypot, np.float_power, np.divmod, np.copysign):
    for operands in ((np.ones(3), Wrapped()), (Wrapped(), np.ones(3)), (Wrapped(), 2)):
        try:
            call(*operands)
        except KeyError:
            pass
for call in (np.sum, np.cumsum, np.cbrt, np.round, np.add.reduce):
    try:
        call(Wrapped())
    except KeyError:
        pass
""")


@pytest.mark.parametrize("mode", [3, -1, 99, numpy.int64(5)])
def test_modes_that_are_integers_without_a_meaning(mode):
    x = np.arange(3.0)
    for call in (np.put, lambda *args, **kwargs: args[0].put(*args[1:], **kwargs)):
        for args, kwargs in (((), {"mode": mode}), ((mode,), {})):
            with pytest.raises(ValueError, match=r"^put: mode must be 'raise', 'wrap' or 'clip'"):
                call(x, [0], [5.0], *args, **kwargs)
    np.put(x, [4], [5.0], mode=1)
    assert x.tolist() == [0.0, 5.0, 2.0]


def test_other_calls_have_no_check():
    assert "sum" not in _refusals.REFUSALS


@pytest.mark.parametrize(
    "call",
    [
        lambda x, many: setattr(x, "shape", many),
        lambda x, many: x.reshape(many),
        lambda x, many: x.resize(many),
        lambda x, many: np.array_split(x, 2**100),
        lambda x, many: np.array_split(x, 2**50),
        lambda x, many: np.pad(x, many),
        lambda x, many: np.tensordot(x, x, axes=(many, many)),
        lambda x, many: np.unravel_index(3, many),
        lambda x, many: np.array_api.zeros(many),
        lambda x, many: np.array_api.sum(x, axis=many),
        lambda x, many: np.array_api.permute_dims(x, many),
        lambda x, many: np.array_api.flip(x, axis=many),
        lambda x, many: np.array_api.expand_dims(x, axis=many),
        lambda x, many: np.array_api.broadcast_to(x, many),
        lambda x, many: np.array_api.roll(x, many),
        lambda x, many: np.array_api.tile(x, many),
        lambda x, many: np.array_api.fft.fftn(x, s=many),
        lambda x, many: np.array_api.fft.fftn(x, axes=many),
    ],
)
def test_long_sequences_are_not_read(call):
    with pytest.raises((TypeError, ValueError, OverflowError, MemoryError)):
        call(np.ones(4), range(2**50))


@pytest.mark.parametrize("value", [5.0, None, numpy.float16(2), "3", [1, 2], True])
def test_flat_of_a_new_process_is_set(value):
    program = f"""
        import numpy, corepy
        a, b = numpy.ones((2, 2)), corepy.ones((2, 2))
        a.flat = b.flat = {value!r}
        numpy.testing.assert_array_equal(a, b)
        a.flat[1:3] = b.flat[1:3] = {value!r}
        numpy.testing.assert_array_equal(a, b)
        print("equal")
    """.replace("np.float16", "numpy.float16")
    assert output_of("\n".join(map(str.strip, program.splitlines()))).strip() == "equal"


@pytest.mark.parametrize("value", ["text", object(), [[1], [2, 3]], {}])
def test_errors_of_flat(value):
    x = np.ones(4)
    for write in (
        lambda: setattr(x, "flat", value),
        lambda: operator.setitem(x.flat, 0, value),
        lambda: operator.setitem(x.flat, slice(None), value),
    ):
        with pytest.raises((TypeError, ValueError), match=r"^flat: .+"):
            write()
    numpy.testing.assert_array_equal(x, numpy.ones(4))
