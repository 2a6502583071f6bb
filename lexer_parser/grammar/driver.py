"""The LALR driver: a tight loop over the parse tables of a grammar.

`run_parser` is the loop. It shifts tokens to a stack of values and a stack of states, and reduces the values at the top
by productions. The tables are expanded as they are used. A `_ParserState`, a row of the tables, maps a terminal to an
action. A `_Jump` maps the state below a reduction to the state after it, past all reductions that only pass their one
value on (`expression : primary` and the like, more than half of all). Of the rest the loop does most itself: it makes
nodes of single tokens and collects lists without calling the functions of the grammar. `Grammar`, at the end, loads the
tables; damaged or missing ones are generated again, in memory.
"""

from __future__ import annotations

from binascii import crc32
from collections.abc import Iterable
from importlib import import_module
from marshal import dumps
from types import SimpleNamespace
from typing import Any
from warnings import warn_explicit

from lexer_parser.errors import PuppetError
from lexer_parser.grammar.building import reject_comma_lists
from lexer_parser.issues import Misuse, format_message, make_syntax_error
from lexer_parser.record import Record
from lexer_parser.regexps.writing import format_with_options
from lexer_parser.source import Source, Span

TOKEN, LIST = 1, 2  # in place of `first` in a reduction, see `_ParserState`
_TAG_ENDS = ("EPP_END", "EPP_END_TRIM")
# The errors in the text of a template.
_TEXT_ERRORS = ("EPP_UNBALANCED_EXPRESSION", "EPP_UNBALANCED_COMMENT")
_OPENING = frozenset(("{", "(", "[", "|", "<|", "<<|"))


class UnexpectedToken(PuppetError):
    """A syntax error at a token; `expected` names the tokens that are possible there."""

    expected: tuple[str, ...] = ()


class UnexpectedEnd(PuppetError):
    """A syntax error at the end of the input; `nesting` is the number of open brackets."""

    nesting = 0


class ParseTables:
    """The parse tables of one grammar, expanded lazily.

    Attributes:
        terminals: The character of each terminal in the tables.
        offset, actions, gotos: The generated tables, as `generate.render_tables` describes them.
        productions: Of each its function or None, the character of its left side, the number of symbols on the right.
        token_nodes: By the function of a production, the function that makes a node of a single token in its place.
        lists: The functions of the productions that only make a list or append to it.
        rows: The states by their numbers.
    """

    def __init__(self, grammar: Grammar) -> None:
        module = grammar.load_tables()
        functions = grammar.make_namespace()
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
        self.rows = [_ParserState(self, state) for state in range(len(module.ACTIONS))]

    def find_usual_reduction(self, row: _ParserState) -> int | None:
        """Return the number of the production that most terminals reduce in a state, or None."""
        numbers = [self.offset - ord(value) for value in self.actions[row.state][1]]
        reductions = [number for number in numbers if number > 0]
        return max(reductions, key=reductions.count) if reductions else None

    def goto(self, row: _ParserState, nonterminal: str) -> _ParserState:
        """Return the state after a nonterminal has been read in the state `row`."""
        keys, values = self.gotos[row.state]
        return self.rows[ord(values[keys.index(nonterminal)])]


class _ParserState(dict[str, Any]):
    """The actions of one state by terminal.

    An action is the state to shift to, a reduction, 0 at the end of a program, or None for an error.

    A reduction is a tuple of five parts:
        build: The function of the production. Without it, one value is passed on, and of several the last is appended
            to the first, which is a list.
        jump: The `_Jump` to the next state.
        first: The index, from the top of the stack, of the first value on the right side: minus the number of values.
            `TOKEN` if the function is called with the start, end and text of a token; `LIST` if the value becomes a
            list of one.
        operands: The slice of the stack with the values of the right side and the one before, whose index is 0 in `p`.
        surplus: The slice of the stack that is removed: all values of the right side but the first.
    """

    __slots__ = ("state", "tables")
    __hash__ = object.__hash__  # type: ignore[assignment]

    def __init__(self, tables: ParseTables, state: int) -> None:
        self.tables = tables
        self.state = state

    def __missing__(self, terminal: str) -> Any:
        tables = self.tables
        keys, values = tables.actions[self.state]
        # Without keys, the one action is for all terminals.
        index = keys.find(tables.terminals.get(terminal, "\uffff")) if keys else 0
        number = None if index < 0 else ord(values[index]) - tables.offset
        action: Any = number
        if number is not None and number < 0:
            build, left, length = tables.productions[-number]
            jump = _Jump(tables, left, terminal)
            first = -length
            if build in tables.token_nodes:
                build, first = tables.token_nodes[build], TOKEN
            elif build in tables.lists:
                build, first = None, LIST if length == 1 else -length
            # Creating the slices at each reduction would take a tenth of the parsing time.
            action = (build, jump, first, slice(-length - 1, None), slice(1 - length, None))
        elif number:
            action = tables.rows[number]
        self[terminal] = action
        return action


