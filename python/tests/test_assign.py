"""Assignments against trying everything, and against scipy where that takes too long."""

from __future__ import annotations

import copy
import itertools
import pickle
from typing import Any, Iterator, Optional

import numpy as np
import pytest

import pairgroup
from pairgroup import scipy_compat

DTYPES = [np.int8, np.uint8, np.int16, np.int32, np.uint32, np.int64, np.uint64, np.float16, np.float32, np.float64]
SHAPES = [(1, 1), (1, 5), (5, 1), (2, 2), (3, 3), (2, 4), (4, 3), (5, 5), (4, 6), (6, 5), (6, 6)]


def assignments(rows: int, columns: int) -> Iterator[list[tuple[int, int]]]:
    """All sets of pairs of rows and columns, none of which is in two."""
    for choice in itertools.product(range(-1, columns), repeat=rows):
        chosen = [column for column in choice if column >= 0]
        if len(set(chosen)) == len(chosen):
            yield [(row, column) for row, column in enumerate(choice) if column >= 0]


def best_total(
    cost: np.ndarray, is_allowed: np.ndarray, *, maximise: bool, pairs: str = "all", alone: Optional[tuple] = None
) -> Any:
    """The best total by trying all, None where there is none as it was asked for."""
    found: list[tuple[int, Any]] = []
    rows, columns = cost.shape
    numbers = cost.tolist()
    allowed = is_allowed.tolist()
    for chosen in assignments(rows, columns):
        if not all(allowed[i][j] for i, j in chosen):
            continue
        if pairs == "all" and alone is None and len(chosen) < min(rows, columns):
            continue
        total = sum(numbers[i][j] for i, j in chosen)
        if alone is not None:
            total += sum(alone[0]) - sum(alone[0][i] for i, _ in chosen)
            total += sum(alone[1]) - sum(alone[1][j] for _, j in chosen)
        found.append((len(chosen), total))
    if pairs == "most" and found:
        most = max(count for count, _ in found)
        found = [entry for entry in found if entry[0] == most]
    totals = [total for _, total in found]
    return (max if maximise else min)(totals) if totals else None


def check(
    found: pairgroup.Assignment, cost: np.ndarray, best: Any, is_allowed: Optional[np.ndarray] = None, maximise: bool = False
) -> None:
    """An answer that is proven, is what it says, costs what the best costs, and has the duals that show it."""
    is_float = cost.dtype.kind == "f"
    assert found.is_optimal and found.reason is None and found.status == "optimal" and found.bound == found.cost
    found.verify()
    assert found.cost == (pytest.approx(best, rel=1e-12, abs=1e-12) if is_float else best)
    assert isinstance(found.cost, float if is_float else int)
    rows, columns = cost.shape
    column_of, row_of = found.column_of, found.row_of
    assert found.shape == cost.shape == (len(column_of), len(row_of))
    assert column_of.dtype == row_of.dtype == found.rows.dtype == found.columns.dtype == np.int64
    assert found.pairs == list(found) == list(zip(found.rows.tolist(), found.columns.tolist()))
    assert len(found) == len(found.rows) == len(set(found.columns.tolist()))
    assert (np.diff(found.rows) > 0).all()
    assert (column_of[found.rows] == found.columns).all() and (row_of[found.columns] == found.rows).all()
    assert found.rows_alone.tolist() == [row for row in range(rows) if column_of[row] < 0]
    assert found.columns_alone.tolist() == [column for column in range(columns) if row_of[column] < 0]
    assert found.weights.tolist() == cost[found.rows, found.columns].tolist()
    if is_allowed is None:
        is_allowed = np.ones(cost.shape, bool)
    assert is_allowed[found.rows, found.columns].all()
    duals = found.duals
    if duals is None:
        assert len(found) < min(cost.shape)
        return
    sign = -1 if maximise else 1
    exact = object if not is_float else np.float64
    u, v = duals.rows.astype(exact), duals.columns.astype(exact)
    left = sign * (np.where(is_allowed, cost, 0).astype(exact) - u[:, None] - v)
    slack = 0 if not is_float else 1e-9 * (1 + abs(np.where(is_allowed, cost, 0)).max(initial=0))
    assert (left[is_allowed] >= -slack).all()
    assert all(abs(left[row, column]) <= slack for row, column in found)


