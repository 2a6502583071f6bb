"""`python -m tests.reliability.uninterruptible [NAME …]`: report calls that cannot be interrupted for long.

NAME is a function, or `operators` for all operators; the arguments are large values.

An interrupt takes effect between two instructions of Python, not within a call into C or a garbage collection. The
report has each call with a stretch of more than 25 ms of CPU time without an instruction, and where it ended. The
values have a quarter of the permitted size, so such a stretch could become one of 100 ms. C code that lets other
threads run, such as the engine of regular expressions, is found by `tests.reliability.interrupts` instead.
"""

from __future__ import annotations

import argparse
import os
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from evaluator import Session
from evaluator.calling import registry
from evaluator.session.supervisor import Supervisor

LONG_SECONDS = 0.025
_LOOK_SECONDS = 0.0005
_FRAMES = 4

VALUES = {
    "t": ("'ab c,d'", "Integer[1, 19].reduce('ab c,d-E1\nf.g') |$m, $x| { \"${m}${m}\" }"),
    "w": ("'aaa'", "Integer[1, 22].reduce('a') |$m, $x| { \"${m}${m}\" }"),
    "a": ("[1, 2, 3]", "Array(Integer[1, 1000000])"),
    "r": ("[3, 1, 2]", "Integer[1, 1000000].map |$x| { ($x * 7919) % 399971 }"),
    "s": ("['t1', 't2']", 'Integer[1, 1000000].map |$x| { "t${x}" }'),
    "h": ("{ 't1' => 1 }", 'Hash(Integer[1, 300000].map |$x| { ["t${x}", 1] })'),
    "p": ("[[1], [2]]", "Integer[1, 1000000].map |$x| { [$x] }"),
}
ARGUMENTS = (
    *(
        "($t)",
        "($w)",
        "($a)",
        "($s)",
        "($h)",
        "($p)",
        "([$t])",
        "($t, $t)",
        "($a, $r)",
        "($s, $s)",
        "($h, $h)",
    ),
    *("($t, ',')", "($t, 'x', 'y')", "($a, 2)", "($r, 3, 5)", "($a, ',')", "(',', $a)", "('%s', $t)"),
    *("($h, 't1')", "($h, ['t1'])", "($a) |$x| { $x }", "($h) |$k, $v| { true }", "('sha256', $t)"),
)
OPERATIONS = (
    *(
        "$t == $w",
        '"${t}x" == "${t}X"',
        "$t < $w",
        "$t in $w",
        "'zz' in $t",
        "$w =~ /b$/",
        "$t !~ /E2/",
    ),
    *("$a + $r", "$a - $r", "$s - $s", "$h + $h", "$h - $s", "$a << 1", "$a == $r", "$p == $p + [1]"),
    *("'x' in $s", "Integer in $s", "[$a] == [$r]", "$h == $h + { 'x' => 1 }", "*$a", "!$a", "$a and $t"),
    *("$t[1, -2]", "$a[1, -2]", "$h['t1', 't2']", "$a =~ Array[Integer]", "$h =~ Hash[String, Integer]"),
    *("$s =~ Array[Enum['t1']]", "$t =~ String[1]", "$t =~ Pattern[/E2/]", "$t ? { $w => 1, default => 2 }"),
    *(
        "case $a { $r: { 1 } default: { 2 } }",
        '"${a}"',
        '"${h}" == $t',
        "Enum[$s]",
        "{ $t => $t }",
    ),
    *("[*$a, *$r]", "$x = $a", "$t.length + $t.length", "type($h) == type($h)"),
)
EXCLUDED = {"generate", "file", "find_file", "fail"}


class StretchWatcher:
    """A thread that measures how long it waits for its turn while another thread runs a program.

    Attributes:
        found: Seconds and place of the end of each long stretch."""

    def __init__(self) -> None:
        self.found: list[tuple[float, str]] = []
        self._is_stopped = threading.Event()
        self._clock: int | None = None  # of the thread that a program runs in
        self._thread = 0
        self._last = 0.0

    def poll(self) -> None:
        """Measure until `stop` is called."""
        with suppress(OSError):  # without this priority stretches look longer on a busy machine
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), -15)
        while not self._is_stopped.wait(_LOOK_SECONDS):
            self._measure()

    def stop(self) -> None:
        """End `poll`."""
        self._is_stopped.set()

    def _measure(self) -> None:
        clock = self._clock
        if clock is None:
            return
        with suppress(OSError):  # the thread may have ended
            now = time.clock_gettime(clock)
            if now - self._last > LONG_SECONDS:
                stack = traceback.extract_stack(sys._current_frames().get(self._thread))[-_FRAMES:]
                places = [f"{os.path.basename(one.filename)}:{one.lineno} {one.name}" for one in stack]
                self.found.append((now - self._last, " < ".join(reversed(places))))
            self._last = now

    def watch(self, function: Callable[[], Any]) -> Any:
        """Call a function in this thread, which is measured meanwhile."""
        self._thread = threading.get_ident()
        clock = time.pthread_getcpuclockid(self._thread)  # type: ignore[attr-defined]
        self._last, self._clock = time.clock_gettime(clock), clock
        try:
            return function()
        finally:
            self._measure()
            self._clock = None


@contextmanager
def find_stretches() -> Iterator[list[tuple[float, str]]]:
    """Find the long stretches of all programs that run within this context."""
    watcher, run, interval = StretchWatcher(), Supervisor.run, sys.getswitchinterval()

    def run_watched(supervisor: Supervisor, function: Callable[[], Any], *seconds: float) -> Any:
        return run(supervisor, lambda: watcher.watch(function), *seconds)

    thread = threading.Thread(target=watcher.poll)
    sys.setswitchinterval(_LOOK_SECONDS)
    Supervisor.run = run_watched  # type: ignore[assignment,method-assign]
    thread.start()
    try:
        yield watcher.found
    finally:
        Supervisor.run = run  # type: ignore[method-assign]
        sys.setswitchinterval(interval)
        watcher.stop()
        thread.join()


def make_session(large: bool) -> Session:
    """Return a session with the variables of `VALUES`, large or small."""
    session = Session("puppet", interactive=True)
    for name, texts in VALUES.items():
        outcome = session.run(f"${name} = {texts[large]}")
        assert outcome.error is None, (name, str(outcome.error))
    session.limits = {**session.limits, "max_seconds": 6}
    return session


def main() -> int:
    """Report each call that cannot be interrupted for long; the exit code is 1 if there is one."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", help="functions, or `operators` (default: all)")
    names = parser.parse_args().names or [
        "operators",
        *sorted(set(registry.list_function_names()) - EXCLUDED),
    ]
    small, large = make_session(False), make_session(True)
    count = 0
    calls = list(OPERATIONS) if "operators" in names else []
    calls += [f"{name}{arguments}" for name in names if name != "operators" for arguments in ARGUMENTS]
    for call in calls:
        if small.look(call).error is not None:
            continue
        with find_stretches() as found:
            large.look(call)
        if found:
            count += 1
            seconds, place = max(found)
            print(f"{call}: {seconds * 1000:.0f} ms  {place}", flush=True)
    print(f"{count} calls with a long stretch")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
