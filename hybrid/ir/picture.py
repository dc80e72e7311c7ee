"""Graphs as pictures: SVG drawn here, without other programs; the text below it behind a fold.

Operations stand in layers, each below what it depends on; a graph inside another is drawn after it, under its number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Final, NamedTuple

__all__ = ["Box", "Drawing", "html"]

MOST_BOXES: Final = 250
"""Boxes of a graph that are drawn; nobody reads more."""

CHARACTER, PADDING, HEIGHT = 7.3, 10, 34
GAP_X, GAP_Y, MARGIN = 18, 30, 12
LONGEST: Final = 44
"""Characters of a line in a box."""

FILLS: Final = {"input": "#4a90d933", "control": "#f2b13440", "call": "#e0218a33", "output": "#5ec96240", "": "#8882"}
TEXT: Final = "font-family='monospace' font-size='12' fill='currentColor'"


class Box(NamedTuple):
    """A node of a drawing: two lines of text, the boxes that it depends on, and what kind of thing it is."""

    title: str
    detail: str
    sources: tuple[int, ...]
    kind: str = ""


class Drawing(NamedTuple):
    """A graph to be drawn."""

    title: str
    boxes: Sequence[Box]


def html(drawings: Sequence[Drawing], text: str) -> str:
    """An HTML fragment for a graph and the graphs inside it."""
    parts = [f"<div><b>{escape(d.title)}</b></div>{_svg(d.boxes)}" for d in drawings]
    fold = f"<details><summary style='opacity:.65'>text</summary><pre>{escape(text)}</pre></details>"
    return f"<div style='font-family:monospace;line-height:1.5;overflow-x:auto'>{''.join(parts)}{fold}</div>"


def _svg(boxes: Sequence[Box]) -> str:
    if len(boxes) > MOST_BOXES:
        return f"<div style='opacity:.65'>{len(boxes):,} operations: too many for a picture</div>"
    layers = _layers(boxes)
    widths = [max(len(_cut(box.title)), len(_cut(box.detail))) * CHARACTER + 2 * PADDING for box in boxes]
    places = _places(layers, widths, boxes)
    right = max((places[i][0] + widths[i] / 2 for layer in layers for i in layer), default=0) + MARGIN
    bottom = len(layers) * (HEIGHT + GAP_Y) - GAP_Y + 2 * MARGIN
    lines = [line for i, box in enumerate(boxes) for line in _edges(i, box, places)]
    shapes = [_box(box, places[i], widths[i]) for i, box in enumerate(boxes)]
    size = f"width='{right:.0f}' height='{bottom:.0f}' viewBox='0 0 {right:.0f} {bottom:.0f}'"
    return f"<svg xmlns='http://www.w3.org/2000/svg' {size} role='img' style='display:block'>{''.join(lines + shapes)}</svg>"


def _layers(boxes: Sequence[Box]) -> list[list[int]]:
    """The boxes by their depth, each layer in an order that crosses few lines."""
    depth: list[int] = []
    for box in boxes:
        depth.append(1 + max((depth[i] for i in box.sources), default=-1))
    layers: list[list[int]] = [[] for _ in range(max(depth, default=-1) + 1)]
    for i, d in enumerate(depth):
        layers[d].append(i)
    order = {i: float(k) for layer in layers for k, i in enumerate(layer)}
    for layer in layers[1:]:
        layer.sort(key=lambda i: sum(order[s] for s in boxes[i].sources) / max(len(boxes[i].sources), 1))
        order |= {i: float(k) for k, i in enumerate(layer)}
    return layers


def _places(layers: Sequence[Sequence[int]], widths: Sequence[float], boxes: Sequence[Box]) -> Mapping[int, tuple[float, float]]:
    """The middle of the top of each box: below the middle of its sources, where there is room."""
    places: dict[int, tuple[float, float]] = {}
    for d, layer in enumerate(layers):
        x, y = float(MARGIN), MARGIN + d * (HEIGHT + GAP_Y)
        for i in layer:
            above = [places[s][0] for s in boxes[i].sources]
            wanted = sum(above) / len(above) if above else 0.0
            middle = max(x + widths[i] / 2, wanted)
            places[i] = middle, y
            x = middle + widths[i] / 2 + GAP_X
    return places


def _edges(i: int, box: Box, places: Mapping[int, tuple[float, float]]) -> Iterator[str]:
    x, y = places[i]
    for source in dict.fromkeys(box.sources):
        sx, sy = places[source][0], places[source][1] + HEIGHT
        bend = (y - sy) / 2
        path = f"M{sx:.1f} {sy:.1f}C{sx:.1f} {sy + bend:.1f} {x:.1f} {y - bend:.1f} {x:.1f} {y:.1f}"
        yield f"<path d='{path}' fill='none' stroke='#8888' stroke-width='1.2'/>"


def _box(box: Box, place: tuple[float, float], width: float) -> str:
    x, y = place
    rect = f"<rect x='{x - width / 2:.1f}' y='{y}' width='{width:.1f}' height='{HEIGHT}' rx='5' fill='{FILLS[box.kind]}' stroke='#8888'/>"
    lines = [(_cut(box.title), y + 14, "1"), (_cut(box.detail), y + 28, ".65")]
    texts = "".join(f"<text x='{x:.1f}' y='{at}' text-anchor='middle' opacity='{o}' {TEXT}>{escape(t)}</text>" for t, at, o in lines)
    hover = escape(box.title + "\n" + box.detail)
    return f"<g><title>{hover}</title>{rect}{texts}</g>"


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
