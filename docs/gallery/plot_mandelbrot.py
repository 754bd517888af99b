"""
The Mandelbrot set
==================

The points c of the complex plane for which z = z² + c, repeated from z = 0, stays bounded. The
colour of the others is the number of steps in which z leaves the circle of radius 2.
"""

import numpy
from side_by_side import compare, figure

WIDTH, HEIGHT, STEPS = 600, 400, 100

# %%
# All points take the same steps. Points that have left the circle keep their last value, so that
# no number overflows.


def plane(np):
    real = np.linspace(-2.2, 0.8, WIDTH)
    imaginary = np.linspace(-1.0, 1.0, HEIGHT)
    return real[None, :], imaginary[:, None]


def mandelbrot(np, a, b):
    x, y = np.zeros((HEIGHT, WIDTH)), np.zeros((HEIGHT, WIDTH))
    steps = np.zeros((HEIGHT, WIDTH), dtype=np.int64)
    for _ in range(STEPS):
        xx, yy = x * x, y * y
        inside = xx + yy <= 4
        x, y = np.where(inside, xx - yy + a, x), np.where(inside, 2 * x * y + b, y)
        steps += inside
    return steps


steps, times = compare(mandelbrot, plane)

# %%
# A step has a dozen operations on arrays of 2 MB. NumPy writes the result of each to memory;
# Corepy computes many steps in one pass, with their results in registers of the processor.

axes = figure(times, height=4.6)
shown = numpy.where(steps < STEPS, steps, numpy.nan)  # points of the set are black
image = axes.imshow(shown, extent=(-2.2, 0.8, -1, 1), cmap="twilight", norm="log")
axes.figure.colorbar(image, ax=axes, label="steps inside the circle", shrink=0.8)
axes.set(xlabel="real part of c", ylabel="imaginary part of c", facecolor="black")
