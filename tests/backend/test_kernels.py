"""``opencl:0`` and ``webgpu:0``: tests of results that GPUs have, too, and their own."""

import functools
import os
import threading
from pathlib import Path

import numpy as np
import pytest
from agreement import Agree, numbers, to_numpy
from kernel_languages import AVAILABLE, INSTALL, REASONS, skip_without
from running import known_module_from
from strategies import BEYOND, DTYPE_NAMES, read_operations, special_values

import corepy
import corepy.array_api as xp
from corepy.backend import best_available_backend, discover_backends, get_backend, registry

skip_without()

#: Tests of tests/gpu that are run here. Those left out are about CUDA's launches and memory, or
#: about sums that it computes in float64.
SHARED = {
    "test_elementwise": (
        "test_logaddexp_of_float32_next_to_its_zeros",
        "test_operations_that_the_standard_does_not_have",  # exact; test_operations_beyond here
        "test_powers_that_a_dtype_holds_are_exact",
        "test_quotients_rounded_down_are_exact",
        "test_boxes_and_masks_of_many_elements",
        "test_packs_and_tiles_of_many_elements",
        "test_elements_that_are_not_at_multiples_of_their_size",
    ),
    "test_movement": (),
    "test_reductions": (
        "test_blocks_and_alignment_do_not_matter",
        "test_float32_sums_do_not_overflow_on_the_way",
        "test_groups_of_groups_of_tiles",
        "test_products_come_back_to_the_range_of_numbers",
        "test_sums_are_accurate",
    ),
}


class Near(Agree):
    """`Agree` for functions of at least 4 units."""

    def __call__(self, call, *args, **keywords):
        super().__call__(call, *args, **{**keywords, "ulp": max(keywords.get("ulp", 0), 4)})


@pytest.fixture(scope="module", params=AVAILABLE)
def device(request):
    """The first device of a backend by kernels."""
    return f"{request.param}:0"


@pytest.mark.parametrize("name", INSTALL)
def test_drivers(name):
    if REASONS[name]:
        pytest.skip(f"{REASONS[name]}; {INSTALL[name]}")
    assert corepy.device(f"{name}:0") in get_backend(name).devices()


@pytest.fixture(autouse=True)
def _settings():
    with corepy.config(fallback="silent", check_results=True):
        yield


@pytest.fixture(scope="module")
def gpu(device):
    """The standard's namespace of a device."""
    return corepy.namespace(device)


@pytest.fixture
def agree(gpu):
    """Call it to compare a call on the device with the same one on the CPU."""
    return Near(gpu)


agree_at_once = agree

for _module, _left_out in SHARED.items():
    _tests = known_module_from(Path(__file__).parents[1] / "gpu" / f"{_module}.py")
    for _name in sorted(vars(_tests)):
        if _name in ("rng", "reduce") or (_name.startswith("test_") and _name not in _left_out):
            globals()[_name] = getattr(_tests, _name)


# ---- tests of these backends

UNARY_BEYOND = [name for name, shape, *_ in read_operations(standard=False) if shape == "unary"]


@pytest.mark.parametrize("name", sorted(vars(BEYOND)))
def test_operations_beyond(agree, name):
    for dtype in DTYPE_NAMES:
        if not dtype.startswith("complex"):
            values = special_values(dtype)
            if values.dtype.kind == "f":  # drivers lose subnormal numbers
                values = values[(values == 0) | (abs(values) >= np.finfo(dtype).tiny * 8)]
            operands = [grid.ravel() for grid in np.meshgrid(values, values)]
            operands = operands[: 1 if name in UNARY_BEYOND else 2]
            call = functools.partial(called, getattr(BEYOND, name))
            agree(call, *operands, signs=name not in ("fmax", "fmin"))


def called(function, _, *arrays):
    """Call a function that the standard's namespace does not have."""
    return function(*arrays)


