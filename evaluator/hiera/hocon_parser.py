"""The parser of HOCON: `parse_hocon` returns the syntax tree of a text.

In the tree, keys may have several values, and values may contain substitutions such as `${a.b}`; `hocon` computes the
data that it means. No other file is read: `include "name"` has no effect.
"""

from __future__ import annotations

import json
import re
from math import inf
from typing import Any, NamedTuple

from evaluator.issues import Failure, require
from evaluator.limits import YAML
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

    items: list[Node]
    line: int


class Joined(Record):
    """A value of several parts: strings and arrays are concatenated, objects merged."""

    parts: list[Node]
    line: int


class Object(Record):
    """An object.

    Attributes:
        fields: For each key its layers: the values that are assigned to it one after the other. A scalar replaces
            earlier layers. When objects are merged, the keys of the later one come first.
    """

    fields: dict[str, list[Node]] = fresh(factory=dict)

    def add_layer(self, path: Path, value: Node) -> None:
        """Add a layer to a key, or to a key of an object below it."""
        name, *rest = path
        layers = self.fields.setdefault(name, [])
        if rest:
            inner = Object()
            inner.add_layer(tuple(rest), value)
            value = inner
        top = layers[-1] if layers else None
        if isinstance(value, Object) and isinstance(top, Object):
            for key, values in value.fields.items():
                for each in values:
                    top.add_layer((key,), each)
            top.fields = {key: top.fields[key] for key in (*value.fields, *top.fields)}
            return
        if isinstance(value, Scalar):
            layers.clear()
        layers.append(value)


Node = Scalar | Blank | Substitution | List | Joined | Object


def make_failure(problem: str, line: int, hint: str = "") -> Failure:
    """Return the failure for a wrong text; a long problem is shortened and has no hint."""
    shortened = f"{problem[:_LONGEST]}…" if len(problem) > _LONGEST else f"{problem}{hint}"
    return Failure("HOCON_SYNTAX", problem=shortened, line=line)


def refuse_if(condition: object, problem: str, line: int) -> None:
    """Raise the failure for a problem on a line if a condition is true."""
    if condition:
        raise make_failure(problem, line)


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
# The reasons why the last character of a wrong token, `{1}`, is not permitted: for a token of several characters by its
# first one, for a quote alone, and for any other character alone.
_REASONS = {
    '"': "JSON does not allow unescaped {1} in quoted strings, use a backslash escape",
    "$": "'$' not followed by {, '{1}' not allowed after '$'",
    "+": "'+' not followed by =, '{1}' not allowed after '+'",
}
_OPEN_QUOTE = "End of input but string quote was still open"
_RESERVED = "Reserved character '{1}' is not allowed outside quotes"
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


def parse_hocon(text: str) -> Object:
    """Return the object of a text, with or without braces around it. Raise Failure."""
    YAML.check(len(text))  # the limit of YAML, the other notation of data
    parser = _HoconParser(text)
    parser.skip()
    refuse_if(parser.is_at("["), " has type LIST rather than object at file root", parser.line)
    root = parser.parse_fields("}" if parser.skip_mark("{") else "")
    parser.skip()
    parser.refuse_token_if(
        parser.token != _END, "Document has trailing tokens after first object or array: {0}"
    )
    return root


class HoconToken(NamedTuple):
    """A token: its kind, which is the name of a group of `_TOKEN`, and its text."""

    kind: str
    text: str


_END = HoconToken("", "")  # in place of a token, at the end of the source


