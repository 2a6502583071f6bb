"""Notes on cells that differ in the other dialect, with the switch responsible.

Most cells mean the same, which static analysis can prove (`is_dialect_independent`). Any other cell is evaluated again
in the other dialect, without log lines and on the savepoint before it. If the result differs, it is evaluated once
with each switch flipped. Only interactive sessions do this, and only for cells that are short and quick, add little to
the catalog and have no effects outside the session. `find_switches`, which a user requests, has more time.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

from evaluator import resource_types
from evaluator.issues import load_rows
from evaluator.program.settings import Settings
from evaluator.program.source_cache import parse_bounded
from evaluator.session.cell import Cell, Entry, Evaluation, Outcome
from evaluator.session.evaluation import evaluate
from evaluator.session.program_state import ProgramState, Savepoint, explain_error
from lexer_parser import issues as static
from lexer_parser.dialect import DIALECTS, SWITCHES, Dialect, name_dialects, name_dialects_with
from lexer_parser.errors import Note, PuppetError
from lexer_parser.memo import MemoTable
from lexer_parser.tree import nodes

# --- code that means the same in every dialect

# Nodes whose meaning no switch changes, whatever their values are.
_PLAIN = frozenset(
    {
        nodes.And,
        nodes.Array,
        nodes.Block,
        nodes.Boolean,
        nodes.Class,
        nodes.Concat,
        nodes.Default,
        nodes.Define,
        nodes.Float,
        nodes.Function,
        nodes.Hash,
        nodes.If,
        nodes.Name,
        nodes.Nop,
        nodes.Not,
        nodes.Or,
        nodes.Pair,
        nodes.Paren,
        nodes.ResourceBody,
        nodes.ResourceDefaults,
        nodes.String,
        nodes.Text,
        nodes.Undef,
        nodes.Unless,
        nodes.Variable,
    }
)
_DEFINITIONS = (nodes.Class, nodes.Define, nodes.Function)
# Functions that mean the same in every dialect if their arguments do.
_CALLS = frozenset(
    {
        "alert",
        "contain",
        "crit",
        "debug",
        "emerg",
        "err",
        "fail",
        "include",
        "info",
        "notice",
        "realize",
        "require",
        "warning",
    }
)
_SMALL = 1 << 31  # the result of one operator on two such integers fits in 64 bits


def is_dialect_independent(body: nodes.Node) -> bool:
    """Return True for a tree that means the same in every dialect.

    Another dialect may parse another tree from the same text.
    """
    statements = body.statements if isinstance(body, nodes.Block) else [body]
    if all(isinstance(statement, _DEFINITIONS) for statement in statements):
        return True  # a difference would show only when something uses the definitions
    return all(
        type(node) in _PLAIN or (type(node) in _RULES and _RULES[type(node)](node))
        for node in nodes.walk(body)
    )


def _is_small(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Integer) and node.value < _SMALL


def _is_reference(node: nodes.Node) -> bool:
    """Return True for `File['/a']`, a chain of references, and a resource expression."""
    return isinstance(node, nodes.Access | nodes.Relationship | nodes.Resource)


def _finds_by_name(node: nodes.Access) -> bool:
    """Return True for `File['/a']` and `$facts['os']['name']`, but not for `$a[0]` and `$a[1, 2]`."""
    left, keys = node.left, node.keys
    if len(keys) != 1 or not isinstance(keys[0], nodes.String | nodes.Name):
        return False
    if isinstance(left, nodes.TypeName):
        return True
    return isinstance(left, nodes.Variable | nodes.Access) and keys[0].value[:1].isalpha()


# Nodes that are independent under a condition.
_RULES: dict[type[nodes.Node], Callable[[Any], bool]] = {
    nodes.Access: _finds_by_name,
    nodes.Arithmetic: lambda node: (
        node.operator in ("+", "-", "*") and _is_small(node.left) and _is_small(node.right)
    ),
    nodes.Assignment: lambda node: node.operator == "=",
    nodes.Attribute: lambda node: node.operator == "=>",
    nodes.Call: lambda node: isinstance(node.functor, nodes.Name) and node.functor.value in _CALLS,
    nodes.Integer: lambda node: node.value < 1 << 63,
    nodes.Parameter: lambda node: node.type is None,
    nodes.Relationship: lambda node: _is_reference(node.left) and _is_reference(node.right),
    nodes.Resource: lambda node: isinstance(node.type_name, nodes.Name) and node.type_name.value != "class",
    nodes.TypeName: lambda node: node.value == "Class" or resource_types.is_known(node.value.lower()),
}


# --- the result in the other dialect

# In a browser there is no clock of this process's CPU time. Wall-clock time is used instead, with larger limits.
_GENEROUS = 5 if sys.platform == "emscripten" else 1
QUICK_SECONDS = 0.1 * _GENEROUS  # of CPU time, so that the same cells have notes on a busy machine
LONGEST_SECONDS = 0.3 * _GENEROUS  # of CPU time, after which no other switch is tried
REQUEST_SECONDS = 2.0 * _GENEROUS  # of CPU time, the same limit when a user requests the switches
REQUEST_WAITING = 5.0 * _GENEROUS  # seconds by the clock that this user waits at most
MOST_WAITING = 0.8 * _GENEROUS  # seconds by the clock for the notes, or for the hints, of one cell
LONGEST_TEXT = 4000  # characters
LONGEST_VALUE = 20_000  # characters of a value that are compared
MOST_RESOURCES = 100  # resources that evaluating and finalizing a cell visits
_LONGEST = 60  # characters of a value that are shown
_MOST_MESSAGES = 240  # characters of messages that are shown; the end of a message is needed to understand it


# Caches for a cell, which runs again when a cell above it is edited: whether both dialects evaluate it equally, and
# which switches cause the difference between two results.
_independent: MemoTable[tuple[str, Dialect, str], bool] = MemoTable(
    "texts with one tree in both dialects", 1000
)
_switches: MemoTable[tuple[str, str, Result, Result], list[str]] = MemoTable("switches behind notes", 1000)


class Unknown(Exception):
    """The comparison of dialects would need effects outside the session, or takes too long."""


class Result(NamedTuple):
    """The result of a cell in a dialect.

    Its string is the beginning of the value and of the messages.

    Attributes:
        value: The value as a string, "" for none.
        messages: The log lines, or the message of the error.
        failed: True if the cell has an error.
        is_elsewhere: True if that error is in the code of another cell.
    """

    value: str
    messages: tuple[str, ...]
    failed: bool = False
    is_elsewhere: bool = False

    def __str__(self) -> str:
        value = self.value if len(self.value) <= _LONGEST else f"{self.value[: _LONGEST - 1]}…"
        messages = "; ".join(self.messages)
        if len(messages) > _MOST_MESSAGES:
            messages = messages[:_MOST_MESSAGES].rpartition(" ")[0] + " …"
        return "; ".join(filter(None, (value, messages)))


class DialectNote(Note):
    """A note that a cell has another result in the other dialect.

    Attributes:
        dialect: The name of the other dialect.
        result: The result in that dialect.
        switch: The switches, each of which alone causes the difference; "" if there is none.
    """

    __slots__ = ("dialect", "result", "switch")

    def __init__(self, dialect: str, names: str, result: str, switch: str = "") -> None:
        super().__init__(f"{names}: {result}" + (f" ({switch})" if switch else ""))
        self.dialect = dialect
        self.result = result
        self.switch = switch


def may_differ(program: ProgramState, entry: Entry) -> bool:
    """Return True for a small cell of an interactive session whose dialects may differ."""
    evaluation, runtime = entry.evaluation, program.runtime
    error = evaluation.error
    return (
        runtime.settings.interactive
        and not runtime.used_permission
        and evaluation.cpu_seconds < QUICK_SECONDS
        and evaluation.weight <= MOST_RESOURCES
        and len(entry.source) <= LONGEST_TEXT
        and (error is None or error.code != "INTERRUPTED")
        and not _is_independent(program, entry)
    )


def _is_independent(program: ProgramState, entry: Entry) -> bool:
    """Return True for a cell with the same tree in both dialects that depends on no switch."""
    tree, settings = entry.evaluation.tree, program.runtime.settings
    if tree is None or _has_strict_issue(entry.evaluation):
        return False
    key = entry.source, program.runtime.dialect, settings.strict
    is_independent = _independent.get(key)
    if is_independent is None:
        other = settings.replace(dialect=program.runtime.dialect.counterpart)
        is_independent = _independent[key] = is_dialect_independent(tree) and _has_same_tree(
            entry.source, tree, other
        )
    return is_independent


def _has_same_tree(source: str, tree: nodes.Node, other: Settings) -> bool:
    """Return True if a text has the same tree in another dialect."""
    try:
        return parse_bounded(source, other.dialect, interactive=True, strict=other.strict).body == tree
    except Exception:  # a syntax error there, or nested too deeply to be parsed without another thread
        return False


def _has_strict_issue(evaluation: Evaluation) -> bool:
    """Return True if an issue, or what may be one, depends on the setting `strict`."""
    error = evaluation.error
    if error is not None:
        issue = load_rows().get(error.code) or static.load_rows().get(error.code)
        return issue is not None and issue.severity == "strict"
    return any(line.level == "warning" for line in evaluation.logs)


def find_notes(program: ProgramState, entry: Entry) -> list[Note | str]:
    """Return notes on the result of a cell in the other dialect.

    Args:
        program: The program state, rolled back to before the cell.
        entry: The cell with its evaluation.
    """
    compared = _ComparedCode(program, entry.source)
    with suppress(Unknown):
        if entry.evaluation.error is None:
            return [*compared.find_notes(summarize(entry.evaluation))]
        theirs = compared.evaluate_in(compared.other)
        if not theirs.failed:
            return [compared.make_note(theirs)]
    return []


def find_switches(program: ProgramState, source: str) -> list[tuple[str, ...]]:
    """Return the switches that change the result of code in the other dialect.

    Args:
        program: The program state in which the code is evaluated: the end of a program.
        source: The code.

    Returns:
        Groups of switches, mostly with one switch, each of which causes the difference. Empty if both results are
        equal.

    Raises:
        Unknown: The comparison needs effects outside the session, or takes too long.
    """
    compared = _ComparedCode(program, source)
    theirs = compared.evaluate_in(compared.other)
    if theirs == compared.evaluate_in(compared.own):
        return []
    alone = compared.find_single_switches(theirs, REQUEST_SECONDS)
    return [(switch,) for switch in alone] or [compared.find_switch_set(theirs)]


class _ComparedCode:
    """Code that is evaluated in its own dialect, in the other one, and with switches flipped.

    Its methods call the result in the other dialect `theirs`.

    Args:
        program: The program state in which the code is evaluated; it stays as it is.
        source: The code.
    """

    def __init__(self, program: ProgramState, source: str) -> None:
        self.program, self.source = program, source
        self.own = program.runtime.dialect
        self.other = self.own.counterpart

    def evaluate_in(self, dialect: Dialect, *, defers: bool = True) -> Result:
        """Return the result of the code in a dialect.

        Args:
            defers: False to leave out code that Puppet defers.

        Raises:
            Unknown: The code needs a permission.
        """
        with _use_dialect(self.program, dialect) as savepoint:
            evaluation = evaluate(self.program, savepoint, Cell("", self.source, 0), defers=defers)
            problem = evaluation.error
            return summarize(evaluation) if problem is None else _summarize_error(problem, self.source)

    def find_notes(self, seen: Result) -> list[DialectNote]:
        """Return notes on the other dialect, with each switch that alone makes the difference.

        If no switch does so alone, there is one note without a switch.

        Args:
            seen: The result that the user sees.
        """
        theirs = self.evaluate_in(self.other)
        if theirs.is_elsewhere and _evaluate_above(self.program, self.other) == theirs:
            # The deferred code of the cells above fails there even without this cell, whenever the fixed point is
            # recomputed rather than extended. So deferred code is left out of the comparison.
            seen = self.evaluate_in(self.own, defers=False)
            theirs = self.evaluate_in(self.other, defers=False)
        if theirs == seen:
            return []
        key = (self.own.name, self.source, seen, theirs)
        alone = _switches.get(key)
        if alone is None:
            alone = _switches[key] = self.find_single_switches(theirs, LONGEST_SECONDS)
        if not alone:
            return [self.make_note(theirs)]
        causes: dict[str, list[str]] = {}
        for switch in alone:
            causes.setdefault(name_dialects_with(switch, getattr(self.other, switch)), []).append(switch)
        return [
            DialectNote(self.other.name, names, str(theirs), " or ".join(switches))
            for names, switches in causes.items()
        ]

    def make_note(self, theirs: Result) -> DialectNote:
        """Return a note without a switch, on the dialects that have the result of the other one."""
        others = [dialect for dialect in DIALECTS.values() if dialect not in (self.own, self.other)]
        names = name_dialects(
            [self.other, *(dialect for dialect in others if self.evaluate_in(dialect) == theirs)]
        )
        return DialectNote(self.other.name, names, str(theirs))

    def find_single_switches(self, theirs: Result, seconds: float) -> list[str]:
        """Return the switches each of which alone produces the result `theirs`.

        Switches are flipped in groups, which are halved: a group that does not produce the result has none of them. The
        switch that was found last is a group of its own, since similar cells follow each other.

        Raises:
            Unknown: It takes more than `seconds` of CPU time.
        """
        end = time.process_time() + seconds
        latest: list[str] = next(reversed(_switches.values()), [])
        likely = latest if len(latest) == 1 else []
        others = [switch for switch in SWITCHES if switch not in likely]
        responsible, groups = set[str](), [likely, others] if likely else _halve(others)
        while groups:
            group = groups.pop()
            if self._produces(theirs, group, end):
                groups += _halve(group)
                responsible.update(group if len(group) == 1 else ())
        return [switch for switch in SWITCHES if switch in responsible]

    def find_switch_set(self, theirs: Result) -> tuple[str, ...]:
        """Return a minimal set of switches that together produce the result `theirs`.

        Raises:
            Unknown: It takes more than REQUEST_SECONDS of CPU time.
        """
        end, needed = time.process_time() + REQUEST_SECONDS, set(SWITCHES)
        for switch in SWITCHES:
            if self._produces(theirs, needed - {switch}, end):
                needed.remove(switch)
        return tuple(switch for switch in SWITCHES if switch in needed)

    def _produces(self, theirs: Result, switches: Iterable[str], end: float) -> bool:
        """Return True if flipping switches produces the result `theirs`.

        Raises:
            Unknown: The process has used more CPU time than `end`, in seconds.
        """
        if time.process_time() > end:
            raise Unknown
        return self.evaluate_in(self.own.with_switches_flipped(*switches)) == theirs


def _halve(group: list[str]) -> list[list[str]]:
    """Return the halves of a group; none for a group of one."""
    half = len(group) // 2
    return [group[:half], group[half:]] if half else []


def _evaluate_above(program: ProgramState, dialect: Dialect) -> Result | None:
    """Return the error of the deferred code of the cells above in a dialect, or None."""
    with _use_dialect(program, dialect):
        try:
            program.recompute_fixed_point()
        except Exception as exception:
            return _summarize_error(explain_error(exception, program.runtime), "")
    return None


@contextmanager
def _use_dialect(program: ProgramState, dialect: Dialect) -> Iterator[Savepoint]:
    """Use a dialect in a `with` statement, without permissions and log lines.

    Yields:
        The savepoint to which the state is rolled back afterwards.
    """
    runtime = program.runtime
    settings, savepoint = runtime.settings, program.savepoint()
    runtime.settings = settings.replace(permissions=(), dialect=dialect)
    try:
        with runtime.hold_log(), runtime.in_dialect(dialect):
            yield savepoint
    finally:
        runtime.settings = settings
        program.roll_back(savepoint)


def _summarize_error(problem: PuppetError, source: str) -> Result:
    """Return the result of code that fails. Raises Unknown if it needs a permission."""
    if problem.code == "NOT_PERMITTED":
        raise Unknown
    is_elsewhere = problem.span is not None and problem.span.source.text != source
    message = f"an error: {problem.message.splitlines()[0]}"
    return Result("", (message,), failed=True, is_elsewhere=is_elsewhere)


def summarize(evaluation: Evaluation) -> Result:
    """Return the result of an evaluation that has no error."""
    lines = tuple(f"{line.level}: {line.message}" for line in evaluation.logs)
    shown = evaluation.has_value or not lines
    return Result(Outcome(evaluation).text_up_to(LONGEST_VALUE) if shown else "", lines)
