"""The handlers of callbacks, by which Ruby code queries and changes the running program.

`companion` receives a callback while Ruby handles a request, calls the handler that `HANDLERS` has for its name, and
sends the result to Ruby. Callbacks of two interfaces of Puppet are handled: older functions have access to the scope of
the caller, newer ones declare their parameters.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from evaluator import values
from evaluator.calling.registry import LEVELS, BuiltinFunction
from evaluator.catalog.declarations import ResourceDeclarer
from evaluator.catalog.model import ANY_PARAMETER, CatalogResource, capitalize_name, format_title
from evaluator.catalog.references import to_attribute_value
from evaluator.catalog.scopes import find_calling_site, find_declaring_scope
from evaluator.catalog.tags import collect_tags, get_own_tags
from evaluator.issues import Failure, make_error, require
from evaluator.program import effects, modules, sandbox
from evaluator.program.definitions import MISSING, RESERVED_NAMES, Scope
from evaluator.program.tracing import list_running_calls
from evaluator.types import infer, infer_detailed, parse_type
from evaluator.types.mismatches import find_mismatches
from evaluator.types.puppet_wording import to_sentence
from evaluator.values import Value
from lexer_parser.dialect import PUPPET

if TYPE_CHECKING:
    from evaluator.catalog.model import Catalog
    from evaluator.ruby.companion import RubyCompanion

# The name of the callback by the key "query", and its arguments by their names.
CallbackQuery = dict[str, Any]
_WITHOUT_VALUE = (None, MISSING)  # in Ruby, a variable that is undef does not exist


def _get_scope(companion: RubyCompanion, query: CallbackQuery) -> Scope:
    return companion.get_scope(query["scope"])


# --- variables


def _find_variable(companion: RubyCompanion, query: CallbackQuery) -> Value:
    return companion.runtime.names.find_variable(_get_scope(companion, query), query["name"])


def _read_variable(companion: RubyCompanion, query: CallbackQuery) -> Value:
    return companion.runtime.names.read_named_variable(_get_scope(companion, query), query["name"])


def _get_variable_to_compare(companion: RubyCompanion, query: CallbackQuery) -> Value:
    """Return a variable for a comparison with its former value: without a warning if missing."""
    value = _find_variable(companion, query)
    return None if value is MISSING else value


def _collect_variables(companion: RubyCompanion, query: CallbackQuery) -> dict[str, Value]:
    """Return the variables that a scope sees, without those that are undef."""
    companion.runtime.state.catalog.has_listed = True
    variables: dict[str, Value] = {}
    scope: Scope | None = _get_scope(companion, query)
    while scope is not None:
        variables = scope.variables | variables
        scope = scope.parent
    return {name: value for name, value in variables.items() if value is not None}


def _set_variable(companion: RubyCompanion, query: CallbackQuery) -> None:
    """Set a variable. Raises Failure for one that has a value, and for reserved names."""
    name, scope = query["name"], _get_scope(companion, query)
    variables = scope.variables
    # Variables of a define are part of the effects of its body.
    if find_declaring_scope(scope).kind != "define":
        effects.forbid_repetition()
    if name in variables or name in RESERVED_NAMES:
        code = "ILLEGAL_RESERVED_ASSIGNMENT" if name in RESERVED_NAMES else "ILLEGAL_REASSIGNMENT"
        raise Failure(code, name=name, variable=f"${name}")
    variables[name] = companion.values.decode(query["value"])


def _replace_changed(companion: RubyCompanion, query: CallbackQuery) -> None:
    """Replace the value of a variable that a template has changed in place, such as an array.

    The released Puppet has one object for all variables and attributes of classes and defines that have the value, so
    all of them are replaced. Those of the top scope, and of classes of earlier cells, are not: these cells have run.
    """
    effects.forbid_repetition()
    name, scope = query["name"], find_declaring_scope(_get_scope(companion, query))
    if scope.kind not in ("define", "class") or name not in scope.variables:
        return
    state, former_value = companion.runtime.state, scope.variables[name]
    catalog: Catalog = state.catalog
    container = catalog.resources.get(scope.container)
    if scope.kind == "class" and (container is None or container.owner is not catalog.owner):
        return
    new_value = companion.values.decode(query["value"])
    # the classes and defines of this cell
    containers = [
        each for each in catalog.resources.values() if each.definition and each.owner is catalog.owner
    ]
    tables = [state.classes[each.title].variables for each in containers if each.title in state.classes]
    tables += [
        catalog.make_writable(each).parameters
        for each in containers
        if any(value is former_value for value in each.parameters.values())
    ]
    for table in (scope.variables, *tables):
        table.update({name: new_value for name, value in table.items() if value is former_value})


# --- functions


def _call_function(companion: RubyCompanion, query: CallbackQuery) -> Value:
    runtime, name = companion.runtime, query["name"]
    block = companion.make_block(query["block"])
    arguments = companion.values.decode(query["arguments"])
    caller = query.get("caller")  # the calling Ruby function, if messages about unknown functions name it
    exists = caller is None or runtime.names.find_function(name) is not None
    require(exists, "UNKNOWN_FUNCTION_IN", function=caller, name=name)
    return runtime.call_function(name, arguments, block, _get_scope(companion, query))


def is_pure_call(companion: RubyCompanion, query: CallbackQuery) -> bool:
    """Return True for the call of a function that returns the same for the same arguments."""
    names, name = companion.runtime.names, query.get("name", "")
    return (
        query["query"] == "call"
        and query["block"] is None
        and names.is_pure(name)
        and names.ruby_functions.find_legacy_function(name) is None
    )


def is_template_call(companion: RubyCompanion, query: CallbackQuery) -> bool:
    """Return True for a call of `template` or `inline_template`, which record their responses."""
    names, name = companion.runtime.names, query.get("name", "")
    return (
        query["query"] == "call"
        and name in ("template", "inline_template")
        and name not in companion.runtime.state.definitions.functions
        and names.ruby_functions.find_legacy_function(name) is None
    )


def is_repeatable_call(companion: RubyCompanion, query: CallbackQuery) -> bool:
    """Return True for the call of a function in Ruby whose results depend on its inputs alone."""
    if query["query"] != "call" or query["block"] is not None:
        return False
    function = companion.runtime.names.find_function(query["name"])
    return isinstance(function, BuiltinFunction) and function.is_repeatable(_get_scope(companion, query))


# Functions of the newer interface that code of the older one can call, too; those in the last lines come with stdlib.
_IN_BOTH = (
    *(*LEVELS, "contain", "include", "require", "versioncmp"),
    *("abs", "camelcase", "capitalize", "ceiling", "chomp", "chop", "downcase", "empty", "flatten", "floor"),
    *("getvar", "join", "keys", "lstrip", "max", "min", "round", "rstrip", "size", "sort", "strip", "unique"),
    *("upcase", "values"),
)


def _find_interface(companion: RubyCompanion, name: str) -> str | None:
    """Return the interface of a function that Ruby has not loaded: "newer", "both" or None."""
    names = companion.runtime.names
    function = names.find_function(name)
    if (
        name in _IN_BOTH
        or names.ruby_functions.find_legacy_function(name)
        or (isinstance(function, BuiltinFunction) and function.has_older_form)
    ):
        return "both"
    return None if function is None else "newer"


def _get_interface_to_compare(companion: RubyCompanion, query: CallbackQuery) -> str | None:
    """Return the interface of a function for a comparison, without loading the function."""
    name, functions = query["name"], companion.runtime.names.ruby_functions
    return "older" if functions.find_legacy_function(name) else _find_interface(companion, name)


def _load_function(companion: RubyCompanion, query: CallbackQuery) -> str | None:
    """Return the interface of a function or None; load one of the older interface into Ruby."""
    older = companion.runtime.names.ruby_functions.find_legacy_function(query["name"])
    return "older" if older and older.load(companion) else _find_interface(companion, query["name"])


def _call_dispatch(companion: RubyCompanion, query: CallbackQuery) -> Value:
    """Call the dispatch of a function that accepts the arguments; functions may have several."""
    function: Value = companion.runtime.names.find_function(query["name"])
    block, arguments = companion.make_block(query["block"]), companion.values.decode(query["arguments"])
    return function.call_dispatch(companion, _get_scope(companion, query), arguments, block)


def _call_block(companion: RubyCompanion, query: CallbackQuery) -> Value:
    return companion.values.handles[query["number"]].call(companion.values.decode(query["arguments"]))


def _call_member(companion: RubyCompanion, query: CallbackQuery) -> Value:
    """Call a method of a value for which Ruby has a handle."""
    value, name = companion.values.handles[query["number"]], query["name"]
    find_member = getattr(value, "member", None)
    member = find_member(name) if find_member is not None else None
    if member is None:
        raise make_error("UNKNOWN_FUNCTION", name=name)
    block = companion.make_block(query["block"])
    return member(companion.runtime, companion.values.decode(query["arguments"]), block)


# --- types


def _parse_type(companion: RubyCompanion, query: CallbackQuery) -> Value:
    names = companion.runtime.names
    return parse_type(query["text"], PUPPET, lambda name: names.find_type_or_reference(PUPPET, name))


def _is_instance(companion: RubyCompanion, query: CallbackQuery) -> bool:
    codec = companion.values
    return bool(codec.handles[query["number"]].instance(codec.decode(query["value"])))


def _infer_type(companion: RubyCompanion, query: CallbackQuery) -> Value:
    value = companion.values.decode(query["value"])
    return (infer_detailed if query["detailed"] else infer)(value, PUPPET)


def _describe_mismatch(companion: RubyCompanion, query: CallbackQuery) -> str:
    """Return the mismatches between two types as messages about a name, one a line."""
    expected, actual = (companion.values.decode(query[side]).normalize() for side in ("expected", "actual"))
    return "\n".join(
        to_sentence(mismatch) for mismatch in find_mismatches(expected, actual, (query["name"],))
    )


def _format_value(companion: RubyCompanion, query: CallbackQuery) -> str:
    return str(values.format_value(companion.values.decode(query["value"])))


# --- the catalog


def _make_key(query: CallbackQuery) -> tuple[str, str]:
    type_name = query["type"].lower().removeprefix("::")
    title = query["title"]
    return type_name, title.lower().removeprefix("::") if type_name == "class" else title


def _find_resource(companion: RubyCompanion, query: CallbackQuery) -> CatalogResource | None:
    resource: CatalogResource | None = companion.runtime.state.catalog.find(_make_key(query))
    return resource


def _collect_attributes(companion: RubyCompanion, query: CallbackQuery) -> dict[str, Value]:
    companion.runtime.state.catalog.read_parameters.add(query.get("name", ANY_PARAMETER))
    resource = _find_resource(companion, query)
    attributes = {} if resource is None else resource.parameters
    return {name: value for name, value in attributes.items() if value is not None}


def _override_attribute(companion: RubyCompanion, query: CallbackQuery) -> None:
    effects.forbid_repetition()
    catalog = companion.runtime.state.catalog
    resource = _find_resource(companion, query)
    if resource is not None:
        value = to_attribute_value(companion.values.decode(query["value"]))
        catalog.make_writable(resource).parameters[query["name"]] = value


def _list_resources(companion: RubyCompanion, query: CallbackQuery) -> list[list[str]]:
    catalog = companion.runtime.state.catalog
    catalog.has_listed = True
    return [[capitalize_name(type_name), title] for type_name, title in catalog.resources]


def _declare_resource(companion: RubyCompanion, query: CallbackQuery) -> None:
    scope = _get_scope(companion, query)
    type_name, title = query["type"].lower(), query["title"]
    attributes = {
        values.format_value(name): to_attribute_value(value)
        for name, value in values.iterate_items(companion.values.decode(query["attributes"]))
    }
    form = "virtual" if query["virtual"] else "regular"
    ResourceDeclarer(scope, find_calling_site(), type_name, form).add(scope, title, attributes)


def _get_own_resource(companion: RubyCompanion, query: CallbackQuery) -> list[str] | None:
    """Return the type and title of the resource that a scope evaluates."""
    key = find_declaring_scope(_get_scope(companion, query)).container
    return [capitalize_name(key[0]), format_title(key)]


def _collect_own_tags(companion: RubyCompanion, query: CallbackQuery) -> list[str]:
    """Return the tags of the resource that a scope evaluates."""
    effects.forbid_repetition()
    catalog = companion.runtime.state.catalog
    return collect_tags(
        catalog, catalog.resources[find_declaring_scope(_get_scope(companion, query)).container]
    )


def _collect_catalog_tags(companion: RubyCompanion, query: CallbackQuery) -> list[str]:
    """Return the tags of the catalog: those of its classes and nodes."""
    catalog = companion.runtime.state.catalog
    catalog.has_listed = True
    types = ("class", "node")
    declared = [
        each for each in catalog.resources.values() if each.type in types and each.definition is not None
    ]
    tags = (tag for each in declared for tag in get_own_tags(each, each.tag_horizon))
    return list(dict.fromkeys([*catalog.classes, *tags]))


def _list_classes(companion: RubyCompanion, query: CallbackQuery) -> list[str]:
    catalog = companion.runtime.state.catalog
    catalog.has_listed = True
    return list(catalog.classes)


def _is_defined(companion: RubyCompanion, query: CallbackQuery) -> bool:
    runtime, name = companion.runtime, query["name"].lower().removeprefix("::")
    if query["kind"] == "class":
        return runtime.names.find_class(name) is not None
    if query["kind"] == "define":
        return runtime.names.find_define(name) is not None
    return modules.is_resource_type(name, runtime.settings.modulepath)


def _collect_defaults(companion: RubyCompanion, query: CallbackQuery) -> dict[str, Value]:
    """Return the defaults that a scope sees for a type, which is spelled as in references."""
    effects.forbid_repetition()
    defaults: dict[str, Value] = {}
    scope: Scope | None = _get_scope(companion, query)
    type_name = query["type"].lower()
    while scope is not None and query["type"] == capitalize_name(type_name):
        own = scope.defaults.get(type_name, {})
        defaults = {name: default.value for name, default in own.items()} | defaults
        scope = scope.caller or scope.parent
    return defaults


# --- environment


def _get_environment(companion: RubyCompanion, query: CallbackQuery) -> list[Value]:
    settings = companion.runtime.settings
    return [settings.environment, list(settings.modulepath)]


def _get_node(companion: RubyCompanion, query: CallbackQuery) -> str:
    return companion.runtime.settings.node


def _locate_file(companion: RubyCompanion, query: CallbackQuery) -> str | None:
    return sandbox.locate(companion.runtime.state.top, "file", query["name"], query["folder"])


Handler = Callable[["RubyCompanion", CallbackQuery], Any]

# Handlers that change nothing, by the names of callbacks; they may record what the program depends on. A former
# response of Ruby can be used again if all its callbacks have such handlers, and they return the same results.
PURE_HANDLERS: dict[str, Handler] = {
    "variable": _get_variable_to_compare,
    "known": lambda companion, query: _find_variable(companion, query) is not MISSING,
    "valued": lambda companion, query: _find_variable(companion, query) not in _WITHOUT_VALUE,
    "all": _collect_variables,
    "type": _parse_type,
    "instance": _is_instance,
    "infer": _infer_type,
    "mismatch": _describe_mismatch,
    "text": _format_value,
    "declared": lambda companion, query: _find_resource(companion, query) is not None,
    "attribute": lambda companion, query: _collect_attributes(companion, query).get(query["name"]),
    "attributes": _collect_attributes,
    "resource": _get_own_resource,
    "tags": _collect_own_tags,
    "all_tags": _collect_catalog_tags,
    "classes": _list_classes,
    "defined": _is_defined,
    "defaults": _collect_defaults,
    "environment": _get_environment,
    "node": _get_node,
    "file": _locate_file,
    "function": _get_interface_to_compare,
}
# The handlers of callbacks that Ruby sends. Those of `variable` and `function` may also log or load something.
HANDLERS: dict[str, Handler] = {
    **PURE_HANDLERS,
    "variable": _read_variable,
    "set": _set_variable,
    "change": _replace_changed,
    "call": _call_function,
    "function": _load_function,
    "dispatch": _call_dispatch,
    "stack": lambda companion, query: [[file, line] for file, line in list_running_calls()],
    "block": _call_block,
    "member": _call_member,
    "override": _override_attribute,
    "resources": _list_resources,
    "declare": _declare_resource,
}
