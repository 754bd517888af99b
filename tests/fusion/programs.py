"""Random programs over tensors, that run eagerly and fused.

A program is a list of lines of Python. t0, t1, ... are tensors, n0, n1, ... ndarrays (most of them
over a tensor's memory); s0, s1, ... are tensors that a program is given.
"""

import contextlib
import copy
import datetime
import decimal
import fractions
import inspect
import pickle
import re
from typing import Any, NamedTuple

import numpy as np
from strategies import BEYOND

import corepy
import corepy.array_api as xp
from corepy import Tensor
from corepy._cython.core import kind_of

LINES = 30
LIMIT = 200_000  # elements of a tensor
MODULES = {
    "beyond": BEYOND, "copy": copy, "corepy": corepy, "datetime": datetime, "decimal": decimal,
    "fractions": fractions, "np": np, "pickle": pickle, "xp": xp,
}  # fmt: skip


def data(seed, shape, dtype):
    """An ndarray of moderate values; of every fourth seed some are extremes."""
    rng, dtype = np.random.default_rng(seed), np.dtype(dtype)
    x = np.round(rng.standard_normal(shape) * 3, seed % 3)
    if dtype.kind == "c":
        x = x + 1j * np.round(rng.standard_normal(shape) * 3, seed % 3)
    x = np.asarray(abs(x) if dtype.kind == "u" else x).astype(dtype)
    if seed % 4 == 0 and dtype.kind != "b":
        kind = xp.iinfo if dtype.kind in "iu" else xp.finfo
        extremes = [kind(dtype).min, kind(dtype).max, 0, -0.0, np.inf, -np.inf, np.nan]
        extremes = np.array(extremes[: 3 if dtype.kind in "iu" else 7], dtype=dtype)
        np.copyto(x, rng.choice(extremes, shape), where=rng.random(shape) < 0.05)
    return x


@contextlib.contextmanager
def fuse_all():
    """A block in which all is deferred that can be."""
    with corepy.config(fusion_threshold=0), corepy.fuse():
        yield


class Outcome(NamedTuple):
    """The values that were read, the lines that failed with their errors, and the final arrays."""

    looks: list[str]
    errors: list[tuple[str, str, str]]
    arrays: dict[str, Any]


def run(program, fuse=contextlib.nullcontext, names=None, after=None, namespace=xp):
    """Run the lines of a program, in blocks of `fuse`; `after` is called after each of them.

    `namespace` is that of the device which the tensors are made on.
    """
    names = {} if names is None else names
    looks, errors = [], []

    def look(value):
        looks.append(repr(value))

    with corepy.config(fusion=False), contextlib.ExitStack() as scopes:
        scopes.enter_context(fuse())
        names.update(MODULES, xp=namespace, data=data, fuse=fuse, look=look, scopes=scopes)
        for line in program:
            try:
                exec(line, names)
            except MemoryError as error:
                # What is in use elsewhere differs: not part of what is compared.
                text = re.sub(r"\([\d,]+ bytes already", "(bytes already", str(error))
                errors.append((line, "MemoryError", text))
            except Exception as error:
                errors.append((line, type(error).__name__, str(error)))
            if after is not None:
                after(names)
    arrays = {k: v for k, v in names.items() if isinstance(v, (Tensor, np.ndarray))}
    return Outcome(looks, errors, arrays)


def bits(x):
    """The elements as unsigned integers, a row each, in which all NaN are alike."""
    x = np.array(x.to_device("cpu") if isinstance(x, Tensor) else x, order="C").reshape(-1, 1)
    if kind_of(x) in "fc":
        x = x.view(x.real.dtype)
        x[np.isnan(x)] = np.nan
    return x.view(f"u{x.dtype.itemsize}")


def difference(expected, found):
    """How two outcomes differ, as text; empty if they agree bit for bit."""
    for field in ("looks", "errors"):
        one, other = getattr(expected, field), getattr(found, field)
        for a, b in zip(one, other, strict=False):
            if a != b:
                return f"{field}: {a} and {b}"
        if len(one) != len(other):
            return f"{field}: {one} and {other}"
    if expected.arrays.keys() != found.arrays.keys():
        return f"names: {list(expected.arrays)} and {list(found.arrays)}"
    for name, one in expected.arrays.items():
        other = found.arrays[name]
        layouts = [(x.dtype, x.shape, x.strides) for x in (one, other)]
        if layouts[0] != layouts[1]:
            return f"{name}: {layouts[0]} and {layouts[1]}"
        if type(one) is not type(other) or (isinstance(one, Tensor) and other.device != one.device):
            return f"type or device of {name}"
        wrong = np.flatnonzero(np.any(bits(one) != bits(other), axis=-1))[:5]
        if wrong.size:
            values = [np.asarray(x.to_device("cpu")).reshape(-1)[wrong] for x in (one, other)]
            return f"{name}, elements {wrong} of {one.size}: {values[0]} and {values[1]}"
    return ""


def new(n=100):
    """A tensor of 1.0, 2.0, ..., whose memory nobody else holds."""
    return xp.arange(1.0, n + 1.0)


def assert_same(found, expected):
    """Elements, dtype, shape and strides of two arrays are the same."""
    assert found.dtype == expected.dtype
    assert (found.shape, found.strides) == (expected.shape, expected.strides)
    assert np.array_equal(bits(found), bits(expected))


def as_text(program):
    """The program as a module that needs nothing of the tests."""
    raising = {line for line, _, _ in run(program).errors}
    lines = ["import contextlib, copy, pickle", "import numpy as np", "import corepy"]
    lines += ["import corepy.array_api as xp", "", inspect.getsource(data)]
    lines += [inspect.getsource(fuse_all), "look = print", "scopes = contextlib.ExitStack()"]
    lines += ["fuse = fuse_all  # contextlib.nullcontext: eagerly", "scopes.enter_context(fuse())"]
    for line in program:
        if line in raising:
            line = f"try:\n    {line}\nexcept Exception as error:\n    print(repr(error))"
        lines.append(line)
    return "\n".join([*lines, "scopes.close()"])


def shrink(program, fails):
    """A shorter program that fails, too: without lines that are not needed for it."""
    size = len(program)
    while size:
        before = program
        start = len(program)
        while start > 0:  # from the end, so that names are used before they are made
            start -= size
            shorter = program[: max(start, 0)] + program[start + size :]
            if fails(shorter):
                program = shorter
        if size > 1 or program == before:
            size //= 2
    return program


def differs(program):
    """How the fused outcome differs from the eager one; empty if it does not."""
    return difference(run(program), run(program, fuse_all))
