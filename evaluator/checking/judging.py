"""What is wrong with the names that a program uses, as far as that can be told without running it.

A name is told that is surely nowhere, or that is most like another one. What a node, a module that is not at hand or
another program may give is left alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from evaluator.catalog.model import capitalize_name, format_key
from evaluator.checking.folders import module_root
from evaluator.checking.reading import Body, Reading, Use
from evaluator.checking.world import World, site_variables
from evaluator.help.foreign_names import FOREIGN, FOREIGN_ATTRIBUTES, FOREIGN_TYPES, IDIOMS
from evaluator.issues import error
from evaluator.resource_types import METAPARAMETERS
from lexer_parser.dialect import Dialect
from lexer_parser.errors import PuppetError
from lexer_parser.issues.similarity import edit_distance, find_nearest
from lexer_parser.source import Source, Span
from lexer_parser.validation.modules import module_parts
from lexer_parser.validation.walk import Diagnostic

Found = tuple[str, PuppetError] | None  # the severity, and what is wrong


class Judge:
    """Judges the names of one program.

    world  what there is to name;  reading  what the program says;  source  its text
    path   of its file, None for text of no file;  dialect  in which it is written
    """

    def __init__(
        self, world: World, reading: Reading, source: Source, path: str | None, dialect: Dialect
    ) -> None:
        self.world = world
        self.reading = reading
        self.source = source
        self.dialect = dialect
        self.in_module = path is not None and (
            module_parts(path, world.modulepath) is not None or module_root(path) is not None
        )

    def judge(self, uses: Iterable[Use]) -> Iterator[Diagnostic]:
        """What is wrong with these names, each told once."""
        told = set()
        for use in uses:
            key = use.kind, use.name, use.owner, use.body
            if key in told or (use.kind != "attribute" and self._is_asked(use)):
                continue
            found = _JUDGES[use.kind](self, use)
            if found is not None:
                told.add(key)
                yield Diagnostic(found[1], found[0])

    def _is_asked(self, use: Use) -> bool:
        name = f"${use.name}" if use.kind == "variable" else use.name
        return name.lower() in self.reading.asked

    def span(self, use: Use) -> Span:
        """Where a name stands."""
        return Span(self.source, *use.place)

    def severity(self, name: str, near: str | None) -> str:
        """How a name counts that is nowhere to be found; "" when it may be where nobody looked."""
        if self.world.knows_namespace(name):
            return "error"
        if "::" in name or self.in_module:
            return "warning" if near is not None else ""
        return "error" if near is not None or self.world.complete else "warning"


# --- functions, classes, types


def _function(judge: Judge, use: Use) -> Found:
    world, name = judge.world, use.name
    if ("function", name) in judge.reading.defined or world.is_function(name):
        return None
    near = None if name in IDIOMS else FOREIGN.get(name) or _near(name, world.functions(name))
    problem = error("UNKNOWN_FUNCTION", judge.span(use), name=name)
    return _told(judge, use, problem, near, IDIOMS.get(name) or f"Define it: `function {name}() {{ … }}`.")


def _class(judge: Judge, use: Use) -> Found:
    if ("class", use.name) in judge.reading.defined or judge.world.has("class", use.name):
        return None
    is_define = ("define", use.name) in judge.reading.defined or judge.world.has("define", use.name)
    near = None if is_define else _near(use.name, [*judge.world.classes(use.name), *_own(judge, "class")])
    if near is not None and judge.world.body("define", near) is not None:
        near = None
    code = "PARENT_MISSING" if use.kind == "parent" else "DECLARED_CLASS_NOT_FOUND"
    problem = error(code, judge.span(use), name=use.name, environment="production")
    if is_define:
        problem.needs = ""
        way = f"`{use.name}` is a defined type, not a class: declare it with a title, `{use.name} {{ 'title': }}`."
        return _with_help(problem, "error", way)
    way = f"Define `class {use.name} {{ }}`; classes of modules are found by the module path."
    return _told(judge, use, problem, near, way)


def _type(judge: Judge, use: Use) -> Found:
    world, name = judge.world, use.name
    if ("define", name) in judge.reading.defined or world.is_type(name):
        return None
    problem = error("RESOURCE_TYPE_NOT_FOUND", judge.span(use), name=name)
    if ("class", name) in judge.reading.defined or world.has("class", name):
        problem.needs = ""
        way = f"This is a class: write `include {name}` or `class {{ '{name}': }}`."
        return _with_help(problem, "error", way)
    near = _near(name, [*world.types(name), *_own(judge, "define")])
    way = f"Define it: `define {name}() {{ … }}`; defines of modules are found by the module path."
    return _told(judge, use, problem, near, way)


def _data_type(judge: Judge, use: Use) -> Found:
    """A name with a capital: a data type, an alias, a type of resources or a define."""
    world, name = judge.world, use.name
    lowered = name.lower()
    if lowered.rpartition("::")[0] and ("type", lowered.rpartition("::")[0]) in judge.reading.defined:
        return None  # what a set of types declares
    if world.is_data_type(lowered, judge.dialect):
        return None
    problem = error("UNKNOWN_RESOURCE_TYPE", judge.span(use), name=name)
    if ("class", lowered) in judge.reading.defined or world.has("class", lowered):
        severity: str = judge.severity(lowered, name)
        way = f"`{lowered}` is a class, no type: refer to it by `Class['{lowered}']`."
        found = _with_help(problem, severity, way)
    else:
        own = map(capitalize_name, (*_own(judge, "type"), *_own(judge, "define")))
        near = FOREIGN_TYPES.get(name) or _near(name, {*world.data_types(name, judge.dialect), *own})
        found = _told(judge, use, problem, near, f"Define it: `type {name} = …`, or check the spelling.")
    if found is not None and judge.dialect.unknown_types:
        return "warning", found[1]  # the name of a type of resources, for all that the text tells
    return found


def _own(judge: Judge, kind: str) -> Iterator[str]:
    return (name for other, name in judge.reading.defined if other == kind)


def _near(name: str, candidates: Iterable[str]) -> str | None:
    """The candidate most like a name, with as many `::` and a last part that is like the name's."""
    *around, last = name.split("::")
    return find_nearest(name, (other for other in candidates if _is_like(last, len(around), other)))


