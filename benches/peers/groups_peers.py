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

OURS = ["generation", "enumeration", "microlp"]
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
    """What a process prints, and its CPU seconds; None if it did not end within the limit."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = subprocess.run(command, capture_output=True, text=True, preexec_fn=limited(limit))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if result.returncode != 0 and result.stderr:
        print(f"note: {command}: {result.stderr.strip().splitlines()[-1]}", file=sys.stderr)
    return (result.stdout.split() if result.returncode == 0 else None), seconds


def entry(name, optimum, seconds, limit):
    """A cell of the table; two answers that differ end the comparison."""
    if optimum is None or seconds > limit:
        return f"> {limit}"
    first = entry.known
    if first is not None and round(optimum) != first:
        sys.exit(f"{name} says {optimum}, not {first}")
    entry.known = round(optimum)
    return f"{seconds:.3g}"


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
    entry.known = None
    cells = []
    ours = [options.program, kind, str(n), str(k), options.seed]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "teams.mps")
        if teams <= options.teams:
            subprocess.run([*ours, path], check=True)
        for name in names:
            if name != "generation" and teams > options.teams:
                cells.append("-")
            elif name in OURS:
                words, seconds = run([*ours, name], options.limit)
                is_done = words is not None and words[1] in ("proven", "optimal")
                cells.append(entry(name, float(words[0]) if is_done else None, seconds, options.limit))
            else:
                words, _ = run([sys.executable, __file__, "--solve", name, path], options.limit + READING)
                is_done = words is not None and words[0] != "None"
                seconds = float(words[1]) if is_done else 0.0
                cells.append(entry(name, float(words[0]) if is_done else None, seconds, options.limit))
    print(f"| {kind} | {n} | {k} | {teams} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--solve"]:
        print(*solve(*sys.argv[2:4]))
    else:
        main()
