"""Many pools at once, from a table of pandas or Spark: all players of a region and a minute are a pool, say, and each pool is
paired, or put into groups, by itself.

The same call takes a pandas DataFrame and solves one pool after the other, or a Spark DataFrame and lets Spark spread the
pools: each is solved by one worker, which needs this package, and checked there before its rows go on. Who is with whom does not
depend on the order of rows, nor on how they are spread.
"""

from __future__ import annotations

from typing import Any, Callable, Iterable, Literal, NamedTuple, Optional, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike

from . import _frames, _input
from ._errors import NoPerfectMatching
from ._frames import Answer, Columns, Kind
from ._grouping import group
from ._pairing import Pairing, Pairs, _Options, _pair_matrix, _question
from ._points import PointPairing, _pair_coordinates

__all__ = ["PoolError", "group_pools", "pair_pools"]

#: The name of a column of numbers, whose differences are the costs; names of several, for straight distances; or a function
#: that is given the rows of a pool, a pandas DataFrame in ascending order of players, and returns a symmetric matrix of costs in
#: that order.
PoolCost = Union[str, Sequence[str], Callable[[Any], ArrayLike]]

#: What to do about a pool that has no answer.
Errors = Literal["raise", "keep"]


class PoolError(ValueError):
    """A pool that has no answer, or is not as it should be. ``pool`` says which one it is, by its columns."""

    pool: dict[str, Any]

    def __init__(self, message: str, pool: Optional[dict[str, Any]] = None) -> None:
        super().__init__(message)
        self.pool = pool or {}

    def __reduce__(self) -> Any:
        return type(self), (self.args[0], self.pool)


def pair_pools(
    frame: Any,
    by: Union[str, Sequence[str]],
    player: str,
    cost: PoolCost,
    *,
    dtype: Union[None, type[int], type[float]] = None,
    maximise: bool = False,
    pairs: Optional[Pairs] = None,
    alone: Union[None, str, float] = None,
    bye: Union[None, str, float] = None,
    worst_first: bool = False,
    seconds: Optional[float] = None,
    work: Optional[int] = None,
    rounded: bool = False,
    errors: Errors = "raise",
) -> Any:
    """The best pairing of each pool of a table, as by :func:`pair`; each with its proof, which is checked.

    >>> import pandas, pairgroup
    >>> waiting = pandas.DataFrame({
    ...     "region": ["eu", "eu", "us", "eu", "us", "eu", "us"],
    ...     "id": ["ann", "bob", "cid", "dan", "eve", "fay", "gus"],
    ...     "rating": [1510, 1180, 1350, 1495, 1360, 1220, 1500],
    ... })
    >>> games = pairgroup.pair_pools(waiting, "region", "id", "rating", bye=0)
    >>> games[["region", "id", "partner", "cost", "pool_cost", "status"]].fillna("nobody")
      region   id partner  cost  pool_cost   status
    0     eu  ann     dan    15         55  optimal
    1     eu  bob     fay    40         55  optimal
    2     us  cid     eve    10         10  optimal
    3     us  gus  nobody     0         10  optimal

    Args:
        frame: A DataFrame of pandas or of Spark, a row for each player. Spark needs pandas and pyarrow beside it.
        by: The columns by which rows are of one pool; all rows are one pool if there are none (``[]``).
        player: The column that names players, each once in a pool.
        cost: What two cost: a column of numbers, for their difference; a list of columns, for the straight distance of two
            by all of them (bring these to one scale first), as by :func:`pair_points`: the least is asked for, of all players, and no
            matrix is made; or a function of the rows of a pool, a pandas
            DataFrame in ascending order of players with all columns of the table, which returns what :func:`pair` takes,
            in that order. The rows are the function's own, to change as it likes.
        dtype: Of a function, what it returns: ``float``, if not given, or ``int``, which stays exact.
        alone: As for :func:`pair`: one number for all, or the column that has one for each.
        bye: Likewise.
        seconds: For each pool.
        work: For each pool.
        errors: ``"raise"``: a pool without an answer ends all with a :class:`PoolError` that names it. ``"keep"``: it
            has one row, without players, whose ``status`` is ``"failed"`` and whose ``problem`` says why.

    The rest is as for :func:`pair`; each pool is solved on one thread.

    Returns:
        A DataFrame of the same kind, a row for each pair and for each who stays alone: the columns of ``by``; the player (of two
        the first one), in the column's own name; ``partner``, null where there is none; ``cost`` of the two, or the
        price of staying alone, null where that has none; and, the same for all rows of a pool, ``pool_cost`` and ``pool_bound`` as
        :attr:`Pairing.cost` and :attr:`Pairing.bound`, :attr:`~Pairing.status`, and ``problem``, null where there is none.

    Raises:
        PoolError: A pool has no pairing as it was asked for, costs or players that are none, or a total or its bound beyond 64 bits.
            (Of Spark it is inside the error of the job, when that runs.)
        ValueError: Names and options that cannot be.
        TypeError: Likewise.
        KeyboardInterrupt: Ctrl-C, of pandas.
    """
    _question(bool(maximise), pairs, alone, bye, worst_first)
    for name, given in (("alone", alone), ("bye", bye)):
        if not isinstance(given, str) and hasattr(given, "__len__"):
            raise TypeError(f"{name} is {given!r}; give one number, or the name of a column")
    seconds, work = _input.limits(seconds, work)
    options = _Options(maximise, pairs, None, None, seconds, work, 1, rounded, worst_first)
    if isinstance(cost, (list, tuple)) and (maximise or worst_first or rounded or pairs not in (None, "all")):
        raise ValueError("cost is several columns, by which the least total distance is asked for, of all; give a function for anything else")
    made: dict[str, Kind] = {"partner": "player", "cost": "number", "pool_cost": "number", "pool_bound": "number", "status": "words"}
    prices = [given for given in (alone, bye) if isinstance(given, str)]
    return _solve(frame, by, player, cost, dtype, prices, made, errors, _Pairs(options, alone, bye))


