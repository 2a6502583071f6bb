"""The session: a program that grows cell by cell. The only object that kernel, REPL and tests talk to.

A cell has two parts. Its statements are evaluated after those of the cells before it. What Puppet evaluates late
(define bodies, node blocks, collectors, overrides, relationships) is settled on a second state, from which the catalog
is shown; the next cell starts from the first. When either part fails, what the cell has made is taken off again.

A cell keeps its place, the one where it first ran: when it runs again, what stands after it is evaluated again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from os import PathLike
from typing import TYPE_CHECKING, Any, TypeVar

from evaluator import catalog, issues
from evaluator.facts import facts_for
from evaluator.facts.shapes import trusted_for
from evaluator.limits import OUTPUT, amounts
from evaluator.program import lookup_trace, source_cache
from evaluator.program.lookup_trace import LookupTrace
from evaluator.program.settings import check_permissions as permitted
from evaluator.running.runtime import Runtime
from evaluator.session import hands, worker
from evaluator.session.asked import Asked
from evaluator.session.caching import cache_for
from evaluator.session.cells import Cell, Outcome
from evaluator.session.evaluation import beginning, evaluate
from evaluator.session.explaining import explained
from evaluator.session.given import settings_of
from evaluator.session.order import Order, Place
from evaluator.session.program import Branch, Program
from evaluator.session.steps import Stepping
from evaluator.session.world import World
from evaluator.values import literal
from evaluator.values.printing import double_quoted
from lexer_parser.errors import Note

if TYPE_CHECKING:
    from evaluator.program.protocols import Watcher
    from evaluator.session.rerun import Followed

_T = TypeVar("_T")


def _remarks() -> Any:
    from evaluator.session import remarks  # only who types is told

    return remarks


def _rerun() -> Any:
    from evaluator.session import rerun  # most cells are the last one

    return rerun


class Session(Asked, Stepping):
    """An incremental Puppet program.

    dialect           "spec" (the language of the specification) or "puppet" (as released)
    node              the certname to compile for
    facts             a mapping, the name of a bundled fact set, or None for a small neutral set
    trusted           a mapping that replaces or adds to `$trusted`: the node's certname, hostname and domain
    environment       a directory with environment.conf, manifests, modules and hiera.yaml; its manifests run first
    exported          what is known of other nodes: rows of PuppetDB or catalogs; see `evaluator.catalog.store`
    classification    what a classifier says of the node: a mapping with `classes` (names, or names with their
                      parameters), `parameters` (variables of the top scope) and `environment` (its name)
    modulepath        directories that hold modules; in an environment, its `$basemodulepath`
    data              Hiera data of one common layer;  hiera_config  path of a hiera.yaml
    strict            "off", "warning" or "error";  strict_variables  unknown variables are errors
    interactive       statements without effect are allowed, and references to what is not declared yet are notes
    permissions       what is off unless it is named: "files" (outside the module path and working folder),
                      "generate" (running programs), "templates" (ERB, which is Ruby code), "ruby" (functions and
                      data backends that modules have in Ruby)
    limits            amounts that are not the defaults, by name: `{"max_resources": 1000}`; see `evaluator.limits`
    recorded          of each attribute of a resource it is kept where its value came from; see `catalog.provenance`
    cache             a folder of the user's in which it is kept for other processes what modules were compiled to
    allowed           tells of a path whether `environment` may lead there, for directories that a program names
    on_log            set to be called with each Log while a program runs
    watcher           set to watch what runs a cell, see `evaluator.debugger`
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
        exported: Any = None,
        classification: Mapping[str, Any] | None = None,
        modulepath: Any = (),
        data: Mapping[str, Any] | None = None,
        hiera_config: str | None = None,
        strict: str = "warning",
        strict_variables: bool | str = False,
        interactive: bool = False,
        permissions: Any = (),
        limits: Mapping[str, float] | None = None,
        recorded: bool = False,
        cache: str | None = None,
        allowed: Callable[[str], bool] | None = None,
    ) -> None:
        settings = settings_of(
            *(dialect, environment, tuple(map(str, modulepath)), classification, allowed),
            node=node,
            facts=facts_for(facts, node),
            trusted=trusted_for(trusted, node),
            data=data,
            hiera_config=hiera_config,
            strict=strict,
            strict_variables=strict_variables in (True, "true"),
            interactive=interactive,
            permissions=permitted(permissions),
            limits=amounts(limits),
            store=None if exported is None else catalog.read_store(exported),
            recorded=recorded,
        )
        self._cache = cache_for(settings, cache)
        self.runtime = Runtime(settings)
        self.limits = settings.limits
        self.step = None
        self.beginning = None
        self.reset()

    def enter(self, cell_id: str | None) -> Place:
        """The place of an input that runs now, be it code or not; see `Order`."""
        return self.order.enter(cell_id, self._program.rank)

    # --- running

    def guard(self) -> worker.Supervisor:
        """Runs what belongs to a cell and is no part of its program: within the limits, and where it can be stopped."""
        return worker.supervisor(self.runtime.settings.limits)

    def run(
        self, source: str, cell_id: str | None = None, *, name: str | None = None, number: int | None = None
    ) -> Outcome:
        """Runs a cell, whole or not at all. Never raises: what went wrong is the outcome's `error`.

        name    the path of the file that the source was read from; messages tell it
        number  what the front end shows beside the cell, by default how many have run
        A cell that is known by its identity gets a new text: what stands after it is evaluated again, and those of
        these cells that give something else now are the outcome's `updated`. When the new text fails, the former one
        stays. Empty text withdraws what the cell gave.
        """
        with self.guard() as supervisor:
            self._runs += 1
            cell = Cell(source, cell_id, self._runs if number is None else number, name)
            if self.beginning is not None and self.beginning.error is not None:
                self._begin(supervisor)  # somebody may have mended the manifests
                if self.beginning.error is not None:
                    cell.fail(self.beginning.error)
                    return cell.outcome
            place = self.enter(cell_id)
            cell.rank = place.rank
            cell.manner = self.runtime.settings
            back, different = self._recover(cell, supervisor)
            if cell.outcome.error is not None:
                return cell.outcome
            known = self._program.find(cell_id)
            if known is not None and known.stands_for(cell) and not (self.watcher and self.watcher.watches):
                outcome = self._shown_again(known, cell)
            else:
                outcome = self._run(cell, known, supervisor)
                if outcome.error is None:
                    self.order.keep(place, known is None)
                    known = cell
            place.give(known if known is not None and known.source else None)
            if not different:
                return outcome
            updated = {one.rank: one for one in (*different, *outcome.updated)}
            return outcome.told(list(updated.values()), back)

    def _shown_again(self, known: Cell, cell: Cell) -> Outcome:
        """The same text gives the same again."""
        self.step = None
        known.call(cell.number)
        for line in known.outcome.logs:
            if self.on_log is not None:
                self.on_log(line)
        return known.outcome

    def _run(self, cell: Cell, known: Cell | None, supervisor: worker.Supervisor) -> Outcome:
        started, begun = time.perf_counter(), time.process_time()
        self.runtime.used_permission, manner = False, self.runtime.transient_state
        former = self._program.take_off(self._program.index(cell.rank))
        later = former.cells if known is None else former.cells[1:]
        cells: list[Cell] = []
        different: list[Cell] = []

        def work() -> None:
            hinted = supervisor.run(lambda: self._try(cell, begun))
            if self.runtime.settings.interactive:
                _remarks().add(self._program.world, cell, supervisor.run, hinted)
                self.runtime.transient_state = manner
            if cell.outcome.error is None:
                cells.append(cell)
                if later:
                    follow = partial(_rerun().follow, self._program, [cell], later)
                    again, changed = supervisor.run(follow)
                    cells.extend(again)
                    different.extend(changed)

        self._guarded(cell, supervisor, work)
        self._keep(cell, cells, former, known)
        outcome = cell.outcome
        outcome.room = int(OUTPUT.value)
        outcome.seconds = time.perf_counter() - started
        if not different:
            return outcome
        end = self.order.reach(cell.rank, known is None)
        return outcome.told(different, (one for one in cells[1:] if one.rank < end))

    def _guarded(self, cell: Cell, supervisor: worker.Supervisor, work: Callable[[], None]) -> None:
        """Does work for a cell: what stops it is the cell's error, and nothing else of it stays with the runtime."""
        runtime, manner = self.runtime, self.runtime.transient_state
        if runtime.on_log is not None:
            runtime.on_log = supervisor.shielded(runtime.on_log)
        try:
            with source_cache.using(self._cache, runtime.on_log):
                work()
        except KeyboardInterrupt:
            cell.fail(issues.error("INTERRUPTED"))
        except Exception as exception:
            cell.fail(explained(exception, runtime))
        runtime.transient_state = manner
        runtime.end_companions()

    def _attempt(self, cell: Cell, read: Any = None, watcher: Watcher | None = None) -> None:
        """Evaluates a cell after those of the program; or it has its error, and nothing is there of it."""
        world = self._program.world
        try:
            evaluate(world, cell, read, watcher)
        except Exception as exception:
            from evaluator.session.naming import attributed  # most programs have no error

            cell.fail(attributed(explained(exception, self.runtime), self._program, [], cell))
            if cell.moment is not None:
                world.drop(cell.moment)

    def _try(self, cell: Cell, begun: float) -> bool:
        """Evaluates a cell, and finds the hints for it where that takes no time; true when it has."""
        self._attempt(cell, watcher=self.watcher)
        cell.spent = time.process_time() - begun
        return self.runtime.settings.interactive and _remarks().add_quickly(self._program.world, cell)

    def _keep(self, cell: Cell, cells: list[Cell], former: Branch, known: Cell | None) -> None:
        """The cells that have been evaluated take their place; or, when there are none, the former ones theirs."""
        error = cell.outcome.error
        if error is None:
            cell.settle()
            self._program.exchange(former, cells)
            self.step = cell
            return
        if cell.moment is not None:
            self._program.world.drop(cell.moment)
            cell.settle()
        self._program.put_on(former)
        if known is not None:
            known.call(cell.number)
            error.notes = (*error.notes, Note("the former version of this cell stays in force"))

    def supervised(self, function: Callable[[], _T]) -> _T:
        """What a function gives that looks at values of programs, where it is limited and can be stopped.

        It runs no program. Raises what it raises, and KeyboardInterrupt, TimeoutError and MemoryError.
        """
        with self.guard() as supervisor:
            return supervisor.run(function)

    def look(self, source: str) -> Outcome:
        """Evaluates code after all cells and takes back what it made: neither cells nor what can be undone change."""
        with self.guard() as supervisor:
            cell = Cell(source, None, self._runs)
            cell.manner = self.runtime.settings
            receiver, self.on_log = self.on_log, None
            self._guarded(cell, supervisor, lambda: supervisor.run(lambda: self._attempt(cell)))
            self.on_log = receiver
            if cell.moment is not None:
                self._program.world.drop(cell.moment)
                cell.settle()
            if cell.outcome.interrupted:
                supervisor.pass_on()
            elif cell.outcome.error is not None:  # more may be looked at for one answer
                hands.settle()
            return cell.outcome

    def switches(self, source: str) -> list[tuple[str, ...]] | None:
        """The switches of the dialects that make code after all cells give something else in the other dialect.

        Each of the groups does it; there is none where the code gives the same. None where they are not found: in time,
        or without asking the outside.
        """
        with self.guard() as supervisor:
            found: list[tuple[str, ...]] | None = _remarks().switches(
                self._program.world, source, supervisor.run
            )
            return found

    def lookup(self, name: str, merge: str | Mapping[str, Any] | None = None) -> tuple[Outcome, LookupTrace]:
        """Looks a name up in the data, as the function `lookup` does after all cells, and gives an account of it.

        merge  how the values of several levels become one; by default the options of the name in the data decide
        A name without a value is no error: the account's `value` is MISSING then, and that of the outcome is undef.
        """
        strategy = double_quoted(merge) if isinstance(merge, str) else literal(merge or None)
        with lookup_trace.recording(self.runtime, "") as told:
            source = f"lookup({double_quoted(name)}, {{ default_value => undef, merge => {strategy} }})"
            outcome = self.look(source)
        problem = outcome.error
        if problem is not None and problem.span is not None and problem.span.source.text == source:
            problem.span = None  # nobody has written this call
        return outcome, next(iter(told.nested), LookupTrace(name))

    # --- the session as a whole

    def reset(self) -> None:
        """Starts again with nothing but the facts, and what the manifests of the environment give."""
        self._runs = 0
        self.order = Order()
        self.step = None
        self._program = Program(World(self.runtime))
        if (self.runtime.settings.directory, self.runtime.settings.classification) != (None, None):
            with self.guard() as supervisor:
                self._begin(supervisor)

    def _begin(self, supervisor: worker.Supervisor) -> None:
        """Evaluates the manifests of the environment; or there is an error, and nothing of them."""
        cell = Cell("", None, 0)
        self._guarded(cell, supervisor, lambda: supervisor.run(lambda: self._attempt(cell, beginning)))
        if cell.outcome.error is not None and cell.moment is not None:
            self._program.world.drop(cell.moment)
        cell.settle()
        self.beginning = cell.outcome

    def forget(self, cell_ids: Iterable[str]) -> Outcome:
        """Withdraws cells that were deleted from the notebook; what stood after them is evaluated again.

        The outcome's `updated` are those of them that give something else now. Raises what stops it, and then
        nothing has changed.
        """
        gone = set(cell_ids)
        self.order.forget(gone)
        return self.become([cell for cell in self._program.cells if cell.cell_id not in gone])

    def become(self, cells: Iterable[Cell]) -> Outcome:
        """Makes the program that of other cells, each in its place; one that fails there keeps it, with its error.

        Those that the program begins with stay as they are, what stands after them is evaluated. The outcome's
        `updated` are those that give something else than the cells that were given. Raises what stops it, and then
        nothing has changed.
        """
        program, wanted, outcome = self._program, list(cells), Outcome()
        index = program.shared(wanted)
        if index == len(wanted) == len(program.cells):
            return outcome
        replaced = program.cells[index:]
        with self.guard() as supervisor:
            again, different = _rerun().renew(program, index, wanted[index:], supervisor.run)
        self.step = next(iter(again or replaced), None)
        return outcome.told(different, again) if different else outcome

    def _recover(self, cell: Cell, supervisor: worker.Supervisor) -> Followed:
        """Cells before one that runs now come back; see `rerun.recover`. What stops that is the cell's error."""
        found: list[Followed] = []

        def work() -> None:
            found.append(_rerun().recover(self._program, cell.rank, supervisor.run))

        if self._program.ailing:
            self._guarded(cell, supervisor, work)
        return found[0] if found else ([], [])

    @contextmanager
    def until(self, rank: int) -> Iterator[None]:
        """While it lasts, the program is what stands up to a place in the order; see `Order`."""
        with self.guard(), self._program.until(rank):
            yield
