"""
The Lorenz system: a cloud of points in chaos
=============================================

Points that begin a hundredth apart are all over the attractor some seconds later. They are
integrated together, by the classical method of Runge and Kutta.
"""

import numpy
from side_by_side import compare, figure

import corepy

POINTS, STEPS, STEP = 20_000, 100, 0.01

# %%
# Coordinates are three arrays. The system of Lorenz (1963), with his parameters:


def cloud(np):
    noise = np.random.default_rng(0).standard_normal((3, POINTS)) / 100
    return 1 + noise[0], 1 + noise[1], 20 + noise[2]


def derivative(state):
    x, y, z = state
    return 10 * (y - x), x * (28 - z) - y, x * y - 8 / 3 * z


def moved(state, time, slope):
    return [s + time * k for s, k in zip(state, slope, strict=True)]


def integrate(np, *state, steps=STEPS):
    for _ in range(steps):
        k1 = derivative(state)
        k2 = derivative(moved(state, STEP / 2, k1))
        k3 = derivative(moved(state, STEP / 2, k2))
        k4 = derivative(moved(state, STEP, k3))
        slope = [a + 2 * b + 2 * c + d for a, b, c, d in zip(k1, k2, k3, k4, strict=True)]
        state = moved(state, STEP / 6, slope)
    return tuple(state)


_, times = compare(integrate, cloud)

# %%
# A step is 120 operations on arrays of 160 kB, without a function other than arithmetic. Corepy
# computes them in registers of the processor, in a few passes.

axes = figure(times, 4, height=2.4, sharex=True, sharey=True)
state, now = cloud(corepy), 0
for each, seconds in zip(axes, (5, 10, 15, 25), strict=True):
    state = integrate(corepy, *state, steps=round((seconds - now) / STEP))
    now = seconds
    x, _, z = map(numpy.asarray, state)
    each.plot(x, z, ".", color="#b03060", markersize=1, markeredgewidth=0)
    each.set(title=f"after {seconds} s", xlabel="x")
axes[0].set(ylabel="z")
