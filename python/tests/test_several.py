"""Several partners for each, against all sets of edges of small graphs, and against networkx."""

from __future__ import annotations

import itertools
from typing import Any, Optional

import networkx
import numpy as np
import pytest
from conftest import symmetric, symmetric_mask

import pairgroup

DTYPES = [np.int32, np.int64, np.float32, np.float64]


def totals_of_all(
    edges: list[tuple[int, int]], weights: list, least: list, most: list, missing: Optional[list]
) -> list[Any]:
    """The total of each set of edges by which everybody has as many partners as he should."""
    n, found = len(least), []
    for chosen in itertools.product((False, True), repeat=len(edges)):
        degree = [0] * n
        for (u, v), is_chosen in zip(edges, chosen):
            degree[u] += is_chosen
            degree[v] += is_chosen
        if all(low <= count <= high for low, count, high in zip(least, degree, most)):
            total = sum(weight for weight, is_chosen in zip(weights, chosen) if is_chosen)
            if missing is not None:
                total += sum(price * (high - count) for price, count, high in zip(missing, degree, most))
            found.append(total)
    return found


def missing_by(edges: list[tuple[int, int]], least: list, most: list, error: pairgroup.NoBMatching) -> int:
    """What a witness proves, by the theorem of Lovász, from its two sets alone."""
    removed, wanting = set(error.removed), set(error.wanting)
    assert not removed & wanting
    n = len(least)
    reach = [sum(most[v if at == u else u] > 0 for u, v in edges if at in (u, v)) for at in range(n)]
    cap = [min(high, count) for high, count in zip(most, reach)]
    rest = networkx.Graph()
    rest.add_nodes_from(set(range(n)) - removed - wanting)
    rest.add_edges_from(edge for edge in edges if rest.has_node(edge[0]) and rest.has_node(edge[1]))
    odd = []
    for part in networkx.connected_components(rest):
        to_wanting = sum((u in part and v in wanting) or (v in part and u in wanting) for u, v in edges)
        if all(least[v] == cap[v] for v in part) and (sum(cap[v] for v in part) + to_wanting) % 2:
            odd.append(sorted(part))
    assert sorted(error.odd_components) == sorted(odd)
    elsewhere = sum((v in wanting) + (u in wanting) for u, v in edges if not {u, v} & removed)
    return sum(least[v] for v in wanting) + len(odd) - sum(cap[v] for v in removed) - elsewhere


def small_graph(rng: np.random.Generator, most_edges: int = 10) -> tuple[int, np.ndarray]:
    """A number of nodes, and which pairs are forbidden: so that no more than so many are left."""
    n = int(rng.integers(1, 8))
    forbidden = symmetric_mask(rng, n, float(rng.choice([0, 0.3, 0.6])))
    allowed = np.argwhere(np.triu(~forbidden, 1))
    for u, v in rng.permutation(allowed)[most_edges:]:
        forbidden[u, v] = forbidden[v, u] = True
    return n, forbidden


def check(found: pairgroup.BMatching, cost: np.ndarray, least: list, most: list, missing: Optional[list]) -> None:
    """An answer that is proven, and is what it says."""
    assert found.is_optimal and found.reason is None and found.bound == found.cost
    found.verify()
    ends, degree = found.ends, found.degree
    assert ends.dtype == np.int64 and ends.shape == (len(found), 2)
    assert len(set(found.pairs)) == len(found) and all(u < v for u, v in found.pairs)
    assert (found.weights.dtype == cost.dtype or not len(found)) and (found.weights == cost[tuple(ends.T)]).all()
    assert all(low <= count <= high for low, count, high in zip(least, degree, most))
    for node in range(len(cost)):
        partners = found.partners(node)
        assert len(partners) == degree[node] and partners == sorted(partners)
        assert all((min(node, other), max(node, other)) in found.pairs for other in partners)
    total = sum(weight.item() for weight in found.weights)
    if missing is not None:
        total += sum(price * int(high - count) for price, count, high in zip(missing, degree, most))
    assert found.cost == (pytest.approx(total, rel=1e-9, abs=1e-9) if cost.dtype.kind == "f" else total)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("maximise", [False, True])
