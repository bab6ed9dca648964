"""Groups against trying everything."""

from __future__ import annotations

import itertools
import json
import pickle
from typing import Iterator

import numpy as np
import pytest
from conftest import symmetric, symmetric_mask

import pairgroup


def placings(n: int, places: int) -> Iterator[tuple[int, ...]]:
    return itertools.product(range(places), repeat=n)


def best_grouping(cost, bounds, bench=0, forbidden=None, parties=(), pins=(), maximise=False):
    """The best total of all ways to place everybody, None where none is allowed. The place after the last is the bench."""
    n, best = len(cost), None
    for place in placings(n, len(bounds) + (bench > 0)):
        members = [[player for player in range(n) if place[player] == at] for at in range(len(bounds) + 1)]
        if any(not least <= len(group) <= most for group, (least, most) in zip(members, bounds)):
            continue
        if len(members[-1]) > bench:
            continue
        if any(place[player] != at for player, at in pins) or any(len({place[p] for p in party}) > 1 for party in parties):
            continue
        pairs = [pair for group in members[: len(bounds)] for pair in itertools.combinations(group, 2)]
        if forbidden is not None and any(forbidden[pair] for pair in pairs):
            continue
        total = sum(cost[pair].item() for pair in pairs)
        if best is None or (total > best if maximise else total < best):
            best = total
    return best


def check(found: pairgroup.Grouping, cost: np.ndarray, bounds, bench: int = 0) -> None:
    found.verify()
    found.verify(cost)
    assert sorted(player for group in [*found.groups, found.bench] for player in group) == list(range(len(cost)))
    assert all(least <= len(group) <= most for group, (least, most) in zip(found.groups, bounds))
    assert len(found.groups) == len(bounds) and len(found.bench) <= bench
    labels = found.labels
    assert all((labels[group] == at).all() for at, group in enumerate(found.groups)) and (labels[found.bench] == -1).all()
    total = sum(cost[pair].item() for group in found.groups for pair in itertools.combinations(group, 2))
    assert found.cost == (pytest.approx(total) if cost.dtype.kind == "f" else total)


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.float32, np.float64])
@pytest.mark.parametrize("maximise", [False, True])
def test_small_problems_against_all_groupings(rng, dtype, maximise):
    shapes = [
        (6, dict(size=3), [(3, 3)] * 2, 0),
        (8, dict(size=3), [(3, 3)] * 2, 2),
        (9, dict(size=3), [(3, 3)] * 3, 0),
        (8, dict(count=3), [(2, 3)] * 3, 0),
        (7, dict(sizes=[2, 5]), [(2, 2), (5, 5)], 0),
        (8, dict(bounds=[(1, 4), (3, 6)], bench=1), [(1, 4), (3, 6)], 1),
    ]
    for n, shape, bounds, bench in shapes:
        cost = symmetric(rng, n, -40, 60, dtype)
        found = pairgroup.group(cost, maximise=maximise, **shape)
        check(found, cost, bounds, bench)
        best = best_grouping(cost, bounds, bench, maximise=maximise)
        assert found.is_proven and found.cost == pytest.approx(best)


def test_wishes_against_all_groupings(rng):
    impossible = 0
    for _ in range(20):
        cost = symmetric(rng, 8)
        forbidden = symmetric_mask(rng, 8, 0.1)
        apart = [[0, 1], [2, 3]]
        parties, pins = [[0, 5], [5, 6]], {7: 1}
        mask = forbidden.copy()
        for members in apart:
            mask[np.ix_(members, members)] = True
        best = best_grouping(cost, [(4, 4)] * 2, 0, mask, parties, pins.items())
        wishes = dict(size=4, forbidden=forbidden, apart=apart, parties=parties, pins=pins)
        if best is None:
            impossible += 1
            with pytest.raises(pairgroup.NoGrouping) as caught:
                pairgroup.group(cost, **wishes)
            assert caught.value.is_proven and caught.value.group
            continue
        found = pairgroup.group(cost, **wishes)
        check(found, cost, [(4, 4)] * 2)
        assert found.is_proven and found.cost == best
        assert found.labels[7] == 1 and len(set(found.labels[[0, 5, 6]])) == 1
        with pytest.raises(pairgroup.VerifyError, match="must not be together"):
            found.verify(cost, forbidden=~np.eye(8, dtype=bool))
    assert 0 < impossible < 20


def test_infinite_costs_keep_apart(rng):
    cost = symmetric(rng, 8, dtype=np.float64)
    cost[0, 1:5] = cost[1:5, 0] = np.inf
    found = pairgroup.group(cost, size=4)
    assert found.groups[0] == [0, 5, 6, 7]
    assert pairgroup.group(-cost, size=4, maximise=True).groups == found.groups
    with pytest.raises(ValueError, match="players 0 and 1 is NaN"):
        pairgroup.group(-cost, size=4)


