"""Near names: the existing name that was most likely meant by one that does not exist."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import TYPE_CHECKING

from evaluator import resource_types
from evaluator.calling import registry
from evaluator.catalog.model import format_key
from evaluator.help.context import ErrorContext
from evaluator.program import modules, sandbox
from evaluator.program.log import FindSimilar
from evaluator.program.modules import get_type_facts
from evaluator.program.tracing import LAMBDA, OUTLINED, FramePlace, get_written_name
from evaluator.types import list_builtin_names
from evaluator.types.learner_wording import expects_resource, list_choices
from evaluator.types.mismatches import PatternMismatch
from lexer_parser.issues.similarity import find_nearest
from lexer_parser.tree import nodes
from lexer_parser.tree.labels import capitalize_segments

if TYPE_CHECKING:
    from evaluator.running.runtime import Runtime

# Functions as other languages call them, and Puppet's.
FOREIGN_FUNCTIONS = {
    "apply": "include", "collect": "map", "contains": "member", "count_by": "group_by",
    "detect": "filter", "each_with_index": "each", "each_pair": "each", "echo": "notice", "error": "err",
    "exists": "defined", "exit": "fail", "fmt": "sprintf", "foldl": "reduce", "for": "each", "forEach": "each",
    "foreach": "each", "format": "sprintf", "gsub": "regsubst", "import_class": "include", "inject": "reduce",
    "info_log": "info", "int": "Integer", "is_defined": "defined", "isset": "defined", "len": "length", "log": "notice",
    "lower": "downcase", "lowercase": "downcase", "panic": "fail", "print": "notice", "printf": "sprintf",
    "println": "notice", "puts": "notice", "raise": "fail", "replace": "regsubst", "select": "filter",
    "str": "String", "strlen": "length", "sub": "regsubst", "throw": "fail", "to_i": "Integer",
    "to_s": "String", "to_string": "String", "tolower": "downcase", "toupper": "upcase", "trim": "strip",
    "uniq": "unique", "upper": "upcase", "uppercase": "upcase", "warn": "warning", "where": "filter",
}  # fmt: skip
# Types as other languages call them, and Puppet's.
FOREIGN_TYPES = {"Bool": "Boolean", "Dict": "Hash", "Double": "Float", "Int": "Integer", "List": "Array",
    "Map": "Hash", "Number": "Numeric", "Str": "String", "Symbol": "String", "Text": "String"}  # fmt: skip

# Attributes as other tools call them, and Puppet's.
FOREIGN_ATTRIBUTES = {
    "after": "require", "chmod": "mode", "cmd": "command", "contents": "content", "depends_on": "require",
    "dependencies": "require", "dest": "path", "directory": "home", "enabled": "enable", "home_dir": "home",
    "homedir": "home", "not_if": "unless", "notifies": "notify", "only_if": "onlyif", "perms": "mode",
    "permissions": "mode", "requires": "require", "running": "ensure", "state": "ensure", "status": "ensure",
    "subscribes": "subscribe", "text": "content", "version": "ensure",
}  # fmt: skip

# Functions of other languages for which Puppet has an expression.
IDIOMS = {
    "add": "Values never change: `$list + [$x]` is a new list, `$hash + { 'key' => 1 }` a new hash.",
    "append": "Values never change: `$list + [$x]` is a new list.",
    "first": "The first element is `$list[0]`.",
    "include?": "Write `$x in $list`.",
    "last": "The last element is `$list[-1]`.",
    "push": "Values never change: `$list + [$x]` is a new list.",
    "sum": "Write `$list.reduce(0) |$sum, $x| { $sum + $x }`.",
}


def find_near_name(context: ErrorContext) -> str | None:
    """Return the name most similar to the one that does not exist, None if none is near."""
    finder = NAME_FINDERS.get(context.error.code)
    return finder(context) if finder is not None else None


# --- The names that exist


def list_visible_variables(places: list[FramePlace], runtime: Runtime) -> list[str]:
    """Return the names of the variables that are visible at the innermost place."""
    names: dict[str, None] = {}
    scope = None
    # The body, and those around it if it is a lambda or `compiler.outlining` has made it a function of its own.
    for place in reversed(places):
        frame = place.frame
        names |= dict.fromkeys(filter(None, map(get_written_name, frame.f_locals)))
        scope = scope or frame.f_locals.get("scope")
        if not frame.f_code.co_name.startswith((LAMBDA, OUTLINED)):
            break
    scope = scope or runtime.state.top
    while scope is not None:
        names.update(dict.fromkeys(scope.variables))
        scope = scope.parent
    return list(names)


def make_variable_finder(name: str, places: list[FramePlace], runtime: Runtime) -> FindSimilar:
    """Return a function that finds the variable most similar to `name`, with its `$`, of those visible now.

    It searches on its first call: many log lines about one variable share the function.
    """
    plain, classes = name.removeprefix("::"), runtime.state.classes
    visible = [] if "::" in plain else list_visible_variables(places, runtime)

    @cache
    def search() -> str | None:
        candidates: Iterable[str] = visible
        if "::" in plain:
            candidates = (
                f"{owner}::{variable}" for owner, scope in classes.items() for variable in scope.variables
            )
        similar = find_nearest(plain, candidates)
        if similar is None and "::" not in plain:
            owners = [name for name, scope in classes.items() if plain in scope.variables]
            similar = f"{owners[0]}::{plain}" if owners else None
        return f"${similar}" if similar else None

    return search


def list_resource_types(runtime: Runtime) -> list[str]:
    """Return the names of resource types and defines."""
    module_types = modules.list_module_types(runtime.settings.modulepath)
    return [*resource_types.list_names(), *runtime.state.definitions.defines, *module_types]


def list_types(runtime: Runtime) -> list[str]:
    """Return the names of all types, capitalized."""
    own = [*runtime.state.definitions.types, *list_resource_types(runtime)]
    return [*list_builtin_names(runtime.dialect), *map(capitalize_segments, own)]


def list_attributes(runtime: Runtime, type_name: str, title: str) -> list[str]:
    """Return the attributes or parameters of a resource.

    Args:
        runtime: The program.
        type_name: The resource type in lower case.
        title: The title, which for `class` is the name of the class.
    """
    definition = (
        runtime.names.find_class(title.lower())
        if type_name == "class"
        else runtime.names.find_define(type_name)
    )
    if definition is not None:
        return [*(parameter.name for parameter in definition.parameters), *resource_types.METAPARAMETERS]
    facts = get_type_facts(runtime.settings, type_name)
    return sorted(facts.valid or ()) if facts is not None else []


# --- Near names by the code of the error: None if none is near


def _find_function_name(context: ErrorContext) -> str | None:
    name = context.words["name"]
    if name in IDIOMS:
        return None
    if name in FOREIGN_FUNCTIONS:
        return FOREIGN_FUNCTIONS[name]
    # The name may be right, but that of a resource type, a data type or a class.
    if (
        resource_types.is_known(name)
        or name[:1].isupper()
        or context.runtime.names.find_class(name) is not None
    ):
        return None
    own = (function.name for function in context.runtime.state.definitions.functions.values())
    return find_nearest(name, [*registry.list_function_names(), *own])


def _find_type_name(context: ErrorContext) -> str | None:
    name = context.words["name"]
    if name in FOREIGN_TYPES:
        return FOREIGN_TYPES[name]
    return find_nearest(
        name, list_types(context.runtime) if name[:1].isupper() else list_resource_types(context.runtime)
    )


def _find_class_name(context: ErrorContext) -> str | None:
    name, runtime = context.words.get("name"), context.runtime
    # A module has the name of its main class.
    main_classes = [module for root in runtime.settings.modulepath for module in sandbox.list_modules(root)]
    own = runtime.state.definitions.classes
    return find_nearest(name.removeprefix("::"), [*own, *main_classes]) if name else None


def _find_attribute_name(context: ErrorContext) -> str | None:
    """Find an attribute of the resource that the error names."""
    key = context.resource_key
    name = context.words.get("parameter") or context.words.get("name")
    if key is None or name is None:
        return None
    attributes = list_attributes(context.runtime, *key)
    translation = FOREIGN_ATTRIBUTES.get(name)
    return translation if translation in attributes else find_nearest(name, attributes)


def _find_reference(context: ErrorContext) -> str | None:
    """Find a resource of the same type as the missing one, which the words of the error name."""
    words, is_source = context.words, context.error.code == "RELATIONSHIP_SOURCE_MISSING"
    missing = (
        words.get("source" if is_source else "target") or words.get("reference") or words.get("references")
    )
    if not missing:
        return None
    type_name, _, title = missing.replace("'", "").partition("[")
    keys = context.runtime.state.catalog.resources
    titles = [key[1] for key in keys if format_key(key).startswith(f"{type_name}[")]
    similar = find_nearest(title.removesuffix("]"), titles)
    return f"{type_name}['{similar}']" if similar is not None else None


def _find_choice(context: ErrorContext) -> str | None:
    """Find one of the values of an Enum, or the data type that was meant by an unknown name."""
    mismatch = context.mismatch
    if mismatch is None:
        return None
    if context.error.code == "ARGUMENT_MISMATCH" and expects_resource(mismatch):
        return _find_declared_type(context)
    value = getattr(mismatch.actual, "value", None)
    if not isinstance(mismatch, PatternMismatch) or type(value) is not str:
        return None
    choice = find_nearest(value, list_choices(mismatch))
    return f"'{choice}'" if choice else None


def _find_declared_type(context: ErrorContext) -> str | None:
    """Find the data type that was meant by the declared type of a parameter."""
    function = context.find_function()
    for parameter in getattr(getattr(function, "node", None), "parameters", ()):
        if parameter.name == context.words.get("parameter") and isinstance(parameter.type, nodes.TypeName):
            name = parameter.type.value
            return FOREIGN_TYPES.get(name) or find_nearest(name, list_builtin_names(context.runtime.dialect))
    return None


NAME_FINDERS: dict[str, Callable[[ErrorContext], str | None]] = {
    "UNKNOWN_VARIABLE": lambda context: make_variable_finder(
        context.words["name"], context.places, context.runtime
    )(),
    "UNKNOWN_FUNCTION": _find_function_name,
    "UNKNOWN_RESOURCE_TYPE": _find_type_name,
    "RESOURCE_TYPE_NOT_FOUND": _find_type_name,
    "COLLECTED_TYPE_UNKNOWN": _find_type_name,
    "CLASS_NOT_FOUND": _find_class_name,
    "DECLARED_CLASS_NOT_FOUND": _find_class_name,
    "PARENT_MISSING": _find_class_name,
    "UNKNOWN_PARAMETER": _find_attribute_name,
    "UNKNOWN_ATTRIBUTE": _find_attribute_name,
    "UNKNOWN_RESOURCE_PARAMETER": _find_attribute_name,
    **dict.fromkeys(
        (
            "UNKNOWN_RESOURCE",
            "OVERRIDE_MISSING",
            "REALIZE_MISSING",
            "RELATIONSHIP_SOURCE_MISSING",
            "RELATIONSHIP_TARGET_MISSING",
            "PARAMETER_TARGET_MISSING",
        ),
        _find_reference,
    ),
    **dict.fromkeys(
        (
            "ARGUMENT_MISMATCH",
            "PARAMETER_MISMATCH",
            "TYPE_MISMATCH",
            "WRONG_TYPE",
            "RETURN_MISMATCH",
            "ASSERTION_FAILED",
        ),
        _find_choice,
    ),
}
