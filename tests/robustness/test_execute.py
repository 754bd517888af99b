"""`execute` called directly: arguments that an operation does not take are errors, on all backends.

The checks are in one table (corepy/_cython/core/validation.pxi); random_execute.py calls all of it.
"""

import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from strategies import BEYOND, assert_same

import corepy.array_api as xp
from corepy import Tensor
from corepy._cython import core
from corepy._cython.cpu import creation, linear_algebra, sorting, transforms
from corepy.backend import get_backend

SCRIPT = Path(__file__).with_name("random_execute.py")
CPU = get_backend("cpu")
OPERATIONS = core.named_operations()
direct = pytest.mark.parametrize("execute", [core.execute, CPU.execute], ids=["core", "cpu"])

VECTOR = Tensor([1.0, 2.0, 3.0, 4.0])
MATRIX = Tensor([[1.0, 2.0], [3.0, 4.0]])
CUBE = Tensor(np.arange(24.0).reshape(2, 3, 4))
SCALAR = Tensor(2.0)
INTEGERS = Tensor([1, 2, 3, 4])


# ---- arguments that once were read beyond their end

ACCEPTED = [
    # axis=-1, the default, once was dims[-1]
    ("fft.fft", (CUBE,), {}),
    ("fft.ifft", (CUBE,), {}),
    ("fft.rfft", (CUBE,), {"n": 7}),
    ("fft.irfft", (CUBE,), {}),
    ("fft.hfft", (CUBE,), {"axis": 0}),
    ("fft.ihfft", (CUBE,), {}),
    ("fft.fftn", (CUBE,), {}),
    ("fft.irfftn", (CUBE,), {"s": (4, 5)}),
    ("fft.fftshift", (CUBE,), {}),
    # integers once were read as complex64
    ("fft.fft", (INTEGERS,), {}),
    ("fft.ifft", (INTEGERS,), {}),
    ("fft.hfft", (Tensor([True, False, True]),), {}),
    ("take_along_axis", (MATRIX, Tensor([[0, 1], [1, 0]])), {}),
    ("take", (VECTOR, Tensor([3, 0])), {}),
    ("take", (CUBE, Tensor([2, 0])), {"axis": -2}),
    ("vecdot", (CUBE, CUBE), {"axis": -3}),
    ("linalg.diagonal", (CUBE,), {"offset": 2**70}),
    ("linalg.diagonal", (CUBE,), {"offset": -(2**63)}),
    ("linalg.trace", (CUBE,), {"offset": -(2**70)}),
    ("linalg.det", (Tensor([[1, 2], [3, 4]]),), {}),
    ("linalg.vector_norm", (INTEGERS,), {}),
    ("linalg.outer", (INTEGERS, VECTOR), {}),
    ("tensordot", (CUBE, CUBE), {"axes": ((0, 2), (0, 2))}),
    ("searchsorted", (VECTOR, 2.5), {"side": "right"}),
    ("isin", (INTEGERS, [3, 1]), {"invert": True}),
    ("sum", (CUBE,), {"axis": (0, -1), "keepdims": True}),
    ("std", (CUBE,), {"axis": 1, "correction": 1}),
    ("cumulative_sum", (VECTOR,), {"include_initial": True}),
    ("clip", (VECTOR,), {"min": 2.0}),
    ("clip", (VECTOR, None, 3.0), {}),
    ("add", (INTEGERS, 1.5), {}),
    ("diff", (VECTOR,), {"prepend": 0.0, "append": Tensor([9, 9])}),
    ("zeros", ((2, 3),), {"dtype": "int8"}),
    ("full_like", (MATRIX, 7), {}),
    ("arange", (5,), {}),
    ("linspace", (0, 1, 5), {"endpoint": False}),
    ("eye", (3,), {"k": 2**70}),
    ("meshgrid", (VECTOR, INTEGERS), {"indexing": "ij"}),
    ("broadcast_arrays", (MATRIX, SCALAR), {}),
    ("concat", ((VECTOR, [5.0]),), {}),
    ("linalg.matmul", (MATRIX, MATRIX), {}),
]


def function_of(name):
    module, _, last = name.rpartition(".")
    return getattr({"": xp, "linalg": xp.linalg, "fft": xp.fft}[module], last)


def assert_equal(found, expected):
    if isinstance(expected, (tuple, list)):
        assert len(found) == len(expected)
        for a, b in zip(found, expected, strict=True):
            assert_same(a, np.asarray(b))
    else:
        assert_same(found, np.asarray(expected))


