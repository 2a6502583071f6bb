"""Registration of a program's definitions before it runs, so that they can be used above."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from evaluator import catalog, resource_types
from evaluator.calling.registry import to_plain_name
from evaluator.catalog.errors import add_leading_space, format_place
from evaluator.compiler.emitter import CompilationUnit, compile_expression
from evaluator.compiler.functions import UserFunction
from evaluator.issues import make_error
from evaluator.program.definitions import Definition, Scope
from evaluator.program.environment import SharedAlias, mark_trace_unshareable, trace_names
from evaluator.program.state import Definitions
from evaluator.types import AliasType, find_builtin_type
from evaluator.values import Value
from lexer_parser.errors import Note, PuppetError
from lexer_parser.issues import make_error as make_static_error
from lexer_parser.source import Span
from lexer_parser.tree import nodes

if TYPE_CHECKING:
    from evaluator.compiler.definitions import ProgramDefinition
    from evaluator.program.environment import Environment, NameTrace
    from evaluator.program.stat_cache import Dependencies
    from evaluator.running.runtime import Runtime
    from evaluator.types import Type


class AliasDeclaration:
    """A statement `type Name = …`; its type is made when it is first used.

    Specification: Types, Values, and Variables, "The Type System".

    Attributes:
        source: The source of the statement.
        node: The statement.
        path: The file of a module that declares it; None for other sources.
        dependencies: The files on which the declaration depends.
        trace: The names to which its right side refers, once it is evaluated.
        is_shared: True if programs share its type, which is then never discarded.
    """

    __slots__ = ("_alias_type", "_unit", "dependencies", "is_shared", "node", "path", "source", "trace")

    def __init__(self, unit: CompilationUnit, node: nodes.TypeAlias) -> None:
        self.source = unit.source
        self.node = node
        self.path: str | None = None
        self.dependencies: Dependencies | None = None
        self.trace: NameTrace | None = None
        self.is_shared = False
        self._unit: CompilationUnit | None = unit
        self._alias_type: AliasType | None = None

    @property
    def span(self) -> Span:
        """The place of the statement."""
        return Span(self.source, self.node.start, self.node.end)

    @property
    def is_evaluated(self) -> bool:
        """True when the right side has been evaluated."""
        return self._alias_type is not None and self._alias_type.is_resolved

    def resolve(self, runtime: Runtime) -> AliasType:
        """Return the alias's type; it exists before its right side, as aliases can be recursive."""
        if self._alias_type is None:
            self._alias_type = AliasType(self.node.name, lambda: self._right_side(runtime))
        return self._alias_type

    def share(self) -> None:
        """Detach the evaluated type from the program that has evaluated it."""
        assert self._alias_type is not None
        self._alias_type.seal()
        self._unit = None
        self.is_shared = True

    def is_shareable(self) -> bool:
        """Return True when a module declares it and other programs may have the same type."""
        if self.is_shared:
            return True
        return (
            self.path is not None
            and self.is_evaluated
            and self.trace is not None
            and not self.trace.has_others
        )

    def _right_side(self, runtime: Runtime) -> Type:
        assert self._unit is not None
        runtime.state.deferred_results.append(self._alias_type)
        with trace_names() as self.trace:
            if self.path is None or self._may_refer_to_program():
                mark_trace_unshareable()
            return self._evaluate(runtime, self._unit).normalize()

    def _may_refer_to_program(self) -> bool:
        """Return True if the definition names a type whose values may refer to the program."""
        text = self.source.text.lower()
        return any(name in text for name in _PROGRAM_TYPES) and any(
            isinstance(node, nodes.TypeName) and node.value.lower() in _PROGRAM_TYPES
            for node in nodes.walk(self.node.type)
        )

    def _evaluate(self, runtime: Runtime, unit: CompilationUnit) -> Type:
        """Return the type of the right side as it is written."""
        # The specification evaluates it as a program; the released Puppet reads it with its parser of types.
        dialect = unit.dialect
        if dialect.unknown_types and not _is_type_set(self.node.type):
            evaluated: Type = compile_expression(unit, self.node.type)(runtime.state.top)
            return evaluated
        # This module loads half of all types, which few programs need.
        from evaluator.types.parsing import evaluate_type_node

        if _is_type_set(self.node.type):
            self._check_parents(runtime)
        text = unit.source.text
        begin = text.index(self.node.name, self.node.start)
        return evaluate_type_node(
            self.node.type,
            text,
            partial(find_builtin_type, dialect=dialect),
            dialect,
            partial(runtime.names.find_type_or_reference, dialect),
            begin,
        )

    def _check_parents(self, runtime: Runtime) -> None:
        """Report each type of a set that has two parents: `Parent { parent => Other }`."""
        for node in nodes.walk(self.node.type):
            if (
                runtime.settings.strict != "off"
                and isinstance(node, nodes.ResourceDefaults)
                and getattr(node.type_ref, "value", "") != "Object"
                and any(getattr(one, "name", "") == "parent" for one in node.operations)
            ):
                span = Span(self.source, node.start, node.end)
                problem = make_static_error("DUPLICATE_KEY", span, key="parent")
                if runtime.settings.strict == "error":
                    raise problem
                runtime.log("warning", problem.message, span)


