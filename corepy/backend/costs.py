"""Families of operations, and the rates of devices, which `calibrate` measures."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from corepy._config import config
from corepy._cython.core import Device, asarray, execute, named_operations, to_device
from corepy.backend.registry import find_device, find_gpu, nearest

#: Families of operations, which have different rates.
FAMILIES = ("elementwise", "reduction", "matmul")

_REDUCTIONS = frozenset(
    "all any argmax argmin count_nonzero cumulative_prod cumulative_sum max mean min prod std sum "
    "var linalg.matrix_norm linalg.vector_norm linalg.trace".split()
)
#: Operations whose work grows faster than their operands.
_PRODUCTS = frozenset(
    "linalg.cholesky linalg.det linalg.eigh linalg.eigvalsh linalg.inv linalg.matmul "
    "linalg.matrix_power linalg.matrix_rank linalg.pinv linalg.qr linalg.slogdet linalg.solve "
    "linalg.svd linalg.svdvals linalg.tensordot matmul tensordot".split()
)

#: Each rate is that of the fastest of so many calls at least, in so many seconds.
_LEAST_RUNS, _SECONDS = 5, 0.25


@dataclass(frozen=True)
class OperationProperties:
    """What is known of an operation before a place is chosen for it.

    Parameters
    ----------
    op_type : str
        The standard's name of an operation, or a family: ``"elementwise"``, ``"matmul"``,
        ``"reduction"``, or one of these followed by ``"_"`` and a name, as ``"elementwise_add"``.
    input_size_bytes : int
        Bytes of its operands.
    requires_gpu : bool, optional
        Whether it must run on a GPU.
    shape : tuple of int, optional
        The shape of its largest operand.
    dtype : dtype, optional
        The dtype of its operands; None is float64.

    Raises
    ------
    ValueError
        There is no operation and no family of that name, or the size is negative.
    TypeError
        The name is not a string, or the size not an integer.
    """

    op_type: str
    input_size_bytes: int
    requires_gpu: bool = False
    shape: tuple[int, ...] | None = None
    dtype: Any = None

    def __post_init__(self) -> None:
        family_of(self.op_type)
        size = self.input_size_bytes
        if isinstance(size, bool) or not isinstance(size, int):
            raise TypeError(
                f"OperationProperties: input_size_bytes must be an int, got {type(size).__name__}"
            )
        if size < 0:
            raise ValueError(
                f"OperationProperties: input_size_bytes must not be negative, got {size}"
            )

    def work(self) -> float:
        """Return the bytes that are read or, for products, the operations on numbers."""
        if family_of(self.op_type) != "matmul":
            return float(self.input_size_bytes)
        itemsize = 8 if self.dtype is None else np.dtype(self.dtype).itemsize
        # Two square matrices, unless the shape says how many terms each sum has.
        elements = self.input_size_bytes / itemsize / 2
        terms = elements**0.5 if not self.shape else self.shape[-1]
        return 2.0 * elements * terms


@dataclass(frozen=True)
class Rates:
    """What a device does in a second.

    Parameters
    ----------
    elementwise, reduction : float
        Bytes of operands per second.
    matmul : float
        Operations on float64 numbers per second in a matrix product.
    transfer : float or None
        Bytes per second between host memory and the device; None where it is host memory.
    latency : float
        Seconds from the call of an operation on few elements to its result.
    """

    elementwise: float
    reduction: float
    matmul: float
    transfer: float | None
    latency: float

    def seconds(self, operation: OperationProperties) -> float:
        """Return the estimated time of an operation whose operands are in host memory."""
        rate = getattr(self, family_of(operation.op_type))
        moved = 0.0 if self.transfer is None else operation.input_size_bytes / self.transfer
        return self.latency + moved + operation.work() / rate


def family_of(op_type: str) -> str:
    """Return the family of an operation, or of a name that begins with a family's."""
    if not isinstance(op_type, str):
        raise TypeError(f"OperationProperties: op_type must be a str, got {type(op_type).__name__}")
    for family in FAMILIES:
        if op_type == family or op_type.startswith(f"{family}_"):
            return family
    if op_type in _PRODUCTS:
        return "matmul"
    if op_type in _REDUCTIONS:
        return "reduction"
    known = named_operations()
    if op_type in known:
        return "elementwise"
    raise ValueError(
        f"OperationProperties: there is no operation {op_type!r}"
        f"{nearest(op_type, [*known, *FAMILIES])}; allowed: the standard's names, and "
        f"{', '.join(map(repr, FAMILIES))}"
    )


# ---- calibration


def cache_path() -> Path:
    """Return the file in which measured rates are kept: ``COREPY_RATES``, or ``rates.json`` in the
    user's cache directory.
    """
    given = os.environ.get("COREPY_RATES")
    if given:
        return Path(given)
    caches = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(caches, "corepy", "rates.json")


def measured() -> dict[str, Rates]:
    """Return the rates of the last calibration by the names of devices; empty without one."""
    try:
        found = json.loads(cache_path().read_text())
        return {
            str(name): Rates(
                elementwise=float(rates["elementwise"]),
                reduction=float(rates["reduction"]),
                matmul=float(rates["matmul"]),
                transfer=None if rates["transfer"] is None else float(rates["transfer"]),
                latency=float(rates["latency"]),
            )
            for name, rates in found["devices"].items()
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}  # it can be measured again


def calibrate(devices: list[Device | str] | None = None) -> dict[str, Rates]:
    """Measure devices, and keep their rates for `select_backend`.

    Takes a second or two for each device. Nothing else in Corepy measures.

    Parameters
    ----------
    devices : list of Device or str, optional
        The devices; by default the CPU and the GPUs that there are.

    Returns
    -------
    dict of str to Rates
        The rates by the devices' names, which were written to `cache_path`.
    """
    chosen = places() if devices is None else [find_device(str(d), "calibrate") for d in devices]
    with config(fusion=False):  # or nothing would be computed
        rates = {str(device): _rates_of(device) for device in chosen}
    path = cache_path()
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"devices": {name: asdict(found) for name, found in rates.items()}}, indent=1)
    part = path.with_name(f"{path.name}.{os.getpid()}")
    part.write_text(text + "\n")
    part.replace(path)
    return rates


def _rates_of(device: Device) -> Rates:
    backend = device.backend
    host = asarray(np.ones(1 << 22))  # 32 MiB
    x = to_device(host, device)
    few = asarray([1.0, 2.0], device=device)
    square = asarray(np.ones((512, 512)), device=device)

    def seconds(call: Callable[[], Any]) -> float:
        """Return the least time of several calls, the first of which compile and fill pools."""
        call()
        backend.synchronize()
        times: list[float] = []
        last = time.perf_counter() + _SECONDS
        while len(times) < _LEAST_RUNS or time.perf_counter() < last:
            start = time.perf_counter()
            call()
            backend.synchronize()
            times.append(time.perf_counter() - start)
        return min(times)

    nbytes = host.nbytes
    local = to_device(host, device) is host
    return Rates(
        elementwise=nbytes / seconds(lambda: x + 1.0),
        reduction=nbytes / seconds(lambda: execute("sum", (x,))),
        matmul=2.0 * 512**3 / seconds(lambda: square @ square),
        transfer=None if local else nbytes / seconds(lambda: to_device(host, device)),
        latency=seconds(lambda: few + 1.0),
    )


def places() -> list[Device]:
    """Return the CPU and, if there is one that can be used, the first GPU."""
    gpu, _ = find_gpu()
    return [find_device("cpu"), *([] if gpu is None else [gpu])]
