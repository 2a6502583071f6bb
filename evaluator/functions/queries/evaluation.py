"""Evaluation of a query to PuppetDB: the rows of an entity, selected, grouped and ordered.

The rows come from the store of the session. `queries.parsing` makes the query from its text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from operator import ge, gt, le, lt

from evaluator.functions.navigation import get_part
from evaluator.functions.queries.parsing import Aggregate, Condition, Field, PuppetDbQuery
from evaluator.issues import Failure, require
from evaluator.program.settings import Store
from evaluator.values import Value, make_key
from evaluator.values.regexps import RegexpValue
from lexer_parser.memo import LONGEST, memoize

Row = dict[str, Value]
# The fields of the rows of each entity. A field that a row lacks is null.
FIELDS: dict[str, tuple[str, ...]] = {
    "resources": (
        *("certname", "environment", "exported", "file", "line", "parameters", "resource"),
        *("tag", "tags", "title", "type"),
    ),
    "facts": ("certname", "environment", "name", "value"),
    "fact_contents": ("certname", "environment", "name", "path", "value"),
    "inventory": ("certname", "environment", "facts", "timestamp", "trusted"),
    "nodes": (
        *("cached_catalog_status", "catalog_environment", "catalog_timestamp", "certname", "deactivated"),
        *("expired", "fact", "facts_environment", "facts_timestamp", "latest_report_hash"),
        *("latest_report_noop", "latest_report_status", "report_environment", "report_timestamp"),
    ),
}
# Fields that a query can name although rows do not have them: `tag` searches `tags`, `fact` the facts of a node.
_NOT_IN_ROWS = {"resources": {"tag"}, "nodes": {"fact"}}


class EntityRows:
    """The rows of each entity, computed on demand, without deactivated and expired nodes.

    The method `_make_NAME` returns the rows of the entity NAME.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self._inactive = {
            row["certname"] for row in store.nodes if row.get("deactivated") or row.get("expired")
        }
        self._cached: dict[str, list[Row]] = {}

    def rows(self, entity: str) -> list[Row]:
        """Return the rows of an entity. Raise Failure for an unknown one or one without rows."""
        require(entity in FIELDS, "QUERY_ENTITY", entity=entity, known=", ".join(FIELDS))
        active = self._cached.get(entity)
        if active is None:
            rows = getattr(self, f"_make_{entity}")()
            require(rows, "QUERY_NOTHING_TOLD", entity=entity)
            active = self._cached[entity] = [row for row in rows if row["certname"] not in self._inactive]
        return active

    def _make_resources(self) -> Iterable[Row]:
        return self.store.resources

    def _make_facts(self) -> Iterable[Row]:
        """Return the rows of facts; those of nodes without such rows are made from the inventory."""
        with_facts = {row["certname"] for row in self.store.facts}
        others = (row for row in self.store.inventory if row["certname"] not in with_facts)
        return [
            *self.store.facts,
            *(
                {
                    "certname": row["certname"],
                    "environment": row.get("environment"),
                    "name": name,
                    "value": value,
                }
                for row in others
                for name, value in row["facts"].items()
            ),
        ]

    def _make_fact_contents(self) -> Iterable[Row]:
        """Return a row for each leaf of a structured fact; its name is the last step of its path."""
        return [
            {**fact, "path": [fact["name"], *path], "name": (fact["name"], *path)[-1], "value": value}
            for fact in self._make_facts()
            for path, value in _iterate_leaves(fact["value"])
        ]

    def _make_inventory(self) -> Iterable[Row]:
        """Return the rows of the inventory; those of other nodes are made of their facts."""
        listed = {row["certname"]: row for row in self.store.inventory}
        made_by_node: dict[str, Row] = {}
        for fact in self.store.facts:
            name = fact["certname"]
            if name not in listed:
                row = made_by_node.setdefault(
                    name, {"certname": name, "environment": fact["environment"], "facts": {}, "trusted": {}}
                )
                row["facts"][fact["name"]] = fact["value"]
        for row in made_by_node.values():
            row["trusted"] = row["facts"].get("trusted", {})
        return [*listed.values(), *made_by_node.values()]

    def _make_nodes(self) -> Iterable[Row]:
        """Return the rows of nodes; those of nodes that only other entities have are names alone."""
        by_name = {row["certname"]: row for row in self.store.nodes}
        for rows in (self.store.inventory, self.store.facts, self.store.resources):
            for row in rows:
                by_name.setdefault(row["certname"], {"certname": row["certname"]})
        return by_name.values()

    @cached_property
    def facts_of_nodes(self) -> dict[str, dict[str, Value]]:
        """The facts of each node: by the name of the node, then by the name of the fact."""
        by_node: dict[str, dict[str, Value]] = {}
        for row in self._make_facts():
            by_node.setdefault(row["certname"], {})[row["name"]] = row["value"]
        return by_node


