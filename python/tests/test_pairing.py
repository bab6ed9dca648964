"""Exact pairing against trying everything, and against networkx where that takes too long."""

from __future__ import annotations

import networkx
import numpy as np
import pytest
from conftest import best_total, symmetric, symmetric_mask

import pairgroup

DTYPES = [np.int32, np.int64, np.float32, np.float64]


def check(pairing: pairgroup.Pairing, cost: np.ndarray, best: object) -> None:
    """An answer that is proven, is what it says, and costs what the best costs."""
    assert pairing.is_optimal and pairing.reason is None and pairing.bound == pairing.cost
    pairing.verify()
    assert pairing.cost == pytest.approx(best, rel=1e-12) if cost.dtype.kind == "f" else pairing.cost == best
    mate = pairing.mate
    assert mate.dtype == np.int64
    for at, (u, v) in enumerate(pairing.pairs):
        assert mate[u] == v and mate[v] == u
        assert pairing.weights[at] == cost[u, v]
    assert sorted([node for pair in pairing.pairs for node in pair] + pairing.alone) == list(range(len(cost)))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("maximise", [False, True])
@pytest.mark.parametrize("pairs", ["all", "most", "any"])
def test_small_matrices_against_all_matchings(rng, dtype, maximise, pairs):
    infeasible = 0
    for n in [0, 1, 2, 3, 4, 5, 6, 7, 8] * 2:
        cost = symmetric(rng, n, -30, 30, dtype)
        forbidden = symmetric_mask(rng, n, rng.choice([0, 0.3, 0.7]))
        best = best_total(cost, forbidden, maximise=maximise, pairs=pairs)
        options = dict(forbidden=forbidden, maximise=maximise, pairs=pairs)
        if best is None:
            infeasible += 1
            with pytest.raises(pairgroup.NoPerfectMatching) as caught:
                pairgroup.pair(cost, **options)
            caught.value.verify()
            assert caught.value.deficiency >= 1
            continue
        pairing = pairgroup.pair(cost, **options)
        check(pairing, cost, best)
        assert not any(forbidden[u, v] for u, v in pairing.pairs)
        u, v = np.nonzero(np.triu(~forbidden, 1))
        again = pairgroup.pair_arrays(u, v, cost[u, v], n, maximise=maximise, pairs=pairs)
        check(again, cost, best)
    assert (infeasible > 0) == (pairs == "all")


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("maximise", [False, True])
@pytest.mark.parametrize("what", ["alone", "bye"])
def test_prices_against_all_matchings(rng, dtype, maximise, what):
    for n in [1, 2, 3, 5, 6, 7] * 3:
        cost = symmetric(rng, n, -30, 30, dtype)
        prices = rng.integers(-20, 20, n).tolist()
        pairing = pairgroup.pair(cost, maximise=maximise, **{what: prices})
        check(pairing, cost, best_total(cost, maximise=maximise, **{what: prices}))
        if what == "bye":
            assert len(pairing.alone) == n % 2


def test_a_price_for_all_and_a_mapping_say_the_same(rng):
    cost = symmetric(rng, 7)
    for what in ("alone", "bye"):
        answers = [
            pairgroup.pair(cost, **{what: prices})
            for prices in (9, [9] * 7, np.full(7, 9), {at: 9 for at in range(7)}, 9.0)
        ]
        assert len({answer.cost for answer in answers}) == 1
        check(answers[0], cost, best_total(cost, **{what: [9] * 7}))


def test_prices_widen_the_number_type(rng):
    cost = symmetric(rng, 4, dtype=np.int32)
    assert pairgroup.pair(cost, bye=0).cost == pairgroup.pair(cost).cost
    # Nobody stays alone at this price, which fits 64 bits and not 32; and 0.1 is another number in 32 bits.
    assert pairgroup.pair(cost, alone=2**40).cost == best_total(cost)
    assert pairgroup.pair(cost.astype(np.float32) + 1, alone=0.1).cost == pytest.approx(0.4, rel=1e-15)


