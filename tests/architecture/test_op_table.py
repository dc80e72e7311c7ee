"""The table of operations has no hidden gaps: what is empty stands in ``empty_slots.txt``."""

from __future__ import annotations

from typing import Any

import pytest
from architecture.empty_slots import FILE, report
from conformance.cases import OPERATIONS

import hybrid  # noqa: F401 - fills the table
from hybrid.core.op import Op
from hybrid.core.table import NUMPY


@pytest.mark.parametrize("op", OPERATIONS, ids=lambda op: op.name)
def test_operation_is_complete(op: Any) -> None:
    assert isinstance(op, Op) and callable(op.infer), "no shape-and-dtype rule"
    assert op.samples, "no samples"
    assert ">>> " in (op.__doc__ or ""), "no docstring with an example"
    assert not (op.vjp_rule and op.no_gradient), "a gradient, and a reason why there is none"


def test_every_numpy_function_leads_to_an_operation() -> None:
    for op in OPERATIONS:
        assert all(function in NUMPY for function in op.numpy), op


def test_empty_slots_are_listed() -> None:
    assert FILE.read_text() == report(), "the list of empty slots is out of date: python tests/architecture/empty_slots.py"
