"""
Statistics of an array that is never in memory
==============================================

On the device ``dask`` an array is a list of chunks, and operations are tasks for each of them.
Eight hours of a signal take 4 GB here, of which the process has a few chunks at a time.
"""

import resource

import dask
import dask.array
import numpy
from side_by_side import check, figure, in_turn

import corepy

MINUTE = 1_000_000  # samples
CHUNK = 2  # minutes, 16 MB

# %%
# A tone that swells and fades, with statistics of each minute. ``dask.array`` and Corepy's
# namespace for the device have the same functions, so one program serves both. The chunks of the
# first are arrays of NumPy, those of the second Corepy's.


def statistics(xp, minutes):
    number = xp.asarray(xp.arange(minutes, dtype=xp.float64), chunks=CHUNK)[:, None]
    time = number + xp.linspace(0.0, 1.0, MINUTE)[None, :]
    signal = (1 + 0.5 * xp.sin(0.05 * time)) * xp.sin(2000 * time) + 0.001 * time
    return xp.mean(signal, axis=1), xp.std(signal, axis=1), xp.max(signal, axis=1)


# %%
# The times of both for 10 minutes, and Corepy's for all 500.

xp = corepy.namespace("dask")
programs = {
    "dask.array, NumPy": lambda: dask.compute(*statistics(dask.array, 10)),
    "Corepy": lambda: corepy.compute(*statistics(xp, 10)),
}
times = in_turn(programs)
print(times)
expected, found = (program() for program in programs.values())
difference = check([each.to_device("cpu") for each in found], expected, 1e-9)
print(f"The results agree with NumPy's: the largest relative difference is {difference:.1e}.")

mean, deviation, highest = (
    numpy.asarray(each.to_device("cpu")) for each in corepy.compute(*statistics(xp, 500))
)
most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
print(
    f"The array has {500 * MINUTE * 8 / 1e9:.1f} GB. The process had {most / 1e9:.2f} GB at most."
)

# %%
# A task is one fused pass over a chunk, which stays in the caches.

axes = figure(times, height=2.6)
axes.plot(highest, color="#b03060", label="maximum")
axes.plot(mean, color="black", label="mean")
axes.fill_between(
    range(500),
    mean - deviation,
    mean + deviation,
    color="#1f6fb2",
    alpha=0.3,
    linewidth=0,
    label="one standard deviation",
)
axes.legend(ncols=3, loc="upper left")
axes.set(xlabel="time in minutes", ylabel="signal", xlim=(0, 499), ylim=(-1.5, 3))
