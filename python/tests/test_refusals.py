"""What is wrong is refused by its name, and says what would be right."""

from __future__ import annotations

import pickle

import networkx
import numpy as np
import pytest
from conftest import symmetric

import pairgroup
from pairgroup import networkx_compat

GOOD = np.array([[0, 1, 2, 3], [1, 0, 4, 5], [2, 4, 0, 6], [3, 5, 6, 0]])
LOPSIDED = GOOD + np.triu(GOOD)
MASK = np.zeros((4, 4), bool)
LOPSIDED_MASK = MASK.copy()
LOPSIDED_MASK[0, 1] = True


@pytest.mark.parametrize(
    "cost, options, error, text",
    [
        (GOOD[:3], {}, ValueError, "3 rows and 4 columns"),
        (GOOD[0], {}, ValueError, r"shape \(4,\)"),
        (GOOD[None], {}, ValueError, r"shape \(1, 4, 4\)"),
        (7, {}, ValueError, r"shape \(\)"),
        (None, {}, TypeError, "object"),
        ("ab", {}, TypeError, "<U2"),
        ([[0, 1], [1]], {}, ValueError, "rows must have one length"),
        ([[0, "x"], ["x", 0]], {}, TypeError, "<U"),
        ([[0, 2**64], [2**64, 0]], {}, TypeError, "at most 64 bits"),
        ([[0, 2**63], [2**63, 0]], {}, ValueError, "64 bits"),
        ([[0.5, 2**53 + 1], [2**53 + 1, 0]], {}, ValueError, "9007199254740993"),
        (GOOD.astype(complex), {}, TypeError, "complex"),
        (GOOD.astype("datetime64[s]"), {}, TypeError, "datetime64"),
        (LOPSIDED, {}, ValueError, r"\(0, 1\) and \(1, 0\) differ"),
        (GOOD, {"forbidden": LOPSIDED_MASK}, ValueError, r"\(0, 1\)"),
        (GOOD, {"forbidden": MASK[:3]}, ValueError, r"\(3, 4\)"),
        (GOOD, {"forbidden": GOOD}, TypeError, "booleans"),
        (GOOD, {"pairs": "some"}, ValueError, "'some'"),
        (GOOD, {"pairs": "any", "alone": 1}, ValueError, "alone or bye"),
        (GOOD, {"bye": 1, "alone": 1}, ValueError, "both"),
        (GOOD, {"alone": [1, 2, 3]}, ValueError, r"\(3,\)"),
        (GOOD, {"alone": {0: 1, 1: 1, 2: 1}}, ValueError, "no price for node 3"),
        (GOOD, {"alone": {0: 1, 1: 1, 2: 1, 9: 1}}, ValueError, "names 9"),
        (GOOD, {"alone": [1, 2, 3, 0.5]}, ValueError, "node 3 is 0.5"),
        (GOOD, {"alone": [1, 2, np.inf, 1]}, ValueError, "node 2 is inf"),
        (GOOD * 0.5, {"bye": [1, np.nan, 3, 4]}, ValueError, "node 1 is nan"),
        (GOOD * 0.5, {"bye": 2**53 + 1}, ValueError, "9007199254740993"),
        (GOOD, {"alone": "x"}, TypeError, "alone"),
        (GOOD, {"seconds": -1}, ValueError, "seconds is -1"),
        (GOOD, {"seconds": np.nan}, ValueError, "seconds is nan"),
        (GOOD, {"seconds": np.inf}, ValueError, "seconds is inf"),
        (GOOD, {"seconds": "1 s"}, TypeError, "seconds is '1 s'"),
        (GOOD, {"work": -1}, ValueError, "work is -1"),
        (GOOD, {"work": 1.5}, TypeError, "work is 1.5"),
        (GOOD, {"work": 2**64}, ValueError, "work is"),
        (GOOD, {"threads": 0}, ValueError, "threads is 0"),
        (GOOD, {"threads": "two"}, TypeError, "'two'"),
        (np.array([[0, np.nan], [np.nan, 0]]), {}, ValueError, r"\(0, 1\) is NaN"),
        (np.array([[0, -np.inf], [-np.inf, 0]]), {}, ValueError, r"\(0, 1\) is NaN, or infinite"),
    ],
)
def test_matrices_that_are_wrong(cost, options, error, text):
    with pytest.raises(error, match=text):
        pairgroup.pair(cost, **options)


