"""What the machine has: NVML, cgroups, sysfs and macOS are replaced by imitations."""

import ctypes
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from running import output_of

from corepy import _environment
from corepy._cython import core
from corepy.backend import _metal, _nvml, _rocm, machine

GIB = 2**30


class FakeGpu:
    """A GPU as NVML describes it; `parts` (MIG) are its own, `status` is that of its memory."""

    def __init__(self, uuid, name="Fake", total=80, free=60, capability=(9, 0), parts=None,
                 status=0, handle_status=0):  # fmt: skip
        self.uuid, self.name, self.total, self.free = uuid, name, total * GIB, free * GIB
        self.capability, self.parts = capability, parts
        self.status, self.handle_status = status, handle_status


class FakeNvml:
    """NVML's functions, called through ctypes' objects; a handle is an index into `objects`."""

    def __init__(self, *gpus, init=0):
        self.gpus, self.init, self.calls = gpus, init, []
        self.objects = {}
        for number, gpu in enumerate(
            [*gpus, *(part for each in gpus for part in each.parts or [])]
        ):
            self.objects[number + 1] = gpu

    def __getattr__(self, name):
        if not name.startswith("nvml"):
            raise AttributeError(name)

        def call(*args):
            self.calls.append(name)
            return getattr(self, f"_{name}")(*args)

        return call

    def _handle(self, gpu):
        return next(handle for handle, each in self.objects.items() if each is gpu)

    def _nvmlInit_v2(self):
        return self.init

    def _nvmlShutdown(self):
        return 0

    def _nvmlDeviceGetCount_v2(self, count):
        count._obj.value = len(self.gpus)
        return 0

    def _nvmlDeviceGetHandleByIndex_v2(self, index, handle):
        gpu = self.gpus[index.value]
        handle._obj.value = self._handle(gpu)
        return gpu.handle_status

    def _nvmlDeviceGetUUID(self, handle, buffer, size):
        buffer.value = self.objects[handle.value].uuid.encode()
        return 0

    def _nvmlDeviceGetName(self, handle, buffer, size):
        buffer.value = self.objects[handle.value].name.encode()
        return 0

    def _nvmlDeviceGetMigMode(self, handle, current, pending):
        parts = self.objects[handle.value].parts
        current._obj.value = parts is not None
        return 0

    def _nvmlDeviceGetMaxMigDeviceCount(self, handle, count):
        count._obj.value = 7
        return 0

    def _nvmlDeviceGetMigDeviceHandleByIndex(self, handle, index, part):
        parts = self.objects[handle.value].parts
        if index.value >= len(parts):
            return 6
        part._obj.value = self._handle(parts[index.value])
        return 0

    def _nvmlDeviceGetMemoryInfo(self, handle, memory):
        gpu = self.objects[handle.value]
        memory._obj.total, memory._obj.free = gpu.total, gpu.free
        return gpu.status

    def _nvmlDeviceGetCudaComputeCapability(self, handle, major, minor):
        gpu = self.objects[handle.value]
        major._obj.value, minor._obj.value = gpu.capability
        return 0


A, B, C = "GPU-aaaa1111-00", "GPU-aabb2222-00", "GPU-cccc3333-00"


def visible(monkeypatch, setting, *gpus):
    """The UUIDs of the GPUs that are listed with CUDA_VISIBLE_DEVICES."""
    if setting is None:
        monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    else:
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", setting)
    gpus = gpus or (FakeGpu(A, A), FakeGpu(B, B), FakeGpu(C, C))
    found = _nvml.gpus(FakeNvml(*gpus))
    assert [each.index for each in found] == list(range(len(found)))
    return [each.name for each in found]


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        (None, [A, B, C]),
        ("", []),
        ("  ", []),
        ("1", [B]),
        ("2,0", [C, A]),
        (" 2 , 0 ", [C, A]),
        ("0,7,1", [A]),
        ("-1", []),
        ("0,-1,1", [A]),
        ("1,1", []),
        ("no,0", []),
        (A, [A]),
        (f"{C},{A}", [C, A]),
        ("GPU-cc", [C]),
        ("GPU-aa", []),  # the beginning of two
        (f"GPU-ffff,{A}", []),
        ("MIG-1", []),
        ("1gpu,2", [B, C]),
    ],
)
def test_visible_devices(monkeypatch, setting, expected):
    assert visible(monkeypatch, setting) == expected


