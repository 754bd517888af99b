"""joblib and multiprocessing: tensors as arguments, results and cached values."""

import multiprocessing
from operator import matmul, neg

import numpy
import pytest

import corepy as np
from libraries.beside_numpy import MATRICES, NUMBERS, assert_as_numpy

LARGE = np.ones((1000, 100))


@pytest.fixture(scope="module")
def joblib():
    return pytest.importorskip("joblib")


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_multiprocessing(method):
    with multiprocessing.get_context(method).Pool(1) as pool:
        for result, values in zip(pool.map(neg, map(np.asarray, MATRICES)), MATRICES, strict=True):
            assert_as_numpy(result, -values)


@pytest.mark.parametrize("backend", ["loky", "threading", "sequential"])
def test_joblib(joblib, backend):
    jobs = [joblib.delayed(neg)(np.asarray(values)) for values in MATRICES]
    for result, values in zip(joblib.Parallel(2, backend=backend)(jobs), MATRICES, strict=True):
        assert_as_numpy(result, -values)


def test_large_arguments(joblib):
    # Larger than joblib passes in a pipe: as ndarrays it would map them from a file.
    jobs = [joblib.delayed(matmul)(LARGE, LARGE.T[:, :2]) for _ in range(2)]
    for result in joblib.Parallel(2, max_nbytes=1000)(jobs):
        assert_as_numpy(result, numpy.full((1000, 2), 100.0))


def test_files_hashes_and_caches(joblib, tmp_path):
    t = np.asarray(NUMBERS)
    joblib.dump(t, tmp_path / "t.joblib")
    assert_as_numpy(joblib.load(tmp_path / "t.joblib"), NUMBERS)
    assert joblib.hash(t) == joblib.hash(t.copy()) != joblib.hash(t + 1)
    calls = []

    def double(x):
        calls.append(x)
        return x * 2

    cached = joblib.Memory(tmp_path, verbose=0).cache(double)
    assert_as_numpy(cached(t), NUMBERS * 2)
    assert_as_numpy(cached(t.copy()), NUMBERS * 2)
    assert len(calls) == 1
