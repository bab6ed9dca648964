"""Groups with a proof, against trying everything."""

from __future__ import annotations

import itertools
import os
import pickle
import subprocess
import sys
import textwrap
from typing import Any, Iterator, Optional

import numpy as np
import pytest
from conftest import symmetric, symmetric_mask

import pairgroup
from pairgroup import ExactGrouping, NoGrouping, VerifyError, group_exactly

TYPES = [np.int32, np.int64, np.float32, np.float64]


def castings(members: list[int], roles: dict[str, Any]) -> Iterator[dict[int, str]]:
    """Everybody who can play some role plays one of those he can, and each is played by as many as it wants."""
    who = [player for player in members if any(player in can for _, _, can in roles.values())]
    for played in itertools.product(*([name for name, of in roles.items() if player in of[2]] for player in who)):
        counts = {name: played.count(name) for name in roles}
        if all(least <= counts[name] <= (len(members) if most is None else most) for name, (least, most, _) in roles.items()):
            yield dict(zip(who, played))


def best_total(
    cost: Any, n: int, bounds: list, *, bench=0, waiting=None, forbidden=None, parties=(), pins=(), roles=None, maximise=False
) -> Optional[Any]:
    """The best total of all ways to place everybody, None where none is allowed. `cost` is of a list of members."""
    best = None
    price = [0] * n if waiting is None else waiting
    for place in itertools.product(range(len(bounds) + (bench > 0)), repeat=n):
        members = [[player for player in range(n) if place[player] == at] for at in range(len(bounds) + 1)]
        if any(not least <= len(group) <= most for group, (least, most) in zip(members, bounds)) or len(members[-1]) > bench:
            continue
        if any(place[player] != at for player, at in pins) or any(len({place[p] for p in party}) > 1 for party in parties):
            continue
        groups = members[: len(bounds)]
        if forbidden is not None and any(forbidden[u, v] for group in groups for u, v in itertools.combinations(group, 2)):
            continue
        if roles and any(group and next(castings(group, roles), None) is None for group in groups):
            continue
        total = sum(cost(group) for group in groups) + sum(price[player] for player in members[-1])
        if abs(total) < np.inf and (best is None or (total > best if maximise else total < best)):
            best = total
    return best


def of_pairs(cost: np.ndarray) -> Any:
    return lambda group: sum(cost[pair].item() for pair in itertools.combinations(group, 2))


def check(found: ExactGrouping, of_group: Any, n: int, bounds: list, bench: int = 0, waiting: Any = None) -> None:
    found.verify()
    assert sorted(player for group in [*found.groups, found.bench] for player in group) == list(range(n))
    assert len(found) == len(bounds) and len(found.bench) <= bench and list(found) == found.groups
    assert all(least <= len(group) <= most for group, (least, most) in zip(found.groups, bounds))
    labels = found.labels
    assert all((labels[group] == at).all() for at, group in enumerate(found.groups)) and (labels[found.bench] == -1).all()
    prices = [0] * n if waiting is None else waiting
    total = sum(map(of_group, found.groups)) + sum(prices[player] for player in found.bench)
    assert found.cost == pytest.approx(total)
    assert found.is_optimal and found.status == "optimal" and found.reason is None
    assert found.bound == found.cost and found.gap == 0 and found.seconds >= 0


SHAPES: list = [
    (6, dict(size=3), [(3, 3)] * 2, 0),
    (8, dict(size=3), [(3, 3)] * 2, 2),
    (8, dict(size=2), [(2, 2)] * 4, 0),
    (8, dict(count=3), [(2, 3)] * 3, 0),
    (7, dict(sizes=[2, 5]), [(2, 2), (5, 5)], 0),
    (8, dict(bounds=[(1, 4), (3, 6)], bench=1), [(1, 4), (3, 6)], 1),
    (7, dict(bounds=[(0, 3)] * 3), [(0, 3)] * 3, 0),
]


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("maximise", [False, True])
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: str(shape[1]))
def test_small_problems_against_all_groupings(rng, dtype, maximise, shape):
    n, given, bounds, bench = shape
    cost = symmetric(rng, n, -40, 60, dtype)
    if np.dtype(dtype).kind == "f":
        # On a grid that leaves room for totals.
        cost = (np.rint(cost * 16) / 16).astype(dtype)
    waiting = rng.integers(-5, 30, n).tolist() if bench else None
    found = group_exactly(cost, maximise=maximise, waiting=waiting, **given)
    check(found, of_pairs(cost), n, bounds, bench, waiting)
    best = best_total(of_pairs(cost), n, bounds, bench=bench, waiting=waiting, maximise=maximise)
    assert found.cost == best and isinstance(found.cost, int if np.dtype(dtype).kind == "i" else float)
    found.verify(cost)
    with pytest.raises(VerifyError):
        found.verify(cost + np.ones(1, dtype))


