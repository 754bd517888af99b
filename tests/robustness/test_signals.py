"""Ctrl-C ends an operation on the CPU within half a second, and leaves all as it was.

Each case is one operation that takes long, in a process of its own: the instruction set is the
slowest, so that arrays need not be large, and the size is one with which the operation takes long
enough, by the time of a part of it.
"""

import json
import os

import pytest
from running import output_of

from corepy._cython import core

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="SIGINT is sent to the process")

# Most seconds from the signal to the error.
LIMIT = 0.5

PREPARATION = """
import json, math, os, signal, sys, threading, time
import corepy as np
import corepy.array_api as xp
from corepy import lazy, nn

# Jobs that a shell runs in the background ignore it.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Seconds of an operation at least, and of the part that is measured; elements at most.
LONG, PART, MOST = 0.8, 0.05, 1 << 34

class Interrupt(threading.Thread):
    '''Sends SIGINT to this process after some seconds.'''
    def __init__(self, seconds=0.15):
        super().__init__(daemon=True)
        self.seconds = seconds
        self.start()
    def run(self):
        time.sleep(self.seconds)
        self.sent = time.perf_counter(), time.process_time()
        os.kill(os.getpid(), signal.SIGINT)

def interrupted(function):
    '''Interrupt a function; return the seconds until the error, those of the process where others
    keep the processors busy.'''
    interrupt = Interrupt()
    try:
        function()
    except KeyboardInterrupt:
        begin, spent = interrupt.sent
        spent = (time.process_time() - spent) / np.get_num_threads()
        return min(time.perf_counter() - begin, spent)
    sys.exit("it ended before the signal")

def ramp(n):
    '''n numbers, of which 1000 are different.'''
    rows = xp.zeros((n // 1000 + 1, 1))
    return xp.reshape(xp.arange(1000) / xp.asarray(7.0) + rows, (-1,))[:n]

def spread(n):
    '''n numbers that take no memory.'''
    return xp.broadcast_to(xp.asarray([0.7]), (n,))

def prepare(setup, statement, threads=np.get_num_threads()):
    '''Run `setup` with an n with which the statement takes long; return the seconds it takes.'''
    global n
    n = 1 << 16
    while True:
        exec(setup, globals())
        exec(statement, globals())  # the first time takes longer
        begin = time.process_time()
        exec(statement, globals())
        seconds = (time.process_time() - begin) / threads
        if seconds >= PART:
            break
        n <<= max(1, min(4, math.ceil(math.log2(1.2 * PART / max(seconds, 1e-3)))))
    more = math.ceil(LONG / seconds)
    n *= more
    if n >= MOST:
        sys.exit("the operation takes no long time")
    exec(setup, globals())
    return seconds * more

# Numbers whose variance, 0.25, takes long to compute.
NUMBERS = "x = xp.broadcast_to(xp.asarray([0.0, 1.0]), (n, 2))", "xp.var(x)"
"""

# What is done before, with n elements; one operation on them.
CASES = {
    "elementwise": ("x = ramp(n)", "xp.pow(x, x)"),
    "elementwise of a view": ("x = xp.reshape(ramp(n), (-1, 8)).T", "xp.pow(x, xp.flip(x))"),
    "in place": ("x = xp.ones(n)", "x **= 1.5"),
    "reduction": ("x = spread(n)", "xp.var(x)"),
    "scan": ("x = xp.ones(n, dtype=xp.uint8)", "xp.cumulative_sum(x, dtype=xp.uint8)"),
    "sort": ("x = xp.sin(ramp(512)) + xp.zeros((n // 512, 1))", "xp.sort(x)"),
    "argsort": ("x = xp.sin(ramp(512)) + xp.zeros((n // 512, 1))", "xp.argsort(x)"),
    "matmul": ("k = int(n**0.5); x = xp.reshape(ramp(k * k), (k, k))", "xp.matmul(x, x)"),
    "matmul of integers": ("k = int(n**0.5); x = xp.ones((k, k), dtype=xp.int64)",
                           "xp.matmul(x, x)"),
    "fft": ("x = xp.astype(ramp(n), xp.complex128)", "xp.fft.fft(x)"),
    "fft of rows": ("x = xp.reshape(ramp(n), (-1, 64))", "xp.fft.rfft(x)"),
    "random": ("r = np.random.default_rng(0)", "r.random(n)"),
    "conversion": ("x = spread(n)", "xp.astype(x, xp.float16)"),
    "take": ("i = xp.arange(n); i *= 7919; i %= n; x = xp.ones(n, dtype=xp.uint8)",
             "xp.take(x, i)"),
    "searchsorted": ("x = ramp(n); e = xp.linspace(0, 143, 1001)", "xp.searchsorted(e, x)"),
    "einsum": ("k = int(n**0.5); x = xp.ones((k, k), dtype=xp.int64)",
               "np.einsum('ij,jk,kl->il', x, x, x)"),
    "conv2d": ("x = xp.ones((1, 16, n // 1024, 64), dtype=xp.float32);"
               "w = xp.ones((32, 16, 5, 5), dtype=xp.float32)", "nn.conv2d(x, w)"),
}  # fmt: skip

