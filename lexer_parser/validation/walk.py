"""The state of the validation of a program: the walk over its tree, and the findings.

`validate` takes the nodes from the stack of the walk, and the rules of the other modules push the children of a node.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from lexer_parser import issues
from lexer_parser.dialect import Dialect
from lexer_parser.errors import Note, PuppetError
from lexer_parser.memo import MemoTable
from lexer_parser.record import Record
from lexer_parser.source import Span
from lexer_parser.tree import nodes
from lexer_parser.tree.labels import begin_with_label
from lexer_parser.validation.module_files import ModuleFile

DEFINITIONS = frozenset(
    (
        nodes.Class,
        nodes.Define,
        nodes.Function,
        nodes.Plan,
        nodes.NodeDefinition,
        nodes.TypeAlias,
        nodes.TypeMapping,
        nodes.TypeDefinition,
    )
)
UNARY = frozenset((nodes.Paren, nodes.Not, nodes.Minus, nodes.Splat))
VARIABLE = nodes.Variable  # compared with many nodes: a global is read faster than an attribute
# Classes of nodes without rules of their own and without children.
LEAVES = nodes.LEAVES - {nodes.Integer, nodes.Reserved, nodes.Variable}
MOST_NAMES = 16384  # stored verdicts on names: a program uses its variables again and again
# The names that were found valid. A membership test takes half the time of a call to a memoized function.
_VARIABLES: MemoTable[str, bool] = MemoTable("names of variables", MOST_NAMES)
_STRICT_VARIABLES: MemoTable[str, bool] = MemoTable("names of variables by the specification", MOST_NAMES)
_PARAMETERS: MemoTable[str, bool] = MemoTable("names of parameters", MOST_NAMES)
# Nodes without a value, and nodes that have no value if their operand has none.
MAYBE_WITHOUT_VALUE = DEFINITIONS | UNARY | {nodes.Collector}


class Diagnostic(Record):
    """A finding of validation.

    Attributes:
        error: The violation.
        severity: "error", "warning" or "deprecation".
    """

    error: PuppetError
    severity: str

    def __repr__(self) -> str:
        return f"Diagnostic({self.severity}: {self.error})"


class ParseFunction(Protocol):
    """A function that parses a manifest, or with `epp` a template; it raises PuppetError."""

    def __call__(self, source: str, dialect: Dialect, epp: bool = ...) -> nodes.Program: ...


class InvalidHeredocText(Exception):
    """An exception that ends validation after an error in the text of a heredoc.

    The released Puppet reports only that error, whatever else is wrong.
    """


class ValidationWalk:
    """The state that the rules share.

    Attributes:
        program: The syntax tree.
        dialect: The dialect in which the program is written.
        parse: Parses the texts of heredocs that are programs.
        interactive: True to allow a statement without effect.
        free_block: The block that may be a list of values and assignments; None for none.
        strict: The severity of issues that depend on the setting `strict`: "off", "warning" or "error".
        module_file: Set if the program is a file of a module.
        stack: The nodes to visit; the last one is visited next.
        diagnostics: The findings.
        leaves: Classes of nodes that need no visit.
        variables: Names of variables that are known to be valid, so that their nodes need not be visited.
        parameters: Names of parameters that are known to be valid.
        with_value: The ids of operations with one operand that `require_value` has found to have a value.
        body_kinds: By the id of a definition that is a statement of a body, the kind of this body: "program", "class",
            or "body" for any other.
        epp_parameters: The parameters of a template, by the id of its Epp, which the visit of the Lambda around it has
            left for the visit of the Epp.
        refused_appends: By the id of an attribute whose `+>` is not allowed, the label of what contains it.
        namespaces: The valid names, each with `::`, of the classes around the last definition.
        without_effect: By the id of a control statement, True if it has no effect.
    """

    __slots__ = (
        "body_kinds",
        "diagnostics",
        "dialect",
        "epp_parameters",
        "free_block",
        "interactive",
        "leaves",
        "module_file",
        "namespaces",
        "parameters",
        "parse",
        "program",
        "refused_appends",
        "stack",
        "strict",
        "variables",
        "with_value",
        "without_effect",
    )

    def __init__(
        self, program: nodes.Program, dialect: Dialect, parse: ParseFunction, interactive: bool, strict: str
    ) -> None:
        self.program = program
        self.dialect = dialect
        self.parse = parse
        self.interactive = interactive
        # The specification's own examples are programs whose lines are only values.
        self.free_block = program.body if dialect.free_statements else None
        self.strict = strict
        self.module_file: ModuleFile | None = None
        self.stack: list[nodes.Node] = [program]
        self.diagnostics: list[Diagnostic] = []
        self.leaves = LEAVES - {nodes.Name} if dialect.strict_names else LEAVES
        self.variables = _STRICT_VARIABLES if dialect.strict_names else _VARIABLES
        self.parameters = _PARAMETERS
        self.with_value: set[int] = set()
        self.body_kinds: dict[int, str] = {}
        self.epp_parameters: dict[int, list[nodes.Parameter]] = {}
        self.refused_appends: dict[int, str] = {}
        self.namespaces: list[str] = []
        self.without_effect: dict[int, bool] = {}

    def report(self, code: str, node: nodes.Node, first: nodes.Node | None = None, **arguments: Any) -> None:
        """Record an issue, unless the setting `strict` ignores it.

        Args:
            code: The code of the issue.
            node: The node where it is.
            first: The earlier node that this node repeats, for issues about duplicates.
            **arguments: The arguments of the message.
        """
        severity = issues.load_rows()[code].severity
        if severity == "strict":
            if self.strict == "off":
                return
            severity = self.strict
        error = issues.make_error(code, self.span(node), **arguments)
        if first is not None:
            error.notes = (Note("first declared here", self.span(first)),)
        self.diagnostics.append(Diagnostic(error, severity))

    def push(self, parts: Sequence[Any]) -> None:
        """Push the parts that need a visit: no leaves, and no variables with a valid name."""
        leaves, variables, add = self.leaves, self.variables, self.stack.append
        for part in reversed(parts):
            kind = type(part)
            if kind not in leaves and (kind is not VARIABLE or part.name not in variables):
                add(part)

    def push_children(self, node: nodes.Node) -> None:
        """Push all children of a node, to be visited in the order of the source."""
        self.stack += node.children()[::-1]

    def span(self, node: nodes.Node) -> Span:
        """Return the span that is shown for a node: that of a definition ends before its body."""
        source, start, end = self.program.source, node.start, node.end
        if type(node) in DEFINITIONS:
            brace = source.text.find("{", start, end)
            end = len(source.text[start : brace if brace > 0 else end].rstrip()) + start
        return Span(source, start, end)

    def require_value(self, node: nodes.Node) -> None:
        """Report a node without a value where a value is needed."""
        operations = []
        while type(node) in UNARY:
            if id(node) in self.with_value:
                return
            operations.append(id(node))
            node = node.expr  # type: ignore[attr-defined]
        if type(node) in MAYBE_WITHOUT_VALUE:
            self.report("NOT_RVALUE", node, label=begin_with_label(node))
        else:
            self.with_value.update(operations)  # so that an operand of operands is examined once

    def record_body_kind(self, body: nodes.Node, kind: str) -> None:
        """Record the kind of a body for the definitions that are direct statements of it.

        The first record counts: the body of a class is recorded as "class" by the class, then as "body" by the block.

        Args:
            body: The body.
            kind: Its kind, as in `body_kinds`.
        """
        statements = nodes.list_statements(body)
        if not DEFINITIONS.isdisjoint(map(type, statements)):
            for statement in statements:
                if type(statement) in DEFINITIONS:
                    self.body_kinds.setdefault(id(statement), kind)


VisitFunction = Callable[[ValidationWalk, Any], None]
