"""The benchmarks of a GPU, run on the CPU with replaced events."""

import json
from argparse import Namespace

import pytest

from asv_benchmarks import compare, gpu
from asv_benchmarks.libraries import libraries_for


@pytest.fixture
def libraries():
    return libraries_for("cpu", ["numpy"])


def test_names_of_cases_are_unique():
    names = [case.name for case in gpu.grid()]
    assert len(set(names)) == len(names)
    assert {case.size for case in gpu.grid()} == set(gpu.SIZES)


def chosen(name, size):
    return next(case for case in gpu.grid() if case.name == f"/{name}/{size}")


@pytest.mark.parametrize(
    "name",
    ["add/float32/contiguous", "multiply/float32/scalar", "where/float32/contiguous",
     "sum/float32/last axis"],
)  # fmt: skip
def test_a_case_is_measured_and_checked(libraries, name):
    result = gpu.measure_case(chosen(name, 1), libraries, 3)
    assert not result.errors
    assert set(result.host) == set(result.seconds) == {"corepy", "numpy"}
    assert result.speedups["numpy"] > 0 and not result.device


def test_the_largest_cases_have_device_times(libraries, monkeypatch):
    monkeypatch.setattr(gpu, "LARGEST", 1_000)
    monkeypatch.setattr(gpu, "CHECKED", 10)
    monkeypatch.setattr(gpu, "events_around", lambda function: (function(), 1.0)[1])
    result = gpu.measure_case(chosen("add/float32/contiguous", 1_000), libraries, 3)
    assert result.device == {"corepy": 0.2, "numpy": 0.2}
    assert result.read + result.written == 3 * 4_000
    in_place = gpu.measure_case(chosen("add in place/float32/contiguous", 1_000), libraries, 3)
    assert in_place.read + in_place.written == 3 * 4_000


def test_wrong_results_are_errors(libraries, monkeypatch):
    monkeypatch.setattr(libraries[0].xp, "exp", libraries[0].xp.sin, raising=False)
    result = gpu.measure_case(chosen("exp/float32/contiguous", 1_000), libraries, 3)
    assert len(result.errors) == 1 and "corepy" in result.errors[0]


def measured(name, size, **facts):
    """A result of Corepy and CuPy."""
    operation, dtype, layout = name.split("/")
    return gpu.Measured(f"/{name}/{size}", "", operation, operation, dtype, layout, size, **facts)


def some_run():
    results = [
        measured("add/float32/contiguous", 1, host={"corepy": 2e-6, "cupy": 5e-6},
                 seconds={"corepy": 3e-6, "cupy": 6e-6}, speedups={"cupy": 2.0, "torch": 1.5}),
        measured("add/float32/contiguous", 100_000_000, read=800_000_000, written=400_000_000,
                 device={"corepy": 3e-4, "cupy": 3e-4}, speedups={"cupy": 1.0}),
        measured("sum/float32/first axis", 100_000_000, read=400_000_000,
                 device={"corepy": 2e-4}),
    ]  # fmt: skip
    return gpu.Run("a device; today", 4e12, results)


def test_promises():
    found = {what: (measured, met) for what, measured, _, met in gpu.bars(some_run())}
    assert found["host time of x + y"] == ("2 µs", True)
    assert found["the same over CuPy's"] == ("0.40", True)
    name = "/add/float32/contiguous/100000000, share of copy bandwidth"
    assert found[name] == ("100%", True)
    name = "/sum/float32/first axis/100000000, share of copy bandwidth"
    assert found[name] == ("50%", False)
    assert found["geometric mean over CuPy"] == ("1.41", False)


def test_a_run_is_kept_and_reported(tmp_path, monkeypatch, capsys):
    page = tmp_path / "gpu.md"
    page.write_text("before\n<!-- gpu:start -->\n<!-- gpu:end -->\nafter\n")
    monkeypatch.setattr(gpu, "PAGE", page)
    monkeypatch.setattr(gpu, "measure", lambda options: some_run())
    report = tmp_path / "run.json"
    arguments = ["--device", "cuda:0", "--json", str(report), "--update-docs"]
    assert compare.main(arguments) == 0
    text = page.read_text()
    assert "a device; today" in text and "Host time of a call" in text
    assert text.startswith("before") and text.endswith("after\n")
    assert json.loads(report.read_text())["bandwidth"] == 4e12
    assert compare.main(["--device", "cuda:0", "--load", str(report), "--check"]) == 1
    assert "missed" in capsys.readouterr().out


