"""Drop-in for the two weighted matchings of networkx: same arguments, same result, found by the exact engine.

    from pairgroup.networkx_compat import max_weight_matching, min_weight_matching

As there, a matching is a set of tuples, edges without a weight count as 1, edges from a node to itself are left out, and
directed graphs and multigraphs are refused (by ``networkx.NetworkXNotImplemented``, where networkx is installed).

What differs: weights have to be ints of at most 64 bits or floats. Of several best matchings it may be another one; an edge
of weight 0 that is not needed is never in it. Totals of floats are compared exactly, or, where the floats do not fit a common
grid of 128 bits, on the finest one of 64 bits.
"""

from __future__ import annotations

from typing import Any

from . import _engine, _input
from ._errors import PrecisionError
from ._pairing import _graph_edges, _instance

__all__ = ["max_weight_matching", "min_weight_matching"]


def max_weight_matching(G: Any, maxcardinality: bool = False, weight: str = "weight") -> set[tuple[Any, Any]]:
    """A matching of the greatest total weight; with ``maxcardinality``, of those with most edges.

    As ``networkx.max_weight_matching``.
    """
    return _matching(G, weight, "max_cardinality" if maxcardinality else "max_weight", is_minimum=False)


def min_weight_matching(G: Any, weight: str = "weight") -> set[tuple[Any, Any]]:
    """Of the matchings with most edges one of the least total weight.

    As ``networkx.min_weight_matching``.
    """
    return _matching(G, weight, "max_cardinality", is_minimum=True)


def _matching(graph: Any, weight: str, objective: str, *, is_minimum: bool) -> set[tuple[Any, Any]]:
    _refuse(graph)
    edges = _graph_edges(graph, None, weight)
    _, _, weights, nodes = edges
    instance = _instance(edges, (not is_minimum, is_minimum), weights.dtype)
    threads = _input.threads(None, len(nodes), _input.is_dense(weights, nodes))
    try:
        found = instance.solve(objective, threads=threads)
    except PrecisionError:
        found = instance.solve(objective, threads=threads, rounded=True)
    if isinstance(found, _engine.Witness):
        raise AssertionError("there always is a matching of some of the nodes")
    pairs = zip(found.pairs(), found.weights().tolist())
    # Of the greatest weight alone, pairs of no weight may be there or not.
    is_needed = objective == "max_cardinality"
    return {(nodes[first], nodes[second]) for (first, second), weight in pairs if weight != 0 or is_needed}


def _refuse(graph: Any) -> None:
    """As the decorators of networkx do."""
    for kind in ("directed", "multigraph"):
        is_of_kind = getattr(graph, f"is_{kind}", None)
        if callable(is_of_kind) and is_of_kind():
            message = f"not implemented for {kind} type"
            try:
                from networkx import NetworkXNotImplemented  # type: ignore[import-untyped]
            except ImportError:
                raise NotImplementedError(message) from None
            raise NetworkXNotImplemented(message)
