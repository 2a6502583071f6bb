"""A question: what both of its notations are read into."""

from __future__ import annotations

import re

from evaluator.issues import Failure
from evaluator.values import Value

# A condition: ["and", …], ["or", …], ["not", one], [operator, field, value], ["null?", field, whether],
# ["in", fields, Query | values], ["subquery", Query]. A field is the path to a value: its names and indices.
Condition = list[Value]
Field = tuple[str | int, ...]
MOST_NESTED = 100
COMPARISONS = ("=", ">", "<", ">=", "<=", "~", "~>")
AGGREGATES = ("count", "sum", "avg", "min", "max")


class Aggregate:
    """A number made of many rows: its name, and the field that it looks at, None for the rows themselves."""

    __slots__ = ("field", "name")

    def __init__(self, name: str, field: Field | None) -> None:
        self.name = name
        self.field = field


class Query:
    """A question.

    entity  what is asked about;  fields  what is asked of it, None for all;  condition  what has to hold, or None
    group   the fields whose values make groups;  order  fields, each with whether it descends
    limit, offset  how many rows, and how many are passed over before
    """

    __slots__ = ("condition", "entity", "fields", "group", "limit", "offset", "order")

    def __init__(self, entity: str) -> None:
        self.entity = entity
        self.fields: list[Field | Aggregate] | None = None
        self.condition: Condition | None = None
        self.group: list[Field] = []
        self.order: list[tuple[Field, bool]] = []
        self.limit: int | None = None
        self.offset = 0


def misread(problem: str) -> Failure:
    """What is said of a question that is not understood."""
    return Failure("QUERY_NOT_UNDERSTOOD", problem=problem)


# --- Questions as text, in PuppetDB's query language: `nodes[certname] { facts { name = 'a' } order by certname }`.


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


def parse_text(text: str) -> Query:
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

    def several(self, one: Value) -> list[Value]:
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

    def source_of_values(self) -> Query | list[Value]:
        """What `in` looks into: a question or a list."""
        return self.list() if self.text == "[" else self.query()

    def list(self) -> list[Value]:
        self.needs("[")
        found = [] if self.text == "]" else self.several(self.value)
        self.needs("]")
        return found

    def value(self) -> Value:
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


# --- Questions as arrays: `["from", "nodes", ["extract", ["certname"], ["=", ["fact", "os"], "x"]], ["limit", 1]]`.


_JOINED = ("and", "or")
_ROOTS = {"parameter": "parameters"}  # how the first name of a field is called in the rows


def parse_array(given: list[Value]) -> Query:
    """The question that an array asks. Raises Failure."""
    if not given or given[0] != "from":
        raise misread('an array begins with "from" and what is asked about')
    return _from(given, 0)


def _from(given: list[Value], depth: int) -> Query:
    if len(given) < 2 or type(given[1]) is not str:
        raise misread('behind "from" stands what is asked about')
    found = Query(given[1])
    for part in given[2:]:
        word = part[0] if type(part) is list and part else None
        if word in ("limit", "offset") and len(part) == 2 and type(part[1]) is int and part[1] >= 0:
            setattr(found, word, part[1])
        elif word == "order_by" and len(part) == 2 and type(part[1]) is list:
            found.order = [_ordered(one) for one in part[1]]
        elif word == "extract":
            _extract(found, part, depth)
        else:
            found.condition = _condition(part, depth + 1)
    return found


def _extract(query: Query, given: list[Value], depth: int) -> None:
    """["extract", fields, condition?, ["group_by", …]?]"""
    if len(given) < 2:
        raise misread('behind "extract" stand fields')
    single = type(given[1]) is str or given[1][:1] == ["function"]
    query.fields = [_column(one) for one in ([given[1]] if single else given[1])]
    for part in given[2:]:
        if type(part) is list and part[:1] == ["group_by"]:
            query.group = [_field(one) for one in part[1:]]
        else:
            query.condition = _condition(part, depth + 1)


def _ordered(given: Value) -> tuple[Field, bool]:
    if type(given) is list and len(given) == 2 and given[1] in ("asc", "desc"):
        return _field(given[0]), given[1] == "desc"
    return _field(given), False


def _column(given: Value) -> Field | Aggregate:
    if type(given) is list and given[:1] == ["function"]:
        if len(given) < 2 or given[1] not in AGGREGATES:
            raise misread(f"there is no function {given[1:2]}")
        return Aggregate(given[1], _field(given[2]) if len(given) > 2 else None)
    return _field(given)


def _field(given: Value) -> Field:
    if type(given) is str:
        return steps(given)
    if type(given) is list and given and all(type(part) in (str, int) for part in given):
        return (_ROOTS.get(given[0], given[0]), *given[1:])
    raise misread(f"no field: {given}")


def _condition(given: Value, depth: int) -> Condition:
    if depth > MOST_NESTED:
        raise misread(f"it is nested more than {MOST_NESTED} deep")
    word = given[0] if type(given) is list and given else None
    operands = given[1:] if word else []
    if word in _JOINED and operands:
        return [word, *(_condition(part, depth + 1) for part in operands)]
    if word == "not" and len(operands) == 1:
        return ["not", _condition(operands[0], depth + 1)]
    if word in COMPARISONS and len(operands) == 2:
        return [word, _field(operands[0]), operands[1]]
    if word == "null?" and len(operands) == 2:
        return ["null?", _field(operands[0]), operands[1] is True]
    if word == "subquery" and operands and type(operands[0]) is str:
        query = Query(operands[0])
        query.condition = _condition(operands[1], depth + 1) if len(operands) > 1 else None
        return ["subquery", query]
    if word == "in" and len(operands) == 2:
        fields = operands[0] if type(operands[0]) is list else [operands[0]]
        return ["in", [_field(one) for one in fields], _values(operands[1], depth)]
    raise misread(f"no condition: {given}")


def _values(given: Value, depth: int) -> Query | list[Value]:
    """["array", […]], ["from", …], or ["extract", fields, ["select_ENTITY", condition]]"""
    word = given[0] if type(given) is list and given else None
    if word == "array" and len(given) == 2 and type(given[1]) is list:
        return list(given[1])
    if word == "from":
        return _from(given, depth + 1)
    inner = given[2] if word == "extract" and len(given) == 3 else None
    if type(inner) is list and inner and str(inner[0]).startswith("select_"):
        found = Query(inner[0].removeprefix("select_"))
        _extract(found, ["extract", given[1], *inner[1:]], depth)
        return found
    raise misread(f'"in" looks into an array or a question, not into {given}')
