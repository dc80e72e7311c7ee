"""Lists whose length only running tells, and the operators of lists and tuples."""

# ruff: noqa - programs as users may write them

import math

import numpy as np
from frontend.table import program


def evens(n):
    found = []
    for i in range(n):
        found.append(2 * i)
    return found


@program((0,), (1,), (5,))
def slices_of_a_list_that_grew(n):
    a = evens(n)
    half = n // 2
    b = a[:-1]
    b.append(7)
    return a, a[::-1], a[1:], a[:half], a[half:], a[::2], a[-2:], a[:0], b, len(b), f"{a[1:]}", np.array(a[1:], dtype=np.int64)


@program((0,), (1,), (5,))
def sums_of_lists_that_grew(n):
    a = evens(n)
    a += [1, 2]
    b = a + a
    b.append(3)
    return a, b, [1] + a, a + [1.5], tuple(a), sorted(a), set(a), a + b[1:]


@program((0,), (3,), (4,))
def comparisons_of_lists_that_grew(n):
    a = evens(n)
    return a == [0, 2, 4], a != [0, 2, 4], a < [0, 3], [0, 2, 5] >= a, a == evens(n), a == (0, 2, 4)


@program((0,), (3,), (-2,))
def lists_of_unknown_length_by_repeating(n):
    a, b = [0.0] * n, (n + 1) * [True]
    c, d = [1, 2] * n, evens(3) * n
    for i in range(len(a)):
        a[i] += i * i
    return a, b, c, d, len(c), [None] * n, (1, 2) * n, "ab" * n, evens(n) * 2


@program((np.array([1, 2]),), (np.array([1.0, 2.0]),), (np.array([True, False]),))
def lists_times_scalars(x):
    return [1, 2] * x, [1, 2] * x[0]


@program((11,), (0,))
def coins(n):
    ways = [0] * (n + 1)
    ways[0] = 1
    for coin in [1, 2, 5]:
        for total in range(coin, n + 1):
            ways[total] += ways[total - coin]
    return ways[n], ways


@program((np.array([1.0, 1.0, 2.0]),), (np.array([math.nan, 0.0, 0.0]),))
def comparisons_of_known_sequences(x):
    a, b, c = x[0], x[1], x[2]
    equal = (a, b) == (b, a), [a, c] == [b, c], [a] != [b], (a, 1) == (a, 1)
    order = (a, b) < (b, c), (a, (b, 2)) > (a, (b, 1)), [a, 1] <= [b], (a, b) >= (a, b)
    return equal, order, [a, b] == (a, b), (a, b) != [a, b]


@program((np.arange(2.0),), (np.arange(3.0),))
def lists_and_arrays(x):
    return [1, 2, 3] + x[:1], x[:1] + [1, 2, 3], [x[0], x[1]] * 2, x[:1] == [0.0, 1.0]


@program((np.arange(5.0),), (np.arange(5),), (np.arange(5, dtype=np.float32),), (np.array([True, False, True, True, False]),))
def math_of_numpy_scalars(x):
    a = x[3]
    return (
        math.sqrt(a),
        math.floor(a),
        math.exp(x[1]),
        math.hypot(a, x[2]),
        math.atan2(a, 2),
        math.isnan(a),
        complex(a, x[1]),
        complex(2, a),
    )


@program((np.arange(5),), (np.arange(5.0),))
def math_of_whole_numpy_scalars(x):
    return math.gcd(x[4], 6), math.factorial(x[3]), math.comb(x[4], x[2])


@program((np.arange(5.0),), (np.array([1.0, 0.5]),))
def unpacks_what_may_be_none(x):
    best = None
    for i in range(len(x)):
        if x[i] > 2:
            best = (i, x[i])
    if best is None:
        return -1
    place, value = best
    return place, value


@program((np.array([0.5, 3.0]),), (np.array([3.0, 0.5]),))
def unpacks_none_by_mistake(x):
    pair = None if x[0] < 1 else (x[0], 1.0)
    a, b = pair
    return a + b


@program((np.arange(4.0), 1), (np.arange(4), 2))
def writes_results_of_python_into_arrays(x, i):
    y = x
    x[i] = math.fsum([1.5, x[0]])
    x[i + 1 :] = math.dist([1.0, x[0]], [2.0, 3.0])
    x[0] += 1
    y *= math.prod([1, 2])
    return x


@program((np.array([1.0, 2.0]), 3.5), (np.array([-1.0, 2.0]), 3.5))
def one_value_twice_in_a_result(x, k):
    y, z = x * 2, x * 3
    if x[0] > 0:
        r = (y, y, k)
    else:
        r = (z, z, k + 1)
    return r


@program((np.array([1.0, 2.0]), 3.5), (np.array([-1.0, 2.0]), 3.5))
def returns_before_what_always_fails(x, k):
    y = x * 2
    if x[0] > 0:
        y += 1
        return y, k
    {}["nothing"]
    return x, k


@program((np.array([1, 0, 2]), np.arange(3.0)), (np.array([1, 0, 2]), np.zeros(3)))
def returns_before_a_selection(x, levels):
    if levels[2] == 0:
        return x.copy()
    return levels.astype(np.int64)[x]


@program((np.array([1.0, 4.0, 2.0]),), (np.array([]),))
def stores_numbers_of_python_or_numpy(x):
    sums = np.zeros(len(x) + 1)
    for i in range(len(sums)):
        total = 0.0
        for j in range(i):
            if x[j] > 1:
                total += x[j]
        sums[i] = total
        sums[-1:] = total
    return sums
