"""The check of the names that a program uses, which are looked up in a `SymbolTable`.

A name is reported if it certainly does not exist, or if it is similar to another one. A name that a node, a missing
module or another program may define is not reported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Set

from evaluator.catalog.model import capitalize_name, format_key
from evaluator.checking.names import NameUse, ProgramNames, VariableScope
from evaluator.checking.symbols import SymbolTable, collect_site_variables
from evaluator.help.near_names import FOREIGN_ATTRIBUTES, FOREIGN_FUNCTIONS, FOREIGN_TYPES, IDIOMS
from evaluator.issues import make_error
from evaluator.program.repositories import find_module_root
from evaluator.resource_types import METAPARAMETERS
from lexer_parser.dialect import Dialect
from lexer_parser.errors import PuppetError
from lexer_parser.issues.similarity import edit_distance, find_nearest
from lexer_parser.source import Source, Span
from lexer_parser.validation.module_files import split_module_path
from lexer_parser.validation.walk import Diagnostic

Finding = Diagnostic | None  # None if nothing is wrong


class NameChecker:
    """The check of the names of one program.

    Args:
        symbols: The names that can be used.
        names: The names in the program.
        source: The text of the program.
        path: The path of its file; None if the program has no file.
        dialect: The dialect in which it is written.
    """

    def __init__(
        self, symbols: SymbolTable, names: ProgramNames, source: Source, path: str | None, dialect: Dialect
    ) -> None:
        self.symbols = symbols
        self.names = names
        self.source = source
        self.dialect = dialect
        self.is_in_module = path is not None and (
            split_module_path(path, symbols.modulepath) is not None or find_module_root(path) is not None
        )

    def check_names(self, uses: Iterable[NameUse]) -> Iterator[Diagnostic]:
        """Yield the findings for these names, each once."""
        reported = set()
        for use in uses:
            key = use.kind, use.name, use.owner, use.body
            if key in reported or (use.kind != "attribute" and self._is_tested(use)):
                continue
            finding = _CHECKS[use.kind](self, use)
            if finding is not None:
                reported.add(key)
                yield finding

    def _is_tested(self, use: NameUse) -> bool:
        """Return True if the program itself tests whether the name is defined."""
        return (f"${use.name}" if use.kind == "variable" else use.name).lower() in self.names.tested_names

    def exists(self, kind: str, name: str) -> bool:
        """Return True if the program, another input or a module defines a name."""
        return (kind, name) in self.names.definitions or self.symbols.has(kind, name)

    def make_span(self, use: NameUse) -> Span:
        """Return the span of a name."""
        return Span(self.source, *use.place)

    def decide_severity(self, name: str, *, has_near: bool) -> str:
        """Return the severity of a name that was not found; "" if it may be defined elsewhere.

        All names of an available module are known. Other modules may be missing here, for example those that the module
        of the program depends on.

        Args:
            name: The name in lower case.
            has_near: True if a similar name exists, so that the name is probably misspelt.
        """
        if self.symbols.knows_namespace(name):
            return "error"
        if "::" in name or self.is_in_module:
            return "warning" if has_near else ""
        return "error" if has_near or self.symbols.complete else "warning"


# --- functions, classes, types
#
# A check returns what is wrong with a use of a name, None if nothing is. `_CHECKS` has the check for each kind of use.


def _check_function(checker: NameChecker, use: NameUse) -> Finding:
    symbols, name = checker.symbols, use.name
    if ("function", name) in checker.names.definitions or symbols.is_function(name):
        return None
    near = (
        None
        if name in IDIOMS
        else FOREIGN_FUNCTIONS.get(name) or _find_similar(name, symbols.list_candidate_functions(name))
    )
    problem = make_error("UNKNOWN_FUNCTION", checker.make_span(use), name=name)
    return _make_unknown_name(
        checker, use, problem, near, IDIOMS.get(name) or f"Define it: `function {name}() {{ … }}`."
    )


def _check_class(checker: NameChecker, use: NameUse) -> Finding:
    if checker.exists("class", use.name):
        return None
    code = "PARENT_MISSING" if use.kind == "parent" else "DECLARED_CLASS_NOT_FOUND"
    # The text names an environment, and a check knows none.
    problem = make_error(code, checker.make_span(use), name=use.name, environment="production")
    if checker.exists("define", use.name):
        problem.needs = ""  # no module path is missing
        remedy = f"`{use.name}` is a defined type, not a class: declare it with a title, `{use.name} {{ 'title': }}`."
        return _make_diagnostic(problem, "error", remedy)
    near = _find_similar(
        use.name, [*checker.symbols.list_candidate_classes(use.name), *_list_own_names(checker, "class")]
    )
    if near is not None and checker.symbols.find_scope("define", near) is not None:
        near = None  # a define, which cannot be included
    remedy = f"Define `class {use.name} {{ }}`; classes of modules are found by the module path."
    return _make_unknown_name(checker, use, problem, near, remedy)


def _check_type(checker: NameChecker, use: NameUse) -> Finding:
    symbols, name = checker.symbols, use.name
    if ("define", name) in checker.names.definitions or symbols.is_type(name):
        return None
    problem = make_error("RESOURCE_TYPE_NOT_FOUND", checker.make_span(use), name=name)
    if checker.exists("class", name):
        problem.needs = ""  # no module path is missing
        remedy = f"This is a class: write `include {name}` or `class {{ '{name}': }}`."
        return _make_diagnostic(problem, "error", remedy)
    near = _find_similar(name, [*symbols.list_candidate_types(name), *_list_own_names(checker, "define")])
    remedy = f"Define it: `define {name}() {{ … }}`; defines of modules are found by the module path."
    return _make_unknown_name(checker, use, problem, near, remedy)


def _check_data_type(checker: NameChecker, use: NameUse) -> Finding:
    """Check a capitalized name: of a data type, an alias, a resource type or a define."""
    symbols, name = checker.symbols, use.name
    lowered = name.lower()
    if ("type", lowered.rpartition("::")[0]) in checker.names.definitions:
        return None  # declared by a type set
    if symbols.is_data_type(lowered, checker.dialect):
        return None
    problem = make_error("UNKNOWN_RESOURCE_TYPE", checker.make_span(use), name=name)
    if checker.exists("class", lowered):
        remedy = f"`{lowered}` is a class, not a type: refer to it by `Class['{lowered}']`."
        severity = checker.decide_severity(lowered, has_near=True)
        finding: Finding = _make_diagnostic(problem, severity, remedy)
    else:
        own = map(capitalize_name, (*_list_own_names(checker, "type"), *_list_own_names(checker, "define")))
        near = FOREIGN_TYPES.get(name) or _find_similar(
            name, {*symbols.list_candidate_data_types(name, checker.dialect), *own}
        )
        finding = _make_unknown_name(
            checker, use, problem, near, f"Define it: `type {name} = …`, or check the spelling."
        )
    if finding is not None and checker.dialect.unknown_types:
        finding.severity = "warning"  # the name may be that of a resource type
    return finding


def _list_own_names(checker: NameChecker, kind: str) -> Iterator[str]:
    return (name for other, name in checker.names.definitions if other == kind)


def _find_similar(name: str, candidates: Iterable[str]) -> str | None:
    """Return the candidate most similar to a name.

    It has as many `::` as the name, and a similar last segment.
    """
    *outer, last = name.split("::")
    return find_nearest(name, (other for other in candidates if _is_like(last, len(outer), other)))


def _is_like(last: str, depth: int, other: str) -> bool:
    """Return True if a candidate has `depth` segments before one that is similar to `last`."""
    *other_outer, other_last = other.split("::")
    limit = max(1, len(last) // 3)
    return len(other_outer) == depth and edit_distance(last.lower(), other_last.lower(), limit) <= limit


def _make_unknown_name(
    checker: NameChecker, use: NameUse, problem: PuppetError, near: str | None, remedy: str
) -> Finding:
    """Return the error for a name that does not exist, with a similar name or the remedy.

    If a similar name or the module of the name exists, a missing module path is not the cause: the need of the issue
    is dropped.
    """
    severity = checker.decide_severity(use.name.lower(), has_near=near is not None)
    if near is not None:
        problem.suggestion, problem.needs = near, ""
    elif checker.symbols.knows_namespace(use.name.lower()):
        problem.needs = ""
        remedy = (
            f"The module `{use.name.lower().partition('::')[0]}` exists, but defines nothing with this name."
        )
    return _make_diagnostic(problem, severity, None if near is not None else remedy) if severity else None


def _make_diagnostic(problem: PuppetError, severity: str, remedy: str | None) -> Diagnostic:
    """Return the diagnostic for an error, to which the remedy is added as help."""
    problem.help = remedy
    return Diagnostic(problem, severity)


# --- attributes


def _check_attribute(checker: NameChecker, use: NameUse) -> Finding:
    """Check an attribute by the parameters of a define or class, or by those of the type."""
    type_name, title = use.owner
    own = checker.names.definitions.get(("class", title) if type_name == "class" else ("define", type_name))
    definition = own or checker.symbols.find_definition(type_name, title)
    if definition is not None:
        valid: Set[str] | None = METAPARAMETERS.union(definition.parameters)
    else:
        valid = None if type_name == "class" else checker.symbols.find_type_attributes(type_name)
    if valid is None or use.name in valid or (definition is not None and use.name == "name"):
        return None
    resource = format_key((type_name, title)) if title else capitalize_name(type_name)
    if definition is not None:
        reason = f"has no parameter named '{use.name}'"
        problem = make_error("UNKNOWN_PARAMETER", checker.make_span(use), resource=resource, reason=reason)
    else:
        problem = make_error(
            "UNKNOWN_ATTRIBUTE", checker.make_span(use), name=use.name, place="", resource=resource
        )
    translation = FOREIGN_ATTRIBUTES.get(use.name)
    problem.suggestion = translation if translation in valid else find_nearest(use.name, valid)
    if problem.suggestion is None:
        problem.help = f"It has: {', '.join(sorted(valid - METAPARAMETERS)) or 'no parameters'}."
    return Diagnostic(problem, "error")


# --- variables


def _check_variable(checker: NameChecker, use: NameUse) -> Finding:
    """Check a variable by those that the body sees, `$class::name` by those of the class."""
    if checker.symbols.strict == "off" or use.name.isdigit() or use.body is None:
        return None
    name = use.name.removeprefix("::")
    class_name, _, variable_name = name.rpartition("::")
    if class_name:
        return _check_class_variable(checker, use, class_name, variable_name)
    is_absolute = use.name != name  # `$::name` is a variable of top scope
    visible = _list_visible(checker, checker.names.top if is_absolute else use.body)
    if visible is None or name in visible or checker.symbols.is_known_variable(name):
        return None
    candidates = {*visible, *checker.symbols.list_known_variables()}
    if is_absolute:  # `$::role` may be set by the classification of a node, unless it is misspelt
        candidates = {other for other in candidates if edit_distance(name, other, 1) <= 1}
    near = find_nearest(name, candidates)
    return _make_unknown_variable(checker, use, near) if near is not None or not is_absolute else None


def _check_class_variable(checker: NameChecker, use: NameUse, class_name: str, name: str) -> Finding:
    variables = _list_class_variables(checker, class_name.lower())
    if variables is None or name in variables:
        return None
    near = find_nearest(name, variables)
    return _make_unknown_variable(checker, use, f"{class_name}::{near}" if near else None)


def _make_unknown_variable(checker: NameChecker, use: NameUse, near: str | None) -> Finding:
    problem = make_error("UNKNOWN_VARIABLE", checker.make_span(use), name=use.name)
    problem.suggestion = f"${near}" if near else None
    problem.help = None if near else "Assign it before you read it; a variable of a class is `$class::name`."
    return Diagnostic(problem, checker.symbols.strict)


def _list_visible(checker: NameChecker, body: VariableScope | None) -> set[str] | None:
    """Return the variables that a body sees; None if code elsewhere may set others."""
    visible = collect_site_variables(checker.names)
    while body is not None:
        inherited = _list_class_variables(checker, body.parent) if body.parent is not None else set()
        if body.open or inherited is None:
            return None
        visible |= body.variables | inherited
        if body.kind in ("class", "define"):
            visible |= {*METAPARAMETERS, "name", "title"}
        body = body.around
    return visible


def _list_class_variables(checker: NameChecker, class_name: str) -> set[str] | None:
    """Return the variables of a class and its ancestors; None if they are not all known."""
    variables = {"name", "title", "module_name", "caller_module_name"}
    passed: set[str] = set()
    name: str | None = class_name
    while name is not None and name not in passed:
        passed.add(name)
        body = checker.names.definitions.get(("class", name)) or checker.symbols.find_scope("class", name)
        if body is None or body.open:
            return None
        variables |= body.variables
        name = body.parent
    return variables


_CHECKS: dict[str, Callable[[NameChecker, NameUse], Finding]] = {
    "function": _check_function,
    "class": _check_class,
    "parent": _check_class,
    "type": _check_type,
    "data type": _check_data_type,
    "attribute": _check_attribute,
    "variable": _check_variable,
}
