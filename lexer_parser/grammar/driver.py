"""The parser's engine: a tight loop over the LALR tables.

The tables are unfolded as they are used. A `_Row` is one state: terminal -> what to do. A `_Jump` is what comes
after a reduction: the state below -> the state to go on in, all reductions that only hand their one value on
(`expression : primary` and its like, more than half of all) already taken. Of what is left the loop does most
itself: it makes nodes of single tokens and collects lists without calling the grammar's functions.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lexer_parser.errors import PuppetError
from lexer_parser.grammar.building import reject_comma_lists
from lexer_parser.grammar.grammars import Grammar
from lexer_parser.issues import Misuse, format_message, make_syntax_error
from lexer_parser.regexps.writing import format_with_options
from lexer_parser.source import Source, Span

ACCEPT = 0
TOKEN, LIST = 1, 2
_OPENING = frozenset(("{", "(", "[", "|", "<|", "<<|"))


class UnexpectedToken(PuppetError):
    """A syntax error at a token; `expected` names the tokens that could stand in its place."""

    expected: tuple[str, ...] = ()


class UnexpectedEnd(PuppetError):
    """A syntax error at the end of the input; `nesting` counts the brackets that are open there."""

    nesting = 0


class Tables:
    """The tables of one grammar, unfolded lazily."""

    def __init__(self, grammar: Grammar) -> None:
        module = grammar.tables()
        functions = grammar.namespace()
        self.terminals = {name: chr(number) for number, name in enumerate(module.TERMINALS)}
        self.offset: int = module.OFFSET
        self.actions: tuple[tuple[str, str], ...] = module.ACTIONS
        self.gotos: tuple[tuple[str, str], ...] = module.GOTOS
        self.productions = [
            (getattr(functions, name) if name else None, chr(left), length)
            for name, left, length in module.PRODUCTIONS
        ]
        self.token_nodes: dict[Any, Any] = functions.TOKEN_NODES
        self.lists: set[Any] = {*functions.LISTS}
        self.rows = [_Row(self, state) for state in range(len(module.ACTIONS))]

    def usual_reduction(self, row: _Row) -> int | None:
        """The production that most of the terminals reduce in the state of `row`, None where none does."""
        numbers = [self.offset - ord(value) for value in self.actions[row.state][1]]
        reductions = [number for number in numbers if number > 0]
        return max(reductions, key=reductions.count) if reductions else None

    def goto(self, row: _Row, nonterminal: str) -> _Row:
        """The row after a nonterminal has been read in the state of `row`."""
        keys, values = self.gotos[row.state]
        return self.rows[ord(values[keys.index(nonterminal)])]


class _Row(dict[str, Any]):
    """What to do in one state: the row to shift to, a reduction, `ACCEPT`, or None for a syntax error.

    A reduction is (what builds the value, the jump, minus the length, which values are taken and the one before
    them, which are gone afterwards). In place of a length there is also `TOKEN`: the parts of the token are what
    the value is built of, and `LIST`: the value is a list of the one there was.
    With nothing that builds, one value is handed on, and of several the last is added to the list that is the first.
    """

    __slots__ = ("state", "tables")
    __hash__ = object.__hash__  # type: ignore[assignment]

    def __init__(self, tables: Tables, state: int) -> None:
        self.tables = tables
        self.state = state

    def __missing__(self, terminal: str) -> Any:
        tables = self.tables
        keys, values = tables.actions[self.state]
        index = keys.find(tables.terminals.get(terminal, "\uffff")) if keys else 0
        number = None if index < 0 else ord(values[index]) - tables.offset
        action: Any = number
        if number is not None and number < 0:
            build, left, length = tables.productions[-number]
            jump = _Jump(tables, left, terminal)
            kind = -length
            if build in tables.token_nodes:
                build, kind = tables.token_nodes[build], TOKEN
            elif build in tables.lists:
                build, kind = None, LIST if length == 1 else -length
            # Making slices anew for each reduction would be a tenth of all parsing.
            action = (build, jump, kind, slice(-length - 1, None), slice(1 - length, None))
        elif number:
            action = tables.rows[number]
        self[terminal] = action
        return action


class _Jump(dict[_Row, _Row]):
    """Where a reduction to `left` leads before `terminal`, by the state below it."""

    __slots__ = ("left", "tables", "terminal")

    def __init__(self, tables: Tables, left: str, terminal: str) -> None:
        self.tables = tables
        self.left = left
        self.terminal = terminal

    def __missing__(self, below: _Row) -> _Row:
        tables = self.tables
        row = tables.goto(below, self.left)
        action = row[self.terminal]
        while type(action) is tuple and action[0] is None and action[2] == -1:
            row = tables.goto(below, action[1].left)
            action = row[self.terminal]
        self[below] = row
        return row


def run(
    tables: Tables, types: list[str], tokens: Iterable[Any], source: Source, failure: PuppetError | None
) -> Any:
    """Parses the tokens and gives the value of the start symbol; raises PuppetError.

    `failure` is the lexer's error, raised when the parser reads the token `ERROR`.
    """
    row = tables.rows[0]
    rows: list[_Row] = [row]
    values: list[Any] = [None]
    push_row, push_value = rows.append, values.append
    terminal, token = "", (0, 0, None)
    try:
        for terminal, token in zip(types, tokens, strict=True):
            action = row[terminal]
            while type(action) is tuple:
                build, jump, length, taken, cut = action
                if length < -1:
                    if build is None:
                        values[length].append(values[-1])
                    else:
                        p = values[taken]
                        build(p)
                        values[length] = p[0]
                    del values[cut], rows[cut]
                    row = rows[-1] = jump[rows[-2]]
                elif length == TOKEN:
                    values[-1] = build(*values[-1])
                    row = rows[-1] = jump[rows[-2]]
                elif length == LIST:
                    values[-1] = [values[-1]]
                    row = rows[-1] = jump[rows[-2]]
                elif length:
                    if build is not None:
                        p = values[-2:]
                        build(p)
                        values[-1] = p[0]
                    row = rows[-1] = jump[rows[-2]]
                else:
                    p = [None]
                    build(p)
                    push_value(p[0])
                    row = jump[row]
                    push_row(row)
                action = row[terminal]
            if type(action) is not _Row:
                break
            row = action
            push_row(row)
            push_value(token)
        if action is None and terminal != "ERROR":
            _reduce_what_is_read(tables, rows, values)
    except Misuse as misuse:
        error = make_syntax_error(misuse.code, source, misuse.start, misuse.end, **misuse.arguments)
        error.incomplete = terminal == "$end" and misuse.code in ("NOT_VIRTUAL", "NOT_EXPORTED")
        raise error from None
    if action is None:
        raise _unexpected(terminal, token, values, source, failure, row)
    return values[-1]


def _reduce_what_is_read(tables: Tables, rows: list[_Row], values: list[Any]) -> None:
    """Reduces as the released parser does before it looks at a token, since an action may have a better error."""
    while (number := tables.usual_reduction(rows[-1])) is not None:
        build, left, length = tables.productions[number]
        kept = len(values) - length
        p = [None, *values[kept:]]
        if build is None:
            p[0] = p[1]
        else:
            build(p)
        del values[kept:], rows[kept:]
        values.append(p[0])
        rows.append(tables.goto(rows[-1], left))
    if type(values[-1]) is list:
        reject_comma_lists(values[-1])


def _unexpected(
    terminal: str, token: Any, values: list[Any], source: Source, failure: PuppetError | None, row: _Row
) -> PuppetError:
    """The error for a token that the grammar does not allow where it stands."""
    if terminal == "ERROR":
        assert failure is not None
        return failure
    start, end, text = token
    if terminal != "$end":
        if terminal == "REGEX":
            text = format_with_options(text)
        found = f"'{'' if text is None else text}'"
        unexpected = UnexpectedToken(
            "SYNTAX_ERROR", format_message("SYNTAX_ERROR", {"found": found}), Span(source, start, end)
        )
        unexpected.expected = tuple(name for name in row.tables.terminals if row[name] is not None)
        return unexpected
    error = UnexpectedEnd(
        "SYNTAX_ERROR", format_message("SYNTAX_ERROR", {"found": "end of input"}), incomplete=True
    )
    error.nesting = sum(1 for value in values if type(value) is tuple and value[2] in _OPENING)
    return error
