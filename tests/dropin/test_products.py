"""Products and linear algebra of the drop-in, compared with NumPy's."""

import inspect
import itertools

import numpy as np
import pytest
from running import output_of

import corepy
from corepy.numpy import _einsum, _linalg, _products, frequent
from corepy.numpy.conversion import finished

from .against_numpy import DTYPES, SHAPES, check, compare, layouts, samples

PAIRS = [
    ((), ()), ((), (3,)), ((2, 3), ()), ((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 2)),
    ((2, 3), (3, 4)), ((2, 3), (4, 3)), ((3,), (2, 3)), ((2, 3, 4), (4, 2)), ((2, 3, 4), (5, 4, 3)),
    ((2, 3, 4), (3, 4)), ((0,), (0,)), ((2, 0), (0, 3)), ((0, 3), (3, 2)), ((3,), (4,)),
]  # fmt: skip
SUBSCRIPTS = """
    i,i-> i,i i,i->i i,j->ij i,j->ji ij->ji ij->ij ij ji ii->i ii-> ii ij-> ij->i ij->j ij,jk->ik
    ij,jk->ki ij,kj->ik ij,kj ji,jk ij,ij-> ij,ij->ij ij,ij->i ij,ij->j ij,j->i ij,i->j ij,j->ij
    i,ij,j-> ij,jk,kl->il ijk->kji ijk,kl->ijl ijk,ikl->ijl ijk,ilk->ijl ijk,ijk->i ijk,ijk->jk
    ik,jk,lk->ijl ...ij,...jk->...ik i...->... ...->... i...,i... ij...,jk...->...ik iij->ij iij->ji
    iji->ij iii->i iij,jk , ,i->i ijk,jil->kl ijk,jl ij,ij,ij->ij i,i,i-> ab,ai,bj->ij ijk,ijl->klij
    ijk,jil->lkji ijk,lij->jkl ab,bc,cd,de->ae abc,bd,cd->a ...,... ...i->...i i...j,j...->...i
    ij,jk->i,k ij->ijj i->j i,j->k ij->... ..i,i ij.,j i1,1j a,b,c->
""".split()


@pytest.mark.parametrize("name", ["dot", "inner", "outer", "vdot", "kron"])
def test_products_of_two(name):
    own = frequent.dot if name == "dot" else getattr(_products, name)
    of_numpy = getattr(np, name)
    for (first, second), dtype in itertools.product(PAIRS, DTYPES):
        a, b = samples(first, dtype, 1), samples(second, dtype, 2)
        for x, y in zip(layouts(a), itertools.cycle(layouts(b)), strict=False):
            check(own, of_numpy, x, y, own_only=True)
    for one, other in itertools.product(DTYPES, DTYPES):
        check(own, of_numpy, samples(4, one, 1), samples(4, other, 2), own_only=True)
    assert check(own, of_numpy, [1, 2], (0.5, 2.0))
    check(own, of_numpy, samples(3, "f"), 2.5)


def test_dot_writes_to_out():
    a, b, out = samples((2, 3), "d"), samples((3, 4), "d"), corepy.zeros((2, 4))
    assert frequent.dot(corepy.asarray(a), corepy.asarray(b), out) is out
    compare(out, a @ b)
    for out in (corepy.zeros((2, 4), dtype="f"), corepy.zeros((4, 2)).T, corepy.zeros((1, 2, 4))):
        with pytest.raises(ValueError, match=r"^dot: out must have dtype float64, shape \(2, 4\)"):
            corepy.dot(corepy.asarray(a), corepy.asarray(b), out=out)


def test_tensordot():
    a, b = samples((3, 4, 2), "d", 1), samples((4, 3, 5), "d", 2)
    for axes in [0, ((0, 1), (1, 0)), ([1], [0]), (1, 0), (-2, 0), ([0, 1], [1, 0]), ((), ())]:
        assert check(_products.tensordot, np.tensordot, a, b, axes)
        assert check(_products.tensordot, np.tensordot, a, b, axes=axes)
    square = samples((3, 3), "l")
    for axes in (0, 1, 2, np.array([1, 0]), (0, 1)):
        assert check(_products.tensordot, np.tensordot, square, square, axes)
    for axes in (
        3,
        -1,
        (0, 0),
        ((0, 0), (1, 1)),
        ((0, 1), (1,)),
        (5, 0),
        "a",
        None,
        ((0,), (1,), 2),
    ):
        check(_products.tensordot, np.tensordot, a, b, axes)


