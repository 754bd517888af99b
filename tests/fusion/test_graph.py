"""Explicit graphs give the results, errors, shapes and dtypes of eager calls."""

import random

import numpy as np
import pytest
from running import in_threads

import corepy
import corepy.array_api as xp
from corepy.lazy import ComputeGraph, TaskScheduler, is_deferred, last_plan

from .programs import assert_same, data, new

run = TaskScheduler().execute_graph


def function_of(operation):
    """The standard's function of a name."""
    module, _, name = operation.rpartition(".")
    return getattr(getattr(xp, module) if module else xp, name)


UNARY = "abs exp sqrt square negative tanh round sin isfinite logical_not".split()
BINARY = "add subtract multiply divide maximum less hypot atan2".split()
REDUCE = "sum max mean prod std any count_nonzero".split()


def random_graph(seed):
    """A graph, its outputs, and what the same calls compute eagerly."""
    rng = random.Random(seed)
    graph = ComputeGraph()
    tensors = [xp.asarray(data(seed + k, (20, 30), "float64")) for k in range(2)]
    known = [(x, x) for x in tensors]  # what `add` takes, and the eager value
    for _ in range(rng.randrange(3, 25)):
        kind, (node, value) = rng.randrange(10), rng.choice(known)
        params = {}
        other, other_value = rng.choice([*known, (rng.choice([2.5, -1.0, 3.0]),) * 2])
        if kind < 3:
            operation, inputs, values = rng.choice(UNARY), (node,), (value,)
        elif kind < 6:
            operation, inputs, values = rng.choice(BINARY), (node, other), (value, other_value)
        elif kind < 8:
            operation, inputs, values = rng.choice(REDUCE), (node,), (value,)
            params = {"axis": rng.choice([None, -1, 0]), "keepdims": rng.random() < 0.5}
        elif kind == 8:
            operation, inputs, values = "clip", (node,), (value,)
            params = {"min": -1.0, "max": rng.choice([2.0, None])}
        else:
            operation, inputs, values = rng.choice(
                [("sort", (node,), (value,)), ("stack", ([node, node],), ([value, value],))]
            )
        try:
            expected = function_of(operation)(*values, **params)
        except Exception as error:
            with pytest.raises(type(error)):
                graph.add(operation, *inputs, **params)
            continue
        known.append((graph.add(operation, *inputs, **params), expected))
    chosen = rng.sample(known[2:], min(3, len(known) - 2))
    graph.output(*(node for node, _ in chosen))
    return graph, chosen


@pytest.mark.parametrize("part", range(4))
def test_random_graphs(part):
    with np.errstate(all="ignore"):
        for seed in range(part, 200, 4):
            graph, chosen = random_graph(seed)
            for (node, expected), found in zip(chosen, run(graph), strict=bool(chosen)):
                assert (node.dtype, node.shape) == (expected.dtype, expected.shape)
                assert not is_deferred(found)
                assert_same(found, expected)


def test_fused():
    graph = ComputeGraph()
    x = xp.reshape(new(600), (20, 30))
    e = graph.add("exp", graph.add("subtract", x, graph.add("max", x, axis=-1, keepdims=True)))
    graph.add("divide", e, graph.add("sum", e, axis=-1, keepdims=True))
    plan = graph.explain()
    (group,) = plan.groups
    assert [each.name for each in group.operations] == "max subtract exp sum divide".split()
    assert [each.stored for each in group.operations] == [False] * 4 + [True]
    (found,) = run(graph)
    assert str(last_plan()) == str(plan)
    eager = xp.exp(x - xp.max(x, axis=-1, keepdims=True))
    assert_same(found, eager / xp.sum(eager, axis=-1, keepdims=True))


def test_inner_results_are_not_stored_before_an_operation_that_is_not_deferred():
    graph = ComputeGraph()
    y = graph.add("multiply", graph.add("exp", new()), 2.0)
    graph.add("sort", y)
    run(graph)
    assert [each.stored for each in last_plan().groups[0].operations] == [False, True]


