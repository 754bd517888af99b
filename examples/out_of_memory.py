"""Standardise a tall array that is larger than memory, its covariance and principal components.

    python examples/out_of_memory.py [--gigabytes 20] [--workers 2]

Starts a cluster of Dask on this machine, whose workers may have 4 GB of memory each. The array is
never in memory as a whole: its chunks are made, used and dropped. Results are checked. Prints times
and the most memory that each process had. Needs ``pip install 'corepy[dask]'``.
"""

from __future__ import annotations

import argparse
import resource
import time
from typing import Any

import corepy

try:
    from distributed import Client, LocalCluster
except ImportError as error:
    from extras import missing

    raise SystemExit(missing(error, "dask")) from error

COLUMNS = 50
ROWS_OF_A_CHUNK = 200_000  # 80 MB
ROWS_OF_A_FACTOR = 1_000_000


def peak() -> float:
    """Return the most memory that this process had, in GB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9


def data(xp: Any, rows: int) -> Any:
    """Return columns that are waves of different lengths, and pairwise correlated."""
    numbers = xp.asarray(xp.arange(rows, dtype=xp.float64), chunks=ROWS_OF_A_CHUNK)
    speeds = xp.linspace(0.1, 2.0, COLUMNS)
    waves = xp.sin(numbers[:, None] * speeds)
    return waves + xp.roll(waves, 1, axis=1) * 0.5 + speeds


def analyse(xp: Any, rows: int) -> dict[str, float]:
    """Compute all, check it, and return the seconds of each step."""
    seconds = {}
    x = data(xp, rows)
    begin = time.perf_counter()
    # Computed here, so that the chunks of x are made again instead of kept until both are known.
    mean, deviation = corepy.compute(xp.mean(x, axis=0), xp.std(x, axis=0))
    seconds["mean and standard deviation"] = time.perf_counter() - begin

    begin = time.perf_counter()
    z = (x - mean) / deviation
    covariance = corepy.compute(xp.matmul(z.T, z) / rows)
    seconds["standardise, covariance"] = time.perf_counter() - begin
    local = covariance.to_device("cpu")
    assert float(corepy.max(corepy.abs(corepy.linalg.diagonal(local) - 1))) < 1e-9

    begin = time.perf_counter()
    values, vectors = corepy.linalg.eigh(local)
    axes = xp.asarray(vectors[:, -3:], device="dask")
    scores = xp.matmul(z, axes)
    variances = xp.var(scores, axis=0).to_device("cpu")
    seconds["three principal components"] = time.perf_counter() - begin
    assert corepy.allclose(variances, values[-3:], rtol=1e-9)

    begin = time.perf_counter()
    part = z[: min(rows, ROWS_OF_A_FACTOR)]
    singular = xp.linalg.svdvals(part).to_device("cpu")  # by the factors of the chunks
    seconds[f"singular values of {part.shape[0]:,} rows"] = time.perf_counter() - begin
    squares = corepy.linalg.eigvalsh(xp.matmul(part.T, part).to_device("cpu"))
    assert corepy.allclose(corepy.sort(singular**2), squares, rtol=1e-6)
    return seconds


def main() -> None:
    """Start a cluster, compute, and print figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--gigabytes", type=float, default=20.0, help="size of the array")
    parser.add_argument("--workers", type=int, default=2, help="processes of the cluster")
    options = parser.parse_args()
    rows = round(options.gigabytes * 1e9 / (8 * COLUMNS))
    with (
        LocalCluster(
            n_workers=options.workers,
            threads_per_worker=1,
            memory_limit="4 GB",
            dashboard_address=None,
        ) as cluster,
        Client(cluster) as client,
    ):
        print(f"{rows:,} x {COLUMNS} float64: {rows * COLUMNS * 8 / 1e9:.1f} GB")
        for step, seconds in analyse(corepy.namespace("dask"), rows).items():
            print(f"{step}: {seconds:.1f} s")
        workers = client.run(peak)
    for number, gigabytes in enumerate(workers.values()):
        print(f"worker {number}: {gigabytes:.2f} GB at most")
    print(f"this process: {peak():.2f} GB at most")


if __name__ == "__main__":
    main()
