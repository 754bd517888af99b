"""
One program on several devices
==============================

A device is what computes: the processor with Corepy's kernels, an independent reference, Dask,
PyTorch, or a GPU. The program, light behind two slits, is written once in the array API standard.
"""

import numpy
from side_by_side import check, figure, in_turn

import corepy

WAVELENGTH, SLIT, DISTANCE = 0.5, 1.0, 8.0  # micrometres
SOURCES = 16  # in each slit

# %%
# Each point of a slit is the source of a circular wave (Huygens). What is seen is the square of the
# magnitude of their sum.


def intensity(xp, rows=300, columns=400):
    x = xp.linspace(1.0, 41.0, columns, dtype=xp.float32)[None, :, None]
    y = xp.linspace(-15.0, 15.0, rows, dtype=xp.float32)[:, None, None]
    points = xp.linspace(-SLIT / 2, SLIT / 2, SOURCES, dtype=xp.float32)
    source = xp.concat([points - DISTANCE / 2, points + DISTANCE / 2])
    distance = xp.sqrt(x * x + (y - source) ** 2)
    phase = distance * (2 * numpy.pi / WAVELENGTH)
    real = xp.sum(xp.cos(phase) / xp.sqrt(distance), axis=-1)
    imaginary = xp.sum(xp.sin(phase) / xp.sqrt(distance), axis=-1)
    return real * real + imaginary * imaginary


# %%
# The devices of the machine that built this page:

devices = corepy.available_devices()
print(*devices)

# %%
# ``corepy.namespace`` is the standard's namespace with a device as the default.

namespaces = {"NumPy": numpy} | {str(each): corepy.namespace(each) for each in devices}
programs = {
    name: lambda xp=xp: intensity(xp).to_device("cpu")  # arrays of NumPy have this method, too
    for name, xp in namespaces.items()
}
expected = programs["NumPy"]()
for name, program in programs.items():
    print(f"{name:<10} differs from NumPy by {check((program(),), (expected,), 1e-4):.0e}")
print("The results agree with NumPy's.")

# %%
# The functions of the reference are NumPy's, with the standard's checks: it is there to be right.

times = in_turn(programs)
print(times)

axes = figure(times, height=3.4)
extent, brightest = (1, 41, -15, 15), expected[:, 40:].max()
image = axes.imshow(expected, extent=extent, cmap="inferno", vmax=brightest, aspect="auto")
axes.figure.colorbar(image, ax=axes, label="intensity")
axes.set(xlabel="distance from the wall in µm", ylabel="along the wall, in µm")
