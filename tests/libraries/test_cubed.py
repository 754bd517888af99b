"""Cubed computes with tensors where `CUBED_BACKEND_ARRAY_API_MODULE` names Corepy."""

import pytest
from running import output_of

pytest.importorskip("cubed")

PROGRAM = """
import os
os.environ["CUBED_BACKEND_ARRAY_API_MODULE"] = "corepy.array_api"
import numpy
import {modules}
import cubed.array_api as xp

kinds = set()
def double(block):
    kinds.add(type(block))
    return block * 2

values = numpy.arange(24.0).reshape(4, 6)
x = xp.asarray(values, chunks=(2, 3))
for result, expected in (
    (x + xp.sin(x), values + numpy.sin(values)),
    (xp.sum(x, axis=0), values.sum(0)),
    (xp.mean(x), values.mean()),
    (xp.var(x, axis=1), values.var(1)),
    (xp.argmax(x, axis=1), values.argmax(1)),
    (xp.cumulative_sum(x, axis=0), values.cumsum(0)),
    (x @ x.T, values @ values.T),
    (x[1:, ::2], values[1:, ::2]),
    (xp.concat([x, x]), numpy.vstack([values, values])),
    (xp.permute_dims(x, (1, 0)), values.T),
    (cubed.nanmean(x), values.mean()),
    (x.rechunk((4, 2)), values),
    (cubed.map_blocks(double, x, dtype=x.dtype), values * 2),
):
    numpy.testing.assert_allclose(numpy.asarray(result.compute()), expected, strict=True)
print(kinds == {corepy.Tensor})
"""


@pytest.mark.parametrize("modules", ["corepy, cubed", "cubed, corepy"])
def test_results_are_as_in_numpy_and_blocks_are_tensors(modules):
    assert output_of(PROGRAM.replace("{modules}", modules)).strip() == "True"
