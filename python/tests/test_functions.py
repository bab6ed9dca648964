"""Groups that cost what a function says, against matrices and against trying everything."""

from __future__ import annotations

import gc
import itertools
import math
import os
import threading
import time
import weakref

import numpy as np
import pytest
from conftest import symmetric, symmetric_mask
from test_grouping import best_grouping, placings
from test_running import HEAD, run

import pairgroup


def pairwise(cost):
    """What the pairs of a group cost, and a check of how it is asked."""

    def function(members):
        assert type(members) is list and all(type(player) is int for player in members)
        assert members == sorted(set(members))
        total = cost.dtype.type(0).item()
        # One by one, as the engine adds: `sum` of floats may be nearer to the truth.
        for pair in itertools.combinations(members, 2):
            total += cost[pair].item()
        return total

    return function


def table(seed, low, high):
    """A number for each set of players that has nothing to do with pairs."""

    def function(members):
        mixed = seed
        for player in members:
            mixed = (mixed * 6364136223846793005 + player + 1442695040888963407) % 2**64
            mixed ^= mixed >> 29
        return low + mixed % (high - low)

    return function


@pytest.mark.parametrize("dtype", [int, float])
@pytest.mark.parametrize("maximise", [False, True])
def test_pairs_as_a_function_are_pairs(rng, dtype, maximise):
    """The same best groups where all are tried; and each of the two counts what the other one has found."""
    shapes = [
        (6, dict(size=3), [(3, 3)] * 2, 0),
        (8, dict(count=3), [(2, 3)] * 3, 0),
        (7, dict(sizes=[2, 5]), [(2, 2), (5, 5)], 0),
        (8, dict(bounds=[(0, 4), (3, 6)], bench=1), [(0, 4), (3, 6)], 1),
    ]
    for n, shape, bounds, bench in shapes:
        cost = symmetric(rng, n, -40, 60, np.dtype(dtype))
        forbidden = symmetric_mask(rng, n, 0.05)
        options = dict(maximise=maximise, forbidden=forbidden, **shape)
        best = best_grouping(cost, bounds, bench, forbidden, maximise=maximise)
        if best is None:
            with pytest.raises(pairgroup.NoGrouping) as caught:
                pairgroup.group(pairwise(cost), players=n, dtype=dtype, **options)
            assert caught.value.is_proven
            continue
        found = pairgroup.group(pairwise(cost), players=n, dtype=dtype, **options)
        assert found.is_proven and found.cost == (best if dtype is int else pytest.approx(best))
        assert type(found.cost) is dtype
        found.verify()
    for seed in range(3):
        cost = symmetric(rng, 30, -40, 60, np.dtype(dtype))
        function = pairwise(cost)
        options = dict(size=5, maximise=maximise, seed=seed, work=2000)
        by_function = pairgroup.group(function, players=30, dtype=dtype, **options)
        by_pairs = pairgroup.group(cost, **options)
        by_function.verify()
        by_function.verify(cost)
        by_pairs.verify(function)
        by_pairs.verify(cost)
        for found in (by_function, by_pairs):
            total = sum(map(function, found.groups))
            assert found.cost == (total if dtype is int else pytest.approx(total))
        changed = cost.copy()
        i, j = by_pairs.groups[0][:2]
        changed[i, j] += 1
        changed[j, i] += 1
        with pytest.raises(pairgroup.VerifyError):
            by_pairs.verify(pairwise(changed))