# Types whose definitions may refer to the program that evaluates them.
_PROGRAM_TYPES = frozenset({"object", "typeset", "init"})


def share_alias(environment: Environment, name: str, types: Mapping[str, Value]) -> None:
    """Share the type of an alias, and those that it refers to, if programs can share them.

    Args:
        environment: The environment of the program.
        name: The name of the alias in lower case.
        types: The types of the program by name.
    """
    aliases: dict[str, SharedAlias] = {}
    references: dict[str, set[str]] = {}
    pending = [name]
    while pending:
        name = pending.pop()
        if name in aliases or name in environment.aliases:
            continue
        declared = types.get(name)
        if not isinstance(declared, AliasDeclaration) or not declared.is_shareable():
            return
        assert declared.path is not None and declared.dependencies is not None and declared.trace is not None
        aliases[name] = SharedAlias(name, declared.path, declared, declared.dependencies)
        references[name] = set(declared.trace.types)
        pending += references[name]
    for shared in aliases.values():
        shared.declaration.share()
    environment.add_aliases(aliases, references)


_Entity = UserFunction | AliasDeclaration | Definition


def _is_type_set(node: nodes.Node) -> bool:
    """Return True for `TypeSet[{…}]` and `TypeSet {…}`, which declare types."""
    return isinstance(node, nodes.Access) and getattr(node.left, "value", "").lower() == "typeset"


def register_definitions(
    unit: CompilationUnit, added: list[ProgramDefinition], definitions: Definitions
) -> None:
    """Add the definitions of a source to those of the program.

    Parameter types of classes and defines see the definitions above, and no variables.

    Args:
        unit: The unit with which the definitions are compiled.
        added: The definitions, in the order of the source.
        definitions: The definitions so far, to which they are added.

    Raises:
        PuppetError: For a name that is defined already.
    """
    _check_entities(unit, added, definitions)
    for definition in added:
        if isinstance(definition, Definition):
            catalog.evaluate_types(definition.parameters, Scope(unit.runtime, "top"))
        _register_definition(unit, definition, definitions)


def _check_entities(unit: CompilationUnit, added: list[ProgramDefinition], definitions: Definitions) -> None:
    """Check functions, types and defines for duplicates: Puppet does so before all others.

    A define may have the name of a type alias above it.
    """
    # The entities of this source so far, by kind and name.
    seen: dict[str, dict[str, Any]] = {"function": {}, "type": {}, "define": {}}
    # For each kind the tables of the program that must not have the name.
    tables: dict[str, tuple[Mapping[str, Any], ...]] = {
        "function": (definitions.functions,),
        "type": (definitions.types, definitions.defines),
        "define": (definitions.defines,),
    }
    entity: Any
    for definition in added:
        match definition:
            case UserFunction():
                kind, name, entity = "function", to_plain_name(definition.name), definition
            case nodes.TypeAlias():
                kind, name, entity = "type", definition.name.lower(), AliasDeclaration(unit, definition)
                _check_not_builtin(name, unit, entity.span)
            case Definition(kind="define"):
                kind, name, entity = "define", definition.name, definition
                seen["type"].setdefault(name, entity)  # a type alias below it must not have the name
            case _:
                continue
        earlier = next((table[name] for table in (seen[kind], *tables[kind]) if name in table), None)
        _check_not_defined("type" if kind == "define" else kind, name, earlier, _get_span(entity))
        seen[kind][name] = entity


def _register_definition(
    unit: CompilationUnit, definition: ProgramDefinition, definitions: Definitions
) -> None:
    """Add a definition, other than a type mapping, which has no effect."""
    match definition:
        case UserFunction():
            definitions.functions[to_plain_name(definition.name)] = definition
        case nodes.TypeAlias():
            definitions.types[definition.name.lower()] = AliasDeclaration(unit, definition)
            definitions.members.update(_collect_member_names(definition.type))
        case Definition(kind="node"):
            _register_node(unit, definition, definitions)
        case Definition():
            _check_not_declared(unit, definition, definitions)
            catalog.check_parameter_names(unit.runtime, definition)
            table = definitions.classes if definition.kind == "class" else definitions.defines
            table[definition.name] = definition


_MEMBERS = ("attributes", "constants", "functions")


def _collect_member_names(definition: nodes.Node) -> Iterator[str]:
    """Yield the names that the definition of an Object type declares literally."""
    pairs = (node for node in nodes.walk(definition) if isinstance(node, nodes.Pair))
    for pair in pairs:
        if isinstance(pair.value, nodes.Hash) and getattr(pair.key, "value", None) in _MEMBERS:
            names = (getattr(entry.key, "value", None) for entry in pair.value.entries)
            yield from (name for name in names if isinstance(name, str))


