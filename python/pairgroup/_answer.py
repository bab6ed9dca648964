"""What all answers have in common."""

from __future__ import annotations

import inspect
from collections.abc import Collection, Mapping
from typing import Any, Callable, ClassVar, Optional, TypeVar

from ._errors import VerifyError

T = TypeVar("T")


class Answer:
    """Something that does not change once it is found. To another process it goes with its proof; its input stays behind, as
    whoever sent it there has that already, and it may be much larger than the answer."""

    __slots__ = ()

    #: Attributes that stay behind.
    _behind: ClassVar[tuple[str, ...]]

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: Any) -> Any:
        return self

    def __getstate__(self) -> tuple[None, dict[str, Any]]:
        # As `pickle` has it of classes with slots: those of a dictionary first, of which there are none.
        slots = [name for kind in type(self).__mro__ for name in getattr(kind, "__slots__", ())]
        return None, {name: None if name in self._behind else getattr(self, name) for name in slots}


def here(held: Optional[T], instead: str) -> T:
    """What an answer holds, unless it has stayed behind; then whoever asks is told what to do instead."""
    if held is None:
        raise VerifyError(f"this came from another process, without its input; {instead}")
    return held


def check_given(read: Callable[..., Any], given: tuple[Any, ...], named: Mapping[str, Any], known: Collection[str] = ()) -> None:
    """That `verify` was given what is read anew by `read`, which has those that are known from the question already."""
    signature = inspect.signature(read)
    taken = [parameter for name, parameter in signature.parameters.items() if name not in known]
    try:
        signature.replace(parameters=taken).bind(*given, **named)
    except TypeError as error:
        names = ", ".join(parameter.name for parameter in taken)
        raise TypeError(f"verify(): {error}; give what says what the costs are ({names}), all else is as it was asked") from None
