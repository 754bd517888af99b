"""Graphs of Dask's arrays whose chunks are tensors of the CPU: making and computing them."""

from __future__ import annotations

import functools
import itertools
import math
import operator
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import dask.array as da
import numpy as np
from dask._task_spec import Alias, DataNode, Task, TaskRef
from dask.array.core import normalize_chunks, unify_chunks
from dask.array.optimization import optimize
from dask.base import get_scheduler, tokenize
from dask.blockwise import blockwise as block_layer
from dask.core import flatten
from dask.highlevelgraph import HighLevelGraph, MaterializedLayer
from dask.layers import ArraySliceDep
from dask.local import get_sync
from dask.threaded import get as get_threaded

from corepy._cython.core import Tensor, renew_after_fork
from corepy.backend import _nested as nested
from corepy.backend.dask import tasks
from corepy.backend.dask.tasks import Operation, Part, Slot

#: More chunks than that are an error.
_MOST_CHUNKS = 1 << 24

#: So few tasks are computed in the calling thread, with all of Corepy's threads.
_FEW = 4

#: Results of at most so many bytes are kept, the last `_REMEMBERED` of them.
KEPT = 1 << 16
_REMEMBERED = 256
_small: OrderedDict[str, Tensor] = OrderedDict()
_lock = threading.Lock()
renew_after_fork(_lock)

Chunks = tuple[tuple[int, ...], ...]
#: dtype and shape.
Result = tuple[np.dtype, tuple[int, ...]]
#: An array with a number for each of its axes.
Indexed = tuple[da.Array, tuple[int, ...]]


class Values(MaterializedLayer):
    """A layer of blocks that have been computed."""

    def __reduce__(self) -> Any:
        return MaterializedLayer, (self.mapping,)


class Element(MaterializedLayer):
    """A layer of one element of a small array, which is computed as a whole."""

    def __init__(self, mapping: Mapping[Any, Any], whole: da.Array, key: tuple[int, ...]) -> None:
        super().__init__(mapping)
        self.whole, self.key = whole, key

    def __reduce__(self) -> Any:
        return MaterializedLayer, (self.mapping,)


@functools.lru_cache(256)
def meta(dtype: np.dtype, ndim: int) -> Tensor:
    """Return the array of size zero that stands for the blocks of an array."""
    return tasks.created("empty", (0,) * ndim, dtype=dtype)


def array(
    layer: Any, name: str, chunks: Chunks, dtype: np.dtype, inputs: Sequence[Any] = ()
) -> da.Array:
    """Return the array of a layer of tasks with keys ``(name, i, j, ...)``."""
    graph = HighLevelGraph.from_collections(name, layer, dependencies=inputs)
    return da.Array(graph, name, chunks, meta=meta(dtype, len(chunks)))


def automatic_chunks(shape: tuple[int, ...], dtype: np.dtype) -> Chunks:
    """Return the sizes of chunks of at most Dask's ``array.chunk-size``."""
    if 0 in shape:
        return single(shape)
    nbytes = math.prod(shape) * dtype.itemsize
    if nbytes >= 1 << 63:
        raise ValueError(f"full: an array of shape {shape} is too big for memory to address")
    if nbytes // limit() > _MOST_CHUNKS:
        raise MemoryError(
            f"full: an array of shape {shape} has more than {_MOST_CHUNKS:,} chunks of "
            f"{limit():,} bytes"
        )
    return normalize_chunks("auto", shape, dtype=dtype)


def limit() -> int:
    """Return the bytes of a chunk, at most, that are made by default."""
    return int(da.core.parse_bytes(da.core.config.get("array.chunk-size")))


def single(shape: tuple[int, ...]) -> Chunks:
    """Return the chunks of an array of one block."""
    return tuple((size,) for size in shape)


def ranges(sizes: Sequence[int]) -> list[slice]:
    """Return where blocks of these sizes are on an axis."""
    ends = itertools.accumulate(sizes)
    return [slice(end - size, end) for size, end in zip(sizes, ends, strict=True)]


# ---- values


def of_tensor(x: Tensor, chunks: Chunks | None = None) -> da.Array:
    """Return the array of a tensor of the CPU, which nothing else may write to."""
    chunks = automatic_chunks(x.shape, x.dtype) if chunks is None else chunks
    places = itertools.product(*map(ranges, chunks))
    if all(len(sizes) == 1 for sizes in chunks):
        return of_blocks([x], chunks, x.dtype)
    return of_blocks([tasks.part(x, place) for place in places], chunks, x.dtype)


