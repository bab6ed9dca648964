"""Exact pairing."""

from __future__ import annotations

from functools import partial
from typing import Any, Callable, Hashable, Iterable, Literal, Mapping, NamedTuple, Optional, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike

from . import _engine, _input
from ._answer import Answer, check_given, here
from ._errors import NoPerfectMatching
from ._input import Nodes
from ._what_if import PairingExplanation

Prices = Union[float, Mapping[Any, float], Sequence[float], "np.ndarray[Any, Any]"]
Pairs = Literal["all", "most", "any"]

#: Whether the greatest total is asked for, and whether costs change their sign for the engine.
Sense = tuple[bool, bool]


class WorstPair(NamedTuple):
    """The worst pair of a pairing, and the proof that no pairing has a better one: a Tutte-Berge set, of the pairs that are
    better than :attr:`bound` alone."""

    #: What it costs.
    cost: Union[int, float]
    #: The worst pair of no pairing is better than this; the same as :attr:`cost`, unless a limit ended the search.
    bound: Union[int, float]
    #: Nodes without which there are more odd components than they are.
    removed: list[Any]
    #: These: no pair better than :attr:`bound` leads out of one of them, but to the nodes that are removed.
    odd_components: list[list[Any]]


class Pairing(Answer):
    """Who is put with whom, what that costs, and the proof.

    Nodes are named as they were given: by the numbers of rows, or by the names of the graph.
    """

    __slots__ = ("_again", "_instance", "_is_rounded", "_nodes", "_places", "_solution", "_worst_first")
    _behind = ("_instance", "_places")

    def __init__(
        self,
        solution: _engine.Solution,
        instance: _engine.Instance,
        nodes: Nodes,
        again: Callable[..., _engine.Instance],
        is_rounded: bool = False,
        worst_first: bool = False,
    ) -> None:
        self._solution = solution
        self._instance: Optional[_engine.Instance] = instance
        self._nodes = nodes
        self._again = again
        self._is_rounded = is_rounded
        self._worst_first = worst_first
        self._places: Optional[dict[Hashable, int]] = None

    @property
    def pairs(self) -> list[tuple[Any, Any]]:
        """The pairs, each and all in the order of nodes."""
        nodes = self._nodes
        return [(nodes[u], nodes[v]) for u, v in self._solution.pairs()]

    @property
    def weights(self) -> np.ndarray:
        """What each of :attr:`pairs` costs, in the number type of the costs."""
        return self._solution.weights()

    @property
    def mate(self) -> np.ndarray:
        """For each node, by its position in :attr:`nodes`, the position of its partner; -1 where it has none."""
        return self._solution.mates()

    @property
    def nodes(self) -> Nodes:
        """The nodes by position."""
        return self._nodes

    @property
    def alone(self) -> list[Any]:
        """The nodes without a partner."""
        return [self._nodes[at] for at in np.flatnonzero(self.mate < 0).tolist()]

    def partner(self, node: Hashable) -> Any:
        """The partner of a node, None where it has none. Raises KeyError if there is no such node."""
        mate = int(self.mate[self._place(node)])
        return None if mate < 0 else self._nodes[mate]

    def _place(self, node: Hashable) -> int:
        if self._places is None:
            self._places = {name: at for at, name in enumerate(self._nodes)}
        return self._places[node]

    @property
    def cost(self) -> Union[int, float]:
        """The total, with the prices of those who stay alone: an exact int where costs are integers, however large; of
        floats the one nearest to the exact total."""
        return self._solution.cost

    @property
    def bound(self) -> Union[int, float]:
        """No answer is better than this: a lower bound, or an upper bound where the greatest total was asked for. With
        ``pairs="most"`` it is about matchings with most pairs, and says nothing before the search has ended: see
        :meth:`most_pairs`."""
        return self._solution.bound

    @property
    def is_optimal(self) -> bool:
        """Whether this is proven to be the best."""
        return self._solution.status == "optimal"

    @property
    def status(self) -> str:
        """``"optimal"``; ``"feasible"``: as it was asked for, but perhaps not the best, by :attr:`bound`; ``"unknown"``:
        some who should have a partner have none yet, as the search was stopped."""
        return self._solution.status

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
        """Which engine has found it: ``"small"``, ``"sparse"``, ``"dense"``, of points ``"embedded"``, of edges that
        all cost the same ``"cardinality"``."""
        return self._solution.engine

    @property
    def worst(self) -> Optional[WorstPair]:
        """Where ``worst_first`` was asked for: what the worst pair costs, and why none can do with a better one. None
        elsewhere, and while there is no pairing of all (:attr:`status`)."""
        found = self._solution.worst()
        if found is None:
            return None
        cost, bound, removed, components = found
        names = self._nodes
        return WorstPair(
            cost, bound, [names[at] for at in removed], [[names[at] for at in component] for component in components]
        )

    def most_pairs(self) -> int:
        """How many pairs there can be at most, by the proof. Tells of a search with ``pairs="most"`` that was stopped how
        many more there might have been."""
        return here(self._instance, "ask where the answer was found").pairs_at_most(self._solution)

    def explain(
        self,
        node: Hashable,
        other: Optional[Hashable] = None,
        *,
        seconds: Optional[float] = None,
        work: Optional[int] = None,
        threads: Optional[int] = None,
    ) -> PairingExplanation:
        """Why two are a pair, or are not: what the pair costs, the best answer to the same question with the pair, and the
        best one without it, each with its proof. A proven best answer is one of the two by itself; the other one takes
        about as long to find as an answer does.

        >>> import numpy as np, pairgroup
        >>> rating = np.array([1510, 1180, 1495, 1220])
        >>> pairing = pairgroup.pair(abs(rating[:, None] - rating))
        >>> why = pairing.explain(0, 3)  # Why do they not play each other? It would cost 550 more.
        >>> why.cost, why.is_chosen, why.forced.change, why.forced.pairs
        (290, False, 550, [(0, 3), (1, 2)])
        >>> pairing.explain(0).forbidden.change  # And why is 2 the one for 0?
        550

        Args:
            node: A node.
            other: Another one; the partner of the first one if not given. (So it has to be given where a node's name is
                None.)
            seconds: Stop after so much time, for both answers together: what was found so far is told, see
                :attr:`WhatIf.status`.
            work: The same, in units that are the same on every machine.
            threads: As for :func:`pair`; all cores from 1000 nodes on if not given, else 1.

        Raises:
            KeyError: There is no such node.
            ValueError: Both are the same, or the node has no partner and no other one was given, or the worst pair came first.
            KeyboardInterrupt: Ctrl-C, within a moment.
        """
        if self._worst_first:
            raise ValueError("explanations are about totals alone; ask without worst_first")
        u = self._place(node)
        if other is None:
            v = int(self.mate[u])
            if v < 0:
                raise ValueError(f"node {node!r} has no partner; give another node, to ask about the two")
        else:
            v = self._place(other)
        if u == v:
            raise ValueError(f"node and other are both {node!r}; give two different nodes, or one")
        u, v = min(u, v), max(u, v)
        seconds, work = _input.limits(seconds, work)
        instance = here(self._instance, "ask where the answer was found")
        why = _engine.Why(
            instance,
            self._solution,
            u,
            v,
            seconds=seconds,
            work=work,
            threads=_input.threads(threads, len(self._nodes), True),
            rounded=self._is_rounded,
        )
        return PairingExplanation(why, instance, self._solution, (self._nodes[u], self._nodes[v]), self._nodes)

    def verify(self, *source: Any, **options: Any) -> None:
        """Checks the answer and its proof, by code that shares nothing with the solver.

        Without arguments, against the copy of the input that was made for the solver, which an answer leaves behind when it goes to
        another process (by ``pickle``). With arguments, against an input
        that is read anew: those of the function that made this answer which say what the costs are, such as
        ``verify(cost, forbidden=mask)`` or ``verify(edges)``.

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
        return f"<Pairing: {len(self)} pairs, cost {self.cost}, {self.status}>"


def _question(maximise: bool, pairs: Optional[str], alone: Any, bye: Any, worst_first: bool) -> tuple[str, bool]:
    """The engine's objective, and whether costs change their sign for it."""
    if worst_first and (alone is not None or pairs in ("most", "any")):
        what = "alone" if alone is not None else f"pairs={pairs!r}"
        raise ValueError(f"worst_first and {what} were both given: where anybody may stay alone, no pair at all would be best")
    if alone is not None or bye is not None:
        if alone is not None and bye is not None:
            raise ValueError("alone and bye were both given: either anybody may stay alone, or one of an odd number")
        if pairs is not None:
            raise ValueError(f"pairs={pairs!r} was given with prices; who stays alone is for alone or bye to say")
        return ("min_opt_out" if alone is not None else "min_bye"), maximise
    if pairs in (None, "all"):
        return ("max_perfect" if maximise else "min_perfect"), False
    if pairs in ("most", "any"):
        return ("max_cardinality" if pairs == "most" else "max_weight"), not maximise
    raise ValueError(f'pairs is {pairs!r}; give "all", "most" or "any"')