def check_full(found: pairgroup.Assignment, cost: np.ndarray, maximise: bool) -> None:
    """What duals are where everybody of the smaller side has a partner."""
    duals, sign = found.duals, -1 if maximise else 1
    assert duals is not None
    is_float = cost.dtype.kind == "f"
    total = sum(duals.rows.tolist()) + sum(duals.columns.tolist())
    assert total == (pytest.approx(found.cost, rel=1e-9, abs=1e-6) if is_float else found.cost)
    larger, alone = (duals.rows, found.rows_alone) if cost.shape[0] > cost.shape[1] else (duals.columns, found.columns_alone)
    assert all(sign * dual <= 0 for dual in larger.tolist()) and not larger[alone].any()
    assert not len(larger) or 0 in larger.tolist()


def check_lack(error: pairgroup.NoAssignment, is_allowed: np.ndarray) -> None:
    """They are short of partners, by the matrix."""
    allowed = is_allowed if error.side == "rows" else is_allowed.T
    assert error.side in ("rows", "columns") and error.missing == len(error.wanting) - len(error.available) > 0
    assert error.wanting == sorted(set(error.wanting)) and error.available == sorted(set(error.available))
    assert set(np.flatnonzero(allowed[error.wanting].any(axis=0)).tolist()) <= set(error.available)
    assert len(allowed) <= allowed.shape[1]
    error.verify()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("maximise", [False, True])
@pytest.mark.parametrize("pairs", ["all", "most", "any"])
def test_small_matrices_against_trying_everything(rng, dtype, maximise, pairs):
    lacking = 0
    for at, shape in enumerate(SHAPES * 2):
        low = 0 if np.dtype(dtype).kind == "u" else -30
        cost = rng.integers(low, 30, shape).astype(dtype)
        if np.dtype(dtype).kind == "f":
            cost = (cost.astype(np.float64) * 0.1).astype(dtype)
        is_allowed = rng.random(shape) >= [0, 0.3, 0.7][(at + at // 11) % 3]
        if at == 4:
            is_allowed[0] = False
        best = best_total(cost, is_allowed, maximise=maximise, pairs=pairs)
        given = np.where(is_allowed, cost, -np.inf if maximise else np.inf) if cost.dtype.kind == "f" else cost
        options: dict = dict(maximise=maximise, pairs=pairs)
        if cost.dtype.kind != "f" or at % 2 == 0:
            given, options["forbidden"] = cost, ~is_allowed
        if best is None:
            lacking += 1
            with pytest.raises(pairgroup.NoAssignment) as caught:
                pairgroup.assign(given, **options)
            check_lack(caught.value, is_allowed)
            continue
        found = pairgroup.assign(given, **options)
        check(found, cost, best, is_allowed, maximise)
        if len(found) == min(shape) and pairs != "any":
            check_full(found, cost, maximise)
    assert (lacking > 0) == (pairs == "all")


def test_six_rows_and_seven_columns_and_the_other_way_round(rng):
    is_allowed = np.ones((6, 7), bool)
    for low, high in ((0, 3), (-1000, 1000)):
        cost = rng.integers(low, high, (6, 7))
        columns = np.array(list(itertools.permutations(range(7), 6)))
        totals = cost[np.arange(6), columns].sum(axis=1)
        for maximise, best in ((False, totals.min()), (True, totals.max())):
            check(pairgroup.assign(cost, maximise=maximise), cost, int(best), is_allowed, maximise)
            check(pairgroup.assign(cost.T, maximise=maximise), cost.T, int(best), is_allowed.T, maximise)


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.float32, np.float64])
@pytest.mark.parametrize("maximise", [False, True])
def test_prices_against_trying_everything(rng, dtype, maximise):
    for shape in SHAPES * 2:
        cost = rng.integers(-30, 30, shape).astype(dtype)
        is_allowed = rng.random(shape) >= rng.choice([0, 0.5])
        alone = tuple(rng.integers(-20, 20, count).tolist() for count in shape)
        best = best_total(cost, is_allowed, maximise=maximise, alone=alone)
        found = pairgroup.assign(cost, forbidden=~is_allowed, maximise=maximise, alone=alone)
        check(found, cost, best, is_allowed, maximise)
        duals, sign = found.duals, -1 if maximise else 1
        for dual, price, left in zip(duals, alone, (found.rows_alone, found.columns_alone)):
            assert (sign * (np.array(price) - dual) >= 0).all() and dual[left].tolist() == [price[at] for at in left]
        assert duals.rows.sum() + duals.columns.sum() == found.cost


