"""The worst pair first, against all pairings and against networkx."""

from __future__ import annotations

import itertools
import random

import networkx as nx
import numpy as np
import pairgroup
import pytest


def all_pairings(nodes, spare):
    """All ways to pair nodes, of whom as many as `spare` may stay alone."""
    if not nodes:
        yield ()
        return
    first, *rest = nodes
    if spare:
        yield from all_pairings(rest, spare - 1)
    for other in rest:
        for pairing in all_pairings([node for node in rest if node != other], spare):
            yield ((first, other), *pairing)


def random_cost(rng, n, kind, forbidden=0.2):
    cost = np.zeros((n, n), dtype=kind)
    mask = np.zeros((n, n), dtype=bool)
    for u, v in itertools.combinations(range(n), 2):
        number = rng.randrange(12) if kind is np.int64 else rng.randrange(1 << 12) / 256
        cost[u, v] = cost[v, u] = number
        mask[u, v] = mask[v, u] = rng.random() < forbidden
    return cost, mask


@pytest.mark.parametrize("kind", [np.int64, np.int32, np.float64, np.float32])
@pytest.mark.parametrize("maximise", [False, True])
def test_no_pairing_is_fairer(kind, maximise):
    rng = random.Random(7)
    solved = refused = 0
    for _ in range(60):
        n = rng.randrange(2, 8)
        cost, mask = random_cost(rng, n, np.int64 if kind in (np.int64, np.int32) else np.float64)
        cost = cost.astype(kind)
        sign = -1 if maximise else 1
        price = rng.randrange(20)

        def value(pairing):
            costs = [sign * cost[u, v].item() for u, v in pairing]
            alone = n - 2 * len(pairing)
            return max(costs), sum(costs) + sign * price * alone

        allowed = (p for p in all_pairings(list(range(n)), n % 2) if not any(mask[u, v] for u, v in p))
        best = min((value(pairing) for pairing in allowed if pairing), default=None)
        options = {"forbidden": mask, "maximise": maximise, "worst_first": True}
        if n % 2:
            options["bye"] = price
        if best is None:
            with pytest.raises(pairgroup.NoPerfectMatching):
                pairgroup.pair(cost, **options)
            refused += 1
            continue
        found = pairgroup.pair(cost, **options)
        found.verify()
        found.verify(cost, forbidden=mask)
        assert found.is_optimal and found.most_pairs() == n // 2
        assert (sign * found.worst.cost, sign * found.cost) == best
        assert found.worst.bound == found.worst.cost
        assert found.worst.cost in found.weights.tolist()
        solved += 1
    assert solved > 30 and refused > 0


def test_the_proof_is_one_of_the_better_pairs_alone():
    rng = random.Random(8)
    for n in (10, 40, 61):
        cost, _ = random_cost(rng, n, np.int64)
        cost = cost * cost.T + rng.randrange(5)
        found = pairgroup.pair(cost, worst_first=True, **({"bye": 0} if n % 2 else {}))
        better = nx.Graph()
        better.add_nodes_from(range(n))
        better.add_edges_from(p for p in itertools.combinations(range(n), 2) if cost[p] < found.worst.bound)
        assert 2 * len(nx.max_weight_matching(better, maxcardinality=True)) < n - n % 2
        removed, components = found.worst.removed, found.worst.odd_components
        assert len(components) > len(removed) + n % 2
        better.remove_nodes_from(removed)
        parts = [set(part) for part in nx.connected_components(better)]
        for component in components:
            assert len(component) % 2 == 1
            assert all(part <= set(component) or not part & set(component) for part in parts)


def test_names_and_other_inputs():
    pings = [("ann", "bob", 20), ("cid", "dan", 90), ("ann", "cid", 60), ("bob", "dan", 65), ("ann", "dan", 95)]
    fairest = pairgroup.pair_edges(pings, worst_first=True)
    assert fairest.pairs == [("ann", "cid"), ("bob", "dan")] and fairest.cost == 125
    assert fairest.worst == (65, 65, [], [["dan"]])
    graph = nx.Graph()
    graph.add_weighted_edges_from(pings)
    assert pairgroup.pair_graph(graph, worst_first=True).worst.cost == 65
    u, v, weight = [0, 2, 0, 1, 0], [1, 3, 2, 3, 3], [20, 90, 60, 65, 95]
    assert pairgroup.pair_arrays(u, v, weight, worst_first=True).worst.cost == 65
    cheapest = pairgroup.pair_edges(pings)
    assert cheapest.cost == 110 and cheapest.worst is None
    assert pairgroup.pair([[0, 5], [5, 0]], worst_first=True, threads=1).worst.odd_components == [[0], [1]]
    assert pairgroup.pair(np.zeros((0, 0), dtype=int), worst_first=True).worst is None


def test_what_does_not_go_with_it_is_refused():
    cost = np.ones((4, 4), dtype=int)
    for option in ({"alone": 3}, {"pairs": "most"}, {"pairs": "any"}):
        with pytest.raises(ValueError, match="worst_first"):
            pairgroup.pair(cost, worst_first=True, **option)
    assert pairgroup.pair(cost, worst_first=True, pairs="all").worst.cost == 1
    with pytest.raises(ValueError, match="worst_first"):
        pairgroup.pair(cost, worst_first=True).explain(0, 1)


def test_a_limit_leaves_a_bound():
    rng = np.random.default_rng(9)
    a, b = rng.integers(0, 1000, 300), rng.integers(-300, 300, 300)
    cost = (a[:, None] - a) * (b[:, None] - b)
    whole = pairgroup.pair(cost, worst_first=True)
    partly = 0
    for part in range(1, 8):
        found = pairgroup.pair(cost, worst_first=True, work=whole.work * part // 8)
        found.verify()
        if found.worst is not None and not found.is_optimal:
            assert found.worst.bound <= whole.worst.cost <= found.worst.cost
            partly += found.worst.bound < found.worst.cost
    assert partly


def test_an_answer_is_checked_against_what_is_given():
    pings = [(0, 1, 20), (2, 3, 90), (0, 2, 60), (1, 3, 65), (0, 3, 95)]
    fairest = pairgroup.pair_edges(pings, worst_first=True)
    fairest.verify(pings)
    with pytest.raises(pairgroup.VerifyError):
        fairest.verify([(0, 1, 20), (2, 3, 50), (0, 2, 60), (1, 3, 65), (0, 3, 95)])
