"""YAML, read and written as the released implementation does, on top of PyYAML.

The released implementation uses libyaml, and so does PyYAML where it is built with it. What this module adds is the
meaning of plain scalars, the choice of a scalar's style, and limits of length, depth and aliases, which are checked
on the events of a text before a value is made of them.

libyaml scans many times faster than the scanner that PyYAML has in Python. Each of the two accepts some texts that the
other one refuses. So libyaml reads only texts that both read in the same way. PyYAML reads all others, and those with
errors. Without libyaml PyYAML reads and writes everything; long strings in quotes may then be folded elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import takewhile
from typing import Any, NamedTuple

from evaluator.issues import Failure, require
from evaluator.limits import STRING, YAML
from evaluator.values.binaries import decode_base64
from evaluator.values.chunked import has_match
from evaluator.values.core import DEFAULT, iterate_items, make_hash
from evaluator.values.dag import count_values
from evaluator.values.kind import Value
from evaluator.values.printing import format_value
from lexer_parser.memo import memoize
from lexer_parser.record import Record, fresh

MAX_DEPTH = 100  # levels of nesting in a document that is read; one level takes one character
MAX_ALIASES = 10_000
# Meanings of plain scalars are cached: data has few different short scalars.
_MAX_SCALARS = 10_000

Event = Any  # an event of PyYAML, which has no types

# --- plain scalars


def _to_integer(base: int) -> Callable[[str], int]:
    """Return a converter of integers with a base."""

    def convert(source: str) -> int:
        digits = re.sub("[_,]", "", source)
        try:
            return int(digits, base)
        except ValueError:
            raise Failure("INVALID_INTEGER", value=f'"{digits}"') from None

    return convert


def _to_float(source: str) -> float:
    return float(re.sub("[_,]", "", source))


def _to_seconds(convert: Callable[[str], Value]) -> Callable[[str], Value]:
    """Return a converter of hours, minutes and seconds to seconds; a sign belongs to the hours."""
    return lambda source: sum(
        convert(part.replace("_", "")) * 60 ** (2 - position)
        for position, part in enumerate(source.split(":"))
    )


def _refuse(ruby_class: str, source: str) -> Value:
    """Raise Failure for a source that Ruby reads as an object of a class."""
    raise Failure("YAML_CLASS", name=ruby_class)


# The forms of plain scalars that are not strings, in the order in which they are tried.
_FORMS: tuple[tuple[str, Callable[[str], Value]], ...] = (
    (r"~|null|", lambda source: None),
    (r"yes|true|on", lambda source: True),
    (r"no|false|off", lambda source: False),
    (r"[-+]?0[0-7_,]+", _to_integer(8)),
    (r"[-+]?(0|[1-9]([0-9]|[_,][0-9])*+)", _to_integer(10)),
    (r"[-+]?0x[0-9a-f_,]+", _to_integer(16)),
    (r"[-+]?0b[01_,]+", _to_integer(2)),
    (r"[-+]?([0-9][0-9_,]*\.[0-9]*|\.[0-9]+)(e[-+][0-9]+)?", _to_float),
    (r"[-+]?\.inf", lambda source: float(source.replace(".", ""))),
    (r"\.nan", lambda source: float("nan")),
    (r"[-+]?[0-9][0-9_]*(:[0-5]?[0-9]){1,2}", _to_seconds(int)),
    (r"[-+]?[0-9][0-9_]*(:[0-5]?[0-9]){1,2}\.[0-9]*", _to_seconds(float)),
    # also days that do not exist
    (r"[0-9]{4}-(1[012]|0?[0-9])-([12][0-9]|3[01]|0?[0-9])", partial(_refuse, "Date")),
    (
        r"-?[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(t|\s+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(\.[0-9]*)?"
        r"(\s*(z|[-+][0-9]{1,2}:?([0-9]{2})?))?",
        partial(_refuse, "Time"),
    ),
)
_PATTERNS = [(re.compile(pattern, re.IGNORECASE), convert) for pattern, convert in _FORMS]
# Every form begins like this. Most scalars are strings, for which the forms need not be tried.
_NOT_STRING = re.compile(r"[-+.0-9]|(?:~|null|yes|true|on|no|false|off|)\Z", re.IGNORECASE)


def read_plain_scalar(source: str) -> Value:
    """Return the value of a scalar without quotes. Raise Failure for dates and times."""
    if not _NOT_STRING.match(source):
        return source
    for pattern, convert in _PATTERNS:
        if pattern.fullmatch(source):
            return convert(source)
    return source


@memoize(_MAX_SCALARS, longest=80)
def _must_be_quoted(string: str) -> bool:
    """Return whether a string without quotes would be read as another value."""
    if re.match(r"0[0-7]*[89]|:.", string):  # Psych reads these as an octal number or a symbol
        return True
    try:
        return type(read_plain_scalar(string)) is not str
    except Failure:
        return True


# --- reading

# Syntax that the two scanners read differently: other line breaks and spaces, unusual tags, comments after `|`.
_AMBIGUOUS_CHARACTERS = "\t\r\x85\u2028\u2029\ufeff"
_COMMENT_OF_BLOCK = re.compile("[|>][-+0-9]*#")
# The exclamation mark is first, because it is found fast.
_OTHER_TAG = re.compile("!(?<![^\\s\\[{,:]!)(?!!(?:str|int|float|bool|null|binary|seq|map|omap|set)[ \n])")
_LONGEST_TAG = len("!!binary ")
_TAG_PREFIX = "tag:yaml.org,2002:"
_REFUSED_TAG = re.compile(r"!ruby/(?!sym)(?:\w+:)?(\w)([\w:]*)")
_UNFINISHED = object()  # the value of a node that is being built; an alias of it would make a cycle


def read_yaml(source: str, *, aliases: bool = False) -> Value:
    """Return the data of the first document of a text.

    Args:
        source: The text.
        aliases: True for data of Hiera, which permits aliases, up to MAX_ALIASES, and in which `:name` is a symbol
            of Ruby. Keys that are symbols become strings.

    Raises:
        Failure: The text is not YAML, exceeds a limit, or names a class that is not data.
    """
    import yaml

    YAML.check(len(source))
    if source.startswith("\ufeff"):  # libyaml counts it as a character, so that the first line is indented
        source = f" {source[1:]}"
    max_aliases = MAX_ALIASES if aliases else 0
    fast_loader = _get_loader("CSafeLoader")
    if fast_loader is not None and not _is_ambiguous(source):
        try:
            return _read_document(source, fast_loader, max_aliases)
        except (yaml.YAMLError, ValueError):  # PyYAML's own scanner reads it or reports the error
            pass
    try:
        return _read_document(source, _get_loader("SafeLoader"), max_aliases)
    except (yaml.YAMLError, ValueError) as error:
        raise _make_failure(source, error) from None


def _is_ambiguous(source: str) -> bool:
    """Return whether the scanners may read a text differently, as a question mark in brackets."""
    return (
        ("?" in source and ("[" in source or "{" in source))
        or any(character in source for character in _AMBIGUOUS_CHARACTERS)
        or ("#" in source and _COMMENT_OF_BLOCK.search(source) is not None)
        or ("!" in source and has_match(_OTHER_TAG, source, _LONGEST_TAG))
    )


@memoize(unbounded_because="one for each of two loaders")
def _get_loader(name: str) -> Any:
    """Return the loader of PyYAML with that name, or None.

    The one in Python is made to refuse unknown directives and versions of YAML, as libyaml does.
    """
    import yaml

    base: Any = getattr(yaml, name, None)
    if name == "CSafeLoader":
        return base

    def scan_directive_name(self: Any, start: Any) -> str:
        name: str = base.scan_directive_name(self, start)
        if name in ("YAML", "TAG"):
            return name
        words = "while scanning a directive", start, "found unknown directive name"
        raise yaml.scanner.ScannerError(*words, self.get_mark())

    def scan_yaml_directive_value(self: Any, start: Any) -> tuple[int, int]:
        version: tuple[int, int] = base.scan_yaml_directive_value(self, start)
        if version in ((1, 1), (1, 2)):
            return version
        raise yaml.scanner.ScannerError(None, None, "found incompatible YAML document", start)

    methods = {
        "scan_directive_name": scan_directive_name,
        "scan_yaml_directive_value": scan_yaml_directive_value,
    }
    return type("StrictLoader", (base,), methods)


def iterate_events(source: str, loader: Any) -> Iterator[tuple[Event, int]]:
    """Yield the events that a loader of PyYAML finds in a text, each with the levels that are open after it.

    Raises:
        yaml.YAMLError: The text is not YAML.
    """
    import yaml

    depth = 0
    opening, closing = yaml.CollectionStartEvent, yaml.CollectionEndEvent
    for event in yaml.parse(source, Loader=loader):
        if isinstance(event, opening):
            depth += 1
        elif isinstance(event, closing):
            depth -= 1
        yield event, depth


def _read_document(source: str, loader: Any, max_aliases: int) -> Value:
    """Return the data of the first document as a loader reads it. Raise Failure and YAMLError."""
    events = iter(_list_events(source, loader, max_aliases))
    first = next(events, None)
    # only the data of Hiera may have aliases, and it has symbols
    return None if first is None else _ValueBuilder(events, has_symbols=max_aliases > 0).build(first)


def _list_events(source: str, loader: Any, max_aliases: int) -> list[Event]:
    """Return the events of the nodes of the first document, after checking limits, anchors and aliases."""
    import yaml

    node_events: list[Event] = []
    anchors: dict[str, Event] = {}
    aliases = 0
    problem: yaml.YAMLError | None = None  # raised at the end, because syntax errors take precedence
    outer = (yaml.StreamStartEvent, yaml.StreamEndEvent, yaml.DocumentStartEvent)
    for event, depth in iterate_events(source, loader):
        kind = type(event)
        if kind is yaml.DocumentEndEvent:
            break
        if depth > MAX_DEPTH:
            raise Failure("YAML_DEPTH", number=MAX_DEPTH)
        if kind is yaml.AliasEvent:
            aliases += 1
            require(max_aliases, "YAML_ALIAS", name=event.anchor)
            require(aliases <= max_aliases, "YAML_ALIASES", number=f"{max_aliases:,}")
            if event.anchor not in anchors:
                words = f"found undefined alias {event.anchor!r}"
                problem = problem or yaml.composer.ComposerError(None, None, words, event.start_mark)
        elif kind in outer:
            continue
        elif (anchor := getattr(event, "anchor", None)) is not None:
            if anchor in anchors:
                words = f"found duplicate anchor {anchor!r}; first occurrence"
                places = anchors[anchor].start_mark, "second occurrence", event.start_mark
                problem = problem or yaml.composer.ComposerError(words, *places)
            anchors[anchor] = event
        node_events.append(event)
    if problem is not None:
        raise problem
    return node_events


class RubyObject(NamedTuple):
    """An object of Ruby that is no value of the language, such as a symbol.

    Attributes:
        string: Its string in Ruby.
        runtime_name: The name of its class.
    """

    string: str
    runtime_name: str = "Symbol"

    def text(self) -> str:
        """Return its string."""
        return self.string

    def literal(self) -> str:
        """Return its string in quotes, as it has no source form."""
        return f"'{self.string}'"


# Puppet represents these values by symbols.
_VALUES_OF_SYMBOLS: dict[str, Value] = {"default": DEFAULT, "undef": None}


class _ValueBuilder:
    """A builder of values from events, which it consumes; aliases of a node share its value."""

    def __init__(self, events: Iterator[Event], *, has_symbols: bool) -> None:
        import yaml

        self._events, self._has_symbols = events, has_symbols
        self._anchored: dict[str, Value] = {}
        self._scalar, self._mapping, self._alias = yaml.ScalarEvent, yaml.MappingStartEvent, yaml.AliasEvent

    def build(self, event: Event) -> Value:
        """Return the value of the node that begins with an event. Raise Failure."""
        kind = type(event)
        if kind is self._alias:
            value = self._anchored[event.anchor]
            require(value is not _UNFINISHED, "YAML_CYCLE")
            return value
        if event.tag is not None:
            _check_tag(event)
        if kind is self._scalar:
            symbol = self._has_symbols and _get_symbol(event)
            value = _VALUES_OF_SYMBOLS.get(symbol, RubyObject(symbol)) if symbol else _read_scalar(event)
        else:
            if event.anchor is not None:
                self._anchored[event.anchor] = _UNFINISHED
            value = self._build_hash() if kind is self._mapping else self._build_array(event)
        if event.anchor is not None:
            self._anchored[event.anchor] = value
        return value

    def _iterate_nodes(self) -> Iterator[Event]:
        """Yield the first event of each node up to the end of the collection.

        The caller consumes the other events of a node. The event of the end, which has no anchor, is consumed here.
        """
        return takewhile(lambda event: hasattr(event, "anchor"), self._events)

    def _build_array(self, event: Event) -> Value:
        """Return the array of the nodes up to the end; an ordered map becomes a hash."""
        parts = [self.build(node) for node in self._iterate_nodes()]
        if event.tag is not None and _get_tag(event) == "!omap":
            require(all(type(part) is dict for part in parts), "YAML_CLASS", name="Psych::Omap")
            return make_hash(pair for part in parts for pair in iterate_items(part))
        return parts

    def _build_hash(self) -> dict[Value, Value]:
        """Return the hash of the nodes up to the end; `<<` merges other hashes into it."""
        pairs: list[tuple[Value, Value]] = []
        for node in self._iterate_nodes():
            name, value = self.build(node), self.build(next(self._events))
            name = (self._has_symbols and _get_symbol(node)) or name
            if name == "<<":
                # The first of several has precedence.
                hashes = value[::-1] if type(value) is list else [value]
                if all(type(part) is dict for part in hashes):
                    pairs += [pair for part in hashes for pair in iterate_items(part)]
                    continue
            pairs.append((name, value))
        return make_hash(pairs)


def _get_tag(event: Event) -> str:
    """Return the tag of a node; Ruby does not distinguish `!!str` and `!str`."""
    return str(event.tag).replace(_TAG_PREFIX, "!")


def _check_tag(event: Event) -> None:
    """Raise Failure for a tag that names a class which is no data."""
    refused = _REFUSED_TAG.match(event.tag)
    if refused is not None:
        raise Failure("YAML_CLASS", name=f"{refused[1].upper()}{refused[2]}")
    require(_get_tag(event) != "!set", "YAML_CLASS", name="Psych::Set")


def _get_symbol(node: Event) -> str:
    """Return the name of a symbol, as which Ruby reads `:name` without quotes; else ""."""
    is_symbol = re.match(":.", getattr(node, "value", "")) is not None and node.implicit[0]
    return node.value[1:].strip("\"'") if is_symbol else ""


def _read_scalar(event: Event) -> Value:
    """Return the value of a scalar by its tag, or by its form if it has none. Raise Failure."""
    source: str = event.value
    tag = "!" if event.tag is None else _get_tag(event)
    if tag == "!":
        return read_plain_scalar(source) if event.implicit[0] else source
    if tag == "!binary":
        return decode_base64(source)
    if tag == "!str":
        return source
    value = read_plain_scalar(source)
    return float(value) if tag == "!float" and type(value) is int else value


def _make_failure(source: str, error: Exception) -> Failure:
    """Return the Failure for a text that is refused, in the words of libyaml, else PyYAML.

    The message has the position at which the unfinished or wrong part begins, as that of the released Puppet. libyaml
    reports none for errors in the order of documents.
    """
    import yaml

    words, place = "", ""
    if isinstance(error, yaml.MarkedYAMLError):
        words, place = error.problem or "", _format_mark(error.problem_mark)
    if words.startswith("found undefined alias"):
        return Failure("YAML_ALIAS", name=words.partition("'")[2].rstrip("'"), place=place)
    try:
        for _ in yaml.parse(source, Loader=_get_loader("CSafeLoader") or yaml.SafeLoader):
            pass
    except (yaml.YAMLError, ValueError) as exact:
        error = exact
    if not isinstance(error, yaml.MarkedYAMLError):
        problem = f"{getattr(error, 'reason', error)} at line 1 column 1"
        return Failure("YAML_SYNTAX", problem=problem, place=place)
    mark = error.context_mark
    if mark is None and isinstance(error, yaml.scanner.ScannerError):
        mark = error.problem_mark
    line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    words = " ".join(part for part in (error.problem, error.context) if part)
    problem = f"{words} at line {line} column {column}"
    return Failure("YAML_SYNTAX", problem=problem, place=_format_mark(error.problem_mark) or place)


def _format_mark(mark: Any) -> str:
    """Return where reading stopped, for help: the mistake is often there, not where the message begins."""
    return f" in line {mark.line + 1}, column {mark.column + 1}" if mark else ""


# --- writing

# The flags of a scalar: True if readers find its tag from the text without quotes, and from the text in quotes.
_BARE_ONLY, _NEVER, _ALWAYS = (True, False), (False, False), (True, True)
_HAS_LINES = re.compile(r"\n(?!\n?\Z)")  # a line break before the end
# A line that begins with a special character, as symbols of Ruby do.
_LIKE_SYMBOL = re.compile(r'^\W[^"]*$', re.MULTILINE)
# Characters that PyYAML's scanner in Python reads as line breaks anywhere, so that its emitter must escape them.
_PYTHON_LINE_BREAKS = re.compile("[\r\x85\u2028\u2029\ufeff]")


class _BoundedText(Record):
    """A stream for an emitter that refuses more text than a string may have."""

    parts: list[str] = fresh(factory=list)
    _size: int = 0

    def write(self, part: str) -> None:
        """Append a part. Raise PuppetError when the text becomes too long."""
        self._size += len(part)
        STRING.check(self._size)
        self.parts.append(part)


def write_yaml(data: Value, indent: int = 2) -> str:
    """Return data as a YAML document.

    Args:
        data: The data.
        indent: The columns of a level, from 2 to 9; any other number means 2, as in libyaml.
    """
    import yaml

    STRING.check(count_values(data))  # each value takes a character at least
    options: dict[str, Any] = {
        "indent": indent if type(indent) is int and 2 <= indent <= 9 else 2,
        "allow_unicode": True,
    }
    fast_dumper = getattr(yaml, "CSafeDumper", None)
    if fast_dumper is not None:
        try:
            return _write_document(data, fast_dumper, options)
        except UnicodeEncodeError:  # libyaml needs UTF-8, which has no lone surrogates
            pass
    text = _write_document(data, yaml.SafeDumper, options, _PYTHON_LINE_BREAKS)
    # The emitter in Python ends the document after a plain scalar, libyaml does not.
    is_ended = type(data) not in (list, dict) and text.endswith("\n...\n")
    return text.removesuffix("...\n") if is_ended else text


def _write_document(
    data: Value, dumper: Any, options: dict[str, Any], quoted: re.Pattern[str] | None = None
) -> str:
    """Return data as a dumper of PyYAML writes it.

    Strings in which the pattern `quoted` matches are written in double quotes.
    """
    stream = _BoundedText()
    emitter = dumper(stream, **options)
    for event in _emit_events(data, quoted):
        emitter.emit(event)
    return "".join(stream.parts)


def _emit_events(data: Value, quoted: re.Pattern[str] | None) -> Iterator[Event]:
    """Yield the events of a document, without recursion."""
    import yaml

    yield yaml.StreamStartEvent()
    yield yaml.DocumentStartEvent(explicit=True)
    open_collections: list[tuple[Iterator[Value], Event]] = [(iter((data,)), None)]
    while open_collections:
        parts, end = open_collections[-1]
        for value in parts:
            if type(value) is list:
                yield yaml.SequenceStartEvent(None, None, True, flow_style=False)
                open_collections.append((iter(value), yaml.SequenceEndEvent()))
                break
            if type(value) is dict:
                yield yaml.MappingStartEvent(None, None, True, flow_style=False)
                inner = (part for pair in iterate_items(value) for part in pair)
                open_collections.append((inner, yaml.MappingEndEvent()))
                break
            yield _make_scalar_event(value, quoted)
        else:
            open_collections.pop()
            if end is not None:
                yield end
    yield yaml.DocumentEndEvent(explicit=False)
    yield yaml.StreamEndEvent()


def _make_scalar_event(value: Value, quoted: re.Pattern[str] | None) -> Event:
    """Return the event of a value without elements, with the tag and style that Psych chooses."""
    import yaml

    if value is None:
        return yaml.ScalarEvent(None, f"{_TAG_PREFIX}null", _BARE_ONLY, "")
    string = ":default" if value is DEFAULT else format_value(value)
    if type(value) in (bool, int, float) or value is DEFAULT:
        return yaml.ScalarEvent(None, None, _BARE_ONLY, string)
    if string == "<<":  # an unquoted key `<<` would merge another hash
        return yaml.ScalarEvent(None, f"{_TAG_PREFIX}str", _NEVER, string, style="'")
    style = None
    if quoted is not None and quoted.search(string):
        style = '"'
    elif _HAS_LINES.search(string):
        style = "|"
    elif string in ("y", "n") or _LIKE_SYMBOL.search(string):
        style = '"'
    elif _must_be_quoted(string):
        style = "'"
    return yaml.ScalarEvent(None, None, _ALWAYS, string, style=style)
