"""Blocks, decorators, threads and processes; how long deferred tensors live."""

import asyncio
import contextvars
import gc
import os
import sys
import weakref

import numpy as np
import pytest
from running import in_threads, output_of

import corepy
import corepy.array_api as xp
from corepy.lazy import is_deferred

from .programs import assert_same, fuse_all, new

HUGE = 2**44  # elements; more than fit into memory


# ---- blocks


def test_the_end_of_the_outermost_block_computes():
    x = new()
    with corepy.fuse():
        y = x + 1
        with corepy.fuse():
            z = y * 2
        with corepy.config(fusion=True):
            w = z - x
        assert all(map(is_deferred, (y, z, w)))
    assert not any(map(is_deferred, (y, z, w, x + 1)))
    assert_same(w, np.arange(3.0, 103.0))


def test_an_exception_that_leaves_the_block_computes_nothing():
    x = new()
    with pytest.raises(KeyError), corepy.fuse():
        y, z = x + 1, x * 2
        raise KeyError
    assert is_deferred(y)
    assert not is_deferred(x + 1)
    x[0] = 50.0
    assert y.tolist() == list(range(2, 102))
    assert float(z[0]) == 2.0
    with corepy.fuse():
        with pytest.raises(KeyError), corepy.fuse():
            y = x + 1
            raise KeyError
        assert is_deferred(y)
        assert is_deferred(x + 1)
    assert not is_deferred(y)


def test_decorated_functions():
    @corepy.fuse
    def function(x, *, factor):
        """Text."""
        y = x * factor
        return y, is_deferred(y)

    x = new()
    y, deferred = function(x, factor=2.0)
    assert deferred
    assert not is_deferred(y)
    assert_same(y, np.arange(2.0, 202.0, 2.0))
    assert (function.__name__, function.__doc__) == ("function", "Text.")
    with pytest.raises(ValueError, match="broadcast"):
        function(x, factor=xp.ones(7))
    assert not is_deferred(x + 1)
    with corepy.fuse():
        assert is_deferred(function(x, factor=2.0)[0])


def test_decorated_generators():
    """Each resumption is a block; the caller is not in it."""

    @corepy.fuse
    def generator(x):
        y = x + 1
        try:
            while y is not None:
                assert is_deferred(y)
                try:
                    y = yield y
                except KeyError:
                    y = x - 1
                assert is_deferred(x * 2)
            return x * 3
        finally:
            closed.append(is_deferred(x * 2))

    x, closed = new(), []
    running = generator(x)
    found = [next(running), running.throw(KeyError())]
    with corepy.fuse():
        sent = x * 2
        assert running.send(sent) is sent
        assert is_deferred(sent)
    with pytest.raises(StopIteration) as end:
        next(running)
    found.append(end.value.value)
    assert not any(map(is_deferred, (*found, x + 1)))
    assert [float(y[1]) for y in found] == [3.0, 1.0, 6.0]
    other = generator(x)
    next(other)
    other.close()
    assert closed == [True, True]
    assert not is_deferred(x + 1)


def test_coroutines_and_tasks():
    @corepy.fuse
    async def decorated(x):
        for _ in range(2):
            x = x + 1
            assert is_deferred(x)
            await asyncio.sleep(0)
        return x + 1

    @corepy.fuse
    async def returned(x):
        return x * 2

    async def block(x):
        with fuse_all():
            for _ in range(3):
                x = x + 1
                await asyncio.sleep(0)
            assert is_deferred(x)
        return x

    async def eager(x):
        for _ in range(3):
            x = x + 1
            assert not is_deferred(x)
            await asyncio.sleep(0)
        return x

    async def main():
        return await asyncio.gather(*(work(new()) for work in (decorated, eager, block, eager)))

    for x in asyncio.run(main()):
        assert not is_deferred(x)
        assert_same(x, np.arange(4.0, 104.0))
    with pytest.raises(StopIteration) as end:
        returned(new()).send(None)
    assert not is_deferred(end.value.value)


def test_blocks_are_of_a_context():
    x, found = new(100_000), {}

    def look(name):
        found[name] = is_deferred(x + 1)

    with corepy.fuse():
        look("block")
        copied = contextvars.copy_context()
        in_threads(lambda number: copied.run(look, "copied") if number else look("thread"), 2)
    look("afterwards")
    assert found == {"thread": False, "block": True, "copied": True, "afterwards": False}


def test_a_block_in_a_suspended_generator():
    def generator(x):
        with corepy.fuse():
            yield is_deferred(x + 1)
            yield is_deferred(x + 1)

    x = new()
    running = generator(x)
    assert next(running)
    assert next(running)
    running.close()
    assert not is_deferred(x + 1)


# ---- threads and processes


def test_threads_look_at_the_same_tensors():
    x = new(1000)
    expected = [np.arange(1.0, 1001.0) + k for k in range(100)]

    def look(number):
        for (y, z, total), a in zip(shared, expected, strict=True):
            looks = [
                lambda y=y, a=a: np.asarray(y).tobytes() == a.tobytes(),
                lambda z=z, a=a: (z * 2).tolist() == (a * 4).tolist(),
                lambda total=total, a=a: float(total) == a.sum(),
            ]
            assert all(looks[(number + k) % 3]() for k in range(3))

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with corepy.fuse():
            shared = [(y := x + k, y * 2, xp.sum(y)) for k in range(100)]
            in_threads(look, 4)
    finally:
        sys.setswitchinterval(interval)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.parametrize("n", [4, 1_000_000])
