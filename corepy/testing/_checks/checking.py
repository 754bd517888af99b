"""`check_backend`: the calls that are made, and who is at fault."""

from __future__ import annotations

import threading
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from corepy._config import config
from corepy._cython import core
from corepy._cython.core import Backend, Device
from corepy.backend import get_backend, infer
from corepy.backend._nested import leaves
from corepy.backend.registry import nearest
from corepy.testing._checks.comparison import Difference, agree, compare, described, to_host
from corepy.testing._checks.drawing import Call, Drawing
from corepy.testing._checks.report import Failure, Report
from corepy.testing._checks.rows import DTYPES, ROWS, Row, accepted

_SEED = 20250101
_THREADS = 4
#: Operations that are called in several threads: one of each kind of operation, and some others.
_IN_THREADS = ("add", "exp", "where", "sum", "cumulative_sum", "matmul", "sort", "take", "concat")


def check_backend(
    backend: Backend | str,
    *,
    device: Device | None = None,
    operations: Sequence[str] | None = None,
    examples: int = 2,
    seed: int = _SEED,
    progress: Callable[[int, int, str], object] | None = None,
) -> Report:
    """Compare every operation of a backend with the reference: its acceptance test.

    Values are compared with those of the backend ``reference``, dtypes and shapes with what
    `corepy.backend.infer` says, for all dtypes that an operation accepts. Arguments must be left as
    they are, arguments that an operation does not accept must raise an error, calls in several
    threads must give the results of one.

    Parameters
    ----------
    backend : Backend or str
        The backend, registered or not; or the name of a registered one.
    device : Device, optional
        The device of the backend to check, by default its first.
    operations : sequence of str, optional
        Names of the operations to check, by default all.
    examples : int, optional
        Calls of each operation for each dtype.
    seed : int, optional
        The same seed draws the same arguments.
    progress : callable, optional
        Called as ``progress(done, total, operation)`` before each operation and at the end.

    Returns
    -------
    Report
        What was checked and what is wrong; ``report.passed`` tells whether nothing is.

    Raises
    ------
    TypeError
        `backend` is neither a Backend nor a name.
    ValueError
        There is no backend, or no operation, of a name, or `examples` is less than 1, or `device`
        is another backend's.
    RuntimeError
        The backend, or the reference, cannot be used here; the message says what to install.

    Examples
    --------
    >>> from corepy.testing import check_backend
    >>> report = check_backend("cpu", operations=["add", "linalg.qr"])
    >>> report.passed, report.operations
    (True, ['add', 'linalg.qr'])
    """
    if isinstance(backend, str):
        backend = get_backend(backend)
    if not isinstance(backend, Backend):
        raise TypeError(
            f"check_backend: backend must be a Backend or a str, got {type(backend).__name__}"
        )
    if device is not None and device.backend is not backend:
        raise ValueError(f"check_backend: {str(device)!r} is not a device of {backend!r}")
    if examples < 1:
        raise ValueError(f"check_backend: examples must be at least 1, got {examples}")
    chosen = _chosen(operations)
    for each in (backend, get_backend("reference")):
        if not each.is_available():
            raise RuntimeError(
                f"check_backend: {each.name!r} cannot be used here: {each.missing()}"
            )
    progress = progress or (lambda done, total, operation: None)
    return _Check(backend, device, chosen, examples, seed, progress).run()


def _chosen(operations: Sequence[str] | None) -> list[Row]:
    """Return the rows of these operations."""
    if operations is None:
        return list(ROWS)
    known = {row.name: row for row in ROWS}
    for name in operations:
        if name not in known:
            raise ValueError(
                f"check_backend: there is no operation {name!r}{nearest(name, known)}; allowed: "
                "the standard's names, those of extensions as 'linalg.svd'"
            )
    return [known[name] for name in operations]


