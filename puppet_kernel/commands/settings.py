"""Commands that show or change a setting: facts, node, paths, data, dialect, limits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from evaluator.issues import Failure
from evaluator.limits import LIMITS
from evaluator.program import sandbox
from evaluator.program.environment import count_shared
from lexer_parser.dialect import DIALECTS, SPEC, SWITCHES, name_dialects_with
from lexer_parser.issues.similarity import find_nearest
from puppet_kernel.commands.command import Answer, CommandContext, check_choice, command
from puppet_kernel.commands.files import list_files, list_folders, require_readable
from puppet_kernel.rendering import explanations, views
from puppet_kernel.rendering.elements import Fragment, Group, NoteElement, Table, TextElement, make_line
from puppet_kernel.rendering.layout import mark_up
from puppet_kernel.rendering.literals import format_literal, make_value_lines
from puppet_kernel.replies import CommandError, Reply, refuse_if, refuse_problems, require_found
from puppet_kernel.user_files import split_path
from puppet_kernel.user_files.node_data import SUFFIXES, parse_exported, parse_facts


@command(
    "facts",
    arguments="[FACT | TEXT | SET | FILE]",
    complete_argument=lambda context: sorted(context.session.facts),
    examples=("%facts os.family", "%facts release", "%facts debian-12", "%facts web01.yaml"),
    mutates_session=True,
    demo="%facts family",
)
def show_facts(context: CommandContext, argument: str) -> Answer:
    """Show the facts, those with TEXT, or load other facts."""
    facts = context.session.facts
    if not argument:
        return context.session.call_supervised(
            lambda: views.describe_pairs(facts.items(), "name", context.width())
        )
    if argument.split(".")[0] in facts:
        value: Any = facts
        for key in argument.split("."):
            refuse_if(
                not isinstance(value, dict) or key not in value,
                f"There is no fact {argument}",
                help="%facts lists them",
            )
            value = value[key]
        return context.session.call_supervised(lambda: TextElement(*make_value_lines(value, context.width())))
    try:
        return context.reconfigure(**read_named_facts(context, argument))
    except ValueError as problem:  # it is no set and no file, so it is searched as a text
        text = argument.lower()
        matches = (
            []
            if _is_file(argument)
            else context.session.call_supervised(lambda: list(_search_facts(text, facts)))
        )
        if matches:
            return context.session.call_supervised(
                lambda: views.describe_pairs(matches, "name", context.width())
            )
        raise CommandError(
            str(problem),
            help="%facts takes the name of a fact, a text in facts, the name of a set, or a JSON or YAML file",
        ) from None


def _search_facts(text: str, facts: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the facts with a text in their name or value: the path to each and its value."""
    for name, value in facts.items():
        inner = f"{path}.{name}" if path else str(name)
        if text in str(name).lower() or (
            not isinstance(value, dict) and text in format_literal(value).lower()
        ):
            yield inner, value
        elif isinstance(value, dict):
            yield from _search_facts(text, value, inner)


def _is_file(name: str) -> bool:
    """Return True for a text that can only name a file."""
    return "/" in name or name.endswith(SUFFIXES)


def read_named_facts(context: CommandContext, name: str) -> dict[str, Any]:
    """Return the settings of a file of facts or of a bundled set.

    Raises:
        ValueError: The file cannot be read.
        PuppetError: Reading the file is not permitted.
    """
    require_readable(context, name)
    try:
        content = sandbox.read_named(name)
    except Failure as problem:
        raise ValueError(f"cannot read the facts in {name}: {problem}") from None
    if content is not None:
        data = content
        return context.session.call_supervised(lambda: parse_facts(data, name, context.session.node))
    if _is_file(name):
        raise ValueError(f"cannot read the facts in {name}: there is no such file")
    return {"facts": name}


@command(
    "node",
    arguments="[NAME]",
    examples=("%node web01.example.com",),
    mutates_session=True,
    demo="%node web01.example.com",
)
def show_node(context: CommandContext, argument: str) -> Answer:
    """Show the name of the node, or set another one."""
    if argument:
        return context.reconfigure(node=argument)
    return TextElement(make_line(context.session.node))


@command(
    "lookup",
    arguments="KEY [STRATEGY]",
    examples=("%lookup ntp::servers", "%lookup users deep"),
    mutates_session=True,
    demo="%lookup motd::text",
)
def show_lookup(context: CommandContext, argument: str) -> Answer:
    """Show the value of KEY in the data, and how it was found."""
    name, _, strategy = argument.partition(" ")
    refuse_if(not name, "%lookup takes a key", help="%lookup ntp::servers; %hiera shows where the data is")
    outcome, trace = context.session.lookup(name, strategy.strip() or None)
    view = context.session.call_supervised(lambda: explanations.describe_lookup(trace, context.width()))
    if outcome.error is None:
        return view
    return Reply(Group(view, views.describe_error(outcome.error)), error=outcome.error)


@command(
    "environment",
    arguments="[DIR]",
    complete_argument=list_folders,
    examples=("%environment control-repo",),
    mutates_session=True,
    demo="%environment",
)
def show_environment(context: CommandContext, argument: str) -> Answer:
    """Show the environment, or load the directory of another one."""
    if argument:
        with refuse_problems(
            ValueError, help="%environment takes a directory with manifests, modules, environment.conf"
        ):
            return context.reconfigure(environment=argument)
    current = context.session.environment
    if isinstance(current, str):
        return TextElement(make_line(current))
    rows = {
        "name": current.name,
        "directory": current.folder,
        "manifest": current.manifest,
        "modules": ":".join(current.modulepath),
    }
    return Table((make_line(("name", name)), make_line(text)) for name, text in rows.items())


