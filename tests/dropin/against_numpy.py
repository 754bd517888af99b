"""Results of the drop-in's own functions, compared with NumPy's."""

import warnings

import numpy as np
import pytest

import corepy
from corepy.numpy._names import of_numpy

DTYPES = "? b B i l L f d D".split()
SHAPES = [(), (0,), (1,), (7,), (2, 3), (0, 3), (3, 3), (2, 3, 4)]
REFUSED = (TypeError, ValueError, IndexError, ArithmeticError)
SPECIAL = [0.0, -0.0, np.nan, np.inf, -np.inf, 1.0, -2.5, 1e-300, 1e300]


def samples(shape, dtype, seed=0):
    """Make an ndarray of small numbers."""
    rng = np.random.default_rng(seed)
    values = rng.integers(0 if np.dtype(dtype).kind in "uL?" else -5, 6, shape)
    if np.dtype(dtype).kind in "fc":
        values = values * 0.75
    if np.dtype(dtype).kind == "c":
        values = values + 1j * np.flip(values) / 2
    return np.asarray(values).astype(dtype)


def layouts(array):
    """Yield an array, then with other strides."""
    yield array
    if array.ndim:
        yield np.repeat(array, 2, axis=-1)[..., ::2]
        yield array[::-1]
    if array.ndim > 1:
        yield np.asfortranarray(array)


def as_tensors(value):
    if isinstance(value, np.ndarray):
        # The same strides: a view of the ndarray's memory.
        return corepy.asarray(value)
    if type(value) in (list, tuple):
        return type(value)(as_tensors(item) for item in value)
    return value


def compare(got, expected, ulps=8, call="", sums=True):
    """Assert that a result is NumPy's: kind of object, shape, dtype and values.

    `sums`: each value may differ by some ulps of the largest, as sums of other order do.
    """
    if isinstance(expected, (list, tuple)):
        assert isinstance(got, (list, tuple)) and len(got) == len(expected), call
        for one, other in zip(got, expected, strict=True):
            compare(one, other, ulps, call, sums)
        return
    if not isinstance(expected, (np.ndarray, np.generic)):
        assert type(got) is type(expected) and got == expected, call
        return
    wanted = type(expected)
    if wanted is np.ndarray:
        wanted = corepy.ndarray
    assert type(got) is wanted, (call, type(got), wanted)
    expected = np.asarray(expected)
    array = np.asarray(got)
    assert array.shape == expected.shape, (call, array.shape, expected.shape)
    assert array.dtype == expected.dtype, (call, array.dtype, expected.dtype)
    if expected.dtype.kind in "fc":
        eps = np.finfo(expected.dtype).eps
        scale = np.abs(expected[np.isfinite(expected)]).max(initial=0.0) if sums else 0.0
        np.testing.assert_allclose(
            array, expected, rtol=ulps * eps, atol=ulps * eps * float(scale) / 4, err_msg=call
        )
    else:
        np.testing.assert_array_equal(array, expected, err_msg=call)


def assert_same(got, expected, ulp=0):
    """Assert that a result is NumPy's, each value within some ulps."""
    compare(got, expected, ulp, sums=False)


def check(own, theirs, *args, ulps=8, own_only=False, sums=True, **kwargs):
    """Compare a call of the drop-in with NumPy's; return whether NumPy did not compute it.

    A call that NumPy refuses must be refused. `own_only`: a call that NumPy takes must be computed
    by Corepy.
    """
    call = f"{theirs.__name__}{args!r}{kwargs!r}"
    function = of_numpy(theirs)
    tensors = [as_tensors(value) for value in args]
    named = {name: as_tensors(value) for name, value in kwargs.items()}
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            expected = theirs(*args, **kwargs)
        except Exception as error:
            with pytest.raises(REFUSED):
                raise AssertionError(
                    f"{call}: {function(*tensors, **named)!r}, not {error!r}"
                ) from None
            return False
        taken = function.route(*tensors, **named) is not None
        got = function(*tensors, **named)
    assert taken or not own_only, call
    compare(got, expected, ulps, call, sums)
    return taken
