"""What functions read from outside, between whose calls others change it: nothing is stale."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hybrid.functions.function import function

pytestmark = pytest.mark.usefixtures("interpreted")

ARRAY = np.ones(3)


class Model:
    k = 1

    def __init__(self) -> None:
        self.v, self.arr, self.items = 1, np.zeros(3), [1]

    def step(self, x: int) -> Any:
        return self.v + x + self.k


def method_of_an_array(m: Model, x: int) -> Any:
    return m.arr.sum() + x, m.arr.T.shape, m.arr.max(), ARRAY.sum(), ARRAY.size, ARRAY.dtype


def written_then_read(m: Model, x: int) -> Any:
    m.arr += x
    m.arr[0] = 7
    m.items.append(x)
    m.v -= 1
    return m.arr.sum(), len(m.items)


def method(m: Model, x: int) -> Any:
    return m.step(x)


def deleted(m: Model, x: int) -> Any:
    del m.v
    m.w = x
    return hasattr(m, "v"), hasattr(m, "w"), m.w


def _array(m: Model) -> None:
    m.arr[:] = 5


def _other_array(m: Model) -> None:
    m.arr = np.ones(2)


def _global(m: Model) -> None:
    ARRAY[:] = 2


def _value(m: Model) -> None:
    m.v = 5


def _class(m: Model) -> None:
    Model.k = 10


def _own(m: Model) -> None:
    m.step = lambda x: -x  # type: ignore[method-assign]


def _nothing(m: Model) -> None:
    pass


CHANGES = [_nothing, _array, _other_array, _global, _value, _class, _own, _nothing]


@pytest.mark.parametrize("plain", [method_of_an_array, written_then_read, method, deleted])
def test_changes_between_calls(plain: Any) -> None:
    seen = []
    for f in (plain, function(plain)):
        m, found = Model(), []
        ARRAY[:], Model.k = 1, 1
        for change in CHANGES:
            change(m)
            try:
                found.append(repr(f(m, 1)))
            except AttributeError as error:
                found.append(str(error))
        state = {name: value for name, value in vars(m).items() if name != "step"}
        seen.append((found, repr(state)))
    assert seen[0] == seen[1]
