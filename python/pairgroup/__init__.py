"""Who is put together? Exact pairing with proofs, and groups by search.

- :func:`pair`: everybody in twos, by a matrix of costs; :func:`pair_edges`, :func:`pair_arrays` and :func:`pair_graph` by
  edges and graphs. The answer is the best there is, ``verify()`` checks its proof, and ``explain()`` says why two are a pair,
  or are not.
- :func:`pair_points`: points in space, without a matrix.
- :func:`assign`: rows to columns of a matrix of any shape, such as players to roles; with prices of both sides.
- :class:`Session`: the same for a pool that changes between solves.
- :func:`pair_several`: several different partners for everybody, in the same way, and likewise :func:`pair_several_edges`,
  :func:`pair_several_arrays` and :func:`pair_several_graph`.
- :func:`group`: groups of any size, by a matrix of costs or by a function of a whole group, with parties, pins and players
  kept apart;
  ``explain()`` says why somebody is where he is, and what would put two together, or apart.
- :func:`group_exactly`: the best groups there are, with a proof, and with roles; or good ones and a bound.
- :func:`pair_pools` and :func:`group_pools`: many pools at once, from a table of pandas or Spark.
- :mod:`pairgroup.networkx_compat`: drop-ins for ``max_weight_matching`` and ``min_weight_matching`` of networkx.
- :mod:`pairgroup.scipy_compat`: a drop-in for ``linear_sum_assignment`` of scipy.

Engines let other Python threads run, and Ctrl-C ends them.
"""

from __future__ import annotations

from ._assignment import Assignment, Duals, assign
from ._errors import NoAssignment, NoBMatching, NoGrouping, NoPerfectMatching, PrecisionError, VerifyError
from ._exact import ExactGrouping, group_exactly
from ._explanation import Exchange, Explanation, PairExplanation
from ._grouping import Grouping, group
from ._pairing import Pairing, WorstPair, pair, pair_arrays, pair_edges, pair_graph
from ._points import PointPairing, pair_points
from ._several import BMatching, pair_several, pair_several_arrays, pair_several_edges, pair_several_graph
from ._session import Session
from ._what_if import PairingExplanation, WhatIf
from ._why_several import BMatchingExplanation, BMatchingWhatIf
from .pools import PoolError, group_pools, pair_pools

__all__ = [
    "Assignment",
    "BMatching",
    "BMatchingExplanation",
    "BMatchingWhatIf",
    "Duals",
    "ExactGrouping",
    "Exchange",
    "Explanation",
    "Grouping",
    "NoAssignment",
    "NoBMatching",
    "NoGrouping",
    "NoPerfectMatching",
    "PairExplanation",
    "Pairing",
    "PairingExplanation",
    "PointPairing",
    "PoolError",
    "PrecisionError",
    "Session",
    "VerifyError",
    "WhatIf",
    "WorstPair",
    "assign",
    "group",
    "group_exactly",
    "group_pools",
    "pair",
    "pair_arrays",
    "pair_edges",
    "pair_graph",
    "pair_points",
    "pair_pools",
    "pair_several",
    "pair_several_arrays",
    "pair_several_edges",
    "pair_several_graph",
]

__version__ = "0.1.0"
