"""Times of assignments beside scipy and lap, on the same instances, as README.md has them.

    pip install ./python scipy lap
    python python/bench/assign.py

Every number is the least of five runs, of three where one takes more than a second, of one where it takes more than ten; in milliseconds, from
a matrix of numpy to an array of columns, on one thread, conversions included. scipy and lap make floats of integers, which counts as well. All
totals are compared.
"""

from __future__ import annotations

import argparse
import time
from typing import Any, Callable, Iterator

import lap
import numpy as np
from scipy.optimize import linear_sum_assignment

import pairgroup


def uniform(rng: np.random.Generator, rows: int, columns: int) -> np.ndarray:
    return rng.random((rows, columns))


def few(rng: np.random.Generator, rows: int, columns: int) -> np.ndarray:
    return rng.integers(0, 10, (rows, columns))


def products(rng: np.random.Generator, rows: int, columns: int) -> np.ndarray:
    return rng.integers(1, 10_000, rows)[:, None] * rng.integers(1, 10_000, columns)


def squares(rng: np.random.Generator, rows: int, columns: int) -> np.ndarray:
    return (rng.integers(0, 10_000, rows)[:, None] - rng.integers(0, 10_000, columns)) ** 2


def plane(rng: np.random.Generator, rows: int, columns: int) -> np.ndarray:
    place, other = rng.random((rows, 2)), rng.random((columns, 2))
    return np.hypot(*(place[:, None] - other).transpose(2, 0, 1))


FAMILIES: dict[str, Callable[[np.random.Generator, int, int], np.ndarray]] = {
    "uniform": uniform,
    "whole numbers 0 to 9": few,
    "products": products,
    "squares of gaps": squares,
    "points in the plane": plane,
}

#: Rows and columns for each size.
SHAPES: dict[str, tuple[int, int]] = {"": (1, 1), ", half as many rows": (1, 2)}


def solvers(cost: np.ndarray) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Each a name, and what solves the instance and gives the column of each row."""
    yield "assign", lambda: pairgroup.assign(cost, threads=1).column_of
    yield "scipy", lambda: linear_sum_assignment(cost)[1]
    # It wants floats that lie row by row.
    yield "lap", lambda: lap.lapjv(np.ascontiguousarray(cost, np.float64), extend_cost=cost.shape[0] != cost.shape[1])[1]


def shown(number: float) -> str:
    """A number with two digits, or all those before the point."""
    return f"{number:,.0f}" if number >= 10 else f"{number:.2g}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5, help="runs of which the least counts, fewer of what takes long")
    parser.add_argument("--sizes", type=int, nargs="*", default=[500, 1000, 2000], help="columns")
    options = parser.parse_args()
    names = ["assign", "scipy", "lap"]
    print("| costs | columns | `assign` | scipy | lap |\n| --- | --- | --- | --- | --- |")
    for family, make in FAMILIES.items():
        for what, (part, whole) in SHAPES.items():
            for columns in options.sizes:
                cost = make(np.random.default_rng(columns), columns * part // whole, columns)
                times: dict[str, float] = {}
                totals: dict[str, float] = {}
                for name, solve in solvers(cost):
                    runs = 0
                    while runs < options.runs:
                        began = time.perf_counter()
                        column_of = solve()
                        took = time.perf_counter() - began
                        times[name] = min(took, times.get(name, took))
                        runs += 1 if took < 1 else 2 if took < 10 else options.runs
                    totals[name] = cost[np.arange(len(cost)), column_of].sum().item()
                if max(totals.values()) - min(totals.values()) > 1e-9 * abs(totals["assign"]):
                    raise SystemExit(f"{family}, {columns} columns: totals differ: {totals}")
                cells = [shown(times[name] * 1e3) for name in names]
                print(f"| {family}{what} | {columns:,} |", *(f"{cell} |" for cell in cells), flush=True)


if __name__ == "__main__":
    main()
