"""Threads together with other threads, forks, signals, and the end of the process."""

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from running import in_threads, output_of

import corepy
import corepy.array_api as xp
from corepy import Tensor

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")


@pytest.fixture(autouse=True)
def threads():
    """Go back to the number of threads from before."""
    before = corepy.get_num_threads()
    yield
    corepy.set_num_threads(before)


def check(code):
    assert output_of(code).endswith("right\n")


@pytest.mark.parametrize("number", [2, 7])
def test_sixteen_threads_compute_at_once(number):
    corepy.set_num_threads(number)

    def work(seed):
        array = np.random.default_rng(seed).random((500, 401))
        x, expected = Tensor(array), np.where(array < 0.5, array * 2.0, array) + array[0]
        transposed = (array + array[::-1]).T.copy()
        for _ in range(10):
            found = xp.where(x < 0.5, x * 2.0, x) + x[0]
            assert np.asarray(found).tobytes() == expected.tobytes()
            assert np.asarray((x + x[::-1]).T.copy()).tobytes() == transposed.tobytes()

    in_threads(work, 16)


def test_the_number_changes_while_others_compute():
    array = np.random.default_rng(1).random(300_000)
    expected = (array * 3.0).tobytes()
    wrong, stop = [], threading.Event()

    def work():
        x = Tensor(array)
        while not stop.is_set():
            if np.asarray(x * 3.0).tobytes() != expected:
                wrong.append(corepy.get_num_threads())

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for k in range(200):
        corepy.set_num_threads(k % 9 + 1)
        time.sleep(0.002)
    stop.set()
    for thread in threads:
        thread.join(60)
    assert not wrong


FORK = """
import os, threading
import numpy as np
import corepy
from corepy import Tensor

corepy.set_num_threads(4)
array = np.random.default_rng(0).random((1000, 1100))
x, expected = Tensor(array), (array + array[::-1] * 2.0).tobytes()

def compute(times=3):
    return all(np.asarray(x + x[::-1] * 2.0).tobytes() == expected for _ in range(times))

stop = threading.Event()
def others():
    while not stop.is_set():
        assert compute()
threads = [threading.Thread(target=others, daemon=True) for _ in range({others})]
for thread in threads:
    thread.start()
assert compute()
for _ in range({rounds}):
    child = os.fork()
    if child == 0:
        right = compute() and corepy.get_num_threads() == 4
        workers = len(os.listdir("/proc/self/task")) if os.path.isdir("/proc/self/task") else 2
        grandchild = os.fork()
        if grandchild == 0:
            os._exit(not compute())
        right = right and workers > 1 and os.waitpid(grandchild, 0)[1] == 0
        os._exit(not right)
    assert os.waitpid(child, 0)[1] == 0
    assert compute()
stop.set()
for thread in threads:
    thread.join()
print("right")
"""


@forks
@pytest.mark.parametrize(("others", "rounds"), [(0, 8), (3, 20)])
def test_a_forked_child_computes(others, rounds):
    check(FORK.format(others=others, rounds=rounds))


@linux
def test_small_work_starts_no_threads():
    check("""
import os
import numpy as np
import corepy
import corepy.array_api as xp

def count():
    return len(os.listdir("/proc/self/task"))

before = count()
corepy.set_num_threads(4)
x, m = xp.ones(1), xp.ones((10, 10))
for _ in range(1000):
    corepy.compute(x + x, x * 2.0, xp.sum(x), m + m.T, xp.asarray(m, copy=True))
    corepy.compute(xp.where(m > 0, m, -m), xp.astype(m, "float32"))
assert count() == before, count() - before
large = xp.ones((3000, 3000))
for _ in range(5):
    large = corepy.compute(large * 2.0 + large.T)
assert before < count() <= before + 3, count() - before
print("right")
""")


@linux
def test_workers_leave_signals_to_the_program():
    check("""
import os
import corepy
import corepy.array_api as xp

before = set(os.listdir("/proc/self/task"))
corepy.set_num_threads(4)
x = xp.ones(10**7)
corepy.compute(x + x)
workers = set(os.listdir("/proc/self/task")) - before
assert workers
for worker in workers:
    with open(f"/proc/self/task/{worker}/status") as file:
        blocked = next(line.split()[1] for line in file if line.startswith("SigBlk"))
    for signal in (1, 2, 10, 12, 14, 15, 17):
        assert int(blocked, 16) >> (signal - 1) & 1, (blocked, signal)
print("right")
""")


