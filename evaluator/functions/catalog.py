"""Functions that build the catalog, and functions that query it."""

from __future__ import annotations

from evaluator import values
from evaluator.calling.registry import function
from evaluator.catalog import include_classes, realize_resources
from evaluator.catalog import tags as catalog_tags
from evaluator.catalog.declarations import ResourceDeclarer
from evaluator.catalog.references import AttributeReference, format_reference, to_attribute_value
from evaluator.catalog.scopes import find_calling_site, find_declaring_scope
from evaluator.issues import Failure, require, require_found
from evaluator.program import modules
from evaluator.program.definitions import MISSING, Scope
from evaluator.types import ClassType, ResourceType, TypeType
from evaluator.values import Value
from evaluator.values.dag import PLAIN, flatten_lists
from evaluator.values.ruby_values import (
    get_ruby_class,
    get_ruby_class_name,
    inspect_for_message,
    make_no_string_failure,
    require_argument,
    require_method,
)
from lexer_parser import issues

# --- classes


@function("include(Any names+)", context=True)
def include(scope: Scope, *names: Value) -> Value:
    """Evaluate classes, each only once, and return references to them.

    Their parameters come from the data, or are the defaults. The class that includes another
    one does not contain it: see `contain` and `require`.

    > class web { notice('hello') }
    > include web
    > include 'web'
    notice: hello
    [Class[web]]
    """
    return include_classes(scope, names)


@function("contain(Any names+)", context=True)
def contain(scope: Scope, *names: Value) -> Value:
    """Include classes, and contain them in the calling class or define.

    A relationship with that one then holds for the contained classes too.

    > class inner { }
    > class outer { contain inner }
    > include outer
    [Class[outer]]
    """
    return include_classes(scope, names, "contain")


@function("require(Any names+)", context=True)
def require_(scope: Scope, *names: Value) -> Value:
    """Include classes, and apply them before the calling class or define.

    > class base { }
    > class web { require base }
    > include web
    > Class['web']['require']
    [Class[base]]
    """
    return include_classes(scope, names, "require")


# --- resources


@function(
    "create_resources(Any p0, Any p1, Any p2*)",
    context=True,
    usage=("create_resources(String type, Hash[String, Hash] resources, Hash[String, Any] defaults?)",),
)
def create_resources(scope: Scope, type_name: Value, instances: Value, *rest: Value) -> None:
    """Declare a resource for each entry of a hash from titles to hashes of attributes.

    The type may begin with `@` or `@@` for virtual and exported resources; a second hash has default attributes.
    In new code `each` and `* =>` do the same.

    > create_resources('notify', { 'a' => { 'message' => 'hello' } }, { 'withpath' => true })
    > Notify['a']['message', 'withpath']
    ['hello', true]

    > { 'b' => { 'message' => 'hello' } }.each |$title, $attributes| { notify { $title: * => $attributes } }
    > Notify['b']['message']
    'hello'
    """
    require(
        len(rest) <= 1,
        "ARGUMENT_COUNT_OF",
        function="create_resources",
        number=len(rest) + 2,
        expected="2 or 3",
    )
    require_argument(isinstance(instances, dict), "create_resources", "second argument", "a hash")
    defaults = rest[0] if rest else {}
    require_argument(isinstance(defaults, dict), "create_resources", "third argument, if provided,", "a hash")
    require_method(type(type_name) is str, "sub", type_name)
    declare_resources(scope, type_name, instances, defaults)


# The number of `@` before the type of a resource, by its form.
_MARKS = {"exported": 2, "virtual": 1, "regular": 0}


def declare_resources(
    scope: Scope, type_name: str, instances: dict[Value, Value], defaults: dict[Value, Value]
) -> None:
    """Declare resources on behalf of the calling function; raises Failure."""
    form = "exported" if type_name.startswith("@@") else "virtual" if type_name.startswith("@") else "regular"
    name = type_name[_MARKS[form] :].lower()
    if name == "class" and form != "regular":
        site = find_calling_site()
        error = issues.make_error("CLASS_NOT_VIRTUALIZABLE", site.span() if site else None)
        error.column_known = False
        raise error
    declarer: ResourceDeclarer | None = None
    # Converted only once, so that resources with the same array share it.
    default_attributes: dict[str, Value] | None = None
    for title, own in values.iterate_items(instances):
        if not isinstance(own, dict):
            raise make_no_string_failure(get_ruby_class_name(own), "Hash")
        if default_attributes is None:
            default_attributes = _convert_attributes(defaults)
        attributes = {**default_attributes, **_convert_attributes(own)}
        if declarer is None:
            declarer = ResourceDeclarer(scope, find_calling_site(), name, form)
        for single_title in title if isinstance(title, list) else [title]:
            if single_title is None or single_title is False:
                raise Failure("NO_REFERENCE", text=f":{name}" if declarer.definition is None else f'"{name}"')
            declarer.add_from_function(scope, single_title, dict(attributes))


