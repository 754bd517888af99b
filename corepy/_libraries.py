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


def _add_to_array_api_extra(helpers: ModuleType) -> None:
    """Let elements be arrays for array-api-extra, which takes instances of float for Python's."""
    is_scalar = helpers.is_python_scalar

    def is_python_scalar(x: Any) -> bool:
        return type(x) is not Tensor and bool(is_scalar(x))

    _replace(helpers, "is_python_scalar", is_python_scalar)


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
            return x.to_numpy()

        def is_float_type(self, x: Tensor) -> bool:
            return x.dtype.kind in "fc"

    vars(backends)["_corepy_backend"] = CorepyBackend  # einops has only a weak reference


def _prepare(
    owner: ModuleType | type, name: str, prepare: Callable[[Any], Any], position: int = 0
) -> None:
    """Replace a function or method by one that calls `prepare` with the argument at `position`."""
    function = getattr(owner, name)

    @wraps(function)
    def prepared(*args: Any, **kwargs: Any) -> Any:
        if len(args) > position:
            args = (*args[:position], prepare(args[position]), *args[position + 1 :])
        return function(*args, **kwargs)

    _replace(owner, name, prepared)


def _replace(owner: ModuleType | type, name: str, function: Any) -> None:
    """Replace a function, also in the modules of its package that have imported it."""
    former = getattr(owner, name)
    setattr(owner, name, function)
    if isinstance(owner, ModuleType):
        package = owner.__name__.partition(".")[0] + "."
        for other, module in list(sys.modules.items()):
            if other.startswith(package) and vars(module).get(name) is former:
                setattr(module, name, function)


def _as_numpys(x: Any) -> Any:
    """Return a tensor as NumPy's array, or scalar if it has no axes; others as they are."""
    return x.to_numpy()[()] if type(x) is Tensor else x


def _as_key(x: Any) -> Any:
    """Return a key with NumPy's arrays and scalars for tensors."""
    if type(x) is slice:
        return slice(_as_numpys(x.start), _as_numpys(x.stop), _as_numpys(x.step))
    return _as_numpys(x)


def _as_new_numpys(x: Any) -> Any:
    """Return a tensor as an array of memory of its own, and a list of numbers as NumPy's."""
    if type(x) is list and x and type(x[0]) is Tensor and not x[0].ndim:
        return [_as_numpys(item) for item in x]
    return _as_numpys(x.copy()) if type(x) is Tensor else x


def _as_array(x: Any) -> Any:
    """Return an element as a view without axes, which is no scalar of NumPy's."""
    return x[...] if type(x) is Tensor and not x.ndim else x


def _returning_numpys(function: Any) -> Any:
    """Return a function of the user's that has NumPy's results for NumPy's arrays."""
    if not callable(function):
        return function

    @wraps(function, updated=())
    def returning_numpys(x: Any, *args: Any, **kwargs: Any) -> Any:
        result = function(x, *args, **kwargs)
        return result if type(x) is Tensor else _as_numpys(result)

    return returning_numpys


def _add_to_numpy_testing(utils: ModuleType) -> None:
    """Let assertions compare tensors as they compare ndarrays, which they test for.

    The name is the module's, so that a function that was imported before finds it, too.
    """

    def is_instance(x: Any, cls: Any) -> bool:
        return issubclass(np.ndarray, cls) if isinstance(x, Tensor) else isinstance(x, cls)

    vars(utils)["isinstance"] = is_instance


def _add_to_pandas_keys(common: ModuleType) -> None:
    """Let tensors be keys and labels: pandas tests for NumPy's classes."""
    _prepare(common, "apply_if_callable", _as_key)
    _prepare(common, "asarray_tuplesafe", _as_new_numpys)  # of each index
    require_length = common.require_length_match

    def require_length_match(data: Any, index: Any) -> None:
        if type(data) is not Tensor or data.ndim:
            require_length(data, index)

    _replace(common, "require_length_match", require_length_match)


def _add_to_pandas_columns(construction: ModuleType) -> None:
    """Let columns have memory of their own, and columns of numbers NumPy's dtypes."""
    _prepare(construction, "sanitize_array", _as_new_numpys)


def _add_to_pandas_index(base: ModuleType) -> None:
    """Let an index have memory of its own, and tensors for keys."""
    _prepare(base.Index, "__new__", _as_new_numpys, 1)
    _prepare(base.Index, "__getitem__", _as_key, 1)


def _add_to_pandas_ranges(module: ModuleType) -> None:
    """Let tensors be keys of a RangeIndex."""
    _prepare(module.RangeIndex, "__getitem__", _as_key, 1)


def _add_to_pandas_levels(multi: ModuleType) -> None:
    """Let tensors be keys of an index of several levels."""
    _prepare(multi.MultiIndex, "__getitem__", _as_key, 1)


def _add_to_pandas_operands(common: ModuleType) -> None:
    """Let tensors be operands of DataFrames, too, which take them for lists of tensors."""
    _prepare(common, "item_from_zerodim", _as_numpys)  # of each operand


