"""
The Ising model
===============

Magnetic spins on a lattice prefer the direction of their neighbours, and heat disturbs them. Below
a critical temperature they order themselves. The Metropolis algorithm updates the two colours of a
chessboard in turn, each at once.
"""

import numpy
from side_by_side import compare, figure, show

SIDE, SWEEPS = 256, 60
CRITICAL = 2 / numpy.log(1 + numpy.sqrt(2))  # 2.269, Onsager's temperature

# %%
# Three lattices at three temperatures in one array, and the random numbers of all sweeps.


def lattices(np):
    rng = np.random.default_rng(0)
    temperatures = CRITICAL * np.asarray([0.75, 1.0, 1.5])[:, None, None]
    spins = np.where(rng.random((3, SIDE, SIDE)) < 0.5, 1.0, -1.0)
    row, column = np.arange(SIDE)[:, None], np.arange(SIDE)[None, :]
    white = (row + column) % 2 == 0
    return spins, temperatures, white, rng.random((SWEEPS, 3, SIDE, SIDE))


# %%
# A spin turns if that lowers the energy, or else with the probability exp(-change / temperature).


def metropolis(np, spins, temperatures, white, uniform):
    for random in uniform:
        for colour in (white, ~white):
            around = sum(np.roll(spins, shift, axis) for shift in (1, -1) for axis in (1, 2))
            turns = random < np.exp(-2 * spins * around / temperatures)
            spins = np.where(turns & colour, -spins, spins)
    return spins


spins, times = compare(metropolis, lattices)
magnetisation = numpy.abs(numpy.mean(spins, axis=(1, 2)))

# %%
# After the same number of sweeps: large domains, domains of all sizes, and disorder.

names = ("below the critical temperature", "at the critical temperature", "above it")
for number, axes in enumerate(figure(times, 3, height=2.8)):
    show(axes, spins[number], names[number], cmap="cividis")
    axes.set(xlabel=f"magnetisation {magnetisation[number]:.3f}")
