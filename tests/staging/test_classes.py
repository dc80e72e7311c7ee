"""Classes of the user's with methods that Python calls by itself; what they write down is written at each run."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest

from hybrid.functions.function import function

pytestmark = pytest.mark.usefixtures("interpreted")

LOG: list[Any] = []


class Meta(type):
    def __call__(cls, *args: Any) -> Any:
        LOG.append("meta")
        return super().__call__(*args)


class Watched(metaclass=Meta):
    def __init__(self, a: Any):
        self.a = a

    def __getattr__(self, name: str) -> Any:
        LOG.append(name)
        return name

    def __setattr__(self, name: str, value: Any) -> None:
        LOG.append(("set", name))
        object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        LOG.append(("del", name))
        super().__delattr__(name)


class Reader:
    def __init__(self, a: Any):
        self.a = a

    def __getattribute__(self, name: str) -> Any:
        return super().__getattribute__(name.removeprefix("the_"))


class Doubled:
    def __get__(self, owner: Any, kind: Any) -> Any:
        LOG.append("dget")
        return 1 if owner is None else owner._value

    def __set__(self, owner: Any, value: Any) -> None:
        LOG.append("dset")
        owner._value = value * 2


class Holder:
    d = Doubled()

    @functools.cached_property
    def c(self) -> Any:
        LOG.append("cached")
        return self.d + 1


class Pair:
    def __init__(self, a: Any):
        self.a = a

    def __iter__(self) -> Any:
        yield self.a
        yield self.a + 1


def watched(x: Any) -> Any:
    m = Watched(x)
    m.z = x
    if x > 0:
        del m.z
    return m.a, m.z, m.nothing


def reader(x: Any) -> Any:
    r = Reader(x)
    return r.the_a + r.a


def holder(x: Any) -> Any:
    h = Holder()
    h.d = x
    if x > 0:
        h.d += 1
    return h.d, h.c, h.c, Holder.d


def cached_in_a_branch(x: Any) -> Any:
    h = Holder()
    h.d = x
    first = h.c if x > 0 else 0
    h.d = 5
    return first, h.c


def pair(x: Any) -> Any:
    a, b = Pair(x)
    return a, b, [v * 2 for v in Pair(x)], list(Pair(x))


@pytest.mark.parametrize("plain", [watched, reader, holder, cached_in_a_branch, pair])
def test_each_run_does_what_plain_python_does(plain: Any) -> None:
    compiled = function(plain)
    for x in (1, 2, -3, 0.5, np.float64(2.0)):
        seen = []
        for f in (plain, compiled):
            LOG.clear()
            seen.append(repr((f(x), LOG)))
        assert seen[0] == seen[1]