class _HoconParser:
    """A recursive-descent parser.

    Attributes:
        position: The index of the next token in the source.
        line: The line of the next token, from 1.
        depth: The number of objects and arrays around the next token.
        token: The next token; `_END` at the end.
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
        self.token = HoconToken(match.lastgroup, match[0])

    def refuse_token_if(self, condition: object, problem: str, hint: str = "") -> None:
        """Raise the failure for the next token, `{0}` in the texts, if a condition is true."""
        if condition:
            (kind, text), line = self.token, self.line
            if self.token == _END:
                shown = "end of file"
                hint = "" if hint == _IN_TEXT else hint
            elif kind != "wrong":
                shown = f"'{text}'"
            elif text.startswith("${"):
                shown = "'end of file' (Substitution ${ was not closed with a })"
                line += text.count("\n")  # the error is at the end
            else:
                reason = _REASONS[text[0]] if len(text) > 1 else _OPEN_QUOTE if text == '"' else _RESERVED
                shown = f"'{text[-1]}' ({reason.replace('{1}', text[-1])})"
            raise make_failure(problem.replace("{0}", shown), line, hint.replace("{0}", shown))

    def step(self) -> str:
        """Advance to the next token, and return the text of the current one."""
        text = self.token.text
        self.position += len(text)
        self.line += text.count("\n")
        self._read_token()
        return text

    def is_at(self, *marks: str) -> bool:
        """Return True if the next token is one of these marks."""
        return self.token.kind == "mark" and self.token.text in marks

    def skip_mark(self, *marks: str) -> bool:
        """Skip the next token if it is one of these marks; return True if it is."""
        if self.is_at(*marks):
            self.step()
            return True
        return False

    def skip(self) -> bool:
        """Skip blanks, comments and ends of lines; return True if there was an end of a line."""
        has_line_end = False
        while self.token.kind in ("blank", "comment", "line"):
            has_line_end = has_line_end or self.token.kind == "line"
            self.step()
        return has_line_end

    def _begin_collection(self) -> None:
        """Count a level of nesting. Raise Failure if there are too many."""
        self.depth += 1
        refuse_if(self.depth > MOST_NESTED, f"values are nested more than {MOST_NESTED} deep", self.line)

    def parse_fields(self, closing: str) -> Object:
        """Parse the fields of an object, and its closing brace.

        Args:
            closing: The brace; "" for a text without braces around its fields.
        """
        self._begin_collection()
        fields = Object()
        self.skip()
        while not (self.skip_mark(closing) if closing else self.token == _END):
            self.refuse_token_if(
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
            self.refuse_token_if(
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
            fields.add_layer(path, self.parse_fields("}"))
        elif self.skip_mark("+="):
            fields.add_layer(
                path, Joined([Substitution((), True, line), List([self.parse_value()], line)], line)
            )
        elif self.skip_mark(":", "="):
            fields.add_layer(path, self.parse_value())
        else:
            self.refuse_token_if(
                True, f"Key '{'.'.join(path)}' may not be followed by token: {{0}}", _IN_TEXT
            )

    def skip_include(self) -> None:
        """Skip `include "name"`."""
        self.step()
        self.skip()
        kind, text = self.token
        self.refuse_token_if(text in ("file(", "url(", "classpath("), _INCLUDED_FILE)
        self.refuse_token_if(kind == "word", _INCLUDED_WORD)
        self.refuse_token_if(kind not in ("string", "block"), _INCLUDED_TOKEN)
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
        while self.token.kind in ("word", "string", "block", "blank"):
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
        self.refuse_token_if(not is_found, missing)
        require(len(steps) == 1 or "" not in steps, "HOCON_PATH")
        return tuple(steps)

    # --- values

    def parse_value(self) -> Node:
        """Parse a value, which ends with the line."""
        self.skip()
        line = self.line
        parts: list[Node] = []
        while self.token.kind not in ("", "line", "comment", "wrong") and not self.is_at(
            ",", "]", "}", ":", "=", "+="
        ):
            parts.append(self.parse_part())
        while parts and isinstance(parts[-1], Blank):
            parts.pop()
        self.refuse_token_if(not parts, "Expecting a value but got wrong token: {0}", _IN_TEXT)
        return parts[0] if len(parts) == 1 and not isinstance(parts[0], Substitution) else Joined(parts, line)

    def parse_part(self) -> Node:
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
        elements: list[Node] = []
        self.skip()
        while not self.skip_mark("]"):
            self.refuse_token_if(
                self.token.kind in ("", "wrong") or self.is_at(",", "}"),
                *(_NO_FURTHER_ELEMENT if elements else _NO_FIRST_ELEMENT),
            )
            elements.append(self.parse_value())
            self.skip_separator("]")
        self.depth -= 1
        return List(elements, line)

    def parse_substitution(self) -> Substitution:
        """Parse `${path}` or `${?path}`; the path is parsed as a source of its own."""
        line = self.line
        text = self.step()[2:-1]
        inner = _HoconParser(text.removeprefix("?"))
        inner.line = line
        path = inner.parse_path("Expecting a field name or path here, but got nothing")
        inner.refuse_token_if(inner.token != _END, "Token not allowed in path expression: {0}", _IN_PATH)
        return Substitution(path, text.startswith("?"), line)


def _read_string(kind: str, text: str, line: int) -> str:
    """Return the value of a token that is a string or a block."""
    if kind == "block":
        return text[3:-3]
    try:
        return str(json.loads(text))
    except ValueError:
        raise make_failure(f"the string {text} has a wrong escape or a control character", line) from None


def _read_word(text: str, line: int) -> Scalar:
    """Return a constant, a number or a string without quotes. 1.0 is the Integer 1."""
    number = _NUMBER.match(text)
    if number is None:
        return Scalar(_WORDS.get(text, text), text)
    if not number["rest"]:
        return Scalar(int(text), text)
    value = float(text)
    refuse_if(value in (inf, -inf), f"the number {text} is too large", line)
    return Scalar(int(value) if value.is_integer() else value, text)