@direct
@pytest.mark.parametrize(("name", "inputs", "params"), ACCEPTED)
def test_execute_is_the_namespaces_function(execute, name, inputs, params):
    assert_equal(execute(name, inputs, params), function_of(name)(*inputs, **params))


REFUSED = [
    ("fft.fft", (SCALAR,), {}, IndexError, "axis -1 is out of range"),
    ("fft.fft", (VECTOR,), {"axis": 10**6}, IndexError, "axis 1000000 is out of range"),
    ("fft.ifft", (CUBE,), {"axis": -(2**70)}, IndexError, "out of range"),
    ("fft.fft", (VECTOR,), {"n": 0}, ValueError, "n must be at least 1"),
    ("fft.fft", (VECTOR,), {"n": 2**70}, ValueError, "too big for memory"),
    ("fft.fft", (VECTOR,), {"norm": "none"}, ValueError, "norm must be one of 'backward'"),
    ("fft.rfft", (Tensor([1j]),), {}, TypeError, "complex128 is not supported"),
    ("fft.irfft", (Tensor([1.0]),), {}, ValueError, "at least 2 elements"),
    ("fft.fftn", (CUBE,), {"s": (1, 2), "axes": (0,)}, ValueError, "the same length"),
    ("fft.fftn", (CUBE,), {"axes": (0, 7)}, IndexError, "axis 7 is out of range"),
    ("fft.fftshift", (CUBE,), {"axes": 3}, IndexError, "axis 3 is out of range"),
    ("fft.fftfreq", (0,), {}, ValueError, "n must be at least 1"),
    ("take_along_axis", (MATRIX, INTEGERS), {}, ValueError, "as many dimensions as x"),
    ("take_along_axis", (MATRIX, Tensor([[0]])), {"axis": 5}, IndexError, "axis 5 is out"),
    ("take_along_axis", (MATRIX, Tensor([[2]])), {}, IndexError, "index 2 is out of bounds"),
    ("take", (MATRIX, Tensor([0])), {"axis": 1000}, IndexError, "axis 1000 is out of range"),
    ("take", (MATRIX, Tensor([0])), {}, ValueError, "axis is required"),
    (
        "take",
        (VECTOR, VECTOR),
        {},
        TypeError,
        "float64 is not supported for indices; allowed: integer dtypes",
    ),
    ("take", (SCALAR, Tensor([0])), {"axis": 0}, ValueError, "at least 1 dimension"),
    ("vecdot", (VECTOR, VECTOR), {"axis": 3}, IndexError, "axis 3 is out of range"),
    ("vecdot", (VECTOR, CUBE), {"axis": -2}, IndexError, "axis -2 is out of range"),
    ("vecdot", (SCALAR, VECTOR), {}, ValueError, "at least 1 dimension"),
    ("linalg.diagonal", (VECTOR,), {}, ValueError, "at least 2 dimensions"),
    ("linalg.diagonal", (SCALAR,), {"offset": 1}, ValueError, "at least 2 dimensions"),
    ("linalg.diagonal", (MATRIX,), {"offset": 1.5}, TypeError, "offset must be an integer"),
    ("linalg.trace", (VECTOR,), {}, ValueError, "at least 2 dimensions"),
    ("linalg.det", (CUBE,), {}, ValueError, r"shape \(\.\.\., M, M\)"),
    ("linalg.solve", (VECTOR, VECTOR), {}, ValueError, "x1 must be square, of shape"),
    ("linalg.solve", (MATRIX, VECTOR), {}, ValueError, "x2 must have shape"),
    ("linalg.outer", (MATRIX, VECTOR), {}, ValueError, "x1 must be 1-dimensional"),
    ("linalg.cross", (VECTOR, VECTOR), {}, ValueError, "size 3 along axis -1"),
    ("linalg.matrix_norm", (VECTOR,), {}, ValueError, "at least 2 dimensions"),
    ("linalg.matrix_norm", (MATRIX,), {"ord": 3}, ValueError, "ord must be one of 'fro'"),
    ("linalg.matrix_power", (MATRIX, 1.5), {}, TypeError, "n must be an integer"),
    ("linalg.qr", (MATRIX,), {"mode": "raw"}, ValueError, "mode must be one of 'reduced'"),
    (
        *("linalg.pinv", (MATRIX,), {"rtol": Tensor(1)}, TypeError),
        "int64 is not supported for rtol; allowed: real floating-point dtypes",
    ),
    ("take_along_axis", (VECTOR, VECTOR), {}, TypeError, "allowed: integer dtypes"),
    ("repeat", (VECTOR, Tensor([True])), {}, TypeError, "bool is not supported for repeats"),
    (
        "sort",
        (Tensor([1j]),),
        {},
        TypeError,
        "complex128 is not supported for x; allowed: bool and",
    ),
    ("argsort", (Tensor([1j]),), {}, TypeError, "allowed: bool and real-valued dtypes"),
    ("searchsorted", (VECTOR, Tensor([1j])), {}, TypeError, "complex128 is not supported for x"),
    ("searchsorted", (VECTOR, 1j), {}, TypeError, "complex128 is not supported for x1"),
    ("searchsorted", (VECTOR, 1), {"sorter": VECTOR}, TypeError, "not supported for sorter"),
    ("linalg.cross", ([True] * 3, [True] * 3), {}, TypeError, "bool is not supported for x1"),
    ("fft.ihfft", (Tensor([1j]),), {}, TypeError, "complex128 is not supported for x"),
    ("fft.rfftfreq", (3,), {"dtype": "int32"}, TypeError, "allowed: real floating-point dtypes"),
    ("clip", (VECTOR, 1j), {}, TypeError, "complex128 is not supported; allowed: bool and real"),
    ("tensordot", (CUBE, MATRIX), {"axes": ((5,), (0,))}, IndexError, "axis 5 is out of range"),
    ("tensordot", (CUBE, MATRIX), {"axes": 1}, ValueError, "must have the same size"),
    ("matmul", (CUBE, MATRIX), {}, ValueError, "sizes to sum over"),
    ("searchsorted", (MATRIX, VECTOR), {}, ValueError, "x1 must be 1-dimensional"),
    ("searchsorted", (VECTOR, VECTOR), {"sorter": 5}, ValueError, "sorter must have the shape"),
    ("searchsorted", (VECTOR, VECTOR), {"side": "up"}, ValueError, "side must be one of 'left'"),
    ("sort", (CUBE,), {"axis": 3}, IndexError, "axis 3 is out of range"),
    ("sum", (CUBE,), {"axis": 3}, IndexError, "axis 3 is out of range"),
    ("argmax", (CUBE,), {"axis": (0, 1)}, TypeError, "axis must be an integer"),
    ("cumulative_sum", (CUBE,), {"axis": -4}, IndexError, "axis -4 is out of range"),
    ("unstack", (SCALAR,), {}, IndexError, "axis 0 is out of range"),
    ("meshgrid", (VECTOR,), {"indexing": "yx"}, ValueError, "indexing must be one of 'xy'"),
    ("arange", (5, 0, 0), {"dtype": "int32"}, ZeroDivisionError, "step must not be 0"),
    ("arange", (float("nan"),), {}, ValueError, "start must be finite|stop must be finite"),
    ("full", (2, 300), {"dtype": "int8"}, ValueError, "cannot hold the fill value 300"),
    ("full", (2, None), {}, TypeError, "fill_value must be a number"),
    ("sin", (), {}, TypeError, "argument x is missing"),
    ("sin", (VECTOR, VECTOR), {}, TypeError, "at most 1 positional argument, got 2"),
    ("sort", (VECTOR, 0), {}, TypeError, "at most 1 positional argument, got 2"),
    ("sin", (VECTOR,), {"axis": 0}, TypeError, "unexpected or repeated arguments axis"),
    ("sum", (VECTOR,), {"x": VECTOR}, TypeError, "unexpected or repeated arguments x"),
    ("add", (VECTOR, object()), {}, TypeError, "got object"),
    ("bitwise_and", (VECTOR, VECTOR), {}, TypeError, "float64 is not supported"),
]


