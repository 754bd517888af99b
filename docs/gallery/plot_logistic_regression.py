"""
Logistic regression by gradient descent
=======================================

Is a tumour malignant? 569 patients with 30 measurements each, of which three quarters train the
model. The arrays are small, so the time is that of the calls and not of arithmetic.
"""

import numpy
from side_by_side import compare, figure
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

STEPS, RATE, PENALTY = 1000, 0.5, 1e-3

# %%
# The data come with scikit-learn. Each measurement is scaled to mean 0 and variance 1.


def patients(np):
    data = load_breast_cancer()
    parts = train_test_split(data.data, data.target == 0, random_state=0)
    train, test, malignant, _ = map(np.asarray, parts)
    mean, deviation = np.mean(train, axis=0), np.std(train, axis=0)
    return (train - mean) / deviation, malignant.astype(np.float64), (test - mean) / deviation


def sigmoid(np, x):
    return 1 / (1 + np.exp(-x))


def fit(np, x, y, test):
    weights, bias, losses = np.zeros(x.shape[1]), 0.0, []
    for _ in range(STEPS):
        probability = sigmoid(np, x @ weights + bias)
        losses.append(-np.mean(np.log(np.where(y == 1, probability, 1 - probability))))
        error = (probability - y) / len(y)
        weights = weights - RATE * (error @ x + PENALTY * weights)
        bias = bias - RATE * np.sum(error)
    return weights, np.stack(losses), sigmoid(np, test @ weights + bias)


(weights, losses, probability), times = compare(fit, patients)

# %%
# A quarter of the patients was not used for training.

data = load_breast_cancer()
truth = train_test_split(data.target == 0, random_state=0)[1]
print(f"{numpy.mean((probability > 0.5) == truth):.1%} of {truth.size} are classified correctly.")

left, right = figure(times, 2, height=3.2)
left.plot(losses, color="#1f6fb2")
left.set(title="loss", xlabel="step", ylabel="mean cross-entropy", ylim=(0, 0.7))
bins = numpy.linspace(0, 1, 21)
right.hist(
    [probability[~truth], probability[truth]], bins, stacked=True, color=["#1f6fb2", "#b03060"]
)
right.legend(["benign", "malignant"])
right.set(title="patients not used for training", xlabel="predicted probability", ylabel="patients")
