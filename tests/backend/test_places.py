"""Which device new arrays land on, which backend computes, and what one that lacks things gets."""

import asyncio
import pickle
import threading

import numpy as np
import pytest

import corepy
import corepy.array_api as xp
from corepy.backend import (
    Backend,
    CPUBackend,
    CPUDevice,
    Device,
    GPUBackend,
    GPUDevice,
    NamespaceBackend,
    OperationProperties,
    Rates,
    ReferenceBackend,
    available_devices,
    calibrate,
    choose_backend,
    choosing,
    costs,
    execution,
    get_backend,
    init_backend,
    register_backend,
    registry,
    select_backend,
    selection,
)

CPU = get_backend("cpu")
REFERENCE = get_backend("reference")
HAS_GPU = any(str(device).startswith(("cuda", "rocm")) for device in available_devices())


@pytest.fixture(autouse=True)
def unchanged(monkeypatch):
    """Undo what a test registers, sets and measures."""
    for name in ("_loaded", "_devices"):
        monkeypatch.setattr(registry, name, dict(getattr(registry, name)))
    monkeypatch.setattr(selection, "_priority", None)
    monkeypatch.setattr(execution, "_warned", set())
    yield
    corepy.set_backend("cpu")


# ---- names and constructors


def test_constructors_return_what_is_registered():
    assert CPUBackend() is CPU
    assert ReferenceBackend() is REFERENCE
    assert CPUDevice() is CPUDevice(device_id=0) is Device("cpu") is corepy.device("cpu")
    assert isinstance(CPU, CPUBackend)
    assert not isinstance(CPU, ReferenceBackend)
    assert isinstance(Device("cpu"), CPUDevice)
    assert not isinstance(Device("reference"), CPUDevice)
    assert not isinstance(Device("cpu"), GPUDevice)
    with pytest.raises(ValueError, match=r"^CPUDevice: there is no device 1; available: 0$"):
        CPUDevice(1)
    with pytest.raises(TypeError, match=r"^CPUDevice: device_id must be an int, got str"):
        CPUDevice("0")


def test_operations_of_classes_take_lists():
    assert ReferenceBackend.add([1, 2, 3], [4, 5, 6]) == [5, 7, 9]
    assert CPUBackend.matmul([[1.0, 2.0]], [[3.0], [4.0]]) == [[11.0]]
    assert ReferenceBackend.sum([[1, 2], [3, 4]], axis=0) == [4, 6]
    assert CPUBackend.sqrt(4.0) == 2.0
    assert ReferenceBackend.linalg.det([[1.0, 2.0], [3.0, 4.0]]) == pytest.approx(-2.0)
    assert ReferenceBackend.fft.fft([1.0, 2.0]) == [3 + 0j, -1 + 0j]
    assert ReferenceBackend.concat([[1, 2], [3]]) == [1, 2, 3]
    assert ReferenceBackend.stack(([1, 2], [3, 4]), axis=1) == [[1, 3], [2, 4]]
    assert ReferenceBackend.meshgrid([1, 2], [3]) == ([[1, 2]], [[3, 3]])
    assert ReferenceBackend.reshape([1, 2, 3, 4], [2, 2]) == [[1, 2], [3, 4]]
    assert ReferenceBackend.clip([1, 2, 3], max=[2, 2, 2]) == [1, 2, 2]
    with pytest.raises(AttributeError, match=r"no operation 'linalg.dett', did you mean 'linalg.d"):
        ReferenceBackend.linalg.dett([[1.0]])
    with pytest.raises(TypeError, match=r"^concat: arrays must be a non-empty tuple or list"):
        ReferenceBackend.concat(3)
    with pytest.raises(AttributeError, match=r"no operation 'ad', did you mean 'add'"):
        ReferenceBackend.ad([1], [2])
    with pytest.raises(ValueError, match=r"^add: shapes"):
        ReferenceBackend.add([1, 2, 3], [4, 5])


