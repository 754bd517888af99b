"""Which backends work here, and the choice of one by preference."""

import io
import json
import sys
from types import SimpleNamespace

import pytest

from corepy.backend import (
    Backend,
    BackendInfo,
    BackendPreference,
    Device,
    DeviceProperties,
    best_available_backend,
    choosing,
    discover_backends,
    discovery,
    estimate_inference_memory,
    get_backend,
    init_backend,
    print_backend_summary,
    registry,
)


class Elsewhere(Backend):
    """A backend whose tensors are in a GPU's memory, it says."""

    def execute(self, operation, inputs, params=None):
        raise NotImplementedError

    def dlpack_device(self, x):
        return 2, 0


def by_name():
    return {info.name: info for info in discover_backends()}


@pytest.fixture
def broken(monkeypatch):
    """A registered backend whose module fails, and one that raises when it is asked."""

    class Raising(type(get_backend("reference"))):
        def is_available(self):
            raise OSError("the wire is cut\nand more")

    raising = Raising("raising", lambda: None, "nothing", dict)
    monkeypatch.setitem(registry._MODULES, "absent", ("corepy.no_such_module", "backend"))
    monkeypatch.setitem(registry._loaded, "raising", raising)


def test_backends_of_this_machine():
    found = by_name()
    assert {"cpu", "reference", "cuda", "rocm", "torch", "metal", "dask"} <= set(found)
    cpu = found["cpu"]
    assert cpu.available
    assert cpu.error is None
    assert cpu.devices[0].backend == "cpu"
    for info in found.values():
        assert info.available == (info.error is None)
        assert info.available or not info.devices


def test_backends_that_fail_are_reported(broken):
    found = by_name()
    assert not found["raising"].available
    assert found["raising"].error == "the backend failed: OSError: the wire is cut"
    assert "No module named 'corepy.no_such_module'" in found["absent"].error
    assert found["cpu"].available
    assert best_available_backend() in found


def test_missing_libraries_are_named(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert registry.missing("torch") == "torch is not installed: pip install 'corepy[torch]'"
    assert registry.missing("dask") == "dask is not installed: pip install 'corepy[dask]'"
    reference = "array-api-strict is not installed: pip install 'corepy[reference]'"
    assert registry.missing("reference") == get_backend("reference").missing() == reference
    assert registry.missing("opencl") == "pyopencl is not installed: pip install 'corepy[opencl]'"
    assert "entry point" in registry.missing("vulkan")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: object())
    assert registry.missing("dask") == ""
    monkeypatch.setattr(sys, "platform", "linux")
    assert "macOS" in registry.missing("metal")


def test_devices_have_the_properties_of_the_hardware(monkeypatch):
    gpu = DeviceProperties(1, "Big", 80, 60, (9, 0), False, "cuda")
    elsewhere = Elsewhere("elsewhere")
    assert discovery._properties(Device(elsewhere, 1, "cuda:1"), [gpu]) is gpu
    other = discovery._properties(Device(elsewhere, 0, "cuda:0"), [gpu])
    assert (other.name, other.index, other.total_memory) == ("cuda:0", 0, None)
    assert discovery._properties(Device(elsewhere, 3, "torch:cuda:3"), [gpu]).index == 3
    same = discovery._properties(Device(elsewhere, 1, "torch:cuda:1"), [gpu])
    assert (same.name, same.backend, same.total_memory) == ("torch:cuda:1", "torch", 80)


def test_devices_in_host_memory_have_its_size():
    found = by_name()
    (reference,) = found["reference"].devices
    assert (reference.name, reference.backend) == ("reference", "reference")
    assert reference.total_memory == found["cpu"].devices[0].total_memory
    assert reference.unified_memory


@pytest.mark.parametrize(("encoding", "yes", "no"), [("utf-8", "✓", "✗"), ("ascii", "+", "-")])
def test_summary(broken, encoding, yes, no):
    buffer = io.BytesIO()
    file = io.TextIOWrapper(buffer, encoding)
    print_backend_summary(file)
    file.flush()
    lines = buffer.getvalue().decode(encoding).splitlines()
    assert lines[0].startswith(f"{yes} cpu")
    assert "GB" in lines[0]
    (line,) = (line for line in lines if "raising" in line)
    assert line.startswith(f"{no} raising")
    assert "the wire is cut" in line


def test_summary_in_memory():
    buffer = io.StringIO()
    print_backend_summary(buffer)
    assert buffer.getvalue().startswith("✓ cpu ")


def test_summary_goes_to_the_standard_output(capsys):
    print_backend_summary()
    assert "cpu" in capsys.readouterr().out


def test_descriptions_of_devices():
    gpu = DeviceProperties(0, "Big", 80 * 10**9, 60 * 10**9, (9, 0), False, "cuda")
    assert discovery.described(gpu) == "Big (80.0 GB, 60.0 GB free) compute capability 9.0"
    shared = DeviceProperties(0, "M3", 16 * 10**9, None, None, True, "metal")
    assert discovery.described(shared) == "M3 (16.0 GB, shared with the CPU)"


# ---- preferences


