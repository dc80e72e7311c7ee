"""Graphs with control flow, writes and errors, as text, and arguments for them."""

# ruff: noqa: E501
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np


class Program(NamedTuple):
    name: str
    text: str
    arguments: tuple[Any, ...]


def one(name: str, inputs: str, line: str, *arguments: Any) -> Program:
    """A graph of one operation: ``%9`` is its result."""
    return Program(name, f"graph({inputs}):\n  {line}\n  return %9", arguments)


def call(function: str, *arguments: Any, result: str) -> Program:
    kinds = ", ".join(f"%{i}: {type(x).__name__}" for i, x in enumerate(arguments))
    names = ", ".join(f"%{i}" for i in range(len(arguments)))
    line = f"%9: {result} = call_python({names}, function={function!r})"
    return one(f"{function} of {', '.join(map(repr, arguments))}", kinds, line, *arguments)


BIG = 2**62
NUMBERS = [
    call("add", BIG, BIG, result="int"), call("add", BIG, BIG - 1, result="int"), call("sub", -BIG, BIG + 1, result="int"),
    call("mul", 2**40, 2**30, result="int"), call("mul", True, 7, result="int"), call("add", True, True, result="int"),
    call("truediv", 7, 2, result="float"), call("truediv", 1, 0, result="float"), call("truediv", BIG + 1, 3, result="float"),
    call("truediv", 1.0, 0.0, result="float"), call("floordiv", -7, 2, result="int"), call("floordiv", 1, 0, result="int"),
    call("floordiv", -(2**63), -1, result="int"), call("mod", -7, 3, result="int"), call("mod", -(2**63), -1, result="int"),
    call("mod", 5, 0, result="int"), call("mod", -7.5, 2.0, result="float"), call("mod", 7.5, -2.0, result="float"),
    call("floordiv", -7.5, 2.0, result="float"), call("floordiv", 1.0, 0.0, result="float"), call("mod", 4.0, -2.0, result="float"),
    call("pow", 3, 4, result="int"), call("pow", 3, 40, result="int"), call("pow", 2, -1, result="int"), call("pow", 0.0, -1.0, result="float"),
    call("pow", 2.0, 0.5, result="float"), call("pow", 1e200, 2.0, result="float"), call("neg", -(2**63), result="int"),
    call("neg", 5, result="int"), call("abs", -5, result="int"), call("abs", -(2**63), result="int"), call("invert", 6, result="int"),
    call("invert", True, result="int"), call("and_", 12, 10, result="int"), call("xor", True, False, result="bool"),
    call("lshift", 1, 62, result="int"), call("lshift", 1, 63, result="int"), call("lshift", 1, -1, result="int"),
    call("rshift", -5, 1, result="int"), call("rshift", -5, 100, result="int"), call("rshift", 5, -1, result="int"),
    call("lt", 3, 4, result="bool"), call("lt", 2**53 + 1, 9007199254740992.0, result="bool"), call("eq", 1, 1.0, result="bool"),
    call("eq", 1.5 + 2j, 1.5 + 2j, result="bool"), call("not_", 0.0, result="bool"), call("truth", 3, result="bool"),
    call("int", -2.7, result="int"), call("int", float("nan"), result="int"), call("int", 1e30, result="int"), call("float", 3, result="float"),
    call("complex", 1.0, 2.0, result="complex"), call("round", 2.5, result="int"), call("round", -3.5, result="int"),
    call("round", float("inf"), result="int"), call("max", 1.0, float("nan"), result="float"), call("max", float("nan"), 1.0, result="float"),
    call("min", 3, 2, result="int"), call("divmod", 7, -2, result="int, %8: int"), call("choose", True, 1, 2, result="int"),
    call("math.sqrt", 2.0, result="float"), call("math.sqrt", -1.0, result="float"), call("math.log", 0.0, result="float"),
    call("math.exp", 1000.0, result="float"), call("math.exp", float("inf"), result="float"), call("math.floor", -2.5, result="int"),
    call("math.ceil", 2.1, result="int"), call("math.isnan", float("nan"), result="bool"), call("math.atan2", 1.0, -1.0, result="float"),
    call("math.fmod", -7.5, 2.0, result="float"), call("math.fmod", 1.0, 0.0, result="float"), call("math.hypot", 3.0, 4.0, result="float"),
    call("math.gcd", 12, 18, result="int"), call("mul", 1.5 + 1j, 2j, result="complex"), call("truediv", 1j, 0j, result="complex"),
]  # fmt: skip