def test_ways_to_say_prices(rng):
    cost = rng.integers(0, 30, (3, 4))
    answers = [
        pairgroup.assign(cost, alone=alone)
        for alone in (
            9,
            9.0,
            (9, 9),
            ([9] * 3, np.full(4, 9)),
            ({0: 9, 1: 9, 2: 9}, 9),
            (9, (9, 9, 9, 9)),
        )
    ]
    best = best_total(cost, np.ones((3, 4), bool), maximise=False, alone=([9] * 3, [9] * 4))
    for answer in answers:
        check(answer, cost, best)
    # Prices widen the number type.
    assert pairgroup.assign(cost.astype(np.int32), alone=(2**40, 0)).cost == pairgroup.assign(cost).cost
    assert pairgroup.assign(cost.astype(np.float32), alone=(0.1, 0)).cost <= 0.1 * 3


def kinds(rng: np.random.Generator, rows: int, columns: int) -> dict[str, np.ndarray]:
    """Costs of many kinds."""
    a, b = rng.integers(0, 1000, rows), rng.integers(0, 1000, columns)
    near = [rng.random((count, 2)) for count in (rows, columns)]
    forbidden = rng.random((rows, columns))
    np.put(forbidden, np.arange(min(rows, columns)) * (columns + 1), 1)
    mixed = rng.random((rows, columns)) * 2.0 ** rng.integers(-20, 20, (rows, columns))
    return {
        "uniform": rng.random((rows, columns)),
        "whole": rng.integers(-(10**9), 10**9, (rows, columns)),
        "few values": rng.integers(0, 10, (rows, columns)),
        "one value": np.full((rows, columns), 7),
        "products": a[:, None] * b,
        "squares of gaps": (a[:, None] - b) ** 2,
        "gaps": abs(a[:, None] - b),
        "sums": a[:, None] + b,
        "in the plane": np.hypot(*(near[0][:, None] - near[1]).transpose(2, 0, 1)),
        "forbidden": np.where(forbidden > 0.5, rng.random((rows, columns)), np.inf),
        "mostly forbidden": np.where(forbidden > 0.95, rng.random((rows, columns)), np.inf),
        "mixed exponents": mixed,
        "float32": rng.random((rows, columns)).astype(np.float32),
        "float16": rng.random((rows, columns)).astype(np.float16),
        "int8": rng.integers(-128, 128, (rows, columns)).astype(np.int8),
        "uint64": rng.integers(0, 2**40, (rows, columns)).astype(np.uint64),
        "booleans": rng.random((rows, columns)) < 0.1,
        "Fortran": np.asfortranarray(rng.random((rows, columns))),
        "every other": rng.integers(0, 10**6, (2 * rows, 3 * columns))[::2, ::-3],
        "read only": np.broadcast_to(rng.random(columns), (rows, columns)),
    }


@pytest.mark.parametrize(
    "shape", [(40, 40), (150, 150), (151, 151), (300, 300), (60, 90), (90, 60), (1, 50), (50, 1), (10, 700), (700, 10), (250, 251)]
)
@pytest.mark.parametrize("maximise", [False, True])
def test_larger_matrices_against_scipy(rng, shape, maximise):
    optimize = pytest.importorskip("scipy.optimize")
    for name, cost in kinds(rng, *shape).items():
        given = np.where(np.isinf(cost), -np.inf, cost) if maximise and cost.dtype.kind == "f" else cost
        rows, columns = optimize.linear_sum_assignment(given, maximise)
        exact = given.astype(np.int64) if given.dtype.kind != "f" else given
        best = exact[rows, columns].astype(np.float64 if exact.dtype.kind == "f" else np.int64).sum().item()
        found = pairgroup.assign(given, maximise=maximise)
        plain = exact if exact.dtype != np.float16 else exact.astype(np.float32)
        check(found, plain, best, ~np.isinf(exact), maximise)
        check_full(found, exact, maximise)
        found.verify(given)
        row_ind, col_ind = scipy_compat.linear_sum_assignment(given, maximize=maximise)
        assert row_ind.dtype == col_ind.dtype == np.int64 and len(row_ind) == len(rows), name
        assert row_ind.tolist() == found.rows.tolist() and col_ind.tolist() == found.columns.tolist()


