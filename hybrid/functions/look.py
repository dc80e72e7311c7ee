"""What ``f.trace(...)`` gives: one trace of a compiled function, to be looked at and to be run step by step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Protocol

from hybrid.backends import Executable, compile
from hybrid.functions.trace import Specialisation
from hybrid.functions.watch import Watched, watching
from hybrid.ir.graph import Graph

__all__ = ["Trace"]


class Traced(Protocol):
    """The function that was traced, as its traces know it."""

    __name__: str
    python_function: Callable[..., Any]

    @property
    def converted(self) -> str: ...

    def _inputs_for(self, trace: Specialisation, args: Any, kwargs: Any) -> tuple[list[Any], list[Any], dict[str, int]]: ...


class Trace:
    """A compiled function for arguments of one kind.

    It has the picture of its graph in notebooks.

    >>> f = hybrid.function(lambda x: x * 2 + 1)
    >>> print(f.trace(np.ones(3)).graph)
    graph(%0: float64[3]):
      %1: float64[3] = multiply(%0, 2)
      %2: float64[3] = add(%1, 1)
      return %2
    """

    __slots__ = ("_function", "_specialisation")

    def __init__(self, function: Traced, specialisation: Specialisation):
        self._function, self._specialisation = function, specialisation

    @property
    def graph(self) -> Graph:
        """The typed graph: ``print`` it for its text; a notebook draws it. Its inputs are the arguments, then what is read from outside."""
        return self._specialisation.graph

    @property
    def converted(self) -> str:
        """The Python that the function was rewritten to before it was traced."""
        return self._function.converted

    @property
    def code(self) -> str:
        """The source of the native function, written for Numba; the text of the graph where that is interpreted."""
        return self._specialisation.executable.source

    @property
    def executable(self) -> Executable:
        """What the back end made of the graph."""
        return self._specialisation.executable

    @property
    def takes_for_granted(self) -> list[str]:
        """What was read from outside and is constant in this trace; it is checked at each call."""
        return [guard.what for guard in self._specialisation.guards]

    def run(
        self,
        *args: Any,
        watch: str | int | Callable[[Any], Any] | Sequence[str | int | Callable[[Any], Any]] = (),
        report: Callable[[Watched], Any] = print,
        **kwargs: Any,
    ) -> Any:
        """Call the function by interpreting the graph, and show values on the way.

        Args:
            args, kwargs: arguments of the kind that the trace is for.
            watch: what to show whenever it is computed: a value of the graph (``"%3"``, ``"@1%2"`` for one in the graph ``@1``), a
                parameter or variable of the function by its name, a line of its source by its number, a function that gets an operation
                of the graph and tells whether to show its results, or a sequence of these.
            report: what to do with each value that is shown; ``print``, or for example the ``append`` of a list.

        Returns:
            What the function returns.

        Raises:
            ValueError: for something to watch that isn't there.
            TypeError: for arguments of another kind.
            RuntimeError: if something outside, which the trace takes for granted, has changed.

        >>> trace = hybrid.function(lambda x, k: x * k + 1).trace(2, 3)
        >>> print(trace.graph)
        graph(%0: int, %1: int):
          %2: int = call_python(%0, %1, function='mul')
          %3: int = call_python(%2, 1, function='add')
          return %3
        >>> trace.run(5, 3, watch=["k", "%2"])
        k (%1): int = 3
        %2: int = 15...
        16
        """
        inputs, containers, places = self._function._inputs_for(self._specialisation, args, kwargs)
        interpreted = compile(self.graph, in_place=self._specialisation.in_place, back_end="interpreter")
        run = replace(self._specialisation, executable=interpreted, shortcut=None)
        wanted = (watch,) if isinstance(watch, str | int) or callable(watch) else tuple(watch)
        with watching(self.graph, self._function.python_function, places, wanted, report):
            return run.run(inputs, containers)

    def _repr_html_(self) -> str:
        return self.graph._repr_html_()

    def __repr__(self) -> str:
        return f"<trace of {self._function.__name__}: {self.graph!r}>"
