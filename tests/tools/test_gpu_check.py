"""The tool that runs the checks of a GPU, on a machine without one."""

import argparse
import json
import re
import sys
import threading
import types
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import corepy
from asv_benchmarks.timing import Effort
from corepy._gpu.runtime import KERNELS

ROOT = Path(__file__).parents[2]
TOOLS = ROOT / "tools"
PARTS = [
    "gpu-kernels", "gpu-driver", "gpu-large", "gpu-short", "gpu-conformance", "gpu-tests",
    "gpu-racecheck", "gpu", "gpu-memcheck", "gpu-threads",
]  # fmt: skip


@pytest.fixture
def tool(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "path", [str(TOOLS), *sys.path])
    import gpu_check

    page = tmp_path / "gpu.md"
    page.write_text((ROOT / "docs" / "gpu.md").read_text())
    monkeypatch.setattr(gpu_check, "PAGE", page)
    monkeypatch.setattr(gpu_check, "WORK", tmp_path)
    monkeypatch.setattr(gpu_check, "SITE", tmp_path / "site")
    monkeypatch.setattr(gpu_check, "UPDATE", 0.2)
    gpu_check.name_of = getattr(gpu_check, "name_of", gpu_check.device_name)
    monkeypatch.setattr(gpu_check, "device_name", lambda index: "Some GPU")
    return gpu_check


@pytest.fixture
def options(tmp_path):
    return argparse.Namespace(device="cuda:0", wheels=tmp_path, limit=60.0)


def part_of(tool, name):
    text = tool.PAGE.read_text()
    return re.search(rf"<!-- {name}:start -->(.*?)<!-- {name}:end -->", text, re.DOTALL)[1]


def test_the_first_half_hour(tool):
    first = tool.chosen(["first"])
    assert first[:3] == ["packages", "build", "kernels"] and first[-1] == "conformance"
    assert sum(tool.LIMITS[name] for name in first) <= 1800
    assert tool.chosen(["first", "build", "compare"]) == [*first, "compare"]
    assert tool.chosen([]) == list(tool.STEPS)
    assert all(limit + tool.GRACE < 600 for limit in tool.LIMITS.values())


def test_the_rest(tool, tmp_path):
    """What has not passed or, without a result, has no complete part of the page."""
    for step in tool.STEPS:
        tool.write_part("gpu" if step == "compare" else f"gpu-{step}", "done: 3 passed, 1 failed")
    assert tool.chosen(["rest"]) == ["packages", "build"]
    tool.write_part("gpu", "some GPU; interrupted: 117 of 135 cases")
    tool.write_part("gpu-memcheck", "")
    assert tool.chosen(["rest"]) == ["packages", "build", "memcheck", "compare"]
    tool.write_results("compare", "passed (300 s)")
    tool.write_results("tests", "FAILED: exit status 1 (30 s)")
    tool.write_results("memcheck", "FAILED: not installed (0 s)")
    assert tool.chosen(["build", "rest"]) == ["build", "packages", "memcheck", "tests"]
    assert set(tool.results_so_far()) == {"compare", "tests", "memcheck"}


def test_times_by_number_of_threads(tool, options, monkeypatch, tmp_path):
    from asv_benchmarks import compare_threads

    for name, value in (("ELEMENTS", 1000), ("TRANSFORMED", 64), ("SIDE", 8)):
        monkeypatch.setattr(compare_threads, name, value)
    monkeypatch.setattr(compare_threads, "EFFORT", Effort(0.0, 1e-5, 1, 1))

    def python(*arguments, seconds):
        before = corepy.get_num_threads()
        try:
            found = compare_threads.measure([1, 2])
        finally:
            corepy.set_num_threads(before)
        assert set(found) == set(compare_threads.CASES)
        table = compare_threads.tabled(found, [1, 2])
        Path(arguments[-1]).write_text(json.dumps({"seconds": found, "table": table}))

    monkeypatch.setattr(tool, "python", python)
    tool.threads(options)
    text = part_of(tool, "gpu-threads")
    assert "processors, 20" in text and "| cumulative_sum " in text and "Corepy, 2 |" in text


