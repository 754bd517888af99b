"""
Image filters: edges and smoothing
==================================

The Sobel operator marks the edges of a photograph, and a bilateral filter removes its fine texture
but keeps the edges. Both are sums over shifted copies of the image, written as slices.
"""

import numpy
from side_by_side import compare, figure, show
from sklearn.datasets import load_sample_image

# %%
# The photograph comes with scikit-learn. Every function takes the namespace, NumPy or Corepy, as
# its first argument, so there is one definition for both.


def photograph(np):
    colours = np.asarray(load_sample_image("china.jpg")) / 255
    return (colours @ np.asarray([0.299, 0.587, 0.114]),)  # luma, of shape (427, 640)


def sobel(np, image):
    padded = np.pad(image, 1, mode="edge")
    across = padded[:, 2:] - padded[:, :-2]
    down = padded[2:, :] - padded[:-2, :]
    gx = across[:-2, :] + 2 * across[1:-1, :] + across[2:, :]
    gy = down[:, :-2] + 2 * down[:, 1:-1] + down[:, 2:]
    return np.hypot(gx, gy)


# %%
# Each pixel becomes a weighted mean of its neighbours. The weight is small for neighbours that
# are far away, and for those of another brightness (Tomasi and Manduchi 1998).


def bilateral(np, image, radius=3, width=2.0, contrast=0.1):
    rows, columns = image.shape
    padded = np.pad(image, radius, mode="reflect")
    total, weights = np.zeros_like(image), np.zeros_like(image)
    for y in range(2 * radius + 1):
        for x in range(2 * radius + 1):
            other = padded[y : y + rows, x : x + columns]
            distance = ((x - radius) ** 2 + (y - radius) ** 2) / (2 * width**2)
            weight = np.exp(-distance - (other - image) ** 2 / (2 * contrast**2))
            total += weight * other
            weights += weight
    return total / weights


def filters(np, image):
    smooth = bilateral(np, image)
    return smooth, sobel(np, smooth)


(smooth, edges), times = compare(filters, photograph)

# %%
# A weight is one expression, which Corepy computes in one pass over memory.

left, middle, right = figure(times, 3, height=2.0)
show(left, photograph(numpy)[0], "photograph", cmap="gray")
show(middle, smooth, "bilateral filter", cmap="gray")
show(right, edges, "Sobel operator", cmap="gray_r")
