"""The command line of `puppet-repl`: one table, read by the parser and by `--help`.

Written by hand because the start of `puppet-repl -e` has no time for argparse.
"""

from __future__ import annotations

import os
from typing import Any

USAGE = """\
puppet-repl                    read, evaluate, print: Puppet in the terminal
puppet-repl [options] FILE …   run manifests, one after the other
puppet-repl [options] -e CODE  run one program and print its value
puppet-repl [options] -        run a program read from standard input
"""
EXIT_CODES = (
    "Exit codes: 0 fine, 1 an error in the Puppet program, 2 a wrong command line or unreadable file."
)


class UsageError(Exception):
    """A command line that means nothing."""


class Option:
    """An option: its spellings, the name of its argument ("" for none), the field it sets, words for help."""

    __slots__ = ("argument", "field", "names", "words")

    def __init__(self, names: str, argument: str, field: str, words: str) -> None:
        self.names = names.split()
        self.argument = argument
        self.field = field
        self.words = words


OPTIONS = (
    Option("-e --execute", "CODE", "code", "run CODE and print its value; may be repeated"),
    Option("--catalog", "", "catalog", "print the catalog in the end"),
    Option("--json", "", "json", "print value, type, logs, catalog and error as one JSON object"),
    Option(
        "--check", "", "check", "only tell the mistakes of files, and of folders with all that is in them"
    ),
    Option("--format", "", "format", "print the files in the usual layout, run nothing"),
    Option("--dialect", "NAME", "dialect", "spec (default): the language as specified; puppet: as released"),
    Option("--node", "NAME", "node", "the certname of the node (localhost)"),
    Option(
        "--facts",
        "FACTS",
        "facts",
        "a JSON or YAML file of facter, PuppetDB or a cache of facts, or the name of a bundled set",
    ),
    Option("--trusted", "FILE", "trusted", "a JSON or YAML file that replaces or adds to $trusted"),
    Option(
        "--environment",
        "DIR",
        "environment",
        "a directory with environment.conf, manifests, modules, hiera.yaml; its manifests run first",
    ),
    Option("--enc", "FILE", "enc", "what a classifier says of the node: classes, parameters, environment"),
    Option("--modulepath", "DIRS", "modulepath", "directories of modules, separated by ':'"),
    Option("--hiera-config", "FILE", "hiera_config", "a hiera.yaml"),
    Option("--strict", "LEVEL", "strict", "what a dubious construct gives: off, warning (default) or error"),
    Option("--strict-variables", "", "strict_variables", "an unknown variable is an error"),
    Option("--limit", "NAME=AMOUNT", "limits", "how much a program may make; %limits tells; may be repeated"),
    Option(
        "--allow",
        "NAMES",
        "allow",
        "what is off by itself: files (anywhere), templates (ERB, so Ruby), generate",
    ),
    Option("-h --help", "", "help", "this text"),
    Option("--version", "", "version", "the version"),
)
_BY_NAME = {name: option for option in OPTIONS for name in option.names}
# permissions come from outside the program, so that a notebook of somebody else cannot give itself any
ALLOW_VARIABLE = "PUPPET_KERNEL_ALLOW"
CHOICES = {"dialect": ("spec", "puppet"), "strict": ("off", "warning", "error")}


class Options:
    """The command line, read: a field per option, and `inputs`: pairs ("code", text) or ("file", path)."""

    def __init__(self) -> None:
        self.inputs: list[tuple[str, str]] = []
        self.catalog = self.json = self.check = self.format = self.help = self.version = False
        self.strict_variables = False
        self.dialect: str | None = None
        self.node: str | None = None
        self.facts: str | None = None
        self.trusted: str | None = None
        self.environment: str | None = None
        self.enc: str | None = None
        self.modulepath: str | None = None
        self.hiera_config: str | None = None
        self.strict: str | None = None
        self.limits: dict[str, str] = {}
        self.allow: list[str] = []

    @property
    def shows_environment(self) -> bool:
        """Whether there is something to show when no program is given: the catalog of an environment."""
        return self.environment is not None and (self.catalog or self.json)

    def session_settings(self) -> dict[str, Any]:
        """The keyword arguments for a Session. Raises UsageError when a file cannot be read.

        The environment variable PUPPET_KERNEL_ALLOW permits as `--allow` does: kernels start without options.
        """
        settings = read_facts(self.facts, self.node) if self.facts is not None else {}
        settings |= {
            name: getattr(self, name)
            for name in ("dialect", "node", "environment", "hiera_config", "strict")
            if getattr(self, name) is not None
        }
        if self.strict_variables:
            settings["strict_variables"] = True
        if self.modulepath is not None:
            settings["modulepath"] = directories(self.modulepath)
        if self.enc is not None:
            settings["classification"] = read_mapping(self.enc, "classification")
        if self.trusted is not None:
            settings["trusted"] = read_mapping(self.trusted, "trusted data")
        if self.limits:
            settings["limits"] = self.limits
        allowed = [*self.allow, *_listed(os.environ.get(ALLOW_VARIABLE, ""))]
        if allowed:
            settings["permissions"] = allowed
        return settings


