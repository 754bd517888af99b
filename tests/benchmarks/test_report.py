"""Tables, limits, bars and turns, on made-up numbers."""

import math
import re
import subprocess
import sys

import pytest

from asv_benchmarks import documents, limits, report, timing
from asv_benchmarks.cases import select
from asv_benchmarks.libraries import libraries_for
from asv_benchmarks.run import Result, run_case
from asv_benchmarks.session import Session
from asv_benchmarks.timing import Effort, Runner, median_ratio, take_turns

RATES = {
    1_000_000: {
        "read": 8e9, "fill": 4e9, "copy": 16e9, "add": 24e9, "multiply_add_float64": 1e9,
        "multiply_add_float32": 2e9,
    }
}  # fmt: skip


def result(name, numpy, torch=None, seconds=1e-3, **facts):
    group, operation, dtype, layout, size = name.split("/")
    speedups = {"numpy": numpy} if torch is None else {"numpy": numpy, "torch": torch}
    return Result(
        name, group, operation, operation, dtype, layout, int(size),
        seconds={"corepy": seconds, "numpy": seconds * numpy}, speedups=speedups, **facts,
    )  # fmt: skip


MOVED = {"read": 16_000_000, "written": 8_000_000, "memory": 1e-3}
RESULTS = [
    result("arithmetic/add/float64/contiguous/1", 8.0, 16.0),
    result("arithmetic/add/float64/contiguous/1000000", 2.0, **MOVED),
    result("scan/diff/float64/contiguous/1", 0.5, 1.0),
]


def session(results=RESULTS, threads=2):
    return Session(
        "a machine", "Python", "2026-01-01", "cpu", threads, RATES, list(results), "avx2"
    )


def test_means():
    assert report.geometric_mean([2.0, 8.0]) == pytest.approx(4.0)
    assert math.isnan(report.geometric_mean([]))
    # A disturbed round does not move the median of ratios.
    assert median_ratio([1.0, 1.0, 50.0], [3.0, 3.0, 3.0]) == 3.0


def test_table_by_group_and_size():
    lines = str(report.by(RESULTS, "group")).splitlines()
    assert lines[0].split() == "| group | cases | NumPy | PyTorch |".split()
    assert lines[2].split() == "| arithmetic | 2 | 4.00 | 16.0 |".split()
    assert lines[3].split() == "| scan | 1 | 0.50 | 1.00 |".split()
    assert lines[4].split() == "| **all** | 3 | 2.00 | 4.00 |".split()
    lines = str(report.by(RESULTS, "elements")).splitlines()
    assert [line.split()[1] for line in lines[2:]] == ["1", "10^6", "**all**"]


def test_the_worst_come_first_and_those_behind_are_named():
    names = [each.name for each in report.worst_first(RESULTS)]
    assert names == [RESULTS[2].name, RESULTS[1].name, RESULTS[0].name]
    assert report.behind(RESULTS) == [RESULTS[2]]
    assert report.behind([result("scan/diff/float64/contiguous/1", 0.96)]) == []


@pytest.mark.parametrize(
    ("read", "written", "work", "seconds", "bound"),
    [
        (16_000_000, 8_000_000, 0, 1e-3, "memory (add)"),
        (8_000_000, 8_000_000, 0, 1e-3, "memory (copy)"),
        (8_000_000, 0, 0, 1e-3, "memory (read)"),
        (0, 8_000_000, 0, 1e-3, "memory (fill)"),
        (8_000_000, 8_000_000, 5e6, 5e-3, "arithmetic"),
    ],
)
def test_least_time_of_a_large_case(read, written, work, seconds, bound):
    case = result("arithmetic/add/float64/contiguous/1000000", 1.0, read=read, written=written,
                  multiply_adds=work, memory=1e-3)  # fmt: skip
    assert limits.least_seconds(case, RATES) == (pytest.approx(seconds), bound)