def test_explaining_computes_nothing_that_can_be_deferred():
    graph = ComputeGraph()
    graph.add("exp", new())
    before = str(last_plan())
    graph.explain()
    assert str(last_plan()) == before
    with corepy.fuse():
        y = new() * 3
        graph.explain()
        assert is_deferred(y)


def test_nodes_inputs_and_outputs():
    x = xp.ones((3, 4), dtype=xp.float32)
    graph = ComputeGraph()
    assert (graph.nodes, graph.inputs, graph.outputs) == ((), (), ())
    assert run(graph) == ()
    total = graph.add("sum", x, axis=0)
    root = graph.add("sqrt", total)
    both = graph.add("add", total, 1)
    one, other = graph.add("unstack", xp.ones((2, 3)))
    assert graph.nodes == (total, root, both, one, other)
    assert [each.operation for each in graph.inputs] == ["input", "input"]
    assert graph.inputs[0].shape == (3, 4)
    assert graph.outputs == (root, both, one, other)  # what nothing reads
    assert total.inputs == (graph.inputs[0],)
    assert total.params == {"axis": 0}
    assert (total.dtype, total.shape) == (xp.float32, (4,))
    assert repr(total) == "<GraphNode sum: float32 (4,)>"
    graph.output(both)
    graph.output(total, both, graph.inputs[0])
    found = run(graph)
    assert graph.outputs == (both, total, both, graph.inputs[0])
    assert [y.tolist() for y in found[:3]] == [[4.0] * 4, [3.0] * 4, [4.0] * 4]
    assert found[3] is x


OPERATIONS = {
    "several results": ("linalg.eigh", (xp.eye(3) * 2,), {}),
    "a sequence": ("concat", ([new(3), xp.ones(2)],), {"axis": 0}),
    "arrays by position": ("meshgrid", (new(3), xp.ones(2)), {"indexing": "ij"}),
    "arrays by keyword": ("clip", (new(9),), {"min": xp.ones(9) * 2, "max": 5}),
    "a condition": ("where", (new(9) > 4, new(9), 0), {}),
    "one result of several": ("unstack", (xp.ones((1, 3)),), {}),
    "a name": ("full", ((2, 3), 7), {"dtype": xp.int8}),
    "a progression": ("arange", (10,), {}),
    "a dtype": ("astype", (new(9), xp.int16), {}),
    "a shape": ("reshape", (new(12), (3, -1)), {}),
    "unknown shapes": ("unique_values", (xp.asarray([3, 1, 3]),), {}),
    "arrays that are no tensors": ("add", (np.arange(3.0), 1), {}),
    "an empty array": ("sum", (xp.ones((0, 3)),), {"axis": 0}),
    "another device": ("exp", (xp.ones(5, device="reference"),), {}),
}


@pytest.mark.parametrize("name", OPERATIONS)
def test_operations(name):
    operation, inputs, params = OPERATIONS[name]
    expected = function_of(operation)(*inputs, **params)
    expected = expected if isinstance(expected, tuple | list) else (expected,)
    graph = ComputeGraph()
    graph.add(operation, *inputs, **params)
    found = run(graph)
    for node, one, other in zip(graph.nodes, found, expected, strict=True):
        assert node.dtype == one.dtype
        assert all(a in (None, b) for a, b in zip(node.shape, one.shape, strict=True))
        assert one.device == other.device
        assert_same(one.to_device("cpu"), other.to_device("cpu"))


def test_nodes_in_sequences_and_keywords():
    graph = ComputeGraph()
    x = new(4)
    low = graph.add("multiply", x, 0.5)
    graph.add("clip", graph.add("concat", [low, (x)], axis=0), max=graph.add("max", low))
    (found,) = run(graph)
    assert found.tolist() == [0.5, 1.0, 1.5, 2.0, 1.0, 2.0, 2.0, 2.0]
    assert graph.nodes[1].inputs[0][0] is low


