"""Calls on a device and on the CPU whose results, errors and writes to arguments must agree."""

from __future__ import annotations

import contextlib
import functools
import re
from typing import Any

import numpy as np

import corepy
import corepy.array_api as cpu

ERRORS = (TypeError, ValueError, IndexError, OverflowError)
#: What messages of an error have in common: the function, and an index that is out of bounds.
SAID = re.compile(r"^[\w.]+(?=:)|index -?\d+ is out of bounds.*")


def numbers(dtype: Any, *shape: int, seed: int = 0, limit: int = 100) -> np.ndarray:
    """Return small integers in any dtype, so that sums and products of a few are exact."""
    values = np.random.default_rng(seed).integers(0, 2 if dtype == "bool" else limit, shape)
    return np.asarray(values).astype(dtype)


def to_numpy(x: Any) -> np.ndarray:
    return np.asarray(x.to_device("cpu"))


def components(x: np.ndarray) -> np.ndarray:
    """Return a complex array as a real one; others unchanged."""
    return np.stack([x.real, x.imag], axis=-1) if x.dtype.kind == "c" else x


def assert_equal(actual: Any, expected: Any, *, ulp: float = 0, error: float = 0,
                 signs: bool = True, modulus: bool = False) -> None:  # fmt: skip
    """Compare results: sequences, tensors, errors, Python values.

    Floating-point numbers may differ by `ulp` units of themselves (of the modulus of a complex
    number if `modulus` is set), or by `error` units of the largest finite number of the result.
    NaN equals NaN; `signs` tells zeros apart.
    """
    assert type(actual) is type(expected), f"{actual!r}, not {expected!r}"
    if isinstance(expected, (tuple, list)):
        assert len(actual) == len(expected)
        for one, other in zip(actual, expected, strict=True):
            assert_equal(one, other, ulp=ulp, error=error, signs=signs, modulus=modulus)
        return
    if not isinstance(expected, corepy.Tensor):
        if isinstance(expected, ERRORS):  # the words are NumPy's where it computes for the CPU
            actual, expected = (SAID.findall(str(each)) for each in (actual, expected))
        assert actual == expected, f"{actual!r}, not {expected!r}"
        return
    a, e = to_numpy(actual), to_numpy(expected)
    assert (a.dtype, a.shape) == (e.dtype, e.shape)
    if e.dtype.kind not in "fc":
        np.testing.assert_array_equal(a, e)
        return
    eps, size = np.finfo(e.dtype).eps, np.abs(e)
    largest = np.max(size[np.isfinite(size)], initial=0.0)
    if e.dtype.kind == "c":
        a, e, size = components(a), components(e), np.stack([size, size], axis=-1)
    size = size if modulus else np.abs(e)
    with np.errstate(all="ignore"):
        near = np.isfinite(a) & np.isfinite(e)
        near &= np.abs(a - e) <= ulp * eps * size + error * eps * largest
        same = (np.isnan(a) & np.isnan(e)) | (a == e) | near
        same &= (np.signbit(a) == np.signbit(e)) | (a != 0) | (e != 0) | (not signs)
    wrong = np.argwhere(~same)
    if wrong.size:
        place = tuple(map(int, wrong[0]))
        raise AssertionError(f"{a[place]}, not {e[place]}, at {place} ({len(wrong)} are wrong)")


def described(call: Any, args: Any, keywords: Any) -> str:
    arrays = [f"{a.dtype}{list(a.shape)}" if isinstance(a, np.ndarray) else a for a in args]
    return f"{call} of {arrays}, {keywords}"


class Agree:
    """Call it with a function and its arguments; `check` makes the calls and compares them.

    The function is a name of the standard or a function of the namespace and the arguments.
    ndarrays among the arguments become tensors, seen through `view`; other keywords of
    `assert_equal` say how exact the result is. `gathering` is a context in which a device compiles
    what calls need and runs nothing, so that all calls are compiled together.
    """

    OPTIONS = ("ulp", "error", "signs", "modulus")

    def __init__(self, xp: Any, gathering: Any = None) -> None:
        self.xp, self.gathering, self.noted = xp, gathering, []

    def __call__(self, call: Any, *args: Any, view: Any = None, **keywords: Any) -> None:
        options = {k: keywords.pop(k) for k in self.OPTIONS if k in keywords}
        noted = functools.partial(self.outcome, call, args, keywords, view)
        self.noted.append((noted, options, (call, args, keywords)))
        if self.gathering is None:
            self.check()

    @staticmethod
    def outcome(call: Any, args: Any, keywords: Any, view: Any, xp: Any) -> list[Any]:
        """Return a call's result, or its error, and its arguments after the call."""
        tensors = []

        def moved(value: Any) -> Any:
            if isinstance(value, np.ndarray):
                tensors.append(xp.asarray(value.copy()))
                return view(tensors[-1]) if view else tensors[-1]
            return type(value)(map(moved, value)) if type(value) in (tuple, list) else value

        if isinstance(call, str):
            function = functools.reduce(getattr, call.split("."), xp)
        else:
            function = functools.partial(call, xp)
        args, keywords = moved(args), {k: moved(v) for k, v in keywords.items()}
        try:
            result = function(*args, **keywords)
        except ERRORS as error:
            result = error
        return [result, tensors]

    def check(self) -> None:
        noted, self.noted = self.noted, []
        with self.gathering() if self.gathering else contextlib.nullcontext():
            for call, *_ in noted if self.gathering else ():
                call(self.xp)
        for call, options, text in noted:
            try:
                assert_equal(call(self.xp), call(cpu), **options)
            except AssertionError as error:
                error.add_note(described(*text))
                raise