#: A few are tested each time.
QUICK = {"elementwise", "reduction", "matmul of integers", "fft"}

#: Operations that one thread computes.
ONE_THREAD = {"random"}

#: Slower instruction sets leave these to NumPy's BLAS, which is not interrupted.
WITH_TILES = {"matmul": "avx2"}


#: The slowest of this build.
LEVEL = core.simd_levels()[0]


def check(name, threads, level):
    setup, statement = CASES[name]
    # Processor time is not shared by threads in operations of one.
    shared = 1 if name in ONE_THREAD else threads
    code = f"""{PREPARATION}
seconds = prepare({setup!r}, {statement!r}, {shared})

def run():
    global x
    {statement}

before = np.memory.stats()["in_use"]
waited = [interrupted(run) for _ in range(2)]
kept = np.memory.stats()["in_use"] - before
sums = [float(xp.sum(xp.full(3_000_000, 2.0)))]  # by the threads of the pool
line = xp.arange(200_000)
sums.append(int(xp.sum(xp.sort(xp.flip(line)) == line)))
print(json.dumps(dict(waited=waited, kept=kept, sums=sums, seconds=seconds)))
"""
    text = output_of(
        code, 900, COREPY_SIMD=level, COREPY_NUM_THREADS=str(threads), COREPY_FUSION="0"
    )
    found = json.loads(text)
    assert max(found["waited"]) < LIMIT, found
    assert found["kept"] == 0, found
    assert found["sums"] == [6_000_000.0, 200_000], found


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name in QUICK else pytest.mark.slow, id=name)
        for name in CASES
    ],
)
def test_an_operation(name, threads):
    level = WITH_TILES.get(name, LEVEL)
    if level not in core.simd_levels():
        pytest.skip(f"this processor, or this build, does not have {level}")
    try:
        check(name, threads, level)
    except AssertionError as error:
        if "ended before the signal" not in str(error):  # it took longer when it was measured
            raise
        check(name, threads, level)


def test_deferred_operations():
    """They are pending afterwards, and can be computed."""
    code = f"""{PREPARATION}
prepare("x = spread(n)", "float(xp.sum(xp.sin(x) ** 2 + xp.exp(x)))")
total = xp.sum(xp.sin(x) ** 2 + xp.exp(x))
waited = interrupted(lambda: np.compute(total))
pending = lazy.is_deferred(total)
small = xp.sum(xp.sin(x[:1000]) ** 2)
print(json.dumps([waited, pending, float(total) / n, float(small)]))
"""
    waited, pending, mean, small = json.loads(
        output_of(code, 300, COREPY_SIMD=LEVEL, COREPY_FUSION="1", COREPY_FUSION_THRESHOLD="0")
    )
    assert waited < LIMIT
    assert pending
    assert mean == pytest.approx(0.4150164 + 2.0137527, rel=1e-6)
    assert small == pytest.approx(415.0164285, rel=1e-6)