def hidden(entries: object, at: int = 0) -> np.ma.MaskedArray:
    """A masked array, one of whose entries is hidden."""
    array = np.ma.array(entries)
    array[at] = np.ma.masked
    return array


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: pairgroup.pair_arrays([0, 0], [1, 1], hidden([1, 5])), "weights: entries are masked"),
        (lambda: pairgroup.pair_arrays(hidden([0, 2]), [1, 3], [1, 5]), "nodes of edges,: entries are masked"),
        (lambda: pairgroup.pair_edges([(0, 1, np.ma.masked)]), "weights: entries are masked"),
        (lambda: pairgroup.pair(GOOD, alone=hidden([0, 9, 9, 9])), "alone: entries are masked"),
        (lambda: pairgroup.pair(GOOD, bye=np.ma.masked), "bye: entries are masked"),
        (lambda: pairgroup.pair(GOOD, forbidden=hidden(MASK, 1)), "forbidden: entries are masked"),
        (lambda: pairgroup.pair([hidden(row, at) for at, row in enumerate(GOOD)]), "the cost: entries are masked"),
        (lambda: pairgroup.pair_several(GOOD, 2, missing=hidden([0, 9, 9, 9])), "missing: entries are masked"),
        (lambda: pairgroup.Session(GOOD, alone=hidden([0, 9, 9, 9])), "alone: entries are masked"),
        (lambda: pairgroup.Session(GOOD).set_pair(0, 1, np.ma.masked), "cost: entries are masked"),
        (lambda: pairgroup.Session(GOOD).add([1, 2, 3, 4], forbidden=hidden(MASK[0])), "forbidden: entries are masked"),
    ],
)
def test_no_number_is_read_from_behind_a_mask(call, text):
    # What it hides was taken for what it stands before, but in a matrix of costs, where it forbids.
    with pytest.raises(ValueError, match=text):
        call()


@pytest.mark.parametrize("dtype, beyond", [(np.uint64, 2**64 - 1), (np.longdouble, np.longdouble(1) / 3)])
def test_what_is_not_read_may_be_anything(dtype, beyond):
    # Numbers that do not fit were refused behind a mask and on the diagonal, too.
    cost = GOOD.astype(dtype)
    np.fill_diagonal(cost, beyond)
    assert pairgroup.pair(cost).cost == pairgroup.pair(GOOD).cost == 7
    cost[0, 1] = cost[1, 0] = beyond
    with pytest.raises(ValueError, match="not fit"):
        pairgroup.pair(cost)
    mask = MASK.copy()
    mask[0, 1] = mask[1, 0] = True
    masked = np.ma.MaskedArray(cost, mask)
    assert pairgroup.pair(masked).cost == pairgroup.pair(GOOD, forbidden=mask).cost == 7
    assert pairgroup.group(masked, size=2).labels[0] != pairgroup.group(masked, size=2).labels[1]
    session = pairgroup.Session(masked)
    session.set_row(0, masked[0])
    assert session.solve().cost == 7
    assert session.add_many(np.ma.MaskedArray(np.full((2, 6), beyond, dtype), np.zeros((2, 6)) == 0)) == range(4, 6)
    row = np.arange(6).astype(dtype)
    row[5] = beyond
    session.set_row(5, row)
    assert session.matrix()[5, :5].tolist() == [0, 1, 2, 3, 4]
    assert session.add_many(np.array([[0, 1, 2, 3, 4, 5, beyond]], dtype)) == range(6, 7)
    with pytest.raises(ValueError, match="no float"):
        pairgroup.pair([[0.5, 2**53 + 1], [2**53 + 1, 0]])
    assert pairgroup.pair([[2**53 + 1, 0.5], [0.5, 0]]).cost == 0.5


