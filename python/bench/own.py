"""Times of what no other library has: a session against solves from scratch. See README.md.

    python python/bench/own.py
"""

from __future__ import annotations

import statistics
import time

import numpy as np

import pairgroup

STEPS = 11


def distances(some: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Between points of a square, rounded."""
    return np.rint(np.hypot(*(some[:, None] - others).transpose(2, 0, 1))).astype(np.int64)


def timed(work):
    began = time.perf_counter()
    result = work()
    return result, 1000 * (time.perf_counter() - began)


def session(players: int, options: dict, is_kept: bool) -> None:
    """Two leave, two come, and all are paired anew, again and again. The last answer is kept meanwhile, or not."""
    rng = np.random.default_rng(1)
    points = rng.integers(0, 10**6, (players, 2)).astype(float)
    pool = pairgroup.Session(distances(points, points), **options)
    pool.solve()
    steps, scratch, kept = [], [], None
    for _ in range(STEPS):
        leaving = sorted(rng.choice(players, 2, replace=False).tolist(), reverse=True)
        coming = rng.integers(0, 10**6, (2, 2)).astype(float)
        for player in leaving:
            points[player] = points[-1]
            points = points[:-1]
        rows = [distances(coming[:1], points)[0], distances(coming[1:], np.append(points, coming[:1], 0))[0]]
        points = np.append(points, coming, 0)

        def step():
            for player in leaving:
                pool.remove(player)
            for row in rows:
                pool.add(row)
            return pool.solve()

        pairing, spent = timed(step)
        steps.append(spent)
        cost = distances(points, points)
        again, spent = timed(lambda: pairgroup.pair(cost, **options))
        scratch.append(spent)
        assert pairing.cost == again.cost
        kept = pairing if is_kept else None
        del pairing
    assert (kept is not None) == is_kept
    print(
        f"| {players} | {', '.join(options) or 'everybody'} | {'yes' if is_kept else 'no'} | "
        f"{statistics.median(steps):.3g} | {statistics.median(scratch):.3g} |"
    )


def main() -> None:
    print("| players | paired | answer kept | `Session` | `pair` |\n| --- | --- | --- | --- | --- |")
    for players in (200, 1000, 2000):
        for options in ({}, {"alone": 20_000}):
            for is_kept in (False, True):
                session(players, options, is_kept)


if __name__ == "__main__":
    main()
