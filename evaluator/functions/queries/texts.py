"""Questions as text, in PuppetDB's query language: `nodes[certname] { facts { name = 'a' } order by certname }`."""

from __future__ import annotations

import re
from typing import Any

from evaluator.functions.queries.model import (
    AGGREGATES,
    COMPARISONS,
    MOST_NESTED,
    Aggregate,
    Condition,
    Field,
    Query,
    misread,
)
from evaluator.issues import Failure

_TOKEN = re.compile(
    r"""\s*(?:
      (?P<string>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")
    | (?P<number>-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)
    | (?P<name>[A-Za-z_][\w-]*\??(?:\.(?:[\w-]+|"[^"]*"|'[^']*')|\[\d+\])*)
    | (?P<mark>~>|>=|<=|[][{}(),=<>~!])
    )""",
    re.VERBOSE | re.DOTALL,
)
_STEP = re.compile(r"""\[(\d+)\]|"([^"]*)"|'([^']*)'|([^."'\[\]]+)""")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_CONSTANTS = {"true": True, "false": False, "null": None}


def read(text: str) -> Query:
    """The question that a text asks. Raises Failure."""
    reader = _Reader(text)
    found = reader.query()
    if reader.kind:
        raise misread(f"'{reader.text}' stands behind its end")
    return found


class _Reader:
    """Goes from token to token; `kind` and `text` are those of the next one, "" at the end."""

    def __init__(self, source: str) -> None:
        self.source = source.rstrip()
        self.place = 0
        self.depth = 0
        self.kind = self.text = ""
        self.step()

    def step(self) -> str:
        """Goes on to the next token and gives the text of the one before."""
        text = self.text
        if self.place >= len(self.source):
            self.kind = self.text = ""
            return text
        match = _TOKEN.match(self.source, self.place)
        if match is None:
            raise misread(f"nothing begins with '{self.source[self.place :].lstrip()[:10]}'")
        self.place = match.end()
        self.kind = match.lastgroup or ""
        self.text = match[self.kind]
        return text

    def takes(self, *texts: str) -> bool:
        """Goes past a mark or word where one of these stands next."""
        if self.kind in ("mark", "name") and self.text in texts:
            self.step()
            return True
        return False

    def needs(self, text: str) -> None:
        """Goes past a mark or word that has to be next."""
        if not self.takes(text):
            raise self.missing(f"'{text}'")

    def missing(self, what: str) -> Failure:
        """What is said where something else stands, or nothing."""
        return misread(f"{what} is expected " + (f"before '{self.text}'" if self.text else "at its end"))

    def name(self) -> str:
        """Goes past a name."""
        if self.kind != "name":
            raise self.missing("a name")
        return self.step()

    def query(self) -> Query:
        """ENTITY [fields] { condition and what follows it }"""
        found = Query(self.name())
        if self.takes("["):
            found.fields = [] if self.text == "]" else [self.column()]
            while self.takes(","):
                found.fields.append(self.column())
            self.needs("]")
        self.needs("{")
        if self.text not in ("}", "order", "limit", "offset", "group"):
            found.condition = self.either()
        self.follow(found)
        self.needs("}")
        return found

    def follow(self, query: Query) -> None:
        """order by …, group by …, limit N, offset N"""
        while self.kind == "name":
            word = self.step()
            if word in ("limit", "offset"):
                if self.kind != "number" or not self.text.isdigit():
                    raise misread(f"'{word}' takes a number")
                setattr(query, word, int(self.step()))
            elif word == "order":
                self.needs("by")
                query.order = self.several(self.ordered)
            elif word == "group":
                self.needs("by")
                query.group = self.several(self.field)
            else:
                raise misread(f"'{word}' is not expected there")

    def several(self, one: Any) -> list[Any]:
        """One or more, with commas between them."""
        found = [one()]
        while self.takes(","):
            found.append(one())
        return found

    def ordered(self) -> tuple[Field, bool]:
        field = self.field()
        return field, not self.takes("asc") and self.takes("desc")

    def column(self) -> Field | Aggregate:
        name = self.name()
        if name not in AGGREGATES or not self.takes("("):
            return steps(name)
        field = None if self.text == ")" else self.field()
        self.needs(")")
        return Aggregate(name, field)

    def field(self) -> Field:
        return steps(self.name())

    # --- conditions

    def either(self) -> Condition:
        """A condition: what stands between `or`."""
        self.depth += 1
        if self.depth > MOST_NESTED:
            raise misread(f"it is nested more than {MOST_NESTED} deep")
        found = [self.both()]
        while self.takes("or"):
            found.append(self.both())
        self.depth -= 1
        return found[0] if len(found) == 1 else ["or", *found]

    def both(self) -> Condition:
        found = [self.single()]
        while self.takes("and"):
            found.append(self.single())
        return found[0] if len(found) == 1 else ["and", *found]

    def single(self) -> Condition:
        turned = False
        while self.takes("!", "not"):
            turned = not turned
        found = self.plain()
        return ["not", found] if turned else found

    def plain(self) -> Condition:
        if self.takes("("):
            found = self.either()
            self.needs(")")
            return found
        if self.takes("["):
            fields = self.several(self.field)
            self.needs("]")
            self.needs("in")
            return ["in", fields, self.source_of_values()]
        name = self.name()
        if self.takes("{"):
            query = Query(name)
            query.condition = None if self.text == "}" else self.either()
            self.needs("}")
            return ["subquery", query]
        field = steps(name)
        if self.takes("is"):
            turned = self.takes("not")
            self.needs("null")
            return ["null?", field, not turned]
        if self.takes("in"):
            return ["in", [field], self.source_of_values()]
        if self.kind == "mark" and self.text in COMPARISONS:
            return [self.step(), field, self.value()]
        raise misread(f"a comparison is expected behind '{name}'")

    def source_of_values(self) -> Query | list[Any]:
        """What `in` looks into: a question or a list."""
        return self.list() if self.text == "[" else self.query()

    def list(self) -> list[Any]:
        self.needs("[")
        found = [] if self.text == "]" else self.several(self.value)
        self.needs("]")
        return found

    def value(self) -> Any:
        if self.kind == "string":
            return _ESCAPE.sub(r"\1", self.step()[1:-1])
        if self.kind == "number":
            text = self.step()
            return int(text) if text.lstrip("-").isdigit() else float(text)
        if self.text == "[":
            return self.list()
        if self.text in _CONSTANTS:
            return _CONSTANTS[self.step()]
        raise self.missing("a value")


def steps(name: str) -> Field:
    """The path that a dotted name means: `facts.os."a.b"[0]`."""
    return tuple(
        int(index) if index else double or single or plain
        for index, double, single, plain in _STEP.findall(name)
    )
