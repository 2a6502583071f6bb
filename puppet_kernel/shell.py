"""The part that the terminal and the notebook share: it runs commands, then Puppet code.

Shell.submit_and_render(source) ─→ commands, then code ─→ Session ─→ Reply ─→ the front end draws it

The reply to code is drawn after the program has run, because drawing a large value takes time, too: it runs under the
supervisor of the session, so that a limit or an interrupt can stop it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from evaluator import Session, assistance, catalog, issues
from evaluator.limits import LIMITS
from evaluator.program.log import Log
from evaluator.session.cell import Entry, Outcome
from evaluator.session.edits import ReplayStep, Snapshot
from lexer_parser.errors import PuppetError
from lexer_parser.parsing import Status
from lexer_parser.source import Source
from puppet_kernel.commands import dispatch
from puppet_kernel.commands.command import COMMANDS, CommandTable
from puppet_kernel.commands.inputs import ParsedInput, expand_plain_words
from puppet_kernel.exercises import Progress
from puppet_kernel.remedies import PROMPT, Remedies
from puppet_kernel.rendering import views
from puppet_kernel.rendering.elements import Element, Group, NoteElement
from puppet_kernel.rendering.escape import COLUMNS
from puppet_kernel.rendering.literals import format_count, format_duration
from puppet_kernel.replies import Reply, make_failure_note, make_internal_error, refuse_if

LOOK_SECONDS = 2.0  # the longest time that completion or inspection may take
_T = TypeVar("_T")


class Shell:
    """A session with its commands.

    Attributes:
        width: Returns the number of columns for drawing.
        with_type: True to show the type of a value beside it.
        commands: The commands that inputs may use.
        remedies: The remedies that this front end offers for errors.
        guarded: True if commands read only files that programs may read, because inputs come from a file that somebody
            else may have written.
        on_log: Receives each log line, or None.
        on_replay: Receives the steps of a long replay and returns False to postpone the rest of it; or None.
        input_key: The key of the running input in the session.
        has_code: True if the running input has code below its commands.
        cell_id: The identity of the cell that a command with code runs as.
        progress: The results of the exercises so far.
        debugger: The debugger; None before a user sets the first breakpoint.
        debug_console: The console on which a stopped program waits for a step, or None.
    """

    def __init__(
        self,
        settings: dict[str, Any],  # keyword arguments of `Session`
        *,
        width: Callable[[], int] = lambda: COLUMNS,
        with_type: bool = False,
        commands: CommandTable = COMMANDS,
        remedies: Remedies = PROMPT,
        guarded: bool = False,
    ) -> None:
        self.width = width
        self.with_type = with_type
        self.commands = commands
        self.remedies = remedies
        self.guarded = guarded
        self.on_log: Callable[[Log], None] | None = None
        self.on_replay: Callable[[ReplayStep], bool] | None = None
        self.cell_id: str | None = None
        self.input_key = ""
        self.has_code = False
        self._number: int | None = None  # the number that the front end displays beside the running input
        self.progress = Progress()
        self.debugger: Any = None  # a Debugger, which most sessions do not load
        self.debug_console: Any = None  # a console of the terminal or of the kernel
        self._own_environment = settings.get("environment")  # may be anywhere, since the user named it
        self.session = Session(**settings, interactive=True)
        # Inputs may only lower these, because a notebook from somebody else must not use more than its user permits.
        self._permitted_limits = self.session.limits
        # Messages of the environment's manifests, which run before a receiver is connected.
        self._early_logs = _collect_first_logs(self.session)
        self.session.on_log = self._log
        self.session.watcher = self

    @property
    def can_stop(self) -> bool:
        """True while programs run under a debugger."""
        return self.debugger is not None and bool(self.debugger.can_stop)

    def watch(self, run_cell: Callable[[], _T]) -> _T:
        """Return the result of a function that runs a cell, under the debugger."""
        result: _T = self.debugger.watch(run_cell)
        return result

    def _log(self, line: Log) -> None:
        if self.on_log is not None:
            self.on_log(line)

    # --- running

    def submit_and_render(
        self,
        source: str,
        render: Callable[[Reply], _T],
        cell_id: str | None = None,
        number: int | None = None,
        sent: Sequence[str] = (),
        before: Snapshot | None = None,
        *,
        is_frozen: bool = False,
    ) -> _T:
        """Run an input and draw its reply as one transaction, which an interrupt rolls back.

        A view that cannot be drawn is replaced by a note.

        Args:
            source: The input.
            render: Returns the reply in the form of the front end.
            cell_id: The identity of the cell, or None.
            number: The number that the front end displays beside the input.
            sent: The identities of all cells that the front end sent together with this one.
            before: The current snapshot, if it is known.
            is_frozen: True if edits above do not run the cell again.
        """
        with self.session.guard() as guard:
            before = before or self.session.snapshot()
            reply = self._submit(source, before, cell_id, number, sent, is_frozen)
            run = guard.call if reply.is_small else guard.run
            try:
                return run(lambda: render(reply.draw_view()))
            except KeyboardInterrupt:
                reply = self._roll_back(before, source)
            except Exception as problem:
                note = make_failure_note(problem)
                reply = Reply(note, error=reply.error, is_value=reply.is_value, updated=reply.updated)
            return render(reply)

    def submit(self, source: str, cell_id: str | None = None, number: int | None = None) -> Reply:
        """Run an input and return its reply, with its view. A defect of our own is a reply, too."""
        return self.submit_and_render(source, lambda reply: reply, cell_id, number)

    def _submit(
        self,
        source: str,
        before: Snapshot,
        cell_id: str | None,
        number: int | None,
        sent: Sequence[str],
        is_frozen: bool,
    ) -> Reply:
        """Run an input, and return its reply; the view of a value is not drawn yet."""
        self._number = number
        try:
            while self._early_logs:
                self._log(self._early_logs.pop(0))
            parsed = self._parse_input(expand_plain_words(source))
            key = self.input_key = self.session.enter(cell_id, sent, is_command=bool(parsed.directives))
            if sent and key == sent[0] and self.session.runs_all:
                self.session.limits = self._permitted_limits  # until a command lowers them again
            if is_frozen:
                self.session.freeze([key], is_own=True)
            self.session.on_replay = None if parsed.directives else self.on_replay
            if parsed.directives:
                reply = self._run_commands(parsed, key)
            elif source.strip():
                reply = self.evaluate(source, key)
            else:
                reply = self.withdraw(key)
            failed = reply.error is not None or reply.unresolved
            reply.updated = [*reply.updated, *self.session.finish(key, failed).updated]
            return reply
        except KeyboardInterrupt:
            return self._roll_back(before, source)
        except PuppetError as problem:
            reply = self._reply_to_error(problem, source)
        except Exception as problem:
            reply = self._reply_to_error(make_internal_error(problem), source)
        reply.updated = self.session.finish(self.input_key, failed=True).updated
        return reply

    def _roll_back(self, before: Snapshot, source: str) -> Reply:
        """Restore the session to a snapshot, and return the reply to an interrupted input."""
        self.session.restore(before)
        return self._reply_to_error(issues.make_error("INTERRUPTED"), source)

    def supervise_briefly(self, function: Callable[[], _T]) -> _T:
        """Return the result of a function for a user who types, or raise TimeoutError."""
        with self.session.guard() as guard:
            return guard.run(function, LOOK_SECONDS)

    def look(self, source: str) -> Reply:
        """Return the reply to Puppet code that is evaluated and leaves no trace."""
        outcome = self.session.look(source)
        if outcome.error is not None:
            return self._reply_to_error(outcome.error, source)
        return Reply(self._draw(lambda: self.show_outcome(outcome)), is_value=True)

    def _draw(self, draw: Callable[[], Element | None]) -> Element | None:
        """Return the view that a function draws under the supervisor; a note if it cannot."""
        try:
            return self.session.call_supervised(draw)
        except Exception as problem:
            return make_failure_note(problem)

    def _parse_input(self, source: str) -> ParsedInput:
        return ParsedInput(source, self.commands.takes_code)

    def code_of(self, source: str) -> str:
        """Return the Puppet code of an input, with blanks in place of commands."""
        return self._parse_input(expand_plain_words(source)).code

    def _run_commands(self, parsed: ParsedInput, key: str) -> Reply:
        """Run the commands of an input, then its code; stop at the first error."""
        words = [directive.text[1:].split() for directive in parsed.directives]
        has_code = self.has_code = parsed.has_code and not parsed.takes_code
        keeps_cell = has_code or any(self.commands.runs_code(name) for name, *_ in filter(None, words))
        reply = Reply() if keeps_cell else self.withdraw(key)  # the cell had code if the user has edited it
        for directive in parsed.directives:
            if self.commands.is_immediate(directive.text):
                answer = dispatch.dispatch(self, directive.text, parsed.code, key)
            else:
                with self.session.view(key) as updated:
                    answer = dispatch.dispatch(self, directive.text, parsed.code, key)
                    answer.draw_view(self._draw)
                    answer.updated = [*updated, *answer.updated]
            reply = reply.combine(answer.draw_view(self._draw))
        reply.updated = [entry for entry in reply.updated if entry.cell.key != key]  # its own code runs below
        if has_code and not reply.error:
            reply = reply.combine(self.evaluate(parsed.code, key).draw_view(self._draw))
        return reply

    def evaluate(
        self, source: str, cell_id: str | None = None, *, timed: bool = False, name: str | None = None
    ) -> Reply:
        """Run Puppet code, and return the reply, whose view is not drawn yet.

        Args:
            source: The code.
            cell_id: The identity of the cell; None for the running input.
            timed: True to show the time that it took.
            name: The path of the file from which the code was read.
        """
        key = cell_id or self.input_key
        outcome = self.session.run(source, key, name=name, number=self._number)
        self.progress.record(source, outcome, key)
        if outcome.error is not None:
            reply = self._reply_to_error(outcome.error, source)
            reply.updated = outcome.updated
            return reply

        def draw() -> Element | None:
            view = self.show_outcome(outcome, key)
            if not timed:
                return view
            seconds = NoteElement("hint", f"{format_duration(outcome.seconds)}")
            return seconds if view is None else Group(view, seconds)

        return Reply(is_value=True, updated=outcome.updated, draw=draw, is_small=_is_small(outcome))

    def withdraw(self, key: str) -> Reply:
        """Withdraw the code of an input that has none any more, and evaluate the cells below."""
        if not self.session.holds_code(key):
            return Reply()
        outcome = self.session.run("", key, number=self._number)
        if outcome.error is not None:
            return self._reply_to_error(outcome.error, "")
        return Reply(updated=outcome.updated)

    def _reply_to_error(self, problem: PuppetError, source: str) -> Reply:
        return Reply(self._describe_error(problem, source), error=problem)

    def _describe_error(self, problem: PuppetError, source: str) -> Element:
        """Return the view of an error; excerpts of other cells are named."""

        def name_source(place: Source) -> str | None:
            return f"cell {place.label}" if place.label and place.text != source else None

        return views.describe_error(problem, name_source, remedies=self.remedies)

    def show_outcome(self, outcome: Outcome, key: str | None = None) -> Element | None:
        """Return the view of the outcome of a cell; None if there is nothing to display.

        Args:
            outcome: The outcome.
            key: The key of the input, if it is part of the program.
        """
        if outcome.error is not None:
            entry = self.session.displayed_cell(key)
            return self._describe_error(outcome.error, "" if entry is None else entry.source)
        return views.describe_result(
            outcome,
            self.width(),
            with_type=self.with_type,
            defined=[f"{kind} {name}" for kind, name in outcome.defined],
            hidden=()
            if key is None or not outcome.pending
            else self.session.find_hidden_pending(key, outcome),
            remedies=self.remedies,
        )

    # --- edits of commands

    def forget(self, cell_ids: Sequence[str]) -> Sequence[Entry]:
        """Withdraw the inputs that a user deleted, and return the cells that differ now."""
        return self.session.forget(cell_ids).updated

    def reset(self) -> None:
        """Remove all cells; the settings stay."""
        self.session.reset(self.input_key)
        for line in _collect_first_logs(self.session):
            self._log(line)

    def fork_session(self, *, cells: int | None = None, **changed: Any) -> Session:  # arguments of `Session`
        """Return a session with other settings in which the same cells ran, without failed ones.

        Args:
            cells: The number of cells; None for all.
            changed: The settings that differ.
        """
        return self.session.with_arguments(cells=cells, **self._with_permission(changed))

    def _with_permission(self, changed: dict[str, Any]) -> dict[str, Any]:
        """Return arguments that limit the environment of a command to what programs may read."""
        if changed.get("environment", self._own_environment) == self._own_environment:
            return changed
        return {**changed, "allowed": self.can_read}

    def reconfigure(self, **changed: Any) -> Reply:  # arguments of `Session`
        """Set arguments of the session from this input on, and evaluate the cells above again.

        Raises:
            ValueError: An argument is not valid; nothing has changed.
            PuppetError: The manifests of the new environment fail; nothing has changed.
        """
        before = self.session.catalog().copy()
        changes = self.session.configure(self.input_key, **self._with_permission(changed))
        for line in _collect_first_logs(self.session):
            self._log(line)
        entries = self.session.cells
        failed = [
            NoteElement("warning", f"cell {entry.label} is left out: {entry.evaluation.error}", "warning")
            for entry in entries
            if entry.evaluation.error is not None
        ]
        count = len(entries) - len(failed)
        words = f"{format_count(count, 'cell')} run again" if entries else "nothing to run again"
        after = self.session.catalog()
        change = self.session.call_supervised(
            lambda: views.describe_change(catalog.compare_catalogs(before, after), self.width())
        )
        group = Group(NoteElement("hint", words), *failed, *([change] if change is not None else []))
        return Reply(group, updated=changes.updated)

    def can_read(self, path: str) -> bool:
        """Return True if a command may read a path: in a notebook, if its programs may."""
        return not self.guarded or self.session.may_read(path)

    def can_write(self) -> bool:
        """Return True if a command may write files: in a notebook, if files are permitted."""
        return not self.guarded or "files" in self.session.permissions

    def set_limit(self, name: str, amount: float | str | None) -> None:
        """Set a limit for the inputs that follow; None restores the initial amount.

        Raises:
            ValueError: The limit cannot have this amount.
            CommandError: The amount exceeds that with which the session began.
        """
        most = self._permitted_limits[name]
        new = most if amount is None else LIMITS[name].parse_amount(amount)
        refuse_if(
            float(new) > float(most),
            f"{name} can only be lowered here, to at most {most:,}",
            needs=f"limit:{name}",
        )
        self.session.limits = {**self.session.limits, name: new}

    # --- assistance while users type

    def status(self, source: str) -> Status:
        """Return the status of an input: its `kind`, and the `indent` of the next line."""
        parsed = self._parse_input(source)
        if parsed.directives and not parsed.has_code:
            return Status("complete")
        return self.session.status(parsed.code)

    def complete(self, source: str, cursor: int) -> assistance.Completions:
        """Return completions of code, or of a command and its argument."""
        parsed = self._parse_input(source)
        directive = parsed.directive_at(cursor)
        if directive is None:
            return self.session.complete(parsed.code, cursor)
        start = directive.start
        relative = dispatch.complete(self, source[start:cursor], cursor - start)
        return assistance.Completions(relative.start + start, relative.end + start, relative.items)

    def inspect(self, source: str, cursor: int) -> Any:  # a Card of code or of a command
        """Return the card of the name at the cursor, or None."""
        parsed = self._parse_input(source)
        directive = parsed.directive_at(cursor)
        if directive is None:
            return self.session.inspect(parsed.code, cursor)
        return dispatch.inspect(self, directive.text)


_SMALL_STRING = 1_000  # characters
_SMALL_INTEGER = 1 << 63


def _is_small(outcome: Outcome) -> bool:
    """Return True for a small value without anything else.

    Its view takes 0.1 ms; a third of that would be the change of threads."""
    if outcome.updated or outcome.remarks or outcome.change or outcome.pending:
        return False
    value = outcome.value
    if isinstance(value, str):
        return len(value) <= _SMALL_STRING
    return (
        value is None or isinstance(value, float) or (isinstance(value, int) and abs(value) < _SMALL_INTEGER)
    )


def _collect_first_logs(session: Session) -> list[Log]:
    """Return the log lines of the environment's manifests, which run before the first input."""
    return [] if session.beginning is None else session.beginning.logs
