"""Exact assignment of rows to columns."""

from __future__ import annotations

import math
from functools import partial
from typing import Any, Callable, NamedTuple, Optional, Union

import numpy as np
from numpy.typing import ArrayLike

from . import _engine, _input
from ._answer import Answer, check_given, here
from ._errors import NoAssignment
from ._pairing import Pairs, Prices, Sense, _as_was

#: So many rows or columns messages name; of more they say how many.
FEW = 8


class Duals(NamedTuple):
    """What each row and each column is worth, by the proof: no pair costs less than what its row and its column have together
    (more, with ``maximise``), and the pairs of the answer cost just that."""

    #: One for each row.
    rows: np.ndarray
    #: One for each column.
    columns: np.ndarray


class Assignment(Answer):
    """Which row has which column, what that costs, and the proof. Rows and columns are numbered from 0."""

    __slots__ = ("_again", "_asked", "_instance", "_is_rounded", "_rows", "_solution")
    _behind = ("_instance",)

    def __init__(
        self,
        solution: _engine.Solution,
        instance: _engine.Instance,
        rows: int,
        again: Callable[..., _engine.Instance],
        asked: str,
        is_rounded: bool,
    ) -> None:
        self._solution = solution
        self._instance: Optional[_engine.Instance] = instance
        self._rows = rows
        self._again = again
        #: What `pairs` said, or that there were prices.
        self._asked = asked
        self._is_rounded = is_rounded

    @property
    def column_of(self) -> np.ndarray:
        """For each row its column; -1 where it has none."""
        mates = self._solution.mates()[: self._rows]
        return np.where(mates < 0, mates, mates - self._rows)

    @property
    def row_of(self) -> np.ndarray:
        """For each column its row; -1 where it has none."""
        return self._solution.mates()[self._rows :].copy()

    @property
    def rows(self) -> np.ndarray:
        """The rows that have a column, in order: ``cost[assignment.rows, assignment.columns]`` is what they cost."""
        return np.flatnonzero(self.column_of >= 0)

    @property
    def columns(self) -> np.ndarray:
        """The columns of these rows."""
        column_of = self.column_of
        return column_of[column_of >= 0]

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """The same as tuples, each a row and its column, in the order of rows."""
        return [(row, column - self._rows) for row, column in self._solution.pairs()]

    @property
    def weights(self) -> np.ndarray:
        """What each of :attr:`pairs` costs, in the number type of the costs."""
        return self._solution.weights()

    @property
    def rows_alone(self) -> np.ndarray:
        """The rows without a column."""
        return np.flatnonzero(self.column_of < 0)

    @property
    def columns_alone(self) -> np.ndarray:
        """The columns without a row."""
        return np.flatnonzero(self.row_of < 0)

    @property
    def shape(self) -> tuple[int, int]:
        """How many rows and columns there are."""
        return self._rows, len(self._solution.mates()) - self._rows

    @property
    def cost(self) -> Union[int, float]:
        """The total, with the prices of those who stay alone: an exact int where costs are integers, however large; of
        floats the one nearest to the exact total."""
        return self._solution.cost

    @property
    def bound(self) -> Union[int, float]:
        """No answer is better than this: a lower bound, or an upper bound where the greatest total was asked for. With
        ``pairs="most"`` it is about assignments with most pairs, and says nothing before the search has ended."""
        if self.status != "unknown" or self._is_square:
            return self._solution.bound
        # A rounded cost is off by half a unit at most.
        off = min(self.shape) if self._is_rounded else 0
        bound = self._solution.bound_of_all(self._rows, off)
        return -math.inf if bound is None else bound

    @property
    def is_optimal(self) -> bool:
        """Whether this is proven to be the best."""
        return self.status == "optimal"

    @property
    def status(self) -> str:
        """``"optimal"``; ``"feasible"``: as it was asked for, but perhaps not the best, by :attr:`bound`; ``"unknown"``:
        some who should have a partner have none yet, as the search was stopped."""
        status = self._solution.status
        return "unknown" if self._asked == "all" and status == "feasible" and len(self) < min(self.shape) else status

    @property
    def _is_square(self) -> bool:
        rows, columns = self.shape
        return rows == columns

    @property
    def reason(self) -> Optional[str]:
        """Why it is not proven to be the best, None where it is."""
        return self._solution.reason

    @property
    def work(self) -> int:
        """Units of work that the search took, as ``work=`` limits them."""
        return self._solution.work

    @property
    def engine(self) -> str:
        """Which engine has found it: ``"assignment"``, unless most pairs are forbidden, or there are no rows or no columns."""
        return self._solution.engine

    @property
    def duals(self) -> Optional[Duals]:
        """What rows and columns are worth, by the proof of the answer (shadow prices): for all pairs that are not forbidden
        ``duals.rows[i] + duals.columns[j] <= cost[i, j]``, with equality for :attr:`pairs` of a proven best answer; with
        ``maximise`` the other way round. What a pair costs beyond that is how much cheaper it has to become before any best answer has it, at least.

        Where everybody of the smaller side has a partner, those of the larger side have none above 0 (below, with ``maximise``),
        those of it who stay alone have 0, and of a square matrix the greatest of columns is 0: then the sum of all is the cost. With ``alone`` nobody has
        more than his price, and who stays alone has just that; with ``pairs="any"`` likewise 0.

        Integers are exact (of Python, where they do not fit 64 bits). Floats are those nearest to the exact ones, so sums may be off
        by their last digit: :meth:`verify` is exact. With ``rounded`` they are of the rounded costs. None with ``pairs="most"``
        where somebody of the smaller side stays alone: then no finite price is enough.
        """
        if self._asked == "most" and len(self) < min(self.shape):
            return None
        found = self._solution.duals(self._rows)
        if found is None:
            return None
        rows, columns = (np.array(side, object) if isinstance(side, list) else side for side in found)
        return Duals(rows, columns)

    def verify(self, *source: Any, **options: Any) -> None:
        """Checks the answer and its proof, by code that shares nothing with the solver.

        Without arguments, against the copy of the input that was made for the solver, which an answer leaves behind when it goes to
        another process (by ``pickle``). With arguments, against an input that is read anew: ``verify(cost)``, or
        ``verify(cost, forbidden=mask)``.

        Raises :class:`VerifyError`: the first thing that is wrong.
        """
        if source or options:
            check_given(self._again, source, options)
            instance = self._again(*source, **options)
        else:
            instance = here(self._instance, "give that to verify it, as in verify(cost)")
        instance.verify(self._solution)

    def __len__(self) -> int:
        """The number of pairs."""
        return len(self._solution.pairs())

    def __iter__(self) -> Any:
        return iter(self.pairs)

    def __repr__(self) -> str:
        rows, columns = self.shape
        return f"<Assignment: {len(self)} pairs of {rows} rows and {columns} columns, cost {self.cost}, {self.status}>"


