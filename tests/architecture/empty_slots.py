"""Write down what no operation has yet: ``python tests/architecture/empty_slots.py`` makes ``empty_slots.txt`` anew."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import hybrid  # noqa: F401 - fills the table
from hybrid.core.table import OPS

FILE = Path(__file__).with_name("empty_slots.txt")


def empty_slots(op: Any) -> list[str]:
    """The names of the slots of an operation that nothing fills."""
    filled = {
        "gradient": op.vjp_rule or op.no_gradient,
        "lowering": op.emit,
        "batching": op.batch_rule,
    }
    return [name for name, value in filled.items() if not value]


def report() -> str:
    """The counts, then a line for each operation with something empty."""
    slots = {name: empty_slots(op) for name, op in sorted(OPS.items()) if op.module.startswith("hybrid.ops.")}
    counts = Counter(slot for names in slots.values() for slot in names)
    head = f"{len(slots)} operations; empty: {', '.join(f'{slot} {n}' for slot, n in sorted(counts.items()))}"
    return "\n".join([head, "", *(f"{name}: {', '.join(names)}" for name, names in slots.items() if names), ""])


if __name__ == "__main__":
    text = report()
    FILE.write_text(text)
    print(text.split("\n")[0])
