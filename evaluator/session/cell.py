"""Cells, their evaluations, and the outcomes that callers of `Session` see, as values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from evaluator.catalog import CatalogDifference, PendingReference
from evaluator.limits import OUTPUT
from evaluator.program.effects import EffectLog
from evaluator.program.log import MOST_REPORTED, Log
from evaluator.program.settings import Settings
from evaluator.session import supervisor
from evaluator.session.program_state import Savepoint
from evaluator.types import infer_for_display
from evaluator.values import Value, format_literal
from evaluator.values.printing import CUT
from lexer_parser.dialect import PUPPET, Dialect
from lexer_parser.errors import Note, PuppetError
from lexer_parser.source import Source
from lexer_parser.tree.nodes import Node

ANONYMOUS = "\0"  # the first character of the key of an input without an identity from its front end

# The kind and the name: ("variable", "x"), ("class", "ntp"), ("function", "double"), ("define", …), ("type", …).
Name = tuple[str, str]


class Cell(NamedTuple):
    """The text of one input.

    Attributes:
        key: the identity within the session; it is that of the front end, if the front end assigned one.
        source: the Puppet code.
        number: the number that the front end displays beside the cell.
        name: the path of the file that the code was read from.
    """

    key: str
    source: str
    number: int
    name: str | None = None

    @property
    def id(self) -> str | None:
        """The identity that the front end assigned."""
        return None if self.key.startswith(ANONYMOUS) else self.key

    @property
    def label(self) -> str:
        """The name of the cell in messages: `[4]`."""
        return f"[{self.number}]"

    def is_same_input(self, other: Cell) -> bool:
        """Return True if both are the same input with the same text; their numbers may differ."""
        return self.key == other.key and self.source == other.source and self.name == other.name


class Evaluation(NamedTuple):
    """The result of evaluating one cell on one state.

    Attributes:
        value: the value of the last statement.
        has_value: False if the last statement is not written for its value: a definition, a call of `notice`.
        logs: the log lines, in order.
        defined: the definitions, as (kind, name as written): ("class", "ntp").
        names: the names that were defined after the cell, including variables of the top scope.
        change: the change to the catalog; None if the cell failed.
        pending: references to resources that no cell has declared yet.
        error: the error that stopped the cell, or None. A failed cell contributes nothing to the state.
        effects: the requests to the outside (files, clocks, other programs), with the replies of other programs.
        settings: the settings under which the cell ran.
        source: the parsed source; messages name it by its label.
        tree: the syntax tree, until the diagnostics of the cell are computed.
        weight: the number of resources that were evaluated.
        cpu_seconds: the processor time of the first evaluation.
    """

    value: Value = None
    has_value: bool = False
    logs: Sequence[Log] = ()
    defined: Sequence[Name] = ()
    names: frozenset[Name] = frozenset()
    change: CatalogDifference | None = None
    pending: Sequence[PendingReference] = ()
    error: PuppetError | None = None
    effects: EffectLog = EffectLog()
    settings: Settings | None = None
    source: Source | None = None
    tree: Node | None = None
    weight: int = 0
    cpu_seconds: float = 0.0


class Outcome:
    """An evaluation as a user sees it: value, log lines, change, error and notes.

    Attributes:
        evaluation: the evaluation of the cell.
        remarks: the diagnostics: hints, the result in the other dialect, the number of cells that were re-executed.
        updated: the entries of other cells whose outcome has changed.
        seconds: wall time of the evaluation; of the whole edit for the cell that ran.
        text_limit: the maximum length of a displayed value, in characters.
    """

    __slots__ = ("evaluation", "remarks", "seconds", "text_limit", "updated")

    def __init__(
        self,
        evaluation: Evaluation,
        remarks: Sequence[Note | str] = (),
        updated: Sequence[Entry] = (),
        seconds: float = 0.0,
    ) -> None:
        self.evaluation = evaluation
        self.remarks: list[Note | str] = list(remarks)
        self.updated: list[Entry] = list(updated)
        self.seconds = seconds
        self.text_limit = int(OUTPUT.value)

    @property
    def value(self) -> Value:
        """The value of the last statement."""
        return self.evaluation.value

    @property
    def has_value(self) -> bool:
        """False if the last statement is not written for its value."""
        return self.evaluation.has_value

    @property
    def logs(self) -> list[Log]:
        """The log lines, in order. If one source has several errors, each of them is a line, too.

        Views of the error use `evaluation.logs` instead, since they describe each of these errors themselves.
        """
        related = self.error.related if self.error is not None else ()
        errors = related[:MOST_REPORTED] if len(related) > 1 else ()
        return [*self.evaluation.logs, *(Log("err", each.message, each.span) for each in errors)]

    @property
    def defined(self) -> list[Name]:
        """The definitions, as (kind, name)."""
        return list(self.evaluation.defined)

    @property
    def change(self) -> Any:  # a CatalogDifference: who reads it has tested that there is no error
        """The change to the catalog; None if the cell failed."""
        return self.evaluation.change

    @property
    def error(self) -> PuppetError | None:
        """The error that stopped the cell, or None."""
        return self.evaluation.error

    @property
    def pending(self) -> Sequence[PendingReference]:
        """References to what no cell has declared yet."""
        return self.evaluation.pending

    @property
    def interrupted(self) -> bool:
        """True if a user stopped the cell."""
        return self.error is not None and self.error.code == "INTERRUPTED"

    @property
    def notes(self) -> list[Note | str]:
        """Pending references and diagnostics, with the numbers that the cells have now."""
        return [*map(str, self.pending), *self.remarks]

    @property
    def text(self) -> str:
        """The value as a Puppet literal: `'a'`, `[1, 2]`, `Notify['x']`; shortened, with a mark, at the limit."""
        return self.text_up_to(self.text_limit)

    def text_up_to(self, length: int) -> str:
        """Return the value as a Puppet literal, cut to a length in characters, with a mark."""
        return _call_with_deep_stack(lambda: format_literal(self.value, length))

    @property
    def dialect(self) -> Dialect:
        """The dialect in which the cell was evaluated; that of the released Puppet if it was not."""
        return settings.dialect if (settings := self.evaluation.settings) is not None else PUPPET

    @property
    def type(self) -> str:
        """The inferred type of the value, as Puppet writes it: that of `type($value, 'reduced')`."""
        return _call_with_deep_stack(
            lambda: format_literal(infer_for_display(self.value, self.dialect), self.text_limit)
        )

    def __reduce__(self) -> tuple[Any, ...]:  # the protocol of pickle
        """Return what pickle writes; see `StoredOutcome`."""
        evaluation = self.evaluation
        stored = Evaluation(
            self.value if _is_data(self.value) else None,
            evaluation.has_value,
            evaluation.logs,
            evaluation.defined,
            pending=evaluation.pending,
            error=evaluation.error,
        )
        return StoredOutcome, (stored, self.remarks, self.seconds, self.text_limit, self.text, self.type)


class StoredOutcome(Outcome):
    """An outcome that was pickled: texts and data only.

    The change, and values that are more than data, are gone.
    """

    text = ""
    type = ""

    def __init__(
        self,
        evaluation: Evaluation,
        remarks: Sequence[Note | str],
        seconds: float,
        text_limit: int,
        text: str,
        type_text: str,
    ) -> None:
        super().__init__(evaluation, remarks, seconds=seconds)
        self.text_limit = text_limit
        self.text = text
        self.type = type_text


class Entry(NamedTuple):
    """A cell of the program with its evaluation, and the savepoint before it.

    Attributes:
        remarks: the diagnostics of the evaluation.
        seconds: wall time of the evaluation.
    """

    cell: Cell
    evaluation: Evaluation
    savepoint: Savepoint | None
    remarks: Sequence[Note | str] = ()
    seconds: float = 0.0

    @property
    def outcome(self) -> Outcome:
        """The evaluation as a user sees it."""
        return Outcome(self.evaluation, self.remarks, seconds=self.seconds)

    @property
    def cell_id(self) -> str | None:
        """The identity that the front end assigned to the cell."""
        return self.cell.id

    @property
    def source(self) -> str:
        """The Puppet code of the cell."""
        return self.cell.source

    @property
    def number(self) -> int:
        """The number that the front end displays beside the cell."""
        return self.cell.number

    @property
    def label(self) -> str:
        """The name of the cell in messages: `[4]`."""
        return self.cell.label

    @property
    def is_retryable(self) -> bool:
        """True if the cell failed and has side effects, so that it may succeed now.

        For example, a file may exist that was missing.
        """
        return self.evaluation.error is not None and self.evaluation.effects.has_effects

    def with_number(self, number: int) -> Entry:
        """Return this entry with the number that the front end displays and messages use."""
        if number == self.cell.number:
            return self
        cell = self.cell._replace(number=number)
        if self.evaluation.source is not None:
            self.evaluation.source.label = cell.label
        return self._replace(cell=cell)


def index_by_key(entries: Iterable[Entry]) -> dict[str, Entry]:
    """Return entries by the keys of their cells."""
    return {entry.cell.key: entry for entry in entries}


def _is_data(value: Value) -> bool:
    if type(value) is list:
        return all(map(_is_data, value))
    if type(value) is dict:
        return all(type(name) is str and _is_data(part) for name, part in value.items())
    return value is None or type(value) in (str, int, float, bool)


def _call_with_deep_stack(function: Callable[[], str]) -> str:
    """Call a function, in a thread with a large stack if it needs more frames than here."""
    try:
        return function()
    except RecursionError:
        pass
    try:
        return str(supervisor.call_supervised(function))
    except (RecursionError, MemoryError):
        return CUT
