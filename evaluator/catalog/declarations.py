"""Resource expressions and resource defaults.

`declare` checks titles and attributes and adds the resources; the body of a define runs when the catalog is
settled, that of a class at once.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from evaluator import issues, limits, resource_types, values
from evaluator.catalog import classes, tags
from evaluator.catalog.failures import CatalogFailure, at, place, problem, spaced
from evaluator.catalog.model import Catalog, Key, Resource, capitalized
from evaluator.catalog.references import as_attribute
from evaluator.catalog.scopes import current, declaring
from evaluator.definitions import Site
from evaluator.errors import Failure
from evaluator.scope import Scope
from evaluator.types import ClassType, ResourceType
from evaluator.values import DEFAULT
from lexer_parser import nodes
from lexer_parser.errors import Note, PuppetError
from lexer_parser.source import Span

EXPORT_IGNORED = "You cannot collect exported resources without storeconfigs being set; the export is ignored"
_PLAIN = frozenset({str, int, bool, float, type(None)})
_NOT_FOR_RESOURCES = "Only classes can set 'stage'; normal resources like {0} cannot change run stage"

Operations = list[tuple[str, str, Any, Span]]


def declare(scope: Scope, site: Site, type_value: Any, bodies: list[tuple[Any, list[Any]]]) -> list[Any]:
    """Evaluates a resource expression: adds its resources to the catalog, gives references to them.

    type_value  what the type expression gave;  bodies  for each body the title's value and the attributes' values
    Raises PuppetError (title and attribute issues) and Failure.
    """
    node: Any = site.node
    name = _type_name(site, type_value)
    local: dict[str, Any] = {}
    prepared: list[tuple[list[Any], dict[str, Any], Any]] = []
    seen: set[Any] = set()
    for body, (title, found) in zip(node.bodies, bodies, strict=True):
        titles = [title] if type(title) is str and title else _titles(site, body, title)
        for text in titles:
            if text in seen:
                raise issues.error("DUPLICATE_TITLE", site.span(), title=text)
            seen.add(text)
        parameters = _attributes(site, body, found)
        if DEFAULT in titles:
            local = parameters
        prepared.append((titles, parameters, body))
    declaration = Declaration(scope, site, name, node.form)
    references = []
    for titles, parameters, body in prepared:
        for text in titles:
            if text is not DEFAULT:
                given = (
                    {**parameters, **{k: v for k, v in local.items() if k not in parameters}}
                    if local
                    else parameters
                )
                references.append(declaration.add(text, dict(given) if len(titles) > 1 else given, body))
    return references


class Declaration:
    """Adds resources of one type on behalf of one expression or function call.

    form  "regular", "virtual" or "exported";  site  None when the place is not known
    Raises Failure when the type is unknown.
    """

    def __init__(self, scope: Scope, site: Site | None, type_name: str, form: str = "regular") -> None:
        self.scope = scope = declaring(scope)
        self.site = site
        self.type_name = type_name
        self.virtual = form != "regular"
        self.exported = form == "exported"
        runtime = scope.runtime
        self.catalog: Catalog = runtime.state.catalog
        self.definition: Any = None
        self.facts: Any = None
        if type_name == "class":
            return
        if resource_types.exists(type_name):
            self.facts = resource_types.facts(type_name)
            self.watched = frozenset({*self.facts.namevars, "alias", "stage", "tag"})
        else:
            self.definition = runtime.find_define(type_name)
            if self.definition is None:
                raise _unknown_type(runtime, type_name)
            self.watched = frozenset({"alias", "stage", "tag"})
        if self.exported:
            runtime.log("warning", EXPORT_IGNORED)

    def add(self, title: str, parameters: dict[str, Any], body: Any = None) -> Any:
        """Adds one resource and gives the reference to it; `parameters` is kept and must be the caller's own."""
        catalog, name = self.catalog, self.type_name
        if name == "class":
            return classes.declare_class(self.scope, self.site, title, parameters, body)
        key = (name, title)
        if key in catalog.resources or key in catalog.aliases:
            raise duplicate(catalog, key, self.site)
        resource = Resource(
            catalog.owner,
            name,
            title,
            parameters,
            self.scope.container,
            self.scope,
            self.site,
            body,
            self.definition,
            self.virtual,
            self.exported,
        )
        if catalog.has_defaults:
            add_defaults(resource)
        if not self.watched.isdisjoint(parameters):
            self._check(resource)
        if self.facts is not None and (name in MUNGED or len(self.facts.namevars) > 1):
            self._make_unique(resource)
        if len(catalog.resources) >= RESOURCES.value:
            raise RESOURCES.exceeded()
        catalog.resources[key] = resource
        if self.definition is not None:
            catalog.pending.append(key)
        return ResourceType(name, title)

    def _check(self, resource: Resource) -> None:
        """Attributes that mean something for every type: the namevar, `alias`, `stage` and `tag`."""
        parameters = resource.parameters
        if parameters.get("stage") is not None:
            raise Failure(_NOT_FOR_RESOURCES.format(resource.reference))
        if parameters.get("tag") is not None:
            tags.checked(parameters["tag"], self.site.span() if self.site else None)
        if self.facts is not None and len(self.facts.namevars) == 1 and self.type_name not in NOT_UNIQUE:
            name = parameters.get(self.facts.namevars[0])
            if name is not None and name != resource.title:
                self._alias(resource, name, f'["{values.text(name)}"]')
        for alias in _strings(parameters.get("alias")):
            self._alias(resource, alias, f'"{alias}"')

    def _alias(self, resource: Resource, alias: Any, shown: str) -> None:
        key = (resource.type, values.text(alias))
        owner = key if key in self.catalog.resources else self.catalog.aliases.get(key)
        if owner is not None and owner != resource.key:
            known = self.catalog.resources[owner]
            told = f'["{capitalized(resource.type)}", "{key[1]}"]'
            raise _alias_failure(resource, shown, told, known)
        if key[1] != resource.title:
            self.catalog.aliases[key] = resource.key

    def _make_unique(self, resource: Resource) -> None:
        """The types whose resources are told apart by more than their title."""
        if resource.type in MUNGED:
            path = resource.title.rstrip("/") or "/"
            if path != resource.title and "path" not in resource.parameters:
                self._alias(resource, path, f'["{path}"]')
                resource.parameters = {"path": path, **resource.parameters}
            return
        name = resource.parameters.get("name")
        identity = (
            None,
            values.text(name) if name is not None else resource.title,
            resource.parameters.get("provider"),
        )
        if resource.type == "sshkey":
            identity = (resource.parameters.get("type"), identity[1], None)
        unique = (resource.type, *map(values.key, identity))
        known = self.catalog.unique.get(unique)
        if known is not None:
            shown = values.host_text(list(identity))
            told = values.host_text([capitalized(resource.type), *identity])
            raise _alias_failure(resource, shown, told, self.catalog.resources[known])
        self.catalog.unique[unique] = resource.key