def test_unknown_steps_are_refused(tool, capsys):
    with pytest.raises(SystemExit):
        tool.main(["nothing"])
    assert "no such step: nothing; there are first, rest, packages" in capsys.readouterr().err


def test_a_machine_without_a_gpu_is_told_so(tool, monkeypatch, tmp_path):
    class CUDARuntimeError(RuntimeError):
        pass

    def properties(index):
        raise CUDARuntimeError("cudaErrorNoDevice: no CUDA-capable device is detected")

    runtime = types.SimpleNamespace(
        getDeviceProperties=properties, CUDARuntimeError=CUDARuntimeError
    )
    cupy = types.SimpleNamespace(cuda=types.SimpleNamespace(runtime=runtime))
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    monkeypatch.setattr(tool, "device_name", tool.name_of)
    monkeypatch.setattr(tool, "NEEDED_BY", {})
    assert tool.main(["large"]) == 1
    results = json.loads((tmp_path / "results.json").read_text())
    assert "FAILED: there is no GPU 0: cudaErrorNoDevice" in results["large"]


def test_each_part_has_a_place_on_the_page(tool):
    for name in PARTS:
        assert part_of(tool, name).strip() == tool.part_of(name)
    assert not tool.part_of("gpu-nothing")
    used = set(re.findall(r"gpu-[a-z]+", (TOOLS / "gpu_check.py").read_text()))
    assert {name for name in used if name[4:] in tool.STEPS} <= set(PARTS)


def test_wheels_are_found_by_their_normal_names(tool, tmp_path):
    for name in ("cython-3.1.0-cp312", "Cython-3.2.0-cp312", "pytest_xdist-3-py3", "pytest-8-py3"):
        (tmp_path / f"{name}.whl").touch()
    found = [path.name for path in tool.wheels_of("Cython", tmp_path)]
    assert sorted(found) == ["Cython-3.2.0-cp312.whl", "cython-3.1.0-cp312.whl"]
    assert [path.name for path in tool.wheels_of("pytest-xdist", tmp_path)] == [
        "pytest_xdist-3-py3.whl"
    ]


