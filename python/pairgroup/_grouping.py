"""Groups by search."""

from __future__ import annotations

import math
from functools import partial
from typing import Any, Callable, Generic, Iterable, Mapping, NamedTuple, Optional, Sequence, TypeVar, Union, overload

import numpy as np
from numpy.typing import ArrayLike

from . import _engine, _explanation, _input
from ._answer import Answer, here
from ._explanation import Explanation, PairExplanation
from ._pairing import _as_was

#: What a group of these players costs, in ascending order.
GroupCost = Callable[[list[int]], float]


#: What an engine divides, and checks groups against.
Partition = TypeVar("Partition")


class Groups(Answer, Generic[Partition]):
    """What groups of players have in common, however they were found."""

    __slots__ = ("_again", "_partition", "_players")
    _behind = ("_partition",)

    def __init__(self, partition: Partition, players: int, again: Callable[..., Partition]) -> None:
        self._partition: Optional[Partition] = partition
        self._players = players
        self._again = again

    @property
    def groups(self) -> list[list[int]]:
        """The groups."""
        raise NotImplementedError

    @property
    def labels(self) -> np.ndarray:
        """For each player the number of its group; -1 for those who wait."""
        labels = np.full(self._players, -1, np.int64)
        for group, members in enumerate(self.groups):
            labels[members] = group
        return labels

    def _partition_of(self, cost: Any, forbidden: Any) -> Partition:
        """What was divided, or the same by a cost that is read anew."""
        if cost is None and forbidden is not None:
            raise ValueError("forbidden was given without a cost; give both")
        if cost is None:
            return here(self._partition, "give that to verify it, as in verify(cost)")
        return self._again(cost, forbidden)

    def __len__(self) -> int:
        """The number of groups."""
        return len(self.groups)

    def __iter__(self) -> Any:
        return iter(self.groups)


class Grouping(Groups[_engine.Partition]):
    """Groups of players, and what they cost together. Players are the numbers of rows."""

    __slots__ = ("_found", "_seed")

    def __init__(
        self,
        found: _engine.Found,
        partition: _engine.Partition,
        players: int,
        seed: int,
        again: Callable[..., _engine.Partition],
    ) -> None:
        super().__init__(partition, players, again)
        self._found = found
        self._seed = seed

    @property
    def groups(self) -> list[list[int]]:
        """The groups, members ascending, in the order of their bounds; those of the same bounds in the order of their
        first members, unless there are pins or a start, whose order stays."""
        return self._found.groups()

    @property
    def bench(self) -> list[int]:
        """Who waits, in no group and at no cost."""
        return self._found.bench()

    @property
    def cost(self) -> Union[int, float]:
        """The costs of all pairs within groups, or of all groups: an exact int where costs are integers."""
        return self._found.cost

    @property
    def is_proven(self) -> bool:
        """Whether all groupings were tried, so that none is better; of floats, but for rounding."""
        return self._found.is_proven

    @property
    def engine(self) -> str:
        """The engine that found it; ``"auto"`` where all groupings were tried."""
        return self._found.engine

    @property
    def stop(self) -> str:
        """What ended the search, in words."""
        return self._found.stop

    @property
    def seed(self) -> int:
        """The seed."""
        return self._seed

    @property
    def work(self) -> int:
        """Moves that were looked at. Where a function says what groups cost, each asks for two groups, or for fewer."""
        return self._found.work

    @property
    def seconds(self) -> float:
        """What the search took."""
        return self._found.seconds

    def verify(
        self, cost: Union[None, ArrayLike, GroupCost] = None, *, forbidden: Optional[ArrayLike] = None
    ) -> None:
        """Checks that these are groups as they were asked for, which cost what they say, by code that shares nothing with
        the search: against the copy of the input that was made for it (a function is asked again), which a grouping leaves behind
        when it goes to another process (by ``pickle``); or against a cost that is read anew. Totals of floats have to be the same to the last bit: a function that adds in another order than that of
        ascending pairs may be refused for a matrix. A matrix may be of a narrower number type, if that loses nothing; what a
        function returns is of 64 bits, and no answer to a matrix of narrower numbers is checked by it. That no groups are
        better is not checked.

        Raises :class:`VerifyError`: the first thing that is wrong.
        """
        self._partition_of(cost, forbidden).verify(self._found)

    @overload
    def explain(self, player: int, *, seconds: Optional[float] = ..., work: Optional[int] = ...) -> Explanation: ...

    @overload
    def explain(
        self, player: int, other: int, *, seconds: Optional[float] = ..., work: Optional[int] = ...
    ) -> PairExplanation: ...

    def explain(
        self,
        player: int,
        other: Optional[int] = None,
        *,
        seconds: Optional[float] = None,
        work: Optional[int] = None,
    ) -> Union[Explanation, PairExplanation]:
        """Why a player is in this group, or waits: by how much the total would change, or what is in the way, if his party
        went to another group or to the bench, changed places with another party there, with several smaller ones, or,
        together with others of its group, with a larger one. Of two players: those exchanges, of either one's party, that
        would put them into one group, or take one of them out of it, and what forbids all of them.

        Each exchange is one step, judged anew from the costs: where none is better, there may still be better groups,
        unless :attr:`is_proven`.

        >>> import numpy as np, pairgroup
        >>> skill = np.array([900, 1500, 1480, 950, 1490, 920])
        >>> found = pairgroup.group(abs(skill[:, None] - skill), size=3, pins={1: 1}, apart=[[2, 3]])
        >>> why = found.explain(3)
        >>> why.group, why.pairs
        (0, {0: 50, 5: 30})
        >>> why.exchanges[0].come, why.exchanges[0].change
        ([[2]], 2120)
        >>> [exchange.reason for exchange in why.exchanges if exchange.come == [[1]]]
        ['player 1 is pinned to group 1, and in group 0']

        What would put 0 and 1 together, and why 2 and 3 never are:

        >>> why = found.explain(0, 1)
        >>> why.are_together, why.cost, why.exchanges[0].leave, why.exchanges[0].come
        (False, 600, [[0]], [[4]])
        >>> found.explain(2, 3).obstacle
        'players 2 and 3 must not be together'

        Args:
            player: The player.
            other: Another one, to ask about the two.
            seconds: Stop after so much time: the exchanges so far are told, those of one party with another one first, and
                the others are counted.
            work: Stop after so many exchanges, likewise.

        Raises:
            ValueError: There is no such player, or both are the same.
            VerifyError: The grouping is not what it says; see :meth:`verify`.
            KeyboardInterrupt: Ctrl-C, within a moment.
        """
        player = _explanation.known_player(player, "player", self._players)
        seconds, work = _input.limits(seconds, work)
        partition = here(self._partition, "ask where the answer was found")
        if other is None:
            told = partition.explain(self._found, player, seconds=seconds, work=work)
            return _explanation.of_player(player, told)
        other = _explanation.known_player(other, "other", self._players)
        if other == player:
            raise ValueError(f"player and other are both {player}; give two different players, or one")
        of_two = partition.explain(self._found, player, other, seconds=seconds, work=work)
        return _explanation.of_pair((player, other), of_two)

    def __repr__(self) -> str:
        best = ", proven best" if self.is_proven else ""
        return f"<Grouping: {len(self)} groups, cost {self.cost}{best}>"


