"""`python -m tests.reliability.stretches [NAME …]`: functions of large values, and how long they hear no interrupt.

`operators` is the name of all operators.

An interrupt is heard when Python takes the next step: not within a call into C, nor while garbage is collected. Told is
each call with a stretch of more than 25 ms of CPU without a step, and where it ended. The values are a quarter of what
the limits allow, so such a stretch may be one of 100 ms. What lets other threads run, as regular expressions of
programs do, is not seen here: `tests.reliability.interrupts` is for that.
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
OUTSIDE = {"generate", "file", "find_file", "fail"}


class Stretches:
    """The stretches in which a second thread waited for its turn: `found` has seconds and where they ended."""

    def __init__(self) -> None:
        self.found: list[tuple[float, str]] = []
        self._over = threading.Event()
        self._clock: int | None = None  # of the thread that a program runs in
        self._thread = 0
        self._last = 0.0

    def look(self) -> None:
        """Looks until `over`."""
        with suppress(OSError):  # who may not go first finds longer stretches on a busy machine
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), -15)
        while not self._over.wait(_LOOK_SECONDS):
            self._turn()

    def over(self) -> None:
        """Ends looking."""
        self._over.set()

    def _turn(self) -> None:
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

    def watched(self, function: Callable[[], Any]) -> Any:
        """Calls a program in its thread."""
        self._thread = threading.get_ident()
        clock = time.pthread_getcpuclockid(self._thread)  # type: ignore[attr-defined]
        self._last, self._clock = time.clock_gettime(clock), clock
        try:
            return function()
        finally:
            self._turn()
            self._clock = None


@contextmanager
def stretches() -> Iterator[list[tuple[float, str]]]:
    """While it lasts, the stretches of all programs in which nothing is heard are found."""
    seen, run, interval = Stretches(), Supervisor.run, sys.getswitchinterval()

    def watched(supervisor: Supervisor, function: Callable[[], Any], *seconds: float) -> Any:
        return run(supervisor, lambda: seen.watched(function), *seconds)

    looker = threading.Thread(target=seen.look)
    sys.setswitchinterval(_LOOK_SECONDS)
    Supervisor.run = watched  # type: ignore[assignment,method-assign]
    looker.start()
    try:
        yield seen.found
    finally:
        Supervisor.run = run  # type: ignore[method-assign]
        sys.setswitchinterval(interval)
        seen.over()
        looker.join()


def session(large: bool) -> Session:
    """A session with all values, which are what they are called by, or small ones of the same kinds."""
    made = Session("puppet", interactive=True)
    for name, texts in VALUES.items():
        outcome = made.run(f"${name} = {texts[large]}")
        assert outcome.error is None, (name, str(outcome.error))
    made.limits = {**made.limits, "max_seconds": 6}
    return made


def main() -> int:
    """Report each call that cannot be interrupted for long; the exit code is 1 if there is one."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", help="functions, or `operators` (default: all)")
    names = parser.parse_args().names or ["operators", *sorted(set(registry.list_function_names()) - OUTSIDE)]
    small, large = session(False), session(True)
    count = 0
    calls = list(OPERATIONS) if "operators" in names else []
    calls += [f"{name}{arguments}" for name in names if name != "operators" for arguments in ARGUMENTS]
    for call in calls:
        if small.look(call).error is not None:
            continue
        with stretches() as found:
            large.look(call)
        if found:
            count += 1
            seconds, place = max(found)
            print(f"{call}: {seconds * 1000:.0f} ms  {place}", flush=True)
    print(f"{count} calls with a long stretch")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
