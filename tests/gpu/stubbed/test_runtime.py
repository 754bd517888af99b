"""Devices, streams, memory, transfers and kernels of the runtime over CuPy and the driver."""

from __future__ import annotations

import ctypes
import gc
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from running import known_module_from, module_from

import corepy
from corepy._gpu import disk
from corepy._gpu.backend import GpuBackend, address_in
from corepy.backend import registry
from corepy.backend.corrections import corrections_for
from corepy.lazy import is_deferred

HOST = Path(__file__).parents[1] / "host"
stub = known_module_from(HOST / "cupy_stub.py")
STATE = stub.STATE


def test_a_kernel_runs_in_its_own_context_and_leaves_the_caller_s(xp):
    x = xp.asarray([1.0, 2.0, 3.0])
    STATE.launches.clear()
    y = corepy.compute(x + x)
    assert STATE.launches == [(1001, 0)]
    assert STATE.context == 1000 and STATE.device == 0
    assert y.device == "stub:1"
    assert y.to_device("cpu").tolist() == [2.0, 4.0, 6.0]


def test_a_thread_without_a_context_keeps_the_kernel_s(xp):
    x = xp.asarray([1.0])
    x += x
    STATE.context = None
    x += x  # allocates nothing, which would make a context
    assert STATE.launches[-1] == (1001, 0) and STATE.context == 1001


def test_kernels_are_compiled_once_and_kept_on_disk(module, tmp_path):
    expression = "corepy::Run<corepy::op::add<corepy::int8>, false, 0, corepy::int8, corepy::int8, corepy::int8>"  # noqa: E501
    first = module.CudaRuntime()
    assert first.kernel(expression, 0) == first.kernel(expression, 0)
    assert STATE.log.count("compile") == 1
    first.kernel(expression, 1)
    module.CudaRuntime().kernel(expression, 0)
    assert STATE.log.count("compile") == 1
    [kept] = [path for path in tmp_path.iterdir() if path.is_file()]
    kept.write_bytes(kept.read_bytes()[:-1])  # cut short: compiled again
    module.CudaRuntime().kernel(expression, 0)
    assert STATE.log.count("compile") == 2


def test_kernels_are_compiled_where_nothing_can_be_kept(module, monkeypatch, tmp_path):
    (tmp_path / "file").touch()
    monkeypatch.setenv("COREPY_KERNEL_CACHE", str(tmp_path / "file"))
    assert module.compiled("corepy::Anything")
    assert module.compiled("corepy::Anything")
    assert STATE.log.count("compile") == 2


