"""Loops and comprehensions."""

# ruff: noqa - programs as users may write them

import numpy as np
from frontend.table import SCALARS, SEQUENCES, program

COUNTS = [0, 1, 2, 5, 11, -3]


@program(on=COUNTS)
def for_over_range(n):
    total = 0
    for i in range(n):
        total += i * i
    return total


@program(on=COUNTS)
def loop_variable_remains(n):
    for i in range(n):
        pass
    return i


@program(on=SEQUENCES)
def for_over_anything(xs):
    out = []
    for x in xs:
        out.append(x)
    return out


@program(on=[5, None, 2.5])
def for_over_what_is_not_iterable(xs):
    for x in xs:
        return x


@program(on=COUNTS)
def break_and_else(n):
    for i in range(n):
        if i == 4:
            break
    else:
        return "complete"
    return i


@program(on=COUNTS)
def continue_skips(n):
    seen = []
    for i in range(n):
        if i % 2:
            continue
        seen.append(i)
        if i > 7:
            continue
        seen.append(-i)
    return seen


@program(on=COUNTS)
def return_from_a_loop(n):
    for i in range(n):
        if i * i > 10:
            return i
    return -1


@program(on=COUNTS)
def return_from_nested_loops(n):
    for i in range(n):
        for j in range(i):
            if i * j == 6:
                return i, j
    return None


@program(on=COUNTS)
def break_inner_continue_outer(n):
    out = []
    for i in range(n):
        for j in range(n):
            if j > i:
                break
            if (i + j) % 2:
                continue
            out.append((i, j))
        else:
            out.append("full")
            continue
        if i == 3:
            break
    else:
        out.append("end")
    return out


@program(on=COUNTS)
def break_in_loop_else(n):
    for i in range(n):
        for j in range(2):
            if j == 5:
                break
        else:
            if i == 1:
                break
    return n, i


@program(on=COUNTS)
def return_in_loop_else(n):
    for i in range(n):
        if i == 3:
            break
    else:
        return "else"
    return "after"


@program(on=COUNTS)
def while_counts(n):
    while n > 0:
        n = n - 2
    return n


@program(on=COUNTS)
def while_else(n):
    while n > 0:
        n -= 1
        if n == 3:
            break
    else:
        n = 100
    return n


@program(on=COUNTS)
def while_true(n):
    while True:
        n += 1
        if n % 7 == 0:
            return n


@program(on=COUNTS)
def while_true_break(n):
    while True:
        n += 1
        if n % 7 == 0:
            found = n
            break
    return found


@program(on=COUNTS)
def while_with_walrus(n):
    out = []
    while (k := n - len(out)) > 0:
        out.append(k)
    return out, k


@program(on=COUNTS)
def while_with_and(n):
    i = 0
    while i < n and i * i < 20:
        i += 1
    return i


@program(on=[1, 6, 7, 27])
def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


@program(on=SEQUENCES)
def enumerate_and_zip(xs):
    out = []
    for i, (x, w) in enumerate(zip(xs, "pqr", strict=False)):
        out.append((i, x, w))
    return out


@program(on=SEQUENCES)
def reversed_and_sorted(xs):
    out = []
    for x in reversed(xs):
        out.append(x)
    return out


@program(({"a": 1, "b": 2},), ({},))
def dict_items(d):
    total = 0
    for key, value in d.items():
        total += value
    return total, key


@program(on=[[(1, [2, 3]), (4, [5])], [(1, [])]])
def star_target(xs):
    out = []
    for a, (*b,) in xs:
        out.append((a, b))
    for a, *rest in [(1, 2, 3), "xyz"]:
        out.append((a, rest))
    return out


@program(([0, 0, 0],), (np.zeros(3),))
def targets_in_containers(a):
    class Holder:
        pass

    h = Holder()
    for a[0], h.x in [(1, 2), (3, 4)]:
        a[1] += h.x
    return a, h.x


@program(on=COUNTS)
def target_indexed_by_itself(n):
    a = [0] * 12
    for i, a[i] in enumerate(range(10, 10 + n)):
        pass
    return a


@program(on=[[1, 2, 3], []])
def list_changes_while_iterated(xs):
    for x in xs:
        if len(xs) < 6:
            xs.append(x * 2)
    return xs


@program(on=COUNTS)
def deletes_in_a_loop(n):
    for i in range(n):
        t = i
        del t
    return t


@program(on=COUNTS)
def unbound_until_second_iteration(n):
    for i in range(n):
        if i > 0:
            last = i
    return last


@program(on=COUNTS)
def read_before_first_iteration(n):
    out = []
    for i in range(n):
        if i:
            out.append(prev)
        prev = i
    return out, prev


