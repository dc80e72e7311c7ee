"""How an array looks in a notebook: its shape and dtype, a small picture of the values, and what they are about.

The picture is drawn in colours that are readable on light and on dark pages. Large arrays are looked at through a sample of their
elements: the cost doesn't depend on the size.
"""

from __future__ import annotations

import struct
import zlib
from base64 import b64encode
from html import escape
from math import ceil
from typing import Any, Final

import numpy as np

__all__ = ["html"]

MOST_VALUES: Final = 65_536
"""Elements that are counted and averaged."""

MOST_CELLS: Final = 64
"""Rows and columns of a heat map."""

MOST_BARS: Final = 160
MOST_TEXT: Final = 2_000
MOST_NAME: Final = 60

WIDTH, HEIGHT = 320, 64
THINNEST: Final = 8

UNITS: Final = ("bytes", "KiB", "MiB", "GiB", "TiB")

SEQUENTIAL: Final = ("#440154", "#3b528b", "#21918c", "#5ec962", "#fde725")
DIVERGING: Final = ("#2166ac", "#92c5de", "#f4f4f4", "#f4a582", "#b2182b")
TWO: Final = ("#51657d", "#f2b134")
BAR, BROKEN = "#4a90d9", "#e0218a"
"""The colours of bars, and of what isn't a finite number, which no scale contains."""

BLOCK: Final = "font-family:monospace;line-height:1.6;margin:2px 0"
FAINT: Final = "opacity:.65"


def html(tensor: Any) -> str:
    """An HTML fragment for a tensor or a variable."""
    array = tensor.numpy()
    picture = _picture(array) if array.size else ""
    parts = [_head(tensor, array), picture, _facts(array) if array.ndim else "", _text(tensor, bool(picture))]
    return f'<div style="{BLOCK}">{"".join(parts)}</div>'


# -- words ----------------------------------------------------------------------------------------------------------
def _head(tensor: Any, array: np.ndarray) -> str:
    """The kind of object, its name if it has one, shape, dtype and size."""
    name = getattr(tensor, "name", "")
    kind = "Variable" if name else "Tensor"
    shape = " × ".join(f"{n:,}" for n in array.shape) or "scalar"
    facts = [shape, array.dtype.name, _bytes(array.size * array.itemsize)]
    named = f" {escape(_cut(name, MOST_NAME))}" if name else ""
    return f'<div><b>{kind}</b>{named} <span style="{FAINT}">{" · ".join(facts)}</span></div>'


def _facts(array: np.ndarray) -> str:
    """The range and the mean of the finite values, and how many are none."""
    if not array.size:
        return f'<div style="{FAINT}">no elements</div>'
    sample = _sampled(array, MOST_VALUES)
    values = _real(sample)
    finite = values[np.isfinite(values)]
    facts = [f"{int(n):,} {what}" for what, n in [("nan", np.isnan(values).sum()), ("inf", np.isinf(values).sum())] if n]
    facts = [f'<span style="color:{BROKEN}">{fact}</span>' for fact in facts]
    if array.dtype.kind == "b":
        facts = [f"{int(finite.sum()):,} true, {int(finite.size - finite.sum()):,} false"]
    elif finite.size:
        what = "magnitude " if array.dtype.kind == "c" else ""
        scale = np.abs(finite).max() or 1.0  # the sum of the largest numbers would overflow
        facts.insert(0, f"{what}min {finite.min():.6g} · mean {(finite / scale).mean() * scale:.6g} · max {finite.max():.6g}")
    seen = f" (of {sample.size:,} sampled values)" if sample.size < array.size else ""
    return f"<div>{' · '.join(facts)}{seen}</div>"


