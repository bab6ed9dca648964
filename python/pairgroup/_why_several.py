"""Why two are partners where everybody has several, or are not."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional, Union

from . import _engine
from ._answer import Answer, here
from ._input import Nodes


class BMatchingWhatIf(NamedTuple):
    """The best answer under one more condition: that a pair must be, or must not be."""

    #: As of a b-matching; ``"infeasible"`` where nothing meets the condition.
    status: str
    #: Why it is not proven to be the best, None where it is.
    reason: Optional[str]
    #: The pairs; None where there are none such, or were none found before a limit.
    pairs: Optional[list[tuple[Any, Any]]]
    #: Those of them that the answer that was asked about does not have; nothing where one of the two is not known.
    added: list[tuple[Any, Any]]
    #: Those pairs that it alone has, likewise.
    dropped: list[tuple[Any, Any]]
    #: The total, None where there are no pairs, and where floats do not reach it.
    cost: Union[None, int, float]
    #: Nothing that meets the condition is better than this; None where nothing does.
    bound: Union[None, int, float]
    #: By how much the total rises against the answer that was asked about; None where one of them is not known, and where
    #: floats do not reach it. Of floats it is the sum of what changes.
    change: Union[None, int, float]
    #: Units of work that it took; None where it is known that there is no such answer.
    work: Optional[int]
    #: Of an infeasible condition, why: as :class:`NoBMatching` has it, of the nodes without the pair. If that is forced, either
    #: of the two needs, and may have, one partner fewer there.
    removed: list[Any]
    #: The second part of that.
    wanting: list[Any]
    #: The third part of that.
    odd_components: list[list[Any]]
    #: So many partners are missing at least; 0 where it is not known who lacks them, and where ``barred`` is the reason.
    missing: int
    #: The one of the two, in a tuple, who may have no partners at all, if that is why they cannot be forced; else an empty one.
    barred: tuple[Any, ...]

    @property
    def is_infeasible(self) -> bool:
        """Whether nothing meets the condition."""
        return self.status == "infeasible"


class BMatchingExplanation(Answer):
    """What a pair costs, and what would be if it were forced, and if it were forbidden, where everybody has several
    partners."""

    __slots__ = ("_choice", "_forbidden", "_forced", "_instance", "_pair", "_told", "_why")
    _behind = ("_choice", "_instance", "_why")

    def __init__(
        self,
        why: _engine.WhySeveral,
        instance: _engine.Instance,
        choice: _engine.Choice,
        pair: tuple[Any, Any],
        nodes: Nodes,
    ) -> None:
        self._why = why
        self._instance = instance
        self._choice = choice
        self._pair = pair
        self._told = told = why.told()
        self._forced = None if told["forced"] is None else _named(told["forced"], nodes)
        self._forbidden = _named(told["forbidden"], nodes)

    @property
    def pair(self) -> tuple[Any, Any]:
        """The pair, in the order of nodes."""
        return self._pair

    @property
    def cost(self) -> Union[None, int, float]:
        """What the pair costs; None where it is forbidden, or no edge."""
        return self._told["cost"]

    @property
    def is_chosen(self) -> bool:
        """Whether the two are partners."""
        return self._told["is_chosen"]

    @property
    def forced(self) -> Optional[BMatchingWhatIf]:
        """The best answer with the pair; None where the pair has no cost, and so cannot be."""
        return self._forced

    @property
    def forbidden(self) -> BMatchingWhatIf:
        """The best answer without the pair."""
        return self._forbidden

    def verify(self) -> None:
        """Checks this against the copy of the input that was made for the solver, by code that shares nothing with it: the
        cost of the pair, the proofs of what would be, and that all else follows. The answer that was asked about has a
        check of its own, :meth:`BMatching.verify`.

        Raises :class:`VerifyError`: the first thing that is wrong, or that it is not known who lacks partners.
        """
        here(self._why, "verify where it was found").verify(self._instance, self._choice)

    def __repr__(self) -> str:
        u, v = self._pair
        forced = "cannot be" if self._forced is None else f"if forced {_said(self._forced)}"
        chosen = "chosen" if self.is_chosen else "not chosen"
        return f"<BMatchingExplanation: ({u!r}, {v!r}) {chosen}, {forced}, if forbidden {_said(self._forbidden)}>"


def _named(told: _engine.ToldWhatIfSeveral, nodes: Nodes) -> BMatchingWhatIf:
    """By the names of nodes."""

    def some(places: list[int]) -> list[Any]:
        return [nodes[at] for at in places]

    def twos(pairs: list[tuple[int, int]]) -> list[tuple[Any, Any]]:
        return [(nodes[u], nodes[v]) for u, v in pairs]

    pairs, barred = told["pairs"], told["barred"]
    return BMatchingWhatIf(
        status=told["status"],
        reason=told["reason"],
        pairs=None if pairs is None else twos(pairs),
        added=twos(told["added"]),
        dropped=twos(told["dropped"]),
        cost=told["cost"],
        bound=told["bound"],
        change=told["change"],
        work=told["work"],
        removed=some(told["removed"]),
        wanting=some(told["wanting"]),
        odd_components=[some(part) for part in told["odd_components"]],
        missing=told["missing"],
        barred=() if barred is None else (nodes[barred],),
    )


def _said(what_if: BMatchingWhatIf) -> str:
    return what_if.status if what_if.cost is None else f"cost {what_if.cost}"