def test_engines_and_threads_agree(rng):
    cost = rng.random((1200, 1100))
    answers = [pairgroup.assign(cost, threads=threads) for threads in (1, 2, None)]
    answers.append(pairgroup.assign(cost, seconds=1000))
    assert len({answer.cost for answer in answers}) == 1 and {answer.engine for answer in answers} == {"assignment"}
    assert len({tuple(answer.column_of.tolist()) for answer in answers}) == 1


def test_no_rows_and_no_columns():
    for shape in ((0, 0), (0, 5), (5, 0)):
        for dtype in (np.int64, np.float32):
            cost = np.zeros(shape, dtype)
            for maximise, pairs in itertools.product((False, True), ("all", "most", "any")):
                found = pairgroup.assign(cost, maximise=maximise, pairs=pairs)
                check(found, cost, 0)
                assert found.pairs == [] and found.cost == 0
            prices = pairgroup.assign(cost, alone=(2, 3))
            assert prices.cost == 2 * shape[0] + 3 * shape[1]
            prices.verify()
            row_ind, col_ind = scipy_compat.linear_sum_assignment(cost)
            assert row_ind.tolist() == col_ind.tolist() == []
    assert pairgroup.assign([[]]).shape == (1, 0)


def test_integers_near_the_ends_of_their_types(rng):
    for dtype in (np.int32, np.int64):
        least, greatest = np.iinfo(dtype).min, np.iinfo(dtype).max
        for shape in ((5, 5), (4, 6), (6, 4)):
            cost = rng.choice(np.array([least + 1, least + 2, -1, 0, 1, greatest - 1, greatest], dtype), shape)
            is_allowed = np.ones(shape, bool)
            for maximise in (False, True):
                found = pairgroup.assign(cost, maximise=maximise)
                check(found, cost, best_total(cost, is_allowed, maximise=maximise), is_allowed, maximise)
                check_full(found, cost, maximise)
        cost = np.full((4, 4), greatest, dtype)
        cost[2, 2] = least
        assert pairgroup.assign(cost).cost == 3 * int(greatest) + int(least)
        assert pairgroup.assign(cost, maximise=True).cost == 4 * int(greatest)
        text = "row 2 and column 2 is the least integer of its type, whose sign cannot change"
        for wrong, options in ((cost[:3], {}), (cost, {"pairs": "any"}), (cost, {"alone": 0, "maximise": True})):
            with pytest.raises(ValueError, match=text):
                pairgroup.assign(wrong, **options)
        # Where nothing changes its sign, it is a number as all others.
        assert pairgroup.assign(cost[:3], maximise=True).cost == 3 * int(greatest)


def test_duals_beyond_64_bits_are_integers_of_python():
    greatest = np.iinfo(np.int64).max
    # From one column to the next the difference is almost 2**64, and prices add up.
    cost = np.full((4, 4), greatest)
    for at in range(4):
        cost[at, at] = -greatest
        if at:
            cost[at, at - 1] = -greatest
    found = pairgroup.assign(cost, maximise=True)
    check(found, cost, best_total(cost, np.ones((4, 4), bool), maximise=True), maximise=True)
    check_full(found, cost, True)
    chain = np.array([[greatest, -greatest, -greatest], [greatest, greatest, -greatest], [-greatest, greatest, greatest]])
    forbidden = np.array([[False, True, True], [False, False, True], [True, False, False]])
    found = pairgroup.assign(chain * np.array([1, -1, 1]), forbidden=forbidden)
    check(found, chain * np.array([1, -1, 1]), found.cost, ~forbidden)