MUNGED = frozenset({"file"})  # a trailing slash of the title is no part of the path
NOT_UNIQUE = frozenset({"exec"})  # two may run the same command
RESOURCES = limits.Limit("max_resources", 100_000, "resources in the catalog")


# --- parts of a resource expression ------------------------------------------------------------------------------


def _type_name(site: Site, value: Any) -> str:
    """The lower-case type name that a type expression means; raises ILLEGAL_RESOURCE_TYPE."""
    node: Any = site.node
    if type(value) is str:
        if type(node.type_name) in (nodes.Name, nodes.Reserved):
            return value.removeprefix("::").lower()
    elif isinstance(value, ResourceType | ClassType) and value.title is None and value.type_name is not None:
        return value.type_name
    raise _illegal_type(site, node.type_name, value)


def _illegal_type(site: Site, node: nodes.Node, value: Any) -> PuppetError:
    from evaluator.types import infer

    is_reference = isinstance(value, ResourceType | ClassType) and value.title is not None
    actual = value if is_reference else _kind(value, infer)
    return issues.error("ILLEGAL_RESOURCE_TYPE", site.span(node), actual=actual)


def _unknown_type(runtime: Any, name: str) -> Failure:
    from lexer_parser.similar import nearest

    near = nearest(name, [*resource_types.NAMES, *runtime.state.definitions.defines])
    return CatalogFailure(
        f"Unknown resource type: '{name}'", help=f"did you mean '{near}'?" if near else None
    )


