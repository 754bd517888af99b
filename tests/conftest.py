"""Shared by all tests: Hypothesis profiles, and fixtures that run a test on every device."""

import gc
import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.database import DirectoryBasedExampleDatabase

import corepy
from corepy import _environment
from corepy._cython.settings import set_defaults

# With pytest's importlib mode, the tests' own helpers (strategies.py) are found like this only.
sys.path.insert(0, str(Path(__file__).parent))

_RELAXED = {
    "deadline": None,  # the machine may be busy with other tests
    "suppress_health_check": [HealthCheck.too_slow, HealthCheck.data_too_large],
    # Hypothesis' own profile for CI has no database and is derandomised. Its pytest plugin gives a
    # parametrised test one more parent settings object each time it runs, and without a database
    # all of them are asked for theirs, until the stack is full. .ci/run passes a seed instead.
    "database": DirectoryBasedExampleDatabase(Path(__file__).parents[1] / ".hypothesis/examples"),
    "derandomize": False,
}
settings.register_profile("default", max_examples=50, **_RELAXED)
settings.register_profile("quick", max_examples=10, **_RELAXED)
settings.register_profile("thorough", max_examples=1000, **_RELAXED)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

#: Folders whose tests are all slow: they start processes, or stress what others test once.
SLOW = ("benchmarks", "robustness", "tools")
#: What takes longest comes first, so that no process is left with it at the end.
FIRST = ("test_schema.py", "test_compile.py")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    for item in items:
        if item.path.relative_to(Path(__file__).parent).parts[0] in SLOW:
            item.add_marker(pytest.mark.slow)
    items.sort(key=lambda item: item.path.name not in FIRST)


def pytest_collection_finish():
    """Leave the tests themselves, of which there are many, out of what `gc.collect` walks over."""
    gc.collect()
    gc.freeze()


@pytest.fixture(params=[str(device) for device in corepy.available_devices()])
def device(request):
    """The name of a device; the test runs on each that there is."""
    return request.param


@pytest.fixture
def xp(device):
    """The standard's namespace of `device`."""
    return corepy.namespace(device)


@pytest.fixture
def not_deferring():
    """Operations are computed at once, whatever the environment says; settings change back."""
    corepy.set_config(fusion=False, fusion_threshold=32768)
    yield
    set_defaults(_environment.DEFAULTS)
