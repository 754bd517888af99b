"""Calls of SciPy and scikit-learn on 10^6 to 3 * 10^6 float64, by way of the array API."""

from __future__ import annotations

from typing import Any

import numpy
from scipy import cluster, integrate, signal, special, stats
from sklearn import (
    decomposition,
    discriminant_analysis,
    linear_model,
    metrics,
    mixture,
    naive_bayes,
    preprocessing,
)

from .task import numbers, task


def table() -> dict[str, Any]:
    """A table of 60,000 x 50."""
    return {"x": numbers(60_000, 50) * numpy.arange(1, 51) + 3.0}


def labelled() -> dict[str, Any]:
    """A table of two classes."""
    x = numbers(60_000, 30)
    return {"x": x, "y": (x[:, 0] + x[:, 1] > 0).astype(numpy.int64)}


def vector() -> dict[str, Any]:
    return {"x": numbers(1_000_000, positive=True)}


def two_vectors() -> dict[str, Any]:
    return {
        "x": numbers(1_000_000, positive=True), "y": numbers(1_000_000, seed=1, positive=True)
    }  # fmt: skip


def rows() -> dict[str, Any]:
    return {"x": numbers(1_500, 100), "y": numbers(1_000, 100, seed=1)}


# ---- scikit-learn


@task("scikit-learn", table)
def standard_scaler(np, x):
    return preprocessing.StandardScaler().fit_transform(x)


@task("scikit-learn", table)
def min_max_scaler(np, x):
    return preprocessing.MinMaxScaler().fit_transform(x)


@task("scikit-learn", table)
def max_abs_scaler(np, x):
    return preprocessing.MaxAbsScaler().fit_transform(x)


@task("scikit-learn", table)
def normalizer(np, x):
    return preprocessing.Normalizer().fit_transform(x)


@task("scikit-learn", table, 1e-6)
def pca(np, x):
    model = decomposition.PCA(5, svd_solver="covariance_eigh").fit(x)
    return abs(model.transform(x)), model.explained_variance_ratio_


@task("scikit-learn", labelled, 1e-6)
def gaussian_mixture(np, x, y):
    model = mixture.GaussianMixture(
        3, max_iter=4, tol=1.0, init_params="random_from_data", random_state=0,
        means_init=np.asarray(numbers(3, 30, seed=5)), covariance_type="diag",
    )  # fmt: skip
    return model.fit(x).means_


@task("scikit-learn", labelled, 1e-6)
def discriminant_analysis_of_classes(np, x, y):
    model = discriminant_analysis.LinearDiscriminantAnalysis(solver="svd").fit(x, y)
    return model.predict(x)


@task("scikit-learn", labelled, 1e-6)
def gaussian_naive_bayes(np, x, y):
    return naive_bayes.GaussianNB().fit(x, y).predict_log_proba(x)


@task("scikit-learn", labelled, 1e-6)
def ridge(np, x, y):
    y = x[:, 0] * 2 + x[:, 3]
    return linear_model.Ridge(solver="svd").fit(x, y).coef_


@task("scikit-learn", two_vectors)
def mean_squared_error(np, x, y):
    return metrics.mean_squared_error(x, y)


@task("scikit-learn", two_vectors)
def mean_absolute_error(np, x, y):
    return metrics.mean_absolute_error(x, y)


@task("scikit-learn", two_vectors)
def r2_score(np, x, y):
    return metrics.r2_score(x, y)


@task("scikit-learn", rows)
def rbf_kernel(np, x, y):
    return metrics.pairwise.rbf_kernel(x, y)


@task("scikit-learn", rows)
def cosine_similarity(np, x, y):
    return metrics.pairwise.cosine_similarity(x, y)


# ---- SciPy


@task("SciPy", table)
def z_scores(np, x):
    return stats.zscore(x, axis=0)


@task("SciPy", two_vectors)
def t_test(np, x, y):
    return stats.ttest_ind(x, y).statistic


@task("SciPy", vector)
def skewness(np, x):
    return stats.skew(x)


@task("SciPy", vector)
def kurtosis(np, x):
    return stats.kurtosis(x)


@task("SciPy", vector)
def description(np, x):
    found = stats.describe(x)
    return found.mean, found.variance, found.skewness


@task("SciPy", vector)
def geometric_mean(np, x):
    return stats.gmean(x)


@task("SciPy", two_vectors)
def pearson(np, x, y):
    return stats.pearsonr(x, y).statistic


@task("SciPy", table)
def softmax(np, x):
    return special.softmax(x, axis=1)


@task("SciPy", table)
def log_softmax(np, x):
    return special.log_softmax(x, axis=1)


@task("SciPy", table)
def logsumexp(np, x):
    return special.logsumexp(x, axis=1)


@task("SciPy", two_vectors)
def xlogy(np, x, y):
    return special.xlogy(x, y)


@task("SciPy", two_vectors)
def relative_entropy(np, x, y):
    return special.rel_entr(x, y)


@task("SciPy", vector)
def hilbert(np, x):
    return signal.hilbert(x)


@task("SciPy", table)
def whiten(np, x):
    return cluster.vq.whiten(x)


@task("SciPy", two_vectors)
def trapezoid(np, x, y):
    return integrate.trapezoid(y, x)