def _add_to_scipy_derivatives(functions: ModuleType) -> None:
    """Let functions to minimize, and their derivatives, return tensors: the solvers are C code."""

    def with_numpys(init: Callable[..., None]) -> Callable[..., None]:
        @wraps(init)
        def prepared(self: Any, *args: Any, **kwargs: Any) -> None:
            named = {name: _returning_numpys(value) for name, value in kwargs.items()}
            init(self, *map(_returning_numpys, args), **named)

        return prepared

    for name in ("ScalarFunction", "VectorFunction"):
        cls = getattr(functions, name)
        cls.__init__ = with_numpys(cls.__init__)


def _add_to_scipy_operators(interface: ModuleType) -> None:
    """Let matrices of linear operators be tensors."""
    _prepare(interface, "aslinearoperator", _as_numpys)


def _add_to_scipy_sparse(sputils: ModuleType) -> None:
    """Let tensors be dense matrices beside sparse ones."""
    is_dense = sputils.isdense

    def isdense(x: Any) -> bool:
        return type(x) is Tensor or bool(is_dense(x))

    _replace(sputils, "isdense", isdense)


def _add_to_sklearn_search(search: ModuleType) -> None:
    """Let tensors be the values of parameters that are searched."""

    def with_lists(grid: Any) -> Any:
        if isinstance(grid, dict):
            return {name: _as_numpys(values) for name, values in grid.items()}
        return [*map(with_lists, grid)] if isinstance(grid, (list, tuple)) else grid

    _prepare(search.ParameterGrid, "__init__", with_lists, 1)


def _add_to_sqlite3(dbapi2: ModuleType) -> None:
    """Let numbers of tensors be parameters of SQL."""

    def adapt(x: Tensor) -> Any:
        return x.item() if x.ndim == 0 else memoryview(x)

    dbapi2.register_adapter(Tensor, adapt)


def _add_to_statsmodels(data: ModuleType) -> None:
    """Let tensors be the data of models, as arrays of NumPy's, without explanatory ones, too."""
    _prepare(data, "handle_data", _as_numpys)
    _prepare(data, "handle_data", _as_numpys, 1)


def _add_to_xarray_variables(variable: ModuleType) -> None:
    """Let variables without axes be tensors, not scalars."""
    _prepare(variable, "as_compatible_data", _as_array)


def _add_to_xarray_arrays(core: ModuleType) -> None:
    """Let arrays without axes be tensors, not scalars."""
    _prepare(core, "from_array", _as_array, 1)


def _add_to_xarray_indexing(indexing: ModuleType) -> None:
    """Let elements of variables be tensors, not scalars."""
    _prepare(indexing, "_wrap_numpy_scalars", _as_array)


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

    _replace(compat, "get_array_namespace", get_array_namespace)


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
        array = np.ascontiguousarray(x.to_numpy())
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

    # With an indent Python's code writes what is an instance of int or float, by its `__repr__`.
    def is_instance(o: Any, cls: Any) -> bool:
        return type(o) is not Tensor and isinstance(o, cls)

    write = encoder._make_iterencode
    write.__defaults__ = tuple(
        is_instance if value is isinstance else value for value in write.__defaults__
    )


def _to_jax(self: Tensor) -> Any:
    """Return JAX's array of the elements, for operations of JAX with tensors."""
    from jax import numpy

    return numpy.asarray(self.to_numpy())


#: The module that is completed after its import, and what completes it.
_LIBRARIES: dict[str, Callable[[ModuleType], None]] = {
    "array_api_extra._lib._helpers": _add_to_array_api_extra,
    "cubed.backend_array_api": _add_to_cubed,
    "dask.array.backends": _add_percentiles_to_dask,
    "dask.array.chunk_types": _add_chunks_to_dask,
    "dask.sizeof": _add_sizes_to_dask,
    "dask.tokenize": _add_tokens_to_dask,
    "einops._backends": _add_to_einops,
    "json.encoder": _add_to_json,
    "numpy.testing._private.utils": _add_to_numpy_testing,
    "pandas.core.common": _add_to_pandas_keys,
    "pandas.core.construction": _add_to_pandas_columns,
    "pandas.core.indexes.base": _add_to_pandas_index,
    "pandas.core.indexes.multi": _add_to_pandas_levels,
    "pandas.core.indexes.range": _add_to_pandas_ranges,
    "pandas.core.ops.common": _add_to_pandas_operands,
    "scipy._lib.array_api_extra._lib._utils._helpers": _add_to_array_api_extra,
    "scipy.optimize._differentiable_functions": _add_to_scipy_derivatives,
    "scipy.sparse._sputils": _add_to_scipy_sparse,
    "scipy.sparse.linalg._interface": _add_to_scipy_operators,
    "sklearn.externals.array_api_extra._lib._helpers": _add_to_array_api_extra,
    "sklearn.model_selection._search": _add_to_sklearn_search,
    "sqlite3.dbapi2": _add_to_sqlite3,
    "statsmodels.base.data": _add_to_statsmodels,
    "xarray.compat.array_api_compat": _add_to_xarray,
    "xarray.core.indexing": _add_to_xarray_indexing,
    "xarray.namedarray.core": _add_to_xarray_arrays,
    "xarray.core.variable": _add_to_xarray_variables,
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