def group_pools(
    frame: Any,
    by: Union[str, Sequence[str]],
    player: str,
    cost: PoolCost,
    *,
    dtype: Union[None, type[int], type[float]] = None,
    size: Optional[int] = None,
    count: Optional[int] = None,
    bench: Optional[int] = None,
    party: Optional[str] = None,
    maximise: bool = False,
    seconds: Optional[float] = None,
    work: Optional[int] = None,
    seed: int = 0,
    walks: int = 1,
    errors: Errors = "raise",
) -> Any:
    """Groups of each pool of a table, as by :func:`group`.

    >>> import pandas, pairgroup
    >>> waiting = pandas.DataFrame({
    ...     "tick": [1, 1, 1, 1, 1, 1, 2, 2, 2],
    ...     "id": ["ann", "bob", "cid", "dan", "eve", "fay", "ann", "gus", "hal"],
    ...     "skill": [900, 1500, 1480, 950, 1490, 920, 900, 1000, 1100],
    ... })
    >>> teams = pairgroup.group_pools(waiting, "tick", "id", "skill", size=3)
    >>> teams[["tick", "id", "group"]].groupby(["tick", "group"])["id"].apply(list).to_dict()
    {(1, 0): ['ann', 'dan', 'fay'], (1, 1): ['bob', 'cid', 'eve'], (2, 0): ['ann', 'gus', 'hal']}

    Args:
        frame: As for :func:`pair_pools`, and likewise ``by``, ``player``, ``cost``, ``dtype`` and ``errors``. Costs are of
            two in one group.
        party: The column that says who stays together: players of one pool with the same value there, those without one alone.
            Floats from 2**53 on are refused, as several integers become one of them where nulls stand beside them, in Spark above all.
        seconds: For each pool.
        work: For each pool.

    The rest is as for :func:`group`; each pool is solved on one thread, and in one that is smaller than ``size`` all wait.

    Returns:
        A DataFrame of the same kind, a row for each player: the columns of ``by``; the player, in the column's own name;
        ``group``, numbered from 0 in each pool, null for those who wait; and, the same for all rows of a pool, ``pool_cost``,
        ``status`` (``"proven"`` where all groupings were tried, else ``"found"``) and ``problem``.

    Raises:
        PoolError: A pool has no grouping as it was asked for, or as for :func:`pair_pools`.
        ValueError: Names and options that cannot be.
        TypeError: Likewise.
        KeyboardInterrupt: Ctrl-C, of pandas.
    """
    if (size is None) == (count is None):
        raise ValueError(f"{'nothing' if size is None else 'size and count'} was given; give one of size and count")
    for name, given, least in (("size", size, 1), ("count", count, 1), ("bench", bench, 0)):
        if given is not None:
            _input.whole(given, name, least)
    seconds, work = _input.limits(seconds, work)
    how = {
        "size": size,
        "count": count,
        "bench": bench,
        "maximise": maximise,
        "seconds": seconds,
        "work": work,
        "seed": _input.whole(seed, "seed", 0),
        "walks": _input.whole(walks, "walks", 1),
        "threads": 1,
    }
    made: dict[str, Kind] = {"group": "whole", "pool_cost": "number", "status": "words"}
    parties = [] if party is None else [party]
    return _solve(frame, by, player, cost, dtype, parties, made, errors, _Groups(how, party))


