"""Commands that show a setting of the session or change it: facts, node, dialect, limits."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from evaluator.limits import LIMITS
from lexer_parser.dialect import DIALECTS, SWITCHES
from lexer_parser.issues.similar import nearest
from puppet_kernel.commands.command import Answer, Desk, expect
from puppet_kernel.options import DATA_SUFFIXES, UsageError, facts_in, mapping_in
from puppet_kernel.rendering import views
from puppet_kernel.rendering.elements import Group, Table, Text, line
from puppet_kernel.rendering.literals import value_lines
from puppet_kernel.replies import CommandError


def show_facts(desk: Desk, argument: str) -> Answer:
    """The facts, one of them, or other facts for the session."""
    facts: Any = desk.session.facts
    if not argument:
        return views.pairs(facts.items(), "name", desk.width())
    if argument.split(".")[0] in facts:
        for key in argument.split("."):
            if not isinstance(facts, dict) or key not in facts:
                raise CommandError(f"There is no fact {argument}", help="%facts lists them")
            facts = facts[key]
        return Text(*value_lines(facts, desk.width()))
    try:
        return desk.restart(facts=_facts_named(desk, argument))
    except (UsageError, ValueError) as problem:
        raise CommandError(
            str(problem), help="%facts takes a fact's name, a set's name or a JSON or YAML file"
        ) from None


def _facts_named(desk: Desk, name: str) -> Any:
    """The facts in a file that the session's programs may read, or `name` itself when it is no path."""
    is_path = "/" in name or name.endswith(DATA_SUFFIXES)
    text = desk.session.file_text(name)
    if text is not None:
        return facts_in(mapping_in(text, name, "facts"))
    if is_path:
        raise UsageError(f"cannot read the facts in {name}: there is no such file")
    return name


def fact_names(desk: Desk) -> Iterable[str]:
    """The names of the facts."""
    return sorted(desk.session.facts)


def show_node(desk: Desk, argument: str) -> Answer:
    """The node's name, or another one for the session."""
    if argument:
        return desk.restart(node=argument)
    return Text(line(desk.session.node))


def show_dialect(desk: Desk, argument: str) -> Answer:
    """The rules in force, or the other dialect."""
    if argument:
        expect(argument, tuple(DIALECTS), "%dialect")
        return desk.restart(dialect=argument)
    current = DIALECTS[desk.session.dialect]
    about_it = {"spec": "the language as specified", "puppet": "the language as released"}
    rows = [(line(("name", name)), line(words)) for name, words in SWITCHES.items()]
    state = "on" if any(getattr(current, name) for name in SWITCHES) else "off"
    return Group(
        Text(
            line(
                ("strong", current.name),
                f": {about_it[current.name]}; these rules of the specification are {state}:",
            )
        ),
        Table(rows),
        spaced=True,
    )


def show_limits(desk: Desk, argument: str) -> Answer:
    """How much a program may make, or another amount for the session."""
    name, _, amount = argument.partition(" ")
    if name and name not in LIMITS:
        raise CommandError(
            f"There is no limit {name}", suggestion=nearest(name, LIMITS), help="%limits lists them"
        )
    if amount:
        try:
            desk.limit(name, LIMITS[name].default if amount == "default" else amount)
        except ValueError as problem:
            raise CommandError(f"{problem}", help=f"`%limits {name} default` is as it was") from None
    amounts = desk.session.limits
    return Table(
        (line(("name", limit.name)), line(("number", f"{amounts[limit.name]:,}")), line(limit.words))
        for limit in LIMITS.values()
        if name in ("", limit.name)
    )
