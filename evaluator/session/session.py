"""The session: a program that grows cell by cell. The only object that front ends use.

    session.run(source) ─→ History.apply(Run(cell)) ─→ Timeline.evaluate ─→ Evaluation ─→ Changes ─→ Outcome

An input of a front end is code, a command, or both. Its key is the identity that the front end assigned (`cell_id`), or
one that `enter` makes. The calls for an input are, in this order:

1. `enter` begins it: it has a position in the document from now on.
2. `run` evaluates its code. A command instead calls the methods for edits, such as `undo`, or in a `view` those that
   only read.
3. `finish` ends it, and evaluates cells that it postponed. If it was interrupted, `restore` returns to a `snapshot`
   from before step 1.

A caller without a document, such as a script, only calls `run`.

Most methods delegate: `history` describes the order of cells and what an edit does to those below, `epochs` the parts
of a session with their own facts or dialect, `timeline` the evaluation of a cell as a transaction, `make_supervisor`
the limits and interrupts. `epochs.current` is the timeline of the whole program; inside `view`, of what is above.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from os import PathLike
from typing import TYPE_CHECKING, Any, TypeVar

from evaluator import assistance
from evaluator.limits import collect_amounts
from evaluator.program import lookup_trace, sandbox
from evaluator.program.log import Log
from evaluator.program.settings import EnvironmentDirectory
from evaluator.running.runtime import Runtime
from evaluator.session import stack_threads
from evaluator.session.arguments import Arguments, open_cache
from evaluator.session.cell import ANONYMOUS, Cell, Entry, Evaluation, Outcome
from evaluator.session.document import REDO, UNDO
from evaluator.session.edits import (
    Changes,
    Configure,
    Edit,
    Forget,
    Refresh,
    ReplayStep,
    Reset,
    Run,
    Snapshot,
    Step,
    Thaw,
)
from evaluator.session.history import History
from evaluator.session.supervisor import Supervisor, make_supervisor
from evaluator.session.timeline import open_timeline
from evaluator.values import format_literal
from evaluator.values.printing import quote_double
from lexer_parser.errors import PuppetError
from lexer_parser.parsing import Status, find_status

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from evaluator.debugger.engine import Watcher
    from evaluator.fleet import Fleet
    from evaluator.program.lookup_trace import LookupTrace

_T = TypeVar("_T")


class Session:
    """An incremental Puppet program.

    Args:
        dialect: a name of `lexer_parser.dialect.DIALECTS`: "spec" (the language of the specification), "puppet" (as
            released today), or another release.
        node: the certname to compile for.
        facts: a mapping, the name of a bundled fact set, or None for a small neutral set.
        trusted: a mapping that replaces or adds to `$trusted`: certname, hostname and domain of the node.
        environment: a directory with environment.conf, manifests, modules and hiera.yaml; its manifests run first.
        exported: the data of other nodes: rows of PuppetDB or catalogs; see `evaluator.catalog.store`.
        classification: the result of a node classifier: a mapping with `classes` (names, or names with their
            parameters), `parameters` (variables of the top scope) and `environment` (its name).
        modulepath: directories that hold modules; in an environment, its `$basemodulepath`.
        data: Hiera data of one common layer.
        hiera_config: the path of a hiera.yaml.
        strict: "off", "warning" or "error"; None for the default of the dialect.
        strict_variables: True if unknown variables are errors; None for the default of the dialect.
        interactive: statements without effect are allowed, and a reference to a resource that is not declared yet
            causes a note.
        permissions: "files" (outside the module path and working folder), "generate" (running programs), "templates"
            (ERB, which is Ruby code), "ruby" (functions and data backends that modules have in Ruby). Off by default.
        limits: amounts that differ from the defaults, by name: `{"max_resources": 1000}`; see `evaluator.limits`.
        recorded: record where the value of each attribute of a resource came from; see `catalog.provenance`.
        cache: a folder of the user in which compiled modules are stored for other processes.
        allowed: for directories that a program names; returns True for a path to which `environment` may refer.

    Attributes:
        watcher: runs the cells for a debugger; see `evaluator.debugger`.
    """

    watcher: Watcher | None = None

    def __init__(
        self,
        dialect: str = "spec",
        *,
        node: str = "localhost",
        facts: Mapping[str, Any] | str | None = None,
        trusted: Mapping[str, Any] | None = None,
        environment: str | PathLike[str] | None = None,
        exported: Any = None,  # rows of PuppetDB or catalogs, as JSON has them
        classification: Mapping[str, Any] | None = None,
        modulepath: Iterable[str | PathLike[str]] = (),
        data: Mapping[str, Any] | None = None,
        hiera_config: str | None = None,
        strict: str | None = None,
        strict_variables: bool | str | None = None,
        interactive: bool = False,
        permissions: Iterable[str] | str = (),
        limits: Mapping[str, float] | None = None,
        recorded: bool = False,
        cache: str | None = None,
        allowed: Callable[[str], bool] | None = None,
    ) -> None:
        self._cache_path = cache
        self._run_count = 0
        self._anonymous_count = 0
        arguments: Arguments = {
            "dialect": dialect,
            "node": node,
            "facts": facts,
            "trusted": trusted,
            "environment": environment,
            "exported": exported,
            "classification": classification,
            "modulepath": tuple(modulepath),
            "data": data,
            "hiera_config": hiera_config,
            "strict": strict,
            "strict_variables": strict_variables,
            "interactive": interactive,
            "permissions": permissions,
            "limits": limits,
            "recorded": recorded,
            "allowed": allowed,
        }
        # A method of this object would be a cycle: the catalogs would outlive the session until garbage is collected.
        self._history = History(arguments, partial(open_timeline, cache))

    # --- inputs, which `enter` begins and `finish` ends

    def enter(self, cell_id: str | None, sent: Sequence[str] = (), *, is_command: bool = False) -> str:
        """Begin an input, be it code or a command, and return its key; see `History.begin_input`."""
        key = cell_id or self._make_key()
        self._history.begin_input(key, sent, is_command=is_command)
        return key

    def finish(self, key: str, failed: bool) -> Changes:
        """End an input that `enter` began; see `History.finish_input`."""
        with self.guard():
            return self._history.finish_input(key, failed)

    def _make_key(self) -> str:
        self._anonymous_count += 1
        return f"{ANONYMOUS}{self._anonymous_count}"

    def snapshot(self) -> Snapshot:
        """Return the document and the steps of undo, for `restore`."""
        return self._history.snapshot()

    def restore(self, snapshot: Snapshot) -> None:
        """Return to a snapshot that was taken before the running input: it was interrupted."""
        with self.guard():
            self._history.restore(snapshot)

    @contextmanager
    def view(self, key: str) -> Iterator[Sequence[Entry]]:
        """Show the program as it is above an input, for the duration of a `with` statement.

        Yields:
            The entries of cells whose display has changed because they were evaluated again.
        """
        with self.guard(), self._history.epochs.view(key) as updated:
            yield updated

    @property
    def runs_all(self) -> bool:
        """True while the front end runs all cells of the program, which it sent together."""
        return self._history.document.running.sent_all

    def position(self, key: str) -> int | None:
        """Return the position of an input in the document; None for a new one."""
        return self._history.document.find_position(key)

    def is_moved_by(self, key: str, sent: Sequence[str]) -> bool:
        """Return True if sending inputs together changes the code above one; see `enter`."""
        return self._history.document.is_moved_by(key, sent)

    def holds_code(self, key: str) -> bool:
        """Return True if the code of an input is part of the program."""
        document = self._history.document
        return document.find_position(key) is not None and document[key].cell is not None

    # --- programs

    @property
    def runtime(self) -> Runtime:
        """The program that runs."""
        return self._history.epochs.current.runtime

    def run(
        self, source: str, cell_id: str | None = None, *, name: str | None = None, number: int | None = None
    ) -> Outcome:
        """Run a cell as a transaction. Never raises: an error is part of the outcome.

        A cell that is known by its identity is replaced in its position; the cells below it are evaluated again, and
        those whose outcome differs are the outcome's `updated`. If the new text fails, the former one stays in force.
        Empty text withdraws the cell.

        Args:
            cell_id: the identity that the front end assigned; without it, the cell is the last one.
            name: the path of the file that the source was read from; messages name it.
            number: the number that the front end displays beside the cell; by default the number of cells that have
                run.
        """
        started = time.perf_counter()
        self._run_count += 1
        cell = Cell(cell_id or self._make_key(), source, self._run_count if number is None else number, name)
        with self.guard():
            try:
                changes = self._history.apply(Run(cell, self.watcher))
            except PuppetError as error:
                changes = Changes(Entry(cell, Evaluation(error=error), None))
            return changes.to_outcome(time.perf_counter() - started)

    def look(self, source: str) -> Outcome:
        """Evaluate code after all cells and roll it back: neither the cells nor the steps of undo change."""
        timeline = self._history.epochs.current
        with self.guard() as supervisor, timeline.runtime.hold_log():
            try:
                with timeline.running():
                    cell = Cell(ANONYMOUS, source, self._run_count)
                    evaluation = supervisor.run(lambda: timeline.evaluate_scratch(cell))
            except (Exception, KeyboardInterrupt) as problem:
                timeline.abandon()
                evaluation = Evaluation(error=timeline.make_stop_error(problem))
            outcome = Outcome(evaluation)
            if outcome.interrupted:
                supervisor.interrupt()  # what stopped one part of a larger operation must stop the rest of it
            elif outcome.error is not None:  # a further query for the same answer needs the memory
                stack_threads.wait_until_freed()
            return outcome

    def lookup(self, name: str, merge: str | Mapping[str, Any] | None = None) -> tuple[Outcome, LookupTrace]:
        """Look a name up in the data, as the function `lookup` does after all cells.

        A name without a value is no error: the value of the trace is MISSING then, and that of the outcome is undef.

        Args:
            merge: the strategy for merging the values of several levels; by default the options of the name in the data
                determine it.

        Returns:
            The outcome, and the trace of the lookup.
        """
        strategy = quote_double(merge) if isinstance(merge, str) else format_literal(merge or None)
        with lookup_trace.record_lookup(self.runtime, "") as trace:
            source = f"lookup({quote_double(name)}, {{ default_value => undef, merge => {strategy} }})"
            outcome = self.look(source)
        problem = outcome.error
        if problem is not None and problem.span is not None and problem.span.source.text == source:
            problem.span = None  # the call was generated, so it has no place
        return outcome, next(iter(trace.nested), lookup_trace.LookupTrace(name))

    def find_switches(self, source: str) -> list[tuple[str, ...]] | None:
        """Return the switches that change the result of code after all cells in the other dialect.

        Each group of switches, mostly a single one, causes the difference; there is none if the results are equal. None
        is returned if finding them takes too long or needs effects outside the session.
        """
        from evaluator.session import dialect_notes  # only users who compare dialects read them

        state = self._history.epochs.current.state
        with self.guard() as supervisor:
            try:
                return supervisor.run(
                    lambda: dialect_notes.find_switches(state, source), dialect_notes.REQUEST_WAITING
                )
            except Exception:
                return None

    def call_supervised(self, function: Callable[[], _T]) -> _T:
        """Return the result of a function that reads values of programs, within the limits.

        It runs no program, and can be interrupted. Raises what it raises, and KeyboardInterrupt, TimeoutError and
        MemoryError.
        """
        with self.guard() as supervisor:
            return supervisor.run(function)

    def guard(self) -> AbstractContextManager[Supervisor]:
        """Return the supervisor of an operation that runs several programs, or works around one.

        An interrupt that comes between two programs stops the next one, instead of the statements in between.
        """
        return make_supervisor(self.runtime.settings.limits)

    # --- edits of the history

    def _apply(self, edit: Edit) -> Changes:
        with self.guard():
            return self._history.apply(edit)

    def step(self, step: str, key: str | None = None) -> Changes:
        """Take a step, UNDO or REDO, and return its effect.

        Args:
            key: the input that takes the step; if it belongs to the notebook, the step affects the inputs above it.
        """
        return self._apply(Step(step, key))

    def undo(self, key: str | None = None) -> bool:
        """Take back the last edit; return False if there is none. See `step`."""
        return self.step(UNDO, key).cell is not None

    def redo(self, key: str | None = None) -> bool:
        """Make the edit again that was taken back last; return False if there is none."""
        return self.step(REDO, key).cell is not None

    def reset(self, key: str | None = None) -> None:
        """Begin again with nothing but the arguments and the manifests of the environment.

        Args:
            key: the input that resets the program; inputs above it stay above it.
        """
        if key is None:
            self._run_count = 0
        self._apply(Reset(key))

    def forget(self, cell_ids: Iterable[str]) -> Outcome:
        """Withdraw cells that were deleted, and evaluate those below them again.

        Raises PuppetError if that is stopped, and then nothing has changed.
        """
        started = time.perf_counter()
        changes = self._apply(Forget(frozenset(cell_ids)))
        return changes.to_outcome(time.perf_counter() - started)

    def configure(self, key: str, **arguments: Any) -> Changes:  # arguments of `Session`
        """Set arguments from an input on: what is below it runs with them, what is above is displayed as it was.

        Raises what `Session` raises for such arguments, and PuppetError if the evaluation is stopped; then nothing has
        changed.
        """
        return self._apply(Configure(key, arguments))

    def freeze(self, keys: Iterable[str], *, is_own: bool = False) -> None:
        """Freeze cells: no edit above runs them again; see `FrozenPart`."""
        self._history.document.frozen.freeze(keys, is_own=is_own)

    def thaw(self, keys: Iterable[str] | None = None) -> Changes:
        """Thaw cells, by default all. Edits that waited for them take effect.

        Raises PuppetError if that is stopped.
        """
        return self._apply(Thaw(None if keys is None else frozenset(keys)))

    @property
    def is_lazy(self) -> bool:
        """True while an edit makes the cells below stale instead of evaluating them again."""
        return self._history.epochs.is_lazy

    @is_lazy.setter
    def is_lazy(self, wanted: bool) -> None:
        self._history.epochs.is_lazy = wanted

    def refresh(self) -> Changes:
        """Evaluate all stale cells again. Raises PuppetError if it is stopped."""
        return self._apply(Refresh())

    # --- cells and their results

    @property
    def cells(self) -> list[Entry]:
        """The entries of the cells that make up the program, in order."""
        return list(self._history.epochs.current.entries)

    def cell(self, cell_id: str | None) -> Entry | None:
        """Return the entry of a cell, or None."""
        return self._history.epochs.current.find(cell_id)

    def displayed_cell(self, cell_id: str | None) -> Entry | None:
        """Return the entry of a cell as it is displayed: with the arguments that hold there."""
        return self._history.epochs.find_displayed_entry(cell_id)

    def cell_above(self, cell_id: str | None) -> Entry | None:
        """Return the last entry above an input, or the last one of all; see `Epochs.find_entry_before`."""
        return self._history.epochs.find_entry_before(cell_id)

    def list_cells(self, key: str) -> list[tuple[Entry, str]]:
        """Return the cells above an input with their states.

        A deleted cell is there while its deletion waits for a frozen cell, and so is one that failed when it was new,
        though it is no part of the program. Nothing is evaluated.
        """
        return self._history.epochs.list_cells(key)

    def find_hidden_pending(self, key: str, outcome: Outcome) -> list[str]:
        """Return the pending references of an outcome that its cell does not display.

        They are displayed above, or have been declared since.
        """
        return self._history.epochs.find_hidden_pending(key, outcome)

    @property
    def beginning(self) -> Outcome | None:
        """The outcome of the environment's manifests; None without an environment."""
        evaluation = self._history.epochs.current.beginning
        return None if evaluation is None else Outcome(evaluation)

    def catalog(self) -> Any:  # an ExportableCatalog
        """Return the catalog that `puppet apply` would compile from the cells joined in order.

        Raises the error of the environment's manifests.
        """
        self._history.epochs.current.raise_beginning_error()
        return self._history.epochs.current.state.fixed_point().state.catalog.to_released_order()

    def loaded(self) -> list[str]:
        """Return the paths of the files of modules that the program has read."""
        return list(self.runtime.state.definitions.loaded)

    def may_read(self, path: str) -> bool:
        """Return True for a path that programs may read, whether a file exists there or not."""
        return sandbox.is_readable(self.runtime.settings, path)

    # --- settings

    @property
    def arguments(self) -> Arguments:
        """The keyword arguments under which the program runs, without the folder of the cache."""
        return self._history.epochs.arguments

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
    def environment(self) -> str | EnvironmentDirectory:
        """The environment that a directory describes; without one, its name."""
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
        """The resources of other nodes; None without a store."""
        store = self.runtime.settings.store
        return None if store is None else store.resources

    @property
    def permissions(self) -> tuple[str, ...]:
        """The permissions beyond those that each session has."""
        return self.runtime.settings.permissions

    @property
    def limits(self) -> Mapping[str, float | str]:
        """The amounts of all limits by name; see `evaluator.limits`. They can be set between cells."""
        return self.runtime.settings.limits

    @limits.setter
    def limits(self, wanted: Mapping[str, float | str]) -> None:
        amounts = collect_amounts(wanted)
        self._history.epochs.set_argument("limits", amounts)
        for timeline in self._history.epochs.list_timelines():
            timeline.runtime.settings = timeline.runtime.settings.replace(limits=amounts)

    @property
    def on_replay(self) -> Callable[[ReplayStep], bool] | None:
        """The receiver of the steps of a long replay: the cell that ran, then those below.

        It returns False to set the rest aside until the next input.
        """
        return self._history.epochs.on_replay

    @on_replay.setter
    def on_replay(self, receiver: Callable[[ReplayStep], bool] | None) -> None:
        self._history.epochs.on_replay = receiver

    @property
    def on_log(self) -> Callable[[Log], None] | None:
        """Called with each log line as it is written."""
        return self._history.epochs.on_log

    @on_log.setter
    def on_log(self, receiver: Callable[[Log], None] | None) -> None:
        self._history.epochs.on_log = receiver
        for timeline in self._history.epochs.list_timelines():
            timeline.runtime.on_log = receiver

    # --- other sessions and nodes

    # Any: arguments of `Session`
    def with_arguments(self, *, cells: int | None = None, **changed: Any) -> Session:
        """Return another session with other arguments in which the same cells ran; those that fail are left out.

        Args:
            cells: the number of cells; by default all.

        Raises:
            KeyboardInterrupt: a user stopped it.
        """
        session = Session(**{**self.arguments, "cache": self._cache_path, **changed})
        for entry in self.cells[:cells]:
            outcome = session.run(entry.source, entry.cell_id, number=entry.number)
            if outcome.interrupted:
                raise KeyboardInterrupt
        return session

    def fleet(
        self,
        facts: Mapping[str, Mapping[str, Any] | str],
        executor: Executor | None = None,
        *,
        on_progress: Callable[[Fleet], None] | None = None,
        certname: str | None = None,
        sources: Iterable[str] = (),
    ) -> Fleet:
        """Compile the program for many nodes. Cells that fail here are left out.

        Args:
            facts: node -> its facts, or the name of a bundled set.
            executor: any `concurrent.futures.Executor`; by default processes of this machine.
            on_progress: called several times a second with the Fleet compiled so far; an exception that it raises ends
                the work.
            certname: the certname of all nodes, if they are one node with different facts.
            sources: programs that follow the cells and that have not run in this session.

        Returns:
            A Fleet with `.catalogs`, `.errors`, `.seconds` and `.table()`.

        Raises:
            ValueError: a set of facts with this name does not exist.
        """
        from evaluator.session.fleet_program import compile_cells  # most sessions have one node

        entries = [entry for entry in self.cells if entry.evaluation.error is None]
        cells = [entry.cell for entry in entries]
        cells += [
            Cell(f"{ANONYMOUS}{number}", one, number) for number, one in enumerate(sources, len(cells) + 1)
        ]
        cache = open_cache(self.runtime.settings, self._cache_path)
        path = None if cache is None else cache.path
        return compile_cells(self.runtime.settings, path, cells, facts, executor, on_progress, certname)

    # --- assistance while users type

    def status(self, source: str) -> Status:
        """Return whether an input is "complete", "incomplete" or "invalid" (`.kind`), and the next `.indent`."""
        return find_status(source, self.runtime.dialect)

    @property
    def assistant(self) -> assistance.Assistant:
        """Completion, inspection and explanation."""
        return assistance.Assistant(self)

    def complete(self, source: str, cursor: int) -> assistance.Completions:
        """Return the candidates for the word at the cursor."""
        return self.assistant.complete(source, cursor)

    def inspect(self, source: str, cursor: int) -> assistance.Card | None:
        """Return a card about the name at the cursor, or None."""
        return self.assistant.inspect(source, cursor)