def networkx_graph(edges: list) -> networkx.Graph:
    graph = networkx.Graph()
    graph.add_weighted_edges_from(edges)
    return graph


def test_the_least_integer_is_refused_by_the_names_of_nodes():
    # It was told by positions, as a number that does not fit; and no type is wider than the widest.
    least = -(2**63)
    edges = [("cid", "dan", 4), ("ann", "bob", least)]
    text = "edge 1 .* nodes 'ann' and 'bob', .* sign cannot change in int64"
    for ask in ({"pairs": "any"}, {"pairs": "most"}, {"maximise": True, "alone": 0}):
        with pytest.raises(ValueError, match=text):
            pairgroup.pair_edges(edges, **ask)
    with pytest.raises(ValueError, match=text):
        networkx_compat.min_weight_matching(networkx_graph(edges))
    assert pairgroup.pair_edges(edges).cost == 4 + least
    with pytest.raises(ValueError, match="alone of node 'dan' is -9223372036854775808, whose sign cannot change in int64"):
        pairgroup.pair_edges(edges[:1], maximise=True, alone={"cid": 0, "dan": least})
    with pytest.raises(ValueError, match="bye of node 0 is -2147483648, whose sign cannot change in int32"):
        pairgroup.pair(GOOD.astype(np.int32), maximise=True, bye=-(2**31))
    for call in (lambda cost: pairgroup.pair(cost, pairs="any"), lambda cost: pairgroup.Session(cost, maximise=True)):
        with pytest.raises(ValueError, match=r"\(0, 1\) is the least integer of its type, whose sign cannot change"):
            call(np.array([[0, least], [least, 0]]))


def test_integers_with_a_sign_and_without_one_are_integers():
    # numpy makes floats of both together, and the greatest of them was said not to fit 64 bits.
    pairing = pairgroup.pair_edges([(0, 1, np.uint64(5)), (2, 3, -(2**62) - 1)])
    assert pairing.cost == 4 - 2**62 and pairing.weights.dtype == np.int64
    assert pairgroup.pair([np.array([0, 1], np.uint64), np.array([1, -1])], alone=[np.uint64(3), -3]).cost == 0
    with pytest.raises(ValueError, match="9223372036854775808 does not fit 64 bits"):
        pairgroup.pair_edges([(0, 1, np.uint64(2**63)), (2, 3, -1)])


def test_number_types_are_named_as_numpy_does():
    pairing = pairgroup.pair(GOOD.astype(np.int32))
    for other in ("int64", "float64"):
        with pytest.raises(pairgroup.VerifyError, match=f"which is of {other}"):
            pairing.verify(GOOD.astype(other))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "answer, named, text",
    [
        (lambda: pairgroup.pair(GOOD), {"cost": GOOD, "maximise": True}, r"'maximise'; give what says .* \(cost, forbidden\), all else"),
        (lambda: pairgroup.assign(GOOD), {"forbidden": GOOD > 1}, r"'cost'; give what says .* \(cost, forbidden\)"),
        (lambda: pairgroup.pair_several(GOOD, 1), {"cost": GOOD, "missing": 3}, r"'missing'; give what says .* \(cost, forbidden\)"),
        (lambda: pairgroup.pair_edges([("a", "b", 1)]), {"edges": [("a", "b", 1)], "nodes": "ab"}, r"'nodes'; give what says .* \(edges\)"),
        (lambda: pairgroup.pair_several_edges([("a", "b", 1)], 1), {"weight": 1}, r"'edges'; give what says .* \(edges\)"),
        (lambda: pairgroup.pair_points([0, 1]), {"points": [0, 1], "norm": "manhattan"}, r"'norm'; give what says .* \(points\)"),
    ],
)
def test_what_verify_does_not_take_is_told_by_its_own_name(answer, named, text):
    with pytest.raises(TypeError, match=r"^verify\(\): .*" + text):
        answer().verify(**named)


