"""Floating-point errors that `errstate` and `seterr` ask for, compared with NumPy's."""

import contextvars
import threading
import warnings

import numpy
import pytest

import corepy
import corepy as np

KINDS = ("divide", "over", "under", "invalid")
FLOATS = [0.0, 1.0, -1.0, 1e308, 1e-308, numpy.inf, numpy.nan]
CALLS = {
    "divide": lambda np, x: x / x[::-1],
    "by zero": lambda np, x: x / 0.0,
    "floor_divide": lambda np, x: np.floor_divide(x, x[::-1]),
    "integers": lambda np, x: np.asarray([1, 2]) // np.asarray([0, 1]),
    "multiply": lambda np, x: x * x,
    "square": lambda np, x: np.square(x),
    "exp": lambda np, x: np.exp(x),
    "log": lambda np, x: np.log(x),
    "sqrt": lambda np, x: np.sqrt(x),
    "add": lambda np, x: x + x,
    "subtract": lambda np, x: x - x,
    "sum": lambda np, x: np.sum(x[:5] * 1.0) + np.sum(np.asarray([1e308, 1e308])),
    "method": lambda np, x: np.asarray([numpy.inf, -numpy.inf]).sum(),
    "in place": lambda np, x: np.asarray([1.0, 2.0]).__itruediv__(0.0),
    "out": lambda np, x: np.divide(x, 0.0, out=np.zeros(7)),
    "float32": lambda np, x: np.asarray([1e38], dtype=np.float32) * 10,
    "complex": lambda np, x: np.asarray([1 + 1j]) / np.asarray([0j]),
    "astype": lambda np, x: x.astype("int64"),
    "astype float32": lambda np, x: np.asarray([1e300]).astype(np.float32),
    "assigned": lambda np, x: np.zeros(7, dtype=np.int32).__setitem__(slice(None), x),
    "assigned at": lambda np, x: np.zeros(9, dtype=np.int32).__setitem__([0, 2, 4, 6, 1, 3, 5], x),
    "matmul": lambda np, x: x[3:4] @ x[3:4].reshape(1, 1),
    "operator": lambda np, x: np.full((3, 3), 1e308) @ np.full((3, 3), 1e308),
    "vecdot": lambda np, x: np.vecdot(x, x),
    "cumsum": lambda np, x: np.cumsum(x),
    "method cumprod": lambda np, x: x.cumprod(),
    "accumulate": lambda np, x: np.add.accumulate(x),
    "trace": lambda np, x: np.trace(np.full((3, 3), 1e308)),
    "cross": lambda np, x: np.cross(x[:3], x[3:6]),
    "none": lambda np, x: np.abs(x),
}


def outcome(np, call, **settings):
    """Return what a call warns of or raises."""
    x = np.asarray(FLOATS)
    with warnings.catch_warnings(record=True) as found, np.errstate(**settings):
        warnings.simplefilter("always")
        try:
            CALLS[call](np, x)
        except FloatingPointError as error:
            return str(error)
    return sorted(str(warning.message) for warning in found)


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("treatment", ["raise", "warn", "ignore"])
def test_errors_are_treated_as_numpy(call, kind, treatment):
    settings = {**dict.fromkeys(KINDS, "ignore"), kind: treatment}
    expected = outcome(numpy, call, **settings)
    assert outcome(np, call, **settings) == expected
    with corepy.config(fusion=True, fusion_threshold=0):
        assert outcome(np, call, **settings) == expected


def test_errors_are_ignored_from_the_start():
    assert np.geterr() == dict.fromkeys(KINDS, "ignore")
    assert outcome(np, "divide") == []


def test_nothing_is_written_where_an_error_is_raised():
    x = np.asarray([1.0, 0.0])
    with np.errstate(divide="raise"), pytest.raises(FloatingPointError, match="divide by zero"):
        x /= 0.0
    assert x.tolist() == [1.0, 0.0]


