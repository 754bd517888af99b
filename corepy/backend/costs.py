"""Where an operation is cheapest: rates of devices, measured or assumed, and the choice by them."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from corepy._cython.core import Backend, Device, asarray, execute, named_operations, to_device
from corepy.backend.registry import find_device, get_backend, nearest
from corepy.backend.selection import device_named, in_host_memory

if TYPE_CHECKING:
    from corepy.backend.machine import DeviceInfo

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

#: Without a calibration: operands of fewer bytes stay on the CPU, by family.
_LEAST = {"elementwise": 100_000_000, "reduction": 100_000_000, "matmul": 10_000_000}
#: Each rate is that of the fastest of so many calls at least, in so many seconds.
_LEAST_RUNS, _SECONDS = 5, 0.25
#: Operands of fewer bytes stay there in any case.
_SMALLEST = 1_000_000


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
    if os.name == "nt":
        caches = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    else:
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
    chosen = _places() if devices is None else [find_device(str(d), "calibrate") for d in devices]
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


def _places(device_info: DeviceInfo | None = None) -> list[Device]:
    """Return the CPU and the GPUs that can be used, the CPU first."""
    found = [find_device("cpu")]
    if device_info is not None:
        names = [
            f"{gpu.backend}:{gpu.index}" for gpu in device_info.devices if gpu.backend != "cpu"
        ]
    else:
        names = ["gpu"]
    for name in names:
        try:
            found.append(find_device(name, "select_backend"))
        except ValueError:
            continue
    return found


# ---- the choice


def select_backend(
    backend_name: str | None = None,
    op_props: OperationProperties | None = None,
    device_info: DeviceInfo | None = None,
    *,
    explain: bool = False,
) -> Any:
    """Return the backend on which an operation is cheapest.

    The time on each device is estimated as latency, transfer of the operands and work, by the rates
    that `calibrate` measured. Before it has run, matrix products from 10 MB and other operations
    from 100 MB go to a GPU. Operands of less than 1 MB stay on the CPU in either case.

    Parameters
    ----------
    backend_name : str, optional
        The name of the backend to return. Without it that in the environment variable
        ``COREPY_BACKEND``.
    op_props : OperationProperties, optional
        The operation; without it the CPU's backend is returned, if none is named.
    device_info : DeviceInfo, optional
        The machine, from `detect_devices`; by default what is there is looked up.
    explain : bool, optional
        Whether to return the reasons too.

    Returns
    -------
    Backend or tuple
        The backend or, with `explain`, ``(backend, reasons)`` with a list of sentences.

    Raises
    ------
    ValueError
        The named backend does not exist or is not available, or the operation requires a GPU and
        there is none.
    """
    if op_props is not None and not isinstance(op_props, OperationProperties):
        raise TypeError(
            f"select_backend: op_props must be OperationProperties, got {type(op_props).__name__}"
        )
    backend, reasons = _selected(backend_name, op_props, device_info)
    return (backend, reasons) if explain else backend


def _selected(
    name: str | None, operation: OperationProperties | None, info: DeviceInfo | None
) -> tuple[Backend, list[str]]:
    for source, function, forced in (
        ("backend_name", "select_backend", name),
        (
            "COREPY_BACKEND",
            "select_backend: COREPY_BACKEND",
            os.environ.get("COREPY_BACKEND", "").strip() or None,
        ),
    ):
        if forced is not None:
            device = device_named(function, forced)
            if operation is not None and operation.requires_gpu and in_host_memory(device):
                raise ValueError(
                    f"select_backend: the operation requires a GPU, and {source} is {forced!r}"
                )
            return device.backend, [f"{source} is {forced!r}"]
    if operation is None:
        return get_backend("cpu"), ["no operation was given"]
    places = _places(info)
    gpus = places[1:]
    if operation.requires_gpu:
        if not gpus:
            find_device("gpu", "select_backend")  # says what is missing
            raise ValueError("select_backend: the operation requires a GPU, and there is none")
        return gpus[0].backend, ["the operation requires a GPU"]
    if not gpus:
        return places[0].backend, ["there is no GPU that can be used"]
    size = operation.input_size_bytes
    if size < _SMALLEST:
        return places[0].backend, [f"{size:,} bytes are less than {_SMALLEST:,}"]
    rates = measured()
    if all(str(place) in rates for place in places):
        return _cheapest(operation, places, rates)
    family = family_of(operation.op_type)
    least = _LEAST[family]
    if size < least:
        return places[0].backend, [
            f"{size:,} bytes are less than the {least:,} from which {family} work goes to a GPU "
            "(not measured: python -m corepy calibrate)"
        ]
    return gpus[0].backend, [
        f"{family} work on {size:,} bytes: from {least:,} on a GPU is used "
        "(not measured: python -m corepy calibrate)"
    ]


def _cheapest(
    operation: OperationProperties, places: list[Device], rates: Mapping[str, Rates]
) -> tuple[Backend, list[str]]:
    times = {place: rates[str(place)].seconds(operation) for place in places}
    chosen = min(places, key=times.__getitem__)
    reasons = [f"{place}: estimated {times[place] * 1e3:.3g} ms" for place in places]
    return chosen.backend, reasons


def choose_backend(data_size_mb: float, operation: str) -> str:
    """Return the name of the backend on which an operation is cheapest.

    Parameters
    ----------
    data_size_mb : float
        The size of its operands in units of 10^6 bytes.
    operation : str
        The standard's name of the operation, or a family; see `OperationProperties`.

    Raises
    ------
    TypeError, ValueError
        `data_size_mb` is not a number that is finite and not negative, or there is no such
        operation.

    Examples
    --------
    >>> from corepy.backend import choose_backend
    >>> choose_backend(0.5, "add")
    'cpu'
    """
    if isinstance(data_size_mb, bool) or not isinstance(data_size_mb, (int, float)):
        raise TypeError(
            f"choose_backend: data_size_mb must be a number, got {type(data_size_mb).__name__}"
        )
    if not 0 <= data_size_mb < float("inf"):
        raise ValueError(
            f"choose_backend: data_size_mb must be finite and not negative, got {data_size_mb}"
        )
    properties = OperationProperties(operation, int(data_size_mb * 1_000_000))
    return _selected(None, properties, None)[0].name
