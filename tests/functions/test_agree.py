"""What counts as the same outcome of a call, and how a difference is told."""

from __future__ import annotations

from collections import namedtuple
from dataclasses import dataclass, field
from math import inf
from typing import Any

import numpy as np
import pytest

import hybrid
from hybrid.functions.agree import Agreement, Outcome, agreement, is_same, observe


@dataclass
class Point:
    x: float
    tags: list[str] = field(default_factory=list)


class Plain:
    def __init__(self, values: Any):
        self.values = values


class Slotted:
    __slots__ = ("__weakref__", "value")

    def __init__(self, value: Any):
        self.value = value


Pair = namedtuple("Pair", ["a", "b"])


def returning(value: Any) -> Outcome:
    return Outcome(value, None, "", (), {})


def compared(wanted: Any, received: Any) -> Agreement:
    return agreement(returning(wanted), returning(received))


def cyclic() -> list[Any]:
    made: list[Any] = [1.0]
    made.append(made)
    return made


SAME = [
    (None, None),
    (True, True),
    (10**30, 10**30),
    (1.5, 1.5),
    (float("nan"), float("nan")),
    (1 + 2j, 1 + 2j),
    ("text", "text"),
    (np.float32(2), np.float32(2)),
    (np.arange(3), np.arange(3)),
    (np.array([np.nan, np.inf, -0.0]), np.array([np.nan, np.inf, 0.0])),
    (np.array([complex(np.nan, 1)]), np.array([complex(np.nan, 1)])),
    (np.zeros((0, 3)), np.zeros((0, 3))),
    (np.array(["a", "b"]), np.array(["a", "b"])),
    (np.array([1, None], dtype=object), np.array([1, None], dtype=object)),
    ([1, (2.0, {"k": np.ones(2)})], [1, (2.0, {"k": np.ones(2)})]),
    (Pair(1, 2.0), Pair(1, 2.0)),
    (Point(1.0, ["a"]), Point(1.0, ["a"])),
    (Plain([np.ones(3)]), Plain([np.ones(3)])),
    (Slotted(3), Slotted(3)),
    ({1, 2}, {1, 2}),
    (lambda: 1, lambda: 2),
    (cyclic(), cyclic()),
    (hybrid.asarray([1.0, 2.0]), hybrid.asarray([1.0, 2.0])),
    (hybrid.Variable([1.0], name="w"), hybrid.Variable([1.0], name="w")),
]


@pytest.mark.parametrize(("one", "other"), SAME, ids=lambda value: type(value).__name__)
def test_same(one: Any, other: Any) -> None:
    assert compared(one, other) == Agreement(None, 0.0, 0.0)
    assert is_same(one, other)


DIFFERENT = [
    (1, 1.0, "result: wanted int, received float"),
    (1, True, "result: wanted int, received bool"),
    (None, 0, "result: wanted None, received int"),
    (2, 3, "result: wanted 2, received 3"),
    (10**30, 10**30 + 1, f"result: wanted {10**30}, received {10**30 + 1}"),
    (1.0, 1.0 + 1e-9, "result: wanted 1.0, received 1.000000001"),
    (np.float64(1), 1.0, "result: wanted NumPy scalar float64, received float"),
    (np.float64(1), np.array(1.0), "result: wanted NumPy scalar float64, received float64 array of shape ()"),
    (np.ones(2), np.ones(2, dtype="f4"), "result: wanted float64 array of shape (2,), received float32 array of shape (2,)"),
    (np.ones(2), np.ones((2, 1)), "result: wanted float64 array of shape (2,), received float64 array of shape (2, 1)"),
    (np.ones(2), hybrid.asarray(np.ones(2)), "result: wanted float64 array of shape (2,), received float64 Tensor of shape (2,)"),
    (np.array([[1, 2], [3, 4]]), np.array([[1, 2], [9, 5]]), "result[1, 0]: wanted 3, received 9; 2 of 4 elements differ"),
    (np.array([2**62]), np.array([2**62 + 1]), f"result[0]: wanted {2**62}, received {2**62 + 1}; 1 of 1 elements differ"),
    (np.array([1.0, np.nan]), np.array([1.0, 2.0]), "result[1]: wanted nan, received 2.0; 1 of 2 elements differ"),
    (np.array(["a"]), np.array(["b"]), "result[0]: wanted a, received b; 1 of 1 elements differ"),
    ("yes", "no", "result: wanted 'yes', received 'no'"),
    ([1, 2], [1], "result: wanted list of length 2, received list of length 1"),
    ([1], (1,), "result: wanted list, received tuple"),
    ({"a": 1}, {"b": 1}, "result: wanted dict with ['a'], received dict with ['b']"),
    ({"a": [0, 1]}, {"a": [0, 2]}, "result['a'][1]: wanted 1, received 2"),
    (Point(1.0, ["a"]), Point(1.0, ["b"]), "result.tags[0]: wanted 'a', received 'b'"),
    (Plain(1), Plain(2), "result.values: wanted 1, received 2"),
    (Slotted(1), Slotted(2), "result.value: wanted 1, received 2"),
    (Pair(1, 2), Pair(1, 3), "result[1]: wanted 2, received 3"),
    ({1}, {2}, "result: wanted {1}, received {2}"),
]


