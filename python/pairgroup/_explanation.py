"""Why players are where they are: explanations of groups, as plain data."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional, Union

from . import _engine, _input


class Exchange(NamedTuple):
    """Parties of one place go to another one, and others may come for them. A player alone is a party of one; of places,
    None is the bench."""

    #: The parties that leave: first that of the player who was asked about, then those that go along with it.
    leave: list[list[int]]
    #: Where they leave.
    origin: Optional[int]
    #: The parties that come for them, none where the others only move.
    come: list[list[int]]
    #: Where they go, and those who come are.
    to: Optional[int]
    #: By how much the total rises: below zero, or above it where the greatest total is asked for, groups become better.
    #: None where it is not allowed.
    change: Union[None, int, float]
    #: Why it is not allowed, None where it is.
    reason: Optional[str]


class Explanation(NamedTuple):
    """Where a player is, what that costs, and what exchanges would change."""

    player: int
    #: Everybody in his party; himself alone where he has none.
    party: list[int]
    #: His group, None where he waits.
    group: Optional[int]
    #: What the group costs; nothing where he waits.
    cost: Union[int, float]
    #: What he costs with each other one of the group.
    pairs: dict[int, Union[int, float]]
    #: All exchanges that were looked at: the best ones first, then those that are not allowed.
    exchanges: list[Exchange]
    #: How many exchanges were not looked at: of one party against several, where there are very many; of whatever kind,
    #: where a limit ended it.
    left_out: int
    #: What ended it, in words.
    stop: str


class PairExplanation(NamedTuple):
    """Whether two players are in one group, and what exchanges would change that."""

    players: tuple[int, int]
    #: Their groups, None for who waits.
    groups: tuple[Optional[int], Optional[int]]
    #: Whether they are of one party, and so always in one place: then there are no exchanges.
    is_party: bool
    #: What the two cost together; None where they must be apart, or groups cost something as a whole.
    cost: Union[None, int, float]
    #: What keeps the two apart in every grouping, in words; None where nothing is seen to.
    obstacle: Optional[str]
    #: The exchanges that put them into one group, or take one of them out of it: the best ones first, then those that are
    #: not allowed.
    exchanges: list[Exchange]
    #: How many exchanges were not looked at, whether they would change that or not.
    left_out: int
    #: What ended it, in words.
    stop: str

    @property
    def are_together(self) -> bool:
        """Whether they are in one group. Who waits is together with nobody."""
        return self.groups[0] is not None and self.groups[0] == self.groups[1]


def known_player(given: Any, what: str, players: int) -> int:
    """The number of one of so many players."""
    player = _input.whole(given, what, 0)
    if player >= players:
        raise ValueError(f"{what} is {player}; there are {players}, numbered from 0")
    return player


def of_player(player: int, told: _engine.Explained) -> Explanation:
    """What the engine says of one player."""
    return Explanation(
        player,
        told["party"],
        told["group"],
        told["cost"],
        dict(told["pairs"]),
        _exchanges(told["exchanges"]),
        told["left_out"],
        told["stop"],
    )


def of_pair(players: tuple[int, int], told: _engine.ExplainedPair) -> PairExplanation:
    """What the engine says of two players."""
    return PairExplanation(
        players,
        told["groups"],
        told["is_party"],
        told["cost"],
        told["obstacle"],
        _exchanges(told["exchanges"]),
        told["left_out"],
        told["stop"],
    )


def _exchanges(told: list[_engine.Exchanged]) -> list[Exchange]:
    return [Exchange(**exchange) for exchange in told]
