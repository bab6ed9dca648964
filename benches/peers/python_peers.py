"""Runs a Python package on one instance file: `python_peers.py networkx|rustworkx FILE`.

The file: a line `n m`, then m lines `u v weight` with vertices from 0. The package is called as its users call it: a
graph is built from a list of edges, then its function for matchings is called once. Prints
`optimum cpu_seconds peak_kib build_cpu_seconds wall_seconds`; reading the file and importing packages are not counted.
`python_peers.py PACKAGE --version` prints the version of the package.
"""

import gc
import importlib.metadata
import sys
import time


def read_edges(path):
    # The collector would look at all tuples again and again while they come in.
    gc.disable()
    with open(path) as file:
        n, _ = map(int, file.readline().split())
        edges = [tuple(map(int, line.split())) for line in file]
    gc.enable()
    return n, edges


def with_networkx():
    import networkx

    def build(n, edges):
        graph = networkx.Graph()
        graph.add_nodes_from(range(n))
        graph.add_weighted_edges_from(edges)
        return graph

    return build, networkx.min_weight_matching


def with_rustworkx():
    import rustworkx

    def build(n, edges):
        graph = rustworkx.PyGraph(multigraph=False)
        graph.add_nodes_from(range(n))
        graph.add_edges_from(edges)
        return graph

    def solve(graph):
        # It only maximises: the heaviest matching of greatest cardinality for `top - weight`.
        top = 1 + max(graph.edges())
        return rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=lambda weight: top - weight)

    return build, solve


def peak():
    """Peak resident memory in KiB, `-` where the system does not tell. What `getrusage` says is no less than what the
    program that started this one had."""
    try:
        with open("/proc/self/status") as status:
            return next(line.split()[1] for line in status if line.startswith("VmHWM:"))
    except (OSError, StopIteration):
        return "-"


def main(package, argument):
    if argument == "--version":
        print(importlib.metadata.version(package))
        return
    build, solve = {"networkx": with_networkx, "rustworkx": with_rustworkx}[package]()
    n, edges = read_edges(argument)
    wall, cpu = time.perf_counter(), time.process_time()
    graph = build(n, edges)
    built = time.process_time() - cpu
    pairs = solve(graph)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    peak_kib = peak()
    if 2 * len(pairs) != n:
        sys.exit("no perfect matching")
    chosen = {(min(u, v), max(u, v)) for u, v in pairs}
    optimum = sum(weight for u, v, weight in edges if (min(u, v), max(u, v)) in chosen)
    print(f"{optimum} {cpu:.9f} {peak_kib} {built:.9f} {wall:.9f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