def _text(tensor: Any, is_folded: bool) -> str:
    """The values as text; behind a fold where there is a picture."""
    pre = f'<pre style="margin:2px 0">{escape(_cut(repr(tensor), MOST_TEXT))}</pre>'
    return f'<details><summary style="{FAINT}">values</summary>{pre}</details>' if is_folded else pre


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _bytes(n: int) -> str:
    power = min(max(n.bit_length() - 1, 0) // 10, len(UNITS) - 1)
    return f"{n / 1024**power:.1f} {UNITS[power]}" if power else f"{n} bytes"


# -- values ---------------------------------------------------------------------------------------------------------
def _sampled(array: np.ndarray, most: int) -> np.ndarray:
    """A view of evenly spaced elements, ``most`` at most."""
    while array.size > most:
        axis = int(np.argmax(array.shape))
        array = array[(slice(None),) * axis + (slice(None, None, 2),)]
    return array


def _real(values: np.ndarray) -> np.ndarray:
    """The values as floats, complex numbers as magnitudes."""
    with np.errstate(all="ignore"):
        return np.abs(values).astype(float) if values.dtype.kind == "c" else values.astype(float)


def _levels(values: np.ndarray) -> tuple[np.ndarray, bool]:
    """Finite values on a scale from 0 to 1, NaN for the others; whether 0 is in the middle, since they have both signs."""
    finite = values[np.isfinite(values)]
    top = float(np.abs(finite).max(initial=0.0)) or 1.0
    values = np.where(np.isfinite(values), values, np.nan) / top
    low, high = (float(finite.min()) / top, float(finite.max()) / top) if finite.size else (0.0, 0.0)
    if low < 0 < high:
        return (values + 1) / 2, True
    return (values - low) / ((high - low) or 1.0), False


# -- pictures -------------------------------------------------------------------------------------------------------
def _picture(array: np.ndarray) -> str:
    if array.ndim == 1:
        return _heat_map(array[None, :]) if array.dtype.kind == "b" else _bars(array)
    return _heat_map(array) if array.ndim == 2 else ""


def _bars(array: np.ndarray) -> str:
    """A bar for each of some elements, from zero up or down; full height in another colour for what isn't finite."""
    values = _real(array[:: ceil(array.size / MOST_BARS)])
    finite = values[np.isfinite(values)]
    low, high = min(finite.min(initial=0.0), 0.0), max(finite.max(initial=0.0), 0.0)
    scale = max(-low, high) or 1.0
    low, span = low / scale, high / scale - low / scale or 1.0
    width = WIDTH / max(values.size, 8)
    bars, broken = [], []
    for i, value in enumerate(values.tolist()):
        x = f"M{(i + 0.5) * width:.1f} "
        if not np.isfinite(value):
            broken.append(f"{x}0V{HEIGHT}")
        else:
            bars.append(f"{x}{_height(0.0, low, span):.1f}V{_height(value / scale, low, span):.1f}")
    paths = _path(bars, BAR, width) + _path(broken, BROKEN, width)
    return f'<svg width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" style="display:block">{paths}</svg>'


def _height(value: float, low: float, span: float) -> float:
    return HEIGHT - 1 - (value - low) / span * (HEIGHT - 2)


def _path(strokes: list[str], colour: str, width: float) -> str:
    return f'<path d="{"".join(strokes)}" stroke="{colour}" stroke-width="{max(width * 0.8, 1):.2f}"/>' if strokes else ""


def _heat_map(array: np.ndarray) -> str:
    """A cell for each of some elements: blue to red around zero, dark to bright where all have one sign."""
    rows, columns = (ceil(n / MOST_CELLS) for n in array.shape)
    cells = array[::rows, ::columns]
    levels, has_signs = _levels(_real(cells))
    colours = TWO if array.dtype.kind == "b" else DIVERGING if has_signs else SEQUENTIAL
    scale = min(WIDTH / cells.shape[1], WIDTH / 2 / cells.shape[0], 24)
    width, height = (max(round(n * scale), THINNEST) for n in cells.shape[::-1])
    data = b64encode(_png(_painted(levels, colours))).decode()
    style = "display:block;image-rendering:pixelated;margin:2px 0;outline:1px solid #8886"
    return f'<img src="data:image/png;base64,{data}" width="{width}" height="{height}" alt="heat map" style="{style}">'


def _painted(levels: np.ndarray, colours: tuple[str, ...]) -> np.ndarray:
    """Red, green and blue of each cell, mixed from the neighbouring colours of a scale."""
    scale = np.array([_rgb(colour) for colour in colours], dtype=float)
    place = np.nan_to_num(levels) * (len(scale) - 1)
    below = np.clip(place.astype(int), 0, len(scale) - 2)
    mixed = scale[below] + (place - below)[..., None] * (scale[below + 1] - scale[below])
    mixed[np.isnan(levels)] = _rgb(BROKEN)
    return mixed.round().astype(np.uint8)


def _rgb(colour: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(colour[1:]))


def _png(pixels: np.ndarray) -> bytes:
    """A PNG file (ISO/IEC 15948) of 8-bit colours: a header, the filtered and compressed rows, an end."""
    height, width, _ = pixels.shape
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = [(b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )
