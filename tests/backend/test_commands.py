"""``python -m corepy``: what the commands print, and their exit statuses."""

import dataclasses
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
from running import run_python

import corepy
from corepy import _commands
from corepy._commands import bench, matrix, timing
from corepy._commands import verify as verifying
from corepy._cython import core
from corepy.backend import get_backend


def run(*arguments, **variables):
    command = [sys.executable, "-m", "corepy", *arguments]
    return subprocess.run(
        command, env=os.environ | variables, capture_output=True, text=True, timeout=120
    )


def test_info():
    done = run("info", PYTHONIOENCODING="utf-8", COREPY_INTEGRATIONS="1")
    assert done.returncode == 0, done.stderr
    assert f"Corepy:       {corepy.__version__}" in done.stdout
    assert "integrations: dask, " in done.stdout
    assert core.simd_in_use() in done.stdout
    assert "✓ cpu" in done.stdout
    assert "cuda" in done.stdout


def test_info_in_an_encoding_without_marks():
    done = run("info", PYTHONIOENCODING="ascii")
    assert done.returncode == 0, done.stderr
    assert "+ cpu" in done.stdout


def test_info_as_json():
    done = run("info", "--json", COREPY_BACKEND="reference")
    known = json.loads(done.stdout)
    assert known["corepy"] == corepy.__version__
    assert known["simd"]["in_use"] in known["simd"]["usable"]
    assert known["machine"]["forced_backend"] == "reference"
    assert known["machine"]["devices"][0]["backend"] == "cpu"
    assert known["backends"][0]["name"] == "cpu"


def test_a_reader_that_leaves():
    command = f"{sys.executable} -m corepy info | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=60)
    assert done.stdout.startswith("Corepy:")
    assert "Traceback" not in done.stderr


# ---- verify


def test_verify():
    done = run("verify")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"backend 'cpu': {len(core.named_operations())} operations")
    assert done.stderr == ""  # the bar is for terminals


def test_verify_of_unknown_devices():
    done = run("verify", "--device", "nowhere")
    assert done.returncode == 2
    assert "verify: there is no device 'nowhere'" in done.stderr


def test_verify_without_the_reference():
    code = """
import sys
sys.modules["array_api_strict"] = None
from corepy._commands import main
sys.exit(main(["verify"]))
"""
    done = run_python(code)
    assert done.returncode == 2
    assert "array-api-strict" in done.stderr
    assert "pip install" in done.stderr


def test_verify_of_a_wrong_device(monkeypatch, capsys):
    report = SimpleNamespace(passed=False)
    monkeypatch.setattr(verifying, "check_backend", lambda backend, **options: report)
    assert verifying.verify("cpu") == 1


def test_progress(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    verifying.progress(1, 2, "add")
    assert terminal.getvalue().endswith(f"[{'#' * 15}{'.' * 15}] 1/2 add")
    verifying.progress(2, 2, "")
    assert terminal.getvalue().endswith("\r\033[K")


# ---- bench


def test_bench(monkeypatch, capsys):
    for name, value in {"_QUICK_SIZES": (3, 40), "_QUICK_SECONDS": 0.001}.items():
        monkeypatch.setattr(bench, name, value)
    assert _commands.main(["bench", "--quick"]) == 0
    text = capsys.readouterr().out
    for name in bench._QUICK_CASES:
        assert f"\n{name:15}         3 " in text
    assert "geometric mean" in text


def test_all_cases_run(monkeypatch, capsys):
    monkeypatch.setattr(bench, "_SIZES", (5,))
    monkeypatch.setattr(bench, "_SECONDS", 0.001)
    assert bench.bench() == 0
    text = capsys.readouterr().out
    assert all(f"\n{name:15}" in text for name in bench.CASES)


def test_pictures(monkeypatch):
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), "ascii"))
    fast, same, slow = bench.picture([("fast", 4.0), ("same", 1.0), ("slow", 0.25)])
    assert fast == "fast " + " " * 20 + "|" + "#" * 20 + " 4.00"
    assert same == "same " + " " * 20 + "| 1.00"
    assert slow == "slow " + "#" * 20 + "| 0.25"


def test_timing():
    calls = []
    one, other = timing.shortest([lambda: calls.append(1), lambda: sum(range(2000))], 0.01)
    assert 0 < one < other < 0.01
    assert len(calls) > 100


def test_units():
    assert [bench._time(each) for each in (1.5e-8, 2e-6, 0.5, 12.0)] == [
        "15 ns", "2 us", "500 ms", "12 s",
    ]  # fmt: skip


CALLS = {f"{name} call": 0.25 for name in matrix.OPERATIONS}
COPY = {"memcpy": 1.25, "memcpy call": 0.25}
TIMES = {
    "scalar": {"add": 8.0, "sum": 8.0, "matmul": 8.0, "copy": 1.0, "add large": 800.0,
               "sum large": 800.0, "matmul large": 800.0, "copy large": 80.0} | CALLS | COPY,
    "avx2": {"add": 2.0, "sum": 2.0, "matmul": 0.5, "copy": 1.0} | CALLS | COPY,
    "avx512": {"add": 1.0, "sum": 1.0, "matmul": 1.0, "copy": 0.5} | CALLS | COPY,
    "gpu": {"add": 20.0, "sum": 10.0, "matmul": 1.0, "copy": 4.0} | CALLS,
}  # fmt: skip


