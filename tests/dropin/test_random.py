# ruff: noqa: NPY002 (the legacy functions are what is tested)
"""`corepy.random`: NumPy's generators and streams, tensors in and out."""

import copy
import pickle

import numpy
import pytest

import corepy
import corepy as np
import corepy.random

from .against_numpy import assert_same

STEPS = ("shuffle", "permutation", "permuted", "choice")


def generators(seed=3):
    """Pairs of Corepy's and NumPy's generator of the same stream."""
    return [
        (np.random.default_rng(seed), numpy.random.default_rng(seed)),
        (
            np.random.Generator(numpy.random.MT19937(seed)),
            numpy.random.Generator(numpy.random.MT19937(seed)),
        ),
        (np.random.RandomState(seed), numpy.random.RandomState(seed)),
    ]


@pytest.fixture(params=range(3))
def pair(request):
    return generators()[request.param]


def array(shape=(6, 2)):
    return numpy.arange(numpy.prod(shape), dtype=float).reshape(shape)


def test_types_are_subclasses_of_numpy():
    assert np.random is corepy.random
    assert isinstance(np.random.default_rng(), numpy.random.Generator)
    assert isinstance(np.random.RandomState(), numpy.random.RandomState)
    assert issubclass(np.random.Generator, numpy.random.Generator)
    assert isinstance(np.random.default_rng().bit_generator, numpy.random.PCG64)
    assert np.random.mtrand._rand is numpy.random.mtrand._rand
    assert set(numpy.random.__all__) <= set(dir(np.random))
    with pytest.raises(AttributeError, match=r"corepy\.random.*nothing"):
        np.random.nothing


def test_arrays_are_tensors_and_numbers_stay_numbers(pair):
    ours, theirs = pair
    assert_same(ours.standard_normal((2, 3)), theirs.standard_normal((2, 3)))
    assert_same(ours.random(4), theirs.random_sample(4) if hasattr(theirs, "rand") else
                theirs.random(4))  # fmt: skip
    for name, args in (
        ("random", ()),
        ("normal", (1.0, 2.0)),
        ("poisson", (3.0,)),
        ("choice", (5,)),
    ):
        one, other = getattr(ours, name)(*args), getattr(theirs, name)(*args)
        assert type(one) is type(other)
        assert one == other
        hash(one)
    assert ours.bytes(5) == theirs.bytes(5)


def test_every_distribution_draws_the_same(pair):
    ours, theirs = pair
    drawn = 0
    for name in sorted(vars(type(theirs))):
        if name.startswith("_") or name in (*STEPS, "bytes", "seed", "set_state", "get_state"):
            continue
        for args in ((), (0.5,), (0.5, 1.5), (3, 0.5), (2, 3, 4), ([0.2, 0.8],), (5, [0.2, 0.8])):
            try:
                expected = getattr(theirs, name)(*args, size=3)
            except (TypeError, ValueError):
                continue
            tensors = [corepy.asarray(arg) if isinstance(arg, list) else arg for arg in args]
            assert_same(getattr(ours, name)(*tensors, size=3), expected)
            drawn += 1
    assert drawn > 30


@pytest.mark.parametrize("layout", ["plain", "strided", "negative", "transposed"])
def test_shuffling_is_in_place(pair, layout):
    def laid_out():
        whole = array((6, 4))
        return {
            "plain": whole, "strided": whole[:, ::2], "negative": whole[::-1],
            "transposed": whole.T,
        }[layout]  # fmt: skip

    ours, theirs = pair
    expected = laid_out()
    t = np.asarray(laid_out())
    memory = numpy.asarray(t)
    assert ours.shuffle(t) is None
    theirs.shuffle(expected)
    assert_same(t, expected)
    numpy.testing.assert_array_equal(memory, expected)
    assert sorted(expected.ravel()) == sorted(t.ravel().tolist())
    one_dimensional, other = np.asarray(array((7,))), array((7,))
    ours.shuffle(one_dimensional)
    theirs.shuffle(other)
    assert_same(one_dimensional, other)


def test_shuffling_along_an_axis():
    ours, theirs = generators()[0]
    t, expected = np.asarray(array()), array()
    ours.shuffle(t, axis=1)
    theirs.shuffle(expected, axis=1)
    assert_same(t, expected)


