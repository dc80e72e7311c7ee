"""What the identities make of graphs, as text; that results stay the same is seen in all tests of compiled functions."""

from __future__ import annotations

from textwrap import dedent

import numpy as np
import pytest

import hybrid.control  # noqa: F401 — branches and loops
from hybrid.ir.interpret import interpret
from hybrid.ir.parser import parse
from hybrid.ir.verify import verify
from hybrid.passes.simplify import RULES, simplify

X = np.array([1.0, -2.0, 4.0])
CASES = {
    "an array written as a whole": (
        "graph(%0: float64[3], %1: float64[3]):\n  %2: float64[3] = setitem(%0, %1, index=at[:,])\n  return %2",
        "graph(%0: float64[3], %1: float64[3]):\n  return %1",
    ),
    "what was written is read": (
        """
        graph(%0: float64[3], %1: float64[], %2: int):
          %3: float64[3] = setitem(%0, %1, %2, index=at[$0,])
          %4: float64[] = getitem(%3, %2, index=at[$0,])
          return %3, %4
        """,
        "graph(%0: float64[3], %1: float64[], %2: int):\n  %3: float64[3] = setitem(%0, %1, %2, index=at[$0,])\n  return %3, %1",
    ),
    "what was read is written, and again": (
        """
        graph(%0: float64[3, 3], %1: int, %2: float64[3]):
          %3: float64[3] = getitem(%0, %1, index=at[$0,])
          %4: float64[3, 3] = setitem(%0, %3, %1, index=at[$0,])
          %5: float64[3, 3] = setitem(%4, %2, %1, index=at[$0,])
          %6: float64[3, 3] = setitem(%5, %2, %1, index=at[$0,])
          return %6
        """,
        """
        graph(%0: float64[3, 3], %1: int, %2: float64[3]):
          %3: float64[3] = getitem(%0, %1, index=at[$0,])
          %4: float64[3, 3] = setitem(%0, %2, %1, index=at[$0,])
          return %4
        """,
    ),
    "a loop that carries what nobody asks for, and what stays the same": (
        """
        graph(%0: int, %1: float64[3], %2: float64[3]):
          %3: int, %4: float64[3], %5: float64[3], %6: float64[3] = for_range(0, %0, 1, 7, %1, %2, %2, body=@1, carried=4)
          return %4, %6

        graph @1(%0: int, %1: int, %2: float64[3], %3: float64[3], %4: float64[3]):
          %5: float64[3] = add(%2, %4)
          %6: float64[3] = multiply(%3, %3)
          return %0, %5, %6, %4
        """,
        """
        graph(%0: int, %1: float64[3], %2: float64[3]):
          %3: float64[3] = for_range(0, %0, 1, %1, %2, body=@1, carried=1)
          return %3, %2

        graph @1(%0: int, %1: float64[3], %2: float64[3]):
          %3: float64[3] = add(%1, %2)
          return %3
        """,
    ),
    "a value that is carried since another one needs it": (
        """
        graph(%0: int, %1: float64[], %2: float64[]):
          %3: bool = call_python(%0, 5, function='lt')
          %4: bool, %5: float64[], %6: float64[] = while_loop(%3, %1, %2, test=@1, body=@2, carried=3)
          return %6

        graph @1(%0: bool, %1: float64[], %2: float64[]):
          return %0

        graph @2(%0: bool, %1: float64[], %2: float64[]):
          %3: float64[] = add(%1, 1.0)
          %4: float64[] = add(%2, %1)
          %5: bool[] = less(%3, 4.0)
          %6: bool = item(%5)
          return %6, %3, %4
        """,
        None,
    ),
    "a branch of which one result is wanted": (
        """
        graph(%0: bool, %1: float64[3], %2: float64[3]):
          %3: float64[3], %4: float64[3], %5: float64[3] = cond(%0, %1, %2, then=@1, orelse=@2)
          return %3, %5

        graph @1(%0: float64[3], %1: float64[3]):
          %2: float64[3] = exp(%1)
          return %0, %2, %0

        graph @2(%0: float64[3], %1: float64[3]):
          %2: float64[3] = negative(%0)
          return %2, %1, %0
        """,
        """
        graph(%0: bool, %1: float64[3], %2: float64[3]):
          %3: float64[3] = cond(%0, %1, then=@1, orelse=@2)
          return %3, %1

        graph @1(%0: float64[3]):
          return %0

        graph @2(%0: float64[3]):
          %1: float64[3] = negative(%0)
          return %1
        """,
    ),
    "a read that may fail stays": (
        "graph(%0: float64[3], %1: int):\n  %2: float64[] = getitem(%0, %1, index=at[$0,])\n  return %0",
        "graph(%0: float64[3], %1: int):\n  %2: float64[] = getitem(%0, %1, index=at[$0,])\n  return %0",
    ),
    "places that an array of indices names twice": (
        """
        graph(%0: float64[3], %1: float64[2], %2: int64[2]):
          %3: float64[3] = setitem(%0, %1, %2, index=at[$0,])
          %4: float64[2] = getitem(%3, %2, index=at[$0,])
          return %4
        """,
        None,
    ),
}
GIVEN = {
    "bool": True,
    "int": 2,
    "float64[3]": X,
    "float64[3, 3]": np.eye(3),
    "float64[]": np.float64(2.5),
    "float64[2]": X[:2],
    "int64[2]": np.array([1, 1]),
}


@pytest.mark.parametrize("case", CASES)
def test_identities(case: str) -> None:
    given, wanted = (dedent(text).strip() if text else None for text in CASES[case])
    given = str(parse(given))
    graph = parse(given)
    simple = verify(simplify(graph))
    assert str(simple) == (wanted or given)
    arguments = [GIVEN[str(value.spec)] for value in graph.inputs]
    for a, b in zip(interpret(graph, *arguments), interpret(simple, *arguments), strict=True):
        np.testing.assert_array_equal(a, b)


def test_each_identity_says_what_it_is() -> None:
    assert all(rule.__doc__ for rule in RULES)
