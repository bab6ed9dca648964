"""What the tests share: instances, and answers by trying everything."""

from __future__ import annotations

import itertools
from typing import Any, Iterator, Optional

import numpy as np
import pytest


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> np.random.Generator:
    """The same numbers for a test every time, others for each test."""
    return np.random.default_rng(sum(request.node.name.encode()))


def symmetric(rng: np.random.Generator, n: int, low: int = 0, high: int = 100, dtype: Any = np.int64) -> np.ndarray:
    """Random costs, with ties; floats are such that sums are not exact in the order in which they are taken."""
    cost = rng.integers(low, high, (n, n))
    cost = np.triu(cost, 1) + np.triu(cost, 1).T
    return (cost * 0.1 if np.dtype(dtype).kind == "f" else cost).astype(dtype)


def symmetric_mask(rng: np.random.Generator, n: int, share: float) -> np.ndarray:
    mask = np.triu(rng.random((n, n)) < share, 1)
    return mask | mask.T


def matchings(n: int) -> Iterator[list[tuple[int, int]]]:
    """All matchings of n nodes, perfect or not."""

    def extend(nodes: list[int]) -> Iterator[list[tuple[int, int]]]:
        if not nodes:
            yield []
            return
        first, rest = nodes[0], nodes[1:]
        yield from extend(rest)
        for at, other in enumerate(rest):
            for more in extend(rest[:at] + rest[at + 1 :]):
                yield [(first, other), *more]

    yield from extend(list(range(n)))


def best_total(
    cost: np.ndarray,
    forbidden: Optional[np.ndarray] = None,
    *,
    maximise: bool = False,
    pairs: str = "all",
    alone: Optional[list] = None,
    bye: Optional[list] = None,
    must: Optional[tuple[int, int]] = None,
) -> Any:
    """The best total by trying all matchings, None where there is none as it was asked for, or with a pair that must be."""
    n = len(cost)
    found: list[tuple[int, Any]] = []
    for matching in matchings(n):
        if must is not None and must not in matching:
            continue
        if forbidden is not None and any(forbidden[u, v] for u, v in matching):
            continue
        left = set(range(n)).difference(itertools.chain.from_iterable(matching))
        total = sum(cost[u, v].item() for u, v in matching)
        if alone is not None:
            total += sum(alone[v] for v in left)
        elif bye is not None:
            if len(left) > n % 2:
                continue
            total += sum(bye[v] for v in left)
        elif pairs == "all" and left:
            continue
        found.append((len(matching), total))
    if pairs == "most" and alone is None and bye is None and found:
        most = max(count for count, _ in found)
        found = [entry for entry in found if entry[0] == most]
    totals = [total for _, total in found]
    return (max if maximise else min)(totals) if totals else None
