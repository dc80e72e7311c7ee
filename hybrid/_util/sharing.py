"""Containers of leaves in which one object may occur several times, or inside itself: it stays one object."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from hybrid._util.tree import LEAF, Structure, contents, filled, static_fields

__all__ = ["flatten_once", "unflatten_once"]


class Again:
    """The kind of a structure that stands for an object which was there before; its only key is the number of the object."""


def flatten_once(tree: Any, has_identity: Callable[[Any], bool]) -> tuple[list[Any], Structure]:
    """Like ``flatten``, but what occurs again has no leaves of its own.

    Args:
        tree: nested containers.
        has_identity: whether a leaf is known again; lists, dicts and dataclass objects always are.

    >>> xs = [1]
    >>> leaves, structure = flatten_once((xs, xs), lambda leaf: False)
    >>> a, b = unflatten_once(structure, [5])
    >>> leaves, a is b
    ([1], True)
    """
    leaves: list[Any] = []
    seen: dict[int, int] = {}

    def visit(node: Any) -> Structure:
        keys, items = contents(node)
        if (items is None and has_identity(node)) or (items is not None and not isinstance(node, tuple)):
            if id(node) in seen:
                return Structure(Again, (seen[id(node)],))
            seen[id(node)] = len(seen)
        if items is None:
            leaves.append(node)
            return LEAF if not has_identity(node) else KNOWN
        return Structure(type(node), keys, tuple(map(visit, items)), static_fields(node))

    return leaves, visit(tree)


KNOWN = Structure(None, (True,))
"""The structure of a leaf that may occur again."""


def unflatten_once(structure: Structure, leaves: Sequence[Any]) -> Any:
    """Put leaves into a structure of ``flatten_once``."""
    remaining = iter(leaves)
    made: list[Any] = []
    return _build(structure, remaining, made)


def _build(structure: Structure, leaves: Iterator[Any], made: list[Any]) -> Any:
    kind = structure.kind
    if kind is Again:
        return made[structure.keys[0]]
    if kind is None:
        leaf = next(leaves)
        if structure.keys:
            made.append(leaf)
        return leaf
    build = lambda: [_build(child, leaves, made) for child in structure.children]  # noqa: E731
    if issubclass(kind, tuple):
        items = build()
        return kind(*items) if hasattr(kind, "_fields") else kind(items)
    if issubclass(kind, list | dict):
        made.append(container := kind())
        if isinstance(container, dict):
            return filled(container, structure, build())
        container.extend(build())
        return container
    assert dataclasses.is_dataclass(kind)
    made.append(instance := object.__new__(kind))
    for name, item in (*zip(structure.keys, build(), strict=True), *structure.static):
        object.__setattr__(instance, name, item)
    return instance