@pytest.mark.skipif(HAS_GPU, reason="there is a GPU")
@pytest.mark.parametrize(
    "call",
    [lambda: corepy.device("gpu"), lambda: corepy.zeros(1, device="cuda"), GPUDevice, GPUBackend],
)
def test_without_a_gpu_the_error_says_what_to_install(call):
    with pytest.raises(ValueError, match=r"CuPy is not installed|no device|driver"):
        call()


@pytest.mark.skipif(HAS_GPU, reason="there is a GPU")
def test_the_gpu_of_opencl(monkeypatch):
    class Other(Backend):
        broken, automatic = True, False

        def devices(self):
            return found or [Device(self, 0, "opencl:0")]

        def missing(self):
            return "no driver of OpenCL" if self.broken else ""

        def chosen_automatically(self, device):
            return self.automatic

        def execute(self, operation, inputs, params=None):
            raise NotImplementedError

    found = []
    backend = Other("opencl")
    found += backend.devices()
    monkeypatch.setitem(registry._loaded, "opencl", backend)
    known = {name: x for name, x in registry._devices.items() if x.backend.name != "opencl"}
    monkeypatch.setattr(registry, "_devices", known)
    with pytest.raises(ValueError, match=r"no GPU here .*; opencl: no driver of OpenCL"):
        corepy.device("gpu")
    backend.broken = False
    with pytest.raises(ValueError, match=r"; opencl: its devices compute on the processor"):
        corepy.device("gpu")
    backend.automatic = True
    assert corepy.device("gpu") is backend.devices()[0]
    assert GPUBackend() is init_backend("opencl") is backend
    assert GPUDevice() is Device("opencl")


def test_devices_by_name():
    assert Device("reference") is corepy.zeros(1, device="reference").device
    assert pickle.loads(pickle.dumps(Device("cpu"))) is Device("cpu")
    with pytest.raises(ValueError, match=r"^Device: .*'refrence' here, did you mean 'reference'"):
        Device("refrence")
    for wrong in ((), (3,), ("cpu", 1), (None,)):
        with pytest.raises(TypeError):
            Device(*wrong)
    with pytest.raises(ValueError, match=r"^get_backend: .*'cpuu', did you mean 'cpu'"):
        get_backend("cpuu")
    with pytest.raises(ValueError, match=r"no operation 'addd'; did you mean 'add'"):
        CPU.supports("addd")


def test_capabilities():
    found = CPU.get_capabilities()
    assert found["simd_level"] == CPU.simd_level
    assert CPU.simd_level in ("AVX-512", "AVX2", "SSE2", "NEON", "scalar")
    assert found["threads"] == CPU.thread_count == corepy.get_num_threads()
    assert found["fp64_support"] is True
    standard = {"boolean indexing", "data-dependent shapes", "max dimensions"}
    assert set(xp.__array_namespace_info__().capabilities()) == standard


def test_creations_of_classes_run_on_their_backend():
    made = []

    class Counting(Backend):
        def execute(self, operation, inputs, params=None):
            raise NotImplementedError

        def create(self, operation, inputs, params, device):
            made.append((operation, str(device)))
            return self.from_numpy(np.zeros(2), device)

    register_backend("counting", Counting())

    class CountingBackend(CPUBackend):
        names = ("counting",)

    assert CountingBackend.eye(2) == CountingBackend.linspace(0, 1, 2) == [0.0, 0.0]
    assert made == [("eye", "counting"), ("linspace", "counting")]


def test_capabilities_have_defaults():
    class Few(Backend):
        def execute(self, operation, inputs, params=None):
            raise NotImplementedError

        def get_capabilities(self):
            return {"max dimensions": 3}

    register_backend("few", Few())
    found = corepy.namespace("few").__array_namespace_info__().capabilities()
    assert found == {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 3}


def test_supports():
    for backend in (CPU, REFERENCE):
        assert backend.supports("add", "float32")
        assert backend.supports("linalg.svd")
        assert not backend.supports("bitwise_and", "float64")
        with pytest.raises(ValueError, match="no operation 'nothing'"):
            backend.supports("nothing")


# ---- the device of new arrays


