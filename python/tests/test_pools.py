"""Many pools of a table: each as if it were alone."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections import Counter
from typing import Any

import numpy as np
import pytest
from conftest import best_total

import pairgroup
from pairgroup import PoolError, group_pools, pair_pools

pd = pytest.importorskip("pandas")


def waiting(rng: np.random.Generator, rows: int, pools: int) -> Any:
    """Players in pools of any size, in any order."""
    return pd.DataFrame(
        {
            "region": rng.choice(["eu", "us"], rows),
            "tick": rng.integers(0, pools, rows),
            "id": rng.permutation(rows) + 2**60,
            "rating": rng.integers(0, 30, rows),
            "risk": rng.random(rows),
            "price": rng.integers(0, 9, rows),
        }
    )


def rows_of(table: Any) -> list[tuple]:
    """Rows as Python has them, None for what is not there."""
    return [tuple(None if pd.isna(value) else value for value in row) for row in table.astype(object).to_numpy()]


def gaps(pool: Any) -> np.ndarray:
    rating = pool["rating"].to_numpy()
    return abs(rating[:, None] - rating)


QUESTIONS: list[dict[str, Any]] = [
    {"bye": 3},
    {"bye": "price"},
    {"alone": 4},
    {"alone": "price"},
    {"alone": "price", "maximise": True},
    {"pairs": "most"},
    {"pairs": "any", "maximise": True},
    {"bye": 0, "worst_first": True},
]


@pytest.mark.parametrize("question", QUESTIONS, ids=str)
def test_each_pool_has_the_best_pairing_of_its_own(rng, question):
    table = waiting(rng, 60, 6)
    found = pair_pools(table, ["region", "tick"], "id", "rating", **question)
    pools = table.sort_values("id").groupby(["region", "tick"])
    assert len(found.groupby(["region", "tick"])) == len(pools)
    for key, pool in pools:
        rows = found[(found["region"] == key[0]) & (found["tick"] == key[1])]
        named = rows["id"].tolist() + rows["partner"].dropna().tolist()
        assert Counter(named) == Counter(pool["id"].tolist())
        assert rows["id"].is_monotonic_increasing and set(rows["status"]) == {"optimal"} and rows["problem"].isna().all()
        # Prices and costs of pairs, by the table itself.
        one = pool.set_index("id")
        for _, row in rows.iterrows():
            if pd.isna(row["partner"]):
                given = question.get("alone", question.get("bye"))
                price = one.loc[row["id"], given] if isinstance(given, str) else given
                assert price is None and pd.isna(row["cost"]) or row["cost"] == price
            else:
                assert row["cost"] == abs(one.loc[row["id"], "rating"] - one.loc[row["partner"], "rating"])
        total = rows["cost"].sum()
        assert set(rows["pool_cost"]) == {total} and set(rows["pool_bound"]) == {total}
        prices = {what: one[given].tolist() if given == "price" else given for what, given in question.items()}
        alone = pairgroup.pair(gaps(pool), **prices)
        assert total == alone.cost
        if len(pool) <= 7 and "worst_first" not in question:
            for what in ("alone", "bye"):
                if isinstance(prices.get(what), int):
                    prices[what] = [prices[what]] * len(pool)
            assert total == best_total(gaps(pool), **prices)


def test_the_order_of_rows_does_not_matter(rng):
    table = waiting(rng, 80, 3)
    found = pair_pools(table, "tick", "id", "rating", bye=0)
    groups = group_pools(table, "tick", "id", "risk", size=4, work=2000, seed=3)
    for seed in range(3):
        shuffled = table.sample(frac=1, random_state=seed)
        pd.testing.assert_frame_equal(pair_pools(shuffled, "tick", "id", "rating", bye=0), found)
        pd.testing.assert_frame_equal(group_pools(shuffled, "tick", "id", "risk", size=4, work=2000, seed=3), groups)


def test_a_function_is_given_the_rows_of_one_pool_in_order(rng):
    table = waiting(rng, 50, 4)
    seen = []

    def cost(pool):
        assert list(pool.columns) == list(table.columns) and list(pool.index) == list(range(len(pool)))
        assert pool["id"].is_monotonic_increasing
        seen.append(sorted(set(pool["tick"])))
        return np.ma.array(gaps(pool), mask=False)

    found = pair_pools(table, "tick", "id", cost, dtype=int, bye=0)
    pd.testing.assert_frame_equal(found, pair_pools(table, "tick", "id", "rating", bye=0))
    assert seen == [[0], [1], [2], [3]]
    assert pair_pools(table, "tick", "id", gaps, bye=0)["cost"].dtype == np.float64


def test_a_function_may_change_its_rows():
    # Rows were those that prices, keys and answers are read from: what a function did to them was done to the answer.
    table = pd.DataFrame({"t": 1, "id": list("abcd"), "rating": [1, 5, 9, 20], "price": [0, 1, 2, 3]})

    def cost(pool):
        found = gaps(pool)
        pool["price"] = 100
        pool["id"] = "z"
        del pool["t"]
        return found

    found = pair_pools(table, "t", "id", cost, dtype=int, alone="price")
    pd.testing.assert_frame_equal(found, pair_pools(table, "t", "id", "rating", alone="price"))
    with pytest.raises(PoolError, match="pool t=1: alone of node 'a' is 0.5"):
        pair_pools(table, "t", "id", cost, dtype=int, alone=0.5)


def test_a_function_is_given_columns_of_one_name_once():
    # Columns were asked for by name, and those of one name came as often as there were such names, each time.
    table = pd.DataFrame([[1, "a", 1, 2, 3], [1, "b", 4, 5, 6]], columns=["t", "id", "x", "x", 7])

    def cost(pool):
        assert list(pool.columns) == list(table.columns)
        return gaps(pool.set_axis(["t", "id", "rating", "y", "z"], axis=1))

    assert rows_of(pair_pools(table, "t", "id", cost)[["id", "partner", "cost"]]) == [("a", "b", 3)]


def test_what_is_not_read_of_a_matrix_may_be_anything():
    # Behind a mask, or on the diagonal, integers beyond 2**53 were refused.
    table = pd.DataFrame({"id": range(4), "rating": [1, 2, 5, 9]})

    def cost(pool):
        found = gaps(pool)
        np.fill_diagonal(found, 2**62)
        mask = np.zeros(found.shape, bool)
        mask[0, 1] = mask[1, 0] = True
        found[mask] = -(2**62)
        return np.ma.array(found, mask=mask)

    assert rows_of(pair_pools(table, [], "id", cost)[["id", "partner", "cost"]]) == [(0, 2, 4.0), (1, 3, 7.0)]


def test_tables_of_other_packages_are_tables_of_pandas(rng):
    class Places(pd.DataFrame):
        """As a GeoDataFrame is one."""

        _constructor = property(lambda _: Places)

    table = waiting(rng, 20, 2)
    found = pair_pools(Places(table), "tick", "id", "rating", bye=0)
    pd.testing.assert_frame_equal(found, pair_pools(table, "tick", "id", "rating", bye=0))
    with pytest.raises(TypeError, match="Series is no table"):
        pair_pools(table["id"], "tick", "id", "rating")


def test_rows_may_be_named_as_columns_are(rng):
    # Of a name that is one of a column and one of rows, pandas says that it is ambiguous.
    table = waiting(rng, 20, 2)
    found = pair_pools(table, "tick", "id", "rating", bye=0)
    groups = group_pools(table, "tick", "id", "rating", size=2, work=100)
    for name in ("id", "tick", "rating"):
        named = table.set_index(name, drop=False)
        pd.testing.assert_frame_equal(pair_pools(named, "tick", "id", "rating", bye=0), found)
        pd.testing.assert_frame_equal(group_pools(named, "tick", "id", "rating", size=2, work=100), groups)
    assert len(pair_pools(table.set_index(["tick", "id"], drop=False), "tick", "id", "rating", bye=0)) == len(found)


def test_several_columns_are_coordinates(rng):
    table = waiting(rng, 60, 4)
    for question in ({"bye": 0.5}, {"alone": 0.3}, {"alone": "price"}):
        found = pair_pools(table, "tick", "id", ["rating", "risk"], **question)
        for tick, pool in table.sort_values("id").groupby("tick"):
            rows = found[found["tick"] == tick]
            prices = {what: pool[given].to_numpy() if given == "price" else given for what, given in question.items()}
            alone = pairgroup.pair_points(pool[["rating", "risk"]].to_numpy(), **prices)
            ids = pool["id"].tolist()
            pairs = [(ids[u], ids[v]) for u, v in alone.pairs]
            assert rows[["id", "partner"]].dropna().astype(int).to_records(index=False).tolist() == pairs
            assert set(rows["pool_cost"]) == {alone.distance} and set(rows["pool_bound"]) == {alone.distance}
            assert rows["cost"].sum() == pytest.approx(alone.distance) and set(rows["status"]) == {"optimal"}
    teams = group_pools(table, "tick", "id", ["rating", "risk"], size=3, work=3000)
    for tick, pool in table.sort_values("id").groupby("tick"):
        points = pool[["rating", "risk"]].to_numpy()
        apart = np.linalg.norm(points[:, None] - points, axis=2)
        one = pairgroup.group((apart + apart.T) / 2, size=3, work=3000)
        costs = teams[teams["tick"] == tick]["pool_cost"]
        assert costs.nunique() == 1 and costs.iloc[0] == pytest.approx(one.cost)


def test_integers_stay_exact():
    big = 2**62
    table = pd.DataFrame({"id": [2**63 - 1, 5, 2**63 - 3], "rating": [big + 1, 3, big + 3]})
    found = pair_pools(table, [], "id", "rating", bye=0)
    assert rows_of(found[["id", "partner", "cost"]]) == [(5, None, 0), (2**63 - 3, 2**63 - 1, 2)]
    found = pair_pools(table, [], "id", "rating", pairs="most", maximise=True)
    assert found["cost"].max() == big
    # A categorical column of integers has integers.
    found = pair_pools(table.astype({"rating": "category"}), [], "id", "rating", bye=0)
    assert found["cost"].tolist() == [0, 2] and found["cost"].dtype == "Int64"


def test_groups_are_those_of_each_pool(rng):
    table = waiting(rng, 40, 3)
    found = group_pools(table, "tick", "id", "rating", size=4, work=5000)
    for tick, pool in table.sort_values("id").groupby("tick"):
        rows = found[found["tick"] == tick]
        alone = pairgroup.group(gaps(pool), size=4, work=5000)
        assert rows["id"].tolist() == pool["id"].tolist()
        assert [label if label >= 0 else None for label in alone.labels.tolist()] == [row[0] for row in rows_of(rows[["group"]])]
        assert set(rows["pool_cost"]) == {alone.cost}
        assert set(rows["status"]) == {"proven" if alone.is_proven else "found"}


def test_parties_stay_together(rng):
    table = waiting(rng, 60, 3)
    table["party"] = [rng.choice(["a", "b", None], p=[0.05, 0.05, 0.9]) for _ in range(len(table))]
    found = group_pools(table, "tick", "id", "rating", size=6, bench=6, party="party", work=5000).merge(table, on=["tick", "id"])
    parties = found.groupby(["tick", "party"])["group"]
    assert (parties.nunique(dropna=False) == 1).all() and (parties.size() > 1).any()


def test_in_a_small_pool_all_wait():
    table = pd.DataFrame({"tick": [1, 1, 1, 2], "id": list("abcd"), "skill": [1, 2, 3, 4]})
    found = group_pools(table, "tick", "id", "skill", size=3)
    assert rows_of(found[["id", "group", "pool_cost", "status"]]) == [
        ("a", 0, 4, "proven"),
        ("b", 0, 4, "proven"),
        ("c", 0, 4, "proven"),
        ("d", None, 0, "proven"),
    ]


@pytest.mark.parametrize(
    "ids",
    [
        pd.Series(["a", "b", "c"]),
        pd.Series(["a", "b", "c"], dtype="string"),
        pd.Series(["b", "a", "c"]).astype("category"),
        pd.Series([3, 1, 2], dtype="int8"),
        pd.Series([3, 1, 2], dtype="UInt64"),
        pd.Series([0.5, 0.25, 2.0]),
        pd.to_datetime(pd.Series(["2026-01-01", "2026-01-02", "2026-01-03"])),
        pd.Series([(1, 2), (1, 1), (0, 3)]),
    ],
    ids=lambda ids: str(ids.dtype),
)
def test_players_may_have_any_names(ids):
    found = pair_pools(pd.DataFrame({"t": 1, "id": ids, "r": [1, 2, 9]}), "t", "id", "r", bye=0)
    assert [sorted(row[:2], key=str) for row in rows_of(found[["id", "partner", "cost"]]) if row[2]] == [sorted(ids[:2], key=str)]
    assert [row[0] for row in rows_of(found[["id", "partner"]]) if row[1] is None] == [ids[2]]


def test_pools_may_have_no_name_or_be_one_or_none():
    table = pd.DataFrame({"t": [None, 1.5, None, 1.5], "id": [1, 1, 2, 2], "r": [4, 5, 6, 7]})
    assert rows_of(pair_pools(table, "t", "id", "r")[["t", "id", "partner"]]) == [(1.5, 1, 2), (None, 1, 2)]
    assert len(pair_pools(table.iloc[:2].assign(id=[1, 2]), [], "id", "r")) == 1
    sorts = pd.Categorical(["x", "y", "x", "y"], categories=["w", "x", "y"])
    assert len(pair_pools(table.assign(t=sorts), "t", "id", "r")) == 2
    none = pair_pools(table.iloc[:0], "t", "id", "r")
    assert not len(none) and list(none.columns) == ["t", "id", "partner", "cost", "pool_cost", "pool_bound", "status", "problem"]
    assert list(group_pools(table.iloc[:0], "t", "id", "r", size=2).columns) == ["t", "id", "group", "pool_cost", "status", "problem"]


def test_pools_without_an_answer_may_be_kept():
    table = pd.DataFrame({"t": [1, 1, 1, 2, 2], "id": [1, 2, 3, 1, 2], "r": [1, 2, 3, 4, 9]})
    found = pair_pools(table, "t", "id", "r", errors="keep")
    assert rows_of(found)[1] == (2, 1, 2, 5, 5, 5, "optimal", None)
    assert rows_of(found)[0][:-1] == (1, None, None, None, None, None, "failed")
    assert "odd number" in found["problem"][0]
    found = group_pools(table, "t", "id", "r", count=3, errors="keep")
    assert found["status"].tolist() == ["proven"] * 3 + ["failed"] and pd.isna(found["id"].tolist()[-1])

    def cost(pool):
        return pool["nothing"]

    assert pair_pools(table, "t", "id", cost, errors="keep")["problem"].tolist() == ["KeyError: 'nothing'"] * 2


def test_limits_are_for_each_pool(rng):
    table = waiting(rng, 400, 2)
    found = pair_pools(table, "tick", "id", "risk", bye=0, work=0)
    assert set(found["status"]) <= {"feasible", "unknown"} and set(found["tick"]) == {0, 1}
    everybody = found["id"].tolist() + found["partner"].dropna().tolist()
    assert Counter(everybody) == Counter(table["id"].tolist())


def test_a_pool_error_goes_to_other_processes():
    with pytest.raises(PoolError) as caught:
        pair_pools(pd.DataFrame({"t": ["x"], "u": [7], "id": [1], "r": [1]}), ["t", "u"], "id", "r")
    assert caught.value.pool == {"t": "x", "u": 7} and str(caught.value).startswith("pool t='x', u=7: there is no perfect")
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value) and again.pool == caught.value.pool
    assert isinstance(caught.value.__cause__, pairgroup.NoPerfectMatching)


def test_pandas_is_not_asked_for_before_it_is_needed():
    code = "import sys, pairgroup; assert 'pandas' not in sys.modules and 'pyspark' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def full(value: Any) -> Any:
    return lambda pool: np.full((len(pool), len(pool)), value)


TABLE = pd.DataFrame(
    {
        "t": [1, 1, 2, 2],
        "id": list("abcd"),
        "r": [1, 2, 3, 4],
        "missing": [1, 2, 3, None],
        "endless": [1, 2, 3, np.inf],
        "words": list("wxyz"),
    }
)
WRONG: list[tuple[dict[str, Any], type, str]] = [
    ({"frame": 5}, TypeError, "int is no table"),
    ({"by": 3}, TypeError, "by has 3"),
    ({"by": ["t", "t"]}, ValueError, "with a column twice"),
    ({"by": "region"}, ValueError, "no column 'region'; the columns are t, id, r"),
    ({"player": "t"}, ValueError, "by and player both name 't'"),
    ({"player": 3}, TypeError, "player is 3"),
    ({"cost": 3}, TypeError, "cost is 3"),
    ({"cost": "none"}, ValueError, "no column 'none'"),
    ({"cost": []}, TypeError, "cost is ..; give the name of a column, a list of names, or a function"),
    ({"cost": ["r", 3]}, TypeError, "cost is"),
    ({"cost": ["r", "none"]}, ValueError, "no column 'none'"),
    ({"cost": ["r"], "dtype": int}, ValueError, "dtype was given with a column"),
    ({"cost": ["r", "r"], "maximise": True}, ValueError, "cost is several columns, by which the least"),
    ({"cost": ["r", "missing"]}, PoolError, "pool t=2: missing of player 'd' is missing"),
    ({"cost": ["r", "words"]}, PoolError, "pool t=1: column 'words'"),
    ({"frame": TABLE.assign(r=[2**60, 0, 0, 0]), "cost": ["r"]}, PoolError, "column 'r' has integers beyond 2.*53"),
    ({"alone": "none"}, ValueError, "no column 'none'"),
    ({"cost": full(1), "alone": "none"}, ValueError, "no column 'none'"),
    ({"dtype": int}, ValueError, "dtype was given with a column"),
    ({"cost": full(1), "dtype": np.int64}, ValueError, "dtype is"),
    ({"errors": "skip"}, ValueError, "errors is 'skip'"),
    ({"pairs": "some"}, ValueError, "pairs is 'some'"),
    ({"alone": 1, "bye": 1}, ValueError, "alone and bye were both given"),
    ({"seconds": -1}, ValueError, "seconds is -1"),
    ({"work": 0.5}, TypeError, "work is 0.5"),
    ({"frame": TABLE.rename(columns={"words": "cost"}), "by": "cost"}, ValueError, "a column is named 'cost'"),
    ({"frame": TABLE.set_axis(["t", "id", "r", "r", "x", "y"], axis=1)}, ValueError, "2 columns are named 'r'"),
    ({"frame": TABLE.assign(id=[1, "a", 2, 3])}, TypeError, "id has values of several types"),
    ({"frame": TABLE.assign(id=[{1: 2}] * 4)}, TypeError, "id has values of several types, or of one that has no order"),
    ({"frame": TABLE.assign(id=[np.arange(2)] * 4)}, TypeError, "id has values of several types, or of one that has no order"),
    ({"frame": TABLE.assign(id=[1, 2, 3, 3])}, PoolError, "pool t=2: player 3 is there twice"),
    ({"frame": TABLE.assign(id=[1, 2, 3, None])}, PoolError, "pool t=2: a row has no id"),
    ({"cost": "missing"}, PoolError, "pool t=2: missing of player 'd' is missing"),
    ({"cost": "endless"}, PoolError, "pool t=2: endless of player 'd' is inf"),
    ({"cost": "words"}, PoolError, "pool t=1: column 'words'"),
    ({"alone": "missing"}, PoolError, "pool t=2: missing of player 'd' is missing; all"),
    ({"alone": "words"}, PoolError, "pool t=1: column 'words'"),
    ({"alone": 0.5}, PoolError, "pool t=1: alone of node 'a' is 0.5, and costs are integers"),
    ({"cost": full(1), "alone": np.nan}, PoolError, "alone of node 'a' is nan"),
    ({"frame": TABLE.assign(r=[-(2**62), 2**62, 0, 0])}, PoolError, "differences of column 'r' do not fit 64 bits"),
    ({"cost": full(np.nan)}, PoolError, "pool t=1: .*NaN.* so that 0 is 'a'"),
    ({"cost": full(0.5), "dtype": int}, PoolError, "the cost has floats, and dtype is int"),
    ({"cost": full(2**60)}, PoolError, "integers beyond 2.*53"),
    # The first one beyond, which as a float is 2**53 itself.
    ({"cost": full(2**53 + 1)}, PoolError, "integers beyond 2.*53"),
    ({"cost": full(-(2**53) - 1)}, PoolError, "integers beyond 2.*53"),
    ({"frame": TABLE.assign(r=[1e308, -1e308, 0, 0])}, PoolError, "pool t=1: differences of column 'r' do not fit floats"),
    ({"alone": [1, 2]}, TypeError, "alone is .1, 2.; give one number, or the name of a column"),
    ({"bye": np.ones(2)}, TypeError, "bye is array"),
    ({"alone": {"a": 1}}, TypeError, "alone is {'a': 1}; give one number"),
    ({"cost": lambda pool: np.ones((3, 3))}, PoolError, "the shape .3, 3., and there are 2 players"),
    ({"cost": lambda pool: 1 // 0}, PoolError, "pool t=1: ZeroDivisionError"),
    ({"frame": TABLE.assign(t=1), "cost": full(2**62), "dtype": int}, PoolError, "the total 9223372036854775808 does not fit"),
    # Of a search that is stopped, the bound may not fit where the total does.
    (
        {"frame": pd.DataFrame({"t": 1, "id": range(5)}), "cost": full(-(2**62)), "dtype": int, "alone": 0, "work": 0},
        PoolError,
        "pool t=1: the bound -.* does not fit a column of 64 bits",
    ),
]


@pytest.mark.parametrize("given, kind, message", WRONG, ids=[message for _, _, message in WRONG])
def test_what_is_wrong_is_named(given, kind, message):
    given = {"frame": TABLE, "by": "t", "player": "id", "cost": "r", **given}
    with pytest.raises(kind, match=message) as caught:
        pair_pools(**given)
    assert type(caught.value) is kind


@pytest.mark.parametrize(
    "given, kind, message",
    [
        ({}, ValueError, "nothing was given; give one of size and count"),
        ({"size": 2, "count": 2}, ValueError, "size and count was given"),
        ({"size": 0}, ValueError, "size is 0"),
        ({"size": 2, "bench": -1}, ValueError, "bench is -1"),
        ({"size": 2, "seed": -1}, ValueError, "seed is -1"),
        ({"size": 2, "party": "none"}, ValueError, "no column 'none'"),
        ({"count": 3}, PoolError, "pool t=1: 3 groups cannot be filled by 2 players"),
        ({"size": 2, "party": "large"}, PoolError, "pool t=2: party large of player 'c' is 9007199254740992.0"),
    ],
)
def test_what_is_wrong_with_groups_is_named(given, kind, message):
    with pytest.raises(kind, match=message) as caught:
        group_pools(TABLE.assign(large=[1, None, 2.0**53, None]), "t", "id", "r", **given)
    assert type(caught.value) is kind