def test_wheels_replace_what_is_too_old(tool, options, monkeypatch, tmp_path):
    """A version that is installed, and older than building needs, gives way to the wheel's."""
    old, site = tmp_path / "old", tmp_path / "site"
    (old / "setuptools-65.0.dist-info").mkdir(parents=True)
    (old / "setuptools-65.0.dist-info" / "METADATA").write_text("Name: setuptools\nVersion: 65.0\n")
    with zipfile.ZipFile(tmp_path / "setuptools-80.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr("setuptools-80.0.dist-info/METADATA", "Name: setuptools\nVersion: 80.0\n")
        wheel.writestr("setuptools/new.py", "")
    monkeypatch.setattr(sys, "path", [str(site), str(old), *sys.path])
    monkeypatch.setattr(tool, "missing_from", lambda packages: [])
    assert list(tool.too_old()) == ["setuptools"]
    tool.packages(options)
    assert (site / "setuptools" / "new.py").exists()
    assert not tool.too_old()


def test_without_a_wheel_the_step_says_what_is_too_old(tool, options, monkeypatch):
    monkeypatch.setattr(tool, "missing_from", lambda packages: [])
    monkeypatch.setattr(tool, "too_old", lambda: {"setuptools": "setuptools is 65.0, not >=77"})
    with pytest.raises(tool.Failed, match=r"setuptools is 65.0, not >=77, and there is no wheel"):
        tool.packages(options)


def test_the_sanitizer_is_unpacked_where_there_is_none(tool, options, monkeypatch, tmp_path):
    for variable in ("CUDA_PATH", "CUDA_HOME"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(tool.shutil, "which", lambda name: None)
    monkeypatch.setattr(tool, "missing_from", lambda packages: [])
    monkeypatch.setattr(tool, "too_old", dict)
    monkeypatch.setattr(sys, "path", [str(tmp_path / "site")])
    installed = tool.find_sanitizer()
    if installed:
        pytest.skip(f"there is {installed}")
    tool.packages(options)
    assert tool.find_sanitizer() is None
    inside = "nvidia/cu13/compute-sanitizer/compute-sanitizer"
    wheel = tmp_path / "nvidia_cuda_sanitizer_api-13.0-py3-none-manylinux_2_25_x86_64.whl"
    with zipfile.ZipFile(wheel, "w") as packed:
        packed.writestr(inside, "#!/bin/sh\n")
    tool.packages(options)
    assert tool.find_sanitizer() == str(tmp_path / "site" / inside)


SOME_TESTS = """
import time, pytest
pytestmark = pytest.mark.gpu

def test_fails(): assert False, "it does"
def test_passes(): pass
def test_waits(): time.sleep({seconds})
"""


@pytest.mark.parametrize(
    ("seconds", "limit", "said"), [(0, 60.0, "exit status 1"), (60, 15.0, "not done after 15")]
)
def test_tests_do_not_stop_at_a_failure_and_are_reported(
    tool, options, monkeypatch, tmp_path, seconds, limit, said
):
    file = tmp_path / "test_some.py"
    file.write_text(SOME_TESTS.format(seconds=seconds))
    monkeypatch.setattr(tool, "GRACE", 5.0)
    options.limit = limit
    with pytest.raises(tool.Failed, match=said):
        tool.run_tests("driver", options, str(file), "-c", str(ROOT / "pyproject.toml"))
    text = part_of(tool, "gpu-driver")
    passed = 2 if seconds == 0 else 1
    assert ("; interrupted: 1 passed" in text) == (seconds > 0)
    assert "`driver`, Some GPU, 20" in text and f"{passed} passed, 1 failed" in text
    assert "::test_fails`: `AssertionError: it does" in text
    lines = (tmp_path / "driver.jsonl").read_text().splitlines()
    assert len(lines) >= passed + 1


def test_the_page_is_written_while_a_step_runs(tool, options, tmp_path):
    seen = []
    tool.run(sys.executable, "-c", "import time; time.sleep(1)", seconds=30.0,
             update=lambda: seen.append(1))  # fmt: skip
    assert len(seen) >= 3
    with pytest.raises(tool.Failed, match="exit status 3"):
        tool.run(sys.executable, "-c", "raise SystemExit(3)", seconds=30.0)


def test_parts_of_the_suite(tool, options, monkeypatch, tmp_path):
    import conformance

    monkeypatch.setattr(conformance, "BUILD", tmp_path)
    (tmp_path / "conformance").mkdir()
    asked = []

    def python(*arguments, seconds, update):
        asked.append(arguments[arguments.index("-k") + 1])
        report = conformance.outcomes_of("cuda:0")
        tests = [("a", "passed", ""), ("b", "failed", "no"), ("c", "skipped", "flaky")]
        lines = [
            json.dumps({"test": f"{len(asked)}{name}", "outcome": outcome, "reason": why,
                        "seconds": 1.0})
            for name, outcome, why in tests
        ]  # fmt: skip
        report.write_text("\n".join(lines) + "\n")
        update()
        if len(asked) == 2:
            raise tool.Failed("not done after 7 seconds")

    monkeypatch.setattr(tool, "python", python)
    with pytest.raises(tool.Failed, match="elementwise functions: not done after 7"):
        tool.conformance(options)
    assert asked[:2] == ["test_special_cases", "test_operators_and_elementwise_functions"]
    text = part_of(tool, "gpu-conformance")
    assert "| special cases | 1 | 1 | 1 |" in text and "| all others | 1 | 1 | 1 |" in text
    assert "- failed: `2b`" in text
    assert len(json.loads((tmp_path / "conformance.json").read_text())) == 3


def test_a_step_that_fails_leaves_the_others(tool, monkeypatch, tmp_path, capsys):
    def failing(options):
        raise RuntimeError("a bug")

    monkeypatch.setitem(tool.STEPS, "large", failing)
    monkeypatch.setitem(tool.STEPS, "short", lambda options: None)
    monkeypatch.setattr(tool, "NEEDED_BY", {})
    assert tool.main(["large", "short"]) == 1
    results = json.loads((tmp_path / "results.json").read_text())
    assert "FAILED: a bug" in results["large"] and "passed" in results["short"]


# ---- kernels


@pytest.fixture
def kernels(tool, monkeypatch):
    import gpu_kernels

    compiler = types.ModuleType("corepy._gpu.cuda")
    compiler.asked = []

    def compiled(kernel):
        compiler.asked.append(kernel)
        if "bad" in kernel:
            raise ValueError("no such kernel")

    compiler.compiled = compiled
    monkeypatch.setitem(sys.modules, "corepy._gpu.cuda", compiler)
    monkeypatch.setattr(
        gpu_kernels, "ProcessPoolExecutor", lambda count, *rest, **more: ThreadPoolExecutor(count)
    )
    monkeypatch.setattr(gpu_kernels, "UPDATE", 0.0)
    gpu_kernels.asked = compiler.asked
    return gpu_kernels


def test_kernels_are_compiled_and_timed_by_family(tool, kernels, tmp_path):
    report = tmp_path / "kernels.json"
    wanted = ["corepy::Rows<1>", "corepy::Rows<2>", "corepy::fusion::Run<1>", "corepy::Box<bad>"]
    assert not kernels.compile_all(wanted, 0, 2, report)
    assert sorted(kernels.asked) == sorted(wanted)
    found = json.loads(report.read_text())
    assert {name: each["compiled"] for name, each in found["families"].items()} == {
        "Rows": 2, "fusion::Run": 1, "Box": 0,
    }  # fmt: skip
    text = tool.table_of_kernels(found, "Some GPU")
    assert "3 of 4 kernels compiled by 2 processes" in text and "| Rows | 2 |" in text
    assert "Failed: `corepy::Box<bad>`: ValueError: no such kernel" in text


def test_an_interrupted_step_keeps_what_was_compiled(kernels, monkeypatch, tmp_path, capsys):
    begun, go_on = threading.Event(), threading.Event()
    compile_at_once = sys.modules["corepy._gpu.cuda"].compiled

    def compiled(kernel):
        compile_at_once(kernel)
        if len(kernels.asked) == 2:
            begun.set()
            assert go_on.wait(10)

    def interrupted(work):
        yield next(iter(work))
        assert begun.wait(10)
        threading.Timer(0.2, go_on.set).start()
        raise KeyboardInterrupt

    monkeypatch.setattr(sys.modules["corepy._gpu.cuda"], "compiled", compiled)
    monkeypatch.setattr(kernels, "as_completed", interrupted)
    wanted = [f"corepy::Rows<{number}>" for number in range(50)]
    assert not kernels.compile_all(wanted, 0, 1, tmp_path / "kernels.json")
    assert kernels.asked == wanted[:2]  # the second was being compiled
    found = json.loads((tmp_path / "kernels.json").read_text())
    assert found["families"]["Rows"]["compiled"] == 1 and found["wanted"] == 50
    assert "interrupted: 50 were wanted" in capsys.readouterr().err


def test_the_list_of_kernels_names_templates_that_exist(kernels):
    listed = kernels.known()
    headers = "".join(path.read_text() for path in KERNELS.glob("*.cuh"))
    families = {kernels.family_of(kernel) for kernel in listed}
    assert families == set(kernels.FAMILIES)
    for family in families:
        assert re.search(rf"struct {family.rpartition('::')[2]}\b", headers), family
    assert kernels.family_of(listed[0]) == "ScanRows" and len(listed) > 3000
