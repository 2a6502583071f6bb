"""Every built-in function, with arguments that are as large as they may be, can be stopped, and soon.

One call into C is one step: no interrupt is heard before it returns. So each function of the registry is called with
large texts, numbers, arrays and hashes in every place; an interrupt comes a moment later, and what runs has to end.
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

AFTER = 0.02  # seconds of CPU until the interrupt comes
STOPPED = float(
    os.environ.get("PUPPET_KERNEL_STOP_SECONDS", "0.4")
)  # CPU until what runs has ended; 0.05 when idle
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
# what has a long call of its own
SPECIAL = (
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
def alarmed() -> Iterator[None]:
    """An alarm becomes an interrupt."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        os.kill(os.getpid(), signal.SIGINT)

    former = signal.signal(signal.SIGVTALRM, interrupt)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, former)


def late(session: Session, source: str) -> float:
    """The CPU seconds after an interrupt was due until a program had ended; negative when it ended before."""
    outcome: Any = None
    with alarmed():
        begun = time.process_time()
        signal.setitimer(signal.ITIMER_VIRTUAL, AFTER)
        try:
            with session.guard():
                outcome = session.run(source)
                ended = time.process_time()
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
                if outcome.error is None:
                    session.undo()
        except KeyboardInterrupt:
            ended = time.process_time()
    assert outcome is None or outcome.error is None or outcome.error.code != "INTERNAL_ERROR", outcome.error
    return ended - begun - AFTER


def is_late(session: Session, source: str) -> bool:
    """Return whether each of three interrupts of a program came too late: a busy machine spoils single ones."""
    return all(exceeds(late(session, source), STOPPED) for _ in range(3))


def test_what_has_a_long_call(large: Session) -> None:
    assert not [source for source in SPECIAL if is_late(large, source)]


@pytest.mark.parametrize("part", range(8))
def test_every_function(large: Session, part: int) -> None:
    slow = []
    # a sample of the calls; PUPPET_KERNEL_ALL_CALLS=1 makes all of them
    everything = bool(os.environ.get("PUPPET_KERNEL_ALL_CALLS"))
    for number, name in enumerate(sorted(registry.list_function_names())):
        if number % 8 != part:
            continue
        for place, call in enumerate(CALLS):
            for turn, argument in enumerate(LARGE):
                if not everything and (number + 7 * place + 3 * turn) % 80:
                    continue
                source = call.format(f=name, x=argument)
                if is_late(large, source):
                    slow.append(source)
    assert not slow
