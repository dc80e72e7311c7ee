"""Nested functions, closures, defaults, generators inside."""

# ruff: noqa - programs as users may write them

import functools

from frontend.table import SCALARS, program, scenario

COUNT = 0
CONFIG = {"k": 3}


@program(on=SCALARS)
def nonlocal_counter(x):
    total = 0

    def add(v):
        nonlocal total
        if v > 0:
            total += v
        return total

    return add(x), add(x), total


@program(on=SCALARS)
def nonlocal_deleted(x):
    y = 1

    def drop():
        nonlocal y
        del y

    drop()
    if x > 0:
        drop()
    return y


@program(on=SCALARS)
def nonlocal_unbound(x):
    def read():
        nonlocal y
        return y

    if x > 0:
        y = 2
    return read()


@program(on=SCALARS)
def free_unbound(x):
    def read():
        return y

    if x > 0:
        y = 2
    return read()


@program(on=SCALARS)
def nonlocal_parameter(x):
    def change():
        nonlocal x
        x = x + 1
        return x

    return change(), change(), x


@program(on=SCALARS)
def two_levels_of_nonlocal(x):
    a = 0

    def outer():
        b = 0

        def inner():
            nonlocal a, b
            a += 1
            b += x
            return b

        return inner() + inner()

    return outer(), outer(), a


@program(on=SCALARS)
def global_written(x):
    global COUNT
    COUNT = 0
    for i in range(3):
        COUNT += i
    if x > 0:
        COUNT = x
    return COUNT


@program(on=SCALARS)
def global_in_nested(x):
    COUNT = "local"

    def write():
        global COUNT
        COUNT = x

    write()
    return COUNT, globals()["COUNT"]


@program(on=SCALARS)
def global_function(x):
    global made_here

    def made_here():
        return x

    return made_here(), made_here.__qualname__


@program(on=[1, 5, 10])
def recursion(n):
    def fact(k):
        if k <= 1:
            return 1
        return k * fact(k - 1)

    def fib(k):
        return k if k < 2 else fib(k - 1) + fib(k - 2)

    return fact(n), fib(n)


@program(on=[0, 3, 8])
def mutual_recursion(n):
    def even(k):
        return True if k == 0 else odd(k - 1)

    def odd(k):
        return False if k == 0 else even(k - 1)

    return even(n), odd(n)


@program(on=SCALARS)
def defaults(x):
    k = 1

    def f(a, b=k, *args, c=x, **kw):
        return a, b, args, c, kw

    k = 2
    return f(0), f(0, 5, 6, c=7, d=8), f.__defaults__, f.__kwdefaults__


@program(on=SCALARS)
def parameter_kinds(x):
    def f(a, /, b, *, c, d=4):
        return a, b, c, d

    return f(x, 2, c=3), f(x, b=2, c=1, d=0)


@program(on=SCALARS)
def wrong_arguments(x):
    def f(a, *, c):
        return a

    return f(x) if x else f(x, 1, c=2)


@program(on=SCALARS)
def names_of_functions(x):
    def inner(a: int = 1) -> str:
        """Documented."""
        return a

    if x > 0:

        def deeper():
            return lambda: 1

        class Local:
            def method(self):
                pass
    else:

        def deeper():
            return lambda: 2

        Local = int
    for _ in range(1):

        def in_loop():
            pass

    names = [f.__qualname__ for f in (inner, deeper, deeper(), in_loop)]
    return names, inner.__name__, inner.__doc__, inner.__module__, inner.__annotations__, Local.__qualname__


@program(on=SCALARS)
def lambdas(x):
    f = lambda a, b=2, *c, d=x, **e: (a, b, c, d, e)
    g = lambda: x if x > 0 else -x
    return f(1), f(1, 2, 3, d=4, e=5), g(), (lambda: 5)(), f.__name__, f.__qualname__


@program(on=SCALARS)
def lambda_with_comprehension(x):
    f = lambda n, m=x: [i + m for i in range(n)]
    g = lambda: (y := 3) and [y + i for i in range(2)]
    h = lambda: x > 0 and (z := x) and z
    return f(2), f(1, 5), g(), h(), f.__name__, f.__defaults__


