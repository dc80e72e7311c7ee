"""Comparisons of whole arrays, and ufuncs with two results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from hybrid.backends.numba.expressions import closeness, ufunc_of
from hybrid.backends.numba.gufuncs import call_loop, converted, different, fast_or_kernel, flat_of, stack_conditions
from hybrid.backends.numba.indexing import nest
from hybrid.backends.numba.loops import loop_of, scalar_call
from hybrid.backends.numba.program import Program
from hybrid.ir.graph import Node

__all__ = ["NUMERICAL"]


# -- whole arrays ---------------------------------------------------------------------------------------------------
def _every(p: Program, node: Node, condition: Callable[[str, str], str], otherwise: str | None) -> bool:
    """Whether a condition holds for all pairs of elements of arrays of one shape, or of an array and a number.

    For other shapes there is the kernel, or a value that is known.
    """
    a, b = node.operands
    name, size = p.new(node.op.name), p.new("size")
    shapes = a.spec.shape, b.spec.shape  # type: ignore[union-attr]
    if not shapes[0] or (shapes[1] and len(shapes[0]) != len(shapes[1])):
        return False
    conditions = different(list(zip(p.dims(a), p.dims(b), strict=True))) if shapes[1] else []  # type: ignore[arg-type]

    def fast() -> None:
        flat = [p.new("flat") for x in (a, b) if x.spec.shape]  # type: ignore[union-attr]
        for text, x in zip(flat, (a, b), strict=False):
            p.emit(f"{text} = {flat_of(p, x)}")
        p.emit(f"{size} = {flat[0]}.size")
        p.emit(f"{name} = True")
        with nest(p, [size]) as (i,):
            items = [f"{text}[{i}]" for text in flat] + ([] if shapes[1] else [p.text(b)])  # type: ignore[arg-type]
            with p.block(f"if not ({condition(*items)}):"):
                p.emit(f"{name} = False")
                p.emit("break")

    if conditions and otherwise is not None:
        with p.block(f"if {' or '.join(conditions)}:"):
            p.emit(f"{name} = {otherwise}")
        with p.block("else:"):
            fast()
    else:
        fast_or_kernel(p, node, conditions, [name], fast)
    p.names[node.outputs[0]] = name
    return True


def _allclose(p: Program, node: Node) -> bool:
    """Whether all elements are close to each other, as ``isclose`` tells of one."""
    expression = closeness(node)
    return expression is not None and _every(p, node, lambda x, y: expression.text([x, y]), None)


def _array_equal(p: Program, node: Node) -> bool:
    """Whether shapes and elements are equal."""
    a, b = (x.spec for x in node.operands)  # type: ignore[union-attr]
    if a.dtype != b.dtype or not b.shape:
        return False
    nan = " or ({0} != {0} and {1} != {1})" if node.attributes["equal_nan"] and a.dtype.kind in "fc" else ""
    return _every(p, node, lambda x, y: f"{x} == {y}" + nan.format(x, y), "False")


# -- two results ----------------------------------------------------------------------------------------------------
def _pair(p: Program, node: Node) -> bool:
    """A ufunc with two results, by its loop."""
    ufunc, first = ufunc_of(node), node.outputs[0].spec
    results = [value.spec.dtype for value in node.outputs]
    if ufunc is None or any(x.spec.weak for x in node.operands) or first.weak:  # type: ignore[union-attr]
        return False
    dtypes = ufunc.resolve_dtypes((*(x.spec.dtype for x in node.operands), *(None,) * len(results)))  # type: ignore[union-attr]
    loop = loop_of(ufunc, tuple(dtypes))
    if loop is None or list(dtypes[ufunc.nin :]) != results:
        return False
    names = [p.new(node.op.name) for _ in results]
    if not first.shape:
        call = p.use(f"each_{loop.name}", scalar_call(loop))
        texts = [p.cast(x, dtype) for x, dtype in zip(node.operands, dtypes, strict=False)]
        p.emit(f"{', '.join(names)} = {call}({', '.join(texts)})")
    else:
        dims = [p.dim(d) for d in first.shape]
        texts = [converted(p, x, dtype) for x, dtype in zip(node.operands, dtypes, strict=False)]

        def fast() -> None:
            for name, value in zip(names, node.outputs, strict=True):
                p.emit(f"{name} = {p.allocation(value.spec, dims)}")
            p.emit(call_loop(p, loop, [()] * len(dtypes), [*texts, *names]))

        fast_or_kernel(p, node, stack_conditions(p, first, dims, [(x, 0) for x in node.operands]), names, fast)
    for value, name in zip(node.outputs, names, strict=True):
        p.names[value] = name
    return True


NUMERICAL: Final[dict[str, Callable[[Program, Node], bool]]] = {
    "allclose": _allclose,
    "array_equal": _array_equal,
    "divmod": _pair,
    "frexp": _pair,
    "modf": _pair,
}
"""Operations of several kinds that numerical programs use in loops."""
