"""What can be raised besides ValueError, TypeError and MemoryError."""

from __future__ import annotations

from typing import Any, Callable, Hashable, Optional

__all__ = ["NoAssignment", "NoBMatching", "NoGrouping", "NoPerfectMatching", "PrecisionError", "VerifyError"]


class NoPerfectMatching(ValueError):
    """There is no matching as it was asked for, and here is why (Tutte 1947, Berge 1958).

    Without the nodes in ``removed``, the graph falls apart so that each set in ``odd_components`` has an odd number of
    nodes and no edge to any node but its own and the removed ones. Each of these sets leaves a node over that only a
    removed one can take, so at least ``deficiency`` nodes stay alone in every matching.

    :meth:`verify` checks that against the input.
    """

    removed: list[Hashable]
    odd_components: list[list[Hashable]]
    deficiency: int

    def __init__(
        self,
        message: str,
        removed: Optional[list[Hashable]] = None,
        odd_components: Optional[list[list[Hashable]]] = None,
        check: Optional[Callable[[], None]] = None,
    ) -> None:
        super().__init__(message)
        self.removed = removed or []
        self.odd_components = odd_components or []
        self.deficiency = max(0, len(self.odd_components) - len(self.removed))
        self._check = check

    def verify(self) -> None:
        """Checks the witness against the input, by code that shares nothing with the solver.

        Raises :class:`VerifyError` if it is wrong.
        """
        if self._check is None:
            raise VerifyError("this exception came from elsewhere, without its input")
        self._check()

    def __reduce__(self) -> Any:
        # The input stays behind: an exception that goes to another process says what it says, and no more.
        return type(self), (self.args[0], self.removed, self.odd_components)


class NoAssignment(NoPerfectMatching):
    """Not everybody of one side can have a partner, and here is why (Kőnig 1931, Hall 1935).

    All those in ``wanting``, which are ``"rows"`` or ``"columns"`` as ``side`` says, have no partners but those in
    ``available``, which are of the other side, and fewer: so at least ``missing`` of them stay alone, whatever is chosen.

    :meth:`verify` checks that against the input. As a :class:`NoPerfectMatching` it says the same: ``removed`` is
    ``available``, and everybody of ``wanting`` is an odd component.
    """

    side: str
    wanting: list[int]
    available: list[int]
    missing: int

    def __init__(
        self,
        message: str,
        side: str = "rows",
        wanting: Optional[list[int]] = None,
        available: Optional[list[int]] = None,
        check: Optional[Callable[[], None]] = None,
    ) -> None:
        self.side = side
        self.wanting = wanting or []
        self.available = available or []
        super().__init__(message, list(self.available), [[one] for one in self.wanting], check)
        self.missing = self.deficiency

    def __reduce__(self) -> Any:
        return type(self), (self.args[0], self.side, self.wanting, self.available)


class NoBMatching(ValueError):
    """No pairs give everybody as many partners as was asked for, and here is why (Tutte 1954, Lovász 1970).

    Let the nodes in ``removed`` have as many partners as they may, all of them where they are needed. The nodes in
    ``wanting`` can have no others beyond these than over the edges that are left to them. Each set in ``odd_components`` has
    fixed numbers of partners, and edges to no node but its own, the wanting and the removed ones; with the edges to the
    wanting ones the sum of these numbers is odd, so it needs a removed one as well, or leaves an edge to a wanting one
    unused. So at least ``missing`` partners are missing, whatever is chosen: what the wanting nodes should have at least, and
    one for each odd component, less what the removed ones can have and the edges of the wanting ones to nodes that are not
    removed.

    All sets are empty, and ``missing`` is 0, where nobody was found before the limits of the call, or with more than 4,096
    nodes that have a choice of numbers.

    :meth:`verify` checks that against the input.
    """

    removed: list[Hashable]
    wanting: list[Hashable]
    odd_components: list[list[Hashable]]
    missing: int

    def __init__(
        self,
        message: str,
        removed: Optional[list[Hashable]] = None,
        wanting: Optional[list[Hashable]] = None,
        odd_components: Optional[list[list[Hashable]]] = None,
        missing: int = 0,
        check: Optional[Callable[[], None]] = None,
    ) -> None:
        super().__init__(message)
        self.removed = removed or []
        self.wanting = wanting or []
        self.odd_components = odd_components or []
        self.missing = missing
        self._check = check

    def verify(self) -> None:
        """Checks the witness against the input, by code that shares nothing with the solver.

        Raises :class:`VerifyError` if it is wrong, or if there is none.
        """
        if not self.missing:
            raise VerifyError("who lacks partners was not found, so there is nothing to check")
        if self._check is None:
            raise VerifyError("this exception came from elsewhere, without its input")
        self._check()

    def __reduce__(self) -> Any:
        # The input stays behind, as that of `NoPerfectMatching` does.
        return type(self), (self.args[0], self.removed, self.wanting, self.odd_components, self.missing)


class NoGrouping(ValueError):
    """No grouping was found that keeps to what is forbidden.

    ``is_proven`` says whether there is none; else the search ended before it found one. ``group`` is one of the
    forbidden groups of the best grouping found, empty where parties alone do not fit; of :func:`group_exactly`, players whose wishes
    cannot all be met, as few as were found, or nobody where the reason is another one.
    """

    is_proven: bool
    group: list[int]

    def __init__(self, message: str, is_proven: bool = False, group: Optional[list[int]] = None) -> None:
        super().__init__(message)
        self.is_proven = is_proven
        self.group = group or []

    def __reduce__(self) -> Any:
        return type(self), (self.args[0], self.is_proven, self.group)


class PrecisionError(ValueError):
    """Floats that do not fit a common binary grid of 128 bits, such as 1e-40 beside 1e30; ``rounded=True`` takes them."""


class VerifyError(ValueError):
    """An answer is not what it says: the first thing that the checker found wrong."""