def info(name, free):
    """A backend whose devices have that many bytes free; None: a missing one."""
    if free is None:
        return BackendInfo(name, False, (), f"{name} needs a library")
    devices = [
        DeviceProperties(i, f"{name}{i}", None if each is None else 100, each, None, False, name)
        for i, each in enumerate(free)
    ]
    return BackendInfo(name, True, tuple(devices), None)


@pytest.fixture
def backends(monkeypatch):
    """Sets the backends that are discovered: names and free bytes of devices, None if missing."""

    def set_backends(**found):
        infos = [info(name, free) for name, free in found.items()]
        monkeypatch.setattr(choosing, "discover_backends", lambda: infos)
        made = {name: SimpleNamespace(name=name) for name in (*found, "torch")}
        monkeypatch.setattr(choosing, "get_backend", made.__getitem__)

    return set_backends


def test_preferences_are_strings():
    assert BackendPreference.CUDA == "cuda"
    assert json.dumps(BackendPreference.METAL) == '"metal"'
    assert str(BackendPreference.AUTO) == "auto"
    assert [each.name for each in BackendPreference] == [
        "AUTO", "CPU", "CUDA", "METAL", "ROCM", "OPENCL", "WEBGPU",
    ]  # fmt: skip


def test_the_order_of_auto(backends):
    order = ["cuda", "rocm", "metal", "opencl", "webgpu", "cpu"]
    for first in range(len(order)):
        backends(reference=(1,), **{
            name: None if number < first else (1,) for number, name in enumerate(reversed(order))
            for number in [order.index(name)]
        })  # fmt: skip
        expected = "torch" if order[first] == "metal" else order[first]
        assert init_backend().name == expected
        assert best_available_backend() == order[first]


def test_one_backend():
    assert init_backend("cpu") is get_backend("cpu")
    assert init_backend(BackendPreference.CPU) is get_backend("cpu")
    assert init_backend("CPU") is get_backend("cpu")
    assert isinstance(init_backend(), Backend)


def test_backends_that_are_missing(backends):
    backends(cpu=(1,), cuda=None)
    with pytest.raises(RuntimeError, match=r"^init_backend: 'cuda' .* cuda needs a library"):
        init_backend("cuda")
    backends(cpu=(1,), opencl=None)
    with pytest.raises(RuntimeError, match=r"^init_backend: 'opencl' .* opencl needs a library"):
        init_backend(BackendPreference.OPENCL)


def test_unknown_preferences():
    with pytest.raises(ValueError, match=r"^init_backend: .* 'cudo', did you mean 'cuda'"):
        init_backend("cudo")
    with pytest.raises(TypeError, match=r"^init_backend: preference"):
        init_backend(3)


# ---- memory of transformers

MISTRAL = {"hidden_size": 4096, "intermediate_size": 14336, "n_layers": 32, "vocab_size": 32000,
           "n_heads": 32, "n_kv_heads": 8, "max_seq_len": 8192}  # fmt: skip


def test_published_sizes():
    """The numbers of parameters are those of the models' files."""
    mistral = estimate_inference_memory(**MISTRAL)
    assert mistral.model_bytes == 2 * 7_241_732_096
    llama = estimate_inference_memory(**MISTRAL | {"vocab_size": 128256})
    assert llama.model_bytes == 2 * 8_030_261_248
    # 128 KiB for each position.
    assert mistral.kv_cache_bytes == llama.kv_cache_bytes == 8192 * 128 * 1024
    assert 0 < mistral.activation_bytes < mistral.model_bytes / 10


def test_totals():
    estimate = estimate_inference_memory(**MISTRAL, bytes_per_weight=2)
    parts = estimate.model_bytes + estimate.kv_cache_bytes + estimate.activation_bytes
    assert estimate.total_bytes == parts
    assert estimate.total_gb() == parts / 1e9
    assert estimate.total_gib() == parts / 2**30


def test_weights_of_few_bits():
    half = estimate_inference_memory(**MISTRAL)
    quarter = estimate_inference_memory(**MISTRAL, bytes_per_weight=0.5)
    assert quarter.model_bytes == half.model_bytes // 4
    assert quarter.kv_cache_bytes == half.kv_cache_bytes
    single = estimate_inference_memory(**MISTRAL, bytes_per_weight=4)
    assert single.kv_cache_bytes == 2 * half.kv_cache_bytes


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        ({"n_layers": 0}, ValueError, "n_layers must be positive, got 0"),
        ({"vocab_size": 3.5}, TypeError, "vocab_size must be an int, got float"),
        ({"n_heads": True}, TypeError, "n_heads must be an int, got bool"),
        ({"bytes_per_weight": 0}, ValueError, "bytes_per_weight"),
        ({"bytes_per_weight": float("nan")}, ValueError, "bytes_per_weight"),
        ({"bytes_per_weight": "2"}, TypeError, "bytes_per_weight must be a number, got str"),
        ({"n_heads": 33}, ValueError, "must divide"),
        ({"n_kv_heads": 5}, ValueError, "must divide"),
    ],
)
def test_bad_arguments(change, error, words):
    with pytest.raises(error, match=rf"^estimate_inference_memory: .*{words}"):
        estimate_inference_memory(**MISTRAL | change)
