"""Near names: what a person most likely meant by a name that is not there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from evaluator import resource_types as known
from evaluator.calling import registry
from evaluator.catalog.model import format_key
from evaluator.catalog.references import parse_reference
from evaluator.help import fit
from evaluator.help.case import Case
from evaluator.program import gate, modules
from evaluator.program.log import Near
from evaluator.program.tracing import Place
from evaluator.program.type_files import type_facts
from evaluator.resource_types import names as type_names
from evaluator.types import names
from lexer_parser.issues.similar import nearest
from lexer_parser.tree import nodes

if TYPE_CHECKING:
    from evaluator.program.protocols import Program

# What other languages call it.
FOREIGN = {
    "append": "concat", "apply": "include", "collect": "map", "contains": "member", "count_by": "group_by",
    "detect": "filter", "each_with_index": "each", "each_pair": "each", "echo": "notice", "error": "err",
    "exists": "defined", "exit": "fail", "fmt": "sprintf", "foldl": "reduce", "for": "each", "forEach": "each",
    "foreach": "each",
    "format": "sprintf", "gsub": "regsubst", "import_class": "include", "inject": "reduce", "info_log": "info",
    "int": "Integer", "is_defined": "defined", "isset": "defined", "len": "length", "log": "notice",
    "lower": "downcase", "lowercase": "downcase", "panic": "fail", "print": "notice", "printf": "sprintf",
    "println": "notice", "puts": "notice", "raise": "fail", "replace": "regsubst", "select": "filter",
    "str": "String", "strlen": "length", "sub": "regsubst", "sum": "reduce", "throw": "fail", "to_i": "Integer",
    "to_s": "String", "to_string": "String", "tolower": "downcase", "toupper": "upcase", "trim": "strip",
    "uniq": "unique", "upper": "upcase", "uppercase": "upcase", "warn": "warning", "where": "filter",
}  # fmt: skip
FOREIGN_TYPES = {"Bool": "Boolean", "Dict": "Hash", "Double": "Float", "Int": "Integer", "List": "Array",
    "Map": "Hash", "Number": "Numeric", "Str": "String", "Symbol": "String", "Text": "String"}  # fmt: skip

# What people call attributes, in words of their own or of other tools.
FOREIGN_ATTRIBUTES = {
    "after": "require", "chmod": "mode", "cmd": "command", "contents": "content", "depends_on": "require",
    "dependencies": "require", "dest": "path", "directory": "home", "enabled": "enable", "home_dir": "home",
    "homedir": "home", "not_if": "unless", "notifies": "notify", "only_if": "onlyif", "perms": "mode",
    "permissions": "mode", "requires": "require", "running": "ensure", "state": "ensure", "status": "ensure",
    "subscribes": "subscribe", "text": "content", "version": "ensure",
}  # fmt: skip

# What is no function here: how it is written instead.
IDIOMS = {
    "add": "Values never change: `$list + [$x]` is a new list, `$hash + { 'key' => 1 }` a new hash.",
    "append": "Values never change: `$list + [$x]` is a new list.",
    "first": "The first element is `$list[0]`.",
    "include?": "Write `$x in $list`.",
    "last": "The last element is `$list[-1]`.",
    "push": "Values never change: `$list + [$x]` is a new list.",
    "sum": "Write `$list.reduce(0) |$sum, $x| { $sum + $x }`.",
}


def near(case: Case) -> str | None:
    """The name that is most like the one which is not there, None when none is near."""
    finder = FINDERS.get(case.error.code)
    return finder(case) if finder is not None else None


def capitals(name: str) -> str:
    """A type's name as it is written: `Foo::Bar`."""
    return "::".join(part[:1].upper() + part[1:] for part in name.split("::"))


# --- what there is


def visible_variables(places: list[Place], runtime: Program) -> list[str]:
    """The names of the variables that can be read at the innermost place."""
    found: dict[str, None] = {}
    scope = None
    for place in reversed(places):
        frame = place.frame
        for name in frame.f_locals:
            local = re.fullmatch(r"v\d+_(\w+)", name)
            if local:
                found[local[1]] = None
        scope = scope or frame.f_locals.get("scope")
        if not frame.f_code.co_name.startswith(("lambda", "part")):
            break
    scope = scope or runtime.state.top
    while scope is not None:
        found.update(dict.fromkeys(scope.variables))
        scope = scope.parent
    return list(found)


def near_variable(name: str, places: list[Place], runtime: Program) -> Near:
    """Finds the variable that is most like `name`, with its `$`, of those that can be read now."""
    plain, classes = name.removeprefix("::"), runtime.state.classes
    visible = [] if "::" in plain else visible_variables(places, runtime)

    def near() -> str | None:
        known: Iterable[str] = visible
        if "::" in plain:
            known = (
                f"{owner}::{variable}" for owner, scope in classes.items() for variable in scope.variables
            )
        found = nearest(plain, known)
        if found is None and "::" not in plain:
            owners = [name for name, scope in classes.items() if plain in scope.variables]
            found = f"{owners[0]}::{plain}" if owners else None
        return f"${found}" if found else None

    return near


