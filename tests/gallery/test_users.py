"""Programs as users write them, compiled, on the interpreter of graphs."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
from gallery.test_compiled import assert_same
from gallery.users import PROGRAMS

import hybrid


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize(("function", "arguments"), PROGRAMS, ids=lambda x: getattr(x, "__name__", ""))
def test_compiled_is_as_plain(function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    given, plain = copy.deepcopy(arguments), copy.deepcopy(arguments)
    assert_same(hybrid.function(function)(*given), function(*plain), 1e-11)
    for got, want in zip(given, plain, strict=True):
        if not callable(want):
            assert_same(got, want, 1e-11)
