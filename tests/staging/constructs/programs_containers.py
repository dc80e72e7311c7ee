"""Comprehensions and containers."""

from collections import namedtuple
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from staging.constructs.table import construct

Point = namedtuple("Point", "x y")


class Pair(NamedTuple):
    value: object
    count: int = 0


@dataclass
class State:
    value: object
    steps: int = 0


@dataclass(frozen=True)
class Frozen:
    value: object
    steps: int = 0


@construct("list comprehension")
def list_comprehension(x):
    return [x * i for i in range(4)]


@construct("list comprehension over the value itself")
def list_comprehension_over_the_value(x):
    return [item * 2 for item in x]


@construct("filtered list comprehension")
def filtered_comprehension(x):
    return [np.sum(item) for item in x if np.sum(item) > 0]


@construct("nested list comprehension")
def nested_comprehension(x):
    return [[x * i + j for j in range(2)] for i in range(2)], [i * j for i in range(3) for j in range(i)]


@construct("conditional expression in a comprehension")
def ternary_in_a_comprehension(x):
    return ["low" if i < np.sum(x) else "high" for i in range(4)]


@construct("dict comprehension")
def dict_comprehension(x):
    return {name: x * i for i, name in enumerate("abc") if i != 1}


@construct("set comprehension")
def set_comprehension(x):
    return sorted({i % 3 for i in range(7)}), len({np.size(x), 1})


@construct("set comprehension over the value itself")
def set_comprehension_over_the_value(x):
    return {float(item) for item in x}


@construct("generator expression")
def generator_expression(x):
    return sum(x * i for i in range(4)), max(i * np.sum(x) for i in range(3))


@construct("generator expression over the value itself")
def generator_over_the_value(x):
    return any(item > 2 for item in x), all(item > -3 for item in x), sum(item * item for item in x)


@construct("a comprehension has its own variable")
def own_variable_of_a_comprehension(x):
    i = x
    values = [i for i in range(3)]
    return i, values


@construct("walrus in a comprehension")
def walrus_in_a_comprehension(x):
    values = [last := x + i for i in range(3)]
    return values, last


@construct("generator function")
def generator_function(x):
    def halves(v):
        for i in range(3):
            yield v / 2 ** (i + 1)

    return list(halves(np.sum(x))), sum(halves(x))


@construct("a list that grows")
def growing_list(x):
    out = []
    for i in range(5):
        out.append(np.sum(x) * i)
    return out


@construct("a list that grows when running wants")
def growing_list_under_if(x):
    out = []
    for i in range(6):
        if i < np.sum(x) + 2:
            out.append(i)
    return out, len(out)


@construct("a list of arrays that grows")
def growing_list_of_arrays(x):
    out = [x]
    for i in range(3):
        out.append(out[-1] * 2)
    return np.stack(out)


@construct("append, extend, insert, pop, remove, reverse, sort")
def methods_of_lists(x):
    values = [3.0, 1.0]
    values.append(np.sum(x))
    values.extend([5.0, 4.0])
    values.insert(0, 0.5)
    last = values.pop()
    values.remove(1.0)
    values.reverse()
    values.sort()
    return values, last, values.index(0.5), values.count(3.0)


@construct("a stack")
def stack_of_numbers(x):
    stack, seen = [3], []
    while stack:
        n = stack.pop()
        seen.append(n)
        if n > 0 and len(seen) < 10 + np.sum(x):
            stack.append(n - 1)
            stack.append(n - 2)
    return seen


@construct("pop from a list that is empty")
def pop_from_empty(x):
    values = []
    if np.sum(x) > 0:
        values.append(1)
    return values.pop()


@construct("items and slices of lists")
def items_of_lists(x):
    values = [x, 1, 2, 3]
    values[1] = np.sum(x)
    values[2:] = [7, 8, 9]
    return values, values[-1], values[1:3], values + [0], values[:1] * 2


@construct("a dict as the state of a loop")
def dict_as_state(x):
    state = {"value": x, "steps": 0}
    while state["steps"] < 3:
        state["value"] = state["value"] * 2
        state["steps"] += 1
    return state


@construct("a dict that grows")
def growing_dict(x):
    squares = {}
    for i in range(4):
        squares[i] = np.sum(x) * i
    return squares


@construct("counting in a dict")
def counting(x):
    counts = {}
    for item in "abca":
        counts[item] = counts.get(item, 0) + 1
    return counts, x


@construct("get, setdefault, update, pop, in")
def methods_of_dicts(x):
    named = {"a": x}
    named.update(b=2, c=3)
    named.setdefault("d", []).append(np.sum(x))
    return named, named.pop("c"), named.get("z", "none"), "a" in named, list(named), named["missing"] if "missing" in named else None


@construct("a key that is missing")
def missing_key(x):
    return {"a": x}["b"]


@construct("a tuple as the state of a loop")
def tuple_as_state(x):
    state = (x, 0)
    for i in range(4):
        state = (state[0] + i, state[1] + 1)
    return state


@construct("a namedtuple as the state of a loop")
def namedtuple_as_state(x):
    p = Point(x, 1)
    for i in range(3):
        p = p._replace(x=p.x * 2, y=p.y + i)
    return p


@construct("a typed namedtuple with a default")
def typed_namedtuple(x):
    p = Pair(x)
    while p.count < 3:
        p = Pair(p.value + 1, p.count + 1)
    return p, p.value


@construct("a dataclass as the state of a loop")
def dataclass_as_state(x):
    state = State(x)
    for i in range(3):
        state.value = state.value * 2 + i
        state.steps += 1
    return state


@construct("a dataclass made anew in a loop")
def dataclass_made_anew(x):
    state = Frozen(x)
    for i in range(3):
        state = replace(state, value=state.value + i, steps=state.steps + 1)
    return state


@construct("a namedtuple in one arm or the other")
def namedtuple_in_arms(x):
    p = Point(x, 1) if np.sum(x) > 0 else Point(0, x)
    a, b = p
    return p, a, b


@construct("lists inside of dicts inside of tuples")
def nested_containers(x):
    tree = ({"values": [x, 1]}, [x])
    for i in range(2):
        tree[0]["values"].append(np.sum(x) + i)
        tree[1][0] = tree[1][0] + 1
    return tree


@construct("a table of lists")
def table_of_lists(x):
    table = [[0] * 3 for _ in range(2)]
    for i in range(2):
        for j in range(3):
            table[i][j] = i * j + np.sum(x)
    return table


@construct("two names of one list")
def two_names_of_one_list(x):
    a = [1.0]
    b = a
    for i in range(3):
        b.append(np.sum(x))
    return a, len(b), a is b


@construct("sets")
def sets_of_numbers(x):
    seen = set()
    for i in [1, 2, 2, 3]:
        seen.add(i)
    return len(seen), 2 in seen, seen | {5}, np.size(x) in seen


@construct("sorted with a key, zip, map, filter")
def functional(x):
    pairs = sorted(zip([3, 1, 2], "cab"), key=lambda pair: pair[0])
    return pairs, list(map(lambda v: v * np.sum(x), [1, 2])), list(filter(lambda v: v > 1, [1, 2, 3]))


@construct("swap of items")
def swap_of_items(x):
    v = [1, 2, np.sum(x)]
    v[0], v[2] = v[2], v[0]
    return v
