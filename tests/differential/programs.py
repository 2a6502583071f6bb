"""Random programs: one expression, or statements that use variables of earlier ones."""

from __future__ import annotations

from random import Random

import tests.differential.typings  # noqa: F401  (registers its makers)
from tests.differential import catalogs
from tests.differential.calls import FORMS, make_call
from tests.differential.conversions import make_conversion
from tests.differential.operations import (
    ARITHMETIC,
    COMPARISON,
    make_access,
    make_conditional,
    make_lambda,
    make_selector,
)
from tests.differential.writer import Writer


def make_expression(writer: Writer) -> str:
    return writer.make("any", 2)


def make_operation(writer: Writer) -> str:
    kind = writer.choose(("any", "number", "string", "collection", "rich", "scalar", "array", "hash"))
    operator = writer.choose((*ARITHMETIC, *COMPARISON, "in", "=~", "!~", "and", "or"))
    return f"{writer.make(kind, 1)} {operator} {writer.make(writer.choose((kind, kind, 'any')), 1)}"


def make_function_call(writer: Writer) -> str:
    return make_call(writer, writer.choose(list(FORMS)), 2)


def make_deep_conversion(writer: Writer) -> str:
    return make_conversion(writer, 2)


def make_type_expression(writer: Writer) -> str:
    """Return a random type, or an expression that compares, infers or asserts types."""
    kind = writer.choose_integer(0, 5)
    left, right = writer.make("type", 2), writer.make("type", 2)
    if kind == 0:
        return f"{writer.make('any', 2)} =~ {left}"
    if kind == 1:
        return f"{left} {writer.choose(('<=', '<', '>=', '>', '==', '!='))} {right}"
    if kind == 2:
        return f"type({writer.make('any', 2)}, {writer.make('inference', 0)})"
    if kind == 3:
        return f"assert_type({left}, {writer.make('any', 2)})"
    if kind == 4:
        return f"type([{left}, {right}], 'reduced')"
    return left


def make_branch_or_access(writer: Writer) -> str:
    return writer.choose((make_selector, make_conditional, make_access))(writer, 2)


def make_statements(writer: Writer) -> str:
    """Return assignments, definitions and other statements; the last is an expression."""
    lines: list[str] = []
    for _ in range(writer.choose_integer(1, 5)):
        lines += writer.choose(STATEMENTS)(writer)
    lines.append(writer.make("any", 2))
    return "\n".join(lines)


