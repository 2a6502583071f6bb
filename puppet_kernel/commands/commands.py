"""The commands: one table for the terminal and the notebook.

A command's code takes the Shell and the text after its name, and gives a Reply or an element to show; it
raises CommandError with a sentence for the person.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from evaluator.assistance.candidates import Item, all_variables
from evaluator.assistance.completion import Completions
from evaluator.limits import LIMITS
from lexer_parser.dialect import DIALECTS, SWITCHES
from puppet_kernel.commands import graph
from puppet_kernel.commands.inputs import COMMAND, QUESTION
from puppet_kernel.commands.topics import cards_of, question, tell, topics
from puppet_kernel.rendering import views
from puppet_kernel.rendering.elements import Code, Element, Group, Note, Table, Text, line
from puppet_kernel.shell import CommandError, Reply, Shell

Answer = Reply | Element
BUILTIN_VARIABLES = (
    *(
        "environment",
        "facts",
        "module_name",
        "caller_module_name",
        "name",
        "title",
        "trusted",
        "server_facts",
    ),
    *("clientcert", "clientversion", "serverversion", "servername", "serverip", "settings"),
)


class Command:
    """A command: name, arguments in the usual notation, its code and what completes its argument.

    words       for the help: the docstring of its code;  examples  lines that show its use
    takes_code  the rest of the input is its argument
    """

    __slots__ = ("aliases", "arguments", "code", "completes", "examples", "name", "takes_code", "words")

    def __init__(
        self,
        name: str,
        arguments: str,
        code: Callable[[Shell, str], Answer],
        completes: Callable[[Shell], Iterable[str]] = lambda shell: (),
        aliases: tuple[str, ...] = (),
        takes_code: bool = False,
        examples: tuple[str, ...] = (),
    ) -> None:
        self.name = name
        self.examples = examples
        self.arguments = arguments
        self.words = (code.__doc__ or "").strip()
        self.code = code
        self.completes = completes
        self.aliases = aliases
        self.takes_code = takes_code


def run(shell: Shell, text: str, code: str = "", cell_id: str | None = None) -> Reply:
    """Does what a command or question says; `code` is what follows a command that takes code.

    Raises CommandError when it cannot be done.
    """
    if not text.startswith(COMMAND):
        return question(shell, text)
    name, argument = _split(text)
    command = find(name)
    if command.takes_code:
        shell.cell_id = cell_id
        argument = code if code.strip() else ""
    answer = command.code(shell, argument)
    return answer if isinstance(answer, Reply) else Reply(answer)


def _split(text: str) -> tuple[str, str]:
    """The name and the argument of `%name argument`."""
    words = text[1:].split(None, 1)
    return (words[0] if words else "", words[1].strip() if len(words) > 1 else "")


def find(name: str) -> Command:
    """The command called `name`, or the only one that begins so."""
    known = {word: command for command in COMMANDS for word in (command.name, *command.aliases)}
    if name in known:
        return known[name]
    begun = {id(command): command for word, command in known.items() if name and word.startswith(name)}
    if len(begun) == 1:
        return next(iter(begun.values()))
    if begun:
        names = " or ".join(f"{COMMAND}{command.name}" for command in begun.values())
        raise CommandError(f"{COMMAND}{name} may mean {names}")
    from lexer_parser.issues.similar import nearest

    close = nearest(name, known)
    suggestion = f"{COMMAND}{close}" if close else None
    raise CommandError(
        f"There is no command {COMMAND}{name}", suggestion=suggestion, help="%help lists the commands"
    )


def usage(command: Command) -> str:
    """How a command is written."""
    return f"{COMMAND}{command.name} {command.arguments}".rstrip()


def complete(shell: Shell, text: str, cursor: int) -> Completions:
    """Candidates for a command's name, its argument, or the name that is asked about."""
    text = text[:cursor]
    if text.startswith(QUESTION):
        start = len(text) - len(text.lstrip(QUESTION))
        found = shell.session.complete(text[start:], cursor - start)
        return Completions(found.start + start, cursor, found.items)
    name, blank, argument = text[1:].partition(" ")
    if not blank:
        names = [Item(COMMAND + command.name, "command", command.words) for command in COMMANDS]
        return Completions(0, cursor, [item for item in names if item.text.startswith(text)])
    word = argument.rpartition(" ")[2]
    items = [Item(text, "argument") for text in find(name).completes(shell) if text.startswith(word)]
    return Completions(cursor - len(word), cursor, items)


