"""Forks, interrupts and settings at random: `python interruptions.py --forks 1000`.

Interrupts: a timer raises KeyboardInterrupt at a random moment of a random program of nested
settings, generators and computations. Afterwards settings are as before.

Forks: threads run such programs, write to tensors by deferred operations, and check what they find,
while the process forks. Each child finds its settings as before, and computes what was deferred.

Prints how many of them there were, and how many were wrong; the status is 1 if any was.
"""

import argparse
import asyncio
import contextvars
import gc
import os
import random
import signal
import sys
import threading
import time
import traceback
import warnings

import numpy as np

import corepy
import corepy.array_api as xp
from corepy._cython.lazy.errors import errors
from corepy._cython.settings import setting
from corepy.lazy import is_deferred

X = xp.asarray(np.arange(64.0), copy=True)
LARGE = xp.asarray(np.arange(100_000.0), copy=True)


class Wrong(AssertionError):
    pass


def deferring():
    """Whether operations are deferred; other threads may compute what reads the same memory."""
    return is_deferred(xp.empty(40_000) + 1)


def check(found, expected, what):
    if found != expected:
        raise Wrong(f"{what}: {found!r} instead of {expected!r}")


def check_settings(collects=True):
    """Settings are those of a process at its start."""
    check(deferring(), False, "deferred")
    for name, value in (
        ("cross_device", "raise"),
        ("fallback", "warn"),
        ("fusion", False),
        ("fusion_threshold", 32768),
    ):
        check(setting(name), value, name)
    check(str(xp.zeros(1).device), "cpu", "device")
    check(errors(), None, "floating-point errors")
    check(gc.isenabled(), collects, "garbage collection")


def check_values():
    check((X * 2 + 1).tolist(), (np.arange(64.0) * 2 + 1).tolist(), "values")
    with corepy.fuse():
        found = xp.sum(LARGE * 2)
    check(float(found), float(100_000 * 99_999), "sum")


# ---- programs


class Settings:
    """What a context should find."""

    def __init__(self, **values):
        self.values = {"cross_device": "raise", "fallback": "warn", "fusion": False, **values}

    def changed(self, **values):
        return Settings(**{**self.values, **values})

    def check(self):
        for name, value in self.values.items():
            if name != "fusion" or value is not None:
                check(setting(name), value, name)
        if self.values["fusion"] is not None:
            check(deferring(), self.values["fusion"], "deferred")


def block_and_settings(rng, now):
    kind = rng.randrange(7)
    if kind == 0:
        return corepy.fuse(), now.changed(fusion=True)
    if kind == 1:
        return corepy.config(fusion=True, fusion_threshold=0), now.changed(fusion=True)
    if kind == 2:
        return corepy.config(fusion=False), now.changed(fusion=False)
    if kind == 3:
        word = rng.choice(["raise", "convert", "smaller"])
        return corepy.config(cross_device=word), now.changed(cross_device=word)
    if kind == 4:
        word = rng.choice(["warn", "silent", "error"])
        return corepy.config(fallback=word), now.changed(fallback=word)
    if kind == 5:
        return corepy.errstate(over="warn"), now
    return corepy.use_device("cpu"), now


def work(rng):
    """Compute a few things that may be deferred."""
    kind = rng.randrange(4)
    if kind == 0:
        check(float(xp.sum(X * 2 + X)), 3.0 * 2016, "sum")
    elif kind == 1:
        y = LARGE * 0.5
        del y
    elif kind == 2:
        y = xp.zeros(40_000)
        y[...] = LARGE[:40_000] * 2
        y += LARGE[:40_000] * 2 - 1
        check(float(y[-1]), 39_999.0 * 4 - 1, "element")
    else:
        check((LARGE + 1)[:2].tolist(), [1.0, 2.0], "elements")


def program(rng, now, depth):
    """Enter and leave blocks, in one of several ways."""
    now.check()
    work(rng)
    if depth == 0:
        return
    block, inside = block_and_settings(rng, now)
    kind = rng.randrange(5)
    if kind < 2:
        with block:
            program(rng, inside, depth - 1)
    elif kind == 2:
        block(program)(rng, inside, depth - 1)
    elif kind == 3 and not isinstance(block, corepy.errstate):  # NumPy's raises then
        leave_elsewhere(rng, block, now, inside)
    else:

        @block
        def resumed():
            for _ in range(2):
                inside.check()
                yield

        for _ in resumed():
            now.check()

        def suspended():
            with block:
                inside.check()
                yield

        for _ in suspended():
            program(rng, inside, depth - 1)
    now.check()


def leave_elsewhere(rng, block, now, inside):
    """Leave a block in another context than it was entered in."""

    def suspended():
        with block:
            inside.check()
            yield

    generator = suspended()
    next(generator)
    inside.check()
    copied = contextvars.copy_context()
    copied.run(inside.check)
    rng.choice([copied, contextvars.Context()]).run(generator.close)
    for context in rng.sample([copied, contextvars.copy_context()], 2):
        context.run(now.check)


async def task(rng, now, depth):
    now.check()
    await asyncio.sleep(0)
    if depth:
        block, inside = block_and_settings(rng, now)
        with block:
            await asyncio.gather(*(task(rng, inside, depth - 1) for _ in range(2)))
    now.check()
    await asyncio.sleep(0)
    now.check()


