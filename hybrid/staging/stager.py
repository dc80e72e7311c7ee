"""The stager: runs each construct of a converted function while it is traced."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from hybrid.control.branches import is_option, narrowed, stage_if
from hybrid.control.choice import NOTHING, each, one_of, switch, truth, without_undefined
from hybrid.control.iteration import Jumps, follow, mapped, stage_for, stage_while
from hybrid.control.scope import RAISED, StagedRaise, Variables
from hybrid.control.variant import Variant
from hybrid.core.table import OPS
from hybrid.errors import StagingError
from hybrid.frontend.runtime.callees import GENERATED
from hybrid.frontend.runtime.comparisons import COMPARISONS
from hybrid.frontend.runtime.signals import BREAK, CONTINUE, RETURN
from hybrid.frontend.runtime.undefined import LOCAL, is_undefined
from hybrid.ir.traced import Traced
from hybrid.staging.attempts import Attempts
from hybrid.staging.calls import Calls
from hybrid.staging.items import Items
from hybrid.staging.iterables import Staged, elements, staged_iterable
from hybrid.staging.lists import Lists
from hybrid.staging.patterns import fits
from hybrid.staging.recursion import Recursion
from hybrid.staging.state import Attributes, Guard, guards_of, read_by
from hybrid.staging.text import Texts
from hybrid.staging.tracer import FunctionTracer

__all__ = ["Stager"]

JUMPS = Jumps(BREAK, CONTINUE)


class Stager(Attempts, Calls, Items, Texts):
    """Python's constructs on values that only running tells; on others they mean what they always mean.

    The methods have the names and parameters of the functions of ``hybrid.frontend.runtime``.
    """

    def __init__(self, tracer: FunctionTracer):
        self.tracer = tracer
        self.lists = Lists(tracer)
        self.attributes = Attributes(tracer.journal, getattr, setattr)
        self.dicts = Attributes(tracer.journal, operator.getitem, operator.setitem)
        self.entered: dict[int, Any] = {}
        self.recursion = Recursion(self)

    def enters(self, function: Any) -> None:
        """Take note of a user's function that is called: what it reads from outside is guarded."""
        function = getattr(function, "__func__", function)
        if not function.__code__.co_filename.startswith(GENERATED):
            self.entered.setdefault(id(function), function)
            for value in read_by(function):
                self.tracer.outside.met(value)

    def call_users(self, plain: Any, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A call of a function of the user's."""
        self.enters(plain)
        return self.recursion.call(plain, function, args, kwargs)

    def case(self, subject: Any, pattern: Any, bind: Any = None, guard: Any = None, state: Any = None) -> Any:
        """Whether a case of ``match`` is taken."""
        captures: dict[str, Any] = {}
        taken = fits(self, pattern, subject, captures)

        def bound() -> Any:
            if bind is not None:
                bind(captures)
            return True if guard is None else guard()

        return self.and_(taken, bound, state=state)

    def pending(self) -> list[tuple[Any, Any, Any, Any]]:
        """What must be set in objects after the call: how, whose, what, and the traced value."""
        return [*self.attributes.written(), *self.dicts.written(), *self.lists.written()]

    def settled(self, value: Any) -> Any:
        """A result without what only the stager knows: texts are refused, lists of unknown length become arrays' rows."""
        if isinstance(value, list | tuple) and not hasattr(value, "_fields"):
            return type(value)(map(self.settled, value))
        if isinstance(value, dict):
            return {key: self.settled(item) for key, item in value.items()}
        return without_undefined(value)

    def guards_of_entered(self) -> list[Guard]:
        """That the globals and closures of the functions that were called still hold what they held."""
        return [guard for function in self.entered.values() for guard in guards_of(function)]

    # -- statements -------------------------------------------------------------------------------------------------
    def if_stmt(self, test: Any, then: Any, orelse: Any, get_state: Any, set_state: Any, names: Any, *, rest: Any = None) -> Any:
        """``if``."""
        decided, variables = truth(self.tracer, test), Variables(get_state, set_state, names)
        if isinstance(decided, Traced):
            return stage_if(self.tracer, decided, then, orelse or _nothing, variables, rest)
        signal = then() if decided else orelse() if orelse is not None else None
        return signal if rest is None else follow(self.tracer, signal, rest, variables)

    def while_stmt(
        self, first: Any, test: Any, body: Any, get_state: Any, set_state: Any, names: Any, *, orelse: Any = None, rest: Any = None
    ) -> Any:
        """``while``."""
        variables = Variables(get_state, set_state, names)
        known = [first]
        decided = lambda: truth(self.tracer, known.pop() if known else test())  # noqa: E731
        try:
            signal = stage_while(self.tracer, decided, body, variables, JUMPS)
        except StagingError:
            signal = self._unrolled_while(decided, body, variables)
        return self._after_loop(signal, orelse, rest, variables)

    def for_stmt(
        self, iterable: Any, body: Any, get_state: Any, set_state: Any, names: Any, *, orelse: Any = None, rest: Any = None
    ) -> Any:
        """``for``."""
        variables = Variables(get_state, set_state, names)
        staged = staged_iterable(self, iterable)
        if staged is None:
            signal = self._unrolled_for(elements(self, iterable), body, variables)
        else:
            signal = self._for(staged, body, variables)
        return self._after_loop(signal, orelse, rest, variables)

    def _for(self, staged: Staged, body: Callable[[Any], Any], variables: Variables) -> Any:
        try:
            return stage_for(self.tracer, staged.bounds, lambda i: body(staged.element(i)), variables, JUMPS)
        except StagingError:
            if staged.python_length is None:
                raise
            return self._unrolled_for((staged.element(i) for i in range(*staged.bounds)), body, variables)

    def _unrolled_for(self, items: Any, body: Callable[[Any], Any], variables: Variables) -> Any:
        """A loop over known things: one round after the other."""
        iterator = iter(items)

        def rounds() -> Any:
            for item in iterator:
                signal = mapped(body(item), CONTINUE, None)
                if signal is not None:
                    return follow(self.tracer, signal, rounds, variables)
            return None

        return rounds()

    def _unrolled_while(self, test: Callable[[], Any], body: Callable[[], Any], variables: Variables) -> Any:
        while True:
            go = test()
            if isinstance(go, Traced):
                return stage_while(self.tracer, lambda: go, body, variables, JUMPS)
            if not go:
                return None
            signal = mapped(body(), CONTINUE, None)
            if signal is not None:
                return follow(self.tracer, signal, lambda: self._unrolled_while(test, body, variables), variables)

    def _after_loop(self, signal: Any, orelse: Any, rest: Any, variables: Variables) -> Any:
        """The ``else`` of a loop that wasn't left, and what follows the loop."""
        if orelse is not None:
            signal = follow(self.tracer, signal, orelse, variables)
        signal = mapped(signal, BREAK, None)
        return signal if rest is None else follow(self.tracer, signal, rest, variables)

    def result(self, signal: Any, value: Callable[[], Any]) -> Any:
        """What a function returns whose last statement ended with this signal."""
        if isinstance(signal, Variant):
            return switch(self.tracer, signal, lambda option: self.result(option, value))
        if signal is RAISED:
            raise StagedRaise
        return value() if signal is RETURN else None

    def load(self, name: str, value: Any) -> Any:
        """The value of a name that may be unbound on some path."""
        if not isinstance(value, Variant) or not any(map(is_undefined, value.options)):
            return value

        def fails() -> None:
            raise UnboundLocalError(LOCAL.format(name), name=name)

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
        decided, go_on = truth(self.tracer, first), lambda: self.and_(others[0](), *others[1:], state=state)
        if isinstance(decided, Traced):
            return one_of(self.tracer, decided, go_on, lambda: first, _variables(state))
        return go_on() if decided else first

    def or_(self, first: Any, *others: Any, state: Any = None) -> Any:
        """``first or …``."""
        if not others:
            return first
        decided, go_on = truth(self.tracer, first), lambda: self.or_(others[0](), *others[1:], state=state)
        if isinstance(decided, Traced):
            return one_of(self.tracer, decided, lambda: first, go_on, _variables(state))
        return first if decided else go_on()

    def not_(self, value: Any) -> Any:
        """``not value``."""
        decided = truth(self.tracer, value)
        return OPS["call_python"](decided, function="not_") if isinstance(decided, Traced) else not decided

    def is_(self, left: Any, right: Any) -> Any:
        """``left is right``."""
        if isinstance(left, Variant) or isinstance(right, Variant):
            return each(self.tracer, self.is_, left, right)
        return left is right

    def is_not(self, left: Any, right: Any) -> Any:
        """``left is not right``."""
        return self.not_(self.is_(left, right))

    def in_(self, item: Any, container: Any) -> Any:
        """``item in container``."""
        if isinstance(item, Variant) or isinstance(container, Variant):
            return each(self.tracer, self.in_, item, container)
        if isinstance(container, Traced):
            return self.truth_of_any(container == item)
        if isinstance(item, Traced) and isinstance(container, list | tuple | set | frozenset | range | dict):
            return self.or_(False, *[lambda other=other: self._equal(item, other) for other in container])
        return item in container

    def not_in(self, item: Any, container: Any) -> Any:
        """``item not in container``."""
        return self.not_(self.in_(item, container))

    def compare(self, left: Any, *links: Any, state: Any = None) -> Any:
        """A chain of comparisons that has gone so far that ``left`` is what it gave, and ``links[0]`` its last operand."""
        from_here, rest = links[0], links[1:]
        decided = truth(self.tracer, left)
        go_on = lambda: self._links(from_here, rest, state)  # noqa: E731
        if isinstance(decided, Traced):
            return one_of(self.tracer, decided, go_on, lambda: left, _variables(state))
        return go_on() if decided else left

    def _links(self, left: Any, links: Any, state: Any) -> Any:
        """The rest of a chain, from its next comparison on."""
        right = links[1]()
        value = COMPARISONS[links[0]](left, right)
        return self.compare(value, right, *links[2:], state=state) if len(links) > 2 else value

    def _equal(self, a: Any, b: Any) -> Any:
        return truth(self.tracer, a == b) if isinstance(b, int | float | complex | Traced) else False


def _variables(state: Any) -> Variables:
    return NOTHING if state is None else Variables(*state)


def _nothing() -> None:
    return None
