"""Assignment, subscripts, slices, text, names."""

# ruff: noqa - programs as users may write them

import numpy as np
from frontend.table import ARRAYS, SCALARS, SEQUENCES, program


@program(on=SEQUENCES)
def unpack_two(xs):
    a, b = xs
    return a, b


@program(on=SEQUENCES)
def unpack_star(xs):
    a, *b = xs
    *c, d = xs
    return a, b, c, d


@program(([1, [2, 3]],), ([1, 2],), (5,))
def unpack_nested(xs):
    a, (b, c) = xs
    [d, [e, f]] = xs
    return a, b, c, d, e, f


@program(([0, 0, 0],), (np.zeros(3),))
def unpack_into_containers(a):
    i = 0
    i, a[i] = 1, 5
    a[i], i = 7, 2
    (a[0], *a[1:3]), b = (1, 2, 3), 4
    return a, i, b


@program(on=SCALARS)
def chained_assignment(x):
    a = b = c = x + 1
    d = [0, 0]
    i = d[0] = d[1] = b
    return a, b, c, d, i


@program(on=SCALARS)
def order_of_evaluation(x):
    log = []

    def at(name, value):
        log.append(name)
        return value

    a = [1, 2, 3]
    at("owner", a)[at("index", 0)] = at("value", x)
    at("o", a)[at("i", 1)] += at("v", 1)
    b = {at("k1", 1): at("v1", 2), **at("star", {3: 4}), at("k2", 5): at("v2", 6)}
    c = [at("l1", 1), *at("l2", [2]), at("l3", 3)]
    return a, b, c, log


@program(on=[*SCALARS, *ARRAYS])
def augmented_on_names(x):
    y = x
    y += 1
    y -= 3
    y *= 2
    return x, y


@program(on=SCALARS)
def augmented_operators(x):
    a = x
    a /= 2
    a //= 1
    a **= 2
    a %= 7
    return a


@program((6, 3), (True, False), (5, 2.5))
def augmented_bits(a, b):
    c = a
    c |= b
    c &= 7
    c ^= 1
    c <<= 2
    c >>= 1
    return c


@program((1, "a"), ([1], "a"), ([1], 5), (None, None))
def augmented_on_what_does_not_fit(a, b):
    a += b
    return a


@program((2, "a"), ("a", 2))
def power_that_does_not_fit(a, b):
    a **= b
    return a


@program((np.eye(2), np.arange(4.0).reshape(2, 2)), (np.eye(2), np.eye(3)))
def augmented_matmul(a, b):
    a @= b
    return a


@program(([1, 2, 3],), (np.arange(3.0),), ((1, 2, 3),))
def augmented_items(a):
    b = a
    a[0] += 5
    a[-1] *= 2
    a[1:] += a[:2]
    return a, b


@program(on=SCALARS)
def augmented_unbound(x):
    if x > 0:
        y = 1
    y += 1
    return y


@program(on=SEQUENCES)
def subscripts(a):
    return a[0], a[-1]


@program(on=SEQUENCES)
def slices(a):
    return a[1:], a[:-1], a[::2], a[:], a[1:2:1]


@program((np.arange(24.0).reshape(2, 3, 4),))
def array_subscripts(a):
    i = 1
    return a[i], a[0, 1:], a[..., i], a[:, None, 0], a[a > 5], a[[0, 1], [1, 2]], a[(0, 1)], a[i, ::-1, 1:3], a[*(0, 1), 2]


@program((np.arange(6.0), 2), (np.arange(6.0), 9), ([1, 2, 3], 1), ([1, 2, 3], 7), ({2: 5}, 2), ({}, 0))
def index_errors(a, i):
    return a[i]


@program((np.arange(6.0), 2), (np.arange(6.0), 9), ([1, 2, 3], 7), ((1, 2), 0))
def store_errors(a, i):
    a[i] = 5
    return a


@program((np.arange(6.0),))
def array_stores(a):
    b = a[1:4]
    a[1] = 50
    b[1:] = a[:2]
    a[a > 4] = -1
    a[[0, 5]] += 10
    return a, b


@program(([1, 2, 3, 4],), ({0: 1, 1: 2},))
def delete_items(a):
    del a[0], a[1]
    return a


@program(([1, 2, 3, 4],))
def delete_slices_and_names(a):
    b = c = a
    del a[1:3]
    del (b, [c])
    return a, c


@program(on=[*SCALARS, "text", None, [1]])
def fstrings(x):
    return f"a{x}b", f"{x!r:>8}|{x!s}|{x!a}", f"{{}}{x}{x}", "", f"{x=}"


@program(on=SCALARS)
def fstring_specs(x):
    width = 8
    return f"{x:{width}}", f"{x:>{width}.3}" if isinstance(x, float) else "", f"{x + 1 if x else 'zero'}"


@program((1.5, "d"), ("t", "d"), (3, "05d"))
def fstring_errors(x, spec):
    return f"{x:{spec}}"


@program(on=SCALARS)
def printing(x):
    print(x, x + 1, sep=", ", end="!\n")
    print(f"{x}")
    print()


@program(on=SCALARS)
def undefined_global(x):
    return x + this_is_not_defined


@program(on=SCALARS)
def displays(x):
    return [x, *[1, 2]], (x, *"ab"), {x, 1}, {"a": x, **{"b": 1}}, (), [], {}


@program((5,), ("ab",))
def star_of_what_is_not_iterable(x):
    return [*x]


@program(on=SCALARS)
def annotated(x: float) -> float:
    y: int = 1
    z: undefined_name
    a = [0]
    a[0]: int = 5
    return x + y + a[0]


@program(on=SCALARS)
def annotated_only(x):
    y: int
    return y


@program(on=SCALARS)
def imports(x):
    import math
    import os.path as p
    from math import floor as down
    from math import pi

    return math.ceil(x), down(x), pi, p.join("a", "b")


@program(on=SCALARS)
def import_in_a_branch(x):
    if x > 0:
        import math
    return math.pi


@program(on=SCALARS)
def import_missing(x):
    from math import nothing_like_this

    return nothing_like_this


@program(on=SCALARS)
def locals_and_eval(x):
    a = 1
    if x > 0:
        b = 2
    seen = dict(locals())
    return seen, eval("a + x"), sorted(vars()), dir(), eval("a", {"a": 5}), "np" in globals()


@program(on=SCALARS)
def exec_changes_nothing(x):
    a = 1
    exec("a = 2")
    names = {}
    exec("b = a + 1", {"a": x}, names)
    return a, names


@program((2 + 3j,), (1j,))
def complex_numbers(z):
    z *= 2
    return z.real, abs(z), z if z.imag > 2 else -z


@program(on=[b"ab", "\u00e9\u4e2d", ""])
def text_and_bytes(s):
    t = "é中" if s else "leer"
    return s * 2, t, s[:1] + s[1:], len(s)


@program((np.float32(1.5), 3), (np.int8(100), 100), (np.uint8(250), 10))
def numpy_scalars(a, b):
    c = a + b
    if c > 100:
        c = c - 1
    return c, a * 2, type(a).__name__


@program((np.arange(4.0),))
def methods_and_attributes(a):
    return a.sum(), a.shape[0], a.T.dtype.name, a.reshape(2, 2).mean(axis=0), np.where(a > 1, a, 0)


@program(on=SCALARS)
def eval_with_scopes(x):
    y = 2
    code = compile("x + y", "<code>", "eval")
    return eval(code), eval("y", None), eval("z", {"z": 1}), eval("x + z", None, {"z": 1, "x": 2}), eval(" y ")
