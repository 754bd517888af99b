"""
The price of an Asian option by Monte Carlo
===========================================

An Asian option pays what the mean price of a share is above the strike. There is no formula for its
value, so it is the mean over random paths of the share, under geometric Brownian motion.
"""

import numpy
from side_by_side import compare, figure

PATHS, DAYS = 20_000, 250
SPOT, STRIKE, RATE, VOLATILITY = 100.0, 100.0, 0.03, 0.25

# %%
# The random numbers are made before: both programs have the same, from NumPy's generator.


def numbers(np):
    return (np.random.default_rng(0).standard_normal((PATHS, DAYS)),)


def price(np, normal):
    drift = (RATE - VOLATILITY**2 / 2) / DAYS
    steps = drift + VOLATILITY / DAYS**0.5 * normal
    paths = SPOT * np.exp(np.cumulative_sum(steps, axis=1))
    payoff = np.exp(-RATE) * np.maximum(np.mean(paths, axis=1) - STRIKE, 0)
    return paths, payoff


(paths, payoff), times = compare(price, numbers)
error = numpy.std(payoff) / PATHS**0.5
print(f"The option is worth {numpy.mean(payoff):.3f}, with a standard error of {error:.3f}.")

# %%
# The estimate converges with the square root of the number of paths.

left, right = figure(times, 2, height=3.0)
left.plot(paths[:60].T, linewidth=0.5, color="#1f6fb2", alpha=0.6)
left.axhline(STRIKE, color="black", linestyle=":", linewidth=1)
left.set(title="60 of the paths", xlabel="day", ylabel="price of the share")
count = numpy.arange(1, PATHS + 1)
estimate = numpy.cumsum(payoff) / count
width = 1.96 * numpy.std(payoff) / numpy.sqrt(count)
right.fill_between(
    count, estimate - width, estimate + width, alpha=0.3, color="#1f6fb2", linewidth=0, label="95 %"
)
right.plot(count, estimate, color="#1f6fb2", label="estimate")
right.legend()
right.set(title="value", xlabel="paths", xscale="log", xlim=(100, PATHS), ylim=(3, 10))
