"""Clients as they are: messages as VS Code sends them, and jupyter console at a terminal."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pexpect
import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from kernels import environment
from test_protocol import ask, execute

CELL = "vscode-notebook-cell:/home/user/site.ipynb#{name}"
# the text of the notebook's cells for each document is in the URI, not in the metadata; what has no meaning here stays
TELEMETRY = {"trusted": True, "vscode": {"languageId": "puppet"}}


def vscode(client: BlockingKernelClient, name: str, code: str) -> Any:
    """An execution as VS Code asks for it: the identity of the cell is its URI."""
    return execute(client, code, {"cellId": CELL.format(name=name), **TELEMETRY}, allow_stdin=True)


@pytest.fixture(autouse=True)
def fresh(client: BlockingKernelClient) -> None:
    execute(client, "%reset", store_history=False)


def test_a_cell_of_vs_code_that_runs_again_replaces_itself(client: BlockingKernelClient) -> None:
    assert vscode(client, "W0sZmlsZQ==", "$port = 80").reply["status"] == "ok"
    vscode(client, "W1sZmlsZQ==", "$port + 1")
    answer = vscode(client, "W0sZmlsZQ==", "$port = 90")
    (redrawn,) = answer.of("update_display_data")
    assert redrawn["transient"] == {"display_id": CELL.format(name="W1sZmlsZQ==")}
    assert redrawn["data"]["text/plain"] == "91"


def test_vs_code_asks_for_completions_and_cards_while_it_types(client: BlockingKernelClient) -> None:
    vscode(client, "a", "$port = 80")
    found = ask(client, "complete_request", code="notice($po", cursor_pos=10)
    assert found["matches"] == ["$port"]
    assert {"text", "type", "start", "end"} <= found["metadata"]["_jupyter_types_experimental"][0].keys()
    card = ask(client, "inspect_request", code="notice($port", cursor_pos=12, detail_level=0)
    assert card["found"]
    assert {"text/plain", "text/markdown"} <= card["data"].keys()


def test_vs_code_asks_in_silence_before_cells_run(client: BlockingKernelClient) -> None:
    """It executes what is empty, or silent, to see whether a kernel is alive; nothing of it is counted or kept."""
    before = execute(client, "1").reply["execution_count"]
    for code in ("", "1 + 1"):
        asked = execute(client, code, silent=True, store_history=False, stop_on_error=False)
        assert asked.reply["status"] == "ok"
        assert [message["msg_type"] for message in asked.messages if message["msg_type"] != "status"] == []
    assert execute(client, "1").reply["execution_count"] == before + 1


def test_a_language_that_vs_code_and_others_know(client: BlockingKernelClient) -> None:
    told = ask(client, "kernel_info_request")["language_info"]
    assert (told["name"], told["file_extension"], told["mimetype"]) == ("puppet", ".pp", "text/x-puppet")


def test_jupyter_console(tmp_path: Path) -> None:
    pytest.importorskip("jupyter_console")
    console = pexpect.spawn(
        sys.executable,
        ["-m", "jupyter_console", "--kernel", "puppet", "--simple-prompt"],
        env=environment(tmp_path) | {"TERM": "dumb", "JUPYTER_CONFIG_DIR": str(tmp_path)},
        cwd=str(tmp_path),
        encoding="utf-8",
        timeout=60,
    )
    try:
        console.expect_exact("In [1]:")
        console.sendline("$ports = [80, 443]")
        console.expect(re.escape("[80, 443]"))
        console.expect_exact("In [2]:")
        console.sendline("notice($ports.length)")
        console.expect_exact("Notice: 2")
        console.expect_exact("In [3]:")
        console.sendline("$ports = 1")
        console.expect_exact("Cannot reassign variable '$ports'")
        console.expect_exact("In [4]:")
        console.sendline("%vars")
        console.expect_exact("$ports")
        console.expect_exact("In [5]:")
        console.sendline("%quit")
        console.expect(pexpect.EOF)
    finally:
        console.close(force=True)
