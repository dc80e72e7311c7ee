"""Tracebacks and debuggers show the user's source."""

import io
import pdb
import re
import sys
import traceback

from hybrid.frontend import convert, converted_source, run


def helper(xs, i):
    if i > 1:
        return xs[i] / 0
    return xs[i]


def loops(xs):
    total = 0
    for i in range(3):
        try:
            total += helper(xs, i)
        except TypeError:
            pass
        finally:
            total += 1
    return total


def reraises(x):
    try:
        return [y / x for y in (1, 2) if y and x == 0]
    except ZeroDivisionError as error:
        raise ValueError("in the handler") from error


def ends_in_a_thunk(x):
    return x and (x > 0 or x.missing)


def in_a_lambda(x):
    f = lambda v: v["key"] if v else None  # noqa: E731
    return f(x)


class Thing:
    def __init__(self, x):
        if x:
            self.y = self.z


def constructs(x):
    return Thing(x)


def shown(function, *args):
    """The text of the traceback of a call, from the function on."""
    try:
        function(*args)
    except Exception as error:
        first = error.__traceback__.tb_next
        while first is not None and first.tb_frame.f_code.co_name in ("shown", "run", "<lambda>"):
            first = first.tb_next
        return "".join(traceback.format_exception(type(error), error.with_traceback(first), first))
    raise AssertionError("no exception")


def assert_same_text(function, *args):
    made = convert(function)
    want, got = shown(function, *args), shown(lambda *args: run(made, *args), *args)
    strange = [line for line in got.splitlines() if "hybrid" in line and "frontend" in line and "test_tracebacks" not in line]
    assert not strange
    assert got == want


def test_loops_and_helpers():
    assert_same_text(loops, [1, 2, 3])


def test_handlers_and_comprehensions():
    assert_same_text(reraises, 0)


def test_thunks():
    assert_same_text(ends_in_a_thunk, -1)


def test_constructors():
    assert_same_text(constructs, 1)


def test_lambdas():
    made = convert(in_a_lambda)
    text = shown(lambda: run(made, {"a": 1}))
    assert 'v["key"] if v else None' in text and "in <lambda>" in text and "KeyError: 'key'" in text


def test_variables_can_be_looked_at():
    made = convert(loops)
    try:
        run(made, [1, 2, 3])
    except ZeroDivisionError as error:
        frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    assert frames[-1].f_code.co_name == "helper" and frames[-1].f_locals["i"] == 2
    assert frames[-2].f_code.co_name == "loops" and frames[-2].f_locals["total"] == 6


def test_syntax_error_free_locations_of_each_line():
    text = converted_source(convert(loops))
    assert "hy__.for_stmt(hy__.call(range, 3), body_" in text


def test_pdb_steps_through_generated_code():
    commands = io.StringIO("step\n" * 3 + "where\ncontinue\n")
    printed = io.StringIO()
    debugger = pdb.Pdb(stdin=commands, stdout=printed, nosigint=True, readrc=False)
    made = convert(helper)
    before = sys.gettrace()
    try:
        debugger.runcall(made, [4, 5], 1)
    finally:
        sys.settrace(before)
    assert re.search(r"<hybrid helper at test_tracebacks.py:\d+>\(\d+\)helper\(\)", printed.getvalue())
    assert "-> def then_1():" in printed.getvalue() or "hy__.Unbound" in printed.getvalue()


def stops(x):
    for i in range(2):
        if i:
            breakpoint()
    return x


def test_breakpoint_stops_in_the_converted_function(monkeypatch):
    seen = []
    monkeypatch.setattr(sys, "breakpointhook", lambda: seen.append(sys._getframe(1).f_code.co_filename))
    assert run(convert(stops), 5) == 5
    assert len(seen) == 1 and seen[0].startswith("<hybrid stops")