def classes(runtime: Program) -> list[str]:
    """The classes that the program defines, and the modules of the path, whose main classes bear their names."""
    named = [name for root in runtime.settings.modulepath for name in gate.modules(root)]
    return [*runtime.state.definitions.classes, *named]


def resource_types(runtime: Program) -> list[str]:
    """The names that can stand before the braces of a resource."""
    brought = modules.resource_types(runtime.settings.modulepath)
    return [*type_names(), *runtime.state.definitions.defines, *brought]


def types(runtime: Program) -> list[str]:
    """The names of all types, capitalised."""
    own = [*runtime.state.definitions.types, *resource_types(runtime)]
    return [*names(runtime.dialect), *map(capitals, own)]


def attributes(runtime: Program, kind: str, title: str) -> list[str]:
    """What can be set on a resource: its type in lower case, and its title, which names a class."""
    definition = (
        runtime.names.find_class(title.lower()) if kind == "class" else runtime.names.find_define(kind)
    )
    if definition is not None:
        return [*(parameter.name for parameter in definition.parameters), *known.METAPARAMETERS]
    facts = type_facts(runtime.settings, kind)
    return sorted(facts.valid or ()) if facts is not None else []


# --- by code


def _variable(case: Case) -> str | None:
    return near_variable(case.found["name"], case.places, case.runtime)()


def _function(case: Case) -> str | None:
    name = case.found["name"]
    if name in IDIOMS:
        return None
    if name in FOREIGN:
        return FOREIGN[name]
    if known.exists(name):
        return None
    if name[:1].isupper() or case.runtime.names.find_class(name) is not None:
        return None
    own = (function.name for function in case.runtime.state.definitions.functions.values())
    return nearest(name, [*registry.names(), *own])


def _type(case: Case) -> str | None:
    name = case.found["name"]
    if name in FOREIGN_TYPES:
        return FOREIGN_TYPES[name]
    return nearest(name, types(case.runtime) if name[:1].isupper() else resource_types(case.runtime))


def _class(case: Case) -> str | None:
    name = case.found.get("name")
    return nearest(name.removeprefix("::"), classes(case.runtime)) if name else None


def _attribute(case: Case) -> str | None:
    key = parse_reference((case.found.get("resource") or case.found.get("reference") or "").replace("'", ""))
    name = case.found.get("parameter") or case.found.get("name")
    if key is None or name is None:
        return None
    case.found["type"] = capitals(key[0]) if key[0] != "class" else key[1]
    known = attributes(case.runtime, *key)
    other = FOREIGN_ATTRIBUTES.get(name)
    return other if other in known else nearest(name, known)


def _reference(case: Case) -> str | None:
    error = case.error
    wanted = (
        case.found.get({"RELATIONSHIP_SOURCE_MISSING": "source"}.get(error.code, "target"))
        or case.found.get("reference")
        or case.found.get("references")
    )
    if not wanted:
        return None
    plain = wanted.replace("'", "")
    known = {format_key(key): key for key in case.runtime.state.catalog.resources}
    kind, _, title = plain.partition("[")
    titles = {key[1]: text for text, key in known.items() if text.startswith(f"{kind}[")}
    found = nearest(title.removesuffix("]"), titles)
    if found is None:
        return None
    return f"{kind}['{found}']"


def _choice(case: Case) -> str | None:
    """One of the values that an Enum lists; or the data type that an unknown name was taken for another kind of."""
    actual = case.found.get("actual", "")
    if case.found.get("expected") == "Resource" and case.error.code == "ARGUMENT_MISMATCH":
        return _declared_type(case)
    if not case.found.get("match") or not actual.startswith("'"):
        return None
    found = nearest(actual.strip("'"), fit.choices(case.found["expected"]))
    return f"'{found}'" if found else None


def _declared_type(case: Case) -> str | None:
    function = case.function()
    for parameter in getattr(getattr(function, "node", None), "parameters", ()):
        if parameter.name == case.found.get("parameter") and isinstance(parameter.type, nodes.TypeName):
            name = parameter.type.value if hasattr(parameter.type, "value") else ""
            return FOREIGN_TYPES.get(name) or nearest(name, names(case.runtime.dialect))
    return None


FINDERS: dict[str, Callable[[Case], str | None]] = {
    "UNKNOWN_VARIABLE": _variable,
    "UNKNOWN_FUNCTION": _function,
    "UNKNOWN_RESOURCE_TYPE": _type,
    "RESOURCE_TYPE_NOT_FOUND": _type,
    "COLLECTED_TYPE_UNKNOWN": _type,
    "CLASS_NOT_FOUND": _class,
    "DECLARED_CLASS_NOT_FOUND": _class,
    "PARENT_MISSING": _class,
    "UNKNOWN_PARAMETER": _attribute,
    "UNKNOWN_ATTRIBUTE": _attribute,
    "UNKNOWN_RESOURCE_PARAMETER": _attribute,
    **dict.fromkeys(
        (
            "UNKNOWN_RESOURCE",
            "OVERRIDE_MISSING",
            "REALIZE_MISSING",
            "RELATIONSHIP_SOURCE_MISSING",
            "RELATIONSHIP_TARGET_MISSING",
            "PARAMETER_TARGET_MISSING",
        ),
        _reference,
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
        _choice,
    ),
}
