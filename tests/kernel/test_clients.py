"""Messages as VS Code sends them, and jupyter console in a terminal."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pexpect
import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from kernels import Execution, execute, get_reply, make_environment

pytestmark = pytest.mark.usefixtures("new_session")
CELL = "vscode-notebook-cell:/home/user/site.ipynb#{name}"
# VS Code identifies a cell by its URI; the other fields of its metadata have no meaning for the kernel.
OTHER_METADATA = {"trusted": True, "vscode": {"languageId": "puppet"}}


def execute_as_vscode(client: BlockingKernelClient, name: str, code: str) -> Execution:
    """Run a cell as VS Code does, with its URI as the identity of the cell."""
    return execute(client, code, {"cellId": CELL.format(name=name), **OTHER_METADATA}, allow_stdin=True)


def test_a_cell_of_vs_code_that_runs_again_redraws_its_dependents(client: BlockingKernelClient) -> None:
    assert execute_as_vscode(client, "W0sZmlsZQ==", "$port = 80").reply["status"] == "ok"
    execute_as_vscode(client, "W1sZmlsZQ==", "$port + 1")
    execution = execute_as_vscode(client, "W0sZmlsZQ==", "$port = 90")
    (redrawn,) = execution.get_contents("update_display_data")
    assert redrawn["transient"] == {"display_id": CELL.format(name="W1sZmlsZQ==")}
    assert redrawn["data"]["text/plain"] == "91"


def test_vs_code_gets_completions_and_inspections(client: BlockingKernelClient) -> None:
    execute_as_vscode(client, "a", "$port = 80")
    completion = get_reply(client, "complete_request", code="notice($po", cursor_pos=10)
    assert completion["matches"] == ["$port"]
    assert {"text", "type", "start", "end"} <= completion["metadata"]["_jupyter_types_experimental"][0].keys()
    inspection = get_reply(client, "inspect_request", code="notice($port", cursor_pos=12, detail_level=0)
    assert inspection["found"]
    assert {"text/plain", "text/markdown"} <= inspection["data"].keys()


def test_silent_and_empty_requests_of_vs_code_are_not_counted(client: BlockingKernelClient) -> None:
    """VS Code executes them to find out whether a kernel is alive."""
    before = execute(client, "1").reply["execution_count"]
    for code in ("", "1 + 1"):
        execution = execute(client, code, silent=True, store_history=False, stop_on_error=False)
        assert execution.reply["status"] == "ok"
        assert [
            message["msg_type"] for message in execution.messages if message["msg_type"] != "status"
        ] == []
    assert execute(client, "1").reply["execution_count"] == before + 1


def test_the_language_has_a_name_that_vs_code_knows(client: BlockingKernelClient) -> None:
    language = get_reply(client, "kernel_info_request")["language_info"]
    assert (language["name"], language["file_extension"], language["mimetype"]) == (
        "puppet",
        ".pp",
        "text/x-puppet",
    )


def test_jupyter_console_runs_cells(tmp_path: Path) -> None:
    pytest.importorskip("jupyter_console")
    console = pexpect.spawn(
        sys.executable,
        ["-m", "jupyter_console", "--kernel", "puppet", "--simple-prompt"],
        env=make_environment(tmp_path) | {"TERM": "dumb", "JUPYTER_CONFIG_DIR": str(tmp_path)},
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
