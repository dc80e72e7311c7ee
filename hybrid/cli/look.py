"""``hybrid explain`` and ``hybrid show``: what a function is made into."""

from __future__ import annotations

import argparse
import json
from typing import Any, Final

from hybrid.cli.status import DIFFERENT, EQUAL, writing
from hybrid.cli.targets import Case, cases_of, example_of, selected
from hybrid.functions.explain import explain as explanation_of
from hybrid.functions.function import Function, function

__all__ = ["explain", "show"]

PARTS: Final = ("graph", "converted", "code")
PAGE: Final = '<!doctype html><meta charset="utf-8"><title>hybrid explain</title><body style="font:14px sans-serif">{}</body>\n'


def explain(options: argparse.Namespace) -> int:
    """Print what became of each line of some functions."""
    found: list[dict[str, Any]] = []
    pages: list[str] = []
    for case in selected(cases_of(options.target), options.word):
        try:
            explanation = explanation_of(_compiled(case), *example_of(case))
        except Exception as error:
            found.append(_failed(case, error, options))
            continue
        found.append(explanation.to_dict())
        pages.append(explanation._repr_html_())
        if not options.json:
            print(explanation, end="\n\n")
    if options.json:
        print(json.dumps(found, indent=2))
    if options.html is not None:
        with writing():
            options.html.write_text(PAGE.format("".join(pages)), encoding="utf-8")
    return DIFFERENT if any("problem" in one for one in found) else EQUAL


def show(options: argparse.Namespace) -> int:
    """Print the graph, the rewritten Python or the generated source of some functions."""
    parts = [part for part in PARTS if getattr(options, part)] or ["graph"]
    found: list[dict[str, Any]] = []
    for case in selected(cases_of(options.target), options.word):
        try:
            trace = _compiled(case).trace(*example_of(case))
        except Exception as error:
            found.append(_failed(case, error, options))
            continue
        found.append({"name": case.name, **{part: str(getattr(trace, part)) for part in parts}})
        if not options.json:
            for part in parts:
                print(f"# {case.name}: {part}\n{found[-1][part]}\n")
    if options.json:
        print(json.dumps(found, indent=2))
    return DIFFERENT if any("problem" in one for one in found) else EQUAL


def _compiled(case: Case) -> Function:
    return case.function if isinstance(case.function, Function) else function(case.function)


def _failed(case: Case, error: Exception, options: argparse.Namespace) -> dict[str, Any]:
    """What is told of a function that can't be traced."""
    problem = f"{type(error).__name__}: {error}"
    if not options.json:
        print(f"{case.name}: {problem}\n")
    return {"name": case.name, "problem": problem}
