"""Random programs, plain and converted; ``python tests/frontend/test_random_programs.py FIRST LAST`` runs more seeds."""

import linecache
import sys
from contextlib import suppress

import pytest
from frontend.random_programs import Holder, Writer
from frontend.table import assert_same, observe

from hybrid.frontend import convert, run

CALLS = [(0, 3, [1, 2]), (2, 2, [0, -1, 3]), (-1, 4, [])]
SEEDS = 250


def check(seed: int) -> None:
    text = Writer(seed).program()
    file = f"<random program {seed}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    try:
        code = compile(text, file, "exec")
    except SyntaxError:
        return  # a name that a function inside declares nonlocal is bound nowhere
    names = {"suppress": suppress, "Holder": Holder, "__name__": "random_program"}
    exec(code, names)
    made = convert(names["f"])
    for arguments in CALLS:
        assert_same(observe(names["f"], arguments), observe(lambda *args: run(made, *args), arguments))


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@pytest.mark.parametrize("first", range(0, SEEDS, 50))
def test_random_programs(first):
    for seed in range(first, first + 50):
        check(seed)


if __name__ == "__main__":
    for seed in range(*map(int, sys.argv[1:3])):
        try:
            check(seed)
        except BaseException as error:
            print(seed, type(error).__name__, str(error)[:300])
