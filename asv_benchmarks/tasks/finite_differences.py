"""Programs of ocean and atmosphere models: finite differences on grids of few levels.

Each is a function of a module of arrays, of `put`, and of arrays: `put(a, key, value)` returns `a`
with a part replaced, `put.add` adds to it. They write to `a` itself but for JAX.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy

#: Each program, and a function of the number of elements that makes its arrays.
PROGRAMS: dict[str, tuple[Callable[..., Any], Callable[[int], list[numpy.ndarray]]]] = {}


def program(data: Callable[[int], list[numpy.ndarray]]) -> Callable[[Callable], Callable]:
    """Add a function to `PROGRAMS`."""

    def add(run: Callable) -> Callable:
        PROGRAMS[run.__name__.replace("_", " ")] = (run, data)
        return run

    return add


class InPlace:
    """Writes to the array."""

    def __call__(self, a, key, value):
        a[key] = value
        return a

    def add(self, a, key, value):
        a[key] += value
        return a


class Functional:
    """Returns new arrays, as JAX demands."""

    def __call__(self, a, key, value):
        return a.at[key].set(value)

    def add(self, a, key, value):
        return a.at[key].add(value)


def grid(n: int) -> tuple[int, int, int]:
    """Return the shape of a grid of about n elements whose last axis is short."""
    side = n ** (1 / 3)
    return round(2 * side), round(2 * side), max(round(side / 4), 4)


def fields(n: int, *ranges: tuple[float, float]) -> list[numpy.ndarray]:
    """Return a grid of uniform random numbers for each range."""
    rng = numpy.random.default_rng(n)
    return [rng.uniform(low, high, grid(n)) for low, high in ranges]


def spacing(n: int, axis: int, seed: int) -> numpy.ndarray:
    """Return distances along one axis."""
    return numpy.random.default_rng(seed).uniform(0.5, 1.5, grid(n)[axis])


# ---- equation of state


def horner(x, *coefficients):
    """Evaluate a polynomial; the first coefficient is the constant."""
    value = coefficients[-1]
    for coefficient in coefficients[-2::-1]:
        value = value * x + coefficient
    return value


@program(lambda n: fields(n, (30, 38), (-1, 28), (0, 500)))
def equation_of_state(np, put, s, t, p):
    """Density of sea water by salinity, temperature and pressure (EOS-80, Fofonoff 1983)."""
    root = s * np.sqrt(s)
    surface = horner(
        t, 999.842594, 6.793952e-2, -9.095290e-3, 1.001685e-4, -1.120083e-6, 6.536332e-9
    )
    surface = surface + s * horner(t, 0.824493, -4.0899e-3, 7.6438e-5, -8.2467e-7, 5.3875e-9)
    surface = surface + root * horner(t, -5.72466e-3, 1.0227e-4, -1.6546e-6) + 4.8314e-4 * s * s
    k = horner(t, 19652.21, 148.4206, -2.327105, 1.360477e-2, -5.155288e-5)
    k = k + s * horner(t, 54.6746, -0.603459, 1.09987e-2, -6.1670e-5)
    k = k + root * horner(t, 7.944e-2, 1.6483e-2, -5.3009e-4)
    a = horner(t, 3.239908, 1.43713e-3, 1.16092e-4, -5.77905e-7) + 1.91075e-4 * root
    a = a + s * horner(t, 2.2838e-3, -1.0981e-5, -1.6078e-6)
    b = horner(t, 8.50935e-5, -6.12293e-6, 5.2787e-8)
    b = b + s * horner(t, -9.9348e-7, 2.0816e-8, 9.1697e-10)
    return surface / (1.0 - p / (k + p * (a + p * b)))


# ---- advection and diffusion


def along(axis: int, *bounds: int | None) -> tuple[slice, ...]:
    """Return the key of the interior of a grid, but for one axis."""
    key = [slice(2, -2), slice(2, -2), slice(1, -1)]
    key[axis] = slice(*bounds)
    return tuple(key)


@program(lambda n: [*fields(n, (0, 30), (-0.4, 0.4), (-0.4, 0.4), (-0.4, 0.4)),
                    spacing(n, 0, 1), spacing(n, 1, 2), spacing(n, 2, 3)])  # fmt: skip
def advection(np, put, c, u, v, w, dx, dy, dz):
    """A step of advection with the superbee limiter, and of diffusion."""
    change = np.zeros_like(c)
    inner = (slice(2, -2), slice(2, -2), slice(1, -1))
    for axis, flow, width in ((0, u, dx[:, None, None]), (1, v, dy[None, :, None])):
        here, ahead = along(axis, 1, -2), along(axis, 2, -1)
        behind, beyond = along(axis, 0, -3), along(axis, 3, None)
        step = c[ahead] - c[here]
        speed = flow[here]
        before = np.where(speed > 0.0, c[here] - c[behind], c[beyond] - c[ahead])
        ratio = before / np.where(np.abs(step) < 1e-10, 1e-10, step)
        limit = np.maximum(0.0, np.maximum(np.minimum(1.0, 2.0 * ratio), np.minimum(2.0, ratio)))
        flux = 0.5 * speed * (c[ahead] + c[here]) - 0.5 * np.abs(speed) * (1.0 - limit) * step
        flux = flux - 0.1 * step
        low, high = [slice(None)] * 3, [slice(None)] * 3
        low[axis], high[axis] = slice(None, -1), slice(1, None)
        sizes = [slice(None)] * 3
        sizes[axis] = slice(2, -2)
        divergence = (flux[tuple(high)] - flux[tuple(low)]) / width[tuple(sizes)]
        change = put.add(change, inner, -divergence)
    step = c[2:-2, 2:-2, 1:] - c[2:-2, 2:-2, :-1]
    speed = w[2:-2, 2:-2, :-1]
    flux = speed * np.where(speed > 0.0, c[2:-2, 2:-2, :-1], c[2:-2, 2:-2, 1:]) - 0.1 * step
    change = put.add(change, inner, -(flux[:, :, 1:] - flux[:, :, :-1]) / dz[1:-1])
    return c + 0.1 * change


# ---- shallow water


@program(lambda n: fields(n, (99, 101), (-1, 1), (-1, 1)))
def shallow_water(np, put, h, u, v):
    """A step of the shallow-water equations, layers by layers, on a staggered grid."""
    g, f, dt = 9.81, 1e-2, 1e-3
    east, west = (slice(2, None), slice(1, -1)), (slice(None, -2), slice(1, -1))
    north, south = (slice(1, -1), slice(2, None)), (slice(1, -1), slice(None, -2))
    at = (slice(1, -1), slice(1, -1))
    hx, hy = 0.5 * (h[1:] + h[:-1]), 0.5 * (h[:, 1:] + h[:, :-1])
    fx, fy = hx * u[:-1], hy * v[:, :-1]
    new = h.copy()
    new = put.add(new, at, -dt * (fx[1:, 1:-1] - fx[:-1, 1:-1] + fy[1:-1, 1:] - fy[1:-1, :-1]))
    vorticity = f + 0.5 * (v[east] - v[west]) - 0.5 * (u[north] - u[south])
    energy = g * new + 0.25 * (u * u + v * v)
    vu = 0.25 * (v[at] + v[east] + v[south] + v[2:, :-2])
    uv = 0.25 * (u[at] + u[north] + u[west] + u[:-2, 2:])
    next_u, next_v = u.copy(), v.copy()
    next_u = put.add(next_u, at, dt * (vorticity * vu - (energy[east] - energy[at])))
    next_v = put.add(next_v, at, -dt * (vorticity * uv + (energy[north] - energy[at])))
    return new, next_u, next_v


# ---- vertical mixing


@program(lambda n: [*fields(n, (0, 1), (0, 1), (-1, 1)), spacing(n, 2, 4)])
def turbulent_energy(np, put, energy, mixing, shear, dz):
    """An implicit step of kinetic energy: a tridiagonal system in each column."""
    dt = 0.5
    delta = np.zeros_like(energy)
    delta = put(
        delta, (..., slice(None, -1)),
        dt / dz[1:] * 0.5 * (mixing[..., :-1] + mixing[..., 1:]),
    )  # fmt: skip
    a, b, c = np.zeros_like(energy), np.zeros_like(energy), np.zeros_like(energy)
    inner = (..., slice(1, -1))
    root = np.sqrt(np.maximum(energy, 0.0))
    a = put(a, (..., slice(1, None)), -delta[..., :-1] / dz[1:])
    b = put(b, inner, 1.0 + (delta[..., 1:-1] + delta[..., :-2]) / dz[1:-1])
    b = put.add(b, inner, dt * 0.7 * root[..., 1:-1])
    b = put(b, (..., 0), 1.0 + delta[..., 0] / dz[0] + dt * 0.7 * root[..., 0])
    b = put(b, (..., -1), 1.0 + delta[..., -2] / dz[-1] + dt * 0.7 * root[..., -1])
    c = put(c, (..., slice(None, -1)), -delta[..., :-1] / dz[:-1])
    d = energy + dt * mixing * shear**2
    levels = energy.shape[-1]
    upper, value = [c[..., 0] / b[..., 0]], [d[..., 0] / b[..., 0]]
    for k in range(1, levels):
        pivot = 1.0 / (b[..., k] - a[..., k] * upper[-1])
        upper.append(c[..., k] * pivot)
        value.append((d[..., k] - a[..., k] * value[-1]) * pivot)
    result = np.zeros_like(energy)
    last = value[-1]
    result = put(result, (..., -1), last)
    for k in range(levels - 2, -1, -1):
        last = value[k] - upper[k] * last
        result = put(result, (..., k), last)
    return np.maximum(result, 0.0)


# ---- mixing along sloped surfaces


@program(lambda n: [*fields(n, (30, 38), (-1, 28)), spacing(n, 0, 5), spacing(n, 1, 6),
                    spacing(n, 2, 7)])  # fmt: skip
def isopycnal_slopes(np, put, s, t, dx, dy, dz):
    """Fluxes of temperature along surfaces of equal density, tapered where these are steep."""
    alpha = -0.05 - 0.01 * t + 1e-5 * t * t
    beta = 0.78 - 0.003 * t
    vertical = np.zeros_like(t)
    drho_z = np.zeros_like(t)
    vertical = put(vertical, (..., slice(None, -1)), (t[..., 1:] - t[..., :-1]) / dz[:-1])
    drho_z = put(
        drho_z, (..., slice(None, -1)),
        0.5 * (alpha[..., :-1] + alpha[..., 1:]) * vertical[..., :-1]
        + 0.5 * (beta[..., :-1] + beta[..., 1:]) * (s[..., 1:] - s[..., :-1]) / dz[:-1],
    )  # fmt: skip
    steepness = np.minimum(-1e-4, drho_z)
    change = np.zeros_like(t)
    for axis, width in ((0, dx[:, None, None]), (1, dy[None, :, None])):
        here, ahead = along(axis, 1, -2), along(axis, 2, -1)
        sizes = [slice(None)] * 3
        sizes[axis] = slice(1, -2)
        distance = width[tuple(sizes)]
        gradient = (t[ahead] - t[here]) / distance
        density = (
            0.5 * (alpha[ahead] + alpha[here]) * gradient
            + 0.5 * (beta[ahead] + beta[here]) * (s[ahead] - s[here]) / distance
        )
        flux = gradient * 0.0
        for column in (here, ahead):
            above = (*column[:2], slice(None, -2))
            for level in (column, above):
                slope = -density / steepness[level]
                taper = 0.5 * (1.0 + np.tanh((0.004 - np.abs(slope)) / 0.001))
                flux = flux + 250.0 * taper * (gradient + slope * vertical[level])
        low, high = [slice(None)] * 3, [slice(None)] * 3
        low[axis], high[axis] = slice(None, -1), slice(1, None)
        inner = (slice(2, -2), slice(2, -2), slice(1, -1))
        change = put.add(change, inner, (flux[tuple(high)] - flux[tuple(low)]) * 1e-3)
    return t + change


# ---- a smoother


@program(lambda n: fields(n, (-1, 1), (-1, 1)))
def red_black_smoother(np, put, x, right):
    """Three sweeps of over-relaxation of Poisson's equation, by slices of two colours."""
    x = x.copy()
    for _ in range(3):
        for first in (1, 2):
            for second in (1, 2):
                at = (slice(first, -1, 2), slice(second, -1, 2), slice(1, -1))
                up, down = slice(first + 1, None, 2), slice(first - 1, -2, 2)
                right_of, left_of = slice(second + 1, None, 2), slice(second - 1, -2, 2)
                old = x[at]
                rows, columns = old.shape[:2]
                around = (
                    x[up, second:-1:2, 1:-1][:rows] + x[down, second:-1:2, 1:-1][:rows]
                    + x[first:-1:2, right_of, 1:-1][:, :columns]
                    + x[first:-1:2, left_of, 1:-1][:, :columns]
                    + x[first:-1:2, second:-1:2, 2:] + x[first:-1:2, second:-1:2, :-2]
                )  # fmt: skip
                x = put(x, at, old + 1.2 * ((around - right[at]) / 6.0 - old))
    return x
