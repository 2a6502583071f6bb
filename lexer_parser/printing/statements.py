"""Printing of statements: bodies, definitions, conditions, resources."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from lexer_parser import nodes
from lexer_parser.printing.expressions import INDENT, WIDTH, ExpressionPrinter, TooTall, in_one_column
from lexer_parser.validation.effects import untitled_resource

# What, first on a line, would go on with the statement before.
CONTINUES = ("-", "*", "/", "{", "<%")
CONTINUES_LIST = (*CONTINUES, "[")


class StatementPrinter(ExpressionPrinter):
    """Prints whole programs."""

    namespace = ""  # what the parser puts before the names of classes and defined types

    # --- Bodies

    def statements(self, body: nodes.Node, indent: str, end: int) -> list[str]:
        """The lines of a body up to the offset `end`, with the comments and empty lines between statements."""
        lines: list[str] = []
        previous: int | None = None
        for statement in statements_of(body):
            before = self.text.take(self.text.begin(statement))
            start = before[0][0] if before else self.text.begin(statement)
            if previous is not None and self.text.blank_between(previous, start):
                lines.append("")
            printed = self.expression(statement, indent)
            if lines and printed.startswith(CONTINUES_LIST if self.text.dialect.list_start else CONTINUES):
                printed = f"; {printed}"
            apart = bool(before) and self.text.blank_between(before[-1][1], self.text.begin(statement))
            group = self.with_comments(statement, before, indent, printed)
            if apart:
                group.insert(len(self.comment_lines(before, indent)), "")
            lines += group
            previous = self.last_offset(statement)
        rest = self.text.take(end)
        if rest and previous is not None and self.text.blank_between(previous, rest[0][0]):
            lines.append("")
        return lines + self.comment_lines(rest, indent)

    def last_offset(self, statement: nodes.Node) -> int:
        """Where the source goes on behind a statement and the comment on its last line."""
        end = self.text.end(statement)
        if self.text.taken and self.text.comments[self.text.taken - 1][1] > end:
            return self.text.comments[self.text.taken - 1][1]
        return end

    def braces(self, body: nodes.Node, indent: str) -> str:
        """A body in braces; `{}` when it is empty."""
        if self.on_one_line:
            raise TooTall
        first = next(iter(statements_of(body)), None)
        end = body.end if first is None else self.text.close_of(self.text.begin(first))
        lines = self.statements(body, indent + INDENT, end)
        return "\n".join(["{", *lines, indent + "}"]) if lines else "{}"

    # --- Conditions

    def condition(self, node: Any, indent: str, used: int) -> str:
        keyword = "if" if isinstance(node, nodes.If) else "unless"
        printed = ""
        while True:
            printed += f"{keyword} {self.expression(node.test, indent, len(keyword) + 1)} "
            printed += self.braces(node.then, indent)
            otherwise = node.otherwise
            if isinstance(otherwise, nodes.Nop) and not self.text.slice(otherwise):
                return printed
            if isinstance(otherwise, nodes.If) and self.text.slice(otherwise).startswith("elsif"):
                node, keyword = otherwise, " elsif"
                continue
            return f"{printed} else {self.braces(otherwise, indent)}"

    def case(self, node: nodes.Case, indent: str, used: int) -> str:
        if self.on_one_line:
            raise TooTall
        deeper = indent + INDENT
        lines = [f"case {self.expression(node.test, indent, 5)} {{"]
        previous = None
        for option in node.options:
            before = self.text.take(self.text.begin(option))
            start = before[0][0] if before else self.text.begin(option)
            if previous is not None and self.text.blank_between(previous, start):
                lines.append("")
            values = ", ".join(self.expression(value, deeper) for value in option.values)
            if len(deeper) + len(values) > WIDTH - 2:
                values = f",\n{deeper}".join(self.expression(value, deeper) for value in option.values)
            lines += self.with_comments(
                option, before, deeper, f"{values}: {self.braces(option.then, deeper)}"
            )
            previous = self.text.end(option)
        lines += self.comment_lines(self.text.take(node.end), deeper)
        return "\n".join([*lines, indent + "}"])

    # --- Functions and definitions

    def function_block(self, node: nodes.Lambda, indent: str, used: int) -> str:
        pipes = ", ".join(self.expression(each, indent) for each in node.parameters)
        if node.parameters and may_take_block(node.parameters[-1].default):
            pipes += ","
        head = f"|{pipes}|" + self.returns(node)
        body = node.body
        inline = self.text.line(node.start) == self.text.line(node.end) and not isinstance(body, nodes.Nop)
        if self.on_one_line and inline and not isinstance(body, nodes.Block):
            return f"{head} {{ {self.expression(body)} }}"
        return f"{head} {self.braces(body, indent)}"

    def parameter(self, node: nodes.Parameter, indent: str, used: int) -> str:
        printed = self.declared(node, indent)
        if node.default is None:
            return printed
        return f"{printed} = {self.expression(node.default, indent, used + len(printed) + 3)}"

    def declared(self, node: nodes.Parameter, indent: str) -> str:
        """A parameter without its default."""
        kind = f"{self.expression(node.type, indent)} " if node.type is not None else ""
        return f"{kind}{'*' if node.splat else ''}${node.name}"

    def left_sides(self, items: Sequence[nodes.Node], indent: str) -> dict[int, str]:
        """Parameters have their `=` in one column, as pairs their arrows."""
        found = super().left_sides(items, indent)
        defaults = [i for i in items if isinstance(i, nodes.Parameter) and i.default is not None]
        names = in_one_column({id(item): self.declared(item, indent) for item in defaults})
        return found | {item: f"{name} = " for item, name in names.items()}

    def parameters(self, node: Any, indent: str) -> str:
        """A definition's parameters in parentheses; nothing when there are none."""
        if not node.parameters:
            return ""
        return " " + self.listed_or_flat(node, node.parameters, indent)

    def listed_or_flat(self, node: nodes.Node, items: Sequence[nodes.Node], indent: str) -> str:
        """Parameters on one line when they were and fit, else each on its own."""
        self.on_one_line = True
        try:
            flat = self.listed("()", node, items, indent)
        except TooTall:
            flat = None
        self.on_one_line = False
        if flat is not None and len(indent) + len(flat) < 80:
            return flat
        return self.listed("()", node, items, indent)

    def returns(self, node: Any) -> str:
        """The type behind `>>`."""
        return "" if node.returns is None else f" >> {self.expression(node.returns)}"

    def class_definition(self, node: nodes.Class, indent: str, used: int) -> str:
        if self.on_one_line:
            raise TooTall
        parent = f" inherits {node.parent}" if node.parent else ""
        name, outer = self.short_name(node.name), self.namespace
        self.namespace = f"{outer}{name.removeprefix('::')}::"
        printed = f"class {name}{self.parameters(node, indent)}{parent} {self.braces(node.body, indent)}"
        self.namespace = outer
        return printed

    def short_name(self, name: str) -> str:
        """A name as it is written inside the classes around it, which the parser puts before it."""
        return name.removeprefix(self.namespace)

    def define(self, node: nodes.Define, indent: str, used: int) -> str:
        if self.on_one_line:
            raise TooTall
        head = f"define {self.short_name(node.name)}{self.parameters(node, indent)}"
        return f"{head} {self.braces(node.body, indent)}"

    def function(self, node: Any, indent: str, used: int) -> str:
        if self.on_one_line:
            raise TooTall
        keyword = "plan" if isinstance(node, nodes.Plan) else "function"
        parameters = self.parameters(node, indent).lstrip() or "()"
        head = f"{keyword} {node.name}{parameters}{self.returns(node)}"
        return f"{head} {self.braces(node.body, indent)}"

    def node_definition(self, node: nodes.NodeDefinition, indent: str, used: int) -> str:
        if self.on_one_line:
            raise TooTall
        hosts = ", ".join(self.expression(match, indent) for match in node.matches)
        parent = f" inherits {self.expression(node.parent, indent)}" if node.parent is not None else ""
        return f"node {hosts}{parent} {self.braces(node.body, indent)}"

    def type_alias(self, node: nodes.TypeAlias, indent: str, used: int) -> str:
        start, end = self.text.begin(node.type), self.text.end(node.type)
        aliased = self.text.text[start:end]
        if aliased.endswith("}"):  # the tree holds what `{ … }` stands for
            self.text.drop(start, end)
        else:
            aliased = self.expression(node.type, indent, len(node.name) + 8)
        return f"type {node.name} = {aliased}"

    def verbatim(self, node: nodes.Node, indent: str, used: int) -> str:
        """A definition that the language does not support, as it stands."""
        if self.on_one_line:
            raise TooTall
        start, end = self.text.begin(node), self.text.end(node)
        self.text.drop(start, end)
        return ("" if self.text.text.startswith("type", start) else "type ") + self.text.text[start:end]

    # --- Resources

    def resource(self, node: nodes.Resource, indent: str, used: int) -> str:
        mark = {"regular": "", "virtual": "@", "exported": "@@"}[node.form]
        head = f"{mark}{self.expression(node.type_name, indent)} {{ "
        if self.on_one_line:
            return head + self.one_line_body(node) + " }"
        if len(node.bodies) == 1:
            body = node.bodies[0]
            before = self.text.take(self.text.begin(body))
            title = self.expression(body.title, indent, len(head))
            lines = self.attributes(
                body.operations, indent + INDENT, self.text.close_of(self.text.begin(body))
            )
            if not before:
                return "\n".join([f"{head}{title}:", *lines, indent + "}"])
            comment = self.comment_lines(before, indent + INDENT)
            return "\n".join([head.rstrip(), *comment, f"{indent}{INDENT}{title}:", *lines, indent + "}"])
        return "\n".join([head.rstrip(), *self.bodies(node, indent + INDENT), indent + "}"])

    def one_line_body(self, node: nodes.Resource) -> str:
        """A lone title with one attribute at most, if its author wrote it on one line."""
        body = node.bodies[0]
        opened = self.text.line(node.start) != self.text.line(node.end)
        if len(node.bodies) > 1 or len(body.operations) > 1 or (opened and body.operations):
            raise TooTall
        if self.text.commented(node.start, node.end):
            raise TooTall
        title = f"{self.expression(body.title)}:"
        return " ".join([title, *(self.expression(operation) for operation in body.operations)])

    def bodies(self, node: nodes.Resource, indent: str) -> list[str]:
        """Several titles, each with its attributes a step deeper."""
        deeper = indent + INDENT
        lines: list[str] = []
        short = self.short_bodies(node, indent)
        for index, body in enumerate(node.bodies):
            if id(body) in short:
                before = self.text.take(self.text.begin(body))
                lines += self.with_comments(body, before, indent, short[id(body)] + ";")
                continue
            last = index == len(node.bodies) - 1
            low = self.text.begin(body)
            end = self.text.close_of(low) if last else self.text.begin(node.bodies[index + 1])
            lines += self.comment_lines(self.text.take(low), indent)
            operations = body.operations
            lines.append(f"{indent}{self.expression(body.title, indent)}:{'' if operations else ';'}")
            stop = self.text.end(operations[-1]) if operations and not last else end
            lines += self.attributes(operations, deeper, stop, ";")
        return lines

    def short_bodies(self, node: nodes.Resource, indent: str) -> dict[int, str]:
        """The bodies of a resource as one line each, by id, if their author wrote them so and they fit."""
        titles, values = {}, {}
        for body in node.bodies:
            title = self.flat(body.title)
            operations = [text for text in map(self.flat, body.operations) if text is not None]
            on_one_line = self.text.line(self.text.begin(body)) == self.text.line(self.text.end(body))
            if title is None or not operations or len(operations) < len(body.operations) or not on_one_line:
                return {}
            titles[id(body)], values[id(body)] = f"{title}:", f" {', '.join(operations)}"
        found = {body: title + values[body] for body, title in in_one_column(titles).items()}
        return found if all(len(indent) + len(line) < WIDTH for line in found.values()) else {}

    def attributes(self, operations: list[Any], indent: str, end: int, ending: str = ",") -> list[str]:
        """Attributes with their arrows in one column, each on its own line; the last one ends in `ending`."""
        width = max((len(attribute_name(operation)) for operation in operations), default=0)
        lines: list[str] = []
        for index, operation in enumerate(operations):
            before = self.text.take(self.text.begin(operation))
            name = attribute_name(operation).ljust(width)
            value = operation.expr if isinstance(operation, nodes.AttributesSplat) else operation.value
            printed = f"{name} {getattr(operation, 'operator', '=>')} "
            printed += self.expression(value, indent, len(printed))
            mark = "," if index < len(operations) - 1 else ending
            lines += self.with_comments(operation, before, indent, printed + mark)
        return lines + self.comment_lines(self.text.take(end), indent)

    def attribute(self, node: Any, indent: str, used: int) -> str:
        value = node.expr if isinstance(node, nodes.AttributesSplat) else node.value
        printed = f"{attribute_name(node)} {getattr(node, 'operator', '=>')} "
        return printed + self.expression(value, indent, used + len(printed))

    def with_attributes(self, node: Any, indent: str, used: int) -> str:
        """Defaults, overrides and collectors: a head and attributes in braces."""
        head = self.head(node, indent)
        operations = node.operations
        if isinstance(node, nodes.Collector) and not operations:
            # A body may follow, which would be read as attributes.
            return head + (" {}" if self.text.text[node.end - 1] == "}" else "")
        if self.on_one_line:
            opened = bool(operations) and self.text.line(node.start) != self.text.line(node.end)
            if opened or len(operations) > 1 or self.text.commented(node.start, node.end):
                raise TooTall
            return f"{head} {{ {' '.join(self.expression(each) for each in operations)} }}".replace(
                "{  }", "{}"
            )
        lines = self.attributes(operations, indent + INDENT, node.end)
        return "\n".join([head + " {", *lines, indent + "}"])

    def head(self, node: Any, indent: str) -> str:
        """What stands before the braces."""
        if isinstance(node, nodes.Collector):
            opening, closing = ("<<|", "|>>") if node.query.exported else ("<|", "|>")
            query = f"{self.expression(node.query.expr, indent)} " if node.query.expr is not None else ""
            return f"{self.expression(node.type, indent)} {opening} {query}{closing}"
        mark = {"regular": "", "virtual": "@", "exported": "@@"}[node.form]
        target = node.type_ref if isinstance(node, nodes.ResourceDefaults) else node.resources
        return mark + self.expression(target, indent)

    def untitled(self, node: nodes.Block, indent: str, used: int) -> str:
        """A name and a hash, which `file { mode => 1 }` reads as."""
        return " ".join(self.expression(statement, indent, used) for statement in node.statements)

    methods: ClassVar[dict[type[nodes.Node], Callable[..., str]]] = {
        **ExpressionPrinter.methods,
        nodes.If: condition,
        nodes.Unless: condition,
        nodes.Case: case,
        nodes.Lambda: function_block,
        nodes.Parameter: parameter,
        nodes.Class: class_definition,
        nodes.Define: define,
        nodes.Function: function,
        nodes.Plan: function,
        nodes.NodeDefinition: node_definition,
        nodes.TypeAlias: type_alias,
        nodes.TypeMapping: verbatim,
        nodes.TypeDefinition: verbatim,
        nodes.Resource: resource,
        nodes.Attribute: attribute,
        nodes.AttributesSplat: attribute,
        nodes.ResourceDefaults: with_attributes,
        nodes.ResourceOverride: with_attributes,
        nodes.Collector: with_attributes,
        nodes.Block: untitled,
    }


def may_take_block(default: nodes.Node | None) -> bool:
    """Whether a `|` behind this default of a parameter would begin a lambda of a call in it."""
    return default is not None and any(
        isinstance(node, nodes.Call | nodes.MethodCall) for node in nodes.walk(default)
    )


def statements_of(body: nodes.Node) -> list[nodes.Node]:
    """The statements of a body."""
    if isinstance(body, nodes.Block):
        attributes = body.statements[1]
        if untitled_resource(body) is not None and isinstance(attributes, nodes.Hash):
            keys = {type(entry.key) for entry in attributes.entries}
            return [body] if keys <= {nodes.String} else body.statements
        return body.statements
    return [] if isinstance(body, nodes.Nop) else [body]


def attribute_name(operation: Any) -> str:
    """What stands before the arrow."""
    return "*" if isinstance(operation, nodes.AttributesSplat) else operation.name
