"""The memory pool: statistics, cache, release, and behaviour without memory."""

import gc
import random
import sys

import numpy as np
import pytest
from running import in_threads, output_of, run_python

import corepy
import corepy.array_api as xp
from corepy import memory
from corepy.backend import get_backend


@pytest.fixture(autouse=True)
def no_idle_threads():
    """End the threads that Dask keeps for later: an idle thread keeps a few small blocks, too."""
    threaded = sys.modules.get("dask.threaded")
    if threaded is not None and threaded.default_pool is not None:
        threaded.default_pool.shutdown()
        threaded.default_pool = None


@pytest.fixture
def limit():
    """A function that sets the cache's limit; the old one comes back after the test."""
    before = memory.stats()["limit"]
    yield get_backend("cpu").limit_cache
    get_backend("cpu").limit_cache(before)


def address(x):
    return x.__array_interface__["data"][0] if isinstance(x, np.ndarray) else address(np.asarray(x))


def test_what_is_in_use_is_counted():
    before = memory.stats()
    x = xp.zeros(1000)
    assert memory.stats()["in_use"] - before["in_use"] in range(8000, 10001)
    assert memory.stats()["peak"] >= memory.stats()["in_use"]
    view = x[10:]
    assert memory.stats()["in_use"] - before["in_use"] in range(8000, 10001)
    del x
    assert memory.stats()["in_use"] > before["in_use"]  # the view keeps it
    del view
    assert memory.stats()["in_use"] == before["in_use"]


def test_small_tensors_take_no_block():
    before = memory.stats()
    kept = [xp.zeros(8) for _ in range(10)]
    assert memory.stats()["in_use"] == before["in_use"]
    del kept


@pytest.mark.parametrize("size", [65, 1000, 4096, 10**5, 3 * 10**6])
def test_released_memory_is_used_again(size, limit):
    memory.empty_cache()
    limit(2**24)
    x = xp.ones(size, dtype=xp.uint8)
    where = address(x)
    before = memory.stats()
    del x
    assert memory.stats()["cached"] > before["cached"]
    y = xp.ones(size, dtype=xp.uint8)
    assert address(y) == where
    after = memory.stats()
    assert after["reuses"] == before["reuses"] + 1
    assert after["allocations"] == before["allocations"]


def test_every_size_is_held_and_aligned():
    rng = random.Random(5)
    sizes = [*range(60, 1100), *(rng.randrange(10**3, 10**6) for _ in range(200))]
    kept = []
    for k, size in enumerate(sizes):
        x = xp.full(size, k % 251, dtype=xp.uint8)
        if size > 64:
            assert address(x) % 64 == 0
        kept.append(x)
    for k, x in enumerate(kept):  # no block was written by another thread
        assert bool(xp.all(x == k % 251))


def test_the_limit_bounds_the_cache(limit):
    memory.empty_cache()
    limit(100_000)
    for size in (10_000, 30_000, 50_000, 90_000, 20_000, 1_000_000):
        x = xp.zeros(size, dtype=xp.uint8)
        del x
        assert memory.stats()["cached"] <= 100_000
    limit(0)
    assert memory.stats()["cached"] == 0
    x = xp.zeros(1000)
    del x
    assert memory.stats()["cached"] == 0


def test_the_cache_can_be_emptied(limit):
    limit(2**24)
    x = xp.zeros(10**5)
    del x
    assert memory.stats()["cached"] >= 800_000
    memory.empty_cache()
    assert memory.stats()["cached"] == 0


def test_many_threads_leave_nothing():
    gc.collect()
    before = memory.stats()["in_use"]

    def work(seed):
        rng = random.Random(seed)
        kept = []
        for _ in range(3000):
            size = rng.choice([10, 100, 1000, 10_000, 60_000])
            kept.append((xp.full(size, seed, dtype=xp.int32), size))
            if len(kept) > 20:
                x, size = kept.pop(rng.randrange(len(kept)))
                assert int(xp.sum(x)) == seed * size

    in_threads(work)
    gc.collect()
    assert memory.stats()["in_use"] == before


