"""What converted functions keep and share, how they are freed, threads, limits."""

import gc
import inspect
import linecache
import sys
import threading
import weakref
from contextlib import nullcontext

from hybrid.frontend import convert, converted_source, run
from hybrid.frontend.origin import SOURCES


def documented(a: int, /, b: "float" = 2.0, *c, d=4, **e) -> str:
    """What it does."""
    return f"{a} {b} {c} {d} {e}"


documented.tag = "kept"


def test_attributes_are_kept():
    made = convert(documented)
    assert inspect.signature(made) == inspect.signature(documented)
    for name in ("__name__", "__qualname__", "__doc__", "__module__", "__defaults__", "__kwdefaults__", "__annotations__", "__dict__"):
        assert getattr(made, name) == getattr(documented, name)
    assert made.__globals__ is documented.__globals__
    assert made(1, d=5) == documented(1, d=5)


def recursive(n):
    def down(k):
        return 0 if k == 0 else 1 + down(k - 1)

    return down(n)


def test_depth_of_recursion_is_that_of_plain_python():
    limit = sys.getrecursionlimit()
    depth = limit - len(inspect.stack()) - 50
    assert run(convert(recursive), depth) == depth
    assert sys.getrecursionlimit() == limit


def busy(k):
    for _ in range(1):
        with nullcontext():
            try:
                if k > 0:
                    return 1 + busy(k - 1)
            finally:
                pass
    return 0


def test_depth_of_recursion_inside_blocks():
    depth = sys.getrecursionlimit() - len(inspect.stack()) - 50
    assert run(convert(busy), depth) == depth


def test_many_statements_that_leave():
    lines = ["def f(x):", *(f"    if x == {i}:\n        return {i}" for i in range(150)), "    return -1"]
    lines += [
        "def g(x):",
        "    if x == 0:\n        y = 0",
        *(f"    elif x == {i}:\n        y = {i}" for i in range(1, 150)),
        "    return y",
    ]
    source = "\n".join(lines)
    linecache.cache["<many>"] = (len(source), None, source.splitlines(keepends=True), "<many>")
    names = {"__name__": "many"}
    exec(compile(source, "<many>", "exec"), names)
    for name in "fg":
        made = convert(names[name])
        assert [run(made, i) for i in (0, 1, 80, 149)] == [0, 1, 80, 149]


def test_long_expressions():
    source = "f = lambda x: " + " + ".join(["x"] * 300)
    linecache.cache["<long>"] = (len(source), None, [source], "<long>")
    names = {"__name__": "long"}
    exec(compile(source, "<long>", "exec"), names)
    assert convert(names["f"])(2) == 600


def outer(values):
    def total(k):
        return 0 if k == 0 else values[k - 1] + total(k - 1)

    return total


def calls(f, n):
    return f(n)


def test_functions_are_freed():
    made = convert(calls)
    function = outer([1, 2, 3])
    assert made(function, 3) == 6
    gone = weakref.ref(function)
    del function
    gc.collect()
    assert gone() is None


def test_generated_sources_are_freed():
    source = "def f(x):\n    return x if x else 0\n"
    linecache.cache["<freed>"] = (len(source), None, source.splitlines(keepends=True), "<freed>")
    names = {"__name__": "freed"}
    exec(compile(source, "<freed>", "exec"), names)
    made = convert(names["f"])
    file = made.__code__.co_filename
    assert file in SOURCES and file in linecache.cache
    del made, names
    gc.collect()
    assert file not in SOURCES and file not in linecache.cache


def test_two_functions_of_one_code_share_the_text():
    one, two = convert(outer([1])), convert(outer([2]))
    assert one.__code__ is two.__code__ and (one(1), two(1)) == (1, 2)


def changed(x, k=1):
    return x * k if x else k


def uses_changed(x):
    return changed(x)


def test_changed_defaults_are_seen():
    made = convert(uses_changed)
    first = made(2)
    try:
        changed.__defaults__ = (10,)
        assert (first, made(2)) == (2, 20)
    finally:
        changed.__defaults__ = (1,)


def test_threads():
    results = []

    def work():
        results.append(run(convert(recursive), 50))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [50] * 8


def test_source_is_text():
    assert converted_source(convert(recursive)).startswith("def factory__(hy__")