def test_trace():
    for dtype in DTYPES:
        for array in layouts(samples((3, 4), dtype)):
            for offset in (0, 1, -2, 9):
                assert check(_products.trace, np.trace, array, offset)
        cube = samples((2, 3, 4), dtype)
        for axes in itertools.permutations((0, 1, -1), 2):
            assert check(_products.trace, np.trace, cube, 1, *axes)
    assert check(_products.trace, np.trace, samples((3, 3), "b"), dtype=np.float64)
    check(_products.trace, np.trace, cube, 0, 1, 1)
    check(_products.trace, np.trace, samples(3, "d"))


def test_cross():
    for dtype in "?blfdDB":
        for first, second in [((3,), (3,)), ((5, 3), (5, 3)), ((5, 3), (3,)), ((2, 1, 3), (4, 3))]:
            a, b = samples(first, dtype, 1), samples(second, dtype, 2)
            check(_products.cross, np.cross, a, b, own_only=True)
    a, b = samples((3, 4, 5), "d", 1), samples((3, 4, 5), "d", 2)
    assert check(_products.cross, np.cross, a, b, 0, 0, 0)
    assert check(_products.cross, np.cross, a, b, 0, 0)
    assert check(_products.cross, np.cross, a, b, axis=0)
    assert check(_products.cross, np.cross, a, np.moveaxis(b, 0, 1).copy(), 0, 1, axisc=1)
    for shapes in [((2,), (3,)), ((2,), (2,)), ((4,), (4,)), ((), ())]:
        check(_products.cross, np.cross, *[samples(shape, "d") for shape in shapes])


# ---- einsum


def _operands(subscripts, extra, dtype, draw):
    """Make operands of sizes that the labels have; some of size 1, where that is repeated."""
    arrays = []
    for term in subscripts.partition("->")[0].split(","):
        shape = []
        for label in term.replace("...", "."):
            if label == ".":
                shape += extra
            else:
                size = {"i": 3, "a": 3, "j": 4, "k": 5}.get(label, 2)
                shape.append(1 if draw.random() < 0.1 else size)
        arrays.append(samples(tuple(shape), dtype, draw.integers(1000)))
    return arrays


def _check_einsum(subscripts, *arrays, optimize):
    """Compare with NumPy's, which has arrays without axes for some values of `optimize`."""
    tensors = [corepy.asarray(array) for array in arrays]
    try:
        expected = np.einsum(subscripts, *arrays, optimize=optimize)[()]
    except (KeyError, ValueError):
        with pytest.raises(ValueError, match=r"^einsum: "):
            corepy.einsum(subscripts, *tensors, optimize=optimize)
    else:
        compare(corepy.einsum(subscripts, *tensors, optimize=optimize), expected)


@pytest.mark.parametrize("subscripts", SUBSCRIPTS)
def test_einsum(subscripts):
    draw = np.random.default_rng(5)
    for extra, dtype in itertools.product(([], [2], [1, 3]), "?bldfD"):
        if not extra or "..." in subscripts:
            for optimize in (False, True, "greedy"):
                arrays = _operands(subscripts, extra, dtype, draw)
                _check_einsum(subscripts, *arrays, optimize=optimize)


def test_einsum_takes_the_common_calls():
    for subscripts in SUBSCRIPTS[:52]:
        operands = [samples((3,) * len(term.replace("...", "aa")), "d", k)
                    for k, term in enumerate(subscripts.partition("->")[0].split(","))]  # fmt: skip
        assert check(_einsum.einsum, np.einsum, subscripts, *operands), subscripts


def test_einsum_of_labels_that_are_numbers():
    a, b = samples((2, 3), "d", 1), samples((3, 4), "f", 2)
    assert check(_einsum.einsum, np.einsum, a, [0, 1], b, [1, 2])
    assert check(_einsum.einsum, np.einsum, a, [0, 1], b, [1, 2], [2, 0])
    assert check(_einsum.einsum, np.einsum, a, [Ellipsis, 1], b, [1, 2], [Ellipsis, 2])
    check(_einsum.einsum, np.einsum, a, [0, -1])
    check(_einsum.einsum, np.einsum, a, [0, 60])
    check(_einsum.einsum, np.einsum, a)


