"""Bad arguments for every operation: a right result or a clear refusal, nothing changed, nothing crashed."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from conformance.cases import OPERATIONS
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from robustness.calls import bad_call, fault, kernel_of
from robustness.eager import (
    IN_PLACE,
    METHODS,
    OPERATORS,
    bad_item,
    bad_item_assignment,
    bad_method,
    bad_operator,
    call_method,
    on_arrays,
    set_item,
)

FEW = settings(max_examples=8, derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck))
SEEDS = st.integers(0, 2**32)
WITH_SHAPES = [op for op in OPERATIONS if op.dtypes or any(sample.dtypes for sample in op.samples)]

pytestmark = pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")


@pytest.mark.parametrize("op", WITH_SHAPES, ids=lambda op: op.name)
@FEW
@given(seed=SEEDS)
def test_operation_refuses_or_is_right(op: Any, seed: int) -> None:
    call = bad_call(Random(seed).choice, op)
    assert not fault(call, op, kernel_of(op), op.mutates), call


@pytest.mark.parametrize("name", METHODS)
@FEW
@given(seed=SEEDS)
def test_method_refuses_or_is_right(name: str, seed: int) -> None:
    call = bad_method(Random(seed).choice, name)
    function = call_method(name)
    assert not fault(call, function, on_arrays(function), name in IN_PLACE)


@pytest.mark.parametrize("name", OPERATORS)
@FEW
@given(seed=SEEDS)
def test_operator_refuses_or_is_right(name: str, seed: int) -> None:
    call = bad_operator(Random(seed).choice, name)
    assert not fault(call, OPERATORS[name], on_arrays(OPERATORS[name]), name.startswith("i"))


@FEW
@given(seed=SEEDS)
def test_item_refuses_or_is_right(seed: int) -> None:
    pick = Random(seed).choice
    assert not fault(bad_item(pick), lambda x, key: x[key], on_arrays(lambda x, key: x[key]), False)
    assert not fault(bad_item_assignment(pick), set_item, on_arrays(set_item), True)
