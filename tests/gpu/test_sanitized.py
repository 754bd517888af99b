"""What compute-sanitizer runs, which is slow: a few kernels of each kind of operation.

The results are compared, as everywhere. Tests of `elementwise` in their names have no shared
memory; those of `blocks` have, and several blocks and tiles.
"""

import numpy as np
import pytest
from agreement import numbers
from strategies import random_array

import corepy
from corepy import nn

#: A dtype of each size, bool, and a complex one.
DTYPES = ["bool", "int8", "int16", "float32", "int64", "complex128"]
LAYOUTS = {
    "contiguous": lambda x: x,
    "unaligned": lambda x: x[1:],
    "boxes of 2 axes": lambda x: x[2:, 1:],
    "boxes of 3 axes": lambda x: corepy.reshape(x, (8, 9, 10))[1:, 2:, 3:],
    "boxes of 6 axes": lambda x: corepy.reshape(x, (2, 4, 3, 3, 2, 5))[:, 1:, :, 1:, :, 2:],
    "transposed": lambda x: x.T,
    "reversed": lambda x: x[::-1, ::-2],
    "broadcast": lambda x: corepy.broadcast_to(x[:, :1], (72, 10)),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_elementwise_kernels(agree, layout):
    view = LAYOUTS[layout]
    for dtype in DTYPES:
        x = numbers(dtype, 72, 10, seed=1)
        agree("astype", x, np.dtype("float32" if dtype == "int8" else dtype), view=view, copy=True)
        agree("where", x == x[0], x, x, view=view)
        if dtype == "bool":
            agree("logical_not", x, view=view)
            continue
        agree("add", x, numbers(dtype, 72, 10), view=view)
        agree("subtract", x, 1, view=view)
        agree("equal", x, numbers(dtype, 72, 10), view=view)
        if dtype != "complex128":
            agree("clip", x, 3, 40, view=view)


@pytest.mark.parametrize("dtype", ["int8", "float32", "float64", "complex128"])
def test_reductions_of_blocks(agree, dtype):
    for name in ("sum", "max", "any", "argmin", "var"):
        if dtype == "complex128" and name in ("max", "argmin"):
            continue
        if name == "var" and dtype == "int8":
            continue
        for shape, axis in [
            ((40000,), None), ((3, 9000), 1), ((9000, 3), 0), ((600, 40), 0), ((40, 600), 1),
            ((40, 30), 1), ((60, 5), 1), ((5, 60, 7), 1),
        ]:  # fmt: skip
            agree(name, numbers(dtype, *shape), axis=axis, ulp=16)


@pytest.mark.parametrize("dtype", ["int16", "float32", "complex64"])
def test_scans_of_blocks(agree, dtype):
    for name in ("cumulative_sum", "cumulative_prod"):
        for shape, axis in [((170_000,), 0), ((2, 20_000), 1), ((300, 40), 1), ((300, 70), 0)]:
            x = numbers(dtype, *shape, limit=2) if np.dtype(dtype).kind == "i" else random_array(
                dtype, shape, 3, near_one=True
            )  # fmt: skip
            agree(name, x, axis=axis, error=40_000, signs=False)
            agree(name, x, axis=axis, include_initial=True, error=40_000, signs=False)


@pytest.mark.parametrize("dtype", DTYPES)
def test_selections_of_blocks(agree_at_once, dtype):
    rng = np.random.default_rng(3)
    x, mask = numbers(dtype, 300, 100), rng.random((300, 100)) < 0.4

    def write(xp, x, m, values):
        x[m] = values
        return x

    agree_at_once(lambda xp, x, m: x[m], x, mask)
    agree_at_once(lambda xp, x, m: x.T[m.T], x, mask)
    agree_at_once(write, x, mask, numbers(dtype, int(mask.sum()), seed=1))
    agree_at_once(write, x, mask, x[0, 0])
    agree_at_once("nonzero", np.where(mask, x, 0).astype(dtype))
    agree_at_once("take", x, rng.integers(-100, 100, 500), axis=1)
    agree_at_once("take", x, np.array([0, 300]), axis=0)  # out of range
    agree_at_once(write, x, rng.integers(-300, 300, 40), x[:40])


@pytest.mark.parametrize("dtype", ["int16", "int64"])
def test_products_and_copies_of_blocks(agree, dtype):
    x = numbers(dtype, 130, 70)
    agree("matmul", x, numbers(dtype, 70, 90))
    agree("matmul", x[0], x[1])
    agree("reshape", x, (-1,), view=lambda x: x.T)
    agree("triu", x)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_networks_of_blocks(agree_at_once, dtype):
    for shape in ((9, 40), (9, 41), (2, 5000), (2, 9001)):
        x = random_array(dtype, shape, 3)
        agree_at_once(lambda xp, x: nn.softmax(x), x, ulp=64)
        agree_at_once(lambda xp, x, w: nn.layer_norm(x, w, w), x, x[0], error=64)
    matrix = numbers("int8", 30, 100)
    agree_at_once(
        lambda xp, q, s, x: nn.QuantizedMatrix.from_groups(q, s) @ x,
        matrix, random_array("float32", (30, 4), 1), random_array("float32", (100,), 2), error=1e6,
    )  # fmt: skip
