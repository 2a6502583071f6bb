"""Resource expressions.

`declare` checks titles and attributes and adds the resources; the body of a define runs when the catalog is
settled, that of a class at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from evaluator import resource_types, values
from evaluator.catalog import classes, tags
from evaluator.catalog.attributes import (
    PLAIN,
    attribute_value,
    attributes_of,
    illegal_type,
    names_a_type,
    refuse_repeated,
    strings,
    titles_of,
)
from evaluator.catalog.errors import clash, duplicate, failure
from evaluator.catalog.model import Catalog, Key, Resource, capitalized
from evaluator.catalog.overrides import add_defaults
from evaluator.catalog.provenance import note_declared, note_default_body
from evaluator.catalog.scopes import BORROWED, declaring
from evaluator.issues import Failure
from evaluator.limits import RESOURCES
from evaluator.program.definitions import Site
from evaluator.program.scope import Scope
from evaluator.program.type_files import type_facts
from evaluator.types import ClassType, ResourceType
from evaluator.types.references import reference_to
from evaluator.values import DEFAULT, Regexp
from lexer_parser.errors import PuppetError
from lexer_parser.tree import nodes

if TYPE_CHECKING:
    from evaluator.resource_types import TypeFacts

# --- titles of native resources ------------------------------------------------------------------------------


_COMPILED: dict[str, Regexp] = {}


def parts(facts: TypeFacts, title: str) -> dict[str, Any]:
    """The attributes that a title gives by the first pattern that it fits. Raises Failure when it fits none."""
    for source, names in facts.patterns or ():
        pattern = _COMPILED.get(source)
        if pattern is None:
            pattern = _COMPILED[source] = Regexp(source)
        found = pattern.search(title)
        if found is not None:
            return {name: _group(found, number) for number, name in enumerate(names, 1)}
    raise Failure("TITLE_NOT_MATCHED", title=title)


def _group(found: Any, number: int) -> Any:
    try:
        return found[number]
    except IndexError:
        return None


def identity(facts: TypeFacts, resource: Resource) -> tuple[Any, ...] | None:
    """The values of all attributes that make up the name of a resource, by their names; None when it needs none."""
    given = {name: value for name, value in resource.parameters.items() if value is not None}
    found = {**(resource.titled or {}), **given}
    namevar = facts.namevar
    default = f"{capitalized(resource.type)}/{resource.title}"
    name = next((item for item in (found.get(namevar), found.get("name")) if item is not None), default)
    names = {namevar: name, "name": name, **{key: item for key, item in found.items() if item is not None}}
    key = tuple(names.get(attribute) for attribute in sorted(facts.namevars))
    if not facts.isomorphic or all(item in (None, False) for item in key) or key == (resource.title,):
        return None
    return key


# --- resource expressions ------------------------------------------------------------------------------------


def declare(scope: Scope, site: Site, type_value: Any, bodies: list[tuple[Any, list[Any]]]) -> list[Any]:
    """Evaluates a resource expression: adds its resources to the catalog, gives references to them.

    type_value  what the type expression gave;  bodies  for each body the title's value and the attributes'
    Raises PuppetError (title and attribute issues) and Failure.
    """
    return _declare_bodies(scope, site, _plan(scope, site, type_value, bodies), bodies)


def declare_one(
    scope: Scope, site: Site, type_value: Any, title: Any, parameters: dict[str, Any]
) -> list[Any]:
    """As `declare`, for an expression with one body whose attributes have names of their own.

    parameters  the attributes' values by these names, in a dict that is nobody else's
    """
    declaration: Declaration | None = scope.runtime.state.catalog.plans.get(site)
    if declaration is None or declaration.type_value is not type_value:
        declaration = _plan(scope, site, type_value, [(title, list(parameters.values()))])
    body = declaration.body
    if type(title) is not str or not title:
        return _declare_bodies(scope, site, declaration, [(title, list(parameters.values()))])
    for value in parameters.values():
        if type(value) not in PLAIN:
            _read(site, body, parameters)
            break
    return [declaration.add(scope, title, parameters, body)]


def _read(site: Site, body: Any, parameters: dict[str, Any]) -> None:
    """Puts what attributes hold in the place of values that are more than they show."""
    for operation in body.operations:
        value = parameters[operation.name]
        if type(value) not in PLAIN:
            parameters[operation.name] = attribute_value(site, operation, value)


def _plan(scope: Scope, site: Site, type_value: Any, bodies: list[tuple[Any, list[Any]]]) -> Declaration:
    """What is known of an expression: its type, looked up once."""
    node: Any = site.node
    plans = scope.runtime.state.catalog.plans
    known: Declaration | None = plans.get(site)
    if known is not None and known.type_value is type_value:
        return known
    name = _type_name(site, type_value)
    like = plans.get((name, node.form))
    if like is None:
        try:
            like = Declaration(scope, site, name, node.form, _shown(type_value))
        except (Failure, PuppetError):
            _declare_bodies(scope, site, None, bodies)  # what is wrong with titles and attributes comes first
            raise
        plans[name, node.form] = like
    declaration: Declaration = like if like.site is site else like.at(site)
    declaration.type_value = type_value
    declaration.body = node.bodies[0]
    plans[site] = declaration
    return declaration


def _declare_bodies(
    scope: Scope, site: Site, declaration: Declaration | None, bodies: list[tuple[Any, list[Any]]]
) -> list[Any]:
    """The general form: several bodies, arrays of titles, a `default:` body. Adds nothing without declaration."""
    node: Any = site.node
    local: dict[str, Any] = {}
    prepared: list[tuple[list[Any], dict[str, Any], Any]] = []
    for body, (title, found) in zip(node.bodies, bodies, strict=True):
        titles = [title] if type(title) is str and title else titles_of(site, body, title)
        parameters = attributes_of(site, body, found)
        if DEFAULT in titles:
            local = parameters
        prepared.append((titles, parameters, body))
    refuse_repeated(site, [text for titles, _, _ in prepared for text in titles])
    if declaration is None:
        return []
    references = []
    for titles, parameters, body in prepared:
        given = {**local, **parameters}
        references += [
            declaration.add(scope, text, dict(given), body) for text in titles if text is not DEFAULT
        ]
        if declaration.recorded and local and DEFAULT not in titles:
            for text in titles:
                note_default_body(declaration.catalog.resources[declaration.key(text)], parameters, local)
    return references


class Declaration:
    """Adds resources of one type on behalf of one expression or function call.

    form   "regular", "virtual" or "exported";  site  None when the place is not known
    body   the expression's first body
    type_name  in lower case; a leading `::` leads to defined types only, and messages show it
    shown  the name in messages when it is another one;  recorded  see `provenance`
    tags   texts that may be tags, which is looked at once
    Raises Failure when the type is unknown.
    """

    def __init__(
        self, scope: Scope, site: Site | None, type_name: str, form: str = "regular", shown: str = ""
    ) -> None:
        self.site = site
        self.type_name = type_name.removeprefix("::")
        self.virtual = form != "regular"
        self.exported = form == "exported"
        self.tags: set[str] = set()
        self.type_value: Any = None
        self.body: Any = None
        runtime = scope.runtime
        self.catalog: Catalog = runtime.state.catalog
        self.recorded = runtime.settings.recorded
        self.definition: Any = None
        self.native: TypeFacts | None = None
        if type_name == "class":
            return
        # by the specification every plugin's type is taken before a defined type of its name, not only Puppet's own
        first = runtime.dialect.plugin_types or type_name in resource_types.reserved()
        own = None if first else runtime.state.definitions.defines.get(type_name)
        facts = None
        if own is not None or not resource_types.exists(type_name):
            self.definition = runtime.names.find_define(self.type_name)
        if self.definition is not None:
            classes.refuse_metaparameters(self.definition)
        else:
            facts = type_facts(runtime.settings, type_name)
            if facts is None:
                raise failure(site, "RESOURCE_TYPE_NOT_FOUND", name=shown or type_name)
        self.facts: TypeFacts | None = facts
        if facts is not None and facts is not resource_types.known(type_name):
            self.native = facts
        self.namevar = facts.namevars[0] if facts is not None and len(facts.namevars) == 1 else None
        names = facts.namevars if facts is not None else ()
        self.watched = frozenset({*names, "alias", "stage"})
        self.watched_of_defaults = self.watched | {"tag"}
        self.special = type_name in MUNGED or (facts is not None and facts.patterns is not None)

    def at(self, site: Site) -> Declaration:
        """The same on behalf of another expression."""
        other = Declaration.__new__(Declaration)
        # one by one: Python reads attributes faster then than those of a dict that was copied
        for name, value in vars(self).items():
            setattr(other, name, value)
        other.site = site
        return other

    def add(self, scope: Scope, title: str, parameters: dict[str, Any], body: Any = None) -> Any:
        """Adds one resource and gives the reference to it; `parameters` must be the caller's own."""
        if scope.kind in BORROWED:
            scope = declaring(scope)
        catalog, name = self.catalog, self.type_name
        if name == "class":
            return classes.declare_class(scope, self.site, title, parameters, body)
        key = (name, title)
        resources = catalog.resources
        tag = parameters.get("tag")
        if tag is not None and (type(tag) is not str or tag not in self.tags):
            self._check_tag(tag)
        if key in resources or (catalog.aliases and key in catalog.aliases):
            raise duplicate(catalog, key, self.site)
        resource = Resource(catalog.owner, name, title, parameters, scope.container, scope, self.site, body)
        if self.native is not None:
            resource.mark(native=self.native)
        if self.recorded:
            note_declared(resource)
        watched = self.watched
        if catalog.has_defaults:
            add_defaults(resource)
            watched = self.watched_of_defaults
        if not watched.isdisjoint(parameters):
            self._check(resource)
        if self.special:
            self._make_unique(resource)
        if len(resources) >= RESOURCES.value:
            raise RESOURCES.exceeded()
        if self.virtual:
            resource.virtual = True
            if self.exported:
                resource.mark(exported=True)
        resources[key] = resource
        if self.definition is not None:
            resource.definition = self.definition
            catalog.pending.append(key)
        return reference_to(name, title)

    def add_spoken(self, scope: Scope, title: Any, parameters: dict[str, Any]) -> None:
        """As `add`, for the title that a function was given: a number stays one for those who ask."""
        text = values.text(title)
        self.add(scope, text, parameters)
        if type(title) is not str and self.type_name != "class" and type(title) is not values.Regexp:
            self.catalog.resources[self.key(text)].mark(spoken=(title,))

    def key(self, title: str) -> Key:
        """What finds the resource of a title in the catalog."""
        name = title.removeprefix("::").lower() if self.type_name == "class" else title
        return (self.type_name, name)

    def _check_tag(self, tag: Any) -> None:
        tags.checked(tag, self.site.span() if self.site else None)
        if type(tag) is str:
            self.tags.add(tag)

    def _check(self, resource: Resource) -> None:
        """Attributes that mean something for every type: the namevar, `alias`, `stage` and `tag`."""
        parameters = resource.parameters
        if parameters.get("stage") is not None:
            raise Failure("STAGE_OF_RESOURCE", resource=resource.reference)
        if parameters.get("tag") is not None:  # it may be that of a default
            self._check_tag(parameters["tag"])
        facts = self.facts
        if self.namevar is not None and facts is not None and facts.isomorphic and facts.patterns is None:
            name = parameters.get(self.namevar)
            if name is not None and name != resource.title:
                self._alias(resource, name, f'["{values.text(name)}"]')
        for alias in strings(parameters.get("alias")):
            self._alias(resource, alias, f'"{alias}"')

    def _alias(self, resource: Resource, alias: Any, shown: str) -> None:
        key = (resource.type, values.text(alias))
        owner = key if key in self.catalog.resources else self.catalog.aliases.get(key)
        if owner is not None and owner != resource.key:
            known = self.catalog.resources[owner]
            told = f'["{capitalized(resource.type)}", "{key[1]}"]'
            raise clash(resource, shown, told, known)
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
        assert self.facts is not None
        resource.mark(titled=parts(self.facts, resource.title))
        unique_name = identity(self.facts, resource)
        if unique_name is None:
            return
        if len(unique_name) == 1:
            self._alias(resource, unique_name[0], values.host_text(list(unique_name)))
            return
        unique = (resource.type, *map(values.key, unique_name))
        known = self.catalog.unique.get(unique)
        if known is not None:
            shown = values.host_text(list(unique_name))
            told = values.host_text([capitalized(resource.type), *unique_name])
            raise clash(resource, shown, told, self.catalog.resources[known])
        self.catalog.unique[unique] = resource.key


MUNGED = frozenset({"file"})  # a trailing slash of the title is no part of the path


# --- parts of a resource expression ------------------------------------------------------------------------------


def _type_name(site: Site, value: Any) -> str:
    """The lower-case type name that a type expression means, as written; raises ILLEGAL_RESOURCE_TYPE."""
    node: Any = site.node
    if type(value) is str and type(node.type_name) in (nodes.Name, nodes.Reserved):
        return value.lower()
    untitled = isinstance(value, ResourceType | ClassType) and value.title is None
    if untitled and value.type_name is not None and names_a_type(node.type_name):
        return str(value.type_name)
    raise illegal_type(site, node.type_name, value)


def typed(site: Site, value: Any) -> Any:
    """The value of a type expression, which must name a type before titles are looked at.

    Raises ILLEGAL_RESOURCE_TYPE.
    """
    _type_name(site, value)
    return value


def _shown(value: Any) -> str:
    """The name of a type as messages show it, which a type expression gave as a type or a name; "" otherwise."""
    if isinstance(value, ResourceType):
        return value.simple_name
    return value if isinstance(value, str) else ""