def test_floats_are_exact_or_refused_or_rounded(rng):
    wide = np.array([[1e-40, 1e30], [1e30, 3e-40]])
    for cost in (wide, np.hstack([wide, wide])):
        with pytest.raises(pairgroup.PrecisionError, match="rounded"):
            pairgroup.assign(cost)
        found = pairgroup.assign(cost, rounded=True)
        assert found.status == "feasible" and "rounded" in found.reason
        assert found.bound <= found.cost < 1e16
        found.verify(cost)
        assert cost[scipy_compat.linear_sum_assignment(cost)].sum() == pytest.approx(4e-40)
    wide = np.array([[1e-40, np.inf, np.inf], [1e30, np.inf, np.inf]])
    for cost in (wide, wide.T, wide[:, :2]):
        with pytest.raises(pairgroup.NoAssignment, match="so at least 1 of them") as caught:
            pairgroup.assign(cost, rounded=True)
        check_lack_of_either(caught.value, np.isfinite(cost))
        assert pairgroup.assign(cost, rounded=True, pairs="most").cost == 1e-40
    tenth = np.array([[0.1, 0.2], [0.2, 0.3000000000000001]])
    assert pairgroup.assign(tenth).pairs == [(0, 1), (1, 0)]
    tiny = np.array([[5e-324, 1e-323], [0, 5e-324]])
    assert pairgroup.assign(tiny).cost == 1e-323 and pairgroup.assign(tiny).duals.rows.sum() == pytest.approx(1e-323)


@pytest.mark.parametrize("maximise", [False, True])
def test_who_has_too_few_is_told(rng, maximise):
    # Three rows share two columns.
    cost = rng.integers(0, 9, (4, 6)).astype(float)
    cost[np.ix_([0, 1, 3], [0, 2, 4, 5])] = -np.inf if maximise else np.inf
    for given, side, other in ((cost, "rows", "columns"), (cost.T, "columns", "rows")):
        with pytest.raises(pairgroup.NoAssignment) as caught:
            pairgroup.assign(given, maximise=maximise)
        error = caught.value
        assert isinstance(error, pairgroup.NoPerfectMatching) and isinstance(error, ValueError)
        assert (error.side, error.wanting, error.available, error.missing) == (side, [0, 1, 3], [1, 3], 1)
        assert (error.removed, error.odd_components, error.deficiency) == ([1, 3], [[0], [1], [3]], 1)
        assert f"{side} 0, 1, 3 may have no {other} but {other} 1, 3, so at least 1 of them" in str(error)
        error.verify()
        again = pickle.loads(pickle.dumps(error))
        assert (str(again), again.side, again.wanting, again.available) == (str(error), side, [0, 1, 3], [1, 3])
        with pytest.raises(pairgroup.VerifyError, match="without its input"):
            again.verify()
        most = pairgroup.assign(given, maximise=maximise, pairs="most")
        assert len(most) == 3 and most.is_optimal and most.duals is None
        most.verify()
        with pytest.raises(ValueError, match="cost matrix is infeasible: .* stay alone$"):
            scipy_compat.linear_sum_assignment(given, maximise)
    empty = np.full((3, 3), -np.inf if maximise else np.inf)
    with pytest.raises(pairgroup.NoAssignment, match="no columns at all, so at least 3"):
        pairgroup.assign(empty, maximise=maximise)


