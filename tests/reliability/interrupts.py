"""`python -m tests.reliability.interrupts [--count N] [--seed N]`: interrupts at random moments of random work.

Programs, displays, commands, completion, inspection and updates after an edit: each ends soon, reports that it was
interrupted, and leaves the session unchanged. A tenth of the interrupts are sent within the first 20 ms. The report has
the times from the signal to the end of the work, by the clock, which is meaningful only on an idle machine, and of CPU.
The exit status is 1 if an interrupt was lost or too slow, or has changed the session.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import pytest

from evaluator.session import stack_threads
from evaluator.session.supervisor import InlineSupervisor, Supervisor
from lexer_parser.errors import PuppetError
from puppet_kernel import process
from puppet_kernel.jupyter.display import make_bundle, make_error_content
from puppet_kernel.replies import Reply
from puppet_kernel.shell import Shell
from tests.reliability.programs import ENDLESS

FIRST_SECONDS = 0.02
MOST_SECONDS = 0.25
USUAL_SECONDS = 0.05
# The time in which work may return after its last program has ended; that may be before the thread that handles the
# signal has its turn.
_MOMENT = 0.005 + sys.getswitchinterval()

Work = Callable[[Shell], Any]  # returns a Reply, or raises KeyboardInterrupt if it is interrupted

_LINES = "\n".join(f"notify {{ 'n{number}': message => \"m ${{x}}\" }}" for number in range(30_000))
_SHARED = "Integer[1, 60].reduce(['x']) |$m, $i| { [$m, $m] }"


def submit(source: str, cell_id: str | None = None) -> Work:
    """Return the work of an input in a notebook, including the rendering of its reply."""

    def render(reply: Reply) -> Reply:
        make_error_content(reply) if reply.error is not None else make_bundle(reply.element, reply.data)
        return reply

    return lambda shell: shell.submit_and_render(source, render, cell_id)


def supervise(look: Callable[[Shell], Any]) -> Work:
    """Return the work of a supervised request, such as completion."""
    return lambda shell: shell.supervise_briefly(lambda: look(shell))


SMALL: dict[str, Work] = {
    **{f"a program: {source}": submit(f"notify {{ 'lost': }} {source}") for source in ENDLESS},
    "a long source is read": submit("'a' + 1\n" * 200_000),
    "a long comment is read": submit("#" + "c" * 15_000_000 + "\n" + "notice(1)\n" * 100_000),
    "code is compiled": submit("notice(1)\n" * 100_000),
    "defines are evaluated": submit(
        "define d($n) { Integer[1, 100000].each |$x| { $y = $x + $n } }"
        'Integer[1, 1000].each |$i| { d { "${i}": n => $i } }'
    ),
    "a fixed point is computed": submit(
        'define d($n) { notify { "${title}": message => $n } }'
        'Integer[1, 50000].each |$i| { d { "${i}": n => $i } }'
    ),
    "resources are declared": submit(
        'Integer[1, 99000].each |$i| { file { "/f${i}": ensure => file } } fail("x")'
    ),
    "resources are collected": submit(
        'Integer[1, 20000].each |$i| { @notify { "n${i}": tag => "t" } }'
        "Integer[1, 50].each |$i| { Notify <| tag == 't' and title != \"x${i}\" |> }"
    ),
    "a huge string is built": submit('Integer[1, 1000].each |$i| { "${Array(Integer[1, 1000000])}" }'),
    "lines are logged": submit("Integer[1, 100000000].each |$i| { notice($i) }"),
    "a template is rendered": submit("Integer[1, 1000000].each |$i| { inline_epp('<%= 1 + 1 %>') }"),
    "a regular expression is matched": submit("'" + "a" * 60 + "!' =~ /(a|aa)+$/"),
    "numbers are sorted": submit("Array(Integer[1, 4000000]).map |$x| { ($x * 7919) % 3999971 }.sort"),
    "strings are interpolated": submit('Integer[1, 100000000].map |$x| { "some text ${x}" }'),
    "formats are filled in": submit("Integer[1, 100000000].each |$x| { sprintf('%05d %s', $x, $x) }"),
    "digests are computed": submit('Integer[1, 100000000].each |$x| { sha256("${x}") }'),
    "types are compared": submit(
        "Integer[1, 100000000].each |$x| { $x =~ Variant[String, Array, Integer[0, 5]] }"
    ),
    "values are converted": submit('Integer[1, 100000000].each |$x| { Integer("${x}") }'),
    "an expression of a client": lambda shell: shell.look(ENDLESS[0]),
    "%time": submit(f"%time {ENDLESS[0]}"),
    "%format": submit(f"%format\n{_LINES}"),
    "a value that shares its parts is shown": submit(f"$m = {_SHARED} $m"),
    "the status of a long source": supervise(lambda shell: shell.status(_LINES)),
    "completion in a long source": supervise(
        lambda shell: shell.complete(f"{_LINES}\nnotify {{ 'x': mess", len(_LINES) + 20)
    ),
    "inspection in a long source": supervise(
        lambda shell: shell.inspect(f"{_LINES}\nnotice(1)", len(_LINES) + 3)
    ),
}
LARGE: dict[str, Work] = {
    "%catalog": submit("%catalog"),
    "%catalog --json": submit("%catalog --json"),
    "%graph": submit("%graph"),
    "%vars": submit("%vars"),
    "%cells": submit("%cells"),
    "a large value is shown": submit("$large"),
    "a large change is shown": submit('Integer[1, 20000].each |$i| { notify { "new ${i}": } }'),
    "an early cell is edited": submit("$seed = 2", "first"),
    "an early cell is withdrawn": submit("", "first"),
    "early cells are deleted": lambda shell: shell.session.forget(["first"]),
    "%dialect": submit("%dialect spec"),
    "completion of variables": supervise(lambda shell: [shell.complete("$", 1) for _ in range(50)]),
    "inspection of a variable": supervise(lambda shell: [shell.inspect("$large", 3) for _ in range(50)]),
}
KINDS = [*((small, name) for small in (True,) for name in SMALL), *((False, name) for name in LARGE)]


@cache
def make_shell(small: bool) -> Shell:
    """Return the shell for work: with few cells, or with many cells and a large catalog."""
    shell = Shell({"dialect": "puppet"})
    shell.evaluate("$before = 1 class c { notify { 'n': } } include c", "zero")
    if not small:
        shell.evaluate("$seed = 1", "first")
        shell.evaluate(
            'Integer[1, 3000].each |$i| { notify { "r${i}": message => "of ${seed}", require => Class["c"] } }'
        )
        shell.evaluate("$large = Integer[1, 20000].map |$i| { { 'n' => $i, 'text' => \"text ${i}\" } }")
        for number in range(300):
            shell.evaluate(f"$v{number} = Integer[1, 2000].map |$i| {{ $i + $seed }}", f"cell {number}")
    return shell


def describe_shell(shell: Shell) -> str:
    """Return all state of a session that work could have changed, as a text."""
    session = shell.session
    runtime = session.runtime
    variables = runtime.state.top.variables
    return repr(
        (
            session.catalog().summary()[:50],
            len(session.catalog().resources),
            [(name, id(value)) for name, value in variables.items()],
            sorted(runtime.state.definitions.classes),
            sorted(runtime.state.definitions.defines),
            [(cell.source[:20], cell.cell_id, id(cell.evaluation)) for cell in session.cells],
            runtime.dialect.name,
            id(runtime.operators),
            id(session),
            dict(shell.session.arguments),
        )
    )


class Interrupt:
    """The result of one interrupt.

    Attributes:
        kind: The work: True for `SMALL`, and its name.
        after: Seconds from the start of the work to the signal.
        clock: Seconds from the signal to the end of the work, by the clock.
        cpu: The same, of CPU time.
        violation: "" if nothing was wrong.
    """

    def __init__(self, kind: tuple[bool, str], after: float) -> None:
        self.kind = kind
        self.after = after
        self.clock = self.cpu = 0.0
        self.violation = ""

    def __str__(self) -> str:
        figures = f"{self.clock * 1000:.0f} ms, {self.cpu * 1000:.0f} ms of CPU"
        return f"{self.kind[1][:60]}, after {self.after * 1000:.1f} ms: {figures} {self.violation}"


def send_interrupt(kind: tuple[bool, str], after: float) -> Interrupt | None:
    """Interrupt work some seconds after its start; return None if it had ended by then."""
    small, name = kind
    work, shell = (SMALL if small else LARGE)[name], make_shell(small)
    found, before = Interrupt(kind, after), describe_shell(shell)
    signal_times: list[tuple[float, float]] = []  # right before the signal, and right after it
    over = threading.Event()
    started = threading.Event()

    def now() -> tuple[float, float]:
        return time.perf_counter(), time.process_time()

    def send() -> None:
        started.wait()
        if not over.wait(after):
            signal_times.append(now())
            os.kill(os.getpid(), signal.SIGINT)
            signal_times.append(now())

    watcher = threading.Thread(target=send)
    watcher.start()
    error, waits = "", False
    try:
        with shell.session.guard() as guard:  # an interrupt after the work waits for the next program
            started.set()
            try:
                reply = work(shell)
                error = reply.error.code if isinstance(reply, Reply) and reply.error is not None else "none"
            except KeyboardInterrupt:
                error = "INTERRUPTED"
            except TimeoutError:
                error = "too long"
            except PuppetError as problem:
                error = problem.code
            ended = now()
            over.set()
            watcher.join()
            waits = _is_interrupt_pending(guard)
    except KeyboardInterrupt:
        found.violation = "it was raised outside the guard"
    # the work may have ended while this thread waited for its turn to send the signal
    came_late = waits and error != "INTERRUPTED" and ended[1] - signal_times[1][1] < _MOMENT
    if not signal_times or signal_times[0][0] > ended[0] or came_late:
        return None
    found.clock, found.cpu = (end - start for end, start in zip(ended, signal_times[0], strict=True))
    if error != "INTERRUPTED":
        found.violation = f"lost: {error}"
    elif describe_shell(shell) != before:
        found.violation = "the session was changed"
    return found


@contextmanager
def interrupted_run(number: int) -> Iterator[None]:
    """Interrupt the n-th function that a supervisor runs within this context."""
    count = 0

    def count_runs(run: Callable[..., Any]) -> Callable[..., Any]:
        def count_and_run(*arguments: Any) -> Any:
            nonlocal count
            count += 1
            if count == number:
                raise KeyboardInterrupt
            return run(*arguments)

        return count_and_run

    with pytest.MonkeyPatch.context() as patched:
        for kind in (Supervisor, InlineSupervisor):
            patched.setattr(kind, "run", count_runs(kind.run))
        yield


def _is_interrupt_pending(guard: Supervisor) -> bool:
    """Return True if an interrupt waits for the next program because the last one had ended."""
    try:
        guard.run(lambda: None)
        guard.run(lambda: time.sleep(0.05))
    except KeyboardInterrupt:
        return True
    return False


def send_interrupts(
    count: int, seed: int, latest: float = 0.4, report: Callable[[Interrupt], None] = lambda found: None
) -> list[Interrupt]:
    """Interrupt work of all kinds in turn at random moments.

    Args:
        count: The number of interrupts.
        seed: The seed of the random moments.
        latest: The greatest number of seconds from the start of the work to the signal.
        report: Called with each result.
    """
    chance = random.Random(seed)
    found: list[Interrupt] = []
    while len(found) < count:
        kind = KINDS[len(found) % len(KINDS)]
        longest = FIRST_SECONDS if len(found) % 10 == 0 else latest
        result = None
        while result is None:
            result = send_interrupt(kind, chance.uniform(0, longest))
            longest /= 1.5
        found.append(result)
        report(result)
    return found


def main() -> int:
    """Report each interrupt that was slow or wrong, and then how long all took."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=1000, help="how many interrupts (default: 1000)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the random moments (default: 0)")
    parser.add_argument(
        "--threads", action="store_true", help="run programs in threads instead of the main thread"
    )
    options = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell that starts a job with `&` ignores it
    if not options.threads:
        stack_threads.use_main_thread(process.raise_stack_limit)  # as kernels do

    def report(one: Interrupt) -> None:
        if one.violation or one.cpu > USUAL_SECONDS or one.clock > MOST_SECONDS:
            print(one, flush=True)

    found = send_interrupts(options.count, options.seed, report=report)
    violations = [one for one in found if one.violation]
    early_count = sum(one.after < FIRST_SECONDS for one in found)
    kinds = len({one.kind for one in found})
    print(
        f"{len(found)} interrupts of {kinds} kinds of work,"
        f" {early_count} within the first {FIRST_SECONDS * 1000:.0f} ms"
    )
    slow = False
    for name in ("clock", "cpu"):
        times = sorted(getattr(one, name) for one in found)
        usual = times[max(int(len(times) * 0.99) - 1, 0)]
        slow = usual > USUAL_SECONDS or times[-1] > MOST_SECONDS
        figures = [f"{seconds * 1000:.1f} ms" for seconds in (times[len(times) // 2], usual, times[-1])]
        print("{}: median {}, 99 % within {}, all within {}".format(name, *figures))
    print(f"{len(violations)} were lost or have changed the session")
    return 1 if violations or slow else 0


if __name__ == "__main__":
    sys.exit(main())
