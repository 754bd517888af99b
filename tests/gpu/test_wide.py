"""Kernels for arrays of more elements than 32 bits can number, on small arrays."""

from __future__ import annotations

import re

import numpy as np
import pytest

import corepy
from corepy._gpu.launch import GpuBackend
from corepy.backend import registry
from corepy.backend.standard import corrections_for

#: NDIM, in Box also VECTOR, and WIDE.
NARROW = re.compile(r"([<,] ?(?:2|4|8|64)(?:, (?:true|false))?, )false(?=[,>])")
FAMILIES = ("Box", "Compact", "FillMask", "Gather", "Scatter", "Transpose")


@pytest.fixture(scope="module")
def large(backend):
    """A backend whose kernels are those for large arrays."""
    runtime = type(backend.runtime)()
    kernel = runtime.kernel

    def wide_kernel(expression, device):
        if expression.startswith(tuple(f"corepy::{family}<" for family in FAMILIES)):
            expression, count = NARROW.subn(r"\1true", expression, count=1)
            assert count
        return kernel(expression, device)

    runtime.kernel = wide_kernel
    return GpuBackend("large", lambda: runtime, "numpy", lambda: corrections_for("numpy"))


@pytest.fixture
def rng():
    return np.random.default_rng(7)


@pytest.fixture
def wide(large):
    """The namespace of its device."""
    registry.register(large)  # tests beside these find it without
    return corepy.namespace("large:0")


def same(got, expected):
    np.testing.assert_array_equal(np.asarray(got.to_device("cpu")), expected)


SHAPES = [(3, 50), (5, 4, 33), (2, 3, 4, 5, 7), (2, 3, 2, 3, 2, 3, 2, 3, 2)]


@pytest.mark.parametrize("shape", SHAPES)
def test_boxes_and_masks(wide, rng, shape):
    whole = rng.integers(0, 100, tuple(2 * n for n in shape)).astype("float32")
    part = (slice(None, None, 2),) * len(shape)
    x, t = whole[part], wide.asarray(whole)[part]
    same(t + t[..., ::-1], x + x[..., ::-1])
    mask = x > 50
    marks = wide.asarray(mask)
    same(t[marks], x[mask])
    for ours, theirs in zip(wide.nonzero(marks), np.nonzero(mask), strict=True):
        same(ours, theirs)
    t[marks], x[mask] = 1, 1
    same(t, x)
    t[marks], x[mask] = t[marks] + 1, x[mask] + 1
    same(t, x)
    places = np.asarray([1, 0, -1])
    same(wide.take(t, wide.asarray(places), axis=1), np.take(x, places, axis=1))
    t[wide.asarray(places)], x[places] = 5, 5
    same(t, x)


def test_packs_and_tiles(wide, rng):
    x = rng.integers(0, 100, (70, 132)).astype("float32")
    t = wide.asarray(x)
    same(t[:, :64] + t[0, :64], x[:, :64] + x[0, :64])
    same(t[:66, :66] + t[:66, :66].T, x[:66, :66] + x[:66, :66].T)
    same(wide.asarray(t.T, copy=True), x.T)
