"""The shape-and-dtype rule of every operation says what its kernel does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hybrid  # noqa: F401 - fills the table
from conformance.cases import OPERATIONS, Case, cases_of, specs_of
from hybrid.core.dim import Undecided, evaluate, symbols_of
from hybrid.core.spec import Spec

SIZES = {f"n{n}": n for n in range(100)}

NEEDS_NUMBERS: set[str] = {"cross"}
"""Operations whose rule refuses some sample when sizes are symbols: what they do depends on the numbers."""


@pytest.mark.parametrize("op", OPERATIONS, ids=lambda op: op.name)
def test_rule_agrees_with_kernel(op: Any) -> None:
    assert op.samples, "an operation without samples"
    faults = [text for case in cases_of(op) if (text := fault(case, case.run()))]
    assert not faults, f"{len(faults)} cases: " + "\n".join(faults[:10])


@pytest.mark.parametrize("op", OPERATIONS, ids=lambda op: op.name)
def test_rule_with_symbols_agrees_with_kernel(op: Any) -> None:
    faults, undecided = [], False
    for case in cases_of(op):
        if not isinstance(want := case.run(), Exception):
            try:
                inferred = op.infer(*specs_of(case.tensors(), symbolic=True), **case.attrs)
            except Undecided:
                undecided = True
                continue
            faults += [f"{case}: {text}" for text in [mismatch(want, inferred)] if text]
    assert not faults, f"{len(faults)} cases: " + "\n".join(faults[:10])
    assert undecided == (op.name in NEEDS_NUMBERS)


def fault(case: Case, want: Any) -> str:
    """How the rule disagrees with what the kernel gave, if it does."""
    try:
        inferred = case.op.infer(*specs_of(case.tensors()), **case.attrs)
    except Exception as error:
        return (
            "" if isinstance(want, Exception) and isinstance(error, kind_of(want)) else f"{case}: want {want!r:.200}, rule raised {error!r}"
        )
    if isinstance(want, Exception):
        return "" if isinstance(want, np.linalg.LinAlgError) else f"{case}: want {want!r}, rule gave {inferred}"
    text = mismatch(want, inferred)
    return f"{case}: {text}" if text else ""


def kind_of(error: Exception) -> type:
    return next(c for c in (TypeError, IndexError, ValueError, OverflowError, Exception) if isinstance(error, c))


def mismatch(want: Any, inferred: Any) -> str:
    wants = list(want) if isinstance(want, tuple | list) else [want]
    specs = list(inferred) if isinstance(inferred, tuple | list) else [inferred]
    if isinstance(want, tuple | list) != isinstance(inferred, tuple | list) or len(wants) != len(specs):
        return f"want {len(wants)} results, rule gave {inferred}"
    return "; ".join(text for w, s in zip(wants, specs, strict=True) if (text := one_mismatch(np.asarray(w), s)))


def one_mismatch(want: np.ndarray, spec: Spec) -> str:
    dims = [evaluate(d, SIZES) for d in spec.shape]
    sizes_agree = want.ndim == spec.ndim and all(
        d == n or any(s.startswith("?") for s in symbols_of(d)) for d, n in zip(dims, want.shape, strict=True)
    )
    return "" if sizes_agree and want.dtype == spec.dtype else f"want {want.dtype}{want.shape}, rule gave {spec}"
