"""The benchmark of lines of NumPy programs: right results and the report, no times."""

import json
from dataclasses import replace

import numpy as np
import pytest

from asv_benchmarks import idioms, report
from asv_benchmarks.cases.numpy_lines import LINES
from asv_benchmarks.run import Result, prepared
from asv_benchmarks.timing import Effort

SMALLEST = [case for case in LINES if case.size == 100]
GROUPS = sorted({case.group for case in LINES})


def test_there_are_enough_lines_of_unique_names():
    assert len({case.name for case in LINES}) == len(LINES)
    assert len(SMALLEST) >= 300
    assert {case.size for case in LINES} == {100, 10_000, 1_000_000}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("group", GROUPS)
def test_lines_compute_the_same_in_both(group):
    for case in SMALLEST:
        if case.group == group:
            result = Result.of(case)
            prepared(case, [idioms.CorepyLines(), idioms.NumPyLines()], result)
            assert not result.errors
            assert not result.missing


@pytest.mark.filterwarnings("ignore")
def test_statements_leave_their_result_in_x():
    """Otherwise what is compared is not what they compute."""
    for case in SMALLEST:
        if case.writes and "x" in dict(case.data):
            operands = case.operands()
            found = idioms.NumPyLines().program(case, operands).result()
            assert not np.array_equal(found, operands["x"].values), case.name


def test_measuring_and_reporting(tmp_path, monkeypatch, capsys):
    quickest = Effort(budget=0, turn=0, least=1, most=1)
    monkeypatch.setattr("asv_benchmarks.session.QUICK", quickest)
    path = tmp_path / "out.json"
    chosen = ["--only", "rounding and precision", "--sizes", "100"]
    assert idioms.main([*chosen, "--quick", "--json", str(path)]) == 0
    shown = capsys.readouterr().out
    assert "| rounding and precision |" in shown
    assert "% of the cases are below 0.95" in shown
    names = [each["name"] for each in json.loads(path.read_text())["results"]]
    assert names == [case.name for case in SMALLEST if case.group == "rounding and precision"]
    assert idioms.main(["--load", str(path)]) == 0
    assert "geometric mean" in capsys.readouterr().out
    assert idioms.main(["--load", str(path), "--least"]) == 0
    shown = capsys.readouterr().out
    least = [
        each["seconds"]["numpy"] / each["seconds"]["corepy"]
        for each in json.loads(path.read_text())["results"]
    ]
    assert f"{report.factor(report.geometric_mean(least))} times as fast" in shown
    assert idioms.main(["--only", "no such line"]) == 2


def test_cases_behind_are_counted_by_size():
    results = []
    for case, ratio in zip(SMALLEST, (0.5, 0.9, 2.0), strict=False):
        results += [Result.of(case), Result.of(replace(case, size=10_000))]
        results[-2].speedups, results[-1].speedups = {"numpy": ratio}, {"numpy": 1.0}
    rows = idioms.by_size(results).rows
    assert [[name, *counts] for name, _, _, *counts in rows] == [
        ["10^2", 2, 1], ["10^4", 0, 0], ["**all**", 2, 1],
    ]  # fmt: skip


def test_ratios_of_least_times():
    assert idioms.of_least_times({"corepy": 2.0, "numpy": 3.0}) == {"numpy": 1.5}
    assert idioms.of_least_times({"numpy": 3.0}) == {}


def test_a_wrong_result_is_an_error(monkeypatch, capsys):
    monkeypatch.setattr(idioms.CorepyLines, "to_numpy", lambda self, x: np.asarray(x) + 1)
    monkeypatch.setattr("asv_benchmarks.session.QUICK", Effort(0, 0, 1, 1))
    assert idioms.main(["--only", "np.cumsum(x)", "--sizes", "100", "--quick"]) == 1
    assert "100 of 100 elements are wrong" in capsys.readouterr().err