def _is_like(last: str, depth: int, other: str) -> bool:
    *around, end = other.split("::")
    limit = max(1, len(last) // 3)
    return len(around) == depth and edit_distance(last.lower(), end.lower(), limit) <= limit


def _told(judge: Judge, use: Use, problem: PuppetError, near: str | None, way: str) -> Found:
    """The problem of a name that is not there, with the near one, or else with the way out."""
    severity = judge.severity(use.name.lower(), near)
    if near is not None:
        problem.suggestion, problem.needs = near, ""
    elif judge.world.knows_namespace(use.name.lower()):
        problem.needs = ""
        way = f"The module `{use.name.lower().partition('::')[0]}` is there, and has nothing of this name."
    return _with_help(problem, severity, None if near is not None else way) if severity else None


def _with_help(problem: PuppetError, severity: str, way: str | None) -> Found:
    problem.help = way
    return severity, problem


# --- attributes


def _attribute(judge: Judge, use: Use) -> Found:
    kind, title = use.owner
    own = judge.reading.defined.get(("class", title) if kind == "class" else ("define", kind))
    known = METAPARAMETERS.union(own.parameters) if own is not None else judge.world.attributes(kind, title)
    is_defined = own is not None or judge.world.is_defined(kind, title)
    if known is None or use.name in known or (is_defined and use.name == "name"):
        return None
    named = format_key((kind, title)) if title else capitalize_name(kind)
    if is_defined:
        reason = f"has no parameter named '{use.name}'"
        problem = error("UNKNOWN_PARAMETER", judge.span(use), resource=named, reason=reason)
    else:
        problem = error("UNKNOWN_ATTRIBUTE", judge.span(use), name=use.name, place="", resource=named)
    other = FOREIGN_ATTRIBUTES.get(use.name)
    problem.suggestion = other if other in known else find_nearest(use.name, known)
    if problem.suggestion is None:
        problem.help = f"It has: {', '.join(sorted(known - METAPARAMETERS)) or 'no parameters'}."
    return "error", problem


# --- variables


def _variable(judge: Judge, use: Use) -> Found:
    if judge.world.strict == "off" or use.name.isdigit() or use.body is None:
        return None
    name = use.name.removeprefix("::")
    owner, _, last = name.rpartition("::")
    visible: set[str] = set()
    if owner:
        if not _seen_of_class(judge, owner.lower(), visible) or last in visible:
            return None
        near = find_nearest(last, visible)
        return _unknown_variable(judge, use, f"{owner}::{near}" if near else None)
    if not _seen_in(judge, use.body if use.name == name else judge.reading.top, visible) or name in visible:
        return None
    if judge.world.is_given(name):
        return None
    known = {*visible, *judge.world.given()}
    if use.name != name:  # `$::role` is what a node or its classification gives
        known = {other for other in known if edit_distance(name, other, 1) <= 1}
    near = find_nearest(name, known)
    return _unknown_variable(judge, use, near) if near is not None or use.name == name else None


def _unknown_variable(judge: Judge, use: Use, near: str | None) -> Found:
    problem = error("UNKNOWN_VARIABLE", judge.span(use), name=use.name)
    problem.suggestion = f"${near}" if near else None
    problem.help = None if near else "Assign it before it is read; a variable of a class is `$class::name`."
    return judge.world.strict, problem


def _seen_in(judge: Judge, body: Body | None, visible: set[str]) -> bool:
    """Gathers the variables that can be read in a body; false when others may be there that cannot be seen."""
    while body is not None:
        if body.open or (body.parent is not None and not _seen_of_class(judge, body.parent, visible)):
            return False
        visible |= body.names
        if body.kind in ("class", "define"):
            visible |= METAPARAMETERS
            visible |= {"name", "title"}
        body = body.around
    visible |= site_variables(judge.reading)
    return True


def _seen_of_class(judge: Judge, name: str, visible: set[str]) -> bool:
    """Gathers the variables of a class and of those it inherits from; false when they cannot be known."""
    passed: set[str] = set()
    while name not in passed:
        passed.add(name)
        body = judge.reading.defined.get(("class", name)) or judge.world.body("class", name)
        if body is None or body.open:
            return False
        visible |= body.names
        visible |= {"name", "title", "module_name", "caller_module_name"}
        if body.parent is None:
            return True
        name = body.parent
    return True


_JUDGES: dict[str, Callable[[Judge, Use], Found]] = {
    "function": _function,
    "class": _class,
    "parent": _class,
    "type": _type,
    "data type": _data_type,
    "attribute": _attribute,
    "variable": _variable,
}
