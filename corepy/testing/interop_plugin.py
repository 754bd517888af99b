"""Pytest plugin that puts Corepy into the array API tests of SciPy and scikit-learn.

Both libraries come with tests that run over "every" array library, but the list of libraries is
written out in each of them. This plugin puts one namespace in that list's place::

    SCIPY_ARRAY_API=1 python -m pytest -p corepy.testing.interop_plugin \\
        --pyargs scipy.fft -m array_api_backends
    SCIPY_ARRAY_API=1 python -m pytest -p corepy.testing.interop_plugin \\
        --pyargs sklearn -k array_api

It registers a namespace and changes nothing else: no test is skipped or expected to fail here, and
no helper of the two libraries treats Corepy specially: it is an unknown array library to them.
``docs/interop.md`` has the details for each suite.

Options
-------
--interop-namespace : str
    Importable name of the namespace under test, ``corepy.array_api`` by default. Another
    library's name runs the same tests on that library, for comparison.
--interop-device : str
    Corepy device under test, ``cpu`` by default. Only with Corepy's own namespace.
--interop-sample : int
    Run one test in this many, the same ones each time.
--interop-report : path
    Write counts and failures to this file, as JSON.
"""

from __future__ import annotations

import functools
import importlib
import json
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

COREPY = "corepy.array_api"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the plugin's options."""
    add = parser.getgroup("interop", "Corepy in the suites of SciPy and scikit-learn").addoption
    add("--interop-namespace", default=COREPY, help="namespace under test")
    add("--interop-device", default="cpu", help="Corepy device under test")
    add("--interop-sample", type=int, default=1, metavar="N", help="run one test in N")
    add("--interop-report", metavar="PATH", help="write the outcome to this file, as JSON")


def pytest_configure(config: pytest.Config) -> None:
    """Register the plugin that knows the options' values."""
    name = config.getoption("--interop-namespace")
    device = config.getoption("--interop-device")
    if device != "cpu" and name != COREPY:
        raise pytest.UsageError(f"--interop-device={device} needs --interop-namespace={COREPY}")
    config.pluginmanager.register(Interop(name, device), "corepy-interop")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep one test in N, the same ones in every run and on every device."""
    step = config.getoption("--interop-sample")
    name = config.pluginmanager.getplugin("corepy-interop").namespace.__name__

    def number(item: pytest.Item) -> int:
        return zlib.crc32(item.nodeid.replace(name, "").encode())

    items[:] = [item for item in items if number(item) % step == 0]


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write the report, in the process that has all results."""
    config = session.config
    path = config.getoption("--interop-report")
    if path is None or hasattr(config, "workerinput"):
        return
    stats = config.pluginmanager.getplugin("terminalreporter").stats
    outcomes = ("passed", "failed", "error", "skipped", "xfailed", "xpassed")
    failures = {
        report.nodeid: getattr(getattr(report.longrepr, "reprcrash", None), "message", "")
        or str(report.longrepr)
        for outcome in ("failed", "error")
        for report in stats.get(outcome, [])
    }
    result = {
        "counts": {outcome: len(stats.get(outcome, [])) for outcome in outcomes},
        "failures": {node: text.partition("\n")[0] for node, text in failures.items()},
    }
    Path(path).write_text(json.dumps(result, indent=1))


class Interop:
    """Places a namespace into the suites as their conftest modules are registered.

    A conftest is registered after it was imported and before anything is collected: by then the
    lists of libraries exist, and no test has been parametrised with them yet.

    Parameters
    ----------
    name : str
        Importable name of the namespace under test.
    device : str
        Corepy device under test.
    """

    def __init__(self, name: str, device: str):
        self.device: str | None = device
        if name == COREPY:
            self.namespace = importlib.import_module("corepy").namespace(device)
        else:
            # Both libraries skip, mark and treat libraries that they know by their names.
            # A library that replaces Corepy must be one that they do not know.
            self.device = None
            self.namespace = importlib.import_module(name)
            for extension in ("linalg", "fft"):  # found by the module's name if imported later
                setattr(self.namespace, extension, getattr(self.namespace, extension))
            self.namespace.__name__ = f"interop.{name}"

    @pytest.hookimpl(tryfirst=True)
    def pytest_plugin_registered(self, plugin: Any) -> None:
        """Place the namespace if `plugin` is the conftest of one of the two libraries."""
        module = getattr(plugin, "__name__", None)
        if module == "scipy.conftest":
            place_in_scipy(plugin, self.namespace)
        elif module == "sklearn.conftest":
            place_in_sklearn(self.namespace, self.device)


