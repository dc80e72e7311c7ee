"""Loops."""

import numpy as np
from staging.constructs.table import construct


@construct("while")
def while_loop(x):
    s = np.sum(x)
    n = 0
    while s < 20:
        s = s + 3
        n += 1
    return s, n


@construct("while on the value itself")
def while_on_the_value(x):
    n = 0
    while x < 20:
        x = x + 5
        n += 1
    return x, n


@construct("while True with break")
def while_true(x):
    s = np.sum(x)
    while True:
        s = s * 2 + 1
        if s > 50 or s < -50:
            break
        if s == -1:
            return "stuck"
    return s


@construct("while with else")
def while_else(x):
    n = 0
    while n < 4:
        n += 1
        if np.sum(x) * n > 5:
            break
    else:
        return "complete", n
    return n


@construct("while with continue")
def while_continue(x):
    n, total = 0, x * 0
    while n < 6:
        n += 1
        if n % 2 == 0:
            continue
        total = total + x * n
    return total


@construct("for over range")
def for_over_range(x):
    total = x * 0
    for i in range(10):
        total = total + x * i
    return total, i


@construct("for over range of the value")
def for_over_range_of_the_value(x):
    total = 0
    for i in range(x):
        total += i * i
    return total


@construct("for over range with start and step")
def for_over_range_with_step(x):
    n = int(np.sum(x))
    out = []
    for i in range(n + 4, 0, -2):
        out.append(i)
    return out


@construct("for over the value itself")
def for_over_the_value(x):
    total = 0.0
    for item in x:
        total = total + np.sum(item) * 2
    return total


@construct("for over indices")
def for_over_indices(x):
    total = 0.0
    for i in range(len(x)):
        total += np.sum(x[i])
    return total


@construct("for over a list")
def for_over_a_list(x):
    out = 0
    for item in [x, 2, 2.5, np.sum(x)]:
        out = out + item
    return out


@construct("for over a tuple of different kinds")
def for_over_a_tuple(x):
    seen = []
    for item in (x, "text", None, 3):
        if item is None:
            continue
        seen.append(item)
    return seen


@construct("for over enumerate")
def for_over_enumerate(x):
    total = 0.0
    for i, item in enumerate(x, start=1):
        total = total + i * np.sum(item)
    return total


@construct("for over zip")
def for_over_zip(x):
    total = 0.0
    for a, b in zip(x, [1.0, 2.0, 3.0]):
        total = total + np.sum(a) * b
    return total


@construct("for over zip, strict")
def for_over_zip_strict(x):
    total = 0.0
    for a, b in zip(x, (1, 2, 3), strict=True):
        total = total + a * b
    return total


@construct("for over reversed")
def for_over_reversed(x):
    total = 0.0
    for item in reversed(x):
        total = total * 2 + np.sum(item)
    return total


@construct("for over the items of a dict")
def for_over_dict_items(x):
    total = 0
    names = ""
    for name, value in {"a": x, "b": 2, "c": np.sum(x)}.items():
        total = total + value
        names += name
    return total, names


@construct("for over the keys and values of a dict")
def for_over_dict_keys(x):
    named = {"a": x, "b": x * 2}
    out = []
    for name in named:
        out.append((name, named[name]))
    for value in named.values():
        out.append(value)
    return out


@construct("for over text")
def for_over_text(x):
    n = 0
    for letter in "abcab":
        if letter == "a":
            n += 1
    return x * n


@construct("for over a set of numbers, and a frozen set")
def for_over_a_set(x):
    total = x * 0
    for item in {1, 2, 3}:
        total = total + x * item
    return total, len(frozenset([1, 2, 2]))


@construct("nested loops")
def nested_loops(x):
    total = x * 0
    for i in range(4):
        for j in range(i):
            total = total + x * (i - j)
    return total


@construct("nested unpacking in a loop")
def nested_unpacking(x):
    out = 0
    for i, (a, b) in enumerate([(x, 1), (2, x)]):
        out = out + a * b * i
    return out


@construct("break")
def break_out(x):
    total = x * 0
    for i in range(10):
        total = total + x
        if np.sum(total) > 6:
            break
    return total, i


