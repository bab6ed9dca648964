"""Why two are partners where everybody has several, or are not: against all sets of edges of small graphs."""

from __future__ import annotations

import itertools
import json
import os
import pickle

import networkx
import numpy as np
import pytest
from conftest import symmetric, symmetric_mask
from test_running import HEAD, run
from test_several import DTYPES, missing_by, small_graph

import pairgroup


def totals_of_all(edges, weights, least, most, missing, pair) -> tuple[list, list]:
    """The total of each set of edges by which everybody has as many partners as he should: with a pair, and without it."""
    n, found = len(least), ([], [])
    for chosen in itertools.product((False, True), repeat=len(edges)):
        some = [edge for edge, is_chosen in zip(edges, chosen) if is_chosen]
        degree = np.bincount(np.array(some, np.int64).ravel(), minlength=n)
        if all(low <= count <= high for low, count, high in zip(least, degree, most)):
            total = sum(weight for weight, is_chosen in zip(weights, chosen) if is_chosen)
            if missing is not None:
                total += sum(price * (high - int(count)) for price, count, high in zip(missing, degree, most))
            found[pair not in some].append(total)
    return found


def near(value):
    return pytest.approx(value, rel=1e-6, abs=1e-6) if isinstance(value, float) else value


def check(what_if, answer, best, edges, least, most) -> None:
    """The best there is under a condition; `edges` and numbers of partners are those of the rest, where there is none."""
    if best is None:
        assert what_if.is_infeasible and what_if.pairs is what_if.cost is what_if.bound is what_if.change is None
        assert what_if.added == what_if.dropped == []
        if what_if.barred:
            assert what_if.missing == what_if.work == 0 and most[what_if.barred[0]] == 0
        else:
            assert what_if.missing == missing_by(edges, least, most, what_if) >= 1
        return
    assert what_if.status == "optimal" and what_if.reason is None and what_if.barred == ()
    assert what_if.removed == what_if.wanting == what_if.odd_components == [] and what_if.missing == 0
    assert what_if.cost == near(best) == near(what_if.bound) and what_if.change == near(best - answer.cost)
    before, after = set(answer.pairs), set(what_if.pairs)
    assert what_if.pairs == sorted(after) and what_if.added == sorted(after - before)
    assert what_if.dropped == sorted(before - after)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("maximise", [False, True])
def test_pairs_against_all_sets_of_edges(rng, dtype, maximise):
    seen = set()
    for at in range(25):
        n, forbidden = small_graph(rng, 8)
        cost = symmetric(rng, n, -30, 30, dtype)
        edges = [(int(u), int(v)) for u, v in np.argwhere(np.triu(~forbidden, 1))]
        least = rng.integers(0, 3, n).tolist()
        most = [low + int(rng.integers(0, 3)) * (at % 3 > 0) for low in least]
        missing = rng.integers(-9, 20, n).tolist() if rng.random() < 0.5 else None
        weights = [cost[edge].item() for edge in edges]
        asked = dict(partners=list(zip(least, most)), missing=missing, maximise=maximise)
        try:
            answers = [pairgroup.pair_several(cost, forbidden=forbidden, **asked)]
        except pairgroup.NoBMatching:
            continue
        answers.append(pairgroup.pair_several_edges(zip(*zip(*edges), weights) if edges else [], nodes=n, **asked))
        for (u, v), answer in itertools.product(itertools.combinations(range(n), 2), answers):
            why = answer.explain(v, u)
            why.verify()
            assert why.pair == (u, v) and why.is_chosen == ((u, v) in answer.pairs)
            having, lacking = totals_of_all(edges, weights, least, most, missing, (u, v))
            others = [edge for edge in edges if edge != (u, v)]
            best = (max if maximise else min)(lacking, default=None)
            check(why.forbidden, answer, best, others, least, most)
            if (u, v) not in edges:
                assert why.cost is None and why.forced is None and "cannot be" in repr(why)
                continue
            assert why.cost == near(cost[u, v].item())
            fewer = [[number - (node in (u, v)) for node, number in enumerate(numbers)] for numbers in (least, most)]
            low = [max(number, 0) for number in fewer[0]]
            high = most if 0 in (most[u], most[v]) else fewer[1]
            check(why.forced, answer, (max if maximise else min)(having, default=None), others, low, high)
            assert why.forced.pairs is None or (u, v) in why.forced.pairs
            seen |= {why.is_chosen, why.forced.status, why.forbidden.status, bool(why.forced.barred)}
    assert seen == {True, False, "optimal", "infeasible"}


