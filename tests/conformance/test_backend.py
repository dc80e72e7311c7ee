"""Every sample of every operation, compiled: what comes out is what the kernel gives."""

from __future__ import annotations

import os
from functools import cache
from typing import Any

import numpy as np
import pytest

import hybrid.control  # noqa: F401 - fills the table
from conformance.cases import OPERATIONS, Case, cases_of, flat, specs_of
from conformance.test_graphs import called
from hybrid.backends import compile
from hybrid.core.dim import Undecided
from hybrid.core.table import OPS
from hybrid.ir.trace import trace

EVERYTHING = bool(os.environ.get("EVERY_DTYPE"))
"""Try every sample with every dtype; otherwise a few that stand for the others."""

FEW = 3
CHUNK = 5 if not EVERYTHING else 1
"""Operations compiled together."""

NAMES = [op.name for op in OPERATIONS]
ROUNDED = {"rtol": 1e-14, "atol": 0.0}
"""Functions that Python's ``math`` and NumPy compute by different libraries differ in the last bits."""

LOOSE = {np.dtype("float32"): 3e-6, np.dtype("complex64"): 3e-6, np.dtype("float16"): 2e-3}
HAS_NO_VALUE = {"empty", "empty_like"}


@cache
def wanted_cases(name: str) -> tuple[tuple[Case, Any], ...]:
    """The cases of an operation that the kernel doesn't refuse, with its results."""
    if OPS[name].effects:
        return ()
    cases = list(cases_of(OPS[name]))
    chosen = cases if EVERYTHING else [*preferred(cases, "float64"), *preferred(cases[::-1], "int32"), *cases[::-1]][: 2 * FEW]
    runs = [(case, case.run()) for case in {str(c): c for c in chosen}.values()]
    return tuple((case, want) for case, want in runs if not isinstance(want, Exception))[: None if EVERYTHING else FEW]


def preferred(cases: list[Case], dtype: str) -> list[Case]:
    return [case for case in cases if all(d.name == dtype for d in case.dtypes)][:2]


def split(cases: list[Any]) -> list[list[Any]]:
    """Cases that are compiled together: large programs take more than their share of time."""
    return [cases[i : i + 16] for i in range(0, len(cases), 16)]


@cache
def results_of(first: int) -> dict[str, Any]:
    """The results of all cases of a chunk of operations: one graph, compiled once; an operation that fails has its exception."""
    names = NAMES[first : first + CHUNK]
    try:
        return run_together(names)
    except Exception:
        return {name: each_or_error(name) for name in names}


def each_or_error(name: str) -> Any:
    try:
        return run_together([name])[name]
    except Exception as error:
        return error


def run_together(names: list[str]) -> dict[str, Any]:
    results: dict[str, Any] = {name: [] for name in names}
    for cases in split([(name, case) for name in names for case, _ in wanted_cases(name)]):
        for (name, _), outputs in zip(cases, run_cases(cases), strict=True):
            results[name].append(outputs)
    return results


def run_cases(cases: list[tuple[str, Case]]) -> list[Any]:
    inputs = [flat(case.tensors()) for _, case in cases]
    counts: list[int] = []

    def program(*arrays: Any) -> list[Any]:
        remaining, found = list(arrays), []
        for (_, case), own in zip(cases, inputs, strict=True):
            taken = [remaining.pop(0) for _ in own]
            result = called(case, tuple(taken))
            outputs = [taken[0]] if case.op.mutates else list(result) if isinstance(result, tuple | list) else [result]
            counts.append(len(outputs))
            found += outputs
        return found

    arrays = [x for own in inputs for x in own]
    graph = trace(program, *specs_of(arrays))
    outputs = compile(graph, back_end="numba")(*arrays)
    starts = [sum(counts[:i]) for i in range(len(counts))]
    return [outputs[start : start + count] for start, count in zip(starts, counts, strict=True)]


@pytest.mark.parametrize("name", NAMES)
def test_compiled_equals_kernel(name: str) -> None:
    got = results_of(NAMES.index(name) // CHUNK * CHUNK)[name]
    if isinstance(got, Exception):
        raise got
    for (case, want), results in zip(wanted_cases(name), got, strict=True):
        wants = list(want) if isinstance(want, tuple | list) else [want]
        for w, g in zip(wants, results, strict=True):
            assert (np.asarray(g).dtype, np.shape(g)) == (np.asarray(w).dtype, np.shape(w)), f"{case}: got {g!r}, want {w!r}"
            if name not in HAS_NO_VALUE:
                check_values(case, np.asarray(g), np.asarray(w))


def check_values(case: Case, got: np.ndarray, want: np.ndarray) -> None:
    if want.dtype.kind in "biu":
        np.testing.assert_array_equal(got, want, err_msg=str(case))
        return
    tolerance = ROUNDED | ({"rtol": LOOSE[want.dtype]} if want.dtype in LOOSE else {})
    np.testing.assert_allclose(got, want, err_msg=str(case), **tolerance)
    if want.dtype.kind == "f":
        np.testing.assert_array_equal(np.signbit(got[want == 0]), np.signbit(want[want == 0]), err_msg=f"{case}: sign of zero")


@pytest.mark.skipif(not EVERYTHING, reason="takes long")
@pytest.mark.parametrize("name", NAMES)
def test_compiled_with_symbols_equals_kernel(name: str) -> None:
    for case, want in wanted_cases(name):
        tensors = case.tensors()
        try:
            graph = trace(lambda *arrays, case=case: called(case, arrays), *flat(specs_of(tensors, symbolic=True)))
        except Undecided:
            continue
        got = compile(graph, back_end="numba")(*flat(tensors))
        wants = list(want) if isinstance(want, tuple | list) else [want]
        for w, g in zip(wants, got, strict=True):
            assert (np.asarray(g).dtype, np.shape(g)) == (np.asarray(w).dtype, np.shape(w)), f"{case}: got {g!r}, want {w!r}"
            if name not in HAS_NO_VALUE:
                check_values(case, np.asarray(g), np.asarray(w))
