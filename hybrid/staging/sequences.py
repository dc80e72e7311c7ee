"""Sums, repetitions and comparisons of lists and tuples, some of whose items or lengths only running tells."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

from hybrid.control.choice import each, truth
from hybrid.control.variant import Variant
from hybrid.core.table import OPS
from hybrid.ir.traced import Number, Traced
from hybrid.staging.lists import Rows
from hybrid.staging.opaque import Opaque
from hybrid.staging.text import Text

__all__ = ["Sequences"]


class Sequences:
    """The part of the stager that has the operators of lists and tuples."""

    tracer: Any
    lists: Any
    dicts: Any

    def plus(self, left: Any, right: Any) -> Any:
        """``left + right``, where ``left`` is a list."""
        contents = [self.lists.content(x) for x in (left, right)]
        if contents == [None, None]:
            return left + right
        if isinstance(right, Variant):
            return each(self.tracer, lambda option: self.plus(left, option), right)
        if not isinstance(right, list):
            return self._rows_of_list(left, contents[0]) + right
        made: list[Any] = []
        self.lists.become(made, tuple(left) if contents[0] is None else contents[0])
        self.lists.change(made, "extend", right)
        return made

    def _rows_of_list(self, owner: Any, content: Any) -> Any:
        """What an operator of something else is given for a list."""
        return content.array if isinstance(content, Rows) else content if isinstance(content, Opaque) else owner

    def times(self, left: Any, right: Any) -> Any:
        """``left * right``, where one of them is a list, a tuple or a text."""
        items, count = (left, right) if isinstance(left, list | tuple | str) else (right, left)
        if isinstance(count, Variant):
            return each(self.tracer, lambda option: self.times(items, option), count)
        if isinstance(count, Traced) and count.is_scalar and count.dtype.kind not in "iu" and not isinstance(count, Number):
            items * count.dtype.type(0)  # raises as it should
        if isinstance(count, Traced) and not isinstance(count, Number) and (not count.is_scalar or count.dtype.kind not in "iu"):
            return self._rows_of_list(left, self.lists.content(left)) * self._rows_of_list(right, self.lists.content(right))
        content = self.lists.content(items) if isinstance(items, list) else None
        if isinstance(count, Traced):
            return self._repeated(items, content, self._integer_count(items, count))
        if content is None or not isinstance(count, int):
            return left * right
        return self._repeated(items, content, count)

    def _integer_count(self, items: Any, count: Traced) -> Any:
        """How often to repeat, as a number from 0."""
        if count.dtype.kind not in "iub":
            items * count.dtype.type(0).item()  # raises as it should
        number = self.number("int")(count)  # type: ignore[attr-defined]
        return self.extreme("max", number, 0)  # type: ignore[attr-defined]

    def _repeated(self, items: Any, content: Any, count: Any) -> Any:
        if isinstance(content, Variant):
            return each(self.tracer, lambda option: self._repeated(items, option, count), content)
        if isinstance(content, Opaque) or isinstance(items, str):
            return self.host(operator.mul, (items if content is None else content, count))  # type: ignore[attr-defined]
        known = tuple(items) if content is None else content
        if isinstance(items, tuple) or (isinstance(known, tuple) and not Rows.can_hold(known)):
            return items * operator.index(count)  # how long it is must be known
        rows = known if isinstance(known, Rows) else Rows.of(known, known[0])
        ones = (1,) * (len(rows.array.shape) - 1)
        made: list[Any] = []
        self.lists.become(made, rows.with_array(OPS["tile"](rows.array, (count, *ones))))
        return made

    def compared(self, operation: Callable[[Any, Any], Any], left: Any, right: Any) -> Any:
        """A comparison of two lists, tuples, dicts or sets."""
        contents = [self.lists.content(x) if isinstance(x, list) else self.dicts.content(x) for x in (left, right)]
        if contents != [None, None]:
            return truth(self.tracer, self.host(operation, (left, right)))  # type: ignore[attr-defined]
        kind = list if isinstance(left, list) else tuple
        are_sequences = type(left) is type(right) is kind
        if not are_sequences or not self.is_staged((left, right)):  # type: ignore[attr-defined]
            return operation(left, right)
        if operation in (operator.eq, operator.ne) and len(left) != len(right):
            return operation is operator.ne
        return self._first_difference(operation, left, right, 0)

    def _first_difference(self, operation: Callable[[Any, Any], Any], left: Sequence[Any], right: Sequence[Any], i: int) -> Any:
        """Sequences compare as their first items do that aren't equal."""
        if i == min(len(left), len(right)):
            return operation(len(left), len(right))
        is_same = left[i] is right[i] or truth(self.tracer, self._items_compared(operator.eq, left[i], right[i]))
        decides = lambda: self._difference(operation, left[i], right[i])  # noqa: E731
        return self.if_exp(is_same, lambda: self._first_difference(operation, left, right, i + 1), decides)  # type: ignore[attr-defined]

    def _difference(self, operation: Callable[[Any, Any], Any], a: Any, b: Any) -> Any:
        """What the first items that aren't equal say; of all others nobody asks whether they are."""
        return operation is operator.ne if operation in (operator.eq, operator.ne) else self._items_compared(operation, a, b)

    def _items_compared(self, operation: Callable[[Any, Any], Any], a: Any, b: Any) -> Any:
        if isinstance(a, Variant) or isinstance(b, Variant):
            return each(self.tracer, lambda x, y: self._items_compared(operation, x, y), a, b)
        if isinstance(a, Text) or isinstance(b, Text):
            return self.host(operation, (a, b))  # type: ignore[attr-defined]
        if isinstance(a, list | tuple) and isinstance(b, list | tuple):
            return self.compared(operation, a, b)
        return operation(a, b)