# ---- interrupts


class Interrupt:
    armed = False

    def __call__(self, number, frame):
        if self.armed:
            self.armed = False
            raise KeyboardInterrupt


def interrupts(number, seed):
    """Interrupt programs; return how many were interrupted, and the messages of those wrong."""
    interrupt = Interrupt()
    signal.signal(signal.SIGALRM, interrupt)
    done, wrong = 0, []
    rng = random.Random(seed)
    while done < number:
        seeded = rng.getrandbits(32)
        try:
            try:
                interrupt.armed = True
                signal.setitimer(signal.ITIMER_REAL, rng.expovariate(1 / 300e-6) + 1e-6)
                program(random.Random(seeded), Settings(), 4)
            finally:
                interrupt.armed = False
        except KeyboardInterrupt:
            done += 1
        except Wrong as error:
            wrong.append(f"program {seeded}: {error}")
        interrupt.armed = False
        try:
            check_settings()
            if not done % 50:
                check_values()
        except Wrong as error:
            wrong.append(f"after program {seeded}: {error}")
            break  # the next ones would be wrong, too
    signal.setitimer(signal.ITIMER_REAL, 0)
    return done, wrong


# ---- forks


class Worker:
    """A thread that runs programs, and writes to a tensor of its own."""

    def __init__(self, number, seed):
        self.rng = random.Random(seed)
        self.x = xp.zeros(70_000 if number % 2 else 3_000_000)
        self.y = xp.ones(self.x.shape)
        self.number, self.rounds, self.wrong = number, 0, []
        self.thread = threading.Thread(target=self.run, daemon=True)

    def run(self):
        while not stop.is_set():
            try:
                if self.number == 0:
                    asyncio.run(task(self.rng, Settings(), 3))
                elif self.rng.random() < 0.2:
                    program(self.rng, Settings(), 3)
                self.write()
            except Exception:
                self.wrong.append(traceback.format_exc())
            self.rounds += 1

    def write(self):
        value = float(self.rng.randrange(100))
        with corepy.fuse():
            self.x[...] = self.y * value + 1
            self.x += self.y * 2
            total = xp.sum(self.x * 2)
            check(float(total), (value + 3) * 2 * self.x.size, "sum")


def check_child(workers, deferred):
    """What a child finds; a value of a tensor that a thread was writing to may be any."""
    check_settings()
    check_values()
    check(float(deferred[-1]), 2 * 99_999.0 - 3, "deferred before")
    for worker in workers:
        worker.x[...] = -3.0
        with corepy.fuse():
            y = worker.x * 2 + worker.y
            z = worker.y * 5
        check(float(xp.sum(y)), -5.0 * y.size, "sum of what was being written")
        check((float(xp.min(worker.x)), float(xp.max(worker.x))), (-3.0, -3.0), "what was written")
        check(float(z[-1]), 5.0, "another")
    program(random.Random(0), Settings(), 4)
    corepy.set_config(fallback="error")
    check(setting("fallback"), "error", "default")


def forks(number, seed, seconds_between=0.002):
    """Fork while threads compute; return their rounds, and the messages of those wrong."""
    rng = random.Random(seed)
    workers = [Worker(k, seed + k) for k in range(4)]
    for worker in workers:
        worker.thread.start()
    wrong = []
    for k in range(number):
        time.sleep(rng.random() * seconds_between)
        with corepy.fuse():
            deferred = LARGE * 2 - 3
            child = os.fork()
            if child == 0:
                signal.alarm(60)
                signal.signal(signal.SIGALRM, signal.SIG_DFL)
                break
        status = os.waitpid(child, 0)[1]
        if status:
            wrong.append(f"child {k}: status {status}")
    else:
        child = -1
    if child == 0:
        try:
            check_child(workers, deferred)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    stop.set()
    for worker in workers:
        worker.thread.join()
        wrong += worker.wrong
    check_settings()
    return sum(worker.rounds for worker in workers), wrong


stop = threading.Event()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--interrupts", type=int, default=300)
    parser.add_argument("--forks", type=int, default=15)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    warnings.filterwarnings("ignore", ".*fork", DeprecationWarning)
    warnings.filterwarnings("ignore", "config: the object was never entered", RuntimeWarning)
    corepy.set_config(fusion=False, fusion_threshold=32768)
    # Python may leave the lock of imports held where one is interrupted: other threads would wait
    # for it for good. So everything is imported before.
    with corepy.errstate(), corepy.use_device("cpu"):
        check_values()
    imported = set(sys.modules)
    done, wrong = interrupts(options.interrupts, options.seed)
    check(set(sys.modules) - imported, set(), "modules imported by programs")
    sys.setswitchinterval(1e-4)
    rounds, more = forks(options.forks, options.seed)
    for text in (wrong + more)[:10]:
        print(text)
    print(
        f"{done} interrupts, {options.forks} forks, {rounds} rounds of threads, "
        f"{len(wrong) + len(more)} wrong"
    )
    sys.exit(bool(wrong or more))


if __name__ == "__main__":
    main()
