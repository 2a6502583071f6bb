"""Parsers of the two notations of PuppetDB queries, and the query that both produce."""

from __future__ import annotations

import re
from collections.abc import Callable

from evaluator.issues import Failure
from evaluator.values import Value
from lexer_parser.record import Record, fresh

# A condition: ["and", …], ["or", …], ["not", one], [operator, field, value], ["null?", field, Boolean], ["in", fields,
# query | values] or ["subquery", query], where a query is a `PuppetDbQuery`. A field is the path to a value: names and
# indices.
Condition = list[Value]
Field = tuple[str | int, ...]
MOST_NESTED = 100
COMPARISONS = ("=", ">", "<", ">=", "<=", "~", "~>")
AGGREGATES = ("count", "sum", "avg", "min", "max")


class Aggregate(Record):
    """A function such as `count` over many rows: its name and its field, None to count rows."""

    name: str
    field: Field | None


class PuppetDbQuery(Record):
    """A query.

    Attributes:
        entity: The entity whose rows it selects, such as "nodes".
        fields: The fields and aggregates of the result; None for all fields.
        condition: The condition on the rows, or None.
        group: The fields by whose values the rows are grouped.
        order: The fields that order the rows, each with True for descending.
        limit: The largest number of rows, or None.
        offset: The number of rows to skip first.
    """

    entity: str
    fields: list[Field | Aggregate] | None = None
    condition: Condition | None = None
    group: list[Field] = fresh(factory=list)
    order: list[tuple[Field, bool]] = fresh(factory=list)
    limit: int | None = None
    offset: int = 0


def make_syntax_failure(problem: str) -> Failure:
    """Return the failure for a query that cannot be parsed."""
    return Failure("QUERY_NOT_UNDERSTOOD", problem=problem)


def refuse_if(condition: object, problem: str) -> None:
    """Raise the failure for a query that cannot be parsed if a condition is true."""
    if condition:
        raise make_syntax_failure(problem)


# --- PuppetDB's query language: `nodes[certname] { facts { name = 'a' } order by certname }`.


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


def parse_text(text: str) -> PuppetDbQuery:
    """Return the query of a text in PuppetDB's query language. Raises Failure."""
    reader = QueryParser(text)
    found = reader.parse_query()
    refuse_if(reader.kind, f"'{reader.text}' follows the end of the query")
    return found


