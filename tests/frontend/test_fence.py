"""What is refused, where the text points, and what it says to do."""

import re
from functools import partial

import pytest

from hybrid.errors import UnsupportedError
from hybrid.frontend import convert, do_not_convert, run


async def coroutine(x):
    return x


def generator(xs):
    for x in xs:
        got = yield x
    return got


def generator_inside(xs):
    def inner():
        yield from xs

    return list(inner())


def refusal(value):
    with pytest.raises(UnsupportedError) as caught:
        convert(value)
    return re.sub(r'File ".*[/\\]', 'File "', re.sub(r"line \d+", "line N", str(caught.value)))


def test_coroutine():
    assert refusal(coroutine) == (
        'File "test_fence.py", line N\n'
        "    async def coroutine(x):\n"
        "    ~~~~~~~~^\n"
        "wanted an ordinary function, received a coroutine ('async def'); write it with 'def'"
    )


def test_generator():
    assert refusal(generator) == (
        'File "test_fence.py", line N\n'
        "    got = yield x\n"
        "          ~~~~~~^\n"
        "wanted a function that returns, received a generator; return a list of the values, "
        "or move it into a function marked with @hybrid.do_not_convert"
    )


def test_generators_inside_are_fine():
    assert run(convert(generator_inside), [1, 2]) == [1, 2]


def test_no_source():
    names = {}
    exec("def made(x):\n    return x", names)
    assert refusal(names["made"]) == (
        'File "<string>", line N\n'
        "wanted a function whose source can be read, received 'made', made without a file; "
        "put it in a file, or mark it with @hybrid.do_not_convert to run it as it is"
    )


def test_builtin():
    wanted = "wanted a Python function, received <built-in function len> of type 'builtin_function_or_method'"
    assert refusal(len) == wanted + "; wrap it: lambda *args: f(*args)"


def test_class():
    assert refusal(Exception) == "wanted a function, received the class 'Exception'; decorate its methods"


def test_edited_source(tmp_path):
    file = tmp_path / "edited.py"
    file.write_text("def before(x):\n    return x\n")
    names = {"__name__": "edited"}
    exec(compile(file.read_text(), str(file), "exec"), names)
    file.write_text("# a line more\ndef before(x):\n    return x\n")
    assert refusal(names["before"]) == (
        'File "edited.py", line N\n'
        "    # a line more\n"
        "wanted the source of 'before', found other text in its place; was the file edited? load it again"
    )


def test_marked_functions_stay():
    @do_not_convert
    def stays(x):
        return x

    assert convert(stays) is stays


def test_converting_twice_is_converting_once():
    once = convert(generator_inside)
    assert convert(once) is once


def test_kinds_of_functions():
    class Owner:
        def __init__(self, x):
            self.x = x

        def method(self, k):
            return self.x * k if k else None

        def __call__(self, k):
            return self.x + k

    owner = Owner(3)
    assert convert(owner.method)(2) == 6
    assert convert(owner)(2) == 5
    assert convert(partial(owner.method, 4))() == 12
    assert convert(property(lambda self: self.x)).fget(owner) == 3
    assert convert(staticmethod(lambda x: x)).__func__(1) == 1