def assign(
    cost: ArrayLike,
    *,
    forbidden: Optional[ArrayLike] = None,
    maximise: bool = False,
    pairs: Optional[Pairs] = None,
    alone: Union[None, Prices, tuple[Prices, Prices]] = None,
    seconds: Optional[float] = None,
    work: Optional[int] = None,
    threads: Optional[int] = None,
    rounded: bool = False,
) -> Assignment:
    """The best assignment of rows to columns, by a matrix of costs of any shape: everybody of the smaller side gets a partner of the
    other one; exact, with a proof.

    >>> import pairgroup
    >>> loss = [[4, 1, 3, 9], [2, 0, 5, 8], [3, 2, 2, 9]]  # Of three players in four roles.
    >>> assignment = pairgroup.assign(loss)
    >>> assignment.column_of.tolist(), assignment.cost, assignment.is_optimal
    ([1, 0, 2], 5, True)
    >>> rows, columns = assignment.duals  # What each is worth: together as much as the total.
    >>> int(rows.sum() + columns.sum()), bool((rows[:, None] + columns <= loss).all())
    (5, True)

    Args:
        cost: ``cost[i, j]`` is what row ``i`` costs with column ``j``: integers of up to 64 bits, or floats. The diagonal is read as
            all else. A float that is infinite on the side that is never chosen (``inf``, or ``-inf`` with ``maximise``)
            forbids the pair; NaN and the other infinity are errors. Masked entries of a masked array are forbidden.
        forbidden: A matrix of booleans of the same shape, True where a pair must not be.
        maximise: Ask for the greatest total in place of the least.
        pairs: ``"all"``: everybody of the smaller side has a partner, or :class:`NoAssignment` says why not. ``"most"``: as many
            as possible have, and of those assignments the best. ``"any"``: the best total of any pairs, or none. ``"all"``
            if neither this nor ``alone`` is given.
        alone: Anybody may stay alone, at this price: one number for all, or ``(rows, columns)``, each of them one for all of its side
            or one for each, in a sequence or a mapping. With ``maximise`` it is what somebody alone is worth.
        seconds: Stop after so much time: what was found so far is returned, see :attr:`Assignment.status`. Reading the costs
            is not cut short.
        work: The same, in units that are the same on every machine; see :attr:`Assignment.work`.
        threads: How many threads read costs; all cores from 1000 rows or columns on if not given, else 1. The answer does not
            depend on it.
        rounded: Floats that do not fit a common binary grid of 128 bits (such as 1e-40 beside 1e30) are an error; with
            this, they are rounded to a grid of 64 bits, and ``bound`` says how far from the best that may be.

    Where the sides differ in number, and with ``pairs="most"`` or ``"any"``, costs change their sign on the way if the least total
    is asked for; with ``alone`` if the greatest is. There the least integer of the type, which has no negative, is refused.

    Raises:
        NoAssignment: There is none, with the reason as attributes: rows that have too few columns among them, or columns that have
            too few rows.
        ValueError: Something is wrong with what was given: the message names the place, and what would be right.
        TypeError: Costs are no numbers of these types, or an option is none of its type.
        KeyboardInterrupt: Ctrl-C, within a moment once the costs are read.
    """
    array, mask = _input.rows_and_columns(cost, forbidden)
    rows, columns = array.shape
    if rows + columns >= _input.NODES:
        raise ValueError(f"there are {rows} rows and {columns} columns; there may be fewer than {_input.NODES} of both together")
    objective, negate = _question(bool(maximise), pairs, alone is not None, rows == columns)
    sense = (bool(maximise), negate)
    seconds, work = _input.limits(seconds, work)
    threads = _input.threads(threads, max(rows, columns), True)
    prices, dtype = None, array.dtype
    if alone is not None:
        prices, dtype = _alone(alone, (rows, columns), dtype, negate)
    instance = _engine.Instance.from_sides(array.astype(dtype, copy=False), mask, *sense)
    found = instance.solve(objective, prices, seconds=seconds, work=work, threads=threads, rounded=bool(rounded))
    asked = "alone" if alone is not None else pairs or "all"
    if isinstance(found, _engine.Witness):
        raise _no_assignment(instance, rows, *_of_witness(found, rows))
    is_short = asked == "all" and rows != columns and len(found.pairs()) < min(rows, columns)
    # A search that was stopped may not know yet; then somebody might still find more.
    if is_short and instance.pairs_at_most(found) == len(found.pairs()):
        raise _no_assignment(instance, rows, *_of_most(found, array, mask, bool(maximise)))
    return Assignment(found, instance, rows, partial(_reread, sense, dtype), asked, bool(rounded))


