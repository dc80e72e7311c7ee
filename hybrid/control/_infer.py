"""Rules shared by the operations of control flow: what goes into a graph inside, and what comes out."""

from __future__ import annotations

from collections.abc import Sequence

from hybrid.core.dim import DimLike, evaluate, symbols_of, unknown
from hybrid.core.spec import Spec
from hybrid.errors import StagingError
from hybrid.ir.graph import Graph

__all__ = ["check_inputs", "joined", "outputs_outside", "specs_outside"]


def check_inputs(graph: Graph, specs: Sequence[Spec], what: str) -> None:
    """``StagingError`` unless a graph takes these arguments: the same dtypes and numbers of axes, sizes that agree or are symbols."""
    wanted = [v.spec for v in graph.inputs]
    if len(wanted) != len(specs) or not all(map(_takes, wanted, specs)):
        raise StagingError(f"wanted ({', '.join(map(str, wanted))}) for {what}, received ({', '.join(map(str, specs))})")


def _takes(wanted: Spec, given: Spec) -> bool:
    if (wanted.dtype, wanted.ndim, wanted.weak) != (given.dtype, given.ndim, given.weak):
        return False
    return all(w == g or not isinstance(w, int) for w, g in zip(wanted.shape, given.shape, strict=True))


def outputs_outside(graph: Graph, specs: Sequence[Spec]) -> list[Spec]:
    """The specs of a graph's outputs as its caller sees them: sizes in the caller's terms, or unknown."""
    return specs_outside([v.spec for v in graph.inputs], [v.spec for v in graph.outputs], specs)


def specs_outside(inputs: Sequence[Spec], outputs: Sequence[Spec], specs: Sequence[Spec]) -> list[Spec]:
    """The same for the specs of the graph's inputs and outputs."""
    sizes: dict[str, DimLike] = {}
    for given, spec in zip(inputs, specs, strict=True):
        for inner, outer in zip(given.shape, spec.shape, strict=True):
            if str(inner).isidentifier():
                sizes.setdefault(str(inner), outer)
    return [_translated(out, sizes, i) for i, out in enumerate(outputs)]


def _translated(spec: Spec, sizes: dict[str, DimLike], i: int) -> Spec:
    dims = (evaluate(dim, sizes) if symbols_of(dim) <= set(sizes) else unknown(f"{i}_{axis}") for axis, dim in enumerate(spec.shape))
    return Spec(spec.dtype, tuple(dims), spec.weak)


def joined(a: Spec, b: Spec, label: str) -> Spec:
    """The spec of what is one of two; ``StagingError``, a ``TypeError``, for two dtypes or numbers of axes."""
    if (a.dtype, a.ndim, a.weak) != (b.dtype, b.ndim, b.weak):
        raise StagingError(f"wanted two results of one dtype and number of axes, received {a} and {b}")
    return Spec(
        a.dtype, tuple(x if x == y else unknown(f"{label}_{i}") for i, (x, y) in enumerate(zip(a.shape, b.shape, strict=True))), a.weak
    )
