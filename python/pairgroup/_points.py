"""Exact pairing of points, of which no matrix is made."""

from __future__ import annotations

import math
from functools import partial
from typing import Any, Literal, Mapping, Optional

import numpy as np
from numpy.typing import ArrayLike

from . import _engine, _input
from ._input import Nodes
from ._pairing import Pairing, Prices, Sense, _Options, _solve

Norm = Literal["euclidean", "manhattan", "chebyshev"]

#: So many bits the longest distance has, unless a scale is given.
BITS = 36


class PointPairing(Pairing):
    """Which points are put together, how far apart they are, and the proof that no pairing has a shorter total.

    All costs (:attr:`cost`, :attr:`bound`, :attr:`weights`, those of :meth:`explain`) are integers, :attr:`scale` times the
    distance, rounded; :attr:`distance` and :attr:`distances` are as points are measured.
    """

    __slots__ = ("_scale",)
    _scale: float

    @property
    def scale(self) -> float:
        """What distances were multiplied by before they were rounded to integers."""
        return self._scale

    @property
    def distance(self) -> float:
        """The total, with the prices of those who stay alone, within half a unit (1 / scale) for each pair."""
        return self.cost / self._scale

    @property
    def distances(self) -> np.ndarray:
        """How far apart each of :attr:`pairs` is, within half a unit."""
        distances: np.ndarray = self.weights / self._scale
        return distances

    def __repr__(self) -> str:
        return f"<PointPairing: {len(self)} pairs, distance {self.distance:.6g}, {self.status}>"


def pair_points(
    points: ArrayLike,
    *,
    norm: Norm = "euclidean",
    scale: Optional[float] = None,
    alone: Optional[Prices] = None,
    bye: Optional[Prices] = None,
    seconds: Optional[float] = None,
    work: Optional[int] = None,
    threads: Optional[int] = None,
) -> PointPairing:
    """The pairing of all points whose total distance is the least; exact, with a proof. An index of the points finds which
    pairs may matter, so that neither a matrix is made nor all pairs are looked at: 100,000 points in the plane take seconds and less than
    100 MB.

    >>> import numpy as np, pairgroup
    >>> corners = np.array([[0, 0], [10, 0], [10, 1], [0, 2.5]])
    >>> pairing = pairgroup.pair_points(corners)
    >>> pairing.pairs, pairing.distance, pairing.distances.tolist(), pairing.is_optimal
    ([(0, 3), (1, 2)], 3.5, [2.5, 1.0], True)

    For groups that are alike in several measures (matched pairs in a study, say) bring these to one scale first: of ``x``, a
    row for each subject, ``pair_points(x @ numpy.linalg.cholesky(numpy.linalg.inv(numpy.cov(x.T))))`` pairs by Mahalanobis'
    distance.

    Args:
        points: A row of up to 32 coordinates for each point, or one number for each; between -1e150 and 1e150. Straight lines
            below 1e-154 lose digits, or are 0: multiply coordinates that are as small as that.
        norm: How differences of coordinates make a distance: ``"euclidean"``, the straight line; ``"manhattan"``, their sum;
            ``"chebyshev"``, the greatest.
        scale: Distances are multiplied by this and rounded to integers, in which the answer is exact. If not given, a power
            of two by which the longest distance has at least 35 bits: the total is then within some 10⁻¹¹ of the
            longest distance for each pair.
        alone: Anybody may stay alone, at this price: a distance for all, or one for each, in a sequence or a mapping.
        bye: Of an odd number exactly one stays alone, at this price, likewise; of an even number nobody.
        seconds: Stop after so much time: what was found so far is returned, see :attr:`Pairing.status`.
        work: The same, in units that are the same on every machine; see :attr:`Pairing.work`.
        threads: How many threads look for pairs; all cores from 1000 points on if not given, else 1. The answer does not depend
            on it.

    In many dimensions an index is of less use, and most pairs are looked at. :meth:`Pairing.verify` looks at those pairs alone that
    could refute the answer, :meth:`Pairing.explain` at all of them.

    Raises:
        NoPerfectMatching: Of an odd number of points, without ``bye`` or ``alone``.
        ValueError: Something is wrong with what was given: the message names the place, and what would be right.
        TypeError: Coordinates are no numbers, or an option is none of its type.
        KeyboardInterrupt: Ctrl-C, within a moment.
    """
    array = _coordinates(points)
    if norm not in ("euclidean", "manhattan", "chebyshev"):
        raise ValueError(f'norm is {norm!r}; give "euclidean", "manhattan" or "chebyshev"')
    options = _Options(False, None, alone, bye, seconds, work, threads, False, False)
    return _pair_coordinates(array, range(len(array)), norm, scale, options)


