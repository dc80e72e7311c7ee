"""How Python values are made of what a run computes: results of functions, what is written into objects, exceptions, arguments."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import CellType, FunctionType, MethodType
from typing import Any

import numpy as np

from hybrid._util.tracebacks import Place, traceback_of
from hybrid._util.undefined import Undefined
from hybrid.control.failure import formatted
from hybrid.control.host import held
from hybrid.core.tensor import wrap
from hybrid.frontend.runtime.undefined import FREE

__all__ = [
    "Argument",
    "Bound",
    "Called",
    "Changes",
    "Closure",
    "Container",
    "Copied",
    "Held",
    "Instance",
    "Items",
    "Known",
    "Missing",
    "OneOf",
    "Output",
    "Pairs",
    "Part",
    "Problem",
    "RowItems",
    "Run",
    "Thrown",
    "Write",
    "Written",
]


@dataclass
class Run:
    """What parts are made of.

    Attributes:
        values: the results of the graph.
        arguments: the leaves of the arguments that are inputs of the graph.
        containers: the lists, dicts and objects among the arguments.
        made: what was made already, by the identity of its part, so that one object stays one.
    """

    values: Sequence[Any]
    arguments: Sequence[Any] = ()
    containers: Sequence[Any] = ()
    made: dict[int, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Write:
    """Something to be set after the call: ``put(owner, name, content)``."""

    put: Callable[[Any, Any, Any], None]
    owner: Part
    name: Any
    content: Part


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Changes:
    """What a function has changed.

    Attributes:
        arrays: the numbers of the inputs that were written into, and of the outputs that are their new values.
        writes: what is set in objects.
    """

    arrays: tuple[tuple[int, int], ...]
    writes: tuple[Write, ...]

    def carry_out(self, run: Run, inputs: Sequence[Any], result: Part | None = None) -> Any:
        """Change it, after the result was made; the result."""
        for position, output in self.arrays:
            new = run.values[output]
            if inputs[position] is not new:
                inputs[position][...] = new
        contents = [write.content.make(run) for write in self.writes]
        made = None if result is None else result.make(run)
        for write, content in zip(self.writes, contents, strict=True):
            write.put(write.owner.make(run), write.name, content)
        return made

    def __repr__(self) -> str:
        names = [f"argument {i}" for i, _ in self.arrays] + [str(write.name or "items") for write in self.writes]
        return f"<{', '.join(names)}>"


class Part:
    """One value to be made."""

    def make(self, run: Run) -> Any:
        """The value, the same one each time it is asked for in one run."""
        if id(self) not in run.made:
            self.create(run)
        return run.made[id(self)]

    def create(self, run: Run) -> None:
        """Put the value into ``run.made``; a container before its items, which may contain it."""
        run.made[id(self)] = self.value(run)

    def value(self, run: Run) -> Any:
        """The value of a part that can't contain itself."""
        raise NotImplementedError(type(self))


@dataclass(eq=False)
class Known(Part):
    """Something that is the same in each run."""

    constant: Any

    def value(self, run: Run) -> Any:
        return self.constant


@dataclass(eq=False)
class Missing(Part):
    """An attribute that isn't there, or a name with nothing bound to it, which only a function inside reads."""

    mark: Undefined

    def value(self, run: Run) -> Any:
        if self.mark.name.isidentifier():
            raise NameError(FREE.format(self.mark.name), name=self.mark.name)
        return self.mark


@dataclass(eq=False)
class Output(Part):
    """A number or array that the graph computes."""

    position: int
    is_tensor: bool
    is_array: bool

    def value(self, run: Run) -> Any:
        value = run.values[self.position]
        if self.is_array and isinstance(value, np.generic):
            value = np.asarray(value)
        return wrap(value) if self.is_tensor else value


@dataclass(eq=False)
class Argument(Part):
    """An array that is an argument."""

    position: int

    def value(self, run: Run) -> Any:
        return run.arguments[self.position]


@dataclass(eq=False)
class Container(Part):
    """A list, dict or object that is, or is in, an argument."""

    position: int

    def value(self, run: Run) -> Any:
        return run.containers[self.position]


@dataclass(eq=False)
class Held(Part):
    """An object that a call of Python gave."""

    position: int

    def value(self, run: Run) -> Any:
        return held(run.values[self.position])


@dataclass(eq=False)
class Copied(Part):
    """A mutable object that code outside made while the function was traced: a new copy for each run."""

    example: Any

    def value(self, run: Run) -> Any:
        return copy.deepcopy(self.example)


@dataclass(eq=False)
class OneOf(Part):
    """One of several parts; a number tells which."""

    tag: Part
    options: tuple[Part, ...]

    def value(self, run: Run) -> Any:
        return self.options[self.tag.make(run)].make(run)


