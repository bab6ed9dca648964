"""From what Python has to the arrays that the engines take. All that is refused is refused here by its name."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from typing import Any, Callable, Hashable, Optional, Union

import numpy as np

INT32 = np.dtype(np.int32)
INT64 = np.dtype(np.int64)
FLOAT32 = np.dtype(np.float32)
FLOAT64 = np.dtype(np.float64)

#: Nodes are numbered below this by the engine.
NODES = 2**29

#: Rows from which a matrix is worth reading by several threads.
THREADS_FROM = 1000

#: Names of nodes by position: a list, or a range where they are numbers.
Nodes = Union[Sequence[Hashable], range]

#: Which entries of an array of some shape are not read.
Unread = Callable[[tuple[int, ...]], np.ndarray]

#: Positions of both ends of each edge, weights, and the nodes by position.
Edges = tuple[np.ndarray, np.ndarray, np.ndarray, Nodes]


def whole(value: Any, name: str, least: int) -> int:
    """An integer that is not too small."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is {value!r}; give an integer from {least} on") from None
    if number < least:
        raise ValueError(f"{name} is {number}; give an integer from {least} on")
    if number >= 2**63:
        raise ValueError(f"{name} is {number}; give an integer below 2**63")
    return number


def node_count(given: Any) -> int:
    """A number of nodes."""
    count = whole(given, "nodes", 0)
    if count >= NODES:
        raise ValueError(f"there are {count} nodes, numbered from 0; there may be fewer than {NODES}")
    return count


def threads(given: Any, nodes: int, is_dense: bool) -> int:
    """How many threads an engine may use, 0 for one on each core: where there are many pairs to read, unless it is said."""
    if given is not None:
        return whole(given, "threads", 1)
    return 0 if is_dense and nodes >= THREADS_FROM else 1


def is_dense(weights: np.ndarray, nodes: Nodes) -> bool:
    """Whether there are edges between more than half of all two nodes."""
    return len(weights) * 4 > len(nodes) * (len(nodes) - 1)


def limits(seconds: Any, work: Any) -> tuple[Optional[float], Optional[int]]:
    """Limits of a call, None where there is none."""
    if seconds is not None:
        try:
            seconds = float(seconds)
        except (TypeError, ValueError):
            raise TypeError(f"seconds is {seconds!r}; give a number from 0 on, or None for no limit") from None
        except OverflowError:
            seconds = float("inf")
        if not 0 <= seconds < float("inf"):
            raise ValueError(f"seconds is {seconds}; give a number from 0 on, or None for no limit")
        # Longer than anybody waits, and than the engine can count.
        seconds = min(seconds, 1e9)
    return seconds, None if work is None else whole(work, "work", 0)


def refuse_masked(values: Any, what: str) -> None:
    """What a mask hides is no number, and where no pairs are forbidden by it there is nothing else that it could say."""
    # A list of masked arrays would come out without their masks.
    parts = values if isinstance(values, (list, tuple)) else [values]
    if any(isinstance(part, np.ma.MaskedArray) and np.ma.getmaskarray(part).any() for part in parts):
        raise ValueError(
            f"{what}: entries are masked, which forbids pairs where costs of pairs are one masked array; give all numbers here"
        )


def numbers(values: Any, what: str, unread: Optional[Unread] = None) -> np.ndarray:
    """An array of one of the four number types, without loss; what is not read may be anything that its type has."""
    refuse_masked(values, what)
    is_array = hasattr(values, "__array__")
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise ValueError(f"{what}: rows must have one length, and entries be numbers ({error})") from None
    kind, size = array.dtype.kind, array.dtype.itemsize
    if kind == "f" and not is_array:
        # Of integers beside floats numpy makes floats, which hold those up to 2**53 for certain.
        given = np.asarray(values, dtype=object)
        if all(isinstance(value, (int, np.integer)) for value in given.flat) and given.size:
            # So it does of integers with a sign beside such without one, however small all of them are.
            integers = [int(value) for value in given.flat]
            beyond = next((value for value in integers if not -(2**63) <= value < 2**63), None)
            if beyond is not None:
                raise ValueError(f"{what}: {beyond} does not fit 64 bits with a sign")
            return np.array(integers, INT64).reshape(given.shape)
        is_lost = _read((given != array) & (array == array), unread)
        if is_lost.any():
            value = given[is_lost][0]
            raise ValueError(f"{what}: {value} stands among floats and is no float; give integers, or floats")
    if kind == "b" or (kind in "iu" and size < 4):
        return array.astype(INT32)
    if kind == "u":
        is_beyond = _read(array >= 2**63, unread)
        if is_beyond.any():
            raise ValueError(f"{what}: {array[is_beyond].max()} does not fit 64 bits with a sign")
        return array.astype(INT64)
    if kind == "i":
        return array.astype(INT32 if size == 4 else INT64, copy=False)
    if kind == "f":
        if size <= 4:
            return array.astype(FLOAT32, copy=False)
        with np.errstate(over="ignore"):
            narrow = array.astype(FLOAT64, copy=False)
        if size > 8 and _read((narrow != array) & (array == array), unread).any():
            raise ValueError(f"{what}: numbers of type {array.dtype} do not fit float64")
        return narrow
    if array.size == 0 and array.dtype == object:
        return array.astype(INT64)
    raise TypeError(
        f"{what} of type {array.dtype}; give integers of at most 64 bits or floats, such as those of int32, int64, "
        "float32 and float64"
    )


