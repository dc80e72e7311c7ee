"""Every sample of every operation, with every dtype it is to be tried with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

import hybrid  # noqa: F401 - fills the table
from hybrid.core.dim import symbol
from hybrid.core.op import Op
from hybrid.core.spec import Spec, spec_of
from hybrid.core.table import OPS
from hybrid.ops._samples import Sample

OPERATIONS = [op for op in OPS.values() if op.module.startswith("hybrid.ops.")]
"""The operations on arrays and numbers; those of control flow have tests of their own in ``tests/control``."""


@dataclass(frozen=True)
class Case:
    """One operation, one sample, and the dtypes given in turn to the sample's random tensors."""

    op: Op
    sample: Sample
    dtypes: tuple[np.dtype, ...]

    def tensors(self) -> list[Any]:
        """The tensors in canonical form: ``None`` for those that the sample leaves out at the end."""
        made = self.sample.tensors(*self.dtypes)
        return made if self.op.variadic else made + [None] * (len(self.op.tensors) - len(made))

    @property
    def attrs(self) -> dict[str, Any]:
        return self.op.attributes | self.sample.attrs

    def run(self) -> Any:
        """What the kernel gives: a result, or the exception it raises."""
        with np.errstate(all="ignore"):
            try:
                return self.op.run(*self.tensors(), **self.attrs)
            except Exception as error:
                return error

    def __str__(self) -> str:
        return f"{self.op.name}({self.sample}) with {', '.join(d.name for d in self.dtypes)}"


def cases_of(op: Op, every_pair: bool = True) -> Iterator[Case]:
    """Each sample with each dtype alone; the first sample also with every pair of dtypes, or with each in some pair."""
    for i, sample in enumerate(op.samples):
        dtypes = sample.dtypes or op.dtypes
        singles = [(d,) for d in dtypes] if sample.is_shaped else [(np.dtype("float64"),)]
        pairs = product(dtypes, dtypes) if i == 0 and count_shaped(sample.args) > 1 else ()
        if not every_pair:
            pairs = [(d, dtypes[(5 * k + 3) % len(dtypes)]) for k, d in enumerate(dtypes)] if pairs else ()
        for combination in [*singles, *(p for p in pairs if p[0] != p[1])]:
            yield Case(op, sample, combination)


def count_shaped(args: Any) -> int:
    return sum(count_shaped(a) if isinstance(a, list) else isinstance(a, tuple) for a in args)


def map_tree(function: Any, value: Any) -> Any:
    """Apply a function to the leaves of nested lists and tuples; ``None`` stays."""
    if isinstance(value, list | tuple):
        return [map_tree(function, v) for v in value]
    return None if value is None else function(value)


def specs_of(tensors: Any, symbolic: bool = False) -> Any:
    """The specs of arguments; with symbols for sizes above 1 if asked for: equal sizes get equal symbols."""
    specs = map_tree(spec_of, tensors)
    return map_tree(lambda s: Spec(s.dtype, tuple(symbol(f"n{d}") if d > 1 else d for d in s.shape), s.weak), specs) if symbolic else specs


def flat(tree: Any) -> list[Any]:
    """The leaves of nested lists, without those left out."""
    if isinstance(tree, list | tuple):
        return [leaf for item in tree for leaf in flat(item)]
    return [] if tree is None else [tree]
