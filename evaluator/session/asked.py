"""What a session answers about itself: its cells, its catalog, its settings, and help for people who type."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from evaluator import session
from evaluator.limits import amounts
from evaluator.program import sandbox
from evaluator.program.log import Log
from evaluator.program.protocols import SourceStore
from evaluator.program.settings import Environment
from evaluator.running.runtime import Runtime
from evaluator.session.cells import Cell, Outcome
from evaluator.session.program import Program
from lexer_parser.parsing import status

if TYPE_CHECKING:
    from evaluator.assistance import Assistant

_DIGITS_PER_BIT = 0.302  # log10(2), rounded up


class Asked:
    """The part of a session that runs nothing."""

    runtime: Runtime
    beginning: Outcome | None  # what came before the cells: an environment's manifests
    _program: Program
    _cache: SourceStore | None

    # --- the program

    @property
    def cells(self) -> list[Cell]:
        """The cells that make up the program, in order; one that was emptied is no more among them."""
        return [cell for cell in self._program.cells if cell.source]

    def cell(self, cell_id: str | None) -> Cell | None:
        """The cell of an identity; None when there is none."""
        return self._program.find(cell_id)

    def before(self, cell_id: str | None) -> Cell | None:
        """The cell before the one of an identity; before the last one when there is no such cell."""
        cells, known = self._program.cells, self._program.find(cell_id)
        place = len(cells) - 1 if known is None else self._program.index(known.rank)
        return cells[place - 1] if place > 0 else None

    def catalog(self) -> Any:
        """The settled Catalog: what `puppet apply` would compile from the cells joined in order.

        Raises the error of the environment's manifests.
        """
        if self.beginning is not None and self.beginning.error is not None:
            raise self.beginning.error
        return self._program.world.settled().state.catalog.to_released_order()

    # --- settings

    @property
    def dialect(self) -> str:
        """The name of the dialect."""
        return self.runtime.dialect.name

    @property
    def node(self) -> str:
        """The certname."""
        return self.runtime.settings.node

    @property
    def facts(self) -> dict[str, Any]:
        """The facts of the node."""
        return self.runtime.settings.facts

    @property
    def environment(self) -> str | Environment:
        """What a directory says of the environment; without one, its name."""
        settings = self.runtime.settings
        return settings.environment if settings.directory is None else settings.directory

    @property
    def modulepath(self) -> tuple[str, ...]:
        """The directories of modules."""
        return self.runtime.settings.modulepath

    @property
    def hiera_config(self) -> str | None:
        """The path of a hiera.yaml that is no environment's."""
        return self.runtime.settings.hiera_config

    @property
    def exported(self) -> tuple[dict[str, Any], ...] | None:
        """The resources of other nodes; None where no store tells of them."""
        store = self.runtime.settings.store
        return None if store is None else store.resources

    def may_read(self, path: str) -> bool:
        """True for a path that programs of this session may read. Nothing is asked of what is there."""
        return sandbox.is_readable(self.runtime.settings, path)

    def loaded(self) -> list[str]:
        """The paths of the files of modules that the program has read."""
        return list(self.runtime.state.definitions.loaded)

    @property
    def limits(self) -> Mapping[str, float | str]:
        """The amounts of all limits by name; see `evaluator.limits`. Others can be set between cells."""
        return self.runtime.settings.limits

    @limits.setter
    def limits(self, given: Mapping[str, float | str]) -> None:
        found = amounts(given)
        self.runtime.settings = self.runtime.settings.but(limits=found)
        # CPython refuses to convert longer integers; all that the language has can be written and read
        digits = int(found["max_integer_bits"] * _DIGITS_PER_BIT) + 1
        if 0 < sys.get_int_max_str_digits() < digits:
            sys.set_int_max_str_digits(digits)

    @property
    def on_log(self) -> Callable[[Log], None] | None:
        """Called with each log line as it is written."""
        return self.runtime.on_log

    @on_log.setter
    def on_log(self, receiver: Callable[[Log], None] | None) -> None:
        self.runtime.on_log = receiver

    # --- other nodes

    def fleet(
        self,
        facts: Mapping[str, Mapping[str, Any] | str],
        executor: Any = None,
        *,
        told: Callable[[Any], None] | None = None,
        certname: str | None = None,
        sources: Iterable[str] = (),
    ) -> Any:
        """The program compiled for many nodes: a Fleet with `.catalogs`, `.errors`, `.seconds` and `.table()`.

        Cells that give nothing but an error here are left out.

        facts     node -> its facts, or the name of a bundled set
        executor  any `concurrent.futures.Executor`, by default processes of this machine
        told      called with the Fleet as it is so far, several times a second; what it raises ends the work
        certname  that of all nodes, where they are one node with other facts
        sources   programs that come after the cells and that have not run here
        Raises ValueError for a set of facts that there is not, and what `told` raises.
        """
        cells = [cell for cell in self._program.cells if cell.outcome.error is None]
        cells += [Cell(source, None, number) for number, source in enumerate(sources, len(cells) + 1)]
        cache = None if self._cache is None else self._cache.path
        return session.compile_cells(self.runtime.settings, cache, cells, facts, executor, told, certname)

    # --- help for people who type

    def status(self, source: str) -> Any:
        """Whether an input is "complete", "incomplete" or "invalid" (`.kind`), and the next line's `.indent`."""
        return status(source, self.runtime.dialect)

    def complete(self, source: str, cursor: int) -> Any:
        """Candidates for the word at the cursor."""
        return _assistance(self).complete(source, cursor)

    def inspect(self, source: str, cursor: int) -> Any:
        """A card about the name at the cursor, or None."""
        return _assistance(self).inspect(source, cursor)

    def cards(self, name: str) -> list[Any]:
        """The cards of all that bears a name, in the program and in the language."""
        found: list[Any] = _assistance(self).find_cards(name)
        return found

    def listing(self, table: str, text: str = "") -> list[Any]:
        """The "functions" or "classes" whose name or words hold a text: `.text`, `.kind` and `.words` of each."""
        found: list[Any] = _assistance(self).list_names(table, text)
        return found

    def reason(self, source: str) -> Any:
        """Why an expression gives what it gives, None where there is nothing to tell. Raises PuppetError."""
        return _assistance(self).explain(source)

    def topics(self) -> list[str]:
        """The names that `cards` knows, but variables."""
        found: list[str] = _assistance(self).list_topics()
        return found

    def variables(self) -> Iterator[tuple[str, Any]]:
        """The names and values of the top scope's variables, then of every evaluated class's, qualified."""
        found: Iterator[tuple[str, Any]] = _assistance(self).iterate_variables()
        return found


def _assistance(session: Any) -> Assistant:
    """Return what assists users who type; most programs never load it."""
    from evaluator.assistance import Assistant

    return Assistant(session)
