"""Deferred operations on a GPU: one kernel for each group, which computes what single ones do."""

from __future__ import annotations

import contextlib
import gc
import sys

import numpy as np
import pytest
from agreement import to_numpy
from elementwise import BINARY, UNARY, accepts
from strategies import DTYPE_NAMES, special_values

import corepy
import corepy.array_api as cpu
from corepy._cython.lazy import recorder
from corepy.lazy import is_deferred, last_plan

REAL = [name for name in DTYPE_NAMES if not name.startswith("complex")]


@contextlib.contextmanager
def fuse():
    """A block in which all is deferred that can be."""
    with corepy.config(fusion_threshold=0), corepy.fuse():
        yield


@pytest.fixture(autouse=True)
def defaults():
    """Defer in blocks alone, whatever the environment says."""
    with corepy.config(fusion=False):
        yield


def bits(x):
    """The elements as unsigned integers, in which all NaN are alike."""
    x = np.array(to_numpy(x), order="C").reshape(-1, 1)
    if x.dtype.kind in "fc":
        x = x.view(x.real.dtype)
        x[np.isnan(x)] = np.nan
    return x.view(f"u{x.dtype.itemsize}")


def assert_same(found, expected, text=""):
    """Elements, dtype, shape, strides and device are the same."""
    layouts = [(x.dtype, x.shape, x.strides, x.device) for x in (found, expected)]
    assert layouts[0] == layouts[1], text
    one, other = bits(found), bits(expected)
    assert np.array_equal(one, other), f"{text}: {found} and {expected}"


@pytest.fixture
def agree_fused(gpu, gathering):
    """Call it with a function of the namespace: its results are the same fused as at once.

    They are compared after the test, so that kernels are compiled together.
    """
    calls = []
    yield calls.append
    with gathering():
        for call in calls:
            call(gpu)
            with fuse():
                call(gpu)
    for call in calls:
        expected = call(gpu)
        with fuse():
            found = call(gpu)
            assert any(map(is_deferred, found))
        for number, (one, other) in enumerate(zip(found, expected, strict=True)):
            assert_same(one, other, f"result {number}")


def values(xp, dtype, seed=0, shape=(70,)):
    """A tensor of special values and others."""
    special = np.asarray(special_values(dtype)).ravel()
    chosen = np.random.default_rng(seed).choice(special, shape)
    return xp.asarray(np.asarray(chosen, dtype=dtype))


# ---- results


@pytest.mark.parametrize("dtype", DTYPE_NAMES)
def test_each_operation_after_another(agree_fused, dtype):
    def compute(xp):
        x, y, where = values(xp, dtype), values(xp, dtype, 1), values(xp, "bool", 2)
        a, b = xp.where(where, x, y), xp.where(where, y, x)
        found = [getattr(xp, name)(a) for name in UNARY if accepts(name, dtype)]
        for name in BINARY:
            if accepts(name, dtype) and not (name == "pow" and dtype[0] in "iu"):
                other = b if "shift" not in name else 3
                found.append(getattr(xp, name)(a, other))
        found += [xp.astype(a, other) for other in DTYPE_NAMES
                  if other.startswith("complex") or not dtype.startswith("complex")]  # fmt: skip
        if dtype != "bool" and not dtype.startswith("complex"):
            found += [xp.clip(a, 1, b), xp.clip(a, None, 2), xp.clip(a, y, None)]
        return found

    agree_fused(compute)


def test_operands_of_several_dtypes(agree_fused):
    def compute(xp):
        x = {dtype: values(xp, dtype, k) for k, dtype in enumerate(DTYPE_NAMES)}
        less = xp.less(x["int64"] + 0, x["uint64"] + 0)  # compared as integers
        mixed = (x["int8"] + x["uint16"]) * x["float32"] - x["float64"]
        return [
            less, mixed, xp.where(less, mixed, 1), x["complex64"] * mixed + x["bool"],
            xp.equal(x["uint64"] + 0, -1), x["int8"] ** 2 + x["int8"] ** 3, x["float32"] ** 0.5 + 1,
            3 ** (x["float64"] + 0), x["uint8"] + 1 > 300,
        ]  # fmt: skip

    agree_fused(compute)


