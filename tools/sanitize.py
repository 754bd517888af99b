"""Builds Corepy with sanitizers in build/sanitize-*, and runs the tests: ``make sanitize``.

``address`` is AddressSanitizer with UndefinedBehaviorSanitizer, over all tests; ``thread`` is
ThreadSanitizer, over the tests with several threads. A report ends its process, and all reports are
shown at the end, whether the test failed or not. Python is not instrumented: the sanitizer's
library is preloaded, and leaks are not reported, because Python leaks on purpose. Under ``address``
the memory pool caches nothing, so that the sanitizer knows each block; under ``thread`` it caches
blocks, which threads exchange.
"""

import argparse
import filecmp
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COPIED = ("corepy", "tests", "tools", "asv_benchmarks", "examples", "docs")
FILES = ("setup.py", "pyproject.toml", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE")
LIBRARIES = {"address": ("libasan.so", "libubsan.so"), "thread": ("libtsan.so",)}
TESTS = {
    "address": ("tests",),
    # Tests that start threads or depend on them, and each kind of work that threads share.
    "thread": (
        "tests/robustness",
        "tests/test_memory.py",
        "tests/cython/test_freelist.py",
        "tests/cython/test_threads.py",
        "tests/cython/test_creation.py::test_results_do_not_depend_on_the_number_of_threads",
        "tests/cython/test_masks.py",
        "tests/cython/test_movement.py::test_results_do_not_depend_on_the_number_of_threads",
        "tests/cython/test_products.py",
        "tests/cython/test_reduction_kernels.py::test_threads_change_nothing[float64]",
        "tests/cython/test_scans.py::test_levels_and_threads_change_nothing[float64]",
        "tests/cython/test_sorting.py::test_large_lines_of_little_disorder",
        "tests/cython/test_sorting.py::test_ranks_do_not_depend_on_threads",
        "tests/cython/test_sorting.py::test_searchsorted",
        "tests/cython/test_transforms.py::test_same_bits_for_any_number_of_threads",
        "tests/cython/test_transforms.py::test_threads_and_many_plans",
        "tests/dropin/test_histograms.py::test_sums_of_weights_are_as_in_numpy_to_the_bit",
        "tests/fusion/test_programs.py::test_fused_programs_agree_with_eager_ones[0]",
        "tests/fusion/test_programs.py::test_fused_programs_agree_with_eager_ones[1]",
        "tests/fusion/test_scopes.py",
        "tests/fusion/test_threads.py",
    ),
}
# Tests, or files of them, that are meaningless with a sanitizer.
MEANINGLESS = (
    # Memory is returned to the system late, to detect uses after free.
    "tests/robustness/test_memory.py::test_memory_is_given_back",
    "tests/test_memory.py::test_a_million_allocations_from_eight_threads_leave_nothing",
    # It counts blocks from the system; the pool caches none.
    "tests/fusion/test_plan.py::test_stored_bytes_are_those_of_the_memory_in_use",
    "tests/test_memory.py::test_large_blocks_go_back_to_the_system",
    # A sanitizer's memory does not fit into a limited address space.
    "tests/benchmarks/test_report.py::test_memory_loops_without_memory",
    "tests/backend/test_remote.py",
    "tests/test_blocks.py::test_python[docs/backends.md]",  # which starts the same server
    # Objects share the sanitizer's symbols.
    "tests/test_build.py",
    # NVIDIA's compiler does not start with a sanitizer loaded before it.
    "tests/gpu/test_compile.py::test_every_kernel_compiles",
    "tests/gpu/test_compile.py::test_registers",
    # Not every file is copied.
    "tests/test_documentation.py::test_links_between_files",
)
LEFT_OUT = {
    "address": (
        *MEANINGLESS,
        # A child deadlocks in the sanitizer of GCC before 14 if it is forked while another thread
        # allocates (llvm-project#75290). ThreadSanitizer runs these tests.
        "tests/robustness/test_interruptions.py::test_forks_and_interrupts_at_random_moments",
        "tests/robustness/test_interruptions.py::"
        "test_garbage_collection_in_a_child_is_as_in_its_parent",
    ),
    "thread": (
        *MEANINGLESS,
        # Counts threads, and this sanitizer adds one.
        "tests/robustness/test_threads.py::test_small_work_starts_no_threads",
        # They test races for the elements of an input.
        "tests/fusion/test_threads.py::test_programs_in_threads[True]",
        "tests/robustness/test_mutation.py",
        # It measures how long signals wait.
        "tests/robustness/test_signals.py::test_an_operation",
        # Takes minutes. The test that forks while no other thread computes is run.
        "tests/robustness/test_threads.py::test_a_forked_child_computes[3-20]",
    ),
}
# ThreadSanitizer's false positives. The C library frees a finished thread's variables when another
# thread takes over its stack, under a lock unknown to the sanitizer.
SUPPRESSED = "race:_dl_deallocate_tls\n"
# Remarks of sanitizers that are no reports: failed allocations, which tests provoke; and a caution
# about coroutines, in which tests run kernels for GPUs.
REMARKS = ("failed to allocate", "doesn't fully support makecontext/swapcontext")
# The largest block, instead of a limit on the address space, of which sanitizers use terabytes.
LARGEST = "allocator_may_return_null=1:max_allocation_size_mb=8192"
ENVIRONMENT = {
    "address": {
        "ASAN_OPTIONS": f"detect_leaks=0:{LARGEST}:log_path={{reports}}",
        "UBSAN_OPTIONS": "print_stacktrace=1:log_path={reports}",
        "COREPY_CACHE_LIMIT": "0",
    },
    "thread": {
        "TSAN_OPTIONS": "halt_on_error=1:die_after_fork=0:report_signal_unsafe=0:"
        f"suppressions={{suppressed}}:{LARGEST}:log_path={{reports}}",
    },
}


def copy_changed(source: str, to: str) -> str:
    """Copy a file whose content differs. It is as new as the copy: a build before may have compiled
    the old content after the source was edited.
    """
    if not (os.path.exists(to) and filecmp.cmp(source, to, shallow=False)):
        shutil.copyfile(source, to)
        shutil.copymode(source, to)
    return to


def copy_tree(to: Path) -> None:
    """Update the sources in `to`, without files built elsewhere."""
    to.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(to / "tests", ignore_errors=True)  # or removed tests would still run
    ignore = shutil.ignore_patterns("*.so", "__pycache__")
    for name in COPIED:
        shutil.copytree(ROOT / name, to / name, False, ignore, copy_changed, dirs_exist_ok=True)
        for path in (to / name).rglob("*.[pch]*"):  # sources that the copy before had
            if path.is_file() and not (ROOT / path.relative_to(to)).exists():
                path.unlink()
    for name in FILES:
        copy_changed(str(ROOT / name), str(to / name))
    if not (to / "array-api-tests").exists():  # the standard's text, which tests read
        (to / "array-api-tests").symlink_to(ROOT / "array-api-tests")


def library(name: str) -> str:
    """Return the path of one of the compiler's run-time libraries."""
    compiler = os.environ.get("CXX", "c++").split()[-1]
    path = subprocess.run(
        [compiler, f"-print-file-name={name}"], capture_output=True, text=True, check=True
    ).stdout.strip()
    if not os.path.isabs(path):
        sys.exit(f"sanitize: {compiler} has no {name}; install the compiler's sanitizer libraries")
    return path


def read_report(path: Path) -> str:
    """Return a sanitizer's output about a process, without remarks."""
    lines = path.read_text(errors="replace").splitlines()
    return "\n".join(line for line in lines if not any(remark in line for remark in REMARKS))


def run(kind: str, tests: list[str], jobs: int, pytest_args: list[str]) -> int:
    """Build with one sanitizer and run the tests; return 0 if they pass and nothing is reported."""
    tree = ROOT / "build" / f"sanitize-{kind}"
    copy_tree(tree)
    environment = {**os.environ, "COREPY_SANITIZE": kind, "PYTHONPATH": str(tree)}
    print(f"sanitize: building with {kind}", flush=True)
    build = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
    subprocess.run(build, cwd=tree, env=environment, check=True)

    reports = tree / "reports"
    shutil.rmtree(reports, ignore_errors=True)
    reports.mkdir()
    suppressed = tree / "suppressed"
    suppressed.write_text(SUPPRESSED)
    environment |= {
        name: value.format(reports=reports / "report", suppressed=suppressed)
        for name, value in ENVIRONMENT[kind].items()
    }
    environment |= {
        "COREPY_FUSION_PROGRAMS": "400",
        "COREPY_STRESS_SECONDS": "60",
        "LD_PRELOAD": " ".join(map(library, LIBRARIES[kind])),
        "OPENBLAS_NUM_THREADS": "1",  # its locks are not instrumented
    }
    command = [sys.executable, "-m", "pytest", "-q", "-n", str(jobs)]
    command += [f"--deselect={name}" for name in LEFT_OUT[kind]]
    command += [*pytest_args, *(tests or TESTS[kind])]
    print("sanitize:", " ".join(command[1:]), flush=True)
    status = subprocess.run(command, cwd=tree, env=environment, check=False).returncode
    found = list(filter(None, map(read_report, sorted(reports.iterdir()))))
    print("\n".join([*found, f"sanitize: {len(found)} reports with {kind}"]), flush=True)
    return status or bool(found)


def main() -> int:
    """Run the chosen sanitizers one after the other."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=sorted(TESTS), help="one sanitizer")
    parser.add_argument("-n", "--jobs", type=int, default=1, help="processes that run the tests")
    parser.add_argument("--pytest-args", default="", help="more arguments for pytest")
    parser.add_argument("tests", nargs="*", help="tests to run instead of the usual ones")
    args = parser.parse_args()
    kinds = [args.only] if args.only else list(TESTS)
    statuses = [run(kind, args.tests, args.jobs, args.pytest_args.split()) for kind in kinds]
    return max(statuses)


if __name__ == "__main__":
    sys.exit(main())
