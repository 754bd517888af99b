"""Eight threads with programs of their own over shared inputs."""

import threading

import numpy as np
import pytest
from running import in_threads

import corepy
import corepy.array_api as xp

from .programs import as_text, data, difference, fuse_all, run
from .writer import generate

THREADS, PROGRAMS = 8, 20


INPUTS = [
    "s0 = xp.asarray(data(1, (40, 50), 'float64'))",
    "s1 = xp.asarray(data(2, (1, 50), 'float32'))",
    "s2 = xp.asarray(data(3, (40, 1), 'int64'))",
    "s3 = xp.asarray(data(4, (50,), 'int16'))",
    "s4 = xp.asarray(data(5, (40, 50), 'complex128'))",
    "s5 = xp.asarray(data(6, (40, 50), 'bool'))",
    "s6 = xp.asarray(data(8, (200, 300), 'float32'))",
]


@pytest.mark.parametrize("written", [False, True])
def test_programs_in_threads(written):
    """Results are those of the eager way; any if another thread writes to the inputs."""
    shared = run(INPUTS).arrays
    programs = [
        [generate(seed, shared, writes=False) for seed in range(first, THREADS * PROGRAMS, THREADS)]
        for first in range(THREADS)
    ]

    def work(number):
        for program, expected in programs[number]:
            text = difference(expected, run(program, fuse_all, dict(shared)))
            assert written or not text, f"{as_text(INPUTS + program)}\n\n# {text}"

    stop = threading.Event()

    def write():
        seed = 0
        while not stop.is_set():
            for x in shared.values():
                x[...] = xp.asarray(data(seed, x.shape, x.dtype))
                x[::3] = 1
                seed += 1

    writer = threading.Thread(target=write)
    try:
        if written:
            writer.start()
        in_threads(work, THREADS)
    finally:
        stop.set()
        if written:
            writer.join()
    assert np.asarray(xp.ones(3) + 1).tolist() == [2.0, 2.0, 2.0]


@pytest.mark.parametrize("read", [xp.sum, xp.asarray, lambda x: x[1:] - x[:-1], lambda x: x + 1])
def test_what_another_thread_computes_is_read(read):
    """Whatever is recorded of pending values while they are computed, for the first time."""
    y = xp.ones(1_000_000)
    for steps in range(8, 16):
        with corepy.fuse():
            value = y * 2
            for _ in range(steps):
                value = xp.sin(value)
            thread = threading.Thread(target=np.asarray, args=(value,))
            thread.start()
            result = np.asarray(read(value))
            thread.join()
        expected = np.asarray(read(xp.asarray(np.asarray(value))))
        np.testing.assert_allclose(result, expected, rtol=1e-14)