def test_shuffling_other_things(pair):
    ours, theirs = pair
    for make in (
        lambda: list(range(8)),
        lambda: array(),
        lambda: numpy.array(["a", "b", "c", "d"]),
        lambda: numpy.ma.array([1, 2, 3, 4], mask=[0, 1, 0, 0]),
    ):
        one, other = make(), make()
        ours.shuffle(one)
        theirs.shuffle(other)
        assert repr(one) == repr(other)
    tensors = [corepy.asarray(k) for k in range(8)]
    numbers = list(range(8))
    same = tensors
    ours.shuffle(tensors)
    theirs.shuffle(numbers)
    assert tensors is same
    assert [int(t) for t in tensors] == numbers


def test_read_only_tensors_are_not_shuffled(pair):
    ours, theirs = pair
    frozen = np.broadcast_to(np.asarray([1.0, 2.0]), (3, 2))
    for generator, x in ((ours, frozen), (theirs, numpy.broadcast_to([1.0, 2.0], (3, 2)))):
        with pytest.raises(ValueError, match="read-only"):
            generator.shuffle(x)


def test_tensors_of_other_devices_are_refused(pair):
    with pytest.raises(ValueError, match=r"shuffle: .*reference.*to_device\('cpu'\)"):
        pair[0].shuffle(corepy.asarray([1.0, 2.0], device="reference"))


def test_permutation_and_choice(pair):
    ours, theirs = pair
    t = np.asarray(array())
    assert_same(ours.permutation(t), theirs.permutation(array()))
    assert_same(t, array())
    assert_same(ours.permutation(5), theirs.permutation(5))
    assert_same(ours.choice(t[:, 0], 4), theirs.choice(array()[:, 0], 4))
    assert_same(ours.choice(5, 3, replace=False), theirs.choice(5, 3, replace=False))
    weights = numpy.array([0.1, 0.2, 0.3, 0.4])
    assert_same(ours.choice(4, 3, p=np.asarray(weights)), theirs.choice(4, 3, p=weights))
    assert list(ours.choice(["a", "b"], 4)) == list(theirs.choice(["a", "b"], 4))


def test_steps_with_vectors(pair):
    """Corepy copies, and picks elements, itself; the numbers are NumPy's."""
    ours, theirs = pair
    vectors = [
        numpy.arange(9.0),
        numpy.arange(20)[::-3],
        numpy.zeros(0),
        numpy.array([True, False, True]),
    ]
    frozen = numpy.arange(5, dtype="F")
    frozen.flags.writeable = False
    for vector in [*vectors, frozen]:
        x = corepy.asarray(vector)
        assert_same(ours.permutation(x), theirs.permutation(vector))
        assert_same(x, vector)
        if vector.size:
            assert ours.choice(x) == theirs.choice(vector)
            for size in (0, 3, (2, 3), (), (0, 2)):
                assert_same(ours.choice(x, size), theirs.choice(vector, size))
            assert_same(ours.permutation(4), theirs.permutation(4))  # the streams are the same
    assert ours.permutation(corepy.asarray(frozen)).flags.writeable
    assert_same(ours.permutation(0), theirs.permutation(0))
    for call in ("choice(v, -1)", "choice(v, (2, -1))", "choice(v[:0], 2)", "permutation(-3.5)"):
        errors = []
        for generator, v in ((ours, corepy.asarray(vectors[0])), (theirs, vectors[0])):
            with pytest.raises((ValueError, TypeError, IndexError)) as caught:
                eval(f"generator.{call}", {"generator": generator, "v": v})
            errors.append((caught.type, str(caught.value)))
        assert errors[0] == errors[1]


def test_permuted_and_out():
    ours, theirs = generators()[0]
    t, expected = np.asarray(array()), array()
    assert_same(ours.permuted(t, axis=1), theirs.permuted(expected, axis=1))
    out = np.zeros((6, 2))
    assert ours.permuted(t, axis=0, out=out) is out
    assert_same(out, theirs.permuted(expected, axis=0))
    assert ours.permuted(t, out=t) is t
    theirs.permuted(expected, out=expected)
    assert_same(t, expected)
    assert ours.random(out=out) is out
    assert_same(out, theirs.random(size=(6, 2)))
    single = np.zeros(3, dtype=np.float32)
    ours.standard_normal(out=single, dtype=np.float32)
    assert_same(single, theirs.standard_normal(3, dtype=np.float32))


