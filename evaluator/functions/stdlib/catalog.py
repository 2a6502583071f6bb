"""stdlib: functions that query the catalog, and that declare resources unless they exist."""

from __future__ import annotations

import re
from collections.abc import Iterable

from evaluator import values
from evaluator.calling.registry import function
from evaluator.catalog.collectors import format_invalid_reference, to_reference_key
from evaluator.catalog.model import Catalog, CatalogResource
from evaluator.catalog.references import format_reference, to_attribute_value
from evaluator.catalog.scopes import find_caller_scope, find_declaring_scope
from evaluator.functions.catalog import declare_resources
from evaluator.functions.navigation import flatten_arrays
from evaluator.issues import Failure, require, require_found
from evaluator.program.definitions import Scope
from evaluator.types import ClassType, ResourceType, Type, make_entry_type
from evaluator.values import Value
from evaluator.values.chunked import make_dict
from evaluator.values.ruby_values import (
    get_ruby_class,
    inspect_for_message,
    is_same,
    make_no_string_failure,
    require_method,
    to_ruby_s,
)

# --- queries


def _find(scope: Scope, reference: Value, names: Iterable[Value]) -> CatalogResource | None:
    """Return the resource of which attributes are read; None if it is not declared."""
    key = to_reference_key(reference)
    if key is None:
        raise Failure("NO_REFERENCE", text=format_invalid_reference(reference))
    catalog: Catalog = scope.runtime.state.catalog
    catalog.read_parameters.update(map(values.format_value, names))
    return catalog.find(key)


def _get_attribute(resource: CatalogResource, name: str) -> Value:
    return resource.title if name == "title" else resource.parameters.get(name)


def has_parameters(scope: Scope, reference: Value, attributes: dict[Value, Value]) -> bool:
    """Return whether the resource is declared with these attributes; undef is an unset one."""
    resource = _find(scope, reference, [name for name, _ in values.iterate_items(attributes)])
    if resource is None:
        return False
    return all(
        is_same(_get_attribute(resource, values.format_value(name)), value)
        for name, value in values.iterate_items(attributes)
    )


@function(
    "defined_with_params(Any p0, Any p1*)",
    context=True,
    count="REFERENCE_NEEDED",
    usage=("defined_with_params(Variant[String, Type[Resource]] reference, Hash[String, Any] attributes?)",),
)
def defined_with_params(scope: Scope, reference: Value, *rest: Value) -> bool:
    """Return whether a resource is declared with these attributes.

    > notify { 'a': message => 'x' }
    > [defined_with_params(Notify['a'], { 'message' => 'x' }), defined_with_params(Notify['a'], { 'message' => 'y' })]
    [true, false]
    """
    is_other_type = isinstance(reference, Type) and not isinstance(reference, ClassType | ResourceType)
    is_reference = type(reference) not in (int, float, bool, list, dict) and not is_other_type
    require(is_reference, "REFERENCE_NOT_UNDERSTOOD", actual=get_ruby_class(reference))
    if isinstance(reference, ResourceType) and reference.title is None:
        return False
    return has_parameters(scope, reference, rest[0] if rest and isinstance(rest[0], dict) else {})


@function(
    "getparam(Any p0, Any p1*)",
    context=True,
    count="REFERENCE_NEEDED",
    usage=("getparam(Variant[String, Type[Resource]] reference, String attribute)",),
)
def getparam(scope: Scope, reference: Value, *names: Value) -> Value:
    """Return the value of an attribute of a resource, or an empty String if it is not set.

    > notify { 'a': message => 'x' }
    > getparam(Notify['a'], 'message')
    'x'
    """
    require(reference is not False, "REFERENCE_NEEDED")
    require(names and type(names[0]) is str, "PARAMETER_NAME_NEEDED")
    resource = _find(scope, reference, names[:1])
    if resource is None:
        return ""
    value = _get_attribute(resource, names[0])
    return "" if value is None else value


# --- conditional declarations


def ensure_declared(scope: Scope, type_name: Value, title: Value, attributes: dict[Value, Value]) -> None:
    """Declare a resource unless it is declared with these attributes. Raise Failure."""
    require_method(type(type_name) is str, "capitalize", type_name)
    reference = make_entry_type(type_name.lstrip("@"), to_ruby_s(title))
    if not has_parameters(scope, reference, attributes):
        declare_resources(scope, type_name, {values.make_key(title): attributes}, {})


def check_attributes(value: Value) -> dict[Value, Value]:
    """Return a hash of attributes, an empty one for undef. Raise Failure for other values."""
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise make_no_string_failure(get_ruby_class(value), "Hash")
    return value


