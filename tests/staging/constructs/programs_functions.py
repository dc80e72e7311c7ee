"""Functions, objects and what is outside."""

import functools
import json
import math

import numpy as np
from staging.constructs.table import OUTSIDE, construct

TOTAL = 0


def helper(v, factor=2, *rest, offset=0, **named):
    return v * factor + sum(rest) + offset + len(named)


def write_into(v, value):
    v[0] = value
    return v


def factorial(n):
    if n <= 1:
        return 1
    return n * factorial(n - 1)


def halvings(v):
    if v < 1:
        return 0
    return 1 + halvings(v / 2)


def is_even(n):
    return True if n == 0 else is_odd(n - 1)


def is_odd(n):
    return False if n == 0 else is_even(n - 1)


@functools.lru_cache
def remembered(n):
    return n * n


def traced(function):
    @functools.wraps(function)
    def around(*args, **kwargs):
        print("before", function.__name__)
        return function(*args, **kwargs)

    return around


@traced
def decorated(v):
    return v + 1


class Account:
    rate = 0.5

    def __init__(self, balance):
        self.balance = balance
        self.__secret = 1

    def deposit(self, amount):
        self.balance = self.balance + amount
        return self

    @property
    def interest(self):
        return self.balance * self.rate

    @interest.setter
    def interest(self, value):
        self.balance = value / self.rate

    @classmethod
    def empty(cls):
        return cls(0.0)

    @staticmethod
    def doubled(v):
        return v * 2

    def secret(self):
        self.__secret += 1
        return self.__secret


class Savings(Account):
    rate = 0.25

    def deposit(self, amount):
        super().deposit(amount * 2)
        return self


class Vector:
    def __init__(self, values):
        self.values = values

    def __add__(self, other):
        return Vector(self.values + other.values)

    def __getitem__(self, index):
        return self.values[index]

    def __len__(self):
        return 3

    def __call__(self, v):
        return self.values * v

    def __eq__(self, other):
        return isinstance(other, Vector)

    __hash__ = None


@construct("a call of a helper")
def calls_a_helper(x):
    return helper(x)


@construct("defaults, keywords, *args, **kwargs")
def arguments_of_calls(x):
    return helper(x, 3, 1, 2, offset=np.sum(x), more=1), helper(*[x, 4], **{"offset": 1})


@construct("keyword-only and positional-only parameters")
def keyword_only(x):
    def f(a, /, b=1, *, c):
        return a + b * c

    return f(x, c=2), f(x, 3, c=np.sum(x))


@construct("a call with an argument that is missing")
def missing_argument(x):
    def f(a, b):
        return a + b

    return f(x)


@construct("a nested function")
def nested_function(x):
    def shifted(v):
        return v + x

    return shifted(x) + shifted(1)


@construct("nonlocal")
def nonlocal_variable(x):
    total = 0

    def add(v):
        nonlocal total
        total = total + v

    add(x)
    if np.sum(x) > 0:
        add(10)
    return total


@construct("a counter made by a function")
def counter(x):
    def make():
        n = 0

        def step(by):
            nonlocal n
            n = n + by
            return n

        return step

    first, second = make(), make()
    return first(x), first(1), second(x)


@construct("closures made in a loop see the last value")
def late_binding(x):
    functions = []
    for i in range(3):
        functions.append(lambda v: v * i)
    return [f(x) for f in functions]


@construct("closures in a loop with a default")
def early_binding(x):
    functions = [lambda v, i=i: v * i for i in range(3)]
    return [f(x) for f in functions]


@construct("a function as a value")
def function_as_value(x):
    def apply(f, v):
        return f(v)

    return apply(np.abs, x), apply(lambda v: v + 1, x), [f(np.sum(x)) for f in (abs, float)]


@construct("functools.partial and reduce")
def partial_and_reduce(x):
    add = functools.partial(helper, offset=1)
    return add(x), functools.reduce(lambda a, b: a + b, [x, 1, 2])


@construct("a decorated helper")
def calls_decorated(x):
    return decorated(x)


@construct("recursion over a number that is known")
def recursion_over_known(x):
    return factorial(5) + x


@construct("recursion as deep as running wants")
def recursion_over_the_value(x):
    return halvings(np.sum(x))


@construct("recursion over the value itself")
def recursion_over_an_int(x):
    return factorial(x)


@construct("functions that call each other")
def mutual_recursion(x):
    return is_even(abs(int(np.sum(x))))


@construct("a method and an attribute")
def methods(x):
    account = Account(1.0)
    account.deposit(x).deposit(2)
    return account.balance


@construct("a method in a loop changes the object")
def method_in_a_loop(x):
    account = Account(0.0)
    for i in range(4):
        account.deposit(np.sum(x) * i)
    return account.balance


