"""Explicit graphs, which can be computed repeatedly."""

from __future__ import annotations

import operator
from collections import Counter
from dataclasses import dataclass
from typing import Any

from corepy import array_api as xp
from corepy._config import config
from corepy._cython import core
from corepy._cython.core import Tensor
from corepy._cython.inference import infer
from corepy._cython.lazy import recorder
from corepy.backend._nested import leaves, mapped
from corepy.lazy._compute import compute, explain, require_tensors
from corepy.lazy._fuse import fuse
from corepy.lazy._plan import Plan, groups_of


@dataclass(eq=False, repr=False, slots=True)
class GraphNode:
    """An operation of a `ComputeGraph`, or one of its inputs.

    Attributes
    ----------
    operation : str
        The name in the standard; ``"input"`` for an array that the graph reads.
    inputs : tuple
        The operation's positional arguments; tensors are replaced by nodes.
    params : dict
        Its keyword arguments.
    dtype : dtype
    shape : tuple of int
        Sizes that depend on elements (`nonzero`, `unique_values`) are None.
    """

    operation: str
    inputs: tuple[Any, ...]
    params: dict[str, Any]
    dtype: Any
    shape: tuple[int | None, ...]

    def __repr__(self) -> str:
        return f"<GraphNode {self.operation}: {self.dtype} {self.shape}>"


class ComputeGraph:
    """Operations of the standard on tensors, to be computed together by a `TaskScheduler`.

    Building a graph computes nothing, but checks each operation. A graph can be computed
    repeatedly, and extended in between; each time it reads the current elements of its tensors,
    which it keeps alive.

    See Also
    --------
    corepy.fuse : the same for ordinary code.

    Examples
    --------
    >>> import corepy.array_api as xp
    >>> from corepy.lazy import ComputeGraph, TaskScheduler
    >>> graph = ComputeGraph()
    >>> x = xp.asarray([3.0, 4.0])
    >>> squares = graph.add("square", x)
    >>> total = graph.add("sum", squares)
    >>> graph.output(graph.add("sqrt", total), squares)
    >>> TaskScheduler().execute_graph(graph)
    (Tensor(5.), Tensor([ 9., 16.]))
    """

    def __init__(self) -> None:
        self._calls: list[tuple[GraphNode, ...]] = []  # the results of each operation
        self._tensors: dict[GraphNode, Tensor] = {}  # inputs, and outputs of `of`
        self._inputs: dict[Any, GraphNode] = {}  # by the id of the tensor
        self._outputs: list[GraphNode] = []
        self._known: set[GraphNode] = set()  # those that can be operands and outputs

    @classmethod
    def of(cls, *tensors: Tensor) -> ComputeGraph:
        """Return the graph of the pending operations of deferred tensors.

        Parameters
        ----------
        *tensors : Tensor
            The outputs. Executing the graph computes these same tensors, unless they are computed
            already.

        Returns
        -------
        ComputeGraph
            Its nodes are a description: only the outputs can be operands of further operations.

        Raises
        ------
        TypeError
            An argument is not a Tensor.
        """
        require_tensors("ComputeGraph.of", tensors)
        graph = cls()
        known: dict[str, GraphNode] = {}
        results: dict[str, GraphNode] = {}
        groups, names = groups_of(recorder.explain(*tensors))
        for group in groups:
            for source in group.inputs:
                if source.name not in known:
                    known[source.name] = GraphNode("input", (), {}, source.dtype, source.shape)
                    graph._inputs[source.name] = known[source.name]
            for each in group.operations:
                if each.result not in known:
                    inputs = tuple(known.get(name, name) for name in each.operands)
                    params = {} if each.axes is None else {"axis": each.axes}
                    node = GraphNode(each.name, inputs, params, each.dtype, each.shape)
                    known[each.result] = results[each.result] = node
                    graph._calls.append((node,))
        for x in tensors:
            found = results.get(names.get(recorder.node_number(x), ""))
            if found is None:
                found = graph._input_of(x)
            elif found in graph._tensors or found.shape != x.shape:
                found = GraphNode("view", (found,), {}, x.dtype, x.shape)
                graph._calls.append((found,))
            graph._tensors[found] = x
            graph._known.add(found)
            graph._outputs.append(found)
        return graph

    @property
    def nodes(self) -> tuple[GraphNode, ...]:
        """The operations, in the order in which they were added; one node for each result."""
        return tuple(node for results in self._calls for node in results)

    @property
    def inputs(self) -> tuple[GraphNode, ...]:
        """The arrays that the operations read, in the order in which they were first given."""
        return tuple(self._inputs.values())

    @property
    def outputs(self) -> tuple[GraphNode, ...]:
        """The results of executing the graph."""
        if self._outputs:
            return tuple(self._outputs)
        read = {node for results in self._calls for node in _operands(results[0])}
        return tuple(node for node in self.nodes if node not in read)

    def add(self, operation: str, /, *inputs: Any, **params: Any) -> Any:
        """Add an operation.

        Parameters
        ----------
        operation : str
            The name in the standard; for extensions as ``"linalg.svd"``.
        *inputs
            Positional arguments: tensors, Python scalars, nodes that `add` returned, and lists or
            tuples of these where the function accepts them (`concat`).
        **params
            Its keyword arguments.

        Returns
        -------
        GraphNode or tuple of GraphNode
            The result, or results, with their shape and dtype.

        Raises
        ------
        TypeError, ValueError, IndexError
            The errors of the operation, except those that depend on elements or devices; ValueError
            for a node of another graph or of unknown shape.
        """
        inputs, params = mapped(self._operand_of, (inputs, params))
        found = infer(operation, *mapped(self._placeholder, (inputs, params)))
        if not found:
            return ()
        single = not isinstance(found[0], tuple)
        results = tuple(
            GraphNode(operation, inputs, params, dtype, shape)
            for dtype, shape in ([found] if single else found)
        )
        self._calls.append(results)
        self._known.update(results)
        return results[0] if single else results

    def output(self, *nodes: GraphNode) -> None:
        """Add outputs of the graph.

        Parameters
        ----------
        *nodes : GraphNode
            Appended to the outputs. Without a call of this method the outputs are all nodes that no
            operation reads, in the order in which they were added.

        Raises
        ------
        TypeError
            An argument is not a GraphNode.
        ValueError
            A node was not added to this graph.
        """
        for node in nodes:
            if not isinstance(node, GraphNode):
                raise TypeError(f"output: expected GraphNodes, got {type(node).__name__}")
            if node not in self._known:
                raise ValueError(f"output: {node} was not added to this graph")
        self._outputs += nodes

    def explain(self) -> Plan:
        """Describe how the graph would be computed.

        Returns
        -------
        Plan
            The groups that compute the outputs. Operations that cannot be deferred are computed by
            this call, with their operands, and are not in the plan.
        """
        with config(fusion_threshold=0), fuse():
            # No references to results may be left at the end of the block.
            return explain(*self._recorded())

    def _execute(self) -> tuple[Tensor, ...]:
        """Compute the outputs."""
        with config(fusion_threshold=0), fuse():
            outputs = self._recorded()
            compute(*outputs)
            return outputs

    def _recorded(self) -> tuple[Tensor, ...]:
        """Return the outputs, deferred where they can be."""
        outputs = self.outputs
        wanted = {*outputs}
        calls = []
        for results in reversed(self._calls):
            if not wanted.isdisjoint(results) and results[0] not in self._tensors:
                calls.append(results)
                wanted.update(_operands(results[0]))
        reads = Counter(node for results in calls for node in _operands(results[0]))
        reads.update(outputs)
        values: dict[GraphNode, Any] = {
            node: tensor for node, tensor in self._tensors.items() if node in wanted
        }
        for results in reversed(calls):
            values.update(_results(results, values))
            # A result without references is never stored.
            reads.subtract(_operands(results[0]))
            for node in (*results, *_operands(results[0])):
                if not reads[node]:
                    values.pop(node, None)
        return tuple(values[node] for node in outputs)

    def _input_of(self, x: Tensor) -> GraphNode:
        """Return the node of a tensor that is given as an operand."""
        node = self._inputs.get(id(x))
        if node is None:
            node = self._inputs[id(x)] = GraphNode("input", (), {}, x.dtype, x.shape)
            self._tensors[node] = x
            self._known.add(node)
        return node

    def _operand_of(self, value: Any) -> Any:
        return self._input_of(value) if isinstance(value, Tensor) else value

    def _placeholder(self, value: Any) -> Any:
        """Return a tensor with the dtype and shape of a node, in little memory."""
        if not isinstance(value, GraphNode):
            return value
        if value in self._tensors:
            return self._tensors[value]
        if value not in self._known:
            raise ValueError(f"add: {value} was not added to this graph")
        shape = tuple(size for size in value.shape if size is not None)
        if len(shape) < len(value.shape):
            raise ValueError(f"add: the shape of {value} is not known before it is computed")
        return xp.broadcast_to(xp.zeros((), dtype=value.dtype, device="cpu"), shape)


