"""Commands that show a setting of the session or change it: facts, node, places of code and data, dialect, limits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from evaluator.issues import Failure, error
from evaluator.limits import LIMITS
from evaluator.program import gate
from lexer_parser.dialect import DIALECTS, SWITCHES
from lexer_parser.issues.similar import nearest
from puppet_kernel.commands.command import Answer, Desk, expect
from puppet_kernel.decoding import SUFFIXES
from puppet_kernel.given import directories, exported_in, facts_in
from puppet_kernel.rendering import lookups, problems, views
from puppet_kernel.rendering.elements import Fragment, Group, Note, Table, Text, line
from puppet_kernel.rendering.layout import marked_up
from puppet_kernel.rendering.literals import literal, value_lines
from puppet_kernel.replies import CommandError, Reply


def show_facts(desk: Desk, argument: str) -> Answer:
    """The facts, those with TEXT, or other facts for the session."""
    facts: Any = desk.session.facts
    if not argument:
        return desk.supervised(lambda: views.pairs(facts.items(), "name", desk.width()))
    if argument.split(".")[0] in facts:
        for key in argument.split("."):
            if not isinstance(facts, dict) or key not in facts:
                raise CommandError(f"There is no fact {argument}", help="%facts lists them")
            facts = facts[key]
        return desk.supervised(lambda: Text(*value_lines(facts, desk.width())))
    try:
        return desk.restart(**facts_named(desk, argument))
    except ValueError as problem:
        text = argument.lower()
        found = [] if _is_file(argument) else desk.supervised(lambda: list(_facts_with(text, facts)))
        if found:
            return desk.supervised(lambda: views.pairs(found, "name", desk.width()))
        raise CommandError(
            str(problem),
            help="%facts takes a fact's name, a text in facts, a set's name or a JSON or YAML file",
        ) from None


def _facts_with(text: str, facts: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """The facts in whose name, or in whose value, a text stands: the path to each with its value."""
    for name, value in facts.items():
        inner = f"{path}.{name}" if path else str(name)
        if text in str(name).lower() or (not isinstance(value, dict) and text in literal(value).lower()):
            yield inner, value
        elif isinstance(value, dict):
            yield from _facts_with(text, value, inner)


def _is_file(name: str) -> bool:
    """Whether a text can only mean a file."""
    return "/" in name or name.endswith(SUFFIXES)


def facts_named(desk: Desk, name: str) -> dict[str, Any]:
    """The settings that a file of facts or a bundled set gives. Raises ValueError and PuppetError."""
    require(desk, name)
    try:
        content = gate.named(name)
    except Failure as problem:
        raise ValueError(f"cannot read the facts in {name}: {problem}") from None
    if content is not None:
        found = content
        return desk.supervised(lambda: facts_in(found, name, desk.session.node))
    if _is_file(name):
        raise ValueError(f"cannot read the facts in {name}: there is no such file")
    return {"facts": name}


def require(desk: Desk, path: str) -> None:
    """Raises PuppetError for a path that the command must not lead to, whether something is there or not."""
    if not desk.may_read(path):
        raise error("PATH_NOT_PERMITTED", path=path)


def fact_names(desk: Desk) -> Iterable[str]:
    """The names of the facts."""
    return sorted(desk.session.facts)


def show_node(desk: Desk, argument: str) -> Answer:
    """The node's name, or another one for the session."""
    if argument:
        return desk.restart(node=argument)
    return Text(line(desk.session.node))


def show_lookup(desk: Desk, argument: str) -> Answer:
    """What the data has for KEY, and how it was found."""
    name, _, strategy = argument.partition(" ")
    if not name:
        raise CommandError("%lookup takes a key", help="%lookup ntp::servers; %hiera tells where data is")
    outcome, account = desk.session.lookup(name, strategy.strip() or None)
    shown = desk.supervised(lambda: lookups.lookup(account, desk.width()))
    if outcome.error is None:
        return shown
    return Reply(Group(shown, problems.error(outcome.error)), error=outcome.error)