def make_catalog(writer: Writer) -> str:
    """Return definitions and resources, with other statements between them."""
    lines: list[str] = []
    for _ in range(writer.choose_integer(2, 5)):
        lines += writer.choose((*catalogs.STATEMENTS, _make_assignment, _make_notice))(writer)
    lines.append(
        make_call(writer, writer.choose(CATALOG_FUNCTIONS), 1)
        if writer.decide(0.6)
        else writer.make("any", 2)
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


def _make_assignment(writer: Writer) -> list[str]:
    kind = writer.choose(
        ("any", "integer", "string", "array", "hash", "boolean", "float", "type", "integers", "strings")
    )
    name = writer.make_name()
    source = f"${name} = {writer.make(kind, 2)}"
    writer.variables.append((name, kind))
    return [source]


def _make_destructuring(writer: Writer) -> list[str]:
    names = [writer.make_name() for _ in range(writer.choose_integer(1, 3))]
    values = (
        writer.make_several("any", 1, 0, 3) if writer.decide(0.15) else [writer.make("any", 1) for _ in names]
    )
    source = f"[{', '.join('$' + name for name in names)}] = [{', '.join(values)}]"
    if writer.decide(0.2):
        members = ", ".join(f"{name} => {value}" for name, value in zip(names, values, strict=False))
        source = f"[{', '.join('$' + name for name in names)}] = {{{members}}}"
    writer.variables += [(name, "any") for name in names]
    return [source]


def _make_notice(writer: Writer) -> list[str]:
    return [f"{writer.choose(('notice', 'notice', 'warning', 'err', 'info'))}({writer.make('any', 2)})"]


def _make_function(writer: Writer) -> list[str]:
    name = f"f{writer.count}"
    outer_variables, parameters = writer.variables, []
    writer.variables = []
    names = [writer.make_name() for _ in range(writer.choose_integer(0, 3))]
    is_optional = False
    for index, parameter in enumerate(names):
        type_source = f"{writer.make('type', 1)} " if writer.decide(0.4) else ""
        is_optional = is_optional or writer.decide(0.25)
        star = "*" if index == len(names) - 1 and writer.decide(0.15) else ""
        default = f" = {writer.make('any', 0)}" if is_optional and not star else ""
        parameters.append(f"{type_source}{star}${parameter}{default}")
        writer.variables.append((parameter, "any"))
    body = writer.make("any", 2)
    if writer.decide(0.2):
        body = f"if {writer.make('boolean', 1)} {{ return({writer.make('any', 1)}) }} {body}"
    return_type = f" >> {writer.make('type', 1)}" if writer.decide(0.2) else ""
    writer.variables = outer_variables
    arguments = [writer.make("any", 1) for _ in names]
    if writer.decide(0.15):
        arguments = writer.make_several("any", 1, 0, 4)
    variable = writer.make_name()
    writer.variables.append((variable, "any"))
    return [
        f"function {name}({', '.join(parameters)}){return_type} {{ {body} }}",
        f"${variable} = {name}({', '.join(arguments)})",
    ]


def _make_type_alias(writer: Writer) -> list[str]:
    name = f"A{writer.count}"
    writer.count += 1
    definition = _make_definition(writer)
    use = writer.choose((f"{writer.make('any', 1)} =~ {name}", name, f"{name}({writer.make('any', 1)})"))
    if writer.decide(0.3):
        definition = f"Object[{{attributes => {{'a' => {definition}, 'b' => Optional[Integer]}}}}]"
        use = writer.choose(
            (f"{name}({writer.make('any', 1)})", f"{name}({{'a' => {writer.make('any', 1)}}})")
        )
    variable = writer.make_name()
    writer.variables.append((variable, "any"))
    return [f"type {name} = {definition}", f"${variable} = {use}"]


def _make_definition(writer: Writer) -> str:
    """Return a type without calls and variables, which a definition must not contain."""
    type_writer = Writer(writer.random, 0.0)
    source = type_writer.make("type", 2)
    while "(" in source:
        source = type_writer.make("type", 2)
    return source


def _make_loop(writer: Writer) -> list[str]:
    source = writer.make("iterable", 1)
    source = f"({source})" if source.startswith(("if", "case", "unless", "-")) else source
    return [f"{source}.each {make_lambda(writer, 2, writer.choose_integer(1, 2))}"]


def _make_branch(writer: Writer) -> list[str]:
    name = writer.make_name()
    test, value, other = writer.make("boolean", 1), writer.make("any", 1), writer.make("any", 1)
    source = f"if {test} {{ ${name} = {value} notice(1) }} else {{ notice({other}) }}"
    writer.variables.append((name, "any"))
    return [source]


STATEMENTS = (
    _make_assignment,
    _make_assignment,
    _make_assignment,
    _make_destructuring,
    _make_notice,
    _make_notice,
    _make_function,
    _make_type_alias,
    _make_loop,
    _make_branch,
)
EXPRESSION_MAKERS = (
    make_expression,
    make_expression,
    make_operation,
    make_operation,
    make_function_call,
    make_function_call,
    make_function_call,
    make_deep_conversion,
    make_type_expression,
    make_type_expression,
)
PROGRAM_MAKERS = (
    *EXPRESSION_MAKERS,
    make_branch_or_access,
    make_statements,
    make_statements,
    make_statements,
)


def make_program(random: Random, *, catalogs: bool = False) -> str:
    """Return a random program.

    Args:
        catalogs: Whether the program fills a catalog.
    """
    writer = Writer(random, random.choice((0.0, 0.02, 0.05, 0.15)))
    return make_catalog(writer) if catalogs else writer.choose(PROGRAM_MAKERS)(writer)