def test_seterr_returns_what_restores_it():
    old = np.seterr(over="raise")
    try:
        assert np.geterr() == {**old, "over": "raise"}
        with pytest.raises(FloatingPointError, match="overflow encountered in exp"):
            np.exp(np.asarray([1000.0]))
        with np.errstate(all="ignore"):
            assert np.exp(np.asarray(1000.0)) == numpy.inf
    finally:
        assert np.seterr(**old) == {**old, "over": "raise"}
    assert np.geterr() == old
    assert np.exp(np.asarray(1000.0)) == numpy.inf
    with pytest.raises(ValueError):
        np.seterr(over="shout")
    assert np.geterr() == old


def test_a_function_is_decorated():
    @np.errstate(invalid="raise")
    def root(x):
        return np.sqrt(x)

    for _ in range(2):
        with pytest.raises(FloatingPointError, match="invalid value encountered in sqrt"):
            root(np.asarray(-1.0))
    assert np.isnan(np.sqrt(np.asarray(-1.0)))


def test_a_function_is_called():
    calls = []
    with np.errstate(divide="call", call=lambda *given: calls.append(given)):
        np.asarray([1.0]) / 0.0
    assert calls == [("divide by zero", 1)]


def test_contexts_that_are_copied():
    """A context that inherits a treatment and ends it does not end it in others."""
    x = np.zeros(3)
    for treatment in ("ignore", "raise"):
        with np.errstate(all="raise"):
            contextvars.copy_context().run(lambda: np.seterr(all=treatment))  # noqa: B023
            for _ in range(2):
                with pytest.raises(FloatingPointError):
                    x / x
                contextvars.copy_context().run(np.seterr, "ignore")
    with np.errstate(all="raise"), pytest.raises(FloatingPointError):
        x / x
    assert np.isnan(x / x).all()


def test_conversions_are_checked():
    x = np.asarray([np.nan, 1.0])
    with np.errstate(invalid="raise"):
        for call in (lambda: np.asarray(x, dtype="int32"), lambda: np.array(x, dtype="int8")):
            with pytest.raises(FloatingPointError, match="cast"):
                call()
    assert np.asarray(x, dtype="int32")[1] == 1


def test_other_threads_ignore_errors():
    found = []
    with np.errstate(all="raise"):
        thread = threading.Thread(target=lambda: found.append(outcome(np, "divide")))
        thread.start()
        thread.join()
    assert found == [[]]


def test_the_state_from_the_start_can_be_restored():
    before = numpy.geterr()
    assert before["divide"] == "warn"
    ignored = dict.fromkeys(KINDS, "ignore")
    assert np.geterr() == ignored
    for settings in ({"invalid": "ignore"}, {"all": "raise"}, {"divide": "warn", "over": "raise"}):
        old = np.seterr(**settings)
        with np.errstate(**ignored):
            assert numpy.geterr() == ignored
            np.seterr(**old)
            assert numpy.geterr() == before
        np.seterr(**old)
        assert numpy.geterr() == before and np.geterr() == old == ignored
        with np.errstate(**old):
            assert numpy.geterr() == before and np.geterr() == ignored
        with pytest.warns(RuntimeWarning, match="divide"):
            numpy.float64(1) / numpy.float64(0)
    with numpy.errstate(), np.errstate():
        for settings in ({"all": "ignore"}, ignored):
            np.seterr(**settings)
            assert numpy.geterr() == ignored
            np.seterr(**np.seterr(divide="raise"))
            assert numpy.geterr() == ignored
        numpy.seterr(all="raise")
        np.seterr(**np.seterr(divide="warn"))
        assert set(numpy.geterr().values()) == {"raise"}
        with pytest.raises(ValueError, match="bad"):
            np.seterr(all="bad")
        assert set(numpy.geterr().values()) == {"raise"}
    assert numpy.geterr() == before and np.geterr() == ignored
