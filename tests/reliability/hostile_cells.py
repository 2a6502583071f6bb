"""`python -m tests.reliability.hostile_cells [--count N] [--dialect NAME] [--only TEXT]`: hostile cells, in a kernel.

The cells combine values and uses from two tables: programs, displays, commands, completions and inspections. Each
ends by itself or soon after an interrupt; the kernel survives, reports no internal error, and keeps to a bound of
memory.
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
STOP_SECONDS = 0.25  # seconds from the interrupt to the reply, on an idle machine
MEGABYTES = 600
KERNELS = {"spec": "puppet", "puppet": "puppet-released"}

# values that are large, deep, wide, or share their parts
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
    "large deferred call": "Deferred('join', [Array(Integer[1, 300000])])",
}
# uses of a value, `$v`
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
# each line refers twice to the one before
BOMB = (
    "parseyaml(@(END))\na0: &a0 [x, x]\n"
    + "".join(f"a{i + 1}: &a{i + 1} [*a{i}, *a{i}]\n" for i in range(40))
    + "END\n"
)
# cells that are hostile without such a value
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
    "YAML bomb": BOMB,
    "deep YAML": "parseyaml('" + "[" * 50_000 + "')",
    "deep JSON": "parsejson('" + "[" * 50_000 + "', 1)",
    "keys with the same hash": "Integer[1, 60000].map |$k| { [$k * 2305843009213693951, 1] }.convert_to(Hash).length",
    "format of much": "%format\n" + "\n".join(f"notify {{ 'n{i}': message => [1, 2] }}" for i in range(20_000)),
    "time of much": "%time Integer[1, 1000000000000].each |$x| { }",
    "undo of nothing": "%undo",
    "facts of much": "%facts " + "x" * 100_000,
    "help of much": "%help " + "x" * 1_000_000,
    "inspection of much": "??" + "x" * 1_000_000,
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
LARGE_CATALOG = 'Integer[1, 5000].each |$i| { notify { "n${i}": } } Notify["n1"] -> Notify["n2"]'
COMMANDS = (
    "%catalog",
    "%catalog --json",
    "%graph",
    "%graph --all",
    "%graph Notify['n7']",
    "%graph --dot",
    "%cells",
    "%vars",
    "%undo",
    "%redo",
    "%node other",
    "%dialect",
    "%limits",
)
# requests of an editor while the user types: code and position of the cursor
HELP_REQUESTS = {
    "after much": ("x" * 1_000_000, 1_000_000),
    "in brackets": ("[" * 50_000, 50_000),
    "of a name": ("include " + "a::" * 20_000, 60_000),
    "of a method": ("$v.", 3),
    "of an index": ("$v[", 3),
    "beyond the end": ("notice", 10**9),
    "before the start": ("notice", -5),
    "in the middle": ("notify { 'a': " * 5000, 40_000),
}


def list_cells() -> Iterator[tuple[str, list[str]]]:
    """Yield the name and the cells of each hostile program; its last cell is hostile."""
    for shape, source in SHAPES.items():
        for use, code in USES.items():
            yield f"{shape}, {use}", [f"$v = {source} notice(1)", code]
    for name, code in CELLS.items():
        yield name, [code]
    for command in COMMANDS:
        yield f"{command} of many", [LARGE_CATALOG, command]


class KernelUnderTest:
    """A kernel in which hostile cells run one after the other.

    Attributes:
        violations: A text for each violation of a bound.
        slowest: The greatest number of seconds from an interrupt to the reply.
        largest: The greatest number of megabytes that a cell has added to the process.
    """

    def __init__(self, dialect: str) -> None:
        specs = KernelSpecManager(kernel_dirs=[str(ROOT / "puppet_kernel" / "kernelspecs")])
        self.manager = KernelManager(kernel_name=KERNELS[dialect], kernel_spec_manager=specs)
        self.state = tempfile.TemporaryDirectory()
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_STATE_HOME": self.state.name}
        # log lines of ipykernel about malformed messages are discarded
        self.manager.start_kernel(env=environment, cwd=self.state.name, stderr=subprocess.DEVNULL)
        self.client = self.manager.blocking_client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=60)
        self.process: int = self.manager.provisioner.pid  # type: ignore[union-attr]
        self.base = self._read_memory("VmRSS")
        self.violations: list[str] = []
        self.slowest = self.largest = 0.0

    def close(self) -> None:
        """End the kernel."""
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)
        self.state.cleanup()

    def _read_memory(self, name: str) -> float:
        """Return a figure of the kernel's process in megabytes."""
        lines = Path(f"/proc/{self.process}/status").read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(name))

    def _await_reply(self, message: str, seconds: float) -> dict[str, Any] | None:
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

    def _read_outputs(self, message: str) -> str:
        """Return the messages published up to the end of an execution, shortened."""
        outputs: list[str] = []
        while True:
            try:
                found = self.client.get_iopub_msg(timeout=20)
            except Empty:
                return "never idle"
            if found["parent_header"].get("msg_id") != message:
                continue
            if found["msg_type"] == "status" and found["content"]["execution_state"] == "idle":
                return "".join(outputs)
            outputs.append(str(found["content"])[:1000])

    def run(self, name: str, sources: Sequence[str], patience: float) -> None:
        """Run cells, and check the last one, which is interrupted after `patience` seconds."""
        self.client.execute("%reset", silent=True)
        for source in sources[:-1]:
            self._await_reply(self.client.execute(source, store_history=False), 60)
        Path(f"/proc/{self.process}/clear_refs").write_text("5", encoding="ascii")  # resets VmHWM
        before = self._read_memory("VmRSS")
        message = self.client.execute(sources[-1], store_history=False)
        reply = self._await_reply(message, patience)
        if reply is None:
            start = time.monotonic()
            os.kill(self.process, signal.SIGINT)
            reply = self._await_reply(message, 30)
            duration = time.monotonic() - start
            self.slowest = max(self.slowest, duration)
            if duration > STOP_SECONDS * estimate_slowness():
                self.violations.append(f"{name}: {duration:.2f} s after the interrupt")
        shown = self._read_outputs(message)
        peak = self._read_memory("VmHWM") - before
        self.largest = max(self.largest, peak)
        if peak > MEGABYTES:
            self.violations.append(f"{name}: {peak:.0f} MB")
        if reply is None or not self.manager.is_alive():
            self.violations.append(f"{name}: no reply")
            raise RuntimeError(self.violations[-1])
        if reply.get("ename") == "INTERNAL_ERROR" or "cannot be shown" in shown or shown == "never idle":
            self.violations.append(f"{name}: {reply.get('evalue', '')[:200]} {shown[:200]}")

    def request_help(self, name: str, code: str, cursor: int) -> None:
        """Request completion and inspection at a position of the cursor."""
        for request in (self.client.complete, self.client.inspect):
            start = time.monotonic()
            reply = self._await_reply(request(code, cursor), 30)
            if reply is None or reply["status"] != "ok":
                self.violations.append(f"{name}: {reply}")
            if time.monotonic() - start > 2.5 * estimate_slowness():  # such a request may take two seconds
                self.violations.append(f"{name}: {time.monotonic() - start:.1f} s")

    def check_alive(self) -> None:
        """Record a violation if the kernel cannot run another cell."""
        self.client.execute("%reset", silent=True)
        message = self.client.execute("$a = 1 + 1")
        if (self._await_reply(message, 30) or {}).get("status") != "ok" or "2" not in self._read_outputs(
            message
        ):
            self.violations.append("the kernel runs no further cell")


