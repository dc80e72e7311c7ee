"""A module whose annotations are text."""

# ruff: noqa - programs as users may write them

from __future__ import annotations

from frontend.table import SCALARS, program


@program(on=SCALARS)
def annotations_are_text(x: undefined_type) -> also.undefined:
    total: yet.another = 0

    def inner(a: list[undefined_type] = None, *b: some.thing) -> total:
        nonlocal total
        total += 1 if x > 0 else 2
        return a

    inner()
    return inner.__annotations__, total


@program(on=SCALARS)
def generators_with_annotations(x: undefined_type):
    count: undefined_type = 0

    def gen(a: count = 1, *rest: count) -> count:
        nonlocal count
        count += 1
        yield a

    return list(gen(x)), count, gen.__annotations__