def test_wishes_against_all_groupings(rng):
    impossible = 0
    for _ in range(25):
        cost = symmetric(rng, 8)
        mask = symmetric_mask(rng, 8, 0.1)
        apart, parties, pins = [[0, 1], [2, 3]], [[0, 5], [5, 6]], {7: 1}
        roles = {"healer": (1, 1, rng.permutation(8)[:4].tolist()), "tank": (0, 2, rng.permutation(8)[:5].tolist())}
        both = mask.copy()
        for members in apart:
            both[np.ix_(members, members)] = True
        wishes: dict[str, Any] = dict(forbidden=mask, apart=apart, parties=parties, pins=pins, roles=roles)
        best = best_total(
            of_pairs(cost), 8, [(4, 4)] * 2, forbidden=both, parties=parties, pins=pins.items(), roles=roles
        )
        if best is None:
            impossible += 1
            with pytest.raises(NoGrouping, match="there is no grouping") as caught:
                group_exactly(cost, size=4, **wishes)
            assert caught.value.is_proven and set(caught.value.group) <= set(range(8))
            continue
        found = group_exactly(cost, size=4, **wishes)
        check(found, of_pairs(cost), 8, [(4, 4)] * 2)
        assert found.cost == best and found.labels[7] == 1 and len(set(found.labels[[0, 5, 6]])) == 1
        for group in found.groups:
            assert {player: role for player, role in found.roles.items() if player in group} in castings(group, roles)
        with pytest.raises(VerifyError, match="must not be together"):
            found.verify(cost, forbidden=~np.eye(8, dtype=bool))
    assert 0 < impossible < 25


@pytest.mark.parametrize("dtype", [int, float])
@pytest.mark.parametrize("maximise", [False, True])
def test_functions_against_all_groupings(rng, dtype, maximise):
    skill = rng.integers(0, 50, 8).tolist()
    never = -np.inf if maximise else np.inf

    def cost(team):
        if len(team) > 1 and skill[team[0]] % 7 == skill[team[-1]] % 7:
            return never
        return dtype(max(skill[player] for player in team) - min(skill[player] for player in team) + team[0])

    best = best_total(cost, 8, [(4, 4)] * 2, waiting=None, maximise=maximise)
    if best is None:
        with pytest.raises(NoGrouping):
            group_exactly(cost, players=8, dtype=dtype, size=4, maximise=maximise)
        return
    found = group_exactly(cost, players=8, dtype=dtype, size=4, maximise=maximise)
    check(found, cost, 8, [(4, 4)] * 2)
    assert found.cost == best
    found.verify(cost)
    with pytest.raises(VerifyError):
        found.verify(lambda team: 1)


def test_groups_that_stay_empty_cost_nothing():
    # Unlike those of `group`, whose function is asked about nobody: so it was said of both.
    def cost(team):
        assert team, "nobody was asked about"
        return len(team) ** 2

    found = group_exactly(cost, players=4, dtype=int, bounds=[(0, 4), (4, 4)])
    assert (found.groups, found.cost, found.bound) == ([[], [0, 1, 2, 3]], 16, 16)
    found.verify()


def test_what_a_function_raises_comes_out_as_it_is():
    def cost(team):
        if team == [1, 2]:
            raise LookupError("no such team")
        return 1

    with pytest.raises(LookupError, match="no such team"):
        group_exactly(cost, players=6, size=2)


