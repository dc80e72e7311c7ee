"""Tensors in notebooks: valid HTML, the right facts and colours, and little work for large arrays."""

from __future__ import annotations

import io
import re
import time
from base64 import b64decode
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest
from PIL import Image

import hybrid
from hybrid.core.dtypes import DTYPES
from hybrid.core.picture import BROKEN, TWO, html

ARRAYS = {
    "line": np.linspace(-1, 1, 1000),
    "bars": np.array([1, 5, 2]),
    "one": np.array([5.0]),
    "matrix": np.arange(12.0).reshape(3, 4) - 5,
    "bool": np.eye(3, dtype=bool),
    "bools": np.array([True, False] * 50),
    "complex": np.exp(1j * np.arange(5)),
    "tall": np.ones((500, 1)),
    "cube": np.zeros((2, 3, 4)),
    "scalar": np.float32(2.5),
    "zero_d": np.array(3),
    "empty": np.zeros((0, 3)),
    "empty line": np.zeros(0),
    "nan": np.full(4, np.nan),
    "nan matrix": np.full((2, 2), np.nan),
    "broken": np.array([1.0, np.nan, np.inf, -np.inf]),
    "huge numbers": np.array([1e308, -1e308, 1e308]),
    "tiny numbers": np.array([[5e-324, 0.0]]),
    "halves": np.full((3, 3), 65504, np.float16),
    "big integers": np.array([2**64 - 1, 0], np.uint64),
}


class Balanced(HTMLParser):
    """Checks that each tag is closed in its turn."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        if tag != "img":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: Any) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def checked(tensor: Any) -> str:
    text = tensor._repr_html_()
    parser = Balanced()
    parser.feed(text)
    assert not parser.open and len(text) < 20_000
    return text


def pixels(text: str) -> np.ndarray:
    data = re.search(r'base64,([^"]+)"', text)
    assert data
    return np.asarray(Image.open(io.BytesIO(b64decode(data[1]))).convert("RGB"))


def rgb(colour: str) -> list[int]:
    return list(bytes.fromhex(colour[1:]))


@pytest.mark.parametrize("name", ARRAYS)
def test_every_kind_of_array(name: str) -> None:
    for make in (hybrid.Tensor, hybrid.Variable):
        assert "None" not in checked(make(ARRAYS[name]))


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_every_dtype(dtype: np.dtype) -> None:
    for shape in ((4,), (2, 2), (), (1, 2, 2)):
        assert dtype.name in checked(hybrid.asarray(np.ones(shape, dtype)))


def test_facts() -> None:
    text = checked(hybrid.asarray(np.arange(12.0).reshape(3, 4)))
    assert "<b>Tensor</b>" in text and "3 × 4 · float64 · 96 bytes" in text and "min 0 · mean 5.5 · max 11" in text
    assert "1 nan" in (text := checked(hybrid.asarray([1.0, np.nan, np.inf]))) and "1 inf" in text and "min 1 · mean 1 · max 1" in text
    assert "1 true, 2 false" in checked(hybrid.asarray([True, False, False]))
    assert "magnitude min 5" in checked(hybrid.asarray([3 + 4j]))
    assert "no elements" in checked(hybrid.asarray(np.zeros((0, 2))))
    assert "mean 3.33333e+307" in checked(hybrid.asarray(ARRAYS["huge numbers"]))
    assert "scalar · float64 · 8 bytes" in checked(hybrid.asarray(1.5)) and "1.5" in checked(hybrid.asarray(1.5))
    assert "1.0 KiB" in checked(hybrid.asarray(np.zeros(128))) and "7.6 MiB" in checked(hybrid.asarray(np.zeros(10**6)))


def test_names_are_escaped_and_cut() -> None:
    text = checked(hybrid.Variable([1.0], name='<script>alert("&")</script>'))
    assert "<script>" not in text and "&lt;script&gt;" in text and "<b>Variable</b>" in text
    assert len(checked(hybrid.Variable([1.0], name="w" * 10_000))) < 5_000


def test_values_are_cut() -> None:
    assert "…" in checked(hybrid.asarray(np.zeros((10, 10, 9)) + 1 / 3))


def test_bars() -> None:
    text = checked(hybrid.asarray([1.0, np.nan, -1.0]))
    assert text.count("<path") == 2 and BROKEN in text
    up, down = re.findall(r"M[\d.]+ ([\d.]+)V([\d.]+)", text)[:2]
    assert float(up[1]) < float(up[0]) == float(down[0]) < float(down[1])


def test_heat_map_shows_values_as_colours() -> None:
    image = pixels(checked(hybrid.asarray([[0.0, 1.0], [2.0, np.nan]])))
    assert image.shape == (2, 2, 3)
    assert image[1, 1].tolist() == rgb(BROKEN)
    brightness = image.sum(axis=2)
    assert brightness[0, 0] < brightness[0, 1] < brightness[1, 0]
    signed = pixels(checked(hybrid.asarray([[-1.0, 0.0, 1.0]])))
    assert signed[0, 0].tolist() == rgb("#2166ac") and signed[0, 2].tolist() == rgb("#b2182b")
    two = pixels(checked(hybrid.asarray([[True, False]])))
    assert two.tolist() == [[rgb(TWO[1]), rgb(TWO[0])]]
    assert pixels(checked(hybrid.asarray([False, True]))).tolist() == [[rgb(TWO[0]), rgb(TWO[1])]]


def test_large_arrays_are_sampled() -> None:
    image = pixels(text := checked(hybrid.asarray(np.add.outer(np.arange(300), np.arange(900)))))
    assert max(image.shape) <= 64 and "sampled values" in text
    endless = hybrid.asarray(np.broadcast_to(np.float32(1.5), (10**7, 10**9)))
    start = time.perf_counter()
    assert "min 1.5 · mean 1.5 · max 1.5 (of" in checked(endless)
    assert "sampled" in checked(hybrid.asarray(np.broadcast_to(1.0, (10**12,))))
    assert "sampled" in checked(hybrid.asarray(np.broadcast_to(1.0, (10**5, 10**5, 10**5))))
    assert time.perf_counter() - start < 2


def test_nothing_is_written() -> None:
    x = np.arange(5.0)
    x.flags.writeable = False
    assert html(hybrid.asarray(x)) and x.tolist() == [0, 1, 2, 3, 4]
