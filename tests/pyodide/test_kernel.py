"""The kernel as a worker of a browser has it, in node: it answers messages, and a notebook shows what it does here."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from evaluator.session import dialect_notes
from puppet_kernel.jupyter.display import ReplyMessages
from puppet_kernel.remedies import NOTEBOOK as NOTEBOOK_WAYS
from puppet_kernel.shell import Shell
from puppet_kernel.site import NOTEBOOKS, iterate_code, pack
from tests.pyodide.distribution import answers, missing

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing())
SHOWN = ("display_data", "execute_result", "error")
TIMED = {"command-cells-shown", "command-time-shown"}  # which tell how long something took
LESSON = NOTEBOOKS / "09-modules-hiera-templates.ipynb"  # it reads modules and data
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


def cells(notebook: Path) -> dict[str, str]:
    """The code cells of a notebook by their identities."""
    found = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return {cell["id"]: "".join(cell["source"]) for cell in found if cell["cell_type"] == "code"}


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
    **{notebook.stem: list(map(execute, cells(notebook).values())) for notebook in (LESSON, REFERENCE)},
}


@pytest.fixture(scope="module")
def answered(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    """Return the replies to each message of each conversation; all run in one Pyodide, which loads for seconds."""
    folder = tmp_path_factory.mktemp("archives")
    code_file, files = folder / "code.zip", folder / "files.zip"
    pack(code_file, iterate_code())
    pack(files, ((path, path.relative_to(NOTEBOOKS)) for path in NOTEBOOKS.rglob("*")))
    found = answers("kernel.mjs", list(CONVERSATIONS.values()), code_file, files)
    return dict(zip(CONVERSATIONS, found, strict=True))


def kinds(answer: list[Any]) -> list[str]:
    """The types of the messages between busy and idle."""
    states = [one["content"].get("execution_state") for one in (answer[0], answer[-1])]
    assert states == ["busy", "idle"]
    assert all(one["header"]["session"] == "client" and one["parent_header"] for one in answer)
    return [one["header"]["msg_type"] for one in answer[1:-1]]


def test_every_message_is_answered(answered: dict[str, list[Any]]) -> None:
    found = answered["messages"]
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


@pytest.fixture
def beside_notebooks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in the folder of notebooks, with time for notes on the other dialect, as `kernel.mjs` allows."""
    monkeypatch.chdir(NOTEBOOKS)
    for limit in ("QUICK_SECONDS", "LONGEST_SECONDS", "MOST_WAITING"):
        monkeypatch.setattr(dialect_notes, limit, 60)


def compared(notebook: Path, found: list[Any]) -> Iterator[tuple[str, str, list[Any], list[Any]]]:
    """The identity and the source of each cell, and what is shown of it here and there."""
    shell = Shell({}, remedies=NOTEBOOK_WAYS, guarded=True)
    for number, ((name, source), answer) in enumerate(zip(cells(notebook).items(), found, strict=True), 1):
        reply = shell.submit_and_render(
            source,
            lambda reply: ReplyMessages(reply, None, number),  # noqa: B023
            f"{number}",
            number,
        )
        here = [each for each in json.loads(json.dumps(reply.messages)) if each[0] in SHOWN]
        there = [[one["header"]["msg_type"], one["content"]] for one in answer]
        yield name, source, here, [each for each in there if each[0] in SHOWN]


@pytest.mark.usefixtures("beside_notebooks")
def test_a_notebook_with_modules_and_data_shows_what_it_shows_here(answered: dict[str, list[Any]]) -> None:
    for _, source, here, there in compared(LESSON, answered[LESSON.stem]):
        assert there[len(there) - len(here) :] == here, source


@pytest.mark.usefixtures("beside_notebooks")
def test_the_reference_shows_what_it_shows_here(answered: dict[str, list[Any]]) -> None:
    needing = []
    for name, source, here, there in compared(REFERENCE, answered[REFERENCE.stem]):
        if "REGEXP_ENGINE_MISSING" in json.dumps(there):
            needing.append(name)  # which the npm package of Pyodide has not, and its distribution has
        elif name not in TIMED:
            assert there[len(there) - len(here) :] == here, source
    assert len(needing) < len(cells(REFERENCE)) / 50
