"""The documentation's API reference has every public name, and its links are checked."""

import sys
from pathlib import Path

import pytest

import corepy
from corepy import array_api

ROOT = Path(__file__).resolve().parent.parent

pytestmark = pytest.mark.skipif(
    not (ROOT / "docs" / "_ext").exists(), reason="the documentation is in the source tree"
)


@pytest.fixture(scope="module")
def reference():
    pytest.importorskip("numpydoc")
    pytest.importorskip("sphinx")
    sys.path.insert(0, str(ROOT / "docs" / "_ext"))
    try:
        import reference
    finally:
        sys.path.pop(0)
    return reference


@pytest.fixture(scope="module")
def pages(reference):
    return reference.pages()


def functions(module):
    return [n for n in module.__all__ if n[:2] != "__" and callable(getattr(module, n))]


@pytest.mark.parametrize(
    "module",
    [array_api, array_api.linalg, array_api.fft, corepy.backend, corepy.lazy, corepy.testing],
    ids=lambda module: module.__name__,
)
def test_public_names_have_a_page(module, reference, pages):
    for name in functions(module):
        value, path = getattr(module, name), f"{module.__name__}.{name}"
        if not (isinstance(value, type) and value.__module__ == "numpy"):  # dtypes are in a table
            known = {path, reference.ALIASES.get(path), f"corepy.{name}"}
            assert known & {*pages}, path


def test_pages_say_what_computes(pages):
    assert "- Devices: `cpu`, `cuda`, `opencl`, `webgpu`: native." in pages["corepy.sum"]
    assert "- Deferred (:doc:`/fusion`): yes." in pages["corepy.array_api.add"]
    assert "- Deferred (:doc:`/fusion`): no." in pages["corepy.array_api.sort"]
    assert "Computed by :py:func:`corepy.array_api.linalg.svd`" in pages["corepy.linalg.svd"]
    assert "Computed by Corepy's own function" in pages["corepy.cov"]
    assert "Computed by NumPy over the tensors' memory" in pages["corepy.ma.sum"]


def test_pages_link_to_the_standard(pages):
    address = "https://data-apis.org/array-api/2025.12"
    assert (
        f"{address}/API_specification/generated/array_api.sum.html" in pages["corepy.array_api.sum"]
    )
    assert (
        f"{address}/extensions/generated/array_api.fft.fft.html"
        in pages["corepy.array_api.fft.fft"]
    )


def test_broken_links_are_found(tmp_path):
    sys.path.insert(0, str(ROOT / "tools"))
    try:
        from check_links import broken
    finally:
        sys.path.pop(0)
    (tmp_path / "a.html").write_text(
        '<a href="b.html#there">1</a> <a href="b.html#gone">2</a> <img src="c.png">'
        '<a href="https://example.org/x">3</a> <a href="#top">4</a><p id="top">'
        '<a href="#/script">5</a>'
    )
    (tmp_path / "b.html").write_text('<h1 id="there">b</h1>')
    assert broken(tmp_path) == ["a.html: b.html#gone", "a.html: c.png"]