class QueryParser:
    """A parser of the query language.

    Attributes:
        kind: The kind of the next token: "string", "number", "name" or "mark"; "" at the end.
        text: The text of the next token.
    """

    def __init__(self, source: str) -> None:
        self.source = source.rstrip()
        self.place = 0
        self.depth = 0
        self.kind = self.text = ""
        self.step()

    def step(self) -> str:
        """Move to the next token and return the text of the one before."""
        text = self.text
        if self.place >= len(self.source):
            self.kind = self.text = ""
            return text
        match = _TOKEN.match(self.source, self.place)
        if match is None:
            raise make_syntax_failure(f"no token begins with '{self.source[self.place :].lstrip()[:10]}'")
        self.place = match.end()
        self.kind = match.lastgroup or ""
        self.text = match[self.kind]
        return text

    def skip_if(self, *texts: str) -> bool:
        """Skip the next mark or word if it is one of these; return whether it was."""
        if self.kind in ("mark", "name") and self.text in texts:
            self.step()
            return True
        return False

    def expect(self, text: str) -> None:
        """Skip a mark or word that has to be next. Raises Failure."""
        if not self.skip_if(text):
            raise self.make_missing_failure(f"'{text}'")

    def make_missing_failure(self, what: str) -> Failure:
        """Return the failure for a missing part of the query."""
        return make_syntax_failure(
            f"{what} is expected " + (f"before '{self.text}'" if self.text else "at its end")
        )

    def parse_name(self) -> str:
        """Parse a name."""
        if self.kind != "name":
            raise self.make_missing_failure("a name")
        return self.step()

    def parse_query(self) -> PuppetDbQuery:
        """Parse `ENTITY [fields] { condition order by … }`."""
        found = PuppetDbQuery(self.parse_name())
        if self.skip_if("["):
            found.fields = [] if self.text == "]" else self.parse_list_of(self.parse_column)
            self.expect("]")
        self.expect("{")
        if self.text not in ("}", "order", "limit", "offset", "group"):
            found.condition = self.parse_or()
        self.parse_modifiers(found)
        self.expect("}")
        return found

    def parse_modifiers(self, query: PuppetDbQuery) -> None:
        """Parse `order by …`, `group by …`, `limit N` and `offset N`."""
        while self.kind == "name":
            match word := self.step():
                case "limit" | "offset":
                    refuse_if(self.kind != "number" or not self.text.isdigit(), f"'{word}' takes a number")
                    setattr(query, word, int(self.step()))
                case "order":
                    self.expect("by")
                    query.order = self.parse_list_of(self.parse_order)
                case "group":
                    self.expect("by")
                    query.group = self.parse_list_of(self.parse_field)
                case _:
                    raise make_syntax_failure(f"'{word}' is not expected here")

    def parse_list_of(self, parse: Callable[[], Value], separator: str = ",") -> list[Value]:
        """Parse one or more parts with a separator between them."""
        found = [parse()]
        while self.skip_if(separator):
            found.append(parse())
        return found

    def parse_order(self) -> tuple[Field, bool]:
        field = self.parse_field()
        return field, not self.skip_if("asc") and self.skip_if("desc")

    def parse_column(self) -> Field | Aggregate:
        """Parse a field of the result, or an aggregate such as `count()`."""
        name = self.parse_name()
        if name not in AGGREGATES or not self.skip_if("("):
            return parse_path(name)
        field = None if self.text == ")" else self.parse_field()
        self.expect(")")
        return Aggregate(name, field)

    def parse_field(self) -> Field:
        return parse_path(self.parse_name())

    # --- conditions

    def parse_or(self) -> Condition:
        """Parse a condition: operands of `or`."""
        self.depth += 1
        refuse_if(self.depth > MOST_NESTED, f"it is nested more than {MOST_NESTED} deep")
        found = self.parse_list_of(self.parse_and, "or")
        self.depth -= 1
        return found[0] if len(found) == 1 else ["or", *found]

    def parse_and(self) -> Condition:
        found = self.parse_list_of(self.parse_not, "and")
        return found[0] if len(found) == 1 else ["and", *found]

    def parse_not(self) -> Condition:
        is_negated = False
        while self.skip_if("!", "not"):
            is_negated = not is_negated
        found = self.parse_comparison()
        return ["not", found] if is_negated else found

    def parse_comparison(self) -> Condition:
        """Parse a comparison, `in`, a subquery, or a condition in parentheses."""
        if self.skip_if("("):
            found = self.parse_or()
            self.expect(")")
            return found
        if self.skip_if("["):
            fields = self.parse_list_of(self.parse_field)
            self.expect("]")
            self.expect("in")
            return ["in", fields, self.parse_values()]
        name = self.parse_name()
        if self.skip_if("{"):
            query = PuppetDbQuery(name)
            query.condition = None if self.text == "}" else self.parse_or()
            self.expect("}")
            return ["subquery", query]
        field = parse_path(name)
        if self.skip_if("is"):
            is_negated = self.skip_if("not")
            self.expect("null")
            return ["null?", field, not is_negated]
        if self.skip_if("in"):
            return ["in", [field], self.parse_values()]
        if self.kind == "mark" and self.text in COMPARISONS:
            return [self.step(), field, self.parse_value()]
        raise make_syntax_failure(f"a comparison is expected after '{name}'")

    def parse_values(self) -> PuppetDbQuery | list[Value]:
        """Parse the right operand of `in`: a query or a list."""
        return self.parse_list() if self.text == "[" else self.parse_query()

    def parse_list(self) -> list[Value]:
        self.expect("[")
        found = [] if self.text == "]" else self.parse_list_of(self.parse_value)
        self.expect("]")
        return found

    def parse_value(self) -> Value:
        """Parse a constant or a list. Raise Failure for anything else."""
        if self.kind == "string":
            return _ESCAPE.sub(r"\1", self.step()[1:-1])
        if self.kind == "number":
            text = self.step()
            return int(text) if text.lstrip("-").isdigit() else float(text)
        if self.text == "[":
            return self.parse_list()
        if self.text in _CONSTANTS:
            return _CONSTANTS[self.step()]
        raise self.make_missing_failure("a value")


def parse_path(name: str) -> Field:
    """Return the path of a dotted name such as `facts.os."a.b"[0]`."""
    return tuple(
        int(index) if index else double or single or plain
        for index, double, single, plain in _STEP.findall(name)
    )


