"""The backend over PyTorch: ``torch:cpu``, ``torch:cuda:0``, ``torch:mps``, ``torch:xpu:0``.

Tensors store PyTorch's tensors, without gradients. array-api-compat's namespace computes; what it
lacks or does otherwise than the standard is in `corepy.backend.corrections`.
"""

from __future__ import annotations

import operator
import re
from functools import partial
from typing import Any

import numpy as np

from corepy._cython.core import Device, LinAlgError, NamespaceBackend, Tensor, load_bfloat16
from corepy.backend import registry
from corepy.backend._nested import leaves, mapped

#: Operations that may return memory of their operands, as views.
_VIEWS = frozenset(
    "astype broadcast_arrays broadcast_to expand_dims linalg.diagonal linalg.matrix_transpose "
    "matrix_transpose moveaxis permute_dims reshape squeeze unstack".split()
)


#: Functions of rows -> the parameters of `corepy.nn` after the array, and their defaults.
_ROWS: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "softmax": (("axis",), {"axis": -1}),
    "log_softmax": (("axis",), {"axis": -1}),
    "rms_norm": (("weight", "eps"), {"weight": None, "eps": 1e-6}),
    "layer_norm": (("weight", "bias", "eps"), {"weight": None, "bias": None, "eps": 1e-5}),
}

#: PyTorch's names of instruction sets -> ours.
_LEVELS = {"AVX512": "AVX-512", "AVX2": "AVX2"}