def _read(entries: np.ndarray, unread: Optional[Unread]) -> np.ndarray:
    """Which entries are so and are read."""
    return entries if unread is None else entries & ~unread(entries.shape)


def unmasked(cost: Any, unread: Optional[Unread] = None) -> tuple[np.ndarray, Optional[np.ndarray]]:
    """Costs, and which of them are masked, and so not read either."""
    if not isinstance(cost, np.ma.MaskedArray):
        return numbers(cost, "the cost", unread), None
    masked = np.ma.getmaskarray(cost)
    both = (lambda _: masked) if unread is None else (lambda shape: masked | unread(shape))
    return numbers(cost.data, "the cost", both), masked


def _diagonal(shape: tuple[int, ...]) -> np.ndarray:
    return np.eye(*shape, dtype=bool) if len(shape) == 2 else np.zeros(shape, bool)


def matrix(cost: Any, forbidden: Any) -> tuple[np.ndarray, Optional[np.ndarray]]:
    """A square matrix, whose diagonal is not read, and which of its pairs are forbidden."""
    return _matrix(cost, forbidden, _diagonal, "square matrix")


def rows_and_columns(cost: Any, forbidden: Any) -> tuple[np.ndarray, Optional[np.ndarray]]:
    """A matrix of any shape, all of which is read, and which of its pairs are forbidden."""
    return _matrix(cost, forbidden, None, "matrix, a row of costs for each row")


def _matrix(
    cost: Any, forbidden: Any, unread: Optional[Unread], what: str
) -> tuple[np.ndarray, Optional[np.ndarray]]:
    array, masked = unmasked(cost, unread)
    if array.ndim != 2:
        raise ValueError(f"the cost has the shape {array.shape}; give a {what}")
    if forbidden is None:
        mask = masked if masked is not None and masked.any() else None
    else:
        given = mask_of(forbidden, array.shape)
        mask = given if masked is None else given | masked
    return np.ascontiguousarray(array), None if mask is None else np.ascontiguousarray(mask)


def mask_of(forbidden: Any, shape: tuple[int, ...]) -> np.ndarray:
    """Which pairs are forbidden."""
    refuse_masked(forbidden, "forbidden")
    mask = np.asarray(forbidden)
    if mask.dtype != np.bool_:
        raise TypeError(f"forbidden is of type {mask.dtype}; give a matrix of booleans, True where a pair is forbidden")
    if mask.shape != shape:
        raise ValueError(f"forbidden has the shape {mask.shape}; give that of the cost, {shape}")
    return np.ascontiguousarray(mask)


def prices(
    given: Any, what: str, nodes: Nodes, dtype: np.dtype, kind: str = "node"
) -> tuple[np.ndarray, np.dtype]:
    """What each node costs alone, and the number type that holds both the costs and these. Messages call nodes what they are."""
    if isinstance(given, Mapping):
        given = of_each(given, what, "price", nodes, kind)
    array = numbers(given, what)
    if array.ndim == 0:
        array = np.full(len(nodes), array)
    if array.shape != (len(nodes),):
        raise ValueError(f"{what} has the shape {array.shape}; give one number, or one for each of {len(nodes)} {kind}s")
    if array.dtype.kind == "f":
        is_bad = ~np.isfinite(array)
        if is_bad.any():
            at = int(is_bad.argmax())
            raise ValueError(f"{what} of {kind} {nodes[at]!r} is {array[at]}; give a finite number")
    if dtype.kind == "f":
        floats = array.astype(FLOAT64)
        is_integer = array.dtype.kind == "i"
        lost = [at for at, price in enumerate(floats) if is_integer and int(price) != int(array[at])]
        if lost:
            at = lost[0]
            raise ValueError(f"{what} of {kind} {nodes[at]!r} is {array[at]}, which is no float, as costs are")
        with np.errstate(over="ignore"):
            fits = dtype == FLOAT64 or bool((floats.astype(FLOAT32) == floats).all())
        return floats, dtype if fits else FLOAT64
    if array.dtype.kind == "f":
        is_odd = (array != np.floor(array)) | (abs(array) >= 2.0**63)
        if is_odd.any():
            at = int(is_odd.argmax())
            raise ValueError(
                f"{what} of {kind} {nodes[at]!r} is {array[at]}, and costs are integers; give both of one kind, such as "
                "cost.astype(float)"
            )
    integers = array.astype(INT64)
    fits = dtype == INT64 or bool((integers == integers.astype(INT32)).all())
    return integers, dtype if fits else INT64


