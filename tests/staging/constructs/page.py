"""``python tests/staging/constructs/page.py`` writes the page of the constructs anew, for reading before it is kept."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

from staging.constructs.driver import CONSTRUCTS, KINDS, seen
from staging.constructs.known import DIFFERENT, REFUSED, kinds_of
from staging.constructs.table import Construct

import hybrid

FILE = Path(hybrid.__file__).parent / "docs" / "constructs.md"
INTRODUCTION = Path(__file__).with_name("introduction.md")


def page() -> str:
    """The whole page."""
    parts = [INTRODUCTION.read_text(encoding="utf-8").replace("COUNT", str(len(CONSTRUCTS)))]
    for section, programs in groupby(CONSTRUCTS, lambda construct: construct.section):
        parts += [f"## {section}\n", *map(entry, programs)]
    return "\n".join(parts)


def entry(construct: Construct) -> str:
    """The part for one program."""
    heading = construct.title[0].upper() + construct.title[1:]
    lines = [f"- {what}: {', '.join(kinds) if len(kinds) < len(KINDS) else 'all kinds'}" for what, kinds in outcomes(construct).items()]
    return "\n".join([f"### {heading}\n", "```python", construct.text.rstrip(), "```\n", *lines, ""])


def outcomes(construct: Construct) -> dict[str, list[str]]:
    """What the program does, and for which kinds."""
    found: dict[str, list[str]] = {}
    for kind in KINDS:
        found.setdefault(_outcome(construct, kind), []).append(kind)
    return found


def _outcome(construct: Construct, kind: str) -> str:
    for known, word in ((REFUSED, "refused"), (DIFFERENT, "not yet as in Python")):
        if kind in kinds_of(known, construct.name):
            return f"{word} ({known[construct.name][1]})"
    errors = {type(call.error).__name__ for call in (seen(construct.function, value) for value in KINDS[kind]) if call.error is not None}
    raised = " or ".join(f"`{name}`" for name in sorted(errors))
    if len(errors) and all(seen(construct.function, value).error is not None for value in KINDS[kind]):
        return f"raises {raised}, as Python does"
    return f"as in Python, which for some values raises {raised}" if errors else "as in Python"


if __name__ == "__main__":
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(page(), encoding="utf-8")
