"""The benchmark of whole expressions: right results, tables and the command line, no times."""

import json
from dataclasses import replace

import numpy as np
import pytest

from asv_benchmarks import documents, fusion
from asv_benchmarks.expressions import EXPRESSIONS, expressions
from asv_benchmarks.libraries import load
from asv_benchmarks.run import Result, arrays_of, compare
from asv_benchmarks.session import Session

MEASURED = Result(
    "fusion/a/float64/contiguous/1000000", "fusion", "a", "a", "float64", "contiguous", 1_000_000,
    read=16_000_000, written=8_000_000, memory=1e-3,
    seconds={"corepy": 2e-3, "numpy": 8e-3, "torch.compile": 3e-3},
    first={"corepy": 3e-3, "numpy": 9e-3, "torch.compile": 1.5},
    speedups={"numpy": 4.0, "torch.compile": 1.5}, missing={"jax": "TypeError: no"},
)  # fmt: skip
RATES = dict.fromkeys(
    ("read", "fill", "copy", "add", "multiply_add_float64", "multiply_add_float32"), 1e9
)
RUN = Session("a machine", "Python", "2026-01-01", "cpu", 2, {1_000_000: RATES}, [MEASURED])


def test_there_are_twenty_expressions_of_unique_names():
    assert len({each.operation for each in EXPRESSIONS}) == len(EXPRESSIONS) >= 18


@pytest.mark.parametrize("case", expressions([100]), ids=lambda case: case.operation)
def test_all_ways_compute_the_same(case):
    operands = case.operands()
    expected, found = (
        arrays_of(library.program(case, operands).result(), library)
        for library in (load("numpy"), fusion.Fused())
    )
    assert compare(case, operands, found, expected, exact_dtypes=True) == ""
    assert fusion.different_bits(case) == ""


@pytest.mark.parametrize(
    ("fused", "eager", "message"),
    [
        ([1.0, 2.0], [1.0, np.nextafter(2.0, 3.0)], "1 of 2 elements"),
        ([0.0], [-0.0], "1 of 1 elements"),
        ([np.nan], [1.0], "1 of 1 elements"),
        ([np.nan], [-np.nan], ""),
        (np.ones(2, np.float32), np.ones(2), "float32 (2,) instead of float64 (2,)"),
    ],
)
def test_bits_are_compared(fused, eager, message):
    results = iter([fused, eager])
    case = replace(expressions([100])[0], compute=lambda xp, x: xp.asarray(next(results)))
    text = fusion.different_bits(case)
    assert text.startswith(message) if message else not text


def rows_of(text):
    """The cells of the rows of expression a, table by table."""
    lines = [line for line in text.splitlines() if line.startswith("| a ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def text_of(run, **facts):
    return documents.text(run.description, fusion.parts(run, **facts))


def test_report():
    text = text_of(RUN)
    assert rows_of(text)[0] == ["a", "24", "2 ms", "8 ms (4.00)", "3 ms (1.50)", "1 ms (50%)"]
    assert "- Smallest over torch.compile: 1.50 a." in text
    assert "/1000000: jax: TypeError: no" in text


def test_report_of_first_calls():
    assert rows_of(text_of(RUN))[1:] == [["a", "1.5 s (500)"]]
    text = text_of(RUN, recording=5e-8)
    assert rows_of(text)[1:] == [["a", "3 ms (1.50)", "9 ms (1.12)", "1.5 s (500)"]]
    assert "computing it: 50 ns." in text


@pytest.mark.usefixtures("not_deferring")
def test_command(tmp_path, capsys):
    path = tmp_path / "results.json"
    arguments = ["--only", "poly*", "gelu", "--sizes", "100", "--libraries", "numpy", "--quick"]
    assert fusion.main([*arguments, "--overhead", "--json", str(path)]) == 0
    facts = json.loads(path.read_text())
    assert facts["recording"] > 0
    assert [each["operation"] for each in facts["results"]] == ["polynomial", "gelu"]
    for each in facts["results"]:
        assert set(each["seconds"]) == {"corepy", "numpy", fusion.Eager.name}
        assert not each["wrong"] and not each["missing"]
    shown = capsys.readouterr().out
    assert "| polynomial " in shown and "| **geometric mean** " in shown


def test_a_different_bit_is_an_error(monkeypatch, capsys):
    monkeypatch.setattr(fusion, "different_bits", lambda case: "1 of 100 elements")
    arguments = ["--only", "gelu", "--sizes", "100", "--libraries", "numpy", "--quick"]
    assert fusion.main(arguments) == 1
    assert "error: fusion/gelu/float32/contiguous/100: corepy: 1 of 100" in capsys.readouterr().err


def test_what_matches_nothing_is_refused(capsys):
    assert fusion.main(["--only", "no such thing"]) == 2
    assert "no expression matches" in capsys.readouterr().err
