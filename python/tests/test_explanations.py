"""Why two are a pair, or in one group, or are not: against trying everything."""

from __future__ import annotations

import itertools
import json
import pickle

import numpy as np
import pytest
from conftest import best_total, symmetric, symmetric_mask
from test_grouping import placings

import pairgroup

DTYPES = [np.int32, np.int64, np.float32, np.float64]


def near(value):
    """Floats that were added in some order."""
    return pytest.approx(value, rel=1e-6, abs=1e-6) if isinstance(value, float) else value


def check_what_if(what_if, before, best, cost, allowed) -> None:
    """The best there is under a condition, as all matchings say; `allowed` says of pairs whether they may be."""
    if best is None:
        assert what_if.is_infeasible and what_if.pairs is what_if.cost is what_if.bound is what_if.change is None
        nodes = [node for part in what_if.odd_components for node in part]
        assert len(set(nodes) | set(what_if.removed)) == len(nodes) + len(what_if.removed)
        assert all(len(part) % 2 for part in what_if.odd_components)
        assert len(what_if.odd_components) > len(what_if.removed)
        component = {node: at for at, part in enumerate(what_if.odd_components) for node in part}
        for u, v in itertools.combinations(range(len(cost)), 2):
            if allowed(u, v) and (u in component or v in component):
                assert component.get(u) == component.get(v) or u in what_if.removed or v in what_if.removed
        return
    assert what_if.status == "optimal" and what_if.reason is None
    assert not what_if.removed and not what_if.odd_components
    assert what_if.cost == near(best) == near(what_if.bound) and what_if.change == near(best - before)
    assert what_if.pairs == sorted(what_if.pairs) and all(u < v for u, v in what_if.pairs)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("maximise", [False, True])
@pytest.mark.parametrize("what", ["all", "most", "any", "alone", "bye"])
def test_pairs_against_all_matchings(rng, dtype, maximise, what):
    seen = set()
    for at, n in enumerate([2, 3, 4, 5, 6, 7, 4, 6] * 2):
        cost = symmetric(rng, n, -30, 30, dtype)
        forbidden = symmetric_mask(rng, n, [0, 0.3, 0.5][at % 3])
        prices = rng.integers(-20, 20, n).tolist()
        options = {what: prices} if what in ("alone", "bye") else {"pairs": what}
        options["maximise"] = maximise
        before = best_total(cost, forbidden, **options)
        if before is None:
            continue
        u, v = np.nonzero(np.triu(~forbidden, 1))
        pairing = pairgroup.pair(cost, forbidden=forbidden, **options)
        sparse = pairgroup.pair_arrays(u, v, cost[u, v], n, **options)
        for (u, v), answer in itertools.product(itertools.combinations(range(n), 2), (pairing, sparse)):
            why = answer.explain(v, u)
            why.verify()
            assert why.pair == (u, v) and why.is_chosen == ((u, v) in answer.pairs)
            without = forbidden.copy()
            without[u, v] = without[v, u] = True
            best = best_total(cost, without, **options)
            check_what_if(why.forbidden, before, best, cost, lambda a, b: not without[a, b])
            assert (u, v) not in (why.forbidden.pairs or [])
            if forbidden[u, v]:
                assert why.cost is None and why.forced is None
                continue
            assert why.cost == cost[u, v]
            best = best_total(cost, forbidden, must=(u, v), **options)
            check_what_if(
                why.forced, before, best, cost, lambda a, b: not forbidden[a, b] and not {a, b}.intersection((u, v))
            )
            assert why.forced.pairs is None or (u, v) in why.forced.pairs
            seen |= {why.is_chosen, why.forced.status, why.forbidden.status}
    assert seen == {True, False, "optimal"} | ({"infeasible"} if what in ("all", "bye") else set())


def test_one_node_asks_about_its_partner(rng):
    cost = symmetric(rng, 7)
    pairing = pairgroup.pair(cost, bye=0)
    (alone,) = pairing.alone
    for node in range(7):
        if node == alone:
            with pytest.raises(ValueError, match=f"node {node} has no partner; give another"):
                pairing.explain(node)
            continue
        why = pairing.explain(node)
        assert node in why.pair and why.is_chosen and why.forced.change == 0 <= why.forbidden.change
        assert why.forced.pairs == pairing.pairs and why.forced.work == 0
        assert f"({why.pair[0]}, {why.pair[1]}) chosen, if forced cost {pairing.cost}" in repr(why)


