"""Groups with a proof."""

from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import chain
from typing import Any, Iterable, Mapping, Optional, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike

from . import _engine, _input
from ._errors import VerifyError
from ._grouping import GroupCost, Groups, _Costs, _list, _players, _Question, _question, _read_costs, _reread_costs, _start
from ._pairing import Prices

#: The least and the greatest number of each group who play a role (None: however many), and the players who can.
RoleOf = tuple[int, Optional[int], Iterable[int]]

#: A role as the engine reads it: its name, and the rest.
_Role = tuple[str, int, Optional[int], list[int]]


class ExactGrouping(Groups[_engine.ExactPartition]):
    """Groups of players, what they cost together, and the proof of what any groups cost. Players are the numbers of rows."""

    __slots__ = ("_asked", "_proven", "_roles")

    def __init__(
        self,
        proven: _engine.Proven,
        partition: _engine.ExactPartition,
        players: int,
        roles: dict[int, str],
        asked: list[_Role],
        again: partial[_engine.ExactPartition],
    ) -> None:
        super().__init__(partition, players, again)
        self._proven = proven
        self._roles = roles
        self._asked = asked

    @property
    def groups(self) -> list[list[int]]:
        """The groups, members ascending, in the order of their bounds."""
        return self._proven.groups()

    @property
    def bench(self) -> list[int]:
        """Who waits, in no group."""
        return self._proven.bench()

    @property
    def roles(self) -> dict[int, str]:
        """What everybody plays who is in a group and can play some role."""
        return dict(self._roles)

    @property
    def cost(self) -> Union[int, float]:
        """What all groups cost, and those who wait: an exact int where costs are integers."""
        return self._proven.cost

    @property
    def bound(self) -> Union[None, int, float]:
        """No grouping is better than this: a lower bound, or an upper bound where the greatest total was asked for. None if
        nothing is known."""
        return self._proven.bound

    @property
    def gap(self) -> float:
        """How much better another grouping can be at most, in parts of the cost (of 1, if that is less); infinite if
        nothing is known."""
        return self._proven.gap

    @property
    def is_optimal(self) -> bool:
        """Whether this is proven to be the best."""
        return self._proven.is_optimal

    @property
    def status(self) -> str:
        """``"optimal"``, or ``"feasible"``: as it was asked for, but perhaps not the best, by :attr:`bound`."""
        return "optimal" if self.is_optimal else "feasible"

    @property
    def reason(self) -> Optional[str]:
        """Why it is not proven to be the best, None where it is."""
        return self._proven.reason

    @property
    def work(self) -> int:
        """Units of work that the search took, as ``work=`` limits them."""
        return self._proven.work

    @property
    def seconds(self) -> float:
        """What the search took."""
        return self._proven.seconds

    def verify(
        self, cost: Union[None, ArrayLike, GroupCost] = None, *, forbidden: Optional[ArrayLike] = None
    ) -> None:
        """Checks the groups, who plays what, what they cost, and the proof of the bound, by code that shares nothing with the search but
        how costs become integers: against the copy of the input that was made for it (a function is asked again), which an answer
        leaves behind when it goes to another process (by ``pickle``); or against a cost that is read anew, of the same
        number type, or of a narrower one that loses nothing by it.

        Raises :class:`VerifyError`: the first thing that is wrong.
        """
        self._partition_of(cost, forbidden).verify(self._proven)
        self._verify_roles()

    def _verify_roles(self) -> None:
        """That all play something that they can, and as many of each group each role as there must be; a group of nobody needs none."""
        able = {name: frozenset(players) for name, _, _, players in self._asked}
        in_groups = set(chain.from_iterable(self.groups))
        for player in sorted(in_groups.union(self._roles)):
            role = self._roles.get(player)
            if role is None and any(player in players for players in able.values()):
                raise VerifyError(f"player {player} plays nothing, and can")
            if role is not None and player not in in_groups:
                raise VerifyError(f"player {player} plays {role!r}, and is in no group")
            if role is not None and player not in able.get(role, ()):
                raise VerifyError(f"player {player} plays {role!r}, and cannot")
        for group, members in enumerate(self.groups):
            played = Counter(map(self._roles.get, members))
            for name, least, most, _ in self._asked if members else ():
                if not least <= played[name] <= (len(members) if most is None else most):
                    wanted = f"at least {least}" if most is None else f"{least} to {most}"
                    raise VerifyError(f"in group {group} {played[name]} play {name!r}; there should be {wanted}")

    def __repr__(self) -> str:
        return f"<ExactGrouping: {len(self)} groups, cost {self.cost}, {self.status}>"


