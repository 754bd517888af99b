"""Calls with deferred operands have the results, errors and effects of calls with computed ones.

COREPY_DEFERRED_CALLS is the number of calls; the default takes some twenty seconds.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("random_deferred.py")
PARTS = 4
CALLS = int(os.environ.get("COREPY_DEFERRED_CALLS", "12000"))


@pytest.mark.parametrize("part", range(PARTS))
def test_deferred_calls_agree_with_computed_ones(part):
    command = [sys.executable, "-X", "faulthandler", str(SCRIPT), str(part), str(CALLS // PARTS)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{done.stdout[-5000:]}\n{done.stderr[-3000:]}"
    words = done.stdout.split()
    assert int(words[words.index("returned") + 1]) > CALLS // PARTS // 4  # most raise, but not all
