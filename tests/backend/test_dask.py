"""Dask's arrays of tensors, by small chunks in this process: agreement with the CPU, laziness,
writes, warnings.
"""

import operator
import pickle
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from agreement import Agree, numbers
from strategies import DTYPES, assert_same, random_array, special_values

import corepy
import corepy.array_api as xp
from corepy import Tensor
from corepy.testing import check_backend

dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")

from small_chunks import backend, in_chunks, native, small_chunks, there  # noqa: E402

DTYPE_IDS = [str(dtype) for dtype in DTYPES]
every_dtype = pytest.mark.parametrize("dtype", DTYPES, ids=DTYPE_IDS)

#: One operation, at least, of each way to compute.
SAMPLE = (
    "add where clip astype sum mean var argmax max any cumulative_sum cumulative_prod "
    "matmul vecdot tensordot concat stack reshape permute_dims roll flip repeat tile take "
    "take_along_axis sort argsort searchsorted isin nonzero unique_values unique_counts unique_all "
    "linspace arange eye linalg.qr linalg.svd linalg.pinv linalg.det linalg.solve "
    "linalg.vector_norm linalg.trace linalg.cross fft.fft fft.rfftn fft.irfftn meshgrid tril diff "
    "broadcast_to"
).split()


@pytest.fixture(autouse=True)
def chunks_are_small():
    with small_chunks():
        yield


@pytest.fixture
def agree():
    return Agree(there)


class Counting(dask.callbacks.Callback):
    """Counts the tasks that are computed within it."""

    def __init__(self):
        self.count = 0

    def _pretask(self, key, dsk, state):
        self.count += 1


# ---- the device


def test_device():
    assert [str(device) for device in backend.devices()] == ["dask"]
    assert corepy.device("dask") is backend.devices()[0]
    assert backend.is_available() and backend.remote


def test_dask_is_imported_when_the_device_is_used():
    program = """if True:
        import sys, corepy
        corepy.available_devices()
        x = corepy.ones(3) + 1
        assert "dask" not in sys.modules
        corepy.namespace("dask").ones(3)
        assert "dask" in sys.modules
    """
    subprocess.run([sys.executable, "-c", program], check=True)