CREATIONS = {
    "zeros": lambda np: np.zeros((2, 3)),
    "full": lambda np: np.full(3, 7),
    "empty": lambda np: np.empty(3),
    "arange": lambda np: np.arange(4),
    "linspace": lambda np: np.linspace(0.0, 1.0, 5),
    "eye": lambda np: np.eye(2),
    "asarray": lambda np: np.asarray([[1, 2], [3, 4]]),
    "number": lambda np: np.asarray(3.5),
    "ndarray": lambda np: np.asarray(globals()["np"].arange(3)),
    "fftfreq": lambda np: np.fft.fftfreq(4),
}


@pytest.mark.parametrize("name", CREATIONS)
def test_new_arrays_land_on_the_default_device(name):
    create = CREATIONS[name]
    for namespace in (xp, corepy):
        assert create(namespace).device == "cpu"
        with corepy.use_device("reference") as device:
            assert create(namespace).device is device
            assert create(corepy.namespace("cpu")).device == "cpu"
            with corepy.use_device("cpu"):
                assert create(namespace).device == "cpu"
            assert create(namespace).device is device
        assert create(namespace).device == "cpu"
        assert create(corepy.namespace("reference")).device == "reference"


def test_what_exists_stays_where_it_is():
    x = xp.asarray([1.0, 2.0])
    with corepy.use_device("reference"):
        assert xp.asarray(x) is x
        assert corepy.tensor(x).device == "cpu"
        assert xp.zeros_like(x).device == "cpu"
        assert xp.from_dlpack(np.ones(2)).device == "cpu"
        assert xp.asarray([x, x]).device == "cpu"
        assert x.__array_namespace__().zeros(1).device == "cpu"
        assert (x + 1.0).device == (x + [1.0, 2.0]).device == "cpu"
        y = xp.zeros(1)
        assert y.__array_namespace__().zeros(1).device == "reference"
    assert y.__array_namespace__().zeros(1).device == "reference"


def test_namespaces_do_not_depend_on_the_default():
    before = [corepy.namespace(name) for name in ("cpu", "reference")]
    names = [namespace.__name__ for namespace in before]
    with corepy.use_device("reference"):
        after = [corepy.namespace(name) for name in ("cpu", "reference")]
        assert corepy.namespace() is xp
        assert xp.__array_namespace_info__().default_device() == "reference"
    assert all(one is other for one, other in zip(before, after, strict=True))
    assert names == [namespace.__name__ for namespace in after]
    assert len({*names, xp.__name__}) == 3


def test_set_backend():
    assert corepy.set_backend("reference") is REFERENCE
    assert xp.zeros(1).device == "reference"
    found = []
    thread = threading.Thread(target=lambda: found.append(xp.zeros(1).device))
    thread.start()
    thread.join()
    assert found == ["reference"]
    with pytest.raises(ValueError, match=r"^set_backend: there is no device 'refrence' here"):
        corepy.set_backend("refrence")
    assert corepy.device() == "reference"
    assert corepy.set_backend("cpu") is CPU
    assert xp.zeros(1).device == "cpu"


def test_use_device_is_of_one_context():
    entered, leave = threading.Event(), threading.Event()
    found = []

    def work():
        with corepy.use_device("reference"):
            entered.set()
            leave.wait()
            found.append(str(xp.zeros(1).device))

    thread = threading.Thread(target=work)
    thread.start()
    entered.wait()
    assert xp.zeros(1).device == "cpu"
    leave.set()
    thread.join()
    assert found == ["reference"]

    async def task(name):
        with corepy.use_device(name):
            await asyncio.sleep(0)
            return str(xp.zeros(1).device)

    async def both():
        return await asyncio.gather(task("cpu"), task("reference"), task("cpu"))

    assert asyncio.run(both()) == ["cpu", "reference", "cpu"]
    assert xp.zeros(1).device == "cpu"


def test_use_device_needs_a_device():
    with pytest.raises(TypeError, match=r"^use_device: "):
        corepy.use_device(None)
    with pytest.raises(ValueError, match=r"^use_device: there is no device 'nowhere'"):
        corepy.use_device("nowhere")
    with pytest.raises(KeyError), corepy.use_device("reference"):
        raise KeyError
    assert xp.zeros(1).device == "cpu"


