"""Resource expressions: adding resources to the catalog.

`declare_resources` checks titles and attributes and adds the resources. The body of a class runs at once,
that of a define when the fixed point is computed.

Specification: Catalog Expressions, "Resource Expression".
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from evaluator import resource_types, values
from evaluator.catalog import classes, tags
from evaluator.catalog.attributes import (
    check_attribute_value,
    check_titles,
    check_unique_titles,
    collect_attributes,
    make_illegal_type_error,
)
from evaluator.catalog.errors import duplicate_error, get_alias_type, make_alias_error, make_statement_error
from evaluator.catalog.model import (
    Catalog,
    CatalogResource,
    Key,
    capitalize_name,
    find_operation,
    make_resource,
)
from evaluator.catalog.overrides import apply_defaults
from evaluator.catalog.parameters import has_stage
from evaluator.catalog.provenance import record_declaration, record_default_body
from evaluator.catalog.scopes import BORROWED, find_declaring_scope
from evaluator.issues import Failure, format_message, require, require_found
from evaluator.limits import RESOURCES
from evaluator.program.definitions import Scope, Site
from evaluator.program.modules import get_type_facts
from evaluator.types import ClassType, ResourceType
from evaluator.types.references import make_reference
from evaluator.values import DEFAULT, RegexpValue, Value
from evaluator.values.dag import PLAIN, flatten_lists, memoize_recursion
from evaluator.values.kind import TIMESPAN, TIMESTAMP, get_kind
from evaluator.values.ruby_values import to_ruby_s
from lexer_parser.errors import PuppetError
from lexer_parser.memo import memoize
from lexer_parser.source import Span
from lexer_parser.tree import nodes

if TYPE_CHECKING:
    from evaluator.resource_types import TypeFacts

# --- titles of native resources ------------------------------------------------------------------------------


@memoize(1000)
def _compile_title_pattern(source: str) -> RegexpValue:
    return RegexpValue(source)


def match_title(facts: TypeFacts, title: str) -> dict[str, Value] | None:
    """Return the attributes that the first matching title pattern of a type extracts; None without a match."""
    for source, names in facts.patterns or ():
        match = _compile_title_pattern(source).search(title)
        if match is not None:
            return dict(zip_longest(names, match.groups()[: len(names)]))
    return None


BodyValues = tuple[Value, dict[str, Value]]  # the value of a title, and attributes by name


def compute_identity(facts: TypeFacts, title: str, parameters: dict[str, Value]) -> tuple[Value, ...] | None:
    """Return the values of the attributes that identify a resource, ordered by name.

    None if the title alone identifies it, or if several resources may manage the same thing.
    """
    sources = (match_title(facts, title) or {}, parameters)
    attributes = {name: value for source in sources for name, value in source.items() if value is not None}
    # the namevar and `name` are two names of one attribute
    default = f"{capitalize_name(facts.name)}/{title}"
    name = attributes.get(facts.namevar, attributes.get("name", default))
    attributes = {facts.namevar: name, "name": name, **attributes}
    identity = tuple(attributes.get(attribute) for attribute in sorted(facts.namevars))
    is_empty = all(value is None or value is False for value in identity)
    return None if not facts.isomorphic or is_empty or identity == (title,) else identity


# --- resource expressions ------------------------------------------------------------------------------------


def declare_resources(scope: Scope, site: Site, type_value: Value, bodies: list[BodyValues]) -> list[Value]:
    """Evaluate a resource expression: add its resources and return references to them.

    Args:
        type_value: The value of the type expression.
        bodies: For each body the value of its title and its attributes.

    Raises:
        PuppetError: For wrong titles and attributes.
        Failure: For errors without a place of their own.
    """
    return _declare_bodies(scope, site, _find_declarer(scope, site, type_value, bodies), bodies)


def declare_resource(
    scope: Scope, site: Site, type_value: Value, title: Value, parameters: dict[str, Value]
) -> list[Value]:
    """Evaluate a resource expression with one body and distinct attribute names.

    This is the fast path of `declare_resources`.

    Args:
        parameters: The attributes by name, in a dict that the caller must not use afterwards.
    """
    declarer: ResourceDeclarer | None = scope.runtime.state.catalog.declarers.get(site)
    if declarer is None or declarer.type_value is not type_value:
        declarer = _find_declarer(scope, site, type_value, _make_bodies(site, title, parameters))
    body = declarer.body
    if type(title) is not str or not title:
        return _declare_bodies(scope, site, declarer, _make_bodies(site, title, parameters))
    for value in parameters.values():
        if type(value) not in PLAIN:
            _convert_values(site, body, parameters)
            break
    return [declarer.add(scope, title, parameters, body)]


def _make_bodies(site: Site, title: Value, parameters: dict[str, Value]) -> list[BodyValues]:
    """Return the only body of an expression, with its attributes converted."""
    node: Any = site.node
    return [(title, collect_attributes(site, node.bodies[0], list(parameters.values())))]


def _convert_values(site: Site, body: nodes.ResourceBody, parameters: dict[str, Value]) -> None:
    """Replace the values of attributes by the form that attributes store."""
    for operation in body.operations:
        assert isinstance(operation, nodes.Attribute)
        value = parameters[operation.name]
        if type(value) not in PLAIN:
            parameters[operation.name] = check_attribute_value(site, operation, value)


def _find_declarer(scope: Scope, site: Site, type_value: Value, bodies: list[BodyValues]) -> ResourceDeclarer:
    """Return the declarer for an expression.

    The type is looked up once and cached in the catalog.
    """
    node: Any = site.node
    declarers = scope.runtime.state.catalog.declarers
    cached: ResourceDeclarer | None = declarers.get(site)
    if cached is not None and cached.type_value is type_value:
        return cached
    name = _resolve_type_name(site, type_value)
    similar = declarers.get((name, node.form))
    if similar is None:
        try:
            similar = ResourceDeclarer(scope, site, name, node.form, _format_type_name(type_value))
        except (Failure, PuppetError):
            _check_bodies(site, bodies)  # errors of titles come first
            raise
        declarers[name, node.form] = similar
    declarer: ResourceDeclarer = similar if similar.site is site else similar.copy_for(site)
    declarer.type_value = type_value
    declarer.body = node.bodies[0]
    declarers[site] = declarer
    return declarer


def _check_bodies(site: Site, bodies: list[BodyValues]) -> list[list[Value]]:
    """Return the titles of each body of an expression. Raise PuppetError for wrong ones."""
    node: Any = site.node
    titles_by_body = [
        [title] if type(title) is str and title else check_titles(site, body, title)
        for body, (title, _) in zip(node.bodies, bodies, strict=True)
    ]
    check_unique_titles(site, [title for titles in titles_by_body for title in titles])
    return titles_by_body


def _declare_bodies(
    scope: Scope, site: Site, declarer: ResourceDeclarer, bodies: list[BodyValues]
) -> list[Value]:
    """Declare the resources of several bodies, arrays of titles and a `default:` body."""
    node: Any = site.node
    titles_by_body = _check_bodies(site, bodies)
    # the attributes of the `default:` body, and their places
    defaults: dict[str, Any] = {}
    places: dict[str, Span] = {}
    for body, titles, (_, parameters) in zip(node.bodies, titles_by_body, bodies, strict=True):
        if DEFAULT in titles:
            defaults = parameters
            places = {name: site.span(find_operation(body, name)) for name in defaults}
    references = []
    for body, titles, (_, parameters) in zip(node.bodies, titles_by_body, bodies, strict=True):
        attributes = {**defaults, **parameters}
        references += [
            declarer.add(scope, title, dict(attributes), body) for title in titles if title is not DEFAULT
        ]
        for title in titles if defaults and DEFAULT not in titles else ():
            resource = declarer.catalog.resources[declarer.to_key(title)]
            inherited = {name: place for name, place in places.items() if name not in parameters}
            resource.set_optional(places=inherited | (resource.places or {}))
            if declarer.recorded:
                record_default_body(resource, parameters, defaults, places)
    return references


def _make_load_error(scope: Scope, site: Site | None, facts: TypeFacts) -> Exception:
    """Return the error of a type whose source cannot be loaded, and log it, as released."""
    if facts.valid is not None and not facts.attributes:
        scope.runtime.log("warning", f"Loaded puppet/type/{facts.name} but no class was created")
    arguments: dict[str, Value] = {"name": facts.name, "problem": facts.failure}
    scope.runtime.log("err", format_message("TYPE_NOT_LOADED", arguments))
    return make_statement_error(site, "TYPE_NOT_LOADED", **arguments)


class ResourceDeclarer:
    """A factory that adds resources of one type for one resource expression or function call.

    Attributes:
        virtual, exported: The form of the expression; what is exported is virtual, too.
        site: The expression; None when the place is unknown.
        type_value: The value of its type expression, for which the declarer is valid.
        body: The first body of the expression.
        type_name: The type in lower case without leading `::`, which restricts the look-up to defined types.
        recorded: True when causes of attribute values are recorded; see `provenance`.
        valid_tags: Strings that are known to be valid tags.
        checked_names: Attributes with a special meaning, which need `_check_special`.
        has_identity: True if more than the title identifies a resource.
        is_plain: True if a resource is complete without `_complete`.
        definition: The define; None for a native type.
        facts: The facts about a native type; None for a define.
        own_facts: The facts if they differ from those that are built in, which resources need not store.
        namevar: The attribute that the title sets; None if it sets several.

    Raises:
        PuppetError: When the type is unknown.
    """

    def __init__(
        self, scope: Scope, site: Site | None, type_name: str, form: str = "regular", shown: str = ""
    ) -> None:
        self.site = site
        self.type_name = type_name.removeprefix("::")
        self.virtual = form != "regular"
        self.exported = form == "exported"
        self.valid_tags: set[str] = set()
        self.type_value: Any = None
        self.body: Any = None
        runtime = scope.runtime
        self.catalog: Catalog = runtime.state.catalog
        self.recorded = runtime.settings.recorded
        self.definition: Any = None
        self.own_facts: TypeFacts | None = None
        if type_name == "class":
            return
        # by the specification all types of plugins precede defined types, not only Puppet's own
        is_native_first = runtime.dialect.plugin_types or type_name in resource_types.list_reserved_names()
        define = None if is_native_first else runtime.state.definitions.defines.get(type_name)
        is_plugin = define is None and "::" not in type_name
        facts = get_type_facts(runtime.settings, type_name) if is_plugin else None
        # A define is loaded only if no type of Puppet, or of a module on the path, has its name.
        if facts is None or (facts.is_builtin and not is_native_first):
            self.definition = runtime.names.find_define(self.type_name)
        if self.definition is not None:
            classes.check_metaparameters(self.definition)
            facts = None
        elif facts is None:
            raise make_statement_error(site, "RESOURCE_TYPE_NOT_FOUND", name=shown or type_name)
        elif facts.failure:
            raise _make_load_error(scope, site, facts)
        elif facts.valid is not None and facts.patterns is None and len(facts.namevars) > 1:
            raise make_statement_error(site, "NO_TITLE_PATTERNS")
        self.facts: TypeFacts | None = facts
        is_default = resource_types.is_known(type_name) and facts is resource_types.get_facts(type_name)
        self.own_facts = None if is_default else facts
        names = facts.namevars if facts is not None else ("name",)
        self.namevar = names[0] if len(names) == 1 else None
        self.checked_names = frozenset({*names, "alias", "stage"})
        self.has_identity = type_name in MUNGED or (facts is not None and facts.patterns is not None)
        self.is_plain = not (self.has_identity or self.virtual or self.definition is not None)

    def copy_for(self, site: Site) -> ResourceDeclarer:
        """Return a copy for another expression of the same type and form."""
        other = ResourceDeclarer.__new__(ResourceDeclarer)
        # one by one, because Python reads attributes of a copied dict more slowly
        for name, value in vars(self).items():
            setattr(other, name, value)
        other.site = site
        return other

    def add(
        self, scope: Scope, title: str, parameters: dict[str, Value], body: nodes.ResourceBody | None = None
    ) -> Value:
        """Add one resource and return the reference to it.

        Args:
            parameters: The attributes, in a dict that the caller must not use afterwards.
        """
        catalog, name = self.catalog, self.type_name
        if name == "class":
            return classes.declare_class(scope, self.site, title, parameters, body)
        if scope.kind in BORROWED:
            scope = find_declaring_scope(scope)
        key = (name, title)
        resources = catalog.resources
        tag = parameters.get("tag")
        if tag is not None and (type(tag) is not str or tag not in self.valid_tags):
            self._check_tag(tag)
        if key in resources or (catalog.aliases and key in catalog.aliases):
            raise duplicate_error(catalog, key, self.site)
        resource = make_resource(
            catalog.owner, name, title, parameters, scope.container, scope, self.site, body
        )
        if self.own_facts is not None:
            resource.set_optional(native=self.own_facts)
        if self.recorded:
            record_declaration(resource)
        if catalog.has_defaults:
            apply_defaults(resource)
            if parameters.get("tag") is not tag:
                self._check_tag(parameters["tag"])
        if not self.checked_names.isdisjoint(parameters):
            self._check_special(resource)
        if len(resources) >= RESOURCES.value:
            raise RESOURCES.make_error()
        resources[key] = resource
        if not self.is_plain:
            self._complete(resource, key)
        return make_reference(name, title)

    def add_from_function(self, scope: Scope, title: Value, parameters: dict[str, Value]) -> None:
        """Add one resource whose title was passed to a function, such as `create_resources`.

        Such a title may be any value. A number stays a number when the program reads the title.
        """
        text = to_ruby_s(title)
        self.add(scope, text, parameters)
        if type(title) is not str and self.type_name != "class" and type(title) is not values.RegexpValue:
            self.catalog.resources[self.to_key(text)].set_optional(title_value=(title,))

    def to_key(self, title: str) -> Key:
        """Return the catalog key of the resource with a title."""
        name = title.removeprefix("::").lower() if self.type_name == "class" else title
        return (self.type_name, name)

    def _complete(self, resource: CatalogResource, key: Key) -> None:
        """Finish a resource with a form of its own, an identity beside its title, or a body."""
        if self.has_identity:
            self._make_unique(resource)
        if self.virtual:
            resource.virtual = True
            if self.exported:
                resource.set_optional(exported=True)
        if self.definition is not None:
            resource.definition = self.definition
            self.catalog.pending.append(key)

    def _check_tag(self, tag: Value) -> None:
        tags.check_tags(tag, self.site.span() if self.site else None)
        if type(tag) is str:
            self.valid_tags.add(tag)

    def _check_special(self, resource: CatalogResource) -> None:
        """Check the attributes that mean something for every type.

        They are the namevar, `alias` and `stage`.
        """
        parameters = resource.parameters
        require(not has_stage(resource), "STAGE_OF_RESOURCE", resource=resource.reference)
        for alias in flatten_lists([parameters.get("alias")]):
            if alias is not None:
                self._add_alias(resource, alias)
        is_titled_by_name = self.facts is None or (self.facts.isomorphic and self.facts.patterns is None)
        if self.namevar is not None and is_titled_by_name:
            name = parameters.get(self.namevar)
            if name is not None and name is not False and name != resource.title:
                self._add_alias(resource, [name])

    def _add_alias(self, resource: CatalogResource, alias: Value) -> None:
        """Reserve a further name, or the attributes that identify the resource, for it alone.

        A single string is a name to which references may refer; anything else only has to be unique.

        Args:
            alias: The name, or an array: of the name, or of the values of the attributes.
        """
        catalog, parts = self.catalog, flatten_lists([alias])
        # a bracket in the title hides the resource from references by its aliases
        kind = resource.type if "[" not in resource.title else get_alias_type(resource)
        if len(parts) == 1 and type(parts[0]) is str:
            key = (kind, parts[0])
            owner = key if key in catalog.resources else catalog.aliases.get(key)
            if owner is None and parts[0] != resource.title:
                catalog.aliases[key] = resource.key
        else:
            owner = catalog.unique.setdefault((kind, *map(_make_identity_key, parts)), resource.key)
        if owner is not None and owner != resource.key:
            raise make_alias_error(resource, alias, catalog.resources[owner])

    def _make_unique(self, resource: CatalogResource) -> None:
        """Check the uniqueness of a resource that is identified by more than its title."""
        if resource.type in MUNGED:
            path = resource.title.rstrip("/") or "/"
            if path != resource.title and resource.parameters.get("path") is None:
                self._add_alias(resource, [path])
                rest = {name: value for name, value in resource.parameters.items() if name != "path"}
                resource.parameters = {"path": path, **rest}
            return
        facts, title = self.facts, resource.title
        assert facts is not None
        title_attributes = require_found(match_title(facts, title), "TITLE_NOT_MATCHED", title=title)
        resource.set_optional(title_attributes=title_attributes)
        identity = compute_identity(facts, title, resource.parameters)
        if identity is not None:
            self._add_alias(resource, list(identity))
            name = resource.parameters.get(facts.namevar)
            if isinstance(name, str) and "[" not in title and compute_identity(facts, name, {}) == identity:
                self.catalog.aliases.setdefault((capitalize_name(resource.type), name), resource.key)


def _make_identity_key(value: Value) -> Value:
    """Return the key by which values that identify resources are compared.

    References and times equal only themselves. An array or hash that contains some equals no other one.
    """
    if not _is_incomparable(value):
        return values.make_key(value)
    return object() if isinstance(value, list | dict) else ("identity", id(value))


@memoize_recursion
def _is_incomparable(recurse: Callable[[Value], bool], value: Value) -> bool:
    """Return True for references and times, and for arrays and hashes that contain some."""
    if isinstance(value, list):
        return any(map(recurse, value))
    if isinstance(value, dict):
        return any(map(recurse, value)) or any(map(recurse, value.values()))
    return isinstance(value, ResourceType | ClassType) or get_kind(value) in (TIMESPAN, TIMESTAMP)


MUNGED = frozenset({"file"})  # types whose titles may end with a slash that is no part of the path


# --- parts of a resource expression ------------------------------------------------------------------------------


def _resolve_type_name(site: Site, value: Value) -> str:
    """Return the type that a type expression names, in lower case.

    Raises ILLEGAL_RESOURCE_TYPE.
    """
    node: Any = site.node
    if type(value) is str and type(node.type_name) in (nodes.Name, nodes.Reserved):
        return value.lower()
    is_untitled = isinstance(value, ResourceType | ClassType) and value.title is None
    if is_untitled and value.type_name is not None and nodes.is_type(node.type_name):
        return str(value.type_name)
    raise make_illegal_type_error(site, node.type_name, value)


def check_resource_type(site: Site, value: Value) -> Value:
    """Return the value of a type expression after checking that it names a type.

    Compiled code calls this before it evaluates titles.

    Raises:
        PuppetError: ILLEGAL_RESOURCE_TYPE.
    """
    _resolve_type_name(site, value)
    return value


def _format_type_name(value: Value) -> str:
    """Return the name of the type in a type expression as messages show it.

    "" if it names none.
    """
    if isinstance(value, ResourceType):
        return value.simple_name
    return value if isinstance(value, str) else ""