def test_the_checker_refuses_groups_that_cost_something_else(rng):
    cost = symmetric(rng, 12)
    found = pairgroup.group(cost, size=4)
    first, second = found.groups[0][:2]
    changed = cost.copy()
    changed[first, second] = changed[second, first] = cost[first, second] + 1
    with pytest.raises(pairgroup.VerifyError, match="do not cost"):
        found.verify(changed)
    with pytest.raises(pairgroup.VerifyError, match="number type"):
        found.verify(cost + 0.5)
    with pytest.raises(ValueError):
        found.verify(forbidden=changed > 0)


def test_the_checker_takes_matrices_of_narrower_numbers(rng):
    # Pairings were checked against these, and groups were refused.
    cost = symmetric(rng, 6).astype(np.int64)
    as_function = pairgroup.group(lambda team: int(cost[np.ix_(team, team)].sum()) // 2, players=6, dtype=int, size=3)
    for grouping, narrower in (
        (pairgroup.group(cost, size=3), (np.int16, np.int32)),
        (as_function, (np.int16, np.int32, np.int64)),
        (pairgroup.group(cost.astype(float), size=3), (np.int16, np.int32, np.float32)),
    ):
        for dtype in narrower:
            grouping.verify(cost.astype(dtype))
            with pytest.raises(pairgroup.VerifyError):
                grouping.verify((cost + 1).astype(dtype))
    with pytest.raises(pairgroup.VerifyError, match="number type"):
        pairgroup.group(cost.astype(np.int32), size=3).verify(cost)


def test_work_is_reproducible_whatever_the_threads(rng):
    cost = symmetric(rng, 60, dtype=np.float64)
    answers = [pairgroup.group(cost, size=5, work=300_000, seed=7, walks=4, threads=threads) for threads in (1, 2, 3, None)]
    for answer in answers:
        check(answer, cost, [(5, 5)] * 12)
        assert answer.groups == answers[0].groups and answer.work == answers[0].work
        assert not answer.is_proven and answer.seed == 7
    rich = pairgroup.group(cost, size=5, work=3_000_000, seed=7)
    assert rich.cost <= answers[0].cost * 1.02


def test_a_start_and_a_target(rng):
    cost = symmetric(rng, 40)
    first = pairgroup.group(cost, size=4, work=1_000_000)
    after = pairgroup.group(cost, size=4, work=1_000, start=first.groups)
    assert after.cost <= first.cost
    for target in (first.cost + 1000, first.cost + 1000.5):
        easy = pairgroup.group(cost, size=4, target=target)
        assert easy.cost <= target and "target" in easy.stop
    most = pairgroup.group(cost, size=4, work=1_000_000, maximise=True)
    easy = pairgroup.group(cost, size=4, maximise=True, target=most.cost - 1000.5)
    assert easy.cost >= most.cost - 1000.5 and "target" in easy.stop
    assert "target" in pairgroup.group(cost, size=4, target=float("inf")).stop


def test_time_ends_a_search(rng):
    found = pairgroup.group(symmetric(rng, 200), size=5, seconds=0.3)
    assert found.seconds < 5 and "time" in found.stop


def units_of(n: int, parties) -> list[list[int]]:
    """Parties that have a member in common are one; a player in none is one by himself."""
    name = list(range(n))
    for party in parties:
        joined = {name[player] for player in party}
        name = [min(joined) if one in joined else one for one in name]
    return [[player for player in range(n) if name[player] == one] for one in sorted(set(name))]


def exchanges_with_others(found: pairgroup.Grouping, player: int, units, pins, bench: int):
    """Each exchange that is to be looked at: who leaves, who comes, and where to, -1 being the bench."""
    labels = found.labels
    at = {place: [unit for unit in units if labels[unit[0]] == place] for place in [*range(len(found)), -1]}
    mine = next(unit for unit in units if player in unit)
    here = labels[player]
    is_movable = lambda unit: not any(one in pins for one in unit)  # noqa: E731

    def sets(of, size):
        for count in range(1, len(of) + 1):
            for some in itertools.combinations(of, count):
                if sum(map(len, some)) == size:
                    yield list(some)

    for to in at:
        if to == here or (to == -1 and not bench):
            continue
        yield [mine], [], to
        for other in at[to]:
            yield [mine], [other], to
        if not is_movable(mine):
            continue
        for some in sets([unit for unit in at[to] if is_movable(unit) and len(unit) < len(mine)], len(mine)):
            yield [mine], some, to
        others = [unit for unit in at[here] if unit != mine and is_movable(unit)]
        for larger in at[to]:
            if is_movable(larger) and len(larger) > len(mine):
                for some in sets(others, len(larger) - len(mine)):
                    yield [mine, *some], [larger], to


def check_explanation(found: pairgroup.Grouping, cost, player, bounds, bench, forbidden, parties, pins, maximise) -> set:
    """Every exchange anew: who may, and by how much the total changes. Returns what was in the way, and signs of changes."""
    n, labels = len(cost), found.labels
    upper = np.triu(np.ones((n, n), bool), 1)

    def together(labels):
        return (labels[:, None] == labels) & (labels >= 0) & upper

    def total(labels):
        return cost[together(labels)].astype(object).sum()

    told = found.explain(player)
    units = units_of(n, parties)
    assert told.player == player and told.party in units and player in told.party
    assert told.group == (None if labels[player] < 0 else labels[player])
    mates = [] if told.group is None else found.groups[told.group]
    assert told.pairs == {other: cost[player, other].item() for other in mates if other != player}
    within = sum(cost[pair].item() for pair in itertools.combinations(mates, 2))
    assert told.cost == (pytest.approx(within) if cost.dtype.kind == "f" else within)
    assert told.left_out == 0
    expected = sorted(
        (sorted(leave), sorted(come), to) for leave, come, to in exchanges_with_others(found, player, units, pins, bench)
    )
    place = lambda group: -1 if group is None else group  # noqa: E731
    assert sorted((sorted(one.leave), sorted(one.come), place(one.to)) for one in told.exchanges) == expected
    seen = set()
    for one in told.exchanges:
        assert one.leave[0] == told.party and place(one.origin) == labels[player]
        after = labels.copy()
        after[sum(one.leave, [])] = place(one.to)
        after[sum(one.come, [])] = labels[player]
        sizes = [(after == group).sum() for group in range(len(bounds))]
        wrong = set()
        if any(not least <= size <= most for size, (least, most) in zip(sizes, bounds)):
            wrong.add("members")
        if (after == -1).sum() > bench:
            wrong.add("wait")
        if any(after[pinned] != group for pinned, group in pins.items()):
            wrong.add("pinned")
        if forbidden is not None and (forbidden & together(after)).any():
            wrong.add("must not be together")
        assert (one.reason is None) == (one.change is not None) == (not wrong)
        if wrong:
            assert any(word in one.reason for word in wrong)
            seen |= wrong
        else:
            change = total(after) - total(labels)
            assert one.change == (pytest.approx(change, abs=1e-4) if cost.dtype.kind == "f" else change)
            seen.add("better" if (change > 0 if maximise else change < 0) else "worse")
    changes = [one.change for one in told.exchanges if one.change is not None]
    assert changes == sorted(changes, reverse=maximise)
    assert all(one.change is None for one in told.exchanges[len(changes) :])
    return seen


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.float32, np.float64])
@pytest.mark.parametrize("maximise", [False, True])
def test_explanations_against_each_exchange_anew(rng, dtype, maximise):
    shapes = [
        (dict(size=4), [(4, 4)] * 5, 0),
        (dict(count=4), [(5, 5)] * 4, 0),
        (dict(bounds=[(3, 6)] * 4, bench=4), [(3, 6)] * 4, 4),
        (dict(sizes=[2, 8, 8], bench=2), [(2, 2), (8, 8), (8, 8)], 2),
    ]
    seen, larger = set(), 0
    for at in range(16):
        shape, bounds, bench = shapes[at % 4]
        cost = symmetric(rng, 20, -20, 60, dtype)
        forbidden = symmetric_mask(rng, 20, 0.03) if at % 3 else None
        parties = [[0, 1], [1, 2], [4, 5], [6, 9]] if at % 2 else []
        pins = {3: 1, 10: 0} if at % 5 else {}
        wishes = dict(forbidden=forbidden, parties=parties, pins=pins, maximise=maximise)
        try:
            found = pairgroup.group(cost, work=200, seed=at, **shape, **wishes)
        except pairgroup.NoGrouping:
            continue
        for player in range(20):
            seen |= check_explanation(found, cost, player, bounds, bench, forbidden, parties, pins, maximise)
            larger += any(len(one.leave) > 1 or len(one.come) > 1 for one in found.explain(player).exchanges)
    assert seen == {"members", "wait", "pinned", "must not be together", "better", "worse"} and larger > 20


