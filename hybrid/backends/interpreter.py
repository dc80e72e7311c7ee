"""The back end without native code: graphs are interpreted."""

from __future__ import annotations

from typing import Any

import numpy as np

from hybrid.backends.executable import Executable, Options
from hybrid.ir.graph import Graph
from hybrid.ir.interpret import interpret

__all__ = ["compile_graph"]


def compile_graph(graph: Graph, name: str, in_place: dict[int, int], options: Options) -> Executable:
    """The graph interpreted at each call; outputs that go into arguments are written there at the end."""

    def call(*arrays: Any) -> tuple[Any, ...]:
        outputs = list(interpret(graph, *arrays))
        copies = {o: np.array(outputs[o], copy=True) for o in in_place}
        for o, i in in_place.items():
            arrays[i][...] = copies[o]
            outputs[o] = arrays[i]
        return tuple(outputs)

    return Executable(call, str(graph))
