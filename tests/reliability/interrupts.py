"""`python -m tests.reliability.interrupts [--count N] [--seed N]`: interrupts at random moments of random work.

Programs, displays, commands, completion, inspection and what follows an edit: whatever it is, it ends soon, says that
it was interrupted, and the session is as it was. A tenth of the interrupts come within the first 20 ms. Told are the
times from the signal to the end of the work: on the clock, which says something on an idle machine only, and of CPU.
The exit status is 1 when an interrupt was lost or too slow, or when it has left something behind.
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
# what the work may take to return when all of its programs have ended, which the last one may do before the thread
# that hears of the signal has its turn
_MOMENT = 0.005 + sys.getswitchinterval()

Work = Callable[[Shell], Any]  # gives a Reply, or raises KeyboardInterrupt when it is interrupted

_LINES = "\n".join(f"notify {{ 'n{number}': message => \"m ${{x}}\" }}" for number in range(30_000))
_SHARED = "Integer[1, 60].reduce(['x']) |$m, $i| { [$m, $m] }"


def run(source: str, cell_id: str | None = None) -> Work:
    """An input, and what a notebook sends of it."""

    def drawn(reply: Reply) -> Reply:
        make_error_content(reply) if reply.error is not None else make_bundle(reply.element, reply.data)
        return reply

    return lambda shell: shell.submit_and_render(source, drawn, cell_id)


def quick(look: Callable[[Shell], Any]) -> Work:
    """The helpers of an interactive user."""
    return lambda shell: shell.supervise_briefly(lambda: look(shell))


SMALL: dict[str, Work] = {
    **{f"a program: {source}": run(f"notify {{ 'lost': }} {source}") for source in ENDLESS},
    "a long source is read": run("'a' + 1\n" * 200_000),
    "a long comment is read": run("#" + "c" * 15_000_000 + "\n" + "notice(1)\n" * 100_000),
    "code is compiled": run("notice(1)\n" * 100_000),
    "defines are evaluated": run(
        "define d($n) { Integer[1, 100000].each |$x| { $y = $x + $n } }"
        'Integer[1, 1000].each |$i| { d { "${i}": n => $i } }'
    ),
    "defines are settled": run(
        'define d($n) { notify { "${title}": message => $n } }'
        'Integer[1, 50000].each |$i| { d { "${i}": n => $i } }'
    ),
    "resources are declared": run(
        'Integer[1, 99000].each |$i| { file { "/f${i}": ensure => file } } fail("x")'
    ),
    "resources are collected": run(
        'Integer[1, 20000].each |$i| { @notify { "n${i}": tag => "t" } }'
        "Integer[1, 50].each |$i| { Notify <| tag == 't' and title != \"x${i}\" |> }"
    ),
    "a huge text is made": run('Integer[1, 1000].each |$i| { "${Array(Integer[1, 1000000])}" }'),
    "lines are logged": run("Integer[1, 100000000].each |$i| { notice($i) }"),
    "a template is rendered": run("Integer[1, 1000000].each |$i| { inline_epp('<%= 1 + 1 %>') }"),
    "a regular expression is matched": run("'" + "a" * 60 + "!' =~ /(a|aa)+$/"),
    "numbers are sorted": run("Array(Integer[1, 4000000]).map |$x| { ($x * 7919) % 3999971 }.sort"),
    "text is made of texts": run('Integer[1, 100000000].map |$x| { "some text ${x}" }'),
    "formats are filled in": run("Integer[1, 100000000].each |$x| { sprintf('%05d %s', $x, $x) }"),
    "digests are made": run('Integer[1, 100000000].each |$x| { sha256("${x}") }'),
    "types are compared": run(
        "Integer[1, 100000000].each |$x| { $x =~ Variant[String, Array, Integer[0, 5]] }"
    ),
    "values are converted": run('Integer[1, 100000000].each |$x| { Integer("${x}") }'),
    "an expression of a client": lambda shell: shell.look(ENDLESS[0]),
    "%time": run(f"%time {ENDLESS[0]}"),
    "%format": run(f"%format\n{_LINES}"),
    "a value that shares its parts is shown": run(f"$m = {_SHARED} $m"),
    "the status of a long source": quick(lambda shell: shell.status(_LINES)),
    "completion in a long source": quick(
        lambda shell: shell.complete(f"{_LINES}\nnotify {{ 'x': mess", len(_LINES) + 20)
    ),
    "inspection in a long source": quick(
        lambda shell: shell.inspect(f"{_LINES}\nnotice(1)", len(_LINES) + 3)
    ),
}
LARGE: dict[str, Work] = {
    "%catalog": run("%catalog"),
    "%catalog --json": run("%catalog --json"),
    "%graph": run("%graph"),
    "%vars": run("%vars"),
    "%cells": run("%cells"),
    "a large value is shown": run("$large"),
    "a large change is shown": run('Integer[1, 20000].each |$i| { notify { "new ${i}": } }'),
    "an early cell is edited": run("$seed = 2", "first"),
    "an early cell is withdrawn": run("", "first"),
    "early cells are deleted": lambda shell: shell.session.forget(["first"]),
    "%dialect": run("%dialect spec"),
    "completion of variables": quick(lambda shell: [shell.complete("$", 1) for _ in range(50)]),
    "inspection of a variable": quick(lambda shell: [shell.inspect("$large", 3) for _ in range(50)]),
}
KINDS = [*((small, name) for small in (True,) for name in SMALL), *((False, name) for name in LARGE)]


@cache
def shell_of(small: bool) -> Shell:
    """A session for work: an empty one, or a notebook of many cells with a large catalog."""
    shell = Shell({"dialect": "puppet"})
    shell.evaluate("$kept = 1 class c { notify { 'n': } } include c", "zero")
    if not small:
        shell.evaluate("$seed = 1", "first")
        shell.evaluate(
            'Integer[1, 3000].each |$i| { notify { "r${i}": message => "of ${seed}", require => Class["c"] } }'
        )
        shell.evaluate("$large = Integer[1, 20000].map |$i| { { 'n' => $i, 'text' => \"text ${i}\" } }")
        for number in range(300):
            shell.evaluate(f"$v{number} = Integer[1, 2000].map |$i| {{ $i + $seed }}", f"cell {number}")
    return shell


def seen(shell: Shell) -> str:
    """All of a session that work could have changed."""
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
    """What came of an interrupt: of which work, after how many seconds, and what was wrong.

    clock, cpu  seconds from the signal to the end of the work
    """

    def __init__(self, kind: tuple[bool, str], after: float) -> None:
        self.kind = kind
        self.after = after
        self.clock = self.cpu = 0.0
        self.wrong = ""

    def __str__(self) -> str:
        told = f"{self.clock * 1000:.0f} ms, {self.cpu * 1000:.0f} ms of CPU"
        return f"{self.kind[1][:60]}, after {self.after * 1000:.1f} ms: {told} {self.wrong}"


def interrupt(kind: tuple[bool, str], after: float) -> Interrupt | None:
    """Interrupts work so many seconds after it began; None when it had ended by then."""
    small, name = kind
    work, shell = (SMALL if small else LARGE)[name], shell_of(small)
    found, before = Interrupt(kind, after), seen(shell)
    sent: list[tuple[float, float]] = []  # right before the signal, and right after it
    over = threading.Event()
    begun = threading.Event()

    def now() -> tuple[float, float]:
        return time.perf_counter(), time.process_time()

    def send() -> None:
        begun.wait()
        if not over.wait(after):
            sent.append(now())
            os.kill(os.getpid(), signal.SIGINT)
            sent.append(now())

    watcher = threading.Thread(target=send)
    watcher.start()
    error, waits = "", False
    try:
        with shell.session.guard() as guard:  # it keeps what comes between the work and its end
            begun.set()
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
            waits = _waits(guard)
    except KeyboardInterrupt:
        found.wrong = "it came out of the guard"
    # this thread may have lost its turn right before the signal, and the work have ended meanwhile
    came_late = waits and error != "INTERRUPTED" and ended[1] - sent[1][1] < _MOMENT
    if not sent or sent[0][0] > ended[0] or came_late:
        return None
    found.clock, found.cpu = (end - start for end, start in zip(ended, sent[0], strict=True))
    if error != "INTERRUPTED":
        found.wrong = f"lost: {error}"
    elif seen(shell) != before:
        found.wrong = "something was left behind"
    return found


@contextmanager
def interrupted_run(number: int) -> Iterator[None]:
    """While it lasts, the n-th thing that a supervisor runs is interrupted."""
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


def _waits(guard: Supervisor) -> bool:
    """Return whether an interrupt waits for the next program because the last one had ended."""
    try:
        guard.run(lambda: None)
        guard.run(lambda: time.sleep(0.05))
    except KeyboardInterrupt:
        return True
    return False


def interrupts(
    count: int, seed: int, latest: float = 0.4, tell: Callable[[Interrupt], None] = lambda found: None
) -> list[Interrupt]:
    """So many interrupts, of all kinds of work in turn, at random moments up to the latest, in seconds."""
    chance = random.Random(seed)
    found: list[Interrupt] = []
    while len(found) < count:
        kind = KINDS[len(found) % len(KINDS)]
        longest = FIRST_SECONDS if len(found) % 10 == 0 else latest
        made = None
        while made is None:
            made = interrupt(kind, chance.uniform(0, longest))
            longest /= 1.5
        found.append(made)
        tell(made)
    return found


def main() -> int:
    """Report each interrupt that was slow or wrong, and then how long all took."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=1000, help="how many interrupts (default: 1000)")
    parser.add_argument("--seed", type=int, default=0, help="where the chance starts (default: 0)")
    parser.add_argument(
        "--threads", action="store_true", help="run programs in threads instead of the main thread"
    )
    options = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell that starts a job with `&` ignores it
    if not options.threads:
        stack_threads.use_main_thread(process.raise_stack_limit)  # as kernels do

    def tell(one: Interrupt) -> None:
        if one.wrong or one.cpu > USUAL_SECONDS or one.clock > MOST_SECONDS:
            print(one, flush=True)

    found = interrupts(options.count, options.seed, tell=tell)
    wrong = [one for one in found if one.wrong]
    early = sum(one.after < FIRST_SECONDS for one in found)
    kinds = len({one.kind for one in found})
    print(
        f"{len(found)} interrupts of {kinds} kinds of work, {early} within the first {FIRST_SECONDS * 1000:.0f} ms"
    )
    slow = False
    for name in ("clock", "cpu"):
        times = sorted(getattr(one, name) for one in found)
        usual = times[max(int(len(times) * 0.99) - 1, 0)]
        slow = usual > USUAL_SECONDS or times[-1] > MOST_SECONDS
        told = [f"{seconds * 1000:.1f} ms" for seconds in (times[len(times) // 2], usual, times[-1])]
        print("{}: median {}, 99 % within {}, all within {}".format(name, *told))
    print(f"{len(wrong)} were lost or have left something behind")
    return 1 if wrong or slow else 0


if __name__ == "__main__":
    sys.exit(main())
