"""The text of generated code; ``python tests/frontend/test_text.py`` writes ``generated.txt`` anew, for reading before it is kept."""

import linecache
import sys
from pathlib import Path

import pytest

from hybrid.frontend import convert, converted_source

FILE = Path(__file__).with_name("generated.txt")
MARK, ARROW = "# " + "=" * 30 + " ", "# " + "-" * 30 + "\n"


def sections() -> dict[str, tuple[str, str]]:
    """Each construct's name, the user's code and the generated code."""
    parts = FILE.read_text().split(MARK)[1:]
    split = (part.partition("\n") for part in parts)
    return {name: tuple(text.split(ARROW)) for name, _, text in split}


def generated(name: str, source: str) -> str:
    """What a function becomes."""
    file = f"<{name}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    names = {"__name__": "user"}
    exec(compile(source, file, "exec"), names)
    return converted_source(convert(names["f"]))


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="comprehensions have other names")
@pytest.mark.parametrize("name", sections())
def test_generated_code(name):
    source, text = sections()[name]
    assert generated(name, source) == text


if __name__ == "__main__":
    FILE.write_text("".join(f"{MARK}{name}\n{source}{ARROW}{generated(name, source)}" for name, (source, _) in sections().items()))