X = np.arange(12.0).reshape(3, 4)
V = np.array([5, -3, 2, 7, 0])
READS = [
    one("element", "%0: int64[5], %1: int", "%9: int64[] = getitem(%0, %1, index=at[$0,])", V, -2),
    one("element too far", "%0: int64[5], %1: int", "%9: int64[] = getitem(%0, %1, index=at[$0,])", V, 5),
    one("element too far back", "%0: int64[n], %1: int", "%9: int64[] = getitem(%0, %1, index=at[$0,])", V, -6),
    one("column", "%0: float64[n, 4], %1: int", "%9: float64[n] = getitem(%0, %1, index=at[:, $0])", X, -1),
    one("column too far", "%0: float64[n, 4], %1: int", "%9: float64[n] = getitem(%0, %1, index=at[:, $0])", X, 4),
    one("every second, backwards", "%0: float64[3, 4]", "%9: float64[3, 2] = getitem(%0, index=at[::-1, ::2])", X),
    one("new axis", "%0: float64[3, 4]", "%9: float64[3, 1, 4] = getitem(%0, index=at[:, None])", X),
    one("bounds", "%0: int64[5], %1: int", "%9: int64[u0] = getitem(%0, %1, index=at[$0:])", V, 2),
    one("step of 0", "%0: int64[5], %1: int", "%9: int64[u0] = getitem(%0, %1, index=at[::$0])", V, 0),
    one("index array", "%0: float64[3, 4], %1: int64[k]", "%9: float64[k, 4] = getitem(%0, %1, index=at[$0,])", X, np.array([2, -1, 0])),
    one("index array too far", "%0: float64[3, 4], %1: int64[k]", "%9: float64[k, 4] = getitem(%0, %1, index=at[$0,])", X, np.array([2, 3])),
    one("mask", "%0: int64[n], %1: bool[n]", "%9: int64[u0] = getitem(%0, %1, index=at[$0,])", V, V > 1),
]  # fmt: skip

WRITES = [
    one("element", "%0: int64[5], %1: int", "%9: int64[5] = setitem(%0, 8, %1, index=at[$0,])", V, -1),
    one("element too far", "%0: int64[5], %1: int", "%9: int64[5] = setitem(%0, 8, %1, index=at[$0,])", V, 9),
    one("row", "%0: float64[3, 4], %1: float64[m]", "%9: float64[3, 4] = setitem(%0, %1, index=at[1])", X, np.ones(4)),
    one("row that doesn't fit", "%0: float64[3, 4], %1: float64[m]", "%9: float64[3, 4] = setitem(%0, %1, index=at[1])", X, np.ones(3)),
    one("block", "%0: float64[3, 4], %1: int64[2, 1]", "%9: float64[3, 4] = setitem(%0, %1, index=at[1:, ::2])", X, np.array([[1], [2]])),
    one("mask", "%0: int64[n], %1: bool[n]", "%9: int64[n] = setitem(%0, -1, %1, index=at[$0,])", V, V > 1),
    one("places", "%0: int64[n], %1: int64[k]", "%9: int64[n] = setitem(%0, %1, %1, index=at[$0,])", V, np.array([1, 4, 1])),
    one("too large", "%0: int8[2], %1: int", "%9: int8[2] = setitem(%0, %1, index=at[0])", np.zeros(2, "i1"), 300),
]  # fmt: skip

ARRAYS = [
    one("sizes that differ", "%0: float64[n], %1: float64[m]", "%9: float64[n] = add(%0, %1)", np.ones(3), np.ones(4)),
    one("wraps around", "%0: int8[3]", "%9: int8[3] = add(%0, %0)", np.array([100, -100, 5], "i1")),
    one("a number too large", "%0: uint8[2], %1: int", "%9: uint8[2] = add(%0, %1)", np.ones(2, "u1"), 300),
    one("weak float", "%0: float32[2]", "%9: float32[2] = multiply(%0, 0.1)", np.ones(2, "f4")),
    one("divided by 0", "%0: int64[3]", "%9: int64[3] = floor_divide(%0, 0)", np.array([1, 0, -1])),
    one("least by -1", "%0: int64[1]", "%9: int64[1] = floor_divide(%0, -1)", np.array([-(2**63)])),
    one("signed zeros", "%0: float64[4], %1: float64[4]", "%9: float64[4] = maximum(%0, %1)", np.array([-0.0, 0.0, np.nan, 1.0]), np.array([0.0, -0.0, 1.0, np.nan])),
    one("no elements", "%0: float64[n]", "%9: float64[] = max(%0)", np.ones(0)),
    one("matrices that don't fit", "%0: float64[n, m], %1: float64[k, 2]", "%9: float64[n, 2] = matmul(%0, %1)", np.ones((2, 3)), np.ones((4, 2))),
    one("bool", "%0: bool[3]", "%9: bool[3] = logical_not(%0)", np.array([True, False, True])),
    one("transposed", "%0: float64[3, 4]", "%9: float64[4, 3] = matrix_transpose(%0)", X),
]  # fmt: skip

