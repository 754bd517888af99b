"""The programs of the gallery (`docs/gallery`), each run in a process of its own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

GALLERY = Path(__file__).parents[1] / "docs" / "gallery"
PROGRAMS = sorted(GALLERY.glob("plot_*.py"))


@pytest.mark.slow
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_a_program_agrees_with_numpy(program):
    for package in ("matplotlib", "PIL", "sklearn", "dask.array"):
        pytest.importorskip(package)
    done = subprocess.run(
        [sys.executable, program],
        env=os.environ | {"MPLBACKEND": "Agg"},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    if "Not run: " in done.stdout:
        pytest.skip(done.stdout.strip())
    assert "The results agree with NumPy's" in done.stdout
    assert " times the speed\n" in done.stdout