def test_one_partner_each_is_explained_as_a_pairing_is(rng):
    for n, maximise in itertools.product((2, 6, 14, 30), (False, True)):
        cost = symmetric(rng, n, -100, 100)
        forbidden = symmetric_mask(rng, n, 0.2 if n > 6 else 0)
        one = pairgroup.pair(cost, forbidden=forbidden, maximise=maximise)
        other = pairgroup.pair_several(cost, 1, forbidden=forbidden, maximise=maximise)
        for u, v in itertools.combinations(range(min(n, 8)), 2):
            a, b = one.explain(u, v), other.explain(u, v)
            assert a.cost == b.cost and (a.forced is None) == (b.forced is None)
            for single, several in ((a.forced, b.forced), (a.forbidden, b.forbidden)):
                if single is not None:
                    assert (single.status, single.cost, single.bound, single.change) == (
                        several.status,
                        several.cost,
                        several.bound,
                        several.change,
                    )


def test_at_most_one_partner_each_is_what_networkx_finds(rng):
    """With two forced to be one, the others are matched without them; without the pair, without its edge."""
    for seed in range(20):
        graph = networkx.gnp_random_graph(10, 0.5, seed=seed)
        for u, v in graph.edges:
            graph.edges[u, v]["weight"] = int(rng.integers(1, 50))

        def weight(of: networkx.Graph) -> int:
            return sum(of.edges[pair]["weight"] for pair in networkx.max_weight_matching(of))

        answer = pairgroup.pair_several_graph(graph, (0, 1), maximise=True)
        for u, v in itertools.islice(graph.edges, 6):
            why = answer.explain(u, v)
            why.verify()
            alone, without = graph.copy(), graph.copy()
            alone.remove_nodes_from((u, v))
            without.remove_edge(u, v)
            assert why.forced.cost == weight(alone) + graph.edges[u, v]["weight"]
            assert why.forbidden.cost == weight(without)


def test_names_of_nodes_and_refusals():
    ring = [("ann", "bob", 4), ("bob", None, 1), (None, 2.5, 4), (2.5, "ann", 5), ("ann", None, 2)]
    answer = pairgroup.pair_several_edges(ring, {"ann": 2, "bob": 1, None: 2, 2.5: (0, 1)})
    assert answer.pairs == [("ann", None), ("ann", 2.5), ("bob", None)]
    why = answer.explain(None, "bob")
    assert why.pair == ("bob", None) and why.is_chosen and why.cost == 1
    assert why.forbidden.added == [("ann", "bob"), (None, 2.5)] and why.forbidden.change == 2
    assert why.forbidden.dropped == [("ann", 2.5), ("bob", None)]
    assert repr(why) == "<BMatchingExplanation: ('bob', None) chosen, if forced cost 8, if forbidden cost 10>"
    with pytest.raises(KeyError):
        answer.explain("ann", "eve")
    with pytest.raises(ValueError, match="both 'ann'; give two different nodes"):
        answer.explain("ann", "ann")
    with pytest.raises(ValueError, match="seconds is -1"):
        answer.explain("ann", "bob", seconds=-1)
    with pytest.raises(ValueError, match="threads is 0"):
        answer.explain("ann", "bob", threads=0)
    with pytest.raises(TypeError, match="work is 'much'"):
        answer.explain("ann", "bob", work="much")
    nobody = pairgroup.pair_several_edges(ring, {"ann": (0, 2), "bob": 0, None: (0, 2), 2.5: (0, 1)})
    why = nobody.explain("ann", "bob")
    why.verify()
    assert why.forced.is_infeasible and why.forced.barred == ("bob",) and "if forced infeasible" in repr(why)