LAYOUTS = {
    "contiguous": lambda x: x,
    "not aligned": lambda x: x[1:],
    "rows": lambda x: x[:, :4],
    "reversed": lambda x: x[::-1, ::-1],
    "transposed": lambda x: x.T,
    "every second": lambda x: x[::2, ::2],
    "one row": lambda x: x[:1],
    "one column": lambda x: x[:, :1],
    "one element": lambda x: x[:1, :1],
    "no elements": lambda x: x[:0],
    "more axes": lambda x: x[:6, None, :6, None],
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_layouts(agree_fused, name):
    for dtype in ("float64", "int8"):

        def compute(xp, dtype=dtype):
            x = LAYOUTS[name](xp.reshape(xp.arange(144, dtype=dtype), (12, 12)))
            y = x * 2 + 1
            rows, columns = x[:1] + 1, x[..., :1] * 3
            z = y + rows - columns
            return [y, z, y.T + x.T, (z + 0)[::-1], xp.astype(y, "float32") + y]

        agree_fused(compute)


def test_more_axes_and_mixed_orders(agree_fused):
    def compute(xp):
        x = xp.reshape(xp.arange(720, dtype="float32"), (2, 3, 4, 5, 6))
        y = xp.permute_dims(x + 1, (4, 3, 2, 1, 0))
        z = xp.permute_dims(xp.reshape(x, (6, 5, 4, 3, 2)), (0, 1, 2, 3, 4))
        return [y * 2 + z, y[::2, :, 1:] + z[::2, :, 1:] * y[::2, :, 1:], xp.flip(z * 2) + y]

    agree_fused(compute)


@pytest.mark.parametrize("name", ["sum", "prod", "max", "min", "mean", "var", "std", "any", "all",
                                  "argmax", "argmin", "count_nonzero"])  # fmt: skip
def test_reductions(agree_fused, name):
    def compute(xp):
        x = xp.reshape(xp.arange(1200, dtype="float32") % 17 - 8, (30, 40))
        reduce = getattr(xp, name)
        y = x * 0.5 + 1
        found = [reduce(y), reduce(y, axis=0), reduce(y.T, axis=0), reduce(y[::2], axis=1)]
        if name in ("sum", "prod"):
            found += [reduce(x, dtype=xp.float64), reduce(y, dtype=xp.float64, axis=1)]
        if name in ("var", "std"):
            found.append(reduce(y, axis=1, correction=1, keepdims=True) + y)
        if not name.startswith("arg"):
            z = xp.reshape(x, (5, 6, 40)) + 1
            found += [reduce(z, axis=(0, 2), keepdims=True), reduce(z, axis=1) * 2]
        found.append(reduce(xp.astype(x, "int16") * 3, axis=1, keepdims=True) + x)
        return found

    agree_fused(compute)


def test_softmax_of_rows(agree_fused):
    def softmax(xp):
        x = xp.reshape(xp.arange(1200, dtype="float64") % 17 - 8, (30, 40))
        e = xp.exp(x - xp.max(x, axis=-1, keepdims=True))
        return [e / xp.sum(e, axis=-1, keepdims=True)]

    agree_fused(softmax)


def test_more_operations_and_operands_than_a_kernel_takes(agree_fused):
    def compute(xp):
        tensors = [xp.arange(100.0) + k for k in range(45)]
        total = tensors[0] + 1
        for x in tensors[1:]:
            total = total + x
        steps = tensors[0] + 0
        for k in range(150):
            steps = steps * 0.5 + k
        return [total, steps, *[x * 2 for x in tensors]]

    agree_fused(compute)


# ---- kernels


@pytest.fixture
def compiled(gpu, monkeypatch):
    """The classes of kernels that are asked for from here on."""
    runtime = gpu.__array_namespace_info__().default_device().backend.runtime
    kernel, found = runtime.kernel, []

    def noted(expression, device):
        found.append(expression)
        return kernel(expression, device)

    monkeypatch.setattr(runtime, "kernel", noted)
    return found


def test_one_kernel_for_a_structure(gpu, compiled):
    def compute(n, constant, other):
        x, y = gpu.arange(float(n)), gpu.ones(n)
        before = len(compiled)
        with fuse():
            z = (x + constant) * y - other * x
        assert_same(z, (x + constant) * y - other * x)
        return [name for name in compiled[before:] if "fusion" in name]

    assert len(compute(100, 1.5, 2.0)) == 1
    assert compute(6000, 1.5, 2.0) == []
    assert compute(260, 2.5, 2.5) == []  # equal constants are two operands


def test_inner_values_are_not_stored(gpu):
    x = gpu.arange(100.0)
    with fuse():
        y = gpu.sin(x * 2) + 1
        explained = corepy.explain(y)
    for plan in (explained, last_plan()):
        (group,) = plan.groups
        assert (group.block_elements, group.in_registers) == (0, 3)
        assert [operation.stored for operation in group.operations] == [False, False, True]
        assert [source.nbytes for source in group.inputs] == [800]
    assert "in one kernel of 3 operations" in str(plan)


def test_reductions_compute_their_elements(gpu):
    x = gpu.reshape(gpu.arange(1200.0), (30, 40))
    with fuse():
        total = gpu.sum((x * 2 + 1).T[::3], axis=0)
        (group,) = corepy.explain(total).groups
        corepy.compute(total)
        assert last_plan().groups == (group,)
    assert (group.shape, group.in_registers, group.ended) == ((30, 40), 3, "a reduction")
    assert [operation.stored for operation in group.operations] == [False, False, True]
    assert_same(total, gpu.sum((x * 2 + 1).T[::3], axis=0))


def test_elements_of_long_computations_are_stored_for_reductions(gpu):
    x = gpu.arange(100.0)
    with fuse():
        y = x
        for k in range(9):
            y = y * 0.5 + k
        total = gpu.sum(y)
        del y
        first, second = corepy.explain(total).groups
        corepy.compute(total)
    assert (first.in_registers, first.ended) == (18, "a reduction")
    assert (second.in_registers, second.operations[0].name) == (0, "sum")


def test_values_that_two_reductions_take(gpu):
    x = gpu.arange(100.0)
    with fuse():
        y = x * 2 + 1
        found = [gpu.sum(y), gpu.max(y)]
        corepy.compute(*found)
        assert [group.in_registers for group in last_plan().groups] == [2, 0, 0]  # `y` is stored
        z = x * 3 + 1
        found += [gpu.sum(z), gpu.max(z)]
        del z
        corepy.compute(*found)
        assert [group.in_registers for group in last_plan().groups] == [3, 3]
        z = x * 4 + 1
        found += [gpu.sum(z), gpu.max(z), gpu.min(z)]
        del z
        corepy.compute(*found)
        assert [group.in_registers for group in last_plan().groups] == [2, 0, 0, 0]
    values = [10000.0, 199.0, 14950.0, 298.0, 19900.0, 397.0, 1.0]
    assert [float(value) for value in found] == values


# ---- when things compute


def test_deferred_tensors_are_on_their_device(gpu):
    x = gpu.reshape(gpu.arange(12.0), (3, 4))
    with fuse():
        y = (x + 1).T
        assert is_deferred(y)
        assert (y.device, y.shape, y.strides) == (x.device, (4, 3), (8, 32))
        assert gpu.zeros_like(y).device == x.device
        assert (y + [1, 2, 3]).device == x.device
        assert gpu.asarray(y, device=y.device) is y
        assert is_deferred(y)
        assert y.__dlpack_device__() == x.__dlpack_device__()
    assert y.to_device("cpu").device == "cpu"


def test_other_operations_compute_what_they_take(gpu):
    x = gpu.arange(10.0)
    with fuse():
        y = x * -2
        assert not is_deferred(gpu.sort(y))
        assert not is_deferred(y)
        z = gpu.matmul(x + 1, x - 1)
        total = gpu.cumulative_sum(x + 1)
        assert (x + 1)[gpu.asarray([1, 3])].device == x.device
        assert float((x + 1)[3]) == 4
    assert float(z) == np.sum(np.arange(10.0) ** 2 - 1)
    assert float(total[-1]) == 55


def test_writes_compute_what_reads_before(gpu):
    x = gpu.arange(100.0)
    with fuse():
        first = x + 1
        x[0] = 50
        assert not is_deferred(first)
        second = x[1:] * 2
        x += 1
        assert not is_deferred(second)
        third = x * 3
        x[x > 90] = 0.0
        assert not is_deferred(third)
        fourth = x * 4
        x[gpu.asarray([0, 1])] = 7.0
    expected = np.arange(100.0)
    assert_same(first, gpu.asarray(expected + 1))
    expected[0] = 50
    assert_same(second, gpu.asarray(expected[1:] * 2))
    expected += 1
    assert_same(third, gpu.asarray(expected * 3))
    expected[expected > 90] = 0
    assert_same(fourth, gpu.asarray(expected * 4))


def test_assigned_expressions_are_computed_there(gpu):
    x, y = gpu.arange(100.0), gpu.ones(100)
    with fuse():
        x[10:20] = y[:10] * 3 + 1
        assert [group.in_registers for group in last_plan().groups] == [2]
        x += y * 2
        assert [group.in_registers for group in last_plan().groups] == [2]
        x[::-1][:5] = y[:5] - 3
        kept = y * 5
        x -= kept
    expected = np.arange(100.0)
    expected[10:20] = 4
    expected += 2
    expected[-5:] = -2
    assert_same(x, gpu.asarray(expected - 5))
    assert_same(kept, gpu.asarray(np.full(100, 5.0)))


def test_writes_to_deferred_tensors(gpu):
    x = gpu.arange(100.0)
    with fuse():
        y = x + 1
        y += 2
        z = y * 2
        y[5] = 0
        other = z[::2]
        z *= 3
    expected = np.arange(100.0) + 3
    doubled = expected * 2
    expected[5] = 0
    assert_same(y, gpu.asarray(expected))
    assert_same(z, gpu.asarray(doubled * 3))
    assert_same(other, gpu.asarray(doubled * 3)[::2])


def test_memory_that_others_can_write_to_is_read_at_once(gpu):
    backend = gpu.__array_namespace_info__().default_device().backend
    x = gpu.arange(100.0)
    with fuse():
        y = x + 1
        native = backend.unwrap(x)
        assert not is_deferred(y)
        assert not is_deferred(x + 1)
        native[0] = 70
        again = backend.wrap(native)
        assert not is_deferred(again * 2)
        del native
        gc.collect()
        z = x + 2  # nobody else has the memory
        assert is_deferred(z)
        again[1] = 80  # it is the memory of `x`
        assert not is_deferred(z)
        w = x[0] + x[1]
    assert float(z[0]) == 72
    assert float(z[1]) == 3
    assert float(w) == 150


def test_memory_that_others_promise_not_to_write_to(gpu, caplog):
    device = gpu.__array_namespace_info__().default_device()
    x = gpu.arange(100.0)
    native = device.backend.unwrap(x)
    shared = device.backend.wrap(native)
    recorder.logged.discard(device)
    with fuse(), caplog.at_level("INFO", "corepy"):
        y = shared * 2
        assert not is_deferred(y)
        assert "multiply was computed at once" in str(corepy.explain(y))
        assert f"operand 1, float64 (100,) on {device}" in str(corepy.explain(y))
        assert not is_deferred(gpu.sum(shared))
        assert is_deferred(gpu.asarray(shared, copy=True) * 2)
        with corepy.config(shared_memory="constant"):
            z, total = shared * 2 + 1, gpu.sum(shared * 2)
            assert is_deferred(z)
            assert is_deferred(total)
            assert not is_deferred(gpu.asarray(shared, copy=True))
    (record,) = caplog.records  # once
    assert record.getMessage().startswith(f"{device}: multiply was computed at once: ")
    assert "copy=True" in record.getMessage()
    assert_same(z, y + 1)
    assert_same(total, gpu.sum(y))


def test_capsules_keep_memory_from_being_read_later(gpu):
    x = gpu.arange(100.0)
    with fuse():
        y = x + 1
        capsule = x.__dlpack__()
        assert not is_deferred(y)
        assert not is_deferred(x + 1)
        del capsule
        assert is_deferred(x + 1)


def test_results_of_the_library_are_operands(gpu):
    x = gpu.asarray([3.0, 1.0, 2.0])
    with fuse():
        y = gpu.sort(x)
        z = y * 2
        assert is_deferred(z)
        y[0] = 50
    assert_same(z, gpu.asarray([2.0, 4.0, 6.0]))


def test_operands_on_other_devices_are_errors_at_once(gpu):
    x, y = gpu.arange(10.0), cpu.arange(10.0)
    calls = [
        lambda a, b: a + b,
        lambda a, b: b * a,
        lambda a, b: cpu.where(a > 1, a, b),
        lambda a, b: cpu.where(b > 1, a, a),
        lambda a, b: cpu.clip(a, b, None),
        lambda a, b: cpu.matmul(a, b),
        lambda a, b: a.__iadd__(b),
        lambda a, b: b.__iadd__(a),
        lambda a, b: b.__setitem__(slice(None), a),
        lambda a, b: cpu.concat([a, b]),
    ]

    def error(call, a, b):
        with pytest.raises(ValueError, match="different devices") as found:
            call(a, b)
        return str(found.value)

    for call in calls:
        expected = error(call, x * 1, y * 1)
        with fuse():
            assert error(call, x * 1, y * 1) == expected
            assert error(call, x, y * 1) == expected
            assert error(call, x * 1, y) == expected


def test_operands_on_other_devices_are_moved_if_they_may_be(gpu):
    x, y = gpu.arange(10.0), cpu.arange(10.0)
    with corepy.config(cross_device="convert"), fuse():
        for a, b in [(x * 1, y * 1), (x, y * 1), (x * 1, y)]:
            assert_same(a + b, x + x)
            assert_same(b + a, y + y)
            assert_same(cpu.where(a > 3, b, a), x)


def test_groups_of_two_devices_are_apart(gpu):
    x, y = gpu.arange(100.0), cpu.arange(100.0)
    with fuse():
        a, b = (x + 1) * 2, (y + 1) * 2
        corepy.compute(a, b)
        assert [group.block_elements for group in last_plan().groups].count(0) == 1
    assert_same(a.to_device("cpu"), b)


def test_errors_of_integer_powers(gpu):
    x = gpu.arange(10)
    with fuse():
        with pytest.raises(ValueError, match="negative"):
            (x + 1) ** -1
        with pytest.raises(ValueError, match="negative"):
            (x + 1) ** (x - 5)
        assert int(((x + 1) ** (x + 1))[2]) == 27


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="garbage is collected at other moments")
def test_finalizers_do_not_wait_for_their_own_thread(gpu, monkeypatch):
    """What they read of the nodes that their thread is computing is an error."""
    x, raised = gpu.asarray(np.arange(100.0)), []
    monkeypatch.setattr(sys, "unraisablehook", lambda given: raised.append(given.exc_value))

    class Cycle:
        def __init__(self, y):
            self.me, self.y = self, y

        def __del__(self):
            self.y.tolist()

    before = gc.get_threshold()
    gc.set_threshold(1)
    try:
        with fuse():
            for _ in range(20):
                y = x * 2 + 1
                Cycle(y)
                assert to_numpy(y).tolist() == list(range(1, 201, 2))
    finally:
        gc.set_threshold(*before)
    gc.collect()
    assert raised
    assert {str(error)[:42] for error in raised} == {"compute: a tensor was read that the same t"}
