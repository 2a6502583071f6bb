"""The rules about attribute values that the compiler accepts and Puppet's types refuse.

`find_refusals` checks one resource. It ignores values that are not plain (secrets, deferred values) and the types of
other modules.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from ipaddress import ip_address

from evaluator.resource_types import TypeFacts, get_facts, get_metaparameters
from lexer_parser.issues.similarity import find_nearest
from lexer_parser.lazy import LazyPattern
from lexer_parser.record import Record

ABSOLUTE = LazyPattern(r"/|[A-Za-z]:[/\\]|\\\\")
SOURCE = LazyPattern(r"/|[A-Za-z]:[/\\]|\\\\|(?:puppet|file|https?):")
MODE = LazyPattern(r"[0-7]{1,4}|(?:[ugoa]*[-+=][rstwxXugo]*)(?:,[ugoa]*[-+=][rstwxXugo]*)*")
UMASK = LazyPattern(r"0?[0-7]{1,4}")
COMMAND = LazyPattern(r"\"([^\"]+)\"|'([^']+)'|(\S+)")
NUMBER = LazyPattern(r"-?\d+(?:\.\d+)?")
MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november", "december")  # fmt: skip
DAYS = ("sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday")
PACKAGE_STATES = ("present", "installed", "absent", "purged", "latest", "held", "disabled")
FILE_STATES = ("file", "present", "absent", "directory", "link")
# States of other types: as the target of a link they are probably a mistake.
STATES_OF_OTHERS = ("true", "false", "yes", "no", "running", "stopped", "installed", "latest", "enabled")
ALIASES = {("service", "ensure"): ("true", "false")}
# Attributes that accept more than the values listed in their rows.
OPEN = frozenset(
    {("file", "checksum"), ("user", "purge_ssh_keys"), ("file", "ensure"), ("package", "ensure")}
)
_BY_SHELL = "`provider => shell` passes the command to a shell."
BUILTINS = {
    "cd": f"Set the folder with `cwd => '/tmp'`. {_BY_SHELL}",
    "export": "Set variables with `environment => ['NAME=value']`. " + _BY_SHELL,
    "umask": f"Set the attribute `umask => '022'`. {_BY_SHELL}",
    **dict.fromkeys(("alias", "eval", "set", "source", "ulimit", "unset"), _BY_SHELL),
}
FIXED_PROVIDERS = frozenset(("exec", "file"))


class Refusal(Record):
    """A refusal of a resource by its type.

    Attributes:
        attribute: The attribute; None for the resource as a whole.
        why: The reason, as a sentence.
        takes: The values that the attribute accepts, as a sentence.
        near: The most similar accepted value, if there is one.
    """

    attribute: str | None
    why: str
    takes: str
    near: str | None = None


Found = Iterator[Refusal]


def find_refusals(name: str, title: str | None, parameters: Mapping[str, object]) -> Found:
    """Yield what the type `name`, in lower case, refuses of a resource.

    Args:
        name: The name of the type.
        title: The title; None if it is not known.
        parameters: The values of the attributes.
    """
    known = get_facts(name)
    if known.module != "core" and not known.module.endswith("-core"):
        return
    for attribute, value in parameters.items():
        rule = RULES.get((name, attribute))
        for one in value if isinstance(value, list | tuple) else (value,):
            if type(one) not in (str, int, float, bool, dict):
                continue
            yield from rule(attribute, one) if rule is not None else check_listed(known, attribute, one)
    for namevar in known.namevars:
        rule = RULES.get((name, namevar))
        if rule is not None and namevar not in parameters and title is not None:
            yield from rule(namevar, title)
    if name in WHOLE_RULES:
        yield from WHOLE_RULES[name](title, parameters)


# --- values listed in the rows


def check_listed(known: TypeFacts, attribute: str, value: object) -> Found:
    """Yield a refusal of a value that the row of the type does not list."""
    row = known.attributes.get(attribute) or get_metaparameters().get(attribute)
    key = (known.name, attribute)
    if row is None or not row.values or key in OPEN:
        return
    text = to_text(value)
    taken = (*row.values, *ALIASES.get(key, ()))
    if any(_takes(one, text) for one in taken):
        return
    plain = [one for one in row.values if not one.startswith("/")]
    near = find_nearest(text, plain)
    if attribute == "provider":
        if near is None and known.name not in FIXED_PROVIDERS:
            return  # modules have providers of their own
        yield Refusal(attribute, f"there is no {known.name} provider '{text}'", _one_of(plain), near)
        return
    yield Refusal(attribute, f"`{attribute}` does not accept {_format(value)}", _one_of(plain), near)


def _takes(one: str, text: str) -> bool:
    if not (one.startswith("/") and len(one) > 1):
        return one == text
    if not one.endswith("/"):
        return True  # a pattern with options
    return re.search(one[1:-1], text) is not None


def to_text(value: object) -> str:
    """Return a value as the string that the type compares."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _format(value: object) -> str:
    return f"'{value}'" if isinstance(value, str) else f"`{to_text(value)}`"


