"""Blocks: with, try, raise, match."""

import contextlib
from dataclasses import dataclass

import numpy as np
from staging.constructs.table import OUTSIDE, construct


class Logged:
    def __init__(self, name):
        self.name = name

    def __enter__(self):
        print("enter", self.name)
        return self

    def __exit__(self, kind, error, trace):
        print("exit", self.name, kind and kind.__name__)
        return self.name == "quiet"


class Trouble(ValueError):
    def __init__(self, value):
        super().__init__(f"trouble with {value}")
        self.value = value


@dataclass
class Circle:
    radius: object


@dataclass
class Square:
    side: object


def checked(v):
    if np.sum(v) < 0:
        raise ValueError("negative")
    return v


@contextlib.contextmanager
def bracket(name):
    print("(", name)
    yield name
    print(")", name)


@construct("with")
def with_block(x):
    with Logged("a") as a:
        y = x * 2
        print(a.name)
    return y


@construct("with and return, break, raise")
def with_and_jumps(x):
    for i in range(3):
        with Logged("a"), Logged("b"):
            if i == 1 and np.sum(x) > 0:
                return x
            if i == 2:
                raise ValueError("late")


@construct("with that swallows an exception")
def with_swallows(x):
    y = 0
    with Logged("quiet"):
        y = x
        checked(x)
        y = x + 1
    return y


@construct("with a generator as context manager, and suppress")
def with_context_managers(x):
    with bracket("here") as name, contextlib.suppress(ValueError):
        checked(x)
        return name
    return "suppressed"


@construct("with np.errstate")
def with_errstate(x):
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.log(np.abs(x) * 0.0) - 1


@construct("raise")
def raises(x):
    if np.sum(x) > 0:
        raise ValueError("positive")
    return x


@construct("raise with a message that running decides")
def raises_with_message(x):
    if np.sum(x) > 0:
        raise Trouble(f"{np.sum(x):.1f}")
    return "fine"


@construct("raise from")
def raises_from(x):
    try:
        return checked(x)
    except ValueError as error:
        raise RuntimeError("failed") from error


@construct("raise again")
def raises_again(x):
    try:
        return checked(x)
    except ValueError:
        print("seen")
        raise


@construct("try and except")
def try_except(x):
    try:
        y = checked(x) * 2
    except ValueError:
        y = 0
    return y


@construct("the exception as a value")
def exception_as_value(x):
    try:
        checked(x)
    except ValueError as error:
        return str(error), type(error).__name__, error.args
    return "fine"


@construct("several except clauses")
def several_clauses(x):
    try:
        return [10, 20, 30, 40][int(1 / np.sum(x) * 4)]
    except ZeroDivisionError:
        return "zero"
    except (IndexError, OverflowError) as error:
        return type(error).__name__
    except Exception:
        return "other"


@construct("try with else and finally")
def try_else_finally(x):
    steps = []
    try:
        checked(x)
        steps.append("tried")
    except ValueError:
        steps.append("caught")
    else:
        steps.append("else")
    finally:
        steps.append("finally")
    return steps


@construct("finally with return in the body")
def finally_after_return(x):
    try:
        return checked(x)
    finally:
        print("done")


@construct("an exception that isn't caught passes finally")
def finally_passes(x):
    try:
        OUTSIDE.log.append("try")
        checked(x)
    finally:
        OUTSIDE.log.append("finally")
    return x


@construct("try in a loop with continue and break")
def try_in_a_loop(x):
    good = 0
    for i in range(5):
        try:
            if i + np.sum(x) < 1:
                raise ValueError("small")
            if i == 3:
                break
        except ValueError:
            continue
        finally:
            good += 1
    return good, i


@construct("a loop in try")
def loop_in_try(x):
    total = 0
    try:
        for i in range(5):
            total = total + i
            if total > np.sum(x) + 3:
                raise StopIteration("enough")
    except StopIteration:
        return total, i
    return "all", total


@construct("try inside of try")
def nested_try(x):
    out = []
    try:
        try:
            checked(x)
        except TypeError:
            out.append("type")
        finally:
            out.append("inner")
    except ValueError:
        out.append("outer")
    return out


@construct("exceptions of NumPy are caught")
def numpy_exceptions(x):
    try:
        return x + np.zeros(7)
    except ValueError as error:
        return type(error).__name__, str(error).splitlines()[0]


@construct("an index that is out of bounds is caught")
def index_error_is_caught(x):
    v = np.array([1.0, 2.0])
    try:
        return v[int(np.sum(x))]
    except IndexError as error:
        return str(error)


@construct("an index that is out of bounds is raised")
def index_error_is_raised(x):
    v = np.array([1.0, 2.0])
    return v[int(np.sum(x))]


@construct("writes before an exception stay")
def writes_before_caught(x):
    v = np.zeros(3)
    try:
        v[0] = 1.0
        checked(x)
        v[1] = 2.0
    except ValueError:
        v[2] = 3.0
    return v


@construct("match on literals")
def match_literals(x):
    match int(np.sum(x)):
        case 0:
            return "zero"
        case 2 | 3:
            return "two or three"
        case -2:
            return "minus two"
        case n if n > 3:
            return "large", n
        case _:
            return "other"


@construct("match on the value itself")
def match_value(x):
    match x:
        case 3:
            return "three"
        case bool() | float():
            return "bool or float"
        case None:
            return "none"
        case other:
            return other


@construct("match on sequences")
def match_sequences(x):
    out = []
    for item in ([], [x], [x, 1], (1, 2, 3, x), "ab"):
        match item:
            case []:
                out.append("empty")
            case [one]:
                out.append(one)
            case [first, 1]:
                out.append((first, "one"))
            case [first, *rest]:
                out.append((first, len(rest)))
            case _:
                out.append("no sequence")
    return out


@construct("match on mappings")
def match_mappings(x):
    match {"kind": "scale", "by": x, "more": 1}:
        case {"kind": "shift"}:
            return "shift"
        case {"kind": "scale", "by": by, **rest}:
            return by, rest


@construct("match on classes")
def match_classes(x):
    areas = []
    for shape in (Circle(x), Square(2), Circle(3)):
        match shape:
            case Circle(radius=3):
                areas.append("three")
            case Circle(r):
                areas.append(r * r)
            case Square(side=s):
                areas.append(s)
    return areas


@construct("match with guards that running decides")
def match_guards(x):
    match (np.sum(x), 1):
        case (s, 1) if s > 2:
            return "more", s
        case (s, _) as pair if s > 0:
            return pair
        case (s, 1 | 2):
            return s
        case _:
            return None


@construct("match that binds on some paths only")
def match_binds(x):
    match int(np.sum(x)):
        case 2:
            y = x
        case 3:
            z = 1
    return y