def test_small_graphs_against_all_sets_of_edges(rng, dtype, maximise):
    infeasible, rounds = 0, 60
    for at in range(rounds):
        n, forbidden = small_graph(rng)
        cost = symmetric(rng, n, -30, 30, dtype)
        edges = [(int(u), int(v)) for u, v in np.argwhere(np.triu(~forbidden, 1))]
        least = rng.integers(0, 3, n).tolist()
        most = [low + int(rng.integers(0, 3)) * (at % 3 > 0) for low in least]
        missing = rng.integers(-9, 20, n).tolist() if rng.random() < 0.5 else None
        best = totals_of_all(edges, [cost[edge].item() for edge in edges], least, most, missing)
        asked = dict(partners=list(zip(least, most)), missing=missing, maximise=maximise)
        u, v = np.array(edges, np.int64).reshape(-1, 2).T
        ways = [
            lambda: pairgroup.pair_several(cost, forbidden=forbidden, **asked),
            lambda: pairgroup.pair_several_arrays(u, v, cost[u, v], nodes=n, **asked),
            lambda: pairgroup.pair_several_edges(zip(u, v, cost[u, v]), nodes=n, **asked),
        ]
        for solve in ways:
            if best:
                found = solve()
                check(found, cost, least, most, missing)
                wanted = (max if maximise else min)(best)
                assert found.cost == (pytest.approx(wanted, rel=1e-9, abs=1e-9) if cost.dtype.kind == "f" else wanted)
                assert not any(forbidden[pair] for pair in found.pairs)
                continue
            infeasible += 1
            with pytest.raises(pairgroup.NoBMatching) as caught:
                solve()
            error = caught.value
            error.verify()
            assert error.missing == missing_by(edges, least, most, error) >= 1
            assert error.wanting or error.odd_components
    assert 3 * rounds // 10 < infeasible < 3 * rounds


def test_feasible_is_what_networkx_finds_a_k_factor_for(rng):
    feasible = 0
    for seed in range(150):
        n, k = int(rng.integers(3, 14)), int(rng.integers(1, 4))
        graph = networkx.gnp_random_graph(n, float(rng.choice([0.3, 0.5, 0.8])), seed=seed)
        for u, v in graph.edges:
            graph.edges[u, v]["weight"] = int(rng.integers(-20, 20))
        try:
            factor = networkx.k_factor(graph, k)
        except networkx.NetworkXUnfeasible:
            with pytest.raises(pairgroup.NoBMatching) as caught:
                pairgroup.pair_several_graph(graph, k)
            caught.value.verify()
            degrees = [k] * n
            assert caught.value.missing == missing_by(list(graph.edges), degrees, degrees, caught.value) >= 1
            continue
        feasible += 1
        least, most = (pairgroup.pair_several_graph(graph, k, maximise=maximise) for maximise in (False, True))
        for found in (least, most):
            found.verify(graph)
            assert found.is_optimal and (found.degree == k).all() and all(graph.has_edge(*pair) for pair in found)
        assert least.cost <= sum(graph.edges[edge]["weight"] for edge in factor.edges) <= most.cost
    assert 30 < feasible < 120


def test_one_partner_each_is_a_pairing(rng):
    for n in (2, 6, 20, 50):
        cost = symmetric(rng, n, -100, 100)
        for maximise in (False, True):
            found = pairgroup.pair_several(cost, 1, maximise=maximise)
            assert found.cost == pairgroup.pair(cost, maximise=maximise).cost
        graph = networkx.Graph((u, v, {"weight": int(cost[u, v])}) for u in range(n) for v in range(u))
        matching = networkx.max_weight_matching(graph)
        some = pairgroup.pair_several_graph(graph, (0, 1), maximise=True)
        assert some.cost == sum(int(cost[pair]) for pair in matching)
        alone = pairgroup.pair(cost, alone=7)
        assert pairgroup.pair_several(cost, (0, 1), missing=7).cost == alone.cost


