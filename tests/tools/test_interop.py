"""The tool that runs SciPy's and scikit-learn's tests: which failures it excuses."""

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

TOOLS = Path(__file__).parents[2] / "tools"
NODE = "scipy/x.py::test_one[torch:cpu]"


@pytest.fixture(scope="module")
def interop():
    sys.path.insert(0, str(TOOLS))
    try:
        import interop

        yield interop
    finally:
        sys.path.remove(str(TOOLS))


@pytest.mark.parametrize(
    ("device", "devices", "excused"),
    [
        ("cpu", {}, True),
        ("torch:cpu", {}, True),
        ("torch:cpu", {"devices": ["torch:cpu"]}, True),
        ("cpu", {"devices": ["torch:cpu"]}, False),
    ],
)
def test_failures_are_listed_for_devices(interop, monkeypatch, device, devices, excused):
    outcome = interop.Outcome("scipy", {"failed": 1}, {NODE: "wrong"}, 1.0)
    entry = {
        "suite": "scipy",
        "tests": ["scipy/x.py::test_one[*]"],
        "script": "shown.py",
        "reason": "why",
    }
    monkeypatch.setattr(
        interop.subprocess, "run", lambda *each, **options: SimpleNamespace(returncode=0)
    )
    options = SimpleNamespace(device=device, sample=True, pytest=[])
    interop.judge(outcome, {"failure": [entry | devices], "passed": {}}, options)
    assert outcome.problems == ([] if excused else [f"{NODE}: wrong"])


def test_a_script_that_fails_excuses_nothing(interop, monkeypatch):
    outcome = interop.Outcome("scipy", {}, {}, 1.0)
    entry = {"suite": "scipy", "tests": ["*"], "script": "shown.py", "reason": "why"}
    monkeypatch.setattr(
        interop.subprocess, "run", lambda *each, **options: SimpleNamespace(returncode=1)
    )
    options = SimpleNamespace(device="cpu", sample=True, pytest=[])
    interop.judge(outcome, {"failure": [entry], "passed": {}}, options)
    assert outcome.problems == ["shown.py does not show that: why"]
