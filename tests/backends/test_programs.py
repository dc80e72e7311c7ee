"""Compiled graphs give what the interpreter gives: values, dtypes, kinds, exceptions; and leave their arguments alone."""

from __future__ import annotations

import traceback
from typing import Any

import numpy as np
import pytest
from backends.programs import ARRAYS, CONTROL, NUMBERS, READS, WRITES, Program

import hybrid.control  # noqa: F401 - fills the table
from hybrid.backends import compile
from hybrid.ir.interpret import interpret
from hybrid.ir.parser import parse

TABLES = {"number": NUMBERS, "read": READS, "write": WRITES, "array": ARRAYS, "control": CONTROL}


def outcome(run: Any, arguments: tuple[Any, ...]) -> Any:
    try:
        with np.errstate(all="ignore"):
            return run(*arguments)
    except Exception as error:
        return type(error), error.args


@pytest.mark.parametrize("program", [pytest.param(p, id=f"{kind}: {p.name}") for kind, table in TABLES.items() for p in table])
@pytest.mark.parametrize("back_end", ["numba", "interpreter"])
def test_compiled_does_what_the_interpreter_does(program: Program, back_end: str) -> None:
    graph = parse(program.text.replace("return %9", "return %9, %8") if "%8:" in program.text else program.text)
    arguments = [x.copy() if isinstance(x, np.ndarray) else x for x in program.arguments]
    want = outcome(lambda *xs: interpret(graph, *xs), program.arguments)
    got = outcome(compile(graph, back_end=back_end), tuple(arguments))
    if back_end == "numba" and is_too_large(want):
        want = (OverflowError, got[1])
    assert len(got) == len(want), (got, want)
    for g, w in zip(got, want, strict=True):
        assert type(g) is type(w), (got, want)
        if isinstance(w, np.ndarray | np.generic | bool | int | float | complex):
            np.testing.assert_array_equal(g, w)
            assert np.asarray(g).dtype == np.asarray(w).dtype
            if np.asarray(w).dtype.kind in "fc":
                assert np.array_equal(np.signbit(np.real(g)), np.signbit(np.real(w)))
        else:
            assert g == w
    for given, used in zip(program.arguments, arguments, strict=True):
        np.testing.assert_array_equal(given, used)


def is_too_large(want: Any) -> bool:
    """Native code refuses Python integers beyond 64 bits."""
    return len(want) == 1 and type(want[0]) is int and not -(2**63) <= want[0] < 2**63


def test_an_error_names_the_users_line() -> None:
    from hybrid._util.source import Location
    from hybrid.ir.graph import Graph, Node

    graph = parse("graph(%0: int):\n  %1: int = call_python(1, %0, function='floordiv')\n  return %1")
    node = graph.nodes[0]
    placed = Graph(graph.inputs, (Node(node.op, node.operands, node.attrs, node.outputs, Location("user.py", 12)),), graph.outputs)
    with pytest.raises(ZeroDivisionError) as caught:
        compile(placed, back_end="numba")(0)
    assert [(entry.filename, entry.lineno) for entry in traceback.extract_tb(caught.value.__traceback__)][-1] == ("user.py", 12)


WRITE = "graph(%0: float64[n], %1: int):\n  %2: float64[n] = setitem(%0, 9.0, %1, index=at[$0,])\n  return %2"


@pytest.mark.parametrize("back_end", ["numba", "interpreter"])
@pytest.mark.parametrize("stride", [1, 2, -1])
def test_outputs_go_into_arguments(back_end: str, stride: int) -> None:
    x = np.arange(6.0)[::stride]
    (out,) = compile(parse(WRITE), in_place={0: 0}, back_end=back_end)(x, 1)
    assert out is x and x[1] == 9.0


@pytest.mark.parametrize("program", [pytest.param(p, id=p.name) for p in WRITES])
def test_writes_reach_the_argument(program: Program) -> None:
    """Whether native code writes there itself, or a kernel changes a copy."""
    graph, given = parse(program.text), [x.copy() if isinstance(x, np.ndarray) else x for x in program.arguments]
    want = outcome(lambda *xs: interpret(graph, *xs), program.arguments)
    got = outcome(compile(graph, in_place={0: 0}, back_end="numba"), tuple(given))
    if isinstance(want[0], type):
        assert got == want
    else:
        assert got[0] is given[0]
        np.testing.assert_array_equal(given[0], want[0])


@pytest.mark.parametrize("arguments", [(np.ones(3, "f4"), 1), (np.ones((3, 1)), 1), (np.ones(3), 1.0), (np.ones(3),)])
def test_arguments_that_do_not_fit_are_refused(arguments: tuple[Any, ...]) -> None:
    with pytest.raises(TypeError):
        compile(parse(WRITE), back_end="numba")(*arguments)


def test_the_source_is_readable() -> None:
    graph = parse("graph(%0: float64[n]):\n  %1: float64[n] = add(%0, 1.0)\n  %2: float64[n] = multiply(%1, %0)\n  return %2")
    made = compile(graph, name="scale", back_end="numba")
    assert made.source.split("\n", 4)[4] == (
        "    multiply_1 = empty_float64_1((x0.shape[0],))\n"
        "    for i_2 in range(x0.shape[0]):\n"
        "        add_3 = x0[i_2] + 1.0\n"
        "        multiply_1[i_2] = add_3 * x0[i_2]\n"
        "    return (True, multiply_1)\n"
    )
    assert made.fallbacks == ()


def test_what_has_no_native_code_runs_through_its_kernel() -> None:
    made = compile(parse("graph(%0: float64[n]):\n  %1: float64[n] = unwrap(%0)\n  return %1"), back_end="numba")
    assert made.fallbacks == ("unwrap",)
    np.testing.assert_array_equal(made(np.array([0.0, 7.0]))[0], np.unwrap([0.0, 7.0]))