def check_price_signs(
    given: np.ndarray, what: str, nodes: Nodes, dtype: np.dtype, kind: str = "node"
) -> None:
    """Prices that change their sign on the way have to have another one: the least integer of a type has none."""
    if dtype.kind == "i":
        is_least = given == np.iinfo(dtype).min
        if is_least.any():
            at = int(is_least.argmax())
            raise ValueError(
                f"{what} of {kind} {nodes[at]!r} is {given[at]}, whose sign cannot change in {dtype}; give a greater number"
            )


def partners(given: Any, nodes: Nodes) -> tuple[np.ndarray, np.ndarray]:
    """The least and the greatest number of partners of each node: of one number, or a tuple of two, for all of them, or of
    one of these for each."""
    if isinstance(given, Mapping):
        given = of_each(given, "partners", "number of partners", nodes)
    elif _is_one(given) or (isinstance(given, tuple) and len(given) == 2 and all(map(_is_one, given))):
        least, most = _bounds(given, "all")
        return np.full(len(nodes), least, np.uint32), np.full(len(nodes), most, np.uint32)
    if isinstance(given, np.ndarray) and given.dtype != object:
        if given.dtype.kind not in "iu":
            raise TypeError(f"partners are of type {given.dtype}; numbers of partners are integers")
        if given.shape not in ((len(nodes),), (len(nodes), 2)):
            raise ValueError(
                f"partners has the shape {given.shape}; give one number, or (least, most), for each of {len(nodes)} nodes"
            )
    given = list(given)
    if len(given) != len(nodes):
        raise ValueError(
            f"partners has {len(given)} entries; give one number, or (least, most), for each of {len(nodes)} nodes"
        )
    bounds = [_bounds(one, f"node {node!r}") for node, one in zip(nodes, given)]
    both = np.array(bounds, np.uint32).reshape(len(nodes), 2)
    return np.ascontiguousarray(both[:, 0]), np.ascontiguousarray(both[:, 1])


def _is_one(given: Any) -> bool:
    """Whether something is not several things."""
    return getattr(given, "ndim", None) == 0 or isinstance(given, str) or not hasattr(given, "__len__")


def _bounds(given: Any, whose: str) -> tuple[int, int]:
    """The least and the greatest number of partners that is said by one number, or by two."""
    if _is_one(given):
        least = most = whole(given, f"the number of partners of {whose}", 0)
    else:
        try:
            least, most = given
        except (TypeError, ValueError):
            raise ValueError(
                f"the number of partners of {whose} is {given!r}; give a number, or (least, most)"
            ) from None
        least = whole(least, f"the least number of partners of {whose}", 0)
        most = whole(most, f"the greatest number of partners of {whose}", 0)
    if least > most:
        raise ValueError(f"the least number of partners of {whose} is {least}, and the greatest {most}; give (least, most)")
    if most >= NODES:
        raise ValueError(f"the number of partners of {whose} is {most}; there are fewer than {NODES} nodes, so give less")
    return least, most


def of_each(given: Mapping[Any, Any], what: str, one: str, nodes: Nodes, kind: str = "node") -> list[Any]:
    """What a mapping has for each node, in order."""
    unknown = set(given).difference(nodes)
    if unknown:
        raise ValueError(f"{what} names {next(iter(unknown))!r}, which is no {kind}")
    missing = next((node for node in nodes if node not in given), None)
    if len(given) < len(nodes):
        raise ValueError(f"{what} has no {one} for {kind} {missing!r}; give one for each")
    return [given[node] for node in nodes]


