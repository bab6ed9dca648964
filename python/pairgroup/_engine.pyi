"""The extension module, written in Rust. Use the package, which checks what is given."""

from typing import Callable, Optional, Sequence, TypedDict, Union, overload

import numpy as np

class Instance:
    @staticmethod
    def from_matrix(
        cost: np.ndarray, forbidden: Optional[np.ndarray], maximise: bool, negate: bool
    ) -> Instance: ...
    @staticmethod
    def from_sides(
        cost: np.ndarray, forbidden: Optional[np.ndarray], maximise: bool, negate: bool
    ) -> Instance: ...
    @staticmethod
    def from_edges(
        vertices: int, u: np.ndarray, v: np.ndarray, weights: np.ndarray, maximise: bool, negate: bool
    ) -> Instance: ...
    @staticmethod
    def from_points(points: np.ndarray, norm: str, scale: float) -> Instance: ...
    def __len__(self) -> int: ...
    def solve(
        self,
        objective: str,
        prices: Optional[np.ndarray] = None,
        *,
        worst_first: bool = False,
        seconds: Optional[float] = None,
        work: Optional[int] = None,
        threads: int = 0,
        rounded: bool = False,
    ) -> Union[Solution, Witness]: ...
    def verify(self, solution: Solution) -> None: ...
    def verify_witness(self, witness: Witness) -> None: ...
    def verify_lack_of_pairs(self, wanting: Sequence[int], available: Sequence[int]) -> None: ...
    def pairs_at_most(self, solution: Solution) -> int: ...
    def solve_several(
        self,
        least: np.ndarray,
        most: np.ndarray,
        missing: Optional[np.ndarray] = None,
        *,
        maximise: bool = False,
        seconds: Optional[float] = None,
        work: Optional[int] = None,
        threads: int = 0,
        rounded: bool = False,
    ) -> Union[Choice, NoChoice]: ...
    def verify_several(self, choice: Choice) -> None: ...
    def verify_no_choice(self, none: NoChoice) -> None: ...

class Solution:
    @property
    def cost(self) -> Union[int, float]: ...
    @property
    def bound(self) -> Union[int, float]: ...
    @property
    def status(self) -> str: ...
    @property
    def reason(self) -> Optional[str]: ...
    @property
    def work(self) -> int: ...
    @property
    def engine(self) -> str: ...
    def pairs(self) -> list[tuple[int, int]]: ...
    def mates(self) -> np.ndarray: ...
    def weights(self) -> np.ndarray: ...
    def duals(self, rows: int) -> Optional[tuple[Union[np.ndarray, list[int]], Union[np.ndarray, list[int]]]]: ...
    def bound_of_all(self, rows: int, off: int) -> Union[None, int, float]: ...
    def worst(self) -> Optional[tuple[Union[int, float], Union[int, float], list[int], list[list[int]]]]: ...
    @staticmethod
    def restored(number: str, bytes: bytes, is_worst_first: bool, is_negated: bool) -> Solution: ...

class Why:
    def __init__(
        self,
        instance: Instance,
        solution: Solution,
        u: int,
        v: int,
        *,
        seconds: Optional[float] = None,
        work: Optional[int] = None,
        threads: int = 0,
        rounded: bool = False,
    ) -> None: ...
    def told(self) -> Told: ...
    def verify(self, instance: Instance, solution: Solution) -> None: ...

class Told(TypedDict):
    cost: Union[None, int, float]
    is_chosen: bool
    forced: Optional[ToldWhatIf]
    forbidden: ToldWhatIf

class ToldWhatIf(TypedDict):
    status: str
    reason: Optional[str]
    pairs: Optional[list[tuple[int, int]]]
    cost: Union[None, int, float]
    bound: Union[None, int, float]
    change: Union[None, int, float]
    work: Optional[int]
    removed: list[int]
    odd_components: list[list[int]]

class Witness:
    @property
    def removed(self) -> list[int]: ...
    @property
    def odd_components(self) -> list[list[int]]: ...
    @property
    def deficiency(self) -> int: ...

class Pool:
    def __init__(
        self,
        cost: np.ndarray,
        forbidden: Optional[np.ndarray],
        *,
        maximise: bool,
        kind: Optional[str],
        prices: Optional[np.ndarray],
    ) -> None: ...
    def __len__(self) -> int: ...
    def add(
        self, cost: np.ndarray, forbidden: Optional[np.ndarray] = None, prices: Optional[np.ndarray] = None
    ) -> int: ...
    def remove(self, player: int) -> Optional[int]: ...
    def set_row(self, player: int, cost: np.ndarray, forbidden: Optional[np.ndarray] = None) -> None: ...
    def set_pair(self, i: int, j: int, cost: Union[None, int, float]) -> None: ...
    def set_prices(self, players: np.ndarray, prices: np.ndarray) -> None: ...
    def prices(self) -> Optional[np.ndarray]: ...
    def costs(self) -> tuple[np.ndarray, np.ndarray]: ...
    def solve(
        self, *, seconds: Optional[float] = None, work: Optional[int] = None, threads: int = 0
    ) -> tuple[Instance, Union[Solution, Witness]]: ...

class Choice:
    @property
    def cost(self) -> Union[int, float]: ...
    @property
    def bound(self) -> Union[int, float]: ...
    @property
    def status(self) -> str: ...
    @property
    def reason(self) -> Optional[str]: ...
    @property
    def work(self) -> int: ...
    def ends(self) -> np.ndarray: ...
    def weights(self) -> np.ndarray: ...
    @staticmethod
    def restored(number: str, bytes: bytes) -> Choice: ...