def parse(arguments: list[str]) -> Options:
    """Reads a command line. Raises UsageError with a sentence for the person."""
    options = Options()
    rest = iter(arguments)
    for word in rest:
        if word == "--":
            options.inputs += [("file", path) for path in rest]
        elif word == "-" or not word.startswith("-"):
            options.inputs.append(("file", word))
        else:
            _take(options, word, rest)
    return options


def _take(options: Options, word: str, rest: Any) -> None:
    name, equals, value = word.partition("=") if word.startswith("--") else (word, "", "")
    option = _BY_NAME.get(name)
    if option is None:
        raise UsageError(f"unknown option {name}{_near(name)}")
    if not option.argument:
        if equals:
            raise UsageError(f"{name} takes no argument")
        setattr(options, option.field, True)
        return
    if not equals:
        try:
            value = next(rest)
        except StopIteration:
            raise UsageError(f"{name} needs {option.argument}") from None
    if value not in CHOICES.get(option.field, (value,)):
        raise UsageError(f"{name} is one of {', '.join(CHOICES[option.field])}, not {value!r}")
    if option.field == "code":
        options.inputs.append(("code", value))
    elif option.field == "limits":
        limit, sign, amount = value.partition("=")
        if not sign:
            raise UsageError(f"{name} needs {option.argument}, not {value!r}")
        options.limits[limit] = amount
    elif option.field == "allow":
        options.allow += _listed(value)
    else:
        setattr(options, option.field, value)


def _listed(names: str) -> list[str]:
    return names.replace(",", " ").split()


def _near(name: str) -> str:
    from lexer_parser.issues.similar import nearest

    close = nearest(name, _BY_NAME)
    return f", did you mean {close}?" if close else ""


def directories(path: str) -> list[str]:
    """The directories of a path as it is written: with colons between them."""
    return [part for part in path.split(":") if part]


def is_file_of_facts(name: str) -> bool:
    """True for what is no name of a bundled set of facts."""
    return os.path.exists(name) or name.endswith((".json", ".yaml", ".yml"))


def read_facts(name: str, node: str | None = None) -> dict[str, Any]:
    """Keyword arguments for a Session: `facts`, from a file or a bundled set, and `node` where the file names it.

    node  whose facts are meant where the file has those of several
    Raises UsageError.
    """
    if not is_file_of_facts(name):
        return {"facts": name}
    from evaluator.facts.shapes import facts_of_nodes

    try:
        nodes = facts_of_nodes(_read(name, "facts"))
    except ValueError as problem:
        raise UsageError(f"cannot read the facts in {name}: {problem}") from None
    if node not in nodes and len(nodes) > 1:
        known = ", ".join(sorted(nodes))
        raise UsageError(f"{name} holds the facts of several nodes, of which the node is none: {known}")
    found = node if node in nodes else next(iter(nodes))
    return {"facts": nodes[found], "node": found} if found else {"facts": nodes[found]}


def read_mapping(path: str, what: str) -> dict[str, Any]:
    """The mapping in a JSON or YAML file, which holds `what`. Raises UsageError."""
    content = _read(path, what)
    if not isinstance(content, dict):
        raise UsageError(f"the {what} in {path} are no mapping of names to values")
    return content


def _read(path: str, what: str) -> Any:
    try:
        with open(path, encoding="utf-8") as file:
            return _decode(file.read(), path)
    except (OSError, ValueError) as problem:
        raise UsageError(f"cannot read the {what} in {path}: {problem}") from None


def _decode(text: str, name: str) -> Any:
    if name.endswith(".json"):
        import json

        return json.loads(text)
    import yaml

    class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
        """Reads data and nothing else: tags that name objects of a program stand for the data in them."""

    def data(loader: Any, _: str, node: Any) -> Any:
        if isinstance(node, yaml.MappingNode):
            return loader.construct_mapping(node, deep=True)
        if isinstance(node, yaml.SequenceNode):
            return loader.construct_sequence(node, deep=True)
        return loader.construct_scalar(node)

    Loader.add_multi_constructor("!", data)
    Loader.add_constructor("tag:yaml.org,2002:timestamp", lambda loader, node: loader.construct_scalar(node))
    try:
        return yaml.load(text, Loader=Loader)
    except yaml.YAMLError as problem:
        raise ValueError(str(problem).replace("\n", " ")) from None


def new_session(options: Options) -> Any:
    """The Session that the options ask for. Raises UsageError when they ask for what is not there."""
    from evaluator import Session

    try:
        return Session(**options.session_settings())
    except ValueError as problem:
        raise UsageError(str(problem)) from None


def help_text() -> str:
    """The text of `--help`."""
    rows = [
        (", ".join(option.names) + (f" {option.argument}" if option.argument else ""), option.words)
        for option in OPTIONS
    ]
    widest = max(len(left) for left, _ in rows)
    table = "\n".join(f"  {left:<{widest}}  {words}" for left, words in rows)
    return f"{USAGE}\n{table}\n\n{EXIT_CODES}"