def test_parts_of_gpus(monkeypatch):
    parts = [FakeGpu("MIG-1", "one", total=10), FakeGpu("MIG-2", "two", total=20)]
    gpus = FakeGpu(A, A, parts=parts), FakeGpu(B, B), FakeGpu(C, C, parts=[])
    assert visible(monkeypatch, None, *gpus) == ["one", B]
    assert visible(monkeypatch, "MIG-2", *gpus) == ["two"]
    assert visible(monkeypatch, "MIG-2,1", *gpus) == ["two", B]
    assert visible(monkeypatch, "MIG-3", *gpus) == []
    assert visible(monkeypatch, "0", *gpus) == ["one"]
    assert visible(monkeypatch, "2,1", *gpus) == []


def test_properties_of_gpus(monkeypatch):
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    library = FakeNvml(FakeGpu(A, "H200", 141, 139), FakeGpu(B, "GB10", status=3))
    one, other = _nvml.gpus(library)
    assert one == machine.DeviceProperties(0, "H200", 141 * GIB, 139 * GIB, (9, 0), False, "cuda")
    assert other.unified_memory
    assert other.total_memory == _environment.usable_memory()
    assert other.free_memory is None
    assert library.calls[0] == "nvmlInit_v2"
    assert library.calls[-1] == "nvmlShutdown"


def test_gpus_that_may_not_be_used(monkeypatch):
    gpus = FakeGpu(A, A, handle_status=4), FakeGpu(B, B)
    assert visible(monkeypatch, None, *gpus) == [B]
    assert visible(monkeypatch, "1", *gpus) == [B]
    assert visible(monkeypatch, "0", *gpus) == []


def test_drivers_that_do_not_work(monkeypatch):
    assert _nvml.gpus(FakeNvml(init=9)) == []
    with pytest.raises(_nvml.NvmlError, match="nvmlInit_v2 returned 18"):
        _nvml.gpus(FakeNvml(init=18))
    monkeypatch.setattr(_nvml, "_load", lambda: FakeNvml(init=18))
    gpus, errors = machine.probe_gpus()
    assert gpus == []
    assert errors == {"cuda": "NvmlError: nvmlInit_v2 returned 18"}
    assert machine.detect_devices().gpu_count == 0
    library = FakeNvml(FakeGpu(A, status=999))
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    with pytest.raises(_nvml.NvmlError, match="999"):
        _nvml.gpus(library)
    assert library.calls[-1] == "nvmlShutdown"


STUB = r"""
#include <stdio.h>
#include <string.h>
typedef struct { unsigned long long total, free, used; } Memory;
static int gpus[2] = {0, 1};
int nvmlInit_v2(void) { return 0; }
int nvmlShutdown(void) { return 0; }
int nvmlDeviceGetCount_v2(unsigned* count) { *count = 2; return 0; }
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** handle) {
  *handle = &gpus[index];
  return 0;
}
int nvmlDeviceGetUUID(void* handle, char* text, unsigned size) {
  snprintf(text, size, "GPU-%d-of-stub", *(int*)handle);
  return 0;
}
int nvmlDeviceGetName(void* handle, char* text, unsigned size) {
  snprintf(text, size, "Stub %d", *(int*)handle);
  return 0;
}
int nvmlDeviceGetMigMode(void* handle, unsigned* current, unsigned* pending) { return 3; }
int nvmlDeviceGetMemoryInfo(void* handle, Memory* memory) {
  memory->total = 48ull << 30;
  memory->free = 40ull << 30;
  memory->used = 8ull << 30;
  return 0;
}
int nvmlDeviceGetCudaComputeCapability(void* handle, int* major, int* minor) {
  *major = 8;
  *minor = 6;
  return 0;
}
"""


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_a_library_in_c(monkeypatch, tmp_path):
    source, library = tmp_path / "stub.c", tmp_path / "libnvidia-ml.so.1"
    source.write_text(STUB)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
    monkeypatch.setattr(_nvml, "_LIBRARY", str(library))
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "GPU-1")
    info = machine.detect_devices()
    assert (info.gpu_count, info.gpu_names, info.gpu_memory_bytes) == (1, ("Stub 1",), (48 * GIB,))
    expected = machine.DeviceProperties(0, "Stub 1", 48 * GIB, 40 * GIB, (8, 6), False, "cuda")
    assert info.devices[1:] == (expected,)


# ---- AMD


