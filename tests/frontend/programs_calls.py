"""Calls: arguments of all kinds, builtins, partial, errors in argument lists."""

# ruff: noqa - programs as users may write them

import functools
import itertools
import operator

import numpy as np
from frontend.table import SCALARS, SEQUENCES, program

from hybrid.frontend import do_not_convert


def helper(a, b=2, *rest, c=3, **more):
    if a is None:
        return "none"
    return a, b, rest, c, more


def changes(xs, k):
    for i in range(len(xs)):
        if i == k:
            xs[i] += 10


def deep(n):
    return 0 if n == 0 else 1 + deep(n - 1)


@do_not_convert
def unconverted(x):
    return "as it is" if x else None


class Text(str):
    def __call__(self):
        return self + "!"


@program(on=SCALARS)
def argument_kinds(x):
    args, kw = (1, 2), {"c": 5}
    return helper(x), helper(x, *args), helper(*args, **kw), helper(x, *args, 7, z=1, **kw), helper(a=x), helper(*[], x, *"ab")


@program(on=SCALARS)
def order_of_arguments(x):
    log = []

    def at(v):
        log.append(v)
        return v

    at(helper)(at(1), *at([2]), c=at(3), **at({"d": 4}))
    return log


@program((5,), (None,))
def star_of_what_is_not_iterable(x):
    return helper(*x)


@program((5,), ({"a": 1},), ({1: 2},))
def double_star_errors(x):
    return helper(a=0, **x)


@program(({"a": 1}, {"a": 2}), ({"a": 1}, {"b": 2}))
def double_star_twice(p, q):
    return helper(**p, **q)


@program(on=[0])
def missing_argument(x):
    return helper()


@program(on=[0])
def unexpected_argument(x):
    return deep(1, y=2)


@program(on=[5, None, "t"])
def not_callable(x):
    return x(1)


@program(on=[5, "t"])
def not_callable_with_star(x):
    return x(*[1])


@program(([1, 2, 3],), (np.arange(3.0),))
def helper_mutates(xs):
    for k in range(2):
        changes(xs, k)
    return xs


@program(on=SEQUENCES)
def builtins_on_sequences(xs):
    return len(xs), list(xs), tuple(xs), list(enumerate(xs)), list(map(str, xs)), list(filter(None, [0, 1])), bool(xs is xs)


@program(on=[[1, 2, 3], (4.0, -5.0), np.array([1.0, -2.0, 3.0]), range(4), []])
def reductions(xs):
    return sum(xs), sum(xs, 5), any(xs), all(xs), sorted(xs), min(xs), max(xs)


@program(on=SCALARS)
def number_builtins(x):
    return abs(x), int(x), float(x), bool(x), round(float(x), 1), divmod(x, 2), pow(x, 2), max(x, 1), min(x, 1, key=abs), str(x), repr(x)


@program(on=SCALARS)
def type_builtins(x):
    return type(x).__name__, isinstance(x, int | float), issubclass(type(x), object), callable(x), hash(x) == hash(x), id(x) == id(x)


@program(on=[-3, 0, 2])
def ranges(n):
    return list(range(n)), list(range(1, n)), list(range(n, -n, -1)), range(n)


@program(on=SCALARS)
def partials(x):
    f = functools.partial(helper, 1, c=x)
    g = functools.partial(lambda a, b: a if a > b else b, x)
    return f(), f(9, c=8), g(1), functools.reduce(operator.add, [x, 1])


@program(on=SCALARS)
def callables(x):
    t = Text("a")
    return t(), "".join(["a", "b"]), [].append(x), "a,b".split(","), {}.get("k", x), dict(a=x), list.append([], 1)


@program(on=SCALARS)
def bound_methods(x):
    xs = []
    put = xs.append
    put(x)
    for i in range(2):
        put(i)
    return xs, xs.index(x), xs.count(0)


@program(on=[5, 300, 900])
def deep_recursion(n):
    return deep(n)


@program(on=[0])
def endless_recursion(n):
    def f(k):
        return f(k + 1)

    return f(n)


@program(on=[0, 1])
def not_converted(x):
    return unconverted(x)


@program(on=SEQUENCES)
def iterators(xs):
    it = iter(xs)
    first = next(it, "none")
    return first, list(it), list(itertools.chain(xs, [1])), list(itertools.islice(xs, 2))


@program(on=[0, 1])
def next_raises(n):
    it = iter([1][:n])
    return next(it)


@program((np.arange(6.0).reshape(2, 3),))
def numpy_calls(a):
    return (
        np.sum(a, axis=0),
        np.where(a > 2, a, -a),
        a.sum(),
        np.dot(a, a.T),
        np.add.reduce(a),
        np.linalg.norm(a),
        np.vectorize(lambda v: v + 1)(a),
    )


@program(on=SCALARS)
def sort_with_key(x):
    return sorted([3, 1, 2], key=lambda v: -v if x > 0 else v), max(["a", "bbb"], key=len), list(map(lambda v: v and 1, [0, 2]))


@program(on=SCALARS)
def calls_in_calls(x):
    def inc(v):
        return v + 1

    return inc(inc(inc(x))), (lambda f: f(f(x)))(inc), [inc, inc][0](x), {"f": inc}["f"](x)


@program(on=SCALARS)
def getattr_and_setattr(x):
    class C:
        pass

    c = C()
    setattr(c, "v", x)
    return getattr(c, "v"), getattr(c, "w", 1), hasattr(c, "v"), vars(c)


@program(on=[2])
def exec_made(x):
    names = {}
    exec("def made(v):\n    return v if v > 1 else -v", names)
    return names["made"](x)
