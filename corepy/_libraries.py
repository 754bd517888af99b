"""What other libraries must be told about tensors, when they are imported.

Most libraries take tensors by the array API standard, NumPy's protocols, DLPack or the buffer
protocol. Some have lists or rules of their own, to which the functions here add tensors. `watch`
calls each function when its library is imported; Corepy imports none of them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import wraps
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from corepy._cython.core import Tensor, extend

if TYPE_CHECKING:  # importlib.abc takes 20 ms
    from importlib.abc import Loader
    from importlib.machinery import ModuleSpec


def _add_to_einops(backends: ModuleType) -> None:
    """Define einops' backend for tensors; einops finds it among the subclasses of its base."""
    import corepy

    class CorepyBackend(backends.NumpyBackend):  # type: ignore[name-defined, misc]
        framework_name = "corepy"

        def __init__(self) -> None:
            self.np = corepy

        def is_appropriate_type(self, tensor: Any) -> bool:
            return isinstance(tensor, Tensor)

        def from_numpy(self, x: Any) -> Tensor:
            return corepy.asarray(x)

        def to_numpy(self, x: Tensor) -> Any:
            return np.asarray(x.to_device("cpu"))

        def is_float_type(self, x: Tensor) -> bool:
            return x.dtype.kind in "fc"

    vars(backends)["_corepy_backend"] = CorepyBackend  # einops has only a weak reference


def _read_first(module: ModuleType, name: str) -> None:
    """Make a function of a module read a tensor, its first argument, as NumPy's object."""
    function = getattr(module, name)

    @wraps(function)
    def with_numpys(value: Any, *args: Any, **kwargs: Any) -> Any:
        if type(value) is Tensor:
            value = np.asarray(value.to_device("cpu"))[()]  # a scalar if 0-d
        return function(value, *args, **kwargs)

    setattr(module, name, with_numpys)


def _add_to_pandas_keys(common: ModuleType) -> None:
    """Let tensors be keys: pandas tests masks and integers for NumPy's classes."""
    _read_first(common, "apply_if_callable")  # of each key


def _add_to_pandas_operands(common: ModuleType) -> None:
    """Let tensors be operands of DataFrames, too, which take them for lists of tensors."""
    _read_first(common, "item_from_zerodim")  # of each operand


def _add_to_xarray(compat: ModuleType) -> None:
    """Let xarray find NumPy's functions and keywords for tensors.

    Of a namespace it asks for more than the standard has: `pad`, `quantile`, ``std(x, ddof=1)``.
    """
    import corepy

    find = compat.get_array_namespace

    @wraps(find)
    def get_array_namespace(*values: Any) -> Any:
        namespace = find(*values)
        return corepy if namespace.__name__.startswith("corepy") else namespace

    for name, module in list(sys.modules.items()):
        if name.startswith("xarray.") and vars(module).get("get_array_namespace") is find:
            module.get_array_namespace = get_array_namespace  # type: ignore[attr-defined]


def _add_to_cubed(backend: ModuleType) -> None:
    """Let Cubed find NumPy's functions and keywords in its backend, where that is Corepy.

    Of a backend it asks for more than the namespace has: ``full_like(x, 0, shape=shape)``. Its
    module imports Corepy before it has a namespace, so this is a property of the module.
    """
    import corepy

    class Backend(ModuleType):
        @property
        def namespace(self) -> Any:
            namespace = vars(self)["namespace"]
            return corepy if namespace is corepy.array_api else namespace

    backend.__class__ = Backend


def _add_chunks_to_dask(chunk_types: ModuleType) -> None:
    """Let Dask's arrays have tensors as chunks, to which they do not defer in operations."""
    chunk_types.register_chunk_type(Tensor)


def _add_percentiles_to_dask(backends: ModuleType) -> None:
    """Let Dask compute percentiles of tensors."""
    backends.percentile_lookup.register(Tensor, backends.percentile)


def _add_sizes_to_dask(sizeof: ModuleType) -> None:
    """Let Dask know how much memory a tensor takes."""
    sizeof.sizeof.register(Tensor, sys.getsizeof)


def _add_tokens_to_dask(tokenize: ModuleType) -> None:
    """Let equal tensors have equal tokens in Dask."""
    from hashlib import blake2b

    def normalize_tensor(x: Tensor) -> Any:
        if x.device == "dask":
            return x.device.backend.unwrap(x).name
        # Dask's own token of an array of no axes does not tell NaN from -NaN.
        array = np.ascontiguousarray(np.asarray(x.to_device("cpu")))
        content = blake2b(array.reshape(-1).view(np.uint8).data, digest_size=20).hexdigest()
        return "corepy.Tensor", str(x.device), x.shape, str(x.dtype), content

    tokenize.normalize_token.register(Tensor, normalize_tensor)


def _add_to_json(encoder: ModuleType) -> None:
    """Let JSON have numbers of tensors, as it has `np.float64`, a subclass of `float`."""
    refuse = encoder.JSONEncoder.default

    @wraps(refuse)
    def default(self: Any, o: Any) -> Any:
        if type(o) is Tensor and o.ndim == 0 and o.dtype.kind != "c":
            return o.item()
        return refuse(self, o)

    encoder.JSONEncoder.default = default


def _to_jax(self: Tensor) -> Any:
    """Return JAX's array of the elements, for operations of JAX with tensors."""
    from jax import numpy

    return numpy.asarray(np.asarray(self.to_device("cpu")))


#: The module that is completed after its import, and what completes it.
_LIBRARIES: dict[str, Callable[[ModuleType], None]] = {
    "cubed.backend_array_api": _add_to_cubed,
    "dask.array.backends": _add_percentiles_to_dask,
    "dask.array.chunk_types": _add_chunks_to_dask,
    "dask.sizeof": _add_sizes_to_dask,
    "dask.tokenize": _add_tokens_to_dask,
    "einops._backends": _add_to_einops,
    "json.encoder": _add_to_json,
    "pandas.core.common": _add_to_pandas_keys,
    "pandas.core.ops.common": _add_to_pandas_operands,
    "xarray.compat.array_api_compat": _add_to_xarray,
}


def _complete(module: ModuleType) -> None:
    # A version of the library without these names is imported as if Corepy were not there.
    with suppress(AttributeError, ImportError):
        _LIBRARIES[module.__name__](module)


class _Completing:
    """A loader that completes the module after another loader has executed it."""

    def __init__(self, loader: Loader) -> None:
        self.loader = loader

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self.loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        module.__loader__ = module.__spec__.loader = self.loader  # type: ignore[union-attr]
        self.loader.exec_module(module)
        _complete(module)


class _Finder:
    """Finds the modules of `_LIBRARIES` as other finders do, and lets `_Completing` load them."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name not in _LIBRARIES:
            return None
        for finder in sys.meta_path:
            spec = None if finder is self else finder.find_spec(name, path, target)
            if spec is not None and spec.loader is not None:
                spec.loader = _Completing(spec.loader)  # type: ignore[assignment]
                return spec
        return None


def watch() -> None:
    """Complete the libraries that are imported, and each of the others when it is."""
    extend({"__jax_array__": _to_jax})
    for name in _LIBRARIES:
        if name in sys.modules:
            _complete(sys.modules[name])
    sys.meta_path.insert(0, _Finder())
