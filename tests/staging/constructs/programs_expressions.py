"""Expressions."""

import numpy as np
from staging.constructs.table import construct


@construct("and: the value of the last that was looked at")
def and_gives_a_value(x):
    return x and x + 1


@construct("or: the value of the first that is true")
def or_gives_a_value(x):
    return x or "nothing"


@construct("not")
def not_of_a_value(x):
    return not x, not np.sum(x) > 1


@construct("and, or and not together")
def mixed_logic(x):
    s = np.sum(x)
    return (s > 0 and s < 3) or (not s > -2 and "low")


@construct("and stops at what is false")
def and_is_lazy(x):
    s = np.sum(x)
    return s > 0 and 1 / s > 0.3


@construct("chained comparison")
def chained_comparison(x):
    return 0 < np.sum(x) < 3, -5 <= np.sum(x) != 2 <= 4


@construct("chained comparison of the value itself")
def chained_on_the_value(x):
    return -1 < x <= 3


@construct("the middle of a chained comparison is computed once")
def chain_computes_once(x):
    def middle():
        print("once")
        return np.sum(x)

    return 0 < middle() < 10


@construct("comparisons")
def comparisons(x):
    return x == 3, x != 3, x < 1, x >= 1


@construct("is, is not")
def identity(x):
    y = x
    return y is x, x is None, x is not None


@construct("in and not in")
def membership(x):
    return 3 in [1, 2, np.sum(x)], np.sum(x) in (2, 2.5), "a" not in {"a": x}


@construct("in over the value itself")
def membership_in_the_value(x):
    return 3 in x


@construct("arithmetic operators")
def arithmetic(x):
    return x + 1, x - 1.5, x * 2, x / 2, x // 2, x % 3, -x, +x, abs(x)


@construct("powers")
def powers(x):
    return x**2, 2.0 * x**3, x**0.5


@construct("bitwise operators")
def bitwise(x):
    return x & 1, x | 2, x ^ 3, ~x, x << 1, x >> 1


@construct("matrix product")
def matrix_product(x):
    return x @ np.array([1.0, 2.0, 3.0])


@construct("division by zero")
def division_by_zero(x):
    zero = x - x
    return x / zero


@construct("remainder of a division by zero")
def remainder_by_zero(x):
    return x % (x - x), x // (x - x)


@construct("walrus")
def walrus(x):
    if (s := np.sum(x)) > 0:
        return s + 1
    return s, (y := x) is x, y


@construct("walrus in and")
def walrus_in_and(x):
    if (s := np.sum(x)) > 0 and (t := s * 2) > 3:
        return s, t
    return s


@construct("walrus in a loop's test")
def walrus_in_while(x):
    n = 0
    total = 0.0
    while (n := n + 1) < 5:
        total = total + np.sum(x) * n
    return total, n


@construct("built-in functions")
def built_ins(x):
    return abs(x), max(np.sum(x), 1), min(np.sum(x), 0.5), round(float(np.sum(x)), 1), int(np.sum(x)), bool(np.sum(x))


@construct("len, and sum, max, min, any, all of the value")
def built_ins_over_the_value(x):
    return len(x), sum(x), max(x), min(x), any(x), all(x)


@construct("sorted, reversed and list")
def sorted_and_reversed(x):
    return sorted(x), list(reversed(x)), list(x)


@construct("divmod, pow and round")
def number_functions(x):
    return divmod(x, 2), pow(x, 2), round(x)


@construct("int, float and bool")
def conversions(x):
    return int(x), float(x), bool(x)


@construct("isinstance and type")
def kinds_of_values(x):
    if isinstance(x, int | float):
        return "number", type(x) is bool
    if isinstance(x, np.generic):
        return "scalar", x.dtype.name
    return "array", x.shape, x.ndim


@construct("f-string")
def f_string(x):
    return f"{np.sum(x):.2f} is the sum, {len(np.ravel(x))} values"


@construct("f-string of the value itself")
def f_string_of_the_value(x):
    return f"{x} and {x!r} and {x!s:>30}"


@construct("str, repr and format")
def text_of_values(x):
    return str(x), repr(np.sum(x)), "{:.1f}|{}".format(float(np.sum(x)), 3), "%d items" % np.size(x)


@construct("print")
def prints(x):
    print("sum", np.sum(x), sep="=", end=";\n")
    print(x)


@construct("index and slice")
def index_and_slice(x):
    return x[0], x[-1], x[1:], x[::-1]


@construct("index that running decides")
def index_decided_by_running(x):
    v = np.array([10.0, 20.0, 30.0])
    i = int(np.sum(x))
    return v[i]


@construct("index of a list that running decides")
def index_of_a_list(x):
    names = ["zero", "one", "two", "three"]
    return names[int(np.sum(x))]


@construct("key of a dict that running decides")
def key_of_a_dict(x):
    return {2: "two", 3: x, -2: "minus two"}[int(np.sum(x))]


@construct("star-unpacking")
def star_unpacking(x):
    first, *rest = x
    return first, rest


@construct("star-unpacking in the middle, and of tuples")
def star_in_the_middle(x):
    a, *b, c = [x, 1, 2, np.sum(x)]
    (d, e), f = (a, c), b
    return [*b, a], (*f, d), {**{"k": e}, "l": c}


@construct("unpacking the value into two")
def unpack_two(x):
    a, b = x
    return a + b


@construct("del of items and names")
def del_of_items(x):
    values = [x, 1, 2]
    named = {"a": x, "b": 2}
    del values[0], named["b"]
    return values, named


@construct("augmented assignment")
def augmented(x):
    y = x * 1
    y += 2
    y *= 3
    y -= 1
    return y, x


@construct("augmented assignment of the argument")
def augmented_argument(x):
    x += 1
    x *= 2
    return x


@construct("assert with a message")
def assert_with_message(x):
    assert np.sum(x) > 0, f"the sum is {np.sum(x)}"
    return x


@construct("lambda")
def lambdas(x):
    double, add = lambda v: v * 2, lambda v, w=1: v + w
    return add(double(x)), add(x, w=double(2))


@construct("complex numbers")
def complex_numbers(x):
    z = x + 1j
    return z * z, z.real, z.imag, np.conj(z)


@construct("integers that overflow")
def overflow(x):
    return np.int64(2) ** np.int64(62) * 2 + np.int64(np.sum(x)), np.int8(100) + np.int8(np.size(x) + 27), 2**70 // 2**65
