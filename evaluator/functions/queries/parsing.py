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
        order: The fields that order the rows, the most important first, each with True for descending.
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
    parser = QueryParser(text)
    query = parser.parse_query()
    refuse_if(parser.kind, f"'{parser.text}' follows the end of the query")
    return query


class QueryParser:
    """A parser of the query language.

    Attributes:
        kind: The kind of the next token: "string", "number", "name" or "mark"; "" at the end.
        text: The text of the next token.
    """

    def __init__(self, source: str) -> None:
        self.source = source.rstrip()
        self.position = 0
        self.depth = 0
        self.kind = self.text = ""
        self.step()

    def step(self) -> str:
        """Move to the next token and return the text of the one before."""
        text = self.text
        if self.position >= len(self.source):
            self.kind = self.text = ""
            return text
        match = _TOKEN.match(self.source, self.position)
        if match is None:
            raise make_syntax_failure(f"no token begins with '{self.source[self.position :].lstrip()[:10]}'")
        self.position = match.end()
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
        query = PuppetDbQuery(self.parse_name())
        if self.skip_if("["):
            query.fields = [] if self.text == "]" else self.parse_list_of(self.parse_column)
            self.expect("]")
        self.expect("{")
        if self.text not in ("}", "order", "limit", "offset", "group"):
            query.condition = self.parse_or()
        self.parse_modifiers(query)
        self.expect("}")
        return query

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
        parts = [parse()]
        while self.skip_if(separator):
            parts.append(parse())
        return parts

    def parse_order(self) -> tuple[Field, bool]:
        """Parse `FIELD`, `FIELD asc` or `FIELD desc`; return the field, and True for descending."""
        field = self.parse_field()
        if self.skip_if("asc"):
            return field, False
        return field, self.skip_if("desc")

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
        operands = self.parse_list_of(self.parse_and, "or")
        self.depth -= 1
        return operands[0] if len(operands) == 1 else ["or", *operands]

    def parse_and(self) -> Condition:
        operands = self.parse_list_of(self.parse_not, "and")
        return operands[0] if len(operands) == 1 else ["and", *operands]

    def parse_not(self) -> Condition:
        is_negated = False
        while self.skip_if("!", "not"):
            is_negated = not is_negated
        condition = self.parse_comparison()
        return ["not", condition] if is_negated else condition

    def parse_comparison(self) -> Condition:
        """Parse a comparison, `in`, a subquery, or a condition in parentheses."""
        if self.skip_if("("):
            condition = self.parse_or()
            self.expect(")")
            return condition
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
        values = [] if self.text == "]" else self.parse_list_of(self.parse_value)
        self.expect("]")
        return values

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


_CONNECTIVES = ("and", "or")
_RENAMED_FIELDS = {"parameter": "parameters"}  # fields that have another name in the rows


def parse_array(array: list[Value]) -> PuppetDbQuery:
    """Return the query of an array. Raises Failure."""
    refuse_if(not array or array[0] != "from", 'an array begins with "from" and an entity')
    return _parse_from(array, 0)


def _parse_from(array: list[Value], depth: int) -> PuppetDbQuery:
    """Parse `["from", entity, …]`."""
    refuse_if(len(array) < 2 or type(array[1]) is not str, 'an entity is expected after "from"')
    query = PuppetDbQuery(array[1])
    for part in array[2:]:
        match part:
            case [("limit" | "offset") as word, int(number)] if type(number) is int and number >= 0:
                setattr(query, word, number)
            case ["order_by", list(fields)]:
                query.order = [_parse_order(field) for field in fields]
            case ["extract", *_]:
                _parse_extract(query, part, depth)
            case _:
                query.condition = _parse_condition(part, depth + 1)
    return query


def _parse_extract(query: PuppetDbQuery, array: list[Value], depth: int) -> None:
    """Parse `["extract", fields, condition?, ["group_by", …]?]`."""
    refuse_if(len(array) < 2, 'fields are expected after "extract"')
    is_single = type(array[1]) is str or array[1][:1] == ["function"]
    query.fields = [_parse_column(column) for column in ([array[1]] if is_single else array[1])]
    for part in array[2:]:
        if type(part) is list and part[:1] == ["group_by"]:
            query.group = [_parse_field(field) for field in part[1:]]
        else:
            query.condition = _parse_condition(part, depth + 1)


def _parse_order(part: Value) -> tuple[Field, bool]:
    if type(part) is list and len(part) == 2 and part[1] in ("asc", "desc"):
        return _parse_field(part[0]), part[1] == "desc"
    return _parse_field(part), False


def _parse_column(part: Value) -> Field | Aggregate:
    if type(part) is list and part[:1] == ["function"]:
        refuse_if(len(part) < 2 or part[1] not in AGGREGATES, f"there is no function {part[1:2]}")
        return Aggregate(part[1], _parse_field(part[2]) if len(part) > 2 else None)
    return _parse_field(part)


def _parse_field(part: Value) -> Field:
    if type(part) is str:
        return parse_path(part)
    if type(part) is list and part and all(type(step) in (str, int) for step in part):
        return (_RENAMED_FIELDS.get(part[0], part[0]), *part[1:])
    raise make_syntax_failure(f"this is not a field: {part}")


def _parse_condition(part: Value, depth: int) -> Condition:
    """Parse a condition of an array. Raise Failure for anything else."""
    refuse_if(depth > MOST_NESTED, f"it is nested more than {MOST_NESTED} deep")
    match part:
        case [word, *operands] if word in _CONNECTIVES and operands:
            return [word, *(_parse_condition(operand, depth + 1) for operand in operands)]
        case ["not", negated]:
            return ["not", _parse_condition(negated, depth + 1)]
        case [word, field, operand] if word in COMPARISONS:
            return [word, _parse_field(field), operand]
        case ["null?", field, operand]:
            return ["null?", _parse_field(field), operand is True]
        case ["subquery", str(entity), *conditions]:
            query = PuppetDbQuery(entity)
            query.condition = _parse_condition(conditions[0], depth + 1) if conditions else None
            return ["subquery", query]
        case ["in", fields, values]:
            field_list = fields if type(fields) is list else [fields]
            return ["in", [_parse_field(field) for field in field_list], _parse_values(values, depth)]
    raise make_syntax_failure(f"this is not a condition: {part}")


def _parse_values(part: Value, depth: int) -> PuppetDbQuery | list[Value]:
    """Parse the right operand of "in".

    It is `["array", […]]`, `["from", …]` or `["extract", fields, ["select_ENTITY", condition]]`.
    """
    match part:
        case ["array", list(items)]:
            return list(items)
        case ["from", *_]:
            return _parse_from(part, depth + 1)
        case ["extract", fields, [str(entity), *rest]] if entity.startswith("select_"):
            query = PuppetDbQuery(entity.removeprefix("select_"))
            _parse_extract(query, ["extract", fields, *rest], depth)
            return query
    raise make_syntax_failure(f'"in" takes an array or a query, not {part}')
