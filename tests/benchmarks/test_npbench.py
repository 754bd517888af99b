"""The benchmark of npbench's programs, on a checkout that has two kernels of this file."""

import json

import pytest

pytest.importorskip("scipy")
pytest.importorskip("sklearn")

from asv_benchmarks import npbench
from asv_benchmarks.timing import Effort

INITIALISE = """
import numpy as np

def initialise(N):
    return np.arange(N, dtype=np.float64), np.ones(N)
"""
SUMS = """
import numpy as np

def kernel(N, x, y):
    y += x
    return np.sum(x) * N
"""
# The name of the module is not the same in both.
WRONG = """
import numpy as np

def kernel(N, x, y):
    return x + len(np.__name__)
"""


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    for name, source in (("sums", SUMS), ("wrong", WRONG)):
        folder = tmp_path / "npbench" / "benchmarks" / name
        folder.mkdir(parents=True)
        (folder / f"{name}.py").write_text(INITIALISE)
        (folder / f"{name}_numpy.py").write_text(source)
        info = {
            "short_name": name, "module_name": name, "relative_path": name, "domain": "Tests",
            "dwarf": "none", "func_name": "kernel", "input_args": ["N", "x", "y"],
            "init": {"func_name": "initialise", "input_args": ["N"], "output_args": ["x", "y"]},
            "output_args": ["y"],
            "parameters": {"S": {"N": 10}, "M": {"N": 1000}, "L": {"N": 100_000}},
        }  # fmt: skip
        (tmp_path / "bench_info").mkdir(exist_ok=True)
        (tmp_path / "bench_info" / f"{name}.json").write_text(json.dumps({"benchmark": info}))
    monkeypatch.setattr(npbench, "LEAST", 0.0)
    monkeypatch.setattr(npbench, "QUICK", Effort(budget=0, turn=0, least=1, most=1))
    return tmp_path


def test_parameters_are_between_those_of_presets(checkout):
    kernel = npbench.Kernel(checkout, npbench.chosen(checkout, ["sums"])[0])
    found = [kernel.parameters(step)["N"] for step in (0, 2, 4, 6, 8, 10)]
    assert found == [10, 100, 1000, 10_000, 100_000, 1_000_000]


def test_measuring_and_reporting(checkout, tmp_path, capsys):
    path = tmp_path / "out.json"
    assert npbench.main([str(checkout), "--only", "sums", "--quick", "--json", str(path)]) == 0
    shown = capsys.readouterr().out
    assert "(N=10)" in shown
    assert "| sums" in shown
    [outcome] = json.loads(path.read_text())
    assert set(outcome["seconds"]) == {"numpy", "eager"}
    assert npbench.main([str(checkout), "--only", "no such name"]) == 2


def test_wrong_results_are_reported(checkout, capsys):
    assert npbench.main([str(checkout), "--check"]) == 1
    shown = capsys.readouterr().out
    assert "sums: right" in shown
    assert "wrong: eager: 10 of 10 elements are wrong" in shown
