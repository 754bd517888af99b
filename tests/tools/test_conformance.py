"""The tool that runs the official suite: which suite it accepts, and partial results."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TOOLS = Path(__file__).parents[2] / "tools"


@pytest.fixture(scope="module")
def conformance():
    sys.path.insert(0, str(TOOLS))
    try:
        import conformance

        yield conformance
    finally:
        sys.path.remove(str(TOOLS))


@pytest.fixture(scope="module")
def suite(conformance, tmp_path_factory):
    """A copy of the suite: plain files, in no repository."""
    if not conformance.is_checked_out(conformance.SUBMODULE):
        pytest.skip("the official suite is not here")
    copied = tmp_path_factory.mktemp("suite") / "array-api-tests"
    ignored = shutil.ignore_patterns(*conformance.IGNORED)
    shutil.copytree(conformance.SUBMODULE, copied, ignore=ignored)
    return copied


def test_a_suite_of_plain_files_is_accepted(conformance, suite, monkeypatch, tmp_path):
    conformance.check_unmodified(suite)
    monkeypatch.setenv("PATH", str(tmp_path))  # without git
    conformance.check_unmodified(suite)


def test_a_suite_within_another_repository_is_accepted(conformance, suite):
    subprocess.run(["git", "init", "-q", str(suite.parent)], check=True)
    conformance.check_unmodified(suite)


def test_what_runs_leave_behind_does_not_matter(conformance, suite):
    (suite / "array_api_tests/__pycache__").mkdir()
    (suite / "array_api_tests/__pycache__/some.pyc").write_bytes(b"1")
    conformance.check_unmodified(suite)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("array_api_tests/test_special_cases.py", "files of array_api_tests have"),
        ("array-api/spec/2025.12/extra.rst", "files of array-api have"),
        ("skips.txt", "skips.txt exists"),
    ],
)
@pytest.mark.parametrize("with_git", [True, False])
def test_a_changed_suite_is_refused(
    conformance, suite, monkeypatch, capsys, tmp_path, name, said, with_git
):
    path = suite / name
    before = path.read_bytes() if path.exists() else None
    path.write_bytes((before or b"") + b"\n")
    if not with_git:
        monkeypatch.setenv("PATH", str(tmp_path))
    try:
        with pytest.raises(SystemExit):
            conformance.check_unmodified(suite)
    finally:
        path.unlink() if before is None else path.write_bytes(before)
    assert said in capsys.readouterr().err
    conformance.check_unmodified(suite)


SOME_TESTS = """
import os, pytest

def test_passes(): pass
def test_fails(): assert 1 == 2, "one is not two"
def test_skipped(): pytest.skip("flaky")
@pytest.mark.xfail
def test_expected(): assert False
@pytest.fixture
def broken():
    yield
    raise RuntimeError("at the end")
def test_teardown(broken): pass
def test_stopped(): os._exit(3)
def test_not_reached(): pass
"""


@pytest.mark.parametrize("workers", [0, 1])
def test_outcomes_are_written_as_tests_end(conformance, tmp_path, workers):
    import outcomes

    (tmp_path / "test_some.py").write_text(SOME_TESTS)
    written = tmp_path / "outcomes.jsonl"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "outcomes", "-p", "no:cacheprovider"]
    command += ["-n", str(workers)] if workers else ["-p", "no:xdist"]
    environment = {"PYTHONPATH": str(TOOLS), outcomes.VARIABLE: str(written)}
    subprocess.run(
        [*command, "test_some.py"], cwd=tmp_path, env=environment, capture_output=True, check=False
    )
    with written.open("a") as file:
        file.write('{"test": "cut')
    found = {each["test"].partition("::")[2]: each for each in outcomes.read(written)}
    assert found["test_passes"]["outcome"] == "passed"
    assert found["test_fails"]["outcome"] == "failed" and "one is not" in json.dumps(found)
    assert found["test_skipped"]["outcome"] == "skipped"
    assert found["test_skipped"]["reason"] == "flaky"
    assert found["test_expected"]["outcome"] == "xfailed"
    assert found["test_teardown"]["outcome"] == "failed"
    if workers:  # the process of the tests ends, and another one does the rest
        assert found["test_stopped"]["outcome"] == "failed"
        assert found["test_not_reached"]["outcome"] == "passed"
    else:
        assert "test_stopped" not in found and "test_not_reached" not in found
    result = conformance.counted("x", list(found.values()), [])
    assert result["passed"] == 1 + bool(workers)
    assert result["skipped"] == {found["test_skipped"]["test"]: "flaky"}
    assert len(result["failed"]) == 3 + bool(workers)
    assert conformance.unexcused(result) == []


def test_rows_of_the_document_are_replaced(conformance, tmp_path, monkeypatch):
    path = tmp_path / "conformance.md"
    shown = "| --- | --- | ---: | ---: | ---: | ---: | --- |"
    old = [
        "| Corepy, `cpu` | 0.0.1 | 2 | 3 | 0 | 5 | 2026-01-01 |",
        "| torch | 2 | 2 | 1 | 2 | 0 | x |",
    ]
    text = "A\n\n<!-- conformance:start -->\n\n{}\n\n<!-- conformance:end -->\n\nB\n"
    path.write_text(text.format("\n".join(["| namespace |", shown, *old])))
    monkeypatch.setattr(conformance, "DOCUMENT", path)
    monkeypatch.setattr(
        conformance.importlib.metadata, "version", {"corepy": "1", "numpy": "2"}.get
    )
    result = {"passed": 9, "failed": ["a"], "skipped": {}}
    results = [{"name": "cpu", **result}, {"name": "numpy", **result}]
    summary = {"date": "today", "max_examples": 7, "results": results}
    conformance.document(conformance.rows_of(summary, ["cpu"]))
    new = [
        "| Corepy, `cpu` | 1 | 7 | 9 | 1 | 0 | today |",
        old[1],
        "| numpy | 2 | 7 | 9 | 1 | 0 | today |",
    ]
    assert path.read_text() == text.format("\n".join(["| namespace |", shown, *new]))
