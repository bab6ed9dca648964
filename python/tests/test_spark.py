"""The same tables in Spark: where it is installed, and Java with it."""

from __future__ import annotations

import os
import sys
from typing import Any, Iterator

import numpy as np
import pytest
from test_pools import gaps, rows_of, waiting

from pairgroup import group_pools, pair_pools

pd = pytest.importorskip("pandas")
sql = pytest.importorskip("pyspark.sql")
pytest.importorskip("pyarrow")


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    # Workers are to be this Python, which has the package.
    os.environ["PYSPARK_PYTHON"] = sys.executable
    settings = {"spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "3", "spark.sql.session.timeZone": "UTC"}
    builder = sql.SparkSession.builder.master("local[2]").appName("pools")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


def collected(frame: Any, keys: list[str]) -> list[tuple]:
    """Rows in the order of pools and players, without the way through pandas."""
    rows = [tuple(row) for row in frame.collect()]
    place = [frame.columns.index(name) for name in keys]
    return sorted(rows, key=lambda row: [(row[at] is None, row[at]) for at in place])


def in_order(table: Any, keys: list[str]) -> list[tuple]:
    place = [list(table.columns).index(name) for name in keys]
    return sorted(rows_of(table), key=lambda row: [(row[at] is None, row[at]) for at in place])


@pytest.mark.parametrize("question", [{"bye": 3}, {"alone": "price", "maximise": True}, {"pairs": "most"}], ids=str)
def test_pairs_are_those_of_pandas_wherever_rows_are(spark, rng, question):
    table = waiting(rng, 60, 4)
    table.loc[table["region"] == "us", "region"] = None
    keys = ["region", "tick", "id"]
    for cost in ("rating", "risk"):
        if cost == "risk" and "alone" in question:
            continue
        expected = in_order(pair_pools(table, keys[:2], "id", cost, **question), keys)
        for parts in (1, 5):
            frame = spark.createDataFrame(table.sample(frac=1, random_state=parts)).repartition(parts)
            found = pair_pools(frame, keys[:2], "id", cost, **question)
            assert found.columns == [*keys, "partner", "cost", "pool_cost", "pool_bound", "status", "problem"]
            assert dict(found.dtypes)["cost"] == ("bigint" if cost == "rating" else "double")
            assert dict(found.dtypes)["partner"] == "bigint"
            assert collected(found, keys) == expected


def test_functions_go_to_the_workers(spark, rng):
    table = waiting(rng, 40, 3)
    frame = spark.createDataFrame(table)
    weight = 3

    def cost(pool):
        return gaps_of(pool) * weight

    def gaps_of(pool):
        rating = pool["rating"].to_numpy()
        return abs(rating[:, None] - rating)

    expected = in_order(pair_pools(table, "tick", "id", lambda pool: gaps(pool) * 3, dtype=int, bye=0), ["tick", "id"])
    assert collected(pair_pools(frame, "tick", "id", cost, dtype=int, bye=0), ["tick", "id"]) == expected


def test_coordinates_are_as_in_pandas(spark, rng):
    table = waiting(rng, 40, 3)
    expected = in_order(pair_pools(table, "tick", "id", ["rating", "risk"], alone="price"), ["tick", "id"])
    found = pair_pools(spark.createDataFrame(table), "tick", "id", ["rating", "risk"], alone="price")
    assert dict(found.dtypes)["cost"] == "double" and collected(found, ["tick", "id"]) == expected


def test_groups_are_those_of_pandas(spark, rng):
    table = waiting(rng, 50, 3)
    table["party"] = [["a", None][int(at % 9 > 1)] for at in range(50)]
    options: dict[str, Any] = {"size": 5, "bench": 5, "party": "party", "work": 3000, "errors": "keep"}
    expected = in_order(group_pools(table, ["tick"], "id", "rating", **options), ["tick", "id"])
    assert any(row[2] is not None for row in expected)
    found = group_pools(spark.createDataFrame(table), ["tick"], "id", "rating", **options)
    assert dict(found.dtypes)["group"] == "bigint"
    assert collected(found, ["tick", "id"]) == expected


def test_names_and_times_come_back_as_they_were(spark):
    table = pd.DataFrame(
        {
            "a time": pd.to_datetime(["2026-01-01", "2026-01-01", "2026-01-02"]),
            "the id": ["x'`y", "b", "c"],
            "r": [0.5, 2.0, 3.0],
        }
    )
    found = pair_pools(spark.createDataFrame(table), "a time", "the id", "r", bye=0)
    assert found.schema["a time"].dataType == spark.createDataFrame(table).schema["a time"].dataType
    assert [row[1:4] for row in collected(found, ["a time", "the id"])] == [("b", "x'`y", 1.5), ("c", None, 0.0)]
    whole = pair_pools(spark.createDataFrame(table), [], "the id", "r", bye=0)
    assert [row[:2] for row in collected(whole, ["the id"])] == [("b", "c"), ("x'`y", None)]


def test_a_pool_without_an_answer_ends_the_job_or_is_kept(spark):
    frame = spark.createDataFrame([(1, 1, 5), (1, 2, 7), (2, 1, 4), (2, 2, None)], "t int, id int, r int")
    found = pair_pools(frame, "t", "id", "r")
    with pytest.raises(Exception, match="PoolError: pool t=2: r of player 2 is missing"):
        found.collect()
    found = pair_pools(frame, "t", "id", "r", errors="keep")
    assert collected(found, ["t"]) == [
        (1, 1, 2, 2, 2, 2, "optimal", None),
        (2, None, None, None, None, None, "failed", "r of player 2 is missing; all players need a number"),
    ]


def test_what_is_wrong_is_named_before_the_job_runs(spark):
    frame = spark.createDataFrame([(1, 1, 5)], "t int, id int, r int")
    with pytest.raises(ValueError, match="there is no column 'rating'; the columns are t, id, r"):
        pair_pools(frame, "t", "id", "rating")
    with pytest.raises(ValueError, match="alone and bye were both given"):
        pair_pools(frame, "t", "id", "r", alone=1, bye=1)
    with pytest.raises(ValueError, match="a column is named 'i.d'"):
        pair_pools(frame.withColumnRenamed("id", "i.d"), "t", "i.d", "r")
    # It would be the same name as that of an answer.
    with pytest.raises(ValueError, match="a column is named 'Partner', as one of the answer is"):
        pair_pools(frame.withColumnRenamed("id", "Partner"), "t", "Partner", "r")


def test_parties_of_great_numbers_are_not_made_one(spark):
    # Spark hands over integers beside nulls as floats, which made one party of two.
    rows = [(1, 1, 0, 2**53), (1, 2, 1, 2**53), (1, 3, 2, 2**53 + 1), (1, 4, 3, None)]
    frame = spark.createDataFrame(rows, "t int, id int, r int, party bigint")
    with pytest.raises(Exception, match="PoolError: pool t=1: party party of player 1 is 9007199254740992.0, which"):
        group_pools(frame, "t", "id", "r", size=2, party="party").collect()
    words = frame.withColumn("party", frame["party"].cast("string"))
    found = group_pools(words, "t", "id", "r", size=2, party="party")
    assert [row[:3] for row in collected(found, ["id"])] == [(1, 1, 0), (1, 2, 0), (1, 3, 1), (1, 4, 1)]
    # Where there are no nulls they are integers.
    found = group_pools(frame.dropna(), "t", "id", "r", size=2, party="party")
    assert [row[:3] for row in collected(found, ["id"])] == [(1, 1, 0), (1, 2, 0), (1, 3, None)]


def test_a_function_may_change_its_rows(spark):
    frame = spark.createDataFrame([(1, 1, 2), (1, 2, 5), (1, 3, 5), (1, 4, 3)], "t int, id int, rating int")

    def cost(pool):
        pool["id"] = pool["id"].to_numpy()[::-1]
        del pool["t"]
        rating = pool["rating"].to_numpy()
        return abs(rating[:, None] - rating)

    found = pair_pools(frame, "t", "id", cost, dtype=int)
    assert [row[:4] for row in collected(found, ["id"])] == [(1, 1, 4, 1), (1, 2, 3, 0)]


def test_an_empty_table_has_no_answers(spark):
    frame = spark.createDataFrame([], "t int, id string, r double")
    assert pair_pools(frame, "t", "id", "r").collect() == [] and group_pools(frame, "t", "id", "r", size=2).collect() == []