def _titles(site: Site, body: Any, value: Any) -> list[Any]:
    """The titles of a body, checked; raises the issues of titles."""
    if value is None:
        raise issues.error("MISSING_TITLE", site.span(body.title))
    flat: list[Any] = []
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, list):
            stack.extend(reversed(item))
        else:
            flat.append(item)
    for index, title in enumerate(flat):
        if title is None:
            raise issues.error("MISSING_TITLE_AT", site.span(body.title), index=index)
        if title == "" and type(title) is str:
            raise issues.error("EMPTY_STRING_TITLE_AT", site.span(body.title), index=index)
        if type(title) is not str and title is not DEFAULT:
            from evaluator.types import infer

            raise issues.error(
                "ILLEGAL_TITLE_TYPE_AT", site.span(body.title), index=index, actual=_kind(title, infer)
            )
    return flat


def _kind(value: Any, infer: Any) -> str:
    """A value's type in messages: without its values, but for regexps and types."""
    found = infer(value)
    return str(found if values.is_type(value) or isinstance(value, values.Regexp) else found.generalize())


def _attributes(site: Site, body: Any, found: list[Any]) -> dict[str, Any]:
    """The attributes of a body as a new dict; raises DUPLICATE_ATTRIBUTE and TYPE_MISMATCH."""
    parameters: dict[str, Any] = {}
    for operation, value in zip(body.operations, found, strict=True):
        if type(operation) is nodes.Attribute:
            if operation.name in parameters:
                raise issues.error("DUPLICATE_ATTRIBUTE", site.span(), name=operation.name)
            if type(value) not in _PLAIN:
                value = attribute_value(site, operation, value)
            parameters[operation.name] = value
        else:
            for name, part in _splat(site, operation, value):
                if name in parameters:
                    raise issues.error("DUPLICATE_ATTRIBUTE", site.span(), name=name)
                parameters[name] = part
    return parameters


def _splat(site: Site, operation: Any, value: Any) -> Iterable[tuple[str, Any]]:
    """The pairs of a `* => hash`; raises TYPE_MISMATCH."""
    if not isinstance(value, dict):
        from evaluator.types import infer

        raise issues.error(
            "TYPE_MISMATCH", site.span(operation.expr), expected="Hash", actual=_kind(value, infer)
        )
    for name, part in values.items(value):
        if type(name) is not str:
            raise issues.error(
                "TYPE_MISMATCH", site.span(operation.expr), expected="Hash[String, Any]", actual="Hash"
            )
        if type(part) not in _PLAIN:
            part = attribute_value(site, operation, part)
        yield name, part


def attribute_value(site: Site, operation: nodes.Node, value: Any) -> Any:
    """A value as attributes hold it; raises for what no attribute can have: iterators and the bare type Class."""
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, list):
            stack.extend(item)
        elif isinstance(item, dict):
            stack.extend(item.values())
        elif isinstance(item, values.PuppetIterator):
            raise issues.error(
                "RUNTIME_ERROR",
                site.span(operation),
                label="a '=>' expression",
                detail="Use of an Iterator is not supported here",
            )
        elif isinstance(item, ClassType) and item.name is None:
            raise issues.error(
                "RUNTIME_ERROR",
                site.span(operation),
                label="a '=>' expression",
                detail='No title provided and "class" is not a valid resource reference',
            )
    return as_attribute(value)


def operations(site: Site, found: list[Any]) -> Operations:
    """The attributes of defaults, overrides and collectors: (name, "=>" or "+>", value, span), in order."""
    result: Operations = []
    node: Any = site.node
    for operation, value in zip(node.operations, found, strict=True):
        if type(operation) is nodes.Attribute:
            if type(value) not in _PLAIN:
                value = attribute_value(site, operation, value)
            result.append((operation.name, operation.operator, value, site.span(operation)))
        else:
            span = site.span(operation)
            result += [(name, "=>", part, span) for name, part in _splat(site, operation, value)]
    return result


