"""The statements of a source, and the instructions at which each of them begins: there a program can stop.

Compiled code holds the positions of its source. But not all of it belongs to a statement: lambdas are made before the
first statement runs, and the result of a body is tested after its last. So each instruction is mapped to its statement,
and a program stops before the first instruction of a statement.
"""

from __future__ import annotations

import dis
from bisect import bisect_right
from collections.abc import Iterator
from itertools import islice
from os.path import abspath
from types import CodeType

from evaluator.program.tracing import LAMBDA, OUTLINED
from lexer_parser.source import Source, Span
from lexer_parser.tree import nodes

_DEFINITIONS = (
    *(nodes.Class, nodes.Define, nodes.Function, nodes.NodeDefinition),
    *(nodes.TypeAlias, nodes.TypeMapping),
)
# a lambda that is a statement is a whole template
_NO_STATEMENTS = (*_DEFINITIONS, nodes.Block, nodes.Nop, nodes.RenderText, nodes.Epp, nodes.Lambda)
# the fields of nodes that contain statements
_BODIES = ("body", "then", "otherwise", "statements")
_INSTRUCTION_BYTES = 2


class Statement:
    """A statement.

    Attributes:
        start, end: Its offsets in the source.
        line, last_line: Its first and its last line.
        lambda_start: The offset of the lambda around it, or None.
    """

    __slots__ = ("end", "lambda_start", "last_line", "line", "start")

    def __init__(self, source: Source, start: int, end: int, lambda_start: int | None) -> None:
        self.start, self.end, self.lambda_start = start, end, lambda_start
        self.line, _ = source.position(start)
        self.last_line, _ = source.position(max(end - 1, start))


class StatementTable:
    """The statements of a source, in order, and the names of its lambdas and functions.

    Attributes:
        key: The identity of the source: the full path of its file, or its text.
    """

    def __init__(self, program: nodes.Program) -> None:
        self.source = program.source
        self.key = make_source_key(self.source)
        self.statements: list[Statement] = []
        self._callers: dict[int, str] = {}  # the offset of a lambda -> the function that is called with it
        self._functions: list[nodes.Function] = []
        self._collect_statements(program)
        self.statements.sort(key=lambda statement: (statement.start, -statement.end))
        self._starts = [statement.start for statement in self.statements]

    def _collect_statements(self, program: nodes.Program) -> None:
        extents = nodes.compute_extents(program.body, self.source.text)
        pending: list[tuple[nodes.Node, int | None]] = [(program, None)]
        while pending:
            node, lambda_start = pending.pop()
            if isinstance(node, nodes.Function):
                self._functions.append(node)
            elif isinstance(node, nodes.Call | nodes.MethodCall) and node.block is not None:
                self._callers[node.block.start] = nodes.get_callee_name(node)
            elif isinstance(node, nodes.Lambda) and not isinstance(node.body, nodes.Epp):
                lambda_start = node.start
            for name in _BODIES:
                children = getattr(node, name, None)
                for child in children if isinstance(children, list) else [children]:
                    if isinstance(child, nodes.Render):
                        child = child.expr  # a Render node has the place of the text before it
                    if isinstance(child, nodes.Node) and not isinstance(child, _NO_STATEMENTS):
                        self.statements.append(Statement(self.source, *extents[child], lambda_start))
            pending += [(child, lambda_start) for child in node.children()]

    def find_lambda_caller(self, start: int) -> str:
        """Return the name of the function that is called with the lambda at an offset."""
        return self._callers.get(start, "")

    def find_function_at(self, offset: int) -> str:
        """Return the name of the function around an offset."""
        return next(
            (function.name for function in self._functions if function.start <= offset < function.end), ""
        )

    def find_innermost_statement(self, start: int, end: int) -> Statement | None:
        """Return the innermost statement that contains a range of the source."""
        for index in range(bisect_right(self._starts, start) - 1, -1, -1):
            statement = self.statements[index]
            if statement.end >= end:
                return statement
        return None

    def find_statement_at(self, line: int) -> Statement | None:
        """Return the statement that a line means: the first that begins there.

        On a line where none begins it is the next one, or the one that goes over this line and holds no later one.
        """
        if not 1 <= line <= len(self.source.line_starts):
            return None
        following = next((statement for statement in self.statements if statement.line >= line), None)
        if following is not None and following.line == line:
            return following
        around = [statement for statement in self.statements if statement.line < line <= statement.last_line]
        if around and (following is None or following.start >= around[-1].end):
            return around[-1]
        return following


