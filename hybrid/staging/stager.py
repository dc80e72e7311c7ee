"""The stager: runs each construct of a converted function while it is traced."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FunctionType
from typing import Any, Final

from hybrid.control.branches import go_on, is_option, narrowed, stage_if
from hybrid.control.choice import NOTHING, each, one_of, switch, truth
from hybrid.control.iteration import Jumps, mapped, stage_for, stage_while
from hybrid.control.scope import RAISED, StagedRaise, Variables, together
from hybrid.control.variant import Variant
from hybrid.core.table import OPS
from hybrid.errors import StagingError
from hybrid.frontend.runtime.callees import GENERATED
from hybrid.frontend.runtime.comparisons import COMPARISONS
from hybrid.frontend.runtime.signals import BREAK, CONTINUE, RETURN, Signal
from hybrid.frontend.runtime.undefined import FREE, LOCAL, is_undefined
from hybrid.ir.traced import Number, Traced
from hybrid.staging.attempts import Attempts, Mark
from hybrid.staging.boxes import Boxes, BoxSlot
from hybrid.staging.built_ins import BuiltIns
from hybrid.staging.calls import Calls
from hybrid.staging.draws import Draws
from hybrid.staging.hosts import Hosts
from hybrid.staging.items import Items
from hybrid.staging.iterables import Combined, LazyItems, Staged, StagedRange, elements, staged_iterable
from hybrid.staging.keys import Keys
from hybrid.staging.lists import Lists, Rows
from hybrid.staging.making import ITERATORS
from hybrid.staging.opaque import Opaque
from hybrid.staging.patterns import fits
from hybrid.staging.places import Attributes, Collections
from hybrid.staging.progress import Noted
from hybrid.staging.raising import Raising
from hybrid.staging.recursion import Recursion
from hybrid.staging.seen import example_of
from hybrid.staging.sequences import Sequences
from hybrid.staging.state import Guard, guards_of, read_by
from hybrid.staging.text import Text, Texts, content_of
from hybrid.staging.tracer import FunctionTracer
from hybrid.staging.walkers import Walker

__all__ = ["Stager"]

JUMPS = Jumps(BREAK, CONTINUE)

LEFT: Final = Signal("LEFT")
"""The signal of a loop that was left by its own ``break``, while its ``else`` may break the loop around it."""


class Stager(Attempts, Boxes, BuiltIns, Calls, Draws, Hosts, Items, Keys, Raising, Sequences, Texts):
    """Python's constructs on values that only running tells; on others they mean what they always mean.

    The methods have the names and parameters of the functions of ``hybrid.frontend.runtime``.
    """

    def __init__(self, tracer: FunctionTracer):
        self.tracer = tracer
        tracer.stager = self
        outside = tracer.outside
        self.lists = Lists(tracer)
        self.dicts = Collections(tracer)
        self.attributes = Attributes(tracer.journal, outside.is_shared, outside.is_outside)
        self.handling: list[Any] = []
        self.unsure: set[Any] = set()
        self.settled_before: dict[Any, Any] = {}
        self.world_changed = False
        self.boxes: dict[Any, BoxSlot] = {}
        self.numbers: dict[Any, Any] = {}
        self.entered: dict[int, Any] = {}
        self.recursion = Recursion(self)
        self.progress = Noted(self)
        self.copies = 1

    def enters(self, function: Any) -> None:
        """Take note of a user's function that is called: what it reads from outside is guarded."""
        function = getattr(function, "__func__", function)
        if not function.__code__.co_filename.startswith(GENERATED):
            self.entered.setdefault(id(function), function)
            for value in read_by(function):
                self.tracer.outside.met(value)

    def call_users(self, plain: Any, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A call of a function of the user's."""
        for name, cell in zip(plain.__code__.co_freevars, plain.__closure__ or (), strict=True):
            self._refuse_unsure(name, cell)
        self.enters(plain)
        return self.recursion.call(plain, function, args, kwargs)

    def _refuse_unsure(self, name: str, cell: Any) -> None:
        """A variable around a function that only some paths bind can't be read by the function, which says nothing of it."""
        content = content_of(cell)
        if isinstance(content, Variant) and any(map(is_undefined, content.options)):
            raise content.tag._unknown(f"tell whether {name} is bound, which a function inside reads")

    def case(self, subject: Any, pattern: Any, bind: Any = None, guard: Any = None, state: Any = None) -> Any:
        """Whether a case of ``match`` is taken."""
        if isinstance(subject, Variant):
            return switch(self.tracer, subject, lambda option: self.case(option, pattern, bind, guard, state), _variables(state))
        captures: dict[str, Any] = {}
        taken = fits(self, pattern, subject, captures)

        def bound() -> Any:
            if bind is not None:
                bind(captures)
            return True if guard is None else guard()

        return self.and_(taken, bound, state=state)

    def pending(self) -> list[tuple[Any, Any, Any, Any]]:
        """What must be set in objects after the call: how, whose, what, and the traced value."""
        return [*self.attributes.written(), *self.written_boxes(), *self.dicts.written(), *self.lists.written()]

    def put_back(self) -> None:
        """Undo what tracing did to lists, dicts and sets from outside."""
        self.lists.put_back()
        self.dicts.put_back()
        self.put_back_boxes()

    def ask(self, function: Any, *operands: Any) -> Any:
        """An operator on an object of the run."""
        return self.host(function, operands)

    def truth_of(self, value: Any) -> Any:
        """The truth value of what is neither traced nor a variant."""
        if isinstance(value, Opaque | Text | Traced):
            return self.host(bool, (value,))
        content = self.lists.content(value) if isinstance(value, list) else self.dicts.content(value)
        if content is not None:
            return truth(self.tracer, self.len_(value) != 0)
        for name in ("__bool__", "__len__"):
            method = getattr(type(value), name, None)
            if isinstance(method, FunctionType):
                return self._answered(name, self.call(method, (value,), {}))
        return bool(value)

    def _answered(self, name: str, answer: Any) -> Any:
        """What a user's ``__bool__`` or ``__len__`` says."""
        if name == "__len__":
            return truth(self.tracer, answer != 0)
        kind = self.type_(answer)
        if kind is not bool:
            raise TypeError(f"__bool__ should return bool, returned {full_name(kind)}")
        return answer

    def with_item(self, items: Any, index: Any, value: Any) -> list[Any]:
        """Known items, one of which is replaced at a place that only running tells."""
        place = self._place(items, index, "list assignment index out of range")
        return [one_of(self.tracer, place == i, lambda: value, lambda item=item: item) for i, item in enumerate(items)]

    def _place(self, items: Any, index: Any, message: str) -> Any:
        """A traced index as a number from 0, after a check of its bounds."""
        if isinstance(index, Traced) and index.is_scalar and index.dtype.kind not in "iub"[: 3 if isinstance(index, Number) else 2]:
            raise TypeError(f"{type(items).__name__} indices must be integers or slices, not {full_name(self.type_(index))}")
        number = index if isinstance(index, Number) else self._integer(index)
        if isinstance(number, Number) and number.dtype.kind not in "iub":
            raise TypeError(f"{type(items).__name__} indices must be integers or slices, not {self.type_(number).__name__}")

        def fails() -> None:
            raise IndexError(message)

        place = one_of(self.tracer, number < 0, lambda: number + len(items), lambda: +number)
        is_inside = self.and_(place >= 0, lambda: place < len(items))
        self.if_stmt(is_inside, _nothing, fails, lambda: (), lambda state: None, ())
        return place

    def guards_of_entered(self) -> list[Guard]:
        """That the globals and closures of the functions that were called still hold what they held."""
        return [guard for function in self.entered.values() for guard in guards_of(function, self.boxes.keys() | self.numbers.keys())]

    # -- statements -------------------------------------------------------------------------------------------------
    def if_stmt(self, test: Any, then: Any, orelse: Any, get_state: Any, set_state: Any, names: Any, *, rest: Any = None) -> Any:
        """``if``."""
        decided, variables = truth(self.tracer, test), Variables(get_state, set_state, names)
        if isinstance(decided, Traced):
            return stage_if(self.tracer, decided, then, orelse or _nothing, variables, rest)
        signal = then() if decided else orelse() if orelse is not None else None
        return signal if rest is None else go_on(self.tracer, signal, rest, variables)

    def while_stmt(
        self, first: Any, test: Any, body: Any, get_state: Any, set_state: Any, names: Any, *, orelse: Any = None, rest: Any = None
    ) -> Any:
        """``while``."""
        variables = Variables(get_state, set_state, names)
        known = [first]
        decided = lambda: truth(self.tracer, known.pop() if known else test())  # noqa: E731
        mark = Mark(self.tracer, variables)
        try:
            signal = stage_while(self.tracer, decided, body, variables, JUMPS)
            mark.drop()
        except StagingError:
            mark.undo()
            known.append(first)
            signal = self._unrolled_while(decided, body, variables)
        return self._after_loop(signal, orelse, rest, variables)

    def for_stmt(
        self, iterable: Any, body: Any, get_state: Any, set_state: Any, names: Any, *, orelse: Any = None, rest: Any = None
    ) -> Any:
        """``for``."""
        variables, iterable = Variables(get_state, set_state, names), self.opened(iterable)
        content = self.lists.content(iterable) if isinstance(iterable, list) else iterable
        if isinstance(self.dicts.content(iterable), Opaque):
            content = self.dicts.content(iterable)
        if isinstance(content, Variant) or isinstance(self.dicts.content(iterable), Variant):
            return self._for_each(content, body, variables, orelse, rest)
        staged = staged_iterable(self, iterable)
        if isinstance(iterable, LazyItems):
            variables = together(variables, iterable.variables)
            signal = self._unrolled_for(iterable.taken(), body, variables)
        elif isinstance(iterable, Walker) and isinstance(iterable.position, Traced):
            signal = self._for_walker(iterable, body, variables)
        elif isinstance(iterable, ITERATORS) and self.tracer.outside.is_outside(iterable):
            signal = self._for_object(iterable, body, variables)
        elif isinstance(content, Opaque | Text) or isinstance(iterable, Opaque | Text):
            signal = self._for_object(iterable if content is None else content, body, variables)
        elif staged is None:
            with self._copying(len(iterable) if isinstance(iterable, range) else 1):
                signal = self._unrolled_for(elements(self, iterable), body, variables)
        else:
            signal = self._for(staged, body, variables)
        return self._after_loop(signal, orelse, rest, variables)

    def _for_each(self, content: Any, body: Any, variables: Variables, orelse: Any, rest: Any) -> Any:
        """A loop over one of several things."""

        def loop(option: Any) -> Any:
            items = list(option) if isinstance(option, tuple) else option
            return self.for_stmt(items, body, variables.get, variables.set, variables.names, orelse=orelse, rest=rest)

        options = content.options
        signal = loop(options[-1]) if len(options) == 1 else None
        if len(options) > 1:
            tests = [content.tag == i for i in range(len(options))]

            def at(i: int) -> Any:
                if i == len(options) - 1:
                    return loop(options[i])
                return stage_if(self.tracer, tests[i], lambda: loop(options[i]), lambda: at(i + 1), variables)

            signal = at(0)
        return signal

    def _for_walker(self, walker: Walker, body: Callable[[Any], Any], variables: Variables) -> Any:
        """A loop over the rest of an iterator that has come as far as only running tells."""
        go = lambda: walker.position < len(walker.items)  # noqa: E731
        return stage_while(self.tracer, go, lambda: body(walker.step()), variables, JUMPS)

    def _for_object(self, iterable: Any, body: Callable[[Any], Any], variables: Variables) -> Any:
        """A loop over an object of the run."""
        iterator = self.host(iter, (iterable,))
        item = self.host(next_or_end, (iterator,))
        box = [item]

        def get() -> tuple[Any, ...]:
            return (*variables.get(), box[0])

        def put(state: Any) -> None:
            *outer, box[0] = state
            variables.set(tuple(outer))

        def one_round() -> Any:
            signal = mapped(body(self.host(held_item, (box[0],))), CONTINUE, None)

            def advance() -> None:
                box[0] = self.host(next_or_end, (iterator,))

            return go_on(self.tracer, signal, advance, Variables(get, put, (*variables.names, "item")))

        go = lambda: self.not_(self.host_truth(is_end, box[0]))  # noqa: E731
        return stage_while(self.tracer, go, one_round, Variables(get, put, (*variables.names, "item")), JUMPS)

    def host_truth(self, function: Any, value: Any) -> Any:
        """A question to which Python answers with a bool."""
        return truth(self.tracer, self.host(function, (value,)))

    def _for(self, staged: Staged, body: Callable[[Any], Any], variables: Variables) -> Any:
        mark = Mark(self.tracer, variables)
        try:
            signal = stage_for(self.tracer, staged.bounds, lambda i: body(staged.element(i)), variables, JUMPS)
            mark.drop()
            return signal
        except StagingError:
            if staged.python_length is None:
                mark.drop()
                raise
            mark.undo()
            self.tracer.needed = None
            return self._unrolled_for((staged.element(i) for i in range(*staged.bounds)), body, variables)

    @contextmanager
    def _copying(self, times: int) -> Iterator[None]:
        """A body is written down so many times: loops inside are to know."""
        self.copies *= max(times, 1)
        try:
            yield
        finally:
            self.copies //= max(times, 1)

    def _unrolled_for(self, items: Any, body: Callable[[Any], Any], variables: Variables) -> Any:
        """A loop over known things: one round after the other."""
        iterator = iter(items)

        def rounds() -> Any:
            for item in iterator:
                signal = mapped(body(item), CONTINUE, None)
                if signal is not None:
                    return go_on(self.tracer, signal, rounds, variables)
            return None

        return rounds()

    def _unrolled_while(self, test: Callable[[], Any], body: Callable[[], Any], variables: Variables) -> Any:
        while True:
            go = test()
            if isinstance(go, Traced):
                known = [go]
                return stage_while(self.tracer, lambda known=known: known.pop() if known else test(), body, variables, JUMPS)
            if not go:
                return None
            signal = mapped(body(), CONTINUE, None)
            if signal is not None:
                return go_on(self.tracer, signal, lambda: self._unrolled_while(test, body, variables), variables)

    def _after_loop(self, signal: Any, orelse: Any, rest: Any, variables: Variables) -> Any:
        """The ``else`` of a loop that wasn't left, and what follows the loop."""
        signal = mapped(signal, BREAK, None if orelse is None else LEFT)
        if orelse is not None:
            signal = mapped(go_on(self.tracer, signal, orelse, variables), LEFT, None)
        return signal if rest is None else go_on(self.tracer, signal, rest, variables)

    def result(self, signal: Any, value: Callable[[], Any]) -> Any:
        """What a function returns whose last statement ended with this signal."""
        if isinstance(signal, Variant):
            return switch(self.tracer, signal, lambda option: self.result(option, value))
        if signal is RAISED:
            raise StagedRaise
        return value() if signal is RETURN else None

    def load(self, name: str, value: Any) -> Any:
        """The value of a name that may be unbound on some path."""
        return self._bound(value, lambda: UnboundLocalError(LOCAL.format(name), name=name))

    def load_free(self, name: str, value: Any) -> Any:
        """The same for a name that several functions write."""
        return self._bound(value, lambda: NameError(FREE.format(name), name=name))

    def frame(self, names: dict[str, Any]) -> dict[str, Any]:
        """The local variables of a frame; all of them must be known to be bound or not."""
        for name, value in names.items():
            if isinstance(value, Variant) and any(map(is_undefined, value.options)):
                raise value.tag._unknown(f"tell whether {name} is bound, which locals() shows")
        return names

    def _bound(self, value: Any, problem: Callable[[], Exception]) -> Any:
        if not isinstance(value, Variant) or not any(map(is_undefined, value.options)):
            return value

        def fails() -> None:
            raise problem()

        unbound = next(option for option in value.options if is_undefined(option))
        stage_if(self.tracer, is_option(value, unbound), fails, _nothing, NOTHING)
        return narrowed(value, unbound)

    # -- expressions ------------------------------------------------------------------------------------------------
    def if_exp(self, test: Any, then: Any, orelse: Any, state: Any = None) -> Any:
        """``then if test else orelse``."""
        decided = truth(self.tracer, test)
        if isinstance(decided, Traced):
            return one_of(self.tracer, decided, then, orelse, _variables(state))
        return then() if decided else orelse()

    def and_(self, first: Any, *others: Any, state: Any = None) -> Any:
        """``first and …``."""
        if not others:
            return first
        decided, later = truth(self.tracer, first), lambda: self.and_(others[0](), *others[1:], state=state)
        if isinstance(decided, Traced):
            return one_of(self.tracer, decided, later, lambda: first, _variables(state))
        return later() if decided else first

    def or_(self, first: Any, *others: Any, state: Any = None) -> Any:
        """``first or …``."""
        if not others:
            return first
        decided, later = truth(self.tracer, first), lambda: self.or_(others[0](), *others[1:], state=state)
        if isinstance(decided, Traced):
            return one_of(self.tracer, decided, lambda: first, later, _variables(state))
        return first if decided else later()

    def not_(self, value: Any) -> Any:
        """``not value``."""
        decided = truth(self.tracer, value)
        return OPS["call_python"](decided, function="not_") if isinstance(decided, Traced) else not decided

    def is_(self, left: Any, right: Any) -> Any:
        """``left is right``."""
        if isinstance(left, Opaque) or isinstance(right, Opaque):
            return truth(self.tracer, self.host(operator.is_, (left, right)))
        if left is not right and any(isinstance(x, Number) for x in (left, right)) and all(map(_is_number, (left, right))):
            return self._is_same_number(left, right)
        if isinstance(left, Variant) or isinstance(right, Variant):
            return each(self.tracer, self.is_, left, right)
        self.tracer.is_identity_asked |= isinstance(left, Traced) and isinstance(right, Traced)
        return self._itself(left) is self._itself(right)

    def _itself(self, value: Any) -> Any:
        """The array from outside that a stand-in stands for."""
        owner = self.tracer.outside.owner_of(value) if isinstance(value, Traced) else None
        return value if owner is None else owner

    def _is_same_number(self, left: Any, right: Any) -> Any:
        """Whether two numbers are one object: ``True`` and ``False`` are, of others nobody can tell."""
        kinds = {self.type_(left), self.type_(right)}
        if kinds == {bool}:
            return left == right
        if len(kinds) > 1:
            return False
        raise next(x for x in (left, right) if isinstance(x, Number))._unknown("be compared by identity")

    def is_not(self, left: Any, right: Any) -> Any:
        """``left is not right``."""
        return self.not_(self.is_(left, right))

    def in_(self, item: Any, container: Any) -> Any:
        """``item in container``."""
        if isinstance(item, Variant) or isinstance(container, Variant):
            return each(self.tracer, self.in_, item, container)
        if isinstance(item, Opaque | Text) or isinstance(container, Opaque | Text):
            return truth(self.tracer, self.host(operator.contains, (container, item)))
        if isinstance(container, Number) or (isinstance(container, Traced) and container.is_scalar):
            operator.contains(example_of(container), 0)  # raises as it should
        if isinstance(container, Traced):
            return truth(self.tracer, (container == item).any())
        content = self.lists.content(container) if isinstance(container, list) else self.dicts.content(container)
        return self._in_known(item, container) if content is None else self._in_content(item, container, content)

    def _in_content(self, item: Any, container: Any, content: Any) -> Any:
        """Whether an item is in a container whose content only running tells."""
        if isinstance(content, Variant):
            return each(self.tracer, lambda option: self.in_(item, option), content)
        is_number = isinstance(item, int | float | complex | Traced)
        if isinstance(content, Rows) and is_number and len(content.array.shape) == 1:
            return truth(self.tracer, (content.array == item).any())
        return truth(self.tracer, self.host(operator.contains, (container if isinstance(content, Rows) else content, item)))

    def _in_known(self, item: Any, container: Any) -> Any:
        """Whether an item is in a container whose items are known one by one."""
        method = getattr(type(container), "__contains__", None)
        if isinstance(method, FunctionType):
            return truth(self.tracer, self.call(method, (container, item), {}))
        if isinstance(container, StagedRange | Combined | LazyItems):
            return truth(self.tracer, self.host(operator.contains, (container, item)))
        self.reads_all_of(container)
        if isinstance(container, list | tuple) and self.is_staged((item, container)):
            return self.or_(False, *[lambda other=other: self._same_or_equal(item, other) for other in container])
        if isinstance(item, Traced) and isinstance(container, set | frozenset | range | dict):
            return self.or_(False, *[lambda other=other: self._equal(item, other) for other in container])
        return item in container

    def _same_or_equal(self, item: Any, other: Any) -> Any:
        self.tracer.is_identity_asked |= isinstance(item, Traced)
        if item is other:
            return True
        return truth(self.tracer, item == other)

    def not_in(self, item: Any, container: Any) -> Any:
        """``item not in container``."""
        return self.not_(self.in_(item, container))

    def compare(self, left: Any, *links: Any, state: Any = None) -> Any:
        """A chain of comparisons that has gone so far that ``left`` is what it gave, and ``links[0]`` its last operand."""
        from_here, rest = links[0], links[1:]
        decided = truth(self.tracer, left)
        later = lambda: self._links(from_here, rest, state)  # noqa: E731
        if isinstance(decided, Traced):
            return one_of(self.tracer, decided, later, lambda: left, _variables(state))
        return later() if decided else left

    def _links(self, left: Any, links: Any, state: Any) -> Any:
        """The rest of a chain, from its next comparison on."""
        right = links[1]()
        value = COMPARISONS[links[0]](left, right)
        return self.compare(value, right, *links[2:], state=state) if len(links) > 2 else value

    def _equal(self, a: Any, b: Any) -> Any:
        return truth(self.tracer, a == b) if isinstance(b, int | float | complex | Traced) else False


END: Final = object()


class _Next:
    """An item of an object of the run, or its end."""

    __slots__ = ("item",)

    def __init__(self, item: Any):
        self.item = item


def full_name(kind: type) -> str:
    """The name of a class as Python's messages have it."""
    return f"numpy.{kind.__name__}" if kind.__module__ == "numpy" else kind.__name__


def next_or_end(iterator: Any) -> _Next:
    """The next item, wrapped."""
    return _Next(next(iterator, END))


def is_end(found: _Next) -> bool:
    """Whether there was no further item."""
    return found.item is END


def held_item(found: _Next) -> Any:
    """The item."""
    return found.item


def _variables(state: Any) -> Variables:
    return NOTHING if state is None else Variables(*state)


def _is_number(value: Any) -> bool:
    """Whether the function sees a Python number."""
    return isinstance(value, Number) or type(value) in (bool, int, float, complex)


def _nothing() -> None:
    return None