def test_set_backend_priority():
    assert corepy.set_backend_priority(["gpu", "cpu", "reference"]) is (
        corepy.device("gpu").backend if HAS_GPU else CPU
    )
    assert corepy.set_backend_priority(["reference", "cpu"]) is REFERENCE
    assert xp.zeros(1).device == "reference"
    with pytest.raises(
        ValueError, match=r"^set_backend_priority: there is no backend 'gpuu', did you mean 'gpu'"
    ):
        corepy.set_backend_priority(["gpuu", "cpu"])
    with pytest.raises(ValueError, match="at least one name"):
        corepy.set_backend_priority([])
    with pytest.raises(TypeError, match="got int among them"):
        corepy.set_backend_priority(["cpu", 1])
    if not HAS_GPU:
        with pytest.raises(ValueError, match=r"none of these backends is available: 'cuda'"):
            corepy.set_backend_priority(["cuda"])
    with pytest.raises(TypeError, match="expected a list of names"):
        corepy.set_backend_priority("cpu")
    assert corepy.device() == "reference"


# ---- operands on different devices


def test_the_smaller_operand_moves():
    small, large = xp.ones(2, device="reference"), xp.ones((9, 2))
    with corepy.config(cross_device="smaller"):
        for result in (
            small + large,
            large + small,
            xp.where(small > 0, small, large),
            xp.where(xp.astype(large, xp.bool), small, 0.0),
            xp.clip(small, large, 2.0),
            small @ large.T,
            xp.linalg.vecdot(small, large),
            xp.concat((xp.reshape(small, (1, 2)), large)),
        ):
            assert result.device == "cpu"
        assert (small + xp.ones(1)).device == "reference"
    with corepy.config(cross_device="convert"):
        assert (small + large).device == xp.clip(small, large, 2.0).device == "reference"


# ---- the choice by cost


class FastBackend(NamespaceBackend):
    """A stand-in for the backend of a GPU."""


@pytest.fixture
def gpu():
    import array_api_compat.numpy as namespace

    backend = FastBackend("fast", lambda: namespace, "numpy")
    register_backend("fast", backend)
    registry._devices["cuda:0"] = backend.devices()[0]
    return backend


def test_without_figures_the_choice_goes_by_size(gpu, monkeypatch, tmp_path):
    monkeypatch.setenv("COREPY_RATES", str(tmp_path / "none.json"))
    for megabytes, operation, expected in (
        (0.5, "matmul", "cpu"),
        (9.9, "matmul", "cpu"),
        (10.0, "matmul", "fast"),
        (10.0, "linalg.svd", "fast"),
        (99.0, "elementwise_add", "cpu"),
        (100.0, "elementwise", "fast"),
        (100.0, "add", "fast"),
        (99.0, "sum", "cpu"),
        (100.0, "reduction", "fast"),
    ):
        assert choose_backend(megabytes, operation) == expected
    backend, reasons = select_backend(op_props=OperationProperties("add", 5_000_000), explain=True)
    assert backend is CPU
    assert "100,000,000" in reasons[0]


def test_measured_rates_decide(gpu, monkeypatch, tmp_path):
    path = tmp_path / "rates.json"
    monkeypatch.setenv("COREPY_RATES", str(path))
    found = calibrate(["cpu", "cuda:0"])
    assert set(found) == {"cpu", "fast"}
    assert costs.measured() == found
    assert found["cpu"].transfer is None
    assert found["fast"].transfer > 0
    rates = {
        "cpu": Rates(1e10, 1e10, 1e11, None, 1e-6),
        "fast": Rates(1e12, 1e12, 1e13, 1e10, 1e-5),
    }
    monkeypatch.setattr(choosing, "measured", lambda: rates)
    # 2 GB: 0.2 s on the CPU, 0.202 s with the transfer.
    assert choose_backend(2000, "add") == "cpu"
    assert choose_backend(200, "matmul") == "fast"
    _, reasons = select_backend(op_props=OperationProperties("add", 2 * 10**9), explain=True)
    assert "200 ms" in reasons[0] and "202 ms" in reasons[1]
    path.write_text("{")
    monkeypatch.undo()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"devices": 3}', '{"devices": {"cpu": {}}}'])