@pytest.mark.parametrize(
    ("operation", "inputs", "params"),
    [
        ("no_such_operation", (new(),), {}),
        ("add", (new(3), new(4)), {}),
        ("add", (new(3),), {}),
        ("bitwise_and", (new(3), 1), {}),
        ("sum", (new(3),), {"axis": 1}),
        ("sum", (new(3),), {"axes": 1}),
        ("reshape", (new(3), (2, 2)), {}),
        ("exp", ("text",), {}),
        ("linalg.det", (new(3),), {}),
    ],
)
def test_errors_come_at_once(operation, inputs, params):
    graph = ComputeGraph()
    with pytest.raises(Exception) as expected:
        corepy._cython.core.execute(operation, inputs, params)
    with pytest.raises(expected.type) as found:
        graph.add(operation, *inputs, **params)
    if operation != "exp":  # it says that the argument is given to `infer`
        assert str(found.value) == str(expected.value)
    assert graph.nodes == ()


def test_nodes_that_cannot_be_operands():
    graph, other = ComputeGraph(), ComputeGraph()
    node = other.add("exp", new())
    with pytest.raises(ValueError, match=r"add: <GraphNode exp.*> was not added to this graph"):
        graph.add("exp", node)
    with pytest.raises(ValueError, match=r"output: <GraphNode exp.*> was not added to this graph"):
        graph.output(node)
    with pytest.raises(TypeError, match="output: expected GraphNodes, got Tensor"):
        graph.output(new())
    unknown = graph.add("nonzero", new())[0]
    with pytest.raises(ValueError, match=r"add: the shape of .* is not known"):
        graph.add("exp", unknown)
    with pytest.raises(TypeError, match="execute_graph: expected a ComputeGraph, got list"):
        run([])


def test_executed_again():
    x = new(4)
    graph = ComputeGraph()
    doubled = graph.add("multiply", x, 2)
    first = run(graph)[0]
    x[0] = 50.0
    second = run(graph)[0]
    assert (first.tolist(), second.tolist()) == ([2.0, 4.0, 6.0, 8.0], [100.0, 4.0, 6.0, 8.0])
    first[1] = 0.0
    graph.add("add", doubled, 1)
    assert run(graph)[0].tolist() == [101.0, 5.0, 7.0, 9.0]


def test_what_no_output_needs_is_not_computed():
    graph = ComputeGraph()
    y = graph.add("exp", new())
    graph.add("linalg.cholesky", -xp.eye(3))
    graph.output(y)
    assert_same(run(graph)[0], xp.exp(new()))


def test_errors_of_elements_leave_the_graph_usable():
    x = xp.eye(3)
    graph = ComputeGraph()
    graph.add("linalg.cholesky", graph.add("multiply", x, 4.0))
    x[0, 0] = -1.0
    with pytest.raises(Exception, match="cholesky"):
        TaskScheduler(1).execute_graph(graph)
    x[0, 0] = 1.0
    assert_same(run(graph)[0], xp.eye(3) * 2)


# ---- from deferred tensors


def test_of_deferred_tensors():
    x = xp.reshape(new(9), (3, 3))
    with corepy.fuse():
        y = xp.exp(x) * 2.5
        total = xp.sum(y, axis=0)
        graph = ComputeGraph.of(y.T, total, x)
        assert is_deferred(y)
        assert [node.operation for node in graph.nodes] == ["exp", "multiply", "sum"]
        assert [node.shape for node in graph.nodes] == [(3, 3), (3, 3), (3,)]
        exp, multiply, reduction = graph.nodes
        assert (multiply.inputs, reduction.inputs) == ((exp, 2.5), (multiply,))
        assert reduction.params == {"axis": (0,)}
        assert graph.outputs == (multiply, reduction, graph.inputs[-1])
        assert str(graph.explain()) == str(corepy.explain(y, total))
        with pytest.raises(ValueError, match="was not added to this graph"):
            graph.add("exp", exp)
        more = graph.add("add", reduction, 1)
        graph.output(more)
        found = run(graph)
        assert not is_deferred(y)
    assert found[1] is total
    assert found[2] is x
    expected = xp.exp(x) * 2.5
    for one, other in zip(
        found, (expected.T, xp.sum(expected, axis=0), x, xp.sum(expected, axis=0) + 1), strict=True
    ):
        assert_same(one, other)
    assert run(graph)[1] is total
    with pytest.raises(TypeError, match=r"ComputeGraph.of: expected Tensors, got float"):
        ComputeGraph.of(1.0)


