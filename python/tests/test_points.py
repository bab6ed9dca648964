"""Points in space, against matrices of all their distances."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from conftest import best_total

import pairgroup
from pairgroup import NoPerfectMatching, PointPairing, VerifyError, pair_points

ORDERS = {"euclidean": 2, "manhattan": 1, "chebyshev": np.inf}


def distances(points: np.ndarray, norm: str) -> np.ndarray:
    rows = points.reshape(len(points), -1).astype(float)
    return np.linalg.norm(rows[:, None] - rows, ORDERS[norm], axis=2)


def units(points: np.ndarray, norm: str, scale: float) -> np.ndarray:
    return np.floor(distances(points, norm) * scale + 0.5).astype(np.int64)


@pytest.mark.parametrize("norm", ORDERS)
@pytest.mark.parametrize("axes", [1, 2, 3, 4, 5, 8, 9, 16, 17, 32])
def test_answers_are_those_of_matrices(rng, norm, axes):
    for n, low, high in ((2, 0, 9), (60, 0, 9), (301, -10**6, 10**6)):
        # Whole numbers, so that the distances are the same in whatever order they are summed; many are equal at first.
        points = rng.integers(low, high, (n, axes)).astype(float)
        if norm == "euclidean":
            points[:, 1:] = 0
        for prices in ({"bye": 7}, {"alone": 3}, {"alone": rng.integers(0, 50, n).tolist()}):
            found = pair_points(points, norm=norm, scale=4, **prices)
            found.verify()
            found.verify(points)
            scaled = {what: (np.asarray(given) * 4).tolist() for what, given in prices.items()}
            expected = pairgroup.pair(units(points, norm, 4), **scaled)
            assert found.cost == found.bound == expected.cost and found.is_optimal and found.engine == "embedded"
            assert found.distance == found.cost / 4 and found.scale == 4
            u, v = np.array(found.pairs, int).reshape(-1, 2).T
            assert (found.weights == units(points, norm, 4)[u, v]).all()
            assert (found.distances == found.weights / 4).all()


def test_small_clouds_against_all_pairings(rng):
    for _ in range(60):
        points = rng.random((int(rng.integers(2, 8)), int(rng.integers(1, 4))))
        found = pair_points(points, bye=0.3)
        found.verify()
        best = best_total(distances(points, "euclidean"), bye=[0.3] * len(points))
        assert found.distance == pytest.approx(best, rel=1e-9)


def test_the_scale_fits_whatever_the_unit_is(rng):
    points = rng.random((40, 2))
    expected = pair_points(points)
    for factor in (2.0**-400, 2.0**-30, 2.0**20, 2.0**400):
        found = pair_points(points * factor)
        found.verify()
        assert found.pairs == expected.pairs and found.distance == pytest.approx(expected.distance * factor, rel=1e-9)
        assert found.cost == expected.cost
    assert pair_points(np.zeros((4, 2))).cost == 0
    assert pair_points([1, 5, 9, 2]).pairs == [(0, 3), (1, 2)]
    assert pair_points(np.array([0, 250, 255, 3], np.uint8), scale=1).cost == 8


def test_nobody_and_one():
    assert pair_points(np.zeros((0, 3))).pairs == [] and pair_points([]).distance == 0
    found = pair_points([[1.0, 2.0]], bye=2)
    found.verify()
    assert found.alone == [0] and found.distance == 2
    with pytest.raises(NoPerfectMatching, match="odd number.* at a price$") as caught:
        pair_points([[1.0, 2.0], [1, 3], [2, 2]])
    caught.value.verify()
    assert pair_points([[1.0], [2.0]]).engine == "embedded"


def test_explanations_are_as_for_a_matrix(rng):
    points = rng.integers(0, 1000, 30)
    found = pair_points(points, scale=1)
    why, other = found.explain(0, 5), pairgroup.pair(abs(points[:, None] - points)).explain(0, 5)
    why.verify()
    assert (why.cost, why.forced.change) == (other.cost, other.forced.change)


def test_limits_leave_what_was_found(rng):
    found = pair_points(rng.random((3000, 2)), work=2000)
    found.verify()
    assert found.status in ("feasible", "unknown") and found.reason is not None


def test_proofs_go_to_other_processes(rng):
    points = rng.random((51, 3))
    found = pair_points(points, bye=0.1)
    for again in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found)):
        assert type(again) is PointPairing and again.pairs == found.pairs and again.distance == found.distance
        assert again.scale == found.scale and repr(again) == repr(found)
        again.verify(points)
    with pytest.raises(VerifyError, match="without its input"):
        pickle.loads(pickle.dumps(found)).verify()
    with pytest.raises(VerifyError):
        found.verify(points * 1.5)
    with pytest.raises(VerifyError):
        found.verify(points[:-1])


def test_threads_do_not_matter(rng):
    points = rng.random((2500, 2))
    assert pair_points(points, threads=1).pairs == pair_points(points, threads=3).pairs == pair_points(points).pairs


CLOUD = np.arange(8.0).reshape(4, 2)


def changed(value: Any) -> np.ndarray:
    points = CLOUD.copy()
    points[2, 1] = value
    return points


@pytest.mark.parametrize(
    "points, options, error, text",
    [
        (changed(np.nan), {}, ValueError, "coordinate 1 of point 2 is nan"),
        (changed(np.inf), {}, ValueError, "coordinate 1 of point 2 is inf"),
        (changed(1e200), {"scale": 1}, ValueError, "point 2"),
        (changed(1e40), {"scale": 1}, ValueError, "more than 2.53; give a smaller scale$"),
        (np.zeros((2, 2, 2)), {}, ValueError, "shape"),
        (np.zeros((4, 33)), {}, ValueError, "33 coordinates; there may be 32"),
        ([["a", "b"]], {}, TypeError, "points"),
        ([[1, 2], [3]], {}, ValueError, "rows must have one length"),
        (np.ma.array(CLOUD, mask=CLOUD > 3), {}, ValueError, "masked"),
        ([2**60 + 1, 3], {}, ValueError, "beyond 2.*53"),
        (CLOUD, {"norm": "taxi"}, ValueError, "norm is 'taxi'"),
        (CLOUD, {"scale": 0}, ValueError, "scale is 0"),
        (CLOUD, {"scale": np.nan}, ValueError, "scale is nan"),
        (CLOUD, {"scale": "x"}, TypeError, "scale is 'x'"),
        (CLOUD, {"scale": 10**400}, ValueError, "scale is inf"),
        (CLOUD, {"alone": 1, "bye": 1}, ValueError, "alone and bye were both given"),
        (CLOUD, {"alone": [1, 2]}, ValueError, "alone has the shape"),
        (CLOUD, {"alone": np.nan}, ValueError, "alone of node 0 is nan"),
        (CLOUD, {"alone": 1e30}, ValueError, "alone of point 0 is 1e.30"),
        (CLOUD, {"alone": {0: 1}}, ValueError, "alone has no price for node 1"),
        (CLOUD, {"alone": dict.fromkeys(range(4), "1.5")}, TypeError, "alone of type <U3"),
        (CLOUD, {"alone": dict.fromkeys(range(4))}, TypeError, "alone of type object"),
        (CLOUD, {"alone": dict.fromkeys(range(4), 10**400)}, TypeError, "alone of type object"),
        (CLOUD, {"seconds": -1}, ValueError, "seconds is -1"),
        (CLOUD, {"threads": 0}, ValueError, "threads is 0"),
    ],
)
def test_what_is_wrong_is_named(points, options, error, text):
    with pytest.raises(error, match=text):
        pair_points(points, **options)