def inspect(shell: Shell, text: str) -> Any:
    """The card of a command, or of the name after `?`."""
    name = text.split()[0] if text.startswith(COMMAND) else text.strip(QUESTION).strip()
    try:
        return next(iter(cards_of(shell, name)), None)
    except CommandError:
        return None


# --- the code of the commands


def show_help(shell: Shell, argument: str) -> Answer:
    """This table, or what a name means."""
    return tell(shell, argument, commands=True) if argument else table_of_commands()


def table_of_commands() -> Table:
    """Every command with its arguments and what it does."""
    rows = [(line(("strong", usage(command))), line(command.words)) for command in COMMANDS]
    rows.append(
        (
            line(("strong", "?NAME  ??NAME")),
            line("What a name means: function, type, variable, class, keyword, operator …; all of it."),
        )
    )
    return Table(rows)


def show_catalog(shell: Shell, argument: str) -> Answer:
    """The resources so far, as code or as Puppet's JSON."""
    catalog = shell.session.catalog()
    if argument == "--json":
        import json

        return Text(
            *(
                line(text)
                for text in json.dumps(catalog.to_json(redact=True), indent=2, ensure_ascii=False).split("\n")
            )
        )
    _expect(argument, ("",), "%catalog")
    return views.catalog(catalog, shell.width())


def show_variables(shell: Shell, argument: str) -> Answer:
    """The variables, or those whose name holds TEXT."""
    wanted = argument.removeprefix("$")
    hidden = {"settings"} if wanted else {*shell.session.facts, *BUILTIN_VARIABLES}
    found = [
        (f"${name}", value)
        for name, value in all_variables(shell.session)
        if wanted in name and (name.split("::")[0] not in hidden or wanted.startswith("settings"))
    ]
    return views.pairs(found, "variable", shell.width()) if found else Note("hint", "No variables are set.")


def show_facts(shell: Shell, argument: str) -> Answer:
    """The facts, one of them, or other facts for the session."""
    facts: Any = shell.session.facts
    if not argument:
        return views.pairs(facts.items(), "name", shell.width())
    if argument.split(".")[0] in facts:
        for key in argument.split("."):
            if not isinstance(facts, dict) or key not in facts:
                raise CommandError(f"There is no fact {argument}", help="%facts lists them")
            facts = facts[key]
        return Text(*views.value_lines(facts, shell.width()))
    from puppet_kernel.options import UsageError, read_facts

    try:
        return shell.restart(facts=read_facts(argument))
    except (UsageError, ValueError) as problem:
        raise CommandError(
            str(problem), help="%facts takes a fact's name, a set's name or a JSON or YAML file"
        ) from None


def show_node(shell: Shell, argument: str) -> Answer:
    """The node's name, or another one for the session."""
    if argument:
        return shell.restart(node=argument)
    return Text(line(shell.session.node))


def show_dialect(shell: Shell, argument: str) -> Answer:
    """The rules in force, or the other dialect."""
    if argument:
        _expect(argument, tuple(DIALECTS), "%dialect")
        return shell.restart(dialect=argument)
    current = DIALECTS[shell.session.dialect]
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


def show_limits(shell: Shell, argument: str) -> Answer:
    """How much a program may make, or another amount for the session."""
    name, _, amount = argument.partition(" ")
    if name and name not in LIMITS:
        from lexer_parser.issues.similar import nearest

        raise CommandError(
            f"There is no limit {name}", suggestion=nearest(name, LIMITS), help="%limits lists them"
        )
    if amount:
        try:
            shell.limit(name, LIMITS[name].default if amount == "default" else amount)
        except ValueError as problem:
            raise CommandError(f"{problem}", help=f"`%limits {name} default` is as it was") from None
    amounts = shell.session.limits
    return Table(
        (line(("name", limit.name)), line(("number", f"{amounts[limit.name]:,}")), line(limit.words))
        for limit in LIMITS.values()
        if name in ("", limit.name)
    )


def reset(shell: Shell, argument: str) -> Answer:
    """Start again with nothing."""
    shell.session.reset()
    return Note("hint", "The session starts again.")


def undo(shell: Shell, argument: str) -> Answer:
    """Take back the last input."""
    cells = shell.session.cells
    if not shell.session.undo():
        raise CommandError("There is nothing to take back")
    return Note("hint", f"taken back: {_first_line(cells[-1].source) if cells else ''}")