def _one_of(texts: list[str]) -> str:
    shown = [f"`{text}`" for text in texts[:12]]
    if not shown:
        return "Look up the values that the attribute accepts."
    rest = ", …" if len(texts) > len(shown) else ""
    return f"It accepts {', '.join(shown)}{rest}."


# --- rules of attributes


def _path(attribute: str, value: object) -> Found:
    if not isinstance(value, str) or not ABSOLUTE.match(value):
        takes = "A path is absolute: it begins with `/`."
        yield Refusal(attribute, f"the path {_format(value)} is not absolute", takes, f"'/{value}'")


def _mode(attribute: str, value: object) -> Found:
    if not isinstance(value, str):
        octal = f"{value:04o}" if type(value) is int and value >= 0 else "0644"
        takes = f"A mode is a string, with its leading zero: `'{octal}'`, or `'u=rw,go=r'`."
        if type(value) is int and set(str(value)) <= set("01234567") and len(str(value)) == 3:
            takes = f"A mode is a string, with a leading zero: `'0{value}'`, or `'u=rw,go=r'`."
        yield Refusal(attribute, f"`mode` is a string, not the number {value}", takes)
    elif not MODE.fullmatch(value):
        takes = "A mode is four octal digits, 0 to 7, `'0644'`, or symbolic, `'u=rw,go=r'`."
        yield Refusal(attribute, f"'{value}' is not a mode", takes)


def _file_state(attribute: str, value: object) -> Found:
    text = to_text(value)
    if text in FILE_STATES or "/" in text or "\\" in text:
        return
    near = find_nearest(text, FILE_STATES)
    if near is not None or text in STATES_OF_OTHERS or find_nearest(text, STATES_OF_OTHERS) is not None:
        why = f"`ensure` would make it a link to {_format(value)}"
        yield Refusal(attribute, why, _one_of([*FILE_STATES]), near)


def _package_state(attribute: str, value: object) -> Found:
    text = to_text(value)
    if text in PACKAGE_STATES or text in ("true", "false") or any(sign.isdigit() for sign in text):
        return
    near = find_nearest(text, PACKAGE_STATES)
    if near is not None or text in ("running", "stopped", "file", "yes", "no"):
        why = f"`ensure` would search for a version {_format(value)}"
        yield Refusal(attribute, why, _one_of([*PACKAGE_STATES]) + " Or a version: `'1.2'`.", near)


def _source(attribute: str, value: object) -> Found:
    if isinstance(value, str) and not SOURCE.match(value):
        takes = "It accepts `puppet:///modules/NAME/FILE`, an absolute path, or an `http` address."
        yield Refusal(attribute, f"the source '{value}' is relative", takes)


def _content(attribute: str, value: object) -> Found:
    if not isinstance(value, str):
        what = "a hash" if isinstance(value, dict) else f"`{to_text(value)}`"
        yield Refusal(attribute, f"`content` is a string, not {what}", 'Write it as a string: `"${x}\\n"`.')


def _whole_number(least: int) -> Callable[[str, object], Found]:
    def rule(attribute: str, value: object) -> Found:
        text = to_text(value)
        if not re.fullmatch(r"-?\d+", text) or int(text) < least:
            why = f"`{attribute}` does not accept {_format(value)}"
            yield Refusal(attribute, why, f"It accepts a whole number from {least}.")

    return rule


def _number(attribute: str, value: object) -> Found:
    if not NUMBER.fullmatch(to_text(value)):
        yield Refusal(
            attribute, f"`{attribute}` does not accept {_format(value)}", "It accepts a number of seconds."
        )


def _environment(attribute: str, value: object) -> Found:
    if isinstance(value, str) and "=" not in value:
        yield Refusal(attribute, f"'{value}' sets no variable", "Each entry is `'NAME=value'`.")


def _umask(attribute: str, value: object) -> Found:
    if isinstance(value, str) and not UMASK.fullmatch(value):
        yield Refusal(attribute, f"'{value}' is not a umask", "A umask has octal digits: `'022'`.")


def _times(least: int, most: int, names: tuple[str, ...] = ()) -> Callable[[str, object], Found]:
    """Return the rule for a field of a cron job: a number in a range, or a month or day."""

    def rule(attribute: str, value: object) -> Found:
        text = to_text(value).lower()
        beyond = text.isdigit() and not least <= int(text) <= most
        if beyond or " " in text.strip() or (text.isalpha() and not _names(text, names)):
            named = " or a name" if names else ""
            takes = f"It accepts {least} to {most}{named}, `'*'`, `'*/2'`, `'{least}-{most}'`, or a list of these."
            yield Refusal(attribute, f"`{attribute}` does not accept {_format(value)}", takes)

    return rule


def _names(text: str, names: tuple[str, ...]) -> bool:
    return text == "absent" or any(name[:3] == text or name == text for name in names)


def _address(attribute: str, value: object) -> Found:
    try:
        ip_address(str(value))
    except ValueError:
        yield Refusal(
            attribute, f"'{value}' is not an IP address", "It accepts an address: `'192.0.2.10'`, `'::1'`."
        )


