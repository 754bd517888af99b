"""Backends of installed packages, by entry points in the group ``corepy.backends``."""

import os
from pathlib import Path

import pytest
from running import output_of

ROOT = Path(__file__).parents[2]

MODULE = """
import numpy as np
from corepy.backend import Backend

print("imported")

class Doubling(Backend):
    def execute(self, operation, inputs, params=None):
        if operation != "add":
            raise NotImplementedError(f"{operation}: not here")
        x1, x2 = map(self.unwrap, inputs)
        return self.from_numpy(2 * (x1 + x2), self.devices()[0])

def make():
    return Doubling()

instance = Doubling()
not_one = 3.5

def failing():
    raise OSError("no licence")

def wrong():
    return "a backend"
"""

ENTRY_POINTS = """
[corepy.backends]
of-class = offering:Doubling
of-function = offering:make
of-instance = offering:instance
cpu = offering:instance
failing = offering:failing
wrong = offering:wrong
not-one = offering:not_one
absent = offering:no_such_name
no-module = no_such_module:backend
"""


@pytest.fixture
def installed(tmp_path):
    """Return a function that runs code where a package with these entry points is installed."""
    (tmp_path / "offering.py").write_text(MODULE)
    information = tmp_path / "offering-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: offering\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text(ENTRY_POINTS)
    path = os.pathsep.join([str(tmp_path), str(ROOT), os.environ.get("PYTHONPATH", "")])
    return lambda code: output_of(code, PYTHONPATH=path).splitlines()


@pytest.mark.parametrize("name", ["of-class", "of-function", "of-instance"])
def test_a_backend_of_a_package(installed, name):
    printed = installed(f"""
import corepy
import corepy.array_api as xp
from corepy.backend import get_backend
xp.ones(3)
print("not yet used")
x = xp.asarray([1.0, 2.0], device={name!r})
print(x + x, x.device, get_backend({name!r}).name)
with corepy.config(fallback="silent"):
    print(xp.sqrt(x * 0).device)
assert get_backend({name!r}) is x.device.backend
print({name!r} in corepy.available_devices())
""")
    assert printed == ["not yet used", "imported", f"[4. 8.] {name} {name}", name, "True"]


def test_names_of_packages_are_taken(installed):
    printed = installed("""
from corepy.backend import get_backend, register_backend
from corepy.backend.registry import backend_names
print(type(get_backend("cpu")).__name__)
print(backend_names().count("cpu"))
from offering import Doubling
try:
    register_backend("of-class", Doubling())
except ValueError as error:
    print(error)
""")
    assert printed == [
        "CpuBackend", "1", "imported",
        "register_backend: there is a backend named 'of-class' already",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("failing", "OSError: no licence"),
        ("wrong", "TypeError: entry point 'wrong' must give a Backend, got str"),
        ("not-one", "TypeError: "),
        ("absent", "AttributeError: "),
        ("no-module", "ModuleNotFoundError: No module named 'no_such_module'"),
    ],
)
def test_a_package_that_fails_harms_no_other(installed, name, reason):
    printed = installed(f"""
import corepy
try:
    corepy.zeros(1, device={name!r})
except ValueError as error:
    print(error)
print("cpu" in corepy.available_devices(), "of-class" in corepy.available_devices())
""")
    text = "\n".join(printed)
    assert f"zeros: there is no device {name!r} here (backend {name!r} failed: {reason}" in text
    assert "available: 'cpu'" in text
    assert printed[-1] == "True True"


def test_nothing_is_listed_at_import(installed):
    """`importlib.metadata` takes time."""
    (printed,) = installed("""
import sys
import corepy
print("offering" in sys.modules, corepy.zeros(2, device="cpu").device)
""")
    assert printed == "False cpu"
