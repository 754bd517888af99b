"""Instruction sets and numbers of threads for the core's tests, restored after each."""

import pytest
from levels import level_parameters

import corepy
from corepy._cython import core


@pytest.fixture(autouse=True)
def restored():
    """Go back to the instruction set and the number of threads from before."""
    level, threads = core.simd_in_use(), corepy.get_num_threads()
    yield
    core.use_simd(level)
    if corepy.get_num_threads() != threads:
        corepy.set_num_threads(threads)


@pytest.fixture(params=level_parameters())
def level(request):
    """The name of an instruction set in use; the test runs on each of this processor."""
    core.use_simd(request.param)
    return request.param


@pytest.fixture
def levels():
    """A function that switches to each instruction set in turn, to compare within one test."""

    def visit():
        for name in core.simd_levels():
            core.use_simd(name)
            yield name

    return visit


@pytest.fixture
def numbers_of_threads():
    """A function that sets each of some numbers of threads in turn."""

    def visit():
        for n in (1, 2, 7):
            corepy.set_num_threads(n)
            yield n

    return visit
