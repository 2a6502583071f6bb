"""Lines of help about classes, defines and resources that depend on the case."""

from __future__ import annotations

from collections.abc import Callable

from evaluator.help import fit
from evaluator.help.case import Case, about_near
from lexer_parser.tree import nodes


def _missing_parameter(case: Case) -> str:
    name, resource = case.found["parameter"], case.found["resource"]
    if resource == "lambda":
        return f"Give the template a value: `epp('…', {{ '{name}' => … }})`."
    if resource.startswith("Class["):
        owner = resource[6:-1].lower()
        if isinstance(case.node, nodes.Resource):
            return f"Add `{name} => …` to the declaration, or give the parameter a default."
        return (
            f"Declare it with a value: `class {{ '{owner}': {name} => … }}`, or give the parameter a default."
        )
    return f"Add `{name} => …` to the declaration, or give the parameter a default."


def _duplicate(case: Case) -> str:
    kind, _, title = case.found["resource"].partition("[")
    first = next((note.span for note in case.error.notes if note.span is not None), None)
    last = case.places[-1].span if case.places else None
    if first is not None and last is not None and (first.source, first.start) == (last.source, last.start):
        return "The same declaration is evaluated twice: let its title tell them apart, as by `${title}`."
    if kind == "Class":
        return (
            f"Declare a class once and before it is included; elsewhere write `include {title[:-1].lower()}`."
        )
    return f"Give one of them another title, or declare it once and refer to it: `{kind}['{title[:-1]}']`."


def _class_name(case: Case) -> str:
    name = case.found["name"]
    if case.runtime.names.find_define(name.removeprefix("::")) is not None:
        case.error.needs = ""
        plain = name.removeprefix("::")
        return f"`{plain}` is a defined type, no class: declare it with a title, `{plain} {{ 'title': }}`."
    if name.endswith(".pp") or "/" in name:
        case.error.suggestion, case.error.needs = None, ""
        return "A class is included by its name, not by its file: `include web`; files of modules are found by it."
    if case.error.suggestion is not None:
        return "Classes of modules are found by the module path."
    if case.runtime.settings.modulepath:
        module, _, rest = name.partition("::")
        file = f"{module}/manifests/{rest.replace('::', '/') or 'init'}.pp"
        return f"Define `class {name} {{ }}`, or put it into `{file}` of a module."
    return f"Define `class {name} {{ }}` first; classes of modules are found by the module path."


def _resource_type(case: Case) -> str | None:
    name = case.found["name"]
    if case.error.suggestion is not None:
        case.error.needs = ""  # the name is misspelt
        return about_near(case)
    if case.runtime.names.find_class(name) is not None:
        return f"This is a class: write `include {name}` or `class {{ '{name}': }}`."
    if case.runtime.names.find_function(name) is not None:
        return f"This is a function: call it with parentheses, `{name}(…)`."
    return f"Define it: `define {name}() {{ … }}`; defines of modules are found by the module path."


SPECIAL: dict[str, Callable[[Case], str | None]] = {
    "MISSING_REQUIRED_PARAMETER": _missing_parameter,
    "PARAMETER_MISMATCH": fit.advice,
    "DUPLICATE_DECLARATION": _duplicate,
    "CLASS_NOT_FOUND": _class_name,
    "DECLARED_CLASS_NOT_FOUND": _class_name,
    "RESOURCE_TYPE_NOT_FOUND": _resource_type,
    "COLLECTED_TYPE_UNKNOWN": _resource_type,
}
