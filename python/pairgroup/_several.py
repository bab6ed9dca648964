"""Several different partners for each: exact b-matching."""

from __future__ import annotations

from functools import partial
from typing import Any, Callable, Hashable, Iterable, Mapping, NamedTuple, Optional, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike

from . import _engine, _input
from ._answer import Answer, check_given, here
from ._errors import NoBMatching
from ._input import Nodes
from ._pairing import Prices, _as_was, _graph_edges
from ._why_several import BMatchingExplanation

#: So many partners, or the least and the greatest number of them.
Number = Union[int, tuple[int, int]]
Partners = Union[Number, Sequence[Number], Mapping[Any, Number], "np.ndarray[Any, Any]"]

#: Nodes that are named in a message.
_NAMED = 5


class BMatching(Answer):
    """Who is put with whom, where everybody gets several partners; what that costs, and the proof.

    Nodes are named as they were given: by the numbers of rows, or by the names of the graph.
    """

    __slots__ = ("_again", "_choice", "_instance", "_is_rounded", "_nodes", "_partners", "_places")
    _behind = ("_instance", "_partners", "_places")

    def __init__(
        self,
        choice: _engine.Choice,
        instance: _engine.Instance,
        nodes: Nodes,
        again: Callable[..., _engine.Instance],
        is_rounded: bool = False,
    ) -> None:
        self._choice = choice
        self._instance: Optional[_engine.Instance] = instance
        self._nodes = nodes
        self._again = again
        self._is_rounded = is_rounded
        self._partners: Optional[dict[Hashable, list[Any]]] = None
        self._places: Optional[dict[Hashable, int]] = None

    @property
    def pairs(self) -> list[tuple[Any, Any]]:
        """The pairs, each and all in the order of nodes."""
        nodes = self._nodes
        return [(nodes[u], nodes[v]) for u, v in self.ends.tolist()]

    @property
    def ends(self) -> np.ndarray:
        """The same as positions in :attr:`nodes`, one row for each pair: ``cost[tuple(ends.T)]`` are their costs."""
        return self._choice.ends()

    @property
    def weights(self) -> np.ndarray:
        """What each of :attr:`pairs` costs, in the number type of the costs."""
        return self._choice.weights()

    @property
    def degree(self) -> np.ndarray:
        """For each node, by its position in :attr:`nodes`, how many partners it has."""
        return np.bincount(self.ends.ravel(), minlength=len(self._nodes))

    @property
    def nodes(self) -> Nodes:
        """The nodes by position."""
        return self._nodes

    def partners(self, node: Hashable) -> list[Any]:
        """The partners of a node, in the order of nodes. Raises KeyError if there is no such node."""
        if self._partners is None:
            partners: dict[Hashable, list[Any]] = {name: [] for name in self._nodes}
            # Of ordered pairs those in which a node is the higher one come first, in the order of their lower ones.
            for u, v in self.pairs:
                partners[u].append(v)
                partners[v].append(u)
            self._partners = partners
        return list(self._partners[node])

    @property
    def cost(self) -> Union[int, float]:
        """The total of the pairs and of what missing partners cost: an exact int where costs are integers, however large;
        of floats the one nearest to the exact total."""
        return self._choice.cost

    @property
    def bound(self) -> Union[int, float]:
        """No answer is better than this: a lower bound, or an upper bound where the greatest total was asked for."""
        return self._choice.bound

    @property
    def is_optimal(self) -> bool:
        """Whether this is proven to be the best."""
        return self._choice.status == "optimal"

    @property
    def status(self) -> str:
        """``"optimal"``; ``"feasible"``: as it was asked for, but perhaps not the best, by :attr:`bound`; ``"unknown"``:
        some have fewer partners than they should, as the search was stopped."""
        return self._choice.status

    @property
    def reason(self) -> Optional[str]:
        """Why it is not proven to be the best, None where it is."""
        return self._choice.reason

    @property
    def work(self) -> int:
        """Units of work that the search took, as ``work=`` limits them."""
        return self._choice.work

    def explain(
        self,
        node: Hashable,
        other: Hashable,
        *,
        seconds: Optional[float] = None,
        work: Optional[int] = None,
        threads: Optional[int] = None,
    ) -> BMatchingExplanation:
        """Why two are partners, or are not: what the pair costs, the best answer to the same question with the pair, and the
        best one without it, each with its proof. A proven best answer is one of the two by itself; the other one takes
        about as long to find as an answer does.

        >>> import numpy as np, pairgroup
        >>> rating = np.array([1510, 1180, 1495, 1220, 1300, 1410])
        >>> evening = pairgroup.pair_several(abs(rating[:, None] - rating), 3)
        >>> why = evening.explain(0, 2)  # What if they must not play each other? It would cost 390 more.
        >>> why.cost, why.is_chosen, why.forbidden.change
        (15, True, 390)
        >>> why.forbidden.added, why.forbidden.dropped
        ([(0, 4), (1, 2), (3, 5)], [(0, 2), (1, 5), (3, 4)])

        Args:
            node: A node.
            other: Another one.
            seconds: Stop after so much time, for both answers together: what was found so far is told, see
                :attr:`BMatchingWhatIf.status`. Nothing can be better than its ``bound``, which the proof of this answer makes
                tighter.
            work: The same, in units that are the same on every machine.
            threads: As for :func:`pair`; all cores from 1000 nodes on if not given, else 1.

        Raises:
            KeyError: There is no such node.
            ValueError: Both are the same.
            KeyboardInterrupt: Ctrl-C, within a moment.
        """
        if self._places is None:
            self._places = {name: at for at, name in enumerate(self._nodes)}
        u, v = sorted((self._places[node], self._places[other]))
        if u == v:
            raise ValueError(f"node and other are both {node!r}; give two different nodes")
        seconds, work = _input.limits(seconds, work)
        instance = here(self._instance, "ask where the answer was found")
        why = _engine.WhySeveral(
            instance,
            self._choice,
            u,
            v,
            seconds=seconds,
            work=work,
            threads=_input.threads(threads, len(self._nodes), True),
            rounded=self._is_rounded,
        )
        return BMatchingExplanation(why, instance, self._choice, (self._nodes[u], self._nodes[v]), self._nodes)

    def verify(self, *source: Any, **options: Any) -> None:
        """Checks the answer and its proof, by code that shares nothing with the search for it.

        Without arguments, against the copy of the input that was made for the solver, which an answer leaves behind when it goes to
        another process (by ``pickle``). With arguments, against an input
        that is read anew: those of the function that made this answer which say what the costs are, such as
        ``verify(cost, forbidden=mask)`` or ``verify(edges)``. How many partners there should be, and what missing ones
        cost, is what was asked.

        Raises :class:`VerifyError`: the first thing that is wrong.
        """
        if source or options:
            check_given(self._again, source, options)
            instance = self._again(*source, **options)
        else:
            instance = here(self._instance, "give that to verify it, as in verify(cost)")
        instance.verify_several(self._choice)

    def __len__(self) -> int:
        """The number of pairs."""
        return len(self.ends)

    def __iter__(self) -> Any:
        return iter(self.pairs)

    def __repr__(self) -> str:
        return f"<BMatching: {len(self)} pairs, cost {self.cost}, {self.status}>"