def test_where_kernels_are_kept(module, monkeypatch):
    def home():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("COREPY_KERNEL_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "/caches")
    assert disk.folder() == Path("/caches/corepy/kernels")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert disk.folder() == Path.home() / ".cache/corepy/kernels"
    monkeypatch.setattr(Path, "home", home)  # kernels are compiled for users without one, too
    assert disk.folder() is None
    assert module.compiled("corepy::Anything")


def test_memory_is_asked_for_twice(runtime):
    STATE.fail_allocations = 1
    assert runtime.allocate(100, 1).device_id == 1
    assert "free_all_blocks on 1" in STATE.log
    assert STATE.device == 0


def test_no_memory_is_a_memory_error_with_sizes(xp):
    x = xp.ones((1000,))
    STATE.fail_allocations = 20
    with pytest.raises(
        MemoryError,
        match=r"cannot allocate 8,000 bytes on cuda:1 \(bytes free 10 of 1,000; "
        r"of CuPy's pool: in use 100, cached 200\)",
    ):
        corepy.compute(x + x)
    STATE.fail_allocations = 0
    assert (x + x)[0].to_device("cpu").item() == 2.0


@pytest.mark.parametrize(
    "error",
    [
        stub.OutOfMemoryError("Out of memory allocating 16 bytes"), stub.CUDARuntimeError(2),
        RuntimeError("CUSOLVER_STATUS_ALLOC_FAILED"),
    ],
)  # fmt: skip
def test_a_library_that_lacks_memory_is_asked_twice(module, error):
    raised = []

    def argsort(xp, x, **params):
        if raised:
            raise raised.pop()
        return xp.argsort(x)

    backend = GpuBackend("stub", module.CudaRuntime, "numpy", lambda: {"argsort": argsort})
    x = backend.from_numpy(np.array([2.0, 1.0]), backend.devices()[1])
    raised.append(error)
    STATE.log.clear()
    assert backend.execute("argsort", (x,), {}).to_device("cpu").tolist() == [1, 0]
    assert STATE.log[0] == "free_all_blocks on 1"
    raised.extend([error, error])
    with pytest.raises(MemoryError, match=r"^argsort: .* on cuda:1 \(bytes free 10 of 1,000; "):
        backend.execute("argsort", (x,), {})
    raised.append(RuntimeError("something else"))
    with pytest.raises(RuntimeError, match="something else"):
        backend.execute("argsort", (x,), {})
    raised.append(OverflowError("an argument"))
    with pytest.raises(OverflowError, match="argsort: an argument"):
        backend.execute("argsort", (x,), {})


def test_sorting_copies_once_and_sorts_in_place(module, namespace, monkeypatch):
    xp = namespace(module.CudaRuntime, "stub:1")
    values = np.array([[3.0, -np.nan, 1.0, -0.0], [0.0, 2.0, -np.inf, np.nan]])
    x = xp.asarray(values)
    sort, sorted_at = stub.ndarray.sort, []
    monkeypatch.setattr(
        stub.ndarray, "sort",
        lambda self, *args, **keys: (sorted_at.append(self.data.ptr), sort(self, *args, **keys)),
        raising=False,
    )  # fmt: skip
    for axis, descending in [(0, False), (1, False), (1, True), (-1, True)]:
        STATE.log.clear()
        STATE.launches.clear()
        out = corepy.compute(xp.sort(x, axis=axis, descending=descending))
        assert len(STATE.launches) == 1  # the copy, with NaNs made positive
        assert not [line for line in STATE.log if line.startswith("copy kind")]
        assert len(sorted_at) == 1 and sorted_at.pop() != x.__cuda_array_interface__["data"][0]
        found = np.asarray(out.to_device("cpu"))
        want = corepy.array_api.asarray(values)
        want = np.asarray(corepy.array_api.sort(want, axis=axis, descending=descending))
        assert np.array_equal(found, want, equal_nan=True)
        assert np.array_equal(np.signbit(found[found == 0]), np.signbit(want[want == 0]))
        assert not np.signbit(found[np.isnan(found)]).any()
    assert np.array_equal(np.asarray(x.to_device("cpu")), values, equal_nan=True)
    STATE.fail_allocations = 1  # of the copy: the cache is emptied, and it is tried once more
    assert corepy.compute(xp.sort(x)).shape == (2, 4)


def test_one_device_is_asked_without_detours(module, namespace):
    STATE.count = 1
    runtime = module.CudaRuntime()
    assert runtime.allocate_here(100).device_id == 0
    xp = namespace(lambda: runtime, "stub:0")
    x = xp.ones((10,))
    STATE.fail_allocations = 1
    assert (x + x)[0].to_device("cpu").item() == 2.0
    assert "free_all_blocks on 0" not in STATE.log  # the second attempt succeeded
    STATE.fail_allocations = 20
    with pytest.raises(MemoryError, match="cannot allocate 80 bytes on cuda:0"):
        corepy.compute(x + x)
    assert "free_all_blocks on 0" in STATE.log


def test_a_cupy_that_shows_no_streams_is_refused(module, monkeypatch):
    functions = sys.modules["cupy_backends.cuda.stream"].__pyx_capi__
    monkeypatch.delitem(functions, "get_stream_ptr")
    with pytest.raises(RuntimeError, match=r"this version of CuPy \(14.0\).*get_stream_ptr"):
        module.CudaRuntime()


@pytest.mark.parametrize(
    ("error", "raised", "message"),
    [
        (OverflowError("value too large to convert to int64_t"), MemoryError,
         r"cannot allocate 9,223,372,036,854,775,800 bytes"),
        (stub.CUDARuntimeError(700), stub.CUDARuntimeError, "700"),
    ],
)  # fmt: skip
def test_errors_of_allocators(runtime, monkeypatch, error, raised, message):
    def alloc(nbytes):
        raise error

    monkeypatch.setattr(sys.modules["cupy"].cuda, "alloc", alloc)
    with pytest.raises(raised, match=message):
        runtime.allocate((1 << 63) - 8, 0)


@pytest.mark.parametrize(
    ("error", "calls"),
    [
        (stub.CUDARuntimeError(700), 1), (ValueError("a bug"), 1), (RuntimeError("another"), 1),
        (stub.CUDARuntimeError(2), 2), (stub.OutOfMemoryError("short"), 2), (OverflowError(), 2),
    ],
)  # fmt: skip
def test_only_a_lack_of_memory_is_tried_again(module, monkeypatch, error, calls):
    asked = []

    def failing_once(nbytes):
        asked.append(nbytes)
        if len(asked) == 1:
            raise error
        return stub.MemoryPointer(stub.Memory(nbytes, 0), 0)

    monkeypatch.setattr(STATE, "count", 1)
    made = GpuBackend("stub", module.CudaRuntime, "numpy", lambda: corrections_for("numpy"))
    device = made.devices()[0]
    made.full((4,), None, np.dtype("float64"), device)  # everything is loaded
    made.runtime.allocate_here = failing_once
    monkeypatch.setattr(sys.modules["cupy"].cuda, "alloc", failing_once)
    again = GpuBackend("stub", lambda: made.runtime, "numpy", lambda: corrections_for("numpy"))
    device = again.devices()[0]
    if calls == 1:
        with pytest.raises(type(error)) as raised:
            again.full((4,), None, np.dtype("float64"), device)
        assert raised.value is error
    else:
        again.full((4,), None, np.dtype("float64"), device)
    assert asked == [32] * calls


@pytest.mark.parametrize("nbytes", [0, 1, 1000, 300 << 10, (1 << 20) - 8, 1 << 20, (5 << 20) + 24])
def test_transfers_of_all_sizes(xp, module, monkeypatch, nbytes):
    monkeypatch.setattr(module, "CHUNK", 1 << 20)
    values = np.random.default_rng(1).integers(0, 256, nbytes).astype(np.uint8)
    x = xp.asarray(values)
    assert x.device == "stub:1"
    back = np.asarray(x.to_device("cpu"))
    assert np.array_equal(back, values)
    assert STATE.device == 0


def test_layouts_are_kept_by_transfers(xp):
    values = np.arange(24.0).reshape(4, 6)
    x = xp.asarray(values)
    for view in (np.s_[::-1], np.s_[1:3, ::2], np.s_[:, 2], np.s_[1, 1], np.s_[:0]):
        assert np.array_equal(np.asarray(x[view].to_device("cpu")), values[view])
    assert np.array_equal(np.asarray(x.T.to_device("cpu")), values.T)


def test_pinned_memory_is_held_until_it_was_read(runtime):
    STATE.busy = True
    memory = runtime.allocate(8, 0)
    for value in range(3):
        runtime.upload(np.full(1, value), memory.ptr, 0)
    assert len(runtime._unread) == 3
    STATE.busy = False
    runtime.upload(np.full(1, 3), memory.ptr, 0)
    assert len(runtime._unread) == 1


def test_uploads_do_not_wait_for_compiling(runtime, monkeypatch):
    compiling, uploaded = threading.Event(), threading.Event()
    memory = runtime.allocate(8, 0)

    def load(expression):
        compiling.set()
        assert uploaded.wait(10), "the upload waits"
        return None, None

    def upload():
        assert compiling.wait(10)
        runtime.upload(np.full(1, 7), memory.ptr, 0)
        uploaded.set()

    monkeypatch.setattr(runtime, "_load", load)
    thread = threading.Thread(target=upload)
    thread.start()
    with pytest.raises(TypeError):  # there is no entry point
        runtime.kernel("corepy::Anything", 0)
    thread.join()


def test_devices_exchange_without_the_host(xp):
    x = xp.asarray([[1.0, 2.0], [3.0, 4.0]])
    STATE.log.clear()
    y = x.T.to_device("stub:0")
    assert y.device == "stub:0"
    assert "peer 1 to 0" in STATE.log and "peer access to 1" in STATE.log
    assert not any(line.startswith("copy kind") for line in STATE.log)
    assert y.to_device("cpu").tolist() == [[1.0, 3.0], [2.0, 4.0]]
    assert STATE.device == 0
    for z in (x[1, 1], x[:0]):
        moved = z.to_device("stub:0").to_device("cpu")
        assert moved.shape == z.shape and moved.tolist() == z.to_device("cpu").tolist()


@pytest.mark.parametrize(
    "create",
    [
        lambda xp: xp.arange(3), lambda xp: xp.arange(0.5, 3.0, dtype=xp.int8),
        lambda xp: xp.linspace(0, 1, 3), lambda xp: xp.linspace(0, 9, 3, dtype=xp.int64),
        lambda xp: xp.eye(2), lambda xp: xp.zeros(2), lambda xp: xp.asarray([1, 2]),
        lambda xp: xp.fft.fftfreq(3), lambda xp: xp.fft.rfftfreq(3),
    ],
)  # fmt: skip
def test_creation_without_a_tensor_is_on_the_right_device_at_once(xp, create):
    STATE.log.clear()
    x = create(xp)
    assert x.device == "stub:1"
    assert not any(line.startswith("peer") for line in STATE.log)
    assert all(context == 1001 for context, _ in STATE.launches)
    assert STATE.device == 0
    assert np.array_equal(np.asarray(x.to_device("cpu")), np.asarray(create(corepy.array_api)))


class Stream:
    def __cuda_stream__(self):
        return 0, 77


def test_to_device_takes_streams(xp):
    x = corepy.asarray([1.0, 2.0])
    for stream, handle in [(Stream(), 77), (99, 99), (stub.Stream(5), 5)]:
        STATE.log.clear()
        y = x.to_device("stub:1", stream=stream)
        assert f"copy kind 1 stream {handle}" in STATE.log
        STATE.log.clear()
        assert y.to_device("cpu", stream=stream).tolist() == [1.0, 2.0]
        assert f"copy kind 2 stream {handle}" in STATE.log
        assert STATE.log[0] == f"stream {handle} waits"
        assert [each.ptr for each in STATE.streams] == [0, 0]
    with pytest.raises(TypeError, match="stream"):
        x.to_device("stub:1", stream="fast")
    with pytest.raises(ValueError, match=r"^to_device: stream must be of device 1, got one of 0"):
        x.to_device("stub:1", stream=stub.Stream(5, 0))
    with pytest.raises(ValueError, match="have no streams"):
        x.to_device("cpu", stream=99)
    assert y.to_device("stub:1", stream=99) is y


def test_operations_run_in_the_current_stream(xp):
    x = xp.asarray([1.0])
    STATE.streams[1] = stub.Stream(42, 1)
    corepy.compute(x + x)
    assert STATE.launches[-1] == (1001, 42)


def test_memory_with_a_native_array_is_not_read_later(xp):
    backend = xp.__array_namespace_info__().default_device().backend
    x = xp.ones((1000,))
    with corepy.config(fusion_threshold=0), corepy.fuse():
        assert is_deferred(x + 1)
        native = backend.unwrap(x)
        assert not is_deferred(x + 1)
        alias = backend.wrap(native)
        del native
        y = x + 1
        assert is_deferred(y)
        alias[0] = 5.0
        assert not is_deferred(y)
        other = stub.ndarray((10,))
        foreign = backend.wrap(other)
        assert not is_deferred(foreign + 1)
        del other
        assert is_deferred(foreign + 1)
        assert x.__cuda_array_interface__["data"][0]
        assert not is_deferred(x + 1)


def test_functions_in_capsules_are_found_by_their_type(module):
    functions = sys.modules["cupy_backends.cuda.stream"].__pyx_capi__
    assert address_in(functions["get_stream_ptr"], "intptr_t (int)") != 0
    assert address_in(functions["get_stream_ptr"], "int (int)") == 0
    assert address_in(None, "intptr_t (int)") == 0


def test_only_the_default_stream_keeps_the_counters_of_reductions(xp):
    # The handle of another stream may be used again while kernels of the first still run.
    x = xp.ones((300_000,))
    clear = "clear 16384 stream"

    def sums(stream):
        STATE.streams[1] = stub.Stream(stream, 1)
        STATE.log.clear()
        assert xp.sum(x).to_device("cpu").item() == 300_000.0
        return [line for line in STATE.log if line.startswith(clear)]

    def alive():
        gc.collect()
        return sum(block.size == 16384 for block in stub.MEMORY)

    assert sums(0) == [f"{clear} 0"]
    before = alive()
    assert sums(0) == []
    assert sums(1) == []  # the default stream by its name
    per_thread = 2  # one handle for a stream of each thread
    for stream in (5, 6, 5, per_thread, per_thread, 7, 8, 9):
        assert sums(stream) == [f"{clear} {stream}"]
    assert sums(0) == []
    assert alive() == before


def test_launches_let_other_threads_run(namespace):
    """The launch is answered by Python itself: 1, a failure, where its lock is held."""
    runtime = module_from(HOST / "runtime.py").HostRuntime()
    check = ctypes.cast(ctypes.pythonapi.PyGILState_Check, ctypes.c_void_p).value
    runtime.launch_address = check
    xp = namespace(lambda: runtime, "checking:0")
    x = xp.asarray([1.0, 2.0])
    assert (x + x).shape == xp.cumulative_sum(x).shape == (2,)
    assert xp.sum(x).shape == ()


def test_synchronize_waits_for_each_device_in_use(xp):
    backend = registry.get_backend("stub")
    backend.synchronize()
    assert STATE.log[-1] == "device 0 stream 0 synchronize" and STATE.active == {0}
    xp.zeros(1)
    STATE.log.clear()
    backend.synchronize()
    assert [line for line in STATE.log if "synchronize" in line] == [
        "device 0 stream 0 synchronize", "device 1 stream 0 synchronize",
    ]  # fmt: skip


def test_reads_at_indices_do_not_wait(xp):
    x, i, bad = xp.asarray([1.0, 2.0, 3.0]), xp.asarray([2, 0]), xp.asarray([3])
    with corepy.config(check_indices="later"):
        xp.take(x, i, axis=0)  # kernels are compiled
        STATE.log.clear()
        out = xp.take(x, i, axis=0)
        x[i]
        assert not [line for line in STATE.log if "synchronize" in line or "copy" in line]
        assert out.to_device("cpu").tolist() == [3.0, 1.0]
    STATE.log.clear()
    with corepy.config(check_indices="now"):
        xp.take(x, i, axis=0)
    assert any("synchronize" in line for line in STATE.log)
    with corepy.config(check_indices="later"):
        STATE.streams[1] = stub.Stream(42, 1)
        xp.take(x, bad, axis=0)
        STATE.streams[1] = stub.Stream(0, 1)
        assert x.to_device("cpu").tolist() == [1.0, 2.0, 3.0]  # another stream's
        STATE.streams[1] = stub.Stream(42, 1)
        with pytest.raises(IndexError, match="index 3 is out of bounds"):
            x.to_device("cpu")


def test_statistics_of_memory(xp):
    xp.zeros(1)
    stats = corepy.memory.stats("stub:1")
    assert stats == {"in_use": 100, "cached": 200, "limit": 0, "free": 10, "total": 1000}
    STATE.log.clear()
    corepy.memory.empty_cache("stub:1")
    assert "free_all_blocks on 1" in STATE.log


def test_failed_launches_have_the_driver_s_words(runtime):
    with pytest.raises(RuntimeError, match=r"add: the launch failed: CUDA_ERROR_719"):
        runtime.fail("add", 719)
    with pytest.raises(MemoryError, match=r"add: CUDA_ERROR_2 "):
        runtime.fail("add", 2)
