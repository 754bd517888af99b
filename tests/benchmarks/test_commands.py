"""The command lines, each in a process of its own."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from asv_benchmarks.cases import all_cases

ROOT = Path(__file__).resolve().parents[2]


def run(module, *arguments, check=True):
    command = [sys.executable, "-m", f"asv_benchmarks.{module}", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=check)


def test_compare_measures_and_writes_json(tmp_path):
    path = tmp_path / "results.json"
    arguments = ["--only", "arithmetic/add", "--sizes", "1", "--libraries", "numpy", "--quick"]
    done = run("compare", *arguments, "--threads", "1", "--json", str(path))
    facts = json.loads(path.read_text())
    assert [each["name"] for each in facts["results"]] == [
        case.name
        for case in all_cases()
        if (case.group, case.operation, case.size) == ("arithmetic", "add", 1)
    ]
    for each in facts["results"]:
        assert each["seconds"]["corepy"] > 0
        assert each["speedups"]["numpy"] > 0
        assert not each["wrong"]
    assert "Limits of the machine with 1 thread" in done.stdout
    assert "| arithmetic " in done.stdout
    again = run("compare", "--load", str(path))
    assert again.stdout == done.stdout


def test_compare_lists_cases():
    done = run("compare", "--list", "--only", "scan")
    names = [case.name for case in all_cases() if case.group == "scan"]
    assert done.stdout.splitlines() == [*names, f"{len(names)} cases"]


def test_compare_refuses_what_matches_nothing():
    done = run("compare", "--only", "no such thing", check=False)
    assert done.returncode == 2
    assert "no case matches" in done.stderr


@pytest.mark.slow
def test_overhead_measures_every_statement(tmp_path):
    path = tmp_path / "overhead.json"
    run("overhead", "--rounds", "3", "--seconds", "0.0002", "--json", str(path))
    results = json.loads(path.read_text())["results"]
    assert {"x + y", "xp.std(x)", "x[i] = v"} <= {each["statement"] for each in results}
    assert all(each["ratio"] > 0 for each in results)


@pytest.mark.slow
def test_neighbour_measures_with_and_without(tmp_path):
    path = tmp_path / "neighbour.json"
    arguments = ["--rounds", "1", "--seconds", "0.01", "--only", "reduction/sum"]
    run("neighbour", *arguments, "--json", str(path))
    results = json.loads(path.read_text())
    assert results
    for each in results:
        assert each["rise"] == pytest.approx(each["beside"] / each["alone"])
