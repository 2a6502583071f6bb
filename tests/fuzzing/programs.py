"""`python -m tests.fuzzing.programs [--count N] [--seed S]` runs random inputs of a user.

Each input is composed from tables: values (large, deep, shared, unusual), all functions with and without lambdas,
operators, types, resources, collectors, definitions, commands and queries such as `?x`. A shell runs it, and its reply
is rendered in every format; the input is also completed and inspected. There must be no Python exception, no
INTERNAL_ERROR, and no result that cannot be rendered. An input that takes long is interrupted, as a user would do, and
must end then.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from random import Random
from types import FrameType

from evaluator.calling import registry
from puppet_kernel.commands.command import COMMANDS
from puppet_kernel.jupyter.display import make_bundle, make_error_content
from puppet_kernel.rendering.text import render_ansi
from puppet_kernel.replies import Reply
from puppet_kernel.shell import Shell
from tests.effort import exceeds
from tests.fuzzing.inputs import read_own_corpus

PATIENCE = 1.0  # seconds until an input is interrupted
LIMITS = {
    "max_collection_size": 200_000,
    "max_string_length": 4_000_000,
    "max_memory": 300_000_000,
    "max_regexp_seconds": 0.3,
    "max_call_frames": 20_000,
    "max_resources": 20_000,
}
PER_SHELL = 40  # inputs that one session runs

VALUES = (
    *("undef", "default", "true", "1", "-7", "0x1F", "1.5", "''", "'a'", "'a b'", '"\\u{1b}\\n"', "/a(b)?/"),
    *("[]", "{}", "[1, 'a', undef]", "{ a => 1, 'b' => [2] }", "[[1, 2], [3]]", "Integer", "String[1, 3]"),
    *(
        "Array[Integer]",
        "Variant[Integer, String]",
        "Notify['a']",
        "Notify",
        "Class['c']",
        "File",
        "Type[Any]",
    ),
    *(
        "Sensitive('s')",
        "Timestamp(0)",
        "Timespan(90)",
        "SemVer('1.2.3')",
        "URI('http://a/b')",
        "Binary('YQ==')",
    ),
    *("Integer[1, 5]", "Enum['a', 'b']", "$x", "$y", "$facts", "$nothing", "9223372036854775807", "1e300"),
    *(
        "'%s %d'",
        "'a::b'",
        "'/etc/passwd'",
        "'../x'",
        "'[0]'",
        "'{\"a\": [1]}'",
        "'%Y'",
        "'(a+)+$'",
        "'日本'",
    ),
    *("Array(Integer[1, 3000])", "String('x', '%9000s')", "Integer[1, 40].reduce([1]) |$m, $i| { [$m, $m] }"),
    *("Integer[1, 300].reduce([1]) |$m, $i| { [$m] }", "Integer[1, 300].reduce({}) |$m, $i| { { a => $m } }"),
    *(
        "Integer[1, 30].reduce(Integer) |$m, $i| { Tuple[$m, $m] }",
        "Integer[1, 9].map |$i| { { $i => 'v' } }",
    ),
)
OPERATORS = (
    *("+", "-", "*", "/", "%", "<<", ">>", "==", "!=", "<", ">", "<=", ">=", "=~", "!~", "in", "and", "or"),
    *("->", "~>"),
)
# {v} is a value, {o} an operator, {f} the name of a function, {c} of a command, {e} an example; {{ is a brace.
FORMS = """
$x = {v}
$y = {v}
{v}
{v} {o} {v}
{v} {o} {v}
{v}[{v}]
{v}[{v}, {v}]
"${{{v}}} b"
{f}({v})
{f}({v}, {v})
{f}({v}, {v}, {v})
{f}()
{v}.{f}
{v}.{f}({v})
{f}({v}, {v}, {v}, {v})
{v}.{f} |$a| {{ $a }}
{v}.{f} |$a, $b| {{ [$a, $b] }}
{v}.{f}({v}) |$a, $b| {{ {v} }}
{f}({v}) |$a| {{ {v} }}
{f}(*{v})
[*{v}, {v}]
{{ {v} => {v}, {v} => {v} }}
!{v}
-{v}
[{v}, {v}]
if {v} {{ {v} }} else {{ {v} }}
case {v} {{ {v}: {{ {v} }} default: {{ {v} }} }}
{v} ? {{ {v} => {v}, default => {v} }}
notify {{ {v}: message => {v} }}
notify {{ 'n': message => {v}, noop => {v}, tag => {v}, require => {v} }}
@notify {{ {v}: }}
@@file {{ {v}: ensure => {v}, mode => {v} }}
Notify <| title == {v} |>
Notify <| |> {{ message => {v} }}
file {{ '/a': ensure => {v}, content => {v}, owner => {v} }}
Notify {{ message => {v} }}
realize({v})
Notify['a'] {{ message => {v} }}
class c($p = {v}) {{ {v} }}
class {{ 'c': p => {v} }}
include {v}
define d($p = {v}) {{ notify {{ $title: message => $p }} }}
d {{ {v}: p => {v} }}
function g($a = {v}) {{ {v} }}
g({v})
type T = Variant[Integer, Array[T]]
{v} =~ T
type({v})
{v}.new({v})
node default {{ {v} }}
inline_epp('<%= $a %>', {v})
notice({v})
warning({v})
fail({v})
lookup({v})
%time {v}
Struct[{{ a => {v} }}]
Tuple[{v}, {v}]
Hash[{v}, {v}]
Integer[{v}, {v}]
Pattern[{v}]
Optional[{v}]
Callable[{v}]
%{c}
%{c} {v}
?{f}
??{f}
?x
??x
%help {f}
%{c} {e}
{e}
{e}
{e} {v}
%undo
%redo
%graph --all
""".strip().splitlines()


def iterate_inputs(seed: int) -> Iterator[str]:
    """Yield inputs without end; a seed always has the same ones."""
    random = Random(seed)
    functions = sorted(registry.list_function_names())
    examples = [example.source for name in functions for example in registry.find_function(name).examples]
    examples += [case.source for case in read_own_corpus() if not case.epp]
    # Commands that end the session are left out.
    commands = [command.name for command in COMMANDS if command.name not in ("quit", "exit")]
    pick = {
        "v": lambda: random.choice(VALUES),
        "o": lambda: random.choice(OPERATORS),
        "f": lambda: random.choice(functions),
        "c": lambda: random.choice(commands),
        "e": lambda: random.choice(examples),
    }
    while True:
        # Doubled braces are replaced by other characters while each placeholder gets a choice of its own.
        pieces = random.choice(FORMS).replace("{{", "\0").replace("}}", "\1").split("{")
        text = pieces[0] + "".join(pick[piece[0]]() + piece[2:] for piece in pieces[1:])
        yield text.replace("\0", "{").replace("\1", "}")


def find_violations(shell: Shell, source: str, cursor: int) -> Iterator[str]:
    """Run an input, and yield the properties that are violated.

    Args:
        shell: The shell.
        source: The input.
        cursor: The offset at which it is completed and inspected.
    """
    start = time.process_time()
    signal.setitimer(signal.ITIMER_REAL, PATIENCE)
    try:
        with shell.session.guard():  # as front ends do: an interrupt between two steps stops the next one
            yield from _run_input(shell, source, cursor)
    except KeyboardInterrupt:
        yield "an interrupt was not handled"
    except Exception as error:
        yield f"{type(error).__name__}: {str(error)[:200]}"
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    seconds = time.process_time() - start
    if exceeds(seconds, PATIENCE + 3):
        yield f"slow: {seconds:.1f} s"


def _run_input(shell: Shell, source: str, cursor: int) -> Iterator[str]:
    """Run, render, complete and inspect an input, and yield the violated properties."""
    reply = shell.submit(source)
    texts: dict[str, str] = {}
    with suppress(KeyboardInterrupt):
        texts = shell.session.call_supervised(partial(_render, reply))
    if reply.error is not None:
        make_error_content(reply)
        if reply.error.code == "INTERNAL_ERROR":
            yield f"defect: {reply.error}"
    if "cannot be shown" in texts.get("text/plain", "")[:200]:
        yield f"not shown: {texts['text/plain'][:200]}"
    for query in (shell.complete, shell.inspect):
        with suppress(KeyboardInterrupt, TimeoutError):
            shell.supervise_briefly(partial(query, source, cursor))


def _render(reply: Reply) -> dict[str, str]:
    """Render a reply in every format, and return its texts by MIME type."""
    if reply.element is not None:
        render_ansi(reply.element, 80, highlight=True)
    return make_bundle(reply.element)


def run_campaign(count: int, seed: int) -> Iterator[tuple[str, str]]:
    """Run a number of inputs and yield each violation with its input."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        os.kill(os.getpid(), signal.SIGINT)

    former_alarm = signal.signal(signal.SIGALRM, interrupt)
    former_interrupt = signal.signal(signal.SIGINT, signal.default_int_handler)
    former_folder = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            random = Random(seed)
            for number, source in zip(range(count), iterate_inputs(seed), strict=False):
                if number % PER_SHELL == 0:
                    dialect = random.choice(("spec", "puppet"))
                    shell = Shell({"dialect": dialect, "limits": LIMITS}, with_type=True, guarded=True)
                for violation in find_violations(shell, source, random.randint(0, len(source))):
                    yield source, violation
        finally:
            os.chdir(former_folder)
            signal.signal(signal.SIGALRM, former_alarm)
            signal.signal(signal.SIGINT, former_interrupt)


def main() -> int:
    """Run the number of inputs in the options, and return 1 if there are violations."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=1000, help="how many inputs")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    count, start = 0, time.monotonic()
    for offset in range(0, options.count, 1000):
        size = min(1000, options.count - offset)
        for source, violation in run_campaign(size, options.seed + offset // 1000):
            print(violation, repr(source), sep="\t", flush=True)
            count += 1
        print(
            f"{offset + size} inputs, {count} violations, {time.monotonic() - start:.0f} s", file=sys.stderr
        )
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
