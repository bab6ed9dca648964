"""Answers that go to other processes: what they say and their proofs go, their input stays behind."""

import copy
import itertools
import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pairgroup
import pytest
from conftest import symmetric

TYPES = [np.int32, np.int64, np.float32, np.float64]


def spread(team):
    """What a group of numbers costs."""
    return max(team) - min(team)


def said(answer):
    """All that an answer says by its attributes."""
    names = [name for name in dir(type(answer)) if isinstance(getattr(type(answer), name), property)]
    return {name: getattr(answer, name) for name in names}


def same(one, other):
    assert one.keys() == other.keys()
    for name, value in one.items():
        if isinstance(value, np.ndarray):
            assert value.dtype == other[name].dtype
            np.testing.assert_array_equal(value, other[name])
        else:
            assert value == other[name], name


def pairings(rng, dtype):
    """Answers, with what they can be verified by."""
    cost = symmetric(rng, 9, dtype=dtype)
    even = cost[:8, :8]
    u, v = np.triu_indices(8, 1)
    edges = list(zip(u.tolist(), v.tolist(), even[u, v].tolist()))
    for maximise in (False, True):
        yield pairgroup.pair(even, maximise=maximise), (even,)
        yield pairgroup.pair(even, maximise=maximise, worst_first=True), (even,)
        yield pairgroup.pair(cost, maximise=maximise, bye=3), (cost,)
        yield pairgroup.pair(cost, maximise=maximise, alone=list(range(9))), (cost,)
        yield pairgroup.pair(cost, maximise=maximise, pairs="most"), (cost,)
        yield pairgroup.pair(cost, maximise=maximise, pairs="any"), (cost,)
        yield pairgroup.pair_arrays(u, v, even[u, v], maximise=maximise), (u, v, even[u, v])
        yield pairgroup.pair_several(cost, (1, 2), maximise=maximise, missing=2), (cost,)
        yield pairgroup.pair_several_arrays(u, v, even[u, v], 3, maximise=maximise), (u, v, even[u, v])
        yield pairgroup.group(cost, size=3, maximise=maximise, apart=[[0, 1]], pins={2: 1}), (cost,)
    yield pairgroup.pair_edges(edges), (edges,)
    yield pairgroup.pair_several_edges(edges, 2), (edges,)
    yield pairgroup.Session(cost, alone=4).solve(), (cost,)
    # Limits leave bounds that may be infinite.
    yield pairgroup.pair(even, work=0), (even,)
    yield pairgroup.pair(np.zeros((0, 0), dtype)), (np.zeros((0, 0), dtype),)


@pytest.mark.parametrize("dtype", TYPES)
def test_what_answers_say_and_prove_goes_along(rng, dtype):
    for answer, source in pairings(rng, dtype):
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
            again = pickle.loads(pickle.dumps(answer, protocol))
            assert type(again) is type(answer) and repr(again) == repr(answer)
            same(said(again), said(answer))
            again.verify(*source)
            with pytest.raises(pairgroup.VerifyError, match="without its input; give that to verify it"):
                again.verify()
        # And on, from there to somewhere else.
        same(said(pickle.loads(pickle.dumps(again))), said(answer))
        if len(again):
            wrong = [np.asarray(part).copy() for part in source]
            wrong[-1].reshape(-1)[...] += 1
            if len(source) == 1 and np.asarray(source[0]).shape[-1] == 3:
                wrong = [[(u, v, weight + 1) for u, v, weight in source[0]]]
            with pytest.raises(pairgroup.VerifyError):
                again.verify(*wrong)


def test_names_and_graphs_go_along():
    networkx = pytest.importorskip("networkx")
    graph = networkx.Graph()
    graph.add_weighted_edges_from([("ann", "bob", 4), ("bob", "cid", 1), ("cid", "dan", 4), ("dan", "ann", 5)], weight="gap")
    for answer in (pairgroup.pair_graph(graph, "gap"), pairgroup.pair_several_graph(graph, 1, "gap")):
        again = pickle.loads(pickle.dumps(answer))
        assert again.pairs == [("ann", "dan"), ("bob", "cid")]
        assert again.nodes == answer.nodes
        again.verify(graph)
        graph["ann"]["dan"]["gap"] = 6
        with pytest.raises(pairgroup.VerifyError):
            again.verify(graph)
        graph["ann"]["dan"]["gap"] = 5
    assert pickle.loads(pickle.dumps(pairgroup.pair_graph(graph, "gap"))).partner("bob") == "cid"


