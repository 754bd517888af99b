"""Choice of a backend by preference and by memory."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from enum import StrEnum
from typing import SupportsIndex

from corepy._cython.core import Backend
from corepy.backend import registry
from corepy.backend.discovery import ORDER, BackendInfo, discover_backends


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
    chosen = _preference(preference, "init_backend")
    if chosen is BackendPreference.CPU:  # without asking the others
        return registry.get_backend("cpu")
    candidates = _candidates(chosen, "init_backend")
    return _backend(candidates[0])


def init_backend_with_memory_check(
    preference: BackendPreference | str, required_bytes: SupportsIndex
) -> Backend:
    """Return the best backend that has a device with that much free memory.

    Parameters
    ----------
    preference : BackendPreference or str
        As of `init_backend`: `AUTO` tries the backends in its order.
    required_bytes : int
        How much memory one device has to have free. A device whose free memory is unknown is
        judged by its total memory, and not taken if that is unknown, too.

    Returns
    -------
    Backend
        The registered backend.

    Raises
    ------
    ValueError
        `preference` is none of `BackendPreference`, or `required_bytes` is negative.
    TypeError
        `required_bytes` is not an integer.
    RuntimeError
        The backend cannot be used here.
    MemoryError
        No device has the memory; the message has the figures.

    Examples
    --------
    >>> from corepy.backend import init_backend_with_memory_check
    >>> init_backend_with_memory_check("cpu", 1000).name
    'cpu'
    """
    function = "init_backend_with_memory_check"
    chosen = _preference(preference, function)
    try:
        required = operator.index(required_bytes)
    except TypeError:
        raise TypeError(
            f"{function}: required_bytes must be an int, got {type(required_bytes).__name__}"
        ) from None
    if required < 0:
        raise ValueError(f"{function}: required_bytes must not be negative, got {required}")
    found = []
    for info in _candidates(chosen, function):
        for device in info.devices:
            memory = device.free_memory if device.free_memory is not None else device.total_memory
            if memory is not None and memory >= required:
                return _backend(info)
            if memory is None:
                found.append(f"{info.name} ({device.name}): unknown")
            else:
                short = required - memory
                found.append(
                    f"{info.name} ({device.name}): {memory:,} bytes free, {short:,} too few"
                )
    raise MemoryError(
        f"{function}: no device has {required:,} bytes of free memory: {'; '.join(found)}"
    )


def _preference(preference: BackendPreference | str, function: str) -> BackendPreference:
    if not isinstance(preference, str):
        raise TypeError(
            f"{function}: preference must be a BackendPreference or a str, "
            f"got {type(preference).__name__}"
        )
    try:
        return BackendPreference(preference.lower())
    except ValueError:
        from difflib import get_close_matches

        names = [each.value for each in BackendPreference]
        near = get_close_matches(preference.lower(), names, n=len(names), cutoff=0.0)
        listed = [*near, *(name for name in names if name not in near)]
        raise ValueError(
            f"{function}: there is no preference {preference!r}; "
            f"allowed: {', '.join(map(repr, listed))}"
        ) from None


def _candidates(preference: BackendPreference, function: str) -> list[BackendInfo]:
    """Return the available backends of a preference, the best first; at least one."""
    known = {info.name: info for info in discover_backends()}
    if preference is BackendPreference.AUTO:
        return [known[name] for name in ORDER if name in known and known[name].available]
    info = known.get(preference.value)
    if info is None or not info.available:
        reason = registry.missing(preference.value) if info is None else info.error
        raise RuntimeError(f"{function}: {preference.value!r} cannot be used here: {reason}")
    return [info]


def _backend(info: BackendInfo) -> Backend:
    return registry.get_backend("torch" if info.name == "metal" else info.name)


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