def make_node(root, number, *, product=None, vram=None, used=None, banks=(), **properties):
    node = root / "nodes" / str(number)
    node.mkdir(parents=True)
    (node / "name").write_text(f"gfx{number}\n")
    lines = "".join(f"{name} {value}\n" for name, value in properties.items())
    (node / "properties").write_text(lines)
    for place, (kind, size) in enumerate(banks):
        (node / "mem_banks" / str(place)).mkdir(parents=True)
        (node / "mem_banks" / str(place) / "properties").write_text(
            f"heap_type {kind}\nsize_in_bytes {size}\nflags 0\n"
        )
    if "drm_render_minor" in properties:
        card = root / "drm" / f"renderD{properties['drm_render_minor']}" / "device"
        card.mkdir(parents=True)
        for name, value in [("product_name", product), ("mem_info_vram_total", vram),
                            ("mem_info_vram_used", used)]:  # fmt: skip
            if value is not None:
                (card / name).write_text(f"{value}\n")


@pytest.fixture
def sysfs(monkeypatch, tmp_path):
    for name in ("ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(_rocm, "_NODES", tmp_path / "nodes")
    monkeypatch.setattr(_rocm, "_CARDS", tmp_path / "drm")
    make_node(tmp_path, 0, cpu_cores_count=64, simd_count=0)
    make_node(tmp_path, 1, simd_count=440, gfx_target_version=90402, drm_render_minor=128,
              unique_id=0xABC, product="Instinct", vram=192 * GIB, used=2 * GIB)  # fmt: skip
    make_node(tmp_path, 2, simd_count=440, gfx_target_version=90010, drm_render_minor=129,
              unique_id=0xDEF, banks=[(1, 60 * GIB), (2, 4 * GIB), (0, GIB)])  # fmt: skip
    make_node(tmp_path, 10, simd_count=20, cpu_cores_count=8, gfx_target_version=110003)
    return tmp_path


def test_gpus_of_amd(sysfs):
    one, other, shared = _rocm.gpus()
    expected = (0, "Instinct", 192 * GIB, 190 * GIB, (9, 4), False, "rocm")
    assert one == machine.DeviceProperties(*expected)
    assert other == machine.DeviceProperties(1, "gfx2", 64 * GIB, None, (9, 0), False, "rocm")
    assert shared.unified_memory
    assert shared.total_memory == _environment.usable_memory()
    assert shared.compute_capability == (11, 0)


@pytest.mark.parametrize(
    ("variable", "setting", "expected"),
    [
        ("ROCR_VISIBLE_DEVICES", "", []),
        ("ROCR_VISIBLE_DEVICES", "1,0", ["gfx2", "Instinct"]),
        ("ROCR_VISIBLE_DEVICES", "GPU-0000000000000def", ["gfx2"]),
        ("ROCR_VISIBLE_DEVICES", "0,9,1", ["Instinct"]),
        ("HIP_VISIBLE_DEVICES", "1", ["gfx2"]),
        ("CUDA_VISIBLE_DEVICES", "0", ["Instinct"]),
    ],
)
def test_visible_gpus_of_amd(monkeypatch, sysfs, variable, setting, expected):
    monkeypatch.setenv(variable, setting)
    assert [gpu.name for gpu in _rocm.gpus()] == expected


def test_sysfs_without_permission(monkeypatch, sysfs):
    (sysfs / "nodes" / "1" / "properties").unlink()  # as for GPUs of other control groups
    assert [gpu.name for gpu in _rocm.gpus()] == ["gfx2", "gfx10"]
    monkeypatch.setattr(_rocm, "_NODES", sysfs / "nothing")
    assert _rocm.gpus() == []


# ---- Apple


def test_gpus_of_macos(monkeypatch):
    cards = [
        {"sppci_model": "Apple M3", "spdisplays_mtlgpufamilysupport": "spdisplays_metal3"},
        {"sppci_model": "old", "spdisplays_metal": "spdisplays_notsupported"},
        {"sppci_model": "Radeon", "spdisplays_metal": "spdisplays_supported",
         "spdisplays_vram": "4 GB"},
    ]  # fmt: skip
    answers = {"hw.memsize": "17179869184\n", "hw.optional.arm64": "1\n"}

    def run(command, **options):
        text = answers.get(command[-1], json.dumps({"SPDisplaysDataType": cards}))
        return SimpleNamespace(returncode=0, stdout=text)

    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(subprocess, "run", run)
    _metal._listed.cache_clear()
    apple, radeon = _metal.gpus()
    assert apple == machine.DeviceProperties(0, "Apple M3", 16 * GIB, None, None, True, "metal")
    answers.clear()
    answers["hw.optional.arm64"] = ""
    _metal._listed.cache_clear()
    _, radeon = _metal.gpus()
    _metal._listed.cache_clear()
    assert (radeon.name, radeon.total_memory, radeon.unified_memory) == ("Radeon", 4 * GIB, False)


# ---- CPU and memory


def make_group(monkeypatch, tmp_path, lines, files):
    (tmp_path / "cgroup").write_text(lines)
    for name, text in files.items():
        file = tmp_path / "root" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    monkeypatch.setattr(_environment, "_GROUPS", tmp_path / "cgroup")
    monkeypatch.setattr(_environment, "_ROOT", tmp_path / "root")


@pytest.mark.parametrize("version", [1, 2])
def test_limits_of_control_groups(monkeypatch, tmp_path, version):
    if version == 2:
        files = {
            "a/memory.max": "max", "a/b/memory.max": f"{GIB}\n",
            "a/b/memory.current": f"{GIB // 2}\n",
            "a/b/memory.stat": f"anon 1\ninactive_file {GIB // 4}\n", "a/cpu.max": "150000 100000",
        }  # fmt: skip
        make_group(monkeypatch, tmp_path, "0::/a/b\n", files)
    else:
        files = {
            "memory/a/memory.limit_in_bytes": f"{GIB}\n",
            "memory/a/memory.usage_in_bytes": f"{GIB // 2}\n",
            "memory/a/memory.stat": f"inactive_file 1\ntotal_inactive_file {GIB // 4}\n",
            "memory/memory.limit_in_bytes": "9223372036854771712\n",
            "cpu/a/cpu.cfs_quota_us": "150000", "cpu/a/cpu.cfs_period_us": "100000",
        }  # fmt: skip
        make_group(monkeypatch, tmp_path, "4:memory:/a/b\n3:cpu,cpuacct:/a\n", files)
    assert _environment.usable_memory() == GIB
    info = machine.detect_devices()
    assert info.memory_limit_bytes == info.devices[0].total_memory == GIB
    assert info.devices[0].free_memory == min(GIB * 3 // 4, machine.cpu_properties().free_memory)
    assert info.devices[0].free_memory <= GIB * 3 // 4
    assert info.cpu_cores == min(2, len(os.sched_getaffinity(0)))


def test_affinity():
    before = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(before)})
        assert machine.detect_devices().cpu_cores == 1
    finally:
        os.sched_setaffinity(0, before)