class TaskScheduler:
    """Computes graphs.

    Parameters
    ----------
    max_workers : int, optional
        The largest number of threads, including the calling one; by default
        `corepy.get_num_threads`. It limits Corepy's operations of the calling thread, not those of
        other threads, nor libraries of linear algebra.

    Raises
    ------
    TypeError
        `max_workers` is not an integer.
    ValueError
        `max_workers` is less than 1.
    """

    def __init__(self, max_workers: int | None = None) -> None:
        if max_workers is not None:
            try:
                max_workers = operator.index(max_workers)
            except TypeError:
                raise TypeError(
                    f"TaskScheduler: max_workers must be an int or None, got {max_workers!r}"
                ) from None
            if max_workers < 1:
                raise ValueError(
                    f"TaskScheduler: max_workers must be at least 1, got {max_workers}"
                )
        self.max_workers = max_workers

    def execute_graph(self, graph: ComputeGraph) -> tuple[Tensor, ...]:
        """Compute the outputs of a graph.

        Parameters
        ----------
        graph : ComputeGraph

        Returns
        -------
        tuple of Tensor
            The computed outputs, bit for bit as by single operations. Nodes that no output needs
            are not computed.

        Raises
        ------
        TypeError
            `graph` is not a ComputeGraph.
        MemoryError
            There is no memory for the results.
        """
        if not isinstance(graph, ComputeGraph):
            raise TypeError(f"execute_graph: expected a ComputeGraph, got {type(graph).__name__}")
        before = core.limit_threads_of_caller(0)
        limits = [limit for limit in (before, self.max_workers) if limit]
        try:
            core.limit_threads_of_caller(min(limits, default=0))
            return graph._execute()
        finally:
            core.limit_threads_of_caller(before)


def _operands(node: GraphNode) -> list[GraphNode]:
    """Return the nodes among the arguments of an operation."""
    return [x for x in leaves((node.inputs, node.params)) if isinstance(x, GraphNode)]


def _results(
    results: tuple[GraphNode, ...], values: dict[GraphNode, Any]
) -> list[tuple[GraphNode, Any]]:
    """Return the results of an operation and their values."""
    node = results[0]

    def value_of(value: Any) -> Any:
        return values[value] if isinstance(value, GraphNode) else value

    found = core.execute(node.operation, *mapped(value_of, (node.inputs, node.params)))
    return list(zip(results, found if isinstance(found, tuple | list) else [found], strict=True))
