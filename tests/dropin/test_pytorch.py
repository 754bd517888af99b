"""Conversions between tensors and PyTorch that the documentation names, and negative strides."""

import numpy
import pytest

import corepy
import corepy.array_api as xp

DLPACK_VERSION = (1, 0)


def reversed_views():
    t = xp.reshape(xp.arange(24, dtype=xp.float64), (2, 3, 4))
    return [t[::-1, ...], t[:, ::-1, ::2], xp.flip(t), t[1, 2, ::-1], xp.flip(t).T, t[::-1, :0, :]]


def test_negative_strides_are_exported_as_a_copy():
    for view in reversed_views():
        array = numpy.from_dlpack(view)
        numpy.testing.assert_array_equal(array, numpy.asarray(view))
        assert all(stride >= 0 for stride in array.strides) or array.size == 0
        assert not numpy.shares_memory(array, numpy.asarray(view))
        for options in ({}, {"copy": True}, {"max_version": DLPACK_VERSION}):
            view.__dlpack__(**options)


def test_negative_strides_are_refused_without_a_copy():
    for view in reversed_views()[:-1]:
        with pytest.raises(BufferError, match=r"^__dlpack__: strides .* copy=False"):
            view.__dlpack__(copy=False, max_version=DLPACK_VERSION)


def test_other_strides_share_memory():
    t = xp.reshape(xp.arange(6.0), (2, 3))
    # One element along an axis: its stride is never used.
    for view in (t.T, t[:, ::2], t[0:1, ...][::-1, ...]):
        array = numpy.from_dlpack(view)
        assert numpy.shares_memory(array, numpy.asarray(t))


def test_pytorch_takes_negative_strides():
    torch = pytest.importorskip("torch")
    for view in reversed_views():
        there = torch.from_dlpack(view)
        numpy.testing.assert_array_equal(there.numpy(), numpy.asarray(view))
        with pytest.raises(BufferError):
            torch.from_dlpack(corepy.asarray([1.0, 2.0])[::-1], copy=False)


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "uint8", "bool", "complex128"])
def test_ways_to_pytorch(dtype):
    torch = pytest.importorskip("torch")
    t = xp.asarray([[0, 1, 1], [1, 0, 1]], dtype=dtype)
    for way, shares in (
        (torch.from_dlpack, True),
        (lambda x: torch.from_numpy(numpy.asarray(x)), True),
        (torch.as_tensor, True),
        (torch.tensor, False),
        (lambda x: torch.asarray(x, dtype=getattr(torch, dtype)).reshape(x.shape), True),
    ):
        there = way(t)
        assert str(there.dtype) == f"torch.{dtype}"
        numpy.testing.assert_array_equal(there.numpy(), numpy.asarray(t))
        assert (there.data_ptr() == numpy.asarray(t).ctypes.data) is shares