def test_a_value_does_not_change_by_an_interrupted_assignment():
    """A pending tensor that reads what an assignment writes to is right afterwards."""
    code = f"""{PREPARATION}
prepare("x = xp.ones(n)", "y = xp.exp(x); np.compute(y, x + xp.pow(y, y))")
y = xp.exp(x) + x
interrupt = Interrupt()
ended = False
try:
    x += xp.pow(y, y)
except KeyboardInterrupt:
    ended = True
try:
    time.sleep(1)
except KeyboardInterrupt:
    pass
print(json.dumps([ended, float(xp.min(y)), float(xp.max(y))]))
"""
    _, least, greatest = json.loads(
        output_of(code, 300, COREPY_SIMD=LEVEL, COREPY_FUSION="1", COREPY_FUSION_THRESHOLD="0")
    )
    assert least == greatest == pytest.approx(3.7182818, rel=1e-6)


def test_a_handler_that_raises_nothing():
    """It is called while the operation goes on, and may compute itself."""
    code = f"""{PREPARATION}
called = []
def handler(number, frame):
    called.append(float(xp.sum(xp.ones(500_000))))
signal.signal(signal.SIGALRM, handler)
prepare(*NUMBERS)
signal.setitimer(signal.ITIMER_REAL, 0.15, 0.15)
variance = float(xp.var(x))
signal.setitimer(signal.ITIMER_REAL, 0)
print(json.dumps([called, variance]))
"""
    called, variance = json.loads(output_of(code, 300, COREPY_SIMD=LEVEL, COREPY_FUSION="0"))
    assert called[:3] == [500_000.0] * 3  # after the operation it would be called once
    assert variance == 0.25


def test_other_threads_go_on():
    """Python handles signals in its main thread; an operation of another one is computed."""
    code = f"""{PREPARATION}
results = []
def work():
    results.append(float(xp.var(spread(1 << 28))))
worker = threading.Thread(target=work)
interrupt = Interrupt()
worker.start()
try:
    while worker.is_alive():
        time.sleep(0.01)
    time.sleep(2)
except KeyboardInterrupt:
    results.append("interrupted")
worker.join()
print(json.dumps(results))
"""
    results = json.loads(output_of(code, 300, COREPY_SIMD=LEVEL, COREPY_FUSION="0"))
    assert sorted(map(str, results))[-1] == "interrupted"
    assert len(results) == 2


def test_a_handler_that_draws_from_the_same_generator():
    """Its numbers are the generator's next ones, and those of the operation go on after them."""
    code = f"""{PREPARATION}
import numpy
generator = np.random.default_rng(0)
called = []
def handler(number, frame):
    called.append(generator.random())
signal.signal(signal.SIGALRM, handler)
n = (1 << 24) + 1000
signal.setitimer(signal.ITIMER_REAL, 0.01)
x = numpy.asarray(generator.random(n))
all_numbers = numpy.random.default_rng(0).random(n + 1)
before = int(numpy.flatnonzero(all_numbers == called[0])[0])
print(json.dumps([len(called), bool((numpy.delete(all_numbers, before) == x).all())]))
"""
    assert json.loads(output_of(code, 300)) == [1, True]


def test_a_handler_that_forks():
    """Its parent computes the operation, which is an error in the child: threads are not forked."""
    code = f"""{PREPARATION}
children = []
def handler(number, frame):
    children.append(os.fork())
    if not children[0]:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(60)   # ends it, should it wait for such a thread
signal.signal(signal.SIGALRM, handler)
prepare(*NUMBERS)
error = ""
signal.setitimer(signal.ITIMER_REAL, 0.15)
try:
    while not children:
        variance = float(xp.var(x))
except RuntimeError as raised:
    error = str(raised)
if not children[0]:
    # No error if the handler was called between two operations.
    good = not error or "forked" in error
    os._exit(not (good and float(xp.sum(xp.full(3_000_000, 2.0))) == 6_000_000.0))
status = os.waitpid(children[0], 0)[1]
print(json.dumps([status, error, variance]))
"""
    status, error, variance = json.loads(
        output_of(code, 300, COREPY_SIMD=LEVEL, COREPY_NUM_THREADS="2", COREPY_FUSION="0")
    )
    assert status == 0
    assert error == ""
    assert variance == 0.25
