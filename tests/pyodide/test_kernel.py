"""Pyodide in node: its kernel answers messages, notebooks show what is saved, programs end as they do here."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import nbformat
import pytest

from puppet_kernel.site import NOTEBOOKS, iterate_code, pack
from tests.pyodide.cases import cases, outcome
from tests.pyodide.distribution import FOLDER, answers, missing

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing())
SHOWN = ("display_data", "execute_result", "error")
IGNORED = "nbval-ignore-output"  # the tag of cells that show how long something took
LESSON = NOTEBOOKS / "09-modules-hiera-templates.ipynb"  # it reads modules and data
TESTS = Path(__file__).parents[1]
NEEDS_REGEX = "REGEXP_ENGINE_MISSING"
REFERENCE = NOTEBOOKS / "reference.ipynb"


TIMES = (f"{datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=10 * number):%FT%TZ}" for number in count())


def message(kind: str, content: dict[str, Any], **metadata: Any) -> dict[str, Any]:
    """A request as JupyterLite sends it, ten seconds after the one before it."""
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


def execute(source: str, **metadata: Any) -> dict[str, Any]:
    """The request to run a cell."""
    return message("execute", {"code": source}, **metadata)


def code_cells(notebook: Path) -> list[Any]:
    """The code cells of a notebook."""
    found = nbformat.read(notebook, 4).cells  # type: ignore[no-untyped-call]
    return [cell for cell in found if cell.cell_type == "code"]


MESSAGES = [
    message("kernel_info", {}),
    execute("notice('a') 1 + 1"),
    execute("$x = [1, nan"),
    message("complete", {"code": "noti", "cursor_pos": 4}),
    message("inspect", {"code": "notice", "cursor_pos": 3}),
    message("is_complete", {"code": "if true {"}),
    message("history", {"hist_access_type": "tail", "n": 5}),
    message("comm_info", {}),
    message("teleport", {}),
    message("execute", {}),
    execute("$y = 1", cellId="one"),
    execute("$y + 1", cellId="two"),
    execute("$y = 2", cellId="one"),
]
CONVERSATIONS = {
    "messages": MESSAGES,
    **{
        notebook.stem: [execute(cell.source) for cell in code_cells(notebook)]
        for notebook in (LESSON, REFERENCE)
    },
}


CASES = list(cases(TESTS / "language"))


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    """Return the replies to all conversations and the outcomes of all cases, from one Pyodide."""
    folder = tmp_path_factory.mktemp("archives")
    code_file, files = folder / "code.zip", folder / "files.zip"
    pack(code_file, [*iterate_code(), (FOLDER / "cases.py", Path("cases.py"))])
    pack(files, ((path, path.relative_to(NOTEBOOKS)) for path in NOTEBOOKS.rglob("*")))
    asked = {"conversations": list(CONVERSATIONS.values()), "cases": CASES}
    answer: dict[str, list[Any]] = answers("kernel.mjs", asked, code_file, files)
    return answer


@pytest.fixture(scope="module")
def conversations(results: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """Return the replies to each message of each conversation."""
    return dict(zip(CONVERSATIONS, results["conversations"], strict=True))


def kinds(answer: list[Any]) -> list[str]:
    """The types of the messages between busy and idle."""
    states = [one["content"].get("execution_state") for one in (answer[0], answer[-1])]
    assert states == ["busy", "idle"]
    assert all(one["header"]["session"] == "client" and one["parent_header"] for one in answer)
    return [one["header"]["msg_type"] for one in answer[1:-1]]


def test_every_message_is_answered(conversations: dict[str, list[Any]]) -> None:
    found = conversations["messages"]
    assert [kinds(answer) for answer in found] == [
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
    replies = [answer[-2]["content"] for answer in found]
    assert replies[0]["language_info"]["name"] == "puppet" and replies[0]["supported_features"] == []
    assert [reply["status"] for reply in replies[1:4]] == ["ok", "error", "ok"]
    assert "notice" in replies[3]["matches"] and replies[4]["found"]
    assert replies[5]["status"] == "incomplete"
    assert [entry[2] for entry in replies[6]["history"]] == ["notice('a') 1 + 1", "$x = [1, nan"]
    assert [reply["status"] for reply in replies[8:10]] == ["error", "error"]


@pytest.mark.parametrize("notebook", [LESSON, REFERENCE], ids=lambda path: path.stem)
def test_a_notebook_shows_what_is_saved(notebook: Path, conversations: dict[str, list[Any]]) -> None:
    needing = 0
    for cell, answer in zip(code_cells(notebook), conversations[notebook.stem], strict=True):
        shown = [(one["header"]["msg_type"], one["content"]) for one in answer]
        if needs_regex(shown):
            needing += 1  # the npm package of Pyodide does not have it; its distribution has
        elif IGNORED not in cell.metadata.get("tags", ()):
            saved = [(output.pop("output_type"), output) for output in cell.outputs]
            assert [each for each in shown if each[0] in SHOWN] == [
                each for each in saved if each[0] in SHOWN
            ], cell.source
    assert needing < len(code_cells(notebook)) / 50


def needs_regex(answer: list[Any]) -> bool:
    """Return True if the outputs of a cell name a package that Pyodide does not include."""
    return NEEDS_REGEX in json.dumps(answer)


def test_programs_have_the_outcomes_that_they_have_here(results: dict[str, list[Any]]) -> None:
    differ = []
    for case, got in zip(CASES, results["cases"], strict=True):
        due = json.loads(json.dumps(outcome(case)))
        if due != got and not needs_regex(got):
            differ.append((case["name"], due, got))
    assert not differ
    # sets of types and Deferred have names that need it
    assert sum(map(needs_regex, results["cases"])) < len(CASES) / 25
