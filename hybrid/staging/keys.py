"""Keys of dicts and items of sets that only running tells: the container becomes an object of the run."""

from __future__ import annotations

from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any, Final

from hybrid.errors import StagingError
from hybrid.ir.traced import Traced
from hybrid.staging.lists import is_value
from hybrid.staging.pure import flatten_deep

__all__ = ["Keys"]

CONSTANTS: Final = (FunctionType, BuiltinFunctionType, ModuleType, type, range, frozenset)


class Keys:
    """The part of the stager that knows which keys can be known."""

    tracer: Any
    lists: Any
    dicts: Any

    def known_key(self, owner: Any, key: Any, *items: Any) -> None:
        """See to it that a container can be asked for a key, or be given it with other items.

        A number among the arguments becomes a constant of the trace; what was computed from arrays can't.
        """
        if self.dicts.content(owner) is not None or not self.is_run_time_key(key):
            return
        for item in (*items, *(owner.values() if isinstance(owner, dict) else ())):
            self._release_deeply(item)
        self.dicts.as_object(owner)

    def is_run_time_key(self, key: Any) -> bool:
        """Whether a key was computed from arrays; refuses one that must become a constant."""
        count = len(self.tracer.refused)
        try:
            hash(key)
        except StagingError:
            if not any(self._comes_from_arrays(leaf) for leaf in flatten_deep(key) if isinstance(leaf, Traced)):
                raise
            del self.tracer.refused[count:]
            self.tracer.needed = None
            return True
        return False

    def _comes_from_arrays(self, value: Traced) -> bool:
        inputs = self.tracer.root.inputs
        return any(inputs[i].spec.shape for i in self.tracer.roots(value.value))

    def _release_deeply(self, item: Any) -> None:
        """Make lists, dicts and sets objects of the run, so that they stay themselves where others hold them."""
        if is_value(item) or isinstance(item, CONSTANTS):
            return
        if not isinstance(item, list | dict | set | tuple):
            raise StagingError(f"wanted numbers, arrays or texts beside keys that only running tells, received {item!r}")
        content = self.lists.content(item) if isinstance(item, list) else self.dicts.content(item)
        if content is None:
            for inner in item.values() if isinstance(item, dict) else item:
                self._release_deeply(inner)
        if not isinstance(item, tuple):
            self._release(item)  # type: ignore[attr-defined]
