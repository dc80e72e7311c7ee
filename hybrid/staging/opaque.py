"""Python objects that only exist while the function runs: whatever is done with them is a call of Python then."""

from __future__ import annotations

import builtins
import operator
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

from hybrid._util.tree import Leaf
from hybrid._util.unpacking import unpacker, wanted_count

__all__ = ["Method", "Opaque"]


def _asked(function: Callable[..., Any], is_reflected: bool = False) -> Callable[..., Any]:
    def method(self: Opaque, *others: Any) -> Any:
        return Opaque.ask(function, *others, self) if is_reflected else Opaque.ask(function, self, *others)

    return method


@dataclass(frozen=True, eq=False, repr=False)
class Opaque:
    """An object of the run.

    Attributes:
        handle: a traced integer, its number.
        source: what was called to get it.
        kind: its class, where that is known.
        ask: calls a Python function on run-time values; set by ``hybrid.staging.hosts``.
    """

    handle: Any
    source: str = "a call"
    kind: type | None = field(default=None, metadata={"static": True})
    ask: ClassVar[Callable[..., Any]]
    __array_ufunc__: ClassVar[None] = None
    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return "<an object of the run>"

    def __bool__(self) -> bool:
        raise self._unknown("decide a Python branch")

    def __index__(self) -> int:
        raise self._unknown("be a Python index")

    def __iter__(self) -> Any:
        count = wanted_count()
        if count is None:
            raise self._unknown("be iterated over by code that isn't converted")
        items = Opaque.ask(unpacker(count), self)
        return iter([Opaque.ask(operator.getitem, items, i) for i in range(count)])

    def __len__(self) -> int:
        raise self._unknown("have a known length")

    def _unknown(self, what: str) -> Exception:
        error = self.handle._unknown(what)
        error.args = (
            f"the result of {self.source} is a Python object, which isn't known while tracing: it can't {what}; "
            f"state what it returns: hybrid.py_function({self.source}, result=...), where result is an example such as 1.0 or np.zeros(3)",
        )
        return error

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Opaque.ask(builtins.getattr, self, name)


@dataclass(frozen=True, eq=False)
class Method(Leaf):
    """A method of an object of the run whose class is known.

    Attributes:
        owner: the object.
        name: the method's.
    """

    owner: Opaque
    name: str


_BINARY = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor", "lshift", "rshift")
for _name in _BINARY:
    _function = getattr(operator, _name if hasattr(operator, _name) else f"{_name}_")
    setattr(Opaque, f"__{_name}__", _asked(_function))
    setattr(Opaque, f"__r{_name}__", _asked(_function, True))
for _name in ("eq", "ne", "lt", "le", "gt", "ge", "neg", "pos", "abs", "invert", "getitem"):
    setattr(Opaque, f"__{_name}__", _asked(getattr(operator, _name)))
Opaque.__divmod__ = _asked(builtins.divmod)