MILLION = """
import gc, os, random, threading, time
import corepy
import corepy.array_api as xp
from corepy import memory

def resident():
    gc.collect()
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096

def work(seed, count):
    rng = random.Random(seed)
    sizes = [int(2 ** rng.uniform(0, 16)) for _ in range(499)] + [300_000, 700_000]
    kept = [None] * 37
    for k in range(count):
        kept[k % 37] = xp.empty(sizes[k % 501], dtype=xp.uint8)

def run(count):
    threads = [threading.Thread(target=work, args=(seed, count)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # The system's threads end a little later, and their caches are released then.
    while len(os.listdir("/proc/self/task")) > alive:
        time.sleep(0.001)

alive = len(os.listdir("/proc/self/task"))
run(2000)
memory.empty_cache()
before, resident_before = memory.stats(), resident()
run(125_000)
after = memory.stats()
assert after["in_use"] == before["in_use"], (before, after)
taken = after["allocations"] + after["reuses"] - before["allocations"] - before["reuses"]
assert taken > 500_000, taken
assert after["cached"] <= after["limit"]
memory.empty_cache()
assert memory.stats()["cached"] == 0
grown = resident() - resident_before
assert grown < 8 << 20, grown
print("right")
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_a_million_allocations_from_eight_threads_leave_nothing():
    assert output_of(MILLION) == "right\n"


def test_without_memory_the_process_goes_on():
    x = xp.zeros(10**5)
    del x
    for make in (xp.zeros, xp.empty, xp.ones):
        with pytest.raises(
            MemoryError,
            match=r"^cannot allocate 562,949,953,421,312 bytes for shape \(70368744177664,\) "
            r"of dtype float64 \([\d,]+ bytes already in use\)$",
        ):
            make(2**46)
    assert memory.stats()["cached"] == 0  # it was given back before the second attempt
    assert float(xp.sum(xp.ones(1000))) == 1000.0


RETURNED = """
import corepy.array_api as xp
from corepy import memory

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096

held = [xp.ones(2**23) for _ in range(12)]     # 64 MiB each
several = xp.ones(2**23) + xp.ones(2**23)
del several
used = memory.stats()
assert used["cached"] >= 2**26, used           # as long as more is in use
assert resident() > 12 * 2**26
del held
after = memory.stats()
assert after["in_use"] < 2**20 and after["cached"] <= 2**28 + 2**20, after
assert resident() < 2**28 + 2**27, resident()
x = xp.ones(2**23)
del x
before = memory.stats()["allocations"]
for _ in range(5):
    x = xp.ones(2**23)
    y = x + x
    del x, y
assert memory.stats()["allocations"] == before
print("right")
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_large_blocks_go_back_to_the_system():
    assert output_of(RETURNED) == "right\n"


def test_blocks_that_are_used_again_stay_beside_smaller_ones_that_are_not(limit):
    memory.empty_cache()
    limit(2**24)
    old = [xp.ones(2**17) for _ in range(12)]  # 1 MiB each
    del old
    for used in (False, True):
        before = memory.stats()["allocations"]
        for _ in range(5):
            x = xp.ones(2**19)
            y = x + x
            del x, y
        assert not used or memory.stats()["allocations"] == before


TRACED = """
import tracemalloc
import corepy
import corepy.array_api as xp

before = xp.ones(10**6)
tracemalloc.start()
x = xp.zeros(10**7)
y = xp.ones(10**6)
z = y + 1
corepy.compute(z)
size = tracemalloc.get_traced_memory()[0]
assert 96e6 <= size < 97e6, size
found = [s for s in tracemalloc.take_snapshot().traces if s.domain == 389048]
assert sum(trace.size for trace in found) == 96 * 10**6, found
del x, before
assert 16e6 <= tracemalloc.get_traced_memory()[0] < 17e6
tracemalloc.stop()
del y
tracemalloc.start()
del z
assert tracemalloc.get_traced_memory()[0] < 1e6
print("right")
"""


def test_tracemalloc_sees_tensors():
    assert output_of(TRACED) == "right\n"


def test_other_devices_say_that_they_have_no_pool():
    if "reference" in corepy.available_devices():
        for call in (memory.stats, memory.empty_cache):
            with pytest.raises(ValueError, match=rf"^memory.{call.__name__}: .*reference"):
                call("reference")
    for call in (memory.stats, memory.empty_cache):
        with pytest.raises(
            ValueError, match=f"^memory.{call.__name__}: there is no device 'nowhere'"
        ):
            call("nowhere")


def run(share=None):
    code = "import corepy; print(corepy.memory.stats()['limit'])"
    return run_python(code, COREPY_CACHE_LIMIT=share)


def test_the_environment_sets_the_share():
    whole, half = (int(run(share).stdout) for share in ("1", "0.5"))
    assert whole > 2**20
    assert abs(whole - 2 * half) <= 2
    assert int(run("0").stdout) == 0
    assert int(run("").stdout) == int(run().stdout) > 0


@pytest.mark.parametrize("share", ["much", "2", "-0.1", "nan"])
def test_an_invalid_share_is_an_error(share):
    done = run(share)
    assert done.returncode != 0
    assert "COREPY_CACHE_LIMIT: expected a share" in done.stderr
    assert repr(share) in done.stderr
