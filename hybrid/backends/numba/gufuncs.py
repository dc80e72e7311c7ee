"""Building blocks of lowerings that call the loops of universal functions on whole arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from hybrid.backends.numba.indexing import nest
from hybrid.backends.numba.loops import Loop, core_call
from hybrid.backends.numba.memory import transposed
from hybrid.backends.numba.native import flat_view, item_type
from hybrid.backends.numba.program import Program, cast
from hybrid.core.spec import Spec
from hybrid.ir.graph import Node

__all__ = ["call_loop", "converted", "different", "fast_or_kernel", "flat_of", "permuted", "smaller", "stack_conditions"]

Core = tuple[str, ...]


def converted(p: Program, x: Any, dtype: np.dtype) -> str:
    """The text of an operand with a dtype; a copy if it has another one."""
    if x.spec.dtype == dtype or not x.spec.shape:
        return p.cast(x, dtype)
    name, dims = p.new("converted"), p.dims(x)
    p.emit(f"{name} = {p.allocation(Spec(dtype, x.spec.shape), dims)}")
    with nest(p, dims) as index:
        place = ", ".join(index)
        p.emit(f"{name}[{place}] = {cast(f'{p.text(x)}[{place}]', x.spec.dtype, dtype)}")
    return name


def permuted(p: Program, text: str, order: Sequence[int]) -> str:
    """The text of a view with the axes in another order."""
    if list(order) == list(range(len(order))):
        return text
    name = f"transposed_{'_'.join(map(str, order))}"
    return f"{p.use(name, transposed(tuple(order)))}({text})"


def flat_of(p: Program, x: Any) -> str:
    """The text of all elements of an operand as one axis."""
    if x.spec.ndim == 1:
        return p.text(x)
    p.use("flat_view", flat_view)
    return f"flat_view({p.contiguous(x)})"


def call_loop(p: Program, loop: Loop, cores: Sequence[Core], texts: Sequence[str], results: Sequence[Spec] = ()) -> str:
    """The text of a call of a loop; outputs without axes are what it gives."""
    labels = "_".join("".join(label.replace("?", "x") for label in core) for core in cores)
    call = core_call(loop, tuple(map(tuple, cores)), tuple(item_type(spec.dtype) for spec in results))
    name = f"{loop.name}__{labels}{'_given' * bool(results)}"
    return f"{p.use(name, call)}({', '.join(texts)})"


def smaller(a: str, b: str) -> str:
    """The text of the smaller of two sizes."""
    if a == b:
        return a
    return str(min(int(a), int(b))) if a.isdigit() and b.isdigit() else f"({a} if {a} < {b} else {b})"


def different(pairs: Sequence[tuple[str, str]]) -> list[str]:
    """Conditions under which sizes that should be equal are not."""
    return list(dict.fromkeys(f"{a} != {b}" for a, b in pairs if a != b))


def stack_conditions(p: Program, out: Spec, dims: Sequence[str], operands: Sequence[tuple[Any, int]]) -> list[str]:
    """Conditions under which the leading axes of operands, given with the number of their other axes, don't broadcast."""
    found, stack = [], out.shape[: len(dims)]
    for x, core in operands:
        own = x.spec.shape[: x.spec.ndim - core]
        sizes = zip(own[::-1], stack[::-1], p.dims(x)[: len(own)][::-1], list(dims)[::-1], strict=False)
        found += [(a, b) for size, wanted, a, b in sizes if size not in (1, wanted)]
    return different(found)


def fast_or_kernel(p: Program, node: Node, conditions: Sequence[str], names: Sequence[str], fast: Callable[[], None]) -> None:
    """Write the fast way; where conditions hold the kernel gives the results, or refuses."""
    if not conditions:
        fast()
        return
    with p.block(f"if {' or '.join(conditions)}:"):
        p.kernel_value(node, names)
    with p.block("else:"):
        fast()
