"""NetworkX: graphs of matrices and matrices of graphs."""

import pytest

import corepy as np
from libraries.beside_numpy import assert_like

nx = pytest.importorskip("networkx")

WEIGHTS = [[0.0, 2.0, 0.5], [2.0, 0.0, 0.0], [0.5, 0.0, 0.0]]


def test_from_and_to_matrices():
    t = np.asarray(WEIGHTS)
    for graph in (nx.from_numpy_array(t), nx.Graph(t.to_numpy())):
        assert sorted(graph.edges(data="weight")) == [(0, 1, 2.0), (0, 2, 0.5)]
        assert all(type(weight) is float for *_, weight in graph.edges(data="weight"))
        assert_like(np.asarray(nx.to_numpy_array(graph)), t.to_numpy())
    directed = nx.from_numpy_array(np.asarray([[0, 1], [0, 0]]), create_using=nx.DiGraph)
    assert list(directed.edges) == [(0, 1)]


def test_edges_of_pairs_and_scalars_as_nodes():
    graph = nx.Graph()
    graph.add_edges_from(np.asarray([[0, 1], [1, 2]]).tolist())
    assert sorted(graph.nodes) == [0, 1, 2]
    node = np.asarray([1, 2])[0]
    assert graph.has_node(node)
    assert graph.degree[node] == 2


def test_algorithms():
    t = np.asarray(WEIGHTS)
    expected = nx.pagerank(nx.from_numpy_array(t.to_numpy()))
    assert nx.pagerank(nx.from_numpy_array(t)) == pytest.approx(expected)
    positions = nx.spring_layout(nx.from_numpy_array(t), seed=0)
    assert_like(
        np.asarray(list(positions.values())),
        list(nx.spring_layout(nx.from_numpy_array(t.to_numpy()), seed=0).values()),
    )
