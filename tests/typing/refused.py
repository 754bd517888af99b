"""Wrong uses: type checkers refuse each line of the function."""

import corepy as np
from corepy import ndarray


def wrong(a: ndarray) -> None:
    np.sum("text", axis="x")
    np.sum("text")
    np.sum(a, axis="x")
    np.zeros(3).nonexistent
    np.nonexistent
    np.linalg.nonexistent(a)
    np.random.nonexistent
    np.testing.assert_alclose(a, a)
    np.zeros("3")
    np.zeros(3, unknown=1)
    np.sin()
    np.sin(a, a, a)
    np.sin("text")
    np.add(a)
    np.add.nonexistent
    np.reshape(a, "shape")
    np.linspace(0)
    np.concatenate()
    np.where(a, a)
    np.einsum("ij", a).nonexistent
    np.array([1]) + "text"
    np.arange(3)["text"]
    np.arange(3).reshape("text")
    np.arange(3).sum(axis="x")
    np.arange(3).sum(keepdims="yes")
    np.mean(a, keepdims="yes")
    np.allclose(a, a).sum()
    np.random.default_rng(0).normal(size="3")
    np.random.default_rng(0).nonexistent()
    np.linalg.inv("text")
    np.linalg.svd(a).nonexistent
    a.T()
    a.shape = "text"
    del a[0]
    np.config(nonexistent=1)
    np.set_num_threads("2")
    count: int = np.sum(a)
