"""Every operation from eight threads at once, with and without threads that write meanwhile.

`make sanitize` sets COREPY_STRESS_SECONDS, so that it runs for longer there.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from standard import computing_functions

import corepy
import corepy.array_api as xp

SCRIPT = Path(__file__).with_name("thread_stress.py")
SECONDS = os.environ.get("COREPY_STRESS_SECONDS", "6")


def stress(*arguments):
    command = [sys.executable, "-X", "faulthandler", str(SCRIPT), "--seconds", SECONDS, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, f"{done.stdout[-2000:]}\n{done.stderr[-4000:]}"
    # LAPACK writes messages to standard output, too, where a thread makes an element NaN for it.
    summary = re.search(r"^(\d+) rounds, (\d+) calls, 0 wrong$", done.stdout, re.MULTILINE)
    assert summary is not None, done.stdout[-2000:]
    assert int(summary[1]) > 0
    assert int(summary[2]) > 0


def test_threads_compute_what_one_thread_computes():
    stress()


@pytest.mark.skipif(
    os.environ.get("COREPY_SANITIZE") == "thread", reason="the threads race on purpose"
)
def test_inputs_that_other_threads_write_into():
    stress("--mutate")


def test_every_function_is_called():
    listed = subprocess.run(
        [sys.executable, str(SCRIPT), "--list"], capture_output=True, text=True, check=True
    )
    assert set(computing_functions()) <= set(listed.stdout.splitlines())


@pytest.mark.parametrize("name", ["svd", "pinv"])
@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan])
def test_singular_values_of_what_is_not_finite(name, value, device):
    """LAPACK's iteration would not end for some of them."""
    rng = np.random.default_rng(0)
    for _ in range(20):
        x = rng.normal(scale=1e4, size=(2, 4, 4))
        x.flat[rng.integers(x.size)] = value
        with pytest.raises(np.linalg.LinAlgError, match=f"^linalg.{name}: x has elements"):
            found = getattr(xp.linalg, name)(xp.asarray(x, device=device))
            corepy.compute(*found if isinstance(found, tuple) else [found])  # on a lazy device
