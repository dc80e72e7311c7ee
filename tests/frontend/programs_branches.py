"""Branches, conditional expressions, boolean operators, comparisons."""

# ruff: noqa - programs as users may write them

import numpy as np
from frontend.table import ARRAYS, SCALARS, SEQUENCES, program

ALL = [*SCALARS, *ARRAYS]


@program(on=ALL)
def if_else(x):
    if x > 0:
        y = x * 2
    else:
        y = -x
    return y


@program(on=ALL)
def elif_chain(x):
    if x > 2:
        kind = "large"
    elif x > 0:
        kind = "small"
    elif x == 0:
        kind = "zero"
    else:
        kind = "negative"
    return kind


@program(on=SCALARS)
def bound_on_one_path(x):
    if x > 0:
        y = 1
    return y


@program(on=SCALARS)
def unbound_in_a_branch(x):
    if x > 0:
        y = 1
    if x > -10:
        z = y + 1
    return z


@program(on=SCALARS)
def deleted_on_one_path(x):
    y = 1
    if x > 0:
        del y
    return y


@program(on=SCALARS)
def deleted_twice(x):
    y = 1
    del y
    if x > 0:
        y = 2
    del y
    return x


@program(on=ALL)
def early_returns(x):
    if x > 2:
        return "a"
    if x > 1:
        return "b"
    y = x + 1
    if y > 0:
        y = y * 2
        return y
    return None


@program(on=SCALARS)
def falls_off_the_end(x):
    if x > 0:
        return x
    x = 5


@program(on=SCALARS)
def returns_in_nested_branches(x):
    if x > 0:
        if x > 2:
            return 1
        y = 2
    else:
        if x < -1:
            return 3
        y = 4
    return y


@program(on=SCALARS)
def nothing_in_a_branch(x):
    if x:
        pass
    else:
        x = 7
    return x


@program(on=ALL)
def conditional_expression(x):
    return "yes" if x else "no"


@program(on=ALL)
def nested_conditional_expressions(x):
    return (1 if x > 2 else 2) if x > 0 else (3 if x < -1 else 4)


@program(on=ALL)
def and_or_values(x):
    return x and 1, x or 2, (x and 0) or 3, (x > 1 and x < 3) or "none"


@program(on=ALL)
def not_values(x):
    return not x, not not x


@program(on=[*ALL, "text", None, [], [0]])
def truth(x):
    if x:
        return True
    return False


@program(on=SCALARS)
def short_circuit_prints(x):
    def say(word, value):
        print(word)
        return value

    return say("a", x) and say("b", x - 1) and say("c", 0), say("d", x) or say("e", 0) or say("f", 5)


@program(on=ALL)
def chained_comparison(x):
    return 0 < x < 3, 0 < x <= 3 != x, 1 == x == 1


@program(on=SCALARS)
def chain_evaluates_the_middle_once(x):
    seen = []

    def middle():
        seen.append(1)
        return x

    return 0 < middle() < 2, seen, 0 < middle() <= middle(), seen


@program(on=ALL)
def identity(x):
    y = x
    return x is y, x is not y, x is None, x is not None


@program(on=SEQUENCES)
def membership(xs):
    return 1 in xs, 2 not in xs, [1 in xs for _ in range(2)]


@program(("b", "abc"), (1, 2), (None, [None]))
def membership_of_text(x, xs):
    return x in xs


@program(on=SCALARS)
def walrus_in_a_test(x):
    if (y := x * 2) > 3:
        return y
    return y, "small"


@program(on=SCALARS)
def walrus_behind_and(x):
    if x > 0 and (y := x * 2) > 1:
        return y
    return y


@program(on=SCALARS)
def walrus_in_a_conditional(x):
    z = (y := 1) if x > 0 else (w := 2)
    return z, y, w


@program(on=SCALARS)
def walrus_in_a_chain(x):
    ok = 0 < (a := x) < (b := 3)
    return ok, a, b


@program(on=SCALARS)
def walrus_in_elif(x):
    if (a := x) > 2:
        pass
    elif (b := a + 1) > 1:
        a = b
    elif c := b * 2:
        a = c
    return a, b, c


@program(on=SCALARS)
def value_raises_in_the_test(x):
    if 1 / x > 0.3:
        return "big"
    return "small"


@program((np.array([1.0, 2.0]),), (np.array([]),))
def ambiguous_truth(v):
    if v > 0:
        return 1
    return 2


@program(on=SCALARS)
def branch_swaps(x):
    a, b = 1, 2
    if x > 0:
        a, b = b, a
    return a, b


@program(on=SCALARS)
def many_early_returns(n):
    if n == 0:
        return "0"
    if n == 1:
        return "1"
    if n == 2:
        return "2"
    if n == 3:
        return "3"
    if n == -3:
        return "-3"
    if n == 4:
        return "4"
    if n == -2:
        return "-2"
    if n == 6:
        return "6"
    return "more"


@program(on=SCALARS)
def dead_code_makes_a_name_local(x):
    if x > 0:
        return len
    return "x"
    len = 3


@program(on=SCALARS)
def assert_statement(x):
    assert x > 0
    return x


@program(on=SCALARS)
def assert_with_message(x):
    assert x > 0, f"wanted more than {x!r}" if x else "zero"
    return x


@program(on=SCALARS)
def if_true_and_false(x):
    if True:
        x = x + 1
    if False:
        x = None
    while False:
        x = "never"
    if 0:
        unused = 1
    return x
