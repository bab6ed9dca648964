"""Times of what no other library has: a session against solves from scratch, and groups by a function. See README.md.

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


def function(name: str, cost: object, count: list, **options: object) -> None:
    """How often a search of two seconds asks a function, or looks at moves by a matrix."""
    count[0] = 0
    found = pairgroup.group(cost, size=5, seconds=2, threads=1, **options)
    calls = f"{count[0] / found.seconds / 1000:.0f}" if count[0] else ""
    print(f"| {name} | {calls} | {found.work / found.seconds / 1000:.0f} |")


def functions(players: int) -> None:
    skill = np.random.default_rng(1).integers(0, 3000, players)
    skills, count = skill.tolist(), [0]
    gap = abs(skill[:, None] - skill)

    def constant(team):
        count[0] += 1
        return 0

    def spread(team):
        count[0] += 1
        skills_of = [skills[player] for player in team]
        return max(skills_of) - min(skills_of)

    def spread_by_numpy(team):
        count[0] += 1
        return np.ptp(skill[team])

    def all_pairs(team):
        count[0] += 1
        return sum(abs(skills[i] - skills[j]) for at, i in enumerate(team) for j in team[:at])

    for name, cost in [
        ("`return 0`", constant),
        ("the greatest less the least, in Python", spread),
        ("the same, by numpy", spread_by_numpy),
        ("all pairs, in Python", all_pairs),
    ]:
        function(name, cost, count, players=players, dtype=int)
    function("all pairs, as a matrix", gap, count)


def progress(players: int) -> None:
    """How near a search by a function comes to the best, which is known: neighbours by skill."""
    skill = np.random.default_rng(1).integers(0, 3000, players)
    skills = skill.tolist()

    def spread(team):
        skills_of = [skills[player] for player in team]
        return max(skills_of) - min(skills_of)

    best = int(np.ptp(np.sort(skill).reshape(-1, 5), axis=1).sum())
    found = [pairgroup.group(spread, players=players, dtype=int, size=5, seconds=seconds).cost for seconds in (2, 10)]
    print(f"| {players} | {best} | {found[0]} | {found[1]} |")


def main() -> None:
    print("| players | paired | answer kept | `Session` | `pair` |\n| --- | --- | --- | --- | --- |")
    for players in (200, 1000, 2000):
        for options in ({}, {"alone": 20_000}):
            for is_kept in (False, True):
                session(players, options, is_kept)
    print("\n| cost | thousand calls a second | thousand moves a second |\n| --- | --- | --- |")
    functions(100)
    print("\n| players | the best | after 2 s | after 10 s |\n| --- | --- | --- | --- |")
    for players in (200, 500, 1000):
        progress(players)


if __name__ == "__main__":
    main()