@command(
    "modulepath",
    arguments="[DIR:DIR …]",
    complete_argument=list_folders,
    examples=("%modulepath site-modules:modules",),
    mutates_session=True,
    demo="%modulepath modules",
)
def show_modulepath(context: CommandContext, argument: str) -> Answer:
    """Show the directories of modules, or set others."""
    if not argument:
        folders = context.session.modulepath
        return (
            TextElement(*map(make_line, folders))
            if folders
            else NoteElement("hint", "There is no directory of modules.")
        )
    new = split_path(argument)
    for path in new:
        require_readable(context, path)
        refuse_if(
            sandbox.get_kind(path) != sandbox.FOLDER,
            f"There is no directory {path}",
            help="%modulepath takes directories, separated by ':'",
        )
        for module in sandbox.list_modules(path):
            require_readable(context, f"{path}/{module}")
    return context.reconfigure(modulepath=new)


@command(
    "hiera",
    arguments="[FILE]",
    complete_argument=lambda context: list_files(".yaml", ".yml"),
    examples=("%hiera hiera.yaml",),
    mutates_session=True,
    demo="%hiera hiera.yaml",
)
def show_hiera(context: CommandContext, argument: str) -> Answer:
    """Show the hiera.yaml of the session, or load another one."""
    if not argument:
        path = context.session.hiera_config
        return (
            TextElement(make_line(path))
            if path is not None
            else NoteElement("hint", "There is no hiera.yaml.")
        )
    require_readable(context, argument)
    refuse_if(
        sandbox.get_kind(argument) != sandbox.FILE,
        f"There is no file {argument}",
        help="%hiera takes a hiera.yaml",
    )
    return context.reconfigure(hiera_config=argument)


@command(
    "exported",
    arguments="[FILE]",
    complete_argument=lambda context: list_files(".json"),
    examples=("%exported nodes.json",),
    mutates_session=True,
    demo="%exported",
)
def show_exported(context: CommandContext, argument: str) -> Answer:
    """Show exported resources of other nodes, or read a file."""
    if not argument:
        store = context.session.exported
        if store is None:
            return NoteElement("hint", "There is no store of exported resources; `%exported FILE` reads one.")
        rows = ((f"{row['type']}[{row['title']}]", row["certname"]) for row in store if row["exported"])
        return context.session.call_supervised(
            lambda: Table((make_line(("name", name)), make_line(node)) for name, node in rows)
        )
    require_readable(context, argument)
    help = "%exported takes JSON: rows of PuppetDB, or catalogs of other nodes"
    with refuse_problems(Failure, ValueError, help=help):
        content = require_found(sandbox.read_named(argument), f"there is no file {argument}", help=help)
        return context.reconfigure(
            exported=context.session.call_supervised(lambda: parse_exported(content, argument))
        )


@command(
    "dialect",
    arguments="[NAME]",
    complete_argument=lambda context: DIALECTS,
    examples=("%dialect puppet",),
    mutates_session=True,
    demo="%dialect",
)
def show_dialect(context: CommandContext, argument: str) -> Answer:
    """Show the rules in force, or change the dialect."""
    if argument:
        check_choice(argument, tuple(DIALECTS), "%dialect")
        return context.reconfigure(dialect=argument)
    current = DIALECTS[context.session.dialect]
    specification_rows, release_rows = [], []
    for name, words in SWITCHES.items():
        owners, state = name_dialects_with(name), "on" if getattr(current, name) else "off"
        if owners == SPEC.label:
            specification_rows.append((make_line(("name", name)), mark_up(words)))
        else:
            text = f"{words} (On in {owners}; {state} here.)"
            release_rows.append((make_line(("name", name)), mark_up(text)))
    others = ", ".join(f"{other.name} ({other.words})" for other in DIALECTS.values() if other is not current)
    specified = "off" if current.is_released else "on"
    title = make_line(
        ("strong", current.name), f": {current.words}; these rules of the specification are {specified}:"
    )
    return Group(
        TextElement(title),
        Table(specification_rows),
        TextElement(make_line("In these the releases differ:")),
        Table(release_rows),
        NoteElement("hint", f"other dialects: {others}"),
        spaced=True,
    )


@command(
    "limits",
    arguments="[NAME [AMOUNT | default]]",
    complete_argument=lambda context: LIMITS,
    examples=("%limits max_resources 20000",),
    mutates_session=True,
    immediate=True,
    demo="%limits max_resources 20000",
)
def show_limits(context: CommandContext, argument: str) -> Answer:
    """Show the limits and what sessions share, or lower one."""
    name, _, amount = argument.partition(" ")
    if name and name not in LIMITS:
        raise CommandError(
            f"There is no limit {name}", suggestion=find_nearest(name, LIMITS), help="%limits lists them"
        )
    if amount:
        with refuse_problems(ValueError, help=f"`%limits {name} default` restores it"):
            context.set_limit(name, None if amount == "default" else amount)
    amounts = context.session.limits
    limits = Table(
        (make_line(("name", limit.name)), make_line(_format_limit(amounts[limit.name])), mark_up(limit.words))
        for limit in LIMITS.values()
        if name in ("", limit.name)
    )
    if name:
        return limits
    shared = (
        (make_line(words), make_line(("number", f"{count:,}")), make_line(("number", f"{most:,}")))
        for words, count, most in count_shared()
    )
    return Group(limits, Table(shared, header=("loaded for all sessions", "now", "at most")), spaced=True)


def _format_limit(limit: Any) -> Fragment:
    """Return a limit as it is displayed."""
    return ("dim", "none") if limit == float("inf") else ("number", f"{limit:,}")