def test_a_cache_that_cannot_be_read_is_ignored(monkeypatch, tmp_path, text):
    monkeypatch.setenv("COREPY_RATES", str(tmp_path / "rates.json"))
    (tmp_path / "rates.json").write_text(text)
    assert costs.measured() == {}
    assert choose_backend(1, "add") == "cpu"


def test_the_choice_can_be_forced(monkeypatch):
    assert select_backend("reference") is REFERENCE
    monkeypatch.setenv("COREPY_BACKEND", "reference")
    assert select_backend() is REFERENCE
    assert select_backend("cpu", explain=True) == (CPU, ["backend_name is 'cpu'"])
    with pytest.raises(ValueError, match=r"^select_backend: there is no device 'nowhere'"):
        select_backend("nowhere")
    monkeypatch.setenv("COREPY_BACKEND", "nowhere")
    with pytest.raises(ValueError, match=r"^select_backend: COREPY_BACKEND: there is no device"):
        select_backend()
    monkeypatch.delenv("COREPY_BACKEND")
    assert select_backend() is CPU
    with pytest.raises(TypeError, match=r"^select_backend: op_props must be OperationProperties"):
        select_backend(None, "matmul")


@pytest.mark.skipif(HAS_GPU, reason="there is a GPU")
def test_a_gpu_that_is_required_and_missing():
    with pytest.raises(ValueError, match=r"^select_backend: there is no GPU here"):
        select_backend(op_props=OperationProperties("add", 10, requires_gpu=True))
    with pytest.raises(ValueError, match="requires a GPU"):
        select_backend("cpu", OperationProperties("add", 10, requires_gpu=True))
    with pytest.raises(ValueError, match="requires a GPU, and backend_name is 'reference'"):
        select_backend("reference", OperationProperties("add", 10, requires_gpu=True))


def test_operations_have_families():
    with pytest.raises(ValueError, match=r"no operation 'matmull', did you mean 'matmul'"):
        OperationProperties("matmull", 1)
    with pytest.raises(ValueError, match="must not be negative, got -1"):
        OperationProperties("add", -1)
    for arguments in (("add", 1.5), ("add", "1"), ("add", True), (3, 1)):
        with pytest.raises(TypeError, match=r"^OperationProperties: \w+ must be a"):
            OperationProperties(*arguments)
    for size, error in (("a", TypeError), (-1, ValueError), (float("nan"), ValueError)):
        with pytest.raises(error, match=r"^choose_backend: data_size_mb must be "):
            choose_backend(size, "add")
    assert OperationProperties("matmul", 2 * 8 * 100**2).work() == 2 * 100**3
    assert OperationProperties("sum", 800).work() == 800


def test_auto_places_by_size(gpu, monkeypatch, tmp_path):
    monkeypatch.setenv("COREPY_RATES", str(tmp_path / "none.json"))
    monkeypatch.setattr(choosing, "_LEAST", dict.fromkeys(costs.FAMILIES, 8000))
    monkeypatch.setattr(choosing, "_SMALLEST", 0)
    for create in (
        lambda n: xp.zeros(n, device="auto"),
        lambda n: xp.arange(n, dtype=xp.float64, device="auto"),
        lambda n: xp.asarray(list(range(n)), device="auto"),
        lambda n: xp.zeros(n).to_device("auto"),
        lambda n: xp.full_like(xp.zeros(n), 3.0, device="auto"),
        lambda n: corepy.namespace("auto").ones(n),
    ):
        assert create(10).device == "cpu"
        assert create(1000).device == "fast"
    with corepy.use_device("auto"):
        assert xp.zeros(1000).device == "fast"
        assert xp.asarray([1.0]).device == "cpu"
    assert "auto" not in available_devices()