def _convert_attributes(attributes: dict[Value, Value]) -> dict[str, Value]:
    """Return a hash as attributes. Raise Failure for a key that is undef or false."""
    if values.has(attributes, None) or values.has(attributes, False):
        raise Failure("NAMELESS_ATTRIBUTE", place="")
    return {
        values.format_value(name): value if type(value) in PLAIN else to_attribute_value(value)
        for name, value in values.iterate_items(attributes)
    }


@function("realize(Any p0, Any p1*)", context=True, usage=("realize(Type[Resource] references+)",))
def realize(scope: Scope, *references: Value) -> None:
    """Make virtual resources, declared with `@`, part of the catalog.

    It may name the same resource several times. A collector, `Notify <| title == 'a' |>`, finds resources by their
    attributes.

    > @notify { 'a': }
    > realize(Notify['a'])
    undef
    """
    realize_resources(scope, references)


# --- tags


@function("tag(Any p0, Any p1*)", context=True, usage=("tag(String names+)",))
def tag(scope: Scope, *names: Value) -> None:
    """Add tags to the calling class, define or node, and to everything that it contains.

    > class web { tag('public') notice(tagged('public')) }
    > include web
    notice: true
    [Class[web]]
    """
    scope = find_declaring_scope(scope)
    catalog = scope.runtime.state.catalog
    added: list[str] = []
    for name in names:
        parts = [part for part in flatten_lists(name) if part is not None] if type(name) is list else [name]
        for part in parts:
            text = _format_tag(part).lower()
            require(catalog_tags.VALID.match(text), "INVALID_TAG", tag=text)
            added.append(text)
    catalog_tags.add_tags(catalog, catalog.resources[scope.container], added)


def _format_tag(value: Value) -> str:
    """Return the text of a tag; that of a reference is its source form."""
    if isinstance(value, dict):
        return inspect_for_message(value)
    return (
        format_reference(value) if isinstance(value, ResourceType | ClassType) else values.format_value(value)
    )


@function("tagged(Any p0, Any p1*)", context=True, usage=("tagged(String names+)",))
def tagged(scope: Scope, *names: Value) -> bool:
    """Return whether the calling class, define or node has all the tags.

    > class web { notice(tagged('web', 'class')) }
    > include web
    notice: true
    [Class[web]]

    > tagged('no_such')
    false
    """
    scope = find_declaring_scope(scope)
    catalog = scope.runtime.state.catalog
    catalog.has_listed = True  # the tags of the catalog depend on all of its resources
    tags = {
        *catalog_tags.collect_tags(catalog, catalog.resources[scope.container], as_shown=False),
        *catalog_tags.collect_catalog_tags(catalog),
    }
    return all(_format_tag(name).lower() in tags for name in names)


# --- queries


@function("defined(Variant[String, Type[CatalogEntry], Type[Type[CatalogEntry]]] vals+)", context=True)
def defined(scope: Scope, *names: Value) -> bool:
    """Return whether a variable, class, define, resource type or resource is defined.

    `'$x'` names a variable, `'name'` a class or type, `File['/a']` a resource, `Class['a']` a class that has been
    evaluated. Statements further down have not been evaluated yet, so the result depends on the order; classes and
    defines themselves are known from the start.

    > $x = 1
    > [defined('$x'), defined('$y'), defined('file'), defined(File['/a'])]
    [true, false, true, false]
    """
    return any(_is_defined(scope, name) for name in names)


def _is_defined(scope: Scope, name: Value) -> bool:
    """Return whether a name or a reference is defined. Raise Failure for other types.

    `Class['a']` is a class that has been evaluated, `Type[Class['a']]` one that is known.
    """
    if type(name) is str:
        return _is_name_defined(scope, name)
    inner = name.type if isinstance(name, TypeType) else name
    catalog = scope.runtime.state.catalog
    if isinstance(inner, ClassType):
        title = require_found(inner.name, "REFERENCE_TO_ALL", kind="class", referred="classes")
        return catalog.find(inner.key) is not None if inner is name else _is_class(scope, title)
    if not isinstance(inner, ResourceType):
        require(inner is not name, "ARGUMENT_OF_DEFINED", actual=get_ruby_class(name))
        return False
    type_name = require_found(inner.type_name, "REFERENCE_TO_ALL", kind="resource", referred="kind of types")
    if inner.title is not None:  # a class whose title is capitalized, in an attribute, is not found
        key = (type_name, inner.title) if isinstance(inner, AttributeReference) else inner.key
        return catalog.find(key) is not None
    return _is_type(scope, type_name)


def _is_name_defined(scope: Scope, name: str) -> bool:
    """Return whether a variable, class, define or resource type is defined."""
    runtime = scope.runtime
    if name.startswith("$"):
        if name[1:].isdigit():
            return runtime.match is not None
        return runtime.names.find_set_variable(scope, name[1:]) is not MISSING
    plain = name.lower()
    return name in ("main", "::") or _is_type(scope, plain) or _is_class(scope, plain.removeprefix("::"))


def _is_class(scope: Scope, name: str) -> bool:
    return name == "settings" or scope.runtime.names.find_class(name) is not None


def _is_type(scope: Scope, name: str) -> bool:
    runtime = scope.runtime
    return (
        modules.is_resource_type(name, runtime.settings.modulepath)
        or runtime.names.find_define(name.removeprefix("::")) is not None
    )
