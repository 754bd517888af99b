"""Threads and processes that compute and free at the same time."""

import multiprocessing
import os

import numpy as np
import pytest
from running import in_threads, output_of
from strategies import assert_same

import corepy
import corepy.array_api as xp
from corepy import Tensor


def compute(seed, rounds=60):
    """A little of everything; returns a number that depends on all of it."""
    array = np.random.default_rng(seed).random((40, 250))
    total = 0.0
    for k in range(rounds):
        t = Tensor(array, copy=True)
        t += k
        t[::2] *= 2
        u = xp.where(t > 20, t.T[::-1].T, xp.sqrt(t))
        total += float(xp.sum(u)) + float(xp.max(u @ u.T)) + float(u[k % 40, k])
        total += float(xp.mean(xp.astype(u, xp.float32)))
    return total


def test_tensors_are_freed_by_other_threads():
    pool = [None] * 50

    def work(number):
        rng = np.random.default_rng(number)
        for k in range(2000):
            place = int(rng.integers(50))
            size = int(rng.choice([1, 8, 9, 1000, 20_000]))
            pool[place] = xp.full(size, float(size))
            other = pool[int(rng.integers(50))]
            if other is not None:
                assert float(other[-1]) == other.size
                if k % 50 == 0:
                    assert float(xp.sum(other)) == float(other.size) ** 2

    in_threads(work)


def test_writing_into_disjoint_parts():
    t = xp.zeros((8, 30_000))

    def work(number):
        part = t[number]
        for _ in range(50):
            part += number

    in_threads(work)
    assert_same(t, np.repeat(50.0 * np.arange(8)[:, None], 30_000, axis=1))


def test_the_first_use_of_a_device_in_many_threads(device):
    def work(number):
        t = Tensor([1.0, float(number)], device=device)
        assert float(xp.sum(t)) == 1 + number
        assert t.__array_namespace__() is xp.ones(1, device=device).__array_namespace__()

    in_threads(work)


def test_a_backend_is_loaded_once_by_many_threads():
    code = """
import sys, threading
import corepy.array_api as xp
from corepy import Tensor
sys.setswitchinterval(1e-6)
barrier, found, errors = threading.Barrier(16), [], []

def work():
    barrier.wait()
    try:
        t = Tensor([1.0, 2.0], device="reference")
        found.append((t.device, float(xp.sum(xp.sqrt(t * t))), t.__array_namespace__()))
    except BaseException as error:
        errors.append(error)

threads = [threading.Thread(target=work) for _ in range(16)]
for thread in threads: thread.start()
for thread in threads: thread.join()
assert not errors, errors
print(len(found), len(set(found)))
"""
    if "reference" not in [str(device) for device in corepy.available_devices()]:
        pytest.skip("needs array-api-strict")
    assert output_of(code).split() == ["16", "1"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_fork():
    expected = compute(1, rounds=3)
    big = xp.ones(100_000)
    float(xp.sum(big))
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.starmap(compute, [(1, 3)] * 4) == [expected] * 4
        doubled = pool.map(_double, [big, Tensor([1.0], device="cpu")])
    assert_same(doubled[0], np.full(100_000, 2.0))
    assert float(xp.sum(big)) == 100_000


def _double(t):
    return t * 2


def test_spawned_processes_receive_tensors():
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        result = pool.apply(abs, (Tensor([-1.0, 2.0]),))
    assert_same(result, np.asarray([1.0, 2.0]))
