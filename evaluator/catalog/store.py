"""Exported resources, other resources and facts of other nodes, read from data.

The data are in one of these forms, or a list of them. The first five are results of PuppetDB.

    {"certname": NODE, "type": …, "title": …, "exported": …, "tags": […], "parameters": {…}}    a resource
    {"certname": NODE, "name": FACT, "value": …}                                                a fact
    {"certname": NODE, "facts": {"data": [{"name": FACT, "value": …}]}}                         a set of facts
    {"certname": NODE, "facts": {…}, "trusted": {…}}                                            an inventory
    {"certname": NODE, "deactivated": …}                                                        a node
    {"name": NODE, "resources": […]}             a catalog, of the released Puppet or as sessions write it
    {"catalog": {…}, "exports": [rows]}          a catalog, and the resources that it exports
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from evaluator import issues
from evaluator.catalog import tags
from evaluator.catalog.declarations import ResourceDeclarer
from evaluator.catalog.errors import make_catalog_error
from evaluator.catalog.model import Catalog, CatalogResource, capitalize_name, make_resource
from evaluator.catalog.scopes import get_current_scope
from evaluator.issues import Failure
from evaluator.program.definitions import Scope
from evaluator.program.settings import Store
from evaluator.values import Value
from lexer_parser.source import Span

if TYPE_CHECKING:
    from evaluator.running.runtime import Runtime

Row = dict[str, Any]
_MOST_NESTED = 4  # lists and catalogs around a row
_ONLY_IN_RESOURCES_AND_FACTS = {"name", "title", "type", "value"}  # keys


def read_store(data: Value) -> Store:
    """Return the store that data describe. Raises ValueError for data of another form."""
    # A row belongs to the first of these keys that it has: resources have a type, but facts have none.
    rows: dict[str, list[Row]] = {"type": [], "value": [], "facts": [], "certname": []}
    for row in _read_rows(data):
        rows[next(key for key in rows if key in row)].append(row)
    return Store(
        resources=tuple(rows["type"]),
        facts=tuple(rows["value"]),
        inventory=tuple(rows["facts"]),
        nodes=tuple(rows["certname"]),
    )


def _read_rows(data: Value, node: str | None = None, depth: int = 0) -> Iterator[Row]:
    """Yield the rows of resources, facts, inventories and nodes.

    Args:
        data: A row, a list of data, or data that contain rows, in the forms above.
        node: The certname for rows without one.
        depth: How many lists and catalogs enclose the data.
    """
    if isinstance(data, list | tuple) and depth < _MOST_NESTED:
        for item in data:
            yield from _read_rows(item, node, depth + 1)
    elif not isinstance(data, Mapping):
        raise ValueError(f"this is not data of other nodes' resources: {_shorten(data)}")
    elif "catalog" in data:
        yield from _read_rows(data["catalog"], node, depth + 1)
        yield from _read_rows(data.get("exports") or [], node, depth + 1)
    elif "resources" in data:
        resources = data["resources"]
        of_database = isinstance(resources, Mapping) and "data" in resources
        owner = data.get("certname") or data.get("name") or node
        yield from _read_rows(resources["data"] if of_database else resources, owner, depth + 1)
    elif isinstance(data.get("facts"), Mapping) and isinstance(data["facts"].get("data"), list):
        owner = data.get("certname") or node
        facts = data["facts"]["data"]
        if not all(isinstance(fact, Mapping) for fact in facts):
            raise ValueError(f"these are not the facts of a node: {_shorten(facts)}")
        yield from _read_rows([{**fact, "certname": owner} for fact in facts], owner, depth + 1)
    else:
        yield _read_row(data, node)


def _read_row(data: Mapping[str, Value], node: str | None) -> Row:
    """Return a row with the keys of its form. Raise ValueError for data of another form."""
    owner = data.get("certname", node)
    kind, title, name = data.get("type"), data.get("title"), data.get("name")
    if isinstance(owner, str) and isinstance(name, str) and "value" in data:  # a fact
        return {"environment": None, **data, "certname": owner}
    if (  # a node, or an inventory
        isinstance(owner, str)
        and not data.keys() & _ONLY_IN_RESOURCES_AND_FACTS
        and isinstance(data.get("facts", {}), Mapping)
    ):
        return {**data, "certname": owner}
    labels, parameters = data.get("tags") or [], data.get("parameters") or {}
    if not (
        isinstance(owner, str)
        and isinstance(kind, str)
        and isinstance(title, str)
        and isinstance(labels, list)
        and isinstance(parameters, Mapping)
    ):
        raise ValueError(f"not a resource with a certname, a type and a title: {_shorten(data)}")
    return {
        "certname": owner,
        "environment": data.get("environment"),
        "resource": data.get("resource"),
        "type": capitalize_name(kind.lower()),
        "title": title,
        "exported": data.get("exported") is True,
        "tags": [str(label).lower() for label in labels],
        "parameters": {str(name): value for name, value in parameters.items()},
        "file": data.get("file"),
        "line": data.get("line"),
    }


def _shorten(data: Value) -> str:
    text = repr(data)
    return text if len(text) <= 100 else f"{text[:100]}…"


# --- collecting


def find_exported_rows(runtime: Runtime, type_name: str) -> Iterator[Row]:
    """Return the resources of a type that other nodes export, in the order of the store."""
    store, own, shown_type = runtime.settings.store, runtime.settings.node, capitalize_name(type_name)
    return (
        row
        for row in (store.resources if store is not None else ())
        if row["exported"] and row["type"] == shown_type and row["certname"] != own
    )


def declare_exported(scope: Scope, type_name: str, row: Row, span: Span | None) -> CatalogResource | None:
    """Declare a resource of another node at a collector; return None if that was done before.

    Raises:
        PuppetError: EXPORTED_TWICE for a resource of another origin, or the reason why it cannot be declared.
    """
    catalog: Catalog = scope.runtime.state.catalog
    title = row["title"]
    existing = catalog.find((type_name, title))
    if existing is not None:
        if existing.exporter == row["certname"]:
            return None
        raise make_catalog_error("EXPORTED_TWICE", placeless=True, resource=f"{row['type']}[{title}]")
    try:
        declarer = ResourceDeclarer(scope, None, type_name)
        declarer.add(get_current_scope(scope.runtime.state, scope), title, dict(row["parameters"]))
    except Failure as failure:
        raise issues.make_labelled_error(failure, "an Exported Query", span) from failure
    resource = catalog.resources[type_name, title]
    resource.set_optional(exporter=row["certname"])
    tags.add_tags(catalog, resource, row["tags"])
    return resource


def make_candidate(row: Row) -> tuple[CatalogResource, frozenset[str]]:
    """Return a resource outside of any catalog for queries to test, and its tags."""
    resource = make_resource(None, row["type"].lower(), row["title"], row["parameters"], container=("", ""))
    return resource, frozenset(row["tags"])
