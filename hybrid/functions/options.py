"""What a user may say about a function that is compiled."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from difflib import get_close_matches
from typing import Any

__all__ = ["FunctionOptions", "refuse_unknown"]


@dataclass(frozen=True, slots=True)
class FunctionOptions:
    """The options of ``hybrid.function``, which explains them.

    Raises:
        TypeError: for values that an option can't have.
    """

    strict: bool = False
    input_signature: Sequence[Any] | None = None
    boundscheck: bool = True
    parallel: str | bool = "auto"
    cache: bool = True
    example: Callable[[], Any] | None = None
    name: str | None = None

    def __post_init__(self) -> None:
        for option in ("strict", "boundscheck", "cache"):
            if type(getattr(self, option)) is not bool:
                raise _wrong(option, "True or False", getattr(self, option))
        if self.parallel is not False and self.parallel != "auto":
            hint = ": nothing runs in parallel yet" if self.parallel is True else ""
            raise TypeError(f"wanted 'auto' or False for the option 'parallel', received {self.parallel!r}{hint}")
        if self.example is not None and not callable(self.example):
            raise _wrong("example", "a function without arguments that returns arguments", self.example)
        if self.name is not None and not (isinstance(self.name, str) and self.name):
            raise _wrong("name", "a text", self.name)
        if self.input_signature is not None and not isinstance(self.input_signature, list | tuple):
            raise _wrong("input_signature", "a list or tuple of hybrid.TensorSpec and types of numbers", self.input_signature)


def refuse_unknown(names: Iterable[str]) -> None:
    """Raise a ``TypeError`` for options that don't exist, which names those that may be meant."""
    known = [field.name for field in fields(FunctionOptions)]
    for name in names:
        near = get_close_matches(name, known, n=1, cutoff=0.5)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
        raise TypeError(f"hybrid.function has no option {name!r}; {hint}")


def _wrong(option: str, wanted: str, received: Any) -> TypeError:
    return TypeError(f"wanted {wanted} for the option {option!r}, received {received!r}")
