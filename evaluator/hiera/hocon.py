"""HOCON, a superset of JSON: `read_hocon` converts a text to data.

First the text is parsed to objects, in which keys may have several values and values may contain substitutions such as
`${a.b}` (`read_object`). Then a `Resolver` computes the values. No other file is read: `include "name"` has no effect.
Environment variables have no value.
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
from evaluator.values import Value
from evaluator.values.dag import count_values, map_leaves
from lexer_parser.record import Record, fresh

Path = tuple[str, ...]
MOST_NESTED = 100  # objects and arrays inside each other
_LONGEST = 200  # characters of a message that quotes the source


class Scalar(Record):
    """A string, number, boolean or null; `text` is its form in a concatenation."""

    value: Any
    text: str


class Blank(Record):
    """Space between the parts of a value, which is part of their concatenation to a string."""

    text: str


class Substitution(Record):
    """`${path}` or `${?path}`. Without a path: the former value of its own key, for `+=`."""

    path: Path
    optional: bool
    line: int

    def __str__(self) -> str:
        return f"${{{'?' if self.optional else ''}{'.'.join(self.path)}}}"


class List(Record):
    """An array."""

    items: list[Any]
    line: int


class Joined(Record):
    """A value of several parts: strings and arrays are concatenated, objects merged."""

    parts: list[Any]
    line: int


class Object(Record):
    """An object.

    Attributes:
        fields: For each key its layers: the values that are assigned to it one after the other. A scalar replaces
            earlier layers. When objects are merged, the keys of the later one come first.
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
                for each in values:
                    top.put((key,), each)
            top.fields = {key: top.fields[key] for key in (*value.fields, *top.fields)}
            return
        if isinstance(value, Scalar):
            layers.clear()
        layers.append(value)


