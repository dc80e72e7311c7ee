"""Where the user's code is."""

from __future__ import annotations

import linecache
from collections.abc import Callable
from typing import Any

import numpy as np

import hybrid
from hybrid._util.source import Location, user_location
from hybrid.core.interpreter import interpreting


def inside(module: str) -> Callable[..., Any]:
    """A function of a module of that name, calling what it is given."""
    names: dict[str, Any] = {"__name__": module}
    exec("def call(function):\n    return function()", names)
    return names["call"]


def text_at(place: Location | None) -> str:
    assert place is not None and place.file == __file__ and place.line == place.end_line
    return linecache.getline(place.file, place.line)[place.column : place.end_column]


def test_span_is_the_call() -> None:
    place = user_location()
    assert text_at(place) == "user_location()"
    assert str(place).startswith(f"{__file__}:")


def test_frames_of_hybrid_and_numpy_are_skipped() -> None:
    assert text_at(inside("hybrid.core.op")(lambda: inside("numpy")(user_location))) == 'inside("numpy")(user_location)'
    assert text_at(inside("hybrid")(user_location)) == 'inside("hybrid")(user_location)'


def test_names_that_only_begin_like_ours_are_the_users() -> None:
    assert inside("hybrid_tools")(user_location) == Location("<string>", 2, 11, 2, 21)


def test_equal_code_in_another_file_is_another_place() -> None:
    places = []
    for file in ("one.py", "two.py"):
        names: dict[str, Any] = {"__name__": "__main__", "user_location": user_location}
        exec(compile("place = user_location()", file, "exec"), names)
        places.append(str(names["place"]))
    assert places == ["one.py:1", "two.py:1"]


def test_place_of_operations_however_they_are_called() -> None:
    names: dict[str, Any] = {"__name__": "hybrid.ir.trace", "place": user_location}
    exec("class Tracer:\n    def bind(self, op, args, kwargs):\n        return place()", names)
    x = hybrid.asarray([1.0, 2.0])
    with interpreting(names["Tracer"]()):
        places: list[Any] = [x + x, np.add(x, x), hybrid.ops.arithmetic.add(x, x)]
    assert [text_at(place) for place in places] == ["x + x", "np.add(x, x)", "hybrid.ops.arithmetic.add(x, x)"]