def test_of_two_views_of_one_result():
    with corepy.fuse():
        y = xp.reshape(new(9), (3, 3)) * 2
        graph = ComputeGraph.of(y, y.T)
        assert [node.operation for node in graph.outputs] == ["multiply", "view"]
        one, other = run(graph)
    assert_same(one.T, other)


def test_deferred_tensors_as_operands():
    with corepy.fuse():
        y = new() * 2
        graph = ComputeGraph()
        graph.add("sum", y)
        assert is_deferred(y)
        assert float(run(graph)[0]) == 10100.0


# ---- threads


@pytest.fixture
def seen(monkeypatch):
    """The numbers of threads that operations of graphs may use."""
    found, execute = [], corepy._cython.core.execute

    def look(*arguments):
        found.append(corepy.get_num_threads())
        return execute(*arguments)

    monkeypatch.setattr("corepy.lazy._graph.core.execute", look)
    before = corepy.get_num_threads()
    corepy.set_num_threads(4)
    yield found
    assert corepy.get_num_threads() == 4
    corepy.set_num_threads(before)


def test_max_workers(seen):
    graph = ComputeGraph()
    graph.add("exp", new())
    for workers in (None, 1, 3, 100):
        TaskScheduler(max_workers=workers).execute_graph(graph)
        assert corepy.get_num_threads() == 4
    graph.add("linalg.cholesky", -xp.eye(3))
    with pytest.raises(Exception, match="cholesky"):
        TaskScheduler(2).execute_graph(graph)
    assert seen == [4, 1, 3, 4, 2, 2]
    assert TaskScheduler(np.int64(2)).max_workers == 2


def test_schedulers_in_each_other(monkeypatch, seen):
    inner = ComputeGraph()
    inner.add("exp", new())
    outer = ComputeGraph()
    outer.add("exp", new())
    execute = corepy._cython.core.execute

    def nested(*arguments):
        monkeypatch.setattr("corepy.lazy._graph.core.execute", execute)
        TaskScheduler(3).execute_graph(inner)
        return execute(*arguments)

    monkeypatch.setattr("corepy.lazy._graph.core.execute", nested)
    TaskScheduler(2).execute_graph(outer)
    assert seen == [2, 2]


def test_a_limit_is_of_its_thread(seen):
    graph = ComputeGraph()
    graph.add("exp", new())

    def work(number):
        for _ in range(50):
            if number:
                TaskScheduler(1).execute_graph(graph)
            assert corepy.get_num_threads() == 4

    in_threads(work, 4)
    assert seen == [1] * 150


def test_results_do_not_depend_on_the_number_of_threads():
    x = xp.sin(new(300_000))
    graph = ComputeGraph()
    y = graph.add("exp", x)
    graph.output(y, graph.add("sum", y), graph.add("std", graph.add("multiply", y, x)))
    one, many = (TaskScheduler(workers).execute_graph(graph) for workers in (1, None))
    for a, b, c in zip(one, many, (xp.exp(x), xp.sum(xp.exp(x)), xp.std(xp.exp(x) * x)),
                       strict=True):  # fmt: skip
        assert_same(a, b)
        assert_same(a, c)


@pytest.mark.parametrize(
    ("workers", "error"), [(0, ValueError), (-1, ValueError), (1.5, TypeError), ("2", TypeError)]
)
def test_wrong_numbers_of_workers(workers, error):
    with pytest.raises(error, match="TaskScheduler: max_workers must be"):
        TaskScheduler(workers)