def place_in_scipy(conftest: Any, namespace: Any) -> None:
    """Make `namespace` the only array library that SciPy's ``xp`` fixture yields.

    Parameters
    ----------
    conftest : module
        ``scipy.conftest``.
    namespace : module
        The namespace under test.
    """
    name = namespace.__name__
    param = pytest.param(namespace, id=name, marks=pytest.mark.array_api_backends)
    conftest.xp_available_backends[:] = [param]
    # Marks that are about every library but NumPy apply to the libraries in this set.
    conftest.xp_known_backends.add(name)
    if not in_host_memory(namespace.empty(0)):
        # Tests of SciPy's compiled CPU code are skipped, as for every such library.
        conftest.xp_skip_cpu_only_backends.add(name)
    # The fixture keeps the list that it was made with, so it is made again from its function.
    conftest.xp = pytest.fixture(params=[param])(conftest.xp.__wrapped__)

    # SciPy's fixture appends to the result of devices(), as to a list. It was a list until
    # revision 2025.12 of the standard made it a tuple.
    @pytest.fixture
    def devices(xp: Any) -> list[Any]:
        return [*xp.__array_namespace_info__().devices(), None]

    conftest.devices = devices


def in_host_memory(x: Any) -> bool:
    """Say whether NumPy can see the data of an array."""
    try:
        np.asarray(x)
    except (TypeError, ValueError, RuntimeError):
        return False
    return True


def place_in_sklearn(namespace: ModuleType, device: str | None) -> None:
    """Make `namespace` the only one that scikit-learn's tests are run with.

    Each test runs with float64 and with float32.

    Parameters
    ----------
    namespace : module
        The namespace under test.
    device : str or None
        Its device, None for its default device.
    """
    from sklearn.utils import _array_api, estimator_checks

    # The tests know namespaces by name and import them; one for a device is not a module file.
    name = namespace.__name__
    sys.modules.setdefault(name, namespace)

    def yield_namespaces(include_numpy_namespaces: bool = True) -> Iterator[str]:
        yield name

    def yield_namespace_device_dtype_combinations(
        include_numpy_namespaces: bool = True,
    ) -> Iterator[tuple[str, str | None, str]]:
        for dtype_name in ("float64", "float32"):
            yield name, device, dtype_name

    def yield_mixed_namespace_input_permutations() -> Iterator[tuple[Any, Any, str]]:
        tested = _array_api.NamespaceAndDevice(name, device)
        for other in (("numpy", None), ("torch", "cpu")):
            pair = _array_api.NamespaceAndDevice(*other)
            yield pair, tested, f"{other[0]} to {name}"
            yield tested, pair, f"{name} to {other[0]}"

    for function in (
        yield_namespaces,
        yield_namespace_device_dtype_combinations,
        yield_mixed_namespace_input_permutations,
    ):
        for module in (_array_api, estimator_checks):
            if hasattr(module, function.__name__):
                setattr(module, function.__name__, function)

    # One check of every estimator is written for array-api-strict, as any namespace would do.
    check = estimator_checks.check_array_api_same_namespace

    @functools.wraps(check)
    def check_array_api_same_namespace(
        estimator_name: str, estimator: Any, array_namespace: str, **options: Any
    ) -> None:
        check(estimator_name, estimator, array_namespace=name, **options)

    estimator_checks.check_array_api_same_namespace = check_array_api_same_namespace