@pytest.mark.parametrize("limit", [{"work": 1}, {"seconds": 0}])
def test_limits_leave_groups_and_a_bound(rng, limit):
    cost = symmetric(rng, 60, 1, 1000)
    found = group_exactly(cost, size=5, **limit)
    found.verify()
    assert found.status == "feasible" and not found.is_optimal and found.reason is not None
    assert found.bound is None or found.bound < found.cost
    assert found.gap > 0
    best = group_exactly(-cost, size=5, maximise=True, **limit)
    assert best.bound is None or best.bound > best.cost


def test_more_work_is_never_worse_than_its_start(rng):
    cost = symmetric(rng, 24, 1, 1000)
    begin = [list(range(at, at + 4)) for at in range(0, 24, 4)]
    total = sum(map(of_pairs(cost), begin))
    found = group_exactly(cost, size=4, start=begin, work=1)
    assert found.cost <= total
    proven = group_exactly(cost, size=4)
    assert proven.is_optimal and group_exactly(cost, size=4, start=proven.groups, work=1).cost == proven.cost
    assert group_exactly(cost, size=4, work=200_000).groups == group_exactly(cost, size=4, work=200_000).groups


def test_who_plays_what_is_looked_at(rng):
    roles = {"healer": (1, 1, [0, 1, 2, 3]), "tank": (1, None, [2, 3, 4, 5])}
    found = group_exactly(symmetric(rng, 7), size=3, bench=1, roles=roles)
    found.verify()
    played, members, waits = found.roles, found.groups[0], found.bench[0]
    healer = next(player for player in members if played.get(player) == "healer")
    only = next(player for player in played if player not in (2, 3))
    for forged, text in (
        ({**played, waits: "healer"}, "and is in no group"),
        ({player: role for player, role in played.items() if player != healer}, f"player {healer} plays nothing"),
        ({**played, only: "tank" if only < 2 else "healer"}, f"player {only} plays '[a-z]*', and cannot"),
        ({**played, healer: "sage"}, f"player {healer} plays 'sage', and cannot"),
    ):
        found._roles = forged
        with pytest.raises(VerifyError, match=text):
            found.verify()
    # Whoever can play both plays the other one.
    both = group_exactly(symmetric(rng, 4), size=2, roles={"a": (1, 1, range(4)), "b": (1, 1, range(4))})
    both.verify()
    both._roles = dict.fromkeys(range(4), "a")
    with pytest.raises(VerifyError, match="in group 0 2 play 'a'; there should be 1 to 1"):
        both.verify()


@pytest.mark.parametrize("dtype", TYPES)
def test_proofs_go_to_other_processes(rng, dtype):
    cost = symmetric(rng, 9, dtype=dtype)
    cost = cost if np.dtype(dtype).kind == "i" else np.rint(cost).astype(dtype)
    for found in (
        group_exactly(cost, size=3, roles={"any": (1, None, [0, 1, 2, 3])}),
        group_exactly(cost, size=2, bench=1, waiting=3, maximise=True),
        group_exactly(cost, size=3, work=0),
    ):
        again = pickle.loads(pickle.dumps(found))
        assert (again.groups, again.bench, again.cost, again.bound, again.roles, again.status, repr(again)) == (
            found.groups, found.bench, found.cost, found.bound, found.roles, found.status, repr(found),
        )  # fmt: skip
        again.verify(cost)
        with pytest.raises(VerifyError, match="without its input"):
            again.verify()
        with pytest.raises(VerifyError):
            again.verify(cost + np.ones(1, dtype))
    number, data, negated = found._proven.__reduce__()[1]
    refused = 0
    for at in range(len(data)):
        damaged = data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
        try:
            forged = type(found._proven).restored(number, damaged, negated)
            found._partition.verify(forged)
        except ValueError:
            refused += 1
    assert refused > len(data) // 2


def test_floats_beyond_the_grid_are_not_called_best(rng):
    cost = symmetric(rng, 9).astype(float) * np.pi
    found = group_exactly(cost, size=3)
    found.verify()
    assert not found.is_optimal and found.reason == "costs were rounded" and found.gap < 1e-6


GOOD = symmetric(np.random.default_rng(0), 4)