@direct
@pytest.mark.parametrize(("name", "inputs", "params", "error", "message"), REFUSED)
def test_arguments_that_an_operation_does_not_take(execute, name, inputs, params, error, message):
    with pytest.raises(error, match=f"^{re.escape(name)}: .*({message})"):
        execute(name, inputs, params)


def test_functions_of_the_core_check_their_arguments():
    for call, error in (
        (lambda: linear_algebra.trace(VECTOR, 0, None), ValueError),
        (lambda: linear_algebra.outer(SCALAR, VECTOR), ValueError),
        (lambda: linear_algebra.tensordot(CUBE, MATRIX, ((2,), (0,))), ValueError),
        (lambda: sorting.searchsorted(VECTOR, VECTOR, "left", 5), (TypeError, ValueError)),
        (lambda: creation.arange(5, 0, 0, "int32", None), ZeroDivisionError),
        (lambda: linear_algebra.vector_norm(VECTOR, 7, False, 2), IndexError),
        (lambda: transforms.shifted("fft.fftshift", VECTOR, 4), IndexError),
    ):
        with pytest.raises(error):
            call()


# ---- names


@pytest.mark.parametrize(
    "name",
    ["", "no_such", "linalg", "linalg.no_such", "ndarray", "lib.stride_tricks.as_strided", None],
)
def test_operations_that_there_are_not(name, device):
    x = Tensor([1.0], device=device)
    for execute in (core.execute, get_backend(device.partition(":")[0]).execute):
        with pytest.raises((ValueError, TypeError), match=r"no operation|str"):
            execute(name, (x,), {})