def test_groups_by_a_function(rng):
    answer = pairgroup.group(spread, players=9, size=3, dtype=int, maximise=True)
    again = pickle.loads(pickle.dumps(answer))
    same(said(again), said(answer))
    again.verify(spread)
    with pytest.raises(pairgroup.VerifyError):
        again.verify(lambda team: 1)
    # The function stays behind, so it may be one that cannot go along.
    pickle.dumps(pairgroup.group(lambda team: len(team), players=6, size=3))


def test_explanations_say_what_they_said(rng):
    cost = symmetric(rng, 8)
    for why in (pairgroup.pair(cost).explain(0, 1), pairgroup.pair_several(cost, 2).explain(0, 1)):
        again = pickle.loads(pickle.dumps(why))
        same(said(again), said(why))
        assert repr(again) == repr(why)
        with pytest.raises(pairgroup.VerifyError, match="verify where it was found"):
            again.verify()
        assert copy.deepcopy(why) is why


def test_what_needs_the_input_says_where_it_is(rng):
    cost = symmetric(rng, 8)
    pairing, several, grouping = (
        pickle.loads(pickle.dumps(answer))
        for answer in (pairgroup.pair(cost), pairgroup.pair_several(cost, 2), pairgroup.group(cost, size=4))
    )
    for ask in (
        lambda: pairing.explain(0, 1),
        pairing.most_pairs,
        lambda: several.explain(0, 1),
        lambda: grouping.explain(0),
        lambda: grouping.explain(0, 1),
    ):
        with pytest.raises(pairgroup.VerifyError, match="came from another process, without its input; ask where"):
            ask()


def test_copies_are_the_answer_itself(rng):
    cost = symmetric(rng, 8)
    for answer in (pairgroup.pair(cost), pairgroup.pair_several(cost, 2), pairgroup.group(cost, size=4)):
        for again in (copy.copy(answer), copy.deepcopy(answer)):
            assert again is answer
            again.verify()


def test_a_pool_of_processes(rng):
    costs = [symmetric(rng, n) for n in (6, 10, 20)]
    # A fresh interpreter each, as on Windows and macOS.
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        for cost, pairing in zip(costs, pool.map(pairgroup.pair, costs)):
            pairing.verify(cost)
            assert pairing.cost == pairgroup.pair(cost).cost
        sent = [pairgroup.pair(cost) for cost in costs]
        assert list(pool.map(repr, sent)) == [repr(answer) for answer in sent]


def test_forged_bytes_are_refused_or_found_out(rng):
    cost = symmetric(rng, 6)
    pairing, fairest, several = pairgroup.pair(cost), pairgroup.pair(cost, worst_first=True), pairgroup.pair_several(cost, 2)
    grouping = pairgroup.group(cost, size=3)
    for found, verify in (
        (pairing._solution, pairing._instance.verify),
        (fairest._solution, fairest._instance.verify),
        (several._choice, several._instance.verify_several),
        (grouping._found, grouping._partition.verify),
    ):
        restored, (number, data, *rest) = found.__reduce__()
        for size in range(len(data)):
            with pytest.raises(ValueError, match="these bytes are no answer"):
                restored(number, data[:size], *rest)
        for other in ("int32", "float64", "complex128", ""):
            with pytest.raises(ValueError):
                verify(restored(other, data, *rest))
        refused = 0
        for at, value in itertools.product(range(len(data)), (0, 1, 2, 5, 127, 255)):
            forged = bytearray(data)
            forged[at] = value
            try:
                verify(restored(number, bytes(forged), *rest))
            except ValueError:
                refused += 1
        assert refused > len(data)
