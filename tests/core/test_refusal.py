"""What errors of the eager path say: NumPy's class and message, the operation, and each argument."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import hybrid
from hybrid.core.refusal import described, refusal

X, M = hybrid.asarray(np.zeros(3)), hybrid.asarray(np.zeros((2, 2)))


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (lambda: X + np.zeros(2), ValueError, "shapes (3,) (2,) \n  in hybrid.add, received (x1: float64[3], x2: float64[2])"),
        (lambda: X + X[:2], ValueError, "in hybrid.add, received (x1: float64[3], x2: float64[2])"),
        (lambda: [1, 2] - X, ValueError, "in hybrid.subtract, received (x1: [1, 2], x2: float64[3])"),
        (lambda: ~X, TypeError, "in hybrid.bitwise_invert, received (x: float64[3])"),
        (lambda: X.__iadd__(1j), TypeError, "in hybrid.add, received (x1: float64[3], x2: 1j)"),
        (lambda: np.add(X, X[:2]), ValueError, "in numpy.add, received (x1: float64[3], x2: float64[2])"),
        (lambda: np.add.reduce(X, axis=1), np.exceptions.AxisError, "in numpy.add.reduce, received (array: float64[3], axis=1)"),
        (lambda: np.sum(X, axis=1), np.exceptions.AxisError, "in numpy.sum, received (a: float64[3], axis=1)"),
        (lambda: X.sum(axis=1), ValueError, "in Tensor.sum, received (self: float64[3], axis=1)"),
        (lambda: X.sum(axis=1), IndexError, "axis 1 is out of bounds for array of dimension 1"),
        (lambda: X.reshape(2, 2), ValueError, "cannot reshape array of size 3 into shape (2,2)\n  in Tensor.reshape"),
        (lambda: np.linalg.solve(M, M), np.linalg.LinAlgError, "Singular matrix\n  in numpy.linalg.solve, received (a: float64[2, 2]"),
        (lambda: np.concatenate([X, M]), ValueError, "in numpy.concatenate, received (arrays: [float64[3], float64[2, 2]])"),
        (lambda: X[3], IndexError, "index 3 is out of bounds for axis 0 with size 3\n  in indexing, received (float64[3], 3)"),
        (lambda: X[1:, 0], IndexError, "in indexing, received (float64[3], (1:, 0))"),
        (lambda: X[M > 0], IndexError, "in indexing, received (float64[3], bool[2, 2])"),
        (lambda: X.__setitem__(0, [1, 2]), ValueError, "in item assignment, received (float64[3], 0, [1, 2])"),
        (lambda: np.tile(X, 10**18), (ValueError, MemoryError), "in numpy.tile, received (A: float64[3], reps: 1000000000000000000)"),
        (lambda: np.sum(X, axs=1), TypeError, "axs"),
        (lambda: np.add(X, X, out=np.zeros(2)), ValueError, "out=(float64[2],))"),
        (lambda: np.einsum("ij->i", X), ValueError, "in numpy.einsum, received ('ij->i', float64[3])"),
    ],
)
def test_messages(call: Any, kind: Any, message: str) -> None:
    with pytest.raises(kind, match=re.escape(message)):
        call()


def test_nothing_is_changed_by_a_refusal() -> None:
    t = hybrid.constant([1, 2, 3])
    for call in (lambda: t.__iadd__(0.5), lambda: t.__setitem__(slice(None), [1, 2]), lambda: np.add(t, 1.5, out=t), lambda: t.sort(4)):
        with pytest.raises((TypeError, ValueError)):
            call()
        assert t.tolist() == [1, 2, 3]


def test_errors_of_callbacks_pass_unchanged() -> None:
    def fail(row: Any) -> Any:
        try:
            raise KeyError("inner")
        except KeyError:
            raise ValueError("mine")  # noqa: B904

    for call in (lambda: np.apply_along_axis(fail, 0, M), lambda: np.piecewise(X, [X == 0], [fail])):
        with pytest.raises(ValueError, match=r"^mine$") as caught:
            call()
        assert isinstance(caught.value.__context__, KeyError) and not caught.value.__suppress_context__


def test_interrupts_pass() -> None:
    def interrupt(row: Any) -> Any:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        np.apply_along_axis(interrupt, 0, M)


def test_warnings_as_errors_pass_unchanged() -> None:
    with pytest.raises(RuntimeWarning, match=r"^invalid value encountered in divide$"):
        X / 0


def test_errors_chain_to_nothing() -> None:
    with pytest.raises(ValueError) as caught:
        X + M[:, :0]
    assert caught.value.__cause__ is None and caught.value.__suppress_context__


# -- descriptions ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("value", "text"),
    [
        (np.zeros((2, 3), "f4"), "float32[2, 3]"),
        (hybrid.asarray([1, 2]), "int64[2]"),
        (hybrid.asarray(1.5), "float64[] = 1.5"),
        (np.float32(0.5), "float32[] = 0.5"),
        (hybrid.Variable([1.0], name="w"), "float64[1] named 'w'"),
        ([1, 2.5, None], "[1, 2.5, None]"),
        ([1] * 5, "[1, 1, 1, 1, …]"),
        ((np.zeros(1),), "(float64[1],)"),
        ((slice(None), slice(1, None, 2), Ellipsis), "(:, 1::2, Ellipsis)"),
        (np.dtype("f4"), "float32"),
        (np.int8, "int8"),
        (np.sin, "sin"),
        (len, "len"),
        ("a" * 100, repr("a" * 100)[:28] + "..." + repr("a" * 100)[-29:]),
        (10**1000, "an integer of 3322 bits"),
        (True, "True"),
        ({"a": 1}, "{'a': 1}"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_described(value: Any, text: str) -> None:
    assert described(value) == text


class Hostile:
    """Fails whatever it is asked."""

    def __getattribute__(self, name: str) -> Any:
        raise RuntimeError(name)

    def __repr__(self) -> str:
        raise RuntimeError

    __str__ = __repr__


class HostileError(ValueError):
    def __str__(self) -> str:
        raise RuntimeError


def test_descriptions_never_fail() -> None:
    loop: list[Any] = []
    loop.append(loop)
    nested: Any = 1
    for _ in range(5000):
        nested = [nested]
    for value in (Hostile(), [Hostile()], loop, nested, {"a": Hostile()}, np.zeros((3, 3)), lambda: 0, pytest):
        assert len(described(value)) < 300
    assert described(Hostile()) == "<Hostile>"


def test_refusals_never_fail() -> None:
    hostile = HostileError()
    assert refusal(hostile, "f", ()) is hostile
    assert str(refusal(ValueError("bad"), "f", (Hostile(), 1), {"k": Hostile()})) == "bad\n  in f, received (<Hostile>, 1, k=<Hostile>)"
    assert str(refusal(ValueError("bad"), "f", (1, 2), names=("x",))) == "bad\n  in f, received (x: 1, 2)"
    assert str(refusal(ValueError("bad"), "f", (1,), names=object)) == "bad\n  in f, received (1)"

    class Strange(ValueError):
        def __init__(self, a: int, b: int):
            super().__init__("strange")

    strange = Strange(1, 2)
    assert refusal(strange, "f", ()) is strange
    told = ValueError("wanted 1, received 2")
    assert str(refusal(told, "f", (1,))) == "wanted 1, received 2\n  in f"
    assert refusal(inner := refusal(told, "g", ()), "f", ()) is inner


def test_classes() -> None:
    for error in (np.linalg.LinAlgError("e"), IndexError("e"), OverflowError("e"), FloatingPointError("e"), BufferError("e")):
        assert type(refusal(error, "f", ())) is type(error)
    axis = refusal(np.exceptions.AxisError(3, 1), "f", ())
    assert isinstance(axis, ValueError) and isinstance(axis, IndexError) and str(axis).startswith("axis 3 is out of bounds for array of")
    with pytest.raises(TypeError) as caught:
        X.__iadd__(1j)
    assert type(caught.value) is TypeError
    for error in (KeyboardInterrupt(), StopIteration(), RecursionError(), OSError("e")):
        assert refusal(error, "f", ()) is error  # type: ignore[arg-type]
