"""Engines at work: interrupts, threads, forks."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest
from conftest import symmetric

import pairgroup


def run(program: str, seconds: float = 60) -> subprocess.CompletedProcess:
    """A program of its own, which signals do not reach us from, and which may hang."""
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, timeout=seconds
    )


HEAD = """
    import os, signal, threading, time
    import numpy as np
    import pairgroup

    def press_soon():
        threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
        return time.perf_counter()
"""


@pytest.mark.skipif(os.name != "posix", reason="signals are sent as on POSIX")
def test_ctrl_c_ends_a_search():
    done = run(
        HEAD
        + """
    cost = np.random.default_rng(0).random((300, 300))
    began = press_soon()
    try:
        pairgroup.group(cost + cost.T, size=5, seconds=50)
    except KeyboardInterrupt:
        print("interrupted", time.perf_counter() - began)
    # The next one is not interrupted.
    print(len(pairgroup.group(cost + cost.T, size=5, work=1000)))
    """
    )
    words = done.stdout.split()
    assert words[0] == "interrupted" and 0.4 < float(words[1]) < 5 and words[2] == "60", done


@pytest.mark.skipif(os.name != "posix", reason="signals are sent as on POSIX")
def test_ctrl_c_ends_an_assignment():
    done = run(
        HEAD
        + """
    rng = np.random.default_rng(0)
    cost = rng.integers(1, 10**4, 3000)[:, None] * rng.integers(1, 10**4, 3000)
    began = press_soon()
    try:
        # Again, should the machine be fast.
        while time.perf_counter() - began < 60:
            pairgroup.assign(cost)
    except KeyboardInterrupt:
        print("interrupted", time.perf_counter() - began)
    print(len(pairgroup.assign(cost[:400, :300])))
    """
    )
    words = done.stdout.split()
    assert words[0] == "interrupted" and 0.4 < float(words[1]) < 20 and words[2] == "300", done


@pytest.mark.skipif(os.name != "posix", reason="signals are sent as on POSIX")
def test_ctrl_c_ends_a_solve():
    # The edges of a large sparse graph: the search alone takes several seconds.
    done = run(
        HEAD
        + """
    rng = np.random.default_rng(0)
    n = 1_000_000
    u, v = rng.integers(0, n, (2, 6 * n))
    keep = u != v
    weight = rng.integers(0, 10**6, 6 * n)
    began = time.perf_counter()
    threading.Timer(3.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    try:
        # Again, should the machine be fast.
        while time.perf_counter() - began < 60:
            pairgroup.pair_arrays(u[keep], v[keep], weight[keep], n, pairs="most")
    except KeyboardInterrupt:
        print("interrupted", time.perf_counter() - began)
    """,
        seconds=120,
    )
    words = done.stdout.split()
    assert words[0] == "interrupted" and float(words[1]) < 20, done


@pytest.mark.skipif(os.name != "posix", reason="signals are sent as on POSIX")
def test_ctrl_c_ends_a_search_for_several_partners():
    # Costs that are products, of many: that takes longer than anybody waits.
    done = run(
        HEAD
        + """
    skill = np.sort(np.random.default_rng(0).integers(0, 10**3, 2000))
    cost = np.outer(skill, skill)
    began = press_soon()
    try:
        pairgroup.pair_several(cost, 10)
    except KeyboardInterrupt:
        print("interrupted", time.perf_counter() - began)
    print(pairgroup.pair_several(cost[:200, :200], 1).is_optimal)
    """
    )
    words = done.stdout.split()
    assert words[0] == "interrupted" and 0.4 < float(words[1]) < 20 and words[2] == "True", done


@pytest.mark.skipif(os.name != "posix", reason="signals are sent as on POSIX")
def test_ctrl_c_ends_explanations():
    # Of a pairing that was stopped before it had begun both answers have to be found, again and again; the exchanges of a
    # player with two thousand others, in groups as large, take half a minute.
    done = run(
        HEAD
        + """
    rng = np.random.default_rng(0)
    n = 200_000
    u, v = rng.integers(0, n, (2, 6 * n))
    keep = u != v
    weight = rng.integers(0, 10**6, 6 * n)
    pairing = pairgroup.pair_arrays(u[keep], v[keep], weight[keep], n, pairs="most", work=0)
    began = press_soon()
    try:
        while time.perf_counter() - began < 60:
            pairing.explain(0, 1)
    except KeyboardInterrupt:
        print("interrupted", time.perf_counter() - began)
    cost = rng.random((4000, 4000))
    found = pairgroup.group(cost + cost.T, size=2000, work=0)
    began = press_soon()
    try:
        while time.perf_counter() - began < 60:
            found.explain(0)
    except KeyboardInterrupt:
        print("interrupted", time.perf_counter() - began)
    """,
        seconds=120,
    )
    words = done.stdout.split()
    assert words[::2] == ["interrupted"] * 2 and float(words[1]) < 20 and float(words[3]) < 20, done


def test_a_handler_that_raises_something_else_is_heard():
    if os.name != "posix":
        pytest.skip("alarms are of POSIX")

    class Late(Exception):
        pass

    def ring(*_: object) -> None:
        raise Late

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        with pytest.raises(Late):
            pairgroup.group(symmetric(np.random.default_rng(0), 300), size=5, seconds=30)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_other_threads_run_meanwhile():
    """A thread that counts comes on while another one searches: it could not, if the search kept the lock."""
    cost = symmetric(np.random.default_rng(0), 200)
    searching = threading.Thread(target=pairgroup.group, args=(cost,), kwargs={"size": 5, "seconds": 1.0, "threads": 1})
    began = time.perf_counter()
    searching.start()
    looks = 0
    while searching.is_alive():
        looks += 1
        time.sleep(0.01)
    assert time.perf_counter() - began > 0.5 and looks > 10


def test_many_threads_solve_at_once():
    rng = np.random.default_rng(0)
    costs = [symmetric(rng, n) for n in (20, 60, 120, 210, 230, 250) * 3]
    expected = [pairgroup.pair(cost).cost for cost in costs]
    found: list = [None] * len(costs)

    def solve(at: int) -> None:
        pairing = pairgroup.pair(costs[at], threads=2)
        pairing.verify()
        found[at] = pairing.cost

    threads = [threading.Thread(target=solve, args=(at,)) for at in range(len(costs))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == expected


def _solve_in_child(cost: np.ndarray) -> int:
    pairing = pairgroup.pair(cost, threads=2)
    pairing.verify()
    return pairing.cost + pairgroup.group(cost, size=4, work=1000).cost * 0


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="there are no forks")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_process_has_threads_of_its_own():
    """A pool that outlives calls would have no threads in the child, which would wait for them for ever."""
    cost = symmetric(np.random.default_rng(0), 1200)
    expected = _solve_in_child(cost)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map_async(_solve_in_child, [cost] * 3).get(timeout=60) == [expected] * 3


def test_threads_beyond_all_measure_are_as_many_as_are_of_use():
    cost = symmetric(np.random.default_rng(0), 300)
    assert pairgroup.pair(cost, threads=10**9).cost == pairgroup.pair(cost, threads=1).cost