def test_all_ways_to_say_how_many(rng):
    cost = symmetric(rng, 6)
    same = [
        2,
        np.int8(2),
        np.array(2),
        (2, 2),
        [2] * 6,
        (2,) * 6,
        np.full(6, 2),
        np.full(6, 2, np.uint64),
        np.full((6, 2), 2),
        np.full(6, 2, object),
        [(2, 2), 2, [2, 2], np.array([2, 2]), np.int64(2), (2, 2)],
        {node: 2 for node in range(6)},
        {node: (2, 2) if node % 2 else 2 for node in range(6)},
    ]
    answers = [pairgroup.pair_several(cost, partners) for partners in same]
    assert all(answer.pairs == answers[0].pairs for answer in answers)
    # Of two nodes, a tuple of two numbers bounds both, and a list has one for each.
    two = np.array([[0, 5], [5, 0]])
    assert len(pairgroup.pair_several(two, (0, 1))) == 0
    with pytest.raises(pairgroup.NoBMatching, match="node 1 should have 1 partner and can have 0"):
        pairgroup.pair_several(two, [0, 1])
    assert len(pairgroup.pair_several(two, ((1, 1), (0, 1)))) == 1
    # More may be allowed than there are, and are missing then.
    assert pairgroup.pair_several(two, (0, 9), missing=1).cost == 18
    assert pairgroup.pair_several(two, (0, 9), missing=3).cost == 5 + 2 * 8 * 3


def test_nobody_and_no_edges():
    for partners in (0, 3, (0, 2), [], {}, np.zeros(0, int), np.zeros((0, 2), int)):
        found = pairgroup.pair_several_edges([], partners)
        assert found.pairs == [] and found.cost == 0 and found.ends.shape == (0, 2) and found.degree.tolist() == []
        found.verify()
    assert pairgroup.pair_several_edges([], 0, 3).degree.tolist() == [0, 0, 0]
    assert pairgroup.pair_several_edges([], (0, 2), 3, missing=5).cost == 30


def test_names_of_nodes_and_prices_by_name():
    games = [("ann", ("bob", 1), 4), (("bob", 1), None, 1), (None, 2.5, 4), (2.5, "ann", 5), ("ann", None, 2)]
    partners = {"ann": 2, ("bob", 1): (0, 1), None: 2, 2.5: (0, 2)}
    missing = {"ann": 0, ("bob", 1): 9, None: 0, 2.5: 1}
    found = pairgroup.pair_several_edges(games, partners, missing=missing)
    assert found.nodes == ["ann", ("bob", 1), None, 2.5]
    assert found.cost == 9 and found.partners("ann") == [None, 2.5] and found.partners(("bob", 1)) == [None]
    assert found.partners(None) == ["ann", ("bob", 1)] and found.degree.tolist() == [2, 1, 2, 1]
    assert list(found) == found.pairs and repr(found) == "<BMatching: 3 pairs, cost 9, optimal>"
    found.verify(games)
    with pytest.raises(KeyError):
        found.partners("eve")


def test_prices_widen_the_number_type(rng):
    cost = symmetric(rng, 5, dtype=np.int32)
    assert pairgroup.pair_several(cost, (0, 2), missing=2**40).cost == pairgroup.pair_several(cost, 2).cost
    floats = pairgroup.pair_several(cost.astype(np.float32), (0, 2), missing=0.1)
    assert floats.weights.dtype == np.float64 and floats.is_optimal


def test_integers_are_exact_beyond_64_bits():
    greatest, least = np.iinfo(np.int64).max, np.iinfo(np.int64).min
    cost = np.full((5, 5), greatest)
    found = pairgroup.pair_several(cost, 2)
    assert found.cost == 5 * greatest and isinstance(found.cost, int)
    found.verify()
    cost[0, 1] = cost[1, 0] = least
    assert pairgroup.pair_several(cost, 2).cost == 4 * greatest + least
    assert pairgroup.pair_several(cost, 2, maximise=True).cost == 5 * greatest


