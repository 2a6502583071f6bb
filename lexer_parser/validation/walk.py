"""The state of one walk over a program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from lexer_parser import issues
from lexer_parser.dialect import Dialect
from lexer_parser.errors import Note, PuppetError
from lexer_parser.memo import MemoTable
from lexer_parser.source import Span
from lexer_parser.tree import nodes
from lexer_parser.tree.labels import the_label

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
VARIABLE = nodes.Variable
# What has no rules of its own and no children.
LEAVES = nodes.LEAVES - {nodes.Integer, nodes.Reserved, nodes.Variable}
MOST_NAMES = 16384  # stored verdicts on names: a program uses its variables again and again
# The names that were found right: a test for membership costs half of a call of a memoized function.
_VARIABLES: MemoTable[str, bool] = MemoTable("names of variables", MOST_NAMES)
_STRICT_VARIABLES: MemoTable[str, bool] = MemoTable("names of variables by the specification", MOST_NAMES)
_PARAMETERS: MemoTable[str, bool] = MemoTable("names of parameters", MOST_NAMES)
# What is no value, and what is none when its operand is none.
NOT_VALUES = DEFINITIONS | UNARY | {nodes.Collector}


class Diagnostic:
    """Something validation found: `error`, and `severity`: "error", "warning" or "deprecation"."""

    __slots__ = ("error", "severity")

    def __init__(self, error: PuppetError, severity: str) -> None:
        self.error = error
        self.severity = severity

    def __repr__(self) -> str:
        return f"Diagnostic({self.severity}: {self.error})"


class Parse(Protocol):
    """What reads a manifest, or with `epp` a template; raises PuppetError."""

    def __call__(self, source: str, dialect: Dialect, epp: bool = ...) -> nodes.Program: ...


class InvalidText(Exception):
    """Ends validation at once: the released Puppet raises for a heredoc's text, whatever else was found."""


class Walk:
    """What the rules share: the stack of nodes to visit, the findings, and where definitions stand.

    `place` maps the id of a definition to the kind of body it is a direct statement of: "program", "class"
    or "body"; a definition that is no statement of any body is missing. `context` is what a node's parent
    says of it, by the node's id. `namespaces` are the names, each with `::`, of the classes around the last
    definition, those that are right. `effects` remembers which control statements are without effect. A node of a
    class in `leaves` needs no visit, nor does a variable or parameter whose name is known to be right: it is in
    `variables` or `parameters`, where the visit of the first one of that name puts it.
    """

    __slots__ = (
        "context",
        "diagnostics",
        "dialect",
        "effects",
        "free_statements",
        "interactive",
        "leaves",
        "module_file",
        "namespaces",
        "parameters",
        "parse",
        "place",
        "program",
        "stack",
        "strict",
        "values",
        "variables",
    )

    def __init__(
        self, program: nodes.Program, dialect: Dialect, parse: Parse, interactive: bool, strict: str
    ) -> None:
        self.program = program
        self.parse = parse
        self.dialect = dialect
        self.interactive = interactive
        # The specification's own examples are programs of lines that just give values.
        self.free_statements = program.body if dialect.free_statements else None
        self.strict = strict
        self.leaves = LEAVES - {nodes.Name} if dialect.strict_names else LEAVES
        self.variables = _STRICT_VARIABLES if dialect.strict_names else _VARIABLES
        self.parameters = _PARAMETERS
        self.module_file: Any = None
        self.diagnostics: list[Diagnostic] = []
        self.stack: list[nodes.Node] = [program]
        self.place: dict[int, str] = {}
        self.context: dict[int, Any] = {}
        self.effects: dict[int, bool] = {}
        self.namespaces: list[str] = []
        self.values: set[int] = set()

    def report(self, code: str, node: nodes.Node, first: nodes.Node | None = None, **arguments: Any) -> None:
        """Records the issue `code` at `node`; `first` is the earlier place that it repeats."""
        severity = issues.load_rows()[code].severity
        if severity == "strict":
            if self.strict == "off":
                return
            severity = self.strict
        error = issues.error(code, self.span(node), **arguments)
        if first is not None:
            error.notes = (Note("first declared here", self.span(first)),)
        self.diagnostics.append(Diagnostic(error, severity))

    def push(self, parts: list[Any]) -> None:
        """Pushes those of the parts that need a visit: no leaves, and no variables with a good name."""
        leaves, variables, add = self.leaves, self.variables, self.stack.append
        for part in reversed(parts):
            kind = type(part)
            if kind not in leaves and (kind is not VARIABLE or part.name not in variables):
                add(part)

    def span(self, node: nodes.Node) -> Span:
        """The span of a node; of a definition only its first line, which is what a reader looks for."""
        source, start, end = self.program.source, node.start, node.end
        if type(node) in DEFINITIONS:
            brace = source.text.find("{", start, end)
            end = len(source.text[start : brace if brace > 0 else end].rstrip()) + start
        return Span(source, start, end)

    def require_value(self, node: nodes.Node) -> None:
        """Reports a node that stands where a value is needed and can have none."""
        passed = []
        while type(node) in UNARY:
            if id(node) in self.values:
                return
            passed.append(id(node))
            node = node.expr  # type: ignore[attr-defined]
        if type(node) in NOT_VALUES:
            self.report("NOT_RVALUE", node, label=the_label(node))
        else:
            self.values.update(passed)  # each of many nested ones asks for those inside it again

    def place_statements(self, body: nodes.Node, place: str) -> None:
        """Notes that the definitions which are direct statements of `body` stand in such a place."""
        statements = body.statements if isinstance(body, nodes.Block) else [body]
        if not DEFINITIONS.isdisjoint(map(type, statements)):
            for statement in statements:
                if type(statement) in DEFINITIONS:
                    self.place.setdefault(id(statement), place)


Visit = Callable[[Walk, Any], None]
