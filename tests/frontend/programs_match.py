"""``match`` with every pattern."""

# ruff: noqa - programs as users may write them

from dataclasses import dataclass
from enum import Enum

from frontend.table import program


class Color(Enum):
    RED = 1
    BLUE = 2


@dataclass
class Point:
    x: object
    y: object


class Plain:
    a = 1


class BadArgs:
    __match_args__ = ["a"]


class WorseArgs:
    __match_args__ = (5,)


ANYTHING = [0, 1, -1, 2.5, True, None, "a", "", [], [1], [1, 2], [1, 2, 3], (1, 2), {}, {"k": 1}, {"k": 1, "l": 2}, Color.RED]
POINTS = [Point(0, 0), Point(1, 2), Point(Point(1, 2), [3]), 5, Plain()]


@program(on=ANYTHING)
def literals(x):
    match x:
        case 0:
            return "zero"
        case 1 | 2.5:
            return "one or more"
        case -1:
            return "minus"
        case "a":
            return "text"
        case None:
            return "none"
        case True:
            return "true"
    return "other"


@program(on=ANYTHING)
def wildcard_and_guard(x):
    match x:
        case n if isinstance(n, int) and n > 0:
            kind = "positive", n
        case [] | "":
            kind = "empty"
        case _:
            kind = "rest"
    return kind


@program(on=ANYTHING)
def captures_stay_bound(x):
    match x:
        case [a, b] if a > b:
            pass
        case [a, *rest]:
            pass
    return a, b, rest


@program(on=ANYTHING)
def sequences(x):
    match x:
        case [1, y]:
            return "pair", y
        case (1, *_, 3):
            return "ends"
        case [*all]:
            return "all", all


@program(on=[[1, 2, 3, 4], [1], (5, 6), "ab", range(3), {1: 2}])
def star_positions(x):
    match x:
        case [first, *middle, last]:
            return first, middle, last
        case [only]:
            return only
        case _:
            return "none"


@program(on=ANYTHING)
def mappings(x):
    match x:
        case {"k": v, "l": w}:
            return v, w
        case {"k": 1 as one, **rest}:
            return one, rest
        case {}:
            return "some mapping"
        case _:
            return "none"


@program(on=POINTS)
def classes(p):
    match p:
        case Point(0, 0):
            return "origin"
        case Point(x=Point(a, b), y=[c]):
            return a, b, c
        case Point(x, y=2 as y):
            return x, y
        case int(n):
            return n
        case Plain(a=value):
            return value


@program(on=[5, "t", 2.5, [1], {"a": 1}, True, (1,)])
def builtin_classes(x):
    match x:
        case bool(b):
            return "bool", b
        case int() | float():
            return "number"
        case str(s):
            return s
        case list([y]):
            return "list", y
        case dict(d):
            return d
    return "nothing"


@program(on=[Color.RED, Color.BLUE, 1])
def dotted_names(c):
    match c:
        case Color.RED:
            return "red"
        case Color.BLUE:
            return "blue"


@program(on=[Point(1, 2)])
def too_many_positional(p):
    match p:
        case Point(a, b, c):
            return a


@program(on=[Plain()])
def no_match_args(p):
    match p:
        case Plain(a):
            return a


@program(on=[BadArgs()])
def bad_match_args(p):
    match p:
        case BadArgs(a):
            return a


@program(on=[WorseArgs()])
def worse_match_args(p):
    match p:
        case WorseArgs(a):
            return a


@program(on=[Point(1, 2)])
def attribute_twice(p):
    match p:
        case Point(1, x=1):
            return 1


@program(on=[5])
def class_that_is_none(p):
    thing = 5
    match p:
        case thing():
            return 1


@program(on=[0, 1, 5, 9, -1])
def match_in_while(n):
    out = []
    while True:
        match n:
            case 0:
                break
            case 1 | 2:
                n -= 1
                continue
            case k if k < 0:
                return "negative"
            case _:
                n //= 2
        out.append(n)
    return out


@program(on=[[("push", 1), ("push", 2), ("add",), ("dup",), ("nop",)], [("pop",)], []])
def machine(program):
    stack = []
    for step in program:
        match step:
            case ("push", value):
                stack.append(value)
            case ("add",):
                stack.append(stack.pop() + stack.pop())
            case ("dup",):
                stack.append(stack[-1])
            case ("pop",):
                stack.pop()
            case (other, *_):
                print("unknown", other)
    return stack


@program(on=[[1, 2], [2, 1], [3, 3]])
def or_captures(x):
    match x:
        case [1, y] | [y, 1]:
            return y
        case [a, b] if (c := a + b) > 5:
            return c
    return "none"


@program(on=[1, 2])
def only_wildcard(x):
    match x:
        case _:
            x += 1
    return x


@program(on=[1, 2])
def only_capture(x):
    match x + 1:
        case y:
            x = y
    return x, y


@program(on=[(1, 2), (3,)])
def subject_tuple(x):
    match x, len(x):
        case (a, b), 2:
            return a + b
        case (a,), n:
            return a, n
