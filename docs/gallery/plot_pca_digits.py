"""
Principal components of handwritten digits
==========================================

Images of 8 x 8 pixels are points in 64 dimensions. Their principal components are the directions in
which the images differ most; two of them already separate some digits from others.
"""

import numpy
from side_by_side import compare, figure, show
from sklearn.datasets import load_digits

# %%
# The 1797 images come with scikit-learn.


def digits(np):
    return (np.asarray(load_digits().data),)


def principal_components(np, images, count=2):
    centred = images - np.mean(images, axis=0)
    _, singular, directions = np.linalg.svd(centred, full_matrices=False)
    largest = np.argmax(np.abs(directions), axis=1)[:, None]
    directions = directions * np.sign(np.take_along_axis(directions, largest, axis=1))
    share = singular**2 / np.sum(singular**2)
    return centred @ directions[:count].T, directions[:count], share


(scores, directions, share), times = compare(principal_components, digits)
print(f"Two components have {100 * sum(share[:2]):.0f} % of the variance.")

# %%
# The time is that of the singular value decomposition, for which Corepy calls the same LAPACK as
# NumPy: there is little to gain.

left, right = figure(times, 2, height=3.4, width_ratios=(1.6, 1))
points = left.scatter(*scores.T, c=load_digits().target, cmap="tab10", vmin=-0.5, vmax=9.5, s=8)
left.figure.colorbar(points, ax=left, label="digit", ticks=range(10))
left.set(title="images", xlabel="first component", ylabel="second component")
pictures = numpy.hstack([direction.reshape(8, 8) for direction in directions])
show(right, pictures, "the two components", cmap="RdBu_r", vmin=-0.4, vmax=0.4)
right.axvline(7.5, color="black", linewidth=1)
