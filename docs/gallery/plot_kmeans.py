"""
k-means: sixteen colours for a photograph
=========================================

Lloyd's algorithm groups the colours of a photograph around sixteen centres: each pixel belongs to
the nearest centre, and each centre moves to the mean of its pixels, ten times here.
"""

import numpy
from side_by_side import compare, figure, show
from sklearn.datasets import load_sample_image

CENTRES, STEPS = 16, 10

# %%
# Every second pixel in each direction, with red, green and blue from 0 to 1. The first centres are
# pixels at random.


def photograph():
    return load_sample_image("flower.jpg")[::2, ::2] / 255


def pixels(np):
    colours = np.asarray(photograph().reshape(-1, 3))
    start = np.random.default_rng(4).choice(len(colours), CENTRES, replace=False)
    return colours, colours[start]


# %%
# ``|x - c|² = |x|² - 2 x·c + |c|²``, of which the first term does not decide which centre is
# nearest.


def kmeans(np, x, centres):
    for _ in range(STEPS):
        nearest = np.argmin(np.sum(centres**2, axis=1) - 2 * x @ centres.T, axis=1)
        count = np.bincount(nearest, minlength=CENTRES)
        sums = [np.bincount(nearest, weights=x[:, i], minlength=CENTRES) for i in range(3)]
        centres = np.stack(sums, axis=1) / count[:, None]
    return centres, nearest


(centres, nearest), times = compare(kmeans, pixels)

# %%
# The photograph, the same with sixteen colours, and how many pixels each colour has.

photo = photograph()
left, middle, right = figure(times, 3, height=2.6, width_ratios=(3, 3, 1.2))
show(left, photo, f"{len(numpy.unique(photo.reshape(-1, 3), axis=0)):,} colours")
show(middle, centres[nearest].reshape(photo.shape), f"{CENTRES} colours")
share = numpy.bincount(nearest) / nearest.size
order = numpy.argsort(share)
right.barh(range(CENTRES), 100 * share[order], color=centres[order], height=1)
right.set(xlabel="% of the pixels", yticks=[])
