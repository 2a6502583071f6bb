"""The handlers of Ruby's callbacks: variables, functions, types and the catalog."""

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

CallbackQuery = dict[str, Any]
_ABSENT = (None, MISSING)  # in Ruby, a variable that is undef does not exist


def _scope(companion: RubyCompanion, query: CallbackQuery) -> Scope:
    return companion.get_scope(query["scope"])


def _find(companion: RubyCompanion, query: CallbackQuery) -> Value:
    return companion.runtime.names.find_variable(_scope(companion, query), query["name"])


# --- variables


def _variable(companion: RubyCompanion, query: CallbackQuery) -> Value:
    return companion.runtime.names.named_variable(_scope(companion, query), query["name"])


def _variable_again(companion: RubyCompanion, query: CallbackQuery) -> Value:
    """Return a variable, without a warning if it is missing, to compare with its former value."""
    value = _find(companion, query)
    return None if value is MISSING else value


def _all(companion: RubyCompanion, query: CallbackQuery) -> dict[str, Value]:
    companion.runtime.state.catalog.has_listed = True
    found: dict[str, Value] = {}
    scope: Scope | None = _scope(companion, query)
    while scope is not None:
        found = scope.variables | found
        scope = scope.parent
    return {name: value for name, value in found.items() if value is not None}


def _set(companion: RubyCompanion, query: CallbackQuery) -> None:
    """Set a variable. Raises Failure for one that has a value, and for reserved names."""
    name, scope = query["name"], _scope(companion, query)
    variables = scope.variables
    if find_declaring_scope(scope).kind != "define":  # those of a define are part of what its body did
        effects.forbid_repetition()
    if name in variables or name in RESERVED_NAMES:
        code = "ILLEGAL_RESERVED_ASSIGNMENT" if name in RESERVED_NAMES else "ILLEGAL_REASSIGNMENT"
        raise Failure(code, name=name, variable=f"${name}")
    variables[name] = companion.values.decode(query["value"])


def _change(companion: RubyCompanion, query: CallbackQuery) -> None:
    """Apply a template's change in place.

    It applies to all variables and attributes of classes and defines that have the changed value. Variables of the
    top scope, and of classes of earlier cells, are not changed: these cells have run.
    """
    effects.forbid_repetition()
    name, scope = query["name"], find_declaring_scope(_scope(companion, query))
    if scope.kind not in ("define", "class") or name not in scope.variables:
        return
    state, former = companion.runtime.state, scope.variables[name]
    catalog: Catalog = state.catalog
    own = catalog.resources.get(scope.container)
    if scope.kind == "class" and (own is None or own.owner is not catalog.owner):
        return
    changed = companion.values.decode(query["value"])
    evaluated = [one for one in catalog.resources.values() if one.definition and one.owner is catalog.owner]
    tables = [state.classes[one.title].variables for one in evaluated if one.title in state.classes]
    tables += [
        catalog.make_writable(one).parameters
        for one in evaluated
        if any(value is former for value in one.parameters.values())
    ]
    for table in (scope.variables, *tables):
        table |= {known: changed for known, value in table.items() if value is former}


# --- functions


def _call(companion: RubyCompanion, query: CallbackQuery) -> Value:
    runtime, name = companion.runtime, query["name"]
    block = companion.make_block(query["block"])
    arguments = companion.values.decode(query["arguments"])
    caller = query.get("caller")
    is_known = caller is None or runtime.names.find_function(name) is not None
    require(is_known, "UNKNOWN_FUNCTION_IN", function=caller, name=name)
    return runtime.call_function(name, arguments, block, _scope(companion, query))


def is_pure_call(companion: RubyCompanion, query: CallbackQuery) -> bool:
    """Return True for the call of a function that returns the same for the same arguments."""
    names, name = companion.runtime.names, query.get("name", "")
    return (
        query["query"] == "call"
        and query["block"] is None
        and names.is_pure(name)
        and names.older_function(name) is None
    )


def is_template_call(companion: RubyCompanion, query: CallbackQuery) -> bool:
    """Return True for the call of a function of ours that renders ERB, whose responses are recorded, too."""
    names, name = companion.runtime.names, query.get("name", "")
    return (
        query["query"] == "call"
        and name in ("template", "inline_template")
        and name not in companion.runtime.state.definitions.functions
        and names.older_function(name) is None
    )