# Parameters that a function applies before it calls the operation.
BEYOND_THE_STANDARD = {"mean": {"dtype"}}


@pytest.mark.parametrize("name", sorted({*OPERATIONS} - {*vars(BEYOND)}))
def test_the_table_has_the_parameters_of_the_namespaces_functions(name):
    positional, keywords = OPERATIONS[name]
    parameters = inspect.signature(function_of(name)).parameters.values()
    expected = [p.name for p in parameters if p.kind is not p.KEYWORD_ONLY]
    assert list(positional) == expected
    named = {p.name for p in parameters if p.kind is p.KEYWORD_ONLY}
    assert sorted(keywords) == sorted(named - BEYOND_THE_STANDARD.get(name, set()))


def test_the_table_has_every_function():
    others = {"__array_namespace_info__", "asarray", "broadcast_shapes", "can_cast", "finfo",
              "from_dlpack", "iinfo", "isdtype", "result_type"}  # fmt: skip
    for prefix, module in (("", xp), ("linalg.", xp.linalg), ("fft.", xp.fft)):
        for name in module.__all__:
            if inspect.isroutine(getattr(module, name)) and name not in others:
                assert prefix + name in OPERATIONS


# ---- devices


def test_the_cpu_computes_on_its_own_tensors():
    there = Tensor([1.0, 2.0], device="reference")
    for name, inputs in (("sin", (there,)), ("add", (VECTOR, there)), ("fft.fft", (there,))):
        with pytest.raises(TypeError, match=rf"^{name}: expected tensors of .*cpu.*reference"):
            CPU.execute(name, inputs, {})
    with pytest.raises(TypeError, match=r"^zeros: expected a device of .*cpu"):
        CPU.create("zeros", (2,), {}, there.device)
    assert core.create("zeros", "reference", (2,)).device == "reference"
    assert core.execute("fft.fft", (there,)).device == "reference"


@pytest.mark.parametrize(("name", "inputs", "params", "error", "message"), REFUSED)
def test_backends_see_checked_arguments(name, inputs, params, error, message, device):
    def moved(x):
        return x.to_device(device) if isinstance(x, Tensor) else x

    if "device" in OPERATIONS[name][1]:
        params = {**params, "device": device}
    inputs, params = tuple(map(moved, inputs)), {key: moved(x) for key, x in params.items()}
    if "index" in message:
        return  # what is in a tensor is the backend's to find
    with pytest.raises(error, match=f"^{re.escape(name)}: .*({message})"):
        core.execute(name, inputs, params)


# ---- anything at all


@pytest.mark.parametrize("seed", range(2))
def test_the_process_lives(seed):
    command = [sys.executable, "-X", "faulthandler", str(SCRIPT), str(seed), "3000"]
    # Sanitizers cannot bound the address space. They bound each block, and the last option counts.
    options = {
        name: f"{os.environ.get(name, '')}:max_allocation_size_mb=512"
        for name in ("ASAN_OPTIONS", "TSAN_OPTIONS")
    }
    done = subprocess.run(
        command, env={**os.environ, **options}, capture_output=True, text=True, timeout=600
    )
    last = done.stdout.splitlines()[-1:]
    assert done.returncode == 0, f"{last}, exit status {done.returncode}\n{done.stderr[-3000:]}"
    text, _, returned = last[0].rpartition(" ")
    assert text == "came to its end"
    assert int(returned) > 1000  # less than half of it raises
