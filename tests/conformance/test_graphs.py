"""Every sample of every operation, traced: the graph is valid, reads back from its text, and interprets to what the kernel gives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hybrid  # noqa: F401 - fills the table
from conformance.cases import OPERATIONS, Case, cases_of, flat, map_tree, specs_of
from hybrid.core.dim import Undecided
from hybrid.ir.interpret import interpret
from hybrid.ir.parser import parse
from hybrid.ir.trace import trace
from hybrid.ir.verify import verify


@pytest.mark.parametrize("op", OPERATIONS, ids=lambda op: op.name)
def test_traced_and_interpreted_equals_kernel(op: Any) -> None:
    for case in cases_of(op, every_pair=False):
        want = case.run()
        if not isinstance(want, Exception):
            check_graph(case, want, symbolic=False)
            check_graph(case, want, symbolic=True)


def check_graph(case: Case, want: Any, symbolic: bool) -> None:
    tensors = case.tensors()
    try:
        graph = trace(lambda *arrays: called(case, arrays), *flat(specs_of(tensors, symbolic)))
    except Undecided:
        assert symbolic, f"{case}: sizes are known, but the rule needed one"
        return
    text = graph.text()
    again = verify(parse(text))
    assert again.text() == text, f"{case}: the text isn't read back the same"
    with np.errstate(all="ignore"):
        got = interpret(again, *flat(tensors))
    wants = list(want) if isinstance(want, tuple | list) else [want]
    assert len(got) == len(wants), f"{case}: {len(got)} results, want {len(wants)}"
    for w, g in zip(wants, got, strict=True):
        assert (np.asarray(g).dtype, np.shape(g)) == (np.asarray(w).dtype, np.shape(w)), f"{case}: got {g!r}, want {w!r}"
        np.testing.assert_array_equal(g, w, err_msg=str(case))


def called(case: Case, arrays: tuple[Any, ...]) -> Any:
    """Call the operation with stand-ins in the places of its tensors; one that mutates changes the first of them."""
    remaining = list(arrays)
    tensors = map_tree(lambda _: remaining.pop(0), case.tensors())
    names = dict(zip(case.op.tensors, tensors, strict=False)) if not case.op.variadic else {}
    keyword_only = {n: v for n, v in names.items() if n in case.op.keywords}
    positional = [t for n, t in names.items() if n not in keyword_only] if names else tensors
    result = case.op(*positional, **keyword_only, **case.sample.attrs)
    return None if case.op.mutates else result