def named_edges(edges: Any, nodes: Any) -> Edges:
    """Positions of both ends, weights, and the nodes by position: as given, or in the order in which edges name them."""
    index: dict[Hashable, int] = {}
    names: Optional[Nodes] = None
    if isinstance(nodes, (int, np.integer)):
        names = range(node_count(nodes))
    elif nodes is not None:
        names = list(nodes)
        index = {node: at for at, node in enumerate(names)}
        if len(index) < len(names):
            twice = next(node for at, node in enumerate(names) if index[node] != at)
            raise ValueError(f"nodes names {twice!r} twice")
    first: list[int] = []
    second: list[int] = []
    weights: list[Any] = []
    for edge in edges:
        try:
            u, v, weight = edge
        except (TypeError, ValueError):
            raise ValueError(f"edge {len(weights)} (counted from 0) is {edge!r}; give (node, node, weight)") from None
        try:
            for node, ends in ((u, first), (v, second)):
                at = index.get(node)
                if at is None:
                    at = _place(node, names, len(index))
                    if at is None:
                        raise ValueError(f"edge {len(weights)} (counted from 0) names {node!r}, which is not among nodes")
                    index[node] = at
                ends.append(at)
        except TypeError:
            raise TypeError(f"edge {len(weights)} (counted from 0) is {edge!r}, whose nodes are not hashable") from None
        if first[-1] == second[-1]:
            raise ValueError(f"edge {len(weights)} (counted from 0) joins node {u!r} to itself; give two different nodes")
        weights.append(weight)
    by_position = names if names is not None else list(index)
    return _checked_edges(np.array(first, INT64), np.array(second, INT64), weights, by_position)


def _place(node: Hashable, names: Optional[Nodes], known: int) -> Optional[int]:
    """The position of a node that is met for the first time: the next one, unless all nodes were named beforehand."""
    if names is None:
        return known
    # A range knows its numbers without a list of them, which might take more memory than there is.
    if isinstance(names, range) and isinstance(node, (int, np.integer)) and 0 <= node < len(names):
        return int(node)
    return None


def array_edges(u: Any, v: Any, weight: Any, nodes: Any) -> Edges:
    """The same from three arrays, where nodes are numbers from 0 on."""
    ends = []
    for name, given in (("u", u), ("v", v)):
        array = numbers(given, f"{name}, the nodes of edges,")
        if array.size and array.dtype.kind != "i":
            raise TypeError(f"{name} is of type {array.dtype}; nodes of arrays are integers, numbered from 0")
        if array.ndim != 1:
            raise ValueError(f"{name} has the shape {array.shape}; give an array of one dimension")
        ends.append(np.ascontiguousarray(array.astype(INT64)))
    if len(ends[0]) != len(ends[1]):
        raise ValueError(f"u has {len(ends[0])} entries and v has {len(ends[1])}; give as many of each")
    most = max((int(array.max()) for array in ends if array.size), default=-1)
    count = node_count(most + 1 if nodes is None else nodes)
    for name, array in zip("uv", ends):
        is_wrong = (array < 0) | (array >= count)
        if is_wrong.any():
            at = int(is_wrong.argmax())
            raise ValueError(f"{name}[{at}] is {array[at]}; nodes are numbered from 0, below {count}")
    if (ends[0] == ends[1]).any():
        at = int((ends[0] == ends[1]).argmax())
        raise ValueError(f"edge {at} (counted from 0) joins node {ends[0][at]} to itself; give two different nodes")
    return _checked_edges(ends[0], ends[1], weight, range(count))


def _checked_edges(u: np.ndarray, v: np.ndarray, weight: Any, nodes: Nodes) -> Edges:
    array = numbers(weight, "weights")
    if array.shape != u.shape:
        raise ValueError(f"weights have the shape {array.shape}; give one number for each of {len(u)} edges")
    if array.dtype.kind == "f":
        is_bad = ~np.isfinite(array)
        if is_bad.any():
            at = int(is_bad.argmax())
            raise ValueError(
                f"edge {at} (counted from 0), between nodes {nodes[u[at]]!r} and {nodes[v[at]]!r}, has the weight "
                f"{array[at]}; give a finite number, or leave out the edge"
            )
    return u, v, np.ascontiguousarray(array), nodes


def check_weight_signs(edges: Edges, dtype: np.dtype) -> None:
    """The same of weights of edges."""
    u, v, weight, nodes = edges
    if dtype.kind == "i":
        is_least = weight == np.iinfo(dtype).min
        if is_least.any():
            at = int(is_least.argmax())
            raise ValueError(
                f"edge {at} (counted from 0), between nodes {nodes[u[at]]!r} and {nodes[v[at]]!r}, has the weight {weight[at]}, "
                f"whose sign cannot change in {dtype}; give a greater number"
            )