@pytest.mark.parametrize("dtype", [*DTYPE_NAMES, "float16", "bfloat16"])
def test_every_dtype_is_held_moved_and_viewed(agree, dtype):
    dtype = xp.bfloat16 if dtype == "bfloat16" else np.dtype(dtype)
    x, y = numbers(dtype, 5, 7), numbers(dtype, 5, 7, seed=1)
    condition = numbers("bool", 5, 7)
    index = np.array([3, -1, 0, 3])
    agree(lambda xp, x: xp.asarray(x, copy=True), x)
    agree(lambda _, x: x[1::2, ::-2].T, x)
    agree(lambda xp, x: xp.reshape(x[1:, 2:], (-1,)), x)
    agree("concat", [x, y], axis=1)
    agree("stack", [x, y], axis=-1)
    agree("where", condition, x, y)
    agree("where", condition[:, :1], x, y[0])
    agree("take", x, index, axis=0)
    agree("roll", x, (2, -1), axis=(0, 1))
    agree("tril", x, k=1)
    agree(lambda _, x, index: x[index, :3], x, index)
    agree(lambda _, x, condition: x[condition], x, condition)
    agree(written, x, y, index, condition)
    agree("full_like", x, 1)


def written(_, x, y, index, condition):
    """Write to elements in all ways."""
    x[::2, 1:3] = y[::2, 4:6]
    x[index, 0] = y[0, :4]
    x[condition] = y[1, 1]
    view = x[1:3]
    view[...] = y[3:]
    return x


def test_of_several_values_for_one_element_the_last_stays(gpu):
    x = gpu.zeros(4, dtype=gpu.uint8)
    index = np.tile([1, 3], 1000)
    x[gpu.asarray(index)] = gpu.asarray(np.arange(2000) % 251, dtype=gpu.uint8)
    assert to_numpy(x).tolist() == [0, 1998 % 251, 0, 1999 % 251]


def test_errors(agree_at_once):
    agree_at_once(lambda xp, x: x[xp.asarray([0, 9])], numbers("float32", 3))
    agree_at_once("take", numbers("float32", 3, 4), np.array([4]), axis=1)
    agree_at_once(
        lambda _, x, y: x.__setitem__(slice(2), y), numbers("int8", 3), numbers("int8", 3)
    )
    agree_at_once("reshape", numbers("int8", 3, 4).T, (12,), copy=False)
    agree_at_once("pow", np.array([2, 3]), np.array([1, -1]))
    agree_at_once("max", numbers("float32", 0))


def test_results_lie_in_the_order_of_their_operands(gpu):
    x = gpu.asarray(numbers("float32", 64, 37)).T
    assert (x + x).strides == (x + x[:1]).strides == x.strides


@pytest.mark.parametrize("dtype", ["float32", "int32", "uint8", "bool"])
@pytest.mark.parametrize("length", [1, 63, 64, 65, 4095, 300_001])
def test_sorting_and_searching(agree, dtype, length):
    x = numbers(dtype, length)
    if dtype == "float32":
        x[::7] = np.nan
        x[1::5] = -x[1::5]  # -0 among them
    agree("sort", x)
    agree("argsort", x, descending=True)
    agree("argmax", x) if dtype != "bool" else None
    agree("unique_values", x[:5000])
    agree("searchsorted", np.sort(x), x[:100], side="right")
    agree("isin", x[:1000], x[::50])
    agree("nonzero", x)


@pytest.mark.parametrize("length", [1, 64, 5000, 1_000_003])
def test_scans_in_parts(agree, length):
    agree("cumulative_sum", numbers("int32", 2, length), axis=1)
    agree("cumulative_sum", numbers("int32", length, 3), axis=0, include_initial=True)


def test_products(agree):
    for shapes in (
        ((3, 5), (5, 2)),
        ((70, 33), (33, 65)),
        ((2, 1, 4, 3), (5, 3, 2)),
        ((0, 4), (4, 2)),
    ):
        for dtype in ("float32", "int32", "uint8"):
            agree("matmul", *(numbers(dtype, *shape, limit=9) for shape in shapes))
    x, y = numbers("float32", 3, 4, 5), numbers("float32", 4, 3, 2)
    agree("tensordot", x, y, axes=((1, 0), (0, 1)))
    agree("vecdot", numbers("int32", 4, 6), numbers("int32", 6))
    agree("matmul", numbers("float32", 6), numbers("float32", 2, 6, 3))