class _Options(NamedTuple):
    """What the functions below have in common."""

    maximise: bool
    pairs: Optional[str]
    alone: Optional[Prices]
    bye: Optional[Prices]
    seconds: Optional[float]
    work: Optional[int]
    threads: Optional[int]
    rounded: bool
    worst_first: bool


def _solve(
    build: Callable[[Sense, np.dtype], _engine.Instance],
    reread: Callable[..., _engine.Instance],
    nodes: Nodes,
    dtype: np.dtype,
    is_dense: bool,
    options: _Options,
    kind: type[Pairing] = Pairing,
) -> Pairing:
    """Solves what `build` makes of the input, in a number type that holds prices, too; `reread` makes it of another one."""
    alone, bye, rounded = options.alone, options.bye, bool(options.rounded)
    objective, negate = _question(bool(options.maximise), options.pairs, alone, bye, options.worst_first)
    sense = (bool(options.maximise), negate)
    seconds, work = _input.limits(options.seconds, options.work)
    threads = _input.threads(options.threads, len(nodes), is_dense)
    what, given = ("alone", alone) if alone is not None else ("bye", bye)
    prices = None
    if given is not None:
        prices, dtype = _input.prices(given, what, nodes, dtype)
        if negate:
            _input.check_price_signs(prices, what, nodes, dtype)
    instance = build(sense, dtype)
    found = instance.solve(
        objective,
        prices,
        worst_first=bool(options.worst_first),
        seconds=seconds,
        work=work,
        threads=threads,
        rounded=rounded,
    )
    if isinstance(found, _engine.Witness):
        raise _no_matching(instance, found, nodes, objective, has_pairs=kind is Pairing)
    return kind(found, instance, nodes, partial(reread, sense, dtype), rounded, bool(options.worst_first))


