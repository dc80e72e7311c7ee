"""``try``, ``with``, ``raise`` and jumps out of them."""

# ruff: noqa - programs as users may write them

import contextlib

from frontend.table import SCALARS, program


@contextlib.contextmanager
def loud(name, swallow=()):
    print("enter", name)
    try:
        yield name.upper()
    except swallow as error:
        print("swallow", type(error).__name__)
    finally:
        print("exit", name)


class Manager:
    def __init__(self, swallows):
        self.swallows = swallows

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        print(kind)
        return self.swallows


@program(on=[*SCALARS, "text"])
def except_one(x):
    try:
        y = 1 / x
    except ZeroDivisionError:
        y = "infinite"
    return y


@program(on=[*SCALARS, "text", None])
def except_several(x):
    try:
        y = 1 / x
    except (ZeroDivisionError, ValueError) as error:
        y = str(error)
    except TypeError as error:
        y = type(error).__name__
    return y


@program(on=[*SCALARS, "text"])
def else_and_finally(x):
    out = []
    try:
        out.append(1 / x)
    except ZeroDivisionError:
        out.append("zero")
    else:
        out.append("else")
    finally:
        out.append("finally")
        print(out)
    return out


@program(on=[0, 1])
def name_is_unbound_after_the_handler(x):
    error = "before"
    try:
        1 / x
    except ZeroDivisionError:
        pass
    return error


@program(on=[0, 1])
def reraise(x):
    try:
        return 1 / x
    except ZeroDivisionError:
        print("again")
        raise


@program(on=[0, 1])
def raise_from(x):
    try:
        return 1 / x
    except ZeroDivisionError as error:
        raise ValueError("wrapped") from error


@program(on=[0, 1])
def raise_from_none(x):
    try:
        return 1 / x
    except ZeroDivisionError:
        raise KeyError("k") from None


@program(on=[0, 1])
def raise_in_handler_has_a_context(x):
    try:
        return 1 / x
    except ZeroDivisionError:
        return [][x]


@program(on=[0])
def raise_nothing(x):
    raise


@program(on=[5, ValueError, "text"])
def raise_what_it_gets(x):
    raise x


@program(on=[0, 1])
def except_what_is_no_class(x):
    try:
        return 1 / x
    except 5:
        return "five"


@program(on=[0, 1])
def classes_are_evaluated_when_needed(x):
    def classes():
        print("classes")
        return ArithmeticError

    try:
        1 / x
    except classes():
        return "caught"
    return "fine"


@program(on=[0, 1, 2, 3, 4])
def jumps_out_of_try_in_a_loop(n):
    out = []
    for i in range(5):
        try:
            out.append(10 // (i - n))
            if i == 1:
                continue
            if i == 4:
                break
        except ZeroDivisionError:
            out.append("zero")
            if n == 3:
                return out
            continue
        finally:
            out.append("f")
        out.append("end")
    else:
        out.append("else")
    return out


@program(on=[0, 1, 2])
def return_in_finally_wins(x):
    try:
        if x == 2:
            return "two"
        1 / x
    finally:
        return "finally"


@program(on=[0, 1, 2])
def break_in_finally_wins(x):
    for i in range(3):
        try:
            if x == 2:
                return "two"
            1 / x
        finally:
            break
    return "after", i


@program(on=[0, 1, 2])
def continue_in_finally_drops_the_return(x):
    for i in range(3):
        try:
            return 1 / (x - i)
        finally:
            if i < 2:
                continue
    return "after"


@program(on=[0, 1])
def finally_sees_assignments(x):
    y = "start"
    try:
        y = "before"
        1 / x
        y = "after"
    except ZeroDivisionError:
        pass
    finally:
        print(y)
    return y


@program(on=[0, 1])
def assignment_unfinished(x):
    try:
        y = 1 / x
    except ZeroDivisionError:
        pass
    return y


@program(on=[0, 1])
def error_in_finally(x):
    try:
        1 / x
    finally:
        [][1]


@program(on=[0, 1])
def nested_try(x):
    try:
        try:
            1 / x
        except TypeError:
            return "type"
        finally:
            print("inner")
    except ZeroDivisionError as outer:
        return str(outer)
    finally:
        print("outer")
    return "end"


@program(on=[0, 1])
def return_evaluates_before_finally(x):
    y = 1
    try:
        return y
    finally:
        y = 2
        print(y)


@program(on=[0, 1])
def else_is_not_guarded(x):
    try:
        pass
    except ZeroDivisionError:
        return "caught"
    else:
        1 / x
    return "fine"


@program(on=[0, 1, 2])
def return_in_else(x):
    try:
        y = 1 / x
    except ZeroDivisionError:
        y = 0
    else:
        if x == 2:
            return "else"
        y += 1
    return y


@program(on=[0, 1])
def bare_except(x):
    try:
        return 1 / x
    except:
        return "any"


@program(on=[0, 1])
def try_without_a_handler(x):
    try:
        return 1 / x
    finally:
        print("done")


@program(on=[1, 2, 3])
def except_star(x):
    try:
        errors = [ValueError("v"), TypeError("t"), KeyError("k")][:x]
        raise ExceptionGroup("several", errors)
    except* ValueError as group:
        print("values", group.exceptions)
    except* TypeError:
        print("types")
    return x


@program(on=[0, 1])
def except_star_with_else_and_finally(x):
    for i in range(3):
        try:
            if i == 1:
                continue
            1 / x
        except* ZeroDivisionError:
            print("zero")
        else:
            if i == 2:
                return "else"
        finally:
            print("finally")
    return i


@program(on=[0, 1])
def with_one(x):
    with loud("a") as name:
        print(name)
        y = 1 / x
    return name, y


@program(on=[0, 1])
def with_several(x):
    with loud("a") as a, loud("b", ZeroDivisionError) as b, loud("c"):
        print(a, b)
        y = 1 / x
    return a, b, y


@program(on=[0, 1])
def with_suppresses(x):
    with contextlib.suppress(ZeroDivisionError):
        y = 1 / x
        return y
    return "suppressed"


@program(on=[0, 1, 2])
def jumps_out_of_with(n):
    for i in range(4):
        with loud(str(i)):
            if i == n:
                continue
            if i == n + 1:
                break
            if n == 2:
                return i
    return "end", i


@program((True,), (False,))
def with_class(swallows):
    with Manager(swallows) as manager:
        manager.x = 1 / 0
    return manager.swallows


@program(on=[5])
def with_what_is_no_manager(x):
    with x as y:
        return y


@program(on=[0, 1])
def with_target_in_container(x):
    a = {}
    with loud("a") as a["k"], loud("b") as (a["l"],):
        pass
    return a


@program(on=[0, 1, 2, 3])
def all_of_it(n):
    log = []
    try:
        for i in range(4):
            with loud("w", KeyError):
                try:
                    if i == n:
                        raise KeyError(i)
                    while True:
                        log.append(i)
                        if len(log) > 3:
                            return log
                        break
                except ValueError:
                    log.append("never")
                else:
                    continue
                finally:
                    log.append("f")
            log.append("after with")
    finally:
        print(log)
    return "end", log


@program(on=[0, 1])
def stop_iteration_in_handler(x):
    it = iter(range(x))
    try:
        return next(it)
    except StopIteration as stop:
        return stop.value


@program(on=[3, -3])
def own_exception_class(x):
    class Bad(ValueError):
        def __init__(self, value):
            super().__init__(f"bad {value}")
            self.value = value

    try:
        if x < 0:
            raise Bad(x)
    except Bad as bad:
        return bad.value, str(bad)
    return x
