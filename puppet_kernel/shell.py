"""What the terminal and the notebook share: an input is Puppet code, a command or a question.

`Shell.submit` takes any of them and gives a `Reply`, which the front end draws.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from evaluator import Session, catalog, issues
from evaluator.assistance.completion import Completions
from evaluator.session.order import Place
from evaluator.session.worker import Supervisor
from lexer_parser.errors import PuppetError
from lexer_parser.source import Source
from puppet_kernel.commands import dispatch
from puppet_kernel.commands.command import CommandTable
from puppet_kernel.commands.inputs import Input, expand_plain_words
from puppet_kernel.commands.table import COMMANDS
from puppet_kernel.exercises.progress import Progress
from puppet_kernel.remedies import PROMPT, Remedies
from puppet_kernel.rendering import catalogs, problems, views
from puppet_kernel.rendering.elements import Element, Group, Note
from puppet_kernel.rendering.literals import duration
from puppet_kernel.replies import Reply, make_failure_note, make_internal_error
from puppet_kernel.stages import Stages

LOOK_SECONDS = 2.0  # so long what helps a person who types may take
_T = TypeVar("_T")


class Shell:
    """A session with its commands.

    settings   the keyword arguments of its Session
    width      gives the columns that there are to draw in
    with_type  show a value's type beside it
    commands   what inputs that begin with the mark of a command can ask for
    ways       how a session is given what an error says is needed
    guarded    commands read only what programs may read: inputs come from a file that somebody else may have written
    """

    def __init__(
        self,
        settings: dict[str, Any],
        *,
        width: Callable[[], int] = lambda: 100,
        with_type: bool = False,
        commands: CommandTable = COMMANDS,
        ways: Remedies = PROMPT,
        guarded: bool = False,
    ) -> None:
        self.width = width
        self.with_type = with_type
        self.commands = commands
        self.ways = ways
        self.guarded = guarded
        self.on_log: Callable[[Any], None] | None = None
        self.cell_id: str | None = None  # of the input that a command takes code from
        self._number: int | None = None  # of the input that runs
        self._pending_logs: list[Any] = []  # log lines of an environment's manifests
        self.progress = Progress()
        self.debugger: Any = None  # a Debugger, once a person wants one
        self.debug_console: Any = None  # whom a program that is stopped asks, see `debugging.dialog`
        self._trusted = settings.get("environment")
        self.stages = Stages(settings, self._open_session)
        self.position = self.stages.enter(None)  # of the input that runs
        self._pending_logs = _beginning_logs(self.session)

    @property
    def session(self) -> Session:
        """The session as the input that runs sees it."""
        return self.stages.session

    @property
    def settings(self) -> dict[str, Any]:
        """The keyword arguments of the session."""
        return self.stages.settings

    def _open_session(self, settings: dict[str, Any]) -> Session:
        session = self._make_session(settings)
        session.on_log = self._log
        session.watcher = self
        return session

    @property
    def watches(self) -> bool:
        """Whether programs run under a debugger just now."""
        return self.debugger is not None and bool(self.debugger.watches)

    def watch(self, work: Callable[[], None]) -> None:
        """Calls what runs a cell, under the debugger."""
        self.debugger.watch(work)

    def _write_pending_logs(self) -> None:
        while self._pending_logs:
            self._log(self._pending_logs.pop(0))

    def _log(self, entry: Any) -> None:
        if self.on_log is not None:
            self.on_log(entry)

    # --- running

    def guard(self) -> Supervisor:
        """While it lasts, an interrupt stops what runs under it, or else what runs next; nothing is half done."""
        return self.session.guard()

    def submit_and_render(
        self,
        source: str,
        render: Callable[[Reply], _T],
        cell_id: str | None = None,
        number: int | None = None,
    ) -> _T:
        """Runs an input and draws its reply, as one: what is interrupted in either has not happened.

        A reply that cannot be drawn shows less.
        """
        with self.guard() as guard:
            session, before = self.session, self.session.cells
            reply = self._submit(source, cell_id, number, lambda reply: reply)
            try:
                return guard.run(lambda: render(reply.render(lambda draw: draw())))
            except KeyboardInterrupt:
                reply = self._roll_back_interrupted(session, before, source)
            except Exception as problem:
                reply = Reply(
                    make_failure_note(problem),
                    error=reply.error,
                    is_value=reply.is_value,
                    updated=reply.updated,
                )
            return render(reply)

    def submit(self, source: str, cell_id: str | None = None, number: int | None = None) -> Reply:
        """Runs an input, beside which a number is shown. Raises nothing: a mistake of our own becomes an error too."""
        return self._submit(source, cell_id, number, lambda reply: reply.render(self._draw))

    def _submit(
        self, source: str, cell_id: str | None, number: int | None, finish: Callable[[Reply], Reply]
    ) -> Reply:
        """What an input gives; `finish` gets a reply to code that is not drawn yet."""
        self._number = number
        with self.guard():
            session, before = self.session, self.session.cells
            try:
                self._write_pending_logs()
                place = self.position = self.stages.enter(cell_id)
                given = self._parse_input(expand_plain_words(source))
                if given.directives:
                    reply = self._run_commands(given, cell_id, place)
                elif source.strip():
                    reply = self.evaluate(source, cell_id)
                else:
                    reply = self.withdraw(cell_id)
                reply.updated = [*reply.updated, *self.stages.close(place)]
                return finish(reply)
            except PuppetError as problem:
                return self._reply_to_error(problem, source)
            except KeyboardInterrupt:
                return self._roll_back_interrupted(session, before, source)
            except Exception as problem:
                return self._reply_to_error(make_internal_error(problem), source)

    def _roll_back_interrupted(self, session: Session, before: list[Any], source: str) -> Reply:
        """What an input gives that was interrupted when its cell had been kept: the cell is taken back."""
        if self.session is session and session.cells != before:
            session.restore(before)
            self.stages.leave(self.position)
        return self._reply_to_error(issues.error("INTERRUPTED"), source)

    def supervise(self, function: Callable[[], _T]) -> _T:
        """What a function gives that runs where it can be interrupted and is limited; raises what it raises."""
        return self.session.supervised(function)

    def supervise_briefly(self, function: Callable[[], _T]) -> _T:
        """`supervise` for what helps a person who types: TimeoutError when it takes long."""
        with self.guard() as guard:
            return guard.run(function, LOOK_SECONDS)

    def look(self, source: str) -> Reply:
        """The value of Puppet code that leaves no trace."""
        outcome = self.session.look(source)
        if outcome.error is not None:
            return self._reply_to_error(outcome.error, source)
        return Reply(self._draw(lambda: self.show_outcome(outcome)), is_value=True)

    def _draw(self, draw: Callable[[], Element | None]) -> Element | None:
        """What an evaluated cell looks like; a note when that cannot be drawn, since the cell has happened."""
        try:
            return self.supervise(draw)
        except Exception as problem:
            return make_failure_note(problem)

    def _parse_input(self, source: str) -> Input:
        return Input(source, self.commands.takes_code)

    def code_of(self, source: str) -> str:
        """The Puppet code in an input, with blanks where commands stand."""
        return self._parse_input(expand_plain_words(source)).code

    def _run_commands(self, given: Input, cell_id: str | None, place: Place) -> Reply:
        """Does what the commands of an input say, then runs its code; stops at the first error."""
        words = [directive.text[1:].split() for directive in given.directives]
        runs = given.has_code and not given.taken
        stays = runs or any(self.commands.runs_code(name) for name, *_ in filter(None, words))
        reply = Reply() if stays else self.withdraw(cell_id)
        for directive in given.directives:
            if self.commands.is_immediate(directive.text):
                answer = dispatch.dispatch(self, directive.text, given.code, cell_id)
            else:
                with self.stages.seen_from(place) as updated:
                    answer = dispatch.dispatch(self, directive.text, given.code, cell_id)
                answer.updated = [*answer.updated, *updated]
            reply = reply.combine(answer.render(self._draw))
        if runs and not reply.error:
            reply = reply.combine(self.evaluate(given.code, cell_id).render(self._draw))
        place.holds = place.holds or not (reply.error or reply.unresolved)
        return reply

    def evaluate(
        self, source: str, cell_id: str | None = None, *, timed: bool = False, name: str | None = None
    ) -> Reply:
        """Runs Puppet code, or what was read from a file; what it gives is still to be drawn."""
        outcome = self._run(source, cell_id, name)
        self.progress.record(source, outcome, cell_id)
        if outcome.error is not None:
            failed = self._reply_to_error(outcome.error, source)
            failed.updated = outcome.updated
            return failed

        def draw() -> Element | None:
            shown = self.show_outcome(outcome, self.pending_before(cell_id))
            if not timed:
                return shown
            seconds = Note("hint", f"{duration(outcome.seconds)}")
            return seconds if shown is None else Group(shown, seconds)

        return Reply(is_value=True, updated=outcome.updated, draw=draw)

    def pending_before(self, cell_id: str | None) -> Sequence[Any]:
        """What was pending after the cell before the one of an identity, or before the last: that is told once."""
        before = self.stages.home(cell_id).before(cell_id)
        return list(map(str, before.outcome.pending)) if before is not None else ()

    def withdraw(self, cell_id: str | None) -> Reply:
        """A cell holds no code any more: what it gave goes, and what stands after it is evaluated again."""
        if self.session.cell(cell_id) is None:
            return Reply()
        outcome = self._run("", cell_id)
        if outcome.error is not None:
            return self._reply_to_error(outcome.error, "")
        return Reply(updated=outcome.updated)

    def _reply_to_error(self, problem: PuppetError, source: str) -> Reply:
        def names(place: Source) -> str | None:
            return self._cell_name(place, source)

        return Reply(problems.error(problem, names, ways=self.ways), error=problem)

    def _cell_name(self, place: Source, source: str) -> str | None:
        """What to call the source of a place: "cell [3]"; None for the input itself."""
        return f"cell {place.label}" if place.label and place.text != source else None

    def show_outcome(self, outcome: Any, told: Sequence[Any] = ()) -> Element | None:
        """What the outcome of a cell looks like; None when there is nothing to see."""
        if outcome.error is not None:
            return problems.error(outcome.error, ways=self.ways)
        defined = [f"{kind} {name}" for kind, name in outcome.defined]
        return views.result(
            outcome, self.width(), with_type=self.with_type, defined=defined, told=told, ways=self.ways
        )

    def _run(self, source: str, cell_id: str | None, name: str | None = None) -> Any:
        """The outcome of code."""
        return self.stages.run(
            self.position, lambda session: session.run(source, cell_id, name=name, number=self._number)
        )

    def forget(self, cell_ids: list[str]) -> Sequence[Any]:
        """Withdraws inputs that a person deleted; gives the cells that changed with that. Raises what stops it."""
        return self.stages.forget(cell_ids)

    def reset(self) -> None:
        """Starts again with nothing but the settings."""
        self.stages.reset(self.position)

    def _make_session(self, settings: dict[str, Any]) -> Session:
        """A session; an environment that a command has named leads only where programs may read."""
        named = settings.get("environment") != self._trusted
        return Session(**settings, interactive=True, allowed=self.can_read if named else None)

    def fork_session(self, *, cells: int | None = None, **changed: Any) -> Session:
        """Another session, with other settings, in which the same cells ran; those that fail there are left out.

        cells  how many of them, by default all
        """
        session = self._make_session({**self.settings, **changed})
        for cell in self.session.cells[:cells]:
            outcome = session.run(cell.source, cell.cell_id, number=cell.number)
            if outcome.interrupted:
                raise KeyboardInterrupt
        return session

    def reconfigure(self, **changed: Any) -> Element:
        """A new session with other settings in which the cells so far run again; tells what came of it.

        Nothing changes when the settings mean nothing, ValueError or PuppetError is raised then, and when it is
        interrupted.
        """
        settings = {**self.settings, **changed}
        session = self._open_session(settings)
        if session.beginning is not None and session.beginning.error is not None:
            raise session.beginning.error
        for line in _beginning_logs(session):
            self._log(line)
        shown = self._replay(self.session, session)
        self.stages.turn(changed, session)
        return shown

    def can_read(self, path: str) -> bool:
        """True for a path that a command may lead to: in a notebook, where its programs may read."""
        return not self.guarded or self.session.may_read(path)

    def can_write(self) -> bool:
        """True when a command may write a file: in a notebook, where files are permitted at all."""
        return not self.guarded or "files" in self.settings.get("permissions", ())

    def set_limit(self, name: str, amount: Any) -> None:
        """Sets a limit for the inputs to come. Raises ValueError."""
        limits = {**self.session.limits, name: amount}
        self.session.limits = limits
        self.stages.amend(limits=limits)

    def _replay(self, old: Session, new: Session) -> Element:
        """Runs the cells of a session in another one; tells what came of it."""
        new.become(old.cells)
        failed = [
            Note("warning", f"cell {cell.label} is left out: {cell.outcome.error}", "warning")
            for cell in new.cells
            if cell.outcome.error is not None
        ]
        count = len(old.cells) - len(failed)
        told = (
            f"{count} {'cell' if count == 1 else 'cells'} run again" if old.cells else "nothing to run again"
        )
        one, other = old.catalog(), new.catalog()

        def draw() -> Element | None:
            changed = catalog.compare_catalogs(one, other)
            return catalogs.change(changed, self.width()) if changed else None

        shown = self.supervise(draw)
        return Group(Note("hint", told), *failed, *([shown] if shown is not None else []))

    def status(self, source: str) -> Any:
        """Whether an input is complete (`.kind`) and the indent of the next line (`.indent`)."""
        given = self._parse_input(source)
        if given.directives and not given.has_code:
            return _Complete
        return self.session.status(given.code)

    def complete(self, source: str, cursor: int) -> Any:
        """Completions of code, and of commands and their arguments."""
        given = self._parse_input(source)
        directive = given.at(cursor)
        if directive is None:
            return self.session.complete(given.code, cursor)
        found = dispatch.complete(self, source[directive.start : cursor], cursor - directive.start)
        return Completions(found.start + directive.start, found.end + directive.start, found.items)

    def inspect(self, source: str, cursor: int) -> Any:
        """The card of the name at the cursor, or None."""
        given = self._parse_input(source)
        directive = given.at(cursor)
        if directive is None:
            return self.session.inspect(given.code, cursor)
        return dispatch.inspect(self, directive.text)


class _Complete:
    """The status of an input that needs nothing more."""

    kind = "complete"
    indent = ""


def _beginning_logs(session: Session) -> list[Any]:
    """The log lines of the manifests of an environment."""
    return [] if session.beginning is None else list(session.beginning.logs)
