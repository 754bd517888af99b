"""Dask's arrays of tensors on a cluster of two processes."""

import os
import pickle
import signal
import subprocess
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import pytest

import corepy
import corepy.array_api as cpu
from corepy import Tensor
from corepy.backend import get_backend

pytest.importorskip("dask.array")
distributed = pytest.importorskip("distributed")

there = corepy.namespace("dask")
EXAMPLE = Path(__file__).parents[2] / "examples" / "out_of_memory.py"


@pytest.fixture(scope="module")
def client():
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


@pytest.fixture(autouse=True)
def quiet(client):
    with corepy.config(fallback="error"), warnings.catch_warnings():
        warnings.filterwarnings("ignore", r".*(gathered in one task|are computed now)")
        yield


def values(*shape):
    return np.random.default_rng(0).normal(size=shape)


def native(x):
    return get_backend("dask").unwrap(x)


PROGRAMS = {
    "elementwise": lambda xp, x: xp.where(x > 0, xp.exp(-x), x**2 + 1),
    "reductions": lambda xp, x: xp.var(x, axis=0) + xp.max(x, axis=0) + xp.mean(x),
    "argmax": lambda xp, x: xp.argmax(x, axis=1),
    "scan": lambda xp, x: xp.cumulative_sum(x, axis=0),
    "standardised": lambda xp, x: (x - xp.mean(x, axis=0)) / xp.std(x, axis=0),
    "covariance": lambda xp, x: xp.matmul(x.T, x) / x.shape[0],
    "singular values": lambda xp, x: xp.linalg.svdvals(x),
    "sorted": lambda xp, x: xp.sort(xp.reshape(x, (-1,))),
    "mask": lambda xp, x: x[x > 0],
    "taken": lambda xp, x: xp.take(x, xp.argmax(x, axis=1), axis=0),
    "unique": lambda xp, x: xp.unique_values(xp.round(x)),
    "joined": lambda xp, x: xp.concat([x, x[::-2]], axis=0).T,
    "transformed": lambda xp, x: xp.real(xp.fft.fft(x, axis=1)),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_results_are_those_of_the_cpu(client, name):
    array = values(400, 5)
    expected = PROGRAMS[name](cpu, Tensor(array))
    found = PROGRAMS[name](there, there.asarray(array, chunks=(90, 5))).to_device("cpu")
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    np.testing.assert_allclose(np.asarray(found), np.asarray(expected), rtol=1e-12, atol=1e-12)


def test_persisted_chunks_stay_on_the_workers(client):
    x = there.asarray(values(400, 5), chunks=(90, 5)) * 2
    assert corepy.persist(x) is x
    distributed.wait(native(x))
    held = {key for keys in client.has_what().values() for key in keys}
    names = {key[0] for key in held if isinstance(key, tuple)}
    assert native(x).name in names
    np.testing.assert_allclose(np.asarray(x), values(400, 5) * 2)


def test_a_worker_that_ends_is_survived(client):
    x = corepy.persist(there.asarray(values(400, 5), chunks=(50, 5)) * 2)
    distributed.wait(native(x))
    processes = client.run(os.getpid)
    os.kill(next(iter(processes.values())), signal.SIGKILL)
    assert float(there.sum(x)) == pytest.approx(values(400, 5).sum() * 2)
    deadline = time.monotonic() + 120
    while len(client.scheduler_info()["workers"]) < 2 and time.monotonic() < deadline:
        time.sleep(0.1)
    assert len(client.scheduler_info()["workers"]) == 2


def test_tensors_are_sent_without_a_copy(client):
    x = corepy.arange(100_000.0)
    buffers = []
    pickled = pickle.dumps(x, protocol=5, buffer_callback=buffers.append)
    assert len(pickled) < 1000 and len(buffers) == 1
    header, frames = distributed.protocol.serialize(x)
    assert header["serializer"] == "pickle"
    assert sorted(memoryview(frame).nbytes for frame in frames)[-1] == x.nbytes
    assert client.submit(lambda x: float(corepy.sum(x)), x).result() == 100_000 * 99_999 / 2


def test_a_thread_of_a_worker_has_one_thread(client):
    assert set(client.run(corepy.get_num_threads).values()) == {1}


def test_errors_of_tasks_are_raised(client):
    x = there.asarray(values(400, 5), chunks=(90, 5))
    index = there.astype(there.exp(there.ones(3)) * 1000, there.int64)
    with pytest.raises(IndexError, match="an index is out of bounds for axis 0 with size 400"):
        x[index].to_device("cpu")


@pytest.mark.slow
def test_an_array_larger_than_the_memory_of_the_workers(client):
    done = subprocess.run(
        [sys.executable, str(EXAMPLE), "--gigabytes", "10"],
        capture_output=True,
        text=True,
        check=True,
    )
    peaks = [float(line.split(": ")[1].split()[0]) for line in done.stdout.splitlines()[-3:]]
    assert len(peaks) == 3 and max(peaks) < 4.0
