"""Groups against trying everything."""

from __future__ import annotations

import itertools
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
