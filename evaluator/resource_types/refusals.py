"""Rules about values of attributes that the compiler accepts and resource types refuse.

A resource type checks its attributes on the machine, when the catalog is applied. `find_refusals` predicts the result
for one resource. It ignores values that are not plain (secrets, deferred values) and types of other modules.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from ipaddress import ip_address

from evaluator.resource_types import TypeFacts, get_facts, get_metaparameters, is_known
from lexer_parser.issues.similarity import find_nearest
from lexer_parser.lazy import LazyPattern
from lexer_parser.record import Record

ABSOLUTE = LazyPattern(r"/|[A-Za-z]:[/\\]|\\\\")
MODE = LazyPattern(r"0?[0-7]{1,4}|(?:[ugoa]*[-+=][rstwxXugo]*)(?:,[ugoa]*[-+=][rstwxXugo]*)*")
COMMAND = LazyPattern(r"\"([^\"]+)\"|'([^']+)'|(\S+)")
MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november", "december")  # fmt: skip
DAYS = ("sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday")
HOUR = r"\s*0*(?:1?\d|2[0-3])(?::[0-5]?\d(?::\d{1,2})?)?\s*"
LABEL = "[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?"  # a part of the name of a host
PACKAGE_STATES = ("present", "installed", "absent", "purged", "latest", "held", "disabled")
FILE_STATES = ("file", "present", "absent", "directory", "link")
# States of other types: as the target of a link they are probably a mistake.
STATES_OF_OTHERS = ("true", "false", "yes", "no", "running", "stopped", "installed", "latest", "enabled")
# Values that attributes accept beside those listed in their rows.
ALIASES = {
    ("mount", "ensure"): ("present",),
    ("service", "ensure"): ("true", "false"),
    ("ssh_authorized_key", "type"): ("dsa", "rsa", "ed25519"),
    ("sshkey", "type"): ("dsa", "rsa", "ed25519"),
}
# Attributes that accept more than the values listed in their rows.
ACCEPT_OTHERS = frozenset(
    {
        ("file", "checksum"),
        ("file", "ensure"),
        ("group", "forcelocal"),
        ("package", "ensure"),
        ("user", "forcelocal"),
    }
)
_BY_SHELL = "`provider => shell` passes the command to a shell."
# Commands of the shell that are no programs, and the help for each.
BUILTINS = {
    "cd": f"Set the folder with `cwd => '/tmp'`. {_BY_SHELL}",
    "export": "Set variables with `environment => ['NAME=value']`. " + _BY_SHELL,
    "umask": f"Set the attribute `umask => '022'`. {_BY_SHELL}",
    **dict.fromkeys(("alias", "eval", "set", "source", "ulimit", "unset"), _BY_SHELL),
}
# Types for which modules have no providers of their own.
FIXED_PROVIDERS = frozenset(("exec", "file"))


class Refusal(Record):
    """A refusal of a resource by its type.

    Attributes:
        attribute: The attribute; None for the resource as a whole.
        problem: The reason, as a clause: "`mode` is a string, not the number 644".
        remedy: The values that the attribute accepts, or what to write instead, as a sentence.
        suggestion: The most similar accepted value, if there is one.
    """

    attribute: str | None
    problem: str
    remedy: str
    suggestion: str | None = None


Refusals = Iterator[Refusal]
Rule = Callable[[str, object], Refusals]


def find_refusals(name: str, title: str | None, parameters: Mapping[str, object]) -> Refusals:
    """Yield what the type `name`, in lower case, refuses of a resource.

    Args:
        name: The name of the type.
        title: The title; None if it is not known.
        parameters: The values of the attributes.
    """
    facts = get_facts(name)
    if facts.module != "core" and not facts.module.endswith("-core"):
        return
    for attribute, value in parameters.items():
        rule = RULES.get((name, attribute))
        for element in value if isinstance(value, list) else (value,):
            if type(element) not in (str, int, float, bool, dict):
                continue
            if rule is not None:
                yield from rule(attribute, element)
            else:
                yield from check_listed(facts, attribute, element)
    for namevar in facts.namevars:
        rule = RULES.get((name, namevar))
        if rule is not None and namevar not in parameters and title is not None:
            yield from rule(namevar, title)
    if name in WHOLE_RULES:
        yield from WHOLE_RULES[name](title, parameters)


# --- values listed in the rows


def check_listed(facts: TypeFacts, attribute: str, value: object) -> Refusals:
    """Yield a refusal of a value that the row of the type does not list."""
    row = facts.attributes.get(attribute) or get_metaparameters().get(attribute)
    key = (facts.name, attribute)
    if row is None or not row.values or key in ACCEPT_OTHERS:
        return
    text = to_text(value)
    accepted = (*row.values, *ALIASES.get(key, ()))
    if any(_matches(listed, text) for listed in accepted):
        return
    plain = [listed for listed in row.values if not listed.startswith("/")]
    near = find_nearest(text, plain)
    problem = f"`{attribute}` does not accept {_format(value)}"
    if attribute == "provider":
        if near is None and facts.name not in FIXED_PROVIDERS:
            return  # modules have providers of their own
        problem = f"there is no {facts.name} provider '{text}'"
    yield Refusal(attribute, problem, _format_choices(plain), near)


def _matches(listed: str, text: str) -> bool:
    """Return True if a text is the listed value, or matches a listed `/pattern/`."""
    if not (listed.startswith("/") and len(listed) > 1):
        return listed == text
    if not listed.endswith("/"):
        return True  # a pattern with options
    return re.search(listed[1:-1], text) is not None


def to_text(value: object) -> str:
    """Return a value as the string that the type compares."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _format(value: object) -> str:
    if isinstance(value, dict):
        return "a hash"
    return f"'{value}'" if isinstance(value, str) else f"`{to_text(value)}`"