class TorchBackend(NamespaceBackend):
    """PyTorch's devices."""

    def __init__(self) -> None:
        super().__init__("torch", _load, "torch", partial(registry.corrections_for, "torch"))
        self._devices: dict[str, Device] = {}

    def missing(self) -> str:
        """Return that PyTorch is not installed; empty if it is."""
        return registry.missing("torch")

    def devices(self) -> list[Device]:
        """Return the devices that PyTorch finds on this machine, the CPU first."""
        if not self._devices:
            torch = _torch()
            names = ["cpu"]
            for kind in ("cuda", "xpu"):
                module = getattr(torch, kind, None)
                if module is not None and module.is_available():
                    names += [f"{kind}:{index}" for index in range(module.device_count())]
            if torch.backends.mps.is_available():
                names.append("mps")
            found = {name: Device(self, index, f"torch:{name}") for index, name in enumerate(names)}
            self._devices.update(found)
        return list(self._devices.values())

    def get_capabilities(self) -> dict[str, Any]:
        """Return what PyTorch's CPU can do; see `Backend.get_capabilities`."""
        torch = _torch()
        level = _LEVELS.get(torch.backends.cpu.get_cpu_capability())
        found = super().get_capabilities()
        return {**found, "simd_level": level, "threads": torch.get_num_threads()}

    # ---- hooks

    def native_dtypes_of(self, namespace: Any) -> dict[str, Any]:
        """Return PyTorch's dtypes."""
        found = super().native_dtypes_of(namespace)
        return {name: dtype for name, dtype in found.items() if dtype.itemsize}

    def native_device(self, device: Device) -> Any:
        """Return the device as PyTorch's."""
        return _torch().device(str(device).partition(":")[2])

    def device_of(self, native: Any) -> Device:
        """Return the device of one of PyTorch's tensors."""
        place = native.device
        name = place.type if place.type in ("cpu", "mps") else f"{place.type}:{place.index or 0}"
        self.devices()
        return self._devices[name]

    def native_to_numpy(self, native: Any) -> Any:
        """Return an ndarray over the memory of a tensor of the host, or a copy."""
        native = native.cpu()
        if native.dtype == _torch().bfloat16:  # which NumPy does not know
            return native.view(_torch().uint16).numpy().view(load_bfloat16())
        return native.numpy()

    def native_from_numpy(self, array: Any, device: Device) -> Any:
        """Return a tensor over an ndarray, or with its elements."""
        if array.dtype.name == "bfloat16":
            native = _torch().from_numpy(array.view(np.uint16)).view(_torch().bfloat16)
        else:
            native = _torch().from_numpy(array)
        return native if device is self._host else native.to(self.native_device(device))

    def wrap(self, native: Any) -> Tensor:
        """Return the Tensor around one of PyTorch's, without its gradient."""
        if native.requires_grad:
            native = native.detach()
        if native.is_conj() or native.is_neg():
            native = native.resolve_conj().resolve_neg()
        return super().wrap(native)

    @property
    def _host(self) -> Device:
        return self._devices["cpu"] if self._devices else self.devices()[0]

    # ---- between devices

    def move(self, x: Tensor, device: Device, stream: Any = None) -> Tensor:
        """Return a copy of `x` on another device; without the host between PyTorch's devices."""
        both_here = x.device.backend is self and device.backend is self
        if both_here and stream is None and device is not x.device:
            return self.wrap(self.unwrap(x).to(self.native_device(device), copy=True))
        return super().move(x, device, stream)

    def share(self, x: Tensor, device: Device) -> Tensor | None:
        """Return a tensor of ``torch:cpu`` over memory of the host.

        None for read-only memory and for negative strides, which PyTorch does not have.
        """
        source = x.device.backend
        if device is not self._host or source.dlpack_device(x)[0] != 1:  # kDLCPU
            return None
        array = source.to_numpy(x)
        usable = all(step >= 0 and step % array.itemsize == 0 for step in array.strides)
        if not array.flags.writeable or not usable:
            return None
        return self.wrap(self.native_from_numpy(array, device))

    def dlpack(self, x: Tensor, params: dict[str, Any]) -> Any:
        """Return the DLPack capsule for ``x.__dlpack__(**params)``."""
        try:
            return super().dlpack(x, params)
        except (RuntimeError, AssertionError) as error:
            raise BufferError(f"__dlpack__: {_text(error)}") from None

    # ---- operations

    def execute(self, operation: str, inputs: Any, params: dict[str, Any] | None = None) -> Any:
        """Compute an operation by PyTorch's function or its correction."""
        torch = _torch()
        try:
            with torch.no_grad():
                result = super().execute(operation, inputs, params)
        except NotImplementedError:
            raise
        except RuntimeError as error:
            raise _translated(operation, error) from None
        if operation in _VIEWS:
            return result
        taken = {self._address(x) for x in leaves(inputs) if isinstance(x, Tensor)}
        return mapped(lambda x: self._independent(x, taken), result)

    def network(self, operation: str, *arrays: Any, **options: Any) -> Tensor | None:
        """Compute an operation of `corepy.nn` by PyTorch's own function; None for most of them."""
        if operation in _ROWS:
            return self._rows(operation, *arrays, **options)
        if operation not in ("conv2d", "scaled_dot_product_attention"):
            return None
        torch = _torch()
        natives = [None if x is None else self.unwrap(x) for x in arrays]
        try:
            with torch.no_grad():
                return self.wrap(getattr(torch.nn.functional, operation)(*natives, **options))
        except RuntimeError as error:
            raise _translated(operation, error) from None

    def _rows(self, operation: str, x: Tensor, *args: Any, **options: Any) -> Tensor | None:
        """Compute a softmax or a normalisation; None: its definition does, or says why not."""
        names, defaults = _ROWS[operation]
        given = {**defaults, **dict(zip(names, args, strict=False)), **options}
        if x.dtype.kind != "f" or not x.ndim or not x.size or set(given) != set(names):
            return None
        function = getattr(_torch().nn.functional, operation)
        native, axis = self.unwrap(x), given.get("axis")
        if "axis" in given:
            usable = type(axis) is int and -x.ndim <= axis < x.ndim
            return self.wrap(function(native, dim=axis)) if usable else None
        eps = given.pop("eps")
        for factor in given.values():
            if factor is not None and not (
                isinstance(factor, Tensor)
                and (factor.device, factor.dtype, factor.shape) == (x.device, x.dtype, x.shape[-1:])
            ):
                return None
        factors = {name: None if y is None else self.unwrap(y) for name, y in given.items()}
        with _torch().no_grad():
            return self.wrap(function(native, x.shape[-1:], **factors, eps=eps))

    def _address(self, x: Tensor) -> int:
        return self.unwrap(x).untyped_storage().data_ptr()

    def _independent(self, result: Tensor, taken: set[int]) -> Tensor:
        """Return a result whose memory is not that of an operand."""
        native = self.unwrap(result)
        shared = self._address(result) in taken or native.stride() != native.contiguous().stride()
        return self.wrap(native.clone().contiguous()) if shared else result

    def native_getitem(self, native: Any, key: Any) -> Any:
        """Return ``native[key]`` with NumPy's indices."""
        from corepy.backend.corrections.indexing import selected

        try:
            key = _plain("getitem", native, key)
            return selected(self.namespace, _bits(native), key).view(native.dtype)
        except RuntimeError as error:
            raise IndexError(f"getitem: {_text(error)}") from None

    def native_setitem(self, native: Any, key: Any, value: Any) -> None:
        """Do ``native[key] = value`` with NumPy's indices."""
        from corepy.backend.corrections.indexing import assign

        if value.untyped_storage().data_ptr() == native.untyped_storage().data_ptr():
            value = value.clone()
        try:
            assign(self.namespace, _bits(native), _plain("setitem", native, key), _bits(value))
        except RuntimeError as error:
            raise ValueError(f"setitem: {_text(error)}") from None


