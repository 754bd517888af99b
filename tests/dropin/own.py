"""Calls of the drop-in's own functions and of NumPy's, compared."""

import contextlib
import inspect
import warnings

import numpy as np
import pytest

import corepy


def arrays(dtype, shapes=((0,), (1,), (7,), (40,), (), (4, 5), (3, 0), (2, 3, 4)), nan=False):
    """Arrays of a dtype in some shapes and layouts, with extremes and, if wanted, NaN."""
    draw = np.random.default_rng(7)
    dtype = np.dtype(dtype)
    for shape in shapes:
        if dtype.kind in "iu":
            info = np.iinfo(dtype)
            x = draw.integers(max(info.min, -9), 9, shape).astype(dtype)
            if x.size > 5:
                x.flat[1], x.flat[3] = info.min, info.max
        else:
            x = np.round(draw.normal(size=shape) * 3, 1)
            if dtype.kind == "c":
                x = x + 1j * np.flip(x)
            elif dtype.kind == "b":
                x = x > 0
            x = np.asarray(x).astype(dtype)
            if dtype.kind == "f" and x.size > 5:
                x.flat[2], x.flat[4] = -0.0, 0.0
        if nan and dtype.kind in "fc" and x.size > 3:
            x.flat[3] = x.flat[-1] = np.nan
        yield x
        if x.ndim:
            yield x[::-1]
            yield np.repeat(x, 2, axis=-1)[..., ::2]
        if x.ndim > 1:
            yield x.T


def to_tensors(value):
    if isinstance(value, np.ndarray):
        copy = np.array(value)  # of its strides where possible
        if value.ndim and value.size and (value.strides != copy.strides):
            wide = np.repeat(copy, 2, axis=-1)
            return corepy.asarray(wide)[..., ::2]
        return corepy.asarray(copy)
    if type(value) in (list, tuple):
        return type(value)(to_tensors(item) for item in value)
    return value


def assert_same(result, expected, tolerance, what):
    if isinstance(expected, tuple):
        assert len(result) == len(expected), what
        for one, other in zip(result, expected, strict=True):
            assert_same(one, other, tolerance, what)
        return
    if expected is None:
        assert result is None, what
        return
    wanted = type(expected) if isinstance(expected, np.generic) else corepy.ndarray
    assert type(result) is wanted, (what, type(result))
    expected = np.asarray(expected)
    assert result.dtype == expected.dtype, (what, result.dtype, expected.dtype)
    assert result.shape == expected.shape, (what, result.shape, expected.shape)
    if tolerance and expected.dtype.kind in "fc":
        step = 40 * np.finfo(expected.dtype).eps
        np.testing.assert_allclose(
            np.asarray(result), expected, rtol=step, atol=step, err_msg=str(what)
        )
    else:
        np.testing.assert_array_equal(np.asarray(result), expected, err_msg=str(what))


@contextlib.contextmanager
def quiet():
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


def check(module, name, *args, own=True, tolerance=False, writes=None, **kwargs):
    """Compare a call of the drop-in with NumPy's; return whether NumPy did not compute it.

    With `own`, it must not have. What NumPy refuses is refused. `writes` is the number of the
    argument that the function writes to.
    """
    what = (name, args, kwargs)
    function = getattr(corepy, name)
    tensors = to_tensors(args)
    named = {key: to_tensors(value) for key, value in kwargs.items()}
    args = tuple(np.array(a) if k == writes else a for k, a in enumerate(args))
    with quiet():
        try:
            expected = getattr(np, name)(*args, **kwargs)
        except Exception as error:
            with pytest.raises((TypeError, ValueError, IndexError, ArithmeticError)):
                raise AssertionError(
                    f"{what}: {function(*tensors, **named)!r}, not {error!r}"
                ) from None
            return False
        taken = function.route(*tensors, **named) is not None
        result = function(*tensors, **named)
    assert taken or not own, what
    assert_same(result, expected, tolerance, what)
    if writes is not None:
        np.testing.assert_array_equal(np.asarray(tensors[writes]), args[writes], err_msg=str(what))
    return taken


def same_signature(module, names=None):
    """Assert that functions have the signatures of NumPy's.

    Where NumPy's default says that an argument is not given, Corepy's may be the value that it
    stands for.
    """
    for name in names or module.__all__:
        own = inspect.signature(getattr(module, name)).parameters.values()
        theirs = inspect.signature(getattr(np, name)).parameters
        own = [p for p in own if p.name in theirs or p.name != "descending"]  # of NumPy 2.5
        theirs = theirs.values()
        assert [(p.name, p.kind) for p in own] == [(p.name, p.kind) for p in theirs], name
        for parameter, other in zip(own, theirs, strict=True):
            assert parameter.default is other.default or other.default in (
                parameter.default,
                np._NoValue,
            ), name