def test_copies_and_pickles_go_on_with_the_same_stream(pair):
    ours, _ = pair
    ours.standard_normal()  # RandomState keeps the second of two normal numbers
    for other in (pickle.loads(pickle.dumps(ours)), copy.deepcopy(ours)):
        assert type(other) is type(ours)
        state = pickle.dumps(ours)
        assert_same(other.standard_normal(3), numpy.asarray(ours.standard_normal(3)))
        ours = pickle.loads(state)


def test_spawned_generators():
    ours, theirs = generators()[0]
    for child, other in zip(ours.spawn(2), theirs.spawn(2), strict=True):
        assert type(child) is np.random.Generator
        assert_same(child.random(3), other.random(3))


def assert_same_or_number(ours, expected):
    if isinstance(expected, numpy.ndarray):
        assert_same(ours, expected)
    else:
        assert type(ours) is type(expected) and ours == expected


SIZES = [
    0, 1, 7, 5000, (3, 4), (0, 2), (2, 1, 3), (), None, True, 2.0, -1, (2, -1), [2], [], 1 << 70,
]  # fmt: skip


@pytest.mark.parametrize("size", SIZES)
def test_numbers_from_0_to_1(size):
    for ours, theirs in generators():
        for name in ("random", "random_sample"):
            if not hasattr(theirs, name):
                continue
            try:
                expected = getattr(theirs, name)(size)
            except Exception as error:
                with pytest.raises(type(error)):
                    getattr(ours, name)(size)
            else:
                assert_same_or_number(getattr(ours, name)(size), expected)
            assert_same(getattr(ours, name)(size=3), getattr(theirs, name)(size=3))


@pytest.mark.parametrize("cls", ["default_rng", "RandomState"])
def test_uniform_ranges(cls):
    for low, high in (
        (-1, 1), (0.1, 7.3), (3, 3), (1, -1), (0, 1), (True, 2.5), (-1e308, 1e308), (0.0, np.inf),
        (np.nan, 1.0), (0, 10**400), (-0.0, 0.0), (0.0, -0.0), (np.float64(2), 3.0),
    ):  # fmt: skip
        for args, kwargs in (
            ((1000,), {}), ((2000,), {}), (((2, 3),), {}), ((), {"size": 4}), ((2.5,), {}),
            ((), {"size": (0, 2)}), ((), {"size": -1}), ((), {"size": None}), ((), {}),
            ((3,), {"size": 3}),
        ):  # fmt: skip
            ours, theirs = getattr(np.random, cls)(4), getattr(numpy.random, cls)(4)
            try:
                expected = theirs.uniform(low, high, *args, **kwargs)
            except Exception as error:
                with pytest.raises(type(error)):
                    ours.uniform(low, high, *args, **kwargs)
            else:
                assert_same_or_number(ours.uniform(low, high, *args, **kwargs), expected)
            assert_same_or_number(ours.random(), theirs.random())  # as many numbers were drawn


def test_functions_of_axes_and_sizes():
    for name, args in (
        ("rand", ()), ("rand", (3,)), ("rand", (2, 3)), ("rand", (0, 2)), ("random", (4,)),
        ("ranf", ((2, 2),)), ("sample", (3,)), ("random_sample", ()), ("randn", (2, 2)),
        ("uniform", (-1, 1, (2, 2))), ("normal", ([1.0, 2.0],)), ("randint", (0, 10, 4)),
    ):  # fmt: skip
        np.random.seed(5)
        expected = getattr(numpy.random, name)(*args)
        np.random.seed(5)
        assert_same_or_number(getattr(np.random, name)(*args), expected)
        assert pickle.loads(pickle.dumps(getattr(np.random, name))) is getattr(np.random, name)
    with pytest.raises(ValueError, match="negative"):
        np.random.rand(-1)
    with pytest.raises(TypeError):
        np.random.Generator.random()


def test_states():
    ours, theirs = generators()[2]
    ours.standard_normal(), theirs.standard_normal()
    state, expected = ours.get_state(), theirs.get_state()
    assert type(state[1]) is numpy.ndarray
    assert repr(state) == repr(expected)
    drawn = ours.standard_normal(3)
    ours.set_state(expected)
    assert_same(ours.standard_normal(3), numpy.asarray(drawn))
    ours.set_state((state[0], corepy.asarray(state[1]), *state[2:]))
    assert_same(ours.standard_normal(3), numpy.asarray(drawn))
    ours.seed(9), theirs.seed(9)
    assert_same(ours.rand(3), theirs.rand(3))