def _iterate_leaves(value: Value) -> Iterable[tuple[tuple[str | int, ...], Value]]:
    """Yield the leaves of a structured fact, each with its path, in order."""
    pending: list[tuple[tuple[str | int, ...], Value]] = [((), value)]
    while pending:
        path, item = pending.pop()
        if type(item) in (dict, list):
            inner = item.items() if type(item) is dict else enumerate(item)
            pending += reversed([((*path, name), part) for name, part in inner])
        else:
            yield path, item


def evaluate_query(entities: EntityRows, query: PuppetDbQuery) -> list[Value]:
    """Return the rows of a query. Raises Failure."""
    rows = _select_rows(entities, query)
    read_field = _make_field_reader(entities, query.entity)
    if any(isinstance(field, Aggregate) for field in query.fields or ()) or query.group:
        rows = _group_rows(query, rows, read_field)
        read_field = _read_group
    for field, descends in reversed(query.order):  # the most important field last, as sorting is stable
        read_field({}, field)  # an unknown field is an error even if there are no rows
        rows.sort(key=lambda row, field=field: _sort_key(read_field(row, field)), reverse=descends)  # type: ignore[misc]
    rows = rows[query.offset :][: query.limit]
    if query.fields is None:
        return [dict(row) for row in rows]
    fields = [(field.name,) if isinstance(field, Aggregate) else field for field in query.fields]
    return [{_format_field(field): read_field(row, field) for field in fields} for row in rows]


def _format_field(field: Field) -> str:
    return ".".join(map(str, field))


def _sort_key(value: Value) -> tuple[int, Value]:
    """Return the sort key of a value: numbers come first, then Strings, then the rest."""
    if isinstance(value, bool | int | float):
        return 0, value
    return (1, value) if isinstance(value, str) else (2, "" if value is None else str(value))


def _make_field_reader(entities: EntityRows, entity: str) -> Callable[[Row, Field], Value]:
    """Return a function that reads a field of a row; it raises Failure for an unknown field."""
    names = FIELDS[entity]

    def read_field(row: Row, field: Field) -> Value:
        first, *path = field
        if first not in names:
            shown = ", ".join(name for name in names if name not in _NOT_IN_ROWS.get(entity, ()))
            raise Failure("QUERY_FIELD", field=_format_field(field), entity=entity, known=shown)
        if first == "fact":
            value: Value = entities.facts_of_nodes.get(row.get("certname", ""), {})
        else:
            value = row.get("tags" if first == "tag" else str(first))
        for step in path:
            value = get_part(value, step)
        return value

    return read_field


def _read_group(row: Row, field: Field) -> Value:
    """Return the value of a field in the row of a group, None if it has no such field."""
    return row.get(_format_field(field))


# --- groups


def _group_rows(
    query: PuppetDbQuery, rows: list[Row], read_field: Callable[[Row, Field], Value]
) -> list[Row]:
    """Return a row for each group of rows with the same values of some fields.

    It has these values, and the aggregates of the group.
    """
    aggregates = [field for field in query.fields or () if isinstance(field, Aggregate)]
    fields = query.group or [field for field in query.fields or () if not isinstance(field, Aggregate)]
    # without fields all rows are one group, even if there are none
    groups: dict[Value, list[Row]] = {} if fields else {make_key([]): []}
    for row in rows:
        groups.setdefault(make_key([read_field(row, field) for field in fields]), []).append(row)
    grouped = []
    for members in groups.values():
        group = {_format_field(field): read_field(members[0], field) for field in fields}
        group |= {field.name: _compute_aggregate(field, members, read_field) for field in aggregates}
        grouped.append(group)
    return grouped


def _compute_aggregate(
    aggregate: Aggregate, rows: list[Row], read_field: Callable[[Row, Field], Value]
) -> Value:
    """Return the value of an aggregate for the rows of a group."""
    if aggregate.field is None:
        return len(rows)
    values = [value for row in rows if (value := read_field(row, aggregate.field)) is not None]
    if aggregate.name == "count":
        return len(values)
    if aggregate.name in ("min", "max"):
        return (min if aggregate.name == "min" else max)(values, key=_sort_key, default=None)
    numbers = [value for value in values if type(value) in (int, float)]
    if not numbers:
        return None
    return sum(numbers) / len(numbers) if aggregate.name == "avg" else sum(numbers)