def _as_was(array: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """In the number type of an answer, where nothing is lost by that; the checker refuses others."""
    return array.astype(dtype, copy=False) if np.can_cast(array.dtype, dtype, "safe") else array


def _no_matching(
    instance: _engine.Instance, witness: _engine.Witness, nodes: Nodes, objective: str, *, has_pairs: bool = False
) -> NoPerfectMatching:
    """Why there is none, and what else could be asked, of those who are asked for `pairs` as well."""
    removed = [nodes[at] for at in witness.removed]
    components = [[nodes[at] for at in component] for component in witness.odd_components]
    if not removed and len(components) == 1 and len(components[0]) == len(nodes):
        message = (
            f"there is no perfect matching of an odd number of nodes, {len(nodes)}; bye= leaves one alone, alone= anybody "
            "at a price" + (', pairs="most" as few as possible' if has_pairs else "")
        )
    else:
        few = "" if len(removed) > 8 else f" ({', '.join(map(repr, removed))})" if removed else ""
        message = (
            f"there is no {'perfect matching' if objective != 'min_bye' else 'matching with one bye at most'}: without "
            f"{len(removed)} of the nodes{few}, {len(components)} odd components are left that have no edges to each other, "
            f"so at least {witness.deficiency} nodes stay alone"
        )
    return NoPerfectMatching(message, removed, components, lambda: instance.verify_witness(witness))


def pair(
    cost: ArrayLike,
    *,
    forbidden: Optional[ArrayLike] = None,
    maximise: bool = False,
    pairs: Optional[Pairs] = None,
    alone: Optional[Prices] = None,
    bye: Optional[Prices] = None,
    worst_first: bool = False,
    seconds: Optional[float] = None,
    work: Optional[int] = None,
    threads: Optional[int] = None,
    rounded: bool = False,
) -> Pairing:
    """The best pairing of everybody, by a symmetric matrix of costs; exact, with a proof.

    >>> import numpy as np, pairgroup
    >>> rating = np.array([1510, 1180, 1495, 1220])
    >>> pairing = pairgroup.pair(abs(rating[:, None] - rating))
    >>> pairing.pairs, pairing.cost, pairing.is_optimal
    ([(0, 2), (1, 3)], 55, True)

    Args:
        cost: ``cost[i, j]`` is what it costs to pair ``i`` with ``j``: integers of up to 64 bits, or floats. It has to be
            symmetric; its diagonal is not read. A float that is infinite on the side that is never chosen (``inf``, or
            ``-inf`` with ``maximise``) forbids the pair; NaN and the other infinity are errors. Masked entries of a masked
            array are forbidden.
        forbidden: A matrix of booleans, symmetric, True where a pair must not be.
        maximise: Ask for the greatest total in place of the least.
        pairs: ``"all"``: everybody is paired, or :class:`NoPerfectMatching` says why not. ``"most"``: as many pairs as
            possible, and of those pairings the best. ``"any"``: the best total of any pairs, or none. ``"all"`` if neither
            this nor ``alone`` nor ``bye`` is given.
        alone: Anybody may stay alone, at this price: one for all, or one for each, in a sequence or a mapping. With
            ``maximise`` it is what somebody alone is worth.
        bye: Of an odd number exactly one stays alone, at this price, likewise; of an even number nobody.
        seconds: Stop after so much time: what was found so far is returned, see :attr:`Pairing.status`. Reading the costs
            is not cut short.
        work: The same, in units that are the same on every machine; see :attr:`Pairing.work`.
        threads: How many threads read costs; all cores from 1000 rows on if not given, else 1. The answer does not depend
            on it.
        worst_first: The worst pair comes before the total: of the pairings of all whose worst pair is as good as can be, the
            best one (:attr:`Pairing.worst`). A bye is no pair. The total and its bound are then those of such pairings.
        rounded: Floats that do not fit a common binary grid of 128 bits (such as 1e-40 beside 1e30) are an error; with
            this, they are rounded to a grid of 64 bits, and ``bound`` says how far from the best that may be.

    Raises:
        NoPerfectMatching: There is none, with the reason (a Tutte-Berge set) as attributes.
        ValueError: Something is wrong with what was given: the message names the place, and what would be right.
        TypeError: Costs are no numbers of these types, or an option is none of its type.
        KeyboardInterrupt: Ctrl-C, within a moment once the costs are read.
    """
    array, mask = _input.matrix(cost, forbidden)
    options = _Options(maximise, pairs, alone, bye, seconds, work, threads, rounded, worst_first)
    return _pair_matrix(array, mask, range(len(array)), options)


def _pair_matrix(array: np.ndarray, mask: Optional[np.ndarray], nodes: Nodes, options: _Options) -> Pairing:
    """The same of a matrix that is read already, and of nodes by name."""

    def build(sense: Sense, dtype: np.dtype) -> _engine.Instance:
        return _engine.Instance.from_matrix(array.astype(dtype, copy=False), mask, *sense)

    return _solve(build, _reread_matrix, nodes, array.dtype, True, options)


def _reread_matrix(sense: Sense, dtype: np.dtype, cost: Any, *, forbidden: Any = None) -> _engine.Instance:
    array, mask = _input.matrix(cost, forbidden)
    return _engine.Instance.from_matrix(_as_was(array, dtype), mask, *sense)


def _instance(edges: _input.Edges, sense: Sense, dtype: np.dtype) -> _engine.Instance:
    """Edges as the engine reads them."""
    u, v, weight, names = edges
    if sense[1]:
        _input.check_weight_signs(edges, dtype)
    return _engine.Instance.from_edges(len(names), u, v, weight.astype(dtype, copy=False), *sense)


def _from_edges(prepare: Callable[..., _input.Edges], source: tuple[Any, ...], nodes: Any, options: _Options) -> Pairing:
    """What the three below have in common: `prepare` makes arrays and nodes of what was given."""
    edges = prepare(*source, nodes=nodes)
    _, _, weight, names = edges

    def build(sense: Sense, dtype: np.dtype) -> _engine.Instance:
        return _instance(edges, sense, dtype)

    reread = partial(_reread_edges, prepare, names)
    return _solve(build, reread, names, weight.dtype, _input.is_dense(weight, names), options)


def _reread_edges(
    prepare: Callable[..., _input.Edges], names: Nodes, sense: Sense, dtype: np.dtype, *source: Any, **named: Any
) -> _engine.Instance:
    check_given(prepare, source, named, known=["nodes"])
    u, v, weight, _ = prepare(*source, **named, nodes=len(names) if isinstance(names, range) else names)
    weight = _as_was(weight, dtype)
    return _instance((u, v, weight, names), sense, weight.dtype)


def pair_edges(
    edges: Iterable[tuple[Hashable, Hashable, float]],
    nodes: Union[None, int, Iterable[Hashable]] = None,
    *,
    maximise: bool = False,
    pairs: Optional[Pairs] = None,
    alone: Optional[Prices] = None,
    bye: Optional[Prices] = None,
    worst_first: bool = False,
    seconds: Optional[float] = None,
    work: Optional[int] = None,
    threads: Optional[int] = None,
    rounded: bool = False,
) -> Pairing:
    """The best pairing along edges ``(node, node, weight)``; exact, with a proof.

    >>> import pairgroup
    >>> pairgroup.pair_edges([("ann", "bob", 4), ("bob", "cid", 1), ("cid", "dan", 4), ("dan", "ann", 5)]).pairs
    [('ann', 'dan'), ('bob', 'cid')]

    Args:
        edges: What may be paired, and what it costs. Nodes are anything that is hashable. Of several edges between the
            same two nodes the best counts; an edge from a node to itself is an error.
        nodes: All nodes, those without an edge included; or a number, where nodes are ``0 .. nodes - 1``. If not given,
            those that edges name, in that order.

    The rest is as for :func:`pair`. Where prices are a sequence, they are in the order of nodes; a mapping names them.
    """
    options = _Options(maximise, pairs, alone, bye, seconds, work, threads, rounded, worst_first)
    return _from_edges(_input.named_edges, (edges,), nodes, options)


def pair_arrays(
    u: ArrayLike,
    v: ArrayLike,
    weight: ArrayLike,
    nodes: Optional[int] = None,
    *,
    maximise: bool = False,
    pairs: Optional[Pairs] = None,
    alone: Optional[Prices] = None,
    bye: Optional[Prices] = None,
    worst_first: bool = False,
    seconds: Optional[float] = None,
    work: Optional[int] = None,
    threads: Optional[int] = None,
    rounded: bool = False,
) -> Pairing:
    """The same from three arrays: edge ``k`` joins the nodes ``u[k]`` and ``v[k]``, numbered from 0, and costs
    ``weight[k]``.

    >>> import pairgroup
    >>> pairgroup.pair_arrays([0, 1, 2, 3], [1, 2, 3, 0], [4, 1, 4, 5]).mate.tolist()
    [3, 2, 1, 0]

    Args:
        nodes: Their number; that of the highest one and 1 if not given.

    The rest is as for :func:`pair_edges`.
    """
    options = _Options(maximise, pairs, alone, bye, seconds, work, threads, rounded, worst_first)
    return _from_edges(_input.array_edges, (u, v, weight), nodes, options)


def _graph_edges(
    graph: Any, nodes: Any = None, weight: str = "weight", default: float = 1
) -> _input.Edges:
    """The edges of a graph, but for those from a node to itself."""
    is_directed = getattr(graph, "is_directed", None)
    if callable(is_directed) and is_directed():
        raise ValueError("the graph is directed, and pairs have no direction; give graph.to_undirected()")
    try:
        edges = graph.edges(data=weight, default=default)
    except (AttributeError, TypeError):
        kind = type(graph).__name__
        raise TypeError(f"{kind} is no graph with edges(data=.., default=..), as those of networkx are") from None
    names = list(graph) if nodes is None else nodes
    return _input.named_edges((edge for edge in edges if edge[0] != edge[1]), names)


def pair_graph(
    graph: Any,
    weight: str = "weight",
    *,
    default: float = 1,
    maximise: bool = False,
    pairs: Optional[Pairs] = None,
    alone: Optional[Prices] = None,
    bye: Optional[Prices] = None,
    worst_first: bool = False,
    seconds: Optional[float] = None,
    work: Optional[int] = None,
    threads: Optional[int] = None,
    rounded: bool = False,
) -> Pairing:
    """The same for a graph of networkx, or one with the same methods: ``graph.edges(data=.., default=..)``, and its nodes
    by ``iter(graph)``.

    Edges from a node to itself are left out, and of several between the same two nodes the best counts.

    Args:
        weight: The attribute of edges that is their cost.
        default: The cost of edges without it.

    The rest is as for :func:`pair_edges`.
    """
    options = _Options(maximise, pairs, alone, bye, seconds, work, threads, rounded, worst_first)
    return _from_edges(partial(_graph_edges, weight=weight, default=default), (graph,), None, options)
