"""Registers what a program defines, before it runs: definitions may be used above the place where they stand."""

from __future__ import annotations

from typing import Any

from evaluator.catalog import check_parameter_names
from evaluator.compiler.definitions import definitions
from evaluator.compiler.emitter import Unit
from evaluator.compiler.functions import UserFunction
from evaluator.compiler.parameters import evaluate_expression
from evaluator.definitions import Definition
from evaluator.scope import Scope
from evaluator.state import Definitions
from evaluator.types import named
from evaluator.types.parsing import specified
from evaluator.values import literal
from lexer_parser import nodes
from lexer_parser.errors import Note, PuppetError
from lexer_parser.source import Span

_KINDS = {"class": "class", "define": "definition"}


class AliasDeclaration:
    """`type Name = …` as it stands in a program; its type is made when it is first used."""

    __slots__ = ("_found", "node", "unit")

    def __init__(self, unit: Unit, node: nodes.TypeAlias) -> None:
        self.unit = unit
        self.node = node
        self._found: Any = None

    @property
    def span(self) -> Span:
        """Where it stands."""
        return Span(self.unit.source, self.node.start, self.node.end)

    def resolve(self, runtime: Any) -> Any:
        """The alias's Type. It exists before its right side is evaluated, since aliases may be recursive."""
        if self._found is None:
            from evaluator.types import TypeAlias

            self._found = TypeAlias(self.node.name, lambda: self._right_side(runtime))
        return self._found

    def _right_side(self, runtime: Any) -> Any:
        dialect = runtime.dialect
        if dialect.extensions:
            return evaluate_expression(self.unit, self.node.type)(runtime.state.top).normalize()
        found = specified(self.node.type, self.unit.source.text, dialect, runtime.type_or_reference)
        return found.normalize()


def register(
    unit: Unit, program: nodes.Program, known: Definitions, module_name: str = ""
) -> list[tuple[str, str]]:
    """Adds all definitions of a program to `known`; gives what was added, as (kind, name).

    The types of a class's or define's parameters see what is defined above it, and no variable. Raises PuppetError
    when something of that name exists.
    """
    added = []
    for found in definitions(unit, program, module_name):
        if isinstance(found, Definition):
            for parameter in found.parameters:
                if parameter.type_of is not None:
                    parameter.type_of(Scope(unit.runtime, "top"))
        added.append(_register(unit, found, known))
    return added


def _register(unit: Unit, found: Any, known: Definitions) -> tuple[str, str]:
    if isinstance(found, UserFunction):
        span = Span(unit.source, found.node.start, found.node.end)
        _refuse_redefinition("function", found.name, known.functions.get(found.name), span)
        known.functions[found.name] = found
        return "function", found.name
    if isinstance(found, nodes.TypeAlias):
        declaration = AliasDeclaration(unit, found)
        name = found.name.lower()
        _refuse_builtin_type(name, unit, declaration.span)
        _refuse_redefinition("type", name, known.types.get(name), declaration.span)
        known.types[name] = declaration
        return "type", name
    if isinstance(found, nodes.TypeMapping):
        return "mapping", ""
    if found.kind == "node":
        _register_node(found, known)
        return "node", ""
    _refuse_second(found, known)
    check_parameter_names(unit.runtime, found)
    table = known.classes if found.kind == "class" else known.defines
    table[found.name] = found
    return found.kind, found.name


def _span_of(earlier: Any) -> Span:
    if isinstance(earlier, UserFunction):
        return Span(earlier.unit.source, earlier.node.start, earlier.node.end)
    return earlier.span if isinstance(earlier, AliasDeclaration) else earlier.site.span()


def _refuse_redefinition(kind: str, name: str, earlier: Any, span: Span) -> None:
    """Functions, types and defines: loaded entities of the released Puppet."""
    if earlier is None:
        return
    first = _span_of(earlier)
    where = f"{first.source.name or 'string:'}?line={first.line}&pos={first.column}"
    raise PuppetError(
        "REDEFINITION",
        f"Attempt to redefine entity 'http://puppet.com/2016.1/runtime/{kind}/{name}'. Originally set at {where}.",
        span,
        notes=(Note("first defined here", first),),
        placeless=True,
        arguments={"name": name},
    )


def _refuse_builtin_type(name: str, unit: Unit, span: Span) -> None:
    if named(name, unit.dialect) is not None:
        raise PuppetError(
            "REDEFINITION",
            f"Attempt to redefine entity 'http://puppet.com/2016.1/runtime/type/{name}'."
            " Originally set by Puppet-Type-System/Static-Loader.",
            span,
            placeless=True,
        )


def _refuse_second(found: Definition, known: Definitions) -> None:
    name, span = found.name, found.site.span()
    other_class, other_define = known.classes.get(name), known.defines.get(name)
    if found.kind == "class" and other_class:
        text = f"Class '{name}' is already defined ({_line(other_class)}); cannot redefine"
    elif found.kind == "class" and other_define:
        text = (
            f"Definition '{name}' is already defined ({_line(other_define)}); cannot be redefined as a class"
        )
    elif other_class:
        text = (
            f"'{name}' is already defined ({_line(other_class)}) as a class; cannot redefine as a definition"
        )
    else:
        _refuse_redefinition("type", name, other_define, span)
        return
    earlier = other_class or other_define
    assert earlier is not None
    raise PuppetError(
        "REDEFINITION",
        text,
        span,
        column_known=False,
        notes=(Note("first defined here", earlier.site.span()),),
    )


def _line(definition: Definition) -> str:
    span = definition.site.span()
    file = f"file: {span.source.name}, " if span.source.name else ""
    return f"{file}line: {span.line}"


def _register_node(found: Definition, known: Definitions) -> None:
    for match in filter(_is_known, found.matches):
        for earlier in known.nodes:
            if any(_same_host(match, other) for other in earlier.matches):
                name = match if isinstance(match, str) else literal(match)
                raise PuppetError(
                    "REDEFINITION",
                    f"Node '{name.lower()}' is already defined ({_line(earlier)}); cannot redefine",
                    found.site.span(),
                    column_known=False,
                    notes=(Note("first defined here", earlier.site.span()),),
                )
    known.nodes.append(found)


def _is_known(match: Any) -> bool:
    return not callable(match)


def _same_host(one: Any, other: Any) -> bool:
    if isinstance(one, str) and isinstance(other, str):
        return one.lower() == other.lower()
    return bool(type(one) is type(other) and one == other)