def redo(shell: Shell, argument: str) -> Answer:
    """Do again what was taken back."""
    if not shell.session.redo():
        raise CommandError("There is nothing to do again")
    cells = shell.session.cells
    return Note("hint", f"done again: {_first_line(cells[-1].source) if cells else ''}")


def _first_line(source: str, columns: int = 70) -> str:
    from puppet_kernel.rendering.escape import clip

    lines = [text.strip() for text in source.split("\n")]
    lines = [text for text in lines if text and not text.startswith("#")] or [""]
    return clip(lines[0] + (" …" if len(lines) > 1 else ""), columns)


def show_cells(shell: Shell, argument: str) -> Answer:
    """The inputs that make up the program."""
    rows = [
        (line(("dim", str(number))), line(_first_line(cell.source, shell.width() - 6)))
        for number, cell in enumerate(shell.session.cells, 1)
    ]
    return Table(rows) if rows else Note("hint", "No cell has run yet.")


def explain(shell: Shell, argument: str) -> Answer:
    """What an error means and how to mend it."""
    from puppet_kernel import explanations

    found = explanations.explain(argument)
    if found is None:
        from lexer_parser.issues.similar import nearest

        raise CommandError(
            f"No error has the code {argument}" if argument else "%explain takes the code of an error",
            suggestion=nearest(argument.upper(), explanations.explanations()),
            help="the code stands in brackets behind `error`",
        )
    return views.explanation(found)


def _codes(shell: Shell) -> Iterable[str]:
    from puppet_kernel.explanations import explanations

    return sorted(explanations())


def reformat(shell: Shell, argument: str) -> Answer:
    """Code, or the last input, in the usual layout."""
    from lexer_parser.printing.printer import format_source

    source = argument or (shell.session.cells[-1].source if shell.session.cells else "")
    if not source:
        raise CommandError("There is nothing to format", help="%format CODE, or %format after a cell")
    dialect = DIALECTS[shell.session.dialect]
    return Code(format_source(source.strip(), dialect).rstrip("\n"))


def time(shell: Shell, argument: str) -> Answer:
    """Run code and tell how long it takes."""
    if not argument:
        raise CommandError("%time takes the code to run")
    return shell.evaluate(argument, shell.cell_id, timed=True)


def leave(shell: Shell, argument: str) -> Answer:
    """Leave."""
    return Reply(action="quit")


def clear(shell: Shell, argument: str) -> Answer:
    """Clear the screen or the output."""
    return Reply(action="clear")


def _expect(argument: str, choices: tuple[str, ...], name: str) -> None:
    if argument not in choices:
        known = " or ".join(choice for choice in choices if choice)
        raise CommandError(f"{name} takes {known or 'no argument'}, not '{argument}'")


def _fact_names(shell: Shell) -> Iterable[str]:
    return sorted(shell.session.facts)


COMMANDS = (
    Command("help", "[TOPIC]", show_help, topics, examples=("%help map", "%help Integer", "%help =~")),
    Command("catalog", "[--json]", show_catalog, lambda shell: ["--json"], examples=("%catalog --json",)),
    Command(
        *("graph", graph.USAGE, graph.show_graph, graph.complete_graph),
        examples=tuple(f"{example}  # {words}" for example, words in graph.EXAMPLES.items()),
    ),
    Command("vars", "[TEXT]", show_variables, examples=("%vars port",)),
    Command(
        *("facts", "[FACT | SET | FILE]", show_facts, _fact_names),
        examples=("%facts os.family", "%facts debian-12", "%facts web01.yaml"),
    ),
    Command("node", "[NAME]", show_node, examples=("%node web01.example.com",)),
    Command("dialect", "[spec | puppet]", show_dialect, lambda shell: DIALECTS),
    Command(
        *("limits", "[NAME [AMOUNT | default]]", show_limits, lambda shell: LIMITS),
        examples=("%limits max_resources 200000",),
    ),
    Command("cells", "", show_cells),
    Command("undo", "", undo),
    Command("redo", "", redo),
    Command("reset", "", reset),
    Command("time", "CODE", time, takes_code=True, examples=("%time [1, 2, 3].map |$n| { $n * 2 }",)),
    Command("format", "[CODE]", reformat, takes_code=True, examples=("%format file{'/a':mode=>'0644'}",)),
    Command("explain", "CODE", explain, _codes, examples=("%explain ILLEGAL_REASSIGNMENT",)),
    Command("clear", "", clear),
    Command("quit", "", leave, aliases=("exit",)),
)