@pytest.mark.parametrize(
    "options, error, text",
    [
        ({}, ValueError, "nothing was given"),
        ({"size": 2, "count": 2}, ValueError, "size and count"),
        ({"size": 5}, ValueError, "5"),
        ({"size": 2, "parties": [[0, 1, 2]]}, ValueError, "0, 1, 2 stay together and are 3"),
        ({"size": 2, "parties": [[0, 0]]}, ValueError, "twice"),
        ({"size": 2, "pins": {0: 2}}, ValueError, "group 2"),
        ({"size": 2, "pins": {4: 0}}, ValueError, "player 4"),
        ({"size": 2, "pins": {0: 0, 1: 0, 2: 0}}, ValueError, "group 0"),
        ({"size": 2, "seed": -1}, ValueError, "seed is -1"),
        ({"size": 2, "seconds": -1}, ValueError, "seconds is -1"),
        ({"size": 2, "start": [[0, 1], [2]]}, ValueError, "group"),
        ({"size": 2, "start": [[0, 1], [2, 9]]}, ValueError, "9"),
        ({"size": 2, "roles": 7}, TypeError, "roles is 7"),
        ({"size": 2, "roles": {7: (1, 1, [0])}}, TypeError, "the name of a role is 7"),
        ({"size": 2, "roles": {"x": 1}}, ValueError, "role 'x' is 1"),
        ({"size": 2, "roles": {"x": (2, 1, [0])}}, ValueError, "the least number of role 'x' is 2, and the greatest 1; give .least, most"),
        ({"size": 2, "roles": {"x": (-1, 1, [0])}}, ValueError, "the least number of role 'x' is -1"),
        ({"size": 2, "roles": {"x": (1, 0.5, [0])}}, TypeError, "the greatest number of role 'x' is 0.5"),
        ({"size": 2, "roles": {"x": (1, 1, 3)}}, TypeError, "the players of role 'x' is 3"),
        ({"size": 2, "roles": {"x": (1, 1, [4])}}, ValueError, "player 4"),
        ({"size": 2, "roles": {"x": (1, 1, [1, 1])}}, ValueError, "player 1 appears twice"),
        ({"size": 2, "roles": {str(at): (0, None, [0]) for at in range(9)}}, ValueError, "8 roles"),
        ({"size": 2, "roles": {"x": (1, 1, [0])}}, NoGrouping, "role x"),
        ({"size": 2, "waiting": "x"}, TypeError, "waiting"),
        ({"size": 2, "waiting": [1, 2, 3]}, ValueError, "waiting has the shape"),
        ({"size": 2, "waiting": np.nan}, ValueError, "waiting of node 0 is nan"),
        ({"size": 2, "waiting": 0.5}, ValueError, "waiting of node 0 is 0.5, and costs are integers"),
        ({"size": 2, "forbidden": np.ones((4, 4), bool)}, NoGrouping, "there is no grouping"),
    ],
)
def test_what_is_wrong_is_named(options, error, text):
    with pytest.raises(error, match=text):
        group_exactly(GOOD, **options)


def test_costs_that_are_wrong():
    lopsided = GOOD.copy()
    lopsided[0, 1] += 1
    for cost, text in [(GOOD[:3], "3 rows"), (lopsided, r"\(0, 1\)"), (np.zeros((0, 0)), "nobody"), (GOOD * 2**40, "51 bits")]:
        with pytest.raises(ValueError, match=text):
            group_exactly(cost, size=2)
    nan = GOOD.astype(float)
    nan[1, 2] = nan[2, 1] = np.nan
    with pytest.raises(ValueError, match="players 1 and 2 is NaN"):
        group_exactly(nan, size=2)


@pytest.mark.skipif(os.name != "posix", reason="signals are sent as on POSIX")
@pytest.mark.parametrize("cost", ["matrix + matrix.T", "lambda team: float(sum(matrix[u, v] for u in team for v in team))"])
def test_ctrl_c_ends_a_proof(cost):
    code = f"""
    import os, signal, threading, time
    import numpy as np
    import pairgroup

    matrix = np.random.default_rng(0).integers(0, 1000, (90, 90))
    threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT)).start()
    began = time.perf_counter()
    try:
        pairgroup.group_exactly({cost}, size=6, players={'90' if 'lambda' in cost else None})
    except KeyboardInterrupt:
        print("interrupted", time.perf_counter() - began)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=100)
    words = done.stdout.split()
    assert words[:1] == ["interrupted"] and float(words[1]) < 10, done