def test_explanations_name_nodes_and_refuse_others():
    star = [("ann", "bob", 4), ("bob", "cid", 1), ("cid", None, 4), (None, "ann", 5)]
    pairing = pairgroup.pair_edges(star)
    assert pairing.pairs == [("ann", None), ("bob", "cid")]
    why = pairing.explain("ann", "bob")
    assert why.pair == ("ann", "bob") and why.cost == 4 and not why.is_chosen
    assert why.forced.pairs == [("ann", "bob"), ("cid", None)] and why.forced.change == 2
    assert pairing.explain(None).pair == ("ann", None)
    path = pairgroup.pair_edges([("ann", "bob", 4), ("bob", "cid", 1), ("cid", "dan", 4)])
    why = path.explain("bob", "cid")
    assert why.forced.is_infeasible and why.forced.removed == []
    assert sorted(why.forced.odd_components) == [["ann"], ["dan"]]
    assert "if forced infeasible" in repr(why)
    why = path.explain("ann", "dan")
    assert why.cost is None and why.forced is None and "cannot be" in repr(why)
    with pytest.raises(KeyError):
        path.explain("eve")
    with pytest.raises(KeyError):
        path.explain("ann", "eve")
    with pytest.raises(ValueError, match="both 'ann'; give two different nodes, or one"):
        path.explain("ann", "ann")
    with pytest.raises(ValueError, match="seconds is -1"):
        path.explain("ann", seconds=-1)
    with pytest.raises(ValueError, match="threads is 0"):
        path.explain("ann", threads=0)
    with pytest.raises(TypeError, match="work is 'much'"):
        path.explain("ann", work="much")


def test_explanations_of_rounded_pairings_are_rounded_too():
    pairing = pairgroup.pair_edges([(0, 1, 1e-40), (2, 3, 1e30), (0, 2, 1e30), (1, 3, 3e-40)], rounded=True)
    why = pairing.explain(0, 2)
    why.verify()
    # What is left once the two have each other is a single edge, which needs no rounding.
    assert why.forced.status == "optimal" and why.forbidden.status == "feasible" and "rounded" in why.forbidden.reason


def test_explanations_within_limits(rng):
    cost = symmetric(rng, 400, 0, 10**6)
    pairing = pairgroup.pair(cost)
    partner = pairing.partner(0)
    best = pairing.explain(0)
    stopped = pairing.explain(0, work=1)
    stopped.verify()
    assert stopped.forbidden.status in ("feasible", "unknown") and "work" in stopped.forbidden.reason
    assert stopped.forbidden.bound <= best.forbidden.bound == best.forbidden.cost
    assert "time" in pairing.explain(0, partner, seconds=0).forbidden.reason
    for threads in (1, 3):
        assert pairing.explain(0, threads=threads).forbidden == best.forbidden
    other = next(node for node in range(1, 400) if node != partner)
    cheaper = cost.copy()
    cheaper[0, other] = cheaper[other, 0] = cost[0, other] + 1
    # The best with a pair forced, by a solve from scratch that cannot do without it.
    only = np.zeros((400, 400), bool)
    only[[0, other]] = only[:, [0, other]] = True
    only[0, other] = only[other, 0] = False
    assert pairing.explain(0, other).forced.cost == pairgroup.pair(cost, forbidden=only).cost
    assert pairgroup.pair(cheaper).explain(0, other).forced.cost == pairing.explain(0, other).forced.cost + 1


def test_what_ifs_are_plain_data(rng):
    what_if = pairgroup.pair(symmetric(rng, 6)).explain(0).forbidden
    assert pickle.loads(pickle.dumps(what_if)) == what_if
    assert json.loads(json.dumps(what_if._asdict()))["status"] == "optimal"