def _host_name(attribute: str, value: object) -> Found:
    if isinstance(value, str) and re.search(r"\s", value):
        yield Refusal(
            attribute, f"'{value}' is not the name of a host", "A name has no spaces: `'web1.example.com'`."
        )


def _owner(attribute: str, value: object) -> Found:
    if isinstance(value, str) and ":" in value:
        owner, _, group = value.partition(":")
        takes = f"They are two attributes: `owner => '{owner}', group => '{group}'`."
        yield Refusal(attribute, f"there is no {attribute} '{value}'", takes)


def _hours(attribute: str, value: object) -> Found:
    hours = re.findall(r"(\d+)(?::\d+)*", value) if isinstance(value, str) else []
    if any(int(hour) > 23 for hour in hours):
        takes = "Hours are 0 to 23, minutes and seconds follow colons: `'22:30 - 4'`."
        yield Refusal(attribute, f"`{attribute}` does not accept {_format(value)}", takes)


def _groups(attribute: str, value: object) -> Found:
    if isinstance(value, str) and "," in value:
        listed = ", ".join(f"'{part.strip()}'" for part in value.split(","))
        yield Refusal(
            attribute,
            f"'{value}' is one name with a comma",
            f"Write several names in brackets: `[{listed}]`.",
        )


def _password(attribute: str, value: object) -> Found:
    if isinstance(value, str) and ":" in value:
        yield Refusal(attribute, "a password cannot contain `:`", "It accepts only the encrypted password.")


def _identifier(attribute: str, value: object) -> Found:
    text = to_text(value)
    if not text.isdigit() and text != "absent":
        yield Refusal(
            attribute, f"`{attribute}` does not accept {_format(value)}", "It accepts a whole number."
        )


def _unit(units: str, words: str) -> Callable[[str, object], Found]:
    def rule(attribute: str, value: object) -> Found:
        text = to_text(value)
        if not re.fullmatch(rf"\d+[{units}]?\w*", text):
            yield Refusal(attribute, f"`{attribute}` does not accept {_format(value)}", words)

    return rule


# --- rules of types


def _exec(title: str | None, parameters: Mapping[str, object]) -> Found:
    command = parameters.get("command", title)
    word = command.split(None, 1)[0] if isinstance(command, str) and command.strip() else ""
    if word in BUILTINS and parameters.get("provider", "posix") == "posix":
        where = "command" if "command" in parameters else None
        yield Refusal(where, f"`{word}` is a command of the shell, not a program", BUILTINS[word])
        return
    if "path" in parameters or parameters.get("provider", "posix") != "posix":
        return
    commands: list[tuple[str | None, object]] = [("command", parameters.get("command", title))]
    for attribute in ("onlyif", "unless", "refresh"):
        value = parameters.get(attribute)
        commands += [(attribute, one) for one in (value if isinstance(value, list) else [value])]
    for name, command in commands:
        first = command[0] if isinstance(command, list) and command else command
        match = COMMAND.match(first) if isinstance(first, str) else None
        program = next((part for part in match.groups() if part), "") if match is not None else ""
        if program and not ABSOLUTE.match(program):
            where = name if name in parameters else None
            takes = "Write its path, `'/usr/bin/…'`, or set `path => ['/usr/bin', '/bin']`."
            yield Refusal(where, f"the path of `{program}` is not known", takes)


def _file(title: str | None, parameters: Mapping[str, object]) -> Found:
    given = [name for name in ("content", "source", "target") if parameters.get(name) is not None]
    if len(given) > 1:
        takes = "The content of a file can be set only once: keep one of them."
        yield Refusal(given[1], f"it has {' and '.join(f'`{name}`' for name in given)}", takes)


RULES: dict[tuple[str, str], Callable[[str, object], Found]] = {
    ("cron", "hour"): _times(0, 23),
    ("cron", "minute"): _times(0, 59),
    ("cron", "month"): _times(1, 12, MONTHS),
    ("cron", "monthday"): _times(1, 31),
    ("cron", "weekday"): _times(0, 7, DAYS),
    ("exec", "creates"): _path,
    ("exec", "cwd"): _path,
    ("exec", "environment"): _environment,
    ("exec", "timeout"): _number,
    ("exec", "tries"): _whole_number(1),
    ("exec", "umask"): _umask,
    ("file", "content"): _content,
    ("file", "ensure"): _file_state,
    ("file", "mode"): _mode,
    ("file", "path"): _path,
    ("file", "source"): _source,
    ("file", "group"): _owner,
    ("file", "owner"): _owner,
    ("group", "gid"): _identifier,
    ("host", "ip"): _address,
    ("host", "name"): _host_name,
    ("package", "ensure"): _package_state,
    ("schedule", "range"): _hours,
    ("tidy", "age"): _unit("smhdwSMHDW", "It accepts a number with a unit: `1d`, `2w`."),
    ("tidy", "size"): _unit("bkmgtBKMGT", "It accepts a number with a unit: `5k`, `10m`."),
    ("user", "groups"): _groups,
    ("user", "password"): _password,
    ("user", "uid"): _identifier,
}
WHOLE_RULES: dict[str, Callable[[str | None, Mapping[str, object]], Found]] = {
    "exec": _exec,
    "file": _file,
}
