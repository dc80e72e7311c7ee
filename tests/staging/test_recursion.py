"""Functions that call themselves as often as only running tells, plain and compiled."""

# ruff: noqa: E741
from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from frontend.table import assert_same, observe

from hybrid.errors import StagingError
from hybrid.functions.function import function

CASES: list[tuple[Any, tuple[Any, ...]]] = []


def case(*calls: tuple[Any, ...]) -> Callable[[Any], Any]:
    """A program, and the arguments to call it with."""

    def add(program: Any) -> Any:
        CASES.extend((program, arguments) for arguments in calls)
        return program

    return add


@pytest.fixture(autouse=True)
def graphs_are_interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The meaning of graphs, without a compiler in between."""
    monkeypatch.setenv("HYBRID_JIT", "0")


@case((0,), (1,), (10,))
def fact(n):
    def go(k):
        if k <= 1:
            return 1
        return k * go(k - 1)

    return go(n)


def fib_(n):
    return n if n < 2 else fib_(n - 1) + fib_(n - 2)


@case((0,), (7,))
def fib(n):
    return fib_(n)


def even_(n):
    if n == 0:
        return True
    return odd_(n - 1)


def odd_(n):
    if n == 0:
        return False
    return even_(n - 1)


@case((0,), (5,), (6,))
def mutual(n):
    return even_(n), odd_(n)


def ack_(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ack_(m - 1, 1)
    return ack_(m - 1, ack_(m, n - 1))


@case((2, 2), (1, 3))
def ack(m, n):
    return ack_(m, n)


def partition(a, lo, hi):
    p = a[hi]
    i = lo
    for j in range(lo, hi):
        if a[j] < p:
            t = a[i]
            a[i] = a[j]
            a[j] = t
            i += 1
    t = a[i]
    a[i] = a[hi]
    a[hi] = t
    return i


def qs_(a, lo, hi):
    if lo < hi:
        p = partition(a, lo, hi)
        qs_(a, lo, p - 1)
        qs_(a, p + 1, hi)


@case((np.array([3.0, 1, 2, 5, 4, 0]),))
def quicksort(a):
    qs_(a, 0, len(a) - 1)
    return a


def ms_(a):
    n = len(a)
    if n <= 1:
        return a
    l = ms_(a[: n // 2])
    r = ms_(a[n // 2 :])
    out = np.empty(n)
    i = 0
    j = 0
    for k in range(n):
        if j >= len(r) or (i < len(l) and l[i] <= r[j]):
            out[k] = l[i]
            i += 1
        else:
            out[k] = r[j]
            j += 1
    return out


@case((np.array([3.0, 1, 2, 5, 4, 0, 9]),))
def mergesort(a):
    return ms_(a)


def fill_(g, i, j):
    if i < 0 or j < 0 or i >= g.shape[0] or j >= g.shape[1] or g[i, j] != 0:
        return 0
    g[i, j] = 2
    return 1 + fill_(g, i + 1, j) + fill_(g, i - 1, j) + fill_(g, i, j + 1) + fill_(g, i, j - 1)


G = np.array([[0, 0, 1, 0], [1, 0, 1, 0], [0, 0, 1, 0]])


@case((G, 0, 0), (G, 1, 3), (G, 0, 2))
def flood(g, i, j):
    c = fill_(g, i, j)
    return c, g


def flood_closure(g):
    def go(i, j):
        if i < 0 or j < 0 or i >= g.shape[0] or j >= g.shape[1] or g[i, j] != 0:
            return 0
        g[i, j] = 2
        return 1 + go(i + 1, j) + go(i - 1, j) + go(i, j + 1) + go(i, j - 1)

    return go(0, 0), g


case((G,))(flood_closure)


def tree_sum_(l, r, v, i):
    if i < 0:
        return 0.0
    return v[i] + tree_sum_(l, r, v, l[i]) + tree_sum_(l, r, v, r[i])


@case((np.array([1, -1, -1]), np.array([2, -1, -1]), np.array([1.0, 2, 3])))
def tree(l, r, v):
    return tree_sum_(l, r, v, 0)


def memo_(n, memo):
    if n in memo:
        return memo[n]
    if n < 2:
        return n
    r = memo_(n - 1, memo) + memo_(n - 2, memo)
    memo[n] = r
    return r


@case((0,), (8,))
def memo_fib(n):
    m = {}
    return memo_(n, m), len(m)


def app_(n, out):
    if n > 0:
        out.append(n)
        app_(n - 1, out)
        out.append(-n)


@case((0,), (4,))
def appended(n):
    out = []
    app_(n, out)
    return out


class Counter:
    def __init__(self):
        self.count = 0

    def run(self, n):
        self.count += 1
        if n > 0:
            self.run(n - 1)
            self.run(n - 2)
        return self.count


@case((0,), (4,))
def method(n):
    c = Counter()
    return c.run(n), c.count


def types_(n):
    if n == 0:
        return None
    if n % 2:
        return n * 0.5
    return types_(n // 2)


@case((0,), (8,), (12,))
def types(n):
    return types_(n)


def raise_(n):
    if n == 0:
        raise ValueError(f"bottom {n}")
    return raise_(n - 1) + 1


@case((3,))
def raised(n):
    return raise_(n)


@case((3,), (0,))
def raised_caught(n):
    try:
        return raise_(n)
    except ValueError as e:
        return str(e)


def sometimes_(n):
    if n == 3:
        raise KeyError(n)
    if n <= 0:
        return 0
    try:
        return sometimes_(n - 1) + 1
    except KeyError:
        return 100


@case((2,), (5,))
def in_try(n):
    return sometimes_(n)


@case((5,))
def in_loop(n):
    t = 0
    for i in range(n):
        t += fib_(i)
    return t


def hanoi_(n, a, b, c):
    if n == 0:
        return 0
    return hanoi_(n - 1, a, c, b) + 1 + hanoi_(n - 1, c, b, a)


@case((3,))
def hanoi(n):
    return hanoi_(n, "A", "B", "C")


def collatz_(n, steps):
    if n == 1:
        return steps
    if n % 2 == 0:
        return collatz_(n // 2, steps + 1)
    return collatz_(3 * n + 1, steps + 1)


@case((7,), (1,))
def collatz(n):
    return collatz_(n, 0)


def printed_(n):
    print("at", n)
    if n > 0:
        printed_(n - 1)


@case((2,))
def printed(n):
    printed_(n)


def power_(x, n):
    if n == 0:
        return 1
    h = power_(x, n // 2)
    return h * h * x if n % 2 else h * h


@case((1.5, 7), (2, 0), (np.array([1.0, 2.0]), 5))
def power(x, n):
    return power_(x, n)


def perms_(items, k):
    if k == len(items):
        return 1
    t = 0
    for i in range(k, len(items)):
        items[k], items[i] = items[i], items[k]
        t += perms_(items, k + 1)
        items[k], items[i] = items[i], items[k]
    return t


@case((np.arange(4),))
def perms(a):
    return perms_(a, 0)


class Node:
    def __init__(self, f, t, l, r):
        self.f, self.t, self.l, self.r = f, t, l, r


T = Node(0, 0.5, Node(1, 0.3, 1.0, 2.0), Node(1, 0.7, 3.0, 4.0))


def predict_(node, x):
    if not isinstance(node, Node):
        return node
    if x[node.f] < node.t:
        return predict_(node.l, x)
    return predict_(node.r, x)


@case((np.array([0.2, 0.9]),), (np.array([0.8, 0.1]),))
def decision(x):
    return predict_(T, x)


def digits_(n):
    if n < 10:
        return [n]
    return [*digits_(n // 10), n % 10]


@case((7,), (1234,))
def digits(n):
    return digits_(n)


def gcd_(a, b):
    return a if b == 0 else gcd_(b, a % b)


@case(
    (12, 18),
)
def gcd(a, b):
    return gcd_(a, b)


def sumarr_(x):
    if len(x) == 0:
        return 0.0
    return x[0] + sumarr_(x[1:])


@case((np.arange(5.0),))
def sumarr(x):
    return sumarr_(x)


def deep_(n):
    return 0 if n == 0 else 1 + deep_(n - 1)


@case(
    (100,),
)
def deep(n):
    return deep_(n)


@case((5000,), (950,))
def deeper(n):
    return deep_(n)


def inf_(n):
    return inf_(n + 1)


@case(
    (1,),
)
def infinite(n):
    return inf_(n)


def scale_(x, d):
    if d == 0:
        return x
    return scale_(x * 0.5, d - 1) + scale_(x * 2, d - 1)


@case((1.0, 5), (np.ones(3), 4))
def static_depth(x, d):
    return scale_(x, 9)


def sub_(xs, i, s):
    if i == len(xs):
        return 1 if s == 0 else 0
    return sub_(xs, i + 1, s) + sub_(xs, i + 1, s - xs[i])


@case(
    ([1, 2, 3, 4], 5),
)
def subset(xs, s):
    return sub_(xs, 0, s)


def vec_(x, n):
    if n == 0:
        return x
    y = vec_(x, n - 1)
    y[0] += 1
    return y


@case(
    (np.zeros(3), 3),
)
def alias(x, n):
    y = vec_(x, n)
    return y is x, x


def view_(a):
    if len(a) < 2:
        return
    a[0] += 1
    view_(a[1:])


@case(
    (np.zeros(5),),
)
def views(a):
    view_(a)
    return a


def tup_(n):
    if n == 0:
        return 0, 1
    a, b = tup_(n - 1)
    return b, a + b


@case(
    (10,),
)
def tuples(n):
    return tup_(n)


@pytest.mark.parametrize(("program", "arguments"), [pytest.param(p, a, id=p.__name__) for p, a in CASES])
def test_compiled_is_as_plain(program: Any, arguments: tuple[Any, ...]) -> None:
    mine, theirs = copy.deepcopy(arguments), copy.deepcopy(arguments)
    assert_same(observe(program, mine), observe(function(program), theirs))


def test_the_graph_calls_itself() -> None:
    text = str(function(fact).trace(5).graph)
    assert "call(%0, routine=go)" in text


def swaps(a: Any, b: Any) -> None:
    if a[0] < 9:
        a[0] += b[0]
        swaps(b, a)


def test_arrays_that_are_changed_may_not_share_memory() -> None:
    a = np.ones(2)

    def f(x: Any) -> Any:
        swaps(x, x)
        return x

    with pytest.raises(StagingError, match="share no memory"):
        function(f)(a)


def test_texts_that_are_new_in_each_call_are_refused() -> None:
    def go(x: Any, path: str) -> int:
        return len(path) if x[0] == 0 else go(x - 1, path + "x")

    def f(x: Any) -> int:
        return go(x, "")

    with pytest.raises(StagingError, match="wanted calls of go on the same objects and texts again"):
        function(f)(np.ones(2))