class _Jump(dict[_ParserState, _ParserState]):
    """The state after a reduction to `left` before `terminal`, by the state below it."""

    __slots__ = ("left", "tables", "terminal")

    def __init__(self, tables: ParseTables, left: str, terminal: str) -> None:
        self.tables = tables
        self.left = left
        self.terminal = terminal

    def __missing__(self, below: _ParserState) -> _ParserState:
        tables = self.tables
        row = tables.goto(below, self.left)
        action = row[self.terminal]
        while type(action) is tuple:
            build, jump, first, _, _ = action
            if build is not None or first != -1:
                break
            row = tables.goto(below, jump.left)  # the reduction only passes its one value on
            action = row[self.terminal]
        self[below] = row
        return row


def run_parser(
    tables: ParseTables, types: list[str], tokens: Iterable[Any], source: Source, failure: PuppetError | None
) -> Any:
    """Parse the tokens and return the value of the start symbol.

    Args:
        tables: The parse tables.
        types: The kinds of the tokens.
        tokens: The tokens as (start, end, value).
        source: The source that errors refer to.
        failure: The lexer's error. It is raised when the parser reads the token `ERROR`, or when it rejects the end of
            a tag directly before that token.

    Raises:
        PuppetError: The tokens are not a program.
    """
    row = tables.rows[0]
    rows: list[_ParserState] = [row]
    values: list[Any] = [None]
    push_row, push_value = rows.append, values.append
    terminal, token = "", (0, 0, None)
    kinds = iter(types)
    try:
        for terminal, token in zip(kinds, tokens, strict=True):
            action = row[terminal]
            while type(action) is tuple:
                build, jump, first, operands, surplus = action
                if first < -1:
                    if build is None:
                        values[first].append(values[-1])
                    else:
                        p = values[operands]
                        build(p)
                        values[first] = p[0]
                    del values[surplus], rows[surplus]
                    row = rows[-1] = jump[rows[-2]]
                elif first == TOKEN:
                    values[-1] = build(*values[-1])
                    row = rows[-1] = jump[rows[-2]]
                elif first == LIST:
                    values[-1] = [values[-1]]
                    row = rows[-1] = jump[rows[-2]]
                elif first == -1:
                    if build is not None:
                        p = values[-2:]
                        build(p)
                        values[-1] = p[0]
                    row = rows[-1] = jump[rows[-2]]
                else:  # the right side is empty
                    p = [None]
                    build(p)
                    push_value(p[0])
                    row = jump[row]
                    push_row(row)
                action = row[terminal]
            if type(action) is not _ParserState:  # the end of a program, or an error
                break
            row = action
            push_row(row)
            push_value(token)
        if action is None and terminal != "ERROR":
            _reduce_pending(tables, rows, values)
    except Misuse as misuse:
        error = make_syntax_error(misuse.code, source, misuse.start, misuse.end, **misuse.arguments)
        error.incomplete = terminal == "$end" and misuse.code in ("NOT_VIRTUAL", "NOT_EXPORTED")
        raise error from None
    if action is None:
        # The released lexer reads the text behind a tag together with the tag. `kinds` has been read up to `terminal`.
        is_before_error = terminal in _TAG_ENDS and next(kinds) == "ERROR"
        if failure is not None and (
            terminal == "ERROR" or (is_before_error and failure.code in _TEXT_ERRORS)
        ):
            raise failure
        raise _make_syntax_error(terminal, token, values, source, row)
    return values[-1]