def test_numbers_beyond_a_type_are_refused_without_a_warning():
    with pytest.raises(pairgroup.PrecisionError):
        pairgroup.pair(GOOD.astype(np.float32), alone=1e300)
    with pytest.raises(ValueError, match="seconds is inf"):
        pairgroup.pair(GOOD, seconds=10**400)
    wide = np.array([[0, 1e300], [1e300, 0]], np.longdouble) * np.longdouble("1e300")
    if np.finfo(np.longdouble).max > np.finfo(float).max:
        with pytest.raises(ValueError, match="do not fit float64"):
            pairgroup.pair(wide)
    # Any total is as good as the first of these, and none as the second.
    skill = np.arange(30) * 0.5
    for target, is_met in ((10**400, True), (-(10**400), False)):
        found = pairgroup.group(abs(skill[:, None] - skill), size=3, target=target, work=1000, threads=1)
        assert ("target" in found.stop) == is_met


@pytest.mark.parametrize(
    "partners, options, error, text",
    [
        (-1, {}, ValueError, "partners of all is -1"),
        (1.5, {}, TypeError, "partners of all is 1.5"),
        (2.0, {}, TypeError, "partners of all is 2.0"),
        (np.nan, {}, TypeError, "partners of all is nan"),
        ("two", {}, TypeError, "'two'"),
        (None, {}, TypeError, "partners of all is None"),
        (2**40, {}, ValueError, "fewer than 536870912 nodes"),
        (2**70, {}, ValueError, "below"),
        ((2, 1), {}, ValueError, "least number of partners of all is 2, and the greatest 1"),
        ((0, 1.5), {}, TypeError, "greatest number of partners of all is 1.5"),
        ((-1, 1), {}, ValueError, "least number of partners of all is -1"),
        ([1, 1, 1], {}, ValueError, "3 entries; .* each of 4 nodes"),
        (np.ones(5, int), {}, ValueError, r"shape \(5,\)"),
        (np.ones((4, 3), int), {}, ValueError, r"shape \(4, 3\)"),
        (np.ones(4), {}, TypeError, "float64"),
        (np.ones(4, bool), {}, TypeError, "bool"),
        (np.array([1, 2, 1, -3]), {}, ValueError, "partners of node 3 is -3"),
        ([1, 1, np.nan, 1], {}, TypeError, "partners of node 2 is nan"),
        ([1, 1, 0.5, 1], {}, TypeError, "partners of node 2 is 0.5"),
        ([1, (1, 2, 3), 1, 1], {}, ValueError, r"partners of node 1 is \(1, 2, 3\)"),
        ([1, (3, 2), 1, 1], {}, ValueError, "partners of node 1 is 3, and the greatest 2"),
        (np.array([[1, 1], [2, 1], [1, 1], [1, 1]]), {}, ValueError, "partners of node 1 is 2, and the greatest 1"),
        ({0: 1, 1: 1, 2: 1}, {}, ValueError, "no number of partners for node 3"),
        ({0: 1, 1: 1, 2: 1, 3: 1, 9: 1}, {}, ValueError, "partners names 9"),
        (4, {}, pairgroup.NoBMatching, "node 0 should have 4 partners and can have 3 at most"),
        ((4, 9), {}, pairgroup.NoBMatching, "node 0 should have 4 partners and can have 3 at most"),
        (2, {"forbidden": ~MASK}, pairgroup.NoBMatching, "node 0 should have 2 partners and can have 0 at most"),
        (1, {"missing": [1, 2, 3]}, ValueError, r"missing has the shape \(3,\)"),
        (1, {"missing": {0: 1, 1: 1, 2: 1}}, ValueError, "missing has no price for node 3"),
        (1, {"missing": [1, np.nan, 3, 4]}, ValueError, "missing of node 1 is nan"),
        (1, {"missing": [1, 2, 3, 0.5]}, ValueError, "node 3 is 0.5, and costs are integers"),
        (1, {"forbidden": MASK[:3]}, ValueError, r"\(3, 4\)"),
        (1, {"forbidden": LOPSIDED_MASK}, ValueError, r"\(0, 1\)"),
        (1, {"seconds": np.nan}, ValueError, "seconds is nan"),
        (1, {"work": -1}, ValueError, "work is -1"),
        (1, {"threads": 0}, ValueError, "threads is 0"),
    ],
)
def test_numbers_of_partners_that_are_wrong(partners, options, error, text):
    with pytest.raises(error, match=text):
        pairgroup.pair_several(GOOD, partners, **options)