@program(on=SCALARS)
def lambdas_in_thunks(x):
    f = (x > 0 and (lambda: x + 1)) or (lambda: x - 1)
    return f(), (f if x else (lambda: 9))()


@program(on=SCALARS)
def decorated_inside(x):
    def twice(function):
        @functools.wraps(function)
        def call(*args):
            return function(function(*args))

        return call

    @twice
    @twice
    def step(v):
        """Step."""
        return v + 1

    return step(x), step.__name__, step.__doc__


@program(on=SCALARS)
def generator_inside(x):
    def count(n):
        for i in range(n):
            if i == 2:
                continue
            yield i + x

    def chain():
        yield from count(2)
        got = yield "last"
        return got

    return list(count(4)), list(chain())


@program(on=SCALARS)
def generator_writes_outside(x):
    total = 0

    def gen():
        nonlocal total
        for i in range(3):
            total += i
            yield total
        try:
            1 / 0
        except ZeroDivisionError as total:
            yield str(total)

    out = list(gen())
    return out


@program(on=[1])
def coroutine_inside(x):
    import asyncio

    async def work():
        await asyncio.sleep(0)
        return [i async for i in agen()]

    async def agen():
        for i in range(3):
            yield i + x

    return asyncio.run(work())


@program(on=SCALARS)
def closure_sees_later_values(x):
    y = 1

    def read():
        return y

    first = read()
    y = 2
    if x > 0:
        y = 3
    return first, read()


@program(on=SCALARS)
def closure_cells_hold_values(x):
    def f():
        return x

    return f.__closure__[0].cell_contents, f.__code__.co_name


@program(on=SCALARS)
def function_in_a_branch(x):
    if x > 0:

        def f():
            return "positive"
    else:
        f = None
    return f and f()


@program(on=SCALARS)
def shadowed_builtins(x):
    def len(v):
        return "mine"

    print = lambda *a: a
    locals = lambda: "local"
    return len([]), print(1), locals()


@program(on=SCALARS)
def names_like_ours(x):
    then_1 = 1
    body_2 = 2
    for item_3 in range(2):
        if x > 0:
            then_1 += item_3
    return then_1, body_2, item_3


@scenario
def shares_closure_cells(decorate):
    level = 1

    @decorate
    def read():
        return level

    @decorate
    def write(v):
        nonlocal level
        if v > 0:
            level = v
        for _ in range(2):
            level += 1
        return level

    first = read()
    level = 10
    return first, read(), write(5), level, read()


@scenario
def deletes_a_closure_cell(decorate):
    level = 1

    @decorate
    def drop():
        nonlocal level
        del level

    @decorate
    def read():
        return level

    drop()
    try:
        return read()
    except NameError as error:
        return type(error).__name__, str(error)


@scenario
def sees_changed_globals(decorate):
    @decorate
    def read(x):
        return x * CONFIG["k"]

    first = read(2)
    CONFIG["k"] = 10
    second = read(2)
    CONFIG["k"] = 3
    return first, second


@scenario
def lambdas_on_one_line(decorate):
    f, g, h = decorate(lambda x: x if x > 0 else -x), decorate(lambda x: x + 1), decorate(lambda x: lambda: x and 5)
    return f(-3), g(1), h(2)()


@scenario
def methods(decorate):
    class Base:
        def __init__(self, x):
            self.x = x

        def scaled(self, k):
            return self.x * k

    class Child(Base):
        __hidden = 7

        @decorate
        def scaled(self, k):
            if k > 1:
                return super().scaled(k) + self.__hidden
            return __class__.__name__

        @staticmethod
        @decorate
        def plain(v):
            return v + 1

        @classmethod
        @decorate
        def made(cls, v):
            return cls(v).x

        @property
        @decorate
        def double(self):
            return self.x * 2

    c = Child(3)
    return c.scaled(2), c.scaled(1), Child.plain(1), Child.made(4), c.double


@scenario
def cached_and_wrapped(decorate):
    @functools.lru_cache
    @decorate
    def slow(x):
        print("once")
        return x + 1

    @decorate
    def uses(x):
        return slow(x) + slow(x)

    return uses(1), slow.cache_info().hits
