"""`python -m tests.reliability.hostile_cells [--count N] [--dialect NAME] [--only TEXT]`: hostile cells, in a kernel.

Programs, displays, commands, completions and questions, put together from tables of shapes. Each ends by itself or
within a moment of an interrupt; the kernel lives on, tells of no defect of its own, and keeps to its memory.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from queue import Empty
from typing import Any

from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import KernelManager

ROOT = Path(__file__).parents[2]
PATIENCE = 1.5  # seconds until a cell is interrupted
STOPPED = 0.25  # seconds from the interrupt to the reply, on an idle machine
MEGABYTES = 600
KERNELS = {"spec": "puppet", "puppet": "puppet-released"}

# shapes of values: they grow, repeat themselves, are deep, or wide
SHAPES = {
    "doubled array": "Integer[1, 60].reduce(['x']) |$m, $i| { [$m, $m] }",
    "doubled hash": "Integer[1, 60].reduce({ k => 1 }) |$m, $i| { { a => $m, b => $m } }",
    "doubled key": "Integer[1, 60].reduce({}) |$m, $i| { { $m => $m } }",
    "doubled secret": "Integer[1, 60].reduce(Sensitive(['x'])) |$m, $i| { [$m, $m] }",
    "doubled type": "Integer[1, 40].reduce(Integer) |$m, $i| { Tuple[$m, $m] }",
    "doubled struct": "Integer[1, 40].reduce(Integer) |$m, $i| { Struct[{ a => $m, b => $m }] }",
    "deep array": "Integer[1, 20000].reduce(['x']) |$m, $i| { [$m] }",
    "deep hash": "Integer[1, 20000].reduce({}) |$m, $i| { { a => $m } }",
    "deep type": "Integer[1, 2000].reduce(Integer) |$m, $i| { Array[$m] }",
    "many arrays": "Integer[1, 200000].map |$i| { [$i, 'a'] }",
    "many hashes": 'Integer[1, 100000].map |$i| { { "k${i}" => $i } }',
    "many texts": 'Integer[1, 300000].map |$i| { "text ${i}" }',
    "many numbers": "Array(Integer[1, 2000000])",
    "wide hash": 'Hash(Integer[1, 200000].map |$i| { ["k${i}", [$i]] })',
    "long text": "String('x', '%20000000s')",
    "long lines": "regsubst(String('x', '%2000000s'), ' ', \"\\n\", 'G')",
    "control characters": "regsubst(String('x', '%2000000s'), ' ', \"\\u{1b}\\u{202e}\", 'G')",
    "markup": "regsubst(String('x', '%1000000s'), ' ', '<script>', 'G')",
    "long enum": 'Enum[*(Integer[1, 50000].map |$i| { "s${i}" })]',
    "bytes": "Binary(String('x', '%10000000s'), '%s')",
    "digits": "Integer(String('9', '%070000d'))",
    "long keys": "Hash(Integer[1, 2000].map |$i| { [\"${i}${String('k', '%10000s')}\", { a => $i }] })",
    "large secret": "Sensitive(Array(Integer[1, 500000]))",
    "lazy chain": "Integer[1, 1000000000000].reverse_each.step(3)",
    "large call for later": "Deferred('join', [Array(Integer[1, 300000])])",
}
# what is done with a shape, `$v`
USES = {
    "shown": "$v",
    "timed": "%time $v",
    "listed": "%vars",
    "asked for": "??v",
    "as text": '"${v}"',
    "noticed": "notice($v)",
    "failing": "fail($v)",
    "a mistake": "Integer($v)",
    "a parameter": "function f(Integer $p) { 1 } f($v)",
    "a message": "notify { 'a': message => $v }",
    "a title": "notify { $v: }",
    "a type": "type($v)",
    "compared": "$v == [$v, 1]",
    "as JSON": "to_json($v)",
    "in a format": "sprintf('%s %p', $v, $v)",
    "a list of resources": "notify { 'a': message => $v, tag => [$v] } Notify['a'] { noop => $v }",
}
# each line names the one before it twice
BOMB = (
    "parseyaml(@(END))\na0: &a0 [x, x]\n"
    + "".join(f"a{i + 1}: &a{i + 1} [*a{i}, *a{i}]\n" for i in range(40))
    + "END\n"
)
# cells that are hostile by themselves
CELLS = {
    "endless": "Integer[1, 1000000000000].each |$x| { }",
    "endless lines": "Integer[1, 1000000000000].each |$x| { notice($x) }",
    "endless long lines": "$l = String('x', '%100000s') Integer[1, 1000000000000].each |$x| { warning($l) }",
    "endless growth": "Integer[1, 1000000000000].map |$x| { [$x, [$x]] }",
    "endless text": 'Integer[1, 1000000000000].reduce("a") |$m, $x| { "${m}${m}" }',
    "endless recursion": "function f($x) { f([$x]) } f(1)",
    "two ways of recursion": "function f($n) { if $n > 0 { f($n - 1) f($n - 1) } } f(60)",
    "recursive defines": "define d() { d { \"${title}x\": } } d { 'x': }",
    "recursive classes": "class a { include b } class b { include a } include a",
    "recursive alias": "type A = Variant[Tuple[A, A], Integer]\nInteger[1, 40].reduce(1) |$m, $i| { [$m, $m] } =~ A",
    "recursive template": "function f() { inline_epp('<%= f() %>') } f()",
    "slow pattern": "'" + "a" * 50 + "!' =~ /(a|aa)+$/",
    "slow patterns": "Integer[1, 1000000].each |$i| { 'aaaaaaaaaaaaaaaaaaaaaaaaaaaa!' =~ /(a+)+$/ }",
    "slow replacement": "regsubst(String('', '%10000000s'), '( )+?x', 'y', 'G')",
    "many resources": 'Integer[1, 90000].each |$i| { notify { "n${i}": } }',
    "too many resources": 'Integer[1, 9000000].each |$i| { notify { "n${i}": } }',
    "many virtual resources": "Integer[1, 50000].each |$i| { @notify { \"n${i}\": } } Notify <| title == 'n7' |>",
    "collectors": "Integer[1, 3000].each |$i| { @notify { \"n${i}\": } Notify <| title == \"n${i}\" |> }",
    "chain": "Integer[1, 3000].each |$i| { notify { \"n${i}\": } } Notify <| |> -> Notify <| |>",
    "many defines": "define d() { notify { $title: } } Integer[1, 30000].each |$i| { d { \"x${i}\": } }",
    "many definitions": "\n".join(f"function f{i}($x) {{ $x + {i} }}" for i in range(5000)),
    "many classes": "\n".join(f"class c{i} {{ notify {{ 'n{i}': }} }} include c{i}" for i in range(2000)),
    "many variables": "\n".join(f"$v{i} = {i}" for i in range(20_000)),
    "many statements": "notice(1)\n" * 20_000,
    "many arrows": " -> ".join(f"notify {{ 'n{i}': }}" for i in range(2000)),
    "deep brackets": "[" * 9000 + "]" * 9000,
    "too deep brackets": "[" * 100_000,
    "deep braces": "if true {" * 5000 + "}" * 5000,
    "open quote": "'" + "a" * 2_000_000,
    "long comment": "# " + "c" * 4_000_000,
    "long number": "9" * 1_000_000,
    "surrogates": "notice(\"\\ud800\") '\ud7ff'",
    "no characters": "'\ufffe\uffff\x01\x9b\u202e'",
    "shift": "1 << 2000000000",
    "width": "sprintf('%2000000000d', 1)",
    "range": "Array(Integer[1, 9223372036854775807])",
    "text range": "range('a', 'zzzzzzzzz')",
    "random": "seeded_rand_string(60000000, 'x')",
    "wildcards": "glob('/*/*/*/*/*')",
    "bomb of YAML": BOMB,
    "deep YAML": "parseyaml('" + "[" * 50_000 + "')",
    "deep JSON": "parsejson('" + "[" * 50_000 + "', 1)",
    "alike keys": "Integer[1, 60000].map |$k| { [$k * 2305843009213693951, 1] }.convert_to(Hash).length",
    "format of much": "%format\n" + "\n".join(f"notify {{ 'n{i}': message => [1, 2] }}" for i in range(20_000)),
    "time of much": "%time Integer[1, 1000000000000].each |$x| { }",
    "undo of nothing": "%undo",
    "facts of much": "%facts " + "x" * 100_000,
    "help of much": "%help " + "x" * 1_000_000,
    "question of much": "??" + "x" * 1_000_000,
    "unknown command": "%" + "x" * 1_000_000,
    "limit": "%limits max_memory 999999999999999999999999",
    "node of much": "%node " + "x" * 100_000,
    "explanation of much": "%explain " + "x" * 100_000,
    "parts of much": "%step Integer[1, 1000000000000].each |$x| { notice($x) }",
    "what if of much": "%whatif kernel=" + ",".join(f"k{i}" for i in range(50_000)),
    "both of much": "%both Integer[1, 1000000000000].map |$x| { \"${x}\" }",
    "reason of much": "%why Notify[" + "x" * 100_000 + "]",
    "difference of much": "%diff " + "x" * 100_000 + " y",
    "lazy chains": "Integer[1, 100000].reduce(Integer[1, 9].reverse_each) |$m, $i| { $m.reverse_each }",
    "recursion by call": "function f($x) { call('f', [$x, $x]) } f(1)",
    "recursion by a block": "function f($n, Callable &$b) { f($n + 1) |$x| { $x } } f(1) |$x| { $x }",
    "large template": "inline_epp('" + "<%= 1 %>" * 50_000 + "')",
    "endless template": "inline_epp('<% Integer[1, 1000000000000].each |$x| { %>x<% } %>')",
    "large pattern": "'x' =~ Regexp[\"" + "(a|b)?" * 10_000 + '"]',
    "many patterns": 'Integer[1, 1000000].each |$i| { "x${i}" =~ Regexp["x${i}+"] }',
    "log lines with markup": "Integer[1, 1000000].each |$i| { warning('<b>$x$</b>\u001b[31m') }",
    "many arguments": "sprintf('" + "%d" * 50_000 + "', *Array(Integer[1, 50000]))",
    "many formats of time": "Integer[1, 1000000].each |$i| { Timespan($i).strftime('%D-%H:%M:%S.%N') }",
    "long format of time": "Timestamp(0).strftime('" + "%F %T " * 200_000 + "')",
    "large type in a mistake": "type T = Enum["
    + ", ".join(f"e{i}" for i in range(50_000))
    + "]\nfunction f(T $x) { } f(1)",
    "many defaults": "\n".join(f"class c{i} {{ Notify {{ tag => 't' }} notify {{ 'n{i}': }} }}" for i in range(2000))
    + "\n"
    + "\n".join(f"include c{i}" for i in range(2000)),
    "many nodes": "\n".join(f"node 'n{i}' {{ notify {{ 'n{i}': }} }}" for i in range(3000)),
}  # fmt: skip
# commands after a large catalog
PREPARED = 'Integer[1, 5000].each |$i| { notify { "n${i}": } } Notify["n1"] -> Notify["n2"]'
COMMANDS = (
    *(
        "%catalog",
        "%catalog --json",
        "%graph",
        "%graph --all",
        "%graph Notify['n7']",
        "%graph --dot",
        "%cells",
    ),
    *("%vars", "%undo", "%redo", "%node other", "%dialect", "%limits"),
)
# what an editor asks while one types
QUESTIONS = {
    "after much": ("x" * 1_000_000, 1_000_000),
    "in brackets": ("[" * 50_000, 50_000),
    "of a name": ("include " + "a::" * 20_000, 60_000),
    "of a method": ("$v.", 3),
    "of an index": ("$v[", 3),
    "beyond the end": ("notice", 10**9),
    "before the start": ("notice", -5),
    "in the middle": ("notify { 'a': " * 5000, 40_000),
}


def cells() -> Iterator[tuple[str, list[str]]]:
    """Return the hostile programs: a name and its cells, of which the last one is hostile."""
    for shape, source in SHAPES.items():
        for use, code in USES.items():
            yield f"{shape}, {use}", [f"$v = {source} notice(1)", code]
    for name, code in CELLS.items():
        yield name, [code]
    for command in COMMANDS:
        yield f"{command} of many", [PREPARED, command]


class Hostile:
    """A kernel of a dialect that is given one hostile cell after the other, and what was wrong with them."""

    def __init__(self, dialect: str) -> None:
        specs = KernelSpecManager(kernel_dirs=[str(ROOT / "puppet_kernel" / "kernelspecs")])
        self.manager = KernelManager(kernel_name=KERNELS[dialect], kernel_spec_manager=specs)
        self.state = tempfile.TemporaryDirectory()
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_STATE_HOME": self.state.name}
        # what the framework logs of messages that mean nothing is not looked at
        self.manager.start_kernel(env=environment, cwd=self.state.name, stderr=subprocess.DEVNULL)
        self.client = self.manager.blocking_client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=60)
        self.process: int = self.manager.provisioner.pid  # type: ignore[union-attr]
        self.base = self._memory("VmRSS")
        self.wrong: list[str] = []
        self.slowest = self.largest = 0.0

    def close(self) -> None:
        """Ends the kernel."""
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)
        self.state.cleanup()

    def _memory(self, name: str) -> float:
        """Megabytes of the kernel's process."""
        lines = Path(f"/proc/{self.process}/status").read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(name))

    def _reply(self, message: str, seconds: float) -> dict[str, Any] | None:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            try:
                reply = self.client.get_shell_msg(timeout=max(deadline - time.monotonic(), 0.01))
            except Empty:
                return None
            if reply["parent_header"].get("msg_id") == message:
                content: dict[str, Any] = reply["content"]
                return content
        return None

    def _drain(self, message: str) -> str:
        """Return the messages published up to the end of an execution, shortened."""
        shown: list[str] = []
        while True:
            try:
                found = self.client.get_iopub_msg(timeout=20)
            except Empty:
                return "never idle"
            if found["parent_header"].get("msg_id") != message:
                continue
            if found["msg_type"] == "status" and found["content"]["execution_state"] == "idle":
                return "".join(shown)
            shown.append(str(found["content"])[:1000])

    def run(self, name: str, sources: Sequence[str], patience: float) -> None:
        """Runs some cells; the last one is what is looked at, and is interrupted after so many seconds."""
        self.client.execute("%reset", silent=True)
        for source in sources[:-1]:
            self._reply(self.client.execute(source, store_history=False), 60)
        Path(f"/proc/{self.process}/clear_refs").write_text("5", encoding="ascii")
        before = self._memory("VmRSS")
        message = self.client.execute(sources[-1], store_history=False)
        reply = self._reply(message, patience)
        if reply is None:
            begun = time.monotonic()
            os.kill(self.process, signal.SIGINT)
            reply = self._reply(message, 30)
            took = time.monotonic() - begun
            self.slowest = max(self.slowest, took)
            if took > STOPPED * slowness():
                self.wrong.append(f"{name}: {took:.2f} s after the interrupt")
        shown = self._drain(message)
        peak = self._memory("VmHWM") - before
        self.largest = max(self.largest, peak)
        if peak > MEGABYTES:
            self.wrong.append(f"{name}: {peak:.0f} MB")
        if reply is None or not self.manager.is_alive():
            self.wrong.append(f"{name}: no reply")
            raise RuntimeError(self.wrong[-1])
        if reply.get("ename") == "INTERNAL_ERROR" or "cannot be shown" in shown or shown == "never idle":
            self.wrong.append(f"{name}: {reply.get('evalue', '')[:200]} {shown[:200]}")

    def ask(self, name: str, code: str, cursor: int) -> None:
        """Completes and inspects."""
        for ask in (self.client.complete, self.client.inspect):
            begun = time.monotonic()
            reply = self._reply(ask(code, cursor), 30)
            if reply is None or reply["status"] != "ok":
                self.wrong.append(f"{name}: {reply}")
            if time.monotonic() - begun > 2.5 * slowness():  # what helps who types may take two seconds
                self.wrong.append(f"{name}: {time.monotonic() - begun:.1f} s")

    def lives(self) -> None:
        """Says what is wrong when the kernel does not go on as if nothing had happened."""
        self.client.execute("%reset", silent=True)
        message = self.client.execute("$a = 1 + 1")
        if (self._reply(message, 30) or {}).get("status") != "ok" or "2" not in self._drain(message):
            self.wrong.append("it does not go on")


