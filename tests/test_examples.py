"""`examples/devices.py`, a program for every device."""

from pathlib import Path

import pytest
from running import known_module_from

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