def group_exactly(
    cost: Union[ArrayLike, GroupCost],
    *,
    players: Optional[int] = None,
    dtype: Union[None, type[int], type[float]] = None,
    size: Optional[int] = None,
    count: Optional[int] = None,
    sizes: Optional[Iterable[int]] = None,
    bounds: Optional[Iterable[tuple[int, int]]] = None,
    bench: Optional[int] = None,
    waiting: Optional[Prices] = None,
    maximise: bool = False,
    forbidden: Optional[ArrayLike] = None,
    apart: Iterable[Iterable[int]] = (),
    parties: Iterable[Iterable[int]] = (),
    pins: Union[None, Mapping[int, int], Iterable[tuple[int, int]]] = None,
    roles: Optional[Mapping[str, RoleOf]] = None,
    seconds: Optional[float] = None,
    work: Optional[int] = None,
    seed: int = 0,
    start: Optional[Sequence[Sequence[int]]] = None,
) -> ExactGrouping:
    """The best groups there are, with a proof; or, where a limit comes before that, good ones and a bound.

    >>> import numpy as np, pairgroup
    >>> skill = np.array([900, 1500, 1480, 950, 1490, 920])
    >>> healers, fighters = [1, 4, 5], [0, 1, 2, 3]
    >>> found = pairgroup.group_exactly(
    ...     abs(skill[:, None] - skill), size=3, roles={"healer": (1, 1, healers), "fighter": (1, None, fighters)}
    ... )
    >>> found.groups, found.cost, found.is_optimal
    ([[0, 3, 5], [1, 2, 4]], 140, True)
    >>> [player for player, role in found.roles.items() if role == "healer"]
    [5, 4]
    >>> found.verify()

    Some hundred players in groups of up to six are proven within seconds or minutes, costs at random less soon; of a
    thousand there is a bound. Where no proof is needed, :func:`group` is for any number of them.

    Args:
        waiting: What it costs that somebody is on the bench: one number for all, or one for each, in a sequence or a
            mapping; nothing if not given. With ``maximise`` it is what somebody there is worth.
        roles: What is played: a name, and for it the least and the greatest number of each group who play it (None: however
            many), and the players who can. Whoever can play some role plays one of those in his group. At most eight.
        seconds: Stop after so much time, with the best groups and the best bound so far. Without a limit the search ends
            with a proof, which may take long.
        work: The same, in units that are the same on every machine; see :attr:`ExactGrouping.work`.
        seed: Where chance begins in the search for the first groups.
        start: Groups to begin with; the answer is never worse.

    The rest is as for :func:`group`. A function is asked about every group that there can be, again and again: some dozens
    of players, and small groups, are what that is for. It is not asked about nobody: groups that stay empty cost nothing.
    Totals have 40 bits at most: greater integers are an error, floats are rounded to fit, and are then not called the best, but
    for the ``reason`` that says so.

    Raises:
        NoGrouping: There is none, which is proven, or none was found within the limits. ``group`` holds players whose wishes cannot all
            be met, where that is why.
        ValueError: Something is wrong with what was given: the message names the place, and what would be right.
        TypeError: Costs are no numbers of these types, or an option is none of its type.
        Exception: Whatever a function raises.
        MemoryError: Too many players for tables of all pairs.
        KeyboardInterrupt: Ctrl-C, within a moment once the costs are read.
    """
    question = _question(maximise, size, count, sizes, bounds, bench, apart, parties, pins)
    seconds, work = _input.limits(seconds, work)
    seed = _input.whole(seed, "seed", 0)
    all_roles = [] if roles is None else _roles(roles)
    begin = _start(start)
    costs = _read_costs(cost, forbidden, players, dtype)
    prices = None
    if waiting is not None:
        prices, widest = _input.prices(waiting, "waiting", range(costs.players), costs.dtype)
        if maximise:
            _input.check_price_signs(prices, "waiting", range(costs.players), widest)
        source = costs.source if callable(costs.source) else costs.source.astype(widest, copy=False)
        costs = costs._replace(source=source, dtype=widest)
    partition = _partition(question, all_roles, prices, costs)
    proven, casting = partition.solve(seconds=seconds, work=work, seed=seed, start=begin)
    played = {
        player: all_roles[role][0]
        for members, cast in zip(proven.groups(), casting)
        for player, role in zip(members, cast)
        if role is not None
    }
    again = partial(_reread, question, all_roles, prices, costs.players, costs.dtype)
    return ExactGrouping(proven, partition, costs.players, played, all_roles, again)


def _roles(given: Any) -> list[_Role]:
    if not isinstance(given, Mapping):
        raise TypeError(f"roles is {given!r}; give a mapping from names to (least, most, players)")
    return [_role(name, of) for name, of in given.items()]


def _role(name: Any, given: Any) -> _Role:
    if not isinstance(name, str):
        raise TypeError(f"the name of a role is {name!r}; give a string")
    try:
        least, most, players = given
    except (TypeError, ValueError):
        raise ValueError(f"role {name!r} is {given!r}; give (least, most, players)") from None
    least = _input.whole(least, f"the least number of role {name!r}", 0)
    most = None if most is None else _input.whole(most, f"the greatest number of role {name!r}", 0)
    if most is not None and least > most:
        raise ValueError(f"the least number of role {name!r} is {least}, and the greatest {most}; give (least, most, players)")
    return name, least, most, _players(_list(players, f"the players of role {name!r}"), f"role {name!r}")


def _partition(
    question: _Question, roles: list[_Role], waiting: Optional[np.ndarray], costs: _Costs
) -> _engine.ExactPartition:
    forbidden = question.forbidden(costs)
    return _engine.ExactPartition(costs.source, forbidden, **question.named(costs), roles=roles, waiting=waiting)


def _reread(
    question: _Question,
    roles: list[_Role],
    waiting: Optional[np.ndarray],
    players: int,
    dtype: np.dtype,
    cost: Any,
    forbidden: Any,
) -> _engine.ExactPartition:
    return _partition(question, roles, waiting, _reread_costs(players, dtype, cost, forbidden))