def test_costs_of_several_that_are_wrong():
    wrong = [
        (GOOD[:3], "3 rows"),
        (LOPSIDED, r"\(0, 1\)"),
        (np.array([[0, np.nan], [np.nan, 0]]), r"\(0, 1\) is NaN"),
        (np.array([[0, -np.inf], [-np.inf, 0]]), r"\(0, 1\) is NaN, or infinite"),
    ]
    for cost, text in wrong:
        with pytest.raises(ValueError, match=text):
            pairgroup.pair_several(cost, 1)
    with pytest.raises(ValueError, match="weight nan"):
        pairgroup.pair_several_edges([(0, 1, np.nan)], 1)
    with pytest.raises(ValueError, match="'a' to itself"):
        pairgroup.pair_several_edges([("a", "a", 2)], 1)
    with pytest.raises(ValueError, match=r"u\[1\] is -1"):
        pairgroup.pair_several_arrays([0, -1], [1, 2], [1, 1], 1)
    with pytest.raises(TypeError, match="no graph"):
        pairgroup.pair_several_graph([(0, 1, 2)], 1)


@pytest.mark.parametrize(
    "edges, nodes, error, text",
    [
        ([(0, 1, 2), (0, 1)], None, ValueError, r"edge 1 .* is \(0, 1\)"),
        ([5], None, ValueError, "edge 0"),
        ([(0, 1, 2), ("a", "a", 2)], None, ValueError, "edge 1 .* 'a' to itself"),
        ([(1, 1.0, 2)], None, ValueError, "to itself"),
        ([([], 1, 2)], None, TypeError, "hashable"),
        ([("a", "b", 1), ("a", "c", 1)], ["a", "b"], ValueError, "edge 1 .* 'c'"),
        ([(0, 4, 1)], 4, ValueError, "edge 0 .* 4"),
        ([(0, -1, 1)], 4, ValueError, "edge 0 .* -1"),
        ([("a", "b", 1)], ["a", "b", "a"], ValueError, "'a' twice"),
        ([(0, 1, np.nan)], None, ValueError, "nodes 0 and 1, has the weight nan"),
        ([(0, 1, 1.0), ("a", "b", np.inf)], None, ValueError, "edge 1 .* 'a' and 'b'"),
        ([(0, 1, None)], None, TypeError, "weights"),
        ([(0, 1, "3")], None, TypeError, "weights"),
        ([(0, 1, [3, 4])], None, ValueError, "weights"),
        ([(0, 1, 2**70)], None, TypeError, "64 bits"),
        ([(0, 1, 0.5), (1, 2, 2**53 + 1)], None, ValueError, "9007199254740993"),
        (7, None, TypeError, "iter"),
        ([], -1, ValueError, "nodes is -1"),
        ([], 2**62, ValueError, "fewer than 536870912"),
    ],
)
def test_edges_that_are_wrong(edges, nodes, error, text):
    with pytest.raises(error, match=text):
        pairgroup.pair_edges(edges, nodes)


