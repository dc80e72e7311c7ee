"""The table of constructs: small programs over one value, and the kinds of values that each is tried with."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

import hybrid

KINDS: dict[str, tuple[Any, ...]] = {
    "int": (3, -2, 0),
    "float": (2.5, -1.5),
    "bool": (True, False),
    "float32": (np.float32(0.5), np.float32(-2.0)),
    "int64": (np.int64(4), np.int64(-3)),
    "vector": (np.array([1.0, -2.0, 3.0]), np.array([-4.0, 0.5, 0.0])),
    "int32 vector": (np.array([3, 0, -1], np.int32), np.array([-5, 2, 1], np.int32)),
    "matrix": (np.array([[1.0, -2.0, 3.0], [0.5, 4.0, -1.0]]),),
    "empty": (np.zeros(0),),
    "one element": (np.array([2.0]), np.array([-1.0])),
    "tensor": (hybrid.asarray([1.0, -2.0, 3.0]), hybrid.asarray([-4.0, 0.5, 0.0])),
    "0-d tensor": (hybrid.asarray(2.5), hybrid.asarray(-1.5)),
}
"""Values in the role of the data. Those of one kind belong to one trace, and between them take both arms of most branches."""

CONSTRUCTS: list[Construct] = []

OUTSIDE = SimpleNamespace()
"""What programs read and write outside of themselves."""


@dataclass(frozen=True)
class Construct:
    """A program of the table; ``section`` is the first line of its file."""

    title: str
    section: str
    function: Callable[[Any], Any]

    @property
    def name(self) -> str:
        return self.function.__name__

    @property
    def text(self) -> str:
        """The program as it is written, without the line that puts it here."""
        lines = inspect.getsource(self.function).splitlines()
        return textwrap.dedent("\n".join(lines[next(i for i, line in enumerate(lines) if line.startswith("def ")) :]))


def construct(title: str) -> Callable[[Callable[[Any], Any]], Callable[[Any], Any]]:
    """Put a function of one argument into the table."""

    def register(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
        section = (inspect.getmodule(function).__doc__ or "").splitlines()[0].rstrip(".")  # type: ignore[union-attr]
        CONSTRUCTS.append(Construct(title, section, function))
        return function

    return register


def set_outside() -> None:
    """Everything outside is as it was before the first program."""
    vars(OUTSIDE).clear()
    vars(OUTSIDE).update(
        count=0,
        limit=1.5,
        log=[],
        table={"a": 1.0, "b": 2.0},
        array=np.array([1.0, 2.0, 3.0]),
        rows=[np.zeros(2), np.ones(2)],
        inner=SimpleNamespace(value=1.0),
    )