@pytest.mark.parametrize("read, written", [(8_000_000, 0), (8_000_000, 4_000_000), (3, 0)])
def test_memory_moves_as_many_bytes_as_the_case(monkeypatch, read, written):
    asked = []
    monkeypatch.setattr(limits, "MemoryLoop", lambda *arguments: asked.append(arguments))
    case = result("reduction/sum/float64/contiguous/1000000", 1.0, read=read, written=written)
    limits.MemoryRunner(case, 2)
    [(movement, elements, threads)] = asked
    assert threads == 2
    assert elements * limits.MOVED[movement] == max(read + written, limits.MOVED[movement])


def test_large_cases_take_turns_with_the_memory():
    [small] = select(["arithmetic/add/float32/contiguous/1"], [1])
    [large] = select(["arithmetic/add/float32/contiguous/1000000"])
    small, large = (
        run_case(case, libraries_for("cpu", ["numpy"]), Effort(0.01, 1e-4, 3, 3), 1)
        for case in (small, large)
    )
    assert small.memory == 0
    assert 0 < large.memory < 1
    assert large.read + large.written == 12_000_000


def test_small_cases_have_no_limit_and_large_ones_show_their_share():
    assert limits.least_seconds(RESULTS[0], RATES) is None
    rows = report.cases(RESULTS, RATES).splitlines()
    assert rows[3].rstrip(" |").endswith("100% of memory (add)")
    assert "%" not in rows[2]


def test_what_large_cases_could_be_at_their_limit():
    slow = result("a/b/float64/row/1000000", 2.0, seconds=4e-3, **MOVED)
    fast = result("a/c/float64/row/1000000", 8.0, seconds=5e-4, **MOVED)
    # Limit 1 ms: the slow one could be four times as fast, the fast one is beyond it in the caches.
    assert report.ceiling([slow, fast, RESULTS[0]], RATES, "numpy") == pytest.approx((4.0, 8.0))
    assert all(map(math.isnan, report.ceiling([RESULTS[0]], RATES, "numpy")))
    assert documents.ceiling(session([RESULTS[0]])) == ""
    assert "4.00 times as fast as NumPy, 8.00 times at" in documents.ceiling(session([slow, fast]))