def _get_span(earlier: _Entity) -> Span:
    if isinstance(earlier, UserFunction):
        return Span(earlier.unit.source, earlier.node.start, earlier.node.end)
    return earlier.span if isinstance(earlier, AliasDeclaration) else earlier.site.span()


def _check_not_defined(kind: str, name: str, earlier: _Entity | None, span: Span) -> None:
    """Raise REDEFINED_ENTITY for a function, type or define that exists already."""
    if earlier is None:
        return
    first = _get_span(earlier)
    name_of_source = first.source.name or "string:"
    source = f"file://{name_of_source}" if name_of_source.startswith("/") else name_of_source
    origin = f"Originally set at {source}?line={first.line}&pos={first.column}."
    raise _make_redefinition_error(kind, name, origin, span, Note("first defined here", first))


def _make_redefinition_error(kind: str, name: str, origin: str, span: Span, *notes: Note) -> PuppetError:
    return make_error("REDEFINED_ENTITY", span, notes=notes, kind=kind, name=name, origin=origin)


# Built-in types that Puppet defines in terms of others.
_DEFINED = frozenset({"annotation", "data", "deferred", "pcore", "richdata", "richdatakey"})


def _check_not_builtin(name: str, unit: CompilationUnit, span: Span) -> None:
    """Raise REDEFINED_ENTITY for an alias of the name of a built-in type.

    `Error` can be redefined until it is used.
    """
    if name in _DEFINED or name in resource_types.list_reserved_names():
        raise _make_redefinition_error("type", name, "Set at unknown location", span)
    if name == "typereference" or (name != "error" and find_builtin_type(name, unit.dialect) is not None):
        raise _make_redefinition_error(
            "type", name, "Originally set by Puppet-Type-System/Static-Loader.", span
        )


def _check_not_declared(unit: CompilationUnit, definition: Definition, definitions: Definitions) -> None:
    """Raise the error for a class or define whose name is taken."""
    name = definition.name
    other_class = definitions.classes.get(name)
    # For each possible error: its code, the earlier definition (None if there is none) and its kind, and the kind of
    # the new one.
    rows: list[tuple[str, Definition | None, str, str]]
    if definition.kind == "class":
        rows = [
            ("REDEFINITION", other_class, "Class", ""),
            ("REDEFINED_AS", definitions.defines.get(name), "Definition", "class"),
            ("REDEFINED_AS", _find_node(unit, name, definitions.nodes), "Node", "class"),
        ]
    else:
        rows = [
            ("CLASS_REDEFINED_AS_DEFINE", other_class, "Class", ""),
            # Puppet declares the class `settings` after the defines of the program, and the error is about the class.
            ("REDEFINED_AS", definition if name == "settings" else None, "Definition", "class"),
        ]
    for code, earlier, kind, new in rows:
        if earlier is not None:
            problem = _make_redeclaration_error(code, definition, earlier, kind, new=new)
            problem.placeless = earlier is definition
            raise problem


def _make_redeclaration_error(
    code: str,
    definition: Definition,
    earlier: Definition | None,
    kind: str,
    name: str | None = None,
    new: str = "",
) -> PuppetError:
    """Return the error for a second definition.

    Args:
        definition: The second definition.
        earlier: The first one; None if it has no place.
        kind: The kind of the first definition.
        name: The name, if it differs from that of the definition.
        new: The kind of the second definition, if it differs.
    """
    notes = (Note("first defined here", earlier.site.span()),) if earlier is not None else ()
    span = definition.site.span()
    where = add_leading_space(format_place(earlier.site.span(), span)) if earlier is not None else ""
    name = definition.name if name is None else name
    return make_error(code, span, notes=notes, kind=kind, name=name, place=where, new=new)


def _register_node(unit: CompilationUnit, definition: Definition, definitions: Definitions) -> None:
    names: set[str] = set()
    for name in _get_node_names(unit, definition):
        earlier = definition if name in names else _find_node(unit, name, definitions.nodes)
        if earlier is not None:
            raise _make_redeclaration_error("REDEFINITION", definition, earlier, "Node", name)
        if name in definitions.classes or not name:  # the name of the main class is empty
            raise _make_redeclaration_error(
                "REDEFINED_AS", definition, definitions.classes.get(name), "Class", name, "node"
            )
        names.add(name)
    definitions.nodes.append(definition)


def _find_node(unit: CompilationUnit, name: str, nodes_so_far: list[Definition]) -> Definition | None:
    return next((each for each in nodes_so_far if name in _get_node_names(unit, each)), None)


def _get_node_names(unit: CompilationUnit, definition: Definition) -> list[str]:
    """Return the names of a node definition's hosts, without computed ones."""
    return [
        catalog.normalize_node_name(match, unit.dialect)
        for match in definition.matches
        if not callable(match)
    ]