@pytest.mark.parametrize(
    "arrays, nodes, error, text",
    [
        (([0, 1], [1], [1, 1]), None, ValueError, "u has 2 entries and v has 1"),
        (([0], [1], [1, 1]), None, ValueError, "weights have the shape"),
        (([0, -1], [1, 2], [1, 1]), None, ValueError, r"u\[1\] is -1"),
        (([0, 1], [1, 9], [1, 1]), 5, ValueError, r"v\[1\] is 9"),
        (([0, 2], [1, 2], [1, 1]), None, ValueError, "edge 1 .* 2 to itself"),
        (([0.5], [1], [1]), None, TypeError, "float64"),
        (([[0]], [[1]], [[1]]), None, ValueError, "one dimension"),
        (([0], [1], [np.nan]), None, ValueError, "nan"),
        (([0], [2**40], [1]), None, ValueError, "fewer than 536870912"),
        (([0], [2**63 - 1], [1]), None, ValueError, "nodes is 9223372036854775808"),
    ],
)
def test_arrays_that_are_wrong(arrays, nodes, error, text):
    with pytest.raises(error, match=text):
        pairgroup.pair_arrays(*arrays, nodes)


@pytest.mark.parametrize(
    "options, error, text",
    [
        ({}, ValueError, "nothing was given"),
        ({"size": 2, "count": 2}, ValueError, "size and count"),
        ({"size": 0}, ValueError, "size is 0"),
        ({"size": 5}, ValueError, "5"),
        ({"size": 2.0}, TypeError, "size is 2.0"),
        ({"count": 5}, ValueError, "5"),
        ({"sizes": [2, 3]}, ValueError, "4 players"),
        ({"sizes": []}, ValueError, "nobody to group"),
        ({"sizes": [2, "x"]}, TypeError, "'x'"),
        ({"bounds": [(3, 1), (1, 3)]}, ValueError, "group 0"),
        ({"bounds": [3]}, ValueError, "group 0 are 3"),
        ({"bounds": [(-1, 4)]}, ValueError, "-1"),
        ({"size": 2, "bench": -1}, ValueError, "bench is -1"),
        ({"size": 3, "bench": 0}, ValueError, "4 players"),
        ({"size": 2, "apart": [[0, 4]]}, ValueError, "player 4"),
        ({"size": 2, "apart": [[0]]}, ValueError, "two different"),
        ({"size": 2, "apart": [[0, 0]]}, ValueError, "two different"),
        ({"size": 2, "apart": [0]}, TypeError, "apart is 0"),
        ({"size": 2, "parties": [[0, 4]]}, ValueError, "player 4"),
        ({"size": 2, "parties": [[0, -1]]}, ValueError, "-1"),
        ({"size": 2, "parties": [[0, 0]]}, ValueError, "twice"),
        ({"size": 2, "parties": [[0, 1, 2]]}, ValueError, "party"),
        ({"size": 2, "pins": {0: 2}}, ValueError, "group 2"),
        ({"size": 2, "pins": {4: 0}}, ValueError, "player 4"),
        ({"size": 2, "pins": [(0, 0), (0, 1)]}, ValueError, "0"),
        ({"size": 2, "pins": [0]}, ValueError, "pin is 0"),
        ({"size": 2, "pins": {0: 0, 1: 0, 2: 0}}, ValueError, "group 0"),
        ({"size": 2, "seed": -1}, ValueError, "seed is -1"),
        ({"size": 2, "seed": "x"}, TypeError, "'x'"),
        ({"size": 2, "walks": 0}, ValueError, "walks is 0"),
        ({"size": 2, "threads": 0}, ValueError, "threads is 0"),
        ({"size": 2, "seconds": -1}, ValueError, "seconds is -1"),
        ({"size": 2, "work": -1}, ValueError, "work is -1"),
        ({"size": 2, "target": np.nan}, ValueError, "NaN"),
        ({"size": 2, "target": "x"}, TypeError, "'x'"),
        ({"size": 2, "start": [[0, 1], [2]]}, ValueError, "start from"),
        ({"size": 2, "start": [[0, 1], [2, 9]]}, ValueError, "player 9"),
        ({"size": 2, "start": [[0, 1, 2], [3]]}, ValueError, "group 0"),
        ({"sizes": 7}, TypeError, "sizes is 7"),
        ({"bounds": 7}, TypeError, "bounds is 7"),
        ({"size": 2, "apart": 7}, TypeError, "apart is 7"),
        ({"size": 2, "parties": 7}, TypeError, "parties is 7"),
        ({"size": 2, "parties": [7]}, TypeError, "a party is 7"),
        ({"size": 2, "pins": 7}, TypeError, "pins is 7"),
        ({"size": 2, "start": 7}, TypeError, "start is 7"),
        ({"size": 2, "forbidden": MASK[:2]}, ValueError, "shape"),
        ({"size": 2, "forbidden": ~MASK}, pairgroup.NoGrouping, "forbidden"),
        ({"size": 2, "forbidden": LOPSIDED_MASK}, ValueError, r"\(0, 1\)"),
    ],
)
def test_groups_that_are_wrong(options, error, text):
    with pytest.raises(error, match=text):
        pairgroup.group(GOOD, **options)


