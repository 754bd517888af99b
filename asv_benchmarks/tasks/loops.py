"""The programs of `finite_differences` as loops by hand, compiled by Numba.

Each takes the arrays of the program of its name and returns the same results. `compiled` makes them
for one thread, or with the loop over the first axis shared by threads.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numba
import numpy
from numba import prange


def compiled(name: str, *, parallel: bool) -> Callable[..., Any]:
    """Return the loops of a program, compiled when they are first called."""
    loops = globals()[name.replace(" ", "_")]
    return numba.njit(loops, parallel=parallel, error_model="numpy")


def equation_of_state(s, t, p):
    density = numpy.empty_like(s)
    s1, t1, p1 = s.reshape(s.size), t.reshape(s.size), p.reshape(s.size)
    out = density.reshape(s.size)
    for i in prange(s1.size):
        S, T, P = s1[i], t1[i], p1[i]
        root = S * math.sqrt(S)
        surface = 999.842594 + T * (6.793952e-2 + T * (-9.095290e-3 + T * (
            1.001685e-4 + T * (-1.120083e-6 + T * 6.536332e-9))))  # fmt: skip
        surface += S * (0.824493 + T * (-4.0899e-3 + T * (
            7.6438e-5 + T * (-8.2467e-7 + T * 5.3875e-9))))  # fmt: skip
        surface += root * (-5.72466e-3 + T * (1.0227e-4 + T * -1.6546e-6)) + 4.8314e-4 * S * S
        k = 19652.21 + T * (148.4206 + T * (-2.327105 + T * (1.360477e-2 + T * -5.155288e-5)))
        k += S * (54.6746 + T * (-0.603459 + T * (1.09987e-2 + T * -6.1670e-5)))
        k += root * (7.944e-2 + T * (1.6483e-2 + T * -5.3009e-4))
        a = 3.239908 + T * (1.43713e-3 + T * (1.16092e-4 + T * -5.77905e-7)) + 1.91075e-4 * root
        a += S * (2.2838e-3 + T * (-1.0981e-5 + T * -1.6078e-6))
        b = 8.50935e-5 + T * (-6.12293e-6 + T * 5.2787e-8)
        b += S * (-9.9348e-7 + T * (2.0816e-8 + T * 9.1697e-10))
        out[i] = surface / (1.0 - P / (k + P * (a + P * b)))
    return density


@numba.njit(error_model="numpy")
def limited_flux(behind, here, ahead, beyond, speed):
    step = ahead - here
    before = here - behind if speed > 0.0 else beyond - ahead
    ratio = before / (1e-10 if abs(step) < 1e-10 else step)
    limit = max(0.0, max(min(1.0, 2.0 * ratio), min(2.0, ratio)))
    return 0.5 * speed * (ahead + here) - 0.5 * abs(speed) * (1.0 - limit) * step - 0.1 * step


def advection(c, u, v, w, dx, dy, dz):
    new = c.copy()
    for i in prange(2, c.shape[0] - 2):
        for j in range(2, c.shape[1] - 2):
            for k in range(1, c.shape[2] - 1):
                x = c[i, j, k]
                east = limited_flux(c[i - 1, j, k], x, c[i + 1, j, k], c[i + 2, j, k], u[i, j, k])
                west = limited_flux(
                    c[i - 2, j, k], c[i - 1, j, k], x, c[i + 1, j, k], u[i - 1, j, k]
                )
                north = limited_flux(c[i, j - 1, k], x, c[i, j + 1, k], c[i, j + 2, k], v[i, j, k])
                south = limited_flux(
                    c[i, j - 2, k], c[i, j - 1, k], x, c[i, j + 1, k], v[i, j - 1, k]
                )
                above, below = c[i, j, k + 1], c[i, j, k - 1]
                top, bottom = w[i, j, k], w[i, j, k - 1]
                up = top * (x if top > 0.0 else above) - 0.1 * (above - x)
                down = bottom * (below if bottom > 0.0 else x) - 0.1 * (x - below)
                change = -(east - west) / dx[i] - (north - south) / dy[j] - (up - down) / dz[k]
                new[i, j, k] = x + 0.1 * change
    return new


def shallow_water(h, u, v):
    g, f, dt = 9.81, 1e-2, 1e-3
    new, next_u, next_v = h.copy(), u.copy(), v.copy()
    rows, columns, levels = h.shape
    for i in prange(1, rows - 1):
        for j in range(1, columns - 1):
            for k in range(levels):
                here = h[i, j, k]
                x1 = 0.5 * (h[i + 1, j, k] + here) * u[i, j, k]
                x0 = 0.5 * (here + h[i - 1, j, k]) * u[i - 1, j, k]
                y1 = 0.5 * (h[i, j + 1, k] + here) * v[i, j, k]
                y0 = 0.5 * (here + h[i, j - 1, k]) * v[i, j - 1, k]
                new[i, j, k] += -dt * (x1 - x0 + y1 - y0)
    energy = numpy.empty_like(h)
    for i in prange(rows):
        for j in range(columns):
            for k in range(levels):
                kinetic = 0.25 * (u[i, j, k] * u[i, j, k] + v[i, j, k] * v[i, j, k])
                energy[i, j, k] = g * new[i, j, k] + kinetic
    for i in prange(1, rows - 1):
        for j in range(1, columns - 1):
            for k in range(levels):
                turn = f + 0.5 * (v[i + 1, j, k] - v[i - 1, j, k])
                turn -= 0.5 * (u[i, j + 1, k] - u[i, j - 1, k])
                vu = 0.25 * (v[i, j, k] + v[i + 1, j, k] + v[i, j - 1, k] + v[i + 1, j - 1, k])
                uv = 0.25 * (u[i, j, k] + u[i, j + 1, k] + u[i - 1, j, k] + u[i - 1, j + 1, k])
                next_u[i, j, k] += dt * (turn * vu - (energy[i + 1, j, k] - energy[i, j, k]))
                next_v[i, j, k] += -dt * (turn * uv + (energy[i, j + 1, k] - energy[i, j, k]))
    return new, next_u, next_v


def turbulent_energy(energy, mixing, shear, dz):
    dt = 0.5
    result = numpy.empty_like(energy)
    levels = energy.shape[2]
    for i in prange(energy.shape[0]):
        upper, value = numpy.empty(levels), numpy.empty(levels)
        for j in range(energy.shape[1]):
            below = 0.0
            for k in range(levels):
                above = 0.0
                if k < levels - 1:
                    above = dt / dz[k + 1] * 0.5 * (mixing[i, j, k] + mixing[i, j, k + 1])
                b = 1.0 + (above + below) / dz[k] + dt * 0.7 * math.sqrt(max(energy[i, j, k], 0.0))
                d = energy[i, j, k] + dt * mixing[i, j, k] * shear[i, j, k] ** 2
                if k == 0:
                    pivot = 1.0 / b
                    value[0] = d * pivot
                else:
                    a = -below / dz[k]
                    pivot = 1.0 / (b - a * upper[k - 1])
                    value[k] = (d - a * value[k - 1]) * pivot
                upper[k] = -above / dz[k] * pivot
                below = above
            last = value[levels - 1]
            result[i, j, levels - 1] = max(last, 0.0)
            for k in range(levels - 2, -1, -1):
                last = value[k] - upper[k] * last
                result[i, j, k] = max(last, 0.0)
    return result


@numba.njit(error_model="numpy")
def tapered(gradient, density, steepness, vertical):
    slope = -density / steepness
    taper = 0.5 * (1.0 + math.tanh((0.004 - abs(slope)) / 0.001))
    return 250.0 * taper * (gradient + slope * vertical)


@numba.njit(error_model="numpy")
def slope_flux(here, ahead, k, s, t, alpha, beta, vertical, steep, distance):
    (i, j), (i1, j1) = here, ahead
    gradient = (t[i1, j1, k] - t[i, j, k]) / distance
    density = 0.5 * (alpha[i1, j1, k] + alpha[i, j, k]) * gradient
    density += 0.5 * (beta[i1, j1, k] + beta[i, j, k]) * (s[i1, j1, k] - s[i, j, k]) / distance
    flux = 0.0
    for level in (k, k - 1):
        flux += tapered(gradient, density, steep[i, j, level], vertical[i, j, level])
        flux += tapered(gradient, density, steep[i1, j1, level], vertical[i1, j1, level])
    return flux


def isopycnal_slopes(s, t, dx, dy, dz):
    rows, columns, levels = t.shape
    alpha, beta = numpy.empty_like(t), numpy.empty_like(t)
    vertical, steep = numpy.empty_like(t), numpy.empty_like(t)
    for i in prange(rows):
        for j in range(columns):
            for k in range(levels):
                T = t[i, j, k]
                alpha[i, j, k] = -0.05 - 0.01 * T + 1e-5 * T * T
                beta[i, j, k] = 0.78 - 0.003 * T
            for k in range(levels - 1):
                vertical[i, j, k] = (t[i, j, k + 1] - t[i, j, k]) / dz[k]
                drho = 0.5 * (alpha[i, j, k] + alpha[i, j, k + 1]) * vertical[i, j, k]
                between = 0.5 * (beta[i, j, k] + beta[i, j, k + 1])
                drho += between * (s[i, j, k + 1] - s[i, j, k]) / dz[k]
                steep[i, j, k] = min(-1e-4, drho)
            vertical[i, j, levels - 1] = 0.0
            steep[i, j, levels - 1] = -1e-4
    x, y = numpy.zeros_like(t), numpy.zeros_like(t)
    for i in prange(1, rows - 2):
        for j in range(1, columns - 2):
            for k in range(1, levels - 1):
                x[i, j, k] = slope_flux(
                    (i, j), (i + 1, j), k, s, t, alpha, beta, vertical, steep, dx[i]
                )
                y[i, j, k] = slope_flux(
                    (i, j), (i, j + 1), k, s, t, alpha, beta, vertical, steep, dy[j]
                )
    new = t.copy()
    for i in prange(2, rows - 2):
        for j in range(2, columns - 2):
            for k in range(1, levels - 1):
                change = (x[i, j, k] - x[i - 1, j, k]) * 1e-3
                new[i, j, k] += change + (y[i, j, k] - y[i, j - 1, k]) * 1e-3
    return new


def red_black_smoother(x, right):
    x = x.copy()
    for _ in range(3):
        for first in (1, 2):
            for second in (1, 2):
                for half in prange((x.shape[0] - first) // 2):
                    i = first + 2 * half
                    for j in range(second, x.shape[1] - 1, 2):
                        # The levels of a column are written when all its neighbours are read.
                        below = x[i, j, 0]
                        for k in range(1, x.shape[2] - 1):
                            old = x[i, j, k]
                            around = (
                                x[i + 1, j, k]
                                + x[i - 1, j, k]
                                + x[i, j + 1, k]
                                + x[i, j - 1, k]
                                + x[i, j, k + 1]
                                + below
                            )
                            x[i, j, k] = old + 1.2 * ((around - right[i, j, k]) / 6.0 - old)
                            below = old
    return x