class _Matrix(NamedTuple):
    """What two cost, and who must not be together."""

    matrix: np.ndarray
    forbidden: Optional[np.ndarray]


class _Points(NamedTuple):
    """A row of coordinates for each player."""

    coordinates: np.ndarray


_Costs = Union[_Matrix, _Points]


class _Pairs(NamedTuple):
    """The question of :func:`pair_pools`."""

    options: _Options
    alone: Union[None, str, float]
    bye: Union[None, str, float]

    def solve(self, pool: Any, players: list[Any], costs: _Costs) -> Answer:
        alone, bye = (_of_column(pool, given, players) if isinstance(given, str) else given for given in (self.alone, self.bye))
        options = self.options._replace(alone=alone, bye=bye)
        if isinstance(costs, _Points):
            found: Pairing = _pair_coordinates(costs.coordinates, players, "euclidean", None, options)
        else:
            found = _pair_matrix(costs.matrix, costs.forbidden, players, options)
        found.verify()
        scale = found.scale if isinstance(found, PointPairing) else None
        price = alone if alone is not None else bye
        prices = price.tolist() if isinstance(price, np.ndarray) else [price] * len(players)
        mate = found.mate.tolist()
        firsts = [one for one, other in enumerate(mate) if other < 0 or one < other]
        # Pairs, and so their weights, are in the order of their first players.
        weights = iter((found.weights if scale is None else found.weights / scale).tolist())
        values = {
            "partner": [mate[one] if mate[one] >= 0 else None for one in firsts],
            "cost": [next(weights) if mate[one] >= 0 else prices[one] for one in firsts],
            "pool_cost": found.cost if scale is None else found.cost / scale,
            "pool_bound": found.bound if scale is None else found.bound / scale,
            "status": found.status,
        }
        return Answer(firsts, values)


class _Groups(NamedTuple):
    """The question of :func:`group_pools`."""

    how: dict[str, Any]
    party: Optional[str]

    def solve(self, pool: Any, players: list[Any], costs: _Costs) -> Answer:
        everybody = range(len(players))
        if self.how["size"] is not None and len(players) < self.how["size"]:
            return Answer(everybody, {"pool_cost": 0, "status": "proven"})
        parties: Iterable[list[int]] = ()
        if self.party is not None:
            _check_parties(pool[self.party], self.party, players)
            parties = [rows.tolist() for rows in pool.groupby(self.party, observed=True).indices.values() if len(rows) > 1]
        if isinstance(costs, _Points):
            apart = costs.coordinates[:, None] - costs.coordinates
            costs = _Matrix(np.sqrt((apart * apart).sum(axis=2)), None)
        found = group(costs.matrix, forbidden=costs.forbidden, parties=parties, **self.how)
        found.verify()
        values = {
            "group": [label if label >= 0 else None for label in found.labels.tolist()],
            "pool_cost": found.cost,
            "status": "proven" if found.is_proven else "found",
        }
        return Answer(everybody, values)


