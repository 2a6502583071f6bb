"""HOCON, a superset of JSON: text to data.

Nothing else is read: no included file, no environment variable. The text is read into objects whose substitutions are
still to be made; then the substitutions are made, and objects become data.
"""

from __future__ import annotations

import json
import re
from functools import reduce
from itertools import chain
from math import inf
from typing import Any

from evaluator.issues import Failure, require
from evaluator.limits import COLLECTION, STRING, YAML
from lexer_parser.record import Record, fresh

Path = tuple[str, ...]
MOST_NESTED = 100
_LONGEST = 200  # characters of a message that quotes the source


class Scalar(Record):
    """A string, number, boolean or null; `text` is its source, for values made of several parts."""

    value: Any
    text: str


class Blank(Record):
    """Space between the parts of a value; it is kept if the parts become a string."""

    text: str


class Substitution(Record):
    """`${path}` or `${?path}`. Without a path it means the value that its own key had before."""

    path: Path
    optional: bool
    line: int


class List(Record):
    """An array."""

    items: list[Any]
    line: int


class Joined(Record):
    """A value of several parts, which are concatenated or merged."""

    parts: list[Any]
    line: int


class Object(Record):
    """An object: for each key its layers, the values assigned to it one after the other.

    Layers that a later one replaces are dropped. When objects are merged, the keys of the later one come first.
    """

    fields: dict[str, list[Any]] = fresh(factory=dict)

    def put(self, path: Path, value: Any) -> None:
        """Add a layer to a key, or to a key of an object below it."""
        name, *rest = path
        layers = self.fields.setdefault(name, [])
        if rest:
            inner = Object()
            inner.put(tuple(rest), value)
            value = inner
        top = layers[-1] if layers else None
        if isinstance(value, Object) and isinstance(top, Object):
            for key, values in value.fields.items():
                for one in values:
                    top.put((key,), one)
            top.fields = {key: top.fields[key] for key in (*value.fields, *top.fields)}
            return
        if isinstance(value, Scalar):
            layers.clear()  # a scalar replaces all earlier values
        layers.append(value)


def _make_failure(problem: str, line: int, hint: str = "") -> Failure:
    """Return the failure for a text that is no HOCON, or that uses a part that is not supported.

    A long problem is cut, and has no hint.
    """
    shown = f"{problem[:_LONGEST]}…" if len(problem) > _LONGEST else f"{problem}{hint}"
    return Failure("HOCON_SYNTAX", problem=shown, line=line)


def _refuse_if(condition: object, problem: str, line: int) -> None:
    """Raise the failure for a problem on a line if a condition is true."""
    if condition:
        raise _make_failure(problem, line)


# Repetitions are possessive (`++`): backtracking would take memory for each repetition.
_TOKEN = re.compile(
    r"""
      (?P<blank>(?:[^\S\n]++|\ufeff++)++)
    | (?P<line>\n)
    | (?P<comment>(?:\#|//)[^\n]*)
    | (?P<block>\"\"\"[^"]*+(?:\"{1,2}[^"]++)*+\"\"\"++)
    | (?P<string>"[^"\\\x00-\x1f]*+(?:\\.[^"\\\x00-\x1f]*+)*+")
    | (?P<substitution>\$\{\??)
    | (?P<mark>\+=|[][{}:=,])
    | (?P<word>(?:[^\s\ufeff$"{}\[\]:=,+\#`^?!@*&\\/]++|/(?!/))++)
    | (?P<wrong>\$.|"[^"\\\x00-\x1f]*+(?:\\.[^"\\\x00-\x1f]*+)*+[\x00-\x1f]|.)
    """,
    re.VERBOSE | re.DOTALL,
)
_NUMBER = re.compile(r"-?\d+(?P<rest>(?:\.\d+)?(?:[eE][-+]?\d+)?)\Z")
_WORDS: dict[str, Any] = {"true": True, "false": False, "null": None}
_END = ("", "")
# The reasons why the last character of a wrong token, `{1}`, is not permitted, by the first character of the token, and
# by whether the token has another one.
_RESERVED = "Reserved character '{1}' is not allowed outside quotes"
_REASONS = {
    ('"', False): "End of input but string quote was still open",
    ('"', True): "JSON does not allow unescaped {1} in quoted strings, use a backslash escape",
    ("$", True): "'$' not followed by {, '{1}' not allowed after '$'",
}
# Hints that a token, `{0}`, may be meant as a part of a string.
_IN_TEXT = " (if you intended {0} to be part of a key or string value, try enclosing the key or value in double quotes"
_IN_ELEMENT = " (if you want {0} to be part of a string value, then double-quote it)"
# The messages for a token that is no separator of fields, and for one that is no separator of elements.
_SEPARATORS = (
    ("Expecting close brace } or a comma, got {0}", _IN_TEXT),
    ("List should have ended with ] or had a comma, instead had token: {0}", _IN_ELEMENT),
)
# The messages for a token that is no element, after a comma and at the start.
_ELEMENTS = (
    (
        "List should have had new element after a comma, instead had token: {0}",
        _IN_ELEMENT.replace("{0}", "the comma or {0}"),
    ),
    ("List should have ] or a first element after the open [, instead had token: {0}", _IN_ELEMENT),
)


