"""What computes each operation on ``opencl:0`` and ``webgpu:0``, and the table of it."""

from pathlib import Path

import numpy as np
import pytest
from running import known_module_from

import corepy
from corepy._cython import core
from corepy.backend import get_backend
from corepy.backend._nested import leaves
from corepy.testing._checks.drawing import Drawing
from corepy.testing._checks.rows import ROWS, accepted

ROOT = Path(__file__).parents[2]
TOOL = ROOT / "tools" / "operations_by_device.py"
CALLS = {"repeat": 12}  # enough for both an integer and an array of repeats

pytestmark = pytest.mark.skipif(
    not (ROOT / "setup.py").exists(), reason="the tool reads the source tree"
)


@pytest.fixture(scope="module")
def tool():
    return known_module_from(TOOL)


def test_the_table_is_current(tool):
    assert tool.main(["--check"]) == 0


def test_every_operation_is_of_one_kind(tool):
    for kinds in (tool.kernels(), tool.cuda()):
        names = [name for found in (tool.VIEWS, tool.COMPOSED, *kinds.values()) for name in found]
        assert len(names) == len({*names})
        # The table leaves out second names, which CUDA's backend is not asked for.
        assert {*tool.NAMES} - {*names} <= {f"linalg.{name}" for name in names}


def test_elementwise_operations_have_kernels(tool):
    elementwise = {row.name for row in ROWS if row.work in ("unary", "binary", "ternary")}
    assert not elementwise & tool.kernels()["fallback"]


def calls_of(row, dtype, native):
    """Return calls with arrays of a dtype, all of whose dtypes the device has."""
    for call in Drawing(0).calls(row, CALLS.get(row.name, 2)):
        values = [*leaves((call.inputs, call.params))]
        dtypes = {x.dtype for x in call.arrays} | {x for x in values if isinstance(x, np.dtype)}
        if dtype in dtypes and dtypes <= native:
            yield call


def falls_back(call, device):
    inputs, params = call.on(device)
    try:
        with corepy.config(fallback="error"):
            if call.arrays:
                core.execute(call.name, inputs, params)
            else:
                core.create(call.name, device, inputs, params)
    except NotImplementedError:
        return True
    return False


@pytest.mark.parametrize(
    ("name", "dtype"), [("opencl", "float32"), ("opencl", "float64"), ("webgpu", "float32")]
)
def test_operations_that_fall_back(tool, name, dtype):
    backend = get_backend(name)
    if reason := backend.missing():
        pytest.skip(reason)
    device = backend.devices()[0]
    native = {*backend.native_dtypes(device)}
    if not {np.dtype(dtype), np.dtype("int64")} <= native:
        pytest.skip(f"{device} lacks {dtype} or int64")
    outcomes = {}
    for row in ROWS:
        of = np.dtype(dtype if "f" in accepted(row) else "int32")
        outcomes[row.name] = {falls_back(call, device) for call in calls_of(row, of, native)}
    assert [each for each, found in outcomes.items() if not found] == []
    falling = {each for each, found in outcomes.items() if found == {True}}
    assert falling == tool.kernels()["fallback"]
    assert {each for each, found in outcomes.items() if len(found) == 2} == {"repeat"}


@pytest.mark.parametrize("name", ["opencl", "webgpu"])
def test_indices_that_fall_back_say_so(name, monkeypatch):
    backend = get_backend(name)
    if reason := backend.missing():
        pytest.skip(reason)

    def too_large(*args):
        raise NotImplementedError("an array is larger than a kernel of the device can read")

    device = backend.devices()[0]
    x = corepy.array_api.asarray(np.arange(6, dtype="float32"), device=device)
    index = corepy.array_api.asarray(np.asarray([4, 1], dtype="int32"), device=device)
    monkeypatch.setattr(type(backend.launcher(device)), "gather", too_large)
    monkeypatch.setattr("corepy.backend.execution._warned", set())
    with corepy.config(fallback="error"), pytest.raises(NotImplementedError, match="larger"):
        x[index]
    with pytest.warns(RuntimeWarning, match="computed by backend 'cpu'"):
        found = x[index]
    assert found.device == device
    np.testing.assert_array_equal(np.asarray(found.to_device("cpu")), [4, 1])
    x[index]  # without another warning