def group(
    cost: Union[ArrayLike, GroupCost],
    *,
    players: Optional[int] = None,
    dtype: Union[None, type[int], type[float]] = None,
    size: Optional[int] = None,
    count: Optional[int] = None,
    sizes: Optional[Iterable[int]] = None,
    bounds: Optional[Iterable[tuple[int, int]]] = None,
    bench: Optional[int] = None,
    maximise: bool = False,
    forbidden: Optional[ArrayLike] = None,
    apart: Iterable[Iterable[int]] = (),
    parties: Iterable[Iterable[int]] = (),
    pins: Union[None, Mapping[int, int], Iterable[tuple[int, int]]] = None,
    seconds: Optional[float] = None,
    work: Optional[int] = None,
    seed: int = 0,
    threads: Optional[int] = None,
    walks: int = 1,
    target: Optional[float] = None,
    start: Optional[Sequence[Sequence[int]]] = None,
) -> Grouping:
    """Groups whose pairs cost little together, by search. Of up to 18 players (or parties) all groupings are tried where
    the limits allow, or without limits where that takes about as long as a search would at most, as among 14, and the
    answer is the best there is.

    >>> import numpy as np, pairgroup
    >>> skill = np.array([900, 1500, 1480, 950, 1490, 920])
    >>> found = pairgroup.group(abs(skill[:, None] - skill), size=3)
    >>> found.groups, found.cost, found.is_proven
    ([[0, 3, 5], [1, 2, 4]], 140, True)

    Or groups that cost anything else, by a function. A team costs the gap between its best player and its worst:

    >>> spread = lambda team: skill[team].max() - skill[team].min()
    >>> found = pairgroup.group(spread, players=6, dtype=int, size=3)
    >>> found.groups, found.cost, found.is_proven
    ([[0, 3, 5], [1, 2, 4]], 70, True)

    Args:
        cost: ``cost[i, j]`` is what it costs to have ``i`` and ``j`` in one group: numbers as for :func:`pair`, symmetric;
            the diagonal is not read, and an infinite cost on the side that is never chosen keeps the two apart. Or a
            function that is given a list of players, ascending, and returns what they cost as a group; infinity on that side
            forbids the group. It has to return the same for the same players, and is asked about nobody (``[]``) where
            bounds let a group be empty. What it raises ends the search, and comes out here. It is asked as often as the
            search looks at groups, some hundred thousand times a second if it takes no longer than that: of sums over
            pairs, a matrix is thousands of times as fast. It is for ``seconds`` or ``work`` to say how long that may take.
        players: Of a function, how many players there are.
        dtype: Of a function, what it returns: ``float``, if not given, or ``int``, whose totals are exact.
        size: As many groups of this size as there are players for; those left over wait.
        count: So many groups, whose sizes differ by at most one.
        sizes: The size of each group.
        bounds: The least and the greatest size of each group.
        bench: So many players at most may wait, in no group and at no cost. Who does is for the search to choose.
        maximise: Ask for the greatest total in place of the least.
        forbidden: A matrix of booleans, symmetric, True where two must not be in one group.
        apart: Sets of players of whom no two may be in one group.
        parties: Sets of players who stay together, in one group or on the bench.
        pins: Which group a player has to be in: a mapping, or pairs of player and group.
        seconds: Stop after so much time.
        work: Stop after about so many moves: without ``seconds`` the answer is then the same on every machine, and with
            any number of threads. If neither is given, an amount that grows with the players.
        seed: Where chance begins.
        threads: As many walks at a time as there are threads for; all cores if not given, one of a function, as Python runs
            one at a time.
        walks: So many independent walks, at least, that share the work; the best one counts.
        target: Stop at a total that is as good as this.
        start: Groups to begin with; the answer is never worse.

    Raises:
        NoGrouping: None keeps apart who is to be, or none was found; parties that cannot be whole.
        ValueError: Something is wrong with what was given: the message names the place, and what would be right.
        TypeError: Costs are no numbers of these types, or an option is none of its type.
        Exception: Whatever a function raises.
        MemoryError: Too many players for tables of all pairs.
        KeyboardInterrupt: Ctrl-C, within a moment once the costs are read.
    """
    question = _question(maximise, size, count, sizes, bounds, bench, apart, parties, pins)
    seconds, work = _input.limits(seconds, work)
    seed = _input.whole(seed, "seed", 0)
    threads = int(callable(cost)) if threads is None else _input.whole(threads, "threads", 1)
    walks = _input.whole(walks, "walks", 1)
    begin = _start(start)

    costs = _read_costs(cost, forbidden, players, dtype)
    partition = question.of(costs)
    goal = None if target is None else _target(target, costs.dtype, maximise)
    found = partition.search(
        seconds=seconds, work=work, seed=seed, threads=threads, walks=walks, target=goal, start=begin
    )
    again = partial(_reread, question, costs.players, costs.dtype)
    return Grouping(found, partition, costs.players, seed, again)


