"""A pool that is solved again and again while players come and go."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Optional, Union

import numpy as np
from numpy.typing import ArrayLike

from . import _engine, _input
from ._pairing import Pairing, Prices, _no_matching, _reread_matrix


class Session:
    """A pool of players that is solved again and again while they come and go, each time from where the last solve ended.

    Every answer is what :func:`pair` would find for the pool as it is then (where there are several best ones, perhaps
    another one), with its proof; after a few changes it comes sooner. Players are known by their numbers, from 0; when one
    is removed, the last one takes its number.

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

    Many come at once by :meth:`add_many`. Costs may be floats as well, if the first ones are:

    >>> hours = pairgroup.Session(np.zeros((0, 0)), alone=0.5)
    >>> hours.add_many([[0, 0.1, 0.7], [0.1, 0, 0.3], [0.7, 0.3, 0]])
    range(0, 3)
    >>> hours.solve().cost, hours.prices.tolist()
    (0.6, [0.5, 0.5, 0.5])

    Args:
        cost: The costs of those who are there at the beginning, as for :func:`pair`. They say whether all costs and prices are
            integers or floats. Nobody if not given; costs are integers then, unless prices are floats.
        forbidden: As for :func:`pair`.
        maximise: Ask for the greatest total in place of the least.
        alone: Anybody may stay alone, at this price, as for :func:`pair`. One for all is that of newcomers, too.
        bye: Of an odd number exactly one stays alone, at this price, likewise.

    Without ``alone`` and ``bye`` everybody has to be paired.

    Floats are exact, on a binary grid: that of the finest of all binary digits that there have been so far, which may be up to
    63 places below the first digit of the greatest (about 10 more than those of one float). A finer one, or one that is too
    great for the grid, makes all costs move to another grid, and the next solve begin from nothing; where 63 places do not reach,
    :class:`PrecisionError` says so, and nothing changes. Beyond some 45 places, of a thousand players (one more for half as many),
    sums need 128 bits, and every solve begins from nothing: floats as they come have more. Who rounds costs to a grid, such as
    by ``np.rint(cost * 2**20) / 2**20``, sees none of that, and has answers as soon as of integers.

    The costs are kept here, in 5 bytes an entry of the matrix (13 where they reach over more than 27 bits), with room for
    twice as many rows and columns once newcomers need some. An answer keeps the pool as it was solved: as long as there is
    one (and its ``verify()`` and ``explain()``), the first change after it makes a copy.

    One call at a time: a session that is at work in another thread refuses further calls with RuntimeError. After Ctrl-C it
    can be solved again.

    Raises:
        ValueError: Something is wrong with what was given: the message names the place, and what would be right.
        TypeError: Costs are no numbers of these types; or floats, where they were integers at the beginning.
        PrecisionError: Floats reach over too many binary digits.
    """

    __slots__ = ("_dtype", "_is_maximum", "_pool", "_price", "_prices")

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
        self._price: Union[None, int, float] = None
        given = alone if alone is not None else bye
        if cost is None:
            is_float = given is not None and not isinstance(given, Mapping) and np.asarray(given).dtype.kind == "f"
            cost = np.zeros((0, 0), np.float64 if is_float else np.int64)
        array, mask = _input.matrix(cost, forbidden)
        #: The number type of all costs and prices.
        self._dtype = _input.FLOAT64 if array.dtype.kind == "f" else _input.INT64
        prices = None if self._prices is None else self._read_prices(given, len(array))
        self._pool = _engine.Pool(
            self._typed(array, "the cost"), mask, maximise=self._is_maximum, kind=self._prices, prices=prices
        )

    def add(
        self, cost: ArrayLike, *, forbidden: Optional[ArrayLike] = None, price: Union[None, int, float] = None
    ) -> int:
        """Adds a player, and returns its number, which is the number of players before.

        Args:
            cost: What it costs with each of those who are there, in their order. Masked entries are forbidden.
            forbidden: Which of these pairs are forbidden, an array of booleans.
            price: What it costs if it stays alone; not needed where there is one price for all.
        """
        row, mask = self._row(cost, forbidden)
        self._check_priced(price)
        prices = self._prices_of(None if price is None else self._number(price, "price"), 1, "price")
        players = len(self)
        if len(row) != players:
            raise ValueError(f"the cost has {len(row)} entries; give one for each of {players} players")
        return self._pool.add(_with_itself(row), None if mask is None else _with_itself(mask), prices)

    def add_many(
        self, cost: ArrayLike, *, forbidden: Optional[ArrayLike] = None, prices: Optional[Prices] = None
    ) -> range:
        """Adds some players at once, and returns their numbers. Nobody comes if something is wrong with one of them.

        Args:
            cost: A row for each newcomer: what it costs with each of those who are there, in their order, and then with each of
                the newcomers, in theirs; what stands for itself is not read. What two newcomers cost stands twice, therefore.
                Masked entries are forbidden.
            forbidden: Which of these pairs are forbidden, booleans in the same shape.
            prices: What they cost if they stay alone: one price for all of them, or one for each in a sequence; not needed
                where there is one price for all.
        """
        players = len(self)
        array, mask = _some(cost, forbidden, lambda shape: _itself(shape, players))
        if array.ndim != 2:
            raise ValueError(f"the cost has the shape {array.shape}; give a row for each newcomer")
        newcomers = len(array)
        if not newcomers:
            return range(players, players)
        if array.shape[1] != players + newcomers:
            raise ValueError(
                f"rows of newcomers have {array.shape[1]} entries; give one for each of {players} players and {newcomers} newcomers"
            )
        self._check_priced(prices)
        given = None
        if prices is not None:
            if isinstance(prices, Mapping):
                raise TypeError("prices is a mapping; newcomers have no numbers yet, so give one price, or one for each in order")
            given, _ = _input.prices(prices, "prices", range(newcomers), self._dtype)
            given = self._typed(given, "prices")
        typed = self._typed(array, "the cost")
        first = self._pool.add(typed, mask, self._prices_of(given, newcomers, "prices"))
        return range(first, first + newcomers)

    def remove(self, player: int) -> Optional[int]:
        """Removes a player; the last one takes its number. Returns the number that this one had, None where it was the last
        one itself. (Of several, remove those with the highest numbers first.)"""
        return self._pool.remove(_input.whole(player, "player", 0))

    def set_pair(self, i: int, j: int, cost: Union[None, int, float]) -> None:
        """Sets what two players cost; None forbids the pair."""
        one, other = _input.whole(i, "player", 0), _input.whole(j, "player", 0)
        self._pool.set_pair(one, other, None if cost is None else self._number(cost, "cost").item())

    def set_row(self, player: int, cost: ArrayLike, *, forbidden: Optional[ArrayLike] = None) -> None:
        """Sets what a player costs with each one, in their order; what stands for itself is not read.

        Args:
            player: The player.
            cost: The costs. Masked entries are forbidden.
            forbidden: Which of these pairs are forbidden, an array of booleans.
        """
        one = _input.whole(player, "player", 0)
        row, mask = self._row(cost, forbidden, lambda shape: _itself(shape, one))
        self._pool.set_row(one, row[np.newaxis], None if mask is None else mask[np.newaxis])

    def set_prices(self, prices: Prices) -> None:
        """Sets what players cost who stay alone: one price for all, and for newcomers; one for each, in their order; or those
        of some, by a mapping."""
        if self._prices is None:
            raise ValueError("this session has no prices; make one with alone= or bye=")
        if isinstance(prices, Mapping):
            some = [_input.whole(player, "player", 0) for player in prices]
            numbers = [self._number(price, f"the price of player {player!r}") for player, price in prices.items()]
            self._pool.set_prices(np.array(some, np.int64), np.array(numbers, self._dtype))
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
        nodes, sense, dtype = range(len(instance)), (self._is_maximum, self._is_maximum), self._dtype
        if isinstance(found, _engine.Witness):
            raise _no_matching(instance, found, nodes, "min_perfect" if self._prices is None else "min_bye")
        return Pairing(found, instance, nodes, partial(_reread_matrix, sense, dtype))

    def __len__(self) -> int:
        """The number of players."""
        return len(self._pool)

    def __repr__(self) -> str:
        prices = "" if self._prices is None else f", {self._prices} at a price"
        return f"<Session: {len(self)} players{prices}>"

    def _read_prices(self, given: Any, players: int) -> np.ndarray:
        """One for each player; one for all is kept for newcomers."""
        assert self._prices is not None
        prices, _ = _input.prices(given, self._prices, range(players), self._dtype)
        if np.ndim(given) == 0 and not isinstance(given, Mapping):
            self._price = self._number(given, self._prices).item()
        return self._typed(prices, self._prices)

    def _check_priced(self, given: Any) -> None:
        if given is not None and self._prices is None:
            raise ValueError("a price was given, and this session has none; make one with alone= or bye=")

    def _prices_of(self, given: Optional[np.ndarray], newcomers: int, what: str) -> Optional[np.ndarray]:
        """The prices of newcomers, who have that of all if none are given."""
        if self._prices is None:
            return None
        if given is None:
            if self._price is None:
                raise ValueError(f"this session has a price of its own for each player, by {self._prices}=; give {what}=")
            given = np.array(self._price, self._dtype)
        return np.ascontiguousarray(np.broadcast_to(given, newcomers))

    def _number(self, given: Any, what: str) -> np.ndarray:
        """One number of the session's type."""
        array = _input.numbers(given, what)
        if array.ndim:
            raise ValueError(f"{what} has the shape {array.shape}; give one number")
        if self._dtype == _input.INT64 and array.dtype.kind == "f":
            if not np.isfinite(array) or array != np.floor(array) or abs(array) >= 2.0**63:
                raise ValueError(
                    f"{what} is {array}; a session takes integers of at most 64 bits where its first costs were integers"
                )
            return array.astype(_input.INT64)
        return self._typed(array, what)

    def _typed(self, array: np.ndarray, what: str) -> np.ndarray:
        """The numbers in the session's type, without loss."""
        if self._dtype == _input.INT64:
            if array.dtype.kind == "f" and array.size:
                raise TypeError(
                    f"{what} is of type {array.dtype}, and a session takes integers where its first costs were integers; scale and "
                    "round floats, such as by np.rint(1000 * cost).astype(int), or begin with floats, such as by cost.astype(float)"
                )
            return array.astype(_input.INT64, order="C", copy=False)
        floats = array.astype(_input.FLOAT64, order="C", copy=False)
        if array.dtype.kind == "i" and array.size:
            # Of integers beyond 2**53 not all are floats; the greatest ones round to one that is beyond the type.
            is_lost = (abs(floats) >= 2.0**63) & (array != np.iinfo(np.int64).min)
            is_lost |= np.where(is_lost, 0, floats).astype(_input.INT64) != array
            if is_lost.any():
                raise ValueError(f"{what} is {array[is_lost].flat[0]}, which is no float, as costs of this session are")
        return floats

    def _row(
        self, cost: Any, forbidden: Any, unread: Optional[_input.Unread] = None
    ) -> tuple[np.ndarray, Optional[np.ndarray]]:
        """What one player costs with each other one, and which of these pairs are forbidden."""
        array, mask = _some(cost, forbidden, unread)
        typed = self._typed(array, "the cost")
        if array.ndim != 1:
            raise ValueError(f"the cost has the shape {array.shape}; give one number for each player")
        return typed, mask