class NoChoice:
    @property
    def removed(self) -> list[int]: ...
    @property
    def wanting(self) -> list[int]: ...
    @property
    def odd_components(self) -> list[list[int]]: ...
    @property
    def available(self) -> tuple[int, int]: ...
    @property
    def missing(self) -> int: ...

class WhySeveral:
    def __init__(
        self,
        instance: Instance,
        choice: Choice,
        u: int,
        v: int,
        *,
        seconds: Optional[float] = None,
        work: Optional[int] = None,
        threads: int = 0,
        rounded: bool = False,
    ) -> None: ...
    def told(self) -> ToldSeveral: ...
    def verify(self, instance: Instance, choice: Choice) -> None: ...

class ToldSeveral(TypedDict):
    cost: Union[None, int, float]
    is_chosen: bool
    forced: Optional[ToldWhatIfSeveral]
    forbidden: ToldWhatIfSeveral

class ToldWhatIfSeveral(TypedDict):
    status: str
    reason: Optional[str]
    pairs: Optional[list[tuple[int, int]]]
    added: list[tuple[int, int]]
    dropped: list[tuple[int, int]]
    cost: Union[None, int, float]
    bound: Union[None, int, float]
    change: Union[None, int, float]
    work: Optional[int]
    removed: list[int]
    wanting: list[int]
    odd_components: list[list[int]]
    missing: int
    barred: Optional[int]

class Partition:
    def __init__(
        self,
        cost: Union[np.ndarray, Callable[[list[int]], float]],
        forbidden: Optional[np.ndarray],
        *,
        players: Optional[int],
        integers: bool,
        maximise: bool,
        size: Optional[int],
        count: Optional[int],
        bounds: Optional[Sequence[tuple[int, int]]],
        bench: Optional[int],
        parties: Sequence[Sequence[int]],
        pins: Sequence[tuple[int, int]],
    ) -> None: ...
    def search(
        self,
        *,
        seconds: Optional[float] = None,
        work: Optional[int] = None,
        seed: int = 0,
        threads: int = 0,
        walks: int = 1,
        target: Union[None, int, float] = None,
        start: Optional[Sequence[Sequence[int]]] = None,
    ) -> Found: ...
    def verify(self, found: Found) -> None: ...
    @overload
    def explain(
        self, found: Found, player: int, *, seconds: Optional[float] = None, work: Optional[int] = None
    ) -> Explained: ...
    @overload
    def explain(
        self, found: Found, player: int, other: int, *, seconds: Optional[float] = None, work: Optional[int] = None
    ) -> ExplainedPair: ...

class ExactPartition:
    def __init__(
        self,
        cost: Union[np.ndarray, Callable[[list[int]], float]],
        forbidden: Optional[np.ndarray],
        *,
        players: Optional[int],
        integers: bool,
        maximise: bool,
        size: Optional[int],
        count: Optional[int],
        bounds: Optional[Sequence[tuple[int, int]]],
        bench: Optional[int],
        parties: Sequence[Sequence[int]],
        pins: Sequence[tuple[int, int]],
        roles: Sequence[tuple[str, int, Optional[int], Sequence[int]]],
        waiting: Optional[np.ndarray],
    ) -> None: ...
    def solve(
        self,
        *,
        seconds: Optional[float] = None,
        work: Optional[int] = None,
        seed: int = 0,
        start: Optional[Sequence[Sequence[int]]] = None,
    ) -> tuple[Proven, list[list[Optional[int]]]]: ...
    def verify(self, proven: Proven) -> None: ...

class Proven:
    @property
    def cost(self) -> Union[int, float]: ...
    @property
    def bound(self) -> Union[None, int, float]: ...
    @property
    def gap(self) -> float: ...
    @property
    def is_optimal(self) -> bool: ...
    @property
    def reason(self) -> Optional[str]: ...
    @property
    def work(self) -> int: ...
    @property
    def seconds(self) -> float: ...
    def groups(self) -> list[list[int]]: ...
    def bench(self) -> list[int]: ...
    @staticmethod
    def restored(number: str, bytes: bytes, is_negated: bool) -> Proven: ...

class Explained(TypedDict):
    party: list[int]
    group: Optional[int]
    cost: Union[int, float]
    pairs: list[tuple[int, Union[int, float]]]
    exchanges: list[Exchanged]
    left_out: int
    stop: str

class ExplainedPair(TypedDict):
    groups: tuple[Optional[int], Optional[int]]
    is_party: bool
    cost: Union[None, int, float]
    obstacle: Optional[str]
    exchanges: list[Exchanged]
    left_out: int
    stop: str

class Exchanged(TypedDict):
    leave: list[list[int]]
    origin: Optional[int]
    come: list[list[int]]
    to: Optional[int]
    change: Union[None, int, float]
    reason: Optional[str]

class Found:
    def groups(self) -> list[list[int]]: ...
    def bench(self) -> list[int]: ...
    @property
    def cost(self) -> Union[int, float]: ...
    @property
    def is_proven(self) -> bool: ...
    @property
    def engine(self) -> str: ...
    @property
    def stop(self) -> str: ...
    @property
    def work(self) -> int: ...
    @property
    def seconds(self) -> float: ...
    @staticmethod
    def restored(number: str, bytes: bytes, is_negated: bool) -> Found: ...
