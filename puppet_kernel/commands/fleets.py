"""Commands that show the program with other facts: with one change, or on many nodes."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from fnmatch import fnmatch
from functools import partial
from os import path as paths
from typing import Any

from evaluator.catalog.model import format_key
from evaluator.catalog.references import parse_reference
from evaluator.facts import list_fact_sets, read_facts
from evaluator.fleet import Fleet, FleetRow, parse_choices, vary_facts
from evaluator.issues import Failure
from evaluator.program import sandbox
from evaluator.program.log import Log
from puppet_kernel.commands.command import Answer, CommandContext, command
from puppet_kernel.commands.comparison import LastFleet, compare_sessions, last_fleets
from puppet_kernel.commands.files import list_folders, require_readable, write_file
from puppet_kernel.rendering import fleets
from puppet_kernel.rendering.elements import Element, Group, NoteElement, Tabs
from puppet_kernel.rendering.literals import format_duration
from puppet_kernel.replies import refuse_if, refuse_problems, require_found
from puppet_kernel.user_files.node_data import SUFFIXES, add_nodes, parse_fleet_facts

# no backtracking: interrupts cannot stop the matching here
_RESOURCE = re.compile(r"(?P<type>[A-Z]\w*+(?:::[A-Z]\w*+)*+)\[(?P<title>.*)\]")
_TABLE = re.compile(r"(?:^|\s)--table[\s=]++(?P<file>\S++)(?P<forced>\s++--force)?\s*+$")
_WHAT = "%fleet takes folders, files, sets or FACT=A,B"
_SAVING = "%fleet --table fleet.csv writes the table of the fleet that was shown last"
_REPORT_SECONDS = 2.0
_MOST = 12  # sets of facts that are shown side by side


@command(
    *("fleet", "[WHAT] [--table FILE]", lambda context: [*list_fact_sets(), *list_folders(context)]),
    summary="Compile the program for many nodes and show the differences.",
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
def fleet(context: CommandContext, argument: str) -> Answer:
    """Compile the program for many nodes, and show failures, differences and their facts."""
    saved = _TABLE.search(argument)
    asked_for = (argument if saved is None else argument[: saved.start()]).strip()
    refuse_if(
        saved is not None and not fleets.is_table(saved["file"]),
        f"--table takes a file whose name ends in {', '.join(fleets.FORMS)}",
        help=_SAVING,
    )
    resource = _RESOURCE.fullmatch(asked_for)
    if asked_for and resource is None:
        facts, certname = _read_facts(context, asked_for.split())
        last_fleets[context.session] = LastFleet(facts, certname)
    asked = require_found(
        last_fleets.get(context.session),
        "%fleet takes facts of nodes: a folder or files, names of nodes or of sets, values of a fact",
        help="%fleet facts, %fleet node web01 web02, %fleet debian-12 rocky-9, %fleet os.family=RedHat,Suse",
    )
    shown = _compile(context, asked)
    name = None if resource is None else _normalize_reference(resource)
    return context.supervise(lambda: _render_fleet(context, shown, name, saved))


def _render_fleet(
    context: CommandContext, shown: Fleet, name: str | None, saved: re.Match[str] | None
) -> Answer:
    """Return the differences between the nodes, or one resource; write them if requested."""
    rows = shown.table(name)
    refuse_if(name is not None and not rows, f"No node has {name}", help="%fleet lists the differences")
    found = (
        fleets.describe_fleet(shown, context.width())
        if name is None
        else fleets.make_fleet_table(rows, context.width())
    )
    return found if saved is None else Group(found, _save_table(context, rows, saved), spaced=True)


def _normalize_reference(resource: re.Match[str]) -> str:
    """Return a resource as the catalog writes it."""
    title = resource["title"].strip()
    if title[:1] in ("'", '"') and title[-1:] == title[:1]:
        title = title[1:-1]
    written = f"{resource['type']}[{title}]"
    key = parse_reference(written)
    return written if key is None else format_key(key)


def _save_table(context: CommandContext, rows: list[FleetRow], saved: re.Match[str]) -> NoteElement:
    """Write rows to a file."""
    path = saved["file"]
    with refuse_problems(ValueError, help=_SAVING):
        content = fleets.format_table(rows, path)
    write_file(context, path, lambda: content, forced=saved["forced"] is not None, command="%fleet --table")
    return NoteElement("hint", f"the table is written to {path}")


def _compile(context: CommandContext, asked: LastFleet) -> Fleet:
    """Return the fleet, compiled again only if the cells have changed."""
    cells = [cell.source for cell in context.session.cells]
    if asked.fleet is None or asked.cells != cells:
        asked.fleet = context.session.fleet(
            asked.facts, on_progress=_make_progress_reporter(context), certname=asked.certname
        )
        asked.cells = cells
    return asked.fleet


def _make_progress_reporter(context: CommandContext) -> Callable[[Fleet], None]:
    """Return a function that reports progress from time to time, and raises an interrupt."""
    reported = time.monotonic()

    def tell(so_far: Fleet) -> None:
        nonlocal reported
        context.supervise(lambda: None)
        if (
            time.monotonic() - reported > _REPORT_SECONDS
            and context.session.on_log is not None
            and so_far.result_count
        ):
            reported = time.monotonic()
            left = format_duration(so_far.seconds_left)
            context.session.on_log(
                Log("info", f"{so_far.result_count:,} of {len(so_far.facts):,} nodes, {left} left")
            )

    return tell


def _read_facts(context: CommandContext, words: list[str]) -> tuple[dict[str, Any], str | None]:
    """Return the facts that the words of a command name, and the certname if they are of one node."""
    found: dict[str, Any] = {}
    if words[0] == "node" and words[1:]:
        return {name: context.fork_session(cells=0, node=name).facts for name in words[1:]}, None
    changes: list[str] = []
    with refuse_problems(Failure, ValueError, help=_WHAT):
        for word in words:
            if word in list_fact_sets():
                found[word] = read_facts(word, context.session.node)
            elif "=" in word:
                changes.append(word)
            else:
                for file in _find_files(context, word):
                    require_readable(context, file)  # a folder may contain links that lead elsewhere
                    content = require_found(
                        sandbox.read_named(file),
                        f"there is no set of facts '{word}' and no such file or folder",
                        help=_WHAT,
                    )
                    add_nodes(found, context.supervise(partial(parse_fleet_facts, content, file)), file)
        if not changes:
            return found, context.session.node if found.keys() <= set(list_fact_sets()) else None
        refuse_if(found, "use values of facts, or nodes with their facts, but not both", help=_WHAT)
        return vary_facts(
            context.session.facts, dict(parse_choices(text, context.session.facts) for text in changes)
        ), (context.session.node)


def _find_files(context: CommandContext, word: str) -> list[str]:
    """Return the files of facts that a word names: a file, a folder's, or those that match a pattern."""
    require_readable(context, word)
    folder, last = (word, "*") if sandbox.get_kind(word) == sandbox.FOLDER else paths.split(word)
    if not any(sign in last for sign in "*?["):
        return [word]
    require_readable(context, folder or ".")
    return [
        paths.join(folder, name)
        for name in sandbox.list_folder(folder or ".")
        if fnmatch(name, last) and name.endswith(SUFFIXES)
    ]


@command(
    *("whatif", "FACT=VALUE", lambda context: [f"{name}=" for name in context.session.facts]),
    summary="Compile the program with other values of a fact.",
    examples=("%whatif os.family=RedHat", "%whatif os.family=RedHat,Suse"),
    demo="%whatif os.family=RedHat",
    mutates_session=True,
)
def whatif(context: CommandContext, argument: str) -> Answer:
    """Show the effect of another value of a fact; each of several values on its own."""
    with refuse_problems(ValueError, help="%whatif os.family=RedHat,Suse"):
        values = dict(parse_choices(text, context.session.facts) for text in argument.split())
        sets = vary_facts(context.session.facts, values) if values else {}
    refuse_if(
        not 0 < len(sets) <= _MOST,
        f"%whatif takes values of facts, at most {_MOST} combinations",
        help="%whatif os.family=RedHat,Suse; %fleet takes more",
    )
    here = "the current facts", context.session

    def compare_with(name: str, facts: dict[str, Any]) -> Element:
        return compare_sessions(
            here, (name, context.fork_session(facts=facts)), context.width(), context.session.cells
        )

    parts = [(name, compare_with(name, facts)) for name, facts in sets.items()]
    return parts[0][1] if len(parts) == 1 else Tabs(*parts)