@program((6,), (0,))
def shapes_grow(n):
    acc = np.zeros(0)
    for i in range(n):
        acc = np.concatenate([acc, np.array([float(i)])])
    return acc


@program((np.arange(12.0).reshape(3, 4),))
def rows_and_triangles(m):
    out = np.zeros(len(m))
    for i, row in enumerate(m):
        for j in range(i + 1):
            out[i] += row[:j].sum()
    return out


@program(on=COUNTS)
def list_comprehension(n):
    return [i * 2 for i in range(n)], [i for i in range(n) if i % 2 if i > 2]


@program(on=COUNTS)
def nested_comprehension(n):
    return [[j for j in range(i)] for i in range(n)], [(i, j) for i in range(n) for j in range(i) if i != j]


@program(on=COUNTS)
def dict_and_set_comprehension(n):
    return {i: str(i) for i in range(n)}, {i % 3 for i in range(n)}


@program(on=COUNTS)
def generator_expressions(n):
    g = (i * i for i in range(n) if i % 2)
    return (
        sum(g),
        list(g),
        max((i for i in range(n)), default=None),
        any(i > 3 for i in range(n)),
        tuple(j for i in range(3) for j in range(i)),
    )


@program(on=COUNTS)
def generator_expression_is_lazy(n):
    seen = []
    g = (seen.append(i) or i for i in range(n))
    first = next(g, None)
    return first, seen, type(g).__name__, g.__name__


@program((5,), (None,))
def iterable_of_generator_expression_is_evaluated_at_once(xs):
    g = (x for x in xs)
    return "made"


@program(on=COUNTS)
def comprehension_has_its_own_names(n):
    i = "outer"
    xs = [i for i in range(n)]
    return i, xs


@program(on=COUNTS)
def comprehension_in_a_loop(n):
    out = []
    for i in range(n):
        out += [i + j for j in range(i) if j % 2 == 0]
    return out


@program(on=COUNTS)
def walrus_in_a_comprehension(n):
    xs = [last := i for i in range(n)]
    ys = [y for i in range(n) if (y := i * 2) > 4]
    return xs, ys, last, y


@program(on=COUNTS)
def walrus_in_a_generator(n):
    found = any((hit := i) > 2 for i in range(n))
    return found, hit


@program(on=COUNTS)
def comprehension_with_conditional(n):
    return [i if i % 2 else -i for i in range(n)], [i and i - 1 for i in range(n)]


@program(on=COUNTS)
def closures_in_a_loop(n):
    fs = []
    for k in range(n):
        fs.append(lambda: k)
    return [f() for f in fs]


@program(on=COUNTS)
def closures_in_a_comprehension(n):
    fs = [lambda: k for k in range(n)]
    gs = [lambda k=k: k for k in range(n)]
    return [f() for f in fs], [g() for g in gs]


@program((3,), (0,))
def comprehension_raises(n):
    return [1 / (n - i) for i in range(5)]


@program(on=SCALARS)
def fixed_point(x):
    for _ in range(50):
        y = x / 2 + 1
        if abs(y - x) < 1e-6:
            break
        x = y
    return x


@program((20,), (1,))
def sieve(n):
    is_prime = np.ones(n + 1, dtype=bool)
    is_prime[:2] = False
    for p in range(2, int(n**0.5) + 1):
        if is_prime[p]:
            is_prime[p * p :: p] = False
    return np.flatnonzero(is_prime)


@program(("kitten", "sitting"), ("", "abc"))
def edit_distance(a, b):
    d = np.zeros((len(a) + 1, len(b) + 1), dtype=np.int64)
    d[:, 0] = range(len(a) + 1)
    d[0] = range(len(b) + 1)
    for i, p in enumerate(a, 1):
        for j, q in enumerate(b, 1):
            d[i, j] = min(d[i - 1, j] + 1, d[i, j - 1] + 1, d[i - 1, j - 1] + (p != q))
    return d[-1, -1]


@program(([5, 3, 9, 1],), ([],))
def bubble_sort(xs):
    n = len(xs)
    for i in range(n):
        swapped = False
        for j in range(n - 1 - i):
            if xs[j] > xs[j + 1]:
                xs[j], xs[j + 1] = xs[j + 1], xs[j]
                swapped = True
        if not swapped:
            break
    return xs


@program(([1, 3, 5, 7, 9], 7), ([1, 3, 5], 4), ([], 1))
def binary_search(xs, key):
    low, high = 0, len(xs)
    while low < high:
        middle = (low + high) // 2
        if xs[middle] == key:
            return middle
        elif xs[middle] < key:
            low = middle + 1
        else:
            high = middle
    return ~low