def estimate_slowness() -> float:
    """Return the number of running programs per processor, at least 1."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


def run_cells(
    dialect: str, count: int | None = None, patience: float = PATIENCE, only: str = "", sample: int = 0
) -> KernelUnderTest:
    """Run the cells, or a sample spread over all, and return the kernel with the results.

    Args:
        count: The size of the sample; None for all cells.
        patience: Seconds until a cell is interrupted.
        only: A text that the names of the cells contain.
        sample: 0 or 1: the two samples have different cells.
    """
    every = [cell for cell in list_cells() if only in cell[0]]
    step = max(1, len(every) // count) if count else 1
    kernel = KernelUnderTest(dialect)
    try:
        for name, sources in every[sample * step // 2 :: step]:
            kernel.run(name, sources, patience)
        for name, (code, cursor) in HELP_REQUESTS.items():
            kernel.request_help(name, code, cursor)
        kernel.check_alive()
    finally:
        kernel.close()
    return kernel


def main() -> int:
    """Run both dialects, or one; the exit code is 1 if there are violations."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=None, help="the number of cells (default: all)")
    parser.add_argument("--dialect", choices=KERNELS, default=None)
    parser.add_argument("--only", default="", help="only cells whose names contain this text")
    options = parser.parse_args()
    violations = []
    for dialect in [options.dialect] if options.dialect else KERNELS:
        kernel = run_cells(dialect, options.count, only=options.only)
        print(f"{dialect}: slowest stop {kernel.slowest:.3f} s, most memory {kernel.largest:.0f} MB")
        violations += [f"{dialect}: {each}" for each in kernel.violations]
    print("\n".join(violations))
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