@pytest.mark.parametrize("shape", [(60, 60), (60, 80), (80, 60), (300, 300), (300, 320)])
def test_who_has_too_few_in_larger_matrices(rng, shape):
    for share in (0.02, 0.5):
        cost = rng.random(shape)
        is_allowed = rng.random(shape) < share
        some, few = rng.permutation(shape[0])[: shape[0] // 2], rng.permutation(shape[1])[: shape[1] // 4]
        is_allowed[np.ix_(some, np.setdiff1d(np.arange(shape[1]), few))] = False
        with pytest.raises(pairgroup.NoAssignment) as caught:
            pairgroup.assign(np.where(is_allowed, cost, np.inf))
        error = caught.value
        check_lack_of_either(error, is_allowed)
        most = pairgroup.assign(cost, forbidden=~is_allowed, pairs="most")
        # A proof that there are no more pairs.
        assert len(most) == min(shape) - error.missing or shape[0] == shape[1]
        most.verify()


def check_lack_of_either(error: pairgroup.NoAssignment, is_allowed: np.ndarray) -> None:
    allowed = is_allowed if error.side == "rows" else is_allowed.T
    assert set(np.flatnonzero(allowed[error.wanting].any(axis=0)).tolist()) <= set(error.available)
    assert len(error.wanting) - len(error.available) == error.missing > 0
    error.verify()


def test_forbidden_by_masks_and_by_infinity(rng):
    cost = rng.integers(0, 50, (7, 9))
    is_forbidden = rng.random((7, 9)) < 0.3
    is_forbidden[np.arange(7), np.arange(7)] = False
    answers = [
        pairgroup.assign(cost, forbidden=is_forbidden),
        pairgroup.assign(np.ma.MaskedArray(cost, is_forbidden)),
        pairgroup.assign(np.where(is_forbidden, np.inf, cost)),
        pairgroup.assign(-np.where(is_forbidden, np.inf, cost), maximise=True),
        pairgroup.assign(np.where(is_forbidden, np.inf, cost).tolist()),
    ]
    assert len({abs(answer.cost) for answer in answers}) == 1
    # What is hidden is not read.
    hidden = np.ma.MaskedArray(np.where(is_forbidden, np.nan, cost), is_forbidden)
    assert pairgroup.assign(hidden).cost == answers[0].cost
    # The diagonal is.
    assert pairgroup.assign([[0, 5], [5, 0]]).cost == 0 and pairgroup.assign([[3, 0], [0, 3]]).cost == 0
    with pytest.raises(pairgroup.NoAssignment):
        pairgroup.assign(np.zeros((1, 1)), forbidden=[[True]])


def test_tables_of_pandas(rng):
    pandas = pytest.importorskip("pandas")
    cost = rng.integers(0, 50, (3, 4))
    table = pandas.DataFrame(cost, index=["ann", "bob", "cid"], columns=list("wxyz"))
    found = pairgroup.assign(table)
    assert found.cost == pairgroup.assign(cost).cost
    found.verify(table)
    names = [(table.index[row], table.columns[column]) for row, column in found]
    assert sum(table.loc[name] for name in names) == found.cost


GOOD = np.array([[4, 1, 3, 9], [2, 0, 5, 8], [3, 2, 2, 9]])
MASK = np.zeros((3, 4), bool)


def with_entry(row: int, column: int, value: float, shape: tuple[int, int] = (3, 4)) -> np.ndarray:
    cost = np.arange(12, dtype=float).reshape(3, 4) if shape == (3, 4) else np.ones(shape)
    cost[row, column] = value
    return cost


@pytest.mark.parametrize(
    "cost, options, error, text",
    [
        (GOOD[0], {}, ValueError, r"shape \(4,\); give a matrix, a row of costs for each row"),
        (7, {}, ValueError, r"shape \(\)"),
        (None, {}, TypeError, "object"),
        ([[0, 1], [1]], {}, ValueError, "rows must have one length"),
        ([[0, "x"]], {}, TypeError, "<U"),
        ([[0, 2**63]], {}, ValueError, "64 bits"),
        (np.array([[2**63]], np.uint64), {}, ValueError, "9223372036854775808 does not fit 64 bits"),
        (GOOD.astype(complex), {}, TypeError, "complex"),
        (with_entry(2, 1, np.nan), {}, ValueError, "row 2 and column 1 is NaN"),
        (with_entry(2, 3, -np.inf), {}, ValueError, "row 2 and column 3 is NaN, or infinite on the side"),
        (with_entry(0, 3, np.inf), {"maximise": True}, ValueError, "row 0 and column 3"),
        (with_entry(4, 4, np.nan, (5, 5)), {}, ValueError, "row 4 and column 4"),
        (with_entry(300, 7, np.nan, (400, 350)), {}, ValueError, "row 300 and column 7"),
        (with_entry(7, 300, np.nan, (350, 400)).T, {"pairs": "any"}, ValueError, "row 300 and column 7"),
        (GOOD, {"forbidden": MASK.T}, ValueError, r"\(4, 3\); give that of the cost, \(3, 4\)"),
        (GOOD, {"forbidden": GOOD}, TypeError, "booleans"),
        (GOOD, {"pairs": "some"}, ValueError, "'some'"),
        (GOOD, {"pairs": "any", "alone": 1}, ValueError, "for alone to say"),
        (GOOD, {"alone": [1, 2, 3]}, ValueError, "give one number, or a tuple"),
        (GOOD, {"alone": {0: 1}}, ValueError, "give one number, or a tuple"),
        (GOOD, {"alone": np.ones(3)}, ValueError, "give one number, or a tuple"),
        (GOOD, {"alone": (1, 2, 3)}, ValueError, "3 entries"),
        (GOOD, {"alone": ([1, 2], 0)}, ValueError, r"shape \(2,\); give one number, or one for each of 3 rows"),
        (GOOD, {"alone": (0, [1, 2])}, ValueError, r"one for each of 4 columns"),
        (GOOD, {"alone": ({0: 1, 1: 1}, 0)}, ValueError, "no price for row 2"),
        (GOOD, {"alone": (0, {0: 1, 1: 1, 2: 1, 3: 1, 4: 1})}, ValueError, "names 4, which is no column"),
        (GOOD, {"alone": (0, [1, 1, 0.5, 1])}, ValueError, "column 2 is 0.5"),
        (GOOD, {"alone": (np.inf, 0)}, ValueError, "row 0 is inf"),
        (GOOD, {"alone": "x"}, TypeError, "alone"),
        (GOOD, {"alone": (-(2**63), 0), "maximise": True}, ValueError, "row 0 is -9223372036854775808, whose sign"),
        (GOOD, {"seconds": -1}, ValueError, "seconds is -1"),
        (GOOD, {"work": 1.5}, TypeError, "work is 1.5"),
        (GOOD, {"threads": 0}, ValueError, "threads is 0"),
    ],
)
def test_what_is_wrong_is_refused_by_its_name(cost, options, error, text):
    with pytest.raises(error, match=text):
        pairgroup.assign(cost, **options)


@pytest.mark.parametrize("shape", [(250, 250), (200, 260), (260, 200)])
@pytest.mark.parametrize("maximise", [False, True])
def test_a_search_that_is_stopped_says_what_it_has(rng, shape, maximise):
    products = rng.integers(1, 10**4, shape[0])[:, None] * rng.integers(1, 10**4, shape[1])
    is_allowed = rng.random(shape) < 0.3
    is_allowed[np.arange(min(shape)), np.arange(min(shape))] = True
    for cost, options in ((products, {}), (products * 0.1, {}), (products, {"forbidden": ~is_allowed})):
        best = pairgroup.assign(cost, maximise=maximise, **options)
        seen = set()
        for work in (0, 1, 1000, best.work // 4, best.work // 2, best.work - 1, best.work + 10**6):
            found = pairgroup.assign(cost, maximise=maximise, work=work, **options)
            found.verify(cost, **options)
            seen.add(found.status)
            if maximise:
                assert found.bound >= best.cost
            else:
                assert found.bound <= best.cost
            if found.status == "unknown":
                assert len(found) < min(shape) and not found.is_optimal and "work" in found.reason
            else:
                assert len(found) == min(shape)
                assert (found.cost <= best.cost) if maximise else (found.cost >= best.cost)
        assert "optimal" in seen and len(seen) > 1
        duals = pairgroup.assign(cost, maximise=maximise, work=1000, **options).duals
        left = (-1 if maximise else 1) * (cost - duals.rows[:, None] - duals.columns)
        assert left[is_allowed if options else slice(None)].min() >= -1e-6


def test_answers_in_other_processes(rng):
    for cost, options in (
        (rng.integers(0, 99, (20, 30)), {}),
        (rng.random((30, 30)), {"maximise": True}),
        (rng.random((9, 7)).astype(np.float32), {"alone": (0.25, 0.5)}),
    ):
        found = pairgroup.assign(cost, **options)
        again = pickle.loads(pickle.dumps(found))
        for name in ("pairs", "cost", "bound", "status", "work", "engine", "shape", "reason"):
            assert getattr(again, name) == getattr(found, name)
        assert repr(again) == repr(found)
        assert all((one == other).all() for one, other in zip(again.duals, found.duals))
        again.verify(cost)
        with pytest.raises(pairgroup.VerifyError, match=r"verify\(cost\)"):
            again.verify()
        assert copy.copy(found) is found and copy.deepcopy(found) is found


@pytest.mark.parametrize("shape", [(54, 56), (52, 46), (90, 100), (40, 40), (95, 95)])
def test_duals_where_most_pairs_are_forbidden(rng, shape):
    """Proofs of other engines may have odd sets, which duals of rows and columns have to do without."""
    optimize = pytest.importorskip("scipy.optimize")
    engines = set()
    for at in range(30):
        maximise = at % 2 == 1
        cost = rng.integers(-9, 10, shape[0])[:, None] * rng.integers(-9, 10, shape[1])
        if at % 3 == 0:
            cost = cost * 0.1
        is_allowed = rng.random(shape) < (0.03, 0.1)[at // 2 % 2]
        np.fill_diagonal(is_allowed, True)
        is_allowed = is_allowed[rng.permutation(shape[0])]
        best = optimize.linear_sum_assignment(np.where(is_allowed, cost, -np.inf if maximise else np.inf), maximise)
        found = pairgroup.assign(cost, forbidden=~is_allowed, maximise=maximise)
        check(found, cost, cost[best].sum().item(), is_allowed, maximise)
        check_full(found, cost, maximise)
        engines.add(found.engine)
        free = pairgroup.assign(cost, forbidden=~is_allowed, maximise=maximise, alone=(3, -2))
        check(free, cost, free.cost, is_allowed, maximise)
        assert free.duals.rows.sum() + free.duals.columns.sum() == pytest.approx(free.cost, abs=1e-9)
    # Lists of edges whose sides differ are solved as two sides beyond what is small; perfect matchings are not.
    assert (engines == {"assignment"}) == (shape == (90, 100))


def test_what_an_answer_says_of_itself():
    found = pairgroup.assign(GOOD)
    assert repr(found) == "<Assignment: 3 pairs of 3 rows and 4 columns, cost 5, optimal>"
    assert found.engine == "assignment"


def test_another_input_is_told_from_the_right_one(rng):
    cost = rng.integers(0, 99, (6, 8))
    found = pairgroup.assign(cost)
    row, column = found.pairs[2]
    other = cost.copy()
    other[row, column] += 1
    for wrong, options in ((other, {}), (cost.T, {}), (cost[:5], {}), (cost, {"forbidden": cost == cost[row, column]})):
        with pytest.raises(pairgroup.VerifyError):
            found.verify(wrong, **options)
    found.verify(cost.astype(np.int8))
    with pytest.raises(pairgroup.VerifyError, match="another number type"):
        found.verify(cost.astype(float))


@pytest.mark.parametrize(
    "cost, maximise",
    [
        ([1, 2], False),
        ([[1, 2], [3, np.nan]], False),
        ([[1, 2], [3, -np.inf]], False),
        ([[1, 2], [3, np.inf]], True),
        ([[np.inf, 2], [np.inf, 3]], False),
        ([[-np.inf, -np.inf], [1, 2], [-np.inf, -np.inf]], True),
        ([["a", "b"]], False),
        ([[[1]]], False),
        (None, False),
        (np.zeros((2, 2), object), False),
        (np.zeros((2, 2), complex), False),
        (np.zeros((2, 2), "datetime64[s]"), False),
        (np.array([["1e4000", "1"], ["1", "2"]], np.longdouble), False),
        (np.ones((2, 2), np.longdouble), True),
    ],
)
def test_what_scipy_refuses_is_refused_by_the_same_error(cost, maximise):
    optimize = pytest.importorskip("scipy.optimize")
    with pytest.raises((ValueError, TypeError)) as expected:
        optimize.linear_sum_assignment(cost, maximise)
    with pytest.raises(expected.type) as found:
        scipy_compat.linear_sum_assignment(cost, maximise)
    for words in ("matrix contains invalid numeric entries", "cost matrix is infeasible"):
        assert str(expected.value).startswith(words) == str(found.value).startswith(words)


def test_what_scipy_takes_is_taken(rng):
    optimize = pytest.importorskip("scipy.optimize")
    least, most = np.iinfo(np.int64).min, np.iinfo(np.uint64).max
    for cost in (
        [[1, 2, 3], [3, 1, 2]],
        [[True, False], [False, True]],
        [[]],
        np.array([[least, 0, 1], [0, 5, least]]),
        np.array([[-(2**31), 0, 1], [0, 5, 7]], np.int32),
        np.array([[most, 0], [1, most]], np.uint64),
        rng.random((4, 4)).astype(np.float16),
        [[np.inf, 1], [2, np.inf]],
        [[1e-300, 1e300], [1e300, 1]],
        [[2**70, 1], [2**70, 5]],
    ):
        for maximise in (False, True):
            if maximise and np.isinf(np.asarray(cost, float)).any():
                continue
            expected = optimize.linear_sum_assignment(cost, maximise)
            found = scipy_compat.linear_sum_assignment(cost, maximise)
            totals = [np.asarray(cost, float)[rows, columns].sum() for rows, columns in (expected, found)]
            assert expected[0].tolist() == found[0].tolist() and totals[0] == totals[1]
    assert scipy_compat.linear_sum_assignment(cost_matrix=[[1, 2], [3, 5]], maximize=True)[1].tolist() == [0, 1]