def test_floats_are_exact_or_refused_or_rounded():
    ring = [(0, 1, 1e-40), (1, 2, 1e30), (2, 3, 3e-40), (3, 0, 1e30), (0, 2, 1e-40)]
    with pytest.raises(pairgroup.PrecisionError, match="rounded=True"):
        pairgroup.pair_several_edges(ring, 2)
    found = pairgroup.pair_several_edges(ring, 2, rounded=True)
    found.verify()
    assert found.status == "feasible" and "rounded" in found.reason and found.bound <= found.cost == 2e30


def test_infinity_and_masks_forbid(rng):
    cost = symmetric(rng, 7, dtype=np.float64)
    forbidden = symmetric_mask(rng, 7, 0.2)
    for maximise in (False, True):
        marked = np.where(forbidden, -np.inf if maximise else np.inf, cost)
        options = dict(partners=(1, 2), missing=1, maximise=maximise)
        answers = [
            pairgroup.pair_several(marked, **options),
            pairgroup.pair_several(cost, forbidden=forbidden, **options),
            pairgroup.pair_several(np.ma.MaskedArray(cost, forbidden), **options),
        ]
        assert len({answer.cost for answer in answers}) == 1 and answers[0].pairs == answers[1].pairs


def test_of_parallel_edges_the_better_one_counts_and_only_once():
    edges = [(0, 1, 3), (1, 0, 5), (0, 1, 4), (1, 2, 1), (2, 0, 1)]
    assert pairgroup.pair_several_edges(edges, 2, maximise=True).cost == 7
    assert pairgroup.pair_several_edges(edges, 2).cost == 5
    with pytest.raises(pairgroup.NoBMatching, match="node 0 should have 2 partners and can have 1"):
        pairgroup.pair_several_edges(edges[:3], 2)


def test_the_checker_refuses_answers_to_other_questions(rng):
    cost = symmetric(rng, 9)
    found = pairgroup.pair_several(cost, 2)
    found.verify(cost)
    u, v = found.pairs[0]
    changed = cost.copy()
    changed[u, v] = changed[v, u] = cost[u, v] + 1
    with pytest.raises(pairgroup.VerifyError, match=rf"pair \({u}, {v}\)"):
        found.verify(changed)
    forbidden = np.zeros_like(cost, bool)
    forbidden[u, v] = forbidden[v, u] = True
    with pytest.raises(pairgroup.VerifyError, match="not joined"):
        found.verify(cost, forbidden=forbidden)
    with pytest.raises(pairgroup.VerifyError, match="number type"):
        found.verify(cost + 0.5)
    with pytest.raises(pairgroup.VerifyError):
        found.verify(cost[:8, :8])
    # Pairs that were not chosen become so cheap that some other choice is better, which the proof must not cover up.
    chosen = np.zeros_like(cost, bool)
    chosen[tuple(found.ends.T)] = True
    cheaper = np.where(chosen | chosen.T, cost, -1000)
    with pytest.raises(pairgroup.VerifyError):
        found.verify(cheaper)
    most = pairgroup.pair_several(cost, 2, maximise=True)
    with pytest.raises(pairgroup.VerifyError):
        most.verify(np.where(chosen | chosen.T, cost, 1000))
    with pytest.raises(TypeError):
        found.verify(forbidden=forbidden)


def test_every_cost_that_makes_another_choice_better_is_noticed(rng):
    """What the checker accepts of changed costs is as good as the best; what is no longer the best, it refuses."""
    refused = accepted = 0
    for _ in range(200):
        cost = symmetric(rng, 5, 0, 6)
        found = pairgroup.pair_several(cost, (1, 2), missing=2)
        u, v = sorted(rng.choice(5, 2, replace=False).tolist())
        changed = cost.copy()
        changed[u, v] = changed[v, u] = cost[u, v] + rng.integers(-3, 4)
        is_known = (u, v) not in found.pairs or changed[u, v] == cost[u, v]
        best = pairgroup.pair_several(changed, (1, 2), missing=2).cost
        try:
            found.verify(changed)
        except pairgroup.VerifyError:
            refused += 1
        else:
            accepted += 1
            assert is_known and best == found.cost
    assert refused > 50 and accepted > 20