def test_of_a_proven_best_grouping_no_exchange_is_better(rng):
    for maximise in (False, True):
        cost = symmetric(rng, 9)
        found = pairgroup.group(cost, size=3, maximise=maximise)
        assert found.is_proven
        for player in range(9):
            changes = [one.change for one in found.explain(player).exchanges if one.change is not None]
            assert changes and all(change <= 0 if maximise else change >= 0 for change in changes)


def test_explanations_are_plain_data_and_exact(rng):
    greatest = np.iinfo(np.int64).max
    cost = np.full((4, 4), greatest)
    cost[0, 1] = cost[1, 0] = cost[2, 3] = cost[3, 2] = -greatest
    for maximise, way in ((False, 1), (True, -1)):
        why = pairgroup.group(way * cost, size=2, maximise=maximise).explain(0)
        assert why.pairs == {1: -greatest * way} and why.cost == -greatest * way
        assert [one.change for one in why.exchanges] == [4 * greatest * way] * 2 + [None]
        assert pickle.loads(pickle.dumps(why)) == why
        assert json.loads(json.dumps(why._asdict()))["exchanges"][-1][-1].startswith("group 0 has 1 members")


def test_very_many_exchanges_are_left_out(rng):
    cost = symmetric(rng, 60)
    found = pairgroup.group(cost, size=20, parties=[list(range(10))], work=1000)
    why = found.explain(0)
    assert why.left_out > 1000 and len(why.exchanges) < 1000
