"""What a loop carries from one round to the next: a value of one kind, or of several, with a tag that tells which."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from hybrid._util.tree import flatten, unflatten
from hybrid._util.undefined import Undefined
from hybrid.control.variant import Kind, Variant, alternatives, chosen, is_liftable, kind_of
from hybrid.core.dim import symbol
from hybrid.core.spec import Spec
from hybrid.core.table import OPS
from hybrid.core.tensor import Eager
from hybrid.ir.graph import Const, Value
from hybrid.ir.trace import Tracer
from hybrid.ir.traced import Traced

__all__ = ["Carry", "filler", "flags"]

TAG = Spec.parse("int")


@dataclass(frozen=True, slots=True)
class Leaf:
    """One carried number or array.

    Attributes:
        spec: its dtype and shape; symbols for sizes that rounds change.
        is_scalar, is_tensor: what the function sees.
        own: the symbols that this loop made; those of loops around it name other sizes.
    """

    spec: Spec
    is_scalar: bool
    is_tensor: bool
    own: frozenset[str] = frozenset()

    def meets(self, spec: Spec, names: Iterator[str]) -> Leaf:
        """The leaf with symbols for the sizes in which it differs from a spec."""
        dims = zip(self.spec.shape, spec.shape, strict=True)
        shape = tuple(a if a == b or str(a) in self.own else symbol(next(names)) for a, b in dims)
        made = {str(dim) for dim, before in zip(shape, self.spec.shape, strict=True) if dim is not before}
        return Leaf(Spec(self.spec.dtype, shape, self.spec.weak), self.is_scalar, self.is_tensor, self.own | made)


class Carry:
    """The kinds that one variable or slot can have at the start of a round.

    Attributes:
        kinds: the alternatives.
        leaves: for each kind, its numbers and arrays; ``None`` for a constant.
    """

    def __init__(self, kinds: tuple[Kind, ...], leaves: tuple[tuple[Leaf | None, ...], ...], parts: tuple[list[Any], ...]):
        self.kinds, self.leaves, self._parts = kinds, leaves, parts

    @staticmethod
    def of(tracer: Tracer, value: Any) -> Carry:
        """To carry a value as it is."""
        options = alternatives(value)
        return Carry(tuple(map(kind_of, options)), tuple(_leaves(tracer, option) for option in options), tuple(map(_flat, options)))

    def meets(self, tracer: Tracer, value: Any, names: Iterator[str]) -> Carry:
        """To carry a further value too."""
        kinds, leaves, parts = list(self.kinds), list(self.leaves), list(self._parts)
        for option in alternatives(value):
            kind = kind_of(option)
            new = _leaves(tracer, option)
            if kind not in kinds:
                kinds.append(kind)
                leaves.append(new)
                parts.append(_flat(option))
                continue
            i = kinds.index(kind)
            parts[i] = _flat(option)
            leaves[i] = tuple(a and b and a.meets(b.spec, names) for a, b in zip(leaves[i], new, strict=True))
        return Carry(tuple(kinds), tuple(leaves), tuple(parts))

    def same_as(self, other: Carry) -> bool:
        """Whether two carries need the same values of a graph."""
        return self.kinds == other.kinds and self.leaves == other.leaves

    @property
    def is_plain(self) -> bool:
        """Whether it holds numbers and arrays only, or nothing."""
        pairs = (pair for leaves, parts in zip(self.leaves, self._parts, strict=True) for pair in zip(leaves, parts, strict=True))
        return all(leaf is not None or part is None or isinstance(part, Undefined) for leaf, part in pairs)

    @property
    def specs(self) -> list[Spec]:
        """The specs of the graph's values, in order."""
        tag = [TAG] if len(self.kinds) > 1 else []
        return tag + [leaf.spec for leaves in self.leaves for leaf in leaves if leaf is not None]

    def rebuilt(self, tracer: Tracer, values: Iterator[Value]) -> Any:
        """The value that a function sees, made of values of a graph."""
        tag = tracer.fresh(next(values), is_scalar=True) if len(self.kinds) > 1 else None
        options = tuple(self._option(tracer, i, values) for i in range(len(self.kinds)))
        return options[0] if tag is None else Variant(tag, options)  # type: ignore[arg-type]

    def operands(self, tracer: Tracer, value: Any, may_capture: bool = True) -> list[Any]:
        """The operands that stand for a value, in the order of ``specs``; ``may_capture``: see ``filler``."""
        options = {kind_of(option): option for option in alternatives(value)}
        positions = [self.kinds.index(kind_of(option)) for option in alternatives(value)]
        found: list[Any] = []
        if len(self.kinds) > 1:
            found.append(tracer.operand(chosen(value.tag, positions) if isinstance(value, Variant) else positions[0]))
        for kind, leaves in zip(self.kinds, self.leaves, strict=True):
            parts = flatten(options[kind])[0] if kind in options else [None] * len(leaves)
            pairs = [(leaf, part) for leaf, part in zip(leaves, parts, strict=True) if leaf is not None]
            found += [tracer.operand(part) if kind in options else filler(tracer, leaf.spec, may_capture) for leaf, part in pairs]
        return found

    def _option(self, tracer: Tracer, i: int, values: Iterator[Value]) -> Any:
        pairs = zip(self.leaves[i], self._parts[i], strict=True)
        made = [part if leaf is None else tracer.fresh(next(values), leaf.is_scalar, leaf.is_tensor) for leaf, part in pairs]
        return unflatten(self.kinds[i].structure, made)


def filler(tracer: Tracer, spec: Spec, may_capture: bool = True) -> Any:
    """A value of a spec that nobody will look at; without elements where sizes aren't known.

    Sizes that have names keep them: a loop would take the names for the filler's sizes. ``may_capture``: names that are known around the
    present graph are good too.
    """
    if spec.weak:
        return Const(spec.dtype.type(0).item())
    if spec.shape and (not spec.symbols or (may_capture and tracer.builder.knows(spec.symbols))):
        return tracer.builder.emit(OPS["empty"], [], OPS["empty"].attributes | {"shape": spec.shape, "dtype": spec.dtype})[0]
    return Const(np.zeros(tuple(size if isinstance(size, int) else 0 for size in spec.shape), spec.dtype)[()])


def flags(leaf: Any) -> tuple[bool, bool]:
    """Whether NumPy has a scalar here, and whether the function sees a tensor."""
    if isinstance(leaf, Traced):
        return leaf.is_scalar, leaf.is_tensor
    array = leaf._array if isinstance(leaf, Eager) else leaf
    return not isinstance(array, np.ndarray), isinstance(leaf, Eager)


def _leaves(tracer: Tracer, option: Any) -> tuple[Leaf | None, ...]:
    def leaf(x: Any) -> Leaf:
        operand: Any = tracer.operand(x)
        return Leaf(operand.spec, *flags(x))

    return tuple(leaf(x) if is_liftable(x) else None for x in flatten(option)[0])


def _flat(option: Any) -> list[Any]:
    """The leaves of a container as it is now."""
    return flatten(option)[0]