def _reduce_pending(tables: ParseTables, rows: list[_ParserState], values: list[Any]) -> None:
    """Reduce what is before a rejected token, as the released parser does.

    A function of the grammar may raise an error that is better than the error at the token.
    """
    while (number := tables.find_usual_reduction(rows[-1])) is not None:
        build, left, length = tables.productions[number]
        height = len(values) - length
        p = [None, *values[height:]]
        if build is None:
            p[0] = p[1]
        else:
            build(p)
        del values[height:], rows[height:]
        values.append(p[0])
        rows.append(tables.goto(rows[-1], left))
    if type(values[-1]) is list:
        reject_comma_lists(values[-1])


def _make_syntax_error(
    terminal: str,
    token: Any,
    values: list[Any],
    source: Source,
    row: _ParserState,
) -> PuppetError:
    """Return the error for a token that the grammar does not allow at this point."""
    start, end, text = token
    if terminal != "$end":
        if terminal == "REGEX":
            text = format_with_options(text)
        quoted = f"'{'' if text is None else text}'"
        unexpected = UnexpectedToken(
            "SYNTAX_ERROR", format_message("SYNTAX_ERROR", {"found": quoted}), Span(source, start, end)
        )
        unexpected.expected = tuple(name for name in row.tables.terminals if row[name] is not None)
        return unexpected
    error = UnexpectedEnd(
        "SYNTAX_ERROR", format_message("SYNTAX_ERROR", {"found": "end of input"}), incomplete=True
    )
    # The values of tokens are tuples, which end with the text.
    error.nesting = sum(1 for value in values if type(value) is tuple and value[2] in _OPENING)
    return error


class Grammar(Record):
    """A grammar of the language.

    Attributes:
        name: The name of the grammar, which is also in the file of its tables.
        table: The name of the module of its generated tables.
        modules: The names of the modules of its productions. Productions of a later module replace those of the same
            name.
    """

    name: str
    table: str
    modules: tuple[str, ...]

    def make_namespace(self) -> SimpleNamespace:
        """Return the names of the modules: productions, `tokens`, `precedence` and others.

        Raises:
            Exception: any exception that a damaged module raises.
        """
        tables = [vars(_import(module)) for module in self.modules]
        return SimpleNamespace(**{name: value for table in tables for name, value in table.items()})

    def load_tables(self) -> Any:
        """Return the generated tables. Missing or damaged ones are generated again by PLY, with a warning."""
        try:
            tables = _import(self.table)
            if compute_digest(tables) == tables.DIGEST:
                return tables
            problem = "are damaged"
        except Exception as cause:  # a damaged Python file can raise any exception
            problem = f"cannot be read ({type(cause).__name__})"
        warn_explicit(  # without a line number, so that Python shows no source line
            f"the parse tables {problem} and were made again in memory;"
            " `python -m lexer_parser.grammar.generate` writes them",
            RuntimeWarning,
            f"lexer_parser/grammar/{self.table}.py",
            0,
        )
        return execute_tables(_import("generate").render_tables(self))


RELEASED = Grammar("released", "parsetab", ("expressions", "definitions"))
SPECIFICATION = Grammar("specification", "parsetab_spec", (*RELEASED.modules, "specification"))


def _import(name: str) -> Any:
    return import_module(f"lexer_parser.grammar.{name}")


def execute_tables(text: str) -> SimpleNamespace:
    """Return the names that the text of a generated module defines."""
    names: dict[str, Any] = {}
    exec(compile(text, "<tables>", "exec"), names)
    return SimpleNamespace(**names)


def compute_digest(tables: Any) -> int:
    """Return a checksum by which damaged tables are detected.

    It takes a fifth of a millisecond. The second version of the format of `marshal` is the same in every release of
    Python.
    """
    heading = tables.OFFSET, tables.TERMINALS, tables.NONTERMINALS, tables.PRODUCTIONS
    return crc32(dumps((heading, tables.ACTIONS, tables.GOTOS), 2))