NESTED = """graph(%0: float64[n], %1: int):
  %2: float64[n], %3: int = for_range(0, %1, 1, %0, 0, body=@1, carried=2)
  return %2, %3

graph @1(%0: int, %1: float64[n], %2: int):
  %3: float64[] = getitem(%1, %0, index=at[$0,])
  %4: bool[] = less(%3, 0.0)
  %5: float64[n], %6: int = cond(%4, %1, %0, %2, then=@2, orelse=@3)
  return %5, %6

graph @2(%0: float64[n], %1: int, %2: int):
  %3: float64[n] = setitem(%0, 0.0, %1, index=at[$0,])
  %4: int = call_python(%2, 1, function='add')
  return %3, %4

graph @3(%0: float64[n], %1: int, %2: int):
  return %0, %2
"""
SWAP = """graph(%0: int):
  %1: int, %2: int = while_loop(0, 1, %0, test=@1, body=@2, carried=2)
  return %1, %2

graph @1(%0: int, %1: int, %2: int):
  %3: bool = call_python(%0, %2, function='lt')
  return %3

graph @2(%0: int, %1: int, %2: int):
  %3: int = call_python(%0, %1, function='add')
  return %1, %3
"""
SWAP_ARRAYS = """graph(%0: float64[n], %1: float64[n], %2: int):
  %3: float64[n], %4: float64[n] = for_range(0, %2, 1, %0, %1, body=@1, carried=2)
  return %3, %4

graph @1(%0: int, %1: float64[n], %2: float64[n]):
  %3: float64[n] = setitem(%1, 7.0, index=at[0])
  return %2, %3
"""
GROW = """graph(%0: float64[n], %1: int):
  %2: float64[u0] = for_range(0, %1, 1, %0, body=@1, carried=1)
  %3: float64[] = sum(%2)
  return %2, %3

graph @1(%0: int, %1: float64[m]):
  %2: float64[m + 1] = concat([%1, float64[1](1.0)])
  return %2
"""
RAISE = """graph(%0: int):
  %1: bool = call_python(%0, 3, function='gt')
  %2: int = cond(%1, %0, then=@1, orelse=@2)
  return %2

graph @1(%0: int):
  fail(%0, error='ValueError', message=('bad ',))
  return 0

graph @2(%0: int):
  return %0
"""
OLD_AND_NEW = """graph(%0: float64[n]):
  %1: float64[n] = add(%0, 1.0)
  %2: float64[n] = setitem(%1, 5.0, index=at[0])
  %3: float64[n] = add(%1, %2)
  return %3
"""
OVERLAP = """graph(%0: float64[5]):
  %1: float64[5] = add(%0, 1.0)
  %2: float64[4] = getitem(%1, index=at[:-1])
  %3: float64[5] = setitem(%1, %2, index=at[1:])
  return %3
"""
CONTROL = [
    Program("loop of branches", NESTED, (np.array([1.0, -1.0, 2.0, -3.0]), 4)),
    Program("loop that leaves an array", NESTED, (np.array([1.0, -1.0]), 3)),
    Program("no rounds", NESTED, (np.array([1.0, -1.0]), 0)),
    Program("two that change places", SWAP, (50,)),
    Program("two arrays that change places", SWAP_ARRAYS, (np.zeros(2), np.ones(2), 3)),
    Program("array that grows", GROW, (np.ones(2), 3)),
    Program("exception", RAISE, (5,)),
    Program("no exception", RAISE, (2,)),
    Program("old and new value", OLD_AND_NEW, (np.arange(3.0),)),
    Program("overlapping write", OVERLAP, (np.arange(5.0),)),
]