def _pair_coordinates(
    array: np.ndarray, nodes: Nodes, norm: str, scale: Optional[float], options: _Options
) -> PointPairing:
    """The same of coordinates that are read already, and of points by name."""
    factor = _fitting(array, norm) if scale is None else _scale(scale)
    alone = None if options.alone is None else _scaled(options.alone, "alone", nodes, factor)
    bye = None if options.bye is None else _scaled(options.bye, "bye", nodes, factor)

    def build(sense: Sense, dtype: np.dtype) -> _engine.Instance:
        return _engine.Instance.from_points(array, norm, factor)

    reread = partial(_reread_points, norm, factor)
    found = _solve(build, reread, nodes, _input.INT64, True, options._replace(alone=alone, bye=bye), PointPairing)
    assert isinstance(found, PointPairing)
    found._scale = factor
    return found


def _reread_points(norm: str, factor: float, sense: Sense, dtype: np.dtype, points: Any) -> _engine.Instance:
    return _engine.Instance.from_points(_coordinates(points), norm, factor)


def _coordinates(points: Any) -> np.ndarray:
    array = _input.numbers(points, "points")
    if array.ndim == 1:
        array = array[:, None]
    if array.ndim != 2:
        raise ValueError(f"points have the shape {array.shape}; give a row of coordinates for each")
    if array.dtype.kind == "i" and array.size and max(int(array.max()), -int(array.min())) > 2**53:
        raise ValueError("points have integers beyond 2**53, which floats do not hold; subtract a middle from them")
    floats = np.ascontiguousarray(array, dtype=np.float64)
    is_bad = ~np.isfinite(floats)
    if is_bad.any():
        point, axis = np.argwhere(is_bad)[0].tolist()
        raise ValueError(f"coordinate {axis} of point {point} is {floats[point, axis]}; give a finite number")
    return floats


def _fitting(points: np.ndarray, norm: str) -> float:
    """The power of two by which the diagonal of all points has so many bits."""
    if not points.size:
        return 1.0
    with np.errstate(over="ignore"):
        extent = points.max(axis=0) - points.min(axis=0)
        order = {"euclidean": 2, "manhattan": 1, "chebyshev": np.inf}[norm]
        diagonal = float(np.linalg.norm(extent, order))
    if not 0 < diagonal < math.inf:
        return 1.0
    return 2.0 ** max(-1000, min(1000, BITS - math.frexp(diagonal)[1]))


def _scale(given: Any) -> float:
    if isinstance(given, (bool, str)) or not hasattr(given, "__float__"):
        raise TypeError(f"scale is {given!r}; give a number above 0")
    try:
        factor = float(given)
    except OverflowError:
        factor = math.inf
    if not 0 < factor < math.inf:
        raise ValueError(f"scale is {factor}; give a finite number above 0")
    return factor


def _scaled(given: Any, what: str, nodes: Nodes, factor: float) -> np.ndarray:
    """Prices as distances are counted."""
    if isinstance(given, Mapping):
        given = _input.of_each(given, what, "price", nodes)
    given = np.asarray(_input.numbers(given, what), np.float64)
    prices, _ = _input.prices(given, what, nodes, _input.FLOAT64)
    with np.errstate(over="ignore"):
        units = np.rint(prices * factor)
    is_beyond = abs(units) >= 2.0**60
    if is_beyond.any():
        at = int(is_beyond.argmax())
        raise ValueError(f"{what} of point {nodes[at]!r} is {prices[at]}, far more than any distance; give less, or a smaller scale")
    return units.astype(np.int64)
