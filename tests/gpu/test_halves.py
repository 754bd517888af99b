"""float16 and bfloat16 on the GPU backend: what the CPU gives, to one unit in the last place."""

import numpy as np
import pytest
from strategies import HALVES
from test_halves import (
    ALL,
    FUNCTIONS,
    all_values,
    assert_rounded,
    bits,
    devices_agree,
    on_devices,
    same_functions,
    table,
)

import corepy
import corepy.array_api as xp
from corepy._cython.core import kind_of

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


@pytest.fixture(params=HALVES, ids=str)
def dtype(request):
    return request.param


@pytest.fixture
def device(gpu):
    return str(gpu.__array_namespace_info__().default_device())


def test_elementwise_and_reductions(gathering, device, dtype):
    names = [*table("unary"), *table("binary"), *table("reduce")]
    with gathering():
        for name in names:
            on_devices(name, dtype, device)
    for name in names:
        devices_agree(name, dtype, device)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(name, device, dtype):
    same_functions(name, dtype, device)


@pytest.mark.parametrize("name", ["cumulative_sum", "cumulative_prod"])
def test_scans(name, device, dtype):
    data = (1 + np.random.default_rng(6).standard_normal((40, 50)) * 0.1).astype(dtype)
    for axis in (0, 1):
        found, wide = (
            getattr(xp, name)(xp.asarray(x, device=device), axis=axis).to_device("cpu")
            for x in (data, data.astype("f4"))
        )
        assert_rounded(found, wide, dtype)


def test_sums_of_thousands(device, dtype):
    x = xp.ones(5000, dtype=dtype, device=device)
    expected = float(np.asarray(5000).astype(dtype))
    for found in (xp.sum(x), xp.cumulative_sum(x)[-1], xp.vecdot(x, x)):
        assert found.dtype == dtype
        assert float(found) == expected
    assert float(xp.sum(x, dtype=xp.float32)) == 5000
    assert float(xp.mean(x)) == 1.0


def test_casts(gathering, device, dtype):
    values = all_values(dtype)
    small = np.where(abs(values.astype(np.float64)) < 100, abs(values), 0).astype(dtype)

    def casts():
        for other in ALL:
            x = small if kind_of(other) in "iu" else values
            yield other, x, xp.astype(xp.asarray(x, device=device), other)
            if other.kind == "c":
                continue
            wide = x.astype(np.float64).astype(other)
            yield dtype, wide, xp.astype(xp.asarray(wide, device=device), dtype, copy=True)

    with gathering():
        list(casts())
    for other, x, found in casts():
        expected = x.astype(np.float64).astype(other)
        np.testing.assert_array_equal(bits(found.to_device("cpu")), bits(expected))


def test_views_and_writes(device, dtype):
    expected = np.arange(24).reshape(4, 6).astype(dtype)
    x = xp.asarray(expected, device=device, copy=True)
    expected[1:, ::2] = expected[:3, 1::2]
    x[1:, ::2] = xp.asarray(x[:3, 1::2], copy=True)
    expected[expected > 10] = 2.5
    x[x > 10] = 2.5
    assert_rounded(x.to_device("cpu"), expected, dtype)
    assert_rounded(x.T[:, 1].to_device("cpu"), expected.T[:, 1], dtype)
    assert float(x[0, 3]) == float(expected[0, 3])


def test_exchange(device, dtype):
    x = xp.asarray(np.arange(5).astype(dtype), device=device, copy=True)
    assert corepy.asarray(x).to_device("cpu").dtype == dtype
    twin = xp.from_dlpack(x)
    assert (twin.dtype, twin.device) == (dtype, x.device)
    assert_rounded(twin.to_device("cpu"), x.to_device("cpu"), dtype)


def test_deferred_operations_round_as_those_at_once(device, dtype):
    data = np.random.default_rng(11).standard_normal((3, 50, 60)).astype(dtype)

    def chain():
        x, y, z = (xp.asarray(a, device=device, copy=True) for a in data)
        scaled = (x * y + z) / 3
        return xp.sum(xp.sqrt(abs(scaled)), axis=1), scaled - xp.max(scaled)

    with corepy.config(fusion=False):
        expected = chain()
    with corepy.config(fusion_threshold=0), corepy.fuse():
        found = chain()
    for y, z in zip(found, expected, strict=True):
        assert_rounded(y.to_device("cpu"), z.to_device("cpu"), dtype)