@function(
    "ensure_resource(Any p0*)",
    context=True,
    usage=(
        "ensure_resource(String type, Variant[String, Array[String]] titles, Hash[String, Any] attributes?)",
    ),
)
def ensure_resource(scope: Scope, *args: Value) -> None:
    """Declare a resource, or several, unless they are declared with the same attributes.

    > ensure_resource('notify', 'a', { 'message' => 'x' })
    > ensure_resource('notify', 'a', { 'message' => 'x' })
    > Notify['a']['message']
    'x'
    """
    type_name, title, value = _check_ensured(args)
    attributes = check_attributes(value)
    for single_title in flatten_arrays([title]):
        require(to_ruby_s(single_title), "NO_REFERENCE", text=f'"{type_name}[]"')
        ensure_declared(scope, type_name, single_title, attributes)


def _check_ensured(args: tuple[Value, ...]) -> tuple[Value, Value, Value]:
    """Return the type, the titles and the attributes. Raise Failure if one is missing."""
    require(args and args[0] is not False, "TYPE_NEEDED")
    require(len(args) >= 2 and args[1] is not False, "TITLE_NEEDED")
    return args[0], args[1], args[2] if len(args) > 2 else {}


@function(
    "ensure_resources(Any p0*)",
    context=True,
    usage=("ensure_resources(String type, Hash[String, Hash] resources, Hash[String, Any] defaults?)",),
)
def ensure_resources(scope: Scope, *args: Value) -> None:
    """Declare resources, a hash of titles to attributes, unless they are declared with these.

    > ensure_resources('notify', { 'a' => { 'message' => 'x' } }, { 'withpath' => true })
    > Notify['a']['message', 'withpath']
    ['x', true]
    """
    type_name, instances, defaults = _check_ensured(args)
    require(
        isinstance(instances, dict),
        "ARGUMENT_REQUIRED",
        function="ensure_resources",
        expected="second argument to be a Hash",
    )
    require_method(isinstance(defaults, dict), "merge", defaults)
    for title, attributes in values.iterate_items(instances):
        ensure_declared(scope, type_name, title, {**defaults, **check_attributes(attributes)})


@function(
    "ensure_packages(Variant[String[1], Array[String[1]], Hash[String[1], Any]] packages,"
    " Hash default_attributes?)",
    context=True,
)
def ensure_packages(scope: Scope, packages: Value, default_attributes: Value = None) -> None:
    """Declare packages that are not declared yet, with `ensure => installed` by default.

    > ensure_packages(['vim', 'git'])
    > Package['git']['ensure']
    'installed'
    """
    for title, attributes in collect_packages(packages, default_attributes):
        if attributes["ensure"] == "present":
            attributes = {**attributes, "ensure": "installed"}
        ensure_declared(scope, "package", title, attributes)


def collect_packages(packages: Value, default_attributes: Value) -> list[tuple[Value, Value]]:
    """Return the title and the attributes of each package of `ensure_packages`."""
    defaults = {"ensure": "installed", **(default_attributes or {})}
    if isinstance(packages, dict):
        pairs = values.iterate_items(packages)
        return [(title, {**defaults, **check_attributes(attributes)}) for title, attributes in pairs]
    return list(make_dict([packages] if type(packages) is str else packages, defaults).items())


# --- privacy


@function("assert_private(Any p0*)", context=True, usage=("assert_private(String message?)",))
def assert_private(scope: Scope, *args: Value) -> None:
    """Fail if the calling class or define was used from another module.

    > class internal { assert_private() }
    > include internal
    [Class[internal]]
    """
    require(len(args) <= 1, "ASSERT_PRIVATE_COUNT", number=len(args))
    scope = find_declaring_scope(scope)
    caller = find_caller_scope(scope)
    if (caller.module_name if caller is not None else None) == scope.module_name:
        return
    if args and type(args[0]) is str:
        raise Failure("PRIVATE_MESSAGE", message=args[0])
    kind = "Definition" if scope.kind == "define" else "Class"
    raise Failure("PRIVATE", kind=kind, name=scope.name)


# --- references


@function("stdlib::str2resource(String res_string)", context=True)
def str2resource(scope: Scope, string: str) -> Value:
    """Return the reference for a String such as 'File[/etc/hosts]'.

    The resource must be declared before.

    > notify { 'hello': }
    > stdlib::str2resource('Notify[hello]')
    Notify[hello]
    """
    match = require_found(
        re.fullmatch(r"([^\[]+)\[(.+)\]", string, re.DOTALL), "NO_REFERENCE", text=inspect_for_message(string)
    )
    name, title = match[1].lower().removeprefix("::"), match[2]
    reference = make_entry_type(name, title)
    declared = scope.runtime.state.catalog.find(reference.key)
    require(declared is not None, "REFERENCE_NOT_FOUND", reference=format_reference(reference))
    return to_attribute_value(reference)
