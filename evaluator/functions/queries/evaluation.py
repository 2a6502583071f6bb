"""Evaluation of a query: the rows of the entities, selected, grouped and ordered."""

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
# the entities, and the fields of their rows; a field that a row does not have is null
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
# fields that a query can name, and that are not part of a row
_NOT_IN_ROWS = {"resources": {"tag"}, "nodes": {"fact"}}


class EntityRows:
    """The rows of each entity, computed on demand, without deactivated and expired nodes.

    The method for the entity `NAME` is `_NAME`.
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
        found = self._cached.get(entity)
        if found is None:
            rows = getattr(self, f"_{entity}")()
            require(rows, "QUERY_NOTHING_TOLD", entity=entity)
            found = self._cached[entity] = [row for row in rows if row["certname"] not in self._inactive]
        return found

    def _resources(self) -> Iterable[Row]:
        return self.store.resources

    def _facts(self) -> Iterable[Row]:
        known = {row["certname"] for row in self.store.facts}
        further = (row for row in self.store.inventory if row["certname"] not in known)
        return [
            *self.store.facts,
            *(
                {
                    "certname": row["certname"],
                    "environment": row.get("environment"),
                    "name": name,
                    "value": value,
                }
                for row in further
                for name, value in row["facts"].items()
            ),
        ]

    def _fact_contents(self) -> Iterable[Row]:
        return [
            {**fact, "path": [fact["name"], *path], "name": (fact["name"], *path)[-1], "value": value}
            for fact in self._facts()
            for path, value in _iterate_leaves(fact["value"])
        ]

    def _inventory(self) -> Iterable[Row]:
        """Return the rows of the inventory; those of other nodes are made of their facts."""
        found = {row["certname"]: row for row in self.store.inventory}
        of_nodes: dict[str, Row] = {}
        for fact in self.store.facts:
            name = fact["certname"]
            if name not in found:
                row = of_nodes.setdefault(
                    name, {"certname": name, "environment": fact["environment"], "facts": {}, "trusted": {}}
                )
                row["facts"][fact["name"]] = fact["value"]
        for row in of_nodes.values():
            row["trusted"] = row["facts"].get("trusted", {})
        return [*found.values(), *of_nodes.values()]

    def _nodes(self) -> Iterable[Row]:
        found = {row["certname"]: row for row in self.store.nodes}
        for rows in (self.store.inventory, self.store.facts, self.store.resources):
            for row in rows:
                found.setdefault(row["certname"], {"certname": row["certname"]})
        return found.values()

    @cached_property
    def facts_of_nodes(self) -> dict[str, dict[str, Value]]:
        """The facts by name, of each node by its name."""
        found: dict[str, dict[str, Value]] = {}
        for row in self._facts():
            found.setdefault(row["certname"], {})[row["name"]] = row["value"]
        return found


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
    rows = [*entities.rows(query.entity)]
    if query.condition is not None:
        rows = list(filter(_make_predicate(entities, query.entity, query.condition), rows))
    value_of = _make_reader(entities, query.entity)
    if any(isinstance(field, Aggregate) for field in query.fields or ()) or query.group:
        rows = _group_rows(query, rows, value_of)
        value_of = _read_group
    for field, descends in reversed(query.order):
        value_of({}, field)  # an unknown field is an error even if there are no rows
        rows.sort(key=lambda row, field=field: _sort_key(value_of(row, field)), reverse=descends)  # type: ignore[misc]
    rows = rows[query.offset :]
    rows = rows if query.limit is None else rows[: query.limit]
    if query.fields is None:
        return [dict(row) for row in rows]
    names = [field.name if isinstance(field, Aggregate) else field for field in query.fields]
    fields = [(name,) if isinstance(name, str) else name for name in names]
    return [{_column_name(field): value_of(row, field) for field in fields} for row in rows]


def _column_name(field: Field) -> str:
    return ".".join(map(str, field))


def _sort_key(value: Value) -> tuple[int, Value]:
    """Return the sort key of a value: numbers come first, then Strings, then the rest."""
    if isinstance(value, bool | int | float):
        return 0, value
    return (1, value) if isinstance(value, str) else (2, "" if value is None else str(value))


def _make_reader(entities: EntityRows, entity: str) -> Callable[[Row, Field], Value]:
    """Return a function that reads a field of a row; it raises Failure for an unknown field."""
    names = FIELDS[entity]

    def value_of(row: Row, field: Field) -> Value:
        first, *path = field
        if first not in names:
            shown = ", ".join(name for name in names if name not in _NOT_IN_ROWS.get(entity, ()))
            raise Failure("QUERY_FIELD", field=_column_name(field), entity=entity, known=shown)
        if first == "fact":
            value: Value = entities.facts_of_nodes.get(row.get("certname", ""), {})
        else:
            value = row.get("tags" if first == "tag" else str(first))
        for step in path:
            value = get_part(value, step)
        return value

    return value_of


def _read_group(row: Row, field: Field) -> Value:
    """Return the value of a field in the row of a group, None if it has no such field."""
    return row.get(_column_name(field))


# --- groups


def _group_rows(query: PuppetDbQuery, rows: list[Row], value_of: Callable[[Row, Field], Value]) -> list[Row]:
    """Return a row for each group of rows with the same values of some fields.

    It has these values, and the aggregates of the group.
    """
    plain = [field for field in query.fields or () if not isinstance(field, Aggregate)]
    fields = query.group or plain
    # without fields all rows are one group, even if there are none
    groups: dict[Value, list[Row]] = {} if fields else {make_key([]): []}
    for row in rows:
        groups.setdefault(make_key([value_of(row, field) for field in fields]), []).append(row)
    found = []
    for members in groups.values():
        made = {_column_name(field): value_of(members[0], field) for field in fields}
        for field in query.fields or ():
            if isinstance(field, Aggregate):
                made[field.name] = _aggregate(field, members, value_of)
        found.append(made)
    return found


def _aggregate(wanted: Aggregate, rows: list[Row], value_of: Callable[[Row, Field], Value]) -> Value:
    """Return the value of an aggregate for the rows of a group."""
    if wanted.field is None:
        return len(rows)
    values = [value for row in rows if (value := value_of(row, wanted.field)) is not None]
    if wanted.name == "count":
        return len(values)
    if wanted.name in ("min", "max"):
        return (min if wanted.name == "min" else max)(values, key=_sort_key, default=None)
    numbers = [value for value in values if type(value) in (int, float)]
    if not numbers:
        return None
    return sum(numbers) / len(numbers) if wanted.name == "avg" else sum(numbers)


# --- conditions


def _make_predicate(entities: EntityRows, entity: str, condition: Condition) -> Callable[[Row], bool]:
    """Return the predicate of a condition. Raises Failure for an invalid condition."""
    value_of = _make_reader(entities, entity)
    match condition:
        case [("and" | "or") as word, *operands]:
            parts = [_make_predicate(entities, entity, part) for part in operands]
            joined = all if word == "and" else any
            return lambda row: joined(part(row) for part in parts)
        case ["not", negated]:
            inner = _make_predicate(entities, entity, negated)
            return lambda row: not inner(row)
        case ["subquery", query]:
            rows = entities.rows(query.entity)
            if query.condition is not None:
                rows = list(filter(_make_predicate(entities, query.entity, query.condition), rows))
            nodes = {row["certname"] for row in rows}
            return lambda row: row["certname"] in nodes
        case ["in", fields, looked]:
            return _make_membership(entities, value_of, fields, looked)
    word, field, wanted = condition
    value_of({}, field)  # an unknown field is an error even if there are no rows
    if word == "null?":
        return lambda row: (value_of(row, field) is None) is wanted
    fits = _COMPARED[word](wanted.lower() if field == ("tag",) and type(wanted) is str else wanted)
    if field[0] in ("tag", "tags") and len(field) == 1:
        return lambda row: any(map(fits, value_of(row, field) or ()))
    return lambda row: fits(value_of(row, field))


def _make_membership(
    entities: EntityRows,
    value_of: Callable[[Row, Field], Value],
    fields: list[Field],
    looked: PuppetDbQuery | list[Value],
) -> Callable[[Row], bool]:
    """Return the predicate of `in`.

    It holds if the values of the fields are a row of a query, or an element of a list.
    """
    is_single = len(fields) == 1
    if isinstance(looked, PuppetDbQuery):
        values = [[*row.values()] for row in evaluate_query(entities, looked)]
    else:
        values = [[value] if is_single else value for value in looked]
    found = {make_key(value) for value in values}
    for field in fields:
        value_of({}, field)  # an unknown field is an error even if there are no rows
    return lambda row: make_key([value_of(row, field) for field in fields]) in found


def _equals(wanted: Value) -> Callable[[Value], bool]:
    """Return the predicate of values that equal one; null equals nothing."""
    key = make_key([wanted])
    return lambda value: value is not None and make_key([value]) == key


def _compares(compare: Callable[[Value, Value], bool]) -> Callable[[Value], Callable[[Value], bool]]:
    """Return a comparison of numbers with numbers, or of Strings (such as times) with Strings."""

    def by(wanted: Value) -> Callable[[Value], bool]:
        kinds = (str,) if type(wanted) is str else (int, float)
        return lambda value: type(value) in kinds and compare(value, wanted)

    return by


@memoize(200, longest=LONGEST)
def _regexp(source: str) -> Value:
    return RegexpValue(source).compiled


def _matches(wanted: Value) -> Callable[[Value], bool]:
    """Return the predicate of Strings in which a regular expression is found."""
    require(type(wanted) is str, "QUERY_NOT_UNDERSTOOD", problem="'~' takes a regular expression as text")
    regexp = _regexp(wanted)
    return lambda value: type(value) is str and regexp.search(value) is not None


def _matches_path(wanted: Value) -> Callable[[Value], bool]:
    """Return the predicate of a path whose steps match an array of regular expressions."""
    require(
        type(wanted) is list, "QUERY_NOT_UNDERSTOOD", problem="'~>' takes an array of regular expressions"
    )
    steps = [_matches(part if type(part) is str else f"^{part}$") for part in wanted]
    return lambda value: (
        type(value) is list
        and len(value) == len(steps)
        and all(fits(str(step)) for fits, step in zip(steps, value, strict=True))
    )


_COMPARED: dict[str, Callable[[Value], Callable[[Value], bool]]] = {
    "=": _equals,
    ">": _compares(gt),
    "<": _compares(lt),
    ">=": _compares(ge),
    "<=": _compares(le),
    "~": _matches,
    "~>": _matches_path,
}
