"""The GPU backend over kernels that are compiled for the host: device ``host:0`` of these tests.

Where there is a GPU, tests that take `gpu` run on it, too.
"""

from __future__ import annotations

import contextlib
import importlib.util
import sys
from pathlib import Path

import pytest
from inference import with_inference

import corepy
from corepy.backend import registry

GPUS = [str(d) for d in corepy.available_devices() if str(d) in ("cuda:0", "rocm:0")]


def _host_device():
    name = "corepy_host_device"
    if name not in sys.modules:
        path = Path(__file__).parent / "host" / "device.py"
        spec = importlib.util.spec_from_file_location(name, path)
        sys.modules[name] = module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return sys.modules[name]


host_device = _host_device()
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
    with registered():
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

    Dtypes and shapes of its functions' results are compared with what is inferred of them.
    """
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


@pytest.fixture(scope="session")
def together(gpu):
    """Call functions, compiling the kernels of all of them in one go.

    ``together(calls)`` returns what each of the functions returns. They are called twice, and no
    kernel is run the first time: what they do must not depend on the elements of tensors.
    """
    backend = gpu.__array_namespace_info__().default_device().backend
    gathering = getattr(backend.runtime, "gathering", contextlib.nullcontext)

    def call_all(calls):
        with gathering():
            for call in calls:
                call()
        return [call() for call in calls]

    return call_all
