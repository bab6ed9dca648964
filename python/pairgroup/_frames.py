"""Tables of many pools: what pandas and Spark have in common, and where they differ."""

from __future__ import annotations

from typing import Any, Callable, Literal, NamedTuple, Optional, Sequence, Union

import numpy as np

#: What a column of answers holds: players as their column does, numbers as costs are, whole numbers, or words.
Kind = Literal["player", "number", "whole", "words"]

class Answer(NamedTuple):
    """Rows of the answer of one pool: players by their places in it, None for none, and values of the other columns, a list of them
    or one for all rows."""

    players: Sequence[Optional[int]]
    values: dict[str, Any]


#: From the rows of one pool, a DataFrame of pandas in ascending order of players, to its answer.
Solve = Callable[[Any], Answer]


class Columns(NamedTuple):
    """What a table of pools has, and what the table of its answers has beside the columns of `by`."""

    by: list[str]
    player: str
    made: dict[str, Kind]
    #: Whether costs are integers.
    is_integer: bool

    def table(self, rows: Any, answers: Sequence[tuple[np.ndarray, Answer]]) -> Any:
        """The table of answers for pools whose players are in these places of the rows."""
        import pandas

        lengths = [len(answer.players) for _, answer in answers]
        firsts = np.repeat(np.array([places[0] for places, _ in answers], np.intp), lengths)
        columns = {name: rows[name].array.take(firsts) for name in self.by}
        for name, kind in self.made.items():
            if kind == "player":
                at: list[int] = []
                for places, answer in answers:
                    here = answer.players if name == self.player else answer.values.get(name, [None] * len(answer.players))
                    at += [-1 if player is None else int(places[player]) for player in here]
                columns[name] = _nullable(rows[self.player]).take(np.array(at, np.intp), allow_fill=True)
                continue
            values: list[Any] = []
            for _, answer in answers:
                given = answer.values.get(name)
                values += given if isinstance(given, list) else [given] * len(answer.players)
            if kind == "words":
                columns[name] = pandas.array(values, dtype=object)
            elif kind == "whole" or self.is_integer:
                columns[name] = pandas.array(values, dtype="Int64")
            else:
                columns[name] = np.array([np.nan if value is None else value for value in values], np.float64)
        return pandas.DataFrame(columns)


def _nullable(column: Any) -> Any:
    """Values of a type that has nulls: integers of numpy would become floats."""
    kinds = {"i": "Int64", "u": "UInt64", "b": "boolean"}
    is_numpy = isinstance(column.dtype, np.dtype) and column.dtype.kind in kinds
    return (column.astype(kinds[column.dtype.kind]) if is_numpy else column).array


def plain(value: Any) -> Any:
    """A value as Python has it, None where there is none."""
    import pandas

    if pandas.api.types.is_scalar(value) and pandas.isna(value):
        return None
    return value.item() if isinstance(value, np.generic) else value


def is_spark(frame: Any) -> bool:
    """Whether a table is one of Spark, and not one of pandas; nothing else is taken."""
    # Tables of other packages may be such ones as well.
    modules = [kind.__module__ for kind in type(frame).__mro__]
    if any(module.startswith("pyspark.pandas") for module in modules):
        raise TypeError("the table is one of pandas on Spark; give frame.to_spark()")
    if any(module.startswith("pyspark.sql") for module in modules):
        return True
    is_pandas = any(module.split(".")[0] == "pandas" for module in modules)
    if is_pandas and hasattr(frame, "groupby") and hasattr(frame, "columns"):
        return False
    raise TypeError(f"{type(frame).__name__} is no table; give a DataFrame of pandas or of Spark")


def names(by: Union[str, Sequence[str]]) -> list[str]:
    """The columns that say which rows are of one pool."""
    given = by if isinstance(by, (list, tuple)) else [by]
    for name in given:
        if not isinstance(name, str):
            raise TypeError(f"by has {name!r}; give the name of a column, or a list of names")
    if len(set(given)) < len(given):
        raise ValueError(f"by is {given}, with a column twice")
    return list(given)


def check_columns(frame: Any, needed: Sequence[str]) -> None:
    """Refuses names that no column has, or several."""
    there = list(frame.columns)
    for name in needed:
        if name not in there:
            raise ValueError(f"there is no column {name!r}; the columns are {', '.join(map(str, there))}")
        if there.count(name) > 1:
            raise ValueError(f"{there.count(name)} columns are named {name!r}; rename them")


def holds_integers(frame: Any, column: str) -> bool:
    """Whether a column does, by its type."""
    if is_spark(frame):
        # `bigint` is not called by the name that the type has in SQL.
        return frame.schema[column].dataType.typeName() in ("boolean", "byte", "short", "integer", "long")
    import pandas
    from pandas.api import types

    kind = frame[column].dtype
    if isinstance(kind, pandas.CategoricalDtype):
        kind = kind.categories.dtype
    return types.is_integer_dtype(kind) or types.is_bool_dtype(kind)


def solve_pools(frame: Any, columns: Columns, read: Optional[Sequence[str]], solve: Solve) -> Any:
    """The answers for all pools, in the order of pools: of pandas at once, of Spark when they are asked for. Pools have the columns
    that are read, or all."""
    if read is not None:
        read = list(dict.fromkeys([*columns.by, columns.player, *read]))
    if is_spark(frame):
        read = frame.columns if read is None else read
        # To it they are paths, which `applyInPandas` cannot be told otherwise.
        path = next((name for name in read if "." in name or "`" in name), None)
        if path is not None:
            raise ValueError(f"a column is named {path!r}, which Spark does not take for one name here; rename it, or drop it")
        return _by_spark(frame.select(*read), columns, solve)
    rows = _in_order(frame if read is None else frame[read], columns.player)
    if columns.by:
        pool = rows.groupby(columns.by, dropna=False, observed=True).ngroup().to_numpy()
    else:
        pool = np.zeros(len(rows), np.intp)
    order = np.argsort(pool, kind="stable")
    edges = np.flatnonzero(np.diff(pool[order])) + 1
    pools = np.split(order, edges) if len(rows) else []
    return columns.table(rows, [(places, solve(rows.take(places).reset_index(drop=True))) for places in pools])


def _in_order(rows: Any, player: str) -> Any:
    # Rows may have names of their own, such as those of columns, which would be ambiguous.
    rows = rows.reset_index(drop=True)
    try:
        return rows.sort_values(player, kind="stable", ignore_index=True)
    except (TypeError, ValueError):
        raise TypeError(f"{player} has values of several types, or of one that has no order") from None


def _by_spark(rows: Any, columns: Columns, solve: Solve) -> Any:
    from pyspark.sql.types import DoubleType, LongType, StringType, StructField, StructType

    kinds = {
        "player": rows.schema[columns.player].dataType,
        "number": LongType() if columns.is_integer else DoubleType(),
        "whole": LongType(),
        "words": StringType(),
    }
    keys = [StructField(name, rows.schema[name].dataType) for name in columns.by]
    made = [StructField(name, kinds[kind]) for name, kind in columns.made.items()]

    def answer(pool):  # type: ignore[no-untyped-def]  # Spark reads annotations as its own.
        pool = _in_order(pool, columns.player)
        return columns.table(pool, [(np.arange(len(pool)), solve(pool))])

    return rows.groupBy(*columns.by).applyInPandas(answer, StructType(keys + made))
