"""Every built-in function can be stopped soon, even with arguments as large as the limits permit.

An interrupt takes effect only between calls into C. So each function of the registry is called with large strings,
numbers, arrays and hashes in every position; shortly afterwards an interrupt is sent, and the program has to end.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import pytest

from evaluator import Session
from evaluator.calling import registry
from tests.effort import exceeds

pytestmark = pytest.mark.usefixtures("fresh_heap")  # seconds are counted

DELAY = 0.02  # seconds of CPU until the interrupt is sent
BOUND = float(
    os.environ.get("PUPPET_KERNEL_STOP_SECONDS", "0.4")
)  # seconds of CPU until the program has ended; 0.05 on an idle machine
LARGE = {
    "s": "String('ab ', '%-20000000s')",
    "b": "String('', '%8000000s')",
    "u": "regsubst(String('', '%4000000s'), ' ', 'ß', 'G')",
    "a": "Array(Integer[1, 1000000])",
    "t": 'Integer[1, 300000].map |$i| { "text ${i}" }',
    "n": "Integer[1, 100000].map |$i| { [$i, [$i]] }",
    "h": 'Hash(Integer[1, 300000].map |$i| { ["k${i}", $i] })',
    "z": "9223372036854775807",
    "m": "Integer[1, 60].reduce(['x']) |$m, $i| { [$m, $m] }",
    "y": "String('a: 1', '%-5000000s')",
}
CALLS = (
    *("{f}(${x})", "{f}(${x}, ${x})", "{f}(${x}, 'a')", "{f}('a', ${x})", "{f}(${x}, 3)", "{f}(${x}, {{}})"),
    *("{f}(${x}, ' ', 'x')", "{f}(${x}, ' ', 'x', 'G')", "{f}('%s', ${x})", "{f}(${x}, ${x}, ${x})"),
    *("{f}([${x}])", "{f}([${x}], ${x})", "{f}(*${x})", "{f}(${x}, [])", "{f}('a', 'zzzzzzzz', ${x})"),
    *("{f}(${x}) |*$a| {{ $a }}", "{f}(${x}, 1, 'b') |*$a| {{ 1 }}"),
)
# programs with a long call into C
LONG_CALLS = (
    *("range('a', 'zzzzzzzz').length", "seeded_rand_string(60000000, 'x')", "upcase($u)", "downcase($u)"),
    *("capitalize($u)", "shell_escape($s)", "powershell_escape($s)", "regexpescape($s)", "regsubst($s, ' ', 'x', 'G')"),
    *("regsubst($s, '(a)|( )', '\\\\1-', 'G')", "$s =~ /b$/", "$s.match(/( )+x/)", "split($s, ' ')", "$s.split(/ /)"),
    *("join($a, ',')", "join($t)", "parseyaml($y)", "to_yaml($t)", "to_json($n)", "parsejson($s)"),
    *("md5($s)", "sha256($s)", "base64('encode', $s)", "base64('decode', $s)", "fqdn_rand(100, $s)"),
    *("\"${s}${s}\".length", "$a == $t", "$a + $a", "$t - $a", "$h + $h", "[$a, $a].flatten", "$n.flatten.unique"),
    *("$t.sort", "$a.reverse_each.map |$x| { $x }", "$t.unique", "type($n)", "$n =~ Array[Tuple[Integer, Data]]"),
    *("sprintf('%s%s', $s, $s)",),
    *("$s in $s", "$s == \"${s}x\"", "$s.capitalize", "squeeze($s)", "$s.strip.length", "swapcase($s)", "$u.swapcase"),
    *("String($a).length", "String($n, '%#p').length", "Integer($b)", "Binary($s, '%s')", "convert_base($b, 16)"),
    *("regsubst($b, ' {0,900}x', 'y', 'G')", "split($b, / {0,900}x/)", "regsubst($b, '(?: ?){3}', 'y', 'G')"),
    *("pw_hash($s, 'SHA-512', 'salt')", "$a.sort |$x, $y| { compare($y, $x) }", "$t[0, 200000]"),
    *("shuffle($t)", "fqdn_rotate($t)", "fqdn_rand_string(50000000)", "stdlib::rand_seed($s)", "$s[1, 9000000].length"),
)  # fmt: skip


@pytest.fixture(scope="module")
def large() -> Session:
    """A session with large values."""
    session = Session("puppet", interactive=True)
    for name, source in LARGE.items():
        outcome = session.run(f"${name} = {source} notice(1)")
        assert outcome.error is None, (name, outcome.error)
    return session


@contextmanager
def interrupt_on_alarm() -> Iterator[None]:
    """Let the alarm of the CPU timer interrupt this process."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        os.kill(os.getpid(), signal.SIGINT)

    former = signal.signal(signal.SIGVTALRM, interrupt)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, former)


def measure_delay(session: Session, source: str) -> float:
    """Return the CPU seconds from the interrupt to the end of a program; negative if it ended before."""
    outcome: Any = None
    with interrupt_on_alarm():
        start = time.process_time()
        signal.setitimer(signal.ITIMER_VIRTUAL, DELAY)
        try:
            with session.guard():
                outcome = session.run(source)
                end = time.process_time()
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
                if outcome.error is None:
                    session.undo()
        except KeyboardInterrupt:
            end = time.process_time()
    assert outcome is None or outcome.error is None or outcome.error.code != "INTERNAL_ERROR", outcome.error
    return end - start - DELAY


def stops_too_late(session: Session, source: str) -> bool:
    """Return True if three attempts all end too late; on a busy machine single ones may."""
    return all(exceeds(measure_delay(session, source), BOUND) for _ in range(3))


def test_a_long_call_into_c_can_be_stopped(large: Session) -> None:
    assert not [source for source in LONG_CALLS if stops_too_late(large, source)]


@pytest.mark.parametrize("part", range(8))
def test_every_function_can_be_stopped(large: Session, part: int) -> None:
    slow = []
    # a sample of the calls; PUPPET_KERNEL_ALL_CALLS=1 makes all of them
    calls_all = bool(os.environ.get("PUPPET_KERNEL_ALL_CALLS"))
    for number, name in enumerate(sorted(registry.list_function_names())):
        if number % 8 != part:
            continue
        for row, call in enumerate(CALLS):
            for column, argument in enumerate(LARGE):
                if not calls_all and (number + 7 * row + 3 * column) % 80:
                    continue
                source = call.format(f=name, x=argument)
                if stops_too_late(large, source):
                    slow.append(source)
    assert not slow