@construct("continue")
def continue_on(x):
    total = 0
    for i in range(8):
        if i % 3 == 1:
            continue
        total = total + np.sum(x) * i
    return total


@construct("loop else")
def for_else(x):
    for i in range(5):
        if i > np.sum(x):
            break
    else:
        i = -1
    return i


@construct("return inside of a loop")
def return_inside_a_loop(x):
    for i in range(100):
        if i * i > np.sum(x):
            return i, x
    return None


@construct("return of the first item that fits")
def linear_search(x):
    for i, item in enumerate(x):
        if np.sum(item) > 1:
            return i
    return -1


@construct("early exit of nested loops")
def exit_of_nested_loops(x):
    s = np.sum(x)
    for i in range(5):
        for j in range(5):
            if i * j > s:
                return i, j
            if i + j > 6:
                break
        else:
            continue
        break
    return "none", i, j


@construct("break of the inner loop, continue of the outer")
def break_inner_continue_outer(x):
    out = []
    for i in range(4):
        if i == 2:
            continue
        for j in range(4):
            if j > i + np.sum(x):
                break
            out.append(i * j)
    return out


@construct("a loop that never runs")
def loop_never_runs(x):
    y = x
    for i in range(0):
        y = "never"
    return y


@construct("the loop's variable after a loop that may not have run")
def variable_after_the_loop(x):
    for i in range(int(np.sum(x))):
        pass
    return i


@construct("a name bound only inside of a loop")
def bound_inside_a_loop(x):
    n = int(np.sum(x))
    while n > 0:
        last = n * 2
        n -= 1
    return last


@construct("an int becomes a float in a loop")
def int_becomes_float(x):
    total = 0
    for i in range(4):
        total = total + np.sum(x) * 0.5
    return total


@construct("a Python number becomes an array in a loop")
def number_becomes_array(x):
    total = 0
    for i in range(3):
        total = total + x
    return total


@construct("dtype widens in a loop")
def dtype_widens(x):
    total = np.int32(1)
    for i in range(3):
        total = total * 2
        if i == 1:
            total = total + np.sum(x)
    return total


@construct("shape changes in a loop")
def shape_changes(x):
    v = np.ravel(x)
    for i in range(3):
        v = np.concatenate([v, v[:1] + i])
    return v


@construct("rank changes in a loop")
def rank_changes(x):
    y = x
    for i in range(3):
        y = np.expand_dims(y, 0)
    return y


@construct("shape changes as long as running wants")
def shape_changes_while(x):
    v = np.zeros(1)
    while len(v) < 4 + np.sum(x):
        v = np.append(v, len(v))
    return v


@construct("None until something is found")
def none_until_found(x):
    best = None
    for i in range(5):
        value = np.sum(x) * i - i * i
        if best is None or value > best:
            best = value
    return best


@construct("a flag")
def flag_in_a_loop(x):
    found = False
    n = 0
    while not found and n < 10:
        n += 1
        found = n * n > np.sum(x)
    return n, found


@construct("several variables change together")
def fibonacci(x):
    a, b = x, x * 0 + 1
    for _ in range(6):
        a, b = b, a + b
    return a, b


@construct("a loop with prints")
def prints_in_a_loop(x):
    for i in range(3):
        print(i, np.sum(x) * i)
    return x


@construct("a loop that raises at some time")
def raises_in_a_loop(x):
    for i in range(5):
        if i > np.sum(x):
            raise ValueError(f"{i} is too much")
    return "fine"


@construct("a loop over a list of arrays that running chooses from")
def chooses_arrays(x):
    arrays = [np.zeros(2), np.ones(2), np.arange(2.0)]
    total = np.zeros(2)
    for i in range(3):
        total = total + arrays[i] * np.sum(x)
    return total


@construct("newton's method until it converges")
def newton(x):
    a = np.abs(np.sum(x)) + 1
    y = a
    for n in range(50):
        previous, y = y, (y + a / y) / 2
        if abs(y - previous) < 1e-9:
            break
    return np.round(y, 6), n