def test_measured_limits():
    first = limits.measure(1)
    assert set(first) == set(limits.SIZES)
    for rates in first.values():
        assert set(rates) == set(RATES[1_000_000])
        assert all(math.isfinite(rate) and rate > 0 for rate in rates.values())
    slower = {size: {k: v / 2 for k, v in rates.items()} for size, rates in first.items()}
    assert limits.best(slower, first) == first


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: limits.MemoryLoop("read", 10, 0), "expected 1 to 1024 threads, got 0"),
        (lambda: limits.MemoryLoop("read", 10, 1025), "expected 1 to 1024 threads, got 1025"),
        (lambda: limits.MemoryLoop("read", 0, 1), r"expected 1 to 2\*\*36 elements, got 0"),
        (lambda: limits.MemoryLoop("read", 2**60, 1), r"expected 1 to 2\*\*36 elements"),
        (lambda: limits.MemoryLoop("write", 10, 1), "read, fill, copy, add, got 'write'"),
        (lambda: limits.MemoryLoop("read", 10, 1).seconds(0), "passes must be at least 1, got 0"),
        (lambda: limits.multiply_add_rates(0), "expected 1 to 1024 threads, got 0"),
    ],
)
def test_limits_refuse_invalid_arguments(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.skipif(sys.platform != "linux", reason="needs a bound on the address space")
def test_memory_loops_without_memory():
    program = """
import resource
from asv_benchmarks.limits import MemoryLoop, library

library()

resource.setrlimit(resource.RLIMIT_AS, (1 << 32, 1 << 32))
try:
    MemoryLoop("add", 1 << 30, 1).seconds(1)
except MemoryError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "no memory for 3 arrays of 1073741824 float64" in done.stdout


@pytest.mark.parametrize("movement", limits.MOVED)
@pytest.mark.parametrize(("threads", "elements"), [(1, 1), (3, 7), (2, 1000)])
def test_memory_loops_over_small_arrays(movement, threads, elements):
    loop = limits.MemoryLoop(movement, elements, threads)
    assert 0 < loop.seconds(1) < 1
    assert 0 < loop.seconds(3) < 1


def test_bars():
    found = {text: met for text, _, _, met in report.bars(RESULTS, RATES, 2)}
    assert found["geometric mean over NumPy"] is False
    assert found["cases below 0.95 of NumPy's speed"] is False
    fast = [
        result("elementary/sin/float64/contiguous/1000000", 9.0, 9.0),
        result("reduction/sum/float64/contiguous/10000000", 9.0, 9.0, seconds=0.0117,
               read=80_000_000, memory=0.01),
    ]  # fmt: skip
    found = {text: met for text, _, _, met in report.bars(fast, RATES, 2)}
    assert found.pop("reduction/sum/float64/contiguous/10000000, time over the limit's") is False
    assert len(found) == 5
    assert all(found.values())
    assert ("geometric mean over NumPy, one thread", 9.0, "at least 2.5", True) in [
        (text, pytest.approx(value), bar, met)
        for text, value, bar, met in report.bars(fast, RATES, 1)
    ]


def test_errors_of_a_run():
    wrong = result("scan/diff/float64/contiguous/1", 1.0, wrong={"torch": "shape"})
    failed = result("scan/diff/float64/contiguous/1", 1.0, missing={"corepy": "E", "jax": "F"})
    assert session([*RESULTS]).errors == []
    assert session([wrong, failed]).errors == [
        "scan/diff/float64/contiguous/1: torch: shape",
        "scan/diff/float64/contiguous/1: corepy: E",
    ]


def test_units():
    times = [report.duration(each) for each in (2e-8, 1.5e-6, 2.25e-3, 3.0)]
    assert times == ["20 ns", "1.5 µs", "2.25 ms", "3 s"]
    factors = [report.factor(each) for each in (0.954, 12.34, 250.0, math.nan)]
    assert factors == ["0.95", "12.3", "250", ""]


def test_turns_give_every_runner_as_many_rounds():
    runners = [Runner("f()", {"f": lambda: None}), Runner("x += y", {"x": 1, "y": 0}, "global x")]
    times = take_turns(runners, Effort(budget=0.01, turn=0.0001, least=3, most=5))
    assert len(times[0]) == len(times[1]) >= 3
    assert min(times[0] + times[1]) > 0
    assert runners[0].number > 10


@pytest.mark.parametrize(("busy", "looks"), [(0, 1), (5, 6), (10**6, 25)])
def test_waiting_ends_when_threads_are_idle(monkeypatch, busy, looks):
    slept = []

    class Clock:
        sleep = slept.append

        @staticmethod
        def process_time():
            return sum(slept[:busy])

    monkeypatch.setattr(timing, "time", Clock)
    timing.wait_for_threads()
    assert len(slept) == looks


@pytest.mark.parametrize(
    ("once", "synchronize", "rests", "untimed"),
    [(1e-3, None, 1, 20), (1e-3, list, 0, 3), (1e-6, None, 0, 3), (1.0, None, 1, 1)],
)
def test_turns_that_may_start_threads_begin_warm_and_end_idle(
    monkeypatch, once, synchronize, rests, untimed
):
    asked, rested = [], []
    runner = Runner("pass", {}, synchronize=synchronize)
    runner.once, runner.number = once, 7
    monkeypatch.setattr(Runner, "seconds", lambda self, number: asked.append(number) or once)
    monkeypatch.setattr(timing, "wait_for_threads", lambda: rested.append(True))
    runner.turn()
    assert asked == [untimed, 7]
    assert len(rested) == rests


def test_documents_are_written_between_their_markers(tmp_path):
    path = tmp_path / "page.md"
    path.write_text("before\n<!-- compare:start -->\nold\n<!-- compare:end -->\nafter\n")
    assert documents.replace_between(path, "compare", "new")
    assert documents.replace_between(path, "compare", "newer")
    text = "before\n<!-- compare:start -->\n\nnewer\n\n<!-- compare:end -->\nafter\n"
    assert path.read_text() == text
    assert not documents.replace_between(path, "speed", "new")
    assert path.read_text() == text


def test_a_summary_says_that_a_peer_knows_few_of_the_cases():
    few = result("scan/diff/float64/contiguous/1", 1.0)
    few.speedups["numexpr"] = 3.0
    assert "3.00 times as fast as numexpr in 1 of them" in documents.summary(
        session([*RESULTS, few])
    )


def test_the_report_names_the_worst_and_what_is_behind():
    text = documents.text("a machine", documents.parts(session(), worst=1))
    assert "The 1 worst cases" in text
    assert "1 of 3 cases are below 0.95 of NumPy's speed:\n\n- 0.50 `scan/diff/" in text
    assert "100% of memory (add)" in text
    assert "| cases below 0.95 of NumPy's speed " in text
    text = documents.summary(session())
    assert "3 cases" in text
    assert "2.00 times as fast as NumPy, 4.00 times as fast as PyTorch" in text
    assert "1 case is below" in text


def test_update_of_the_documents(tmp_path, monkeypatch):
    (tmp_path / "benchmarks" / "data").mkdir(parents=True)
    page, readme = tmp_path / "benchmarks" / "operations.md", tmp_path / "README.md"
    overview = tmp_path / "benchmarks.md"
    overview.write_text("<!-- overview:start -->\n<!-- overview:end -->\n")
    page.write_text(
        "".join(f"<!-- compare-avx{n}:start -->\n<!-- compare-avx{n}:end -->\n" for n in (512, 2))
    )
    readme.write_text("<!-- speed-avx2:start -->\n<!-- speed-avx2:end -->\n")
    monkeypatch.setattr(documents, "BENCHMARKS", overview)
    monkeypatch.setattr(documents, "PAGES", page.parent)
    monkeypatch.setattr(documents, "README", readme)
    documents.update(session())
    other, ours = page.read_text().split("<!-- compare-avx2:start -->")
    assert "Measured: a machine; AVX2; 2 threads; Python; 2026-01-01" in ours
    assert "| scan " in ours
    assert "Measured" not in other
    assert "2.00 times as fast as NumPy" in readme.read_text()
    assert "operations.md), AVX2 |       2.00 | a machine | 2026-01-01 |" in overview.read_text()
    measured, [groups, *_] = documents.load()["compare-avx2"]
    assert (measured, groups) == (session().description, report.by(RESULTS, "group"))
    unknown = session()
    unknown.simd = "neon"
    with pytest.raises(ValueError, match="neon"):
        documents.update(unknown)


@pytest.mark.parametrize(
    ("cell", "text", "ratio"),
    [
        ("a", "a", None), (7, "7", None), (2.5, "2.50", 2.5),
        (None, "", None), ([2e-3, 2.5], "2 ms (2.50)", 2.5), ([2e-3, None], "2 ms", None),
        ([None, 2.5], "(2.50)", 2.5),
    ],
)  # fmt: skip
def test_cells(cell, text, ratio):
    assert report.shown(cell) == text
    assert report.ratio_of(cell) == ratio


def test_pages_have_the_tables_of_their_data():
    pages = [*documents.PAGES.glob("*.md"), documents.BENCHMARKS, documents.ROOT / "docs/gpu.md"]
    written = "".join(page.read_text("utf-8") for page in pages)
    for name, (measured, tables) in documents.load().items():
        assert measured in written
        for number, table in enumerate(tables, 1):
            text = documents.text("", [table])
            picture = f"```{{speedups}} {name} {number}\n{table.title}\n```"
            assert text.replace(f"{table.title}:", picture) in written, name


def test_pictures(tmp_path):
    picture = pytest.importorskip("asv_benchmarks.picture")
    bars = report.Table(
        "Ratios", ["", "a", "b"], [["`x * y`", [1e-3, 0.5], 3.0], ["**all**", None, 4.0]]
    )
    marks = report.Table("Ratios", ["", *"abcd"], [["[x](y.md)", 1.0, 2.0, 3.0, 4.0]])
    for table, shown in ((bars, {"x * y", "all", "0.50×", "3.00×", "4.00×"}), (marks, {"x", "d"})):
        paths = [tmp_path / name for name in ("1.svg", "2.svg", "1.png")]
        for path in paths:
            picture.draw(table, path)
        svg = paths[0].read_text("utf-8")
        assert shown | {"Ratios"} <= set(re.findall(r">([^<\n]+)</text>", svg))
        assert paths[1].read_text("utf-8") == svg
        assert paths[2].read_bytes().startswith(b"\x89PNG")