def test_instruction_sets_are_the_processors():
    info = machine.detect_devices()
    assert (info.has_avx2, info.has_avx512, info.has_neon) == tuple(
        map(core.simd_supported, ("avx2", "avx512", "neon"))
    )
    for name, has in [("avx2", info.has_avx2), ("avx512", info.has_avx512)]:
        if name in core.simd_levels():
            assert has
    file = Path("/proc/cpuinfo")
    flags = file.read_text() if file.exists() else ""
    if "flags" in flags:
        assert info.has_avx2 == (" avx2 " in flags)
        assert info.has_avx512 == (" avx512bw " in flags)


def test_the_machine():
    info = machine.detect_devices()
    assert info.platform_system in ("Linux", "Darwin")
    assert info.gpu_count == len(info.gpu_names) == len(info.gpu_memory_bytes)
    assert len(info.devices) == 1 + info.gpu_count
    assert info.devices[0].backend == "cpu"
    with pytest.raises(AttributeError):
        info.cpu_cores = 3


def test_forced_backend(monkeypatch):
    monkeypatch.delenv("COREPY_BACKEND", raising=False)
    assert machine.detect_devices().forced_backend is None
    monkeypatch.setenv("COREPY_BACKEND", "reference")
    assert machine.detect_devices().forced_backend == "reference"


def test_time_without_gpus(monkeypatch):
    monkeypatch.setattr(_nvml, "_load", lambda: None)
    times = []
    for _ in range(5):
        begin = time.perf_counter()
        machine.detect_devices()
        times.append(time.perf_counter() - begin)
    assert min(times) < 0.05


def test_nothing_of_cuda_is_loaded():
    code = """
import sys
from corepy.backend import detect_devices
detect_devices()
print(sorted(name for name in ("cupy", "torch", "subprocess") if name in sys.modules))
if sys.platform == "linux":
    print("libcuda.so" in open("/proc/self/maps").read())
"""
    assert output_of(code).split("\n")[:2] == ["[]", "False"]


def test_ctypes_structures():
    assert ctypes.sizeof(_nvml._Memory) == 24