class _Options(NamedTuple):
    """What the functions below have in common."""

    partners: Partners
    maximise: bool
    missing: Optional[Prices]
    seconds: Optional[float]
    work: Optional[int]
    threads: Optional[int]
    rounded: bool


def _solve(
    build: Callable[[bool, np.dtype], _engine.Instance],
    reread: Callable[..., _engine.Instance],
    nodes: Nodes,
    dtype: np.dtype,
    is_dense: bool,
    options: _Options,
) -> BMatching:
    """Solves what `build` makes of the input, in a number type that holds prices, too; `reread` makes it of another one."""
    maximise, rounded = bool(options.maximise), bool(options.rounded)
    least, most = _input.partners(options.partners, nodes)
    seconds, work = _input.limits(options.seconds, options.work)
    threads = _input.threads(options.threads, len(nodes), is_dense)
    prices = None
    if options.missing is not None:
        prices, dtype = _input.prices(options.missing, "missing", nodes, dtype)
    instance = build(maximise, dtype)
    found = instance.solve_several(
        least, most, prices, maximise=maximise, seconds=seconds, work=work, threads=threads, rounded=rounded
    )
    if isinstance(found, _engine.NoChoice):
        raise _no_choice(instance, found, nodes, least)
    return BMatching(found, instance, nodes, partial(reread, maximise, dtype), rounded)


def _no_choice(
    instance: _engine.Instance, none: _engine.NoChoice, nodes: Nodes, least: np.ndarray
) -> NoBMatching:
    removed, wanting = ([nodes[at] for at in some] for some in (none.removed, none.wanting))
    components = [[nodes[at] for at in component] for component in none.odd_components]
    why = _why(none, removed, wanting, components, least)
    message = f"no pairs give everybody as many different partners as asked for: {why}"
    return NoBMatching(message, removed, wanting, components, none.missing, lambda: instance.verify_no_choice(none))


