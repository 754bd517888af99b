"""Programs for ``import numpy as np``: each is a function of the module and arrays."""

from __future__ import annotations

from typing import Any

import numpy

from .task import numbers, task

# ---- stencils


def grid() -> dict[str, Any]:
    return {"u": numbers(1500, 1500)}


@task("stencil", grid)
def heat(np, u):
    """Five explicit steps of the heat equation."""
    u = u.copy()
    for _ in range(5):
        u[1:-1, 1:-1] = u[1:-1, 1:-1] + 0.1 * (
            u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1]
        )
    return u


@task("stencil", grid)
def jacobi(np, u):
    """Four Jacobi iterations, each with the size of the change."""
    changes = []
    for _ in range(4):
        new = u.copy()
        new[1:-1, 1:-1] = 0.25 * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2])
        changes.append(float(np.sqrt(np.mean((new - u) ** 2))))
        u = new
    return u, np.asarray(changes)


@task("stencil", grid)
def wave(np, u):
    """Five leapfrog steps of the wave equation."""
    before, now = u, 0.99 * u
    for _ in range(5):
        laplacian = np.zeros_like(now)
        laplacian[1:-1, 1:-1] = (
            now[2:, 1:-1] + now[:-2, 1:-1] + now[1:-1, 2:] + now[1:-1, :-2] - 4 * now[1:-1, 1:-1]
        )
        before, now = now, 2 * now - before + 0.2 * laplacian
    return now


def two_grids() -> dict[str, Any]:
    rng = numpy.random.default_rng(0)
    return {"u": rng.random((1000, 1000)), "v": rng.random((1000, 1000)) / 4}


@task("stencil", two_grids)
def gray_scott(np, u, v):
    """Four steps of a reaction and diffusion of two substances."""
    u, v = u.copy(), v.copy()

    def laplacian(z):
        return z[:-2, 1:-1] + z[2:, 1:-1] + z[1:-1, :-2] + z[1:-1, 2:] - 4 * z[1:-1, 1:-1]

    for _ in range(4):
        lu, lv = laplacian(u), laplacian(v)
        a, b = u[1:-1, 1:-1], v[1:-1, 1:-1]
        reaction = a * b * b
        a += 0.16 * lu - reaction + 0.06 * (1 - a)
        b += 0.08 * lv + reaction - 0.122 * b
    return u, v


@task("stencil", grid)
def sobel(np, u):
    """Edges of an image: the size of the gradient, over its largest."""
    gx = (u[:-2, 2:] + 2 * u[1:-1, 2:] + u[2:, 2:]) - (u[:-2, :-2] + 2 * u[1:-1, :-2] + u[2:, :-2])
    gy = (u[2:, :-2] + 2 * u[2:, 1:-1] + u[2:, 2:]) - (u[:-2, :-2] + 2 * u[:-2, 1:-1] + u[:-2, 2:])
    size = np.sqrt(gx**2 + gy**2)
    return size / size.max()


# ---- particles


def bodies() -> dict[str, Any]:
    return {
        "position": numbers(1000, 3), "velocity": numbers(1000, 3, seed=1),
        "mass": numbers(1000, seed=2, positive=True),
    }  # fmt: skip


@task("particles", bodies)
def n_body(np, position, velocity, mass):
    """A step of bodies that attract each other, all pairs at once."""
    x, y, z = position[:, 0], position[:, 1], position[:, 2]
    dx, dy, dz = x - x[:, None], y - y[:, None], z - z[:, None]
    inverse = (dx**2 + dy**2 + dz**2 + 0.01) ** -1.5
    ax, ay, az = (np.sum(d * inverse * mass, axis=1) for d in (dx, dy, dz))
    velocity = velocity + 0.01 * np.stack([ax, ay, az], axis=1)
    return position + 0.01 * velocity, velocity


@task("particles", bodies)
def lennard_jones_energy(np, position, velocity, mass):
    """The energy of all pairs of particles."""
    x, y, z = position[:, 0], position[:, 1], position[:, 2]
    r2 = (x - x[:, None]) ** 2 + (y - y[:, None]) ** 2 + (z - z[:, None]) ** 2 + np.eye(len(x))
    sixth = 1.0 / r2**3
    return np.sum(np.triu(4.0 * (sixth * sixth - sixth), 1))


@task("particles", lambda: {"r": numbers(1_000_000), "v": numbers(1_000_000, seed=1)})
def oscillators(np, r, v):
    """Ten Verlet steps of a million pendulums."""
    r, v = r.copy(), v.copy()
    dt = 0.01
    a = -np.sin(r)
    for _ in range(10):
        r += v * dt + 0.5 * a * dt**2
        new = -np.sin(r)
        v += 0.5 * (a + new) * dt
        a = new
    return r, v


# ---- points by themselves


