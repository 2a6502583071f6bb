"""What Ruby asks while it runs code for a program: variables, functions, types and the catalog."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from evaluator import values
from evaluator.catalog.declarations import ResourceDeclarer
from evaluator.catalog.model import CatalogResource, capitalize_name
from evaluator.catalog.references import to_attribute_value
from evaluator.catalog.scopes import find_calling_site, find_declaring_scope
from evaluator.catalog.tags import collect_tags as tags_of
from evaluator.catalog.tags import get_own_tags as own_tags
from evaluator.issues import Failure, error
from evaluator.program import modules, sandbox
from evaluator.program.scope import MISSING, RESERVED_NAMES, Scope
from evaluator.program.tracing import iterate_running
from evaluator.types import parse_type
from evaluator.types.explain.mismatches import find_mismatches
from evaluator.types.explain.puppet_wording import to_sentence
from evaluator.types.inference import infer, infer_detailed
from evaluator.values import Value
from lexer_parser.dialect import PUPPET

if TYPE_CHECKING:
    from evaluator.ruby.companion import Companion

Question = dict[str, Any]
_ABSENT = (None, MISSING)  # for Ruby a variable that is undef is not there


def _scope(companion: Companion, question: Question) -> Scope:
    return companion.scope(question["scope"])


def _find(companion: Companion, question: Question) -> Value:
    return companion.runtime.names.find_variable(_scope(companion, question), question["name"])


# --- variables


def _variable(companion: Companion, question: Question) -> Value:
    runtime, name = companion.runtime, question["name"]
    if runtime.settings.strict_variables and _find(companion, question) is MISSING:
        runtime.unknown_variable(name)
    return runtime.names.named_variable(_scope(companion, question), name)


def _variable_again(companion: Companion, question: Question) -> Value:
    """The same, to see whether the answer is what it was: nothing is said of one that is missing."""
    value = _find(companion, question)
    return None if value is MISSING else value


def _known(companion: Companion, question: Question) -> bool:
    return _find(companion, question) is not MISSING


def _valued(companion: Companion, question: Question) -> bool:
    return _find(companion, question) not in _ABSENT


def _all(companion: Companion, question: Question) -> dict[str, Value]:
    found: dict[str, Value] = {}
    scope: Scope | None = _scope(companion, question)
    while scope is not None:
        found = scope.variables | found
        scope = scope.parent
    return {name: value for name, value in found.items() if value is not None}


def _set(companion: Companion, question: Question) -> None:
    """Sets a variable. Raises PuppetError for one that has a value here, and for a name that the language fills."""
    name, variables = question["name"], _scope(companion, question).variables
    if name in variables or name in RESERVED_NAMES:
        code = "ILLEGAL_RESERVED_ASSIGNMENT" if name in RESERVED_NAMES else "ILLEGAL_REASSIGNMENT"
        raise Failure(code, name=name, variable=f"${name}")
    variables[name] = companion.values.decode(question["value"])


def _change(companion: Companion, question: Question) -> None:
    """A template has changed a value in place: in a define, its variable and the attribute that this came from.

    What a class has is left as it is, since cells that have run are not changed.
    """
    name, scope = question["name"], find_declaring_scope(_scope(companion, question))
    if scope.kind != "define" or name not in scope.variables:
        return
    catalog, former = companion.runtime.state.catalog, scope.variables[name]
    changed = scope.variables[name] = companion.values.decode(question["value"])
    resource = catalog.resources.get(scope.container)
    if resource is not None and resource.parameters.get(name) is former:
        catalog.make_writable(resource).parameters[name] = changed


# --- functions


def _call(companion: Companion, question: Question) -> Value:
    runtime, name = companion.runtime, question["name"]
    block = companion.block(question["block"])
    arguments = companion.values.decode(question["arguments"])
    caller = question.get("caller")
    if caller is not None and runtime.names.find_function(name) is None:
        raise Failure("UNKNOWN_FUNCTION_IN", function=caller, name=name)
    return runtime.call_function(name, arguments, block, _scope(companion, question))


def _function(companion: Companion, question: Question) -> str | None:
    """Whether there is a function: "older" for one of the older interface, which Ruby now has; None for none."""
    names, name = companion.runtime.names, question["name"]
    older = names.older_function(name)
    if older is not None:
        older.load(companion)
        return "older"
    return "newer" if names.find_function(name) is not None else None


def _dispatch(companion: Companion, question: Question) -> Value:
    """A call of a function that leaves it to others which of its dispatches takes the arguments."""
    function: Value = companion.runtime.names.find_function(question["name"])
    block, arguments = companion.block(question["block"]), companion.values.decode(question["arguments"])
    return function.dispatched(companion, _scope(companion, question), arguments, block)


def _stack(companion: Companion, question: Question) -> list[list[Value]]:
    """The files and lines that run, the innermost first."""
    return [[place.span.source.name or "unknown", place.span.line] for place in iterate_running()]


def _block(companion: Companion, question: Question) -> Value:
    arguments = companion.values.decode(question["arguments"])
    return companion.values.given[question["number"]].call(arguments)


def _member(companion: Companion, question: Question) -> Value:
    """A method of a value that Ruby only hands back."""
    value, name = companion.values.given[question["number"]], question["name"]
    member = getattr(value, "member", None)
    found = member(name) if member is not None else None
    if found is None:
        raise error("UNKNOWN_FUNCTION", name=name)
    block = companion.block(question["block"])
    return found(companion.runtime, companion.values.decode(question["arguments"]), block)


# --- types


def _type(companion: Companion, question: Question) -> Value:
    return parse_type(question["text"], PUPPET, companion.runtime.names.type_or_reference)


def _instance(companion: Companion, question: Question) -> bool:
    given = companion.values
    return bool(given.given[question["number"]].instance(given.decode(question["value"])))


def _infer(companion: Companion, question: Question) -> Value:
    value = companion.values.decode(question["value"])
    return (infer_detailed if question["detailed"] else infer)(value, PUPPET)


def _mismatch(companion: Companion, question: Question) -> str:
    """Why a type is not another one, as a sentence about what is called so."""
    expected, actual = (
        companion.values.decode(question[side]).normalize() for side in ("expected", "actual")
    )
    return "\n".join(
        to_sentence(mismatch) for mismatch in find_mismatches(expected, actual, (question["name"],))
    )


def _text(companion: Companion, question: Question) -> str:
    return str(values.text(companion.values.decode(question["value"])))


# --- the catalog


def _key(question: Question) -> tuple[str, str]:
    kind = question["type"].lower().removeprefix("::")
    title = question["title"]
    return kind, title.lower().removeprefix("::") if kind == "class" else title


def _resource_of(companion: Companion, question: Question) -> CatalogResource | None:
    found: CatalogResource | None = companion.runtime.state.catalog.find(_key(question))
    return found


def _declared(companion: Companion, question: Question) -> bool:
    return _resource_of(companion, question) is not None


def _attributes(companion: Companion, question: Question) -> dict[str, Value]:
    found = _resource_of(companion, question)
    return (
        {}
        if found is None
        else {name: value for name, value in found.parameters.items() if value is not None}
    )


def _attribute(companion: Companion, question: Question) -> Value:
    return _attributes(companion, question).get(question["name"])


def _override(companion: Companion, question: Question) -> None:
    catalog = companion.runtime.state.catalog
    found = _resource_of(companion, question)
    if found is not None:
        value = to_attribute_value(companion.values.decode(question["value"]))
        catalog.make_writable(found).parameters[question["name"]] = value


def _resources(companion: Companion, question: Question) -> list[list[str]]:
    resources = companion.runtime.state.catalog.resources
    return [[capitalize_name(kind), title] for kind, title in resources]


def _declare(companion: Companion, question: Question) -> None:
    scope = _scope(companion, question)
    kind, title = question["type"].lower(), question["title"]
    attributes = {
        values.text(name): to_attribute_value(value)
        for name, value in values.items(companion.values.decode(question["attributes"]))
    }
    form = "virtual" if question["virtual"] else "regular"
    ResourceDeclarer(scope, find_calling_site(), kind, form).add(scope, title, attributes)


def _own_resource(companion: Companion, question: Question) -> list[str] | None:
    """The type and the title of the resource that a scope evaluates."""
    kind, title = find_declaring_scope(_scope(companion, question)).container
    return [capitalize_name(kind), capitalize_name(title) if kind == "class" and title != "main" else title]


def _tags(companion: Companion, question: Question) -> list[str]:
    catalog = companion.runtime.state.catalog
    return tags_of(catalog, catalog.resources[find_declaring_scope(_scope(companion, question)).container])


def _all_tags(companion: Companion, question: Question) -> list[str]:
    """The tags of the catalog: those of the classes and nodes in it."""
    catalog = companion.runtime.state.catalog
    kinds = ("class", "node")
    declared = [one for one in catalog.resources.values() if one.type in kinds and one.definition is not None]
    tags = (tag for one in declared for tag in own_tags(one, one.born))
    return list(dict.fromkeys([*catalog.classes, *tags]))


def _classes(companion: Companion, question: Question) -> list[str]:
    return list(companion.runtime.state.catalog.classes)


def _defined(companion: Companion, question: Question) -> bool:
    runtime, name = companion.runtime, question["name"].lower().removeprefix("::")
    if question["kind"] == "class":
        return runtime.names.find_class(name) is not None
    if question["kind"] == "define":
        return runtime.names.find_define(name) is not None
    return modules.is_resource_type(name, runtime.settings.modulepath)


def _defaults(companion: Companion, question: Question) -> dict[str, Value]:
    found: dict[str, Value] = {}
    scope: Scope | None = _scope(companion, question)
    while scope is not None:
        found = scope.defaults.get(question["type"].lower(), {}) | found
        scope = scope.caller or scope.parent
    return found


# --- what is around


def _environment(companion: Companion, question: Question) -> list[Value]:
    settings = companion.runtime.settings
    return [settings.environment, list(settings.modulepath)]


def _node(companion: Companion, question: Question) -> str:
    return companion.runtime.settings.node


def _file(companion: Companion, question: Question) -> str | None:
    return sandbox.locate(companion.runtime.state.top, "file", question["name"], question["folder"])


Answer = Callable[["Companion", Question], Any]

# What is answered the same as long as nothing has changed: where all that was asked is of this kind, and is answered
# as it was, what Ruby made of it holds.
REPEATED: dict[str, Answer] = {
    "variable": _variable_again,
    "known": _known,
    "valued": _valued,
    "all": _all,
    "type": _type,
    "instance": _instance,
    "infer": _infer,
    "mismatch": _mismatch,
    "text": _text,
    "declared": _declared,
    "attribute": _attribute,
    "attributes": _attributes,
    "resource": _own_resource,
    "tags": _tags,
    "all_tags": _all_tags,
    "classes": _classes,
    "defined": _defined,
    "defaults": _defaults,
    "environment": _environment,
    "node": _node,
    "file": _file,
}
QUESTIONS: dict[str, Answer] = {
    **REPEATED,
    "variable": _variable,
    "set": _set,
    "change": _change,
    "call": _call,
    "function": _function,
    "dispatch": _dispatch,
    "stack": _stack,
    "block": _block,
    "member": _member,
    "override": _override,
    "resources": _resources,
    "declare": _declare,
}