def joined(labels, players) -> bool:
    return labels[players[0]] == labels[players[1]] >= 0


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("maximise", [False, True])
def test_two_players_against_explanations_of_each(rng, dtype, maximise):
    """What either one's exchanges say, which are tried anew elsewhere: those that put the two together, or apart."""
    seen = set()
    for at in range(8):
        cost = symmetric(rng, 12, -20, 60, dtype)
        forbidden = symmetric_mask(rng, 12, 0.06)
        bench, parties = (2, [[0, 1, 2], [4, 5], [6, 7]]) if at % 2 else (0, [[8, 9]])
        shape = dict(bounds=[(2, 5)] * 3, bench=bench) if at % 2 else dict(size=4)
        wishes = dict(forbidden=forbidden, parties=parties, pins={3: 1, 11: 0}, maximise=maximise)
        try:
            found = pairgroup.group(cost, work=100, seed=at, **shape, **wishes)
        except pairgroup.NoGrouping:
            continue
        labels = found.labels
        for players in itertools.permutations(range(12), 2):
            why = found.explain(*players)
            assert why.players == players and why.are_together == joined(labels, players)
            assert why.groups == tuple(None if label < 0 else label for label in labels[list(players)].tolist())
            assert why.cost == (None if forbidden[players] else near(cost[players].item()))
            assert why.is_party == any(set(players) <= set(party) for party in parties)
            seen |= {why.are_together, why.is_party}
            if why.is_party:
                assert why.exchanges == [] and why.obstacle is None
                continue
            expected = []
            both = [found.explain(player) for player in players]
            for one, other in zip(both, both[::-1]):
                for exchange in one.exchanges:
                    after = labels.copy()
                    after[sum(exchange.leave, [])] = -1 if exchange.to is None else exchange.to
                    after[sum(exchange.come, [])] = -1 if exchange.origin is None else exchange.origin
                    is_second = one is both[1]
                    if joined(after, players) != why.are_together and not (is_second and other.party in exchange.leave):
                        expected.append(exchange)
            key = lambda exchange: (exchange.leave, exchange.come, str(exchange.to))  # noqa: E731
            assert sorted(why.exchanges, key=key) == sorted(expected, key=key)
            changes = [one.change for one in why.exchanges if one.change is not None]
            assert changes == sorted(changes, reverse=maximise)
            assert why.obstacle is None or all(one.change is None for one in why.exchanges) or why.are_together
    assert seen == {True, False}


def test_obstacles_hold_in_all_groupings(rng):
    words = set()
    forbidden = np.zeros((7, 7), bool)
    forbidden[0, 5] = forbidden[5, 0] = True
    parties, pins, bounds = [[0, 1, 2], [3, 4]], {3: 0, 6: 1}, [(1, 4), (3, 6)]
    cost = symmetric(rng, 7)
    found = pairgroup.group(cost, bounds=bounds, parties=parties, pins=pins, forbidden=forbidden)
    possible = set()
    for place in placings(7, 2):
        sizes = [place.count(group) for group in range(2)]
        if (
            all(least <= size <= most for size, (least, most) in zip(sizes, bounds))
            and all(len({place[player] for player in party}) == 1 for party in parties)
            and all(place[player] == group for player, group in pins.items())
            and not (forbidden & np.equal.outer(place, place)).any()
        ):
            possible |= {pair for pair in itertools.permutations(range(7), 2) if place[pair[0]] == place[pair[1]]}
    for players in itertools.permutations(range(7), 2):
        obstacle = found.explain(*players).obstacle
        if obstacle is not None:
            assert players not in possible
            words.add(obstacle)
    assert words >= {
        "players 0 and 5 must not be together",
        "the first one is pinned to group 0, the other one to group 1",
        "their parties have 5 members, and a group that may hold both has at most 4",
    }


def test_explanations_of_groups_within_limits(rng):
    cost = symmetric(rng, 60)
    found = pairgroup.group(cost, size=5, work=1000)
    whole = found.explain(0)
    assert whole.left_out == 0 and whole.stop == "it came to its own end"
    some = found.explain(0, work=7)
    assert len(some.exchanges) == 7 and some.left_out == len(whole.exchanges) - 7 and some.stop == "the work was spent"
    assert found.explain(0, seconds=0).stop == "the time was spent"
    two = found.explain(0, 59, work=7)
    assert two.left_out > 0 and two.stop == "the work was spent"
    assert found.explain(0, 59).stop == "it came to its own end"
    assert json.loads(json.dumps(two._asdict()))["players"] == [0, 59]
    assert pickle.loads(pickle.dumps(two)) == two


def test_explanations_refuse_whom_they_do_not_know(rng):
    found = pairgroup.group(symmetric(rng, 8), size=4)
    with pytest.raises(ValueError, match="other is 8; there are 8, numbered from 0"):
        found.explain(0, 8)
    with pytest.raises(ValueError, match="player and other are both 3"):
        found.explain(3, 3)
    with pytest.raises(TypeError, match="other is 'ann'"):
        found.explain(3, "ann")
    with pytest.raises(ValueError, match="work is -1"):
        found.explain(3, work=-1)
