"""A reader of YAML within limits, which takes plain scalars as the released Puppet does.

libyaml scans many times faster than Python code, but it accepts some texts that PyYAML refuses, and the reverse.
Therefore it reads only text that both read equally; PyYAML reads everything else, and reports errors.
"""

from __future__ import annotations

import re

from evaluator.functions.stdlib.strings import decode_base64
from evaluator.functions.stdlib.yaml_scalars import read_plain
from evaluator.issues import Failure
from evaluator.limits import YAML
from evaluator.values import Value, hash_of, items
from evaluator.values.slices import finds
from evaluator.values.yaml_events import DEEPEST, events
from lexer_parser.memo import memoize

# Text that the two read differently: unusual line breaks, blanks and tags, and comments after `|`.
_BREAKS = "\t\r\x85\u2028\u2029\ufeff"
_COMMENT = re.compile("[|>][-+0-9]*#")
_OTHER_TAG = re.compile(
    "!(?<![^\\s\\[{,:]!)(?!!(?:str|int|float|bool|null|binary|seq|map|omap|set)[ \n])"
)  # begins with a part that is searched quickly
_LONGEST_TAG = len("!!binary ")
MAX_ALIASES = 10_000


def read(source: str, *, aliases: bool = False) -> Value:
    """Return the data of the first document.

    Raises Failure, also for unknown tags and by default for aliases.
    """
    import yaml

    YAML.check(len(source))
    most = MAX_ALIASES if aliases else 0
    quick = _loader("CSafeLoader")
    if quick is not None and not _is_apart(source):
        try:
            return _read(source, quick, most)
        except (yaml.YAMLError, ValueError):  # PyYAML reports the error, if there is one
            pass
    try:
        return _read(source, _loader("SafeLoader"), most)
    except (yaml.YAMLError, ValueError) as error:
        raise _refused(source, error) from None


def _refused(source: str, error: Exception) -> Failure:
    """Return the failure for invalid YAML, with the message of libyaml or else PyYAML.

    Its position is the start of the invalid or unterminated part; libyaml has none for the order of documents.
    """
    import yaml

    words, place = "", ""
    if isinstance(error, yaml.MarkedYAMLError):
        words, place = error.problem or "", _place(error.problem_mark)
    if words.startswith("found undefined alias"):
        return Failure("YAML_ALIAS", name=words.partition("'")[2].rstrip("'"), place=place)
    try:
        for _ in yaml.parse(source, Loader=_loader("CSafeLoader") or yaml.SafeLoader):
            pass
    except (yaml.YAMLError, ValueError) as exact:
        error = exact
    if not isinstance(error, yaml.MarkedYAMLError):
        problem = f"{getattr(error, 'reason', error)} at line 1 column 1"
        return Failure("YAML_SYNTAX", problem=problem, place=place)
    mark = error.context_mark or (
        error.problem_mark if isinstance(error, yaml.scanner.ScannerError) else None
    )
    line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    words = " ".join(part for part in (error.problem, error.context) if part)
    problem = f"{words} at line {line} column {column}"
    return Failure("YAML_SYNTAX", problem=problem, place=_place(error.problem_mark) or place)


def _place(mark: Value) -> str:
    """Return the position where the reader stopped, which is often that of the mistake."""
    return f" in line {mark.line + 1}, column {mark.column + 1}" if mark else ""


def _is_apart(source: str) -> bool:
    """Return whether libyaml and PyYAML may read a text differently."""
    return (
        ("?" in source and ("[" in source or "{" in source))
        or any(one in source for one in _BREAKS)
        or ("#" in source and _COMMENT.search(source) is not None)
        or ("!" in source and finds(_OTHER_TAG, source, _LONGEST_TAG))
    )


def _read(source: str, kind: Value, most_aliases: int) -> Value:
    """Return the data of the first document, read by a loader."""
    _check_events(source, kind, most_aliases)
    loader = kind(source)
    node = loader.get_node() if loader.check_node() else None
    return _Values().of(node) if node is not None else None


