"""Calls with arguments of every kind, which may raise but not end the process."""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("random_calls.py")


@pytest.mark.parametrize("seed", range(4))
def test_the_process_lives(seed):
    command = [sys.executable, "-X", "faulthandler", str(SCRIPT), str(seed), "4000"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    last = done.stdout.splitlines()[-1:]
    assert done.returncode == 0, f"{last}, exit status {done.returncode}\n{done.stderr[-3000:]}"
    text, _, returned = last[0].rpartition(" ")
    assert text == "came to its end"
    assert int(returned) > 400  # most of it raises, but not all
