"""What threads cost beside joblib workers: ``python -m asv_benchmarks.joblib_workers``.

As many joblib workers as processors compute at once, over and over: with Corepy's threads as a
worker finds them (joblib sets ``OMP_NUM_THREADS`` for its workers, and Corepy follows it), with
``COREPY_NUM_THREADS=1``, and with a thread per processor in each worker, which is what libraries
that do not follow it end up with. The ways take turns, each round in fresh workers; a time is the
least of all rounds.
"""

import argparse
import os
import time

import corepy
import corepy.array_api as xp

WAYS: dict[str, dict[str, str]] = {
    "as joblib starts it": {},
    "COREPY_NUM_THREADS=1": {"COREPY_NUM_THREADS": "1"},
    "a thread per processor": {"COREPY_NUM_THREADS": str(os.cpu_count())},
}


def work(size: int, repeats: int) -> tuple[int, float, float]:
    """Compute for a while; return the number of threads, when it began and when it ended."""
    x, y = xp.linspace(0.0, 1.0, size), xp.linspace(1.0, 2.0, size)
    begin = time.time()
    for _ in range(repeats):
        x = xp.where(x < y, x * 1.5 + y, y - x)
    return corepy.get_num_threads(), begin, time.time()


def run(variables: dict[str, str], workers: int, size: int, repeats: int) -> tuple[int, float]:
    """Return how many threads each worker had, and the seconds from first begin to last end."""
    from joblib import Parallel, delayed
    from joblib.externals.loky import get_reusable_executor

    before = {
        name: os.environ.pop(name, None) for name in ("COREPY_NUM_THREADS", "OMP_NUM_THREADS")
    }
    os.environ.update(variables)
    try:
        with Parallel(n_jobs=workers) as parallel:
            parallel(delayed(work)(1000, 1) for _ in range(workers))  # imports
            done = parallel(delayed(work)(size, repeats) for _ in range(workers))
    finally:
        get_reusable_executor().shutdown(wait=True)
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value
    threads, begins, ends = zip(*done, strict=True)
    return max(threads), max(ends) - min(begins)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--repeats", type=int, default=200)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    options = parser.parse_args()
    print(f"{options.workers} workers; seconds, and times those with COREPY_NUM_THREADS=1\n")
    print(f"| {'elements':>8} | {'way':22} | threads | seconds | ratio |")
    print("| -------: | ---------------------- | ------: | ------: | ----: |")
    for size in options.sizes:
        repeats = max(1, options.repeats * 100_000 // size)
        found = {way: [run(WAYS[way], options.workers, size, repeats)] for way in WAYS}
        for _ in range(options.rounds - 1):
            for way in WAYS:
                found[way].append(run(WAYS[way], options.workers, size, repeats))
        alone = min(seconds for _, seconds in found["COREPY_NUM_THREADS=1"])
        for way, rounds in found.items():
            least = min(seconds for _, seconds in rounds)
            print(
                f"| {size:8} | {way:22} | {rounds[0][0]:7} | {least:7.3f} | {least / alone:5.2f} |"
            )


if __name__ == "__main__":
    main()
