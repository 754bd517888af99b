"""Kernels beyond the standard's: NumPy's results for all dtypes, layouts and special values."""

import itertools
import warnings

import numpy as np
import pytest

import corepy
from corepy import Tensor
from corepy._cython import core
from corepy._cython.cpu import beyond_standard, sorting

INTEGERS = "bhilBHIL"
FLOATS = "fd"
SIZES = (0, 1, 7, 8, 63, 64, 65, 130, 1000, 20000)


def layouts(array):
    """Yield an array, then with other strides."""
    yield array
    if array.ndim:
        yield np.repeat(array, 2, axis=-1)[..., ::2]
        yield array[::-1]
    if array.ndim > 1:
        yield np.asfortranarray(array)


def draw(size, dtype, seed=0, extremes=True):
    """Numbers with integer extremes, or with NaN, infinities and zeros of both signs."""
    rng = np.random.default_rng(seed)
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return rng.random(size) < 0.5
    if dtype.kind in "iu":
        low = 0 if dtype.kind == "u" else -50
        x = rng.integers(low, 60, size).astype(dtype)
        if extremes and x.size > 4:
            info = np.iinfo(dtype)
            x.flat[:: x.size // 4] = info.max
            x.flat[1 :: x.size // 2] = info.min
        return x
    x = (rng.normal(size=size) * 3).astype(dtype)
    if extremes and x.size > 6:
        special = [np.nan, np.inf, -np.inf, 0.0, -0.0, np.finfo(dtype).tiny, np.finfo(dtype).max]
        at = rng.integers(0, x.size, x.size // 4)
        x.flat[at] = np.resize(special, at.size)
    return x


def as_tensor(array):
    """A tensor over the memory of an array, of its strides."""
    tensor = Tensor(array)
    assert tensor.strides == array.strides
    return tensor


def same(result, expected, what="", cls=Tensor):
    assert type(result) is cls, what
    expected = np.asarray(expected)
    result = np.asarray(result)
    assert result.dtype == expected.dtype and result.shape == expected.shape, what
    np.testing.assert_array_equal(result, expected, err_msg=str(what))


def same_as_numpy(result, expected, what=""):
    """What the drop-in returns: an ndarray, or NumPy's scalar."""
    cls = corepy.ndarray if type(expected) is np.ndarray else type(expected)
    same(result, expected, what, cls)


@pytest.mark.parametrize("name", ["fmax", "fmin", "heaviside"])
@pytest.mark.parametrize("dtype", FLOATS)
def test_elementwise_floats(level, name, dtype):
    theirs, ours = getattr(np, name), core.function_of(name)
    for size in SIZES:
        for x, y in zip(layouts(draw(size, dtype)), layouts(draw(size, dtype, 1)), strict=True):
            same(ours(as_tensor(x), as_tensor(y)), theirs(x, y), (name, size))
            same(ours(as_tensor(x), 0.5), theirs(x, 0.5), (name, size))
    x, y = draw((40, 1), dtype), draw((1, 50), dtype, 1)
    same(ours(as_tensor(x), as_tensor(y)), theirs(x, y))
    same(ours(as_tensor(x.T), as_tensor(y[0, 0:1].reshape(()))), theirs(x.T, y[0, 0]))
    if name != "heaviside":
        signs = np.array([0.0, -0.0, np.nan, np.nan], dtype)
        expected = theirs(signs[:, None], signs)
        same(np.isnan(ours(as_tensor(signs[:, None].copy()), as_tensor(signs))), np.isnan(expected))


@pytest.mark.parametrize("dtype", FLOATS)
def test_spacing_and_powers_of_two(level, dtype):
    spacing, ldexp = map(core.function_of, ("spacing", "ldexp"))
    info = np.finfo(dtype)
    rng = np.random.default_rng(4)
    with np.errstate(all="ignore"):
        for size in SIZES:
            x = np.ldexp(draw(size, dtype), rng.integers(2 * info.minexp, info.maxexp, size))
            special = [info.smallest_subnormal, info.max, info.tiny, -info.max][:size]
            x[: len(special)] = special
            for y in layouts(x):
                same(spacing(as_tensor(y)), np.spacing(y), size)
                for n in (rng.integers(-2300, 2300, size), rng.integers(-160, 160, size)):
                    expected = np.ldexp(y, n)
                    result = ldexp(as_tensor(y), as_tensor(n.astype(dtype)))
                    same(result, expected, (size, n))
                    assert not (np.signbit(result) ^ np.signbit(expected))[~np.isnan(x)].any()


@pytest.mark.parametrize("dtype", INTEGERS)
def test_elementwise_integers(level, dtype):
    for size in SIZES[:-1]:
        for x, y in zip(layouts(draw(size, dtype)), layouts(draw(size, dtype, 1)), strict=True):
            for name in ("gcd", "lcm", "fmax", "fmin"):
                expected = getattr(np, name)(x, y)
                ours = core.function_of(name)
                same(ours(as_tensor(x), as_tensor(y)), expected, (name, size))
            count = core.function_of("bitwise_count")
            same(count(as_tensor(x)), np.bitwise_count(x), size)
    x = draw((30, 1), dtype)
    gcd, lcm = map(core.function_of, ("gcd", "lcm"))
    same(gcd(as_tensor(x), as_tensor(x.T)), np.gcd(x, x.T))
    same(gcd(as_tensor(x), 12), np.gcd(x, 12))
    same(lcm(6, as_tensor(x)), np.lcm(6, x))


def test_gcd_of_large_integers(level):
    gcd = core.function_of("gcd")
    rng = np.random.default_rng(3)
    for bits in (30, 51, 52, 53, 62):
        x, y = rng.integers(-(1 << bits), 1 << bits, (2, 200))
        x[:20] *= 2
        y[:20] = x[:20] // 6
        y[20:25] = 0
        same(gcd(as_tensor(x), as_tensor(y)), np.gcd(x, y), bits)
    fibonacci = [1, 1]
    while fibonacci[-1] < 1 << 52:
        fibonacci.append(fibonacci[-1] + fibonacci[-2])
    f = np.array(fibonacci)
    same(gcd(as_tensor(f[1:].copy()), as_tensor(f[:-1].copy())), np.gcd(f[1:], f[:-1]))
    near = (1 << 52) - np.arange(1, 70)
    same(gcd(as_tensor(near), as_tensor(near[::-1].copy())), np.gcd(near, near[::-1]))
    same(gcd(as_tensor(near), 3), np.gcd(near, 3))


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("decimals", [-22, -3, -1, 1, 2, 10, 22])
def test_round(level, dtype, decimals):
    for size in SIZES:
        for x in layouts(draw(size, dtype) * np.dtype(dtype).type(100)):
            with np.errstate(all="ignore"):
                expected = np.round(x, decimals)
            rounded = core.function_of("round_fractions" if decimals > 0 else "round_multiples")
            same(rounded(as_tensor(x), 10.0 ** abs(decimals)), expected)
            same_as_numpy(corepy.round(as_tensor(x), decimals), expected)


@pytest.mark.parametrize("dtype", "?" + INTEGERS)
def test_bitwise_methods(level, dtype):
    for size, name in itertools.product(SIZES, ("bitwise_and", "bitwise_or", "bitwise_xor")):
        for x in layouts(draw(size, dtype)):
            ufunc = getattr(np, name)
            same(core.accumulate(name, as_tensor(x), 0), ufunc.accumulate(x), (name, size))
            if size and dtype != "?":
                same(beyond_standard.reduce_all(name, as_tensor(x)), ufunc.reduce(x), (name, size))
            result = getattr(corepy, name).reduce(as_tensor(x))
            same_as_numpy(result, ufunc.reduce(x), (name, size))
    assert beyond_standard.reduce_all("bitwise_or", Tensor(np.zeros(0, "i4"))) is None
    for x in layouts(draw((6, 5, 4), dtype)):
        for axis in (0, 1, 2, -1):
            expected = np.bitwise_xor.accumulate(x, axis)
            same(core.accumulate("bitwise_xor", as_tensor(x), axis), expected)
            result = corepy.bitwise_xor.reduce(as_tensor(x), axis)
            same_as_numpy(result, np.bitwise_xor.reduce(x, axis))


@pytest.mark.parametrize("dtype", "?" + INTEGERS + FLOATS)
def test_accumulated_extremes(level, dtype):
    for size, name in itertools.product(SIZES, ("maximum", "minimum")):
        ufunc = getattr(np, name)
        for extremes in (False, True):
            for x in layouts(draw(size, dtype, extremes=extremes)):
                result = core.accumulate(name, as_tensor(x), 0)
                same(result, ufunc.accumulate(x), (name, size))
                same_as_numpy(getattr(corepy, name).accumulate(as_tensor(x)), ufunc.accumulate(x))
    if dtype in FLOATS:
        x = np.concatenate([[-0.0, 0.0, -0.0], np.zeros(700), -np.zeros(700)]).astype(dtype)
        result = np.asarray(core.accumulate("maximum", as_tensor(x), 0))
        assert np.signbit(result).all()  # the first of equal elements
    for x in layouts(draw((20, 3, 40), dtype)):
        for axis in (0, 1, 2, -3):
            expected = np.maximum.accumulate(x, axis)
            same(core.accumulate("maximum", as_tensor(x), axis), expected)


def test_accumulate_in_threads():
    x = draw(1_000_000, "d", extremes=False)
    same(core.accumulate("maximum", as_tensor(x), 0), np.maximum.accumulate(x))
    x[500_000] = np.nan
    same(core.accumulate("minimum", as_tensor(x), 0), np.minimum.accumulate(x))
    with pytest.raises(IndexError):
        core.accumulate("maximum", as_tensor(x), 1)
    assert core.can_accumulate("maximum", as_tensor(x))
    assert not core.can_accumulate("add", as_tensor(x))
    for other in (np.float64(1), np.ones(2, complex)):
        assert not core.can_accumulate("maximum", Tensor(other))
        with pytest.raises(TypeError, match=r"^maximum\.accumulate: "):
            core.accumulate("maximum", Tensor(other), 0)


@pytest.mark.parametrize("dtype", FLOATS)
def test_extremes_without_nan(level, dtype):
    for size in SIZES[1:]:
        for x in layouts(draw(size, dtype)):
            for name in ("fmax", "fmin"):
                expected = getattr(np, name).reduce(x)
                same(beyond_standard.reduce_all(name, as_tensor(x)), expected)
            if not np.isnan(x).all():
                same_as_numpy(corepy.nanmax(as_tensor(x)), np.nanmax(x))
                same_as_numpy(corepy.nanmin(as_tensor(x)), np.nanmin(x))
    with pytest.warns(RuntimeWarning, match="All-NaN"):
        assert np.isnan(float(corepy.nanmax(Tensor(np.full(30, np.nan, dtype)))))
    with pytest.raises(ValueError, match=r"^nanmax: no elements to choose from in shape \(0,\)"):
        corepy.nanmax(Tensor(np.zeros(0, dtype)))


@pytest.mark.parametrize("dtype", FLOATS + "ilIL")
def test_convolution(level, dtype):
    for n, m in ((1, 1), (2, 1), (9, 9), (100, 3), (64, 17), (600, 600), (3000, 5), (700, 300)):
        a, v = draw(n, dtype, 0, False), draw(m, dtype, 1, False)
        exact = dtype not in FLOATS
        for mode in ("full", "same", "valid", 2, 1, 0):
            result = beyond_standard.convolve(as_tensor(a), as_tensor(v), mode)
            expected = np.convolve(a, v, mode)
            if exact:
                same(result, expected, (n, m))
            else:
                scale = np.convolve(abs(a), abs(v)).max() * np.finfo(dtype).eps
                np.testing.assert_allclose(result, expected, rtol=0, atol=4 * scale)
        for mode in ("full", "same", "valid"):
            for one, other in ((a, v), (v, a), (a[::-1], v[::-1])):
                for name in ("convolve", "correlate"):
                    result = getattr(corepy, name)(Tensor(one), Tensor(other), mode)
                    expected = getattr(np, name)(one, other, mode)
                    assert result.dtype == expected.dtype and result.shape == expected.shape
                    tolerance = 0 if exact else 4 * scale
                    np.testing.assert_allclose(result, expected, rtol=0, atol=tolerance)
    a = Tensor(np.ones(4))
    for v, mode in (
        (Tensor(np.ones(0)), "full"), (Tensor(np.ones(2, "f4")), "full"), (Tensor(np.ones(2)), 3),
        (Tensor(np.ones((2, 2))), "full"), (Tensor(np.float64(1)), "full"), (np.ones(2), "full"),
        (Tensor(np.ones(2)), "part"), (Tensor(np.ones(2)), True),
    ):  # fmt: skip
        assert beyond_standard.convolve(a, v, mode) is None
        assert beyond_standard.convolve(v, a, mode, True) is None


@pytest.mark.parametrize("big", [True, False])
def test_bits(level, big):
    order = "big" if big else "little"
    for size in (*SIZES, 300_000):
        bools = draw(size, "?")
        # Any value but 0 is true.
        other = (bools * np.random.default_rng(1).integers(1, 256, size)).astype(np.uint8)
        for x in (*layouts(bools), *layouts(other)):
            expected = np.packbits(x, bitorder=order)
            same(beyond_standard.packbits(as_tensor(x), big), expected, size)
            same_as_numpy(corepy.packbits(as_tensor(x), bitorder=order), expected, size)
        for x in layouts(other):
            same(
                beyond_standard.unpackbits(as_tensor(x), big),
                np.unpackbits(x, bitorder=order),
                size,
            )
    x = draw((3, 5, 4), "?")
    same_as_numpy(corepy.packbits(Tensor(x)), np.packbits(x))
    same_as_numpy(corepy.packbits(Tensor(x), axis=1), np.packbits(x, axis=1))
    result = corepy.unpackbits(Tensor(np.packbits(x)), count=60)
    same_as_numpy(result, np.unpackbits(np.packbits(x))[:60])
    assert beyond_standard.packbits(Tensor(np.ones(3)), big) is None


@pytest.mark.parametrize("dtype", INTEGERS)
def test_bincount(dtype):
    for size in (1, 5, 64, 100, 5000, 200_000):
        x = np.abs(draw(size, dtype, extremes=False))
        weights = np.random.default_rng(2).normal(size=size)
        for x_, weights_ in zip(layouts(x), layouts(weights), strict=True):
            for least in (0, 10, 500, 5000):
                if dtype == "L":
                    assert beyond_standard.bincount(as_tensor(x_), None, least) is None
                    continue
                expected = np.bincount(x_, minlength=least)
                same(beyond_standard.bincount(as_tensor(x_), None, least), expected)
                expected = np.bincount(x_, weights_, least)
                same(beyond_standard.bincount(as_tensor(x_), as_tensor(weights_), least), expected)
    if dtype in "bhil":
        for function in (lambda x: beyond_standard.bincount(x, None, 0), corepy.bincount):
            with pytest.raises(ValueError, match=r"^bincount: .*negative elements, got -1$"):
                function(Tensor(np.array([1, -1], dtype)))
    assert beyond_standard.bincount(Tensor(np.zeros(0, dtype)), None, 3) is None
    same_as_numpy(corepy.bincount(Tensor(np.array([30000, 0, 5]))), np.bincount([30000, 0, 5]))
    with pytest.raises(MemoryError, match="bincount"):
        corepy.bincount(Tensor(np.array([np.iinfo(np.int64).max])))


@pytest.mark.parametrize("dtype", FLOATS)
def test_histogram(level, dtype):
    for size, bins in itertools.product((0, 1, 100, 5000, 200_000), (1, 7, 64, 5000)):
        x = draw(size, dtype)
        uniform = np.linspace(-3, 4, bins + 1).astype(dtype)
        other = np.sort(draw(bins + 1, dtype, 5, False))
        x[: bins + 1 : 2] = np.resize(uniform, x.size)[: bins + 1 : 2]  # numbers on edges
        weights = np.random.default_rng(2).normal(size=size)
        for x_, weights_ in zip(layouts(x), layouts(weights), strict=True):
            for edges, even in ((uniform, True), (uniform, False), (other, False)):
                known = x_[~np.isnan(x_)]
                expected = np.histogram(known, edges)[0]
                result = beyond_standard.histogram(as_tensor(x_), as_tensor(edges), None, even)
                same(result, expected, (size, bins))
                sums = beyond_standard.histogram(
                    as_tensor(x_), as_tensor(edges), as_tensor(weights_), even
                )
                expected = np.histogram(known, edges, weights=weights_[~np.isnan(x_)])[0]
                np.testing.assert_allclose(sums, expected, rtol=1e-9, atol=1e-9)
    x, equal = Tensor(draw(50, dtype)), Tensor(np.array([0.0, 1.0, 1.0], dtype))
    same(beyond_standard.histogram(x, equal, None, False), np.histogram(np.asarray(x), equal)[0])
    assert beyond_standard.histogram(x, Tensor(np.arange(3)), None, True) is None


def test_indices_of_several_axes():
    rng = np.random.default_rng(1)
    for shape in ((7,), (4, 25), (3, 1, 20), (100_000, 50_000), (2, 3, 4, 5), (1 << 40, 1 << 20)):
        flat = rng.integers(0, np.prod(shape, dtype=np.int64), (6, 500))
        for x in layouts(flat):
            expected = np.unravel_index(x, shape)
            result = beyond_standard.unravel(as_tensor(x), shape)
            for one, other in zip(result, expected, strict=True):
                same(one, other, shape)
            same(beyond_standard.ravel(result, shape), x, shape)
            same_as_numpy(corepy.ravel_multi_index(tuple(map(Tensor, expected)), shape), x, shape)
    for wrong in ([0, 100], [-1, 5], [np.iinfo(np.int64).min]):
        assert beyond_standard.unravel(Tensor(np.array(wrong)), (4, 25)) is None
        with pytest.raises(ValueError, match="out of bounds"):
            corepy.unravel_index(Tensor(np.array(wrong)), (4, 25))
    for indices in (([0, 4], [1, 1]), ([0, -1], [1, 1]), ([0, 1], [25, 0])):
        parts = tuple(Tensor(np.array(part)) for part in indices)
        assert beyond_standard.ravel(parts, (4, 25)) is None
        with pytest.raises(ValueError, match="out of range"):
            corepy.ravel_multi_index(parts, (4, 25))
    one = Tensor(np.zeros(1, int))
    for shape in ((0, 5), (), (-1,), (1 << 40, 1 << 40)):
        assert beyond_standard.unravel(one, shape) is None
    same_as_numpy(corepy.unravel_index(one, 5)[0], np.zeros(1, int))
    assert [int(k) for k in corepy.unravel_index(7, (4, 2))] == [3, 1]


@pytest.mark.parametrize("dtype", INTEGERS + FLOATS)
def test_add_at(dtype):
    rng = np.random.default_rng(4)
    values = draw(500, dtype)
    for size in (1, 10, 600):
        indices = rng.integers(-size, size, 500)
        for step in (1, 2, -1):
            expected, x = np.arange(size).astype(dtype), Tensor(np.arange(size).astype(dtype))
            with np.errstate(all="ignore"), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                np.add.at(expected, indices[::step], values[::step])
            beyond_standard.add_at(x, Tensor(indices[::step]), Tensor(values[::step]))
            same(x, expected)
    x = Tensor(np.zeros(3, dtype))
    for wrong in ([0, 3], [-4]):
        with pytest.raises(IndexError, match=r"^add\.at: an index is out of range"):
            beyond_standard.add_at(x, Tensor(np.array(wrong)), Tensor(np.ones(len(wrong), dtype)))
        with pytest.raises(IndexError):
            corepy.add.at(x, Tensor(np.array(wrong)), 1)
    same(x, np.zeros(3, dtype))
    corepy.add.at(x, [0, 0, 2], 1)
    same(x, np.array([2, 0, 1], dtype))
    assert not beyond_standard.can_add_at(x, Tensor(np.array([0])), x)
    with pytest.raises(ValueError, match=r"^add\.at: "):
        beyond_standard.add_at(x, Tensor(np.array([0])), x)
    fixed = np.zeros(3, dtype)
    fixed.flags.writeable = False
    one = Tensor(np.ones(1, dtype))
    assert not beyond_standard.can_add_at(Tensor(fixed), Tensor(np.array([0])), one)


@pytest.mark.parametrize("dtype", "fdl")
def test_add_reduceat(dtype):
    rng = np.random.default_rng(4)
    for size in (1, 9, 200, 5000):
        for x in layouts(draw(size, dtype, extremes=False)):
            for count in (0, 1, 2, 40):
                indices = rng.integers(0, size, count)
                for at in (indices, np.sort(indices), np.sort(indices)[::-1]):
                    expected = np.add.reduceat(x, at)
                    for result in (
                        beyond_standard.add_reduceat(as_tensor(x), Tensor(at)),
                        corepy.add.reduceat(as_tensor(x), Tensor(at)),
                    ):
                        assert result.dtype == expected.dtype
                        scale = np.abs(x).sum() * (2e-7 if dtype == "f" else 4e-16)
                        np.testing.assert_allclose(result, expected, rtol=0, atol=scale)
    x = Tensor(np.arange(5).astype(dtype))
    for wrong in ([5], [-1], [0, 5], [3, -1]):
        with pytest.raises(IndexError, match=r"^add\.reduceat: an index is out of range"):
            beyond_standard.add_reduceat(x, Tensor(np.array(wrong)))
        with pytest.raises(IndexError):
            corepy.add.reduceat(x, wrong)
    assert not beyond_standard.can_add_reduceat(Tensor(np.ones(3, "i4")), Tensor(np.array([0])))


@pytest.mark.parametrize("dtype", "?" + INTEGERS + FLOATS + "FD")
def test_partition(dtype):
    for shape in ((1,), (50,), (6, 20), (3, 4, 5)):
        for x in layouts(np.asarray(draw(shape, "d", extremes=False) * 3).astype(dtype)):
            for axis in range(-x.ndim, x.ndim):
                for kth in (0, -1, x.shape[axis] // 2):
                    same(sorting.partition(as_tensor(x), kth, axis), np.partition(x, kth, axis))
                    same(
                        sorting.argpartition(as_tensor(x), kth, axis),
                        np.argpartition(x, kth, axis),
                    )
    x = Tensor(np.arange(3))
    for kth, axis in ((3, 0), (-4, 0), (0, 1), (0, -2)):
        assert sorting.partition(x, kth, axis) is sorting.argpartition(x, kth, axis) is None
        with pytest.raises(ValueError, match="out of bounds"):
            corepy.partition(x, kth, axis)


def test_copies_where_and_in_c_order():
    rng = np.random.default_rng(5)
    for shape, dtype in itertools.product(((0,), (7,), (600,), (4, 5)), "?blfdD"):
        x = (rng.normal(size=shape) * 5).astype(dtype)
        mask = rng.random(shape) < 0.5
        for source in ((rng.normal(size=shape) * 5).astype(dtype), np.zeros(shape[-1:], dtype)):
            for one in layouts(x):
                expected, target = one.copy(), Tensor(one.copy())
                np.copyto(expected, source, where=mask)
                corepy.copyto(target, Tensor(source), where=Tensor(mask))
                same(target, expected)
        for one in layouts(x):
            result = corepy.ascontiguousarray(as_tensor(one))
            same_as_numpy(result, one)
            assert result.flags.c_contiguous


@pytest.mark.parametrize("dtype", "bilBIL" + FLOATS)
def test_on_other_devices(dtype):
    def at(array):
        return as_tensor(array).to_device("reference")

    def check(name, *args, **named):
        there = [at(a) if isinstance(a, np.ndarray) else a for a in args]
        result = getattr(corepy, name)(*there, **named)
        assert str(result.device).startswith("reference")
        same_as_numpy(result.to_device("cpu"), getattr(np, name)(*args, **named), name)

    for shape in ((30,), (4, 6)):
        x, y = draw(shape, dtype, 1), draw(shape, dtype, 2)
        check("fmax", x, y)
        check("fmin", x, y)
        if dtype in FLOATS:
            continue
        check("bitwise_count", x)
        check("packbits", x)
        check("packbits", x, bitorder="little")
        x, y = draw(shape, dtype, 1, False), draw(shape, dtype, 2, False)
        check("gcd", x, y)
        check("lcm", x % 8, y % 8)
        check("gcd", x, 6)
        check("bincount", np.abs(x[0]) if x.ndim > 1 else np.abs(x)) if dtype != "L" else None
        if dtype == "B":
            check("unpackbits", x)
            check("unpackbits", x, bitorder="little")
        if dtype == "l":
            parts = np.unravel_index(np.arange(30), (5, 6))
            there = tuple(at(part) for part in parts)
            same_as_numpy(corepy.ravel_multi_index(there, (5, 6)).to_device("cpu"), np.arange(30))