def read_object(text: str) -> Object:
    """Return the object of a text, with or without braces around it. Raise Failure."""
    YAML.check(len(text))  # the limit of YAML, the other notation of data
    reader = _HoconParser(text)
    reader.skip()
    _refuse_if(reader.at("["), " has type LIST rather than object at file root", reader.line)
    found = reader.fields("}" if reader.takes("{") else "")
    reader.skip()
    reader.refuse_if(reader.token != _END, "Document has trailing tokens after first object or array: {0}")
    return found


class _HoconParser:
    """A recursive-descent parser: `token` is the kind and the text of the next token, `line` its line."""

    def __init__(self, source: str) -> None:
        self.source = source.replace("\r\n", "\n")
        self.place = 0
        self.line = 1
        self.depth = 0
        self.token = _END
        self._look()

    def _look(self) -> None:
        if self.place >= len(self.source):
            self.token = _END
            return
        match: Any = _TOKEN.match(self.source, self.place)  # every character begins a token
        self.token = match.lastgroup, match[0]

    def refuse_if(self, condition: object, problem: str, hint: str = "") -> None:
        """Raise the failure for the next token, `{0}` in a message, if a condition is true."""
        if condition:
            kind, text = self.token
            shown = f"'{text}'" if text else "end of file"
            if kind == "wrong":
                reason = _REASONS.get((text[0], len(text) > 1), _RESERVED).replace("{1}", text[-1])
                shown = f"'{text[-1]}' ({reason})"
            hint = "" if self.token == _END and hint == _IN_TEXT else hint.replace("{0}", shown)
            raise _make_failure(problem.replace("{0}", shown), self.line, hint)

    def step(self) -> str:
        """Advance to the next token, and return the text of the current one."""
        text = self.token[1]
        self.place += len(text)
        self.line += text.count("\n")
        self._look()
        return text

    def at(self, *marks: str) -> bool:
        return self.token[0] == "mark" and self.token[1] in marks

    def takes(self, *marks: str) -> bool:
        """Skip the next token if it is one of these marks; return True if it is."""
        if self.at(*marks):
            self.step()
            return True
        return False

    def skip(self) -> bool:
        """Skip blanks, comments and ends of lines; return True if there was an end of a line."""
        ended = False
        while self.token[0] in ("blank", "comment", "line"):
            ended = self.token[0] == "line" or ended
            self.step()
        return ended

    def deeper(self) -> None:
        self.depth += 1
        _refuse_if(self.depth > MOST_NESTED, f"values are nested more than {MOST_NESTED} deep", self.line)

    def fields(self, closing: str) -> Object:
        """Parse the fields of an object, and its closing brace."""
        self.deeper()
        found = Object()
        self.skip()
        while not (self.takes(closing) if closing else self.token == _END):
            self.refuse_if(
                not closing and self.at("}"), "unbalanced close brace {0} with no open brace", _IN_TEXT
            )
            self.field(found)
            self.between(closing)
        self.depth -= 1
        return found

    def between(self, closing: str) -> None:
        """Skip the separator of two fields or elements: one comma, or ends of lines."""
        ended = self.skip()
        if self.takes(","):
            self.skip()
        else:
            self.refuse_if(
                not (ended or self.at(closing or "}") or (not closing and self.token == _END)),
                *_SEPARATORS[closing == "]"],
            )

    def field(self, found: Object) -> None:
        line = self.line
        _refuse_if(
            self.token == ("word", "include"), "'include' is not permitted: other files are not read", line
        )
        path = self.path()
        self.skip()
        if self.takes("{"):
            found.put(path, self.fields("}"))
        elif self.takes("+="):
            found.put(path, Joined([Substitution((), True, line), List([self.value()], line)], line))
        elif self.takes(":", "="):
            found.put(path, self.value())
        else:
            self.refuse_if(True, f"Key '{'.'.join(path)}' may not be followed by token: {{0}}", _IN_TEXT)

    def path(self) -> Path:
        """Parse a path of keys: `a.b`, `a."b.c"`, `two words`."""
        steps = [""]
        named = False
        while self.token[0] in ("word", "string", "block", "blank"):
            kind, part = self.token
            self.step()
            if kind in ("string", "block"):
                steps[-1] += _text(kind, part, self.line)
                named = True
            else:
                first, *more = part.split(".")
                steps[-1] += first
                steps += more
                named = named or kind == "word"
        steps[0] = steps[0].lstrip()
        steps[-1] = steps[-1].rstrip()
        self.refuse_if(not named, "expecting a close brace or a field name here, got {0}")
        require(len(steps) == 1 or "" not in steps, "HOCON_PATH")
        return tuple(steps)

    # --- values

    def value(self) -> Any:
        """Parse a value, which ends with the line."""
        self.skip()
        line = self.line
        parts: list[Any] = []
        while self.token[0] not in ("", "line", "comment", "wrong") and not self.at(
            ",", "]", "}", ":", "=", "+="
        ):
            parts.append(self.part())
        while parts and isinstance(parts[-1], Blank):
            parts.pop()
        self.refuse_if(not parts, "Expecting a value but got wrong token: {0}", _IN_TEXT)
        return parts[0] if len(parts) == 1 and not isinstance(parts[0], Substitution) else Joined(parts, line)

    def part(self) -> Any:
        kind, text = self.token
        match kind:
            case "blank":
                return Blank(self.step())
            case "string" | "block":
                found = _text(kind, text, self.line)
                self.step()
                return Scalar(found, found)
            case "word":
                return _word(self.step(), self.line)
            case "substitution":
                return self.substitution()
        if self.takes("{"):
            return self.fields("}")
        self.step()  # the bracket of an array
        return self.elements()

    def elements(self) -> List:
        line = self.line
        self.deeper()
        found: list[Any] = []
        self.skip()
        while not self.takes("]"):
            self.refuse_if(self.token[0] in ("", "wrong") or self.at(",", "}"), *_ELEMENTS[not found])
            found.append(self.value())
            self.between("]")
        self.depth -= 1
        return List(found, line)

    def substitution(self) -> Substitution:
        line = self.line
        optional = self.step().endswith("?")
        path = self.path()
        _refuse_if(not self.takes("}"), "the '}' of a substitution is missing", line)
        return Substitution(path, optional, line)