@pytest.fixture
def options(libraries, monkeypatch, tmp_path):
    """The command line of a short run that needs no GPU."""
    monkeypatch.setattr(gpu, "libraries_for", lambda device, names: libraries)
    monkeypatch.setattr(gpu, "describe", lambda device, found: "here")
    monkeypatch.setattr(gpu, "copy_bandwidth", lambda: 1e12)
    monkeypatch.setattr(gpu, "make_current", lambda device: None)
    return Namespace(
        device="cuda:0", libraries=None, sizes=[1], only=["sqrt", "/exp/"], quick=True,
        json=tmp_path / "run.json", resume=False, update_docs=False, section="gpu",
    )  # fmt: skip


def saved(options):
    """The names of the cases in the file that a run writes, and why Corepy could not do them."""
    results = json.loads(options.json.read_text())["results"]
    return {result["name"]: result["missing"].get("corepy", "") for result in results}


SQRT, EXP = "/sqrt/float32/contiguous/1", "/exp/float32/contiguous/1"


def test_cases_are_chosen(options):
    run = gpu.measure(options)
    assert {result.name for result in run.results} == {SQRT, EXP} == set(saved(options))
    assert not any(saved(options).values())


def test_a_case_that_fails_is_an_error_of_the_run(options, monkeypatch):
    def broken(case, *rest):
        raise RuntimeError("no such thing")

    monkeypatch.setattr(gpu, "measure_case", broken)
    assert len(gpu.measure(options).results) == 2
    assert saved(options)[SQRT] == "RuntimeError: no such thing"


def test_the_page_is_written_after_each_case(options, monkeypatch, tmp_path):
    page = tmp_path / "gpu.md"
    page.write_text("<!-- gpu-short:start -->\n<!-- gpu-short:end -->\n")
    monkeypatch.setattr(gpu, "PAGE", page)
    options.update_docs, options.section = True, "gpu-short"
    measure, pages = gpu.measure_case, []

    def measured(*arguments):
        pages.append(page.read_text())
        return measure(*arguments)

    monkeypatch.setattr(gpu, "measure_case", measured)
    gpu.measure(options)
    first, second = pages
    assert SQRT not in first and EXP not in first
    assert (SQRT in second) != (EXP in second)
    assert SQRT in page.read_text() and EXP in page.read_text()


def test_what_was_measured_before_an_interruption_is_kept(options, monkeypatch):
    measure, done = gpu.measure_case, []

    def interrupted(*arguments):
        if done:
            raise KeyboardInterrupt
        done.append(measure(*arguments))
        return done[0]

    monkeypatch.setattr(gpu, "measure_case", interrupted)
    run = gpu.measure(options)
    assert run.results == done and len(saved(options)) == 1
    assert run.description == "here; interrupted: 1 of 2 cases"


def test_cases_that_were_measured_are_not_measured_again(options, monkeypatch):
    measure, done = gpu.measure_case, []

    def measured(case, *arguments):
        done.append(case.name)
        return measure(case, *arguments)

    monkeypatch.setattr(gpu, "measure_case", measured)
    run = gpu.measure(options)
    names = [result.name for result in run.results]
    assert sorted(done) == sorted(names) and len(names) == 2
    run.results.pop()
    run.bandwidth *= 2
    gpu.save(run, options)
    options.resume, done[:] = True, []
    again = gpu.measure(options)
    assert done == names[1:] and [result.name for result in again.results] == names
    assert again.results[0] == run.results[0] and again.bandwidth == run.bandwidth
    assert again.description == "here"
    options.resume = False
    assert len(gpu.measure(options).results) == 2 and len(done) == 3
