"""Writes into arrays."""

import numpy as np
from staging.constructs.table import construct


@construct("an item is written")
def write_item(x):
    x[0] = 7
    return x


@construct("a slice is written")
def write_slice(x):
    x[1:] = 5
    x[:1] += 2
    return x


@construct("items are written in a loop")
def write_in_a_loop(x):
    for i in range(len(x)):
        x[i] = x[i] * 2 + i
    return x


@construct("prefix sums in place")
def prefix_sums(x):
    for i in range(1, len(x)):
        x[i] += x[i - 1]
    return x


@construct("a mask")
def write_mask(x):
    x[x < 0] = 0
    return x


@construct("items by an array of indices")
def write_fancy(x):
    x[np.array([0, -1])] = [10, 20]
    return x


@construct("a mask and indices with augmented assignment")
def write_augmented_items(x):
    x[x > 0] *= 3
    x[[0]] -= 1
    return x


@construct("augmented assignment in place")
def in_place_operators(x):
    y = x
    y += 1
    y *= 2
    return x, y is x


@construct("assignment that isn't in place")
def not_in_place(x):
    y = x
    y = y + 1
    return x, y


@construct("out=")
def out_argument(x):
    y = np.zeros(np.shape(x))
    np.multiply(x, 2.0, out=y)
    z = np.add(y, 1.0, out=y)
    return y, z is y


@construct("out= of the argument")
def out_is_the_argument(x):
    np.negative(x, out=x)
    return x


@construct("methods that work in place: fill, sort")
def methods_in_place(x):
    x.sort()
    y = np.zeros(3)
    y.fill(np.sum(x))
    return x, y


@construct("np.put, np.copyto, np.fill_diagonal")
def functions_in_place(x):
    v, m = np.zeros(3), np.zeros((2, 2))
    np.put(v, [0, 2], np.sum(x))
    np.copyto(v, 5.0, where=v == 0)
    np.fill_diagonal(m, np.sum(x))
    return v, m


@construct("a view of the argument is written")
def write_through_view(x):
    view = x[::-1]
    view[0] = 100
    return x, view


@construct("reshape, ravel and T are views")
def views_of_views(x):
    flat = x.reshape(-1)
    flat[0] = 50
    x.T[-1] = 60
    return x, flat


@construct("a copy isn't a view")
def copy_is_no_view(x):
    y = np.copy(x)
    z = np.array(x)
    y[...] = 0
    z[...] = 1
    return x, y, z


@construct("fancy indexing makes a copy")
def fancy_is_a_copy(x):
    y = x[[0, 0]]
    y[0] = 5
    return x, y


@construct("two names of one array")
def two_names(x):
    a = np.zeros(3)
    b = a
    for i in range(3):
        b[i] = np.sum(x)
    return a, a is b


@construct("a view and its array change in a loop")
def view_in_a_loop(x):
    a = np.zeros((3, 2))
    for i in range(3):
        row = a[i]
        row += np.sum(x) * i
        a[i, 0] -= 1
    return a


@construct("rows of the argument are written")
def rows_are_written(x):
    for row in x:
        row *= 2
    return x


@construct("overlapping slices")
def overlapping_slices(x):
    x[1:] = x[:-1]
    return x


@construct("a write that doesn't fit")
def write_that_does_not_fit(x):
    x[:] = [1, 2, 3, 4, 5]
    return x


@construct("an index out of bounds is written")
def write_out_of_bounds(x):
    x[0] = 1
    x[7] = 2
    return x


@construct("a float into an array of ints")
def float_into_ints(x):
    v = np.zeros(3, np.int64)
    v[0] = 2.75
    v[1] = np.sum(x)
    return v


@construct("a dtype that can't be kept in place")
def dtype_in_place(x):
    v = np.arange(3)
    v += np.sum(x) * 0.5
    return v


@construct("writes where running wants")
def conditional_writes(x):
    v = np.zeros(4)
    for i in range(4):
        if i > np.sum(x):
            v[i] = 1
        else:
            v[i:] = 2
            break
    return v


@construct("a write while it is iterated over")
def write_while_iterating(x):
    v = np.array([1.0, 2.0, 3.0])
    total = 0.0
    for i, item in enumerate(v):
        v[-1] = np.sum(x)
        total += item
    return total, v


@construct("the sieve of Eratosthenes")
def sieve(x):
    n = 20 + int(np.sum(x))
    prime = np.ones(n, bool)
    prime[:2] = False
    for i in range(2, n):
        if prime[i]:
            prime[i * i :: i] = False
    return np.flatnonzero(prime)


@construct("the game of life, one step")
def life(x):
    board = np.zeros((5, 5), int)
    board[2, 1:4] = 1
    new = board.copy()
    for i in range(1, 4):
        for j in range(1, 4):
            n = board[i - 1 : i + 2, j - 1 : j + 2].sum() - board[i, j]
            new[i, j] = 1 if n == 3 or (n == 2 and board[i, j]) else 0
    return new * np.size(x)


@construct("alternating buffers")
def alternating_buffers(x):
    a, b = np.zeros(3), np.ones(3) * np.sum(x)
    for i in range(5):
        b[1:] = a[:-1] + 1
        a, b = b, a
    return a, b


@construct("arrays in a list, written in a loop")
def arrays_in_a_list(x):
    rows = [np.zeros(2), np.zeros(2)]
    for i in range(4):
        rows[i % 2][0] += np.sum(x)
    return rows


@construct("an array in a dict, written by a method of the dict")
def array_in_a_dict(x):
    named = {"a": np.zeros(2)}
    for i in range(2):
        named["a"][i] = np.sum(x)
        named.setdefault("b", np.ones(1))
        named["b"] += 1
    return named
