"""What the tracer takes for known about the memory of results, for every sample of every operation, is what NumPy does.

A wrong answer would show in programs only when a view is written, so it is asked for here.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hybrid  # noqa: F401 - fills the table
from conformance.cases import OPERATIONS, Case, cases_of, flat, map_tree
from hybrid.core.dim import Dim
from hybrid.core.interpreter import interpreting
from hybrid.ir.trace import Tracer
from hybrid.ir.traced import Traced

LAYOUTS = {
    "C": np.array,
    "F": np.asfortranarray,
    "gaps": lambda x: np.moveaxis(np.repeat(x[..., None], 2, -1), -1, 0)[0, ...],
    "axes moved": lambda x: np.moveaxis(np.array(np.moveaxis(x, 0, -1)), -1, 0) if x.ndim else x,
    "scalars": lambda x: x[()],
}
ALIASES = {"histogram", "histogram_bin_edges", "histogramdd"}
"""Kernels that give back their second argument: the function that calls the operation puts the argument itself in its place."""


@pytest.mark.parametrize("op", [op for op in OPERATIONS if not op.mutates and op.name != "call_python"], ids=lambda op: op.name)
def test_results_lie_where_the_tracer_takes_them_to_lie(op: Any) -> None:
    for sample in op.samples:
        cases = [case for case in cases_of(op) if case.sample is sample and len(case.dtypes) == 1]
        for case in (cases[0], cases[-1]):
            for layout in LAYOUTS.values():
                check(case, layout)


def check(case: Case, layout: Any) -> None:
    leaves = [layout(x) if isinstance(x, np.ndarray) else x for x in flat(case.tensors())]
    tracer = Tracer()
    stand_ins = [tracer.lifted_input(x, not isinstance(x, np.ndarray), False) for x in leaves]
    try:
        with np.errstate(all="ignore"):
            want = called(case, leaves, case.op.kernel)
        with interpreting(tracer):
            got = called(case, stand_ins, case.op)
    except Exception:
        return  # what is refused is the matter of other tests
    wants, gots = ([r] if not isinstance(r, tuple | list) else r for r in (want, got))
    for w, g in zip(wants, gots, strict=True):
        compare(case, w, g, leaves, stand_ins)


def called(case: Case, leaves: list[Any], function: Any) -> Any:
    remaining = list(leaves)
    tensors = map_tree(lambda _: remaining.pop(0), case.tensors())
    names = {} if case.op.variadic else dict(zip(case.op.tensors, tensors, strict=False))
    keywords = {name: x for name, x in names.items() if name in case.op.keywords}
    positional = [x for name, x in names.items() if name not in keywords] if names or not case.op.tensors else tensors
    return function(*positional, **keywords, **case.sample.attrs)


def compare(case: Case, want: Any, got: Traced, leaves: list[Any], stand_ins: list[Traced]) -> None:
    is_array = isinstance(want, np.ndarray)
    if np.shape(want) == ():
        assert got.is_scalar != is_array, f"{case}: NumPy gives {type(want)}"
    if not is_array or not want.size:
        return
    is_shared = any(isinstance(x, np.ndarray) and np.shares_memory(want, x) for x in leaves)
    is_taken_for_shared = any(got._memory & x._memory for x in stand_ins)
    if case.op.name in ALIASES or not want.flags.writeable or (case.op.name == "imag" and leaves[0].dtype.kind != "c"):
        return  # nobody can write it and see where it lies
    assert is_shared == is_taken_for_shared, f"{case}: NumPy shares memory: {is_shared}"
    steps = [step * want.itemsize for step in got.steps] if got.steps is not None else want.strides
    wrong = [(a, b) for a, b, n in zip(want.strides, steps, want.shape, strict=True) if n > 1 and not isinstance(b, Dim) and a != b]
    assert not wrong, f"{case}: NumPy's strides are {want.strides}, taken for {steps}"