def _why(
    none: _engine.NoChoice,
    removed: list[Any],
    wanting: list[Any],
    components: list[list[Any]],
    least: np.ndarray,
) -> str:
    """What the sets of a witness say."""
    shared, elsewhere = none.available
    some = _named(components[0]) if components else ""
    if len(components) > 1:
        some = f"{len(components)} sets, such as {some}"
    if wanting:
        needed = int(least[none.wanting].sum())
        why = f"{_named(wanting)} should have {_partners(needed)} and can have {shared + elsewhere} at most"
        if removed:
            why += f" ({shared} by {_named(removed)}, {elsewhere} by others)"
        if components:
            lost = "one of these is" if len(components) == 1 else "one of these each is"
            why += f"; {lost} lost to {some}, whose fixed numbers have an odd sum"
        return why
    subject = some if len(components) == 1 else f"each of {some},"
    has, needs = ("have", "need") if len(components) == 1 and len(components[0]) > 1 else ("has", "needs")
    if removed:
        whom = f"{_named(removed)}, who can have {_partners(shared)} in all"
        return f"{subject} {has} fixed numbers of an odd sum, and so {needs} {whom}"
    if components:
        return f"{subject} can have nobody but each other, and should have an odd number of partners in all"
    return "who lacks them was not found within the limits"


def _partners(number: int) -> str:
    return f"{number} partner" if number == 1 else f"{number} partners"


def _named(nodes: Sequence[Any]) -> str:
    """Some nodes, for a message."""
    names = ", ".join(repr(node) for node in nodes[:_NAMED])
    more = f" and {len(nodes) - _NAMED} more" if len(nodes) > _NAMED else ""
    return f"{'node' if len(nodes) == 1 else 'nodes'} {names}{more}"


def pair_several(
    cost: ArrayLike,
    partners: Partners,
    *,
    forbidden: Optional[ArrayLike] = None,
    maximise: bool = False,
    missing: Optional[Prices] = None,
    seconds: Optional[float] = None,
    work: Optional[int] = None,
    threads: Optional[int] = None,
    rounded: bool = False,
) -> BMatching:
    """Several different partners for everybody, by a symmetric matrix of costs; exact, with a proof.

    That is a simple b-matching (a b-factor where numbers are fixed, a k-factor where they are the same for all).

    >>> import numpy as np, pairgroup
    >>> rating = np.array([1510, 1180, 1495, 1220, 1300, 1410])
    >>> gap = abs(rating[:, None] - rating)
    >>> evening = pairgroup.pair_several(gap, 3)  # Three games each, never twice against the same.
    >>> evening.partners(1), evening.cost, evening.is_optimal
    ([3, 4, 5], 1155, True)

    Whoever finds no even game may play less, at 100 for each game:

    >>> evening = pairgroup.pair_several(gap, (1, 3), missing=100)
    >>> evening.degree.tolist(), evening.cost
    ([2, 2, 2, 2, 3, 3], 950)

    Args:
        cost: As for :func:`pair`.
        partners: How many. One number for all, or a tuple ``(least, most)``; one number for each, in a sequence or an
            array; bounds for each, as tuples in a sequence, or as an array with two columns; a mapping from nodes to
            either. Nobody has more partners than there are to pair with: more may be allowed, and are missing then.
        forbidden: As for :func:`pair`.
        maximise: Ask for the greatest total in place of the least.
        missing: What each partner costs that somebody has fewer than his most (with ``maximise``: what that is worth):
            one price for all, or one for each, in a sequence or a mapping. Nothing if not given; the least total may then
            be that of few pairs, or none, where ``least`` allows it.
        seconds: Stop after so much time: what was found so far is returned, see :attr:`BMatching.status`. Reading the
            costs is not cut short.
        work: The same, in units that are the same on every machine; see :attr:`BMatching.work`.
        threads: As for :func:`pair`.
        rounded: As for :func:`pair`.

    With one partner each, :func:`pair` finds the same total, and sooner. Many partners each take little longer than few: to
    choose half of everybody, or any number, is a matter of a second for hundreds of nodes.

    Raises:
        NoBMatching: There is none, with who cannot have enough partners, and the reason as attributes.
        ValueError: Something is wrong with what was given: the message names the place, and what would be right.
        TypeError: Costs are no numbers of these types, or an option is none of its type.
        MemoryError: So many partners among so many nodes that the search would take more than 16 GiB.
        KeyboardInterrupt: Ctrl-C, within a moment once the costs are read.
    """
    array, mask = _input.matrix(cost, forbidden)

    def build(maximise: bool, dtype: np.dtype) -> _engine.Instance:
        return _engine.Instance.from_matrix(array.astype(dtype, copy=False), mask, maximise, False)

    options = _Options(partners, maximise, missing, seconds, work, threads, rounded)
    return _solve(build, _reread_matrix, range(len(array)), array.dtype, True, options)


def _reread_matrix(maximise: bool, dtype: np.dtype, cost: Any, *, forbidden: Any = None) -> _engine.Instance:
    array, mask = _input.matrix(cost, forbidden)
    return _engine.Instance.from_matrix(_as_was(array, dtype), mask, maximise, False)


