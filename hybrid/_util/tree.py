"""Containers of leaves: lists, tuples, named tuples, dicts and dataclasses, nested in any way."""

from __future__ import annotations

import dataclasses
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = [
    "LEAF",
    "Leaf",
    "Seal",
    "Structure",
    "containers_of",
    "contents",
    "filled",
    "flatten",
    "map_leaves",
    "static_fields",
    "unflatten",
]


class Leaf:
    """A dataclass that is no container."""

    __slots__ = ()


class Seal:
    """As the only item of a list, or the only key of a dict: the container is a leaf, since what it holds isn't in it."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Structure:
    """A container without its leaves; equal containers have equal structures.

    Attributes:
        kind: the type of the container, or ``None`` for a leaf.
        keys: the keys of a dict or the field names of a dataclass, in order.
        children: the structures inside.
        static: the fields of a dataclass that are no leaves (``field(metadata={"static": True})``), and their values; the factory
            of a ``defaultdict``.
    """

    kind: type | None
    keys: tuple[Any, ...] = ()
    children: tuple[Structure, ...] = ()
    static: tuple[tuple[str, Any], ...] = ()

    @property
    def leaf_count(self) -> int:
        """The number of leaves."""
        return 1 if self.kind is None else sum(child.leaf_count for child in self.children)


LEAF = Structure(None)


def flatten(tree: Any) -> tuple[list[Any], Structure]:
    """The leaves of nested containers from left to right, and the structure to put them back into.

    >>> leaves, structure = flatten({"a": [1, 2], "b": (3,)})
    >>> leaves, unflatten(structure, [x * 10 for x in leaves])
    ([1, 2, 3], {'a': [10, 20], 'b': (30,)})
    """
    leaves: list[Any] = []
    return leaves, _flatten_into(leaves, tree)


def unflatten(structure: Structure, leaves: Sequence[Any]) -> Any:
    """Put leaves into a structure; ``ValueError`` if their number doesn't fit."""
    if len(leaves) != structure.leaf_count:
        raise ValueError(f"wanted {structure.leaf_count} leaves, received {len(leaves)}")
    return _build(structure, iter(leaves))


def containers_of(tree: Any) -> list[Any]:
    """The lists, dicts and dataclass objects in nested containers, those around others first, each once.

    >>> containers_of(([1, {}], 2))
    [[1, {}], {}]
    """
    found: dict[int, Any] = {}

    def visit(node: Any) -> None:
        _, items = contents(node)
        if items is None or id(node) in found:
            return
        if not isinstance(node, tuple):
            found[id(node)] = node
        for item in items:
            visit(item)

    visit(tree)
    return list(found.values())


def map_leaves(function: Callable[[Any], Any], tree: Any) -> Any:
    """The same containers with a function applied to every leaf."""
    leaves, structure = flatten(tree)
    return unflatten(structure, [function(leaf) for leaf in leaves])


def _flatten_into(leaves: list[Any], tree: Any) -> Structure:
    keys, items = contents(tree)
    if items is None:
        leaves.append(tree)
        return LEAF
    return Structure(type(tree), keys, tuple(_flatten_into(leaves, item) for item in items), static_fields(tree))


def contents(tree: Any) -> tuple[tuple[Any, ...], list[Any] | None]:
    """The keys and items of a container; no items for a leaf."""
    if isinstance(tree, list | dict) and len(tree) == 1 and isinstance(next(iter(tree)), Seal):
        return (), None
    if isinstance(tree, list | tuple):
        return (), list(tree)
    if isinstance(tree, dict):
        return tuple(tree), list(tree.values())
    if dataclasses.is_dataclass(tree) and not isinstance(tree, type | Leaf):
        names = tuple(f.name for f in dataclasses.fields(tree) if not f.metadata.get("static"))
        return names, [getattr(tree, name) for name in names]
    return (), None


def static_fields(tree: Any) -> tuple[tuple[str, Any], ...]:
    """The fields of a dataclass that are no leaves, and their values."""
    if isinstance(tree, defaultdict):
        return (("default_factory", tree.default_factory),)
    if not dataclasses.is_dataclass(tree):
        return ()
    return tuple((f.name, getattr(tree, f.name)) for f in dataclasses.fields(tree) if f.metadata.get("static"))


def _build(structure: Structure, leaves: Iterator[Any]) -> Any:
    if structure.kind is None:
        return next(leaves)
    items = [_build(child, leaves) for child in structure.children]
    if issubclass(structure.kind, dict):
        return filled(structure.kind(), structure, items)
    if dataclasses.is_dataclass(structure.kind):
        return _new_dataclass(structure, items)
    return structure.kind(*items) if hasattr(structure.kind, "_fields") else structure.kind(items)


def filled(made: Any, structure: Structure, items: Sequence[Any]) -> Any:
    """An empty dict with the entries of a structure; ``update`` of a subclass may do something else."""
    for name, value in structure.static:
        setattr(made, name, value)
    built_in = OrderedDict if isinstance(made, OrderedDict) else dict
    built_in.update(made, zip(structure.keys, items, strict=True))
    return made


def _new_dataclass(structure: Structure, items: list[Any]) -> Any:
    """Set the fields without running ``__init__``, which may do more than store them."""
    made = object.__new__(structure.kind)  # type: ignore[arg-type]
    for name, item in (*zip(structure.keys, items, strict=True), *structure.static):
        object.__setattr__(made, name, item)
    return made