def _format_choices(texts: list[str]) -> str:
    shown = [f"`{text}`" for text in texts[:12]]
    if not shown:
        return "Look up the values that the attribute accepts."
    rest = ", …" if len(texts) > len(shown) else ""
    return f"It accepts {', '.join(shown)}{rest}."


# --- rules of attributes


def _make_pattern_rule(
    pattern: str, remedy: str, classes: tuple[type, ...] = (str, int, float, bool)
) -> Rule:
    """Return the rule of an attribute whose values match a regular expression as a whole.

    Args:
        pattern: The regular expression.
        remedy: The values that the attribute accepts, as a sentence.
        classes: The Python classes of these values.
    """

    def rule(attribute: str, value: object) -> Refusals:
        if type(value) not in classes or not re.fullmatch(pattern, to_text(value), re.IGNORECASE | re.DOTALL):
            yield Refusal(attribute, f"`{attribute}` does not accept {_format(value)}", remedy)

    return rule


def _make_cron_rule(least: int, most: int, names: tuple[str, ...] = ()) -> Rule:
    """Return the rule of a field of a cron job: a number in a range, or a month or day.

    Args:
        least, most: The range.
        names: The months or days in lower case; a value may be the first three letters of one.
    """
    numbers = "|".join(map(str, range(least, most + 1)))
    parts = "|".join(("", *(f"{name[:3]}(?:{name[3:]})?" for name in names)))
    named = " or a name" if names else ""
    return _make_pattern_rule(
        rf"0*(?:{numbers})|\*(?:/\d+)?|\d+-\d+(?:/\d+)?|absent{parts}",
        f"It accepts {least} to {most}{named}, `'*'`, `'*/2'`, `'{least}-{most}'`, or a list of these.",
        classes=(str, int),
    )


def _check_path(attribute: str, value: object) -> Refusals:
    if not isinstance(value, str) or not ABSOLUTE.match(value):
        remedy = "A path is absolute: it begins with `/`."
        yield Refusal(attribute, f"the path {_format(value)} is not absolute", remedy, f"'/{value}'")


