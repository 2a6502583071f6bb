"""The options of `puppet-repl`: one table for parser, help, manual page and completion.

The parser is written by hand because importing argparse would make the start of `puppet-repl -e` slower.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from lexer_parser.dialect import DIALECTS
from lexer_parser.issues.similarity import find_nearest

USAGE = """\
puppet-repl                    read, evaluate, print: Puppet in the terminal
puppet-repl [options] FILE …   run manifests, one after the other
puppet-repl [options] -e CODE  run one program and print its value
puppet-repl [options] -        run a program read from standard input
puppet-repl --fleet FACTS … [FILE …]   compile for many nodes, each with its facts
puppet-repl --help GUIDE   show a page about safety, dialects, debugger, repositories, fleets, limits …
"""
OK, PUPPET_ERROR, UNREADABLE, INTERRUPTED = 0, 1, 2, 130  # an invalid command line also ends with 2
EXIT_CODES = (
    "Exit codes: 0 success, 1 an error in the Puppet program, 2 an invalid command line or unreadable file."
)


class UsageError(Exception):
    """A mistake in the command line, with a sentence for the user."""


def refuse_if(condition: object, message: str) -> None:
    """Raise the UsageError with this message if a condition is true."""
    if condition:
        raise UsageError(message)


@contextmanager
def convert_to_usage_error(*kinds: type[Exception], lead: str = "") -> Iterator[None]:
    """Convert exceptions of these kinds to a UsageError: the lead, then the reason."""
    try:
        yield
    except kinds as problem:
        raise UsageError(f"{lead}{getattr(problem, 'strerror', None) or problem}") from None


class Option:
    """An option of the command line.

    Attributes:
        names: The long and short names.
        argument: The name of the argument in the help, "" for a flag.
        field: The attribute of `Options` that the option sets.
        words: The description in the help.
    """

    def __init__(self, names: str, *, argument: str = "", field: str, words: str) -> None:
        self.names = names.split()
        self.argument = argument
        self.field = field
        self.words = words


OPTIONS = (
    Option(
        "-e --execute", argument="CODE", field="code", words="run CODE and print its value; may be repeated"
    ),
    Option("--catalog", field="catalog", words="print the catalog at the end"),
    Option("--json", field="json", words="print value, type, logs, catalog and error as one JSON object"),
    Option(
        "--show-sensitive",
        field="show_sensitive",
        words="with --json: print Sensitive values of the catalog in plain text",
    ),
    Option("--check", field="check", words="only report the mistakes in files and in all files of folders"),
    Option("--format", field="format", words="print the files formatted, run nothing"),
    Option(
        "--dialect",
        argument="NAME",
        field="dialect",
        words="; ".join(f"{dialect.name}: {dialect.words}" for dialect in DIALECTS.values()),
    ),
    Option("--node", argument="NAME", field="node", words="the certname of the node (localhost)"),
    Option(
        "--facts",
        argument="FACTS",
        field="facts",
        words="a JSON or YAML file of facter, PuppetDB or a cache of facts, or the name of a bundled set",
    ),
    Option(
        "--trusted",
        argument="FILE",
        field="trusted",
        words="a JSON or YAML file that replaces or adds to $trusted",
    ),
    Option(
        "--environment",
        argument="DIR",
        field="environment",
        words="a directory with environment.conf, manifests, modules, hiera.yaml; its manifests run first",
    ),
    Option(
        "--enc",
        argument="FILE|PROGRAM",
        field="enc",
        words="the classification of the node: classes, parameters, environment; a program needs --allow generate",
    ),
    Option(
        "--exported",
        argument="FILE",
        field="exported",
        words="a JSON file of other nodes, for collectors and puppetdb_query: rows of PuppetDB, or catalogs of --json",
    ),
    Option(
        "--modulepath", argument="DIRS", field="modulepath", words="directories of modules, separated by ':'"
    ),
    Option("--hiera-config", argument="FILE", field="hiera_config", words="a hiera.yaml"),
    Option(
        "--lookup",
        argument="KEY",
        field="lookup",
        words="look up KEY in the data, after the inputs; may be repeated",
    ),
    Option("--merge", argument="STRATEGY", field="merge", words="with --lookup: first, unique, hash or deep"),
    Option(
        "--explain",
        field="explain",
        words="with --lookup: the levels and files that were searched, and their values",
    ),
    Option(
        "--fleet",
        field="fleet",
        words="compile for many nodes and show the differences; JSON, YAML and folders are facts of nodes",
    ),
    Option(
        "--vary",
        argument="FACT=A,B",
        field="vary",
        words="with --fleet: the node with each of these values of a fact; may be repeated",
    ),
    Option(
        "--table",
        argument="FILE",
        field="table",
        words="with --fleet: write the table to FILE, a .csv, .json or .parquet",
    ),
    Option(
        "--scheduler",
        argument="ADDRESS",
        field="scheduler",
        words="with --fleet: compile on the Dask workers of tcp://…",
    ),
    Option(
        "--strict",
        argument="LEVEL",
        field="strict",
        words="the severity of dubious constructs: off, warning or error; by default that of the dialect",
    ),
    Option(
        "--strict-variables",
        field="strict_variables",
        words="an unknown variable is an error, also in puppet7 and spec",
    ),
    Option(
        "--no-strict-variables",
        field="strict_variables",
        words="an unknown variable is a dubious construct; see --strict",
    ),
    Option(
        "--limit",
        argument="NAME=AMOUNT",
        field="limits",
        words="limit what a program may make; %limits lists the limits; may be repeated",
    ),
    Option(
        "--allow",
        argument="NAMES",
        field="allow",
        words="permit what is off by default: files (anywhere), templates (ERB), ruby (of modules), generate",
    ),
    Option(
        "--completion",
        argument="SHELL",
        field="completion",
        words="print the completion script for bash, zsh or fish",
    ),
    Option("--man", field="man", words="print the manual page: puppet-repl --man | man -l -"),
    Option("-h --help", field="help", words="print this help; with GUIDE, print that page"),
    Option("--version", field="version", words="print the version"),
)
_BY_NAME = {name: option for option in OPTIONS for name in option.names}
# Environment variables, so that a notebook from somebody else cannot grant itself permissions.
ALLOW_VARIABLE = "PUPPET_KERNEL_ALLOW"
LIMITS_VARIABLE = "PUPPET_KERNEL_LIMITS"
CHOICES = {
    "dialect": tuple(DIALECTS),
    "strict": ("off", "warning", "error"),
    "completion": ("bash", "zsh", "fish"),
    "merge": ("first", "unique", "hash", "deep"),
}


class InputArgument(NamedTuple):
    """An input: of kind "code" with its text, or of kind "file" with its path."""

    kind: str
    value: str


class Options:
    """A parsed command line: an attribute for each option, and the inputs in order."""

    def __init__(self) -> None:
        self.inputs: list[InputArgument] = []
        self.catalog = self.json = self.check = self.format = self.help = self.version = False
        self.show_sensitive = self.explain = self.man = False
        self.strict_variables: bool | None = None
        self.dialect: str | None = None
        self.node: str | None = None
        self.facts: str | None = None
        self.trusted: str | None = None
        self.environment: str | None = None
        self.enc: str | None = None
        self.exported: str | None = None
        self.modulepath: str | None = None
        self.hiera_config: str | None = None
        self.strict: str | None = None
        self.limits: dict[str, str] = {}
        self.allow: list[str] = []
        self.lookup: list[str] = []
        self.merge: str | None = None
        self.completion: str | None = None
        self.fleet = False
        self.vary: list[str] = []
        self.table: str | None = None
        self.scheduler: str | None = None

    @property
    def needs_no_input(self) -> bool:
        """True if there is something to print without inputs: data, a fleet, a catalog, a manual."""
        return bool(self.lookup or self.completion or self.man or self.fleet) or (
            self.environment is not None and (self.catalog or self.json)
        )


def parse(arguments: list[str]) -> Options:
    """Return the parsed command line, or raise UsageError."""
    options = Options()
    rest = iter(arguments)
    for word in rest:
        if word == "--":
            options.inputs += [InputArgument("file", path) for path in rest]
        elif word == "-" or not word.startswith("-"):
            options.inputs.append(InputArgument("file", word))
        else:
            _parse_option(options, word, rest)
    return options


def _parse_option(options: Options, word: str, rest: Iterator[str]) -> None:
    """Set the option that a word names, such as `--node` or `--node=web01`.

    Args:
        options: The options to change.
        word: The word.
        rest: The words after it; the first is taken if it is the argument of the option.
    """
    name, equals, value = word.partition("=") if word.startswith("--") else (word, "", "")
    option = _BY_NAME.get(name)
    if option is None:
        close = find_nearest(name, _BY_NAME)
        raise UsageError(f"unknown option {name}{f', did you mean {close}?' if close else ''}")
    if not option.argument:
        refuse_if(equals, f"{name} takes no argument")
        setattr(options, option.field, not name.startswith("--no-"))
        return
    argument = value if equals else next(rest, None)
    if argument is None:
        raise UsageError(f"{name} needs {option.argument}")
    if argument not in CHOICES.get(option.field, (argument,)):
        raise UsageError(f"{name} is one of {', '.join(CHOICES[option.field])}, not {argument!r}")
    match option.field:
        case "code":
            options.inputs.append(InputArgument("code", argument))
        case "limits":
            limit, amount = split_limit(name, argument)
            options.limits[limit] = amount
        case "lookup" | "vary":
            getattr(options, option.field).append(argument)
        case "allow":
            options.allow += split_names(argument)
        case _:
            setattr(options, option.field, argument)


def split_names(names: str) -> list[str]:
    """Return the names in a list that is separated by blanks or commas."""
    return names.replace(",", " ").split()


def split_limit(origin: str, text: str) -> tuple[str, str]:
    """Return the name and the amount in NAME=AMOUNT, or raise UsageError.

    Args:
        origin: The option or the variable that contains the text, for the error.
        text: The text.
    """
    limit, sign, amount = text.partition("=")
    refuse_if(not sign, f"{origin} needs NAME=AMOUNT, not {text!r}")
    return limit, amount


def format_help() -> str:
    """Return the text of `--help`."""
    rows = [
        (", ".join(option.names) + (f" {option.argument}" if option.argument else ""), option.words)
        for option in OPTIONS
    ]
    widest = max(len(left) for left, _ in rows)
    table = "\n".join(f"  {left:<{widest}}  {words}" for left, words in rows)
    return f"{USAGE}\n{table}\n\n{EXIT_CODES}"
