"""Random programs over integers and lists: every statement nested in every other, with jumps, closures and errors."""

from __future__ import annotations

import random

NAMES = ("a", "b", "c", "d")
ERRORS = ("ZeroDivisionError", "IndexError", "ValueError", "(IndexError, UnboundLocalError)", "NameError", "Exception")


class Holder:
    """Attributes for the programs to write."""

    def __init__(self) -> None:
        self.v, self.w, self.d = 1, 2, {0: 0, 1: 1}


class Writer:
    """Writes one function; all choices come from a seed. Loops are short, so that every program ends."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.functions = 0
        self.budget = 28

    def program(self) -> str:
        """The text of a function ``f(x, n, xs)``."""
        self.lines = ["def f(x, n, xs):", "    o = Holder()"]
        self.lines.append(self.pick("    a, b = x, n", "    a = b = c = d = x", "    a, b, c = n, 1, x", "    a, b, c, d = x, n, 2, 3"))
        if "d" not in self.lines[-1]:
            self.lines += ["    if x == 100:", "        c = d = 0"]
        self.block(1, in_loop=False, is_nested=False)
        self.lines.append(f"    return {self.names()}")
        return "\n".join(self.lines) + "\n"

    def put(self, depth: int, line: str) -> None:
        self.lines.append("    " * depth + line)

    def pick(self, *choices: str) -> str:
        return self.random.choice(choices)

    def name(self) -> str:
        return self.random.choice(NAMES)

    def names(self) -> str:
        return "(" + ", ".join(self.random.choice([*NAMES, "x", "xs", "vars(o)"]) for _ in range(2)) + ",)"

    # -- expressions
    def number(self, depth: int = 0) -> str:
        """An integer, or an error."""
        r = self.random.random
        if depth > 2 or r() < 0.35:
            return self.pick(self.name(), self.name(), "x", "n", str(self.random.randrange(-2, 5)), "len(xs)")
        one, two = self.number(depth + 1), self.number(depth + 1)
        is_free = ":=" not in one + two
        return self.pick(
            f"({one} + {two})",
            f"({one} - {two})",
            f"({one} * {two}) % 7",
            f"({one} // {two})",
            f"xs[{one}]",
            f"({one} if {self.test(depth + 1)} else {two})",
            f"({one} and {two})",
            f"({one} or {two})",
            f"sum([{one} + i for i in xs if i != {two}])",
            f"sum(i * {one} for i in range({two} % 4))" if is_free else two,
            f"({self.name()} := {one})",
            f"(lambda p: p + {one})({two})",
            f"abs({one})",
            f"int(f'{{{one.replace(chr(39), chr(34))}}}')" if "'" not in one and ":=" not in one else one,
        )

    def test(self, depth: int = 0) -> str:
        one, two = self.number(depth + 1), self.number(depth + 1)
        return self.pick(
            f"{one} < {two}",
            f"{one} == {two}",
            f"not {one}",
            f"({one} > 0 and {two} < 3)",
            f"({one} or {two})",
            f"0 <= {one} < {two}",
            f"{one} in xs",
            f"{self.name()} is None",
            f"isinstance({self.name()}, int)",
        )

    # -- statements
    def block(self, depth: int, in_loop: bool, is_nested: bool) -> None:
        for _ in range(self.random.randrange(1, 4)):
            self.statement(depth, in_loop, is_nested)

    def statement(self, depth: int, in_loop: bool, is_nested: bool) -> None:
        self.budget -= 1
        simple = (
            [self.assign] * 5
            + [self.augment] * 2
            + [self.jump] * 2
            + [self.delete, self.show, self.item, self.raises, self.lambda_, self.attribute]
        )
        compound = [self.if_] * 3 + [self.for_] * 2 + [self.while_, self.try_, self.try_, self.with_, self.match, self.function]
        compound += [self.generator, self.class_, self.function]
        choices = simple + compound * (2 if depth < 5 else 0) if self.budget > 0 else simple
        self.random.choice(choices)(depth, in_loop, is_nested)

    def assign(self, depth: int, in_loop: bool, is_nested: bool) -> None:
        value = self.number()
        target = self.pick(self.name(), self.name(), f"{self.name()}, {self.name()}", f"{self.name()} = {self.name()}")
        self.put(depth, f"{target} = {value}, {self.number()}" if "," in target else f"{target} = {value}")

    def augment(self, depth: int, in_loop: bool, is_nested: bool) -> None:
        self.put(depth, f"{self.name()} {self.pick('+=', '-=', '*=', '//=', '|=')} {self.number(1)}")

    def item(self, depth: int, in_loop: bool, is_nested: bool) -> None:
        kind = self.pick("xs[{0}] = {1}", "xs.append({1})", "xs[{0}] += {1}", "del xs[{0}]", "xs[0:1] = [{0}, {1}]")
        self.put(depth, kind.format(self.number(1), self.number(1)))

    def delete(self, depth: int, in_loop: bool, is_nested: bool) -> None:
        self.put(depth, f"del {self.name()}")

    def show(self, depth: int, in_loop: bool, is_nested: bool) -> None:
        self.put(depth, f"print({self.number()})")

    def raises(self, depth: int, in_loop: bool, is_nested: bool) -> None:
        self.put(depth, self.pick("raise ValueError(x)", f"assert {self.test()}", "pass", f"assert {self.test()}, {self.number(1)}"))

    def jump(self, depth: int, in_loop: bool, is_nested: bool) -> None:
        if in_loop:
            self.put(depth, self.pick("break", "continue", f"return {self.number(1)}"))
        else:
            self.put(depth, f"return {self.names()}" if self.random.random() < 0.3 else "pass")

    def if_(self, depth: int, in_loop: bool, is_nested: bool) -> None:
        self.put(depth, f"if {self.test()}:")
        self.block(depth + 1, in_loop, is_nested)
        if self.random.random() < 0.4:
            self.put(depth, f"elif {self.test()}:")
            self.block(depth + 1, in_loop, is_nested)
        if self.random.random() < 0.5:
            self.put(depth, "else:")
            self.block(depth + 1, in_loop, is_nested)

    def for_(self, depth: int, in_loop: bool, is_nested: bool) -> None:
        target = self.pick(self.name(), self.name(), f"{self.name()}, {self.name()}")
        some = f"range({self.number(1)} % 4)"
        over = f"enumerate({self.pick('xs[:3]', 'range(n)')})" if "," in target else self.pick("range(n)", "list(xs[:4])", some)
        self.put(depth, f"for {target} in {over}:")
        self.block(depth + 1, True, is_nested)
        self.loop_else(depth, in_loop, is_nested)

    def while_(self, depth: int, in_loop: bool, is_nested: bool) -> None:
        count = f"w{len(self.lines)}"
        self.put(depth, f"{count} = 0")
        self.put(depth, f"while ({count} := {count} + 1) < 5{self.pick('', ' and ' + self.test())}:")
        self.block(depth + 1, True, is_nested)
        self.loop_else(depth, in_loop, is_nested)

    def loop_else(self, depth: int, in_loop: bool, is_nested: bool) -> None:
        if self.random.random() < 0.3:
            self.put(depth, "else:")
            self.block(depth + 1, in_loop, is_nested)

    def try_(self, depth: int, in_loop: bool, is_nested: bool) -> None:
        self.put(depth, "try:")
        self.block(depth + 1, in_loop, is_nested)
        has_handler = self.random.random() < 0.8
        if has_handler:
            named = f" as {self.name()}" if self.random.random() < 0.3 else ""
            self.put(depth, f"except {self.random.choice(ERRORS)}{named}:")
            self.block(depth + 1, in_loop, is_nested)
            if self.random.random() < 0.2:
                self.put(depth + 1, "raise")
            if self.random.random() < 0.3:
                self.put(depth, "else:")
                self.block(depth + 1, in_loop, is_nested)
        if not has_handler or self.random.random() < 0.3:
            self.put(depth, "finally:")
            self.block(depth + 1, in_loop, is_nested)

    def with_(self, depth: int, in_loop: bool, is_nested: bool) -> None:
        self.put(depth, f"with suppress({self.random.choice(ERRORS)}){self.pick('', ' as ' + self.name())}:")
        self.block(depth + 1, in_loop, is_nested)

    def match(self, depth: int, in_loop: bool, is_nested: bool) -> None:
        self.put(depth, f"match {self.pick(self.number(1), 'xs')}:")
        for _ in range(self.random.randrange(1, 3)):
            guard = f" if {self.test()}" if self.random.random() < 0.4 else ""
            one, two = self.random.sample(NAMES, 2)
            pattern = self.pick("0", "1 | 2", f"int({one})", f"[{one}, *{two}]", f"[{one}]", f"[*_, {one}]")
            self.put(depth + 1, f"case {pattern}{guard}:")
            self.block(depth + 2, in_loop, is_nested)

    def lambda_(self, depth: int, in_loop: bool, is_nested: bool) -> None:
        body = self.pick(self.number(), f"[{self.name()} + q for q in range(2) if q]", f"(r := {self.number(1)}) and r + p")
        self.put(depth, f"{self.name()} = (lambda p, q={self.number(1)}: {body})({self.number(1)})")

    def attribute(self, depth: int, in_loop: bool, is_nested: bool) -> None:
        where = self.pick("o.v", "o.w", "o.d[0]", "o.d[o.v]")
        self.put(depth, f"{where} {self.pick('=', '=', '+=', '*=')} {self.number(1)}")
        if self.random.random() < 0.3:
            self.put(depth, f"{self.name()}, o.v, {self.name()} = {self.number(1)}, {self.number(1)}, o.w")

    def generator(self, depth: int, in_loop: bool, is_nested: bool) -> None:
        if is_nested:
            return self.assign(depth, in_loop, is_nested)
        self.functions += 1
        name = f"g{self.functions}"
        self.put(depth, f"def {name}(p):")
        if self.random.random() < 0.6:
            self.put(depth + 1, f"nonlocal {self.name()}")
        self.put(depth + 1, f"yield {self.number(1)}")
        self.block(depth + 1, False, True)
        self.put(depth + 1, f"yield {self.number(1)}")
        self.put(depth, f"{self.name()} = sum(v if isinstance(v, int) else 1 for v in {name}({self.number(1)}))")

    def class_(self, depth: int, in_loop: bool, is_nested: bool) -> None:
        if is_nested:
            return self.assign(depth, in_loop, is_nested)
        self.functions += 1
        name = f"C{self.functions}"
        self.put(depth, f"class {name}:")
        self.put(depth + 1, f"field = {self.number(1)}")
        self.put(depth + 1, f"def method(self, p={self.number(1)}):")
        if self.random.random() < 0.5:
            self.put(depth + 2, f"nonlocal {self.name()}")
        self.block(depth + 2, False, True)
        self.put(depth + 2, f"return {self.number(1)}")
        self.put(depth, f"{self.name()} = {name}().method()")

    def function(self, depth: int, in_loop: bool, is_nested: bool) -> None:
        if is_nested and self.random.random() < 0.7:
            return self.assign(depth, in_loop, is_nested)
        self.functions += 1
        name = f"g{self.functions}"
        self.put(depth, f"def {name}(p{self.pick('', '=' + self.number(1))}, *q):")
        if self.random.random() < 0.6:
            self.put(depth + 1, f"nonlocal {', '.join(self.random.sample(NAMES, 2))}")
        self.block(depth + 1, False, True)
        self.put(depth + 1, f"return {self.number(1)}")
        self.put(depth, f"{self.name()} = {name}({self.number(1)})")