@pytest.mark.parametrize("number", [1, 4])
def test_ctrl_c_leaves_a_usable_process(number):
    code = f"""
import signal
import corepy
import corepy.array_api as xp

# What runs in the background is started with the signal ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
corepy.set_num_threads({number})
x = xp.ones(4_000_000)
y = xp.ones((1000, 1000))
for _ in range(3):
    try:
        print("computing", flush=True)
        while True:
            z = corepy.compute(x * 3.0 + x)
            w = corepy.compute(y + y.T)
    except KeyboardInterrupt:
        pass
    else:
        raise SystemExit("not interrupted")
    assert bool(xp.all(x * 3.0 + x == 4.0)) and bool(xp.all(y + y.T == 2.0))
    print("interrupted", flush=True)
print("right", flush=True)
"""
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        for _ in range(3):
            assert process.stdout.readline() == "computing\n"
            time.sleep(0.2)
            process.send_signal(signal.SIGINT)
            assert process.stdout.readline() == "interrupted\n"
        assert process.stdout.readline() == "right\n"
        assert process.wait(60) == 0
    finally:
        process.kill()


@pytest.mark.parametrize("end", ["pass", "raise SystemExit(0)", "os._exit(0)", "sys.exit(0)"])
def test_a_process_ends_while_its_threads_compute(end):
    """Some sleep, some compute, and neither delays the end or crashes."""
    output_of(f"""
import os, sys, threading
import corepy
import corepy.array_api as xp

corepy.set_num_threads(5)
x = xp.ones(2_000_000)
def work():
    while True:
        corepy.compute(x + x)
threads = [threading.Thread(target=work, daemon=True) for _ in range(3)]
for thread in threads:
    thread.start()
for _ in range(20):
    corepy.compute(x * 2.0)
{end}
""")


@linux
def test_processor_time_is_not_spent_waiting():
    """An idle pool sleeps: no thread spins for long."""
    corepy.set_num_threads(4)
    x = xp.ones(1_000_000)
    for _ in range(5):
        corepy.compute(x * 2.0)
    before = time.process_time()
    time.sleep(0.5)
    assert time.process_time() - before < 0.1


def test_concurrent_use_of_more_callers_than_are_planned_for():
    corepy.set_num_threads(3)
    x = xp.ones(400_000)

    def work(number):
        for _ in range(3):
            assert float(xp.sum(x * 2.0)) == 800_000.0

    in_threads(work, 80)


@linux
@pytest.mark.skipif(
    sys.platform.startswith("linux") and len(os.sched_getaffinity(0)) < 2,
    reason="takes one of two processors away, and this process has one",
)
def test_workers_do_not_get_back_processors_that_were_taken():
    check("""
import os, time
import numpy as np
import corepy
from corepy import Tensor

processors = os.sched_getaffinity(0)
corepy.set_num_threads(len(processors) + 2)  # so that some workers meet their callers
x = Tensor(np.random.default_rng(0).random(400_000))
threads = lambda: [int(name) for name in os.listdir("/proc/self/task")]

def compute(enough, seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end and not enough():
        corepy.compute(x + x)

def some_have_left():
    return any(os.sched_getaffinity(thread) != processors for thread in threads())

compute(some_have_left, 10)
assert some_have_left()
for taken in sorted(processors):
    rest = processors - {taken}
    for allowed in [rest, {min(rest)}]:
        for thread in threads():
            os.sched_setaffinity(thread, allowed)
        for _ in range(10):
            compute(lambda: False, 0.02)
            for thread in threads():
                assert os.sched_getaffinity(thread) <= allowed, (thread, allowed)
    for thread in threads():
        os.sched_setaffinity(thread, processors)
    compute(some_have_left, 1)
print("right")
""")


FIRST_CALLS = """
import sys, threading
import numpy
import corepy as np, corepy.array_api as xp
barrier = threading.Barrier(6)
right = []

def work(k):
    barrier.wait()
    x = xp.sqrt((xp.ones(50000) + k) * 2 + 1)
    assert abs(float(xp.sum(x)) / 50000 - (2 * (1 + k) + 1) ** 0.5) < 1e-9
    assert float(xp.linalg.det(xp.eye(3))) == 1 and np.fft.fft(np.ones(4))[0] == 4
    assert np.median(np.arange(5)) == 2 and numpy.sum(np.ones(4)) == 4
    assert np.concatenate([np.ones(2), np.linalg.svd(np.eye(2))[1]]).tolist() == [1] * 4
    assert str(xp.ones(2, device="reference").device) == "reference"
    right.append(repr(np.ones(2)))

threads = [threading.Thread(target=work, args=(k,)) for k in range(6)]
sys.setswitchinterval(1e-6)
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(right == ["array([1., 1.])"] * 6)
"""


@pytest.mark.parametrize("attempt", range(8))
def test_first_calls_in_several_threads(attempt):
    """Modules are imported and functions find their implementations at the first call."""
    assert output_of(FIRST_CALLS).strip() == "True"
