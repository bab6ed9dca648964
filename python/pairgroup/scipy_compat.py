"""Drop-in for the linear sum assignment of scipy: same arguments, same result, found by the exact engine.

    from pairgroup.scipy_compat import linear_sum_assignment

As there, rows are in order, an infinite cost forbids a pair, and a matrix that has none, or is not of numbers, is a ``ValueError``.

What differs: of several best assignments it may be another one. Integers are compared exactly, where scipy makes floats of them, unless
they do not fit 64 bits with both signs. Totals of floats are compared exactly, or, where the floats do not fit a common grid of 128 bits, on
the finest one of 64 bits. Errors say which entry is wrong, or which rows have too few columns.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ._assignment import assign
from ._errors import NoAssignment, PrecisionError

__all__ = ["linear_sum_assignment"]


def linear_sum_assignment(cost_matrix: Any, maximize: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Rows and their columns of the least total, or with ``maximize`` of the greatest, where everybody of the smaller side has a partner.

    As ``scipy.optimize.linear_sum_assignment``.

    >>> from pairgroup.scipy_compat import linear_sum_assignment
    >>> row_ind, col_ind = linear_sum_assignment([[4, 1, 3], [2, 0, 5], [3, 2, 2]])
    >>> row_ind.tolist(), col_ind.tolist()
    ([0, 1, 2], [1, 0, 2])
    """
    cost = np.asarray(cost_matrix)
    if cost.dtype.kind not in "biuf" or cost.dtype.itemsize > 8:
        # As there: whatever numbers a list has, and of arrays none that are not safely floats.
        cost = cost.astype(np.float64, casting="safe") if hasattr(cost_matrix, "dtype") else np.asarray(cost_matrix, np.float64)
    if cost.ndim != 2:
        raise ValueError(f"expected a matrix (2-D array), got a {cost.ndim} array")
    if cost.dtype.kind in "iu" and cost.dtype.itemsize >= 4 and cost.size and not _has_both_signs(cost):
        cost = cost.astype(np.float64)
    if cost.dtype.kind == "f" and not (is_good := cost > -np.inf if not maximize else cost < np.inf).all():
        row, column = np.argwhere(~is_good)[0].tolist()
        raise ValueError(f"matrix contains invalid numeric entries: {cost[row, column]} in row {row} and column {column}")
    try:
        try:
            found = assign(cost, maximise=bool(maximize))
        except PrecisionError:
            found = assign(cost, maximise=bool(maximize), rounded=True)
    except NoAssignment as error:
        # What follows is about options that there are not here.
        raise ValueError(f"cost matrix is infeasible: {str(error).partition('; ')[0]}") from None
    return found.rows, found.columns


def _has_both_signs(cost: np.ndarray) -> bool:
    """Whether all integers have a negative in the type in which they are solved."""
    if cost.dtype.kind == "u":
        return cost.dtype.itemsize < 8 or int(cost.max()) < 2**63
    return int(cost.min()) > np.iinfo(cost.dtype).min
