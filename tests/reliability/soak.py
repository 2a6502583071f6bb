"""`python -m tests.reliability.soak [--share 1.0]`: a kernel for long: many cells, storms, clients and odd messages.

The whole (`--share 1`): 10,000 cells, 50 storms of 5,000 notices, 50 clients with 200 executions each, and 1,000
malformed messages among others. Everything is answered, in order; memory stays flat but for what the cells define.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from queue import Empty
from random import Random
from typing import Any

from tests.reliability.hostile_cells import Hostile

CELLS, STORMS, CLIENTS, MALFORMED = 10_000, 50, 50, 1_000
PIPELINED = 20  # requests that are on their way at a time
BYTES_PER_CELL = 6_000  # what the session keeps of a cell: its source, its outcome, its place
STORM_BYTES = 30_000_000  # what storms may leave behind, all together
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
ODD: tuple[Any, ...] = (
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


class Soaked(Hostile):
    """A kernel that is used for long."""

    def resident(self) -> float:
        """Bytes that the kernel's process holds."""
        pages = int(Path(f"/proc/{self.process}/statm").read_text(encoding="ascii").split()[1])
        return pages * 4096.0

    def _answered(self, client: Any, messages: list[str]) -> None:
        """Reads the replies to some requests; notes which is missing or out of order."""
        for message in messages:
            while True:
                try:
                    found = client.get_shell_msg(timeout=60)["parent_header"].get("msg_id")
                except Empty:
                    self.wrong.append("a request has no reply")
                    return
                if found == message:
                    break
                if found in messages:
                    self.wrong.append("replies are out of order")
                    return
        while True:  # what is published is read too, or it would wait in the kernel
            try:
                client.get_iopub_msg(timeout=0)
            except Empty:
                return

    def cells(self, count: int) -> None:
        """So many cells, one after the other; the second half may take only what it keeps."""
        half = 0.0
        for number in range(0, count, PIPELINED):
            if number >= count // 2 and not half:
                half = self.resident()
            sources = [SOURCES[(number + i) % len(SOURCES)] for i in range(PIPELINED)]
            options = {"stop_on_error": False, "store_history": number % 3 == 0}
            self._answered(self.client, [self.client.execute(source, **options) for source in sources])
        grown = self.resident() - half
        if grown > count / 2 * BYTES_PER_CELL + 8_000_000:
            self.wrong.append(f"{grown / 1e6:.0f} MB more after {count // 2} cells")
        self.told(f"{count} cells: {grown / max(count / 2, 1):.0f} bytes a cell")

    def storms(self, count: int) -> None:
        """So many storms of 5,000 notices."""
        self._answered(self.client, [self.client.execute("Integer[1, 5000].each |$i| { notice($i) }")])
        before = self.resident()
        for _ in range(count):
            self._answered(
                self.client, [self.client.execute("%reset\nInteger[1, 5000].each |$i| { notice($i) }")]
            )
        grown = self.resident() - before
        if grown > STORM_BYTES:
            self.wrong.append(f"{grown / 1e6:.0f} MB more after {count} storms")
        self.told(f"{count} storms: {grown / 1e6:.1f} MB")

    def clients(self, clients_count: int, count: int = 200) -> None:
        """Let so many clients at once request so many executions each."""
        clients = []
        for _ in range(clients_count):
            client = self.manager.blocking_client()
            client.start_channels()
            client.wait_for_ready(timeout=60)
            clients.append(client)
        begun = time.monotonic()
        for number in range(0, count, PIPELINED):
            asked = [
                [client.execute(f"{number} + {i}", store_history=False) for i in range(PIPELINED)]
                for client in clients
            ]
            for client, messages in zip(clients, asked, strict=True):
                self._answered(client, messages)
            self._answered(self.client, [])  # to which all is published too
        for client in clients:
            client.stop_channels()
        self.told(
            f"{clients_count} clients with {count} executions each:"
            f" {clients_count * count / (time.monotonic() - begun):.0f} per second"
        )

    def malformed(self, count: int, seed: int = 1) -> None:
        """So many messages that are not as they should be, each followed by one that is."""
        random = Random(seed)
        channel = self.client.shell_channel
        for _ in range(count):
            message = self.client.session.msg(random.choice(KINDS), {})
            message["content"] = random.choice(ODD)
            damage = random.randrange(5)
            if damage == 0:
                message["header"].pop(random.choice(list(message["header"])))
            elif damage == 1:
                message["metadata"] = random.choice(ODD)
            elif damage == 2:
                message["parent_header"] = random.choice(ODD)
            try:
                if damage == 3:  # frames that mean nothing
                    frames = [random.randbytes(random.randrange(40)) for _ in range(random.randrange(1, 9))]
                    channel.socket.send_multipart(frames)
                elif damage == 4:  # signed, with a part that is no JSON
                    parts = [b"{", b"\xff", random.randbytes(9), b"[]"]
                    signature = self.client.session.sign(parts)
                    channel.socket.send_multipart([b"<IDS|MSG>", signature, *parts])
                else:
                    channel.send(message)
            except (TypeError, ValueError, KeyError):
                continue  # not even the client can send that
            self._answered(self.client, [self.client.execute("1 + 1", store_history=False)])
        self.told(f"{count} malformed messages")

    def told(self, words: str) -> None:
        """Says how it goes."""
        print(words, file=sys.stderr, flush=True)


def soaked(share: float) -> list[str]:
    """Use a kernel for a share of the whole load and return its violations."""
    kernel = Soaked("spec")
    try:
        kernel.cells(int(CELLS * share) // PIPELINED * PIPELINED)
        kernel.storms(max(int(STORMS * share), 2))
        kernel.malformed(int(MALFORMED * share))
        kernel.clients(max(int(CLIENTS * share), 2))
        kernel.lives()
    finally:
        kernel.close()
    return kernel.wrong


def main() -> int:
    """Run the load; the exit code is 1 if there are violations."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--share", type=float, default=1.0, help="of the whole")
    wrong = soaked(parser.parse_args().share)
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
