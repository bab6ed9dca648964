"""Solvers side by side on random grouping problems: `groups_peers.py PROGRAM [OPTION ...]`, see benches/README.md.

PROGRAM is the example `all_teams` of matching-lp, which solves a problem by a route of its own, or writes the program of all
teams as an MPS file for the others. Every run is a process on one thread with a limit on CPU seconds.
"""

import argparse
import math
import os
import re
import resource
import subprocess
import sys
import tempfile
import time

OURS = ["solver", "microlp"]
PEERS = ["highs", "highs-no-presolve", "cbc", "scip"]
READING = 20  # CPU seconds beyond the limit, for reading the file
SIZES = [(24, 3), (24, 4), (30, 3), (28, 4), (32, 4), (40, 4), (60, 3), (60, 4)]


def highs(path, presolve):
    import highspy

    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("threads", 1)
    solver.setOptionValue("mip_rel_gap", 0.0)
    solver.setOptionValue("presolve", presolve)
    solver.readModel(path)
    start = time.process_time()
    solver.run()
    seconds = time.process_time() - start
    is_optimal = solver.getModelStatus() == highspy.HighsModelStatus.kOptimal
    return (solver.getInfo().objective_function_value if is_optimal else None), seconds


def scip(path):
    from pyscipopt import Model

    model = Model()
    model.hideOutput()
    model.readProblem(path)
    start = time.process_time()
    model.optimize()
    seconds = time.process_time() - start
    return (model.getObjVal() if model.getStatus() == "optimal" else None), seconds


def cbc(path):
    """The program that PuLP brings along; reading the file is part of its time."""
    import pulp

    command = [pulp.PULP_CBC_CMD().path, path, "-threads", "0", "-ratioGap", "0", "-solve"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    output = subprocess.run(command, capture_output=True, text=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    value = re.search(r"Objective value:\s+(-?[\d.]+)", output)
    is_optimal = "Result - Optimal solution found" in output and value
    return (float(value.group(1)) if is_optimal else None), seconds


def solve(peer, path):
    if peer == "cbc":
        return cbc(path)
    if peer == "scip":
        return scip(path)
    return highs(path, "off" if peer == "highs-no-presolve" else "choose")


def limited(seconds):
    def before():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))

    return before


def run(command, limit):
    """What a process prints, and its CPU seconds; no words if it was ended at the limit."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = subprocess.run(command, capture_output=True, text=True, preexec_fn=limited(limit))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    # A signal ends what has spent its seconds, here or one process further down.
    if result.returncode < 0:
        return [], max(seconds, limit)
    if result.returncode > 0:
        print(f"note: {command}: {result.stderr.strip().splitlines()[-1]}", file=sys.stderr)
        return ["None", "0"], seconds
    return result.stdout.split(), seconds


class Row:
    """The cells of one problem; answers that differ end the comparison."""

    def __init__(self, limit):
        self.limit = limit
        self.known = None
        self.cells = []

    def add(self, name, value, seconds):
        if seconds >= self.limit:
            self.cells.append(f"> {self.limit}")
        elif value == "None":
            self.cells.append("failed")
        else:
            value = round(float(value))
            if self.known not in (None, value):
                sys.exit(f"{name} says {value}, not {self.known}")
            self.known = value
            self.cells.append(f"{seconds:.3g}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--limit", type=int, default=60, help="CPU seconds of a run")
    parser.add_argument("--classes", default="rating,uniform")
    parser.add_argument("--sizes", default=",".join(f"{n}:{k}" for n, k in SIZES), help="PLAYERS:SIZE,...")
    parser.add_argument("--teams", type=int, default=100_000, help="most teams for routes over all of them")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--only", help="NAME,...")
    options = parser.parse_args()
    names = options.only.split(",") if options.only else OURS + PEERS
    print("| class | n | k | teams | " + " | ".join(names) + " |")
    print("| --- | --- | --- | --- | " + " | ".join("---" for _ in names) + " |")
    for kind in options.classes.split(","):
        for size in options.sizes.split(","):
            n, k = (int(number) for number in size.split(":"))
            compare(options, names, kind, n, k)


def compare(options, names, kind, n, k):
    teams = math.comb(n, k)
    row = Row(options.limit)
    ours = [options.program, kind, str(n), str(k), options.seed]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "teams.mps")
        if teams <= options.teams:
            subprocess.run([*ours, path], check=True)
        for name in names:
            if name != "solver" and teams > options.teams:
                row.cells.append("-")
            elif name in OURS:
                words, seconds = run([*ours, name], options.limit)
                is_done = words[1:2] in (["proven"], ["optimal"])
                row.add(name, words[0] if is_done else "None", seconds)
            else:
                words, seconds = run([sys.executable, __file__, "--solve", name, path], options.limit + READING)
                row.add(name, words[0] if words else "None", float(words[1]) if words else seconds)
    print(f"| {kind} | {n} | {k} | {teams} | " + " | ".join(row.cells) + " |", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--solve"]:
        print(*solve(*sys.argv[2:4]))
    else:
        main()