def _question(maximise: bool, pairs: Optional[str], has_prices: bool, is_square: bool) -> tuple[str, bool]:
    """The engine's objective, and whether costs change their sign for it."""
    if has_prices:
        if pairs is not None:
            raise ValueError(f"pairs={pairs!r} was given with prices; who stays alone is for alone to say")
        return "min_opt_out", maximise
    if pairs in (None, "all"):
        if is_square:
            return ("max_perfect" if maximise else "min_perfect"), False
        return "max_cardinality", not maximise
    if pairs in ("most", "any"):
        return ("max_cardinality" if pairs == "most" else "max_weight"), not maximise
    raise ValueError(f'pairs is {pairs!r}; give "all", "most" or "any"')


def _alone(given: Any, shape: tuple[int, int], dtype: np.dtype, negate: bool) -> tuple[np.ndarray, np.dtype]:
    """What each row and then each column costs alone, and the number type that holds both the costs and these."""
    if not isinstance(given, tuple):
        if getattr(given, "ndim", 0) or isinstance(given, (list, dict)):
            raise ValueError(f"alone is {type(given).__name__}, and there are rows and columns; give one number, or a tuple (rows, columns)")
        given = (given, given)
    if len(given) != 2:
        raise ValueError(f"alone has {len(given)} entries; give one number, or a tuple (rows, columns)")
    sides = []
    for of_side, kind, count in zip(given, ("row", "column"), shape):
        of_side, dtype = _input.prices(of_side, "alone", range(count), dtype, kind)
        sides.append(of_side)
    if negate:
        for of_side, kind in zip(sides, ("row", "column")):
            _input.check_price_signs(of_side, "alone", range(len(of_side)), dtype, kind)
    return np.concatenate(sides), dtype


