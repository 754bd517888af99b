"""Fourier transforms: against the definition, NumPy's error, layouts, threads, and memory.

The sizes cover every way that a transform is computed: one pass or none, each radix first and last,
prime factors of any size, lengths taken in steps, and Bluestein's algorithm.
"""

import numpy as np
import pytest
import scipy.fft
from running import in_threads

import corepy.array_api as xp
from corepy._cython import core

PRECISIONS = ["float32", "float64"]
SMALL = [*range(1, 70), 72, 74, 77, 96, 97, 100, 101, 120, 121, 122, 125, 127, 128, 134, 135, 143]
MEDIUM = [169, 201, 243, 256, 289, 343, 500, 512, 670, 1000, 1021, 1024, 1331, 1458, 2048, 2197]
LARGE = [4099, 10000, 16384, 16385, 17017, 30030, 34300, 65536, 99991, 100000, 131072, 200041]


def numbers(shape, precision, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal(shape) + 1j * rng.standard_normal(shape)
    return x.astype("complex64" if precision == "float32" else "complex128")


def relative_error(actual, expected):
    """The root mean square of the error, in units of that of the result."""
    error = np.asarray(actual) - expected
    return float(np.sqrt(np.sum(np.abs(error) ** 2) / np.sum(np.abs(expected) ** 2)))


def definition(x, sign):
    """The sum that a transform is, in long double."""
    n = len(x)
    angle = np.arange(n, dtype=np.longdouble) * (2 * np.arctan2(0, np.longdouble(-1)) / n)
    roots = np.cos(angle) + sign * 1j * np.sin(angle)
    return roots[np.outer(np.arange(n), np.arange(n)) % n] @ x.astype("clongdouble")


def tolerance(precision, n):
    return np.finfo(precision).eps * (1.0 + 0.5 * np.log2(n))


@pytest.mark.parametrize("precision", PRECISIONS)
def test_definition(level, precision):
    for n in SMALL:
        x = numbers(n, precision, n)
        forward, inverse = definition(x, -1), definition(x, 1)
        bound = tolerance(precision, n)
        assert relative_error(xp.fft.fft(xp.asarray(x)), forward) < bound, n
        assert relative_error(xp.fft.ifft(xp.asarray(x)), inverse / n) < bound, n
        real = definition(x.real, -1)
        assert relative_error(xp.fft.fft(xp.asarray(x.real.copy())), real) < bound, n
        assert relative_error(xp.fft.rfft(xp.asarray(x.real.copy())), real[: n // 2 + 1]) < bound, n
        half = real[: n // 2 + 1].astype(x.dtype)
        assert relative_error(xp.fft.irfft(xp.asarray(half), n=n), x.real) < bound, n


@pytest.mark.parametrize("precision", PRECISIONS)
def test_long_double(level, precision):
    for n in MEDIUM + LARGE:
        x = numbers(n, precision, n)
        bound = tolerance(precision, n)
        expected = scipy.fft.fft(x.astype("clongdouble"))
        assert relative_error(xp.fft.fft(xp.asarray(x)), expected) < bound, n
        back = xp.fft.ifft(xp.asarray(expected.astype(x.dtype)))
        assert relative_error(back, x) < 2 * bound, n
        real = x.real.copy()
        expected = scipy.fft.rfft(real.astype("longdouble"))
        assert relative_error(xp.fft.rfft(xp.asarray(real)), expected) < bound, n
        back = xp.fft.irfft(xp.asarray(expected.astype(x.dtype)), n=n)
        assert relative_error(back, real) < 2 * bound, n


@pytest.mark.parametrize("precision", PRECISIONS)
def test_error_is_no_larger_than_numpy(precision):
    # Over several lengths: for a single one the comparison is random.
    ours, theirs = [], []
    for n in [16, 60, 100, 210, 512, 1000, 1024, 2310, 4096, 10000, 65536, 100000]:
        for seed in range(4):
            x = numbers(n, precision, seed)
            expected = scipy.fft.fft(x.astype("clongdouble"))
            ours.append(relative_error(xp.fft.fft(xp.asarray(x)), expected))
            theirs.append(relative_error(np.fft.fft(x), expected))
    assert np.mean(ours) <= np.mean(theirs)


SHAPES = [
    (1,), (7,), (64,), (2, 1), (5, 12), (12, 5), (3, 100), (100, 3), (40, 33), (1000, 4), (4, 6, 5),
    (9, 1, 8), (2, 134, 3), (1, 70, 20), (3, 0, 5), (2, 3, 2, 4), (0, 4), (3, 20000), (20000, 2),
]  # fmt: skip
LAYOUTS = {
    "contiguous": lambda x: x,
    "transposed": lambda x: np.ascontiguousarray(x.T).T,
    "reversed": lambda x: np.ascontiguousarray(x[::-1])[::-1],
    "strided": lambda x: np.repeat(x, 2, axis=-1)[..., ::2],
    "broadcast": lambda x: np.broadcast_to(x[..., :1], x.shape),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_axes_and_layouts(level, layout, shape):
    for precision in PRECISIONS:
        x = LAYOUTS[layout](numbers(shape, precision))
        ours = xp.asarray(x, copy=False)
        bound = 4 * tolerance(precision, max(shape) + 8)
        for axis, size in enumerate(shape):
            for n in {size, max(1, size - 3), size + 5} - {0}:
                for name in ("fft", "ifft", "irfft", "hfft"):
                    actual = getattr(xp.fft, name)(ours, n=n, axis=axis, norm="ortho")
                    expected = getattr(np.fft, name)(x, n=n, axis=axis, norm="ortho")
                    if x.size == 0:  # NumPy 2.4 leaves what it made of nothing unwritten
                        expected = np.zeros_like(expected)
                    assert actual.shape == expected.shape and actual.dtype == expected.dtype
                    assert np.allclose(np.asarray(actual), expected, rtol=0, atol=20 * bound)
                for name in ("fft", "ifft", "rfft", "ihfft"):
                    actual = getattr(xp.fft, name)(xp.real(ours), n=n, axis=axis)
                    expected = getattr(np.fft, name)(x.real, n=n, axis=axis)
                    if x.size == 0:
                        expected = np.zeros_like(expected)
                    assert actual.shape == expected.shape and actual.dtype == expected.dtype
                    scale = 20 * bound * (np.max(np.abs(expected), initial=0) + 1)
                    assert np.allclose(np.asarray(actual), expected, rtol=0, atol=scale)


@pytest.mark.parametrize("name", ["fftn", "ifftn", "rfftn", "irfftn"])
@pytest.mark.parametrize("axes", [None, (0,), (1, 0), (2, 0, 1), (0, 0, -1)], ids=str)
def test_several_axes(name, axes):
    x = numbers((6, 5, 16), "float64")
    if name == "rfftn":
        x = x.real
    before = x.copy()
    for s in (None, 7):
        sizes = s if s is None else [s + i for i in range(3 if axes is None else len(axes))]
        for norm in ("backward", "ortho", "forward"):
            actual = getattr(xp.fft, name)(xp.asarray(x), s=sizes, axes=axes, norm=norm)
            # NumPy requires axes with s, and None and -1 have other meanings.
            given = axes if axes is not None or s is None else range(-3, 0)
            expected = getattr(np.fft, name)(x, s=sizes, axes=given, norm=norm)
            assert actual.shape == expected.shape
            assert np.allclose(np.asarray(actual), expected, rtol=1e-12, atol=1e-12)
    assert np.array_equal(x, before)


def test_same_bits_for_any_number_of_threads(numbers_of_threads):
    arrays = [
        numbers(200000, "float64"), numbers(131072, "float32"), numbers((300, 500), "float64"),
        numbers((5, 40000), "float32"), numbers(100003, "float64"), numbers((3, 5003), "float64"),
    ]  # fmt: skip
    for x in arrays:
        for name, operand in (("fft", x), ("ifftn", x), ("rfft", x.real), ("irfft", x)):
            results = {
                np.asarray(getattr(xp.fft, name)(xp.asarray(operand))).tobytes()
                for _n in numbers_of_threads()
            }
            assert len(results) == 1, name


def test_stack_and_row_agree():
    for n in (5, 8, 30, 64, 100, 1000):
        x = numbers((50, n), "float64", n)
        stack = np.asarray(xp.fft.fft(xp.asarray(x)))
        rows = [np.asarray(xp.fft.fft(xp.asarray(row))) for row in x]
        columns = np.asarray(xp.fft.fft(xp.asarray(np.ascontiguousarray(x.T)), axis=0)).T
        assert np.allclose(stack, rows, rtol=0, atol=1e-12)
        assert np.allclose(stack, columns, rtol=0, atol=1e-12)


@pytest.mark.parametrize("n", [1, 8, 100, 67, 1000])
@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan])
def test_not_finite(n, value):
    x = np.ones((3, n))
    x[1, n // 2] = value
    out = np.asarray(xp.fft.fft(xp.asarray(x)))
    assert not np.isfinite(out[1]).all()
    assert np.isfinite(out[::2]).all()  # whatever is computed beside it


def test_imaginary_parts_that_are_ignored():
    # Those of the frequency zero and, for even n, of the highest.
    for n in (2, 7, 8, 100, 101, 134, 40000, 40001):
        x = numbers(n // 2 + 1, "float64")
        y = x.copy()
        y[0] += 3j
        if n % 2 == 0:
            y[-1] -= 2j
        expected = np.asarray(xp.fft.irfft(xp.asarray(x), n=n))
        assert np.array_equal(np.asarray(xp.fft.irfft(xp.asarray(y), n=n)), expected)


@pytest.mark.parametrize("name", ["fftfreq", "rfftfreq"])
def test_frequencies(name):
    for n in (1, 2, 3, 8, 101, 4097, 200_000):
        for d in (1.0, 0.1, 3, -2.5, 1e-300, 1e300, 5e-324, np.inf):
            with np.errstate(all="ignore"):
                expected = getattr(np.fft, name)(n, d)
            result = np.asarray(getattr(xp.fft, name)(n, d=d))
            np.testing.assert_array_equal(result, expected, strict=True)
            np.testing.assert_array_equal(np.signbit(result), np.signbit(expected))
            result = getattr(xp.fft, name)(n, d=d, dtype=xp.float32)
            with np.errstate(over="ignore"):
                np.testing.assert_array_equal(
                    np.asarray(result), expected.astype("f4"), strict=True
                )


def test_threads_and_many_plans():
    # More lengths than plans are kept, from several threads.
    def work(seed):
        rng = np.random.default_rng(seed)
        for n in rng.integers(1, 3000, 150):
            x = numbers(int(n), "float64", seed)
            assert np.allclose(np.asarray(xp.fft.fft(xp.asarray(x))), np.fft.fft(x), atol=1e-9), n

    in_threads(work, 6)


def test_memory_that_there_is_not():
    x = xp.broadcast_to(xp.asarray(1.0), (2**46,))
    for call in (
        lambda: xp.fft.fft(x),
        lambda: xp.fft.rfft(x),
        lambda: xp.fft.fft(xp.ones(4), n=2**46),
        lambda: xp.fft.irfft(xp.ones(4), n=2**46),
    ):
        with pytest.raises(MemoryError):
            call()
    before = core.cpu.memory_stats()["in_use"]
    assert np.allclose(np.asarray(xp.fft.fft(xp.ones(8))), np.fft.fft(np.ones(8)))
    assert core.cpu.memory_stats()["in_use"] == before
