"""What happens in place, as text."""

from __future__ import annotations

from typing import Any

import pytest
from backends.programs import NESTED, OLD_AND_NEW, OVERLAP, SWAP_ARRAYS

import hybrid.control  # noqa: F401 - fills the table
from hybrid.ir.parser import parse
from hybrid.passes.buffers import plan_buffers

CASES: list[tuple[str, str, list[bool], str]] = [
    ("a loop over an argument copies once", NESTED, [False, False],
     "0 for_range: copies operand 0 before\n  2 cond: nothing\n    0 setitem: in place"),
    ("a loop over an argument given up copies nothing", NESTED, [True, False],
     "0 for_range: nothing\n  2 cond: nothing\n    0 setitem: in place"),
    ("the old value is still needed", OLD_AND_NEW, [False], "1 setitem: copy"),
    ("a view that is written over becomes a copy", OVERLAP, [False], "2 setitem: in place"),
    ("arrays that change places", SWAP_ARRAYS, [False, False, False],
     "0 for_range: copies operand 0 before, copies operand 1 before\n  0 setitem: in place"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "owned", "want"), [pytest.param(*case[1:], id=case[0]) for case in CASES])
def test_plan(text: str, owned: list[bool], want: str) -> None:
    def is_slice(node: Any) -> bool:
        return node.op.name == "getitem" and bool(node.outputs[0].spec.shape)

    graph = parse(text)
    assert plan_buffers(graph, owned, is_slice).text(graph) == want