def _check_events(source: str, kind: Value, most_aliases: int) -> None:
    import yaml

    aliases = 0
    for event, depth in events(source, kind):
        if isinstance(event, yaml.DocumentEndEvent):
            break
        if isinstance(event, yaml.AliasEvent):
            aliases += 1
            if not most_aliases:
                raise Failure("YAML_ALIAS", name=event.anchor)
            if aliases > most_aliases:
                raise Failure("YAML_ALIASES", number=f"{most_aliases:,}")
        if depth > DEEPEST:
            raise Failure("YAML_DEPTH", number=DEEPEST)


_TAG = "tag:yaml.org,2002:"
_PLAIN = "plain"  # the tag of scalars without quotes and without a tag
_REFUSED = re.compile(r"!ruby/(?!sym)(?:\w+:)?(\w)([\w:]*)")


@memoize(owner="one for each of two loaders")
def _loader(name: str) -> Value:
    """Return the loader of PyYAML with that name, made to mark plain scalars.

    None if there is none.

    Like libyaml, it refuses unknown directives and versions of YAML.
    """
    import yaml

    base: Value = getattr(yaml, name, None)
    if base is None:
        return None

    def resolve(self: Value, kind: Value, value: Value, implicit: Value) -> Value:
        return (
            _PLAIN if kind is yaml.ScalarNode and implicit[0] else base.resolve(self, kind, value, implicit)
        )

    def scan_directive_name(self: Value, start: Value) -> str:
        name: str = base.scan_directive_name(self, start)
        if name in ("YAML", "TAG"):
            return name
        words = "while scanning a directive", start, "found unknown directive name"
        raise yaml.scanner.ScannerError(*words, self.get_mark())

    def scan_yaml_directive_value(self: Value, start: Value) -> tuple[int, int]:
        version: tuple[int, int] = base.scan_yaml_directive_value(self, start)
        if version in ((1, 1), (1, 2)):
            return version
        raise yaml.scanner.ScannerError(None, None, "found incompatible YAML document", start)

    methods = {
        "resolve": resolve,
        "scan_directive_name": scan_directive_name,
        "scan_yaml_directive_value": scan_yaml_directive_value,
    }
    return type("PlainLoader", (base,), methods)


class _Values:
    """The values of nodes; all aliases of a node share its value."""

    def __init__(self) -> None:
        self._known: dict[int, Value] = {}

    def of(self, node: Value) -> Value:
        """Return the value of a node. Raises Failure."""
        if node.id == "scalar":
            return _scalar_value(_checked(node))
        if id(node) not in self._known:
            self._known[id(node)] = _UNFINISHED
            self._known[id(node)] = self._collection(_checked(node))
        found = self._known[id(node)]
        if found is _UNFINISHED:
            raise Failure("YAML_CYCLE")
        return found

    def _collection(self, node: Value) -> Value:
        if node.id == "mapping":
            return self._mapping(node)
        parts = [self.of(child) for child in node.value]
        return hash_of(pair for part in parts for pair in items(part)) if node.tag == f"{_TAG}omap" else parts

    def _mapping(self, node: Value) -> dict[Value, Value]:
        pairs: list[tuple[Value, Value]] = []
        for key_node, value_node in node.value:
            name, value = self.of(key_node), self.of(value_node)
            merged = value[::-1] if type(value) is list else [value]
            if name == "<<" and all(type(part) is dict for part in merged):
                pairs += [pair for part in merged for pair in items(part)]
            else:
                pairs.append((name, value))
        return hash_of(pairs)


_UNFINISHED = object()


def _checked(node: Value) -> Value:
    refused = _REFUSED.match(node.tag)
    if refused is not None:
        raise Failure("YAML_CLASS", name=f"{refused[1].upper()}{refused[2]}")
    if node.tag == f"{_TAG}set":
        raise Failure("YAML_CLASS", name="Psych::Set")
    return node


def _scalar_value(node: Value) -> Value:
    if node.tag == f"{_TAG}binary":
        return decode_base64(node.value)
    if node.tag == f"{_TAG}str":
        return node.value
    value = read_plain(node.value)
    return float(value) if node.tag == f"{_TAG}float" and type(value) is int else value