def test_costs_of_groups_that_are_wrong():
    for cost, text in [(GOOD[:3], "3 rows"), (LOPSIDED, r"\(0, 1\)"), (np.zeros((0, 0)), "nobody to group"), (GOOD[0], "shape")]:
        with pytest.raises(ValueError, match=text):
            pairgroup.group(cost, size=2)
    greatest = np.full((4, 4), np.iinfo(np.int64).max)
    assert pairgroup.group(greatest, size=4).cost == 6 * np.iinfo(np.int64).max
    with pytest.raises(ValueError, match=r"\(0, 1\)"):
        pairgroup.group(-greatest - 1, size=2, maximise=True)


def test_players_who_are_wrong():
    found = pairgroup.group(GOOD, size=2)
    for player, error, text in [
        (4, ValueError, "player is 4; there are 4, numbered from 0"),
        (-1, ValueError, "player is -1"),
        (0.5, TypeError, "player is 0.5"),
        ("x", TypeError, "'x'"),
        (None, TypeError, "None"),
        (2**64, ValueError, "below"),
    ]:
        with pytest.raises(error, match=text):
            found.explain(player)


def test_parties_that_cannot_be_whole():
    cost = symmetric(np.random.default_rng(0), 6)
    with pytest.raises(pairgroup.NoGrouping) as caught:
        pairgroup.group(cost, size=3, parties=[[0, 1], [2, 3], [4, 5]])
    assert caught.value.is_proven and "packed" in str(caught.value)


def test_too_large_a_matrix_is_refused_and_not_copied():
    """Numpy can show one number as a matrix of any size; a copy of it would need terabytes."""
    huge = np.lib.stride_tricks.as_strided(np.zeros(1, np.int32), (2**30, 2**30), (0, 0))
    from pairgroup import _engine

    with pytest.raises(MemoryError, match="1073741824"):
        _engine.Instance.from_matrix(huge, None, False, False)


def test_the_engine_itself_refuses_what_the_package_would_have_caught():
    from pairgroup import _engine

    with pytest.raises(TypeError, match="int16"):
        _engine.Instance.from_matrix(GOOD.astype(np.int16), None, False, False)
    instance = _engine.Instance.from_matrix(GOOD, None, False, False)
    with pytest.raises(ValueError, match="no objective"):
        instance.solve("best")
    with pytest.raises(ValueError, match="needs prices"):
        instance.solve("min_bye")
    with pytest.raises(ValueError, match="does not fit"):
        instance.solve("min_bye", np.full(4, 0.5))
    with pytest.raises(ValueError, match="3 bye"):
        instance.solve("min_bye", np.zeros(3, np.int64))
    with pytest.raises(ValueError, match="seconds"):
        instance.solve("min_perfect", seconds=float("nan"))
    u, v = np.array([0, 0]), np.array([1, -1])
    with pytest.raises(ValueError, match="edge 1 .* -1"):
        _engine.Instance.from_edges(2, u, v, v, False, False)
    with pytest.raises(ValueError, match="1 weights"):
        _engine.Instance.from_edges(2, u, v, v[:1], False, False)
    with pytest.raises(ValueError, match="only 1 vertices"):
        _engine.Instance.from_edges(1, u[:1], v[:1], v[:1], False, False)