@dataclass
class _Check:
    """One run of `check_backend`."""

    backend: Backend
    asked: Device | None
    chosen: list[Row]
    examples: int
    seed: int
    progress: Callable[[int, int, str], object]

    def __post_init__(self) -> None:
        self.report = Report(self.backend.name or type(self.backend).__name__)
        self.reference = get_backend("reference").devices()[0]
        self.in_threads: list[tuple[Call, Any]] = []

    def run(self) -> Report:
        begin = time.perf_counter()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of operations on infinities and NaN, mostly
            if self._devices():
                total = len(self.chosen) + 1
                for done, row in enumerate(self.chosen):
                    self.progress(done, total, row.name)
                    self._operation(row)
                self.progress(total - 1, total, "threads")
                self._threads()
                self.progress(total, total, "")
        self.report.seconds = time.perf_counter() - begin
        return self.report

    def _fail(self, operation: str, call: Any, reason: Any) -> None:
        if isinstance(reason, Exception) and not isinstance(reason, Difference):
            reason = f"{type(reason).__name__}: {reason}".partition("\n")[0]
        self.report.failures.append(Failure(operation, str(call), str(reason)))

    # ---- the contract beside operations

    def _devices(self) -> bool:
        """Check devices, and the ways to and from NumPy; return whether operations can be."""
        try:
            devices = list(self.backend.devices())
            self.device = self.asked or devices[0]
        except Exception as error:  # any: it is the backend's fault
            self._fail("devices", "devices()", error)
            return False
        drawing = Drawing(self.seed)
        for dtype in DTYPES:
            for shape in ((), (3,), (2, 3), (0, 2)):
                call = Call("from_numpy", (drawing.numbers(dtype, shape),))
                self.report.calls += 1
                try:
                    self._round_trip(call.inputs[0])
                except Exception as error:  # any: it is the backend's fault
                    self._fail("from_numpy", call, error)
        return True

    def _round_trip(self, array: np.ndarray) -> None:
        tensor = self.backend.from_numpy(array, self.device)
        if (tensor.dtype, tensor.shape) != (array.dtype, array.shape):
            raise Difference(f"the tensor has {tensor.dtype}{list(tensor.shape)}")
        if tensor.device != self.device:
            raise Difference(f"the tensor is on {str(tensor.device)!r}")
        back = np.asarray(self.backend.to_numpy(tensor))
        if back.dtype != array.dtype or not np.array_equal(back, array):
            raise Difference("to_numpy returns another array")
        if array.ndim and array.size:
            self._elements(array, tensor)

    def _elements(self, array: np.ndarray, tensor: Any) -> None:
        """Read and write an element and a slice."""
        for key in (0, slice(None, None, 2)):
            if not np.array_equal(to_host(tensor[key]), array[key]):
                raise Difference(f"getitem of {key!r} returns other elements")
        expected = array.copy()
        expected[0] = array[-1]
        tensor[0] = tensor[-1]
        if not np.array_equal(to_host(tensor), expected):
            raise Difference("setitem of 0 writes other elements")

    # ---- operations

    def _operation(self, row: Row) -> None:
        supports = getattr(self.backend, "supports", None)
        drawing = Drawing(self.seed)
        made = 0
        for call in drawing.calls(row, self.examples):
            if supports is not None and not supports(row.name, _dtype_of(call)):
                continue
            if isinstance(self._computed(call, self.device), NotImplementedError):
                continue  # another backend would compute it
            made += 1
            self._call(row, call)
        if not made:
            self.report.unsupported.append(row.name)
            return
        self.report.operations.append(row.name)
        self._errors(row)

    def _call(self, row: Row, call: Call) -> None:
        expected = self._computed(call, self.reference)
        self.report.calls += 1
        before = [array.copy() for array in call.arrays]
        try:
            actual = self._on_device(call, row)
        except Exception as error:  # any: the reference has a result
            if not isinstance(expected, Exception):
                self._fail(row.name, call, error)
            return
        if isinstance(expected, Exception):
            self._fail(row.name, call, f"no error; the reference raises {expected!r}")
            return
        for left, array in zip(before, call.arrays, strict=True):
            if left.tobytes() != array.tobytes():
                self._fail(row.name, call, "an argument was written to")
        try:
            compare(actual, expected, call, row.work in ("unary", "binary", "ternary"))
        except Difference as difference:
            self._fail(row.name, call, difference)
        if row.name in _IN_THREADS:
            self.in_threads.append((call, actual))

    def _on_device(self, call: Call, row: Row) -> Any:
        """Return the result in host memory; it is what was inferred, and inputs are unchanged."""
        inputs, params = call.on(self.device)
        result = self._execute(call, inputs, params, self.device)
        found = infer(call.name, inputs, params)
        if not agree(found, described(result)):
            raise Difference(f"the result is {described(result)}, inferred {found}")
        tensors = (x for x in leaves((inputs, params)) if isinstance(x, core.Tensor))
        for array, tensor in zip(call.arrays, tensors, strict=True):
            if not np.array_equal(to_host(tensor), array, equal_nan=array.dtype.kind in "fc"):
                raise Difference("an argument was written to")
        return to_host(result)

    def _computed(self, call: Call, device: Any) -> Any:
        """Return the result on a device in host memory, or the error."""
        try:
            with config(fallback="error"):
                inputs, params = call.on(device)
                return to_host(self._execute(call, inputs, params, device))
        except Exception as error:  # any: what the backend raises is compared with it
            return error

    @staticmethod
    def _execute(call: Call, inputs: Any, params: Any, device: Any) -> Any:
        if call.arrays:
            return core.execute(call.name, inputs, params)
        return core.create(call.name, device, inputs, params)

    # ---- arguments that are refused

    def _errors(self, row: Row) -> None:
        """Make calls with a dtype, shapes or an axis that the operation does not accept."""
        drawing = Drawing(self.seed)
        calls = list(drawing.calls(row, 1))
        wrong: list[tuple[Call, Any]] = []
        refused = [dtype for dtype in DTYPES if dtype.kind not in accepted(row)]
        first = next((call for call in calls if call.inputs), None)
        if first is None:
            return
        if refused and isinstance(first.inputs[0], np.ndarray):
            inputs = tuple(
                drawing.numbers(refused[0], x.shape)
                if isinstance(x, np.ndarray) and x.dtype == first.inputs[0].dtype
                else x
                for x in first.inputs
            )
            wrong.append((Call(row.name, inputs, first.params), TypeError))
        if row.work == "binary":
            x, y = (drawing.numbers(first.inputs[0].dtype, (n,)) for n in (2, 3))
            wrong.append((Call(row.name, (x, y)), ValueError))
        if "axis" in first.params:
            params = {**first.params, "axis": 9}
            wrong.append((Call(row.name, first.inputs, params), (IndexError, ValueError)))
        for call, kinds in wrong:
            self.report.calls += 1
            found = self._computed(call, self.device)
            if not isinstance(found, Exception):
                self._fail(row.name, call, "no error for arguments that are not accepted")
            elif not isinstance(found, kinds):
                self._fail(row.name, call, f"another error than is usual: {found!r}")

    # ---- threads

    def _threads(self) -> None:
        """Make the same calls in several threads at once; results must be those of one thread."""
        barrier = threading.Barrier(_THREADS)
        wrong: list[tuple[Call, Any]] = []

        def work(number: int) -> None:
            barrier.wait()
            turned = self.in_threads[number:] + self.in_threads[:number]
            for call, expected in turned:
                found = self._computed(call, self.device)
                if isinstance(found, Exception):
                    wrong.append((call, found))
                elif not _identical(found, expected):
                    wrong.append((call, "another result than in one thread"))

        threads = [threading.Thread(target=work, args=(i,), daemon=True) for i in range(_THREADS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.report.calls += _THREADS * len(self.in_threads)
        for call, reason in wrong:
            self._fail("threads", call, reason)


def _dtype_of(call: Call) -> np.dtype | None:
    """Return the dtype that an operation is asked for."""
    if call.arrays:
        return call.arrays[0].dtype
    return call.params.get("dtype")


def _identical(one: Any, other: Any) -> bool:
    if isinstance(other, tuple):
        return len(one) == len(other) and all(map(_identical, one, other))
    return np.array_equal(one, other, equal_nan=other.dtype.kind in "fc")
