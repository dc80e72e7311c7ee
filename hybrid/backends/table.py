"""The table of back ends: each is a module with ``compile_graph``, imported when it is first wanted."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Final

from hybrid.backends.executable import Executable, Options
from hybrid.config import config
from hybrid.ir.graph import Graph

__all__ = ["BACK_ENDS", "compile", "default_back_end"]

BACK_ENDS: Final = {"numba": "hybrid.backends.numba", "interpreter": "hybrid.backends.interpreter"}
"""The name of each back end, and its module."""


def default_back_end() -> str:
    """``"numba"``, or ``"interpreter"`` where Numba is missing or ``hybrid.config(jit=False)``."""
    return "numba" if config().jit and find_spec("numba") is not None else "interpreter"


def compile(
    graph: Graph,
    *,
    name: str = "f",
    in_place: Mapping[int, int] | None = None,
    options: Options | None = None,
    back_end: str | None = None,
) -> Executable:
    """Make a graph callable.

    Args:
        graph: what to compute.
        name: what the generated function is called.
        in_place: outputs that are written into the memory of arguments: the number of the output → the number of the argument.
        options: see ``Options``.
        back_end: a name of the table; without one, what ``default_back_end`` says.

    Returns:
        An executable that gives what ``hybrid.ir.interpret.interpret`` gives for the graph, except that for an output in
        ``in_place`` the argument itself comes out, changed.

    >>> from hybrid.ir.parser import parse
    >>> double = compile(parse("graph(%0: float64[n]):\\n  %1: float64[n] = add(%0, %0)\\n  return %1"))
    >>> double(np.array([1.0, 2.5]))
    (array([2., 5.]),)
    """
    module = import_module(BACK_ENDS[back_end or default_back_end()])
    return module.compile_graph(graph, name, dict(in_place or {}), options or Options())