class _Costs(NamedTuple):
    """A matrix, or a function."""

    source: Any
    forbidden: Optional[np.ndarray]
    players: int
    dtype: np.dtype


class _Question(NamedTuple):
    """What groups there are to be, of whatever costs."""

    maximise: bool
    size: Optional[int]
    groups: Optional[int]
    bounds: Optional[list[tuple[int, int]]]
    bench: Optional[int]
    apart: list[list[int]]
    parties: list[list[int]]
    pins: list[tuple[int, int]]

    def of(self, costs: _Costs) -> _engine.Partition:
        return _engine.Partition(costs.source, self.forbidden(costs), **self.named(costs))

    def forbidden(self, costs: _Costs) -> Optional[np.ndarray]:
        """Who must not be together, by the costs or by a wish."""
        if not self.apart:
            return costs.forbidden
        return _kept_apart(costs.forbidden, costs.players, self.apart)

    def named(self, costs: _Costs) -> dict[str, Any]:
        """All else that the engine is told."""
        return {
            "players": costs.players if callable(costs.source) else None,
            "integers": costs.dtype.kind == "i",
            "maximise": self.maximise,
            "size": self.size,
            "count": self.groups,
            "bounds": self.bounds,
            "bench": self.bench,
            "parties": self.parties,
            "pins": self.pins,
        }


