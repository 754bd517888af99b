"""The memory layout of results, against NumPy's."""

import itertools

import numpy
import pytest

import corepy as np

VALUES = numpy.arange(1.0, 25.0).reshape(2, 3, 4) / 30
OPERANDS = {
    "C": lambda x: x,
    "F": numpy.asfortranarray,
    "(2, 0, 1)": lambda x: x.transpose(2, 0, 1) if x.ndim == 3 else x.T,
    "(1, 0, 2)": lambda x: x.transpose(1, 0, 2) if x.ndim == 3 else x.T,
    "part": lambda x: numpy.repeat(x, 2, axis=-1).T[::2],
    "reversed": lambda x: x[::-1].T,
}
LIKE = ("zeros_like", "ones_like", "empty_like")
AXES = (0, 1, -1)
CALLS = {
    **{f"{name} {order}": lambda np, x, name=name, order=order: getattr(np, name)(x, order=order)
       for name, order in itertools.product(LIKE, "KCFA")},
    "zeros_like": lambda np, x: np.zeros_like(x),
    "full_like": lambda np, x: np.full_like(x, 2.5),
    "full_like of an array": lambda np, x: np.full_like(x, x),
    "like, of a dtype": lambda np, x: np.ones_like(x, dtype="int8"),
    "concatenate": lambda np, x: [np.concatenate([x, x], axis=k) for k in AXES],
    "concatenate in two orders": lambda np, x: [
        np.concatenate([x, np.ascontiguousarray(x)], axis=k) for k in AXES
    ],
    "concatenate parts": lambda np, x: [np.concatenate([x, x[:1]]), np.concatenate([x[:1], x])],
    "stack": lambda np, x: [np.stack([x, x, x], axis=k) for k in AXES],
    "vstack": lambda np, x: [np.vstack([x, x]), np.hstack([x, x]), np.dstack([x, x])],
    "cumsum": lambda np, x: [np.cumsum(x, axis=k) for k in AXES],
    "cumprod": lambda np, x: [np.cumprod(x, axis=k) for k in AXES],
    "accumulate": lambda np, x: [np.maximum.accumulate(x, axis=k) for k in AXES],
    "sort": lambda np, x: [np.sort(x, axis=k) for k in AXES],
    "partition": lambda np, x: [np.partition(x, 0, axis=k) for k in AXES],
    "roll": lambda np, x: [np.roll(x, 1, axis=k) for k in AXES],
    "fft": lambda np, x: [np.fft.fft(x, axis=k) for k in AXES],
    "rfft": lambda np, x: [np.fft.rfft(x, axis=k) for k in AXES],
    "irfft": lambda np, x: [np.fft.irfft(x, 5, axis=k) for k in AXES],
    "fft of complex": lambda np, x: [np.fft.ifft(x + 1j, axis=k) for k in AXES],
    "fftshift": lambda np, x: np.fft.fftshift(x),
}  # fmt: skip


def listed(results):
    return results if isinstance(results, list) else [results]


def layouts(results):
    """Return strides along axes of several elements."""
    return [
        [step for step, size in zip(x.strides, x.shape, strict=True) if size > 1] for x in results
    ]


@pytest.mark.usefixtures("not_deferring")
@pytest.mark.parametrize("name", CALLS)
def test_layouts_are_as_in_numpy(name):
    # Where an axis of size 1 lies in memory shows if a transform makes it longer.
    for values in (VALUES, VALUES[0]) if name == "irfft" else (VALUES, VALUES[0], VALUES[:, :1]):
        for order, make in OPERANDS.items():
            x = make(values)
            expected = listed(CALLS[name](numpy, x))
            results = listed(CALLS[name](np, np.asarray(x)))
            assert layouts(results) == layouts(expected), (order, values.shape)
            if "empty" in name:
                continue
            for one, other in zip(results, expected, strict=True):
                numpy.testing.assert_allclose(one.to_numpy(), other, rtol=1e-14, atol=1e-14)