class DebuggedCode:
    """Compiled code, with the statements that begin at its instructions.

    Attributes:
        table: The statements of its source.
        stops: The statement that is about to run when Python enters a line at an instruction, by the offset of that.
        name: Its name, which begins with the kind of its source: "body_", "function_", "lambda1_20" …
        lambda_start: The offset of the lambda to which the code belongs, or None.
    """

    def __init__(self, code: CodeType, table: StatementTable) -> None:
        self.code = code
        self.table = table
        self.name = code.co_name
        # such code is named by the offset
        self.lambda_start = int(self.name.rpartition("_")[2]) if self.name.startswith(LAMBDA) else None
        self.stops = self._find_stops()

    @property
    def is_part(self) -> bool:
        """True if the code is a part of other code that was nested too deeply."""
        return self.name.startswith(OUTLINED)

    @property
    def function(self) -> str:
        """The name of the function that it is, or is a part of."""
        first_range = next(filter(None, self._iterate_ranges()), None)
        return "" if first_range is None else self.table.find_function_at(first_range[0])

    def find_span(self, instruction: int) -> Span:
        """Return the span of the source of an instruction; an empty one if it has none."""
        found = next(islice(self._iterate_ranges(), instruction // _INSTRUCTION_BYTES, None), None)
        return Span(self.table.source, *(found or (0, 0)))

    def _iterate_ranges(self) -> Iterator[tuple[int, int] | None]:
        """Yield the start and end of each instruction in the source; None for one without a place."""
        offset, text = self.table.source.offset, self.table.source.text
        for line, end_line, column, end_column in self.code.co_positions():
            if None in (line, end_line, column, end_column):
                yield None
            else:
                assert line and end_line and column is not None and end_column is not None
                yield offset(line, column + 1), min(offset(end_line, end_column + 1), len(text))

    def _find_stops(self) -> dict[int, Statement]:
        """Return the statements by the offsets of instructions.

        Python may enter a line some instructions before a statement begins there. So an instruction has the statement
        that begins with it, else the next one that begins on the same line. They are visited from the last on.
        """
        beginning = {number: statement for statement, number in self._number_statements().items()}
        lines = [position[0] for position in self.code.co_positions()]
        stops: dict[int, Statement] = {}
        following: Statement | None = None
        for number in range(len(lines) - 1, -1, -1):
            if number + 1 < len(lines) and lines[number] != lines[number + 1]:
                following = None
            following = beginning.get(number, following)
            if following is not None:
                stops[number * _INSTRUCTION_BYTES] = following
        return stops

    def _number_statements(self) -> dict[Statement, int]:
        """Return the number of the first instruction of each statement of this code."""
        statements: dict[tuple[int, int], Statement | None] = {}  # by ranges of the source
        first_numbers: dict[Statement, int] = {}
        last_entry = _find_last_entry(self.code)
        for number, found in enumerate(self._iterate_ranges()):
            if found is not None and number > last_entry:
                if found not in statements:
                    statements[found] = self.table.find_innermost_statement(*found)
                statement = statements[found]
                if statement is not None and (statement.lambda_start == self.lambda_start or self.is_part):
                    first_numbers.setdefault(statement, number)
        return first_numbers


def _find_last_entry(code: CodeType) -> int:
    """Return the number of the last instruction before all statements.

    It begins the code, or stores its last lambda.
    """
    return max(
        instruction.offset // _INSTRUCTION_BYTES
        for instruction in dis.get_instructions(code)
        if instruction.opname == "RESUME"
        or (
            instruction.opname.startswith("STORE_") and str(instruction.argval).startswith((LAMBDA, OUTLINED))
        )
    )


def make_source_key(source: Source) -> str:
    """Return the identity of a source: the full path of its file, or its text if it has none."""
    return abspath(source.path) if source.path is not None else source.text
