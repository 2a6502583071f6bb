"""The kernel in Pyodide replies, notebooks have the saved outputs, and programs the same results as in CPython."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import nbformat
import pytest

from puppet_kernel.site import NOTEBOOKS, iterate_code, pack
from tests.pyodide.cases import iterate_cases, run_case
from tests.pyodide.distribution import FOLDER, find_missing_requirement, run_script

pytestmark = pytest.mark.skipif(bool(find_missing_requirement()), reason=find_missing_requirement())
OUTPUT_TYPES = ("display_data", "execute_result", "error")
IGNORED = "nbval-ignore-output"  # The tag of cells that display times.
LESSON = NOTEBOOKS / "09-modules-hiera-templates.ipynb"  # It reads modules and data.
TESTS = Path(__file__).parents[1]
NEEDS_REGEX = "REGEXP_ENGINE_MISSING"
REFERENCE = NOTEBOOKS / "reference.ipynb"


TIMES = (f"{datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=10 * number):%FT%TZ}" for number in count())


def make_request(kind: str, content: dict[str, Any], **metadata: Any) -> dict[str, Any]:
    """Return a request as JupyterLite sends it, ten seconds after the previous one."""
    header = {
        "msg_id": kind,
        "msg_type": f"{kind}_request",
        "session": "client",
        "date": next(TIMES),
    }
    return {
        "channel": "shell",
        "header": header,
        "content": content,
        "metadata": metadata,
        "parent_header": {},
    }


def make_execution(source: str, **metadata: Any) -> dict[str, Any]:
    """Return the request that runs a cell."""
    return make_request("execute", {"code": source}, **metadata)


def read_code_cells(notebook: Path) -> list[Any]:
    """Return the code cells of a notebook."""
    cells = nbformat.read(notebook, 4).cells  # type: ignore[no-untyped-call]
    return [cell for cell in cells if cell.cell_type == "code"]


MESSAGES = [
    make_request("kernel_info", {}),
    make_execution("notice('a') 1 + 1"),
    make_execution("$x = [1, nan"),
    make_request("complete", {"code": "noti", "cursor_pos": 4}),
    make_request("inspect", {"code": "notice", "cursor_pos": 3}),
    make_request("is_complete", {"code": "if true {"}),
    make_request("history", {"hist_access_type": "tail", "n": 5}),
    make_request("comm_info", {}),
    make_request("teleport", {}),
    make_request("execute", {}),
    make_execution("$y = 1", cellId="one"),
    make_execution("$y + 1", cellId="two"),
    make_execution("$y = 2", cellId="one"),
]
CONVERSATIONS = {
    "messages": MESSAGES,
    **{
        notebook.stem: [make_execution(cell.source) for cell in read_code_cells(notebook)]
        for notebook in (LESSON, REFERENCE)
    },
}


CASES = list(iterate_cases(TESTS / "language"))


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    """Return the replies to all conversations and the results of all cases, from one Pyodide."""
    folder = tmp_path_factory.mktemp("archives")
    code_file, files = folder / "code.zip", folder / "files.zip"
    pack(code_file, [*iterate_code(), (FOLDER / "cases.py", Path("cases.py"))])
    pack(files, ((path, path.relative_to(NOTEBOOKS)) for path in NOTEBOOKS.rglob("*")))
    data = {"conversations": list(CONVERSATIONS.values()), "cases": CASES}
    output: dict[str, list[Any]] = run_script("kernel.mjs", data, code_file, files)
    return output


@pytest.fixture(scope="module")
def conversations(results: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """Return the replies to each message of each conversation."""
    return dict(zip(CONVERSATIONS, results["conversations"], strict=True))


def list_types(messages: list[Any]) -> list[str]:
    """Return the types of the messages between busy and idle."""
    states = [message["content"].get("execution_state") for message in (messages[0], messages[-1])]
    assert states == ["busy", "idle"]
    assert all(message["header"]["session"] == "client" and message["parent_header"] for message in messages)
    return [message["header"]["msg_type"] for message in messages[1:-1]]


def test_every_request_has_its_reply(conversations: dict[str, list[Any]]) -> None:
    answers = conversations["messages"]
    assert [list_types(messages) for messages in answers] == [
        ["kernel_info_reply"],
        ["execute_input", "stream", "execute_result", "execute_reply"],
        ["execute_input", "error", "execute_reply"],
        *([f"{kind}_reply"] for kind in ("complete", "inspect", "is_complete", "history", "comm_info")),
        ["teleport_reply"],
        ["execute_reply"],
        ["execute_input", "display_data", "execute_reply"],
        ["execute_input", "display_data", "execute_reply"],
        ["execute_input", "display_data", "update_display_data", "execute_reply"],
    ]
    replies = [messages[-2]["content"] for messages in answers]
    assert replies[0]["language_info"]["name"] == "puppet" and replies[0]["supported_features"] == []
    assert [reply["status"] for reply in replies[1:4]] == ["ok", "error", "ok"]
    assert "notice" in replies[3]["matches"] and replies[4]["found"]
    assert replies[5]["status"] == "incomplete"
    assert [entry[2] for entry in replies[6]["history"]] == ["notice('a') 1 + 1", "$x = [1, nan"]
    assert [reply["status"] for reply in replies[8:10]] == ["error", "error"]


@pytest.mark.parametrize("notebook", [LESSON, REFERENCE], ids=lambda path: path.stem)
def test_a_notebook_has_the_saved_outputs(notebook: Path, conversations: dict[str, list[Any]]) -> None:
    skipped = 0
    for cell, messages in zip(read_code_cells(notebook), conversations[notebook.stem], strict=True):
        outputs = [(message["header"]["msg_type"], message["content"]) for message in messages]
        if needs_regex(outputs):
            skipped += 1  # Only the full distribution of Pyodide has regex.
        elif IGNORED not in cell.metadata.get("tags", ()):
            saved = [(output.pop("output_type"), output) for output in cell.outputs]
            assert [(kind, content) for kind, content in outputs if kind in OUTPUT_TYPES] == [
                (kind, content) for kind, content in saved if kind in OUTPUT_TYPES
            ], cell.source
    assert skipped < len(read_code_cells(notebook)) / 50


def needs_regex(messages: list[Any]) -> bool:
    """Return whether the outputs of a cell name a package that Pyodide does not include."""
    return NEEDS_REGEX in json.dumps(messages)


def test_programs_have_the_same_results_as_in_cpython(results: dict[str, list[Any]]) -> None:
    differences = []
    for case, result in zip(CASES, results["cases"], strict=True):
        expected = json.loads(json.dumps(run_case(case)))
        if expected != result and not needs_regex(result):
            differences.append((case["name"], expected, result))
    assert not differences
    # Sets of types, and Deferred, have names that need regex.
    assert sum(map(needs_regex, results["cases"])) < len(CASES) / 25