def test_the_engine_refuses_answers_and_witnesses_of_others(rng):
    from pairgroup import _engine

    cost = symmetric(rng, 6)
    twos = np.full(6, 2, np.uint32)
    instance = _engine.Instance.from_matrix(cost, None, False, False)
    other = _engine.Instance.from_matrix(cost + 1, None, False, False)
    floats = _engine.Instance.from_matrix(cost * 0.5, None, False, False)
    choice = instance.solve_several(twos, twos)
    instance.verify_several(choice)
    for wrong in (other, floats):
        with pytest.raises(pairgroup.VerifyError):
            wrong.verify_several(choice)
    mask = np.zeros((6, 6), bool)
    mask[0, 1:5] = mask[1:5, 0] = True
    sparse = _engine.Instance.from_matrix(cost, mask, False, False)
    none = sparse.solve_several(twos, twos)
    assert isinstance(none, _engine.NoChoice) and none.wanting == [0]
    # One of player 0's two, and one that five others with two each leave over.
    assert none.missing == 2
    sparse.verify_no_choice(none)
    for wrong in (instance, floats):
        with pytest.raises(pairgroup.VerifyError):
            wrong.verify_no_choice(none)
    with pytest.raises(ValueError, match="5 least degrees"):
        instance.solve_several(twos[:5], twos)
    with pytest.raises(ValueError, match="vertex 0 .* at least 2 .* at most 1"):
        instance.solve_several(twos, twos - 1)
    negated = _engine.Instance.from_matrix(cost, None, False, True)
    with pytest.raises(ValueError, match="sign"):
        negated.solve_several(twos, twos)


def test_there_is_none_and_here_is_why():
    star = [("hub", leaf, 1) for leaf in "abc"]
    leaves = r"nodes 'a', 'b', 'c' should have 3 partners and can have 2 at most \(2 by node 'hub', 0 by others\)"
    with pytest.raises(pairgroup.NoBMatching, match=leaves) as caught:
        pairgroup.pair_several_edges(star, {"hub": (0, 2), "a": 1, "b": 1, "c": 1})
    error = caught.value
    assert isinstance(error, ValueError)
    assert (error.removed, error.wanting, error.odd_components, error.missing) == (["hub"], ["a", "b", "c"], [], 1)
    error.verify()
    odd = "nodes 0, 1, 2, 3, 4 can have nobody but each other, .* odd number"
    with pytest.raises(pairgroup.NoBMatching, match=odd) as caught:
        pairgroup.pair_several(np.ones((5, 5)), 3)
    assert caught.value.odd_components == [[0, 1, 2, 3, 4]] and caught.value.missing == 1
    with pytest.raises(pairgroup.NoBMatching, match="node 0 should have 5 partners and can have 3 at most") as caught:
        pairgroup.pair_several(np.ones((4, 4)), 5)
    caught.value.verify()
    # Three triangles that need an edge to the hub each, which can have one.
    triangles = [(3 * at + u, 3 * at + v, 1) for at in range(3) for u, v in ((1, 2), (2, 3), (1, 3))]
    triangles += [(0, 3 * at + 1, 1) for at in range(3)]
    three = "each of 3 sets, such as nodes 1, 2, 3, has fixed numbers of an odd sum, and so needs node 0, who can have 1 partner"
    with pytest.raises(pairgroup.NoBMatching, match=three) as caught:
        pairgroup.pair_several_edges(triangles, 1, 10)
    assert caught.value.removed == [0] and caught.value.missing == 2
    caught.value.verify()
    # A node that is wanting, and a set beside it whose sum is odd.
    beside = [(0, 1, 1), (1, 2, 1), (2, 3, 1), (3, 1, 1)]
    with pytest.raises(pairgroup.NoBMatching, match="node 0 should have 2 .* have 1 at most; one of these is lost to nodes 1") as caught:
        pairgroup.pair_several_edges(beside, [2, 2, 2, 2])
    caught.value.verify()
    many = [("hub", leaf, 1) for leaf in range(9)]
    with pytest.raises(pairgroup.NoBMatching, match="nodes 0, 1, 2, 3, 4 and 4 more should have 9 partners"):
        pairgroup.pair_several_edges(many, 1)


