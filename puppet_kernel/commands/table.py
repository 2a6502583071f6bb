"""The table of all commands, for the terminal and the notebook.

Help and completion use it.

A command is a function with the decorator `@command` in any module of this package; a new module is found
automatically. Commands whose modules few sessions need are declared here, and imported when they first run. Together
they would cost a kernel 40 ms of CPU and 2.7 MB more (Python 3.11, `tests/benchmarks/kernels.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pkgutil import iter_modules

from evaluator.facts import fact_sets
from lexer_parser.lazy import lazy_module
from puppet_kernel import commands as package
from puppet_kernel.commands import fleet_state
from puppet_kernel.commands.command import (
    DECLARED,
    Command,
    CommandContext,
    CommandTable,
    CompleteArgument,
    DeferredCode,
)
from puppet_kernel.commands.paths import list_folders, list_manifests

# Modules of this package that declare no command, and those that are imported when their commands first run.
WITHOUT_COMMANDS = ("command", "dispatch", "fleet_state", "inputs", "paths", "reference", "table")
DEFERRED = ("comparison", "debugging", "files", "fleets", "learning", "undo")
# The order in which %help lists commands. Others follow.
HELP_ORDER = (
    *("help", "catalog", "graph", "vars", "facts", "node", "environment", "modulepath", "hiera", "exported"),
    *("lookup", "dialect", "limits", "cells", "run", "load", "save", "undo", "redo", "reset", "time"),
    *("format", "explain", "step", "types", "both", "diff", "whatif", "fleet", "why", "functions", "classes"),
    *("break", "debug", "check", "hint", "solution", "exercises", "clear", "quit"),
)


def _complete_sides(context: CommandContext) -> Iterable[str]:
    labels = (cell.label for cell in context.session.cells)
    return ("dialect", "facts", "node", *labels, *fleet_state.list_nodes(context.session))


def _complete_fleet(context: CommandContext) -> Iterable[str]:
    return [*fact_sets(), *list_folders(context)]


def _complete_breakpoint(context: CommandContext) -> Iterable[str]:
    return ("off", *(f"{cell.label}:" for cell in context.session.cells), *context.session.loaded())


def _complete_resource(context: CommandContext) -> Iterable[str]:
    return ("node", *(item.reference for item in context.session.catalog().resources.values()))


def _complete_nothing(context: CommandContext) -> Iterable[str]:
    return ()


def _defer(
    module: str,
    function: str,
    summary: str,
    usage: str,
    complete: CompleteArgument = _complete_nothing,
    examples: tuple[str, ...] = (),
    *,
    demo: str,
    takes_code: bool = False,
    runs_code: bool = False,
    mutates_session: bool = False,
    immediate: bool = False,
    runs_demo: bool = True,
) -> Command:
    """Return a command whose module is imported when it first runs.

    `usage` is its name and its arguments.
    """
    name, _, arguments = usage.partition(" ")
    return Command(
        name,
        arguments,
        DeferredCode(f"{package.__name__}.{module}", function, summary),
        complete,
        examples=examples,
        takes_code=takes_code,
        runs_code=runs_code,
        mutates_session=mutates_session,
        immediate=immediate,
        demo=demo,
        runs_demo=runs_demo,
    )


def _declare_deferred() -> Iterator[Command]:
    yield _defer(
        *("files", "run", "Run a manifest as this cell.", "run FILE"),
        *(list_manifests, ("%run site.pp",)),
        demo="%run modules/motd/functions/shout.pp",
        runs_code=True,
        mutates_session=True,
    )
    yield _defer(
        *("files", "load", "Take the text of a file for the next input.", "load FILE"),
        *(list_manifests, ("%load site.pp",)),
        demo="%load modules/motd/functions/shout.pp",
    )
    yield _defer(
        *("files", "save", "Write the cells to a file: .pp, .ipynb, or .md, a transcript."),
        "save FILE [--force]",
        examples=("%save site.pp", "%save lesson.ipynb", "%save what-i-did.md"),
        demo="%save lesson.ipynb\n%save what-i-did.md --force",
        runs_demo=False,  # a file is written only where files are permitted
    )
    yield _defer(
        *("undo", "undo", "Take back the last input.", "undo"),
        demo="%undo",
        mutates_session=True,
        immediate=True,
    )
    yield _defer(
        *("undo", "redo", "Do again what was taken back.", "redo"),
        demo="%redo",
        mutates_session=True,
        immediate=True,
    )
    yield _defer(
        *("learning", "step", "How an expression is evaluated, one part after the other.", "step EXPRESSION"),
        examples=("%step 1 + 2 * 3", "%step if 1 > 2 { 'more' } else { 'less' }"),
        demo="%step 1 + 2 * 3",
        takes_code=True,
        mutates_session=True,
    )
    yield _defer(
        *("learning", "types", "How the types lie in each other, and which hold a value."),
        "types [EXPRESSION]",
        examples=("%types [1, 'a']",),
        demo="%types 'a'",
        takes_code=True,
        mutates_session=True,
    )
    yield _defer(
        *("comparison", "both", "Code in both dialects, side by side.", "both CODE"),
        examples=("%both '10' < '9'",),
        demo="%both '10' < '9'",
        takes_code=True,
        mutates_session=True,
    )
    yield _defer(
        *("comparison", "diff", "What differs between cells, nodes, facts, dialects.", "diff WHAT"),
        _complete_sides,
        examples=(
            "%diff [3] [7]",
            "%diff web01 db01  # of the last fleet, or any",
            "%diff facts rocky-9",
            "%diff dialect",
        ),
        demo="%diff dialect",
        mutates_session=True,
    )
    yield _defer(
        *("fleets", "whatif", "What the program would be, were a fact another one.", "whatif FACT=VALUE"),
        lambda context: [f"{name}=" for name in context.session.facts],
        examples=("%whatif os.family=RedHat", "%whatif os.family=RedHat,Suse"),
        demo="%whatif os.family=RedHat",
        mutates_session=True,
    )
    yield _defer(
        *("fleets", "fleet", "The program compiled for many nodes, and where they differ."),
        *("fleet [WHAT] [--table FILE]", _complete_fleet),
        examples=(
            "%fleet facts",
            "%fleet node web01 web02",
            "%fleet debian-12 rocky-9",
            "%fleet os.family=RedHat,Suse",
            "%fleet File['/x']",
            "%fleet facts --table fleet.csv  # or .json, .parquet; --force replaces it",
        ),
        demo="%fleet debian-12 rocky-9",
        mutates_session=True,
    )
    yield _defer(
        *("learning", "why", "Where a value came from; why a match, choice or call.", "why WHAT"),
        _complete_resource,
        examples=(
            "%why File['/etc/motd'] mode",
            "%why Class[ntp]",
            "%why [1, 'a'] =~ Array[Integer]",
            "%why join('a', 2)",
            "%why case 5 { Integer[6]: { 'many' } default: { 'few' } }",
            "%why node",
        ),
        demo="%why File['/etc/ntp.conf'] mode",
        takes_code=True,
        mutates_session=True,
    )
    yield _defer(
        *("debugging", "stop_at", "Stop at a line of a cell or file; list where."),
        *("break [PLACE:LINE [if COND]]", _complete_breakpoint),
        examples=("%break [3]:2", "%break ntp/manifests/init.pp:12 if $port > 1024", "%break off"),
        demo="%break [3]:2\n%break off",
        runs_demo=False,  # a debugger asks what to do next
        mutates_session=True,
        immediate=True,
    )
    yield _defer(
        *("debugging", "debug", "Run code line by line: its variables, calls, the catalog so far."),
        "debug CODE",
        examples=("%debug [1, 2].map |$n| { $n * 2 }",),
        demo="%debug [1, 2].map |$n| { $n * 2 }",
        runs_demo=False,
        takes_code=True,
        runs_code=True,
        mutates_session=True,
    )


def _find_commands() -> CommandTable:
    for module in sorted(found.name for found in iter_modules(package.__path__)):
        if module not in (*WITHOUT_COMMANDS, *DEFERRED):
            lazy_module(f"{package.__name__}.{module}")
    place = {name: number for number, name in enumerate(HELP_ORDER)}
    found = [*DECLARED, *_declare_deferred()]
    return CommandTable(sorted(found, key=lambda command: place.get(command.name, len(place))))


COMMANDS = _find_commands()