@task("pointwise", lambda: {"x": numpy.linspace(-2, 0.6, 1000), "y": numpy.linspace(-1, 1, 1000)})
def mandelbrot(np, x, y):
    """Twelve steps, with the number that each point took."""
    cr, ci = x[None, :] + 0 * y[:, None], y[:, None] + 0 * x[None, :]
    zr, zi, count = np.zeros_like(cr), np.zeros_like(cr), np.zeros_like(cr)
    for _ in range(12):
        inside = zr * zr + zi * zi < 4.0
        zr, zi = (
            np.where(inside, zr * zr - zi * zi + cr, zr),
            np.where(inside, 2 * zr * zi + ci, zi),
        )
        count = count + inside
    return count


def options_data() -> dict[str, Any]:
    return {
        "price": numbers(1_000_000, positive=True) * 50,
        "strike": numbers(1_000_000, seed=1, positive=True) * 50,
        "years": numbers(1_000_000, seed=2, positive=True),
    }


@task("pointwise", options_data)
def option_prices(np, price, strike, years):
    """The Black-Scholes formula with a rational approximation of the normal distribution."""

    def cdf(x):
        k = 1.0 / (1.0 + 0.2316419 * np.abs(x))
        series = 1.781477937 + k * (-1.821255978 + k * 1.330274429)
        series = k * (0.319381530 + k * (-0.356563782 + k * series))
        tail = np.exp(-0.5 * x * x) * 0.3989422804014327 * series
        return np.where(x >= 0, 1.0 - tail, tail)

    spread = 0.3 * np.sqrt(years)
    d1 = (np.log(price / strike) + (0.02 + 0.045) * years) / spread
    return price * cdf(d1) - strike * np.exp(-0.02 * years) * cdf(d1 - spread)


@task("pointwise", lambda: {"steps": numbers(50, 40_000)})
def monte_carlo(np, steps):
    """Paths of a price, and the mean payoff of an average-price option."""
    price, total = np.full(steps.shape[1], 100.0), np.zeros(steps.shape[1])
    for z in steps:
        price = price * np.exp(0.0003 + 0.02 * z)
        total += price
    return np.mean(np.maximum(total / len(steps) - 100.0, 0.0))


@task("pointwise", lambda: {"state": abs(numbers(3, 500_000))})
def lorenz(np, state):
    """Two Runge-Kutta steps of many Lorenz systems."""

    def slope(x, y, z):
        return 10.0 * (y - x), x * (28.0 - z) - y, x * y - 8.0 / 3.0 * z

    x, y, z = state
    h = 0.01
    for _ in range(2):
        k1 = slope(x, y, z)
        k2 = slope(x + h / 2 * k1[0], y + h / 2 * k1[1], z + h / 2 * k1[2])
        k3 = slope(x + h / 2 * k2[0], y + h / 2 * k2[1], z + h / 2 * k2[2])
        k4 = slope(x + h * k3[0], y + h * k3[1], z + h * k3[2])
        x, y, z = (
            old + h / 6 * (a + 2 * b + 2 * c + d)
            for old, a, b, c, d in zip((x, y, z), k1, k2, k3, k4, strict=True)
        )
    return np.stack([x, y, z])


# ---- statistics


def table() -> dict[str, Any]:
    return {"x": numbers(50_000, 30) * numpy.arange(1, 31) + 3.0}


@task("statistics", table)
def standardise(np, x):
    return (x - x.mean(axis=0)) / x.std(axis=0)


@task("statistics", table)
def moments(np, x):
    """Skewness and kurtosis of columns."""
    centred = x - np.mean(x, axis=0)
    m2, m3, m4 = (np.mean(centred**k, axis=0) for k in (2, 3, 4))
    return m3 / m2**1.5, m4 / m2**2 - 3


@task("statistics", table)
def correlation(np, x):
    centred = x - x.mean(axis=0)
    covariance = centred.T @ centred / (len(x) - 1)
    scale = np.sqrt(np.diag(covariance))
    return covariance / scale / scale[:, None]


@task("statistics", lambda: {"x": numbers(1_000_000), "y": numbers(1_000_000, seed=1)})
def regression(np, x, y):
    """Slope, intercept and the mean squared residual."""
    mx, my = x.mean(), y.mean()
    slope = ((x - mx) * (y - my)).sum() / ((x - mx) ** 2).sum()
    residual = y - (my + slope * (x - mx))
    return np.asarray([float(slope), float(my - slope * mx), float((residual**2).mean())])


@task("statistics", lambda: {"x": numbers(200_000, 8), "centres": numbers(5, 8, seed=1)})
def k_means(np, x, centres):
    """Two steps of Lloyd's algorithm."""
    for _ in range(2):
        distances = ((x[:, None, :] - centres[None, :, :]) ** 2).sum(axis=2)
        nearest = distances.argmin(axis=1)
        centres = np.stack([x[nearest == k].mean(axis=0) for k in range(len(centres))])
    return centres


@task("statistics", lambda: {"x": numbers(100_000, 20), "y": numbers(100_000, seed=1) > 0})
def logistic_regression(np, x, y):
    """Five steps of gradient descent."""
    weights = np.zeros(x.shape[1])
    for _ in range(5):
        p = 1.0 / (1.0 + np.exp(-(x @ weights)))
        weights = weights - 0.1 * (x.T @ (p - y)) / len(y)
    loss = -np.mean(np.where(y, np.log(p), np.log1p(-p)))
    return weights, loss
