"""Examples in docstrings give the results shown, and links between documents exist."""

import doctest
import importlib
import importlib.util
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import corepy
from corepy import _environment
from corepy._cython.settings import set_defaults
from corepy.backend import registry

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
LINK = re.compile(r"\]\(([^)\s]+)\)")

#: Libraries -> the modules over them.
LIBRARIES = {
    "cupy": "corepy._gpu.cuda",
    "dask": "corepy.backend.dask.",
    "pyopencl": "corepy.backend.kernels.opencl",
    "wgpu": "corepy.backend.kernels.webgpu",
}


def name_of(path):
    return str(path.relative_to(ROOT))


def modules():
    """Import and return all modules of the package but pytest's plugin, which is run alone.

    What is over a library of `LIBRARIES` is among them where that is.
    """
    names = [module.name for module in pkgutil.walk_packages(corepy.__path__, "corepy.")]
    left_out = ["corepy.testing.interop_plugin", "corepy._native"]  # a library of many modules
    for library, begins in LIBRARIES.items():
        if importlib.util.find_spec(library) is None:
            left_out.append(begins)
    return [
        corepy,
        *(importlib.import_module(name) for name in names if not name.startswith(tuple(left_out))),
    ]


def docstrings():
    """Return the docstrings with examples, which have no names but those that they import."""
    finder = doctest.DocTestFinder()
    found = {}
    for module in modules():
        for test in finder.find(module, module.__name__, globs={}):
            if test.examples:
                found[test.name] = test
    return [pytest.param(test, id=name) for name, test in sorted(found.items())]


@pytest.fixture(autouse=True)
def unchanged(monkeypatch):
    """Undo what examples do to the process: backends that they register, settings."""
    monkeypatch.setattr(registry, "_loaded", dict(registry._loaded))
    monkeypatch.setattr(registry, "_devices", dict(registry._devices))
    with np.printoptions():
        yield
    set_defaults(_environment.DEFAULTS)


def anchors(path):
    """Return the anchors of a document's headings, as code hosts make them."""
    headings = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings]


def run_examples(test):
    report = []
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)
    runner.run(test, out=report.append)
    assert not runner.failures, "".join(report)
    assert runner.tries == len(test.examples)


@pytest.mark.parametrize("test", docstrings())
def test_examples_of_a_docstring(test):
    run_examples(test)


def test_examples_are_found():
    """Those of compiled pages and of the core too, or the tests above would test nothing."""
    found = {param.id for param in docstrings()}
    assert {
        "corepy._config.config",
        "corepy.Tensor",
        "corepy.array_api.creation_functions.arange",
    } <= found


@pytest.mark.skipif(not (ROOT / "setup.py").exists(), reason="links lead into the source tree")
@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_links_between_files(path):
    targets = [
        target.partition("#")
        for target in LINK.findall(path.read_text(encoding="utf-8"))
        if "://" not in target
    ]
    broken = []
    for file, hash_sign, anchor in targets:
        document = path.parent / file if file else path
        if not document.exists() or (hash_sign and anchor not in anchors(document)):
            broken.append(f"{file}{hash_sign}{anchor}")
    assert broken == []


@pytest.mark.skipif(not (ROOT / "setup.py").exists(), reason="the tool reads the source tree")
def test_the_table_of_numpy_names_is_current():
    """`tools/numpy_names.py` writes it; it has the names of one version of NumPy."""
    command = [sys.executable, str(ROOT / "tools" / "numpy_names.py"), "--check"]
    assert subprocess.run(command, capture_output=True, text=True).stderr == ""
