"""
Sharpening a blurred photograph
===============================

A telescope or microscope blurs what it sees: its image is a convolution. The Richardson-Lucy
algorithm undoes it, with Fourier transforms of the whole image in each of its steps.
"""

import numpy
from side_by_side import compare, figure, show
from sklearn.datasets import load_sample_image

STEPS, WIDTH = 20, 2.5  # of the blur, in pixels

# %%
# A photograph, which comes with scikit-learn, blurred by a Gaussian, with the noise of counted
# photons.


def blurred(np):
    photo = np.asarray(load_sample_image("china.jpg")[:400, :600, 1].astype(numpy.float64))
    y, x = (np.fft.fftfreq(n) for n in photo.shape)
    spectrum = np.exp(-2 * (np.pi * WIDTH) ** 2 * (y[:, None] ** 2 + x[None, :301] ** 2))
    image = np.fft.irfft2(np.fft.rfft2(photo) * spectrum, photo.shape)
    return (
        np.asarray(numpy.random.default_rng(0).poisson(numpy.asarray(image) * 40) / 40.0),
        spectrum,
        photo,
    )


def convolved(np, image, spectrum):
    return np.fft.irfft2(np.fft.rfft2(image) * spectrum, image.shape)


def sharpen(np, image, spectrum, _):
    estimate = np.full_like(image, np.mean(image))
    for _ in range(STEPS):
        ratio = image / np.maximum(convolved(np, estimate, spectrum), 1e-3)
        estimate = estimate * convolved(np, ratio, spectrum)  # a Gaussian is its own mirror image
    return estimate


sharp, times = compare(sharpen, blurred)

# %%
# Twenty steps are eighty transforms of 240,000 pixels.

image, _, photo = blurred(numpy)
left, middle, right = figure(times, 3, height=1.9)
for axes, each, title in (
    (left, image, "blurred, with noise"),
    (middle, sharp, f"after {STEPS} steps"),
    (right, photo, "photograph"),
):
    show(axes, each[150:350, 200:500], title, cmap="gray", vmin=0, vmax=255)
