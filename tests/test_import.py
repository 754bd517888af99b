"""The cost of importing Corepy, and what `import corepy as np` gives."""

import numpy
import pytest
from running import output_of
from strategies import assert_as_numpy

import corepy as np
from corepy.numpy._conditions import CONDITIONS

# NumPy, too, imports its transforms when they are first used.
OPTIONAL = """
    numpy.fft torch scipy array_api_strict cupy dask jax sklearn hypothesis pandas xarray einops
    cubed importlib.abc
""".split()


def test_nothing_optional_is_imported():
    code = f"""
import sys
import corepy, corepy.array_api as xp
x = xp.linspace(0, 1, 10)
repr(x + x), xp.sum(x), x[2], x[x > 0.5]
print([name for name in {OPTIONAL} if name in sys.modules])
"""
    assert output_of(code).strip() == "[]"


def test_docstrings_are_made_when_they_are_asked_for():
    code = """
import sys
import corepy
corepy.arange(3).sum(), corepy.arange(3).argsort(), corepy.median([1])
print("corepy.numpy._documentation" in sys.modules, end=" ")
corepy.ndarray.sum.__doc__
print("corepy.numpy._documentation" in sys.modules)
"""
    assert output_of(code).strip() == "False True"


def test_a_backend_is_loaded_when_its_device_is_first_used():
    code = """
import sys
import corepy
corepy.available_devices()
print("array_api_strict" in sys.modules, end=" ")
if any(device == "reference" for device in corepy.available_devices()):
    corepy.Tensor([1], device="reference")
    print("array_api_strict" in sys.modules)
else:
    print(True)
"""
    assert output_of(code).strip() == "False True"


@pytest.mark.parametrize(
    "statement",
    ["import corepy._cython.core", "import corepy.array_api.linalg", "import corepy.backend",
     "from corepy.array_api import fft", "import corepy.testing", "from corepy import *"],
)  # fmt: skip
def test_any_module_may_be_imported_first(statement):
    assert output_of(f"{statement}\nimport corepy; print(corepy.Tensor([1]).to('cpu'))") == "[1]\n"


@pytest.mark.parametrize(
    "before",
    [
        "importlib.reload(corepy)",
        "del sys.modules['corepy']; import corepy",
        "sys.path_importer_cache.clear()",
    ],
)
def test_modules_of_the_library_are_found_again(before):
    output_of(f"import importlib, sys, corepy; {before}; import corepy.strings; corepy.median")


def test_the_standard_comes_first():
    assert np.float32 == numpy.dtype("float32")
    for name in np.array_api.__all__:
        if name not in {"linalg", "fft"} and f"corepy.{name}" not in CONDITIONS:
            # Itself, or what lets NumPy's calls through as well.
            found = getattr(np, name)
            assert getattr(found, "__wrapped__", found) is getattr(np.array_api, name)
    assert np.linalg.svd.__wrapped__ is np.array_api.linalg.svd


def test_calls_that_only_numpy_allows():
    a = np.asarray([[3.0, 1.0, 5.0], [2.0, 4.0, 0.5]])
    b = numpy.asarray(a)
    for call in (
        lambda xp, x: xp.sum(x, 0),
        lambda xp, x: xp.mean(x, 1, keepdims=True),
        lambda xp, x: xp.std(x, ddof=1),
        lambda xp, x: xp.max(x, 0),
        lambda xp, x: xp.argmax(x, 1),
        lambda xp, x: xp.sort(x, 0),
        lambda xp, x: xp.where(x > 2)[1],
        lambda xp, x: xp.round(x / 3, 2),
        lambda xp, x: xp.squeeze(x[None]),
        lambda xp, x: xp.take(x, [0, 2], 1),
        lambda xp, x: xp.repeat(x, 2, 0),
        lambda xp, x: xp.roll(x, 1, 0),
        lambda xp, x: xp.stack([x, x], 1),
        lambda xp, x: xp.expand_dims(x, 0),
        lambda xp, x: xp.zeros((2, 3), xp.float32),
        lambda xp, x: xp.linalg.matrix_norm(x),
        lambda xp, x: xp.linalg.svd(x, False)[1],
    ):
        result = call(np, a)
        assert_as_numpy(result, call(numpy, b), ulp=4)
    # What neither allows is NumPy's error.
    for call in (lambda xp: xp.sum(a, no_such_argument=1), lambda xp: xp.argmax(a, axis="x")):
        with pytest.raises(TypeError):
            call(np)


def test_the_names_of_numpy_are_behind_it():
    a = np.asarray([[3.0, 1.0], [2.0, 4.0]])
    b = numpy.asarray(a)
    assert_as_numpy(np.concatenate([a, a]), numpy.concatenate([b, b]))
    assert_as_numpy(np.linalg.norm(a), numpy.linalg.norm(b))
    assert_as_numpy(np.median(a, axis=0), numpy.median(b, axis=0))
    assert_as_numpy(np.percentile(a, 30), numpy.percentile(b, 30))
    assert_as_numpy(np.array([1, 2]), numpy.array([1, 2]))
    assert_as_numpy(np.einsum("ij,jk->ik", a, a), b @ b)
    assert_as_numpy(np.fft.fft2(a), numpy.fft.fft2(b))
    assert_as_numpy(np.linspace(0, 1, 5), numpy.linspace(0, 1, 5))
    histogram, edges = np.histogram(a, bins=3)
    assert_as_numpy(histogram, numpy.histogram(b, bins=3)[0])
    assert_as_numpy(edges, numpy.histogram(b, bins=3)[1])
    assert np.allclose(a, a + 1e-12)
    assert np.shape(a) == (2, 2)
    assert np.pi == numpy.pi
    assert np.newaxis is None


def test_unknown_names():
    with pytest.raises(AttributeError, match="module 'corepy' has no attribute 'no_such_thing'"):
        np.no_such_thing
    with pytest.raises(AttributeError, match=r"module 'corepy.linalg' has no attribute 'nothing'"):
        np.linalg.nothing
    assert not hasattr(np, "__no_such_dunder__")


def test_dir_has_both():
    names = dir(np)
    assert {"Tensor", "namespace", "add", "concatenate", "random"} <= set(names)
    assert {"norm", "vector_norm"} <= set(dir(np.linalg))


def test_import_is_cheap():
    # What is imported beside NumPy; time is the benchmark's matter.
    code = """
import sys
import numpy
before = set(sys.modules)
import corepy
print(len({name for name in set(sys.modules) - before if not name.startswith(("corepy", "numpy"))}))
"""
    assert int(output_of(code).strip()) < 80


def test_version():
    assert np.__version__.count(".") >= 2