def _torch() -> Any:
    import torch

    return torch


def _plain(function: str, native: Any, key: Any) -> tuple[Any, ...]:
    """Return an index as a tuple of integers, slices, None, Ellipsis and PyTorch's tensors.

    Errors name `function`.
    """
    out: list[Any] = []
    for item in key if isinstance(key, tuple) else (key,):
        if item is None or item is Ellipsis or isinstance(item, (slice, _torch().Tensor)):
            out.append(item)
        elif hasattr(item, "__index__") and not isinstance(item, (bool, np.bool, np.ndarray)):
            out.append(operator.index(item))
        else:
            array = np.array(item)
            if array.dtype.kind not in "biu" and array.size:
                raise IndexError(
                    f"{function}: an index must have an integer dtype or bool, got {array.dtype}"
                )
            array = array if array.dtype == np.bool else array.astype(np.int64)
            out.append(_torch().from_numpy(array).to(native.device))
    return tuple(out)


def _bits(native: Any) -> Any:
    """Return unsigned integers as signed ones of that size, which have all functions."""
    torch = _torch()
    signed = {torch.uint16: torch.int16, torch.uint32: torch.int32, torch.uint64: torch.int64}
    return native.view(signed.get(native.dtype, native.dtype))


def _text(error: BaseException) -> str:
    return str(error).partition("\n")[0]


def _translated(operation: str, error: RuntimeError) -> Exception:
    """Return PyTorch's error as the kind that the standard's functions raise."""
    said = _text(error).removeprefix(f"{operation}: ")
    text = f"{operation}: {said}"
    if isinstance(error, _torch().linalg.LinAlgError):
        if "failed to converge" in said:  # NumPy's words
            what = "Eigenvalues" if operation.startswith("linalg.eig") else "SVD"
            return LinAlgError(f"{operation}: {what} did not converge")
        return LinAlgError(text)
    if isinstance(error, _torch().OutOfMemoryError) or "can't allocate memory" in text:
        size = re.search(r"tried to allocate (\d+) bytes", said)
        if size is None:  # a GPU's message has the figures
            return MemoryError(text)
        return MemoryError(f"{operation}: PyTorch cannot allocate {int(size[1]):,} bytes")
    return ValueError(text)


def _load() -> Any:
    import array_api_compat.torch

    from corepy.backend.corrections.torch import complete

    return complete(array_api_compat.torch, np)


backend = TorchBackend()