def _check_mode(attribute: str, value: object) -> Refusals:
    if not isinstance(value, str):
        if re.fullmatch("[0-7]{3}", str(value)):  # octal digits without the zero: 644
            remedy = f"A mode is a string, with a leading zero: `'0{value}'`, or `'u=rw,go=r'`."
        else:
            octal = f"{value:04o}" if type(value) is int and value >= 0 else "0644"
            remedy = f"A mode is a string, with its leading zero: `'{octal}'`, or `'u=rw,go=r'`."
        yield Refusal(attribute, f"`mode` is a string, not the number {value}", remedy)
    elif not MODE.fullmatch(value):
        remedy = "A mode is four octal digits, 0 to 7, `'0644'`, or symbolic, `'u=rw,go=r'`."
        yield Refusal(attribute, f"'{value}' is not a mode", remedy)


def _check_file_state(attribute: str, value: object) -> Refusals:
    """Yield a refusal of a misspelt state, which the type takes for the target of a link."""
    text = to_text(value)
    if text in FILE_STATES or "/" in text or "\\" in text:
        return
    near = find_nearest(text, FILE_STATES)
    if near is not None or text in STATES_OF_OTHERS or find_nearest(text, STATES_OF_OTHERS) is not None:
        problem = f"`ensure` would make it a link to {_format(value)}"
        yield Refusal(attribute, problem, _format_choices([*FILE_STATES]), near)


def _check_package_state(attribute: str, value: object) -> Refusals:
    """Yield a refusal of a misspelt state, which the type takes for a version."""
    text = to_text(value)
    if text in PACKAGE_STATES or text in ("true", "false") or any(sign.isdigit() for sign in text):
        return
    near = find_nearest(text, PACKAGE_STATES)
    if near is not None or text in ("running", "stopped", "file", "yes", "no"):
        problem = f"`ensure` would search for a version {_format(value)}"
        yield Refusal(
            attribute, problem, _format_choices([*PACKAGE_STATES]) + " Or a version: `'1.2'`.", near
        )


def _check_address(attribute: str, value: object) -> Refusals:
    try:
        ip_address(str(value))
    except ValueError:
        yield Refusal(
            attribute, f"'{value}' is not an IP address", "It accepts an address: `'192.0.2.10'`, `'::1'`."
        )


def _check_owner(attribute: str, value: object) -> Refusals:
    if isinstance(value, str) and ":" in value:
        owner, _, group = value.partition(":")
        remedy = f"They are two attributes: `owner => '{owner}', group => '{group}'`."
        yield Refusal(attribute, f"there is no {attribute} '{value}'", remedy)


_check_group = _make_pattern_rule(
    r"(?!\d+$)[^,]+", "It accepts names of groups, not their numbers.", classes=(str,)
)


def _check_groups(attribute: str, value: object) -> Refusals:
    if not isinstance(value, str) or "," not in value:
        yield from _check_group(attribute, value)
    else:
        listed = ", ".join(f"'{part.strip()}'" for part in value.split(","))
        yield Refusal(
            attribute,
            f"'{value}' is one name with a comma",
            f"Write several names in brackets: `[{listed}]`.",
        )


# --- rules of types


def _check_exec(title: str | None, parameters: Mapping[str, object]) -> Refusals:
    """Yield refusals of commands that only a shell finds: its own, programs without path."""
    if parameters.get("provider", "posix") != "posix":
        return
    main_command = parameters.get("command", title)
    words = main_command.split(None, 1) if isinstance(main_command, str) else []
    if words and words[0] in BUILTINS:
        where = "command" if "command" in parameters else None
        yield Refusal(where, f"`{words[0]}` is a command of the shell, not a program", BUILTINS[words[0]])
        return
    if "path" in parameters:
        return
    commands = [("command", main_command)]
    for attribute in ("onlyif", "unless", "refresh"):
        value = parameters.get(attribute)
        commands += [(attribute, command) for command in (value if isinstance(value, list) else [value])]
    for attribute, command in commands:
        program = _find_program(command)
        if program and not ABSOLUTE.match(program):
            remedy = "Write its path, `'/usr/bin/…'`, or set `path => ['/usr/bin', '/bin']`."
            where = attribute if attribute in parameters else None
            yield Refusal(where, f"the path of `{program}` is not known", remedy)