def test_a_forked_child_computes_what_waits(n):
    output_of(f"""
import os
import corepy
import corepy.array_api as xp
from corepy.lazy import is_deferred

corepy.set_num_threads(3)
x = xp.ones({n})
float(xp.sum(x * 2.0))  # threads are running
with corepy.config(fusion_threshold=0), corepy.fuse():
    y = x + 1
    s = xp.sum(y * 2)
    child = os.fork()
    right = is_deferred(y) and float(s) == 4 * {n} and float(y[-1]) == 2
    x[0] = 7.0
    right = right and float(y[0]) == 2 and float((x + 1)[0]) == 8
    if child == 0:
        os._exit(not right)
    assert right
    assert os.waitpid(child, 0)[1] == 0
""")


# ---- lifetime and memory


def test_what_nobody_holds_is_not_computed():
    x, huge = new(), xp.broadcast_to(xp.ones(1), (HUGE,))
    with corepy.fuse():
        y = (x + 1) * 2
        unused = huge + 1
        ref = weakref.ref(unused)
        del unused
        assert ref() is None
        input_ref = weakref.ref(x)
        del x
    assert input_ref() is None
    assert_same(y, np.arange(4.0, 204.0, 2.0))


def test_memory_is_released():
    def used():
        return corepy.memory.stats()["in_use"] - before

    before = corepy.memory.stats()["in_use"]
    with corepy.fuse():
        for look in (True, False):
            x = new(100_000)
            block = used()
            z = x * 2 + 1
            del x
            assert used() == block
            if look:
                assert float(z[0]) == 3.0
                assert used() == block
            del z
            assert used() == 0


def test_values_between_operations_take_no_memory():
    def blocks():
        stats = corepy.memory.stats()
        return stats["allocations"] + stats["reuses"]

    x = new(1000)  # one chunk: beside the result there are the blocks of one thread
    counts = []
    for block in (corepy.config, corepy.fuse):
        with block():
            before = blocks()
            y = x
            for _ in range(20):
                y = xp.abs(y * 0.5)
            y.item(0)
            counts.append(blocks() - before)
            del y
    assert counts[0] == 40
    assert counts[1] <= 2


@pytest.mark.parametrize("n", [4, 50])
def test_deep_chains(n):
    x = xp.zeros(n)
    with corepy.fuse():
        y = dropped = x
        in_place, held = x + 0.0, [x]
        for k in range(100_000):
            y = y + 1.0
            dropped = dropped + 1.0
            in_place += 1.0
            if k < 20_000:
                held.append(held[-1] + 1.0)
        del dropped
        assert y.tolist() == [100_000.0] * n
    gc.collect()
    assert in_place.tolist() == [100_000.0] * n
    assert [float(item[0]) for item in held] == list(range(20_001))


def test_results_that_do_not_fit_into_memory():
    x = xp.ones(100)
    huge = xp.broadcast_to(x[:1], (HUGE,))
    message = r"cannot allocate 140,737,488,355,328 bytes \([\d,]+ bytes already in use\)"
    with corepy.fuse():
        y = huge + 1
        z = x + 1
        for _ in range(2):
            with pytest.raises(MemoryError, match=message):
                np.asarray(y)
            assert is_deferred(y)
        assert z.tolist() == [2.0] * 100
        assert (x * 2).tolist() == [2.0] * 100
        with pytest.raises(MemoryError, match=message):
            x[0] = 5.0  # it would compute the old value of y
        assert float(x[0]) == 1.0
        del y
        x[0] = 5.0
        assert huge.shape == (HUGE,)
        assert float(huge[HUGE - 1]) == 5.0


def test_finalizers_that_look_at_tensors():
    """Garbage is collected where objects are made, also while a computation is planned."""
    output_of("""
import gc
import numpy as np
import corepy
import corepy.array_api as xp

a = np.arange(1.0, 1001.0)
x = xp.asarray(a, copy=True)
looks = 0

class Cycle:
    def __init__(self):
        self.me = self
        self.held = [x * 3, xp.sum(x * 2)]

    def __del__(self):
        global looks
        waiting = [x + 1, x + 2]
        assert np.array_equal(self.held[0], a * 3) and np.array_equal(waiting[1], a + 2)
        looks += 1

gc.set_threshold(5)
with corepy.config(fusion_threshold=0), corepy.fuse():
    for k in range(300):
        Cycle()
        y = x * 2 + 1
        total = xp.sum(y * x)
        z = y - 3
        assert np.array_equal(z, a * 2 - 2)
        assert float(total) == ((a * 2 + 1) * a).sum()
assert looks > 100, looks
""")


LITTLE_MEMORY = """
import resource
import corepy, corepy.array_api as xp

xp.sum(xp.ones(10**6) * 2)  # starts threads, which have memory of their own
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
x = xp.ones(50 * 10**6)
resource.setrlimit(resource.RLIMIT_AS, (used + 700 * 10**6, -1))
total = xp.sum(x * 2)
del x
assert corepy.lazy.is_deferred(total)
y = xp.ones(50 * 10**6)
assert not corepy.lazy.is_deferred(total)
print(float(total), float(y[-1]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits the address space")
def test_operands_are_released_when_their_memory_is_needed():
    assert output_of(LITTLE_MEMORY, COREPY_FUSION=None) == "100000000.0 1.0\n"