def test_the_matrix():
    found = matrix.speedups(TIMES)
    assert found["avx2"] == {"add": 4.0, "sum": 4.0, "matmul": 16.0, "copy": 1.0}
    assert found["gpu"] == {"add": 40.0, "sum": 80.0, "matmul": 800.0, "copy": 20.0}
    lines = matrix.table(TIMES)
    assert lines[0].split() == ["scalar", "AVX2", "AVX-512", "GPU"]
    assert lines[1].split() == ["add", "1.0", "4.0", "[4-8]", "8.0", "[8-16]", "40.0", "[50-100]"]
    reasons = matrix.reasons(TIMES)
    assert [line.partition(":")[0] for line in reasons] == [
        "AVX2, matmul", "AVX2, copy", "AVX-512, copy", "GPU, add", "GPU, matmul", "GPU, copy",
    ]  # fmt: skip
    # 2 * 32^3 operations in 0.25 s at the level and in 7.75 s by the scalar loop, without the calls
    assert reasons[0] == (
        "AVX2, matmul: 16.0, above 4 to 8: the call takes 250,000,000 ns of 500,000,000 ns, "
        "without it 31.0 times; 0.000262 operations per ns, and 8.46e-06 in the scalar loop; "
        "a vector has 8 numbers, and is multiplied and added at once"
    )
    # 2 * 4 * 2048 bytes in 0.75 s; memcpy moves them in 1 s
    assert reasons[1] == (
        "AVX2, copy: 1.0, below 4 to 8: the call takes 250,000,000 ns of 1,000,000,000 ns, without "
        "it 1.0 times; 2.18e-05 GB/s, and 2.18e-05 GB/s in the scalar loop; memcpy moves "
        "1.64e-05 GB/s, so the cache is the limit"
    )
    # 3 * 4 * 2^24 bytes in 19.75 s; the copy moves 2 * 4 * 2^24 in 4 s
    assert reasons[3] == (
        "GPU, add: 40.0, below 50 to 100: 0.0102 GB/s, and 0.000252 GB/s in the scalar loop; "
        "a copy moves 0.0336 GB/s"
    )


def test_calls_that_take_as_long_as_their_work_have_figures():
    times = {level: row | {"copy call": 1.0} for level, row in TIMES.items()}
    assert "the call takes" in matrix.reasons(times)[1]


@pytest.mark.skipif("scalar" not in core.simd_levels(), reason="not built with all targets")
def test_measurements_of_the_levels():
    for level in ("scalar", core.simd_levels()[-1]):
        times = matrix._times(level, True)
        assert set(times) >= {*matrix.OPERATIONS, *CALLS, *COPY}
        assert all(time > 0 for time in times.values())
        assert ("add large" in times) == (level == "scalar")


def test_builds_without_scalar_kernels(monkeypatch, capsys):
    monkeypatch.setattr(core, "simd_levels", lambda: ("avx2",))
    monkeypatch.setattr(core, "simd_missing", lambda: {"scalar": "this build has none"})
    assert _commands.main(["bench", "--matrix"]) == 2
    assert "this build has none" in capsys.readouterr().err


# ---- calibrate


def test_calibrate(monkeypatch, capsys):
    @dataclasses.dataclass
    class Rates:
        transfer: float
        work: dict

    costs = ModuleType("corepy.backend.costs")
    costs.calibrate = lambda: {"cpu": Rates(2.5, {"elementwise": 1.0})}
    monkeypatch.setitem(sys.modules, "corepy.backend.costs", costs)
    monkeypatch.setattr(corepy.backend, "costs", costs, raising=False)
    monkeypatch.delitem(sys.modules, "corepy._commands.calibrate", raising=False)
    try:
        assert _commands.main(["calibrate"]) == 0
    finally:
        sys.modules.pop("corepy._commands.calibrate", None)
    printed = json.loads(capsys.readouterr().out)
    assert printed == {"cpu": {"transfer": 2.5, "work": {"elementwise": 1.0}}}


# ---- arguments


@pytest.mark.parametrize("arguments", [["no_such"], ["info", "--no-such"]])
def test_wrong_arguments(arguments, capsys):
    with pytest.raises(SystemExit) as stopped:
        _commands.main(arguments)
    assert stopped.value.code == 2


def test_no_arguments():
    done = run()
    assert done.returncode == 0
    assert done.stdout.startswith("usage: python -m corepy")
    assert "calibrate" in done.stdout
    assert done.stderr == ""


def test_version():
    done = run("--version")
    assert (done.returncode, done.stdout) == (0, f"corepy {corepy.__version__}\n")


def test_nothing_needs_the_tree():
    """The commands are part of the wheel, and import nothing that is not."""
    folder = Path(corepy.__file__).parent
    for path in [*(folder / "_commands").glob("*.py"), *(folder / "testing").rglob("*.py")]:
        text = path.read_text()
        assert "import tests" not in text
        assert "asv_benchmarks" not in text


def test_the_package_lists_have_the_commands():
    root = Path(corepy.__file__).parent.parent
    if not (root / "pyproject.toml").exists():
        pytest.skip("installed")
    from setuptools import find_packages

    found = find_packages(root, include=["corepy", "corepy.*"])
    assert {"corepy._commands", "corepy.testing._checks"} <= set(found)


def test_devices_of_other_backends():
    from corepy.testing import check_backend

    with pytest.raises(ValueError, match=r"^check_backend: 'reference' is not a device"):
        check_backend("cpu", device=get_backend("reference").devices()[0])