def _find_program(command: object) -> str:
    """Return the program of a command line, or of an array of words; "" if it is not known."""
    first = command[0] if isinstance(command, list) and command else command
    match = COMMAND.match(first) if isinstance(first, str) else None
    return next((part for part in match.groups() if part), "") if match is not None else ""


def _check_file(title: str | None, parameters: Mapping[str, object]) -> Refusals:
    sources = [name for name in ("content", "source", "target") if parameters.get(name) is not None]
    if len(sources) > 1:
        remedy = "The content of a file can be set only once: keep one of them."
        yield Refusal(sources[1], f"it has {' and '.join(f'`{name}`' for name in sources)}", remedy)


def _check_resources(title: str | None, parameters: Mapping[str, object]) -> Refusals:
    name = str(parameters.get("name", title)).lower()
    if parameters.get("purge") is True and is_known(name) and "ensure" not in get_facts(name).attributes:
        yield Refusal("purge", f"resources of the type {name} cannot be purged", "They have no `ensure`.")


def _check_tidy(title: str | None, parameters: Mapping[str, object]) -> Refusals:
    if parameters.get("matches") is not None and parameters.get("recurse", False) in (False, 0):
        yield Refusal("matches", "`matches` needs `recurse`", "Add `recurse => true`, or a depth.")


_DAYS_OF_PASSWORD = _make_pattern_rule(r"-?\d+", "It accepts a whole number of days.")
# No string matches this pattern.
_READ_ONLY = _make_pattern_rule("(?!)", "Puppet only reads it.")