# --- queries as arrays: `["from", "nodes", ["extract", ["certname"], ["=", ["fact", "os"], "x"]], ["limit", 1]]`.


_JOINED = ("and", "or")
_ROOTS = {"parameter": "parameters"}  # fields that have another name in the rows


def parse_array(given: list[Value]) -> PuppetDbQuery:
    """Return the query of an array. Raises Failure."""
    refuse_if(not given or given[0] != "from", 'an array begins with "from" and an entity')
    return _parse_from(given, 0)


def _parse_from(given: list[Value], depth: int) -> PuppetDbQuery:
    """Parse `["from", entity, …]`."""
    refuse_if(len(given) < 2 or type(given[1]) is not str, 'an entity is expected after "from"')
    found = PuppetDbQuery(given[1])
    for part in given[2:]:
        match part:
            case [("limit" | "offset") as word, int(number)] if type(number) is int and number >= 0:
                setattr(found, word, number)
            case ["order_by", list(fields)]:
                found.order = [_parse_order(one) for one in fields]
            case ["extract", *_]:
                _parse_extract(found, part, depth)
            case _:
                found.condition = _parse_condition(part, depth + 1)
    return found


def _parse_extract(query: PuppetDbQuery, given: list[Value], depth: int) -> None:
    """Parse `["extract", fields, condition?, ["group_by", …]?]`."""
    refuse_if(len(given) < 2, 'fields are expected after "extract"')
    single = type(given[1]) is str or given[1][:1] == ["function"]
    query.fields = [_parse_column(one) for one in ([given[1]] if single else given[1])]
    for part in given[2:]:
        if type(part) is list and part[:1] == ["group_by"]:
            query.group = [_parse_field(one) for one in part[1:]]
        else:
            query.condition = _parse_condition(part, depth + 1)


def _parse_order(given: Value) -> tuple[Field, bool]:
    if type(given) is list and len(given) == 2 and given[1] in ("asc", "desc"):
        return _parse_field(given[0]), given[1] == "desc"
    return _parse_field(given), False


def _parse_column(given: Value) -> Field | Aggregate:
    if type(given) is list and given[:1] == ["function"]:
        refuse_if(len(given) < 2 or given[1] not in AGGREGATES, f"there is no function {given[1:2]}")
        return Aggregate(given[1], _parse_field(given[2]) if len(given) > 2 else None)
    return _parse_field(given)


def _parse_field(given: Value) -> Field:
    if type(given) is str:
        return parse_path(given)
    if type(given) is list and given and all(type(part) in (str, int) for part in given):
        return (_ROOTS.get(given[0], given[0]), *given[1:])
    raise make_syntax_failure(f"this is not a field: {given}")


def _parse_condition(given: Value, depth: int) -> Condition:
    """Parse a condition. Raise Failure for anything else."""
    refuse_if(depth > MOST_NESTED, f"it is nested more than {MOST_NESTED} deep")
    match given:
        case [word, *operands] if word in _JOINED and operands:
            return [word, *(_parse_condition(part, depth + 1) for part in operands)]
        case ["not", negated]:
            return ["not", _parse_condition(negated, depth + 1)]
        case [word, field, wanted] if word in COMPARISONS:
            return [word, _parse_field(field), wanted]
        case ["null?", field, wanted]:
            return ["null?", _parse_field(field), wanted is True]
        case ["subquery", str(entity), *conditions]:
            query = PuppetDbQuery(entity)
            query.condition = _parse_condition(conditions[0], depth + 1) if conditions else None
            return ["subquery", query]
        case ["in", fields, looked]:
            listed = fields if type(fields) is list else [fields]
            return ["in", [_parse_field(one) for one in listed], _parse_values(looked, depth)]
    raise make_syntax_failure(f"this is not a condition: {given}")


def _parse_values(given: Value, depth: int) -> PuppetDbQuery | list[Value]:
    """Parse the right operand of "in".

    It is `["array", […]]`, `["from", …]` or `["extract", fields, ["select_ENTITY", condition]]`.
    """
    match given:
        case ["array", list(items)]:
            return list(items)
        case ["from", *_]:
            return _parse_from(given, depth + 1)
        case ["extract", fields, [str(entity), *rest]] if entity.startswith("select_"):
            found = PuppetDbQuery(entity.removeprefix("select_"))
            _parse_extract(found, ["extract", fields, *rest], depth)
            return found
    raise make_syntax_failure(f'"in" takes an array or a query, not {given}')