@pytest.mark.parametrize("dtype", [int, float])
@pytest.mark.parametrize("maximise", [False, True])
def test_any_function_against_all_groupings(rng, dtype, maximise):
    better = max if maximise else min
    never = -math.inf if maximise else math.inf
    impossible = 0
    for at in range(24):
        count = table(at, -50, 50)
        # One group in ten is forbidden, or all are of one size.
        refuses = table(at + 1000, 0, 10)
        if at % 6 == 5:
            refuses = lambda members: len(members) % 2  # noqa: E731
        function = lambda members: never if refuses(members) == 0 else dtype(count(members))  # noqa: E731, B023
        n, bounds, bench = [(7, [(2, 4)] * 3, 0), (7, [(0, 4), (2, 7)], 2), (8, [(4, 4)] * 2, 0)][at % 3]
        parties, pins = ([[0, 3]], {5: 1}) if at % 2 else ([], {})
        totals = []
        for place in placings(n, len(bounds) + (bench > 0)):
            groups = [[player for player in range(n) if place[player] == group] for group in range(len(bounds) + 1)]
            if (
                all(least <= len(group) <= most for group, (least, most) in zip(groups, bounds))
                and len(groups[-1]) <= bench
                and all(place[player] == group for player, group in pins.items())
                and all(len({place[player] for player in party}) == 1 for party in parties)
            ):
                costs = [function(group) for group in groups[: len(bounds)]]
                if never not in costs:
                    totals.append(sum(costs))
        options = dict(players=n, dtype=dtype, bounds=bounds, bench=bench, parties=parties, pins=pins, maximise=maximise)
        if not totals:
            impossible += 1
            with pytest.raises(pairgroup.NoGrouping) as caught:
                pairgroup.group(function, **options)
            assert caught.value.is_proven
            continue
        found = pairgroup.group(function, **options)
        found.verify()
        assert found.is_proven and found.cost == better(totals) == sum(map(function, found.groups))
    assert 0 < impossible < 12


def test_explanations_ask_the_function(rng):
    function = table(1, -50, 50)
    for maximise in (False, True):
        found = pairgroup.group(function, players=20, dtype=int, size=4, bench=0, maximise=maximise, work=500)
        for player in range(20):
            why = found.explain(player)
            assert why.pairs == {} and why.cost == function(found.groups[why.group]) and len(why.exchanges) == 20
            for one in why.exchanges:
                if one.change is None:
                    assert "members" in one.reason
                    continue
                before = [found.groups[one.origin], found.groups[one.to]]
                leave, come = sum(one.leave, []), sum(one.come, [])
                after = [
                    sorted({*before[0], *come}.difference(leave)),
                    sorted({*before[1], *leave}.difference(come)),
                ]
                assert one.change == sum(map(function, after)) - sum(map(function, before))
        two = found.explain(0, 1)
        assert two.cost is None and two.obstacle is None and two.exchanges


def test_who_is_apart_is_never_asked_about(rng):
    forbidden = symmetric_mask(rng, 12, 0.1)

    def function(members):
        assert not forbidden[np.ix_(members, members)].any() and not {0, 1} <= set(members)
        return len(members)

    found = pairgroup.group(function, players=12, size=3, forbidden=forbidden, apart=[[0, 1]], work=3000)
    found.verify()
    assert found.cost == 12 and found.labels[0] != found.labels[1]
    with pytest.raises(pairgroup.VerifyError, match="the cost forbids group 0"):
        found.verify(lambda members: 3, forbidden=~np.eye(12, dtype=bool))


def test_a_seed_and_work_say_all(rng):
    function = table(7, 0, 1000)
    options = dict(players=40, dtype=int, size=5, work=4000, walks=3)
    found = [pairgroup.group(function, seed=seed, threads=threads, **options) for seed in (1, 1, 2) for threads in (1, 2)]
    assert len({str(one.groups) for one in found[:4]}) == 1 and found[0].groups != found[4].groups
    assert found[4].groups == found[5].groups and found[0].work == found[1].work
    better = pairgroup.group(function, start=found[0].groups, seed=3, **options)
    assert better.cost <= found[0].cost
    easy = pairgroup.group(function, target=found[0].cost + 100, seed=1, **options)
    assert easy.cost <= found[0].cost + 100 and easy.work <= found[0].work


class Oops(Exception):
    pass


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("after", [1, 2, 30, 3000])
def test_what_a_function_raises_comes_out_as_it_is(after, threads):
    raised = []

    def function(members):
        calls[0] += 1
        if calls[0] >= after:
            raised.append(Oops(members))
            raise raised[-1]
        return calls[0] % 7

    for work in (
        lambda: pairgroup.group(function, players=60, size=5, work=10**9, threads=threads, walks=threads),
        lambda: pairgroup.group(function, players=10, size=5),
    ):
        calls, raised[:] = [0], []
        if after == 3000 and work.__code__.co_consts.count(60) == 0:
            continue  # So many groups of ten there are not.
        began = time.perf_counter()
        with pytest.raises(Oops) as caught:
            work()
        assert caught.value is raised[0] and time.perf_counter() - began < 20
        assert any(entry.name == "function" for entry in caught.traceback)
        assert len(raised) <= threads