@pytest.mark.parametrize("n", [30, 101, 200, 201, 260])
@pytest.mark.parametrize("maximise", [False, True])
def test_larger_matrices_against_networkx(rng, n, maximise):
    """Sizes on both sides of where engines, and ways to call them, change."""
    cost = symmetric(rng, n, -500, 1000)
    pairing = pairgroup.pair(cost, maximise=maximise, pairs="most")
    graph = networkx.Graph((u, v, {"weight": int(cost[u, v])}) for u in range(n) for v in range(u))
    if n <= 101:
        solve = networkx.max_weight_matching if maximise else networkx.min_weight_matching
        matching = solve(graph, True) if maximise else solve(graph)
        check(pairing, cost, sum(int(cost[u, v]) for u, v in matching))
    pairing.verify(cost)
    others = [
        pairgroup.pair(cost, maximise=maximise, pairs="most", threads=threads, seconds=seconds)
        for threads, seconds in [(1, None), (2, None), (None, 100)]
    ]
    others += [pairgroup.pair_graph(graph, maximise=maximise, pairs="most")]
    for other in others:
        other.verify()
        assert other.cost == pairing.cost and other.is_optimal


def test_integers_are_exact_beyond_64_bits():
    least, greatest = np.iinfo(np.int64).min, np.iinfo(np.int64).max
    cost = np.full((4, 4), greatest)
    cost[0, 2] = cost[2, 0] = least
    assert pairgroup.pair(cost, maximise=True).cost == 2 * greatest
    assert pairgroup.pair(cost).cost == greatest + least
    pairs = pairgroup.pair_arrays([0, 1], [2, 3], [greatest, greatest])
    assert pairs.cost == 2 * greatest and isinstance(pairs.cost, int)
    with pytest.raises(ValueError, match=r"\(0, 2\)"):
        pairgroup.pair(cost, pairs="most")  # Its sign cannot change.


def test_floats_are_exact_or_refused_or_rounded():
    graph = [(0, 1, 1e-40), (2, 3, 1e30), (0, 2, 1e30), (1, 3, 3e-40)]
    with pytest.raises(pairgroup.PrecisionError, match="rounded=True"):
        pairgroup.pair_edges(graph)
    pairing = pairgroup.pair_edges(graph, rounded=True)
    pairing.verify()
    assert pairing.status == "feasible" and "rounded" in pairing.reason
    assert pairing.bound <= pairing.cost
    # Sums in floats say 0.6000000000000001 and 0.6; in truth both are not the same either.
    exact = pairgroup.pair_edges([(0, 1, 0.1), (2, 3, 0.2), (0, 2, 0.15), (1, 3, 0.151)])
    assert exact.is_optimal and exact.pairs == [(0, 1), (2, 3)]


def test_infinity_forbids_on_the_side_that_is_never_chosen(rng):
    for dtype in (np.float32, np.float64):
        cost = symmetric(rng, 6, 1, 30, dtype)
        forbidden = symmetric_mask(rng, 6, 0.3)
        np.fill_diagonal(cost, np.nan)
        for maximise in (False, True):
            for pairs in ("most", "any"):
                options = dict(maximise=maximise, pairs=pairs)
                marked = np.where(forbidden, -np.inf if maximise else np.inf, cost)
                pairing = pairgroup.pair(marked, **options)
                assert pairing.cost == pairgroup.pair(cost, forbidden=forbidden, **options).cost
                assert not any(forbidden[u, v] for u, v in pairing.pairs)
                with pytest.raises(ValueError, match="NaN, or infinite"):
                    pairgroup.pair(-marked, **options)
        cost[1, 2] = cost[2, 1] = np.nan
        with pytest.raises(ValueError, match=r"\(1, 2\) is NaN"):
            pairgroup.pair(cost)