class _Solver(NamedTuple):
    """From the rows of a pool to those of its answer."""

    columns: Columns
    cost: PoolCost
    question: Union[_Pairs, _Groups]
    keeps_errors: bool

    def solve(self, pool: Any) -> Answer:
        try:
            players = self._players(pool)
            answer = self._ask(pool, players, self._costs(pool, players))
            self._check_totals(answer.values)
        except Exception as error:
            problem = str(error) if isinstance(error, (ValueError, TypeError)) else f"{type(error).__name__}: {error}"
            if self.keeps_errors:
                return Answer([None], {"status": "failed", "problem": problem})
            key = {name: _frames.plain(pool[name].iloc[0]) for name in self.columns.by}
            which = "pool " + ", ".join(f"{name}={value!r}" for name, value in key.items()) if key else "the pool"
            raise PoolError(f"{which}: {problem}", key) from error
        return answer

    def _ask(self, pool: Any, players: list[Any], costs: _Costs) -> Answer:
        try:
            return self.question.solve(pool, players, costs)
        except NoPerfectMatching:
            raise
        except ValueError as error:
            order = f"players are numbered from 0 in ascending order of {self.columns.player}, so that 0 is {players[0]!r}"
            raise ValueError(f"{error} ({order})") from error

    def _players(self, pool: Any) -> list[Any]:
        column = pool[self.columns.player]
        if column.isna().any():
            raise ValueError(f"a row has no {self.columns.player}; all players need one")
        players: list[Any] = column.tolist()
        twice = next((one for one, other in zip(players, players[1:]) if one == other), None)
        if twice is not None:
            raise ValueError(f"player {twice!r} is there twice")
        return players

    def _costs(self, pool: Any, players: list[Any]) -> _Costs:
        if isinstance(self.cost, str):
            return _Matrix(_differences(_of_column(pool, self.cost, players), self.cost), None)
        if not callable(self.cost):
            return _Points(np.column_stack([_axis(_of_column(pool, name, players), name) for name in self.cost]))
        # Of its own, as prices and parties are read from the rows, and answers.
        costs, forbidden = _input.matrix(self.cost(pool.copy()), None)
        if costs.shape != (len(players), len(players)):
            raise ValueError(f"the cost has the shape {costs.shape}, and there are {len(players)} players")
        if self.columns.is_integer and costs.dtype.kind == "f":
            raise TypeError("the cost has floats, and dtype is int; return integers, or leave out dtype")
        if not self.columns.is_integer and costs.dtype.kind == "i":
            is_beyond = (costs > 2**53) | (costs < -(2**53))
            # What is not read may be anything.
            np.fill_diagonal(is_beyond, False)
            if (is_beyond if forbidden is None else is_beyond & ~forbidden).any():
                raise ValueError("the cost has integers beyond 2**53, which floats do not hold; give dtype=int")
            costs = costs.astype(np.float64)
        return _Matrix(costs, forbidden)

    def _check_totals(self, values: dict[str, Any]) -> None:
        for name, what in (("pool_cost", "total"), ("pool_bound", "bound")):
            found = values.get(name)
            if self.columns.is_integer and found is not None and not -(2**63) <= found < 2**63:
                raise ValueError(f"the {what} {found} does not fit a column of 64 bits; give smaller costs, or floats")


