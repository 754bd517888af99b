"""Give scikit-learn's estimators Corepy tensors and compare with what NumPy arrays give.

scikit-learn works on any array of the array API standard once ``array_api_dispatch`` is set: it
asks the array for its namespace and stays in it. This program fits real estimators to the real data
that come with scikit-learn, with NumPy arrays (dispatch off: scikit-learn's usual path) and with
Corepy tensors on every available device, and prints the largest difference and the times side by
side. It exits with 1 if a result differs by more than the tolerance, or if an array that
scikit-learn returns is not a Corepy tensor on the device of the data.

Run it with::

    python examples/estimators.py [--device NAME ...]
"""

import argparse
import os
import sys
import time

os.environ["SCIPY_ARRAY_API"] = "1"  # SciPy reads it once, when it is imported

import numpy as np

import corepy

try:
    from sklearn import config_context
    from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits
    from sklearn.decomposition import PCA
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.linear_model import Ridge
    from sklearn.mixture import GaussianMixture
    from sklearn.model_selection import cross_validate
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
except ImportError as error:
    from extras import missing

    raise SystemExit(missing(error, "examples")) from error

# Largest difference from NumPy's result that counts as equal, relative to the largest value of that
# result. Backends may sum in another order, and iterations pass the difference on.
TOLERANCE = 1e-8

REPEATS = 3
SEED = 0


def pca(x, y):
    """Project on ten principal components and back."""
    model = PCA(n_components=10, svd_solver="full").fit(x)
    projected = model.transform(x)
    return {
        "components": model.components_,
        "explained variance": model.explained_variance_,
        "projection": projected,
        "reconstruction": model.inverse_transform(projected),
    }


def ridge(x, y):
    """Fit a regularised linear regression."""
    model = Ridge(alpha=0.1, solver="svd").fit(x, y)
    return {
        "coefficients": model.coef_,
        "intercept": model.intercept_,
        "prediction": model.predict(x),
        "score": model.score(x, y),
    }


def discriminant(x, y):
    """Classify with linear discriminants."""
    model = LinearDiscriminantAnalysis(solver="svd").fit(x, y)
    return {
        "class": model.predict(x),
        "probabilities": model.predict_proba(x),
        "projection": model.transform(x),
        "score": model.score(x, y),
    }


def mixture(x, y):
    """Cluster with a mixture of two Gaussians in the plane of two principal components."""
    plane = PCA(n_components=2, svd_solver="full", whiten=True).fit_transform(x)
    model = GaussianMixture(2, init_params="random_from_data", random_state=SEED).fit(plane)
    return {
        "iterations": model.n_iter_,
        "weights": model.weights_,
        "means": model.means_,
        "covariances": model.covariances_,
        "cluster": model.predict(plane),
        "log-likelihood": model.score_samples(plane),
    }


def cross_validation(x, y):
    """Cross-validate a pipeline: standardise, project, classify."""
    pipeline = make_pipeline(
        StandardScaler(),
        PCA(n_components=20, svd_solver="full"),
        LinearDiscriminantAnalysis(solver="svd"),
    )
    scores = cross_validate(pipeline, x, y, cv=5, return_train_score=True)
    # scikit-learn returns scores as NumPy arrays whatever the data are.
    return {name: scores[name].tolist() for name in ("test_score", "train_score")}


CASES = [
    ("PCA", "digits", load_digits, pca),
    ("Ridge", "diabetes", load_diabetes, ridge),
    ("LinearDiscriminantAnalysis", "breast cancer", load_breast_cancer, discriminant),
    ("GaussianMixture", "breast cancer", load_breast_cancer, mixture),
    ("pipeline, 5-fold", "digits", load_digits, cross_validation),
]


def timed(function, x, y):
    """Return the results of ``function(x, y)`` and the least of several times in seconds."""
    seconds = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        results = function(x, y)
        seconds.append(time.perf_counter() - start)
    return results, min(seconds)


def to_numpy(value):
    """Bring an array of any device, or a Python number, to a NumPy array."""
    if hasattr(value, "to_device"):
        value = value.to_device("cpu")
    return np.asarray(value)


def largest_difference(results, expected):
    """Return the largest relative difference from what is expected, and the name of that result."""
    differences = {}
    for name, wanted in expected.items():
        wanted, found = to_numpy(wanted), to_numpy(results[name])
        if found.shape != wanted.shape:
            raise ValueError(f"{name}: shape {found.shape} instead of {wanted.shape}")
        scale = np.max(np.abs(wanted)) or 1.0
        differences[name] = float(np.max(np.abs(found - wanted)) / scale)
    worst = max(differences, key=differences.get)
    return differences[worst], worst


def strays(results, device):
    """Return the names of those arrays that are not Corepy tensors on ``device``."""
    return [
        name
        for name, value in results.items()
        if hasattr(value, "shape")
        and not (isinstance(value, corepy.Tensor) and value.device == device)
    ]


def main(arguments=None):
    """Run all cases; return 0 if every result equals NumPy's within the tolerance, else 1."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--device", nargs="+", metavar="NAME", help="Corepy devices to use (all available ones)"
    )
    options = parser.parse_args(arguments)
    devices = options.device or [str(device) for device in corepy.available_devices()]
    try:
        namespaces = {device: corepy.namespace(device) for device in devices}
    except ValueError as error:  # an unknown device; the error lists those there are
        parser.error(str(error))

    header = f"{'estimator':<28}{'data':<15}{'array':<18}{'seconds':>8}{'difference':>12}"
    print(header, "-" * len(header), sep="\n", flush=True)
    failed = 0
    for estimator, data, load, function in CASES:
        x, y = load(return_X_y=True)
        expected, seconds = timed(function, x, y)
        print(f"{estimator:<28}{data:<15}{'numpy':<18}{seconds:>8.3f}", flush=True)
        for device, xp in namespaces.items():
            with config_context(array_api_dispatch=True):
                results, seconds = timed(function, xp.asarray(x), xp.asarray(y))
            difference, worst = largest_difference(results, expected)
            faults = [f"left the device: {name}" for name in strays(results, device)]
            if not difference <= TOLERANCE:  # a NaN is a fault too
                faults.append(f"differs: {worst}")
            failed += bool(faults)
            print(
                f"{'':<43}{'corepy ' + device:<18}{seconds:>8.3f}{difference:>12.1e}",
                *faults,
                sep="  ",
                flush=True,
            )

    verdict = f"{failed} WRONG" if failed else "all agree with NumPy"
    print(f"\n{verdict} (tolerance {TOLERANCE}, relative to the largest value of each result)")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
