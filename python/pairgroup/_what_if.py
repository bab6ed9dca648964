"""Why two are a pair, or are not."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional, Union

from . import _engine
from ._answer import Answer, here
from ._input import Nodes


class WhatIf(NamedTuple):
    """The best answer under one more condition: that a pair must be, or must not be."""

    #: As of a pairing; ``"infeasible"`` where nothing meets the condition, which is proven.
    status: str
    #: Why it is not proven to be the best, None where it is.
    reason: Optional[str]
    #: The pairs; None where there are none such, or were none found before a limit.
    pairs: Optional[list[tuple[Any, Any]]]
    #: The total, None where there are no pairs, and where floats do not reach it.
    cost: Union[None, int, float]
    #: Nothing that meets the condition is better than this; None where nothing does.
    bound: Union[None, int, float]
    #: By how much the total rises against the answer that was asked about; None where one of them is not known, and where
    #: floats do not reach it. Of floats it is the sum of what changes. With ``pairs="most"`` fewer pairs come before any
    #: total: compare their numbers first.
    change: Union[None, int, float]
    #: Units of work that it took; None where it is proven that there is no such answer.
    work: Optional[int]
    #: Of an infeasible condition, why: as :class:`NoPerfectMatching` has it, of the nodes without the pair that is forbidden,
    #: or without the two nodes that are forced to be one.
    removed: list[Any]
    #: The other part of that.
    odd_components: list[list[Any]]

    @property
    def is_infeasible(self) -> bool:
        """Whether nothing meets the condition."""
        return self.status == "infeasible"


class PairingExplanation(Answer):
    """What a pair costs, and what would be if it were forced, and if it were forbidden."""

    __slots__ = ("_forbidden", "_forced", "_instance", "_pair", "_solution", "_told", "_why")
    _behind = ("_instance", "_solution", "_why")

    def __init__(
        self, why: _engine.Why, instance: _engine.Instance, solution: _engine.Solution, pair: tuple[Any, Any], nodes: Nodes
    ) -> None:
        self._why = why
        self._instance = instance
        self._solution = solution
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
        """Whether the two have each other."""
        return self._told["is_chosen"]

    @property
    def forced(self) -> Optional[WhatIf]:
        """The best answer with the pair; None where the pair has no cost, and so cannot be."""
        return self._forced

    @property
    def forbidden(self) -> WhatIf:
        """The best answer without the pair."""
        return self._forbidden

    def verify(self) -> None:
        """Checks this against the copy of the input that was made for the solver, by code that shares nothing with it: the
        cost of the pair, the proofs of what would be, and that all else follows. The pairing that was asked about has a
        check of its own, :meth:`Pairing.verify`.

        Raises :class:`VerifyError`: the first thing that is wrong.
        """
        here(self._why, "verify where it was found").verify(self._instance, self._solution)

    def __repr__(self) -> str:
        u, v = self._pair
        forced = "cannot be" if self._forced is None else f"if forced {_said(self._forced)}"
        chosen = "chosen" if self.is_chosen else "not chosen"
        return f"<PairingExplanation: ({u!r}, {v!r}) {chosen}, {forced}, if forbidden {_said(self._forbidden)}>"


def _named(told: _engine.ToldWhatIf, nodes: Nodes) -> WhatIf:
    """By the names of nodes."""
    pairs = told["pairs"]
    return WhatIf(
        told["status"],
        told["reason"],
        None if pairs is None else [(nodes[u], nodes[v]) for u, v in pairs],
        told["cost"],
        told["bound"],
        told["change"],
        told["work"],
        [nodes[at] for at in told["removed"]],
        [[nodes[at] for at in part] for part in told["odd_components"]],
    )


def _said(what_if: WhatIf) -> str:
    return what_if.status if what_if.cost is None else f"cost {what_if.cost}"