def test_within_limits(rng):
    cost = symmetric(rng, 120, 0, 10**6)
    answer = pairgroup.pair_several(cost, (2, 4), missing=2 * 10**5)
    u, v = answer.pairs[0]
    best = answer.explain(u, v)
    for stopped in (answer.explain(u, v, work=1), answer.explain(u, v, seconds=0)):
        stopped.verify()
        assert stopped.forbidden.status in ("feasible", "unknown") and "spent" in stopped.forbidden.reason
        # Nothing is better without the pair than the best of all is, whatever was searched.
        assert answer.cost <= stopped.forbidden.bound <= best.forbidden.cost
        assert stopped.forced == best.forced
    for threads in (1, 3):
        assert answer.explain(u, v, threads=threads).forbidden == best.forbidden
    rounded = pairgroup.pair_several_edges(
        [(0, 1, 1e-40), (1, 2, 1e30), (2, 3, 3e-40), (3, 0, 1e30), (0, 2, 1e-40)], (1, 2), rounded=True
    )
    why = rounded.explain(0, 2)
    why.verify()
    assert why.forbidden.status == "feasible" and "rounded" in why.forbidden.reason


def test_what_ifs_are_plain_data(rng):
    what_if = pairgroup.pair_several(symmetric(rng, 6), 2).explain(0, 1).forbidden
    assert pickle.loads(pickle.dumps(what_if)) == what_if
    assert json.loads(json.dumps(what_if._asdict()))["status"] == "optimal"


def test_the_engine_refuses_what_is_of_others(rng):
    from pairgroup import _engine

    cost, twos = symmetric(rng, 6, 1), np.full(6, 2, np.uint32)
    instance = _engine.Instance.from_matrix(cost, None, False, False)
    doubled = _engine.Instance.from_matrix(2 * cost, None, False, False)
    floats = _engine.Instance.from_matrix(cost * 0.5, None, False, False)
    choice = instance.solve_several(twos, twos)
    why = _engine.WhySeveral(instance, choice, 0, 1)
    why.verify(instance, choice)
    for wrong in (doubled, floats):
        with pytest.raises(pairgroup.VerifyError):
            why.verify(wrong, choice)
        with pytest.raises(pairgroup.VerifyError):
            why.verify(wrong, wrong.solve_several(twos, twos))
    with pytest.raises(pairgroup.VerifyError, match="number type"):
        _engine.WhySeveral(floats, choice, 0, 1)
    for u, v in ((0, 0), (1, 0), (0, 6)):
        with pytest.raises(ValueError, match="is no pair of 6 vertices"):
            _engine.WhySeveral(instance, choice, u, v)


@pytest.mark.skipif(os.name != "posix", reason="signals are sent as on POSIX")
def test_ctrl_c_ends_it():
    done = run(
        HEAD
        + """
    rng = np.random.default_rng(0)
    cost = rng.integers(0, 10**9, (700, 700))
    cost = np.minimum(cost, cost.T)
    # One that was stopped answers neither question by itself.
    answer = pairgroup.pair_several(cost, 12, work=1)
    began = press_soon()
    try:
        while time.perf_counter() - began < 50:
            answer.explain(0, 1)
    except KeyboardInterrupt:
        print("interrupted", time.perf_counter() - began)
    answer.explain(0, 1, work=1).verify()
    print("verified")
    """,
        seconds=120,
    )
    words = done.stdout.split()
    assert words[0] == "interrupted" and float(words[1]) < 20 and words[2] == "verified", done
