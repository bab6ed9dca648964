"""A pool that changes between solves, against solves from scratch."""

from __future__ import annotations

import itertools
import os
import threading
import time

import networkx
import numpy as np
import pytest
from conftest import best_total, symmetric, symmetric_mask
from test_running import HEAD, run

import pairgroup

KINDS = [None, "alone", "bye"]


class Mirror:
    """The pool as numpy has it: what a session is told is done here as well."""

    def __init__(self, rng, players, kind, maximise, spread, unit=1):
        self.rng, self.kind, self.maximise, self.spread, self.unit = rng, kind, maximise, spread, unit
        self.cost = symmetric(rng, players, -spread, spread) * unit
        self.forbidden = symmetric_mask(rng, players, 0.1)
        self.prices = rng.integers(-spread // 2, spread, players) * unit
        options = {} if kind is None else {kind: self.prices.tolist()}
        self.session = pairgroup.Session(self.cost, forbidden=self.forbidden, maximise=maximise, **options)

    def entries(self, players):
        share = self.rng.choice([0, 0.2])
        return self.rng.integers(-self.spread, self.spread, players) * self.unit, self.rng.random(players) < share

    def number(self, low):
        return int(self.rng.integers(low, self.spread)) * self.unit

    def write(self, player, row, mask):
        self.cost[player], self.cost[:, player] = row, row
        self.forbidden[player], self.forbidden[:, player] = mask, mask
        self.cost[player, player] = self.forbidden[player, player] = 0

    def add(self):
        n = len(self.cost)
        row, mask = self.entries(n)
        price = self.number(-self.spread)
        options = {} if self.kind is None else {"price": price}
        if self.rng.random() < 0.5:
            number = self.session.add(np.ma.MaskedArray(row, mask), **options)
        else:
            number = self.session.add(row.tolist(), forbidden=mask, **options)
        assert number == n
        self.cost = np.pad(self.cost, (0, 1))
        self.forbidden = np.pad(self.forbidden, (0, 1))
        self.prices = np.append(self.prices, price)
        self.write(n, np.append(row, 0), np.append(mask, False))

    def add_many(self):
        n, newcomers = len(self.cost), int(self.rng.integers(0, 5))
        cost, mask = np.pad(self.cost, (0, newcomers)), np.pad(self.forbidden, (0, newcomers))
        for player in range(n, n + newcomers):
            row, never = self.entries(player)
            cost[player, :player] = cost[:player, player] = row
            mask[player, :player] = mask[:player, player] = never
        prices = np.array([self.number(-self.spread) for _ in range(newcomers)], self.cost.dtype)
        options = {} if self.kind is None else {"prices": prices}
        rows = cost[n:].copy()
        rows[np.arange(newcomers), n + np.arange(newcomers)] = 99  # What is not read.
        if self.rng.random() < 0.5:
            numbers = self.session.add_many(np.ma.MaskedArray(rows, mask[n:]), **options)
        else:
            numbers = self.session.add_many(rows.tolist() if newcomers else rows, forbidden=mask[n:], **options)
        assert numbers == range(n, n + newcomers)
        self.cost, self.forbidden, self.prices = cost, mask, np.append(self.prices, prices)

    def remove(self):
        n = len(self.cost)
        player = int(self.rng.integers(n))
        moved = self.session.remove(player)
        assert moved == (None if player == n - 1 else n - 1)
        keep = np.arange(n - 1)
        if moved is not None:
            keep[player] = n - 1
        self.cost = self.cost[np.ix_(keep, keep)]
        self.forbidden = self.forbidden[np.ix_(keep, keep)]
        self.prices = self.prices[keep]

    def set_pair(self):
        i, j = self.rng.choice(len(self.cost), 2, replace=False)
        cost = None if self.rng.random() < 0.2 else self.number(-self.spread)
        self.session.set_pair(i, j, cost)
        self.forbidden[i, j] = self.forbidden[j, i] = cost is None
        self.cost[i, j] = self.cost[j, i] = cost or 0

    def set_row(self):
        player = int(self.rng.integers(len(self.cost)))
        row, mask = self.entries(len(self.cost))
        self.session.set_row(player, row, forbidden=mask)
        self.write(player, row, mask)

    def set_prices(self):
        n = len(self.cost)
        way = self.rng.integers(3)
        if way == 0:
            some = {int(player): self.number(0) for player in self.rng.choice(n, n // 3)}
            self.session.set_prices(some)
            self.prices[list(some)] = list(some.values())
        else:
            prices = self.rng.integers(-self.spread, self.spread, n) * self.unit if way == 1 else np.full(n, 7, self.cost.dtype)
            self.session.set_prices(prices if way == 1 else 7)
            self.prices = prices.copy()

    def change(self):
        ways = [self.add, self.add_many, self.remove, self.remove, self.set_pair, self.set_pair, self.set_row]
        if self.kind is not None:
            ways.append(self.set_prices)
        way = self.rng.integers(len(ways))
        (self.add if len(self.cost) < 3 else ways[way])()

    def from_scratch(self):
        options = {} if self.kind is None else {self.kind: self.prices}
        return pairgroup.pair(self.cost, forbidden=self.forbidden, maximise=self.maximise, **options)


def check(mirror: Mirror) -> bool:
    """That a solve is as good as one from scratch, and proven; returns whether there is a pairing."""
    try:
        expected = mirror.from_scratch()
    except pairgroup.NoPerfectMatching:
        with pytest.raises(pairgroup.NoPerfectMatching) as caught:
            mirror.session.solve()
        caught.value.verify()
        return False
    found = mirror.session.solve()
    assert found.is_optimal and found.cost == expected.cost == found.bound
    assert (found.weights == [mirror.cost[pair] for pair in found.pairs]).all()
    found.verify()
    found.verify(mirror.cost, forbidden=mirror.forbidden)
    return True


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("maximise", [False, True])
@pytest.mark.parametrize(("players", "unit"), [(0, 1), (8, 1), (40, 1), (210, 1), (0, 0.1), (8, 0.1), (40, 2**-30), (210, 2**-30)])
def test_thousands_of_changes_against_solves_from_scratch(rng, kind, maximise, players, unit):
    """After each one, or after some: hundreds of solves of every kind, with as many from scratch and twice as many checks."""
    solves = 400 if players < 200 else 60
    mirror = Mirror(rng, players, kind, maximise, 50 if players < 40 else 10**6, unit)
    found = 0
    for _ in range(solves):
        for _ in range(rng.choice([1, 1, 1, 4])):
            mirror.change()
        found += check(mirror)
        assert len(mirror.session) == len(mirror.cost)
    assert found == solves if kind == "alone" else 0 < found
    matrix = mirror.session.matrix()
    assert (matrix.mask == mirror.forbidden).all() and (matrix.data[~mirror.forbidden] == mirror.cost[~mirror.forbidden]).all()
    prices = mirror.session.prices
    assert prices is None if kind is None else (prices == mirror.prices).all()


@pytest.mark.parametrize("unit", [1, 2**-5])
def test_small_pools_against_all_matchings(rng, unit):
    for at in range(60):
        kind = KINDS[at % 3]
        mirror = Mirror(rng, 4 + at % 4, kind, at % 2 == 1, 30, unit)
        for _ in range(3):
            mirror.change()
            options = {} if kind is None else {kind: mirror.prices.tolist()}
            best = best_total(mirror.cost, mirror.forbidden, maximise=mirror.maximise, **options)
            assert check(mirror) == (best is not None)
            assert best is None or mirror.session.solve().cost == best


@pytest.mark.parametrize("kind", [None, "alone"])
def test_pools_of_floats_against_networkx(rng, kind):
    """Networkx adds floats up as they come. Who stays alone at a price is worth twice that less to a pair."""
    queue = pairgroup.Session(np.zeros((0, 0)), **({} if kind is None else {kind: 0.35}))
    place = rng.random((0, 2))
    for at in range(30):
        if at % 3 == 2:
            for player in sorted(rng.choice(len(place), 2, replace=False).tolist(), reverse=True):
                queue.remove(player)
                place[player] = place[-1]
                place = place[:-1]
        else:
            newcomers = rng.random((2, 2)) * (1, 1e-3)
            everybody = np.concatenate([place, newcomers])
            queue.add_many(np.linalg.norm(everybody - newcomers[:, np.newaxis], axis=2).round(9))
            place = everybody
        gap = np.linalg.norm(place - place[:, np.newaxis], axis=2).round(9)
        graph = networkx.Graph()
        graph.add_nodes_from(range(len(place)))
        edges = itertools.combinations(range(len(place)), 2)
        graph.add_weighted_edges_from((u, v, gap[u, v] if kind is None else 0.7 - gap[u, v]) for u, v in edges)
        answer = queue.solve()
        answer.verify()
        answer.verify(gap)
        if kind is None:
            total = sum(gap[pair] for pair in networkx.min_weight_matching(graph))
        else:
            pairs = networkx.max_weight_matching(graph)
            total = sum(gap[pair] for pair in pairs) + 0.35 * (len(place) - 2 * len(pairs))
        assert answer.cost == pytest.approx(total, abs=1e-9) and isinstance(answer.cost, float)
        assert answer.weights.dtype == np.float64 and answer.engine


def test_a_grid_follows_the_finest_digits_and_the_greatest_costs():
    """Costs move to another grid when one needs it, and stay as exact as they were."""
    queue = pairgroup.Session(np.ones((4, 4)), alone=[1.0] * 4)
    for cost, total in [(0.5, 1.5), (2.0**-61, 1 + 2.0**-61), (-3, -2), (2.0**-40, 1 + 2.0**-40)]:
        queue.set_pair(0, 1, cost)
        answer = queue.solve()
        answer.verify(queue.matrix())
        assert answer.cost == total and queue.matrix()[0, 1] == cost and queue.prices.tolist() == [1.0] * 4
    # 2**-61 is gone, so that there is room above; 2**-40 is not.
    queue.set_prices(2.0**22 - 1)
    assert queue.solve().cost == 1 + 2.0**-40
    with pytest.raises(pairgroup.PrecisionError, match=r"from 2\*\*-40 to 2\*\*24, over 64 binary digits.*np.rint"):
        queue.set_pair(2, 3, 2.0**23)
    with pytest.raises(pairgroup.PrecisionError):
        queue.add([1, 1, 1, 2.0**23])
    with pytest.raises(pairgroup.PrecisionError):
        queue.add_many(np.full((2, 6), 2.0**-60))
    with pytest.raises(pairgroup.PrecisionError):
        queue.set_prices({0: 2.0**23})
    with pytest.raises(pairgroup.PrecisionError):
        pairgroup.Session(np.array([[0, 1e-30], [1e-30, 0]]), alone=1)
    assert len(queue) == 4 and queue.solve().cost == 1 + 2.0**-40 and queue.prices.tolist() == [2.0**22 - 1] * 4
    queue.set_pair(0, 1, None)
    queue.set_pair(2, 3, 2.0**60)
    assert queue.matrix()[2, 3] == 2.0**60 and queue.solve().cost == 2
    everybody = pairgroup.Session(np.zeros((0, 0)))
    assert everybody.solve().cost == 0.0
    everybody.add_many([[0, 1e300], [1e300, 0]])
    assert everybody.solve().cost == 1e300
    # What is there counts until it is gone.
    with pytest.raises(pairgroup.PrecisionError):
        everybody.set_pair(0, 1, 1.5e-323)
    everybody.set_pair(0, 1, None)
    everybody.set_pair(0, 1, 1.5e-323)
    assert everybody.solve().cost == 1.5e-323


def test_all_floats_come_back_as_they_were():
    info = np.finfo(np.float64)
    for value in (0.1, -2.5, 1e300, info.tiny, 5e-324, 3, -0.0, info.max, -1e-320, info.max - 2.0**971):
        pool = pairgroup.Session(np.array([[0, value], [value, 0]]))
        answer = pool.solve()
        answer.verify()
        assert pool.matrix()[0, 1] == value == answer.cost == answer.weights[0]


def test_infinity_forbids_in_a_pool_of_floats():
    gap = np.array([[0, 1, np.inf, 2.5], [1, 0, 3, 4], [np.inf, 3, 0, np.inf], [2.5, 4, np.inf, 0]])
    queue = pairgroup.Session(gap)
    assert queue.solve().pairs == [(0, 3), (1, 2)] and queue.matrix().mask[0, 2]
    queue.set_pair(1, 2, np.inf)
    with pytest.raises(pairgroup.NoPerfectMatching) as caught:
        queue.solve()
    caught.value.verify()
    queue.set_row(2, [1, np.inf, 0, 0.25])
    answer = queue.solve()
    assert answer.cost == 1.25 and answer.pairs == [(0, 1), (2, 3)]
    why = answer.explain(0, 2)
    why.verify()
    assert why.cost == 1.0 and why.forced.change == 3.75
    most = pairgroup.Session(-gap, maximise=True)
    assert most.solve().cost == -5.5
    with pytest.raises(ValueError, match=r"pair \(0, 1\) is NaN, or infinite"):
        most.set_pair(0, 1, np.inf)
    with pytest.raises(ValueError, match=r"pair \(4, 1\) is NaN, or infinite"):
        most.add([1, np.nan, 1, 1])


def test_one_price_is_that_of_newcomers(rng):
    queue = pairgroup.Session(alone=30)
    assert queue.solve().pairs == [] and len(queue) == 0
    assert [queue.add([10] * at) for at in range(3)] == [0, 1, 2]
    assert queue.prices.tolist() == [30] * 3 and queue.solve().cost == 40
    queue.add([5, 5, 50], price=90)
    assert queue.prices.tolist() == [30, 30, 30, 90] and queue.solve().cost == 15
    queue.set_prices(4)
    assert queue.add([0] * 4) == 4 and queue.prices.tolist() == [4] * 5
    assert repr(queue) == "<Session: 5 players, alone at a price>"


def test_answers_are_about_the_pool_as_it_was(rng):
    mirror = Mirror(rng, 12, "alone", False, 100)
    before = mirror.session.matrix()
    first = mirror.session.solve()
    why = first.explain(0, 1)
    for _ in range(20):
        mirror.change()
        mirror.session.solve()
    first.verify()
    first.verify(before)
    why.verify()
    again = first.explain(0, 1)
    assert again.forbidden == why.forbidden and again.forced == why.forced
    lone = pairgroup.Session(symmetric(rng, 4), forbidden=~np.eye(4, dtype=bool))
    with pytest.raises(pairgroup.NoPerfectMatching) as caught:
        lone.solve()
    lone.set_row(0, [1, 1, 1, 1])
    lone.set_pair(2, 3, 5)
    assert lone.solve().cost == 6
    caught.value.verify()


def test_explanations_of_a_session_are_those_of_the_matrix(rng):
    mirror = Mirror(rng, 14, "alone", True, 100)
    mirror.change()
    for other in range(1, 5):
        one, two = (answer.explain(0, other) for answer in (mirror.session.solve(), mirror.from_scratch()))
        one.verify()
        assert one.cost == two.cost and one.forbidden.cost == two.forbidden.cost
        assert (one.forced and one.forced.cost) == (two.forced and two.forced.cost)


def test_extremes_of_64_bits():
    least, greatest = np.iinfo(np.int64).min, np.iinfo(np.int64).max
    pool = pairgroup.Session(np.full((4, 4), greatest))
    pool.set_pair(0, 1, least)
    assert pool.solve().cost == least + greatest
    pool.add([0, 0, 0, 0])
    pool.add([least] * 5)
    assert pool.solve().cost == 2 * least
    most = pairgroup.Session(np.full((4, 4), greatest), maximise=True)
    assert most.solve().cost == 2 * greatest and (most.matrix()[0, 1:] == greatest).all()
    for wrong in (lambda: most.set_pair(0, 1, least), lambda: most.add([least] * 4), lambda: most.set_row(0, [least] * 4)):
        with pytest.raises(ValueError, match=r"\(\d, \d\)"):
            wrong()
    assert len(most) == 4 and most.solve().cost == 2 * greatest


def test_limits_and_what_comes_after_them(rng):
    mirror = Mirror(rng, 300, "alone", False, 10**6)
    stopped = mirror.session.solve(work=1)
    stopped.verify()
    assert not stopped.is_optimal and "work" in stopped.reason
    assert "time" in mirror.session.solve(seconds=0).reason
    assert check(mirror)
    mirror.change()
    assert mirror.session.solve(threads=2).cost == mirror.from_scratch().cost


def test_bounds_and_parts_of_answers_may_be_beyond_all_floats():
    # The bound of a search that was stopped was refused, as a total is; and so was the total of what is left beside a forced pair.
    unit = 2.0**1023
    queue = pairgroup.Session(unit * np.array([[0, 0, 1], [0, 0, -1], [1, -1, 0]]), alone=[0, 0, -unit])
    stopped = queue.solve(work=0)
    stopped.verify()
    assert stopped.bound == -np.inf and stopped.cost in (-unit, 0.0)
    costs = np.zeros((6, 6))
    for i, j, cost in ((0, 1, -1.5), (2, 3, 1), (4, 5, 1)):
        costs[i, j] = costs[j, i] = cost * unit
    allowed = np.zeros((6, 6), bool)
    for i, j in ((0, 1), (2, 3), (4, 5), (0, 2), (1, 4), (3, 5)):
        allowed[i, j] = allowed[j, i] = True
    best = pairgroup.Session(costs, forbidden=~allowed).solve()
    why = best.explain(0, 1)
    why.verify()
    assert (best.cost, why.forced.cost, why.forced.change) == (0, unit / 2, unit / 2)


@pytest.mark.parametrize(
    ("what", "kind", "message"),
    [
        (lambda: pool().set_row(0, np.zeros(4)), TypeError, "float64, and a session takes integers where .* scale"),
        (lambda: pool().set_pair(0, 1, 0.5), ValueError, "cost is 0.5; a session takes integers"),
        (lambda: pool().add_many(np.zeros((1, 5))), TypeError, "the cost is of type float64, and a session takes integers"),
        (lambda: pool().add_many([1, 2, 3, 4, 5]), ValueError, r"the shape \(5,\); give a row for each newcomer"),
        (lambda: pool().add_many([[1, 2, 3, 4]]), ValueError, "4 entries; give one for each of 4 players and 1 newcomers"),
        (lambda: pool().add_many([[1] * 6, [1] * 4 + [2, 1]]), ValueError, r"\(4, 5\) and \(5, 4\) differ"),
        (lambda: pool().add_many([[1] * 5], prices=[1]), ValueError, "this session has none"),
        (lambda: pool(alone=[1, 2, 3, 4]).add_many([[1] * 5]), ValueError, "give prices="),
        (lambda: pool(alone=1).add_many([[1] * 5], prices=[1, 2]), ValueError, r"prices has the shape \(2,\)"),
        (lambda: pool(alone=1).add_many([[1] * 5], prices={4: 1}), TypeError, "newcomers have no numbers yet"),
        (lambda: pool(alone=1).add_many([[1] * 5], forbidden=[[True] * 4]), ValueError, r"forbidden has the shape \(1, 4\)"),
        (lambda: floats().add([1, 2, 3, 2**53 + 1]), ValueError, "is 9007199254740993, which is no float"),
        (lambda: floats(alone=1).set_prices(2**63 - 1), ValueError, "9223372036854775807, which is no float"),
        (lambda: floats(alone=1).set_prices({1: np.inf}), ValueError, "the price of player 1 is inf; give a finite number"),
        (lambda: floats(bye=[1, 2, np.nan, 4]), ValueError, "bye of node 2 is nan"),
        (lambda: floats().solve().verify(np.full((4, 4), 2.0)), pairgroup.VerifyError, "0, 1"),
        (lambda: pairgroup.Session(np.zeros((4, 3), int)), ValueError, "4 rows and 3 columns"),
        (lambda: pairgroup.Session([[0, 1], [2, 0]]), ValueError, "differ"),
        (lambda: pairgroup.Session([[0, 1], [1, 0]], alone=1, bye=1), ValueError, "alone and bye were both given"),
        (lambda: pairgroup.Session([[0, 1], [1, 0]], alone=[1, 2, 3]), ValueError, r"alone has the shape \(3,\)"),
        (lambda: pairgroup.Session([[0, 1], [1, 0]], alone=0.5), ValueError, "alone of node 0 is 0.5"),
        (lambda: pairgroup.Session(forbidden=[[False]]), ValueError, "without a cost"),
        (lambda: pool().add([1, 2]), ValueError, "the cost has 2 entries; give one for each of 4 players"),
        (lambda: pool().add([1, 2, 3, 4.5]), TypeError, "a session takes integers"),
        (lambda: pool().add([[1, 2, 3, 4]]), ValueError, r"the shape \(1, 4\)"),
        (lambda: pool().add([1, 2, 3, 4], price=3), ValueError, "this session has none"),
        (lambda: pool(alone=[1, 2, 3, 4]).add([1, 2, 3, 4]), ValueError, "give price="),
        (lambda: pool(alone=1).add([1, 2, 3, 4], price="much"), TypeError, "price"),
        (lambda: pool(alone=1).add([1, 2, 3, 4], price=1.5), ValueError, "price is 1.5; a session takes integers"),
        (lambda: pool(alone=1).add([1, 2, 3, 4], price=2**63), ValueError, "64 bits"),
        (lambda: pool().add([1, 2, 3, 4], forbidden=[0, 1, 0, 1]), TypeError, "give booleans"),
        (lambda: pool().add([1, 2, 3, 4], forbidden=[True]), ValueError, r"forbidden has the shape \(1,\)"),
        (lambda: pool().remove(4), ValueError, "player is 4; there are 4, numbered from 0"),
        (lambda: pool().remove(-1), ValueError, "player is -1"),
        (lambda: pool().remove("ann"), TypeError, "player is 'ann'"),
        (lambda: pool().set_pair(1, 1, 3), ValueError, r"\(1, 1\); give two different players"),
        (lambda: pool().set_pair(1, 4, 3), ValueError, "player is 4"),
        (lambda: pool().set_pair(1, 2, float("nan")), ValueError, "cost is nan"),
        (lambda: pool().set_row(4, [1, 2, 3, 4]), ValueError, "player is 4"),
        (lambda: pool().set_row(3, [1, 2, 3]), ValueError, "3 entries"),
        (lambda: pool().set_prices(3), ValueError, "this session has no prices"),
        (lambda: pool(bye=1).set_prices({4: 1}), ValueError, "player is 4"),
        (lambda: pool(bye=1).set_prices([1, 2]), ValueError, r"bye has the shape \(2,\)"),
        (lambda: pool(bye=1).set_prices({1: 0.5}), ValueError, "price of player 1 is 0.5"),
        (lambda: pool().solve(seconds=-1), ValueError, "seconds is -1"),
        (lambda: pool().solve(threads=0), ValueError, "threads is 0"),
        (lambda: pool().solve().verify(np.ones((3, 3), int)), pairgroup.VerifyError, "4"),
    ],
)
def test_refusals(what, kind, message):
    with pytest.raises(kind, match=message):
        what()


def pool(**options):
    return pairgroup.Session(np.ones((4, 4), int), **options)


def floats(**options):
    return pairgroup.Session(np.ones((4, 4)), **options)


def test_what_is_refused_changes_nothing():
    queue = pool(alone=1)
    for wrong in (
        lambda: queue.add([1, 2]),
        lambda: queue.add_many([[1] * 6, [1] * 5 + [np.iinfo(np.int64).max]], prices=[1, 2, 3]),
        lambda: queue.add_many([[1] * 6, [2] * 6]),
        lambda: queue.set_prices({0: 5, 9: 5}),
        lambda: queue.set_prices([1, 2]),
        lambda: queue.set_row(0, [1]),
    ):
        with pytest.raises(ValueError):
            wrong()
    assert len(queue) == 4 and queue.prices.tolist() == [1] * 4 and (queue.matrix()[0, 1:] == 1).all()


def test_a_session_at_work_refuses_calls_of_others():
    """And answers them again once it is done."""
    rng = np.random.default_rng(0)
    n = 2500
    queue = pairgroup.Session(symmetric(rng, n, 0, 10**9))
    done, refused = threading.Event(), 0

    def solve():
        try:
            while not done.is_set():
                try:
                    queue.solve(threads=1).verify()
                    done.set()
                except RuntimeError:
                    time.sleep(0.001)  # It came while the other thread had it.
        finally:
            done.set()

    working = threading.Thread(target=solve)
    working.start()
    while not done.is_set():
        try:
            queue.set_pair(0, 1, 5)
        except RuntimeError as error:
            assert "at work elsewhere" in str(error)
            refused += 1
        time.sleep(0.001)
    working.join()
    assert refused
    queue.remove(0)
    queue.remove(0)
    queue.solve().verify()


@pytest.mark.skipif(os.name != "posix", reason="signals are sent as on POSIX")
def test_ctrl_c_ends_a_solve_and_the_session_goes_on():
    done = run(
        HEAD
        + """
    rng = np.random.default_rng(0)
    cost = rng.integers(0, 10**9, (3000, 3000))
    cost = np.minimum(cost, cost.T)
    began = press_soon()
    try:
        while time.perf_counter() - began < 60:
            queue = pairgroup.Session(cost[:2000, :2000], alone=10**6)
            while len(queue) < 3000:
                queue.add(cost[len(queue), :len(queue)])
            queue.solve(threads=1)
    except KeyboardInterrupt:
        print("interrupted", time.perf_counter() - began)
    queue = pairgroup.Session(cost)
    threading.Timer(0.02, os.kill, (os.getpid(), signal.SIGINT)).start()
    try:
        queue.solve(threads=1)
        print("in time")
        time.sleep(1)
    except KeyboardInterrupt:
        print("interrupted", len(queue))
    pairing = queue.solve()
    pairing.verify()
    print(pairing.is_optimal)
    """,
        seconds=120,
    )
    words = done.stdout.split()
    assert words[0] == "interrupted" and float(words[1]) < 20 and words[-3:] == ["interrupted", "3000", "True"], done
