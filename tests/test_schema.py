"""A row of the schema is an operation everywhere: a made-up one is added to a copy of the tree."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
pytestmark = pytest.mark.skipif(not (ROOT / "setup.py").exists(), reason="builds the source tree")
CORE = "corepy/_cython"

#: Files, what is looked for in them, and what is put before it.
ADDED = {
    f"{CORE}/schema/operations/elementwise_functions.def": (
        "// Real part of each element.",
        """// Multiply each element by four.
// Returns: The products
OPERATION(quadruple, unary, (x, /), numeric, same, same)

""",
    ),
    f"{CORE}/kernels/simd/arithmetic.cpp": (
        "COREPY_UNARY(Negative, -a)",
        "COREPY_UNARY(Quadruple, (a + a) + (a + a))\n",
    ),
    "corepy/_gpu/kernels/arithmetic.cuh": (
        "COREPY_FUNCTOR(T, negative, T x) {",
        """COREPY_FUNCTOR(T, quadruple, T x) { return add<T>()(add<T>()(x, x), add<T>()(x, x)); }

""",
    ),
}
#: Where the CPU's functor is entered, for each group of dtypes, and what is put behind it.
ENTERED = {
    "unary_loop<Square, T, T>);": "\n  set<T>(kernels, OP_quadruple, unary_loop<Quadruple, T, T>);",
    "unary_loop<Square, A, A>);": "\n  set<C>(kernels, OP_quadruple, unary_loop<Quadruple, R, R>);",
    "OP_negative, OP_square": ", OP_quadruple",
}

CHECK = """
import importlib.util, sys
import numpy as np
import corepy, corepy.array_api as xp
from corepy.backend import infer

spec = importlib.util.spec_from_file_location("host_device", "tests/gpu/host/device.py")
host = importlib.util.module_from_spec(spec)
spec.loader.exec_module(host)
host.register()
assert "quadruple" in xp.__all__
assert "The products, of the dtype of ``x``.\\n\\n    Raises\\n" in xp.quadruple.__doc__
assert "quadruple" in corepy._cython.core.named_operations()
assert infer("quadruple", (xp.ones((2, 3), dtype=xp.float32),)) == (np.dtype("float32"), (2, 3))
for dtype in ("int8", "uint16", "int32", "uint64", "float32", "float64", "complex64"):
    x = np.arange(-3, 300).astype(dtype)
    for device in ("cpu",) + (("host:0",) if dtype in ("int32", "float64", "complex64") else ()):
        result = xp.quadruple(xp.asarray(x, device=device))
        assert result.dtype == dtype and str(result.device) == device
        assert np.array_equal(np.asarray(result.to_device("cpu")), x * np.asarray(4, dtype)), dtype
try:
    xp.quadruple(xp.asarray([True]))
except TypeError as error:
    assert str(error) == "quadruple: dtype bool is not supported; allowed: numeric dtypes", error
print("quadruple works")
"""


def run(tree, *command, **environment):
    """Run Python in the copy of the tree and return what it prints."""
    done = subprocess.run(
        [sys.executable, *command],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": str(tree), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    tree = tmp_path_factory.mktemp("tree")
    ignored = shutil.ignore_patterns("*.so", "__pycache__")
    for name in ("corepy", "docs", "tests"):
        shutil.copytree(ROOT / name, tree / name, ignore=ignored)
    for name in ("setup.py", "pyproject.toml", "README.md"):
        shutil.copy2(ROOT / name, tree / name)
    for name, (before, text) in ADDED.items():
        path = tree / name
        source = path.read_text()
        assert source.count(before) == 1, name
        path.write_text(source.replace(before, text + before))
    path = tree / f"{CORE}/kernels/simd/arithmetic.cpp"
    source = path.read_text()
    for before, text in ENTERED.items():
        assert source.count(before) == 1, before
        source = source.replace(before, before + text)
    path.write_text(source)
    run(tree, f"{CORE}/schema/generate.py")
    run(tree, f"{CORE}/schema/generate.py", "--check")
    build = ["setup.py", "--quiet", "build_ext", "--inplace"]
    # Without optimisations, which take most of the compiler's time.
    run(tree, *build, COREPY_TARGETS="native", COREPY_CXXFLAGS="-O0", COREPY_SANITIZE="")
    return tree


@pytest.mark.slow
def test_a_documented_row_and_a_functor_are_an_operation(tree):
    assert "quadruple works" in run(tree, "-c", CHECK)


@pytest.mark.slow
def test_generated_files_have_it(tree):
    stub = (tree / "corepy/array_api/elementwise_functions.pyi").read_text()
    assert '    "quadruple",\n' in stub
    assert (
        "def quadruple(x: Tensor[_ShapeT, _DTypeT], /) -> Tensor[_ShapeT, _DTypeT]: ...\n" in stub
    )
    row = "| `quadruple(x, /)` | numeric | same | same |"
    assert row in (tree / "docs/operations.md").read_text()


@pytest.mark.slow
def test_type_checkers_know_it(tree):
    """The stub of the page names it; those of the drop-in follow."""
    (tree / "program.py").write_text(
        "import corepy.array_api as xp\n\nreveal_type(xp.quadruple(xp.ones(2)))\n"
    )
    shown = "corepy._cython.core.Tensor[tuple[int], numpy.dtype[numpy.float64]]"
    assert f'Revealed type is "{shown}"' in run(tree, "-m", "mypy", "program.py")
    run(tree, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/test_stubs.py")


@pytest.mark.slow
def test_tests_ask_for_it(tree):
    command = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/oracle/test_table.py"]
    done = subprocess.run([sys.executable, *command], cwd=tree, capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": str(tree)}, check=False)  # fmt: skip
    # The oracle asks for a definition that is independent of Corepy, and for nothing else.
    assert "assert ['quadruple'] == []" in done.stdout, done.stdout
    assert "1 failed" in done.stdout
    listed = run(tree, "-m", "pytest", "-q", "--collect-only", "tests/cython/test_operations.py")
    assert "[quadruple]" in listed