def is_repeatable_call(companion: RubyCompanion, query: CallbackQuery) -> bool:
    """Return True for the call of a function in Ruby whose results depend on its inputs alone."""
    if query["query"] != "call" or query["block"] is not None:
        return False
    function = companion.runtime.names.find_function(query["name"])
    return isinstance(function, BuiltinFunction) and function.is_repeatable(_scope(companion, query))


# Functions of the newer interface that code of the older one can call, too; those in the last lines come with stdlib.
_IN_BOTH = (
    *(*LEVELS, "contain", "include", "require", "versioncmp"),
    *("abs", "camelcase", "capitalize", "ceiling", "chomp", "chop", "downcase", "empty", "flatten", "floor"),
    *("getvar", "join", "keys", "lstrip", "max", "min", "round", "rstrip", "size", "sort", "strip", "unique"),
    *("upcase", "values"),
)


def _get_interface(companion: RubyCompanion, name: str) -> str | None:
    """Return the interface of a function that Ruby has not loaded; None without a function."""
    names = companion.runtime.names
    found = names.find_function(name)
    if (
        name in _IN_BOTH
        or names.older_function(name)
        or (isinstance(found, BuiltinFunction) and found.has_older_form)
    ):
        return "both"
    return None if found is None else "newer"


def _function_again(companion: RubyCompanion, query: CallbackQuery) -> str | None:
    """Return the interface of a function without loading it, to compare with the former one."""
    name = query["name"]
    return "older" if companion.runtime.names.older_function(name) else _get_interface(companion, name)


def _function(companion: RubyCompanion, query: CallbackQuery) -> str | None:
    """Return the interface of a function or None; load one of the older interface into Ruby."""
    older = companion.runtime.names.older_function(query["name"])
    return "older" if older and older.load(companion) else _get_interface(companion, query["name"])


def _dispatch(companion: RubyCompanion, query: CallbackQuery) -> Value:
    """Call the dispatch of a function that accepts the arguments."""
    function: Value = companion.runtime.names.find_function(query["name"])
    block, arguments = companion.make_block(query["block"]), companion.values.decode(query["arguments"])
    return function.call_dispatch(companion, _scope(companion, query), arguments, block)


def _block(companion: RubyCompanion, query: CallbackQuery) -> Value:
    arguments = companion.values.decode(query["arguments"])
    return companion.values.handles[query["number"]].call(arguments)


def _member(companion: RubyCompanion, query: CallbackQuery) -> Value:
    """Call a method of a value for which Ruby has a handle."""
    value, name = companion.values.handles[query["number"]], query["name"]
    member = getattr(value, "member", None)
    found = member(name) if member is not None else None
    if found is None:
        raise make_error("UNKNOWN_FUNCTION", name=name)
    block = companion.make_block(query["block"])
    return found(companion.runtime, companion.values.decode(query["arguments"]), block)


# --- types


def _type(companion: RubyCompanion, query: CallbackQuery) -> Value:
    return parse_type(query["text"], PUPPET, companion.runtime.names.type_or_reference)


def _instance(companion: RubyCompanion, query: CallbackQuery) -> bool:
    codec = companion.values
    return bool(codec.handles[query["number"]].instance(codec.decode(query["value"])))


def _infer(companion: RubyCompanion, query: CallbackQuery) -> Value:
    value = companion.values.decode(query["value"])
    return (infer_detailed if query["detailed"] else infer)(value, PUPPET)


def _mismatch(companion: RubyCompanion, query: CallbackQuery) -> str:
    """Return the mismatch between two types as a message about a name."""
    expected, actual = (companion.values.decode(query[side]).normalize() for side in ("expected", "actual"))
    return "\n".join(
        to_sentence(mismatch) for mismatch in find_mismatches(expected, actual, (query["name"],))
    )


def _text(companion: RubyCompanion, query: CallbackQuery) -> str:
    return str(values.format_value(companion.values.decode(query["value"])))


# --- the catalog


def _key(query: CallbackQuery) -> tuple[str, str]:
    kind = query["type"].lower().removeprefix("::")
    title = query["title"]
    return kind, title.lower().removeprefix("::") if kind == "class" else title


def _resource_of(companion: RubyCompanion, query: CallbackQuery) -> CatalogResource | None:
    found: CatalogResource | None = companion.runtime.state.catalog.find(_key(query))
    return found


def _attributes(companion: RubyCompanion, query: CallbackQuery) -> dict[str, Value]:
    companion.runtime.state.catalog.read_parameters.add(query.get("name", ANY_PARAMETER))
    found = _resource_of(companion, query)
    attributes = {} if found is None else found.parameters
    return {name: value for name, value in attributes.items() if value is not None}