def test_nothing_that_is_given_does_more_than_raise_an_error(rng):
    """Numbers at the ends of their types, and what is no number, everywhere: an answer that is right, or an error."""
    odd = [0, 1, -1, 3, 0.5, np.nan, np.inf, -np.inf, 2**31, -(2**31), 2**63 - 1, -(2**63), 2**64, 1e300, 5e-324, True, None, "x"]

    def some(values: list) -> object:
        return values[int(rng.integers(len(values)))]

    def few(usual: object, share: float = 0.1) -> object:
        return some(odd) if rng.random() < share else usual

    answers = 0
    for _ in range(1500):
        n = int(rng.integers(0, 8))
        cost = [[0] * n for _ in range(n)]
        for i in range(n):
            for j in range(i):
                cost[i][j] = cost[j][i] = few(int(rng.integers(-9, 9)), 0.02)
        options = {"work": few(None), "seconds": few(None), "threads": few(None)}
        edges = [(few(int(u), 0.01), few(int(v), 0.01), few(2, 0.02)) for u, v in rng.integers(0, 5, (n, 2)) if u != v]
        prices = few([few(1, 0.05) for _ in range(n)])
        asked = some([{"pairs": "any"}, {"pairs": "most"}, {}, {"alone": prices}, {"bye": prices}])
        asked = {**asked, "maximise": rng.random() < 0.5, "rounded": rng.random() < 0.5}
        groups = some([{"size": few(2)}, {"count": few(2)}, {"sizes": [few(3), few(n - 3)]}, {"bounds": [(few(1), few(9))]}])
        groups = {**groups, "parties": [[few(0), few(1)]], "pins": {few(1): few(0)}, "target": few(None), "seed": few(0)}
        several = some([few(1, 0.3), (few(0), few(2)), [few(1, 0.05) for _ in range(n)], [(few(0, 0.05), few(2)) for _ in range(n)]])
        prices_of_missing = {"missing": prices, "maximise": rng.random() < 0.5, "rounded": rng.random() < 0.5}
        for solve in (
            lambda: pairgroup.pair(cost, **asked, **options),
            lambda: pairgroup.pair_edges(edges, few(None), **asked, **options),
            lambda: pairgroup.pair_arrays(*zip(*edges), few(5), **asked, **options),
            lambda: pairgroup.pair_several(cost, several, **prices_of_missing, **options),
            lambda: pairgroup.pair_several_edges(edges, several, few(None), **prices_of_missing, **options),
            lambda: pairgroup.group(cost, **groups, **{**options, "work": 100}),
        ):
            try:
                solve().verify()
                answers += 1
            except pairgroup.VerifyError:
                raise
            except pairgroup.NoPerfectMatching as error:
                error.verify()
            except pairgroup.NoBMatching as error:
                # Within no time nobody may be found to name.
                if error.missing:
                    error.verify()
            except (ValueError, TypeError):
                pass
    assert answers > 1000


def test_errors_go_through_other_processes():
    star = pairgroup.NoPerfectMatching("none", ["hub"], [["a"], ["b"]])
    again = pickle.loads(pickle.dumps(star))
    assert again.removed == ["hub"] and again.deficiency == 1 and str(again) == "none"
    with pytest.raises(pairgroup.VerifyError):
        again.verify()
    lack = pickle.loads(pickle.dumps(pairgroup.NoBMatching("none", ["hub"], ["a", "b"], [["c"]], 2)))
    assert (lack.removed, lack.wanting, lack.odd_components, lack.missing) == (["hub"], ["a", "b"], [["c"]], 2)
    with pytest.raises(pairgroup.VerifyError):
        lack.verify()
    none = pickle.loads(pickle.dumps(pairgroup.NoGrouping("none", True, [1, 2])))
    assert none.is_proven and none.group == [1, 2]