def test_missing_library_says_what_to_install(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert backend.missing() == "dask is not installed: pip install 'corepy[dask]'"


@every_dtype
def test_every_dtype_there_and_back(dtype):
    array = random_array(dtype, (3, 4))
    for made in (array, array.T, array[::-1, ::-2], array[:0], array[1, 2]):
        x = Tensor(made).to_device("dask")
        assert x.device == "dask"
        assert_same(x, made)
        assert_same(x.to_device("cpu"), made)
        assert_same(pickle.loads(pickle.dumps(x)), made)


def test_memory_is_not_shared():
    array = np.arange(3.0)
    x = there.asarray(array)
    array[0] = 5
    y = x.to_device("cpu")
    y[1] = 7
    z = np.asarray(x)
    z[2] = 9
    assert x.tolist() == [0, 1, 2]


# ---- chunks


def test_chunks():
    x = in_chunks(np.arange(12.0).reshape(3, 4), 2, 3)
    assert native(x).chunks == ((2, 1), (3, 1))
    assert native(there.asarray(x, chunks=(3, 4))).chunks == ((3,), (4,))
    assert native(there.ones((4, 4))).chunks == ((2, 2), (2, 2))
    assert isinstance(native(x), da.Array)
    assert type(native(x)._meta) is corepy.ndarray and native(x)._meta.shape == (0, 0)
    assert {type(block.compute()) for block in native(x).to_delayed().ravel()} == {corepy.ndarray}


def test_chunks_of_128_mib_by_default():
    with dask.config.set({"array.chunk-size": "128 MiB"}):
        x = there.zeros((100_000, 1000))
    assert max(size * x.shape[1] * 8 for size in native(x).chunks[0]) <= 2**27
    assert native(x).npartitions <= 8


@pytest.mark.parametrize("chunks", [0, (1, 2, 3), "many", ((1, 1),)])
def test_wrong_chunks(chunks):
    with pytest.raises(ValueError, match=r"^asarray: chunks"):
        there.asarray([1.0, 2.0, 3.0], chunks=chunks)


def test_chunks_on_another_device():
    with pytest.raises(ValueError, match=r"^asarray: arrays on cpu are not stored in chunks"):
        xp.asarray([1.0], chunks=1)


def test_arrays_of_dask_become_tensors():
    array = da.from_array(np.arange(10.0), chunks=3)
    x = backend.wrap(array)
    assert_same(x * 2, np.arange(10.0) * 2)
    y = backend.wrap(array[array > 4])  # of unknown size
    assert y.shape == (5,)
    assert_same(y, np.arange(5.0, 10.0))


def test_methods_of_dasks_arrays():
    array = np.arange(12.0).reshape(3, 4)
    for x in (in_chunks(array, 2, 3), there.reshape(there.arange(12.0), (3, 4)) * there.ones(())):
        for function in (
            lambda x: x.astype("int8"), lambda x: x.sum(axis=0), lambda x: x.mean(), lambda x: x[0],
            lambda x: x.reshape(12), lambda x: x.ravel(), lambda x: x.repeat(2, axis=1), abs,
            lambda x: x.std(axis=1), lambda x: x.cumsum(axis=1),
            lambda x: x.clip(2, 5), lambda x: x.T.copy(), lambda x: x.dot(x.T), lambda x: x.max(),
        ):  # fmt: skip
            found = function(native(x)).compute()
            assert isinstance(found, (corepy.ndarray, np.generic))
            np.testing.assert_allclose(found, function(array))


# ---- laziness


def test_nothing_is_computed_before_it_is_asked_for():
    with Counting() as counted:
        x = in_chunks(np.arange(24.0).reshape(4, 6), 2, 3)
        y = there.sum((x - there.mean(x, axis=0)) ** 2, axis=0)
        y[0] = 1.0
        y += 1
        q, r = there.linalg.qr(in_chunks(np.ones((8, 2)), 4, 2))
        parts = there.concat([x.T, x.T]), there.reshape(x, (24,))[3:20:2], there.matmul(x.T, x)
        taken = there.take(x, there.argmax(x, axis=1), axis=1)
        text = [repr(part) for part in (*parts, y, q, r, taken)]
        assert counted.count == 0
    assert text[-4:] == [
        "Tensor(<not computed>, shape=(6,), chunks of (3,), device='dask')",
        "Tensor(<not computed>, shape=(8, 2), chunks of (4, 2), device='dask')",
        "Tensor(<not computed>, shape=(2, 2), chunks of (2, 2), device='dask')",
        "Tensor(<not computed>, shape=(4, 4), chunks of (2, 2), device='dask')",
    ]
    assert str(y) == repr(y) and "not computed" in y._repr_html_()
    assert repr(corepy.arange(6.0, device="dask")).startswith("array(<not computed>, ")


def test_reading_computes():
    for k, read in enumerate([float, bool, int, complex, operator.index, np.asarray]):
        x = there.sum(in_chunks(np.arange(8), 3) + k)
        with Counting() as counted:
            assert read(x) == read(Tensor(28 + 8 * k))
            assert counted.count > 0


def test_comparisons_compute_when_they_are_a_condition():
    x = there.sum(in_chunks(np.arange(8.0), 2))
    with Counting() as counted:
        same = x == 28
        assert counted.count == 0
        assert same
        assert counted.count > 0


def test_compute_shares_work():
    x = there.exp(in_chunks(np.arange(12.0), 3))
    with Counting() as alone:
        dask.compute(native(there.sum(x)))
    with Counting() as both:
        pair = there.sum(x), there.max(x)
        assert corepy.compute(*pair) is not pair
    assert both.count < 2 * alone.count
    with Counting() as known:
        assert float(pair[0]) == pytest.approx(np.exp(np.arange(12.0)).sum())
        assert float(pair[1]) == np.exp(11.0)
        assert known.count == 0


def test_compute_of_several_devices():
    x, y = there.ones(10) + 1, xp.ones(3)
    assert corepy.compute(x, y) == (x, y)
    assert corepy.compute(x) is x
    with pytest.raises(TypeError, match=r"^compute: expected Tensors, got int"):
        corepy.compute(x, 1)


def test_persist():
    x = there.exp(in_chunks(np.arange(12.0), 3))
    assert corepy.persist(x) is x
    assert native(x).chunks == ((3, 3, 3, 3),)
    with Counting() as counted:
        y = x + 1
        assert_same(y, np.exp(np.arange(12.0)) + 1, ulp=1)
    assert counted.count <= 8  # one task of each chunk, and that it is there
    assert corepy.persist(x, xp.ones(2))[0] is x
    with pytest.raises(TypeError, match=r"^persist: expected Tensors"):
        corepy.persist([x])


def test_elements_of_a_small_array_compute_it_once():
    x = there.exp(in_chunks(np.arange(12.0), 3))
    with Counting() as counted:
        values = [float(x[k]) for k in range(12)]
    assert values == xp.exp(xp.arange(12.0)).tolist()
    assert counted.count <= 12


def test_an_element_is_not_changed_by_a_later_write():
    x = there.exp(in_chunks(np.arange(12.0), 3))
    first = x[0]
    x[0] = 5.0
    assert (float(first), float(x[0])) == (1.0, 5.0)


def test_a_chain_is_one_task_of_each_chunk():
    x = in_chunks(np.arange(12.0), 3)
    y = there.sin(x) * 2
    z = y * y + there.where(y > 0, y, x)
    with Counting() as counted:
        z.to_device("cpu")
    assert counted.count <= 8  # with the tasks that are the data of x
    assert_same(z, np.asarray(_chain(xp.arange(12.0))))


def _chain(x):
    y = xp.sin(x) * 2
    return y * y + xp.where(y > 0, y, x)


def test_a_task_is_one_fused_program():
    x = in_chunks(np.arange(200_000.0), 100_000)
    y = there.sin(x) * 2 + there.cos(x)
    y.to_device("cpu")
    assert "sin" in str(corepy.lazy.last_plan()) and "cos" in str(corepy.lazy.last_plan())


def test_threads_of_tasks():
    from corepy.backend.dask import tasks

    found = []
    tasks.run(1, lambda: found.append(corepy.get_num_threads()))
    assert found == [1]


# ---- tokens, sizes


def test_tokens_are_those_of_the_values():
    tokenize = dask.base.tokenize
    x = Tensor([[1.0, 2.0], [3.0, 4.0]])
    assert tokenize(x) == tokenize(Tensor([[1.0, 2.0], [3.0, 4.0]]))
    with corepy.fuse():
        assert tokenize(x) == tokenize(x + 0.0)
    for other in (x.T, x + 0.5, xp.astype(x, xp.float32), xp.reshape(x, (4,)), x[0]):
        assert tokenize(x) != tokenize(other)
    nan = xp.asarray(np.nan)
    assert tokenize(nan) != tokenize(-nan)
    assert tokenize(xp.asarray(0.0)) != tokenize(-xp.asarray(0.0))
    assert tokenize(x) == tokenize(x.T.T) == tokenize(xp.asarray(np.asfortranarray(np.asarray(x))))


def test_names_are_those_of_the_computation():
    def program(shift=1.0):
        x = there.asarray(np.arange(10.0))
        return native(there.sum((x + shift) * x)).name

    assert program() == program() != program(2.0)
    assert program(np.copysign(np.nan, -1.0)) != program(np.nan)


def test_sizes():
    x = xp.ones((1000, 1000))
    assert dask.sizeof.sizeof(x) >= 8_000_000
    assert dask.sizeof.sizeof(x[:10]) < 100_000


# ---- operations


def test_sample_of_operations():
    check_backend("dask", operations=SAMPLE, examples=1).raise_for_failures()


@pytest.mark.parametrize("name", ["float16", "bfloat16"])
def test_halves_are_rounded_once(name):
    """Partial results of chunks overflow in float16; in both, digits would be lost."""
    for function, values in (
        (np.prod, [300.0, 300.0, 0.0, -1.0]),
        (np.sum, [60000.0, 60000.0, -60000.0, -59904.0]),
        (np.sum, [256.0, 1.0, 256.0, 1.0]),
    ):
        x = there.astype(in_chunks(np.asarray(values), 2), getattr(there, name))
        result = getattr(there, function.__name__)(x)
        assert result.dtype == x.dtype
        expected = there.asarray(function(np.asarray(there.astype(x, there.float64))))
        assert repr(float(result)) == repr(float(there.astype(expected, x.dtype)))


def test_all_operations():
    check_backend("dask").raise_for_failures()


def test_all_operations_in_one_chunk():
    with dask.config.set({"array.chunk-size": "128 MiB"}):
        check_backend("dask").raise_for_failures()


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_special_values(agree, dtype):
    values = special_values(dtype)
    a, b = (part.ravel() for part in np.meshgrid(values, values))
    for name in "abs ceil exp floor isnan log negative round sign signbit sqrt square".split():
        agree(name, values)
    for name in "add divide equal less maximum minimum multiply pow copysign hypot".split():
        agree(name, a, b)
    for name in "max min argmax argmin sort argsort any all count_nonzero".split():
        agree(name, values)
        agree(name, values[:-1])
        agree(name, values[::-1])
    agree("copysign", values, float(np.copysign(np.nan, -1.0)))
    agree("searchsorted", np.sort(values), values)
    agree("searchsorted", np.sort(values), values, side="right")
    agree("unique_values", values)
    agree("nonzero", values)


@every_dtype
def test_reductions(agree, dtype):
    array = numbers(dtype, 7, 5, 6)
    for axis in (None, 0, 1, 2, (0, 2), (), (0, 1, 2)):
        for keepdims in (False, True):
            for name in "sum any all count_nonzero mean std var".split():
                agree(name, array, axis=axis, keepdims=keepdims, error=8, ulp=32)
            few = numbers(dtype, 7, 5, 6, limit=3 if isinstance(axis, int) else 2)  # no overflow
            agree("prod", few, axis=axis, keepdims=keepdims)
            if dtype.kind != "c":
                for name in ("max", "min"):
                    agree(name, array, axis=axis, keepdims=keepdims)
        if dtype.kind != "c" and (axis is None or isinstance(axis, int)):
            for name in ("argmax", "argmin"):  # with many equal elements
                agree(name, array % 3 if dtype.kind != "b" else array, axis=axis)
    for axis in (0, 1, 2):
        agree("cumulative_sum", array, axis=axis, include_initial=True)
        agree("cumulative_prod", array, axis=axis, ulp=8)


def test_variance_of_numbers_with_a_large_mean(agree):
    array = 1e8 + np.random.default_rng(1).normal(size=500)
    agree("var", array, ulp=1e3)
    agree("std", array, correction=1, ulp=1e3)
    agree("var", array, correction=500)
    agree("var", np.asarray([np.inf, 1.0, 2.0, 3.0, np.nan, 5.0]))


def test_products_that_overflow_in_between(agree):
    agree("cumulative_prod", np.asarray([0.0, 1e200, 1.0, 1e200, 1e200, 1e200, 2.0]))


def test_no_elements(agree):
    for name in "sum prod any all mean var count_nonzero".split():
        for axis in (0, 1, None):
            agree(name, numbers("float64", 9, 0), axis=axis)
    for name in "max min argmax".split():
        agree(name, numbers("float64", 9, 0), axis=0)
        agree(name, numbers("float64", 9, 0), axis=1)
    for name in "sort argsort unique_values unique_counts nonzero flip".split():
        agree(name, numbers("float64", 0))
    agree("concat", (numbers("float64", 0, 9), numbers("float64", 5, 9), numbers("float64", 0, 9)))
    agree("matmul", numbers("float64", 9, 0), numbers("float64", 0, 9))
    agree("reshape", numbers("float64", 9, 0), (0, 5))
    agree("repeat", numbers("float64", 9), 0)
    agree("repeat", numbers("float64", 9), numbers("int64", 9, limit=2))
    agree("broadcast_to", numbers("float64", 1, 9), (0, 9))
    agree("tile", numbers("float64", 3, 3), (0, 2))


@pytest.mark.parametrize("descending", [False, True])
def test_sorting_by_samples(agree, descending):
    for dtype in ("int8", "uint64", "float64", "bool"):
        array = numbers(dtype, 200, limit=20)
        agree("sort", array, descending=descending)
        agree("argsort", array, descending=descending)  # stable
    agree("unique_counts", numbers("int16", 200, limit=20))
    agree("unique_values", numbers("float32", 20, 10, limit=20))
    agree("unique_all", numbers("int16", 50, limit=20))


def test_tall_matrices():
    array = np.random.default_rng(0).normal(size=(60, 3))
    x = in_chunks(array, 7, 2)
    q, r = there.linalg.qr(x)
    np.testing.assert_allclose(there.matmul(q, r).to_device("cpu"), array, atol=1e-13)
    np.testing.assert_allclose(there.matmul(q.T, q).to_device("cpu"), np.eye(3), atol=1e-13)
    assert_same(r, np.triu(np.asarray(r.to_device("cpu"))))
    u, s, vh = there.linalg.svd(x, full_matrices=False)
    np.testing.assert_allclose(((u * s) @ vh).to_device("cpu"), array, atol=1e-13)
    expected = np.linalg.svd(array, compute_uv=False)
    for found in (s, there.linalg.svdvals(x)):
        np.testing.assert_allclose(found.to_device("cpu"), expected, rtol=1e-13)
    inverse = there.linalg.pinv(x).to_device("cpu")
    np.testing.assert_allclose(inverse, np.linalg.pinv(array), atol=1e-13)
    assert int(there.linalg.matrix_rank(x)) == 3
    x[:, 2] = x[:, 0] + x[:, 1]
    assert int(there.linalg.matrix_rank(x)) == 2
    for order in ("fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf):
        norm = float(there.linalg.matrix_norm(in_chunks(array, 7, 2), ord=order))
        assert norm == pytest.approx(np.linalg.norm(array, order))


@every_dtype
def test_creation(agree, dtype):
    agree("zeros", (9, 3), dtype=dtype)
    agree("full", (9,), 1, dtype=dtype)
    agree("eye", 9, 7, k=-2, dtype=dtype)
    if dtype.kind != "b":
        agree("arange", 1, 60, 3, dtype=dtype)
        agree("arange", 60, 1, -7, dtype=dtype) if dtype.kind != "u" else None
        agree("linspace", 0, 99, 12, dtype=dtype, ulp=2)
        agree("linspace", 0, 99, 12, dtype=dtype, endpoint=False, ulp=2)
    agree("arange", 0.1, 5.0, 0.3, ulp=2)
    agree("fft.fftfreq", 11, d=0.3, ulp=1)
    agree("fft.rfftfreq", 11, d=0.3, ulp=1)


# ---- warnings


def test_gathering_warns_once(monkeypatch):
    from corepy.backend.dask import operations

    monkeypatch.setattr(operations, "_warned", set())
    x = in_chunks(np.eye(6), 2, 3)
    with pytest.warns(RuntimeWarning, match=r"^linalg.inv: 288 bytes are gathered in one task"):
        y = there.linalg.inv(x)
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        y = there.linalg.inv(x)
        there.linalg.inv(in_chunks(np.eye(6), 6, 6))
        there.linalg.inv(in_chunks(np.ones((4, 2, 2)) + np.eye(2), 1, 2, 2))
    assert_same(y, np.eye(6))


def test_sizes_that_depend_on_elements_warn_once(monkeypatch):
    from corepy.backend.dask import operations

    monkeypatch.setattr(operations, "_warned", set())
    x = there.exp(in_chunks(np.arange(12.0), 3))
    with pytest.warns(RuntimeWarning, match=r"^getitem: 12 bytes are computed now"):
        y = x[x > 3]
    assert y.shape == (10,)
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        x[x < 3]


def test_operations_that_gather_are_listed():
    from corepy._cython.core import named_operations
    from corepy.backend.dask.operations import GATHERED

    assert set(GATHERED) <= {*named_operations(), "setitem"}
    assert len(GATHERED) == 29
    text = (Path(__file__).parents[2] / "docs" / "distributed.md").read_text()
    table = text.partition("<!-- gathered:start -->")[2].partition("<!-- gathered:end -->")[0]
    rows = [line.split(" | ") for line in table.strip().splitlines()[2:]]
    assert {row[0].strip("| `"): row[1].strip("| ") for row in rows} == GATHERED


def test_execute_of_operations_that_have_a_method():
    x = in_chunks(np.arange(8.0), 3)
    assert_same(backend.execute("add", (x, 1)), np.arange(8.0) + 1)
    assert_same(backend.execute("negative", (x,)), -np.arange(8.0))
    assert_same(backend.create("ones", ((5,),), {}, x.device), np.ones(5))