def chain(xp, x, y):
    """Return results of several operations, of which some read others."""
    z = xp.where(x > y, x * 2 - y, xp.astype(y > 1, xp.float32) + 0.5)
    whole = xp.astype(x, xp.int32) + 1
    return z, z * z + xp.abs(x), xp.sum(z, axis=0), xp.mean(z), x.T + 1, xp.mean(whole), xp.var(z)


def test_deferred_operations_share_kernels(gpu, device, monkeypatch):
    x, y = (gpu.asarray(numbers("float32", 40, 50, seed=k)) for k in range(2))
    runtime = x.device.backend.launcher(x.device).runtime
    launched = []
    launch = runtime.launch
    monkeypatch.setattr(
        runtime, "launch", lambda key, *rest: (launched.append(key), launch(key, *rest))
    )
    namespace = corepy.namespace(device)  # which does not look at results
    eager = chain(namespace, x, y)
    count = len(launched)
    launched.clear()
    with corepy.config(fusion_threshold=0), corepy.fuse():
        fused = chain(namespace, x, y)
    assert len(launched) < 0.6 * count
    for one, other in zip(fused, eager, strict=True):
        np.testing.assert_allclose(to_numpy(one), to_numpy(other), rtol=1e-6)


@pytest.mark.parametrize("name", ["sum", "max", "mean", "var", "argmax"])
@pytest.mark.parametrize("dtype", ["bool", "int8", "float32"])
def test_deferred_reductions(gpu, name, dtype):
    """Of views of temporaries, and of dtypes that are converted."""
    x = gpu.asarray(numbers(dtype, 40, 30))
    views = [
        lambda y: y, lambda y: y[:2, :5], lambda y: y.T, lambda y: y[::-1], lambda y: y[:, 3],
        lambda y: xp.broadcast_to(y[:1], (4, 30)),
    ]  # fmt: skip
    for view in views:
        for axis in (None, 0):

            def call(x, view=view, axis=axis):
                y = xp.logical_not(x) if dtype == "bool" else x + x
                return getattr(xp, name)(view(y), axis=axis)

            eager = to_numpy(call(x))
            with corepy.config(fusion_threshold=0), corepy.fuse():
                deferred = call(x)
            np.testing.assert_allclose(to_numpy(deferred), eager, rtol=1e-6)


def test_deferred_operations_of_dtypes_that_kernels_lack(gpu):
    x, half = gpu.ones((40, 50), dtype=gpu.float32), gpu.ones((40, 50), dtype=gpu.float16)
    with corepy.config(fusion_threshold=0), corepy.fuse():
        results = x + 1, x + half, half == half, gpu.sum(half * 2), x * 3
    values = [to_numpy(y).astype(float).max() for y in results]
    assert values == [2, 2, 1, 4000, 3]


def test_integers_beyond_float64_are_compared_exactly_when_deferred(gpu):
    i = gpu.full((2000,), 2**63 - 1, dtype=gpu.int64)
    u = gpu.full((2000,), 2**63, dtype=gpu.uint64)
    with corepy.config(fusion_threshold=0), corepy.fuse():
        same, less = i == u, i < u
    assert not to_numpy(same).any()
    assert to_numpy(less).all()


def test_views_of_tensors_without_axes(gpu):
    x = gpu.asarray(1.0, dtype=gpu.float32)
    views = x[None], gpu.reshape(x, (1, 1)), x[...]
    x[...] = 7
    assert [float(view[(0,) * view.ndim]) for view in views] == [7] * 3
    views[0][0] = 5
    assert float(x) == 5


def test_indices_in_the_memory_that_is_written(agree_at_once):
    def call(_, x, value):
        x[x[::-1]] = value
        return x

    agree_at_once(call, np.array([3, 1, 0, 2]), np.array([9, 8, 7, 6]))


def test_writes_to_read_only_views(gpu):
    x = gpu.zeros((4, 3))
    view = gpu.broadcast_to(x[:1], (4, 3))
    with pytest.raises(ValueError, match="read-only"):
        view[0] = 5