def test_who_lacks_partners_may_not_be_found():
    """There is a triangle of ones beside a ring of many who have a choice: a witness would take all pairs of these."""
    ring = [(at, (at + 1) % 5000, 1) for at in range(5000)]
    triangle = [(5000, 5001, 1), (5001, 5002, 1), (5002, 5000, 1)]
    partners = [(1, 2)] * 5000 + [1] * 3
    with pytest.raises(pairgroup.NoBMatching, match="was not found within the limits") as caught:
        pairgroup.pair_several_edges(ring + triangle, partners)
    error = caught.value
    assert (error.removed, error.wanting, error.odd_components, error.missing) == ([], [], [], 0)
    with pytest.raises(pairgroup.VerifyError, match="nothing to check"):
        error.verify()
    fewer = [(at, (at + 1) % 500, 1) for at in range(500)]
    with pytest.raises(pairgroup.NoBMatching, match="nodes 5000, 5001, 5002 can have nobody but each other") as caught:
        pairgroup.pair_several_edges(fewer + triangle, {**dict(zip(range(500), partners)), 5000: 1, 5001: 1, 5002: 1})
    caught.value.verify()


def test_so_many_partners_that_memory_would_not_do_are_refused():
    cost = np.zeros((5000, 5000), np.int32)
    with pytest.raises(MemoryError, match="so many partners would take about 20 GiB"):
        pairgroup.pair_several(cost, (0, 2**29 - 1))
    assert len(pairgroup.pair_several(cost[:2000, :2000], (0, 1))) <= 1000


def test_half_of_all_others_leave_the_dearest_to_the_other_half(rng):
    cost = symmetric(rng, 401, 0, 10**6)
    half = pairgroup.pair_several(cost, 200)
    half.verify()
    dearest = pairgroup.pair_several(cost, 200, maximise=True)
    assert half.is_optimal and 2 * (half.cost + dearest.cost) == cost.sum()


def test_limits_give_what_there_is_with_a_bound(rng):
    cost = symmetric(rng, 120, 0, 10**6)
    best = pairgroup.pair_several(cost, 4)
    for limit in (dict(work=1), dict(seconds=0), dict(work=best.work // 2)):
        stopped = pairgroup.pair_several(cost, 4, **limit)
        stopped.verify()
        assert not stopped.is_optimal and stopped.status in ("feasible", "unknown") and stopped.reason
        assert stopped.bound <= best.cost
        assert (stopped.degree <= 4).all() and (stopped.status == "unknown" or stopped.cost >= best.cost)
    assert pairgroup.pair_several(cost, 4, work=1).pairs == pairgroup.pair_several(cost, 4, work=1).pairs
    for threads in (1, 2):
        assert pairgroup.pair_several(cost, 4, threads=threads).pairs == best.pairs


def test_the_input_may_change_afterwards(rng):
    cost = symmetric(rng, 8)
    numbers = np.full(8, 3)
    found = pairgroup.pair_several(cost, numbers)
    before = cost.copy()
    cost[:], numbers[:] = 0, 1
    found.verify()
    found.verify(before)
    with pytest.raises(pairgroup.VerifyError):
        found.verify(cost)


def test_an_evening_of_a_thousand_is_verified(rng):
    rating = rng.integers(800, 2000, 1000)
    gap = abs(rating[:, None] - rating)
    found = pairgroup.pair_several(gap, 3)
    assert found.is_optimal and (found.degree == 3).all()
    found.verify(gap)
    assert found.cost == gap[tuple(found.ends.T)].sum()
