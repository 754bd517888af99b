"""
How a fused expression is computed
==================================

Corepy defers operations on large arrays, and computes a chain of them in one pass over memory.
``corepy.explain`` shows how, before anything is computed. The chain here is the distance of places
on the Earth from Paris.
"""

import numpy
from side_by_side import Drawing, compare, figure

import corepy

RADIUS = 6371.0  # of the Earth, in km
PARIS = numpy.radians([48.86, 2.35])  # latitude and longitude

# %%
# A million places, and the haversine formula for the great circle between two.


def places(np):
    latitude = np.radians(np.linspace(90, -90, 707))
    longitude = np.radians(np.linspace(-180, 180, 1414))
    return tuple(np.meshgrid(latitude, longitude, indexing="ij"))


def distance(np, latitude, longitude):
    north, east = latitude - PARIS[0], longitude - PARIS[1]
    h = np.sin(north / 2) ** 2 + numpy.cos(PARIS[0]) * np.cos(latitude) * np.sin(east / 2) ** 2
    return 2 * RADIUS * np.arcsin(np.sqrt(h))


# %%
# The plan has one group, which is one pass over memory: two arrays are read and one is stored, and
# the results in between stay in the processor's registers and first cache. ``corepy.fuse`` is a
# block whose end computes what is deferred.

with corepy.fuse():
    kilometres = distance(corepy, *places(corepy))
    plan = corepy.explain(kilometres)
print(plan)

# %%
# The same as a picture. A notebook shows it if a cell ends with ``plan``.

Drawing(plan.svg())

# %%
# NumPy computes one operation after the other, and each writes an array of 8 MB.

kilometres, times = compare(distance, places)

axes = figure(times, height=3.6)
extent = (-180, 180, -90, 90)
image = axes.imshow(kilometres, extent=extent, cmap="viridis")
lines = axes.contour(
    kilometres[::-1], levels=range(2000, 20000, 2000), extent=extent, colors="white", linewidths=0.6
)
axes.clabel(lines, fontsize=7)
axes.plot(*numpy.degrees(PARIS)[::-1], "o", color="#e04040", markersize=4)
axes.figure.colorbar(image, ax=axes, label="distance from Paris in km", shrink=0.85)
axes.set(xlabel="longitude in degrees", ylabel="latitude in degrees")
