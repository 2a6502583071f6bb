"""`python -m tests.reliability.soak [--share 1.0]`: use a kernel for a long time.

The whole load (`--share 1`) is 10,000 cells, 50 storms of 5,000 notices, 50 clients with 200 executions each, and 1,000
malformed messages among others. Each request is answered, in order, and memory grows only by what the cells define.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from queue import Empty
from random import Random
from typing import Any

from tests.reliability.hostile_cells import KernelUnderTest

CELLS, STORMS, CLIENTS, MALFORMED = 10_000, 50, 50, 1_000
REQUESTS_AT_ONCE = 20  # sent before the first reply is read
BYTES_PER_CELL = 6_000  # stored by the session for a cell: its source, outcome and position
CELLS_BYTES = 8_000_000  # growth that does not depend on the number of cells
STORM_BYTES = 30_000_000  # the growth that all storms together may cause
SOURCES = (
    "[1, 2, 3].map |$x| { $x * 2 }",
    "notice('hello')",
    "1 +",
    "fail('no')",
    "$facts['os']",
    "type([1, 'a'])",
    "%vars",
    "'abc' =~ /b/",
    "if true { 'yes' }",
    "nosuch(1)",
    'Integer[1, 2000].map |$i| { "text ${i}" }.length',
)
ODD_CONTENTS: tuple[Any, ...] = (
    None,
    [],
    7,
    "x",
    {"code": 7},
    {"code": None},
    {"code": "1", "silent": "x"},
    {"cursor_pos": -1},
)
KINDS = (
    *("execute_request", "complete_request", "inspect_request", "history_request", "is_complete_request"),
    *("nosuch_request", "comm_open", "comm_msg", "input_reply", "x"),
)


class SoakedKernel(KernelUnderTest):
    """A kernel that is used for a long time."""

    def read_resident_bytes(self) -> float:
        """Return the resident bytes of the kernel's process."""
        pages = int(Path(f"/proc/{self.process}/statm").read_text(encoding="ascii").split()[1])
        return pages * 4096.0

    def _read_replies(self, client: Any, messages: list[str]) -> None:
        """Read the replies to some requests, and record missing and disordered ones as violations."""
        for message in messages:
            while True:
                try:
                    found = client.get_shell_msg(timeout=60)["parent_header"].get("msg_id")
                except Empty:
                    self.violations.append("a request has no reply")
                    return
                if found == message:
                    break
                if found in messages:
                    self.violations.append("replies are out of order")
                    return
        while True:  # unread messages of this channel would accumulate in the kernel
            try:
                client.get_iopub_msg(timeout=0)
            except Empty:
                return

    def run_cells(self, count: int) -> None:
        """Run cells one after the other; the second half may only add what the session stores."""
        half = 0.0
        for number in range(0, count, REQUESTS_AT_ONCE):
            if number >= count // 2 and not half:
                half = self.read_resident_bytes()
            sources = [SOURCES[(number + i) % len(SOURCES)] for i in range(REQUESTS_AT_ONCE)]
            options = {"stop_on_error": False, "store_history": number % 3 == 0}
            self._read_replies(self.client, [self.client.execute(source, **options) for source in sources])
        growth = self.read_resident_bytes() - half
        if growth > count / 2 * BYTES_PER_CELL + CELLS_BYTES:
            self.violations.append(f"{growth / 1e6:.0f} MB more after {count // 2} cells")
        self.report(f"{count} cells: {growth / max(count / 2, 1):.0f} bytes a cell")

    def run_storms(self, count: int) -> None:
        """Run storms of 5,000 notices."""
        self._read_replies(self.client, [self.client.execute("Integer[1, 5000].each |$i| { notice($i) }")])
        before = self.read_resident_bytes()
        for _ in range(count):
            self._read_replies(
                self.client, [self.client.execute("%reset\nInteger[1, 5000].each |$i| { notice($i) }")]
            )
        growth = self.read_resident_bytes() - before
        if growth > STORM_BYTES:
            self.violations.append(f"{growth / 1e6:.0f} MB more after {count} storms")
        self.report(f"{count} storms: {growth / 1e6:.1f} MB")

    def run_clients(self, clients_count: int, count: int = 200) -> None:
        """Let several clients request executions at the same time."""
        clients = []
        for _ in range(clients_count):
            client = self.manager.blocking_client()
            client.start_channels()
            client.wait_for_ready(timeout=60)
            clients.append(client)
        start = time.monotonic()
        for number in range(0, count, REQUESTS_AT_ONCE):
            requests = [
                [client.execute(f"{number} + {i}", store_history=False) for i in range(REQUESTS_AT_ONCE)]
                for client in clients
            ]
            for client, messages in zip(clients, requests, strict=True):
                self._read_replies(client, messages)
            self._read_replies(self.client, [])  # all output is published to this client, too
        for client in clients:
            client.stop_channels()
        self.report(
            f"{clients_count} clients with {count} executions each:"
            f" {clients_count * count / (time.monotonic() - start):.0f} per second"
        )

    def send_malformed(self, count: int, seed: int = 1) -> None:
        """Send malformed messages, each followed by a correct one."""
        random = Random(seed)
        channel = self.client.shell_channel
        for _ in range(count):
            message = self.client.session.msg(random.choice(KINDS), {})
            message["content"] = random.choice(ODD_CONTENTS)
            damage = random.randrange(5)
            if damage == 0:
                message["header"].pop(random.choice(list(message["header"])))
            elif damage == 1:
                message["metadata"] = random.choice(ODD_CONTENTS)
            elif damage == 2:
                message["parent_header"] = random.choice(ODD_CONTENTS)
            try:
                if damage == 3:  # random frames
                    frames = [random.randbytes(random.randrange(40)) for _ in range(random.randrange(1, 9))]
                    channel.socket.send_multipart(frames)
                elif damage == 4:  # signed, with a part that is not JSON
                    parts = [b"{", b"\xff", random.randbytes(9), b"[]"]
                    signature = self.client.session.sign(parts)
                    channel.socket.send_multipart([b"<IDS|MSG>", signature, *parts])
                else:
                    channel.send(message)
            except (TypeError, ValueError, KeyError):
                continue  # the client itself refuses to send it
            self._read_replies(self.client, [self.client.execute("1 + 1", store_history=False)])
        self.report(f"{count} malformed messages")

    def report(self, words: str) -> None:
        """Print the progress."""
        print(words, file=sys.stderr, flush=True)


def run_soak(share: float) -> list[str]:
    """Use a kernel for a share of the whole load and return its violations."""
    kernel = SoakedKernel("spec")
    try:
        kernel.run_cells(int(CELLS * share) // REQUESTS_AT_ONCE * REQUESTS_AT_ONCE)
        kernel.run_storms(max(int(STORMS * share), 2))
        kernel.send_malformed(int(MALFORMED * share))
        kernel.run_clients(max(int(CLIENTS * share), 2))
        kernel.check_alive()
    finally:
        kernel.close()
    return kernel.violations


def main() -> int:
    """Run the load; the exit code is 1 if there are violations."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--share", type=float, default=1.0, help="share of the whole load")
    violations = run_soak(parser.parse_args().share)
    print("\n".join(violations))
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