def test_checks_and_explanations_raise_as_well():
    is_angry = False

    def function(members):
        if is_angry:
            raise Oops(members)
        return len(members)

    found = pairgroup.group(function, players=30, size=5, work=100)
    is_angry = True
    for work in (found.verify, lambda: found.explain(0), lambda: found.explain(0, 1)):
        with pytest.raises(Oops):
            work()
    is_angry = False
    found.verify()
    # Not the same for the same players.
    calls = itertools.count()
    with pytest.raises(pairgroup.VerifyError):
        pairgroup.group(lambda _: next(calls), players=30, size=5, work=100).verify()


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, StopIteration, MemoryError])
def test_errors_of_every_kind_pass(error):
    def function(members):
        raise error("mine")

    with pytest.raises(error, match="mine"):
        pairgroup.group(function, players=6, size=3)


@pytest.mark.parametrize(
    ("value", "options", "kind", "message"),
    [
        (math.nan, {}, ValueError, r"the cost of the group \[\d, \d, \d\] is NaN; give a finite number .* or inf to forbid"),
        (np.float32("nan"), {}, ValueError, r"is NaN"),
        (-math.inf, {}, ValueError, r"is -inf; give a finite number .* or inf to forbid"),
        (math.inf, dict(maximise=True), ValueError, r"is inf; give a finite number .* or -inf to forbid"),
        (None, {}, TypeError, r"the cost of the group \[\d, \d, \d\] is None; give a number, or inf to forbid the group"),
        ("much", {}, TypeError, r"is 'much'; give a number"),
        (1j, {}, TypeError, r"is 1j; give a number"),
        ([1], {}, TypeError, r"is \[1\]; give a number"),
        (10**400, {}, ValueError, r"is 10+; give a number"),
        (1.0, dict(dtype=int), TypeError, r"is 1.0; give an integer of at most 64 bits, as dtype=int says, or inf to forbid"),
        (math.nan, dict(dtype=int), TypeError, r"is nan; give an integer"),
        (-math.inf, dict(dtype=int), TypeError, r"is -inf; give an integer"),
        (2**63, dict(dtype=int), ValueError, r"is 9223372036854775808; give an integer of at most 64 bits"),
        (-(2**63), dict(dtype=int, maximise=True), ValueError, r"is -9223372036854775808; .* whose sign can change"),
    ],
)
@pytest.mark.parametrize("players", [6, 60])
def test_values_that_are_no_costs(value, options, kind, message, players):
    if players == 60:
        message = message.replace(r"\[\d, \d, \d\]", r"\[\d+, \d+, \d+\]")
    with pytest.raises(kind, match=message):
        pairgroup.group(lambda members: value, players=players, size=3, **options)


@pytest.mark.parametrize(
    ("value", "dtype"),
    [(3, float), (True, float), (np.int8(3), float), (np.float32(0.5), float), (np.float64(0.5), float), (3, int)]
    + [(np.int64(3), int), (np.uint8(3), int), (2**63 - 1, int), (-(2**63), int), (1e300, float)],
)
def test_values_of_every_kind(value, dtype):
    found = pairgroup.group(lambda members: value, players=6, dtype=dtype, size=3)
    found.verify()
    assert found.cost == 2 * dtype(value) and type(found.cost) is dtype


def test_everything_is_forbidden():
    with pytest.raises(pairgroup.NoGrouping) as caught:
        pairgroup.group(lambda members: math.inf, players=6, size=3)
    assert caught.value.is_proven and len(caught.value.group) == 3
    with pytest.raises(pairgroup.NoGrouping) as caught:
        pairgroup.group(lambda members: math.inf, players=60, dtype=int, size=3, work=1000)
    assert not caught.value.is_proven