def _reread(sense: Sense, dtype: np.dtype, cost: Any, *, forbidden: Any = None) -> _engine.Instance:
    array, mask = _input.rows_and_columns(cost, forbidden)
    return _engine.Instance.from_sides(_as_was(array, dtype), mask, *sense)


#: Which side wants partners, those of it that have too few, and whom they have.
Lack = tuple[str, list[int], list[int]]


def _of_witness(witness: _engine.Witness, rows: int) -> Lack:
    """Of a Tutte-Berge set of a graph of two sides. Each odd component has more of one side; without the removed ones that are not of
    this side, components with more rows have too few columns by one each, or those with more columns have too few rows."""
    for side in ("rows", "columns"):

        def of_side(nodes: list[int]) -> list[int]:
            return [node for node in nodes if (node < rows) == (side == "rows")]

        uneven = [part for part in witness.odd_components if 2 * len(of_side(part)) > len(part)]
        others = set(witness.removed).difference(of_side(witness.removed))
        if len(uneven) > len(others):
            nodes = [node for part in uneven for node in part]
            wanting = of_side(nodes)
            return _numbered(side, wanting, [*others, *set(nodes).difference(wanting)], rows)
    raise AssertionError("one of both is so wherever there are more components than removed nodes")


def _numbered(side: str, wanting: list[int], available: list[int], rows: int) -> Lack:
    """Rows and columns by their own numbers, in order."""
    both = [sorted(node - rows if node >= rows else node for node in nodes) for nodes in (wanting, available)]
    return side, both[0], both[1]


def _of_most(solution: _engine.Solution, array: np.ndarray, mask: Optional[np.ndarray], maximise: bool) -> Lack:
    """Of an assignment with most pairs: whoever can be reached from those of the smaller side who stay alone, by pairs there and by
    pairs of the answer back."""
    is_allowed = np.ones(array.shape, bool) if mask is None else ~mask
    if array.dtype.kind == "f":
        is_allowed &= ~(np.isneginf(array) if maximise else np.isposinf(array))
    rows, columns = array.shape
    mates = solution.mates()
    mate, back, side = mates[:rows], mates[rows:], "rows"
    if rows > columns:
        is_allowed, mate, back, side = is_allowed.T, back, mate - rows, "columns"
    wanting = np.flatnonzero(mate < 0).tolist()
    is_reached = np.zeros(len(back), bool)
    for one in wanting:  # It grows as it is gone through.
        more = is_allowed[one] & ~is_reached
        is_reached |= more
        wanting += back[more].tolist()
    return side, sorted(wanting), np.flatnonzero(is_reached).tolist()


def _no_assignment(
    instance: _engine.Instance, rows: int, side: str, wanting: list[int], available: list[int]
) -> NoAssignment:
    other = "columns" if side == "rows" else "rows"
    missing = len(wanting) - len(available)
    message = (
        f"there is no assignment of all {side}: {_listed(wanting, side)} may have "
        f"{f'no {other} but {_listed(available, other)}' if available else f'no {other} at all'}, so at least {missing} of "
        'them stay alone; pairs="most" leaves as few as possible, alone= anybody at a price'
    )
    # As the engine numbers them.
    of_side, of_other = (0, rows) if side == "rows" else (rows, 0)
    nodes = [node + of_side for node in wanting], [node + of_other for node in available]
    return NoAssignment(message, side, wanting, available, lambda: instance.verify_lack_of_pairs(*nodes))


def _listed(numbers: list[int], side: str) -> str:
    if len(numbers) > FEW:
        return f"{len(numbers)} {side}"
    return f"{side if len(numbers) > 1 else side[:-1]} {', '.join(map(str, numbers))}"