# --- conditions


def _select_rows(entities: EntityRows, query: PuppetDbQuery) -> list[Row]:
    """Return a new list of the rows that fulfil the condition of a query."""
    rows = entities.rows(query.entity)
    if query.condition is None:
        return [*rows]
    return [*filter(_make_predicate(entities, query.entity, query.condition), rows)]


def _make_predicate(entities: EntityRows, entity: str, condition: Condition) -> Callable[[Row], bool]:
    """Return the predicate of a condition. Raises Failure for an invalid condition."""
    read_field = _make_field_reader(entities, entity)
    match condition:
        case [("and" | "or") as word, *operands]:
            parts = [_make_predicate(entities, entity, part) for part in operands]
            joined = all if word == "and" else any
            return lambda row: joined(part(row) for part in parts)
        case ["not", negated]:
            inner = _make_predicate(entities, entity, negated)
            return lambda row: not inner(row)
        case ["subquery", query]:
            nodes = {row["certname"] for row in _select_rows(entities, query)}
            return lambda row: row["certname"] in nodes
        case ["in", fields, source]:
            return _make_membership_test(entities, read_field, fields, source)
    operator, field, operand = condition
    read_field({}, field)  # an unknown field is an error even if there are no rows
    if operator == "null?":
        return lambda row: (read_field(row, field) is None) is operand
    if field == ("tag",) and type(operand) is str:
        operand = operand.lower()  # tags are in lower case
    test = _TEST_MAKERS[operator](operand)
    if field in (("tag",), ("tags",)):  # one of the tags has to pass
        return lambda row: any(map(test, read_field(row, field) or ()))
    return lambda row: test(read_field(row, field))


def _make_membership_test(
    entities: EntityRows,
    read_field: Callable[[Row, Field], Value],
    fields: list[Field],
    source: PuppetDbQuery | list[Value],
) -> Callable[[Row], bool]:
    """Return the predicate of `in`.

    It holds if the values of the fields are a row of a query, or an element of a list.
    """
    is_single = len(fields) == 1
    if isinstance(source, PuppetDbQuery):
        values = [[*row.values()] for row in evaluate_query(entities, source)]
    else:
        values = [[value] if is_single else value for value in source]
    keys = {make_key(value) for value in values}
    for field in fields:
        read_field({}, field)  # an unknown field is an error even if there are no rows
    return lambda row: make_key([read_field(row, field) for field in fields]) in keys


def _make_equality_test(operand: Value) -> Callable[[Value], bool]:
    """Return the predicate of values that equal one; null equals nothing."""
    key = make_key([operand])
    return lambda value: value is not None and make_key([value]) == key


def _make_order_operator(
    compare: Callable[[Value, Value], bool],
) -> Callable[[Value], Callable[[Value], bool]]:
    """Return a function that makes the test of an order operator from the operand.

    Numbers are compared with numbers, and Strings (such as times) with Strings.
    """

    def make_test(operand: Value) -> Callable[[Value], bool]:
        classes = (str,) if type(operand) is str else (int, float)
        return lambda value: type(value) in classes and compare(value, operand)

    return make_test


@memoize(200, longest=LONGEST)
def _compile_regexp(source: str) -> Value:
    return RegexpValue(source).compiled


def _make_match_test(operand: Value) -> Callable[[Value], bool]:
    """Return the predicate of Strings in which a regular expression is found."""
    require(type(operand) is str, "QUERY_NOT_UNDERSTOOD", problem="'~' takes a regular expression as text")
    regexp = _compile_regexp(operand)
    return lambda value: type(value) is str and regexp.search(value) is not None


def _make_path_test(operand: Value) -> Callable[[Value], bool]:
    """Return the predicate of a path whose steps match an array of regular expressions."""
    require(
        type(operand) is list, "QUERY_NOT_UNDERSTOOD", problem="'~>' takes an array of regular expressions"
    )
    steps = [_make_match_test(part if type(part) is str else f"^{part}$") for part in operand]
    return lambda value: (
        type(value) is list
        and len(value) == len(steps)
        and all(test(str(step)) for test, step in zip(steps, value, strict=True))
    )


# For each operator a function that makes the test of a value from the operand.
_TEST_MAKERS: dict[str, Callable[[Value], Callable[[Value], bool]]] = {
    "=": _make_equality_test,
    ">": _make_order_operator(gt),
    "<": _make_order_operator(lt),
    ">=": _make_order_operator(ge),
    "<=": _make_order_operator(le),
    "~": _make_match_test,
    "~>": _make_path_test,
}