def of_blocks(
    blocks: Sequence[Tensor], chunks: Chunks, dtype: np.dtype, name: str | None = None
) -> da.Array:
    """Return the array of blocks in C order of their positions.

    `name` is that of the array whose blocks have been computed.
    """
    if name is None:
        name = f"values-{tokenize(list(blocks), chunks)}"
    positions = itertools.product(*(range(len(sizes)) for sizes in chunks))
    layer = {
        (name, *position): DataNode((name, *position), tasks.as_block(block))
        for position, block in zip(positions, blocks, strict=True)
    }
    return array(Values(layer), name, chunks, dtype)


def known(x: da.Array) -> Tensor | None:
    """Return the elements of an array that has been computed, and is in this process, else None."""
    layer = x.dask.layers.get(x.name)
    if isinstance(layer, Values):
        return tasks.joined([node.value for node in layer.mapping.values()], x.chunks)
    if x.nbytes > KEPT:
        return None
    if isinstance(layer, Element):
        whole = known(layer.whole)
        return None if whole is None else whole[*layer.key, ...]
    with _lock:
        return _small.get(x.name)


def elements(x: da.Array) -> Tensor:
    """Return the elements of an array, computed now; they are not to be written to."""
    found = known(x)
    if found is not None:
        return found
    layer = x.dask.layers.get(x.name)
    if isinstance(layer, Element):
        return elements(layer.whole)[*layer.key, ...]
    (blocks,) = compute([x])
    found = tasks.joined(blocks, x.chunks)
    if x.nbytes <= KEPT:
        with _lock:
            _small[x.name] = found
            while len(_small) > _REMEMBERED:
                _small.popitem(last=False)
    return found


# ---- layers


class TaskLayer(dict[Any, Any]):
    """The tasks of a layer, by their keys."""

    def task(self, key: Any, function: Callable[..., Any], *arguments: Any) -> TaskRef:
        """Add a task; return what stands for its result among the arguments of another."""
        self[key] = Task(key, function, *arguments)
        return TaskRef(key)

    def alias(self, key: Any, x: da.Array, position: Iterable[int]) -> None:
        """Add a key for a block of another array."""
        self[key] = Alias(key, (x.name, *position))  # type: ignore[arg-type]


def mapped(
    function: Callable[..., Any],
    dtype: np.dtype,
    *inputs: da.Array | Indexed,
    out: Sequence[int] | None = None,
    sizes: Mapping[int, int | tuple[int, ...]] = MappingProxyType({}),
    located: bool | Chunks = False,
    prefix: str | None = None,
) -> da.Array:
    """Return the array whose blocks are a function of blocks of others.

    Parameters
    ----------
    function : callable
        Called with one block of each input; with nested lists of blocks for axes with several
        blocks that `out` lacks.
    dtype : dtype
        Of the result.
    *inputs : array, or tuple of array and tuple of int
        Arrays with a number for each of their axes; axes of one number get the same blocks, or
        one block. Without numbers arrays broadcast: the last axis is that of the largest number.
    out : sequence of int, optional
        The numbers of the result's axes, by default 0, 1, ... of the arrays that broadcast. Those
        that no input has have one block, of size 1.
    sizes : dict of int to int or tuple of int, optional
        Sizes of the blocks along axes of the result, or the size of all of them, by the numbers of
        axes; by default as in the inputs.
    located : bool or tuple, optional
        Whether the function is also called with the place of the first array's block in the array;
        or the chunks of the result, for the place of the block that it returns.
    prefix : str, optional
        The beginning of the keys, which Dask's dashboard shows.
    """
    ndim = max((x.ndim for x in inputs if isinstance(x, da.Array)), default=0)
    numbers = tuple(range(ndim))
    chunks, pairs = aligned(
        [(x, numbers[ndim - x.ndim :]) if isinstance(x, da.Array) else x for x in inputs]
    )
    arrays = [x for x, _ in pairs]
    out = numbers if out is None else tuple(out)
    names = [(x.name, index) for x, index in pairs]
    if isinstance(located, tuple):
        chunks = dict(zip(out, located, strict=True))
        names.append((ArraySliceDep(located), out))
    elif located:
        names.append((ArraySliceDep(arrays[0].chunks), pairs[0][1]))
    rows = [chunks.get(axis, (1,)) for axis in out]
    for axis, size in sizes.items():
        if axis in out:
            k = out.index(axis)
            rows[k] = (size,) * len(rows[k]) if isinstance(size, int) else size
    name = f"{prefix or function!r}-{tokenize(function, names, out, rows, dtype)}"
    layer = block_layer(
        function,
        name,
        out,
        *itertools.chain.from_iterable(names),
        numblocks={x.name: x.numblocks for x in arrays},
        new_axes={axis: 1 for axis in out if axis not in chunks},
    )
    return array(layer, name, tuple(rows), dtype, arrays)


