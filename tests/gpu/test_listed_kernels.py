"""The kernels of tests that only a GPU runs are in the list of `make gpu-check`, too.

Those of all other tests come into the list when these run on the host.
"""

from pathlib import Path

import pytest
from running import known_module_from, module_from

import corepy

HERE = Path(__file__).parent
recorded = known_module_from(HERE / "host" / "recording.py").recorded


def calls():
    """Generate the calls of test_large.py."""
    large = module_from(HERE / "test_large.py")

    def on_zeros(name, shape, dtype, **keywords):
        return lambda xp: getattr(xp, name)(xp.zeros(shape, dtype=dtype), **keywords)

    for n in large.SIZES:
        for dtype in ("int8", "int32", "int64", "uint64"):
            for initial in (False, True):
                yield on_zeros("cumulative_sum", n, dtype, include_initial=initial)
        for dtype in ("int8", "float32", "float64"):
            for name in ("sum", "max", "min", "argmax", "argmin", "count_nonzero"):
                yield on_zeros(name, n, dtype)
            if dtype != "int8":
                yield on_zeros("var", n, dtype)
        yield lambda xp, n=n: xp.zeros(n, dtype="int32")[xp.zeros(n, dtype="bool")]
        yield on_zeros("nonzero", n, "bool")
    for dtype in ("float32", "float64", "complex64", "complex128"):
        yield on_zeros("cumulative_sum", 20_000_003, dtype)
    yield on_zeros("cumulative_prod", 5_000_000, "float64")
    yield on_zeros("cumulative_sum", (3, 2_000_001), "int64", axis=1)
    yield on_zeros("cumulative_sum", (2_000_001, 3), "int64", axis=0)
    for shape in ((5000, 1001), (1001, 5000), (3, 2_000_000), (2_000_000, 3)):
        for axis in (0, 1, (0, 1)):
            yield on_zeros("sum", shape, "float32", axis=axis)
            yield on_zeros("max", shape, "float32", axis=axis)


@pytest.fixture(scope="module")
def expressions():
    with corepy.config(fusion=False):
        found = recorded(calls())
    assert len(found) > 40
    return found


def test_kernels_of_large_arrays_are_listed(expressions):
    listed = module_from(HERE.parents[1] / "tools" / "gpu_kernels.py").known()
    assert not set(expressions) - set(listed)


@pytest.mark.slow
def test_kernels_of_large_arrays_compile_for_the_host(backend, expressions):
    """Which is how `tools/gpu_kernels.py --record` finds them."""
    backend.runtime.prepare(expressions)
    assert all(backend.runtime._places[each].entry for each in expressions)