def test_masked_entries_are_forbidden(rng):
    cost = symmetric(rng, 6)
    forbidden = symmetric_mask(rng, 6, 0.3)
    masked = np.ma.MaskedArray(cost, forbidden)
    assert pairgroup.pair(masked, pairs="most").cost == best_total(cost, forbidden, pairs="most")
    both = forbidden.copy()
    both[0], both[:, 0] = True, True
    assert pairgroup.pair(masked, forbidden=both, pairs="most").alone[0] == 0


@pytest.mark.parametrize(
    "make",
    [
        np.asfortranarray,
        lambda cost: np.repeat(np.repeat(cost, 2, 0), 2, 1)[::2, ::2],
        lambda cost: cost[::-1, ::-1][::-1, ::-1],
        lambda cost: cost.astype(">i8"),
        lambda cost: cost.astype(np.int16),
        lambda cost: cost.astype(np.uint8),
        lambda cost: cost.astype(np.uint64),
        lambda cost: cost.astype(np.float16),
        lambda cost: cost.astype(np.longdouble),
        lambda cost: cost.tolist(),
        lambda cost: [tuple(row) for row in cost.tolist()],
    ],
)
def test_matrices_of_every_kind(rng, make):
    cost = symmetric(rng, 8)
    pairing = pairgroup.pair(make(cost))
    assert pairing.cost == best_total(cost)
    pairing.verify()


def test_the_input_may_change_afterwards(rng):
    cost = symmetric(rng, 8)
    pairing = pairgroup.pair(cost)
    before = cost.copy()
    cost[:] = 0
    pairing.verify()
    pairing.verify(before)
    with pytest.raises(pairgroup.VerifyError):
        pairing.verify(cost)


def test_the_checker_refuses_answers_to_other_questions(rng):
    cost = symmetric(rng, 8)
    pairing = pairgroup.pair(cost)
    u, v = pairing.pairs[0]
    changed = cost.copy()
    changed[u, v] = changed[v, u] = cost[u, v] + 1
    with pytest.raises(pairgroup.VerifyError):
        pairing.verify(changed)
    forbidden = np.zeros_like(cost, bool)
    forbidden[u, v] = forbidden[v, u] = True
    with pytest.raises(pairgroup.VerifyError):
        pairing.verify(cost, forbidden=forbidden)
    with pytest.raises(pairgroup.VerifyError, match="number type"):
        pairing.verify(cost + 0.5)
    # A cheaper way around, which the proof does not know.
    cheaper = cost.copy()
    cheaper[pairing.mate[0], pairing.mate[1]] = cheaper[pairing.mate[1], pairing.mate[0]] = -1000
    cheaper[0, 1] = cheaper[1, 0] = -1000
    with pytest.raises(pairgroup.VerifyError):
        pairing.verify(cheaper)
    edges = [("a", "b", 3), ("b", "c", 1), ("c", "d", 3), ("d", "a", 9)]
    named = pairgroup.pair_edges(edges)
    named.verify(edges)
    with pytest.raises(pairgroup.VerifyError):
        named.verify([("a", "b", 3), ("b", "c", 1), ("c", "d", 4), ("d", "a", 9)])


def test_inputs_are_checked_by_the_names_of_their_arguments():
    # Of edges and graphs they had to come without names, or some inner function was said not to know these.
    edges = [(0, 1, 3), (1, 2, 1), (2, 3, 3)]
    u, v, weight = zip(*edges)
    graph = networkx.Graph()
    graph.add_weighted_edges_from(edges)
    for answer in (pairgroup.pair_edges(edges), pairgroup.pair_several_edges(edges, (0, 1), maximise=True)):
        answer.verify(edges=edges)
        with pytest.raises(pairgroup.VerifyError):
            answer.verify(edges=[(0, 1, 3), (2, 3, 9)])
    for answer in (pairgroup.pair_arrays(u, v, weight), pairgroup.pair_several_arrays(u, v, weight, (0, 1), maximise=True)):
        answer.verify(u, v=v, weight=weight)
        with pytest.raises(pairgroup.VerifyError):
            answer.verify(u=u, v=v, weight=(9, 9, 9))
    for answer in (pairgroup.pair_graph(graph), pairgroup.pair_several_graph(graph, (0, 1), maximise=True)):
        answer.verify(graph=graph)
        with pytest.raises(pairgroup.VerifyError):
            answer.verify(graph=networkx.path_graph(4))