def test_views_by_einsum_can_be_written_to():
    for subscripts, shape in [("ij->ji", (2, 3)), ("ii->i", (3, 3)), ("iij->ji", (2, 2, 3)),
                              ("...->...", (4,)), ("iji->ij", (2, 3, 2)),
                              ("iii->i", (2, 2, 2))]:  # fmt: skip
        x = corepy.zeros(shape)
        view = corepy.einsum(subscripts, x)
        assert view is not x
        view += 1.0
        array = np.zeros(shape)
        other = np.einsum(subscripts, array)
        other += 1.0
        compare(x, array)
    x.flags.writeable = False
    assert not corepy.einsum("iii->i", x).flags.writeable


def test_einsum_out_and_other_keywords():
    a, out = corepy.asarray(samples((3, 3), "d")), corepy.zeros(3)
    assert _einsum.einsum("ij->i", a, out=out) is out
    compare(out, np.asarray(a).sum(1))
    for keywords in (
        {"dtype": "f"},
        {"order": "F"},
        {"casting": "no"},
        {"optimize": ["einsum_path"]},
    ):
        assert corepy.einsum.route("ij->i", a, **keywords) is None
    with pytest.raises(TypeError):
        corepy.einsum("ij->i", a, out=corepy.zeros(3, dtype="f"))


# ---- numpy.linalg


@pytest.mark.parametrize("keepdims", [False, True])
def test_norm(keepdims):
    orders = [None, "fro", "nuc", 0, 1, -1, 2, -2, 3, 0.5, np.inf, -np.inf, "bad"]
    for dtype, shape, order in itertools.product(DTYPES, SHAPES, orders):
        array = samples(shape, dtype)
        axes = [None, 0, -1, (0,), (0, 1), (-1, 0), (1, 1)] if dtype in "lfD" else [None, -1]
        for axis in axes:
            check(_linalg.norm, np.linalg.norm, array, order, axis, keepdims, ulps=64)
    for order, axis in [(None, None), (1, 0), (2, 1), ("fro", None), (None, (0, 1)), (2, None)]:
        assert check(_linalg.norm, np.linalg.norm, samples((3, 4), "d"), order, axis, ulps=64)
    for special in (np.nan, np.inf):
        array = np.array([[1.0, special], [2.0, 0.0]])
        for order, axis in [(None, None), (1, 1), (1, None), (np.inf, 0), (0, 0), (-np.inf, None)]:
            assert check(_linalg.norm, np.linalg.norm, array, order, axis)


def test_multi_dot():
    shapes = [(3, 5), (5, 2), (2, 7), (7, 4)]
    for count, dtype in itertools.product((2, 3, 4), "ldD"):
        arrays = [samples(shape, dtype, k) for k, shape in enumerate(shapes[:count])]
        first, last = samples(3, dtype), samples(shapes[count - 1][1], dtype)
        for chain in (arrays, [first, *arrays], [*arrays, last], [first, *arrays, last]):
            assert check(_linalg.multi_dot, np.linalg.multi_dot, chain)
    check(_linalg.multi_dot, np.linalg.multi_dot, arrays[:1])
    check(_linalg.multi_dot, np.linalg.multi_dot, arrays[::-1])


