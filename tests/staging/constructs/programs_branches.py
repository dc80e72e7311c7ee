"""Branches."""

import numpy as np
from staging.constructs.table import construct


@construct("if and else")
def if_else(x):
    if np.sum(x) > 0:
        y = x * 2
    else:
        y = x - 1
    return y


@construct("if on the value itself")
def if_on_the_value(x):
    if x > 0:
        return "positive"
    return "not positive"


@construct("if on truth")
def if_on_truth(x):
    if x:
        return x + 1
    return x - 1


@construct("if, elif, else")
def if_elif_else(x):
    total = np.sum(x)
    if total < -1:
        size = "negative"
    elif total > 3:
        size = "large"
    elif total == 2:
        size = "two"
    else:
        size = "small"
    return size, x


@construct("if inside of if")
def nested_if(x):
    s = np.sum(x)
    y = x
    if s > -10:
        y = y + 1
        if s > 0:
            y = y * 2
        elif s < -2:
            y = -y
    return y


@construct("conditional expression")
def ternary(x):
    return x if np.sum(x) > 0 else -x


@construct("conditional expressions inside of each other")
def nested_ternary(x):
    s = np.sum(x)
    return "big" if s > 2 else "small" if s > 0 else "negative"


@construct("arms with different shapes")
def arms_with_different_shapes(x):
    v = np.ravel(x)
    if np.sum(v) > 0:
        y = np.concatenate([v, v])
    else:
        y = v[:1]
    return y, len(y)


@construct("arms with different dtypes")
def arms_with_different_dtypes(x):
    if np.sum(x) > 0:
        y = x * 1.5
    else:
        y = np.int64(3)
    return y


@construct("an int in one arm, a float in the other")
def int_or_float(x):
    return (1 if np.sum(x) > 0 else 2.5) + 1


@construct("None in one arm")
def none_in_one_arm(x):
    found = None
    if np.sum(x) > 0:
        found = x
    if found is None:
        return "nothing"
    return found * 2


@construct("None is returned where no return is reached")
def implicit_none(x):
    if np.sum(x) > 0:
        return x


@construct("a string, a tuple or a number")
def arms_of_any_kind(x):
    s = np.sum(x)
    if s > 2:
        y = "much"
    elif s > 0:
        y = (x, 1)
    else:
        y = s
    return y


@construct("a name bound on one path only")
def bound_on_one_path(x):
    if np.sum(x) > 0:
        y = x * 2
    return y


@construct("a name deleted on one path only")
def deleted_on_one_path(x):
    y = x + 1
    if np.sum(x) > 0:
        del y
    return y


@construct("a name deleted and bound again")
def deleted_and_bound_again(x):
    y = x
    del y
    if np.sum(x) > 0:
        y = 1
    else:
        y = 2.0
    return y


@construct("return in each arm")
def returns_in_arms(x):
    s = np.sum(x)
    if s > 2:
        return x
    if s > 0:
        return (s, x)
    return "negative"


@construct("pass")
def pass_in_an_arm(x):
    if np.sum(x) > 0:
        pass
    else:
        x = x + 1
    return x


@construct("only what is taken runs")
def only_what_is_taken(x):
    if np.sum(x) > 0:
        print("positive")
        return x
    print("not positive")
    raise ValueError("the sum isn't positive")


@construct("writes in one arm")
def writes_in_one_arm(x):
    v = np.zeros(3)
    if np.sum(x) > 0:
        v[1] = np.sum(x)
        v += 1
    return v


@construct("appends in one arm")
def appends_in_one_arm(x):
    values = [0.0]
    if np.sum(x) > 0:
        values.append(np.sum(x))
    return values


@construct("a swap in one arm")
def swap_in_one_arm(x):
    a, b = x, 0
    if np.sum(x) > 0:
        a, b = b, a
    return a, b


@construct("alternative arrays, one written")
def one_of_two_arrays(x):
    a, b = np.zeros(2), np.ones(2)
    chosen = a if np.sum(x) > 0 else b
    chosen[0] = 7
    return a, b, chosen


@construct("functions in arms")
def functions_in_arms(x):
    if np.sum(x) > 0:

        def f(v):
            return v + 1
    else:

        def f(v):
            return v * 2

    return f(x)