@pytest.mark.parametrize(
    ("cost", "options", "kind", "message"),
    [
        (len, {}, ValueError, "does not say of how many players; give players="),
        (len, dict(players=0), ValueError, "players is 0"),
        (len, dict(players=2**40), ValueError, "players is 1099511627776; there may be fewer"),
        (len, dict(players="six"), TypeError, "players is 'six'"),
        (len, dict(players=6, dtype=np.int32), ValueError, "give float, or int"),
        (len, dict(players=7), ValueError, "7"),
        (len, dict(players=6, forbidden=np.zeros((3, 3), bool)), ValueError, r"give that of the cost, \(6, 6\)"),
        (len, dict(players=6, forbidden=np.zeros((6, 6))), TypeError, "matrix of booleans"),
        (len, dict(players=6, forbidden=np.triu(np.ones((6, 6), bool), 1)), ValueError, r"only one of \(0, 1\) and \(1, 0\)"),
        (len, dict(players=6, apart=[[0, 6]]), ValueError, "apart names player 6"),
        (len, dict(players=6, parties=[[0, 6]]), ValueError, "6"),
        (len, dict(players=6, seconds=-1), ValueError, "seconds is -1"),
        (np.zeros((6, 6)), dict(players=6), ValueError, "players was given with a matrix"),
        (np.zeros((6, 6)), dict(dtype=int), ValueError, "dtype was given with a matrix"),
    ],
)
def test_refusals(cost, options, kind, message):
    if options.get("players") == 7:
        options = dict(options, sizes=[3, 3])
    else:
        options = dict(options, size=3)
    with pytest.raises(kind, match=message):
        pairgroup.group(cost, **options)


def test_a_function_may_do_what_it_likes():
    """With the list that it is given, and with this package."""

    def function(members):
        inner = pairgroup.group(lambda some: sum(some) % 5, players=6, size=3).cost if members[0] == 0 else 0
        total = sum(members) % 7 + inner + pairgroup.pair(np.ones((2, 2))).cost
        members.clear()
        return total

    found = pairgroup.group(function, players=12, size=4, work=300)
    found.verify()
    assert sorted(sum(found.groups, [])) == list(range(12))


def test_a_function_may_recurse_as_deep_as_python_lets_it():
    def deep(members):
        return deep(members) + 1

    with pytest.raises(RecursionError):
        pairgroup.group(deep, players=40, size=4)


def test_a_function_that_knows_its_groups_is_collected():
    class Team:
        def __init__(self):
            self.found = pairgroup.group(self.cost, players=8, size=4)

        def cost(self, members):
            return len(members)

    team = Team()
    gone = weakref.ref(team)
    del team
    gc.collect()
    assert gone() is None


def test_other_threads_run_while_a_function_is_asked():
    searching = threading.Thread(
        target=pairgroup.group, args=(len,), kwargs={"players": 100, "size": 5, "seconds": 1.0, "threads": 1}
    )
    began = time.perf_counter()
    searching.start()
    looks = 0
    while searching.is_alive():
        looks += 1
        time.sleep(0.01)
    assert time.perf_counter() - began > 0.5 and looks > 10


@pytest.mark.skipif(os.name != "posix", reason="signals are sent as on POSIX")
@pytest.mark.parametrize("function", ["len", "lambda members: time.sleep(0.01) or 1", "lambda members: math.fsum(members)"])
def test_ctrl_c_ends_a_search_that_asks_a_function(function):
    done = run(
        HEAD
        + f"""
    import math
    began = press_soon()
    try:
        pairgroup.group({function}, players=100, size=5, seconds=50)
    except KeyboardInterrupt:
        print("interrupted", time.perf_counter() - began)
    found = pairgroup.group(len, players=3000, size=1500, work=0)
    began = press_soon()
    try:
        while time.perf_counter() - began < 50:
            found.explain(0)
            found.verify(lambda members: time.sleep(0.2) or len(members))
    except KeyboardInterrupt:
        print("interrupted", time.perf_counter() - began)
    print(len(pairgroup.group(len, players=100, size=5, work=1000)))
    """
    )
    words = done.stdout.split()
    assert words[0] == words[2] == "interrupted" and words[4:] == ["20"] and not done.stderr, done
    assert 0.4 < float(words[1]) < 5 and 0.4 < float(words[3]) < 5, done