def aligned(pairs: Sequence[Indexed]) -> tuple[dict[int, Any], list[Indexed]]:
    """Return the chunks of each number of an axis, and arrays in these chunks."""
    chunks: dict[int, Any] = {}
    for x, index in pairs:
        for axis, row in zip(index, x.chunks, strict=True):
            if chunks.setdefault(axis, row) != row:
                found, arrays = unify_chunks(*itertools.chain.from_iterable(pairs), warn=False)
                return found, [(y, k) for y, (_, k) in zip(arrays, pairs, strict=True)]
    return chunks, list(pairs)


def elementwise(
    name: str, inputs: tuple[Any, ...], params: dict[str, Any], dtype: np.dtype
) -> da.Array:
    """Return the result of an elementwise operation of arrays, scalars and None."""
    arrays: list[da.Array] = []
    arguments = list(inputs)
    for k, x in enumerate(inputs):
        if not isinstance(x, da.Array):
            continue
        if x.ndim == 0 and len(inputs) > 1:
            value = known(x)
            if value is not None and (arrays or any(_has_axes(y) for y in inputs[k + 1 :])):
                arguments[k] = value
                continue
        arguments[k] = Slot(len(arrays))
        arrays.append(x)
    function = Operation(name, params, tuple(arguments), elementwise=True)
    return mapped(function, dtype, *arrays)


def cast(x: da.Array, dtype: np.dtype) -> da.Array:
    """Return an array as `dtype`."""
    return x if x.dtype == dtype else elementwise("astype", (x, dtype), {}, dtype)


def _has_axes(x: Any) -> bool:
    return isinstance(x, da.Array) and x.ndim > 0


def tasks_of(
    prefix: str,
    made: Mapping[tuple[int, ...], tuple[Any, ...]],
    chunks: Chunks,
    dtype: np.dtype,
    inputs: Sequence[da.Array],
    token: Any,
) -> da.Array:
    """Return the array whose blocks are computed by these tasks: (function, arguments ...).

    Blocks of `inputs` among the arguments are ``block(x, position)``.
    """
    name = f"{prefix}-{tokenize(token, chunks, dtype, [x.name for x in inputs])}"
    layer = TaskLayer()
    for position, call in made.items():
        layer.task((name, *position), *call)
    return array(layer, name, chunks, dtype, inputs)


def block(x: da.Array, position: Iterable[int]) -> TaskRef:
    """Return what stands for a block of an array among the arguments of a task."""
    return TaskRef((x.name, *position))


def positions(x: da.Array) -> Iterable[tuple[int, ...]]:
    """Return the positions of the blocks of an array, in C order."""
    return itertools.product(*map(range, x.numblocks))


def called(
    name: str,
    inputs: tuple[Any, ...],
    params: dict[str, Any],
    results: Sequence[Result],
) -> list[da.Array]:
    """Return the results of an operation that one task computes of arrays of one block."""
    arrays: list[Any] = []

    def slotted(value: Any) -> Any:
        if not isinstance(value, da.Array):
            return value
        arrays.append(value)
        return Slot(len(arrays) - 1)

    slots, keywords = nested.mapped(slotted, (tuple(inputs), params))
    function = Operation(name, keywords, slots)
    blocks = [block(x, (0,) * x.ndim) for x in arrays]
    token = tokenize(function, [x.name for x in arrays])
    found = []
    for k, (dtype, shape) in enumerate(results):
        layer = TaskLayer()
        part = f"{name}-{k}-{token}"
        key = (part, *(0,) * len(shape))
        if len(results) == 1:
            layer.task(key, function, *blocks)
        else:
            whole = layer.task(f"{name}-all-{token}", function, *blocks)
            layer.task(key, operator.getitem, whole, k)
        found.append(array(layer, part, single(shape), dtype, arrays))
    return found


def arrays_in(value: Any) -> list[da.Array]:
    """Return the arrays among arguments."""
    return [x for x in nested.leaves(value) if isinstance(x, da.Array)]


def gathered(x: da.Array) -> da.Array:
    """Return an array in one block."""
    if x.npartitions == 1:
        return x
    blocks = [block(x, position) for position in positions(x)]
    made = {(0,) * x.ndim: (tasks.join, x.chunks, *blocks)}
    return tasks_of("gather", made, single(x.shape), x.dtype, [x], "gather")


def whole_axes(x: da.Array, axes: Iterable[int]) -> da.Array:
    """Return an array in chunks with all of some axes, of the default size if possible."""
    axes = set(axes)
    if all(x.numblocks[axis] == 1 for axis in axes):
        return x
    sizes: dict[int, Any] = dict.fromkeys(axes, -1)
    largest = x.dtype.itemsize
    for axis, row in enumerate(x.chunks):
        largest *= x.shape[axis] if axis in axes else max(row)
    if largest > limit():
        sizes |= {axis: "auto" for axis in range(x.ndim) if axis not in axes}
    return x.rechunk(sizes)