def show_environment(desk: Desk, argument: str) -> Answer:
    """The environment, or the directory of another one for the session."""
    if argument:
        try:
            return desk.restart(environment=argument)
        except ValueError as problem:
            raise CommandError(
                str(problem), help="%environment takes a directory with manifests, modules, environment.conf"
            ) from None
    known = desk.session.environment
    if isinstance(known, str):
        return Text(line(known))
    rows = [("name", known.name), ("directory", known.folder), ("manifest", known.manifest)]
    return Table(
        (line(("name", name)), line(text)) for name, text in (*rows, ("modules", ":".join(known.modulepath)))
    )


def show_modulepath(desk: Desk, argument: str) -> Answer:
    """The directories of modules, or others for the session."""
    if not argument:
        known = desk.session.modulepath
        return Text(*map(line, known)) if known else Note("hint", "There is no directory of modules.")
    wanted = directories(argument)
    for path in wanted:
        require(desk, path)
        if gate.kind_of(path) != gate.FOLDER:
            raise CommandError(
                f"There is no directory {path}", help="%modulepath takes directories, separated by ':'"
            )
        for module in gate.modules(path):
            require(desk, f"{path}/{module}")
    return desk.restart(modulepath=wanted)


def show_hiera(desk: Desk, argument: str) -> Answer:
    """The hiera.yaml of the session, or another one."""
    if not argument:
        known = desk.session.hiera_config
        return Text(line(known)) if known is not None else Note("hint", "There is no hiera.yaml.")
    require(desk, argument)
    if gate.kind_of(argument) != gate.FILE:
        raise CommandError(f"There is no file {argument}", help="%hiera takes a hiera.yaml")
    return desk.restart(hiera_config=argument)


def show_exported(desk: Desk, argument: str) -> Answer:
    """What other nodes have exported, or a file that tells it."""
    if not argument:
        known = desk.session.exported
        if known is None:
            return Note("hint", "There is no store of exported resources; `%exported FILE` takes one.")
        rows = ((f"{row['type']}[{row['title']}]", row["certname"]) for row in known if row["exported"])
        return desk.supervised(lambda: Table((line(("name", name)), line(node)) for name, node in rows))
    require(desk, argument)
    try:
        content = gate.named(argument)
        if content is None:
            raise ValueError(f"there is no file {argument}")
        found = content
        return desk.restart(exported=desk.supervised(lambda: exported_in(found, argument)))
    except (Failure, ValueError) as problem:
        raise CommandError(
            str(problem), help="%exported takes JSON: rows of PuppetDB, or catalogs of other nodes"
        ) from None


def folders(desk: Desk) -> Iterable[str]:
    """Completes with the folders in the working folder."""
    return [name for name in _names() if desk.may_read(name) and gate.kind_of(name) == gate.FOLDER]


def data_files(desk: Desk) -> Iterable[str]:
    """Completes with what the working folder has that is called as YAML is."""
    return [name for name in _names() if name.endswith((".yaml", ".yml"))]


def json_files(desk: Desk) -> Iterable[str]:
    """Completes with what the working folder has that is called as JSON is."""
    return [name for name in _names() if name.endswith(".json")]


def manifests(desk: Desk) -> Iterable[str]:
    """Completes with the manifests in the working folder."""
    return [name for name in _names() if name.endswith(".pp")]


def _names() -> list[str]:
    """What the working folder has, but hidden things."""
    return [name for name in gate.entries(".") if not name.startswith(".")]


def show_dialect(desk: Desk, argument: str) -> Answer:
    """The rules in force, or the other dialect."""
    if argument:
        expect(argument, tuple(DIALECTS), "%dialect")
        return desk.restart(dialect=argument)
    current = DIALECTS[desk.session.dialect]
    about_it = {"spec": "the language as specified", "puppet": "the language as released"}
    rows = [(line(("name", name)), marked_up(words)) for name, words in SWITCHES.items()]
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
        (line(("name", limit.name)), line(_amount(amounts[limit.name])), marked_up(limit.words))
        for limit in LIMITS.values()
        if name in ("", limit.name)
    )


def _amount(limit: Any) -> Fragment:
    """How a limit is written; without one there is none."""
    return ("dim", "none") if limit == float("inf") else ("number", f"{limit:,}")
