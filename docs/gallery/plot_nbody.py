"""
N-body simulation: the collapse of a star cluster
=================================================

Stars attract each other by Newton's law. A cloud of them that is almost at rest falls together,
bounces, and settles as a dense core with a halo (violent relaxation).
"""

import numpy
from side_by_side import compare, figure

import corepy

STARS, STEPS, STEP, SOFTENING = 400, 40, 0.02, 0.05

# %%
# Positions and velocities are random numbers of a generator with a seed: Corepy's gives the same
# numbers as NumPy's.


def cluster(np):
    rng = np.random.default_rng(1)
    direction = rng.standard_normal((STARS, 3))
    direction /= np.linalg.norm(direction, axis=1, keepdims=True)
    radius = 2 * rng.random((STARS, 1)) ** (1 / 3)  # a ball of constant density
    return direction * radius, 0.1 * rng.standard_normal((STARS, 3))


def acceleration(np, x):
    """Sum the attraction of all other stars; each has the mass 1 / STARS."""
    difference = [x[None, :, axis] - x[:, None, axis] for axis in range(3)]
    square = sum(d * d for d in difference) + SOFTENING**2
    factor = 1 / (square * np.sqrt(square))
    return np.stack([np.sum(d * factor, axis=1) for d in difference], axis=1) / STARS


# %%
# The leapfrog method: half a step of the velocity, a step of the position, half of the velocity.


def simulate(np, x, v, steps=STEPS):
    a = acceleration(np, x)
    for _ in range(steps):
        v = v + STEP / 2 * a
        x = x + STEP * v
        a = acceleration(np, x)
        v = v + STEP / 2 * a
    return x, v


(x, v), times = compare(simulate, cluster)

# %%
# A step has ten arrays of all pairs, 1.3 MB each, of which Corepy keeps most out of memory. The
# pictures show the cluster for longer: it collapses, and a core and a halo remain.

axes = figure(times, 4, height=2.1)
x, v = cluster(corepy)
for number, each in enumerate(axes):
    if number:
        x, v = simulate(corepy, x, v, steps=80)
    across, up, depth = numpy.asarray(x).T
    each.scatter(across, up, s=1.5, c=depth, cmap="plasma", vmin=-2, vmax=2)
    each.set(title=f"time {80 * number * STEP:.1f}", xlim=(-2.5, 2.5), ylim=(-2.5, 2.5))
    each.set(aspect="equal", xticks=[], yticks=[], facecolor="#101018")
    each.spines[:].set_visible(False)