def _strings(value: Any) -> list[str]:
    if value is None:
        return []
    return [values.text(item) for item in value] if isinstance(value, list) else [values.text(value)]


# --- clashes ---------------------------------------------------------------------------------------------------


def duplicate(catalog: Catalog, key: Key, site: Site | None) -> Failure:
    """The failure of a second declaration."""
    known = catalog.resources.get(key) or catalog.find(key)
    assert known is not None
    shown = Resource(None, key[0], key[1], {}, key).reference
    span = site.span() if site is not None else None
    text = f"Duplicate declaration: {shown} is already declared{at(known.span)}; cannot redeclare{spaced(place(span))}"
    notes = (Note("first declared here", known.span),) if known.span is not None else ()
    return CatalogFailure(
        text, notes=notes, help="give one of them another title, or use one resource for both"
    )


def _alias_failure(resource: Resource, alias: str, told: str, known: Resource) -> Failure:
    text = (
        f"Cannot alias {resource.reference} to {alias}{at(resource.span)};"
        f" resource {told} already declared{spaced(place(known.span))}"
    )
    return CatalogFailure(text, notes=(Note("first declared here", known.span),) if known.span else ())


# --- defaults --------------------------------------------------------------------------------------------------


def set_defaults(scope: Scope, site: Site, type_value: Any, found: list[Any]) -> Any:
    """Evaluates `Type { attribute => value }`: kept in the scope for resources declared later.

    Raises ILLEGAL_RESOURCE_TYPE, DEFAULT_REDEFINED and Failure; gives the type.
    """
    node: Any = site.node
    scope = declaring(scope)
    target = type_value
    if isinstance(target, ResourceType) and target.title is not None:
        raise issues.error("ILLEGAL_OVERRIDDEN_TYPE", site.span(), actual=values.label(target))
    if not isinstance(target, ResourceType) or target.type_name is None or target.type_name == "class":
        raise _illegal_type(site, node.type_ref, target)
    if not resource_types.exists(target.type_name) and scope.runtime.find_define(target.type_name) is None:
        raise issues.error("UNKNOWN_RESOURCE_TYPE", site.span(), name=target.simple_name)
    known = dict(scope.defaults.get(target.type_name, {}))
    for name, operator, value, span in operations(site, found):
        inherited = _default(scope, target.type_name, name) if operator == "+>" else None
        if inherited is not None:
            value = appended(inherited[0], value)
        if name in known and inherited is None:
            raise problem(
                "DEFAULT_REDEFINED",
                span,
                type=capitalized(target.type_name),
                name=name,
                notes=(Note("first set here", known[name][1]),),
            )
        known[name] = (value, span)
    scope.defaults = {**scope.defaults, target.type_name: known}
    scope.runtime.state.catalog.has_defaults = True
    return target


def _default(scope: Scope, type_name: str, name: str) -> Any:
    """The (value, Span) of a default as seen from a scope, or None."""
    for owner in _dynamic(scope):
        found = owner.defaults.get(type_name, {}).get(name)
        if found is not None:
            return found
    return None


def _dynamic(scope: Scope) -> Iterable[Scope]:
    """The scopes along which defaults are found: an inherited class, else what caused the evaluation."""
    state = scope.runtime.state
    following: Scope | None = scope
    while following is not None:
        following = current(state, following)
        yield following
        parent = following.parent
        inherits = following.kind == "class" and parent is not None and parent.kind == "class"
        following = parent if inherits else following.caller or parent


def add_defaults(resource: Resource) -> None:
    """Gives a new resource the defaults that its scope sees for attributes it does not have."""
    assert resource.scope is not None
    for scope in _dynamic(resource.scope):
        found = scope.defaults.get(resource.type)
        if found:
            for name, (value, span) in found.items():
                if name not in resource.parameters:
                    resource.parameters[name] = value
                    resource.places = {**(resource.places or {}), name: span}
                    resource.defaulted |= {name}


def appended(before: Any, value: Any) -> list[Any]:
    """What `+>` makes of an attribute's value: one flat array."""
    found: list[Any] = []
    stack = [value, before]
    while stack:
        item = stack.pop()
        if isinstance(item, list):
            stack.extend(reversed(item))
        else:
            found.append(item)
    return found