def _from_edges(
    prepare: Callable[..., _input.Edges], source: tuple[Any, ...], nodes: Any, options: _Options
) -> BMatching:
    """What the three below have in common: `prepare` makes arrays and nodes of what was given."""
    u, v, weight, names = prepare(*source, nodes=nodes)

    def build(maximise: bool, dtype: np.dtype) -> _engine.Instance:
        return _engine.Instance.from_edges(len(names), u, v, weight.astype(dtype, copy=False), maximise, False)

    reread = partial(_reread_edges, prepare, names)
    return _solve(build, reread, names, weight.dtype, _input.is_dense(weight, names), options)


def _reread_edges(
    prepare: Callable[..., _input.Edges], names: Nodes, maximise: bool, dtype: np.dtype, *source: Any, **named: Any
) -> _engine.Instance:
    check_given(prepare, source, named, known=["nodes"])
    u, v, weight, _ = prepare(*source, **named, nodes=len(names) if isinstance(names, range) else names)
    return _engine.Instance.from_edges(len(names), u, v, _as_was(weight, dtype), maximise, False)


def pair_several_edges(
    edges: Iterable[tuple[Hashable, Hashable, float]],
    partners: Partners,
    nodes: Union[None, int, Iterable[Hashable]] = None,
    *,
    maximise: bool = False,
    missing: Optional[Prices] = None,
    seconds: Optional[float] = None,
    work: Optional[int] = None,
    threads: Optional[int] = None,
    rounded: bool = False,
) -> BMatching:
    """Several different partners for everybody along edges ``(node, node, weight)``; exact, with a proof.

    >>> import pairgroup
    >>> games = [("ann", "bob", 4), ("bob", "cid", 1), ("cid", "dan", 4), ("dan", "ann", 5), ("ann", "cid", 2)]
    >>> pairgroup.pair_several_edges(games, {"ann": 2, "bob": 1, "cid": 2, "dan": (0, 1)}, maximise=True).pairs
    [('ann', 'bob'), ('ann', 'cid'), ('cid', 'dan')]

    Args:
        edges: As for :func:`pair_edges`. Of several between the same two nodes the best counts, and only once.
        partners: As for :func:`pair_several`. Sequences and arrays are in the order of nodes; a mapping names them.
        nodes: As for :func:`pair_edges`.

    The rest is as for :func:`pair_several`.
    """
    options = _Options(partners, maximise, missing, seconds, work, threads, rounded)
    return _from_edges(_input.named_edges, (edges,), nodes, options)


def pair_several_arrays(
    u: ArrayLike,
    v: ArrayLike,
    weight: ArrayLike,
    partners: Partners,
    nodes: Optional[int] = None,
    *,
    maximise: bool = False,
    missing: Optional[Prices] = None,
    seconds: Optional[float] = None,
    work: Optional[int] = None,
    threads: Optional[int] = None,
    rounded: bool = False,
) -> BMatching:
    """The same from three arrays: edge ``k`` joins the nodes ``u[k]`` and ``v[k]``, numbered from 0, and costs
    ``weight[k]``.

    >>> import pairgroup
    >>> pairgroup.pair_several_arrays([0, 1, 2, 3, 0], [1, 2, 3, 0, 2], [4, 1, 4, 5, 9], [2, 1, 2, 1]).ends.tolist()
    [[0, 2], [0, 3], [1, 2]]

    Args:
        nodes: Their number; that of the highest one and 1 if not given.

    The rest is as for :func:`pair_several_edges`.
    """
    options = _Options(partners, maximise, missing, seconds, work, threads, rounded)
    return _from_edges(_input.array_edges, (u, v, weight), nodes, options)


def pair_several_graph(
    graph: Any,
    partners: Partners,
    weight: str = "weight",
    *,
    default: float = 1,
    maximise: bool = False,
    missing: Optional[Prices] = None,
    seconds: Optional[float] = None,
    work: Optional[int] = None,
    threads: Optional[int] = None,
    rounded: bool = False,
) -> BMatching:
    """The same for a graph of networkx, or one with the same methods, as :func:`pair_graph` has it.

    Networkx has no b-matching of least or greatest weight. What it has are special cases: ``networkx.k_factor(G, k)``
    finds some k-factor, where ``pair_several_graph(G, k)`` finds the one of least weight, and says why where there is
    none; ``networkx.max_weight_matching(G)`` is ``partners=(0, 1)`` with ``maximise``.

    Args:
        weight: The attribute of edges that is their cost.
        default: The cost of edges without it.

    The rest is as for :func:`pair_several_edges`.
    """
    options = _Options(partners, maximise, missing, seconds, work, threads, rounded)
    return _from_edges(partial(_graph_edges, weight=weight, default=default), (graph,), None, options)