def slowness() -> float:
    """How many programs each processor has to share itself among."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


def campaign(
    dialect: str, count: int | None = None, patience: float = PATIENCE, only: str = "", place: int = 0
) -> Hostile:
    """Run the cells, or a sample spread over all, and return the results.

    patience  seconds until a cell is interrupted
    only      what the names of those that run have in them
    place     which of two samples it is, so that two dialects run different cells
    """
    every = [cell for cell in cells() if only in cell[0]]
    step = max(1, len(every) // count) if count else 1
    kernel = Hostile(dialect)
    try:
        for name, sources in every[place * step // 2 :: step]:
            kernel.run(name, sources, patience)
        for name, (code, cursor) in QUESTIONS.items():
            kernel.ask(name, code, cursor)
        kernel.lives()
    finally:
        kernel.close()
    return kernel


def main() -> int:
    """Run both dialects, or one; the exit code is 1 if there are violations."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=None, help="only so many cells")
    parser.add_argument("--dialect", choices=KERNELS, default=None)
    parser.add_argument("--only", default="", help="only cells with this in their names")
    options = parser.parse_args()
    wrong = []
    for dialect in [options.dialect] if options.dialect else KERNELS:
        kernel = campaign(dialect, options.count, only=options.only)
        print(f"{dialect}: slowest stop {kernel.slowest:.3f} s, most memory {kernel.largest:.0f} MB")
        wrong += [f"{dialect}: {each}" for each in kernel.wrong]
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
