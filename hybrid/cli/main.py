"""The command line: its arguments, and its exit status."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from hybrid.cli.compare import compare
from hybrid.cli.facts import cache, info
from hybrid.cli.look import explain, show
from hybrid.cli.status import EQUAL, INTERRUPTED, MISUSED, Refusal

__all__ = ["main", "parser"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit status: 0, 1 if something differs from plain Python, 2 if it can't be done, 130 if interrupted."""
    options = parser().parse_args(arguments)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
    try:
        return options.run(options)
    except Refusal as refusal:
        print(f"hybrid {options.command}: {refusal}", file=sys.stderr)
        return MISUSED
    except BrokenPipeError:  # the reader of our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EQUAL
    except KeyboardInterrupt:
        return INTERRUPTED


def parser() -> argparse.ArgumentParser:
    """What the command takes."""
    made = argparse.ArgumentParser(prog="hybrid", description="Write NumPy, run it eagerly, make what is hot native.")
    commands = made.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _add_compare(commands)
    _add_explain(commands)
    _add_show(commands)
    _add_cache(commands)
    command = _added(commands, "info", "versions, processor, libraries and settings", "Versions, processor, libraries, settings.")
    command.set_defaults(run=info)
    return made


def _added(commands: argparse._SubParsersAction, name: str, what: str, description: str) -> argparse.ArgumentParser:
    command = commands.add_parser(name, help=what, description=description)
    command.add_argument("--json", action="store_true", help="print JSON")
    return command


def _add_target(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "target", nargs="?", metavar="FILE[:FUNCTION]", help="compiled functions that declare example=...; else the gallery"
    )
    command.add_argument("-k", dest="word", metavar="WORD", help="only those with this in their name or field")


def _add_compare(commands: argparse._SubParsersAction) -> None:
    command = _added(
        commands,
        "compare",
        "time functions as plain Python and compiled, and compare their results",
        "Time functions as plain Python and compiled, and compare their results. The exit status is 1 if any differ.",
    )
    _add_target(command)
    command.add_argument("--quick", action="store_true", help="a tenth of the time for each, less exact")
    command.add_argument("--html", metavar="FILE", type=Path, help="write the table as a page, too")
    command.add_argument("--plot", metavar="FILE", type=Path, help="draw the times into a file, too (.png, .svg, .pdf)")
    command.add_argument(
        "--limit", metavar="SECONDS", type=float, default=300.0, help="give a function up that takes longer (300); 0 for no limit"
    )
    command.set_defaults(run=compare)


def _add_explain(commands: argparse._SubParsersAction) -> None:
    command = _added(
        commands,
        "explain",
        "tell for each line of a function what became of it",
        "Tell for each line of a function whether it is native, constant or run by Python, and why; what it allocates and checks.",
    )
    _add_target(command)
    command.add_argument("--html", metavar="FILE", type=Path, help="write the tables as a page, too")
    command.set_defaults(run=explain)


def _add_show(commands: argparse._SubParsersAction) -> None:
    command = _added(
        commands,
        "show",
        "print the graph, the rewritten Python or the generated source of a function",
        "Print what a function is made into: its typed graph, unless something else is asked for.",
    )
    _add_target(command)
    command.add_argument("--graph", action="store_true", help="the typed graph")
    command.add_argument("--converted", action="store_true", help="the Python that the function is rewritten to")
    command.add_argument("--code", action="store_true", help="the source of the native function, written for Numba")
    command.set_defaults(run=show)


def _add_cache(commands: argparse._SubParsersAction) -> None:
    command = _added(
        commands, "cache", "where native code is kept, and how much", "Tell where native code is kept between processes, and how much."
    )
    command.add_argument("--clear", action="store_true", help="remove all of it")
    command.set_defaults(run=cache)