def test_names_of_nodes():
    edges = [("ann", ("bob", 1), 4), (("bob", 1), None, 1), (None, 2.5, 4), (2.5, "ann", 5)]
    pairing = pairgroup.pair_edges(edges)
    assert pairing.nodes == ["ann", ("bob", 1), None, 2.5]
    assert pairing.pairs == [("ann", 2.5), (("bob", 1), None)] and pairing.cost == 6
    assert pairing.partner("ann") == 2.5 and pairing.partner(None) == ("bob", 1)
    with pytest.raises(KeyError):
        pairing.partner("eve")
    alone = pairgroup.pair_edges(edges, alone={"ann": 1, ("bob", 1): 1, None: 1, 2.5: 1})
    assert alone.cost == 3 and alone.alone == ["ann", 2.5] and alone.partner("ann") is None
    more = pairgroup.pair_edges(edges, [2.5, None, "ann", ("bob", 1), "eve"], pairs="most")
    assert more.alone == ["eve"] and more.cost == 6 and more.mate.tolist() == [2, 3, 0, 1, -1]
    assert pairgroup.pair_edges(iter([(3, 0, 1), (1, 2, 1)]), 4).pairs == [(0, 3), (1, 2)]
    assert pairgroup.pair_edges([]).pairs == [] and pairgroup.pair_edges([], 3, pairs="any").alone == [0, 1, 2]


def test_of_parallel_edges_the_better_one_counts():
    edges = [(0, 1, 3), (1, 0, 5), (0, 1, 4)]
    for pairs in ("all", "most", "any"):
        assert pairgroup.pair_edges(edges, maximise=True, pairs=pairs).cost == 5
    assert pairgroup.pair_edges(edges).cost == 3
    assert pairgroup.pair_edges(edges, pairs="most").cost == 3
    assert pairgroup.pair_edges([(0, 1, -3), (1, 0, -5)], pairs="any").cost == -5


def test_there_is_none_and_here_is_why():
    star = [("hub", leaf, 1) for leaf in "abc"]
    with pytest.raises(pairgroup.NoPerfectMatching, match="'hub'") as caught:
        pairgroup.pair_edges(star)
    error = caught.value
    assert isinstance(error, ValueError)
    assert error.removed == ["hub"] and error.deficiency == len(error.odd_components) - 1 >= 1
    assert all(component in (["a"], ["b"], ["c"]) for component in error.odd_components)
    error.verify()
    with pytest.raises(pairgroup.NoPerfectMatching) as caught:
        pairgroup.pair_edges([*star, ("hub", "d", 1)], bye=0)
    caught.value.verify()
    with pytest.raises(pairgroup.NoPerfectMatching, match="odd number of nodes, 3"):
        pairgroup.pair(np.zeros((3, 3)))


def test_limits_give_what_there_is_with_a_bound(rng):
    cost = symmetric(rng, 400, 0, 10**6)
    best = pairgroup.pair(cost).cost
    stopped = pairgroup.pair(cost, work=1)
    stopped.verify()
    assert not stopped.is_optimal and stopped.status in ("feasible", "unknown") and "work" in stopped.reason
    assert stopped.bound <= best
    if stopped.status == "feasible":
        assert stopped.cost >= best
    assert pairgroup.pair(cost, work=1).pairs == stopped.pairs
    late = pairgroup.pair(cost, seconds=0)
    late.verify()
    assert not late.is_optimal and "time" in late.reason
    star = pairgroup.pair_edges([(0, leaf, leaf) for leaf in (1, 2, 3)], maximise=True, pairs="most", work=0)
    assert 1 <= star.most_pairs() <= 2
    assert pairgroup.pair_edges([(0, leaf, leaf) for leaf in (1, 2, 3)], maximise=True, pairs="most").most_pairs() == 1
