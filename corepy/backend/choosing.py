"""The ways to choose a backend or a device, by name, preference, cost or constructor.

Each finds what is registered by `corepy.backend.registry`; `estimate_inference_memory` says how
much memory is needed.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from corepy._cython.core import (
    Backend,
    Device,
    Tensor,
    asarray,
    create,
    execute,
    named_operations,
)
from corepy.backend import registry
from corepy.backend._nested import mapped
from corepy.backend.costs import OperationProperties, Rates, family_of, measured, places
from corepy.backend.discovery import discover_backends
from corepy.backend.registry import find_device, get_backend, nearest
from corepy.backend.selection import device_named, in_host_memory

#: The best backends first.
ORDER = (*registry.GPUS, "cpu")
#: Without a calibration: operands of fewer bytes stay on the CPU, by family.
_LEAST = {"elementwise": 100_000_000, "reduction": 100_000_000, "matmul": 10_000_000}
#: Operands of fewer bytes stay there in any case.
_SMALLEST = 1_000_000


# ---- by preference


class BackendPreference(StrEnum):
    """What `init_backend` chooses; the members are strings."""

    AUTO = "auto"
    CPU = "cpu"
    CUDA = "cuda"
    METAL = "metal"
    ROCM = "rocm"
    OPENCL = "opencl"
    WEBGPU = "webgpu"


def init_backend(preference: BackendPreference | str = BackendPreference.AUTO) -> Backend:
    """Return a backend by preference; nothing else changes.

    Parameters
    ----------
    preference : BackendPreference or str, optional
        `AUTO`, the default, is the first that is available of CUDA, ROCm, Metal, OpenCL, WebGPU and
        the CPU.

    Returns
    -------
    Backend
        The registered backend. Metal is a device of PyTorch's.

    Raises
    ------
    ValueError
        `preference` is none of `BackendPreference`.
    RuntimeError
        The backend cannot be used here; the message says what to install.

    Examples
    --------
    >>> from corepy.backend import BackendPreference, init_backend
    >>> init_backend(BackendPreference.CPU).name
    'cpu'
    """
    if not isinstance(preference, str):
        raise TypeError(
            "init_backend: preference must be a BackendPreference or a str, "
            f"got {type(preference).__name__}"
        )
    name = preference.lower()
    known = [each.value for each in BackendPreference]
    if name not in known:
        raise ValueError(
            f"init_backend: there is no preference {preference!r}{nearest(name, known)}; "
            f"allowed: {', '.join(map(repr, known))}"
        )
    if name == "cpu":  # without asking the others
        return get_backend(name)
    if name == "auto":
        name = best_available_backend()
    info = next((info for info in discover_backends() if info.name == name), None)
    if info is None or not info.available:
        reason = registry.missing(name) if info is None else info.error
        raise RuntimeError(f"init_backend: {name!r} cannot be used here: {reason}")
    return get_backend("torch" if name == "metal" else name)


def best_available_backend() -> str:
    """Return the name of the best backend of this machine.

    Returns
    -------
    str
        The first that is available of CUDA, ROCm, Metal, OpenCL, WebGPU and the CPU. Drivers of
        OpenCL and WebGPU that compute on the processor do not count.

    Examples
    --------
    >>> from corepy.backend import best_available_backend, discover_backends
    >>> best_available_backend() in [info.name for info in discover_backends() if info.available]
    True
    """
    available = {
        info.name for info in discover_backends() if any(each.automatic for each in info.devices)
    }
    return next(name for name in ORDER if name in available)


# ---- by cost


def select_backend(
    backend_name: str | None = None,
    op_props: OperationProperties | None = None,
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
    backend, reasons = _selected(backend_name, op_props)
    return (backend, reasons) if explain else backend


def _selected(name: str | None, operation: OperationProperties | None) -> tuple[Backend, list[str]]:
    source, function = "backend_name", "select_backend"
    if name is None:
        name = os.environ.get("COREPY_BACKEND", "").strip() or None
        source, function = "COREPY_BACKEND", "select_backend: COREPY_BACKEND"
    if name is not None:
        device = device_named(function, name)
        if operation is not None and operation.requires_gpu and in_host_memory(device):
            raise ValueError(
                f"select_backend: the operation requires a GPU, and {source} is {name!r}"
            )
        return device.backend, [f"{source} is {name!r}"]
    if operation is None:
        return get_backend("cpu"), ["no operation was given"]
    found = places()
    gpus = found[1:]
    if operation.requires_gpu:
        gpu = find_device("gpu", "select_backend")  # an error says what is missing
        return gpu.backend, ["the operation requires a GPU"]
    if not gpus:
        return found[0].backend, ["there is no GPU that can be used"]
    size = operation.input_size_bytes
    if size < _SMALLEST:
        return found[0].backend, [f"{size:,} bytes are less than {_SMALLEST:,}"]
    rates = measured()
    if all(str(place) in rates for place in found):
        return _cheapest(operation, found, rates)
    family = family_of(operation.op_type)
    least = _LEAST[family]
    if size < least:
        return found[0].backend, [
            f"{size:,} bytes are less than the {least:,} from which {family} work goes to a GPU "
            "(not measured: python -m corepy calibrate)"
        ]
    return gpus[0].backend, [
        f"{family} work on {size:,} bytes: from {least:,} on a GPU is used "
        "(not measured: python -m corepy calibrate)"
    ]


def _cheapest(
    operation: OperationProperties, found: list[Device], rates: Mapping[str, Rates]
) -> tuple[Backend, list[str]]:
    times = {place: rates[str(place)].seconds(operation) for place in found}
    chosen = min(found, key=times.__getitem__)
    reasons = [f"{place}: estimated {times[place] * 1e3:.3g} ms" for place in found]
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
    return _selected(None, properties)[0].name


# ---- by constructor


class _Registered(type):
    """The type of classes that stand for registered objects: their calls return those."""

    #: The names of the backends that a class stands for.
    names: tuple[str, ...]

    def __instancecheck__(cls, instance: Any) -> bool:
        backend = getattr(instance, "backend", None) if cls.of_devices else instance
        return isinstance(backend, Backend) and backend.name in cls.names

    @property
    def of_devices(cls) -> bool:
        return issubclass(cls, _DeviceOf)

    def __getattr__(cls, name: str) -> Any:
        """Return an operation of the standard, which takes lists and returns them; or an extension,
        which has such operations.
        """
        if name.startswith("_") or cls.of_devices:
            raise AttributeError(f"{cls.__name__} has no attribute {name!r}")
        if name in _EXTENSIONS:
            return _Extension(cls, name)
        return _operation(cls, name)


#: The standard's extensions, whose operations are called as ``ReferenceBackend.linalg.det``.
_EXTENSIONS = ("linalg", "fft")
#: Parameters that are lists of numbers, not arrays.
_NUMBERS = frozenset({"axes", "axis", "destination", "repetitions", "shape", "shift", "source"})
#: Operations on a sequence of arrays.
_JOINS = ("concat", "stack")


class _Extension:
    """The operations of an extension, on the backend of a class."""

    def __init__(self, cls: _Registered, name: str) -> None:
        self._cls, self._name = cls, name

    def __getattr__(self, name: str) -> Any:
        return _operation(self._cls, f"{self._name}.{name}")


def _operation(cls: _Registered, name: str) -> Any:
    """Return an operation of the standard on the backend of a class, over nested lists."""
    known = named_operations()
    if name not in known:
        raise AttributeError(
            f"{cls.__name__} has no attribute and no operation {name!r}{nearest(name, known)}"
        )
    names, keywords = known[name]

    def call(*inputs: Any, **params: Any) -> Any:
        device = cls().devices()[0]

        def argument(parameter: str, value: Any) -> Any:
            if name in _JOINS and parameter == "arrays" and isinstance(value, (tuple, list)):
                return [asarray(each, device=device) for each in value]
            is_array = isinstance(value, list) and parameter not in _NUMBERS
            return asarray(value, device=device) if is_array else value

        # The last parameter may stand for any number of arrays, as in `meshgrid`.
        given = [argument(names[min(i, len(names) - 1)], x) for i, x in enumerate(inputs)]
        named = {parameter: argument(parameter, x) for parameter, x in params.items()}
        if "device" in keywords:
            return _listed(create(name, device, tuple(given), named))
        if name not in _JOINS and not any(isinstance(x, (Tensor, list)) for x in given):
            given[:1] = [asarray(x, device=device) for x in given[:1]]
        return _listed(execute(name, tuple(given), named))

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"Compute `corepy.array_api.{name}` of nested lists, and return such lists."
    return call


def _listed(result: Any) -> Any:
    return mapped(lambda x: x.tolist(), result)


class _BackendOf(metaclass=_Registered):
    names: tuple[str, ...] = ()

    def __new__(cls) -> Any:
        if len(cls.names) == 1:
            return get_backend(cls.names[0])
        return find_device("gpu", cls.__name__).backend


class _DeviceOf(metaclass=_Registered):
    names: tuple[str, ...] = ()

    def __new__(cls, device_id: int = 0) -> Any:
        if isinstance(device_id, bool) or not isinstance(device_id, int):
            raise TypeError(
                f"{cls.__name__}: device_id must be an int, got {type(device_id).__name__}"
            )
        devices = [find_device("cpu")]
        if cls.names != ("cpu",):
            devices = find_device("gpu", cls.__name__).backend.devices()
        if not 0 <= device_id < len(devices):
            raise ValueError(
                f"{cls.__name__}: there is no device {device_id}; "
                f"available: {', '.join(str(device.index) for device in devices)}"
            )
        return devices[device_id]


_GPU_NAMES = ("cuda", "rocm", "torch", "opencl", "webgpu")


class CPUBackend(_BackendOf):
    """The backend of host memory: ``CPUBackend()`` returns it.

    Operations can be called on the class with nested lists: ``CPUBackend.add([1, 2], [3, 4])``.
    """

    names = ("cpu",)


class ReferenceBackend(_BackendOf):
    """The reference backend, array-api-strict: ``ReferenceBackend()`` returns it.

    Operations can be called on the class with nested lists.

    Examples
    --------
    >>> from corepy.backend import ReferenceBackend
    >>> ReferenceBackend.add([1, 2, 3], [4, 5, 6])
    [5, 7, 9]
    """

    names = ("reference",)


class GPUBackend(_BackendOf):
    """The backend of the first GPU there is; ValueError says what is missing where there is none.

    Operations can be called on the class with nested lists.
    """

    names = _GPU_NAMES


class CPUDevice(_DeviceOf):
    """The CPU: ``CPUDevice()`` returns its device.

    Parameters
    ----------
    device_id : int, optional
        0, as there is one.

    Raises
    ------
    ValueError
        Another number.
    """

    names = ("cpu",)


class GPUDevice(_DeviceOf):
    """A GPU: ``GPUDevice(1)`` returns the device of the second one.

    Parameters
    ----------
    device_id : int, optional
        The number of the GPU among those of its backend.

    Raises
    ------
    ValueError
        There is no such GPU, or none at all; the message says what is missing.
    """

    names = _GPU_NAMES


# ---- memory of transformers


@dataclass(frozen=True)
class MemoryEstimate:
    """The memory that inference with a transformer takes.

    Attributes
    ----------
    model_bytes : int
        The weights.
    kv_cache_bytes : int
        Keys and values of all positions of one sequence.
    activation_bytes : int
        Intermediate results while a prompt of the full length is read.
    """

    model_bytes: int
    kv_cache_bytes: int
    activation_bytes: int

    @property
    def total_bytes(self) -> int:
        """The sum of them."""
        return self.model_bytes + self.kv_cache_bytes + self.activation_bytes

    def total_gb(self) -> float:
        """Return the sum in units of 10^9 bytes."""
        return self.total_bytes / 10**9

    def total_gib(self) -> float:
        """Return the sum in units of 2^30 bytes."""
        return self.total_bytes / 2**30


def estimate_inference_memory(
    hidden_size: int,
    intermediate_size: int,
    n_layers: int,
    vocab_size: int,
    n_heads: int,
    n_kv_heads: int,
    max_seq_len: int,
    bytes_per_weight: float = 2,
) -> MemoryEstimate:
    """Return the memory that a transformer of the family of Llama needs for one sequence.

    Parameters
    ----------
    hidden_size : int
        Width h of the residual stream.
    intermediate_size : int
        Width f of the feed-forward layers.
    n_layers, vocab_size : int
        The numbers of layers and of tokens.
    n_heads, n_kv_heads : int
        Heads of queries, and of keys and values (grouped-query attention): `n_kv_heads` divides
        `n_heads`, which divides `hidden_size`.
    max_seq_len : int
        Positions n of the sequence.
    bytes_per_weight : float, optional
        2 for 16 bits, 0.5 for 4 bits.

    Returns
    -------
    MemoryEstimate
        Bytes.

    Raises
    ------
    TypeError, ValueError
        A size is not a positive integer, or `bytes_per_weight` not a positive number, or the
        numbers of heads do not divide.

    Notes
    -----
    The parameters are those of the published architectures (Touvron et al., "LLaMA", 2023,
    arXiv:2302.13971, section 2.2; Jiang et al., "Mistral 7B", 2023, arXiv:2310.06825, table 1):
    with k = h * n_kv_heads / n_heads, a layer has 2 h^2 + 2 h k in attention (queries and output,
    keys and values), 3 h f in the gated feed-forward layer (Shazeer 2020, arXiv:2002.05202) and
    two norms of h; there are an embedding and an output matrix of vocab_size * h each and one last
    norm.

    The cache has 2 k numbers for each layer and position (Ainslie et al. 2023, arXiv:2305.13245,
    on grouped queries). Cache and activations have 2 bytes a number, or `bytes_per_weight` if that
    is more: weights of fewer bits are widened when they are used. Activations are the residual
    stream, its norm, and the wider of queries, keys, values and output, and of the two branches of
    the feed-forward layer, for all n positions at once, and the logits of one; scores of attention
    are not kept (Dao et al. 2022, arXiv:2205.14135).

    Examples
    --------
    >>> from corepy.backend import estimate_inference_memory
    >>> mistral = estimate_inference_memory(4096, 14336, 32, 32000, 32, 8, 4096)
    >>> mistral.model_bytes  # 7.24e9 weights of 2 bytes
    14483464192
    """
    sizes = {
        "hidden_size": hidden_size,
        "intermediate_size": intermediate_size,
        "n_layers": n_layers,
        "vocab_size": vocab_size,
        "n_heads": n_heads,
        "n_kv_heads": n_kv_heads,
        "max_seq_len": max_seq_len,
    }
    for name, value in sizes.items():
        _check_positive(name, value, "an int", int)
    _check_positive("bytes_per_weight", bytes_per_weight, "a number", (int, float))
    if hidden_size % n_heads or n_heads % n_kv_heads:
        raise ValueError(
            "estimate_inference_memory: n_kv_heads must divide n_heads, and n_heads hidden_size, "
            f"got {n_kv_heads}, {n_heads} and {hidden_size}"
        )
    keys = hidden_size // n_heads * n_kv_heads
    attention = 2 * hidden_size**2 + 2 * hidden_size * keys
    layer = attention + 3 * hidden_size * intermediate_size + 2 * hidden_size
    weights = 2 * vocab_size * hidden_size + n_layers * layer + hidden_size
    number = max(2, bytes_per_weight)
    widest = max(2 * hidden_size + 2 * keys, 2 * intermediate_size)
    return MemoryEstimate(
        model_bytes=round(weights * bytes_per_weight),
        kv_cache_bytes=round(2 * n_layers * keys * max_seq_len * number),
        activation_bytes=round((max_seq_len * (2 * hidden_size + widest) + vocab_size) * number),
    )


def _check_positive(name: str, value: object, kind: str, types: type | tuple[type, ...]) -> None:
    if isinstance(value, bool) or not isinstance(value, types):
        raise TypeError(
            f"estimate_inference_memory: {name} must be {kind}, got {type(value).__name__}"
        )
    if not 0 < value < float("inf"):  # type: ignore[operator]
        raise ValueError(f"estimate_inference_memory: {name} must be positive, got {value}")
