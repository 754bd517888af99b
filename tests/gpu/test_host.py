"""The errors that are found where kernels run on the host."""

import os
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
from running import module_from

HOST = Path(__file__).parent / "host"
LANES = np.arange(64)
UNWRITTEN = int(np.array(0xA5A5A5A5, np.uint32).view(np.int32))


def _program(folder, checked):
    """Compile cases.cpp; return what runs a case: its exit status, its numbers, its complaint."""
    compiler = os.environ.get("CXX", "c++").split()[-1]
    version = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True)
    if checked and "clang" in version.stdout:
        pytest.skip("the checks take GCC")
    runtime = module_from(HOST / "runtime.py")
    flags = [flag for flag in runtime.FLAGS if flag not in runtime.CHECKED]
    flags += runtime.CHECKED if checked else []
    program = folder / "cases"
    command = [compiler, *flags, "-Wall", "-Werror", str(HOST / "cases.cpp"), "-o", str(program)]
    subprocess.run([*command, *runtime.LIBRARIES], check=True)

    def run(*arguments):
        done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
        return done.returncode, np.array(done.stdout.split(), dtype=np.int64), done.stderr

    return run


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    return _program(tmp_path_factory.mktemp("plain"), checked=False)


@pytest.fixture(scope="module")
def checked(tmp_path_factory):
    return _program(tmp_path_factory.mktemp("checked"), checked=True)


@pytest.fixture(params=["plain", "checked"])
def cases(request):
    return request.getfixturevalue(request.param)


@pytest.mark.parametrize(
    "name",
    ["read_before_wait", "written_after_read", "written_by_two", "across_warps",
     "shuffle_is_no_order", "atomic_and_not"],
)  # fmt: skip
def test_races_are_found(checked, name):
    status, _, complaint = checked(name)
    assert status != 0
    assert f"{name}, block (0, 0, 0), thread" in complaint
    assert "no wait is between" in complaint or "was not written" in complaint


def test_shared_memory_that_is_not_written(plain, checked):
    status, out, _ = plain("unwritten")
    assert status == 0 and out[0] == UNWRITTEN
    np.testing.assert_array_equal(out[1:], LANES[1:])
    status, _, complaint = checked("unwritten")
    assert status != 0
    assert re.search("thread 0: reads byte .* of shared memory, which was not written", complaint)


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("two_lines", "and others of the block in line"),
        ("never", "all threads that are left wait"),
        ("outside", "is not in the mask 0xff"),
        ("no_barriers", "its HAS_BARRIERS is false"),
    ],
)
def test_waits_without_a_meaning(cases, name, complaint):
    status, _, said = cases(name)
    assert status != 0
    assert complaint in said


@pytest.mark.parametrize("count", [1, 32, 37, 74, 256])
def test_every_thread_has_its_turn(cases, count):
    status, out, _ = cases("orders", str(count))
    assert status == 0
    turns = out.reshape(8, count)
    np.testing.assert_array_equal(np.sort(turns, axis=1), np.tile(np.arange(count), (8, 1)))
    assert count == 1 or len({tuple(turn) for turn in turns}) > 1
