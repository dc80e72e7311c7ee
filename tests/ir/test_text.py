"""Graphs as text: printing, reading back, and the checker of what was read."""

from __future__ import annotations

import numpy as np
import pytest

import hybrid  # noqa: F401 - fills the table
from hybrid.core.op import Op
from hybrid.core.spec import Spec
from hybrid.core.table import OPS
from hybrid.ir.graph import Const, Graph, Node, Value
from hybrid.ir.interpret import interpret
from hybrid.ir.parser import parse
from hybrid.ir.trace import trace
from hybrid.ir.verify import InvalidGraph, verify

TEXTS = [
    "graph():\n  return 1, 2.5, True, complex(-0.0, nan), -inf, float32[](0.5)",
    "graph(%0: float64[]):\n  return %0",
    "graph(%0: float):\n  return %0",
    "graph(%0: float64[n], %1: float64[n]):\n  %2: float64[n] = add(%0, %1)\n  return %2",
    "graph(%0: complex64[2, 2*n + 1]):\n  %1: complex64[2, 2*n + 1] = add(%0, complex(0.0, 1.0))\n  return %1",
    "graph(%0: float64[3]):\n  %1: float64[] = sum(%0, axis=(0,))\n  %2: float64[1] = sum(%0, axis=0, keepdims=True)\n  return %1, %2",
    "graph(%0: float64[3, 4]):\n  %1: float64[2] = getitem(%0, 1, index=at[0:3:2, $0])\n  return %1",
    "graph(%0: float64[3, 4]):\n  %1: float64[3, 1] = getitem(%0, index=(..., None, -1))\n  return %1",
    "graph(%0: float64[n], %1: float64[2]):\n  %2: float64[n + 2] = concat([%0, %1])\n  return %2",
    "graph(%0: float64[3]):\n  %1: int64[u0] = flatnonzero(%0)\n  return %1",
    "graph(%0: int8[3]):\n  %1: float32[3] = astype(%0, dtype=float32)\n  return %1",
    "graph():\n  %0: int64[0] = zeros(shape=(0,), dtype=int64)\n  return %0, bool[2](True, False), int64[0, 3]()",
]


@pytest.mark.parametrize("text", TEXTS)
def test_text_is_read_back_the_same(text: str) -> None:
    graph = verify(parse(text))
    assert graph.text() == text
    assert str(graph) == text


@pytest.mark.parametrize("dtype", ["bool", "i1", "u8", "f2", "f4", "f8", "c8", "c16"])
def test_constants_keep_every_bit(dtype: str) -> None:
    values = np.arange(-10, 10).astype(dtype).reshape(4, 5)
    if values.dtype.kind in "fc":
        values[0, :3] = [-0.0, np.inf, np.nan]
    for array in (values, values[:1, :3], values[1, 2]):
        read = parse(Graph((), (), (Const(array.copy()),)).text()).outputs[0].value
        assert np.asarray(read).tobytes() == np.ascontiguousarray(array).tobytes() and read.dtype == array.dtype


def test_large_constants_are_abbreviated_for_people() -> None:
    graph = Graph((), (), (Const(np.arange(100.0)),))
    assert str(graph) == "graph():\n  return float64[100](…)"
    np.testing.assert_array_equal(parse(graph.text()).outputs[0].value, np.arange(100.0))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "graph(%0: float64[3]):",
        "graph(%0: float64[3]):\n  return %1",
        "graph(%0: float64[3]):\n  %1: float64[3] = no_such_operation(%0)\n  return %1",
        "graph(%0: float64[3]):\n  %1: float64[3] = add(%0, 1.0, colour=3)\n  return %1",
        "graph(%0: text[3]):\n  return %0",
        "graph(%0: float64[3]):\n  %1: float64[3] = add(%0, __import__('os'))\n  return %1",
        "graph(%0: float64[3]):\n  %1: float64[3] = add(%0, float64[2]('AAAA'))\n  return %1",
        "graph(%0: float64[3]):\n  give back %0",
    ],
)
def test_what_is_no_graph_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"received|can't read"):
        parse(text)


def broken_graphs() -> dict[str, Graph]:
    x, y, z = (Value(Spec.parse("f64[3]")) for _ in range(3))
    other = Value(Spec.parse("f32[3]"))
    add, total = OPS["add"], OPS["sum"]
    stranger = Op(lambda x, /: x, infer=lambda x: x, samples=[], name="stranger")
    return {
        "before it is defined": Graph((x,), (Node(add, (x, z), (), (y,)),), (y,)),
        "nothing defines": Graph((x,), (), (y,)),
        "defined twice": Graph((x,), (Node(add, (x, x), (), (x,)),), (x,)),
        "its rule gives": Graph((x,), (Node(add, (x, x), (), (other,)),), (other,)),
        "wanted": Graph((x,), (Node(total, (x,), (("axis", 0),), (y,)),), (y,)),
        "isn't in the table": Graph((x,), (Node(stranger, (x,), (), (y,)),), (y,)),
    }


@pytest.mark.parametrize("message", broken_graphs())
def test_broken_graphs_are_found(message: str) -> None:
    with pytest.raises(InvalidGraph, match=message):
        verify(broken_graphs()[message])


def test_interpreting_checks_its_arguments() -> None:
    graph = trace(lambda x, y: x + y, "f64[n]", "f64[n]")
    np.testing.assert_array_equal(interpret(graph, np.ones(2), np.ones(2))[0], [2.0, 2.0])
    with pytest.raises(ValueError, match="wanted float64\\[n\\] for argument 1, received float64\\[3\\]"):
        interpret(graph, np.ones(2), np.ones(3))
    with pytest.raises(TypeError, match="wanted float64\\[n\\] for argument 0, received float32\\[2\\]"):
        interpret(graph, np.ones(2, "f4"), np.ones(2))
    with pytest.raises(TypeError, match="wanted 2 arguments, received 1"):
        interpret(graph, np.ones(2))