@dataclass(eq=False)
class Items(Part):
    """A list, tuple or set."""

    kind: type
    parts: tuple[Part, ...]

    def create(self, run: Run) -> None:
        if issubclass(self.kind, list):
            run.made[id(self)] = made = self.kind.__new__(self.kind)
            made.extend(part.make(run) for part in self.parts)
            return
        items = [part.make(run) for part in self.parts]
        run.made[id(self)] = self.kind(*items) if hasattr(self.kind, "_fields") else self.kind(items)


@dataclass(eq=False)
class Pairs(Part):
    """A dict; ``empty`` makes one of its kind."""

    empty: Callable[[], Any]
    parts: tuple[tuple[Part, Part], ...]

    def create(self, run: Run) -> None:
        run.made[id(self)] = made = self.empty()
        for key, item in self.parts:
            made[key.make(run)] = item.make(run)


@dataclass(eq=False)
class RowItems(Part):
    """A list of the rows of an array."""

    array: Part
    is_number: bool
    is_scalar: bool
    is_tensor: bool

    def value(self, run: Run) -> Any:
        array = self.array.make(run)
        if self.is_number:
            return array.tolist()
        rows = [row if self.is_scalar else np.array(row) for row in array]
        return [wrap(row) for row in rows] if self.is_tensor else rows


@dataclass(eq=False)
class Written(Part):
    """A text with values in it."""

    pieces: tuple[Any, ...]

    def value(self, run: Run) -> Any:
        return "".join(piece if isinstance(piece, str) else formatted(piece[0].make(run), *piece[1:]) for piece in self.pieces)


@dataclass(eq=False)
class Instance(Part):
    """An object with attributes, made without running its ``__init__``."""

    kind: type
    attributes: tuple[tuple[str, Part], ...]

    def create(self, run: Run) -> None:
        run.made[id(self)] = made = self.kind.__new__(self.kind) if self.kind.__new__ is object.__new__ else object.__new__(self.kind)
        for name, part in self.attributes:
            value = part.make(run)
            if not isinstance(value, Undefined):
                object.__setattr__(made, name, value)


@dataclass(eq=False)
class Cell(Part):
    """A variable of a function around others; ``None`` for one without a value."""

    content: Part | None = None

    def create(self, run: Run) -> None:
        run.made[id(self)] = made = CellType()
        if self.content is not None:
            made.cell_contents = self.content.make(run)


@dataclass(eq=False)
class Closure(Part):
    """A function with variables around it and defaults of its own."""

    example: FunctionType
    cells: tuple[Cell, ...] = ()
    defaults: Part | None = None
    keyword_defaults: Part | None = None

    def create(self, run: Run) -> None:
        like = self.example
        cells = tuple(cell.make(run) for cell in self.cells)
        run.made[id(self)] = made = FunctionType(like.__code__, like.__globals__, like.__name__, None, cells or None)
        made.__defaults__ = self.defaults.make(run) if self.defaults else None
        made.__kwdefaults__ = self.keyword_defaults.make(run) if self.keyword_defaults else None
        made.__qualname__, made.__module__, made.__doc__ = like.__qualname__, like.__module__, like.__doc__
        made.__dict__.update({name: value for name, value in vars(like).items() if not name.startswith("__hybrid")})


@dataclass(eq=False)
class Bound(Part):
    """A bound method."""

    function: Part
    owner: Part

    def value(self, run: Run) -> Any:
        return MethodType(self.function.make(run), self.owner.make(run))


@dataclass(eq=False)
class Called(Part):
    """What a function gives for arguments: a range, a partial function."""

    function: Callable[..., Any]
    parts: tuple[Part, ...]
    keywords: tuple[tuple[str, Part], ...] = ()

    def value(self, run: Run) -> Any:
        return self.function(*(part.make(run) for part in self.parts), **{name: part.make(run) for name, part in self.keywords})


@dataclass(eq=False)
class Thrown(Part):
    """An exception that a function raises, after everything else that it does, and the lines of its traceback."""

    problem: Part
    places: tuple[Place, ...] = ()

    def value(self, run: Run) -> Any:
        made = self.problem.make(run)
        made.__traceback__ = traceback_of(self.places)
        return made


@dataclass(eq=False)
class Problem(Part):
    """An exception, and the exceptions that led to it."""

    kind: type[BaseException]
    arguments: tuple[Part, ...]
    attributes: tuple[tuple[str, Part], ...]
    cause: Part | None
    context: Part | None
    suppresses: bool

    def create(self, run: Run) -> None:
        values = [part.make(run) for part in self.arguments]
        run.made[id(self)] = made = self.kind.__new__(self.kind, *values)
        if not isinstance(made, BaseExceptionGroup):
            made.args = tuple(values)
        for name, part in self.attributes:
            setattr(made, name, part.make(run))
        made.__cause__ = self.cause.make(run) if self.cause else None
        made.__context__ = self.context.make(run) if self.context else None
        made.__suppress_context__ = self.suppresses

    def __str__(self) -> str:
        return self.kind.__name__
