"""The acceptance test of backends finds what is wrong with a backend, and nothing else."""

import re
import threading

import numpy as np
import pytest

from corepy import Tensor
from corepy._cython import core
from corepy.backend import Backend, NamespaceBackend, get_backend
from corepy.backend.corrections import corrections_for
from corepy.testing import check_backend
from corepy.testing._checks.rows import ROWS, accepted


def load():
    import array_api_compat.numpy

    return array_api_compat.numpy


class OverNumPy(NamespaceBackend):
    """A backend over NumPy; `mistake` replaces the results of operations."""

    def __init__(self, **mistakes):
        super().__init__("over_numpy", load, "numpy", lambda: corrections_for("numpy"))
        self.mistakes = mistakes

    def wrap(self, native):
        return super().wrap(np.asarray(native))

    def execute(self, operation, inputs, params):
        if operation in self.mistakes:
            return self.mistakes[operation](self, inputs, params)
        return super().execute(operation, inputs, params)


def failures(name, mistake, **options):
    """What is found of a backend with a mistake in one operation."""
    report = check_backend(OverNumPy(**{name: mistake}), operations=[name, "negative"], **options)
    assert all(failure.operation in (name, "threads") for failure in report.failures), report
    assert not report.passed
    return str(report)


def correct(backend, name, inputs, params):
    return super(OverNumPy, backend).execute(name, inputs, params)


def test_all_operations_of_the_cpu_and_a_library():
    for backend in ("cpu", "reference", OverNumPy()):
        report = check_backend(backend, examples=1)
        assert report.passed, report
        assert report.operations == list(core.named_operations())
        assert report.unsupported == []
        assert report.calls > 2000


def test_wrong_values():
    def add(backend, inputs, params):
        result = backend.to_numpy(correct(backend, "add", inputs, params)).copy()
        if result.dtype.kind == "f" and result.size > 20:
            result.reshape(-1)[7] += 1.0
        return backend.from_numpy(result, backend.devices()[0])

    text = failures("add", add, examples=12)
    assert re.search(r"add\(float16\[37\], .*element \[7\] is .* \(1 of 37 are wrong\)", text)


def test_results_that_are_not_as_inferred():
    def total(backend, inputs, params):
        result = correct(backend, "sum", inputs, params)
        return correct(backend, "astype", (result, np.dtype("float64")), {})

    assert "inferred (dtype('int64')" in failures("sum", total)

    def concat(backend, inputs, params):
        result = correct(backend, "concat", inputs, params)
        return correct(backend, "expand_dims", (result, 0), {})

    assert "inferred" in failures("concat", concat)


def test_errors_of_a_backend():
    def exp(backend, inputs, params):
        raise OSError("no power\nand more")

    assert "OSError: no power" in failures("exp", exp)


def test_arguments_that_are_written_to():
    def sort(backend, inputs, params):
        result = correct(backend, "sort", inputs, params)
        x = backend.unwrap(inputs[0])
        if x.size:
            x[...] = x.reshape(-1)[0]
        return result

    assert "an argument was written to" in failures("sort", sort)


def test_results_that_depend_on_threads():
    here = threading.main_thread()

    def matmul(backend, inputs, params):
        result = correct(backend, "matmul", inputs, params)
        return result if threading.current_thread() is here else result + result

    text = failures("matmul", matmul)
    assert "threads: " in text
    assert "another result than in one thread" in text


@pytest.mark.parametrize("name", ["linalg.qr", "linalg.svd", "linalg.eigh", "linalg.eig"])
def test_factorisations_have_to_meet_their_definitions(name):
    def mistaken(backend, inputs, params):
        first, *others = correct(backend, name, inputs, params)
        return (first + first, *others)

    assert "off by" in failures(name, mistaken)


def test_devices_and_conversions():
    class Without(OverNumPy):
        def devices(self):
            raise OSError("lost")

    report = check_backend(Without())
    assert [failure.operation for failure in report.failures] == ["devices"]
    assert "lost" in str(report)

    class Rounding(OverNumPy):
        def to_numpy(self, x):
            return np.trunc(super().to_numpy(x).real)

    report = check_backend(Rounding(), operations=["negative"])
    assert "from_numpy" in {failure.operation for failure in report.failures}


def test_operations_that_a_backend_does_not_support():
    class Few(OverNumPy):
        def supports(self, operation, dtype):
            return operation == "add" and dtype.kind == "f"

    report = check_backend(Few(), operations=["add", "sort"])
    assert report.passed, report
    assert (report.operations, report.unsupported) == (["add"], ["sort"])
    assert "not supported by it: sort" in str(report)


def test_progress_and_reports():
    seen = []
    report = check_backend(
        "cpu", operations=["add", "exp"], progress=lambda *each: seen.append(each)
    )
    assert seen == [(0, 3, "add"), (1, 3, "exp"), (2, 3, "threads"), (3, 3, "")]
    assert str(report).startswith("backend 'cpu': 2 operations, ")
    assert str(report).endswith("passed")
    report.raise_for_failures()
    broken = check_backend(OverNumPy(exp=lambda *each: None), operations=["exp"])
    with pytest.raises(AssertionError, match="backend 'over_numpy'"):
        broken.raise_for_failures()
    nameless = check_backend(OverNumPy(), operations=["exp"])
    assert str(nameless).startswith("backend 'over_numpy': 1 operations")


def test_bad_arguments():
    with pytest.raises(TypeError, match=r"^check_backend: backend must be"):
        check_backend(3)
    with pytest.raises(ValueError, match="no_such"):
        check_backend("no_such")
    with pytest.raises(
        ValueError, match=r"^check_backend: .* operation 'adds', did you mean 'add'"
    ):
        check_backend("cpu", operations=["adds"])
    with pytest.raises(ValueError, match=r"^check_backend: examples"):
        check_backend("cpu", examples=0)


def test_missing_libraries(monkeypatch):
    class Missing(OverNumPy):
        def missing(self):
            return "install it"

    with pytest.raises(RuntimeError, match=r"^check_backend: 'over_numpy' .* install it"):
        check_backend(Missing())


def test_rows_are_the_schemas():
    assert [row.name for row in ROWS] == list(core.named_operations())
    for row in ROWS:
        found = [each.name for each in row.parameters]
        positional, keywords = core.named_operations()[row.name]
        assert found == [*positional, *keywords]
    assert {row.name: accepted(row) for row in ROWS if row.name in ("take", "gcd")} == {
        "take": "biufc",
        "gcd": "iu",
    }


def test_arguments_are_views_on_the_device():
    from corepy.testing._checks.drawing import Call

    x = np.arange(6.0).reshape(2, 3)
    (tensor,), _ = Call("exp", (x,), transposed=True).on(get_backend("cpu").devices()[0])
    assert isinstance(tensor, Tensor)
    assert tensor.strides == (8, 16)
    assert np.array_equal(np.asarray(tensor), x)


def test_what_another_backend_would_compute_does_not_count():
    class Adding(Backend):
        def execute(self, operation, inputs, params=None):
            if operation != "add":
                raise NotImplementedError
            first, second = map(self.to_numpy, inputs)
            return self.from_numpy(np.add(first, second), self.devices()[0])

    report = check_backend(Adding("adding"), examples=1)
    assert "add" in report.operations
    assert "sort" in report.unsupported