def _matrices(dtype, shape=(4, 4), seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def test_cond_and_matrix_rank():
    for dtype, p in itertools.product("fdD", [None, 2, -2, 1, "fro", np.inf]):
        taken = check(_linalg.cond, np.linalg.cond, _matrices(dtype), p, ulps=400)
        assert taken == (p in (None, 2, -2))
        check(_linalg.cond, np.linalg.cond, _matrices(dtype, (3, 4, 2)), p, ulps=400)
    for array in (np.zeros((3, 3)), np.ones((3, 3)), np.full((2, 2), np.nan), np.zeros((0, 2))):
        check(_linalg.cond, np.linalg.cond, array, ulps=1e30)
        if array.size:
            check(_linalg.matrix_rank, np.linalg.matrix_rank, array)
    assert corepy.linalg.matrix_rank(np.zeros((0, 2))) == 0  # an error before NumPy 2.4.5
    low = _matrices("d", (5, 2)) @ _matrices("d", (2, 4), 1)
    rank = _linalg.matrix_rank, np.linalg.matrix_rank
    for array in (
        low,
        low.astype("f"),
        np.stack([low, low * 0]),
        low[0],
        np.zeros(3),
        np.ones((2, 2), int),
    ):
        assert check(*rank, array)
        assert check(*rank, array, 1e-3)
        assert check(*rank, array, rtol=1e-3)
        check(*rank, array, 1e-3, rtol=1e-3)
    assert check(*rank, np.stack([low, low]), np.array([1e-3, 100.0]))


def test_decompositions():
    def elsewhere(x, *args, **kwargs):
        return _linalg.svd(x.to_device("reference"), *args, **kwargs).to_device("cpu")

    elsewhere.__name__ = "svd"
    for dtype, shape in itertools.product("ldf", [(4, 4), (5, 3), (3, 5), (2, 4, 3)]):
        array = _matrices(dtype, shape)
        for mode in ("reduced", "complete"):
            assert check(_linalg.qr, np.linalg.qr, array, mode, ulps=100)
        for svd in (elsewhere, corepy.linalg.svd):
            assert check(svd, np.linalg.svd, array, False, False, ulps=100)
        for full in (True, False):
            u, s, vh = _linalg.svd(corepy.asarray(array), full)
            expected = np.linalg.svd(array, full)
            compare(finished(s), expected[1], ulps=100)
            assert (u.shape, vh.shape) == (expected[0].shape, expected[2].shape)
    for mode in ("raw", "full", "wrong"):
        assert corepy.linalg.qr.route(corepy.eye(3), mode) is None


@pytest.mark.parametrize("dtype", ["f", "d", "F", "D"])
@pytest.mark.parametrize("shape", [(10, 8), (8, 10), (30, 30), (2, 40, 20)])
def test_factorizations_have_numpy_factors(dtype, shape):
    array = _matrices(dtype, shape)
    ulps = 4000
    for full in (False, True):
        assert check(_linalg.svd, np.linalg.svd, array, full, ulps=ulps)
    assert check(_linalg.svd, np.linalg.svd, array, compute_uv=False, ulps=ulps)
    for mode in ("reduced", "complete", "r"):
        assert check(_linalg.qr, np.linalg.qr, array, mode, ulps=ulps)


@pytest.mark.parametrize("dtypes", ["dd", "ff", "fd", "DD", "Fd", "ib"])
def test_least_squares(dtypes):
    def call(function):
        return lambda *args: [np.asarray(part) for part in function(*args)]

    def elsewhere(a, b, *args):
        a, b = a.to_device("reference"), b.to_device("reference")
        return [part.to_device("cpu") for part in corepy.linalg.lstsq(a, b, *args)]

    owns, of_numpy = [call(corepy.linalg.lstsq), call(elsewhere)], call(np.linalg.lstsq)
    for shape in [(7, 3), (3, 7), (4, 4), (40, 20)]:
        a = _matrices(dtypes[0], shape)
        for right in ((shape[0],), (shape[0], 2)):
            b = _matrices(dtypes[1], right, 1)
            for own, rcond in itertools.product(owns, (None, 1e-3, -1, 0, 1, 1.5)):
                found, expected = (
                    own(corepy.asarray(a), corepy.asarray(b), rcond),
                    of_numpy(a, b, rcond),
                )
                for ours, theirs in zip(found, expected, strict=True):
                    compare(corepy.asarray(ours), theirs, ulps=1e5)
    low = _matrices("d", (6, 2)) @ _matrices("d", (2, 4), 1)
    for own in owns:
        found, expected = own(corepy.asarray(low), corepy.ones(6)), of_numpy(low, np.ones(6))
        assert found[2] == 2
        for ours, theirs in zip(found[:3], expected[:3], strict=True):
            compare(corepy.asarray(ours), theirs, ulps=1e4)
    for a, b in [((0, 3), (0,)), ((3, 0), (3,)), ((3, 2), (3, 0)), ((3, 2), (4,)), ((3,), (3,))]:
        assert corepy.linalg.lstsq.route(corepy.zeros(a), corepy.zeros(b)) is None
    for rcond in ([0.5], np.zeros(0), corepy.asarray([0.1, 0.9])):
        assert corepy.linalg.lstsq.route(corepy.ones((3, 2)), corepy.ones(3), rcond) is None


@pytest.mark.parametrize("rows", [3, 40])
def test_errors_of_lapack_are_not_left_to_numpy(rows):
    """Its function would compute the same again."""
    ones = corepy.ones((rows, rows))
    for call in (corepy.linalg.inv, lambda x: corepy.linalg.solve(x, x[0])):
        with pytest.raises(np.linalg.LinAlgError, match=r"^linalg\.\w+: Singular matrix$"):
            call(ones)
    with pytest.raises(np.linalg.LinAlgError, match=r"^linalg\.cholesky: .* not positive definite"):
        corepy.linalg.cholesky(-ones)


WITHOUT_LOOPS = """
import types
import numpy as np
np.testing  # loaded now: it reads a name of the module
loops = np.linalg._umath_linalg
np.linalg._umath_linalg = types.SimpleNamespace(solve=loops.solve, solve1=loops.solve1)
import corepy.array_api as xp
from corepy.linalg import lstsq
a = np.random.default_rng(0).standard_normal((20, 20))
a = a @ a.T + np.eye(20)
x = xp.asarray(a)
for name in "cholesky det eigvalsh inv pinv svdvals".split():
    np.testing.assert_allclose(getattr(xp.linalg, name)(x), getattr(np.linalg, name)(a))
for name in "eigh qr slogdet svd".split():
    for ours, theirs in zip(getattr(xp.linalg, name)(x), getattr(np.linalg, name)(a)):
        np.testing.assert_allclose(ours, theirs)
np.testing.assert_allclose(xp.linalg.matrix_power(x, -2), np.linalg.matrix_power(a, -2))
np.testing.assert_allclose(xp.linalg.solve(x, x), np.eye(20), atol=1e-12)
np.testing.assert_allclose(lstsq(x, x)[0], np.eye(20), atol=1e-12)
print("all")
"""


def test_numpy_may_lack_its_loops_over_lapack():
    assert output_of(WITHOUT_LOOPS).split() == ["all"]


def test_pinv():
    def elsewhere(x, *args, **kwargs):
        return _linalg.pinv(x.to_device("reference"), *args, **kwargs).to_device("cpu")

    elsewhere.__name__ = "pinv"
    for dtype, shape in itertools.product("df", [(4, 4), (5, 3), (3, 5), (2, 4, 3)]):
        array = _matrices(dtype, shape)
        for own in (elsewhere, corepy.linalg.pinv):
            for keywords in ({}, {"rcond": 1e-2}, {"rtol": 1e-2}, {"rtol": None}):
                assert check(own, np.linalg.pinv, array, **keywords, ulps=400)
    low = _matrices("d", (5, 2)) @ _matrices("d", (2, 4), 1)
    for own in (elsewhere, corepy.linalg.pinv):
        assert check(own, np.linalg.pinv, low, 1e-8, ulps=1000)
    # NumPy's default is not the standard's.
    nearly = np.diag([1.0, 1e-15, 3e-15])
    assert check(corepy.linalg.pinv, np.linalg.pinv, nearly)


@pytest.mark.parametrize("dtype", ["f", "d", "D"])
@pytest.mark.parametrize("order", [1, 2, 5, 16, 17])
@pytest.mark.parametrize("stack", [(), (3,), (2, 3), (0,)])
def test_slogdet(dtype, order, stack):
    array = _matrices(dtype, (*stack, order, order)) - 3 * order * np.eye(order, dtype=dtype)
    for laid_out in (array, np.swapaxes(array, -1, -2), array[..., ::-1, :]):
        found = corepy.linalg.slogdet(corepy.asarray(laid_out))
        expected = np.linalg.slogdet(laid_out)
        compare(found.sign, expected.sign, ulps=100)
        compare(found.logabsdet, expected.logabsdet, ulps=100)


@pytest.mark.parametrize(
    "array",
    [
        np.zeros((3, 3)),
        np.ones((2, 2)),
        np.full((2, 2), np.nan),
        np.array([[np.inf, 1.0], [1.0, 1.0]]),
        np.diag([1e-300] * 4),  # the determinant underflows
        -np.diag([1e300] * 3),
        np.stack([np.eye(3), np.zeros((3, 3))]),
        np.diag([1e-40, 1e-40, -1.0]).astype("f"),
        np.arange(4).reshape(2, 2),
    ],
)
def test_slogdet_of_extremes(array):
    with np.errstate(all="ignore"):
        expected = np.linalg.slogdet(array)
    found = corepy.linalg.slogdet(corepy.asarray(array))
    compare(found.sign, expected.sign)
    compare(found.logabsdet, expected.logabsdet, ulps=4)


def test_signatures_are_as_in_numpy():
    for module, native in ((_products, np), (_einsum, np), (_linalg, np.linalg)):
        for name in module.__all__:
            parameters = inspect.signature(getattr(module, name)).parameters.values()
            expected = inspect.signature(getattr(native, name)).parameters.values()
            assert [(p.name, p.kind, p.default) for p in parameters] == [
                (p.name, p.kind, p.default) for p in expected
            ], name