# The rules of attributes, by the name of the type and of the attribute.
RULES: dict[tuple[str, str], Rule] = {
    ("cron", "environment"): _make_pattern_rule(r"[a-z_]\w*=.*|absent", "Each entry is `'NAME=value'`."),
    ("cron", "hour"): _make_cron_rule(0, 23),
    ("cron", "minute"): _make_cron_rule(0, 59),
    ("cron", "month"): _make_cron_rule(1, 12, MONTHS),
    ("cron", "monthday"): _make_cron_rule(1, 31),
    ("cron", "weekday"): _make_cron_rule(0, 7, DAYS),
    ("exec", "command"): _make_pattern_rule(
        ".+", "It accepts a command line, or an array of its words.", classes=(str,)
    ),
    ("exec", "creates"): _check_path,
    ("exec", "cwd"): _check_path,
    ("exec", "environment"): _make_pattern_rule(r".*\w=.*", "Each entry is `'NAME=value'`."),
    ("exec", "path"): _make_pattern_rule(".*", "It accepts folders: `['/usr/bin', '/bin']`.", classes=(str,)),
    ("exec", "timeout"): _make_pattern_rule(
        r"-?(?:\d+(?:\.\d+)?|\.\d+)(?:e\d+)?", "It accepts a number of seconds."
    ),
    ("exec", "tries"): _make_pattern_rule(r"0*[1-9]\d*", "It accepts a whole number from 1."),
    ("exec", "try_sleep"): _make_pattern_rule(r"\d+(?:\.\d+)?(?:e\d+)?", "It accepts a number of seconds."),
    ("exec", "umask"): _make_pattern_rule(
        "0?[0-7]{1,4}", "A umask is a string of octal digits: `'022'`.", classes=(str,)
    ),
    ("file", "content"): _make_pattern_rule(".*", 'Write it as a string: `"${x}\\n"`.', classes=(str,)),
    ("file", "ctime"): _READ_ONLY,
    ("file", "ensure"): _check_file_state,
    ("file", "ignore"): _make_pattern_rule(
        ".*", "It accepts patterns of names: `['*.bak']`.", classes=(str,)
    ),
    ("file", "mode"): _check_mode,
    ("file", "mtime"): _READ_ONLY,
    ("file", "path"): _check_path,
    ("file", "source"): _make_pattern_rule(
        r"(?:/|[a-z]:[/\\]|\\\\|(?:puppet|file|https?):).*",
        "It accepts `puppet:///modules/NAME/FILE`, an absolute path, or an `http` address.",
        classes=(str,),
    ),
    ("file", "group"): _check_owner,
    ("file", "owner"): _check_owner,
    ("file", "type"): _READ_ONLY,
    ("filebucket", "path"): _make_pattern_rule("/.*|true|false", "A path is absolute: it begins with `/`."),
    ("group", "gid"): _make_pattern_rule(r"-?\d+", "It accepts a whole number."),
    ("host", "host_aliases"): _make_pattern_rule(
        r"\S+", "A name has no spaces; write several names in brackets."
    ),
    ("host", "ip"): _check_address,
    ("host", "name"): _make_pattern_rule(
        rf"{LABEL}(?:\.{LABEL})*\.?",
        "A name has no spaces: `'web1.example.com'`. It has letters, digits, `-` and `.`.",
    ),
    ("mount", "fstype"): _make_pattern_rule(r"\S+", "It accepts a word: `'ext4'`."),
    ("mount", "options"): _make_pattern_rule(
        r"\S+", "It accepts words with commas and no spaces: `'ro,noatime'`.", classes=(str,)
    ),
    ("package", "ensure"): _check_package_state,
    ("package", "name"): _make_pattern_rule(".*", "It accepts a string.", classes=(str,)),
    ("resources", "unless_uid"): _make_pattern_rule(r"-?(?:0x[\da-f]+|\d+)", "It accepts whole numbers."),
    ("schedule", "range"): _make_pattern_rule(
        f"{HOUR}-{HOUR}",
        "Hours are 0 to 23, minutes and seconds follow colons: `'22:30 - 4'`.",
        classes=(str,),
    ),
    ("schedule", "repeat"): _make_pattern_rule(r"-?\d+", "It accepts a whole number."),
    ("schedule", "weekday"): _make_pattern_rule(
        "[0-6]|tues|thurs|" + "|".join(f"{day[:3]}(?:{day[3:]})?" for day in DAYS),
        "It accepts the name of a day, or 0 to 6, Sunday first.",
    ),
    ("ssh_authorized_key", "key"): _make_pattern_rule(
        r"\S*", "It accepts the key alone, without its type and its comment."
    ),
    ("ssh_authorized_key", "options"): _make_pattern_rule(
        r"[a-z0-9_-]+(?:=\".*?\")?", "An option is `'NAME'` or `'NAME=\"value\"'`; write several in brackets."
    ),
    ("sshkey", "host_aliases"): _make_pattern_rule(
        r"[^\s,]*", "A name has no spaces; write several names in brackets."
    ),
    ("sshkey", "name"): _make_pattern_rule("[^,]*", "Write other names of the host as `host_aliases`."),
    ("tidy", "age"): _make_pattern_rule(
        r"\d+(?:[smhdw][a-z]*)?", "It accepts a number with a unit: `'1d'`, `'2w'`.", classes=(str,)
    ),
    ("tidy", "size"): _make_pattern_rule(
        r"\d+(?:[bkmgt][a-z]*)?", "It accepts a number with a unit: `'5k'`, `'10m'`.", classes=(str,)
    ),
    ("user", "groups"): _check_groups,
    ("user", "password"): _make_pattern_rule(
        "[^:]*", "It accepts only the encrypted password, which has no `:`."
    ),
    ("user", "password_max_age"): _DAYS_OF_PASSWORD,
    ("user", "password_min_age"): _DAYS_OF_PASSWORD,
    ("user", "password_warn_days"): _DAYS_OF_PASSWORD,
    ("user", "purge_ssh_keys"): _make_pattern_rule(
        "true|false|(?:/|~/|%h/).*", "It accepts `true`, `false`, or absolute paths of files."
    ),
    ("user", "uid"): _make_pattern_rule(r"\d+|absent", "It accepts a whole number."),
}
# The rules of whole resources, by the name of the type.
WHOLE_RULES: dict[str, Callable[[str | None, Mapping[str, object]], Refusals]] = {
    "exec": _check_exec,
    "file": _check_file,
    "resources": _check_resources,
    "tidy": _check_tidy,
}