def test_nothing_is_written_if_an_index_is_out_of_range(gpu):
    x = gpu.zeros(5, dtype=gpu.int8)
    for value in (1, gpu.ones(2, dtype=gpu.int8)):
        with pytest.raises(IndexError, match="index 9 is out of bounds for axis 0 with size 5"):
            x[gpu.asarray([1, 9])] = value
    assert not to_numpy(x).any()


def test_a_forked_process_is_told(gpu):
    x = gpu.ones(3)
    process = os.fork()
    if not process:
        try:
            x + 1
        except RuntimeError:
            os._exit(7)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 7


def test_writes_wait_for_what_reads(gpu):
    x = gpu.asarray(numbers("float32", 2000))
    before = to_numpy(x)
    with corepy.config(fusion_threshold=0), corepy.fuse():
        y = x + 1
        x[...] = 0
    np.testing.assert_array_equal(to_numpy(y), before + 1)


def test_threads(gpu):
    x = gpu.asarray(numbers("float32", 10_000))
    expected = to_numpy(gpu.sum(x * 2 + 1))
    found, failed = [], []

    def work(seed):
        try:
            for k in range(20):
                y = gpu.asarray(numbers("float32", 100 + seed, seed=k)) + k
                np.testing.assert_array_equal(
                    to_numpy(y), numbers("float32", 100 + seed, seed=k) + k
                )
                found.append(float(gpu.sum(x * 2 + 1)))
        except Exception as error:  # any: it is raised in the main thread
            failed.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed, failed
    assert found == [float(expected)] * 80


def test_arrays_larger_than_a_binding(gpu, device, monkeypatch):
    if device != "webgpu:0":
        pytest.skip("buffers of OpenCL are bound whole")
    x = gpu.asarray(numbers("float32", 300, 517))
    runtime = x.device.backend.launcher(x.device).runtime
    monkeypatch.setattr(runtime, "max_bytes", 1 << 16)
    array = numbers("float32", 300, 517)
    y = gpu.asarray(array)
    for one, other in (
        (y.T + y.T, array.T * 2), (y > 50, array > 50), (y[7:20] * 2, array[7:20] * 2),
        (gpu.sum(y), array.sum()), (gpu.sum(y, axis=1), array.sum(1)),
        (gpu.max(y, axis=0), array.max(0)), (gpu.concat([y, y]), np.concatenate([array, array])),
        (y[y > 50], array[array > 50]), (y[gpu.asarray([299, 0])], array[[299, 0]]),
        (gpu.take_along_axis(y, gpu.asarray([[516, 3]]), axis=1), array[:, [516, 3]]),
        (gpu.sort(y, axis=0), np.sort(array, axis=0)),
        (gpu.nonzero(y)[0], np.nonzero(array)[0]),
        (gpu.cumulative_sum(y, axis=0), array.cumsum(0)),
    ):  # fmt: skip
        np.testing.assert_allclose(to_numpy(one), other, rtol=1e-5)
    y[::2, 1:] = 0
    array[::2, 1:] = 0
    np.testing.assert_array_equal(to_numpy(y), array)


def test_more_groups_than_a_dimension_has(gpu):
    x = gpu.ones(65_536 * 64 * 2 + 1, dtype=gpu.uint8)
    assert int(gpu.sum(gpu.astype(x + 1, gpu.int32), dtype=gpu.int32)) == 2 * x.size


def test_dlpack_exports_a_copy(gpu):
    x = gpu.asarray(numbers("float32", 3))
    array = np.from_dlpack(x)
    array[0] = -1
    assert to_numpy(x)[0] != -1
    assert x.__dlpack_device__() == (1, 0)


def test_drivers_that_compute_on_the_processor_are_not_chosen(device, monkeypatch):
    backend = get_backend(device.partition(":")[0])
    runtime = backend.launcher(corepy.device(device)).runtime
    if not runtime.computes_on_processor:
        pytest.skip("it is a GPU")
    assert registry.automatic_devices(backend.name) == (
        [], "its devices compute on the processor",
    )  # fmt: skip
    assert backend.name in [info.name for info in discover_backends() if info.available]
    assert best_available_backend() != backend.name
