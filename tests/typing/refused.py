"""Wrong uses: type checkers refuse each line of the function."""

import corepy as np
import corepy.array_api as xp
from corepy import Tensor, ndarray, nn
from corepy.typing import NDArray


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
    np.random.default_rng("text")
    np.random.default_rng(0).standard_exponential(method="nope")
    np.random.default_rng(0).permuted(a, 0)
    np.random.rand("2")
    np.random.normal(size="3")
    drawn: NDArray[np.float32] = np.random.default_rng(0).normal(size=3)
    np.linalg.inv("text")
    np.linalg.svd(a).nonexistent
    a.T()
    a.shape = "text"
    del a[0]
    np.config(nonexistent=1)
    np.set_num_threads("2")
    count: int = np.sum(np.zeros(3))
    # Types that are inferred.
    columns: NDArray[np.int64] = np.zeros(3)
    halves: NDArray[np.float16] = np.zeros(3, dtype=np.float32) * 2
    flags: NDArray[np.bool] = np.arange(3) + 1
    number: str = np.zeros(3).item()
    numbers: list[str] = np.zeros(3).tolist()
    rows, others = np.zeros(3).shape
    np.zeros((2, 3)).dtype.nonexistent
    np.zeros(3).astype(np.int8).item().nonexistent
    np.float33
    np.zeros(3, dtpye=np.float32)
    np.zeros(3).to_device(3)
    np.zeros(3).device.nonexistent
    # Settings.
    np.config(fallback="nope")
    np.config(cross_device="nope")
    np.set_config(check_indices="nope")
    np.set_config(shared_memory=1)
    np.config(fusion="yes")
    np.config(fusion_threshold="never")
    # The standard's namespaces, and neural networks.
    xp.flaot32
    xp.zeros(3, dtpye=xp.float32)
    xp.zeros(3, xp.float32)
    xp.sum(xp.zeros(3), axes=0)
    xp.add(xp.zeros(3))
    xp.sin("text")
    xp.reshape(xp.zeros(3), "text")
    np.namespace("cpu").flaot32
    np.namespace("cpu").zeros(3, dtpye=xp.float32)
    np.namespace("cpu").linalg.nonexistent
    np.namespace("cpu").sum(xp.zeros(3), axes=0)
    xp.zeros(3).__array_namespace__().sin("text")
    whole: Tensor[tuple[int], np.dtype[np.int64]] = xp.zeros(3)
    nn.nonexistent
    nn.softmax(xp.zeros(3), axis="x")
    nn.gelu(xp.zeros(3), approximate="nope")
    np.namespace(3)