@construct("a property, and setting it")
def properties(x):
    account = Account(x)
    before = account.interest
    account.interest = 3.0
    return before, account.balance


@construct("class and static methods, inheritance and super")
def class_methods(x):
    savings = Savings.empty().deposit(x)
    return savings.balance, Account.doubled(x), savings.interest, savings.secret()


@construct("operators, items and calls of an object")
def special_methods(x):
    v = Vector(np.array([1.0, 2.0, 3.0])) + Vector(np.ones(3) * np.sum(x))
    return v.values, v[0], len(v), v(2), v == Vector(1), bool(v)


@construct("an attribute set in one arm only")
def attribute_in_one_arm(x):
    account = Account(1)
    if np.sum(x) > 0:
        account.owner = "somebody"
    return account.owner


@construct("getattr, setattr, hasattr")
def attributes_by_name(x):
    account = Account(x)
    setattr(account, "rate", 2)
    return getattr(account, "balance"), getattr(account, "missing", "none"), hasattr(account, "rate"), account.rate


@construct("a class made inside")
def class_inside(x):
    class Box:
        size = 2

        def __init__(self, v):
            self.v = v * self.size

    return Box(x).v


@construct("an import inside")
def import_inside(x):
    import math

    return math.floor(float(np.sum(x))) + math.pi


@construct("functions of math")
def math_functions(x):
    s = float(np.sum(x))
    return math.sqrt(abs(s)), math.floor(s), math.isnan(s), math.copysign(1, s)


@construct("functions of math that refuse some values")
def math_domain(x):
    return math.sqrt(np.sum(x))


@construct("global")
def global_variable(x):
    global TOTAL
    TOTAL = 1
    for i in range(3):
        TOTAL = TOTAL + np.sum(x)
    return TOTAL


@construct("attributes of an object outside are read")
def reads_outside(x):
    if np.sum(x) > OUTSIDE.limit:
        return x * OUTSIDE.inner.value
    return OUTSIDE.table["b"] + x


@construct("attributes of an object outside are written")
def writes_outside(x):
    OUTSIDE.count += 1
    OUTSIDE.inner.value = np.sum(x)
    OUTSIDE.fresh = x
    return OUTSIDE.count


@construct("attributes outside are written where running wants")
def writes_outside_under_if(x):
    if np.sum(x) > 0:
        OUTSIDE.count = OUTSIDE.count + 1
        OUTSIDE.inner.value = x


@construct("items of a list and a dict outside are written")
def writes_items_outside(x):
    OUTSIDE.table["a"] = np.sum(x)
    OUTSIDE.table["new"] = 2
    OUTSIDE.log.append(np.sum(x))
    OUTSIDE.log.append("end")
    return len(OUTSIDE.log)


@construct("a list outside grows in a loop")
def appends_outside_in_a_loop(x):
    for i in range(3):
        if i < np.sum(x):
            OUTSIDE.log.append(i)
    return OUTSIDE.log


@construct("an array outside is written")
def writes_array_outside(x):
    OUTSIDE.array[0] = np.sum(x)
    OUTSIDE.array *= 2
    OUTSIDE.rows[1][0] = 5.0
    return OUTSIDE.array.sum()


@construct("a counter outside in a loop")
def counts_outside_in_a_loop(x):
    for i in range(5):
        if i < np.sum(x):
            OUTSIDE.count += 1
    return OUTSIDE.count


@construct("writes outside before an exception")
def writes_before_an_exception(x):
    OUTSIDE.count = 5
    OUTSIDE.log.append("started")
    if np.sum(x) > 0:
        raise RuntimeError("stopped")
    OUTSIDE.log.append("ended")


@construct("a helper that writes")
def helper_that_writes(x):
    v = np.zeros(2)
    w = write_into(v, np.sum(x))
    return v, w is v


@construct("a helper that writes into the argument")
def helper_writes_the_argument(x):
    return write_into(x, 9)


@construct("a helper that grows a list")
def helper_grows_a_list(x):
    def add(values, v):
        values.append(v)
        return len(values)

    values = []
    return add(values, x), add(values, 1), values


@construct("a cached helper")
def calls_cached(x):
    return remembered(3) + x


@construct("a call of a library that isn't compiled")
def calls_a_library(x):
    return json.loads(json.dumps({"sum": float(np.sum(x))}))["sum"]


@construct("an asynchronous function inside that nobody waits for")
def async_inside(x):
    async def later():
        return 1

    return x, later.__name__


@construct("a decorator inside, with an argument")
def decorator_inside(x):
    def times(n):
        def decorate(f):
            return lambda v: f(v) * n

        return decorate

    @times(3)
    def shifted(v):
        return v + 1

    return shifted(x)
