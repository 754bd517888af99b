"""
Regression with a Gaussian process
==================================

A curve through noisy points, and how sure one can be of it between them. The covariance of all
pairs of points is a matrix, whose Cholesky factor gives the mean and the deviation.
"""

import numpy
from side_by_side import compare, figure

POINTS, NOISE, LENGTH = 400, 0.2, 0.4

# %%
# Measurements of a function that the program does not know, with a gap from 5 to 7.


def measurements(np):
    rng = np.random.default_rng(0)
    x = np.sort(10 * rng.random(POINTS))
    x = np.where((x > 5) & (x < 7), x - 5, x)
    return (
        x,
        np.sin(x) + 0.3 * np.sin(4 * x) + NOISE * rng.standard_normal(POINTS),
        np.linspace(0, 10, 400),
    )


def kernel(np, x1, x2):
    return np.exp(-((x1[:, None] - x2[None, :]) ** 2) / (2 * LENGTH**2))


# %%
# Rasmussen and Williams, *Gaussian Processes for Machine Learning*, algorithm 2.1.


def predict(np, x, y, at):
    covariance = kernel(np, x, x) + NOISE**2 * np.eye(len(x))
    factor = np.linalg.cholesky(covariance)
    across = np.linalg.solve(factor, kernel(np, x, at))
    mean = across.T @ np.linalg.solve(factor, y)
    variance = 1 - np.sum(across**2, axis=0)
    return mean, np.sqrt(variance)


(mean, deviation), times = compare(predict, measurements, tolerance=1e-8)

# %%
# The kernel is one fused pass in Corepy; the factor and the solutions are LAPACK's for both.

x, y, at = measurements(numpy)
axes = figure(times, height=3.0)
axes.plot(x, y, ".", color="#9aa5b1", markersize=3, label="measured")
axes.fill_between(
    at,
    mean - 2 * deviation,
    mean + 2 * deviation,
    color="#1f6fb2",
    alpha=0.25,
    linewidth=0,
    label="95 %",
)
axes.plot(at, mean, color="#1f6fb2", label="mean")
axes.plot(at, numpy.sin(at) + 0.3 * numpy.sin(4 * at), "k:", linewidth=1, label="function")
axes.legend(ncols=4, loc="upper left")
axes.set(xlabel="x", ylabel="y", xlim=(0, 10), ylim=(-2.6, 2.8))
