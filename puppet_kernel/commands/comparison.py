"""Commands that compare the program in dialects, at cells, on nodes and with other facts.

`%both`, `%diff` and `%whatif` compare two sessions; `%fleet` compiles for many nodes.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Sequence
from fnmatch import fnmatch
from functools import partial
from os import path as paths
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from evaluator import Session
from evaluator.catalog import CatalogDifference
from evaluator.catalog.differences import compare_catalogs, is_same_data
from evaluator.catalog.model import format_key
from evaluator.catalog.references import parse_reference
from evaluator.facts import list_fact_sets, read_facts
from evaluator.fleet import Fleet, FleetRow, parse_choices, vary_facts
from evaluator.issues import Failure
from evaluator.program import sandbox
from evaluator.program.log import Log
from evaluator.session.cell import Entry
from evaluator.values import make_key
from lexer_parser.dialect import DIALECTS
from lexer_parser.issues.similarity import find_nearest
from lexer_parser.record import Record, fresh
from puppet_kernel.commands.command import Answer, CommandContext, command
from puppet_kernel.commands.files import list_folders, require_readable, write_file
from puppet_kernel.commands.inspection import list_own_variables
from puppet_kernel.commands.settings import read_named_facts
from puppet_kernel.rendering import fleets, views
from puppet_kernel.rendering.elements import Element, Group, Line, NoteElement, Table, Tabs, make_line
from puppet_kernel.rendering.literals import format_duration, shorten_value
from puppet_kernel.replies import CommandError, refuse_if, refuse_problems, require_found
from puppet_kernel.user_files.node_data import SUFFIXES, add_nodes, parse_fleet_facts

# No backtracking, because interrupts cannot stop the matching here.
_RESOURCE = re.compile(r"(?P<type>[A-Z]\w*+(?:::[A-Z]\w*+)*+)\[(?P<title>.*)\]")
_TABLE = re.compile(r"(?:^|\s)--table[\s=]++(?P<file>\S++)(?P<forced>\s++--force)?\s*+$")
_FLEET_HELP = "%fleet takes folders, files, sets or FACT=A,B"
_TABLE_HELP = "%fleet --table fleet.csv writes the table of the fleet that was shown last"
_REPORT_SECONDS = 2.0  # between two reports of progress
_MOST_SETS = 12  # of facts that are shown side by side


class LastFleet(Record):
    """The last fleet of a session.

    Attributes:
        facts: The facts of each node.
        certname: The certname of all nodes, if they are variants of one node; else None.
        cells: The sources of the cells that were compiled.
        fleet: The compiled fleet, or None.
    """

    facts: dict[str, Any]
    certname: str | None
    cells: list[str] = fresh(factory=list)
    fleet: Fleet | None = None


class ComparedSession(NamedTuple):
    """A session that is compared with another one, and its name in the output."""

    name: str
    session: Session


last_fleets: WeakKeyDictionary[Session, LastFleet] = WeakKeyDictionary()


def list_nodes(session: Session) -> list[str]:
    """Return the names of the nodes of the last fleet; none without a fleet."""
    last = last_fleets.get(session)
    return [] if last is None else list(last.facts)


_CELL_LABEL = re.compile(r"\[?(\d+)\]?")


@command(
    "both",
    arguments="CODE",
    summary="Run code in both dialects, side by side.",
    examples=("%both '10' < '9'",),
    demo="%both '10' < '9'",
    takes_code=True,
    mutates_session=True,
)
def both(context: CommandContext, argument: str) -> Answer:
    """Show code in both dialects, side by side, and the rule by which they differ."""
    refuse_if(not argument.strip(), "%both takes the code to run", help="%both '10' < '9'")
    rows, results = [], []
    own = DIALECTS[context.session.dialect]
    for dialect in (own, own.counterpart):
        outcome = _get_session(context, dialect=dialect.name).look(argument)
        if outcome.error is not None:
            if outcome.interrupted:
                raise outcome.error
            first, *rest = outcome.error.message.split("\n")
            result: Line = make_line(("error", outcome.error.code), f"  {first}{' …' if rest else ''}")
        else:
            result = shorten_value(outcome.value, context.width() - 12)
        logged = [make_line(("dim", f"  {entry.level}: {entry.message}")) for entry in outcome.logs]
        rows += [(make_line(("name", dialect.name)), result), *((make_line(""), row) for row in logged)]
        results.append((result, logged))
    switches = None if results[0] == results[1] else context.session.find_switches(argument)
    if switches is None:
        return Table(rows)
    if not switches:
        return Group(
            Table(rows), NoteElement("hint", "the cells above differ, too: %diff dialect"), spaced=True
        )
    rules = " or ".join(" and ".join(group) for group in switches)
    rows.append(
        (make_line(("name", "rule")), make_line(("", rules), ("dim", f"  ?{switches[0][0]} explains it")))
    )
    return Table(rows)


def _get_session(context: CommandContext, **settings: Any) -> Session:
    """Return the session, or one with other settings in which the same cells ran."""
    is_same = all(getattr(context.session, name) == value for name, value in settings.items())
    return context.session if is_same else context.fork_session(**settings)


# --- differences


@command(
    "diff",
    arguments="WHAT",
    complete_argument=lambda context: (
        *("dialect", "facts", "node"),
        *(cell.label for cell in context.session.cells),
        *list_nodes(context.session),
    ),
    summary="Compare cells, nodes, facts or dialects.",
    examples=(
        "%diff [3] [7]",
        "%diff web01 db01  # of the last fleet, or any",
        "%diff facts rocky-9",
        "%diff dialect",
    ),
    demo="%diff dialect",
    mutates_session=True,
)
def diff(context: CommandContext, argument: str) -> Answer:
    """Show the differences between two cells, nodes, sets of facts, or the dialects."""
    words = argument.split() or [""]
    kind, *names = words
    cells: Sequence[Entry] = context.session.cells  # those that both sessions should have run
    if kind == "dialect" and set(names) <= DIALECTS.keys() and len(names) <= 2:
        own = DIALECTS[context.session.dialect]
        # One name is compared with the current dialect, as below with the current node.
        compared = [own.name, *(names or [own.counterpart.name])][-2:]
        sides = [ComparedSession(name, _get_session(context, dialect=name)) for name in compared]
    elif kind == "node" and 1 <= len(names) <= 2:
        compared = [context.session.node, *names][-2:]
        sides = [ComparedSession(name, _get_session(context, node=name)) for name in compared]
    elif kind == "facts" and 1 <= len(names) <= 2:
        with refuse_problems(ValueError, help="%diff facts takes sets of facts, or files with facts"):
            forks = [_fork_with_facts(context, name) for name in names]
        sides = [ComparedSession("the current facts", context.session), *forks][-2:]
    elif kind and all(_CELL_LABEL.fullmatch(word) for word in (kind, *names)) and len(names) <= 1:
        forks = [_fork_until(context, word) for word in (kind, *names)]
        sides = [*forks, ComparedSession("now", context.session)][:2]
        cells = ()
    elif names and kind not in ("dialect", "facts", "node"):
        sides = _find_nodes(context, words)
    else:
        raise CommandError(
            "%diff takes two cells, two nodes, `node`, `facts` or `dialect`",
            help="%diff [3] [7], %diff web01 db01, %diff facts debian-12 rocky-9, %diff dialect",
        )
    before, after = sides
    return compare_sessions(before, after, context.width(), cells)


def _fork_with_facts(context: CommandContext, name: str) -> ComparedSession:
    """Return a session with the facts of a file or of a bundled set."""
    return ComparedSession(name, context.fork_session(**read_named_facts(context, name)))


def _find_nodes(context: CommandContext, words: list[str]) -> list[ComparedSession]:
    """Return the names and sessions of two nodes of the last fleet, with their facts there.

    Without a fleet the words are the names of two bundled sets of facts, or of two nodes.
    """
    last = last_fleets.get(context.session)
    if last is None:
        refuse_if(len(words) != 2, "%diff takes two nodes", help="%diff web01 db01")
        if set(words) <= set(list_fact_sets()):
            return [_fork_with_facts(context, name) for name in words]
        return [ComparedSession(name, _get_session(context, node=name)) for name in words]
    # The name of a node may contain blanks, so every division of the words is tried.
    pairs = [(" ".join(words[:count]), " ".join(words[count:])) for count in range(1, len(words))]
    names = next((pair for pair in pairs if last.facts.keys() >= set(pair)), None)
    if names is None:
        unknown = next(name for name in pairs[0] if name not in last.facts)
        raise CommandError(
            f"The fleet that was shown last has no node {unknown}",
            suggestion=find_nearest(unknown, last.facts),
            help="%fleet lists the differences; %diff node web01 db01 compares nodes that are in no fleet",
        )
    return [
        ComparedSession(
            name,
            context.fork_session(
                node=last.certname or name, facts=read_facts(last.facts[name], last.certname or name)
            ),
        )
        for name in names
    ]


def _fork_until(context: CommandContext, word: str) -> ComparedSession:
    """Return the session as it was after the cell with a label, such as `[3]`."""
    label = f"[{word.strip('[]')}]"
    labels = [cell.label for cell in context.session.cells]
    refuse_if(label not in labels, f"There is no cell {label}", help="%cells lists them")
    return ComparedSession(label, context.fork_session(cells=labels.index(label) + 1))


def compare_sessions(
    before: ComparedSession,
    after: ComparedSession,
    columns: int,
    cells: Sequence[Entry],
) -> Element:
    """Return the differences between the catalogs and the variables of two sessions.

    Args:
        before: The first session.
        after: The second session.
        columns: The width for drawing.
        cells: The cells that both sessions should have run; the cells that failed are listed.
    """
    catalog_before, catalog_after = before.session.catalog(), after.session.catalog()
    return before.session.call_supervised(
        lambda: _render_comparison(
            before, after, compare_catalogs(catalog_before, catalog_after), columns, cells
        )
    )


def _render_comparison(
    before: ComparedSession,
    after: ComparedSession,
    change: CatalogDifference,
    columns: int,
    cells: Sequence[Entry],
) -> Element:
    """Return a change of the catalog and of variables, with the cells that fail on one side."""
    parts: list[Element] = [NoteElement("hint", f"from {before.name} to {after.name}")]
    for name, session in (before, after):
        parts += _report_failures(cells, session, name)
    view = views.describe_change(change, columns)
    parts += [view] if view is not None else []
    rows = list(
        _compare_variables(list_own_variables(before.session), list_own_variables(after.session), columns)
    )
    if rows:
        parts.append(Table(rows, ("variable", before.name, after.name)))
    if len(parts) == 1:
        parts.append(NoteElement("hint", "nothing differs"))
    return Group(*parts, spaced=True)


def _report_failures(cells: Sequence[Entry], session: Session, name: str) -> list[Element]:
    """Return a warning about the cells that do not run in a session."""
    sources = {cell.source for cell in session.cells}
    missing = [cell.label for cell in cells if cell.source not in sources]
    return [NoteElement("warning", f"{', '.join(missing)} fail with {name}", "warning")] if missing else []


def _compare_variables(
    before: dict[str, Any], after: dict[str, Any], columns: int
) -> Iterable[tuple[Line, ...]]:
    """Yield a row for each variable that differs or exists on one side only."""
    room = max((columns - 24) // 2, 12)
    for name in before | after:
        values = [variables.get(name) for variables in (before, after)]
        is_in_both = name in before and name in after
        if not is_in_both or not (is_same_data(*values) or make_key(values[0]) == make_key(values[1])):
            yield (make_line(("variable", f"${name}")), *(shorten_value(value, room) for value in values))


# --- other facts, many nodes


@command(
    "fleet",
    arguments="[WHAT] [--table FILE]",
    complete_argument=lambda context: [*list_fact_sets(), *list_folders(context)],
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
    table = _TABLE.search(argument)
    text = (argument if table is None else argument[: table.start()]).strip()
    refuse_if(
        table is not None and not fleets.is_table(table["file"]),
        f"--table takes a file whose name ends in {', '.join(fleets.FORMS)}",
        help=_TABLE_HELP,
    )
    resource = _RESOURCE.fullmatch(text)
    if text and resource is None:
        facts, certname = _read_facts(context, text.split())
        last_fleets[context.session] = LastFleet(facts, certname)
    last = require_found(
        last_fleets.get(context.session),
        "%fleet takes facts of nodes: a folder or files, names of nodes or of sets, values of a fact",
        help="%fleet facts, %fleet node web01 web02, %fleet debian-12 rocky-9, %fleet os.family=RedHat,Suse",
    )
    compiled = _compile(context, last)
    name = None if resource is None else _normalize_reference(resource)
    return context.session.call_supervised(lambda: _render_fleet(context, compiled, name, table))


def _render_fleet(
    context: CommandContext, fleet: Fleet, name: str | None, table: re.Match[str] | None
) -> Answer:
    """Return the differences between the nodes, or one resource; write them if requested.

    Args:
        context: The command context.
        fleet: The compiled fleet.
        name: The reference of the resource; None for all.
        table: The match of the option `--table`; None without it.
    """
    rows = fleet.table(name)
    refuse_if(name is not None and not rows, f"No node has {name}", help="%fleet lists the differences")
    view = (
        fleets.describe_fleet(fleet, context.width())
        if name is None
        else fleets.make_fleet_table(rows, context.width())
    )
    return view if table is None else Group(view, _save_table(context, rows, table), spaced=True)


def _normalize_reference(resource: re.Match[str]) -> str:
    """Return a resource as the catalog writes it."""
    title = resource["title"].strip()
    if title[:1] in ("'", '"') and title[-1:] == title[:1]:
        title = title[1:-1]
    reference = f"{resource['type']}[{title}]"
    key = parse_reference(reference)
    return reference if key is None else format_key(key)


def _save_table(context: CommandContext, rows: list[FleetRow], table: re.Match[str]) -> NoteElement:
    """Write rows to the file that the option `--table` names."""
    path = table["file"]
    with refuse_problems(ValueError, help=_TABLE_HELP):
        content = fleets.format_table(rows, path)
    write_file(context, path, lambda: content, forced=table["forced"] is not None, command="%fleet --table")
    return NoteElement("hint", f"the table is written to {path}")


def _compile(context: CommandContext, last: LastFleet) -> Fleet:
    """Return the fleet, compiled again only if the cells have changed."""
    cells = [cell.source for cell in context.session.cells]
    if last.fleet is None or last.cells != cells:
        last.fleet = context.session.fleet(
            last.facts, on_progress=_make_progress_reporter(context), certname=last.certname
        )
        last.cells = cells
    return last.fleet


def _make_progress_reporter(context: CommandContext) -> Callable[[Fleet], None]:
    """Return a function that reports progress from time to time, and raises an interrupt."""
    last_report = time.monotonic()

    def report(fleet: Fleet) -> None:
        nonlocal last_report
        context.session.call_supervised(lambda: None)  # raises an interrupt that has arrived
        if (
            time.monotonic() - last_report > _REPORT_SECONDS
            and context.session.on_log is not None
            and fleet.result_count
        ):
            last_report = time.monotonic()
            left = format_duration(fleet.seconds_left)
            context.session.on_log(
                Log("info", f"{fleet.result_count:,} of {len(fleet.facts):,} nodes, {left} left")
            )

    return report


def _read_facts(context: CommandContext, words: list[str]) -> tuple[dict[str, Any], str | None]:
    """Return the facts that words name, and the certname if they are of one node."""
    facts: dict[str, Any] = {}
    if words[0] == "node" and words[1:]:
        return {name: context.fork_session(cells=0, node=name).facts for name in words[1:]}, None
    changes: list[str] = []
    with refuse_problems(Failure, ValueError, help=_FLEET_HELP):
        for word in words:
            if word in list_fact_sets():
                facts[word] = read_facts(word, context.session.node)
            elif "=" in word:
                changes.append(word)
            else:
                for file in _find_files(context, word):
                    require_readable(context, file)  # a folder may contain links that lead elsewhere
                    content = require_found(
                        sandbox.read_named(file),
                        f"there is no set of facts '{word}' and no such file or folder",
                        help=_FLEET_HELP,
                    )
                    add_nodes(
                        facts,
                        context.session.call_supervised(partial(parse_fleet_facts, content, file)),
                        file,
                    )
        if not changes:
            return facts, (context.session.node if facts.keys() <= set(list_fact_sets()) else None)
        refuse_if(facts, "use values of facts, or nodes with their facts, but not both", help=_FLEET_HELP)
        choices = dict(parse_choices(text, context.session.facts) for text in changes)
        return vary_facts(context.session.facts, choices), context.session.node


def _find_files(context: CommandContext, word: str) -> list[str]:
    """Return the files that a word names: one, those of a folder, or those of a pattern."""
    require_readable(context, word)
    folder, pattern = (word, "*") if sandbox.get_kind(word) == sandbox.FOLDER else paths.split(word)
    if not any(sign in pattern for sign in "*?["):
        return [word]
    require_readable(context, folder or ".")
    return [
        paths.join(folder, name)
        for name in sandbox.list_folder(folder or ".")
        if fnmatch(name, pattern) and name.endswith(SUFFIXES)
    ]


@command(
    "whatif",
    arguments="FACT=VALUE",
    complete_argument=lambda context: [f"{name}=" for name in context.session.facts],
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
        not 0 < len(sets) <= _MOST_SETS,
        f"%whatif takes values of facts, at most {_MOST_SETS} combinations",
        help="%whatif os.family=RedHat,Suse; %fleet takes more",
    )
    current = ComparedSession("the current facts", context.session)
    width, cells = context.width(), context.session.cells
    views = []
    for name, facts in sets.items():  # one fork at a time: each is a whole session
        fork = ComparedSession(name, context.fork_session(facts=facts))
        views.append((name, compare_sessions(current, fork, width, cells)))
    return views[0][1] if len(views) == 1 else Tabs(*views)
