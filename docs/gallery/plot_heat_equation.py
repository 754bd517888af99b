"""
The heat equation
=================

A copper plate of 20 cm is heated by two rods and cooled at its edges. The temperature follows the
heat equation, solved with finite differences: each point moves towards the mean of its neighbours.
"""

from side_by_side import compare, figure

import corepy

POINTS, SIDE = 201, 0.20  # points along a side, and metres
DIFFUSIVITY = 1.11e-4  # of copper, in square metres a second
STEPS = 1500
SPACING = SIDE / (POINTS - 1)
STEP = 0.2 * SPACING**2 / DIFFUSIVITY  # seconds; above 0.25 the method is unstable

# %%
# The plate, and where the rods touch it. Its edges stay at 20 degrees, and the rods at 300.


def plate(np):
    position = np.linspace(-SIDE / 2, SIDE / 2, POINTS)
    x, y = position[None, :], position[:, None]
    rods = np.hypot(x - 0.03, y - 0.02) < 0.012
    rods = rods | (np.hypot(x + 0.04, y + 0.03) < 0.02)
    return np.where(rods, 300.0, 20.0), rods


# %%
# A step is one statement over slices. Corepy computes it in one pass, and writes the result
# to the array that is not read.


def diffuse(np, temperature, rods, steps=STEPS):
    now, after = temperature.copy(), temperature.copy()
    inner, rate = ~rods[1:-1, 1:-1], STEP * DIFFUSIVITY / SPACING**2
    for _ in range(steps):
        middle = now[1:-1, 1:-1]
        around = now[2:, 1:-1] + now[:-2, 1:-1] + now[1:-1, 2:] + now[1:-1, :-2]
        after[1:-1, 1:-1] = middle + rate * inner * (around - 4 * middle)
        now, after = after, now
    return now


temperature, times = compare(diffuse, plate)

# %%
# The rods heat the plate, and its edges cool it.

axes = figure(times, 3, height=2.9, sharey=True)
field, rods = plate(corepy)
for number, each in enumerate(axes):
    field = diffuse(corepy, field, rods, STEPS // 2) if number else field
    image = each.imshow(field, extent=(-10, 10, -10, 10), cmap="inferno", origin="lower")
    each.set(title=f"after {number * STEPS // 2 * STEP:.1f} s", xlabel="x in cm")
axes[0].set(ylabel="y in cm")
axes[0].figure.colorbar(image, ax=axes, label="temperature in °C", shrink=0.8)
