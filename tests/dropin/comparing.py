"""Calls of the drop-in's own functions, compared with NumPy's."""

import numpy as np
import pytest

import corepy
from corepy import Tensor
from corepy.numpy._names import of_numpy

REFUSED = (TypeError, ValueError, IndexError, ArithmeticError, AttributeError)

TENSORS = "?bhilqBHILQefdFD"  # what a Tensor holds
DTYPES = ("?", "i1", "u1", "i4", "i8", "u8", "f4", "f8", "c16")
SHAPES = ((), (0,), (1,), (5,), (3, 4), (1, 4), (0, 3), (2, 3, 4), (2, 1, 3))
_SPECIAL = (np.nan, np.inf, -np.inf, -0.0, 0.0, 1.5)


def array(shape, dtype, seed=0, layout="C"):
    """An array of numbers, NaN, infinities, zeros and extremes among them."""
    rng = np.random.default_rng(seed)
    dtype = np.dtype(dtype)
    if layout == "steps":  # every second element, backwards
        shape = tuple(2 * n for n in shape)
    if dtype.kind == "b":
        x = rng.integers(0, 2, shape).astype(bool)
    elif dtype.kind in "iu":
        x = rng.integers(-3 if dtype.kind == "i" else 0, 4, shape).astype(dtype)
        extremes = rng.random(shape) < 0.1
        x = np.where(extremes, np.iinfo(dtype).max, x).astype(dtype)
    else:
        x = rng.normal(size=shape)
        special = rng.random(shape) < 0.2
        x = np.where(special, rng.choice(_SPECIAL, shape), x).astype(dtype)
        if dtype.kind == "c":
            x = x + np.asarray(1j * rng.normal(size=shape)).astype(dtype)
    x = np.asarray(x, dtype=dtype)
    if layout == "F":
        x = np.asfortranarray(x) if x.ndim else x
    elif layout == "steps":
        x = x[(slice(None, None, -2),) * x.ndim]
    return np.asarray(x)


def arrays(shapes=SHAPES, dtypes=DTYPES, layouts=("C", "F", "steps")):
    """Arrays of all shapes and dtypes, each in one of the layouts."""
    seed = 0
    for shape in shapes:
        for dtype in dtypes:
            seed += 1
            yield array(shape, dtype, seed, layouts[seed % len(layouts)])


def as_tensors(value):
    """Arguments with tensors over the memory of arrays."""
    if isinstance(value, np.ndarray):
        return corepy.asarray(value) if value.dtype.char in TENSORS else value
    if isinstance(value, (list, tuple)):
        return type(value)([as_tensors(item) for item in value])
    return value


def copied(value):
    if isinstance(value, np.ndarray):
        base = value
        while isinstance(base.base, np.ndarray):
            base = base.base
        twin = base.copy(order="K")
        # A view of the copy with the layout of the original.
        offset = value.__array_interface__["data"][0] - base.__array_interface__["data"][0]
        return np.ndarray(value.shape, value.dtype, twin, offset, value.strides)
    if isinstance(value, (list, tuple)):
        return type(value)([copied(item) for item in value])
    return value


def is_same(ours, theirs, rtol=0.0):
    """Whether a result has the kind, dtype, shape and elements of NumPy's."""
    if isinstance(theirs, (list, tuple)):
        return (
            type(ours) is type(theirs)
            and len(ours) == len(theirs)
            and all(is_same(a, b, rtol) for a, b in zip(ours, theirs, strict=True))
        )
    if not isinstance(theirs, (np.ndarray, np.generic)):
        return type(ours) is type(theirs) and (ours == theirs or theirs != theirs)
    if theirs.dtype.char not in TENSORS or not theirs.dtype.isnative:
        return type(ours) is type(theirs) and ours.dtype == theirs.dtype
    wanted = type(theirs) if isinstance(theirs, np.generic) else corepy.ndarray
    if type(ours) is not wanted or ours.dtype != theirs.dtype or ours.shape != theirs.shape:
        return False
    ours = np.asarray(ours)
    if not rtol or theirs.dtype.kind not in "fc":
        if not np.array_equal(ours, theirs, equal_nan=theirs.dtype.kind in "fc"):
            return False
        return theirs.dtype.kind != "f" or np.array_equal(
            np.signbit(ours[~np.isnan(ours)]), np.signbit(theirs[~np.isnan(theirs)])
        )
    if theirs.dtype.char in "fF":
        rtol = max(rtol, 3e-7)
    with np.errstate(all="ignore"):
        return np.allclose(ours, theirs, rtol=rtol, atol=0, equal_nan=True)


def _parts(value):
    if isinstance(value, (list, tuple)):
        return [part for item in value for part in _parts(item)]
    return [np.asarray(value)] if isinstance(value, (np.ndarray, np.generic, Tensor)) else []


def _shares(results, arguments):
    return [np.shares_memory(a, b) for a in _parts(results) for b in _parts(arguments)]


def check(function, theirs, *args, own=True, rtol=0.0, views=True, **kwargs):
    """Compare a call of the drop-in with NumPy's; return whether NumPy did not compute it.

    With `own`, it must not have. Where NumPy raises, the drop-in must raise.
    """
    for_numpy = copied(args)
    for_us = as_tensors(copied(args))
    names = {name: as_tensors(copied(value)) for name, value in kwargs.items()}
    about = f"{function.__name__}{args} {kwargs}"
    function = of_numpy(theirs) if getattr(np, theirs.__name__, None) is theirs else function
    with np.errstate(all="ignore"):
        try:
            expected = theirs(*for_numpy, **{k: copied(v) for k, v in kwargs.items()})
        except Exception as error:
            with pytest.raises(REFUSED):
                raise AssertionError(
                    f"{about}: {function(*for_us, **names)!r}, not {error!r}"
                ) from None
            return False
        taken = not hasattr(function, "route") or function.route(*for_us, **names) is not None
        result = function(*for_us, **names)
    assert taken or not own, f"not taken: {about}"
    assert is_same(result, expected, rtol), f"{about}\n{expected!r} in NumPy\n{result!r} here"
    for ours, theirs in zip(_parts(for_us), _parts(for_numpy), strict=True):
        assert ours.dtype.char not in TENSORS or is_same(corepy.asarray(ours), theirs), (
            f"{about}: arguments differ afterwards"
        )
    if views:
        assert _shares(result, for_us) == _shares(expected, for_numpy), f"{about}: views differ"
    return taken