def _with_itself(row: np.ndarray) -> np.ndarray:
    """The row of a newcomer as a matrix, with a place for itself, which is not read."""
    return np.append(row, row.dtype.type(0))[np.newaxis]


def _itself(shape: tuple[int, ...], first: int) -> np.ndarray:
    """Where rows of players have themselves: the first row is that of this player, the next one that of the next."""
    if not 0 < len(shape) <= 2:
        return np.zeros(shape, bool)
    rows = 1 if len(shape) == 1 else shape[0]
    is_itself: np.ndarray = np.arange(shape[-1]) - first == np.arange(rows)[:, np.newaxis]
    return is_itself.reshape(shape)


def _some(
    cost: Any, forbidden: Any, unread: Optional[_input.Unread] = None
) -> tuple[np.ndarray, Optional[np.ndarray]]:
    """Costs of any shape, and which of these pairs are forbidden."""
    array, mask = _input.unmasked(cost, unread)
    if forbidden is not None:
        _input.refuse_masked(forbidden, "forbidden")
        given = np.asarray(forbidden)
        if given.dtype != np.bool_ and given.size:
            raise TypeError(f"forbidden is of type {given.dtype}; give booleans, True where a pair is forbidden")
        if given.shape != array.shape:
            raise ValueError(f"forbidden has the shape {given.shape}; give that of the cost, {array.shape}")
        given = given.astype(bool)
        mask = given if mask is None else given | mask
    return array, None if mask is None else np.ascontiguousarray(mask)