@pytest.mark.parametrize(("wanted", "received", "problem"), DIFFERENT, ids=lambda value: value if isinstance(value, str) else "")
def test_different(wanted: Any, received: Any, problem: str) -> None:
    found = compared(wanted, received)
    assert found.problem == problem
    assert found.difference > 0
    assert not is_same(wanted, received)


@pytest.mark.parametrize(("dtype", "bound"), [("f8", 1.82e-12), ("f4", 6.42e-6), ("f2", 5.52e-3), ("c16", 1.82e-12)])
def test_floats_may_be_off_by_a_bound(dtype: str, bound: float) -> None:
    """eps to the power of 3/4, and 64 eps of the largest element; here the element is a hundredth of the largest."""
    x = np.array([1.0, 0.01]).astype(dtype)
    eps = float(np.finfo(dtype).eps)
    allowed = eps**0.75 * 0.01 + 64 * eps
    assert bound == pytest.approx(eps**0.75, rel=0.01)
    near, far = x.astype("c16"), x.astype("c16")
    near[1] += 0.9 * allowed
    far[1] += 1.1 * allowed + eps
    near, far = (y if dtype == "c16" else y.real.astype(dtype) for y in (near, far))
    assert compared(x, near).problem is None
    assert compared(x, near).difference == pytest.approx(0.9 * allowed, rel=0.2)
    assert "1 of 2 elements differ" in (compared(x, far).problem or "")


def test_rounding_is_seen_though_it_is_allowed() -> None:
    found = compared(np.array([3.0, 1.0]), np.array([3.0, np.nextafter(1.0, 2.0)]))
    assert found == Agreement(None, np.finfo(float).eps, np.finfo(float).eps)
    assert not is_same(1.0, np.nextafter(1.0, 2.0))


def test_infinities_have_no_room() -> None:
    assert compared(np.array([np.inf, 1.0]), np.array([1e308, 1.0])).difference == inf
    assert compared(np.array([np.inf]), np.array([-np.inf])).problem is not None


def test_zero_has_no_relative_difference() -> None:
    assert compared(np.array([0.0, 1e6]), np.array([1e-10, 1e6])) == Agreement(None, 1e-10, 0.0)


def test_values_that_refuse_to_be_compared() -> None:
    class Stubborn:
        __slots__ = ()

        def __eq__(self, other: object) -> bool:
            raise RuntimeError("never")

        __hash__ = None  # type: ignore[assignment]

    assert compared(Stubborn(), Stubborn()).problem == "result: values of type Stubborn can't be compared"


def test_printed_text_counts() -> None:
    wanted, received = (observe(print, (text,), {}) for text in ("one", "two"))
    assert agreement(wanted, received).problem == r"printed text: wanted 'one\n', received 'two\n'"


def test_observing_shows_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert observe(print, ("text",), {}).printed == "text\n"
    assert capsys.readouterr().out == ""


def test_changed_arguments_count() -> None:
    wanted = Outcome(None, None, "", (np.zeros(2), [1]), {"out": np.ones(1)})
    received = Outcome(None, None, "", (np.zeros(2), [1, 2]), {"out": np.ones(1)})
    assert agreement(wanted, received).problem == "argument 2 after the call: wanted list of length 1, received list of length 2"
    received = Outcome(None, None, "", (np.zeros(2), [1]), {"out": np.zeros(1)})
    assert agreement(wanted, received).problem == "argument 'out' after the call[0]: wanted 1.0, received 0.0; 1 of 1 elements differ"


def raising(error: Exception) -> Outcome:
    return Outcome(None, error, "", (), {})


def test_exceptions_agree_by_class_and_message() -> None:
    assert agreement(raising(ValueError("no")), raising(ValueError("no"))) == Agreement()
    problem = agreement(raising(ValueError("no")), raising(TypeError("no"))).problem
    assert problem == "wanted ValueError: no, received TypeError: no"
    assert agreement(raising(ValueError("no")), raising(ValueError("oh"))).problem == "wanted ValueError: no, received ValueError: oh"
    assert agreement(raising(ValueError("no")), returning(3)).problem == "wanted ValueError: no, received a result: 3"


def test_an_unexpected_exception_is_told_with_its_notes() -> None:
    error = TypeError("not this")
    error.add_note('File "user.py", line 3')
    assert agreement(returning(3), raising(error)).problem == 'TypeError: not this\nFile "user.py", line 3'
