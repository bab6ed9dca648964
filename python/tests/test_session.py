"""A pool that changes between solves, against solves from scratch."""

from __future__ import annotations

import os
import threading
import time

import numpy as np
import pytest
from conftest import best_total, symmetric, symmetric_mask
from test_running import HEAD, run

import pairgroup

KINDS = [None, "alone", "bye"]


class Mirror:
    """The pool as numpy has it: what a session is told is done here as well."""

    def __init__(self, rng, players, kind, maximise, spread):
        self.rng, self.kind, self.maximise, self.spread = rng, kind, maximise, spread
        self.cost = symmetric(rng, players, -spread, spread)
        self.forbidden = symmetric_mask(rng, players, 0.1)
        self.prices = rng.integers(-spread // 2, spread, players)
        options = {} if kind is None else {kind: self.prices.tolist()}
        self.session = pairgroup.Session(self.cost, forbidden=self.forbidden, maximise=maximise, **options)

    def entries(self, players):
        share = self.rng.choice([0, 0.2])
        return self.rng.integers(-self.spread, self.spread, players), self.rng.random(players) < share

    def write(self, player, row, mask):
        self.cost[player], self.cost[:, player] = row, row
        self.forbidden[player], self.forbidden[:, player] = mask, mask
        self.cost[player, player] = self.forbidden[player, player] = 0

    def add(self):
        n = len(self.cost)
        row, mask = self.entries(n)
        price = int(self.rng.integers(-self.spread, self.spread))
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
        cost = None if self.rng.random() < 0.2 else int(self.rng.integers(-self.spread, self.spread))
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
            some = {int(player): int(self.rng.integers(self.spread)) for player in self.rng.choice(n, n // 3)}
            self.session.set_prices(some)
            self.prices[list(some)] = list(some.values())
        else:
            prices = self.rng.integers(-self.spread, self.spread, n) if way == 1 else np.full(n, 7)
            self.session.set_prices(prices if way == 1 else 7)
            self.prices = prices.copy()

    def change(self):
        ways = [self.add, self.remove, self.set_pair, self.set_pair, self.set_row]
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
@pytest.mark.parametrize("players", [0, 8, 40, 210])
def test_thousands_of_changes_against_solves_from_scratch(rng, kind, maximise, players):
    """After each one, or after some: hundreds of solves of every kind, with as many from scratch and twice as many checks."""
    solves = 400 if players < 200 else 60
    mirror = Mirror(rng, players, kind, maximise, 50 if players < 40 else 10**6)
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


def test_small_pools_against_all_matchings(rng):
    for at in range(60):
        kind = KINDS[at % 3]
        mirror = Mirror(rng, 4 + at % 4, kind, at % 2 == 1, 30)
        for _ in range(3):
            mirror.change()
            options = {} if kind is None else {kind: mirror.prices.tolist()}
            best = best_total(mirror.cost, mirror.forbidden, maximise=mirror.maximise, **options)
            assert check(mirror) == (best is not None)
            assert best is None or mirror.session.solve().cost == best


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


@pytest.mark.parametrize(
    ("what", "kind", "message"),
    [
        (lambda: pairgroup.Session(np.zeros((4, 4))), TypeError, "float64, and a session takes integers; scale"),
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


def test_what_is_refused_changes_nothing():
    queue = pool(alone=1)
    for wrong in (
        lambda: queue.add([1, 2]),
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
