"""Times beside networkx and rustworkx, on the same instances, as README.md has them.

    pip install ./python networkx rustworkx
    python python/bench/peers.py

Every number is the least of five runs, of three where one takes more than a second, of one where it takes more than ten; in
milliseconds, from the graph of each library's own kind (a matrix for `pair`) to the
pairs; making that graph is not counted. All answers are compared. `--limit` is the time after which a library is not asked for
larger instances of a family.
"""

from __future__ import annotations

import argparse
import time
from typing import Any, Callable, Iterator

import networkx
import numpy as np
import rustworkx

import pairgroup
from pairgroup import networkx_compat

Edges = tuple[np.ndarray, np.ndarray, np.ndarray]


def complete(n: int) -> Edges:
    """All pairs of points in a square, at their distances."""
    place = np.random.default_rng(n).integers(0, 10_000, (n, 2))
    u, v = np.triu_indices(n, 1)
    return u, v, np.hypot(*(place[u] - place[v]).T).astype(np.int64)


def uniform(n: int) -> Edges:
    """All pairs, at random costs."""
    u, v = np.triu_indices(n, 1)
    return u, v, np.random.default_rng(n).integers(1, 10_000, len(u))


def sparse(n: int) -> Edges:
    """Some eight edges at each node, at random costs, and a path through all nodes, so that they can be paired."""
    rng = np.random.default_rng(n)
    u, v = rng.integers(0, n, (2, 4 * n))
    u, v = np.concatenate([u, np.arange(n - 1)]), np.concatenate([v, np.arange(1, n)])
    low, high = np.minimum(u, v), np.maximum(u, v)
    _, first = np.unique(low * n + high, return_index=True)
    keep = first[(low != high)[first]]
    return low[keep], high[keep], rng.integers(1, 10_000, len(keep))


FAMILIES: dict[str, tuple[Callable[[int], Edges], tuple[int, ...]]] = {
    "complete, distances": (complete, (50, 100, 200, 500, 1000, 2000)),
    "complete, random": (uniform, (50, 100, 200, 500, 1000, 2000)),
    "sparse": (sparse, (100, 1_000, 10_000, 100_000)),
}


def solvers(n: int, edges: Edges, is_complete: bool) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Each a name, and what solves the instance and gives its total."""
    u, v, weight = edges

    def total(pairs: Any) -> int:
        return sum(cost[min(pair), max(pair)] for pair in pairs)

    cost = {(int(a), int(b)): int(w) for a, b, w in zip(u, v, weight)}
    if is_complete:
        matrix = np.zeros((n, n), np.int32)
        matrix[u, v] = matrix[v, u] = weight
        yield "pair", lambda: total(pairgroup.pair(matrix).pairs)
    yield "pair_arrays", lambda: total(pairgroup.pair_arrays(u, v, weight, n).pairs)
    graph = networkx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_weighted_edges_from((a, b, w) for (a, b), w in cost.items())
    yield "networkx_compat", lambda: total(networkx_compat.min_weight_matching(graph))
    # It maximises integers: as networkx does it, weights are turned over, and most edges are asked for.
    most = int(weight.max()) + 1
    turned = rustworkx.PyGraph()
    turned.add_nodes_from(range(n))
    turned.add_edges_from([(a, b, most - w) for (a, b), w in cost.items()])
    yield "rustworkx", lambda: total(rustworkx.max_weight_matching(turned, True, weight_fn=int))
    yield "networkx", lambda: total(networkx.min_weight_matching(graph))


def shown(number: float) -> str:
    """A number with two digits, or all those before the point."""
    return f"{number:,.0f}" if number >= 10 else f"{number:.2g}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5, help="runs of which the least counts, fewer of what takes long")
    parser.add_argument("--limit", type=float, default=10.0, help="seconds after which larger instances are left out")
    options = parser.parse_args()
    names = ["pair", "pair_arrays", "networkx_compat", "rustworkx", "networkx"]
    print("| nodes | edges |", *(f"`{name}` |" if "_" in name or name == "pair" else f"{name} |" for name in names))
    print("| --- " * 7 + "|")
    for family, (make, sizes) in FAMILIES.items():
        is_out: set[str] = set()
        for n in sizes:
            edges = make(n)
            times: dict[str, float] = {}
            totals: dict[str, int] = {}
            for name, solve in solvers(n, edges, family != "sparse"):
                runs = 0
                while name not in is_out and runs < options.runs:
                    began = time.perf_counter()
                    totals[name] = solve()
                    took = time.perf_counter() - began
                    times[name] = min(took, times.get(name, took))
                    runs += 1 if took < 1 else 2 if took < 10 else options.runs
                if times.get(name, 0) > options.limit:
                    is_out.add(name)
            if len(set(totals.values())) > 1:
                raise SystemExit(f"{family}, {n} nodes: totals differ: {totals}")
            cells = [shown(times[name] * 1e3) if name in times else "" for name in names]
            print(f"| {family} {n} | {len(edges[0])} |", *(f"{cell} |" for cell in cells), flush=True)


if __name__ == "__main__":
    main()
