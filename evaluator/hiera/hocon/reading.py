"""HOCON: the text to objects whose substitutions are still to be made."""

from __future__ import annotations

import json
import re
from math import inf
from typing import Any

from evaluator.hiera.hocon.model import (
    MOST_NESTED,
    Blank,
    Joined,
    List,
    Object,
    Path,
    Scalar,
    Substitution,
    make_failure,
)
from evaluator.limits import YAML

# What is repeated is never tried again in another way (`++`): that would take memory for each repetition.
_TOKEN = re.compile(
    r"""
      (?P<blank>(?:[^\S\n]++|\ufeff++)++)
    | (?P<line>\n)
    | (?P<comment>(?:\#|//)[^\n]*)
    | (?P<block>\"\"\"[^"]*+(?:\"{1,2}[^"]++)*+\"\"\"++)
    | (?P<string>"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+")
    | (?P<substitution>\$\{\??)
    | (?P<mark>\+=|[][{}:=,])
    | (?P<word>(?:[^\s\ufeff$"{}\[\]:=,+\#`^?!@*&\\/]++|/(?!/))++)
    """,
    re.VERBOSE | re.DOTALL,
)
_NUMBER = re.compile(r"-?\d+(?P<rest>(?:\.\d+)?(?:[eE][-+]?\d+)?)\Z")
_WORDS: dict[str, Any] = {"true": True, "false": False, "null": None}
_END = ("", "")


def read_object(text: str) -> Object:
    """The object that a text describes, with or without braces around it. Raises Failure."""
    YAML.check(len(text))  # what holds for the other notation that people write data in
    reader = _HoconParser(text)
    reader.skip()
    if reader.takes("{"):
        found = reader.fields("}")
    elif reader.at("["):
        raise make_failure("an object is expected, not an array", reader.line)
    else:
        found = reader.fields("")
    reader.skip()
    if reader.token != _END:
        raise make_failure(f"'{reader.token[1]}' stands behind the end of the object", reader.line)
    return found


class _HoconParser:
    """Goes from token to token: `token` is the kind and the text of the next one, which stands on `line`."""

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
        match = _TOKEN.match(self.source, self.place)
        if match is None:
            raise make_failure(f"'{self.source[self.place]}' has to stand in quotes", self.line)
        self.token = match.lastgroup or "", match[0]

    def step(self) -> str:
        """Goes on to the next token and gives the text of the one before."""
        text = self.token[1]
        self.place += len(text)
        self.line += text.count("\n")
        self._look()
        return text

    def at(self, *marks: str) -> bool:
        return self.token[0] == "mark" and self.token[1] in marks

    def takes(self, *marks: str) -> bool:
        """Goes past a mark where one of these is next."""
        if self.at(*marks):
            self.step()
            return True
        return False

    def skip(self) -> bool:
        """Goes past blanks, comments and the ends of lines; True when there was an end of a line."""
        ended = False
        while self.token[0] in ("blank", "comment", "line"):
            ended = self.token[0] == "line" or ended
            self.step()
        return ended

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > MOST_NESTED:
            raise make_failure(f"values are nested more than {MOST_NESTED} deep", self.line)

    def fields(self, closing: str) -> Object:
        """The fields of an object, its end included."""
        self.deeper()
        found = Object()
        self.skip()
        while not (self.takes(closing) if closing else self.token == _END):
            if self.token == _END:
                raise make_failure("a '}' is missing", self.line)
            self.field(found)
            self.between(closing or "")
        self.depth -= 1
        return found

    def between(self, closing: str) -> None:
        """What stands between two fields or elements: one comma, or ends of lines."""
        ended = self.skip()
        if self.takes(","):
            self.skip()
        elif not ended and not (self.at(closing) if closing else self.token == _END) and self.token != _END:
            raise make_failure(
                f"a comma or the end of the line is expected before '{self.token[1]}'", self.line
            )

    def field(self, found: Object) -> None:
        line = self.line
        if self.token == ("word", "include"):
            raise make_failure("'include' is refused: no other file is read", line)
        path = self.path()
        if self.at("{"):
            self.step()
            found.put(path, self.fields("}"))
            return
        if self.takes("+="):
            before = Substitution((), True, line)
            found.put(path, Joined([before, List([self.value()], line)], line))
        elif self.takes(":", "="):
            found.put(path, self.value())
        else:
            raise make_failure(f"':' or '=' is expected behind '{'.'.join(path)}'", line)

    def path(self) -> Path:
        """The keys that an expression means: `a.b`, `a."b.c"`, `two words`."""
        steps = [""]
        named = False
        while self.token[0] in ("word", "string", "block", "blank", "comment"):
            kind, part = self.token
            if kind == "comment":
                raise make_failure("a comment stands in a key", self.line)
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
        if not named or (len(steps) > 1 and "" in steps):
            raise make_failure(f"a key is expected before '{self.token[1]}'", self.line)
        return tuple(steps)

    # --- values

    def value(self) -> Any:
        """A value, which ends with the line."""
        self.skip()
        line = self.line
        parts: list[Any] = []
        while self.token[0] not in ("", "line", "comment") and not self.at(",", "]", "}"):
            parts.append(self.part())
        while parts and isinstance(parts[-1], Blank):
            parts.pop()
        if not parts:
            raise make_failure(
                f"a value is expected before '{self.token[1]}'".replace("\n", "the end of the line"), line
            )
        return parts[0] if len(parts) == 1 and not isinstance(parts[0], Substitution) else Joined(parts, line)

    def part(self) -> Any:
        kind, text = self.token
        if kind == "blank":
            return Blank(self.step())
        if kind in ("string", "block"):
            line = self.line
            self.step()
            found = _text(kind, text, line)
            return Scalar(found, found)
        if kind == "word":
            return _word(self.step(), self.line)
        if kind == "substitution":
            return self.substitution()
        if self.takes("{"):
            return self.fields("}")
        if self.takes("["):
            return self.elements()
        raise make_failure(f"'{text}' is no value", self.line)

    def elements(self) -> List:
        line = self.line
        self.deeper()
        found: list[Any] = []
        self.skip()
        while not self.takes("]"):
            if self.token == _END:
                raise make_failure("a ']' is missing", self.line)
            found.append(self.value())
            self.between("]")
        self.depth -= 1
        return List(found, line)

    def substitution(self) -> Substitution:
        line = self.line
        optional = self.step().endswith("?")
        path = self.path()
        if not self.takes("}"):
            raise make_failure("the '}' of a substitution is missing", line)
        return Substitution(path, optional, line)


def _text(kind: str, written: str, line: int) -> str:
    """The text that a string means."""
    if kind == "block":
        return written[3:-3]
    try:
        return str(json.loads(written))
    except ValueError:
        raise make_failure(f"the string {written} has a wrong escape or a control character", line) from None


def _word(text: str, line: int) -> Scalar:
    """A constant, a number, which is an Integer where it has no fraction, or text."""
    if text in _WORDS:
        return Scalar(_WORDS[text], text)
    number = _NUMBER.match(text)
    if number is None:
        return Scalar(text, text)
    if not number["rest"]:
        return Scalar(int(text), text)
    value = float(text)
    if value in (inf, -inf):
        raise make_failure(f"the number {text} is too large", line)
    return Scalar(int(value) if value.is_integer() else value, text)