def _text(kind: str, written: str, line: int) -> str:
    """Return the value of a string."""
    if kind == "block":
        return written[3:-3]
    try:
        return str(json.loads(written))
    except ValueError:
        raise _make_failure(f"the string {written} has a wrong escape or a control character", line) from None


def _word(text: str, line: int) -> Scalar:
    """Return a constant, a number (an Integer if it has no fraction), or a string without quotes."""
    number = _NUMBER.match(text)
    if number is None:
        return Scalar(_WORDS.get(text, text), text)
    if not number["rest"]:
        return Scalar(int(text), text)
    value = float(text)
    _refuse_if(value in (inf, -inf), f"the number {text} is too large", line)
    return Scalar(int(value) if value.is_integer() else value, text)


_MISSING = object()  # the value of an optional substitution whose path does not exist
MOST_SUBSTITUTIONS = 10_000
MOST_PENDING = 200


class Circle(Exception):
    """A value depends on itself."""


class Resolver(Record):
    """The substitution of an object: it computes values as Scalars, lists and dicts of them.

    A layer that is being computed does not see itself: for it, the key has the layers below. Methods raise Failure.
    """

    root: Object
    active: set[int] = fresh(factory=set)
    known: dict[int, Any] = fresh(factory=dict)
    passed: int = 0  # how often a layer was skipped because it was being computed
    made: int = 0
    size: int = 0

    def value(self, given: Any, below: list[Any]) -> Any:
        """Return the computed value of a layer.

        Args:
            given: The layer.
            below: The layers of the key that precede it.
        """
        if isinstance(given, Object):
            return self.entries(given)
        if not isinstance(given, List | Joined):
            return given
        if id(given) in self.known:
            return self.known[id(given)]
        _refuse_if(
            len(self.active) >= MOST_PENDING,
            f"substitutions are nested more than {MOST_PENDING} deep",
            given.line,
        )
        passed = self.passed
        self.active.add(id(given))
        try:
            found = self.items(given) if isinstance(given, List) else self.join(given, below)
        finally:
            self.active.discard(id(given))
        if passed == self.passed:
            self.known[id(given)] = found
        return found

    def entries(self, given: Object) -> dict[str, Any]:
        found = {}
        for name, layers in given.fields.items():
            if self.reachable(layers) is not layers:
                raise Circle(next(layer.line for layer in layers if id(layer) in self.active))
            found[name] = self.get_layered(layers)
        return {name: item for name, item in found.items() if item is not _MISSING}

    def items(self, given: List) -> list[Any]:
        found = [self.value(item, []) for item in given.items]
        return [item for item in found if item is not _MISSING]

    def reachable(self, layers: list[Any]) -> list[Any]:
        """Return the layers below the first one that is being computed."""
        for place, layer in enumerate(layers):
            if id(layer) in self.active:
                self.passed += 1
                return layers[:place]
        return layers

    def get_layered(self, layers: list[Any]) -> Any:
        """Return the value of a key: its last layer, merged with those below if they are objects."""
        layers = self.reachable(layers)
        found: Any = _MISSING
        for place in reversed(range(len(layers))):
            item = self.value(layers[place], layers[:place])
            if item is _MISSING:
                continue
            if found is _MISSING:
                found = item
            elif isinstance(item, dict):
                found = _merge(item, found)
            if not (isinstance(found, dict) and isinstance(item, dict)):
                break
        return found

    def at(self, layers: list[Any], path: Path) -> Any:
        """Return the value at a path below layers."""
        for step in path:
            layers, above = [], self.reachable(layers)
            for place, layer in enumerate(above):
                if isinstance(layer, Object):
                    layers += layer.fields.get(step, ())
                    continue
                item = self.value(layer, above[:place])
                if isinstance(item, dict):
                    layers += [item[step]] if step in item else []
                elif item is not _MISSING:
                    layers = []
        return self.get_layered(layers)

    def substitute(self, given: Substitution, below: list[Any]) -> Any:
        self.made += 1
        _refuse_if(
            self.made > MOST_SUBSTITUTIONS,
            f"there are more than {MOST_SUBSTITUTIONS:,} substitutions",
            given.line,
        )
        try:
            found = self.at([self.root], given.path) if given.path else self.get_layered(below)
        except Circle:
            if not given.optional:
                raise
            found = _MISSING
        _refuse_if(
            found is _MISSING and not given.optional,
            f"Could not resolve substitution to a value: ${{{'.'.join(given.path)}}}",
            given.line,
        )
        self.size += _size(found)
        COLLECTION.check(self.size)
        return found

    def join(self, given: Joined, below: list[Any]) -> Any:
        """Return the parts of a value as one: objects merged, arrays concatenated, else a string."""
        parts = [
            self.substitute(part, below) if isinstance(part, Substitution) else self.value(part, [])
            for part in given.parts
        ]
        parts = [part for part in parts if part is not _MISSING]
        if len(parts) == 1 and not isinstance(parts[0], Blank):
            return parts[0]
        held = [part for part in parts if not isinstance(part, Blank)]
        if not held:
            return _MISSING
        if all(isinstance(part, dict) for part in held):
            return reduce(_merge, held)
        if all(isinstance(part, list) for part in held):
            return list(chain.from_iterable(held))
        _refuse_if(
            any(isinstance(part, dict | list) for part in held),
            "an object or array is concatenated with a value of another kind",
            given.line,
        )
        text = "".join([part.text for part in parts])
        STRING.check(len(text))
        return Scalar(text, text)


def _merge(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    found = {}
    for name, value in above.items():
        under = below.get(name)
        both = isinstance(under, dict) and isinstance(value, dict)
        found[name] = _merge(under, value) if both else value  # type: ignore[arg-type]
    return {**found, **{name: value for name, value in below.items() if name not in found}}


def _size(value: Any) -> int:
    """Return the number of values in a value, itself included."""
    count, pending = 0, [value]
    while pending:
        count += 1
        item = pending.pop()
        pending += item.values() if isinstance(item, dict) else item if isinstance(item, list) else ()
    return count


def to_plain_data(value: Any) -> Any:
    """Return a computed value as plain data."""
    if isinstance(value, dict):
        return {name: to_plain_data(item) for name, item in value.items()}
    return [to_plain_data(item) for item in value] if isinstance(value, list) else value.value


def read_hocon(text: str) -> dict[str, Any]:
    """Return the data of a text. Raise Failure."""
    root = read_object(text)
    try:
        found: dict[str, Any] = to_plain_data(Resolver(root).value(root, []))
    except Circle as circle:
        raise _make_failure("a substitution refers to a value that contains it", circle.args[0]) from None
    return found
