"""Calls with arguments of every kind, which may raise but not end the process."""

import os
from pathlib import Path

import pytest
from running import known_module_from

random_calls = known_module_from(Path(__file__).with_name("random_calls.py"))

# How many hostile calls are made. `random_calls.py 0 2000 --hostile --total 1000000` makes more.
HOSTILE_CALLS = int(os.environ.get("COREPY_HOSTILE_CALLS", 4000))


@pytest.mark.parametrize("seed", range(4))
def test_the_process_lives(seed):
    wrong, returned = random_calls.run_process(seed, 4000)
    assert not wrong, wrong
    assert returned > 400  # most of it raises, but not all


@pytest.mark.parametrize("seed", range(0, HOSTILE_CALLS, 2000))
def test_hostile_arguments(seed):
    wrong, returned = random_calls.run_process(seed, 2000, "--hostile")
    assert not wrong, wrong
    assert returned > 100
