"""Reports of bad indices, of kernels in several streams."""

from __future__ import annotations

import gc
import threading
import weakref
from pathlib import Path

import numpy as np
import pytest
from running import known_module_from

import corepy

HOST = Path(__file__).parents[1] / "host"
stub = known_module_from(HOST / "cupy_stub.py")
STATE = stub.STATE
PER_THREAD = 2


@pytest.fixture(autouse=True)
def later():
    with corepy.config(check_indices="later"):
        yield


@pytest.fixture
def backend(xp):
    return xp.__array_namespace_info__().default_device().backend


def in_thread(call):
    """Call a function in another thread; return the error that it raised."""
    raised = []

    def run():
        try:
            call()
        except Exception as error:
            raised.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return raised[0] if raised else None


def test_another_stream_s_wait_reads_nothing(xp, backend):
    x, bad = xp.ones(3), xp.asarray([7])
    STATE.streams[1] = stub.Stream(5, 1)
    xp.take(x, bad, axis=0)
    STATE.streams[1] = stub.Stream(6, 1)
    backend.synchronize()
    assert backend.reports_open == 1
    STATE.streams[1] = stub.Stream(5, 1)
    with pytest.raises(IndexError, match="take: index 7 is"):
        backend.synchronize()
    assert backend.reports_open == 0


def test_the_default_stream_has_two_handles(xp, backend):
    xp.take(xp.ones(3), xp.asarray([7]), axis=0)
    STATE.streams[1] = stub.Stream(1, 1)
    with pytest.raises(IndexError, match="take: index 7 is"):
        backend.synchronize()


def test_default_streams_of_threads_have_one_handle(xp, backend):
    """A thread that waits for its own stream has not waited for another thread's."""
    x, bad = xp.ones(3), xp.asarray([7])
    STATE.streams[1] = stub.Stream(PER_THREAD, 1)
    xp.take(x, bad, axis=0)
    assert in_thread(backend.synchronize) is None
    assert backend.reports_open == 1
    with pytest.raises(IndexError, match="take: index 7 is"):
        float(x[0])
    assert "take: index 8 is" in str(
        in_thread(lambda: (xp.take(x, xp.asarray([8]), axis=0), backend.synchronize()))
    )


def test_a_stream_is_kept_while_its_reports_are_open(xp, backend):
    """Or else its handle could become another stream's, while its kernels run."""
    x = xp.ones(3)
    stream = STATE.streams[1] = stub.Stream(5, 1)
    kept = weakref.ref(stream)
    xp.take(x, xp.asarray([7]), axis=0)
    STATE.streams[1], stream = stub.Stream(0, 1), None
    gc.collect()
    assert kept() is not None
    STATE.streams[1] = stub.Stream(5, 1)
    with pytest.raises(IndexError, match="take: index 7 is"):
        backend.synchronize()
    gc.collect()
    assert kept() is None


def test_reports_of_streams_that_are_no_longer_used(xp, backend):
    """So many make one call wait for all streams, not each later call for its own."""
    x, i = xp.ones(3), xp.asarray([0])
    STATE.streams[1] = stub.Stream(5, 1)
    xp.take(x, xp.asarray([7]), axis=0)
    for _ in range(4094):
        xp.take(x, i, axis=0)
    STATE.streams[1] = stub.Stream(6, 1)
    STATE.log.clear()
    with pytest.raises(IndexError, match="take: index 7 is"):
        xp.take(x, i, axis=0)
    assert "device 1 synchronize" in STATE.log
    assert backend.reports_open == 0
    STATE.log.clear()
    xp.take(x, i, axis=0)
    assert not [line for line in STATE.log if "synchronize" in line]
    assert STATE.device == 0


def test_a_launch_that_fails_leaves_no_report(xp, backend, monkeypatch):
    x, i = xp.ones(3), xp.asarray([0])
    xp.take(x, i, axis=0)
    backend.synchronize()
    pages = []
    allocate = backend.runtime.allocate_mapped
    monkeypatch.setattr(
        backend.runtime, "allocate_mapped", lambda n: (pages.append(n), allocate(n))[1]
    )
    STATE.fail_launches = 300
    for _ in range(300):
        with pytest.raises(RuntimeError, match="take: the launch failed"):
            xp.take(x, i, axis=0)
    assert backend.reports_open == 0 and not pages
    assert xp.take(x, i, axis=0).to_device("cpu").tolist() == [1.0]


@pytest.mark.parametrize("name", ["unique_values", "unique_counts", "unique_inverse", "unique_all"])
def test_functions_whose_shapes_depend_on_elements_wait(xp, name):
    found = xp.take(xp.asarray([3.0, 1.0]), xp.asarray([0, 7]), axis=0)
    with pytest.raises(IndexError, match="take: index 7 is"):
        getattr(xp, name)(found)
    assert np.asarray(xp.unique_values(found).to_device("cpu")).tolist() == [0.0, 3.0]
