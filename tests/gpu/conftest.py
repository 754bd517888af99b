"""The GPU backend over kernels that are compiled for the host: device ``host:0`` of these tests.

Where there is a GPU, tests that take `gpu` run on it, too.
"""

from __future__ import annotations

import contextlib
import os
import re
from pathlib import Path

import pytest
from agreement import Agree
from inference import with_inference
from running import known_module_from

import corepy
from corepy._gpu.backend import GpuBackend
from corepy.backend import registry
from corepy.backend.corrections import corrections_for

GPUS = [str(d) for d in corepy.available_devices() if str(d) in ("cuda:0", "rocm:0")]


host_device = known_module_from(Path(__file__).parent / "host" / "device.py")
BACKEND = host_device.BACKEND


@contextlib.contextmanager
def registered():
    """Have the backend in the registry; tests beside these find it without."""
    loaded, devices = dict(registry._loaded), dict(registry._devices)
    host_device.register()
    yield
    for known, before in ((registry._loaded, loaded), (registry._devices, devices)):
        known.clear()
        known.update(before)


@pytest.fixture(autouse=True)
def _registered():
    # Errors are compared where they are raised on the CPU; test_reports.py has the other setting.
    with registered(), corepy.config(check_indices="now"):
        yield


@pytest.fixture(scope="session")
def backend():
    """The backend whose kernels run on the host."""
    return BACKEND


@pytest.fixture(
    scope="session",
    params=[
        pytest.param("host:0", marks=pytest.mark.slow),  # most of its kernels are yet to compile
        *[pytest.param(name, marks=pytest.mark.gpu) for name in GPUS],
    ],
)
def gpu(request):
    """The standard's namespace of a device whose kernels run on the host, or of a GPU.

    Dtypes and shapes of its functions' results are compared with what is inferred of them. With
    COREPY_RAW_MEMORY, which `make gpu-check` sets for compute-sanitizer, each array of a GPU has
    memory of its own, so that what lies beside it is not another array's.
    """
    if request.param in GPUS and os.environ.get("COREPY_RAW_MEMORY"):
        import cupy

        cupy.cuda.set_allocator(None)
    with registered():
        return with_inference(corepy.namespace(request.param))


@pytest.fixture
def set_blocks(gpu):
    """Call it with the most blocks that a launch is to have; afterwards it is as before."""
    backend = gpu.__array_namespace_info__().default_device().backend
    backend.devices()  # loads the runtime
    before = list(backend.blocks)

    def set_most(blocks):
        backend.blocks[:] = [blocks] * len(before)

    yield set_most
    backend.blocks[:] = before


#: NDIM, in Box also VECTOR, and WIDE.
NARROW = re.compile(r"([<,] ?(?:2|4|8|64)(?:, (?:true|false))?, )false(?=[,>])")
FAMILIES = ("Box", "Compact", "FillMask", "Gather", "Scatter", "Transpose")


@pytest.fixture(scope="session")
def many(backend):
    """The namespace of a device whose kernels are those for more elements than 2^31."""
    runtime = type(backend.runtime)()
    kernel = runtime.kernel

    def wide_kernel(expression, device):
        if expression.startswith(tuple(f"corepy::{family}<" for family in FAMILIES)):
            expression, count = NARROW.subn(r"\1true", expression, count=1)
            assert count
        return kernel(expression, device)

    runtime.kernel = wide_kernel
    made = GpuBackend("many", lambda: runtime, "numpy", lambda: corrections_for("numpy"))
    with registered():
        registry.register_backend(made.name, made)
        return corepy.namespace("many:0")


@pytest.fixture
def agree_at_once(gpu):
    """Call it to compare a call on the GPU with the same one on the CPU."""
    return Agree(gpu)


@pytest.fixture(scope="session")
def gathering(gpu):
    """A context in which kernels are compiled, together at its end, and none is run."""
    runtime = gpu.__array_namespace_info__().default_device().backend.runtime
    return getattr(runtime, "gathering", contextlib.nullcontext)


@pytest.fixture
def agree(gpu, gathering):
    """The same for calls that do not depend on elements of tensors: compared after the test."""
    noted = Agree(gpu, gathering)
    yield noted
    noted.check()
