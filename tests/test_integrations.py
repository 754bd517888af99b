"""What importing Corepy changes in other libraries, and how that is switched off."""

import logging
import os
import subprocess
import sys
import textwrap
from types import ModuleType

import pytest

import corepy
from corepy import integrations

# What modules, and NumPy's types, have: by name, the identities of the objects.
SNAPSHOT = """
    import json, sqlite3, sys, numpy, numpy.testing, numpy.random, numpy.linalg
    import gc

    def snapshot():
        found = {name: {key: id(value) for key, value in vars(module).items()}
                 for name, module in list(sys.modules.items())
                 if module is not None and not name.startswith(("corepy", "sys", "__main__"))}
        for name in numpy._core.numerictypes.sctypeDict.values():
            found[name] = {key: id(value) for key, value in vars(name).items()}
        return found, list(sys.meta_path), gc.isenabled()

    before = snapshot()
    import corepy
    corepy.zeros(3).sum(), corepy.linalg.inv(corepy.eye(2))
    after = snapshot()
    changed = [(name, key) for name in before[0] for key, value in before[0][name].items()
               if after[0][name].get(key) != value]
    added = [(name, key) for name in before[0] for key in after[0][name].keys() - before[0][name]]
"""


def run(code, **environment):
    command = [sys.executable, "-c", textwrap.dedent(code)]
    done = subprocess.run(
        command, env=os.environ | environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_without_integrations_an_import_changes_nothing():
    code = (
        SNAPSHOT
        + """
    assert not changed, changed
    assert before[1:] == after[1:]
    # What NumPy and Python import of themselves when they are used is not of Corepy.
    ours = [(name, key) for name, key in added
            if "corepy" in repr(vars(sys.modules[name]).get(key, "")).lower()]
    assert not ours, ours
    assert not corepy.integrations.wanted()
    """
    )
    run(code, COREPY_INTEGRATIONS="0")


def test_with_integrations_an_import_changes_what_they_name():
    code = (
        SNAPSHOT
        + """
    assert not changed, changed
    assert [type(finder).__module__ for finder in after[1] if finder not in before[1]] == [
        "corepy._watch"]
    assert ("numpy.testing._private.utils", "isinstance") in added
    assert corepy.integrations.active() == ["numpy_testing"]
    """
    )
    run(code, COREPY_INTEGRATIONS="1")


def test_some_are_wanted():
    code = """
    import corepy
    assert corepy.integrations.wanted() == ["dask", "xarray"]
    """
    run(code, COREPY_INTEGRATIONS="xarray,dask")


def test_a_block_switches_them_off():
    module = ModuleType("library")
    module.double = lambda x: x * 2
    former = module.double
    integrations.prepare(module, "double", lambda x: x + 1)
    assert module.double(1) == 4
    with corepy.config(integrations=False):
        assert module.double(1) == 2
    assert module.double.__wrapped__ is former


def test_an_unknown_version_is_left_alone(monkeypatch, caplog):
    module = ModuleType("xarray.compat.array_api_compat")
    with caplog.at_level(logging.WARNING, "corepy"):
        integrations.complete_module(module)
    assert "xarray is not known to corepy.integrations" in caplog.text
    assert not {name for name in vars(module) if not name.startswith("__")}


@pytest.mark.parametrize("name", sorted(set(integrations.MODULES.values())))
def test_each_says_what_it_does(name):
    module = __import__(f"corepy.integrations.{name}", fromlist=["COMPLETE"])
    assert "Tested with" in module.__doc__
    assert set(module.COMPLETE) == {key for key, of in integrations.MODULES.items() if of == name}