def _make_failure(problem: str, line: int, hint: str = "") -> Failure:
    """Return the failure for a wrong text; a long problem is shortened and has no hint."""
    shortened = f"{problem[:_LONGEST]}…" if len(problem) > _LONGEST else f"{problem}{hint}"
    return Failure("HOCON_SYNTAX", problem=shortened, line=line)


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
    | (?P<substitution>\$\{(?:"[^"]*+"|[^"}])*+\})
    | (?P<mark>\+=|[][{}:=,])
    | (?P<word>(?:[^\s\ufeff$"{}\[\]:=,+\#`^?!@*&\\/]++|/(?!/))++)
    | (?P<wrong>\$\{.*+|[$+].|"[^"\\\x00-\x1f]*+(?:\\.[^"\\\x00-\x1f]*+)*+[\x00-\x1f]|.)
    """,
    re.VERBOSE | re.DOTALL,
)
_NUMBER = re.compile(r"-?\d+(?P<rest>(?:\.\d+)?(?:[eE][-+]?\d+)?)\Z")
_WORDS: dict[str, Any] = {"true": True, "false": False, "null": None}
_END = ("", "")
# The reasons why the last character of a wrong token, `{1}`, is not permitted, by the first character of the token, and
# by whether the token has more than one.
_RESERVED = "Reserved character '{1}' is not allowed outside quotes"
_REASONS = {
    ('"', False): "End of input but string quote was still open",
    ('"', True): "JSON does not allow unescaped {1} in quoted strings, use a backslash escape",
    ("$", True): "'$' not followed by {, '{1}' not allowed after '$'",
    ("+", True): "'+' not followed by =, '{1}' not allowed after '+'",
}
# Hints that a token, `{0}`, may be meant as a part of a string.
_IN_TEXT = " (if you intended {0} to be part of a key or string value, try enclosing the key or value in double quotes"
_IN_PATH = " (you can double-quote this token if you really want it here)"
_IN_ELEMENT = " (if you want {0} to be part of a string value, then double-quote it)"
# The messages for a token that may not follow `include`: a function, a word, another token.
_INCLUDED_FILE = "'include' of {0} is not permitted: other files are not read"
_INCLUDED_WORD = (
    "expecting include parameter to be quoted filename, file(), classpath(), or url()."
    " No spaces are allowed before the open paren. Not expecting: {0}"
)
_INCLUDED_TOKEN = "include keyword is not followed by a quoted string, but by: {0}"
# The messages and hints for a token that is no separator of fields or elements, and for one that is no element.
_NO_FIELD_SEPARATOR = "Expecting close brace } or a comma, got {0}", _IN_TEXT
_NO_ELEMENT_SEPARATOR = "List should have ended with ] or had a comma, instead had token: {0}", _IN_ELEMENT
_NO_FIRST_ELEMENT = (
    "List should have ] or a first element after the open [, instead had token: {0}",
    _IN_ELEMENT,
)
_NO_FURTHER_ELEMENT = (
    "List should have had new element after a comma, instead had token: {0}",
    _IN_ELEMENT.replace("{0}", "the comma or {0}"),
)


def read_object(text: str) -> Object:
    """Return the object of a text, with or without braces around it. Raise Failure."""
    YAML.check(len(text))  # the limit of YAML, the other notation of data
    reader = _HoconParser(text)
    reader.skip()
    _refuse_if(reader.is_at("["), " has type LIST rather than object at file root", reader.line)
    root = reader.parse_fields("}" if reader.skip_mark("{") else "")
    reader.skip()
    reader.refuse_if(reader.token != _END, "Document has trailing tokens after first object or array: {0}")
    return root


class _HoconParser:
    """A recursive-descent parser.

    Attributes:
        position: The index of the next token in the source.
        line: The line of the next token, from 1.
        depth: The number of objects and arrays around the next token.
        token: The kind (a group of `_TOKEN`) and the text of the next token; `_END` at the end.
    """

    def __init__(self, source: str) -> None:
        self.source = source.replace("\r\n", "\n")
        self.position = 0
        self.line = 1
        self.depth = 0
        self.token = _END
        self._read_token()

    def _read_token(self) -> None:
        """Set `token` to the token at the position."""
        if self.position >= len(self.source):
            self.token = _END
            return
        match: Any = _TOKEN.match(self.source, self.position)  # every character begins a token
        self.token = match.lastgroup, match[0]

    def refuse_if(self, condition: object, problem: str, hint: str = "") -> None:
        """Raise the failure for the next token, `{0}` in the texts, if a condition is true."""
        if condition:
            kind, text = self.token
            shown = f"'{text}'" if text else "end of file"
            if text.startswith("${") and kind == "wrong":
                shown = "'end of file' (Substitution ${ was not closed with a })"
                self.line += text.count("\n")  # the error is at the end
            elif kind == "wrong":
                reason = _REASONS.get((text[0], len(text) > 1), _RESERVED).replace("{1}", text[-1])
                shown = f"'{text[-1]}' ({reason})"
            hint = "" if self.token == _END and hint == _IN_TEXT else hint.replace("{0}", shown)
            raise _make_failure(problem.replace("{0}", shown), self.line, hint)

    def step(self) -> str:
        """Advance to the next token, and return the text of the current one."""
        text = self.token[1]
        self.position += len(text)
        self.line += text.count("\n")
        self._read_token()
        return text

    def is_at(self, *marks: str) -> bool:
        """Return True if the next token is one of these marks."""
        return self.token[0] == "mark" and self.token[1] in marks

    def skip_mark(self, *marks: str) -> bool:
        """Skip the next token if it is one of these marks; return True if it is."""
        if self.is_at(*marks):
            self.step()
            return True
        return False

    def skip(self) -> bool:
        """Skip blanks, comments and ends of lines; return True if there was an end of a line."""
        has_line_end = False
        while self.token[0] in ("blank", "comment", "line"):
            has_line_end = has_line_end or self.token[0] == "line"
            self.step()
        return has_line_end

    def _begin_collection(self) -> None:
        """Count a level of nesting. Raise Failure if there are too many."""
        self.depth += 1
        _refuse_if(self.depth > MOST_NESTED, f"values are nested more than {MOST_NESTED} deep", self.line)

    def parse_fields(self, closing: str) -> Object:
        """Parse the fields of an object, and its closing brace.

        Args:
            closing: The brace; "" for a text without braces around its fields.
        """
        self._begin_collection()
        fields = Object()
        self.skip()
        while not (self.skip_mark(closing) if closing else self.token == _END):
            self.refuse_if(
                not closing and self.is_at("}"), "unbalanced close brace {0} with no open brace", _IN_TEXT
            )
            self.parse_field(fields)
            self.skip_separator(closing)
        self.depth -= 1
        return fields

    def skip_separator(self, closing: str) -> None:
        """Skip the separator of two fields or elements: one comma, or ends of lines."""
        has_line_end = self.skip()
        if self.skip_mark(","):
            self.skip()
        else:
            is_last = self.is_at(closing or "}") or (not closing and self.token == _END)
            self.refuse_if(
                not has_line_end and not is_last,
                *(_NO_ELEMENT_SEPARATOR if closing == "]" else _NO_FIELD_SEPARATOR),
            )

    def parse_field(self, fields: Object) -> None:
        """Parse a key and its value, and add them to an object."""
        line = self.line
        if self.token == ("word", "include"):
            self.skip_include()
            return
        path = self.parse_path("expecting a close brace or a field name here, got {0}")
        self.skip()
        if self.skip_mark("{"):
            fields.put(path, self.parse_fields("}"))
        elif self.skip_mark("+="):
            fields.put(path, Joined([Substitution((), True, line), List([self.parse_value()], line)], line))
        elif self.skip_mark(":", "="):
            fields.put(path, self.parse_value())
        else:
            self.refuse_if(True, f"Key '{'.'.join(path)}' may not be followed by token: {{0}}", _IN_TEXT)

    def skip_include(self) -> None:
        """Skip `include "name"`."""
        self.step()
        self.skip()
        kind, text = self.token
        self.refuse_if(text in ("file(", "url(", "classpath("), _INCLUDED_FILE)
        self.refuse_if(kind == "word", _INCLUDED_WORD)
        self.refuse_if(kind not in ("string", "block"), _INCLUDED_TOKEN)
        self.step()

    def parse_path(self, missing: str) -> Path:
        """Parse a path of keys: `a.b`, `a."b.c"`, `two words`.

        Args:
            missing: The message if there is none.

        Raises:
            Failure: There is none, or a key in it is empty.
        """
        steps = [""]
        is_found = False
        while self.token[0] in ("word", "string", "block", "blank"):
            kind, part = self.token
            self.step()
            if kind in ("string", "block"):
                steps[-1] += _read_string(kind, part, self.line)
                is_found = True
            else:
                first, *more = part.split(".")
                steps[-1] += first
                steps += more
                is_found = is_found or kind == "word"
        steps[0] = steps[0].lstrip()
        steps[-1] = steps[-1].rstrip()
        self.refuse_if(not is_found, missing)
        require(len(steps) == 1 or "" not in steps, "HOCON_PATH")
        return tuple(steps)

    # --- values

    def parse_value(self) -> Any:
        """Parse a value, which ends with the line."""
        self.skip()
        line = self.line
        parts: list[Any] = []
        while self.token[0] not in ("", "line", "comment", "wrong") and not self.is_at(
            ",", "]", "}", ":", "=", "+="
        ):
            parts.append(self.parse_part())
        while parts and isinstance(parts[-1], Blank):
            parts.pop()
        self.refuse_if(not parts, "Expecting a value but got wrong token: {0}", _IN_TEXT)
        return parts[0] if len(parts) == 1 and not isinstance(parts[0], Substitution) else Joined(parts, line)

    def parse_part(self) -> Any:
        """Parse a part of a value: a blank, a scalar, a substitution, an object or an array."""
        kind, text = self.token
        match kind:
            case "blank":
                return Blank(self.step())
            case "string" | "block":
                string = _read_string(kind, text, self.line)
                self.step()
                return Scalar(string, string)
            case "word":
                return _read_word(self.step(), self.line)
            case "substitution":
                return self.parse_substitution()
        if self.skip_mark("{"):
            return self.parse_fields("}")
        self.step()  # the bracket of an array
        return self.parse_elements()

    def parse_elements(self) -> List:
        """Parse the elements of an array, and its closing bracket."""
        line = self.line
        self._begin_collection()
        elements: list[Any] = []
        self.skip()
        while not self.skip_mark("]"):
            self.refuse_if(
                self.token[0] in ("", "wrong") or self.is_at(",", "}"),
                *(_NO_FURTHER_ELEMENT if elements else _NO_FIRST_ELEMENT),
            )
            elements.append(self.parse_value())
            self.skip_separator("]")
        self.depth -= 1
        return List(elements, line)

    def parse_substitution(self) -> Substitution:
        line = self.line
        text = self.step()[2:-1]
        inner = _HoconParser(text.removeprefix("?"))
        inner.line = line
        path = inner.parse_path("Expecting a field name or path here, but got nothing")
        inner.refuse_if(inner.token != _END, "Token not allowed in path expression: {0}", _IN_PATH)
        return Substitution(path, text.startswith("?"), line)


def _read_string(kind: str, text: str, line: int) -> str:
    """Return the value of a token that is a string or a block."""
    if kind == "block":
        return text[3:-3]
    try:
        return str(json.loads(text))
    except ValueError:
        raise _make_failure(f"the string {text} has a wrong escape or a control character", line) from None


def _read_word(text: str, line: int) -> Scalar:
    """Return a constant, a number or a string without quotes. 1.0 is the Integer 1."""
    number = _NUMBER.match(text)
    if number is None:
        return Scalar(_WORDS.get(text, text), text)
    if not number["rest"]:
        return Scalar(int(text), text)
    value = float(text)
    _refuse_if(value in (inf, -inf), f"the number {text} is too large", line)
    return Scalar(int(value) if value.is_integer() else value, text)


_MISSING = object()  # the value of an optional substitution whose path does not exist
MOST_SUBSTITUTIONS = 10_000  # in a text
MOST_PENDING = 200  # values that are being computed, each for the one before


class Circle(Exception):
    """Raised for an object that depends on itself: it contains a layer that is being computed."""


class Resolver(Record):
    """The computation of values, as Scalars, lists and dicts. Its methods raise Failure.

    A substitution in a layer of a key may lead back to the same key, as in `path = ${path}":/bin"`. It then means the
    layers below: one that is being computed, and those above it, are skipped (`_find_reachable`). A value that was
    computed after such a skip holds only for this way to it, so it is not cached.

    Attributes:
        root: The object of the whole text, in which paths begin.
        values: The cached values of layers, by the id of the layer.
        pending: The substitutions that are being computed, the outermost first.
        active: For each layer that is being computed, by its id, the index in `pending` of the first substitution
            in it.
        skipped: For each layer that was skipped so far, its index in `active`. A message about a cycle ends with that
            substitution.
        substitution_count: The number of substitutions so far.
        size: The number of values that substitutions have copied.
    """

    root: Object
    values: dict[int, Any] = fresh(factory=dict)
    pending: list[Substitution] = fresh(factory=list)
    active: dict[int, int] = fresh(factory=dict)
    skipped: list[int] = fresh(factory=list)
    substitution_count: int = 0
    size: int = 0

    def compute(self, layer: Any, below: list[Any]) -> Any:
        """Return the computed value of a layer.

        Args:
            layer: The layer.
            below: The layers of the key that precede it.
        """
        if isinstance(layer, Object):
            return self._compute_entries(layer)
        if not isinstance(layer, List | Joined):
            return layer
        if id(layer) in self.values:
            return self.values[id(layer)]
        _refuse_if(
            len(self.active) >= MOST_PENDING,
            f"substitutions are nested more than {MOST_PENDING} deep",
            layer.line,
        )
        skip_count = len(self.skipped)
        self.active[id(layer)] = len(self.pending)
        try:
            value = self._compute_items(layer) if isinstance(layer, List) else self._join(layer, below)
        finally:
            del self.active[id(layer)]
        if skip_count == len(self.skipped):
            self.values[id(layer)] = value
        return value

    def _compute_entries(self, layer: Object) -> dict[str, Any]:
        entries = {}
        for name, layers in layer.fields.items():
            if self._find_reachable(layers) is not layers:
                raise Circle
            entries[name] = self._compute_key(layers)
        return {name: value for name, value in entries.items() if value is not _MISSING}

    def _compute_items(self, layer: List) -> list[Any]:
        items = [self.compute(item, []) for item in layer.items]
        return [item for item in items if item is not _MISSING]

    def _find_reachable(self, layers: list[Any]) -> list[Any]:
        """Return the layers of a key that are below the first one that is being computed."""
        for index, layer in enumerate(layers):
            if id(layer) in self.active:
                self.skipped.append(self.active[id(layer)])
                return layers[:index]
        return layers

    def _compute_key(self, layers: list[Any]) -> Any:
        """Return the value of a key: its last layer, merged with objects below if it is one."""
        layers = self._find_reachable(layers)
        value: Any = _MISSING
        for index in reversed(range(len(layers))):
            lower = self.compute(layers[index], layers[:index])
            if lower is _MISSING:
                continue
            if value is _MISSING:
                value = lower
            elif isinstance(lower, dict):
                value = _merge(lower, value)
            if not (isinstance(value, dict) and isinstance(lower, dict)):
                break
        return value

    def _compute_at(self, layers: list[Any], path: Path) -> Any:
        """Return the value at a path in the object that has these layers."""
        for step in path:
            layers, outer = [], self._find_reachable(layers)
            for index, layer in enumerate(outer):
                if isinstance(layer, Object):
                    layers += layer.fields.get(step, ())
                    continue
                value = self.compute(layer, outer[:index])
                if isinstance(value, dict):
                    layers += [value[step]] if step in value else []
                elif value is not _MISSING:
                    layers = []
        return self._compute_key(layers)

    def _substitute(self, substitution: Substitution, below: list[Any]) -> Any:
        """Return the value of a substitution, in a layer with these layers below."""
        self.substitution_count += 1
        _refuse_if(
            self.substitution_count > MOST_SUBSTITUTIONS,
            f"there are more than {MOST_SUBSTITUTIONS:,} substitutions",
            substitution.line,
        )
        skip_count = len(self.skipped)
        self.pending.append(substitution)
        try:
            value = (
                self._compute_at([self.root], substitution.path)
                if substitution.path
                else self._compute_key(below)
            )
        except Circle:
            value = _MISSING
        if value is _MISSING and not substitution.optional:
            cycle = ""
            if skip_count < len(self.skipped):
                names = ", ".join(map(str, [*self.pending, self.pending[self.skipped[-1]]]))
                cycle = f" was part of a cycle of substitutions involving {names}"
            raise _make_failure(
                f"Could not resolve substitution to a value: {substitution}{cycle}", substitution.line
            )
        self.pending.pop()
        self.size += count_values(value)
        COLLECTION.check(self.size)
        return value

    def _join(self, layer: Joined, below: list[Any]) -> Any:
        """Return the parts of a value as one: objects merged, arrays concatenated, else a string."""
        parts = [
            self._substitute(part, below) if isinstance(part, Substitution) else self.compute(part, [])
            for part in layer.parts
        ]
        parts = [part for part in parts if part is not _MISSING]
        if len(parts) == 1 and not isinstance(parts[0], Blank):
            return parts[0]
        without_blanks = [part for part in parts if not isinstance(part, Blank)]
        if not without_blanks:
            return _MISSING
        if all(isinstance(part, dict) for part in without_blanks):
            return reduce(_merge, without_blanks)
        if all(isinstance(part, list) for part in without_blanks):
            return list(chain.from_iterable(without_blanks))
        _refuse_if(
            any(isinstance(part, dict | list) for part in without_blanks),
            "an object or array is concatenated with a value of another kind",
            layer.line,
        )
        text = "".join([part.text for part in parts])
        STRING.check(len(text))
        return Scalar(text, text)


def _merge(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    """Return two objects as one, in which the keys of the one above come first."""
    merged = {
        name: _merge(below[name], value)
        for name, value in above.items()
        if isinstance(value, dict) and isinstance(below.get(name), dict)
    }
    return {**above, **below, **above, **merged}


def read_hocon(text: str) -> Value:
    """Return the data of a text. Raise Failure."""
    root = read_object(text)
    return map_leaves(
        Resolver(root).compute(root, []), lambda leaf: leaf.value if isinstance(leaf, Scalar) else leaf
    )
