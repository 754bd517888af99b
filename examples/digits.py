"""Recognise handwritten digits with one program on every array device.

The functions below know no array library. They ask their input for its namespace
(``x.__array_namespace__()``) and use only what the array API standard defines, so the same code
runs with NumPy, with Corepy on the CPU and with Corepy on any other device of this machine.

The data are real: 1797 scanned 8 x 8 images of the digits 0 to 9 that come with scikit-learn, so
nothing is downloaded. The steps are

1. standardise the pixels,
2. project them on their principal components, found with a singular value decomposition,
3. classify unseen images by their nearest neighbours, and
4. classify them by a softmax regression trained with gradient descent.

Run it with::

    python examples/digits.py [--output FILE] [--device DEVICE ...]
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np

import corepy

try:
    import matplotlib
    from sklearn.datasets import load_digits
    from sklearn.model_selection import train_test_split
except ImportError as error:
    from extras import missing

    raise SystemExit(missing(error, "examples")) from error

COMPONENTS = 30
NEIGHBOURS = 5
STEPS = 500
LEARNING_RATE = 0.5
CLASSES = 10
SEED = 0
OUTPUT = Path(__file__).parent / "output" / "digits.png"

# Backends may sum in a different order, which moves the last digits of a score. A larger difference
# than this is an error.
TOLERANCE = 1e-8


# --- Array-agnostic code: nothing in this part names an array library ---


def standardise(train, test):
    """Scale every pixel to mean 0 and standard deviation 1 over the training images.

    Parameters
    ----------
    train, test : array of shape (images, pixels), real floating dtype

    Returns
    -------
    train, test : arrays of the same shapes
    """
    xp = train.__array_namespace__()
    mean = xp.mean(train, axis=0)
    spread = xp.std(train, axis=0)
    spread = xp.where(spread > 0, spread, 1.0)  # pixels at the rim are the same in all images
    return (train - mean) / spread, (test - mean) / spread


def principal_components(train, test, count):
    """Project on the directions in which the training images vary most.

    Parameters
    ----------
    train, test : array of shape (images, pixels), columns of ``train`` with mean 0
    count : int
        How many components to keep.

    Returns
    -------
    train, test : arrays of shape (images, count)
    explained : array of shape (count,)
        Each component's share of the total variance.
    """
    xp = train.__array_namespace__()
    _, singular_values, directions = xp.linalg.svd(train, full_matrices=False)
    # A singular vector is determined up to its sign: make its largest entry positive.
    largest = xp.argmax(xp.abs(directions), axis=1, keepdims=True)
    directions = directions * xp.sign(xp.take_along_axis(directions, largest, axis=1))
    directions = directions[:count, :]
    variance = singular_values**2
    return train @ directions.T, test @ directions.T, variance[:count] / xp.sum(variance)


def neighbour_votes(train, labels, test, neighbours):
    """Let the nearest training images vote on the digit of every test image.

    Parameters
    ----------
    train : array of shape (images, features)
    labels : array of shape (images,), integer dtype
        The digits of the training images.
    test : array of shape (queries, features)
    neighbours : int
        How many training images vote.

    Returns
    -------
    votes : array of shape (queries, 10)
        Share of the votes for each digit.
    """
    xp = train.__array_namespace__()
    # |a - b|^2 = |a|^2 - 2 ab + |b|^2; the first term does not change the order.
    distances = xp.vecdot(train, train)[None, :] - 2 * (test @ train.T)
    nearest = xp.argsort(distances, axis=1)[:, :neighbours]
    return xp.mean(one_hot(labels[nearest]), axis=1)


def fit_softmax(train, labels, steps, learning_rate):
    """Train a softmax regression by gradient descent on the mean cross-entropy.

    Parameters
    ----------
    train : array of shape (images, features)
    labels : array of shape (images,), integer dtype
    steps : int
    learning_rate : float

    Returns
    -------
    weights : array of shape (features, 10)
    bias : array of shape (10,)
    """
    xp = train.__array_namespace__()
    images, features = train.shape
    target = one_hot(labels)
    weights = xp.zeros((features, CLASSES), dtype=train.dtype, device=train.device)
    bias = xp.zeros((CLASSES,), dtype=train.dtype, device=train.device)
    for _ in range(steps):
        error = (softmax(train @ weights + bias) - target) / images
        weights -= learning_rate * (train.T @ error)
        bias -= learning_rate * xp.sum(error, axis=0)
    return weights, bias


def softmax(x):
    """Turn scores of shape (images, classes) into probabilities of the same shape."""
    xp = x.__array_namespace__()
    x = xp.exp(x - xp.max(x, axis=1, keepdims=True))
    return x / xp.sum(x, axis=1, keepdims=True)


def one_hot(labels):
    """Turn digits of shape (...) into rows of zeros with a single one: shape (..., 10), float64."""
    xp = labels.__array_namespace__()
    digits = xp.arange(CLASSES, dtype=labels.dtype, device=labels.device)
    return xp.astype(labels[..., None] == digits, xp.float64)


def accuracy(scores, labels):
    """Share of the images whose best-scored digit is the right one, as a Python float."""
    xp = scores.__array_namespace__()
    hits = xp.argmax(scores, axis=1) == labels
    return float(xp.mean(xp.astype(hits, xp.float64)))


# --- The demonstration ---


def run(name, xp, data):
    """Run all steps with the namespace ``xp`` and return the results as a dict."""
    say(f"\n{name}")
    start = time.perf_counter()
    train, test, train_labels, test_labels = (xp.asarray(array) for array in data)
    stage(start, f"{train.shape[0]} + {test.shape[0]} images moved to the device")

    start_stage = time.perf_counter()
    train, test = standardise(train, test)
    train, test, explained = principal_components(train, test, COMPONENTS)
    share = float(xp.sum(explained))
    stage(start_stage, f"{COMPONENTS} principal components, {share:.1%} of the variance")

    start_stage = time.perf_counter()
    votes = neighbour_votes(train, train_labels, test, NEIGHBOURS)
    vote_accuracy = accuracy(votes, test_labels)
    stage(start_stage, f"{NEIGHBOURS} nearest neighbours, {vote_accuracy:.1%} right")

    # The projections have very different spreads; gradient descent likes them alike.
    start_stage = time.perf_counter()
    scaled_train, scaled_test = standardise(train, test)
    weights, bias = fit_softmax(scaled_train, train_labels, STEPS, LEARNING_RATE)
    probabilities = softmax(scaled_test @ weights + bias)
    softmax_accuracy = accuracy(probabilities, test_labels)
    stage(start_stage, f"softmax regression, {STEPS} steps, {softmax_accuracy:.1%} right")

    return {
        "name": name,
        "seconds": time.perf_counter() - start,
        "neighbours": vote_accuracy,
        "softmax": softmax_accuracy,
        "scores": [to_numpy(votes), to_numpy(probabilities)],
        "plane": to_numpy(test[:, :2]),
        "explained": to_numpy(explained),
    }


def to_numpy(x):
    """Copy an array of any library and device to a NumPy array."""
    return np.asarray(x.to_device("cpu"))


def compare(result, baseline):
    """Add to ``result`` how far it agrees with ``baseline``: predictions and scores."""
    pairs = list(zip(result["scores"], baseline["scores"], strict=True))
    same = [np.argmax(mine, axis=1) == np.argmax(theirs, axis=1) for mine, theirs in pairs]
    result["agreement"] = float(np.mean(same))
    result["difference"] = max(float(np.max(np.abs(mine - theirs))) for mine, theirs in pairs)


def print_table(results):
    """Print one line per device."""
    say("\n                       accuracy                 agreement with NumPy")
    say("device               kNN   softmax   seconds   predictions  score diff.")
    say("-" * 71)
    for result in results:
        say(
            f"{result['name']:<16}{result['neighbours']:>8.2%}{result['softmax']:>10.2%}"
            f"{result['seconds']:>10.2f}{result['agreement']:>14.2%}{result['difference']:>13.1e}"
        )


def draw(result, images, labels, path):
    """Write a picture of the test images in the plane of the first two principal components.

    Parameters
    ----------
    result : dict
        What `run` returned.
    images : ndarray of shape (images, 64)
        The test images, a few of which are shown where they fall.
    labels : ndarray of shape (images,)
        Their digits, which give the colour.
    path : pathlib.Path
        Where to write the picture; the suffix decides the format.
    """
    matplotlib.use("Agg")  # no display is needed
    import matplotlib.pyplot as plt
    from matplotlib.offsetbox import AnnotationBbox, OffsetImage

    plane = result["plane"]
    colours = plt.get_cmap("tab10")
    figure, axes = plt.subplots(figsize=(9, 7), layout="constrained")
    for digit in range(CLASSES):
        points = plane[labels == digit]
        axes.scatter(*points.T, s=22, color=colours(digit), alpha=0.75, lw=0, label=str(digit))

    shown = np.empty((0, 2))
    for point, image, label in zip(plane, images, labels, strict=True):
        if shown.size and np.min(np.sum((shown - point) ** 2, axis=1)) < 2.0:
            continue  # would cover its neighbour
        shown = np.vstack([shown, point])
        thumbnail = OffsetImage(image.reshape(8, 8), cmap="gray_r", zoom=2.2)
        frame = {"edgecolor": colours(label), "linewidth": 1.5}
        axes.add_artist(AnnotationBbox(thumbnail, point, pad=0.1, bboxprops=frame))

    first, second = result["explained"][:2]
    axes.set_xlabel(f"first principal component ({first:.1%} of the variance)")
    axes.set_ylabel(f"second principal component ({second:.1%})")
    axes.set_title(f"{len(labels)} handwritten digits, projected by {result['name']}")
    axes.legend(title="digit", loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=120)
    plt.close(figure)


def say(text):
    """Print a line at once, also into a pipe."""
    print(text, flush=True)


def stage(start, text):
    """Report a finished stage and what it took since ``start``."""
    say(f"  {time.perf_counter() - start:6.2f} s  {text}")


def main(arguments=None):
    """Run the demonstration; return 0 if every device agrees with NumPy and 1 otherwise."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--output", type=Path, default=OUTPUT, metavar="FILE", help="the picture to write"
    )
    parser.add_argument(
        "--device", nargs="+", metavar="NAME", help="Corepy devices to use (all available ones)"
    )
    options = parser.parse_args(arguments)
    devices = options.device or [str(device) for device in corepy.available_devices()]
    try:
        namespaces = {f"corepy {device}": corepy.namespace(device) for device in devices}
    except ValueError as error:  # an unknown device; the error lists those there are
        parser.error(str(error))

    images, labels = load_digits(return_X_y=True)
    data = train_test_split(images, labels, test_size=1 / 3, random_state=SEED, stratify=labels)
    _, test_images, _, test_labels = data

    results = [run("numpy", np, data)]
    results += [run(name, xp, data) for name, xp in namespaces.items()]
    for result in results:
        compare(result, results[0])
    print_table(results)

    draw(results[1], test_images, test_labels, options.output)
    say(f"\npicture of the first two principal components: {options.output}")

    disagreeing = [result["name"] for result in results if result["difference"] > TOLERANCE]
    if disagreeing:
        say(f"scores differ from NumPy's by more than {TOLERANCE}: {', '.join(disagreeing)}")
    return 1 if disagreeing else 0


if __name__ == "__main__":
    sys.exit(main())