@pytest.mark.parametrize("cls", ["default_rng", "RandomState"])
def test_seeds(cls):
    ours, theirs = getattr(np.random, cls), getattr(numpy.random, cls)
    for seed, same in (
        (5, 5),
        ([1, 2, 3], [1, 2, 3]),
        (corepy.asarray([4, 5]), [4, 5]),
        (corepy.asarray(6), 6),
        (numpy.random.PCG64(7), numpy.random.PCG64(7)),
    ):
        assert_same(ours(seed).uniform(size=3), theirs(same).uniform(size=3))
    ours()
    sequence = numpy.random.SeedSequence(8)
    assert_same(np.random.default_rng(sequence).random(3), numpy.random.default_rng(8).random(3))


def test_generators_as_seeds():
    ours = np.random.default_rng(3)
    assert np.random.default_rng(ours) is ours
    theirs = numpy.random.default_rng(3)
    shared = np.random.default_rng(theirs)
    assert type(shared) is np.random.Generator
    assert shared.bit_generator is theirs.bit_generator
    assert numpy.random.default_rng(ours) is ours


def test_the_global_stream_is_as_in_numpy():
    for seed in (np.random.seed, numpy.random.seed):
        seed(5)
        made = np.random.standard_normal((2, 3))
        seed(5)
        assert_same(made, numpy.random.standard_normal((2, 3)))
    numpy.random.seed(6)
    first = np.random.rand(2)
    second = numpy.random.rand(2)
    numpy.random.seed(6)
    assert_same(first, numpy.random.rand(2))
    numpy.testing.assert_array_equal(second, numpy.random.rand(2))
    state = numpy.random.get_state()
    t, expected = np.asarray(array()), array()
    np.random.shuffle(t)
    np.random.set_state(state)
    numpy.random.shuffle(expected)
    assert_same(t, expected)
    names = ["a", "b", "c", "d"]
    np.random.set_state(state)
    np.random.shuffle(names)
    assert names != ["a", "b", "c", "d"]
    assert np.random.randint(5) in range(5)
    assert type(np.random.random()) is float


def test_scipy_and_scikit_learn_take_them():
    stats = pytest.importorskip("scipy.stats")
    for ours, theirs in generators():
        drawn = stats.norm.rvs(size=5, random_state=ours)
        numpy.testing.assert_array_equal(drawn, stats.norm.rvs(size=5, random_state=theirs))
        matrix = stats.ortho_group.rvs(3, random_state=ours)
        numpy.testing.assert_allclose(matrix, stats.ortho_group.rvs(3, random_state=theirs))
    pytest.importorskip("sklearn")
    from sklearn.cluster import KMeans
    from sklearn.datasets import make_blobs
    from sklearn.model_selection import train_test_split
    from sklearn.utils import check_random_state, shuffle

    ours, theirs = generators()[2]
    assert check_random_state(ours) is ours
    (x, y), (u, v) = make_blobs(60, random_state=ours), make_blobs(60, random_state=theirs)
    numpy.testing.assert_array_equal(x, u)
    numpy.testing.assert_array_equal(y, v)
    for one, other in zip(
        [*train_test_split(u, v, random_state=ours), *shuffle(u, v, random_state=ours)],
        [*train_test_split(u, v, random_state=theirs), *shuffle(u, v, random_state=theirs)],
        strict=True,
    ):
        numpy.testing.assert_array_equal(one, other)
    fits = [KMeans(3, n_init=2, random_state=state).fit(u) for state in (ours, theirs)]
    numpy.testing.assert_allclose(fits[0].cluster_centers_, fits[1].cluster_centers_)


def test_seeds_and_bit_generators_take_tensors():
    seed = np.asarray([1, 2, 3])
    for name in ("MT19937", "PCG64", "PCG64DXSM", "Philox", "SFC64"):
        ours, theirs = getattr(np.random, name), getattr(numpy.random, name)
        assert type(ours(seed)) is theirs
        assert ours(seed).random_raw() == theirs(numpy.asarray([1, 2, 3])).random_raw()
        assert isinstance(theirs(), ours)
        assert isinstance(pickle.loads(pickle.dumps(ours(1))), ours)
    state = np.random.SeedSequence(seed).generate_state(2)
    assert list(state) == list(numpy.random.SeedSequence([1, 2, 3]).generate_state(2))
