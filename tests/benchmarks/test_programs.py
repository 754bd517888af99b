"""The benchmark of whole programs: right results and tables, no times."""

import contextlib
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("scipy")
pytest.importorskip("sklearn")

import corepy
from asv_benchmarks import programs
from asv_benchmarks.tasks import TASKS
from asv_benchmarks.timing import Effort

ROOT = Path(__file__).parents[2]
QUICKEST = Effort(budget=0, turn=0, least=1, most=1)


def test_there_are_enough_tasks_of_unique_names():
    assert len({task.name for task in TASKS}) == len(TASKS)
    assert sum(task.kind in programs.LIBRARIES for task in TASKS) >= 28
    assert {"stencil", "particles", "pointwise", "statistics"} <= {task.kind for task in TASKS}


def test_programs_and_calls_agree_with_numpy():
    """In a process of its own: SciPy reads its setting when it is imported."""
    command = [sys.executable, "-W", "ignore", "-m", "asv_benchmarks.programs", "--check"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    lines = run.stdout.splitlines()
    assert [line for line in lines if not line.endswith(": right")] == [], run.stderr
    assert len(lines) == len(TASKS)
    assert run.returncode == 0


@pytest.fixture
def few(monkeypatch):
    """Three tasks that need no setting: one is right, one is wrong, one fails."""
    data = {"x": np.arange(3.0)}

    def right(xp, x):
        return x * 2, xp.sum(x)

    def wrong(xp, x):
        return x + (xp is corepy)

    def failing(xp, x):
        return x.nothing if xp is corepy else x

    tasks = [
        replace(TASKS[0], name=each.__name__, run=each, data=lambda: data)
        for each in (right, wrong, failing)
    ]
    monkeypatch.setattr(programs, "TASKS", tasks)
    monkeypatch.setattr(programs, "QUICK", QUICKEST)
    context = contextlib.nullcontext()  # scikit-learn's would ask for SciPy's setting
    monkeypatch.setattr(programs.sklearn, "config_context", lambda **_: context)


def test_measuring_and_reporting(few, tmp_path, capsys):
    path = tmp_path / "out.json"
    assert programs.main(["--quick", "--only", "right", "--json", str(path)]) == 0
    shown = capsys.readouterr().out
    assert "| right" in shown
    assert "geometric mean" in shown
    [outcome] = json.loads(path.read_text())
    assert set(outcome["seconds"]) == {"numpy", "eager", "fused"}
    assert programs.main(["--only", "no such name"]) == 2


def test_wrong_results_and_errors_are_reported(few, capsys):
    assert programs.main(["--check"]) == 1
    shown = capsys.readouterr().out
    assert "right: right" in shown
    assert "wrong: eager: 3 of 3 elements are wrong" in shown
    assert "failing: eager: AttributeError" in shown
