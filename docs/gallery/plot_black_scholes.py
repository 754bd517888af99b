"""
Prices of options by Black and Scholes
======================================

The value of a European call option, and how it changes with the price of the share (delta), for a
million options at once. The formula is a chain of elementary functions of each element.
"""

import numpy
from side_by_side import compare, figure

STRIKE, RATE, VOLATILITY = 100.0, 0.03, 0.25
SHAPE = (1000, 1000)  # times to expiry, prices of the share

# %%
# NumPy has no error function. This is the approximation 7.1.26 in Abramowitz and Stegun's
# *Handbook of Mathematical Functions*, whose error is below 1.5e-7.


def normal_cdf(np, x):
    t = 1 / (1 + 0.3275911 / 2**0.5 * np.abs(x))
    series = t * (
        0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429)))
    )
    tail = 0.5 * series * np.exp(-0.5 * x * x)
    return np.where(x < 0, tail, 1 - tail)


def market(np):
    price = np.linspace(50.0, 150.0, SHAPE[1])
    years = np.linspace(0.01, 2.0, SHAPE[0])
    return np.broadcast_to(price, SHAPE).copy(), np.broadcast_to(years[:, None], SHAPE).copy()


def call(np, price, years):
    deviation = VOLATILITY * np.sqrt(years)
    d1 = (np.log(price / STRIKE) + (RATE + VOLATILITY**2 / 2) * years) / deviation
    delta = normal_cdf(np, d1)
    value = price * delta - STRIKE * np.exp(-RATE * years) * normal_cdf(np, d1 - deviation)
    return value, delta


(value, delta), times = compare(call, market)

# %%
# NumPy writes the results of some forty operations to memory, 8 MB each. Corepy writes two.

price, years = market(numpy)
left, right = figure(times, 2, height=3.2)
for axes, field, title in ((left, value, "value"), (right, delta, "delta")):
    image = axes.pcolormesh(price, years, field, cmap="viridis", rasterized=True)
    axes.contour(price, years, field, 8, colors="white", linewidths=0.5)
    axes.axvline(STRIKE, color="white", linestyle=":", linewidth=1)
    axes.set(title=title, xlabel="price of the share", ylabel="years to expiry")
    axes.figure.colorbar(image, ax=axes)
