"""Classes and objects: attributes, methods, properties, constructors, private names."""

# ruff: noqa - programs as users may write them

import abc
import dataclasses
from collections import namedtuple

from frontend.table import SCALARS, program

Pair = namedtuple("Pair", "left right")


class Account:
    rate = 2
    __secret = 5

    def __init__(self, balance=0):
        if balance < 0:
            raise ValueError("negative")
        self.balance = balance

    def __secretly(self):
        return self.__secret

    def reveal(self):
        return self.__secretly() + self._Account__secret

    def add(self, amount):
        if amount > 0:
            self.balance += amount
        return self

    @property
    def doubled(self):
        return self.balance * 2 if self.balance else "empty"

    @doubled.setter
    def doubled(self, value):
        self.balance = value / 2

    @classmethod
    def rich(cls):
        return cls(1000)

    @staticmethod
    def kind():
        return "account"

    def __call__(self, x):
        return x if x > 0 else self.balance

    def __getitem__(self, i):
        if i > 5:
            raise IndexError(i)
        return i * self.rate

    def __len__(self):
        return 3


class Savings(Account):
    def __init__(self, balance, years):
        super().__init__(balance)
        self.years = years

    def add(self, amount):
        super().add(amount * 2)
        return super().add(1)


class Returning:
    def __init__(self):
        return 5


class Singleton:
    only = None

    def __new__(cls, x):
        if cls.only is None:
            cls.only = super().__new__(cls)
        return cls.only

    def __init__(self, x):
        self.x = x


class NotItself:
    def __new__(cls):
        return "text"


class Meta(type):
    def __call__(cls, *args):
        return "meta", args


class Metaclassed(metaclass=Meta):
    def __init__(self):
        raise AssertionError


class Abstract(abc.ABC):
    def __init__(self):
        self.x = 1

    @abc.abstractmethod
    def needed(self): ...


class Slotted:
    __slots__ = ("x",)


@dataclasses.dataclass
class Data:
    x: float
    ys: list = dataclasses.field(default_factory=list)

    def __post_init__(self):
        if self.x:
            self.ys.append(self.x)


@program(on=SCALARS)
def constructs(x):
    a = Account(x)
    a.add(5).add(-1)
    return a.balance, a.doubled, a.reveal(), a(x), a[2], len(a), list(a)


@program(on=SCALARS)
def inherits(x):
    s = Savings(1, years=3)
    s.add(x)
    return s.balance, s.years, Account.rich().balance, Savings.kind()


@program(on=SCALARS)
def sets_attributes(x):
    a = Account()
    a.doubled = x
    a.balance *= 2
    a.new = 1
    a.rate, a.other = 7, x
    del a.new
    return vars(a), hasattr(a, "new"), a.rate, Account.rate


@program(on=SCALARS)
def missing_attribute(x):
    return x.nothing


@program(on=SCALARS)
def missing_attribute_store(x):
    s = Slotted()
    s.x = x
    s.y = x


@program(on=SCALARS)
def missing_attribute_delete(x):
    a = Account()
    del a.balance
    del a.balance


@program(on=[0])
def init_returns(x):
    return Returning()


@program(on=[0])
def constructor_arguments(x):
    return Account(1, 2, 3)


@program(on=SCALARS)
def new_and_init(x):
    return Singleton(x) is Singleton(1), Singleton(x).x, NotItself(), Metaclassed(1, 2)


@program(on=[0])
def abstract_class(x):
    return Abstract()


@program(on=SCALARS)
def dataclass_and_namedtuple(x):
    d = Data(x)
    d.x += 1
    p = Pair(x, right=2)
    left, right = p
    return d, p, p._replace(left=5), left, right, dataclasses.replace(d, x=0)


@program(on=SCALARS)
def class_inside(x):
    k = 2

    class Local(Account, metaclass=abc.ABCMeta):
        """Documented."""

        factor = k * 2
        items = [i * 2 for i in range(3)]
        picked = factor if factor > 2 else 0
        __private = x

        def __init__(self):
            super().__init__(1)

        def scaled(self, v=factor):
            if v > 3:
                return v * self.factor + k
            return self.__private

        @property
        def squared(self):
            return self.balance**2

        class Inner:
            def name(self):
                return __class__.__qualname__

    o = Local()
    return o.scaled(), o.scaled(1), o.squared, Local.__doc__, Local.__qualname__, Local.Inner().name(), Local.picked, o.items


@program(on=SCALARS)
def class_body_writes_nonlocal(x):
    y = 1

    class C:
        nonlocal y
        y = x
        z = y

    return y, C.z, hasattr(C, "y")


@program(on=SCALARS)
def lambdas_in_a_class(x):
    scale = 2

    class C:
        base = 3
        sign = lambda self, k=base: k if x > 0 else -scale
        many = lambda self, n, m=base: [i + m for i in range(n)]
        each = [lambda i=i: i and x for i in range(2)]

        def method(self, f=lambda v: v and scale):
            return f(x)

    c = C()
    return c.sign(), c.sign(9), c.many(2), [f() for f in c.each], c.method(), C.sign.__name__, C.sign.__qualname__


@program(on=SCALARS)
def method_writes_past_its_class(x):
    y = 1

    class C:
        y = 5

        def write(self):
            nonlocal y
            y = x
            return self.y

    return C().write(), y, C.y


@program(on=SCALARS)
def object_as_state(x):
    a = Account()
    for i in range(3):
        if i % 2 == 0:
            a.balance += x
        else:
            a.last = i
    return a.balance, a.last


@program(on=SCALARS)
def alias_of_object(x):
    a = b = [0]
    if x > 0:
        b.append(x)
    b[0] += 1
    return a, a is b


@program(on=[0])
def super_without_arguments_outside(x):
    def f():
        return super()

    return f()


@program(on=[0])
def super_without_class(x):
    return super()


@program(on=SCALARS)
def iterates_object(x):
    out = []
    for v in Account():
        out.append(v)
        if v > 6:
            break
    return out, [v for v in Account()], list(zip(Account(), range(2), strict=False))


@program(on=SCALARS)
def bool_of_object(x):
    class Truth:
        def __bool__(self):
            print("asked")
            return x > 0

    t = Truth()
    return ("yes" if t else "no"), (t and 1) == 1, not t, bool(t)


@program(on=SCALARS)
def bool_raises(x):
    class Truth:
        def __bool__(self):
            return 5

    if Truth():
        return 1


@program(on=SCALARS)
def private_names_inside(x):
    class Local:
        __factor = 3

        def __hidden(self, __k=2):
            from math import pi as __pi

            def __deeper():
                return self.__factor * __k + (__pi > 3)

            return __deeper() if x > 0 else self.__factor

        def shown(self):
            self.__y = x
            return self.__hidden(), self.__hidden.__name__, vars(self)

        text = f"{__factor!r:>{__factor}} \\ {'a'}"

    return Local().shown(), Local.text


@program(on=SCALARS)
def static_methods_and_descriptors(x):
    class Local:
        @staticmethod
        def add(a, b=1):
            return a + b if a else b

        plain = add
        wrapped = staticmethod(lambda v: v and 1)

    return Local.add(x), Local.plain(x), Local.wrapped(x), Local().add(x, b=5), vars(Local)["add"](x)
