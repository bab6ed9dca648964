"""The drop-ins beside what they stand in for."""

from __future__ import annotations

import networkx
import pytest

from pairgroup import networkx_compat, pair_graph


def total(graph: networkx.Graph, matching: set, weight: str = "weight") -> float:
    assert networkx.is_matching(graph, matching)
    return sum(graph.edges[pair].get(weight, 1) for pair in matching)


def graphs(rng, count: int, low: int, high: int):
    for at in range(count):
        n = int(rng.integers(1, 40))
        graph = networkx.gnp_random_graph(n, float(rng.choice([0.05, 0.2, 0.6, 1.0])), seed=at)
        for u, v in graph.edges:
            # Some edges have no weight, which counts as 1.
            if rng.random() < 0.9:
                graph.edges[u, v]["weight"] = int(rng.integers(low, high))
        if at % 5 == 0:
            graph.add_edge(0, 0, weight=10**6)
        yield networkx.relabel_nodes(graph, lambda node: f"node {node}")


@pytest.mark.parametrize("scale", [1, 0.1])
@pytest.mark.parametrize("bounds", [(0, 4), (1, 1000), (-50, 50)])
def test_totals_and_numbers_of_pairs_are_those_of_networkx(rng, scale, bounds):
    for graph in graphs(rng, 60, *bounds):
        for u, v, data in graph.edges(data=True):
            if "weight" in data:
                data["weight"] *= scale
        for cardinality in (False, True):
            expected = networkx.max_weight_matching(graph, cardinality)
            found = networkx_compat.max_weight_matching(graph, cardinality)
            assert isinstance(found, set) and all(isinstance(pair, tuple) for pair in found)
            assert total(graph, found) == pytest.approx(total(graph, expected), abs=1e-9)
            if cardinality:
                assert len(found) == len(expected)
        expected = networkx.min_weight_matching(graph)
        found = networkx_compat.min_weight_matching(graph)
        assert len(found) == len(expected)
        assert total(graph, found) == pytest.approx(total(graph, expected), abs=1e-9)


def test_edges_of_no_weight_are_there_for_cardinality_alone(rng):
    # Of sparse graphs some were in matchings of the greatest weight, against what the module says.
    for graph in graphs(rng, 60, -2, 3):
        weights = networkx.get_edge_attributes(graph, "weight", default=1)
        zero = {frozenset(edge) for edge, weight in weights.items() if weight == 0}
        assert not zero & {frozenset(pair) for pair in networkx_compat.max_weight_matching(graph)}
    graph = networkx.Graph()
    graph.add_edge("a", "b", weight=0)
    assert networkx_compat.max_weight_matching(graph) == set()
    for matching in (networkx_compat.max_weight_matching(graph, True), networkx_compat.min_weight_matching(graph)):
        assert len(matching) == 1


def test_another_attribute_and_other_names_of_arguments():
    graph = networkx.Graph()
    graph.add_edge("a", "b", cost=3, weight=9)
    graph.add_edge("b", "c", cost=5, weight=1)
    assert networkx_compat.max_weight_matching(G=graph, maxcardinality=False, weight="cost") in ({("b", "c")}, {("c", "b")})
    assert len(networkx_compat.min_weight_matching(graph, weight="cost") & {("a", "b"), ("b", "a")}) == 1
    assert networkx_compat.max_weight_matching(networkx.Graph()) == set()
    assert networkx_compat.min_weight_matching(networkx.empty_graph(3)) == set()


def test_what_networkx_refuses_is_refused_by_the_same_error():
    for graph in (networkx.DiGraph([(0, 1)]), networkx.MultiGraph([(0, 1)])):
        for solve in (networkx_compat.max_weight_matching, networkx_compat.min_weight_matching):
            with pytest.raises(networkx.NetworkXNotImplemented):
                solve(graph)


def test_floats_of_all_sizes_are_rounded_rather_than_refused():
    graph = networkx.Graph()
    graph.add_weighted_edges_from([(0, 1, 1e-40), (2, 3, 1e30), (0, 2, 1e30), (1, 3, 3e-40), (4, 5, 1e-100)])
    assert total(graph, networkx_compat.max_weight_matching(graph)) == 1e30


def test_graphs_by_the_package_itself():
    graph = networkx.MultiGraph()
    graph.add_edge("a", "b", weight=3)
    graph.add_edge("a", "b", weight=2)
    graph.add_edge("c", "d")
    graph.add_edge("c", "c", weight=-5)
    pairing = pair_graph(graph)
    assert pairing.pairs == [("a", "b"), ("c", "d")] and pairing.cost == 3
    pairing.verify(graph)
    assert pair_graph(graph, default=7).cost == 9
    assert pair_graph(graph, maximise=True).cost == 4
    with pytest.raises(ValueError, match="directed"):
        pair_graph(networkx.DiGraph([(0, 1)]))
    with pytest.raises(TypeError, match="no graph"):
        pair_graph([(0, 1, 2)])