def axes_of(axis: Any, ndim: int) -> tuple[int, ...]:
    """Return axes, counted from 0, that are given as one, or several; None: all."""
    if axis is None:
        return tuple(range(ndim))
    return tuple(k % ndim for k in (axis if isinstance(axis, (tuple, list)) else (axis,)))


# ---- computing


def lowered(arrays: Sequence[da.Array]) -> tuple[dict[Any, Any], list[Any], Any]:
    """Return the tasks that compute arrays, the keys of the blocks of each, and the scheduler.

    Dask's optimization leaves out what is not needed and joins chains of blockwise layers. Here
    the other elementwise tasks that only one task needs become a part of that one, and each task
    is run by `tasks.run`, which computes its operations together.
    """
    keys = [x.__dask_keys__() for x in arrays]
    wanted = set(flatten(keys))
    graph = HighLevelGraph.merge(*(x.dask for x in arrays))
    made = _merged(dict(optimize(graph, list(wanted))), wanted)
    schedule = get_scheduler(collections=arrays)
    if schedule is get_threaded and sum(type(node) is Task for node in made.values()) <= _FEW:
        schedule = get_sync
    threads = 0 if schedule is get_sync else 1
    return {key: _run(node, threads) for key, node in made.items()}, keys, schedule


def _run(node: Any, threads: int) -> Any:
    if type(node) is not Task:
        return node
    return Task(node.key, tasks.run, threads, node.func, *node.args, **node.kwargs)


def _is_elementwise(node: Any) -> bool:
    if type(node) is not Task:
        return False
    if node.has_subgraph():
        return all(map(_is_elementwise, node.args[0].values()))
    return isinstance(node.func, Operation) and node.func.elementwise


def _takes_elements(node: Any) -> bool:
    """Return whether a task may compute its operands itself, block by block."""
    if type(node) is not Task:
        return False
    if node.has_subgraph():
        return _takes_elements(node.args[0][node.args[1]])
    return isinstance(node.func, (Operation, Part))


def _merged(graph: dict[Any, Any], wanted: set[Any]) -> dict[Any, Any]:
    """Join elementwise tasks with the one task that needs them, at the same position."""
    needed_by: dict[Any, list[Any]] = {key: [] for key in graph}
    counts = dict.fromkeys(graph, 0)
    for key, node in graph.items():
        for other in node.dependencies:
            if other in graph:
                needed_by[other].append(key)
                counts[other] += 1
    ready = [key for key, count in counts.items() if count == 0]
    root: dict[Any, Any] = {}
    members: dict[Any, list[Any]] = {}
    while ready:
        key = ready.pop()
        node = graph[key]
        roots = {root[other] for other in needed_by[key]}
        root[key] = key
        if key not in wanted and len(roots) == 1 and _is_elementwise(node):
            (other,) = roots
            if key[1:] == other[1:] and _takes_elements(graph[other]):
                root[key] = other
        members.setdefault(root[key], []).append(node)
        for other in node.dependencies:
            if other in graph:
                counts[other] -= 1
                if counts[other] == 0:
                    ready.append(other)
    return {
        key: nodes[0] if len(nodes) == 1 else Task.fuse(*_flat(nodes), key=key)
        for key, nodes in members.items()
    }


def _flat(nodes: Iterable[Any]) -> list[Any]:
    """Return tasks with those that Dask has joined taken apart, so that they run as one."""
    found: list[Any] = []
    for node in nodes:
        if node.has_subgraph():
            inner, last, inputs, *given = node.args
            names: dict[Any, Any] = {key: (key, node.key) for key in inner} | {last: node.key}
            outer = {
                key: ref.key if isinstance(ref, TaskRef) else ref
                for key, ref in zip(inputs, given, strict=True)
            }
            found += [task.substitute(outer | names, key=names[key]) for key, task in inner.items()]
        else:
            found.append(node)
    return found


def compute(arrays: Sequence[da.Array]) -> list[list[Tensor]]:
    """Compute arrays together; return the blocks of each in C order of their positions."""
    graph, keys, schedule = lowered(arrays)
    found = schedule(graph, keys)
    return [list(flatten([blocks], container=(list, tuple))) for blocks in found]


def persist(arrays: Sequence[da.Array]) -> list[da.Array]:
    """Compute arrays together; return arrays of the blocks, which stay where they are."""
    graph, _, _ = lowered(arrays)
    ready = [da.Array(graph, x.name, x.chunks, meta=x._meta) for x in arrays]
    return list(da.core.persist(*ready, optimize_graph=False))
