"""Commands that show one program twice: in two dialects, at two cells, on two nodes or facts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from evaluator import Session
from evaluator.catalog.differences import compare_catalogs, is_same_data
from evaluator.facts import list_fact_sets, read_facts
from evaluator.session.cell import Entry
from evaluator.values import make_key
from lexer_parser.dialect import DIALECTS
from lexer_parser.issues.similarity import find_nearest
from puppet_kernel.commands.command import Answer, CommandContext, command
from puppet_kernel.commands.inspection import is_builtin
from puppet_kernel.commands.settings import read_named_facts
from puppet_kernel.rendering import views
from puppet_kernel.rendering.elements import Element, Group, Line, NoteElement, Table, make_line
from puppet_kernel.rendering.literals import shorten_value
from puppet_kernel.replies import CommandError, refuse_if, refuse_problems

if TYPE_CHECKING:
    from evaluator.fleet import Fleet


class LastFleet:
    """The last fleet of a session.

    Attributes:
        facts: The facts of each node.
        certname: The certname of all nodes, if they are variants of one node; else None.
        cells: The sources of the cells that were compiled.
        fleet: The compiled fleet, or None.
    """

    def __init__(self, facts: dict[str, Any], certname: str | None) -> None:
        self.facts = facts
        self.certname = certname
        self.cells: list[str] = []
        self.fleet: Fleet | None = None


last_fleets: WeakKeyDictionary[Session, LastFleet] = WeakKeyDictionary()


def list_nodes(session: Session) -> list[str]:
    """Return the names of the nodes of the last fleet; none without a fleet."""
    asked = last_fleets.get(session)
    return [] if asked is None else list(asked.facts)


_POINT = re.compile(r"\[?(\d+)\]?")


@command(
    *("both", "CODE"),
    summary="Run code in both dialects, side by side.",
    examples=("%both '10' < '9'",),
    demo="%both '10' < '9'",
    takes_code=True,
    mutates_session=True,
)
def both(context: CommandContext, argument: str) -> Answer:
    """Show code in both dialects, side by side, and the rule by which they differ."""
    refuse_if(not argument.strip(), "%both takes the code to run", help="%both '10' < '9'")
    rows, given = [], []
    own = DIALECTS[context.session.dialect]
    for dialect in (own, own.counterpart):
        outcome = _get_session(context, dialect=dialect.name).look(argument)
        if outcome.error is not None:
            if outcome.interrupted:
                raise outcome.error
            first, *rest = outcome.error.message.split("\n")
            shown: Line = make_line(("error", outcome.error.code), f"  {first}{' …' if rest else ''}")
        else:
            shown = shorten_value(outcome.value, context.width() - 12)
        logged = [make_line(("dim", f"  {entry.level}: {entry.message}")) for entry in outcome.logs]
        rows += [(make_line(("name", dialect.name)), shown), *((make_line(""), row) for row in logged)]
        given.append((shown, logged))
    found = None if given[0] == given[1] else context.session.find_switches(argument)
    if found is None:
        return Table(rows)
    if not found:
        return Group(
            Table(rows), NoteElement("hint", "the cells above differ, too: %diff dialect"), spaced=True
        )
    rules = " or ".join(" and ".join(group) for group in found)
    rows.append(
        (make_line(("name", "rule")), make_line(("", rules), ("dim", f"  ?{found[0][0]} explains it")))
    )
    return Table(rows)


def _get_session(context: CommandContext, **settings: Any) -> Session:
    """Return the session, or one with other settings in which the same cells ran."""
    same = all(getattr(context.session, name) == value for name, value in settings.items())
    return context.session if same else context.fork_session(**settings)


# --- differences


def _complete_sides(context: CommandContext) -> Iterable[str]:
    labels = (cell.label for cell in context.session.cells)
    return ("dialect", "facts", "node", *labels, *list_nodes(context.session))


@command(
    *("diff", "WHAT", _complete_sides),
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
    kind, *names = words = argument.split() or [""]
    cells: Sequence[Entry] = context.session.cells
    if kind == "dialect" and set(names) <= DIALECTS.keys() and len(names) <= 2:
        own = DIALECTS[context.session.dialect]
        compared = [own.name, *(names or [own.counterpart.name])][-2:]
        sides = [(name, _get_session(context, dialect=name)) for name in compared]
    elif kind == "node" and 1 <= len(names) <= 2:
        sides = [(name, _get_session(context, node=name)) for name in ([context.session.node, *names][-2:])]
    elif kind == "facts" and 1 <= len(names) <= 2:
        with refuse_problems(ValueError, help="%diff facts takes sets of facts, or files with facts"):
            found = [(name, context.fork_session(**read_named_facts(context, name))) for name in names]
        sides = found if len(found) == 2 else [("the current facts", context.session), *found]
    elif kind and all(_POINT.fullmatch(word) for word in (kind, *names)) and len(names) <= 1:
        sides = [_fork_until(context, word) for word in (kind, *names)]
        sides = sides if len(sides) == 2 else [*sides, ("now", context.session)]
        cells = ()
    elif names and kind not in ("dialect", "facts", "node"):
        sides = _find_nodes(context, words)
    else:
        raise CommandError(
            "%diff takes two cells, two nodes, `node`, `facts` or `dialect`",
            help="%diff [3] [7], %diff web01 db01, %diff facts debian-12 rocky-9, %diff dialect",
        )
    return compare_sessions(sides[0], sides[1], context.width(), cells)


def _find_nodes(context: CommandContext, words: list[str]) -> list[tuple[str, Session]]:
    """Return two nodes of the last fleet, with the facts that they have there.

    Without a fleet the words are the names of two bundled sets of facts, or of two nodes.
    """
    asked = last_fleets.get(context.session)
    if asked is None:
        refuse_if(len(words) != 2, "%diff takes two nodes", help="%diff web01 db01")
        if set(words) <= set(list_fact_sets()):
            return [(name, context.fork_session(**read_named_facts(context, name))) for name in words]
        return [(name, _get_session(context, node=name)) for name in words]
    found = [(" ".join(words[:place]), " ".join(words[place:])) for place in range(1, len(words))]
    names = next((pair for pair in found if asked.facts.keys() >= set(pair)), None)
    if names is None:
        unknown = next(name for name in found[0] if name not in asked.facts)
        close = find_nearest(unknown, asked.facts)
        raise CommandError(
            f"The fleet that was shown last has no node {unknown}",
            suggestion=close,
            help="%fleet lists the differences; %diff node web01 db01 compares nodes that are in no fleet",
        )
    return [
        (
            name,
            context.fork_session(
                node=asked.certname or name, facts=read_facts(asked.facts[name], asked.certname or name)
            ),
        )
        for name in names
    ]


def _fork_until(context: CommandContext, point: str) -> tuple[str, Session]:
    """Return the session as it was after the cell with a number."""
    label = f"[{point.strip('[]')}]"
    labels = [cell.label for cell in context.session.cells]
    refuse_if(label not in labels, f"There is no cell {label}", help="%cells lists them")
    return label, context.fork_session(cells=labels.index(label) + 1)


def compare_sessions(
    before: tuple[str, Session],
    after: tuple[str, Session],
    columns: int = 100,
    cells: Sequence[Entry] = (),
) -> Element:
    """Return the differences between the catalogs and the variables of two sessions.

    Args:
        before: The name of the first session, and the session.
        after: The name of the second session, and the session.
        columns: The width for drawing.
        cells: The cells that both sessions should have run; the cells that failed are listed.
    """
    one, other = before[1].catalog(), after[1].catalog()
    return before[1].supervised(
        lambda: _render_comparison(before, after, compare_catalogs(one, other), columns, cells)
    )


def _render_comparison(
    before: tuple[str, Session],
    after: tuple[str, Session],
    changed: Any,
    columns: int,
    cells: Sequence[Entry],
) -> Element:
    (name, one), (other_name, other) = before, after
    parts: list[Element] = [NoteElement("hint", f"from {name} to {other_name}")]
    for side, session in (before, after):
        parts += _report_failures(cells, session, side)
    shown = views.describe_change(changed, columns)
    parts += [shown] if shown is not None else []
    rows = list(_compare_variables(_list_own_variables(one), _list_own_variables(other), columns))
    if rows:
        parts.append(Table(rows, ("variable", name, other_name)))
    if len(parts) == 1:
        parts.append(NoteElement("hint", "nothing differs"))
    return Group(*parts, spaced=True)


def _report_failures(cells: Sequence[Entry], session: Session, name: str) -> list[Element]:
    """Return a warning about the cells that do not run in a session."""
    there = {cell.source for cell in session.cells}
    missing = [cell.label for cell in cells if cell.source not in there]
    return [NoteElement("warning", f"{', '.join(missing)} fail with {name}", "warning")] if missing else []


def _list_own_variables(session: Session) -> dict[str, Any]:
    """Return the variables that the program sets, without facts."""
    return {
        name: value
        for name, value in session.assistant.iterate_variables()
        if name not in session.facts and not is_builtin(name)
    }


def _compare_variables(
    one: dict[str, Any], other: dict[str, Any], columns: int
) -> Iterable[tuple[Line, ...]]:
    room = max((columns - 24) // 2, 12)
    for name in [*one, *(name for name in other if name not in one)]:
        values = [side.get(name) for side in (one, other)]
        both = name in one and name in other
        if not both or not (is_same_data(*values) or make_key(values[0]) == make_key(values[1])):
            yield (make_line(("variable", f"${name}")), *(shorten_value(value, room) for value in values))
