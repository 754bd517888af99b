"""`examples/devices.py`, a program for every device, and what examples say without a package."""

import sys
from pathlib import Path

import pytest
from running import known_module_from, run_python

import corepy
from corepy.backend import execution

EXAMPLE = Path(__file__).parents[1] / "examples" / "devices.py"


@pytest.mark.skipif(not EXAMPLE.exists(), reason="examples are in the source tree")
def test_all_devices_have_the_result_of_the_cpu(monkeypatch, capsys):
    monkeypatch.setattr(execution, "_warned", set())  # as in a new process
    assert known_module_from(EXAMPLE).main(["--steps", "70"]) == 0
    table, picture = capsys.readouterr().out.split("\n\n")
    lines = {line.split()[0]: line for line in table.splitlines()[1:]}
    local = [each for each in corepy.available_devices() if not each.backend.remote]
    assert [*lines] == [str(each) for each in local]
    assert lines["cpu"].endswith("  0e+00  none")
    for name in {"opencl:0", "webgpu:0"} & {*lines}:
        assert lines[name].endswith("  2 (fft.rfft, abs)")
    assert [len(row) for row in picture.splitlines()[1:]] == [64] * 16
    assert "@" in picture


@pytest.mark.skipif(not EXAMPLE.exists(), reason="examples are in the source tree")
@pytest.mark.parametrize(
    "name, module, extra, requirement",
    [
        ("digits", "matplotlib", "examples", "matplotlib"),
        ("estimators", "sklearn", "examples", "scikit-learn"),
        ("minilm", "safetensors", "models", "safetensors"),
        ("out_of_memory", "distributed", "dask", "dask[array,distributed]"),
    ],
)
def test_a_missing_package_is_named_at_once(name, module, extra, requirement):
    code = f"""
import runpy, sys
sys.modules[{module!r}] = None  # an import of it fails
sys.path.insert(0, {str(EXAMPLE.parent)!r})
sys.argv = ["{name}.py"]
runpy.run_path({str(EXAMPLE.parent / name)!r} + ".py", run_name="__main__")
"""
    done = run_python(code)
    assert done.returncode == 1 and done.stdout == ""
    first, second = done.stderr.splitlines()
    assert first.startswith(f"{name}.py needs {module}")
    assert first.endswith(f"Corepy's extra {extra!r}:")
    assert second.startswith(f"    {sys.executable} -m pip install ")
    assert f"'{requirement}>=" in second