def _question(
    maximise: Any, size: Any, count: Any, sizes: Any, bounds: Any, bench: Any, apart: Any, parties: Any, pins: Any
) -> _Question:
    shapes = {"size": size, "count": count, "sizes": sizes, "bounds": bounds}
    given = [name for name, value in shapes.items() if value is not None]
    if len(given) != 1:
        raise ValueError(f"{' and '.join(given) or 'nothing'} was given; give one of size, count, sizes and bounds")
    if sizes is not None:
        limits = [(one, one) for one in (_input.whole(one, "a size", 0) for one in _list(sizes, "sizes"))]
    elif bounds is not None:
        limits = [_bounds(at, one) for at, one in enumerate(_list(bounds, "bounds"))]
    else:
        limits = None
    whole_parties = [_players(party, "a party") for party in _list(parties, "parties")]
    all_apart = [_players(players, "a set in apart") for players in _list(apart, "apart")]
    pairs = pins.items() if isinstance(pins, Mapping) else () if pins is None else _list(pins, "pins")
    return _Question(
        bool(maximise),
        None if size is None else _input.whole(size, "size", 1),
        None if count is None else _input.whole(count, "count", 1),
        limits,
        None if bench is None else _input.whole(bench, "bench", 0),
        all_apart,
        whole_parties,
        [_pin(one) for one in pairs],
    )


def _start(given: Any) -> Optional[list[list[int]]]:
    return None if given is None else [_players(members, "a group of start") for members in _list(given, "start")]


def _reread(question: _Question, players: int, dtype: np.dtype, cost: Any, forbidden: Any) -> _engine.Partition:
    return question.of(_reread_costs(players, dtype, cost, forbidden))


def _reread_costs(players: int, dtype: np.dtype, cost: Any, forbidden: Any) -> _Costs:
    if callable(cost):
        return _read_costs(cost, forbidden, players, int if dtype.kind == "i" else float)
    anew = _read_costs(cost, forbidden, None, None)
    return anew._replace(source=_as_was(anew.source, dtype))


def _read_costs(cost: Any, forbidden: Any, players: Any, dtype: Any) -> _Costs:
    if not callable(cost):
        if players is not None or dtype is not None:
            name = "dtype" if players is None else "players"
            raise ValueError(f"{name} was given with a matrix, which says it by itself; it is for a function")
        array, mask = _input.matrix(cost, forbidden)
        return _Costs(array, mask, len(array), array.dtype)
    if players is None:
        raise ValueError("cost is a function, which does not say of how many players; give players=")
    if dtype not in (None, int, float):
        raise ValueError(f"dtype is {dtype!r}; give float, or int for exact totals")
    players = _input.whole(players, "players", 1)
    if players >= _input.NODES:
        raise ValueError(f"players is {players}; there may be fewer than {_input.NODES}")
    mask = None if forbidden is None else _input.mask_of(forbidden, (players, players))
    if mask is not None and (mask != mask.T).any():
        i, j = np.argwhere(mask != mask.T)[0]
        raise ValueError(f"only one of ({i}, {j}) and ({j}, {i}) is forbidden; give a symmetric matrix, such as mask | mask.T")
    return _Costs(cost, mask, players, _input.INT64 if dtype is int else _input.FLOAT64)


def _target(target: Any, dtype: np.dtype, maximise: bool) -> Union[int, float]:
    """A total of the number type; of integers the first one that is as good."""
    if isinstance(target, (bool, str)) or not hasattr(target, "__float__"):
        raise TypeError(f"target is {target!r}; give a number")
    if target != target:
        raise ValueError("target is NaN; give a number")
    if dtype.kind == "f":
        try:
            return float(target)
        except OverflowError:
            return float("inf") if target > 0 else float("-inf")
    # No total of 64-bit integers is beyond.
    target = min(max(target, -(2**100)), 2**100)
    return int(math.ceil(target) if maximise else math.floor(target))


def _bounds(group: int, given: Any) -> tuple[int, int]:
    try:
        least, most = given
    except (TypeError, ValueError):
        raise ValueError(f"the bounds of group {group} are {given!r}; give (least, most)") from None
    return _input.whole(least, "a bound", 0), _input.whole(most, "a bound", 0)


def _list(given: Any, what: str) -> list[Any]:
    try:
        return list(given)
    except TypeError:
        raise TypeError(f"{what} is {given!r}; give a list") from None


def _players(given: Any, what: str) -> list[int]:
    return [_input.whole(player, f"a player of {what}", 0) for player in _list(given, what)]


def _pin(given: Any) -> tuple[int, int]:
    try:
        player, place = given
    except (TypeError, ValueError):
        raise ValueError(f"a pin is {given!r}; give (player, group)") from None
    return _input.whole(player, "a player of pins", 0), _input.whole(place, "a group of pins", 0)


def _kept_apart(mask: Optional[np.ndarray], players: int, apart: list[list[int]]) -> np.ndarray:
    """The mask with more pairs in it: all of each set."""
    mask = np.zeros((players, players), bool) if mask is None else mask.copy()
    for members in apart:
        for player in members:
            if player >= players:
                raise ValueError(f"apart names player {player}; there are {players}, numbered from 0")
        if len(set(members)) < 2 or len(set(members)) < len(members):
            raise ValueError(f"a set in apart is {members}; give two different players or more")
        mask[np.ix_(members, members)] = True
    return mask