def _override(companion: RubyCompanion, query: CallbackQuery) -> None:
    effects.forbid_repetition()
    catalog = companion.runtime.state.catalog
    found = _resource_of(companion, query)
    if found is not None:
        value = to_attribute_value(companion.values.decode(query["value"]))
        catalog.make_writable(found).parameters[query["name"]] = value


def _resources(companion: RubyCompanion, query: CallbackQuery) -> list[list[str]]:
    catalog = companion.runtime.state.catalog
    catalog.has_listed = True
    return [[capitalize_name(kind), title] for kind, title in catalog.resources]


def _declare(companion: RubyCompanion, query: CallbackQuery) -> None:
    scope = _scope(companion, query)
    kind, title = query["type"].lower(), query["title"]
    attributes = {
        values.format_value(name): to_attribute_value(value)
        for name, value in values.iterate_items(companion.values.decode(query["attributes"]))
    }
    form = "virtual" if query["virtual"] else "regular"
    ResourceDeclarer(scope, find_calling_site(), kind, form).add(scope, title, attributes)


def _own_resource(companion: RubyCompanion, query: CallbackQuery) -> list[str] | None:
    """Return the type and title of the resource that a scope evaluates."""
    key = find_declaring_scope(_scope(companion, query)).container
    return [capitalize_name(key[0]), format_title(key)]


def _tags(companion: RubyCompanion, query: CallbackQuery) -> list[str]:
    effects.forbid_repetition()
    catalog = companion.runtime.state.catalog
    return collect_tags(catalog, catalog.resources[find_declaring_scope(_scope(companion, query)).container])


def _all_tags(companion: RubyCompanion, query: CallbackQuery) -> list[str]:
    """Return the tags of the catalog: those of its classes and nodes."""
    catalog = companion.runtime.state.catalog
    catalog.has_listed = True
    kinds = ("class", "node")
    declared = [one for one in catalog.resources.values() if one.type in kinds and one.definition is not None]
    tags = (tag for one in declared for tag in get_own_tags(one, one.tag_horizon))
    return list(dict.fromkeys([*catalog.classes, *tags]))


def _classes(companion: RubyCompanion, query: CallbackQuery) -> list[str]:
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


def _defaults(companion: RubyCompanion, query: CallbackQuery) -> dict[str, Value]:
    effects.forbid_repetition()
    found: dict[str, Value] = {}
    scope: Scope | None = _scope(companion, query)
    while scope is not None:
        found = scope.defaults.get(query["type"].lower(), {}) | found
        scope = scope.caller or scope.parent
    return found


# --- environment


def _environment(companion: RubyCompanion, query: CallbackQuery) -> list[Value]:
    settings = companion.runtime.settings
    return [settings.environment, list(settings.modulepath)]


def _node(companion: RubyCompanion, query: CallbackQuery) -> str:
    return companion.runtime.settings.node


def _file(companion: RubyCompanion, query: CallbackQuery) -> str | None:
    return sandbox.locate(companion.runtime.state.top, "file", query["name"], query["folder"])


Handler = Callable[["RubyCompanion", CallbackQuery], Any]

# Handlers without side effects. A former response of Ruby is valid if all its callbacks were of these, and would
# return the same.
PURE_HANDLERS: dict[str, Handler] = {
    "variable": _variable_again,
    "known": lambda companion, query: _find(companion, query) is not MISSING,
    "valued": lambda companion, query: _find(companion, query) not in _ABSENT,
    "all": _all,
    "type": _type,
    "instance": _instance,
    "infer": _infer,
    "mismatch": _mismatch,
    "text": _text,
    "declared": lambda companion, query: _resource_of(companion, query) is not None,
    "attribute": lambda companion, query: _attributes(companion, query).get(query["name"]),
    "attributes": _attributes,
    "resource": _own_resource,
    "tags": _tags,
    "all_tags": _all_tags,
    "classes": _classes,
    "defined": _is_defined,
    "defaults": _defaults,
    "environment": _environment,
    "node": _node,
    "file": _file,
    "function": _function_again,
}
HANDLERS: dict[str, Handler] = {
    **PURE_HANDLERS,
    "variable": _variable,
    "set": _set,
    "change": _change,
    "call": _call,
    "function": _function,
    "dispatch": _dispatch,
    "stack": lambda companion, query: [[file, line] for file, line in list_running_calls()],
    "block": _block,
    "member": _member,
    "override": _override,
    "resources": _resources,
    "declare": _declare,
}
