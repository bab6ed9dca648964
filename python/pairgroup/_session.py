"""A pool that is solved again and again while players come and go."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Optional

import numpy as np
from numpy.typing import ArrayLike

from . import _engine, _input
from ._pairing import Pairing, Prices, _no_matching, _reread_matrix


class Session:
    """A pool of players that is solved again and again while they come and go, each time from where the last solve ended.

    Every answer is what :func:`pair` would find for the pool as it is then (where there are several best ones, perhaps
    another one), with its proof; after a few changes it comes sooner. Costs are integers. Players are known by their
    numbers, from 0; when one is removed, the last one takes its number.

    >>> import numpy as np, pairgroup
    >>> rating = np.array([1510, 1180, 1495, 1250])
    >>> queue = pairgroup.Session(abs(rating[:, None] - rating), alone=30)  # Who finds nobody near waits, at 30.
    >>> pairing = queue.solve()
    >>> pairing.pairs, pairing.alone
    ([(0, 2)], [1, 3])

    Those who play leave, the last of them first, and somebody comes. Who has waited finds it dearer:

    >>> for player in sorted((0, 2), reverse=True):
    ...     moved = queue.remove(player)
    ...     rating[player] = rating[-1]
    ...     rating = rating[:-1]
    >>> queue.set_prices({player: 90 for player in range(len(queue))})
    >>> rating = np.append(rating, 1400)
    >>> queue.add(abs(rating[:-1] - rating[-1]))
    2
    >>> pairing = queue.solve()
    >>> pairing.pairs, pairing.alone, pairing.cost
    ([(0, 1)], [2], 100)

    Args:
        cost: The costs of those who are there at the beginning, as for :func:`pair`, of integers; nobody if not given.
        forbidden: As for :func:`pair`.
        maximise: Ask for the greatest total in place of the least.
        alone: Anybody may stay alone, at this price, as for :func:`pair`. One for all is that of newcomers, too.
        bye: Of an odd number exactly one stays alone, at this price, likewise.

    Without ``alone`` and ``bye`` everybody has to be paired.

    The costs are kept here, in 5 bytes an entry of the matrix (13 where they reach over more than 27 bits), with room for
    twice as many rows and columns once newcomers need some. An answer keeps the pool as it was solved: as long as there is
    one (and its ``verify()`` and ``explain()``), the first change after it makes a copy.

    One call at a time: a session that is at work in another thread refuses further calls with RuntimeError. After Ctrl-C it
    can be solved again.

    Raises:
        ValueError: Something is wrong with what was given: the message names the place, and what would be right.
        TypeError: Costs are no integers.
    """

    __slots__ = ("_is_maximum", "_pool", "_price", "_prices")

    def __init__(
        self,
        cost: Optional[ArrayLike] = None,
        *,
        forbidden: Optional[ArrayLike] = None,
        maximise: bool = False,
        alone: Optional[Prices] = None,
        bye: Optional[Prices] = None,
    ) -> None:
        if alone is not None and bye is not None:
            raise ValueError("alone and bye were both given: either anybody may stay alone, or one of an odd number")
        if cost is None and forbidden is not None:
            raise ValueError("forbidden was given without a cost; give both")
        self._is_maximum = bool(maximise)
        #: What prices are called, and that of newcomers where there is one for all.
        self._prices = "alone" if alone is not None else "bye" if bye is not None else None
        self._price: Optional[int] = None
        array, mask = _input.matrix(np.zeros((0, 0), np.int64) if cost is None else cost, forbidden)
        prices = None
        if self._prices is not None:
            prices = self._read_prices(alone if alone is not None else bye, len(array))
        self._pool = _engine.Pool(
            _integers(array), mask, maximise=self._is_maximum, kind=self._prices, prices=prices
        )

    def add(self, cost: ArrayLike, *, forbidden: Optional[ArrayLike] = None, price: Optional[int] = None) -> int:
        """Adds a player, and returns its number, which is the number of players before.

        Args:
            cost: What it costs with each of those who are there, in their order. Masked entries are forbidden.
            forbidden: Which of these pairs are forbidden, an array of booleans.
            price: What it costs if it stays alone; not needed where there is one price for all.
        """
        row, mask = _row(cost, forbidden)
        if self._prices is None:
            if price is not None:
                raise ValueError("a price was given, and this session has none; make one with alone= or bye=")
            return self._pool.add(row, mask)
        if price is None and self._price is None:
            raise ValueError(f"this session has a price of its own for each player, by {self._prices}=; give price=")
        one = self._price if price is None else _number(price, "price")
        assert one is not None
        return self._pool.add(row, mask, one)

    def remove(self, player: int) -> Optional[int]:
        """Removes a player; the last one takes its number. Returns the number that this one had, None where it was the last
        one itself. (Of several, remove those with the highest numbers first.)"""
        return self._pool.remove(_input.whole(player, "player", 0))

    def set_pair(self, i: int, j: int, cost: Optional[int]) -> None:
        """Sets what two players cost; None forbids the pair."""
        one, other = _input.whole(i, "player", 0), _input.whole(j, "player", 0)
        self._pool.set_pair(one, other, None if cost is None else _number(cost, "cost"))

    def set_row(self, player: int, cost: ArrayLike, *, forbidden: Optional[ArrayLike] = None) -> None:
        """Sets what a player costs with each one, in their order; what stands for itself is not read.

        Args:
            player: The player.
            cost: The costs. Masked entries are forbidden.
            forbidden: Which of these pairs are forbidden, an array of booleans.
        """
        self._pool.set_row(_input.whole(player, "player", 0), *_row(cost, forbidden))

    def set_prices(self, prices: Prices) -> None:
        """Sets what players cost who stay alone: one price for all, and for newcomers; one for each, in their order; or those
        of some, by a mapping."""
        if self._prices is None:
            raise ValueError("this session has no prices; make one with alone= or bye=")
        if isinstance(prices, Mapping):
            some = [_input.whole(player, "player", 0) for player in prices]
            numbers = [_number(price, f"the price of player {player!r}") for player, price in prices.items()]
            self._pool.set_prices(np.array(some, np.int64), np.array(numbers, np.int64))
            return
        players = len(self)
        before = self._price
        try:
            self._pool.set_prices(np.arange(players, dtype=np.int64), self._read_prices(prices, players))
        except BaseException:
            self._price = before
            raise

    @property
    def prices(self) -> Optional[np.ndarray]:
        """What each player costs who stays alone; None in a session without prices."""
        return self._pool.prices()

    def matrix(self) -> np.ma.MaskedArray:
        """A copy of the costs as they are now, where forbidden pairs are masked: ``pair(session.matrix())`` asks the same
        from scratch, but for prices."""
        costs, forbidden = self._pool.costs()
        return np.ma.MaskedArray(costs, forbidden)

    def solve(
        self, *, seconds: Optional[float] = None, work: Optional[int] = None, threads: Optional[int] = None
    ) -> Pairing:
        """The best pairing of the pool as it is now, with its proof.

        After a few changes that takes about one look at all pairs and one search for each change; twice that, where anybody
        may stay alone.

        Args:
            seconds: Stop after so much time: what was found so far is returned, see :attr:`Pairing.status`.
            work: The same, in units that are the same on every machine.
            threads: As for :func:`pair`.

        Raises:
            NoPerfectMatching: There is none, with the reason as attributes.
            KeyboardInterrupt: Ctrl-C, within a moment.
        """
        seconds, work = _input.limits(seconds, work)
        threads = _input.threads(threads, len(self), True)
        instance, found = self._pool.solve(seconds=seconds, work=work, threads=threads)
        nodes, sense = range(len(instance)), (self._is_maximum, self._is_maximum)
        if isinstance(found, _engine.Witness):
            raise _no_matching(instance, found, nodes, "min_perfect" if self._prices is None else "min_bye")

        def again(cost: Any, *, forbidden: Any = None) -> _engine.Instance:
            return _reread_matrix(sense, _input.INT64, cost, forbidden=forbidden)

        return Pairing(found, instance, nodes, again)

    def __len__(self) -> int:
        """The number of players."""
        return len(self._pool)

    def __repr__(self) -> str:
        prices = "" if self._prices is None else f", {self._prices} at a price"
        return f"<Session: {len(self)} players{prices}>"

    def _read_prices(self, given: Any, players: int) -> np.ndarray:
        """One for each player; one for all is kept for newcomers."""
        assert self._prices is not None
        prices, dtype = _input.prices(given, self._prices, range(players), _input.INT64)
        if np.ndim(given) == 0 and not isinstance(given, Mapping):
            self._price = _number(given, self._prices)
        return _integers(prices)


def _number(given: Any, what: str) -> int:
    """An integer of 64 bits with a sign."""
    array = _input.numbers(given, what)
    if array.ndim:
        raise ValueError(f"{what} has the shape {array.shape}; give one number")
    if array.dtype.kind == "f":
        if not np.isfinite(array) or array != np.floor(array) or abs(array) >= 2.0**63:
            raise ValueError(f"{what} is {array}; a session takes integers of at most 64 bits")
    return int(array)


def _integers(array: np.ndarray) -> np.ndarray:
    if array.dtype.kind == "f" and array.size:
        raise TypeError(
            f"the cost is of type {array.dtype}, and a session takes integers; scale and round floats, such as by "
            "np.rint(1000 * cost).astype(int)"
        )
    return np.ascontiguousarray(array, _input.INT64)


def _row(cost: Any, forbidden: Any) -> tuple[np.ndarray, Optional[np.ndarray]]:
    """What one player costs with each other one, and which of these pairs are forbidden."""
    mask = np.ma.getmaskarray(cost) if isinstance(cost, np.ma.MaskedArray) else None
    array = _integers(_input.numbers(cost.data if mask is not None else cost, "the cost"))
    if array.ndim != 1:
        raise ValueError(f"the cost has the shape {array.shape}; give one number for each player")
    if forbidden is not None:
        given = np.asarray(forbidden)
        if given.dtype != np.bool_ and given.size:
            raise TypeError(f"forbidden is of type {given.dtype}; give booleans, True where a pair is forbidden")
        if given.shape != array.shape:
            raise ValueError(f"forbidden has the shape {given.shape}; give that of the cost, {array.shape}")
        given = given.astype(bool)
        mask = given if mask is None else given | mask
    return array, None if mask is None else np.ascontiguousarray(mask)
