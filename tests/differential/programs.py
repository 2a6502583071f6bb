"""Sources of whole programs: one expression, or statements that build on each other."""

from __future__ import annotations

from random import Random

import tests.differential.typings  # noqa: F401  (registers what it makes)
from tests.differential import catalogs
from tests.differential.calls import FORMS, call
from tests.differential.conversions import conversion
from tests.differential.operations import ARITHMETIC, COMPARISON, access, block, branches, choice
from tests.differential.writer import Writer


def expression(writer: Writer) -> str:
    return writer.make("any", 2)


def operator(writer: Writer) -> str:
    kind = writer.one(("any", "number", "string", "collection", "rich", "scalar", "array", "hash"))
    written = writer.one((*ARITHMETIC, *COMPARISON, "in", "=~", "!~", "and", "or"))
    return f"{writer.make(kind, 1)} {written} {writer.make(writer.one((kind, kind, 'any')), 1)}"


def function_call(writer: Writer) -> str:
    return call(writer, writer.one(list(FORMS)), 2)


def converted(writer: Writer) -> str:
    return conversion(writer, 2)


def typed(writer: Writer) -> str:
    """Instances, assignability, equality and inference."""
    kind = writer.number(0, 5)
    left, right = writer.make("type", 2), writer.make("type", 2)
    if kind == 0:
        return f"{writer.make('any', 2)} =~ {left}"
    if kind == 1:
        return f"{left} {writer.one(('<=', '<', '>=', '>', '==', '!='))} {right}"
    if kind == 2:
        return f"type({writer.make('any', 2)}, {writer.make('inference', 0)})"
    if kind == 3:
        return f"assert_type({left}, {writer.make('any', 2)})"
    if kind == 4:
        return f"type([{left}, {right}], 'reduced')"
    return left


def conditional(writer: Writer) -> str:
    return writer.one((choice, branches, access))(writer, 2)


def statements(writer: Writer) -> str:
    """Assignments, definitions and statements; the last is an expression."""
    lines: list[str] = []
    for _ in range(writer.number(1, 5)):
        lines += writer.one(STATEMENTS)(writer)
    lines.append(writer.make("any", 2))
    return "\n".join(lines)


def catalog(writer: Writer) -> str:
    """Definitions and resources, with statements between them."""
    lines: list[str] = []
    for _ in range(writer.number(2, 5)):
        lines += writer.one((*catalogs.STATEMENTS, _assignment, _notice))(writer)
    lines.append(
        call(writer, writer.one(CATALOG_FUNCTIONS), 1) if writer.chance(0.6) else writer.make("any", 2)
    )
    return "\n".join(lines)


CATALOG_FUNCTIONS = (
    "include",
    "contain",
    "require",
    "realize",
    "tag",
    "tagged",
    "defined",
    "create_resources",
)


def _assignment(writer: Writer) -> list[str]:
    kind = writer.one(
        ("any", "integer", "string", "array", "hash", "boolean", "float", "type", "integers", "strings")
    )
    name = writer.fresh()
    written = f"${name} = {writer.make(kind, 2)}"
    writer.variables.append((name, kind))
    return [written]


def _destructuring(writer: Writer) -> list[str]:
    names = [writer.fresh() for _ in range(writer.number(1, 3))]
    values = writer.several("any", 1, 0, 3) if writer.chance(0.15) else [writer.make("any", 1) for _ in names]
    written = f"[{', '.join('$' + name for name in names)}] = [{', '.join(values)}]"
    if writer.chance(0.2):
        members = ", ".join(f"{name} => {value}" for name, value in zip(names, values, strict=False))
        written = f"[{', '.join('$' + name for name in names)}] = {{{members}}}"
    writer.variables += [(name, "any") for name in names]
    return [written]


def _notice(writer: Writer) -> list[str]:
    return [f"{writer.one(('notice', 'notice', 'warning', 'err', 'info'))}({writer.make('any', 2)})"]


def _function(writer: Writer) -> list[str]:
    name = f"f{writer.count}"
    before, parameters = writer.variables, []
    writer.variables = []
    names = [writer.fresh() for _ in range(writer.number(0, 3))]
    optional = False
    for index, parameter in enumerate(names):
        declared = f"{writer.make('type', 1)} " if writer.chance(0.4) else ""
        optional = optional or writer.chance(0.25)
        star = "*" if index == len(names) - 1 and writer.chance(0.15) else ""
        given = f" = {writer.make('any', 0)}" if optional and not star else ""
        parameters.append(f"{declared}{star}${parameter}{given}")
        writer.variables.append((parameter, "any"))
    body = writer.make("any", 2)
    if writer.chance(0.2):
        body = f"if {writer.make('boolean', 1)} {{ return({writer.make('any', 1)}) }} {body}"
    returned = f" >> {writer.make('type', 1)}" if writer.chance(0.2) else ""
    writer.variables = before
    arguments = [writer.make("any", 1) for _ in names]
    if writer.chance(0.15):
        arguments = writer.several("any", 1, 0, 4)
    held = writer.fresh()
    writer.variables.append((held, "any"))
    return [
        f"function {name}({', '.join(parameters)}){returned} {{ {body} }}",
        f"${held} = {name}({', '.join(arguments)})",
    ]


def _type_alias(writer: Writer) -> list[str]:
    name = f"A{writer.count}"
    writer.count += 1
    definition = _definition(writer)
    used = writer.one((f"{writer.make('any', 1)} =~ {name}", name, f"{name}({writer.make('any', 1)})"))
    if writer.chance(0.3):
        definition = f"Object[{{attributes => {{'a' => {definition}, 'b' => Optional[Integer]}}}}]"
        used = writer.one((f"{name}({writer.make('any', 1)})", f"{name}({{'a' => {writer.make('any', 1)}}})"))
    held = writer.fresh()
    writer.variables.append((held, "any"))
    return [f"type {name} = {definition}", f"${held} = {used}"]


def _definition(writer: Writer) -> str:
    """A type without calls and variables, which a definition may not hold."""
    plain = Writer(writer.random, 0.0)
    written = plain.make("type", 2)
    while "(" in written:
        written = plain.make("type", 2)
    return written


def _loop(writer: Writer) -> list[str]:
    source = writer.make("iterable", 1)
    source = f"({source})" if source.startswith(("if", "case", "unless", "-")) else source
    return [f"{source}.each {block(writer, 2, writer.number(1, 2))}"]


def _branch(writer: Writer) -> list[str]:
    name = writer.fresh()
    test, value, other = writer.make("boolean", 1), writer.make("any", 1), writer.make("any", 1)
    written = f"if {test} {{ ${name} = {value} notice(1) }} else {{ notice({other}) }}"
    writer.variables.append((name, "any"))
    return [written]


STATEMENTS = (
    _assignment,
    _assignment,
    _assignment,
    _destructuring,
    _notice,
    _notice,
    _function,
    _type_alias,
    _loop,
    _branch,
)
SHAPES = (
    expression,
    expression,
    operator,
    operator,
    function_call,
    function_call,
    function_call,
    converted,
    typed,
    typed,
)
ALL_SHAPES = (*SHAPES, conditional, statements, statements, statements)


def program(random: Random, *, catalogs: bool = False) -> str:
    """One program, by chance; `catalogs`: one that fills a catalog."""
    writer = Writer(random, random.choice((0.0, 0.02, 0.05, 0.15)))
    return catalog(writer) if catalogs else writer.one(ALL_SHAPES)(writer)