def _of_column(pool: Any, name: str, players: list[Any]) -> np.ndarray:
    """The numbers of a column."""
    column = pool[name]
    is_missing = column.isna().to_numpy()
    if is_missing.any():
        raise ValueError(f"{name} of player {players[int(is_missing.argmax())]!r} is missing; all players need a number")
    kind = getattr(column.dtype, "numpy_dtype", None)
    values = _input.numbers(column.to_numpy() if kind is None else column.to_numpy(dtype=kind), f"column {name!r}")
    is_infinite = ~np.isfinite(values)
    if is_infinite.any():
        at = int(is_infinite.argmax())
        raise ValueError(f"{name} of player {players[at]!r} is {values[at]}; give a finite number")
    return values


def _check_parties(column: Any, name: str, players: list[Any]) -> None:
    """Refuses numbers that are one party, and may have been several: integers beside nulls become floats, above all those that Spark
    hands over."""
    if column.dtype == np.float64:
        is_beyond = (abs(column) >= 2.0**53).to_numpy()
        if is_beyond.any():
            at = int(is_beyond.argmax())
            raise ValueError(
                f"party {name} of player {players[at]!r} is {column[at]}, which integers beyond 2**53 become that are several, as floats "
                "beside nulls; give strings"
            )


def _axis(values: np.ndarray, name: str) -> np.ndarray:
    if values.dtype.kind == "i" and max(int(values.max()), -int(values.min())) > 2**53:
        raise ValueError(f"column {name!r} has integers beyond 2**53, which coordinates do not hold; subtract a middle from them")
    return values.astype(np.float64)


def _differences(values: np.ndarray, name: str) -> np.ndarray:
    if values.dtype.kind == "i":
        if int(values.max()) - int(values.min()) >= 2**63:
            raise ValueError(f"differences of column {name!r} do not fit 64 bits")
        values = values.astype(np.int64)
    else:
        values = values.astype(np.float64)
        with np.errstate(over="ignore"):
            if not np.isfinite(values.max() - values.min()):
                raise ValueError(f"differences of column {name!r} do not fit floats")
    return abs(values[:, None] - values)


def _solve(
    frame: Any,
    by: Union[str, Sequence[str]],
    player: str,
    cost: PoolCost,
    dtype: Union[None, type[int], type[float]],
    more: list[str],
    made: dict[str, Kind],
    errors: str,
    question: Union[_Pairs, _Groups],
) -> Any:
    """What both have in common: `more` are columns that the question names, `made` those of its answer beside players and problems."""
    keys = _frames.names(by)
    is_spark = _frames.is_spark(frame)
    if not isinstance(player, str):
        raise TypeError(f"player is {player!r}; give the name of a column")
    by_column = [cost] if isinstance(cost, str) else [] if callable(cost) else _columns_of(cost)
    if errors not in ("raise", "keep"):
        raise ValueError(f'errors is {errors!r}; give "raise" or "keep"')
    if dtype not in (None, int, float):
        raise ValueError(f"dtype is {dtype!r}; give float, or int for exact costs")
    if by_column and dtype is not None:
        raise ValueError("dtype was given with a column, which says it by itself; it is for a function")
    if player in keys:
        raise ValueError(f"by and player both name {player!r}; by says which rows are one pool, and player who is who in it")
    made = {**made, "problem": "words"}
    # To Spark, names that differ by case only are one.
    taken = next((name for name in [*keys, player] if (name.lower() if is_spark else name) in made), None)
    if taken is not None:
        raise ValueError(f"a column is named {taken!r}, as one of the answer is; rename it")
    read = [*by_column, *more]
    _frames.check_columns(frame, [*keys, player, *read])
    is_integer = _frames.holds_integers(frame, cost) if isinstance(cost, str) else dtype is int
    columns = Columns(keys, player, {player: "player", **made}, is_integer)
    solver = _Solver(columns, cost, question, errors == "keep")
    return _frames.solve_pools(frame, columns, read if by_column else None, solver.solve)


def _columns_of(cost: Any) -> list[str]:
    if not isinstance(cost, (list, tuple)) or not cost or not all(isinstance(name, str) for name in cost):
        raise TypeError(f"cost is {cost!r}; give the name of a column, a list of names, or a function")
    return list(cost)
